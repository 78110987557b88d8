"""The same model as the command line's, whatever is asked for: tests/doors of the project."""

import subprocess
import sys

from conftest import ROOT, lacking


def test_random_jobs_give_the_models_of_the_command_line(command):
    script = ROOT / "tests" / "doors" / "doors.py"
    if not script.exists():
        lacking("the project's tests are not beside these")
    done = subprocess.run([sys.executable, script, command, "--python", sys.executable, "--jobs", "40"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
