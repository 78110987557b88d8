"""What columns are worth, by brute force: prices over all sets of tests, turned rows over all values of the column."""
import itertools
import json
import random
import unittest
from collections import defaultdict

from beadwork_cli import RAW, CliTest, need, passes
from test_questions import values_of

COLUMNS = ("x", "z", "colour")


def tests_of(rows, column):
    """The distinct ways in which a test on the column can part the rows."""
    values = [r[column] for r in rows]
    known = {v for v in values if v is not None}
    if column == "colour":
        ways = [[v == level for v in values] for level in known]
    else:
        ways = [[v is not None and v <= t for v in values] for t in sorted(known)]
    ways.append([v is None for v in values])
    return {tuple(w) for w in ways}


def least_errors(rows, columns, depth):
    """Over all sets of `depth` tests or fewer."""
    ways = sorted(set().union(*(tests_of(rows, c) for c in columns)))
    best = None
    for size in range(depth + 1):
        for chosen in itertools.combinations(ways, size):
            cells = defaultdict(lambda: defaultdict(int))
            for i, r in enumerate(rows):
                cells[tuple(w[i] for w in chosen)][r["y"]] += r["weight"]
            errors = sum(sum(c.values()) - max(c.values()) for c in cells.values())
            best = errors if best is None else min(best, errors)
    return best


def answer(model, row):
    nodes, at = model["diagram"]["nodes"], 0
    while "class" not in nodes[at]:
        feature = model["features"][nodes[at]["feature"]]
        column = model["columns"][feature["column"]]
        at = nodes[at]["high" if passes(feature, row[column["name"]], column) else "low"]
    return nodes[at]["class"]


def turned(model, rows, column):
    """Weight of the rows that some other value of the column would turn."""
    others = values_of(model)[column]
    return sum(r["weight"] for r in rows if any(answer(model, {**r, column: v}) != answer(model, r) for v in others))


class Columns(CliTest):
    def random_rows(self, rng, many):
        high = 60 if many else 5
        return [{"x": rng.choice([None, *range(high)]), "z": rng.randrange(high) / 2,
                 "colour": rng.choice(["red", "green", "blue", None]), "y": rng.choice("pq" if many else "pqr"),
                 "weight": rng.randint(1, 3)} for _ in range(rng.randint(8, 14 if many else 30))]

    def write_rows(self, rows):
        lines = [",".join("?" if r[c] is None else str(r[c]) for c in (*COLUMNS, "weight", "y")) for r in rows]
        return self.write("d.csv", "\n".join([",".join((*COLUMNS, "weight", "y")), *lines]) + "\n")

    def test_worth(self):
        rng = random.Random(7)
        seen = set()
        for table in range(80):
            rows = self.random_rows(rng, table % 2)
            if len({r["colour"] for r in rows} - {None}) < 3 or len({r["y"] for r in rows}) < 2:
                continue  # two levels make one test, not two
            depth = rng.randint(1, 2)
            forbid = rng.choice([[], ["z"]])
            told = self.fit(self.write_rows(rows), "-d", depth, "--missing", "?", "--weight", "weight", "--target", "y",
                            "--thresholds", "all", "--prices", "-q", "-o", "m.json",
                            *(word for name in forbid for word in ("--forbid", name)))
            model = json.loads((self.dir / "m.json").read_text())
            allowed = [c for c in COLUMNS if c not in forbid]
            least = least_errors(rows, allowed, depth)
            self.assertEqual(told["training_errors"], least)
            for column in told["columns"]:
                name = column["column"]
                self.assertEqual(column["turns"], turned(model, rows, name), (table, name))
                price = least_errors(rows, [c for c in allowed if c != name], depth) - least
                self.assertEqual(column["price"], {"status": "optimal", "least": price, "most": price}, (table, name))
                seen.add((name, price == 0))
        self.assertEqual(len(seen), 6)

    def test_words(self):
        self.write("d.csv", "a,b,y\n" + "0,0,p\n0,1,q\n1,0,q\n1,1,q\n" * 3)
        text = self.ok("fit", "d.csv", "-d", 2, "-q", "--prices", "--require", "a").stdout
        self.assertIn("\nWhat leaving out a column costs:\n  a: required\n  b: 3 errors more, proven\n", text)
        self.write("same.csv", "a,b,y\n" + "0,0,p\n1,1,q\n" * 3)
        text = self.ok("fit", "same.csv", "-d", 2, "-q", "--prices").stdout
        self.assertIn("\nWhat leaving out a column costs:\n  a: nothing, proven\n", text)
        self.refused(2, "--prices: cannot be combined with --node-penalty", "fit", "d.csv", "--prices", "--node-penalty", 1)
        self.refused(2, "--prices: cannot be combined with --faithful", "fit", "d.csv", "--prices", "--faithful")

    @need("raw")
    def test_a_limit_leaves_bounds(self):
        path = RAW / "statlog-german-credit.arff"
        told = json.loads(self.stopped("fit", path, "-d", 6, "--thresholds", "all", "--time-limit", 1, "--prices", "-q",
                                       "--json").stdout)
        self.assertTrue(told["columns"])
        for column in told["columns"]:
            self.assertLess(column["price"]["least"], column["price"]["most"])
            self.assertEqual(column["price"]["status"], "feasible")


if __name__ == "__main__":
    unittest.main()
