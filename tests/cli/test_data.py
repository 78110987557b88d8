"""The paper's and UCI's data sets through the real program, against published optima and a recount in Python."""
import csv
import json
import unittest

from beadwork_cli import PAPER, RAW, REFERENCE, CliTest, binarize, check_schema, need, read_arff, recount


class KnownTables(CliTest):
    @need("paper")
    def test_optima_of_the_paper_sets(self):
        with open(REFERENCE / "optimal_training_error.csv", encoding="utf-8") as f:
            reference = list(csv.DictReader(f))
        self.assertEqual(len(reference), 15)
        for row in reference:
            for depth in (2, 3):
                with self.subTest(dataset=row["dataset"], depth=depth):
                    o = self.fit(PAPER / f"{row['dataset']}.txt", "--depth", depth, "--engine", "enumerate", "-q")
                    self.assertEqual(o["status"], "optimal")
                    self.assertEqual(o["training_errors"], int(row[f"err_h{depth}"]))
                    self.assertEqual((o["lower_bound"], o["gap"]), (o["training_errors"], 0))
                    self.assertEqual(o["rows"], int(row["rows"]))

    @need("raw")
    def test_raw_files_with_no_option_but_depth(self):
        files = sorted(RAW.glob("*.arff"))
        self.assertGreaterEqual(len(files), 12)
        for path in files:
            with self.subTest(file=path.name):
                raw = read_arff(path)
                o = self.fit(path, "--depth", 2, "-o", "m.json")
                model = json.loads((self.dir / "m.json").read_text())
                self.assertEqual(check_schema(model), [])
                self.assertEqual(o["status"], "optimal")
                self.assertEqual(o["rows"], len(raw.rows))
                errors, counts = recount(model, raw)
                self.assertEqual(o["training_errors"], errors)
                self.assertEqual(model["training"]["errors"], errors)
                self.assertEqual(model["paths"], counts)
                e = json.loads(self.ok("evaluate", "m.json", path, "--json").stdout)
                self.assertEqual(e["errors"], errors)
                self.assertAlmostEqual(e["accuracy"], 1 - errors / len(raw.rows))
                self.check_predictions(model, raw, path)

    def check_predictions(self, model, raw, path):
        lines = self.ok("predict", "m.json", path).stdout.splitlines()
        self.assertEqual(lines[0], "prediction,probability")
        answers = [r["prediction"] for r in csv.DictReader(lines)]
        wrong = sum(a.lstrip("'") != r[-1].lstrip("'") for a, r in zip(answers, raw.rows))
        self.assertEqual((len(answers), wrong), (len(raw.rows), model["training"]["errors"]))

    @need("raw")
    def test_features_against_a_second_implementation(self):
        for name in ("iris", "credit-approval", "hepatitis", "congressional-voting"):
            for rule in ("quantiles:8", "quantiles:3", "all"):
                with self.subTest(file=name, rule=rule):
                    path = RAW / f"{name}.arff"
                    classes, labels, features = binarize(read_arff(path), rule)
                    text = self.ok("binarize", path, "--thresholds", rule, "-q").stdout.splitlines()
                    heads = [line[2:] for line in text if line.startswith("#")]
                    self.assertEqual(heads[1:1 + len(classes)], [f"class {i} {c}" for i, c in enumerate(classes)])
                    self.assertEqual(heads[1 + len(classes):], [f"feature {i} {n}" for i, (n, _) in enumerate(features)])
                    rows = [line for line in text if not line.startswith("#")]
                    expected = [" ".join([str(label)] + [str(int(bits[r])) for _, bits in features])
                                for r, label in enumerate(labels)]
                    self.assertEqual(rows, expected)


if __name__ == "__main__":
    unittest.main(verbosity=1)
