#!/usr/bin/env bash
# From a wheel of ours to a fitted diagram in a new environment with nothing but what the wheel asks for: check_wheel.sh WHEEL.
# Says how long that took, and fails where the licence of something inside is missing.
set -euo pipefail
wheel=$(realpath "$1")
wanted=$(realpath "$(dirname "$0")/../../tools/wheel_run_packages.txt")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1 PIP_NO_COMPILE=1
cd "$work"
start=$(date +%s%N)
"${PYTHON:-python3}" -m venv venv
venv/bin/pip install --require-hashes -r "$wanted"
venv/bin/pip install --no-index "$wheel"  # it needs no more
venv/bin/python - <<'END'
import beadwork, sklearn.datasets
X, y = sklearn.datasets.load_breast_cancer(return_X_y=True, as_frame=False)
model = beadwork.BDDClassifier(depth=3).fit(X, y)
assert model.optimal_, model.claim_
print(model.claim_)
END
took=$((($(date +%s%N) - start) / 1000000))
venv/bin/python - <<'END'
import importlib.metadata, re
files = importlib.metadata.files("beadwork")
notices = next(f for f in files if f.name == "THIRD_PARTY_NOTICES.txt").read_text()
assert any(f.name == "LICENSE" for f in files)
names = {"fmt": "{fmt}", "z": "zlib", "zstd": "Zstandard"}  # what the file calls them
for f in files:
    library = re.match(r"lib([a-z]+)", f.name) if "beadwork.libs" in str(f) else None
    assert not library or re.search("^" + re.escape(names[library[1]]) + " ", notices, re.M), f
END
echo "from the wheel to a fitted diagram: $((took / 1000)).$(printf %03d $((took % 1000))) s"
