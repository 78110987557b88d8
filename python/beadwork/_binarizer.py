"""The tests on raw columns, as a transformer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_y, check_consistent_length, check_is_fitted

from . import _core
from ._base import frame_of
from ._columns import add_column, read_columns, text_of
from ._options import reading_of, rule_of, warn_of
from ._tags import TableTags


class TableBinarizer(TableTags, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Raw columns as 0/1 features: ``age <= 37.5``, ``color = red``, ``income is missing``.

    A missing value, or a category that did not occur in training, fails every test on the column except ``is missing``.

    Parameters
    ----------
    thresholds : str or int, default="quantiles:8"
        For numeric columns: "all" midpoints, "quantiles:N" or N, or "mdlp", which needs ``y``.
    reading : dict, default=None
        How to read columns of text, as in BDDClassifier.

    Attributes
    ----------
    n_features_in_, feature_names_in_ : as in scikit-learn
    tests_ : list of tuple
        (column, "at_most", "equals" or "missing", threshold, level) of each feature.
    """

    def __init__(self, thresholds: str | int = "quantiles:8", *, reading: Mapping[str, Any] | None = None) -> None:
        self.thresholds = thresholds
        self.reading = reading

    def fit(self, X: Any, y: Any = None) -> TableBinarizer:
        """Choose the tests."""
        rule = rule_of(self.thresholds)
        columns = read_columns(X, self, reset=True)
        if y is None and rule == "mdlp":
            raise ValueError("thresholds='mdlp' requires y to be passed, but the target y is None.")
        codes, names = np.zeros(columns.num_rows, dtype=np.int64), ["0"]
        if y is not None and rule == "mdlp":
            y = _check_y(y, multi_output=False, y_numeric=False, estimator=self)
            check_classification_targets(y)
            check_consistent_length(X, y)
            classes, found = np.unique(y, return_inverse=True)
            codes, names = found.astype(np.int64), [text_of(k) for k in classes.tolist()]
        builder = _core.DataBuilder(codes, names, " class", None, 1, 0, rule, reading_of(self.reading))
        for j, name in enumerate(columns.column_names()):
            add_column(builder, name, columns.read(j))
        self._binarizer = builder.finish()[0]
        warn_of(builder.warnings)
        self.tests_ = self._binarizer.tests
        return self

    def transform(self, X: Any) -> NDArray[np.uint8]:
        """The 0/1 matrix of the features.

        Returns
        -------
        ndarray of shape (n_samples, n_features_out), uint8
        """
        check_is_fitted(self, "tests_")
        columns = read_columns(X, self, reset=False)
        return np.asarray(self._binarizer.bits(frame_of(columns, self._binarizer)))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names of the features."""
        check_is_fitted(self, "tests_")
        if input_features is not None and "feature_names_in_" in self.__dict__:
            if list(input_features) != list(self.feature_names_in_):
                raise ValueError("input_features is not equal to feature_names_in_")
        elif input_features is not None and len(input_features) != self.n_features_in_:
            raise ValueError(
                f"input_features should have length equal to number of features ({self.n_features_in_}), "
                f"got {len(input_features)}"
            )
        return np.asarray(self._binarizer.feature_names, dtype=object)

    def __getstate__(self) -> dict[str, Any]:
        """Plain values only."""
        state = dict(super().__getstate__())
        if "_binarizer" in state:
            state["_binarizer"] = list(state["_binarizer"].__getstate__()[1:6])  # what it is made of: these values last
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        if isinstance(state.get("_binarizer"), list):
            state["_binarizer"] = _core.Binarizer.make(*state["_binarizer"])
        super().__setstate__(state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn 1.5
        return {**super()._more_tags(), "preserves_dtype": []}
