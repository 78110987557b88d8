#!/usr/bin/env python3
"""Every file of a build tree through clang, with all warnings.

usage: clang_warnings.py [--full] [--but FOLDER]... [--jobs N] BUILD

In a tree that compiles every file alone this also shows what a file uses and does not include. Most of the time goes into the headers
of the standard library, of fmt and of GoogleTest. They are read once, into a precompiled header, so that a missing header of our own
is found in a quarter of the time; --full does without and finds those of the standard library too (make nightly). --but leaves out
the files of a folder. Exit code 1 where clang complains.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# What a precompiled header may hold: found by every target, or the targets that need others compile without it.
SHARED = re.compile(r"^[a-z_]+$|^(c?[a-z0-9_]+\.h|sys/[a-z]+\.h|fmt/.*|gtest/.*|nlohmann/.*)$")
DEFINED = ["-DFMT_SHARED", "-DGTEST_HAS_PTHREAD=1"]  # by its headers, or for them
NOT_SHARED = {"immintrin.h", "mpi.h", "zlib.h", "zstd.h", "zstd_errors.h"}


def commands_of(build, but):
    """File -> (folder, the words of its command without compiler, output and optimisation)."""
    left_out = tuple(f"{root}/{folder}/" for folder in but for root in (ROOT, build))
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = [w for w in shlex.split(entry["command"]) if not w.endswith("/ccache")]
        at = words.index("-o")
        kept = [w for w in words[1:at] + words[at + 2:] if w != "-c" and not re.match(r"-O.$|-fPI[CE]$", w)]
        if not entry["file"].endswith("/bundle.cpp") and not entry["file"].startswith(left_out):  # which the build makes
            commands[entry["file"]] = (entry["directory"], words[0], kept)
    return commands


def shared_headers():
    files = subprocess.run(["git", "ls-files", "*.cpp", "*.hpp"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    named = {h for f in files for h in re.findall(r"^#include <([^>]+)>", (ROOT / f).read_text(encoding="utf-8"), re.M)}
    return sorted(h for h in named if SHARED.match(h) and h not in NOT_SHARED)


def make_precompiled(build, compiler, common):
    header, out = build / "shared_headers.hpp", build / "shared_headers.pch"
    header.write_text("".join(f"#include <{h}>\n" for h in shared_headers()))
    done = subprocess.run([compiler, *common, "-x", "c++-header", str(header), "-o", str(out)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"clang_warnings: cannot make the precompiled header\n{done.stderr}")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--but", action="append", default=[], metavar="FOLDER")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    build = args.build.resolve()
    commands = commands_of(build, args.but)
    compiler = next(iter(commands.values()))[1]
    common = ["-O1", "-fPIC", "-std=c++20", "-DNDEBUG", *DEFINED, "-isystem", str(build / "json")]
    precompiled = None if args.full else make_precompiled(build, compiler, common)

    def check(file):
        folder, program, words = commands[file]
        alone = precompiled is None or any(w.startswith("-m") for w in words)  # a kernel's instructions differ
        start = ["-O1", "-fPIC"] if alone else ["-O1", "-fPIC", *DEFINED, "-include-pch", str(precompiled)]
        words = words if alone else [w for w in words if w not in DEFINED]
        return subprocess.run([program, *start, *words, "-fsyntax-only"], cwd=folder, capture_output=True, text=True)

    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for file, done in zip(commands, pool.map(check, commands)):
            if done.returncode:
                wrong += 1
                print(done.stderr, file=sys.stderr)
    print(f"lint: {len(commands)} files, {wrong} with faults")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
