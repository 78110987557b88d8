"""Committees: who votes, what they answer, and what is said of them; against brute force and a vote of our own."""
import itertools
import json
import pathlib
import random
import re
import unittest
from fractions import Fraction

from beadwork_cli import NIGHTLY, CliTest, Raw, binarize, check_schema, passes

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = 200 if NIGHTLY else 60
RULE = "all"


class Table:
    """A random table with its options, and the truth about it."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.rng = rng
        self.num_classes = rng.choice((2, 2, 3))
        rows = [self.row(rng) for _ in range(rng.randint(8, 40))]
        self.raw = Raw(["a", "b", "color", "flag", "y"], [True, True, False, False, False], rows)
        self.weights = [Fraction(rng.choice((1, 2, 3)), rng.choice((1, 2))) for _ in rows] if rng.random() < 0.4 else None
        self.classes, self.labels, features = binarize(self.raw, RULE)
        self.names = {name: key(bits) for name, bits in features}
        self.depth = rng.randint(0, 3)
        self.margin = rng.choice(("0", "1", "2", "0.5", "1%", "10%"))
        k = len(self.classes)
        self.costs = [[0 if i == j else rng.randint(1, 3) for j in range(k)] for i in range(k)] if rng.random() < 0.25 else None
        self.size = rng.choice((100, 100, 2))
        self.forbidden = rng.choice(list(self.names)) if rng.random() < 0.2 else None

    def row(self, rng):
        a, b, color, flag = rng.randint(0, 4), rng.randint(0, 3), rng.choice("rgb"), rng.randint(0, 1)
        y = (a > 2) + (self.num_classes == 3 and color == "g") if rng.random() < 0.7 else rng.randrange(self.num_classes)
        return [None if rng.random() < 0.06 else str(v) for v in (a, b, color, flag)] + [f"k{int(y)}"]

    def weight(self, r):
        return self.weights[r] if self.weights else Fraction(1)

    def csv(self):
        lines = ["w," + ",".join(self.raw.names)] if self.weights else [",".join(self.raw.names)]
        for r, row in enumerate(self.raw.rows):
            values = ["" if v is None else v for v in row]
            lines.append(",".join(([str(float(self.weight(r)))] if self.weights else []) + values))
        return "\n".join(lines) + "\n"

    def flags(self, asked=None):
        asked = asked or ["--committee", self.margin, "--committee-size", self.size]
        out = ["--depth", self.depth, *asked, "--thresholds", RULE,
               "--nominal", "color", "--nominal", "flag", "--numeric", "a", "--numeric", "b"]
        out += ["--weight", "w"] if self.weights else []
        out += ["--costs", "costs.csv"] if self.costs else []
        return out + (["--forbid", self.forbidden] if self.forbidden else [])

    def price(self, truth, answer):
        return self.costs[truth][answer] if self.costs else int(truth != answer)

    def cost(self, features):
        """Of the best function of features, given by their bits."""
        cells = {}
        for r, truth in enumerate(self.labels):
            cell = cells.setdefault(tuple(f[r] for f in features), [Fraction(0)] * len(self.classes))
            for k in range(len(self.classes)):
                cell[k] += self.weight(r) * self.price(truth, k)
        return sum(map(min, cells.values()), Fraction(0))

    def busy(self):
        """Sets without an idle feature, with their costs; equal and opposite features are one."""
        def banned(name):  # a column's name bans all its features
            return name == self.forbidden or (self.forbidden in self.raw.names and name.startswith(f"{self.forbidden} "))

        allowed = sorted({k for name, k in self.names.items() if not banned(name) and len(set(k)) == 2})
        costs = {frozenset(s): self.cost(s) for n in range(self.depth + 1) for s in itertools.combinations(allowed, n)}
        return {s: c for s, c in costs.items() if all(costs[s - {f}] > c for f in s)}

    def voters(self):
        """Those within the margin."""
        busy = self.busy()
        total = sum(map(self.weight, range(len(self.labels))), Fraction(0))
        margin = Fraction(self.margin[:-1]) * total / 100 if self.margin.endswith("%") else Fraction(self.margin)
        return {s: c for s, c in busy.items() if c <= min(busy.values()) + margin}


def key(bits):
    """The same for a feature and its opposite."""
    return tuple(b != bits[0] for b in bits)


def answer_of(model, nodes, value_of):
    at = 0
    while "class" not in nodes[at]:
        feature = model["features"][nodes[at]["feature"]]
        column = model["columns"][feature["column"]]
        at = nodes[at]["high" if passes(feature, value_of(column["name"]), column) else "low"]
    return nodes[at]["class"]


def votes_of(model, value_of):
    """Winner and votes of a row, by the words of docs/formats.md."""
    answers = [answer_of(model, m["nodes"], value_of) for m in model["members"]]
    votes = [answers.count(k) for k in range(len(model["classes"]))]
    tied = [k for k, n in enumerate(votes) if n == max(votes)]
    return answers[0] if answers[0] in tied else tied[0], votes, answers


class RandomTables(CliTest):
    def check_members(self, table, told, expected):
        """The sets that brute force finds, with their costs."""
        what = "training_cost" if table.costs else "training_errors"
        members = {frozenset(table.names[f] for f in m["features"]): m[what] for m in told["members"]}
        self.assertEqual(len(members), len(told["members"]), "a set votes twice")
        for features, cost in members.items():
            self.assertEqual(Fraction(cost), expected.get(features))
        self.assertEqual(told["num_sets"], len(expected))
        self.assertEqual(len(members), min(len(expected), table.size))
        self.assertEqual(told["extent"], "complete" if len(members) == len(expected) else "first")
        left_out = [c for s, c in expected.items() if s not in members]
        self.assertGreaterEqual(min(left_out, default=Fraction(10**9)), max(map(Fraction, members.values())))

    def check_votes(self, table, model, said):
        """Every row, those of training and random ones."""
        scale = model["claim"]["scale"]
        costs = [Fraction(0)] * len(model["members"])
        for r, (row, p) in enumerate(zip(self.rows, said["predictions"], strict=True)):
            winner, votes, answers = votes_of(model, dict(zip(table.raw.names, row)).__getitem__)
            self.assertEqual(p["class"], model["classes"][winner])
            self.assertEqual(p["probabilities"], [n / len(answers) for n in votes])
            self.assertEqual(p["agreement"], votes[winner] / len(answers))
            if r < len(table.labels):
                for i, k in enumerate(answers):
                    costs[i] += table.weight(r) * table.price(table.labels[r], k)
        self.assertEqual([Fraction(m["cost"], scale) for m in model["members"]], costs)
        self.assertEqual(model["members"][0]["nodes"], model["diagram"]["nodes"])

    def table(self, seed):
        table = Table(seed)
        self.write("t.csv", table.csv())
        if table.costs:
            self.write("costs.csv", ",".join(["class", *table.classes]) + "\n" + "".join(
                ",".join(map(str, [k, *row])) + "\n" for k, row in zip(table.classes, table.costs)))
        return table

    def test_lists_without_idle_features(self):
        """Of each set of a list: its subsets of the same cost that have no idle feature; each once."""
        dropped = 0
        for seed in range(60):
            table = self.table(seed)
            near = self.fit("t.csv", *table.flags(table.rng.choice((["--within", "1"], ["--top", "5"]))))["near_sets"]
            what = "training_cost" if table.costs else "training_errors"
            listed = [(frozenset(table.names[f] for f in s["features"]), Fraction(s[what])) for s in near["sets"]]
            told = [(frozenset(table.names[f] for f in s["features"]), Fraction(s[what])) for s in near["without_idle"]]
            busy = table.busy()
            expected = {(u, c) for u, c in busy.items() if any(u <= s and c == cost for s, cost in listed)}
            self.assertEqual((set(told), len(told)), (expected, len(expected)), seed)
            dropped += set(listed) != expected
        self.assertGreater(dropped, 10)

    def one(self, seed):
        table = self.table(seed)
        outcome = self.fit("t.csv", *table.flags(), "-o", "m.json")
        self.assertEqual(outcome["status"], "optimal")
        self.check_members(table, outcome["committee"], table.voters())
        model = json.loads((self.dir / "m.json").read_text())
        self.assertEqual(check_schema(model), [])
        self.rows = table.raw.rows + [table.row(table.rng) for _ in range(40)]
        self.write("rows.csv", ",".join(table.raw.names) + "\n" +
                   "".join(",".join("" if v is None else v for v in row) + "\n" for row in self.rows))
        self.check_votes(table, model, json.loads(self.ok("predict", "m.json", "rows.csv", "--json").stdout))
        wrong = sum((table.weight(r) for r, row in enumerate(table.raw.rows) if table.labels[r] !=
                     votes_of(model, dict(zip(table.raw.names, row)).__getitem__)[0]), Fraction(0))
        judged = json.loads(self.ok("evaluate", "m.json", "t.csv", "--json", *(["--weight", "w"] if table.weights else [])).stdout)
        self.assertEqual(Fraction(judged["errors"]), wrong)
        return len(model["members"])

    def test_votes_and_voters(self):
        voters = []
        for seed in range(TABLES):
            with self.subTest(seed=seed):
                voters.append(self.one(seed))
        self.assertGreater(max(voters), 10)
        self.assertGreater(sum(n > 1 for n in voters), TABLES // 4)


class Words(CliTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(1)
        rows = [[rng.randint(0, 1) for _ in range(6)] for _ in range(40)]
        self.write("t.csv", "a,b,c,d,e,y\n" + "".join(",".join(map(str, r)) + "\n" for r in rows))

    def test_the_claim_says_what_it_is(self):
        done = self.ok("fit", "t.csv", "-q", "--depth", 2, "--committee", 1, "-o", "m.json")
        self.assertRegex(done.stdout, r"Committee: \d+ diagrams vote: all feature sets that make at most 1 error more than "
                                      r"the optimum, idle features dropped; optimal: no diagram on at most 2 of these 5 features")
        told = self.ok("show", "m.json").stdout
        self.assertIn("; claimed optimal: no diagram", told)
        self.assertEqual(told.count(" errors: ["), len(json.loads((self.dir / "m.json").read_text())["members"]))
        first = self.fit("t.csv", "--depth", 2, "--committee", 3, "--committee-size", 2)["committee"]
        self.assertRegex(first["sentence"], r"^2 diagrams vote: the first, by errors, of the \d+ feature sets that make at most 3 "
                                            r"errors more than the optimum, idle features dropped$")
        same = self.fit("t.csv", "--committee", "1%", "--depth", 2)["committee"]
        self.assertIn("that make no more errors than the optimum", same["sentence"])
        self.assertEqual(self.fit("--committee", "t.csv", "--depth", 2)["committee"], same)
        self.assertEqual(self.fit("t.csv", "--depth", 2, "--committee")["committee"], same)

    def test_stopped_says_so(self):
        done = self.stopped("fit", "t.csv", "--committee", 2, "--time-limit", 0, "--json")
        told = json.loads(done.stdout)["committee"]
        self.assertEqual((told["extent"], len(told["members"])), ("stopped", 1))
        self.assertIn("stopped before all feature sets", told["sentence"])

    def test_its_first_member_is_the_single_model(self):
        for more in ([], ["--require", "e"], ["--bias", "size"], ["--thresholds", "all"]):
            self.ok("fit", "t.csv", "--depth", 3, *more, "-o", "one.json")
            self.ok("fit", "t.csv", "--depth", 3, *more, "--committee", 2, "-o", "m.json")
            one, m = (json.loads((self.dir / f).read_text()) for f in ("one.json", "m.json"))
            self.assertEqual(m["claim"], one["claim"])
            self.assertEqual(m["diagram"], one["diagram"])
            self.assertEqual(m["features"][: len(one["features"])], one["features"])
            self.assertGreater(len(m["members"]), 1)

    def test_required_features_may_be_idle(self):
        told = self.fit("t.csv", "--depth", 2, "--committee", 4, "--require", "e")["committee"]
        features = [tuple(sorted(m["features"])) for m in told["members"]]
        self.assertEqual(len(set(features)), len(features))
        self.assertTrue(all("e" in f or len(f) <= 1 for f in features))

    def test_default_csv_has_the_agreement(self):
        self.ok("fit", "t.csv", "--depth", 2, "--committee", 2, "-o", "m.json")
        self.assertTrue(self.ok("predict", "m.json", "t.csv").stdout.startswith("prediction,agreement\n"))
        self.assertTrue(self.ok("predict", "m.json", "t.csv", "--probabilities").stdout.startswith("prediction,P(0),P(1)\n"))

    def test_the_page_has_the_members(self):
        told = json.loads(self.ok("fit", "t.csv", "--depth", 2, "--committee", 3, "-o", "m.json", "--report", "p.html", "--json", "-q").stdout)
        page = (self.dir / "p.html").read_text()
        data = json.loads(page.split('id="data">')[1].split("</script>")[0])
        members = [sorted(m["features"]) for m in told["committee"]["members"]]
        self.assertGreater(len(members), 1)
        self.assertEqual(len(data["alternatives"]["models"]), len(members) - 1)
        self.assertEqual([m["amount"] for m in data["alternatives"]["models"]],
                         [m["training_errors"] for m in told["committee"]["members"]][1:])

    def test_what_it_goes_together_with_is_what_the_manual_says(self):
        manual = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
        sentence = re.search(r"Only engine `search` has `--committee`\. It does not go together with (.*?)\.", manual, re.S).group(1)
        refused = set(re.findall(r"`(--[a-z-]+)`", sentence))
        self.write("costs.csv", ",0,1\n0,0,2\n1,1,0\n")
        self.ok("fit", "t.csv", "--depth", 2, "--checkpoint", "old.state", "--checkpoint-every", 0)
        values = {"--faithful": [], "--size": ["auto"], "--max-nodes": [5], "--node-penalty": [1], "--top": [3], "--within": [1],
                  "--all-optima": ["--bias", "size"], "--checkpoint": ["s"], "--resume": ["old.state"], "--report": ["p.html"],
                  "--certificate": ["c.txt"], "--front": [], "--prices": [], "--costs": ["costs.csv"], "--bias": ["size"],
                  "--depth": ["1..2"]}
        self.assertLessEqual(refused, set(values))
        for flag, value in values.items():
            with self.subTest(flag=flag):
                depth = [] if flag == "--depth" else ["--depth", 2]
                done = self.run_it("fit", "t.csv", *depth, "--committee", 2, "-q", flag, *value)
                if flag in refused:
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertIn("cannot be combined with", done.stderr)
                else:
                    self.assertNotEqual(done.returncode, 2, done.stderr)

    def test_refusals(self):
        self.ok("fit", "t.csv", "--depth", 2, "--committee", 2, "-o", "m.json")
        one = "m.json: is a committee; a single model is needed here"
        self.refused(1, one, "report", "m.json", "t.csv", "-o", "page.html")
        self.refused(2, "--to: a committee goes to code, sql, dbt, onnx and json, not to dot", "export", "m.json", "--to", "dot")
        self.refused(2, "--format: a committee is shown as text or json", "show", "m.json", "--format", "svg")
        self.refused(2, "--committee: expected a number of errors or a percentage such as 1%, got '101%'",
                     "fit", "t.csv", "--committee", "101%")
        self.refused(2, "--committee-size: needs --committee", "fit", "t.csv", "--committee-size", 3)
        self.refused(2, "--committee: cannot be combined with --max-nodes", "fit", "t.csv", "--committee", "--max-nodes", 5)
        self.refused(2, "--top: cannot be combined with --committee", "fit", "t.csv", "--committee", "--top", 5)
        self.refused(2, "--committee: engine local does not have this option; it belongs to search",
                     "fit", "t.csv", "--committee", "--engine", "local")

    def test_altered_files(self):
        self.ok("fit", "t.csv", "--depth", 2, "--committee", 2, "-o", "m.json")
        text = (self.dir / "m.json").read_text()

        def altered(change):
            model = json.loads(text)
            del model["sha256"]
            change(model)
            self.write("bad.json", json.dumps(model))
            return ["predict", "bad.json", "t.csv"]

        def other_version(m): m["version"] = 2
        def no_members(m): m["members"] = []
        def other_first(m): m["members"].reverse()
        def too_dear(m): m["members"][1]["cost"] += 10
        def unknown(m): m["members"][0]["x"] = 1
        def wrong_extent(m): m["committee"]["extent"] = "all"
        self.refused(1, "bad.json: a committee has version 3 or more", *altered(other_version))
        self.refused(1, "bad.json: the first member is not the optimum's diagram", *altered(no_members))
        self.refused(1, "bad.json: the first member is not the optimum's diagram", *altered(other_first))
        self.refused(1, "bad.json: the cost of member 1 is not within the committee's margin", *altered(too_dear))
        self.refused(1, 'bad.json: member 0 has an unknown key "x"', *altered(unknown))
        self.refused(1, 'bad.json: "extent" of the committee is not complete, first or stopped', *altered(wrong_extent))
        self.write("bad.json", text.replace('"within":2', '"within":3'))
        self.refused(1, "bad.json: its checksum does not match: the file was altered", "predict", "bad.json", "t.csv")


if __name__ == "__main__":
    unittest.main()
