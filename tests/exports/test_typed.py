"""Exports that meet typed values answer as `beadwork predict` answers the table: columns, spellings and types at random.

A table is drawn as text, a model is learnt from it, and `predict` answers its rows and others in other spellings. Then the same values are
held by the types that tools have for them (Python and numpy, pandas, Node.js, SQLite, DuckDB, R), and the exports are asked. What a
value means is in docs/formats.md; here the only words about it are in `held`, which says which types can hold a text.

    tests/exports/test_typed.py [--tables N] [--seed S]        40 tables by default; the nightly run has 20,000
"""
import argparse
import csv
import decimal
import io
import json
import math
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

try:
    import duckdb
except ImportError:
    duckdb = None
try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None

BINARY = os.path.abspath(os.environ.get("BEADWORK_BINARY", "build/beadwork"))
NODE = shutil.which("node") or shutil.which("nodejs")
GCC = shutil.which("gcc")
TRUTHS = [("0", "1"), ("no", "yes"), ("False", "True"), ("FALSE", "TRUE"), ("N", "Y"), ("f", "t"), ("off", "on")]
NO, YES = ["no", "No", "NO", "false", "FALSE", "n", "F", "off", "0", "0.0", "-0", "-0.0", "0."], ["yes", "Yes", "YES", "true", "TRUE", "y", "T", "on", "1", "1.0", "1.00"]
ODD = ["1e0", "01", "+1", "2", " 1x", "nope", "yés", "t|y", "1,0", "-1", "1.5", "0.05", "10", "1.0.0", "Other", "none of them", "%_", "it's"]


def run(*words, cwd, data=None, fails=False):
    done = subprocess.run([str(w) for w in words], cwd=cwd, input=data, capture_output=True, text=True, timeout=1800)
    if done.returncode != 0 and not fails:
        raise AssertionError((words, done.stderr[-2000:]))
    return done


class Column:
    """Texts of a column (None: no value), others to ask about, and the words for fit."""

    def __init__(self, rng, name, rows):
        self.name, self.words, self.numeric = name, [], False
        kind = rng.choice(["truth", "truth", "spellings", "whole", "decimals", "words", "rest", "flags", "ordered", "ordered numbers", "numbers", "bool and more"])
        self.kind, self.also = kind, ODD
        if kind == "truth":
            pair = rng.choice(TRUTHS)
            texts, self.also = list(pair), NO + YES + ODD
        elif kind == "spellings":
            texts = rng.sample([w for w in NO if w[:1].isalpha()], 2) + rng.sample([w for w in YES if w[:1].isalpha()], 2)
            self.also = NO + YES + ODD
        elif kind == "whole":
            texts = rng.sample(["0", "1", "2", "7", "10", "100", "-3", "12345678901"], rng.randint(3, 5))
            self.words = ["--nominal", name]
            self.also = ODD + [t + z for t in texts for z in (".0", ".00", ".", "0")] + ["-0", "07"]
        elif kind == "decimals":
            texts = rng.sample(["0.5", "2.50", "3", "1.0", "-1.5", "10", "0.125"], rng.randint(3, 4))
            self.words = ["--nominal", name]
            self.also = ODD + ["0.50", "2.5", "3.0", "1", "-1.50", "10.0", ".5"]
        elif kind == "words":
            texts = rng.sample(["red", "green", "Red", "it's", "a b", "x,y", 'say "so"', "naïve", "\U0001f600"], rng.randint(2, 5))
        elif kind == "rest":
            texts = [f"c{i}" for i in range(4)] * 6 + [f"rare{i}" for i in range(9)] + rng.choice([["other"], ["1", "2"], []])
            self.words, self.also = ["--nominal", name, "--max-categories", "4"], ODD + ["other", "(other)", "unseen", "1.0"]
        elif kind == "flags":  # texts for "no value" among 0 and 1
            texts = ["0", "1"] * 8 + [rng.choice(["-", "n/a", "null"])]
            self.also = NO + YES + ODD + ["-", "n/a", "null"]
        elif kind == "ordered":
            levels = ["low", "mid", "it's high", "top"]
            texts, self.words = levels, ["--ordered=" + name + "=" + ",".join(levels)]
        elif kind == "ordered numbers":
            levels = ["3", "1", "2", "10"]
            texts, self.words, self.also = levels, ["--ordered=" + name + "=" + ",".join(levels)], ODD + ["3.0", "1.00", "-1", "20"]
        elif kind == "numbers":
            self.numeric = True
            texts = [repr(rng.choice([round(rng.uniform(-9, 9), 2), float(rng.randint(-5, 5))])) for _ in range(12)]
        else:
            texts = ["True", "False", "maybe", "1"][: rng.randint(3, 4)]
            self.also = ODD + ["TRUE", "false", "true", "1.0"]
        if kind in ("ordered", "ordered numbers"):
            missing = 0
        else:
            missing = rng.choice([0, 0, 0.1])
        self.texts = [None if rng.random() < missing else rng.choice(texts) for _ in range(rows)]

    def other(self, rng):
        return rng.choice(self.texts) if self.numeric else rng.choice(self.also)


def number_of(text):
    """The number that a text is to the letter, if a type of numbers gives that text's category back: plain, no zeros in front."""
    body = text.lstrip("-") if text.count("-") <= 1 else ""
    whole, _, rest = body.partition(".")
    if not whole.isdigit() or not whole.isascii() or (len(whole) > 1 and whole[0] == "0") or (rest and not rest.isdigit()):
        return None
    return decimal.Decimal(text)


def held(texts, numeric):
    """The types that can hold all of these texts, with their values; None stays."""
    present = [t for t in texts if t is not None]
    forms = {}
    if not numeric:
        forms["text"] = list(texts)
    numbers = [decimal.Decimal(t) if numeric else number_of(t) for t in present]
    if present and all(n is not None for n in numbers):
        value = dict(zip(present, numbers))
        of = lambda make: [None if t is None else make(value[t]) for t in texts]
        forms["float"] = of(float)
        forms["decimal"] = of(decimal.Decimal)
        if all(n == n.to_integral_value() for n in numbers):
            forms["integer"] = of(int)
    if present and not numeric and set(t.lower() for t in present) <= {"true", "false"}:
        forms["boolean"] = [None if t is None else t.lower() == "true" for t in texts]
    if present and not numeric and any(set(present) <= set(pair) for pair in TRUTHS):
        forms["boolean"] = [None if t is None else t in [p[1] for p in TRUTHS] for t in texts]
    return forms


class Table:
    def __init__(self, seed, home):
        self.seed, self.home = seed, home
        rng = self.rng = random.Random(seed)
        count = rng.choice([40, 80])
        self.columns = [Column(rng, rng.choice(["a", "B c", "it's", 'q"', "x1"]) + str(i), count) for i in range(rng.randint(1, 3))]
        sets = [sorted({t for t in c.texts if t is not None}) for c in self.columns]
        code = lambda row: sum((3 * i + 1) * (len(s) if t is None else s.index(t)) for i, (t, s) in enumerate(zip(row, sets)))
        weights = [rng.random() < 0.5 for _ in range(60)]
        self.rows = list(zip(*(c.texts for c in self.columns)))
        self.classes = ["P" if weights[code(row) % 60] else "it's N" for row in self.rows]
        if len(set(self.classes)) < 2:
            self.classes[0] = "P" if self.classes[0] != "P" else "it's N"
        self.more = [tuple(c.other(rng) if rng.random() < 0.8 else rng.choice(c.texts) for c in self.columns) for _ in range(40)]

    def write(self, name, rows, classes=None):
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
        writer.writerow([c.name for c in self.columns] + ["class"])
        for i, row in enumerate(rows):
            writer.writerow(["" if t is None else t for t in row] + [classes[i] if classes else "P"])
        (self.home / name).write_text(out.getvalue(), encoding="utf-8")

    def fit(self):
        self.write("t.csv", self.rows, self.classes)
        words = [w for c in self.columns for w in c.words]
        done = run(BINARY, "fit", "t.csv", "--depth", self.rng.randint(1, 3), *words, "-o", "m.json", "-q", cwd=self.home, fails=True)
        if done.returncode != 0:
            if done.returncode not in (1, 2):
                raise AssertionError(done.stderr)
            return False
        self.model = json.loads((self.home / "m.json").read_text(encoding="utf-8"))
        return True

    def answers(self, rows):
        """Of predict; None where it refuses the table."""
        self.write("p.csv", rows)
        done = run(BINARY, "predict", "m.json", "p.csv", "--json", "-q", cwd=self.home, fails=True)
        if done.returncode not in (0, 1):
            raise AssertionError(done.stderr)
        return [p["class"] for p in json.loads(done.stdout)["predictions"]] if done.returncode == 0 else None

    def export(self, format, *words):
        return run(BINARY, "export", "m.json", "--to", format, *words, cwd=self.home).stdout


class Differ(AssertionError):
    pass


def compare(table, what, rows, said, wanted):
    wrong = [(r, s, w) for r, s, w in zip(rows, said, wanted, strict=True) if s != w]
    if wrong:
        raise Differ(f"seed {table.seed}, {what}: {len(wrong)} of {len(rows)} answers, such as {wrong[0]}")


def in_python(table, asked):
    names = {}
    exec(table.export("python"), names)
    for what, columns, wanted in asked:
        rows = [dict(zip([c.name for c in table.columns], row)) for row in zip(*columns)]
        compare(table, f"python of {what}", rows, [names["predict"](row) for row in rows], wanted)
        if numpy is None:
            continue
        make = {bool: numpy.bool_, int: numpy.int64, float: numpy.float64}
        typed = [{n: make.get(type(v), lambda x: x)(v) for n, v in row.items()} for row in rows]
        compare(table, f"python of numpy's {what}", rows, [names["predict"](row) for row in typed], wanted)
        if pandas is not None:
            frame = pandas.DataFrame({c.name: pandas.Series(list(values), dtype=dtype_of(values, table.rng)) for c, values in zip(table.columns, columns)})
            compare(table, f"python of the frame {dict(frame.dtypes)}", rows, [names["predict"](row) for row in frame.to_dict("records")], wanted)


def dtype_of(values, rng):
    present = [v for v in values if v is not None]
    kind = type(present[0]) if present else str
    if kind is bool:
        return "boolean" if len(present) < len(values) else rng.choice(["bool", "boolean", "object"])
    if kind is int:
        return rng.choice(["Int64", "float64"]) if len(present) < len(values) else rng.choice(["int64", "Int64", "object", "float64"])
    if kind is float:
        return rng.choice(["float64", "object"])
    return rng.choice(["object", "category"]) if kind is str else "object"


def sql_literal_type(values, rng, engine):
    present = [v for v in values if v is not None]
    kind = type(present[0]) if present else str
    if engine == "sqlite":
        return {str: rng.choice(["TEXT", "VARCHAR"]), int: rng.choice(["INTEGER", "REAL", "NUMERIC"]), float: rng.choice(["REAL", "NUMERIC"])}.get(kind)
    return {str: "VARCHAR", bool: "BOOLEAN", int: rng.choice(["BIGINT", "DOUBLE", "DECIMAL(18,3)"]), float: "DOUBLE", decimal.Decimal: "DECIMAL(18,4)"}[kind]


def columns_in(text, names):
    """Names of the columns: a name that could not be used gave way to an identifier."""
    return ['"' + n.replace('"', '""') + '"' for n in names]


def in_sql(table, asked, engine):
    query = table.export("sql")
    for what, columns, wanted in asked:
        kinds = [sql_literal_type(values, table.rng, engine) for values in columns]
        if None in kinds:
            continue
        base = sqlite3.connect(":memory:") if engine == "sqlite" else duckdb.connect()
        names = columns_in(query, [c.name for c in table.columns])
        base.execute("CREATE TABLE t (n INTEGER, " + ", ".join(f"{n} {k}" for n, k in zip(names, kinds)) + ")")
        rows = [(i, *row) for i, row in enumerate(zip(*columns))]
        base.executemany("INSERT INTO t VALUES (" + ", ".join("?" * (1 + len(columns))) + ")", rows)
        said = [r[0] for r in base.execute(f"SELECT ({query}) FROM t ORDER BY n").fetchall()]
        base.close()
        compare(table, f"{engine} of {what} as {kinds}", rows, said, wanted)


NODE_PROGRAM = """
const fs = require("fs");
const jobs = JSON.parse(fs.readFileSync("jobs.json"));
const out = jobs.map(({model, names, rows}) => {
  const module_ = {exports: {}};
  new Function("module", model)(module_);
  return rows.map((row) => module_.exports.predict(Object.fromEntries(row.map((v, i) => [names[i], v]))));
});
fs.writeFileSync("said.json", JSON.stringify(out));
"""


class Node:
    """Jobs of many tables in one start."""

    def __init__(self, home):
        self.home, self.jobs, self.wanted = home, [], []

    def add(self, table, asked):
        for what, columns, wanted in asked:
            plain = [[float(v) if isinstance(v, decimal.Decimal) else v for v in values] for values in columns]
            rows = [list(row) for row in zip(*plain)]
            self.jobs.append({"model": table.export("javascript"), "names": [c.name for c in table.columns], "rows": rows})
            self.wanted.append((table, f"javascript of {what}", rows, wanted))

    def run(self):
        if not self.jobs:
            return
        (self.home / "jobs.json").write_text(json.dumps(self.jobs))
        (self.home / "ask.js").write_text(NODE_PROGRAM)
        run(NODE, "ask.js", cwd=self.home)
        for (table, what, rows, wanted), said in zip(self.wanted, json.loads((self.home / "said.json").read_text()), strict=True):
            compare(table, what, rows, said, wanted)
        self.jobs, self.wanted = [], []


def in_c(table, asked):
    """Texts and doubles, as a struct of C holds them."""
    import re
    text = table.export("c")
    fields = re.findall(r"^  (const char \*|double )(x_\w+); ", text, re.M)
    used = [table.model["columns"][i]["name"] for i in dict.fromkeys(table.model["features"][n["feature"]]["column"] for n in table.model["diagram"]["nodes"] if "feature" in n)]
    place = [[c.name for c in table.columns].index(n) for n in used]
    for what, columns, wanted in asked:
        rows = list(zip(*columns))
        lines = []
        for row in rows:
            values = []
            for (kind, _), at in zip(fields, place):
                v = row[at]
                if kind.startswith("const"):
                    values.append("NULL" if v is None else '"' + "".join(f"\\{b:03o}" for b in str(v).encode()) + '"')
                else:
                    values.append("NAN" if v is None else repr(float(v)))
            lines.append("  {" + ", ".join(values or ["0"]) + "},")
        (table.home / "c.c").write_text(text + "\n#include <stdio.h>\n#include <math.h>\nstatic const struct beadwork_row rows[] = {\n" + "\n".join(lines) +
                                        "\n};\nint main(void) { unsigned i; for (i = 0; i < sizeof rows / sizeof *rows; ++i) puts(beadwork_class_names[beadwork_class(&rows[i])]); return 0; }\n")
        run(GCC, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-o", "c.out", "c.c", cwd=table.home)
        compare(table, f"c of {what}", rows, run("./c.out", cwd=table.home).stdout.splitlines(), wanted)


def questions(table):
    """(what, columns of values, the answers of predict): the rows of the table by type, and others as text."""
    own = table.answers(table.rows)
    forms = [held(c.texts, c.numeric) for c in table.columns]
    asked = []
    for turn in range(3):
        kinds = [table.rng.choice(list(f)) if turn else ("float" if c.numeric else "text") for f, c in zip(forms, table.columns)]
        asked.append((" and ".join(f"{c.kind}: {k}" for c, k in zip(table.columns, kinds)), [f[k] for f, k in zip(forms, kinds)], own))
    others = table.answers(table.more)
    if others is not None:
        columns = list(zip(*table.more))
        typed = [[None if v is None else float(v) for v in values] if c.numeric else list(values) for c, values in zip(table.columns, columns)]
        asked.append(("other texts", typed, others))
    return asked


def sweep(first, count, c_every):
    node_home = tempfile.TemporaryDirectory()
    node = Node(pathlib.Path(node_home.name))
    done = skipped = 0
    wrong = []
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            table = Table(seed, pathlib.Path(folder))
            if not table.fit():
                skipped += 1
                continue
            asked = questions(table)
            tools = [lambda: in_python(table, asked), lambda: in_sql(table, asked, "sqlite")]
            if duckdb is not None:
                tools.append(lambda: in_sql(table, asked, "duckdb"))
            if NODE:
                tools.append(lambda: node.add(table, asked))
            if GCC and seed % c_every == 0:
                texts = [q for q in asked if all(isinstance(v, (str, type(None))) or c.numeric for c, values in zip(table.columns, q[1]) for v in values)]
                tools.append(lambda: in_c(table, texts))
            if len(node.jobs) > 200:
                tools.append(node.run)
            for tool in tools:
                try:
                    tool()
                except (Differ, TypeError, ValueError) as difference:
                    wrong.append(f"seed {seed}: {difference}")
            done += 1
    try:
        node.run()
    except Differ as difference:
        wrong.append(str(difference))
    lacking = [name for name, there in (("duckdb", duckdb), ("numpy", numpy), ("pandas", pandas), ("node", NODE), ("gcc", GCC)) if not there]
    print(f"{done} tables, {skipped} that fit refuses, {len(wrong)} differences" + (f"; without {', '.join(lacking)}" if lacking else ""))
    for line in wrong[:20]:
        print(line)
    return 1 if wrong or done == 0 else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--c-every", type=int, default=10)
    options = parser.parse_args()
    sys.exit(sweep(options.seed, options.tables, options.c_every))
