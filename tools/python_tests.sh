#!/usr/bin/env bash
# Builds the wheel (tools/wheel.sh), installs it into clean environments and runs the Python tests there: all of them with the
# newest scikit-learn in build/venv-python, those that depend on scikit-learn with one of two years before in
# build/venv-python-old.
# PYTHON chooses the interpreter, OLD=0 leaves the second run out, JOBS says how many tests run at a time; arguments go to
# pytest.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
jobs=${JOBS:-$(nproc)}
root=$PWD
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1 PIP_NO_COMPILE=1

make_venv() {  # folder, list of packages with hashes; only where the list has changed
  local venv=$1 wanted=$2
  if ! cmp -s "$wanted" "$venv/made-of"; then
    rm -rf "$venv"
    "$python" -m venv "$venv"
    "$venv/bin/pip" install --require-hashes -r "$wanted"
    cp "$wanted" "$venv/made-of"
  fi
}

tools/wheel.sh
tests/package/check_wheel.sh build/wheel/beadwork-*.whl

run_tests() {  # environment, arguments of pytest
  local venv=$1
  shift
  "$venv/bin/pip" install --no-deps --force-reinstall build/wheel/beadwork-*.whl
  (cd build && BEADWORK_ALL_THERE=1 SCIPY_ARRAY_API=1 "$root/$venv/bin/python" -m pytest -q -rs -c "$root/pyproject.toml" --rootdir "$root" \
    -p no:cacheprovider -n "$jobs" "$@")
}

make_venv build/venv-python tools/python_tests_packages.txt
run_tests build/venv-python "$root/python/tests" "$@"
if [ "${OLD:-1}" != 0 ]; then
  make_venv build/venv-python-old tools/python_tests_old_packages.txt
  run_tests build/venv-python-old "$root"/python/tests/test_{scikit_learn,committee,tables,reading,pictures,bad_input}.py "$@"
fi
