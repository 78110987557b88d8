#!/usr/bin/env bash
# Runs the tests of a tree built with the preset coverage and says what they reach: tools/coverage.sh BUILD OUT [CTEST OPTION...]
# Counts all lines and branches of src and apps, also in programs that the tests start or kill: the counters live in a mapped
# file. A branch is one way of a condition in the source. llvm-cov does not count the ways out by an exception, which the compiler
# adds. Nothing is left out by name. Fails below 95 % of lines or 85 % of branches, or if a test fails.
# Not run: faults (the counters make system calls of their own), cpu_kernels and package (they want objects without counters).
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 out=$2
shift 2
rm -rf "$build/profiles"
mkdir -p "$build/profiles" "$out"
passed=true
ctest --test-dir "$build" -j "${JOBS:-$(nproc)}" --output-on-failure -E '^(faults|cpu_kernels|package)$' "$@" |
  tee "$out/ctest.txt" | tail -n 12 || passed=false
llvm-profdata merge -sparse "$build"/profiles/*.profraw -o "$build/merged.profdata"
programs=("$build/beadwork")
for program in "$build/beadcheck" "$build"/tests/{test,beadcheck}_* "$build"/fuzz/*_replay; do
  if [ -f "$program" ] && [ -x "$program" ]; then programs+=(-object "$program"); fi
done
where=(-instr-profile "$build/merged.profdata" "${programs[@]}")
llvm-cov show "${where[@]}" -ignore-filename-regex '^/usr/|/(tests|fuzz|build-coverage/src)/' -format html -output-dir "$out" \
  -show-branches=count >/dev/null 2>&1
echo "line by line  $out/index.html"
echo "not reached   $out/missed.txt"
llvm-cov export "${where[@]}" 2>/dev/null | tools/coverage_table.py . "$out/missed.txt" 95 85 | tee "$out/layers.txt"
$passed
