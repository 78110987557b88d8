#!/usr/bin/env python3
"""MaxSAT solvers of Python packages as programs of the MaxSAT Evaluation: maxsat.py NAME [--time-limit S] FILE | --list | --try NAME

Reads a WCNF (of 2022, or the old format; '-' is standard input) and prints `o`, `s` and `v` lines, with exit code 30, 20, 10 or 0. `make
solvers` makes a program of each name that --try finds to work; docs/solver.md says what they are, and which of their packages are left out.

Of what a library says only the words "optimum" and "unsatisfiable" are passed on. Each model is priced here, against the formula as it was
read; one that breaks a hard clause is told as a `c` line and `s UNKNOWN`. The library runs in a process of its own. SIGTERM, SIGINT and the
limit ask it to stop, and end it after a second and a half. Those that can be asked give their best model then, `s SATISFIABLE`; the others
have none before their proof is done: `s UNKNOWN`.
"""
import array
import ctypes
import importlib
import mmap
import os
import select
import signal
import sys
import time

GRACE = 1.5
CODES = {"OPTIMUM FOUND": 30, "UNSATISFIABLE": 20, "SATISFIABLE": 10, "UNKNOWN": 0}
WORDS = {code: word for word, code in CODES.items()}  # a library's codes are those, too


class Formula:
    """Literals one behind the other, each clause closed by 0: millions of them have no room as lists."""

    def __init__(self, lines):
        self.hard, self.soft, self.weights = array.array("i"), array.array("i"), []
        top, said = None, 0
        for line in lines:
            if line[:1] == "h":
                self.hard.extend(map(int, line[1:].split()))
            elif line[:1] == "p":
                words = line.split()
                top, said = int((words + ["0"])[4]) or None, int(words[2])
            elif line[:1].isdigit():
                weight, clause = line.split(None, 1)
                hard = int(weight) == top
                (self.hard if hard else self.soft).extend(map(int, clause.split()))
                if not hard:
                    self.weights.append(int(weight))
        self.variables = max([said, *(max(max(flat), -min(flat)) for flat in (self.hard, self.soft) if flat)])

    @staticmethod
    def clauses(flat):
        start = 0
        while start < len(flat):
            end = flat.index(0, start)
            yield flat[start:end].tolist()
            start = end + 1

    def price(self, values):
        """What a model costs, a byte for each variable; None: it breaks a hard clause."""
        true = bytearray(2 * self.variables + 1)  # by literal: a negative one is an index from the end
        for variable, value in enumerate(values, 1):
            true[variable if value else -variable] = 1

        def held(flat):
            holds = 0
            for literal in flat:
                if literal:
                    holds |= true[literal]
                else:
                    yield holds
                    holds = 0
        if not all(held(self.hard)):
            return None
        return sum(weight for weight, holds in zip(self.weights, held(self.soft)) if not holds)

    def hand_over(self, new_variables, add_hard, add_soft):
        """The same formula in the form that no library mistakes: no empty clause, and weights for single literals, one of a variable."""
        weight, variables, longer = {}, max(self.variables, 1), []
        for clause, w in zip(self.clauses(self.soft), self.weights):
            if len(clause) != 1:
                variables += 1
                longer.append([*clause, variables])
                clause = [-variables]
            literal = clause[0]
            both = min(w, weight.get(-literal, 0))  # is paid in any case
            weight[-literal] = weight.get(-literal, 0) - both
            weight[literal] = weight.get(literal, 0) + w - both
        weight = {literal: w for literal, w in weight.items() if w}
        if not weight:  # nothing to minimise: some crash
            variables += 1
            longer.append([variables])
            weight[variables] = 1
        new_variables(variables)
        for flat in (self.clauses(self.hard), longer):
            for clause in flat:
                for part in [clause] if clause else [[1], [-1]]:
                    add_hard(part)
        for literal, w in weight.items():
            add_soft(literal, w)
        return variables


class Native:
    """A class of a module of hermax. Its `solve` says whether there is a model, the best one, or a code as IPAMIR has it."""

    def __init__(self, module, name, prepare=None):
        self.module, self.name, self.prepare = module, name, prepare

    def __call__(self, formula, stopped):
        solver = getattr(importlib.import_module(f"hermax.core.{self.module}"), self.name)()
        if self.prepare:
            getattr(solver, self.prepare)()
        if hasattr(solver, "set_terminate"):
            solver.set_terminate(lambda: stopped[0])

        def new_variables(count):
            for _ in range(count):
                solver.newVar()
            if hasattr(solver, "setNInputVars"):
                solver.setNInputVars(count)
        formula.hand_over(new_variables, lambda clause: solver.addClause(clause, None), lambda literal, w: solver.addClause([literal], w))
        said = solver.solve()
        code = {True: 30, False: 20}[said] if isinstance(said, bool) else int(said)
        if code not in (10, 30):
            return code, None
        if hasattr(solver, "getModel"):
            return code, solver.getModel()
        return code, [v for v in range(1, formula.variables + 1) if solver.getValue(v)]


class FromWcnf:
    """A class that takes a WCNF of python-sat and computes its best model, or none."""

    def __init__(self, module, name, **options):
        self.module, self.name, self.options = module, name, options

    def __call__(self, formula, _):
        from pysat.formula import WCNF
        wcnf = WCNF()
        wcnf.nv = formula.hand_over(lambda count: None, wcnf.append, lambda literal, w: wcnf.append([literal], weight=w))
        model = getattr(importlib.import_module(self.module), self.name)(wcnf, **self.options).compute()
        return (20, None) if model is None else (30, model)


SOLVERS = {
    "cashwmaxsat": Native("cashwmaxsat", "CASHWMaxSAT", "setNoScip"),
    "cgss": FromWcnf("hermax.core.cgss_py.vendor.rc2_wce", "RC2WCE", adapt=True, exhaust=True, minz=True),
    "evalmaxsat": Native("evalmaxsat_latest", "EvalMaxSAT"),
    "loandra-oll": Native("loandra", "Loandra"),
    "open-wbo": Native("openwbo", "Auto"),
    "rc2": FromWcnf("pysat.examples.rc2", "RC2", adapt=True, exhaust=True, minz=True),
    "uwrmaxsat": Native("urmaxsat_py", "UWrMaxSAT"),
    "wmaxcdcl": Native("wmaxcdcl", "WMaxCDCL"),
}


def work(solve, formula, stopped, answer):
    """The life of the child: its answer is a code and a byte for each variable. Signals are for its parent."""
    try:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: it does not outlive its parent
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        code, model = solve(formula, stopped)
        values = bytearray(formula.variables + 1)
        for literal in model or ():
            if 0 < literal <= formula.variables:
                values[literal] = 1
        values[0] = code
        while values:
            values = values[os.write(answer, values):]
        os._exit(0)
    except BaseException:
        os._exit(1)


def listen(pid, reading, stopped, stop):
    """What the child says before it ends or is ended, and how it ended: None where that was asked of it."""
    text, until = bytearray(), None
    while until is None or time.monotonic() < until:
        if until is None and stop():
            stopped[0], until = 1, time.monotonic() + GRACE
        if select.select([reading], [], [], 0.02)[0]:
            part = os.read(reading, 1 << 20)
            if not part:
                break
            text += part
    os.kill(pid, signal.SIGKILL)
    status = os.waitpid(pid, 0)[1]
    return text, None if until else os.waitstatus_to_exitcode(status)


def answer_to(name, formula, stop):
    """The status, comments, cost and model."""
    stopped = mmap.mmap(-1, 1)  # shared with the child
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        work(SOLVERS[name], formula, stopped, writing)
    os.close(writing)
    text, ended = listen(pid, reading, stopped, stop)
    if not text and ended == 20:  # Loandra says so by ending the process, as its own program does
        return "UNSATISFIABLE", [], None, None
    if len(text) != formula.variables + 1 or text[0] not in WORDS:
        return "UNKNOWN", [] if ended is None else [f"c {name} gave no answer: it ended with {ended}"], None, None
    word = WORDS[text[0]]
    if word in ("UNKNOWN", "UNSATISFIABLE"):
        return word, [], None, None
    cost = formula.price(text[1:])
    if cost is None:
        return "UNKNOWN", [f"c {name} said '{word}', and its model breaks a hard clause"], None, None
    return word, [], cost, text[1:]


def attempt(name):
    """In this process, so that what is missing is told."""
    code, model = SOLVERS[name](Formula(["h 1 2 0", "3 -1 0", "4 -2 0"]), bytearray(1))
    return 0 if code == 30 and 1 in model and 2 not in model else f"its answer is {code}, {model}"


def main():
    words = sys.argv[1:]
    if words[:1] == ["--try"] and len(words) == 2:
        return attempt(words[1])
    if words == ["--list"]:
        print("\n".join(SOLVERS))
        return 0
    limit = float("inf")
    if len(words) == 4 and words[1] == "--time-limit":
        limit = float(words[2])
        del words[1:3]
    if len(words) != 2 or words[0] not in SOLVERS:
        print(__doc__.split("\n", 1)[0] + f"\nNAME: {', '.join(SOLVERS)}", file=sys.stderr)
        return 2
    name, path = words
    end, asked = time.monotonic() + limit, []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: asked.append(1))

    def stop():
        return asked or time.monotonic() >= end
    try:
        with open(0 if path == "-" else path, encoding="ascii") as file:
            formula = Formula(file)
    except (OSError, ValueError) as fault:
        print(f"{name}: {path}: {fault}", file=sys.stderr)
        return 1
    word, comments, cost, values = answer_to(name, formula, stop)
    lines = [*comments, *([] if cost is None else [f"o {cost}"]), f"s {word}"]
    if values is not None:
        lines.append("v " + "".join("01"[value] for value in values))
    print("\n".join(lines), flush=True)
    return CODES[word]


if __name__ == "__main__":
    sys.exit(main())
