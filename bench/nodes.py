#!/usr/bin/env python3
"""Diagrams of at most 9 nodes on the paper's sets: nodes.py BEADWORK [--sets vote ...] [--anytime 2]

For each set: the time until the optimum is proven at depth 6 and at depth 8 (at most 20 seconds), and the errors that a run of a few
seconds at depth 8 ends with. Before a time is printed, the model is counted again by `beadwork evaluate`, and depth 8 must not be worse than
depth 6, nor a bound above what another run found.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import tables as known  # noqa: E402: of the tree

SETS = "anneal audiology australian cancer car cleveland hypothyroid kr-vs-kp lymph mushroom tumor soybean splice-1 tic-tac-toe vote".split()


class Bench:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def fit(self, table, depth, limit):
        """Errors, lower bound, whether proven, seconds."""
        model = self.folder / "model.json"
        start = time.monotonic()
        command = [self.program, "fit", table, "-d", str(depth), "--max-nodes", "9", "--time-limit", str(limit), "-o", model, "--json", "-q"]
        done = subprocess.run(command, capture_output=True, text=True)
        seconds = time.monotonic() - start
        if done.returncode not in (0, 4):
            sys.exit(f"{table.stem}: {done.stderr.strip()}")
        claim = json.loads(done.stdout)["claim"]
        counted = subprocess.run([self.program, "evaluate", model, table, "--json"], capture_output=True, text=True, check=True)
        errors = json.loads(counted.stdout)["errors"]
        if errors != claim["upper_bound"] or claim["lower_bound"] > errors:
            sys.exit(f"{table.stem} at depth {depth}: {errors} errors, claimed {claim['lower_bound']} to {claim['upper_bound']}")
        return errors, claim["lower_bound"], claim["status"] == "optimal", seconds


def told(answer):
    errors, low, proven, seconds = answer
    return f"{errors:g} in {seconds:.1f} s" if proven else f"{low:g} to {errors:g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--anytime", type=float, default=2)
    args = parser.parse_args()
    paper = known.folder_or_skip("paper")
    proven = {6: 0, 8: 0}
    print(f"| set | depth 6 | depth 8 | depth 8 after {args.anytime:g} s |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args.program, pathlib.Path(folder))
        for name in args.sets:
            table = paper / f"{name}.txt"
            six, eight, soon = (bench.fit(table, d, limit) for d, limit in ((6, args.limit), (8, args.limit), (8, args.anytime)))
            best = min(eight[0], soon[0])
            if eight[1] > best or soon[1] > best or (six[2] and eight[2] and eight[0] > six[0]):
                sys.exit(f"{name}: the answers contradict each other: {six}, {eight}, {soon}")
            for depth, answer in ((6, six), (8, eight)):
                proven[depth] += answer[2]
            print(f"| {name} | {told(six)} | {told(eight)} | {soon[0]:g} |", flush=True)
    print(f"proven: {proven[6]} of {len(args.sets)} at depth 6, {proven[8]} at depth 8")


if __name__ == "__main__":
    main()
