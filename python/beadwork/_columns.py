"""Columns of what users hold: arrays, sparse matrices, pandas and Polars frames.

A column is read when it is asked for, so that one column at a time is converted where a conversion is needed at all.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Union

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from . import _compat


@dataclass(frozen=True)
class Categories:
    """Codes into levels, negative where a value is missing."""

    codes: NDArray[Any]
    levels: list[str]


ColumnValues = Union[NDArray[Any], Categories]


@dataclass(frozen=True)
class Columns:
    """A table whose columns are read on demand; ``names`` is None for arrays."""

    num_rows: int
    num_columns: int
    names: list[str] | None
    read: Callable[[int], ColumnValues]

    def column_names(self) -> list[str]:
        """The names that columns go by: their own, or x0, x1, ..."""
        return self.names if self.names is not None else [f"x{j}" for j in range(self.num_columns)]


class ColumnSink(Protocol):
    """What takes columns: the data builder and the frame of the engine."""

    def add_numbers(self, name: str, values: Any) -> None: ...
    def add_codes(self, name: str, codes: Any, levels: Sequence[str]) -> None: ...


def text_of(value: Any) -> str:
    """A category or class as text; whole numbers without a decimal point, as the command line writes them."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    if isinstance(value, bytes):
        return value.decode()
    return str(value)


def add_column(sink: ColumnSink, name: str, values: ColumnValues) -> None:
    """Hand a column to the engine."""
    if isinstance(values, Categories):
        sink.add_codes(name, values.codes, values.levels)
    else:
        sink.add_numbers(name, values)


def read_columns(X: Any, estimator: Any, *, reset: bool, strict: bool = True) -> Columns:
    """Check ``X`` as scikit-learn does and give access to its columns.

    Parameters
    ----------
    X : array-like, sparse matrix, pandas or Polars DataFrame
    estimator : object
        Whose ``n_features_in_`` and ``feature_names_in_`` are set or compared with.
    reset : bool
        Set them (fit) or compare with them (predict).
    strict : bool
        Whether to compare at all.
    """
    if strict:
        _compat.check_feature_names(estimator, X, reset=reset)
    if _is_frame(X):
        columns = _frame_columns(X)
        _check_shape(columns, estimator)
    else:
        X = _compat.check_matrix(X, estimator)
        columns = _sparse_columns(X) if sparse.issparse(X) else _array_columns(X)
    if strict:
        _compat.check_n_features(estimator, X, reset=reset)
    return columns


def _is_frame(X: Any) -> bool:
    return type(X).__module__.split(".")[0] in ("pandas", "polars") and hasattr(X, "columns")


def _check_shape(columns: Columns, estimator: Any) -> None:
    who = type(estimator).__name__
    shape = (columns.num_rows, columns.num_columns)
    for count, what in ((columns.num_rows, "sample"), (columns.num_columns, "feature")):
        if count == 0:
            raise ValueError(f"Found array with 0 {what}(s) (shape={shape}) while a minimum of 1 is required by {who}.")
    names = columns.names or []
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"two columns are named {twice!r}")


def _array_columns(X: NDArray[Any]) -> Columns:
    return Columns(X.shape[0], X.shape[1], None, lambda j: _numpy_column(X[:, j]))


def _sparse_columns(X: Any) -> Columns:
    X = X.tocsc()

    def read(j: int) -> ColumnValues:
        values = np.zeros(X.shape[0], dtype=X.dtype)
        where = slice(X.indptr[j], X.indptr[j + 1])
        np.add.at(values, X.indices[where], X.data[where])
        return _numpy_column(values)

    return Columns(X.shape[0], X.shape[1], None, read)


def _frame_columns(X: Any) -> Columns:
    named = all(isinstance(name, str) for name in X.columns)
    names = [str(name) for name in X.columns] if named else None
    if type(X).__module__.split(".")[0] == "polars":
        return Columns(X.shape[0], X.shape[1], names, lambda j: _polars_column(X.to_series(j)))
    return Columns(X.shape[0], X.shape[1], names, lambda j: _pandas_column(X.iloc[:, j]))


def _numpy_column(values: NDArray[Any]) -> ColumnValues:
    kind = values.dtype.kind
    if kind in "biuf":
        return _plain(values)
    if kind == "O":
        return _object_column(values)
    if kind in "US":
        levels, codes = np.unique(values, return_inverse=True)
        return _categories(codes, levels.tolist())
    if kind == "c":
        raise ValueError(f"Complex data not supported\n{values}\n")
    raise ValueError(f"dtype {values.dtype} is not supported: give numbers, booleans, strings or categories")


def _plain(values: NDArray[Any]) -> NDArray[Any]:
    """A number or boolean array in a form that the engine reads in place."""
    if values.dtype.kind == "f":
        if values.dtype.itemsize not in (4, 8):
            values = values.astype(np.float64)
        if np.isinf(values).any():
            raise ValueError("Input X contains infinity or a value too large for dtype('float64').")
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    return values if values.flags.aligned else values.copy()


def _object_column(values: Iterable[Any]) -> ColumnValues:
    index: dict[Any, int] = {}
    codes = []
    for value in values:
        if value is None or (isinstance(value, float) and value != value):
            codes.append(-1)
        elif isinstance(value, (str, bytes, numbers.Number, np.bool_)):
            codes.append(index.setdefault(value, len(index)))
        elif type(value).__name__ == "NAType":
            codes.append(-1)
        else:
            raise TypeError(f"argument must be a string or a real number, not {type(value).__name__!r}")
    return _from_factors(np.asarray(codes, dtype=np.int32), list(index))


def _from_factors(codes: NDArray[Any], levels: list[Any]) -> ColumnValues:
    """Numbers where all levels are numbers, else categories."""
    if all(isinstance(level, (numbers.Number, np.bool_)) for level in levels):
        table = np.array([*levels, np.nan], dtype=np.float64)
        return _plain(table[codes])
    return _categories(codes, levels)


def _categories(codes: NDArray[Any], levels: Sequence[Any]) -> Categories:
    for level in levels:
        if not isinstance(level, (str, bytes, numbers.Number, np.bool_)) and type(level).__name__ != "Interval":
            raise TypeError(f"argument must be a string or a real number, not {type(level).__name__!r}")
    texts = [text_of(level) for level in levels]
    place = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    if len(place) < len(texts):  # 1 and "1"
        table = np.array([*(place[text] for text in texts), -1])
        codes = table[codes]
    return Categories(np.ascontiguousarray(codes), list(place))


def _pandas_column(column: Any) -> ColumnValues:
    import pandas as pd

    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _categories(column.cat.codes.to_numpy(), list(column.cat.categories))
    if isinstance(dtype, np.dtype) and dtype.kind not in "OUS":
        return _numpy_column(column.to_numpy())
    if isinstance(dtype, pd.SparseDtype):
        return _numpy_column(np.asarray(column))
    if pd.api.types.is_bool_dtype(dtype) or pd.api.types.is_numeric_dtype(dtype):
        return _plain(column.to_numpy(dtype=np.float64, na_value=np.nan))
    if isinstance(dtype, np.dtype):
        return _object_column(column.to_numpy())
    if pd.api.types.is_string_dtype(dtype):
        codes, levels = pd.factorize(column)
        return _categories(codes, list(levels))
    raise ValueError(f"dtype {dtype} is not supported: give numbers, booleans, strings or categories")


def _polars_column(column: Any) -> ColumnValues:
    import polars as pl

    dtype = column.dtype
    if dtype.is_numeric():
        if column.null_count() or str(dtype).endswith("Int128"):  # numpy has neither
            column = column.cast(pl.Float64)
        return _numpy_column(column.to_numpy())
    if dtype == pl.Boolean:
        return _plain(column.cast(pl.Float64 if column.null_count() else pl.UInt8).to_numpy())
    if dtype in (pl.String, pl.Categorical, pl.Enum):
        text = column.cast(pl.String)
        levels = text.drop_nulls().unique().sort().to_list()
        codes = (text.rank("dense").cast(pl.Int64) - 1).fill_null(-1)
        return _categories(codes.to_numpy(), levels)
    if dtype == pl.Object:
        return _object_column(column.to_list())
    if dtype == pl.Null:
        return np.full(len(column), np.nan)
    raise ValueError(f"dtype {dtype} is not supported: give numbers, booleans, strings or categories")
