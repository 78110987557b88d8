"""A search in parts: the same answer as the whole, wherever the parts run."""

from __future__ import annotations

import os
import pickle
import random
import re
import signal
import warnings
from concurrent.futures import ProcessPoolExecutor

import joblib
import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

import beadwork
from beadwork import BDDClassifier, BDDCommittee, merge_parts, search_parts
from beadwork import _parts as parts_module


def travel(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("num_parts", [1, 7, 64])
def test_parts_in_any_order_give_the_model_of_the_whole_search(bits, num_parts):
    X, y = bits
    whole = BDDClassifier(3).fit(X, y)
    parts = travel(search_parts(BDDClassifier(3), X, y, num_parts))
    assert len(parts) == num_parts and abs(sum(part.share for part in parts) - 1) < 1e-6
    results = [travel(part)() for part in parts]
    random.Random(num_parts).shuffle(results)
    model = merge_parts(parts, results)
    assert model.to_json() == whole.to_json()
    assert model.optimal_ and (num_parts == 1 or re.search(r"; proven in \d+ parts$", model.claim_))
    assert (model.predict(X) == whole.predict(X)).all()


@pytest.mark.parametrize(
    "given",
    [
        {"thresholds": "all"},
        {"thresholds": "mdlp", "class_weight": "balanced"},
        {"forbid": ["b"], "certificate": True},
        {"costs": [[0, 3], [1, 0]]},
        {"options": {"top": 3}},
    ],
)
def test_numbers_weights_costs_and_what_is_learnt_beside(given):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(4)
    X = pandas.DataFrame(rng.normal(size=(150, 3)), columns=["a", "b", "c"])
    X["d"] = rng.choice(["red", "green", "blue"], 150)
    y = ((X.a + X.b * X.c > 0) & (X.d != "red")).astype(int)
    weight = rng.integers(0, 4, 150)
    estimator = BDDClassifier(2, **given)
    whole = BDDClassifier(2, **given).fit(X, y, weight)
    parts = travel(search_parts(estimator, X, y, 5, weight))
    model = merge_parts(parts, [travel(part)() for part in parts])
    assert model.to_json() == whole.to_json()
    assert model.certificate_ == whole.certificate_
    assert getattr(model, "near_sets_", None) == getattr(whole, "near_sets_", None)
    assert not hasattr(estimator, "classes_")


def test_a_committee_has_parts_too(bits):
    X, y = bits
    parts = search_parts(BDDCommittee(3, within=20), X, y, 4)
    model = merge_parts(parts, [part() for part in parts])
    whole = BDDCommittee(3, within=20).fit(X, y)
    assert len(whole.members_) > 1

    def told(committee):
        return [(member["errors"], member["features"]) for member in committee.members_]

    assert told(model) == told(whole) and model.to_json() == whole.to_json()
    assert model.claim_ == whole.claim_ + "; proven in 4 parts"


def test_what_is_missing_is_named_or_searched(bits):
    X, y = bits
    parts = search_parts(BDDClassifier(3), X, y, 5)
    results = [parts[i]() for i in (4, 0)]
    with pytest.raises(ValueError, match="3 of 5 parts are not done: 1, 2, 3"):
        merge_parts(parts, results)
    model = merge_parts(parts, results + results, finish=True)
    assert model.to_json() == BDDClassifier(3).fit(X, y).to_json()


def test_a_part_goes_on_where_a_limit_ended_it(hard):
    X, y = hard[0][:, :60], hard[1]
    parts = search_parts(BDDClassifier(4, time_limit=0.1), X, y, 2)
    results = []
    for part in parts:
        result = part()
        for _ in range(300):
            if b"complete 1" in result:
                break
            result = part(resume=result)
        results.append(result)
    assert merge_parts(parts, results).to_json() == BDDClassifier(4, time_limit=None).fit(X, y).to_json()


def test_a_limit_in_a_part_leaves_bounds(hard):
    X, y = hard
    parts = search_parts(BDDClassifier(8, time_limit=0.3), X, y, 4)
    first = parts[2]()
    assert b"complete 0" in first
    with pytest.raises(ValueError, match="4 of 4 parts are not done"):
        merge_parts(parts, [first])
    with pytest.warns(ConvergenceWarning):
        model = merge_parts(parts, [first], finish=True)
    assert not model.optimal_ and model.lower_bound_ <= model.upper_bound_


@pytest.mark.parametrize("thresholds", ["auto", "all"])
def test_a_limit_before_anything_is_done_leaves_a_part_where_it_stood(thresholds):
    rng = np.random.default_rng(6)
    X = rng.normal(size=(200, 4)).round(2)
    y = (X[:, 0] * X[:, 1] > 0) ^ (rng.random(200) < 0.2)
    given = {"depth": 2, "thresholds": thresholds}
    whole = BDDClassifier(**given).fit(X, y)
    parts = search_parts(BDDClassifier(time_limit=0, **given), X, y, 3)
    results = [part() for part in parts]
    assert all(b"complete 0" in result for result in results)
    with pytest.raises(ValueError, match="3 of 3 parts are not done"):
        merge_parts(parts, results)
    with pytest.warns(ConvergenceWarning):
        best_so_far = merge_parts(parts, results, finish=True)
    assert not best_so_far.optimal_ and whole.upper_bound_ <= best_so_far.upper_bound_ < min(y.sum(), (~y).sum())
    parts = search_parts(BDDClassifier(time_limit=None, **given), X, y, 3)
    results = [part(resume=result) for part, result in zip(parts, results)]
    assert merge_parts(parts, results).to_json() == whole.to_json()


def test_the_number_of_parts_is_the_words_of_the_run_alone(bits):
    X, y = bits
    whole = BDDClassifier(3).fit(X, y)
    parts = search_parts(BDDClassifier(3), X, y, 5)
    model = merge_parts(parts, [part() for part in parts])
    assert model.claim_ == whole.claim_ + "; proven in 5 parts"
    assert model.to_json() == whole.to_json()
    assert travel(model).claim_ == travel(whole).claim_
    assert BDDClassifier.from_json(model.to_json()).claim_ == BDDClassifier.from_json(whole.to_json()).claim_
    assert model.fit(X, y).claim_ == whole.claim_


def test_what_is_no_part_is_refused(bits):
    X, y = bits
    parts = search_parts(BDDClassifier(3), X, y, 3)
    other = search_parts(BDDClassifier(2), X, y, 3)
    with pytest.raises(ValueError, match="another plan"):
        merge_parts(parts, [other[0]()])
    with pytest.raises(ValueError, match="not a part"):
        merge_parts(parts, [parts[0]()[:-9]])
    with pytest.raises(TypeError, match="bytes"):
        merge_parts(parts, ["text"])
    with pytest.raises(IndexError):
        parts[3]
    for some in (list(parts), parts[:2], parts[0]):
        with pytest.raises(TypeError, match="^parts: expected the object returned by search_parts, not a (list|SearchPart) or slice of it$"):
            merge_parts(some, [])
    for number in (0, -1, 10**6 + 1, 10**7, 2**70, 10**400, 2.5, True, None, "x", float("nan"), float("inf")):
        with pytest.raises(ValueError) as refused:
            search_parts(BDDClassifier(3), X, y, number)
        assert str(refused.value) == f"num_parts: expected a whole number from 1 to 1000000, got {number!r}"
    assert len(search_parts(BDDClassifier(3), X, y, np.int64(2))) == 2
    for estimator, why in (
        (BDDClassifier("cv"), "many fits"),
        (BDDClassifier("1..3"), "one depth"),
        (BDDClassifier(3, max_nodes=5), "max_nodes: cannot be divided"),
        (BDDClassifier(3, engine="maxsat"), "engine: cannot be divided"),
    ):
        with pytest.raises(ValueError, match=why):
            search_parts(estimator, X, y, 3)
    with pytest.raises(TypeError, match="CARTClassifier"):
        search_parts(beadwork.CARTClassifier(3), X, y, 3)


def call(part):
    return part()


def die_once(path, work, number, *rest):
    """A worker that is killed at its first task."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return parts_module._search(work, number, *rest)
    os.kill(os.getpid(), signal.SIGKILL)


class DieOnce:
    def __init__(self, path) -> None:
        self.path = str(path)

    def __call__(self, *given):
        return die_once(self.path, *given)


def test_processes_of_joblib_share_one_search_and_outlive_one_of_them(bits, tmp_path, monkeypatch):
    X, y = bits
    whole = BDDClassifier(4).fit(X, y)
    shares = []
    with joblib.parallel_config(backend="loky"):
        model = BDDClassifier(4, n_jobs=2, time_limit=None, callback=lambda p: shares.append(p.share)).fit(X, y)
        assert re.search(r"; proven in \d\d parts$", model.claim_)
        assert model.to_json() == whole.to_json()
        assert abs(max(shares) - 1) < 1e-6 and len(shares) >= 10
        monkeypatch.setattr(parts_module, "_search", DieOnce(tmp_path / "died"))
        with pytest.warns(UserWarning, match="a worker was lost"):
            model = BDDClassifier(4, n_jobs=2, time_limit=None).fit(X, y)
        monkeypatch.undo()
        assert (tmp_path / "died").exists()
        assert model.to_json() == whole.to_json()
    with ProcessPoolExecutor(2) as pool:
        parts = search_parts(BDDClassifier(4), X, y, 5)
        assert merge_parts(parts, pool.map(call, parts)).to_json() == whole.to_json()


def test_a_limit_ends_it_with_bounds(hard):
    X, y = hard
    with joblib.parallel_config(backend="loky"):
        with pytest.warns(ConvergenceWarning, match="stopped by a limit"):
            model = BDDClassifier(8, n_jobs=2, time_limit=5).fit(X, y)
        assert not model.optimal_ and 0 <= model.lower_bound_ < model.upper_bound_


def test_merging_and_planning_keep_to_the_limit(hard, monkeypatch):
    """What the parts have found stands, without a search for more; a plan takes half of the time at most."""
    X, y = hard
    limits = []

    def watched(work):
        def call(binarizer, dataset, options, *rest):
            limits.append(options["time_limit"])
            return work(binarizer, dataset, options, *rest)

        return call

    for name in ("plan_search", "learn_merged", "learn"):
        monkeypatch.setattr(parts_module._core, name, watched(getattr(parts_module._core, name)))
    with joblib.parallel_config(backend="loky"), pytest.warns(ConvergenceWarning):
        model = BDDClassifier(8, n_jobs=2, time_limit=3).fit(X, y)
        assert limits[0] <= 1.5 and limits[1] <= 0.01
        assert model.upper_bound_ < min(y.sum(), (1 - y).sum())
        limits.clear()
        monkeypatch.setattr(parts_module._core, "plan_search", lambda *_: None)
        BDDClassifier(8, n_jobs=2, time_limit=0.5).fit(X, y)
        assert len(limits) == 1 and limits[0] <= 0.5


def test_no_workers_of_workers(bits, monkeypatch):
    """Without a chosen backend, in a worker, or where the search has no parts, n_jobs are threads."""
    X, y = bits

    def refuse(*_):
        raise AssertionError("spread")

    monkeypatch.setattr(parts_module, "Spread", refuse)
    BDDClassifier(2, n_jobs=2).fit(X, y)
    with joblib.parallel_config(backend="threading"):
        BDDClassifier(2, n_jobs=2).fit(X, y)
    with joblib.parallel_config(backend="loky"):
        BDDClassifier(2, n_jobs=1).fit(X, y)
        BDDClassifier("1..2", n_jobs=2).fit(X, y)
        with pytest.raises(AssertionError, match="spread"):
            BDDClassifier(2, n_jobs=2).fit(X, y)
        grid = GridSearchCV(BDDClassifier(n_jobs=2), {"depth": [1, 2]}, n_jobs=2, cv=2, refit=False, error_score="raise")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            grid.fit(X, y)
        claims = joblib.Parallel(n_jobs=2)(joblib.delayed(fit_claim)(X, y) for _ in range(2))
    assert all("parts" not in claim for claim in claims)


def fit_claim(X, y):
    return BDDClassifier(2, n_jobs=2).fit(X, y).claim_


@pytest.mark.parametrize("thresholds", ["quantiles:4", "all"])
def test_pickles_of_another_version_are_refused_in_one_line(thresholds):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
    binarizer, dataset, _ = search_parts(BDDClassifier(2, thresholds=thresholds), X, y, 2)._data
    for value in (binarizer, dataset):
        name = type(value).__name__
        state = value.__getstate__()
        assert state[0] == beadwork.__version__
        same = travel(value)
        assert same.feature_names == value.feature_names and same.class_names == value.class_names
        fresh = type(value).__new__(type(value))
        for other, said in ((("0.0.1", *state[1:]), "version 0.0.1"), (state[1:], "an earlier version"), ((), "an earlier version")):
            with pytest.raises(ValueError, match=f"^this pickle of a {name} is from {said} of beadwork, and this is version "):
                fresh.__setstate__(other)
        for damaged in (state[:-1], (state[0], *reversed(state[1:]))):
            with pytest.raises(ValueError, match="damaged"):
                fresh.__setstate__(damaged)
