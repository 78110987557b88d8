"""Weights as integers: exactly where that is possible, else rounded, and by how much."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import compute_class_weight
from sklearn.utils.validation import _check_sample_weight

from . import _core

MOST_TOTAL = 2**56


class RowWeights(NamedTuple):
    """weight = integer / scale; all together are at most rounding / scale off. ``integers`` is None where all are 1."""

    integers: NDArray[np.int64] | None
    scale: int
    rounding: int


def row_weights(
    X: Any,
    sample_weight: Any,
    class_weight: Mapping[Any, float] | str | None,
    classes: NDArray[Any],
    codes: NDArray[np.int64],
) -> RowWeights:
    """Weights of the rows.

    Raises
    ------
    ValueError
        Where weights are negative, all zero, or too large.
    """
    of_row = None if sample_weight is None else _checked(X, sample_weight)
    sample = RowWeights(None, 1, 0) if of_row is None else _rounded("sample_weight", of_row)
    if class_weight is None:
        return sample
    of_class = _class_weights(class_weight, classes, codes)
    exact = _product(sample, of_class, codes) if isinstance(of_class[0], Fraction) else None
    if exact is not None:
        return exact
    shares = np.array([float(w) for w in of_class])[codes]
    weights, scale, rounding = _rounded("class_weight", shares if of_row is None else shares * of_row)
    return RowWeights(weights, scale, rounding + 1)  # the products are rounded, too


def _checked(X: Any, sample_weight: Any) -> NDArray[np.float64] | None:
    weights = np.asarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
    if (weights < 0).any():
        raise ValueError("Negative values in data passed to `sample_weight`")
    if not weights.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return None if (weights == 1).all() else weights


def _rounded(what: str, weights: NDArray[np.float64]) -> RowWeights:
    try:
        return RowWeights(*_core.round_weights(weights))
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None


def _product(sample: RowWeights, of_class: list[Fraction], codes: NDArray[np.int64]) -> RowWeights | None:
    """Weights of the rows times those of their classes, or nothing if that takes a rounding."""
    if sample.rounding:
        return None
    scale = math.lcm(*(w.denominator for w in of_class))
    product = np.array([int(w * scale) for w in of_class], dtype=object)[codes]
    if sample.integers is not None:
        product = product * sample.integers.astype(object)
    common = math.gcd(scale * sample.scale, *(int(w) for w in set(product.tolist())))
    if sum(product.tolist()) // common >= MOST_TOTAL:
        return None
    return RowWeights(np.array([int(w) // common for w in product], dtype=np.int64), scale * sample.scale // common, 0)


def _class_weights(
    class_weight: Mapping[Any, float] | str, classes: NDArray[Any], codes: NDArray[np.int64]
) -> list[Fraction] | list[float]:
    if isinstance(class_weight, str) and class_weight == "balanced":
        counts = np.bincount(codes, minlength=len(classes)).tolist()
        return [Fraction(len(codes), len(classes) * count) for count in counts]
    weights = np.asarray(compute_class_weight(class_weight, classes=classes, y=classes[codes]), dtype=np.float64)
    integers, scale, rounding = _rounded("class_weight", weights)
    assert integers is not None
    if rounding:
        return [float(w) for w in weights]
    return [Fraction(w, scale) for w in integers.tolist()]
