"""What the tests of further exports share: fewer rows by default (BEADWORK_EXPORT_ROWS says how many), rows that a type of
numbers can hold, and values in a file for programs of other languages to read.
"""
import copy
import math
import os
import struct
import subprocess

import cases
from beadwork_cli import meant
from cases import MODELS, order_of
from test_exports import ExportTest, command, needs  # noqa: F401, for those who import from here

ROWS = int(os.environ.get("BEADWORK_EXPORT_ROWS", "2000"))
cases.ROWS = ROWS
# All models if asked for (BEADWORK_EXPORT_MODELS=all); by default those that have everything.
EVERY_MODEL = os.environ.get("BEADWORK_EXPORT_MODELS") == "all"
ALL = (*MODELS, "spellings") if EVERY_MODEL else ("mixed", "words", "hostile", "constant", "spellings")


def codes(column):
    """Texts as numbers: 0 is missing, 1 any other text."""
    return {v: i + 2 for i, v in enumerate(order_of(column) or column["levels"])}


def coded(column, value):
    if value is None or value in column.get("reading", {}).get("missing", []):
        return 0
    return codes(column).get(meant(column, value), 1)


def held(c, hold):
    """The same model with rows whose numbers are `hold(threshold or value)`: numbers that a smaller type can hold."""
    other = copy.copy(c)
    for cached in ("rows", "answers", "bits", "vectors"):
        other.__dict__.pop(cached, None)
    other.rows = [tuple(hold(v) if isinstance(v, float) else v for v in row) for row in c.rows]
    return other


def as_integer(bits, scale):
    """A maker of numbers that are integers of so many bits over the scale: below and above where the value lies."""
    least, most = -(2 ** (bits - 1)), 2 ** (bits - 1) - 2 ** max(0, bits - 54)  # numbers that a double holds
    turn = [0]

    def hold(value):
        turn[0] += 1
        q = min(max(math.floor(value * scale) + turn[0] % 3 - 1, least), most)
        return q / scale
    return hold


def as_float(value):
    """A float beside the value, never beyond the largest."""
    return struct.unpack("f", struct.pack("f", min(max(value, -3e38), 3e38)))[0]


def write_values(c, rows):
    """Values that end in NUL, V before each that is not missing. Returns the number of bytes."""
    out = bytearray()
    for row in rows:
        for v in row:
            out += b"M\0" if v is None else b"V" + (v if isinstance(v, str) else repr(v)).encode() + b"\0"
    (c.dir / "values").write_bytes(out)
    return len(out)


class FurtherTest(ExportTest):
    def refused(self, c, args, line):
        done = subprocess.run([cases.BINARY, "export", "model.json", *args], cwd=c.dir, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""), (args, done.stderr))
        self.assertTrue(done.stderr.startswith("beadwork: " + line), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def agree_on_shares(self, c, got, format, within=0):
        """The shares of the classes, row by row, as predict gives them."""
        self.assertEqual(len(got), len(c.answers), (c.name, format))
        for row, shares, said in zip(c.rows, got, c.said):
            for a, b in zip(shares, said["probabilities"], strict=True):
                self.assertLessEqual(abs(a - b), within, (c.name, format, row, shares, said))
