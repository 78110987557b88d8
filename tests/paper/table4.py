#!/usr/bin/env python3
"""The paper's Table 4, CART and the model on CART's features, cell by cell beside what we measure. Slow, by hand:

usage: table4.py BEADWORK

5-fold cross-validation with 5 seeds, folds drawn at random. Holds, or exits with 1:
  CART: mean training accuracy within 1 point on at least 70 of the 75 cells;
  the model on CART's features: within 0.6 points where the paper solved all runs to optimality, elsewhere not more than
  0.5 below, on every cell but those that are listed with their reason in docs/paper-notes.md.
"""
import csv
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import tables  # noqa: E402: of the tree

RESTRICTED = "search:features-from=cart"
EXPLAINED = set()  # (set, depth)


def measure(binary, data, depth):
    out = subprocess.run([binary, "compare", data, "--depth", str(depth), "--engines", f"cart,{RESTRICTED}", "--folds",
                          "5", "--seeds", "5", "--json", "-q"], check=True, stdout=subprocess.PIPE).stdout
    return {e["engine"]: e for e in json.loads(out)["engines"]}


def main(binary):
    folder = tables.folder_or_skip("paper")
    near = cells = 0
    off = []
    print(f"{'set':<12} H | CART train  paper   diff  size  paper  feat  paper | restricted train  paper   diff  Opt")
    for row in csv.DictReader(open(tables.PUBLISHED / "table4_cart_heuristic_exact.csv")):
        name, depth = row["dataset"], int(row["depth"])
        got = measure(binary, folder / f"{name}.txt", depth)
        cart, model = got["cart"], got[RESTRICTED]
        train = 100 * cart["train_accuracy"]["mean"]
        diff = train - float(row["cart_train"])
        model_train = 100 * model["train_accuracy"]["mean"]
        model_diff = model_train - float(row["heur_train"])
        cells += 1
        near += abs(diff) <= 1
        solved = float(row["heur_opt"]) == 100
        holds = abs(model_diff) <= 0.6 if solved else model_diff >= -0.5
        if not holds:
            off.append((name, depth))
        print(f"{name:<12} {depth} | {train:10.2f} {float(row['cart_train']):6.2f} {diff:+6.2f}{'' if abs(diff) <= 1 else '*':1} "
              f"{cart['size']['mean']:5.2f} {float(row['cart_size']):6.2f} {cart['features']['mean']:5.2f} "
              f"{float(row['cart_features']):6.2f} | {model_train:16.2f} {float(row['heur_train']):6.2f} {model_diff:+6.2f}"
              f"{'' if holds else '*':1} {row['heur_opt']:>4}  proven {model['optimal']}/{model['runs']}", flush=True)
    print(f"CART within 1 point on {near} of {cells} cells")
    print(f"model on CART's features outside its bar on {len(off)} cells: {off}")
    return 0 if near >= 70 and set(off) <= EXPLAINED else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
