"""The stubs are those of the extension, and the package type-checks."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import beadwork

PACKAGE = Path(beadwork.__file__).parent


def test_stubs_are_up_to_date(tmp_path):
    pytest.importorskip("nanobind")
    out = tmp_path / "_core.pyi"
    run = [sys.executable, "-m", "nanobind.stubgen", "-m", "beadwork._core", "-o", str(out)]
    assert subprocess.run(run, capture_output=True, text=True).returncode == 0
    assert out.read_text() == (PACKAGE / "_core.pyi").read_text(), "run tools/python_stubs.sh"


def test_marked_as_typed():
    assert (PACKAGE / "py.typed").exists()


def test_syntax_of_python_3_10():
    sources = [*PACKAGE.glob("*.py"), *(ROOT / "examples").glob("*.py")]
    assert len(sources) > 20
    for path in sources:
        ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 10))


@pytest.mark.slow
def test_types(tmp_path):
    pytest.importorskip("mypy")
    shutil.copytree(PACKAGE, tmp_path / "beadwork")
    run = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "beadwork"]
    done = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
