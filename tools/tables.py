#!/usr/bin/env python3
"""The tables that are not part of the project, for its tests, tools and benches.

usage: tables.py get [--from FOLDER|ARCHIVE] [--mirror URL] [--to FOLDER] [--only NAME...] [--jobs N]    what make data does
       tables.py missing       one line if tests will be skipped for want of tables
       tables.py where KIND    the folder that has all tables of the kind (paper, raw or numeric); exit code 77 where there is none

As a module: folder(KIND) gives that folder or None, table(KIND, NAME) a file in it, NEEDS the words for what is skipped.
"""
import argparse
import collections
import importlib
import os
import pathlib
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[1]
BESIDE = ROOT.parent / "shared" / "datasets"

# The package's own modules, without the package, whose engine may not be built.
package = types.ModuleType("beadwork_sources")
package.__path__ = [str(ROOT / "python" / "beadwork")]
sys.modules.setdefault("beadwork_sources", package)
_tables = importlib.import_module("beadwork_sources._tables")
_fetch = importlib.import_module("beadwork_sources._fetch")

KINDS = list(dict.fromkeys(t["kind"] for t in _tables.manifest()))
REFERENCE = ROOT / "tests" / "reference"
PUBLISHED = ROOT / "studies" / "published"


def needs(kind):
    """What a test says that is skipped for want of tables."""
    return f"needs the tables '{kind}' (make data; docs/data.md)"


def folder(kind):
    found = _tables.find(kind, BESIDE)
    return next(iter(found.values())).parent if found else None


def table(kind, name):
    return _tables.find(kind, BESIDE)[name]


def home():
    """Where make data puts tables."""
    return _tables.home()


def folder_or_skip(kind):
    """For a program whose exit code 77 says that it was skipped."""
    found = folder(kind)
    if found is None:
        print("skipped:", needs(kind))
        sys.exit(77)
    return found


def show_progress(done, total):
    if sys.stderr.isatty():
        print(f"\r{done} of {total} tables" + ("\n" if done == total else ""), end="", file=sys.stderr, flush=True)


def say(text):
    print(f"beadwork: {text}", file=sys.stderr)


def in_words(names, chosen):
    """kind/name, ...; a whole kind by its name."""
    out = []
    for kind in sorted({name.partition("/")[0] for name in names}):
        of_kind = sorted(name for name in names if name.startswith(kind + "/"))
        count = sum(t["kind"] == kind for t in chosen)
        out += [f"all {count} of {kind}"] if len(of_kind) == count > 1 else of_kind
    return ", ".join(out)


def get(options):
    """One line for each reason why tables could not be had; exit code 1 if there is one. Tables of no public address are a remark."""
    everything = _tables.manifest(options.manifest)
    unknown = sorted(set(options.only) - {t["name"] for t in everything})
    if unknown:
        say(f"there is no table '{unknown[0]}'; the tables are {', '.join(sorted({t['name'] for t in everything}))}")
        return 2
    chosen = [t for t in everything if not options.only or t["name"] in options.only]
    home = options.to or _tables.home()
    nowhere = [t for t in chosen if not (options.mirror or "address" in t or "derived" in t or _fetch.is_there(t, home))]
    try:
        if options.origin:
            reasons, nowhere = _fetch.take(chosen, home, options.origin), []
        else:
            wanted = [t for t in chosen if t not in nowhere]
            reasons = _fetch.fetch_all(wanted, home, options.mirror, options.jobs, options.retries, options.delay, show_progress)
    except _fetch.Unavailable as reason:
        say(str(reason))
        return 1
    by_reason = collections.defaultdict(list)
    for table, reason in reasons.items():
        by_reason[reason].append(table)
    print(f"{len(chosen) - len(nowhere) - len(reasons)} of {len(chosen)} tables are in {home}")
    for reason, names in sorted(by_reason.items(), key=lambda item: sorted(item[1])):
        say(f"{in_words(names, chosen)}: {reason}")
    if nowhere:
        names = in_words([f"{t['kind']}/{t['name']}" for t in nowhere], chosen)
        say(f"{names}: no public address is known; make data FROM=FOLDER takes them from a folder or an archive (docs/data.md)")
    return 1 if reasons else 0


def missing(options):
    lacking = [kind for kind in KINDS if folder(kind) is None]
    if lacking:
        say(f"tests that need the tables {' and '.join(lacking)} are skipped: make data gets them (docs/data.md)")
    return 0


def arguments():
    parser = argparse.ArgumentParser(prog="tables.py", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("get", help="put the tables into $BEADWORK_DATA, or else the user's cache")
    one.add_argument("--from", dest="origin", type=pathlib.Path, help="a folder, a zip or a tar archive that has them, instead of the network")
    one.add_argument("--mirror", help="an address that has them as KIND/FILE, instead of those of the manifest")
    one.add_argument("--to", type=pathlib.Path, help="another folder to put them into")
    one.add_argument("--only", nargs="+", default=[], metavar="NAME")
    one.add_argument("--jobs", type=int, default=4, choices=range(1, 33), metavar="N", help="so many at a time (4)")
    one.add_argument("--retries", type=int, default=3, help="further attempts after a fault that may pass (3)")
    one.add_argument("--delay", type=float, default=1, help="seconds before the first of them, doubled with each (1)")
    one.add_argument("--manifest", type=pathlib.Path, help=argparse.SUPPRESS)  # of a test
    one.set_defaults(act=get)
    two = commands.add_parser("where", help="print the folder that has all tables of a kind")
    two.add_argument("kind", choices=KINDS)
    two.set_defaults(act=lambda options: print(folder_or_skip(options.kind)) or 0)
    commands.add_parser("missing", help="say which kinds of tables tests will lack").set_defaults(act=missing)
    return parser


def main():
    options = arguments().parse_args()
    return options.act(options)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        say("stopped; the same command goes on")
        os._exit(130)  # downloads that are under way need not end
