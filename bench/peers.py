#!/usr/bin/env python3
"""Beadwork's search beside optimal decision trees: peers.py [--beadwork build/beadwork] [--limit 60]

Needs pystreed, pydl8.5 and numpy (pip install pystreed pydl8.5). For each of the paper's sets and depths 3 to 5, in one run:
seconds inside fit and training errors of a diagram of at most H features (one thread) and of trees of depth H. The
diagram's errors are checked against the published optima, both are evaluated again on the rows, before a time is
printed. A diagram of depth H tests H features in all, a tree of that depth up to 2^H - 1: the trees err less. A peer that
runs past the limit counts with the limit.
"""
import argparse
import csv
import json
import math
import multiprocessing
import pathlib
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import tables as known  # noqa: E402: of the tree

SOURCE = pathlib.Path(__file__).resolve().parents[1]


def beadwork(program, path, depth):
    run = subprocess.run([program, "fit", path, "--depth", str(depth), "--json", "-q"], capture_output=True, text=True, check=True)
    outcome = json.loads(run.stdout)
    return outcome["time_s"], outcome["training_errors"], outcome["status"] == "optimal"


def streed(x, y, depth, limit):
    from pystreed import STreeDClassifier
    model = STreeDClassifier("accuracy", max_depth=depth, time_limit=limit)
    start = time.perf_counter()
    model.fit(x, y)
    seconds = time.perf_counter() - start
    return seconds, int((model.predict(x) != y).sum()), model.fit_result.is_optimal()


def dl85(x, y, depth, limit):
    from pydl85 import DL85Classifier
    model = DL85Classifier(max_depth=depth, time_limit=limit)
    start = time.perf_counter()
    model.fit(x, y)
    seconds = time.perf_counter() - start
    return seconds, int((model.predict(x) != y).sum()), not model.timeout_


def in_child(learner, arguments, limit):
    """A peer in a process of its own: one that hangs or dies costs its figure, not the run."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        try:
            return pool.apply_async(learner, arguments).get(limit + 30)
        except Exception as error:  # noqa: BLE001: whatever a peer raises is a result
            print(f"  {learner.__name__}: {type(error).__name__} {error}", file=sys.stderr)
            return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beadwork", type=pathlib.Path, default=SOURCE / "build" / "beadwork")
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--depths", type=int, nargs="+", default=[3, 4, 5])
    args = parser.parse_args()
    paper = known.folder_or_skip("paper")
    with open(known.REFERENCE / "optimal_training_error.csv", encoding="utf-8") as file:
        reference = {row["dataset"]: row for row in csv.DictReader(file)}
    peers = {"streed": streed, "dl85": dl85}
    ratios = {name: [] for name in peers}
    print(f"{'data':12} H  beadwork s  err" + "".join(f"{name + ' s':>12} err    ratio" for name in peers))
    for depth in args.depths:
        for name, row in reference.items():
            path = paper / f"{name}.txt"
            matrix = np.loadtxt(path, dtype=np.int32)
            y, x = matrix[:, 0], matrix[:, 1:]
            seconds, errors, optimal = min(beadwork(args.beadwork, path, depth) for _ in range(3))
            if not optimal or errors != int(row[f"err_h{depth}"]):
                sys.exit(f"{name} at depth {depth}: {errors} errors, published are {row[f'err_h{depth}']}")
            line = f"{name:12} {depth} {seconds:11.5f} {errors:4}"
            for peer, learner in peers.items():
                found = in_child(learner, (x, y, depth, args.limit), args.limit)
                if found and found[0] < 1:  # the best of three, as ours
                    again = [in_child(learner, (x, y, depth, args.limit), args.limit) for _ in range(2)]
                    found = min(filter(None, [found, *again]))
                if found is None:
                    line += f"{'failed':>12}   -        -"
                    continue
                ratio = found[0] / seconds
                ratios[peer].append(ratio)
                line += f"{found[0]:12.4f}{'' if found[2] else '>'} {found[1]:3} {ratio:8.1f}"
            print(line, flush=True)
    for peer, all_ratios in ratios.items():
        if all_ratios:
            mean = math.exp(sum(map(math.log, all_ratios)) / len(all_ratios))
            print(f"{peer}: {mean:.1f} times beadwork's time on geometric mean, {min(all_ratios):.1f} to {max(all_ratios):.1f}, {len(all_ratios)} cells")


if __name__ == "__main__":
    main()
