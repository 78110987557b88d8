"""What columns are worth, and labels mixed with a teacher's."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from beadwork import BDDClassifier, TableBinarizer


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


@pytest.mark.parametrize("seed", range(6))
def test_a_teacher_mixes_the_labels(seed):
    X, y, weight = binary_rows(seed, rows=80, classes=2 + seed % 2)
    teacher, share = RandomForestClassifier(20, random_state=seed), 0.25
    folds = StratifiedKFold(3)
    model = BDDClassifier(depth=2, teacher=teacher, teacher_weight=share, cv=folds).fit(X, y, sample_weight=weight)
    told = np.zeros((len(y), len(model.classes_)))
    for train, test in folds.split(X, y):
        told[test] = clone(teacher).fit(X[train], y[train]).predict_proba(X[test])
    mixed = ((1 - share) * np.eye(len(model.classes_))[y] + share * told) * weight[:, None]
    assert model.optimal_
    assert model.upper_bound_ == pytest.approx(least(X, mixed, 2), abs=weight.sum() / 256)
    assert "against the mixed labels" in model.claim_
    assert model.rounding_ == 0
    assert not BDDClassifier(depth=2, teacher=teacher, teacher_weight=0).fit(X, y).upper_bound_ % 1


def test_a_teacher_over_all_thresholds():
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:200, :6]
    y = y[:200]
    sorts = BDDClassifier(depth=2, teacher=DummyClassifier(strategy="prior"), thresholds="all").fit(X, y)
    bits = TableBinarizer(thresholds="all").fit(X)
    plain = BDDClassifier(depth=2, teacher=DummyClassifier(strategy="prior")).fit(bits.transform(X), y)
    assert sorts.upper_bound_ == plain.upper_bound_
    assert "over all thresholds" in sorts.claim_


def test_a_teacher_of_texts():
    X = pd.DataFrame({"colour": ["red", "green", "blue", "red"] * 10, "size": [1.0, 2, np.nan, 4] * 10})
    y = ["p", "q", "q", "p"] * 10
    model = BDDClassifier(depth=2, teacher=make_pipeline(TableBinarizer(), RandomForestClassifier(10))).fit(X, y)
    assert (model.predict(X) == y).all()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"teacher": LinearSVC()}, "no predict_proba"),
        ({"teacher": DummyClassifier(), "teacher_weight": 1.5}, "teacher_weight: expected a number from 0 to 1"),
        ({"teacher": DummyClassifier(), "certificate": True}, "certificate cannot be combined with teacher"),
    ],
)
def test_what_a_teacher_cannot(settings, words):
    X, y, _ = binary_rows(0)
    with pytest.raises(ValueError, match=words):
        BDDClassifier(depth=2, **settings).fit(X, y)


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
    with pytest.raises(ValueError, match="needs labels that are not mixed"):
        BDDClassifier(depth=2, size="auto", teacher=DummyClassifier()).fit(X, y)
