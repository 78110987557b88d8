#!/usr/bin/env bash
# Pins what tests and recipes install from PyPI: for each list of names (*packages.in), the same name with .txt gets all packages
# that these need, with versions and the hashes of their files for all systems. pip then installs nothing else. Versions that the
# .txt names stay; UPGRADE=1 takes the newest. For Python 3.11 and later, or as the first line of a list says. Needs uv
# (pip install uv). Arguments name some of the lists.
set -euo pipefail
cd "$(dirname "$0")/.."
lists=("$@")
[ ${#lists[@]} -gt 0 ] || lists=(tools/*packages.in tests/clusters/packages.in)
for list in "${lists[@]}"; do
  python=$(sed -n '1s/^# Python \(3[.0-9]*\).*/\1/p' "$list")
  uv pip compile --quiet --universal --python-version "${python:-3.11}" --generate-hashes --no-annotate --no-header \
    --no-emit-index-url --no-emit-find-links ${UPGRADE:+--upgrade} -o "${list%.in}.txt" "$list"
done
