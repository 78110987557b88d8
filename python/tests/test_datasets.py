"""fetch_paper, without the network: tests/data has the downloads."""

from __future__ import annotations

import numpy as np
import pytest

import beadwork
from beadwork import _fetch, _tables, datasets


@pytest.fixture
def small(monkeypatch, tmp_path):
    """A manifest with one table, which is in the cache."""
    content = b"0 1 0\n1 0 1\n1 1 1"
    table = {"kind": "paper", "name": "small", "file": "small.txt", "bytes": len(content), "sha256": _fetch.digest(content),
             "address": "http://127.0.0.1:1/small.txt", "source": "a test", "licence": "none"}
    monkeypatch.setattr(_tables, "manifest", lambda path=None: [table])
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "small.txt").write_bytes(content)
    return tmp_path


def test_what_is_returned(small, monkeypatch):
    bunch = datasets.fetch_paper("small", data_home=small, download_if_missing=False)
    np.testing.assert_array_equal(bunch.data, [[1, 0], [0, 1], [1, 1]])
    np.testing.assert_array_equal(bunch.target, [0, 1, 1])
    assert (bunch.feature_names, list(bunch.target_names), bunch.frame) == (["f1", "f2"], ["0", "1"], None)
    assert bunch.DESCR.startswith("small: 3 rows, 2 binary features.")
    X, y = datasets.fetch_paper("small", data_home=str(small), return_X_y=True)
    np.testing.assert_array_equal(X, bunch.data)
    monkeypatch.setenv("BEADWORK_DATA", str(small))
    model = beadwork.BDDClassifier(depth=1).fit(*datasets.fetch_paper("small", return_X_y=True))
    assert model.upper_bound_ == 0


def test_frames(small):
    pandas = pytest.importorskip("pandas")
    bunch = datasets.fetch_paper("small", data_home=small, as_frame=True)
    assert list(bunch.frame.columns) == ["f1", "f2", "class"]
    assert isinstance(bunch.target, pandas.Series)
    X, y = datasets.fetch_paper("small", data_home=small, as_frame=True, return_X_y=True)
    assert (X.shape, y.name) == ((3, 2), "class")


def test_what_cannot_be_had(small):
    with pytest.raises(ValueError, match="no table 'smal'; did you mean 'small'"):
        datasets.fetch_paper("smal")
    with pytest.raises(ValueError, match="expected one of small"):
        datasets.fetch_paper("iris")
    (small / "paper" / "small.txt").write_bytes(b"0 1 1")
    with pytest.raises(OSError, match="is not there, or is not the paper's table"):
        datasets.fetch_paper("small", data_home=small, download_if_missing=False)
    with pytest.raises(OSError, match="'small' could not be had: cannot reach 127.0.0.1:1: Connection refused"):
        datasets.fetch_paper("small", data_home=small, n_retries=0)
    assert (small / "paper" / "small.txt").read_bytes() == b"0 1 1"


def test_the_list_is_in_the_package():
    assert len(datasets.paper_names()) == 15


def test_the_papers_tables(paper_sets, monkeypatch):
    assert datasets.paper_names() == sorted(paper_sets)
    folder = paper_sets["vote"].parents[1]
    X, y = datasets.fetch_paper("vote", data_home=folder, download_if_missing=False, return_X_y=True)
    assert (X.shape, y.sum()) == ((435, 48), np.loadtxt(paper_sets["vote"])[:, 0].sum())
