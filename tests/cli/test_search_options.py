"""What fit can be asked of engine search: depths, near sets, required and forbidden features, stopping and going on."""
import json
import os
import random
import signal
import subprocess
import time
import unittest

from beadwork_cli import BINARY, PAPER, CliTest

TABLE = "a,b,c,d,y\n" + "".join(
    f"{i & 1},{i >> 1 & 1},{'uvw'[i % 3]},{i % 5},{'yes' if (i & 1) ^ (i % 3 == 0) else 'no'}\n" for i in range(30))


def noise(rows, features, seed=5):
    rng = random.Random(seed)
    lines = [" ".join(str(rng.randint(0, 1)) for _ in range(features + 1)) for _ in range(rows)]
    return "\n".join(lines) + "\n"


def numbers(rows, columns, seed=5):
    rng = random.Random(seed)
    lines = [",".join(f"f{i}" for i in range(columns)) + ",label"]
    lines += [",".join(f"{rng.random():.6f}" for _ in range(columns)) + "," + rng.choice("ab") for _ in range(rows)]
    return "\n".join(lines) + "\n"


class SearchOptions(CliTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", TABLE)

    def test_depths(self):
        o = self.fit("d.csv", "--depth", "0..3", "-q", "-o", "m.json")
        self.assertEqual([a["depth"] for a in o["by_depth"]], [0, 1, 2, 3])
        for a in o["by_depth"]:
            one = self.fit("d.csv", "--depth", a["depth"], "-q")
            self.assertNotIn("by_depth", one)
            for key in ("status", "training_errors", "lower_bound"):
                self.assertEqual(a[key], one[key])
            fewest = next(b for b in o["by_depth"] if b["training_errors"] == one["training_errors"])
            self.assertEqual(sorted(one["features"]), sorted(fewest["features"]))
        self.assertEqual(o["training_errors"], o["by_depth"][-1]["training_errors"])
        self.assertEqual(json.loads((self.dir / "m.json").read_text())["claim"]["depth"], 3)
        text = self.ok("fit", "d.csv", "-d", "1..2", "-q").stdout
        self.assertRegex(text, r"\Adepth 1: \d+ errors? \(optimal, .*\ndepth 2: 0 errors \(optimal")
        for bad in ("3..1", "1..x", "..2", "1..", "1..21"):
            self.assertEqual(self.run_it("fit", "d.csv", "--depth", bad).returncode, 2, bad)

    def test_near_sets(self):
        o = self.fit("d.csv", "-d", 2, "--top", 3, "-q")["near_sets"]
        self.assertEqual((o["complete"], o["num_sets"], len(o["sets"])), (True, 3, 3))
        errors = [s["training_errors"] for s in o["sets"]]
        self.assertEqual(errors, sorted(errors))
        within = self.fit("d.csv", "-d", 2, "--within", errors[-1] - errors[0], "-q")["near_sets"]
        self.assertEqual(within["sets"][:3], o["sets"])
        self.assertIn("3 feature sets near the best", self.ok("fit", "d.csv", "-d", 2, "--top", 3, "-q").stdout)
        self.refused(2, "--within: cannot be combined with --top", "fit", "d.csv", "-q", "--top", 3, "--within", 1)
        self.refused(2, "--within: expected a number from 0 to 1e+15, got 'few'", "fit", "d.csv", "-q",
                     "--within", "few")

    def test_a_ban_on_what_is_not_there_to_be_learnt(self):
        rows = "".join(f"person{i},{i},{i % 3},same,{'pn'[i % 2]}\n" for i in range(60))
        self.write("people.csv", "id,age,room,house,class\n" + rows)
        for more in ((), ("--thresholds", "all"), ("--in-passes",)):
            free = self.fit("people.csv", "-q", "-d", 2, *more)
            for column in ("id", "house"):  # texts that nearly all differ; a constant
                banned = self.fit("people.csv", "-q", "-d", 2, "--forbid", column, *more)
                self.assertEqual((banned["features"], banned["training_errors"]), (free["features"], free["training_errors"]))
            both = self.fit("people.csv", "-q", "-d", 2, "--forbid", "id", "--ignore", "age", "--forbid", "age", *more)
            self.assertNotIn("age", " ".join(both["features"]))
            done = self.run_it("fit", "people.csv", "-q", "--forbid", "ide", *more)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("--forbid: unknown feature 'ide'", done.stderr)

    def test_after_a_limit_it_says_what_helps(self):
        rows = "".join(f"{i % 7},{i % 5},{i % 3},{'pn'[i * i % 11 % 2]}\n" for i in range(60))
        self.write("t.csv", "a,b,c,class\n" + rows)
        stopped = self.stopped("fit", "t.csv", "--time-limit", 0, "-q", "--threads", 1)
        self.assertRegex(stopped.stderr, r"^beadwork: stopped after 0 seconds(, [\d.]+ % done, .*)?; what helps: "
                                         r"a longer --time-limit, more --threads, a smaller --depth\n$")
        stopped = self.stopped("fit", "t.csv", "--time-limit", 0, "-q", "--checkpoint", "k", "--threads", 2)
        self.assertRegex(stopped.stderr, r"; what helps: a longer --time-limit, a smaller --depth\n$")
        self.assertFalse((self.dir / "k").exists())  # nothing was saved, and nothing said of it

    def test_options_that_would_be_ignored_are_refused(self):
        self.write("t.csv", "a,b,y\n0,1,n\n1,0,p\n1,1,p\n0,0,n\n")
        for words, why in ((("--checkpoint-every", 5), "--checkpoint-every: needs --checkpoint"),
                           (("--impurity", "entropy"), "--impurity: needs --features-from cart"),
                           (("--min-leaf", 2, "--thresholds", "all"), "--min-leaf: needs --features-from cart"),
                           (("--no-bound", "linear-cap"), "there is no option '--no-bound' any more"),
                           (("--tie-break", "purity"), "there is no option '--tie-break' any more"),
                           (("--engine", "maxsat", "--wcnf-format", "old"), "--wcnf-format: needs --solver")):
            done = self.run_it("fit", "t.csv", "-q", *words)
            self.assertEqual(done.returncode, 2, (words, done.stderr))
            self.assertIn(why, done.stderr)
        self.fit("t.csv", "-q", "--features-from", "cart", "--min-leaf", 2)
        # Over all thresholds the instructions are those of features, of which there is one for each threshold.
        self.write("n.csv", "x,y\n" + "".join(f"{i / 7},{'np'[i % 3 > 1]}\n" for i in range(60)))
        for kernel in ("portable", "auto"):
            self.assertEqual(self.fit("n.csv", "-q", "-d", 2, "--thresholds", "all", "--kernel", kernel)["status"], "optimal")

    def test_all_processors_work_unless_something_is_said(self):
        rows = "".join(f"{i % 7},{i % 5},{i % 3},{'pn'[i * i % 11 % 2]}\n" for i in range(60))
        self.write("t.csv", "a,b,c,class\n" + rows)
        every = sorted(os.sched_getaffinity(0))

        def advised(processors, *words):
            os.sched_setaffinity(0, processors)  # for those that are started, too
            try:
                return "more --threads" in self.stopped("fit", "t.csv", "--time-limit", 0, "-q", *words).stderr
            finally:
                os.sched_setaffinity(0, every)

        self.assertTrue(advised(every[:1]))
        self.assertFalse(advised(every[:1], "--threads", 2))
        if len(every) > 1:
            self.assertFalse(advised(every[:2]))
            self.assertTrue(advised(every[:2], "--threads", 1))
            self.assertTrue(advised(every[:2], "--memory-limit", 4000))

    def test_defaults_that_limit_the_answer_come_first(self):
        rows = "".join(f"{i % 7},{i % 5},{i % 3},{i % 2},{i % 4},{'pn'[i * i % 11 % 2]}\n" for i in range(60))
        self.write("t.csv", "a,b,c,d,e,class\n" + rows)
        free = {**os.environ}
        free.pop("BEADWORK_TIME_LIMIT", None)

        def said(*words):
            lines = [line for line in self.ok("fit", "t.csv", *words, env=free).stderr.splitlines() if "by default" in line]
            return lines[0].removeprefix("beadwork: limits by default: ") if lines else ""
        self.assertEqual(said(), "at most 4 features (--depth), numbers cut by quantiles:8 (--thresholds), 60 seconds (--time-limit)")
        self.assertEqual(said("-d", 4, "--time-limit", "none"), "numbers cut by quantiles:8 (--thresholds)")
        self.assertEqual(said("-d", 2, "--thresholds", "quantiles:2", "--time-limit", 50), "")
        self.assertEqual(said("--max-nodes", 5, "--thresholds", "quantiles:2"), "60 seconds (--time-limit)")
        self.assertEqual(said("--engine", "cart"), "at most 4 features (--depth), numbers cut by quantiles:8 (--thresholds)")

    def test_required_and_forbidden(self):
        free = self.fit("d.csv", "-d", 2, "-q")
        self.assertEqual((free["training_errors"], free["features"]), (0, ["a", "c = u"]))
        o = self.fit("d.csv", "-d", 2, "-q", "--forbid", "c = u")
        self.assertNotIn("c = u", o["features"])
        o = self.fit("d.csv", "-d", 3, "-q", "--forbid", "c", "--forbid", "d")
        one = self.fit("d.csv", "-d", 1, "-q", "--forbid", "c", "--forbid", "d")
        self.assertEqual((o["features"], o["training_errors"]), (["a"], one["training_errors"]))  # b spares no error
        o = self.fit("d.csv", "-d", 2, "-q", "--require", "b", "--forbid", "a")
        self.assertIn("b", o["features"])
        self.assertIn("with b makes fewer errors",
                      self.ok("fit", "d.csv", "-d", 2, "-q", "--require", "b").stdout)
        self.assertEqual(self.fit("d.csv", "-d", 2, "-q", "--require", "b", "--time-limit", 0)["features"], ["b"])
        self.refused(2, "--require: unknown feature 'e'", "fit", "d.csv", "-q", "--require", "e")
        self.refused(2, "--forbid: unknown feature 'e'", "fit", "d.csv", "-q", "--forbid", "e")
        self.refused(2, "--forbid: unknown feature 'aa'; did you mean 'a'?", "fit", "d.csv", "-q", "--forbid", "aa")
        self.refused(2, "--require: 2 features are required, but the depth is 1", "fit", "d.csv", "-q", "-d", 1,
                     "--require", "a", "--require", "b")
        self.refused(2, "--forbid: engine enumerate does not have this option; it belongs to search, local", "fit", "d.csv", "--engine",
                     "enumerate", "--forbid", "a")

    def test_required_columns(self):
        def of(column, found):
            return [name for name in found["features"] if name.split(" ")[0] == column]
        free = self.fit("d.csv", "-d", 2, "-q")
        self.assertEqual(of("d", free), [])
        o = self.fit("d.csv", "-d", 2, "-q", "--require", "d", "-o", "m.json")
        self.assertEqual(len(of("d", o)), 1)
        each = [self.fit("d.csv", "-d", 2, "-q", "--require", f"d <= {i}.5")["training_errors"] for i in range(4)]
        self.assertEqual((o["training_errors"], o["claim"]["lower_bound"], o["status"]), (min(each), min(each), "optimal"))
        self.assertGreater(min(each), free["training_errors"])
        self.assertIn("with a test of d makes fewer errors", o["sentence"])
        model = json.loads((self.dir / "m.json").read_text())
        self.assertEqual((model["claim"]["required_columns"], model["claim"]["required"], model["claim"]["certifiable"]), (["d"], [], False))
        self.assertEqual(model["request"]["require"], ["d"])
        self.assertIn("with a test of each of c, d makes", self.ok("fit", "d.csv", "-d", 2, "-q", "--require", "c", "--require", "d").stdout)
        self.assertEqual(self.fit("d.csv", "-d", 2, "-q", "--require", "b")["claim"]["required"], ["b"])  # its only test
        self.assertEqual(self.fit("d.csv", "-d", 2, "-q", "--require", "c", "--time-limit", 0)["features"], ["c = u"])
        price = {c["column"]: c["price"]["status"] for c in self.fit("d.csv", "-d", 3, "-q", "--require", "d", "--prices")["columns"]}
        self.assertEqual({name for name, status in price.items() if status == "required"} - {"d"}, set())
        for more in (["--top", 5], ["--within", 2], ["--committee", 1], ["--thresholds", "all", "--top", 5]):
            done = self.run_it("fit", "d.csv", "-q", "-d", 2, "--require", "d", *more)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("--require: a column with several features cannot be required where sets are listed; require one of them, or forbid the others\n", done.stderr)
            self.fit("d.csv", "-q", "-d", 2, "--require", "b", *more)
        for more in (["--depth", "1..3"], ["--engine", "local"],
                     ["--all-optima", "--bias", "size"], ["--depth", "cv:1..3"], ["--bias", "C"]):
            found = self.fit("d.csv", "-q", "--require", "d", *more, *([] if "--depth" in more else ["-d", 2]))
            for entry in [found, *found.get("by_depth", []), *found.get("near_sets", {}).get("sets", [])]:
                self.assertTrue(of("d", entry), more)
        self.refused(2, "--require: column 'd' is required, and none of its features may be selected", "fit", "d.csv", "-q", "--require", "d",
                     "--forbid", "d")
        self.refused(2, "--require: 2 columns are required, but the depth is 1", "fit", "d.csv", "-q", "-d", 1, "--require", "c", "--require", "d")
        self.refused(2, "--certificate: cannot be combined with a required column that has several features; require one of them, or forbid the others",
                     "fit", "d.csv", "-q", "--require", "d", "--certificate", "c.txt")
        self.refused(2, "--require: cannot be combined with --max-nodes", "fit", "d.csv", "-q", "--require", "d", "--max-nodes", 5)
        self.refused(2, "--require: unknown feature 'dd'; did you mean 'd'?", "fit", "d.csv", "-q", "--require", "dd")
        self.write("id.csv", "id,a,y\n" + "".join(f"n{i}x,{i % 3},{'pq'[i % 2]}\n" for i in range(60)))
        self.refused(2, "--require: column 'id' was left out: nothing of it can be tested", "fit", "id.csv", "-q", "--require", "id")
        self.refused(2, "--require: a column with several features cannot be required with shards; require one of them, or forbid the others", "fit",
                     "--shards", "d.csv", "-q", "--require", "d")

    def test_a_required_column_that_is_idle_is_told(self):
        self.write("d.csv", "a,b,c,y\n" + "".join(f"{i % 2},{i % 3},{i // 2 % 2},{'pq'[i % 2]}\n" for i in range(12)))
        for name, told in ((["b"], ["b"]), (["c"], ["c"]), (["c", "b"], ["c", "b"]), (["a"], None)):
            line = ("d.csv", "-q", "-d", 3, *(word for n in name for word in ("--require", n)))
            self.assertEqual(self.fit(*line).get("idle_requirements"), told)
            said = [text for text in self.ok("fit", *line).stdout.split("\n") if text.startswith("required, but idle")]
            end = "it" if len(name) == 1 else "them"
            self.assertEqual(said, [f"required, but idle: {', '.join(told)}; no answer depends on {end}"] if told else [])
        self.fit("d.csv", "-q", "-d", 3, "--thresholds", "all", "--require", "b")

    def test_a_name_means_the_same_wherever_it_stands(self):
        self.write("d.csv", "flag,b,y\n" + "".join(f"{('0', '1', '')[i % 3]},{i % 7},{'pq'[i % 3 == 2]}\n" for i in range(42)))
        for more in ([], ["--thresholds", "all"]):
            o = self.fit("d.csv", "-q", "-d", 1, "--require", "flag", *more)
            self.assertEqual((o["claim"]["required_columns"], o["features"], o["training_errors"]), (["flag"], ["flag is missing"], 0))
            o = self.fit("d.csv", "-q", "-d", 1, "--require", "flag", "--forbid", "flag is missing", *more)
            self.assertEqual((o["claim"]["required"], o["features"]), (["flag"], ["flag"]))
            self.assertNotIn("flag", str(self.fit("d.csv", "-q", "-d", 2, "--forbid", "flag", *more)["features"]))
        self.write("two.csv", "flag,flag is missing,y\n" + "".join(f"{('0', '1', '')[i % 3]},{i % 2},{'pq'[i % 2]}\n" for i in range(12)))
        for option in ("--require", "--forbid", "--candidate"):
            self.refused(2, f"{option}: 'flag is missing' is ambiguous: it is the column 'flag is missing', and the feature 'flag is missing' of "
                         "column 'flag'; rename a column", "fit", "two.csv", "-q", option, "flag is missing")

    def test_an_empty_value_is_refused(self):
        self.write("d.csv", "a,b,y\n0,1,p\n1,,q\n")
        for option in ("--require", "--forbid", "--candidate", "--features-from", "--weight", "--target", "--ignore", "--resume", "--checkpoint",
                       "--certificate", "--shards", "--costs", "--plan-dir", "--solver", "--report", "-o,--output"):
            self.refused(2, f"{option.split(',')[-1]}: needs a value (see 'beadwork fit --help')", "fit", "d.csv", option.split(",")[0], "")
        self.refused(2, "FILE: needs a value (see 'beadwork fit --help')", "fit", "")
        self.refused(2, "--with-columns: needs a value (see 'beadwork predict --help')", "predict", "m.json", "d.csv", "--with-columns", "")
        self.ok("fit", "d.csv", "-q", "--missing", "", "--missing-also", "x")

    def test_a_refusal_is_one_line(self):
        self.write("d.csv", "a,b,y\n" + "".join(f"{i},{i * 7 % 40},{'pq'[i % 2]}\n" for i in range(40)))
        self.refused(2, "--require: a column with several features cannot be required where sets are listed; require one of them, or forbid the others",
                     "fit", "d.csv", "-q", "-d", 2, "--thresholds", "all", "--require", "a", "--top", 3)

    def test_costs(self):
        self.write("t.csv", "a,b,y\n" + "0,1,no\n" * 6 + "0,1,yes\n" * 2 + "1,0,yes\n" * 3 + "1,1,no\n")
        plain = self.fit("t.csv", "-q", "-d", 1)
        self.assertEqual((plain["training_errors"], "training_cost" in plain), (2, False))
        self.write("k.csv", ",yes,no\nno,0.5,0\nyes,0,2.25\n")  # columns and rows in any order
        o = self.fit("t.csv", "-q", "-d", 2, "--costs", "k.csv", "-o", "m.json")
        self.assertEqual((o["status"], o["training_errors"], o["training_cost"], o["lower_bound"]), ("optimal", 6, 3, 3))
        model = json.loads((self.dir / "m.json").read_text())
        claim = model["claim"]
        self.assertEqual((model["training"]["errors"], claim["status"], claim["costs"]), (6, "optimal", True))
        self.assertEqual(claim["lower_bound"] / claim["scale"], 3)
        self.assertTrue(self.ok("evaluate", "m.json", "t.csv").stdout.startswith("cost 3: 6 errors in 12 rows (6 no as yes)\n"))
        self.assertEqual(json.loads(self.ok("evaluate", "m.json", "t.csv", "--json").stdout)["cost"], 3)
        self.assertEqual(self.fit("t.csv", "-q", "-d", 2, "--costs", "k.csv", "--test", "t.csv")["test"]["cost"], 3)
        self.assertIn("Predicts y: cost 3, claimed optimal; training accuracy 50.0% (6 errors in 12 rows: 6 no as yes)\n",
                      self.ok("show", "m.json").stdout)
        o = self.fit("t.csv", "-q", "-d", "0..2", "--within", 1.5, "--costs", "k.csv")
        self.assertEqual([a["training_cost"] for a in o["by_depth"]], [3.5, 3.5, 3])
        self.assertEqual([s["training_cost"] for s in o["near_sets"]["sets"]], [3])
        self.assertRegex(self.ok("fit", "t.csv", "-q", "-d", 2, "--costs", "k.csv").stdout,
                         r"\Acost 3, 6 errors in 12 rows.*\noptimal: no diagram on at most 2 of these 2 features costs less\n")
        for text, line in ((",yes,no\nno,1,0\n", "k.csv: no row for class 'yes'"),
                           (",yes,maybe\nno,1,0\nyes,0,1\n", "k.csv: column 'maybe' is not a class"),
                           (",yes,yes\nno,1,0\nyes,0,1\n", "k.csv: column 'yes' appears twice"),
                           (",yes,no\nno,1,x\nyes,0,1\n", "k.csv: expected a number of at least 0, got 'x'"),
                           (",yes,no\nno,-1,0\nyes,0,1\n", "k.csv: expected a number of at least 0, got '-1'"),
                           (",yes,no\nno,0,0\nyes,0,0\n", "--costs: all costs are 0")):
            self.write("k.csv", text)
            done = self.run_it("fit", "t.csv", "-q", "--costs", "k.csv")
            self.assertEqual(done.stderr, f"beadwork: {line}\n")
            self.assertIn(done.returncode, (1, 2))
        self.write("k.csv", ",yes,no\nno,1,0\nyes,0,1\n")
        self.refused(2, "--certificate: cannot be combined with --costs", "fit", "t.csv", "-q", "--costs", "k.csv",
                     "--certificate", "c")
        self.refused(2, "--costs: engine enumerate does not have this option; it belongs to search, local", "fit", "t.csv", "--costs",
                     "k.csv", "--engine", "enumerate")

    def test_depth_20_is_no_range(self):
        self.assertNotIn("by_depth", self.fit("d.csv", "-q", "-d", 20))
        self.assertEqual(self.fit("d.csv", "-q", "-d", 2, "--require", "b", "--require", "b", "--time-limit", 0)["features"],
                         ["b"])

    def test_kernels(self):
        expected = self.fit("d.csv", "-d", 2, "-q")["features"]
        self.assertEqual(self.fit("d.csv", "-d", 2, "-q", "--kernel", "portable")["features"], expected)
        self.refused(2, "--kernel: expected auto, avx512, avx2 or portable, got 'fast'", "fit", "d.csv", "-q",
                     "--kernel", "fast")

    def test_min_depth(self):
        o = json.loads(self.ok("min-depth", "d.csv", "--engine", "search", "--json").stdout)
        by_sat = json.loads(self.ok("min-depth", "d.csv", "--json").stdout)
        for key in ("status", "depth", "lower_bound", "upper_bound"):
            self.assertEqual(o[key], by_sat[key])
        self.assertEqual((o["depth"], o["engine"], o["steps"]), (2, "search", []))
        self.refused(2, "--start: engine search does not have this option", "min-depth", "d.csv", "--engine", "search", "--start", 3)


class Checkpoints(CliTest):
    NAME, TABLE, MORE = "noise.txt", staticmethod(noise), ["-q"]
    SHORT, HARD = (30, 5), (40, 7)  # columns and depth of a table that takes a moment, and of one that takes minutes

    def data(self):
        """A file and options on which the search takes some seconds."""
        if PAPER is not None:
            return [PAPER / "splice-1.txt", "-d", 5 if os.environ.get("BEADWORK_SANITIZED") else 6, "-q"]
        return self.noise(40, 6 if os.environ.get("BEADWORK_SANITIZED") else 7)

    def noise(self, columns, depth, seed=5):
        self.write(self.NAME, self.TABLE(300, columns, seed))
        return [self.NAME, "-d", depth, *self.MORE]

    def answer(self, o):
        return {k: o[k] for k in ("status", "training_errors", "lower_bound", "features", "size")}

    def test_killed_and_resumed(self):
        args = self.data()
        whole = self.fit(*args, timeout=1800)
        self.assertEqual(whole["status"], "optimal")
        rng = random.Random(11)
        kills = 0
        pause = whole["time_s"] / 8
        for attempt in range(400):
            state = [f for f in ("state", "state.old") if (self.dir / f).exists()]
            command = [BINARY, "fit", *map(str, args), "--json", "--checkpoint", "state", "--checkpoint-every", "0.02"]
            if state:
                command += ["--resume", "state"]
            process = subprocess.Popen(command, cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            if kills < 10:
                try:
                    out, err = process.communicate(timeout=0.1 + pause * rng.random())
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                    kills += 1
                    continue
            else:
                out, err = process.communicate(timeout=1800)
            self.assertEqual(process.returncode, 0, err.decode())
            self.assertEqual(self.answer(json.loads(out)), self.answer(whole))
            break
        self.assertGreater(kills, 4)

    def test_stopped_by_a_signal_it_can_be_resumed(self):
        args = self.noise(*self.SHORT)
        whole = self.fit(*args, timeout=1800)
        for number in (signal.SIGTERM, signal.SIGINT):
            process = subprocess.Popen([BINARY, "fit", *map(str, args), "--json", "--checkpoint", "state"],
                                       cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(min(0.25, whole["time_s"] / 2))
            process.send_signal(number)
            process.communicate(timeout=1800)
            if process.returncode == 0 and (self.dir / "state").exists():
                o = self.fit(*args, "--resume", "state", timeout=1800)
                self.assertEqual(self.answer(o), self.answer(whole))

    def leave_state(self):
        args = self.noise(*self.HARD)
        for _ in range(2):
            o = self.fit(*args, "--checkpoint", "state", "--time-limit", 0.3)
            self.assertEqual(o["status"], "feasible")
        self.assertEqual(sorted(os.listdir(self.dir)), [self.NAME, "state", "state.old"])
        return ["fit", *args]

    def test_damaged_files(self):
        go_on = [*self.leave_state(), "--time-limit", 0.1, "--resume", "state"]
        self.stopped(*go_on)
        good = (self.dir / "state").read_bytes()
        for bad in (b"", good[:-9], good.replace(b"error", b"3rror"), b"\0" * 100):
            self.write("state", bad)
            self.assertIn("continuing from state.old", self.stopped(*go_on).stderr)
        os.remove(self.dir / "state")
        self.assertIn("continuing from state.old", self.stopped(*go_on).stderr)
        self.assertIn("what helps: --resume state to continue, ", self.stopped(*go_on, "--checkpoint", "state").stderr)
        self.assertTrue((self.dir / "state").exists())
        self.write("state", "x")
        self.write("state.old", "y")
        self.refused(1, "state: not a search state: no checksum", *go_on)

    def test_states_of_something_else(self):
        fit = [*self.leave_state(), "--resume", "state"]
        at = fit.index("-d") + 1
        other = "state: the state belongs to other data or other options"
        self.refused(2, other, *fit[:at], self.HARD[1] - 1, *fit[at + 1:])
        self.refused(2, other, *fit, "--forbid", "f1")
        self.refused(2, "--depth: a range cannot be combined with --resume", *fit[:at], "2..7", *fit[at + 1:])
        self.noise(*self.HARD, seed=6)
        self.refused(2, other, *fit)

    def test_the_papers_reading_has_no_state(self):
        self.refused(2, "--checkpoint: cannot be combined with --faithful", "fit", "noise.txt", "-q", "--faithful",
                     "--checkpoint", "s")


class CheckpointsOverAllThresholds(Checkpoints):
    NAME, TABLE, MORE = "numbers.csv", staticmethod(numbers), ["-q", "--thresholds", "all"]
    SHORT, HARD = (5, 4), (8, 6)

    def data(self):
        return self.noise(5 if os.environ.get("BEADWORK_SANITIZED") else 7, 4)

    def test_a_state_of_the_other_kind(self):
        """With --all-optima the search is over features: a state of one kind is none of the other."""
        fit = self.leave_state()
        self.refused(2, "state: the state is that of a search over sorted columns, and this one is over features", *fit,
                     "--resume", "state", "--bias", "size", "--all-optima")
        self.write("wide.csv", self.TABLE(300, 15))
        self.stopped("fit", "wide.csv", "-d", 8, "-q", "--thresholds", "quantiles:8", "--time-limit", 1, "--checkpoint", "bits")
        self.refused(2, "bits: the state is that of a search over features, and this one is over sorted columns", *fit,
                     "--resume", "bits")
        self.assertEqual((self.dir / "bits").read_text().split()[0], "search-state")

    def test_a_certificate_of_a_resumed_run(self):
        args = self.noise(5, 3)
        self.fit(*args, "--checkpoint", "state")
        o = self.fit(*args, "--resume", "state", "--certificate", "c.txt", "-o", "m.json")
        whole = self.fit(*args, "--certificate", "whole.txt", "-o", "whole.json")
        self.assertEqual((self.dir / "c.txt").read_bytes(), (self.dir / "whole.txt").read_bytes())
        self.assertIn("part of the proof was read from a checkpoint", o["sentence"])
        self.assertNotIn("word of the checkpoint", whole["sentence"])
        a, b = (json.loads((self.dir / name).read_text()) for name in ("m.json", "whole.json"))
        self.assertEqual((a["claim"].pop("resumed"), b["claim"].pop("resumed")), (True, False))
        for one in (a, b):
            del one["sha256"]
        self.assertEqual(a, b)


if __name__ == "__main__":
    unittest.main()
