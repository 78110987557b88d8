"""fit_table: the same model as fit, wherever the rows are; and one clear line where they cannot be read.

A model file has the hash of all its training rows, so that models of depth 1 that are the same have seen the same rows.
"""

from __future__ import annotations

import datetime as dt
import shutil
import warnings

import numpy as np
import pandas as pd
import pytest
from row_tables import INPUTS, ROWS, WEIGHTS, mixed, odd_columns

from beadwork import BDDClassifier
from beadwork._fit_table import TableBuilder, read_rows
from beadwork._sources import open_rows

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")
pq = pytest.importorskip("pyarrow.parquet")
ds = pytest.importorskip("pyarrow.dataset")

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.fixture(scope="module")
def frame():
    return mixed(ROWS)


@pytest.fixture(scope="module")
def path(frame, tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    file = folder / "it's.parquet"
    frame.to_parquet(file, row_group_size=1000)
    return file


class Stream:
    """Nothing but the Arrow C stream interface."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.to_reader(700).__arrow_c_stream__(requested_schema)


def sources(frame, path):
    table = pq.read_table(path)
    quoted = str(path).replace("'", "''")
    return {
        "Parquet": path,
        "pattern": str(path.parent / "*.parquet"),
        "folder": path.parent,
        "query": f"SELECT * FROM '{quoted}'",
        "relation": duckdb.sql(f"SELECT * FROM '{quoted}'"),
        "Arrow table": table,
        "Arrow dataset": ds.dataset(path),
        "Arrow reader": table.to_reader(500),
        "Arrow stream": Stream(table),
        "Polars": pl.read_parquet(path),
        "lazy Polars": pl.scan_parquet(path),
        "pandas": frame,
    }


def in_memory(frame, weight, **params):
    sample = None if weight is None else frame[weight]
    return BDDClassifier(1, time_limit=None, **params).fit(frame[INPUTS], frame["y"], sample).to_json()


@pytest.mark.parametrize("weight", WEIGHTS)
def test_the_same_model_from_everywhere(frame, path, weight):
    expected = in_memory(frame, weight)
    for name, source in sources(frame, path).items():
        model = BDDClassifier(1, time_limit=None).fit_table(source, "y", weight, columns=INPUTS)
        assert model.to_json() == expected, name


@pytest.mark.parametrize("weight", [None, "whole", "chance"])
@pytest.mark.parametrize("params", [
    {"class_weight": "balanced"},
    {"class_weight": {"p": 2.0, "it's\\": 1 / 3, "r": 0}},
    {"class_weight": {"p": 2.5, "it's\\": 1, "r": 1}},
    {"thresholds": "mdlp"},
    {"thresholds": 3, "reading": {"max_categories": 5, "keep_columns": ["name"], "missing": ["4 kg", "d"]}},
    {"reading": {"ordered": {"yes": ["NO", "No", "Yes", "yes"], "flag": [1, 0]}}},
], ids=str)
def test_the_same_model_with_parameters(frame, path, params, weight):
    expected = in_memory(frame, weight, **params)
    for source in (path, pl.scan_parquet(path), frame):
        assert BDDClassifier(1, time_limit=None, **params).fit_table(source, "y", weight, columns=INPUTS).to_json() == expected


@pytest.mark.parametrize("name", list(odd_columns(1)))
def test_odd_columns(name, tmp_path):
    rng = np.random.default_rng(4)
    column = odd_columns(300)[name]
    table = pa.table({name: column, "f": pa.array(rng.integers(0, 2, 300)), "y": pa.array(rng.choice(["no", "yes"], 300))})
    pq.write_table(table, tmp_path / "t.parquet")
    y = table["y"].to_pandas()
    expected = BDDClassifier(2).fit(table.drop(["y"]), y).to_json()
    found = {"Arrow": table, "lazy Polars": pl.scan_parquet(tmp_path / "t.parquet"), "pandas": table.to_pandas()}
    if name != "dictionary":  # text, to Parquet
        found["Parquet"] = tmp_path / "t.parquet"
    for kind, source in found.items():
        ours = BDDClassifier(2).fit_table(source, "y").to_json()
        theirs = BDDClassifier(2).fit(source.drop(columns="y"), y).to_json() if kind == "pandas" else expected
        assert ours == theirs, kind


@pytest.mark.parametrize("classes", [[False, True], [3, -1, 2], [1.0, 2.0, 0.5 + 0.5], ["b", "a", "ß"]], ids=str)
def test_classes_of_every_kind(classes):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"x": rng.integers(0, 40, 300), "y": np.array(classes)[rng.integers(0, len(classes), 300)]})
    expected = BDDClassifier(2).fit(frame[["x"]], frame["y"])
    for source in (frame, pa.Table.from_pandas(frame), pl.from_pandas(frame)):
        for weights in (None, "balanced"):
            model = BDDClassifier(2, class_weight=weights).fit_table(source, "y")
            assert model.classes_.tolist() == expected.classes_.tolist()
            whole = BDDClassifier(2, class_weight=weights).fit(frame[["x"]], frame["y"])
            assert model.to_json() == whole.to_json() and (model.predict(frame[["x"]]) == whole.predict(frame[["x"]])).all()


def test_categories_keep_their_order():
    sizes = pd.Categorical(["small", "large", "medium", None] * 50, ["small", "medium", "large"], ordered=True)
    frame = pd.DataFrame({"size": sizes, "y": [0, 1, 0, 1] * 50})
    expected = BDDClassifier(1).fit(frame[["size"]], frame["y"]).to_json()
    enum = pl.from_pandas(frame).with_columns(pl.col("size").cast(pl.Enum(["small", "medium", "large"])))
    for source in (frame, pa.Table.from_pandas(frame), enum):
        assert BDDClassifier(1).fit_table(source, "y").to_json() == expected
    with pytest.raises(ValueError, match="column 'size': ordered categories need an Arrow table"):
        BDDClassifier(1).fit_table(pa.Table.from_pandas(frame).to_reader(), "y")


@pytest.mark.parametrize("seed", range(12))
def test_random_tables(seed):
    """Few rows: ties between thresholds, categories and spellings."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(2, 60))
    frame = pd.DataFrame({
        "a": rng.integers(0, int(rng.integers(1, 30)), rows),
        "b": np.where(rng.random(rows) < 0.3, np.nan, rng.integers(0, 9, rows) / 8),
        "c": rng.choice(["1 kg", "2 g", "x", "y", "3", "-", "n/a", "N/A"], rows),
        "d": rng.choice(["Y", "yes", "n", "NO"], rows),
        "w": rng.choice([0.5, 1 / 3, 2.0], rows),
        "y": rng.integers(0, 3, rows),
    })  # fmt: skip
    order = rng.permutation(rows)
    for weight in (None, "w"):
        expected = BDDClassifier(3, thresholds=4).fit(frame[list("abcd")], frame["y"], frame[weight] if weight else None)
        for source in (frame, frame.iloc[order], pa.Table.from_pandas(frame), pl.from_pandas(frame)):
            model = BDDClassifier(3, thresholds=4).fit_table(source, "y", weight, columns=list("abcd"))
            assert model.to_json() == expected.to_json()


def test_warnings_are_those_of_fit(frame, path):
    def told(work):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            work()
        return sorted(str(w.message) for w in caught if "left out" in str(w.message))

    ours = told(lambda: BDDClassifier(1).fit_table(path, "y", columns=INPUTS))
    assert ours == told(lambda: BDDClassifier(1).fit(frame[INPUTS], frame["y"])) and len(ours) == 1


def test_thresholds_of_some_rows(frame, path):
    exact = BDDClassifier(2).fit_table(path, "y", columns=["x", "count"])
    for source in (path, pl.scan_parquet(path), frame):
        rough = BDDClassifier(2).fit_table(source, "y", columns=["x", "count"], approximate=ROWS // 4)
        assert rough.status_ == "optimal" and rough.n_binary_features_ == exact.n_binary_features_
        again = BDDClassifier(2).fit_table(source, "y", columns=["x", "count"], approximate=10 * ROWS)
        assert again.to_json() == exact.to_json()


def test_all_thresholds_of_flags_and_texts(frame, path):
    columns = ["bit", "word"]
    expected = BDDClassifier(2, thresholds="all").fit(frame[columns], frame["y"]).to_json()
    assert BDDClassifier(2, thresholds="all").fit_table(path, "y", columns=columns).to_json() == expected


@pytest.mark.parametrize(("params", "message"), [
    ({"depth": "cv"}, "depth: fit_table merges equal rows"),
    ({"size": "auto"}, "size: fit_table merges equal rows"),
    ({"thresholds": "all"}, 'thresholds="all" sorts the columns'),
    ({"engine": "nobody"}, "engine: unknown engine"),
    ({"reading": {"ordered": {"nobody": ["a", "b"]}}}, "no column 'nobody' holds texts"),
], ids=str)  # fmt: skip
def test_parameters_that_need_every_row(path, params, message):
    with pytest.raises(ValueError, match=message):
        BDDClassifier(**params).fit_table(path, "y", columns=INPUTS)


@pytest.mark.parametrize(("query", "given", "message"), [
    ("i AS x", {"target": "nobody"}, "target: the table has no column 'nobody'; its columns are 'x', 'y'"),
    ("i AS x", {"weight": "nobody"}, "weight: the table has no column 'nobody'"),
    ("i AS x", {"columns": ["nobody"]}, "columns: the table has no column 'nobody'"),
    ("i AS x", {"columns": []}, "no columns to learn from"),
    ("i AS x", {"approximate": 0}, "approximate: expected a number of rows"),
    ("[i] AS x", {}, "column 'x': dtype .* is not supported"),
    ("'inf'::DOUBLE AS x", {}, "column 'x': .*infinity"),
    ("1 AS x, -i AS w", {"weight": "w"}, "weight: some weights are negative"),
    ("1 AS x, 0 AS w", {"weight": "w"}, "weight: all weights are zero"),
    ("1 AS x, NULL::INT AS w", {"weight": "w"}, "weight: some rows have none"),
    ("1 AS x, 'inf'::DOUBLE AS w", {"weight": "w"}, "weight: infinity"),
    ("1 AS x, 'a' AS w", {"weight": "w"}, "weight: column 'w' does not hold numbers"),
    ("1 AS x, CASE WHEN i > 3 THEN 1 END AS c", {"target": "c"}, r"4 row\(s\) have no class in column 'c'"),
    ("1 AS x, i / 3 AS c", {"target": "c"}, "continuous"),
    ("1 AS x, DATE '2020-01-01' AS c", {"target": "c"}, "target: column 'c' holds neither texts nor numbers"),
    ("no_such_function(i) AS x", {}, "no_such_function"),
    ("random() AS x, (random() * 9)::INT AS c", {"target": "c"}, "the table changed while it was read"),
], ids=str)  # fmt: skip
def test_tables_that_are_refused(query, given, message):
    with pytest.raises(ValueError, match=message) as caught:
        BDDClassifier(1).fit_table(f"SELECT {query}, i % 2 AS y FROM range(10) AS r(i)", **{"target": "y", **given})
    assert "\n" not in str(caught.value)


def test_sources_that_are_none(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing.parquet"):
        BDDClassifier().fit_table(tmp_path / "nothing.parquet", "y")
    with pytest.raises(FileNotFoundError, match="no such file"):
        BDDClassifier().fit_table(str(tmp_path / "*.parquet"), "y")
    with pytest.raises(TypeError, match="fit_table cannot read a list"):
        BDDClassifier().fit_table([1, 2], "y")
    with pytest.raises(ValueError, match="the table has no rows"):
        BDDClassifier().fit_table(pa.table({"x": pa.array([], pa.int64()), "y": pa.array([], pa.int64())}), "y")
    with pytest.raises(ValueError, match="two columns are named 'a'"):
        BDDClassifier().fit_table(pa.table([[1], [2], [0]], names=["a", "a", "y"]), "y")
    with pytest.raises(ValueError, match="takes two columns for one"):
        BDDClassifier().fit_table(pa.table([[1], [2], [0]], names=["a", "A", "y"]), "y")


@pytest.mark.parametrize("query", [
    "SELECT i % 3 AS x, i % 2 AS y FROM range(10) AS r(i) -- the end",
    "SELECT i % 3 AS x, i % 2 AS y FROM range(10) AS r(i); -- the end",
    "SELECT i % 3 AS x, i % 2 AS y FROM range(10) AS r(i) /* one */ ; ; /* * two */\n",
    "-- a title; of some words\nSELECT i % 3 AS x, i % 2 AS y FROM range(10) AS r(i)",
    "\n/* a title\n * of two lines */ -- and more\n  from range(10) AS r(i) select i % 3 AS x, i % 2 AS y;",
    "SELECT i % 3 AS x, i % 2 AS y FROM range(10) AS r(i) WHERE ';--' <> ';'",
    "SELECT i % 3 AS x, i % 2 AS y FROM range(10) AS r(i) WHERE 'a' <> ';-- b'",
], ids=str)  # fmt: skip
def test_queries_with_comments(query):
    plain = "SELECT i % 3 AS x, i % 2 AS y FROM range(10) AS r(i)"
    assert BDDClassifier(1).fit_table(query, "y").to_json() == BDDClassifier(1).fit_table(plain, "y").to_json()
    assert len(next(BDDClassifier(1).fit_table(query, "y").predict_table(query))) == 10


@pytest.mark.parametrize(("query", "message"), [
    ("SELECT 1 AS x, 2 AS y; SELECT 3", "expected one query, got 2 statements"),
    ("-- a title\nSELECT nonsense\nFROM", "syntax error"),
    ("-- a title\nSELECT *\nFROM nowhere", "nowhere"),
], ids=str)  # fmt: skip
def test_queries_that_are_refused(query, message):
    with pytest.raises(ValueError, match=message) as caught:
        BDDClassifier(1).fit_table(query, "y")
    assert "\n" not in str(caught.value)


def test_names_of_columns_are_texts():
    frame = pd.DataFrame({0: [1, 2, 3, 4], 1: list("pqpq")})
    message = r"^names of columns must be texts, and 0 is not: rename them, as by columns.map\(str\)$"
    with pytest.raises(ValueError, match=message):
        BDDClassifier(1).fit_table(frame, 1)
    frame.columns = frame.columns.map(str)
    assert BDDClassifier(1).fit_table(frame, "1").status_ == "optimal"


def test_times_of_day_are_times_everywhere(tmp_path):
    """As those of a CSV file: whole seconds in texts."""
    second = [i * 3607 % 86400 for i in range(50)]
    text = [f"{s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}" for s in second]
    times = [dt.time.fromisoformat(t) for t in text]
    y = [int(s > 40000) for s in second]
    table = pa.table({"t": pa.array(times, pa.time64("us")), "y": y})
    pq.write_table(table, tmp_path / "t.parquet")
    expected = BDDClassifier(1).fit(pd.DataFrame({"t": text}), pd.Series(y, name="y"))
    assert expected.features_ == ["t <= 12:32:51"] and expected.n_binary_features_ == 8
    sources = {
        "time64[ns]": table.set_column(0, "t", table["t"].cast(pa.time64("ns"))),
        "time32[s]": table.set_column(0, "t", table["t"].cast(pa.time32("s"))),
        "time32[ms]": table.set_column(0, "t", table["t"].cast(pa.time32("ms"))),
        "Parquet": tmp_path / "t.parquet",
        "relation": duckdb.from_arrow(table),
        "Polars": pl.from_arrow(table),
        "pandas": pd.DataFrame({"t": times, "y": y}),
    }
    for name, source in sources.items():
        model = BDDClassifier(1).fit_table(source, "y")
        assert (model.features_, model.n_binary_features_) == (expected.features_, 8), name


def test_broken_files_end_with_one_line(frame, path, tmp_path):
    whole = path.read_bytes()
    broken = {"empty": b"", "text": b"hello\n" * 100, "half": whole[: len(whole) // 2], "no end": whole[:-1]}
    broken["a hole"] = whole[:2000] + bytes(3000) + whole[5000:]
    for what, content in broken.items():
        file = tmp_path / f"{what}.parquet"
        file.write_bytes(content)
        for source in (file, pl.scan_parquet(file)):
            with pytest.raises(ValueError) as caught:
                BDDClassifier(1).fit_table(source, "y", columns=INPUTS)
            assert str(caught.value) and "\n" not in str(caught.value), what
    shutil.copy(path, tmp_path / "good.parquet")
    with pytest.raises(ValueError):
        BDDClassifier(1).fit_table(tmp_path, "y")


def test_files_that_change_meanwhile(frame, tmp_path):
    file = tmp_path / "t.parquet"
    for change in ("other", "gone"):
        frame.to_parquet(file)
        engine = open_rows(file, 1, None)
        rows = read_rows(engine, "y", None, INPUTS, None)
        if change == "other":
            frame.iloc[::-1].assign(word="z").to_parquet(file)
        else:
            file.unlink()
        with pytest.raises((ValueError, duckdb.Error)):
            TableBuilder(rows, "quantiles:8", None, None).build()
        engine.close()


def test_a_stream_that_breaks():
    def batches():
        yield pa.record_batch({"x": [1, 2], "y": [0, 1]})
        raise OSError("the line is dead")

    schema = pa.schema([("x", pa.int64()), ("y", pa.int64())])
    with pytest.raises((ValueError, OSError), match="the line is dead") as caught:
        BDDClassifier(1).fit_table(pa.RecordBatchReader.from_batches(schema, batches()), "y")
    assert "\n" not in str(caught.value)


def test_nothing_is_left_behind(path, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    BDDClassifier(1).fit_table(path, "y", columns=INPUTS)
    BDDClassifier(1).fit_table(pq.read_table(path).to_reader(), "y", columns=INPUTS)
    with pytest.raises(ValueError):
        BDDClassifier(1).fit_table("SELECT * FROM nowhere", "y")
    assert list(tmp_path.iterdir()) == []


def test_predictions_in_batches(frame, path):
    model = BDDClassifier(3).fit_table(path, "y", columns=["x", "count", "word", "gaps", "moment"])
    expected = model.predict(frame[list(model.feature_names_in_)])
    assert len(set(expected)) > 1
    for name, source in sources(frame, path).items():
        parts = list(model.predict_table(source, batch_rows=700))
        assert len(parts) > 1 or name == "Arrow reader", name
        assert (np.concatenate(parts) == expected).all(), name
    with pytest.raises(ValueError, match="the model needs column 'count', which is missing"):
        list(model.predict_table("SELECT 1.5 AS x"))
    with pytest.raises(ValueError, match="batch_rows: expected a number of rows"):
        list(model.predict_table(path, batch_rows=0))
    with pytest.raises(FileNotFoundError):
        list(model.predict_table("nowhere.parquet"))
