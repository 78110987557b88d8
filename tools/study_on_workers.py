"""A study (docs/studies.md) on the workers of joblib: processes here, a Dask cluster or Ray.

usage: study_on_workers.py STUDY RECORD [--shards N] [--workers N] [--backend loky|dask|ray] [--scheduler ADDRESS]
                              [--program BEADWORK] [further options of beadwork study]

Each shard has a record of its own beside RECORD, on a disk that all workers see; the same command goes on where it was ended.
"""

import argparse
import subprocess
import sys

import joblib


def run_shard(program, study, record, number, count, options):
    """What the command printed to stderr, or nothing."""
    command = [program, "study", study, "-o", record, "--shard", f"{number}/{count}", "-q", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    return f"shard {number}: {done.stderr.strip()}" if done.returncode else ""


def choose_backend(name, scheduler):
    """Whatever it needs before joblib may name it."""
    if name == "dask":
        from dask.distributed import Client

        return Client(scheduler)
    if name == "ray":
        import ray
        from ray.util.joblib import register_ray

        ray.init(address=scheduler)
        register_ray()
    return None


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("study")
    parser.add_argument("record")
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--workers", type=int, default=-1)
    parser.add_argument("--backend", default="loky")
    parser.add_argument("--scheduler")
    parser.add_argument("--program", default="beadwork")
    args, options = parser.parse_known_args()
    records = [f"{args.record}.{i}" for i in range(1, args.shards + 1)]
    client = choose_backend(args.backend, args.scheduler)
    with joblib.parallel_config(backend=args.backend, n_jobs=args.workers):
        tasks = [(args.program, args.study, r, i, args.shards, options) for i, r in enumerate(records, 1)]
        faults = [text for text in joblib.Parallel()(joblib.delayed(run_shard)(*t) for t in tasks) if text]
    if client is not None:
        client.close()
    if faults:
        sys.exit("\n".join(faults))
    subprocess.run([args.program, "study", "merge", *records, "-o", args.record], check=True)


if __name__ == "__main__":
    main()
