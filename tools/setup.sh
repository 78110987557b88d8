#!/usr/bin/env bash
# Install what is missing of the named package groups (see packages.txt); do nothing where all is there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
wanted=()
for group in "$@"; do
  while read -r name package command; do
    [ "$name" = "$group" ] || continue
    [ -n "$command" ] && command -v "$command" >/dev/null && continue  # whoever installed it
    wanted+=("$package")
  done < <(grep -v '^#' "$here/packages.txt")
done
missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=()
elif sudo -n true 2>/dev/null || { [ -t 0 ] && command -v sudo >/dev/null; }; then
  as_root=(sudo)
else
  echo "beadwork: needs root or sudo to run: apt-get install ${missing[*]}" >&2
  exit 1
fi
echo "beadwork: installing ${missing[*]}" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}")
"${as_root[@]}" apt-get update >"$log" 2>&1 && "${as_root[@]}" "${install[@]}" >>"$log" 2>&1 || {
  tail -n 20 "$log" >&2
  echo "beadwork: could not install: ${missing[*]}" >&2
  exit 1
}
