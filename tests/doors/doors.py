#!/usr/bin/env python3
"""One job, three ways in: doors.py BEADWORK [--library BY_LIBRARY] [--python PYTHON] [--jobs 60] [--seed 1]

A job is a table and options drawn at random (sizes, depths, node limits, committees, requirements, weights, costs, all
thresholds; nothing by the clock). The command line, the library's `fit_file` and the Python package run it, and their model files
are to be the same bytes. Python learns from a frame, which has no file: its models lack the file's hash and how the file is read,
and nothing else. A job that one refuses is refused by all. Python is not asked where a class has rows of weight 0 alone: it keeps
such a class, as scikit-learn does.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "recorder"))

import jobs  # noqa: E402

ENGINES = ["search"] * 12 + ["cart", "local", "odt", "oodg", "maxsat", "enumerate"]


@dataclasses.dataclass(frozen=True)
class Job:
    table: str
    weight: str
    thresholds: str
    options: tuple  # (name, texts)

    @property
    def every_class_counts(self):
        rows = [line.split(",") for line in self.table.split("\n")[1:-1]]
        return {row[-1] for row in rows if not self.weight or float(row[-2]) != 0} == {row[-1] for row in rows}


def size_of(rng, rows):
    """What decides how large an answer may be."""
    depth = rng.choice(["0", "1", "2", "2", "3"])
    kind = rng.choice(["depth"] * 6 + ["range", "chosen", "size", "size with a depth", "committee", "nodes", "nodes alone", "front",
                                       "top", "within", "penalty", "bias", "certificate"])
    return {"depth": [("depth", [depth])], "range": [("depth", ["1..3"])], "chosen": [("depth", ["cv:1..3"])],
            "size": [("size", [rng.choice(["auto", "auto-1se"])])] if rows <= 40 else [("size", ["auto"]), ("depth", ["3"])],
            "size with a depth": [("size", [rng.choice(["auto", "auto-1se"])]), ("depth", ["2"])],
            "committee": [("committee", [rng.choice(["1", "2", "5%"])]), ("depth", ["2"])],
            "nodes": [("max_nodes", [rng.choice("1345")]), ("depth", [depth])], "nodes alone": [("max_nodes", [rng.choice("134")])],
            "front": [("front", ["true"]), ("depth", ["2"])], "top": [("top", ["3"]), ("depth", [depth])],
            "within": [("within", ["1"]), ("depth", ["2"])], "penalty": [("node_penalty", ["0.5"]), ("depth", [depth])],
            "bias": [("bias", [rng.choice(["P", "C", "S", "size"])]), ("depth", [depth])],
            "certificate": [("certificate", ["-"]), ("depth", [depth])]}[kind]


def random_job(seed):
    rng = random.Random(seed)
    table, weighted = jobs.mixed_table(rng)
    header, *lines = table.split("\n")[:-1]
    engine = rng.choice(ENGINES)
    options = dict(size_of(rng, len(lines)) if engine == "search" else [("depth", [rng.choice("123")])])
    columns = header.split(",")[:-1 - weighted]
    if engine != "search":
        options["engine"] = [engine]
    for name, chance in (("forbid", 0.15), ("require", 0.1), ("candidate", 0.08)):
        if rng.random() < chance:
            options[name] = rng.sample(columns, min(len(columns), rng.choice([1, 1, 2])))
    if rng.random() < 0.1:
        classes = len({line.rsplit(",", 1)[1] for line in lines})
        options["costs"] = [rng.choice(["1", "2", "0.5"]) if j != k else "0" for j in range(classes) for k in range(classes)]
    if engine == "search" and rng.random() < 0.05:
        options["faithful"] = ["true"]
    options["seed"] = [str(rng.randint(0, 3))]
    options["threads"] = [rng.choice("12")]
    return Job(table, "w" if weighted else "", rng.choice(["auto", "auto", "all", "quantiles:4", "mdlp", "quantiles:8"]), tuple(options.items()))


def by_command(program, job, folder):
    words = ["fit", "t.csv", "-o", "command.json", "--thresholds", job.thresholds, "--time-limit", "none"]
    words += ["--weight", job.weight] if job.weight else []
    for name, values in job.options:
        flag = "--" + name.replace("_", "-")
        if name == "costs":
            classes = sorted({line.rsplit(",", 1)[1] for line in job.table.split("\n")[1:-1]})
            rows = [",".join([c, *values[i * len(classes):][:len(classes)]]) for i, c in enumerate(classes)]
            (folder / "costs.csv").write_text("\n".join([",".join(["", *classes]), *rows]) + "\n")
            words += [flag, "costs.csv"]
        elif values == ["true"]:
            words += [flag]
        elif name == "committee":
            words += [f"{flag}={values[0]}"]
        elif name == "certificate":
            words += [flag, "certificate.txt"]
        else:
            words += [word for value in values for word in (flag, value)]
    return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, timeout=1800)


def by_library(program, job, folder):
    words = [f"thresholds={job.thresholds}"] * (job.thresholds != "auto") + [f"weight={job.weight}"] * bool(job.weight)
    words += [f"{name}={value}" for name, values in job.options for value in values]
    return subprocess.run([program, "t.csv", "library.json", *words], cwd=folder, capture_output=True, text=True, timeout=1800)


def without_file(text):
    """A model as it is without what it keeps of its file, and without its own hash, which is of all of it."""
    for part in (r',\n "sha256": "[0-9a-f]*"', r',"file_sha256":"[0-9a-f]*"', r'\n "reading": \{.*\},'):
        text = re.sub(part, "", text)
    return text


class Python:
    """Another process, which fits what it is told line by line."""

    def __init__(self, python):
        self.child = subprocess.Popen([python, "-W", "ignore", HERE / "by_python.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def fit(self, job, seed, folder):
        told = {"table": str(folder / "t.csv"), "weight": job.weight, "thresholds": job.thresholds, "options": job.options, "seed": seed}
        self.child.stdin.write(json.dumps(told) + "\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())


def differences(job, seed, programs, python):
    """(who differs from the command line, the models and what was said by each way in), or whether all have learnt."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "t.csv").write_text(job.table)
        runs = {way: run(programs[way], job, folder) for way, run in (("command", by_command), ("library", by_library)) if programs[way]}
        said = {way: done.stderr for way, done in runs.items()}
        files = {way: folder / f"{way}.json" for way in runs}
        texts = {way: path.read_text() if path.exists() else None for way, path in files.items()}
        if python and job.every_class_counts:
            answer = python.fit(job, seed, folder)
            texts["python"], said["python"] = answer["model"], answer["error"]
    wanted = texts["command"]
    if "library" in texts and texts["library"] != wanted:
        return "library", texts, said
    if "python" in texts and texts["python"] != (wanted and without_file(wanted)):
        return "python", texts, said
    return wanted is not None


def told(job):
    return f"{job.table}weight={job.weight} thresholds={job.thresholds} " + " ".join(f"{n}={','.join(v)}" for n, v in job.options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--library")
    parser.add_argument("--python")
    parser.add_argument("--jobs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="write the models of jobs that differ into this folder")
    given = parser.parse_args()
    os.environ["BEADWORK_TIME_LIMIT"] = "none"
    programs = {"command": os.path.abspath(given.program), "library": given.library and os.path.abspath(given.library)}
    python = Python(given.python) if given.python else None
    differ = learnt = 0
    for seed in range(given.seed, given.seed + given.jobs):
        found = differences(random_job(seed), seed, programs, python)
        if isinstance(found, bool):
            learnt += found
            continue
        differ += 1
        who, texts, said = found
        print(f"--- job {seed}: {who} differs from the command line\n{told(random_job(seed))}")
        for way, text in said.items():
            print(f"{way}: {'a model' if texts[way] else 'none'}; {(text or '').strip().splitlines()[-1:]}")
        if given.keep:
            given.keep.mkdir(exist_ok=True)
            for way, text in texts.items():
                (given.keep / f"{seed}.{way}.json").write_text(text or "")
    print(f"{given.jobs} jobs, {learnt} learnt alike, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
