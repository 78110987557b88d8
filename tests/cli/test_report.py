"""The report page as a file: what it carries is what the other commands say. Tests of the page itself are in web/test."""
import json
import os
import random
import re
import shlex
import time
import unittest
import unittest.mock

from beadwork_cli import CliTest


def island(page):
    """What the page carries: by the rule of HTML, all up to the first "</script"."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script', page, re.S)
    return json.loads(found.group(1))


def loans(rows, seed, weights=False):
    rng = random.Random(seed)
    lines = ["age,colour,paid,owner" + (",w" if weights else "") + ",risk"]
    for _ in range(rows):
        age, colour = rng.randrange(18, 80), rng.choice(["red", "green", "blue"])
        paid, owner = rng.choice(["", str(rng.randrange(100))]), rng.choice("01")
        risk = "high" if (age < 40) != (colour == "red") or rng.random() < 0.1 else "low"
        weight = "," + str(rng.choice([0.1, 0.5, 1, 2.5])) if weights else ""
        lines.append(f"{age},{colour},{paid},{owner}{weight},{risk}")
    return "\n".join(lines) + "\n"


class ReportTest(CliTest):
    def page(self, name):
        return island((self.dir / name).read_text())

    def test_figures_are_those_of_evaluate(self):
        self.write("train.csv", loans(300, 1, weights=True))
        self.write("test.csv", loans(200, 2, weights=True))
        self.ok("fit", "train.csv", "--weight", "w", "--depth", 3, "-o", "m.json", "--report", "fit.html", "--test",
                "test.csv", "-q")
        self.ok("report", "m.json", "train.csv", "--test", "test.csv", "--weight", "w", "-o", "report.html")
        for name in ["fit.html", "report.html"]:
            sets = self.page(name)["rows"]
            self.assertEqual([s["role"] for s in sets], ["training", "test"])
            for data, got in zip(["train.csv", "test.csv"], sets):
                said = json.loads(self.ok("evaluate", "m.json", data, "--weight", "w", "--json").stdout)
                self.assertEqual(got["rows"], said["rows"])
                self.assertEqual(got["evaluation"]["total"], said["total_weight"])
                for key in ["errors", "accuracy", "balanced_accuracy", "confusion"]:
                    self.assertEqual(got["evaluation"][key], said[key])
                for a, b in zip(got["evaluation"]["per_class"], said["per_class"]):
                    self.assertEqual(a, {k: b[k] for k in a})

    def test_paths_and_values_are_those_of_the_rows(self):
        text = loans(250, 3)
        self.write("d.csv", text)
        self.ok("fit", "d.csv", "--depth", 4, "-o", "m.json", "--report", "r.html", "-q")
        said = json.loads(self.ok("predict", "m.json", "d.csv", "--json").stdout)["predictions"]
        rows = self.page("r.html")["rows"][0]
        self.assertEqual([int(p) for p in rows["paths"].split(",")], [p["path"] for p in said])
        table = [line.split(",") for line in text.strip().split("\n")]
        for column in rows["columns"]:
            cells = [line[table[0].index(column["name"])] for line in table[1:]]
            if column["type"] == "numeric":
                self.assertEqual(column["values"].split(","), cells)
            else:
                self.assertEqual([column["levels"][int(c)] for c in column["codes"]], cells)
        self.assertEqual(sorted(c["name"] for c in rows["columns"]), ["age", "colour", "owner", "paid"])

    def models(self, page):
        """The model files that a page offers beside its own."""
        texts = page["alternatives"]["texts"]
        return [(one, "\n".join(texts[i] for i in one["model"])) for one in page["alternatives"]["models"]]

    def test_other_models_are_model_files(self):
        self.write("train.csv", loans(200, 5, weights=True))
        self.write("test.csv", loans(150, 6, weights=True))
        self.ok("fit", "train.csv", "--weight", "w", "--depth", 3, "--within", 45.5, "--front", "--report", "r.html", "--test",
                "test.csv", "-q")
        page = self.page("r.html")
        found = self.models(page)
        self.assertGreater(len(found), 5)
        for one, text in found:
            self.write("one.json", text)
            for data, got in zip(["train.csv", "test.csv"], one["on"]):
                said = json.loads(self.ok("evaluate", "one.json", data, "--weight", "w", "--json").stdout)
                for key in ["errors", "accuracy", "balanced_accuracy", "confusion"]:
                    self.assertEqual(got["evaluation"][key], said[key])
            self.ok("predict", "one.json", "test.csv")
            shown = self.ok("show", "one.json").stdout
            above = json.loads(text)["claim"].get("near_optimum", False)
            self.assertEqual("above the proven optimum" in shown.splitlines()[0], above)
            self.assertEqual(" optimal" in shown.splitlines()[0], not above)
            self.ok("report", "one.json", "train.csv", "--weight", "w", "-o", "again.html")
            self.assertIn(one["claim"], self.page("again.html")["history"]["claim"])

    def test_a_limit_leaves_fewer_models_and_the_page_says_so(self):
        self.write("d.csv", loans(400, 7))
        for limit in [0, 0.02]:
            ended = self.run_it("fit", "d.csv", "--depth", 4, "--within", 60, "--front", "--time-limit", limit, "--report", "r.html", "-q")
            self.assertIn(ended.returncode, [0, 4], ended.stderr)
            page = self.page("r.html")
            if ended.returncode == 4 and "alternatives" in page and any(m["kind"] == "near" for m in page["alternatives"]["models"]):
                self.assertNotIn("all ", page["alternatives"]["claim"].replace("not all ", ""))

    def test_test_rows_that_do_not_fit_other_models(self):
        self.write("d.csv", loans(300, 8))
        text = loans(100, 9).split("\n")
        spoilt = [",".join(["some" if i and j == 2 else cell for j, cell in enumerate(line.split(","))]) for i, line in enumerate(text) if line]
        self.write("words.csv", "\n".join(spoilt) + "\n")
        without = [",".join(cell for j, cell in enumerate(line.split(",")) if j != 2) for line in text if line]
        self.write("short.csv", "\n".join(without) + "\n")
        flags = ["fit", "d.csv", "--depth", 3, "--within", 90, "-q", "-o", "own.json", "--report", "r.html"]
        self.ok(*flags)
        used = {c["name"] for c in json.loads((self.dir / "own.json").read_text())["columns"]}
        self.assertNotIn("paid", used)
        everything = len(self.models(self.page("r.html")))
        for name in ["words.csv", "short.csv"]:
            self.ok(*flags, "--test", name)
            found = self.models(self.page("r.html"))
            self.assertTrue(0 < len(found) < everything, name)
            for one, text in found:
                self.assertNotIn("paid", [c["name"] for c in json.loads(text)["columns"]])
            self.assertFalse(self.page("r.html")["alternatives"]["claim"].startswith("all"))

    def test_the_command_makes_the_model_again(self):
        self.write("my 'loans' file.csv", loans(200, 4))
        self.ok("fit", self.dir / "my 'loans' file.csv", "--depth", 3, f"--output={self.dir}/m.json", "--report", "r.html", "-q")
        first = (self.dir / "m.json").read_text()
        command = self.page("r.html")["history"]["command"]
        self.assertNotIn(str(self.dir), command)  # a page that is passed on does not tell where it was made
        (self.dir / "m.json").unlink()
        self.ok(*shlex.split(command)[1:])
        self.assertEqual((self.dir / "m.json").read_text(), first)
        self.ok("report", "m.json", "my 'loans' file.csv", "-o", "again.html")
        (self.dir / "m.json").unlink()
        self.ok(*shlex.split(self.page("again.html")["history"]["command"])[1:])
        self.assertEqual((self.dir / "m.json").read_text(), first)

        self.write("-t.csv", loans(60, 4))
        self.ok("fit", "./-t.csv", "--depth", 1, "-o", "./-m.json", "--report", self.dir / "-r.html", "-q")
        first = (self.dir / "-m.json").read_text()
        command = self.page("-r.html")["history"]["command"]
        self.assertNotIn(str(self.dir), command)
        (self.dir / "-m.json").unlink()
        self.ok(*shlex.split(command)[1:])
        self.assertEqual((self.dir / "-m.json").read_text(), first)
        self.ok("report", "./-m.json", "./-t.csv", "-o", "./-r.html")
        self.ok(*shlex.split(self.page("-r.html")["history"]["command"])[1:])

    def test_folds_take_at_most_a_fifth_of_the_time(self):
        self.write("d.csv", loans(400, 11))
        self.write("e.csv", loans(100, 12))
        for depth in [1, 3, 4]:
            start = time.monotonic()
            self.ok("fit", "d.csv", "--depth", depth, "--thresholds", "all", "--prices", "--report", "r.html", "-q")
            took = time.monotonic() - start
            shown = self.page("r.html")["history"].get("validation")
            if shown is None:
                continue
            self.assertEqual(shown["folds"], 5)
            self.assertAlmostEqual(shown["lift"]["points"], shown["accuracy"] - shown["baseline"])
            self.assertLess(shown["lift"]["low"], shown["lift"]["points"])
            self.assertLessEqual(shown["accuracy"], 1)
            self.assertLess(shown["seconds"], 0.2 * took)
        self.ok("fit", "d.csv", "--depth", 5, "--report", "r.html", "--test", "e.csv", "-q")
        self.assertNotIn("validation", self.page("r.html")["history"])  # test rows say more

    # The model costs a fraction of what the best constant costs, and makes more errors than the most frequent class would.
    def test_models_of_least_cost_are_compared_by_cost(self):
        rows = [(i & 1, i >> 1 & 1, "sick" if i % 8 == 1 else "healthy") for i in range(200)]
        self.write("d.csv", "a,b,class\n" + "".join(",".join(map(str, r)) + "\n" for r in rows))
        self.write("costs.csv", ",healthy,sick\nhealthy,0,1\nsick,20,0\n")
        self.ok("fit", "d.csv", "-d", 1, "--costs", "costs.csv", "-o", "m.json", "--report", "r.html", "--test", "d.csv", "-q")
        self.ok("report", "m.json", "d.csv", "-o", "again.html")
        self.ok("fit", "d.csv", "-d", 1, "--costs", "costs.csv", "--report", "folds.html", "-q")
        for name in ("r.html", "again.html", "folds.html"):
            page = self.page(name)
            for table in page["rows"]:
                self.assertEqual(table["evaluation"]["cost"], 75)
                always = table["baselines"][0]
                self.assertEqual((always["name"], always["cost"]), ("always sick", 175))
                if table["role"] == "test":
                    self.assertEqual((always["lift"]["cost"], always["lift"]["points"]), (True, 0.5))
                    self.assertGreater(always["lift"]["low"], 0)
            if "validation" in page["history"]:
                shown = page["history"]["validation"]
                self.assertAlmostEqual(shown["lift"]["points"], shown["baseline_cost"] - shown["cost"])
        self.assertIn("cost 75, optimal; training accuracy 62.5% (75 errors in 200 rows: 75 healthy as sick)", (self.dir / "r.html").read_text())

    def test_a_title(self):
        self.write("d.csv", loans(100, 13))
        self.ok("fit", "d.csv", "--depth", 2, "-o", "m.json", "--report", "r.html", "--title", "Loans <2026>", "-q")
        self.assertIn("<title>Loans &lt;2026&gt;</title>", (self.dir / "r.html").read_text())
        self.assertIn("<title>Risk</title>", self.ok("report", "m.json", "--title", "Risk").stdout)
        self.refused(2, "--title: needs --report", "fit", "d.csv", "--depth", 2, "--title", "x")

    def test_positive_class_date_and_labels(self):
        self.write("d.csv", loans(100, 13))
        self.ok("fit", "d.csv", "--depth", 2, "-o", "m.json", "-q")

        def page(*words):
            return island(self.ok("report", "m.json", "d.csv", *words).stdout)

        self.assertEqual(page("--positive", "low")["positive"], "low")
        for words in (("report", "m.json", "d.csv"), ("fit", "d.csv", "--depth", 2, "--report", "r.html", "-q")):
            self.refused(1, "--positive: 'none' is not a class; the classes are high, low", *words, "--positive", "none")
            self.refused(2, "--date: '2026-02-30' is not a date such as 2026-03-01", *words, "--date", "2026-02-30")
        for option in ("positive", "labels", "date"):
            self.refused(2, f"--{option}: needs --report", "fit", "d.csv", "--depth", 2, f"--{option}", "x")
        self.assertEqual(page("--date", "2026-03-01")["date"], "2026-03-01")
        self.assertRegex(page()["date"], r"^20\d\d-\d\d-\d\d$")
        with unittest.mock.patch.dict(os.environ, SOURCE_DATE_EPOCH="86400"):
            self.assertEqual(page()["date"], "1970-01-02")
            self.assertEqual(page("--date", "2026-03-01")["date"], "2026-03-01")
            self.assertEqual(self.ok("report", "m.json").stdout, self.ok("report", "m.json").stdout)
        with unittest.mock.patch.dict(os.environ, SOURCE_DATE_EPOCH="soon"):
            self.refused(2, "SOURCE_DATE_EPOCH: 'soon' is not a number of seconds since 1970", "report", "m.json")

    def test_labels(self):
        self.write("d.csv", loans(100, 13))
        self.ok("fit", "d.csv", "--depth", 2, "-o", "m.json", "-q")
        self.write("l.csv", 'column,value,label\nage,,"years, <b>"\ncolour,red,crimson\nrisk,,danger\nrisk,low,none of it\n')
        html = self.ok("report", "m.json", "d.csv", "--labels", "l.csv", "--date", "2026-03-01").stdout
        plain = island(self.ok("report", "m.json", "d.csv", "--date", "2026-03-01").stdout)
        page = island(html)
        self.assertEqual(page["labels"], [["age", "", "years, <b>"], ["colour", "red", "crimson"], ["risk", "", "danger"], ["risk", "low", "none of it"]])
        self.assertEqual(page["texts"]["model"], (self.dir / "m.json").read_text())
        columns = {c["name"]: c for c in page["rows"][0]["columns"]}
        self.assertIn("years, <b>", columns)
        self.assertIn("crimson", columns["colour"]["levels"])
        self.assertEqual([c["name"] for c in page["history"]["columns"]], ["years, <b>", "colour", "paid", "owner"])
        for key in ("evaluation", "truth", "paths"):
            self.assertEqual(page["rows"][0][key], plain["rows"][0][key])
        self.assertIn("years, &lt;b&gt; \u2264", html)  # without JavaScript, too
        self.assertIn("THEN none of it", html)
        self.ok("fit", "d.csv", "--depth", 2, "-o", "r.json", "-q", "--require", "age")
        self.assertIn(r"with a test of years, \u003cb\u003e makes", self.ok("report", "r.json", "d.csv", "--labels", "l.csv").stdout)
        # a page without rows knows only the columns of its model: others may stand for something
        self.write("l.csv", "column,value,label\nelsewhere,,x\n")
        self.ok("report", "m.json", "--labels", "l.csv")
        for text, complaint in (("nowhere,,x", "there is no column 'nowhere'"), ("risk,nothing,x", "'nothing' is not a value of column 'risk'"),
                                ("age,30,x", "column 'age' holds numbers: only categories and classes have labels"),
                                ("risk,low,high", "two values of column 'risk' would be called 'high'"),
                                ("age,,colour", "two columns would be called 'colour'"), ("age,,a\nage,,b", "column 'age' has two labels"),
                                ("risk,low,a\nrisk,low,b", "'low' of column 'risk' has two labels")):
            self.write("l.csv", f"column,value,label\n{text}\n")
            self.refused(1, f"--labels l.csv: {complaint}", "report", "m.json", "d.csv", "--labels", "l.csv")
            # before the search, which would take hours
            self.refused(1, f"--labels l.csv: {complaint}", "fit", "d.csv", "-q", "--depth", 20, "--time-limit", 5, "--report", "x.html",
                         "--labels", "l.csv")
        for text in ("column,value,name\nage,,x\n", "a,b\n1,2\n", "value,label\nx,y\n"):
            self.write("l.csv", text)
            self.refused(1, "--labels l.csv: expected the columns column, value and label", "fit", "d.csv", "-q", "--report", "x.html", "--labels", "l.csv")

    def test_labels_of_other_models(self):
        self.write("d.csv", loans(100, 13))
        self.write("l.csv", "column,value,label\nage,,years\ncolour,red,crimson\nrisk,low,none of it\n")
        self.ok("fit", "d.csv", "--depth", 3, "--within", 10, "--report", "r.html", "--labels", "l.csv", "--test", "d.csv", "-q")
        page = self.page("r.html")
        texts = page["alternatives"]["texts"]
        seen = set()
        for other in page["alternatives"]["models"]:
            model = json.loads("\n".join(texts[i] for i in other["model"]))
            seen |= {c["name"] for c in model["columns"]}
            self.assertNotIn("years", [c["name"] for c in model["columns"]])
            self.assertEqual(model["classes"], ["high", "low"])
            words = [texts[yes] for yes, _ in other["words"]]
            self.assertEqual(["years" in w for w in words], ["age" in f["name"] for f in model["features"]])
            self.assertEqual(["crimson" in w for w in words], ["red" in f["name"] for f in model["features"]])
        self.assertIn("age", seen)
        sets = page["history"]["outcome"]["near_sets"]["sets"]
        self.assertTrue(any("years" in f for s in sets for f in s["features"]))
        self.assertFalse(any(f.startswith("age") for s in sets for f in s["features"]))

    def test_an_edited_model(self):
        self.write("d.csv", loans(100, 13))
        self.ok("fit", "d.csv", "--depth", 2, "-o", "m.json", "-q")
        model = json.loads((self.dir / "m.json").read_text())
        del model["sha256"]
        errors = model["training"]["errors"]
        model["claim"] |= {"status": "feasible", "lower_bound": 0, "upper_bound": errors, "proven_by": "hand", "certifiable": False}
        model["edits"] = ["1. the first", "1. the first", "<b>second</b>\u202e"]
        self.write("e.json", json.dumps(model))
        shown = self.ok("show", "e.json").stdout
        self.assertIn("edited, not proven", shown)
        self.assertTrue(shown.endswith("\nEdited by hand:\n  1. the first\n  1. the first\n  <b>second</b>\\u{202e}\n"), shown[-200:])
        self.assertEqual(json.loads(self.ok("evaluate", "e.json", "d.csv", "--json").stdout)["errors"], errors)
        history = island(self.ok("report", "e.json", "d.csv").stdout)["history"]
        self.assertEqual((history["headline"], history["optimal"]), ("edited, not proven", False))
        self.assertEqual(history["claim"], "edited by hand: nothing is proven, better ones may exist")
        model["claim"] |= {"status": "optimal", "lower_bound": errors, "proven_by": "search"}
        self.write("e.json", json.dumps(model))
        self.refused(1, "e.json: a model with edits is not proven optimal", "show", "e.json")

    def test_history_is_the_outcome(self):
        self.write("d.csv", loans(200, 5))
        said = json.loads(self.ok("fit", "d.csv", "--depth", "1..3", "--top", 5, "--certificate", "d.cert", "--report", "r.html",
                                  "--json").stdout)
        history = self.page("r.html")["history"]
        self.assertEqual([(p["depth"], p["training_errors"], p["features"]) for p in history["outcome"]["by_depth"]],
                         [(p["depth"], p["training_errors"], p["features"]) for p in said["by_depth"]])
        self.assertEqual([(s["training_errors"], s["features"]) for s in history["outcome"]["near_sets"]["sets"]],
                         [(s["training_errors"], s["features"]) for s in said["near_sets"]["sets"]])
        self.assertEqual(history["bounds"][-1], [said["time_s"], said["lower_bound"], said["upper_bound"]])
        self.assertEqual(history["certificate"]["name"], "d.cert")
        self.assertEqual(sum(c["count"] for c in history["columns"]), said["num_features"])

    def test_other_rows_are_not_called_training_rows(self):
        self.write("d.csv", loans(200, 6))
        self.write("e.csv", loans(200, 7))
        self.ok("fit", "d.csv", "--depth", 2, "-o", "m.json", "-q")
        done = self.ok("report", "m.json", "e.csv", "-o", "r.html")
        self.assertIn("e.csv: these are not the model's training rows", done.stderr)
        self.assertEqual([s["role"] for s in self.page("r.html")["rows"]], ["training", "other"])
        self.assertEqual(self.page("r.html")["rows"][0]["shown"], 0)

    def test_the_model_alone(self):
        self.write("d.csv", loans(200, 8))
        self.ok("fit", "d.csv", "--depth", 3, "-o", "m.json", "-q")
        page = self.ok("report", "m.json").stdout
        said = json.loads(self.ok("evaluate", "m.json", "d.csv", "--json").stdout)
        self.assertEqual(island(page)["rows"][0]["evaluation"]["confusion"], said["confusion"])
        self.assertEqual(island(page)["texts"]["model"], (self.dir / "m.json").read_text())
        self.assertEqual(page, self.ok("report", "m.json").stdout)

    def test_a_restricted_fit_claims_what_it_searched(self):
        self.write("d.csv", loans(200, 10))
        best = json.loads(self.ok("fit", "d.csv", "--depth", 2, "--json", "-q").stdout)["training_errors"]
        for restriction in [["--forbid", "colour"], ["--require", "owner"], ["--candidate", "owner"], ["--features-from", "f.txt"]]:
            self.write("f.txt", "owner\n")
            said = json.loads(self.ok("fit", "d.csv", "--depth", 2, *restriction, "-o", "m.json", "--report", "fit.html",
                                      "--json", "-q").stdout)
            self.assertEqual(said["status"], "optimal")
            self.assertGreater(said["training_errors"], best)  # so that it would be false of all diagrams
            self.assertTrue(self.page("fit.html")["history"]["optimal"])
            self.assertRegex(self.page("fit.html")["history"]["claim"], "^optimal: .*( with |not forbidden|candidate)")
            self.ok("report", "m.json", "-o", "r.html")
            history = self.page("r.html")["history"]
            self.assertEqual((history["headline"], history["feature_sets"]), ("claimed optimal", ""))
            self.assertEqual(history["claim"], "claimed " + said["sentence"])

    def test_a_certificate_is_checked(self):
        self.write("d.csv", loans(120, 12))
        self.ok("fit", "d.csv", "--depth", 2, "-q", "-o", "m.json", "--certificate", "d.cert")
        self.ok("report", "m.json", "d.csv", "--certificate", "d.cert", "-o", "r.html")
        history = self.page("r.html")["history"]
        self.assertEqual((history["headline"], history["certificate"]["verdict"]), ("verified optimal", "VERIFIED"))
        model = json.loads((self.dir / "m.json").read_text())
        del model["sha256"]
        model["classes"].reverse()
        self.write("swapped.json", json.dumps(model))
        for name, rows, headline, verdict in (("swapped.json", ["d.csv"], "claim rejected by the checker", "REJECTED: class 0 is"),
                                              ("m.json", [], "claimed optimal", "not checked: that needs the training rows")):
            done = self.ok("report", name, *rows, "--certificate", "d.cert", "-o", "r.html")
            history = self.page("r.html")["history"]
            self.assertEqual((history["headline"], history["optimal"]), (headline, name == "m.json"))
            self.assertTrue(history["certificate"]["verdict"].startswith(verdict), history["certificate"])
            self.assertIn("warning: d.cert: " + verdict, done.stderr)
        done = self.ok("report", "m.json", "d.csv", "--certificate", "d.cert", "--verify-limit", 0, "-o", "r.html")
        self.assertEqual(self.page("r.html")["history"]["headline"], "claimed optimal")

    def test_weights_without_rows_have_no_interval(self):
        self.write("d.csv", loans(200, 11, weights=True))
        self.ok("fit", "d.csv", "--weight", "w", "--depth", 2, "-o", "m.json", "-q")
        self.ok("report", "m.json", "-o", "r.html")
        rows = self.page("r.html")["rows"][0]
        self.assertTrue(rows["weighted"])
        for figures in [rows["evaluation"], rows["baselines"][0]]:
            self.assertIsNone(figures["low"])
            self.assertIsNone(figures["high"])

    def test_refusals(self):
        self.write("d.csv", loans(50, 9))
        self.ok("fit", "d.csv", "--depth", 2, "-o", "m.json", "-q")
        self.refused(2, "d.csv: this output would overwrite an input", "report", "m.json", "d.csv", "-o", "d.csv")
        self.refused(2, "m.json: this output would overwrite an input", "report", "m.json", "-o", "m.json")
        self.refused(2, "d.csv: this output would overwrite an input", "fit", "d.csv", "--report", "d.csv")
        self.refused(2, "x: two outputs have the same file", "fit", "d.csv", "--report", "x", "-o", "x")
        self.refused(1, "none.csv: cannot open: No such file or directory", "fit", "d.csv", "--test", "none.csv")
        self.assertEqual(self.run_it("fit", "d.csv", "--report", "r.html", "--test", "none.csv").returncode, 1)
        self.write("other.csv", "a,b\n1,2\n")
        self.assertEqual(self.run_it("report", "m.json", "other.csv", "-o", "r.html").returncode, 1)
        self.assertFalse((self.dir / "r.html").exists())


if __name__ == "__main__":
    unittest.main()
