"""Random tables of 0 and 1 with a noisy rule: searches of known length."""

from __future__ import annotations

import json
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


def write_study(home: Path) -> Path:
    """A study of 18 runs with its table."""
    (home / "data").mkdir(parents=True)
    write(home / "data" / "one.csv", 12)
    study = {
        "name": "A small study",
        "folder": "data",
        "suffix": ".csv",
        "sets": ["one"],
        "depths": [1, 2, 3],
        "folds": 3,
        "seeds": [1],
        "learners": [{"name": "cart", "engine": "cart"}, {"name": "exact", "engine": "search"}],
    }
    (home / "s.json").write_text(json.dumps(study), encoding="utf-8")
    return home / "s.json"


def answers(record: Path) -> list[str]:
    """The runs of a study with what they found, without what depends on the machine."""
    kept = []
    for line in record.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        kept.append(json.dumps({k: v for k, v in entry.items() if k not in ("seconds", "peak_mib")}))
    return sorted(kept)
