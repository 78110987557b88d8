#!/usr/bin/env python3
"""Test accuracy of the rules for thresholds: thresholds.py run PROGRAM RECORD | thresholds.py table RECORD

Five seeds x five stratified folds on the numeric tables (docs/data.md: numeric, and those of raw with a numeric column;
bank and wine once, they are in both). Each fit has one thread and a limit of processor time, so that a busy machine changes
nothing; the table says what share of the fits is proven. RECORD is a file of JSON lines; a run goes on where the file ends.
"""
import argparse
import collections
import gzip
import json
import math
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import tables as known  # noqa: E402: of the tree

RULES = ("quantiles:8", "quantiles:20", "quantiles:32", "quantiles:64", "mdlp", "all")
TWICE = ("bank", "wine")  # of the folder numeric: raw has the whole of bank, and wine


class Lines:
    """A table as its lines: the head, the rows and the class of each, so that no value is written anew."""

    def __init__(self, path):
        text = gzip.open(path, "rt").read() if path.suffix == ".gz" else path.read_text()
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("%")]
        self.arff = path.suffix == ".arff"
        start = next(i for i, line in enumerate(lines) if line.lower().startswith("@data")) + 1 if self.arff else 1
        self.name, self.head, self.rows = path.name.split(".")[0], lines[:start], lines[start:]
        self.classes = [row.rsplit(",", 1)[1].strip() for row in self.rows]
        self.numeric = not self.arff or any(re.match(r"@attribute.*\s(numeric|real|integer)", s, re.I) for s in self.head)

    def write(self, path, rows):
        path.write_text("\n".join(self.head + [self.rows[i] for i in rows]) + "\n")

    def folds(self, seed, count=5):
        """Row numbers of each fold: the rows of a class are shuffled and dealt out in turn."""
        order = random.Random(f"{self.name} {seed}")
        by_class = collections.defaultdict(list)
        for row, label in enumerate(self.classes):
            by_class[label].append(row)
        dealt = []
        for label in sorted(by_class):
            order.shuffle(by_class[label])
            dealt += by_class[label]
        return [dealt[k::count] for k in range(count)]


def tables():
    raw, numeric = map(known.folder_or_skip, ("raw", "numeric"))
    paths = [p for p in sorted(numeric.glob("*.csv.gz")) if p.name.split(".")[0] not in TWICE]
    found = [Lines(p) for p in paths + sorted(raw.glob("*.arff"))]
    return sorted((t for t in found if t.numeric), key=lambda t: len(t.rows))


def processor_time(pid):
    """Seconds that a process has used so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(words, limit=math.inf):
    """What a command prints as JSON, and its seconds. Interrupted at the limit, `fit` keeps the best so far."""
    with tempfile.TemporaryFile("w+") as out:
        child = subprocess.Popen([str(w) for w in words], stdout=out, stderr=subprocess.PIPE, text=True)
        pid, asked = 0, False
        while pid == 0:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid == 0 and not asked and processor_time(child.pid) > limit:
                child.send_signal(signal.SIGINT)
                asked = True
            if pid == 0:
                time.sleep(0.01)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 4):
            sys.exit(f"{' '.join(map(str, words))}: {child.stderr.read()}")
        out.seek(0)
        return json.load(out), usage.ru_utime + usage.ru_stime


def measure(args, table, train, test, model, **key):
    fit, seconds = ask([args.program, "fit", train, "--thresholds", key["rule"], "--depth", key["depth"], "--time-limit", "none",
                        "--threads", 1, "--json", "-q", "-o", model], args.limit)
    got, _ = ask([args.program, "evaluate", model, test, "--json"])
    return key | {"table": table.name, "rows": fit["rows"], "features": fit["num_features"], "accuracy": got["accuracy"],
                  "proven": fit["status"] == "optimal", "seconds": seconds, "limit": args.limit}


def run(args):
    done = set()
    if args.record.exists():
        done = {tuple(json.loads(line)[k] for k in ("table", "seed", "fold", "rule", "depth")) for line in args.record.open()}
    with tempfile.TemporaryDirectory() as folder, args.record.open("a") as record:
        chosen = [t for t in tables() if not args.tables or t.name in args.tables]
        for seed in range(1, 6):
            for table in chosen:
                end = "arff" if table.arff else "csv"
                train, test = pathlib.Path(folder) / f"train.{end}", pathlib.Path(folder) / f"test.{end}"
                folds = table.folds(seed)
                for k, fold in enumerate(folds):
                    rest = sorted(r for other in folds if other is not fold for r in other)
                    table.write(train, sorted(random.Random(f"{seed} {k}").sample(rest, min(len(rest), args.most_rows))))
                    table.write(test, sorted(fold))
                    for rule in args.rules:
                        if (table.name, seed, k, rule, args.depth) not in done:
                            row = measure(args, table, train, test, pathlib.Path(folder) / "model", seed=seed, fold=k, rule=rule,
                                          depth=args.depth)
                            print(json.dumps(row), file=record, flush=True)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def print_table(args):
    with gzip.open(args.record, "rt") if args.record.suffix == ".gz" else args.record.open() as record:
        rows = [json.loads(line) for line in record]
    for depth in sorted({r["depth"] for r in rows}):
        cells = collections.defaultdict(list)
        for r in rows:
            if r["depth"] == depth:
                cells[r["table"], r["rule"]].append(r)
        names = [n for n in dict.fromkeys(name for name, _ in cells) if all(len(cells[n, rule]) >= 5 for rule in RULES)]
        print(f"\nDepth {depth}:\n\n| table (rows, all thresholds) | " + " | ".join(RULES) + " |\n" + "|---" * (len(RULES) + 1) + "|")
        for name in names:
            some = cells[name, "all"]
            shown = [f"{100 * mean(r['accuracy'] for r in cells[name, rule]):.2f}" for rule in RULES]
            print(f"| {name} ({some[0]['rows']:,}; {round(mean(r['features'] for r in some)):,}) | " + " | ".join(shown) + " |")
        of_rule = [[r for n in names for r in cells[n, rule]] for rule in RULES]
        base = {n: mean(r["accuracy"] for r in cells[n, RULES[0]]) for n in names}
        ahead = [sum(mean(r["accuracy"] for r in cells[n, rule]) > base[n] for n in names) for rule in RULES]
        means = [mean(mean(r["accuracy"] for r in cells[n, rule]) for n in names) for rule in RULES]
        print("| **mean** | " + " | ".join(f"**{100 * m:.2f}**" for m in means) + " |")
        print(f"| better than {RULES[0]} on | " + " | ".join(f"{a} of {len(names)}" if i else "" for i, a in enumerate(ahead)) + " |")
        print("| fits proven | " + " | ".join(f"{100 * mean(r['proven'] for r in g):.0f} %" for g in of_rule) + " |")
        print("| seconds per fit | " + " | ".join(f"{mean(r['seconds'] for r in g):.2f}" for g in of_rule) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("run")
    one.add_argument("program", type=pathlib.Path)
    one.add_argument("record", type=pathlib.Path)
    one.add_argument("--depth", type=int, default=3)
    one.add_argument("--limit", type=float, default=1, help="seconds of processor time a fit")
    one.add_argument("--most-rows", type=int, default=5000, help="train on a sample of at most this many rows of a fold")
    one.add_argument("--rules", nargs="+", default=RULES)
    one.add_argument("--tables", nargs="+")
    one.set_defaults(act=run)
    two = commands.add_parser("table")
    two.add_argument("record", type=pathlib.Path)
    two.set_defaults(act=print_table)
    args = parser.parse_args()
    args.act(args)


if __name__ == "__main__":
    main()
