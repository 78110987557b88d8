"""Frames in parts that are pandas frames: those of Dask, and a pandas frame, which is one part.

Each part is read as ``fit`` reads a frame, so that a column is the same here and there.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import Categories, ColumnValues, text_of
from ._frames import pandas_column
from ._rows import (
    MISSING, UNKNOWN, Counts, Cut, FlagCut, Groups, Labelled, MapCut, Pairs, Range, RangeCut, RawColumn, Sampling, Shard,
    TypedRows, integers, labels_of, plain, row_weight,
)  # fmt: skip
from ._times import DAY, Times


def _raw(name: str, dtype: Any) -> RawColumn:
    import pandas as pd

    is_a = pd.api.types
    if isinstance(dtype, pd.CategoricalDtype):
        order = [text_of(c) for c in dtype.categories] if dtype.ordered else None
        return RawColumn(name, "text", True, order)
    if is_a.is_bool_dtype(dtype):
        return RawColumn(name, "boolean")
    if is_a.is_integer_dtype(dtype):
        return RawColumn(name, "integer")
    if is_a.is_numeric_dtype(dtype):
        return RawColumn(name, "number")
    if is_a.is_datetime64_any_dtype(dtype):
        return RawColumn(name, "moment")
    if is_a.is_timedelta64_dtype(dtype):
        return RawColumn(name, "duration")
    return RawColumn(name, "text")


def _parted(values: ColumnValues, kind: str, name: str) -> Any:
    """Numbers, or texts with None, whatever the part's own values look like."""
    if isinstance(values, Categories):
        if kind != "text":
            raise ValueError(f"column {name!r}: texts in one part, numbers in another")
        return np.array([*values.levels, None], dtype=object)[values.codes]
    if kind == "text":
        if not isinstance(values, Times) and np.isnan(np.asarray(values, dtype=np.float64)).all():
            return np.full(len(values), None, dtype=object)
        raise ValueError(f"column {name!r}: objects that are not texts; give it a type")
    if isinstance(values, Times):
        return values.values * DAY if values.kind == "date" else values.values
    return np.asarray(values, dtype=np.float64)


def _kind_of(values: ColumnValues) -> str:
    if isinstance(values, Categories):
        return "text"
    if isinstance(values, Times):
        return "duration" if values.kind == "duration" else "moment"
    return "nothing" if np.isnan(np.asarray(values, dtype=np.float64)).all() else "number"


class _Part:
    """Columns of one part by name."""

    def __init__(self, frame: Any, columns: list[RawColumn]) -> None:
        self.frame = frame
        self.kinds = {column.name: column.kind for column in columns}

    def read(self, name: str) -> Any:
        return _parted(pandas_column(self.frame[name]), self.kinds[name], name)

    def keys(self, name: str) -> NDArray[Any]:
        """Classes as they are."""
        values = self.read(name)
        if self.kinds[name] in ("integer", "boolean") and not np.isnan(values).any():
            return np.asarray(values.astype(np.int64 if self.kinds[name] == "integer" else bool))
        return np.asarray(values)

    def weights(self, labelled: Labelled) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Classes and integer weights of the rows."""
        found, inverse = _factors(self.keys(labelled.target))
        labels = labels_of(found, labelled)[inverse]
        weights = np.ones(len(labels), dtype=np.int64)
        if labelled.weight is not None or labelled.times is not None:
            given = np.ones(len(labels)) if labelled.weight is None else self.read(labelled.weight)
            for k in range(len(labelled.keys)):
                weights[labels == k] = row_weight(labelled, k, given[labels == k])
        return labels, weights


def _factors(values: NDArray[Any]) -> tuple[list[Any], NDArray[np.int64]]:
    """Distinct values, and the place of each; None and NaN are values."""
    import pandas as pd

    codes, found = pd.factorize(values, use_na_sentinel=True)
    known: list[Any] = np.asarray(found).tolist()
    if (codes < 0).any():
        codes = np.where(codes < 0, len(known), codes)
        known.append(None)
    return known, np.asarray(codes, dtype=np.int64)


def _code(part: _Part, cut: Cut) -> NDArray[np.int32]:
    values = part.read(cut.column.name)
    if isinstance(cut, MapCut):
        found, inverse = _factors(values)
        return np.array([MISSING if v is None else cut.codes.get(v, UNKNOWN) for v in found], dtype=np.int32)[inverse]
    gone = np.isnan(values)
    if isinstance(cut, FlagCut):
        return np.where(gone, MISSING, np.where(gone, 0, values)).astype(np.int32)
    assert isinstance(cut, RangeCut)
    return np.where(gone, MISSING, np.searchsorted(np.array(cut.thresholds), values / cut.unit, side="left")).astype(np.int32)


def _summed(keys: list[NDArray[Any]], sums: list[NDArray[np.int64]]) -> Any:
    """Distinct keys with their sums, as a pandas frame."""
    import pandas as pd

    frame = pd.DataFrame({**{f"k{i}": k for i, k in enumerate(keys)}, **{f"s{i}": s for i, s in enumerate(sums)}})
    return frame.groupby([f"k{i}" for i in range(len(keys))], dropna=False, sort=False, as_index=False).sum()


class PartRows(TypedRows):
    """A frame of Dask or pandas."""

    def __init__(self, frame: Any) -> None:
        for name in frame.columns:
            if not isinstance(name, str):
                raise ValueError(f"names of columns must be texts, and {name!r} is not: rename them, as by columns.map(str)")
        self._frame = frame
        self._lazy = type(frame).__module__.split(".")[0] != "pandas"
        self.columns = [_raw(name, dtype) for name, dtype in zip(frame.columns, frame.dtypes)]
        objects = [name for name, dtype in zip(frame.columns, frame.dtypes) if dtype == object]
        kinds = self._kinds(objects)
        self.columns = [RawColumn(c.name, kinds[c.name]) if c.name in kinds else c for c in self.columns]

    def _kinds(self, names: list[str]) -> dict[str, str]:
        """What the columns of objects hold."""
        import pandas as pd

        def work(part: _Part) -> Any:
            return pd.DataFrame({"k0": names, "k1": [_kind_of(pandas_column(part.frame[n])) for n in names], "s0": 1})

        if not names:
            return {}
        got = self._over(work, 2)
        out = {}
        for name in names:
            found = set(got["k1"][got["k0"] == name]) - {"nothing"}
            out[name] = next((k for k in ("text", "moment", "duration", "number") if k in found), "nothing")
        return out

    def _over(self, work: Callable[[_Part], Any], num_keys: int, shard: Shard | None = None) -> Any:
        """The work on each part, and the sums over the parts."""
        import pandas as pd

        columns = self.columns
        if not self._lazy:
            frame = self._frame if shard is None else self._frame.iloc[shard.number :: shard.count]
            done = [work(_Part(frame, columns))]
        else:
            dask: Any = importlib.import_module("dask")
            parts = self._frame.to_delayed()
            if shard is not None:
                parts = list(parts)[shard.number :: shard.count] or [self._frame._meta]
            done = list(dask.compute(*[dask.delayed(_work)(work, part, columns) for part in parts]))
        whole = pd.concat(done, ignore_index=True)
        return whole.groupby(list(whole.columns[:num_keys]), dropna=False, sort=False, as_index=False).sum()

    def pairs(self, target: RawColumn, weight: RawColumn | None) -> Pairs:
        """Classes and weights."""

        def work(part: _Part) -> Any:
            keys = [part.keys(target.name)] + ([] if weight is None else [part.read(weight.name)])
            return _summed(keys, [np.ones(len(keys[0]), dtype=np.int64)])

        got = self._over(work, 1 if weight is None else 2)
        weights = None if weight is None else got["k1"].to_numpy(dtype=np.float64)
        return Pairs([plain(k) for k in got["k0"].tolist()], weights, integers(got["s0"]))

    def ranges(self, columns: Sequence[RawColumn]) -> list[Range]:
        """What booleans and integers lie between."""
        import pandas as pd

        def work(part: _Part) -> Any:
            rows = []
            for i, column in enumerate(columns):
                values = part.read(column.name)
                values = values[~np.isnan(values)]
                rows.append((i, len(values), values.min(initial=np.inf), values.max(initial=-np.inf)))
            return pd.DataFrame({f"k{j}": [row[j] for row in rows] for j in range(4)} | {"s0": [1] * len(rows)})

        if not columns:
            return []
        got = self._over(work, 4)
        out = []
        for i in range(len(columns)):
            mine = got[got["k0"] == i]
            out.append(Range(int((mine["k1"] * mine["s0"]).sum()), float(mine["k2"].min()), float(mine["k3"].max())))
        return out

    def counts(self, column: RawColumn, labelled: Labelled, by_class: bool, sampling: Sampling) -> Counts:
        """Values of a column."""
        text = column.kind == "text"
        step = 1 if text or sampling.rows is None else max(1, sampling.total // sampling.rows)

        def work(part: _Part) -> Any:
            values = part.read(column.name)
            labels, weights = part.weights(labelled)
            kept = np.flatnonzero(weights != 0)[::step]
            keys = [values[kept], labels[kept] if by_class else np.zeros(len(kept), dtype=np.int64)]
            return _summed(keys, [np.ones(len(kept), dtype=np.int64), weights[kept]])

        got = self._over(work, 2)
        values: Any = [plain(v) for v in got["k0"].tolist()] if text else got["k0"].to_numpy(dtype=np.float64)
        return Counts(values, *(integers(got[c]) for c in ("k1", "s0", "s1")))

    def groups(self, cuts: Sequence[Cut], labelled: Labelled, shard: Shard | None = None) -> Groups:
        """Distinct rows, as codes. Every shard is made of whole parts of a frame of Dask; of a frame of pandas, of rows."""

        def work(part: _Part) -> Any:
            labels, weights = part.weights(labelled)
            kept = weights != 0
            codes = [_code(part, cut)[kept] for cut in cuts]
            return _summed([*codes, labels[kept]], [np.ones(int(kept.sum()), dtype=np.int64), weights[kept]])

        got = self._over(work, len(cuts) + 1, shard)
        codes = [got[f"k{i}"].to_numpy() for i in range(len(cuts))]
        return Groups(codes, integers(got[f"k{len(cuts)}"]), integers(got["s1"]), int(got["s0"].sum()))


def _work(work: Callable[[_Part], Any], frame: Any, columns: list[RawColumn]) -> Any:
    return work(_Part(frame, columns))
