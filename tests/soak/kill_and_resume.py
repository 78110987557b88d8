#!/usr/bin/env python3
"""Kills a long search at random moments and resumes it: kill_and_resume.py BEADWORK DATA [--depth 7] [--kills 200] [--seed 1]

Slow, by hand. One chain: the search runs with a checkpoint every second, is ended by SIGKILL after a random time, and goes
on from the file it left, again and again; a chain that comes to its end is checked and the next begins. At the end of a
chain the outcome (errors, features, status) equals that of a run which nobody disturbed, and the ranges of its certificate
tile the whole. After every kill the checkpoint is whole: the next run takes it, and takes no damaged one.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile


def outcome(text):
    found = json.loads(text)
    return found["status"], found["training_errors"], found["features"], found["size"]


def check_tiling(text):
    ranges = re.findall(r"^done (\S+) (\S+)$", text, re.M)
    assert ranges[0][0] == "-" and ranges[-1][1] == "-", ranges
    for (_, end), (begin, _) in zip(ranges, ranges[1:]):
        assert end == begin != "-", (end, begin)
    return len(ranges)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("beadwork")
    parser.add_argument("data")
    parser.add_argument("--depth", default="7")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--longest", type=float, default=4, help="seconds until a kill, at most")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        state, certificate = pathlib.Path(folder, "state"), pathlib.Path(folder, "certificate")
        fit = [args.beadwork, "fit", args.data, "--depth", args.depth, "--json", "-q", "--certificate", str(certificate)]
        expected = outcome(subprocess.run(fit, capture_output=True, text=True, check=True).stdout)
        check_tiling(certificate.read_text())
        certificate.unlink()
        kills = resumed = chains = 0
        while kills < args.kills:
            command = fit + ["--checkpoint", str(state), "--checkpoint-every", "1"]
            if state.exists():
                command += ["--resume", str(state)]
                resumed += 1
            run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            try:
                out, err = run.communicate(timeout=rng.uniform(0.02, args.longest))
            except subprocess.TimeoutExpired:
                run.kill()
                run.communicate()
                kills += 1
                assert not certificate.exists(), "a killed run left a certificate"
                continue
            chains += finished(run, out, err, certificate, expected, kills)
            state.unlink(missing_ok=True)
        if state.exists():
            run = subprocess.run(fit + ["--resume", str(state)], capture_output=True, text=True)
            chains += finished(run, run.stdout, run.stderr, certificate, expected, kills)
        leftovers = sorted(p.name for p in pathlib.Path(folder).iterdir() if not p.name.startswith("state"))
        assert not leftovers, leftovers
    print(f"{kills} kills, {resumed} resumed runs, {chains} chains ended with {expected[1]} errors as undisturbed")


def finished(run, out, err, certificate, expected, kills):
    assert run.returncode == 0, (run.returncode, err)
    assert outcome(out) == expected, (outcome(out), expected)
    pieces = check_tiling(certificate.read_text())
    certificate.unlink()
    print(f"a chain ended after {kills} kills, its certificate has {pieces} ranges", flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
