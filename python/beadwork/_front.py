"""The best trade-offs between features, nodes and errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sklearn.base import BaseEstimator, clone

from . import _core
from ._classifier import BDDClassifier
from ._columns import read_columns
from ._options import whole as _whole
from ._tags import TableTags


class ParetoFront(TableTags, BaseEstimator):  # type: ignore[misc]
    """All trade-offs between features, nodes and errors that no diagram beats in all three, each as a fitted BDDClassifier.

    Parameters
    ----------
    depth : int, default=4
        The largest number of features.
    time_limit, on_interrupt, memory_limit, n_jobs, class_weight, thresholds, reading, options, callback : as in BDDClassifier

    Attributes
    ----------
    points_ : list of BDDClassifier
        Sorted by features, then by nodes.
    complete_ : bool
        Whether the list is proven complete.
    """

    def __init__(
        self,
        depth: int = 4,
        *,
        time_limit: float | str | None = "auto",
        on_interrupt: str = "raise",
        memory_limit: int | None = None,
        n_jobs: int | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        thresholds: str | int = "auto",
        reading: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        callback: Callable[[_core.Progress], Any] | None = None,
    ) -> None:
        self.depth = depth
        self.time_limit = time_limit
        self.on_interrupt = on_interrupt
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.class_weight = class_weight
        self.thresholds = thresholds
        self.reading = reading
        self.options = options
        self.callback = callback

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ParetoFront:
        """Find the front; see BDDClassifier.fit for the parameters."""
        columns = read_columns(X, self, reset=True)
        whole = BDDClassifier(**self.get_params())
        whole.set_params(options={**(self.options or {}), "front": True})
        whole.depth_ = _whole("depth", self.depth)
        binarizer, dataset, rule = whole._build(columns, X, y, sample_weight)
        outcome = whole._learn(binarizer, dataset)
        self.complete_ = outcome.front_complete
        self.points_: list[BDDClassifier] = []
        for point in outcome.front:
            model = clone(whole).set_params(options=self.options)
            for owner, name in ((whole, "classes_"), (whole, "depth_"), (whole, "certificate_"), (self, "n_features_in_")):
                setattr(model, name, getattr(owner, name))
            if "feature_names_in_" in self.__dict__:
                model.feature_names_in_ = self.feature_names_in_
            model._loaded = False
            model._keep(binarizer, dataset, point, rule, warns=False)
            self.points_.append(model)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn 1.5
        return {**super()._more_tags(), "requires_y": True}

    def __iter__(self) -> Iterator[BDDClassifier]:
        return iter(self.points_)

    def __len__(self) -> int:
        return len(self.points_)

    def table(self) -> str:
        """The front as text: features, nodes, errors, whether proven."""
        lines = ["features  nodes  errors  proven"]
        for m in self.points_:
            used = len(m.diagram_.used_features)
            lines.append(f"{used:8d}  {m.n_nodes_:5d}  {m.upper_bound_:6g}  {'yes' if m.optimal_ else 'no'}")
        return "\n".join(lines)
