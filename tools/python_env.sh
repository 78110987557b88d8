#!/usr/bin/env bash
# Run Python with the packages of PyPI that tests need: tools/python_env.sh [SCRIPT ...]. The environment is made once, in
# build/venv; where that cannot be done the exit code is 77, which ctest counts as skipped. With FOR=bench: those of
# bench_packages.txt, in build/venv-bench. Each file has to have the hash that tools/pin.sh has written there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=$here/../build/venv${FOR:+-$FOR}
wanted=$here/${FOR:-python}_packages.txt
export PIP_NO_COMPILE=1  # Python compiles what it imports, once
mkdir -p "$here/../build"
exec {lock}>"$venv.lock"
flock "$lock"  # tests that run at the same time make it once
if ! cmp -s "$wanted" "$venv/made-of"; then
  rm -rf "$venv"
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  { python3 -m venv "$venv" && "$venv/bin/pip" install --disable-pip-version-check --require-hashes -r "$wanted"; } >"$log" 2>&1 || {
    tail -n 5 "$log" >&2
    echo "beadwork: skipped: cannot make $venv" >&2
    rm -rf "$venv"
    exit 77
  }
  cp "$wanted" "$venv/made-of"
fi
exec {lock}>&-
[ $# -eq 0 ] || exec "$venv/bin/python" "$@"
