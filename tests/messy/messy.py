#!/usr/bin/env python3
"""Clean tables, spoiled the ways spreadsheets spoil them, must give the clean table's answer.

usage: messy.py BEADWORK [--tables 40] [--seed 0] [--least 38] [--keep DIR]

Each table is spoiled in one or two of the ways below. The answer (errors, number of features) is to be that of the clean
table; where it is not, a line of the program has to name the flag that settles it.
"""
import argparse
import csv
import datetime
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import uuid

ROWS = 240
NUMBERS = ("income", "balance", "rate")


def clean_table(rng):
    rows = []
    for _ in range(ROWS):
        income = round(rng.uniform(900, 9000), 2)
        balance = round(rng.uniform(-4000, 4000), 2)
        rate = round(rng.uniform(0, 40), 1)
        day = rng.randrange(18000, 19500)
        kind = rng.choice(["car", "house", "boat", "other"])
        member = rng.random() < 0.5
        good = (income > 4000) + (balance > 500) + (day > 18800) + (kind == "house") + member >= 3
        rows.append({"income": income, "balance": balance, "rate": None if rng.random() < 0.05 else rate,
                     "day": day, "kind": kind, "member": member, "label": "good" if good ^ (rng.random() < 0.05) else "bad"})
    return rows


def plain(row):
    out = {name: "" if row[name] is None else repr(row[name]) for name in NUMBERS}
    return out | {"day": str(row["day"]), "kind": row["kind"], "member": "yes" if row["member"] else "no",
                  "label": row["label"]}


def grouped(text, decimal, thousands):
    sign, text = ("-", text[1:]) if text.startswith("-") else ("", text)
    whole, _, rest = text.partition(".")
    groups = f"{int(whole):,}".replace(",", thousands)
    return sign + groups + (decimal + rest if rest else "")


def numbers(change, names=NUMBERS):
    def way(rows, form, rng):
        for row in rows:
            for name in names:
                if row[name]:
                    row[name] = change(row[name])
    return way


def stray(token):
    def way(rows, form, rng):
        for row in rows:
            row["rate"] = row["rate"] or token
    return way


def dates(pattern):
    def way(rows, form, rng):
        for row in rows:
            row["day"] = (datetime.date(1970, 1, 1) + datetime.timedelta(days=int(row["day"]))).strftime(pattern)
    return way


def times(rows, form, rng):
    for row in rows:
        row["day"] = (datetime.datetime(1970, 1, 1) + datetime.timedelta(days=int(row["day"]))).strftime("%Y-%m-%dT%H:%M:%SZ")


def added(name, value):
    def way(rows, form, rng):
        for i, row in enumerate(rows):
            rest = dict(row)
            row.clear()
            row.update({name: value(i, rng)} | rest)
    return way


def truths(rows, form, rng):
    for row in rows:
        row["member"] = rng.choice(["yes", "Yes", "Y", "TRUE"] if row["member"] == "yes" else ["no", "NO", "n", "False"])


def free_text(i, rng):
    return " ".join(rng.choice(["spoke", "to", "client", "about", "loan", "again", "monday", "later"]) for _ in range(8)) + f" {i}"


def formed(**changes):
    return lambda rows, form, rng: form.update(changes)


# By what they change: a table is never spoiled twice in one respect.
WAYS = {
    "number": {
        "decimal comma": numbers(lambda t: t.replace(".", ",")),
        "decimal comma, points between thousands": numbers(lambda t: grouped(t, ",", ".")),
        "decimal comma, blanks between thousands": numbers(lambda t: grouped(t, ",", " ")),
        "commas between thousands": numbers(lambda t: grouped(t, ".", ",")),
        "apostrophes between thousands": numbers(lambda t: grouped(t, ".", "'")),
        "no-break spaces between thousands": numbers(lambda t: grouped(t, ".", "\u00a0")),
    },
    "unit": {
        "dollars": numbers(lambda t: "-$" + t[1:] if t.startswith("-") else "$" + t, ("income", "balance")),
        "euros behind": numbers(lambda t: t + " €", ("income", "balance")),
        "currency code": numbers(lambda t: "CHF " + t, ("income",)),
        "percent": numbers(lambda t: t + "%", ("rate",)),
    },
    "sign": {
        "typesetter's minus": numbers(lambda t: t.replace("-", "\u2212")),
        "parentheses for negatives": numbers(lambda t: f"({t[1:]})" if t.startswith("-") else t),
        "plus signs": numbers(lambda t: t if t.startswith("-") else "+" + t),
    },
    "nothing": {
        "stray -": stray("-"),
        "stray n/a": stray("n/a"),
        "stray NULL": stray("NULL"),
        "stray #N/A": stray("#N/A"),
    },
    "column": {
        "an id": added("id", lambda i, rng: f"C-{i:05d}"),
        "a uuid": added("key", lambda i, rng: str(uuid.UUID(int=rng.getrandbits(128)))),
        "free text": added("remarks", free_text),
    },
    "day": {
        "iso dates": dates("%Y-%m-%d"),
        "german dates": dates("%d.%m.%Y"),
        "american dates": dates("%m/%d/%Y"),
        "time stamps": times,
    },
    "truth": {
        "mixed truths": truths,
    },
    "form": {
        "delimiter |": formed(delimiter="|"),
        "delimiter ;": formed(delimiter=";"),
        "tabs": formed(delimiter="\t"),
        "quotes around everything": formed(quoting=csv.QUOTE_ALL),
        "byte-order mark and CRLF": formed(lineterminator="\r\n", bom=True),
    },
}


def written(rows, form):
    form = dict(form)
    bom = form.pop("bom", False)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), **({"lineterminator": "\n"} | form))
    writer.writeheader()
    writer.writerows(rows)
    return (b"\xef\xbb\xbf" if bom else b"") + out.getvalue().encode()


def fitted(binary, path):
    run = subprocess.run([binary, "fit", str(path), "-d", "3", "--thresholds", "quantiles:12", "--json"],
                         capture_output=True, text=True)
    if run.returncode:
        return None, run.stderr
    answer = json.loads(run.stdout)
    count = next(line for line in run.stderr.split("\n") if " features (" in line)
    return (answer["training_errors"], count.split(" features (")[0].split()[-1]), run.stderr


def predicts_alike(binary, path, folder):
    """The model reads the spoiled table again without any option."""
    model = folder / "model.json"
    subprocess.run([binary, "fit", str(path), "-d", "3", "-q", "-o", str(model)], capture_output=True, check=True)
    claimed = json.loads(model.read_text())["training"]["errors"]
    run = subprocess.run([binary, "evaluate", str(model), str(path), "--json"], capture_output=True, text=True)
    return run.returncode == 0 and json.loads(run.stdout)["errors"] == claimed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=int, default=38)
    parser.add_argument("--keep")
    args = parser.parse_args()
    same, faults = 0, []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(args.keep or temporary)
        for number in range(args.tables):
            rng = random.Random(args.seed + number)
            table = clean_table(rng)
            rows = [plain(row) for row in table]
            clean = folder / f"clean{number}.csv"
            clean.write_bytes(written(rows, {}))
            respects = rng.sample([r for r in WAYS for _ in WAYS[r]], 1 + number % 2)
            chosen = {respect: rng.choice(sorted(WAYS[respect])) for respect in WAYS if respect in respects}
            ways = list(chosen.values())
            form = {}
            for respect, way in chosen.items():
                WAYS[respect][way](rows, form, rng)
            messy = folder / f"messy{number}.csv"
            messy.write_bytes(written(rows, form))
            expected, _ = fitted(args.binary, clean)
            answer, words = fitted(args.binary, messy)
            if answer == expected and expected is not None:
                same += 1
                if not predicts_alike(args.binary, messy, folder):
                    faults.append(f"table {number} ({' + '.join(ways)}): evaluate does not read it the way fit did")
            elif "--" not in words:
                faults.append(f"table {number} ({' + '.join(ways)}): {answer} for {expected}, and no line names a flag")
            else:
                print(f"table {number} ({' + '.join(ways)}): {answer} for {expected}, with advice")
    if same < args.least:
        faults.append(f"only {same} of {args.tables} give the clean answer")
    print("\n".join(faults + [f"{same} of {args.tables} messy tables give the clean table's errors and features"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
