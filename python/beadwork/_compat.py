"""What differs between the versions of scikit-learn from 1.5 on."""

from __future__ import annotations

import inspect
from typing import Any

from sklearn.utils import check_array
from sklearn.utils.validation import _get_feature_names

try:
    from sklearn.utils.validation import _check_feature_names, _check_n_features
except ImportError:  # before 1.6 these were methods

    def _check_feature_names(estimator: Any, X: Any, *, reset: bool) -> None:
        estimator._check_feature_names(X, reset=reset)

    def _check_n_features(estimator: Any, X: Any, *, reset: bool) -> None:
        estimator._check_n_features(X, reset=reset)


class _Named:
    """The names of a frame in the words of the interchange protocol, for versions that do not know its library."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def __dataframe__(self, *args: Any, **kwargs: Any) -> _Named:
        return self

    def column_names(self) -> list[str]:
        """Names of the columns."""
        return self._names


def check_feature_names(estimator: Any, X: Any, *, reset: bool) -> None:
    """Set or compare ``feature_names_in_``."""
    unknown = hasattr(X, "columns") and not hasattr(X, "iloc") and _get_feature_names(X) is None
    names = getattr(X, "column_names", None) if unknown else None  # of Arrow
    _check_feature_names(estimator, _Named(list(names or X.columns)) if unknown else X, reset=reset)


_FINITE = "ensure_all_finite" if "ensure_all_finite" in inspect.signature(check_array).parameters else "force_all_finite"

check_n_features = _check_n_features


def check_matrix(X: Any, estimator: Any) -> Any:
    """Check an array or sparse matrix as scikit-learn does, without changing its type; NaN may stand in it."""
    return check_array(X, accept_sparse="csc", dtype=None, estimator=estimator, input_name="X", **{_FINITE: "allow-nan"})
