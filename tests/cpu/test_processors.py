#!/usr/bin/env python3
"""The program on processors that this machine is not: under qemu it starts, and learns the same bytes as here.

usage: test_processors.py BEADWORK CPU        (a processor of qemu-x86_64; exit 77 where qemu is not installed)
       test_processors.py BEADWORK --avx512   (the AVX-512 kernel beside the portable one; exit 77 where it does not run)
"""
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

FITS = {"tic-tac-toe": ["-d", "3"], "monk-2": ["-d", "6"], "monk-3": ["-d", "4", "--threads", "2"]}
QEMU = shutil.which("qemu-x86_64-static") or shutil.which("qemu-x86_64")


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def models(program, folder, name, extra=()):
    """The model of each table, as bytes."""
    out = {}
    for table, options in FITS.items():
        model = folder / f"{table}.{name}.json"
        run([*program, "fit", folder / f"{table}.csv", *options, *extra, "-q", "-o", model])
        out[table] = model.read_bytes()
    return out


def compare(ours, theirs, name):
    for table in FITS:
        if ours[table] != theirs[table]:
            sys.exit(f"{table}: the model learnt by {name} is another one")


def on_processor(beadwork, folder, cpu):
    if platform.machine() != "x86_64" or QEMU is None:
        print("skipped: needs qemu-user-static and an x86-64 machine")
        return 77
    there = [QEMU, "-cpu", cpu, beadwork]
    if run([*there, "engines"]) != run([beadwork, "engines"]):
        sys.exit(f"'engines' prints something else on {cpu}")
    compare(models([beadwork], folder, "here"), models(there, folder, cpu), cpu)
    return 0


def avx512(beadwork, folder):
    probe = subprocess.run([beadwork, "fit", folder / "monk-3.csv", "-d", "1", "-q", "--kernel", "avx512"],
                           capture_output=True, text=True)
    if "this processor has no such kernel" in probe.stderr:
        print("skipped: this processor has no AVX-512 with BITALG, VPOPCNTDQ and GFNI")
        return 77
    compare(models([beadwork], folder, "avx512", ["--kernel", "avx512"]),
            models([beadwork], folder, "portable", ["--kernel", "portable"]), "avx512")
    return 0


def main():
    beadwork, what = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for table in FITS:
            (folder / f"{table}.csv").write_text(run([beadwork, "datasets", "make", table]))
        return avx512(beadwork, folder) if what == "--avx512" else on_processor(beadwork, folder, what)


sys.exit(main())
