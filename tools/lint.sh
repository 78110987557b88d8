#!/usr/bin/env bash
# Format; every file alone through clang with all warnings (tools/lint_alone.py); clang-tidy over src and apps; the layers and the
# limits of the house. clang-tidy reads each layer as one file, because most of its time goes into headers. FULL=1 reads every file
# alone without a precompiled header, which also shows a missing header of the standard library (make nightly).
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
tools/format.sh --check
python3 tests/layers/check_layers.py src
python3 tests/layers/check_house.py .
cmake --preset lint >/dev/null
cmake --preset lint -B build-lint/unity -DCMAKE_UNITY_BUILD=ON -DBEADWORK_TESTS=OFF -DBEADWORK_BENCH=OFF >/dev/null
python3 tools/lint_alone.py ${FULL:+--full} --jobs "$jobs" build-lint
# The largest files first, so that no processor waits at the end.
files_of() {
  python3 - "$1" <<'END'
import json, pathlib, re, sys

def size(file):
    text = pathlib.Path(file).read_text()
    return sum(pathlib.Path(f).stat().st_size for f in re.findall(r'#include "(/[^"]+)"', text)) or len(text)

made_by_the_build = "/bundle.cpp"
files = {c["file"] for c in json.load(open(sys.argv[1] + "/compile_commands.json"))}
for file in sorted((f for f in files if not f.endswith(made_by_the_build)), key=size, reverse=True):
    print(file)
END
}
files=$(files_of build-lint/unity)
xargs -P "$jobs" -n 1 clang-tidy -p build-lint/unity --quiet --checks=-bugprone-suspicious-include \
  <<<"$files" 2> >(grep -v 'warnings generated' >&2)
echo "lint: clean"
