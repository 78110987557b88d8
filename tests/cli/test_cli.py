"""The real program, run as people run it: products, exit codes, signals, terminals, full disks."""
import csv
import json
import os
import pty
import select
import signal
import stat
import subprocess
import time
import unittest

from beadwork_cli import BINARY, SMALL, CliTest, check_schema, cpu_of_children, noise, read_csv, recount, send_and_wait


class Products(CliTest):
    def test_help_and_version(self):
        self.assertRegex(self.ok("--version").stdout, r"^beadwork \d+\.\d+\.\d+\ncompiled by .*; kernel \w+; CaDiCaL .*\n$")
        text = " ".join(self.ok("--help").stdout.split())
        self.assertIn("Exit codes: 0 done; 1 bad input, or an output that cannot be written; 2 usage; 3 stopped", text)
        for command in ("fit", "predict", "evaluate", "show", "binarize", "datasets", "engines"):
            done = self.ok(command, "--help")
            self.assertIn("Usage:", done.stdout)
            self.assertEqual(done.stderr, "")

    def test_engines(self):
        self.assertRegex(self.ok("engines").stdout, r"(?m)^enumerate +\S")

    def test_datasets(self):
        rows = {"tic-tac-toe": 958, "monk-1": 432, "monk-2": 432, "monk-3": 432, "multiplexer-6": 64, "multiplexer-11": 2048}
        listed = [line.split()[0] for line in self.ok("datasets").stdout.splitlines()]
        self.assertEqual(listed, list(rows))
        for name, count in rows.items():
            text = self.ok("datasets", "make", name).stdout
            self.assertEqual(len(text.splitlines()), 1 + count)
            self.ok("datasets", "make", name, "-o", "d.csv")
            self.assertEqual((self.dir / "d.csv").read_text(), text)

    def test_fit_predict_evaluate_show(self):
        self.ok("datasets", "make", "monk-3", "-o", "d.csv")
        o = self.fit("d.csv", "-d", 4, "-o", "m.json")
        model = json.loads((self.dir / "m.json").read_text())
        self.assertEqual(check_schema(model), [])
        raw = read_csv(self.dir / "d.csv")
        errors, counts = recount(model, raw)
        self.assertEqual((o["status"], o["training_errors"]), ("optimal", errors))
        self.assertEqual(model["paths"], counts)
        self.assertEqual([f["name"] for f in model["features"]], o["features"])
        keys = ["status", "training_errors", "rows", "total_weight", "lower_bound", "upper_bound", "gap", "training_accuracy",
                "features", "used_features", "size", "inner_nodes", "depth", "bias", "claim", "sentence", "engine", "classes", "num_features",
                "thresholds", "seed", "faithful", "time_s", "columns"]
        self.assertEqual(sorted(o), sorted(keys))
        e = json.loads(self.ok("evaluate", "m.json", "d.csv", "--json").stdout)
        self.assertEqual((e["errors"], e["rows"]), (errors, 432))
        self.assertIn(f"{errors} errors in 432 rows", self.ok("evaluate", "m.json", "d.csv").stdout)
        predictions = list(csv.DictReader(self.ok("predict", "m.json", "d.csv").stdout.splitlines()))
        self.assertEqual(sum(p["prediction"] != r[-1] for p, r in zip(predictions, raw.rows)), errors)
        j = json.loads(self.ok("predict", "m.json", "d.csv", "--json").stdout)
        every = list(csv.DictReader(self.ok("predict", "m.json", "d.csv", "--probabilities").stdout.splitlines()))
        for plain, one, row in zip(predictions, j["predictions"], every):
            counts = model["paths"][one["path"]]
            self.assertEqual(plain["prediction"], one["class"])
            for k, name in enumerate(model["classes"]):
                self.assertAlmostEqual(float(row[f"P({name})"]), counts[k] / sum(counts))
                self.assertAlmostEqual(one["probabilities"][k], counts[k] / sum(counts))
            best = model["classes"].index(plain["prediction"])
            self.assertAlmostEqual(float(plain["probability"]), counts[best] / sum(counts))
        self.assertEqual(self.ok("show", "m.json", "--format", "json").stdout, (self.dir / "m.json").read_text())
        self.assertTrue(self.ok("show", "m.json", "--format", "dot").stdout.startswith("digraph"))
        self.assertIn("<svg", self.ok("show", "m.json", "--format", "svg").stdout)
        self.assertIn("IF ", self.ok("show", "m.json").stdout)

    def test_model_and_data_in_either_order(self):
        self.write("d.csv", SMALL)
        self.ok("fit", "d.csv", "-o", "m.json")
        self.assertEqual(self.ok("predict", "d.csv", "m.json").stdout, self.ok("predict", "m.json", "d.csv").stdout)

    def test_binarized_matrix_gives_the_same_errors(self):
        self.ok("datasets", "make", "monk-2", "-o", "d.csv")
        self.ok("binarize", "d.csv", "-o", "d.txt")
        a, b = self.fit("d.csv", "-d", 3, "-o", "a.json"), self.fit("d.txt", "-d", 3, "-o", "b.json")
        self.assertEqual((a["training_errors"], a["features"]), (b["training_errors"], b["features"]))
        e = json.loads(self.ok("evaluate", "b.json", "d.txt", "--json").stdout)
        self.assertEqual(e["errors"], b["training_errors"])
        hashes = [json.loads((self.dir / f).read_text())["training"]["rows_sha256"] for f in ("a.json", "b.json")]
        self.assertEqual(*hashes)

    def test_the_same_bytes_again(self):
        self.ok("datasets", "make", "tic-tac-toe", "-o", "d.csv")
        models = []
        for threads in (1, 1, 2, 8):
            done = self.ok("fit", "d.csv", "-d", 3, "-o", "m.json", "--threads", threads, "-q")
            self.assertEqual(done.stderr, "")  # more threads than cores are nothing to warn of
            models.append((self.dir / "m.json").read_bytes())
        self.assertEqual(len(set(models)), 1)
        self.assertNotIn(str(self.dir).encode(), models[0])

    def test_an_output_that_is_a_link_or_a_device(self):
        self.write("d.csv", SMALL)
        self.write("real.json", "old")
        os.symlink("real.json", self.dir / "link.json")
        self.ok("fit", "d.csv", "-o", "link.json")
        self.assertTrue((self.dir / "link.json").is_symlink())
        json.loads((self.dir / "real.json").read_text())
        self.ok("show", "real.json", "-o", "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))


class Answers(CliTest):
    """Odd but answerable data."""

    def notes(self, *args):
        return self.ok("fit", *args).stderr

    def test_depth_0(self):
        self.write("d.csv", SMALL)
        o = self.fit("d.csv", "-d", 0, "-o", "m.json")
        self.assertEqual((o["status"], o["training_errors"], o["size"], o["features"]), ("optimal", 4, 1, []))
        self.ok("predict", "m.json", "d.csv")

    def test_one_of_a_kind(self):
        self.write("one.csv", "a,y\n" + "0,p\n1,q\n" + "0,q\n1,p\n")
        told = self.notes("one.csv", "-d", 1)
        self.assertIn("4 rows (2 distinct), 1 feature (1 distinct), 2 classes", told)
        self.assertIn("used 0 of at most 1 feature: more features would not give a better diagram\n", told)

    def test_quiet_about_test_rows(self):
        self.write("d.csv", SMALL)
        for more in ([], ["--report", "r.html"]):
            done = self.ok("fit", "d.csv", "-q", "--test", "d.csv", *more)
            self.assertEqual(done.stderr, "")
            self.assertIn("Test rows: ", done.stdout)

    def test_depth_above_the_features_is_clamped_and_said(self):
        self.write("d.csv", SMALL)
        self.assertIn("beadwork: used 3 of at most 9 features: more features would not give a better diagram\n", self.notes("d.csv", "-d", 9))
        o = self.fit("d.csv", "-d", 9)
        self.assertEqual((o["status"], o["training_errors"]), ("optimal", 0))

    def test_time_limit_0_is_never_optimal(self):
        self.write("d.csv", SMALL)
        self.write("one.csv", "a,y\n0,p\n1,p\n")
        for file in ("d.csv", "one.csv"):
            for depth in (0, 1, 2, 3, 9):
                o = self.fit(file, "-d", depth, "--time-limit", 0, "-o", "m.json")
                self.assertEqual(o["status"], "feasible")
                self.assertLessEqual(o["lower_bound"], o["upper_bound"])
                self.assertEqual(json.loads((self.dir / "m.json").read_text())["claim"]["status"], "feasible")
        self.assertIn("not proven optimal", self.stopped("fit", "d.csv", "-d", 2, "--time-limit", 0).stdout)

    def test_one_class(self):
        self.write("d.csv", "a,b,y\n0,1,p\n1,0,p\n1,1,p\n")
        o = self.fit("d.csv", "-d", 2, "-o", "m.json")
        self.assertEqual((o["status"], o["training_errors"], o["size"]), ("optimal", 0, 1))
        self.assertEqual(self.ok("predict", "m.json", "d.csv").stdout, "prediction,probability\n" + "p,1\n" * 3)

    def test_contradictory_rows_have_a_floor(self):
        self.write("d.csv", "a,b,y\n0,1,p\n0,1,n\n0,1,n\n1,1,p\n1,0,n\n")
        self.assertIn("some rows have equal features but different classes: every diagram makes at least 1 error\n", self.notes("d.csv"))
        o = self.fit("d.csv")
        self.assertEqual((o["status"], o["training_errors"], o["lower_bound"]), ("optimal", 1, 1))

    def test_constant_and_all_missing_columns(self):
        self.write("d.csv", "same,void,a,y\n5,,0,p\n5,,1,n\n5,,1,n\n")
        self.assertIn("ignored 2 constant columns: same, void is missing", self.notes("d.csv"))
        self.assertEqual(self.fit("d.csv")["features"], ["a"])

    def test_a_feature_that_spares_no_error_is_left_out(self):
        self.write("d.csv", "a,y\n0,p\n1,n\n1,p\n")
        o = self.fit("d.csv")
        self.assertEqual((o["status"], o["training_errors"], o["features"]), ("optimal", 1, []))

    def test_nothing_but_constant_columns(self):
        self.write("d.csv", "same,y\n5,p\n5,n\n5,p\n")
        o = self.fit("d.csv", "-d", 3, "-o", "m.json")
        self.assertEqual((o["status"], o["training_errors"], o["size"]), ("optimal", 1, 1))
        self.ok("evaluate", "m.json", "d.csv")

    def test_a_copy_of_the_label(self):
        self.write("d.csv", "a,leak,y\n0,0,p\n1,1,n\n1,0,p\n0,1,n\n")
        self.assertIn("warning: 'leak' alone predicts the class of every row: is it a copy of the target?", self.notes("d.csv"))

    def test_duplicate_rows_count(self):
        self.write("d.csv", "a,y\n" + "0,p\n" * 5 + "1,n\n" * 4 + "1,p\n")
        self.assertIn("10 rows (2 distinct)", self.notes("d.csv"))
        self.assertEqual(self.fit("d.csv")["training_errors"], 1)

    def test_unseen_categories(self):
        self.write("d.csv", "color,y\nred,p\nblue,n\ngreen,n\n")
        self.ok("fit", "d.csv", "-d", 1, "-o", "m.json")
        self.write("new.csv", "color\nmauve\nred\ntaupe\n\"\"\n")
        done = self.ok("predict", "m.json", "new.csv")
        self.assertIn("beadwork: warning: 2 rows have a value of 'color' that did not occur in training: every test on that column fails\n", done.stderr)
        self.assertEqual([line.split(",")[0] for line in done.stdout.splitlines()[1:]], ["n", "p", "n", "n"])
        self.assertEqual(json.loads(self.ok("predict", "m.json", "new.csv", "--json").stdout)["unseen"], {"color": 2})

    def test_columns_in_another_order(self):
        self.write("d.csv", SMALL)
        self.ok("fit", "d.csv", "-o", "m.json")
        rows = [line.split(",") for line in SMALL.splitlines()]
        self.write("turned.csv", "".join(f"{r[2]},extra,{r[1]},{r[0]}\n" for r in rows).replace("extra", "x", 1))
        self.assertEqual(self.ok("predict", "m.json", "turned.csv").stdout, self.ok("predict", "m.json", "d.csv").stdout)

    def test_decimal_weights(self):
        self.write("d.csv", "a,w,y\n0,0.1,p\n0,0.2,n\n0,0.6,n\n1,0.3,p\n1,0.1,n\n")
        o = self.fit("d.csv", "--weight", "w", "-o", "m.json")
        self.assertEqual((o["training_errors"], o["total_weight"], o["status"]), (0.2, 1.3, "optimal"))
        t = json.loads((self.dir / "m.json").read_text())["training"]
        self.assertEqual((t["errors"], t["total_weight"], t["weight_scale"]), (2, 13, 10))
        e = json.loads(self.ok("evaluate", "m.json", "d.csv", "--weight", "w", "--json").stdout)
        self.assertEqual((e["errors"], e["total_weight"], e["confusion"]), (0.2, 1.3, [[0.8, 0.1], [0.1, 0.3]]))
        self.assertEqual(json.loads(self.ok("evaluate", "m.json", "d.csv", "--json").stdout)["errors"], 2)

    def test_faithful(self):
        self.write("d.csv", SMALL)
        done = self.run_it("fit", "d.csv", "--faithful", "-d", 4, "-o", "m.json")
        self.assertEqual(done.returncode, 5)
        self.assertIn("beadwork: infeasible: there is no diagram of exactly 4 of these 3 features whose root is a bead; no model was written\n",
                      done.stderr)
        self.assertFalse((self.dir / "m.json").exists())
        o = self.fit("d.csv", "--faithful", "-d", 4)
        self.assertEqual((o["status"], o["training_errors"], o["size"]), ("infeasible", None, None))
        self.assertEqual(self.fit("d.csv", "--faithful", "-d", 3)["training_errors"], 0)

    def test_a_bias_that_is_not_there_is_told(self):
        self.write("d.csv", "a,b,y\n0,0,p\n0,1,n\n1,0,n\n")  # a cell is empty
        self.write("full.csv", "a,b,y\n0,0,p\n0,1,n\n1,0,n\n1,1,p\n")
        paper = "answered by bias N, which is not the paper's: --bias P, C and S are\n"
        first, branch = "takes the first class that a cell allows\n", "takes the majority of the branch\n"
        for words, told in ((["--faithful"], paper), (["--faithful", "--bias", "P"], None), ([], None), (["--faithful", "-q"], None),
                            (["--engine", "maxsat", "--encoding", "bdd2"], paper),
                            (["--engine", "maxsat", "--encoding", "bdd2", "--bias", "S"], None),
                            (["--engine", "maxsat", "--bias", "S"], None),
                            (["--engine", "maxsat", "--encoding", "pair", "--bias", "S"], "encoding pair has no such values, and " + first),
                            (["--bias", "S"], "engine search has no such values, and " + first),
                            (["--bias", "S", "--faithful"], "engine search has no such values, and " + branch)):
            said = self.ok("fit", "d.csv", "-d", 2, *words).stderr
            self.assertEqual("bias" in said, told is not None, said)
            self.assertIn(told or "", said)
            self.assertNotIn("bias", self.ok("fit", "full.csv", "-d", 2, *words).stderr)

    def test_faithful_does_not_claim_what_is_false(self):
        # A constant makes one error; a diagram whose root is a bead must make more.
        rows = "".join(f"{i & 1},{i >> 1 & 1},{i >> 2},p\n" for i in range(8))
        self.write("d.csv", "a,b,c,y\n" + rows * 4 + "0,0,0,n\n")
        self.assertEqual(self.fit("d.csv", "-d", 2)["training_errors"], 1)
        text = self.ok("fit", "d.csv", "-d", 2, "--faithful").stdout
        self.assertIn("8 errors in 33 rows", text)
        self.assertIn("optimal: no diagram of exactly 2 of these 3 features whose root is a bead makes fewer errors", text)
        self.assertNotIn("at most", text)

    def test_tolerated_and_said(self):
        self.write("d.csv", b"\xef\xbb\xbfa,y\r\n\r\n0,p\r\n1,\"q \"\"x\"\"\nz\"")
        notes = self.notes("d.csv")
        for text in ("byte-order mark skipped", "1 blank line skipped", "no line break at the end"):
            self.assertIn(text, notes)
        self.assertEqual(self.fit("d.csv")["classes"], ["p", 'q "x"\nz'])

    def test_spreadsheet_formulas_are_guarded(self):
        self.write("d.csv", "a,y\n0,=1+1\n1,@x\n")
        self.ok("fit", "d.csv", "-o", "m.json")
        self.assertEqual(self.ok("predict", "m.json", "d.csv").stdout, "prediction,probability\n'=1+1,1\n'@x,1\n")

    def test_a_list_flag_takes_one_value(self):
        self.write("d.csv", "id,a,b,y\n1,0,-9,p\n2,1,2,n\n3,1,3,n\n")
        o = self.fit("--ignore", "id", "--ignore", "b", "d.csv")
        self.assertEqual(o["features"], ["a"])
        self.assertIn("b is missing", self.ok("binarize", "--missing", "-9", "--ignore", "id", "d.csv").stdout)
        self.assertEqual(self.fit("d.csv", "--target", "-1", "-d", 0)["classes"], ["n", "p"])
        self.assertEqual(self.fit("d.csv", "--target", "2", "-d", 0)["classes"], ["0", "1"])


class System(CliTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", SMALL)

    def test_closed_pipe(self):
        self.ok("datasets", "make", "multiplexer-11", "-o", "big.csv")
        for command in ("datasets make multiplexer-11", "binarize big.csv -q"):
            done = subprocess.run(["bash", "-c", f"set -o pipefail; '{BINARY}' {command} | head -1"], cwd=self.dir,
                                  capture_output=True, text=True, timeout=1800)
            self.assertEqual((done.returncode, done.stderr, done.stdout.count("\n")), (0, "", 1))

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full here")
    def test_full_disk(self):
        self.ok("fit", "d.csv", "-o", "m.json")
        line = "standard output: cannot write: No space left on device"
        for args in (("fit", "d.csv", "-q"), ("fit", "d.csv", "-q", "--json"), ("show", "m.json"), ("binarize", "d.csv", "-q"),
                     ("datasets",), ("datasets", "make", "monk-1"), ("engines",), ("--help",), ("--version",), ("fit", "--help")):
            with open("/dev/full", "w", encoding="utf-8") as full:
                self.refused(1, line, *args, stdout=full)
        for args in (("fit", "d.csv", "-q"), ("show", "m.json"), ("predict", "m.json", "d.csv", "--delimiter", ","), ("binarize", "d.csv", "-q"), ("datasets", "make", "monk-1")):
            done = self.run_it(*args, "-o", "/dev/full")
            self.assertEqual(done.returncode, 1)
            self.assertTrue(done.stdout)
            self.assertEqual(done.stderr, "beadwork: /dev/full: cannot write: No space left on device\nbeadwork: the output goes to standard output instead\n")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))

    def test_closed_stdout(self):
        done = subprocess.run(["bash", "-c", f"'{BINARY}' engines >&-"], cwd=self.dir, capture_output=True, text=True, timeout=1800)
        self.assertEqual((done.returncode, done.stderr), (1, "beadwork: standard output: cannot write: Bad file descriptor\n"))

    def stop(self, number, *options):
        process = subprocess.Popen([BINARY, "fit", "long.csv", "--json", "-o", "m.json", *map(str, options)], cwd=self.dir,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3):  # the notes: the data are read
            process.stderr.readline()
        time.sleep(0.7)
        self.assertIsNone(process.poll(), "the search ended before it could be stopped")
        out, err, took = send_and_wait(process, number)
        return process.returncode, out.decode(), err.decode(), took

    def check_stopped(self, code, out, err, took):
        self.assertEqual(code, 4, err)
        self.assertLess(took, 5)  # seldom above 0.1 s
        o = json.loads(out)
        self.assertEqual(o["status"], "feasible")
        self.assertLessEqual(o["lower_bound"], o["upper_bound"])
        model = json.loads((self.dir / "m.json").read_text())
        errors, _ = recount(model, read_csv(self.dir / "long.csv"))
        self.assertEqual((o["training_errors"], o["upper_bound"], model["training"]["errors"]), (errors,) * 3)
        self.assertEqual((model["claim"]["status"], model["claim"]["lower_bound"]), ("feasible", o["lower_bound"]))

    def test_interrupt_keeps_the_best_so_far(self):
        self.write("long.csv", noise())
        self.check_stopped(*self.stop(signal.SIGINT, "-d", 8))
        self.check_stopped(*self.stop(signal.SIGTERM, "-d", 8))

    def test_interrupt_in_deep_faithful_search(self):
        self.write("long.csv", noise(rows=100, features=30))
        self.check_stopped(*self.stop(signal.SIGINT, "-d", 13, "--faithful", "--engine", "enumerate"))

    def test_time_limit(self):
        self.write("long.csv", noise())
        before, start = cpu_of_children(), time.monotonic()
        o = self.fit("long.csv", "-d", 8, "--time-limit", 0.5)
        self.assertGreaterEqual(time.monotonic() - start, 0.5)  # time_s is that of the search alone
        self.assertLess(cpu_of_children() - before, 8)
        self.assertEqual(o["status"], "feasible")

    def test_no_progress_line_without_a_terminal(self):
        self.write("long.csv", noise())
        done = self.stopped("fit", "long.csv", "-d", 8, "--time-limit", 0.7)
        self.assertNotIn("\r", done.stderr)
        self.assertNotIn("\x1b", done.stderr)

    def test_progress_line_on_a_terminal(self):
        self.write("long.csv", noise())
        master, slave = pty.openpty()
        process = subprocess.Popen([BINARY, "fit", "long.csv", "-q", "-d", "8", "--time-limit", "2.7", "--json"], cwd=self.dir,
                                   stdout=subprocess.PIPE, stderr=slave)
        os.close(slave)
        out = process.communicate(timeout=1800)[0]
        shown = b""
        while select.select([master], [], [], 0.2)[0]:
            try:
                shown += os.read(master, 65536)
            except OSError:  # the other end is closed
                break
        os.close(master)
        self.assertEqual(process.returncode, 4)
        json.loads(out)
        self.assertRegex(shown.decode(), r"\r\x1b\[Ksearch: best \d+, bound \d+, \d+\.\d % done")
        self.assertRegex(shown[-200:].decode(), r"\r\x1b\[Kbeadwork: stopped after 2\.7 seconds, [\d.]+ % done, .*; what helps: .*\r\n$")

    def test_no_temporary_files_remain(self):
        self.ok("fit", "d.csv", "-o", "m.json")
        self.ok("show", "m.json", "--format", "svg", "-o", "m.svg")
        self.assertEqual(sorted(os.listdir(self.dir)), ["d.csv", "m.json", "m.svg"])
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(stat.S_IMODE(os.stat(self.dir / "m.json").st_mode), 0o666 & ~mask)


if __name__ == "__main__":
    unittest.main()
