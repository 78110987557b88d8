"""SQL in its dialects, dbt, PMML and formulas, run by databases, a PMML engine and spreadsheets on random rows.

BigQuery, Snowflake and SQL Server cannot run here: sqlglot, which knows their grammars, turns their SQL into DuckDB's. Run by
tools/python_env.sh; with FOR=exports there are more packages.
"""
import csv
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

from cases import case, numeric
from harness import ALL, EVERY_MODEL, FurtherTest, command

try:
    import duckdb
    import jinja2
    import numpy as np
    import sqlglot
except ImportError:
    sqlglot = None
try:
    import pypmml
except ImportError:
    pypmml = None
try:
    import openpyxl
except ImportError:
    openpyxl = None

BINARY = ("mixed", "constant")
SOME = ALL if EVERY_MODEL else ("mixed", "words", "constant", "spellings", "hostile names")  # sqlglot takes its time
DIALECTS = {"standard": "duckdb", "mysql": "mysql", "sqlserver": "tsql", "bigquery": "bigquery", "snowflake": "snowflake"}


def inputs_of(name):
    return ("raw", "binary") if name in BINARY else ("raw",)


def names_and_kinds(c, inputs):
    if inputs == "raw":
        return [(x["name"], "DOUBLE" if numeric(x) else "TEXT") for x in c.columns]
    return [(f["name"], "INTEGER") for f in c.features]


def shares(c):
    """Asks for them, unless that makes a long query longer: sqlglot takes minutes for the hostile model's."""
    return ["--probabilities"] if c.name != "hostile" else []


def rows_of(c, inputs):
    return c.rows if inputs == "raw" else [tuple(map(int, v)) for v in c.bits]


def columns_in(text, given):
    """Names of the columns: a name that could not be used gave way to an identifier, which its line of the comment has."""
    lines = re.search(r"^-- Inputs:.*\n((?:--   .*\n)*)", text, re.M)[1].splitlines()
    instead = [re.match(r"--   (x_\w+) = ", line) for line in lines]
    return [line[1] if line else name for line, name in zip(instead, given, strict=True)]


@unittest.skipUnless(sqlglot, "no sqlglot, Jinja2 or DuckDB here")
class Dialects(FurtherTest):
    def table(self, c, inputs, names):
        db = duckdb.connect()
        kinds = [kind for _, kind in names_and_kinds(c, inputs)]
        quoted = ['"' + n.replace('"', '""') + '"' for n in names]
        db.execute("CREATE TABLE t (id INTEGER" + "".join(f", {n} {k}" for n, k in zip(quoted, kinds)) + ")")
        rows = rows_of(c, inputs)
        arrays = {"id": np.arange(len(rows))}
        for i, kind in enumerate(kinds):
            values = [row[i] for row in rows]
            arrays[f"c{i}"] = (np.array(values, object) if kind == "TEXT" else
                               np.ma.masked_invalid(np.array([np.nan if v is None else v for v in values], np.float64)))
        source = arrays  # DuckDB finds it by its name
        db.execute("INSERT INTO t SELECT * FROM source")
        return db, source

    def check(self, c, inputs, answers, what):
        index = {name: k for k, name in enumerate(c.model["classes"])}
        self.agree(c, [index[a[0]] for a in answers], (what, inputs))
        if len(answers[0]) > 1:
            self.agree_on_shares(c, [a[1:] for a in answers], (what, inputs), 1e-15)

    def test_dialects(self):
        """What sqlglot makes of each dialect answers in DuckDB as the model does."""
        for name in SOME:
            for inputs in inputs_of(name):
                for dialect, known in DIALECTS.items():
                    c = case(name)
                    text = c.export("sql", "--inputs", inputs, "--dialect", dialect, *shares(c), to="model.sql").read_text(encoding="utf-8")
                    text = text if shares(c) else text.rstrip("\n") + " AS prediction"
                    names = columns_in(text, [n for n, _ in names_and_kinds(c, inputs)])
                    asked = sqlglot.parse_one("SELECT " + text + " FROM t ORDER BY id", dialect=known, error_level=sqlglot.ErrorLevel.RAISE)
                    query = asked.transform(plainer).sql(dialect="duckdb")
                    db, _ = self.table(c, inputs, names)
                    self.check(c, inputs, db.execute(query).fetchall(), "sql of " + dialect)

    def test_dbt(self):
        """Rendered by Jinja, as dbt does; names with braces come out as they went in."""
        for name in SOME:
            for inputs in inputs_of(name):
                c = case(name)
                text = c.export("dbt", "--inputs", inputs, *shares(c), to="model.sql").read_text(encoding="utf-8")
                query = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(text).render(ref=lambda n: "t")
                names = columns_in(query, [n for n, _ in names_and_kinds(c, inputs)])
                db, _ = self.table(c, inputs, names)
                count = len(c.model["classes"]) if shares(c) else 0
                answers = db.execute("SELECT * FROM (" + query + ") AS q ORDER BY id").fetchall()
                self.check(c, inputs, [a[-1 - count:] for a in answers], "dbt")

    def test_dbt_of_a_committee(self):
        c = case("hostile that vote") if EVERY_MODEL else case("flowers that vote")
        text = c.export("dbt", to="model.sql").read_text(encoding="utf-8")
        query = jinja2.Environment().from_string(text).render(ref=lambda n: "t")
        self.assertIn("FROM t AS beadwork_rows", query)
        self.refused(c, ["--to", "dbt", "--dialect", "mysql"], "--dialect: a committee goes to the standard dialect only\n")
        self.refused(c, ["--to", "sql", "--probabilities"], "--probabilities: sql has the votes of a committee instead\n")


def plainer(node):
    """What DuckDB lacks or has in another way: collations, byte strings, + between texts."""
    exp = sqlglot.exp
    if isinstance(node, exp.Collate):
        return node.this.transform(plainer)  # what is replaced is not gone into
    if isinstance(node, exp.National):
        return exp.Literal.string(node.name)
    if isinstance(node, exp.Cast) and "utf8mb4" in node.sql(dialect="mysql") or isinstance(node, exp.Cast) and node.to.sql() == "BINARY":
        return node.this.transform(plainer)
    if isinstance(node, exp.DataType) and node.expressions:  # NVARCHAR(MAX)
        return exp.DataType.build("TEXT")
    if isinstance(node, exp.Add):
        return exp.DPipe(this=node.this.transform(plainer), expression=node.expression.transform(plainer))
    return node


# MariaDB ----------------------------------------------------------------------------------------------------


def mysql_value(v):
    if isinstance(v, str):
        return "'" + v.replace("\\", "\\\\").replace("'", "''") + "'"
    text = "NULL" if v is None else repr(v)
    return text + "e0" if isinstance(v, float) and "e" not in text else text  # with an exponent it is a double


@unittest.skipUnless(shutil.which("mariadbd") and os.environ.get("BEADWORK_TEST_MARIADB"), "BEADWORK_TEST_MARIADB=1 and a server to run it")
class MariaDb(FurtherTest):
    """A server of its own in a temporary folder, reached by a socket there."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        user = ["--user=root"] if os.geteuid() == 0 else []
        command("mariadb-install-db", "--no-defaults", f"--datadir={self.home}/db", "--auth-root-authentication-method=normal",
                "--skip-test-db", *user, cwd=self.home)
        with open(self.home / "log", "wb") as log:
            self.server = subprocess.Popen(["mariadbd", "--no-defaults", f"--datadir={self.home}/db", f"--socket={self.home}/s",
                                            "--skip-networking", "--skip-grant-tables", "--max-allowed-packet=256M", *user],
                                           stdout=log, stderr=log)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.terminate)
        for _ in range(300):
            if (self.home / "s").exists():
                break
            time.sleep(0.1)

    def ask(self, script):
        done = subprocess.run(["mariadb", "--no-defaults", f"--socket={self.home}/s", "--default-character-set=utf8mb4", "-N", "-B", "--raw",
                               "--binary-mode"], input=script.encode(), capture_output=True, timeout=1800)
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors="replace")[-3000:])
        return done.stdout.decode()

    def test_mariadb(self):
        self.ask("CREATE DATABASE d CHARACTER SET utf8mb4;")
        for name in ALL:
            for inputs in inputs_of(name):
                c = case(name)
                text = c.export("sql", "--inputs", inputs, "--dialect", "mysql", *shares(c), to="model.sql").read_text(encoding="utf-8")
                text = text if shares(c) else text.rstrip("\n") + " AS prediction"
                names = columns_in(text, [n for n, _ in names_and_kinds(c, inputs)])
                columns = ["`" + n.replace("`", "``") + "` " + kind for n, (_, kind) in zip(names, names_and_kinds(c, inputs))]
                script = "USE d; DROP TABLE IF EXISTS t; CREATE TABLE t (id INTEGER" + "".join(", " + x for x in columns) + ") ENGINE=MyISAM;\n"
                rows = rows_of(c, inputs)
                for first in range(0, len(rows), 500):
                    script += "INSERT INTO t VALUES " + ",".join(
                        "(" + ",".join([str(first + i), *map(mysql_value, row)]) + ")" for i, row in enumerate(rows[first:first + 500])) + ";\n"
                asked = "".join(", " + p for p in re.findall(r"^(?:END|\S+e0) AS (p_\w+)", text, re.M))
                script += f"SELECT HEX(prediction){asked} FROM (SELECT id, {text} FROM t) AS q ORDER BY id;\n"
                lines = [line.split("\t") for line in self.ask(script).splitlines()]
                index = {n: k for k, n in enumerate(c.model["classes"])}
                self.agree(c, [index[bytes.fromhex(line[0]).decode()] for line in lines], ("mariadb", inputs))
                if shares(c):
                    self.agree_on_shares(c, [list(map(float, line[1:])) for line in lines], ("mariadb", inputs), 1e-15)


# PMML -------------------------------------------------------------------------------------------------------


@unittest.skipUnless(pypmml and shutil.which("java"), "no pypmml, or no java to run it")
class Pmml(FurtherTest):
    def test_pmml(self):
        for name in ALL:
            c = case(name)
            path = c.export("pmml", to="model.pmml")
            model = pypmml.Model.load(str(path))
            names = [x["name"] for x in c.columns]
            self.assertEqual(sorted(model.inputNames), sorted(names))
            outputs = [f.name for f in model.outputFields]
            at = [outputs.index(n) for n in ["prediction"] + [n for n in outputs if n.startswith("p_")]]
            index = {n: k for k, n in enumerate(c.model["classes"])}
            got, shares = [], []
            place = [names.index(n) for n in model.inputNames]
            rows = [[row[i] for i in place] for row in c.rows]
            for first in range(0, len(rows), 5000):
                for said in model.predict(rows[first:first + 5000]):
                    got.append(index[said[at[0]]])
                    shares.append([said[i] for i in at[1:]])
            self.agree(c, got, "pmml")
            self.agree_on_shares(c, shares, "pmml", 1e-15)


# Spreadsheets -----------------------------------------------------------------------------------------------


def in_row(formula, number):
    """The formula, filled down to a row: cells outside of texts."""
    parts = formula.split('"')
    parts[::2] = [re.sub(r"\b([A-Z]{1,3})2\b", rf"\g<1>{number}", part) for part in parts[::2]]
    return '"'.join(parts)


@unittest.skipUnless(openpyxl and shutil.which("soffice"), "no openpyxl or LibreOffice here")
class LibreOffice(FurtherTest):
    """Empty cells are missing. Numbers that agree with a threshold in 15 digits, but are above it, are not asked about."""

    def sheet(self, c, formulas, rows):
        book = openpyxl.Workbook(write_only=True)
        sheet = book.create_sheet()
        sheet.append([f"column {i}" for i in range(len(c.columns))] + ["answers"] * len(formulas))
        for r, row in enumerate(rows):
            cells = [openpyxl.cell.WriteOnlyCell(sheet, value=v) for v in row]
            for cell, v in zip(cells, row):
                if isinstance(v, str):
                    cell.data_type = "s"
            sheet.append(cells + [in_row(f, r + 2) for f in formulas])
        book.save(c.dir / "sheet.xlsx")
        home = c.dir / "office"
        filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false"  # comma, quotes, UTF-8, all digits
        command("soffice", f"-env:UserInstallation={home.as_uri()}", "--headless", "--convert-to", filter, "sheet.xlsx", cwd=c.dir)
        with open(c.dir / "sheet.csv", newline="", encoding="utf-8") as f:
            return [line[len(c.columns):] for line in list(csv.reader(f))[1:]]

    def test_formula(self):
        for name in ("mixed", "words", "constant", "spellings", "hostile texts", "flowers"):
            c = case(name)
            text = c.export("formula", "--probabilities", to="model.txt").read_text(encoding="utf-8")
            formulas = [line for line in text.splitlines() if not line.startswith("#")]
            self.assertEqual(len(formulas), 1 + len(c.model["classes"]))
            cuts = [(i, f["threshold"]) for f in c.features if f["test"] == "at_most"
                    for i, x in enumerate(c.columns) if c.model["columns"][f["column"]] is x and numeric(x)]
            near = lambda row: any(row[i] is not None and t < row[i] <= t + abs(t) * 1e-14 for i, t in cuts)
            keep = [i for i, row in enumerate(c.rows) if not near(row)]
            self.assertGreater(len(keep), len(c.rows) * 0.4)
            got = self.sheet(c, formulas, [c.rows[i] for i in keep])
            index = {n: k for k, n in enumerate(c.model["classes"])}
            answers, chances = list(c.answers), [said["probabilities"] for said in c.said]
            for i, line in zip(keep, got, strict=True):
                answers[i], chances[i] = index[line[0]], list(map(float, line[1:]))
            self.agree(c, answers, "formula")
            self.agree_on_shares(c, chances, "formula", 1e-14)

    def test_a_formula_that_excel_cannot_take(self):
        self.refused(case("hostile"), ["--to", "formula"], "--to: the formula has ")


if __name__ == "__main__":
    unittest.main()
