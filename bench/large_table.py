#!/usr/bin/env python3
"""A million rows and fifty columns: how long does `fit --depth 2` take, and how much memory?

usage: large_table.py BEADWORK [ROWS]

The class is (n1 = a) xor (n2 = b), flipped in every tenth row, so the least error is known: the answer is checked before a
time is printed.
"""
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time


def write_table(path, rows):
    rng = random.Random(1)
    numeric, nominal = 40, 9
    with open(path, "w", buffering=1 << 20) as out:
        out.write(",".join([f"x{i}" for i in range(numeric)] + [f"n{i}" for i in range(nominal)] + ["class"]) + "\n")
        pool = [f"{rng.uniform(0, 1000):.3f}" for _ in range(100_003)]
        for r in range(rows):
            levels = [rng.choice("abc") for _ in range(nominal)]
            start = r * 41 % (len(pool) - numeric)
            flip = r % 10 == 0
            positive = ((levels[1] == "a") != (levels[2] == "b")) != flip
            out.write(",".join(pool[start:start + numeric] + levels) + (",yes\n" if positive else ",no\n"))
    return (rows + 9) // 10


def main():
    beadwork, rows = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "large.csv")
        errors = write_table(path, rows)
        size = os.path.getsize(path) / 2**20
        for engine in ("enumerate", "search"):
            start = time.monotonic()
            done = subprocess.run([beadwork, "fit", path, "--depth", "2", "--engine", engine, "--json", "-q"],
                                  capture_output=True, text=True, check=True)
            seconds = time.monotonic() - start
            outcome = json.loads(done.stdout)
            assert outcome["status"] == "optimal" and outcome["training_errors"] == errors, outcome
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            print(f"{rows} rows x 50 columns ({size:.0f} MiB), depth 2, {engine}: {errors} errors as planted, "
                  f"{seconds:.1f} s in all, {outcome['time_s']:.1f} s learning, peak {peak:.0f} MiB so far")


main()
