"""`beadwork solve` as a program among solvers: where formulas come from, what it prints, how it ends."""
import gzip
import lzma
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time
import unittest

from beadwork_cli import BINARY, CliTest

WCNF = "h 1 2 0\n3 -1 0\n4 -2 0\n"  # the optimum is 3: 1 true, 2 false
NO = "p cnf 1 2\n1 0\n-1 0\n"


def hard_wcnf(variables=200, seed=1):
    """One that takes long: random clauses of two literals, all soft."""
    draw = random.Random(seed)
    return "".join(f"{draw.randint(1, 20)} " + " ".join(str(draw.choice((-1, 1)) * v) for v in draw.sample(range(1, variables + 1), 2)) + " 0\n"
                   for _ in range(5 * variables))


class Solver(CliTest):
    def solved(self, *words, text=None):
        done = self.run_it("solve", *words, **({} if text is None else {"stdin": None, "input": text.encode()}))
        self.assertEqual(done.stderr, "")
        return done.returncode, [line for line in done.stdout.splitlines() if not line.startswith("c")]

    def test_where_formulas_come_from(self):
        answer = (30, ["o 3", "s OPTIMUM FOUND", "v 10"])
        self.write("f.wcnf", WCNF)
        self.write("f.wcnf.gz", gzip.compress(WCNF.encode()))
        for words, text in ((["f.wcnf"], None), (["f.wcnf.gz"], None), (["-"], WCNF), ([], WCNF), ([], "p wcnf 2 3 9\n9 1 2 0\n3 -1 0\n4 -2 0\n")):
            code, lines = self.solved(*words, text=text)
            self.assertEqual((code, lines[-3:]), answer, words)
        done = self.run_it("solve", stdin=None, input=gzip.compress(WCNF.encode()))
        self.assertEqual(done.returncode, 30)

    @unittest.skipUnless(shutil.which("xz"), "no xz here")
    def test_xz(self):
        packed = lzma.compress(WCNF.encode())
        self.write("f.wcnf.xz", packed)
        self.assertEqual(self.solved("f.wcnf.xz", "-q")[0], 30)
        self.assertEqual(self.run_it("solve", stdin=None, input=packed).returncode, 30)
        self.write("cut.wcnf.xz", packed[:-8])
        self.refused(1, "cut.wcnf.xz: is damaged: xz cannot unpack it", "solve", "cut.wcnf.xz")
        os.makedirs(self.dir / "empty")
        self.refused(1, "f.wcnf.xz: is packed by xz, and the program xz (Debian: xz-utils) cannot be run to unpack it", "solve", "f.wcnf.xz",
                     env={**os.environ, "PATH": str(self.dir / "empty")})

    def test_formats(self):
        code, lines = self.solved(text="* a comment\nmin: +2 x1 -1 x2;\n+1 x1 +1 x2 >= 1;\n")
        self.assertEqual((code, lines[-3:]), (30, ["o -1", "s OPTIMUM FOUND", "v -x1 x2"]))
        self.assertEqual(self.solved(text="+1 x1 +1 x2 >= 3;\n"), (20, ["s UNSATISFIABLE"]))
        self.assertEqual(self.solved(text="+2 a -1 ~b >= 2;\n"), (10, ["s SATISFIABLE", "v a b"]))
        self.assertEqual(self.solved(text="-1 2 0\n-2 0\n"), (10, ["s SATISFIABLE", "v -1 -2 0"]))
        self.assertEqual(self.solved("--format", "cnf", text="1 0\n2 0\n"), (10, ["s SATISFIABLE", "v 1 2 0"]))
        self.write("bare.cnf", "1 0\n-1 0\n")
        self.assertEqual(self.solved("bare.cnf"), (20, ["s UNSATISFIABLE"]))
        self.refused(1, "standard input:1:1: expected 'h' or a weight, got 'hello'", "solve", stdin=None, input=b"hello\n")
        self.refused(1, "standard input:1:7: a product of variables: only linear constraints are read", "solve", stdin=None, input=b"+1 x1 x2 >= 1;\n")
        self.refused(2, "--proof: there are proofs for CNF files only", "solve", "--proof", "p", stdin=None, input=b"min: +1 x1;\n")
        self.refused(2, "--proof: there are proofs for CNF files only", "solve", "--proof", "p", stdin=None, input=b"+1 x1 >= 2;\n")

    def test_values(self):
        for how, line in (("auto", "v 10"), ("bits", "v 10"), ("literals", "v 1 -2 0")):
            self.assertEqual(self.solved("--values", how, text=WCNF)[1][-1], line)
        self.assertEqual(self.solved("--values", "bits", text="p cnf 3 3\n1 0\n-2 0\n3 0\n"), (10, ["s SATISFIABLE", "v 101"]))
        long = self.solved(text="p cnf 400 1\n1 0\n")[1]
        self.assertLessEqual(max(map(len, long)), 78)
        self.assertEqual([abs(int(w)) for line in long[1:] for w in line[1:].split()], [*range(1, 401), 0])

    def test_comments(self):
        told = self.run_it("solve", stdin=None, input=WCNF.encode()).stdout.splitlines()
        self.assertRegex(told[0], r"^c beadwork \S+, CaDiCaL ")
        self.assertEqual(told[1], "c WCNF: 2 variables, 3 clauses, 4 literals; 2 soft, of weight 7")
        self.assertIn("c LB 3", told)
        self.assertIn("c bounds 3 3", told)
        self.assertRegex("\n".join(told), r"\nc 2 soft literals, \d+ cores? .* solver calls?\n")
        self.assertEqual([line for line in self.run_it("solve", "-q", stdin=None, input=WCNF.encode()).stdout.splitlines() if line[0] == "c"], [])

    def test_bounds_come_as_they_improve_until_a_signal(self):
        self.write("f.wcnf", hard_wcnf())
        for number in (signal.SIGTERM, signal.SIGINT):
            process = subprocess.Popen([BINARY, "solve", "f.wcnf"], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            lines = []
            while min(sum(line.startswith(kind) for line in lines) for kind in ("o ", "c LB ")) < 2:
                lines.append(next(process.stdout).rstrip("\n"))
            process.send_signal(number)
            lines += process.stdout.read().splitlines()  # what is left; communicate would pass over what was read ahead
            err = process.stderr.read()
            process.stdout.close(), process.stderr.close()
            process.wait(timeout=1800)
            self.assertEqual((process.returncode, err, lines[-2]), (10, "", "s SATISFIABLE"))
            costs = [int(line[2:]) for line in lines if line.startswith("o ")]
            bounds = [int(line[5:]) for line in lines if line.startswith("c LB ")]
            self.assertEqual(costs, sorted(set(costs), reverse=True))
            self.assertEqual(bounds, sorted(set(bounds)))
            self.assertLess(bounds[-1], costs[-1])
            self.assertRegex(lines[-1], "^v [01]{200}$")
            values = lines[-1][2:]
            self.assertEqual(costs[-1], sum(int(w) for w, *c in (line.split()[:-1] for line in hard_wcnf().splitlines())
                                            if not any(values[abs(int(l)) - 1] == "01"[int(l) > 0] for l in c)))

    def test_a_signal_before_the_formula_is_there(self):
        process = subprocess.Popen([BINARY, "solve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        status = pathlib.Path(f"/proc/{process.pid}/status")
        while "S (sleeping)" not in status.read_text() or "SigCgt:\t0000000000000000" in status.read_text():  # it waits
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=1800)
        self.assertEqual((process.returncode, out, err), (0, "s UNKNOWN\n", ""))

    def script(self, name, text):
        self.write(name, "#!/bin/sh\n" + text)
        os.chmod(self.dir / name, 0o755)
        return f"./{name}"

    def test_minisats_way_to_answer(self):
        self.write("yes.cnf", "p cnf 2 1\n1 2 0\n")
        self.write("no.cnf", NO)
        yes = self.script("minisat_like_yes", 'echo "| a table |"; echo SATISFIABLE; printf "SAT\\n-1 2 0\\n" >"$2"; exit 10\n')
        answers = {
            "minisat": self.script("minisat", 'echo SATISFIABLE; printf "SAT\\n-1 2 0\\n" >"$2"; exit 10\n'),
            "named": f"{yes} {{}} {{out}}",
            "named, no place for the formula": f"{yes} {{out}}",
            "on the screen": self.script("screen", 'echo SAT; echo "-1 2 0"; exit 10\n'),
        }
        for name, command in answers.items():
            self.assertEqual(self.solved("yes.cnf", "-q", "--solver", command), (10, ["s SATISFIABLE", "v -1 2 0"]), name)
        denies = self.script("minisat_denies", 'echo UNSATISFIABLE; echo UNSAT >"$2"; exit 20\n')
        self.assertEqual(self.solved("no.cnf", "--solver", denies), (20, ["s UNSATISFIABLE"]))
        gives_up = self.script("minisat_gives_up", 'echo INDETERMINATE; echo INDET >"$2"; exit 0\n')
        self.assertEqual(self.solved("no.cnf", "--solver", gives_up), (0, ["s UNKNOWN"]))
        lies = self.script("minisat_lies", 'printf "SAT\\n-1 -2 0\\n" >"$2"\n')
        self.refused(1, "solver './minisat_lies': its model falsifies clause 1", "solve", "-q", "yes.cnf", "--solver", lies)
        self.assertFalse([name for name in os.listdir("/tmp") if name.startswith("beadwork-") and name.endswith(".answer")])

    @unittest.skipUnless(shutil.which("minisat"), "no minisat here")
    def test_minisat(self):
        draw = random.Random(3)
        seen = set()
        for _ in range(20):
            clauses = [[draw.choice((-1, 1)) * v for v in draw.sample(range(1, 16), 3)] for _ in range(64)]
            self.write("f.cnf", "p cnf 15 64\n" + "".join(" ".join(map(str, c)) + " 0\n" for c in clauses))
            ours, theirs = self.solved("f.cnf"), self.solved("f.cnf", "--solver", "minisat -verb=0")
            self.assertEqual((ours[0], ours[1][0]), (theirs[0], theirs[1][0]))
            seen.add(ours[0])
        self.assertEqual(seen, {10, 20})


if __name__ == "__main__":
    unittest.main()
