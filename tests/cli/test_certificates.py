"""fit --certificate, judged by beadcheck on the matrix that `binarize` writes and on the paper's files as they are."""
import gzip
import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import unittest

from beadwork_cli import BINARY, CliTest, NUMERIC, PAPER, SANITIZED, need

CHECKER = os.environ.get("BEADCHECK_BINARY", str(pathlib.Path(BINARY).parent / "beadcheck"))


def random_table(rng):
    """Numbers, categories, 0/1, missing values, two or three classes, weights."""
    rows = [["num", "cat", "bit", "noise", "w", "label"]]
    classes = rng.choice([["yes", "no"], ["a", "b", "c"]])
    missing = rng.choice([0, 0.15])
    for _ in range(rng.randint(2, 60)):
        values = [str(rng.randint(0, 9) / 2), rng.choice("pqrs"), str(rng.randint(0, 1)), str(rng.randint(0, 1))]
        values = ["?" if rng.random() < missing else v for v in values]
        rows.append(values + [str(rng.choice([1, 2, 0.5, 0.25])), rng.choice(classes)])
    return "\n".join(map(",".join, rows)) + "\n"


def table_of_numbers(rng, rows):
    """Numbers, some missing, categories and 0/1; the class follows two of the columns."""
    lines = ["age,income,colour,owner,w,label"]
    for _ in range(rows):
        age, income, colour = rng.randint(18, 90), round(rng.uniform(10, 99), 2), rng.choice(["red", "green", "blue"])
        yes = (age > 47) != (income <= 35.5) if rng.random() < 0.85 else rng.random() < 0.5
        lines.append(f"{age},{'' if rng.random() < 0.1 else income},{colour},{rng.randint(0, 1)},{rng.choice([1, 2, 0.5])},"
                     f"{'yes' if yes else 'no'}")
    return "\n".join(lines) + "\n"


class Certificates(CliTest):
    def check(self, data, model="m.json", certificate="c"):
        done = subprocess.run([CHECKER, str(data), model, certificate], cwd=self.dir, capture_output=True, text=True,
                              timeout=1800)
        return done.returncode, done.stdout

    def verified(self, *args, **kwargs):
        code, text = self.check(*args, **kwargs)
        self.assertTrue(text.startswith("VERIFIED\n") and code == 0, text)
        return text

    def rejected(self, *args, **kwargs):
        code, text = self.check(*args, **kwargs)
        self.assertTrue(text.startswith("REJECTED: ") and code == 1, text)
        return text

    def claim_one_more(self, drop_model):
        lines = (self.dir / "c").read_text().splitlines()[:-1]
        for i, line in enumerate(lines):
            if line.startswith("claim "):
                lines[i] = f"claim {int(line[6:]) + 1}"
            elif line.startswith("model ") and drop_model:
                lines[i] = "model 0"
        text = "\n".join(lines) + "\n"
        self.write("c", text + f"sha256 {hashlib.sha256(text.encode()).hexdigest()}\n")

    def test_random_tables(self):
        rng = random.Random(7)
        for i in range(20 if SANITIZED else 60):
            with self.subTest(table=i):
                self.write("d.csv", random_table(rng))
                weights = rng.choice([["--weight", "w"], ["--ignore", "w"]])
                self.ok("binarize", "d.csv", *weights, "-q", "-o", "d.txt")
                heads = [s.split(" ", 3)[3] for s in (self.dir / "d.txt").read_text().splitlines()
                         if s.startswith("# feature")]
                depth = rng.randint(0, 4)
                more = rng.choice([[], ["--forbid", "cat"], ["--forbid", rng.choice(heads)] if heads else []])
                alone = [name for name in heads if f"{name} is missing" not in heads]  # else the column is meant, and a certificate names none
                if depth and alone and not more and rng.random() < 0.5:
                    more = ["--require", rng.choice(alone)]
                self.ok("fit", "d.csv", *weights, "-d", depth, "--certificate", "c", "-o", "m.json", "-q", *more)
                self.assertIn("class names agree", self.verified("d.txt"))
                model = json.loads((self.dir / "m.json").read_text())
                model["classes"].reverse()
                self.write("swapped.json", json.dumps(model))
                self.assertIn("REJECTED: class 0 is", self.rejected("d.txt", "swapped.json"))
                whole = (self.dir / "c").read_text()
                self.write("c", whole[:rng.randrange(len(whole))])
                self.assertRegex(self.rejected("d.txt"), "certificate")
                self.write("c", whole)
                lines = (self.dir / "d.txt").read_text().splitlines()
                self.write("other.txt", "\n".join(lines + lines[-1:]) + "\n")
                self.rejected("other.txt")
                self.claim_one_more(drop_model=False)
                self.rejected("d.txt")
                self.write("c", whole)
                self.claim_one_more(drop_model=True)
                self.assertIn("less than the claim", self.rejected("d.txt", "-"))

    def test_names_with_what_cannot_be_seen(self):
        self.write("d.csv", 'a\u200bb,"two\nlines","quote"" \\u{41}",label\n1,0,0,\u00e9\n0,1,1,n\u2028o\n0,0,0,\u00e9\n1,1,0,n\u2028o\n')
        self.ok("binarize", "d.csv", "-q", "-o", "d.txt")
        self.ok("fit", "d.csv", "-d", 3, "--certificate", "c", "-o", "m.json", "-q")
        self.assertIn("class names agree, feature names agree", self.verified("d.txt"))

    @need("paper")
    def test_paper_sets(self):
        files = sorted(PAPER.glob("*.txt"))
        self.assertEqual(len(files), 15)
        for path in files:
            self.ok("binarize", path, "-q", "-o", "d.txt")
            for depth in (3,) if SANITIZED else (2, 3, 4):
                with self.subTest(dataset=path.stem, depth=depth):
                    self.ok("fit", path, "-d", depth, "--certificate", "c", "-o", "m.json", "-q")
                    with_names = self.verified("d.txt")
                    self.assertIn("class names agree, feature names agree", with_names)
                    self.assertEqual(self.verified(path).splitlines()[2:4], with_names.splitlines()[2:4])
                    self.rejected(PAPER / ("vote.txt" if path.stem != "vote" else "tumor.txt"))
                    self.claim_one_more(drop_model=True)
                    self.assertIn("less than the claim", self.rejected(path, "-"))

    def test_a_stopped_run_certifies_its_lower_bound(self):
        rng = random.Random(3)
        names = [f"x{i}" for i in range(40)]
        rows = [",".join([str(rng.randint(0, 1)) for _ in names] + [str(rng.randint(0, 1))]) for _ in range(400)]
        self.write("d.csv", "\n".join([",".join(names + ["y"])] + rows) + "\n")
        self.ok("binarize", "d.csv", "-q", "-o", "d.txt")
        for limit in (0, 0.2):
            o = self.fit("d.csv", "-d", 8, "--time-limit", limit, "--certificate", "c", "-q")
            self.assertEqual(o["status"], "feasible")
            self.assertIn(f"\nclaim {o['lower_bound']}\n", (self.dir / "c").read_text())
            code, text = self.check("d.txt", "-")
            self.assertTrue(text.startswith("VERIFIED lower bound\n") and code == 0, text)

    def test_over_all_thresholds(self):
        """No feature is made of a threshold; the checker reads the numbers."""
        rng = random.Random(8)
        for more in ([], ["--weight", "w"], ["--forbid", "age"], ["--candidate", "income", "--candidate", "owner"],
                                  ["--require", "colour = red"], ["--depth", "0..2"]):
            with self.subTest(options=more):
                self.write("d.csv", table_of_numbers(rng, 250))
                reading = more if "--weight" in more else ["--ignore", "w"]
                options = [] if "--weight" in more else more
                depth = [] if "--depth" in more else ["--depth", 2]
                o = self.fit("d.csv", *reading, "--thresholds", "all", *depth, *options, "--certificate", "c", "-o", "m.json", "-q")
                self.assertEqual((o["status"], o["claim"]["certifiable"]), ("optimal", True))
                self.assertTrue((self.dir / "c").read_text().startswith("beadwork-certificate 2\n"))
                self.assertLess((self.dir / "c").stat().st_size, 600)
                self.ok("binarize", "d.csv", *reading, "--values", "-q", "-o", "d.txt")
                said = self.verified("d.txt")
                self.assertIn("class names agree, columns and thresholds agree", said)
                model = json.loads((self.dir / "m.json").read_text())
                hashed = (self.dir / "c").read_text().split("\n")[1].removeprefix("data-sha256 ")
                self.assertIn(f"sha256 {hashed}\n", said)
                self.assertIn(f"training error {o['claim']['lower_bound']} on these rows", said)
                whole = (self.dir / "c").read_text()
                self.claim_one_more(drop_model=False)
                self.assertIn("the model errs by", self.rejected("d.txt"))
                self.write("c", whole)
                self.claim_one_more(drop_model=True)
                self.assertIn("err by less than the claim", self.rejected("d.txt", "-"))
                self.write("c", whole)
                moved = json.loads(json.dumps(model))
                tests = [f for f in moved["features"] if f["test"] == "at_most"]
                tests[0]["threshold"] += 3
                self.write("moved.json", json.dumps(moved))
                self.assertIn("tests a cut not of the model", self.rejected("d.txt", "moved.json"))
                self.ok("binarize", "d.csv", *reading, "--thresholds", "all", "-q", "-o", "matrix.txt")
                self.assertIn("'beadwork binarize --values' writes", self.rejected("matrix.txt"))

    def test_a_page_has_a_certificate_over_all_thresholds_checked(self):
        self.write("d.csv", table_of_numbers(random.Random(9), 300))
        said = self.ok("fit", "d.csv", "--ignore", "w", "--thresholds", "all", "-d", 2, "--certificate", "c", "-o", "m.json",
                       "--report", "fit.html").stderr
        self.assertIn("'beadwork binarize --values' writes the table\n", said)
        self.ok("report", "m.json", "d.csv", "--certificate", "c", "-o", "r.html")
        for name, verdict in (("fit.html", ""), ("r.html", "VERIFIED")):
            page = (self.dir / name).read_text()
            shown = json.loads(re.search(r'"certificate":(\{[^{}]*\})', page)[1])
            self.assertEqual((shown["verdict"], shown["over_values"]), (verdict, True))
        self.claim_one_more(drop_model=False)
        self.assertIn("REJECTED: the model errs by", self.ok("report", "m.json", "d.csv", "--certificate", "c", "-o", "r.html").stderr)

    def test_names_over_all_thresholds(self):
        classes = ("\u00e9", "n\u2028o")
        rows = "".join(f"{i * 7 % 23},{'pqr'[i % 3]},{i % 2},{classes[i * 7 % 23 > 9]}\n" for i in range(40))
        self.write("d.csv", 'a\u200bb,"two\nlines","quote"" \\u{41}",label\n' + rows)
        self.ok("fit", "d.csv", "--thresholds", "all", "-d", 2, "--certificate", "c", "-o", "m.json", "-q")
        self.ok("binarize", "d.csv", "--values", "-q", "-o", "d.txt")
        self.assertIn("class names agree, columns and thresholds agree", self.verified("d.txt"))

    def test_a_stopped_run_over_all_thresholds_certifies_its_lower_bound(self):
        self.write("d.csv", table_of_numbers(random.Random(3), 3000))
        self.ok("binarize", "d.csv", "--values", "-q", "-o", "d.txt")
        for limit in (0, 0.5):
            o = self.fit("d.csv", "--thresholds", "all", "-d", 6, "--time-limit", limit, "--certificate", "c", "-q")
            self.assertEqual(o["status"], "feasible")
            text = (self.dir / "c").read_text()
            self.assertIn(f"\nclaim {o['lower_bound']}\n", text)
            self.assertIn("\nmodel 0\n", text)

    @need("numeric")
    def test_numeric_sets(self):
        for name, depth, errors in (("raisin", 2, 95), ("raisin", 3, 91), ("rice", 2, 209), ("breast", 2, 27), ("bank", 3, 69)):
            with self.subTest(dataset=name, depth=depth), gzip.open(NUMERIC / f"{name}.csv.gz") as file:
                self.write("d.csv", file.read())
                self.ok("fit", "d.csv", "--thresholds", "all", "-d", depth, "--certificate", "c", "-o", "m.json", "-q")
                self.ok("binarize", "d.csv", "--values", "-q", "-o", "d.txt")
                self.assertIn(f"the model has training error {errors} on", self.verified("d.txt"))
                self.claim_one_more(drop_model=True)
                self.assertIn("less than the claim", self.rejected("d.txt", "-"))

    def test_what_cannot_be_certified(self):
        self.write("d.csv", "x,y\n0,a\n1,b\n")
        for engine in ("local", "enumerate", "maxsat"):
            self.refused(2, f"--certificate: engine {engine} does not have this option; it belongs to search",
                         "fit", "d.csv", "--engine", engine, "--certificate", "c")
        self.refused(2, "--certificate: cannot be combined with --faithful", "fit", "d.csv", "-q", "--faithful", "--certificate", "c")
        self.refused(2, "d.csv: this output would overwrite an input", "fit", "d.csv", "--certificate", "d.csv")
        self.refused(2, "c: two outputs have the same file", "fit", "d.csv", "--certificate", "c", "-o", "c")


if __name__ == "__main__":
    unittest.main()
