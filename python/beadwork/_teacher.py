"""Labels mixed with what another classifier thinks of each row, by cross-validation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import check_cv, cross_val_predict

UNIT = 256  # shares of a row are counted in these


def mixed_shares(
    teacher: Any, weight: Any, X: Any, codes: NDArray[np.int64], num_classes: int, cv: Any, n_jobs: int | None
) -> NDArray[np.int64]:
    """What each row counts for each class, in units: of the label, and ``weight`` of it of the teacher's probabilities.

    The teacher never answers a row that it has learnt from.

    Raises
    ------
    ValueError
        Where ``weight`` is no number from 0 to 1, or the teacher has no ``predict_proba``.
    """
    if not isinstance(weight, (int, float, np.number)) or isinstance(weight, bool) or not 0 <= float(weight) <= 1:
        raise ValueError(f"teacher_weight: expected a number from 0 to 1, got {weight!r}")
    if not hasattr(teacher, "predict_proba"):
        raise ValueError(f"teacher: {type(teacher).__name__} has no predict_proba")
    label = np.eye(num_classes)[codes]
    if weight == 0 or num_classes < 2:
        return rounded(label)
    folds = check_cv(cv, codes, classifier=True)
    told = cross_val_predict(clone(teacher), X, codes, cv=folds, n_jobs=n_jobs, method="predict_proba")
    return rounded((1 - weight) * label + weight * np.asarray(told, dtype=float))


def rounded(shares: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole units that add up to UNIT in each row: what rounding down leaves goes to the largest remainders."""
    if not np.isfinite(shares).all() or (shares < 0).any() or not math.isclose(shares.sum(), len(shares), rel_tol=1e-6):
        raise ValueError("teacher: its probabilities must be at least 0 and add up to 1 in each row")
    exact = shares * UNIT
    units = np.floor(exact).astype(np.int64)
    order = np.argsort(-(exact - units), axis=1, kind="stable")
    missing = UNIT - units.sum(axis=1)
    np.put_along_axis(
        units, order, np.take_along_axis(units, order, axis=1) + (np.arange(shares.shape[1]) < missing[:, None]), axis=1
    )
    return np.ascontiguousarray(units)
