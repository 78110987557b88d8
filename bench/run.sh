#!/usr/bin/env bash
# All benchmarks: bench/run.sh BUILD. Each checks its answer before it prints a time.
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
"$build/bench/core_bench"
"$build/bench/cart_bench"
python3 "$here/large_table.py" "$build/beadwork"
tables=$here/../tools/tables.py
if paper=$("$tables" where paper); then
  "$build/bench/search_bench" "$paper"
  python3 "$here/weights.py" "$build/beadwork"
else
  echo "$paper"
fi
if numeric=$("$tables" where numeric); then
  python=python3  # without ConTree, where it cannot be installed
  if FOR=bench "$here/../tools/python_env.sh"; then python=$here/../build/venv-bench/bin/python; fi
  "$python" "$here/ordered/compare.py" "$build/beadwork"
else
  echo "$numeric"
fi
