"""Frames of Spark, counted and grouped by Spark."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import unsupported
from ._rows import RawColumn, Sampling
from ._rows_sql import SqlRows

_KINDS = {
    "boolean": "boolean", "tinyint": "integer", "smallint": "integer", "int": "integer", "bigint": "integer",
    "float": "number", "double": "number", "string": "text", "date": "date", "timestamp": "moment",
    "timestamp_ntz": "moment", "void": "nothing",
}  # fmt: skip
_numbers = itertools.count()


class SparkDialect:
    """Spark's SQL, on a view of a frame."""

    def __init__(self, frame: Any, types: dict[str, str]) -> None:
        self._session = frame.sparkSession
        self._types = types
        self.source = f"beadwork_rows_{next(_numbers)}"
        self.views = [self.source]
        self._mappings: dict[tuple[Any, ...], str] = {}
        frame.createOrReplaceTempView(self.source)

    def quoted(self, name: str) -> str:
        """An identifier."""
        return "`" + name.replace("`", "``") + "`"

    def text(self, text: str) -> str:
        """A text, in Spark's escapes."""
        plain = "".join(c if c.isalnum() and c.isascii() else f"\\u{ord(c):04X}" if ord(c) < 0x10000 else f"\\U{ord(c):08X}" for c in text)
        return f"'{plain}'"

    def value(self, column: RawColumn) -> str:
        """A column as DOUBLE, or as text."""
        x = self.quoted(column.name)
        kind = self._types[column.name]
        if column.kind == "text":
            return f"CAST({x} AS STRING)"
        if column.kind == "number" and kind in ("float", "double"):
            return f"CASE WHEN isnan({x}) THEN NULL ELSE CAST({x} AS DOUBLE) END"
        if column.kind == "date":
            return f"CAST(datediff({x}, DATE'1970-01-01') AS DOUBLE)"
        if kind == "timestamp_ntz":
            return f"CAST(timestampdiff(MICROSECOND, TIMESTAMP_NTZ'1970-01-01 00:00:00', {x}) AS DOUBLE) / 1e6D"
        if column.kind == "moment":
            return f"CAST(unix_micros({x}) AS DOUBLE) / 1e6D"
        return f"CAST({x} AS DOUBLE)"

    def key(self, column: RawColumn) -> str:
        """A class."""
        if column.kind == "integer":
            return f"CAST({self.quoted(column.name)} AS BIGINT)"
        return self.quoted(column.name) if column.kind == "boolean" else self.value(column)

    def even(self, number: str) -> str:
        """Halves to the even one."""
        return f"CAST(rint({number}) AS BIGINT)"

    def mapping(self, codes: dict[Any, int]) -> str:
        """A view of its own, which stays for later queries."""
        known = self._mappings.get(tuple(codes.items()))
        if known is not None:
            return known
        is_text = any(isinstance(value, str) for value in codes)
        schema = f"v {'string' if is_text else 'double'}, c int"
        name = f"{self.source}_codes_{len(self.views)}"
        self.views.append(name)
        self._session.createDataFrame(list(codes.items()), schema).createOrReplaceTempView(name)
        self._mappings[tuple(codes.items())] = name
        return name

    def sampled(self, part: str, sampling: Sampling) -> str:
        """Rows by chance, with a seed."""
        if sampling.rows is None or sampling.rows >= sampling.total:
            return part
        percent = max(100.0 * sampling.rows / sampling.total, 1e-4)
        return f"SELECT * FROM ({part}) TABLESAMPLE ({percent:f} PERCENT) REPEATABLE (0)"

    def run(self, query: str) -> list[NDArray[Any]]:
        """The answer's rows, which are few."""
        answer = self._session.sql(query)
        rows = answer.collect()
        out = []
        for j, kind in enumerate(kind for _, kind in answer.dtypes):
            values = [row[j] for row in rows]
            plain = kind == "string" or any(v is None for v in values) and kind != "double"
            out.append(np.array(values, dtype=object if plain else None) if kind != "double" else np.array(values, dtype=np.float64))
        return out

    def close(self) -> None:
        """Forget the views."""
        for name in self.views:
            self._session.catalog.dropTempView(name)


def _raw(name: str, kind: str) -> RawColumn:
    if kind.startswith("decimal"):
        return RawColumn(name, "number")
    return RawColumn(name, _KINDS[kind]) if kind in _KINDS else RawColumn(name, f"unsupported: {unsupported(kind)}")


def spark_rows(frame: Any) -> SqlRows:
    """A frame of Spark."""
    return SqlRows(SparkDialect(frame, dict(frame.dtypes)), [_raw(name, kind) for name, kind in frame.dtypes])
