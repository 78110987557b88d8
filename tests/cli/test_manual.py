"""Pages and completions that are made of the table of options, tried by the programs that read them; doctor."""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from beadwork_cli import BINARY, CliTest


OPTION = re.compile(r"^  (?:-\w, )?(--[a-z][a-z-]+)", re.M)
COMMANDS = ("fit", "predict", "evaluate", "show", "export", "binarize", "datasets make", "engines", "decide", "min-depth", "encode", "benchmarks", "solve", "beads", "merge",
            "compare", "study", "study report", "study merge", "study slurm", "report", "doctor", "state merge", "slurm", "manual")


class Help(CliTest):
    def help(self, command, flag="--help"):
        return self.ok(*command.split(), flag).stdout

    def test_fit_fits_a_screen(self):
        lines = self.help("fit").splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertLessEqual(len(lines), 50)
        options = [line for line in lines if line.startswith("  ")]
        self.assertLess(20, len(options))
        self.assertLess(len(options), 32)
        for line in options:  # each is one line: a name, what it does
            self.assertRegex(line, r"^  (?:-\w, )?(?:--)?\w\S*(?: [A-Z]+)? +\S.*\S$")
        self.assertEqual([line for line in lines if re.fullmatch("[A-Z][a-z]+", line)],
                         ["Table", "Size", "Requirements", "Limits", "Search", "Output"])

    def test_help_all_has_every_option(self):
        table = (pathlib.Path(__file__).parents[2] / "src/beadwork/engine/options.def").read_text(encoding="utf-8")
        found = re.findall(r"^BEADWORK_OPTION\((?:[^()\"]|\([^()]*\))*?, (\w+), .*, (common|expert), ", table, re.M)
        self.assertEqual(len(found), len(re.findall("^BEADWORK_OPTION", table, re.M)))
        every, few = OPTION.findall(self.help("fit", "--help-all")), OPTION.findall(self.help("fit"))
        for name, rank in found:
            flag = "--" + name.replace("_", "-")
            self.assertEqual(every.count(flag), 1, flag)
            self.assertEqual(few.count(flag), rank == "common", flag)
        for flag in ("--output", "--shards", "--in-passes", "--plan", "--report", "--title", "--decimal", "--thresholds", "--json"):
            self.assertIn(flag, every)
        self.assertLess(set(few), set(every))

    def test_no_line_is_too_long(self):
        for command in COMMANDS:
            for flag in ("--help", "--help-all"):
                text = self.help(command, flag)
                self.assertIn(f"Usage: beadwork {command}", text)
                self.assertLessEqual(max(map(len, text.splitlines())), 80, command)
        self.assertLessEqual(max(map(len, self.ok("--help").stdout.splitlines())), 80)

    def test_words_that_are_nearly_right(self):
        self.write("d.csv", "age,income,class\n1,2,yes\n2,1,no\n3,5,yes\n")
        for words, said in ((("ft", "d.csv"), "unknown command 'ft'; did you mean 'fit'? (see 'beadwork --help')"),
                            (("fit", "d.csv", "--depht", "3"), "unknown option '--depht'; did you mean '--depth'? (see 'beadwork fit --help')"),
                            (("fit", "d.csv", "--max-node=3"), "unknown option '--max-node'; did you mean '--max-nodes'?"),
                            (("predict", "--qiet"), "unknown option '--qiet'; did you mean '--quiet'?"),
                            (("study", "report", "--stdy", "x"), "unknown option '--stdy'; did you mean '--study'?"),
                            (("fit", "d.csv", "--engine", "oogd"), "unknown engine 'oogd'; did you mean 'oodg'?"),
                            (("fit", "d.csv", "--require", "agee <= 1.5"), "unknown feature 'agee <= 1.5'; did you mean 'age <= 1.5'?")):
            self.assertIn(f"beadwork: {'--' + words[2][2:] + ': ' if words[2:] and 'unknown option' not in said else ''}{said}", self.wrong(2, *words))
        self.assertIn("did you mean 'class'?", self.wrong(1, "fit", "d.csv", "--target", "clsas"))
        self.ok("fit", "d.csv", "-o", "m.json", "-q")
        self.assertIn("'yse' is not a class; did you mean 'yes'?", self.wrong(1, "report", "m.json", "d.csv", "--positive", "yse"))

    def wrong(self, code, *words):
        done = self.run_it(*words)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        return done.stderr


class Manual(CliTest):
    def complete(self, *words):
        self.write("complete.bash", self.ok("manual", "bash").stdout)
        quoted = " ".join(f"'{w}'" for w in words)
        script = f"source complete.bash; COMP_WORDS=(beadwork {quoted}); COMP_CWORD={len(words)}; _beadwork; echo ${{COMPREPLY[@]}}"
        return subprocess.run(["bash", "-c", script], cwd=self.dir, capture_output=True, text=True, check=True).stdout.split()

    def test_bash_completes_commands_and_options(self):
        self.assertEqual(self.complete("eva"), ["evaluate"])
        self.assertEqual(self.complete("fit", "t.csv", "--dep"), ["--depth"])
        self.assertEqual(self.complete("study", "report", "--st"), ["--study"])
        self.assertEqual(self.complete("fit", "t"), [])  # a file

    def test_every_option_of_help_is_in_each_form(self):
        forms = [self.ok("manual", form).stdout.replace("\\-", "-") for form in ("man", "markdown", "bash")]
        for command in ("fit", "predict", "export", "compare", "study", "datasets"):
            for option in set(OPTION.findall(self.ok(command, "--help-all").stdout)) - {"--help"}:
                for form in forms:
                    self.assertIn(option, form)

    @unittest.skipUnless(shutil.which("groff"), "needs groff")
    def test_man_page_has_no_warnings(self):
        page = self.ok("manual", "man").stdout
        done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-Z"], input=page, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_unknown_forms_are_refused(self):
        self.assertEqual(self.run_it("manual", "html").returncode, 2)
        self.assertEqual(self.run_it("manual").returncode, 2)


class Doctor(CliTest):
    def test_says_what_runs_and_passes(self):
        said = self.ok("doctor").stdout
        self.assertRegex(said, r"kernels that run here: .*portable")
        self.assertNotIn("FAILED", said)
        self.assertGreaterEqual(said.count("  ok "), 7)

    def test_finds_nothing_where_there_is_nothing(self):
        self.assertIn("rsvg-convert  not found (Debian: apt install librsvg2-bin)", self.ok("doctor", env={"PATH": "/nowhere"}).stdout)

    def test_names_the_solvers_beside_the_program(self):
        shutil.copy(BINARY, self.dir / "beadwork")
        (self.dir / "solvers").mkdir()

        def line():
            said = subprocess.run([self.dir / "beadwork", "doctor"], capture_output=True, text=True, check=True).stdout
            return next(line for line in said.splitlines() if line.startswith("solvers "))
        self.assertIn("none beside this program (make solvers)", line())
        for name in ("uwrmaxsat", "kissat", "notes"):
            self.write(f"solvers/{name}", "#!/bin/sh\n")
            os.chmod(self.dir / "solvers" / name, 0o644 if name == "notes" else 0o755)
        self.assertTrue(line().endswith("/solvers: kissat, uwrmaxsat"), line())


if __name__ == "__main__":
    unittest.main()
