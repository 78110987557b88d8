#!/usr/bin/env bash
# Installs a Debian package of ours into a new Debian root and learns a diagram there: check_deb.sh PACKAGE.deb [WHEEL]. With a
# wheel: the same with it, in a root that has Python and none of our libraries. Says how long each took. Needs root and
# mmdebstrap; the root comes from wherever this machine's apt gets its packages.
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
start=$(date +%s%N)
chroot "$root" apt-get update -qq
chroot "$root" apt-get install -y -qq --no-install-recommends /tmp/beadwork.deb >"$root/tmp/install.log" 2>&1 || { cat "$root/tmp/install.log"; exit 1; }
chroot "$root" beadwork datasets make monk-1 -o /tmp/monk.csv
chroot "$root" beadwork fit /tmp/monk.csv --depth 5 -o /tmp/model.json --certificate /tmp/c.txt
end=$(date +%s%N)
chroot "$root" beadwork doctor
chroot "$root" beadwork binarize /tmp/monk.csv -o /tmp/monk.txt
chroot "$root" beadcheck /tmp/monk.txt /tmp/model.json /tmp/c.txt
chroot "$root" apt-get remove -y -qq beadwork >>"$root/tmp/install.log" 2>&1
[ -z "$(find "$root/usr" -name '*beadwork*')" ] || { echo "files are left behind" >&2; exit 1; }
echo "from the package to a fitted diagram: $(((end - start) / 1000000)) ms"
[ $# -gt 1 ] || exit 0
chroot "$root" apt-get install -y -qq --no-install-recommends python3-venv ca-certificates >>"$root/tmp/install.log" 2>&1
chroot "$root" apt-get autoremove -y -qq >>"$root/tmp/install.log" 2>&1
[ -z "$(find "$root/usr/lib" -name 'libfmt*')" ] || { echo "the root has our libraries" >&2; exit 1; }
cp "$2" "$(dirname "$0")/../../tools/wheel_run_packages.txt" "$root/tmp/"
for file in /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do [ ! -s "$file" ] || cp "$file" "$root$file"; done
start=$(date +%s%N)
chroot "$root" python3 -m venv /tmp/venv
chroot "$root" /tmp/venv/bin/pip install --quiet --require-hashes -r /tmp/wheel_run_packages.txt
chroot "$root" /tmp/venv/bin/pip install --quiet --no-index "/tmp/$(basename "$2")"  # it needs no more
chroot "$root" /tmp/venv/bin/python -c "
import beadwork, sklearn.datasets
model = beadwork.BDDClassifier(depth=3).fit(*sklearn.datasets.load_breast_cancer(return_X_y=True))
assert model.optimal_
print(model.claim_)"
end=$(date +%s%N)
echo "from the wheel to a fitted diagram: $(((end - start) / 1000000)) ms"
