"""What a page and a model file may say: whose certificate covers which claim, how a model is made again, what hashes tell."""
import hashlib
import itertools
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import unittest

from beadwork_cli import BINARY, SOURCE, CliTest

CHECKER = os.environ.get("BEADCHECK_BINARY", str(SOURCE / "build" / "beadcheck"))


def table(rows=90, seed=4):
    """Two columns of numbers, three of 0 and 1, and weights."""
    rng = random.Random(seed)
    out = ["w,x,y,a,b,c,class"]
    for _ in range(rows):
        x, y, a, b, c = rng.randint(0, 9), rng.randint(0, 99), *(rng.randint(0, 1) for _ in range(3))
        good = (x > 4) ^ a if rng.random() < 0.8 else b & c
        out.append(f"{rng.randint(1, 3)},{x},{y},{a},{b},{c},{'yes' if good else 'no'}")
    return "\n".join(out) + "\n"


COSTS = ",no,yes\nno,0,1\nyes,7.5,0\n"


class Pages(CliTest):
    def setUp(self):
        super().setUp()
        self.write("t.csv", table())
        self.write("costs.csv", COSTS)
        (self.dir / "bin").mkdir()
        os.symlink(CHECKER, self.dir / "bin" / "beadcheck")
        self.env = {**os.environ, "PATH": f"{self.dir}/bin:{os.environ['PATH']}"}

    def page(self, *args):
        self.ok("report", *args, "-o", "p.html", env=self.env)
        found = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', (self.dir / "p.html").read_text(), re.S)
        return json.loads(max(found, key=len))

    def checker(self, *args):
        return subprocess.run([CHECKER, *args], cwd=self.dir, capture_output=True, text=True).stdout.split("\n")[0]


class Certificates(Pages):
    # Claims that certificates are about; of the second list none is.
    CERTIFIED = {
        "depth 1": ["-d", "1"], "depth 2": ["-d", "2"], "without": ["-d", "1", "--forbid", "a"], "without c": ["-d", "1", "--forbid", "c"],
        "with": ["-d", "2", "--require", "c"], "with b": ["-d", "2", "--require", "b"], "candidates": ["-d", "1", "--candidate", "b", "--candidate", "c"],
        "weights": ["-d", "1", "--weight", "w"], "cuts": ["-d", "2", "--thresholds", "quantiles:3"], "all": ["-d", "1", "--thresholds", "all"],
        "all without": ["-d", "1", "--thresholds", "all", "--forbid", "x"], "all without y": ["-d", "1", "--thresholds", "all", "--forbid", "y"],
    }
    OTHERS = {
        "costs": ["-d", "1", "--costs", "costs.csv"], "nodes": ["-d", "2", "--max-nodes", "4"], "penalty": ["-d", "2", "--node-penalty", "2"],
        "paper": ["-d", "1", "--faithful"], "tree": ["-d", "1", "--engine", "maxsat-dt"], "cart": ["-d", "1", "--engine", "cart"],
    }

    def test_only_a_claims_own_certificate_covers_it(self):
        for name, options in {**self.CERTIFIED, **self.OTHERS}.items():
            more = ["--certificate", f"{name}.cert"] if name in self.CERTIFIED else []
            role = [] if "--weight" in options else ["--ignore", "w"]
            self.ok("fit", "t.csv", "-q", *role, *options, *more, "-o", f"{name}.json")
        for claim, certificate in itertools.product([*self.CERTIFIED, *self.OTHERS], self.CERTIFIED):
            with self.subTest(claim=claim, certificate=certificate):
                history = self.page(f"{claim}.json", "t.csv", "--certificate", f"{certificate}.cert")["history"]
                said = history["certificate"]["verdict"]
                if claim == certificate:
                    self.assertEqual((history["headline"], said), ("verified optimal", "VERIFIED"))
                    continue
                self.assertNotIn("verified", history["headline"])
                self.assertNotIn("verified", history["claim"])
                if "rejected" in history["headline"]:
                    self.assertTrue(said.startswith("REJECTED: "), said)
                else:
                    self.assertIn("does not cover the claim: ", said)

    def test_a_false_claim_is_not_covered(self):
        self.ok("fit", "t.csv", "-q", "-d", "1", "-o", "m.json", "--certificate", "c")
        for change in ({"depth": 3}, {"num_allowed": 3}, {"num_features": 99}, {"required": ["a"]}, {"thresholds": "all"}, {"max_nodes": 3},
                       {"costs": True}, {"node_penalty": 1.5}, {"mixed_labels": True}, {"family": "trees"}, {"exactly": True},
                       {"rounding": 3}, {"choice": "cart"}, {"status": "feasible", "lower_bound": 0}):
            with self.subTest(change=change):
                model = json.loads((self.dir / "m.json").read_text())
                del model["sha256"]
                model["claim"].update(change)
                self.write("altered.json", json.dumps(model))
                history = self.page("altered.json", "t.csv", "--certificate", "c")["history"]
                self.assertNotIn("verified", history["headline"])
                self.assertIn("does not cover the claim: ", history["certificate"]["verdict"])
                self.assertIn("its file has no checksum", history["claim"])

    def test_a_stopped_run_has_its_bound_verified(self):
        rng = random.Random(3)
        rows = [[rng.randint(0, 1) for _ in range(40)] for _ in range(200)]
        self.write("t.csv", ",".join(f"f{i}" for i in range(40)) + ",class\n"
                   + "".join(",".join(map(str, r)) + f",{(sum(r[:7]) >= 4) ^ (rng.random() < 0.2):d}\n" for r in rows))
        self.stopped("fit", "t.csv", "-q", "-d", "6", "--time-limit", "0", "-o", "m.json", "--certificate", "c")
        history = self.page("m.json", "t.csv", "--certificate", "c")["history"]
        self.assertEqual((history["headline"], history["certificate"]["verdict"]), ("not proven optimal, bound verified", "VERIFIED lower bound"))
        self.assertTrue(history["claim"].endswith("; the lower bound is verified"), history["claim"])

    def test_an_altered_certificate_is_rejected(self):
        self.ok("fit", "t.csv", "-q", "-d", "1", "-o", "m.json", "--certificate", "c")
        text = (self.dir / "c").read_text()
        self.write("c", text.replace("end\n", "end \n"))
        self.assertEqual(self.page("m.json", "t.csv", "--certificate", "c")["history"]["headline"], "claim rejected by the checker")

    def test_a_missing_checksum_is_said(self):
        self.ok("fit", "t.csv", "-q", "-d", "1", "-o", "m.json")
        self.assertNotIn("checksum", self.ok("show", "m.json").stdout)
        model = json.loads((self.dir / "m.json").read_text())
        del model["sha256"]
        self.write("m.json", json.dumps(model))
        self.assertIn("claimed optimal; its file has no checksum: anybody may have changed it", self.ok("show", "m.json").stdout.split("\n")[0])
        self.assertIn("warning: m.json: its file has no checksum", self.ok("report", "m.json", "-o", "p.html").stderr)


class MadeAgain(Pages):
    def test_the_command_of_a_page_makes_the_same_bytes(self):
        names = "x <= 4.5"
        for options in (["-d", "2", "--costs", "costs.csv"], ["-d", "2", "--forbid", "a", "--forbid", "y"], ["-d", "2", "--require", names],
                        ["-d", "2", "--candidate", "b", "--candidate", "x", "--weight", "w"], ["-d", "3", "--max-nodes", "5"],
                        ["-d", "2", "--node-penalty", "1.5"], ["-d", "1..2", "--bias", "C", "--seed", "7"],
                        ["-d", "2", "--committee", "2", "--committee-size", "3"], ["-d", "1", "--features-from", "cart"],
                        ["-d", "1", "--faithful", "--thresholds", "quantiles:2"], ["-d", "cv:1..2", "--thresholds", "quantiles:2"],
                        ["-d", "2", "--engine", "cart", "--impurity", "entropy", "--min-leaf", "3"], ["-d", "1", "--thresholds", "all", "--ignore", "w"],
                        ["-d", "1", "--numeric", "a", "--missing", "no such", "--target", "b"], ["-d", "1", "--time-limit", "100", "--threads", "2"]):
            with self.subTest(options=options):
                self.ok("fit", "t.csv", "-q", *options, "-o", "m.json")
                model = (self.dir / "m.json").read_bytes()
                if "--committee" in options:  # no page is of one
                    self.assertEqual(json.loads(model)["request"]["committee"], "2")
                    continue
                words = shlex.split(self.page("m.json", "t.csv")["history"]["command"], comments=True)
                self.assertEqual(words[:2], ["beadwork", "fit"])
                again = self.dir / "again"
                again.mkdir()
                shutil.copy(self.dir / "t.csv", again)
                done = subprocess.run([BINARY, *words[1:], "-q"], cwd=again, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual((again / "m.json").read_bytes().decode(), model.decode())
                shutil.rmtree(again)

    def test_what_no_command_makes(self):
        self.ok("fit", "t.csv", "-q", "-d", "1", "-o", "m.json")
        model = json.loads((self.dir / "m.json").read_text())
        del model["sha256"]
        model["claim"].update(status="feasible", proven_by="hand", lower_bound=0)
        self.write("edited.json", json.dumps({**model, "edits": ["another answer"]}))
        self.assertEqual(self.page("edited.json", "t.csv")["history"]["command"], "")
        model = json.loads((self.dir / "m.json").read_text())  # as version 2 had it
        del model["sha256"], model["request"], model["training"]["rows_sha256"], model["training"]["file_sha256"]
        model["training"]["data_sha256"], model["version"] = "", 2
        self.write("old.json", json.dumps(model))
        self.assertTrue(self.page("old.json", "t.csv")["history"]["command"].endswith("# this model file does not keep what else was asked"))
        self.assertIn("This page was given no certificate", (self.dir / "p.html").read_text())

    def test_an_option_that_is_gone(self):
        self.ok("fit", "t.csv", "-q", "-d", "1", "-o", "m.json")
        model = json.loads((self.dir / "m.json").read_text())
        del model["sha256"]
        model["request"]["tie_break"] = "purity"
        self.write("old.json", json.dumps(model))
        command = self.page("old.json", "t.csv")["history"]["command"]
        self.assertTrue(command.endswith("# without an option of another version: tie_break"), command)
        self.assertEqual(self.ok("predict", "old.json", "t.csv").stdout, self.ok("predict", "m.json", "t.csv").stdout)

    def test_costs_on_the_command_line(self):
        self.ok("fit", "t.csv", "-q", "-d", "1", "--costs", "costs.csv", "-o", "m.json")
        for rows in ([["no", "yes"], [[0, 1], [7.5, 0]]], [["yes", "no"], [[0, 7.5], [1, 0]]]):
            self.ok("fit", "t.csv", "-q", "-d", "1", "--costs", json.dumps(dict(zip(("classes", "rows"), rows))), "-o", "n.json")
            self.assertEqual((self.dir / "m.json").read_bytes(), (self.dir / "n.json").read_bytes())
        for text, said in (("{", "is not valid JSON"), ('{"classes": ["no"], "rows": [[0]]}', "no class for class 'yes'"),
                           ('{"classes": ["no", "yes"], "rows": [[0, 1]]}', "expected {"), ('{"classes": ["no", "yes"], "rows": [[0, -1], [1, 0]]}', "got '-1'")):
            done = self.run_it("fit", "t.csv", "-q", "--costs", text)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
            self.assertIn(said, done.stderr)


class Rows(Pages):
    def test_the_recipe_of_the_guide_at_every_size(self):
        for rows, options in ((40, ["-d", "2"]), (600, ["-d", "2"]), (600, ["-d", "1", "--thresholds", "mdlp", "--weight", "w"]),
                              (90, ["-d", "1", "--ignore", "x", "--target", "a", "--thresholds", "all"])):
            with self.subTest(rows=rows, options=options):
                self.write("t.csv", table(rows))
                self.ok("fit", "t.csv", "-q", *options, "-o", "m.json", "--certificate", "c")
                values = ["--values"] if (self.dir / "c").read_text().startswith("beadwork-certificate 2") else []
                done = self.ok("binarize", "t.csv", "--like", "m.json", *values, "-q", "-o", "rows.txt")
                self.assertEqual(done.stderr, "")
                self.assertEqual(self.checker("rows.txt", "m.json", "c"), "VERIFIED")

    def test_other_thresholds_are_told(self):
        self.write("t.csv", table(600))
        self.ok("fit", "t.csv", "-q", "-d", "2", "-o", "m.json", "--certificate", "c")
        self.ok("binarize", "t.csv", "-q", "--thresholds", "quantiles:3", "-o", "rows.txt")
        self.assertRegex(self.checker("rows.txt", "m.json", "c"), r"^REJECTED: .* 600 rows and \d+ columns, and it is about 600 and \d+; were they cut at other thresholds")
        self.write("other.csv", table(600, seed=5))
        done = self.ok("binarize", "other.csv", "--like", "m.json", "-q", "-o", "rows.txt")
        self.assertIn("warning: other.csv: these are not the rows that the model was learnt from", done.stderr)
        self.refused(2, "--like: cannot be combined with --thresholds: the model has them", "binarize", "t.csv", "--like", "m.json", "--thresholds", "all")

    def test_files_are_named_by_the_hash_that_everybody_can_make(self):
        self.ok("fit", "t.csv", "-q", "-d", "1", "-o", "m.json", "--certificate", "c")
        self.ok("binarize", "t.csv", "--like", "m.json", "-q", "-o", "rows.txt")
        of = {name: hashlib.sha256((self.dir / name).read_bytes()).hexdigest() for name in ("t.csv", "rows.txt", "m.json", "c")}
        self.assertEqual(json.loads((self.dir / "m.json").read_text())["training"]["file_sha256"], of["t.csv"])
        said = subprocess.run([CHECKER, "rows.txt", "m.json", "c"], cwd=self.dir, capture_output=True, text=True).stdout
        self.assertTrue(said.endswith(f"files: sha256 of data {of['rows.txt']}, of model {of['m.json']}, of certificate {of['c']}\n"), said)
        self.ok("fit", "-", "-q", "-d", "1", "-o", "n.json", stdin=None, input=(self.dir / "t.csv").read_bytes())
        self.assertNotIn("file_sha256", json.loads((self.dir / "n.json").read_text())["training"])

    def hash_of(self, text, *options):
        self.write("h.csv", text)
        self.ok("fit", "h.csv", "-q", "-d", "1", *options, "-o", "h.json")
        return json.loads((self.dir / "h.json").read_text())["training"]["rows_sha256"]

    def test_names_and_rows_count_and_their_order_does_not(self):
        for options in ([], ["--thresholds", "all"], ["--weight", "w"]):
            with self.subTest(options=options):
                head, *rows = table().strip().split("\n")
                first = self.hash_of("\n".join([head, *rows]), *options)
                self.assertEqual(first, self.hash_of("\n".join([head, *sorted(rows)]), *options))
                others = [("w,x,y,b,a,c,class", rows), (head, rows[:-1]), (head, [r.replace("yes", "ja") for r in rows]), (head, rows + rows[:1]),
                          (head, [r.replace("yes", "NO").replace("no", "yes").replace("NO", "no") for r in rows])]
                hashes = [first, *(self.hash_of("\n".join([h, *r]), *options) for h, r in others)]
                self.assertEqual(len(set(hashes)), len(hashes))

    def test_no_sum_forges_it(self):
        """Found once by lattice reduction: the same sum of SHA-256 modulo 2^256, and no row in common."""
        difference = [-70, 117, -17, 75, 64, -113, -76, -114, 50, -61, 56, -63, -149, 23, -72, -150, 23, 49, -58, 72, 98, -33, -105, -73, 15, 12, 37,
                      -29, 63, -60, -50, 85]
        rows = [(*bits, k) for bits in itertools.product("01", repeat=4) for k in "np"]
        hashes = {self.hash_of("a,b,c,d,class\n" + "".join((",".join(r) + "\n") * max(0, sign * n) for r, n in zip(rows, difference))) for sign in (1, -1)}
        self.assertEqual(len(hashes), 2)

    def test_rows_by_other_names_are_other_rows(self):
        self.ok("fit", "t.csv", "-q", "-d", "2", "-o", "m.json")
        self.write("o.csv", (self.dir / "t.csv").read_text().replace("w,x,y,a,b,c", "w,x,y,c,b,a", 1))
        self.assertEqual([r["role"] for r in self.page("m.json", "t.csv")["rows"]], ["training"])
        self.assertEqual([r["role"] for r in self.page("m.json", "o.csv")["rows"] if r["name"] == "o.csv"], ["other"])

    def test_names_that_look_like_escapes(self):
        literal, control = "a\\u{1}", "a\x01"
        for classes, columns in (((literal, control), "x"), (("a\\", "a\\u{5c}"), "x"), (("p", "q"), (literal, control))):
            with self.subTest(classes=classes):
                two = isinstance(columns, tuple)
                rows = [("0", classes[0])] * 5 + [("1", classes[1])] * 6 + [("1", classes[0])]
                self.write("t.csv", ",".join(columns if two else ["x"]) + ",class\n"
                           + "".join(f"{x}{',' + '01'[i % 2] if two else ''},{k}\n" for i, (x, k) in enumerate(rows)))
                self.ok("fit", "t.csv", "-d", "1", "-o", "m.json", "--certificate", "c", "-q")
                self.ok("binarize", "t.csv", "--like", "m.json", "-q", "-o", "rows.txt")
                self.assertEqual(self.checker("rows.txt", "m.json", "c"), "VERIFIED")
                model = json.loads((self.dir / "m.json").read_text())
                if two:
                    name = columns[1 - columns.index(model["features"][0]["name"])]
                    model["features"][0]["name"] = name
                    model["columns"][0]["name"] = name
                else:
                    model["classes"].reverse()
                del model["sha256"]
                self.write("swapped.json", json.dumps(model))
                self.assertIn("REJECTED", self.checker("rows.txt", "swapped.json", "c"))
                again = self.fit("rows.txt", "-d", "1", "-q", "-o", "n.json")  # the names come back
                self.assertEqual(sorted(again["classes"]), sorted(classes))


class Signals(CliTest):
    def test_a_signal_after_the_proof_is_said(self):
        """Whether it comes before the proof or after it: exit code 4, and one line where the model need not be the first."""
        rng = random.Random(3)
        rows = [[rng.randint(0, 1) for _ in range(40)] + [rng.choice("ab")] for _ in range(300)]
        self.write("t.csv", ",".join(f"f{i}" for i in range(40)) + ",class\n" + "".join(",".join(map(str, r)) + "\n" for r in rows))
        fit = subprocess.Popen([BINARY, "fit", "t.csv", "--depth", "12", "--json"], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        fit.stderr.readline()  # the first note: signals are watched from before it
        try:
            fit.wait(1)
        except subprocess.TimeoutExpired:
            pass
        fit.send_signal(signal.SIGTERM)
        out, err = fit.communicate(timeout=1800)
        self.assertEqual(fit.returncode, 4, err)
        claim = json.loads(out)["claim"]
        self.assertEqual("stopped by a signal after the proof" in err, claim["status"] == "optimal" and not claim["canonical"])


if __name__ == "__main__":
    unittest.main()
