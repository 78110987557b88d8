#!/usr/bin/env python3
"""Several Python threads learn, predict, save and load at once: python_threads.py [--threads 4] [--rounds 20] [--seed 1]

Needs the package, as in build/venv-python; python_tsan.sh runs it under the thread sanitizer. Threads share the data and, for
predictions, the models. Every answer equals the one that the same question has when it is asked alone.
"""
import argparse
import random
import sys
import threading

import numpy as np
from beadwork import BDDClassifier


def questions(seed):
    """Tables and options, with the answers found one after another."""
    rng = np.random.default_rng(seed)
    out = []
    for i, engine in enumerate(["search", "search", "maxsat", "local", "cart", "search"]):
        X = rng.integers(0, 2, size=(60, 8)) if i % 2 else rng.normal(size=(60, 4))
        y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(scale=0.5, size=60) > 0.5).astype(int)
        options = {"depth": 2 + i % 2, "engine": engine}
        if engine == "search":
            options["n_jobs"] = 1 + i % 2
        model = BDDClassifier(**options).fit(X, y)
        out.append((X, y, options, model, model.to_json(), model.predict(X)))
    return out


def work(asked, seed, rounds, wrong):
    rng = random.Random(seed)
    try:
        for _ in range(rounds):
            X, y, options, model, text, predicted = rng.choice(asked)
            assert BDDClassifier(**options).fit(X, y).to_json() == text, options
            assert (model.predict(X) == predicted).all(), options
            assert (BDDClassifier.from_json(text).predict(X) == predicted).all(), options
    except Exception as error:  # of any kind: it is shown at the end
        wrong.append(error)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    asked, wrong = questions(args.seed), []
    workers = [threading.Thread(target=work, args=(asked, i, args.rounds, wrong)) for i in range(args.threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(f"{args.threads} threads, {args.rounds} rounds each, {len(wrong)} errors", *map(repr, wrong), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
