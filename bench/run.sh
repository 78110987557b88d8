#!/usr/bin/env bash
# All benchmarks: bench/run.sh BUILD. Each checks its answer before it prints a time.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
"$build/bench/core_bench"
"$build/bench/cart_bench"
python3 "$here/large_table.py" "$build/beadwork"
if [ -d "${BEADWORK_SHARED:-$here/../../shared}/datasets" ]; then
  "$build/bench/search_bench" "${BEADWORK_SHARED:-$here/../../shared}/datasets/paper"
  python3 "$here/weights.py" "$build/beadwork" "${BEADWORK_SHARED:-$here/../../shared}"
fi
