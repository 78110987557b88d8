#!/usr/bin/env bash
# What a change should pass within minutes: format of the files that differ from the last commit or from main, layers, limits of the
# house, the build, and the tests that tests/costs.txt does not call slow. tools/check.sh [JOBS]
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}
base=$(git merge-base HEAD main 2>/dev/null || git rev-parse HEAD)
mapfile -t changed < <({ git diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.hpp'; git ls-files --others --exclude-standard -- '*.cpp' '*.hpp'; } | sort -u)
if [ ${#changed[@]} -gt 0 ] && command -v clang-format >/dev/null; then
  clang-format --dry-run --Werror "${changed[@]}"
elif [ ${#changed[@]} -gt 0 ]; then
  echo "check: there is no clang-format (make lint installs it): format is not checked" >&2
fi
python3 tests/layers/check_layers.py src
python3 tests/layers/check_house.py .
grep -q BEADWORK_TESTS:BOOL=ON build/CMakeCache.txt || cmake --preset release >/dev/null
cmake --build build -j "$jobs"
ctest --test-dir build -j "$jobs" --output-on-failure -LE 'slow|net|web'
