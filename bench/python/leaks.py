"""Does memory grow over many fits? Usage: leaks.py [FITS]."""

from __future__ import annotations

import gc
import pickle
import sys
import warnings

import numpy as np

from beadwork import BDDClassifier


def resident() -> int:
    """KiB of this process."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def listen(progress: object) -> None:
    """A callback that goes on."""


def main() -> None:
    fits = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5)).round(1)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = np.array(["no", "yes"])[rng.integers(0, 2, 60)]
    seen = []
    for i in range(fits + 1):
        model = BDDClassifier(2, certificate=i % 50 == 0, callback=listen).fit(X, y)
        model.predict_proba(X), model.path(X[:3]), model.to_svg(), pickle.loads(pickle.dumps(model))
        try:
            BDDClassifier(2, engine="none").fit(X, y)
        except ValueError:
            pass
        if i % (fits // 10) == 0:
            gc.collect()
            seen.append(resident())
            print(f"{i:6d} fits: {seen[-1]} KiB", flush=True)
    growth = seen[-1] - seen[len(seen) // 2]
    print(f"growth over the last half: {growth} KiB, {1024 * growth / (fits / 2):.1f} bytes a fit")
    sys.exit(growth > 512)


if __name__ == "__main__":
    main()
