"""Pages and completions that are made of the table of options, tried by the programs that read them; doctor."""
import re
import shutil
import subprocess
import unittest

from beadwork_cli import CliTest


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
            options = re.findall(r"^  (?:-\w,)?(--[a-z][a-z-]+)", self.ok(command, "--help").stdout, re.M)
            self.assertGreater(len(options), 0, command)
            for option in set(options) - {"--help"}:
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


if __name__ == "__main__":
    unittest.main()
