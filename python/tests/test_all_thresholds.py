"""thresholds="all": sorted columns instead of a feature for each threshold."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

from beadwork import BDDClassifier, MinDepthBDD, ParetoFront, html_report


def mixed(rows=60, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.integers(0, 40, rows).astype(float), "b": rng.random(rows).round(2)})
    y = np.where((X["a"] > 17) != (X["b"] > 0.6), "yes", "no")
    y = np.where(rng.random(rows) < 0.15, "no", y)
    X.loc[rng.random(rows) < 0.1, "b"] = np.nan
    X["c"] = rng.choice(["u", "v", "w"], rows)
    return X, y


def all_bits(X):
    """Every threshold, category and gap, with plain NumPy."""
    columns = []
    for name in X:
        values = X[name]
        if values.dtype == float:
            distinct = np.unique(values.dropna())
            columns += [(values <= (p + q) / 2).to_numpy() for p, q in zip(distinct, distinct[1:])]
        else:
            columns += [(values == level).to_numpy() for level in sorted(values.unique())]
        if values.isna().any():
            columns.append(values.isna().to_numpy())
    return np.array(columns)


def least_errors(X, y, weight=None):
    bits, yes = all_bits(X), y == "yes"
    weight = np.ones(len(y)) if weight is None else weight
    best = min(weight[yes].sum(), weight[~yes].sum())
    for p, q in itertools.combinations(bits, 2):
        cell = 2 * p + q
        sides = [np.bincount(cell[k], weight[k], 4) for k in (yes, ~yes)]
        best = min(best, np.minimum(*sides).sum())
    return best


@pytest.mark.parametrize("seed", range(4))
def test_depth_two_is_optimal_over_all_thresholds(seed):
    X, y = mixed(seed=seed)
    weight = np.random.default_rng(seed).integers(1, 4, len(y))
    for given in (None, weight):
        model = BDDClassifier(depth=2, thresholds="all").fit(X, y, sample_weight=given)
        assert model.optimal_
        assert model.claim_.endswith(", over all thresholds")
        assert model.upper_bound_ == least_errors(X, y, given)
        wrong = (model.predict(X) != y) * (1 if given is None else given)
        assert wrong.sum() == model.upper_bound_
        assert model.n_binary_features_ == len(all_bits(X))


def test_many_thresholds():
    X, y = load_breast_cancer(return_X_y=True)
    model = BDDClassifier(depth=2, thresholds="all").fit(X, y)
    assert model.optimal_
    assert model.n_binary_features_ > 10000
    assert (model.predict(X) != y).sum() == model.upper_bound_
    assert model.upper_bound_ <= BDDClassifier(depth=2, thresholds=20).fit(X, y).upper_bound_
    local = BDDClassifier(depth=2, thresholds="all", engine="local").fit(X, y)
    assert model.upper_bound_ <= local.upper_bound_ <= 2 * model.upper_bound_


def test_restrictions_and_ranges():
    X, y = mixed()
    free = BDDClassifier(depth=2, thresholds="all").fit(X, y)
    forbidden = BDDClassifier(depth=2, thresholds="all", forbid=["a", free.features_[-1]]).fit(X, y)
    assert not any(name.startswith("a ") for name in forbidden.features_)
    assert free.features_[-1] not in forbidden.features_
    required = BDDClassifier(depth=2, thresholds="all", require=["c = u"]).fit(X, y)
    assert "c = u" in required.features_
    depths = BDDClassifier(depth="0..2", thresholds="all").fit(X, y)
    assert [a["depth"] for a in depths.by_depth_] == [0, 1, 2]
    assert depths.by_depth_[-1]["errors"] == free.upper_bound_
    with pytest.raises(ValueError, match="unknown feature"):
        BDDClassifier(depth=2, thresholds="all", forbid=["a <= 1000"]).fit(X, y)


def test_sets_near_the_best():
    X, y = mixed()
    best = BDDClassifier(depth=2, thresholds="all").fit(X, y)
    near = BDDClassifier(depth=2, thresholds="all", options={"top": 3}).fit(X, y)
    assert near.near_sets_complete_ and len(near.near_sets_) == 3
    assert near.near_sets_[0]["errors"] == near.upper_bound_ == best.upper_bound_
    assert near.near_sets_[0]["features"] == best.features_
    for name, interval in zip(near.near_sets_[0]["features"], near.near_sets_[0]["intervals"], strict=True):
        if interval is not None:
            assert interval[0] < float(name.split(" <= ")[1]) < interval[1]


def test_what_needs_features_still_works():
    X, y = mixed()
    best = BDDClassifier(depth=2, thresholds="all").fit(X, y)
    front = ParetoFront(depth=2, thresholds="all").fit(X, y)
    assert min(point.upper_bound_ for point in front.points_) == best.upper_bound_
    assert MinDepthBDD(thresholds="all", max_depth=1).fit(X, y).unavoidable_errors_ >= 0


def test_the_page_knows_its_rows(recwarn):
    X, y = mixed()
    model = BDDClassifier(depth=2, thresholds="all").fit(X, y)
    assert "CART" in html_report(model, X, y)
    assert not [w for w in recwarn if "not the rows" in str(w.message)]
    with pytest.warns(UserWarning, match="not the rows"):
        html_report(model, *mixed(seed=9))
