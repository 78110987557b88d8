#!/usr/bin/env python3
"""Files that do not fit in memory: fit and predict on long tables, time and peak memory; every answer is checked against counts
that numpy made while the table was written.

usage: FOR= tools/python_env.sh bench/long_files.py [--gb 5] [--rows 100000000] [--folder DIR] [CASE ...]
cases: flags, numbers, wide (fit, --gb each), csv, gz, parquet (predict, --rows each)
"""
import argparse
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

BINARY = os.environ.get("BEADWORK_BINARY", str(pathlib.Path(__file__).resolve().parents[1] / "build/beadwork"))
NOISE = 0.1


def run(*words):
    """Seconds and peak memory (MB) of a command that must succeed; a child of its own is not counted."""
    start = time.monotonic()
    child = subprocess.Popen([BINARY, *map(str, words)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, words
    return time.monotonic() - start, usage.ru_maxrss / 1024


def report(name, size, seconds, memory):
    print(f"{name:<28} {size / 2**30:6.2f} GiB {seconds:8.1f} s {memory:8.0f} MB", flush=True)


def flags_block(rng, rows, columns=30):
    """Rows of 0/1 with class (f0 and f3) xor f7, some of them flipped; and how many."""
    bits = rng.integers(0, 2, (rows, columns), dtype=np.uint8)
    bits[:, 18:] = bits[:, 2:columns - 16] ^ bits[:, 4:columns - 14]  # 2^18 kinds of rows at most, besides the class
    flipped = rng.random(rows) < NOISE
    label = ((bits[:, 0] & bits[:, 3]) ^ bits[:, 7]) ^ flipped
    text = np.full((rows, 2 * columns + 2), ord(","), np.uint8)
    text[:, 0:2 * columns:2] = bits + ord("0")
    text[:, -2] = label + ord("0")
    text[:, -1] = ord("\n")
    return text.tobytes(), int(flipped.sum()), bits, label


def write_flags(path, size):
    rng = np.random.default_rng(1)
    errors = rows = 0
    with open(path, "wb") as file:
        file.write((",".join(f"f{i}" for i in range(30)) + ",y\n").encode())
        while file.tell() < size:
            text, wrong, *_ = flags_block(rng, 1_000_000)
            file.write(text)
            errors += wrong
            rows += 1_000_000
    return rows, errors


def flags(folder, size):
    path, model = folder / "flags.csv", folder / "m.json"
    rows, errors = write_flags(path, size)
    seconds, memory = run("fit", path, "-d", "3", "-q", "-o", model, "--time-limit", "none")
    m = json.loads(model.read_text())
    assert m["training"]["rows"] == rows and m["training"]["errors"] == errors, (m["training"], rows, errors)
    assert sorted(f["name"] for f in m["features"]) == ["f0", "f3", "f7"], m["features"]
    assert m["claim"]["status"] == "optimal"
    report("fit flags, depth 3", path.stat().st_size, seconds, memory)


def best_single_test(counts, quantiles=8):
    """Fewest errors of one threshold of one column, and all thresholds, from counts[column, class, value]."""
    best = None
    cuts = []
    for by_class in counts:
        below = by_class.sum(axis=0).cumsum()
        values = np.flatnonzero(by_class.sum(axis=0))
        reached = below[values]
        chosen = []
        for q in range(1, quantiles + 1):
            goal = reached[-1] * q / (quantiles + 1)
            gaps = np.abs(reached[:-1] - goal)
            i = int(np.argmin(gaps))  # the lower of two equally near ones
            if not chosen or i > chosen[-1]:
                chosen.append(i)
        cuts.append([(values[i], values[i + 1]) for i in chosen])
        for low, _ in cuts[-1]:
            passed = by_class[:, : low + 1].sum(axis=1)
            failed = by_class.sum(axis=1) - passed
            wrong = int(passed.sum() - passed.max() + failed.sum() - failed.max())
            best = wrong if best is None else min(best, wrong)
    return best, cuts


def numbers(folder, size, columns=6, values=1_000_000, digits=6, name="numbers"):
    """Columns of whole numbers below `values`, written with all digits; the class follows the second of them."""
    path, model = folder / f"{name}.csv", folder / "m.json"
    rng = np.random.default_rng(2)
    counts = np.zeros((columns, 2, values), np.int64)
    rows, block = 0, max(1000, 6_000_000 // columns)
    powers = 10 ** np.arange(digits - 1, -1, -1)
    with open(path, "wb") as file:
        file.write((",".join(f"x{i}" for i in range(columns)) + ",y\n").encode())
        while file.tell() < size:
            x = (rng.beta(2, 5, (block, columns)) * values).astype(np.int64)
            label = (x[:, 1] > values // 4) ^ (rng.random(block) < NOISE)
            for c in range(columns):
                for k in (0, 1):
                    counts[c, k] += np.bincount(x[label == k, c], minlength=values)
            text = np.full((block, (digits + 1) * columns + 2), ord(","), np.uint8)
            cells = (x[:, :, None] // powers % 10 + ord("0")).astype(np.uint8)
            text[:, : (digits + 1) * columns].reshape(block, columns, digits + 1)[:, :, :digits] = cells
            text[:, -2] = np.where(label, ord("p"), ord("n"))
            text[:, -1] = ord("\n")
            file.write(text.tobytes())
            rows += block
    seconds, memory = run("fit", path, "-d", "1", "-q", "-o", model, "--time-limit", "none", "--thresholds", "quantiles:8")
    m = json.loads(model.read_text())
    errors, cuts = best_single_test(counts)
    assert m["training"]["rows"] == rows and m["training"]["errors"] == errors, (m["training"], rows, errors)
    feature = m["features"][0]
    column = int(m["columns"][feature["column"]]["name"][1:])
    assert any(low <= feature["threshold"] < high for low, high in cuts[column]), (feature, cuts[column])
    report(f"fit {name}, depth 1", path.stat().st_size, seconds, memory)


def wide(folder, size):
    numbers(folder, size, columns=400, values=100, digits=2, name="wide")


def small_model(folder):
    rng = np.random.default_rng(3)
    text, *_ = flags_block(rng, 20_000, 8)
    (folder / "s.csv").write_bytes(b"f0,f1,f2,f3,f4,f5,f6,f7,y\n" + text)
    run("fit", folder / "s.csv", "-d", "3", "-q", "-o", folder / "m.json")
    return folder / "m.json"


def answer_counts(lines):
    lines = np.frombuffer(lines, np.uint8)
    starts = np.concatenate(([0], np.flatnonzero(lines[:-1] == 10) + 1))
    return int((lines[starts] == ord("1")).sum()), len(starts)


def predict(folder, rows, kind):
    model = small_model(folder)
    rng = np.random.default_rng(4)
    ending = {"csv": ".csv", "gz": ".csv.gz", "parquet": ".parquet"}[kind]
    source, target = folder / f"p{ending}", folder / f"out{ending}"
    expected, block, writer, file = 0, 1_000_000, None, None
    if kind != "parquet":
        file = open(source, "wb") if kind == "csv" else gzip.open(source, "wb", 1)
        file.write(b"f0,f1,f2,f3,f4,f5,f6,f7,y\n")
    for _ in range(max(1, rows // block)):
        text, _, bits, _ = flags_block(rng, block, 8)
        expected += int(((bits[:, 0] & bits[:, 3]) ^ bits[:, 7]).sum())
        if file:
            file.write(text)
            continue
        import pyarrow as pa
        import pyarrow.parquet
        part = pa.table({f"f{i}": bits[:, i] for i in range(8)})
        writer = writer or pa.parquet.ParquetWriter(source, part.schema)
        writer.write_table(part)
    (file or writer).close()
    seconds, memory = run("predict", model, source, "-q", "-o", target)
    total = ones = 0
    if kind == "parquet":
        for batch in pa.parquet.ParquetFile(target).iter_batches(columns=["prediction"]):
            total += batch.num_rows
            ones += pa.compute.sum(pa.compute.equal(batch.column(0), "1")).as_py() or 0
    else:
        with open(target, "rb") if kind == "csv" else gzip.open(target) as out:
            assert out.readline() == b"prediction,probability\n"
            while lines := out.readlines(1 << 26):
                some, n = answer_counts(b"".join(lines))
                ones += some
                total += n
    assert (total, ones) == (max(1, rows // block) * block, expected), (total, ones, expected)
    report(f"predict {kind}, {total:.0e} rows", source.stat().st_size, seconds, memory)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gb", type=float, default=5)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--folder")
    parser.add_argument("cases", nargs="*", default=["flags", "numbers", "wide", "csv", "gz", "parquet"])
    args = parser.parse_args()
    os.environ.setdefault("BEADWORK_PYTHON", sys.executable)
    for case in args.cases:
        with tempfile.TemporaryDirectory(dir=args.folder) as folder:
            fit = {"flags": flags, "numbers": numbers, "wide": wide}.get(case)
            if fit:
                fit(pathlib.Path(folder), int(args.gb * 2**30))
            else:
                predict(pathlib.Path(folder), args.rows, case)


if __name__ == "__main__":
    main()
