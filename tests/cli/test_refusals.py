"""Bad tables, options and models: one line on stderr, the exit code of its class, and no file is left behind."""
import json
import os
import subprocess
import unittest

from beadwork_cli import BINARY, SMALL, CliTest, cpu_of_children, noise

DEPTH = " (a truth table has 2^depth cells)"


class BadTables(CliTest):
    """design: one line that names file, row, column and the fix."""

    def check(self, content, message, *options, name="t.csv"):
        self.write(name, content)
        for command in ("fit", "binarize"):
            self.refused(1, name + message, command, name, *options, "-o", "out")

    def test_bytes(self):
        self.check("", ": the file is empty")
        self.check(SMALL.encode("utf-16")[:-1], f": half a character at byte {2 * len(SMALL) + 1}; the file is not UTF-16")
        self.check(b"\x1f\x8b\x08\0", ": is cut short: its packed data end too early")
        self.check(b"a,y\n0,p\0\n", ":2:4: a NUL byte; the file is not text")
        self.check(b"a,y\n0,\xe9\n", ":2:3: byte 0xe9 is not UTF-8; name the encoding (latin-1, windows-1252 or utf-16), or save the file as UTF-8; try --text-encoding latin-1")
        self.check("a,y\n0,\"" + "x" * (1 << 20) + "x\"\n", ":2:3: a value longer than 1 MiB; is a quote missing somewhere?")

    def test_shape(self):
        self.check("a,y\n", ":2:1: a header but no rows")
        self.check("a,y\n0,\"p\n", ":2:3: the quote opened here is never closed")
        self.check("a,y\n0,\"p\"q\n", ":2:6: text after a closing quote; double the quotes inside a quoted value")
        self.check("a,b,y\n0,1\n", ":2:4: this row has 2 values, the header has 3; complete or remove it")
        self.check("a,b,y\n0,1,2,3\n", ":2:7: this row has 4 values, the header has 3; quote a value that contains the delimiter")
        self.check("a,a,y\n0,1,p\n", ":1:3: two columns are named 'a'; rename one")
        self.check("a,,y\n0,1,p\n", ":1:3: column 2 has no name; give it one in the header")
        self.check("1.5,2,3\n0,1,2\n", ":1:1: the header has only numbers; use the option for files without a header, or quote the names; try --no-header")
        self.check("a;y\n0;p\n", ":1:1: only one column with delimiter ',', but the line contains ';'; is that the delimiter? Try --delimiter ';'", "--delimiter", ",")
        self.check("a\ty\n0\tp\n", ":1:1: only one column with delimiter ',', but the line contains tab; is that the delimiter? Try --delimiter tab", "--delimiter", ",")

    def test_values(self):
        self.check("x,y\n1,p\n\"1,234\",n\n", ":3:2: expected a number in column 'x', got '1,234'; write it with a decimal point and without thousands separators", "--numeric", "x")
        self.check("x,y\n1.5,p\nnan,n\n", ":3:1: 'nan' is not a finite number; add it to the missing values, or column 'x' to the nominal ones; try --missing-also nan")
        self.check("x,y\n1.5,p\n-inf,n\n", ":3:1: '-inf' is not a finite number; add it to the missing values, or column 'x' to the nominal ones; try --missing-also -inf")
        self.check("x,y\n1,p\n2,\n", ":3:3: the class is missing (column 'y'); remove the row, or choose another target; try --drop-unlabelled")

    def test_weights(self):
        bad = {"-1": ":2:3: expected a weight of 0 or more, got -1",
               "NaN": ":2:3: the weight is missing (column 'w'); write a number, or remove the row",
               "inf": ":2:3: 'inf' is not a finite number; add it to the missing values",
               "heavy": ":2:3: expected a number in column 'w', got 'heavy'"}
        for weight, message in bad.items():
            self.check(f"a,w,y\n0,{weight},p\n1,1,n\n", message, "--weight", "w")
        self.check("a,w,y\n0,0,p\n1,0,n\n", ": all weights in column 'w' are 0; at least one row must count", "--weight", "w")
        self.check("a,w,y\n0,9e18,p\n1,9e18,n\n", ":3:3: the weights add up to more than 2^63; scale them down", "--weight", "w")

    def test_arff(self):
        head = "@relation r\n@attribute a {x,z}\n@attribute y {p,n}\n@data\n"
        for content, where in ((head + "q,p\n", "t.arff:5:1: "), (head + "{0 x, 1 p}\n", "t.arff:5:1: ")):
            self.write("t.arff", content)
            done = self.run_it("fit", "t.arff", "-o", "out")
            self.assertEqual(done.returncode, 1)
            self.assertTrue(done.stderr.startswith("beadwork: " + where), done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertFalse((self.dir / "out").exists())

    def test_what_is_no_file(self):
        os.mkfifo(self.dir / "pipe")
        (self.dir / "folder").mkdir()
        self.write("d.csv", SMALL)
        self.ok("fit", "d.csv", "-o", "m.json")
        for path, message in (("pipe", "is not a regular file; save it to a file first"),
                              ("folder", "is a directory, expected a file"),
                              ("nowhere", "cannot open: No such file or directory"),
                              ("/dev/zero", "is not a regular file; save it to a file first")):
            line = f"{path}: {message}"
            self.refused(1, line, "fit", path, "-o", "out", timeout=1800)
            self.refused(1, line, "predict", "m.json", path, "-o", "out", timeout=1800)
            self.refused(1, line, "predict", path, "d.csv", "-o", "out", timeout=1800)
            self.refused(1, line, "evaluate", path, "d.csv", timeout=1800)
            self.refused(1, line, "show", path, "-o", "out", timeout=1800)

    def test_columns_named_wrongly(self):
        self.write("d.csv", SMALL)
        for flag in ("--target", "--weight", "--numeric", "--nominal", "--ignore"):
            self.refused(1, f"{flag}: d.csv has no column named 'zzzz'; the columns are 'a', 'b', 'c', 'y'", "fit", "d.csv", flag, "zzzz")
        self.refused(2, "--ignore: column 'a' is the target already", "fit", "d.csv", "--target", "a", "--ignore", "a")

    def test_names_with_control_characters_stay_on_one_line(self):
        self.refused(1, "no\\u{a}where\\u{1b}[31m: cannot open: No such file or directory", "fit", "no\nwhere\x1b[31m")
        self.write("evil\nname.csv", "a,y\n0\n")
        self.refused(1, "evil\\u{a}name.csv:2:2: this row has 1 value, the header has 2; complete or remove it", "fit", "evil\nname.csv")


class BadOptions(CliTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", SMALL)

    def test_values(self):
        whole = "expected a whole number from"
        for value in ("-1", "21", "abc", "1.5", "nan", "1e99", "99999999999999999999"):
            self.refused(2, f"--depth: {whole} 0 to 20, got '{value}'{DEPTH}", "fit", "d.csv", f"--depth={value}", "-o", "out")
        self.refused(2, f"--threads: {whole} 1 to 1024, got '0'", "fit", "d.csv", "--threads", "0")
        self.refused(2, f"--seed: {whole} 0 to 9007199254740992, got '-1'", "fit", "d.csv", "--seed=-1")
        self.refused(2, "--time-limit: expected a number from 0 to 1000000000, got '-1'".replace("1000000000", "1e+09"), "fit", "d.csv", "--time-limit=-1")
        self.refused(2, "--time-limit: expected a number from 0 to 1e+09, got 'nan'", "fit", "d.csv", "--time-limit", "nan")
        self.refused(2, "--engine: unknown engine 'magic'; the engines are: search, local, enumerate, maxsat, maxsat-dt, cart, odt, oodg, hoodg", "fit", "d.csv", "--engine", "magic")
        self.refused(2, "--thresholds: expected all, mdlp, quantiles or quantiles:N (N from 1 to 1000000), got 'quantiles:0'", "fit", "d.csv", "--thresholds", "quantiles:0")
        self.refused(2, "--format: expected auto, csv, arff or matrix, got 'xls'", "fit", "d.csv", "--format", "xls")
        self.refused(2, "--delimiter: expected , ; | or tab, got ':'", "fit", "d.csv", "--delimiter", ":")
        self.refused(1, "unknown data set 'iris'; the data sets are: tic-tac-toe, monk-1, monk-2, monk-3, multiplexer-6, multiplexer-11", "datasets", "make", "iris", "-o", "out")

    def test_usage(self):
        self.refused(2, "A subcommand is required (see 'beadwork --help')")
        self.refused(2, "unknown command 'learn' (see 'beadwork --help')", "learn")
        self.refused(2, "FILE is required (see 'beadwork fit --help')", "fit")
        self.refused(2, "--study is required (see 'beadwork study report --help')", "study", "report", "r.jsonl", "-o", "x")
        self.refused(2, "--folder: names a folder; ./- is one of that name", "study", "report", "r.jsonl", "--study", "s", "-o", "-")
        self.refused(2, "--plan-dir: names a folder; ./- is one of that name", "fit", "d.csv", "--plan", "2", "--plan-dir", "-")
        self.refused(2, "DATA is required (see 'beadwork predict --help')", "predict", "m.json")
        self.refused(2, "unknown option '--nope' (see 'beadwork fit --help')", "fit", "d.csv", "--nope")
        self.refused(2, "The following argument was not expected: x\\u{a}y\\u{1b} (see 'beadwork fit --help')", "fit", "d.csv", "x\ny\x1b")
        self.ok("fit", "d.csv", "-o", "m.json")
        self.refused(2, "--format: expected text, dot, svg, png, pdf or json, got 'bmp'", "show", "m.json", "--format", "bmp")

    def test_output_equal_to_an_input(self):
        self.ok("fit", "d.csv", "-o", "m.json")
        os.link(self.dir / "d.csv", self.dir / "hard.csv")
        os.symlink("d.csv", self.dir / "soft.csv")
        for path in ("d.csv", "./d.csv", "hard.csv", "soft.csv"):
            line = f"{path}: this output would overwrite an input"
            self.refused(2, line, "fit", "d.csv", "-o", path)
            self.refused(2, line, "binarize", "d.csv", "-o", path)
            self.refused(2, line, "predict", "m.json", "d.csv", "-o", path)
        self.refused(2, "m.json: this output would overwrite an input", "show", "m.json", "-o", "m.json")
        self.refused(2, "m.json: this output would overwrite an input", "predict", "m.json", "d.csv", "-o", "m.json")
        self.assertEqual((self.dir / "d.csv").read_text(), SMALL)

    def test_outputs_that_cannot_be_are_found_before_the_work(self):
        self.write("long.csv", noise())
        (self.dir / "folder").mkdir()
        for path, message in (("nowhere/m.json", "cannot write: No such file or directory"), ("folder", "is a directory")):
            before = cpu_of_children()
            self.refused(1, f"{path}: {message}", "fit", "long.csv", "-d", 12, "-o", path)
            self.assertLess(cpu_of_children() - before, 10)

    def test_a_read_only_folder_is_found_before_the_work(self):
        self.write("long.csv", noise())
        (self.dir / "locked").mkdir()
        (self.dir / "locked").chmod(0o555)
        (self.dir / "old.json").write_text("old")
        (self.dir / "old.json").chmod(0o444)
        self.dir.chmod(0o777)
        kwargs = {}
        if os.geteuid() == 0:  # root may write anywhere; be nobody
            kwargs = {"user": 65534, "group": 65534, "extra_groups": []}
            try:
                subprocess.run([BINARY, "--version"], stdout=subprocess.DEVNULL, check=True, **kwargs)
            except (OSError, subprocess.CalledProcessError):
                self.skipTest("root, and nobody may not run the program")
        for path in ("locked/m.json", "old.json"):
            self.refused(1, f"{path}: cannot write: Permission denied", "fit", "long.csv", "-d", 12, "-o", path, timeout=1800, **kwargs)
        self.assertEqual((self.dir / "old.json").read_text(), "old")


class BadModels(CliTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", SMALL)
        self.ok("fit", "d.csv", "-d", 3, "-o", "m.json")
        self.text = (self.dir / "m.json").read_text()

    def refuse_model(self, text, message):
        self.write("bad.json", text)
        self.refused(1, f"bad.json: {message}", "predict", "bad.json", "d.csv", "-o", "out")
        self.refused(1, f"bad.json: {message}", "evaluate", "bad.json", "d.csv")
        self.refused(1, f"bad.json: {message}", "show", "bad.json", "-o", "out")

    def changed(self, change):
        model = json.loads(self.text)
        del model["sha256"]
        change(model)
        return json.dumps(model)

    def test_files(self):
        self.refuse_model("", "is not valid JSON at byte 1 (is it truncated, or not a model file?)")
        cut = self.text[:200]
        self.refuse_model(cut, "is not valid JSON at byte 201 (is it truncated, or not a model file?)")
        self.refuse_model("{}", "is not a beadwork model")
        self.refuse_model(self.text.replace('"class":0', '"class":1', 1), "its checksum does not match: the file was altered")
        self.refuse_model("[" * 100000, "is nested deeper than 64 levels")
        self.refuse_model(self.text.replace('"version": 4,', '"version": 4, "version": 4,'), 'has the key "version" twice in one object')

    def test_content(self):
        def put(*path, value):
            def change(m):
                for key in path[:-1]:
                    m = m[key]
                m[path[-1]] = value
            return self.changed(change)

        self.refuse_model(put("version", value=5), "is a model of version 5, this program reads up to version 4")
        n = len(json.loads(self.text)["diagram"]["nodes"])
        self.refuse_model(put("diagram", "nodes", 0, "low", value=n), f'"low" of node 0 is not a whole number from 0 to {n - 1}')
        self.refuse_model(put("paths", 0, 0, value=2**63), "a count of path 0 is not a whole number from 0 to 9223372036854775807")
        self.refuse_model(put("paths", 0, 0, value=0.5), "a count of path 0 is not a whole number from 0 to 9223372036854775807")
        self.refuse_model(put("diagram", "nodes", 0, "hihg", value=1), 'node 0 has an unknown key "hihg"')
        for path in (("diagram", "nodes", 0, "low"), ("diagram", "nodes", 0, "high")):
            self.write("bad.json", put(*path, value=0))
            done = self.run_it("show", "bad.json")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)

    def test_every_truncation_by_the_program(self):
        for n in range(0, len(self.text) - 1, 97):
            self.write("bad.json", self.text[:n])
            done = self.run_it("show", "bad.json")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)

    def test_by_hand_without_a_checksum(self):
        self.write("hand.json", self.changed(lambda m: None))
        self.assertEqual(self.ok("predict", "hand.json", "d.csv").stdout, self.ok("predict", "m.json", "d.csv").stdout)

    def test_data_that_do_not_fit(self):
        self.write("less.csv", "b,c,y\n0,1,p\n")
        self.refused(1, "less.csv: the model needs column 'a', which is missing; the columns are 'b', 'c', 'y'", "predict", "m.json", "less.csv", "-o", "out")
        self.write("nolabel.csv", "a,b,c\n0,1,1\n")
        self.refused(1, "nolabel.csv: the model needs column 'y', which is missing; the columns are 'a', 'b', 'c'", "evaluate", "m.json", "nolabel.csv")
        self.write("other.csv", "a,b,c,y\n0,1,1,q\n")
        done = self.run_it("evaluate", "m.json", "other.csv")
        self.assertEqual((done.returncode, done.stderr.splitlines()[-1]), (1, "beadwork: other.csv: row 1 has class 'q', which is not a class of the model"))


if __name__ == "__main__":
    unittest.main()
