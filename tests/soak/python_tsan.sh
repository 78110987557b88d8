#!/usr/bin/env bash
# python_threads.py with the extension under the thread sanitizer, in an interpreter that knows nothing of it. Links the library
# of build-tsan (make tsan) and uses the environment of make python. Arguments go to python_threads.py.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
python=${PYTHON:-$root/build/venv-python/bin/python}
[ -x "$python" ] || { echo "beadwork: make python first, for build/venv-python" >&2; exit 1; }
jobs=${JOBS:-$(nproc)}

[ -f build-tsan/build.ninja ] || cmake --preset tsan
cmake --build build-tsan -j "$jobs" --target beadwork
cmake --preset tsan -B build-python-tsan -DBEADWORK_BUILT="$root/build-tsan" -DBEADWORK_PYTHON=ON -DBEADWORK_APPS=OFF \
  -DBEADWORK_TESTS=OFF -DPython_EXECUTABLE="$python"
cmake --build build-python-tsan -j "$jobs" --target _core
package=build-python-tsan/package
rm -rf "$package"
mkdir -p "$package"
cp -r python/beadwork "$package/"
cp build-python-tsan/python/_core*.so "$package/beadwork/"

# One BLAS thread: numpy's library is not instrumented, and its threads are not what is asked about.
LD_PRELOAD=$(g++ -print-file-name=libtsan.so) TSAN_OPTIONS="exitcode=66" \
  PYTHONPATH=$root/$package OPENBLAS_NUM_THREADS=1 "$python" tests/soak/python_threads.py "$@"
