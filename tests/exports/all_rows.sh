#!/usr/bin/env bash
# All exports on 100,000 random rows (BEADWORK_EXPORT_ROWS says otherwise), with every tool that is installed; what lacks its
# tool is skipped and named. tests/exports/all_rows.sh [BINARY]
set -uo pipefail
cd "$(dirname "$0")/../.."
export BEADWORK_BINARY=${1:-build/beadwork} BEADWORK_EXPORT_ROWS=${BEADWORK_EXPORT_ROWS:-100000}
export BEADWORK_EXPORT_MODELS=${BEADWORK_EXPORT_MODELS:-all} BEADWORK_TEST_MARIADB=1 BEADWORK_TEST_POSTGRES=1
BEADWORK_BINARY=$(realpath "$BEADWORK_BINARY")
failed=()
for part in exports small_targets languages; do
  python3 tests/exports/test_$part.py -v || failed+=("$part")
done
FOR='' tools/python_env.sh tests/exports/test_packages.py -v || failed+=(packages)
FOR=exports tools/python_env.sh tests/exports/test_tables.py -v || failed+=(tables)
[ ${#failed[@]} = 0 ] || { printf 'failed: %s\n' "${failed[@]}"; exit 1; }
