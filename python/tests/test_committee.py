"""A committee votes as its members say, behaves as scikit-learn's estimators do, and is the command line's."""

from __future__ import annotations

import doctest
import json
import pickle
import sqlite3
import subprocess
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

import beadwork._committee
from beadwork import BDDClassifier, BDDCommittee, export_as, export_svg


@parametrize_with_checks([BDDCommittee(depth=2, max_members=10)])
def test_check_estimator(estimator, check):
    check(estimator)


def test_docstrings():
    assert doctest.testmod(beadwork._committee).failed == 0


def table(seed=0, rows=120):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=rows).round(1), "b": rng.integers(0, 5, rows), "c": rng.choice(["r", "g", "b"], rows)})
    X.loc[rng.random(rows) < 0.1, "a"] = np.nan
    y = np.where(X["a"] > 0.3, "x", np.where(X["c"] == "g", "y", "z"))
    noise = rng.random(rows) < 0.7
    y[noise] = rng.choice(["x", "y", "z"], noise.sum())
    return X, y


@pytest.fixture(scope="module")
def fitted():
    X, y = table()
    return BDDCommittee(depth=3, within=8, thresholds=4).fit(X, y), X, y


def passes(name, row):
    """A test, by its name."""
    column, _, rest = name.partition(" ")
    value = row[column]
    missing = isinstance(value, float) and np.isnan(value)
    if rest == "is missing":
        return missing
    kind, _, wanted = rest.partition(" ")
    return not missing and (value <= float(wanted) if kind == "<=" else value == wanted)


def test_votes_are_those_of_the_members(fitted):
    model, X, y = fitted
    assert len(model.members_) > 5
    rows = pd.concat([X, table(1)[0]])
    answers = []
    bits = np.array([[passes(name, row) for name in model.features_] for _, row in rows.iterrows()], np.uint8)
    for member in model.members_:
        used = [model.features_[f] for f in member["diagram"].used_features]
        assert sorted(used) == sorted(member["features"])
        answers.append(member["diagram"].classify(bits))
        assert (model.classes_[answers[-1][: len(y)]] != y).sum() == member["errors"]
    answers = np.array(answers)
    votes = np.array([(answers == k).sum(axis=0) for k in range(3)]).T
    assert np.array_equal(model.predict_proba(rows), votes / len(answers))
    best = [a if v[a] == v.max() else v.argmax() for v, a in zip(votes, answers[0])]
    assert list(model.predict(rows)) == list(model.classes_[best])
    assert np.array_equal(model.agreement(rows), votes[np.arange(len(rows)), best] / len(answers))


def test_the_optimum_is_the_single_model(fitted):
    model, X, y = fitted
    one = BDDClassifier(depth=3, thresholds=4).fit(X, y)
    assert model.upper_bound_ == one.upper_bound_ == model.members_[0]["errors"]
    assert model.members_[0]["features"] == [one.features_[f] for f in one.diagram_.used_features]
    assert model.claim_.endswith(one.claim_) and model.optimal_
    assert model.claim_.startswith(f"{len(model.members_)} diagrams vote: all feature sets that make at most 8 errors more")
    assert (model.extent_, model.within_) == ("complete", 8)
    assert all(m["errors"] <= one.upper_bound_ + 8 for m in model.members_)


def test_first_members_and_margins(fitted):
    model, X, y = fitted
    few = BDDCommittee(depth=3, within=8, thresholds=4, max_members=4).fit(X, y)
    assert few.extent_ == "first"
    assert [m["features"] for m in few.members_] == [m["features"] for m in model.members_[:4]]
    assert BDDCommittee(depth=1, within="5%", thresholds=4).fit(X, y).within_ == 6
    weighted = BDDCommittee(depth=1, within="5%", thresholds=4).fit(X, y, sample_weight=np.full(len(y), 0.5))
    assert weighted.within_ == 3
    for within in (None, "many", -1, True):
        with pytest.raises(ValueError, match="number of errors or a percentage"):
            BDDCommittee(within=within).fit(X, y)


def test_files(fitted, tmp_path):
    model, X, y = fitted
    text = model.to_json(tmp_path / "m.json")
    for other in (BDDCommittee.from_json(text), BDDCommittee.from_json(tmp_path / "m.json"), pickle.loads(pickle.dumps(model))):
        assert list(other.predict(X)) == list(model.predict(X))
        assert np.array_equal(other.predict_proba(X), model.predict_proba(X))
        assert other.to_json() == text
        assert "claimed optimal" in other.claim_
    with pytest.raises(ValueError, match="is a committee; a single model is needed here"):
        BDDClassifier.from_json(text)
    with pytest.raises(ValueError, match="is a single model, not a committee"):
        BDDCommittee.from_json(BDDClassifier(depth=1).fit(X, y).to_json())


def test_the_command_line_writes_the_same(command, tmp_path):
    X, y = table(3)
    X.assign(kind=y).to_csv(tmp_path / "t.csv", index=False)
    fit = [command, "fit", "t.csv", "--depth", "2", "--committee", "3", "--thresholds", "quantiles:4", "--nominal", "c", "-o", "m.json"]
    subprocess.run(fit, cwd=tmp_path, check=True, capture_output=True)
    ours = json.loads(BDDCommittee(depth=2, within=3, thresholds=4).fit(X, pd.Series(y, name="kind")).to_json())
    theirs = json.loads((tmp_path / "m.json").read_text())
    for key in ("members", "committee", "features", "diagram", "claim", "paths"):
        assert ours[key] == theirs[key], key


def test_exports(fitted):
    model, X, _ = fitted
    assert "beadwork_votes" in export_as(model, "c")
    assert isinstance(export_as(model, "onnx"), bytes)
    assert export_as(model, "json") == model.to_json()
    db = sqlite3.connect(":memory:")
    X.to_sql("t", db, index=False)
    assert [k for k, in db.execute(f"SELECT ({export_as(model, 'sql')}) FROM t")] == list(model.predict(X))
    with pytest.raises(ValueError, match="a committee goes to code, sql, dbt, onnx and json, not to dot"):
        export_as(model, "dot")
    with pytest.raises(ValueError, match="a committee is not a single diagram"):
        export_svg(model)


def test_stopped():
    X, y = table()
    with pytest.warns(UserWarning, match="not proven optimal"):
        model = BDDCommittee(depth=3, time_limit=0).fit(X, y)
    assert (model.extent_, len(model.members_)) == ("stopped", 1)
    assert set(model.predict(X)) <= set(y)


@pytest.mark.parametrize("limit", [0.1, 0.3, None])
def test_a_list_that_is_stopped_warns(limit):
    """The list takes longer than the optimum."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (200, 40)), rng.integers(0, 2, 200)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model = BDDCommittee(depth=4, within=60, time_limit=limit).fit(X, y)
    said = any("there may be more feature sets near it" in str(w.message) for w in told)
    assert said == (model.optimal_ and model.extent_ == "stopped")
    assert limit or (model.extent_, len(model.members_)) == ("first", 100)


def test_in_scikit_learn():
    X, y = load_iris(return_X_y=True)
    model = BDDCommittee(depth=2, within=1, class_weight="balanced")
    assert clone(model).get_params() == model.get_params()
    assert cross_val_score(model, X, y).mean() > 0.9
