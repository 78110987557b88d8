#!/usr/bin/env python3
"""Long tables by fit_table: how long from Parquet to a proven diagram, and how much memory?

usage: rows.py [--rows 100000000] [--flags 30] [--depth 4] [--threads 2] [--scattered] [--generator] [--weight W] [--keep FOLDER]

Rows are copies of 16,384 patterns of flags, of which each has a share of rows of class 1 between 0 and 10 tenths: the best
diagram is known from a brute force over all sets of flags, in NumPy, and compared before a time is printed.
--scattered: flags by chance instead, in millions of distinct rows; then the errors of the answer are counted in SQL.
--generator: no file; the rows come from a query. --weight: each row weighs so much. --keep: the folder of the file, which is
used again if it is there.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

PATTERNS = 1 << 14


def patterns(flags: int) -> tuple[np.ndarray, np.ndarray]:
    """Flags of each pattern, and how many tenths of its rows are of class 1."""
    number = np.arange(PATTERNS, dtype=np.int64)
    word = (number * 2654435761) ^ ((number * 2246822519) >> 13)
    bits = (word[:, None] >> np.arange(6, 6 + flags)) & 1
    score = 2 * (bits[:, 1] ^ bits[:, 4]) + bits[:, 7] + (bits[:, 2] & bits[:, 9]) + (bits[:, 11] & (1 - bits[:, 5]))
    return bits, np.clip(2 * score + number % 4 - 1, 0, 10)


def least_errors(flags: int, depth: int) -> int:
    """Of all sets of flags, in tenths of a pattern's rows."""
    bits, tenths = patterns(flags)
    columns = np.ascontiguousarray(bits.T)
    best = 10 * PATTERNS
    for chosen in itertools.combinations(range(flags), depth):
        cell = np.zeros(PATTERNS, dtype=np.int64)
        for f in chosen:
            cell = cell * 2 + columns[f]
        ones = np.bincount(cell, weights=tenths, minlength=1 << depth)
        all_of = 10 * np.bincount(cell, minlength=1 << depth)
        best = min(best, int(np.minimum(ones, all_of - ones).sum()))
    return best


def pattern_query(rows: int, flags: int, weight: int | None) -> str:
    """Rows of patterns: among PATTERNS rows in sequence each one is once, in an order of their own. The same as above in SQL."""
    number = f"xor(i % {PATTERNS}, (hash(i // {PATTERNS}) % {PATTERNS})::BIGINT)"
    word = "xor(p * 2654435761, (p * 2246822519) >> 13)"
    named = ", ".join(f"(w >> {6 + f}) & 1 = 1 AS f{f}" for f in range(flags))
    bit = {f: f"((w >> {6 + f}) & 1)" for f in range(flags)}
    score = f"(2 * xor({bit[1]}, {bit[4]}) + {bit[7]} + ({bit[2]} & {bit[9]}) + ({bit[11]} & (1 - {bit[5]})))"
    heavy = "" if weight is None else f", {weight}::BIGINT AS weight"
    inner = f"SELECT p, {word} AS w, tenth FROM (SELECT {number} AS p, i // {PATTERNS} % 10 AS tenth FROM range({rows}) AS r(i))"
    return f"SELECT {named}, (tenth < greatest(0, least(10, 2 * {score} + p % 4 - 1)))::INT AS y{heavy} FROM ({inner})"


def scattered_query(rows: int, flags: int) -> str:
    """Flags by chance: a few of one half, the others rarer and rarer."""
    named = ", ".join(f"hash(i * 64 + {f}) % 1000 < {500 if f < 8 else max(20, 400 - 14 * f)} AS f{f}" for f in range(flags))
    rule = "((f1 <> f4)::INT + f7::INT + (f2 AND f9)::INT + (hash(i * 64 + 63) % 10 < 3)::INT >= 2)::INT"
    return f"SELECT * EXCLUDE (i), {rule} AS y FROM (SELECT i, {named} FROM range({rows}) AS r(i))"


class Peak:
    """The largest resident size of this process from now on, by looking ten times a second."""

    def __enter__(self) -> Peak:
        self.most, self._done = 0, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def _look(self) -> None:
        while not self._done.wait(0.1):
            with open("/proc/self/statm") as told:
                self.most = max(self.most, int(told.read().split()[1]) * resource.getpagesize())

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("rows", 10**8), ("flags", 30), ("depth", 4), ("threads", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--weight", type=int)
    parser.add_argument("--scattered", action="store_true")
    parser.add_argument("--generator", action="store_true")
    parser.add_argument("--keep")
    args = parser.parse_args()

    import duckdb

    from beadwork import BDDClassifier

    rows = args.rows if args.scattered else max(1, args.rows // (10 * PATTERNS)) * 10 * PATTERNS
    with tempfile.TemporaryDirectory() as folder:
        connection = duckdb.connect(config={"threads": args.threads, "temp_directory": folder})
        query = scattered_query(rows, args.flags) if args.scattered else pattern_query(rows, args.flags, args.weight)
        path = Path(args.keep or folder) / f"rows-{rows}-{args.flags}{'-s' if args.scattered else ''}.parquet"
        source: object = query
        if not args.generator:
            if not path.exists():
                connection.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")
            source = path
        connection.close()
        expected = None if args.scattered else least_errors(args.flags, args.depth) * (rows // (10 * PATTERNS)) * (args.weight or 1)
        with Peak() as peak:
            start, busy = time.monotonic(), time.process_time()
            model = BDDClassifier(depth=args.depth, n_jobs=args.threads, verbose=0, time_limit=None)
            model.fit_table(source, "y", "weight" if args.weight else None)
            seconds, busy = time.monotonic() - start, time.process_time() - busy
        if expected is None:
            chosen = ", ".join(model.features_)
            counted = f"SELECT sum(least(n - s, s)) FROM (SELECT count(*) AS n, sum(y) AS s FROM '{path}' GROUP BY {chosen})"
            expected = int(duckdb.sql(counted).fetchall()[0][0])
        assert model.status_ == "optimal" and model.upper_bound_ == expected, (model.status_, model.upper_bound_, expected)
        what = "a query" if args.generator else f"Parquet of {path.stat().st_size / 1e6:.0f} MB"
        print(f"{rows} rows x {args.flags} flags from {what}, depth {args.depth}, {args.threads} threads: {expected} errors as "
              f"expected, proven; {seconds:.1f} s ({busy:.1f} s of CPU), of which {model.fit_time_:.1f} s learning; peak {peak.most / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
