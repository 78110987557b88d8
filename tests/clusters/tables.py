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


def without_parts(model: dict) -> dict:
    """A model file without what says in how many parts it was proven, and the seal over that."""
    claim = {key: value for key, value in model["claim"].items() if key != "parts"}
    return {**{key: value for key, value in model.items() if key != "sha256"}, "claim": claim}
