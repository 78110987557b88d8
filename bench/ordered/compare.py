#!/usr/bin/env python3
"""Every cut point: `fit --thresholds all` on the numeric sets, beside ConTree (pycontree) where it is installed.

usage: compare.py BEADWORK [seconds for ConTree, 60]

One thread each, in the same run. Ours is the processor time of the whole command, reading included; ConTree's is that of its
fit() alone. Below a second, the best of three. Our errors are counted again on the rows and must be the optimum of
tests/reference/numeric_optima.csv, where that has one, before a time is printed. ConTree learns trees of depth H, which
test up to 2^H - 1 cut points, and a diagram tests H: it is another class, and its errors are fewer. A run of ConTree that
reaches the limit counts with its time.
"""
import csv
import gzip
import json
import math
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import tables as known  # noqa: E402: of the tree

BARS = {  # seconds of one thread on a quiet machine; None: there is no bar
    2: dict.fromkeys("bank bidding breast diabetes-median occupancy raisin rice wilt wine".split(), 0.2) | {"magic": 0.5},
    3: dict.fromkeys(["bank", "diabetes-median", "wine"])
    | {"breast": 0.3, "raisin": 0.3, "bidding": 0.4, "occupancy": 0.6, "wilt": 0.4, "rice": 2, "magic": 10},
    4: {"bank": 0.3, "diabetes-median": 5, "raisin": 10, "breast": 20},
}


def errors_of(model, path):
    """Of a model of numbers alone on the rows of a file."""
    nodes, features = model["diagram"]["nodes"], model["features"]
    wrong = 0
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            node = nodes[0]
            while "feature" in node:
                test = features[node["feature"]]
                value = float(row[model["columns"][test["column"]]["name"]])
                node = nodes[node["high" if value <= test["threshold"] else "low"]]
            wrong += model["classes"][node["class"]] != row[model["target"]]
    return wrong


def beadwork(program, path, depth, expected):
    """(seconds, errors) of one fit; ends the run where the answer is not the optimum."""
    model = path.with_suffix(".json")
    words = [program, "fit", path, "--thresholds", "all", "--threads", 1, "--depth", depth, "--time-limit", 600, "-q", "-o", model]
    child = subprocess.Popen([str(w) for w in words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    said = json.loads(model.read_text()) if child.returncode == 0 else None
    errors = said and said["training"]["errors"]
    if said is None or said["claim"]["status"] != "optimal" or errors != errors_of(said, path) or expected not in (None, errors):
        sys.exit(f"{path.stem}, depth {depth}: WRONG: {errors} errors, exit code {child.returncode}, expected {expected}")
    return usage.ru_utime + usage.ru_stime, errors


def contree(path, depth, limit):
    """(seconds, errors, proven), or nothing where it is not installed."""
    try:
        import pandas
        from pycontree import ConTree
    except ImportError:
        return None
    table = pandas.read_csv(path)
    x, y = table.iloc[:, :-1], table.iloc[:, -1].astype("category").cat.codes
    model = ConTree(max_depth=depth, time_limit=limit)
    start = time.process_time()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(x, y)
    took = time.process_time() - start
    return took, int((model.predict(x) != y).sum()), not any("time limit" in str(w.message) for w in said)


def in_child(path, depth, limit):
    """In a process of its own: one that hangs or dies costs its figure, not the run."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        try:
            return pool.apply_async(contree, (path, depth, limit)).get(5 * limit + 60)
        except Exception as error:  # noqa: BLE001: whatever it raises is a result
            print(f"  ConTree: {type(error).__name__} {error}", file=sys.stderr)
            return None


def best(measure):
    found = measure()
    return min(found, measure(), measure()) if found and found[0] < 1 else found


def report(name, pairs):
    if pairs:
        ratios = [theirs / ours for ours, theirs in pairs]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"{name}: ConTree takes {mean:.1f} times as long on geometric mean ({min(ratios):.2f} to {max(ratios):.1f}), {len(pairs)} cells")


def main():
    program, numeric = sys.argv[1], known.folder_or_skip("numeric")
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 60
    with open(known.REFERENCE / "numeric_optima.csv", encoding="utf-8") as file:
        optima = {(r["dataset"], int(r["H"])): int(r["errors"]) for r in csv.DictReader(file)}
    pairs = []
    print("| set | H | bar | seconds | errors | ConTree, seconds | errors of its tree | ratio |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for depth, bars in BARS.items():
            for name, bar in bars.items():
                path = pathlib.Path(folder) / f"{name}.csv"
                path.write_bytes(gzip.open(numeric / f"{name}.csv.gz").read())
                seconds, errors = best(lambda: beadwork(program, path, depth, optima.get((name, depth))))
                line = f"| {name} | {depth} | {bar or ''} | {seconds:.3f} | {errors} |"
                theirs = best(lambda: in_child(path, depth, limit))
                if theirs:
                    pairs.append((seconds, theirs[0]))
                    line += f" {'' if theirs[2] else '> '}{theirs[0]:.3f} | {theirs[1]} | {theirs[0] / seconds:.2f} |"
                print(line if theirs else line + " not installed | | |", flush=True)
    print()
    report("all", pairs)
    report("where ConTree needs more than a second", [p for p in pairs if p[1] > 1])


if __name__ == "__main__":
    main()
