"""Diagrams drawn by matplotlib."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from . import _core
from ._export import model_of, renamed

_LINE, _MARK = "#666666", "#d62728"


def plot_bdd(
    model: Any,
    ax: Any = None,
    X: Any = None,
    row: Any = None,
    *,
    y: Any = None,
    feature_names: Any = None,
    class_names: Any = None,
    node_ids: bool = False,
    proportion: bool = False,
    precision: int = 3,
    fontsize: float | None = None,
) -> Any:
    """Draw a fitted diagram: one level per feature, circles for tests, squares for answers, dashed where a test fails.

    Parameters
    ----------
    model : fitted classifier
    ax : matplotlib Axes, default=None
        Where to draw; a new figure by default.
    X : table, default=None
        Rows to count at the nodes instead of the training rows. Needs an estimator.
    y : array-like, default=None
        True classes of ``X``, for the rings. Without them, the rings of ``X`` show the predicted classes.
    row : one row, default=None
        Row whose path is highlighted: a position in ``X``, or a row as ``explain`` takes it.
    feature_names, class_names : as in export_text
    node_ids : bool, default=False
        Show node numbers, as in ``apply`` and ``decision_path``.
    proportion : bool, default=False
        Show shares of all rows instead of counts.
    precision : int, default=3
        Digits after the point.
    fontsize : float, default=None
        Size of all text, in points; 7 to 9 by default.

    Returns
    -------
    matplotlib Axes
    """
    import matplotlib.pyplot as plt

    inner = renamed(model_of(model), feature_names, class_names, model)
    layout = inner.layout()
    if ax is None:
        _, ax = plt.subplots(figsize=(layout["width"] / 80, layout["height"] / 80))
    counts = inner.node_counts() if X is None else _class_counts(model, X, y, inner)
    path = _path(model, X, row)
    scale = inner.training["weight_scale"] if X is None else 1
    numbers = _numbers(counts, scale, node_ids, proportion, precision)
    _draw_frame(ax, layout, fontsize, _ring_words(X, y))
    for edge in layout["edges"]:
        _draw_edge(ax, edge, path.get(edge[0]) == edge[2])
    for n, place in enumerate(layout["nodes"]):
        _draw_node(ax, inner, n, place, counts[n], numbers[n], n in path, fontsize)
    return ax


def _numbers(counts: np.ndarray, scale: int, node_ids: bool, proportion: bool, precision: int) -> list[str]:
    """What stands in each node."""
    out = []
    for n, count in enumerate(counts.sum(axis=1)):
        value = 100 * count / max(1, counts[0].sum()) if proportion else count / scale
        text = f"{round(float(value), precision):.15g}{'%' if proportion else ''}"
        out.append(f"#{n}: {text}" if node_ids else text)
    return out


def _ring_words(X: Any, y: Any) -> str:
    if X is None and y is not None:
        raise ValueError("y has the classes of X, but X is None")
    whose = "training rows" if X is None else "rows of X"
    return f"rings: {'predicted' if X is not None and y is None else 'true'} classes of the {whose}"


def _class_counts(model: Any, X: Any, y: Any, inner: _core.Model) -> np.ndarray:
    """Rows of X at each node, in the column of their class, or of the one that is predicted."""
    visits = model.decision_path(X)
    classes = model.predict(X) if y is None else np.asarray(y)
    if y is not None:
        check_consistent_length(X, classes)
        if not np.isin(classes, model.classes_).all():
            raise ValueError("y has classes that the model does not know")
    codes = np.searchsorted(model.classes_, classes)
    out = np.zeros((inner.diagram.size, len(model.classes_)), dtype=np.int64)
    for k in range(len(model.classes_)):
        out[:, k] = np.asarray(visits[codes == k].sum(axis=0)).ravel()
    return out


def _path(model: Any, X: Any, row: Any) -> dict[int, bool | None]:
    """Whether one row passes the tests on its way, by node; None for the sink at its end."""
    if row is None:
        return {}
    if isinstance(row, (int, np.integer)):
        if X is None:
            raise ValueError("row is a position in X, but X is None")
        row = X.iloc[[row]] if hasattr(X, "iloc") else X[row : row + 1]
    steps, sink = model._model.steps(model._path_of(row))
    return {**dict(steps), sink: None}


def _draw_frame(ax: Any, layout: Any, fontsize: float | None, rings: str) -> None:
    """Names of the levels and what the rings mean, on an empty sheet."""
    ax.set_xlim(0, layout["width"])
    ax.set_ylim(layout["height"], 0)
    ax.set_aspect("equal")
    ax.axis("off")
    for text, _, y in layout["levels"]:
        ax.text(8, y, text, va="center", ha="left", fontsize=fontsize or 9)
    if len(layout["levels"]) > 1:
        ax.text(8, layout["height"], rings, va="bottom", ha="left", fontsize=fontsize or 7, color=_LINE)


def _draw_edge(ax: Any, edge: Any, marked: bool) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    _, _, high, share, points = edge
    codes = [Path.MOVETO] + [Path.CURVE4] * (len(points) - 1)
    width = 1 + 3 * share
    style = "solid" if high else (0, (4, 2))
    colour = _MARK if marked else _LINE
    patch = PathPatch(Path(points, codes), fill=False, lw=width + marked, ls=style, ec=colour, zorder=1)
    ax.add_patch(patch)


def _draw_node(
    ax: Any, inner: _core.Model, n: int, place: Any, counts: Any, number: str, marked: bool, fontsize: float | None
) -> None:
    from matplotlib.patches import Ellipse, Rectangle

    x, y, rx, ry, _, label, _ = place
    feature, _, _, answer = inner.diagram.nodes[n]
    edge: dict[str, Any] = {"ec": _MARK if marked else "black", "lw": 2.5 if marked else 1, "zorder": 2}
    if feature is not None:
        ax.add_patch(Ellipse((x, y), 2 * rx, 2 * ry, fc="white", **edge))
        _draw_ring(ax, x, y, 0.86 * min(rx, ry), counts)
        text = number if inner.diagram.ordered else label
        ax.text(x, y, text, ha="center", va="center", fontsize=fontsize or 7, zorder=4)
        return
    assert answer is not None
    colour = _core.class_colour(answer)
    ax.add_patch(Rectangle((x - rx, y - ry), 2 * rx, 2 * ry, fc=colour, **edge))
    ax.text(x, y + ry + 6, f"{inner.class_names[answer]}\n{number}", ha="center", va="top", fontsize=fontsize or 8)


def _draw_ring(ax: Any, x: float, y: float, radius: float, counts: Any) -> None:
    from matplotlib.patches import Wedge

    total = counts.sum()
    start = 90.0
    for k, count in enumerate(counts if total else []):
        end = start - 360 * count / total
        ax.add_patch(Wedge((x, y), radius, end, start, width=0.2 * radius, fc=_core.class_colour(k), lw=0, zorder=3))
        start = end
