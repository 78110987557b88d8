"""fit --shards: one shard of a table in memory at a time, through the real program."""
import json
import os
import random
import signal
import subprocess
import time
import unittest

from beadwork_cli import BINARY, CliTest


def random_rows(rows, seed=1):
    """0/1 columns that are equal, opposite or constant in stretches of the table, numbers, categories, missing values."""
    rng = random.Random(seed)
    lines = []
    for r in range(rows):
        a, b = rng.randint(0, 1), rng.randint(0, 1)
        copy = a if r < rows // 2 else rng.randint(0, 1)
        rare = 0 if r < 2 * rows // 3 else rng.randint(0, 1)
        number = round(rng.gauss(0, 2), 1)
        colour = rng.choice(["red", "green", "blue"]) if r % 7 else ""
        yes = (a != b) if rng.random() < 0.6 else (number > 0.5 or colour == "red")
        lines.append(f"{a},{b},{copy},{1 - copy},{rare},{number},{colour},{'yes' if yes else 'no'}")
    return lines


HEADER = "a,b,copy,opposite,rare,number,colour,y"


class Shards(CliTest):
    def parts(self, lines, cuts, header=HEADER):
        """Files of these lines, and one of them all."""
        self.write("whole.csv", "\n".join([header, *lines]) + "\n")
        ends = [0, *cuts, len(lines)]
        return [self.write(f"part{i}.csv", "\n".join([header, *lines[a:b]]) + "\n") for i, (a, b) in enumerate(zip(ends, ends[1:]))]

    def model(self, name):
        model = json.loads((self.dir / name).read_text())
        model.pop("sha256")
        model["training"].pop("file_sha256", None)  # shards are several files
        return model, model["claim"].pop("shards")

    def assert_same(self, files, *options, empty=0):
        self.ok("fit", "whole.csv", "-o", "whole.json", *options)
        done = self.ok("fit", "--shards", *files, "-o", "shards.json", *options)
        whole, shards = self.model("whole.json"), self.model("shards.json")
        self.assertEqual(whole[0], shards[0])
        self.assertEqual((whole[1], shards[1]), (1, len(files) - empty))
        return done

    def refused(self, code, message, *args):
        done = self.run_it("fit", *args)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertIn(message, done.stderr.splitlines()[-1])

    def test_a_shard_may_be_without_rows_or_without_weight(self):
        lines = [f"{line},{r % 3 if r >= 100 else 0}" for r, line in enumerate(random_rows(300))]
        files = self.parts(lines, [100, 150], HEADER + ",w")  # no row of the first one counts
        self.assert_same(files, "-d", 3, "--target", "y", "--weight", "w", empty=1)
        empty = self.write("empty.csv", HEADER + ",w\n")
        self.ok("fit", "--shards", empty, *files, empty, "-d", 3, "--target", "y", "--weight", "w", "-o", "more.json")
        self.assertEqual(self.model("more.json"), self.model("shards.json"))
        self.refused(1, "the table has no rows", "--shards", empty, empty, "--target", "y")
        zero = self.write("zero.csv", "\n".join([HEADER + ",w", *lines[:100]]) + "\n")
        self.refused(1, "weight", "--shards", zero, zero, "--target", "y", "--weight", "w")

    def test_a_search_over_shards_is_not_divided(self):
        files = self.parts(random_rows(60), [30])
        for words in (["--plan", 2, "--plan-dir", "p"], ["--part", 7, "--plan-dir", "nowhere"], ["--plan-dir", "p"]):
            self.refused(2, "cannot be divided", "--shards", *files, *words)
        self.assertFalse((self.dir / "p").exists())

    def test_the_model_of_the_whole(self):
        lines = random_rows(300)
        for cuts in ([150], [50, 100, 200], [1, 2, 299], list(range(30, 300, 30))):
            files = self.parts(lines, cuts)
            for options in (["-d", 3], ["-d", 4, "--thresholds", "mdlp"], ["-d", 2, "--forbid", "a", "--require", "rare"],
                            ["-d", 3, "--candidate", "copy", "--candidate", "opposite", "--candidate", "number", "--threads", 2]):
                with self.subTest(cuts=cuts, options=options):
                    done = self.assert_same(files, *options)
                    self.assertIn(f"; proven from {len(files)} shards", done.stdout)

    def test_weights_and_costs(self):
        rng = random.Random(3)
        lines = [f"{rng.choice([0.1, 0.25, 3])},{line}" for line in random_rows(200)]
        files = self.parts(lines, [60, 130], "w," + HEADER)
        self.write("costs.csv", ",no,yes\nno,0,1\nyes,2.5,0\n")
        self.assert_same(files, "-d", 3, "--weight", "w")
        self.assert_same(files, "-d", 3, "--weight", "w", "--costs", "costs.csv")

    def test_types_are_those_of_the_whole(self):
        """0 and 1 alone in one shard, other numbers in the next; a column without values; a category in one shard alone."""
        first = ["0,1,,red,u", "1,0,,red,v", "1,1,,red,u"] * 9
        second = ["2,1,5,blue,u", "1,0,7,red,v", "0,,6,green,w"] * 9
        files = self.parts(first + second, [27], "n,bit,late,colour,y")
        self.assert_same(files, "-d", 3)

    def test_texts_mean_what_they_mean_in_the_whole(self):
        """Each part alone would be read otherwise than the other one, or than both together."""
        columns = {"numbers and text": (["1", "2", "3.5"], ["1", "2", "5more"]),
                   "spellings of a number": (["1", "2"], ["1.0", "2.00", "x"]),
                   "yes and no": (["yes", "no"], ["Yes", "No"]),
                   "mixed truths": (["yes", "no", "Y"], ["yes", "no", "TRUE"]),
                   "truths and another word": (["yes", "no", "n/a"], ["yes", "no", "maybe", "n/a"]),
                   "decimal commas": (["1.5", "2.5", "3"], ["1,5", "2,5", "7"]),
                   "a doubtful thousand": (["1.234,5", "2.345,5"], ["1.234", "2.345"]),
                   "thousands": (["1,234", "22,345"], ["12", "700"]),
                   "a unit": (["5 kg", "6 kg"], ["5", "7"]),
                   "a sign": (["5", "6"], ["\u22125", "7"]),
                   "dates": (["13.01.2024", "14.02.2024"], ["01.02.2024", "03.04.2024"]),
                   "dates and times": (["2024-01-13", "2024-02-14"], ["2024-01-13T10:00", "2024-02-14T11:00"]),
                   "codes": (["1067", "10115"], ["01067", "10115"]),
                   "words for nothing": (["-", "5", "6"], ["n/a", "7", "8"]),
                   "nothing but such words": (["-", "n/a"], ["5", "6", "7"]),
                   "bits and such words": (["0", "1", "-"], ["red", "0", "-"]),
                   "bits": (["0", "1", "-"], ["2", "3", "n/a"])}
        for name, parts in columns.items():
            for turned in (parts, parts[::-1]):
                rng = random.Random(name)
                lines = [[f'"{text}",{rng.randint(0, 1)},{"uv"[len(text) % 2]}' for text in part * 15] for part in turned]
                for weighed in ("", ",0.1") if turned is parts else ("",):
                    with self.subTest(name, turned=turned is not parts, weighed=weighed):
                        files = self.parts([line + weighed for line in lines[0] + lines[1]], [len(lines[0])], "x,b,y" + (",w" if weighed else ""))
                        self.assert_same(files, "-d", 2, "--target", "y", *(["--weight", "w"] if weighed else []))
                        self.assertEqual(self.evaluated("shards.json"), self.model("shards.json")[0]["training"]["errors"])

    def test_nan_is_refused_as_in_the_whole(self):
        """In quotes it is a text; beside numbers alone it is refused, beside another word it is one more for no value."""
        for first, second, said in ((['"NaN"', "5"], ["6", "7"], "is not a finite number"), (['"NaN"', "5"], ["6", "-"], None),
                                    (["5", "inf"], ["6", "7"], "is not a finite number"), (["5", "inf"], ["red", "7"], None)):
            for parts in ((first, second), (second, first)):
                with self.subTest(parts):
                    lines = [[f"{text},{i % 2},{'uv'[i % 2]}" for i, text in enumerate(part * 20)] for part in parts]
                    files = self.parts(lines[0] + lines[1], [len(lines[0])], "x,b,y")
                    if said is None:
                        self.assert_same(files, "-d", 1)
                    else:
                        self.refused(1, said, "whole.csv", "-d", 1)
                        self.refused(1, said, "--shards", *files, "-d", 1)

    def test_classes_are_judged_in_the_whole(self):
        """A part with many labels for its rows is no reason to refuse the table."""
        lines = [f"{i % 7},{i % 25 if i < 40 else i % 3}" for i in range(600)]
        self.assert_same(self.parts(lines, [30, 300], "a,y"), "-d", 1)

    def evaluated(self, model):
        return json.loads(self.ok("evaluate", model, "whole.csv", "--json").stdout)["errors"]

    def test_rare_categories_are_those_of_the_whole(self):
        rng = random.Random(5)
        lines = [f"{'abcdefgh'[min(rng.randrange(9), rng.randrange(9)) % 8]},{rng.randint(0, 1)},{rng.randint(0, 1)}" for _ in range(120)]
        self.assert_same(self.parts(lines, [40, 80], "c,x,y"), "-d", 3, "--max-categories", 3)

    def test_formats(self):
        for i, rows in enumerate((["0 1 0", "1 1 1"], ["1 0 1", "0 0 0", "1 1 0"])):
            self.write(f"m{i}.txt", "\n".join(rows) + "\n")
        self.write("whole.csv", "0 1 0\n1 1 1\n1 0 1\n0 0 0\n1 1 0\n")
        self.assert_same(["m0.txt", "m1.txt"], "-d", 2)

    def test_what_is_refused(self):
        files = self.parts(random_rows(60), [30])
        shards = ["--shards", *files]
        for option in (["--engine", "cart"], ["--top", 3], ["--within", 1], ["--front"], ["--committee"], ["--max-nodes", 4],
                       ["--node-penalty", 1], ["--certificate", "c"], ["--checkpoint", "s"], ["--faithful"], ["-d", "1..3"],
                       ["-d", "cv"], ["--size", "auto"], ["--prices"], ["--report", "r.html"], ["--target-bins", 2],
                       ["--features-from", "cart"], ["--thresholds", "all"], ["--front-plot", "f.svg"]):
            with self.subTest(option=option):
                self.refused(2, "cannot be used with", *shards, *option)
        self.refused(2, "cannot be given with another FILE", "whole.csv", *shards)
        self.refused(2, "FILE is required")
        self.refused(2, "--shards: standard input cannot be a shard: each is read several times", *shards, "-")
        self.refused(2, "would overwrite an input", *shards, "-o", files[1])
        self.refused(2, "unknown feature 'zzz'", *shards, "--require", "zzz")

    def test_shards_that_do_not_fit_together(self):
        self.write("a.csv", "x,z,y\n1,2,u\n5,1,v\n")
        for name, text, message in (("c", "x,q,y\n1,2,u\n", "c.csv: column 'q' is not in the shards before"),
                                    ("d", "x,y\n1,u\n", "d.csv: column 'z' of the shards before is not there"),
                                    ("e", "x,z,t\n1,2,u\n", "e.csv: the target is 't' here"),
                                    ("g", "x,z,y\n1,2\n", "g.csv:2:4: this row has 2 values")):
            self.write(f"{name}.csv", text)
            self.refused(1, message, "--shards", "a.csv", f"{name}.csv")
        self.refused(1, "nowhere.csv: cannot open", "--shards", "a.csv", "nowhere.csv")
        self.write("h.arff", "@relation r\n@attribute x {red,blue}\n@attribute y {u,v}\n@data\nred,u\nblue,v\n")
        self.write("i.arff", "@relation r\n@attribute x numeric\n@attribute y {u,v}\n@data\n1,u\n2,v\n")
        self.refused(1, "i.arff: column 'x' holds numbers here and text in h.arff", "--shards", "h.arff", "i.arff")

    def test_limits(self):
        files = self.parts(random_rows(400), [100, 200, 300])
        for limit in (["--time-limit", 0], ["--memory-limit", 1]):
            done = self.run_it("fit", "--shards", *files, "-d", 4, "-o", "m.json", *limit)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("not proven optimal: between", done.stdout)
            self.assertNotIn("optimal: no diagram", done.stdout)
            self.ok("evaluate", "m.json", "whole.csv")

    def test_an_interrupt_leaves_bounds_or_nothing(self):
        rng = random.Random(2)
        lines = [",".join(str(rng.randint(0, 1)) for _ in range(61)) for _ in range(1500)]
        files = self.parts(lines, [500, 1000], ",".join([f"x{i}" for i in range(60)] + ["y"]))
        for wait in (0.05, 0.4, 1.5):
            run = subprocess.Popen([BINARY, "fit", "--shards", *files, "-d", "6", "-q", "--json"], cwd=self.dir,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(wait)
            run.send_signal(signal.SIGINT)
            out, err = run.communicate(timeout=1800)
            self.assertIn(run.returncode, (-signal.SIGINT, 3, 4), err)
            if run.returncode == 4:
                outcome = json.loads(out)
                self.assertLess(outcome["lower_bound"], outcome["upper_bound"])

    def test_a_reader_that_goes_away(self):
        files = self.parts(random_rows(60), [30])
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([BINARY, "fit", "--shards", *files, "-q"], cwd=self.dir, stdout=write, stderr=subprocess.PIPE)
        os.close(write)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertLessEqual(len(done.stderr.decode().splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
