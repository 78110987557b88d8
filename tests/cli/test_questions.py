"""No question whose answer is known: every edge of a fitted diagram, walked by every kind of value that a row can have."""
import itertools
import json
import random
import unittest

from beadwork_cli import RAW, CliTest, need, passes, read_arff, recount


def values_of(model):
    """For each column some value in every region between its tests: each threshold, above, each level, another, missing."""
    out = {column["name"]: {None, 1e9 if column["type"] == "numeric" else "never seen"} for column in model["columns"]}
    for feature in model["features"]:
        column = model["columns"][feature["column"]]["name"]
        if feature["test"] == "at_most":
            out[column].add(feature["threshold"])
        elif feature["test"] == "equals":
            out[column].add(feature["level"])
    return out


def known_answers(model):
    """Edges to a test that every row passes, or every row fails, which takes them."""
    nodes, values = model["diagram"]["nodes"], values_of(model)
    seen = {}
    for row in itertools.product(*values.values()):
        row = dict(zip(values, row))

        def passed(n):
            feature = model["features"][nodes[n]["feature"]]
            column = model["columns"][feature["column"]]
            return passes(feature, row[column["name"]], column)
        at = 0
        while "class" not in nodes[at]:
            edge = (at, passed(at))
            at = nodes[at]["high" if edge[1] else "low"]
            if "class" not in nodes[at]:
                seen.setdefault(edge, set()).add(passed(at))
    return [edge for edge, answers in seen.items() if len(answers) == 1]


class Questions(CliTest):
    def check(self, *args):
        self.ok("fit", *args, "-q", "-o", "m.json")
        model = json.loads((self.dir / "m.json").read_text())
        self.assertEqual(known_answers(model), [])
        return model

    def test_random_tables(self):
        rng = random.Random(1)
        for table in range(40):
            rows = [[str(rng.randint(1, 9)), str(rng.randint(1, 9)), rng.choice(["red", "green", "blue", "?"]),
                     rng.choice("pq")] for _ in range(60)]
            self.write("d.csv", "\n".join(map(",".join, [["x", "z", "colour", "y"], *rows])) + "\n")
            options = rng.choice([[], ["--thresholds", "all"], ["--bias", "size"], ["--bias", "C"], ["--max-nodes", 9],
                                  ["--engine", "cart"], ["--engine", "local"], ["--engine", "maxsat-dt"]])
            self.check("d.csv", "-d", 2 if "maxsat-dt" in options else rng.randint(2, 5), "--missing", "?", *options)

    @need("raw")
    def test_raw_tables(self):
        for name, depth in (("banknote-authentication", 6), ("pima-indians-diabetes", 4), ("car-evaluation", 6)):
            path = RAW / f"{name}.arff"
            model = self.check(path, "-d", depth)
            errors, counts = recount(model, read_arff(path))
            self.assertEqual(errors, model["training"]["errors"])
            self.assertEqual(counts, model["paths"])


if __name__ == "__main__":
    unittest.main()
