#!/usr/bin/env python3
"""Every cut point: the ordered search on the numeric sets, beside ConTree (pycontree) where it is installed.

usage: compare.py ORDERED_BENCH SHARED [threads] [seconds for ConTree]

The optimum in SHARED/reference/numeric_optima.csv is checked before a time is printed. ConTree grows trees, so its errors at
the same depth may be fewer; its time is that of fit(), ours is the processor time of ranking and search.
"""
import csv
import gzip
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

BARS = {  # seconds of one thread on a quiet machine
    2: dict.fromkeys("bank bidding breast diabetes-median occupancy raisin rice wilt wine".split(), 0.2) | {"magic": 0.5},
    3: {"breast": 0.3, "raisin": 0.3, "bidding": 0.4, "occupancy": 0.6, "wilt": 0.4, "rice": 2, "magic": 10},
    4: {"bank": 0.3, "diabetes-median": 5, "raisin": 10, "breast": 20},
}


def contree(path, depth, limit):
    try:
        import pandas
        from pycontree import ConTree
    except ImportError:
        return ""
    table = pandas.read_csv(path)
    x, y = table.iloc[:, :-1], table.iloc[:, -1].astype("category").cat.codes
    model = ConTree(max_depth=depth, time_limit=limit)
    start = time.process_time()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(x, y)
    took = time.process_time() - start
    stopped = any("time limit" in str(w.message) for w in said)
    return f"ConTree {'>' if stopped else ' '} {took:.3f} s {int((model.predict(x) != y).sum())} errors{', not proven' if stopped else ''}"


def main():
    program, shared = sys.argv[1], pathlib.Path(sys.argv[2])
    threads, limit = (sys.argv[3:] + ["1", "60"][len(sys.argv) - 3 :])[:2]
    optima = {(r["dataset"], int(r["H"])): r["errors"] for r in csv.DictReader(open(shared / "reference/numeric_optima.csv"))}
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for depth, bars in BARS.items():
            for name, bar in bars.items():
                path = pathlib.Path(folder) / f"{name}.csv"
                path.write_bytes(gzip.open(shared / "datasets/numeric" / f"{name}.csv.gz").read())
                expected = optima.get((name, depth), "-1")
                run = subprocess.run([program, path, f"depth={depth}", f"threads={threads}", f"expect={expected}"],
                                     capture_output=True, text=True)
                print(f"{name:16} {depth}  bar {bar:4}  {run.stdout.strip()}  {contree(path, depth, float(limit))}", flush=True)
                failed = failed or run.returncode != 0
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
