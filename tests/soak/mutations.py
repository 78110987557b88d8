#!/usr/bin/env python3
"""Spoiled models, tables, certificates, states, plans, studies and records, through every command that reads them.

usage: mutations.py BEADWORK [--cases 50000] [--seed 1] [--jobs 2] [--kinds model,fit] [--keep FOLDER] | --selftest

Each case spoils one file or two (mutators.py) and runs one command in a folder of its own, with canaries in it, beside it, above it
and at home. Checksums are computed anew in half of the cases, so that the reader gets past them. Afterwards: the exit code is one
that docs/formats.md names; a refusal is one clear line; no file has changed but those that the command line names, and these not by a
refusal; time and memory stay within limits; and nothing false is said. What `evaluate`, `predict` and exports answer is recounted
(mutation_truths.py), what `fit` and `beadcheck` call optimal is checked by brute force, and of a loaded model nothing is proven.
beadcheck is looked for beside BEADWORK. --keep writes each finding as a folder with its command.
"""
import argparse
import collections
import json
import multiprocessing
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import mutation_truths as truths
import mutators

CANARY = b"a file of somebody else\n"
OLD = b"what was here before\n"
CODES = {"beadwork": {0, 1, 2, 3, 4, 5}, "beadcheck": {0, 1, 2, 3}}
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029]")
EXPORTS = ["text", "dot", "svg", "c", "c-table", "c++", *["python"] * 8, "javascript", "rust", "java", "go", "r", *["sql"] * 8, "dbt", "formula",
           "pmml", "onnx", "sklearn", "verilog", "vhdl", "blif", "aiger", "pla", "dd-json", "dddmp", "json"]


class Limits:
    seconds, wall, memory = 60, 600, 1 << 30


# Material: what the program writes of some small tables ------------------------------------------------------


def small_table(rng, kind):
    lines = ["w,size,color,flag,y" if kind == "weights" else "size,color,flag,y"]
    for i in range(20):
        size, color, flag = rng.choice([0.5, 1, 1.5, 2, 2.5, 3, 7]), rng.choice(["red", "green", "blue"]), rng.randrange(2)
        label = "yes" if ((size > 1.5) + flag + (color == "red") >= 2) ^ (rng.random() < 0.15) else "no"
        if kind == "classes" and rng.random() < 0.3:
            label = "perhaps"
        if kind == "reading":
            size, flag = f"{size + 1000:,.2f}".replace(",", " ").replace(".", ",") + " kg", rng.choice([["no", "No"], ["YES", "yes"]][flag])
            color = {"red": "2024-03-01", "green": "2023-02-05", "blue": "2024-12-24"}[color]
        cells = [size, "" if rng.random() < 0.1 else color, flag, label]
        lines.append((";" if kind == "reading" else ",").join(map(str, [rng.choice(["1", "2", "0.5"])] * (kind == "weights") + cells)))
    if kind == "reading":
        lines[0] = lines[0].replace(",", ";")
    return "\n".join(lines) + "\n"


def numbers_table(rng):
    rows = [[rng.randrange(9), rng.choice([0.25, 1.5, 2, 3.75])] for _ in range(16)]
    return "u,v,y\n" + "".join(f"{u},{v if rng.random() < .9 else ''},{'no' if (u > 4) ^ (v > 1.7) else 'yes'}\n" for u, v in rows)


def wide_table(rng, columns=12, rows=40):
    lines = [",".join(f"f{i}" for i in range(columns)) + ",y"]
    return "\n".join(lines + [",".join(str(rng.randrange(2)) for _ in range(columns)) + "," + rng.choice("ab") for _ in range(rows)]) + "\n"


WORLDS = {  # table, options of fit
    "plain": ("plain", []), "require": ("plain", ["--require", "color"]), "nodes": ("plain", ["--max-nodes", "5"]),
    "classes": ("classes", ["-d", "3"]), "numbers": ("numbers", ["--thresholds", "all"]), "weights": ("weights", ["--weight", "w"]),
    "reading": ("reading", []), "committee": ("plain", ["--committee", "2"]), "costs": ("plain", ["--costs", "costs"]),
    "cart": ("plain", ["--engine", "cart"]), "maxsat": ("plain", ["--engine", "maxsat", "-d", "1"]), "passes": ("plain", ["--in-passes"]),
    "stopped": ("wide", ["--time-limit", "0"]), "front": ("plain", ["--node-penalty", "0.5"]), "bins": ("bins", ["--target-bins", "3"]),
    "forbid": ("plain", ["--forbid", "flag", "--require", "size <= 1.25"]), "ordered": ("plain", ["--ordered", "color=red,green,blue"]),
}
COSTS = ",no,yes\nno,0,2\nyes,5,0\n"
STUDY = {"name": "small", "folder": ".", "suffix": ".csv", "sets": ["t"], "depths": [1, 2], "seeds": [1], "folds": 2, "learners": [
    {"name": "exact", "engine": "search", "options": {"bias": "C", "time-limit": 2}}, {"name": "cart", "engine": "cart"}], "tables": [
        {"name": "t", "caption": "a table", "rows": ["dataset", "depth"], "published": "p.csv", "columns": [
            {"title": "train", "learner": "exact", "measure": "train", "published": "a", "digits": 2}, {"title": "c", "learner": "cart", "measure": "test"}]}],
    "figures": [{"name": "f", "caption": "a figure", "kind": "scatter", "series": [
        {"title": "CART", "learner": "cart", "measure": "test"}, {"title": "exact", "learner": "exact", "measure": "test"}]}]}


class Material:
    def __init__(self, beadwork, folder, seed):
        self.beadwork, self.folder, self.files = beadwork, folder, {}
        rng = random.Random(seed)
        tables = {kind: small_table(rng, kind) for kind in ("plain", "classes", "weights", "reading")}
        tables |= {"numbers": numbers_table(rng), "wide": wide_table(rng)}
        tables["bins"] = "a,b,y\n" + "".join(f"{rng.randrange(5)},{rng.randrange(5)},{i * 1.5}\n" for i in range(30))
        self.write("costs", COSTS)
        self.write("labels", "column,value,label\nsize,,the size\ncolor,red,rosy\n")
        self.write("names", "flag\nsize <= 1.25\n")
        for name, text in tables.items():
            self.write(f"{name}.csv", text)
        self.worlds = {}
        for world, (table, options) in WORLDS.items():
            certified = world in ("plain", "classes", "numbers", "weights", "forbid", "reading")
            self.run("fit", f"{table}.csv", *([] if "-d" in options else ["-d", "2"]), *options, "-q", "-o", f"{world}.json",
                     *(["--certificate", f"{world}.cert"] if certified else []))
            self.worlds[world] = f"{table}.csv", options
            if certified:
                values = ["--values"] if world == "numbers" else []
                self.run("binarize", f"{table}.csv", "--like", f"{world}.json", *values, *(options if world == "weights" else []), "-q", "-o", f"{world}.txt")
        self.certified = [world for world in self.worlds if (folder / f"{world}.cert").exists()]
        for name, table, more in (("search", "wide", ["-d", "4"]), ("ordered", "numbers", ["-d", "2", "--thresholds", "all"])):
            fit = ["fit", f"{table}.csv", *more, "-q", "--threads", "1"]
            self.run(*fit, "--checkpoint", f"{name}.state", "--checkpoint-every", "0.000001", "-o", f"{name}.json")
            self.run("fit", str(folder / f"{table}.csv"), *fit[2:], "--plan", "4", "--plan-dir", f"{name}.plan")
            for part in "013":
                self.run("fit", str(folder / f"{table}.csv"), *fit[2:], "--part", part, "--plan-dir", f"{name}.plan")
        self.write("study.json", json.dumps(STUDY, indent=1))
        self.write("t.csv", tables["plain"])
        self.write("p.csv", "dataset,depth,a\nt,1,80.5\nt,2,91\n")
        self.run("study", "study.json", "--data", ".", "-o", "record.jsonl", "-q")
        for i in "01":
            log = subprocess.run([self.check, "plain.txt", "plain.json", "plain.cert", "--range", f"{i}/2"], cwd=folder, capture_output=True, check=True)
            self.write(f"log{i}", log.stdout)
        corpus = pathlib.Path(__file__).resolve().parents[2] / "fuzz/corpus/model"
        self.older = sorted(p.name for p in corpus.iterdir() if not re.fullmatch("[0-9a-f]{12}", p.name))
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                self.files[path.relative_to(folder).as_posix()] = path.read_bytes()
        for name in self.older:
            self.files[f"older/{name}"] = (corpus / name).read_bytes()
        self.models = [name for name in self.files if name.endswith(".json") and name != "study.json"]
        self.documents = [json.loads(self.files[name]) for name in self.models]

    @property
    def check(self):
        return str(pathlib.Path(self.beadwork).parent / "beadcheck")

    def write(self, name, data):
        (self.folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())

    def run(self, *words):
        done = subprocess.run([self.beadwork, *words], cwd=self.folder, capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode not in (0, 4):
            sys.exit(f"{shlex.join(words)}: exit code {done.returncode}: {done.stderr.decode()}")


# Cases ----------------------------------------------------------------------------------------------------


class Case:
    """Files, a command line and the files that it names as outputs. `spoiled`: which files, and whether with the right checksum."""

    def __init__(self, material, seed, canary, kinds):
        self.material, self.rng, self.canary = material, random.Random(seed), canary
        self.files, self.words, self.outputs, self.spoiled, self.program = {}, [], [], {}, "beadwork"
        self.world, self.options, self.truth = None, [], None
        self.kind = self.rng.choices(kinds, [KINDS[kind] for kind in kinds])[0]
        getattr(self, self.kind)()

    def source(self, name):
        return self.material.files[name]

    def put(self, name, source):
        self.files[name] = self.source(source)

    def spoil(self, name, source, ways=(), json_share=0.0):
        """The file NAME, made of one of the material."""
        rng, data = self.rng, self.source(source)
        other = self.source(rng.choice(sorted(self.material.files)))
        if rng.random() < json_share:
            data = mutators.json_changed(rng, data, self.material.documents, self.canary)
        else:
            for _ in range(rng.choice([1, 1, 1, 2, 4])):
                data = rng.choice([*mutators.BYTES, *ways])(rng, data, other, self.canary)
        seal = rng.random()
        if seal < 0.5:
            data = mutators.sealed(data)
        elif seal < 0.8:
            data = re.sub(rb',?\s*"sha256":\s*"[0-9a-f]{64}"(?=\s*\}\s*$)', b"", data)
        self.files[name] = data
        self.spoiled[name] = data != self.source(source)

    def output(self, name="out"):
        self.outputs.append(name)
        if self.rng.random() < 0.5:
            self.files[name] = OLD
        return name

    def some_model(self, worlds=None):
        """A spoiled model beside its table, which is whole."""
        self.world = self.rng.choice(sorted(worlds or self.material.worlds))
        source = f"{self.world}.json"
        if worlds is None and self.rng.random() < 0.15:
            self.world, source = "plain", "older/" + self.rng.choice(self.material.older)
        parses = self.source(source)[:1] == b"{" and mutators.seal_holds(self.source(source)) is not None
        self.spoil("m.json", source, json_share=0.75 if parses else 0)
        self.put("t.csv", self.material.worlds[self.world][0])

    def model(self):
        self.asked(self.some_model)

    def data(self):
        def make():
            self.world = self.rng.choice(sorted(self.material.worlds))
            self.put("m.json", f"{self.world}.json")
            self.spoil("t.csv", self.material.worlds[self.world][0])
        self.asked(make)

    def asked(self, make):
        """A question to a model: about a table, or none."""
        make()
        rng, weight = self.rng, ["--weight", "w"] if self.world == "weights" else []
        way = rng.choices(["show", "predict", "evaluate", "export", "report", "binarize"], [3, 4, 5, 5, 1, 1] if self.kind == "model" else [0, 4, 5, 1, 1, 1])[0]
        if way == "show":
            shape = rng.choice(["text", "text", "json", "dot", "svg"])
            self.words = ["show", "m.json", "--format", shape]
        elif way == "predict":
            more = rng.choice([[], [], ["--probabilities"], ["--with-columns", "flag"], ["--json"]])
            self.words = ["predict", "m.json", "t.csv", "-q", *more, *(["-o", self.output()] if rng.random() < 0.3 else [])]
        elif way == "evaluate":
            self.words = ["evaluate", "m.json", "t.csv", *weight, *rng.choice([["--json"], ["--json"], []])]
        elif way == "export":
            more = rng.choice([[], [], ["--probabilities"], ["--inputs", "raw"], ["--inputs", "binary"], ["--name", mutators.hostile_text(rng, "x").replace("\0", "")]])
            self.words = ["export", "m.json", "--to", rng.choice(EXPORTS), *more, *(["-o", self.output()] if rng.random() < 0.3 else [])]
        elif way == "report":
            self.words = ["report", "m.json", "t.csv", *weight, "-o", self.output()]
        else:
            self.words = ["binarize", "t.csv", "--like", "m.json", "-q", *weight, *(["-o", self.output()] if rng.random() < 0.5 else [])]

    def certificate(self):
        """beadcheck, or a page with a certificate."""
        rng = self.rng
        self.world = rng.choice(self.material.certified)
        table = self.material.worlds[self.world][0]
        for name, source in (("m.json", f"{self.world}.json"), ("c", f"{self.world}.cert"), ("d.txt", f"{self.world}.txt"), ("t.csv", table)):
            self.put(name, source)
        which = rng.choice(["c", "c", "c", "m.json", "m.json", "both", "d.txt"])
        if which in ("c", "both"):
            self.spoil("c", f"{self.world}.cert")
        if which in ("m.json", "both"):
            self.spoil("m.json", f"{self.world}.json", json_share=0.8)
        if which == "d.txt":
            self.spoil("d.txt", f"{self.world}.txt")
        if which == "d.txt" or rng.random() < 0.6:
            self.program, self.words = "beadcheck", ["d.txt", "m.json", "c", "--limit", "20"]
        else:
            weight = ["--weight", "w"] if self.world == "weights" else []
            self.words = ["report", "m.json", "t.csv", *weight, "--certificate", "c", "-o", self.output()]

    def combine(self):
        self.put("log0", "log0")
        self.spoil("log1", "log1")
        self.program, self.words = "beadcheck", ["--combine", "log0", "log1"]

    def fit(self):
        rng = self.rng
        self.world = rng.choice(["plain", "plain", "classes", "weights", "numbers", "reading", "bins", "passes"])
        self.spoil("t.csv", self.material.worlds[self.world][0])
        depth = rng.choice("0112223")
        table = {"weights": ["--weight", "w"], "bins": ["--target-bins", "3"], "passes": ["--in-passes"]}.get(self.world, [])
        table += rng.choice([[], [], [], ["--thresholds", "all"], ["--thresholds", "quantiles:3"], ["--drop-unlabelled"]])
        more = rng.choice([[], [], [], ["--require", "color"], ["--require", "size", "--require", "color"], ["--forbid", "size"], ["--max-nodes", "4"],
                           ["--require", "flag", "--forbid", "color"], ["--top", "3"], ["--front"], ["--committee", "2"], ["--engine", "enumerate"],
                           ["--engine", "maxsat"], ["--require", "size", "--max-nodes", "5"], ["--size", "auto"], ["--bias", "size"]])
        self.options, self.truth = more, ("fit", depth, table)
        self.words = ["fit", "t.csv", "-d", depth, *table, *more, "-q", "--threads", "1", "--time-limit", "20", "--json", "-o", self.output("out.json")]
        if rng.random() < 0.1:
            self.words += ["--report", self.output("page")]
        if rng.random() < 0.1 and not more:
            self.words += ["--certificate", self.output("cert")]
        if rng.random() < 0.1:
            self.put("u.csv", self.material.worlds[self.world][0])
            self.words[1:2] = ["--shards", "t.csv", "u.csv"]
            self.truth = None

    def aside(self):
        """Files that fit reads beside the table."""
        rng = self.rng
        self.world = "plain"
        self.put("t.csv", "plain.csv")
        option, source = rng.choice([("--costs", "costs"), ("--labels", "labels"), ("--features-from", "names"), ("--test", "plain.csv")])
        self.spoil("aside", source)
        page = ["--report", self.output("page")] if option == "--labels" or rng.random() < 0.2 else []
        self.words = ["fit", "t.csv", "-d", "2", option, "aside", *page, "-q", "--threads", "1", "--json", "-o", self.output("out.json")]

    def state(self):
        rng = self.rng
        name, table, more = rng.choice([("search", "wide", ["-d", "4"]), ("ordered", "numbers", ["-d", "2", "--thresholds", "all"])])
        self.world = name
        self.put("t.csv", f"{table}.csv")
        self.spoil("s", f"{name}.state")
        old = rng.random() < 0.3
        if old:
            self.put("s.old", f"{name}.state.old" if f"{name}.state.old" in self.material.files else f"{name}.state")
        self.words = ["fit", "t.csv", *more, "-q", "--threads", "1", "--time-limit", "20", "--resume", "s", "--json", "-o", self.output("out.json")]
        if rng.random() < 0.5:
            self.words += ["--checkpoint", "s", "--checkpoint-every", rng.choice(["0.000001", "0"])]
            self.outputs += ["s", "s.old"]

    def plan(self):
        rng = self.rng
        name, more = rng.choice([("search", ["-d", "4"]), ("ordered", ["-d", "2", "--thresholds", "all"])])
        self.world = name
        for source in self.material.files:
            if source.startswith(f"{name}.plan/") and not source.endswith("lock"):
                self.put("plan/" + source.split("/")[1], source)
        which = rng.choice(sorted(self.files))
        self.spoil(which, f"{name}.plan/" + which.split("/")[1], ways=[mutators.option_line] * (6 if which == "plan/plan" else 0))
        table = str(self.material.folder / ("wide.csv" if name == "search" else "numbers.csv"))
        way = rng.choice(["part", "merge", "merge", "finish", "slurm"])
        if way == "part":
            self.words = ["fit", table, *more, "-q", "--threads", "1", "--time-limit", "20", "--part", rng.choice("0123"), "--plan-dir", "plan"]
            self.outputs += ["plan/incumbent", *(f"plan/part-0000{i}" for i in range(4))]
        elif way == "slurm":
            self.words = ["slurm", "plan", "-o", self.output()]
        else:
            self.words = ["state", "merge", "plan", "-o", self.output("out.json"), "--json", "-q", "--threads", "1"]
            self.words += ["--finish", "--time-limit", "20"] if way == "finish" else []
            self.words += ["--data", table] if rng.random() < 0.3 else []
            self.words += ["--certificate", self.output("cert")] if rng.random() < 0.3 else []

    def study(self):
        rng = self.rng
        self.put("t.csv", "plain.csv")
        self.put("p.csv", "p.csv")
        self.spoil("study.json", "study.json", json_share=0.8)
        way = rng.choice(["run", "run", "report", "slurm"])
        if way == "run":
            self.words = ["study", "study.json", "--data", ".", "-o", self.outputs.append("r.jsonl") or "r.jsonl", "-q", "--limit", "2"]
        elif way == "slurm":
            self.words = ["study", "slurm", "study.json", "--shards", "2", "--record", "r.jsonl", "-o", self.output()]
        else:
            self.put("record.jsonl", "record.jsonl")
            self.words = ["study", "report", "record.jsonl", "--study", "study.json", "-o", "pages"]
            self.outputs.append("pages/*")

    def record(self):
        self.put("t.csv", "plain.csv")
        self.put("p.csv", "p.csv")
        self.put("study.json", "study.json")
        self.put("a.jsonl", "record.jsonl")
        self.spoil("b.jsonl", "record.jsonl")
        way = self.rng.choice(["report", "merge", "run"])
        if way == "run":
            self.words = ["study", "study.json", "--data", ".", "-o", "b.jsonl", "-q", "--limit", "1"]
            self.outputs.append("b.jsonl")
        elif way == "merge":
            self.words = ["study", "merge", "a.jsonl", "b.jsonl", "-o", self.output("all.jsonl")]
        else:
            self.words = ["study", "report", "b.jsonl", "--study", "study.json", "-o", "pages"]
            self.outputs.append("pages/*")


KINDS = {"model": 36, "data": 9, "certificate": 14, "combine": 1, "fit": 15, "aside": 3, "state": 7, "plan": 9, "study": 4, "record": 2}


# Running --------------------------------------------------------------------------------------------------

Done = collections.namedtuple("Done", "code out err seconds memory late before after")


def contents(folder):
    found = {}
    for at, folders, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            found[os.path.relpath(path, folder)] = b"a link" if os.path.islink(path) else open(path, "rb").read()
    return found


class Runner:
    def __init__(self, material, scratch):
        self.material, self.outer = material, pathlib.Path(scratch)
        self.case = self.outer / "case"
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.outer / "home"), "TMPDIR": str(self.outer / "tmp"), "LC_ALL": "C.UTF-8"}
        self.streams = [tempfile.TemporaryFile() for _ in range(2)]
        self.said = lambda stream: (stream.seek(0), stream.read())[1].decode("utf-8", "surrogateescape")

    def prepare(self, case):
        shutil.rmtree(self.outer, ignore_errors=True)
        for folder in ("case", "home", "tmp", "beside", "case/pages", "case/plan"):
            (self.outer / folder).mkdir(parents=True)
        for name in ("canary", "home/canary", "beside/canary", "case/canary"):
            (self.outer / name).write_bytes(CANARY)
        for name, data in case.files.items():
            (self.case / name).write_bytes(data)

    def run(self, case):
        self.prepare(case)
        before = contents(self.outer)
        for stream in self.streams:
            stream.seek(0)
            stream.truncate()
        program = self.material.beadwork if case.program == "beadwork" else self.material.check
        child = subprocess.Popen([program, *case.words], cwd=self.case, env=self.env, stdin=subprocess.DEVNULL, stdout=self.streams[0],
                                 stderr=self.streams[1], start_new_session=True, close_fds=False)
        late = []

        def end(*_):
            late.append(True)
            os.killpg(child.pid, signal.SIGKILL)
        signal.signal(signal.SIGALRM, end)
        signal.setitimer(signal.ITIMER_REAL, Limits.wall)
        _, status, usage = os.wait4(child.pid, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return Done(child.returncode, *map(self.said, self.streams), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, bool(late), before,
                    contents(self.outer))


# Checks ---------------------------------------------------------------------------------------------------


def ending(case, done):
    if done.late:
        yield f"hangs: still there after {Limits.wall} s"
    elif done.code < 0:
        yield f"dies of signal {-done.code}"
    elif done.code not in CODES[case.program]:
        yield f"exit code {done.code}"
    if done.seconds > Limits.seconds:
        yield f"takes {done.seconds:.0f} s"
    if done.memory > Limits.memory:
        yield f"takes {done.memory >> 20} MiB"


def words_of_refusal(case, done):
    if CONTROL.search(done.err.replace("\n", "")):
        yield "control characters on standard error"
    if "\udc80" <= max(done.err, default="") <= "\udcff":
        yield "standard error is no UTF-8"
    lines = done.err.splitlines()
    if any(not line.startswith(f"{case.program}: ") for line in lines):
        yield "a line of standard error that does not begin with the program's name"
    if done.code in (1, 2, 70) and case.program == "beadwork":
        errors = [line for line in lines if not re.match(r"beadwork: (warning: |with option )", line)]
        if not errors or "-q" in case.words and len(errors) > 1:  # without -q, notes about the table come first
            yield f"a refusal of {len(errors)} lines"
        if any(len(line) > 1500 for line in lines):
            yield "a refusal of more than 1500 characters"
    if case.program == "beadcheck" and (lines or done.out.count("\n") != 1) and done.code in (1, 3):
        yield "a rejection that is not one line"


def files(case, done):
    may = {f"case/{name}" for name in case.outputs}
    refused = done.code in (1, 2, 3, 5, 70)
    answered = case.kind == "aside"  # and the model stays where only test rows or names for the page cannot be read
    for name in sorted(done.before.keys() | done.after.keys()):
        if done.before.get(name) == done.after.get(name):
            continue
        named = name in may or any(one.endswith("/*") and name.startswith(one[:-1]) for one in may)
        what = "loses" if name not in done.after else "changes" if name in done.before else "writes"
        if not named:
            yield f"{what} a canary" if name.endswith("canary") else f"{what} {re.sub('[0-9A-Za-z]{6}$', '', name)}, which nobody named"
        elif refused and not answered and case.kind not in ("study", "record", "plan") and name not in ("case/s", "case/s.old"):
            yield f"{what} {name}, and refuses"


def strict(text):
    def none(word):
        raise ValueError(word)
    return json.loads(text, parse_constant=none)


def form(case, done):
    """What is printed is what it is called."""
    if done.code not in (0, 4):
        return
    words = case.words
    if "--json" in words and (words[0], "-o") != ("predict", words[-2]) or words[0] == "show" and "json" in words:
        try:
            strict(done.out)
        except ValueError as error:
            yield f"standard output is no JSON: {re.sub(r'[0-9]+', 'N', str(error))}"
    if words[0] in ("show", "evaluate", "fit") and not {"svg", "json", "dot", "--json"} & set(words) and CONTROL.search(done.out.replace("\n", "")):
        yield "control characters on standard output"


def checksums(case, done):
    """A model whose checksum is wrong is refused."""
    for name, spoiled in case.spoiled.items():
        if spoiled and name == "m.json" and case.program == "beadwork" and mutators.seal_holds(case.files[name]) is False and done.code == 0:
            yield "a model with a wrong checksum is taken"
        body, _, seal = case.files[name].rstrip(b"\n").rpartition(b"\nsha256 ")
        if spoiled and case.kind in ("state", "plan") and done.code == 0 and body and mutators.sealed(case.files[name]) != case.files[name]:
            claim = strict(done.out).get("claim", {}) if "--json" in case.words else {}
            if claim.get("resumed") and "s.old" not in case.files:
                yield "a state with a wrong checksum is taken"


CHECKS = [ending, words_of_refusal, files, form, checksums, truths.claims, truths.answers, truths.verified, truths.optimal]


def judged(case, done, material):
    """Findings: what is wrong with a run."""
    found = []
    for check in CHECKS:
        try:
            found += check(case, done) if check.__module__ != "mutation_truths" else check(case, done, material)
        except truths.Undecided:
            pass
    return found


# The whole ------------------------------------------------------------------------------------------------

state = {}


def begin(material, folder, kinds, seed, keep):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    scratch = pathlib.Path(folder) / f"worker-{os.getpid()}"
    state.update(material=material, runner=Runner(material, scratch), kinds=kinds, seed=seed, keep=keep)


def one(number):
    runner = state["runner"]
    case = Case(state["material"], state["seed"] * 10 ** 9 + number, str(runner.outer / "canary"), state["kinds"])
    case.words = [word.replace("\0", "") for word in case.words]
    done = runner.run(case)
    truths.recounted.clear()
    try:
        found = judged(case, done, state["material"])
    except Exception as error:  # noqa: BLE001: of the test
        found = [f"this test fails: {type(error).__name__}: {error}"]
    if found and state["keep"]:
        kept = pathlib.Path(state["keep"]) / f"{state['seed']}-{number}"
        runner.prepare(case)
        shutil.copytree(runner.outer, kept, dirs_exist_ok=True)
        (kept / "command").write_text("\n".join([shlex.join([case.program, *case.words]), *found, f"code {done.code}", done.err[:3000], done.out[:3000]]),
                                      errors="surrogateescape")
    words = case.words
    told = f"{case.kind} {case.program if case.program != 'beadwork' else words[0]}"
    return number, told, done.code, any(case.spoiled.values()), list(truths.recounted), found, shlex.join([case.program, *words])


def sweep(material, folder, args, show=40):
    """Counts of commands and exit codes, and of findings."""
    counts, wrong, start = collections.Counter(), collections.Counter(), time.monotonic()
    kinds = args.kinds.split(",") if args.kinds else sorted(KINDS)
    with multiprocessing.Pool(args.jobs, begin, (material, folder, kinds, args.seed, args.keep)) as pool:
        numbers = range(args.first, args.first + args.cases)
        for number, told, code, spoiled, recounted, found, line in pool.imap_unordered(one, numbers, chunksize=8):
            counts[told, code] += 1
            counts["cases"] += 1
            counts["spoiled"] += spoiled
            counts.update(f"recounted {what}" for what in recounted)
            for problem in found:
                wrong[f"{told}: {problem}"] += 1
                if wrong[f"{told}: {problem}"] <= 3 and sum(wrong.values()) <= show:
                    print(f"case {number} ({told}): {problem}\n  {line}", flush=True)
            if counts["cases"] % 1000 == 0 and show:
                print(f"{counts['cases']} cases, {sum(wrong.values())} findings, {time.monotonic() - start:.0f} s", flush=True)
    return counts, wrong


def told_of(counts, wrong):
    pairs = sorted((key, n) for key, n in counts.items() if isinstance(key, tuple))
    for told in sorted({key[0] for key, _ in pairs}):
        codes = ", ".join(f"{n} x {code}" for (t, code), n in pairs if t == told)
        print(f"  {told:24s} exit codes {codes}")
    print("  counted again: " + ", ".join(f"{n} x {key[10:]}" for key, n in counts.items() if str(key).startswith("recounted ")))
    print(f"{counts['cases']} cases, {counts['spoiled']} of them with a changed file: {sum(wrong.values())} findings")
    for problem, number in wrong.most_common():
        print(f"{number} x {problem}")


PLANTS = {  # what a fake program does instead: words of the finding, the kind of cases that must show it
    'rm -f ../canary; exec "$REAL" "$@"': ("loses a canary", "model"),
    'echo >> ~/canary; exec "$REAL" "$@"': ("changes a canary", "data"),
    'echo > "stray"; exec "$REAL" "$@"': ("writes case/", "state"),
    'kill -SEGV $$': ("dies of signal 11", "fit"),
    'exit 77': ("exit code 77", "plan"),
    'sleep 100': ("hangs", "study"),
    'exec python3 -c "b = bytearray(200 << 20); b[::4096] = b[::4096].replace(bytes(1), b\"1\")"': ("MiB", "aside"),
    'printf "beadwork: \\033[31mred\\n" >&2; exit 1': ("control characters", "model"),
    'echo "beadwork: no" >&2; echo "beadwork: no" >&2; exit 1': ("a refusal of 2 lines", "state"),
    'rm -f out*; echo "beadwork: no" >&2; exit 1': ("and refuses", "fit"),
    '"$REAL" "$@" | sed "s/claimed optimal/optimal/"': ("says what nobody has proven", "model"),
    '"$REAL" "$@" | sed "s/claimed optimal/verified optimal/"': ("says what nobody has verified", "model"),
    '"$REAL" "$@" | sed "s/\\"errors\\": /\\"errors\\": 1/"': ("errors, but", "model"),
    '"$REAL" "$@" | sed "s/,yes$/,no/; s/^yes/no/"': ("predicts", "model"),
    '"$REAL" "$@" | sed "s/\\"\\(upper_bound\\|lower_bound\\|training_errors\\)\\": *\\([0-9]\\)/\\"\\1\\": 1\\2/"': ("can be had", "fit"),
    '"$REAL" "$@" | sed "s/return 0/return 1/; s/ELSE .yes./ELSE \'no\'/"': ("the export answers", "model"),
    'echo VERIFIED': ("beadcheck verifies", "certificate"),
}


def selftest(args):
    """Each plant is found, and the program itself passes."""
    with tempfile.TemporaryDirectory() as folder:
        real, args.keep, args.cases = args.beadwork, None, 8
        made = pathlib.Path(folder) / "material"
        made.mkdir()
        material = Material(real, made, args.seed)
        fake = pathlib.Path(folder) / "fake"
        fake.mkdir()
        Limits.wall, Limits.memory = 20, 150 << 20
        for script, (words, kind) in PLANTS.items():
            for name in ("beadwork", "beadcheck"):
                target = real if name == "beadwork" else str(pathlib.Path(real).parent / name)
                (fake / name).write_text(f"#!/bin/sh\nREAL={shlex.quote(target)}\n{script}\n")
                (fake / name).chmod(0o755)
            material.beadwork, args.kinds = str(fake / "beadwork"), kind
            Limits.wall = 0.3 if words == "hangs" else 60
            wrong = collections.Counter()
            for args.first in range(0, 480, args.cases):
                wrong += sweep(material, folder, args, show=0)[1]
                if any(words in problem for problem in wrong):
                    break
            else:
                sys.exit(f"not found: {script}\n{wrong}")
    print(f"{len(PLANTS)} planted faults found")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("beadwork", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--cases", type=int, default=50000)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kinds", help=",".join(KINDS))
    parser.add_argument("--keep", help="write each finding to a folder in this one")
    parser.add_argument("--selftest", action="store_true")
    args = parser.parse_args()
    if args.selftest:
        return selftest(args)
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "material"
        made.mkdir()
        material = Material(args.beadwork, made, args.seed)
        counts, wrong = sweep(material, folder, args)
        if {name: data for name, data in contents(made).items()} != {n: d for n, d in material.files.items() if not n.startswith("older/")}:
            wrong["the material has changed"] += 1
    told_of(counts, wrong)
    return 1 if wrong or counts["spoiled"] < args.cases // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
