"""Random tables of 0 and 1 with a noisy rule: searches of known length."""

from __future__ import annotations

import random
from pathlib import Path


def rows(features: int, count: int = 400, seed: int = 5) -> tuple[list[list[int]], list[int]]:
    rng = random.Random(seed)
    X = [[rng.randint(0, 1) for _ in range(features)] for _ in range(count)]
    return X, [(x[0] & x[3] | x[5] & x[7]) ^ (rng.random() < 0.25) for x in X]


def write(path: Path, features: int) -> Path:
    X, y = rows(features)
    lines = [",".join([f"f{i}" for i in range(features)] + ["y"])]
    lines += [",".join(map(str, [*x, int(k)])) for x, k in zip(X, y)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
