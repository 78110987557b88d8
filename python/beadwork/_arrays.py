"""Values of one column: numbers, categories and texts, dates and times."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from ._times import TEMPORAL, Times, times_of, times_of_objects


@dataclass(frozen=True)
class Categories:
    """Codes into levels, negative where a value is missing.

    ``typed``: they are known to be categories, not just text. ``ordered``: the levels are in their order, lowest first.
    """

    codes: NDArray[Any]
    levels: list[str]
    typed: bool = False
    ordered: bool = False

    def __getitem__(self, rows: Any) -> Categories:
        return Categories(self.codes[rows], self.levels, self.typed, self.ordered)


ColumnValues = Union[NDArray[Any], Categories, Times]


def unsupported(dtype: Any) -> ValueError:
    """What to raise for a type of values that has no features."""
    return ValueError(f"dtype {dtype} is not supported: give numbers, booleans, dates, strings or categories")


def text_of(value: Any) -> str:
    """A category or class as text; whole numbers without a decimal point, as the command line writes them."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    try:
        text = value.decode() if isinstance(value, bytes) else str(value)
        if not text.isascii():
            text.encode()
        return text
    except UnicodeDecodeError:
        raise ValueError(f"the bytes {value!r} are not UTF-8: decode them first") from None
    except UnicodeEncodeError:
        raise ValueError(f"{text!r} has half of a surrogate pair, which is no character: replace or remove it") from None


def numpy_column(values: NDArray[Any]) -> ColumnValues:
    """A column of an array."""
    kind = values.dtype.kind
    if kind in "biuf":
        return plain_numbers(values)
    if kind == "O":
        return object_column(values)
    if kind in "US":
        levels, codes = np.unique(values, return_inverse=True)
        return categories_of(codes, levels.tolist())
    if kind in "mM":
        return times_of(values)
    if kind == "c":
        raise ValueError(f"Complex data not supported\n{values}\n")
    raise unsupported(values.dtype)


def plain_numbers(values: NDArray[Any]) -> NDArray[Any]:
    """A number or boolean array in a form that the engine reads in place."""
    if values.dtype.kind == "f":
        if values.dtype.itemsize not in (4, 8):
            values = values.astype(np.float64)
        if np.isinf(values).any():
            raise ValueError("Input X contains infinity or a value too large for dtype('float64').")
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    return values if values.flags.aligned else values.copy()


def object_column(values: Iterable[Any]) -> ColumnValues:
    """Objects: numbers where all are numbers, dates where all are dates, else texts."""
    values = list(values)
    if any(isinstance(value, TEMPORAL) for value in values):
        return _times_among(values)
    index: dict[Any, int] = {}
    codes = []
    for value in values:
        if value is None or (isinstance(value, float) and value != value):
            codes.append(-1)
        elif isinstance(value, (str, bytes, numbers.Number, np.bool_)):
            codes.append(index.setdefault(value, len(index)))
        elif type(value).__name__ in _NOTHING:
            codes.append(-1)
        else:
            raise TypeError(f"argument must be a string or a real number, not {type(value).__name__!r}")
    return _from_factors(np.asarray(codes, dtype=np.int32), list(index))


_NOTHING = ("NAType", "NaTType")


def _times_among(values: list[Any]) -> Times:
    plain = [None if type(v).__name__ in _NOTHING or (isinstance(v, float) and v != v) else v for v in values]
    for value in plain:
        if value is not None and not isinstance(value, TEMPORAL):
            raise TypeError(f"dates or times beside {text_of(value)!r}, a value of type {type(value).__name__!r}")
    return times_of_objects(plain)


def _from_factors(codes: NDArray[Any], levels: list[Any]) -> ColumnValues:
    """Numbers where all levels are numbers, else categories."""
    if all(isinstance(level, (numbers.Number, np.bool_)) for level in levels):
        table = np.array([*levels, np.nan], dtype=np.float64)
        return plain_numbers(table[codes])
    return categories_of(codes, levels)


def categories_of(
    codes: NDArray[Any], levels: Sequence[Any], typed: bool = False, ordered: bool = False
) -> Categories:
    """Codes into levels of any kind, as codes into texts."""
    for level in levels:
        if not isinstance(level, (str, bytes, numbers.Number, np.bool_)) and type(level).__name__ != "Interval":
            raise TypeError(f"argument must be a string or a real number, not {type(level).__name__!r}")
    texts = [text_of(level) for level in levels]
    place = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    if len(place) < len(texts):  # 1 and "1"
        table = np.array([*(place[text] for text in texts), -1])
        codes = table[codes]
    return Categories(np.ascontiguousarray(codes), list(place), typed, ordered)
