"""Runs golden cases: a command line, a line of four dashes, the expected standard output.

    run_golden.py BEADWORK CASE...          compare
    run_golden.py --update BEADWORK CASE... write what the program prints now

Lines before the dashes are one script for bash, run in an empty folder with `beadwork` standing for the binary; what goes
to stderr is not compared. Times in seconds are shown as <time>.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SEPARATOR = "----\n"


def run(binary, script):
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(binary), os.path.join(folder, "beadwork"))
        environment = dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"])
        work = os.path.join(folder, "work")
        os.mkdir(work)
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=work, env=environment, text=True,
                              capture_output=True, timeout=1800)
    out = re.sub(r"\d+\.\d{3} s\b", "<time>", done.stdout)
    out = re.sub(r'("time_s": )[-+.e\d]+', r"\1<time>", out)
    return out if done.returncode == 0 else f"{out}exit code {done.returncode}\n{done.stderr}"


def main(arguments):
    update = arguments[:1] == ["--update"]
    binary, *cases = arguments[1 if update else 0:]
    failed = 0
    for path in map(pathlib.Path, cases):
        script, _, expected = path.read_text(encoding="utf-8").partition(SEPARATOR)
        got = run(binary, script)
        if update:
            path.write_text(script + SEPARATOR + got, encoding="utf-8")
        elif got != expected:
            failed += 1
            sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), got.splitlines(True), str(path), "now"))
    print(f"{len(cases)} cases, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
