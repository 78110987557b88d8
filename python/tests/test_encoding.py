"""Tables as formulas: their optima are those of a brute force, and models become the diagrams that they stand for."""

from __future__ import annotations

import itertools
import re
import subprocess

import numpy as np
import pytest

import beadwork
from beadwork import Encoding, encode

MODELS = ["bdd2", "bdd3", "pair", "dt"]


def cells(X, features):
    return [tuple(row) for row in X[:, list(features)]] if features else [()] * len(X)


def least_errors(X, y, weights, features):
    """Of the best classes of the cells, and the functions among them whose root is a bead, for two classes."""
    counts: dict[tuple[int, ...], list[float]] = {}
    for cell, k, w in zip(cells(X, features), y, weights):
        counts.setdefault(cell, [0.0] * 2)[k] += w
    return counts


def faithful_optimum(X, y, weights, depth):
    """The paper's reading: exactly ``depth`` features in any order, and the two halves of the table differ."""
    best = None
    for order in itertools.permutations(range(X.shape[1]), depth):
        counts = least_errors(X, y, weights, order)
        for table in itertools.product((0, 1), repeat=2**depth):
            if table[: len(table) // 2] == table[len(table) // 2 :]:
                continue
            wrong = sum(c[1 - table[int("".join(map(str, cell)), 2)]] for cell, c in counts.items())
            best = wrong if best is None else min(best, wrong)
    return best


def at_most_optimum(X, y, weights, depth):
    def of(features):
        return sum(min(c) for c in least_errors(X, y, weights, features).values())

    return min(of(f) for size in range(depth + 1) for f in itertools.combinations(range(X.shape[1]), size))


def tree_optimum(X, y, weights, depth):
    best = min(sum(w for w, k in zip(weights, y) if k != answer) for answer in (0, 1))
    if depth == 0 or len(y) == 0:
        return best
    for f in range(X.shape[1]):
        sides = [X[:, f] == value for value in (0, 1)]
        best = min(best, sum(tree_optimum(X[s], y[s], weights[s], depth - 1) for s in sides))
    return best


def table(seed, rows=14, columns=4):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, size=(rows, columns))
    X[0], X[1] = 0, 1  # no column is constant
    return X, rng.integers(0, 2, size=rows), rng.integers(1, 4, size=rows)


def optimum_by_rc2(encoding):
    rc2 = pytest.importorskip("pysat.examples.rc2", reason="needs python-sat")
    with rc2.RC2(encoding.to_pysat()) as solver:
        model = solver.compute()
        return None if model is None else encoding.decode(model), solver.cost


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", range(6))
def test_optima_by_rc2(model, seed):
    X, y, weights = table(seed)
    weights = weights if seed % 2 else np.ones(len(y), dtype=int)
    for depth in (1, 2):
        encoding = encode(X, y, depth, model, sample_weight=weights)
        answer, cost = optimum_by_rc2(encoding)
        optimum = {"bdd2": faithful_optimum, "dt": tree_optimum}.get(model, at_most_optimum)(X, y, weights, depth)
        assert answer is not None
        assert answer.cost == cost
        assert answer.errors == optimum == cost + encoding.base_errors
        assert weights[answer.predict(X) != y].sum() == optimum
        assert (answer.truth_table is None) == (model == "dt")
        assert len(answer.features) <= (depth if model != "dt" else 2**depth - 1)
        if answer.truth_table is not None:
            assert answer.truth_table.diagram() == answer.diagram


@pytest.mark.parametrize("model", ["bdd1", "bdd2"])
def test_decisions_by_cadical(model):
    solvers = pytest.importorskip("pysat.solvers", reason="needs python-sat")
    seen = set()
    for seed in range(12):
        X, y, _ = table(seed, rows=7)
        for depth in (1, 2, 3):
            encoding = encode(X, y, depth, model, maxsat=False)
            assert not encoding.soft and not encoding.weights
            with solvers.Cadical153(bootstrap_with=encoding.to_pysat()) as solver:
                found = solver.solve()
                assert found == (faithful_optimum(X, y, np.ones(len(y)), depth) == 0)
                if found:
                    answer = encoding.decode(solver.get_model())
                    assert answer.errors == 0 and (answer.predict(X) == y).all()
            seen.add(found)
    assert seen == {True, False}


def test_it_is_the_formula_of_the_command_line(command, tmp_path):
    X, y, _ = table(3, rows=30, columns=6)
    lines = [" ".join(map(str, [k, *row])) for k, row in zip(y, X)]
    (tmp_path / "t.txt").write_text("\n".join(lines) + "\n")
    for model, maxsat in [("bdd1", False), ("bdd2", False), *((m, True) for m in MODELS)]:
        run = [command, "encode", "t.txt", "--encoding", model, "--depth", "2", *(["--maxsat"] if maxsat else [])]
        said = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        encoding = encode(X, y, 2, model, maxsat=maxsat)
        literals = sum(map(len, encoding.clauses + encoding.soft))
        numbers = (encoding.num_vars, len(encoding.clauses) + len(encoding.soft), literals)
        assert said.endswith("{} variables, {} clauses, {} literals\n".format(*numbers)), model


def test_what_it_says_of_itself():
    X, y, _ = table(1)
    encoding = encode(X, y, 2)
    assert isinstance(encoding, Encoding)
    assert (encoding.model, encoding.depth, encoding.maxsat) == ("bdd2", 2, True)
    assert len(encoding.soft) == len(encoding.weights) == 4 * len(y)
    assert set(encoding.names) <= set(range(1, encoding.num_vars + 1)) and len(encoding.names) > 8
    assert max(abs(l) for c in encoding.clauses + encoding.soft for l in c) <= encoding.num_vars
    assert re.fullmatch(r"<Encoding bdd2, depth 2: \d+ variables, \d+ clauses, 56 soft clauses>", repr(encoding))
    assert encoding.to_dimacs().count("\nh ") == len(encoding.clauses)
    assert encode(X, y, 2, maxsat=False).to_dimacs().splitlines()[-1].endswith(" 0")
    assert not encode(X, y, 2, "bdd1").maxsat


def test_raw_columns_and_names():
    pytest.importorskip("pysat", reason="needs python-sat")
    ages = np.array([[20, 1.5], [30, 2.5], [40, 1.5], [50, 2.5]] * 3)
    encoding = encode(ages, np.array(["no", "no", "yes", "yes"] * 3), 1, "bdd3", thresholds="all")
    answer, _ = optimum_by_rc2(encoding)
    assert answer.errors == 0
    assert answer.features == ["x0 <= 35"]
    assert answer.predict([[10, 2], [90, 2]]).tolist() == ["no", "yes"]
    assert "no" in beadwork.export_text(answer.drawing())


def test_assignments():
    X, y, _ = table(2)
    encoding = encode(X, y, 2, "bdd1")
    with pytest.raises(ValueError, match="falsifies hard clause"):
        encoding.decode([-v for v in range(1, encoding.num_vars + 1)])
    with pytest.raises(ValueError, match="the solver found no model"):
        encoding.decode(None)
    with pytest.raises(ValueError, match="0 or 1 for each of the"):
        encoding.decode("01")
    weighted = encode(X, y, 2, "pair")
    answer, _ = optimum_by_rc2(weighted)
    del answer
    rc2 = pytest.importorskip("pysat.examples.rc2", reason="needs python-sat")
    with rc2.RC2(weighted.to_pysat()) as solver:
        model = solver.compute()
    bits = "".join("1" if v in set(model) else "0" for v in range(1, weighted.num_vars + 1))
    assert weighted.decode(bits).diagram == weighted.decode(model).diagram
    assert weighted.decode([*model, 10**9]).cost == weighted.decode(model).cost  # a variable of the solver's own


@pytest.mark.parametrize(
    "arguments, said",
    [
        ({"model": "bdd4"}, "model: expected bdd1, bdd2, bdd3, pair or dt, got 'bdd4'"),
        ({"depth": 0}, "depth: expected a number from 1 to 20, got 0"),
        ({"depth": 2.5}, "depth: expected a whole number, got 2.5"),
        ({"model": "bdd1", "maxsat": True}, "bdd1 has no MaxSAT form; use bdd2"),
        ({"model": "dt", "maxsat": False}, "dt has only a MaxSAT form; use bdd1 or bdd2"),
    ],
)
def test_bad_arguments(arguments, said):
    X, y, _ = table(1)
    with pytest.raises(ValueError, match=re.escape(said)):
        encode(X, y, **{"depth": 2, **arguments})


def test_the_papers_models_are_about_two_classes():
    X, _, _ = table(1)
    y = np.arange(len(X)) % 3
    with pytest.raises(ValueError, match="two classes"):
        encode(X, y, 2, "bdd2")
    answer, cost = optimum_by_rc2(encode(X, y, 2, "bdd3"))
    model = beadwork.BDDClassifier(2).fit(X, y)
    assert answer.errors == model.upper_bound_
