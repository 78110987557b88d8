"""Frames of Polars, lazy or not, counted and grouped by Polars itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._arrays import unsupported
from ._rows import (
    MISSING, SHARD_MODULUS, UNKNOWN, Counts, Cut, FlagCut, Groups, Labelled, MapCut, Pairs, Range, RawColumn, Sampling, Shard,
    TypedRows, integers, labels_of, labels_of_array, shard_factors,
)  # fmt: skip


def _raw(name: str, dtype: Any) -> RawColumn:
    import polars as pl

    if dtype == pl.Enum:
        return RawColumn(name, "text", True, dtype.categories.to_list())
    if dtype == pl.Categorical:
        return RawColumn(name, "text", True)
    kinds = {pl.Boolean: "boolean", pl.String: "text", pl.Date: "date", pl.Time: "duration", pl.Duration: "duration"}
    for known, kind in kinds.items():
        if dtype == known:
            return RawColumn(name, kind)
    if dtype == pl.Datetime:
        return RawColumn(name, "moment")
    if dtype == pl.Null:
        return RawColumn(name, "nothing")
    if dtype.is_integer():
        return RawColumn(name, "integer")
    return RawColumn(name, "number") if dtype.is_numeric() else RawColumn(name, f"unsupported: {unsupported(dtype)}")


def _divisor(column: RawColumn) -> float:
    return 1e6 if column.kind in ("moment", "duration") else 1.0


def _most_micros(threshold: float, unit: float) -> int:
    """The most microseconds that are, in units of so many seconds, at most the threshold."""
    micros = int(threshold * unit * 1e6)
    while micros / 1e6 / unit <= threshold:
        micros += 1
    while micros / 1e6 / unit > threshold:
        micros -= 1
    return micros


class PolarsRows(TypedRows):
    """A frame of Polars."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame.lazy()
        self._schema = self._frame.collect_schema()
        self.columns = [_raw(name, dtype) for name, dtype in self._schema.items()]

    def _collect(self, frame: Any) -> Any:
        return frame.collect(engine="streaming")

    def _value(self, column: RawColumn) -> Any:
        """A column as Float64, as text, or as microseconds, which are divided elsewhere: Polars rounds quotients its own way."""
        import polars as pl

        x = pl.col(column.name)
        dtype = self._schema[column.name]
        if column.kind == "text":
            return x.cast(pl.String)
        if column.kind == "date":
            return x.cast(pl.Int32).cast(pl.Float64)
        if column.kind in ("moment", "duration"):
            whole = x.cast(pl.Int64)
            return {"ns": whole // 1000, "us": whole, "ms": whole * 1000}[getattr(dtype, "time_unit", None) or "ns"]
        number = x.cast(pl.String).cast(pl.Float64) if dtype.is_decimal() else x.cast(pl.Float64)
        return number.fill_nan(None) if column.kind == "number" else number

    def _key(self, column: RawColumn) -> Any:
        import polars as pl

        if column.kind == "integer":
            return pl.col(column.name).cast(pl.Int64)
        return pl.col(column.name) if column.kind == "boolean" else self._value(column)

    def pairs(self, target: RawColumn, weight: RawColumn | None) -> Pairs:
        """Classes and weights."""
        import polars as pl

        by = [self._key(target).alias("k")] + ([] if weight is None else [self._value(weight).alias("w")])
        got = self._collect(self._frame.select(by).group_by(pl.all()).agg(pl.len().alias("r")))
        weights = None if weight is None else got["w"].cast(pl.Float64).fill_null(np.nan).to_numpy()
        return Pairs(got["k"].to_list(), weights, integers(got["r"].to_numpy()))

    def ranges(self, columns: Sequence[RawColumn]) -> list[Range]:
        """What booleans and integers lie between."""
        import polars as pl

        if not columns:
            return []
        asked = []
        for i, column in enumerate(columns):
            x = pl.col(column.name)
            asked += [x.count().alias(f"n{i}"), x.min().cast(pl.Float64).alias(f"l{i}"), x.max().cast(pl.Float64).alias(f"h{i}")]
        got = self._collect(self._frame.select(asked)).row(0, named=True)
        return [Range(got[f"n{i}"], got[f"l{i}"], got[f"h{i}"]) if got[f"n{i}"] else Range(0) for i in range(len(columns))]

    def counts(self, column: RawColumn, labelled: Labelled, by_class: bool, sampling: Sampling) -> Counts:
        """Values of a column."""
        import polars as pl

        key = [self._key(self.column(labelled.target)).alias("k")] if by_class else []
        part = self._frame.select([self._value(column).alias("v"), *key, self._weight(labelled).alias("w")])
        if sampling.rows is not None and column.kind != "text":
            part = part.gather_every(max(1, sampling.total // sampling.rows))
        if not labelled.all_count:
            part = part.filter(pl.col("w") != 0)
        by = ["v", "k"] if by_class else ["v"]
        got = self._collect(part.group_by(by).agg(pl.len().alias("r"), pl.col("w").sum().alias("s")))
        text = column.kind == "text"
        values = got["v"].to_list() if text else got["v"].cast(pl.Float64).fill_null(np.nan).to_numpy() / _divisor(column)
        labels = labels_of(got["k"].to_list(), labelled) if by_class else np.zeros(len(got), dtype=np.int64)
        return Counts(values, labels, integers(got["r"].to_numpy()), integers(got["s"].to_numpy()))

    def groups(self, cuts: Sequence[Cut], labelled: Labelled, shard: Shard | None = None) -> Groups:
        """Distinct rows, as codes."""
        import polars as pl

        codes = [self._code(cut).alias(f"c{i}") for i, cut in enumerate(cuts)]
        key = self._key(self.column(labelled.target)).alias("k")
        part = self._frame.select([*codes, key, self._weight(labelled).alias("w")])
        if not labelled.all_count:
            part = part.filter(pl.col("w") != 0)
        if shard is not None:
            terms = [(pl.col(f"c{i}").cast(pl.Int64) + 2) * factor for i, factor in enumerate(shard_factors(len(cuts)))]
            place = pl.sum_horizontal([pl.lit(0, dtype=pl.Int64), *terms]) % SHARD_MODULUS % shard.count
            part = part.filter(place == shard.number)
        by = [*(f"c{i}" for i in range(len(cuts))), "k"]
        got = self._collect(part.group_by(by).agg(pl.len().alias("r"), pl.col("w").sum().alias("s")))
        labels = labels_of_array(got["k"].to_numpy(), labelled)
        each = [got[f"c{i}"].to_numpy() for i in range(len(cuts))]
        return Groups(each, labels, integers(got["s"].to_numpy()), int(got["r"].sum()))

    def _code(self, cut: Cut) -> Any:
        import polars as pl

        if isinstance(cut, FlagCut):
            return pl.col(cut.column.name).cast(pl.Int8).fill_null(MISSING)
        value = self._value(cut.column)
        if isinstance(cut, MapCut):
            found = value.replace_strict(list(cut.codes), list(cut.codes.values()), default=UNKNOWN, return_dtype=pl.Int32)
            return pl.when(value.is_null()).then(MISSING).otherwise(found)
        divisor = _divisor(cut.column)
        limits = cut.thresholds if divisor == 1 else [_most_micros(t, cut.unit) for t in cut.thresholds]
        above = pl.sum_horizontal([pl.lit(0, dtype=pl.Int32), *((value > t).cast(pl.Int32) for t in limits)])
        return pl.when(value.is_null()).then(MISSING).otherwise(above)

    def _weight(self, labelled: Labelled) -> Any:
        import polars as pl

        times = labelled.times or [1] * len(labelled.keys)
        one = pl.lit(1, dtype=pl.Int64)
        by_class = labelled.shares is not None or labelled.times is not None
        if labelled.weight is None:
            each = [pl.lit(t, dtype=pl.Int64) for t in times]
            return self._by_class(labelled, each) if by_class else one
        weight = self._value(self.column(labelled.weight))
        shares = labelled.shares or [1.0] * len(labelled.keys)
        each = [(weight * s * labelled.scale).round(mode="half_to_even").cast(pl.Int64) * t for s, t in zip(shares, times)]
        return self._by_class(labelled, each) if by_class else each[0]

    def _by_class(self, labelled: Labelled, each: list[Any]) -> Any:
        import polars as pl

        key = self._key(self.column(labelled.target))
        out: Any = pl.lit(0, dtype=pl.Int64)
        for known, what in zip(labelled.keys, each):
            out = pl.when(key == known).then(what).otherwise(out)
        return out
