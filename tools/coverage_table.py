#!/usr/bin/env python3
"""Lines and branches that the tests reach, by layer: llvm-cov export ... | coverage_table.py ROOT MISSED LINES BRANCHES

A line or branch of a template counts once; it is reached if any instantiation reaches it. MISSED gets what is not reached.
Fails where less than LINES or BRANCHES per cent are reached.
"""
import collections
import json
import os
import pathlib
import sys


def reached_lines(segments):
    """{line: count}, by the rules of llvm-cov: a line has the largest count of the regions that touch it."""
    starts = collections.defaultdict(list)
    for segment in segments:
        starts[segment[0]].append(segment)
    lines, wrapping = {}, None
    for line in range(segments[0][0], segments[-1][0] + 1) if segments else ():
        here = starts.get(line, [])
        counts = [count for _, _, count, has_count, is_entry, is_gap in here if has_count and is_entry and not is_gap]
        skipped = here and not here[0][3] and here[0][4]
        around = wrapping and wrapping[3]
        if not skipped and (around or counts):
            lines[line] = max([*counts, wrapping[2] if around else 0])
        wrapping = here[-1] if here else wrapping
    return lines


def reached_branches(branches):
    """{(line, column, end, column, way): count} for both ways of every condition."""
    reached = collections.Counter()
    for *where, when_true, when_false, _, _, _ in branches:
        reached[(*where, "true")] += when_true
        reached[(*where, "false")] += when_false
    return reached


def layer_of(path):
    parts = path.parts
    return parts[2] if parts[:2] == ("src", "beadwork") and len(parts) > 3 else path.stem if parts[0] == "src" else "/".join(parts[:2])


def per_cent(reached, of):
    return f"{100 * reached / max(of, 1):6.2f} %  {reached:6} of {of:6}"


def read(stream, root):
    """{path: (lines, branches)} of src and apps. A file may come under several names (ccache makes paths relative)."""
    files = collections.defaultdict(lambda: (collections.Counter(), collections.Counter()))
    for file in json.load(stream)["data"][0]["files"]:
        path = pathlib.Path(os.path.normpath(file["filename"]))
        if path.is_relative_to(root / "src") or path.is_relative_to(root / "apps"):
            lines, branches = files[path.relative_to(root)]
            for line, count in reached_lines(file["segments"]).items():
                lines[line] += count
            for way, count in reached_branches(file["branches"]).items():
                branches[way] += count
    return files


def list_missed(path, lines, branches, missed):
    for line, count in sorted(lines.items()):
        if not count:
            print(f"{path}:{line}: line", file=missed)
    for (line, column, _, _, way), count in sorted(branches.items()):
        if not count and lines[line]:
            print(f"{path}:{line}:{column}: never {way}", file=missed)


def main():
    least = [float(text) for text in sys.argv[3:5]]
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    with open(sys.argv[2], "w", encoding="utf-8") as missed:
        for path, (lines, branches) in sorted(read(sys.stdin, pathlib.Path(sys.argv[1]).resolve()).items()):
            for name in (layer_of(path), "all"):
                for i, values in ((0, lines), (2, branches)):
                    sums[name][i] += sum(1 for count in values.values() if count)
                    sums[name][i + 1] += len(values)
            list_missed(path, lines, branches, missed)
    print(f"{'layer':<16}{'lines':^28}{'branches':^28}")
    for name in sorted(sums, key=lambda name: (name == "all", name)):
        print(f"{name:<16}{per_cent(*sums[name][:2]):>28}{per_cent(*sums[name][2:]):>28}")
    reached = sums["all"]
    if 100 * reached[0] < least[0] * reached[1] or 100 * reached[2] < least[1] * reached[3]:
        sys.exit(f"less than {least[0]:g} % of lines or {least[1]:g} % of branches")


if __name__ == "__main__":
    main()
