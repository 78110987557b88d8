"""Rows of a table, some at a time and in their order, to be predicted."""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Iterator, Sequence
from typing import Any

from ._rows_duckdb import DuckDBRows
from ._sources import open_rows


def batches_of(source: Any, columns: Sequence[str], rows: int, threads: int, memory: int | None) -> Iterator[Any]:
    """Frames of at most about so many rows, with the columns named."""
    library = type(source).__module__.split(".")[0]
    if library == "pyspark":
        raise TypeError("Spark predicts by itself: give it the query of export_as(model, 'sql')")
    if library == "polars":
        frame = source.lazy()
        _check(columns, frame.collect_schema().names())
        yield from frame.select(columns).collect_batches(maintain_order=True, chunk_size=rows)
    elif library == "pandas":
        _check(columns, source.columns)
        for first in range(0, len(source), rows):
            yield source[list(columns)].iloc[first : first + rows]
    elif library in ("dask", "dask_expr"):
        _check(columns, source.columns)
        dask: Any = importlib.import_module("dask")
        for part in source[list(columns)].to_delayed():
            yield dask.compute(part)[0]
    else:
        yield from _by_duckdb(source, columns, rows, threads, memory)


def _by_duckdb(source: Any, columns: Sequence[str], rows: int, threads: int, memory: int | None) -> Iterator[Any]:
    import pyarrow as pa

    if hasattr(source, "__arrow_c_stream__") and not isinstance(source, (str, os.PathLike)) and not hasattr(source, "query"):
        reader = pa.RecordBatchReader.from_stream(source)
        _check(columns, reader.schema.names)
        for batch in reader:
            yield pa.Table.from_batches([batch]).select(list(columns))
        return
    with contextlib.closing(open_rows(source, threads, memory, in_order=True)) as engine:
        assert isinstance(engine, DuckDBRows)
        _check(columns, [column.name for column in engine.columns])
        for batch in engine.batches(columns, rows):
            yield pa.Table.from_batches([batch])


def _check(needed: Sequence[str], there: Sequence[str]) -> None:
    for name in needed:
        if name not in there:
            raise ValueError(f"the model needs column {name!r}, which is missing")
