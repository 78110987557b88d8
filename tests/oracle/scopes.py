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


def asked(table, options):
    """What the user asked for, as the options are documented."""
    trees = options["engine"] in ("maxsat-dt", "cart")
    exactly = options.get("faithful", False)
    allowed = limited(table, options)
    if exactly and not options.get("keep_all_zero"):
        allowed -= table.zero_features
    penalty = options.get("node_penalty")
    return Scope(options["depth"], allowed | required(table, options), required(table, options), trees, exactly,
                 options.get("max_nodes"), penalty and Fraction(penalty), "costs" in options)


# Of what: "these 5" are all features of the table, "the candidate" those that --candidate or --features-from names.
AMONG = r"(?P<among>these (?P<total>\d+)|the candidate)"
WORDS = [
    rf"no decision tree of depth (?P<tree>\d+) on (?:these (?P<total>\d+) features|(?P<among>the candidates)) makes fewer errors",
    rf"no diagram of exactly (?P<exactly>\d+) of {AMONG} features whose root is a bead makes fewer errors",
    rf"no diagram of at most (?P<nodes>\d+) nodes on at most (?P<most>\d+) of {AMONG} features (?P<fewer>makes fewer errors|costs less)",
    rf"no diagram on at most (?P<most>\d+) of {AMONG} features has less (?P<unit>errors|cost) \+ (?P<penalty>\S+) x nodes",
    rf"no diagram on at most (?P<most>\d+) of {AMONG} features"
    r"(?P<limited>, with those required and without those forbidden,)? (?P<fewer>makes fewer errors|costs less)",
]


def said(table, options, sentence):
    """The scope of a sentence, which is all that its reader has; a sentence that is not understood is an error."""
    for words in WORDS:
        match = re.fullmatch("optimal: " + words, sentence)
        if match:
            break
    else:
        raise ValueError(f"not understood: {sentence}")
    part = match.groupdict()
    assert part.get("total") in (None, str(len(table.features))), f"counts other features: {sentence}"
    allowed, needed = frozenset(range(len(table.features))), frozenset()
    if (part.get("among") or "").startswith("the candidate"):
        allowed = limited(table, {"candidate": options["candidate"]})
    if part.get("limited"):
        needed = required(table, options)
        allowed = (allowed & limited(table, options)) | needed
    depth = int(part.get("tree") or part.get("exactly") or part.get("most"))
    penalty = part.get("penalty")
    return Scope(depth, allowed, needed, bool(part.get("tree")), bool(part.get("exactly")),
                 part.get("nodes") and int(part["nodes"]), penalty and Fraction(penalty),
                 part.get("fewer") == "costs less" or part.get("unit") == "cost")
