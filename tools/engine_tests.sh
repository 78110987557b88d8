#!/usr/bin/env bash
# fit_table on Spark and Dask, and on a million rows from everywhere: what needs pyspark (300 MB, and Java), in an environment of its
# own, build/venv-engines. Needs a wheel in build/wheel (make python makes one). ROWS says how many rows; arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
FOR=engines tools/python_env.sh
python=$root/build/venv-engines/bin/python
"$python" -m pip install -q --disable-pip-version-check --no-deps --force-reinstall build/wheel/beadwork-*.whl
cd build
BEADWORK_ROWS=${ROWS:-1000000} "$python" -m pytest -q -rs -c "$root/pyproject.toml" --rootdir "$root" -p no:cacheprovider \
  "$root"/python/tests/test_row{_engines,s}.py -k "spark or dask or same_model_from_everywhere" "$@"
