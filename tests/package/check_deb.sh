#!/usr/bin/env bash
# Installs a Debian package of ours into a new Debian root and learns a diagram there: check_deb.sh PACKAGE.deb. Needs root
# and mmdebstrap; the root comes from wherever this machine's apt gets its packages.
set -euo pipefail
deb=$(realpath "$1")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
  [ -s "$file" ] && sources+=("$file")
done
. /etc/os-release
mmdebstrap --quiet --variant=apt "$VERSION_CODENAME" "$root" "${sources[@]}"
cp "$deb" "$root/tmp/beadwork.deb"
start=$(date +%s.%N)
chroot "$root" apt-get update -qq
chroot "$root" apt-get install -y -qq --no-install-recommends /tmp/beadwork.deb >"$root/tmp/install.log" 2>&1 || { cat "$root/tmp/install.log"; exit 1; }
chroot "$root" beadwork datasets make monk-1 -o /tmp/monk.csv
chroot "$root" beadwork fit /tmp/monk.csv --depth 5 -o /tmp/model.json --certificate /tmp/c.txt
end=$(date +%s.%N)
chroot "$root" beadwork doctor
chroot "$root" beadwork binarize /tmp/monk.csv -o /tmp/monk.txt
chroot "$root" beadcheck /tmp/monk.txt /tmp/model.json /tmp/c.txt
chroot "$root" apt-get remove -y -qq beadwork >>"$root/tmp/install.log" 2>&1
[ -z "$(find "$root/usr" -name '*beadwork*')" ] || { echo "files are left behind" >&2; exit 1; }
echo "from the package to a fitted diagram: $(echo "$end - $start" | bc) s"
