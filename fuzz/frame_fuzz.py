#!/usr/bin/env python3
"""Random frames and arrays into the Python package: frame_fuzz.py [--seconds 60] [--seed 1]

Columns of every kind that users hold, and of many that they should not: mixed objects, categories, dates, complex numbers,
nulls, strides, byte orders, names that are no text. Each is refused by a ValueError or TypeError with a message, or learnt:
then the predictions of the training rows make the errors that the model says, probabilities add up to 1, and pickling gives
the same predictions. A crash ends this program, and the seed that it printed last is the finding. Needs the package, pandas
and Polars, as in build/venv-python.
"""
import argparse
import pickle
import random
import sys
import time
import warnings

import numpy as np
import pandas as pd
import polars as pl
from beadwork import BDDClassifier
from scipy import sparse

TEXTS = ["", "a", "b", "1", "1.0", "é", "\ud7ff", "x\ny", "\x00", "nan", "None", "</script>", "a" * 300]
NUMBERS = [0, 1, -1, 0.5, 1e308, -0.0, 2 ** 53 + 1, 2 ** 63, -2 ** 63, 1e-320, float("nan")]
STRANGE = [None, float("inf"), 2 ** 70, 1j, b"\xff", b"b", (1, 2), [1], True, pd.NA, pd.Timestamp("2020-01-01"), np.float32(2)]
DTYPES = ["bool", "int8", "uint8", "int16", ">i4", "int64", "uint64", "float16", "float32", ">f8", "float64", "longdouble"]


def strange_column(rng, rows):
    """A numpy array of any kind."""
    kind = rng.randrange(6)
    if kind == 0:
        return np.array([rng.choice([0, 1, 2]) for _ in range(rows)], dtype=rng.choice(DTYPES))
    if kind == 1:
        return np.array([rng.choice(NUMBERS[:5] + [np.nan]) for _ in range(rows)], dtype="float64")
    values = np.empty(rows, dtype=object)
    some = {2: TEXTS, 3: TEXTS + [None], 4: NUMBERS, 5: TEXTS + NUMBERS + STRANGE}[kind]
    few = [rng.choice(some) for _ in range(4)]
    values[:] = [rng.choice(few) for _ in range(rows)]
    return values


def pandas_column(rng, rows):
    series = pd.Series(strange_column(rng, rows))
    how = rng.randrange(6)
    if how == 0:
        return series.astype("category")
    if how == 1:
        return series.astype("string")
    if how == 2:
        return series.convert_dtypes()
    if how == 3:
        return pd.Series(pd.date_range("2020-01-01", periods=rows))
    return series


def frame(rng, rows, columns):
    """X of some kind; what cannot even be made is an array instead."""
    kind = rng.randrange(5)
    names = [rng.choice(TEXTS + [f"c{j}", j, None, (1, 2)]) if rng.random() < 0.2 else f"c{j}" for j in range(columns)]
    try:
        if kind == 0:
            out = pd.DataFrame({j: pandas_column(rng, rows) for j in range(columns)})
            out.columns = names
            return out
        if kind == 1:
            return pl.DataFrame({str(name): list(strange_column(rng, rows)) for name in names}, strict=rng.random() < 0.5)
        if kind == 2:
            return sparse.random(rows, columns, 0.4, format=rng.choice(["csr", "csc", "coo"]), random_state=rng.randrange(99))
    except Exception:  # another package refused it
        pass
    matrix = np.empty((rows, columns), dtype=rng.choice(DTYPES) if kind == 3 else object)
    for j in range(columns):
        matrix[:, j] = [rng.choice([0, 1]) for _ in range(rows)] if kind == 3 else strange_column(rng, rows)
    return matrix[:, ::-1] if rng.random() < 0.3 else matrix


def labels(rng, rows):
    some = rng.choice([[0, 1], ["p", "n"], [0, 1, 2], [True, False], [-1, 1], [0.0, 1.0], [1], ["é", ""], [None, 1]])
    return np.array([rng.choice(some) for _ in range(rows)], dtype=rng.choice([None, object]))


def learnt(rng, X, y):
    """A classifier that took the data, or None where it was refused."""
    weights = np.array([rng.choice([0, 1, 2.5]) for _ in y]) if rng.random() < 0.2 else None
    options = {"depth": rng.randrange(4), "engine": rng.choice(["search", "search", "local", "cart"]),
               "thresholds": rng.choice(["quantiles:3", "all", "mdlp", 2])}
    model = BDDClassifier(**options)
    try:
        model.fit(X, y, sample_weight=weights)
    except (ValueError, TypeError) as error:
        assert str(error).strip(), "refused without a word"
        return None, weights
    return model, weights


def check(seed):
    rng = random.Random(seed)
    rows, columns = rng.choice([0, 1, 2, 5, 12, 30]), rng.choice([0, 1, 2, 4])
    X, y = frame(rng, rows, columns), labels(rng, rows if rng.random() < 0.95 else rows + 1)
    model, weights = learnt(rng, X, y)
    if model is None:
        return False
    predicted = model.predict(X)
    wrong = (np.asarray(predicted, dtype=object) != np.asarray(y, dtype=object)) * (1 if weights is None else weights)
    assert abs(wrong.sum() - model.upper_bound_) < 1e-9, (wrong.sum(), model.upper_bound_)
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
    assert (pickle.loads(pickle.dumps(model)).predict(X) == predicted).all()
    try:
        model.predict(frame(rng, 3, columns))
    except (ValueError, TypeError) as error:
        assert str(error).strip(), "refused without a word"
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print each seed, to find a crash")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    start, tried, taken, failed = time.monotonic(), 0, 0, 0
    while time.monotonic() - start < args.seconds:
        seed = args.seed + tried
        tried += 1
        if args.show:
            print(seed, flush=True)
        try:
            taken += check(seed)
        except Exception as error:
            failed += 1
            print(f"seed {seed}: {type(error).__name__}: {error}".replace("\n", " ")[:300], flush=True)
    print(f"{tried} frames, {taken} learnt, {failed} findings")
    return 1 if failed or not taken else 0


if __name__ == "__main__":
    sys.exit(main())
