"""The true optimum of a small table over exactly the classifiers that a claim speaks of, by trying all of them.

Plain Python that shares nothing with the program. At most three features a diagram where nodes count or the root must be a
bead, because all functions of these features are tried then: K^8 of them for K classes.
"""
import functools
import itertools
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Table:
    features: tuple  # names
    rows: tuple  # of tuples of 0 and 1
    labels: tuple  # class numbers
    classes: tuple  # names
    weights: tuple  # Fractions
    costs: tuple  # costs[true][predicted], Fractions
    raw: object = None  # numeric.Raw: the columns that the features are tests of

    @functools.cached_property
    def zero_features(self):
        return frozenset(f for f in range(len(self.features)) if not any(row[f] for row in self.rows))


@dataclass(frozen=True)
class Scope:
    """Which classifiers a claim is about, and what it counts."""
    depth: int
    allowed: frozenset  # feature numbers
    required: frozenset = frozenset()
    trees: bool = False  # decision trees of that depth instead of diagrams on that many features
    exactly: bool = False  # exactly that many features, and the root is a bead
    max_nodes: int = None
    penalty: Fraction = None  # a node costs so much
    costs: bool = False  # costs instead of errors
    one_of: frozenset = frozenset()  # of frozensets: of each at least one
    distinct: bool = False  # of equal and opposite features any one, and no constant ones


def price(table, scope, label, answer):
    return table.costs[label][answer] if scope.costs else Fraction(label != answer)


def cells_of(table, scope, features):
    """For each cell of these features, the first the most significant, what each class would cost there."""
    cells = [[Fraction(0)] * len(table.classes) for _ in range(2 ** len(features))]
    for row, label, weight in zip(table.rows, table.labels, table.weights):
        cell = cells[int("".join(str(row[f]) for f in features) or "0", 2)]
        for answer in range(len(cell)):
            cell[answer] += weight * price(table, scope, label, answer)
    return cells


def sets_of(table, scope):
    allowed = [family[0] for family in families(table, scope)] if scope.distinct else sorted(scope.allowed)
    for size in [scope.depth] if scope.exactly else range(scope.depth + 1):
        for chosen in itertools.combinations(allowed, size):
            if scope.required <= set(chosen) and all(group & set(chosen) for group in scope.one_of):
                yield chosen


@functools.lru_cache(maxsize=None)
def num_nodes(function, depth):
    """Nodes of the reduced ordered diagram, sinks counted, in the order of features that needs fewest."""
    least = None
    for order in itertools.permutations(range(depth)):
        nodes = set()

        def reduce(fixed):
            if len(fixed) == depth:
                cell = 0
                for feature, value in fixed.items():
                    cell |= value << (depth - 1 - feature)
                nodes.add(function[cell])
                return function[cell]
            feature = order[len(fixed)]
            low, high = (reduce({**fixed, feature: value}) for value in (0, 1))
            if low == high:
                return low
            node = (feature, low, high)
            nodes.add(node)
            return node

        reduce({})
        least = len(nodes) if least is None else min(least, len(nodes))
    return least


@functools.lru_cache(maxsize=None)
def functions(num_classes, depth):
    """All functions of so many features, with their nodes."""
    return [(f, num_nodes(f, depth)) for f in itertools.product(range(num_classes), repeat=2 ** depth)]


def cost_by_nodes(cells):
    """The least cost for each number of nodes that some function of these cells needs; constants under 1."""
    depth = len(cells).bit_length() - 1
    classes = range(len(cells[0]))
    half = len(cells) // 2
    if half == 0:
        return {1: min(cells[0])}
    sums = [{f: sum(cell[k] for cell, k in zip(part, f)) for f in itertools.product(classes, repeat=half)}
            for part in (cells[:half], cells[half:])]
    least = {}
    for f, nodes in functions(len(cells[0]), depth):
        cost = sums[0][f[:half]] + sums[1][f[half:]]
        if nodes not in least or cost < least[nodes]:
            least[nodes] = cost
    return least


def best_tree(table, scope):
    def best(rows, depth):
        sums = [sum(table.weights[r] * price(table, scope, table.labels[r], k) for r in rows)
                for k in range(len(table.classes))]
        least = min(sums)
        if depth == 0 or least == 0:
            return least
        for f in scope.allowed:
            sides = [[r for r in rows if table.rows[r][f] == value] for value in (0, 1)]
            if all(sides):
                least = min(least, sum(best(side, depth - 1) for side in sides))
        return least
    return best(range(len(table.rows)), scope.depth)


def value_of_set(table, scope, chosen):
    """The least value of a diagram of the scope on these features; None where there is none."""
    cells = cells_of(table, scope, chosen)
    if scope.exactly and scope.depth > 0:  # a function that is not constant has a root that is a bead, in some order
        values = [cost for nodes, cost in cost_by_nodes(cells).items() if nodes > 1]
    elif scope.max_nodes is not None:
        values = [cost for nodes, cost in cost_by_nodes(cells).items() if nodes <= scope.max_nodes]
    elif scope.penalty is not None:
        values = [cost + scope.penalty * nodes for nodes, cost in cost_by_nodes(cells).items()]
    else:
        values = [sum(min(cell) for cell in cells)]
    return min(values, default=None)


@functools.lru_cache(maxsize=256)
def optimum(table, scope):
    """The least value that a classifier of the scope has; None where the scope is empty."""
    if scope.trees:
        return best_tree(table, scope)
    values = [value_of_set(table, scope, chosen) for chosen in sets_of(table, scope)]
    return min((value for value in values if value is not None), default=None)


def fewest_nodes(table, scope, chosen):
    """Nodes of the smallest diagram on these features whose cost is the least that they allow."""
    cells = cells_of(table, scope, chosen)
    least = sum(min(cell) for cell in cells)
    return min(nodes for nodes, cost in cost_by_nodes(cells).items() if cost == least)


def front(table, scope):
    """All (features, nodes, cost) of diagrams that no other diagram beats: at most as many features and nodes, less cost."""
    points = {}
    for chosen in sets_of(table, scope):
        for nodes, cost in cost_by_nodes(cells_of(table, scope, chosen)).items():
            key = (len(chosen), nodes)
            points[key] = min(cost, points.get(key, cost))
    def beaten(key):
        return any(other != key and other[0] <= key[0] and other[1] <= key[1] and cost <= points[key]
                   for other, cost in points.items())
    return {(f, n, cost) for (f, n), cost in points.items() if not beaten((f, n))}


def families(table, scope):
    """Features that may be selected, equal and opposite ones together, without constant ones."""
    by_values = {}
    for f in sorted(scope.allowed):
        values = tuple(row[f] for row in table.rows)
        if len(set(values)) > 1:
            by_values.setdefault(min(values, tuple(1 - v for v in values)), []).append(f)
    return list(by_values.values())


def near_sets(table, scope):
    """The cost of every set of families of the size that all sets have, with the number of its copies, by cost."""
    groups = families(table, scope)
    out = []
    for chosen in itertools.combinations(groups, min(scope.depth, len(groups))):
        cells = cells_of(table, scope, [group[0] for group in chosen])
        copies = 1
        for group in chosen:
            copies *= len(group)
        out.append((sum(min(cell) for cell in cells), copies))
    return sorted(out)
