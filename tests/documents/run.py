#!/usr/bin/env python3
"""Runs every command of README and docs/, and compares what they print and draw with what the documents show.

usage: run.py [--update] [--python PYTHON] [--only-python] BUILD [DOCUMENT...]

Each document gets a folder of its own, in which build/beadwork and build/beadcheck are the programs of BUILD and studies/ is the
tree's. There its blocks run in order:

  ```sh       by bash; a command that fails is a fault. A block that needs a program that is not installed, or tables that are not
              there, is skipped as a whole.
  ```python   all together as one script: with PYTHON, which has the package beadwork, where the document imports it (skipped
              without), else with the packages of tools/python_packages.txt
  ```text     right below one of these: what it prints. A line "..." stands for any number of lines, "0.012 s" for any time.
  ```X        below "With this `FILE`:" is written to that file

A picture of docs/ that the document shows, and the files of docs/results, must be what its commands make, under the same name. With
--update, texts and pictures are written into the documents instead. not_run.txt lists what is not run, and why. Exit code: 1 for a
fault, 77 where everything was skipped.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import tables  # noqa: E402: of the tree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.S | re.M)
TIME = re.compile(r"\b\d+\.\d+ s\b")


class Block:
    def __init__(self, found, text):
        self.language, self.text, self.start, self.end = found[1], found[2], found.start(2), found.end(2)
        self.line = text.count("\n", 0, found.start()) + 1
        before = text[:found.start()].rstrip()
        named = re.search(r"With this `([\w.-]+)`:$", before)
        self.file = named and named[1]
        self.below = before.endswith("```") and not text[:found.start()].rstrip(" ").endswith("\n\n\n")


def blocks_of(text):
    out = [Block(found, text) for found in BLOCK.finditer(text)]
    for block, after in zip(out, out[1:] + [None]):
        block.shown = after if after and after.language == "text" and after.below else None
    return out


class NotRun:
    """The list of what is not run: DOCUMENT, the start of a line, the reason, by two blanks or more."""

    def __init__(self):
        lines = (HERE / "not_run.txt").read_text(encoding="utf-8").splitlines()
        self.entries = [re.split(r"\s{2,}", line, maxsplit=2) for line in lines if line and not line.startswith("#")]
        self.used = set()

    def reason(self, document, line):
        for entry in self.entries:
            if document == entry[0] and line.startswith(entry[1]):
                self.used.add(tuple(entry))
                return entry[2]
        return None

    def stale(self, documents):
        return [e for e in self.entries if e[0] in documents and tuple(e) not in self.used]


BUILTINS = set("! . [[ case cd continue declare do done elif else esac eval exec exit export fi for function if local read return set shift "
               "source then time trap type umask unset until wait while { }".split())


def missing_tool(line, folder):
    """The program that a line needs and that is not there, or the tables."""
    for command in re.split(r"&&|\|\|?|;", re.sub(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|#.*', '""', line)):
        words = [w for w in command.split() if not re.match(r"\w+=", w)]
        if words and re.fullmatch(r"[\w+./-]+", words[0]) and not words[0].startswith("./") and words[0] not in BUILTINS:
            if shutil.which(words[0], path=f"{folder}/build:{os.environ['PATH']}") is None and not (folder / words[0]).exists():
                return words[0]
    by_name = re.search(r"beadwork study studies/|study_on_workers|beadwork benchmarks [\w-]+ ", line)  # reports and scripts need no tables
    return "the tables 'paper' (make data; docs/data.md)" if by_name and not tables.folder("paper") else None


def missing_module(python, text):
    """A package other than ours that a block imports and that is not there."""
    for name in re.findall(r"^(?:import|from) (\w+)", text, re.M):
        if subprocess.run([python, "-c", f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{name}') is None)"]).returncode:
            return name
    return None


def commands_of(text):
    """(number of its first line, lines) of each command: with the lines that a backslash or a here document adds."""
    lines, number = text.split("\n"), 0
    while number < len(lines):
        end = number + 1
        while lines[end - 1].endswith("\\") and end < len(lines):
            end += 1
        here = re.search(r"<<-?\s*['\"]?(\w+)", lines[number])
        if here:
            while end < len(lines) and lines[end - 1].strip() != here[1]:
                end += 1
        yield number, lines[number:end]
        number = end


def alike(shown, printed):
    """Is that what is shown? Times aside, "..." is any number of lines."""
    lines = [line.rstrip() for line in TIME.sub("0 s", printed).rstrip().split("\n")]
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line.rstrip()) + r"\n" for line in TIME.sub("0 s", shown).rstrip().split("\n"))
    return re.fullmatch(pattern, "\n".join(lines) + "\n") is not None


def data_for_studies():
    """A document runs in a folder of its own, beside which there is nothing."""
    folder = tables.folder("paper")
    return str(folder.parent) if folder else str(tables.home())


class Document:
    def __init__(self, name, options, not_run):
        self.name, self.options, self.not_run = name, options, not_run
        self.path = ROOT / name
        self.text = self.path.read_text(encoding="utf-8")
        self.faults, self.skipped, self.changes, self.ran = [], [], [], 0

    def run(self):
        with tempfile.TemporaryDirectory() as temporary:
            self.folder = pathlib.Path(temporary)
            self.prepare()
            for block in blocks_of(self.text):
                if block.file:
                    (self.folder / block.file).write_text(block.text, encoding="utf-8")
                elif block.language == "sh":
                    self.run_shell(block)
                elif block.language == "python":
                    self.run_python(block)
            self.compare_pictures()
        self.write_changes()

    def prepare(self):
        (self.folder / "build").mkdir()
        for program in ("beadwork", "beadcheck"):
            (self.folder / "build" / program).symlink_to(self.options.build / program)
        for part in ("studies", "examples"):
            (self.folder / part).symlink_to(ROOT / part)
        self.script = []

    def lines_to_run(self, block):
        """Those that not_run.txt does not name; none, where one of them needs what is not there."""
        kept, lacking = [], None
        for number, lines in commands_of(block.text):
            place = f"{self.name}:{block.line + 1 + number}: {lines[0].split('#')[0].strip()}"
            reason = self.not_run.reason(self.name, lines[0])
            if reason:
                self.skipped.append(f"{place}: {reason}")
                continue
            tool = None if lacking else missing_tool(lines[0], self.folder)
            lacking = lacking or tool and f"{place}: needs {tool} (so the whole block is left out)"
            kept += lines
        if lacking:
            self.skipped.append(lacking)
        return "" if lacking else "\n".join(kept)

    def run_shell(self, block):
        commands = self.lines_to_run(block)
        if not re.sub(r"#.*", "", commands).strip():
            return
        env = {**os.environ, "PATH": f"{self.folder}/build:{os.environ['PATH']}", "BEADWORK_DATA": data_for_studies(),
               "BEADWORK_TIME_LIMIT": "none", "SOURCE_DATE_EPOCH": "1767225600", "LC_ALL": "C.UTF-8"}
        self.finish(block, ["bash", "-euo", "pipefail", "-c", commands], env, commands.strip() == block.text.strip())

    def run_python(self, block):
        ours = re.search(r"^(import|from) beadwork|^beadwork\.", self.text, re.M)
        python = [self.options.python] if ours else [str(ROOT / "tools" / "python_env.sh")]
        if ours and not self.options.python:
            self.skipped.append(f"{self.name}:{block.line}: Python: needs the package (make python runs it)")
            return
        missing = missing_module(python[0], block.text) if ours else None
        if "fetch_paper(" in block.text and not tables.folder("paper"):
            missing = "the tables 'paper' (make data; docs/data.md)"
        if missing:
            self.skipped.append(f"{self.name}:{block.line}: Python: needs {missing}")
            return
        self.script.append(block.text)
        before = "\n".join(self.script[:-1])
        script = ("import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()):\n    exec(" + repr(before) + ", globals())\n"
                  "exec(" + repr(block.text) + ", globals())\n")
        (self.folder / "document_script.py").write_text(script, encoding="utf-8")
        env = {**os.environ, "PATH": f"{self.folder}/build:{os.environ['PATH']}", "MPLBACKEND": "Agg",
               "BEADWORK_DATA": data_for_studies()}
        self.finish(block, [*python, "document_script.py"], env, True)

    def finish(self, block, command, env, whole):
        done = subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=1800)
        if done.returncode == 77 and block.language == "python":
            self.skipped.append(f"{self.name}:{block.line}: Python: {done.stderr.strip().splitlines()[-1]}")
            return
        self.ran += 1
        if done.returncode != 0:
            self.faults.append(f"{self.name}:{block.line}: exit code {done.returncode}\n{done.stderr[-1500:]}")
        elif block.shown and whole and not alike(block.shown.text, done.stdout):
            self.faults.append(f"{self.name}:{block.shown.line}: shown\n{block.shown.text}printed\n{done.stdout}")
            if "..." not in block.shown.text:
                self.changes.append((block.shown.start, block.shown.end, "\n".join(x.rstrip() for x in done.stdout.rstrip().split("\n")) + "\n"))

    def compare_pictures(self):
        shown = {os.path.normpath(os.path.join(self.path.parent, target)) for target in re.findall(r"!\[[^\]]*\]\(([^)]+\.svg)\)", self.text)}
        pairs = [(self.folder / os.path.basename(path), pathlib.Path(path)) for path in shown]
        pairs += [(path, ROOT / "docs/results" / path.relative_to(self.folder / "out")) for path in self.folder.glob("out/*/*")]
        for made, kept in pairs:
            if not made.exists() or not kept.exists() or made.read_bytes() == kept.read_bytes():
                continue
            self.faults.append(f"{self.name}: {kept.relative_to(ROOT)} is not what the commands make")
            if self.options.update:
                shutil.copyfile(made, kept)

    def write_changes(self):
        if not self.options.update or not self.changes:
            return
        text = self.text
        for start, end, new in sorted(self.changes, reverse=True):
            text = text[:start] + new + text[end:]
        self.path.write_text(text, encoding="utf-8")


def check_targets(name, faults):
    """What is not run because make does it must at least be a target of the Makefile."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for block in blocks_of((ROOT / name).read_text(encoding="utf-8")):
        for target in re.findall(r"^make ([a-z-]+)", block.text if block.language == "sh" else "", re.M):
            if not re.search(rf"^([a-z -]* )?{target}( [a-z -]*)?:", makefile, re.M):
                faults.append(f"{name}:{block.line}: there is no target {target}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--python")
    parser.add_argument("--only-python", action="store_true", help="only documents that import the package")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("documents", nargs="*")
    options = parser.parse_args()
    options.build = options.build.resolve()
    names = options.documents or ["README.md", *sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").rglob("*.md"))]
    if options.only_python:
        names = [n for n in names if re.search(r"^(import|from) beadwork", (ROOT / n).read_text(encoding="utf-8"), re.M)]
    not_run, faults, ran, skipped = NotRun(), [], 0, []
    for name in names:
        document = Document(name, options, not_run)
        document.run()
        faults, ran, skipped = faults + document.faults, ran + document.ran, skipped + document.skipped
    for name in [*names, "HACKING.md", "CONTRIBUTING.md"]:
        check_targets(name, faults)
    faults += [f"not_run.txt: nothing needs {entry}" for entry in not_run.stale(names)]
    print(*(f"not run: {line}" for line in skipped), sep="\n")
    print(*faults, sep="\n")
    print(f"{ran} blocks of {len(names)} documents ran, {len(skipped)} lines did not, {len(faults)} faults" + (" (now mended, where possible)" if options.update else ""))
    sys.exit(1 if faults and not options.update else 0 if ran else 77)


if __name__ == "__main__":
    main()
