#!/usr/bin/env bash
# Runs the tests of a tree built with the preset coverage and writes what they reach: tools/coverage.sh BUILD OUT
# Branches are those of the source; the ways out by an exception, which a compiler adds, do not count.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 out=$2
rm -rf "$build/profiles"
mkdir -p "$build/profiles" "$out"
LLVM_PROFILE_FILE=$PWD/$build/profiles/%m-%p.profraw \
  ctest --test-dir "$build" -j "${JOBS:-$(nproc)}" --output-on-failure | tee "$out/ctest.txt" | tail -n 3
find "$build/profiles" -name '*.profraw' >"$build/profiles/list"
llvm-profdata merge -sparse -f "$build/profiles/list" -o "$build/merged.profdata"
programs=("$build/beadwork" -object "$build/beadcheck")
for test in "$build"/tests/test_*; do programs+=(-object "$test"); done
where=(-instr-profile "$build/merged.profdata" "${programs[@]}" src apps)
llvm-cov report "${where[@]}" >"$out/files.txt"
llvm-cov show "${where[@]}" -format html -output-dir "$out" -show-branches=count >/dev/null
head -n 2 "$out/files.txt"
tail -n 1 "$out/files.txt"
echo "by file  $out/files.txt"
echo "by line  $out/index.html"
