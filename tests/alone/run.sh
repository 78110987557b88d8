#!/usr/bin/env bash
# run.sh BUILD: what a clone does that has nothing beside it. The tree is copied into an empty folder, with the programs of BUILD and
# without any table; there the tests that read tables and the documents that mention them must pass or be skipped, and say how to get
# what they lack. Nothing is compiled.
set -euo pipefail
cd "$(dirname "$0")/../.."
tree=$PWD build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clone=$work/clone
mkdir -p "$clone/build" "$work/home"
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do [ -e "$file" ] && printf '%s\0' "$file"; done |
  tar -c --null -T - | tar -x -C "$clone"

# The build tree: its lists of tests with the paths of the copy, its programs as links.
(cd "$build" && find . \( -name CTestTestfile.cmake -o -name labels.cmake -o -name '*_include*.cmake' -o -name '*_tests*.cmake' \) -not -path './venv*' -not -path './_*' -print0) |
  while IFS= read -r -d '' file; do
    mkdir -p "$clone/build/$(dirname "$file")"
    sed "s|$build|$clone/build|g; s|$tree|$clone|g" "$build/$file" >"$clone/build/$file"
  done
(cd "$build" && find . -maxdepth 2 -type f -executable -not -path './venv*' -not -path './_*' -print0) |
  while IFS= read -r -d '' file; do
    mkdir -p "$clone/build/$(dirname "$file")"
    ln -s "$build/$file" "$clone/build/$file"
  done
[ ! -d "$build/venv" ] || ln -s "$build/venv" "$clone/build/venv"

cd "$clone"
unset BEADWORK_DATA
export HOME=$work/home XDG_CACHE_HOME=$work/home/cache BEADWORK_TIME_LIMIT=none
for kind in paper raw numeric; do
  ! tools/tables.py where "$kind" >/dev/null || { echo "alone: the copy still sees the tables '$kind'"; exit 1; }
done
ctest --test-dir build -L data -j "${JOBS:-$(nproc)}" --output-on-failure
# The unit tests know the tree that they were compiled in, so they are told that there is nothing.
BEADWORK_DATA=$work/nothing ctest --test-dir build -R '^(Datasets|PaperSizes|SearchPaper|SmallestPaper)\.|^(Oodg.PaperSets|Samples.TicTacToeIsUcis)$' \
  --no-tests=error -j "${JOBS:-$(nproc)}" --output-on-failure >"$work/unit" || { cat "$work/unit"; exit 1; }
ran=$(grep -c 'Passed' "$work/unit" || true)
[ "$ran" = 0 ] || { cat "$work/unit"; echo "alone: $ran unit tests found tables"; exit 1; }
tail -n 3 "$work/unit"
# A skipped test names the command that gets what it lacks.
for log in build/Testing/Temporary/LastTest.log; do
  [ "$(grep -c 'make data; docs/data.md' "$log")" -gt 0 ] || { echo "alone: nothing says how to get tables"; exit 1; }
done
mapfile -t documents < <(grep -lE 'studies/|make data' README.md docs/*.md docs/*/*.md)
python3 tests/documents/run.py build "${documents[@]}"
