"""Files, descriptors and signals: nothing that is read is overwritten, nothing that was found is lost.

What fit does with its own outputs is tested here as far as fit shares it with the other commands.
"""
import itertools
import json
import os
import pathlib
import random
import re
import resource
import signal
import stat
import subprocess
import time
import unittest

from beadwork_cli import BINARY, CliTest, cpu_of_children, send_and_wait

SMALL = "a,b,c,y\n" + "".join(f"{i & 1},{i >> 1 & 1},{i >> 2 & 1},{'p' if i in (1, 2, 4, 7) else 'n'}\n" for i in range(8))
UNSAT = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"


def big_matrix(path, rows, features=100):
    """Takes seconds to read."""
    line = ("0 1 " * features)[:2 * features].encode()
    with open(path, "wb") as file:
        block = b"".join(b"01"[i % 2:i % 2 + 1] + b" " + line + b"\n" for i in range(1000))
        for _ in range(rows // 1000):
            file.write(block)


def wait_until_caught(process, number, moment=0.3):
    """Until the process has a handler for the signal, and a moment more; a busy machine starts it late."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        caught = re.search(r"^SigCgt:\s*(\w+)", pathlib.Path(f"/proc/{process.pid}/status").read_text(), re.M)
        if caught and int(caught[1], 16) >> (number - 1) & 1:
            break
        time.sleep(0.01)
    time.sleep(moment)


class Descriptors(CliTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", SMALL)

    def shell(self, command):
        return subprocess.run(["bash", "-c", command.replace("beadwork", f"'{BINARY}'")], cwd=self.dir, timeout=1800,
                              capture_output=True)

    def test_all_combinations_of_closed_descriptors(self):
        self.ok("fit", "d.csv", "-d", 3, "-o", "expected.json")
        for closed in itertools.chain.from_iterable(itertools.combinations((0, 1, 2), n) for n in range(4)):
            redirections = " ".join(f"{fd}{'<' if fd == 0 else '>'}&-" for fd in closed)
            done = self.shell(f"rm -f m.json; beadwork fit d.csv -d 3 -o m.json {redirections}")
            self.assertEqual(done.returncode, 1 if 1 in closed else 0, (closed, done.stderr))
            self.assertEqual((self.dir / "m.json").read_bytes(), (self.dir / "expected.json").read_bytes(), closed)
            done = self.shell(f"beadwork predict expected.json d.csv -o p.csv {redirections}")
            self.assertEqual((done.returncode, done.stdout), (0, b""), closed)
            self.assertEqual((self.dir / "p.csv").read_text().count("\n"), 9, closed)
        self.assertEqual((self.dir / "d.csv").read_text(), SMALL)

    def test_stderr_that_cannot_be_written(self):
        for where in ("2>/dev/full", "2> >(exec true)", "2> >(exec <&-; sleep 0.3)"):
            done = self.shell(f"rm -f m.json; sleep 0.2 | beadwork fit d.csv -d 3 -o m.json {where}")
            self.assertEqual(done.returncode, 0, where)
            self.assertIn(b"optimal", done.stdout)
            json.loads((self.dir / "m.json").read_text())
            done = self.shell(f"beadwork fit nowhere.csv {where}")
            self.assertEqual(done.returncode, 1, where)

    def test_a_reader_that_takes_nothing_does_not_hold_up_a_signal(self):
        rng = random.Random(3)
        rows = "".join(",".join(rng.choice("01") for _ in range(40)) + f",{rng.choice('pn')}\n" for _ in range(100))
        self.write("d.csv", ",".join(f"f{i}" for i in range(40)) + ",y\n" + rows)
        with subprocess.Popen([BINARY, "fit", "d.csv", "-q", "-d", "3", "--top", "5000", "--json"], cwd=self.dir,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(1.5)
            self.assertIsNone(process.poll(), "the pipe took it all")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=1800), 1)


class Overwriting(CliTest):
    LINE = "this output would overwrite an input"

    def setUp(self):
        super().setUp()
        self.write("d.csv", SMALL)
        self.ok("fit", "d.csv", "-d", 3, "-o", "m.json")

    def test_every_command_and_every_name(self):
        commands = {"d.csv": [("binarize", "d.csv", "-o"), ("predict", "m.json", "d.csv", "-o"), ("encode", "d.csv", "-o"),
                              ("decide", "d.csv", "-d", "2", "--proof")],
                    "m.json": [("show", "m.json", "-o"), ("export", "m.json", "--to", "c", "-o"),
                               ("predict", "m.json", "d.csv", "-o")],
                    "u.cnf": [("solve", "u.cnf", "--proof")]}
        self.write("u.cnf", UNSAT)
        (self.dir / "folder").mkdir()
        for file, lines in commands.items():
            before = (self.dir / file).read_bytes()
            os.link(self.dir / file, self.dir / f"hard-{file}")
            os.symlink(file, self.dir / f"soft-{file}")
            os.symlink(f"soft-{file}", self.dir / f"softer-{file}")
            names = (file, f"./{file}", f"folder/../{file}", str(self.dir / file), f"hard-{file}", f"soft-{file}", f"softer-{file}")
            for line, name in itertools.product(lines, names):
                self.refused(2, f"{name}: {self.LINE}", *line, name)
            self.assertEqual((self.dir / file).read_bytes(), before)

    def test_names_that_follow_from_others(self):
        os.rename(self.dir / "d.csv", self.dir / "v2.cnf")
        self.refused(2, f"v2.cnf: {self.LINE}", "decide", "v2.cnf", "-d", 2, "--proof", "v2")
        fit = ("fit", "v2.cnf", "-d", 2, "--engine", "maxsat")
        self.refused(2, f"v2.cnf: {self.LINE}", *fit, "--proof", "v2")
        self.refused(2, f"v2.cnf: {self.LINE}", *fit, "--proof", "v2.cnf")
        for output in ("--certificate", "--checkpoint", "-o", "--report", "--front-plot"):
            self.refused(2, f"v2.cnf: {self.LINE}", "fit", "v2.cnf", "-d", 2, output, "v2.cnf")
        os.link(self.dir / "v2.cnf", self.dir / "cp.old")
        self.refused(2, f"cp.old: {self.LINE}", "fit", "v2.cnf", "-d", 2, "--checkpoint", "cp")
        self.write("f", "a\n")
        self.refused(2, f"f: {self.LINE}", "fit", "v2.cnf", "--features-from", "f", "-o", "f")
        self.refused(2, f"f: {self.LINE}", "fit", "v2.cnf", "--costs", "f", "-o", "f")
        self.refused(2, "s.json: two outputs have the same file", "fit", "v2.cnf", "--certificate", "s.json", "-o", "./s.json")
        self.assertEqual((self.dir / "v2.cnf").read_text(), SMALL)

    def test_standard_input_is_an_input(self):
        self.ok("fit", "d.csv", "-d", 2, "--checkpoint", "c0", "-o", "m.json")
        os.symlink("d.csv", self.dir / "link")
        os.link(self.dir / "d.csv", self.dir / "hard")
        commands = [("predict", "m.json", "-", "-o"), ("binarize", "-", "-o"), ("encode", "-", "--encoding", "bdd2", "-d", 2, "-o"),
                    ("decide", "-", "-d", 2, "--proof"), ("report", "m.json", "-", "-o"),
                    ("compare", "-", "-d", 2, "--folds", 2, "--engines", "cart", "-o"),
                    *(("fit", "-", "-d", 2, flag) for flag in ("-o", "--report", "--certificate", "--front-plot", "--checkpoint"))]
        for line, name in itertools.product(commands, ("d.csv", "link", "hard", str(self.dir / "d.csv"))):
            with open(self.dir / "d.csv") as file:
                self.refused(2, f"{name}: {self.LINE}", *line, name, stdin=file)
        self.assertEqual((self.dir / "d.csv").read_text(), SMALL)
        with open(self.dir / "d.csv") as file:  # any other output is welcome
            self.ok("fit", "-", "-d", 2, "-q", "-o", "n.json", stdin=file)

    def test_a_checkpoint_takes_the_place_of_checkpoints_alone(self):
        fit = ("fit", "d.csv", "-d", 2, "-q", "--checkpoint")
        for name, ending in itertools.product(("notes.txt", "run"), ("", ".old")):
            self.write(name + ending, "hours of work\n")
            self.refused(1, f"{name}{ending}: is there and is no search state: a checkpoint would take its place", *fit, name)
            self.assertEqual((self.dir / (name + ending)).read_text(), "hours of work\n")
            (self.dir / (name + ending)).unlink()
        for text in ("", "search-state 1\ndamaged"):
            self.write("state", text)
            self.ok(*fit, "state")
        for name in ("poetry", "Cargo", "old"):  # what others call a lock is not ours
            self.write(f"{name}.lock", "precious\n")
            for table in ("d.csv", "missing.csv", "m.json"):
                self.run_it("fit", table, "-d", 2, "-q", "--checkpoint", name)
                self.assertEqual((self.dir / f"{name}.lock").read_text(), "precious\n")
        self.write("c.beadwork-lock", "precious\n")
        self.refused(1, f"c.beadwork-lock: stands where a lock has to be, and is none of beadwork's", *fit, "c")
        self.refused(2, f"c.beadwork-lock: two outputs have the same file", *fit, "c", "-o", "c.beadwork-lock")
        self.assertEqual((self.dir / "c.beadwork-lock").read_text(), "precious\n")

    def test_devices_may_be_named_twice(self):
        self.ok("binarize", "d.csv", "-q", "-o", "/dev/null")


class Outputs(CliTest):
    def setUp(self):
        super().setUp()
        self.write("d.csv", SMALL)
        self.ok("fit", "d.csv", "-d", 3, "-o", "m.json")

    def test_what_cannot_be_is_found_before_the_work(self):
        big_matrix(self.dir / "big.txt", 1000000)
        (self.dir / "folder").mkdir()
        self.write("plain", "")
        os.symlink("loop", self.dir / "loop")
        long_name = "x" * 300
        for path, message in ((long_name, "cannot write: File name too long"), ("nowhere/m", "cannot write: No such file or directory"),
                              ("folder", "is a directory"), ("plain/m", "cannot write: Not a directory"),
                              ("loop", "cannot write: Too many levels of symbolic links")):
            before = cpu_of_children()
            self.refused(1, f"{path}: {message}", "binarize", "big.txt", "-o", path)
            self.assertLess(cpu_of_children() - before, 5)
        self.refused(2, "--output: needs a value (see 'beadwork binarize --help')", "binarize", "d.csv", "-o", "")
        self.refused(1, f"{long_name}: cannot write: File name too long", "decide", "d.csv", "-d", 2, "--proof", long_name)

    def test_permissions(self):
        for mode in (0o600, 0o640, 0o666):
            for line in (("show", "m.json", "-o"), ("encode", "d.csv", "-o"), ("export", "m.json", "--to", "c", "-o")):
                self.write("old", "")
                (self.dir / "old").chmod(mode)
                self.ok(*line, "old")
                self.assertEqual(stat.S_IMODE(os.stat(self.dir / "old").st_mode), mode, line)
        for mask in (0o077, 0o022):
            for line in (("show", "m.json", "-o"), ("encode", "d.csv", "-o")):
                self.ok(*line, f"new-{line[0]}-{mask}", umask=mask)
                self.assertEqual(stat.S_IMODE(os.stat(self.dir / f"new-{line[0]}-{mask}").st_mode), 0o666 & ~mask, line)

    def test_a_link_to_nowhere_is_followed(self):
        os.symlink("real", self.dir / "link")
        for line in (("show", "m.json", "-o"), ("encode", "d.csv", "-o")):
            self.ok(*line, "link")
            self.assertTrue((self.dir / "link").is_symlink())
            (self.dir / "real").unlink()

    def test_what_cannot_be_written_goes_to_standard_output(self):
        self.write("old", "old")

        def full():  # a disk that is full after 100 bytes
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        before = sorted(os.listdir(self.dir))
        for path in ("old", "new"):
            done = self.run_it("show", "m.json", "--format", "json", "-o", path, preexec_fn=full)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, f"beadwork: {path}: cannot write: File too large\nbeadwork: the output goes to standard output instead\n")
            self.assertEqual(done.stdout, (self.dir / "m.json").read_text())
            self.assertEqual(sorted(os.listdir(self.dir)), before)
        self.assertEqual((self.dir / "old").read_text(), "old")

    def test_one_output_that_cannot_be_written_costs_no_other(self):
        outputs = {"-o": "m", "--certificate": "c", "--report": "r.html", "--front-plot": "f.svg"}
        for bad in outputs:
            names = {flag: "/dev/full" if flag == bad else name for flag, name in outputs.items()}
            done = self.run_it("fit", "d.csv", "-d", 2, "-q", *itertools.chain.from_iterable(names.items()))
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, "beadwork: /dev/full: cannot write: No space left on device\n"
                             "beadwork: the output goes to standard output instead\n")
            for name in set(names.values()) - {"/dev/full"}:
                self.assertGreater((self.dir / name).stat().st_size, 100, (bad, name))
                (self.dir / name).unlink()
            self.assertGreater(len(done.stdout), 100)

    def test_a_limit_on_the_size_of_files_is_a_disk_that_is_full(self):
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))

        self.write("u.cnf", UNSAT)
        for line in (("fit", "d.csv", "-d", 2, "-q", "-o"), ("fit", "d.csv", "-d", 2, "-q", "--report"), ("fit", "d.csv", "-d", 2, "-q", "--certificate"),
                     ("predict", "m.json", "d.csv", "-o"), ("export", "m.json", "--to", "c", "-o"), ("report", "m.json", "d.csv", "-o"),
                     ("binarize", "d.csv", "-o"), ("encode", "d.csv", "-o")):
            done = self.run_it(*line, "out", preexec_fn=small)
            self.assertEqual(done.returncode, 1, (line, done.stderr))
            self.assertIn("out: cannot write: File too large\n", done.stderr, line)
            self.assertFalse((self.dir / "out").exists())

    def test_a_pipe_nobody_reads(self):
        os.mkfifo(self.dir / "pipe")
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process = subprocess.Popen([BINARY, "show", "m.json", "-o", "pipe"], cwd=self.dir, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            wait_until_caught(process, number)
            self.assertIsNone(process.poll())
            process.send_signal(number)
            out, err = process.communicate(timeout=1800)
            self.assertEqual(process.returncode, 1)
            self.assertIn("pipe: stopped while waiting for a reader", err)
            self.assertEqual(out, self.ok("show", "m.json").stdout)

    def test_an_option_without_its_value_takes_no_other_word(self):
        self.write("other.csv", SMALL)
        for words in (("fit", "d.csv", "--certificate=", "other.csv"), ("fit", "d.csv", "--report=", "-q"), ("fit", "--output=", "d.csv")):
            flag = next(word for word in words if word.endswith("="))
            self.refused(2, f"{flag[:-1]}: needs a value", *words)
        self.assertEqual((self.dir / "other.csv").read_text(), SMALL)

    def test_a_pipe_whose_reader_is_late(self):
        os.mkfifo(self.dir / "pipe")
        process = subprocess.Popen([BINARY, "show", "m.json", "-o", "pipe"], cwd=self.dir)
        time.sleep(0.3)
        self.assertEqual((self.dir / "pipe").read_text(), self.ok("show", "m.json").stdout)
        self.assertEqual(process.wait(timeout=1800), 0)


    def test_a_formula_goes_where_other_outputs_go(self):
        """To a file all at once, to a pipe or device as it is; nothing stays behind, also not in the folder of temporary files."""
        os.mkfifo(self.dir / "pipe")
        os.mkdir(self.dir / "tmp")
        env = {**os.environ, "TMPDIR": str(self.dir / "tmp")}
        formats = ([], ["--maxsat"], ["--maxsat", "--wcnf-format", "old"])
        for form in formats:
            self.ok("encode", "d.csv", "-o", "formula", *form)
            expected = (self.dir / "formula").read_text()
            said = self.ok("encode", "d.csv", *form).stdout
            self.assertEqual(self.ok("encode", "d.csv", "-o", "/dev/stdout", *form, env=env).stdout, expected + said)
            process = subprocess.Popen([BINARY, "encode", "d.csv", "-o", "pipe", *form], cwd=self.dir, env=env, stdout=subprocess.PIPE)
            time.sleep(0.3)
            self.assertEqual((self.dir / "pipe").read_text(), expected)
            self.assertEqual((process.communicate(timeout=1800)[0].decode(), process.returncode), (said, 0))
            for number, code in ((signal.SIGTERM, 1), (signal.SIGHUP, 1), (signal.SIGKILL, -signal.SIGKILL)):
                process = subprocess.Popen([BINARY, "encode", "d.csv", "-o", "pipe", *form], cwd=self.dir, env=env,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                wait_until_caught(process, signal.SIGTERM)
                self.assertIsNone(process.poll())
                process.send_signal(number)
                self.assertEqual((process.communicate(timeout=1800)[0], process.returncode), ("", code))
            self.assertEqual(os.listdir(self.dir / "tmp"), [])

    def test_a_formula_that_is_stopped_changes_nothing(self):
        big_matrix(self.dir / "big.txt", 2000)
        self.write("formula", "old")
        for number, code in ((signal.SIGTERM, 3), (signal.SIGKILL, -signal.SIGKILL)):
            process = subprocess.Popen([BINARY, "encode", "big.txt", "-d", "12", "-o", "formula"], cwd=self.dir, stderr=subprocess.PIPE, text=True)
            wait_until_caught(process, signal.SIGTERM, 0.7)
            self.assertIsNone(process.poll())
            process.send_signal(number)
            _, err = process.communicate(timeout=1800)
            self.assertEqual((process.returncode, err), (code, "beadwork: formula: stopped by a signal\n" if code == 3 else ""))
            self.assertEqual((self.dir / "formula").read_text(), "old")
            self.assertEqual([name for name in os.listdir(self.dir) if name.startswith(".")], [])


class Stopping(CliTest):
    def test_signals_while_reading(self):
        big_matrix(self.dir / "big.txt", 1000000)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = subprocess.Popen([BINARY, "binarize", "big.txt", "-o", "out"], cwd=self.dir, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            wait_until_caught(process, number, 0.1)
            self.assertIsNone(process.poll())
            _, err, took = send_and_wait(process, number)
            self.assertLess(took, 5)
            self.assertEqual((process.returncode, err), (3, "beadwork: big.txt: stopped while reading it\n"))
            self.assertEqual(os.listdir(self.dir), ["big.txt"])

    def test_a_file_that_is_cut_short_while_it_is_read(self):
        codes = set()
        for wait in (0.02, 0.05, 0.1, 0.2, 0.4):
            big_matrix(self.dir / "big.txt", 500000)
            process = subprocess.Popen([BINARY, "binarize", "big.txt", "-o", "/dev/null"], cwd=self.dir, stderr=subprocess.PIPE, text=True)
            time.sleep(wait)
            os.truncate(self.dir / "big.txt", 1000)
            _, err = process.communicate(timeout=1800)
            codes.add(process.returncode)
            if process.returncode != 0:
                self.assertEqual(err.count("\n"), 1, err)
        self.assertLessEqual(codes, {0, 1})

    def test_a_dash_is_standard_output_or_refused(self):
        self.write("d.csv", SMALL)
        self.ok("fit", "d.csv", "-q", "-d", 2, "-o", "m.json")
        for line in (("show", "m.json"), ("export", "m.json", "--to", "c"), ("binarize", "d.csv"), ("predict", "m.json", "d.csv"),
                     ("report", "m.json", "d.csv", "--date", "2026-03-01"), ("datasets", "make", "multiplexer-6")):
            printed = self.ok(*line)
            self.assertEqual((self.ok(*line, "-o", "-").stdout, printed.stdout != ""), (printed.stdout, True), line)
        for line in (("fit", "d.csv", "-o"), ("fit", "d.csv", "--report"), ("fit", "d.csv", "--certificate"), ("fit", "d.csv", "--checkpoint"),
                     ("fit", "d.csv", "--front", "--front-plot"), ("fit", "d.csv", "--engine", "maxsat", "--proof"), ("encode", "d.csv", "-d", 2, "-o"),
                     ("decide", "d.csv", "-d", 2, "--proof"), ("solve", "d.csv", "--proof")):
            self.refused(2, "-: this output cannot go to standard output; ./- is a file of that name", *line, "-")
        self.ok("fit", "d.csv", "-q", "-d", 1, "-o", "./-")
        self.assertTrue((self.dir / "-").exists())

    def test_a_limit_has_a_code_of_its_own(self):
        self.write("d.csv", SMALL)
        for line in (("decide", "d.csv", "-d", 3), ("min-depth", "d.csv"), ("min-depth", "d.csv", "--engine", "search")):
            self.assertEqual(self.run_it(*line).returncode, 0)
            done = self.run_it(*line, "--time-limit", 0)
            self.assertEqual((done.returncode, bool(done.stdout)), (4, True), done.stderr)
        for engine in ("cart", "local", "odt", "oodg", "hoodg"):
            line = ("fit", "d.csv", "-q", "-d", 3, "--engine", engine)
            self.assertNotIn("cut_short", json.loads(self.ok(*line, "--time-limit", 3600, "--json").stdout))
            for more in ([], ["--thresholds", "all"]) if engine == "local" else ([],):
                done = self.stopped(*line, "--time-limit", 0, *more)
                self.assertEqual(done.stderr, "beadwork: stopped after 0 seconds; what helps: a longer --time-limit, a smaller --depth\n")
            self.assertIs(json.loads(self.stopped(*line, "--time-limit", 0, "--json").stdout)["cut_short"], True)
        compare = ("compare", "d.csv", "-d", 2, "--folds", 2, "--seeds", 1, "-q")
        self.assertEqual(self.run_it(*compare).returncode, 0)
        self.assertEqual(self.run_it(*compare, "--engines", "cart,local", "--time-limit", 0).returncode, 0)  # they prove nothing
        for limit in (["--time-limit", 0], ["--engines", "cart,search:time-limit=0"]):
            done = self.run_it(*compare, *limit)
            self.assertEqual((done.returncode, bool(done.stdout)), (4, True), done.stderr)

    def test_a_table_that_does_not_fit_into_memory(self):
        self.write("d.csv", SMALL)
        for engine in ("search", "enumerate", "maxsat", "maxsat-dt", "odt", "oodg", "hoodg"):
            done = self.stopped("fit", "d.csv", "-q", "-d", 2, "--engine", engine, "--memory-limit", 1)
            self.assertIn("memory limit", done.stderr, engine)
            self.assertIn("1 node (0 tests)", done.stdout, engine)

    def test_a_limit_before_the_features_are_made(self):
        # More values than no limit is too short for. A limit of no time comes at the first look at the clock, whatever the machine.
        rng = random.Random(1)
        names = [f"x{i}" for i in range(1100)]
        rows = [[str(rng.randrange(100)) for _ in names] + ["n" if i % 3 else "p"] for i in range(1000)]
        self.write("d.csv", "\n".join(map(",".join, [[*names, "y"], *rows])) + "\n")
        for engine in ("search", "cart"):
            done = self.stopped("fit", "d.csv", "-d", 2, "--engine", engine, "--time-limit", 0, "-o", "m.json", "--report", "r.html",
                                "--test", "d.csv")
            self.assertIn("warning: the time limit came before the features were made: the answer is one class for all rows, and "
                          "nothing is proven of it", done.stderr)
            self.assertIn("1000 rows, 2 classes: n, p; target 'y'", done.stderr)
            self.assertNotIn("every diagram makes", done.stderr)
            self.assertNotIn("optimal: no", done.stdout)
            self.assertIn("334 errors in 1000 rows", done.stdout)
            self.assertTrue((self.dir / "r.html").exists())
            self.assertEqual(set(self.ok("predict", "m.json", "d.csv", "-q").stdout.splitlines()[1:]), {"n,0.666"})
            self.assertNotIn("not the model's training rows", self.ok("report", "m.json", "d.csv", "-o", "p.html").stderr)
        self.write("costs.csv", "class,n,p\nn,0,1\np,9,0\n")
        done = self.stopped("fit", "d.csv", "-q", "--costs", "costs.csv", "--time-limit", 0, "--json")
        self.assertEqual(json.loads(done.stdout)["training_errors"], 666)
        done = self.stopped("fit", "d.csv", "-q", "--thresholds", "quantiles:40", "--memory-limit", 1, "-o", "m.json")
        self.assertIn("warning: the memory limit leaves no room for the features: the answer is one class", done.stderr)
        self.assertRegex(done.stderr, r"stopped for want of memory")
        for more in (["--faithful"], ["--certificate", "c"], ["--require", "x1 <= 10.5"], ["--plan", "2", "--plan-dir", "p"]):
            done = self.run_it("fit", "d.csv", "-q", "--time-limit", 0, *more)
            self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
            self.assertEqual(done.stderr, "beadwork: d.csv: stopped while turning its columns into features\n")

    def test_preparing_is_within_the_limits_of_other_commands(self):
        # Large enough for no preparation to be free of limits. No time, or no room: whatever the machine.
        rng = random.Random(1)
        names = [f"x{i}" for i in range(1100)]
        rows = [[str(rng.randrange(100)) for _ in names] + ["n" if i % 3 else "p"] for i in range(1000)]
        self.write("d.csv", "\n".join(map(",".join, [[*names, "y"], *rows])) + "\n")
        commands = (("decide", "d.csv", "-d", 3), ("min-depth", "d.csv"), ("min-depth", "d.csv", "--engine", "search"),
                    ("compare", "d.csv", "-d", 1, "--folds", 2, "--seeds", 1, "--engines", "cart", "-q"))
        for command in commands:
            for limit, why in ((["--time-limit", 0], "stopped while turning its columns into features"),
                               (["--memory-limit", 1, "--thresholds", "quantiles:40"], "its columns have too many features for the memory limit")):
                self.refused(3, f"d.csv: {why}", *command, *limit)
        self.write("small.csv", SMALL)
        told = json.loads(self.ok("compare", "small.csv", "-d", 1, "--folds", 2, "--seeds", 1, "--engines", "cart", "-q", "--json",
                                  "--memory-limit", 1).stdout)
        self.assertEqual(told["engines"][0]["answered"], 2)

    def test_many_classes(self):
        # No matrix of them, in words and JSON; a page is refused before the search, which would take until the limit.
        for classes in (2000, 2001):
            self.write("d.csv", "a,b,y\n" + "".join(f"{i % 2},{i // 7 % 2},k{i % classes}\n" for i in range(2 * classes)))
            self.ok("fit", "d.csv", "-q", "-d", 1, "-o", "m.json")
            told = json.loads(self.ok("evaluate", "m.json", "d.csv", "--json").stdout)
            self.assertEqual(len(told["per_class"]), classes)
            line = "no confusion matrix: 2001 classes are more than 2000"
            if classes == 2000:
                self.assertEqual(len(told["confusion"]), classes)
                continue
            self.assertIsNone(told["confusion"])
            said = self.ok("evaluate", "m.json", "d.csv").stdout
            self.assertEqual(said.splitlines()[-1], line)
            self.assertNotIn("rows: true class", said)
            said = self.ok("fit", "d.csv", "-q", "-d", 1, "--test", "d.csv").stdout
            self.assertEqual(said.splitlines()[-1], line)
            self.assertIsNone(json.loads(self.ok("fit", "d.csv", "-q", "-d", 1, "--test", "d.csv", "--json").stdout)["test"]["confusion"])
            told = "a page shows at most 2000 classes, and there are 2001"
            self.refused(1, f"p.html: {told}", "fit", "d.csv", "-d", 2, "--report", "p.html", "-o", "n.json")
            self.refused(1, f"m.json: {told}", "report", "m.json", "d.csv", "-o", "p.html")

    def test_notes_about_the_data_are_within_the_limit(self):
        self.write("d.csv", SMALL)
        self.assertIn("8 rows (8 distinct), 3 features (3 distinct), 2 classes", self.ok("fit", "d.csv").stderr)
        self.assertIn("8 rows, 3 features, 2 classes", self.stopped("fit", "d.csv", "--time-limit", 0).stderr)

    def test_nohup_is_respected(self):
        self.write("d.csv", SMALL)
        self.ok("fit", "d.csv", "-d", 3, "-o", "m.json")
        os.mkfifo(self.dir / "pipe")
        process = subprocess.Popen([BINARY, "show", "m.json", "-o", "pipe"], cwd=self.dir,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        time.sleep(0.3)
        process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        self.assertEqual((self.dir / "pipe").read_text(), self.ok("show", "m.json").stdout)
        self.assertEqual(process.wait(timeout=1800), 0)


class Odd(CliTest):
    @unittest.skipIf(os.environ.get("BEADWORK_SANITIZED"), "a sanitizer takes more address space than the test grants")
    def test_a_comment_brings_no_variable_into_being(self):
        self.write("f.wcnf", "c var 1073741824 x\nh 1 2 0\n1 -1 0\n")

        def small():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

        done = self.run_it("solve", "f.wcnf", preexec_fn=small)
        self.assertEqual(done.returncode, 30, done.stderr)
        self.assertIn("s OPTIMUM FOUND", done.stdout)

    def test_weights_that_add_up_to_too_much(self):
        self.write("d.csv", "a,w,y\n0,1e18,p\n1,1e18,n\n1,1e18,p\n")
        self.refused(1, "d.csv: column 'w': the weights add up to more than 2^56; scale them down", "fit", "d.csv", "--weight", "w")

    def test_files_of_the_system(self):
        self.refused(1, "/proc/self/mem: cannot read: Input/output error", "binarize", "/proc/self/mem")
        self.assertEqual(self.run_it("binarize", "/proc/self/status", "-q").returncode, 1)


if __name__ == "__main__":
    unittest.main()
