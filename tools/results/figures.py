"""Figures of docs/results.md and of blocks in docs/, computed from studies/records and studies/published. Nothing else is read.

A study's runs are `runs(study, learner, depth=, set=)`; what an expression of a page means is the function of that name.
"""
import collections
import csv
import functools
import gzip
import json
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDS = ROOT / "studies" / "records"
sys.path.insert(0, str(ROOT / "bench"))

WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()
DEPTHS = range(2, 7)
TABLE4, TABLE3, TABLE2 = "table4_cart_heuristic_exact", "table3_bdd_vs_dt", "table2_sat_encodings"


def word(n):
    return WORDS[n] if n < len(WORDS) else f"{n:,}"


def record_file(study):
    return next(p for p in (RECORDS / f"{study}.jsonl", RECORDS / f"{study}.jsonl.gz") if p.exists())


@functools.cache
def record(study):
    path = record_file(study)
    with (gzip.open(path, "rt") if path.suffix == ".gz" else open(path, encoding="utf-8")) as lines:
        return [json.loads(line) for line in lines]


@functools.cache
def published(name):
    with open(ROOT / "studies" / "published" / f"{name}.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@functools.cache
def published_cell(name, dataset, depth):
    return next(r for r in published(name) if r["dataset"] == dataset and int(r["depth"]) == depth)


@functools.cache
def grouped(study):
    groups = collections.defaultdict(list)
    for run in record(study):
        groups[run["learner"], run.get("depth"), run["set"]].append(run)
    return groups


@functools.cache
def runs(study, learner, depth=None, dataset=None):
    return [run for (l, d, s), some in grouped(study).items()
            if l == learner and depth in (None, d) and dataset in (None, s) for run in some]


def count(*key):
    return f"{len(runs(*key)):,}"


def mean(study, learner, measure, depth=None, dataset=None):
    return statistics.fmean(r[measure] for r in runs(study, learner, depth, dataset) if measure in r)


def sets(study):
    return list(dict.fromkeys(r["set"] for r in record(study)))


def limit(study, learner):
    return one_of({r["options"]["time-limit"] for r in runs(study, learner)})


def one_of(values):
    (value,) = values
    return value


def proven(study, learner, depth=None):
    return sum(r["status"] == "optimal" for r in runs(study, learner, depth))


def all_proven(study, *learners):
    """The number of runs, each of them proven."""
    for learner in learners:
        assert proven(study, learner) == len(runs(study, learner)), (study, learner)
    return f"{one_of({len(runs(study, learner)) for learner in learners}):,}"


def same_rows(run):
    return run["set"], run.get("depth"), run["part"], run["seed"]


def with_optimum(study, learner, depth):
    """Runs that made as few errors as exact search on the same rows."""
    best = {same_rows(r): r["errors"] for r in runs(study, "search", depth)}
    return sum(r.get("errors") == best[same_rows(r)] for r in runs(study, learner, depth))


def sets_without_optimum(study, learner, depth):
    best = {same_rows(r): r["errors"] for r in runs(study, "search", depth)}
    missed = collections.Counter(r["set"] for r in runs(study, learner, depth) if r.get("errors") != best[same_rows(r)])
    return ", ".join(f"{name} ({n})" for name, n in missed.most_common())


def published_proven(depth=None):
    """Of the published runs of the exact model: percent, and how many of 25 a cell."""
    cells = [float(r["bdd_opt"]) for r in published(TABLE4) if depth in (None, int(r["depth"]))]
    return statistics.fmean(cells), round(sum(cells) * 25 / 100)


def published_sets_proven(depth):
    names = [r["dataset"] for r in published(TABLE4) if int(r["depth"]) == depth and float(r["bdd_opt"]) > 0]
    return ", ".join(sorted(names))


# Beside the published values

def gaps(learner, measure, column, study="exact", name=TABLE4, depths=DEPTHS):
    """Ours minus the published one, by set and depth."""
    unit = 1e4 if measure.startswith("literals") else 1
    return {(r["dataset"], int(r["depth"])): mean(study, learner, measure, int(r["depth"]), r["dataset"]) / unit - float(r[column])
            for r in published(name) if int(r["depth"]) in depths}


def below(learner, measure, column):
    return sorted(-g for g in gaps(learner, measure, column).values() if g < -5e-4)


def above(least, learner, measure, column):
    return {cell: g for cell, g in gaps(learner, measure, column).items() if g > least}


def gap(dataset, depth, learner="exact-C", measure="train", column="bdd_train"):
    return gaps(learner, measure, column)[dataset, depth]


def largest(learner, measure, column, **more):
    cell, value = max(gaps(learner, measure, column, **more).items(), key=lambda item: abs(item[1]))
    return abs(value), cell


def equal_to_both_decimals(learner, measure, column, study="exact", name=TABLE4, depths=DEPTHS):
    found = gaps(learner, measure, column, study, name, depths)
    assert all(abs(g) < 0.00501 for g in found.values()), found
    return len(found)


def same_training(one, other, study="exact"):
    """Two learners make the same errors on every training set."""
    theirs = {same_rows(r): r["errors"] for r in runs(study, other)}
    assert all(theirs[same_rows(r)] == r["errors"] for r in runs(study, one))
    return ""


def heuristic_sizes():
    """E_Size of the heuristic model at depth 2 over all folds, by set."""
    return {name: mean("exact", "heuristic", "literals", 2, name) / 1e4 for name in sets("exact")}


# Trees

def tree_gaps(proven_only):
    names = [s for s in sets("maxsat-h2")
             if not proven_only or all(r["status"] == "optimal" for r in runs("maxsat-h2", "dt", 2, s))]
    return {s: mean("maxsat-h2", "dt", "train", 2, s) - float(published_cell(TABLE3, s, 2)["dt_train"]) for s in names}


def tree(dataset, measure, column):
    unit = 1e4 if measure.startswith("literals") else 1
    return mean("maxsat-h2", "dt", measure, 2, dataset) / unit, float(published_cell(TABLE3, dataset, 2)[column])


# Table 2

@functools.cache
def draws(study):
    by_rows = collections.defaultdict(dict)
    for r in record(study):
        by_rows[r["set"], r["part"], r["seed"]][r["learner"]] = r
    return by_rows


def solved_by_both(study):
    return [d for d in draws(study).values() if all(d[e]["status"] == "optimal" for e in ("bdd1", "bdd2"))]


def both_mean(encoding, measure, study="table2"):
    return statistics.fmean(d[encoding][measure] for d in solved_by_both(study))


def times_faster(study="table2"):
    return both_mean("bdd1", "seconds", study) / both_mean("bdd2", "seconds", study)


def times_faster_each(study):
    each = [d["bdd1"]["seconds"] / d["bdd2"]["seconds"] for d in solved_by_both(study)]
    return min(each), max(each)


def same_depths(study):
    assert all(d["bdd1"]["least_depth"] == d["bdd2"]["least_depth"] for d in solved_by_both(study))
    return len(solved_by_both(study))


def rows_of(study):
    return len({(s, part) for s, part, _ in draws(study)})


def depth_rows(study):
    """Mean least depth of BDD2 over the draws that it solved, and the published one, by set and share."""
    out = {}
    for r in published(TABLE2):
        mine = [d["bdd2"]["least_depth"] for (s, part, _), d in draws(study).items()
                if s == r["dataset"] and float(part.split()[1]) == float(r["ratio"]) and "least_depth" in d["bdd2"]]
        if mine and r["bdd2_dopt"] != "NA":
            out[f"{r['dataset']} {r['ratio']}"] = statistics.fmean(mine), float(r["bdd2_dopt"])
    return out


def depth_rows_near(study, near=True):
    return {row: pair for row, pair in depth_rows(study).items() if (abs(pair[0] - pair[1]) <= 0.5) == near}


def pairs(rows):
    return ", ".join(f"{row} ({ours:.2f} against {theirs:.2f})" for row, (ours, theirs) in rows.items())


def seconds_of(row, study="table2-rest"):
    dataset, share = row.split()
    return next(d["bdd2"]["seconds"] for (s, part, _), d in draws(study).items() if s == dataset and part == f"share {share}")


def unsolved(study, encoding):
    by_set = collections.defaultdict(list)
    for (s, part, _), d in sorted(draws(study).items()):
        if d[encoding]["status"] != "optimal":
            by_set[s].append(part.split()[1])
    return ", ".join(f"{s} {' '.join(shares)}" for s, shares in by_set.items())


def draws_table():
    """Of many draws: means by set and share, and how means of ten draws vary."""
    lines = ["| set | share | published, ten draws | mean | standard deviation of one draw | means of ten draws | of these ten means, "
             "within 0.5 of the published |", "|---|---|---|---|---|---|---|"]
    for r in published(TABLE2):
        mine = [d["least_depth"] for d in sorted(record("draws"), key=lambda d: d["seed"])
                if d["set"] == r["dataset"] and float(d["part"].split()[1]) == float(r["ratio"])]
        if not mine:
            continue
        tens = [statistics.fmean(mine[i:i + 10]) for i in range(0, len(mine), 10)]
        theirs = float(r["bdd2_dopt"])
        lines.append(f"| {r['dataset']} | {r['ratio']} | {theirs:g} | {statistics.fmean(mine):.2f} | {statistics.stdev(mine):.2f} | "
                     f"{min(tens):g} to {max(tens):g} | {sum(abs(t - theirs) <= 0.5 + 1e-9 for t in tens)} |")
    return "\n".join(lines)


# Means over sets and depths

def means_row(study, learner):
    return " | ".join(f"{mean(study, learner, 'test', d):.2f}; {mean(study, learner, 'size', d):.1f}" for d in DEPTHS)


def defaults_row(learner):
    by_depth = [mean("defaults", learner, "test", d) for d in DEPTHS]
    return (" | ".join(f"{m:.2f}" for m in by_depth) + f" | {statistics.fmean(by_depth):.2f} | {mean('defaults', learner, 'size'):.1f} | "
            f"{mean('defaults', learner, 'seconds'):.{3 if learner == 'cart' else 2}f}")


def sets_ahead(one, other, depth, study="exact"):
    return sum(mean(study, one, "test", depth, s) > mean(study, other, "test", depth, s) for s in sets(study))


def lead(one, other, depth, study="exact", dataset=None):
    return mean(study, one, "test", depth, dataset) - mean(study, other, "test", depth, dataset)


def best_at_every_depth(learner, others, study="exact"):
    """To two decimals, as the table shows them."""
    for d in DEPTHS:
        assert all(f"{lead(learner, o, d, study):.2f}" >= "0.00" for o in others), d
    return ""


# Pages

def cart_table(learner, column):
    lines = ["| set | H = 2 | 3 | 4 | 5 | 6 |", "|---|---|---|---|---|---|"]
    for name in sets("exact"):
        cells = [f"{mean('exact', learner, 'train', d, name):.2f} ({float(published_cell(TABLE4, name, d)[column]):.2f})" for d in DEPTHS]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def printed_by(script, *words):
    """What a script of bench/ prints from its record."""
    import contextlib
    import importlib
    import io
    module = importlib.import_module(script)
    kept, sys.argv = sys.argv, [script, *map(str, words)]
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            module.main()
    finally:
        sys.argv = kept
    return out.getvalue()


def thresholds_table(depth):
    parts = re.split(r"\nDepth (\d):\n\n", printed_by("thresholds", "table", record_file("thresholds")))
    return dict(zip(parts[1::2], parts[2::2]))[str(depth)].strip()


def rivals_table():
    methods = [m for m in evidence_methods() if m not in ("STreeD", "GOSDT")]
    text = printed_by("evidence", "table", record_file("evidence"), "--methods", *methods, "--base", "size auto, 16 features")
    return text.split("\n\n")[1].strip()


def evidence_methods():
    import evidence
    return list(evidence.METHODS)


# The commit of a run is not in its record; these brought the records.
CAME_WITH = {"table1": "c0b3814", "exact": "c0b3814", "table2": "374e59e", "least-depths": "374e59e", "table2-rest": "6230a8d",
             "maxsat-h2": "d7abdd1", "maxsat-h3": "73906bf", "maxsat-deep": "fed557b", "defaults": "56a61e6"}


def provenance_table():
    lines = ["| record | runs | proven | limits | version | came with commit |", "|---|---:|---:|---|---|---|"]
    for study, commit in CAME_WITH.items():
        some = record(study)
        limits = sorted({r.get("options", {}).get("time-limit", "none") for r in some}, key=lambda x: (x == "none", x))
        lines.append(f"| [{record_file(study).name}](../studies/records/{record_file(study).name}) | {len(some):,} | "
                     f"{sum(r['status'] == 'optimal' for r in some):,} | {', '.join(x if x == 'none' else x + ' s' for x in limits)} | "
                     f"{', '.join(sorted({r['version'] for r in some}))} | {commit} |")
    return "\n".join(lines)
