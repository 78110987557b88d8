"""Tables that are made from files that others publish: bytes of its sources in, bytes of the table out. Without dependencies."""

from __future__ import annotations

import gzip
import json
import math
import statistics
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any


class Unexpected(Exception):
    """The source is not what it was when the manifest was written."""


def derive(how: dict[str, Any], sources: list[bytes]) -> bytes:
    """`how` is what the manifest says: its key "by" names one of the functions below."""
    makers: dict[str, Callable[..., bytes]] = {"one-hot": one_hot, "json": from_json, "csv": from_csv, "scaled": scaled}
    try:
        return makers[how["by"]](how, *sources)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, ArithmeticError, OSError, EOFError, zlib.error) as error:
        raise Unexpected(f"its source cannot be read ({type(error).__name__})") from None


def one_hot(how: dict[str, Any], source: bytes) -> bytes:
    """Comma-separated values, the class last: class, then a 0/1 for each value of each column; rows with a gap are left out."""
    rows = []
    for line in source.decode("ascii").split():
        fields = line.split(",")
        *values, label = fields[how["drop"] :]
        if "?" in values:
            continue
        if len(values) != len(how["values"]):
            raise Unexpected(f"its source has a row of {len(fields)} values")
        row = ["0" if label in how["not_positive"] else "1"]
        for value, known in zip(values, how["values"]):
            if value not in known:
                raise Unexpected(f"its source has an unknown value '{value[:20]}'")
            row += ["1" if value == other else "0" for other in known]
        rows.append(" ".join(row))
    if how["equal_rows_together"]:
        rows = [row for row, count in Counter(rows).items() for _ in range(count)]
    return "\n".join(rows).encode()


def as_csv(rows: list[list[float]], labels: list[int]) -> bytes:
    heads = [f"x{i}" for i in range(len(rows[0]))] + ["y"]
    lines = [",".join([*map(repr, map(float, row)), f"c{label}"]) for row, label in zip(rows, labels, strict=True)]
    return ("\n".join([",".join(heads), *lines]) + "\n").encode()


def from_json(how: dict[str, Any], source: bytes) -> bytes:
    """{"Xtrain": [[...], ...], "Ytrain": [...], ...}: the training part."""
    parts = {key.lower(): value for key, value in json.loads(source).items()}
    return as_csv(parts["xtrain"], [int(label) for label in parts["ytrain"]])


def from_csv(how: dict[str, Any], source: bytes) -> bytes:
    """scikit-learn's files: a line about the table, then numbers, the class last."""
    rows = [line.split(",") for line in source.decode("ascii").split()[1:]]
    return as_csv([[float(x) for x in row[:-1]] for row in rows], [int(row[-1]) for row in rows])


def scaled(how: dict[str, Any], data: bytes, target: bytes) -> bytes:
    """scikit-learn's diabetes as load_diabetes scales it: columns centred, over deviation and root of the number of rows.

    Sums go from the first row to the last, as NumPy's over this axis do: so the last bits are the same.
    """
    rows = [[float(x) for x in line.split()] for line in gzip.decompress(data).decode("ascii").splitlines()]
    values = [float(x) for x in gzip.decompress(target).decode("ascii").split()]
    columns = []
    for column in zip(*rows):
        mean = sum_in_order(column) / len(column)
        centred = [x - mean for x in column]
        deviation = math.sqrt(sum_in_order([x * x for x in centred]) / len(column))
        columns.append([x / deviation / math.sqrt(len(column)) for x in centred])
    median = statistics.median(values)
    return as_csv([list(row) for row in zip(*columns)], [int(value > median) for value in values])


def sum_in_order(values: Iterable[float]) -> float:
    """Not sum(), which rounds better from Python 3.12 on."""
    total = 0.0
    for value in values:
        total += value
    return total
