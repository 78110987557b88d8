#!/usr/bin/env python3
"""Fails where something that tests or recipes fetch is not pinned by its content.

usage: check_pins.py ROOT | --selftest

  - each list of packages (*packages.in) has been pinned (tools/pin.sh): the .txt beside it names all of its packages, each with a
    version and the hash of every file
  - scripts install from such lists, with --require-hashes, or what they have just built, with --no-deps or --no-index
  - what comes by git comes at a commit, and an image by its digest
  - no list says where a package is fetched from
"""
import pathlib
import re
import sys
import tempfile

PACKAGE = re.compile(r"^([A-Za-z0-9][\w.-]*)(?:\[[\w,-]*\])?")
PINNED = re.compile(r"^[A-Za-z0-9][\w.-]*(\[[\w,-]*\])?==[^ ;]+( ;[^\\]*)?( --hash=sha256:[0-9a-f]{64})+$")
INSTALL = re.compile(r"\bpip3?\"? install\b.*")
IMAGE = re.compile(r'^[\w-]*image\s*=\s*"([^"]+)"', re.M)


def entries(text):
    joined = text.replace("\\\n", " ")
    return [" ".join(line.split()) for line in joined.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def plain(name):
    return re.sub(r"[-_.]+", "-", PACKAGE.match(name)[1]).lower()


def faults(root):
    lists = sorted([*root.glob("tools/*packages.in"), *root.glob("tests/**/*packages.in")])
    for wanted in lists:
        name = wanted.relative_to(root)
        pinned = wanted.with_suffix(".txt")
        if not pinned.exists():
            yield f"{name}: not pinned; run tools/pin.sh {name}"
            continue
        lines = entries(pinned.read_text())
        for line in lines:
            if not PINNED.match(line):
                yield f"{pinned.relative_to(root)}: not a package with its hashes: {line[:60]}"
        there = {(plain(line), (re.search(r"==([^ ;]+)", line) or [None, None])[1]) for line in lines if PACKAGE.match(line)}
        for line in entries(wanted.read_text()):
            version = re.search(r"==(\S+)", line)
            if not any(package == plain(line) and (not version or version[1] == v) for package, v in there):
                yield f"{name}: {line} is not in {pinned.name}; run tools/pin.sh {name}"
    for script in sorted([*root.glob("tools/*.sh"), *root.glob("tests/**/*.sh"), *root.glob("bench/*.sh")]):
        text = script.read_text().replace("\\\n", " ")
        for line in INSTALL.findall(text):
            if not re.search(r"--require-hashes|--no-deps|--no-index", line) and not line.startswith("pip install uv)"):
                yield f"{script.relative_to(root)}: {line[:60]}: from no list with hashes"
        if re.search(r"git clone", text) or (re.search(r"git\b.*\bfetch\b", text) and not re.search(r"\b[0-9a-f]{40}\b", text)):
            yield f"{script.relative_to(root)}: what comes by git comes at no commit"
    project = root / "pyproject.toml"
    for image in IMAGE.findall(project.read_text() if project.exists() else ""):
        if "@sha256:" not in image:
            yield f"pyproject.toml: image {image} without a digest"


def selftest():
    good = "a==1 \\\n    --hash=sha256:" + "0" * 64 + "\nb==2 ; python_version < '3.12' \\\n    --hash=sha256:" + "1" * 64 + "\n"
    cases = [({"tools/x_packages.in": "a\nB==2\n", "tools/x_packages.txt": good}, 0),
             ({"tools/x_packages.in": "a\n"}, 1),
             ({"tools/x_packages.in": "a\nc\n", "tools/x_packages.txt": good}, 1),
             ({"tools/x_packages.in": "a==3\n", "tools/x_packages.txt": good}, 1),
             ({"tests/y/packages.in": "a\n", "tests/y/packages.txt": good + "c==1\n"}, 1),
             ({"tests/y/packages.in": "a\n", "tests/y/packages.txt": "--index-url http://x\n" + good}, 1),
             ({"tools/x.sh": 'pip install -q --require-hashes -r l\n"$v/bin/pip" install --no-deps x.whl\n'}, 0),
             ({"tools/x.sh": "pip install numpy==1\n"}, 1), ({"tests/a/b.sh": 'venv/bin/pip install \\\n  "$wheel"\n'}, 1),
             ({"tools/x.sh": "git clone --depth 1 --branch v1 u\n"}, 1), ({"tools/x.sh": "git fetch u " + "a" * 40 + "\n"}, 0),
             ({"tools/x.sh": "git fetch u v1\n"}, 1),
             ({"pyproject.toml": 'a-image = "x"\n'}, 1), ({"pyproject.toml": 'a-image = "x@sha256:0"\n'}, 0)]
    for files, count in cases:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            found = list(faults(pathlib.Path(folder)))
            assert len(found) == count, (files, found)


if __name__ == "__main__":
    if sys.argv[1] == "--selftest":
        selftest()
        sys.exit()
    found = list(faults(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "all is pinned")
    sys.exit(1 if found else 0)
