"""Peak memory of a fit on a pandas frame of a million rows and 20 mixed columns, at depth 3.

Usage: memory.py [ROWS]. The peak is reset before fit (Linux), so that it is of fit alone, the frame included.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import pandas as pd

from beadwork import BDDClassifier


def memory(what: str) -> float:
    """MiB of this process: VmRSS now, or VmHWM, the peak since the last reset."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(what)) / 1024


def frame(rows: int) -> tuple[pd.DataFrame, pd.Series]:
    """Eight columns of floats, four of integers, four of booleans, four of categories; a twentieth is missing somewhere."""
    rng = np.random.default_rng(0)
    data: dict[str, object] = {}
    for i in range(8):
        data[f"float{i}"] = np.where(rng.random(rows) < 0.05 * (i == 0), np.nan, rng.normal(size=rows))
    for i in range(4):
        data[f"int{i}"] = rng.integers(0, 100, rows)
    for i in range(4):
        data[f"bool{i}"] = rng.random(rows) < 0.3
    for i in range(4):
        data[f"cat{i}"] = pd.Categorical(rng.choice(["red", "green", "blue", "none"], rows))
    table = pd.DataFrame(data)
    signal = (table.float1 > 0.3) & (table.cat0 == "red") | table.bool2 & (table.int1 < 40)
    return table, pd.Series(np.where(signal ^ (rng.random(rows) < 0.05), "yes", "no"), name="answer")


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    X, y = frame(rows)
    size = X.memory_usage(index=False).sum() / 2**20
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")
    before = memory("VmRSS")
    start = time.perf_counter()
    model = BDDClassifier(3).fit(X, y)
    seconds = time.perf_counter() - start
    peak = memory("VmHWM")
    bits = model.n_binary_features_ * rows / 8 / 2**20
    errors = (model.predict(X) != y).sum()
    assert errors == model.upper_bound_
    print(f"{rows} rows x {X.shape[1]} columns, frame {size:.0f} MiB, {model.n_binary_features_} bit columns {bits:.0f} MiB")
    print(f"before fit {before:.0f} MiB, peak in fit {peak:.0f} MiB: {peak - before:.0f} MiB more")
    print(f"fit {seconds:.1f} s of which engine {model.fit_time_:.1f} s; {model.status_}, {model.upper_bound_} errors")


if __name__ == "__main__":
    main()
