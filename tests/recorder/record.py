#!/usr/bin/env python3
"""Does one build answer as another does, byte for byte?  record.py OLD NEW [--jobs 300] [--seed 1] [--grid] [--ordered] [--golden]

Runs both programs over the same jobs (jobs.py): golden cases, the paper's tables at its depths, numeric tables over every cut
point, random tables with random options. Whatever they print and write (models, --json, certificates, exports, answers, exit
codes) is compared byte for byte but for seconds. Differences that are meant stand in intended.txt, each with its reason.
Without NEW: record.py OLD --save FILE keeps what OLD does, and record.py NEW --against FILE compares with it later.
"""
import argparse
import concurrent.futures
import difflib
import gzip
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import jobs as job_makers

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = [(re.compile(r'("[a-z_]*(?:time|seconds)[a-z_]*": ?)[-+.e\d]+'), r"\1<time>"),
           (re.compile(r"\b\d+(?:\.\d+)? (?:s|ms|min)\b"), "<time>"),
           (re.compile(r"\[[-+.e\d]+(?=,-?\d+\.\d+,-?\d+\.\d+\])"), "[<time>")]  # a point of the page's bounds


def without_times(text):
    for pattern, told in SECONDS:
        text = pattern.sub(told, text)
    return text


def text_of(data):
    return without_times(data.decode("utf-8", "backslashreplace"))


def run(program, job):
    """What a program does with a job: a text for each command and for each file that it leaves."""
    environment = dict(os.environ, LC_ALL="C.UTF-8", BEADWORK_TIME_LIMIT="none", SOURCE_DATE_EPOCH="0")
    out = {}
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder, "work")
        work.mkdir()
        os.symlink(program, pathlib.Path(folder, "beadwork"))
        environment["PATH"] = folder + os.pathsep + environment["PATH"]
        for name, content in job.files:
            (work / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        given = {name for name, _ in job.files}
        commands = [["bash", "-euo", "pipefail", "-c", job.script]] if job.script else [["beadwork", *c] for c in job.commands]
        for number, command in enumerate(commands):
            try:
                done = subprocess.run(command, cwd=work, env=environment, capture_output=True, timeout=1800, stdin=subprocess.DEVNULL)
                said = f"{text_of(done.stdout)}--- errors\n{text_of(done.stderr)}--- exit code {done.returncode}\n"
            except subprocess.TimeoutExpired:
                said = "no end within 600 s\n"
            shown = job.script.strip() if job.script else " ".join(["beadwork", *job.commands[number]])
            out[f"{number}: {shown}"] = said
        for path in sorted(work.rglob("*")):
            if path.is_file() and str(path.relative_to(work)) not in given:
                out[f"file {path.relative_to(work)}"] = text_of(path.read_bytes())
    return out


def around(line, other, room=200):
    """What of a long line is not that of the other, with some of what is around it."""
    if max(len(line), len(other)) < 3 * room:
        return line
    first = len(os.path.commonprefix([line, other]))
    return line[max(0, first - room):first + room] + "\n"


def differences(old, new):
    for key in dict.fromkeys([*old, *new]):
        a, b = old.get(key, "nothing\n").splitlines(), new.get(key, "nothing\n").splitlines()
        if a == b:
            continue
        if len(a) == len(b):
            a, b = zip(*((around(x, y), around(y, x)) if x != y else (x[:200], y[:200]) for x, y in zip(a, b)))
        yield key, "".join(line.rstrip("\n") + "\n" for line in difflib.unified_diff(a, b, "old", "new", n=1))


def intended(path):
    """Patterns, one a line before ` # ` and the reason: a difference of which every changed line matches one of them is meant."""
    if not path.exists():
        return []
    lines = [line.rstrip("\n") for line in path.read_text(encoding="utf-8").splitlines()]
    rules = [line.rpartition(" # ") for line in lines if line and not line.startswith("#")]
    bad = [rule for rule in rules if not rule[0] or not rule[2].strip()]
    if bad:
        raise SystemExit(f"{path}: a pattern without a reason: {bad[0][2]}")
    return [re.compile(pattern) for pattern, _, _ in rules]


def is_meant(diff, patterns):
    changed = [line[1:].rstrip("\n") for line in diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    return bool(changed) and all(any(p.search(line) for p in patterns) for line in changed)


def chosen_jobs(args):
    data = args.data
    if args.golden:
        yield from job_makers.golden()
    if args.grid:
        yield from job_makers.grid(data / "paper")
    if args.ordered:
        yield from job_makers.ordered(data / "numeric")
    yield from job_makers.random_jobs(args.jobs, args.seed)


def answers(program, jobs, workers):
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        yield from pool.map(lambda job: (job.name, run(program, job)), jobs)


def compare(args, jobs):
    patterns = intended(HERE / "intended.txt")
    saved = json.loads(gzip.decompress(args.against.read_bytes())) if args.against else None
    old = ((job.name, saved.get(job.name, {})) for job in jobs) if saved else answers(args.programs[0], jobs, args.workers)
    differ = meant = commands = fitted = 0
    for (name, was), (_, now) in zip(old, answers(args.programs[-1], jobs, args.workers)):
        commands += sum(key[:1].isdigit() for key in was)
        fitted += any(key.startswith("file m.json") for key in was)
        found = list(differences(was, now))
        not_meant = [(key, diff) for key, diff in found if not is_meant(diff, patterns)]
        meant += bool(found) and not not_meant
        if not_meant:
            differ += 1
            if differ <= args.show:
                print(f"DIFFERS: {name}")
                for key, diff in not_meant:
                    print(f"  {key}\n" + "".join(f"    {line}\n" for line in diff.splitlines()[: args.lines]), end="", flush=True)
    print(f"{len(jobs)} jobs, {commands} commands, {fitted} models: {differ} differ, {meant} as intended")
    return 1 if differ or not fitted else 0


def selftest(program):
    """A program answers as itself, and one that takes the other of two equal columns is found out by its model."""
    jobs = list(job_makers.random_jobs(12, 1))
    own = [differences(run(program, job), run(program, job)) for job in jobs]
    tie = job_makers.Job("tie", (("t.csv", "a,b,label\n0,0,x\n1,1,y\n0,0,x\n1,1,y\n"),), job_makers.told(("t.csv", "--depth", "1")))
    with tempfile.TemporaryDirectory() as folder:
        other = pathlib.Path(folder, "other")
        other.write_text(f'#!/bin/sh\n[ "$1" = fit ] && set -- "$@" --candidate b\nexec {shlex.quote(str(program))} "$@"\n')
        other.chmod(0o755)
        planted = dict(differences(run(program, tie), run(other, tie)))
    same = not any(list(found) for found in own)
    print(f"{len(jobs)} jobs twice: {'the same' if same else 'they differ'}; a tie that was taken the other way: {sorted(planted)}")
    return 0 if same and "file m.json" in planted else 1


def program_at(text):
    path = pathlib.Path(text).resolve()
    if not os.access(path, os.X_OK):
        raise argparse.ArgumentTypeError(f"{text} is no program")
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="+", type=program_at, help="OLD NEW, or one of them with --save or --against")
    parser.add_argument("--jobs", type=int, default=300, help="random jobs")
    parser.add_argument("--seed", type=int, default=1, help="of the first; the next has the next")
    parser.add_argument("--grid", action="store_true", help="the paper's tables at depths 2 to 6")
    parser.add_argument("--ordered", action="store_true", help="numeric tables over every cut point")
    parser.add_argument("--golden", action="store_true", help="the golden cases")
    parser.add_argument("--data", type=pathlib.Path, default=HERE.parents[2] / "shared/datasets", help="folder with paper/ and numeric/")
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("--against", type=pathlib.Path)
    parser.add_argument("--selftest", action="store_true", help="does the recorder see a difference where there is one?")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--show", type=int, default=5, help="jobs whose differences are printed")
    parser.add_argument("--lines", type=int, default=30, help="lines of each")
    args = parser.parse_args()
    if args.selftest:
        return selftest(args.programs[0])
    if len(args.programs) != (1 if args.save or args.against else 2):
        parser.error("give OLD and NEW, or one program with --save or --against")
    jobs = list(chosen_jobs(args))
    if args.save:
        args.save.write_bytes(gzip.compress(json.dumps(dict(answers(args.programs[0], jobs, args.workers))).encode(), mtime=0))
        print(f"{len(jobs)} jobs kept in {args.save}")
        return 0
    return compare(args, jobs)


if __name__ == "__main__":
    sys.exit(main())
