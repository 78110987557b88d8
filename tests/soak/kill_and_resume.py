#!/usr/bin/env python3
"""Kills searches at random moments and resumes them: kill_and_resume.py BEADWORK DATA [--depth 6] [--kills 2000] [--seed 1]

Slow, by hand. In a chain a search with checkpoints is ended by SIGKILL after a random time and goes on from the file that it left,
again and again, until it comes to its end. One in four is over all thresholds. Then status, errors and bounds are those of a run
that nobody disturbed, the ranges of the certificate, if it has any, tile the whole, and where the claim is canonical the model is the same byte for byte (but for its word that the
search was resumed, and its seal). A killed run leaves model and certificate whole: the old files, or complete new ones. Every
checkpoint is accepted by the next run.

Half of the kills fall in ties: on a table of many_ties.py the search soon knows the least errors and then looks long for the
first set that has them, and a kill waits until the run itself has written a checkpoint that says so.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from many_ties import late_ties, many_ties

OLD = "what was here before\n"


def check_tiling(text):
    ranges = re.findall(r"^done (\S+) (\S+)$", text, re.M)
    if text.startswith("beadwork-certificate 2\n"):  # over all thresholds
        return
    assert ranges[0][0] == "-" and ranges[-1][1] == "-", ranges
    for (_, end), (begin, _) in zip(ranges, ranges[1:]):
        assert end == begin != "-", (end, begin)


def essence(model):
    """A model's text without what tells a resumed run from an undisturbed one."""
    return re.sub(r'"resumed":\w+|"sha256": "\w+"', "", model)


class Undisturbed:
    """A search and what it gives when nobody kills it."""

    def __init__(self, beadwork, data, depth, folder, *more):
        self.folder = folder
        self.model, self.certificate = folder / "model", folder / "certificate"
        self.fit = [beadwork, "fit", str(data), "--depth", str(depth), "--json", "-q", "-o", str(self.model),
                    "--certificate", str(self.certificate), *more]
        self.found = json.loads(subprocess.run(self.fit, capture_output=True, text=True, check=True).stdout)
        self.canonical, self.text = self.found["claim"]["canonical"], self.model.read_text()
        check_tiling(self.certificate.read_text())

    def same_model(self):
        text = self.model.read_text()
        json.loads(text)
        return not self.canonical or essence(text) == essence(self.text)


class Chain:
    """One search that is killed and resumed until it ends."""

    def __init__(self, undisturbed, rng, tied):
        self.undisturbed, self.rng, self.tied = undisturbed, rng, tied
        self.state = undisturbed.folder / "state"
        self.kills = self.tied_kills = self.resumed = 0
        # Some are killed soon after each start and get on by small steps, some seldom.
        self.longest = 10 ** rng.uniform(-2, -0.3)
        undisturbed.model.write_text(OLD)
        undisturbed.certificate.write_text(OLD)

    def check_whole(self):
        """A killed run leaves old files, or new ones that are complete."""
        u = self.undisturbed
        assert u.model.read_text() == OLD or u.same_model(), "a torn model"
        text = u.certificate.read_text()
        assert text == OLD or text.splitlines()[-1].startswith("sha256 "), "a torn certificate"

    def stamp(self):
        try:
            found = self.state.stat()
            return found.st_ino, found.st_mtime_ns
        except FileNotFoundError:
            return None

    def in_ties(self):
        """Does the checkpoint say that only the choice among equally good sets is left?"""
        try:
            lines = dict(line.partition(" ")[::2] for line in self.state.read_text().splitlines())
        except FileNotFoundError:  # between the old one and the new one
            return False
        return lines.get("ties") == "0" or lines.get("error", 0) == lines.get("lower_bound", 1)

    def wait(self, run, before):
        """Until the kill, or the end. Mostly not before this very run has got somewhere: in ties, where there are some."""
        patient = self.tied or self.rng.random() < 0.9
        while patient and run.poll() is None and (self.stamp() in (None, before) or self.tied and not self.in_ties()):
            time.sleep(0.005)
        reached = self.tied and run.poll() is None
        try:
            return reached, *run.communicate(timeout=self.rng.uniform(0, self.longest))
        except subprocess.TimeoutExpired:
            run.kill()
        return reached, *run.communicate()

    def command(self):
        more = ["--checkpoint", str(self.state), "--checkpoint-every", self.rng.choice(["0.01", "0.05", "0.3"]),
                "--threads", str(self.rng.randint(1, 2))]
        if self.state.exists() or self.state.with_suffix(".old").exists():
            more += ["--resume", str(self.state)]
            self.resumed += 1
        return self.undisturbed.fit + more

    def step(self):
        """Starts or resumes the search. True once it has come to its end."""
        before = self.stamp()
        run = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        reached, out, err = self.wait(run, before)
        if run.returncode == -9:
            self.kills += 1
            self.tied_kills += reached
            self.check_whole()
            return False
        assert run.returncode == 0, (run.returncode, err)
        self.check_end(json.loads(out))
        return True

    def check_end(self, found):
        expected = self.undisturbed.found
        for key in ("status", "training_errors", "lower_bound", "upper_bound"):
            assert found[key] == expected[key], (key, found[key], expected[key])
        assert found["claim"]["canonical"] or not self.undisturbed.canonical, "no longer canonical"
        assert self.undisturbed.same_model(), "another model"
        check_tiling(self.undisturbed.certificate.read_text())


def table_for(rng, tied):
    """Text and depth: sets that tie, or a search that goes on to the end."""
    seed = rng.randrange(10 ** 6)
    if not tied and seed % 5 == 0:
        return many_ties(6, 60, 60), 4
    if not tied:
        return late_ties(seed, 300, 55, 6, 0), 6
    width = rng.choice([4, 5, 5])
    rows, noisy = (rng.choice([400, 1000, 2000]), 100) if width == 5 else (2000, 150)
    return late_ties(seed, rows, noisy, width, rng.randint(1, 3)), width


def numbers(rng, rows, columns):
    lines = [",".join(f"f{i}" for i in range(columns)) + ",label"]
    lines += [",".join(f"{rng.random():.6f}" for _ in range(columns)) + "," + rng.choice("ab") for _ in range(rows)]
    return "\n".join(lines) + "\n"


def searches(args, rng, folder):
    """A function from whether ties are wanted to a search; of those without, one in four is that of the data, and one in four is
    over all thresholds."""
    given = Undisturbed(args.beadwork, args.data, args.depth, folder)

    def next_one(tied):
        kind = rng.random()
        if not tied and kind < 1 / 4:
            return given
        if not tied and kind < 1 / 2:
            (folder / "table.csv").write_text(numbers(rng, 300, rng.randint(6, 8)))
            return Undisturbed(args.beadwork, folder / "table.csv", 4, folder, "--thresholds", "all")
        text, depth = table_for(rng, tied)
        (folder / "table").write_text(text)
        return Undisturbed(args.beadwork, folder / "table", depth, folder)
    return next_one


def run(args, folder):
    rng = random.Random(args.seed)
    next_search = searches(args, rng, folder)
    kills = tied_kills = resumed = ended = canonical = 0
    while kills < args.kills or 2 * tied_kills < args.kills:
        tied = 2 * tied_kills <= kills
        chain = Chain(next_search(tied), rng, tied)
        while not chain.step():
            if chain.kills >= 100:
                chain.longest = 10 ** 6  # to the end
        kills, tied_kills, resumed = kills + chain.kills, tied_kills + chain.tied_kills, resumed + chain.resumed
        ended, canonical = ended + 1, canonical + chain.undisturbed.canonical
        print(f"{kills} kills, {tied_kills} of them in ties; {resumed} resumed runs; {ended} chains ended as undisturbed, "
              f"{canonical} with a canonical answer", flush=True)
        for path in folder.glob("state*"):  # also what kills left beside it
            path.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("beadwork")
    parser.add_argument("data")
    parser.add_argument("--depth", default="6")
    parser.add_argument("--kills", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        run(args, pathlib.Path(name))


if __name__ == "__main__":
    sys.exit(main())
