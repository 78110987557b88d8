#!/usr/bin/env python3
"""A search that is too long to be run whole: sampled_parts.py BEADWORK DATA DEPTH [--parts 10000] [--sample 60] [--seconds 600]

Makes a plan, runs parts of it that a seed picks, each as `beadwork fit --part` in a process of its own on one thread, and simulates the
whole from their CPU times: drawn with replacement for all parts, given to P cores one after the other, the plan first. What it prints
is an estimate with its standard error, except for the parts that were run, their merge and the bounds, which are facts.
"""
import argparse
import heapq
import json
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time


def cpu(command):
    """CPU seconds of a command that must end well, or be stopped by its limit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(w) for w in command], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 4):
        sys.exit(done.stderr.strip())
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def makespan(times, cores):
    ends = [0.0] * min(cores, len(times))
    for t in times:
        heapq.heapreplace(ends, ends[0] + t)
    return max(ends)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("data")
    parser.add_argument("depth")
    parser.add_argument("--parts", type=int, default=10000)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=600, help="begin no part after this time")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        plan = pathlib.Path(folder) / "plan"
        fit = [args.program, "fit", args.data, "-d", args.depth, "--plan-dir", plan, "--threads", "1", "--time-limit", "none", "-q"]
        planning = cpu([*fit, "--plan", args.parts])
        print(f"plan of {args.parts} parts: {planning:.1f} s of CPU", flush=True)
        times = []
        for part in rng.sample(range(args.parts), args.sample):
            if time.monotonic() - start > args.seconds:
                break
            times.append(cpu([*fit, "--part", part]))
        model = pathlib.Path(folder) / "model.json"
        done = subprocess.run([args.program, "state", "merge", plan, "-o", model, "--finish", "--time-limit", "1", "-q"], capture_output=True, text=True)
        claim = json.loads(model.read_text())["claim"] if model.exists() else {}
    mean = statistics.fmean(times)
    error = statistics.stdev(times) / len(times) ** 0.5
    print(f"{len(times)} parts: {mean:.2f} s of CPU each (standard error {error:.2f}, least {min(times):.2f}, most {max(times):.2f})")
    print(f"the whole by that: {args.parts * mean / 3600:.2f} h of CPU, give or take {2 * args.parts * error / 3600:.2f}")
    print(f"merged: exit code {done.returncode}, {claim.get('status')}, between {claim.get('lower_bound')} and {claim.get('upper_bound')} errors")
    drawn = [rng.choice(times) for _ in range(args.parts)]
    for cores in (16, 64, 256, 1000, 4000, 10000):
        span = makespan(drawn, cores)
        share, all_in = (100 * sum(drawn) / (cores * s) for s in (span, span + planning))
        print(f"{cores:6} cores: {span:9.1f} s, efficiency {share:5.1f} %; with the plan, which one core makes, {all_in:5.1f} %")


if __name__ == "__main__":
    main()
