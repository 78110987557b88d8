"""Pictures, words, other programs' formats, and scikit-learn's trees."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.tree import DecisionTreeClassifier, export_graphviz, export_text

import beadwork
from beadwork import BDDClassifier, TableBinarizer, plot_bdd, to_sklearn_tree

from conftest import lacking


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return X, y, BDDClassifier(3).fit(X, y)


def test_notebooks_show_the_diagram(iris):
    bundle = iris[2]._repr_mimebundle_()
    ElementTree.fromstring(bundle["image/svg+xml"])
    assert "<svg" in bundle["text/html"] and bundle["text/plain"].startswith("BDDClassifier(")
    assert "<svg" not in BDDClassifier()._repr_mimebundle_().get("image/svg+xml", "")
    X, y, model = iris
    assert model.claim_[1:].replace("<=", "&lt;=") in bundle["text/html"]
    assert f"Training accuracy {100 * model.score(X, y):.2f} %" in bundle["text/html"]


def test_names_in_text_and_dot(iris, tmp_path):
    model = iris[2]
    column = next(name for name in model.feature_names_in_ if model.features_[0].startswith(name))
    names = {column: "renamed"}
    text = beadwork.export_text(model, feature_names=names, class_names=["setosa", "versicolor", "virginica"])
    assert "renamed <= " in text and column not in text and "virginica" in text
    whole = beadwork.export_text(model)
    assert text.splitlines()[0] == whole.splitlines()[0]  # other names, the same standing
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


def test_plot_says_whose_classes_the_rings_show(iris):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y, model = iris
    shuffled = np.random.default_rng(0).permutation(np.asarray(y))

    def rings(ax):  # colour and angle of each piece
        return [(matplotlib.colors.to_hex(p.get_facecolor()), p.theta2 - p.theta1) for p in ax.patches if hasattr(p, "theta1")]

    def told(ax):
        return [t.get_text() for t in ax.texts if t.get_text().startswith("rings: ")]

    trained, predicted, true = plot_bdd(model), plot_bdd(model, X=X), plot_bdd(model, X=X, y=shuffled)
    assert told(trained) == ["rings: true classes of the training rows"]
    assert told(predicted) == ["rings: predicted classes of the rows of X"]
    assert told(true) == ["rings: true classes of the rows of X"]
    own = rings(plot_bdd(model, X=X, y=y))
    assert [c for c, _ in own] == [c for c, _ in rings(trained)]
    assert [a for _, a in own] == pytest.approx([a for _, a in rings(trained)])
    # At the root every row is counted: the angles are the shares of the classes given.
    _, counts = np.unique(shuffled, return_counts=True)
    assert [a for _, a in rings(true)[:3]] == pytest.approx(360 * counts / counts.sum())
    with pytest.raises(ValueError, match="X is None"):
        plot_bdd(model, y=y)
    with pytest.raises(ValueError, match="classes that the model does not know"):
        plot_bdd(model, X=X, y=np.full(len(X), "tulip"))


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
    with pytest.raises(ValueError, match="not a threshold on a number"):
        to_sklearn_tree(model)
    tree = to_sklearn_tree(model, features="binary")
    every = TableBinarizer().fit(X)
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


def test_options_of_exports(iris):
    X, _, model = iris
    scope: dict = {}
    exec(beadwork.export_as(model, "python", probabilities=True), scope)
    rows = X.to_dict("records")
    assert [scope["probabilities"](row) for row in rows] == model.predict_proba(X).tolist()
    assert "int16_t" in beadwork.export_as(model, "c", numbers="int16", scale=10)
    assert "FLOAT64" in beadwork.export_as(model, "dbt", dialect="bigquery")
    for wrong in ({"numbers": "half"}, {"scale": 0}, {"dialect": "dbase"}, {"colour": "red"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            beadwork.export_as(model, "c", **wrong)


@pytest.fixture(scope="module")
def dot():
    """What Graphviz reads in a text: its nodes and edges with their attributes."""
    program = shutil.which("dot")
    if program is None:
        lacking("Graphviz's dot is not installed")

    def read(text):
        run = subprocess.run([program, "-Tjson"], input=text, capture_output=True, text=True)
        assert run.returncode == 0 and run.stderr == "", run.stderr
        graph = json.loads(run.stdout)
        nodes = {o["_gvid"]: o for o in graph["objects"] if "nodes" not in o}
        edges = [(nodes[e["tail"]]["name"], nodes[e["head"]]["name"], e.get("style")) for e in graph.get("edges", [])]
        return graph, {o["name"]: o for o in nodes.values()}, edges

    return read


def figures(label):
    """The lines of a node, numbers as numbers."""
    return [re.sub(r"\d+(\.\d+)?", lambda m: f"{float(m[0]):g}", line) for line in label.split("\\n")]


@pytest.mark.parametrize("arguments", [{}, {"precision": 2}, {"impurity": False, "label": "root"}, {"label": "none"}])
def test_graphviz_as_scikit_learn_writes_it(dot, iris, arguments):
    X, y, _ = iris
    model = beadwork.CARTClassifier(2).fit(X, y)
    names = {"feature_names": list("abcd"), "class_names": ["A", "B", "C"]}
    ours = dot(beadwork.export_graphviz(model, **names, **arguments))[1]
    theirs = dot(export_graphviz(to_sklearn_tree(model), **names, **arguments))[1]
    nodes = model.diagram_.nodes
    tests = [figures(ours[str(n)]["label"]) for n in range(len(nodes)) if nodes[n][0] is not None]
    expected = [figures(o["label"]) for o in theirs.values() if re.search("<=|&le;", o["label"])]
    assert sorted(tests) == sorted(expected) and len(tests) >= 2


@pytest.mark.parametrize("depth", [0, 2, 4])
def test_graphviz_has_the_diagram(dot, iris, depth, tmp_path):
    X, y, _ = iris
    model = BDDClassifier(depth).fit(X, y)
    text = beadwork.export_graphviz(model, tmp_path / "a.dot", node_ids=True, filled=True, rounded=True, rotate=True)
    assert (tmp_path / "a.dot").read_text() == text
    graph, nodes, edges = dot(text)
    assert graph["rankdir"] == "LR"
    expected = set()
    for n, (feature, low, high, answer) in enumerate(model.diagram_.nodes):
        lines = nodes[str(n)]["label"].split("\\n")
        assert lines[0] == f"node #{n}" and nodes[str(n)]["style"] == "filled, rounded"
        if feature is None:
            assert lines[-1] == f"class = {model.classes_[answer]}"
            assert f"samples = {(model.apply(X) == n).sum()}" in lines
        else:
            expected |= {(str(n), str(low), "dashed"), (str(n), str(high), "solid")}
    assert set(edges) == expected and len(nodes) == model.n_nodes_
    shares = dot(beadwork.export_graphviz(model, proportion=True))[1]["0"]["label"]
    assert "samples = 100%" in shares and "value = [0.333, 0.333, 0.333]" in shares


def test_graphviz_takes_names_as_text(dot):
    X = pd.DataFrame({'a"b\\n<&lt;>': [0.00001, 0.00002, 3, 4], "line\nbreak\u202e": list("xyxy")})
    model = BDDClassifier(2, thresholds="all").fit(X, ['"]; x -> y [', "&amp;", "b\\", "b\\"])
    text = beadwork.export_graphviz(model, filled=True, precision=5)
    assert len(dot(text)[1]) == model.n_nodes_
    svg = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True).stdout
    drawn = {t.text.replace("\xa0", " ") for t in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")}
    assert {'class = "]; x -> y [', "class = &amp;", "class = b\\"} <= drawn
    tests = {f'a"b\\n<&lt;> <= {t}' for t in ("2e-05", "1.50001")} | {"line\\u000abreak\\u202e = y"}
    assert len(tests & drawn) == 2, drawn
    out = io.StringIO()
    assert beadwork.export_graphviz(model, out) == out.getvalue()
    with pytest.raises(ValueError, match="feature_names has length 1, expected 2"):
        beadwork.export_graphviz(model, feature_names=["a"])
    with pytest.raises(ValueError, match="label"):
        beadwork.export_graphviz(model, label="some")


def test_plots_as_scikit_learn_names_the_arguments(iris):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    model = iris[2]
    ax = plot_bdd(model, node_ids=True, proportion=True, precision=1, fontsize=5, feature_names=list("abcd"))
    shown = {t.get_text() for t in ax.texts}
    assert "#0: 100%" in shown and {t.get_fontsize() for t in ax.texts} == {5}
    assert any(re.match("[abcd] \u2264 ", t) for t in shown)
