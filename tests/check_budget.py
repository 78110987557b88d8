#!/usr/bin/env python3
"""Fails where .ci/run has outgrown its time: check_budget.py BUILD

Adds up what its stages cost (.ci/stages.txt), what the tests of the release build cost (tests/costs.txt), and what those cost that
run under the sanitizers as well. These are figures that were measured once, so the answer does not depend on the machine; who adds
a slow test adds its line (tools/test_costs.py prints it), and moves another to make nightly where the sum is too large. A line for a
test that is not there any more is a fault, too.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FEWER_THERE = {"beadcheck_claims", "beadcheck_cut_claims", "beadcheck_mutations"}  # two fifths of the repeats, under sanitizers


def lines_of(path):
    return [line for line in (ROOT / path).read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def tests_of(build, *selection):
    listed = subprocess.run(["ctest", "-N", *selection], cwd=build, capture_output=True, text=True, check=True).stdout
    return re.findall(r"^ *Test +#\d+: (.*)$", listed, re.M)


def main():
    build = sys.argv[1]
    stages = {name: float(value) for name, value in map(str.split, lines_of(".ci/stages.txt"))}
    costs, long, nightly = {}, set(), set()
    for seconds, labels, name in (line.split(None, 2) for line in lines_of("tests/costs.txt")):
        costs[name] = float(seconds)
        if "long" in labels.split(","):
            long.add(name)
        if "nightly" in labels.split(","):
            nightly.add(name)
    tests = tests_of(build)
    there = set(tests_of(build, "-L", "fast")) | set((pathlib.Path(build) / "tests/sanitized.txt").read_text().split())
    there |= {test for test in tests if test.startswith("fuzz_replay_")}
    gone = sorted(costs.keys() - set(tests))
    if gone:
        sys.exit(f"budget: tests/costs.txt names what is not a test: {', '.join(gone)}")
    release = sum(costs.get(test, stages["small-test"]) for test in tests if test not in nightly)
    sanitized = [test for test in tests if test in there and test not in long]
    parts = {name: stages[name] for name in ("lint", "compile-sanitizers", "compile-release", "python", "test-alone")}
    parts["tests"] = release
    parts["tests under the sanitizers"] = sum(
        stages["sanitizers-factor"] * costs[test] * (0.4 if test in FEWER_THERE else 1) if test in costs
        else stages["small-test-sanitizers"] for test in sanitized)
    for name, seconds in parts.items():
        print(f"{seconds:6.0f} s  {name}")
    total = sum(parts.values()) / stages["cores-busy"]
    print(f"{total:6.0f} s  by the clock on two cores, of {stages['budget']:.0f} s")
    return total > stages["budget"]


if __name__ == "__main__":
    sys.exit(main())
