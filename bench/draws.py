#!/usr/bin/env python3
"""Least depths of many stratified draws by exact search: draws.py -o studies/records/draws.jsonl.gz [--seeds 100]

One line a draw: set, share of the rows to train on, seed, least depth (never below 2, as published), and who found it. The draws of
seeds 1 to 10 are those of studies/table2.json. tools/check_results.py makes the table of docs/paper-notes.md from the record.
"""
import argparse
import gzip
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import tables as data  # noqa: E402: of the tree

SOURCE = pathlib.Path(__file__).resolve().parents[1]
SETS = ["audiology", "cancer", "lymph", "vote"]
SHARES = ["0.05", "0.10", "0.15", "0.20", "0.25"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beadwork", type=pathlib.Path, default=SOURCE / "build" / "beadwork")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    args = parser.parse_args()
    folder = data.folder_or_skip("paper")
    version = subprocess.run([args.beadwork, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    lines = []
    for name in SETS:
        for share in SHARES:
            for seed in range(1, args.seeds + 1):
                run = subprocess.run([args.beadwork, "min-depth", folder / f"{name}.txt", "--engine", "search", "--train-share", share,
                                      "--stratified", "--split-seed", str(seed), "--json"], capture_output=True, text=True, check=True)
                said = json.loads(run.stdout)
                assert said["status"] == "optimal", said
                lines.append(json.dumps({"set": name, "part": f"share {share}", "seed": seed, "learner": "least depth", "engine": "search",
                                         "version": version, "status": "optimal", "least_depth": max(2, said["depth"])}))
    with open(args.output, "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
        packed.write("".join(line + "\n" for line in lines).encode())
    print(f"{len(lines)} draws in {args.output}")


if __name__ == "__main__":
    main()
