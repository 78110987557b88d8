#!/usr/bin/env python3
"""Certifies all 75 cells of the paper's table: certificates.py [--binaries build] [--threads N]

For each data set and depth 2 to 6: `fit --certificate` and `beadcheck` on the paper's file; prints errors, seconds of
learning and writing (wall, the whole process), bytes, seconds of checking, and the verdict. Fails on any cell that is not
verified or whose error is not the published optimum.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import tables as known  # noqa: E402: of the tree

SOURCE = pathlib.Path(__file__).resolve().parents[1]


def timed(command):
    start = time.monotonic()
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    return time.monotonic() - start, done


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binaries", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    paper = known.folder_or_skip("paper")
    with open(known.REFERENCE / "optimal_training_error.csv", encoding="utf-8") as f:
        reference = list(csv.DictReader(f))
    fitting = checking = size = bad = cells = 0
    print(f"{'data':12} H errors   fit s  bytes  check s  verdict")
    with tempfile.TemporaryDirectory() as folder:
        model, certificate = pathlib.Path(folder, "m.json"), pathlib.Path(folder, "c")
        for row in reference:
            data = paper / f"{row['dataset']}.txt"
            for depth in range(2, 7):
                fit_s, fit = timed([args.binaries / "beadwork", "fit", data, "-d", depth, "-q", "--json", "-o", model,
                                    "--threads", args.threads, "--certificate", certificate])
                if fit.returncode != 0:
                    sys.exit(fit.stderr)
                errors = json.loads(fit.stdout)["training_errors"]
                check_s, check = timed([args.binaries / "beadcheck", data, model, certificate, "--threads", args.threads])
                verdict = check.stdout.splitlines()[0]
                if errors != int(row[f"err_h{depth}"]):
                    verdict += f", but the published optimum is {row[f'err_h{depth}']}"
                bad += verdict != "VERIFIED"
                nbytes = certificate.stat().st_size
                print(f"{row['dataset']:12} {depth} {errors:6} {fit_s:7.3f} {nbytes:6} {check_s:8.3f}  {verdict}", flush=True)
                fitting, checking, size, cells = fitting + fit_s, checking + check_s, max(size, nbytes), cells + 1
    print(f"{cells} cells, {bad} not verified; fit {fitting:.1f} s, check {checking:.1f} s, largest certificate {size} bytes")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
