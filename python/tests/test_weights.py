"""Weights of every kind: exact where that is possible, else rounded, and the bounds say so."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.utils.class_weight import compute_sample_weight

from beadwork import BDDClassifier


def least_errors(X, y, depth, weights):
    """By brute force, in exact fractions."""
    weights = [Fraction(w) for w in weights.tolist()]
    best = None
    for chosen in combinations(range(X.shape[1]), depth):
        cells: dict = {}
        for row, label, w in zip(X[:, chosen].tolist(), y.tolist(), weights):
            cell = cells.setdefault(tuple(row), {})
            cell[label] = cell.get(label, 0) + w
        errors = sum(sum(cell.values()) - max(cell.values()) for cell in cells.values())
        best = errors if best is None else min(best, errors)
    return best


def errors_of(model, X, y, weights):
    return sum((Fraction(w) for w, wrong in zip(weights.tolist(), model.predict(X) != y) if wrong), Fraction(0))


def float_weights(kind, rng, y):
    n = len(y)
    return {
        "random": lambda: rng.random(n),
        "thirds": lambda: rng.integers(1, 5, size=n) / 3,
        "balanced": lambda: compute_sample_weight("balanced", y),
        "wide": lambda: np.exp(rng.normal(0, 8, size=n)),
        "tiny": lambda: rng.random(n) / 3e6,
        "normalised": lambda: (w := rng.random(n)) / w.sum(),
    }[kind]()


@pytest.mark.parametrize("kind", ["random", "thirds", "balanced", "wide", "tiny", "normalised"])
@pytest.mark.parametrize("classes", [2, 3])
def test_float_weights_are_rounded_and_the_bounds_hold(kind, classes):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 2, size=(41, 6))
        y = rng.integers(0, classes, size=41)
        weights = float_weights(kind, rng, y)
        model = BDDClassifier(2).fit(X, y, sample_weight=weights)
        least, own = least_errors(X, y, 2, weights), errors_of(model, X, y, weights)
        off = model.rounding_ + Fraction(1e-15 * weights.sum())  # 0.1 is taken for one tenth
        assert model.optimal_ and model.lower_bound_ - off + model.rounding_ <= least <= own
        assert own - least <= off
        assert abs(own - Fraction(model.upper_bound_)) <= off and 0 <= model.rounding_ <= 1e-7 * weights.sum()
        assert ("more or less" in model.claim_) == (model.rounding_ > 0)
        again = BDDClassifier.from_json(model.to_json())
        assert (again.lower_bound_, again.rounding_, again.gap_) == (model.lower_bound_, model.rounding_, model.gap_)


@pytest.mark.parametrize("weights", [np.arange(41), np.arange(41) / 8, np.arange(41) / 10, np.arange(41) * 10.0**9])
def test_integers_decimals_and_binary_fractions_stay_exact(weights):
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 2, size=(41, 6)), rng.integers(0, 2, size=41)
    model = BDDClassifier(2).fit(X, y, sample_weight=weights)
    assert model.rounding_ == 0 and model.gap_ == 0 and "more or less" not in model.claim_
    assert model.upper_bound_ == pytest.approx(float(least_errors(X, y, 2, weights)))


def test_costs_widen_the_rounding():
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 2, size=(41, 6)), rng.integers(0, 2, size=41)
    weights = rng.random(41)
    plain = BDDClassifier(2).fit(X, y, sample_weight=weights)
    dear = BDDClassifier(2, costs=[[0, 5], [1, 0]]).fit(X, y, sample_weight=weights)
    assert dear.rounding_ == pytest.approx(5 * plain.rounding_)


def test_class_weights_that_take_rounding():
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 2, size=(41, 6)), rng.integers(0, 2, size=41)
    model = BDDClassifier(2, class_weight={0: 1 / 3, 1: np.pi}).fit(X, y)
    weights = np.where(y == 0, 1 / 3, np.pi)
    assert model.rounding_ > 0 and model.lower_bound_ <= least_errors(X, y, 2, weights) <= errors_of(model, X, y, weights)
    both = BDDClassifier(2, class_weight="balanced").fit(X, y, sample_weight=rng.random(41))
    assert both.optimal_ and both.rounding_ > 0


def test_boosting():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(150, 8))
    y = (X.sum(axis=1) > 4).astype(int)
    boosted = AdaBoostClassifier(BDDClassifier(2), n_estimators=10, random_state=0).fit(X, y)
    assert len(boosted.estimators_) == 10 and boosted.score(X, y) > BDDClassifier(2).fit(X, y).score(X, y)


def test_no_message_blames_costs():
    with pytest.raises(ValueError, match="weight") as refused:
        BDDClassifier(1).fit([[0], [1]], [0, 1], sample_weight=[2.0**61, 2.0**60])
    assert "cost" not in str(refused.value)
