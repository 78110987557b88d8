#!/usr/bin/env bash
# Format; all warnings of clang (clang-tidy gives those of src and apps, tools/clang_warnings.py those of the rest); clang-tidy over src
# and apps; the layers and the limits of the house. Each layer and each test program is read as one file, because most of the time goes
# into headers. ALONE=1 reads every file alone, too, which shows a missing header of our own; FULL=1 does so without a precompiled
# header, which also shows one of the standard library (make nightly).
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
tools/format.sh --check
python3 tests/layers/check_layers.py src
python3 tests/layers/check_house.py .
cmake --preset lint -B build-lint/unity -DCMAKE_UNITY_BUILD=ON >/dev/null
if [ -n "${ALONE:-}${FULL:-}" ]; then
  cmake --preset lint >/dev/null
  python3 tools/clang_warnings.py ${FULL:+--full} --jobs "$jobs" build-lint
else
  python3 tools/clang_warnings.py --but src --but apps --jobs "$jobs" build-lint/unity
fi
# Those of src and apps, the largest first, so that no processor waits at the end.
files_of() {
  python3 - "$1" <<'END'
import json, pathlib, re, sys

def size(file):
    text = pathlib.Path(file).read_text()
    return sum(pathlib.Path(f).stat().st_size for f in re.findall(r'#include "(/[^"]+)"', text)) or len(text)

made_by_the_build = "/bundle.cpp"
ours = tuple(f"{root}/{part}/" for root in (pathlib.Path.cwd(), pathlib.Path(sys.argv[1]).resolve()) for part in ("src", "apps"))
files = {c["file"] for c in json.load(open(sys.argv[1] + "/compile_commands.json"))}
for file in sorted((f for f in files if f.startswith(ours) and not f.endswith(made_by_the_build)), key=size, reverse=True):
    print(file)
END
}
files=$(files_of build-lint/unity)
xargs -P "$jobs" -n 1 clang-tidy -p build-lint/unity --quiet --checks=-bugprone-suspicious-include \
  <<<"$files" 2> >(grep -v 'warnings generated' >&2)
echo "lint: clean"
