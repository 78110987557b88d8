"""The diagram unrolled into a tree, in scikit-learn's layout: for dtreeviz, skl2onnx, treelite and the like."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree._tree import Tree

from . import _core
from ._export import model_of, names_in


class _Unrolling:
    """Nodes of the tree in depth-first order, as scikit-learn numbers them."""

    def __init__(self, model: _core.Model, splits: list[tuple[int, float, bool]]) -> None:
        self.model = model
        self.diagram = model.diagram.nodes
        self.paths = _paths_below(self.diagram)
        self.splits = splits
        self.rows: list[dict[str, Any]] = []
        self.counts: list[np.ndarray] = []
        self.depth = 0

    def add(self, node: int, first_path: int, depth: int) -> int:
        """Append the subtree of a node of the diagram, whose paths start at a number; gives its place."""
        feature, low, high, answer = self.diagram[node]
        place = len(self.rows)
        self.depth = max(self.depth, depth)
        last = first_path + self.paths[node]
        counts = np.sum([self.model.path_counts(p) for p in range(first_path, last)], axis=0)
        self.rows.append({"left_child": -1, "right_child": -1, "feature": -2, "threshold": -2.0})
        self.counts.append(counts)
        if feature is None:
            assert answer is not None
            if counts.sum() == 0 or counts.argmax() != answer:  # an answer that no majority gives
                counts = np.zeros_like(counts)
                counts[answer] = 1
                self.counts[place] = counts
            return place
        column, threshold, passes_left = self.splits[feature]
        children = [(low, first_path), (high, first_path + self.paths[low])]
        left, right = children[::-1] if passes_left else children
        self.rows[place].update(feature=column, threshold=threshold)
        self.rows[place]["left_child"] = self.add(*left, depth + 1)
        self.rows[place]["right_child"] = self.add(*right, depth + 1)
        return place


def _paths_below(nodes: list[Any]) -> list[int]:
    paths = [1] * len(nodes)
    for n in reversed(range(len(nodes))):
        feature, low, high, _ = nodes[n]
        if feature is not None:
            paths[n] = paths[low] + paths[high]
    return paths


def _raw_splits(model: _core.Model, names: list[str]) -> list[tuple[int, float, bool]]:
    splits = []
    inputs = model.binarizer.inputs
    for (column, kind, threshold, level), feature in zip(model.binarizer.tests, model.feature_names):
        name, _, levels, _ = inputs[column]
        if kind == "at_most" and not levels:  # words with an order have levels
            splits.append((names.index(name), threshold, True))
        elif kind == "equals" and levels == ["0", "1"]:
            splits.append((names.index(name), 0.5, level == "0"))
        else:
            raise ValueError(f"{feature!r} is not a threshold on a number: use features='binary' and Binarizer's output")
    return splits


def to_sklearn_tree(model: Any, features: str = "raw", *, forest: bool = False) -> Any:
    """A fitted classifier as scikit-learn's DecisionTreeClassifier: the diagram unrolled, a leaf for each path.

    Parameters
    ----------
    model : fitted classifier
    features : {"raw", "binary"}, default="raw"
        Raw: splits on the columns that the model was fitted on, which must be numbers. Binary: splits on the 0/1 features
        ``features_``, in that order.
    forest : bool, default=False
        Wrap it in a RandomForestClassifier of this one tree, for programs that read only forests, such as treelite.

    Returns
    -------
    DecisionTreeClassifier or RandomForestClassifier
        Fitted; predicts the same classes. scikit-learn's trees read float32, so a float64 value that lies within rounding
        of a threshold may fall on the other side of it. Leaves carry the training rows of their paths; a leaf that no row
        reached, or that answers against its majority, carries one row of its answer.
    """
    inner = model_of(model)
    binary = features == "binary"
    if not binary and features != "raw":
        raise ValueError(f'features: expected "raw" or "binary", got {features!r}')
    names = names_in(model, inner)
    splits = [(f, 0.5, False) for f in range(len(inner.feature_names))] if binary else _raw_splits(inner, names)
    unrolled = _Unrolling(inner, splits)
    unrolled.add(0, 0, 0)
    columns = inner.feature_names if binary else names
    tree = _estimator(model, unrolled, columns)
    return _forest_of(tree) if forest else tree


def _estimator(model: Any, unrolled: _Unrolling, columns: list[str]) -> DecisionTreeClassifier:
    classes = np.asarray(getattr(model, "classes_", unrolled.model.class_names))
    tree = Tree(len(columns), np.array([len(classes)], dtype=np.intp), 1)
    counts = np.array(unrolled.counts, dtype=np.float64)
    totals = counts.sum(axis=1)
    shares = counts / np.where(totals > 0, totals, 1)[:, None]
    nodes = np.zeros(len(unrolled.rows), dtype=tree.__getstate__()["nodes"].dtype)
    for i, row in enumerate(unrolled.rows):
        for name, value in row.items():
            nodes[name][i] = value
    nodes["impurity"] = 1 - (shares**2).sum(axis=1)
    nodes["n_node_samples"] = totals.astype(np.int64)
    nodes["weighted_n_node_samples"] = totals / unrolled.model.training["weight_scale"]
    state = {"max_depth": unrolled.depth, "node_count": len(nodes), "nodes": nodes, "values": shares[:, None, :].copy()}
    tree.__setstate__(state)
    out = DecisionTreeClassifier(max_depth=max(1, unrolled.depth))
    out.tree_, out.classes_, out.n_classes_, out.n_outputs_ = tree, classes, len(classes), 1
    out.n_features_in_, out.max_features_ = len(columns), len(columns)
    if hasattr(model, "feature_names_in_") or columns == unrolled.model.feature_names:
        out.feature_names_in_ = np.array(columns, dtype=object)
    return out


def _forest_of(tree: DecisionTreeClassifier) -> RandomForestClassifier:
    out = RandomForestClassifier(n_estimators=1, max_depth=tree.max_depth, bootstrap=False)
    for name, value in vars(tree).items():
        if name.endswith("_") and name not in ("tree_", "max_features_"):
            setattr(out, name, value)
    out.estimator_ = DecisionTreeClassifier()
    tree.classes_ = np.arange(tree.n_classes_, dtype=np.float64)  # in a forest trees speak of class numbers
    tree.__dict__.pop("feature_names_in_", None)
    out.estimators_ = [tree]
    return out
