#!/usr/bin/env python3
"""The script that 'beadwork slurm' writes: what it holds, and its jobs run by bash as Slurm would (tests/clusters has a real one)."""
import os
import re
import subprocess
import unittest

from beadwork_cli import CliTest


class Slurm(CliTest):
    def setUp(self):
        super().setUp()
        rows = [f"{i & 1},{i >> 1 & 1},{i >> 2 & 1},{i >> 3 & 1},{(i & i >> 1 ^ i >> 3) & 1}" for i in range(16)]
        self.write("a table.csv", "a,b,c,d,y\n" + "\n".join(rows) + "\n")
        self.ok("fit", "a table.csv", "-d", "3", "--threads", "2", "--time-limit=9", "--plan", "5", "--plan-dir", "the plan", "-q")

    def jobs(self, *words):
        script = self.ok("slurm", "the plan", *words).stdout
        self.assertEqual(subprocess.run(["bash", "-n"], input=script, text=True).returncode, 0)
        jobs = re.findall(r"<<'END_OF_JOB'\n(.*?)END_OF_JOB\n", script, re.S)
        self.assertEqual(len(jobs), 2)
        return jobs

    def run_job(self, job, task):
        env = {**os.environ, "SLURM_ARRAY_TASK_ID": str(task), "SLURM_CPUS_PER_TASK": "1", "SLURM_JOB_ID": "1"}
        done = subprocess.run(["bash"], input=job, text=True, env=env, capture_output=True)
        return done.returncode, done.stderr

    def test_the_jobs_do_all_parts_and_then_the_model(self):
        array, last = self.jobs("--tasks", "2", "--model", "m.json", "--certificate", "c", "--time", "1-0", "--sbatch=--partition=x y")
        for line in ("--array=0-1", "--cpus-per-task=1", "--time=1-0", "--partition=x y", "--requeue"):
            self.assertIn(f"#SBATCH {line}\n", array)
        self.assertNotIn("--time-limit", array)
        self.assertEqual(array.count("--threads"), 1)
        self.assertEqual(self.run_job(last, 0)[0], 1)  # parts are missing
        for task in (1, 0):
            code, said = self.run_job(array, task)
            self.assertEqual(code, 0, said)
        self.assertEqual(self.run_job(last, 0)[0], 0)
        self.ok("fit", "a table.csv", "-d", "3", "-o", "whole.json", "-q")
        models = [(self.dir / m).read_text() for m in ("m.json", "whole.json")]
        self.assertEqual(*models)
        self.assertTrue((self.dir / "c").exists())

    def test_a_part_that_fails_fails_its_task(self):
        array, _ = self.jobs()
        (self.dir / "a table.csv").unlink()
        code, said = self.run_job(array, 0)
        self.assertEqual(code, 1)
        self.assertIn("a table.csv", said)

    def test_bad_input(self):
        for words, code, line in (
            (["none"], 1, "none/plan: cannot open"),
            (["the plan", "--tasks", "0"], 2, "--tasks: expected a number from 1 to "),
            (["the plan", "--time", "soon"], 2, "--time: expected minutes"),
            (["the plan", "--sbatch=partition"], 2, "--sbatch: expected an option of sbatch"),
            (["the plan", "--threads", "0"], 2, "--threads"),
            (["the plan", "--program", "two\nlines"], 1, "line break"),
        ):
            with self.subTest(words=words):
                done = self.run_it("slurm", *words)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(line, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
