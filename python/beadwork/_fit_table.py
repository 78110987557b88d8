"""Learning from tables that stay where they are: values are counted and rows are grouped by the engine that holds them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

from . import _core
from ._arrays import text_of, unsupported
from ._columns import Categories, ColumnValues, Times, add_column
from ._depths import is_chosen
from ._options import check_taken, keeps_interrupted, number_of_parts, reading_of, warn_of, whole
from ._rows import MISSING, UNKNOWN, Counts, Cut, FlagCut, Groups, Labelled, MapCut, RangeCut, RawColumn, RowEngine, Sampling, changed
from ._times import DAY
from ._weights import CountedWeights, counted_weights


@dataclass
class TableRows:
    """What is known of the rows before any column is looked at."""

    engine: RowEngine
    inputs: list[RawColumn]
    target: RawColumn
    classes: NDArray[Any]
    num_rows: int
    counted: CountedWeights
    labelled: Labelled


def check_for_tables(estimator: Any, approximate: int | None, shards: int | None) -> None:
    """Refuse what merged rows cannot have."""
    plain = {"depth": not is_chosen(estimator._depth()), "size": estimator.size is None}
    for name, is_plain in plain.items():
        if not is_plain:
            raise ValueError(f"{name}: fit_table merges equal rows, so it can make no folds of them; use fit")
    if approximate is not None and whole("approximate", approximate) < 1:
        raise ValueError(f"approximate: expected a number of rows, got {approximate!r}")
    if shards is not None:
        number_of_parts("shards", shards)
    check_taken(estimator.engine, estimator.options or {})
    keeps_interrupted(estimator)


def read_rows(engine: RowEngine, target: str, weight: str | None, columns: Any, class_weight: Any) -> TableRows:
    """Roles of the columns, classes and weights."""
    by_name = {column.name: column for column in engine.columns}
    if len(by_name) < len(engine.columns):
        names = [column.name for column in engine.columns]
        raise ValueError(f"two columns are named {next(n for n in names if names.count(n) > 1)!r}")
    for role, name in (("target", target), ("weight", weight), *(("columns", name) for name in columns or ())):
        if name is not None and name not in by_name:
            raise ValueError(f"{role}: the table has no column {name!r}; its columns are {', '.join(map(repr, by_name))}")
    inputs = [c for c in engine.columns if c.name not in (target, weight) and (columns is None or c.name in columns)]
    if not inputs:
        raise ValueError("the table has no columns to learn from")
    for column in (*inputs, by_name[target], *([by_name[weight]] if weight is not None else [])):
        if column.kind.startswith("unsupported"):
            raise ValueError(f"column {column.name!r}: {column.kind.partition(': ')[2]}")
    return _with_classes(engine, inputs, by_name[target], None if weight is None else by_name[weight], class_weight)


def _with_classes(engine: RowEngine, inputs: list[RawColumn], target: RawColumn, weight: Any, class_weight: Any) -> TableRows:
    if target.kind not in ("boolean", "integer", "number", "text"):
        raise ValueError(f"target: column {target.name!r} holds neither texts nor numbers")
    if weight is not None and weight.kind not in ("boolean", "integer", "number"):
        raise ValueError(f"weight: column {weight.name!r} does not hold numbers")
    pairs = engine.pairs(target, weight)
    num_rows = int(pairs.rows.sum())
    if num_rows == 0:
        raise ValueError("the table has no rows")
    without = int(sum(r for k, r in zip(pairs.keys, pairs.rows.tolist()) if k is None))
    if without:
        raise ValueError(
            f"{without} row(s) have no class in column {target.name!r}; leave them out before, as WHERE ... IS NOT NULL does in a query"
        )
    classes, codes = np.unique(np.array(pairs.keys), return_inverse=True)
    with warnings.catch_warnings():  # of many classes, beside few rows
        warnings.simplefilter("ignore")
        check_classification_targets(classes)
    counted = counted_weights(pairs.weights, class_weight, classes, codes.astype(np.int64), pairs.rows)
    keys = [text_of(k) if target.kind == "text" else k for k in classes.tolist()]
    labelled = Labelled(target.name, keys, None if weight is None or counted.ones else weight.name,
                        counted.row_scale, counted.shares, counted.times, counted.all_count)
    return TableRows(engine, inputs, target, classes, num_rows, counted, labelled)


class TableBuilder:
    """Tests on the columns, then the distinct rows."""

    def __init__(self, rows: TableRows, rule: str, reading: Any, approximate: int | None) -> None:
        self.rows = rows
        self.rule = rule
        self.reading = reading_of(reading)
        self.sampling = Sampling(approximate, rows.num_rows)
        self.class_names = [text_of(k) for k in rows.classes.tolist()]
        self.target = rows.target.name
        self.inputs: list[Any] = []
        self.tests: list[Any] = []
        self.cuts: list[Cut] = []
        self.bits: list[NDArray[np.uint8]] = []
        self.placed: set[str] = set()

    def build(self, shards: int | None = None) -> tuple[_core.Binarizer, _core.Dataset]:
        """The tests and the rows; no rows where they are to come in shards."""
        ranges = self._ranges()
        for column in self.rows.inputs:
            self._add(column, ranges.get(column.name))
        for name in self.reading.get("ordered", {}):
            if name not in self.placed:
                raise ValueError(f"reading['ordered']: no column {name!r} holds texts or numbers")
        binarizer = _core.Binarizer.make(self.inputs, self.tests, self.target, self.class_names, [])
        return binarizer, self.dataset(binarizer) if shards is None else self.frame(binarizer)

    def _ranges(self) -> dict[str, Any]:
        asked = [c for c in self.rows.inputs if c.kind in ("boolean", "integer")]
        return dict(zip((c.name for c in asked), self.rows.engine.ranges(asked)))

    def _add(self, column: RawColumn, known: Any) -> None:
        flags = known is not None and known.count > 0 and known.low >= 0 and known.high <= 1
        ordered = column.name in self.reading.get("ordered", {})
        if flags and not ordered:
            gone = [np.nan] if known.count < self.rows.num_rows else []
            values = np.array([0.0, 1.0, *gone])
            ones = np.ones(len(values), dtype=np.int64)
            self._take(column, values, Counts(values, np.zeros_like(ones), ones, ones), "flags")
            return
        counts = self.rows.engine.counts(column, self.rows.labelled, self.rule == "mdlp", self.sampling)
        if column.kind == "text" or ordered:
            self._take(column, *_as_column(column, counts), "map")
        else:
            self._take(column, *_as_column(column, counts), "range")

    def _take(self, column: RawColumn, values: ColumnValues, counts: Counts, how: str) -> None:
        """The tests on a column, by what the library makes of its distinct values."""
        options = {k: v for k, v in self.reading.items() if k != "ordered"}
        if column.name in self.reading.get("ordered", {}):
            options["ordered"] = {column.name: self.reading["ordered"][column.name]}
            self.placed.add(column.name)
        weights = None if self.rows.counted.ones and self.rule != "mdlp" and how == "flags" else counts.weights
        scale, rounding = self.rows.counted.scale, self.rows.counted.rounding
        builder = _core.DataBuilder(
            counts.labels, self.class_names, self.target, weights, scale, rounding, self.rule, options, counts.rows
        )
        try:
            add_column(builder, column.name, values)
        except (TypeError, ValueError) as error:
            raise type(error)(f"column {column.name!r}: {error}") from None
        binarizer, dataset = builder.finish()
        warn_of(builder.warnings)
        if not binarizer.inputs:  # left out
            return
        if binarizer.tests:
            self._cut(column, values, binarizer, dataset, how)
        self.tests += [(len(self.inputs), *test[1:]) for test in binarizer.tests]
        self.inputs += binarizer.inputs

    def _cut(self, column: RawColumn, values: ColumnValues, binarizer: Any, dataset: Any, how: str) -> None:
        if how == "map":
            self._cut_by_value(column, values, dataset.bits())
            return
        kinds = [test[1] for test in binarizer.tests]
        thresholds = [t for _, kind, t, _ in binarizer.tests if kind == "at_most"]
        nominal = "equals" in kinds
        if how == "flags":
            self.cuts.append(FlagCut(column, bool(np.isnan(np.asarray(values)).any())))
        else:
            unit = DAY if column.kind == "moment" and isinstance(values, Times) and values.kind == "date" else 1.0
            self.cuts.append(RangeCut(column, [0.5] if nominal else thresholds, unit))
        codes = 2 if nominal else len(thresholds) + 1
        bits = np.zeros((codes + 1, len(kinds)), dtype=np.uint8)  # the last one: missing
        for j, (_, kind, threshold, level) in enumerate(binarizer.tests):
            if kind == "missing":
                bits[codes, j] = 1
            elif kind == "equals":
                bits[int(level), j] = 1
            else:
                bits[: thresholds.index(threshold) + 1, j] = 1
        self.bits.append(bits)

    def _cut_by_value(self, column: RawColumn, values: ColumnValues, bits: NDArray[np.uint8]) -> None:
        """Values that no test tells apart have one code."""
        kinds, code = np.unique(bits, axis=0, return_inverse=True)
        code = code.reshape(-1)
        keys = values.codes if isinstance(values, Categories) else np.asarray(getattr(values, "values", values))
        gone = keys < 0 if isinstance(values, Categories) else np.isnan(keys)
        named = [values.levels[k] if isinstance(values, Categories) else k for k in keys[~gone].tolist()]
        self.cuts.append(MapCut(column, dict(zip(named, code[~gone].tolist()))))
        last = kinds[code[gone][0]] if gone.any() else np.zeros(kinds.shape[1], dtype=np.uint8)
        self.bits.append(np.ascontiguousarray(np.vstack([kinds, last]), dtype=np.uint8))

    def dataset(self, binarizer: _core.Binarizer) -> _core.Dataset:
        """All rows."""
        groups = self.rows.engine.groups(self.cuts, self.rows.labelled)
        self.check_all(groups.rows, self.of_classes(groups))
        self.rows.engine.unchanged()
        return self.packed(binarizer, groups)

    def frame(self, binarizer: _core.Binarizer) -> _core.Dataset:
        """Tests and classes, no rows."""
        none = np.zeros(0, dtype=np.int64)
        return self.packed(binarizer, Groups([none] * len(self.bits), none, none, 0))

    def of_classes(self, groups: Groups) -> list[int]:
        """The weight of each class."""
        return [int(groups.weights[groups.labels == k].sum()) for k in range(len(self.class_names))]

    def check_all(self, num_rows: int, of_class: list[int]) -> None:
        """Compare what was read with what was counted first."""
        if num_rows != self.rows.counted.num_rows or of_class != self.rows.counted.of_class:
            raise changed()

    def packed(self, binarizer: _core.Binarizer, groups: Groups) -> _core.Dataset:
        """Rows as bits."""
        counted = self.rows.counted
        builder = _core.RowGroups(groups.labels, groups.weights, counted.scale, counted.rounding, groups.rows)
        for codes, bits in zip(groups.codes, self.bits):
            place = np.ascontiguousarray(codes, dtype=np.int64)
            if (place == UNKNOWN).any() or place.max(initial=0) > len(bits) - 2:
                raise changed()
            place[place == MISSING] = len(bits) - 1
            builder.add(place, bits)
        return builder.finish(binarizer, self.rule)


def _as_column(column: RawColumn, counts: Counts) -> tuple[ColumnValues, Counts]:
    """Distinct values as the column of them that the in-memory way would have read."""
    if column.kind == "text":
        present = sorted({v for v in counts.values if v is not None})
        levels = column.order if column.order is not None else present
        place = {level: i for i, level in enumerate(levels)}
        codes = np.array([-1 if v is None else place[v] for v in counts.values], dtype=np.int64)
        return Categories(codes, levels, column.typed, column.order is not None), counts
    numbers = np.asarray(counts.values, dtype=np.float64)
    if np.isinf(numbers).any():
        raise ValueError(f"column {column.name!r}: Input X contains infinity or a value too large for dtype('float64').")
    if column.kind in ("date", "duration"):
        return Times(numbers, column.kind), counts
    if column.kind == "moment":
        whole = np.isnan(numbers) | (numbers % DAY == 0)
        return (Times(numbers / DAY, "date") if whole.all() else Times(numbers, "moment")), counts
    if column.kind not in ("boolean", "integer", "number", "nothing"):
        raise unsupported(column.kind)
    return numbers, counts
