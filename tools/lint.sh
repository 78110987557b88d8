#!/usr/bin/env bash
# Format, a warning-free clang build, clang-tidy over all sources, and the layer check.
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files '*.cpp' '*.hpp' | xargs clang-format --dry-run --Werror
cmake --preset clang
cmake --build build-clang -j "$(nproc)"
git ls-files 'src/*.cpp' 'apps/*.cpp' | xargs -P "$(nproc)" -n 4 clang-tidy -p build-clang --quiet
python3 tests/layers/check_layers.py src
echo "lint: clean"
