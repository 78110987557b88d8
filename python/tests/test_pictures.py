"""Pictures, words, other programs' formats, and scikit-learn's trees."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.tree import DecisionTreeClassifier, export_text

import beadwork
from beadwork import BDDClassifier, Binarizer, plot_bdd, to_sklearn_tree


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return X, y, BDDClassifier(3).fit(X, y)


def test_notebooks_show_the_diagram(iris):
    bundle = iris[2]._repr_mimebundle_()
    ElementTree.fromstring(bundle["image/svg+xml"])
    assert "<svg" in bundle["text/html"] and bundle["text/plain"].startswith("BDDClassifier(")
    assert "<svg" not in BDDClassifier()._repr_mimebundle_().get("image/svg+xml", "")


def test_names_in_text_and_dot(iris, tmp_path):
    model = iris[2]
    column = next(name for name in model.feature_names_in_ if model.features_[0].startswith(name))
    names = {column: "renamed"}
    text = beadwork.export_text(model, feature_names=names, class_names=["setosa", "versicolor", "virginica"])
    assert "renamed <= " in text and column not in text and "virginica" in text
    whole = beadwork.export_text(model)
    for kind in ("rules", "diagram"):
        lines = beadwork.export_text(model, kind=kind).splitlines()
        assert len(lines) > 3 and set(lines) <= set(whole.splitlines())
    dot = beadwork.export_dot(model, tmp_path / "a.dot", class_names=["A", "B", "C"])
    assert (tmp_path / "a.dot").read_text() == dot and dot.startswith("digraph")
    with pytest.raises(ValueError, match="class_names has length 1, expected 3"):
        beadwork.export_dot(model, class_names=["A"])
    with pytest.raises(ValueError, match="kind"):
        beadwork.export_text(model, kind="poem")


def test_plot_counts_rows_and_marks_a_path(iris):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, _, model = iris
    ax = plot_bdd(model)
    assert {t.get_text() for t in ax.texts} >= {"150"}
    marked = plot_bdd(model, X=X[:30], row=3)
    assert {t.get_text() for t in marked.texts} >= {"30"}
    steps = model.decision_path(X[3:4]).nnz
    red = [p for p in marked.patches if matplotlib.colors.to_hex(p.get_edgecolor()) == "#d62728"]
    assert len(red) == 2 * steps - 1  # nodes and the edges between them
    with pytest.raises(ValueError, match="X is None"):
        plot_bdd(model, row=3)


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
@pytest.mark.parametrize("depth", [0, 1, 4])
def test_scikit_learns_tree_predicts_the_same(load, depth):
    X, y = load(return_X_y=True, as_frame=True)
    model = BDDClassifier(depth).fit(X, y)
    tree = to_sklearn_tree(model)
    assert isinstance(tree, DecisionTreeClassifier)
    assert (tree.predict(X) == model.predict(X)).all()
    assert export_text(tree).count("class:") == tree.get_n_leaves() == model.diagram_.num_paths
    known = np.array([w != "" and "no training row" not in w for w in model.path(X)])
    assert tree.predict_proba(X)[known] == pytest.approx(model.predict_proba(X)[known])


def test_trees_on_binary_features():
    X = pd.DataFrame({"c": list("abcabc"), "n": [1, 2, 3, np.nan, 5, 6]})
    y = [0, 1, 1, 0, 1, 1]
    model = BDDClassifier(2).fit(X, y)
    with pytest.raises(ValueError, match="no threshold on numbers"):
        to_sklearn_tree(model)
    tree = to_sklearn_tree(model, features="binary")
    every = Binarizer().fit(X)
    names = every.get_feature_names_out().tolist()
    bits = pd.DataFrame(every.transform(X), columns=names)[model.features_]
    assert (tree.predict(bits) == model.predict(X)).all()


def test_exports_are_those_of_the_library(iris, tmp_path):
    X, _, model = iris
    scope: dict = {}
    exec(beadwork.export_as(model, "python"), scope)
    assert set(beadwork.export_formats()) >= {"c", "sql", "onnx", "python"}
    assert "CASE" in beadwork.export_as(model, "sql")
    assert isinstance(beadwork.export_as(model, "onnx", tmp_path / "m.onnx"), bytes)
    assert (tmp_path / "m.onnx").stat().st_size > 100
    with pytest.raises(ValueError, match="cobol"):
        beadwork.export_as(model, "cobol")
