"""Every export, run by the tool that it is for, says what `beadwork predict` says of random rows: 10,000, or as many as
BEADWORK_EXPORT_ROWS says.

Tools of Debian here, packages of PyPI in test_packages.py.
"""
import csv
import importlib.util
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

import cases
from cases import COMMITTEES, MODELS, case

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
TIMEOUT = 3000
BINARY_MODELS = ("mixed", "constant")  # for code; circuits take binary features of all models
BOTH_INPUTS = (*BINARY_MODELS, "mixed that vote", "a constant that votes")


def works(tool):
    """Is it there, and more than a name? rustup's rustc does nothing where no toolchain is installed for this user."""
    if not shutil.which(tool):
        return False
    try:
        return tool != "rustc" or subprocess.run([tool, "--version"], capture_output=True, timeout=TIMEOUT).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def needs(*tools):
    absent = [t for t in tools if not works(t)]
    return unittest.skipIf(absent, f"no {', '.join(absent)} that works here")


def command(*args, cwd, **kwargs):
    done = subprocess.run(list(map(str, args)), cwd=cwd, capture_output=True, timeout=TIMEOUT, **kwargs)
    if done.returncode != 0:
        raise AssertionError((args, done.stdout.decode()[-2000:], done.stderr.decode(errors="replace")[-4000:]))
    return done.stdout.decode()


class ExportTest(unittest.TestCase):
    maxDiff = 2000

    def agree(self, c, got, format):
        """With the program, row by row."""
        self.assertEqual(len(got), len(c.answers), (c.name, format))
        wrong = [(r, g, a) for r, g, a in zip(c.rows, got, c.answers) if g != a]
        self.assertEqual(wrong[:3], [], (c.name, format))

    def agree_on_vectors(self, c, of_vector, format):
        known = {v: a for v, a in zip(c.bits, c.answers)}
        wrong = [(v, got, known[v]) for v, got in of_vector.items() if got != known[v]]
        self.assertEqual(wrong[:3], [], (c.name, format))
        if len(of_vector) == len(c.vectors):
            self.agree(c, [of_vector[v] for v in c.bits], format)


# Code -----------------------------------------------------------------------------------------------------

# Reads values that end in NUL, N or T before each that is not missing, and prints an answer a row.
DRIVER = r"""
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include "{file}"
static char *at;
static const char *next(void) {{ const char *value = at; while (*at) ++at; ++at; return value; }}
int main(int argc, char **argv) {{
  FILE *f = fopen(argv[argc - 1], "rb");
  char *data = (char *)malloc({size}u + 1u);
  if (f == NULL || data == NULL || fread(data, 1, {size}u, f) != {size}u) return 1;
  at = data;
  for (long i = 0; i < {rows}; ++i) {{
    {row} row;
{fill}    printf("%d\n", {call});
  }}
  return 0;
}}
"""


def field_identifiers(text):
    """The members of the row's type, in order."""
    body = re.search(r"struct \w+ \{\n(.*?)\};\n", text, re.S)[1]
    return [re.match(r"[^/;]*?(x_\w+)(\{\})?;", line)[1] for line in body.splitlines()]


def write_values(c, binary):
    out = bytearray()
    for row in c.bits if binary else c.rows:
        for v in row:
            out += b"M\0" if v is None else b"V" + (str(int(v)) if binary else v if isinstance(v, str) else repr(v)).encode() + b"\0"
    (c.dir / "values").write_bytes(out)
    return len(out)


class Compiled(ExportTest):
    def compiled(self, name, format, inputs, compiler, row, call, null):
        c = case(name)
        binary = inputs == "binary"
        path = c.export(format, "--inputs", inputs, to="model.h")
        kinds = ["bit"] * len(c.features) if binary else ["numeric" if cases.numeric(column) else "text" for column in c.columns]
        ids = field_identifiers(path.read_text(encoding="utf-8"))
        fill = "" if kinds else "    (void)next; row = {row}();\n" if compiler[0] == "g++" else "    row.x_unused = 0; (void)next;\n"
        for id, kind in zip(ids, kinds):
            value = {"bit": "v[1] == '1'", "numeric": "v[0] == 'M' ? NAN : strtod(v + 1, NULL)"}.get(kind)
            value = value or (f"v[0] == 'M' ? {null} : v + 1" if null == "NULL" else
                              f"v[0] == 'M' ? {null} : std::optional<std::string_view>(v + 1)")
            fill += f"    {{ const char *v = next(); row.{id} = {value}; }}\n"
        size = write_values(c, binary)
        source = "main.cpp" if compiler[0] == "g++" else "main.c"
        (c.dir / source).write_text(DRIVER.format(file="model.h", size=size, rows=len(c.rows), row=row,
                                                  fill=fill.replace("{row}", row), call=call))
        command(*compiler, *WARNINGS, "-O1", "-o", "program", source, cwd=c.dir)
        got = command("./program", "values", cwd=c.dir).split()
        self.agree(c, list(map(int, got)), (format, inputs))

    @needs("gcc")
    def test_c(self):
        gcc = ["gcc", "-std=c99"]
        for format in ("c", "c-table"):
            for name in MODELS:
                self.compiled(name, format, "raw", gcc, "struct beadwork_row", "beadwork_class(&row)", "NULL")
            for name in BINARY_MODELS:
                self.compiled(name, format, "binary", gcc, "struct beadwork_row", "beadwork_class(&row)", "NULL")

    @needs("gcc")
    def test_committees_in_c(self):
        for name in COMMITTEES:
            for inputs in ("raw", "binary") if name in BOTH_INPUTS else ("raw",):
                self.compiled(name, "c", inputs, ["gcc", "-std=c99"], "struct beadwork_row", "beadwork_class(&row)", "NULL")

    @needs("gcc")
    def test_votes_in_c_are_the_shares(self):
        c = case("flowers that vote")
        vote = "(beadwork_votes(&row, votes), votes[0] * 10000 + votes[1] * 100 + votes[2])"
        self.assertEqual(len(c.answers), len(c.rows))
        (c.dir / "votes.h").write_text("static int votes[3];\n")
        members = len(c.model["members"])
        shares = [[round(p * members) for p in said["probabilities"]] for said in c.said]
        c.answers, kept = [a * 10000 + b * 100 + d for a, b, d in shares], c.answers
        try:
            self.compiled(c.name, "c", "raw", ["gcc", "-std=c99", "-include", "votes.h"], "struct beadwork_row", vote, "NULL")
        finally:
            c.answers = kept

    @needs("g++")
    def test_cpp(self):
        gpp = ["g++", "-std=c++17"]
        for name in MODELS:
            self.compiled(name, "c++", "raw", gpp, "beadwork_model::Row", "beadwork_model::classify(row)", "std::nullopt")
        for name in BINARY_MODELS:
            self.compiled(name, "c++", "binary", gpp, "beadwork_model::Row", "beadwork_model::classify(row)", "std::nullopt")

    @needs("gcc")
    def test_class_names_in_c_are_the_classes(self):
        c = case("hostile")
        c.export("c", to="model.h")
        (c.dir / "names.c").write_text('#include <stdio.h>\n#include "model.h"\nint main(void) { for (int k = 0; k < 5; ++k) '
                                       'printf("%s%c", beadwork_class_names[k], 0); return 0; }\n')
        command("gcc", "-std=c99", "-o", "names", "names.c", cwd=c.dir)
        self.assertEqual(command("./names", cwd=c.dir).split("\0")[:-1], c.model["classes"])


class Scripts(ExportTest):
    def test_python(self):
        for name in MODELS:
            for inputs in ("raw", "binary") if name in BINARY_MODELS else ("raw",):
                c = case(name)
                path = c.export("python", "--inputs", inputs, to="model.py")
                spec = importlib.util.spec_from_file_location("model", path)
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
                self.assertEqual(list(module.CLASSES), c.model["classes"])
                names = [x["name"] for x in (c.columns if inputs == "raw" else c.features)]
                self.assertEqual(list(module.INPUTS), names)
                rows = c.rows if inputs == "raw" else c.bits
                self.agree(c, [module.classify(dict(zip(names, row))) for row in rows], ("python", inputs))
                self.assertEqual(module.predict(dict(zip(names, rows[0]))), c.model["classes"][c.answers[0]])

    def test_python_takes_nan_for_missing(self):
        c = case("mixed")
        c.export("python", to="model.py")
        space = {}
        exec((c.dir / "model.py").read_text(encoding="utf-8"), space)
        names = [x["name"] for x in c.columns]
        self.assertEqual([space["classify"](dict(zip(names, [float("nan") if v is None else v for v in row])))
                          for row in c.rows[:5000]], c.answers[:5000])

    @needs("node")
    def test_javascript(self):
        driver = ("const m = require('./model.js'), fs = require('fs');\n"
                  "const lines = fs.readFileSync('rows.json', 'utf8').split('\\n');\n"
                  "console.log(JSON.stringify([m.classes, m.inputs]));\n"
                  "const names = JSON.parse(lines[0]);\n"
                  "for (const line of lines.slice(1)) { const row = {};\n"
                  "  JSON.parse(line).forEach((v, i) => Object.defineProperty(row, names[i], {value: v, enumerable: true}));\n"
                  "  console.log(m.classify(row)); }\n")
        for name in MODELS:
            for inputs in ("raw", "binary") if name in BINARY_MODELS else ("raw",):
                c = case(name)
                c.export("javascript", "--inputs", inputs, to="model.js")
                names = [x["name"] for x in (c.columns if inputs == "raw" else c.features)]
                rows = c.rows if inputs == "raw" else c.bits
                (c.dir / "rows.json").write_text("\n".join([json.dumps(names), *map(json.dumps, rows)]))
                (c.dir / "driver.js").write_text(driver)
                said, *got = command("node", "driver.js", cwd=c.dir).split("\n")
                self.assertEqual(json.loads(said), [c.model["classes"], names])
                self.agree(c, [int(k) for k in got[:-1]], ("javascript", inputs))

    def test_a_page_may_hold_the_script(self):
        text = case("hostile").export("javascript", to="model.js").read_text(encoding="utf-8").lower()
        self.assertNotIn("</script", text)
        self.assertNotIn("<!--", text)


class Queries(ExportTest):
    def test_sqlite(self):
        for name in (*MODELS, *COMMITTEES):
            for inputs in ("raw", "binary") if name in BOTH_INPUTS else ("raw",):
                c = case(name)
                text = c.export("sql", "--inputs", inputs, to="model.sql").read_text(encoding="utf-8")
                self.agree(c, answers_of_sqlite(c, text, inputs), ("sql", inputs))


def sql_columns(c, inputs, text):
    """Names and types; a name that the export could not use stands in its comment."""
    raw = [(x["name"], "DOUBLE PRECISION" if cases.numeric(x) else "VARCHAR") for x in c.columns]
    wanted = raw if inputs == "raw" else [(f["name"], "INTEGER") for f in c.features]
    out = []
    for name, kind in wanted:
        quoted = '"' + name.replace('"', '""') + '"'
        if quoted not in text.split("DuckDB.\n", 1)[1]:
            quoted = re.search(r"^--   (x_\w+) = \"" + re.escape(name[:30]), text, re.M)[1]
        out.append((quoted, kind))
    return out


def answers_of_sqlite(c, text, inputs, most=cases.ROWS):
    columns = sql_columns(c, inputs, text)
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE t (id INTEGER" + "".join(f", {n} {k}" for n, k in columns) + ")")
    rows = (c.rows if inputs == "raw" else c.bits)[:most]
    db.executemany("INSERT INTO t VALUES (?" + ", ?" * len(columns) + ")", [(i, *row) for i, row in enumerate(rows)])
    index = {name: k for k, name in enumerate(c.model["classes"])}
    return [index[label] for label, in db.execute(f"SELECT ({text}) FROM t ORDER BY id")]


POSTGRES = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))


@unittest.skipUnless(POSTGRES and os.environ.get("BEADWORK_TEST_POSTGRES"), "BEADWORK_TEST_POSTGRES=1 and a server to run it")
class Postgres(ExportTest):
    """A server of its own in a temporary folder, reached by a socket there."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self.user:
            shutil.chown(self.home, "postgres")
        self.as_user("initdb", "-D", "db", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync")
        self.as_user("pg_ctl", "-D", "db", "-w", "-l", "log", "-o", f"-k {self.home} -h '' -F -c jit=off", "start")
        self.addCleanup(lambda: self.as_user("pg_ctl", "-D", "db", "-m", "immediate", "stop"))

    def as_user(self, tool, *args, **kwargs):
        with open(self.home / "said", "ab") as said:  # the server keeps its output open: not a pipe
            subprocess.run([*self.user, str(POSTGRES[-1] / tool), *args], cwd=self.home, stdout=said, stderr=said,
                           check=True, timeout=1800, **kwargs)

    def test_postgresql(self):
        value = lambda v: "" if v is None else '"' + v.replace('"', '""') + '"' if isinstance(v, str) else repr(v)
        for name in (*MODELS, *(n for n in COMMITTEES if "hostile" not in n)):
            for inputs in ("raw", "binary") if name in BOTH_INPUTS else ("raw",):
                c = case(name)
                text = c.export("sql", "--inputs", inputs, to="model.sql").read_text(encoding="utf-8")
                columns = sql_columns(c, inputs, text)
                rows = c.rows if inputs == "raw" else [tuple(map(int, v)) for v in c.bits]
                script = "DROP TABLE IF EXISTS t; CREATE TABLE t (id INTEGER" + "".join(f", {n} {k}" for n, k in columns)
                script += ");\nCOPY t FROM STDIN (FORMAT csv);\n"
                script += "".join(",".join([str(i), *map(value, row)]) + "\n" for i, row in enumerate(rows)) + "\\.\n"
                script += f"\\o answers\nSELECT ({text}) FROM t ORDER BY id;\n"
                self.as_user("psql", "-h", str(self.home), "-U", "postgres", "-qAtX0", "-v", "ON_ERROR_STOP=1",
                             input=script.encode())
                index = {name: k for k, name in enumerate(c.model["classes"])}
                answers = (self.home / "answers").read_bytes().decode().split("\0")
                self.agree(c, [index[a] for a in answers[:-1]], ("postgresql", inputs))


# Circuits -------------------------------------------------------------------------------------------------


def simulate(c, source, module, num_outputs, vectors):
    """Icarus Verilog's answers: the outputs of a module, ports by position, as a number of bits."""
    width = max(1, len(c.features))
    (c.dir / "vectors").write_text("\n".join("".join("01"[b] for b in v) or "0" for v in vectors) + "\n")
    inputs = ", ".join(f"v[{width - 1 - i}]" for i in range(width))
    outputs = ", ".join(f"y[{i}]" for i in range(num_outputs)) if module != "beadwork_model_index" else "y"
    module = module.removesuffix("_index")
    (c.dir / "bench.v").write_text(
        f"module bench; reg [{width - 1}:0] all [0:{len(vectors) - 1}]; reg [{width - 1}:0] v; wire [{num_outputs - 1}:0] y;\n"
        f"integer i; {module} dut({inputs}, {outputs});\n"
        f'initial begin $readmemb("vectors", all); for (i = 0; i < {len(vectors)}; i = i + 1) begin v = all[i]; #1; '
        '$display("%b", y); end end endmodule\n')
    command("iverilog", "-g2005", "-Wall", "-o", "simulation", "bench.v", source, cwd=c.dir)
    return [line[::-1] for line in command("vvp", "-N", "simulation", cwd=c.dir).split()]


def class_of_outputs(c, bits):
    """One output is the class; several have one 1."""
    if len(c.model["classes"]) <= 2:
        return int(bits)
    assert bits.count("1") == 1, bits
    return bits.index("1")


class Circuits(ExportTest):
    @needs("iverilog")
    def test_verilog(self):
        for name in MODELS:
            c = case(name)
            c.export("verilog", to="model.v")
            width = max(1, (len(c.model["classes"]) - 1).bit_length())
            got = simulate(c, "model.v", "beadwork_model_index", width, c.vectors)
            self.agree_on_vectors(c, {v: int(bits[::-1], 2) for v, bits in zip(c.vectors, got)}, "verilog")

    @needs("iverilog", "berkeley-abc")
    def test_blif_and_pla(self):
        """Read by ABC, which writes them as Verilog."""
        for name in MODELS:
            c = case(name)
            for format in ("blif", "pla"):
                c.export(format, to=f"model.{format}")
                (c.dir / "abc.v").unlink(missing_ok=True)
                said = command("berkeley-abc", "-c", f"read_{format} model.{format}; strash; write_verilog abc.v", cwd=c.dir)
                self.assertTrue((c.dir / "abc.v").exists(), said)
                text = (c.dir / "abc.v").read_text()
                module = re.search(r"^module (\\?\S+)", text, re.M)[1]
                k = len(c.model["classes"])
                vectors = c.vectors[::1 if len(c.vectors) < 10_000 else 20]
                got = simulate(c, "abc.v", module + " ", 1 if k <= 2 else k, vectors)
                self.agree_on_vectors(c, {v: class_of_outputs(c, b) for v, b in zip(vectors, got)}, format)

    @needs("berkeley-abc")
    def test_blif_pla_and_verilog_are_the_same_function(self):
        for name in ("monk", "tic-tac-toe", "mixed", "tree"):
            c = case(name)
            for format in ("blif", "pla"):
                c.export(format, to=f"model.{format}")
            said = command("berkeley-abc", "-c", "cec model.blif model.pla", cwd=c.dir)
            self.assertIn("Networks are equivalent", said)


# Pictures and text ----------------------------------------------------------------------------------------


def unescaped(label):
    return label.replace("&amp;", "&")


class Pictures(ExportTest):
    @needs("dot")
    def test_graphviz_sees_the_diagram(self):
        for name in MODELS:
            c = case(name)
            c.export("dot", to="model.dot")
            graph = json.loads(command("dot", "-Tdot_json", "model.dot", cwd=c.dir))
            number = {o["_gvid"]: int(o["name"][1:]) for o in graph["objects"] if re.match(r"n\d+$", o["name"])}
            edges = {(number[e["tail"]], e["style"]): number[e["head"]] for e in graph["edges"]
                     if e.get("style") in ("solid", "dashed")}
            nodes = c.model["diagram"]["nodes"]
            want = {(n, s): x[k] for n, x in enumerate(nodes) if "class" not in x for s, k in (("solid", "high"), ("dashed", "low"))}
            self.assertEqual(edges, want)
            if name == "hostile":
                continue  # names are shown escaped and cut
            tips = {number[o["_gvid"]]: unescaped(o["tooltip"]) for o in graph["objects"] if o["_gvid"] in number}
            for n, node in enumerate(nodes):
                what = c.model["classes"][node["class"]] if "class" in node else c.model["features"][node["feature"]]["name"]
                self.assertTrue(tips[n].startswith(what + ": "), (name, tips[n], what))

    @needs("rsvg-convert")
    def test_svg_png_pdf(self):
        for name in MODELS:
            c = case(name)
            xml.fromstring(c.export("svg", to="model.svg").read_text(encoding="utf-8"))
            png = c.export("png", to="model.png").read_bytes()
            self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
            self.assertGreater(int.from_bytes(png[16:20], "big"), 50)
            self.assertEqual(c.export("pdf", to="model.pdf").read_bytes()[:5], b"%PDF-")

    @needs("dot")
    def test_graphviz_draws_where_librsvg_is_not(self):
        c = case("monk")
        only = c.dir / "only"
        only.mkdir()
        (only / "dot").symlink_to(pathlib.Path(shutil.which("dot")).resolve())
        for tools, ok in ((only, True), (c.dir / "none", False)):
            done = subprocess.run([cases.BINARY, "export", "model.json", "--to", "png"], cwd=c.dir, capture_output=True,
                                  env={"PATH": str(tools)})
            self.assertEqual(done.returncode, 0 if ok else 1, done.stderr)
            self.assertEqual(done.stdout[:4], b"\x89PNG" if ok else b"")
        self.assertEqual(done.stderr.decode(), "beadwork: --to: png needs rsvg-convert (librsvg2-bin) or dot (graphviz); "
                                               "neither is installed\n")

    def test_text_is_the_diagram(self):
        for name in ("monk", "tic-tac-toe", "flowers", "constant"):
            c = case(name)
            text = c.export("text", to="model.txt").read_text()
            lines = [l for l in text.split("\n\n")[1].splitlines()]
            tree, shared = parse_outline(lines)
            test = {f["name"]: i for i, f in enumerate(c.features)}

            def answer(bits):
                at = tree
                while isinstance(at, list):
                    at = at[2 if bits[test[at[0]]] else 1]
                    at = shared.get(at, at) if isinstance(at, str) else at
                return c.model["classes"].index(at)
            of_vector = {v: answer(v) for v in c.vectors}
            self.agree_on_vectors(c, of_vector, "text")


def parse_outline(lines):
    """[test, no, yes] or a class; a node met again is its number, found in `shared`."""
    shared = {}
    at = iter(lines)

    def node():
        line = re.sub(r"^ *(yes: |no:  )?", "", next(at))
        if line.startswith("=> "):
            return re.sub(r" \(.*", "", line[3:])
        mark = re.match(r"(#\d+) ", line)
        if mark and line.endswith("? (above)"):
            return mark[1]
        made = [re.match(r"(?:#\d+ )?(.*)\? \(", line)[1], None, None]
        if mark:
            shared[mark[1]] = made
        first = node()  # printed in the order no, yes
        made[1:] = [first, node()]
        return made
    return node(), shared


# Names and refusals ---------------------------------------------------------------------------------------


class Names(ExportTest):
    def test_identifiers_are_plain_and_unique(self):
        c = case("hostile")
        for format in ("c", "verilog"):
            ids = [l.split("=")[0].split()[-1] for l in c.export(format, to="m").read_text(encoding="utf-8").splitlines()
                   if re.match(r"(//)? +x_\w+ = ", l)]
            self.assertEqual(len(ids), len(c.columns if format == "c" else c.features))
            self.assertEqual(len({i.lower() for i in ids}), len(ids))
            for i in ids:
                self.assertRegex(i, r"^x(_[A-Za-z0-9]+)+$")

    def test_hostile_names_of_binary_features(self):
        c = case("hostile")
        space = {}
        exec(c.export("python", "--inputs", "binary", to="m").read_text(encoding="utf-8"), space)
        names = [f["name"] for f in c.features]
        self.assertEqual([space["classify"](dict(zip(names, v))) for v in c.bits[:3000]], c.answers[:3000])
        text = c.export("sql", "--inputs", "binary", to="m").read_text(encoding="utf-8")
        self.assertEqual(answers_of_sqlite(c, text, "binary", 3000), c.answers[:3000])
        for format, tool in (("c", "gcc"), ("c-table", "gcc"), ("c++", "g++"), ("javascript", "node")):
            if shutil.which(tool):
                to = {"c++": "m.cpp", "javascript": "m.js"}.get(format, "m.c")
                c.export(format, "--inputs", "binary", to=to)
                command(tool, *(["--check"] if tool == "node" else ["-fsyntax-only", *WARNINGS]), to, cwd=c.dir)

    def test_an_empty_name(self):
        c = case("monk")
        model = json.loads(json.dumps(c.model))
        del model["sha256"]
        model["columns"][model["features"][0]["column"]]["name"] = ""
        for f in model["features"]:
            f["name"] = f["name"].replace("a1 ", " ")
        (c.dir / "empty.json").write_text(json.dumps(model))
        for format in ("c", "sql", "dbt", "python", "javascript", "c++", "rust", "java", "go", "r", "pmml", "onnx"):
            text = cases.run("export", "empty.json", "--to", format, cwd=c.dir).decode(errors="replace")
            self.assertIn('""' if format in ("python", "javascript") else "x_unnamed", text.replace("X_", "x_"), format)

    def test_every_export_says_what_it_takes(self):
        c = case("mixed")
        for format in ("text", "dot", "svg", "c", "c-table", "c-header", "c++", "python", "javascript", "rust", "java", "go", "r", "sql", "dbt",
                       "formula", "pmml", "onnx"):
            self.assertIn("raw columns", c.export(format, to="m").read_bytes().decode(errors="replace"), format)
        for format in ("c", "c++", "python", "javascript", "rust", "java", "go", "r", "sql", "onnx", "sklearn", "verilog", "vhdl", "blif", "aiger", "pla", "dddmp"):
            text = c.export(format, "--inputs", "binary", to="m").read_bytes().decode(errors="replace")
            self.assertIn("binary features", text, format)
        self.assertIn('"inputs": "binary"', c.export("dd-json", to="m").read_text())

    def test_refusals(self):
        c = case("mixed")
        for args, line in (
                (["--to", "cobol"], "--to: expected one of text, dot, "),
                (["--to", "blif", "--inputs", "raw"], "--inputs: blif takes binary features only\n"),
                (["--to", "svg", "--inputs", "binary"], "--inputs: svg takes raw columns only\n"),
                (["--to", "c", "--inputs", "both"], "--inputs: expected raw or binary, got 'both'\n"),
                (["--to", "c", "--name", "a b"], "--name: expected letters, digits and single underscores after a letter, "),
                (["--to", "sklearn", "--inputs", "raw"], '--inputs: column "'),
        ):
            done = subprocess.run([cases.BINARY, "export", "model.json", *args], cwd=c.dir, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""), args)
            self.assertTrue(done.stderr.startswith("beadwork: " + line), done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)


class Needed(ExportTest):
    def test_predict_asks_for_what_is_tested_only(self):
        """A model may list a feature that its diagram does not test."""
        c = case("constant")
        folder = c.dir
        cases.run("datasets", "make", "monk-1", "-o", "monk.csv", cwd=folder)
        cases.run("fit", "monk.csv", "-d", 2, "--require", "a1 <= 1.5", "-o", "two.json", cwd=folder)
        model = json.loads((folder / "two.json").read_text())
        self.assertEqual({x["name"] for x in model["columns"]}, {"a1", "a5"})
        tested = {n["feature"] for n in model["diagram"]["nodes"] if "feature" in n}
        self.assertEqual([model["features"][f]["name"] for f in tested], ["a5 <= 1.5"])
        (folder / "a5.csv").write_text("a5\n1\n2\n")
        out = cases.run("predict", "two.json", "a5.csv", cwd=folder).decode()
        self.assertEqual([r[0] for r in csv.reader(out.splitlines())], ["prediction", "1", "0"])
        done = subprocess.run([cases.BINARY, "predict", "two.json", "model.json"], cwd=folder, capture_output=True)
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
