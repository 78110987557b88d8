#!/usr/bin/env python3
"""Fails every allocation and every system call of some commands, one at a time: faults.py BEADWORK LIBRARY [--seconds 45]

LIBRARY is fail.cpp, built to be preloaded. Each command works in a folder of its own, in which its outputs exist already.
With the N-th call failing, N = 1, 2, ... until there is no such call, it must not die of a signal or hang; an output is what it
was before, or what it becomes without a fault, and nothing in between; no other file is left behind; and exit code 0 means
that all is as without the fault. With --seconds a random sample is tried, the same for the same --seed.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, namedtuple
from concurrent.futures import ThreadPoolExecutor

ROWS = """a,b,c,d,label
0,1,0,1,yes
1,0,0,1,no
1,1,0,0,yes
0,0,1,1,no
1,0,1,0,yes
0,1,1,0,no
1,1,1,1,yes
0,0,0,0,no
0,1,0,0,no
1,1,0,1,yes
1,0,0,0,no
0,0,1,0,yes
"""
PLAN = {"name": "small", "folder": ".", "suffix": ".csv", "sets": ["t"], "depths": [1, 2], "seeds": [1], "folds": 2,
        "learners": [{"name": "exact", "engine": "search"}]}
OLD = "what was here before\n"
FIT = "fit t.csv -q -d 2 -o model.json"
# name: the command, its outputs
COMMANDS = {
    "search": (FIT.replace(" -q", "") + " --certificate proof.txt --report page.html", ["model.json", "proof.txt", "page.html"]),
    "local": (FIT + " --engine local", ["model.json"]),
    "enumerate": (FIT + " --engine enumerate", ["model.json"]),
    "maxsat": (FIT + " --engine maxsat --encoding bdd3 --proof proof.drat --check-proof", ["model.json", "proof.drat", "proof.cnf"]),
    "maxsat-dt": (FIT + " --engine maxsat-dt", ["model.json"]),
    "cart": (FIT + " --engine cart", ["model.json"]),
    "predict": ("predict learnt.json t.csv -o predictions.csv", ["predictions.csv"]),
    "report": ("report learnt.json t.csv -o page.html", ["page.html"]),
    "study": ("study plan.json --data . -o record.jsonl", ["record.jsonl"]),
    "checkpoint": (FIT + " --checkpoint state --time-limit 0", ["model.json", "state", "state.old"]),
    "resume": (FIT + " --resume stopped", ["model.json"]),
}
KINDS = ["alloc", "io", "short", "interrupt"]
TIMES = re.compile(r'("time_s": ?|"seconds": ?|"peak_mib": ?|"time": ?)[0-9.e+-]+|\b[0-9.]+ s\b|\[[0-9.e-]+,')


def without_times(text):
    return TIMES.sub("TIME", text)


def contents(folder):
    return {p.name: p.read_bytes().decode("utf-8", "replace") for p in sorted(folder.iterdir()) if p.is_file()}


def stopped_early(model):
    try:
        return json.loads(model)["claim"]["status"] != "optimal"
    except (ValueError, KeyError, TypeError):
        return False


Run = namedtuple("Run", "code out err files total")


class Command:
    """One of the commands, the folder that it starts from, and what it does without a fault."""

    def __init__(self, name, args, scratch):
        self.name, self.args = name, args
        self.words, self.outputs = COMMANDS[name][0].split(), COMMANDS[name][1]
        self.start = scratch / f"{name}.start"
        self.start.mkdir()
        (self.start / "t.csv").write_text(ROWS)
        (self.start / "plan.json").write_text(json.dumps(PLAN))
        plain = [args.beadwork, "fit", "t.csv", "-q", "-d", "2"]
        subprocess.run(plain + ["-o", "learnt.json"], cwd=self.start, check=True, capture_output=True)
        subprocess.run(plain + ["--checkpoint", "stopped", "--time-limit", "0"], cwd=self.start, capture_output=True)
        for output in self.outputs:
            if name not in ("study", "checkpoint"):  # their files are read, too
                (self.start / output).write_text(OLD)
        if name == "checkpoint" and (self.start / "stopped").exists():
            shutil.copy(self.start / "stopped", self.start / "state")
        self.before = contents(self.start)
        self.scratch = scratch
        plain = self.run({})
        self.code, self.out, self.after = plain.code, without_times(plain.out), plain.files

    def run(self, settings):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.scratch))
        try:
            shutil.copytree(self.start, folder / "work")
            total = folder / "total"
            env = {**os.environ, "LD_PRELOAD": self.args.library, "FAULT_TOTAL": str(total), **settings}
            done = subprocess.run([self.args.beadwork, *self.words], cwd=folder / "work", env=env, capture_output=True,
                                  timeout=60)
            out, err = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
            return Run(done.returncode, out, err, contents(folder / "work"), int(total.read_text()) if total.exists() else 0)
        finally:
            shutil.rmtree(folder)

    def total(self, kind):
        return self.run({"FAULT_KIND": kind, "FAULT_N": str(10 ** 9)}).total

    def verdict(self, kind, n, sticky):
        """What is wrong with the N-th call failing; None: nothing."""
        settings = {"FAULT_KIND": kind, "FAULT_N": str(n), **({"FAULT_STICKY": "1"} if sticky else {})}
        try:
            run = self.run(settings)
        except subprocess.TimeoutExpired:
            return "hangs"
        if run.code < 0:
            return f"dies of signal {-run.code} {self.place(settings)}"
        if run.code not in (0, 1, 2, 3, 4, 70):
            return f"exit code {run.code}"
        files = dict(run.files)
        if run.code == 4 != self.code and stopped_early(files.get("model.json", "")):  # it said so, and claims no optimum
            files.update({name: self.before[name] for name in self.outputs if name in files and name in self.before})
        return self.files_wrong(files, run.code in (0, self.code)) or self.answer_wrong(run.code, run.out)

    def place(self, settings):
        """Where it dies: our innermost function on the stack, and what that called."""
        err = self.run({**settings, "FAULT_TRACE": "1"}).err
        addresses = re.findall(r"/beadwork\(\+(0x[0-9a-f]+)\)", err)
        named = subprocess.run(["addr2line", "-f", "-C", "-e", self.args.beadwork, *addresses], capture_output=True, text=True)
        shorter = named.stdout.replace("(anonymous namespace)::", "").replace("[abi:cxx11]", "").splitlines()[::2]
        functions = [re.sub(r"json_abi_\w+::|<.*>|[,(].*", "", line) for line in shorter]
        ours = [i for i, name in enumerate(functions) if name.startswith("beadwork::")]
        if not ours:
            return "in " + " < ".join(functions[:3])
        return "in " + " < ".join(functions[max(0, ours[0] - 1):ours[0] + 2])

    def files_wrong(self, after, all_done):
        left = set(after) - set(self.before) - set(self.after) - {"state.lock"}  # locks nothing once its process is gone
        if left:
            return f"leaves {re.sub('[.][A-Za-z0-9]{6}$', '.XXXXXX', min(left))}"
        for name, text in self.before.items():  # what was there before may have become NAME.old
            if name not in after and name in self.after and after.get(name + ".old") != text:
                return f"loses {name}"
        for name, text in after.items():
            same_as_new = without_times(text) == without_times(self.after.get(name, ""))
            if name == "record.jsonl":
                problem = self.record_wrong(text)
            elif all_done:
                problem = None if same_as_new else f"exit code {self.code} and another {name}"
            else:
                problem = None if same_as_new or text == self.before.get(name) else f"tears {name}"
            if problem:
                return problem
        return None

    def record_wrong(self, text):
        lines = text.split("\n")
        for line in lines[:-1]:
            try:
                entry = json.loads(line)
            except ValueError:
                return "tears record.jsonl"
            if "signal" in entry.get("note", ""):
                return f"a run {entry['note']}"
            if "note" not in entry and without_times(line) not in without_times(self.after["record.jsonl"]).split("\n"):
                return "another record.jsonl"
        return None

    def answer_wrong(self, code, out):
        if code == self.code and without_times(out) != self.out:
            return f"exit code {code} and another answer"
        return None


def try_one(command, kind, n, sticky):
    return command.name, kind, n, command.verdict(kind, n, sticky)


def points(commands, args):
    """All (command, kind, n); with --seconds in random order, as many of each command and kind."""
    totals = {(c.name, kind): c.total(kind) for c in commands for kind in args.kinds}
    for (name, kind), total in totals.items():
        print(f"{name}: {total} calls of kind {kind}", flush=True)
    each = [[(c, kind, n) for n in range(args.first, totals[c.name, kind] + 1, args.stride)] for c in commands for kind in args.kinds]
    if not args.seconds:
        return [p for some in each for p in some]
    rng = random.Random(args.seed)
    for some in each:
        rng.shuffle(some)
    return [some[i] for i in range(max(map(len, each), default=0)) for some in each if i < len(some)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("beadwork", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("library", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--only", action="append", choices=sorted(COMMANDS), help="this command; repeat it for more")
    parser.add_argument("--kinds", default=",".join(KINDS), type=lambda text: text.split(","))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--sticky", action="store_true", help="all calls from the N-th on fail")
    parser.add_argument("--seconds", type=float, default=0, help="a sample; 0 = every N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", type=int, default=40)
    args = parser.parse_args()
    start, tried, wrong = time.monotonic(), 0, Counter()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(args.jobs) as pool:
        commands = [Command(name, args, pathlib.Path(scratch)) for name in args.only or COMMANDS]
        planned = points(commands, args)
        for at in range(0, len(planned), 64):
            if args.seconds and time.monotonic() - start > args.seconds:
                break
            for name, kind, n, verdict in pool.map(lambda p: try_one(*p, args.sticky), planned[at:at + 64]):
                tried += 1
                if verdict:
                    wrong[f"{name}, {kind}: {verdict}"] += 1
                    if sum(wrong.values()) <= args.show:
                        print(f"{name}, {kind} {n}: {verdict}", flush=True)
    print(f"{tried} of {len(planned)} faults tried in {time.monotonic() - start:.0f} s")
    for what, number in wrong.most_common():
        print(f"{number} x {what}")
    return 1 if wrong or tried == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
