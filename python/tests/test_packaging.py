"""The source distribution has all that its build needs, and nothing of the rest."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import tarfile

import pytest
from conftest import ROOT


def test_source_distribution(tmp_path):
    pytest.importorskip("scikit_build_core", reason="scikit-build-core is not installed")
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone: there is nothing to compare with")
    build = f"import scikit_build_core.build as b; b.build_sdist({str(tmp_path)!r})"
    assert subprocess.run([sys.executable, "-c", build], cwd=ROOT, capture_output=True).returncode == 0
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    parts = ["src", "cmake", "python/beadwork", "python/src", "web/dist"]
    files = ["LICENSE", "THIRD_PARTY_NOTICES.txt", "README.md", "CHANGELOG.md", "CMakeLists.txt", "pyproject.toml", "python/CMakeLists.txt"]
    listing = subprocess.run(["git", "ls-files", *parts, *files], cwd=ROOT, capture_output=True, text=True)
    expected = set(listing.stdout.split())
    assert len(expected) > 250 and expected <= packed
    assert {name.partition("/")[0] for name in packed - expected} <= {"PKG-INFO", "tools", "src", "python"}


def test_the_licences_of_others_are_installed():
    names = {path.name for path in importlib.metadata.files("beadwork") or ()}
    assert {"LICENSE", "THIRD_PARTY_NOTICES.txt"} <= names
