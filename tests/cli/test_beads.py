"""Beads and merging by hand: the paper's Examples 1 and 3, and random tables beside the definitions, on strings."""
import json
import random
import unittest
import xml.etree.ElementTree

from beadwork_cli import CliTest


def subtables(table):
    while True:
        yield table
        if len(table[0]) == 1:
            return
        table = [half for part in table for half in (part[:len(part) // 2], part[len(part) // 2:])]


def beads_of(cells):
    """By level: the distinct subtables whose halves differ."""
    return [list(dict.fromkeys(s for s in level if len(s) == 1 or s[:len(s) // 2] != s[len(s) // 2:])) for level in subtables([cells])]


def merged(cells):
    """Phases 2 and 3 of the paper, level by level, halves first, then from left to right."""
    def common(a, b):
        out = [y if x == "u" else x if y in ("u", x) else None for x, y in zip(a, b)]
        return None if None in out else "".join(out)
    parts = [cells]
    while len(parts[0]) > 1:
        halves = [(p[:len(p) // 2], p[len(p) // 2:]) for p in parts]
        halves = [(c, c) if (c := common(a, b)) is not None else (a, b) for a, b in halves]
        groups, of = [], []
        for s in (half for pair in halves for half in pair):
            for g, held in enumerate(groups):
                if (c := common(held, s)) is not None:
                    groups[g] = c
                    of.append(g)
                    break
            else:
                of.append(len(groups))
                groups.append(s)
        parts = [groups[g] for g in of]
    return "".join(parts).replace("u", "0")


def answers(nodes, edges, depth, cells):
    """What the nodes and edges of GenBDD answer in every cell: the classes of the sinks, by variables called 1, 2, ..."""
    child = {(e["parent"], e["side"]): e["child"] for e in edges}
    names = {n["id"]: n for n in nodes}
    out = ""
    for cell in range(len(cells)):
        node = 1 if 1 in names else nodes[0]["id"]
        while node > 0:
            level = int(names[node]["variable"]) - 1
            node = child[node, "right" if cell >> (depth - 1 - level) & 1 else "left"]
        out += names[node]["bead"]
    return out


class Beads(CliTest):
    def test_example_1_of_the_paper(self):
        told = json.loads(self.ok("beads", "00010111", "--json").stdout)
        self.assertEqual(told["beads"], [["00010111"], ["0001", "0111"], ["01"], ["0", "1"]])
        self.assertEqual([(n["id"], n.get("variable", n["bead"])) for n in told["nodes"]],
                         [(-1, "1"), (-2, "0"), (1, "x1"), (2, "x2"), (3, "x2"), (4, "x3")])
        self.assertEqual([(e["parent"], e["child"], e["side"]) for e in told["edges"]],
                         [(1, 2, "left"), (1, 3, "right"), (2, -2, "left"), (2, 4, "right"), (3, 4, "left"), (3, -1, "right"),
                          (4, -2, "left"), (4, -1, "right")])

    def test_example_3_of_the_paper(self):
        told = json.loads(self.ok("merge", "u0u1011u", "--json").stdout)
        self.assertEqual((told["result"], told["size"]), ("10010110", 7))
        self.assertEqual([g["members"] for g in told["steps"][0]["groups"]], [["u0u1"], ["011u"]])
        self.assertEqual(told["steps"][1]["groups"],
                         [{"members": ["u0", "1u"], "become": "10"}, {"members": ["u1", "01"], "become": "01"}])
        self.assertEqual([[b["after"] for b in step["beads"]] for step in told["steps"]], [["u0u1011u"], ["1001", "0110"], ["10", "01"]])
        self.assertEqual([b["before"] for b in told["steps"][1]["beads"]], ["u0u1", "011u"])
        self.assertIn("f2  1001 (u0u1) 0110 (011u)\n", self.ok("merge", "u0u1011u").stdout)

    def test_random_tables(self):
        draw = random.Random(7)
        for _ in range(60):
            depth = draw.randint(0, 6)
            cells = "".join(draw.choice(draw.choice(("01", "01u", "0123", "0u"))) for _ in range(1 << depth))
            names = [] if depth == 0 else ["--names", ",".join(str(i + 1) for i in range(depth))]
            told = json.loads(self.ok("beads", cells, "--json", *names).stdout)
            self.assertEqual(told["beads"], beads_of(cells), cells)
            self.assertEqual(told["size"], len(told["nodes"]), cells)
            self.assertEqual(answers(told["nodes"], told["edges"], depth, cells), cells)
            if set(cells) <= set("01u"):
                after = json.loads(self.ok("merge", cells, "--json", *names).stdout)
                self.assertEqual(after["result"], merged(cells), cells)
                self.assertEqual(answers(after["nodes"], after["edges"], depth, cells), merged(cells))
                self.assertEqual(after["size_before"], told["size"])
                self.assertLessEqual(after["size"], after["size_before"])
            self.ok("merge", cells)  # as text

    def test_drawings(self):
        self.ok("beads", "00010111", "-o", "b.svg")
        ns = "{http://www.w3.org/2000/svg}"
        svg = xml.etree.ElementTree.parse(self.dir / "b.svg").getroot()
        texts = [t.text for t in svg.iter(ns + "text")]
        for text in ("00010111", "0001", "0111", "01", "0", "1", "x1", "x2", "x3"):
            self.assertEqual(texts.count(text), 1, text)
        self.assertEqual(len([p for p in svg.iter(ns + "path")]), 8)
        self.ok("merge", "u0u1011u", "-o", "m.dot")
        dot = (self.dir / "m.dot").read_text()
        self.assertIn('label="u0u1\\n1001"', dot)
        self.assertEqual(dot.count(" -> n"), 10)
        self.ok("beads", "01" * 512, "-o", "long.svg")

    def test_bad_input(self):
        for words, code, said in ((("011",), 1, "TABLE: expected 1, 2, 4, 8, ... cells, got 3"),
                                  (("",), 2, "TABLE: needs a value"),
                                  (("01" * 16384,), 1, "TABLE: expected at most 16384 cells, got 32768"),
                                  (("01x1",), 1, "TABLE: cell 3 is 'x', expected a class from 0 to 9, or u"),
                                  (("0110", "--names", "a"), 2, "--names: expected 2 names for 4 cells, got 1"),
                                  (("0110", "-o", "x.png"), 2, "--output: the name of a drawing ends in .svg, .dot or .gv"),
                                  (("0110", "-o", "no/x.svg"), 1, "no/x.svg: ")):
            for command in ("beads", "merge"):
                done = self.run_it(command, *words)
                self.assertEqual(done.returncode, code, (command, words, done.stderr))
                self.assertEqual(done.stdout, "")
                self.assertTrue(done.stderr.startswith("beadwork: " + said) and done.stderr.count("\n") == 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
