#!/usr/bin/env bash
# Runs the tests of a tree built with the preset coverage and says what they reach: tools/coverage.sh BUILD OUT [CTEST OPTION...]
# Counted are all lines and branches of src and apps, those of programs that the tests start or kill among them: the counters
# live in a mapped file. A branch is one of the source; the ways out by an exception, which a compiler adds, are none for
# llvm-cov. Nothing is left out by name. Fails below 95 % of lines or 85 % of branches.
# Not run: faults (the counters are calls of the system, too), cpu_kernels and package (they are about objects without counters).
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 out=$2
shift 2
rm -rf "$build/profiles"
mkdir -p "$build/profiles" "$out"
ctest --test-dir "$build" -j "${JOBS:-$(nproc)}" --output-on-failure -E '^(faults|cpu_kernels|package)$' "$@" |
  tee "$out/ctest.txt" | tail -n 12
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
