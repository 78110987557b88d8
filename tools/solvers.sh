#!/usr/bin/env bash
# Other solvers in build/solvers, a program for each name: Kissat, and the MaxSAT solvers of tools/solvers/maxsat.py. They come from
# PyPI, pinned in tools/solvers_packages.txt, into build/venv-solvers. What cannot be had is a line on standard error, and no failure:
# where the packages do not come all together, each is tried by itself.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$PWD/build/venv-solvers
programs=$PWD/build/solvers
rm -rf "$programs"
mkdir -p "$programs"

# The lines of some packages in the list of all.
pins_of() {
  awk -v wanted=" $* " '/^[^ ]/ { split($1, name, "=="); keep = index(wanted, " " name[1] " ") } keep' tools/solvers_packages.txt
}

one_by_one() {
  python3 -m venv "$venv" || return 0
  local packages list
  list=$(mktemp)
  for packages in "python-sat six" hermax passagemath-kissat; do
    # shellcheck disable=SC2086 # several names
    pins_of $packages >"$list"
    "$venv/bin/pip" install --disable-pip-version-check --quiet --no-deps --require-hashes -r "$list" >/dev/null 2>&1 ||
      echo "beadwork: cannot install $packages" >&2
  done
  rm -f "$list"
}

FOR=solvers tools/python_env.sh 2>/dev/null || one_by_one

site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' 2>/dev/null || true)
there() {  # a program and a call that must work
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "$name"
  else
    rm -f "$programs/$name"
    echo "beadwork: no $name here: ${output##*$'\n'}" >&2
  fi
}

if [ -f "$site/sage_wheels/bin/kissat" ]; then
  ln -s "$site/sage_wheels/bin/kissat" "$programs/kissat"
  there kissat "$programs/kissat" --version
else
  echo "beadwork: no kissat here" >&2
fi
for name in $(python3 tools/solvers/maxsat.py --list); do
  printf '#!/bin/sh\nexec "%s" "%s" %s "$@"\n' "$venv/bin/python" "$PWD/tools/solvers/maxsat.py" "$name" >"$programs/$name"
  chmod +x "$programs/$name"
  there "$name" "$venv/bin/python" tools/solvers/maxsat.py --try "$name"
done
if [ -n "$(ls "$programs")" ]; then
  echo "they are in $programs: PATH=$programs:\$PATH makes them known by name"
fi
