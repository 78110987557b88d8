"""Engines that make trees, candidates, and compare, from the command line."""
import csv
import io
import json
import re
import random
import unittest

from beadwork_cli import CliTest

XOR = "a,b,c,y\n" + "".join(f"{a},{b},{c},{a ^ b}\n" for a in (0, 1) for b in (0, 1) for c in (0, 1) for _ in range(3))


class Trees(CliTest):
    def test_every_rival_is_learnt_saved_drawn_and_asked(self):
        self.write("xor.csv", XOR)
        for engine in ("cart", "odt", "oodg", "hoodg", "maxsat-dt"):
            with self.subTest(engine):
                out = self.fit("xor.csv", "--engine", engine, "-d", 3, "-o", "m.json", "-q")
                self.assertEqual(out["training_errors"], 0)
                self.assertIn(out["status"], ("optimal",) if engine == "maxsat-dt" else ("feasible",))
                self.ok("predict", "m.json", "xor.csv", "-o", "p.csv")
                rows = list(csv.DictReader(io.StringIO((self.dir / "p.csv").read_text())))
                truth = [r["y"] for r in csv.DictReader(io.StringIO(XOR))]
                predicted = [k for k in rows[0] if "predict" in k.lower() or k == "class"]
                self.assertEqual([r[predicted[0]] for r in rows], truth)
                self.assertIn("<svg", self.ok("show", "m.json", "--format", "svg").stdout)
                self.assertIn("digraph", self.ok("show", "m.json", "--format", "dot").stdout)

    def test_a_tree_of_another_test_on_each_side(self):
        rows = [(a, b, c, b if a else c) for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 2
        self.write("mux.csv", "a,b,c,y\n" + "".join("%d,%d,%d,%d\n" % r for r in rows))
        tree = self.fit("mux.csv", "--engine", "maxsat-dt", "-d", 2, "-q")
        self.assertEqual((tree["training_errors"], tree["size"], len(tree["used_features"])), (0, 7, 3))
        diagram = self.fit("mux.csv", "-d", 2, "-q")
        self.assertEqual(diagram["training_errors"], 4)

    def test_what_is_claimed_in_words(self):
        self.write("xor.csv", XOR)
        self.assertIn("a heuristic: nothing is proven", self.ok("fit", "xor.csv", "--engine", "cart").stdout)
        self.assertIn("no decision tree of depth 2 on these 3 features",
                      self.ok("fit", "xor.csv", "--engine", "maxsat-dt", "-d", 2).stdout)


class Candidates(CliTest):
    def setUp(self):
        super().setUp()
        self.write("xor.csv", XOR)

    def test_only_candidates_are_selected(self):
        for engine in ("search", "maxsat", "enumerate", "local", "maxsat-dt"):
            with self.subTest(engine):
                out = self.fit("xor.csv", "--engine", engine, "-d", 2, "--candidate", "a", "--candidate", "c", "-q")
                self.assertLessEqual(set(out["used_features"]), {"a", "c"})
                self.assertEqual(out["training_errors"], 12)
                out = self.fit("xor.csv", "--engine", engine, "-d", 3, "--candidate", "b", "--candidate", "a", "-q")
                self.assertEqual((out["training_errors"], set(out["used_features"])), (0, {"a", "b"}))

    def test_a_column_stands_for_its_features(self):
        self.write("colours.csv", "colour,size,y\nred,1,0\nblue,2,1\ngreen,3,1\nred,2,0\n")
        out = self.fit("colours.csv", "-d", 1, "--candidate", "colour", "-q")
        self.assertEqual((out["training_errors"], out["used_features"]), (0, ["colour = red"]))
        out = self.fit("colours.csv", "-d", 3, "--candidate", "size", "-q")
        self.assertTrue(out["used_features"])
        self.assertTrue(all(f.startswith("size <= ") for f in out["used_features"]))

    def test_from_a_file(self):
        self.write("names.txt", "b\r\na\n\n")
        out = self.fit("xor.csv", "-d", 3, "--features-from", "names.txt", "-q")
        self.assertEqual((out["training_errors"], set(out["used_features"])), (0, {"a", "b"}))

    def test_from_cart(self):
        tree = self.fit("xor.csv", "--engine", "cart", "-d", 2, "-q")
        for engine in ("search", "maxsat"):
            for faithful in ((), ("--faithful",)):
                out = self.fit("xor.csv", "--engine", engine, "-d", 2, "--features-from", "cart", "-q", *faithful)
                self.assertLessEqual(set(out["features"]), set(tree["used_features"]))
                self.assertEqual((out["status"], out["training_errors"]), ("optimal", 0))

    def test_refusals(self):
        self.refused(2, "--candidate: unknown feature 'z'", "fit", "xor.csv", "--candidate", "z", "-q")
        self.refused(2, "--features-from: cannot be combined with --candidate", "fit", "xor.csv", "--candidate", "a",
                     "--features-from", "cart", "-q")
        self.refused(2, "--impurity: expected gini or entropy, got 'x'", "fit", "xor.csv", "--engine", "cart",
                     "--impurity", "x", "-q")
        self.refused(2, "--candidate: engine cart does not have this option; it belongs to search, local, enumerate, maxsat, maxsat-dt",
                     "fit", "xor.csv", "--engine", "cart", "--candidate", "a", "-q")


class Large(CliTest):
    def test_a_diagram_that_nobody_can_read_is_not_printed(self):
        rng = random.Random(4)
        rows = "".join(f"{rng.randint(0, 1)} {' '.join(f'{i:013b}')}\n" for i in range(8192))
        self.write("noise.txt", rows)
        done = self.ok("fit", "noise.txt", "-q", "--engine", "odt", "-d", 13, "-o", "m.json")
        self.assertIn("The diagram is too large to print here; 'beadwork show' prints a saved model.\n", done.stdout)
        self.assertLess(len(done.stdout), 1000)
        self.assertGreater(self.ok("show", "m.json").stdout.count("\n"), 5000)


class Compare(CliTest):
    def setUp(self):
        super().setUp()
        self.write("xor.csv", XOR)

    def test_json_csv_and_table_agree(self):
        args = ("compare", "xor.csv", "-d", 2, "--engines", "search,cart,search:features-from=cart", "--folds", 4,
                "--seeds", 2, "-q")
        out = json.loads(self.ok(*args, "--json").stdout)
        self.assertEqual([e["engine"] for e in out["engines"]], ["search", "cart", "search:features-from=cart"])
        self.assertEqual(len(out["runs"]), 24)
        for e in out["engines"]:
            mine = [r for r in out["runs"] if r["engine"] == e["engine"]]
            self.assertEqual(len(mine), 8)
            for key in ("train_accuracy", "test_accuracy", "size", "features"):
                self.assertAlmostEqual(e[key]["mean"], sum(r[key] for r in mine) / 8)
            self.assertEqual(e["optimal"], sum(r["status"] == "optimal" for r in mine))
        rows = list(csv.DictReader(io.StringIO(self.ok(*args, "--csv").stdout)))
        table = self.ok(*args).stdout.splitlines()
        for e, row, line in zip(out["engines"], rows, table[1:]):
            self.assertEqual(row["engine"], e["engine"])
            self.assertAlmostEqual(float(row["train_accuracy"]), e["train_accuracy"]["mean"], 5)
            self.assertTrue(line.startswith(e["engine"]))
            self.assertIn(f"{100 * e['test_accuracy']['mean']:.2f}", line)

    def test_several_depths_are_as_each_alone(self):
        args = ("--engines", "search,cart", "--folds", 3, "--seeds", 2, "-q")
        both = self.ok("compare", "xor.csv", "-d", "1..2", *args).stdout.split("\n\n")
        for depth, part in zip((1, 2), both, strict=True):
            alone = self.ok("compare", "xor.csv", "-d", depth, *args).stdout
            times = re.compile(r"\d+\.\d{4}")
            self.assertEqual(times.sub("T", part.strip()), times.sub("T", f"depth {depth}\n{alone}".strip()))
        out = json.loads(self.ok("compare", "xor.csv", "-d", "1..2", *args, "--json").stdout)
        self.assertEqual([(e["engine"], e["depth"]) for e in out["engines"]],
                         [("search", 1), ("cart", 1), ("search", 2), ("cart", 2)])
        self.refused(2, "--depth: expected a whole number from 0 to 20, got '1..21'", "compare", "xor.csv", "-d", "1..21")

    def test_refusals(self):
        self.refused(2, "--csv: cannot be combined with --json", "compare", "xor.csv", "--json", "--csv")
        self.refused(2, "--faithful: engine cart does not have this option; it belongs to search, enumerate, maxsat", "compare", "xor.csv",
                     "--engines", "cart:faithful")
        self.refused(2, "--thresholds: mdlp would use the classes of the held-out rows; use quantiles or all",
                     "compare", "xor.csv", "--thresholds", "mdlp", "-q")
        self.refused(2, "--engines: 'cart' is listed twice", "compare", "xor.csv", "--engines", "cart,search,cart")
        self.refused(1, "cannot make 100 folds of 24 rows: 2 <= folds <= rows", "compare", "xor.csv", "--folds", 100, "-q")


if __name__ == "__main__":
    unittest.main()
