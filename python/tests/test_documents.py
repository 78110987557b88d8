"""The tutorial, the gallery, the examples in docstrings and those in documents run; the latter print what is shown."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys

import pytest
from conftest import ROOT

import beadwork._classifier

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def test_docstrings():
    assert doctest.testmod(beadwork._classifier).failed == 0


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda p: p.stem)
def test_gallery(script, tmp_path):
    env = {**os.environ, "MPLBACKEND": "Agg"}
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, cwd=tmp_path, env=env)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()


def test_there_are_examples():
    assert len(EXAMPLES) >= 6 or not (ROOT / "examples").exists()


def test_documents(command):
    runner = ROOT / "tests" / "documents" / "run.py"
    if not runner.exists():
        pytest.skip("not a clone: there are no documents")
    build = os.path.dirname(command)
    run = subprocess.run([sys.executable, runner, "--only-python", "--python", sys.executable, build], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_tutorial(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(ROOT / "docs" / "tutorial.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [o for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs]
    assert any("image/svg+xml" in o.get("data", {}) for o in outputs)
