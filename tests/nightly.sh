#!/usr/bin/env bash
# What takes hours: the slow tests with many repeats, a million claims for the checker, every fault, 50,000 tables against the brute force, 1,000 in shards, 2,000 in other orders, 10,000 certificates, 50,000 spoiled files, 2,000 kills, ten minutes for each fuzzing harness.
# Every command on tables that take long, with limits and signals.
# tests/nightly.sh [PART...] with parts repeats, checker, faults, oracle, shards, order, solver, mutations, soak, limits, clusters, fuzz, frames, threads, exports, typed, engines, doors; all of them by default. Needs build/, and
# frames, threads and doors build/venv-python (make python). JOBS says how many faults are tried at a time.
set -uo pipefail
cd "$(dirname "$0")/.."
beadwork=build/beadwork
paper=$(python3 tools/tables.py where paper) || echo "$paper"
failed=()

part() {  # name, command...
  local name=$1
  shift
  echo "== $name: $*"
  "$@" || failed+=("$name")
}

for name in "${@:-repeats checker faults oracle shards order solver mutations soak limits clusters fuzz frames threads exports typed engines doors}"; do
  for each in $name; do
    case $each in
      repeats) part repeats env BEADWORK_NIGHTLY=1 ctest --test-dir build -j "${JOBS:-$(nproc)}" --output-on-failure -L 'slow|fast' -LE 'web|net' ;;
      checker)
        part claims build/tests/beadcheck_claims 1000000
        part "cut claims" build/tests/beadcheck_cut_claims 200000
        part mutations build/tests/beadcheck_mutations fuzz/corpus/beadcheck 1000000
        ;;
      faults)
        library=$(find build/tests/faults -name '*beadwork_fail*.so' | head -1)
        faults=(python3 tests/faults/faults.py "$beadwork" "$library" --host build/tests/faults/beadwork_host --jobs "${JOBS:-$(nproc)}")
        part faults "${faults[@]}"
        part "faults that last" "${faults[@]}" --sticky --stride 7
        ;;
      oracle)
        part oracle python3 tests/oracle/sweep.py "$beadwork" --tables 50000 --seed 1000000
        part certificates python3 tests/oracle/certify.py "$beadwork" build/beadcheck --tables 10000 --seed 1000000
        ;;
      shards) part shards python3 tests/shards/sweep.py "$beadwork" --tables 1000 --seed 1000000 ;;
      order)
        part order python3 tests/messy/permute.py "$beadwork" --tables 2000 --seed 1000000
        part messy python3 tests/messy/messy.py "$beadwork" --tables 1000 --least 950 --seed 1000000
        ;;
      solver)
        part "formulas beside RC2" env FOR=solvers tools/python_env.sh tests/solver/compare.py "$beadwork" --rc2 --wcnf 1000 --opb 1000 --seed 1000000
        part "set-up of other solvers" make solvers
        part "other solvers" python3 tests/solver/others.py "$beadwork" build/solvers --wcnf 50 --tables 8 --stops 12 --seed 1000000
        ;;
      mutations)
        part "mutations selftest" python3 tests/soak/mutations.py "$beadwork" --selftest
        part "spoiled files" python3 tests/soak/mutations.py "$beadwork" --cases 50000 --seed 1000000 --jobs "${JOBS:-$(nproc)}"
        ;;
      soak)
        part soak python3 tests/soak/kill_and_resume.py "$beadwork" "$paper/splice-1.txt"
        part parts python3 tests/soak/kill_parts.py "$beadwork"
        ;;
      limits) part limits python3 tests/limits/matrix.py "$beadwork" ;;
      clusters) part clusters make test-clusters ;;
      fuzz) part fuzz fuzz/run.sh 600 ;;
      exports) part exports tests/exports/all_rows.sh "$beadwork" ;;
      typed) part typed tools/python_env.sh tests/exports/test_typed.py --tables "${TABLES:-20000}" --seed 1000000 --c-every 20 ;;
      threads) part threads tests/soak/python_tsan.sh ;;
      engines) part engines tools/engine_tests.sh ;;
      frames) part frames build/venv-python/bin/python fuzz/frame_fuzz.py --seconds 600 ;;
      doors) part doors python3 tests/doors/doors.py "$beadwork" --library build/tests/by_library --python build/venv-python/bin/python --jobs 2000 --seed 1000000 ;;
      *) echo "there is no part '$each'" && failed+=("$each") ;;
    esac
  done
done
[ ${#failed[@]} = 0 ] || { printf 'failed: %s\n' "${failed[@]}"; exit 1; }
