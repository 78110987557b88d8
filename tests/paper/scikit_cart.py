#!/usr/bin/env python3
"""Engine cart beside scikit-learn's DecisionTreeClassifier on the paper's sets, depth 2 to 6, both criteria.

usage: scikit_cart.py BEADWORK

scikit-learn breaks ties at random. Where its training errors are the same for all random states, no tie mattered and ours
must be the same; elsewhere ours, over as many seeds, must overlap with them. Skipped (77) where it is not installed.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import tables  # noqa: E402: of the tree

STATES = 20
SEEDS = 6


def errors_of(binary, data, depth, criterion, seed):
    out = subprocess.run([binary, "fit", data, "--engine", "cart", "--depth", str(depth), "--impurity", criterion, "--seed",
                          str(seed), "--json", "-q"], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(out)["training_errors"]


def main(binary):
    try:
        import numpy
        from sklearn.tree import DecisionTreeClassifier
    except ImportError:
        print("scikit-learn is not installed")
        return 77
    folder = tables.folder_or_skip("paper")
    same = tied = 0
    wrong = []
    for path in sorted(folder.glob("*.txt")):
        matrix = numpy.loadtxt(path, dtype=numpy.int8)
        for depth in range(2, 7):
            for criterion in ("gini", "entropy"):
                theirs = set()
                for state in range(STATES):
                    tree = DecisionTreeClassifier(max_depth=depth, criterion=criterion, random_state=state)
                    tree.fit(matrix[:, 1:], matrix[:, 0])
                    theirs.add(int((tree.predict(matrix[:, 1:]) != matrix[:, 0]).sum()))
                ours = {errors_of(binary, path, depth, criterion, 0)}
                if len(theirs) == 1:
                    same += 1
                    if ours != theirs:
                        wrong.append((path.stem, depth, criterion, sorted(ours), sorted(theirs)))
                    continue
                tied += 1
                ours |= {errors_of(binary, path, depth, criterion, seed) for seed in range(1, SEEDS)}
                if max(ours) < min(theirs) or min(ours) > max(theirs):
                    wrong.append((path.stem, depth, criterion, sorted(ours), sorted(theirs)))
                print(f"{path.stem} {depth} {criterion}: ties matter; ours {sorted(ours)}, scikit-learn {sorted(theirs)}",
                      flush=True)
    print(f"{same} cells without ties that matter, {tied} with; {len(wrong)} differ: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
