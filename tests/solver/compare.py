#!/usr/bin/env python3
"""Random WCNF and OPB through `beadwork solve`, beside programs that share nothing with it.

usage: compare.py BEADWORK [--wcnf N] [--opb N] [--seed S] [--rc2]

WCNF are compared with all assignments, or with --rc2 with RC2 of python-sat, where they have more variables; OPB with all
assignments. Every model is priced here, each `o` line must be better than the one before, each `c LB` line no more than the
optimum, and exit code, `s` line and status must agree. Exit code 1: something differs; 77: --rc2 without python-sat.
"""
import argparse
import gzip
import itertools
import lzma
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile


class Answer:
    def __init__(self, binary, words, text=None, folder=None):
        done = subprocess.run([binary, "solve", *words], input=text, cwd=folder, capture_output=True, timeout=1800)
        self.code, self.out, self.err = done.returncode, done.stdout.decode(), done.stderr.decode()
        lines = self.out.splitlines()
        self.status = [line[2:] for line in lines if line.startswith("s ")]
        self.costs = [int(line[2:]) for line in lines if line.startswith("o ")]
        self.bounds = [int(line[5:]) for line in lines if line.startswith("c LB ")]
        self.values = [line[1:].split() for line in lines if line.startswith("v")]


class Differs(Exception):
    pass


def insist(right, what):
    if not right:
        raise Differs(what)


def random_wcnf(draw, variables):
    def clause(size):
        return [draw.choice((-1, 1)) * v for v in draw.sample(range(1, variables + 1), min(size, variables))]
    hard = [clause(draw.randint(1, 3) if draw.random() < 0.1 else 3) for _ in range(draw.randint(0, int(3.5 * variables)))]
    largest = draw.choice((1, 5, 1000, 10**9))
    soft = [(draw.randint(1, largest), clause(draw.choice((1, 1, 2, 3)))) for _ in range(draw.randint(0, 2 * variables))]
    return hard, soft if hard or soft else [(1, [1])]


def wcnf_text(draw, variables, hard, soft):
    rows = [("h", c) for c in hard] + [(w, c) for w, c in soft]
    if draw.random() < 0.5:
        draw.shuffle(rows)
        return "".join(" ".join(map(str, (w, *c, 0))) + "\n" for w, c in rows)
    top = sum(w for w, _ in soft) + 1
    return f"p wcnf {variables} {len(rows)} {top}\n" + "".join(" ".join(map(str, (top if w == "h" else w, *c, 0))) + "\n" for w, c in rows)


def price(values, hard, soft):
    """What a set of true literals costs; None: it breaks a hard clause."""
    if not all(any(l in values for l in c) for c in hard):
        return None
    return sum(w for w, c in soft if not any(l in values for l in c))


def least_cost(variables, hard, soft):
    best = None
    for bits in itertools.product((False, True), repeat=variables):
        cost = price({v if bit else -v for v, bit in enumerate(bits, 1)}, hard, soft)
        best = cost if best is None or cost is not None and cost < best else best
    return best


def rc2_cost(hard, soft):
    from pysat.examples.rc2 import RC2Stratified
    from pysat.formula import WCNF
    from pysat.solvers import Cadical153
    with Cadical153(bootstrap_with=hard) as solver:  # RC2Stratified ends in an exception where there is no model
        if not solver.solve():
            return None
    formula = WCNF()
    for c in hard:
        formula.append(c)
    for w, c in soft:
        formula.append(c, weight=w)
    with RC2Stratified(formula, adapt=True, exhaust=True, minz=True) as solver:
        return 0 if not soft else solver.cost if solver.compute() is not None else None


def check_wcnf(binary, folder, draw, rc2):
    variables = draw.randint(1, 22) if rc2 else draw.randint(1, 9)
    hard, soft = random_wcnf(draw, variables)
    text = wcnf_text(draw, variables, hard, soft)
    used = max(abs(l) for c in hard + [c for _, c in soft] for l in c) if not text.startswith("p") else variables
    way = draw.choice(("file", "gz", "xz", "-", ""))
    way = "gz" if way == "xz" and not shutil.which("xz") else way
    words, sent = ([way] if way == "-" else []), text.encode()
    if way in ("file", "gz", "xz"):
        packed = {"file": lambda b: b, "gz": gzip.compress, "xz": lzma.compress}[way](sent)
        (folder / "f.wcnf").write_bytes(packed)
        words, sent = ["f.wcnf"], b""
    form = draw.choice(("auto", "literals"))
    got = Answer(binary, [*words, "--format", "wcnf", "--values", form], sent, folder)
    known = rc2_cost(hard, soft) if rc2 else least_cost(variables, hard, soft)
    try:
        insist(not got.err, got.err)
        if known is None:
            insist((got.code, got.status, got.values) == (20, ["UNSATISFIABLE"], []), "there is no model")
            return
        insist((got.code, got.status) == (30, ["OPTIMUM FOUND"]), f"the optimum is {known}")
        insist(got.costs[-1] == known and got.costs == sorted(set(got.costs), reverse=True), f"o lines {got.costs}, the optimum is {known}")
        insist(all(b <= known for b in got.bounds) and got.bounds == sorted(set(got.bounds)), f"bounds {got.bounds}")
        if form == "literals":
            words = [int(w) for line in got.values for w in line]
            insist(words[-1] == 0 and sorted(map(abs, words[:-1])) == list(range(1, used + 1)), "v lines")
            values = set(words[:-1])
        else:
            insist(len(got.values) == 1 and len(got.values[0]) == 1 and len(got.values[0][0]) == used, "the v line")
            values = {v if bit == "1" else -v for v, bit in enumerate(got.values[0][0], 1)}
        insist(price(values, hard, soft) == known, "the model costs something else")
    except Differs as e:
        raise Differs(f"{e}\n{text}\n{got.out}{got.err}") from None


def check_opb(binary, folder, draw, _):
    variables = draw.randint(1, 8)
    largest = draw.choice((1, 3, 10, 10**6, 10**14))

    def terms(most):
        return [(draw.randint(-largest, largest), draw.choice((-1, 1)) * draw.randint(1, variables)) for _ in range(draw.randint(0, most))]

    def text_of(row):
        return " ".join(f"{c:+d} {'~' if v < 0 else ''}x{abs(v)}" for c, v in row)

    def total(row, bits):
        return sum(c for c, v in row if bits[abs(v) - 1] == (v > 0))
    rows = [(terms(6), draw.choice((">=", ">=", ">=", "<=", "=")), draw.randint(-largest, 2 * largest)) for _ in range(draw.randint(1, 6))]
    aim = terms(6) if draw.random() < 0.7 else None
    text = "* random\n" + (f"min: {text_of(aim)} ;\n" if aim is not None else "")
    text += "".join(f"{text_of(row)} {how} {bound} ;\n" for row, how, bound in rows)
    holds = {">=": int.__ge__, "<=": int.__le__, "=": int.__eq__}
    models = [bits for bits in itertools.product((False, True), repeat=variables)
              if all(holds[how](total(row, bits), bound) for row, how, bound in rows)]
    got = Answer(binary, [], text.encode(), folder)
    try:
        insist(not got.err, got.err)
        if not models:
            insist((got.code, got.status, got.values) == (20, ["UNSATISFIABLE"], []), "there is no model")
            return
        bits = [False] * variables
        for word in (w for line in got.values for w in line):
            bits[int(word.lstrip("-")[1:]) - 1] = word[0] != "-"
        insist(tuple(bits) in models, "the model breaks a constraint")
        if aim is None:
            insist((got.code, got.status, got.costs) == (10, ["SATISFIABLE"], []), "there is a model")
        else:
            best = min(total(aim, m) for m in models)
            insist((got.code, got.status) == (30, ["OPTIMUM FOUND"]), f"the optimum is {best}")
            insist(got.costs[-1] == best == total(aim, bits), f"the optimum is {best}, the model's {total(aim, bits)}, said {got.costs}")
            insist(got.costs == sorted(set(got.costs), reverse=True) and all(b <= best for b in got.bounds), f"{got.costs} {got.bounds}")
    except Differs as e:
        raise Differs(f"{e}\n{text}\n{got.out}{got.err}") from None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--wcnf", type=int, default=0)
    parser.add_argument("--opb", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rc2", action="store_true")
    options = parser.parse_args()
    if options.rc2:
        try:
            import pysat  # noqa: F401
        except ImportError:
            print("skipped: python-sat is not installed", file=sys.stderr)
            return 77
    binary = str(pathlib.Path(options.binary).resolve())
    with tempfile.TemporaryDirectory() as folder:
        for kind, check, count in (("WCNF", check_wcnf, options.wcnf), ("OPB", check_opb, options.opb)):
            for i in range(count):
                try:
                    check(binary, pathlib.Path(folder), random.Random(f"{kind} {options.seed + i}"), options.rc2)
                except Differs as e:
                    print(f"{kind}, seed {options.seed + i}: {e}", file=sys.stderr)
                    return 1
            print(f"{count} random {kind} agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
