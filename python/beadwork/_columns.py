"""Columns of what users hold: arrays, sparse matrices, pandas and Polars frames, Arrow tables.

A column is read when it is asked for, so that one column at a time is converted where a conversion is needed at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from . import _compat
from ._arrays import Categories, ColumnValues, numpy_column, text_of
from ._frames import library_of, names_in, read_frame, refuse_unread
from ._meant import meant
from ._times import Times

__all__ = ["Categories", "ColumnValues", "Columns", "Times", "add_column", "read_columns", "text_of"]


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
    """What takes columns: the data builder of the engine."""

    def add_numbers(self, name: str, values: Any) -> None: ...
    def add_times(self, name: str, values: Any, kind: str) -> None: ...
    def add_codes(self, name: str, codes: Any, levels: Sequence[str], typed: bool, ordered: bool) -> None: ...


def add_column(sink: ColumnSink, name: str, values: ColumnValues) -> None:
    """Hand a column to the engine."""
    if isinstance(values, Categories):
        sink.add_codes(name, values.codes, values.levels, values.typed, values.ordered)
    elif isinstance(values, Times):
        warn = getattr(sink, "warn", None)
        if values.merged and warn is not None:
            warn(f"column {name!r}: times that differ are read as the same, for they are told apart to the microsecond")
        sink.add_times(name, values.values, values.kind)
    else:
        sink.add_numbers(name, values)


def read_columns(X: Any, estimator: Any, *, reset: bool, strict: bool = True) -> Columns:
    """Check ``X`` as scikit-learn does and give access to its columns.

    Parameters
    ----------
    X : array-like, sparse matrix, pandas or Polars DataFrame, Arrow table, or columns, which stay as they are
    estimator : object
        Whose ``n_features_in_`` and ``feature_names_in_`` are set or compared with.
    reset : bool
        Set them (fit) or compare with them (predict).
    strict : bool
        Whether to compare at all.
    """
    if isinstance(X, Columns):
        return X
    refuse_unread(X)
    if strict:
        _compat.check_feature_names(estimator, X, reset=reset)
    if library_of(X) is not None:
        columns = _frame_columns(X)
        _check_shape(columns, estimator)
    else:
        X = _compat.check_matrix(X, estimator)
        columns = _sparse_columns(X) if sparse.issparse(X) else _array_columns(X)
    if strict:
        _compat.check_n_features(estimator, X, reset=reset)
    return columns


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


def row_columns(row: Mapping[Any, Any], known: list[str]) -> Columns:
    """A row given by names as a table of one row; names that are not known are refused, if any are known."""
    names = [str(name) for name in row]
    for name in names if known else ():
        if name not in known:
            raise ValueError(f"there is no column {name!r}{meant(name, known)}")
    values = list(row.values())

    def read(j: int) -> ColumnValues:
        cell = np.empty(1, dtype=object)
        cell[0] = values[j]
        return _named(names[j], lambda: numpy_column(cell))

    return Columns(1, len(names), names, read)


def _named(name: str, read: Callable[[], ColumnValues]) -> ColumnValues:
    """What a column says of its values, with its name."""
    try:
        return read()
    except (TypeError, ValueError) as error:
        raise type(error)(f"column {name!r}: {error}") from None


def _array_columns(X: NDArray[Any]) -> Columns:
    return Columns(X.shape[0], X.shape[1], None, lambda j: numpy_column(X[:, j]))


def _sparse_columns(X: Any) -> Columns:
    X = X.tocsc()

    def read(j: int) -> ColumnValues:
        values = np.zeros(X.shape[0], dtype=X.dtype)
        where = slice(X.indptr[j], X.indptr[j + 1])
        np.add.at(values, X.indices[where], X.data[where])
        return numpy_column(values)

    return Columns(X.shape[0], X.shape[1], None, read)


def _frame_columns(X: Any) -> Columns:
    given = names_in(X)
    names = [text_of(name) for name in given] if all(isinstance(name, str) for name in given) else None

    return Columns(X.shape[0], X.shape[1], names, lambda j: _named(str(given[j]), lambda: read_frame(X, j)))
