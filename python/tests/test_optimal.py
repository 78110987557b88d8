"""What is called optimal is: against all sets of features, counted by NumPy."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from beadwork import BDDClassifier, MinDepthBDD, export_text


def least_errors(X, y, depth, weights=None, costs=None):
    """Errors of the best set of at most ``depth`` features."""
    classes = np.unique(y)
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    costs = 1 - np.eye(len(classes)) if costs is None else np.asarray(costs, dtype=float)
    best = math.inf
    size = min(depth, X.shape[1])
    for features in itertools.combinations(range(X.shape[1]), size):
        total = 0.0
        for cell in np.unique(X[:, features], axis=0):
            here = (X[:, features] == cell).all(axis=1)
            count = np.array([weights[here & (y == k)].sum() for k in classes])
            total += (count @ costs).min()
        best = min(best, total)
    return best


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("num_classes", [2, 3])
def test_against_enumeration(seed, num_classes):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, size=(50, 7)), rng.integers(0, num_classes, size=50)
    for depth in range(4):
        model = BDDClassifier(depth).fit(X, y)
        assert model.status_ == "optimal" and model.optimal_ and model.gap_ == 0
        assert model.upper_bound_ == model.lower_bound_ == least_errors(X, y, depth)
        assert (model.predict(X) != y).sum() == model.upper_bound_
        assert len(model.diagram_.used_features) <= depth


@pytest.mark.parametrize("seed", range(4))
def test_weights_and_costs(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, size=(40, 6)), rng.integers(0, 3, size=40)
    weights = rng.integers(0, 9, size=40) / 4
    weighted = BDDClassifier(2).fit(X, y, sample_weight=weights)
    assert weighted.upper_bound_ == pytest.approx(least_errors(X, y, 2, weights))
    assert weights[weighted.predict(X) != y].sum() == pytest.approx(weighted.upper_bound_)
    costs = rng.integers(0, 5, size=(3, 3)) * (1 - np.eye(3))
    costly = BDDClassifier(2, costs=costs).fit(X, y)
    assert costly.upper_bound_ == pytest.approx(least_errors(X, y, 2, costs=costs))
    assert sum(costs[t, p] for t, p in zip(y, costly.predict(X))) == pytest.approx(costly.upper_bound_)


def test_balanced_classes_are_weighted_exactly():
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 2, size=(60, 6)), (rng.random(60) < 0.25).astype(int)
    weights = (len(y) / (2 * np.bincount(y)))[y]
    model = BDDClassifier(2, class_weight="balanced").fit(X, y)
    assert model.upper_bound_ == pytest.approx(least_errors(X, y, 2, weights))
    assert weights[model.predict(X) != y].sum() == pytest.approx(model.upper_bound_)


@pytest.mark.parametrize("engine", ["enumerate", "maxsat"])
def test_exact_engines_agree(bits, engine):
    X, y = bits
    assert BDDClassifier(2, engine=engine).fit(X, y).upper_bound_ == BDDClassifier(2).fit(X, y).upper_bound_


def test_required_and_forbidden_features(bits):
    X, y = bits
    needed = BDDClassifier(2, require=["x8"]).fit(X, y)
    assert "x8" in needed.features_
    others = [f for f in range(9) if f != 5]
    barred = BDDClassifier(2, forbid=["x5"]).fit(X, y)
    assert barred.upper_bound_ == BDDClassifier(2).fit(X[:, others], y).upper_bound_


@pytest.mark.parametrize("thresholds", ["all", "quantiles:8"])
def test_a_required_column_is_any_of_its_tests(thresholds):
    rng = np.random.default_rng(7)
    X = pd.DataFrame({"a": rng.integers(0, 6, 80), "b": rng.integers(0, 6, 80), "c": rng.integers(0, 5, 80)})
    y = (X.a > 2) ^ (X.b > 3)

    def fitted(require):
        return BDDClassifier(2, thresholds=thresholds, require=require, verbose=0).fit(X, y)

    needed = fitted("c")
    tests = [f"c <= {i}.5" for i in range(4)]
    assert set(tests) & set(needed.features_)
    assert needed.optimal_ and needed.upper_bound_ == min(fitted(name).upper_bound_ for name in tests) > 0
    assert "with a test of c makes fewer errors" in needed.claim_
    with pytest.raises(ValueError, match="require: 3 columns are required, but the depth is 2"):
        fitted(["a", "b", "c"])


def test_near_optimal_sets_and_all_depths(bits):
    X, y = bits
    model = BDDClassifier("0..2", options={"top": 4}).fit(X, y)
    errors = sorted(least_errors(X[:, list(pair)], y, 2) for pair in itertools.combinations(range(9), 2))
    assert model.near_sets_complete_ and [s["errors"] for s in model.near_sets_] == errors[:4]
    assert {s["errors"] for s in model.near_sets_without_idle_} == set(errors[:4])
    assert [a["errors"] for a in model.by_depth_] == [least_errors(X, y, depth) for depth in range(3)]
    assert not hasattr(model.set_params(options=None).fit(X, y), "near_sets_")


def test_least_depth():
    X = np.array(list(itertools.product([0, 1], repeat=5)))
    y = X[:, 0] ^ X[:, 2] ^ X[:, 4]
    model = MinDepthBDD().fit(X, y)
    assert model.least_depth_ == 3 and model.upper_bound_ == 0 and model.features_ == ["x0", "x2", "x4"]
    short = MinDepthBDD(max_depth=2).fit(X, y)
    assert short.least_depth_ is None and short.depth_lower_bound_ == 3
    contradicted = MinDepthBDD().fit(np.vstack([X, X[:1]]), np.append(y, 1 - y[0]))
    assert contradicted.least_depth_ == 3 and contradicted.unavoidable_errors_ == 1 == contradicted.upper_bound_


def test_weights_are_not_called_rows():
    X, y = np.array([[0], [0], [1], [1]]), np.array(list("xyyy"))
    for weights in ([100, 100, 200, 100], [0.5, 0.5, 2, 1], "balanced"):
        model = BDDClassifier(1, class_weight="balanced") if weights == "balanced" else BDDClassifier(1)
        model.fit(X, y, sample_weight=None if weights == "balanced" else weights)
        for words in [*model.path(X), model.explain(X[0]), export_text(model)]:
            assert "weight" in words and " rows" not in words and " row)" not in words
    assert " of 4 rows)" in BDDClassifier(1).fit(X, y).path(X)[0]


def test_no_path_is_lighter_than_asked_for(bits):
    X, y = bits
    free = BDDClassifier(4).fit(X, y)
    for share in (0.02, 0.1, 0.3):
        model = BDDClassifier(4, min_weight_fraction_leaf=share).fit(X, y)
        ways = model.path(X)
        assert min(ways.count(w) for w in set(ways)) >= share * len(X)
        assert model.lower_bound_ == free.lower_bound_
        assert model.upper_bound_ == (model.predict(X) != y).sum() >= free.upper_bound_
        assert model.optimal_ == (model.upper_bound_ == model.lower_bound_)
        assert "stopped early" not in model.claim_  # nothing was
        assert ("tests that few rows take were left out" in model.claim_) != model.optimal_
