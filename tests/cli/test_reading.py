"""Tables as people have them: what fit understands by itself, what it asks for, and that a model reads the same way later."""
import csv
import io
import json
import os
import random
import re
import shlex
import subprocess
import unittest

from beadwork_cli import BINARY, CliTest, check_schema


def messy_rows(count=60, seed=5):
    rng = random.Random(seed)
    rows = []
    for i in range(count):
        price = rng.randrange(100, 500000) / 100
        day = rng.randrange(1, 29)
        town = rng.choice(["Ulm", "Bonn", "Kiel", "Jena"])
        label = "big" if (price > 2000) ^ (day > 20) else "small"
        rows.append([f"K{i:04d}", f"{price:.2f}".replace(".", ",") + " €", f"{day}.{rng.randrange(1, 13)}.2024", town,
                     rng.choice(["ja", "-"]), label])
    return rows


HEAD = ["id", "price", "opened", "town", "note", "label"]


SIZES = ["tiny", "small", "medium", "large", "huge"]


def sized_rows(count=150, seed=3):
    rng = random.Random(seed)
    rows = []
    for _ in range(count):
        size, age = rng.choice(SIZES), rng.randint(18, 80)
        label = "yes" if (SIZES.index(size) <= 2) != (age > 60) else "no"
        rows.append(["" if rng.random() < 0.1 else size, str(age), label])
    return rows


def as_csv(rows, head=HEAD, **form):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", **form)
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


class Ordered(CliTest):
    """Words with an order: cut like numbers, named by the words, from fit to every use of the model."""

    def setUp(self):
        super().setUp()
        self.write("d.csv", as_csv(sized_rows(), ["size", "age", "label"]))
        self.order = ("--ordered", "size=" + ", ".join(SIZES))

    def test_from_fit_to_prediction(self):
        for thresholds in ("all", "quantiles:20", "mdlp"):
            with self.subTest(thresholds=thresholds):
                fit = self.fit("d.csv", *self.order, "-d", 2, "--thresholds", thresholds, "-o", "m.json", "--report", "page.html",
                               "--test", "d.csv")
                self.assertIn("size <= medium", fit["features"])
                model = json.loads((self.dir / "m.json").read_text())
                self.assertEqual(check_schema(model), [])
                errors = model["training"]["errors"]
                self.assertEqual(json.loads(self.ok("evaluate", "m.json", "d.csv", "--json").stdout)["errors"], errors)
                again = self.ok("report", "m.json", "d.csv", "-o", "again.html")
                self.assertNotIn("not the model's training rows", again.stderr)
                self.assertIn("size > medium", self.ok("show", "m.json").stdout)
        command = re.search(r"--ordered[^\n]*?size=tiny,small,medium,large,huge", (self.dir / "again.html").read_text())
        self.assertIsNotNone(command)

    def test_a_word_without_a_place(self):
        done = self.run_it("fit", "d.csv", "--ordered", "size=" + ",".join(SIZES[:-1]))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"d.csv:\d+:1: 'huge' is not in the order of 'size' \(tiny,small,medium,large\); add it there")
        self.fit("d.csv", *self.order, "-d", 2, "-o", "m.json")
        self.write("p.csv", "size,age\ntiny,30\nlarge,30\ngiant,30\n,30\n")
        done = self.ok("predict", "m.json", "p.csv")
        self.assertIn("1 row has a value of 'size' that did not occur in training: every test on that column fails", done.stderr)
        answers = [row["prediction"] for row in csv.DictReader(io.StringIO(done.stdout))]
        self.assertEqual(answers[0], "yes")
        self.assertEqual(answers[1:3], ["no", "no"])

    def test_restrictions_by_name(self):
        for thresholds in ("all", "quantiles:20"):
            fit = self.fit("d.csv", *self.order, "-d", 1, "--thresholds", thresholds, "--require", "size <= small")
            self.assertEqual(fit["features"], ["size <= small"])
            fit = self.fit("d.csv", *self.order, "-d", 2, "--thresholds", thresholds, "--forbid", "size <= medium")
            self.assertNotIn("size <= medium", fit["features"])

    def test_bad_orders(self):
        for text, message in (("size", "expected COLUMN=LOW,MEDIUM,HIGH"), ("size=a,", "is empty"), ("size=a,a", "twice"),
                              ("label=yes,no", "is the target"), ("sise=a,b", "did you mean 'size'?")):
            done = self.run_it("fit", "d.csv", "--ordered", text)
            self.assertIn(done.returncode, (1, 2))
            self.assertIn(message, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


class Reading(CliTest):
    def opened(self, name):
        file = open(self.dir / name, "rb")
        self.addCleanup(file.close)
        return file

    def test_a_model_reads_again_as_it_was_taught(self):
        self.write("d.csv", as_csv(messy_rows(), delimiter="|"))
        done = self.ok("fit", "d.csv", "-d", 4, "-o", "m.json", "--thresholds", "quantiles:20", "--report", "page.html")
        for line in ("column 'price' read as numbers with a decimal comma in €", "column 'opened' read as dates",
                     "column 'id' is left out: 60 different texts in 60 rows; give --keep-column id to keep it"):
            self.assertIn(line, done.stderr)
        model = json.loads((self.dir / "m.json").read_text())
        self.assertEqual(check_schema(model), [])
        errors = model["training"]["errors"]
        self.assertEqual(json.loads(self.ok("evaluate", "m.json", "d.csv", "--json").stdout)["errors"], errors)
        page = self.ok("report", "m.json", "d.csv", "-o", "again.html")
        self.assertNotIn("not the model's training rows", page.stderr)
        shown = self.ok("show", "m.json").stdout
        if any(c["name"] == "opened" for c in model["columns"]):
            self.assertRegex(shown, r"opened <= 2024-\d\d-\d\d")

    def test_predict_keeps_columns_is_quiet_and_reads_standard_input(self):
        rows = messy_rows()
        text = as_csv(rows, delimiter=";")
        self.write("d.csv", text)
        self.ok("fit", "d.csv", "-o", "m.json", "-q")
        done = self.ok("predict", "m.json", "-", "--with-columns", "id,opened", "-q",
                       stdin=self.opened("d.csv"))
        self.assertEqual(done.stderr, "")
        answers = list(csv.DictReader(done.stdout.splitlines()))
        self.assertEqual([a["id"] for a in answers], [r[0] for r in rows])
        self.assertEqual([a["opened"] for a in answers], [r[2] for r in rows])
        self.assertEqual(list(answers[0]), ["id", "opened", "prediction", "probability"])
        self.ok("fit", "-", "-q", stdin=self.opened("d.csv"))
        for name in ("nothing", "1"):  # by name only
            done = self.run_it("predict", "m.json", "d.csv", "--with-columns", name, "-q")
            self.assertEqual(done.returncode, 1)
            self.assertTrue(done.stderr.startswith(f"beadwork: --with-columns: d.csv has no column named '{name}'; "), done.stderr)

    def test_what_can_be_read_two_ways_is_asked_about(self):
        rows = [[f"{i},{j:03d}", "k" if i > 4 else "l"] for i in range(1, 9) for j in range(100, 105)]
        self.write("d.csv", as_csv(rows, ["x", "y"], quoting=csv.QUOTE_ALL))
        self.assertIn("column 'x' stays text: '1,100' is 1100 or 1.1; give --decimal , or --thousands , to say which",
                      self.ok("fit", "d.csv").stderr)
        self.assertIn("x <= 4", self.ok("fit", "d.csv", "--decimal", ",", "--thresholds", "all").stdout)
        self.assertIn("x <= 4", self.ok("fit", "d.csv", "--thousands", ",", "--thresholds", "all").stdout)
        self.refused(2, "--thousands: the decimal sign cannot stand between thousands, too", "fit", "d.csv",
                     "--decimal", ",", "--thousands", ",")
        self.refused(2, "--decimal: expected . or ,, got 'x'", "fit", "d.csv", "--decimal", "x")
        self.refused(2, "--dates: expected dmy, mdy or ymd, got 'x'", "fit", "d.csv", "--dates", "x")

    def test_missing_also_adds_and_missing_replaces(self):
        self.write("d.csv", "x,y\n1,a\n2,b\nNA,a\nnope,b\n3,a\n4,b\n5,a\n6,b\n7,a\n8,b\n9,b\n")
        self.assertIn("'nope' (1 row) is none of numbers; give --missing-also nope to read it as missing",
                      self.ok("fit", "d.csv").stderr)
        both = self.ok("fit", "d.csv", "--missing-also", "nope", "-d", 1, "-o", "m.json")
        self.assertNotIn("warning", both.stderr)
        self.assertEqual(json.loads((self.dir / "m.json").read_text())["reading"]["missing"], ["", "?", "NA", "NaN", "nope"])
        self.ok("predict", "m.json", "d.csv")

    def test_a_target_of_numbers(self):
        rng = random.Random(1)
        rows = [[x := rng.randrange(100), round(3 * x + rng.random(), 3)] for _ in range(100)]
        self.write("d.csv", as_csv(rows, ["x", "price"]))
        self.refused(2, "--target-bins: the target 'price' has 100 different numbers, and this learns classes, not numbers; "
                     "4 would make four classes of about equal size", "fit", "d.csv", "-q")
        self.ok("fit", "d.csv", "--target-bins", 4, "-o", "m.json", "--thresholds", "all", "-d", 3)
        model = json.loads((self.dir / "m.json").read_text())
        self.assertEqual(check_schema(model), [])
        self.assertEqual(len(model["classes"]), 4)
        got = json.loads(self.ok("evaluate", "m.json", "d.csv", "--json").stdout)
        self.assertEqual(got["errors"], model["training"]["errors"])
        self.assertEqual([round(c["support"]) for c in got["per_class"]], [25, 25, 25, 25])

    def test_many_categories(self):
        rng = random.Random(2)
        rows = [[f"c{int(rng.expovariate(0.02))}", rng.choice("ab")] for _ in range(2000)]
        self.write("d.csv", as_csv(rows, ["x", "y"]))
        self.assertIn("the 64 most frequent stay, the rest is 'other'", self.ok("fit", "d.csv", "-o", "m.json", "-d", 2).stderr)
        errors = json.loads((self.dir / "m.json").read_text())["training"]["errors"]
        self.assertEqual(json.loads(self.ok("evaluate", "m.json", "d.csv", "--json").stdout)["errors"], errors)
        self.assertIn("the 5 most frequent", self.ok("fit", "d.csv", "--max-categories", 5).stderr)

    def test_the_default_limit(self):
        rng = random.Random(3)
        head = ",".join(f"f{i}" for i in range(80)) + ",y\n"
        self.write("d.csv", head + "".join(",".join(rng.choice("01") for _ in range(80)) + f",{rng.choice('pn')}\n" for _ in range(400)))
        env = os.environ | {"BEADWORK_TIME_LIMIT": "0.3"}
        done = self.ok("fit", "d.csv", "-d", 8, env=env)
        self.assertIn("warning: stopped after 0.3 seconds, the default limit", done.stderr)
        self.assertIn("not proven", done.stdout)
        self.assertEqual(self.run_it("fit", "d.csv", "-d", 8, "--time-limit", 0.2, env=env).returncode, 4)
        process = subprocess.Popen([BINARY, "fit", "d.csv", "-d", "8", "--time-limit", "none"], cwd=self.dir, env=env,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(1.5)
        process.terminate()
        self.assertEqual(process.wait(10), 4)


class EveryOrder(CliTest):
    """The same rows give the same model in any order of rows and columns, in one file or many, at once or in passes."""

    HEAD = ["g", "zip", "when", "n", "label"]

    def rows(self, plain):
        rng = random.Random(4)
        rows = []
        for i in range(60):
            label = "p" if rng.random() < 0.5 else "q"
            rows.append([(rng.choice(["NA", "A", "B"]) if label == "p" else rng.choice(["NA", "A", "?"]), True),
                         (rng.choice(["01007", "10115", "20095"]), True), (f"{rng.randrange(1, 13)}.{rng.randrange(1, 28)}.2024", True),
                         (str(rng.choice([0, 1, 1, 12])), i >= plain), (label, i >= plain)])
        return rows

    def text(self, rows, order=range(5)):
        cells = [[(name, True) for name in self.HEAD], *rows]
        return "".join(",".join(f'"{row[i][0]}"' if row[i][1] else row[i][0] for i in order) + "\n" for row in cells)

    def model(self, *words):
        self.ok("fit", *words, "--target", "label", "-d", 2, "-o", "m.json", "-q")
        model = json.loads((self.dir / "m.json").read_text())
        for key in ("model_sha256", "checksum", "sha256", "claim", "request"):
            model.pop(key, None)
        for key in [k for k in model["training"] if "sha256" in k]:
            del model["training"][key]
        return model

    def test_rows_files_and_passes(self):
        for plain in (0, 1):  # with one row without quotes, "NA" and "?" are texts
            rows = self.rows(plain)
            self.write("d.csv", self.text(rows))
            first = self.model("d.csv")
            self.assertEqual(first["reading"]["quotes_mean_text"], plain == 1)
            rng = random.Random(plain)
            for _ in range(3):
                rng.shuffle(rows)
                self.write("d.csv", self.text(rows))
                self.assertEqual(self.model("d.csv"), first)
                cut = rng.randrange(1, 59)
                self.write("a.csv", self.text(rows[:cut]))
                self.write("b.csv", self.text(rows[cut:]))
                try:
                    parts = self.model("--shards", "a.csv", "b.csv")
                except AssertionError as error:  # a shard alone may show no order of dates; then it is refused
                    self.assertIn("in all shards", str(error))
                    continue
                self.assertEqual((parts["features"], parts["diagram"], parts["reading"]),
                                 (first["features"], first["diagram"], first["reading"]))
            passes = self.model("d.csv", "--in-passes")
            self.assertEqual((passes["features"], passes["reading"]), (first["features"], first["reading"]))

    def test_columns(self):
        rows = self.rows(1)
        self.write("d.csv", self.text(rows))
        first = self.model("d.csv")
        for order in ([4, 3, 2, 1, 0], [2, 0, 4, 1, 3]):
            self.write("d.csv", self.text(rows, order))
            other = self.model("d.csv")
            self.assertEqual(other["reading"], first["reading"])
            self.assertEqual(other["training"]["errors"], first["training"]["errors"])
            self.assertEqual({c["name"]: c for c in other["columns"]}.keys() <= set(self.HEAD), True)

    def test_a_model_reads_the_way_of_training(self):
        for plain in (0, 1):
            rows = self.rows(plain)
            self.write("d.csv", self.text(rows))
            self.model("d.csv")
            answers = set()
            for part in (rows, rows[::-1]):
                self.write("p.csv", self.text(part))
                out = self.ok("predict", "m.json", "p.csv", "-q").stdout.splitlines()[1:]
                answers.add(tuple(sorted(zip((str(r) for r in part), (line.split(",")[0] for line in out)))))
            alone = []
            for row in rows:  # each row in a file of its own, all of it quoted
                alone.append(row)
            self.assertEqual(len(answers), 1)
            self.write("one.csv", self.text([[(text, True) for text, _ in row] for row in alone]))
            out = self.ok("predict", "m.json", "one.csv", "-q").stdout.splitlines()[1:]
            self.assertEqual(tuple(sorted(zip((str(r) for r in alone), (line.split(",")[0] for line in out)))), answers.pop())

    def test_options_of_reading_stay_with_the_model(self):
        text = "größe,n,y\n" + "".join(f"{'Süd' if i % 2 else 'Nord'},{(i % 7) if i % 5 else 99},{'' if i == 4 else 'pq'[i % 2]}\n"
                                        for i in range(60))
        self.write("d.csv", text.encode("latin-1"))
        self.refused(1, "d.csv:1:3: byte 0xf6 is not UTF-8; name the encoding (latin-1, windows-1252 or utf-16), or save the "
                     "file as UTF-8; try --text-encoding latin-1", "fit", "d.csv")
        self.ok("fit", "d.csv", "--text-encoding", "latin-1", "--missing", "n=99", "--drop-unlabelled", "-d", 2, "-o", "m.json")
        model = json.loads((self.dir / "m.json").read_text())
        self.assertEqual(check_schema(model), [])
        self.assertEqual(model["reading"]["encoding"], "latin-1")
        self.assertEqual(model["reading"]["missing_of"], {"n": ["99"]})
        got = json.loads(self.ok("evaluate", "m.json", "d.csv", "--json").stdout)
        self.assertEqual(got["errors"], model["training"]["errors"])
        self.ok("predict", "m.json", "d.csv")
        self.refused(1, "--missing: d.csv has no column named 'q'; the columns are 'größe', 'n', 'y'", "fit", "d.csv", "--text-encoding", "latin-1",
                     "--missing", "q=1")

    def test_errors_name_the_option_that_helps(self):
        """What is said behind "; try" is taken as it stands, and settles it."""
        rows = [f"{i % 7},{i % 5},{'np'[i % 7 > 3]}" for i in range(40)]
        few = "".join(row + "\n" for row in rows)
        tables = {"--drop-unlabelled": ("a,b,y\n" + few + "1,2,\n3,4,NA\n", []),
                  "--text-encoding latin-1": (("gr\u00f6\u00dfe,b,y\n" + few).encode("latin-1"), []),
                  "--delimiter ';'": (("a,b,y\n" + few).replace(",", ";"), ["--delimiter", ","]),
                  "--delimiter tab": (("a,b,y\n" + few).replace(",", "\t"), ["--delimiter", ","]),
                  "--no-header": ("".join(f"{i % 7},{i % 5}.5,{int(i % 7 > 3)}\n" for i in range(40)), []),
                  "--missing-also inf": ("a,b,y\n2,3,n\ninf,4,p\n" + few, []),
                  "--missing-also -inf": ("a,b,y\n2,3,n\n-inf,4,p\n" + few, [])}
        for wanted, (text, options) in tables.items():
            with self.subTest(option=wanted):
                self.write("t.csv", text)
                done = self.run_it("fit", "t.csv", "-d", 1, *options)
                self.assertEqual(done.returncode, 1, done.stderr)
                said = re.split("; try |[?] Try ", done.stderr.strip())[-1]
                self.assertEqual(said, wanted)
                kept = [] if wanted.startswith("--delimiter") else options
                self.ok("fit", "t.csv", "-d", 1, *kept, *shlex.split(said))
                self.ok("binarize", "t.csv", *kept, *shlex.split(said))

    def test_the_encoding_of_text_by_its_short_name(self):
        text = "gr\u00f6\u00dfe,y\n" + "".join(f"{i % 7},{'np'[i % 7 > 3]}\n" for i in range(40))
        for encoding, names in (("latin-1", ("latin-1", "Latin1", "iso-8859-1")), ("windows-1252", ("cp1252",)), ("utf-16-le", ("utf-16le",))):
            self.write("t.csv", text.encode(encoding))
            for name in names:
                for words in (["--encoding", name], [f"--encoding={name}"], ["--text-encoding", name]):
                    self.ok("fit", "t.csv", "-d", 1, "-o", "m.json", *words)
                    self.ok("predict", "m.json", "t.csv", *words)
        self.refused(2, "--text-encoding: expected utf-8, latin-1, windows-1252 or utf-16", "fit", "t.csv", "--encoding", "cp850")
        self.refused(2, "--encoding: expected auto, bdd1, bdd2, bdd3 or pair, got 'bdd9'", "fit", "t.csv", "--encoding", "bdd9")


if __name__ == "__main__":
    unittest.main()
