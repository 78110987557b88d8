"""Columns of pandas and Polars frames and of Arrow tables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._arrays import (
    Categories,
    ColumnValues,
    categories_of,
    numpy_column,
    object_column,
    plain_numbers,
    unsupported,
)
from ._times import DAY, Times, merges, times_of


def library_of(X: Any) -> str | None:
    """ "pandas", "polars" or "pyarrow" for their tables, else None."""
    name = type(X).__module__.split(".")[0]
    return name if name in ("pandas", "polars", "pyarrow") and hasattr(X, "columns") else None


_ELSEWHERE = {  # frames without rows of their own, and how their rows come here
    ("polars", "LazyFrame"): "collect()",
    ("dask", "DataFrame"): "compute()",
    ("dask_expr", "DataFrame"): "compute()",
    ("pyspark", "DataFrame"): "toPandas()",
    ("duckdb", "DuckDBPyRelation"): "df()",
    ("_duckdb", "DuckDBPyRelation"): "df()",
}


def refuse_unread(X: Any) -> None:
    """Refuse what is no table yet, with a word on how to get one."""
    kind = type(X)
    how = _ELSEWHERE.get((kind.__module__.split(".")[0], kind.__name__))
    if how is not None:
        raise TypeError(f"X is a {kind.__name__}, whose rows are not here: give X.{how}; fit_table takes it as it is")
    if isinstance(X, (str, os.PathLike)):
        raise TypeError(
            f"X is a text or path, {str(X)[:80]!r}, not a table: read the file first, for example by pandas.read_csv; "
            "fit_table and predict_table take paths of Parquet files"
        )
    if isinstance(X, Mapping) and not hasattr(X, "shape"):  # a sparse matrix may be a dict, too
        raise TypeError("X is a dict, not a table: give pandas.DataFrame(X); explain takes a dict for its one row")


def names_in(X: Any) -> list[Any]:
    """The names of a table's columns."""
    return list(X.column_names if library_of(X) == "pyarrow" else X.columns)


def read_frame(X: Any, j: int) -> ColumnValues:
    """Column j of a table."""
    library = library_of(X)
    if library == "polars":
        return polars_column(X.to_series(j))
    return arrow_column(X.column(j)) if library == "pyarrow" else pandas_column(X.iloc[:, j])


def pandas_column(column: Any) -> ColumnValues:
    """A pandas Series."""
    import pandas as pd

    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return categories_of(
            column.cat.codes.to_numpy(), list(column.cat.categories), typed=True, ordered=bool(dtype.ordered)
        )
    if isinstance(dtype, pd.PeriodDtype):
        column, dtype = column.dt.start_time, np.dtype("datetime64[ns]")
    if isinstance(dtype, pd.DatetimeTZDtype):
        column, dtype = column.dt.tz_convert("UTC").dt.tz_localize(None), np.dtype("datetime64[ns]")
    if isinstance(dtype, np.dtype) and dtype.kind not in "OUS":
        return numpy_column(column.to_numpy())
    if isinstance(dtype, pd.SparseDtype):
        return numpy_column(np.asarray(column))
    if isinstance(dtype, pd.ArrowDtype):
        import pyarrow as pa

        values = column.array.__arrow_array__()
        return arrow_column(pa.chunked_array([values]) if isinstance(values, pa.Array) else values)
    if pd.api.types.is_integer_dtype(dtype) and not column.isna().any():
        return plain_numbers(column.to_numpy(dtype=np.uint64 if str(dtype).startswith("U") else np.int64))
    if pd.api.types.is_bool_dtype(dtype) or pd.api.types.is_numeric_dtype(dtype):
        return plain_numbers(column.to_numpy(dtype=np.float64, na_value=np.nan))
    if isinstance(dtype, np.dtype):
        return object_column(column.to_numpy())
    if pd.api.types.is_string_dtype(dtype):
        codes, levels = pd.factorize(column)
        return categories_of(codes, list(levels))
    raise unsupported(dtype)


def polars_column(column: Any) -> ColumnValues:
    """A Polars Series."""
    import polars as pl

    dtype = column.dtype
    if dtype.is_numeric():
        if column.null_count() or str(dtype).endswith("Int128"):  # numpy has neither
            column = column.cast(pl.Float64)
        return numpy_column(column.to_numpy())
    if dtype == pl.Boolean:
        return plain_numbers(column.cast(pl.Float64 if column.null_count() else pl.UInt8).to_numpy())
    if dtype == pl.Enum:  # compares by the order of its categories
        codes = column.to_physical().cast(pl.Int64).fill_null(-1)
        return categories_of(codes.to_numpy(), dtype.categories.to_list(), typed=True, ordered=True)
    if dtype in (pl.String, pl.Categorical):
        text = column.cast(pl.String)
        levels = text.drop_nulls().unique().sort().to_list()
        codes = (text.rank("dense").cast(pl.Int64) - 1).fill_null(-1)
        return categories_of(codes.to_numpy(), levels, typed=dtype != pl.String)
    if dtype == pl.Time:
        return Times(column.cast(pl.Int64).cast(pl.Float64).fill_null(np.nan).to_numpy() / 1e9, "duration")
    if dtype.is_temporal():
        return times_of(column.to_numpy())
    if dtype == pl.Object:
        return object_column(column.to_list())
    if dtype == pl.Null:
        return np.full(len(column), np.nan)
    raise unsupported(dtype)


def arrow_column(column: Any) -> ColumnValues:
    """A column of an Arrow table."""
    import pyarrow as pa

    kind = column.type
    is_a = pa.types
    if is_a.is_dictionary(kind) or is_a.is_string(kind) or is_a.is_large_string(kind) or is_a.is_string_view(kind):
        return _arrow_categories(column, is_a.is_dictionary(kind), is_a.is_dictionary(kind) and kind.ordered)
    if is_a.is_integer(kind) and not column.null_count:
        return plain_numbers(column.to_numpy())
    if is_a.is_integer(kind) or is_a.is_floating(kind) or is_a.is_decimal(kind):
        return plain_numbers(_arrow_floats(column))
    if is_a.is_boolean(kind):
        return plain_numbers(_arrow_floats(column.cast(pa.uint8())))
    if is_a.is_date(kind):
        return Times(_arrow_floats(column.cast(pa.date32()).cast(pa.int32())), "date")
    if is_a.is_time(kind):
        return Times(_arrow_floats(column.cast(pa.time64("ns")).cast(pa.int64())) / 1e9, "duration")
    if is_a.is_timestamp(kind) or is_a.is_duration(kind):
        units = {"s": 1, "ms": 1e3, "us": 1e6, "ns": 1e9}
        ticks = column.cast(pa.int64())
        seconds = np.floor(_arrow_floats(ticks) / (units[kind.unit] / 1e6)) / 1e6
        there = ~np.isnan(seconds)
        merged = merges(ticks.drop_null().to_numpy(), seconds[there])
        if is_a.is_duration(kind):
            return Times(seconds, "duration", merged)
        whole = np.isnan(seconds) | (seconds % DAY == 0)
        return Times(seconds / DAY, "date") if whole.all() else Times(seconds, "moment", merged)
    if is_a.is_null(kind):
        return np.full(len(column), np.nan)
    raise unsupported(kind)


def _arrow_floats(column: Any) -> Any:
    import pyarrow as pa

    return column.cast(pa.float64(), safe=False).to_numpy().astype(np.float64)


def _arrow_categories(column: Any, typed: bool, ordered: bool) -> Categories:
    encoded = column if typed else column.dictionary_encode()
    whole = encoded.unify_dictionaries().combine_chunks()
    if hasattr(whole, "chunks"):
        whole = whole.chunk(0)
    codes = whole.indices.to_numpy(zero_copy_only=False)
    codes = np.where(np.isnan(codes), -1, codes).astype(np.int64) if codes.dtype.kind == "f" else codes
    words = whole.dictionary.to_pylist()
    if ordered and hasattr(column, "chunks"):
        order = _common_order([chunk.dictionary.to_pylist() for chunk in column.chunks])
        place = {word: i for i, word in enumerate(order)}
        codes = np.array([*(place[word] for word in words), -1], dtype=np.int64)[codes]
        words = order
    return categories_of(codes, words, typed=typed, ordered=ordered)


def _common_order(lists: list[list[Any]]) -> list[Any]:
    """The longest list; the others must be parts of it, in the same order. The command line has the same rule for files."""
    longest = max(lists, key=len, default=[])
    for words in lists:
        rest = iter(longest)
        if not all(word in rest for word in words):
            raise ValueError("its parts have their words in different orders")
    return longest
