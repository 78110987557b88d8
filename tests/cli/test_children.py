"""The Python that reads and writes Parquet and Arrow files, by stand-ins: what it may run, and what happens where it hangs, is
too old or is not there. With pyarrow itself: test_arrow.py."""
import os
import signal
import subprocess
import time
import unittest

from beadwork_cli import BINARY, CliTest

PARQUET = b"PAR1" + b"\0" * 200 + b"PAR1"
SMALL = "a,b,y\n" + "0,0,n\n0,1,p\n1,0,p\n1,1,p\n" * 5

# Tells whether it was asked to open a file.
STAND_IN = """
__version__ = VERSION
import os
class ArrowInvalid(Exception): pass
class ArrowException(Exception): pass
def opened(*a, **k):
    open(os.environ["OPENED"], "w").close()
    raise ArrowInvalid("stand-in")
class ipc:
    open_file = open_stream = new_file = staticmethod(opened)
def __getattr__(name):
    return opened
"""


class Children(CliTest):
    def setUp(self):
        super().setUp()
        self.write("t.csv", SMALL)
        self.write("x.parquet", PARQUET)
        self.write("x.arrow", b"ARROW1\0\0" + b"\0" * 200 + b"ARROW1")
        self.ok("fit", "t.csv", "-d", 2, "-q", "-o", "m.json")

    def program(self, text):
        self.write("child", f"#!/bin/sh\n{text}\n")
        (self.dir / "child").chmod(0o755)
        return {**os.environ, "BEADWORK_PYTHON": str(self.dir / "child")}

    def old(self, version):
        site = self.dir / "site"
        (site / "pyarrow").mkdir(parents=True, exist_ok=True)
        (site / "pyarrow" / "__init__.py").write_text(STAND_IN.replace("VERSION", repr(version)))
        for name in ("csv", "parquet", "compute"):
            (site / "pyarrow" / f"{name}.py").write_text("from pyarrow import opened\nParquetFile = open_csv = opened\n")
        return {**os.environ, "PYTHONPATH": str(site), "OPENED": str(self.dir / "opened")}

    def test_versions_that_run_code_of_a_file_are_refused(self):
        for version, fine in (("0.17.1", False), ("13.0.0", False), ("14.0.0", False), ("14.0.0.dev3", False), ("14.0.1", True), ("15.0.0", True),
                              ("21.0.0", True)):
            for words in (("fit", "x.parquet"), ("fit", "x.arrow"), ("predict", "m.json", "t.csv", "-o", "p.parquet")):
                with self.subTest(version=version, words=words):
                    done = self.run_it(*words, "-q", env=self.old(version))
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertEqual((self.dir / "opened").exists(), fine, done.stderr)
                    self.assertEqual("14.0.1" in done.stderr and version in done.stderr, not fine, done.stderr)
                    (self.dir / "opened").unlink(missing_ok=True)

    def test_no_code_of_the_folder_of_the_data(self):
        """Whatever the environment says, and also what Python loads by itself when it begins."""
        for name in ("pyarrow", "csv", "io", "sitecustomize", "usercustomize", "child"):
            self.write(f"{name}.py", 'open("code-has-run", "w").close()\nraise SystemExit(0)\n')
        (self.dir / "lib" / "python3" / "site-packages").mkdir(parents=True)
        here = {"PYTHONPATH": ("", ".", ":", "/nowhere:", ":/nowhere", "./x::..", "site"), "PYTHONUSERBASE": (".", ""), "PYTHONHOME": ("",),
                "PYTHONPYCACHEPREFIX": (".",), "PYTHONSTARTUP": ("child.py",)}
        for name, values in here.items():
            for value in values:
                for words in (("fit", "x.parquet"), ("predict", "m.json", "t.csv", "-o", "p.parquet")):
                    self.run_it(*words, env={**os.environ, name: value})
                    self.assertFalse((self.dir / "code-has-run").exists(), (name, value, words))

    def test_folders_with_whole_names_are_searched(self):
        done = self.run_it("fit", "x.parquet", env={**self.old("13.0.0"), "PYTHONPATH": f".:{self.dir / 'site'}:"})
        self.assertIn("13.0.0", done.stderr)

    def test_a_program_by_a_name_from_here(self):
        self.program('echo "$PWD" >&2; exit 1')
        done = self.run_it("fit", "x.parquet", env={**os.environ, "BEADWORK_PYTHON": "./child"})
        self.assertEqual(done.stderr, "beadwork: x.parquet: pyarrow: /\n")  # it is found, and is not in this folder

    def test_a_child_that_hangs_holds_up_no_signal(self):
        for words in (("predict", "m.json", "t.csv", "-o", "p.parquet"), ("predict", "m.json", "t.csv", "-o", "p.arrow"),
                      ("predict", "m.json", "x.parquet"), ("fit", "x.parquet"), ("fit", "x.parquet", "--in-passes"), ("evaluate", "m.json", "x.arrow")):
            with self.subTest(words=words):
                env = self.program(f"touch '{self.dir / 'begun'}'; exec sleep 3600")
                with subprocess.Popen([BINARY, *words], cwd=self.dir, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
                    while not (self.dir / "begun").exists() and process.poll() is None:
                        time.sleep(0.01)
                    process.send_signal(signal.SIGTERM)
                    err = process.communicate(timeout=1800)[1]
                (self.dir / "begun").unlink()
                self.assertEqual(process.returncode, 3, err)
                self.assertIn("stopped while", err.splitlines()[-1])
                self.assertFalse((self.dir / words[-1]).exists() and words[-2] == "-o")

    def test_a_child_that_ends_but_for_its_process(self):
        env = self.program(f"exec >&-; touch '{self.dir / 'begun'}'; exec sleep 3600")
        with subprocess.Popen([BINARY, "fit", "x.parquet"], cwd=self.dir, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            while not (self.dir / "begun").exists() and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            self.assertIn("stopped", process.communicate(timeout=1800)[1])
        self.assertEqual(process.returncode, 3)

    def test_a_limit_ends_the_wait_for_a_child_that_says_nothing(self):
        for more in ((), ("--in-passes",)):
            done = self.run_it("fit", "x.parquet", "--time-limit", 0.1, *more, env=self.program("exec sleep 3600"), timeout=1800)
            self.assertEqual((done.returncode, done.stderr), (3, "beadwork: x.parquet: stopped while reading it\n"))

    def test_a_program_that_is_not_there_is_named(self):
        for env, name in (({"PATH": "/nonexistent", "BEADWORK_PYTHON": ""}, "python3"), ({"BEADWORK_PYTHON": "/nonexistent/python3"}, "/nonexistent/python3")):
            for words in (("fit", "x.parquet"), ("binarize", "x.parquet"), ("fit", "x.parquet", "--in-passes"), ("predict", "m.json", "x.arrow"),
                          ("predict", "m.json", "t.csv", "-o", "p.arrow")):
                done = self.run_it(*words, env={**os.environ, **env})
                self.assertEqual((done.returncode, done.stderr),
                                 (1, f"beadwork: {name}: needs Python 3 with pyarrow; cannot run it: No such file or directory\n"), words)


if __name__ == "__main__":
    unittest.main()
