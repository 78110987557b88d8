"""Which classifiers a claim is about: once from the options of the run, once from the words that the program printed."""
import re
from fractions import Fraction

import numeric
from brute_force import Scope, families


def limited(table, options):
    """Features that may be selected, by the options."""
    def numbers(names):
        if table.raw is None:
            return frozenset(table.features.index(name) for name in names)
        return frozenset(i for name in names for i in numeric.numbers_of(table, name))
    allowed = numbers(options["candidate"]) if "candidate" in options else frozenset(range(len(table.features)))
    return allowed - numbers(options.get("forbid", []))


def required(table, options):
    """Features that every set has, by name; and the columns of which it has any feature, each with those that may be."""
    features, columns = [], {}
    for name in options.get("require", []):
        if name in table.features and (table.raw is None or name not in table.raw.names):
            features.append(name)
            continue
        group = frozenset(numeric.of_column(table, name)) & limited(table, options)
        if len(group) == 1:
            features.append(table.features[min(group)])
        else:
            columns[name] = group
    numbers = frozenset(table.features.index(name) for name in features)
    return features, {name: group for name, group in columns.items() if not group & numbers}


def of_names(table, features, columns):
    return dict(required=frozenset(table.features.index(name) for name in features), one_of=frozenset(columns))


def asked(table, options):
    """What the user asked for, as the options are documented."""
    trees = options["engine"] in ("maxsat-dt", "cart")
    exactly = options.get("faithful", False) or options["engine"] == "maxsat" and options.get("encoding") == "bdd2"
    allowed = limited(table, options)
    if exactly and not options.get("keep_all_zero"):
        allowed -= table.zero_features
    penalty = Fraction(options.get("node_penalty", 0)) or None
    sized = bool(options.get("max_nodes") or penalty or options.get("front"))
    features, columns = required(table, options)
    return Scope(options["depth"], allowed, trees=trees, exactly=exactly, max_nodes=options.get("max_nodes"), penalty=penalty,
                 costs="costs" in options, distinct=sized, **of_names(table, features, columns.values()))


AMONG = (r"(?P<among>these|this|the) (?P<number>\d+) (?P<candidate>candidate )?(?P<plural>features?)"
         r"(?P<left> that (?:is|are) not forbidden)?")
FEWER = r"(?P<fewer>makes fewer errors|costs less|has a smaller sum of (?P<unit>errors|cost) \+ (?P<penalty>\S+) x nodes)"
ZERO = r"(?: \((?P<zero>\d+) all-zero columns? not counted\))?"
NAMES = r"[\w .=<-]+?(?:, [\w .=<-]+?)*"
REQUIRED = rf"(?: with (?!a test of )(?P<required>{NAMES}))?(?:(?: and)? with a test of (?P<each>each of )?(?P<columns>{NAMES}))?"
SCOPES = [
    rf"decision tree of depth (?P<tree>\d+) on {AMONG}",
    rf"diagram of exactly (?P<exactly>\d+) of {AMONG} whose root is a bead{ZERO}",
    rf"diagram on at most (?P<most>\d+) of {AMONG}{REQUIRED}",
    rf"(?P<ordered>ordered) diagram (?:of at most (?P<nodes>\d+) nodes? )?on at most (?P<most>\d+) of {AMONG}{REQUIRED}"
    r"(?P<once>, equal and opposite ones counted once,)?",
]
SENTENCES = [rf"optimal: no {scope} {FEWER}(?P<thresholds>, over all thresholds)?(?P<rounded> \(up to \S+ more or less, because weights were rounded\))?(?P<tie>; others may tie with it)?" for scope in SCOPES]
SENTENCES += [rf"infeasible: there is no {scope}" for scope in SCOPES]


def parts_of(sentence):
    """The parts of a sentence that were said; a sentence that is not understood is an error."""
    for words in SENTENCES:
        if match := re.fullmatch(words, sentence):
            return {name: text for name, text in match.groupdict().items() if text is not None}
    raise ValueError(f"not understood: {sentence}")


def among(table, options, part):
    """The features that a sentence speaks of. What it leaves open is whose candidates, and which are forbidden."""
    allowed = frozenset(range(len(table.features)))
    if "candidate" in part or "left" in part:
        allowed = limited(table, options)
    elif part["among"] == "the":
        raise ValueError("of which features?")
    if "zero" in part:
        zero = allowed & table.zero_features
        assert len(zero) == int(part["zero"]), f"{len(zero)} all-zero columns, not {part['zero']}"
        allowed -= zero
    assert len(allowed) == int(part["number"]), f"counts {part['number']} features, not {len(allowed)}"
    assert (part["plural"] == "feature") == (len(allowed) == 1), "one feature, several features"
    return allowed


def said(table, options, sentence):
    """The scope of a sentence, which is all that its reader has."""
    part = parts_of(sentence)
    if part and not sentence.startswith("infeasible"):
        assert ("thresholds" in part) == numeric.has_threshold(table), "all thresholds, or none"
    depth = int(part.get("tree") or part.get("exactly") or part.get("most"))
    columns = [name for name in part.get("columns", "").split(", ") if name]
    assert ("each" in part) == (len(columns) > 1), "one column, several columns"
    features = among(table, options, part)
    needed = of_names(table, [name for name in part.get("required", "").split(", ") if name],
                      [frozenset(numeric.of_column(table, name)) & features for name in columns])
    penalty, nodes = part.get("penalty"), part.get("nodes")
    return Scope(depth, features, trees="tree" in part, exactly="exactly" in part, max_nodes=nodes and int(nodes),
                 penalty=penalty and Fraction(penalty), costs=part.get("fewer") == "costs less" or part.get("unit") == "cost",
                 distinct="once" in part, **needed)


def expected_claim(table, options):
    """Keys of the claim in --json that follow from the options and the table alone."""
    scope = asked(table, options)
    zero = limited(table, options) & table.zero_features
    expected = {"family": "trees" if scope.trees else "diagrams", "depth": scope.depth, "exactly": scope.exactly,
                "max_nodes": scope.max_nodes, "num_features": len(table.features), "num_allowed": len(scope.allowed),
                "num_zero": len(zero) if scope.exactly and not options.get("keep_all_zero") else 0,
                "choice": "candidates" if "candidate" in options else "all", "required": required(table, options)[0],
                "costs": scope.costs, "node_penalty": float(scope.penalty or 0), "thresholds": "all" if numeric.has_threshold(table) else "",
                "resumed": False, "parts": 1, "shards": 1, "solver": ""}
    if columns := required(table, options)[1]:
        expected["required_columns"] = list(columns)
    if scope.max_nodes or scope.penalty:
        expected["num_distinct"] = len(families(table, scope))
    return expected
