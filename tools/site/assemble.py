"""Puts the pages of the documentation site together: assemble.py BEADWORK FOLDER [--quick]

FOLDER gets mkdocs.yml and pages/: the documents as they are in the tree, with links between them made into links between
pages, and what is generated: options from the program itself, keys from options.def and the model's schema, the C++ front
headers, the Python API (by mkdocstrings, from the docstrings). A new file in docs/ or docs/guide/ appears by itself, under
"More" until SECTIONS names it. --quick does not run the tutorial, which then has no outputs.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).parent

# Tabs of the site: title, then pages by their place in the site, with * for all that are not named elsewhere.
SECTIONS = [
    ("Start", ["index.md", "start.md", "features.md", "tutorial.md", "examples.md"]),
    ("Guide", ["guide/explain.md", "guide/prove.md", "guide/sql.md", "guide/paper.md", "guide/*.md", "report.md", "exports.md", "scale.md", "shards.md"]),
    ("Python", ["python.md", "python-api.md"]),
    ("Reference", ["options.md", "keys.md", "formats.md", "model-keys.md", "claims.md", "certificates.md", "solver.md", "glossary.md"]),
    ("C++", ["cpp.md", "headers/*.md"]),
    ("How it works", ["search.md", "ordered.md", "encodings.md", "benchmark-family.md", "paper-notes.md"]),
    ("Results", ["results.md", "results/*/report.md", "benchmarks.md", "studies.md", "data.md"]),
    ("Project", ["changelog.md", "contributing.md", "hacking.md", "security.md"]),
]
# Files outside docs/ that are pages.
OTHERS = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "HACKING.md": "hacking.md",
          "SECURITY.md": "security.md", "docs/tutorial.ipynb": "tutorial.md", "examples": "examples.md", "examples/cpp": "cpp.md"}
FENCE = re.compile(r"^\s*(```|~~~)")


def page_of(path):
    """The page that a file of the tree becomes, or None."""
    if path in OTHERS:
        return OTHERS[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    header = re.fullmatch(r"src/beadwork/(\w+)\.hpp", path)
    return f"headers/{header[1]}.md" if header else None


def with_links(text, source, page):
    """Links between files as links between pages; what has no page stays as the name of a file."""
    def link(found):
        bang, label, target = found.groups()
        if re.match(r"[a-z]+:|#", target):
            return found.group()
        file, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(source), file)).replace(os.sep, "/")
        if not (ROOT / path).exists():
            sys.exit(f"{source}: there is no {path}")
        there = page_of(path)
        if there is None:
            return f"`{path}`" if os.path.basename(path) in label else label if label.startswith("`") else f"{label} (`{path}`)"
        if label.endswith(".md"):  # a page has a title
            label = title_of(ROOT / path)
        return f"{bang}[{label}]({os.path.relpath(there, os.path.dirname(page) or '.')}{'#' + anchor if anchor else ''})"
    return re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", link, text)


def as_python_markdown(text):
    """GitHub takes a list or table right below a paragraph and nests by two blanks; Python-Markdown wants an empty line and four."""
    out, fenced, before = [], False, ""
    for line in text.split("\n"):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            item = re.match(r"( *)([-*]|\d+\.) ", line)
            starts = item and not re.match(r" *([-*]|\d+\.) | {2,}\S", before) or re.match(r"\|.*\|$", line) and not before.startswith("|")
            if starts and before.strip():
                out.append("")
            deep = len(line) - len(line.lstrip(" "))
            if deep and (item or out and out[-1].startswith("    ")) and deep < 4:
                line = " " * 4 + line.lstrip(" ")
        before = line
        out.append(line)
    return "\n".join(out)


class Site:
    def __init__(self, folder):
        self.pages = folder / "pages"
        shutil.rmtree(folder, ignore_errors=True)
        self.pages.mkdir(parents=True)

    def add(self, page, text):
        path = self.pages / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def add_file(self, source):
        text = (ROOT / source).read_text(encoding="utf-8")
        self.add(page_of(source), as_python_markdown(with_links(text, source, page_of(source))))


def add_documents(site):
    for path in sorted((ROOT / "docs").rglob("*")):
        source = path.relative_to(ROOT).as_posix()
        if path.suffix == ".md":
            site.add_file(source)
        elif path.is_file() and path.suffix in (".svg", ".png", ".json", ".csv", ".tex"):
            (site.pages / page_of(source)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, site.pages / page_of(source))
    for source in OTHERS:
        if source.endswith(".md"):
            site.add_file(source)


# Tutorial and examples --------------------------------------------------------------------------------------


def run_notebook(notebook):
    """The cells with their outputs, where the environment of make python is there."""
    python = ROOT / "build" / "venv-python" / "bin" / "python"
    script = ("import json, sys, nbformat, nbclient; n = nbformat.reads(sys.stdin.read(), 4); "
              "nbclient.NotebookClient(n, timeout=300).execute(); sys.stdout.write(nbformat.writes(n))")
    if "--quick" in sys.argv:
        return notebook
    if not python.exists():
        print("docs: without make python the tutorial has no outputs", file=sys.stderr)
        return notebook
    done = subprocess.run([python, "-c", script], input=json.dumps(notebook), capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else sys.exit(done.stderr[-2000:])


def outputs_of(cell, name):
    for number, output in enumerate(cell.get("outputs", [])):
        data = output.get("data", {})
        if "image/svg+xml" in data:
            yield f"{name}-{number}.svg", "".join(data["image/svg+xml"])
        elif "image/png" in data:
            yield f"{name}-{number}.png", "".join(data["image/png"])
        else:
            text = "".join(data.get("text/plain", output.get("text", "")))
            if text.strip() and output.get("name") != "stderr":
                yield None, text.rstrip("\n")


def add_tutorial(site):
    import base64
    notebook = run_notebook(json.loads((ROOT / "docs/tutorial.ipynb").read_text(encoding="utf-8")))
    out = []
    for number, cell in enumerate(notebook["cells"]):
        text = "".join(cell["source"])
        if cell["cell_type"] != "code":
            out.append(as_python_markdown(text))
            continue
        out.append(f"```python\n{text}\n```")
        for file, content in outputs_of(cell, f"cell-{number}"):
            if file is None:
                out.append(f"```text\n{content}\n```")
                continue
            (site.pages / "tutorial").mkdir(exist_ok=True)
            (site.pages / "tutorial" / file).write_bytes(content.encode() if file.endswith("svg") else base64.b64decode(content))
            out.append(f"![output](tutorial/{file})")
    site.add("tutorial.md", "\n\n".join(out) + "\n\nThis page is the notebook `docs/tutorial.ipynb`.\n")


def add_examples(site):
    out = ["# Examples\n\nShort programs, each of which runs as it is. They are in the folder `examples`.\n"]
    for path in sorted((ROOT / "examples").glob("*.py")):
        code = path.read_text(encoding="utf-8")
        title, rest = re.match(r'"""(.*?)"""\n+(.*)', code, re.S).groups()
        out.append(f"## {path.stem[3:].replace('_', ' ').capitalize()}\n\n{title}\n\n```python title=\"{path.name}\"\n{rest.rstrip()}\n```\n")
    site.add("examples.md", "\n".join(out))


# References -------------------------------------------------------------------------------------------------


def add_options(site, beadwork):
    site.add("options.md", as_python_markdown(subprocess.run([beadwork, "manual", "markdown"], capture_output=True, text=True, check=True).stdout))


def add_keys(site):
    """Options by their names in Python and in studies, from the table that makes them."""
    text = re.sub(r"^//.*", "", (ROOT / "src/beadwork/engine/options.def").read_text(encoding="utf-8"), flags=re.M)
    words = {"std::int64_t": "whole number", "double": "number", "std::string": "text", "bool": "true or false"}
    out = ["# Keys of options\n\nWhat `options=` of a Python estimator takes, and `options` of a learner in a "
           "[study](studies.md). On the command line the same names are flags, with `-` for `_`.\n"]
    for found in re.finditer(r'BEADWORK_(?:ONLY_)?GROUP\(\w+, "?(\w+)"?\)|'
                             r'BEADWORK_OPTION\((.*?), (\w+), ([^\n]*?), ([^,\n]+), ([^,\n]+), \w+, \w+, "[^"]*",\s*"((?:[^"\\]|\\.)*)"\)', text, re.S):
        if found[1]:
            only = "ONLY" in found.group()
            out.append(f"\n## {'Only of the engine' if only else 'Group'} {found[1]}\n\n| key | takes | what it does |\n|---|---|---|")
        else:
            limits = "" if found[5] == found[6] else f", {found[5]} to {found[6]}"
            wrapped = re.fullmatch(r"std::(optional|vector)<(.*)>", found[2])
            kind = words.get(wrapped[2] if wrapped else found[2], "text") + ({"optional": " or none", "vector": ", several"}[wrapped[1]] if wrapped else "")
            help_text = found[7].replace("|", "\\|").replace("<", "&lt;")
            out.append(f"| `{found[3]}` | {kind}{limits} | {help_text} |")
    site.add("keys.md", "\n".join(out) + "\n")


def schema_rows(schema, name, required):
    kind = schema.get("type") or ("one of " + ", ".join(f"`{json.dumps(v)}`" for v in schema["enum"]) if "enum" in schema else
                                  f"`{json.dumps(schema['const'])}`" if "const" in schema else "one of several" if "oneOf" in schema or "anyOf" in schema else "")
    kind = " or ".join(kind) if isinstance(kind, list) else kind
    if name:
        yield f"| `{name}` | {kind} | {'yes' if required else ''} |"
    if "items" in schema and isinstance(schema["items"], dict):
        yield from schema_rows_inside(schema["items"], f"{name}[]")
    yield from schema_rows_inside(schema, name)


def schema_rows_inside(schema, name):
    for key, value in schema.get("properties", {}).items():
        yield from schema_rows(value, f"{name}.{key}" if name else key, key in schema.get("required", ()))


def add_model_keys(site):
    schema = json.loads((ROOT / "docs/model.schema.json").read_text(encoding="utf-8"))
    rows = "\n".join(schema_rows(schema, "", True))
    site.add("model-keys.md", "# Keys of a model file\n\nFrom the [JSON schema](model.schema.json), with which any validator checks a model; "
             "[File formats](formats.md#model) says what the keys mean.\n\n| key | value | must be there |\n|---|---|---|\n" + rows + "\n")


def add_headers(site):
    rows = []
    for path in sorted((ROOT / "src/beadwork").glob("*.hpp")):
        text = path.read_text(encoding="utf-8")
        first = re.search(r"^// (?:\w+: )?(.*?)(?:\n(?!// \S)|\n//\n)", text, re.M | re.S)
        says = re.sub(r"\s*\n// ", " ", first[1]).strip() if first else ""
        says = re.sub(r"([*_<])", r"\\\1", says)
        says = says[:1].upper() + says[1:] if says.split(" ")[0].isalpha() else says
        rows.append(f"| [{path.name}](headers/{path.stem}.md) | {says} |")
        site.add(f"headers/{path.stem}.md", f"---\nhide: [toc]\n---\n\n# beadwork/{path.name}\n\n{says}\n\n```cpp\n{text}```\n")
    example = (ROOT / "examples/cpp/first_diagram.cpp").read_text(encoding="utf-8")
    cmake = (ROOT / "examples/cpp/CMakeLists.txt").read_text(encoding="utf-8")
    site.add("cpp.md", "# In your own program\n\nOne call goes from a table to a model that predicts:\n\n"
             f"```cpp title=\"examples/cpp/first_diagram.cpp\"\n{example}```\n\n```cmake title=\"examples/cpp/CMakeLists.txt\"\n{cmake}```\n\n"
             "`make install PREFIX=...` and the Debian package install the library with a CMake package and a pkg-config file.\n\n"
             "## Front headers\n\nEach is the whole manual of its layer; nothing else need be included.\n\n| header | |\n|---|---|\n" + "\n".join(rows) + "\n")


def add_python_api(site):
    text = (ROOT / "python/beadwork/__init__.py").read_text(encoding="utf-8")
    names = re.findall(r'"(\w+)"', re.search(r"__all__ = \[(.*?)\]", text, re.S)[1])
    of_core = {"Diagram", "Progress", "TruthTable", "__version__"}
    out = ["# Python API\n\nFrom the docstrings. [Python](python.md) is the manual.\n"]
    out += [f"::: beadwork.{name}\n" for name in names if name not in of_core]
    site.add("python-api.md", "\n".join(out))


# Navigation -------------------------------------------------------------------------------------------------


def title_of(path):
    found = re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.M)
    return re.sub(r"[`*]", "", found[1]) if found else path.stem


def navigation(pages):
    files = {p.relative_to(pages).as_posix() for p in pages.rglob("*.md")}
    named = {name for _, names in SECTIONS for name in names if "*" not in name}
    left, out = set(files), []
    for title, patterns in SECTIONS:
        chosen = []
        for pattern in patterns:
            matching = sorted(p for p in left if pathlib.PurePosixPath(p).match(pattern) and (p == pattern or p not in named)
                              and p.count("/") == pattern.count("/"))
            chosen += matching
            left -= set(matching)
        out.append({title: [{"Overview" if p == "index.md" else title_of(pages / p): p} for p in chosen]})
    if left:
        out.append({"More": [{title_of(pages / p): p} for p in sorted(left)]})
    return out


def main():
    beadwork, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    site = Site(folder)
    add_documents(site)
    add_tutorial(site)
    add_examples(site)
    add_options(site, beadwork)
    add_keys(site)
    add_model_keys(site)
    add_headers(site)
    add_python_api(site)
    shutil.copytree(HERE / "assets", site.pages / "assets")
    config = yaml.safe_load((HERE / "mkdocs.yml").read_text(encoding="utf-8"))
    config.update(docs_dir=str(site.pages), site_dir=str(folder / "site"), nav=navigation(site.pages))
    next(p for p in config["plugins"] if "mkdocstrings" in p)["mkdocstrings"]["handlers"]["python"]["paths"] = [str(ROOT / "python")]
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")


if __name__ == "__main__":
    main()
