#!/usr/bin/env bash
# Installs a build into a temporary prefix, then builds and runs a separate project that finds it there.
#   check_package.sh BUILD_DIR COMPILER SANITIZERS
set -euo pipefail
build=$1
compiler=$2
sanitizers=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=()
if [ -n "$sanitizers" ]; then
  flags=("-DCMAKE_CXX_FLAGS=-fsanitize=$sanitizers -fno-sanitize-recover=all")
fi
cmake --install "$build" --prefix "$work/prefix" > "$work/install.log"
cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF "${flags[@]}" > "$work/configure.log" || { cat "$work/configure.log"; exit 1; }
cmake --build "$work/build" > "$work/build.log" || { cat "$work/build.log"; exit 1; }
"$work/build/learn_one" > "$work/diagram.txt"
grep -q 'a0?' "$work/diagram.txt"
# The program that the README shows.
example=$here/../../examples/cpp
sed -n '/^```cpp$/,/^```$/p' "$here/../../README.md" | sed '1d;$d' | diff - "$example/first_diagram.cpp"
cmake -S "$example" -B "$work/example" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF "${flags[@]}" > "$work/configure.log" || { cat "$work/configure.log"; exit 1; }
cmake --build "$work/example" > "$work/build.log" || { cat "$work/build.log"; exit 1; }
"$work/prefix/bin/beadwork" datasets make monk-1 -o "$work/monk.csv"
"$work/example/first_diagram" "$work/monk.csv" > "$work/first.txt"
grep -q '^optimal' "$work/first.txt"
grep -q '^first row: ' "$work/first.txt"
! "$work/example/first_diagram" "$work/none.csv" 2> "$work/error.txt"
[ "$(wc -l < "$work/error.txt")" = 1 ]
"$work/prefix/bin/beadwork" --version
"$work/prefix/bin/beadwork" doctor
for file in man/man1/beadwork.1 bash-completion/completions/beadwork; do test -s "$work/prefix/share/$file"; done
bash -n "$work/prefix/share/bash-completion/completions/beadwork"
if [ -z "$sanitizers" ] && command -v pkg-config > "$work/found"; then
  PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name beadwork.pc)")
  export PKG_CONFIG_PATH
  read -ra words <<< "$(pkg-config --cflags --libs beadwork)"
  "$compiler" -std=c++20 "$example/first_diagram.cpp" "${words[@]}" -o "$work/by_pkg_config"
  "$work/by_pkg_config" "$work/monk.csv" | diff - "$work/first.txt"
fi
for name in LICENSE THIRD_PARTY_NOTICES.txt; do test -s "$work/prefix/share/doc/beadwork/$name"; done
if grep -rIl --include='*.cmake' -e "$build" "$work/prefix"; then
  echo "installed files name the build folder" >&2
  exit 1
fi
