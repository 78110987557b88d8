#!/usr/bin/env bash
# What the engine needs inside a manylinux image, for cibuildwheel: the versions that Debian 12 has, from their sources.
# CaDiCaL becomes a static library; auditwheel puts the shared ones into the wheel.
set -euo pipefail
work=$(mktemp -d)
fetch() { git clone --quiet --depth 1 --branch "$2" "https://github.com/$1" "$work/$(basename "$1")"; }
cmake_install() {
  cmake -S "$work/$1" -B "$work/$1/build" -DCMAKE_BUILD_TYPE=Release "${@:2}"
  cmake --build "$work/$1/build" -j"$(nproc)" --target install
}
fetch fmtlib/fmt 9.1.0
cmake_install fmt -DFMT_TEST=OFF -DFMT_DOC=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON
fetch nlohmann/json v3.11.2
cmake_install json -DJSON_BuildTests=OFF
fetch oneapi-src/oneTBB v2021.8.0
cmake_install oneTBB -DTBB_TEST=OFF
fetch arminbiere/cadical rel-1.5.3
(cd "$work/cadical" && CXXFLAGS=-fPIC ./configure && make -j"$(nproc)")
install -m 644 "$work/cadical/build/libcadical.a" /usr/local/lib/
install -m 644 "$work"/cadical/src/{cadical.hpp,ccadical.h} /usr/local/include/
