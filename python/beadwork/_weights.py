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


class CountedWeights(NamedTuple):
    """Weights of rows that come as distinct (weight, class) pairs.

    A row counts rint(weight x shares[class] x row_scale) x times[class], to be divided by ``scale``. ``ones``: each counts 1.
    ``num_rows`` are those that do not count 0.
    """

    ones: bool
    row_scale: float
    shares: list[float] | None
    times: list[int] | None
    scale: int
    rounding: int
    num_rows: int
    all_count: bool
    of_class: list[int]  # the weight of all rows of a class


def counted_weights(
    weights: NDArray[np.float64] | None,
    class_weight: Mapping[Any, float] | str | None,
    classes: NDArray[Any],
    codes: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> CountedWeights:
    """The same as row_weights, of distinct pairs with the number of their rows."""
    of_row = None if weights is None else _checked_values(weights)
    sample = RowWeights(None, 1, 0) if of_row is None else _rounded("weight", of_row, rows)
    if class_weight is None:
        return _counted(of_row, sample, float(sample.scale), None, None, codes, rows)
    of_class = _class_weights(class_weight, classes, codes, rows)
    exact = _product(sample, of_class, codes, rows) if isinstance(of_class[0], Fraction) else None
    if exact is not None:
        times = _times(sample, exact, of_class)
        return _counted(of_row, exact, float(sample.scale), None, times, codes, rows)
    shares = [float(w) for w in of_class]
    of_pair = np.array(shares)[codes]
    rounded = _rounded("class_weight", of_pair if of_row is None else of_pair * of_row, rows)
    rounded = RowWeights(rounded.integers, rounded.scale, rounded.rounding + 1)
    if of_row is None:
        assert rounded.integers is not None
        place = [int(rounded.integers[np.flatnonzero(codes == k)[0]]) for k in range(len(classes))]
        return _counted(None, rounded, 1.0, None, place, codes, rows)
    return _counted(of_row, rounded, float(rounded.scale), shares, None, codes, rows)


def _times(sample: RowWeights, exact: RowWeights, of_class: list[Any]) -> list[int]:
    """What a row of each class counts, times its own integer."""
    factors = [w * exact.scale / sample.scale for w in of_class]
    if any(f.denominator != 1 for f in factors):
        raise ValueError("class_weight: these weights cannot be multiplied exactly with those of the rows")
    return [int(f) for f in factors]


def _counted(
    of_row: Any, whole: RowWeights, row_scale: float, shares: Any, times: Any, codes: NDArray[np.int64], rows: NDArray[np.int64]
) -> CountedWeights:
    integers = whole.integers
    counting = rows if integers is None else rows[integers != 0]
    if integers is not None and of_row is not None and shares is None and times is None:
        if not (np.rint(of_row * row_scale).astype(np.int64) == integers).all():
            raise ValueError("weight: the weights have too many digits; round them")
    num_rows, all_rows = int(counting.sum()), int(rows.sum())
    each = (np.ones(len(rows), dtype=object) if integers is None else integers.astype(object)) * rows.astype(object)
    of_class = [int(each[codes == k].sum()) for k in range(int(codes.max()) + 1)]
    every = num_rows == all_rows
    return CountedWeights(of_row is None, row_scale, shares, times, whole.scale, whole.rounding, num_rows, every, of_class)


def _checked_values(weights: NDArray[np.float64]) -> NDArray[np.float64] | None:
    if np.isnan(weights).any():
        raise ValueError("weight: some rows have none")
    if np.isinf(weights).any():
        raise ValueError("weight: infinity is no weight")
    if (weights < 0).any():
        raise ValueError("weight: some weights are negative")
    if not weights.any():
        raise ValueError("weight: all weights are zero")
    return None if (weights == 1).all() else np.ascontiguousarray(weights)


def _checked(X: Any, sample_weight: Any) -> NDArray[np.float64] | None:
    weights = np.asarray(_check_sample_weight(sample_weight, X, dtype=np.float64))
    if (weights < 0).any():
        raise ValueError("Negative values in data passed to `sample_weight`")
    if not weights.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return None if (weights == 1).all() else weights


def _rounded(what: str, weights: NDArray[np.float64], rows: NDArray[np.int64] | None = None) -> RowWeights:
    try:
        return RowWeights(*_core.round_weights(weights, rows))
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None


def _product(
    sample: RowWeights, of_class: list[Fraction], codes: NDArray[np.int64], rows: NDArray[np.int64] | None = None
) -> RowWeights | None:
    """Weights of the rows times those of their classes, or nothing if that takes a rounding."""
    if sample.rounding:
        return None
    scale = math.lcm(*(w.denominator for w in of_class))
    product = np.array([int(w * scale) for w in of_class], dtype=object)[codes]
    if sample.integers is not None:
        product = product * sample.integers.astype(object)
    common = math.gcd(scale * sample.scale, *(int(w) for w in set(product.tolist())))
    total = sum(product.tolist()) if rows is None else sum(p * r for p, r in zip(product.tolist(), rows.tolist()))
    if total // common > _core.MOST_TOTAL or scale * sample.scale // common > _core.MOST_TOTAL:
        return None
    return RowWeights(np.array([int(w) // common for w in product], dtype=np.int64), scale * sample.scale // common, 0)


def _class_weights(
    class_weight: Mapping[Any, float] | str,
    classes: NDArray[Any],
    codes: NDArray[np.int64],
    rows: NDArray[np.int64] | None = None,
) -> list[Fraction] | list[float]:
    if isinstance(class_weight, str) and class_weight == "balanced":
        every = np.ones(len(codes), dtype=np.int64) if rows is None else rows
        counts = [int(every[codes == k].sum()) for k in range(len(classes))]
        return [Fraction(sum(counts), len(classes) * count) for count in counts]
    weights = np.asarray(compute_class_weight(class_weight, classes=classes, y=classes[codes]), dtype=np.float64)
    integers, scale, rounding = _rounded("class_weight", weights)
    assert integers is not None
    if rounding:
        return [float(w) for w in weights]
    return [Fraction(w, scale) for w in integers.tolist()]
