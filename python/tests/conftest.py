"""What the tests share: small tables, the command line, the paper's data where it is at hand."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

import beadwork
from beadwork import _tables

ROOT = Path(__file__).resolve().parents[2]
ESTIMATORS = [
    beadwork.BDDClassifier,
    beadwork.MinDepthBDD,
    beadwork.CARTClassifier,
    beadwork.OODGClassifier,
    beadwork.MaxSATTreeClassifier,
]


def lacking(what: str) -> None:
    """Skip, visibly; but fail where all is said to be there, as in tools/python_tests.sh."""
    if os.environ.get("BEADWORK_ALL_THERE"):
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def command() -> str:
    """The command line, for comparison."""
    found = os.environ.get("BEADWORK_BINARY") or shutil.which("beadwork") or str(ROOT / "build" / "beadwork")
    if not Path(found).exists():
        lacking("the command line is not built (BEADWORK_BINARY)")
    return found


@pytest.fixture(scope="session")
def paper_sets() -> dict[str, Path]:
    """The paper's 0/1 tables."""
    found = _tables.find("paper", ROOT.parent / "shared" / "datasets")
    if found is None:
        pytest.skip("needs the tables 'paper' (make data; docs/data.md)")
    return dict(sorted(found.items()))


@pytest.fixture
def bits() -> tuple[np.ndarray, np.ndarray]:
    """Random 0/1 rows with a noisy target."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, size=(120, 9))
    y = (X[:, 0] & X[:, 3] | X[:, 5]) ^ (rng.random(120) < 0.1)
    return X, y


@pytest.fixture(scope="session")
def hard() -> tuple[np.ndarray, np.ndarray]:
    """A search that takes much longer than any test."""
    rng = np.random.default_rng(2)
    return rng.integers(0, 2, size=(300, 150)), rng.integers(0, 2, size=300)
