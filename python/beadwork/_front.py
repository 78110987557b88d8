"""Errors against nodes and features: every trade-off that nothing beats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sklearn.base import clone

from . import _core
from ._classifier import BDDClassifier
from ._columns import read_columns


class ParetoFront:
    """All (features, nodes, errors) that no diagram beats in all three, each as a fitted BDDClassifier.

    Parameters
    ----------
    depth : int, default=4
        Most features.
    time_limit, memory_limit, n_jobs, class_weight, thresholds, options, callback : as in BDDClassifier

    Attributes
    ----------
    points_ : list of BDDClassifier
        Fitted, by features, then by nodes.
    complete_ : bool
        Whether the list is proven to hold every such point.
    """

    def __init__(
        self,
        depth: int = 4,
        *,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        thresholds: str | int = "quantiles:8",
        options: Mapping[str, Any] | None = None,
        callback: Callable[[_core.Progress], Any] | None = None,
    ) -> None:
        self.template = BDDClassifier(
            depth,
            time_limit=time_limit,
            memory_limit=memory_limit,
            n_jobs=n_jobs,
            class_weight=class_weight,
            thresholds=thresholds,
            options={**(options or {}), "front": True},
            callback=callback,
        )

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ParetoFront:
        """Find the front; see BDDClassifier.fit for the parameters."""
        whole = self.template
        whole.depth_ = int(whole.depth)
        columns = read_columns(X, whole, reset=True)
        binarizer, dataset, rule = whole._build(columns, X, y, sample_weight)
        outcome = whole._learn(binarizer, dataset)
        self.complete_ = outcome.front_complete
        self.points_: list[BDDClassifier] = []
        for point in outcome.front:
            model = clone(whole)
            for name in ("classes_", "n_features_in_", "feature_names_in_", "depth_", "certificate_"):
                if name in whole.__dict__:
                    setattr(model, name, getattr(whole, name))
            model._loaded = False
            model._keep(binarizer, dataset, point, rule, warn=False)
            self.points_.append(model)
        return self

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
