#!/usr/bin/env python3
"""What a table is read as depends on no order: of its rows, of the files that it comes in, of its columns.

usage: permute.py BEADWORK [--tables 40] [--seed 0] [--keep DIR]

Random tables with what people write into them: words for no value, with and without quotes, decimal commas, dates, mixed truths,
codes with zeros in front, words in an order, spellings of one number, rare categories, weights. Each is learnt from

  - with its rows in other orders: the same model but for the hash of the file, and the same warnings
  - cut into files (--shards) anywhere, in several orders of files: the same model again, but for the number of shards in its claim
  - with its columns in other orders: the same errors, bounds and claim

and `evaluate` must count as many errors in the table as the model claims of it. What is refused must be refused in every order.
"""
import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

NOTHING = ["-", "--", "n/a", "N/A", "#N/A", "NULL", "null", "none", "unknown", "tbd", "."]
ORDERED = ["low", "medium", "high"]
TITLES = {"number", "whole", "few", "comma", "thousands", "money", "percent", "minus", "bit", "truth", "either", "zip", "date", "german", "moment",
          "clock", "colour", "size", "spelled", "rare", "mixture", "empty", "grade"}


def cell(kind, rng, style):
    """A value as text; `style` is that of the column."""
    n = rng.randrange(40)
    if kind == "number":
        return f"{rng.gauss(0, 3):.2f}"
    if kind == "whole":
        return str(n)
    if kind == "few":  # 0 and 1 alone in some files
        return rng.choice(["0", "0", "0", "1", "1", "1", "2", "1.0", "-0"])
    if kind == "comma":
        return f"{n},{rng.randrange(10)}" if style < 0.7 or n > 5 else str(n)
    if kind == "thousands":
        return f"{rng.randrange(1, 90) * 100 + n:,}"
    if kind == "money":
        return f"{n}.{n:03d},50 \u20ac" if n else rng.choice(["12 \u20ac", "7,5 \u20ac"])
    if kind == "percent":
        return f"{n}%" if style < 0.5 else f"{n}.5 %"
    if kind == "minus":
        return rng.choice(["\u2212", "", ""]) + str(n)
    if kind == "bit":
        return rng.choice("01")
    if kind == "truth":
        return rng.choice(["yes", "yes", "no", "no", "Yes", "NO", "y", "TRUE"] if style < 0.6 else ["yes", "no"] if rng.random() < 0.9 else ["Yes", "No"])
    if kind == "either":
        return rng.choice(["yes", "no", "maybe"])
    if kind == "zip":
        return f"{rng.choice([1067, 4109, 20095, 80331, 50667]):05d}"
    if kind == "date":
        return f"{2015 + n % 5}-{1 + n % 12:02d}-{1 + n % 28:02d}"
    if kind == "german":  # days beyond 12 only in some rows
        return f"{1 + n % (28 if style < 0.5 or rng.random() < 0.1 else 12):02d}.{1 + n % 12:02d}.{2015 + n % 5}"
    if kind == "moment":
        return f"2024-03-{1 + n % 28:02d}T{n % 24:02d}:30:00" + ("" if style < 0.5 or n else ".25")
    if kind == "clock":
        return f"{n}:{n % 60:02d}"
    if kind == "colour":
        return rng.choice(["red", "green", "blue", "dark, blue", 'the "best"'])
    if kind == "size":
        return rng.choice(ORDERED)
    if kind == "spelled":  # one number, or one word, in several spellings
        return rng.choice(["1", "1.0", "2", "2.50", "2.5", "x", "True", "TRUE", "true"])
    if kind == "rare":  # more than --max-categories, where that is given
        return rng.choice(["a", "a", "a", "b", "b", "c", "C", "d", "1", "1", "1.0", "True", "true"])
    if kind == "mixture":
        return rng.choice(["1", "2", "3", "4", "5more"]) if style < 0.5 else rng.choice(["12", "7", "3", "1,5"])
    if kind == "grade":
        return rng.choice(["1", "2", "3", "10"])
    return ""


def random_table(rng):
    rows = rng.choice([12, 40, 120, 240])
    kinds = [rng.choice(sorted(TITLES)) for _ in range(rng.randint(2, 6))]
    columns = []
    for kind in kinds:
        style, lack = rng.random(), rng.choice([0, 0, 0.05, 0.2, 0.45])
        words = rng.sample(NOTHING + ["", "?", "NA", "NaN"], rng.randint(1, 4))
        column = [cell(kind, rng, style) for _ in range(rows)]
        if rng.random() < 0.3:  # sorted: files differ most
            column.sort()
        columns.append([rng.choice(words) if rng.random() < lack else value for value in column])
    labels = rng.sample(["no", "yes", "maybe", "10", "9"], rng.choice([2, 2, 3]))
    table = []
    for r in range(rows):
        score = sum(len(c[r]) + ord((c[r] or "-")[0]) for c in columns[:2])
        table.append([c[r] for c in columns] + [labels[rng.randrange(len(labels)) if rng.random() < 0.2 else score % len(labels)]])
    header = [f"{kind}{i}" for i, kind in enumerate(kinds)] + ["y"]
    if rng.random() < 0.3:
        header.insert(-1, "w")
        weights = rng.choice([[1, 2, 5], [0.1, 0.5, 1.25], [0.1, 0.2, 0.3], [1 / 3, 2 / 7, 0.123456789012]])
        for row in table:
            row.insert(-1, repr(rng.choice(weights)))
    return header, table


def random_options(rng, header):
    options = ["--target", "y", "-d", str(rng.choice([1, 2, 2, 3]))]
    options += rng.choice([[], ["--thresholds", "quantiles:4"], ["--thresholds", "mdlp"], ["--thresholds", "quantiles:9"]])
    if "w" in header:
        options += ["--weight", "w"]
    for name in header:
        if name.startswith("size") and rng.random() < 0.7:
            options += ["--ordered", f"{name}=" + ",".join(ORDERED)]
        if name.startswith("grade") and rng.random() < 0.5:
            options += ["--missing", f"{name}=10", "--missing", f"{name}=2"]
    if rng.random() < 0.3:
        options += ["--max-categories", str(rng.choice([2, 3, 4]))]
    if rng.random() < 0.2:
        options += ["--missing-also", "unknown"]
    return options


class Writer:
    """Quotes belong to a cell, and not to its place."""

    def __init__(self, rng):
        self.how = rng.choice(["needed", "needed", "all", "some"])
        self.delimiter = rng.choice([",", ";", "\t"])
        self.salt = rng.random()

    def cell(self, text):
        some = self.how == "some" and random.Random(f"{self.salt}{text}").random() < 0.5
        if self.how == "all" or some or re.search(r'[",;\t|\r\n]', text):
            return '"' + text.replace('"', '""') + '"'
        return text

    def write(self, path, header, rows):
        lines = [self.delimiter.join(self.cell(text) for text in row) for row in [header, *rows]]
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=1800)


def warnings_of(stderr):
    return sorted(line for line in stderr.split("\n") if "warning:" in line)


class Fitted:
    def __init__(self, beadwork, model, options, *paths):
        model.unlink(missing_ok=True)
        done = run(beadwork, "fit", *paths, "-o", model, *options)
        self.refused = done.stderr.strip().split("\n")[-1] if done.returncode else None
        self.told = done.stderr
        self.warnings = warnings_of(done.stderr)
        self.model = None
        if done.returncode == 0:
            self.model = json.loads(model.read_text(encoding="utf-8"))
            self.model.pop("sha256")
            self.model["training"].pop("file_sha256", None)
            self.model["claim"].pop("shards", None)

    def proven(self):
        """What the order of columns must not change."""
        training = self.model["training"]
        return self.model["claim"], training["errors"], training["rows"], self.model["classes"]


def difference(a, b, at=""):
    """Where two JSON values differ first."""
    if type(a) is type(b) and isinstance(a, dict):
        for key in sorted(set(a) | set(b)):
            if a.get(key) != b.get(key):
                return difference(a.get(key), b.get(key), f"{at}/{key}")
    if type(a) is type(b) and isinstance(a, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            if x != y:
                return difference(x, y, f"{at}/{i}")
    return f"{at}: {json.dumps(a)[:200]} and {json.dumps(b)[:200]}"


def shuffled(rng, items):
    return rng.sample(items, len(items))


def one(beadwork, seed, folder, tally):
    rng = random.Random(f"permute {seed}")
    header, table = random_table(rng)
    options = random_options(rng, header)
    writer = Writer(rng)
    first, model = folder / "first.csv", folder / "model.json"
    writer.write(first, header, table)
    about = f"table {seed} ({' '.join(options)})"
    base = Fitted(beadwork, model, options, first)
    if base.model is not None:
        counted = run(beadwork, "evaluate", model, first, "--json", *(["--weight", "w"] if "w" in header else []))
        training = base.model["training"]
        errors, room = training["errors"] / training["weight_scale"], 1e-6 * max(1, training["errors"] / training["weight_scale"])  # rounded weights
        if counted.returncode != 0 or abs(json.loads(counted.stdout)["errors"] - errors) > room:
            return f"{about}: evaluate says {' '.join(counted.stdout.split())[:100]} {counted.stderr}, the model {errors}"
    tally["refused" if base.model is None else "learnt"] += 1

    def compare(what, other, proven=lambda fitted: fitted.model):
        if (base.model is None) != (other.model is None):
            return f"{about}, {what}: {other.refused or 'learnt'}; at first {base.refused or 'learnt'}"
        if base.model is not None and proven(base) != proven(other):
            return f"{about}, {what}: {difference(proven(base), proven(other))}"
        return None

    second = folder / "second.csv"
    for _ in range(2):
        writer.write(second, header, shuffled(rng, table))
        other = Fitted(beadwork, model, options, second)
        problem = compare("rows", other)
        if problem:
            return problem
        if [w.replace("second.csv", "first.csv") for w in other.warnings] != base.warnings:
            return f"{about}, rows: the warnings\n{other.warnings}\nand\n{base.warnings}"
    for order in (table, shuffled(rng, table)):
        count = min(rng.randint(2, 4), len(order))
        cuts = sorted(rng.sample(range(1, len(order)), count - 1))
        files = [folder / f"part{i}.csv" for i in range(count)]
        for file, a, b in zip(files, [0, *cuts], [*cuts, len(order)]):
            writer.write(file, header, order[a:b])
        for arranged in (files, shuffled(rng, files)):
            other = Fitted(beadwork, model, options, "--shards", *arranged)
            problem = compare(f"{count} files", other)
            if problem:
                return problem
            tally["read again"] += "read the" in other.told
    places = shuffled(rng, list(range(len(header))))
    writer.write(second, [header[i] for i in places], [[row[i] for i in places] for row in table])
    return compare("columns", Fitted(beadwork, model, options, second), Fitted.proven)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("beadwork")
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep")
    args = parser.parse_args()
    tally, faults = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(args.keep or temporary)
        for seed in range(args.seed, args.seed + args.tables):
            problem = one(args.beadwork, seed, folder, tally)
            if problem:
                faults += 1
                print(problem, flush=True)
                if args.keep:
                    return 1
    print(", ".join(f"{count} {what}" for what, count in sorted(tally.items())))
    if tally["learnt"] < 0.7 * args.tables:
        print("too few tables were learnt from")
        faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
