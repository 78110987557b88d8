"""Tables of DuckDB, and all that DuckDB reads: Parquet files, Arrow tables, datasets and streams."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import unsupported
from ._rows import RawColumn, Sampling, changed
from ._rows_sql import SqlRows, text_literal

_KINDS = {
    "BOOLEAN": "boolean", "FLOAT": "number", "DOUBLE": "number", "DATE": "date", "TIME": "duration", "TIME_NS": "duration",
    "INTERVAL": "duration", "TIMESTAMP": "moment", "TIMESTAMP_S": "moment", "TIMESTAMP_MS": "moment",
    "TIMESTAMP_NS": "moment", "TIMESTAMP WITH TIME ZONE": "moment", "VARCHAR": "text", "NULL": "nothing",
}  # fmt: skip
_INTEGER = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?")


def kind_of(kind: str) -> tuple[str, bool]:
    """The kind of a type, and whether it is one of categories."""
    kind = kind.strip('"')
    if kind.startswith("ENUM"):
        return "text", True
    if kind.startswith("DECIMAL"):
        return "number", False
    if _INTEGER.fullmatch(kind):
        return "integer", False
    if kind not in _KINDS:
        raise unsupported(kind)
    return _KINDS[kind], False


class DuckDBDialect:
    """DuckDB's SQL, on a connection or a relation."""

    def __init__(self, source: str, run: Any, types: dict[str, str]) -> None:
        self.source = source
        self._run = run
        self._types = types

    def quoted(self, name: str) -> str:
        """An identifier."""
        return '"' + name.replace('"', '""') + '"'

    def value(self, column: RawColumn) -> str:
        """A column as DOUBLE, or as text."""
        x = self.quoted(column.name)
        kind = self._types[column.name].strip('"')
        if column.kind == "text":
            return f"CAST({x} AS VARCHAR)"
        if column.kind == "boolean":
            return f"CAST(CAST({x} AS TINYINT) AS DOUBLE)"
        if column.kind in ("integer", "nothing"):
            return f"CAST({x} AS DOUBLE)"
        if kind.startswith("DECIMAL"):  # a text is read to the nearest double
            return f"CAST(CAST({x} AS VARCHAR) AS DOUBLE)"
        if column.kind == "number":
            return f"CASE WHEN isnan({x}) THEN NULL ELSE CAST({x} AS DOUBLE) END"
        if column.kind == "date":
            return f"CAST(date_diff('day', DATE '1970-01-01', {x}) AS DOUBLE)"
        if kind == "TIMESTAMP_NS":
            n = f"epoch_ns({x})"
            return f"CAST(({n} - ({n} % 1000 + 1000) % 1000) // 1000 AS DOUBLE) / 1e6::DOUBLE"
        return f"CAST(epoch_us({x}) AS DOUBLE) / 1e6::DOUBLE"

    def key(self, column: RawColumn) -> str:
        """A class."""
        if column.kind == "integer":
            return f"CAST({self.quoted(column.name)} AS BIGINT)"
        return self.quoted(column.name) if column.kind == "boolean" else self.value(column)

    def even(self, number: str) -> str:
        """Halves to the even one."""
        return f"CAST(round_even(CAST({number} AS DOUBLE), 0) AS BIGINT)"

    def mapping(self, codes: dict[Any, int]) -> str:
        """Inline: a relation of somebody else's connection takes no tables of ours."""
        is_text = any(isinstance(value, str) for value in codes)
        values = ", ".join(text_literal(v) if is_text else f"CAST('{float(v)!r}' AS DOUBLE)" for v in codes)
        kind = "VARCHAR" if is_text else "DOUBLE"
        numbers = ", ".join(str(c) for c in codes.values())
        return f"(SELECT unnest(CAST([{values}] AS {kind}[])) AS v, unnest(CAST([{numbers}] AS INT[])) AS c)"

    def sampled(self, part: str, sampling: Sampling) -> str:
        """A reservoir."""
        if sampling.rows is None or sampling.rows >= sampling.total:
            return part
        return f"SELECT * FROM ({part}) AS s USING SAMPLE reservoir({sampling.rows} ROWS) REPEATABLE (0)"

    def run(self, query: str) -> list[NDArray[Any]]:
        """Through NumPy."""
        got = self._run(query).fetchnumpy()
        return [_filled(values) for values in got.values()]


def _filled(values: Any) -> NDArray[Any]:
    if not isinstance(values, np.ma.MaskedArray):
        return np.asarray(values)
    if values.dtype.kind == "f":
        return np.asarray(values.filled(np.nan))
    out = np.asarray(values.data)
    if np.ma.getmaskarray(values).any():
        out = out.astype(object)
        out[np.ma.getmaskarray(values)] = None
    return out


class DuckDBRows(SqlRows):
    """A table that DuckDB reads."""

    def __init__(self, source: str, run: Any, names: list[str], types: list[str], given: list[RawColumn] | None = None) -> None:
        columns = []
        for i, (name, kind) in enumerate(zip(names, types)):
            try:
                known, typed = kind_of(kind)
            except ValueError as error:
                known, typed = f"unsupported: {error}", False
            columns.append(given[i] if given is not None else RawColumn(name, known, typed))
        super().__init__(DuckDBDialect(source, run, dict(zip(names, types))), columns)
        self._files: list[Path] = []
        self._stamps: list[Any] = []
        self._held: list[Any] = []  # what must live as long as the rows

    def watch(self, files: list[Path]) -> None:
        """Remember what the files are."""
        self._files, self._stamps = files, _stamps(files)

    def hold(self, *things: Any) -> None:
        """Keep things alive."""
        self._held += things

    def unchanged(self) -> None:
        """Compare the files with what they were."""
        if _stamps(self._files) != self._stamps:
            raise changed()


def _stamps(files: list[Path]) -> list[Any]:
    out = []
    for file in files:
        try:
            told = file.stat()
        except OSError:
            raise changed() from None
        out.append((told.st_size, told.st_mtime_ns, told.st_ino))
    return out


def connect(threads: int, memory: int | None, on_disk: bool = False) -> tuple[Any, Any]:
    """A connection of our own, and the folder for what does not fit into memory."""
    try:
        import duckdb
    except ImportError:
        raise ImportError("fit_table reads this through DuckDB, which is not installed: pip install 'beadwork[duckdb]'") from None
    folder = tempfile.TemporaryDirectory(prefix="beadwork-")
    config: dict[str, Any] = {"threads": threads, "temp_directory": folder.name, "preserve_insertion_order": False}
    if memory is not None:
        config["memory_limit"] = f"{int(memory)}MiB"
    return duckdb.connect(str(Path(folder.name) / "rows.db") if on_disk else ":memory:", config=config), folder
