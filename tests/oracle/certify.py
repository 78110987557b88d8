#!/usr/bin/env python3
"""Certificates over all thresholds of random tables, and false claims: certify.py BEADWORK BEADCHECK [--tables 10000]

Each table has numbers, categories, 0/1 and missing values, 2 to 4 classes, maybe weights and features that are required,
forbidden or the only candidates. `fit --thresholds all` must find the optimum of brute_force.py, and beadcheck must verify its
certificate on what `binarize --values` writes. Then three claims that are false, for each table, must be rejected: one more error
than there is, a classifier that is worse, another threshold, swapped names of classes, a column under another name, a
restriction taken away, another table, a file that was cut or altered. Exits with 1 at the first wrong verdict.
"""
import argparse
import hashlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from fractions import Fraction

import brute_force
import numeric
import scopes
import sweep


def binary_tests(name, cells):
    """A column of 0 and 1 is named by itself."""
    tests = numeric.tests_of(name, cells, "nominal")
    return [(name if feature == f"{name} = 1" else feature, values) for feature, values in tests]


def random_column(rng, name, num_rows, kind):
    if kind == "binary":
        cells = tuple(rng.choice(["0", "1", "1", ""] if rng.random() < 0.2 else ["0", "1"]) for _ in range(num_rows))
        return cells, binary_tests(name, cells)
    cells = numeric.random_cells(rng, num_rows, kind)
    return cells, numeric.tests_of(name, cells, kind)


def random_table(rng):
    """With a column of many numbers, so that columns are sorted."""
    num_rows = rng.randint(6, 22)
    num_classes = rng.choice([2, 2, 3, 4])
    wide = tuple(numeric.text_of(Fraction(rng.randint(-40, 99), 4)) for _ in range(num_rows))
    names, cells, numbers, tests = [], [], [], []
    for i, kind in enumerate(["wide"] + rng.choices(["numeric", "nominal", "binary"], [3, 1, 1], k=rng.choice([0, 0, 1, 1, 2]))):
        column, new = (wide, numeric.tests_of("x0", wide, "numeric")) if i == 0 else random_column(rng, f"x{i}", num_rows, kind)
        names.append(f"x{i}")
        cells.append(column)
        numbers.append(tuple(range(len(tests), len(tests) + len(new))))
        tests += new
    noise = rng.choice([0.1, 0.4, 1])
    hidden = [(float(c) > 3) + 2 * (len(tests) > 0 and tests[-1][1][r]) for r, c in enumerate(wide)]
    labels = [rng.randrange(num_classes) if rng.random() < noise else h % num_classes for h in hidden]
    classes = tuple("ABCD"[k] for k in sorted(set(labels)))
    labels = tuple(classes.index("ABCD"[k]) for k in labels)
    weights = rng.choice([["1"], ["1"], ["1", "2", "3"], ["0.5", "1", "2.25"], ["1", "7"]])
    weights = tuple(Fraction(rng.choice(weights)) for _ in range(num_rows))
    if not any(weights):
        weights = (Fraction(1),) * num_rows
    rows = tuple(zip(*[values for _, values in tests]))
    return brute_force.Table(tuple(name for name, _ in tests), rows, labels, classes, weights, (),
                             numeric.Raw(tuple(names), tuple(cells), tuple(numbers), ()))


def random_options(rng, table):
    options = {"engine": "search", "depth": rng.randint(0, 3 if len(table.features) <= 22 else 2)}
    for name in rng.choice([[], [], ["forbid"], ["require"], ["candidate"], ["forbid", "require"]]):
        options[name] = sweep.random_value(rng, name, table, options["depth"])
    return options


def integer_optimum(table, scope):
    """brute_force.optimum, quicker: rows as bits, weights as integers."""
    unit = 1
    for w in table.weights:
        unit *= (w * unit).denominator
    weight = [int(w * unit) for w in table.weights]
    by_class = [[(1 << r, weight[r]) for r, k in enumerate(table.labels) if k == c] for c in range(len(table.classes))]
    passing = [sum(1 << r for r, row in enumerate(table.rows) if row[f]) for f in range(len(table.features))]

    def error(cell):
        sums = [sum(w for bit, w in rows if bit & cell) for rows in by_class]
        return sum(sums) - max(sums)

    def best(cells, left, allowed):
        values = [(c, error(c)) for c in cells]
        least = sum(e for _, e in values)
        cells = [c for c, e in values if e]  # others stay without error
        if left == 0 or not cells:
            return least
        for i, f in enumerate(allowed):
            least = min(least, best([part for c in cells for part in (c & passing[f], c & ~passing[f]) if part], left - 1,
                                    allowed[i + 1:]))
        return least

    cells = [(1 << len(table.rows)) - 1]
    for f in scope.required:
        cells = [part for c in cells for part in (c & passing[f], c & ~passing[f]) if part]
    free = sorted(scope.allowed - scope.required)
    seen, distinct = set(), []
    for f in free:
        pattern = min(passing[f], (1 << len(table.rows)) - 1 - passing[f])
        if pattern and pattern not in seen:
            seen.add(pattern)
            distinct.append(f)
    return Fraction(best(cells, scope.depth - len(scope.required), distinct), unit), unit


class Wrong(Exception):
    pass


def insist(holds, what):
    if not holds:
        raise Wrong(what)


def sealed(lines):
    text = "\n".join(lines) + "\n"
    return text + f"sha256 {hashlib.sha256(text.encode()).hexdigest()}\n"


class Judge:
    def __init__(self, args, folder):
        self.args, self.folder, self.counts = args, pathlib.Path(folder), Counter()

    def check(self, data, model, certificate):
        files = []
        for name, text in (("data", data), ("model", model), ("certificate", certificate)):
            files.append("-" if text is None else name)
            if text is not None:
                (self.folder / name).write_text(text)
        done = subprocess.run([self.args.beadcheck, *files], cwd=self.folder, capture_output=True, text=True, timeout=1800)
        return done.returncode, done.stdout

    def rejected(self, kind, data, model, certificate, reason=""):
        code, said = self.check(data, model, certificate)
        insist(code == 1 and said.startswith("REJECTED: ") and reason in said, f"{kind}: {code} {said}")
        self.counts[f"false: {kind}"] += 1
        self.counts["false claims rejected"] += 1

    def false_claims(self, rng, case, data, model, certificate):
        """Three of those that can be made of this table."""
        lines, parsed = certificate.splitlines()[:-1], json.loads(model)
        claim = int(lines[6].split()[1])
        more = lines[:6] + [f"claim {claim + 1}"] + lines[7:]
        kinds = {
            "one more": lambda: self.rejected("one more", data, None, sealed(more), "less than the claim"),
            "far more": lambda: self.rejected("far more", data, None,
                                              sealed(lines[:6] + [f"claim {claim + rng.randint(2, 99)}"] + lines[7:]), "less than"),
            "one more, with the model": lambda: self.rejected("one more, with the model", data, model, sealed(more), "errs by"),
            "cut": lambda: self.rejected("cut", data, model, certificate[:rng.randrange(len(certificate))]),
            "altered": lambda: self.altered(rng, data, model, certificate),
            "another table": lambda: self.rejected("another table", data + data.splitlines()[-1] + "\n", model, certificate,
                                                   "the data are not those"),
        }
        if len(parsed["classes"]) > 1:
            kinds["classes swapped"] = lambda: self.rejected(
                "classes swapped", data, json.dumps({**parsed, "classes": parsed["classes"][::-1]}), certificate, "class 0 is")
            kinds["another answer"] = lambda: self.another_answer(data, json.loads(model), certificate)
        if parsed["features"]:
            kinds["another threshold"] = lambda: self.another_test(data, json.loads(model), certificate)
            kinds["column renamed"] = lambda: self.renamed(data, json.loads(model), certificate)
        if case.options.get("forbid") or case.options.get("candidate"):
            kinds["restriction gone"] = lambda: self.unrestricted(case, data, lines, claim)
        if not lines[7].startswith("forbidden 0") and lines[9] != "model 0":
            kinds["forbidden and used"] = lambda: self.forbidden(data, model, lines)
        for kind in rng.sample(sorted(kinds), 3):
            kinds[kind]()

    def altered(self, rng, data, model, certificate):
        at = rng.randrange(len(certificate))
        other = chr((ord(certificate[at]) - 32 + rng.randint(1, 90)) % 95 + 32)
        if other != certificate[at]:
            self.rejected("altered", data, model, certificate[:at] + other + certificate[at + 1:])

    def another_answer(self, data, model, certificate):
        """Every sink answers the next class."""
        for node in model["diagram"]["nodes"]:
            if "class" in node:
                node["class"] = (node["class"] + 1) % len(model["classes"])
        code, said = self.check(data, json.dumps(model), certificate)
        if code == 0:  # classes may tie in every cell
            insist(all(counts.count(max(counts)) > 1 for counts in model["paths"] if any(counts)), said)
            return
        self.rejected("another answer", data, json.dumps(model), certificate, "the model errs by")

    def another_test(self, data, model, certificate):
        tests = [f for f in model["features"] if f["test"] == "at_most"]
        if tests:
            tests[0]["threshold"] += 1000
            self.rejected("another threshold", data, json.dumps(model), certificate)

    def renamed(self, data, model, certificate):
        column = model["columns"][model["features"][0]["column"]]
        column["name"] = "y"
        model["features"][0]["name"] = "y"
        self.rejected("column renamed", data, json.dumps(model), certificate, "the data have no column")

    def unrestricted(self, case, data, lines, claim):
        """False where the optimum without the restriction is less."""
        free = {**case.options, "forbid": [], "candidate": []}
        best, _ = integer_optimum(case.table, scopes.asked(case.table, {k: v for k, v in free.items() if v != []}))
        if best * self.unit < claim:
            self.rejected("restriction gone", data, None, sealed(lines[:7] + ["forbidden 0"] + lines[8:9] + ["model 0", "end"]),
                          "less than the claim")

    def forbidden(self, data, model, lines):
        cut = lines[9].split()[2]
        self.rejected("forbidden and used", data, model, sealed(lines[:7] + [f"forbidden 1 {cut}"] + lines[8:]), "forbidden")

    def table(self, seed):
        rng = random.Random(seed)
        table = random_table(rng)
        case = sweep.Case(self.folder, table, random_options(rng, table))
        case.write()
        done = case.run(self.args.beadwork, "--certificate", "c", "-o", "m.json", "--json")
        self.counts["tables"] += 1
        if done.returncode != 0:  # such as more features required than the depth
            insist(done.returncode == 2 and "require" in done.stderr, done.stderr)
            self.counts["refused"] += 1
            return
        certificate = (self.folder / "c").read_text()
        if not certificate.startswith("beadwork-certificate 2\n"):
            self.counts["by features"] += 1
            return
        weight = ["--weight", "w"] if "--weight" in case.command else []
        subprocess.run([self.args.beadwork, "binarize", "t.csv", "--values", "-q", "-o", "d.txt", *weight], cwd=self.folder,
                       check=True, timeout=1800)
        data, model = (self.folder / "d.txt").read_text(), (self.folder / "m.json").read_text()
        best, self.unit = integer_optimum(table, scopes.asked(table, case.options))
        found = json.loads(done.stdout)
        insist(found["status"] == "optimal" and sweep.number(found["training_errors"]) == best,
               f"{found['status']} {found['training_errors']}, the optimum is {best}")
        self.unit = found["claim"]["scale"]
        code, said = self.check(data, model, certificate)
        insist(code == 0 and said.startswith("VERIFIED\n") and "class names agree, columns and thresholds agree" in said, said)
        insist(f"training error {int(best * self.unit)} on these rows" in said, said)
        self.counts["verified"] += 1
        for what, there in ((f"{len(table.classes)} classes", True), ("missing values", any("" in c for c in table.raw.cells)),
                            ("weights", bool(weight)), ("restricted", len(case.options) > 2)):
            self.counts[what] += there
        self.false_claims(rng, case, data, model, certificate)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for program in ("beadwork", "beadcheck"):
        parser.add_argument(program, type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--tables", type=int, default=10 ** 9, help="until this many certificates are verified")
    parser.add_argument("--seconds", type=float, default=0, help="0 = no limit")
    parser.add_argument("--seed", type=int, default=1, help="of the first table; the next has the next")
    args = parser.parse_args()
    start, seed = time.monotonic(), args.seed
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(args, folder)
        while judge.counts["verified"] < args.tables and not (args.seconds and time.monotonic() - start > args.seconds):
            try:
                judge.table(seed)
            except (Wrong, AssertionError, KeyError, ValueError, subprocess.SubprocessError) as error:
                print(f"WRONG (seed {seed}): {error!r}")
                for name in ("t.csv", "data", "model", "certificate"):
                    path = judge.folder / name
                    print(f"--- {name}\n{path.read_text() if path.exists() else ''}")
                return 1
            seed += 1
    print(", ".join(f"{n} {what}" for what, n in judge.counts.items()), f"in {time.monotonic() - start:.0f} s")
    return 0 if judge.counts["verified"] > 0 and judge.counts["false claims rejected"] > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
