#!/usr/bin/env python3
"""Spoiled models, tables, certificates, states, plans, studies and records, through every command that reads them.

usage: mutations.py BEADWORK [--cases 50000] [--seed 1] [--jobs 2] [--kinds model,fit] [--keep FOLDER] | --selftest

Each case spoils one file or two (mutators.py) and runs one command in a folder of its own, with canaries in it, beside it, above it
and at home. Checksums are computed anew in half of the cases, so that the reader gets past them. Afterwards: the exit code is one
that docs/formats.md names; a refusal is one clear line; no file has changed but those that the command line names, and these not by a
refusal; time and memory stay within limits; and nothing false is said. What `evaluate`, `predict` and exports answer is recounted
(mutation_truths.py), what `fit` and `beadcheck` call optimal is checked by brute force, and of a loaded model nothing is proven.
beadcheck is looked for beside BEADWORK. --keep writes each finding as a folder with its command.
"""
import argparse
import collections
import multiprocessing
import os
import pathlib
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import mutation_truths as truths
from mutation_cases import KINDS, Case, Material
from mutation_checks import Limits, judged

CANARY = b"a file of somebody else\n"

Done = collections.namedtuple("Done", "code out err seconds memory late before after")


def contents(folder):
    found = {}
    for at, folders, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            found[os.path.relpath(path, folder)] = b"a link" if os.path.islink(path) else open(path, "rb").read()
    return found


class Runner:
    def __init__(self, material, scratch):
        self.material, self.outer = material, pathlib.Path(scratch)
        self.case = self.outer / "case"
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.outer / "home"), "TMPDIR": str(self.outer / "tmp"), "LC_ALL": "C.UTF-8"}
        self.streams = [tempfile.TemporaryFile() for _ in range(2)]
        self.said = lambda stream: (stream.seek(0), stream.read())[1].decode("utf-8", "surrogateescape")

    def prepare(self, case):
        shutil.rmtree(self.outer, ignore_errors=True)
        for folder in ("case", "home", "tmp", "beside", "case/pages", "case/plan"):
            (self.outer / folder).mkdir(parents=True)
        for name in ("canary", "home/canary", "beside/canary", "case/canary"):
            (self.outer / name).write_bytes(CANARY)
        for name, data in case.files.items():
            (self.case / name).write_bytes(data)

    def run(self, case):
        self.prepare(case)
        before = contents(self.outer)
        for stream in self.streams:
            stream.seek(0)
            stream.truncate()
        program = self.material.beadwork if case.program == "beadwork" else self.material.check
        child = subprocess.Popen([program, *case.words], cwd=self.case, env=self.env, stdin=subprocess.DEVNULL, stdout=self.streams[0],
                                 stderr=self.streams[1], start_new_session=True, close_fds=False)
        late = []

        def end(*_):
            late.append(True)
            os.killpg(child.pid, signal.SIGKILL)
        signal.signal(signal.SIGALRM, end)
        signal.setitimer(signal.ITIMER_REAL, Limits.wall)
        _, status, usage = os.wait4(child.pid, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return Done(child.returncode, *map(self.said, self.streams), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, bool(late), before,
                    contents(self.outer))


state = {}


def begin(material, folder, kinds, seed, keep):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    scratch = pathlib.Path(folder) / f"worker-{os.getpid()}"
    state.update(material=material, runner=Runner(material, scratch), kinds=kinds, seed=seed, keep=keep)


def one(number):
    runner = state["runner"]
    case = Case(state["material"], state["seed"] * 10 ** 9 + number, str(runner.outer / "canary"), state["kinds"])
    case.words = [word.replace("\0", "") for word in case.words]
    done = runner.run(case)
    truths.recounted.clear()
    try:
        found = judged(case, done, state["material"])
    except Exception as error:  # noqa: BLE001: of the test
        found = [f"this test fails: {type(error).__name__}: {error}"]
    if found and state["keep"]:
        kept = pathlib.Path(state["keep"]) / f"{state['seed']}-{number}"
        runner.prepare(case)
        shutil.copytree(runner.outer, kept, dirs_exist_ok=True)
        (kept / "command").write_text("\n".join([shlex.join([case.program, *case.words]), *found, f"code {done.code}", done.err[:3000], done.out[:3000]]),
                                      errors="surrogateescape")
    words = case.words
    told = f"{case.kind} {case.program if case.program != 'beadwork' else words[0]}"
    return number, told, done.code, any(case.spoiled.values()), list(truths.recounted), found, shlex.join([case.program, *words])


def sweep(material, folder, args, show=40):
    """Counts of commands and exit codes, and of findings."""
    counts, wrong, start = collections.Counter(), collections.Counter(), time.monotonic()
    kinds = args.kinds.split(",") if args.kinds else sorted(KINDS)
    with multiprocessing.Pool(args.jobs, begin, (material, folder, kinds, args.seed, args.keep)) as pool:
        numbers = range(args.first, args.first + args.cases)
        for number, told, code, spoiled, recounted, found, line in pool.imap_unordered(one, numbers, chunksize=8):
            counts[told, code] += 1
            counts["cases"] += 1
            counts["spoiled"] += spoiled
            counts.update(f"recounted {what}" for what in recounted)
            for problem in found:
                wrong[f"{told}: {problem}"] += 1
                if wrong[f"{told}: {problem}"] <= 3 and sum(wrong.values()) <= show:
                    print(f"case {number} ({told}): {problem}\n  {line}", flush=True)
            if counts["cases"] % 1000 == 0 and show:
                print(f"{counts['cases']} cases, {sum(wrong.values())} findings, {time.monotonic() - start:.0f} s", flush=True)
    return counts, wrong


def told_of(counts, wrong):
    pairs = sorted((key, n) for key, n in counts.items() if isinstance(key, tuple))
    for told in sorted({key[0] for key, _ in pairs}):
        codes = ", ".join(f"{n} x {code}" for (t, code), n in pairs if t == told)
        print(f"  {told:24s} exit codes {codes}")
    print("  counted again: " + ", ".join(f"{n} x {key[10:]}" for key, n in counts.items() if str(key).startswith("recounted ")))
    print(f"{counts['cases']} cases, {counts['spoiled']} of them with a changed file: {sum(wrong.values())} findings")
    for problem, number in wrong.most_common():
        print(f"{number} x {problem}")


PLANTS = {  # what a fake program does instead: words of the finding, the kind of cases that must show it
    'rm -f ../canary; exec "$REAL" "$@"': ("loses a canary", "model"),
    'echo >> ~/canary; exec "$REAL" "$@"': ("changes a canary", "data"),
    'echo > "stray"; exec "$REAL" "$@"': ("writes case/", "state"),
    'kill -SEGV $$': ("dies of signal 11", "fit"),
    'exit 77': ("exit code 77", "plan"),
    'sleep 100': ("hangs", "study"),
    'exec python3 -c "b = bytearray(200 << 20); b[::4096] = b[::4096].replace(bytes(1), b\"1\")"': ("MiB", "aside"),
    'printf "beadwork: \\033[31mred\\n" >&2; exit 1': ("control characters", "model"),
    'echo "beadwork: no" >&2; echo "beadwork: no" >&2; exit 1': ("a refusal of 2 lines", "state"),
    'rm -f out*; echo "beadwork: no" >&2; exit 1': ("and refuses", "fit"),
    '"$REAL" "$@" | sed "s/claimed optimal/optimal/"': ("says what nobody has proven", "model"),
    '"$REAL" "$@" | sed "s/claimed optimal/verified optimal/"': ("says what nobody has verified", "model"),
    '"$REAL" "$@" | sed "s/\\"errors\\": /\\"errors\\": 1/"': ("errors, but", "model"),
    '"$REAL" "$@" | sed "s/,yes$/,no/; s/^yes/no/"': ("predicts", "model"),
    '"$REAL" "$@" | sed "s/\\"\\(upper_bound\\|lower_bound\\|training_errors\\)\\": *\\([0-9]\\)/\\"\\1\\": 1\\2/"': ("can be had", "fit"),
    '"$REAL" "$@" | sed "s/return 0/return 1/; s/ELSE .yes./ELSE \'no\'/"': ("the export answers", "model"),
    'echo VERIFIED': ("beadcheck verifies", "certificate"),
}


def selftest(args):
    """Each plant is found, and the program itself passes."""
    with tempfile.TemporaryDirectory() as folder:
        real, args.keep, args.cases = args.beadwork, None, 8
        made = pathlib.Path(folder) / "material"
        made.mkdir()
        material = Material(real, made, args.seed)
        fake = pathlib.Path(folder) / "fake"
        fake.mkdir()
        Limits.wall, Limits.memory = 20, 150 << 20
        for script, (words, kind) in PLANTS.items():
            for name in ("beadwork", "beadcheck"):
                target = real if name == "beadwork" else str(pathlib.Path(real).parent / name)
                (fake / name).write_text(f"#!/bin/sh\nREAL={shlex.quote(target)}\n{script}\n")
                (fake / name).chmod(0o755)
            material.beadwork, args.kinds = str(fake / "beadwork"), kind
            Limits.wall = 0.3 if words == "hangs" else 60
            wrong = collections.Counter()
            for args.first in range(0, 480, args.cases):
                wrong += sweep(material, folder, args, show=0)[1]
                if any(words in problem for problem in wrong):
                    break
            else:
                sys.exit(f"not found: {script}\n{wrong}")
    print(f"{len(PLANTS)} planted faults found")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("beadwork", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--cases", type=int, default=50000)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kinds", help=",".join(KINDS))
    parser.add_argument("--keep", help="write each finding to a folder in this one")
    parser.add_argument("--selftest", action="store_true")
    args = parser.parse_args()
    if args.selftest:
        return selftest(args)
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "material"
        made.mkdir()
        material = Material(args.beadwork, made, args.seed)
        counts, wrong = sweep(material, folder, args)
        if {name: data for name, data in contents(made).items()} != {n: d for n, d in material.files.items() if not n.startswith("older/")}:
            wrong["the material has changed"] += 1
    told_of(counts, wrong)
    return 1 if wrong or counts["spoiled"] < args.cases // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
