#!/usr/bin/env python3
"""fit --shards against fit on random tables: the model must be the same but for the number of shards in its claim.

usage: sweep.py BEADWORK [--tables N] [--seed N]

Tables have 0/1 columns, numbers, categories and missing values; shards are cut anywhere, or from sorted rows, so that columns are
constant, equal or opposite in some of them. Reported at the end: how often lists had to be expanded, and how many passes it took.
"""
import argparse
import collections
import csv
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile


def random_column(rng, rows, columns):
    kind = rng.choice(["bit", "bit", "rare", "number", "small", "category", "copy", "opposite"])
    bits = [c for c in columns if set(c) <= {"0", "1"}]
    if kind in ("copy", "opposite") and bits:
        source = rng.choice(bits)
        flips = rng.choice([0, 0, 1, 2])  # equal but for a few rows: equal in most shards
        column = [v if kind == "copy" else str(1 - int(v)) for v in source]
        for _ in range(flips):
            at = rng.randrange(rows)
            column[at] = str(1 - int(column[at]))
        return column
    if kind == "number":
        return [f"{rng.gauss(0, 3):.1f}" for _ in range(rows)]
    if kind == "small":  # 0 and 1 alone in some shards
        return [str(rng.choice([0, 0, 0, 1, 1, 1, 2, 3])) for _ in range(rows)]
    if kind == "category":
        levels = rng.sample(["red", "green", "blue", "grey", "black"], rng.randint(2, 5))
        return [rng.choice(levels) for _ in range(rows)]
    share = 0.05 if kind == "rare" else rng.choice([0.3, 0.5])
    return ["1" if rng.random() < share else "0" for _ in range(rows)]


def random_table(rng):
    rows = rng.choice([12, 30, 60, 150, 400])
    columns = []
    for _ in range(rng.randint(2, 9)):
        columns.append(random_column(rng, rows, columns))
    classes = rng.choice([2, 2, 2, 3, 4])
    names = rng.sample(["no", "yes", "maybe", "never", "10", "9"], classes)
    key = rng.sample(range(len(columns)), min(3, len(columns)))
    table = []
    for r in range(rows):
        score = sum(i + 1 for i, c in enumerate(key) if columns[c][r] in ("1", "red", "blue") or columns[c][r].startswith("-"))
        label = names[rng.randrange(classes) if rng.random() < 0.25 else score % classes]
        table.append([c[r] for c in columns] + [label])
    if rng.random() < 0.3:
        for _ in range(rng.randint(1, rows)):
            table[rng.randrange(rows)][rng.randrange(len(columns))] = ""
    header = [f"x{i}" for i in range(len(columns))]
    if rng.random() < 0.25:
        header.append("w")
        weights = rng.choice([[0, 1, 2, 5], [0.5, 1.25, 0.1], [1]])
        table = [row[:-1] + [str(rng.choice(weights)), row[-1]] for row in table]
        table[0][-2] = "1"
    return header + ["y"], table


def random_shards(rng, header, table):
    """Lists of rows; together they are the table that fit is given."""
    count = rng.randint(1, 6)
    how = rng.choice(["anywhere", "sorted", "blocks"])
    if how == "sorted":
        by = rng.randrange(len(header))
        table = sorted(table, key=lambda row: row[by])
    cuts = sorted(rng.sample(range(1, len(table)), count - 1)) if how != "blocks" else [len(table) * i // count for i in range(1, count)]
    return [table[a:b] for a, b in zip([0] + cuts, cuts + [len(table)])]


def random_options(rng, header, beadwork, whole):
    """Names must be those of features: what a random rule of thresholds makes of the table."""
    options = ["--weight", "w"] if "w" in header else []
    options += rng.choice([["--thresholds", "quantiles:8"], ["--thresholds", "quantiles:3"], ["--thresholds", "mdlp"], ["--thresholds", "quantiles:1"]])
    features = feature_names(beadwork, whole, options)
    columns = sorted({name.split()[0] for name in features})
    depth = rng.randint(0, 4)
    options += ["-d", str(depth), *rng.choice([[], [], ["--bias", rng.choice("PCSN")]])]
    forbidden = [c for c in columns if rng.random() < 0.1]
    candidates = rng.sample(columns, min(len(columns), 3)) if rng.random() < 0.15 else []
    for flag, names in (("--forbid", forbidden), ("--candidate", candidates)):
        for name in names:
            options += [flag, name]
    allowed = [f for f in features if f.split()[0] not in forbidden and (not candidates or f.split()[0] in candidates)]
    if rng.random() < 0.3:
        for name in rng.sample(allowed, min(len(allowed), depth, rng.randint(1, 2))):
            options += ["--require", name]
    return options


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header] + rows)


def costs_file(rng, folder, classes):
    path = folder / "costs.csv"
    write(path, ["", *classes], [[a, *(0 if a == b else rng.randint(1, 5) for b in classes)] for a in classes])
    return ["--costs", str(path)]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=1800)


def model(path):
    """What must be the same."""
    out = json.loads(path.read_text())
    out.pop("sha256")
    out["training"].pop("file_sha256", None)  # shards are several files
    shards = out["claim"].pop("shards")
    return out, shards


def feature_names(beadwork, path, options):
    names = run([beadwork, "binarize", path, *options])
    return re.findall(r"^# feature \d+ (.*)$", names.stdout, re.M)


def one(beadwork, seed, folder, tally):
    rng = random.Random(seed)
    header, table = random_table(rng)
    shards = random_shards(rng, header, table)
    whole = folder / "whole.csv"
    write(whole, header, [row for shard in shards for row in shard])
    files = []
    for i, rows in enumerate(shards):
        files.append(folder / f"shard{i}.csv")
        write(files[-1], header, rows)
    options = random_options(rng, header, beadwork, whole)
    if rng.random() < 0.2:
        options += costs_file(rng, folder, sorted({row[-1] for row in table}))
    ours, theirs = folder / "shards.json", folder / "whole.json"
    for path in (ours, theirs):
        path.unlink(missing_ok=True)
    expected = run([beadwork, "fit", whole, "-q", "-o", theirs, *options])
    got = run([beadwork, "fit", "--shards", *files, "-o", ours, *options])
    about = f"seed {seed}: {' '.join(options)}"
    if expected.returncode != 0:  # no features, all weights zero, ...
        tally["refused"] += 1
        if got.returncode == 0:
            return f"{about}: fit refuses what shards accept: {expected.stderr}"
        return None
    if got.returncode != 0:
        return f"{about}: {got.stderr}"
    a, b = model(theirs), model(ours)
    if b[1] != len(shards):
        return f"{about}: the claim says {b[1]} shards"
    if a[0] != b[0]:
        return f"{about}: the models differ\n{json.dumps(a[0])}\n{json.dumps(b[0])}"
    told = re.search(r"read the \d+ shards? (\d+) times; listed (\d+) feature sets? .* compared (\d+)", got.stderr)
    if not told:
        return f"{about}: it is not said how often the shards were read: {got.stderr}"
    tally["same"] += 1
    tally[f"read {told.group(1)} times"] += 1
    tally["with expanded lists"] += int(told.group(2)) < int(told.group(3))
    tally["sets compared"] += int(told.group(3))
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("beadwork")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    tally = collections.Counter()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.tables):
            problem = one(arguments.beadwork, seed, pathlib.Path(folder), tally)
            if problem:
                failures += 1
                print(problem, flush=True)
    for what, count in sorted(tally.items()):
        print(f"{what}: {count}")
    if tally["same"] < arguments.tables * 0.9 or (arguments.tables >= 20 and tally["with expanded lists"] == 0):
        failures += 1
        print("too few of these tables were compared, or no list was expanded")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
