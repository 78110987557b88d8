#!/usr/bin/env bash
# Where a library is missing, configuring fails and says what to install: check_missing.sh SOURCE COMPILER
set -euo pipefail
source=$1 compiler=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for missing in CMAKE_DISABLE_FIND_PACKAGE_fmt=ON CMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON CADICAL_LIBRARY=; do
  ! cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" "-D$missing" >"$work/log" 2>&1
  grep -q '^ *apt install g++ cmake .*libfmt-dev .*libcadical-dev' "$work/log" || { cat "$work/log"; exit 1; }
done
mkdir "$work/bin"
for tool in cmake ninja; do ln -s "$(command -v "$tool")" "$work/bin/"; done
! env -u CXX PATH="$work/bin" cmake -S "$source" -B "$work/bare" -G Ninja >"$work/log" 2>&1
grep -q 'a C++ compiler was not found' "$work/log" || { cat "$work/log"; exit 1; }
