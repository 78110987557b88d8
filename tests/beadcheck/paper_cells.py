"""Certifies the cells of the paper's table: paper_cells.py BEADCHECK [--all] [--false]

Writes certificate and model of each cell from paper_sets.csv, runs beadcheck on them and prints its CPU time. --all adds
splice-1 with 6 columns; --false claims one error more and expects a rejection. Exit code 77, for skipped, without data.
"""
import csv
import os
import resource
import subprocess
import sys
import tempfile

import certificates as c

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools"))
import tables as paper  # noqa: E402: of the tree


def main():
    beadcheck, flags = sys.argv[1], sys.argv[2:]
    datasets = paper.folder_or_skip('paper')
    total = size = cells = 0
    tables = {}
    with tempfile.TemporaryDirectory() as folder:
        model, cert = os.path.join(folder, 'model.json'), os.path.join(folder, 'certificate')
        for row in csv.DictReader(open(os.path.join(os.path.dirname(__file__), 'paper_sets.csv'))):
            depth, claim, columns = int(row['depth']), int(row['error']), [int(f) for f in row['columns'].split()]
            if row['dataset'] == 'splice-1' and depth == 6 and '--all' not in flags:
                continue
            data = os.path.join(datasets, row['dataset'] + '.txt')
            if data not in tables:
                labels, bits = c.read_table(data)
                tables = {data: (labels, bits, [1] * len(labels), c.distinct_columns(bits))}
            labels, bits, ones, order = tables[data]
            wrong = '--false' in flags
            text = c.certificate(labels, bits, ones, 2, depth, claim + wrong, [] if wrong else columns, order)
            open(cert, 'w').write(text)
            open(model, 'w').write(c.model_json(labels, bits, ones, 2, columns))
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            run = subprocess.run([beadcheck, data, '-' if wrong else model, cert], capture_output=True, text=True)
            seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            print(f"{row['dataset']:12} {depth} {claim:4} {len(text):5} bytes {seconds:8.3f} s  {run.stdout.splitlines()[0]}")
            if wrong != run.stdout.startswith('REJECTED: the columns') or run.returncode != wrong:
                print(run.stdout, run.stderr)
                return 1
            total, size, cells = total + seconds, max(size, len(text)), cells + 1
    print(f'{cells} cells in {total:.2f} s of CPU together; the largest certificate has {size} bytes')
    return 0


if __name__ == '__main__':
    sys.exit(main())
