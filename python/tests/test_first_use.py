"""What a first attempt gets wrong is taken as it was meant, or refused by a sentence that helps."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import beadwork
from beadwork import BDDClassifier, BDDCommittee, MinDepthBDD, TableBinarizer

FRAME = pd.DataFrame({"age": np.arange(60) % 8, "b": np.arange(60) % 3})
Y = (FRAME.age > 4).astype(int)
MODEL = BDDClassifier(depth=2, verbose=0).fit(FRAME, Y)


def told(call):
    """The error of a call, in words."""
    with pytest.raises(Exception) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize(
    "call, meant",
    [
        (lambda: BDDClassifier(max_depth=3), "depth"),
        (lambda: BDDClassifier(timelimit=3), "time_limit"),
        (lambda: BDDClassifier(seed=3), "random_state"),
        (lambda: BDDClassifier(threads=3), "n_jobs"),
        (lambda: MinDepthBDD(depth=3), "max_depth"),
        (lambda: TableBinarizer(treshold=3), "thresholds"),
        (lambda: BDDClassifier().set_params(max_depth=3), "depth"),
        (lambda: BDDClassifier(options={"max_depth": 3}).fit(FRAME, Y), "depth"),
        (lambda: BDDClassifier(options={"time_limt": 3}).fit(FRAME, Y), "time_limit"),
        (lambda: BDDClassifier(options={"all-optma": True}).fit(FRAME, Y), "all_optima"),
        (lambda: BDDClassifier(options={"n_jobs": 2}).fit(FRAME, Y), "threads"),
        (lambda: BDDClassifier(engine="serch").fit(FRAME, Y), "search"),
        (lambda: BDDClassifier(reading={"decimals": ","}).fit(FRAME, Y), "decimal"),
        (lambda: beadwork.options("serch"), "search"),
        (lambda: MODEL.explain({"agee": 3, "b": 1}), "age"),
    ],
)
def test_did_you_mean(call, meant):
    assert f"did you mean '{meant}'?" in told(call)


def test_no_suggestion_where_nothing_is_near():
    assert "has no parameter 'zzz'; the parameters are: depth, engine" in told(lambda: BDDClassifier(zzz=1))
    assert "did you mean" not in told(lambda: BDDClassifier(options={"zzz": 1}).fit(FRAME, Y))
    assert list(inspect.signature(BDDClassifier).parameters)[0] == "depth"


def test_a_child_may_hand_its_parameters_on():
    class Child(BDDClassifier):
        def __init__(self, more=1, **kwargs):
            super().__init__(**kwargs)
            self.more = more

    assert Child(depth=2, more=3).fit(FRAME, Y).optimal_


def test_one_text_is_one_name():
    for estimator in (BDDClassifier(depth=1, verbose=0), BDDCommittee(depth=1, verbose=0)):
        for name, given, used in (("forbid", "age", False), ("require", "age <= 4.5", True)):
            fitted = estimator.__class__(**{**estimator.get_params(), name: given}).fit(FRAME, Y)
            assert any("age" in feature for feature in fitted.features_) == used
    fitted = BDDClassifier(depth=1, verbose=0, require="age").fit(FRAME, Y)
    assert any("age" in feature for feature in fitted.features_)
    assert "require one of them" in told(lambda: BDDCommittee(depth=1, verbose=0, require="age").fit(FRAME, Y))
    assert "expected names, got 3" in told(lambda: BDDClassifier(forbid=3).fit(FRAME, Y))
    one = BDDClassifier(1, verbose=0).fit(FRAME[["age"]], Y)
    assert "years <= 4.5" in beadwork.export_text(one, feature_names="years")
    assert "class_names has length 1, expected 2" in told(lambda: beadwork.export_text(one, class_names="np"))


@pytest.mark.parametrize("name", ["export_text", "export_dot", "export_svg", "export_graphviz", "html_report", "to_sklearn_tree"])
def test_a_classifier_inside_another(name):
    export = getattr(beadwork, name)
    array = FRAME.to_numpy(dtype=float)
    pipeline = make_pipeline(StandardScaler(), BDDClassifier(depth=1, verbose=0)).fit(array, Y)
    assert "a Pipeline has no diagram of its own: give its last step" in told(lambda: export(pipeline))
    search = GridSearchCV(BDDClassifier(verbose=0), {"depth": [1]}, cv=2).fit(array, Y)
    assert "give its best_estimator_" in told(lambda: export(search))
    assert "expected a fitted classifier of beadwork, got a StandardScaler" in told(lambda: export(StandardScaler()))
    assert "got the class BDDClassifier itself" in told(lambda: export(BDDClassifier))
    assert "not fitted yet" in told(lambda: export(BDDClassifier()))
    export(pipeline[-1]), export(search.best_estimator_)


def test_what_is_no_table():
    assert "a text or path, 'x.csv', not a table: read the file first" in told(lambda: BDDClassifier().fit("x.csv", Y))
    assert "give pandas.DataFrame(X)" in told(lambda: MODEL.predict(dict(FRAME)))
    assert "y is a text: give the classes themselves, for example X['b']" in told(lambda: BDDClassifier().fit(FRAME, "b"))


def test_frames_whose_rows_are_elsewhere():
    polars = pytest.importorskip("polars")
    lazy = polars.from_pandas(FRAME).lazy()
    for call in (lambda: BDDClassifier().fit(lazy, Y), lambda: MODEL.predict(lazy), lambda: TableBinarizer().fit(lazy)):
        assert "X is a LazyFrame, whose rows are not here: give X.collect()" in told(call)


def test_explain_takes_a_dict():
    for i in range(5):
        row = dict(FRAME.iloc[i])
        assert MODEL.explain(row) == MODEL.explain(FRAME.iloc[[i]]) == MODEL.explain(dict(reversed(row.items())))
    words = BDDClassifier(1, verbose=0).fit(pd.DataFrame({"c": ["u", "v"] * 9, "d": [1, 2] * 9}), [0, 1] * 9)
    assert words.explain({"c": "v", "d": None}).endswith(words.explain({"c": "v", "d": 1}).splitlines()[-1])
    assert "the model needs column 'age', which is missing" in told(lambda: MODEL.explain({"b": 1}))


def test_files_that_are_not_parquet(tmp_path):
    pytest.importorskip("duckdb")
    csv = tmp_path / "x.csv"
    FRAME.assign(y=Y).to_csv(csv, index=False)
    text = told(lambda: BDDClassifier(1, verbose=0).fit_table(str(csv), "y"))
    query = re.search(r'the query "?(FROM read_csv\(.*?\))"?,', text).group(1)
    assert BDDClassifier(1, verbose=0).fit_table(query, "y").optimal_
    (tmp_path / "x.rows").write_text("rows")
    assert "not a Parquet file" in told(lambda: BDDClassifier().fit_table(tmp_path / "x.rows", "y"))


@pytest.mark.parametrize("name", ["from may.parquet", "with labels.parquet", "select x.parquet", "a[1].parquet", "a*.parquet", "a?.parquet", "it's.parquet"])
def test_a_file_that_is_there_is_a_file(tmp_path, monkeypatch, name):
    pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    FRAME.assign(y=Y).to_parquet(name)
    for other in ("may.parquet", "labels.parquet", "x.parquet", "a1.parquet", "ab.parquet"):
        FRAME.assign(y=1 - FRAME.age // 7).to_parquet(other)
    for source in (name, Path(name)):
        model = BDDClassifier(depth=1, verbose=0).fit_table(source, "y")
        assert model.features_ == ["age <= 4.5"]
        assert np.concatenate(list(model.predict_table(source))).tolist() == Y.tolist()


@pytest.mark.parametrize("memory", [1 << 60, 1 << 44, (1 << 20) + 1, -1])
def test_a_memory_limit_that_no_machine_has_is_named(tmp_path, memory):
    pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    FRAME.assign(y=Y).to_parquet(tmp_path / "t.parquet")
    why = f"memory_limit: expected a whole number from 0 to 1048576, got '{memory}'"
    assert why in told(lambda: BDDClassifier(1, memory_limit=memory, verbose=0).fit_table(tmp_path / "t.parquet", "y"))
    assert why in told(lambda: BDDClassifier(1, memory_limit=memory, verbose=0).fit(FRAME, Y))


# Warnings


def caught(call):
    with warnings.catch_warnings(record=True) as got:
        warnings.simplefilter("always")
        call()
    return got


@pytest.mark.parametrize(
    "texts",
    [
        ["No", "no", "maybe", "yes"],
        ["1,234", "1,235", "2,222", "3,333"],
        ["01/02/2024", "03/04/2024"],
        ["00123", "00456", "789", "1000"],
        ["9007199254740993", "9007199254740992", "1", "2"],
        ["1.169", "886", "1.200", "700"],
        ["1", "2", "3", "u"],
    ],
)
def test_warnings_are_whole_sentences(texts):
    X = pd.DataFrame({"s": texts * 20, "id": [f"id{i}" for i in range(20 * len(texts))]})
    y = [0, 1] * (10 * len(texts))
    for fit in (lambda: BDDClassifier(depth=1, verbose=0).fit(X, y), lambda: TableBinarizer().fit(X)):
        got = [str(w.message) for w in caught(fit)]
        assert any("column 'id' is left out" in text for text in got)
        for text in got:
            assert "give  to" not in text and not text.rstrip().endswith((" to", " give", ";")), text


def test_what_a_warning_says_settles_it():
    X = pd.DataFrame({"s": ["00123", "00456", "00789"] * 20})
    y = [0, 1, 1] * 20
    (text,) = (str(w.message) for w in caught(lambda: BDDClassifier(depth=1, verbose=0).fit(X, y)))
    assert text.endswith("; give the column as numbers to read numbers")
    assert not caught(lambda: BDDClassifier(depth=1, verbose=0).fit(X.astype(int), y))


def test_warnings_come_once_a_fit():
    X = pd.DataFrame({"id": [f"id{i}" for i in range(200)], "a": np.arange(200) % 17})
    X["number"] = ["many"] * 100 + ["1"] * 100
    y = (X.a > 7).astype(int)
    models = {
        "cv": BDDClassifier(depth="cv", depths=(1, 2), verbose=0),
        "size": BDDClassifier(depth=2, size="auto", verbose=0),
        "committee": BDDCommittee(depth=2, verbose=0),
    }
    for name, model in models.items():
        got = [str(w.message) for w in caught(lambda: model.fit(X, y))]
        assert len([text for text in got if "'id'" in text]) == 1, (name, got)


def test_warnings_name_the_line_of_the_caller(hard):
    stopped = {"time_limit": 0.0, "verbose": 0}
    words = pd.DataFrame({"c": ["a", "b", "c"] * 20, "id": [f"id{i}" for i in range(60)]})
    y = [0, 1, 1] * 20
    model = BDDClassifier(depth=1, verbose=0)
    calls = [
        lambda: BDDClassifier(depth=6, **stopped).fit(*hard),
        lambda: BDDCommittee(depth=6, **stopped).fit(*hard),
        lambda: MinDepthBDD(max_depth=6, **stopped).fit(*hard),
        lambda: model.fit(words, y),
        lambda: model.predict(words.assign(c="z")),
        lambda: model.predict_proba(words.assign(c="z")),
        lambda: model.explain(words.assign(c="z")[:1]),
        lambda: beadwork.html_report(model, words[:30], y[:30]),
        lambda: TableBinarizer().fit(words),
    ]
    for i, call in enumerate(calls):
        got = caught(call)
        assert got, i
        assert {Path(w.filename) for w in got} == {Path(__file__)}, (i, [(w.filename, str(w.message)) for w in got])
    assert any(w.category is ConvergenceWarning for w in caught(calls[0]))


def test_all_warnings_go_through_one_function():
    package = Path(beadwork.__file__).parent
    others = [f.name for f in package.glob("*.py") if "warnings.warn(" in f.read_text(encoding="utf-8")]
    assert sorted(others) == ["__init__.py", "_warned.py"]


# Values


@pytest.mark.parametrize("values", [[0, 1, 2], [0.0, 1.0, 2.0], [2, 2, 7], [True, False, True]])
def test_numbers_are_no_ordered_words(values):
    X = pd.DataFrame({"size": ["low", "mid", "high"] * 30})
    y = [0, 1, 1] * 30
    asked = BDDClassifier(depth=1, verbose=0, reading={"ordered": {"size": ["low", "mid", "high"]}}).fit(X, y)
    declared = BDDClassifier(depth=1, verbose=0).fit(X.astype(pd.CategoricalDtype(["low", "mid", "high"], ordered=True)), y)
    for model in (asked, declared):
        text = told(lambda: model.predict(pd.DataFrame({"size": values})))
        assert text == "column 'size' holds numbers, but held words in training, such as 'low'"
        assert len(model.predict(pd.DataFrame({"size": [np.nan] * 3}))) == 3


def test_ordered_numbers_are_words_of_their_order():
    X = pd.DataFrame({"n": [30, 10, 20] * 30})
    model = BDDClassifier(depth=1, verbose=0, reading={"ordered": {"n": ["30", "10", "20"]}}).fit(X, [0, 1, 1] * 30)
    assert model.predict(pd.DataFrame({"n": [10, 20, 30]})).tolist() == [1, 1, 0]
    assert model.predict(pd.DataFrame({"n": ["10", "20", "30"]})).tolist() == [1, 1, 0]


@pytest.mark.parametrize("bad", ["a\ud800", "\udfff"])
def test_half_of_a_surrogate_pair(bad):
    def frame(name, texts):
        return pd.DataFrame(np.array(texts * 20, dtype=object).reshape(-1, 1), columns=pd.Index([name], dtype=object), dtype=object)

    plain, y = frame("s", ["u", "v", "w"]), np.array(["n", "p", "p"] * 20)
    model = BDDClassifier(1, verbose=0).fit(plain, y)
    calls = [
        lambda: BDDClassifier(1).fit(frame("s", [bad, "v", "w"]), y),
        lambda: BDDClassifier(1).fit(frame("s", [bad, "v", "w"]).to_numpy(), y),
        lambda: BDDClassifier(1).fit(frame(bad, ["u", "v", "w"]), y),
        lambda: BDDClassifier(1).fit(plain, np.array([bad, "p", "p"] * 20)),
        lambda: BDDClassifier(1, forbid=bad).fit(plain, y),
        lambda: BDDClassifier(1, reading={"missing": bad}).fit(plain, y),
        lambda: model.predict(frame("s", [bad, "v", "w"])),
        lambda: beadwork.export_text(model, feature_names=[bad]),
        lambda: beadwork.export_text(model, class_names=[bad, "p"]),
    ]
    for i, call in enumerate(calls):
        with pytest.raises(ValueError, match="half of a surrogate pair") as error:
            call()
        assert not isinstance(error.value, UnicodeError), i


# The end of Python

ENDS = """
import sys, threading
import numpy as np
from beadwork import BDDClassifier
rng = np.random.default_rng(0)
X = rng.integers(0, 2, size=(300, 150)); y = rng.integers(0, 2, size=300)
begun = threading.Event()
def look(progress):
    begun.set()
    return False
def work():
    BDDClassifier(depth=9, time_limit=None, n_jobs=JOBS, verbose=0, callback=look).fit(X, y)
for _ in range(THREADS):
    threading.Thread(target=work, daemon=True).start()
assert begun.wait(60)
"""


@pytest.mark.parametrize("jobs, threads", [(1, 1), (2, 3)])
def test_python_ends_during_a_fit(jobs, threads):
    code = ENDS.replace("JOBS", str(jobs)).replace("THREADS", str(threads))
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
