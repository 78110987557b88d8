#!/usr/bin/env python3
"""What heavy weights cost: CPU seconds of `fit` on the paper's sets, by the sum of the weights.

    bench/weights.py BINARY

Before a time is printed the error is counted again from the features named, and weights a thousand times as large must
give the same features.
"""
import collections
import json
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import tables as known  # noqa: E402: of the tree

SETS = [("australian", 4), ("hypothyroid", 4), ("splice-1", 4), ("australian", 5), ("kr-vs-kp", 5), ("splice-1", 5)]
SUMS = [0, 10**3, 10**6, 10**9, 10**12]


def weights_of(count, total, rng):
    raw = [rng.expovariate(1) for _ in range(count)]
    return [max(1, round(w * total / sum(raw))) for w in raw]


def fit(binary, folder, rows, weights, depth):
    head = [f"f{i}" for i in range(len(rows[0]) - 1)] + ["w", "y"]
    table = pathlib.Path(folder) / "d.csv"
    table.write_text("\n".join([",".join(head)] + [",".join([*r[1:], str(w), r[0]]) for r, w in zip(rows, weights)]) + "\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([binary, "fit", str(table), "--weight", "w", "-d", str(depth), "--threads", "1", "--time-limit",
                           "none", "--json", "-q"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def errors(rows, weights, features):
    cells = collections.defaultdict(collections.Counter)
    for row, weight in zip(rows, weights):
        cells[tuple(row[1 + int(f[1:])] for f in features)][row[0]] += weight
    return sum(sum(cell.values()) - max(cell.values()) for cell in cells.values())


def main():
    binary = sys.argv[1]
    paper = known.folder_or_skip("paper")
    print("| set | depth |" + "".join(f" {s:.0e} |" if s else " no weights |" for s in SUMS) + "\n|---|---|" + "---|" * len(SUMS))
    with tempfile.TemporaryDirectory() as folder:
        for name, depth in SETS:
            rows = [line.split() for line in (paper / f"{name}.txt").read_text().splitlines() if line]
            times = []
            for total in SUMS:
                weights = weights_of(len(rows), total, random.Random(1)) if total else [1] * len(rows)
                outcome, seconds = fit(binary, folder, rows, weights, depth)
                assert outcome["status"] == "optimal", outcome
                assert outcome["training_errors"] == errors(rows, weights, outcome["features"]), outcome
                larger, _ = fit(binary, folder, rows, [1000 * w for w in weights], depth)
                assert larger["features"] == outcome["features"], (outcome, larger)
                times.append(seconds)
            print(f"| {name} | {depth} |" + "".join(f" {t:.2f} |" for t in times), flush=True)


if __name__ == "__main__":
    main()
