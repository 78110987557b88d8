"""Studies by the command line: a tiny one end to end, killed and resumed, in shards, its tables against golden files."""
import csv
import fcntl
import gzip
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import time
import unittest

from beadwork_cli import BINARY, CliTest

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden" / "study"

PLAN = {
    "name": "A tiny study",
    "folder": "data",
    "suffix": ".txt",
    "sets": ["alpha", "beta"],
    "depths": [1, 2],
    "folds": 3,
    "seeds": [1, 2],
    "learners": [
        {"name": "cart", "engine": "cart"},
        {"name": "exact", "engine": "search", "options": {"bias": "C"}, "literals": "bdd2"},
        {"name": "heuristic", "engine": "search", "options": {"features-from": "cart"}},
    ],
    "tables": [
        {"name": "accuracy", "caption": "Means of six runs.", "published": "published.csv", "rows": ["dataset", "depth"], "columns": [
            {"title": "CART train", "learner": "cart", "measure": "train", "published": "cart_train"},
            {"title": "exact train", "learner": "exact", "measure": "train", "published": "exact_train"},
            {"title": "exact test", "learner": "exact", "measure": "test"},
            {"title": "exact size", "learner": "exact", "measure": "size", "digits": 1},
            {"title": "literals", "learner": "exact", "measure": "literals"},
            {"title": "proven %", "learner": "exact", "measure": "optimal", "published": "exact_time", "digits": 0},
        ]}
    ],
    "figures": [
        {"name": "scatter", "caption": "CART & exact", "kind": "scatter", "series": [
            {"title": "CART", "learner": "cart", "measure": "train"}, {"title": "exact", "learner": "exact", "measure": "train"}]},
        {"name": "boxes", "caption": "Test", "kind": "boxes", "series": [{"title": "exact", "learner": "exact", "measure": "test"}]},
        {"name": "race", "caption": "Time", "kind": "race", "published": "published.csv", "timeout": 900, "series": [
            {"title": "published", "published": "exact_time"}, {"title": "exact", "learner": "exact", "measure": "seconds"}]},
    ],
}


def table(rows, features, seed):
    rng = random.Random(seed)
    lines = []
    for _ in range(rows):
        bits = [rng.randint(0, 1) for _ in range(features)]
        label = (bits[0] ^ bits[1]) if rng.random() < 0.85 else rng.randint(0, 1)
        lines.append(" ".join(map(str, [label, *bits])))
    return "\n".join(lines) + "\n"


def comparable(text):
    """The lines of a record, sorted, without what depends on the machine's pace."""
    lines = []
    for line in text.splitlines():
        entry = json.loads(line)
        for volatile in ("seconds", "peak_mib"):
            entry.pop(volatile, None)
        lines.append(json.dumps(entry))
    return sorted(lines)


class Study(CliTest):
    def setUp(self):
        super().setUp()
        (self.dir / "data").mkdir()
        self.write("data/alpha.txt", table(60, 6, 1))
        self.write("data/beta.txt", table(45, 5, 2))
        self.write("published.csv", "dataset,depth,cart_train,exact_train,exact_time\nalpha,1,50.5,51,0.7\nalpha,2,90,NA,TO\nbeta,1,60,60,1.5\n")
        self.write("study.json", json.dumps(PLAN))

    def study(self, record, *more):
        return self.ok("study", "study.json", "--data", ".", "-o", record, "-q", *more)

    def test_where_tables_are_looked_for(self):
        """BEADWORK_DATA alone, else the user's cache, else beside the checkout: the place that has most of the study's tables."""
        cache, beside = self.dir / "cache" / "beadwork" / "data", self.dir / "shared" / "datasets" / "data"
        (self.dir / "here").mkdir()
        for name in ("alpha", "beta"):
            cache.mkdir(parents=True, exist_ok=True)
            beside.mkdir(parents=True, exist_ok=True)
            (beside / f"{name}.txt").write_bytes((self.dir / f"data/{name}.txt").read_bytes())
        (cache / "alpha.txt").write_bytes((self.dir / "data/alpha.txt").read_bytes())
        plain = {key: value for key, value in os.environ.items() if key not in ("BEADWORK_DATA", "XDG_CACHE_HOME")}

        def run(**env):
            record = self.dir / "here" / "r.jsonl"
            record.unlink(missing_ok=True)
            return subprocess.run([BINARY, "study", "../study.json", "-o", "r.jsonl", "-q", "--only", "cart"], cwd=self.dir / "here",
                                  capture_output=True, text=True, env={**plain, **env}, timeout=1800)

        def script(**env):
            done = subprocess.run([BINARY, "study", "slurm", "../study.json", "--shards", "2"], cwd=self.dir / "here", capture_output=True,
                                  text=True, env={**plain, **env}, timeout=1800)
            return re.search(r" --data (\S+)", done.stdout)[1]

        caches = {"XDG_CACHE_HOME": str(self.dir / "cache")}
        self.assertEqual(run(**caches).returncode, 0)
        self.assertEqual(script(**caches), str(self.dir / "shared" / "datasets"))  # the cache has one table of two
        (cache / "beta.txt").write_bytes((self.dir / "data/beta.txt").read_bytes())
        self.assertEqual(script(**caches), str(self.dir / "cache" / "beadwork"))
        self.assertEqual(script(**caches, BEADWORK_DATA=str(self.dir)), str(self.dir))
        self.assertEqual(run(BEADWORK_DATA=str(self.dir)).returncode, 0)
        done = run(**caches, BEADWORK_DATA=str(self.dir / "nothing"))
        self.assertEqual((done.returncode, done.stderr),
                         (1, f"beadwork: {self.dir}/nothing/data/alpha.txt: cannot open: No such file or directory; 'make data' gets the paper's "
                             "tables (docs/data.md), --data names another folder\n"))
        self.assertEqual(self.run_it("study", "study.json", "--data", "nothing", "-o", "x", "-q").stderr,
                         "beadwork: nothing/data/alpha.txt: cannot open: No such file or directory\n")

    def test_published_values_are_beside_the_study_file(self):
        self.study("r.jsonl", "--only", "cart")
        (self.dir / "studies").mkdir()
        (self.dir / "study.json").rename(self.dir / "studies/study.json")
        render = ("study", "report", "r.jsonl", "--study", "studies/study.json", "--data")
        self.ok(*render, ".", "-o", "with the data")
        (self.dir / "published.csv").rename(self.dir / "studies/published.csv")
        self.ok(*render, "nothing", "-o", "beside")
        self.assertEqual((self.dir / "with the data/report.md").read_text(), (self.dir / "beside/report.md").read_text())
        (self.dir / "studies/published.csv").unlink()
        self.assertIn("nothing/published.csv: ", self.run_it(*render, "nothing", "-o", "beside").stderr)

    def test_a_table_that_changes_is_not_mixed_with_what_it_was(self):
        words = ("study", "study.json", "--data", ".", "-q", "-o")
        self.stopped(*words, "r.jsonl", "--limit", 5)
        self.study("whole.jsonl", "--only", "beta/")
        before = (self.dir / "r.jsonl").read_text()
        self.write("data/alpha.txt", table(60, 6, 3))
        self.refused(1, "./data/alpha.txt: has changed: r.jsonl has runs on another table of 'alpha'; use another record file", *words, "r.jsonl")
        self.assertEqual((self.dir / "r.jsonl").read_text(), before)
        self.stopped(*words, "whole.jsonl", "--limit", 30)  # no run on alpha was recorded there
        other = (self.dir / "whole.jsonl").read_text()
        for name in ("mixed.jsonl", "alone.jsonl"):  # in two records, and in one
            self.write(name, other if name == "alone.jsonl" else before + other)
            records = ("r.jsonl", "alone.jsonl") if name == "alone.jsonl" else ("mixed.jsonl",)
            why = "alpha: has runs on two tables of this name: the file changed between them"
            self.refused(1, why, "study", "merge", *records)
            self.refused(1, why, "study", "report", *records, "--study", "study.json", "--data", ".", "-o", "out")
        self.refused(1, "mixed.jsonl: alpha: has runs on two tables of this name: the file changed between them", *words, "mixed.jsonl")

    def test_end_to_end(self):
        said = self.study("r.jsonl", "--jobs", 2).stderr
        self.assertIn("72 runs planned, 0 already recorded, 72 run now, 0 failed", said)
        self.assertIn("72 runs planned, 72 already recorded, 0 run now", self.study("r.jsonl").stderr)
        entries = [json.loads(line) for line in (self.dir / "r.jsonl").read_text().splitlines()]
        self.assertEqual(len({(e["set"], e["depth"], e["seed"], e["part"], e["learner"]) for e in entries}), 72)
        for e in entries:
            self.assertLessEqual({"data_sha256", "version", "status", "lower_bound", "errors", "train", "test", "size", "features",
                                  "seconds", "peak_mib"}, e.keys())
            self.assertEqual(e["status"], "feasible" if e["learner"] == "cart" else "optimal")
        by = lambda **keys: [e for e in entries if all(e[k] == v for k, v in keys.items())]
        for e in by(learner="exact"):
            rival, = by(learner="heuristic", set=e["set"], depth=e["depth"], seed=e["seed"], part=e["part"])
            self.assertLessEqual(e["errors"], rival["errors"])

        self.ok("study", "report", "r.jsonl", "--study", "study.json", "--data", ".", "-o", "out")
        for name in ("accuracy.csv", "accuracy.tex", "report.md"):
            made = re.sub(r"beadwork \d+\.\d+\.\d+", "beadwork VERSION", (self.dir / "out" / name).read_text())
            if os.environ.get("BEADWORK_GOLDEN_UPDATE"):
                GOLDEN.mkdir(exist_ok=True)
                (GOLDEN / name).write_text(made)
            self.assertEqual(made, (GOLDEN / name).read_text(), name)
        cells = (self.dir / "out" / "accuracy.csv").read_text()
        cells = [line for line in cells.splitlines() if not line.startswith("#")][1].split(",")
        mine = [e["train"] for e in by(learner="cart", set="alpha", depth=1)]
        self.assertEqual(cells[:3], ["alpha", "1", f"{sum(mine) / 6:.4f}"])
        for name in ("scatter", "boxes", "race"):
            self.assertIn("</svg>", (self.dir / "out" / f"{name}.svg").read_text())

    def test_packed_records_are_read(self):
        self.study("r.jsonl", "--only", "alpha/depth 1")
        report = lambda record, out, **more: self.run_it("study", "report", record, "--study", "study.json", "--data", ".", "-o", out, **more)
        self.assertEqual(report("r.jsonl", "plain").returncode, 0)
        packed = gzip.compress((self.dir / "r.jsonl").read_bytes())
        for name in ("r.jsonl.gz", "-dash.gz"):
            self.write(name, packed)
        self.assertEqual(report("r.jsonl.gz", "packed").returncode, 0)
        for name in ("accuracy.csv", "report.md"):
            self.assertEqual((self.dir / "packed" / name).read_text(), (self.dir / "plain" / name).read_text())
        self.assertEqual(self.ok("study", "merge", "./-dash.gz", "r.jsonl").stdout, self.ok("study", "merge", "r.jsonl").stdout)
        self.write("cut.gz", packed[:-20])
        done = report("cut.gz", "none")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
        self.assertIn("beadwork: cut.gz: ", done.stderr)

    @unittest.skipIf(os.environ.get("BEADWORK_SANITIZED"), "a sanitizer takes more address space than the test grants")
    def test_a_packed_record_takes_little_memory(self):
        bomb = gzip.compress(b" " * (1 << 24), 9) * 8
        line = (json.dumps({"set": "a", "part": "whole", "seed": 1, "learner": "c", "data_sha256": "", "version": "", "status": "optimal"}) + "\n").encode()
        many = gzip.compress(line * 100000, 9) * 8
        self.write("bomb.jsonl.gz", bomb)
        self.write("many.jsonl.gz", many)

        def small():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))

        small = None if os.environ.get("BEADWORK_SANITIZED") == "1" else small
        done = self.run_it("study", "merge", "bomb.jsonl.gz", preexec_fn=small)
        self.assertEqual((done.returncode, done.stderr), (1, "beadwork: bomb.jsonl.gz:1: a line of more than 1048576 bytes\n"))
        self.assertEqual(self.ok("study", "merge", "many.jsonl.gz", preexec_fn=small).stdout.count("\n"), 1)

    def test_no_output_takes_the_place_of_an_input(self):
        text = (self.dir / "study.json").read_text()
        run = ("study", "study.json", "--data", ".")
        slurm = ("study", "slurm", "study.json", "--data", ".")
        self.study("r.jsonl", "--only", "alpha/depth 1")
        overwrite = "this output would overwrite an input"
        os.link(self.dir / "study.json", self.dir / "hard")
        for name, words in (("study.json", (*run, "-o")), ("hard", (*run, "-o")), ("./data/alpha.txt", (*run, "-o")), ("study.json", (*slurm, "-o")),
                            ("data/beta.txt", (*slurm, "-o")), ("published.csv", (*run, "-o")), ("r.jsonl", ("study", "merge", "r.jsonl", "-o"))):
            before = (self.dir / name).read_bytes()
            self.refused(2, f"{name}: {overwrite}", *words, name)
            self.assertEqual((self.dir / name).read_bytes(), before)
        self.refused(2, "r.jsonl: this output would overwrite a file of another run", *slurm, "--record", "r.jsonl", "-o", "r.jsonl")
        (self.dir / "out").mkdir()
        os.link(self.dir / "study.json", self.dir / "out" / "report.md")
        self.refused(2, f"out/report.md: {overwrite}", "study", "report", "r.jsonl", "--study", "study.json", "--data", ".", "-o", "out")
        self.assertEqual((self.dir / "study.json").read_text(), text)

    def test_a_file_that_is_no_record_stays_as_it_is(self):
        for content in ("a,b,y\n0,1,p", "one line", '{"a": "model"}', "{}", '{"set"', "\0\0\0", "a,b\n"):
            self.write("other", content)
            done = self.run_it("study", "study.json", "--data", ".", "-o", "other", "-q", "--only", "alpha/depth 1/fold 0 of 3/seed 1/cart")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (1 if content != '{"set"' else 0, 1), (content, done.stderr))
            if content != '{"set"':  # that is how a line begins: a run was killed there
                self.assertEqual((self.dir / "other").read_text(), content)

    def test_what_a_study_says_is_text(self):
        evil = "\x1b]0;x\x07=1+1"
        plan = {**PLAN, "name": "x\x1b[31m", "sets": ["alpha"], "depths": [1], "seeds": [1], "figures": [], "learners": [{"name": evil, "engine": "cart"}],
                "tables": [{"name": "t", "caption": "<script>alert(1)</script> ![](http://x)\n# h", "rows": ["dataset"], "columns": [
                    {"title": "\\input{x} a^b", "learner": evil, "measure": "train"}, {"title": '=cmd|"/c calc"!A0\n@x', "learner": evil, "measure": "test"}]}]}
        self.write("evil.json", json.dumps(plan))
        first = self.run_it("study", "evil.json", "--data", ".", "-o", "r.jsonl")
        second = self.run_it("study", "report", "r.jsonl", "--study", "evil.json", "--data", ".", "-o", "out")
        self.assertEqual((first.returncode, second.returncode), (0, 0), first.stderr + second.stderr)
        self.assertIn("=1+1", first.stderr)
        texts = {name: (self.dir / "out" / name).read_text() for name in ("report.md", "t.csv", "t.tex")}
        for text in (first.stderr, second.stderr, *texts.values()):
            self.assertFalse(set(text) & set("\x1b\x07\r"), text)
        self.assertEqual(len([line for line in texts["report.md"].splitlines() if line.startswith("#")]), 2)
        for piece in ("<script>", "![](", "] (http"):
            self.assertNotIn(piece, texts["report.md"])
        self.assertNotIn("\\input", texts["t.tex"])
        rows = list(csv.reader(line for line in texts["t.csv"].splitlines() if not line.startswith("#")))
        self.assertEqual({len(row) for row in rows}, {7})
        self.assertEqual([cell for row in rows for cell in row if cell.startswith(("=", "@"))], [])

    def test_killed_at_random_it_loses_and_repeats_nothing(self):
        self.study("whole.jsonl")
        rng = random.Random(3)
        kills = 0
        command = [BINARY, "study", "study.json", "--data", ".", "-o", "r.jsonl", "-q", "--jobs", "2"]
        while kills < 50:
            run = subprocess.Popen(command, cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(0, 0.06))
            if run.poll() is None:
                run.send_signal(signal.SIGKILL)
                kills += 1
            run.wait()
            record = self.dir / "r.jsonl"
            if record.exists() and record.read_bytes().count(b"\n") >= 72:  # done: the same again from a part of it
                record.write_bytes(record.read_bytes()[:rng.randint(0, 4000)])
        self.study("r.jsonl")
        self.assertEqual(comparable((self.dir / "r.jsonl").read_text()), comparable((self.dir / "whole.jsonl").read_text()))

    def test_a_signal_has_the_code_of_a_stopped_run(self):
        """Nothing recorded: 3; something: 4."""
        script = f"touch {self.dir}/asked; sleep 600"
        command = [*self.solver_study(script)[:-2], "--allow-solver"]
        for code in (3, 4):
            run = subprocess.Popen([BINARY, *command], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.wait_until((self.dir / "asked").exists, 30)
            run.send_signal(signal.SIGTERM)
            self.assertEqual(run.wait(timeout=1800), code)
            (self.dir / "asked").unlink()
            if code == 3:  # one run is in the record from now on
                self.solver_study("echo 's UNKNOWN'")
                self.stopped(*command, "--limit", 1)
                self.solver_study(script)

    def test_two_studies_do_not_write_to_one_record(self):
        record = self.dir / "held.jsonl"
        with open(record, "w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.refused(1, "held.jsonl: another run is writing to this file", "study", "study.json", "--data", ".", "-o", "held.jsonl", "-q")
        self.study("held.jsonl")

    def test_shards_merged_equal_one_run(self):
        self.study("whole.jsonl")
        self.study("one.jsonl", "--shard", "1/2")
        self.study("two.jsonl", "--shard", "2/2")
        self.assertEqual(len((self.dir / "one.jsonl").read_text().splitlines()), 36)
        self.ok("study", "merge", "one.jsonl", "two.jsonl", "-o", "both.jsonl")
        self.assertEqual(comparable((self.dir / "both.jsonl").read_text()), comparable((self.dir / "whole.jsonl").read_text()))

    def test_only_and_limit(self):
        done = self.stopped("study", "study.json", "--data", ".", "-o", "r.jsonl", "-q", "--only", "alpha/depth 2", "--limit", 5)
        self.assertIn("5 run now, 0 failed", done.stderr)
        self.assertIn("stopped; run the same command to continue", done.stderr)
        entries = [json.loads(line) for line in (self.dir / "r.jsonl").read_text().splitlines()]
        self.assertEqual([(e["set"], e["depth"]) for e in entries], [("alpha", 2)] * 5)

    def test_bad_input(self):
        def refused(*args):
            done = self.run_it("study", *args)
            self.assertEqual((done.returncode in (1, 2), len(done.stderr.splitlines())), (True, 1), done.stderr)
            return done.stderr

        self.assertIn("a study file is missing", refused())
        self.write("bad.json", "{")
        self.assertIn("bad.json: is not valid JSON at byte 2 (is it truncated, or not a study file?)", refused("bad.json"))
        for change, reason in (({"depth": 3}, "unknown key 'depth'"), ({"depths": []}, "no depths"),
                               ({"shares": ["0.5"]}, "folds and shares exclude each other"), ({"folds": "x"}, "not a whole number"),
                               ({"learners": [{"name": "a", "engine": "nobody"}]}, "nobody"),
                               ({"learners": [{"name": "a", "engine": "cart", "options": {"top": 3}}], "tables": []}, "top"),
                               ({"sets": ["gamma"]}, "gamma.txt")):
            self.write("bad.json", json.dumps({**PLAN, **change}))
            self.assertIn(reason, refused("bad.json", "--data", ".", "-o", "bad.jsonl", "-q"))
        self.assertIn("i/n", refused("study.json", "--data", ".", "--shard", "3/2"))
        self.study("r.jsonl", "--only", "cart")
        changed = {**PLAN, "learners": [{"name": "cart", "engine": "cart", "options": {"impurity": "entropy"}}, *PLAN["learners"][1:]]}
        self.write("changed.json", json.dumps(changed))
        self.assertIn("recorded with other options", refused("changed.json", "--data", ".", "-o", "r.jsonl"))
        self.write("odd.jsonl", "{}\n")
        self.assertIn("odd.jsonl:1: ", refused("merge", "odd.jsonl"))
        text = (self.dir / "r.jsonl").read_text()
        first = json.loads(text.splitlines()[0])
        self.write("other.jsonl", json.dumps({**first, "errors": first["errors"] + 1}) + "\n")
        self.assertIn("recorded twice with different results", refused("merge", "r.jsonl", "other.jsonl"))

    def test_a_study_file_need_not_be_trusted(self):
        """It neither runs programs nor writes anywhere but into the folder of the report, and it cannot crash us."""
        self.ok("study", "study.json", "--data", ".", "-o", "r.jsonl", "-q", "--only", "cart")

        def refused(reason, plan):
            self.write("bad.json", plan if isinstance(plan, str) else json.dumps({**PLAN, **plan}))
            self.refused(1, f"bad.json{reason}", "study", "report", "r.jsonl", "--study", "bad.json", "--data", ".", "-o", "out/deep/er")

        rule = "a file name may have only letters, digits, - and _, got"
        table, figure = PLAN["tables"][0], PLAN["figures"][0]
        refused(f", table 1: {rule} '../../escaped'", {"tables": [{**table, "name": "../../escaped"}]})
        refused(f", figure 1: {rule} '../escaped'", {"figures": [{**figure, "name": "../escaped"}]})
        refused(", table 1: expected rows by dataset, depth or ratio, got 'set'", {"tables": [{**table, "rows": ["set"]}]})
        refused(": is nested deeper than 64 levels", "[" * 200_000)
        refused(": is nested deeper than 64 levels", '{"name": ' + "[" * 200_000 + "]" * 200_000 + "}")
        refused(", learner 1: a study file may not set 'proof', which names a file to write",
                {"learners": [{"name": "cart", "engine": "maxsat", "options": {"proof": "../escaped"}}]})

    def solver_study(self, script):
        """A study whose only run asks another solver: a shell script."""
        path = self.dir / "solver.sh"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        learner = {"name": "other", "engine": "maxsat", "options": {"solver": str(path)}}
        self.write("solver.json", json.dumps({**PLAN, "learners": [learner], "tables": [], "figures": []}))
        return ["study", "solver.json", "--data", ".", "-o", "s.jsonl", "-q", "--limit", "1"]

    def test_a_solver_runs_only_where_the_command_line_allows_it(self):
        command = self.solver_study(f"touch {self.dir}/ran; echo 's UNKNOWN'")
        self.refused(1, f"A tiny study: learner 'other' runs the program '{self.dir}/solver.sh', which needs --allow-solver", *command)
        self.assertFalse((self.dir / "ran").exists())
        self.stopped(*command, "--allow-solver")
        self.assertTrue((self.dir / "ran").exists())

    def test_killed_it_leaves_no_solver_behind(self):
        """SIGKILL to the program alone ends the solver, what that has started, and removes the formula."""
        script = f"trap '' TERM HUP INT; echo \"$1\" > {self.dir}/formula; sleep 600 & echo $! > {self.dir}/child; echo $$ > {self.dir}/parent; sleep 600"
        study = [*self.solver_study(script), "--allow-solver"]
        fit = ["fit", "data/alpha.txt", "-d", "2", "--engine", "maxsat", "--solver", f"{self.dir}/solver.sh"]
        for command in (fit, study):
            run = subprocess.Popen([BINARY, *command], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            parent = self.dir / "parent"
            pids = lambda: [int((self.dir / name).read_text()) for name in ("parent", "child")]
            self.wait_until(lambda: parent.exists() and parent.read_text().endswith("\n"), 30)
            for pid in pids():
                self.addCleanup(lambda pid=pid: alive(pid) and os.kill(pid, signal.SIGKILL))
            self.assertTrue(all(map(alive, pids())))
            run.send_signal(signal.SIGKILL)
            run.wait()
            self.wait_until(lambda: not any(map(alive, pids())), 1)
            self.wait_until(lambda: not pathlib.Path((self.dir / "formula").read_text().strip()).exists(), 1)
            parent.unlink()

    def wait_until(self, true, seconds):
        end = time.monotonic() + seconds
        while not true():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)


def alive(pid):
    """A zombie that nobody has waited for yet is not."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


if __name__ == "__main__":
    unittest.main()
