"""What all classifiers of the package share: reading tables, learning through the engine, predicting."""

from __future__ import annotations

import contextlib
import html
import json
import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_y, check_consistent_length, check_is_fitted

from . import _core
from ._columns import Categories, Columns, ColumnValues, Times, add_column, read_columns, text_of
from ._depths import Folds, rows_that_count, whole_depth
from ._options import (
    Options,
    check_taken,
    keeps_interrupted,
    reading_of,
    rule_of,
    seconds_of,
    seed_of,
    threads_of,
    warn_of,
)
from ._parts import Learner, learn
from ._progress import watching
from ._reading import ModelReading, in_units
from ._tags import TableTags
from ._warned import warn
from ._weights import row_weights


class TableClassifier(TableTags, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What learns from tables through the engine; use one of its children.

    A child has parameters and an engine; its ``_options`` gives the options of the engine.
    """

    engine: str
    _model: _core.Model | _core.Committee
    _kind: Any = _core.Model  # of _model

    _sorts = True  # with all thresholds, the engine may go by sorted columns

    def _options(self) -> Options:
        """Options that differ from the engine's defaults, by name."""
        raise NotImplementedError

    def _param(self, name: str, default: Any = None) -> Any:
        return getattr(self, name, default)

    def _common_options(self) -> Options:
        options: Options = {"engine": self.engine, "threads": threads_of(self._param("n_jobs"))}
        options["seed"] = seed_of(self._param("random_state"))
        if self._seconds() is not None:
            options["time_limit"] = self._seconds()
        if self._param("memory_limit") is not None:
            options["memory_limit"] = self._param("memory_limit")
        options.update(self._param("options") or {})
        return options

    def _seconds(self) -> float | None:
        given = self._param("options") or {}
        return seconds_of(self._param("time_limit"), self.engine, self._param("certificate", False), given)

    def _folds(self, X: Any, codes: NDArray[np.int64]) -> Folds:
        """Folds of one's own for a size or depth that they choose."""
        return []

    def _most_features(self) -> int:
        """The depth, for thresholds that nobody chose; the engine refuses what is none."""
        depth = (self._param("options") or {}).get("depth", self._param("max_depth", self._param("depth")))
        with contextlib.suppress(ValueError):
            return max(0, whole_depth(depth))
        return 4

    # Reading

    def _labels(self, y: Any, X: Any) -> NDArray[np.int64]:
        if y is None:
            raise ValueError(f"This {type(self).__name__} estimator requires y to be passed, but the target y is None.")
        if isinstance(y, str):
            raise ValueError(f"y is a text: give the classes themselves, for example X[{y!r}] and X without that column")
        y = _check_y(y, multi_output=False, y_numeric=False, estimator=self)
        check_classification_targets(y)
        check_consistent_length(X, y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        return codes.astype(np.int64)

    def _build(
        self, columns: Columns, X: Any, y: Any, sample_weight: Any
    ) -> tuple[_core.Binarizer, _core.Dataset, str]:
        codes = self._labels(y, X)
        weights = row_weights(X, sample_weight, self._param("class_weight"), self.classes_, codes)
        self._fold_rows = rows_that_count(self._folds(X, codes), weights.integers)
        names = columns.column_names()
        target = getattr(y, "name", None)
        target = target if isinstance(target, str) and target else "class"
        while target in names:
            target += "_"
        class_names = [text_of(k) for k in self.classes_.tolist()]
        rule = rule_of(self._param("thresholds", "auto"))
        if rule == "auto":
            counting = columns.num_rows if weights.integers is None else int(np.count_nonzero(weights.integers))
            rule = _core.automatic_thresholds(counting, columns.num_columns, self._most_features())
        builder = _core.DataBuilder(codes, class_names, target, *weights, rule, reading_of(self._param("reading")))
        for j, name in enumerate(names):
            add_column(builder, name, columns.read(j))
        binarizer, dataset = builder.finish(self._options() if self._sorts else None)
        warn_of(builder.warnings)
        return binarizer, dataset, builder.thresholds

    # Learning

    def _read(self, X: Any, y: Any, sample_weight: Any) -> tuple[_core.Binarizer, _core.Dataset, str]:
        check_taken(self.engine, self._param("options") or {})
        keeps_interrupted(self)
        columns = read_columns(X, self, reset=True)
        self._loaded = False
        return self._build(columns, X, y, sample_weight)

    def _fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        binarizer, dataset, rule = self._read(X, y, sample_weight)
        outcome = self._learn(binarizer, dataset)
        self._keep(binarizer, dataset, outcome, rule)
        return self

    def _learn(self, binarizer: _core.Binarizer, dataset: _core.Dataset) -> _core.Outcome:
        return self._learn_by(learn, binarizer, dataset)

    def _learn_by(self, by: Learner, binarizer: _core.Binarizer, dataset: _core.Dataset) -> _core.Outcome:
        options = self._options()
        self.certificate_ = None
        callback, close = watching(self._param("callback"), self._param("verbose", 0))
        try:
            if self._param("certificate", False):
                options = {**options, "certificate": "-"}
            outcome = by(self, binarizer, dataset, options, callback)
            self.certificate_ = outcome.certificate or None
            return outcome
        finally:
            close()

    def _keep(
        self, binarizer: _core.Binarizer, dataset: _core.Dataset, outcome: _core.Outcome, rule: str, warns: bool = True
    ) -> None:
        if outcome.diagram is None:
            raise ValueError("infeasible: no diagram meets these options")
        for text in outcome.warnings:
            warn(text)
        stopped_early = not outcome.optimal
        self._keep_model(binarizer, dataset, outcome, rule)
        told = json.loads(outcome.to_json(dataset))
        self._num_parts = outcome.parts  # told by the run, not by its model
        self.status_ = outcome.status
        scale = outcome.scale
        errors = outcome.upper_bound
        assert errors is not None
        self.optimal_ = outcome.optimal
        self.lower_bound_ = in_units(max(0, outcome.lower_bound - outcome.rounding), scale)
        self.upper_bound_ = in_units(errors, scale)
        self.rounding_ = in_units(outcome.rounding, scale)
        self.gap_ = self.upper_bound_ - self.lower_bound_
        self.features_ = self._model.feature_names
        self.n_binary_features_ = dataset.num_features
        self.fit_time_ = outcome.seconds
        self._keep_lists(told)
        if warns and stopped_early:
            self._warn(outcome, bool(told.get("cut_short")))

    def _keep_model(
        self, binarizer: _core.Binarizer, dataset: _core.Dataset, outcome: _core.Outcome, rule: str
    ) -> None:
        raise NotImplementedError

    def _keep_lists(self, told: dict[str, Any]) -> None:
        """What the columns are worth, and what options top and within, and a range of depths, ask for."""
        for name in ("near_sets_", "near_sets_complete_", "near_sets_without_idle_", "by_depth_", "prices_"):
            self.__dict__.pop(name, None)

        def errors(entry: dict[str, Any]) -> Any:
            return entry["training_cost" if "training_cost" in entry else "training_errors"]

        self._turns = {c["column"]: c["turns"] for c in told["columns"]}
        if any("price" in c for c in told["columns"]):
            self.prices_ = {c["column"]: _price(c["price"]) for c in told["columns"]}
        if told.get("size_choice", {}).get("chosen"):
            curve, chosen = told["size_choice"]["curve"], told["size_choice"]["chosen"]
            self.depth_, self.best_index_ = chosen["depth"], curve.index(chosen)
            self.cv_results_: dict[str, Any] = {
                ours: np.array([point[theirs] for point in curve])
                for ours, theirs in (
                    ("depth", "depth"),
                    ("nodes", "nodes"),
                    ("mean_test_score", "mean"),
                    ("standard_error", "standard_error"),
                )
                if theirs in chosen
            }
            self.cv_results_["std_test_score"] = self.cv_results_["standard_error"] * math.sqrt(told["size_choice"]["folds"] - 1)
        if "near_sets" in told:
            self.near_sets_complete_ = told["near_sets"]["complete"]
            self.near_sets_ = [
                {**{k: s[k] for k in ("features", "copies", "intervals") if k in s}, "errors": errors(s)}
                for s in told["near_sets"]["sets"]
            ]
            busy = told["near_sets"].get("without_idle")
            self.near_sets_without_idle_ = busy and [{"features": s["features"], "errors": errors(s)} for s in busy]
        if "by_depth" in told:
            kept = ("depth", "status", "features", "lower_bound")
            self.by_depth_ = [{**{k: a[k] for k in kept}, "errors": errors(a)} for a in told["by_depth"]]

    def _warn(self, outcome: _core.Outcome, cut_short: bool) -> None:
        exact = {name: proves for name, _, proves, _ in _core.engines()}[self.engine]
        if not (exact or cut_short or outcome.interrupted or outcome.stopped):
            return
        why = "interrupted" if outcome.interrupted else "stopped by the callback" if outcome.stopped else "stopped by a limit"
        low, high = f"{self.lower_bound_:g}", f"{self.upper_bound_:g}"
        possible = f"; between {low} and {high} errors are possible" if exact else ""
        if exact and low == high:
            possible = f"; its {high} errors are also the lower bound, but the proof was not finished"
        helps = "A longer time_limit, more n_jobs or a smaller depth helps" if exact else "A longer time_limit helps"
        kept = "not proven optimal. The best diagram" if exact else "the best diagram"
        warn(f"{why}: {kept} so far was kept{possible}. {helps}", ConvergenceWarning)

    # scikit-learn

    def __getstate__(self) -> dict[str, Any]:
        """Plain values only: the model as the text of its file."""
        state = dict(super().__getstate__())
        state.pop("_outcome", None)
        state.pop("_num_parts", None)
        if "_model" in state:
            state["_model"] = state["_model"].to_json()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        if isinstance(state.get("_model"), str):
            state["_model"] = self._kind.from_json(state["_model"])
        super().__setstate__(state)


class DiagramClassifier(ModelReading, TableClassifier):
    """Base of the classifiers that are one diagram; use one of its children."""

    _model: _core.Model

    def _keep_model(
        self, binarizer: _core.Binarizer, dataset: _core.Dataset, outcome: _core.Outcome, rule: str
    ) -> None:
        share = self._param("min_weight_fraction_leaf", 0)
        if share > 0:
            if outcome.costs:
                raise ValueError("min_weight_fraction_leaf cannot be combined with costs")
            outcome.drop_light(binarizer, dataset, math.ceil(share * dataset.total_weight))
        self._model = _core.make_model(binarizer, dataset, outcome, rule)
        self._outcome = outcome  # for a page; not pickled

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The importance of each column of ``X``; they add up to 1, or are all 0 for a diagram without tests.

        A column counts for the training rows, by weight, that get another class if this column alone has another value.
        """
        check_is_fitted(self, "status_")
        if "_turns" not in self.__dict__:
            raise AttributeError("a model that was read from a file does not know its training rows")
        names = self.__dict__.get("feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)])
        turns = np.array([self._turns.get(str(name), 0) for name in names], dtype=float)
        return np.asarray(turns / turns.sum() if turns.any() else turns)

    # Predicting

    def _frame(self, X: Any) -> _core.Frame:
        check_is_fitted(self, "status_")
        columns = read_columns(X, self, reset=False, strict=not self._loaded)
        tests = self._model.binarizer.tests
        return frame_of(columns, self._model.binarizer, {tests[f][0] for f in self._model.diagram.used_features})

    def _follow(self, X: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Class and path numbers of the rows."""
        classes, paths, unseen = self._model.predict(self._frame(X))
        warn_of_unseen(unseen)
        return classes, paths

    def predict(self, X: Any) -> NDArray[Any]:
        """Classes of the rows of ``X``.

        Parameters
        ----------
        X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self, "status_")
        return np.asarray(self.classes_[self._follow(X)[0]])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Shares of the classes among the training rows on each row's path.

        Parameters
        ----------
        X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``. A path that no training row took has the shares of the nearest branch
            above it that has rows.
        """
        check_is_fitted(self, "status_")
        return np.asarray(self._model.probabilities(self._follow(X)[1]))

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """In notebooks, if the model is fitted: what is proven, the accuracy, the picture of the diagram."""
        if "_model" not in self.__dict__:
            return super()._repr_mimebundle_(**kwargs)
        svg = self._model.to_svg()
        training = self._model.training
        accuracy = 100 * (1 - training["errors"] / max(1, training["total_weight"]))
        claim = self.claim_[:1].upper() + self.claim_[1:]
        told = f"<p><b>{html.escape(repr(self))}</b></p><p>{html.escape(claim)}.<br>Training accuracy {accuracy:.2f} %.</p>"
        return {"text/plain": repr(self), "text/html": f"<div>{told}{svg}</div>", "image/svg+xml": svg}


def warn_of_unseen(unseen: list[tuple[str, int]]) -> None:
    for column, count in unseen:
        warn(f"{count} row(s) have a value of {column!r} that did not occur in training: every test on that column fails")


def _price(told: dict[str, Any]) -> tuple[Any, Any] | None:
    """Least and most, equal where it is proven; None for a column with a required feature."""
    return None if told["status"] == "required" else (told["least"], told["most"])


def frame_of(columns: Columns, binarizer: _core.Binarizer, needed: set[int] | None = None) -> _core.Frame:
    """The columns that a binarizer tests, or those of them that are needed, with the types they had in training."""
    place = {name: j for j, name in enumerate(columns.column_names())}
    frame = _core.Frame()
    for i, known in enumerate(binarizer.inputs):
        if needed is not None and i not in needed:
            continue
        if known[0] not in place:
            raise ValueError(f"the model needs column {known[0]!r}, which is missing")
        add_typed(frame, known[0], columns.read(place[known[0]]), known)
    if frame.num_columns == 0:  # a model without tests still needs the number of rows
        frame.add_numbers("row", np.zeros(columns.num_rows, dtype=np.uint8), False)
    return frame


def add_typed(frame: _core.Frame, name: str, values: ColumnValues, known: Any = None) -> None:
    """Hand over a column as what it was in training (an input of the binarizer), or by what it holds (None)."""
    kind: str | None = None
    reading: Any = ("plain",)
    if known is not None:
        kind, reading = known[1], known[3]
    dates = reading[0] in ("date", "moment")
    if isinstance(values, Times):
        minutes = reading[0] == "duration" and reading[5] == 2  # "12:30" may be either
        if known is not None and (kind == "nominal" or minutes or dates != (values.kind != "duration")):
            raise ValueError(f"column {name!r} holds values of kind {values.kind}, which it did not in training")
        frame.add_times(name, values.values, values.kind)
    elif isinstance(values, Categories):
        if kind == "numeric" and reading[0] == "plain" and not reading[6]:
            frame.add_numbers(name, _parsed(name, values), False)
        else:
            frame.add_codes(name, values.codes, values.levels)
    else:
        if dates and not np.isnan(values).all():
            raise ValueError(f"column {name!r} holds numbers, but held dates in training")
        ordered = reading[0] == "ordinal"  # perhaps of numbers
        if ordered and not np.isnan(values).all() and not any(_NUMBER.fullmatch(level) for level in known[2]):
            raise ValueError(f"column {name!r} holds numbers, but held words in training, such as {known[2][0]!r}")
        frame.add_numbers(name, values, None if kind is None else ordered or kind == "nominal")


_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*")


def _parsed(name: str, values: Categories) -> NDArray[np.float64]:
    """Texts that are plain numbers, as in training."""
    for code in np.unique(values.codes[values.codes >= 0]):
        if not _NUMBER.fullmatch(values.levels[code]):
            raise ValueError(
                f"could not convert string to float: {values.levels[code]!r} (column {name!r} was numeric in training)"
            )
    table = [float(level) if _NUMBER.fullmatch(level) else np.nan for level in values.levels]
    return np.array([*table, np.nan])[np.where(values.codes < 0, -1, values.codes)]
