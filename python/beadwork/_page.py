"""The report page: one offline HTML file."""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_y, check_consistent_length

from . import _core
from ._base import add_typed
from ._columns import Columns, add_column, read_columns, text_of
from ._export import model_of
from ._options import reading_of
from ._warned import warn
from ._weights import RowWeights, row_weights


def html_report(
    model: Any,
    X: Any = None,
    y: Any = None,
    X_test: Any = None,
    y_test: Any = None,
    path: str | Path | None = None,
    *,
    sample_weight: Any = None,
    sample_weight_test: Any = None,
    title: str = "",
    positive: Any = None,
    labels: Mapping[str, str | Mapping[Any, str]] | None = None,
    date: str | datetime.date | None = None,
) -> str:
    """A report page: the diagram, a form to ask it, the rows, the evidence, the rules.

    One HTML file that needs no network: the page of ``beadwork report``, with the same figures. With the rows that the model was
    fitted on, and the model as ``fit`` left it (not from a file or a pickle), it is the page of ``beadwork fit --report``: the
    bounds, and with ``options`` such as ``{"within": 5, "front": True, "prices": True}`` prices, the front and models to choose from.

    Parameters
    ----------
    model : fitted classifier
    X, y : table and classes, default=None
        Rows to show and to evaluate: the training rows, or others; the page says which. Without them: the model's own figures.
    X_test, y_test : table and classes of test rows, default=None
    path : path, default=None
        Also write the text to this file.
    sample_weight, sample_weight_test : array-like of shape (n_samples,), default=None
        Weights of the rows, as given to ``fit``.
    title : str, default=""
        Title of the page; by default it names what the model predicts.
    positive : class label, default=None
        The class whose sensitivity and specificity the page shows first.
    labels : dict, default=None
        Readable names for the page: ``{"cp": "chest pain", "thal": {None: "scan", "7": "bad"}}``; None stands for the column.
    date : str or datetime.date, default=None
        The date on the page, such as ``"2026-03-01"``. By default that of ``SOURCE_DATE_EPOCH``, else today in UTC.

    Returns
    -------
    str
    """
    inner = model_of(model)
    rows, learnt, outcome = None, None, getattr(model, "_outcome", None)
    if X is not None:
        given = _Rows(model, inner, X, y, sample_weight, "")
        learnt = given.learnt_from()
        rows = given.shown(learnt if outcome else None)
        if learnt is None:
            warn("X: these are not the rows the model was fitted on, or the weights differ")
    test = None if X_test is None else _Rows(model, inner, X_test, y_test, sample_weight_test, "_test").shown(learnt if outcome else None)
    binarizer, dataset = learnt or (None, None)
    command = "" if inner is model else f"{model.__repr__(N_CHAR_MAX=100_000)}.fit(X, y)"
    words = (text_of(title), "" if positive is None else text_of(positive), _day(date), _labels(labels))
    page = _core.html_report(inner, rows, test, binarizer, dataset, outcome, command, *words)
    if path is not None:
        Path(path).write_text(page, encoding="utf-8")
    return page


def _day(date: str | datetime.date | None) -> str:
    if date is None:
        epoch = os.environ.get("SOURCE_DATE_EPOCH")
        now = time.time() if not epoch else float(epoch)
        date = datetime.datetime.fromtimestamp(now, datetime.timezone.utc).date()
    if isinstance(date, datetime.datetime):
        date = date.date()
    return (date if isinstance(date, datetime.date) else datetime.date.fromisoformat(date)).isoformat()


def _labels(labels: Mapping[str, str | Mapping[Any, str]] | None) -> list[tuple[str, str, str]]:
    out = []
    for column, given in (labels or {}).items():
        for value, text in ({None: given} if isinstance(given, str) else given).items():
            out.append((text_of(column), "" if value is None else text_of(value), text_of(text)))
    return out


class _Rows:
    """A table with classes and weights; rows of weight 0 are left out, as ``fit`` does."""

    def __init__(self, model: Any, inner: _core.Model, X: Any, y: Any, sample_weight: Any, suffix: str) -> None:
        if inner is model:
            raise ValueError("rows need an estimator: BDDClassifier.from_json reads a model")
        if y is None:
            raise ValueError(f"y{suffix} is None, but the page needs it to compare answers")
        self.estimator, self.model = model, inner
        self.X, self.sample_weight = X, sample_weight
        self.columns: Columns = read_columns(X, model, reset=False, strict=not model._loaded)
        self.codes = _class_numbers(inner.class_names, y, f"y{suffix}")
        check_consistent_length(X, self.codes)
        self.weights = self._row_weights(None)

    def _row_weights(self, class_weight: Any) -> RowWeights:
        return row_weights(self.X, self.sample_weight, class_weight, self.estimator.classes_, self.codes)

    def _inputs(self) -> list[tuple[int, str]]:
        target = self.model.binarizer.target
        return [(j, name) for j, name in enumerate(self.columns.column_names()) if name != target]

    def learnt_from(self) -> tuple[_core.Binarizer, _core.Dataset] | None:
        """What the model was learnt from, if these rows are it; they then have the weights of the training."""
        training, names = self.model.training, self.model.class_names
        if len(np.unique(self.codes)) < len(names):
            return None
        params = self.estimator.get_params()
        weights = self._row_weights(params.get("class_weight"))
        target, reading = self.model.binarizer.target, reading_of(params.get("reading"))
        ways: tuple[dict[str, Any] | None, ...] = ({}, None) if training["thresholds"] == "all" else (None,)  # sorted or not
        for options in ways:
            builder = _core.DataBuilder(self.codes, names, target, *weights, training["thresholds"], reading)
            try:
                for j, name in self._inputs():
                    add_column(builder, name, self.columns.read(j))
            except ValueError:  # a word that has no place in an order: other rows
                return None
            binarizer, dataset = builder.finish(options)
            if dataset.is_of(self.model):
                self.weights = weights
                return binarizer, dataset
        return None

    def shown(
        self, learnt: tuple[_core.Binarizer, _core.Dataset] | None
    ) -> tuple[_core.Frame, NDArray[np.int64], NDArray[np.float64] | None]:
        weights = self.weights.integers
        keep = slice(None) if weights is None else weights != 0
        tests, inputs = self.model.binarizer.tests, self.model.binarizer.inputs
        tested = {tests[f][0] for f in self.model.diagram.used_features}
        known = {inputs[i][0]: inputs[i] for i in tested}
        others = {} if learnt is None else {i[0]: i for i in learnt[0].inputs}  # of models beside this one
        frame = _core.Frame()
        for j, name in self._inputs():
            values = self.columns.read(j)[keep]
            try:
                add_typed(frame, name, values, known.get(name, others.get(name)))
            except ValueError:
                if name in known or name not in others:
                    raise
                add_typed(frame, name, values)
        return frame, self.codes[keep], None if weights is None else weights[keep] / self.weights.scale


def _class_numbers(names: list[str], y: Any, what: str) -> NDArray[np.int64]:
    values, codes = np.unique(_check_y(y, multi_output=False, y_numeric=False), return_inverse=True)
    place = {name: k for k, name in enumerate(names)}
    texts = [text_of(value) for value in values.tolist()]
    for text in texts:
        if text not in place:
            raise ValueError(f"{what}: {text!r} is not a class of the model")
    return np.array([place[text] for text in texts], dtype=np.int64)[codes]
