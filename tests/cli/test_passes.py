"""fit --in-passes: the model of a table that is never held in memory is, byte for byte, that of one that is."""
import random
import re
import unittest

from beadwork_cli import RAW, CliTest, need

TIMES = re.compile(r'\d+\.\d+ s\b|"time_s": [^,\n]+')


def columns(rng, rows):
    """Columns as people have them: each a name and its cells."""
    word = lambda n: rng.choice([f"w{i}" for i in range(n)])
    makers = [
        lambda: [str(rng.randrange(30)) for _ in range(rows)],
        lambda: [f"{rng.gauss(0, 1):.3f}" for _ in range(rows)],
        lambda: [f"{rng.randrange(5000)},{rng.randrange(100):02d}" for _ in range(rows)],
        lambda: [f"20{rng.randrange(10, 25)}-{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}" for _ in range(rows)],
        lambda: [rng.choice(["yes", "No", "TRUE", "n"]) for _ in range(rows)],
        lambda: [word(3) for _ in range(rows)],
        lambda: [word(200) for _ in range(rows)],
        lambda: [f"id{i}" for i in range(rows)],
        lambda: [str(rng.randrange(2)) for _ in range(rows)],
        lambda: [str(rng.randrange(9)) for _ in range(rows - 1)] + ["5more"],
        lambda: [rng.choice(["1", "2", "-"]) for _ in range(rows)],
        lambda: [rng.choice(["0", "1", "", "NA"]) for _ in range(rows)],
        lambda: [rng.choice(["-0", "0", "1e3", "-2.5"]) for _ in range(rows)],
        lambda: ["" for _ in range(rows)],
    ]
    chosen = rng.sample(makers, rng.randrange(1, 7))
    out = [(f"c{i}", make()) for i, make in enumerate(chosen)]
    for _, cells in out:
        if rng.random() < 0.3:
            for r in rng.sample(range(rows), rows // 10):
                cells[r] = ""
    return out


def as_csv(named):
    quoted = lambda cell: f'"{cell}"' if "," in cell else cell
    lines = [",".join(name for name, _ in named)] + [",".join(map(quoted, row)) for row in zip(*(c for _, c in named))]
    return "\n".join(lines) + "\n"


class InPasses(CliTest):
    def same(self, name, *options):
        """Both ways give the same files, notes and answers."""
        outputs = []
        for way in ([], ["--in-passes"]):
            done = self.run_it("fit", name, *options, *way, "-o", "m.json")
            model = (self.dir / "m.json").read_bytes() if done.returncode == 0 else b""
            (self.dir / "m.json").unlink(missing_ok=True)
            outputs.append((done.returncode, TIMES.sub("", done.stdout), done.stderr, model))
        self.assertEqual(*outputs)
        return outputs[0][0]

    def test_random_tables(self):
        learnt = 0
        for seed in range(60):
            rng = random.Random(seed)
            rows = rng.choice([2, 30, 80, 300])
            named = columns(rng, rows)
            named.append(("y", [rng.choice("pqr"[: rng.randrange(1, 4)]) for _ in range(rows)]))
            options = ["-d", str(rng.randrange(1, 4)), "--time-limit", "none"]
            if rng.random() < 0.3:
                named.insert(0, ("w", [str(rng.randrange(4) + (i == 0)) for i in range(rows)]))
                options += ["--weight", "w"]
            if rng.random() < 0.3:
                options += ["--thresholds", f"quantiles:{rng.randrange(1, 12)}"]
            if rng.random() < 0.2:
                options += rng.choice([["--within", "1"], ["--max-nodes", "4"], ["--front"], ["--json"], ["--max-categories", "5"]])
            self.write("t.csv", as_csv(named))
            with self.subTest(seed=seed):
                learnt += self.same("t.csv", *options) == 0
        self.assertGreater(learnt, 40)

    def test_numbers_beyond_counting(self):
        """More different numbers than are counted one by one, in orders that mislead."""
        rng = random.Random(1)
        rows = 90_000
        skewed = [10 ** rng.uniform(-300, 300) * rng.choice((-1, 1)) for _ in range(rows)]
        table = [("sorted", [repr(i / 7) for i in range(rows)]),
                 ("falling", [repr(-i * 1e-3) for i in range(rows)]),
                 ("skewed", [repr(x) for x in skewed]),
                 ("heavy", [repr(rng.random()) if i < 70_000 or i % 2 else "17" for i in range(rows)]),
                 ("gaps", ["" if i % 5 == 0 else repr(rng.gauss(0, 1)) for i in range(rows)]),
                 ("y", ["pq"[x > 0] if i % 9 else "p" for i, x in enumerate(skewed)])]
        self.write("t.csv", as_csv(table))
        for options in (["-d", "2"], ["-d", "1", "--thresholds", "quantiles:100"]):
            self.assertEqual(self.same("t.csv", *options), 0)

    def test_numeric_target(self):
        rng = random.Random(2)
        self.write("t.csv", as_csv([("x", [str(rng.randrange(50)) for _ in range(400)]),
                                    ("y", [str(rng.randrange(1000)) for _ in range(400)])]))
        self.assertEqual(self.same("t.csv", "-d", "2", "--target-bins", "3"), 0)
        self.assertEqual(self.same("t.csv", "-d", "2"), 2)

    @need("raw")
    def test_known_data(self):
        for path in sorted(RAW.glob("*.arff"))[:12]:
            with self.subTest(path=path.name):
                self.same(path, "-d", "2")

    def test_refusals_are_the_same(self):
        for text in ("a,y\n1,p\n2\n", "a,y\n1,\n", "a,y\n", "a,y\nnan,p\n1,q\n", "w,a,y\n-1,2,p\n", "a,y\n1,p\n\xff,q\n".encode("latin1")):
            self.write("t.csv", text)
            self.same("t.csv", "--target", "y")

    def test_what_needs_rows(self):
        self.write("t.csv", "a,y\n1,p\n2,q\n3,p\n")
        for options, what in ((["--engine", "cart"], "--engine cart"), (["--report", "r.html"], "--report"),
                              (["--thresholds", "all"], "--thresholds all"), (["--committee", "1"], "--committee"),
                              (["--depth", "cv"], "a depth that is chosen by cross-validation")):
            self.refused(2, f"--in-passes: cannot be used with {what}: it needs all rows in memory", "fit", "t.csv", *options, "--in-passes")

    def test_fractional_weights(self):
        self.write("t.csv", "w,a,y\n0.5,1,p\n0.25,2,q\n1,3,p\n")
        plain = self.ok("fit", "t.csv", "--weight", "w", "-o", "a.json")
        passes = self.ok("fit", "t.csv", "--weight", "w", "--in-passes", "-o", "b.json")
        self.assertEqual(TIMES.sub("", plain.stdout), TIMES.sub("", passes.stdout))
        self.assertEqual((self.dir / "a.json").read_bytes(), (self.dir / "b.json").read_bytes())
        self.assertIn("the weights are not whole numbers", passes.stderr)


if __name__ == "__main__":
    unittest.main()
