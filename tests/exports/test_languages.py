"""Rust, Java, Go, R, and the shares of C++, Python and JavaScript: compiled and run by their own tools on random rows."""
import csv
import importlib.util
import json
import re
import shutil
import unittest

from cases import case, numeric
from harness import ALL, EVERY_MODEL, FurtherTest, command, needs, write_values

BINARY = ("mixed", "constant")
COMMITTEES = ("flowers that vote", "mixed that vote", "a constant that votes", "hostile that vote")
COMMITTEES = COMMITTEES if EVERY_MODEL else COMMITTEES[:1]  # compilers take their time


def inputs_of(name):
    return ("raw", "binary") if name in BINARY else ("raw",)


def identifiers(text, mark):
    """Of the inputs, in order: as the comment at the head says."""
    return re.findall(r"^" + mark + r"  +([xX]_\w+) = ", text, re.M)


def kinds_of(c, inputs):
    return ["bit"] * len(c.features) if inputs == "binary" else ["number" if numeric(x) else "text" for x in c.columns]


class Languages(FurtherTest):
    def each(self, format, to, run):
        """`run(case, text, identifiers, kinds, rows)` gives a line a row: class index, then shares."""
        for name in (*ALL, *COMMITTEES):
            for inputs in inputs_of(name):
                c = case(name)
                text = c.export(format, "--inputs", inputs, "--probabilities", to=to).read_text(encoding="utf-8")
                kinds = kinds_of(c, inputs)
                rows = c.rows if inputs == "raw" else [tuple(map(int, v)) for v in c.bits]
                ids = identifiers(text, "#" if format == "r" else "//")
                self.assertTrue(format == "r" or len(ids) == len(kinds), (format, name, ids))
                lines = [line.split() for line in run(c, text, ids, kinds, rows).splitlines()]
                self.agree(c, [int(line[0]) for line in lines], (format, inputs))
                self.agree_on_shares(c, [list(map(float, line[1:])) for line in lines], (format, inputs),
                                     1e-12 if "members" in c.model else 0)

    @needs("rustc")
    def test_rust(self):
        def run(c, text, ids, kinds, rows):
            write_values(c, rows)
            fill = ""
            for id, kind in zip(ids, kinds):
                read = {"bit": "some(v).map_or(false, |s| s == \"1\")", "number": "some(v).map(|s| s.parse().unwrap())",
                        "text": "some(v)"}[kind]
                fill += f"        row.{id} = {{ let v = values.next().unwrap(); {read} }};\n"
            (c.dir / "main.rs").write_text(
                "#![deny(warnings)]\n#[allow(dead_code)] mod model;\n"
                "#[allow(dead_code)] fn some(v: &str) -> Option<&str> { v.strip_prefix('V') }\n"
                "fn main() {\n    let data = std::fs::read_to_string(\"values\").unwrap();\n"
                "    #[allow(unused_mut, unused_variables)] let mut values = data.split('\\0');\n"
                f"    for _ in 0..{len(rows)} {{\n        #[allow(unused_mut)] let mut row = model::Row::default();\n{fill}"
                "        print!(\"{}\", model::classify(&row));\n"
                "        for p in model::probabilities(&row) { print!(\" {}\", p); }\n        println!();\n    }\n}\n")
            command("rustc", "--edition", "2021", "-o", "rust_program", "main.rs", cwd=c.dir)
            return command("./rust_program", cwd=c.dir)
        self.each("rust", "model.rs", run)

    @needs("javac")
    def test_java(self):
        def run(c, text, ids, kinds, rows):
            write_values(c, rows)
            fill = ""
            for id, kind in zip(ids, kinds):
                read = {"bit": "v.equals(\"V1\")", "number": "v.equals(\"M\") ? Double.NaN : Double.parseDouble(v.substring(1))",
                        "text": "v.equals(\"M\") ? null : v.substring(1)"}[kind]
                fill += f"      {{ String v = values[at++]; row.{id} = {read}; }}\n"
            (c.dir / "Main.java").write_text(
                "import java.nio.file.*;\nimport java.nio.charset.*;\nclass Main { public static void main(String[] a) throws Exception {\n"
                "    String[] values = new String(Files.readAllBytes(Paths.get(\"values\")), StandardCharsets.UTF_8).split(\"\\0\", -1);\n"
                f"    int at = 0;\n    StringBuilder out = new StringBuilder();\n    for (int i = 0; i < {len(rows)}; ++i) {{\n"
                f"      beadwork_model.Row row = new beadwork_model.Row();\n{fill}"
                "      out.append(beadwork_model.classify(row));\n"
                "      for (double p : beadwork_model.probabilities(row)) out.append(' ').append(p);\n"
                "      out.append('\\n');\n    }\n    System.out.print(out);\n} }\n")
            command("javac", "-encoding", "US-ASCII", "-Xlint:all", "-Werror", "Main.java", "beadwork_model.java", cwd=c.dir)
            return command("java", "-XX:+UseSerialGC", "-cp", ".", "Main", cwd=c.dir)
        self.each("java", "beadwork_model.java", run)

    @needs("go")
    def test_go(self):
        def run(c, text, ids, kinds, rows):
            write_values(c, rows)
            home = c.dir / "gohome"
            (home / "model").mkdir(parents=True, exist_ok=True)
            shutil.copy(c.dir / "model.go", home / "model" / "model.go")
            (home / "go.mod").write_text("module program\n\ngo 1.18\n")
            fill = ""
            for id, kind in zip(ids, kinds):
                read = {"bit": f"row.{id} = v == \"V1\"",
                        "number": f"row.{id} = math.NaN(); if v != \"M\" {{ row.{id}, _ = strconv.ParseFloat(v[1:], 64) }}",
                        "text": f"if v != \"M\" {{ s := v[1:]; row.{id} = &s }}"}[kind]
                fill += f"\t\t{{ v := values[at]; at++; {read} }}\n"
            (home / "main.go").write_text(
                "package main\n\nimport (\n\t\"bufio\"\n\t\"fmt\"\n\t\"math\"\n\t\"os\"\n\t\"strconv\"\n\t\"strings\"\n"
                "\tmodel \"program/model\"\n)\n\nvar _ = math.NaN\nvar _ = strconv.Itoa\n\nfunc main() {\n"
                "\tdata, _ := os.ReadFile(os.Args[1])\n\tvalues := strings.Split(string(data), \"\\x00\")\n\tat := 0\n\t_ = values\n\t_ = at\n"
                "\tout := bufio.NewWriter(os.Stdout)\n\tdefer out.Flush()\n"
                f"\tfor i := 0; i < {len(rows)}; i++ {{\n\t\tvar row model.Row\n{fill}"
                "\t\tfmt.Fprint(out, model.Classify(&row))\n"
                "\t\tfor _, p := range model.Probabilities(&row) {\n\t\t\tfmt.Fprint(out, \" \", p)\n\t\t}\n\t\tfmt.Fprintln(out)\n\t}\n}\n")
            command("go", "build", "-o", "program", ".", cwd=home)
            return command("./program", "../values", cwd=home)
        self.each("go", "model.go", run)

    @needs("Rscript")
    def test_r(self):
        def run(c, text, ids, kinds, rows):
            with open(c.dir / "r.csv", "w", newline="", encoding="utf-8") as f:
                writer = csv.writer(f, quoting=csv.QUOTE_ALL)
                writer.writerow([*(f"c{i}" for i in range(len(kinds))), "besides"])
                for row in rows:
                    writer.writerow([*("<missing>" if v is None else float(v).hex() if isinstance(v, (int, float)) else v
                                       for v in row), "x"])
            names = [x["name"] for x in (c.columns if kinds and kinds[0] != "bit" else c.features)]
            quoted = ", ".join(json.dumps(n).replace("\\u2028", "\\u2028") if max(map(ord, n), default=0) < 0x10000
                               else "intToUtf8(c(" + ", ".join(str(ord(x)) for x in n) + "))" for n in names)
            numbers = ", ".join(str(i + 1) for i, kind in enumerate(kinds) if kind != "text")
            (c.dir / "main.R").write_text(
                "source('model.R', encoding = 'UTF-8')\n"
                "rows <- read.csv('r.csv', colClasses = 'character', na.strings = '<missing>', encoding = 'UTF-8')\n"
                f"for (i in c({numbers})) rows[[i]] <- as.numeric(rows[[i]])\n"
                f"names(rows)[seq_len({len(names)})] <- c({quoted})\n"
                "answers <- beadwork_model$classify(rows)\n"
                "stopifnot(identical(beadwork_model$predict(rows), beadwork_model$classes[answers]))\n"
                "shares <- beadwork_model$probabilities(rows)\n"
                "cat(paste(answers - 1L, apply(shares, 1, function(p) paste(sprintf('%.17g', p), collapse = ' '))), sep = '\\n')\n",
                encoding="utf-8")
            return command("Rscript", "--vanilla", "main.R", cwd=c.dir)
        self.each("r", "model.R", run)

    @needs("g++")
    def test_cpp(self):
        def run(c, text, ids, kinds, rows):
            size = write_values(c, rows)
            ids = re.findall(r"^     (x_\w+) = ", text, re.M)
            fill = ""
            for id, kind in zip(ids, kinds):
                read = {"bit": "v[1] == '1'", "number": "v[0] == 'M' ? NAN : strtod(v + 1, nullptr)",
                        "text": "v[0] == 'M' ? std::nullopt : std::optional<std::string_view>(v + 1)"}[kind]
                fill += f"    {{ const char* v = at; at += strlen(at) + 1; row.{id} = {read}; }}\n"
            (c.dir / "main.cpp").write_text(
                '#include "model.hpp"\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <vector>\nint main() {\n'
                f'  std::vector<char> data({size} + 1);\n  std::FILE* f = std::fopen("values", "rb");\n'
                f'  if (f == nullptr || std::fread(data.data(), 1, {size}, f) != {size}) return 1;\n  const char* at = data.data();\n'
                f"  for (long i = 0; i < {len(rows)}; ++i) {{\n    beadwork_model::Row row;\n{fill}"
                '    std::printf("%d", beadwork_model::classify(row));\n'
                '    for (const double p : beadwork_model::probabilities(row)) std::printf(" %.17g", p);\n'
                '    std::printf("\\n");\n  }\n  return at == nullptr;\n}\n')
            command("g++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-o", "program", "main.cpp", cwd=c.dir)
            return command("./program", cwd=c.dir)
        for name in (*ALL, *COMMITTEES):
            c = case(name)
            text = c.export("c++", "--probabilities", to="model.hpp").read_text(encoding="utf-8")
            lines = [line.split() for line in run(c, text, None, kinds_of(c, "raw"), c.rows).splitlines()]
            self.agree(c, [int(line[0]) for line in lines], "c++")
            self.agree_on_shares(c, [list(map(float, line[1:])) for line in lines], "c++", 1e-12 if "members" in c.model else 0)

    def test_python(self):
        for name in (*ALL, *COMMITTEES):
            c = case(name)
            path = c.export("python", "--probabilities", to="model.py")
            spec = importlib.util.spec_from_file_location("model", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            rows = [dict(zip((x["name"] for x in c.columns), row)) for row in c.rows]
            self.agree(c, [module.classify(row) for row in rows], "python")
            self.agree_on_shares(c, [module.probabilities(row) for row in rows], "python", 1e-12 if "members" in c.model else 0)

    @needs("node")
    def test_javascript(self):
        for name in (*ALL, *COMMITTEES):
            c = case(name)
            c.export("javascript", "--probabilities", to="model.js")
            (c.dir / "rows.json").write_text("\n".join([json.dumps([x["name"] for x in c.columns]), *map(json.dumps, c.rows)]))
            (c.dir / "driver.js").write_text(
                "const m = require('./model.js'), lines = require('fs').readFileSync('rows.json', 'utf8').split('\\n');\n"
                "const names = JSON.parse(lines[0]), out = [];\n"
                "for (const line of lines.slice(1)) { const row = {};\n"
                "  JSON.parse(line).forEach((v, i) => Object.defineProperty(row, names[i], {value: v, enumerable: true}));\n"
                "  out.push([m.classify(row), ...m.probabilities(row)].join(' ')); }\nconsole.log(out.join('\\n'));\n")
            lines = [line.split() for line in command("node", "driver.js", cwd=c.dir).splitlines()]
            self.agree(c, [int(line[0]) for line in lines], "javascript")
            self.agree_on_shares(c, [list(map(float, line[1:])) for line in lines], "javascript", 1e-12 if "members" in c.model else 0)


if __name__ == "__main__":
    unittest.main()
