"""Dates, times and durations as numbers that the engine shows as dates, times and durations."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

DAY = 86400


@dataclass(frozen=True)
class Times:
    """Numbers of kind "date" (days since 1970), "moment" (seconds since then, in UTC) or "duration" (seconds)."""

    values: NDArray[np.float64]
    kind: str
    merged: bool = False
    """Times that differed before are the same here."""

    def __getitem__(self, rows: Any) -> Times:
        return Times(self.values[rows], self.kind, self.merged)


TEMPORAL = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)


def times_of(values: NDArray[Any]) -> Times:
    """An array of datetime64 or timedelta64; moments that are all at midnight are dates."""
    calendar = values.dtype.kind == "M"
    micros = values.astype("datetime64[us]" if calendar else "timedelta64[us]").astype(np.int64)
    seconds = np.where(np.isnat(values), np.nan, micros / 1e6)
    merged = merges(values.astype(np.int64)[~np.isnat(values)], seconds[~np.isnat(values)])
    if not calendar:
        return Times(seconds, "duration", merged)
    days = seconds / DAY
    whole = np.isnan(days) | (days == np.floor(days))
    return Times(days, "date") if whole.all() else Times(seconds, "moment", merged)


def merges(before: NDArray[np.int64], after: NDArray[np.float64]) -> bool:
    """Are there two places with different values before, and the same after?"""
    order = np.argsort(before, kind="stable")
    before, after = before[order], after[order]
    return bool(np.any((np.diff(before) != 0) & (np.diff(after) == 0)))


def times_of_objects(values: Sequence[Any]) -> Times:
    """Objects of Python or NumPy, None or NaT where missing; all dates, all times of day, or all durations."""
    present = [v for v in values if v is not None and v == v]
    dates = ((datetime.date, np.datetime64), "datetime64[us]")
    spans = ((datetime.timedelta, np.timedelta64), "timedelta64[us]")
    for types, numpy_type in (dates, spans):
        if all(isinstance(v, types) for v in present):
            plain = [None if v is None or v != v else _without_zone(v) for v in values]
            return times_of(np.array(plain, dtype=numpy_type))
    if all(isinstance(v, datetime.time) for v in present):
        return Times(np.array([np.nan if v is None else _second_of_day(v) for v in values]), "duration")
    kinds = sorted({type(v).__name__ for v in present})
    raise ValueError(f"values of several kinds: {', '.join(kinds)}")


def _without_zone(value: Any) -> Any:
    if getattr(value, "tzinfo", None) is not None:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return value.to_datetime64() if hasattr(value, "to_datetime64") else value


def _second_of_day(value: datetime.time) -> float:
    return value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6
