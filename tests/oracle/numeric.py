"""Small raw tables with numbers, categories and missing values, and all their features: every midpoint between neighbouring
values, one test for each category, `is missing`; words with an order are their places in it. Made from the documentation alone (docs/formats.md, docs/claims.md)."""
import dataclasses
from fractions import Fraction

import brute_force


@dataclasses.dataclass(frozen=True)
class Raw:
    """The columns as the file has them, and which features each gave."""
    names: tuple
    cells: tuple  # of columns: texts, "" where missing
    features: tuple  # of columns: feature numbers
    orders: tuple  # (column, its words, lowest first), of those that have an order


WORDS = ("z", "low", "10", "middle", "9", "a")  # neither as text nor as numbers in this order


def is_number(text):
    try:
        return float(text) is not None
    except ValueError:
        return False


def text_of(value):
    return format(float(value), ".15g")


def tests_of(name, cells, kind):
    """(feature name, values) of a column, in the program's order."""
    out = []
    present = [c for c in cells if c != ""]
    if kind == "ordered":
        places = sorted({WORDS.index(c) for c in present})
        for low, high in zip(places, places[1:]):
            last = (low + high) // 2
            out.append((f"{name} <= {WORDS[last]}", [int(c in WORDS[: last + 1]) for c in cells]))
    elif kind == "numeric":
        values = sorted({Fraction(c) for c in present})
        for low, high in zip(values, values[1:]):
            cut = (low + high) / 2
            out.append((f"{name} <= {text_of(cut)}", [int(c != "" and Fraction(c) <= cut) for c in cells]))
    else:
        levels = sorted(set(present))
        for level in levels if len(levels) > 2 else levels[1:]:
            out.append((f"{name} = {level}", [int(c == level) for c in cells]))
    if len(present) < len(cells):
        out.append((f"{name} is missing", [int(c == "") for c in cells]))
    return out


def random_cells(rng, num_rows, kind):
    numeric = kind == "numeric"
    missing = rng.choice([0, 0, 0, 0.3, 0.3, 1 if numeric and rng.random() < 0.1 else 0])
    step = rng.choice([Fraction(1), Fraction(1, 2), Fraction(1, 8), Fraction(5)])
    span = rng.choice([2, 4, 9, 30])
    values = [text_of(step * (rng.randint(0, span) - 3)) if numeric
              else rng.choice(WORDS) if kind == "ordered" else rng.choice("uvw"[:rng.choice([2, 3])])
              for _ in range(num_rows)]
    cells = ["" if rng.random() < missing else v for v in values]
    if numeric and set(cells) <= {"", "0", "1"}:  # 0 and 1 alone would be read as categories
        cells = [c and text_of(Fraction(c) + 2) for c in cells]
    return tuple(cells)


def column_name(rng, i, kind, tests):
    """Sometimes that of a test of an earlier column."""
    free = [name for name in tests if kind != "ordered" or "=" not in name]  # --ordered NAME=WORDS
    return rng.choice(free) if i == 1 and len(free) > 1 and rng.random() < 0.3 else f"x{i}"


def random_table(rng, base):
    """Columns for the rows, classes, weights and costs of a table from sweep.random_table."""
    num_rows = len(base.rows)
    names, cells, numbers, tests, orders = [], [], [], [], []
    for i in range(rng.choice([1, 1, 2, 2, 3])):
        kind = "numeric" if i == 0 or rng.random() < 0.6 else rng.choice(["nominal", "ordered"])
        column = random_cells(rng, num_rows, kind)
        name = column_name(rng, i, kind, [test for test, _ in tests])
        new = tests_of(name, column, kind)
        if kind == "ordered":
            orders.append((name, WORDS))
        names.append(name)
        cells.append(column)
        numbers.append(tuple(range(len(tests), len(tests) + len(new))))
        tests += new
    rows = tuple(zip(*[values for _, values in tests])) if tests else ((),) * num_rows
    return dataclasses.replace(base, features=tuple(name for name, _ in tests), rows=rows,
                               raw=Raw(tuple(names), tuple(cells), tuple(numbers), tuple(orders)))


def csv_columns(table):
    return table.raw.names, list(zip(*table.raw.cells))


def numbers_of(table, name):
    """A feature's number, or those of all features of a column."""
    named = [i for i, feature in enumerate(table.features) if feature == name]
    return named or [i for column, features in zip(table.raw.names, table.raw.features) if column == name for i in features]


def of_column(table, name):
    """The numbers of all features of a column, whatever else is called like it."""
    return [i for column, features in zip(table.raw.names, table.raw.features) if column == name for i in features]


def ambiguous(table):
    """Names of columns that a test of another column has, too."""
    return set() if table.raw is None else set(table.features) & set(table.raw.names)


def has_threshold(table):
    return table.raw is not None and any(" <= " in feature for feature in table.features)
