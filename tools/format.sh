#!/usr/bin/env bash
# Formats every C++ file as .clang-format says; with --check it only tells which are not.
set -euo pipefail
cd "$(dirname "$0")/.."
how=(-i)
[ "${1:-}" = --check ] && how=(--dry-run --Werror)
git ls-files '*.cpp' '*.hpp' | xargs clang-format "${how[@]}"
