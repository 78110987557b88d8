#!/usr/bin/env bash
# Builds the harnesses with clang, coverage and sanitizers in build-fuzz, and runs each: fuzz/run.sh SECONDS [NAME...]
# Starts from the kept corpus (fuzz/corpus/NAME) and from what earlier runs found (build-fuzz/corpus/NAME). An input that breaks
# a harness is left in build-fuzz/findings, and the script fails. MAX_LEN=160 ENTROPIC=0 makes several times as many runs, on
# short inputs.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:?usage: fuzz/run.sh SECONDS [NAME...]}
shift
cmake -B build-fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" -DCMAKE_UNITY_BUILD=ON -DBEADWORK_FUZZ=ON \
  -DBEADWORK_SANITIZE=fuzzer-no-link,address,undefined -DBEADWORK_TESTS=OFF -DBEADWORK_BENCH=OFF >/dev/null
names=("$@")
if [ ${#names[@]} = 0 ]; then
  for harness in fuzz/*_fuzz.cpp; do names+=("$(basename "$harness" _fuzz.cpp)"); done
fi
cmake --build build-fuzz -j "${JOBS:-$(nproc)}" --target "${names[@]/%/_fuzz}"
mkdir -p build-fuzz/findings build-fuzz/logs
failed=0 total=0
for name in "${names[@]}"; do
  mkdir -p "build-fuzz/corpus/$name" "fuzz/corpus/$name"
  log=build-fuzz/logs/$name
  options=(-max_total_time="$seconds" -max_len="${MAX_LEN:-4096}" -entropic="${ENTROPIC:-1}" -timeout=60
    -rss_limit_mb=4096 -print_final_stats=1 -print_funcs=0
    -detect_leaks=0 # at the end only: the check stops the world
    -artifact_prefix="build-fuzz/findings/$name-")
  if [ -e "fuzz/dictionaries/$name.dict" ]; then options+=(-dict="fuzz/dictionaries/$name.dict"); fi
  if "build-fuzz/fuzz/${name}_fuzz" "${options[@]}" "build-fuzz/corpus/$name" "fuzz/corpus/$name" >"$log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    total=$((total + runs))
    echo "$name: $runs runs, nothing found"
  else
    echo "$name: a finding, see $log"
    grep -m1 -E 'does not hold|ERROR|runtime error' "$log" || tail -3 "$log"
    failed=1
  fi
done
echo "$total runs without a finding"
exit $failed
