#!/usr/bin/env python3
"""Kills a long search at random moments and resumes it: kill_and_resume.py BEADWORK DATA [--depth 7] [--kills 200] [--seed 1]

Slow, by hand. One chain: the search runs with a checkpoint every second, is ended by SIGKILL after a random time, and goes
on from the file it left, again and again; a chain that comes to its end is checked and the next begins. At the end of a
chain the outcome (errors, features, status) equals that of a run which nobody disturbed, and the ranges of its certificate
tile the whole. After every kill the checkpoint is whole: the next run takes it, and takes no damaged one.

Every other chain is over a table in which sets of features tie by the ten thousand (many_ties.py). There the kills wait until
the checkpoint says that the errors cannot be lowered, so that they fall in the search for the first of these sets.
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

from many_ties import many_ties


def outcome(text):
    found = json.loads(text)
    return found["status"], found["training_errors"], found["features"], found["size"]


def check_tiling(text):
    ranges = re.findall(r"^done (\S+) (\S+)$", text, re.M)
    assert ranges[0][0] == "-" and ranges[-1][1] == "-", ranges
    for (_, end), (begin, _) in zip(ranges, ranges[1:]):
        assert end == begin != "-", (end, begin)
    return len(ranges)


class Chain:
    """A search that is killed and resumed until it ends, over and over."""

    def __init__(self, name, args, data, depth, folder):
        self.name, self.rng, self.longest = name, random.Random(f"{args.seed} {name}"), args.longest
        self.state, self.certificate = folder / f"{name}.state", folder / f"{name}.certificate"
        self.fit = [args.beadwork, "fit", str(data), "--depth", depth, "--json", "-q", "--certificate", str(self.certificate)]
        self.kills = self.tied_kills = self.resumed = self.ended = 0
        run = subprocess.run(self.fit, capture_output=True, text=True, check=True)
        self.expected = outcome(run.stdout)
        check_tiling(self.certificate.read_text())
        self.certificate.unlink()

    def in_ties(self):
        """Does the checkpoint say that only the choice among equally good sets is left?"""
        try:
            lines = dict(line.partition(" ")[::2] for line in self.state.read_text().splitlines())
        except FileNotFoundError:
            return False
        return lines.get("ties") == "0" or lines.get("error") == lines.get("lower_bound")

    def finished(self, run, out, err):
        assert run.returncode == 0, (self.name, run.returncode, err)
        assert outcome(out) == self.expected, (self.name, outcome(out), self.expected)
        pieces = check_tiling(self.certificate.read_text())
        self.certificate.unlink()
        self.state.unlink(missing_ok=True)
        self.ended += 1
        print(f"{self.name}: a chain ended after {self.kills} kills, its certificate has {pieces} ranges", flush=True)

    def command(self):
        command = self.fit + ["--checkpoint", str(self.state), "--checkpoint-every", "1"]
        if self.state.exists():
            command += ["--resume", str(self.state)]
            self.resumed += 1
        return command

    def step(self, wait_for_ties):
        """Starts or resumes the search; kills it, or checks its end."""
        run = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while wait_for_ties and run.poll() is None and not self.in_ties():
            time.sleep(0.02)
        try:
            out, err = run.communicate(timeout=self.rng.uniform(0.02, self.longest))
        except subprocess.TimeoutExpired:
            run.kill()
            run.communicate()
            self.kills += 1
            self.tied_kills += self.in_ties()
            assert not self.certificate.exists(), "a killed run left a certificate"
            return
        self.finished(run, out, err)

    def to_the_end(self):
        if self.state.exists():
            run = subprocess.run(self.fit + ["--resume", str(self.state)], capture_output=True, text=True)
            self.finished(run, run.stdout, run.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("beadwork")
    parser.add_argument("data")
    parser.add_argument("--depth", default="7")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--longest", type=float, default=4, help="seconds until a kill, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ties", type=int, nargs=3, default=[7, 55, 100], help="of the table with ties: m, singles, parities")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "table").write_text(many_ties(*args.ties))
        plain = Chain("plain", args, args.data, args.depth, folder)
        tied = Chain("ties", args, folder / "table", "4", folder)
        while plain.kills + tied.kills < args.kills:
            if plain.kills <= tied.tied_kills:
                plain.step(wait_for_ties=False)
            else:
                tied.step(wait_for_ties=True)
        for chain in (plain, tied):
            chain.to_the_end()
        leftovers = sorted(p.name for p in folder.iterdir() if ".state" not in p.name and p.name != "table")
        assert not leftovers, leftovers
        for chain in (plain, tied):
            print(f"{chain.name}: {chain.kills} kills, {chain.tied_kills} of them in ties, {chain.resumed} resumed runs, "
                  f"{chain.ended} chains ended with {chain.expected[1]} errors as undisturbed")


if __name__ == "__main__":
    sys.exit(main())
