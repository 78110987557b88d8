"""Models to export, random rows for them, and what `beadwork predict` says of each row.

The rows are at, just beside and far from thresholds, known and unknown categories, and missing values.
"""
import csv
import functools
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from beadwork_cli import BINARY, RAW, TRUTHS, number_spelled, order_of, passes  # noqa: E402

ROWS = int(os.environ.get("BEADWORK_EXPORT_ROWS", "10000"))  # make test-exports has 100,000

HOSTILE = [
    "</script><script>alert(1)</script>", "'; DROP TABLE t; --", "*/ int main; /*", "a\nb", "endmodule", "\U0001f600",
    "a b", "a-b", "A_B", "class", "select", "__proto__", 'x"y"', "back\\slash\\", "long " * 60, "coding: utf-7", "x .nodes y",
    ".end", "??/", "\u00dcn\u00ef\u0441\u043ede", "bidi\u202etext", "int", "lambda", "linux", "1st", "#", "`endif", "${x}",
    "{}", "%s", "a\tb", "<!--", "]]>", "$display", "None", "x_a_b", "-->", "\u2028", "long " * 60 + "2",
]


def run(*args, cwd):
    done = subprocess.run([BINARY, *map(str, args)], cwd=cwd, capture_output=True, timeout=1800)
    if done.returncode != 0:
        raise AssertionError(done.stderr.decode())
    return done.stdout


class Case:
    """A model in a folder of its own."""

    def __init__(self, name, folder):
        self.name, self.dir = name, folder
        self.model = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        nodes = [n for m in self.model.get("members", [self.model["diagram"]]) for n in m["nodes"]]
        self.used = list(dict.fromkeys(n["feature"] for n in nodes if "feature" in n))  # in order of appearance
        self.features = [self.model["features"][f] for f in self.used]
        self.columns = [self.model["columns"][c] for c in dict.fromkeys(f["column"] for f in self.features)]

    def export(self, format, *args, to):
        run("export", "model.json", "--to", format, "-o", to, *args, cwd=self.dir)
        return self.dir / to

    @functools.cached_property
    def rows(self):
        """Tuples of values, one for each of `columns`: float, str or None."""
        rng = random.Random(self.name)
        makers = [value_maker(rng, self.model, column) for column in self.columns]
        count = ROWS // 5 if "members" in self.model else ROWS  # all members answer, in databases not quickly
        return [tuple(make() for make in makers) for _ in range(count)]

    @functools.cached_property
    def answers(self):
        """Class indices, by the program itself. A table needs a column: one that the model does not ask for."""
        with open(self.dir / "rows.csv", "w", newline="", encoding="utf-8") as f:
            writer = csv.writer(f, quoting=csv.QUOTE_NONNUMERIC)
            writer.writerow([c["name"] for c in self.columns] + ["besides"])
            for row in self.rows:
                writer.writerow(["" if v is None else v for v in row] + ["x"])
        self.said = json.loads(run("predict", "model.json", "rows.csv", "--json", cwd=self.dir))["predictions"]
        index = {name: k for k, name in enumerate(self.model["classes"])}
        return [index[p["class"]] for p in self.said]

    @functools.cached_property
    def bits(self):
        """The binary features of each row, in order of appearance."""
        place = {self.model["columns"].index(c): i for i, c in enumerate(self.columns)}
        tests = [(f, place[f["column"]]) for f in self.features]
        return [tuple(passes(f, row[c], self.columns[c]) for f, c in tests) for row in self.rows]

    @functools.cached_property
    def vectors(self):
        return sorted(set(self.bits))

    def feature_name(self, i):
        return self.features[i]["name"]


def numeric(column):
    """Are its values numbers to whoever calls an export?"""
    return column["type"] == "numeric" and not order_of(column)


def value_maker(rng, model, column):
    tests = [f for f in model["features"] if model["columns"][f["column"]] is column]
    if numeric(column):
        near = [v for f in tests if f["test"] == "at_most" for t in [f["threshold"]]
                for v in (t, math.nextafter(t, math.inf), math.nextafter(t, -math.inf), t - 0.5, t + 0.5)]
        low, high = min(near, default=0) - 3, max(near, default=0) + 3
        return lambda: (None if rng.random() < 0.1 else rng.choice(near) if near and rng.random() < 0.4
                        else rng.uniform(low, high))
    levels = [f["level"] for f in tests if f["test"] == "equals"] + order_of(column)
    levels += [v for v in column.get("levels", []) if v not in levels][:3] + ["never seen", "never ' seen \"\n"]
    if any(number_spelled(v) is not None or v.lower() in TRUTHS[1] for v in levels):  # other spellings, as tools make them of their types
        levels += [v + z for v in levels if number_spelled(v) is not None and "." not in v for z in (".0", "0")]
        levels += ["TRUE", "Yes", "on", "NO", "False", "-0", "-0.0", "0.0", "1.0", "-1", "yess"]
    levels += column.get("reading", {}).get("missing", [])
    return lambda: None if rng.random() < 0.1 else rng.choice(levels)


# Models ---------------------------------------------------------------------------------------------------


def sample(name, depth):
    def make(folder):
        run("datasets", "make", name, "-o", "data.csv", cwd=folder)
        run("fit", "data.csv", "-d", depth, "-o", "model.json", cwd=folder)
    return make


def raw(name, depth):
    def make(folder):
        run("fit", RAW / name, "-d", depth, "-o", "model.json", cwd=folder)
    return make


def fitted(header, rows, depth, *options):
    def make(folder):
        with open(folder / "data.csv", "w", newline="", encoding="utf-8") as f:
            writer = csv.writer(f)
            writer.writerow(header)
            writer.writerows(rows)
        run("fit", "data.csv", "-d", depth, "--thresholds", "all", "-o", "model.json", *options, cwd=folder)
    return make


def flowers(*options):
    """Three classes, numbers with one decimal."""
    rng = random.Random(1)
    rows = [[round(rng.uniform(4, 8), 1), round(rng.uniform(0.1, 7), 1), round(rng.uniform(0.1, 2.5), 1)] for _ in range(90)]
    label = lambda a, b, c: "setosa" if b < 2.3 else "virginica" if c > 1.7 or a * b > 33 else "versicolor"
    return fitted(["sepal", "petal", "width", "kind"], [r + [label(*r)] for r in rows], 3 if options else 4, *options)


def mixed(*options):
    """Numbers, categories and 0/1, with missing values that matter."""
    rng = random.Random(2)
    rows = []
    for _ in range(120):
        age = rng.choice(["", rng.randint(18, 80)])
        color = rng.choice(["", "red", "green", "blue"])
        member = rng.choice([0, 1])
        good = age == "" and color != "red" if member else color == "" or (age != "" and age <= 40)
        rows.append([age, color, member, "yes" if good else "no"])
    return fitted(["age", "color", "member", "good"], rows, 3 if options else 5, *options)


def words():
    """Words with an order, hostile ones too, and missing values that matter."""
    rng = random.Random(6)
    size, trust = ["tiny", "small", "medium", "large", "huge"], ["'; DROP TABLE t; --", "*/", 'x"y"', "back\\slash\\", "1st"]
    rows = []
    for _ in range(200):
        a, b = rng.choice(["", *size]), rng.choice(trust)
        good = b in trust[:3] if a == "" else (size.index(a) <= 2) == (b in trust[:2])
        rows.append([a, b, rng.randint(1, 9), "yes" if good else "no"])
    return fitted(["size", "trust", "other", "good"], rows, 4, *("--ordered=size=" + ",".join(size), "--ordered=trust=" + ",".join(trust)))


def spellings():
    """Truths in several spellings, numbers as categories, a rest of the categories, a text for no value."""
    rng = random.Random(9)
    rows = []
    for _ in range(400):
        member, flag = rng.choice(["0", "1"]), rng.choice(["0", "1", "0", "1", "0", "1", "-"])
        ok = rng.choice(["yes", "Yes", "TRUE", "no", "No", "FALSE"])
        grade, town = rng.choice(["1", "2", "30"]), rng.choice(["a", "b", "c", "a", "b", "c", "d", "e", "f", "it's"])
        left, right = (member == "1") != (ok in ("yes", "Yes", "TRUE")), (grade == "30") != (flag == "1")
        good = left if town in "abc" else right if flag != "-" else True
        rows.append([member, ok, grade, flag, town, rng.randint(1, 9), "yes" if good else "no"])
    return fitted(["member", "ok", "grade", "flag", "town", "n", "good"], rows, 5, "--nominal=grade", "--nominal=town", "--max-categories=3")


def random_model(seed, names, classes, inner, levels=None, cuts=(0.1, -2.5, 1e20, 37.5, 1 / 3)):
    """A rooted acyclic graph that follows no order, tests features twice and shares nodes, written by hand."""
    def make(folder):
        rng = random.Random(seed)
        columns, features = [], []
        for i, name in enumerate(names):
            c = len(columns)
            if i % 2:
                some = rng.sample(levels or HOSTILE, 3)
                columns.append({"name": name, "type": "nominal", "levels": some})
                features += [{"name": f"{name} = {v}", "column": c, "test": "equals", "level": v} for v in some]
            else:
                columns.append({"name": name, "type": "numeric"})
                for t in (rng.choice(cuts), round(rng.uniform(-9, 9), 3)):
                    shown = repr(t)[:-2] if repr(t).endswith(".0") else repr(t)
                    features.append({"name": f"{name} <= {shown}", "column": c, "test": "at_most", "threshold": t})
            features.append({"name": f"{name} is missing", "column": c, "test": "missing"})
        for i, f in enumerate(features):
            f["index"] = i
        order = rng.sample(range(len(features)), len(features)) * 3
        # Node n has n + 1 as a child, so that all are reached, and another one not far below it.
        nodes = []
        for n in range(inner):
            near = n + 2 if n % 9 == 0 else inner + rng.randrange(len(classes))
            children = [n + 1, min(near, inner + rng.randrange(len(classes)))]
            if features[order[n]]["test"] == "at_most":  # the others seldom pass: most rows go on
                rng.shuffle(children)
            nodes.append({"feature": order[n], "low": children[0], "high": children[1]})
        nodes += [{"class": k} for k in range(len(classes))]
        for child, parent in enumerate(rng.sample(range(inner - 12, inner - 1), len(classes))):  # each class is reached
            nodes[parent]["low" if nodes[parent]["high"] == parent + 1 else "high"] = inner + child
        paths = [1] * len(nodes)
        answer = [None] * len(nodes)
        for n in reversed(range(inner)):
            paths[n] = paths[nodes[n]["low"]] + paths[nodes[n]["high"]]

        def sinks(n):  # the class of each path below n
            if "class" in nodes[n]:
                return [nodes[n]["class"]]
            if answer[n] is None:
                answer[n] = sinks(nodes[n]["low"]) + sinks(nodes[n]["high"])
            return answer[n]

        counts = [[rng.choice((0, 0, 1, 5)) for _ in classes] for _ in range(paths[0])]
        errors = sum(sum(c) - c[k] for c, k in zip(counts, sinks(0)))
        model = {"format": "beadwork-model", "version": 1, "target": HOSTILE[0], "classes": classes, "columns": columns,
                 "features": features, "diagram": {"nodes": nodes}, "paths": counts,
                 "training": {"engine": "by hand", "status": "feasible", "depth": inner, "rows": 0,
                              "total_weight": sum(map(sum, counts)), "weight_scale": 1, "errors": errors, "lower_bound": 0,
                              "faithful": False, "seed": 0, "thresholds": "all", "num_features": len(features),
                              "data_sha256": ""}}
        (folder / "model.json").write_text(json.dumps(model), encoding="utf-8")
    return make


def voting(make, members):
    """A committee written by hand: the model, and others that ask its questions in other places and answer in other words."""
    def make_it(folder):
        make(folder)
        model = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        training, rng, nodes = model["training"], random.Random(members), model["diagram"]["nodes"]
        errors, num_classes = training["errors"], len(model["classes"])
        for key in ("status", "depth", "lower_bound", "faithful"):
            del training[key]
        model["version"] = 3
        model["claim"] = {"status": "feasible", "lower_bound": 0, "upper_bound": errors, "scale": 1}
        model["committee"] = {"within": 0, "extent": "stopped", "num_sets": 0}
        model["members"] = [{"cost": errors, "nodes": nodes}]
        for shift in range(1, members):
            other = rng.sample(range(len(model["features"])), len(model["features"]))
            model["members"].append({"cost": errors, "nodes": [
                {"class": (n["class"] + shift) % num_classes} if "class" in n else {**n, "feature": other[n["feature"]]}
                for n in nodes]})
        (folder / "model.json").write_text(json.dumps(model), encoding="utf-8")
    return make_it


MODELS = {
    "monk": sample("monk-1", 5),
    "tic-tac-toe": sample("tic-tac-toe", 6),
    "flowers": flowers(),
    "mixed": mixed(),
    "words": words(),
    "constant": fitted(["a", "b", "class"], [[1, 2, "no"], [2, 1, "no"], [1, 2, "no"], [3, 3, "yes"], [3, 3, "no"]], 0),
    "tree": random_model(3, ["u", "v", "w"], ["p", "q"], 18, ["one", "two", "three", "four"]),
    "hostile": random_model(4, HOSTILE, ["'; DROP TABLE t; --", "*/", "</script>", "a\nb", "endmodule"], 60),
}
if RAW:
    MODELS["wine"] = raw("wine.arff", 3)
    MODELS["credit"] = raw("credit-approval.arff", 5)

# These go to some formats only.
COMMITTEES = {
    "flowers that vote": flowers("--committee", "4", "--committee-size", "12"),
    "mixed that vote": mixed("--committee", "10%", "--committee-size", "15"),
    "a constant that votes": fitted(["a", "b", "class"], [[1, 2, "no"], [2, 1, "no"], [3, 3, "yes"]], 0, "--committee"),
    "hostile that vote": voting(MODELS["hostile"], 4),
}

# For tools that take minutes for the hostile model: few nodes, and braces and quotes among the names that they test.
NEAR = (0.1, -2.5, 20.25, 37.5, 0.3)  # thresholds that integers have values about
FURTHER = {
    "tree within reach": random_model(3, ["u", "v", "w"], ["p", "q"], 18, ["one", "two", "three", "four"], NEAR),
    "hostile within reach": random_model(4, HOSTILE, ["'; DROP TABLE t; --", "*/", "</script>", "a\nb", "endmodule"], 60, None, NEAR),
    "spellings": spellings(),
    "hostile names": random_model(8, ["{{ x }}", "{% raw %}", "'; DROP TABLE t; --", "a\nb", 'x"y"', "back\\slash\\", "]]>", "`endif",
                                      "a b", "A_B", "x_a_b", "\U0001f600", "select", "\u00dcn\u00ef\u0441\u043ede"],
                                  ["'; DROP TABLE t; --", "{{ y }}", "a\nb\\", "\U0001f600"], 24),
    "hostile texts": random_model(11, list("stuvwxyz"), ['"', "a\nb", "=1", "\U0001f600 " * 70], 14, ['x"y"', "long " * 60, "a\nb", "=1+1"]),
}
FURTHER["hostile that vote within reach"] = voting(FURTHER["hostile within reach"], 4)

folder = tempfile.TemporaryDirectory()


@functools.cache
def case(name):
    home = pathlib.Path(folder.name) / name
    home.mkdir()
    {**MODELS, **COMMITTEES, **FURTHER}[name](home)
    return Case(name, home)
