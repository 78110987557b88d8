"""Tables of DuckDB, and all that DuckDB reads: Parquet files, Arrow tables, datasets and streams."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import unsupported
from ._rows import RawColumn, Sampling, changed
from ._rows_sql import SqlRows, number_literal

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


_MOST_MEMORY = 1 << 20  # MiB, as on the command line


class Connection:
    """A connection of our own, with a folder for what does not fit into memory; ``on_disk``: its tables live there."""

    def __init__(self, threads: int, memory: int | None, in_order: bool = False, on_disk: bool = False) -> None:
        try:
            import duckdb
        except ImportError:
            what = "fit_table reads this through DuckDB, which is not installed"
            raise ImportError(f"{what}: pip install 'beadwork[duckdb]'") from None
        self._folder = tempfile.TemporaryDirectory(prefix="beadwork-")
        config: dict[str, Any] = {"threads": threads, "temp_directory": self._folder.name, "preserve_insertion_order": in_order}
        if memory is not None and int(memory) <= _MOST_MEMORY:  # what asks for more is refused by the door of its options
            config["memory_limit"] = f"{int(memory)}MiB"
        place = str(Path(self._folder.name) / "rows.db") if on_disk else ":memory:"
        self.duckdb = duckdb.connect(place, config=config)

    def described(self, query: str) -> tuple[list[str], list[str]]:
        """Names and types of the columns of an answer."""
        return described(self.duckdb.sql(query))

    def close(self) -> None:
        """End it, and remove the folder."""
        self.duckdb.close()
        self._folder.cleanup()


def described(relation: Any) -> tuple[list[str], list[str]]:
    """Names and types of the columns."""
    return list(relation.columns), [str(kind) for kind in relation.types]


class DuckDBDialect:
    """DuckDB's SQL, on a connection or a relation; what is ``ours`` ends with it."""

    def __init__(self, source: str, run: Any, types: dict[str, str], ours: Connection | None) -> None:
        self.source = source
        self._run = run
        self._types = types
        self._ours = ours

    def close(self) -> None:
        """End our connection."""
        if self._ours is not None:
            self._ours.close()

    def quoted(self, name: str) -> str:
        """An identifier."""
        return '"' + name.replace('"', '""') + '"'

    def text(self, text: str) -> str:
        """A text; one of several pieces where there are characters that no literal may have."""
        pieces = ["'" + piece.replace("'", "''") + "'" for piece in text.split("\0")]
        return pieces[0] if len(pieces) == 1 else "(" + " || chr(0) || ".join(pieces) + ")"

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
            # nextafter(d, d) is d. Parquet's statistics do not count NaN, and DuckDB takes isnan(d) for false by them.
            d = f"CAST({x} AS DOUBLE)"
            return f"CASE WHEN isnan(nextafter({d}, {d})) THEN NULL ELSE {d} END"
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
        values = ", ".join(self.text(v) if is_text else number_literal(v) for v in codes)
        kind = "VARCHAR" if is_text else "DOUBLE"
        numbers = ", ".join(str(c) for c in codes.values())
        return f"(SELECT unnest(CAST([{values}] AS {kind}[])) AS v, unnest(CAST([{numbers}] AS INT[])) AS c)"

    def sampled(self, part: str, sampling: Sampling) -> str:
        """A reservoir."""
        if sampling.rows is None or sampling.rows >= sampling.total:
            return part
        return f"SELECT * FROM ({part}) AS s USING SAMPLE reservoir({sampling.rows} ROWS) REPEATABLE (0)"

    def batches(self, columns: str, rows: int) -> Any:
        """Rows in their order."""
        found = self._run(f"SELECT {columns} FROM {self.source}")
        return (found.to_arrow_reader if hasattr(found, "to_arrow_reader") else found.fetch_arrow_reader)(rows)

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

    def __init__(
        self,
        source: str,
        run: Any,
        described: tuple[list[str], list[str]],
        ours: Connection | None = None,
        given: list[RawColumn] | None = None,
    ) -> None:
        names, types = described
        columns = []
        for i, (name, kind) in enumerate(zip(names, types)):
            try:
                known, typed = kind_of(kind)
            except ValueError as error:
                known, typed = f"unsupported: {error}", False
            columns.append(given[i] if given is not None else RawColumn(name, known, typed))
        super().__init__(DuckDBDialect(source, run, dict(zip(names, types)), ours), columns)
        self._files: list[Path] = []
        self._stamps: list[Any] = []

    def batches(self, columns: Sequence[str], rows: int) -> Any:
        """Record batches of Arrow."""
        dialect = self.dialect
        assert isinstance(dialect, DuckDBDialect)
        return dialect.batches(", ".join(dialect.quoted(name) for name in columns), rows)

    def watch(self, files: list[Path]) -> None:
        """Remember what the files are."""
        self._files, self._stamps = files, _stamps(files)

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
