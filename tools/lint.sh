#!/usr/bin/env bash
# Format; every file alone through clang with all warnings, which also shows a missing include; clang-tidy over src and apps;
# the layers and the limits of the house. clang-tidy reads each layer as one file, because most of its time goes into headers.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
tools/format.sh --check
cmake --preset lint >/dev/null
cmake --preset lint -B build-lint/unity -DCMAKE_UNITY_BUILD=ON -DBEADWORK_TESTS=OFF -DBEADWORK_BENCH=OFF >/dev/null
# Each file once, as its command has it, without an output.
python3 - build-lint/compile_commands.json <<'END' | xargs -0 -P "$jobs" -n 1 sh -c
import json, shlex, sys

commands = {entry["file"]: shlex.split(entry["command"]) for entry in json.load(open(sys.argv[1]))}
for file, words in commands.items():
    if file.endswith("/bundle.cpp"):  # made by the build
        continue
    at = words.index("-o")
    kept = [w for w in words[:at] + words[at + 2:] if w != "-c" and not w.endswith("/ccache")]
    print(f"cd build-lint && {shlex.join(kept)} -fsyntax-only", end="\0")
END
files_of() { python3 -c 'import json, sys; [print(c["file"]) for c in json.load(open(sys.argv[1] + "/compile_commands.json"))]' "$1"; }
files_of build-lint/unity | grep -v '/bundle.cpp$' |
  xargs -P "$jobs" -n 1 clang-tidy -p build-lint/unity --quiet --checks=-bugprone-suspicious-include 2> >(grep -v 'warnings generated' >&2)
python3 tests/layers/check_layers.py src
python3 tests/layers/check_house.py .
echo "lint: clean"
