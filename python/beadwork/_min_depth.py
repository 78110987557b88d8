"""The least depth that makes no avoidable error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import _core
from ._base import DiagramClassifier
from ._options import Options, keeps_interrupted, no_depth, whole
from ._progress import watching
from ._reading import in_units


class MinDepthBDD(DiagramClassifier):
    """The diagram of least depth that makes only unavoidable errors.

    Rows with equal features and different classes cannot all be right; ``unavoidable_errors_`` counts these errors.

    Parameters
    ----------
    max_depth : int, default=6
        The largest depth to try. If it is not enough, the best diagram of that depth is kept and ``least_depth_`` is None.
    time_limit : float, None or "auto", default="auto"
        Seconds for all depths together; "auto" is 60.
    on_interrupt, n_jobs, random_state, class_weight, min_weight_fraction_leaf : as in BDDClassifier
    thresholds, reading, options, verbose, callback : as in BDDClassifier

    Attributes
    ----------
    least_depth_ : int or None
        The least depth, if it was found.
    depth_lower_bound_ : int
        No smaller depth is enough.
    unavoidable_errors_ : number
    Also those of BDDClassifier; bounds are of the errors at depth ``depth_``.
    """

    engine = "search"
    _sorts = False

    def __init__(
        self,
        max_depth: int = 6,
        *,
        time_limit: float | str | None = "auto",
        on_interrupt: str = "raise",
        n_jobs: int | None = None,
        random_state: Any = None,
        class_weight: Mapping[Any, float] | str | None = None,
        min_weight_fraction_leaf: float = 0,
        thresholds: str | int = "auto",
        reading: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        verbose: int | str = "auto",
        callback: Callable[[_core.Progress], Any] | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.time_limit = time_limit
        self.on_interrupt = on_interrupt
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.class_weight = class_weight
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.thresholds = thresholds
        self.reading = reading
        self.options = options
        self.verbose = verbose
        self.callback = callback

    def _options(self) -> Options:
        return self._common_options()

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MinDepthBDD:
        """Find the least depth; see BDDClassifier.fit for the parameters."""
        self._fit(X, y, sample_weight)
        return self

    def _learn(self, binarizer: _core.Binarizer, dataset: _core.Dataset) -> _core.Outcome:
        self.certificate_ = None
        unavoidable = dataset.unavoidable_errors
        self.unavoidable_errors_ = in_units(unavoidable, dataset.weight_scale)
        no_depth(self.options, "the parameter max_depth")
        options = {**self._options(), "depth": whole("max_depth", self.max_depth)}
        callback, close = watching(self.callback, self.verbose)
        try:
            outcome = _core.learn(binarizer, dataset, options, callback, keeps_interrupted(self), least_depth=True)
        finally:
            close()
        found = outcome.upper_bound == unavoidable
        self.depth_ = outcome.depth
        self.least_depth_ = self.depth_ if found else None
        self.depth_lower_bound_ = self.depth_ + (outcome.optimal and not found)
        return outcome
