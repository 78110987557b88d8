#!/usr/bin/env python3
"""Kills parts of plans, and merges, at random moments: kill_parts.py BEADWORK [--kills 1000] [--seed 1]

Slow, by hand or by tests/nightly.sh. In a round a small random table is fitted as a whole and in parts, over features or over all
thresholds; two parts run at a time, and each run is ended by SIGKILL after a random time, until it comes to its end. Then merges are
killed. In the end model and certificate are those of the undivided fit, byte for byte; no file is ever torn, and nothing but locks of
killed runs is left beside the files of the folder.
"""
import argparse
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from test_plan import flags_table, numbers_table  # noqa: E402


class Round:
    def __init__(self, beadwork, folder, rng):
        self.rng, self.folder, self.beadwork, self.kills = rng, folder, beadwork, 0
        table = folder / "t.csv"
        ranked = rng.random() < 0.3
        table.write_text(numbers_table(rng, 500, 5) if ranked else flags_table(rng, 500, rng.randrange(18, 30), 0.9))
        self.fit = ["fit", str(table), "-d", "3" if ranked else "5", "-q"] + (["--thresholds", "all"] if ranked else [])
        self.parts = rng.randrange(2, 12)
        begin = time.monotonic()
        self.run(*self.fit, "-o", "whole.json", "--certificate", "whole.cert")
        self.seconds = max(0.02, (time.monotonic() - begin) / self.parts)
        self.run(*self.fit, "--plan", str(self.parts), "--plan-dir", "plan")

    def run(self, *args):
        subprocess.run([self.beadwork, *args], cwd=self.folder, check=True, capture_output=True)

    def start(self, *args):
        return subprocess.Popen([self.beadwork, *args], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def killed(self, *args):
        """Whether the run was killed before its end."""
        run = self.start(*args)
        try:
            _, said = run.communicate(timeout=self.rng.random() * 2 * self.seconds)
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL)
            run.communicate()
            self.kills += 1
            return True
        assert run.returncode == 0, (args, said)
        return False

    def go(self, most):
        left = list(range(self.parts))
        while left:
            part = self.rng.choice(left)
            more = [*self.fit, "--part", str(part), "--plan-dir", "plan", "--checkpoint-every", "0.01"]
            beside = self.rng.choice(left)
            other = self.start(*self.fit, "--part", str(beside), "--plan-dir", "plan") if beside != part else None
            if self.kills >= most or not self.killed(*more):
                if self.kills >= most:
                    self.run(*more)
                left.remove(part)
            if other is not None:
                other.send_signal(signal.SIGKILL)
                other.communicate()
                self.kills += other.returncode == -signal.SIGKILL
        for _ in range(4):
            self.killed("state", "merge", "plan", "-o", "m.json", "--certificate", "c", "-q")
        self.run("state", "merge", "plan", "-o", "m.json", "--certificate", "c", "-q")
        self.check()

    def check(self):
        read = lambda name: (self.folder / name).read_text()
        assert read("m.json") == read("whole.json"), self.fit
        assert read("c") == read("whole.cert"), self.fit
        known = re.compile(r"plan|incumbent|part-\d{5}(\.beadwork-lock)?")
        for path in (self.folder / "plan").iterdir():
            assert known.fullmatch(path.name), path
            text = path.read_text()
            assert path.name.endswith(".beadwork-lock") or re.search(r"\nsha256 [0-9a-f]{64}\n\Z", text), path


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("beadwork")
    arguments.add_argument("--kills", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=1)
    flags = arguments.parse_args()
    beadwork = str(pathlib.Path(flags.beadwork).resolve())
    kills = rounds = 0
    while kills < flags.kills:
        rng = random.Random(flags.seed + rounds)
        with tempfile.TemporaryDirectory() as folder:
            one = Round(beadwork, pathlib.Path(folder), rng)
            one.go(min(60, flags.kills - kills))
            kills, rounds = kills + one.kills, rounds + 1
            print(f"round {rounds}: {one.parts} parts, {kills} kills in all", flush=True)
    print(f"{kills} kills in {rounds} plans: each ended with the answer of an undivided fit, and nothing was torn")


if __name__ == "__main__":
    main()
