"""Biases and sizes on the command line: what goes together, what JSON says, the plot."""
import json
import random
import unittest
import xml.etree.ElementTree

from beadwork_cli import CliTest


def table(rows=60, features=7, seed=3):
    rng = random.Random(seed)
    lines = [",".join([f"f{i}" for i in range(features)] + ["y"])]
    for _ in range(rows):
        bits = [rng.randint(0, 1) for _ in range(features)]
        y = (bits[0] & bits[1]) ^ bits[2] if rng.random() < 0.8 else rng.randint(0, 1)
        lines.append(",".join(map(str, bits + [y])))
    return "\n".join(lines) + "\n"


class Sizes(CliTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", table())

    def test_biases(self):
        outcomes = {b: self.fit("d.csv", "-q", "-d", 4, "--bias", b) for b in ("P", "C", "S", "N", "size")}
        self.assertEqual(len({o["training_errors"] for o in outcomes.values()}), 1)
        self.assertEqual(self.fit("d.csv", "-q", "-d", 4)["size"], outcomes["N"]["size"])
        least = outcomes["size"]
        self.assertEqual((least["size_status"], least["size_lower_bound"]), ("optimal", least["size"]))
        self.assertNotIn("size_status", outcomes["C"])
        for b, o in outcomes.items():
            self.assertEqual(o["bias"], b)
            self.assertLessEqual(least["size"], o["size"])
        every = self.fit("d.csv", "-q", "-d", 4, "--bias", "size", "--all-optima")
        self.assertLessEqual(every["size"], least["size"])
        self.assertIn("smallest: no order", self.ok("fit", "d.csv", "-q", "--bias", "size").stdout)
        self.refused(2, "--bias: expected P, C, S, N or size, got 'Q'", "fit", "d.csv", "-q", "--bias", "Q")
        self.refused(2, "--all-optima: needs --bias size", "fit", "d.csv", "-q", "--all-optima")

    def test_nodes_alone_allow_as_many_features_as_they_can_test(self):
        rows = "".join((",".join(f"{i:06b}") + f",{'y' if i == 63 else 'n'}\n") * (9 if i == 63 else 1) for i in range(64))
        self.write("all.csv", "a,b,c,d,e,f,class\n" + rows)  # yes: all six
        self.assertEqual([self.fit("all.csv", "-q", "--max-nodes", n)["training_errors"] for n in (1, 6, 7, 8, 9)], [9, 3, 1, 0, 0])
        self.assertEqual(self.fit("all.csv", "-q", "--max-nodes", 8, "-d", 4)["training_errors"], 3)
        for n in range(1, 12):
            alone, asked = (self.fit("d.csv", "-q", "--max-nodes", n, *more) for more in ((), ("-d", max(0, n - 2))))
            self.assertEqual([alone[k] for k in ("training_errors", "features", "size", "sentence")],
                             [asked[k] for k in ("training_errors", "features", "size", "sentence")])

    def test_front_and_limits(self):
        o = self.fit("d.csv", "-q", "-d", 4, "--front-plot", "front.svg", "-o", "m.json")
        self.assertTrue(o["front"]["complete"])
        points = o["front"]["points"]
        for p in points:
            self.assertEqual((p["status"], p["lower_bound"]), ("optimal", p["training_errors"]))
            self.assertEqual(len(p["features"]), p["num_features"])
            for q in points:
                beats = all(q[k] <= p[k] for k in ("num_features", "size", "training_errors"))
                self.assertTrue(q is p or not beats)
        svg = xml.etree.ElementTree.parse(self.dir / "front.svg").getroot()
        circles = svg.findall(".//{http://www.w3.org/2000/svg}circle")
        self.assertEqual(len(circles), len(points))
        for n in range(1, 12):
            one = self.fit("d.csv", "-q", "-d", 4, "--max-nodes", n, "-o", "m.json")
            self.assertEqual(one["training_errors"], min(p["training_errors"] for p in points if p["size"] <= n))
            self.assertLessEqual(one["size"], n)
            self.assertEqual((one["status"], one["max_nodes"]), ("optimal", n))
            model = json.loads((self.dir / "m.json").read_text())
            self.assertEqual(len(model["diagram"]["nodes"]), one["size"])
            self.assertEqual((model["claim"]["status"], model["claim"]["max_nodes"]), ("optimal", n))
        for penalty in (0.25, 1, 3.5):
            one = self.fit("d.csv", "-q", "-d", 4, "--node-penalty", penalty)
            self.assertEqual(one["training_errors"] + penalty * one["size"],
                             min(p["training_errors"] + penalty * p["size"] for p in points))
        text = self.ok("fit", "d.csv", "-q", "-d", 4, "--front").stdout
        listed = [line.split() for line in text[text.index("features  nodes"):].splitlines()[1:]]
        self.assertEqual([[int(x) for x in line] for line in listed],
                         [[p["num_features"], p["size"], p["training_errors"]] for p in points])

    def test_a_claim_names_what_restrictions_left(self):
        self.ok("datasets", "make", "monk-1", "-o", "monk.csv")
        fit = ("fit", "monk.csv", "-q", "-d", 4)
        free = json.loads(self.ok(*fit, "--max-nodes", 6, "--json").stdout)
        for limit, words in ((("--max-nodes", 6), "of at most 6 nodes on"), (("--node-penalty", 0.001), "has a smaller sum of errors + 0.001 x nodes")):
            for restriction, scope in ((("--candidate", "a5"), "at most 3 of the 3 candidate features"),
                                       (("--forbid", "a5"), "at most 4 of the 8 features that are not forbidden")):
                o = json.loads(self.ok(*fit, *limit, *restriction, "--json", "-o", "m.json").stdout)
                self.assertEqual(o["status"], "optimal")
                if restriction[0] == "--candidate":  # it would be false of all features
                    self.assertGreater(o["training_errors"], free["training_errors"])
                for text in (o["sentence"], self.ok(*fit, *limit, *restriction).stdout):
                    self.assertIn(words, text)
                    self.assertIn(scope, text)
                self.ok("report", "m.json", "-o", "r.html")
                self.assertIn("claimed optimal: no ordered diagram", (self.dir / "r.html").read_text())

    def test_the_papers_model_claims_the_papers_reading(self):
        self.write("f.csv", "c0,label\n0,A\n1,A\n0,A\n0,B\n1,B\n1,A\n1,A\n0,A\n")
        o = json.loads(self.ok("fit", "f.csv", "-q", "-d", 1, "--engine", "maxsat", "--encoding", "bdd2", "--json").stdout)
        self.assertEqual((o["training_errors"], o["claim"]["exactly"]), (4, True))  # the constant has 2
        self.assertTrue(o["faithful"])  # the model is the paper's, asked for or not
        self.assertIn("no diagram of exactly 1 of this 1 feature whose root is a bead", o["sentence"])

    def test_refusals(self):
        fit = ("fit", "d.csv", "-q")
        self.refused(2, "--node-penalty: cannot be combined with --max-nodes", *fit, "--max-nodes", 5, "--node-penalty", 1)
        self.refused(2, "--front: cannot be combined with --max-nodes", *fit, "--max-nodes", 5, "--front")
        self.refused(2, "--node-penalty: expected a number from 0 to 1e+09, got '-1'", *fit,
                     "--node-penalty=-1")
        self.refused(2, "--max-nodes: engine maxsat does not have this option; it belongs to search", *fit, "--max-nodes", 5,
                     "--engine", "maxsat")
        self.refused(2, "--require: cannot be combined with --max-nodes", *fit, "--max-nodes", 5, "--require", "f0")
        self.refused(2, "--front: cannot be combined with --faithful", *fit, "--front", "--faithful")

    def test_a_size_chosen_by_folds(self):
        rng = random.Random(4)
        rows = [[rng.randint(0, 1) for _ in range(6)] + [round(rng.random(), 2)] for _ in range(300)]
        lines = [",".join(map(str, r)) + "," + ("pqr"[(r[1] + r[3]) % 3] if rng.random() < 0.9 else "p") for r in rows]
        self.write("d.csv", "\n".join(["a,b,c,d,e,f,x,y", *lines]) + "\n")
        for rule in ("auto", "auto-1se"):
            for more in ([], ["--forbid", "x"], ["--thresholds", "all"]):
                told = self.fit("d.csv", "-d", 3, "--size", rule, "-o", "m.json", *more)
                choice = told["size_choice"]
                best = max(point["mean"] for point in choice["curve"])
                chosen = choice["chosen"]
                order = [(point["nodes"], point["depth"]) for point in choice["curve"]]
                self.assertEqual(order, sorted(order))
                if rule == "auto":
                    self.assertAlmostEqual(chosen["mean"], best)
                self.assertGreater(chosen["mean"], 0.8)
                self.assertEqual((told["claim"]["depth"], told["claim"]["max_nodes"]), (chosen["depth"], chosen["nodes"]))
                alone = self.fit("d.csv", "-d", chosen["depth"], "--max-nodes", chosen["nodes"], *more)
                self.assertEqual((alone["training_errors"], alone["features"]), (told["training_errors"], told["features"]))
        text = self.ok("fit", "d.csv", "-d", 3, "--size", "auto", "--prices", "-q").stdout
        self.assertRegex(text, r"size chosen by 5 folds: at most \d+ nodes on at most \d features?: cross-validated accuracy [\d.]+ % ± [\d.]+")
        self.assertIn("What leaving out a column costs:", text)
        for option in (["--max-nodes", 9], ["--top", 3], ["--certificate", "c"], ["--require", "a"]):
            self.refused(2, f"{option[0]}: cannot be combined with --size", "fit", "d.csv", "--size", "auto", *option)
        self.refused(2, "--size: expected none, auto or auto-1se, got 'small'", "fit", "d.csv", "--size", "small")

    def test_a_depth_chosen_by_folds(self):
        rng = random.Random(5)
        rows = [[rng.randint(0, 1) for _ in range(6)] + [round(rng.random(), 2)] for _ in range(200)]
        lines = [",".join(map(str, r)) + "," + ("pq"[(r[1] + r[3]) % 2] if rng.random() < 0.85 else "p") for r in rows]
        self.write("d.csv", "\n".join(["a,b,c,d,e,f,x,y", *lines]) + "\n")
        for more in ([], ["--thresholds", "all"], ["--engine", "cart"], ["--within", 0, "--threads", 2], ["--require", "a"]):
            with self.subTest(more):
                told = self.fit("d.csv", "-d", "cv:1..4", "-o", "m.json", *more)
                choice = told["size_choice"]
                self.assertEqual([point["depth"] for point in choice["curve"]], list(range(1, 5)))
                best = max(point["mean"] for point in choice["curve"])
                first = next(point for point in choice["curve"] if point["mean"] > best - 1e-12)
                self.assertEqual(choice["chosen"], first)
                self.assertEqual(told["claim"]["depth"], first["depth"])
                alone = self.fit("d.csv", "-d", first["depth"], *more)
                self.assertEqual((alone["training_errors"], alone["features"]), (told["training_errors"], told["features"]))
        self.assertEqual([point["depth"] for point in self.fit("d.csv", "-d", "cv")["size_choice"]["curve"]], [1, 2, 3, 4, 5])
        done = self.ok("fit", "d.csv", "-d", "cv:2..3")
        self.assertRegex(done.stdout, r"depth chosen by 5 folds: at most [23] features: cross-validated accuracy [\d.]+ % ± [\d.]+")
        for text in ("cv:", "cvx", "cv:3"):
            self.refused(2, f"--depth: expected cv or cv:A..B, got '{text}' (a truth table has 2^depth cells)", "fit", "d.csv", "-d", text)
        self.refused(2, "--depth: expected A..B with A at most B, got '3..2'", "fit", "d.csv", "-d", "cv:3..2")
        self.refused(2, "--depth: cv cannot be combined with --size", "fit", "d.csv", "-d", "cv", "--size", "auto")
        self.refused(2, "--depth: expected a number or A..B: every depth is shown", "compare", "d.csv", "-d", "cv")

    def test_no_time_no_proof(self):
        o = self.fit("d.csv", "-q", "--bias", "size", "--front", "--time-limit", 0)
        self.assertEqual((o["status"], o["size_status"]), ("feasible", "feasible"))
        self.assertFalse(o["front"]["complete"])
        o = self.fit("d.csv", "-q", "--max-nodes", 5, "--time-limit", 0)
        self.assertEqual(o["status"], "feasible")
        self.assertLessEqual(o["lower_bound"], o["training_errors"])


if __name__ == "__main__":
    unittest.main()
