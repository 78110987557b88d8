"""C for small targets: floats, integers, enums, a header, shares; and how large it is on a Cortex-M0.

By gcc, on random rows that the type of numbers can hold, beside `beadwork predict`.
"""
import pathlib
import re
import unittest

import cases
from cases import RAW, case, numeric
from harness import ALL, FurtherTest, as_float, as_integer, coded, codes, command, held, needs, write_values

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]

MAIN = r"""#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
{include}
static char *at;
static const char *next(void) {{ const char *value = at; while (*at) ++at; ++at; return value; }}
int main(void) {{
  FILE *f = fopen("values", "rb");
  char *data = (char *)malloc({size}u + 1u);
  long i;
  if (f == NULL || data == NULL || fread(data, 1, {size}u, f) != {size}u) return 1;
  at = data;
  for (i = 0; i < {rows}; ++i) {{
    struct beadwork_row row;
{fill}    printf("%d", beadwork_class(&row));
{shares}    printf("\n");
  }}
  return 0;
}}
"""


def fields(c, numbers, scale, enums, text):
    """Statements that fill a row: the test's own reading of what the export says of its fields."""
    ids = re.findall(r"^     (x_\w+) = ", text, re.M)
    out = "" if ids else "    (void)next; row.x_unused = 0;\n"
    for id, column in zip(ids, c.columns, strict=True):
        read = "    { const char *v = next(); "
        if numeric(column) and numbers.startswith("int"):
            out += read + (f"row.missing_{id[2:]} = v[0] == 'M'; "
                           f"row.{id} = v[0] == 'M' ? 0 : ({numbers}_t)strtoll(v + 1, NULL, 10); }}\n")
        elif numeric(column):
            out += read + f"row.{id} = v[0] == 'M' ? ({numbers})NAN : ({numbers})strtod(v + 1, NULL); }}\n"
        elif enums:
            out += read + f"row.{id} = (enum beadwork_{id})strtol(v + 1, NULL, 10); }}\n"
        else:
            out += read + f"row.{id} = v[0] == 'M' ? NULL : v + 1; }}\n"
    return out


def within_reach(name):
    """Of the models by hand, one whose thresholds have integers on both sides; the others are refused."""
    return name + " within reach" if name in ("tree", "hostile", "hostile that vote") else name


class SmallC(FurtherTest):
    def run_one(self, name, format, numbers="double", scale=1, enums=False, header=False, shares=True):
        c = case(name)
        if numbers == "float":
            c = held(c, as_float)
        elif numbers != "double":
            c = held(c, as_integer(int(numbers[3:]), scale))
        options = ["--numbers", numbers, *(["--scale", scale] if scale != 1 else [])]
        options += ["--categories", "enum"] * enums + ["--probabilities"] * shares
        text = c.export(format, *options, *(["--header", "model.h"] if header else []), to="model.c").read_text(encoding="utf-8")
        if header:
            c.export("c-header", *options, to="model.h")
            self.assertNotIn("struct beadwork_row {", text)
        rows = [tuple(round(v * scale) if isinstance(v, float) and numbers.startswith("int")
                      else coded(column, v) if enums and not numeric(column) else v
                      for v, column in zip(row, c.columns)) for row in c.rows]
        size = write_values(c, rows)
        count = len(c.model["classes"])
        shown = "".join(f'    printf(" %.17g", (double)beadwork_probabilities(&row)[{k}]);\n' for k in range(count)) if shares else ""
        include = '#include "model.h"' if header else '#include "model.c"'
        (c.dir / "main.c").write_text(MAIN.format(include=include, size=size, rows=len(rows), shares=shown,
                                                  fill=fields(c, numbers, scale, enums, text)))
        command("gcc", "-std=c99", *WARNINGS, "-O1", "-o", "program", "main.c", *(["model.c"] if header else []), cwd=c.dir)
        got = [line.split() for line in command("./program", cwd=c.dir).splitlines()]
        what = (format, numbers, scale, enums, header)
        self.agree(c, [int(line[0]) for line in got], what)
        if shares:
            within = 0 if numbers == "double" else 1e-7
            self.agree_on_shares(c, [list(map(float, line[1:])) for line in got], what, within)

    @needs("gcc")
    def test_floats(self):
        for name in ALL:
            self.run_one(name, "c", "float", header=True)
        self.run_one("flowers", "c-table", "float")

    @needs("gcc")
    def test_integers_and_enums(self):
        for name in ALL:
            self.run_one(within_reach(name), "c", "int16", 100, enums=True, header=True)
        self.run_one("flowers", "c", "int8", 10)
        self.run_one("flowers", "c-table", "int32", 1000)
        self.run_one("mixed", "c", "int64", 7)
        self.run_one(within_reach("hostile"), "c-table", "int32", 1000, enums=True)
        self.run_one("words", "c", "int8", enums=True, header=True, shares=False)

    @needs("gcc")
    def test_shares(self):
        for name in ALL:
            for format in ("c", "c-table"):
                self.run_one(name, format)

    @needs("gcc")
    def test_a_committee_with_integers(self):
        self.run_one("flowers that vote", "c", "int8", 10, enums=True, header=True, shares=False)
        self.run_one(within_reach("hostile that vote"), "c", "int16", 100, enums=True, header=True, shares=False)

    @needs("g++")
    def test_the_header_in_cpp(self):
        c = case("hostile within reach")
        c.export("c-header", "--categories", "enum", "--numbers", "int16", "--scale", "100", "--probabilities", to="model.h")
        (c.dir / "use.cpp").write_text('#include "model.h"\n#include "model.h"\n')
        command("g++", "-std=c++17", "-fsyntax-only", *WARNINGS, "use.cpp", cwd=c.dir)

    def test_refusals(self):
        c = case("mixed")
        for args, line in (
                (["--to", "c", "--numbers", "half"], "--numbers: expected double, float or int and a number of bits from 2 to 64"),
                (["--to", "c", "--numbers", "int12"], "--numbers: c has int8, int16, int32 and int64\n"),
                (["--to", "c", "--scale", "10"], "--scale: only integers have one; name their type, such as int16\n"),
                (["--to", "c", "--numbers", "int8", "--scale", "0"], "--scale: expected a whole number from 1 to "),
                (["--to", "c", "--numbers", "int8", "--scale", "2", "--point", "3"], "--scale: scale and point say the same"),
                (["--to", "c", "--inputs", "binary", "--numbers", "int8"], "--numbers: binary features are 0 or 1\n"),
                (["--to", "python", "--numbers", "float"], "--numbers: python takes doubles only\n"),
                (["--to", "sql", "--categories", "enum"], "--categories: sql has no enums\n"),
                (["--to", "c", "--categories", "both"], "--categories: expected text or enum, got 'both'\n"),
                (["--to", "c-header", "--header", "a.h"], "--header: c-header includes none\n"),
                (["--to", "c", "--header", 'a".h'], "--header: expected a file name without quotes"),
                (["--to", "blif", "--probabilities"], "--probabilities: blif has no place for them\n"),
                (["--to", "c", "--dialect", "mysql"], "--dialect: c has none\n"),
                (["--to", "sql", "--dialect", "dbase"], "--dialect: expected standard (sqlite, "),
        ):
            self.refused(c, args, line)
        self.refused(case("flowers"), ["--to", "c", "--numbers", "int16"], "--numbers: column \"")
        self.refused(case("hostile"), ["--to", "verilog", "--inputs", "raw", "--numbers", "int64", "--scale", "1000"], "--numbers: column \"")
        vote = case("flowers that vote")
        self.refused(vote, ["--to", "c", "--probabilities"], "--probabilities: c has the votes of a committee instead\n")


def vector_of(c, row, bits, scale):
    """The bits of the ports, in order: for a number its missing bit and itself, for a text its code."""
    out = ""
    for v, column in zip(row, c.columns):
        if numeric(column):
            out += "10"[v is not None] + format((0 if v is None else round(v * scale)) % 2**bits, f"0{bits}b")
        else:
            width = (len(codes(column)) + 1).bit_length()
            out += format(coded(column, v), f"0{width}b")
    return out or "0"


def ports_of(c, bits):
    """(width, is a number) of each port."""
    out = []
    for column in c.columns:
        out += [(1, None), (bits, True)] if numeric(column) else [((len(codes(column)) + 1).bit_length(), False)]
    return out or [(1, None)]


def slices(ports):
    """(port, its last and first bit in the vector)."""
    at = sum(width for width, _ in ports)
    for port in ports:
        yield port, at - 1, at - port[0]
        at -= port[0]


class RawCircuits(FurtherTest):
    CASES = (("mixed", 8, 1), ("words", 12, 1), ("flowers", 10, 16), ("constant", 8, 1), ("spellings", 8, 1),
             ("hostile within reach", 64, 1024), ("tree within reach", 24, 1024))

    def each(self, format, to, run):
        for name, bits, scale in self.CASES:
            c = held(case(name), as_integer(bits, scale))
            point = ["--point", scale.bit_length() - 1] if scale > 1 else []
            c.export(format, "--inputs", "raw", "--numbers", f"int{bits}", *point, to=to)
            vectors = [vector_of(c, row, bits, scale) for row in c.rows]
            (c.dir / "vectors").write_text("\n".join(vectors) + "\n")
            width = max(1, (len(c.model["classes"]) - 1).bit_length())
            got = run(c, ports_of(c, bits), len(vectors[0]), width, len(vectors))
            self.agree(c, [int(line, 2) for line in got.split()], (format, bits, scale))

    @needs("iverilog")
    def test_verilog(self):
        def run(c, ports, length, width, rows):
            wires = ", ".join(f"v[{last}:{first}]" for _, last, first in slices(ports))
            (c.dir / "bench.v").write_text(
                f"module bench; reg [{length - 1}:0] all [0:{rows - 1}]; reg [{length - 1}:0] v; wire [{width - 1}:0] y; integer i;\n"
                f"beadwork_model dut({wires}, y);\n"
                f'initial begin $readmemb("vectors", all); for (i = 0; i < {rows}; i = i + 1) begin v = all[i]; #1; '
                '$display("%b", y); end end endmodule\n')
            command("iverilog", "-g2005", "-Wall", "-o", "simulation", "bench.v", "model.v", cwd=c.dir)
            return command("vvp", "-N", "simulation", cwd=c.dir)
        self.each("verilog", "model.v", run)

    @needs("ghdl")
    def test_vhdl(self):
        def run(c, ports, length, width, rows):
            return simulated(c, ports, length, width)
        self.each("vhdl", "model.vhdl", run)

    @needs("ghdl")
    def test_vhdl_of_binary_features(self):
        for name in ALL:
            c = case(name)
            c.export("vhdl", to="model.vhdl")
            vectors = c.vectors
            (c.dir / "vectors").write_text("".join(("".join("01"[b] for b in v) or "0") + "\n" for v in vectors))
            width = max(1, (len(c.model["classes"]) - 1).bit_length())
            count = max(1, len(c.features))
            got = simulated(c, [(1, None)] * count, count, width).split()
            self.agree_on_vectors(c, {v: int(bits, 2) for v, bits in zip(vectors, got)}, "vhdl")


def simulated(c, ports, length, width):
    """GHDL's answers."""
    def wire(port, last, first):
        text = f"v({last})" if port[1] is None else f"v({last} downto {first})"
        return text if port[1] is None else f"{'signed' if port[1] else 'unsigned'}({text})"
    wires = ", ".join(wire(*s) for s in slices(ports))
    (c.dir / "bench.vhdl").write_text(f"""library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all; use std.textio.all;
entity bench is end bench;
architecture test of bench is
  signal v : std_logic_vector({length - 1} downto 0);
  signal y : std_logic_vector({width - 1} downto 0);
begin
  dut : entity work.beadwork_model port map ({wires}, y);
  process
    file vectors : text open read_mode is "vectors";
    file answers : text open write_mode is "answers";
    variable l, o : line;
    variable b : bit_vector({length - 1} downto 0);
  begin
    while not endfile(vectors) loop
      readline(vectors, l); read(l, b); v <= to_stdlogicvector(b); wait for 1 ns;
      write(o, to_bitvector(y)); writeline(answers, o);
    end loop;
    wait;
  end process;
end test;
""")
    for args in (("-a", "--std=93", "model.vhdl", "bench.vhdl"), ("-e", "--std=93", "bench"), ("-r", "--std=93", "bench")):
        command("ghdl", *args, cwd=c.dir)
    return (c.dir / "answers").read_text()


# A reset vector, an endless loop around the model, and nothing else.
START = """#include "model.c"
struct beadwork_row input;
volatile int output;
void reset(void) { for (;;) { __asm__ volatile("" ::: "memory"); output = beadwork_class(&input); } }
__attribute__((section(".vectors"), used)) static const void *const vectors[2] = {(const void *)0x20001000, (const void *)reset};
"""
LINKER = """MEMORY { flash (rx) : ORIGIN = 0, LENGTH = 32K ram (rwx) : ORIGIN = 0x20000000, LENGTH = 4K }
SECTIONS { .text : { KEEP(*(.vectors)) *(.text*) *(.rodata*) } > flash .data : { *(.data*) } > ram AT > flash
  .bss : { *(.bss*) *(COMMON) } > ram /DISCARD/ : { *(.ARM.*) } }
"""


@unittest.skipUnless(RAW, "needs the tables 'raw' (make data; docs/data.md)")
class CortexM0(FurtherTest):
    def size(self, folder, *options):
        cases.run("export", "iris.json", "--to", "c", "-o", "model.c", *options, cwd=folder)
        (folder / "start.c").write_text(START)
        (folder / "m0.ld").write_text(LINKER)
        command("arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb", "-Os", "-std=c99", "-ffreestanding", "-nostdlib", "-T", "m0.ld",
                "-Wl,-e,reset", "-o", "start.elf", "start.c", "-lgcc", cwd=folder)
        text, data, *_ = map(int, command("arm-none-eabi-size", "start.elf", cwd=folder).splitlines()[1].split()[:3])
        return text + data

    @needs("arm-none-eabi-gcc")
    def test_iris_with_integers_is_small(self):
        """Flash that is taken: vectors, loop, model and what it needs of libgcc."""
        folder = pathlib.Path(cases.folder.name) / "cortex"
        folder.mkdir(exist_ok=True)
        cases.run("fit", RAW / "iris.arff", "-d", 3, "-o", "iris.json", cwd=folder)
        integers = ("--numbers", "int8", "--scale", 10)
        sizes = {"double": self.size(folder), "float": self.size(folder, "--numbers", "float"),
                 "int8": self.size(folder, *integers), "int8 with enums": self.size(folder, *integers, "--categories", "enum"),
                 "int32": self.size(folder, "--numbers", "int32", "--scale", 10)}
        print("iris on a Cortex-M0, bytes of flash:", sizes)
        self.assertLess(sizes["int8"], 600)
        self.assertLess(sizes["int32"], 600)
        self.assertNotIn("__aeabi", command("arm-none-eabi-nm", "start.elf", cwd=folder))


if __name__ == "__main__":
    unittest.main()
