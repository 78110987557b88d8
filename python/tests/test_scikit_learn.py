"""The estimators behave as scikit-learn's do."""

from __future__ import annotations

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from conftest import ESTIMATORS
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import beadwork
from beadwork import BDDClassifier, MaxSATTreeClassifier, ParetoFront, TableBinarizer


FEW = {MaxSATTreeClassifier: {"thresholds": 3}}  # of random numbers; eight take long


@parametrize_with_checks([cls(**FEW.get(cls, {})) for cls in ESTIMATORS] + [TableBinarizer(), ParetoFront(2)])
def test_check_estimator(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_clone_keeps_parameters(cls):
    model = cls(thresholds=3, class_weight="balanced")
    assert clone(model).get_params() == model.get_params()


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_pickle_and_joblib_predict_the_same(cls, iris, tmp_path):
    X, y = iris
    if cls.__name__ == "MaxSATTreeClassifier":
        X, y = X[y < 2], y[y < 2]
    model = cls().fit(X, y)
    joblib.dump(model, tmp_path / "model")
    for other in (pickle.loads(pickle.dumps(model)), joblib.load(tmp_path / "model")):
        assert (other.predict(X) == model.predict(X)).all()
        assert (other.predict_proba(X) == model.predict_proba(X)).all()
        assert other.to_json() == model.to_json()
        assert other.diagram_ == model.diagram_
        assert other.status_ == model.status_


def test_a_pickle_holds_no_code_but_data(iris):
    text = pickle.dumps(BDDClassifier(depth=2).fit(*iris))
    assert b"beadwork-model" in text


def test_pipeline_with_the_binarizer_and_raw_columns_agree(iris):
    X, y = iris
    piped = make_pipeline(TableBinarizer(), BDDClassifier(depth=3)).fit(X, y)
    raw = BDDClassifier(depth=3).fit(X, y)
    assert piped[-1].upper_bound_ == raw.upper_bound_
    assert (piped.predict(X) == raw.predict(X)).all()


def test_column_transformer(iris):
    X, y = iris
    X = X.assign(colour=np.where(y == 1, "red", "blue"))
    steps = ColumnTransformer([("number", StandardScaler(), list(X.columns[:4])), ("text", OneHotEncoder(), ["colour"])])
    assert make_pipeline(steps, BDDClassifier(depth=2)).fit(X, y).score(X, y) > 0.9


def test_grid_search_and_parallel_cross_validation(iris):
    X, y = iris
    grid = GridSearchCV(BDDClassifier(), {"depth": [1, 2, 3], "thresholds": [4, "mdlp"]}, n_jobs=2, cv=3).fit(X, y)
    assert grid.best_score_ > 0.9
    alone = cross_val_score(BDDClassifier(depth=2), X, y, cv=4)
    assert (cross_val_score(BDDClassifier(depth=2), X, y, cv=4, n_jobs=2) == alone).all()


def test_calibration_and_voting():
    X, y = load_breast_cancer(return_X_y=True)
    assert CalibratedClassifierCV(BDDClassifier(depth=2), cv=3).fit(X, y).score(X, y) > 0.9
    several = [("bdd", BDDClassifier(depth=2)), ("tree", DecisionTreeClassifier(max_depth=2, random_state=0))]
    several.append(("line", make_pipeline(StandardScaler(), LogisticRegression())))
    assert VotingClassifier(several, voting="soft").fit(X, y).score(X, y) > 0.9


def test_depth_by_cross_validation(iris):
    X, y = iris
    model = BDDClassifier("cv", depths=(1, 2, 3), cv=3).fit(X, y)
    bits = TableBinarizer().fit_transform(X)  # thresholds are those of all rows
    scores = np.array([cross_val_score(BDDClassifier(d), bits, y, cv=3) for d in (1, 2, 3)])
    means = scores.mean(axis=1)
    assert model.cv_results_["depth"].tolist() == [1, 2, 3]
    assert model.cv_results_["mean_test_score"] == pytest.approx(means)
    assert model.cv_results_["std_test_score"] == pytest.approx(scores.std(axis=1))
    assert model.depth_ == 1 + int(np.argmax(means))
    assert len(model.diagram_.used_features) <= model.depth_


def test_the_answer_does_not_depend_on_threads_or_seed(bits):
    X, y = bits
    texts = {BDDClassifier(4, n_jobs=n).fit(X, y).to_json() for n in (None, 1, 2, -1)}
    assert len(texts) == 1
    assert BDDClassifier(4, random_state=7).fit(X, y).diagram_ == BDDClassifier(4).fit(X, y).diagram_


def test_decision_path_apply_and_words_agree(iris):
    X, y = iris
    model = BDDClassifier(3).fit(X, y)
    visits, leaves = model.decision_path(X), model.apply(X)
    assert visits.shape == (len(X), model.n_nodes_)
    nodes = model.diagram_.nodes
    predicted = model.predict(X)
    for r in range(0, len(X), 7):
        path = sorted(visits[r].indices)
        assert path[0] == 0 and path[-1] == leaves[r]
        assert nodes[leaves[r]][3] == predicted[r]
        assert f"-> {predicted[r]} (" in model.path(X.iloc[[r]])[0]
        assert f"So: {predicted[r]} (" in model.explain(X.iloc[r])
    assert list(model.get_feature_names_out()) == model.features_


def test_probabilities_are_shares_of_the_training_rows(bits):
    X, y = bits
    model = BDDClassifier(3).fit(X, y)
    ways = model.path(X)
    shares = model.predict_proba(X)
    for r in range(len(X)):
        here = [y[i] for i in range(len(X)) if ways[i] == ways[r]]
        assert shares[r, 1] == pytest.approx(np.mean(here))


def test_sample_weight_in_a_frame_with_feature_names(iris):
    X, y = iris
    weight = pd.Series(np.arange(len(X)) % 3)
    model = BDDClassifier(2).fit(X, y, sample_weight=weight)
    again = BDDClassifier(2).fit(X.loc[X.index.repeat(weight)], y.repeat(weight))
    assert model.upper_bound_ == again.upper_bound_
    assert (model.predict(X) == again.predict(X)).all()


def test_skops_keeps_estimators_of_plain_values(iris):
    skops = pytest.importorskip("skops.io")
    X, y = iris
    for made in (BDDClassifier(2).fit(X, y), TableBinarizer().fit(X), make_pipeline(TableBinarizer(), BDDClassifier(2)).fit(X, y)):
        stored = skops.dumps(made)
        trusted = skops.get_untrusted_types(data=stored)
        assert all(name.startswith("beadwork._") and "_core" not in name for name in trusted), trusted
        again = skops.loads(stored, trusted=trusted)
        act = "predict" if hasattr(made, "predict") else "transform"
        assert (getattr(again, act)(X) == getattr(made, act)(X)).all()


def test_the_old_name_of_the_binarizer_warns():
    with pytest.warns(FutureWarning, match="TableBinarizer"):
        assert beadwork.Binarizer is TableBinarizer
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        beadwork.Nothing
