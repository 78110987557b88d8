#!/usr/bin/env python3
"""Least depths of small training sets beside the published ones: least_depths.py [--sets a b] [--seeds 10] [--limit 60]

For each set and share of rows: `min-depth` with both encodings on stratified draws (each class rounded down), from depth 7,
never below 2, as the published figures have it (docs/paper-notes.md). Prints mean depth of the splits solved, the published
mean, literals and seconds. Ends with an error if the encodings differ on a split that both solve, or if search, which
knows no formula, finds another depth.
"""
import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import tables as data  # noqa: E402: of the tree

SOURCE = pathlib.Path(__file__).resolve().parents[1]


def least(args, name, ratio, seed, *options):
    data = args.paper / f"{name}.txt"
    command = [args.beadwork, "min-depth", data, "--train-share", ratio, "--stratified", "--split-seed", seed, "--json", *options]
    run = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    return json.loads(run.stdout) if run.stdout else {"status": "unknown", "depth": None}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beadwork", type=pathlib.Path, default=SOURCE / "build" / "beadwork")
    parser.add_argument("--sets", nargs="+", default=["audiology", "cancer", "lymph", "vote"])
    parser.add_argument("--ratios", nargs="+", default=["0.05", "0.10", "0.15", "0.20", "0.25"])
    parser.add_argument("--encodings", nargs="+", default=["bdd1", "bdd2"])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--limit", type=float, default=60)
    args = parser.parse_args()
    args.paper = data.folder_or_skip("paper")
    with open(data.PUBLISHED / "table2_sat_encodings.csv", encoding="utf-8") as file:
        published = {(row["dataset"], row["ratio"]): row for row in csv.DictReader(file)}
    far = 0
    print(f"{'data':10} share  encoding solved  depth  published  seconds")
    for name in args.sets:
        for ratio in args.ratios:
            answers = {}
            for encoding in args.encodings:
                runs = [least(args, name, ratio, seed, "--encoding", encoding, "--floor", 2, "--time-limit", args.limit)
                        for seed in range(1, args.seeds + 1)]
                answers[encoding] = [run["depth"] if run["status"] == "optimal" else None for run in runs]
                solved = [depth for depth in answers[encoding] if depth is not None]
                mean = statistics.mean(solved) if solved else float("nan")
                theirs = published[name, ratio][f"{encoding}_dopt"]
                seconds = statistics.mean(run.get("time_s", args.limit) for run in runs)
                near = theirs != "NA" and solved and abs(mean - float(theirs)) <= 0.5
                far += not near and theirs != "NA"
                print(f"{name:10} {ratio}   {encoding:8} {len(solved):6}  {mean:5.2f}  {theirs:>9}  {seconds:7.2f}{'' if near or theirs == 'NA' else '  far'}", flush=True)
            for seed, depths in enumerate(zip(*answers.values()), 1):
                known = {depth for depth in depths if depth is not None}
                exact = least(args, name, ratio, seed, "--engine", "search")["depth"] if known else None
                if len(known) > 1 or (known and max(exact, 2) not in known):
                    sys.exit(f"{name} {ratio}, seed {seed}: depths {depths} by the encodings, {exact} by search")
    print(f"{far} means differ from the published ones by more than 0.5")


if __name__ == "__main__":
    main()
