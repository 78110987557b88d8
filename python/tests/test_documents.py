"""The tutorial, the gallery, the examples in docstrings and those in documents run; the latter print what is shown."""

from __future__ import annotations

import ast
import doctest
import inspect
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import beadwork
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


ESTIMATORS = [value for value in vars(beadwork).values() if inspect.isclass(value) and hasattr(value, "get_params")]


def value_of(text):
    return None if text == "none" else ast.literal_eval(text)


def test_defaults_in_the_table_are_those_of_the_signature():
    """docs/python.md has every parameter of BDDClassifier, each with its default."""
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    table = re.search(r"### BDDClassifier\n\n\| parameter \| default .*?\n\n", text, re.S).group()
    told = {}
    for row in table.strip().splitlines()[4:]:
        names, defaults = (cell.strip() for cell in row.strip("| ").split(" | ")[:2])
        # a default of code stands in backticks, where commas are its own
        values = [code or plain for code, plain in re.findall(r"`([^`]+)`|([^\s,`]+)", defaults)]
        names = re.findall(r"`(\w+)`", re.sub(r"\(of .*?\)", "", names))
        assert len(names) == len(values), row
        told.update(zip(names, map(value_of, values)))
    of_fit = {"sample_weight": inspect.signature(beadwork.BDDClassifier.fit).parameters["sample_weight"].default}
    known = {name: p.default for name, p in inspect.signature(beadwork.BDDClassifier).parameters.items()}
    assert told == known | of_fit


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: e.__name__)
def test_defaults_in_docstrings_are_those_of_the_signature(estimator):
    known = {name: p.default for name, p in inspect.signature(estimator).parameters.items()}
    for names, defaults in re.findall(r"^(\w+(?:, \w+)*) : .*default=(.*)$", inspect.cleandoc(estimator.__doc__), re.M):
        values = [value_of(text) for text in defaults.split(" and ")]
        names = names.split(", ")
        values *= len(names) if len(values) == 1 else 1
        assert {name: known[name] for name in names} == dict(zip(names, values))


def test_there_are_estimators():
    assert len(ESTIMATORS) >= 6
