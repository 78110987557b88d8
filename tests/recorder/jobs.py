"""What the recorder runs: scripts of command lines, each with the files that it wants. A job is a value: the same seed makes the same jobs."""
import dataclasses
import gzip
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "oracle"))
sys.path.insert(0, str(HERE.parent.parent / "tools"))

import numeric  # noqa: E402
import sweep  # noqa: E402

EXPORTS = ["text", "dot", "svg", "c", "c++", "python", "javascript", "sql"]


@dataclasses.dataclass(frozen=True)
class Job:
    name: str
    files: tuple = ()  # (name, text or bytes)
    commands: tuple = ()  # of words, after the program's name
    script: str = ""  # or a script for bash


def golden():
    for path in sorted((HERE.parent / "golden").glob("*.case")):
        yield Job(f"golden {path.stem}", script=path.read_text(encoding="utf-8").partition("----\n")[0])


def told(fit, *more):
    """A fit, and what is told of its model afterwards."""
    return (("fit", *fit, "-o", "m.json", "--json"), ("show", "m.json"), ("evaluate", "m.json", fit[0], "--json"), *more)


def grid(tables, depths=range(2, 7)):
    """The paper's tables at its five depths, proven and certified."""
    for path in sorted(pathlib.Path(tables).glob("*.txt")):
        for depth in depths:
            fit = ("t.txt", "--depth", str(depth), "--time-limit", "none", "--certificate", "c.txt")
            yield Job(f"grid {path.stem} {depth}", (("t.txt", path.read_bytes()),), told(fit, ("predict", "m.json", "t.txt")))


def ordered(tables, rows=1000):
    """Numeric tables over every cut point; the first rows of long ones."""
    for path in sorted(pathlib.Path(tables).glob("*.csv.gz")):
        text = "".join(gzip.decompress(path.read_bytes()).decode("utf-8").splitlines(keepends=True)[: rows + 1])
        for depth in (1, 2):
            fit = ("t.csv", "--thresholds", "all", "--depth", str(depth), "--time-limit", "none")
            yield Job(f"ordered {path.name.split('.')[0]} {depth}", (("t.csv", text),),
                      told((*fit, "--certificate", "c.txt"), ("fit", *fit, "--max-nodes", str(depth), "-o", "n.json", "--json")))


def mixed_table(rng):
    """A raw table of several kinds of columns, of a size at which folds and thresholds mean something."""
    rows, columns = rng.choice([20, 40, 120]), rng.choice([1, 2, 4, 6])
    kinds = [rng.choice(["number", "number", "word", "flag"]) for _ in range(columns)]
    draw = {"number": lambda: f"{rng.gauss(0, 3):.{rng.choice([0, 1])}f}", "word": lambda: rng.choice(["u", "v", "w", "x"]),
            "flag": lambda: rng.choice("01")}
    gap = rng.choice([0, 0, 0.1])
    weighted = rng.random() < 0.3
    lines = [",".join([f"c{i}" for i in range(columns)] + ["w"] * weighted + ["label"])]
    classes = rng.choice(["ab", "ab", "abc"])
    for i in range(rows):
        cells = [draw[kind]() for kind in kinds]
        first = cells[0]
        lean = sum(map(ord, first)) % len(classes)
        label = classes[lean] if rng.random() < 0.6 else rng.choice(classes)
        label = classes[i % len(classes)] if i < 2 * len(classes) else label
        cells = ["" if rng.random() < gap else c for c in cells]
        lines.append(",".join(cells + [rng.choice(["0", "1", "2", "0.5"])] * weighted + [label]))
    return "\n".join(lines) + "\n", weighted


SIZES = [*(["--depth", str(d)] for d in range(4)), ["--depth", "1..3"], ["--depth", "cv:1..3"], ["--size", "auto"], ["--size", "auto-1se", "--depth", "3"],
         ["--committee", "--depth", "2"], ["--depth", "3", "--max-nodes", "1"], ["--depth", "3", "--max-nodes", "3"], ["--max-nodes", "3"],
         ["--depth", "2", "--front"], ["--depth", "2", "--top", "3"], ["--depth", "2", "--node-penalty", "0.5"], ["--depth", "2", "--report", "page.html"]]


def whole_fit(rng, number):
    """What people ask of raw tables: rules for thresholds, sizes, depths by folds, committees, shards, pages."""
    text, weighted = mixed_table(rng)
    weight = ["--weight", "w"] if weighted else []
    thresholds = rng.choice([[], [], ["--thresholds", "all"], ["--thresholds", "quantiles:4"], ["--thresholds", "mdlp"]])
    rest = [*weight, *thresholds, "--seed", str(rng.randint(0, 3)), "--threads", str(rng.choice([1, 2])), "--time-limit", "none"]
    exports = tuple(("export", "m.json", "--to", f) for f in rng.sample(EXPORTS, 2))
    if rng.random() < 0.15:  # the same table in two files
        header, *lines = text.splitlines(keepends=True)
        half = len(lines) // 2
        files = (("t.csv", header + "".join(lines[:half])), ("u.csv", header + "".join(lines[half:])))
        words = ("fit", "--shards", "t.csv", "u.csv", "--depth", str(rng.randint(1, 3)), *rest, "-o", "m.json", "--json")
        return Job(f"shards {number}", files, (words, ("show", "m.json"), ("predict", "m.json", "t.csv"), *exports))
    size = rng.choice(SIZES)
    if size == ["--size", "auto"] and text.count("\n") > 41:  # up to 16 features, without a limit: hours
        size = [*size, "--depth", "3"]
    words = ("t.csv", *size, *rest)
    return Job(f"raw {number}", (("t.csv", text),), told(words, ("predict", "m.json", "t.csv"), *exports))


def bits_fit(rng, number):
    """The oracle's tables and options; without a clock, which answers otherwise each time."""
    table = sweep.random_table(rng)
    if rng.random() < 0.3:
        table = numeric.random_table(rng, table)
    options = {k: v for k, v in sweep.random_options(rng, table).items() if k != "time_limit"}
    case = sweep.Case(".", table, options)
    words = tuple(w for w in case.command[1:] if w != "-q")
    return Job(f"random {number}", tuple(case.files.items()), told((*words, "--time-limit", "none")))


def random_jobs(count, seed):
    for number in range(seed, seed + count):
        rng = random.Random(number)
        yield (whole_fit if number % 3 == 0 else bits_fit)(rng, number)
