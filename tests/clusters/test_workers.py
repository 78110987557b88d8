"""One search over a real Dask cluster of processes, and over Ray, with a worker killed in the middle.

usage: test_workers.py [unittest's arguments], in an environment with beadwork and tests/clusters/packages.txt.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

import joblib
import numpy as np

from beadwork import BDDClassifier, merge_parts, search_parts
from tables import answers, rows, write_study

try:
    import distributed
except ImportError:
    distributed = None
try:
    import ray
except ImportError:
    ray = None

DEPTH, WORKERS = 5, 3
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("BEADWORK_BINARY", str(ROOT / "build" / "beadwork"))


def table(features: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = rows(features)
    return np.array(X), np.array(y)


def told(model: BDDClassifier) -> str:
    return model.to_json()


class StudyOnWorkers(unittest.TestCase):
    def test_the_record_is_that_of_one_process(self) -> None:
        backends = ["loky"] + ["dask"] * (distributed is not None) + ["ray"] * (ray is not None)
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            study = write_study(home)
            whole = home / "whole.jsonl"
            subprocess.run([PROGRAM, "study", study, "--data", home, "-o", whole, "-q"], check=True, capture_output=True)
            for backend in backends:
                record = home / f"{backend}.jsonl"
                script = [sys.executable, ROOT / "tools" / "study_on_workers.py", study, record, "--data", home]
                words = ["--shards", "5", "--workers", "2", "--backend", backend, "--program", PROGRAM]
                done = subprocess.run([*script, *words], capture_output=True, text=True, timeout=1800)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(answers(record), answers(whole), backend)


class Killer(threading.Thread):
    """Kills one of these processes as soon as there is one and the time has come."""

    def __init__(self, victims: Callable[[], Iterable[int]], after: threading.Event) -> None:
        super().__init__(daemon=True)
        self.victims, self.after, self.killed = victims, after, 0

    def run(self) -> None:
        self.after.wait(300)
        end = time.monotonic() + 120
        while not self.killed and time.monotonic() < end:
            for pid in self.victims():
                os.kill(pid, signal.SIGKILL)
                self.killed = pid
                return
            time.sleep(0.02)


class OneSearch:
    """What must hold on either cluster. `backend` is joblib's name of it; `busy` gives processes that search."""

    backend: str

    @classmethod
    def whole(cls) -> dict:
        if not hasattr(OneSearch, "_whole"):
            OneSearch._whole = told(BDDClassifier(DEPTH, time_limit=None).fit(*table(120)))
        return OneSearch._whole

    def busy(self) -> Iterable[int]:
        raise NotImplementedError

    def test_a_fit_over_the_workers_is_the_fit_of_one_process(self) -> None:
        X, y = table(60)
        with joblib.parallel_config(backend=self.backend):
            model = BDDClassifier(DEPTH, n_jobs=WORKERS, time_limit=None).fit(X, y)
        self.assertIn(f"proven in {8 * WORKERS} parts", model.claim_)
        self.assertEqual(told(model), told(BDDClassifier(DEPTH).fit(X, y)))

    def test_a_worker_that_is_killed_costs_its_part_alone(self) -> None:
        begun = threading.Event()
        killer = Killer(self.busy, begun)
        killer.start()
        with joblib.parallel_config(backend=self.backend), warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            model = BDDClassifier(DEPTH, n_jobs=WORKERS, time_limit=None, callback=lambda p: begun.set()).fit(*table(120))
        killer.join()
        self.assertTrue(killer.killed, "no worker was killed")
        self.assertEqual(told(model), self.whole(), [str(w.message) for w in said])

    def test_a_time_limit_holds_and_leaves_bounds(self) -> None:
        X, y = table(120)
        with joblib.parallel_config(backend=self.backend), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = BDDClassifier(9, n_jobs=WORKERS, time_limit=10).fit(X, y)
        self.assertFalse(model.optimal_)
        self.assertLess(model.lower_bound_, model.upper_bound_)


@unittest.skipIf(distributed is None, "dask.distributed is not installed (tests/clusters/packages.txt)")
class DaskTest(OneSearch, unittest.TestCase):
    backend = "dask"

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = distributed.LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None
        )
        cls.client = distributed.Client(cls.cluster)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.client.close()
        cls.cluster.close()

    def busy(self) -> Iterable[int]:
        working = [address for address, tasks in self.client.processing().items() if tasks]
        return [self.client.run(os.getpid, workers=[address])[address] for address in working[:1]]

    def test_parts_as_futures(self) -> None:
        X, y = table(60)
        parts = search_parts(BDDClassifier(DEPTH), X, y, 13)
        shared = self.client.scatter(parts)
        futures = [self.client.submit(lambda all, i: all[i](), shared, i) for i in range(len(parts))]
        model = merge_parts(parts, self.client.gather(futures))
        self.assertEqual(told(model), told(BDDClassifier(DEPTH).fit(X, y)))

    def test_a_fit_on_a_worker_stays_there(self) -> None:
        def fit() -> str:
            with joblib.parallel_config(backend="dask"):
                return str(BDDClassifier(2, n_jobs=2).fit(*table(20)).claim_)

        self.assertNotIn("parts", self.client.submit(fit).result())


@unittest.skipIf(ray is None, "ray is not installed (tests/clusters/packages.txt)")
class RayTest(OneSearch, unittest.TestCase):
    backend = "ray"

    @classmethod
    def setUpClass(cls) -> None:
        from ray.util.joblib import register_ray

        here = str(Path(__file__).resolve().parent)
        path = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
        ray.init(
            num_cpus=WORKERS, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": path}}
        )
        register_ray()

    @classmethod
    def tearDownClass(cls) -> None:
        ray.shutdown()

    def busy(self) -> Iterable[int]:
        """Processes of Ray that run a batch of this driver's pool."""
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if path.read_bytes().startswith(b"ray::PoolActor.run_batch") and _grandparent(path.parent) == os.getpid():
                    yield int(path.parent.name)
            except OSError:
                continue

    def test_parts_as_remote_tasks(self) -> None:
        X, y = table(60)
        parts = search_parts(BDDClassifier(DEPTH), X, y, 13)
        search = ray.remote(lambda part: part())
        model = merge_parts(parts, ray.get([search.remote(part) for part in parts]))
        self.assertEqual(told(model), told(BDDClassifier(DEPTH).fit(X, y)))


def _parent(process: Path) -> int:
    return int((process / "stat").read_text().rpartition(")")[2].split()[1])


def _grandparent(process: Path) -> int:
    return _parent(Path("/proc") / str(_parent(process)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
