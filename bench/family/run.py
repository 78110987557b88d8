#!/usr/bin/env python3
"""Makes the instances of the MaxSAT Evaluation's family optimizing-bdds again, and holds them against the published costs.

usage: run.py [--beadwork FILE] [--beadcheck FILE] [--time-limit S] [--check-limit S] [--only TABLE[:H]...] [--record FILE] FOLDER
       run.py --page [--check]    the table of docs/benchmark-family.md from the record; --check: is it up to date?

For each row of studies/published/maxsat-evaluation.csv: 'beadwork benchmarks' writes the instance into FOLDER, price.py
prices its model by the formula and its diagram by the table, and beadcheck, if the check ends within the limit, verifies
the certificate. A line for each goes to the record (bench/family/record.csv). Exit code 1 if something does not agree: a
model that is priced otherwise, a certificate that is rejected, an optimum that the Evaluation's solvers proved and that is
not ours, a published best cost below ours.
"""
import argparse
import csv
import json
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PUBLISHED = ROOT / "studies" / "published" / "maxsat-evaluation.csv"
PAGE = ROOT / "docs" / "benchmark-family.md"
BEGIN, END = "<!-- made by bench/family/run.py --page -->", "<!-- end -->"
COLUMNS = ("table", "H", "lower_bound", "cost", "search_s", "literals", "priced", "certificate", "certificate_s", "check_s", "beadwork", "time_limit_s",
           "check_limit_s")


def published():
    with open(PUBLISHED, newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(line for line in file if not line.startswith("#"))]


def read_record(path):
    if not path.exists():
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        return {(row["table"], row["H"]): row for row in csv.DictReader(file)}


def write_record(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        out.writeheader()
        out.writerows(rows[key] for key in sorted(rows, key=lambda k: (k[0], int(k[1]))))


def instance(table, depth):
    return f"optimizing-BDDs-{table}-un-wcnf_incomplete_improved_1_2019_{depth}"


def verify(options, record):
    """What beadcheck says of the certificate, in a word, and its seconds."""
    name = options.folder / record["name"]
    if f"{record['name']}.cert" not in record["files"]:
        return "none", ""
    begin = time.monotonic()
    done = subprocess.run([options.beadcheck, "--limit", str(options.check_limit), options.folder / "tables" / f"{record['table']}.txt",
                           "-", f"{name}.cert"], capture_output=True, text=True, check=False)
    said = done.stdout.split("\n")[0].split(":")[0].lower()
    if said == "verified lower bound":
        said = "verified" if record["certificate_covers_all"] else f"verified, of {record['certified_errors']}"
    return said, f"{time.monotonic() - begin:.2f}"


def run_one(options, row):
    table, depth = row["table"], row["H"]
    done = subprocess.run([options.beadwork, "benchmarks", table, "--depths", depth, "--time-limit", str(options.time_limit), "-q", "-o", options.folder],
                          cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr or "stopped")
    record = json.loads((options.folder / f"{instance(table, depth)}.json").read_text())
    priced = subprocess.run([sys.executable, HERE / "price.py", options.folder, record["name"]], capture_output=True, text=True, check=False)
    certificate, seconds = verify(options, record)
    return {"table": table, "H": depth, "lower_bound": record["lower_bound"], "cost": record["cost"], "search_s": f"{record['seconds']:.3f}",
            "literals": record["literals"], "priced": "agrees" if priced.returncode == 0 else priced.stdout.splitlines()[0], "certificate": certificate,
            "certificate_s": f"{record['certificate_seconds']:.3f}", "check_s": seconds, "beadwork": record["beadwork"],
            "time_limit_s": f"{record['time_limit']:g}", "check_limit_s": options.check_limit}


def first_number(text):
    found = re.match(r"\d+", text)
    return int(found[0]) if found else None


def disagreements(row, ours):
    """In words."""
    if ours["priced"] != "agrees":
        yield ours["priced"]
    if ours["certificate"].startswith("rejected"):
        yield "the certificate is rejected"
    best = lowest(row)
    if row["impossible"] == "no" and ours["lower_bound"] > best:
        yield f"the published cost {best} is below our bound {ours['lower_bound']}"
    if row["impossible"] == "no" and first_number(row["proved_by"]) and ours["cost"] != best:
        yield f"the proven cost {best} is not ours, {ours['cost']}"


def wanted(row, only):
    return not only or any(word in (row["table"], f"{row['table']}:{row['H']}") for word in only)


def run(options):
    record, failed = read_record(options.record), False
    for row in published():
        if not wanted(row, options.only):
            continue
        ours = run_one(options, row)
        record[row["table"], row["H"]] = ours
        write_record(options.record, record)
        faults = list(disagreements(row, ours))
        failed |= bool(faults)
        print(f"{row['table']} {row['H']}: {ours['lower_bound']}..{ours['cost']} ({row['best_known']} by {row['proved_by']}), {ours['search_s']} s, "
              f"model {ours['priced']}, certificate {ours['certificate']}{''.join('; ' + fault for fault in faults)}", flush=True)
    return int(failed)


def table_text(rows, record):
    out = ["| table | H | year | published best | proven by | ours | search, s | certificate | check, s |", "|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        ours = record.get((row["table"], row["H"]))
        if ours is None:
            found = ["not run", "", "", ""]
        else:
            proven = ours["lower_bound"] == ours["cost"]
            found = [ours["cost"] if proven else f"{ours['lower_bound']} to {ours['cost']}", f"{float(ours['search_s']):.2f}", ours["certificate"],
                     f"{float(ours['check_s']):.2f}" if ours["check_s"] else ""]
        out.append("| " + " | ".join([row["table"], row["H"], row["year"], row["best_known"], row["proved_by"], *found]) + " |")
    return "\n".join(out) + "\n\n" + summary(rows, record)


def lowest(row):
    return min(int(n) for n in re.findall(r"\d+(?= \(20)|^\d+$", row["best_known"]))


def summary(rows, record):
    """What the table comes to, in words."""
    ran = [(row, record[row["table"], row["H"]]) for row in rows if (row["table"], row["H"]) in record]
    proven = [(row, ours) for row, ours in ran if ours["lower_bound"] == ours["cost"]]
    opened = [row for row in rows if not first_number(row["proved_by"])]
    lower = [row for row, ours in proven if int(ours["cost"]) < lowest(row)]
    same = [row for row, ours in proven if first_number(row["proved_by"]) and int(ours["cost"]) == lowest(row)]
    other = [f"{row['table']} at H = {row['H']}" for row, ours in proven if first_number(row["proved_by"]) and int(ours["cost"]) != lowest(row)]
    priced = sum(ours["priced"] == "agrees" for _, ours in ran)
    verified = sum(ours["certificate"] == "verified" for _, ours in ran)
    return (f"{len(rows)} instances, {len(ran)} run, the optimum of {len(proven)} proven. {len(opened)} were proven by none of the Evaluation's solvers; of "
            f"{len(lower)} the published best is above the optimum. Of those that its solvers proved, {len(same)} costs equal ours"
            + (f"; not so {', '.join(other)}" if other else "") + f". {priced} models priced alike, {verified} certificates verified.\n")


def page(check):
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN + "\n")
    _, _, after = rest.partition(END)
    new = f"{before}{BEGIN}\n\n{table_text(published(), read_record(HERE / 'record.csv'))}\n{END}{after}"
    if check:
        return int(new != text)
    PAGE.write_text(new, encoding="utf-8")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--beadwork", default=ROOT / "build" / "beadwork", type=pathlib.Path)
    parser.add_argument("--beadcheck", default=ROOT / "build" / "beadcheck", type=pathlib.Path)
    parser.add_argument("--time-limit", default=60, type=int)
    parser.add_argument("--check-limit", default=60, type=int, help="seconds for each certificate (60)")
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--record", default=HERE / "record.csv", type=pathlib.Path)
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.page:
        return page(options.check)
    if options.folder is None:
        parser.error("a folder for the instances")
    options.folder, options.beadwork, options.beadcheck = (p.resolve() for p in (options.folder, options.beadwork, options.beadcheck))
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
