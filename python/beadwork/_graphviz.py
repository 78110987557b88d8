"""Diagrams for Graphviz with the arguments of scikit-learn's export_graphviz."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._export import model_of, renamed, write_text


def export_graphviz(
    model: Any,
    out_file: Any = None,
    *,
    feature_names: Any = None,
    class_names: Any = None,
    label: str = "all",
    filled: bool = False,
    impurity: bool = True,
    node_ids: bool = False,
    proportion: bool = False,
    rotate: bool = False,
    rounded: bool = False,
    precision: int = 3,
    fontname: str = "helvetica",
) -> str:
    """A fitted diagram for Graphviz, in the style and with the arguments of scikit-learn's ``export_graphviz``.

    Every node is a box with its test and the figures of the training rows that pass through it. A solid edge is for a test
    that passes, a dashed one for a test that fails. Tests of one feature are on one rank. See ``export_dot`` for a smaller picture.

    Parameters
    ----------
    model : fitted classifier
    out_file : path or file object, default=None
        Also write the text to this file.
    feature_names, class_names : as in export_text
    label : {"all", "root", "none"}, default="all"
        Which nodes have labels for their figures ("samples = ").
    filled : bool, default=False
        Colour nodes by their majority class; purer nodes have stronger colours.
    impurity : bool, default=True
        Show Gini's impurity.
    node_ids : bool, default=False
        Show node numbers, as in ``apply`` and ``decision_path``.
    proportion : bool, default=False
        Show shares instead of counts.
    rotate : bool, default=False
        Draw from left to right.
    rounded : bool, default=False
        Round the corners of boxes.
    precision : int, default=3
        Digits after the point.
    fontname : str, default="helvetica"
    """
    if label not in ("all", "root", "none"):
        raise ValueError(f'label: expected "all", "root" or "none", got {label!r}')
    inner = renamed(model_of(model), feature_names, class_names, model)
    figures = _Figures(inner, impurity=impurity, proportion=proportion, precision=precision)
    styles = ", ".join(name for name, on in (("filled", filled), ("rounded", rounded)) if on)
    style = f', style="{styles}"' if styles else ""
    font = _quoted(fontname)
    lines = ["digraph Diagram {", f'node [shape=box{style}, color="black", fontname="{font}"] ;', f'edge [fontname="{font}"] ;']
    if rotate:
        lines.append("rankdir=LR ;")
    lines += [_node_line(figures, n, label, node_ids, filled) for n in range(inner.diagram.size)]
    lines += _edge_lines(inner.diagram)
    lines += [f"{{ rank=same ; {' ; '.join(map(str, rank))} }} ;" for rank in _ranks(inner)]
    return write_text("\n".join([*lines, "}"]) + "\n", out_file)


def _node_line(figures: _Figures, n: int, label: str, node_ids: bool, filled: bool) -> str:
    text = figures.lines(n, label == "all" or (label == "root" and n == 0))
    if node_ids:
        text.insert(0, f"node #{n}" if label != "none" else f"#{n}")
    colour = _fill(figures.shares(n), figures.model.diagram.nodes[n][3]) if filled else ""
    words = "\\n".join(_quoted(line) for line in text)
    return f'{n} [label="{words}"{colour}] ;'


def _edge_lines(diagram: _core.Diagram) -> Iterator[str]:
    for n, (feature, low, high, _) in enumerate(diagram.nodes):
        for to, passed in ((high, True), (low, False)) if feature is not None else ():
            head = f", labeldistance=2.5, labelangle={-45 if passed else 45}, headlabel={passed}" if n == 0 else ""
            yield f"{n} -> {to} [style={'solid' if passed else 'dashed'}{head}] ;"


class _Figures:
    """The lines of text in the nodes."""

    def __init__(self, model: _core.Model, *, impurity: bool, proportion: bool, precision: int) -> None:
        self.model, self.impurity, self.proportion, self.precision = model, impurity, proportion, precision
        self.counts = model.node_counts() / model.training["weight_scale"]

    def shares(self, n: int) -> NDArray[np.float64]:
        total = self.counts[n].sum()
        return self.counts[n] / total if total else np.zeros(len(self.counts[n]))

    def lines(self, n: int, labelled: bool) -> list[str]:
        feature, _, _, answer = self.model.diagram.nodes[n]
        counts, shares = self.counts[n], self.shares(n)
        out = [] if feature is None else [_test_text(self.model, feature, self.precision)]
        figures = [("gini", self._number(1 - (shares**2).sum() if counts.any() else 0.0))] if self.impurity else []
        whole = self.counts[0].sum()
        part = counts.sum() / whole if whole else 0.0
        figures.append(("samples", self._number(100 * part) + "%" if self.proportion else self._number(counts.sum())))
        values = shares if self.proportion else counts
        figures.append(("value", "[" + ", ".join(self._number(v) for v in values) + "]"))
        best = answer if answer is not None else int(counts.argmax())
        figures.append(("class", self.model.class_names[best]))
        return out + [f"{name} = {text}" if labelled else text for name, text in figures]

    def _number(self, value: Any) -> str:
        return f"{round(float(value), self.precision):.15g}"


def _test_text(model: _core.Model, feature: int, precision: int) -> str:
    """The test of a feature; a threshold rounded, but never to nothing."""
    column, kind, threshold, _ = model.binarizer.tests[feature]
    if kind != "at_most":
        return model.feature_names[feature]
    rounded = round(threshold, precision) or float(f"{threshold:.{max(1, precision)}g}")
    return f"{model.binarizer.inputs[column][0]} <= {rounded:.15g}"


def _ranks(model: _core.Model) -> list[list[int]]:
    """Nodes that go side by side: those of one feature where all paths test in one order, and the sinks."""
    by_feature: dict[int, list[int]] = {}
    for n, (feature, *_) in enumerate(model.diagram.nodes):
        by_feature.setdefault(-1 if feature is None else feature, []).append(n)
    if not model.diagram.ordered:
        by_feature = {-1: by_feature[-1]}
    return [nodes for nodes in by_feature.values() if len(nodes) > 1]


def _fill(shares: NDArray[np.float64], answer: int | None) -> str:
    best = answer if answer is not None else int(shares.argmax())
    others = np.delete(shares, best)
    second = others.max() if len(others) else 0.0
    strength = max(0.0, shares[best] - second) / (1 - second) if second < 1 else 0.0
    full = [int(_core.class_colour(best)[i : i + 2], 16) for i in (1, 3, 5)]
    mixed = [round(255 + strength * (c - 255)) for c in full]
    ink = "white" if 0.299 * mixed[0] + 0.587 * mixed[1] + 0.114 * mixed[2] < 110 else "black"
    return f', fillcolor="#{"".join(f"{c:02x}" for c in mixed)}", fontcolor="{ink}"'


def _quoted(text: str) -> str:
    """For a double-quoted string of Graphviz: what cannot be seen is spelt out."""
    seen = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
    return seen.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
