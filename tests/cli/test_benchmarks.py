"""benchmarks: formulas, optima, models and certificates of small tables, beside a brute force and an independent pricer."""
import gzip
import itertools
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time
import unittest

from beadwork_cli import BINARY, SOURCE, CliTest, send_and_wait

CHECKER = os.environ.get("BEADCHECK_BINARY", str(pathlib.Path(BINARY).parent / "beadcheck"))
PRICER = SOURCE / "bench" / "family" / "price.py"
FAMILY = "optimizing-BDDs-{}-un-wcnf_incomplete_improved_1_2019_{}"


def table_text(rows):
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def random_table(rng, rows, features):
    """0/1 rows, the class first; a column that is 0, two that are equal, two that are opposite, some rows twice."""
    out = []
    for _ in range(rows):
        bits = [rng.randrange(2) for _ in range(features)]
        bits += [0, bits[0], 1 - bits[1]]
        out.append([int(sum(bits[:3]) >= 2) ^ (rng.random() < 0.2), *bits])
    return out + [list(row) for row in out[:rows // 4]] + [[1 - out[0][0], *out[0][1:]]]


def cells_of(rows, features):
    """The classes of the rows in each of the cells."""
    cells = {bits: [0, 0] for bits in itertools.product((0, 1), repeat=len(features))}
    for label, *bits in rows:
        cells[tuple(bits[f] for f in features)][label] += 1
    return cells


def best_diagram(rows, depth, exactly):
    """The fewest errors of a diagram on at most `depth` features; `exactly`: on just so many, its root a bead."""
    width = len(rows[0]) - 1
    best = len(rows)
    for count in [depth] if exactly else range(depth + 1):
        for features in itertools.combinations(range(width), count):
            cells = cells_of(rows, features).values()
            errors = sum(map(min, cells))
            constant = exactly and any(all(cell[k] > cell[1 - k] for cell in cells) for k in (0, 1))
            best = min(best, errors + (min(abs(a - b) for a, b in cells) if constant else 0))
    return best


def best_tree(rows, depth):
    errors = min(sum(row[0] == k for row in rows) for k in (0, 1))
    if depth == 0 or errors == 0:
        return errors
    return min([errors, *(sum(best_tree([row for row in rows if row[f] == v], depth - 1) for v in (0, 1)) for f in range(1, len(rows[0])))])


class Benchmarks(CliTest):
    def make(self, *words, **kwargs):
        return self.ok("benchmarks", *words, "-o", "D", **kwargs)

    def record(self, name):
        return json.loads((self.dir / "D" / f"{name}.json").read_text())

    def priced(self):
        """The independent pricer agrees with every record."""
        done = subprocess.run([sys.executable, PRICER, self.dir / "D"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def verified(self, record):
        done = subprocess.run([CHECKER, f"D/tables/{record['table']}.txt", "-", f"D/{record['name']}.cert"], cwd=self.dir,
                              capture_output=True, text=True, check=False)
        return done.stdout.splitlines()[0]

    def test_costs_are_those_of_a_brute_force(self):
        rng = random.Random(5)
        tables = {"one": random_table(rng, 20, 4), "two": random_table(rng, 14, 3)}
        for name, rows in tables.items():
            self.write(f"{name}.txt", table_text(rows))
        out = self.make("one.txt", "two.txt", "--depths", "2,3", "--model", "bdd2,bdd3", "--model", "pair,dt", "--pack", "none").stdout
        self.assertIn("16 instances in D: 16 written now, 0 were there, 0 left out; optimum proven of 16", out)
        self.assertIn("16 instances, 0 with faults", self.priced())
        for (table, rows), depth, model in itertools.product(tables.items(), (2, 3), ("bdd2", "bdd3", "pair", "dt")):
            record = self.record(FAMILY.format(table, depth) if model == "bdd2" else f"optimizing-BDDs-{table}-{model}_{depth}")
            wanted = best_tree(rows, depth) if model == "dt" else best_diagram(rows, depth, model == "bdd2")
            self.assertEqual(record["cost"] + record["base_errors"], wanted, record["name"])
            self.assertEqual(record["lower_bound"], record["cost"])
            if model == "dt":
                self.assertIsNone(record["certified_errors"])
                continue
            self.assertEqual(record["certified_errors"], best_diagram(rows, depth, False))
            self.assertEqual(self.verified(record), "VERIFIED lower bound")

    def test_the_formula_is_that_of_encode(self):
        rng = random.Random(6)
        self.write("t.txt", table_text([[rng.randrange(2) for _ in range(6)] for _ in range(30)]))
        self.make("t.txt", "--depths", "2", "--model", "bdd2,pair", "--pack", "gz")
        for name, words in ((FAMILY.format("t", 2), ("--maxsat",)), ("optimizing-BDDs-t-pair_2", ("--encoding", "pair"))):
            self.ok("encode", "t.txt", "-d", 2, *words, "-o", "e.wcnf.gz")
            ours, theirs = ([line for line in gzip.open(self.dir / path, "rt") if line[0] != "c"]
                            for path in (f"D/{name}.wcnf.gz", "e.wcnf.gz"))
            self.assertEqual(ours, theirs)
            solved = self.run_it("solve", f"D/{name}.wcnf.gz")
            self.assertEqual(solved.returncode, 30)
            self.assertIn(f"\no {self.record(name)['cost']}\n", solved.stdout)
        self.ok("encode", "t.txt", "-d", 2, *words, "--wcnf-format", "old", "-o", "old.wcnf.gz")
        self.assertIn("p wcnf", gzip.open(self.dir / "old.wcnf.gz", "rt").read())
        self.refused(1, "f.cnf.gz: a CNF is not packed, because its first line is written last; give a name without .gz or .zst",
                     "encode", "t.txt", "-d", 2, "-o", "f.cnf.gz")

    def test_where_the_certificate_covers_a_part(self):
        # In every cell most rows are of class 0: the best diagram is a constant, which is no diagram of exactly two features.
        rows = [[label, *bits] for bits in itertools.product((0, 1), repeat=2) for label in (0, 0, 0, 1)]
        self.write("t.txt", table_text(rows))
        self.make("t.txt", "--depths", "2,3")
        record = self.record(FAMILY.format("t", 2))
        self.assertEqual((record["cost"], record["certified_errors"], record["certificate_covers_all"]), (6, 4, False))
        self.assertIn("| part: 4 |", (self.dir / "D/README.md").read_text())
        self.assertIn("0 with faults", self.priced())
        self.assertIn("inferred", (self.dir / "D/README.md").read_text())
        self.assertEqual(len(list((self.dir / "D").glob("*.json"))), 2)  # with the model: H = 3 is left out

    def test_what_is_there_and_whole_is_kept(self):
        self.write("t.txt", table_text(random_table(random.Random(7), 20, 4)))
        words = ("t.txt", "--depths", "2..3", "-q")
        self.make(*words)
        files = sorted(path for path in (self.dir / "D").rglob("*.*") if path.name != "README.md")
        before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}
        self.assertIn("0 written now, 2 were there", self.make(*words).stdout)
        self.assertEqual(before, {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files})
        name = FAMILY.format("t", 3)
        for spoil in (lambda p: (p / f"{name}.sol").write_text("s UNKNOWN\n"), lambda p: (p / f"{name}.json").unlink(),
                      lambda p: (p / f"{name}.json").write_text("{}"), lambda p: (p / f"{name}.wcnf.gz").unlink(),
                      lambda p: (p / f"{name}.json").write_text((p / f"{name}.json").read_text().replace('"lower_bound": ', '"lower_bound": "x", "y": '))):
            spoil(self.dir / "D")
            self.assertIn("1 written now, 1 were there", self.make(*words).stdout)
            for path in files:
                if path.suffix != ".json" or "model" in path.name:
                    self.assertEqual(path.read_bytes(), before[path][0])
        self.write("t.txt", table_text(random_table(random.Random(8), 20, 4)))
        self.assertIn("2 written now, 0 were there", self.make(*words).stdout)
        self.assertIn("2 instances, 0 with faults", self.priced())

    def test_too_large_and_too_little_time(self):
        self.write("t.txt", table_text(random_table(random.Random(9), 30, 4)))
        done = self.make("t.txt", "--depths", "2,4", "--max-literals", 3000)
        self.assertIn("1 written now, 0 were there, 1 left out", done.stdout)
        self.assertIn("t, bdd2, H = 4: left out, more than 3000 literals", done.stderr)
        self.make("t.txt", "--depths", "4", "--time-limit", 0)
        record = self.record(FAMILY.format("t", 4))
        self.assertLess(record["lower_bound"], record["cost"] or 10**9)
        self.assertIn("1 written now", self.make("t.txt", "--depths", "4").stdout)
        self.assertEqual(self.record(FAMILY.format("t", 4))["lower_bound"], self.record(FAMILY.format("t", 4))["cost"])

    def test_an_interrupt_keeps_what_is_there(self):
        rng = random.Random(10)
        self.write("t.txt", table_text([[rng.randrange(2) for _ in range(60)] for _ in range(400)]))
        words = ("benchmarks", "t.txt", "--depths", "2,9", "--time-limit", 1000, "-o", "D")
        process = subprocess.Popen([BINARY, *map(str, words)], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not (self.dir / "D" / f"{FAMILY.format('t', 2)}.json").exists():
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        out, err, _ = send_and_wait(process, signal.SIGINT)
        self.assertEqual(process.returncode, 4, err)
        self.assertIn("1 instance in D: 1 written now", out)
        self.assertIn("stopped; run the same command to continue", err)
        self.assertEqual([p.name for p in (self.dir / "D").glob("*_9*")], [])
        self.assertIn("1 instances, 0 with faults", self.priced())

    def test_refusals(self):
        self.write("t.txt", table_text(random_table(random.Random(1), 9, 3)))
        self.write("three.csv", "a,y\n1,p\n2,q\n3,r\n1,p\n")
        os.mkdir(self.dir / "again")
        self.write("again/t.txt", "0 1\n1 0\n")
        os.mkdir(self.dir / "empty")
        for depths in ("0", "3..2", "21", "2..", "x", "2,y", "2 3"):
            bad = depths.split(",")[-1]
            self.refused(2, f"--depths: expected depths from 1 to 20, as 2..9 or 2,3,7, got '{bad}'", "benchmarks", "t.txt", "--depths", depths, "-o", "D")
        self.refused(2, "--model: expected bdd2, bdd3, pair or dt, got 'bdd1'", "benchmarks", "t.txt", "--model", "bdd1", "-o", "D")
        self.refused(1, "none.txt: cannot open: No such file or directory", "benchmarks", "none.txt", "-o", "D")
        (self.dir / os.fsdecode(b"\xff.txt")).write_text("0 1\n1 0\n")
        self.refused(1, r"\xff.txt: its name is not UTF-8, as records have to be", "benchmarks", os.fsdecode(b"\xff.txt"), "-o", "D")
        self.refused(1, "t: there are two tables of this name", "benchmarks", "t.txt", "again/t.txt", "-o", "D")
        self.refused(1, "t.txt: cannot make the folder: Not a directory", "benchmarks", "t.txt", "-o", "t.txt")
        nothing = dict(os.environ, BEADWORK_DATA=str(self.dir / "empty"))
        for words in ((), ("vote",)):
            self.refused(1, "the paper's tables: not found: 'make data' gets them (docs/data.md)", "benchmarks", *words, "-o", "D", env=nothing)
        os.makedirs(self.dir / "F" / "tables")
        self.write("F/tables/t.txt", "0 1\n1 0\n")
        self.refused(2, "F/tables/t.txt: this output would overwrite an input", "benchmarks", "F/tables/t.txt", "-o", "F")
        done = self.run_it("benchmarks", "three.csv", "-o", "E")
        self.assertEqual((done.returncode, done.stderr), (1, "beadwork: three.csv: these formulas need two classes, the table has 3\n"))

    def test_the_page_has_the_table_of_the_record(self):
        done = subprocess.run([sys.executable, PRICER.with_name("run.py"), "--page", "--check"], check=False)
        self.assertEqual(done.returncode, 0, "make it anew with bench/family/run.py --page")

    def test_names_of_the_papers_tables(self):
        os.makedirs(self.dir / "data" / "paper")
        for name in ("ant", "bee"):
            self.write(f"data/paper/{name}.txt", table_text(random_table(random.Random(2), 9, 3)))
        there = dict(os.environ, BEADWORK_DATA=str(self.dir / "data"))
        self.make("bee", "--depths", "1", env=there)
        self.make("--depths", "1", env=there)
        names = [p.name for p in sorted((self.dir / "D").glob("*.wcnf.gz"))]
        self.assertEqual(names, [f"{FAMILY.format(table, 1)}.wcnf.gz" for table in ("ant", "bee")])
        self.refused(1, f"cat: there is no such file, and no table of this name in {self.dir}/data/paper", "benchmarks", "cat", "-o", "D", env=there)
        solution = (self.dir / "D" / f"{FAMILY.format('ant', 1)}.sol").read_text()
        self.assertRegex(solution, re.compile(r"\Ac \S+\no \d+\ns OPTIMUM FOUND\nv [01]+\n\Z"))


if __name__ == "__main__":
    unittest.main()
