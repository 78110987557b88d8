"""The jobs that 'beadwork slurm' writes, on a real Slurm of one node that the test starts for itself.

usage: test_slurm.py [unittest's arguments]; BEADWORK_BINARY names the program. Needs munged, slurmctld, slurmd and sbatch
(tools/setup.sh clusters).
"""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from tables import answers, write, write_study

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("BEADWORK_BINARY", str(ROOT / "build" / "beadwork"))
NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")
PATIENCE = 300

CONF = """ClusterName=beadwork
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
SlurmctldPort={ctld}
SlurmdPort={d}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,bf_interval=2
ReturnToService=2
SlurmctldTimeout=300
SlurmdTimeout=300
MessageTimeout=60
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class Cluster:
    """munged, slurmctld and slurmd on the loopback, with all that they write in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        host = socket.gethostname().split(".")[0]
        for name in ("state", "spool"):
            (folder / name).mkdir()
        folder.chmod(0o755)
        (folder / "slurm.conf").write_text(
            CONF.format(host=host, user=getpass.getuser(), folder=folder, ctld=free_port(), d=free_port())
        )
        (folder / "munge.key").write_bytes(os.urandom(128))
        (folder / "munge.key").chmod(0o600)
        self.env = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
        self.running: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Cluster:
        f = self.folder
        names = ("socket", "pid", "log", "seed", "key")
        flags = {"socket": "socket", "pid": "pid-file", "log": "log-file", "seed": "seed-file", "key": "key-file"}
        self.start("munged", "--foreground", "--force", *(f"--{flags[n]}={f}/munge.{n}" for n in names))
        self.until(lambda: (f / "munge.socket").exists(), "munged listens")
        self.start("slurmctld", "-D", "-i")
        self.start("slurmd", "-D")
        self.until(lambda: "idle" in self.ask("sinfo", "-h", "-o", "%T", check=False), "the node is idle")
        return self

    def start(self, *command: str) -> None:
        with (self.folder / f"{command[0]}.out").open("wb") as out:
            self.running.append(subprocess.Popen(command, env=self.env, stdout=out, stderr=out))

    def __exit__(self, *_: object) -> None:
        self.ask("scancel", "--me", check=False)
        for process in reversed(self.running):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def ask(self, *command: str, check: bool = True) -> str:
        done = subprocess.run(command, env=self.env, capture_output=True, text=True)
        if check and done.returncode != 0:
            raise AssertionError(f"{command}: {done.stderr}")
        return done.stdout

    def until(self, holds, what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end:
                logs = "".join(f"--- {p}\n{p.read_text()[-2000:]}" for p in self.folder.glob("*.[lo][ou][gt]"))
                raise AssertionError(f"not in {PATIENCE} s: {what}\n{logs}\n{self.ask('squeue', check=False)}")
            time.sleep(0.3)

    def jobs(self) -> list[tuple[str, str, str, str]]:
        """Number, state, reason and number of the task of each job that is not over."""
        lines = self.ask("squeue", "-h", "-r", "-o", "%i|%T|%r|%K").splitlines()
        return [tuple(line.split("|")) for line in lines]  # type: ignore[misc]


@unittest.skipUnless(all(shutil.which(p) for p in NEEDED), "Slurm and munge are not installed (tools/setup.sh clusters)")
class SlurmTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.home = Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="beadwork-slurm-")))
        cls.home.chmod(0o755)
        (cls.home / "slurm").mkdir()
        cls.cluster = cls.enterClassContext(Cluster(cls.home / "slurm"))

    def beadwork(self, *words: str) -> str:
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def plan(self, name: str, features: int, parts: int) -> tuple[Path, Path]:
        table = write(self.home / f"{name} table.csv", features)  # a name that a shell must not split
        folder = self.home / name
        self.beadwork("fit", str(table), "-d", "5", "--threads", "1", "--plan", str(parts), "--plan-dir", str(folder))
        return table, folder

    def submit(self, folder: Path, *words: str) -> None:
        script = self.home / f"{folder.name}.sh"
        self.beadwork("slurm", str(folder), "-o", str(script), *words)
        done = subprocess.run(["bash", str(script)], env=self.cluster.env, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("array job ", done.stdout)

    def same_as_whole(self, table: Path, folder: Path) -> None:
        whole, merged = folder / "whole.json", folder / "again.json"
        self.beadwork("fit", str(table), "-d", "5", "-o", str(whole), "--time-limit", "none")
        self.beadwork("state", "merge", str(folder), "-o", str(merged))
        self.assertEqual((folder / "model.json").read_bytes(), merged.read_bytes())
        self.assertEqual((folder / "model.json").read_bytes(), whole.read_bytes())

    def over(self) -> None:
        self.cluster.until(lambda: not self.cluster.jobs(), "all jobs are over")

    def test_an_array_and_a_merge_give_the_model_of_the_whole_search(self) -> None:
        table, folder = self.plan("even", 60, 13)
        self.submit(folder, "--tasks", "4", "--certificate", str(folder / "c"), "--sbatch=--comment=mine")
        self.over()
        self.same_as_whole(table, folder)
        checker = Path(PROGRAM).with_name("beadcheck")
        self.beadwork("binarize", str(table), "-o", str(folder / "matrix"))
        done = subprocess.run([checker, folder / "matrix", folder / "model.json", folder / "c"], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def running_part(self, folder: Path) -> tuple[str, str]:
        """A task whose part has begun: its job and its number."""
        found: list[tuple[str, str]] = []

        def begun() -> bool:
            found[:] = [
                (job, task)
                for job, state, _, task in self.cluster.jobs()
                if state == "RUNNING" and task.isdigit() and (folder / f"part-{int(task):05}.beadwork-lock").exists()
            ]
            return bool(found)

        self.cluster.until(begun, "a part runs")
        return found[0]

    def test_near_its_time_limit_a_task_saves_its_part_and_comes_again(self) -> None:
        table, folder = self.plan("long", 120, 3)
        self.submit(folder)
        job, task = self.running_part(folder)
        self.cluster.ask("scancel", "--signal=USR1", "--batch", job)
        part = folder / f"part-{int(task):05}"
        self.cluster.until(part.exists, "the part is saved")
        self.assertIn("complete 0", part.read_text())
        self.over()
        self.same_as_whole(table, folder)

    def test_a_part_that_is_killed_stops_the_merge_and_a_second_run_goes_on(self) -> None:
        table, folder = self.plan("killed", 120, 3)
        self.submit(folder)
        _, task = self.running_part(folder)
        me = f"--part\0{task}\0--plan-dir\0{folder}\0".encode()
        victims = [p.parent.name for p in Path("/proc").glob("[0-9]*/cmdline") if me in _bytes_of(p)]
        self.assertEqual(len(victims), 1)
        os.kill(int(victims[0]), signal.SIGKILL)
        self.over()
        self.assertFalse((folder / "model.json").exists())
        self.submit(folder)
        self.over()
        self.same_as_whole(table, folder)

    def test_a_study_in_shards_has_the_record_of_a_study_in_one(self) -> None:
        home = self.home / "study"
        common = [str(write_study(home)), "--data", str(home)]
        self.beadwork("study", *common, "--record", str(home / "whole.jsonl"), "--quiet")
        script = home / "job.sh"
        words = ["--shards", "5", "--tasks", "2", "--record", str(home / "all.jsonl"), "-o", str(script)]
        self.beadwork("study", "slurm", *common, *words)
        subprocess.run(["bash", str(script)], env=self.cluster.env, check=True, capture_output=True)
        self.over()
        self.assertEqual(answers(home / "all.jsonl"), answers(home / "whole.jsonl"))


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


if __name__ == "__main__":
    unittest.main(verbosity=2)
