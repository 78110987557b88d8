"""Depths: what is asked for, and how one does on rows left out."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import _safe_indexing

from ._options import whole


def whole_depth(depth: Any) -> int:
    if isinstance(depth, str) and re.fullmatch(r"\d+\.\.\d+", depth):
        return int(depth.split("..")[1])
    return whole("depth", depth, 'a whole number, "A..B", "cv" or None')


def score_of(model: Any, X: Any, y: Any, sample_weight: Any, train: Any, test: Any) -> float:
    weight = None if sample_weight is None else np.asarray(sample_weight)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", UserWarning)
        model.fit(_safe_indexing(X, train), y[train], None if weight is None else weight[train])
        held_out = None if weight is None else weight[test]
        return float(model.score(_safe_indexing(X, test), y[test], held_out))
