#!/usr/bin/env python3
"""How well a search in parts goes on many cores: scale.py PARTS_BENCH DATA DEPTH [--parts 64,256,1000,10000] [--start 0.09]

Runs bench/search/parts_bench.cpp, which measures each part, and simulates from these times: parts are given to P cores one after the
other, those of most estimated work first, each with a start of so many CPU seconds (reading the table, preparing). Efficiency is the
CPU time of the undivided search over P times the time until the last core is done, the plan included, which one core makes first.
"""
import argparse
import heapq
import json
import subprocess


def makespan(times, cores):
    ends = [0.0] * min(cores, len(times))
    for t in times:
        heapq.heapreplace(ends, ends[0] + t)
    return max(ends)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("bench")
    arguments.add_argument("data")
    arguments.add_argument("depth")
    arguments.add_argument("--parts", default="64,256,1000,10000")
    arguments.add_argument("--start", type=float, default=0.09)
    arguments.add_argument("--record", help="write what was measured to this file")
    arguments.add_argument("--read", help="take what was measured from this file")
    flags = arguments.parse_args()
    text = open(flags.read).read() if flags.read else subprocess.run([flags.bench, flags.data, flags.depth, *flags.parts.split(",")], check=True, capture_output=True,
                          text=True).stdout
    if flags.record:
        with open(flags.record, "w") as file:
            file.write(text)
    for line in text.splitlines():
        told = json.loads(line)
        times, work, whole = told["seconds"], told["work"], told["whole"]
        total = sum(times)
        print(f"{told['parts']} parts: {total:.2f} s in all, whole {whole:.2f} s: efficiency {100 * whole / total:.1f} % by time, "
              f"{100 * told['whole_steps'] / told['steps']:.1f} % by branches; largest part {100 * max(times) / total:.2f} %; "
              f"plan {told['plan']:.2f} s")
        by_work = sorted(range(len(times)), key=lambda i: -work[i])
        for cores in (16, 64, 256, 1000, 4000, 10000):
            if cores > len(times):
                break
            span = makespan([times[i] + flags.start for i in by_work], cores) + told["plan"]
            print(f"  {cores:6} cores: {span:9.2f} s, efficiency {100 * whole / (cores * span):5.1f} %")


if __name__ == "__main__":
    main()
