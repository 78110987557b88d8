"""Paths in words."""

from __future__ import annotations

from . import _core


def _step(model: _core.Model, node: int, passed: bool) -> str:
    feature = model.diagram.nodes[node][0]
    assert feature is not None
    name = model.feature_names[feature]
    return name if passed else f"not {name}"


def _weight(value: int, scale: int) -> str:
    return str(value // scale) if value % scale == 0 else f"{value / scale:.12g}"


def _unit(model: _core.Model, count: int) -> str:
    """What is counted: rows, or weight where they have some."""
    training = model.training
    if training["weight_scale"] != 1 or training["total_weight"] != training["rows"]:
        return "by weight"
    return "row" if count == 1 else "rows"


def _ending(model: _core.Model, path: int, sink: int) -> str:
    answer = model.diagram.nodes[sink][3]
    assert answer is not None
    counts = model.path_counts(path)
    scale = model.training["weight_scale"]
    name = model.class_names[answer]
    if sum(counts) == 0:
        return f"{name} (no training row took this path)"
    share = counts[answer] / sum(counts)
    return f"{name} ({share:.2f}, {_weight(counts[answer], scale)} of {_weight(sum(counts), scale)} {_unit(model, sum(counts))})"


def path_in_words(model: _core.Model, path: int) -> str:
    """One line: the tests and the answer."""
    steps, sink = model.steps(path)
    tests = ", ".join(_step(model, node, passed) for node, passed in steps)
    return f"{tests or 'always'} -> {_ending(model, path, sink)}"


def steps_in_words(model: _core.Model, path: int) -> str:
    """One line per test, then the answer."""
    steps, sink = model.steps(path)
    names = model.feature_names
    lines = []
    for number, (node, passed) in enumerate(steps, start=1):
        feature = model.diagram.nodes[node][0]
        assert feature is not None
        lines.append(f"{number}. {names[feature]}? {'yes' if passed else 'no'}")
    return "\n".join([*lines, f"So: {_ending(model, path, sink)}"])
