"""Parquet and Arrow files, and what zstd packed: pyarrow and zstandard of build/venv are the reference. Run by tools/python_env.sh."""
import json
import datetime
import decimal
import gzip
import os
import random
import sys
import unittest

os.environ["BEADWORK_PYTHON"] = sys.executable

try:
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.feather
    import pyarrow.ipc
    import pyarrow.parquet
    import zstandard
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from beadwork_cli import CliTest


def table_of(rows, seed=0):
    rng = random.Random(seed)
    ages = [rng.randrange(80) if rng.random() > 0.1 else None for _ in range(rows)]
    return pa.table({
        "id": pa.array(range(rows), pa.int64()),
        "age": pa.array(ages, pa.int32()),
        "flag": pa.array([rng.randrange(2) for _ in range(rows)], pa.int8()),
        "score": pa.array([rng.choice([rng.gauss(0, 1), float("nan"), None]) for _ in range(rows)], pa.float64()),
        "word": pa.array([rng.choice(["NA", "a,b", 'quo"te', "two\nlines", None, "plain"]) for _ in range(rows)]),
        "kind": pa.array([rng.choice(["x", "y", "z"]) for _ in range(rows)]).dictionary_encode(),
        "day": pa.array([datetime.date(2020 + rng.randrange(5), 1 + rng.randrange(12), 3) for _ in range(rows)]),
        "when": pa.array([datetime.datetime(2024, 1, 1 + rng.randrange(28), rng.randrange(24)) for _ in range(rows)],
                         pa.timestamp("us")),
        "sure": pa.array([rng.random() < 0.5 for _ in range(rows)]),
        "price": pa.array([decimal.Decimal(rng.randrange(1000)) / 100 for _ in range(rows)], pa.decimal128(9, 2)),
        "list": pa.array([[1, 2]] * rows),
        "y": pa.array(["old" if (a or 0) > 40 else "young" for a in ages]),
    })


def plain_csv(table):
    """The same table as a person would write it: what is missing is empty, texts are quoted."""
    def cell(v):
        if v is None or v != v:
            return ""
        if isinstance(v, bool):
            return f'"{str(v).lower()}"'
        return repr(v) if isinstance(v, float) else f'"{v}"'.replace('quo"te', 'quo""te') if isinstance(v, str) else str(v)

    names = [n for n in table.column_names if n != "list"]
    return "\n".join([",".join(names)] + [",".join(cell(row[n]) for n in names) for row in table.to_pylist()]) + "\n"


class Arrow(CliTest):
    def setUp(self):
        super().setUp()
        self.table = table_of(300)
        pa.parquet.write_table(self.table, self.dir / "t.parquet", row_group_size=70)
        with pa.ipc.new_file(self.dir / "t.arrow", self.table.schema) as file:
            file.write_table(self.table, max_chunksize=90)
        with pa.ipc.new_stream(self.dir / "t.arrows", self.table.schema) as file:
            file.write_table(self.table)
        pa.feather.write_feather(self.table, self.dir / "t.feather", compression="zstd")
        self.write("t.csv", plain_csv(self.table))

    def model(self, name, *options):
        self.ok("fit", name, "-d", "2", "-q", *options, "-o", "m.json")
        model = json.loads((self.dir / "m.json").read_text())
        del model["sha256"], model["training"]["file_sha256"]  # of the file, which other formats spell otherwise
        return model

    def test_the_model_of_the_csv_file(self):
        """Types and missing values are kept: every format gives the same bytes."""
        expected = self.model("t.csv", "--ignore", "id")
        for name in ("t.parquet", "t.arrow", "t.arrows", "t.feather"):
            with self.subTest(name=name):
                self.assertEqual(self.model(name, "--ignore", "id"), expected)
                self.assertEqual(self.model(name, "--ignore", "id", "--in-passes"), expected)

    def test_columns_of_other_types_are_left_out(self):
        self.assertIn("column 'list' left out: its type is list", self.ok("fit", "t.parquet", "-d", "1").stderr)

    def test_columns_named_like_formats(self):
        for name in ("PAR1", "PARE", "PAR1\tx", "ARROW1", "ARROW1 of two"):
            with self.subTest(name=name):
                self.write("named.csv", f"{name},y\n" + "0,p\n1,q\n" * 4)
                self.assertIn("\n0 errors in 8 rows", "\n" + self.ok("fit", "named.csv", "-d", "1").stdout)
        pa.parquet.write_table(self.table.slice(0, 0), self.dir / "empty.parquet")
        self.refused(1, "empty.parquet: a table without rows", "fit", "empty.parquet", "--target", "y")

    def test_other_commands(self):
        self.model("t.parquet")
        for command in (["evaluate", "m.json"], ["predict", "m.json"], ["binarize", "-q"]):
            with self.subTest(command=command):
                self.assertEqual(self.ok(*command, "t.parquet").stdout, self.ok(*command, "t.csv").stdout)
        self.ok("report", "m.json", "t.parquet", "-o", "page.html")
        self.ok("fit", "t.csv", "-d", "1", "--report", "page.html", "--test", "t.feather")

    def test_parquet_to_parquet(self):
        self.model("t.parquet")
        expected = self.ok("predict", "m.json", "t.csv", "--probabilities").stdout.splitlines()
        for name, read in (("p.parquet", pa.parquet.read_table), ("p.feather", pa.feather.read_table), ("p.arrow", pa.feather.read_table)):
            with self.subTest(name=name):
                self.ok("predict", "m.json", "t.parquet", "--with-columns", "id,day,when,word,sure,price,age", "--probabilities", "-o", name)
                got = read(self.dir / name)
                self.assertEqual(got.column_names, ["id", "day", "when", "word", "sure", "price", "age", "prediction", "P(old)", "P(young)"])
                for column in ("id", "day", "when", "word", "sure", "age"):
                    self.assertEqual(got[column].combine_chunks(), self.table[column].combine_chunks(), column)
                self.assertEqual(got["price"].to_pylist(), [str(x) for x in self.table["price"].to_pylist()])
                answers = [line.split(",") for line in expected[1:]]
                self.assertEqual(got["prediction"].to_pylist(), [a[0] for a in answers])
                self.assertEqual(got["P(old)"].to_pylist(), [float(a[1]) for a in answers])

    def test_damaged(self):
        data = (self.dir / "t.parquet").read_bytes()
        self.model("t.csv")
        for size in (4, 5, 100, len(data) // 2, len(data) - 1):
            self.write("bad.parquet", data[:size])
            done = self.run_it("predict", "m.json", "bad.parquet", "-o", "p.parquet")
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"\Abeadwork: bad.parquet: pyarrow: .+\n\Z")
            self.assertFalse((self.dir / "p.parquet").exists())
        spoilt = bytearray(data)
        spoilt[30:400] = os.urandom(370)
        self.write("bad.parquet", bytes(spoilt))
        done = self.run_it("fit", "bad.parquet", "-o", "other.json")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
        self.assertFalse((self.dir / "other.json").exists())

    def fed(self, *args, file):
        with open(self.dir / file, "rb") as stdin:
            return self.ok(*args, stdin=stdin)

    def test_standard_input(self):
        self.model("t.csv", "--ignore", "id")
        expected = self.ok("predict", "m.json", "t.csv").stdout
        for name in ("t.parquet", "t.arrow", "t.arrows", "t.feather"):
            with self.subTest(name=name):
                self.assertEqual(self.fed("predict", "m.json", "-", file=name).stdout, expected)
                piped = self.ok("predict", "m.json", "-", stdin=None, input=(self.dir / name).read_bytes())
                self.assertEqual(piped.stdout, expected)
        self.write("cut.parquet", (self.dir / "t.parquet").read_bytes()[:300])
        with open(self.dir / "cut.parquet", "rb") as stdin:
            done = self.run_it("predict", "m.json", "-", stdin=stdin)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Abeadwork: standard input: pyarrow: .+\n\Z")

    def test_packed_once_more(self):
        expected = self.model("t.csv", "--ignore", "id")
        answers = self.ok("predict", "m.json", "t.csv").stdout
        self.write("t.parquet.gz", gzip.compress((self.dir / "t.parquet").read_bytes()))
        self.write("t.arrow.zst", zstandard.compress((self.dir / "t.arrow").read_bytes()))
        for name in ("t.parquet.gz", "t.arrow.zst"):
            with self.subTest(name=name):
                self.assertEqual(self.model(name, "--ignore", "id"), expected)
                self.assertEqual(self.model(name, "--ignore", "id", "--in-passes"), expected)
                self.assertEqual(self.ok("predict", "m.json", name).stdout, answers)
                self.assertEqual(self.fed("predict", "m.json", "-", file=name).stdout, answers)
                self.fed("fit", "-", "-d", "1", file=name)

    def test_times_of_day(self):
        """Times are read as in CSV, whatever unit they are counted in."""
        times = [datetime.time(i % 24, i * 7 % 60, i * 11 % 60) for i in range(90)]
        classes = ["am" if t.hour < 12 else "pm" for t in times]
        self.write("c.csv", "t,y\n" + "".join(f"{t},{y}\n" for t, y in zip(times, classes)))
        expected = self.model("c.csv")
        self.assertRegex(self.ok("show", "m.json").stdout, r"t <= \d\d:\d\d:\d\d\?")
        for unit in (pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")):
            table = pa.table({"t": pa.array(times, unit), "y": classes})
            pa.parquet.write_table(table, self.dir / "c.parquet")
            pa.feather.write_feather(table, self.dir / "c.feather")
            for name in ("c.parquet", "c.feather"):
                with self.subTest(unit=unit, name=name):
                    self.assertEqual(self.model(name), expected)
                    self.assertIn("column 't' read as times", self.ok("fit", name).stderr)

    def test_columns_that_cannot_be_read(self):
        why = "column 'list' cannot be read: its type is list<element: int64>"
        self.refused(2, f"--target: {why}", "fit", "t.parquet", "--target", "list")
        self.model("t.parquet")
        self.refused(2, f"--with-columns: {why}", "predict", "m.json", "t.parquet", "--with-columns", "list")
        self.write("l.csv", "list,y\n" + "".join(f"{i},{'pq'[i > 40]}\n" for i in range(80)))
        self.ok("fit", "l.csv", "-o", "l.json")
        self.refused(1, f"t.parquet: the model needs {why.replace(' cannot', ', which cannot')}", "predict", "l.json", "t.parquet")

    def test_an_interval(self):
        gap = pa.array([pa.MonthDayNano([1, i, 0]) for i in range(300)])
        pa.feather.write_feather(self.table.append_column("gap", gap).select(["age", "gap", "y"]), self.dir / "i.feather")
        self.assertIn("column 'gap' left out: its type is month_day_nano_interval", self.ok("fit", "i.feather").stderr)
        self.ok("fit", "i.feather", "--ignore", "gap")

    def test_half_precision_and_nan(self):
        import numpy
        half = pa.array(numpy.array([0.1 * i for i in range(300)], numpy.float16))
        table = self.table.add_column(0, "half", half)
        pa.parquet.write_table(table, self.dir / "h.parquet")
        self.model("h.parquet")
        for name, read in (("p.parquet", pa.parquet.read_table), ("p.feather", pa.feather.read_table)):
            self.ok("predict", "m.json", "h.parquet", "--with-columns", "half,score", "-o", name)
            got = read(self.dir / name)
            self.assertEqual(got["half"].combine_chunks(), half)
            self.assertEqual(got["score"].to_pylist(), [None if x != x else x for x in self.table["score"].to_pylist()])

    def test_version_1_of_feather(self):
        self.write("old.feather", b"FEA1" + bytes(200) + b"FEA1")
        self.refused(1, "old.feather: is a Feather file of version 1; save it as version 2, as Parquet or as CSV", "fit", "old.feather")
        self.write("c.csv", "FEA1,FEA2,y\n" + "".join(f"{i},{i % 3},{'pq'[i > 4]}\n" for i in range(9)))
        self.ok("fit", "c.csv")

    def test_a_column_without_a_name(self):
        pa.parquet.write_table(pa.table([[1, 2], [3, 4], ["p", "q"]], names=["a", "", "y"]), self.dir / "n.parquet")
        self.refused(1, "n.parquet: column 2 has no name; give it one", "fit", "n.parquet")

    def test_a_program_that_says_nothing(self):
        for program, code in (("/bin/false", 1), ("/bin/true", 0)):
            self.refused(1, f"t.parquet: cannot be read: {program}, which should be Python 3 with pyarrow, ended with exit code {code} and "
                         "without a word (BEADWORK_PYTHON names another Python)", "fit", "t.parquet", env=os.environ | {"BEADWORK_PYTHON": program})

    def test_rows_are_named(self):
        pa.parquet.write_table(pa.table({"a": [1, 2, 3], "y": ["p", "q", None]}), self.dir / "n.parquet")
        self.refused(1, "n.parquet: row 3: the class is missing (column 'y'); remove the row, or choose another target; try --drop-unlabelled", "fit", "n.parquet")

    def test_without_pyarrow(self):
        line = ("t.parquet: Parquet and Arrow files need the Python package pyarrow: pip install pyarrow (asked {}; BEADWORK_PYTHON "
                "names another Python)")
        bare = self.dir / "bare"  # a Python that has no packages
        bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S -I "$@"\n')
        bare.chmod(0o755)
        self.refused(1, line.format(bare), "fit", "t.parquet", env=os.environ | {"BEADWORK_PYTHON": str(bare)})
        done = self.run_it("fit", "t.parquet", env=os.environ | {"BEADWORK_PYTHON": str(self.dir / "none")})
        self.assertEqual(done.returncode, 1)
        self.assertIn("pyarrow", done.stderr)

    def test_no_module_of_this_folder(self):
        self.write("pyarrow.py", "import os\nos.mkdir('taken')\n")
        self.write("csv.py", "import os\nos.mkdir('taken')\n")
        self.ok("fit", "t.parquet", "-d", "1")
        self.assertFalse((self.dir / "taken").exists())


class Zstd(CliTest):
    TEXT = "a,b,y\n" + "".join(f"{i % 11},{i % 3},{'pq'[i % 11 > 4]}\n" for i in range(500))

    def test_same_as_plain(self):
        data = self.TEXT.encode()
        self.write("t.csv", data)
        expected = self.ok("binarize", "t.csv").stdout
        pack = zstandard.ZstdCompressor(write_checksum=True).compress
        for packed in (pack(data), pack(data[:50]) + pack(data[50:])):
            self.write("t.csv.zst", packed)
            self.assertEqual(self.ok("binarize", "t.csv.zst").stdout, expected)
        self.ok("fit", "t.csv", "-d", "2", "-o", "m.json")
        self.ok("predict", "m.json", "t.csv.zst", "-o", "p.csv.zst")
        unpacked = zstandard.ZstdDecompressor().decompressobj().decompress((self.dir / "p.csv.zst").read_bytes())
        self.assertEqual(unpacked.decode(), self.ok("predict", "m.json", "t.csv").stdout)

    def test_damaged(self):
        packed = zstandard.ZstdCompressor(write_checksum=True).compress(self.TEXT.encode())
        for size in (4, 5, 20, len(packed) // 2, len(packed) - 1):
            self.write("t.csv.zst", packed[:size])
            self.refused(1, "t.csv.zst: is cut short: its packed data end too early", "fit", "t.csv.zst", "-o", "m.json")
        for at in range(6, len(packed), 23):
            self.write("t.csv.zst", packed[:at] + bytes([packed[at] ^ 4]) + packed[at + 1:])
            done = self.run_it("fit", "t.csv.zst", "-o", "m.json")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
            self.assertFalse((self.dir / "m.json").exists())


if __name__ == "__main__":
    unittest.main()
