#!/usr/bin/env bash
# All benchmarks: bench/run.sh BUILD. Each checks its answer before it prints a time.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
"$build/bench/core_bench"
"$build/bench/cart_bench"
python3 "$here/large_table.py" "$build/beadwork"
shared=${BEADWORK_SHARED:-$here/../../shared}
if [ -d "$shared/datasets" ]; then
  "$build/bench/search_bench" "$shared/datasets/paper"
  python3 "$here/weights.py" "$build/beadwork" "$shared"
  python=python3  # without ConTree, where it cannot be installed
  if FOR=bench "$here/../tools/python_env.sh"; then python=$here/../build/venv-bench/bin/python; fi
  "$python" "$here/ordered/compare.py" "$build/beadwork" "$shared"
fi
