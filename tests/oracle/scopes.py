"""Which classifiers a claim is about: once from the options of the run, once from the words that the program printed."""
import re
from fractions import Fraction

from brute_force import Scope


def limited(table, options):
    """Features that may be selected, by the options."""
    numbers = {name: i for i, name in enumerate(table.features)}
    allowed = frozenset(numbers[name] for name in options.get("candidate", table.features))
    return allowed - frozenset(numbers[name] for name in options.get("forbid", []))


def required(table, options):
    return frozenset(table.features.index(name) for name in options.get("require", []))


def distinct(table, allowed):
    """One feature of each family of equal or opposite ones, and none that is constant: where nodes count, a diagram that
    tests a feature and later its copy is not among those that are looked at."""
    kept, seen = set(), set()
    for f in sorted(allowed):
        column = tuple(row[f] for row in table.rows)
        key = min(column, tuple(1 - v for v in column))
        if len(set(column)) > 1 and key not in seen:
            seen.add(key)
            kept.add(f)
    return frozenset(kept)


def asked(table, options):
    """What the user asked for, as the options are documented."""
    trees = options["engine"] in ("maxsat-dt", "cart")
    # The paper's encoding is of the paper's reading, asked for or not.
    exactly = options.get("faithful", False) or (options["engine"] == "maxsat" and options.get("encoding") == "bdd2")
    allowed = limited(table, options)
    if exactly and not options.get("keep_all_zero"):
        allowed -= table.zero_features
    penalty = options.get("node_penalty")
    if penalty is not None or options.get("max_nodes"):
        allowed = distinct(table, allowed)
    return Scope(options["depth"], allowed | required(table, options), required(table, options), trees, exactly,
                 options.get("max_nodes"), penalty and Fraction(penalty), "costs" in options)


# "these 5 features", "the 3 candidate features", "the 4 features that are not forbidden"; then what they must hold.
AMONG = (r"(?:(?:these|this) (?P<all>\d+) features?|the (?P<candidates>\d+) candidate features?"
         r"|the (?P<left>\d+) features? that (?:are|is) not forbidden)(?P<required> with .*?)?")
FEWER = r"(?P<fewer>makes fewer errors|costs less|has less (?P<unit>errors|cost) \+ (?P<penalty>\S+) x nodes)"
WORDS = [
    rf"no decision tree of depth (?P<tree>\d+) on {AMONG} {FEWER}",
    rf"no diagram of exactly (?P<exactly>\d+) of {AMONG} whose root is a bead"
    rf"(?: \((?P<zero>\d+) all-zero columns? not counted\))? {FEWER}",
    rf"no (?P<ordered>ordered )?diagram (?:of at most (?P<nodes>\d+) nodes? )?on at most (?P<most>\d+) of {AMONG}"
    rf"(?P<once>, equal and opposite ones counted once,)? {FEWER}",
]
TAIL = r"(?:; others tie with it)?"


def said(table, options, sentence):
    """The scope of a sentence, which is all that its reader has; a sentence that is not understood is an error."""
    for words in WORDS:
        match = re.fullmatch("optimal: " + words + TAIL, sentence)
        if match:
            break
    else:
        raise ValueError(f"not understood: {sentence}")
    part = match.groupdict()
    allowed, needed = frozenset(range(len(table.features))), frozenset()
    if part["candidates"]:
        allowed = limited(table, options)  # candidates, without those that are forbidden
    if part["left"]:
        allowed = limited(table, {"forbid": options["forbid"]})
    if part.get("exactly") and not options.get("keep_all_zero"):
        assert int(part["zero"] or 0) == len(allowed & table.zero_features), f"counts other zero columns: {sentence}"
        allowed -= table.zero_features
    count = int(part["all"] or part["candidates"] or part["left"])
    assert count == len(allowed), f"counts other features: {sentence}"
    if part["required"]:
        names = part["required"].removeprefix(" with ").split(", ")
        needed = frozenset(table.features.index(name) for name in names)
    sized = part.get("nodes") or part["penalty"]
    if sized:
        assert part["ordered"], f"nodes of which diagrams? {sentence}"
        once = distinct(table, allowed)
        assert bool(part["once"]) == (0 < len(once) < len(allowed)), f"copies: {sentence}"
        allowed = once
    depth = int(part.get("tree") or part.get("exactly") or part.get("most"))
    penalty = part["penalty"]
    return Scope(depth, allowed | needed, needed, bool(part.get("tree")), bool(part.get("exactly")),
                 part.get("nodes") and int(part["nodes"]), penalty and Fraction(penalty),
                 part["fewer"] == "costs less" or part["unit"] == "cost")
