"""Tables that gzip packed, and files that are damaged, cut or changed while they are read. Python's gzip is the reference."""
import hashlib
import json
import gzip
import os
import subprocess
import threading
import time
import unittest

from beadwork_cli import BINARY, CliTest

TABLE = "age,color,score,y\n" + "".join(
    f"{i * 7 % 50},{('red', 'green', 'blue')[i % 3]},{i * 13 % 29 / 2},{'yes' if i * 7 % 50 > 20 else 'no'}\n"
    for i in range(200))
ARFF = "@relation r\n@attribute a numeric\n@attribute b {u,v}\n@attribute y {p,q}\n@data\n" + "".join(
    f"{i % 9},{'uv'[i % 2]},{'pq'[i % 9 > 3]}\n" for i in range(60))
MATRIX = "".join(f"{(i & 1) ^ (i >> 1 & 1)} {i & 1} {i >> 1 & 1} {i >> 2 & 1}\n" for i in range(16))
LONG_ROWS = 4_000_000  # more than a window


def long_table():
    rows = "".join(f"{i % 100},{i % 7}.5,word\n" for i in range(70_000))
    return "a,b,c\n" + rows * (LONG_ROWS // 70_000)


class Packed(CliTest):
    def test_every_command_reads_them(self):
        self.write("t.csv", TABLE)
        self.write("t.csv.gz", gzip.compress(TABLE.encode()))
        self.ok("fit", "t.csv", "-d", "2", "-o", "plain.json")
        self.ok("fit", "t.csv.gz", "-d", "2", "-o", "packed.json")
        models = [json.loads((self.dir / name).read_text()) for name in ("plain.json", "packed.json")]
        for model, file in zip(models, ("t.csv", "t.csv.gz")):
            hashed = hashlib.sha256((self.dir / file).read_bytes()).hexdigest()  # as sha256sum prints it
            self.assertEqual(model["training"].pop("file_sha256"), hashed)
            del model["sha256"]
        self.assertEqual(*models)
        for command in (["binarize"], ["evaluate", "plain.json"], ["predict", "plain.json"], ["compare", "--engines", "search,cart", "--json"]):
            with self.subTest(command=command[0]):
                plain, packed = (self.run_it(*command, name) for name in ("t.csv", "t.csv.gz"))
                self.assertEqual(plain.returncode, packed.returncode, packed.stderr)
                if command[0] != "compare":
                    self.assertEqual(plain.stdout, packed.stdout)
        self.ok("report", "plain.json", "t.csv.gz", "-o", "page.html")
        self.assertIn("t.csv.gz", (self.dir / "page.html").read_text())

    def test_other_formats(self):
        for name, text in (("t.arff", ARFF), ("t.txt", MATRIX)):
            self.write(name, text)
            self.write(name + ".gz", gzip.compress(text.encode()))
            self.assertEqual(self.ok("binarize", name, "-q").stdout, self.ok("binarize", name + ".gz", "-q").stdout)

    def test_name_does_not_matter(self):
        self.write("t.csv", gzip.compress(TABLE.encode()))
        self.write("plain.csv", TABLE)
        self.assertEqual(self.ok("binarize", "t.csv", "-q").stdout, self.ok("binarize", "plain.csv", "-q").stdout)

    def test_members_and_padding(self):
        data = TABLE.encode()
        self.write("plain.csv", TABLE)
        expected = self.ok("binarize", "plain.csv", "-q").stdout
        for packed in (gzip.compress(data[:100]) + gzip.compress(data[100:]), gzip.compress(data) + bytes(1000),
                       gzip.compress(data[:1]) + gzip.compress(b"") + gzip.compress(data[1:])):
            self.write("t.csv.gz", packed)
            self.assertEqual(self.ok("binarize", "t.csv.gz", "-q").stdout, expected)
        self.write("t.csv.gz", gzip.compress(data) + b"more")
        self.refused(1, "t.csv.gz: is damaged: its packed data cannot be unpacked (something else follows them)", "binarize",
                     "t.csv.gz")

    def test_cut_short_anywhere(self):
        packed = gzip.compress(TABLE.encode())
        for size in [2, 3, 9, 10, 11, *range(12, len(packed), 37), len(packed) - 8, len(packed) - 1]:
            self.write("t.csv.gz", packed[:size])
            self.refused(1, "t.csv.gz: is cut short: its packed data end too early", "fit", "t.csv.gz", "-o", "m.json")

    def test_flipped_bits(self):
        packed = gzip.compress(TABLE.encode())
        for at in range(10, len(packed), 41):
            self.write("t.csv.gz", packed[:at] + bytes([packed[at] ^ 16]) + packed[at + 1:])
            done = self.run_it("fit", "t.csv.gz", "-o", "m.json")
            self.assertEqual(done.returncode, 1, at)
            self.assertRegex(done.stderr, r"\Abeadwork: t\.csv\.gz(:\d+:\d+)?: (is damaged|is cut short).*\n\Z")
            self.assertFalse((self.dir / "m.json").exists())

    def test_standard_input_and_output(self):
        self.write("t.csv", TABLE)
        self.ok("fit", "t.csv", "-d", "2", "-o", "m.json")
        expected = self.ok("predict", "m.json", "t.csv").stdout
        piped = subprocess.run([BINARY, "predict", "m.json", "-"], cwd=self.dir, input=gzip.compress(TABLE.encode()),
                               capture_output=True, check=True)
        self.assertEqual(piped.stdout.decode(), expected)
        for options in ([], ["--json"], ["--probabilities", "--with-columns", "color"]):
            expected = self.ok("predict", "m.json", "t.csv", *options).stdout
            self.ok("predict", "m.json", "t.csv", *options, "-o", "p.gz")
            self.assertEqual(gzip.decompress((self.dir / "p.gz").read_bytes()).decode(), expected)


class Long(CliTest):
    """Files longer than a window."""

    def setUp(self):
        super().setUp()
        self.write("s.csv", "a,b,c\n" + "".join(f"{i % 100},{i % 7}.5,{'word' if i % 100 < 40 else 'text'}\n" for i in range(700)))
        self.ok("fit", "s.csv", "-d", "1", "--target", "c", "-o", "m.json")
        self.text = long_table()
        self.rows = self.text.count("\n") - 1

    def test_late_errors_leave_nothing(self):
        for last, line in (("1,2,3,4\n", f"t.csv:{self.rows + 2}:7: this row has 4 values, the header has 3; quote a value that "
                            "contains the delimiter"),
                           ("x,2,3\n", f"t.csv:{self.rows + 2}:1: expected a number in column 'a', got 'x'; make the column "
                            "nominal, or add the text to the missing values"),
                           ("1,\"2,3\n", f"t.csv:{self.rows + 2}:3: the quote opened here is never closed")):
            self.write("t.csv", self.text + last)
            self.refused(1, line, "predict", "m.json", "t.csv", "-o", "p.csv")

    def test_packed(self):
        packed = gzip.compress(self.text.encode(), 1)
        self.write("t.csv.gz", packed)
        self.ok("predict", "m.json", "t.csv.gz", "-o", "p.csv.gz")
        with gzip.open(self.dir / "p.csv.gz", "rt") as file:
            header, *answers = file.read().splitlines()
        self.assertEqual(header, "prediction,probability")
        self.assertEqual(len(answers), self.rows)
        self.assertEqual(answers[:100] * (self.rows // 100), answers)
        self.assertEqual(answers[:100], self.ok("predict", "m.json", "s.csv").stdout.splitlines()[1:101])
        os.remove(self.dir / "p.csv.gz")
        self.write("t.csv.gz", packed[:-3])
        self.refused(1, "t.csv.gz: is cut short: its packed data end too early", "predict", "m.json", "t.csv.gz", "-o", "p.csv")

    def test_a_file_that_grows(self):
        path = self.dir / self.write("t.csv", self.text)
        running = threading.Event()

        def append():
            while not running.is_set():
                with open(path, "a", encoding="utf-8") as file:
                    file.write("1,1.5,word\n")
                time.sleep(0.001)

        thread = threading.Thread(target=append)
        thread.start()
        try:
            done = self.run_it("predict", "m.json", "t.csv", "-o", "p.csv")
        finally:
            running.set()
            thread.join()
        self.assertEqual((done.returncode, done.stderr), (1, "beadwork: t.csv: changed while it was read\n"))
        self.assertFalse((self.dir / "p.csv").exists())


if __name__ == "__main__":
    unittest.main()
