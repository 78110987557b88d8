"""Raw floats in: test accuracy and nodes of BDDClassifier and DecisionTreeClassifier at the same depth, 5 x 5 folds.

Usage: accuracy.py [digits]. Prints a Markdown table.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from beadwork import BDDClassifier

DEPTHS = (2, 3, 4)
LIMIT = 20.0


def main() -> None:
    sets = {"breast cancer": load_breast_cancer, "wine": load_wine, "iris": load_iris}
    depths, limit = DEPTHS, LIMIT
    if "digits" in sys.argv:  # for information: ten classes need more than four features
        sets, depths, limit = {"digits": load_digits}, (2, 3), 4.0
    warnings.simplefilter("ignore")
    print("| set | depth | BDD accuracy | nodes | tree accuracy | nodes | difference |")
    print("|---|---|---|---|---|---|---|")
    for name, load in sets.items():
        X, y = load(return_X_y=True)
        for depth in depths:
            scores = []
            for train, test in RepeatedStratifiedKFold(n_splits=5, n_repeats=5, random_state=0).split(X, y):
                bdd = BDDClassifier(depth, time_limit=limit).fit(X[train], y[train])
                tree = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X[train], y[train])
                scores.append(
                    (bdd.score(X[test], y[test]), bdd.n_nodes_, tree.score(X[test], y[test]), tree.tree_.node_count)
                )
            b, bn, t, tn = np.mean(scores, axis=0)
            print(f"| {name} | {depth} | {100 * b:.1f} % | {bn:.1f} | {100 * t:.1f} % | {tn:.1f} | {100 * (b - t):+.1f} |", flush=True)


if __name__ == "__main__":
    main()
