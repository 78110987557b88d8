"""The corners of the smaller commands: what they refuse, what a limit leaves, what they say on a terminal."""
import json
import os
import pty
import re
import select
import shutil
import subprocess
import unittest

from beadwork_cli import BINARY, CliTest
from test_cli import noise

PARITY = "a,b,c,y\n" + 4 * "".join(f"{i & 1},{i >> 1 & 1},{i >> 2 & 1},{'np'[(i ^ i >> 1 ^ i >> 2) & 1]}\n" for i in range(8))
CONTRADICTION = "a,b,y\n0,0,n\n0,0,p\n1,0,p\n"


def on_a_terminal(*args, cwd, stream="stderr", **env):
    """(exit code, what the terminal shows) of a program whose `stream` is a terminal."""
    master, slave = pty.openpty()
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: slave}
    process = subprocess.Popen([BINARY, *map(str, args)], cwd=cwd, stdin=subprocess.DEVNULL,
                               env={**os.environ, "NO_COLOR": "", "TERM": "xterm", **env}, **streams)
    os.close(slave)
    shown = b""
    while True:
        if select.select([master], [], [], 0.1)[0]:
            try:
                shown += os.read(master, 65536)
            except OSError:  # the other end is closed
                break
        elif process.poll() is not None:
            break
    os.close(master)
    return process.wait(timeout=1800), shown.decode()


class TestRows(CliTest):
    """fit --test tells what evaluate tells of the model that it writes."""

    def setUp(self):
        super().setUp()
        self.write("d.csv", PARITY)
        self.write("t.csv", "c,a,b,y\n0,0,0,n\n1,0,0,p\n1,1,1,n\n1,1,0,p\n7,1,0,p\n")

    def test_as_evaluate(self):
        for more in ((), ("--committee", "1%"), ("--report", "r.html")):
            if more[:1] == ("--committee",):
                more += ("--depth", 2)
            done = self.ok("fit", "d.csv", "--test", "t.csv", "-o", "m.json", *more)
            by_hand = self.ok("evaluate", "m.json", "t.csv")
            self.assertIn("\nTest rows: " + by_hand.stdout, done.stdout)
            unseen = "1 row has a value of 'c' that did not occur"
            self.assertEqual(unseen in by_hand.stderr, not more[:1] == ("--committee",), by_hand.stderr)
            self.assertEqual(unseen in done.stderr, unseen in by_hand.stderr)
        told = json.loads(self.ok("fit", "d.csv", "--test", "t.csv", "--json").stdout)
        self.ok("fit", "d.csv", "-o", "m.json")
        self.assertEqual(told.pop("test"), json.loads(self.ok("evaluate", "m.json", "t.csv", "--json").stdout))
        plain = json.loads(self.ok("fit", "d.csv", "--json").stdout)
        for outcome in (told, plain):
            del outcome["time_s"]
        self.assertEqual(told, plain)

    def test_the_model_is_kept_where_the_test_rows_are_bad(self):
        self.write("bad.csv", "a,b,y\n0,0,n\n")
        done = self.run_it("fit", "d.csv", "--test", "bad.csv", "-o", "m.json", "-q")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("0 errors in 32 rows", done.stdout)
        self.ok("show", "m.json")


class Colours(CliTest):
    def test_only_on_a_terminal_and_only_where_wanted(self):
        line = "beadwork: none.csv: cannot open: No such file or directory"
        shown = lambda **env: on_a_terminal("fit", "none.csv", cwd=self.dir, **env)[1]
        self.assertEqual(shown(), f"\x1b[31m{line}\x1b[0m\r\n")
        for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertEqual(shown(**env), f"{line}\r\n")
        self.assertEqual(self.run_it("fit", "none.csv").stderr, f"{line}\n")


class Decide(CliTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", PARITY)

    def test_refusals(self):
        self.refused(2, "--depth: expected a whole number from 1 to 20, got 0", "decide", "d.csv", "-d", 0)
        self.refused(2, "--encoding: expected bdd1 or bdd2", "decide", "d.csv", "-d", 3, "--encoding", "bdd3")
        self.refused(2, "--encoding: expected bdd1 or bdd2", "min-depth", "d.csv", "--encoding", "pair")
        for command in (("decide", "d.csv", "-d", 3), ("min-depth", "d.csv")):
            self.refused(2, "--time-limit: expected a number from 0 to 1e+09, got 'x'", *command, "--time-limit", "x")
            self.refused(1, "--train-share: ratio 0 is not between 0 and 1", *command, "--train-share", 0)
            self.refused(1, "none.csv: cannot open: No such file or directory", command[0], "none.csv", *command[2:])

    def test_a_share_of_the_rows_is_held_out(self):
        """Parity has no diagram of two features, and one of three that is right on the rows that were not read."""
        for more in ((), ("--stratified", "--split-seed", 2)):
            answer = json.loads(self.ok("decide", "d.csv", "-d", 3, "--train-share", 0.75, "--json", *more).stdout)
            self.assertEqual((answer["status"], answer["rows"], answer["table"]), ("satisfiable", 24, "01101001"))
            self.assertEqual(answer["held_out_accuracy"], 1)
        self.assertIn("least depth from 3 on: 3 (smaller ones were not tried)\n", self.ok("min-depth", "d.csv", "--floor", 3).stdout)
        told = json.loads(self.ok("min-depth", "d.csv", "--floor", 3, "--json").stdout)
        self.assertEqual((told["depth"], told["floor"], told["lower_bound"]), (3, 3, 1))
        self.assertIn("least depth 3\n", self.ok("min-depth", "d.csv", "--train-share", 0.9, "--stratified").stdout)

    def test_contradictions_and_limits(self):
        self.write("bad.csv", CONTRADICTION)
        self.write("long.csv", noise(300, 30))
        for engine in ("sat", "search"):
            done = self.ok("min-depth", "bad.csv", "--engine", engine)
            self.assertEqual(done.stdout, "infeasible: rows with equal features have different classes\n")
            done = self.stopped("min-depth", "long.csv", "--engine", engine, "--time-limit", 0)
            self.assertRegex(done.stdout, r"not decided: the least depth is at least \d\n$")
        done = self.stopped("decide", "long.csv", "-d", 9, "--memory-limit", 1)
        self.assertIn("unknown: stopped by a limit", done.stdout)


class Encode(CliTest):
    def test_the_size_without_a_file_is_that_of_the_file(self):
        self.write("d.csv", PARITY)
        for how in (("bdd1",), ("bdd2",), ("bdd2", "--maxsat"), ("bdd3",), ("pair",), ("dt",)):
            args = ("encode", "d.csv", "-d", 2, "--json", "--encoding", *how)
            self.assertEqual(self.ok(*args).stdout, self.ok(*args, "-o", "f").stdout, how)

    def test_refusals(self):
        self.write("d.csv", PARITY)
        self.refused(2, "--wcnf-format: expected new or old, got 'middle'", "encode", "d.csv", "--wcnf-format", "middle")
        self.refused(1, "none.csv: cannot open: No such file or directory", "encode", "none.csv")
        for more in ((), ("--encoding", "bdd3"), ("--encoding", "bdd3", "--wcnf-format", "old")):
            self.refused(1, "/dev/full: cannot write: No space left on device", "encode", "d.csv", "-d", 2, "-o", "/dev/full", *more)


class Solve(CliTest):
    def setUp(self):
        super().setUp()
        self.write("no.cnf", "c x\n\np cnf 1 2\n1 0\n-1 0\n")
        self.write("w.wcnf", "h 1 2 0\n1 -1 0\n2 -2 0\n")

    def script(self, text):
        self.write("solver", "#!/bin/sh\n" + text)
        os.chmod(self.dir / "solver", 0o755)
        return "./solver"

    def test_refusals(self):
        self.write("empty.cnf", "c nothing\n\n")
        self.refused(1, "empty.cnf:3:1: expected the header 'p cnf variables clauses'", "solve", "empty.cnf")
        self.refused(2, "--proof: there are proofs for CNF files only", "solve", "w.wcnf", "--proof", "p")
        self.refused(1, "/nowhere/p: cannot write: No such file or directory", "solve", "no.cnf", "--proof", "/nowhere/p")
        self.refused(1, "/dev/full: cannot write the proof", "solve", "-q", "no.cnf", "--proof", "/dev/full")
        for name in ("no.cnf", "w.wcnf"):
            self.refused(1, "cannot run 'no-such-solver': No such file or directory", "solve", "-q", name, "--solver", "no-such-solver")

    def test_another_solver(self):
        done = self.run_it("solve", "-q", "no.cnf", "--solver", self.script("echo s UNSATISFIABLE; exit 20\n"))
        self.assertEqual((done.returncode, done.stdout), (20, "c that there is no model is the word of './solver'\ns UNSATISFIABLE\n"))
        done = self.run_it("solve", "w.wcnf", "--solver", self.script("echo o 1; echo s OPTIMUM FOUND; echo v 1 -2\n"))
        self.assertEqual(done.returncode, 30, done.stderr)
        self.assertIn("\ns OPTIMUM FOUND\nv 10\n", done.stdout)
        done = self.run_it("solve", "w.wcnf", "--solver", self.script("echo o 3; echo s SATISFIABLE; echo v 1 2\n"))
        self.assertEqual(done.returncode, 10, done.stderr)
        self.assertRegex(done.stdout, r"o 3\nc bounds 0 3\nc .*\ns SATISFIABLE\nv 11\n")
        for name in ("no.cnf", "w.wcnf"):
            done = self.run_it("solve", "-q", name, "--solver", self.script("echo s UNKNOWN\n"))
            self.assertEqual((done.returncode, done.stdout), (0, "s UNKNOWN\n"))
        self.refused(1, "solver './solver': it claims cost 1, its model costs 2", "solve", "-q", "w.wcnf", "--solver",
                     self.script("echo o 1; echo s OPTIMUM FOUND; echo v -1 2\n"))

    def test_a_limit_may_leave_nothing(self):
        self.write("d.csv", noise(300, 30))
        self.ok("encode", "d.csv", "-d", 6, "--encoding", "bdd3", "-o", "big.wcnf")
        done = self.run_it("solve", "-q", "big.wcnf", "--time-limit", 0)
        self.assertEqual((done.returncode, done.stdout), (0, "s UNKNOWN\n"))


class Compare(CliTest):
    def test_learners_without_an_answer(self):
        self.write("d.csv", noise(60, 12))
        args = ("compare", "d.csv", "-d", 3, "--folds", 2, "--seeds", 1, "--time-limit", 60)
        done = self.stopped(*args, "--engines", "cart,maxsat:encoding=bdd2:solve-limit=0")
        self.assertIn("60 rows", done.stderr)  # what was read is said, unless -q is given
        self.assertRegex(done.stdout, r"(?m)^maxsat:encoding=bdd2:solve-limit=0  no answer in 2 runs$")
        out = json.loads(self.stopped(*args, "-q", "--json", "--engines", "maxsat:encoding=bdd2:encode-limit=0").stdout)
        self.assertEqual((out["engines"][0]["runs"], out["engines"][0]["answered"]), (2, 0))
        self.assertNotIn("size", out["runs"][0])

    def test_a_name_with_a_quote_in_csv(self):
        self.write("d.csv", PARITY)
        self.write("solver", "#!/bin/sh\necho s UNKNOWN\n")
        os.chmod(self.dir / "solver", 0o755)
        done = self.stopped("compare", "d.csv", "-d", 2, "--folds", 2, "--seeds", 1, "-q", "--csv", "--engines", "maxsat:solver=./solver \"x\"")
        self.assertTrue(done.stdout.splitlines()[1].startswith('"maxsat:solver=./solver ""x""",'), done.stdout)

    def test_refusals(self):
        self.write("d.csv", PARITY)
        self.refused(2, "d.csv: this output would overwrite an input", "compare", "d.csv", "-o", "d.csv")
        self.refused(1, "none.csv: cannot open: No such file or directory", "compare", "none.csv")


class Fit(CliTest):
    def test_delimiters(self):
        self.write("d.csv", "a\tb\ty\n0\t1\tn\n1\t0\tp\n")
        for name in ("tab", "\\t", "\t"):
            self.assertEqual(self.fit("d.csv", "--delimiter", name)["training_errors"], 0)
        self.refused(2, "--delimiter: expected , ; | or tab, got ':'", "fit", "d.csv", "--delimiter", ":")
        self.ok("fit", "d.csv", "-o", "m.json")
        self.refused(2, "--delimiter: expected , ; | or tab, got 'q'", "predict", "m.json", "d.csv", "--delimiter", "q")

    def test_lists_are_cut_short_in_words_only(self):
        """Equal columns are counted, not listed."""
        rows = [line + "," + line.split(",")[0] for line in noise(60, 12).splitlines()]
        self.write("d.csv", "\n".join([",".join(["y" if n == 12 else f"f{n}" for n in range(13)]) + ",copy"] + rows[1:]) + "\n")
        args = ("d.csv", "-d", 2, "--within", 30, "--target", "y")
        listed = self.fit(*args)["near_sets"]
        said, _ = self.ok("fit", *args, "-q").stdout.split("Without idle features: ")
        more = re.search(r"\n  and (\d+) more \(--json has them\)\n", said)
        shown = re.findall(r"\n  \d+ errors: ", said)
        self.assertEqual(int(more[1]) + len(shown), len(listed["sets"]))
        self.assertIn(" x 2\n", said)

    def test_what_a_limit_leaves_is_said(self):
        self.write("d.csv", noise(400, 40))
        said = self.stopped("fit", "d.csv", "-d", "1..10", "--time-limit", 0.7, "-q").stdout
        self.assertRegex(said, r"(?m)^depth 1: \d+ errors \(optimal")
        self.assertRegex(said, r"(?m)^depth \d+: \d+ errors, at least \d+ \(feasible")
        for lists in (("--within", 90), ("--front",)):
            self.assertIn("(stopped early: there may be more)", self.stopped("fit", "d.csv", "-d", 8, "--time-limit", 0.7, *lists).stdout)
        done = self.stopped("fit", "d.csv", "-d", 8, "--time-limit", 0.7, "--certificate", "c.txt")
        self.assertRegex(done.stderr, r"the certificate covers only the lower bound \d+\n")

    def test_the_page_shows_the_bounds_over_time(self):
        self.write("d.csv", noise(2000, 60))
        for limit in (1, 4, 16):  # whatever else the machine does
            self.stopped("fit", "d.csv", "-d", 8, "--time-limit", limit, "-q", "--report", "p.html")
            bounds = json.loads(re.search(r'"bounds":(\[\[.*?\]\])', (self.dir / "p.html").read_text())[1])
            if len(bounds) > 1:
                break
        self.assertGreaterEqual(len(bounds), 2)
        times = [moment[0] for moment in bounds]
        self.assertEqual(times, sorted(times))
        for _, lower, upper in bounds:
            self.assertLessEqual(lower, upper)
        self.ok("fit", "d.csv", "--engine", "cart", "-q", "--report", "p.html")

    def test_a_proof_of_no_errors(self):
        self.write("d.csv", PARITY)
        for encoding in ("bdd2", "bdd3", "pair"):
            done = self.ok("fit", "d.csv", "-d", 3, "--engine", "maxsat", "--encoding", encoding, "--proof", "p", "--check-proof")
            self.assertIn("optimal: no diagram", done.stdout)
            self.assertIn("proof checked", done.stderr)
            self.assertEqual((self.dir / "p.cnf").read_text(), "p cnf 0 1\n0\n")
            self.assertEqual((self.dir / "p").read_text(), "0\n")


class Models(CliTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", "c,y\nred,p\nblue,n\n")
        self.ok("fit", "d.csv", "-o", "m.json", "-q")

    def test_values_that_training_did_not_have(self):
        self.write("new.csv", "c,y\ngreen,p\nblue,n\n")
        done = self.ok("evaluate", "m.json", "new.csv", "--json")
        self.assertEqual(json.loads(done.stdout)["unseen"], {"c": 1})
        self.assertIn("warning: 1 row has a value of 'c' that did not occur in training", done.stderr)

    def test_refusals(self):
        self.write("other.csv", "y\np\n")
        for command in ("evaluate", "predict"):
            self.refused(1, "other.csv: the model needs column 'c', which is missing; the columns are 'y'", command, "m.json", "other.csv")
        self.refused(1, "none.json: cannot open: No such file or directory", "export", "none.json", "--to", "c")
        self.refused(1, "none.json: cannot open: No such file or directory", "report", "none.json", "-o", "p.html")
        self.refused(1, "none.csv: cannot open: No such file or directory", "report", "m.json", "none.csv", "-o", "p.html")
        done = self.run_it("report", "m.json", "d.csv", "--certificate", "none", "-o", "p.html")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.endswith("beadwork: none: cannot open: No such file or directory\n"), done.stderr)

    def test_no_bytes_on_a_terminal(self):
        code, shown = on_a_terminal("export", "m.json", "--to", "onnx", cwd=self.dir, stream="stdout")
        self.assertEqual((code, shown), (2, ""))
        code, shown = on_a_terminal("export", "m.json", "--to", "c", cwd=self.dir, stream="stdout")
        self.assertEqual(code, 0)
        self.assertIn("beadwork_class", shown)

    def test_a_checker_that_is_not_there_or_says_nothing(self):
        """A program of that name beside ours is asked; only what it says with exit code 0 counts."""
        self.ok("fit", "d.csv", "-o", "m.json", "--certificate", "c.txt", "-q")
        (self.dir / "bin").mkdir()
        ours = shutil.copy(BINARY, self.dir / "bin" / "beadwork")

        def verdict():
            done = subprocess.run([ours, "report", "m.json", "d.csv", "--certificate", "c.txt", "-o", "p.html"], cwd=self.dir,
                                  capture_output=True, text=True, env={**os.environ, "PATH": "/nowhere"}, check=True)
            verified = "verified" in re.search(r'"standing":"(\w*)"|$', (self.dir / "p.html").read_text())[0]
            return done.stderr.rpartition("c.txt: ")[2].strip(), verified

        self.assertEqual(verdict(), ("not checked: cannot run 'beadcheck': No such file or directory", False))
        for text, said in (("exit 0", "not checked: beadcheck gave no result"), ("echo VERIFIED; exit 1", "VERIFIED"),
                           ("echo REJECTED: x; exit 1", "REJECTED: x")):
            self.write("bin/beadcheck", f"#!/bin/sh\n{text}\n")
            os.chmod(self.dir / "bin" / "beadcheck", 0o755)
            self.assertEqual(verdict(), (said, False))


class Study(CliTest):
    def setUp(self):
        super().setUp()
        self.write("a.csv", PARITY)
        self.write("s.json", json.dumps({"name": "x", "sets": ["a.csv"], "depths": [1, 2], "learners": [{"name": "c", "engine": "cart"}],
                                         "tables": [{"name": "t", "rows": ["depth"], "published": "pub.csv", "columns": [
                                             {"title": "T", "learner": "c", "measure": "train"}]}]}))

    def test_progress(self):
        done = self.ok("study", "s.json", "--data", ".")
        self.assertRegex(done.stderr, r"(?m)^2 of 2 runs, \d+ s, 0 s left, a.csv/depth 2/whole/seed 1/c$")
        self.assertEqual(len((self.dir / "s.jsonl").read_text().splitlines()), 2)
        code, shown = on_a_terminal("study", "s.json", "--data", ".", "-o", "r.jsonl", cwd=self.dir)
        self.assertEqual(code, 0)
        self.assertIn("\r\x1b[K2 of 2 runs", shown)

    def test_shards(self):
        for shard in ("3/2", "0/2", "1/2x", "a", "1"):
            self.refused(2, f"--shard: expected i/n with i from 1 to n, got '{shard}'", "study", "s.json", "--data", ".", "--shard", shard)

    def test_records(self):
        self.ok("study", "s.json", "--data", ".", "-q")
        self.refused(1, "./pub.csv: cannot open: No such file or directory", "study", "report", "s.jsonl", "--study", "s.json",
                     "--data", ".", "-o", ".")
        self.write("pub.csv", "depth,x\n1,2\n")
        args = ("--study", "s.json", "--data", ".", "-o")
        self.ok("study", "report", "s.jsonl", *args, "one")
        with open(self.dir / "s.jsonl", "rb") as record:
            done = subprocess.run([BINARY, "study", "report", "-", *args, "two"], cwd=self.dir, stdin=record, capture_output=True, check=True)
        self.assertIn(b"2 runs, 1 tables and 0 figures in two", done.stderr)
        self.assertEqual((self.dir / "one" / "t.csv").read_text(), (self.dir / "two" / "t.csv").read_text())
        with open(self.dir / "s.jsonl", "a", encoding="utf-8") as record:
            record.write('{"set')
        self.assertIn("warning: s.jsonl: its last line is incomplete and was ignored", self.ok("study", "report", "s.jsonl", *args, "one").stderr)
        self.assertIn("x: 2 runs planned, 2 already recorded", self.ok("study", "s.json", "--data", ".", "-q").stderr)
        self.refused(1, "none.jsonl: no such file", "study", "merge", "s.jsonl", "none.jsonl", "-o", "m.jsonl")
        self.refused(1, "a.csv: cannot make the folder: Not a directory", "study", "report", "s.jsonl", *args, "a.csv")


if __name__ == "__main__":
    unittest.main()
