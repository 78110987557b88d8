#!/usr/bin/env bash
# Format; every file alone through clang with all warnings, which also shows a missing include; clang-tidy over src and apps;
# the layers and the limits of the house. clang-tidy reads each layer as one file, because most of its time goes into headers.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
tools/format.sh --check
cmake --preset lint >/dev/null
cmake --preset lint -B build-lint/unity -DCMAKE_UNITY_BUILD=ON -DBEADWORK_TESTS=OFF -DBEADWORK_BENCH=OFF >/dev/null
files_of() { python3 -c 'import json, sys; [print(c["file"]) for c in json.load(open(sys.argv[1] + "/compile_commands.json"))]' "$1"; }
tidy() { files_of "$1" | grep -v '/bundle.cpp$' | xargs -P "$jobs" -n 1 clang-tidy -p "$1" --quiet "${@:2}"; }
tidy build-lint --checks='-*,clang-diagnostic-*,misc-unused-parameters' --extra-arg=-Wreserved-identifier 2> >(grep -v 'warnings generated' >&2)
tidy build-lint/unity --checks=-bugprone-suspicious-include 2> >(grep -v 'warnings generated' >&2)
python3 tests/layers/check_layers.py src
python3 tests/layers/check_house.py .
echo "lint: clean"
