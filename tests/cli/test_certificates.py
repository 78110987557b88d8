"""fit --certificate, judged by beadcheck on the matrix that `binarize` writes and on the paper's files as they are."""
import hashlib
import json
import os
import pathlib
import random
import subprocess
import unittest

from beadwork_cli import BINARY, SHARED, CliTest

CHECKER = os.environ.get("BEADCHECK_BINARY", str(pathlib.Path(BINARY).parent / "beadcheck"))
PAPER = SHARED / "datasets" / "paper"


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


class Certificates(CliTest):
    def check(self, data, model="m.json", certificate="c"):
        done = subprocess.run([CHECKER, str(data), model, certificate], cwd=self.dir, capture_output=True, text=True,
                              timeout=120)
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
        for i in range(60):
            with self.subTest(table=i):
                self.write("d.csv", random_table(rng))
                weights = rng.choice([["--weight", "w"], ["--ignore", "w"]])
                self.ok("binarize", "d.csv", *weights, "-q", "-o", "d.txt")
                heads = [s.split(" ", 3)[3] for s in (self.dir / "d.txt").read_text().splitlines()
                         if s.startswith("# feature")]
                depth = rng.randint(0, 4)
                more = rng.choice([[], ["--forbid", "cat"], ["--forbid", rng.choice(heads)] if heads else []])
                if depth and heads and not more and rng.random() < 0.5:
                    more = ["--require", rng.choice(heads)]
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

    @unittest.skipUnless(PAPER.is_dir(), f"no shared data in {SHARED}; set BEADWORK_SHARED")
    def test_paper_sets(self):
        files = sorted(PAPER.glob("*.txt"))
        self.assertEqual(len(files), 15)
        for path in files:
            self.ok("binarize", path, "-q", "-o", "d.txt")
            for depth in (2, 3, 4):
                with self.subTest(dataset=path.stem, depth=depth):
                    self.ok("fit", path, "-d", depth, "--certificate", "c", "-o", "m.json", "-q")
                    with_names = self.verified("d.txt")
                    self.assertIn("class names agree, feature names agree", with_names)
                    self.assertEqual(self.verified(path).splitlines()[2:], with_names.splitlines()[2:])
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
