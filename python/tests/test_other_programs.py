"""The unrolled tree in the programs that it is for: they take it and answer as the model does."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from test_command_line import mixed

from beadwork import BDDClassifier, TableBinarizer, to_sklearn_tree


def near_thresholds(tree, X):
    """The rows, and rows with values at and right beside each threshold, in float32."""
    rows = [X.astype(np.float32)]
    for feature, threshold in zip(tree.tree_.feature, tree.tree_.threshold):
        if feature < 0:
            continue
        middle = np.float32(threshold)
        for value in (np.nextafter(middle, np.float32(-np.inf)), middle, np.nextafter(middle, np.float32(np.inf))):
            moved = rows[0][:20].copy()
            moved[:, feature] = value
            rows.append(moved)
    return np.vstack(rows)


def numbers(load, depth):
    X, y = load(return_X_y=True)
    model = BDDClassifier(depth).fit(X, y)
    X = near_thresholds(to_sklearn_tree(model), X)
    return model, "raw", X, model.predict(X)


def bits():
    table = mixed()
    X, y = table.drop(columns="risk"), table.risk
    model = BDDClassifier(3).fit(X, y)
    every = TableBinarizer().fit(X)
    features = pd.DataFrame(every.transform(X), columns=every.get_feature_names_out())[model.features_]
    return model, "binary", features.to_numpy(np.float32), model.predict(X)


CASES = {
    "iris": lambda: numbers(load_iris, 4),
    "breast cancer": lambda: numbers(load_breast_cancer, 4),
    "one leaf": lambda: numbers(load_iris, 0),
    "mixed": bits,
}


@pytest.fixture(scope="module", params=CASES)
def case(request):
    return CASES[request.param]()


def test_forests_of_scikit_learn(case):
    model, features, X, expected = case
    tree, forest = to_sklearn_tree(model, features), to_sklearn_tree(model, features, forest=True)
    named = _named(tree, X)
    assert (tree.predict(named) == expected).all() and (forest.predict(named) == expected).all()
    assert (forest.predict_proba(named) == tree.predict_proba(named)).all()


def test_skl2onnx(case):
    skl2onnx = pytest.importorskip("skl2onnx", reason="skl2onnx is not installed")
    onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    model, features, X, expected = case
    tree = to_sklearn_tree(model, features)
    made = skl2onnx.to_onnx(tree, X[:1], options={"zipmap": False}).SerializeToString()
    session = onnxruntime.InferenceSession(made, providers=["CPUExecutionProvider"])
    labels, shares = session.run(None, {session.get_inputs()[0].name: X})
    assert (labels == expected).all()
    assert shares == pytest.approx(tree.predict_proba(_named(tree, X)), abs=1e-6)


def test_treelite(case):
    treelite = pytest.importorskip("treelite", reason="treelite is not installed")
    model, features, X, expected = case
    forest = to_sklearn_tree(model, features, forest=True)
    shares = treelite.gtil.predict(treelite.sklearn.import_model(forest), X.astype(np.float64))
    shares = np.asarray(shares).reshape(len(X), -1)
    if shares.shape[1] == 1:  # two classes: the share of the second
        shares = np.hstack([1 - shares, shares])
    assert (model.classes_[shares.argmax(axis=1)] == expected).all()
    assert shares == pytest.approx(forest.predict_proba(_named(forest, X)))


def test_dtreeviz(case):
    dtreeviz = pytest.importorskip("dtreeviz", reason="dtreeviz is not installed")
    model, features, X, expected = case
    tree = to_sklearn_tree(model, features)
    tree.classes_ = np.arange(len(model.classes_))  # dtreeviz asks for whole numbers
    codes = np.searchsorted(model.classes_, expected)
    names = [f"f{j}" for j in range(X.shape[1])]
    classes = [str(k) for k in model.classes_]
    shown = dtreeviz.model(tree, X, codes, feature_names=names, target_name="class", class_names=classes)
    assert [shown.shadow_tree.predict(row) for row in X] == codes.tolist()
    assert bool(shown.explain_prediction_path(X[0])) == (model.diagram_.size > 1)
    assert len(shown.shadow_tree.leaves) == model.diagram_.num_paths


def _named(tree, X):
    return pd.DataFrame(X, columns=tree.feature_names_in_) if hasattr(tree, "feature_names_in_") else X
