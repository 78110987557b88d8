"""Tables for the tests of fit_table: every kind of column, with missing values and odd texts."""

from __future__ import annotations

import datetime as dt
import decimal
import os

import numpy as np
import pandas as pd

ROWS = int(os.environ.get("BEADWORK_ROWS", 2000))  # of the larger tables
WEIGHTS = [None, "ones", "whole", "chance", "tenths"]
INPUTS = ["flag", "bit", "count", "x", "word", "gaps", "mass", "day", "moment", "name", "many", "yes"]


def mixed(rows: int, seed: int = 0) -> pd.DataFrame:
    """Numbers, texts, dates, missing values, names, weights and a class of three."""
    rng = np.random.default_rng(seed)
    start = pd.Timestamp("2020-01-01")
    frame = pd.DataFrame(
        {
            "flag": rng.integers(0, 2, rows),
            "bit": rng.integers(0, 2, rows).astype(bool),
            "count": rng.integers(-5, 1000, rows),
            "x": rng.normal(size=rows).round(3),
            "word": rng.choice(["a", "b'\"", "ü;\\", "d", ""], rows),
            "gaps": np.where(rng.random(rows) < 0.1, np.nan, rng.random(rows)),
            "mass": rng.choice(["1,5 kg", "2,5 kg", "n/a", "-", "4 kg"], rows),
            "day": start + pd.to_timedelta(rng.integers(0, 500, rows), "D"),
            "moment": start + pd.to_timedelta(rng.integers(0, 10**9, rows), "s"),
            "name": [f"row {i}" for i in range(rows)],
            "many": rng.choice([f"c{i}" for i in range(100)], rows),
            "yes": rng.choice(["yes", "No", "Yes", "NO"], rows),
            "ones": np.ones(rows),
            "whole": rng.choice([0, 1, 2, 3], rows),
            "chance": rng.random(rows),
            "tenths": rng.choice([0.1, 0.25, 3.7], rows),
        }
    )
    positive = (frame["count"] > 300) & (frame["word"] == "a") | (frame["gaps"] > 0.7)
    frame["y"] = np.where(positive, "p", np.where(frame["x"] > 1, "it's\\", "r"))
    return frame


def odd_columns(rows: int):
    """Arrow arrays of less usual types and values, by name."""
    import pyarrow as pa

    rng = np.random.default_rng(3)

    def some(values, kind):
        return pa.array([None if rng.random() < 0.2 else v for v in values], kind)

    utc = dt.datetime(2020, 1, 1, tzinfo=dt.timezone.utc)
    hours = rng.integers(0, 9999, rows)
    texts = ["a'b", "c\\d", 'e"f', "g\x00h", "ü€𝄞", "", "?", "NA", " x ", "x"]
    return {
        "decimal": some([decimal.Decimal(f"{v:.7f}") for v in rng.normal(size=rows)], pa.decimal128(20, 7)),
        "zone": some([utc + dt.timedelta(hours=int(v)) for v in hours], pa.timestamp("us", "Europe/Berlin")),
        "nanoseconds": pa.array(rng.integers(-(10**18), 2 * 10**18, rows), pa.timestamp("ns")),
        "midnights": pa.array(rng.integers(0, 999, rows) * 86400, pa.timestamp("s")),
        "date": some([dt.date(2020, 1, 1) + dt.timedelta(days=int(v) % 999) for v in hours], pa.date32()),
        "time": some([dt.time(int(v) // 60 % 24, int(v) % 60) for v in hours], pa.time64("us")),
        "float32": some(rng.normal(size=rows).astype(np.float32).tolist(), pa.float32()),
        "uint64": pa.array(rng.integers(2**63, 2**64 - 1, rows, dtype=np.uint64), pa.uint64()),
        "beyond doubles": pa.array(rng.integers(2**60, 2**60 + 400, rows), pa.int64()),
        "bool": some([bool(v) for v in rng.integers(0, 2, rows)], pa.bool_()),
        "no number": pa.array([None] * rows, pa.float64()),
        "no text": pa.array([None] * rows, pa.string()),
        "constant": pa.array([7] * rows),
        "zeros": some(rng.choice([0.0, 1.0, -0.0], rows).tolist(), pa.float64()),
        "nan": pa.array(np.where(rng.random(rows) < 0.3, np.nan, rng.normal(size=rows).round(1))),
        "texts": some(rng.choice(texts, rows).tolist(), pa.string()),
        "numbers as texts": some(rng.choice(["1", "2.5", "", "NA", "?", "3e2"], rows).tolist(), pa.string()),
        "money": some([f"€ {v:,.2f}" for v in rng.uniform(0, 1e6, rows)], pa.string()),
        "days as texts": some([f"{v % 28 + 1:02d}.{v % 12 + 1:02d}.{2000 + v % 20}" for v in hours], pa.large_string()),
        "dictionary": some(rng.choice(["lo", "mid", "hi"], rows).tolist(), pa.string()).dictionary_encode(),
        'x.y `q` "z" k w v0': pa.array(rng.integers(0, 50, rows)),
    }
