#!/usr/bin/env python3
"""The programs of `make solvers`, beside all assignments and beside exact search.

usage: others.py BEADWORK FOLDER [--wcnf N] [--tables N] [--stops N] [--seed S] [--only NAME]

Of each program in FOLDER: statuses, costs and models of N random WCNF (for Kissat: CNF) and of formulas without soft, without hard and with
empty clauses; `fit --engine maxsat --solver`, or `decide` for Kissat, on N random tables beside `fit --faithful` by search; and what it says
where it is stopped early, which must be true. Exit code 1: something differs; 77: FOLDER has no programs.
"""
import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from compare import Differs, insist, least_cost, price, random_wcnf, wcnf_text

CORNERS = [(1, [], [(1, [1])]), (1, [], [(1, [-1]), (1, [1])]), (2, [], [(4, [1, -2, -1])]),
           (2, [[1, 2]], []), (2, [[1, 2], []], [(1, [1])]), (1, [], [(3, []), (2, [1])]), (1, [[1], [-1]], []),
           (2, [[1, 2]], [(2, [1]), (3, [-1]), (1, [1]), (4, [2]), (4, [-2])]), (3, [[3]], [(5, [1, 2]), (5, [-1, 2]), (7, [-2, -3])]),
           (2, [[-1, 1]], [(1, [2, -2]), (2, [-1, -1])]), (3, [], [(2**40, [1]), (2**40 + 1, [-1]), (1, [2, 3])])]


class Answer:
    def __init__(self, words, folder, seconds=None):
        child = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if seconds is not None:
            time.sleep(seconds)
            child.send_signal(signal.SIGTERM)
        out, err = child.communicate(timeout=600)
        self.code, self.out, self.err = child.returncode, out.decode(), err.decode()
        lines = self.out.splitlines()
        self.status = [line[2:] for line in lines if line.startswith("s ")]
        self.costs = [int(line[2:]) for line in lines if line.startswith("o ")]
        self.values = [line[2:] for line in lines if line.startswith("v ")]

    def literals(self, variables):
        """The model of a WCNF, in 0 and 1."""
        insist(len(self.values) == 1 and len(self.values[0]) == variables, "v line")
        return {v if bit == "1" else -v for v, bit in enumerate(self.values[0], 1)}


def judge(got, variables, hard, soft, known):
    """Whether an answer is right, and finished; `known` is the least cost."""
    insist(not got.err, "standard error")
    if got.status == ["UNKNOWN"]:
        insist(got.code == 0 and not got.costs and not got.values, "unknown")
        return False
    if got.status == ["UNSATISFIABLE"]:
        insist(known is None and got.code == 20 and not got.costs and not got.values, "unsatisfiable")
        return True
    insist(known is not None and got.status in (["OPTIMUM FOUND"], ["SATISFIABLE"]), "status")
    cost = price(got.literals(variables), hard, soft)
    insist(cost is not None and got.costs[-1:] == [cost], f"its model costs {cost}")
    insist(cost >= known, "a cost below the optimum")
    if got.status == ["SATISFIABLE"]:
        insist(got.code == 10, "exit code")
        return False
    insist(got.code == 30 and cost == known, f"the optimum is {known}")
    return True


def used(hard, soft):
    return max([0, *(abs(l) for c in [*hard, *(c for _, c in soft)] for l in c)])


def check_formulas(program, folder, options):
    cases = [(f"corner {i}", random.Random(i), *corner) for i, corner in enumerate(CORNERS)]
    for i in range(options.wcnf):
        draw = random.Random(f"others {options.seed + i}")
        variables = draw.randint(1, 9)
        cases.append((f"seed {options.seed + i}", draw, variables, *random_wcnf(draw, variables)))
    for name, draw, variables, hard, soft in cases:
        if draw.random() < 0.4:
            soft = [(1, c) for _, c in soft]
        text = wcnf_text(draw, variables, hard, soft)
        (folder / "f.wcnf").write_text(text)
        got = Answer([program, "f.wcnf"], folder)
        try:
            insist(judge(got, used(hard, soft), hard, soft, least_cost(variables, hard, soft)), "no answer")
        except Differs as e:
            raise Differs(f"{name}: {e}\n{text}\n{got.out}{got.err}") from None


def check_cnf(program, folder, options):
    for i in range(options.wcnf):
        draw = random.Random(f"others {options.seed + i}")
        variables = draw.randint(1, 9)
        hard = [[draw.choice((-1, 1)) * v for v in draw.sample(range(1, variables + 1), min(3, variables))] for _ in range(4 * variables)]
        (folder / "f.cnf").write_text(f"p cnf {variables} {len(hard)}\n" + "".join(" ".join(map(str, [*c, 0])) + "\n" for c in hard))
        got = Answer([program, "-q", "f.cnf"], folder)
        known = least_cost(variables, hard, [])
        insist((got.code, got.status) == ((20, ["UNSATISFIABLE"]) if known is None else (10, ["SATISFIABLE"])), f"seed {options.seed + i}")
        if known is not None:
            insist(price({int(l) for line in got.values for l in line.split()}, hard, []) == 0, f"seed {options.seed + i}: its model")


def random_table(draw):
    features, rows = draw.randint(2, 6), draw.randint(4, 30)
    lines = []
    for _ in range(rows):
        bits = [draw.randint(0, 1) for _ in range(features)]
        label = bits[0] ^ bits[-1] if draw.random() < 0.8 else draw.randint(0, 1)
        lines.append(" ".join(map(str, [label, *bits])))
    return "\n".join(lines) + "\n"


def check_tables(binary, program, folder, options):
    for i in range(options.tables):
        draw = random.Random(f"table {options.seed + i}")
        (folder / "t.txt").write_text(random_table(draw))
        for depth in (1, 2, 3):
            for more in ([], ["--features-from", "cart"]):
                def fit(*words):
                    done = subprocess.run([binary, "fit", "t.txt", "-d", str(depth), "--faithful", *more, "--json", "-q", *words], cwd=folder,
                                          capture_output=True, text=True, timeout=600)
                    return (done.returncode, {key: json.loads(done.stdout or "{}").get(key) for key in ("status", "training_errors", "lower_bound")},
                            done.stderr)
                ours = fit("--engine", "search")
                theirs = fit("--engine", "maxsat", "--bias", "P", "--solver", str(program))
                insist(theirs[:2] == ours[:2], f"table {options.seed + i} at depth {depth} {more}: search {ours}, {theirs}")


def check_decisions(binary, program, folder, options):
    for i in range(options.tables):
        (folder / "t.txt").write_text(random_table(random.Random(f"table {options.seed + i}")))
        for depth in (1, 2, 3):
            def decide(*words):
                done = subprocess.run([binary, "decide", "t.txt", "-d", str(depth), "--json", *words], cwd=folder, capture_output=True, text=True)
                return done.returncode, json.loads(done.stdout or "{}").get("answer")
            insist(decide() == decide("--solver", f"{program} -q"), f"table {options.seed + i} at depth {depth}")


def check_stops(binary, program, folder, options):
    """What it says when it is asked to stop at any time, of a formula that takes longer than a moment."""
    draw = random.Random(f"stops {options.seed}")
    rows = [[draw.randint(0, 1) for _ in range(7)] for _ in range(60)]
    (folder / "t.txt").write_text("".join(" ".join(map(str, [(b[0] & b[1]) ^ b[2] ^ (draw.random() < 0.2), *b])) + "\n" for b in rows))
    subprocess.run([binary, "encode", "t.txt", "-d", "3", "--maxsat", "-o", "f.wcnf"], cwd=folder, check=True, capture_output=True)
    found = subprocess.run([binary, "fit", "t.txt", "-d", "3", "--faithful", "--json", "-q"], cwd=folder, check=True, capture_output=True)
    clauses = [line.split() for line in (folder / "f.wcnf").read_text().splitlines() if line[:1] not in "cp"]
    hard = [[int(l) for l in c[1:-1]] for c in clauses if c[0] == "h"]
    soft = [(int(c[0]), [int(l) for l in c[1:-1]]) for c in clauses if c[0] != "h"]
    formulas = [("f.wcnf", soft, json.loads(found.stdout)["training_errors"])]
    weighted = [(w * draw.randint(1, 9), c) for w, c in soft]  # the same with weights, whose optimum our own solver proves
    (folder / "w.wcnf").write_text("".join(" ".join(map(str, (w, *c, 0))) + "\n" for w, c in [("h", c) for c in hard] + weighted))
    known = Answer([binary, "solve", "w.wcnf", "-q"], folder)
    insist(known.status == ["OPTIMUM FOUND"], "our own solver")
    formulas.append(("w.wcnf", weighted, known.costs[-1]))
    ended = {}
    for i in range(options.stops):
        file, soft, known = formulas[i % 2]
        seconds = draw.choice((0.05, 0.3, 0.6, 1, 1.5)) * draw.uniform(0.5, 1.5)
        start = time.monotonic()
        got = Answer([program, file], folder, seconds)
        insist(time.monotonic() - start < seconds + 10, "it does not stop")
        if got.code == -signal.SIGTERM:  # before it could listen
            insist(not got.status, "it ended in the middle")
        else:
            try:
                judge(got, used(hard, soft), hard, soft, known)
            except Differs as e:
                raise Differs(f"{file}, stopped after {seconds:.2f} s: {e}\n{got.out[:300]}{got.err}") from None
        word = got.status[0] if got.status else "none"
        ended[word] = ended.get(word, 0) + 1
    return ", ".join(f"{count} {word}" for word, count in sorted(ended.items()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("folder")
    parser.add_argument("--wcnf", type=int, default=3)
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--stops", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    binary, programs = str(pathlib.Path(options.binary).resolve()), pathlib.Path(options.folder).resolve()
    names = sorted(p.name for p in programs.iterdir() if os.access(p, os.X_OK) and options.only in p.name) if programs.is_dir() else []
    if not names:
        print(f"skipped: no solvers in {programs} (make solvers)", file=sys.stderr)
        return 77
    wrong = 0
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            program, folder = str(programs / name), pathlib.Path(scratch)
            try:
                if name == "kissat":
                    check_cnf(program, folder, options)
                    check_decisions(binary, program, folder, options)
                    print(f"{name}: {options.wcnf} random CNF and {options.tables} tables agree", flush=True)
                    continue
                check_formulas(program, folder, options)
                check_tables(binary, program, folder, options)
                stops = check_stops(binary, program, folder, options)
                print(f"{name}: {options.wcnf} random WCNF and {options.tables} tables agree; stopped early: {stops}", flush=True)
            except Differs as e:
                wrong = 1
                print(f"{name}: {e}", file=sys.stderr, flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
