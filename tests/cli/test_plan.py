#!/usr/bin/env python3
"""A fit in parts: fit --plan, fit --part, state merge, and beadcheck's ranges; against undivided fits."""
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import time
import unittest

from beadwork_cli import BINARY, SOURCE, CliTest

BEADCHECK = os.environ.get("BEADCHECK_BINARY", str(SOURCE / "build" / "beadcheck"))


def flags_table(rng, rows, columns, noise):
    lines = [",".join(f"f{i}" for i in range(columns)) + ",class"]
    for _ in range(rows):
        bits = [rng.randrange(2) for _ in range(columns)]
        label = (bits[0] & bits[1]) ^ bits[2] if rng.random() > noise else rng.randrange(2)
        lines.append(",".join(map(str, bits)) + "," + "ab"[label])
    return "\n".join(lines) + "\n"


def numbers_table(rng, rows, columns):
    lines = [",".join(f"x{i}" for i in range(columns)) + ",class"]
    for _ in range(rows):
        values = [round(rng.gauss(0, 1), 3) for _ in range(columns)]
        label = (values[0] > 0.3) != (values[1] > -0.4) if rng.random() > 0.3 else rng.random() < 0.5
        lines.append(",".join(map(str, values)) + "," + ("yes" if label else "no"))
    return "\n".join(lines) + "\n"


class PlanTest(CliTest):
    def whole(self, *args):
        self.ok("fit", *args, "-o", "whole.json", "--certificate", "whole.cert", "-q")
        return (self.dir / "whole.json").read_text(), (self.dir / "whole.cert").read_text()

    def in_parts(self, parts, folder, *args, order=None, merge=()):
        self.ok("fit", *args, "--plan", parts, "--plan-dir", folder, "-q")
        for i in order or range(parts):
            self.ok("fit", *args, "--part", i, "--plan-dir", folder, "-q")
        done = self.ok("state", "merge", folder, "-o", f"{folder}.json", "--certificate", f"{folder}.cert", *merge)
        told = re.search(r"proven in (\d+) parts", done.stdout)
        self.proven_in = int(told[1]) if told else 1
        return (self.dir / f"{folder}.json").read_text(), (self.dir / f"{folder}.cert").read_text()

    def same_as_whole(self, parts, *args, **kwargs):
        model, certificate = self.whole(*args)
        self.assertTrue(json.loads(model)["claim"]["canonical"])
        got, proof = self.in_parts(parts, f"plan{parts}", *args, **kwargs)
        self.assertEqual(got, model)
        self.assertEqual(proof, certificate)

    def test_same_model_for_any_number_of_parts(self):
        rng = random.Random(1)
        table = self.write("t.csv", flags_table(rng, 200, 14, 0.5))
        for parts in (1, 7, 64):
            self.same_as_whole(parts, table, "-d", "5", order=random.Random(parts).sample(range(parts), parts))
            self.assertLessEqual(self.proven_in, parts)
            if parts > 1:
                self.assertGreater(self.proven_in, 1)

    def test_options_combined(self):
        for seed in range(4):
            rng = random.Random(seed)
            table = self.write("t.csv", flags_table(rng, 120, 11, 0.4))
            options = [["--forbid", "f1"], ["--require", "f4"], ["--bias", "size"],
                       ["--candidate", "f0", "--candidate", "f2", "--candidate", "f3", "--candidate", "f5", "--candidate", "f6"],
                       ["--threads", "2"], ["--kernel", "portable"]]
            chosen = sum(rng.sample(options, 2), [])
            self.same_as_whole(5, table, "-d", str(3 + seed % 3), *chosen)
            subprocess.run(["rm", "-r", str(self.dir / "plan5")], check=True)

    def test_sorted_columns(self):
        table = self.write("n.csv", numbers_table(random.Random(3), 220, 5))
        for parts in (1, 9):
            self.same_as_whole(parts, table, "-d", "2", "--thresholds", "all")
            self.assertIn("ordered-plan 1", (self.dir / f"plan{parts}" / "plan").read_text())
            self.assertEqual(self.proven_in, parts)
        self.same_as_whole(4, table, "-d", "2", "--thresholds", "all", "--forbid", "x0")

    def test_a_limit_during_preparation_leaves_the_part_where_it_stood(self):
        for table, more in ((self.write("t.csv", flags_table(random.Random(5), 150, 12, 0.6)), []),
                            (self.write("n.csv", numbers_table(random.Random(3), 220, 5)), ["--thresholds", "all"])):
            args, folder = (table, "-d", "3", *more), f"p-{table}"
            model, certificate = self.whole(*args)
            self.ok("fit", *args, "--plan", 3, "--plan-dir", folder, "-q")
            for i in range(3):
                self.stopped("fit", *args, "--part", i, "--plan-dir", folder, "-q", "--time-limit", 0)
            self.ok("fit", *args, "--part", 0, "--plan-dir", folder, "-q")
            self.ok("state", "merge", folder, "-o", "m.json", "--certificate", "c", "--finish", "-q")
            self.assertEqual((self.dir / "m.json").read_text(), model)
            self.assertEqual((self.dir / "c").read_text(), certificate)

    def test_missing_parts_are_named(self):
        table = self.write("t.csv", flags_table(random.Random(5), 150, 12, 0.6))
        args = (table, "-d", "4")
        self.ok("fit", *args, "--plan", 6, "--plan-dir", "p", "-q")
        for i in (0, 2):
            self.ok("fit", *args, "--part", i, "--plan-dir", "p", "-q")
        done = self.run_it("state", "merge", "p", "-o", "m.json")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^beadwork: p: parts 1 and 3-5 of 6 are not done \(ranges .*\n$")
        self.assertFalse((self.dir / "m.json").exists())
        self.ok("state", "merge", "p", "-o", "m.json", "--certificate", "c", "--finish", "-q")
        model, certificate = self.whole(*args)
        self.assertEqual((self.dir / "m.json").read_text(), model)
        self.assertEqual((self.dir / "c").read_text(), certificate)

    def refused(self, words, *args):
        done = self.run_it(*args)
        self.assertIn(done.returncode, (1, 2), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(words, done.stderr)

    def test_refusals(self):
        table = self.write("t.csv", flags_table(random.Random(6), 80, 10, 0.6))
        other = self.write("u.csv", flags_table(random.Random(7), 80, 10, 0.6))
        fit = ("fit", table, "-d", "3")
        self.ok(*fit, "--plan", 3, "--plan-dir", "p", "-q")
        self.refused("other data", "fit", other, "-d", "3", "--part", 0, "--plan-dir", "p", "-q")
        self.refused("made with other options: depth 3, here 4\n", "fit", table, "-d", "4", "--part", 0, "--plan-dir", "p", "-q")
        self.refused("options: depth 3, here 4; bias N, here size; forbid: 'f1' only here\n", "fit", table, "--bias", "size", "--forbid", "f1",
                     "--part", 0, "--plan-dir", "p", "-q")
        self.refused("--test: a plan and its parts are no model yet; test the merged one with 'beadwork evaluate'\n", *fit,
                     "--test", other, "--plan", 3, "--plan-dir", "q")
        self.refused("--front-plot: cannot be divided into parts", *fit, "--front-plot", "f.svg", "--plan", 3, "--plan-dir", "q")
        self.refused("from 0 to 2", *fit, "--part", 3, "--plan-dir", "p", "-q")
        self.refused("needs --plan-dir", *fit, "--part", 0)
        self.refused("needs --plan or --part", *fit, "--plan-dir", "p")
        self.refused("state merge", *fit, "--part", 0, "--plan-dir", "p", "-o", "m.json")
        self.refused("another plan already", *fit, "--plan", 4, "--plan-dir", "p", "-q")
        self.ok(*fit, "--plan", 3, "--plan-dir", "p", "-q")  # the same again
        for option in (["--front"], ["--max-nodes", "5"], ["--depth", "1..3"], ["--engine", "cart"], ["--faithful"]):
            self.refused("cannot be divided", "fit", table, *option, "--plan", 3, "--plan-dir", "q")
        self.assertFalse((self.dir / "q").exists())
        for i in range(3):
            self.ok(*fit, "--part", i, "--plan-dir", "p", "-q")
        part = self.dir / "p" / "part-00001"
        whole = part.read_text()
        part.write_text(whole.replace("part 1", "part 2"))
        self.refused("checksum", "state", "merge", "p")
        part.write_text((self.dir / "p" / "part-00002").read_text())
        self.refused("belongs to another plan", "state", "merge", "p")
        part.write_text(whole)
        self.write("p/part-00003", whole)
        self.refused("older plan", "state", "merge", "p")
        (self.dir / "p" / "part-00003").unlink()
        self.refused("other data", "state", "merge", "p", "--data", other)
        self.ok("state", "merge", "p", "-q")
        # An older plan of the same folder: its parts do not fit the new one.
        (self.dir / "p" / "plan").unlink()
        self.refused("older plan", *fit, "--plan", 5, "--plan-dir", "p", "-q")

    def test_no_output_takes_the_place_of_a_file_of_the_plan(self):
        self.write("t.csv", flags_table(random.Random(3), 60, 8, 0.3))
        self.ok("fit", "t.csv", "-d", 2, "--plan", 2, "--plan-dir", "p", "-q")
        for i in range(2):
            self.ok("fit", "t.csv", "-d", 2, "--part", i, "--plan-dir", "p", "-q")
        os.symlink("p/incumbent", self.dir / "link")
        before = {path.name: path.read_bytes() for path in (self.dir / "p").iterdir()}
        for flag, path in (("-o", "p/plan"), ("--certificate", "./p/part-00001"), ("--report", "link")):
            self.refused(f"beadwork: {path}: this output would overwrite a file of the plan", "state", "merge", "p", flag, path)
        self.refused("beadwork: p/plan: this output would overwrite a file of the plan", "slurm", "p", "-o", "p/plan")
        self.assertEqual(before, {path.name: path.read_bytes() for path in (self.dir / "p").iterdir()})
        self.ok("state", "merge", "p", "-o", "p/model.json")

    def altered(self, folder, change):
        """A plan as somebody else might have written it."""
        lines = change((self.dir / "p" / "plan").read_text().splitlines()[:-1])
        text = "\n".join(lines) + "\n"
        (self.dir / folder).mkdir(exist_ok=True)
        self.write(f"{folder}/plan", f"{text}sha256 {hashlib.sha256(text.encode()).hexdigest()}\n")
        return folder

    def test_a_plan_from_elsewhere_names_no_file_to_write_and_no_program(self):
        self.write("t.csv", flags_table(random.Random(3), 60, 8, 0.3))
        self.ok("fit", "t.csv", "-d", 2, "--plan", 2, "--plan-dir", "p", "-q")
        mine = self.dir / "mine"
        mine.mkdir()
        for name in ("state", "state.old", "state.lock", "incumbent", "out"):
            (mine / name).write_text("precious\n")
        self.write("evil", f"#!/bin/sh\ntouch {mine}/ran\n")
        (self.dir / "evil").chmod(0o755)
        before = {path.name: path.read_text() for path in mine.iterdir()}
        everything = sorted(os.listdir(self.dir))
        out = f"{mine}/out"
        kept = [[("checkpoint", f"{mine}/state")], [("resume", f"{mine}/state")], [("plan", "2"), ("plan-dir", str(mine))],
                [("part", "0"), ("plan-dir", str(mine))], [("certificate", out)], [("output", out)], [("report", out)], [("proof", out)],
                [("front-plot", out)], [("solver", f"{self.dir}/evil"), ("engine", "maxsat")], [("o", out)], [("test", "/etc/passwd")],
                [("shards", out)], [("missing", "--checkpoint"), ("missing", f"{mine}/state")], [("target", ""), ("missing", "--proof=x")],
                [("missing=x --checkpoint", out)], [("-o", out)], [("json", "true")]]
        for i, options in enumerate(kept):
            lines = [f"kept {name.replace(' ', '%20')} ={text.replace(' ', '%20')}" for name, text in options]
            folder = self.altered(f"h{i}", lambda old: [*old[:max(k for k, l in enumerate(old) if l.startswith("kept ")) + 1], *lines,
                                                        *(l for l in old if l.startswith("| "))])
            for more in ((), ("-o", "model.json")):
                done = self.run_it("state", "merge", folder, "--finish", *more)
                self.assertIn(done.returncode, (0, 1, 2), done.stderr)
            script = self.run_it("slurm", folder)
            for word in ("--checkpoint", "--proof", "--solver", "-o", "--report", "--certificate", "--plan-dir", "--test"):
                said = [line for line in script.stdout.splitlines() if " fit " in line]
                self.assertTrue(all(line.split().count(word) == (1 if word == "--plan-dir" else 0) for line in said), (options, said))
            self.assertEqual(before, {path.name: path.read_text() for path in mine.iterdir()}, options)
        for path in self.dir.glob("model.json"):
            path.unlink()
        self.assertEqual(everything, sorted(name for name in os.listdir(self.dir) if not re.fullmatch(r"h\d+", name)))

    def test_a_plan_of_an_older_version(self):
        self.write("t.csv", flags_table(random.Random(3), 60, 8, 0.3))
        self.ok("fit", "t.csv", "-d", 2, "--plan", 2, "--plan-dir", "p", "-q")
        old = self.altered("old", lambda lines: ["beadwork-plan 1"] + [re.sub("^kept [^ ]+ ", "word ", line) for line in lines[1:]])
        for words in (("state", "merge", old), ("slurm", old), ("fit", "t.csv", "-d", 2, "--part", 0, "--plan-dir", old, "-q")):
            self.refused("old/plan: a plan of an older version of beadwork, which keeps a command line: make a new one\n", *words)
        for change, why in ((lambda l: [x for x in l if not x.startswith("kept ")], "the plan does not say how to read its data"),
                            (lambda l: [re.sub("^kept table .*", "kept table =t.csv", x) for x in l], "the plan does not give its table's whole name")):
            self.refused(why, "state", "merge", self.altered("bad", change), "--finish")
            self.refused(why, "slurm", "bad")

    def test_a_plan_keeps_all_that_its_data_are_read_with(self):
        rows = [f"{i % 3};{i % 7 / 10};{'abc'[i % 3]};{'-' if i % 5 else 'x'};{'n' if i % 4 else 'y'};{1 + i % 2}" for i in range(60)]
        self.write("t.csv", "a;b;c;d;class;w\n" + "\n".join(rows).replace(".", ",") + "\n")
        self.write("costs", ",n,y\nn,0,2\ny,1,0\n")
        self.write("names", "\n".join(["a <= 0", "b <= 0.2", "c = a"]) + "\n")
        args = ("t.csv", "-d", "2", "--target", "class", "--weight", "w", "--decimal", ",", "--missing", "", "--missing", "-", "--ignore", "d",
                "--ordered", "c=a,b,c", "--delimiter", ";", "--costs", "costs", "--thresholds", "quantiles:4")
        for more in ((), ("--in-passes",), ("--kernel", "portable", "--threads", "2")):
            self.ok("fit", *args, *more, "-o", "whole.json", "-q")
            self.ok("fit", *args, *more, "--plan", 2, "--plan-dir", "p", "-q")
            for i in range(2):
                self.ok("fit", *args, *more, "--part", i, "--plan-dir", "p", "-q")
            self.ok("state", "merge", "p", "-o", "merged.json", "-q")
            self.assertEqual((self.dir / "merged.json").read_text(), (self.dir / "whole.json").read_text())
            subprocess.run(["rm", "-r", str(self.dir / "p")], check=True)

    def test_links_lead_out_of_no_plan(self):
        table = self.write("t.csv", flags_table(random.Random(10), 100, 10, 0.8))
        fit = ("fit", table, "-d", "3", "-q", "--plan-dir", "p")
        self.write("precious", "precious\n")
        for name in ("part-00000", "incumbent"):
            self.ok(*fit, "--plan", 2)
            for target in ("../precious", "../nothing"):
                (self.dir / "p" / name).unlink(missing_ok=True)
                os.symlink(target, self.dir / "p" / name)
                self.refused(f"p/{name}: is a link; a plan's files are its own\n", *fit, "--part", 0)
                self.refused(f"p/{name}: is a link; a plan's files are its own\n", "state", "merge", "p", "--finish")
            subprocess.run(["rm", "-r", str(self.dir / "p")], check=True)
        self.assertEqual((self.dir / "precious").read_text(), "precious\n")
        self.assertEqual(sorted(os.listdir(self.dir)), ["precious", "t.csv"])
        (self.dir / "p").mkdir()
        self.write("p/incumbent", "precious\n")
        self.refused("p/incumbent: a plan would take its place", *fit, "--plan", 2)
        self.assertEqual((self.dir / "p" / "incumbent").read_text(), "precious\n")

    def test_a_merge_without_time_keeps_what_the_parts_found(self):
        rng = random.Random(4)
        for table, more in ((flags_table(rng, 200, 14, 0.5), ["-d", 4]), (numbers_table(rng, 100, 3), ["-d", 2, "--thresholds", "all"])):
            self.write("t.csv", table)
            self.ok("fit", "t.csv", *more, "-o", "whole.json", "-q")
            folder = f"p{len(more)}"
            self.ok("fit", "t.csv", *more, "--plan", 3, "--plan-dir", folder, "-q")
            for i in range(3):
                self.ok("fit", "t.csv", *more, "--part", i, "--plan-dir", folder, "-q")
            for limit in (0, 0.000001):
                done = self.run_it("state", "merge", folder, "-o", "m.json", "--time-limit", limit, "-q")
                self.assertIn(done.returncode, (0, 4))
                whole, got = (json.loads((self.dir / name).read_text())["claim"] for name in ("whole.json", "m.json"))
                self.assertEqual(got["upper_bound"], whole["upper_bound"])
                self.assertLessEqual(got["lower_bound"], whole["upper_bound"])
                self.assertTrue(not got["canonical"] or got == whole)

    def test_a_plan_in_passes_has_a_certificate_too(self):
        self.write("t.csv", flags_table(random.Random(5), 100, 9, 0.4))
        model, certificate = self.whole("t.csv", "-d", 3)
        got, proof = self.in_parts(2, "p", "t.csv", "-d", 3, "--in-passes")
        self.assertEqual((got, proof), (model, certificate))

    def test_the_difference_between_lists_is_named(self):
        table = self.write("t.csv", flags_table(random.Random(6), 80, 14, 0.6))
        fit = ("fit", table, "-d", "2", "--features-from", "names", "--plan-dir", "p", "-q")
        names = [f"f{i}" for i in range(14)]
        self.write("names", "\n".join(names[:-1]) + "\n")
        self.ok(*fit, "--plan", 2)
        for changed, words in ((names[:-2] + names[-1:], "'f12' only in the plan, 'f13' only here"), (names, "'f13' only here"),
                               (names[5:-1], "'f0', 'f1', 'f2' and 2 more only in the plan"),
                               (names[-2::-1], "in another order here")):
            self.write("names", "\n".join(changed) + "\n")
            self.refused(f"beadwork: p: the plan was made with other options: candidate: {words}\n", *fit, "--part", 0)

    def test_costs_are_told(self):
        table = self.write("t.csv", flags_table(random.Random(5), 150, 12, 0.6))
        self.write("costs.csv", ",a,b\na,0,2.5\nb,1,0\n")
        fit = ("fit", table, "-d", "3", "--costs", "costs.csv", "--plan-dir", "p", "-q")
        whole = self.fit(table, "-d", "3", "--costs", "costs.csv", "-q")
        planned = self.ok(*fit, "--plan", 2).stdout
        self.assertRegex(planned, r"first answer: cost \d+(\.5)?;")
        done = self.run_it("state", "merge", "p")
        self.assertIn("the least cost lies between", done.stderr)
        best = min(float(re.search(r"best answer so far: cost ([\d.]+)\n", self.ok(*fit, "--part", i).stdout)[1]) for i in range(2))
        self.assertEqual(best, whole["training_cost"])
        self.assertTrue(self.ok("state", "merge", "p", "-q").stdout.startswith(f"cost {best:g}, "))

    def test_killed_parts_and_merges_go_on(self):
        table = self.write("t.csv", flags_table(random.Random(8), 400, 22, 0.9))
        args = (table, "-d", "5")
        model, certificate = self.whole(*args)
        self.ok("fit", *args, "--plan", 4, "--plan-dir", "p", "-q")
        rng, kills = random.Random(9), 0
        for i in range(4):
            for attempt in range(6):  # the first two are killed at once
                run = subprocess.Popen([BINARY, "fit", *args, "--part", str(i), "--plan-dir", "p", "-q", "--checkpoint-every",
                                        "0.01"], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(rng.random() * 0.015 * max(0, attempt - 1))
                run.send_signal(signal.SIGKILL)
                kills += run.wait() == -signal.SIGKILL
            self.ok("fit", *args, "--part", i, "--plan-dir", "p", "-q")
        for _ in range(6):
            run = subprocess.Popen([BINARY, "state", "merge", "p", "-o", "m.json", "--certificate", "c", "-q"], cwd=self.dir,
                                   stdout=subprocess.DEVNULL)
            time.sleep(rng.random() * 0.06)
            run.send_signal(signal.SIGKILL)
            run.wait()
            if (self.dir / "m.json").exists():
                self.assertEqual((self.dir / "m.json").read_text(), model)
        self.ok("state", "merge", "p", "-o", "m.json", "--certificate", "c", "-q")
        self.assertEqual((self.dir / "m.json").read_text(), model)
        self.assertEqual((self.dir / "c").read_text(), certificate)
        self.assertGreater(kills, 4)

    def test_a_better_set_is_picked_up_from_the_folder(self):
        table = self.write("t.csv", flags_table(random.Random(10), 300, 16, 0.8))
        args = (table, "-d", "4")
        self.ok("fit", *args, "--plan", 2, "--plan-dir", "p", "-q")
        (self.dir / "p" / "incumbent").write_text("nonsense\n")  # a damaged one is replaced, not believed
        for i in range(2):
            self.ok("fit", *args, "--part", i, "--plan-dir", "p", "-q")
        self.assertIn("beadwork-incumbent 1", (self.dir / "p" / "incumbent").read_text())

    def check(self, *args):
        done = subprocess.run([BEADCHECK, *map(str, args)], cwd=self.dir, capture_output=True, text=True)
        return done.returncode, done.stdout

    def ranges(self, data, model, certificate, n):
        logs = []
        for i in range(n):
            code, text = self.check("--range", f"{i}/{n}", data, model, certificate)
            self.assertEqual(code, 0, text)
            self.assertTrue(text.startswith(f"VERIFIED range {i}/{n}\n"))
            logs.append(self.write(f"log{n}-{i}", text))
        return logs

    def test_the_check_is_spread_too(self):
        table = self.write("t.csv", flags_table(random.Random(11), 120, 12, 0.6))
        self.ok("fit", table, "-d", "4", "-o", "m.json", "--certificate", "c", "-q")
        self.ok("binarize", table, "-o", "t.txt")
        numbers = self.write("n.csv", numbers_table(random.Random(12), 150, 4))
        self.ok("fit", numbers, "-d", "2", "--thresholds", "all", "-o", "n.json", "--certificate", "nc", "-q")
        self.ok("binarize", numbers, "--values", "-o", "n.txt")
        for files in (("t.txt", "m.json", "c"), ("n.txt", "n.json", "nc")):
            code, whole = self.check(*files)
            self.assertEqual(code, 0, whole)
            for n in (1, 2, 5, 64):
                logs = self.ranges(*files, n)
                code, text = self.check("--combine", *logs)
                self.assertEqual(code, 0, text)
                self.assertTrue(text.startswith(whole.partition("files: ")[0]), text)
                if n == 1:
                    continue
                code, text = self.check("--combine", *logs[1:])
                self.assertEqual((code, text), (3, f"NOT CHECKED: of {n} ranges these are missing: 0\n"))
            self.write("cut", (self.dir / logs[0]).read_text()[:-9])
            code, text = self.check("--combine", *logs[1:], "cut")
            self.assertEqual(code, 1, text)
        code, text = self.check("--combine", "log2-0", "log5-1")
        self.assertEqual(code, 1, text)
        for wrong in ("2/2", "x/3", "3", "-1/2", "1/0"):
            self.assertEqual(self.check("--range", wrong, "t.txt", "m.json", "c")[0], 2, wrong)

    def test_a_false_claim_is_found_in_exactly_its_ranges(self):
        """The claim is raised by one: some range must find the set that belies it, whatever the number of ranges."""
        import hashlib
        for seed in range(6):
            table = self.write("t.csv", flags_table(random.Random(20 + seed), 60, 9, 0.7))
            self.ok("fit", table, "-d", str(2 + seed % 3), "--certificate", "c", "-q")
            self.ok("binarize", table, "-o", "t.txt")
            text = (self.dir / "c").read_text()
            text = re.sub(r"^claim (\d+)", lambda m: f"claim {int(m[1]) + 1}", text, flags=re.M)
            text = re.sub(r"^model .*", "model 0", text, flags=re.M)
            text = text[:text.rindex("sha256 ")]
            self.write("false", text + f"sha256 {hashlib.sha256(text.encode()).hexdigest()}\n")
            for n in (1, 3, 17):
                codes = [self.check("--range", f"{i}/{n}", "t.txt", "-", "false")[0] for i in range(n)]
                self.assertIn(1, codes)
                self.assertLessEqual(set(codes), {0, 1})


if __name__ == "__main__":
    unittest.main()
