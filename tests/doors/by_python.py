"""Fits with the Python package, as a user has it: one job a line on standard input, one answer a line (doors.py)."""
import json
import random
import re
import sys

import pandas

import beadwork

PARAMETERS = ["size", "max_nodes", "bias", "require", "forbid"]  # of BDDClassifier, with the option's name


def value_of(name, values):
    if name in ("require", "forbid", "candidate", "costs"):
        return values
    text = values[0]
    if text == "true":
        return True
    return int(text) if re.fullmatch(r"\d+", text) else float(text) if re.fullmatch(r"\d+\.\d+", text) else text


def estimator_of(job, classes):
    """By parameters or by options, as it comes: both are the same."""
    rng = random.Random(job["seed"])
    options = {name: value_of(name, values) for name, values in job["options"]}
    engine = options.pop("engine", "search")
    common = {"thresholds": job["thresholds"]}
    if "costs" in options:
        costs = [float(c) for c in options.pop("costs")]
        common["costs"] = [costs[i * classes:][:classes] for i in range(classes)]
    if engine == "cart":
        return beadwork.CARTClassifier(depth=options.pop("depth"), options=options, **common)
    if engine in ("odt", "oodg"):
        return beadwork.OODGClassifier(depth=options.pop("depth"), variant=engine, options=options, **common)
    if "committee" in options:
        return beadwork.BDDCommittee(depth=options.pop("depth"), within=options.pop("committee"), time_limit=None, options=options, **common)
    if options.get("certificate") == "-":
        del options["certificate"]
        common["certificate"] = True
    if "depth" not in options or rng.random() < 0.5:
        common["depth"] = options.pop("depth", None)
    for name in PARAMETERS:
        if name in options and rng.random() < 0.5:
            common[name] = options.pop(name)
    return beadwork.BDDClassifier(engine=engine, time_limit=None, options=options, **common)


def fit(job):
    frame = pandas.read_csv(job["table"])
    y = frame.pop(frame.columns[-1])
    weight = frame.pop(job["weight"]) if job["weight"] else None
    fitted = estimator_of(job, y.nunique()).fit(frame, y, sample_weight=weight)
    text = fitted._model.to_json()
    return re.sub(r',\n "sha256": "[0-9a-f]*"', "", text)


for line in sys.stdin:
    try:
        answer = {"model": fit(json.loads(line)), "error": None}
    except (ValueError, MemoryError, TypeError, AttributeError) as error:
        answer = {"model": None, "error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
