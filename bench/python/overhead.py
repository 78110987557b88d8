"""What fit from Python costs beyond the command line, on the paper's sets: beadwork's binary, then the package, in turns.

Usage: overhead.py BINARY FOLDER [DEPTH]. Both read the same table; the time of the command line is that of the whole
process, reading of the file and all; the time of Python is that of fit alone, on an array that is already there.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from beadwork import BDDClassifier

ROUNDS = 7


def by_command(binary: str, path: Path, depth: int) -> tuple[float, float]:
    """Seconds of the process and of its engine."""
    start = time.perf_counter()
    run = [binary, "fit", str(path), "--depth", str(depth), "--quiet", "--json"]
    out = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    return time.perf_counter() - start, json.loads(out)["time_s"]


def by_python(X: np.ndarray, y: np.ndarray, depth: int) -> tuple[float, float]:
    """Seconds of fit and of its engine."""
    start = time.perf_counter()
    model = BDDClassifier(depth).fit(X, y)
    return time.perf_counter() - start, model.fit_time_


def main() -> None:
    binary, folder = sys.argv[1], Path(sys.argv[2])
    depth = int(sys.argv[3]) if len(sys.argv) > 3 else 4
    print(f"depth {depth}, best of {ROUNDS}, seconds\n")
    print("| set | command line, whole process | engine in it | Python fit | engine in it | fit - process |")
    print("|---|---|---|---|---|---|")
    worst = 0.0
    for path in sorted(folder.glob("*.txt")):
        rows = np.loadtxt(path, dtype=np.int64)
        X, y = rows[:, 1:], rows[:, 0]
        command = [by_command(binary, path, depth) for _ in range(ROUNDS)]
        python = [by_python(X, y, depth) for _ in range(ROUNDS)]
        c, ce = min(command), min(e for _, e in command)
        p, pe = min(python), min(e for _, e in python)
        worst = max(worst, p[0] - c[0] if p[0] > 1.05 * c[0] else 0.0)
        print(f"| {path.stem} | {c[0]:.4f} | {ce:.4f} | {p[0]:.4f} | {pe:.4f} | {p[0] - c[0]:+.4f} |")
    print(f"\nmost beyond 5 %: {1000 * worst:.1f} ms (allowed: 5 ms)")


if __name__ == "__main__":
    main()
