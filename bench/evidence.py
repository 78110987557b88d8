#!/usr/bin/env python3
"""Test accuracy, tests and questions of diagrams and their rivals: evidence.py run RECORD | table RECORD | plot RECORD SVG

All distinct tables (docs/data.md), raw columns where there are any, in stratified folds; every method sees the same rows.
RECORD is a file of JSON lines, plain or .gz; a run goes on where the file ends. tools/python_env.sh makes the environment (FOR=evidence), in
which the wheel of beadwork is installed as well. Everything runs on one thread, and seconds are processor time.

tests: the inner nodes of a model, of all its trees or diagrams together. questions: how many of them a test row meets.
"""
import argparse
import collections
import gzip
import io
import itertools
import json
import math
import multiprocessing
import pathlib
import random
import re
import sys
import time
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import tables as known  # noqa: E402: of the tree

SAME = {  # of the folder paper or numeric: the same rows are in raw, with their columns
    "cancer": "breast-cancer-wisconsin", "car": "car-evaluation", "vote": "congressional-voting", "australian": "credit-approval",
    "cleveland": "heart-disease-cleveland", "tic-tac-toe": "tic-tac-toe", "bank": "banknote-authentication", "wine": "wine"}
MOST_ROWS = 5000  # a fold trains on a sample of at most this many rows
FOLDS = 5


def read_arff(path):
    import pandas
    lines = [s for s in path.read_text().splitlines() if s.strip() and not s.startswith("%")]
    start = next(i for i, s in enumerate(lines) if s.lower().startswith("@data"))
    names = [re.match(r"@attribute\s+('[^']*'|\S+)", s, re.I) for s in lines[:start]]
    return pandas.read_csv(io.StringIO("\n".join(lines[start + 1:])), names=[m[1].strip("'") for m in names if m], na_values="?",
                           keep_default_na=False, skipinitialspace=True)


def read(path):
    """A frame and the classes: the last column, or the first of a file of the paper."""
    import pandas
    if path.suffix == ".txt":
        frame = pandas.read_csv(path, sep=r"\s+", header=None).add_prefix("x")
        frame = frame[[*frame.columns[1:], frame.columns[0]]]
    else:
        frame = read_arff(path) if path.suffix == ".arff" else pandas.read_csv(path)
    frame = frame.rename(columns=str)
    return frame.iloc[:, :-1], frame.iloc[:, -1].astype(str).to_numpy()


def tables():
    raw, numeric, paper = map(known.folder_or_skip, ("raw", "numeric", "paper"))
    found = [*raw.glob("*.arff"), *numeric.glob("*.csv.gz"), *paper.glob("*.txt")]
    named = {p.name.split(".")[0]: p for p in reversed(found) if "raw" in p.parts or p.name.split(".")[0] not in SAME}
    return dict(sorted(named.items(), key=lambda item: item[1].stat().st_size))


def folds(name, labels, seed):
    """Row numbers of each fold: the rows of a class are shuffled and dealt out in turn."""
    order = random.Random(f"{name} {seed}")
    dealt = []
    for label in sorted(set(labels)):
        rows = [i for i, other in enumerate(labels) if other == label]
        order.shuffle(rows)
        dealt += rows
    return [dealt[k::FOLDS] for k in range(FOLDS)]


def split(name, labels, seed, k):
    parts = folds(name, labels, seed)
    rest = sorted(r for i, part in enumerate(parts) if i != k for r in part)
    return sorted(random.Random(f"{seed} {k}").sample(rest, min(len(rest), MOST_ROWS))), sorted(parts[k])


# Learners. Each takes the training rows, a seed and the test rows, and returns answers, tests and questions per test row.

def diagram(depth, limit=20, **options):
    def fit(x, y, seed, rows):
        from beadwork import BDDClassifier
        m = BDDClassifier(depth, time_limit=limit, random_state=seed, verbose=0, **options).fit(x, y)
        return m.predict(rows), m.diagram_.inner_nodes, mean_path(m, rows)
    return fit


def mean_path(model, rows):
    return float((model.decision_path(rows).sum(axis=1) - 1).mean())


def committee(depth, limit=20):
    def fit(x, y, seed, rows):
        from beadwork import BDDCommittee
        m = BDDCommittee(depth, time_limit=limit, random_state=seed, verbose=0).fit(x, y)
        return m.predict(rows), sum(d["diagram"].inner_nodes for d in m.members_), None
    return fit


def numbers(x, rows):
    """The columns for learners that want numbers: categories as 0/1, missing numbers as the median and a flag."""
    from sklearn.compose import ColumnTransformer, make_column_selector
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    words = make_pipeline(SimpleImputer(strategy="constant", fill_value="?"), OneHotEncoder(handle_unknown="ignore", sparse_output=False))
    change = ColumnTransformer([("words", words, make_column_selector(dtype_exclude="number")),
                                ("numbers", SimpleImputer(strategy="median", add_indicator=True), make_column_selector(dtype_include="number"))])
    return change.fit_transform(x), change.transform(rows)


def bits(x, rows):
    """The features that a diagram would be given."""
    from beadwork import TableBinarizer
    change = TableBinarizer().fit(x)
    return change.transform(x), change.transform(rows)


def chosen(model, grid, x, y, seed):
    """The model of the grid that answers the held-out rows of five inner folds best."""
    from sklearn.model_selection import GridSearchCV, StratifiedKFold
    inner = StratifiedKFold(5, shuffle=True, random_state=seed)
    return GridSearchCV(model, grid, cv=inner).fit(x, y).best_estimator_


def cart_depth(x, y, seed, rows):
    from sklearn.tree import DecisionTreeClassifier
    x, rows = numbers(x, rows)
    m = chosen(DecisionTreeClassifier(random_state=seed), {"max_depth": [1, 2, 3, 4, 5, 6, 8, 10, None]}, x, y, seed)
    return m.predict(rows), m.get_n_leaves() - 1, mean_path(m, rows)


def cart_pruned(x, y, seed, rows):
    import numpy
    from sklearn.tree import DecisionTreeClassifier
    x, rows = numbers(x, rows)
    alphas = numpy.unique(DecisionTreeClassifier(random_state=seed).cost_complexity_pruning_path(x, y).ccp_alphas)
    between = numpy.sqrt(numpy.maximum(alphas[:-1], 0) * numpy.maximum(alphas[1:], 0))
    grid = numpy.unique(between[numpy.linspace(0, len(between) - 1, 20).astype(int)]) if len(between) else [0.0]
    m = chosen(DecisionTreeClassifier(random_state=seed), {"ccp_alpha": list(grid)}, x, y, seed)
    return m.predict(rows), m.get_n_leaves() - 1, mean_path(m, rows)


def figs(x, y, seed, rows):
    from imodels import FIGSClassifier
    x, rows = numbers(x, rows)
    m = chosen(FIGSClassifier(random_state=seed), {"max_rules": [2, 4, 7, 12, 20, 30]}, x, y, seed)

    def inner(node):
        return 0 if node is None or node.left is None else 1 + inner(node.left) + inner(node.right)

    def asked(node, row):
        return 0 if node.left is None else 1 + asked(node.left if row[node.feature] <= node.threshold else node.right, row)
    return m.predict(rows), sum(map(inner, m.trees_)), sum(asked(t, row) for row in rows for t in m.trees_) / len(rows)


def streed(x, y, seed, rows):
    from pystreed import STreeDClassifier
    x, rows = bits(x, rows)
    names = sorted(set(y))
    grid = [{"max_depth": [3], "max_num_nodes": [1, 2, 3, 4, 5, 6, 7]}]
    if x.shape[1] <= 100:  # beyond, a fit of depth 4 takes minutes
        grid.append({"max_depth": [4], "max_num_nodes": [9, 15]})
    x, rows = x.astype("int32"), rows.astype("int32")
    m = chosen(STreeDClassifier("accuracy", time_limit=100, random_seed=seed), grid, x, [names.index(c) for c in y], seed)
    asked = float(m.get_question_length(rows, [0] * len(rows))) - 1  # it counts the answer
    return [names[int(c)] for c in m.predict(rows)], m.get_n_leaves() - 1, asked


def gosdt(x, y, seed, rows):
    from gosdt import GOSDTClassifier
    x, rows = bits(x, rows)
    names = sorted(set(y))
    m = GOSDTClassifier(regularization=0.01, depth_budget=5, time_limit=5).fit(x.astype(bool), [names.index(c) for c in y])
    tree = m.trees_[0].tree

    def inner(node):
        return 1 + inner(node.left_child) + inner(node.right_child) if hasattr(node, "left_child") else 0

    def walk(node, row, asked=0):
        if not hasattr(node, "left_child"):
            return names[int(node.prediction)], asked
        return walk(node.left_child if row[node.feature] else node.right_child, row, asked + 1)
    walks = [walk(tree, row) for row in rows]
    return [answer for answer, _ in walks], inner(tree), sum(asked for _, asked in walks) / len(rows)


def forest(x, y, seed, rows):
    from sklearn.ensemble import RandomForestClassifier
    x, rows = numbers(x, rows)
    m = RandomForestClassifier(random_state=seed).fit(x, y)
    return m.predict(rows), sum(t.get_n_leaves() - 1 for t in m), sum(mean_path(t, rows) for t in m)


def gone(x, y, seed, rows):
    """A method whose runs are in the record, and that the package has no more."""
    raise ValueError("this method is gone; its runs are in the record")


METHODS = {
    "depth 3": diagram(3), "depth 4": diagram(4), "depth 5": diagram(5),
    "size auto": diagram(5, size="auto"), "size auto, 16 features": diagram(16, limit=60, size="auto"),
    "committee 3": committee(3), "committee 4": committee(4), "committee 5": committee(5), "teacher 4": gone,
    "CART, depth tuned": cart_depth, "CART, pruned": cart_pruned, "FIGS": figs, "STreeD": streed, "GOSDT": gosdt, "random forest": forest}


def run(args):
    """Appends a line for each run that RECORD does not have yet. What a method cannot do is recorded as that."""
    done = set()
    if args.record.exists():
        done = {tuple(json.loads(s)[k] for k in ("table", "seed", "fold", "method")) for s in opened(args.record)}
    warnings.simplefilter("ignore")
    import beadwork, gosdt, imodels, pystreed, sklearn.ensemble, sklearn.model_selection  # noqa: once, before the processes part
    with opened(args.record, "a") as record:
        for seed, (name, path) in itertools.product(args.seeds, tables().items()):
            if args.tables and name not in args.tables:
                continue
            x, y = read(path)
            for k, method in itertools.product(range(FOLDS), args.methods):
                if (name, seed, k, method) not in done:
                    key = {"table": name, "rows": len(y), "seed": seed, "fold": k, "method": method}
                    print(json.dumps(key | measured(method, x, y, seed, split(name, y, seed, k))), file=record, flush=True)


def measured(method, x, y, seed, rows):
    """In a process of its own: some rivals end theirs."""
    answer, question = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.Process(target=measure, args=(question, method, x, y, seed, rows))
    child.start()
    question.close()
    try:
        return answer.recv()
    except EOFError:
        child.join()
        return {"fails": f"its process ended with {child.exitcode}"}


def measure(question, method, x, y, seed, rows):
    train, test = rows
    start = time.process_time()
    try:
        answers, tests, questions = METHODS[method](x.iloc[train], y[train], seed, x.iloc[test])
    except Exception as e:
        question.send({"fails": f"{type(e).__name__}: {e}"[:200]})
        return
    right = sum(a == b for a, b in zip(answers, y[test])) / len(test)
    question.send({"accuracy": right, "tests": int(tests), "questions": questions, "seconds": time.process_time() - start})


# Tables

def mean(values):
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else math.nan


def opened(path, mode="r"):
    return gzip.open(path, mode + "t") if path.suffix == ".gz" else path.open(mode)


class Record:
    """Means over the runs of a table, of the tables that all methods shown have in full."""

    def __init__(self, path, methods, seeds):
        with opened(path) as lines:
            rows = [r for r in map(json.loads, lines) if r["seed"] in seeds]
        self.runs = collections.defaultdict(dict)
        for r in rows:
            if "fails" not in r:
                self.runs[r["table"], r["method"]][r["seed"], r["fold"]] = r
        self.size = {r["table"]: r["rows"] for r in rows}
        self.failed = collections.Counter((r["method"], r["fails"]) for r in rows if "fails" in r)
        self.methods = [m for m in methods if any(key[1] == m for key in self.runs)]
        self.tables = [t for t in self.size if all(self.full(t, m) for m in self.methods)]

    def full(self, table, method):
        return self.runs[table, method].keys() >= set(itertools.product(self.seeds(), range(FOLDS)))

    def seeds(self):
        return {seed for runs in self.runs.values() for seed, _ in runs}

    def mean(self, table, method, key):
        return mean(r[key] for r in self.runs[table, method].values())

    def means(self, method, key):
        return [self.mean(t, method, key) for t in self.tables]

    def ranks(self, method):
        """Of its mean accuracy on each table, ties shared."""
        for t in self.tables:
            mine = round(self.mean(t, method, "accuracy"), 6)
            others = [round(self.mean(t, m, "accuracy"), 6) for m in self.methods]
            yield 1 + sum(o > mine for o in others) + (others.count(mine) - 1) / 2


def interval(differences):
    """95 % of the mean difference over tables, by resampling tables: 10,000 draws with a fixed seed."""
    draw = random.Random(1)
    means = sorted(mean(draw.choices(differences, k=len(differences))) for _ in range(10000))
    return means[249], means[9749]


def print_tables(args):
    record = Record(args.record, args.methods, args.seeds)
    print(f"{len(record.tables)} tables, seeds {sorted(record.seeds())}, {FOLDS} folds.\n")
    base = record.means(args.base, "accuracy")
    print(f"| method | test accuracy | tests (median) | questions | seconds | rank | against {args.base} | 95 % | better, level, worse |")
    print("|---|---|---|---|---|---|---|---|---|")
    for m in record.methods:
        accuracy = record.means(m, "accuracy")
        gaps = [100 * (a - b) for a, b in zip(accuracy, base)]
        tests, low_high = record.means(m, "tests"), interval(gaps)
        wins = [sum(g > 0.05 for g in gaps), sum(abs(g) <= 0.05 for g in gaps), sum(g < -0.05 for g in gaps)]
        print(f"| {m} | {100 * mean(accuracy):.2f} | {mean(tests):.1f} ({sorted(tests)[len(tests) // 2]:.1f}) | "
              f"{mean(record.means(m, 'questions')):.2f} | {mean(record.means(m, 'seconds')):.2f} | {mean(record.ranks(m)):.2f} | "
              + ("" if m == args.base else f"{mean(gaps):+.2f} | {low_high[0]:+.2f} to {low_high[1]:+.2f} | {wins[0]}, {wins[1]}, {wins[2]}")
              + (" | | |" if m == args.base else " |"))
    print("\n| table (rows) | " + " | ".join(record.methods) + " |\n" + "|---" * (len(record.methods) + 1) + "|")
    for t in record.tables:
        print(f"| {t} ({record.size[t]:,}) | " + " | ".join(f"{100 * record.mean(t, m, 'accuracy'):.2f}" for m in record.methods) + " |")
    for (method, why), count in record.failed.items():
        print(f"\n{method}: {count} runs failed: {why}")


# Critical differences of the studentized range over sqrt(2), at 5 %, for 2, 3, ... methods (Demsar 2006, table 5; beyond ten from
# the same distribution).
NEMENYI = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164, 3.219, 3.268, 3.313, 3.354]


def plot(args):
    """Mean ranks on a line; a bar joins methods whose ranks differ by less than the critical difference."""
    record = Record(args.record, args.methods, args.seeds)
    ranks = sorted((mean(record.ranks(m)), m) for m in record.methods)
    k = len(ranks)
    critical = NEMENYI[k - 2] * math.sqrt(k * (k + 1) / (6 * len(record.tables)))
    left, step = 60, 640 / (k - 1)
    x = [left + (r - 1) * step for r, _ in ranks]
    spans = [(i, max(j for j in range(k) if ranks[j][0] - ranks[i][0] < critical)) for i in range(k)]
    spans = [s for n, s in enumerate(spans) if s[1] > s[0] and all(s[1] > t[1] for t in spans[:n])]
    top = 70 + 9 * len(spans)
    height = top + 20 * ((k + 1) // 2) + 20
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="1050" height="{height}" viewBox="-150 0 1050 {height}" font-family="sans-serif" font-size="13">',
           '<rect x="-150" width="1050" height="100%" fill="white"/>',
           f'<text x="{left}" y="18">mean rank of test accuracy on {len(record.tables)} tables (1 is best); critical difference {critical:.2f}</text>',
           f'<path d="M{left} 50H{left + 640}" stroke="black"/>']
    for i in range(k):
        out.append(f'<path d="M{left + i * step:.1f} 44V50" stroke="black"/><text x="{left + i * step:.1f}" y="40" text-anchor="middle">{i + 1}</text>')
    for n, (i, j) in enumerate(spans):
        out.append(f'<path d="M{x[i] - 3:.1f} {60 + 9 * n}H{x[j] + 3:.1f}" stroke="#444" stroke-width="4"/>')
    for i, (rank, method) in enumerate(ranks):
        first = i < (k + 1) // 2
        y = top + 20 * (i if first else k - 1 - i)
        end, anchor = (left - 10, "end") if first else (left + 650, "start")
        out.append(f'<path d="M{x[i]:.1f} 50V{y}H{end}" stroke="#888" fill="none"/>'
                   f'<text x="{end + (-4 if first else 4)}" y="{y + 4}" text-anchor="{anchor}">{method} {rank:.2f}</text>')
    args.picture.write_text("\n".join(out + ["</svg>"]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    for name, act in (("run", run), ("table", print_tables), ("plot", plot)):
        one = commands.add_parser(name)
        if name == "run":
            one.add_argument("--tables", nargs="+")
        one.add_argument("record", type=pathlib.Path)
        if name == "plot":
            one.add_argument("picture", type=pathlib.Path)
        one.add_argument("--methods", nargs="+", default=[m for m in METHODS if act is not run or METHODS[m] is not gone],
                         choices=list(METHODS))
        one.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
        one.add_argument("--base", default="size auto")
        one.set_defaults(act=act)
    args = parser.parse_args()
    args.act(args)


if __name__ == "__main__":
    sys.exit(main())
