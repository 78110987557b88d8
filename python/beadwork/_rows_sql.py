"""Counts and groups in SQL, for DuckDB and Spark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ._rows import (
    MISSING, SHARD_MODULUS, UNKNOWN, Counts, Cut, FlagCut, Groups, Labelled, MapCut, Pairs, Range, RangeCut, RawColumn,
    Sampling, Shard, TypedRows, integers, labels_of, labels_of_array, plain, shard_factors,
)  # fmt: skip


class Dialect(Protocol):
    """What differs between engines that speak SQL."""

    source: str  # what stands after FROM

    def quoted(self, name: str) -> str:
        """An identifier."""

    def text(self, text: str) -> str:
        """A text."""

    def value(self, column: RawColumn) -> str:
        """A column as DOUBLE, or as text; NULL where missing."""

    def key(self, column: RawColumn) -> str:
        """A class: as the integer, boolean, number or text that it is."""

    def even(self, number: str) -> str:
        """A number rounded to a BIGINT, halves to the even one."""

    def mapping(self, codes: dict[Any, int]) -> str:
        """A table with columns v and c."""

    def sampled(self, part: str, sampling: Sampling) -> str:
        """About so many rows of a query."""

    def run(self, query: str) -> list[NDArray[Any]]:
        """The columns of the answer; None or NaN where NULL."""

    def close(self) -> None:
        """Give back what is ours."""


def number_literal(number: float) -> str:
    """A DOUBLE in SQL, to the last bit."""
    return f"CAST('{float(number)!r}' AS DOUBLE)"


class SqlRows(TypedRows):
    """A table that answers SQL."""

    def __init__(self, dialect: Dialect, columns: list[RawColumn]) -> None:
        self.dialect = dialect
        self.columns = columns

    def pairs(self, target: RawColumn, weight: RawColumn | None) -> Pairs:
        """Classes and weights."""
        d = self.dialect
        key = d.key(target)
        shown = "" if weight is None else f", {d.value(weight)} AS w"
        by = "k" if weight is None else "k, w"
        got = d.run(f"SELECT {by}, count(*) AS r FROM (SELECT {key} AS k{shown} FROM {d.source}) AS t GROUP BY {by}")
        weights = None if weight is None else np.asarray(got[1], dtype=np.float64)
        return Pairs([plain(k) for k in got[0].tolist()], weights, integers(got[-1]))

    def ranges(self, columns: Sequence[RawColumn]) -> list[Range]:
        """What booleans and integers lie between."""
        if not columns:
            return []
        d = self.dialect
        asked = []
        for column in columns:
            name = d.quoted(column.name)
            asked.append(f"count({name})")
            if column.kind == "integer":
                asked += [f"CAST(min({name}) AS DOUBLE)", f"CAST(max({name}) AS DOUBLE)"]
        named = ", ".join(f"{what} AS a{i}" for i, what in enumerate(asked))
        got = iter([a[0] for a in d.run(f"SELECT {named} FROM {d.source}")])
        out = []
        for column in columns:
            count = int(next(got))
            low, high = (next(got), next(got)) if column.kind == "integer" else (0, 1)
            out.append(Range(count) if count == 0 else Range(count, float(low), float(high)))
        return out

    def counts(self, column: RawColumn, labelled: Labelled, by_class: bool, sampling: Sampling) -> Counts:
        """Values of a column."""
        d = self.dialect
        key = f", {d.key(self.column(labelled.target))} AS k" if by_class else ""
        weighed = self._weight(labelled)
        weight = "" if weighed is None else f", {weighed} AS w"
        part = f"SELECT {d.value(column)} AS v{key}{weight} FROM {d.source}"
        if column.kind != "text":
            part = d.sampled(part, sampling)
        by = "v, k" if by_class else "v"
        total = "" if weighed is None else ", CAST(sum(w) AS BIGINT) AS s"
        where = "" if weighed is None or labelled.all_count else " WHERE w <> 0"
        got = d.run(f"SELECT {by}, count(*) AS r{total} FROM ({part}) AS t{where} GROUP BY {by}")
        values = got[0].tolist() if column.kind == "text" else np.asarray(got[0], dtype=np.float64)
        rows = integers(got[2 if by_class else 1])
        labels = labels_of([plain(k) for k in got[1].tolist()], labelled) if by_class else np.zeros(len(rows), np.int64)
        return Counts([plain(v) for v in values] if column.kind == "text" else values, labels, rows,
                      rows if weighed is None else integers(got[-1]))

    def groups(self, cuts: Sequence[Cut], labelled: Labelled, shard: Shard | None = None) -> Groups:
        """Distinct rows, as codes."""
        d = self.dialect
        values, codes, joins = [], [], []
        for i, cut in enumerate(cuts):
            values.append(f"{d.quoted(cut.column.name) if isinstance(cut, FlagCut) else d.value(cut.column)} AS v{i}")
            codes.append(f"{self._code(cut, i)} AS c{i}")
            if isinstance(cut, MapCut):
                joins.append(f" LEFT JOIN {d.mapping(cut.codes)} AS m{i} ON v{i} = m{i}.v")
        weighed = self._weight(labelled)
        inner = ", ".join([*values, f"{d.key(self.column(labelled.target))} AS k"] + ([f"{weighed} AS w"] if weighed else []))
        where = "" if weighed is None or labelled.all_count else " WHERE w <> 0"
        middle = ", ".join([*codes, "k"] + (["w"] if weighed else []))
        by = ", ".join([*(f"c{i}" for i in range(len(cuts))), "k"])
        total = "" if weighed is None else ", CAST(sum(w) AS BIGINT) AS s"
        rows = f"SELECT {middle} FROM (SELECT {inner} FROM {d.source}) AS t{''.join(joins)}{where}"
        here = "" if shard is None else f" WHERE {_in_shard(len(cuts), shard)}"
        got = d.run(f"SELECT {by}, count(*) AS r{total} FROM ({rows}) AS g{here} GROUP BY {by}")
        count = integers(got[len(cuts) + 1])
        labels = labels_of_array(got[len(cuts)], labelled)
        return Groups(got[: len(cuts)], labels, count if weighed is None else integers(got[-1]), int(count.sum()))

    def close(self) -> None:
        """Give back what the engine was lent."""
        self.dialect.close()

    def _code(self, cut: Cut, i: int) -> str:
        v = f"v{i}"
        if isinstance(cut, FlagCut):
            return f"COALESCE(CAST({v} AS TINYINT), CAST({MISSING} AS TINYINT))" if cut.missing else v
        if isinstance(cut, MapCut):
            return f"CASE WHEN {v} IS NULL THEN {MISSING} ELSE COALESCE(m{i}.c, {UNKNOWN}) END"
        number = v if cut.unit == 1.0 else f"({v} / {number_literal(cut.unit)})"
        above = " + ".join(f"CAST({number} > {number_literal(t)} AS INT)" for t in cut.thresholds) or "0"
        return f"CASE WHEN {v} IS NULL THEN {MISSING} ELSE {above} END"

    def _weight(self, labelled: Labelled) -> str | None:
        """The integer weight of a row; None where each counts 1."""
        if labelled.weight is None and labelled.times is None:
            return None
        d = self.dialect
        times = labelled.times or [1] * len(labelled.keys)
        if labelled.weight is None:
            return self._by_class(labelled, [f"CAST({t} AS BIGINT)" for t in times])
        weight = self.column(labelled.weight)
        if weight.kind == "integer" and labelled.scale == 1.0 and labelled.shares is None:
            whole = f"CAST({d.quoted(weight.name)} AS BIGINT)"
            each = [f"{whole} * {t}" for t in times]
            return whole if labelled.times is None else self._by_class(labelled, each)
        shares = labelled.shares or [1.0] * len(labelled.keys)
        value = d.value(weight)
        each = [f"{d.even(f'{value} * {number_literal(s)} * {number_literal(labelled.scale)}')} * {t}"
                for s, t in zip(shares, times)]
        same = labelled.shares is None and labelled.times is None
        return each[0] if same else self._by_class(labelled, each)

    def _by_class(self, labelled: Labelled, each: list[str]) -> str:
        key = self.dialect.key(self.column(labelled.target))
        cases = " ".join(f"WHEN {self._literal(k)} THEN {what}" for k, what in zip(labelled.keys, each))
        return f"CASE {key} {cases} END"

    def _literal(self, key: Any) -> str:
        if isinstance(key, bool):
            return "TRUE" if key else "FALSE"
        if isinstance(key, int):
            return str(key)
        return self.dialect.text(key) if isinstance(key, str) else number_literal(key)


def _in_shard(columns: int, shard: Shard) -> str:
    """Whether the codes c0, c1, ... of a row are those of a shard. Codes are -2 at least."""
    terms = " + ".join(f"(CAST(c{i} AS BIGINT) + 2) * {factor}" for i, factor in enumerate(shard_factors(columns))) or "0"
    return f"(({terms}) % {SHARD_MODULUS}) % {shard.count} = {shard.number}"
