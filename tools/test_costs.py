#!/usr/bin/env python3
"""What each test costs, in seconds of CPU time, which a busy machine changes little: test_costs.py BUILD [REGEX].

Runs the tests of a build tree one after the other and prints those of 2 s and more as lines for tests/costs.txt, with the labels that
they have there. Exit code 1 where a test fails.
"""
import json
import os
import pathlib
import re
import resource
import subprocess
import sys

COSTS = pathlib.Path(__file__).resolve().parents[1] / "tests" / "costs.txt"


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    build, wanted = sys.argv[1], re.compile(sys.argv[2] if len(sys.argv) > 2 else "")
    lines = [line.split(None, 2) for line in COSTS.read_text().splitlines() if line and not line.startswith("#")]
    labels = {name: words for _, words, name in lines}
    listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True).stdout
    failed = []
    for test in json.loads(listed)["tests"]:
        if not wanted.search(test["name"]):
            continue
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        env = os.environ | dict(word.split("=", 1) for word in properties.get("ENVIRONMENT", []))
        before = spent()
        done = subprocess.run(test["command"], cwd=properties.get("WORKING_DIRECTORY", build), env=env, capture_output=True, stdin=subprocess.DEVNULL)
        cost = spent() - before
        if done.returncode not in (0, properties.get("SKIP_RETURN_CODE", 0)):
            failed.append(test["name"])
        if cost >= 2 or test["name"] in labels:
            print(f"{cost:4.0f}  {labels.get(test['name'], 'slow')}  {test['name']}", flush=True)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
