#!/usr/bin/env python3
"""Engine maxsat-dt on five of the paper's sets, depth 2, against optima that other programs for optimal trees have found.

usage: tree_optima.py BEADWORK
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import tables  # noqa: E402: of the tree

OPTIMA = {"vote": 17, "lymph": 22, "tumor": 58, "car": 250, "anneal": 137}


def main(binary):
    folder = tables.folder_or_skip("paper")
    failed = 0
    for name, errors in OPTIMA.items():
        out = json.loads(subprocess.run([binary, "fit", folder / f"{name}.txt", "--engine", "maxsat-dt", "--depth", "2",
                                         "--json", "-q"], check=True, stdout=subprocess.PIPE).stdout)
        print(f"{name}: {out['training_errors']} errors, {out['status']}, {out['time_s']:.1f} s", flush=True)
        failed += (out["training_errors"], out["status"]) != (errors, "optimal")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
