"""Depths: what is asked for, and the folds that choose one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from ._options import whole

Folds = list[tuple[NDArray[np.int64], NDArray[np.int64]]]  # rows to learn from, rows to judge by


def is_chosen(depth: Any) -> bool:
    """Whether cross-validation chooses the depth."""
    return isinstance(depth, str) and depth.startswith("cv")


def depth_of(depth: Any, depths: Sequence[Any]) -> Any:
    """"cv" with the range that ``depths`` is; anything else as it is."""
    if not (isinstance(depth, str) and depth == "cv"):
        return depth
    tried = sorted({whole("depths", d) for d in depths})
    if not tried or tried != list(range(tried[0], tried[-1] + 1)):
        raise ValueError(f"depths: expected whole numbers without a gap, got {depths!r}")
    return f"cv:{tried[0]}..{tried[-1]}"


def whole_depth(depth: Any) -> int:
    """The largest depth."""
    if isinstance(depth, str) and (known := re.fullmatch(r"(?:cv:)?\d+\.\.(\d+)", depth)):
        return int(known[1])
    return whole("depth", depth, 'a whole number, "A..B", "cv", "cv:A..B" or None')


def folds_of(cv: Any, X: Any, y: NDArray[Any]) -> Folds:
    """scikit-learn's folds; none for five, which are those of the command line."""
    if cv is None or (isinstance(cv, int) and cv == 5):
        return []
    splits = check_cv(cv, y, classifier=True).split(X if hasattr(X, "shape") else np.zeros((len(y), 1)), y)
    return [(np.asarray(train, np.int64), np.asarray(test, np.int64)) for train, test in splits]


def rows_that_count(folds: Folds, weights: NDArray[np.int64] | None) -> Folds:
    """The rows of the folds as the dataset numbers them, which has none of weight 0."""
    if weights is None or not folds:
        return folds
    counts = weights != 0
    places = np.cumsum(counts) - 1
    return [(places[train[counts[train]]], places[test[counts[test]]]) for train, test in folds]
