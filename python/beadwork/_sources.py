"""What ``fit_table`` takes, and which engine reads it."""

from __future__ import annotations

import contextlib
import glob
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ._rows import RawColumn, RowEngine
from ._rows_duckdb import Connection, DuckDBRows, described, kind_of

_COMMENTS = r"(?:\s|--[^\n]*(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*\*/)*"
_QUERY = re.compile(rf"{_COMMENTS}(SELECT|WITH|FROM)\s", re.IGNORECASE)
_END = re.compile(rf";{_COMMENTS}\Z")
_GLOB = re.compile(r"[*?\[]")


def open_rows(source: Any, threads: int, memory: int | None, in_order: bool = False) -> RowEngine:
    """The engine for a source; ``in_order``: DuckDB gives rows in the order in which they come.

    Raises
    ------
    TypeError
        Where nothing here reads such a source.
    """
    library = type(source).__module__.split(".")[0]
    if isinstance(source, (str, os.PathLike)):
        text = os.fspath(source)
        asks = isinstance(source, str) and _QUERY.match(text) and not _is_there(text)  # a file that is there is a file
        return (_query if asks else _parquet)(text, threads, memory, in_order)
    if library in ("duckdb", "_duckdb") and hasattr(source, "query"):
        return DuckDBRows("beadwork_rows", lambda q: source.query("beadwork_rows", q), described(source))
    if library == "polars":
        from ._rows_polars import PolarsRows

        return PolarsRows(source)
    if library == "pyspark":
        from ._rows_spark import spark_rows

        return spark_rows(source)
    if library in ("dask", "dask_expr", "pandas"):
        from ._rows_parts import PartRows

        return PartRows(source)
    if library == "pyarrow" or hasattr(source, "__arrow_c_stream__"):
        return _arrow(source, threads, memory, in_order)
    raise TypeError(
        f"fit_table cannot read a {type(source).__name__}: give a path of Parquet files, a query or relation of DuckDB, an Arrow "
        "table, dataset or stream, or a frame of Polars, pandas, Spark or Dask"
    )


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # longer than any path
        return False


def _query(query: str, threads: int, memory: int | None, in_order: bool) -> DuckDBRows:
    with _until_read(Connection(threads, memory, in_order=in_order)) as ours:
        query = _without_end(query, ours)
        source = f"({query}\n) AS rows_of_query"  # the query may end with a comment
        return DuckDBRows(source, ours.duckdb.sql, ours.described(query), ours)


def _without_end(query: str, connection: Connection) -> str:
    """The query without its semicolon and what follows it, unless that is in a text."""
    count = len(connection.duckdb.extract_statements(query))
    if count != 1:
        raise ValueError(f"expected one query, got {count} statements")
    while end := _END.search(query):
        try:
            connection.duckdb.extract_statements(query[: end.start()])
        except Exception:
            return query
        query = query[: end.start()]
    return query


@contextlib.contextmanager
def _until_read(connection: Connection) -> Iterator[Connection]:
    """The connection stays open if all goes well."""
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def _parquet(path: str, threads: int, memory: int | None, in_order: bool) -> DuckDBRows:
    """Parquet files: a path, a folder of them, or a pattern."""
    files: list[Any] = []
    if "://" not in path:
        found = sorted(glob.glob(path, recursive=True)) if _GLOB.search(path) and not _is_there(path) else [path]
        files = [file for name in found for file in _files_of(Path(name))]
        if not files:
            raise FileNotFoundError(f"{path}: no such file")
        for file in files:
            _check_parquet(file)
    names = [_GLOB.sub(r"[\g<0>]", str(file)) for file in files] or [path]  # DuckDB takes a name for a pattern
    named = "[" + ", ".join("'" + name.replace("'", "''") + "'" for name in names) + "]"
    source = f"read_parquet({named}, hive_partitioning = false)"
    with _until_read(Connection(threads, memory, in_order=in_order)) as ours:
        columns = ours.described(f"SELECT * FROM {source}")
        inside = {name for (name,) in ours.duckdb.execute(f"SELECT DISTINCT name FROM parquet_schema({named})").fetchall()}
        _check_cases(columns[0], inside)
        rows = DuckDBRows(source, ours.duckdb.sql, columns, ours)
        rows.watch(files)
        return rows


def _check_cases(read: list[str], given: Iterable[str]) -> None:
    """DuckDB gives a column another name if its own differs from a column before it in upper and lower case alone."""
    for name in read:
        if name not in given:
            raise ValueError(f"DuckDB takes two columns for one and calls the second {name!r}: rename it")


_MARK = b"PAR1"  # at either end of a Parquet file
_OTHERS = {  # how DuckDB reads others, or pyarrow
    ".csv": "read_csv({!r})", ".tsv": "read_csv({!r})", ".txt": "read_csv({!r})", ".gz": "read_csv({!r})", ".zst": "read_csv({!r})",
    ".json": "read_json({!r})", ".jsonl": "read_json({!r})", ".ndjson": "read_json({!r})", ".xlsx": "read_xlsx({!r})",
}  # fmt: skip


def _check_parquet(file: Path) -> None:
    """What cannot be read says so itself; what is no Parquet file is told how to come here."""
    with file.open("rb") as opened:
        if opened.read(len(_MARK)) == _MARK:
            return
    reader = _OTHERS.get(file.suffix.lower())
    if reader is None:
        raise ValueError(f"{file} is not a Parquet file, which is what fit_table reads; fit takes tables that are in memory")
    query = f"FROM {reader.format(str(file))}"
    raise ValueError(
        f"{file} is not a Parquet file: give the query {query!r}, as which DuckDB reads it, or fit a table that "
        "pandas or another library has read"
    )


def _files_of(path: Path) -> list[Path]:
    return sorted(path.rglob("*.parquet")) if path.is_dir() else [path]


def _arrow(source: Any, threads: int, memory: int | None, in_order: bool) -> DuckDBRows:
    """Arrow data: what can be read again is read in place, a stream is copied into a file of DuckDB first."""
    import pyarrow as pa

    if isinstance(source, pa.RecordBatch):
        source = pa.Table.from_batches([source])
    again = isinstance(source, pa.Table) or (not isinstance(source, pa.RecordBatchReader) and hasattr(source, "scanner"))
    if not again and not isinstance(source, pa.RecordBatchReader):
        source = pa.RecordBatchReader.from_stream(source)
    columns = [_arrow_kind(source, field) for field in source.schema]
    if len({column.name for column in columns}) < len(columns):
        return DuckDBRows("", None, (source.schema.names, ["NULL"] * len(columns)))  # refused by its names
    with _until_read(Connection(threads, memory, in_order=in_order, on_disk=not again)) as ours:
        name = "beadwork_rows"
        ours.duckdb.register(name, source)
        if not again:
            ours.duckdb.execute(f"CREATE TABLE copied AS SELECT * FROM {name}")
            name = "copied"
        read = ours.described(f"SELECT * FROM {name}")
        _check_cases(read[0], source.schema.names)
        known = [column if column.typed else _as_read(column.name, kind) for column, kind in zip(columns, read[1])]
        return DuckDBRows(name, ours.duckdb.sql, read, ours, known)


def _as_read(name: str, kind: str) -> RawColumn:
    try:
        return RawColumn(name, *kind_of(kind))
    except ValueError as error:
        return RawColumn(name, f"unsupported: {error}")


def _arrow_kind(source: Any, field: Any) -> RawColumn:
    """Categories keep their order, which only a table knows in full."""
    import pyarrow as pa

    if not pa.types.is_dictionary(field.type):
        return RawColumn(field.name, "")
    if not field.type.ordered:
        return RawColumn(field.name, "text", True)
    if not isinstance(source, pa.Table):
        return RawColumn(field.name, "unsupported: ordered categories need an Arrow table, or reading={'ordered': ...}", True)
    whole = source.column(field.name).unify_dictionaries()
    levels = whole.chunk(0).dictionary.to_pylist() if whole.num_chunks else []
    return RawColumn(field.name, "text", True, [str(level) for level in levels])


@contextlib.contextmanager
def one_line(source: Any) -> Iterator[None]:
    """Errors of an engine as a ValueError of one line, with the source's name."""
    try:
        yield
    except (ValueError, TypeError, OSError, ImportError, KeyboardInterrupt, MemoryError):
        raise
    except Exception as error:
        if type(error).__module__.split(".")[0] not in ("duckdb", "_duckdb", "polars", "pyarrow", "pyspark", "py4j", "dask"):
            raise
        given = " ".join(str(source).splitlines()) if isinstance(source, (str, os.PathLike)) else ""
        name = f"{given}: " if 0 < len(given) < 200 else ""
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise ValueError(f"{name}{lines[0] if lines else type(error).__name__}") from None
