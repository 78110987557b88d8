#!/usr/bin/env bash
# One search on other people's machinery: Slurm, MPI, Dask, Ray. Builds beadwork with MPI in build/, the wheel in
# build/wheel and an environment in build/venv-clusters, then runs the tests of this folder. Arguments name some of them:
# tests/clusters/run.sh slurm mpi workers
set -euo pipefail
cd "$(dirname "$0")/../.."
tests=("$@")
[ ${#tests[@]} -gt 0 ] || tests=(slurm mpi workers)
jobs=${JOBS:-$(nproc)}
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1 PIP_NO_COMPILE=1

mpi=OFF
command -v mpirun >/dev/null && mpi=ON
cmake --preset release -DBEADWORK_MPI=$mpi >/dev/null
targets=(beadwork_cli beadcheck)
[ $mpi = OFF ] || targets+=(beadwork_mpi)
cmake --build build -j "$jobs" --target "${targets[@]}"
export BEADWORK_BINARY=$PWD/build/beadwork

failed=()
for name in "${tests[@]}"; do
  python=python3
  if [ "$name" = workers ]; then
    venv=build/venv-clusters
    if ! cmp -s tests/clusters/packages.txt $venv/made-of; then
      rm -rf $venv
      python3 -m venv $venv
      $venv/bin/pip install --require-hashes -r tests/clusters/packages.txt
      cp tests/clusters/packages.txt $venv/made-of
    fi
    rm -f build/wheel-clusters/beadwork-*.whl
    CXX=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' build/CMakeCache.txt) PATH=$PWD/$venv/bin:$PATH $venv/bin/pip wheel . \
      --no-deps --no-build-isolation -w build/wheel-clusters -C build-dir=build-wheel -C cmake.define.BEADWORK_BUILT="$PWD/build"
    $venv/bin/pip install --no-deps --force-reinstall build/wheel-clusters/beadwork-*.whl
    python=$venv/bin/python
  fi
  $python "tests/clusters/test_$name.py" || failed+=("$name")
done
[ ${#failed[@]} -eq 0 ] || { echo "failed: ${failed[*]}" >&2; exit 1; }
