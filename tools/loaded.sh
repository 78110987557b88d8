#!/usr/bin/env bash
# All tests of make test, several times, beside processes that keep every core busy: no test may depend on the speed of the machine.
# loaded.sh BUILD [RUNS] [BUSY]: what failed is printed, and a line of each run goes to out/loaded.log.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 runs=${2:-5} busy=${3:-4}
busy_pids=()
trap 'kill "${busy_pids[@]}"' EXIT
for ((i = 0; i < busy; ++i)); do
  (while :; do :; done) &
  busy_pids+=($!)
done
mkdir -p out
failed=0
for ((run = 1; run <= runs; ++run)); do
  start=$SECONDS
  BEADWORK_TIME_LIMIT=none ctest --test-dir "$build" -j "$(nproc)" --output-on-failure -LE nightly >"out/loaded.$run.txt" 2>&1 || failed=1
  grep -E '\*\*\*(Failed|Timeout|Exception)' "out/loaded.$run.txt" || true
  echo "$(date -u +%F) $(git rev-parse --short HEAD) run $run of $runs beside $busy busy processes, $((SECONDS - start)) s:" \
    "$(grep -E 'tests passed' "out/loaded.$run.txt" || echo "ctest did not end")" | tee -a out/loaded.log
done
exit $failed
