"""beadwork-mpi under a real mpirun: the same model for any number of ranks, and a death in the middle.

usage: test_mpi.py [unittest's arguments]; BEADWORK_BINARY names the program beside which beadwork-mpi lies. Needs OpenMPI
(tools/setup.sh clusters) and a build with -DBEADWORK_MPI=ON.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from tables import write

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("BEADWORK_BINARY", str(ROOT / "build" / "beadwork")))
OVER_RANKS = PROGRAM.with_name("beadwork-mpi")
RUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "btl", "self,vader,tcp"]
RUN += ["--allow-run-as-root"] if os.getuid() == 0 else []


@unittest.skipUnless(shutil.which("mpirun"), "OpenMPI is not installed (tools/setup.sh clusters)")
@unittest.skipUnless(OVER_RANKS.exists(), "beadwork-mpi is not built (-DBEADWORK_MPI=ON)")
class MpiTest(unittest.TestCase):
    def setUp(self) -> None:
        self.home = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="beadwork-mpi-")))

    def command(self, ranks: int, table: Path, folder: str, *words: str) -> list[str]:
        ours = ["fit", str(table), "-d", "5", "--plan-dir", str(self.home / folder), *words]
        return [*RUN, "-n", str(ranks), str(OVER_RANKS), *ours]

    def run_ranks(self, ranks: int, table: Path, folder: str, *words: str, code: int = 0) -> subprocess.CompletedProcess:
        done = subprocess.run(self.command(ranks, table, folder, *words), capture_output=True, text=True, timeout=1800)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def whole(self, table: Path) -> bytes:
        path = self.home / "whole.json"
        words = ["fit", str(table), "-d", "5", "-o", str(path), "--time-limit", "none"]
        subprocess.run([str(PROGRAM), *words], check=True, capture_output=True)
        return path.read_bytes()

    def test_the_same_model_for_any_number_of_ranks_and_of_parts(self) -> None:
        table = write(self.home / "table.csv", 60)
        models = {}
        for ranks, parts in ((1, 64), (4, 64), (3, 7), (2, 1)):
            name = f"{ranks}-{parts}"
            out = str(self.home / f"{name}.json")
            self.run_ranks(ranks, table, name, "--plan", str(parts), "-o", out, "--threads", "2")
            models[ranks, parts] = Path(out).read_bytes()
        self.assertEqual(models[1, 64], models[4, 64])
        whole = self.whole(table)
        for model in models.values():
            self.assertEqual(model, whole)

    def test_a_rank_that_dies_ends_the_job_and_the_next_one_goes_on(self) -> None:
        table = write(self.home / "table.csv", 120)
        words = self.command(3, table, "plan", "--plan", "40", "--checkpoint-every", "1")
        job = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        folder = self.home / "plan"
        end = time.monotonic() + 120
        while len(list(folder.glob("part-*"))) < 6 and time.monotonic() < end:
            time.sleep(0.05)
        before = {p: p.read_text() for p in folder.glob("part-*") if "complete 1" in p.read_text()}
        self.assertTrue(0 < len(before) < 40, len(before))
        ranks = [int(p) for p in subprocess.run(["pgrep", "-P", str(job.pid)], capture_output=True, text=True).stdout.split()]
        os.kill(ranks[-1], signal.SIGKILL)
        said = job.communicate(timeout=1800)[0]
        self.assertNotEqual(job.returncode, 0, said)
        out = self.home / "model.json"
        self.run_ranks(2, table, "plan", "-o", str(out))
        self.assertEqual(out.read_bytes(), self.whole(table))
        for path, text in before.items():
            self.assertEqual(path.read_text(), text)  # what was done is not done again

    def test_a_limit_leaves_bounds_and_a_state(self) -> None:
        table = write(self.home / "table.csv", 120)
        out = self.home / "model.json"
        self.run_ranks(2, table, "plan", "--plan", "20", "--time-limit", "0.2", "-o", str(out), code=4)
        claim = json.loads(out.read_text())["claim"]
        self.assertEqual(claim["status"], "feasible")
        self.assertLess(claim["lower_bound"], claim["upper_bound"])
        self.run_ranks(3, table, "plan", "-o", str(out))
        self.assertEqual(out.read_bytes(), self.whole(table))

    def test_the_exit_code_is_that_of_the_claim(self) -> None:
        table = write(self.home / "table.csv", 60)
        codes = set()
        for limit in ("0.02", "0.1", "0.2", "0.3", "0.5", "1", "20"):
            out = self.home / f"{limit}.json"
            words = self.command(2, table, f"plan-{limit}", "--plan", "20", "--time-limit", limit, "-o", str(out))
            done = subprocess.run(words, capture_output=True, text=True, timeout=1800)
            if done.returncode == 3:  # no plan in that time
                self.assertIn("stopped", done.stderr)
                continue
            proven = json.loads(out.read_text())["claim"]["status"] == "optimal"
            self.assertEqual(done.returncode, 0 if proven else 4, done.stdout + done.stderr)
            codes.add(done.returncode)
        self.assertIn(0, codes)

    def test_bad_input_ends_all_ranks_with_a_line(self) -> None:
        table = write(self.home / "table.csv", 60)
        for words, code, line in (
            (["fit", str(table)], 2, "needs --plan-dir"),
            (["fit", str(self.home / "none.csv"), "--plan-dir", str(self.home / "p")], 1, "none.csv"),
            (["fit", str(table), "--plan-dir", str(self.home / "p"), "--plan", "x"], 2, "expected a number"),
            (["fit", str(table), "-d", "1..3", "--plan-dir", str(self.home / "p")], 2, "cannot be divided"),
            (["predict"], 2, "expected 'fit'"),
        ):
            with self.subTest(words=words):
                done = subprocess.run([*RUN, "-n", "2", str(OVER_RANKS), *words], capture_output=True, text=True, timeout=1800)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(line, done.stderr)
        self.run_ranks(2, table, "plan", "--plan", "5")
        other = self.run_ranks(2, table, "plan", "--forbid", "f0", code=2)
        self.assertIn("other options", other.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
