"""The models as formulas, by the command line: sizes, other solvers, brute force, proofs, limits."""
import glob
import json
import os
import random
import re
import shutil
import subprocess
import unittest

from beadwork_cli import CliTest, SANITIZED

# The 8 rows of the paper's Example 2, class first.
EXAMPLE = "0 1 0 1 0\n0 1 0 0 1\n1 0 0 1 0\n0 1 1 0 0\n1 0 0 0 1\n0 1 1 1 1\n0 0 1 1 0\n1 0 0 1 1\n"


def noisy_table(rows, features, seed=1):
    rng = random.Random(seed)
    return "".join(" ".join(str(rng.randint(0, 1)) for _ in range(features + 1)) + "\n" for _ in range(rows))


def random_wcnf(rng, variables, weighted):
    clause = lambda: [rng.choice((-1, 1)) * v for v in rng.sample(range(1, variables + 1), min(3, variables))]
    hard = [clause() for _ in range(rng.randint(0, 4 * variables))]
    soft = [(rng.randint(1, 9 if weighted == 1 else 10 ** 6) if weighted else 1, clause()[:rng.randint(1, 3)])
            for _ in range(rng.randint(1, 12 + 2 * variables))]
    return hard, soft


def least_cost(variables, hard, soft):
    """All 2^n assignments at once: bit i of an integer speaks of assignment i; costs are added up in binary, bit by bit."""
    everywhere = (1 << (1 << variables)) - 1
    true = [sum(1 << i for i in range(2 << v) if i >> v & 1) for v in range(min(variables, 6))]
    value = []
    for v in range(variables):  # the pattern 0..01..1 of length 2^(v+1), repeated
        block = ((1 << (1 << v)) - 1) << (1 << v)
        size = 2 << v
        while size < 1 << variables:
            block |= block << size
            size *= 2
        value.append(block)
        assert v >= len(true) or true[v] == block & ((1 << (2 << v)) - 1)
    def holds(clause):
        found = 0
        for literal in clause:
            found |= value[literal - 1] if literal > 0 else everywhere & ~value[-literal - 1]
        return found
    allowed = everywhere
    for clause in hard:
        allowed &= holds(clause)
    if not allowed:
        return None
    total = []
    for weight, clause in soft:
        missed, carry, place = everywhere & ~holds(clause), 0, 0
        while weight >> place or carry:
            if place == len(total):
                total.append(0)
            added = missed if weight >> place & 1 else 0
            total[place], carry = total[place] ^ added ^ carry, total[place] & added | total[place] & carry | added & carry
            place += 1
    least = 0
    for place in reversed(range(len(total))):
        if allowed & ~total[place]:
            allowed &= ~total[place]
        else:
            least |= 1 << place
    return least


class Encode(CliTest):
    def test_the_files_own_count_is_what_is_printed(self):
        self.write("d.txt", noisy_table(40, 9))
        for encoding, extra in (("bdd1", []), ("bdd2", []), ("bdd2", ["--maxsat"]), ("bdd3", []), ("pair", [])):
            for form in ("new", "old"):
                said = json.loads(self.ok("encode", "d.txt", "-d", 3, "--encoding", encoding, *extra, "--wcnf-format", form,
                                          "--json", "-o", "f").stdout)
                weighted = said["maxsat"]
                variables = clauses = literals = 0
                for line in (self.dir / "f").read_text().splitlines():
                    words = line.split()
                    if words[0] in "cp":
                        continue
                    numbers = [int(w) for w in words[1 if weighted else 0:-1]]
                    clauses, literals = clauses + 1, literals + len(numbers)
                    variables = max([variables, *map(abs, numbers)])
                self.assertEqual((clauses, literals), (said["clauses"], said["literals"]), (encoding, form))
                self.assertLessEqual(variables, said["variables"])

    def test_names_follow_the_paper(self):
        self.write("d.txt", EXAMPLE)
        self.ok("encode", "d.txt", "-d", 2, "--encoding", "bdd1", "-o", "f.cnf")
        text = (self.dir / "f.cnf").read_text()
        self.assertIn("a[3,1] feature 2 is number 1 of the order", text)
        self.assertIn("c[4] class of cell 3", text)

    def test_refusals(self):
        self.write("d.txt", EXAMPLE)
        self.refused(2, "--maxsat: bdd1 has no MaxSAT form; use bdd2", "encode", "d.txt", "--encoding", "bdd1", "--maxsat")
        self.refused(2, "--encoding: expected bdd1, bdd2, bdd3, pair or dt, got 'bdd9'", "encode", "d.txt", "--encoding", "bdd9")


class Decide(CliTest):
    def test_weights_that_no_formula_holds(self):
        """bdd2 counts each row once for every cell: 2^8 times 7e16."""
        self.write("big.csv", ",".join("abcdefghi") + ",w,y\n" + "0,1,0,1,0,1,0,1,1,30000000000000000,p\n" +
                   "1,0,0,1,1,1,0,0,0,20000000000000000,n\n1,1,1,0,0,0,1,1,0,20000000000000000,p\n")
        for words in (("fit", "big.csv", "--engine", "maxsat", "-q"), ("encode", "big.csv", "--maxsat", "-o", "f.wcnf")):
            done = self.run_it(*words, "--weight", "w", "--encoding", "bdd2", "-d", 8)
            self.assertIn(done.returncode, (1, 2), done.stderr)
            self.assertIn("the weights are too large for bdd2 at this depth, where each counts for every cell", done.stderr)
        self.assertEqual(self.fit("big.csv", "--weight", "w", "-q", "--engine", "maxsat", "--encoding", "bdd2", "-d", 1)["status"], "optimal")

    def test_the_papers_example(self):
        self.write("d.txt", EXAMPLE)
        for encoding in ("bdd1", "bdd2"):
            answer = json.loads(self.ok("decide", "d.txt", "-d", 2, "--encoding", encoding, "--json").stdout)
            self.assertEqual((answer["status"], answer["table"], sorted(answer["features"])), ("satisfiable", "1000", ["f1", "f2"]))
            least = json.loads(self.ok("min-depth", "d.txt", "--encoding", encoding, "--json").stdout)
            self.assertEqual((least["status"], least["depth"], least["lower_bound"]), ("optimal", 2, 2))
            self.assertEqual([s["depth"] for s in least["steps"]], [4, 3, 2, 1])  # min(7, K), then down

    def test_no_diagram_comes_with_a_proof_that_checks(self):
        self.write("d.txt", EXAMPLE)
        done = self.ok("decide", "d.txt", "-d", 1, "--proof", "p.drat", "--check-proof")
        self.assertIn("unsatisfiable: there is no diagram on exactly 1 feature that makes no errors", done.stdout)
        self.assertIn("proof checked", done.stderr)
        self.assertTrue((self.dir / "p.drat").exists() and (self.dir / "p.drat.cnf").exists())

    def test_one_class_and_contradictions(self):
        self.write("one.txt", "1 0 1\n1 1 1\n")
        self.assertEqual(json.loads(self.ok("min-depth", "one.txt", "--json").stdout)["depth"], 0)
        self.write("two.txt", "0 0 1\n1 0 1\n1 1 1\n")
        self.assertEqual(json.loads(self.ok("min-depth", "two.txt", "--json").stdout)["status"], "infeasible")

    @unittest.skipUnless(shutil.which("cadical"), "no cadical here")
    def test_another_solver(self):
        self.write("d.txt", EXAMPLE)
        answer = json.loads(self.ok("decide", "d.txt", "-d", 2, "--solver", "cadical -q", "--json").stdout)
        self.assertEqual((answer["status"], answer["table"]), ("satisfiable", "1000"))
        done = self.run_it("decide", "d.txt", "-d", 2, "--solver", "echo nonsense")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)


class MaxSat(CliTest):
    def test_optimum_with_a_proof(self):
        self.write("d.txt", noisy_table(30, 6))
        known = self.fit("d.txt", "-d", 2, "--engine", "enumerate")["training_errors"]
        for encoding in ("bdd3", "pair"):
            got = self.fit("d.txt", "-d", 2, "--engine", "maxsat", "--encoding", encoding, "--proof", "p", "--check-proof")
            self.assertEqual((got["status"], got["training_errors"]), ("optimal", known))
        faithful = self.fit("d.txt", "-d", 2, "--engine", "enumerate", "--faithful")["training_errors"]
        got = self.fit("d.txt", "-d", 2, "--engine", "maxsat", "--encoding", "bdd2", "--proof", "p2", "--check-proof")
        self.assertEqual((got["status"], got["training_errors"]), ("optimal", faithful))

    def test_devices_and_links_are_written_through(self):
        self.write("d.txt", noisy_table(20, 5))
        self.ok("encode", "d.txt", "-d", 2, "--encoding", "bdd2", "-o", "plain.cnf")
        self.write("target.cnf", "old")
        (self.dir / "link.cnf").symlink_to("target.cnf")
        self.ok("encode", "d.txt", "-d", 2, "--encoding", "bdd2", "-o", "link.cnf")
        self.assertTrue((self.dir / "link.cnf").is_symlink())
        self.assertEqual((self.dir / "target.cnf").read_text(), (self.dir / "plain.cnf").read_text())
        os.mkfifo(self.dir / "pipe")
        with open(self.dir / "read", "wb") as out:
            reader = subprocess.Popen(["cat", "pipe"], cwd=self.dir, stdout=out)
            self.ok("encode", "d.txt", "-d", 2, "--encoding", "bdd2", "-o", "pipe")
            reader.wait()
        self.assertEqual((self.dir / "read").read_text(), (self.dir / "plain.cnf").read_text())
        self.assertTrue((self.dir / "pipe").is_fifo())
        done = self.run_it("encode", "d.txt", "-d", 2, "--encoding", "bdd2", "-o", ".")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)

    def test_a_memory_limit_leaves_a_status_and_no_half_written_file(self):
        self.write("d.txt", noisy_table(900, 40))
        done = self.run_it("fit", "d.txt", "-d", 5, "--engine", "maxsat", "--encoding", "bdd2", "--memory-limit", 20, "-q", "--proof", "p",
                           "-o", "m.json")
        # Under the sanitizers the program is beyond the limit before it searches, and warns of that first.
        self.assertEqual((done.returncode, done.stderr.splitlines()[-1:]), (3, ["beadwork: stopped before any diagram was found"]))
        self.assertEqual([p.name for p in self.dir.iterdir()], ["d.txt"])

    def test_limits_leave_a_status_and_no_half_written_file(self):
        self.write("d.txt", noisy_table(600, 30))
        got = self.fit("d.txt", "-d", 5, "--engine", "maxsat", "--time-limit", 1, "--proof", "p")
        self.assertEqual(got["status"], "feasible")
        self.assertLess(got["lower_bound"], got["upper_bound"])
        got = self.fit("d.txt", "-d", 5, "--engine", "maxsat", "--encode-limit", 0)
        self.assertEqual(got["status"], "feasible")
        done = self.run_it("fit", "d.txt", "-d", 8, "--engine", "maxsat", "--encoding", "bdd2", "--encode-limit", 0)
        self.assertEqual((done.returncode, done.stderr.splitlines()[-1]),
                         (3, "beadwork: stopped before any diagram was found"))
        self.assertEqual([p.name for p in self.dir.iterdir()], ["d.txt"])

    def test_other_solvers_agree(self):
        def clasp(text):
            return re.findall(r"^c Optimization   : (\d+)$", text, re.M) if "s OPTIMUM FOUND" in text else None

        def toulbar2(text):
            return re.findall(r"^Optimum: (\d+) ", text, re.M)

        def sat4j(text):
            return re.findall(r"^c objective function=(\d+)$", text, re.M) if "s OPTIMUM FOUND" in text else None

        sat4j_jar = next(iter(glob.glob("/usr/share/java/org.ow2.sat4j.maxsat*.jar")), "")
        solvers = [(["clasp", "--quiet=1,0"], clasp), (["toulbar2"], toulbar2), (["java", "-jar", sat4j_jar], sat4j)]
        solvers = [(command, read) for command, read in solvers if shutil.which(command[0]) and command[-1]]
        if not solvers:
            self.skipTest("no MaxSAT solver here: clasp, toulbar2, sat4j")
        self.write("d.txt", noisy_table(40, 7))
        for encoding, extra in (("bdd2", ["--maxsat"]), ("bdd3", []), ("pair", [])):
            said = json.loads(self.ok("encode", "d.txt", "-d", 2, "--encoding", encoding, *extra, "--wcnf-format", "old", "--json",
                                      "-o", "f.wcnf").stdout)
            ours = self.fit("d.txt", "-d", 2, "--engine", "maxsat", "--encoding", encoding)["training_errors"]
            for command, read in solvers:
                theirs = subprocess.run([*command, "f.wcnf"], cwd=self.dir, capture_output=True, text=True).stdout
                self.assertEqual(read(theirs), [str(ours - said["base_errors"])], (command[0], encoding))


class Solve(CliTest):
    def test_weighted_formulas_by_brute_force(self):
        rng = random.Random(5)
        for round in range(150 if SANITIZED else 1000):
            variables = rng.randint(1, 18)
            hard, soft = random_wcnf(rng, variables, round % 3)
            top = sum(w for w, _ in soft) + 1
            if round % 2:
                text = "".join("h " + " ".join(map(str, c)) + " 0\n" for c in hard)
                text += "".join(f"{w} " + " ".join(map(str, c)) + " 0\n" for w, c in soft)
            else:
                text = f"p wcnf {variables} {len(hard) + len(soft)} {top}\n"
                text += "".join(f"{w} " + " ".join(map(str, c)) + " 0\n" for w, c in [(top, c) for c in hard] + soft)
            self.write("f.wcnf", text)
            done = self.run_it("solve", "-q", "f.wcnf")
            known = least_cost(variables, hard, soft)
            if known is None:
                self.assertEqual((done.returncode, done.stdout), (20, "s UNSATISFIABLE\n"), text)
            else:
                self.assertEqual(done.returncode, 30, done.stderr)
                self.assertEqual([l for l in done.stdout.splitlines() if l[0] == "o"][-1], f"o {known}", text)

    @unittest.skipUnless(shutil.which("cadical"), "no cadical here")
    def test_cnf_as_cadical_and_the_proof_is_text(self):
        rng = random.Random(6)
        seen = set()
        for _ in range(40):
            variables = rng.randint(3, 20)
            clauses = [[rng.choice((-1, 1)) * v for v in rng.sample(range(1, variables + 1), 3)]
                       for _ in range(int(4.3 * variables))]
            self.write("f.cnf", f"p cnf {variables} {len(clauses)}\n" + "".join(" ".join(map(str, c)) + " 0\n" for c in clauses))
            theirs = subprocess.run(["cadical", "-q", "f.cnf"], cwd=self.dir, capture_output=True).returncode
            ours = self.run_it("solve", "f.cnf", "--proof", "p")
            self.assertEqual(ours.returncode, theirs)
            seen.add(theirs)
        self.assertEqual(seen, {10, 20})

    def test_bad_files(self):
        self.write("f.cnf", "p cnf 2 1\n1 3 0\n")
        done = self.run_it("solve", "f.cnf")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)
        self.assertIn("f.cnf:2:3: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
