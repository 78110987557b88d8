"""What tables the estimators take, in the words of scikit-learn."""

from __future__ import annotations

from typing import Any

from ._meant import KnownParameters


class TableTags(KnownParameters):
    """Sparse matrices, missing values, strings and categories. Mixed in before BaseEstimator."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn 1.5
        return {"allow_nan": True, "X_types": ["2darray", "sparse", "string", "categorical"]}
