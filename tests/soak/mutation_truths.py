"""What is true of a spoiled file, by code that shares nothing with the program: answers counted again, optima by brute force."""
import ast
import collections
import csv
import io
import itertools
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree
from fractions import Fraction

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("cli", "oracle")]
import beadwork_cli  # noqa: E402
import brute_force  # noqa: E402


class Undecided(Exception):
    """This reader does not know what the right answer is."""


recounted = collections.Counter()  # answers of the program that were compared with those of this file


# Tables ---------------------------------------------------------------------------------------------------

CELL = re.compile(r"(-?(0|[1-9]\d{0,4})(\.\d{1,3})?|[a-z]{2,9})?")


def plain_table(data):
    """A table whose meaning is beyond doubt; else Undecided."""
    try:
        lines = data.decode("ascii").split("\n")
    except UnicodeDecodeError as error:
        raise Undecided from error
    if lines[-1] != "" or len(lines) < 4:
        raise Undecided
    rows = [line.split(",") for line in lines[:-1]]
    names = rows[0]
    if len({len(row) for row in rows}) != 1 or len(set(names)) != len(names) or not all(re.fullmatch("[a-z][a-z0-9]{0,9}", n) for n in names):
        raise Undecided
    if not all(CELL.fullmatch(cell) and cell not in ("inf", "nan", "null", "none") for row in rows[1:] for cell in row) or any(not row[-1] for row in rows[1:]):
        raise Undecided
    if any(not any(row) for row in rows[1:]):
        raise Undecided
    rows = [[cell or None for cell in row] for row in rows[1:]]
    for column in zip(*rows):
        texts = {cell for cell in column if cell is not None}
        numbers = {cell for cell in texts if beadwork_cli.NUMBER.match(cell)}
        if not texts or (numbers and numbers != texts) or (texts & {"yes", "no", "on", "off", "true", "false"} and len(texts) != 2):
            raise Undecided
    numeric = [all(c is None or beadwork_cli.NUMBER.match(c) for c in column) and not {c for c in column if c} <= {"0", "1"} for column in zip(*rows)]
    return beadwork_cli.Raw(names, numeric[:-1] + [False], rows)


def model_of(case):
    try:
        model = json.loads(case.files["m.json"])
    except (ValueError, RecursionError, KeyError) as error:
        raise Undecided from error
    if "members" in model or "target_cuts" in model or model.get("version") not in (1, 2, 4):
        raise Undecided
    for column in model["columns"]:
        kinds = set(column.get("reading", {})) - {"levels"}
        if kinds or model.get("reading"):
            raise Undecided
    return model


def answered(model, raw):
    """The class that each row gets, by its name."""
    names = {name: i for i, name in enumerate(raw.names)}
    out = []
    for row in raw.rows:
        try:
            out.append(model["classes"][beadwork_cli.follow(model, lambda name: row[names[name]])[0]])
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise Undecided from error
    return out


# What is said of a model --------------------------------------------------------------------------------------


def page_says(case, done):
    name = next((word for word in case.words if word in ("out", "page")), None)
    page = done.after.get(f"case/{name}", b"").decode("utf-8", "replace")
    found = re.search(r'"history":\{"claim":("(?:[^"\\]|\\.)*"),"headline":("(?:[^"\\]|\\.)*")', page)
    return [json.loads(text) for text in found.groups()] if found else None


def claims(case, done, _):
    """Of a model that was loaded, nothing is proven, and nothing verified without a certificate."""
    if case.kind not in ("model", "data") or done.code != 0:
        return
    said = []
    if case.words[0] == "show" and "text" in case.words:
        said = re.findall(r"(?:rows|weight[^)]*|members?)\), (.*)", done.out.split("\n")[0])[-1:]
    if case.words[0] == "report":
        said = page_says(case, done)
        if said is None:
            yield "a page without a claim"
            return
    for text in said:
        if re.match(r"optimal|proven", text):
            yield f"says what nobody has proven: {text}"
        if "verified" in text:
            yield f"says what nobody has verified: {text}"
    if said and case.words[0] == "show":
        model = model_of(case)
        status = model.get("claim", model.get("training", {})).get("status")
        if "claimed optimal" in said[-1] and status != "optimal":
            yield f"claimed optimal, where the file says {status}"
        shown = re.search(r"\((\d+) errors? in (\d+) rows\)", done.out.split("\n")[0])
        recounted["show"] += 1
        if shown and model["training"].get("weight_scale", 1) == 1:
            errors = errors_of_paths(model)
            if errors != int(shown[1]):
                yield f"shows {shown[1]} errors, the paths have {errors}"


def errors_of_paths(model):
    nodes, leaves = model["diagram"]["nodes"], []

    def walk(at):
        if "class" in nodes[at]:
            leaves.append(nodes[at]["class"])
        else:
            walk(nodes[at]["low"])
            walk(nodes[at]["high"])
    walk(0)
    if any(leaf is None for leaf in leaves):
        raise Undecided
    return sum(sum(counts) - counts[leaf] for leaf, counts in zip(leaves, model["paths"]))


def answers(case, done, _):
    """evaluate, predict and exports, counted again."""
    if case.kind not in ("model", "data") or done.code != 0 or case.words[0] not in ("evaluate", "predict", "export"):
        return
    model, raw = model_of(case), plain_table(case.files["t.csv"])
    right = answered(model, raw)
    if case.words[0] == "evaluate":
        yield from evaluated(case, done, model, raw, right)
    elif case.words[0] == "predict" and "--json" not in case.words:
        text = done.after["case/out"].decode() if "-o" in case.words else done.out
        lines = list(csv.reader(io.StringIO(text, newline="")))
        if any(re.match(r"[=+@\-]|.*[\r\n\t\x00]", name, re.S) or name != name.strip() for name in model["classes"]):
            raise Undecided
        at = lines[0].index("prediction")
        recounted["predict"] += 1
        if [line[at] for line in lines[1:]] != right:
            yield "predicts other classes than the diagram has"
    elif case.words[0] == "export" and "--probabilities" not in case.words and "binary" not in case.words:
        yield from exported(case, done, model, raw, right)


def evaluated(case, done, model, raw, right):
    if model["target"] not in raw.names:
        raise Undecided
    truth = raw.column(model["target"])
    if set(truth) - set(model["classes"]):
        raise Undecided
    recounted["evaluate"] += 1
    weights = [Fraction(text) for text in raw.column("w")] if "--weight" in case.words else [1] * len(truth)
    wrong = sum(w for w, a, b in zip(weights, right, truth) if a != b)
    if "--json" in case.words:
        told = json.loads(done.out)["errors"]
        if abs(Fraction(told) - wrong) > Fraction(1, 10 ** 9):
            yield f"evaluate says {told} errors, but the rows have {float(wrong)}"
    else:
        told = re.search(r"([\d.]+) errors?", done.out)
        if told and Fraction(told[1].rstrip(".")) != wrong:
            yield f"evaluate says {told[1]} errors, but the rows have {float(wrong)}"


def typed(raw, name, cell):
    return None if cell is None else float(cell) if raw.numeric[raw.names.index(name)] else cell


def exported(case, done, model, raw, right):
    shape = case.words[case.words.index("--to") + 1]
    if shape == "onnx":
        return
    text = (done.after["case/out"] if "-o" in case.words else done.out.encode("utf-8", "surrogateescape")).decode()
    for feature in model["features"]:  # a category of a column of numbers, and the other way round: what it holds is open
        column = model["columns"][feature["column"]]
        if column["name"] not in raw.names:
            raise Undecided
        if (column["type"] == "numeric") != bool(raw.numeric[raw.names.index(column["name"])]):
            raise Undecided
    if shape in ("sklearn", "json", "dd-json"):
        json.loads(text)
    elif shape in ("svg", "pmml"):
        xml.etree.ElementTree.fromstring(text)
    elif shape == "python":
        tree = ast.parse(text)
        calls = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        own = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
        if not calls <= own | {"isinstance", "getattr", "type", "float", "int", "str", "repr", "len", "TypeError", "ValueError"}:
            yield f"the export calls {sorted(calls)}"
            return
        names = {}
        exec(compile(tree, "export", "exec"), names)  # noqa: S102
        if "predict" not in names:
            raise Undecided
        recounted["export"] += 1
        got = [names["predict"]({name: typed(raw, name, cell) for name, cell in zip(raw.names, row)}) for row in raw.rows]
        if got != right:
            yield "the export answers otherwise than the diagram"
    elif shape == "sql":
        base = sqlite3.connect(":memory:")
        try:
            quoted = ['"' + name + '"' for name in raw.names]
            base.execute(f"CREATE TABLE t ({', '.join(q + (' REAL' if n else ' TEXT') for q, n in zip(quoted, raw.numeric))})")
            base.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(quoted))})", [[typed(raw, n, c) for n, c in zip(raw.names, row)] for row in raw.rows])
            recounted["export"] += 1
            got = [row[0] for row in base.execute(f"SELECT {text} FROM t")]
        except sqlite3.Error as error:
            yield f"SQLite does not take the export: {error}"
            return
        if got != right:
            yield "the export answers otherwise than the diagram"


# Certificates -------------------------------------------------------------------------------------------------


def matrix(data):
    """Names, (class, weight, values) of the rows, numbers of classes; of what `binarize` writes, with --values too."""
    names, kinds, rows, weighted, classes, scale = [], [], [], False, [], 1
    for line in data.decode("utf-8", "surrogateescape").replace("\r\n", "\n").split("\n"):
        if line.startswith("#"):
            if found := re.match(r"# feature \d+ (.*)", line):
                names.append(found[1])
            if found := re.match(r"# column \d+ (number|test) (.*)", line):
                names.append(found[2])
                kinds.append(found[1])
            if found := re.match(r"# class \d+ (.*)", line):
                classes.append(found[1])
            if found := re.match(r"# weight-scale (\d+)", line):
                scale = int(found[1])
            weighted |= line.strip() == "# weights"
        elif line.strip():
            cells = line.split()
            rows.append((int(cells[0]), int(cells[1]) if weighted else 1, cells[1 + weighted:]))
    return names, kinds, rows, classes, scale


def least_errors(rows, columns, depth, needed=(), one_of=()):
    """The least weight of wrong rows over all sets of at most so many columns."""
    classes = max(row[0] for row in rows) + 1
    best = None
    for size in range(depth + 1):
        for chosen in itertools.combinations(columns, size):
            if not set(needed) <= set(chosen) or not all(set(group) & set(chosen) for group in one_of):
                continue
            cells = {}
            for label, weight, bits in rows:
                cell = cells.setdefault(tuple(bits[c] for c in chosen), [0] * classes)
                cell[label] += weight
            wrong = sum(sum(cell) - max(cell) for cell in cells.values())
            best = wrong if best is None or wrong < best else best
    return best


def field(certificate, name):
    found = re.search(rf"^{name} (.*)$", certificate, re.M)
    return found and found[1]


def verified(case, done, material):
    """beadcheck's word holds: errors of the diagram on the rows, and no smaller set does better."""
    if case.kind != "certificate" or done.code != 0:
        return
    if case.program == "beadwork":
        yield from verified_page(case, done, material)
        return
    if done.out.splitlines()[0] != "VERIFIED":
        yield f"beadcheck verifies with the line {done.out.splitlines()[0]!r}"
        return
    try:
        certificate, model = case.files["c"].decode(), json.loads(case.files["m.json"].decode("utf-8", "surrogateescape"), strict=False)
        names, kinds, rows, classes, _ = matrix(case.files["d.txt"])
    except (ValueError, IndexError) as error:
        yield f"beadcheck verifies what is no matrix, model or certificate: {error}"
        return
    recounted["verified"] += 1
    claim, depth = int(field(certificate, "claim")), int(field(certificate, "depth"))
    if wrong_rows(model, rows, kinds, names) != claim:
        yield f"beadcheck verifies {claim} errors, the rows have {wrong_rows(model, rows, kinds, names)}"
    if "class names agree" in done.out and classes != model["classes"]:
        yield "beadcheck verifies other classes than the data's"
    if "feature names agree" in done.out and not kinds and any(names[feature["index"]] != feature["name"] for feature in model["features"]):
        yield "beadcheck verifies other features than the data's"
    if kinds or depth > 2:
        return
    forbidden, required = (list(map(int, (field(certificate, name) or "0").split()[1:])) for name in ("forbidden", "required"))
    best = least_errors(rows, [c for c in range(len(rows[0][2])) if c not in forbidden], depth, required)
    if best != claim:
        yield f"beadcheck verifies {claim} errors, but {best} can be had"


def wrong_rows(model, rows, kinds, names):
    """The weight of the rows that the diagram gets wrong, by its features' columns."""
    def passes(feature, values):
        if not kinds:
            return values[feature["index"]] == "1"
        name = model["columns"][feature["column"]]["name"]
        if feature["test"] == "at_most":
            value = values[names.index(name)]
            return value != "?" and float(value) <= feature["threshold"]
        if feature["test"] == "missing" and name in names and kinds[names.index(name)] == "number":
            return values[names.index(name)] == "?"
        return values[names.index(feature["name"])] == "1"
    wrong, nodes = 0, model["diagram"]["nodes"]
    for label, weight, values in rows:
        at = 0
        while "feature" in nodes[at]:
            at = nodes[at]["high" if passes(model["features"][nodes[at]["feature"]], values) else "low"]
        wrong += weight * (nodes[at]["class"] != label)
    return wrong


def verified_page(case, done, material):
    """A page says verified of what the certificate is about: these rows, these features, this depth, these errors."""
    said = page_says(case, done)
    if said is None:
        yield "a page without a claim"
        return
    if said[1].startswith("optimal") or "proven by this run" in said[0]:
        yield f"says what nobody has proven: {said}"
    if not said[1].startswith("verified"):
        return
    model, names, kinds, rows = json.loads(case.files["m.json"]), *matrix(case.files["d.txt"])[:3]
    recounted["verified"] += 1
    words = re.match(r"verified optimal: no diagram on at most (\d+) of .*?(\d+) feature", said[0])
    original = json.loads(material.files[f"{case.world}.json"])["claim"]
    if words is None:
        yield f"verified without a scope: {said[0]}"
    elif int(words[1]) > original["depth"] or int(words[2]) != (original["num_features"] if "not forbidden" not in said[0] else original["num_allowed"]):
        yield f"verified beyond what was searched: {said[0]}"
    elif model["claim"]["lower_bound"] != original["lower_bound"] or (not kinds and wrong_rows(model, rows, kinds, names) != original["lower_bound"]):
        yield f"verified, but the rows have other errors: {said[0]}"


# Fits ---------------------------------------------------------------------------------------------------------


def feature_column(name, columns):
    return next((c for c in columns if name == c or name.startswith(c + " ")), None)


def optimal(case, done, material):
    """What fit calls optimal is, over the features that `binarize` makes of the table, and the model has the errors that it says."""
    if case.kind in ("state", "plan", "aside") and done.code in (0, 4) and "--json" in case.words:
        found = json.loads(done.out)
        model = json.loads(done.after["case/out.json"])
        table = {"search": "wide.csv", "ordered": "numbers.csv"}.get(case.world, "plain.csv")
        raw = plain_table(material.files[table])
        answer = answered(model, raw)
        wrong = sum(a != b for a, b in zip(answer, raw.column("y")))
        recounted[case.kind] += 1
        if wrong != found["training_errors"] or case.kind != "aside" and wrong != found["upper_bound"]:
            yield f"fit says {found['training_errors']} errors, but the rows have {wrong}"
        if case.kind in ("state", "plan") and found["status"] == "optimal":
            truth = json.loads(material.files[f"{case.world}.json"])["claim"]["upper_bound"]
            own_word = found["claim"]["resumed"] or case.kind == "plan"  # a file with a true checksum is taken at its word
            if wrong != truth and not own_word:
                yield f"fit says optimal with {wrong} errors, but {truth} can be had"
        return
    if case.kind != "fit" or done.code not in (0, 4, 5) or not case.truth:
        return
    found = json.loads(done.out)
    _, depth, table = case.truth
    if found["status"] not in ("optimal", "infeasible") or {"--front", "--committee", "--size"} & set(case.options):
        return
    thresholds = ["--thresholds", found["thresholds"]] if found.get("thresholds") and "--thresholds" not in table else []
    keep = [word for word in table if word != "--in-passes"]
    folder = pathlib.Path(case.canary).parent / "case"
    made = subprocess.run([material.beadwork, "binarize", "t.csv", "-q", *keep, *thresholds], cwd=folder, capture_output=True)
    if made.returncode:
        yield f"fit takes a table that binarize refuses: {made.stderr.decode(errors='replace')[:200]}"
        return
    names, _, rows, classes, scale = matrix(made.stdout)
    if len(names) > (40 if depth < "3" else 16) or len(rows) > 60 or len(classes) < 1:
        raise Undecided
    original = material.files[material.worlds[case.world][0]].split(b"\n")[0]
    if case.options and case.files["t.csv"].split(b"\n")[0] != original:
        raise Undecided
    yield from best_of(case, found, names, rows, int(depth), scale)


def best_of(case, found, names, rows, depth, scale):
    columns = ["w", "size", "color", "flag", "u", "v", "a", "b"]
    option = lambda flag: [case.options[i + 1] for i, word in enumerate(case.options) if word == flag]
    allowed = [i for i, name in enumerate(names) if feature_column(name, columns) not in option("--forbid")]
    one_of = [[i for i in allowed if (names[i] == name if name in names else feature_column(names[i], columns) == name)] for name in option("--require")]
    if option("--max-nodes"):
        if depth > 2 or len(set(row[0] for row in rows)) > 3:
            raise Undecided
        labels = range(max(row[0] for row in rows) + 1)
        table = brute_force.Table(tuple(names), tuple(tuple(map(int, row[2])) for row in rows), tuple(row[0] for row in rows), tuple(map(str, labels)),
                                  tuple(Fraction(row[1]) for row in rows), ())
        scope = brute_force.Scope(depth, frozenset(allowed), max_nodes=int(option("--max-nodes")[0]), one_of=frozenset(map(frozenset, one_of)))
        best = brute_force.optimum.__wrapped__(table, scope)
    else:
        best = least_errors(rows, allowed, depth, one_of=one_of)
    recounted["optimal"] += 1
    if found["status"] == "infeasible":
        if best is not None:
            yield f"fit says infeasible, but {best} errors can be had"
        return
    if best is None or Fraction(found["claim"]["upper_bound"], found["claim"]["scale"]) != Fraction(best, scale):
        yield f"fit says optimal with {found['claim']['upper_bound']} errors, but {best} can be had"
    if found["claim"]["num_features"] != len(names):
        yield f"fit counts {found['claim']['num_features']} features, binarize {len(names)}"
