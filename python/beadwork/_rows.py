"""What an engine of tables is asked for by ``fit_table``: counts of values, and the distinct rows with their weights.

An engine never hands over the rows. It counts the values of each column, from which the tests on the column follow, then it
groups the rows by what these tests say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Union

import numpy as np
from numpy.typing import NDArray

MISSING, UNKNOWN = -1, -2  # codes of a missing value, and of one that was not there when the values were counted


@dataclass(frozen=True)
class RawColumn:
    """A column as its engine declares it.

    ``kind`` is "boolean", "integer", "number", "date", "moment", "duration", "text" or "nothing". Text may be known to be
    categories (``typed``); ``order`` has their order, lowest first, if they have one.
    """

    name: str
    kind: str
    typed: bool = False
    order: list[str] | None = None


@dataclass(frozen=True)
class Labelled:
    """Classes and weights of the rows: a row of class ``keys[k]`` and weight w counts rint(w x shares[k] x scale) x times[k].

    Without a weight column w is 1. Rows that count 0 are left out; ``all_count`` says that there are none.
    """

    target: str
    keys: list[Any]
    weight: str | None = None
    scale: float = 1.0
    shares: list[float] | None = None
    times: list[int] | None = None
    all_count: bool = True


@dataclass(frozen=True)
class Pairs:
    """Distinct classes and weights, with the number of their rows."""

    keys: list[Any]  # None where missing
    weights: NDArray[np.float64] | None
    rows: NDArray[np.int64]


@dataclass(frozen=True)
class Range:
    """Of a column of booleans or integers: how many values there are, the least and the largest."""

    count: int
    low: float = float("nan")
    high: float = float("nan")


@dataclass(frozen=True)
class Counts:
    """Distinct values of a column, NaN or None where missing; their rows, and these rows' weight. ``labels`` where asked."""

    values: Any  # an array of float64, or a list of texts
    labels: NDArray[np.int64]
    rows: NDArray[np.int64]
    weights: NDArray[np.int64]


@dataclass(frozen=True)
class FlagCut:
    """Codes of a column of booleans, or of integers that are 0 and 1: these."""

    column: RawColumn
    missing: bool  # whether there are missing values


@dataclass(frozen=True)
class RangeCut:
    """Codes of numbers: how many of the thresholds are below. Numbers are divided by ``unit`` first."""

    column: RawColumn
    thresholds: list[float]
    unit: float = 1.0


@dataclass(frozen=True)
class MapCut:
    """Codes of single values, texts or numbers."""

    column: RawColumn
    codes: dict[Any, int]


Cut = Union[FlagCut, RangeCut, MapCut]


@dataclass(frozen=True)
class Groups:
    """Distinct rows: a code for each cut, the class, the weight and the number of rows."""

    codes: list[NDArray[Any]]
    labels: NDArray[np.int64]
    weights: NDArray[np.int64]
    rows: int


@dataclass(frozen=True)
class Shard:
    """The part ``number`` of ``count`` parts of the rows. A row belongs to one of them, in every reading the same."""

    number: int
    count: int


_FACTORS = (1_000_003, 754_974_721, 1_618_033_989, 1_414_213_573, 577_215_683, 1_732_050_811)
SHARD_MODULUS = 2_147_483_647


def shard_factors(columns: int) -> list[int]:
    """Factors of the codes: the sum of the products, modulo ``SHARD_MODULUS``, modulo the number of shards, is a row's shard."""
    return [(_FACTORS[i % len(_FACTORS)] * (i + 1)) % SHARD_MODULUS for i in range(columns)]


@dataclass
class Sampling:
    """Numbers are counted in about this many rows only; None: in all."""

    rows: int | None = None
    total: int = field(default=0)


class RowEngine(Protocol):
    """A table in an engine."""

    columns: list[RawColumn]

    def pairs(self, target: RawColumn, weight: RawColumn | None) -> Pairs:
        """Classes and weights."""

    def ranges(self, columns: Sequence[RawColumn]) -> list[Range]:
        """What booleans and integers lie between."""

    def counts(self, column: RawColumn, labelled: Labelled, by_class: bool, sampling: Sampling) -> Counts:
        """Values of a column."""

    def groups(self, cuts: Sequence[Cut], labelled: Labelled, shard: Shard | None = None) -> Groups:
        """Distinct rows, as codes: of all rows, or of a shard."""

    def unchanged(self) -> None:
        """Raise ValueError if the files are not those that were opened."""

    def close(self) -> None:
        """Give back what is ours."""


class TypedRows:
    """What the engines have in common: columns by name, and nothing to watch or to give back."""

    columns: list[RawColumn]

    def column(self, name: str) -> RawColumn:
        """The column of this name."""
        return next(c for c in self.columns if c.name == name)

    def unchanged(self) -> None:
        """Nothing to compare."""

    def close(self) -> None:
        """Nothing to give back."""


def plain(value: Any) -> Any:
    """None for all that means no value."""
    return None if value is None or value != value else value


def integers(values: Any) -> NDArray[np.int64]:
    """Counts and sums, none of which may be missing."""
    return np.ascontiguousarray(np.asarray(values), dtype=np.int64)


def labels_of(keys: Sequence[Any], labelled: Labelled) -> NDArray[np.int64]:
    """Class numbers of keys; a key that is none is a change of the table."""
    place = {key: k for k, key in enumerate(labelled.keys)}
    try:
        return np.array([place[key] for key in keys], dtype=np.int64)
    except KeyError:
        raise changed() from None


def labels_of_array(keys: NDArray[Any], labelled: Labelled) -> NDArray[np.int64]:
    """Class numbers of many keys."""
    keys = np.ma.getdata(keys)
    found, inverse = np.unique(keys, return_inverse=True)
    return np.ascontiguousarray(labels_of(found.tolist(), labelled)[inverse.reshape(-1)])


def changed() -> ValueError:
    """What to raise when two readings of a table do not fit together."""
    return ValueError("the table changed while it was read; fit again")


def row_weight(labelled: Labelled, label: int, weight: Any) -> Any:
    """The integer weight of rows of one class, for an array of weights."""
    share = 1.0 if labelled.shares is None else labelled.shares[label]
    times = 1 if labelled.times is None else labelled.times[label]
    return np.rint(np.asarray(weight, dtype=np.float64) * share * labelled.scale).astype(np.int64) * times
