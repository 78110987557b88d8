"""Solvers that lie, in each way that a solver can: no sentence and no JSON may say what is false without saying whose word it is, and no
lie ends in an error of our own. The tables are small, so what is true is known."""
import itertools
import json
import os
import unittest

from beadwork_cli import BINARY, CliTest

XOR = "a,b,class\n0,0,x\n0,1,y\n1,0,y\n1,1,x\n"  # no errors with two features, two with one; the least depth is 2
ONE = "a,b,class\n0,0,x\n0,1,x\n1,0,y\n1,1,y\n"  # no errors with one feature
HARD_ONLY = r"""
import subprocess, sys
lines = open(sys.argv[1]).read().splitlines()
open("hard.cnf.wcnf", "w").write("\n".join(l for l in lines if l.startswith(("h", "c"))) + "\n1 1 0\n")
told = subprocess.run([sys.argv[2], "solve", "hard.cnf.wcnf"], capture_output=True, text=True).stdout
print("\n".join(l for l in told.splitlines() if l.startswith(("s", "v"))))
"""

LIES = {
    "denies": "echo 's UNSATISFIABLE'; exit 20",
    "settles": 'if [ -e said ]; then echo "s UNSATISFIABLE"; exit 20; fi; touch said; "$REAL" solve "$1"',
    "any_model": 'python3 "$0.py" "$1" "$REAL"',  # a model of the hard clauses, called the best
    "zero": "echo 'o 0'; echo 's OPTIMUM FOUND'; echo 'v 0'",
    "empty_model": "echo 's SATISFIABLE'; echo 'v 0'; exit 10",
    "optimum_without_model": "echo 's OPTIMUM FOUND'; exit 30",
    "satisfiable_without_model": "echo 's SATISFIABLE'; exit 10",
    "silent": "exit 0",
    "nonsense": "echo 's PERHAPS'",
    "dies": "kill -9 $$",
    "denies_with_model": "echo 's UNSATISFIABLE'; echo 'v 1 0'",
}


class Liars(CliTest):
    def setUp(self):
        super().setUp()
        self.write("xor.csv", XOR)
        self.write("one.csv", ONE)
        for name, body in LIES.items():
            script = self.write(f"liar_{name}", f'#!/bin/sh\nREAL="{BINARY}"\n{body}\n')
            os.chmod(self.dir / script, 0o755)
        self.write("liar_any_model.py", HARD_ONLY)

    def ask(self, lie, *words):
        (self.dir / "said").unlink(missing_ok=True)
        done = self.run_it(*words, "--solver", f"./liar_{lie}")
        self.assertIn(done.returncode, (0, 1, 2, 3, 4, 10, 20, 30), (lie, words, done.stderr))
        named = "liar_" in done.stdout + done.stderr
        self.assertTrue(named or done.returncode not in (1, 2), (lie, words, done.stderr))
        return done, named

    def test_fit(self):
        models = [("maxsat", "auto"), ("maxsat", "bdd2"), ("maxsat", "bdd3"), ("maxsat", "pair"), ("maxsat-dt", None)]
        for lie, (engine, encoding), depth in itertools.product(LIES, models, (1, 2)):
            words = ["fit", "xor.csv", "--engine", engine, "-d", depth, *(["--encoding", encoding] if encoding else []), "--json", "-q"]
            done, named = self.ask(lie, *words)
            if not done.stdout:
                continue
            told = json.loads(done.stdout)
            self.assertNotEqual(told["status"], "infeasible", (lie, words))
            least = 0 if depth == 2 else 2
            false = told["lower_bound"] > least or told["status"] == "optimal" and told["training_errors"] > least
            self.assertTrue(named or not false, (lie, words, done.stdout))
            self.assertTrue("liar_" in told["sentence"] or not false, (lie, words, told["sentence"]))
            if told["upper_bound"] is not None:
                self.assertLessEqual(least, told["upper_bound"], (lie, words))

    def test_questions(self):
        for lie, encoding, form in itertools.product(LIES, ("bdd1", "bdd2"), ((), ("--json",))):
            for depth in (1, 2):
                done, named = self.ask(lie, "decide", "xor.csv", "-d", depth, "--encoding", encoding, *form)
                self.assertTrue(named or depth == 1 or '"unsatisfiable"' not in done.stdout and "there is no" not in done.stdout,
                                (lie, depth, done.stdout))
            for table, least, start in (("xor.csv", 2, 1), ("one.csv", 1, 2)):
                done, named = self.ask(lie, "min-depth", table, "--encoding", encoding, "--start", start, *form)
                if form and done.stdout:
                    told = json.loads(done.stdout)
                    self.assertTrue(told["solver"] or told["lower_bound"] <= least, (lie, done.stdout))
                    self.assertTrue(told["solver"] or told["status"] != "optimal" or told["depth"] == least, (lie, done.stdout))
                elif done.stdout:
                    self.assertTrue(named or f"least depth {least}\n" in done.stdout or "least is" in done.stdout or
                                    any(f"at least {n}" in done.stdout for n in range(least + 1)), (lie, done.stdout))

    def test_a_proof_is_ours(self):
        done, _ = self.ask("denies", "decide", "xor.csv", "-d", 1, "--proof", "p.drat", "--json")
        self.assertEqual((json.loads(done.stdout)["status"], json.loads(done.stdout)["solver"]), ("unsatisfiable", None))
        self.write("three.csv", "a,b,c,class\n0,0,0,x\n0,1,1,y\n1,0,1,y\n1,1,0,x\n0,0,1,x\n")  # two features do, and three are there
        done, _ = self.ask("denies", "decide", "three.csv", "-d", 2, "--proof", "p.drat")
        self.assertEqual((done.returncode, done.stderr), (1, "beadwork: solver './liar_denies': its answer contradicts itself: is it a MaxSAT solver?\n"))

    def test_solve(self):
        self.write("yes.cnf", "p cnf 2 1\n1 2 0\n")
        self.write("w.wcnf", "h 1 2 0\n3 -1 0\n4 -2 0\n")
        for lie, name in itertools.product(LIES, ("yes.cnf", "w.wcnf")):
            done, named = self.ask(lie, "solve", name)
            if done.returncode in (20, 30):
                self.assertTrue(named or "o 3\n" in done.stdout, (lie, name, done.stdout))

    def test_compare(self):
        for lie in ("denies", "any_model", "zero"):
            done = self.run_it("compare", "xor.csv", "-d", 1, "--folds", 2, "--seeds", 1, "-q", "--csv", "--engines", f"maxsat:solver=./liar_{lie}")
            self.assertIn(done.returncode, (0, 1, 2, 4), (lie, done.stderr))
            self.assertIn("liar_", done.stdout + done.stderr, lie)


if __name__ == "__main__":
    unittest.main()
