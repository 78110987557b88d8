#!/usr/bin/env python3
"""Random small tables and random options against a brute force: sweep.py BEADWORK [--tables 50000] [--seconds 40] [--seed 1]

Every claim of the program is checked over exactly the classifiers that it is about (scopes.py): what is called optimal has the
least value that there is (brute_force.py), lower bounds are not above it, upper bounds not below it, and the sentence that
begins with "optimal:" is true as it stands. Depths, fronts, lists of near sets and sizes that are called least are checked
too. Prints each false claim with the table and the command that gives it, and exits with 1.
"""
import argparse
import dataclasses
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from fractions import Fraction

import brute_force
import numeric
import scopes

LEARNERS = {  # the engines and the options that they take; "cart" and the like prove nothing
    "search": ["faithful", "keep_all_zero", "require", "forbid", "candidate", "features_from", "max_nodes", "node_penalty",
               "costs", "bias", "all_optima", "top", "within", "from_depth", "chosen_from", "front", "kernel",
               "certificate", "prices", "size"],
    "enumerate": ["bias", "faithful", "keep_all_zero", "candidate", "features_from"],
    "maxsat": ["bias", "faithful", "keep_all_zero", "encoding", "no_seed", "candidate", "features_from", "proof"],
    "maxsat-dt": ["no_seed", "candidate", "features_from"],
    "local": ["bias", "require", "forbid", "costs", "candidate", "kernel"],
    "cart": ["impurity"],
    "odt": [], "oodg": [], "hoodg": [],
}
SORTED = ["require", "forbid", "candidate", "features_from", "costs", "bias", "from_depth", "chosen_from", "certificate", "prices"]  # taken by the search over ranks
FOR_ALL = ["seed", "threads", "time_limit"]
OF_TABLES = {"thresholds", "ordered"}  # all of them where a table has numbers; words with an order
# Of these --help tells, and the sweep leaves them alone: files, limits, and how text is read; committees have a brute force of
# their own (tests/cli/test_committee.py).
NOT_SWEPT = {"help", "help_all", "depth", "engine", "memory_limit", "encode_limit", "solve_limit", "solver", "wcnf_format", "check_proof",
             "min_split", "min_leaf", "merge_z", "checkpoint", "checkpoint_every", "resume", "output", "front_plot", "report",
             "test", "title", "positive", "labels", "date", "json", "quiet", "format", "delimiter", "no_header", "missing", "weight", "target", "numeric", "nominal",
             "ignore", "allow_solver", "missing_also", "drop_unlabelled", "text_encoding", "dates", "decimal", "thousands", "keep_column", "max_categories", "target_bins",
             "committee", "committee_size", "shards",  # tests/shards has a sweep of its own
             "plan", "part", "plan_dir", "in_passes"}  # held against the undivided fit, and that of all rows, in their own tests


def random_table(rng):
    num_features = rng.choice([1, 1, 2, 2, 3, 4, 5])
    num_rows = rng.choice([1, 2, 4, 6, 8, 8, 10, 14])
    num_classes = rng.choice([1, 2, 2, 2, 2, 3])
    skew = rng.choice([0.15, 0.5])
    columns = []
    for _ in range(num_features):
        kind = rng.random()
        if kind < 0.1:
            columns.append([rng.randint(0, 1)] * num_rows)
        elif kind < 0.2 and columns:
            flip = rng.randint(0, 1)
            columns.append([v ^ flip for v in rng.choice(columns)])
        else:
            columns.append([int(rng.random() < rng.choice([0.2, 0.5])) for _ in range(num_rows)])
    labels = [rng.randrange(num_classes) if rng.random() < 2 * skew else 0 for _ in range(num_rows)]
    classes = tuple("ABC"[k] for k in sorted(set(labels)))
    labels = tuple(classes.index("ABC"[k]) for k in labels)
    weights = rng.choice([["1"], ["1"], ["1", "2", "3"], ["0.5", "1", "2.25"], ["1", "7"],
                          ["1", "900", "1000003", "800000011"], ["7000000000", "14000000000", "3500000000"]])
    wide = rng.random() < 0.3
    draw = wide_weight(rng) if wide else lambda: rng.choice(weights)
    weights = tuple(Fraction(draw()) or Fraction(1) for _ in range(num_rows))  # add_weightless has rows of 0
    if not any(weights):
        weights = (Fraction(1),) * num_rows
    cost = wide_cost(rng) if wide or rng.random() < 0.2 else lambda: rng.choice(["0", "1", "2", "0.5", "10"])
    costs = tuple(tuple(Fraction(cost()) if j != k else Fraction(0)
                        for k in range(len(classes))) for j in range(len(classes)))
    return brute_force.Table(tuple(f"c{i}" for i in range(num_features)), tuple(zip(*columns)), labels, classes, weights,
                             costs)


def decimal(rng, most, digits):
    """A number of up to so many decimals, of any size up to `most`, as a text that a double holds exactly enough."""
    size = 10 ** rng.uniform(-digits, len(str(most)) - 1)
    text = f"{min(size, most) * rng.uniform(0.1, 1):.{rng.randint(0, digits)}f}"
    return text if len(text.replace(".", "").lstrip("0")) <= 15 else f"{float(text):.0f}"


def wide_weight(rng):
    """Weights of one table: whole ones up to 10^12, some with nine decimals, or both together."""
    digits = rng.choice([0, 0, 2, 6, 9])
    most = rng.choice([10 ** 12, 10 ** 12, 10 ** 6, 1])
    equal = decimal(rng, most, digits)
    return lambda: rng.choice([equal, decimal(rng, most, digits), "1"])


def wide_cost(rng):
    digits = rng.choice([0, 0, 1, 6])
    return lambda: rng.choice(["0", "1", decimal(rng, 10 ** 6, digits), decimal(rng, 10 ** 6, digits)])


def pick(rng, names, least=0):
    return rng.sample(names, rng.randint(least, max(least, min(2, len(names)))))


def random_value(rng, name, table, depth):
    unclear = numeric.ambiguous(table)
    names = [name for name in table.features if name not in unclear]
    columns = [] if table.raw is None else [c for c, f in zip(table.raw.names, table.raw.features) if f and c not in unclear]
    choices = {
        "require": lambda: pick(rng, names + columns * rng.randint(0, 3), 1), "forbid": lambda: pick(rng, names + columns, 1),
        "candidate": lambda: rng.sample(names + columns, rng.randint(1, len(names))),
        "features_from": lambda: rng.sample(names, rng.randint(1, len(names))),
        "max_nodes": lambda: rng.randint(1, 7), "node_penalty": lambda: rng.choice(["0.5", "1", "0.3", "2", "0.125", "0", "0.000001", "1000.000001", "250000", decimal(rng, 10 ** 6, 6)]),
        "bias": lambda: rng.choice(["P", "C", "S", "N", "size", "size"]),
        "size": lambda: rng.choice(["auto", "auto-1se"]), "top": lambda: rng.randint(1, 6), "within": lambda: rng.choice(["0", "1", "0.5", "3", "0.000001", "1000000"]),
        "from_depth": lambda: rng.randint(0, depth), "chosen_from": lambda: rng.randint(0, depth), "kernel": lambda: rng.choice(["auto", "portable"]),
        "encoding": lambda: rng.choice(["bdd2", "bdd2", "bdd3", "pair", "auto"]), "seed": lambda: rng.randint(0, 9),
        "threads": lambda: 2, "time_limit": lambda: rng.choice([0, 60]), "impurity": lambda: rng.choice(["gini", "entropy"]),
    }
    return choices[name]() if name in choices else True


def random_options(rng, table):
    engine = rng.choice(["search"] * 6 + ["maxsat"] * 3 + ["enumerate"] * 2 + ["maxsat-dt", "local", "cart", "odt"])
    if table.raw is not None and rng.random() < 0.8:  # the search over sorted columns
        engine = rng.choice(["search"] * 5 + ["local"])
    options = {"engine": engine, "depth": rng.randint(0, 3 if len(table.features) <= 14 else 2)}
    known = LEARNERS[engine] if rng.random() < 0.95 else sorted(set().union(*LEARNERS.values()))
    if table.raw is not None and engine == "search" and rng.random() < 0.7:
        known = SORTED
    chosen = rng.sample(known, min(len(known), rng.choice([0, 1, 1, 2, 2, 3, 4])))
    if {"max_nodes", "node_penalty"} & set(chosen) and rng.random() < 0.3:
        chosen.append(rng.choice(["forbid", "candidate", "costs"]))
    if rng.random() < 0.1:
        chosen.append(rng.choice(FOR_ALL))
    for name in chosen:
        if table.features or name not in ("require", "forbid", "candidate", "features_from"):
            options[name] = random_value(rng, name, table, options["depth"])
    return options


def plain(value):
    """A decimal fraction as a text, exactly."""
    digits = next(d for d in range(40) if value * 10 ** d % 1 == 0)
    text = str(value * 10 ** digits // 1).rjust(digits + 1, "0")
    return f"{text[:-digits]}.{text[-digits:]}" if digits else text


class Case:
    """A table and options as files and a command line in a folder."""

    def __init__(self, folder, table, options):
        self.folder, self.table, self.options = pathlib.Path(folder), table, dict(options)
        self.files = {"t.csv": self.csv()}
        self.command = ["fit", "t.csv", "-q"] + (["--thresholds", "all"] if table.raw is not None else [])
        for column, words in table.raw.orders if table.raw is not None else ():
            self.command += ["--ordered", f"{column}={','.join(words)}"]
        if any(w != 1 for w in table.weights):
            self.command += ["--weight", "w"]
        for name, value in sorted(options.items()):
            self.command += self.words(name, value)
        if "features_from" in self.options:
            self.options.setdefault("candidate", self.options.pop("features_from"))

    def csv(self):
        weighted = any(w != 1 for w in self.table.weights)
        names, rows = (self.table.features, self.table.rows) if self.table.raw is None else numeric.csv_columns(self.table)
        lines = [",".join(names + (("w",) if weighted else ()) + ("label",))]
        for row, label, weight in zip(rows, self.table.labels, self.table.weights):
            lines.append(",".join([str(v) for v in row] + ([plain(weight)] if weighted else []) +
                                  [self.table.classes[label]]))
        if weighted:
            self.add_weightless(names, rows, lines)
        return "\n".join(lines) + "\n"

    def add_weightless(self, names, rows, lines):
        """Rows of weight 0, which are none: values that others have and that none has, classes of their own."""
        rng = random.Random(repr((rows, lines)))
        ordered = {name for name, _ in self.table.raw.orders} if self.table.raw is not None else set()
        for _ in range(rng.choice([0, 0, 1, 3])):
            cells = []
            for name, values in zip(names, zip(*rows)):
                strange = ["", "777.25" if all(numeric.is_number(str(v)) for v in values if v != "") else "nobody"]
                cells.append(str(rng.choice([*values, *(strange if name not in ordered else [])])))
            lines.insert(rng.randint(1, len(lines)), ",".join([*cells, rng.choice(["0", "0.0"]), rng.choice([*self.table.classes, "Z"])]))

    def words(self, name, value):
        flag = "--" + name.replace("_", "-")
        if name == "costs":
            header = ",".join(("",) + self.table.classes)
            lines = [",".join([c] + [plain(v) for v in row]) for c, row in zip(self.table.classes, self.table.costs)]
            self.files["costs.csv"] = "\n".join([header] + lines) + "\n"
            return [flag, "costs.csv"]
        if name == "features_from":
            self.files["names.txt"] = "\n".join(value) + "\n"
            return [flag, "names.txt"]
        if name == "proof":
            return [flag, "proof.drat", "--check-proof"]
        if name == "certificate":
            return [flag, "certificate.txt"]
        if name in ("from_depth", "chosen_from"):
            return []  # said by --depth A..B or cv:A..B
        if name == "depth" and "chosen_from" in self.options:
            return [flag, f"cv:{self.options['chosen_from']}..{value}"]
        if name == "depth" and "from_depth" in self.options:
            return [flag, f"{self.options['from_depth']}..{value}"]
        if value is True:
            return [flag]
        return [word for v in (value if isinstance(value, list) else [value]) for word in (flag, str(v))]

    def write(self):
        for name, text in self.files.items():
            (self.folder / name).write_text(text)

    def run(self, program, *more):
        return subprocess.run([program, *self.command, *more], cwd=self.folder, capture_output=True, text=True, timeout=1800)

    def recipe(self):
        files = [f"printf {shlex.quote(text.replace(chr(10), chr(92) + 'n'))} > {name}" for name, text in self.files.items()]
        return "; ".join(files) + "; beadwork " + shlex.join(self.command)


class False_(Exception):
    """A claim that does not hold."""


def insist(holds, what):
    if not holds:
        raise False_(what)


class Near(Fraction):
    """A number that may be off by what the rounding of the weights moves, where they were rounded."""
    slack = Fraction(0)
    relative = Fraction(0)

    def __eq__(self, other):
        return abs(Fraction(self) - Fraction(other)) <= max(Near.slack, self.relative * max(abs(Fraction(self)), abs(Fraction(other))))

    def __le__(self, other):
        return self == other or Fraction(self) < Fraction(other)

    def __ge__(self, other):
        return self == other or Fraction(self) > Fraction(other)

    def __lt__(self, other):
        return not self >= other

    def __gt__(self, other):
        return not self <= other

    def __add__(self, other):
        return type(self)(Fraction(self) + other)

    __hash__ = None


class Printed(Near):
    """The same as a double has it."""
    relative = Fraction(1, 10 ** 14)


def number(value):
    return Printed(str(value))


def bounds(found):
    """The bounds as the claim has them, in integers."""
    claim = found["claim"]
    return Near(claim["lower_bound"], claim["scale"]), Near(claim["upper_bound"], claim["scale"])


def take_rounding(case, found):
    """How far weights that do not fit into integers may move a value; those that fit are not rounded."""
    claim = found["claim"]
    digits = next(d for d in range(40) if all(w * 10 ** d % 1 == 0 for w in case.table.weights))
    if digits <= 9 and sum(case.table.weights) * 10 ** digits <= 2 ** 56:
        insist(claim["rounding"] == 0, "weights are rounded that fit as they are")
    Near.slack = 2 * Fraction(claim["rounding"], claim["scale"])  # of the answer, and of the optimum


def check_outcome(case, found, cost_key):
    """The status and the bounds, over what the options ask for."""
    table, options, scope = case.table, case.options, scopes.asked(case.table, case.options)
    best = brute_force.optimum(table, scope)
    status = found["status"]
    if status == "infeasible":
        return insist(best is None, f"infeasible, but {best} can be had")
    if found["upper_bound"] is None:
        return None
    insist(best is not None, "an answer where there is none")
    lower, upper = bounds(found)
    insist(lower <= upper, "bounds cross")
    insist(number(found[cost_key]) == upper, "the upper bound is not the answer's value")
    if scope.penalty is not None:
        insist(upper + scope.penalty * found["size"] >= best, "below the optimum")
        if status == "optimal":
            insist(upper + scope.penalty * found["size"] == best, f"optimal with {upper} and {found['size']} nodes, not {best}")
        smaller = brute_force.Scope(scope.depth, scope.allowed, scope.required, max_nodes=found["size"], costs=scope.costs,
                                    distinct=True)
        return insist(lower <= brute_force.optimum(table, smaller), "the lower bound is above the optimum")
    insist(lower <= best, f"lower bound {lower} above the optimum {best}")
    insist(best <= upper, f"upper bound {upper} below the optimum {best}")
    if status == "optimal":
        insist(upper == best == lower, f"optimal with {upper}, but {best} can be had")
    if scope.max_nodes is not None:
        insist(found["size"] <= scope.max_nodes, "more nodes than asked for")
    return None


def check_selection(case, found):
    """The features of the answer are as the options ask for."""
    scope = scopes.asked(case.table, case.options)
    selected = frozenset(case.table.features.index(name) for name in found["features"])
    if found["upper_bound"] is None:
        return
    insist(selected <= scope.allowed, "selects what it may not")
    insist(scope.trees or case.options["engine"] not in ("search", "enumerate", "maxsat", "local") or
           len(selected) <= scope.depth, "selects too many")
    if scope.exactly:
        insist(len(selected) == scope.depth, "does not select exactly so many")
    if scope.required:
        insist(scope.required <= selected, "does not select what it must")
    insist(all(group & selected for group in scope.one_of), "selects nothing of a required column")


def check_first(case, found):
    """Of several sets that are optimal, the search gives one with fewest features, and of these the first by list."""
    other_rule = {"require", "max_nodes", "node_penalty", "faithful", "all_optima"} & set(case.options)
    if case.options["engine"] != "search" or found["status"] != "optimal" or other_rule or Near.slack:
        return
    scope = dataclasses.replace(scopes.asked(case.table, case.options), distinct=True)
    best = brute_force.optimum(case.table, scope)
    first = next(s for s in brute_force.sets_of(case.table, scope) if brute_force.value_of_set(case.table, scope, s) == best)
    names = sorted(case.table.features[f] for f in first)
    insist(sorted(found["features"]) == names, f"not the first of the optimal sets, which is {names}")


def check_depths(case, found, cost_key):
    for entry in found.get("by_depth", []):
        scope = scopes.asked(case.table, {**case.options, "depth": entry["depth"]})
        best = brute_force.optimum(case.table, scope)
        insist(number(entry["lower_bound"]) <= best <= number(entry[cost_key]), f"bounds at depth {entry['depth']}")
        if entry["status"] == "optimal":
            insist(number(entry[cost_key]) == best, f"optimal at depth {entry['depth']}: {best} can be had")


def check_near(case, found, cost_key):
    near = found.get("near_sets")
    if not near or not near["complete"] or case.options.get("require"):
        return
    sets = brute_force.near_sets(case.table, scopes.asked(case.table, case.options))
    if "top" in case.options:
        expected = sets[:case.options["top"]]
    else:
        expected = [s for s in sets if s[0] <= sets[0][0] + Fraction(case.options["within"])]
        if Near.slack:  # what is near depends on the rounding
            return
        insist(near["num_sets_with_copies"] == sum(copies for _, copies in expected), "near sets with copies")
    insist(near["num_sets"] == len(expected), f"{near['num_sets']} near sets, not {len(expected)}")
    insist([number(s[cost_key]) for s in near["sets"]] == [cost for cost, _ in expected], "values of near sets")


def check_front(case, found, cost_key):
    if "front" not in found:
        return
    points = sorted((p["num_features"], p["size"], number(p[cost_key])) for p in found["front"]["points"])
    expected = sorted(brute_force.front(case.table, scopes.asked(case.table, case.options)))
    if found["front"]["complete"] and not Near.slack:  # what beats what depends on the rounding
        insist(points == expected, f"the front is {expected}, not {points}")


def check_prices(case, found):
    """What leaving out a column costs, for every column of the diagram."""
    table, scope = case.table, scopes.asked(case.table, case.options)
    for column in found.get("columns", []):
        if "prices" not in case.options:
            insist("price" not in column, "a price that nobody asked for")
            continue
        name, price = column["column"], column["price"]
        own = numeric.of_column(table, name) if table.raw is not None else [table.features.index(name)]
        if price["status"] == "required":
            insist(scope.required & set(own) or frozenset(own) & scope.allowed in scope.one_of, f"{name} is not required")
            continue
        without = dataclasses.replace(scope, allowed=scope.allowed - set(own))
        worth = brute_force.optimum(table, without) - brute_force.optimum(table, scope)
        least, most = number(price["least"]), number(price["most"])
        insist(least <= worth <= most, f"{name} is worth {worth}, not {least} to {most}")
        insist((price["status"] == "optimal") == (price["least"] == price["most"]), f"{name} at {least} to {most} is {price['status']}")


def at_chosen_size(case, found):
    """The case as if the size that was chosen had been asked for."""
    chosen = found.get("size_choice", {}).get("chosen")
    if chosen:
        case.options.update(depth=chosen["depth"])
        if "nodes" in chosen:
            case.options.update(max_nodes=chosen["nodes"])


def check_size(case, found):
    """A size that is called least: no order and no choice for undecided cells has fewer nodes."""
    if Near.slack or found.get("size_status") != "optimal" or case.options.get("faithful") or case.options.get("encoding") == "bdd2":
        return
    table, scope = case.table, scopes.asked(case.table, case.options)
    sets = [tuple(table.features.index(name) for name in found["features"])]
    if case.options.get("all_optima") and found["status"] == "optimal":
        best = brute_force.optimum(table, scope)
        sets = [s for s in brute_force.sets_of(table, scope)
                if sum(min(cell) for cell in brute_force.cells_of(table, scope, s)) == best]
    least = min(brute_force.fewest_nodes(table, scope, s) for s in sets)
    insist(found["size"] == least, f"smallest with {found['size']} nodes, but {least} will do")


def check_sentence(case, sentence, found):
    """The sentence that begins with "optimal:" or "infeasible:", word by word."""
    scope = scopes.said(case.table, case.options, sentence)
    best = brute_force.optimum(case.table, scope)
    if found["status"] == "infeasible":
        return insist(best is None, f"says '{sentence}', but {best} can be had")
    value = bounds(found)[1] + (scope.penalty or 0) * found["size"]
    insist(value == best, f"says '{sentence}' with {value}, but {best} can be had")
    any_will_do = case.options["engine"].startswith("maxsat") or scope.one_of  # of a solver; of sorted columns, if one is required
    return insist(any_will_do or "tie" not in scopes.parts_of(sentence),
                  "a tie that was not settled in a table this small")


def check_words(case, found, shown):
    """The sentence of --json, on the screen where there is an answer, and true as it stands."""
    sentence = found["sentence"]
    proven = found["status"] in ("optimal", "infeasible")
    insist(re.match(r"optimal: |infeasible: ", sentence) is not None if proven else
           re.match(r"not proven optimal: |a heuristic: |stopped before ", sentence) is not None,
           f"{found['status']}, and the sentence is '{sentence}'")
    if shown is not None:
        insist(sentence in shown.splitlines(), f"the screen does not say '{sentence}'")
    if not proven:
        return
    try:
        check_sentence(case, sentence, found)
    except (ValueError, AssertionError) as error:
        raise False_(f"{error}: {sentence}") from error


def check_claim(case, found):
    """The claim as a value: what the options ask for, the same as the words, with the same status and bounds."""
    claim = found["claim"]
    for key, expected in scopes.expected_claim(case.table, case.options).items():
        uncounted = key == "num_distinct" and claim["status"] == "feasible" and claim[key] == 0  # no time to count them
        insist(claim[key] == expected or uncounted, f"the claim has {key} {claim[key]}, not {expected}")
    insist(claim["status"] == found["status"], "two statuses")
    for key in ("lower_bound", "upper_bound"):
        insist(found[key] is None and claim[key] is None or number(found[key]) == Fraction(claim[key], claim["scale"]),
               f"two values of {key}")
    heuristic = case.options["engine"] in ("local", "cart", "odt", "oodg", "hoodg")
    insist((claim["proven_by"] == "nobody") == heuristic, f"{case.options['engine']} proven by {claim['proven_by']}")
    if found["status"] == "optimal":
        insist(claim["canonical"] == (not found["sentence"].endswith("; others may tie with it")), "canonical, and others tie")


def check_case(case, program, counts):
    run = case.run(program, "--json")
    insist(run.returncode in (0, 1, 2, 3, 4, 5), f"exit code {run.returncode}: {run.stderr.strip()}")
    if run.returncode in (1, 2, 3):
        insist(run.stderr.strip() != "", "refused without a word")
        counts["refused"] += 1
        return
    found = json.loads(run.stdout)
    insist((run.returncode == 5) == (found["status"] == "infeasible"), f"{found['status']}, exit code {run.returncode}")
    cost_key = "training_cost" if "costs" in case.options else "training_errors"
    take_rounding(case, found)
    at_chosen_size(case, found)
    check_outcome(case, found, cost_key)
    check_selection(case, found)
    for check in (check_depths, check_near, check_front):
        check(case, found, cost_key)
    check_size(case, found)
    check_prices(case, found)
    check_first(case, found)
    counts[found["status"]] += 1
    check_claim(case, found)
    shown = case.run(program, "-o", "m.json") if found["upper_bound"] is not None else None
    if shown is not None:
        check_evaluation(case, program, found)
    insist(shown is None or shown.returncode == run.returncode, "another exit code without --json")
    check_words(case, found, shown and shown.stdout)


def is_weightless(row, table):
    return any(w != 1 for w in table.weights) and float(row.split(",")[-2]) == 0


def check_evaluation(case, program, found):
    """What `evaluate` says of the training rows: the weight of those that `predict` answers wrongly."""
    table = case.table
    def ask(*words):
        run = subprocess.run([program, *words], cwd=case.folder, capture_output=True, text=True, timeout=1800)
        insist(run.returncode == 0, f"{words[0]} of the training rows: {run.stderr.strip()}")
        return run.stdout
    rows = case.files["t.csv"].splitlines()[1:]
    answers = [table.classes.index(line.split(",")[0]) for row, line in zip(rows, ask("predict", "m.json", "t.csv").splitlines()[1:])
               if not is_weightless(row, table)]
    insist(len(answers) == len(table.labels), "predict answers other rows")
    wrong = sum(w for w, label, answer in zip(table.weights, table.labels, answers) if label != answer)
    weighted = any(w != 1 for w in table.weights)
    told = json.loads(ask("evaluate", "m.json", "t.csv", "--json", *(["--weight", "w"] if weighted else [])))
    insist(abs(Fraction(str(told["errors"])) - wrong) <= wrong / 10 ** 12, f"evaluate says {told['errors']} errors, the wrong rows weigh {plain(wrong)}")
    insist(Near.slack and "costs" in case.options or number(found["training_errors"]) == wrong, f"fit says {found['training_errors']} errors, the wrong rows weigh {plain(wrong)}")
    insist(number(told["total_weight"]) == sum(table.weights), f"evaluate says a weight of {told['total_weight']} in all")
    insist(("cost" in told) == ("costs" in case.options), "a cost, where answers have costs")
    if "costs" in case.options:
        cost = sum(w * table.costs[label][answer] for w, label, answer in zip(table.weights, table.labels, answers))
        insist(number(told["cost"]) == cost, f"evaluate says a cost of {told['cost']}, that of the rows is {plain(cost)}")


def check_coverage(program):
    """Every option of fit --help-all is swept, or stands in the list of those that are not."""
    text = subprocess.run([program, "fit", "--help-all"], capture_output=True, text=True, check=True).stdout
    flags = {name.replace("-", "_") for name in re.findall(r"^  (?:-\w, )?--([a-z-]+)", text, re.M)}
    swept = OF_TABLES.union(FOR_ALL, *LEARNERS.values())
    insist(not flags - swept - NOT_SWEPT, f"options that are not swept: {sorted(flags - swept - NOT_SWEPT)}")


def one_case(seed, folder, numbers=False):
    rng = random.Random(seed)
    table = random_table(rng)
    if numbers or seed % 3 == 0:
        table = numeric.random_table(rng, table)
    return Case(folder, table, random_options(rng, table))


def sweep(args):
    counts, wrong, start = Counter(), Counter(), time.monotonic()
    check_coverage(args.beadwork)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.tables):
            if args.seconds and time.monotonic() - start > args.seconds:
                break
            case = one_case(seed, folder, args.numeric)
            case.write()
            counts["tables"] += 1
            counts["of them numeric"] += case.table.raw is not None
            try:
                check_case(case, args.beadwork, counts)
            except (False_, subprocess.TimeoutExpired) as error:
                kind = re.sub(r"[\d/]+", "N", str(error))[:110]
                wrong[f"{case.options['engine']}: {kind}"] += 1
                if sum(wrong.values()) <= args.show:
                    print(f"FALSE (seed {seed}): {error}\n  {case.recipe()}", flush=True)
            if counts["tables"] % 1000 == 0:
                print(f"{counts['tables']} tables, {sum(wrong.values())} false, {time.monotonic() - start:.0f} s", flush=True)
    print(", ".join(f"{n} {what}" for what, n in counts.items()), f"in {time.monotonic() - start:.0f} s")
    for kind, n in wrong.most_common():
        print(f"{n} false: {kind}")
    insist(counts["optimal"] > 0, "no claim was checked")
    return 1 if wrong else 0


def selftest(args):
    """The checks fail where claims are spoilt."""
    spoilt = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + 150):
            case = one_case(seed, folder)
            case.write()
            run = case.run(args.beadwork, "--json")
            found = json.loads(run.stdout) if run.returncode == 0 else {}
            key = "training_cost" if "costs" in case.options else "training_errors"
            if found.get("status") != "optimal" or case.options["engine"] != "enumerate":
                continue
            check_outcome(case, found, key)
            worse = {**found, "upper_bound": found["upper_bound"] + 1, "lower_bound": found["lower_bound"] + 1,
                     key: found[key] + 1}
            try:
                check_outcome(case, worse, key)
            except False_:
                spoilt += 1
                continue
            raise False_(f"an optimum that is one too high passes (seed {seed})")
    insist(spoilt > 5, "too few claims were spoilt")
    print(f"{spoilt} spoilt claims found")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("beadwork", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--tables", type=int, default=10 ** 9)
    parser.add_argument("--seconds", type=float, default=0, help="0 = no limit")
    parser.add_argument("--seed", type=int, default=1, help="of the first table; the next has the next")
    parser.add_argument("--show", type=int, default=10, help="false claims to print in full")
    parser.add_argument("--numeric", action="store_true", help="tables with numbers and all thresholds alone")
    parser.add_argument("--selftest", action="store_true")
    args = parser.parse_args()
    return selftest(args) if args.selftest else sweep(args)


if __name__ == "__main__":
    sys.exit(main())
