"""What columns are worth, and a size chosen by folds."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.feature_selection import SelectFromModel

from beadwork import BDDClassifier


def binary_rows(seed, rows=60, columns=6, classes=2):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (rows, columns)), rng.integers(0, classes, rows), rng.integers(1, 4, rows)


def least(X, shares, depth):
    """Least weight of wrong answers over all sets of columns; shares: what each row counts for each class."""
    best = np.inf
    for size in range(depth + 1):
        for chosen in itertools.combinations(range(X.shape[1]), size):
            cells = X[:, chosen] @ (1 << np.arange(size))
            totals = np.zeros((1 << size, shares.shape[1]))
            np.add.at(totals, cells.astype(int), shares)
            best = min(best, (totals.sum(axis=1) - totals.max(axis=1)).sum())
    return best


@pytest.mark.parametrize("seed", range(5))
def test_importances_are_of_the_rows_that_a_column_turns(seed):
    X, y, weight = binary_rows(seed)
    model = BDDClassifier(depth=3).fit(X, y, sample_weight=weight)
    turns = np.zeros(X.shape[1])
    for j in range(X.shape[1]):
        other = X.copy()
        other[:, j] = 1 - other[:, j]
        turns[j] = weight[model.predict(other) != model.predict(X)].sum()
    np.testing.assert_allclose(model.feature_importances_, turns / turns.sum())


def test_importances_of_raw_columns():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X["kind"] = pd.Categorical(np.where(y == 2, "late", "early"))
    model = BDDClassifier(depth=3).fit(X, y)
    names = list(X.columns)
    turned = []
    for name in names:
        values = ["late", "early", "never seen"] if name == "kind" else [*np.linspace(0, 9, 200), np.nan]
        answers = model.predict(X)
        changed = np.zeros(len(X), dtype=bool)
        for value in values:
            with pytest.warns(UserWarning) if value == "never seen" else _quiet():
                changed |= model.predict(X.assign(**{name: value})) != answers
        turned.append(changed.sum())
    np.testing.assert_allclose(model.feature_importances_, np.array(turned) / sum(turned))
    constant = BDDClassifier(depth=0).fit(X, y)
    assert not constant.feature_importances_.any()


class _quiet:
    def __enter__(self): ...
    def __exit__(self, *_): ...


def test_select_from_model():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    chosen = SelectFromModel(BDDClassifier(depth=3)).fit(X, y)
    used = {name for name in X.columns if any(f.startswith(name + " <=") for f in chosen.estimator_.features_)}
    assert set(chosen.get_feature_names_out()) <= used
    assert chosen.transform(X).shape[1] >= 1


@pytest.mark.parametrize("seed", range(6))
def test_prices(seed):
    X, y, weight = binary_rows(seed, classes=2 + seed % 2)
    labels = np.eye(3)[y] * weight[:, None]
    model = BDDClassifier(depth=2, options={"prices": True}).fit(X, y, sample_weight=weight)
    assert set(model.prices_) == set(model.features_)
    for name, price in model.prices_.items():
        without = np.delete(X, int(name[1:]), axis=1)
        assert price == (least(without, labels, 2) - least(X, labels, 2),) * 2
    required = clone(model).set_params(require=["x5"]).fit(X, y)
    assert required.prices_.get("x5", None) is None
    assert not hasattr(BDDClassifier(depth=2).fit(X, y), "prices_")


def test_a_size_chosen_by_folds():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = BDDClassifier(depth=3, size="auto").fit(X, y)
    curve = model.cv_results_
    assert curve["mean_test_score"][model.best_index_] == max(curve["mean_test_score"])
    assert (model.depth_, model.n_nodes_) <= (curve["depth"][model.best_index_], curve["nodes"][model.best_index_])
    smaller = BDDClassifier(depth=3, size="auto-1se", n_jobs=2).fit(X, y)
    assert smaller.n_nodes_ <= model.n_nodes_
    assert "of at most" in smaller.claim_
    again = clone(smaller).set_params(size=None).fit(X, y)
    assert not hasattr(again, "cv_results_")
    with pytest.raises(ValueError, match="cannot be combined with size"):
        BDDClassifier(depth="cv", size="auto").fit(X, y)
    with pytest.raises(ValueError, match="mdlp has chosen the thresholds with the classes of the held-out rows"):
        BDDClassifier(depth=2, size="auto", thresholds="mdlp").fit(X, y)
