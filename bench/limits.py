#!/usr/bin/env python3
"""How far fit runs past its limits: limits.py BEADWORK [--scratch FOLDER] [--time-limit 2] [--memory-limit 200] [--only TEXT]

Every engine at several depths, and the lists and files of the search, on 1,000,000 x 100 and 3,000 x 5,000 tables (planted rule
with noise). Reading is not within the limits, so a run with --time-limit 0 is measured first. For each run, in seconds:

  wall   time past reading and the limit, as a clock on the wall shows it: of use on a quiet machine only
  CPU    processor time past the deadline. The deadline is found by watching the process: it is the limit after the moment
         at which the process has used as much processor time as reading takes. The load of the machine does not matter.

and its peak memory, beside that of reading alone. A run whose CPU is above 1 s, or whose memory is above both the limit and
reading by more than 10 % + 32 MiB, is marked and makes the exit code 1.
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import namedtuple

TICKS = os.sysconf("SC_CLK_TCK")
TABLES = {"million": (1_000_000, 100), "wide": (3_000, 5_000)}
ENGINES = ["search", "local", "enumerate", "maxsat", "maxsat --faithful", "search --faithful", "enumerate --faithful", "maxsat-dt", "cart",
           "odt", "oodg", "hoodg"]
DEPTHS = [3, 8, 20]
# Of the search, at depth 4 and 20
MORE = ["--top 100", "--front", "--within 5", "--max-nodes 9", "--node-penalty 2", "--bias size", "--bias C",
        "--features-from cart", "--certificate c.txt", "--report page.html", "--checkpoint state", "--threads 2"]


def make_table(path, rows, features, seed=1):
    """A matrix of 0/1 columns; the class is f0 xor f1 or f2 and f3, wrong in every tenth row."""
    rng = random.Random(seed)
    with open(path, "w") as file:
        for _ in range(rows):
            bits = f"{rng.getrandbits(features):0{features}b}"
            answer = (bits[0] != bits[1]) or (bits[2] == bits[3] == "1")
            file.write(f"{int(answer != (rng.random() < 0.1))} {' '.join(bits)}\n")


Run = namedtuple("Run", "code wall cpu peak samples")


def watch(process, samples, ended):
    """Processor time of a process, every 10 ms."""
    while not ended.is_set():
        try:
            fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
            samples.append((time.monotonic(), (int(fields[11]) + int(fields[12])) / TICKS))
        except (OSError, IndexError):
            return
        time.sleep(0.01)


def run(args, words):
    start = time.monotonic()
    process = subprocess.Popen([args.beadwork, "fit", *words], cwd=args.scratch, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    samples = []
    ended = threading.Event()
    watcher = threading.Thread(target=watch, args=(process, samples, ended))
    watcher.start()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    ended.set()
    watcher.join()
    return Run(process.returncode, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, samples)


def past_deadline(done, reading, limit):
    """Processor time after the deadline."""
    learning = next((at for at, cpu in done.samples if cpu >= reading.cpu), None)
    if learning is None:
        return 0.0
    used = [cpu for at, cpu in done.samples if at <= learning + limit]
    return max(0.0, done.cpu - used[-1]) if used else 0.0


def commands(args):
    for name in TABLES:
        for depth in args.depths:
            for engine in ENGINES:
                yield name, ["-d", str(depth), "--engine", *engine.split()]
        for depth in (4, 20):
            for more in MORE:
                yield name, ["-d", str(depth), *more.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("beadwork", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--scratch", type=pathlib.Path, help="folder of the tables, kept (default: a temporary one)")
    parser.add_argument("--time-limit", type=float, default=2)
    parser.add_argument("--memory-limit", type=float, help="MiB; default: none, and nothing is said about memory")
    parser.add_argument("--depths", type=lambda text: [int(d) for d in text.split(",")], default=DEPTHS)
    parser.add_argument("--only", default="", help="only commands that contain this text")
    args = parser.parse_args()
    temporary = tempfile.TemporaryDirectory()
    args.scratch = args.scratch or pathlib.Path(temporary.name)
    bad = 0
    reading = {}
    print("| table | options | exit code | wall, s | CPU, s | peak, MiB | reading, MiB |\n|---|---|---|---|---|---|---|", flush=True)
    for name, words in commands(args):
        if args.only not in f"{name} {' '.join(words)}":
            continue
        path = args.scratch / f"{name}.txt"
        if not path.exists():
            make_table(path, *TABLES[name])
        base = [path.name, "--format", "matrix", "-q"]
        if name not in reading:
            reading[name] = min((run(args, [*base, "-d", "1", "--time-limit", "0", "-o", "model.json"]) for _ in range(2)), key=lambda r: r.cpu)
        limits = ["--time-limit", str(args.time_limit)]
        if args.memory_limit:
            limits += ["--memory-limit", f"{args.memory_limit:.0f}"]
        done, alone = run(args, [*base, *words, *limits, "-o", "model.json"]), reading[name]
        cpu = past_deadline(done, alone, args.time_limit)
        too_much = args.memory_limit and done.peak > 1.1 * max(args.memory_limit, alone.peak) + 32
        wrong = cpu > 1 or too_much or done.code not in (0, 3, 4)
        bad += bool(wrong)
        print(f"| {name} | `{' '.join(words)}` | {done.code} | {done.wall - alone.wall - args.time_limit:.2f} | {cpu:.2f} | "
              f"{done.peak:.0f} | {alone.peak:.0f} |{' <- too much' if wrong else ''}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
