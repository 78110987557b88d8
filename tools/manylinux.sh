#!/usr/bin/env bash
# What the engine needs inside a manylinux image, for cibuildwheel: the versions that Debian 12 has, from their sources, at the
# commits of their releases.
# CaDiCaL becomes a static library; auditwheel puts the shared ones into the wheel.
set -euo pipefail
work=$(mktemp -d)
fetch() {  # repository, commit
  local to
  to=$work/$(basename "$1")
  git init --quiet "$to"
  git -C "$to" fetch --quiet --depth 1 "https://github.com/$1" "$2"
  git -C "$to" checkout --quiet --detach FETCH_HEAD
  [ "$(git -C "$to" rev-parse HEAD)" = "$2" ]
}
cmake_install() {
  cmake -S "$work/$1" -B "$work/$1/build" -DCMAKE_BUILD_TYPE=Release "${@:2}"
  cmake --build "$work/$1/build" -j"$(nproc)" --target install
}
fetch fmtlib/fmt a33701196adfad74917046096bf5a2aa0ab0bb50  # 9.1.0
cmake_install fmt -DFMT_TEST=OFF -DFMT_DOC=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON
fetch nlohmann/json bc889afb4c5bf1c0d8ee29ef35eaaf4c8bef8a5d  # v3.11.2
cmake_install json -DJSON_BuildTests=OFF
fetch arminbiere/cadical a5f15211db36c3956764e18194dd5bd63bf3b5e6  # rel-1.5.3
(cd "$work/cadical" && CXXFLAGS=-fPIC ./configure && make -j"$(nproc)")
install -m 644 "$work/cadical/build/libcadical.a" /usr/local/lib/
install -m 644 "$work"/cadical/src/{cadical.hpp,ccadical.h} /usr/local/include/
