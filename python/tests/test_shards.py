"""fit_table with shards: the model of fit, whatever the shards hold."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from row_tables import INPUTS, ROWS, WEIGHTS, mixed

from beadwork import BDDClassifier

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def without_shards(text: str) -> dict:
    """A model, up to the number of shards in its claim and the seal over it."""
    model = json.loads(text)
    model["claim"]["shards"] = 1
    model.pop("sha256")
    return model


def random_table(rng: np.random.Generator) -> pd.DataFrame:
    """Small, with columns that are constant, equal or opposite in some of the shards."""
    rows = int(rng.integers(2, 120))
    frame = pd.DataFrame({f"b{j}": rng.random(rows) < rng.choice([0.02, 0.3, 0.5, 0.97]) for j in range(int(rng.integers(2, 7)))})
    frame["same"] = frame["b0"] ^ (rng.random(rows) < 0.03)
    frame["n"] = rng.integers(0, 12, rows)
    frame["t"] = rng.choice(["u", "v", "w"], rows)
    frame["w"] = rng.choice([1, 2, 5], rows) if rng.random() < 0.5 else rng.choice([0.5, 0.25, 3.0], rows)
    frame["y"] = np.where(rng.random(rows) < 0.2, rng.integers(0, 3, rows), frame["b0"] + (frame["n"] > 5))
    return frame


@pytest.mark.parametrize("seed", range(40))
def test_random_tables(seed):
    pl = pytest.importorskip("polars")
    pa = pytest.importorskip("pyarrow")
    pytest.importorskip("duckdb")
    rng = np.random.default_rng(seed)
    frame = random_table(rng)
    inputs = [c for c in frame.columns if c not in ("w", "y")]
    weight = "w" if rng.random() < 0.5 else None
    params = {"depth": int(rng.integers(1, 4)), "thresholds": int(rng.integers(2, 6))}
    if rng.random() < 0.3:
        params["class_weight"] = {0: 2, 1: 1, 2: 3}
    whole = BDDClassifier(**params).fit(frame[inputs], frame["y"], frame[weight] if weight else None)
    for source in (frame, pa.Table.from_pandas(frame), pl.from_pandas(frame).lazy()):
        model = BDDClassifier(**params).fit_table(source, "y", weight, columns=inputs, shards=int(rng.integers(2, 6)))
        assert model.optimal_ and "proven from" in model.claim_
        assert without_shards(model.to_json()) == without_shards(whole.to_json())


@pytest.mark.parametrize("weight", WEIGHTS)
def test_the_same_model_from_everywhere(weight, tmp_path):
    pytest.importorskip("duckdb")
    pl = pytest.importorskip("polars")
    frame = mixed(ROWS)
    frame.to_parquet(tmp_path / "t.parquet")
    whole = BDDClassifier(2).fit(frame[INPUTS], frame["y"], None if weight is None else frame[weight])
    assert whole.optimal_
    for source in (tmp_path / "t.parquet", pl.scan_parquet(tmp_path / "t.parquet"), frame):
        model = BDDClassifier(2).fit_table(source, "y", weight, columns=INPUTS, shards=4)
        assert without_shards(model.to_json()) == without_shards(whole.to_json())
        assert model.feature_importances_.tolist() == whole.feature_importances_.tolist()
        assert (model.lower_bound_, model.upper_bound_) == (whole.lower_bound_, whole.upper_bound_)
        assert "proven from 4 shards" in model.claim_


def test_dask_partitions(tmp_path):
    dask = pytest.importorskip("dask.dataframe", reason="dask is not installed (make test-engines)")
    frame = mixed(ROWS)
    whole = BDDClassifier(2).fit(frame[INPUTS], frame["y"])
    source = dask.from_pandas(frame, npartitions=5)
    for shards in (2, 5, 8):  # the last three of eight have no rows
        model = BDDClassifier(2).fit_table(source, "y", columns=INPUTS, shards=shards)
        assert without_shards(model.to_json()) == without_shards(whole.to_json())


def test_spark_rows(tmp_path):
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed (make test-engines)")
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "4").getOrCreate()
    frame = mixed(ROWS)
    frame.to_parquet(tmp_path / "t.parquet")
    whole = BDDClassifier(1).fit(frame[INPUTS], frame["y"])
    model = BDDClassifier(1).fit_table(session.read.parquet(str(tmp_path / "t.parquet")), "y", columns=INPUTS, shards=3)
    assert without_shards(model.to_json()) == without_shards(whole.to_json())
    session.stop()


def test_limits_leave_bounds_that_hold():
    frame = mixed(ROWS)
    best = BDDClassifier(3).fit(frame[INPUTS], frame["y"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = BDDClassifier(3, time_limit=0).fit_table(frame, "y", columns=INPUTS, shards=3)
    assert not model.optimal_ and "not proven" in model.claim_
    assert model.lower_bound_ <= best.upper_bound_ <= model.upper_bound_


@pytest.mark.parametrize(("params", "given", "message"), [
    *(({}, {"shards": n}, f"^shards: expected a whole number from 1 to 1000000, got {n!r}$")
      for n in (0, -1, "two", True, 1.5, 10**6 + 1, 2**70)),
    ({"certificate": True}, {"shards": 2}, "certificate"),
    ({"max_nodes": 5}, {"shards": 2}, "max_nodes"),
    ({"engine": "cart"}, {"shards": 2}, "engine"),
    ({"depth": "1..3"}, {"shards": 2}, "depth"),
], ids=str)  # fmt: skip
def test_what_shards_do_not_have(params, given, message):
    with pytest.raises((ValueError, TypeError), match=message):
        BDDClassifier(**params).fit_table(mixed(100), "y", columns=INPUTS, **given)


def test_errors_of_the_reader_reach_the_caller(monkeypatch):
    from beadwork._rows_parts import PartRows

    calls = []
    real = PartRows.groups

    def groups(self, cuts, labelled, shard=None):
        calls.append(shard)
        if len(calls) == 3:
            raise OSError("the disk is gone")
        return real(self, cuts, labelled, shard)

    monkeypatch.setattr(PartRows, "groups", groups)
    with pytest.raises(OSError, match="the disk is gone"):
        BDDClassifier(2).fit_table(mixed(200), "y", columns=INPUTS, shards=3)
    assert len(calls) == 3


def test_a_table_that_changes_is_refused(monkeypatch):
    from beadwork._rows_parts import PartRows

    real = PartRows.groups
    calls = []

    def groups(self, cuts, labelled, shard=None):
        calls.append(shard)
        if len(calls) == 5:  # of the second pass
            self._frame = self._frame.iloc[:-4]
        return real(self, cuts, labelled, shard)

    monkeypatch.setattr(PartRows, "groups", groups)
    with pytest.raises(ValueError, match="changed while it was read"):
        BDDClassifier(2).fit_table(mixed(200), "y", columns=INPUTS, shards=4)
