#!/usr/bin/env bash
# Builds the Python wheel into build/wheel: one file that carries the libraries it needs and runs on every Linux with this
# machine's glibc or a later one (auditwheel names it manylinux_2_NN). Where build/ is a release build, it is brought up to date
# and the wheel links its library instead of compiling it again. PYTHON chooses the interpreter, JOBS how much is compiled at a
# time. Wheels for older systems: tools/manylinux.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
jobs=${JOBS:-$(nproc)}
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1 PIP_NO_COMPILE=1

mkdir -p build
built=
if grep -qs '^CMAKE_BUILD_TYPE:[A-Z]*=Release$' build/CMakeCache.txt; then
  cmake --build build -j "$jobs" --target beadwork beadwork_cli beadcheck
  built=$root/build
  CXX=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' build/CMakeCache.txt)
  export CXX
fi
wanted=tools/wheel_packages.txt
venv=build/venv-wheel
if ! cmp -s "$wanted" "$venv/made-of"; then
  rm -rf "$venv"
  "${PYTHON:-python3}" -m venv "$venv"
  "$venv/bin/pip" install --require-hashes -r "$wanted"
  cp "$wanted" "$venv/made-of"
fi
export PATH=$root/$venv/bin:$PATH
rm -rf build/wheel
pip wheel . --no-deps --no-build-isolation -w build/wheel/plain \
  -C build-dir=build-wheel -C cmake.define.BEADWORK_WERROR=ON -C cmake.define.BEADWORK_BUILT="$built"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
auditwheel repair -w build/wheel build/wheel/plain/beadwork-*.whl >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
rm -r build/wheel/plain
ls build/wheel/beadwork-*.whl
