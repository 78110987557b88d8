#!/usr/bin/env python3
"""Prices models of MaxSAT instances, and diagrams on tables, without any code of beadwork.

usage: price.py DIR [NAME...]     the instances in a folder that 'beadwork benchmarks' wrote: all of them, or these
       price.py FORMULA SOLUTION  a formula (WCNF of 2022, also .gz, .zst, .xz) and what a solver printed (o, s, v lines)

A formula is read line by line: hard clauses must hold under the v line, and the weights of the soft clauses that do not
hold are added up. A diagram is taken from the record (the columns of its features and the class in each cell) and answers
every row of the table. Both must give the cost of the record; for bdd2 the diagram must use exactly H columns, and the two
halves of its cells must differ. One line for each; exit code 1 if something does not agree.
"""
import gzip
import hashlib
import json
import lzma
import pathlib
import subprocess
import sys


def lines_of(path):
    """The lines of a file, unpacked, as bytes."""
    if path.suffix == ".zst":
        with subprocess.Popen(["zstd", "-dc", str(path)], stdout=subprocess.PIPE) as unpacker:
            yield from unpacker.stdout
        if unpacker.returncode:
            raise ValueError(f"{path}: zstd cannot unpack it")
        return
    with {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)(path, "rb") as file:
        yield from file


def values_of(path):
    """What the last o, s and v lines say: cost, status, and a list of truth values from variable 1 on."""
    cost = status = None
    bits = ""
    for line in path.read_text().splitlines():
        if line.startswith("o "):
            cost = int(line[2:])
        elif line.startswith("s "):
            status = line[2:]
        elif line.startswith("v "):
            bits = "".join(line[2:].split())
    if set(bits) - {"0", "1"}:
        raise ValueError(f"{path}: its v line is not a string of bits")
    return cost, status, [bit == "1" for bit in bits]


def price_formula(path, values):
    """(weight of the soft clauses that do not hold, number of hard clauses that do not hold, clauses, variables, literals)."""
    cost = broken = clauses = literals = 0
    most = 0
    truth = [False, *values]
    for line in lines_of(path):
        words = line.split()
        if not words or words[0] == b"c":
            continue
        clause = list(map(int, words[1:]))
        if clause.pop() != 0:
            raise ValueError(f"{path}: a clause does not end in 0")
        clauses += 1
        literals += len(clause)
        for literal in clause:
            most = max(most, abs(literal))
        if most >= len(truth):
            raise ValueError(f"{path}: variable {most} has no value")
        if any(truth[abs(literal)] == (literal > 0) for literal in clause):
            continue
        if words[0] == b"h":
            broken += 1
        else:
            cost += int(words[0])
    return cost, broken, clauses, most, literals


def errors_of(table, order, cells):
    """Rows (the class first) that a diagram gets wrong: it asks the columns in this order and answers by cell."""
    wrong = rows = 0
    for line in table.read_text().splitlines():
        if line.startswith("#") or not line:
            continue
        label, *bits = line.split()
        cell = 0
        for column in order:
            cell = 2 * cell + int(bits[column - 1])
        rows += 1
        wrong += cells[cell] != label
    return wrong, rows


def check(folder, record):
    """What does not agree, and the cost."""
    name = record["name"]
    faults = []
    for file, wanted in record["files"].items():
        if hashlib.sha256((folder / file).read_bytes()).hexdigest() != wanted:
            faults.append(f"{file} is not the file of the record")
    if record["cost"] is None:
        return [*faults, "there is no model"], None
    said, status, values = values_of(folder / f"{name}.sol")
    formula = next(folder / file for file in record["files"] if file.startswith(f"{name}.wcnf"))
    cost, broken, clauses, variables, literals = price_formula(formula, values)
    if broken:
        faults.append(f"{broken} hard clauses do not hold")
    if not cost == said == record["cost"]:
        faults.append(f"the model costs {cost}, its o line says {said}, the record {record['cost']}")
    if (status == "OPTIMUM FOUND") != (record["lower_bound"] == record["cost"]):
        faults.append(f"its s line says {status}")
    if len(values) != record["variables"] or (variables, clauses, literals) != (record["variables"], record["hard"] + record["soft"], record["literals"]):
        faults.append("the sizes are not those of the record")
    if record["model"] != "dt":
        order, cells = record["order"], record["cells"]
        wrong, rows = errors_of(folder / "tables" / f"{record['table']}.txt", order, cells)
        if wrong != cost + record["base_errors"] or rows != record["rows"]:
            faults.append(f"the diagram makes {wrong} errors in {rows} rows")
        if len(set(order)) != record["depth"] or len(cells) != 2 ** len(order):
            faults.append("the diagram has not H features")
        if record["model"] == "bdd2" and cells[:len(cells) // 2] == cells[len(cells) // 2:]:
            faults.append("the root is no bead")
    return faults, cost


def main(words):
    if len(words) >= 2 and pathlib.Path(words[0]).is_file():
        said, status, values = values_of(pathlib.Path(words[1]))
        cost, broken, *_ = price_formula(pathlib.Path(words[0]), values)
        print(f"cost {cost}, {broken} hard clauses do not hold; said: {said}, {status}")
        return int(broken > 0 or (said is not None and said != cost))
    if not words or words[0].startswith("-"):
        print(__doc__.strip())
        return 0 if words else 2
    folder = pathlib.Path(words[0])
    failed = seen = 0
    for path in sorted(folder.glob("*.json")):
        record = json.loads(path.read_text())
        if record.get("format") != "beadwork-benchmark" or (words[1:] and record["name"] not in words[1:]):
            continue
        faults, cost = check(folder, record)
        seen += 1
        failed += bool(faults)
        print(f"{record['name']}: " + ("; ".join(faults) if faults else f"cost {cost}"), flush=True)
    print(f"{seen} instances, {failed} with faults")
    return int(failed > 0 or seen == 0)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, ValueError) as reason:
        sys.exit(f"price.py: {reason}")
