#!/usr/bin/env python3
"""Fails every allocation and every system call of some commands, one at a time: faults.py BEADWORK LIBRARY [--sample 1500]

LIBRARY is fail.cpp, built to be preloaded. Each command works in a folder of its own, in which its outputs exist already.
With the N-th call failing, N = 1, 2, ... until there is no such call, it must not die of a signal or hang; an output is what it
was before, or what it becomes without a fault, and nothing in between; no other file is left behind; and exit code 0 means
that all is as without the fault. A run that says it was stopped (exit code 4) may write other outputs: each must be whole, and
the model must do what it claims. With --sample so many are tried, chosen at random by --seed. With --log a run that
was ended goes on where it was: points in the log are not tried again.
"""
import argparse
import gzip
import hashlib
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import beadwork_cli  # noqa: E402  readers of models and tables of its own

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
WIDE = random.Random(5)
WIDE = "\n".join([",".join(f"f{i}" for i in range(40)) + ",label"] +
                 [",".join(str(WIDE.randint(0, 1)) for _ in range(40)) + "," + WIDE.choice(["yes", "no"]) for _ in range(20)]) + "\n"
NUMBERS = random.Random(6)
NUMBERS = "\n".join(["a,b,label"] + [f"{NUMBERS.random():.3f},{NUMBERS.random():.3f},{NUMBERS.choice(['yes', 'no'])}" for _ in range(12)]) + "\n"
PLAN = {"name": "small", "folder": ".", "suffix": ".csv", "sets": ["t"], "depths": [1, 2], "seeds": [1], "folds": 2,
        "learners": [{"name": "exact", "engine": "search"}]}
OLD = "what was here before\n"
FIT = "fit t.csv -q -d 2 -o model.json"
SAVING = " --checkpoint state --checkpoint-every 0.000001"  # at every opportunity
WIDE_FIT = FIT.replace("t.csv", "wide.csv")
PLANNED = WIDE_FIT.replace(" -o model.json", " --plan-dir plan")
ALL_FIT = FIT.replace("t.csv", "numbers.csv").replace("-d 2", "-d 3") + " --thresholds all"
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
    "encode": ("encode t.csv -d 2 -o formula.cnf", ["formula.cnf"]),
    "checkpoint": (WIDE_FIT + SAVING, ["model.json", "state", "state.old"]),
    "resume": (WIDE_FIT + " --resume stopped", ["model.json"]),
    "checkpoint-all": (ALL_FIT + SAVING, ["model.json", "state", "state.old"]),
    "resume-all": (ALL_FIT + " --resume stopped-all", ["model.json"]),
    "plan": (PLANNED + " --plan 3", []),
    "part": (PLANNED + " --part 1 --checkpoint-every 0.000001", []),
    "merge": ("state merge plan -q -o model.json --certificate proof.txt", ["model.json", "proof.txt"]),
    "shards": ("fit --shards t.csv u.csv -q -d 2 -o model.json", ["model.json"]),
    "passes": (FIT + " --in-passes", ["model.json"]),
    "packed": ("predict learnt.json t.csv.gz -o predictions.csv.gz", ["predictions.csv.gz"]),
}
HOST = "host"  # the library in a program that is not ours (host.cpp)
KINDS = ["alloc", "io", "short", "interrupt"]
# How many moments of the bounds a page has is a matter of time, too.
TIMES = re.compile(r'("time_s": ?|"seconds": ?|"peak_mib": ?|"time": ?)[0-9.e+-]+|\b[0-9.]+ s\b|"bounds":\[\[.*?\]\]|\[[0-9.e-]+,')


def without_times(text):
    return TIMES.sub("TIME", text)


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes().decode("utf-8", "replace") for p in sorted(folder.rglob("*")) if p.is_file()}


def sealed(text):
    """Ends with the hash of what is before it."""
    body, _, seal = text.rstrip("\n").rpartition("sha256 ")
    return hashlib.sha256(body.encode()).hexdigest() == seal


def model_wrong(text, table, least):
    """A model must make the errors that it claims, and say so if it is not the optimal one, or not the first of these; `least` is
    the optimum."""
    model = json.loads(text)
    claim = model["claim"]
    errors, _ = beadwork_cli.recount(model, beadwork_cli.read_csv(table))
    holds = claim["lower_bound"] <= least <= errors == claim["upper_bound"]
    modest = claim["status"] == "feasible" or (claim["status"] == "optimal" and errors == least and not claim["canonical"])
    return None if holds and modest else "a model that is not what it claims"


def part_missing(name, text, table, least):
    """What is wrong with an output that differs from the one without a fault; None: it is whole."""
    try:
        if name == "model.json":
            return model_wrong(text, table, least)
        whole = {"page.html": text.startswith("<!doctype html>") and text.endswith("</script>\n</body>\n</html>\n"),
                 "proof.txt": text.startswith("beadwork-certificate ") and sealed(text),
                 "state": text.startswith(("search-state ", "ordered-state ")) and sealed(text)}
        return None if whole[name.removesuffix(".old")] else f"tears {name}"
    except (ValueError, KeyError, TypeError, IndexError):
        return f"tears {name}"


Run = namedtuple("Run", "code out err files total")


class Command:
    """One of the commands, the folder that it starts from, and what it does without a fault."""

    def __init__(self, name, args, scratch):
        self.name, self.args = name, args
        text, self.outputs = ("", []) if name == HOST else COMMANDS[name]
        self.line = [args.host] if name == HOST else [args.beadwork, *text.split()]
        self.table = self.line[2] if "fit" in self.line else None
        self.start = scratch / f"{name}.start"
        self.start.mkdir()
        (self.start / "t.csv").write_text(ROWS)
        (self.start / "wide.csv").write_text(WIDE)
        (self.start / "plan.json").write_text(json.dumps(PLAN))
        (self.start / "numbers.csv").write_text(NUMBERS)
        for line, state in ((FIT.replace("model", "learnt"), None), (WIDE_FIT, "stopped"), (ALL_FIT, "stopped-all")):
            line = line.replace(" -o model.json", SAVING)
            subprocess.run([args.beadwork, *line.split()], cwd=self.start, check=True, capture_output=True)
            if state:
                (self.start / "state").rename(self.start / state)
            (self.start / "state.old").unlink(missing_ok=True)
        self.divide(name)
        with gzip.open(self.start / "t.csv.gz", "wt") as packed:
            packed.write(ROWS)
        (self.start / "u.csv").write_text(ROWS.replace("yes", "perhaps").replace("no", "yes").replace("perhaps", "no"))
        saving = name.startswith("checkpoint")
        for output in self.outputs:
            if name != "study" and not saving:  # their files are read, too
                (self.start / output).write_text(OLD)
        if saving:
            shutil.copy(self.start / name.replace("checkpoint", "stopped"), self.start / "state")
        self.before = contents(self.start)
        self.scratch = scratch
        plain = self.run({})
        self.code, self.out, self.after = plain.code, without_times(plain.out), plain.files

    def divide(self, name):
        """The plan for a part, and the parts for a merge."""
        steps = {"part": ["--plan 3"], "merge": ["--plan 3", *(f"--part {i}" for i in range(3))]}.get(name, [])
        for step in steps:
            subprocess.run([self.args.beadwork, *f"{PLANNED} {step}".split()], cwd=self.start, check=True, capture_output=True)

    def run(self, settings):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.scratch))
        try:
            shutil.copytree(self.start, folder / "work")
            total = folder / "total"
            env = {**os.environ, "LD_PRELOAD": self.args.library, "FAULT_TOTAL": str(total), **settings}
            done = subprocess.run(self.line, cwd=folder / "work", env=env, capture_output=True, timeout=1800)
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
        return self.files_wrong(run.files, run.code) or self.answer_wrong(run.code, run.out)

    def place(self, settings):
        """Where it dies: our innermost function on the stack, and what that called."""
        err = self.run({**settings, "FAULT_TRACE": "1"}).err
        addresses = re.findall(rf"/{pathlib.Path(self.line[0]).name}\(\+(0x[0-9a-f]+)\)", err)
        named = subprocess.run(["addr2line", "-f", "-C", "-e", self.line[0], *addresses], capture_output=True, text=True)
        shorter = named.stdout.replace("(anonymous namespace)::", "").replace("[abi:cxx11]", "").splitlines()[::2]
        functions = [re.sub(r"json_abi_\w+::|<.*>|[,(].*", "", line) for line in shorter]
        ours = [i for i, name in enumerate(functions) if name.startswith("beadwork::")]
        if not ours:
            return "in " + " < ".join(functions[:3])
        return "in " + " < ".join(functions[max(0, ours[0] - 1):ours[0] + 2])

    def files_wrong(self, after, code):
        left = set(after) - set(self.before) - set(self.after)
        if left:
            return f"leaves {re.sub('[.][A-Za-z0-9]{6}$', '.XXXXXX', min(left))}"
        for name in self.before:  # what was there before may have become NAME.old, and given way to a later one there
            if name not in after and name in self.after and name + ".old" not in after:
                return f"loses {name}"
        for name, text in after.items():
            same_as_new = without_times(text) == without_times(self.after.get(name, ""))
            if name == "record.jsonl":
                problem = self.record_wrong(text)
            elif same_as_new or (code not in (0, self.code) and text == self.before.get(name)):
                problem = None
            elif name.startswith("plan/"):  # a part tells of its moment, too
                problem = None if name.endswith(".beadwork-lock") or sealed(text) else f"tears {name}"
            elif name.startswith("state") or code == 4 != self.code:  # a state tells of its moment
                least = json.loads(self.after["model.json"])["claim"]["lower_bound"]
                problem = part_missing(name, text, self.start / self.table, least)
            else:
                problem = f"exit code {code} and another {name}" if code in (0, self.code) else f"tears {name}"
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
            if entry.get("note") == "others may tie with it":
                if not any(all(entry[key] == plain[key] for key in ("part", "depth", "status", "errors", "lower_bound"))
                           for plain in map(json.loads, self.after["record.jsonl"].splitlines())):
                    return "a run that ties with nothing"
            elif "note" not in entry and without_times(line) not in without_times(self.after["record.jsonl"]).split("\n"):
                return "another record.jsonl"
        return None

    def answer_wrong(self, code, out):
        if code == self.code and without_times(out) != self.out:
            return f"exit code {code} and another answer"
        return None


def try_one(command, kind, n, sticky):
    return command.name, kind, n, command.verdict(kind, n, sticky)


class Log:
    """The points tried so far, one line each, after a line that tells the program."""

    def __init__(self, path, args):
        self.seen, self.file = {}, None
        if not path:
            return
        known = [hashlib.sha256(pathlib.Path(p).read_bytes()).hexdigest() for p in (args.beadwork, args.library)]
        head = json.dumps({"program": known, "sticky": args.sticky})
        lines = path.read_text().split("\n")[:-1] if path.exists() else []  # the last may be torn
        if lines and lines[0] != head:
            sys.exit(f"{path} is the log of another program, or of other faults")
        for name, kind, n, verdict in map(json.loads, lines[1:]):
            self.seen[name, kind, n] = verdict
        path.write_text("".join(line + "\n" for line in lines or [head]))
        self.file = path.open("a")

    def add(self, *point):
        if self.file:
            self.file.write(json.dumps(point) + "\n")
            self.file.flush()


def points(commands, args):
    """All (command, kind, n), those after the start first, which all commands share; with --sample that many at random,
    as many of each command and kind."""
    totals = {(c.name, kind): c.total(kind) for c in commands for kind in args.kinds}
    for (name, kind), total in totals.items():
        print(f"{name}: {total} calls of kind {kind}", flush=True)
    each = [[(c, kind, n) for n in range(args.first, totals[c.name, kind] + 1, args.stride)] for c in commands for kind in args.kinds]
    if not args.sample:
        start = min([total for (_, kind), total in totals.items() if kind == "alloc"], default=0) * 9 // 10
        return sorted([p for some in each for p in some], key=lambda p: p[1] == "alloc" and p[2] < start)
    rng = random.Random(args.seed)
    for some in each:
        rng.shuffle(some)
    return [some[i] for i in range(max(map(len, each), default=0)) for some in each if i < len(some)][:args.sample]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("beadwork", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("library", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--host", type=lambda p: str(pathlib.Path(p).resolve()), help="the program of host.cpp")
    parser.add_argument("--only", action="append", choices=sorted([*COMMANDS, HOST]), help="this command; repeat it for more")
    parser.add_argument("--kinds", default=",".join(KINDS), type=lambda text: text.split(","))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--sticky", action="store_true", help="all calls from the N-th on fail")
    parser.add_argument("--sample", type=int, default=0, help="so many at random; 0 = every N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", type=int, default=40)
    parser.add_argument("--log", type=pathlib.Path, help="file of the points tried; with it a run can be ended and continued")
    args = parser.parse_args()
    if args.sticky:  # who is interrupted every time cannot but try again
        args.kinds = [kind for kind in args.kinds if kind != "interrupt"]
    start, tried, wrong = time.monotonic(), 0, Counter()
    log = Log(args.log, args)
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(args.jobs) as pool:
        names = args.only or [*COMMANDS, *([HOST] if args.host else [])]
        commands = [Command(name, args, pathlib.Path(scratch)) for name in names]
        planned = points(commands, args)
        known = [(*key, log.seen[key]) for key in ((c.name, kind, n) for c, kind, n in planned) if key in log.seen]
        wrong.update(f"{name}, {kind}: {verdict}" for name, kind, _, verdict in known if verdict)
        tried = len(known)
        left = [(c, kind, n) for c, kind, n in planned if (c.name, kind, n) not in log.seen]
        for at in range(0, len(left), 64):
            for name, kind, n, verdict in pool.map(lambda p: try_one(*p, args.sticky), left[at:at + 64]):
                tried += 1
                log.add(name, kind, n, verdict)
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
