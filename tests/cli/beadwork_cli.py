"""What the tests of the command line share: running the binary, and readers and evaluators of their own.

Nothing here is taken from the program under test: tables, models and features are read again in Python.
"""
import csv
import decimal
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("BEADWORK_BINARY", str(SOURCE / "build" / "beadwork"))

sys.path.insert(0, str(SOURCE / "tools"))
import tables  # noqa: E402: of the tree

PAPER, RAW, NUMERIC = map(tables.folder, ("paper", "raw", "numeric"))  # None where they are not there
REFERENCE = tables.REFERENCE


def need(kind):
    """Skips a test, or a class of them, without the tables of this kind."""
    return unittest.skipIf(tables.folder(kind) is None, tables.needs(kind))


NIGHTLY = bool(os.environ.get("BEADWORK_NIGHTLY"))  # make nightly: tests on random tables repeat themselves more often
SANITIZED = bool(os.environ.get("BEADWORK_SANITIZED"))  # ten times as slow: long tests repeat themselves less often there

# A slow machine or a sanitizer must not change an answer: the default limit is tested where a test names it.
os.environ.setdefault("BEADWORK_TIME_LIMIT", "none")
# Who starts tests in the background may have SIGINT ignored, and the programs would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def cpu_of_children():
    """Seconds of processor time of the programs that have ended: unlike the clock, hardly longer on a busy machine."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def send_and_wait(process, number):
    """What a program says that gets a signal, and the seconds of processor time that it takes until it ends."""
    ticks = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    before = sum(map(int, ticks[11:13])) / os.sysconf("SC_CLK_TCK") + cpu_of_children()
    process.send_signal(number)
    out, err = process.communicate(timeout=1800)
    return out, err, cpu_of_children() - before


SMALL = "a,b,c,y\n" + "".join(f"{i & 1},{i >> 1 & 1},{i >> 2 & 1},{'p' if i in (1, 2, 4, 7) else 'n'}\n" for i in range(8))  # parity


def noise(rows=400, features=40, seed=3):
    """Nothing to learn: a search that lasts."""
    rng = random.Random(seed)
    head = ",".join(f"f{i}" for i in range(features)) + ",y\n"
    return head + "".join(",".join(rng.choice("01") for _ in range(features)) + f",{rng.choice('pn')}\n" for _ in range(rows))


class CliTest(unittest.TestCase):
    """Each test has a folder of its own, in which the program runs."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.dir / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def run_it(self, *args, timeout=1800, **kwargs):
        kwargs.setdefault("stdout", subprocess.PIPE)
        done = subprocess.run([BINARY, *map(str, args)], cwd=self.dir, stderr=subprocess.PIPE, timeout=timeout,
                              **({"stdin": subprocess.DEVNULL} | kwargs))
        done.stderr = done.stderr.decode()
        if done.stdout is not None:
            done.stdout = done.stdout.decode()
        return done

    def ok(self, *args, **kwargs):
        done = self.run_it(*args, **kwargs)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def stopped(self, *args, **kwargs):
        """A run that a limit of ours stops, with something to show."""
        done = self.run_it(*args, **kwargs)
        self.assertEqual(done.returncode, 4, done.stderr)
        return done

    def fit(self, *args, **kwargs):
        """The outcome of `fit --json`; the exit code must tell whether the run was stopped."""
        done = self.run_it("fit", *args, "--json", **kwargs)
        self.assertIn(done.returncode, (0, 4, 5), done.stderr)
        outcome = json.loads(done.stdout)
        open_lists = [name for name in ("near_sets", "front") if not outcome.get(name, {}).get("complete", True)]
        proven = outcome["status"] in ("optimal", "infeasible") or (outcome["claim"]["proven_by"] == "nobody" and "cut_short" not in outcome)
        done_or_none = 5 if outcome["status"] == "infeasible" else 0
        self.assertEqual(done.returncode, done_or_none if proven and not open_lists else 4, done.stderr)
        return outcome

    def refused(self, code, line, *args, **kwargs):
        """Exactly one line on stderr, nothing on stdout, no file made."""
        before = sorted(os.listdir(self.dir))
        done = self.run_it(*args, **kwargs)
        self.assertEqual(done.stderr, f"beadwork: {line}\n")
        self.assertEqual(done.returncode, code)
        self.assertFalse(done.stdout)
        self.assertEqual(sorted(os.listdir(self.dir)), before)


# Tables ---------------------------------------------------------------------------------------------------

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$")


class Raw:
    """Names, types and rows of text (None: missing); the last column is the target."""

    def __init__(self, names, numeric, rows):
        self.names, self.numeric, self.rows = names, numeric, rows

    def column(self, name):
        i = self.names.index(name)
        return [r[i] for r in self.rows]


def split_arff(text):
    """Values between commas, quotes removed."""
    return [re.sub(r"^(['\"])(.*)\1$", r"\2", v.strip()) for v in re.findall(r"'[^']*'|\"[^\"]*\"|[^,]+", text)]


def read_arff(path):
    names, numeric, rows, data = [], [], [], False
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        if data:
            rows.append([None if v == "?" else v for v in split_arff(line)])
        elif line.lower().startswith("@data"):
            data = True
        elif line.lower().startswith("@attribute"):
            m = re.match(r"@attribute\s+('[^']*'|\"[^\"]*\"|\S+)\s+(.*)", line, re.I)
            names.append(m[1].strip("'\""))
            numeric.append(m[2].strip().lower() in ("numeric", "real", "integer"))
    return Raw(names, numeric, rows)


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as f:
        names, *rows = list(csv.reader(f))
    rows = [[None if v in ("", "?", "NA", "NaN") else v for v in r] for r in rows]
    columns = list(zip(*rows))
    numeric = [all(v is None or NUMBER.match(v) for v in c) and not set(c) <= {"0", "1"} for c in columns]
    return Raw(names, numeric[:-1] + [False], rows)


# Models ---------------------------------------------------------------------------------------------------


def order_of(column):
    """The words of a column that has an order, lowest first; nothing of any other."""
    return column.get("reading", {}).get("levels", [])


TRUTHS = ({"false", "no", "f", "n", "off", "0"}, {"true", "yes", "t", "y", "on", "1"})


def number_spelled(text):
    """The number of a plain decimal: no exponent, no +, no zeros in front."""
    return decimal.Decimal(text) if re.fullmatch(r"-?(0|[1-9][0-9]*)([.][0-9]*)?", text, re.A) else None


def meant(column, text):
    """The category, or ordered word, that a text means (docs/formats.md); None where training had none."""
    levels = order_of(column) or column["levels"]
    if text in levels:
        return text
    lower = lambda t: re.sub("[A-Z]", lambda m: m[0].lower(), t)
    number = number_spelled(text)
    if not order_of(column) and len(levels) == 2 and any(lower(levels[0]) in t and lower(levels[1]) in TRUTHS[1 - i] for i, t in enumerate(TRUTHS)):
        word = lower(text) if number is None else str(int(number)) if number in (0, 1) else ""
        return next((level for level in levels for t in TRUTHS if lower(level) in t and word in t), None)
    alike = [v for v in levels if (number is not None and number_spelled(v) == number) or (lower(v) == lower(text) and lower(v) in ("true", "false"))]
    return alike[0] if len(alike) == 1 else column.get("reading", {}).get("other") or None


def passes(feature, value, column):
    text = order_of(column) or column["type"] == "nominal"
    if text and value in column.get("reading", {}).get("missing", []):
        value = None
    if feature["test"] == "missing":
        return value is None
    if value is None:
        return False
    if order_of(column):
        return meant(column, value) in order_of(column)[: int(feature["threshold"]) + 1]
    if feature["test"] == "at_most":
        return float(value) <= feature["threshold"]
    return meant(column, value) == feature["level"]


def follow(model, value_of):
    """Class index and path number of one row; `value_of` gives the raw value of a column by name."""
    nodes = model["diagram"]["nodes"]
    memo = {}

    def paths_below(n):
        if n not in memo:
            memo[n] = 1 if "class" in nodes[n] else paths_below(nodes[n]["low"]) + paths_below(nodes[n]["high"])
        return memo[n]

    at, path = 0, 0
    while "class" not in nodes[at]:
        feature = model["features"][nodes[at]["feature"]]
        column = model["columns"][feature["column"]]
        if passes(feature, value_of(column["name"]), column):
            path += paths_below(nodes[at]["low"])
            at = nodes[at]["high"]
        else:
            at = nodes[at]["low"]
    return nodes[at]["class"], path


def recount(model, raw):
    """Errors, and the counts of each path, from the rows themselves."""
    index = {name: i for i, name in enumerate(raw.names)}
    counts = [[0] * len(model["classes"]) for _ in model["paths"]]
    errors = 0
    for row in raw.rows:
        answer, path = follow(model, lambda name: row[index[name]])
        truth = model["classes"].index(row[index[model["target"]]])
        counts[path][truth] += 1
        errors += answer != truth
    return errors, counts


# Features -------------------------------------------------------------------------------------------------


def level_key(levels):
    return (lambda v: (float(v), v)) if all(NUMBER.match(v) for v in levels) else (lambda v: v)


def between(a, b):
    middle = a + (b - a) / 2
    tidy = float("%.15g" % middle)
    return tidy if a <= tidy < b else middle if middle < b else a


def thresholds(values, rule):
    distinct = sorted(set(values))
    everything = [between(a, b) for a, b in zip(distinct, distinct[1:])]
    if rule == "all" or len(distinct) <= int(rule.split(":")[1]) + 1:
        return everything
    n = int(rule.split(":")[1])
    below = [sum(v <= d for v in values) for d in distinct]
    cuts = []
    for q in range(1, n + 1):
        goal = len(values) * q / (n + 1)
        # The nearest cut; of two equally near ones the lower, and never below the last taken.
        i = min(range(len(everything)), key=lambda i: (abs(below[i] - goal), i))
        if not cuts or everything[i] > cuts[-1]:
            cuts.append(everything[i])
    return cuts


def binarize(raw, rule):
    """Classes, and (name, bits) of every feature."""
    target = [r[-1] for r in raw.rows]
    classes = sorted(set(target), key=level_key(set(target)))
    features = []
    for name, numeric in list(zip(raw.names, raw.numeric))[:-1]:
        column = raw.column(name)
        present = [v for v in column if v is not None]
        if numeric:
            for t in thresholds([float(v) for v in present], rule):
                shown = repr(t)[:-2] if repr(t).endswith(".0") else repr(t)
                features.append((f"{name} <= {shown}", [v is not None and float(v) <= t for v in column]))
        else:
            levels = sorted(set(present), key=level_key(set(present)))
            if levels and set(levels) <= {"0", "1"}:
                features.append((name, [v == "1" for v in column]))
            elif len(levels) == 2:
                features.append((f"{name} = {levels[1]}", [v == levels[1] for v in column]))
            elif len(levels) > 2:
                features += [(f"{name} = {level}", [v == level for v in column]) for level in levels]
        if len(present) < len(column):
            features.append((f"{name} is missing", [v is None for v in column]))
    return classes, [classes.index(t) for t in target], features


# Schema ---------------------------------------------------------------------------------------------------


def schema_problems(value, schema, at="model"):
    """The part of JSON Schema that docs/model.schema.json uses; a list of complaints."""
    types = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
    kind = schema.get("type")
    if kind and (not isinstance(value, types[kind]) or (isinstance(value, bool) and kind != "boolean")):
        return [f"{at}: not {kind}"]
    out = []
    if "const" in schema and value != schema["const"]:
        out.append(f"{at}: not {schema['const']}")
    if "enum" in schema and value not in schema["enum"]:
        out.append(f"{at}: {value} not in {schema['enum']}")
    if "minimum" in schema and value < schema["minimum"]:
        out.append(f"{at}: below {schema['minimum']}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        out.append(f"{at}: does not match")
    if "oneOf" in schema and sum(not schema_problems(value, s, at) for s in schema["oneOf"]) != 1:
        out.append(f"{at}: not one of the kinds")
    if isinstance(value, dict) and "properties" in schema:
        out += [f"{at}: no {k}" for k in schema.get("required", []) if k not in value]
        for k, v in value.items():
            if k in schema["properties"]:
                out += schema_problems(v, schema["properties"][k], f"{at}.{k}")
            elif schema.get("additionalProperties") is False:
                out.append(f"{at}: unknown {k}")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            out.append(f"{at}: too short")
        if schema.get("uniqueItems") and len({json.dumps(v) for v in value}) < len(value):
            out.append(f"{at}: repeated")
        for i, v in enumerate(value):
            out += schema_problems(v, schema.get("items", {}), f"{at}[{i}]")
    return out


def check_schema(model):
    schema = json.loads((SOURCE / "docs" / "model.schema.json").read_text())
    problems = schema_problems(model, schema)
    try:
        import jsonschema
        problems += [e.message for e in jsonschema.Draft202012Validator(schema).iter_errors(model)]
    except ImportError:
        pass
    return problems
