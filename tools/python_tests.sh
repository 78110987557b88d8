#!/usr/bin/env bash
# Builds the wheel into build/wheel, installs it into clean environments and runs the Python tests there: with the newest
# scikit-learn in build/venv-python, with one of two years before in build/venv-python-old.
# PYTHON chooses the interpreter, OLD=0 leaves the second run out; arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
old_sklearn=1.5.2
root=$PWD

make_venv() {  # folder, packages...; only where the list has changed
  local venv=$1
  shift
  if [ "$(cat "$venv/made-of" 2>/dev/null)" != "$*" ]; then
    rm -rf "$venv"
    "$python" -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "$@"
    echo "$*" >"$venv/made-of"
  fi
}

mkdir -p build
tools=(scikit-build-core nanobind)
command -v ninja >/dev/null || tools+=(ninja)
make_venv build/venv-wheel "${tools[@]}"
rm -f build/wheel/beadwork-*.whl
PATH=$root/build/venv-wheel/bin:$PATH build/venv-wheel/bin/pip wheel --quiet --disable-pip-version-check . \
  --no-deps --no-build-isolation -w build/wheel -C build-dir=build-wheel -C cmake.define.BEADWORK_WERROR=ON
ls build/wheel

tests=(pytest pandas polars matplotlib tqdm)
make_venv build/venv-python scikit-learn "${tests[@]}" nbclient nbformat ipykernel nanobind mypy pandas-stubs scipy-stubs
make_venv build/venv-python-old "scikit-learn==$old_sklearn" "${tests[@]}"
for venv in build/venv-python build/venv-python-old; do
  if [ "$venv" = build/venv-python-old ] && [ "${OLD:-1}" = 0 ]; then continue; fi
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --force-reinstall build/wheel/beadwork-*.whl
  (cd build && SCIPY_ARRAY_API=1 "$root/$venv/bin/python" -m pytest -q -rs -c "$root/pyproject.toml" --rootdir "$root" -p no:cacheprovider \
    "$root/python/tests" "$@")
done
