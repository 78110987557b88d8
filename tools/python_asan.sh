#!/usr/bin/env bash
# The Python tests with the extension under the address and undefined-behaviour sanitizers, in an interpreter that knows nothing
# of them. Links the library of build-asan (make asan) and uses the environment of make python. Arguments go to pytest.
# Leaks are not looked for: the interpreter and its libraries keep much until they end (bench/python/leaks.py watches ours).
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
python=$root/build/venv-python/bin/python
[ -x "$python" ] || { echo "beadwork: make python first, for build/venv-python" >&2; exit 1; }
jobs=${JOBS:-$(nproc)}

[ -f build-asan/build.ninja ] || cmake --preset asan
cmake --build build-asan -j "$jobs" --target beadwork
cmake --preset asan -B build-python-asan -DBEADWORK_BUILT="$root/build-asan" -DBEADWORK_PYTHON=ON -DBEADWORK_APPS=OFF \
  -DBEADWORK_TESTS=OFF -DPython_EXECUTABLE="$python"
cmake --build build-python-asan -j "$jobs" --target _core
package=build-python-asan/package
rm -rf "$package"
mkdir -p "$package"
cp -r python/beadwork "$package/"
cp build-python-asan/python/_core*.so "$package/beadwork/"

# The sanitizer's library must come first, and the one that throws exceptions before it looks for it.
preload="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libstdc++.so)"
skipped=()
for part in documents stubs packaging other_programs; do
  skipped+=(--ignore "python/tests/test_$part.py")
done
LD_PRELOAD=$preload ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=$root/$package SCIPY_ARRAY_API=1 \
  "$python" -m pytest -q -rs -p no:cacheprovider -m "not slow" python/tests "${skipped[@]}" "$@"
