"""Weights as integers: exactly, or not at all."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import compute_class_weight
from sklearn.utils.validation import _check_sample_weight

from . import _core

MOST_TOTAL = 2**62


def row_weights(
    X: Any,
    sample_weight: Any,
    class_weight: Mapping[Any, float] | str | None,
    classes: NDArray[Any],
    codes: NDArray[np.int64],
) -> tuple[NDArray[np.int64] | None, int]:
    """Integer weights of the rows and their scale: weight = integer / scale. None where all are 1.

    Raises
    ------
    ValueError
        Where weights are negative, all zero, or cannot be made whole exactly.
    """
    weights, scale = _sample_weights(X, sample_weight)
    if class_weight is None:
        return weights, scale
    of_class, class_scale = _class_weights(class_weight, classes, codes)
    of_row = np.array(of_class, dtype=object)[codes]
    product = of_row if weights is None else of_row * weights.astype(object)
    scale *= class_scale
    common = math.gcd(scale, *(int(w) for w in set(product.tolist())))
    if sum(product.tolist()) // common >= MOST_TOTAL:
        raise ValueError("class_weight and sample_weight together are too large as integers; round them first")
    return np.array([int(w) // common for w in product], dtype=np.int64), scale // common


def _sample_weights(X: Any, sample_weight: Any) -> tuple[NDArray[np.int64] | None, int]:
    if sample_weight is None:
        return None, 1
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if (weights < 0).any():
        raise ValueError("Negative values in data passed to `sample_weight`")
    if not weights.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    if (weights == 1).all():
        return None, 1
    try:
        return _core.scale_weights(weights)
    except ValueError as error:
        raise ValueError(f"sample_weight: {error}") from None


def _class_weights(
    class_weight: Mapping[Any, float] | str, classes: NDArray[Any], codes: NDArray[np.int64]
) -> tuple[list[int], int]:
    if isinstance(class_weight, str) and class_weight == "balanced":
        counts = np.bincount(codes, minlength=len(classes)).tolist()
        exact = [Fraction(len(codes), len(classes) * count) for count in counts]
        scale = math.lcm(*(f.denominator for f in exact))
        return [int(f * scale) for f in exact], scale
    weights = np.asarray(compute_class_weight(class_weight, classes=classes, y=classes[codes]), dtype=np.float64)
    try:
        integers, scale = _core.scale_weights(weights)
    except ValueError as error:
        raise ValueError(f"class_weight: {error}") from None
    return integers.tolist(), scale
