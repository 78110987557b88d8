"""A vote of diagrams."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import TableClassifier, frame_of, warn_of_unseen
from ._columns import read_columns
from ._export import write_text
from ._options import Options, cost_texts, names_of, no_depth, whole
from ._reading import in_units, model_text, take_training
from ._warned import warn


class BDDCommittee(TableClassifier):
    """A vote of all diagrams near the optimum.

    Every set of at most ``depth`` features whose best diagram is within ``within`` errors of the optimum has a vote, if none of
    its features is idle (without it the set would make more errors). The optimum is the diagram that ``BDDClassifier`` gives. A
    tie goes to its answer, or else to the first of the tied classes.

    Parameters
    ----------
    depth : int, default=4
        The largest number of binary features that a diagram may use.
    within : number or str, default="1%"
        How many errors more than the optimum a diagram may make; a percentage is of the training weight.
    max_members : int, default=100
        The largest number of diagrams that vote; those with the fewest errors come first.
    bias, time_limit, on_interrupt, memory_limit, n_jobs, random_state, class_weight, thresholds, reading, costs, require, \
forbid, options, verbose, callback : as in BDDClassifier

    Attributes
    ----------
    claim_ : str
        Who votes, and what is proven of the optimum.
    extent_ : str
        "complete" (all such sets vote), "first" (``max_members`` of them) or "stopped" (a limit came first).
    members_ : list of dict
        Of each diagram its "errors" (with ``costs``: its cost), its "features" and its "diagram", whose feature f is
        ``features_[f]``. The optimum comes first.
    within_ : number
        ``within`` as a number of errors.
    status_, optimal_, lower_bound_, upper_bound_, gap_, rounding_ : as in BDDClassifier, of the optimum
    features_ : list of str
        The features that some diagram tests.
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn
    n_binary_features_ : int
    fit_time_ : float

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from beadwork import BDDCommittee
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> committee = BDDCommittee(depth=2, within=1).fit(X, y)
    >>> committee.extent_, committee.upper_bound_
    ('complete', 7)
    """

    engine = "search"
    _kind = _core.Committee
    _model: _core.Committee

    def __init__(
        self,
        depth: int = 4,
        *,
        within: float | str = "1%",
        max_members: int = 100,
        bias: str | None = None,
        time_limit: float | str | None = "auto",
        on_interrupt: str = "raise",
        memory_limit: int | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        class_weight: Mapping[Any, float] | str | None = None,
        thresholds: str | int = "auto",
        reading: Mapping[str, Any] | None = None,
        costs: Any = None,
        require: Sequence[str] | None = None,
        forbid: Sequence[str] | None = None,
        options: Mapping[str, Any] | None = None,
        verbose: int | str = "auto",
        callback: Callable[[_core.Progress], Any] | None = None,
    ) -> None:
        self.depth = depth
        self.within = within
        self.max_members = max_members
        self.bias = bias
        self.time_limit = time_limit
        self.on_interrupt = on_interrupt
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.class_weight = class_weight
        self.thresholds = thresholds
        self.reading = reading
        self.costs = costs
        self.require = require
        self.forbid = forbid
        self.options = options
        self.verbose = verbose
        self.callback = callback

    def _options(self) -> Options:
        if self.within is None or isinstance(self.within, bool):
            raise ValueError(f"within: expected a number of errors or a percentage such as '1%', got {self.within!r}")
        no_depth(self.options, "the parameter depth, a whole number")
        options = {**self._common_options(), "depth": whole("depth", self.depth), "committee": self.within}
        options["committee_size"] = whole("max_members", self.max_members)
        for name in ("bias", "require", "forbid"):
            given = getattr(self, name)
            if given is not None:
                options[name] = given if name == "bias" else names_of(name, given)
        if self.costs is not None:
            options["costs"] = cost_texts(self.costs, len(self.classes_))
        return options

    def _one_depth(self) -> None:
        """Before a search is divided: a committee has no other."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> BDDCommittee:
        """Learn the diagrams; parameters as in BDDClassifier.fit."""
        self._fit(X, y, sample_weight)
        if self.optimal_ and self.extent_ == "stopped":
            warn("stopped by a limit: the optimum is proven, but there may be more feature sets near it", ConvergenceWarning)
        return self

    def _keep_model(
        self, binarizer: _core.Binarizer, dataset: _core.Dataset, outcome: _core.Outcome, rule: str
    ) -> None:
        self._model = _core.make_committee(binarizer, dataset, outcome, rule)

    def _fitted(self) -> _core.Committee:
        if "_model" not in self.__dict__:
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        return self._model

    @property
    def claim_(self) -> str:
        """Who votes, and what is proven of the optimum, in one sentence."""
        return self._fitted().sentence(self.__dict__.get("_num_parts", 1))

    @property
    def extent_(self) -> str:
        """Whether all such sets vote."""
        return self._fitted().extent

    @property
    def within_(self) -> int | float:
        """The margin in errors."""
        model = self._fitted()
        return in_units(model.within, model.optimum.training["scale"])

    @property
    def members_(self) -> list[dict[str, Any]]:
        """Errors, features and diagram of each member, the optimum first."""
        model = self._fitted()
        scale = model.optimum.training["scale"]
        return [{"errors": in_units(cost, scale), "features": names, "diagram": d} for cost, names, d in model.members]

    # Voting

    def _vote(self, X: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Winner of each row, and the votes for each class."""
        check_is_fitted(self, "status_")
        columns = read_columns(X, self, reset=False, strict=not self._loaded)
        binarizer = self._model.optimum.binarizer
        tested = {f for _, _, diagram in self._model.members for f in diagram.used_features}
        classes, votes, unseen = self._model.vote(frame_of(columns, binarizer, {binarizer.tests[f][0] for f in tested}))
        warn_of_unseen(unseen)
        return classes, votes

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the most votes, for each row of ``X``."""
        check_is_fitted(self, "status_")
        return np.asarray(self.classes_[self._vote(X)[0]])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The share of the votes for each class, in the order of ``classes_``."""
        return np.asarray(self._vote(X)[1] / len(self._fitted().members))

    def agreement(self, X: Any) -> NDArray[np.float64]:
        """The share of the members that give the committee's answer, for each row of ``X``."""
        classes, votes = self._vote(X)
        return np.asarray(np.take_along_axis(votes, classes[:, None], axis=1)[:, 0] / len(self._model.members))

    # Files

    def to_json(self, path: str | Path | None = None) -> str:
        """The committee as the command line's ``fit --committee -o`` writes it; also into a file, if a path is given."""
        check_is_fitted(self, "status_")
        return write_text(self._model.to_json(), path)

    @classmethod
    def from_json(cls, source: str | Path) -> BDDCommittee:
        """A fitted committee from a model file or its text; as BDDClassifier.from_json."""
        text, name = model_text(source)
        model = _core.Committee.from_json(text, name)
        self = cls()
        take_training(self, model.optimum)
        self._model, self._loaded = model, True
        self.set_params(within=self.within_, max_members=max(100, len(model.members)))
        return self
