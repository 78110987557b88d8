#!/usr/bin/env python3
"""Every command x hostile tables x a limit of time and memory, or a SIGTERM at a random moment: how far past it each run goes.

usage: matrix.py BEADWORK [--commands fit,predict] [--tables classes,page] [--modes limit,time,term] [--time-limit 2] [--memory-limit 300]
                 [--slack 1] [--more 100] [--seed 1]

What counts is processor time after the limit or the signal (the wall time of a run on a busy machine says nothing), and memory beyond
the limit; deep answers, for which that leaves no room, are made by the mode `time`, without a limit of memory. Reading the table is before the limit: it is measured by a run of 'binarize' that ends at once, and allowed for. A run that
has used --slack and ten times as much more is ended. Part of tests/nightly.sh; bench/limits.py measures engines on large plain tables.
"""
import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

TICK = os.sysconf("SC_CLK_TCK")
EVERY = ("fit", "fit-report", "compare", "decide", "min-depth", "encode", "binarize", "predict", "evaluate", "report", "show", "export")
TABLES = ("classes", "categories", "columns", "page", "rows", "sorted")
DEPTH = {"classes": 20, "categories": 3, "columns": 3, "page": 3, "rows": 20, "sorted": 3}
READING = {"categories": ["--max-categories", "100000"]}


def make(name, rng):
    """NAME.csv, and NAME-part.csv: rows enough for a small model with the same columns."""
    bit = rng.getrandbits
    ten = [",".join(format(i, "010b")) for i in range(1024)]
    with open(f"{name}.csv", "w") as file:
        if name in ("classes", "page"):
            file.write(",".join(f"b{i}" for i in range(30)) + ",y\n")
            count, classes = (20000, 500) if name == "classes" else (40000, 20000)
            file.writelines(f"{ten[bit(10)]},{ten[bit(10)]},{ten[bit(10)]},k{i % classes}\n" for i in range(count))
        elif name == "rows":
            file.write(",".join(f"b{i}" for i in range(20)) + ",y\n")
            for _ in range(30):
                file.write("".join(f"{ten[bit(10)]},{ten[bit(10)]},{'np'[bit(1)]}\n" for _ in range(100000)))
        elif name == "categories":
            file.write("c,d,y\n")
            file.writelines(f"v{i % 100000},{i % 7},{'np'[bit(1)]}\n" for i in range(200000))
        elif name == "columns":
            file.write(",".join(f"col{i}" for i in range(100000)) + ",y\n")
            file.writelines(",".join(format(bit(100000), "0100000b")) + f",{'np'[i % 2]}\n" for i in range(30))
        else:  # sorted: numbers, nearly all different
            file.write(",".join(f"x{i}" for i in range(30)) + ",y\n")
            some = [str(bit(30) / 1e6) for _ in range(200000)]
            file.writelines(",".join(rng.choices(some, k=30)) + f",{'np'[bit(1)]}\n" for _ in range(200000))
    with open(f"{name}.csv") as whole, open(f"{name}-part.csv", "w") as part:
        lines = [line for _, line in zip(range({"columns": 20, "classes": 3000, "page": 1001}.get(name, 400)), whole)]
        part.writelines(lines + (lines[1:] if name == "page" else []))  # each class twice


def command(name, table, memory):
    """Its words, and whether it takes a limit of time and one of memory; nothing where it does not go with the table."""
    csv, depth, reading = f"{table}.csv", DEPTH[table], READING.get(table, [])
    bounded = ["--memory-limit", memory]
    if name == "fit-report" and table != "page":
        return None
    if name in ("fit", "fit-report"):
        extra = ["--report", "r.html"] if name == "fit-report" else ["--thresholds", "all"] if table == "sorted" else []
        return ["fit", csv, "-d", depth, "-q", *reading, *extra, *bounded], True, True
    if name == "compare":
        return ["compare", csv, "-d", depth, "--folds", 2, "--seeds", 1, "--engines", "search", *reading, *bounded], True, True
    two_classes = table not in ("classes", "page")
    if name in ("decide", "min-depth") and two_classes:
        return [name, csv, *reading, *(["-d", min(depth, 8)] if name == "decide" else []), *bounded], True, True
    if name == "encode" and two_classes:
        return ["encode", csv, "-d", min(depth, 8), "-o", "f.cnf", *reading], False, False
    if name == "binarize":
        return ["binarize", csv, "-o", "b.txt", *reading], False, False
    if name in ("show", "export") and os.path.exists(f"{table}.json"):
        return [name, f"{table}.json", *(["--to", "c"] if name == "export" else []), "-o", "o.txt"], False, False
    if name in ("predict", "evaluate", "report") and os.path.exists(f"{table}.json"):
        return [name, f"{table}.json", csv, *(["-o", "o.html"] if name != "evaluate" else [])], False, False
    return None


def used(pid):
    """Processor time of a process, in seconds."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


class Run:
    """past: processor time after the moment; peak in MiB; code: None where it was ended here. The moment is so many seconds after the
    run has used `before` seconds of processor time: for reading, which no limit counts and which a busy machine makes longer."""

    def __init__(self, words, moment, number, most, before=0):
        child = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        start, at, told, self.code = None, None, False, None
        while True:
            ended, status, usage = os.wait4(child.pid, os.WNOHANG)
            if ended:
                self.code, total = os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime
                break
            total = used(child.pid)
            if start is None and total >= before:
                start = time.monotonic()
            if at is None and start is not None and time.monotonic() - start >= moment:
                at = total
                if number and not told:
                    child.send_signal(number)
                told = True
            if at is not None and total - at > most:
                child.kill()
                _, _, usage = os.wait4(child.pid, 0)
                break
            time.sleep(0.005)
        child.returncode = 0
        self.past, self.peak = total - at if at is not None else 0, usage.ru_maxrss / 1024


def reading_takes(beadwork, table):
    """Seconds of processor time to read it."""
    before = os.times()
    subprocess.run([beadwork, "fit", f"{table}.csv", "-q", "-d", "1", "--engine", "cart", "--time-limit", "0", *READING.get(table, [])],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("beadwork")
    parser.add_argument("--commands", default=",".join(EVERY))
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--modes", default="limit,time,term")
    parser.add_argument("--time-limit", type=float, default=2)
    parser.add_argument("--memory-limit", type=int, default=300)
    parser.add_argument("--slack", type=float, default=1, help="seconds of processor time past the moment")
    parser.add_argument("--more", type=float, default=100, help="MiB past the limit")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    beadwork, rng = os.path.abspath(asked.beadwork), random.Random(asked.seed)
    late, cells = [], 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for table in asked.tables.split(","):
            make(table, rng)
            subprocess.run([beadwork, "fit", f"{table}-part.csv", "-d", "1", "-q", "--time-limit", "5", "-o", f"{table}.json"], stdout=subprocess.DEVNULL)
            reading = reading_takes(beadwork, table)
            for name in asked.commands.split(","):
                for mode in asked.modes.split(","):
                    made = command(name, table, asked.memory_limit)
                    if made is None or (mode != "term" and not made[1]) or (mode == "time" and DEPTH[table] < 20):
                        continue
                    words, _, bounded = made
                    limit = mode != "term"
                    if mode == "time":  # with room for answers of 2^20 cells
                        words, bounded = words[:words.index("--memory-limit")], False
                    # The limit of compare is for each of its two runs.
                    # Its preparation has as long as one of them.
                    moment = asked.time_limit * (3 if name == "compare" else 1) if limit else rng.uniform(0.1, 2.5)
                    words = [beadwork, *words, *(["--time-limit", asked.time_limit] if limit else [])]
                    run = Run(words, moment, None if limit else signal.SIGTERM, 11 * asked.slack, reading if limit else 0)
                    cells += 1
                    crashed = run.code is not None and (run.code == 70 or run.code < 0 and run.code != -signal.SIGTERM)
                    fat = bounded and run.peak > asked.memory_limit + asked.more
                    bad = run.past > asked.slack or run.code is None or crashed or fat
                    print(f"{'LATE' if bad else 'ok  '} {table:10s} {name:9s} {mode:5s} {run.past:5.2f} s past {moment:.1f} s, peak {run.peak:.0f} MiB, "
                          f"{'ended by this test' if run.code is None else f'code {run.code}'}", flush=True)
                    late += [f"{name} on {table} ({mode})"] if bad else []
            for file in os.listdir("."):
                os.remove(file)
        os.chdir("/")
    print(f"{len(late)} of {cells} runs past their limits" + (": " + ", ".join(late) if late else ""))
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
