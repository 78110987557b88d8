"""The least depth that makes no avoidable error."""

from __future__ import annotations

import time
from dataclasses import KW_ONLY, dataclass

from . import _core
from ._base import SearchingClassifier
from ._options import keeps_interrupted, whole
from ._progress import watching
from ._reading import in_units


@dataclass(eq=False, repr=False)
class MinDepthBDD(SearchingClassifier):
    """The diagram of least depth that makes only unavoidable errors.

    Rows with equal features and different classes cannot all be right; ``unavoidable_errors_`` counts these errors.

    Parameters
    ----------
    max_depth : int, default=6
        The largest depth to try. If it is not enough, the best diagram of that depth is kept and ``least_depth_`` is None.
    time_limit : float, default=None
        Seconds for all depths together.
    on_interrupt, n_jobs, random_state, class_weight, min_weight_fraction_leaf, thresholds, options, verbose, callback : as in BDDClassifier

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

    max_depth: int = 6
    _: KW_ONLY
    n_jobs: int | None = None

    def _learn(self, binarizer: _core.Binarizer, dataset: _core.Dataset) -> _core.Outcome:
        """One exact search per depth, from 0 up; each but the last proves that its depth is not enough."""
        self.certificate_ = self.least_depth_ = None
        unavoidable = dataset.unavoidable_errors
        self.unavoidable_errors_ = in_units(unavoidable, dataset.weight_scale)
        until = None if self.time_limit is None else time.monotonic() + self.time_limit
        options = self._options()
        with watching(self.callback, self.verbose) as callback:
            for depth in range(whole("max_depth", self.max_depth) + 1):
                options["depth"] = depth
                if until is not None:
                    options["time_limit"] = max(0.0, until - time.monotonic())
                outcome = _core.learn(binarizer, dataset, options, callback, keeps_interrupted(self))
                self.depth_ = self.depth_lower_bound_ = depth
                if outcome.upper_bound == unavoidable:
                    self.least_depth_ = depth
                    break
                if not outcome.optimal:
                    break
                self.depth_lower_bound_ = depth + 1
        return outcome
