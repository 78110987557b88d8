#!/usr/bin/env python3
"""Fails where the code outgrows the limits of the house.

usage: check_house.py ROOT | --selftest

  - a file of src, apps or python has at most 400 lines, a function at most 60 (the checker, one program in one file, aside)
  - a flag such as "--depth" is named in the library in one file only, the door through which text becomes a request
  - the text "optimal" is compared with in one file only
  - options are listed in options.def only: four of them in a row, or as the words of one text, belong to its column `uses`
  - rows become a model in one place: what the search's answer still needs is called by the layers evidence and fit alone
  - a test has one name, its number as a feature: those that search sorted columns alone speak of it as a cut
  - no two headers define types of one name in one namespace: the linker would take the functions of either for both

ALLOWED lists what still breaks a rule. An entry that nothing needs is a fault, too: the list only shrinks.
"""
import pathlib
import re
import sys
import tempfile

MOST_LINES, MOST_LINES_OF_FUNCTION = 400, 60
ALLOWED: set[str] = set()

CHARACTERS = re.compile(r"'(?:[^'\\\n]|\\.)'")
RAW_COMMENT_OR_STRING = re.compile(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.M)
FLAG = re.compile(r'"[^"\n]*(?<![\w-])--[a-z][a-z-]+')
OPTIMAL = re.compile(r'[!=]=\s*"optimal"|"optimal"\s*[!=]=')
CUT = re.compile(r"\bCut\b")
OF_CUTS = tuple(f"src/beadwork/{layer}" for layer in ("dataset", "ordered", "smallest", "engine"))
OPTION = re.compile(r"BEADWORK_OPTION\((?:[^,<]|<[^>]*>+)+, (\w+),")
ROW_OF_TEXTS = re.compile(r'"[^"\n]*"(?:\s*,\s*"[^"\n]*")+')
ROW_OF_PAIRS = re.compile(r'(?:\{\s*"[^"\n]*"\s*,[^{}]*\}\s*,?\s*)+')
FOLLOW_UP = re.compile(r"\b(?:remove_implied_tests|weigh_columns|price_columns|model_of|committee_of|learn_from_shards)\(")
OF_A_FIT = ("src/beadwork/evidence", "src/beadwork/fit", "src/beadwork/engine")
SCOPE = re.compile(r"^(?:namespace|extern|enum|struct|class|union)\b|^(?:using|typedef)\b")


def blank(text):
    """C++ with its comments and texts emptied, line by line."""
    def emptied(found):
        return ("" if found.group().startswith("/") else '""') + "\n" * found.group().count("\n")
    def lines_only(found):  # a macro's braces close elsewhere
        return "\n" * found.group().count("\n")
    return DIRECTIVE.sub(lines_only, CHARACTERS.sub("' '", RAW_COMMENT_OR_STRING.sub(emptied, text)))


def without_comments(text):
    """Also without the lines that call another program, whose flags are its own."""
    text = RAW_COMMENT_OR_STRING.sub(lambda found: "" if found.group().startswith("/") else found.group(), text)
    return "\n".join(line for line in text.split("\n") if '"rsvg-convert"' not in line)


def functions(code):
    """(name, first line, lines) of each C++ function body; lambdas and classes inside count to what holds them."""
    stack, line, since = [], 1, 0
    for at, letter in enumerate(code):
        if letter == "\n":
            line += 1
        elif letter == "{":
            head = " ".join(code[since:at].split())
            inside = any(entry[0] for entry in stack)
            called = re.search(r"([~\w]+|operator\S+)\s*\((?:[^{}]*)\)\s*(?:const|noexcept|override|final|->[^{};]*|:[^{};]*)*$", head)
            name = called and not SCOPE.match(head) and not inside and called.group(1)
            stack.append((name or None, line))
            since = at + 1
        elif letter == "}":
            if stack:
                name, first = stack.pop()
                if name:
                    yield name, first, line - first + 1
            since = at + 1
        elif letter == ";":
            since = at + 1


def python_functions(text):
    lines = text.split("\n")
    for number, line in enumerate(lines):
        found = re.match(r"( *)(?:async )?def (\w+)", line)
        if found:
            end = number + 1
            while end < len(lines) and (not lines[end].strip() or lines[end].startswith(found.group(1) + " ")
                                        or lines[end].lstrip().startswith(")")):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            yield found.group(2), number + 1, end - number


def types(code):
    """Names, with their namespaces, of the types that a header defines."""
    spaces = []
    for line in code.split("\n"):
        space = re.match(r"(?:inline )?namespace ?([\w:]*) ?\{", line)
        defined = re.match(r"(?:struct|class|enum class|enum|union) (\w+)(?: final)?\s*(?::(?!:)[^;]*)?\{", line)
        if space:
            spaces.append(space.group(1))
        elif line.startswith("}") and not line.startswith("};") and spaces:
            spaces.pop()
        elif defined:
            yield "::".join([*spaces, defined.group(1)])


def option_names(root):
    table = root / "src/beadwork/engine/options.def"
    return set(OPTION.findall(table.read_text())) if table.exists() else set()


def listed_options(text, names):
    """Lists of four options and more: texts with commas between them, pairs that begin with one, or words of one text."""
    for row in ROW_OF_TEXTS.findall(text):
        words = re.findall(r'"([^"\n]*)"', row)
        if len(words) >= 4 and all(word.replace("-", "_") in names for word in words):
            yield words
    for row in ROW_OF_PAIRS.findall(text):
        words = re.findall(r'\{\s*"([^"\n]*)"', row)
        if len(words) >= 4 and all(word.replace("-", "_") in names for word in words):
            yield words
    for line in re.findall(r'"([a-z_ -]*)"', text):
        if len(line.split()) >= 4 and all(word.replace("-", "_") in names for word in line.split()):
            yield line.split()


def faults(root):
    flags, optimal, defined = {}, {}, {}
    options = option_names(root)
    files = [p for folder in ("src", "apps", "python") for kind in ("cpp", "hpp", "py", "def") for p in (root / folder).rglob(f"*.{kind}")]
    for path in sorted(files):
        where = path.relative_to(root).as_posix()
        if where.startswith(("apps/beadcheck/", "python/tests/")):
            continue
        text = path.read_text()
        lines = text.count("\n")
        if lines > MOST_LINES:
            yield f"{where}: more than {MOST_LINES} lines", lines
        code = blank(text) if path.suffix != ".py" else text
        for name, first, length in functions(code) if path.suffix != ".py" else python_functions(text):
            if length > MOST_LINES_OF_FUNCTION:
                yield f"{where}: {name} has more than {MOST_LINES_OF_FUNCTION} lines", f"{length}, from line {first}"
        for name in types(code) if path.suffix == ".hpp" else ():
            if defined.setdefault(name, where) != where:
                yield f"{where}: defines {name} once more", defined[name]
        bare = without_comments(text) if path.suffix != ".py" else text
        if where.startswith("src/") and FLAG.search(bare):
            flags[where] = FLAG.search(bare).group()[1:]
        if CUT.search(blank(text)) and path.suffix != ".py" and not where.startswith(OF_CUTS):
            yield f"{where}: names a test by its cut", CUT.search(text).group()
        if FOLLOW_UP.search(blank(text)) and path.suffix != ".py" and not where.startswith(OF_A_FIT):
            yield f"{where}: makes a model by itself", FOLLOW_UP.search(text).group()
        for words in listed_options(bare, options) if path.suffix != ".def" else ():
            yield f"{where}: lists options", ", ".join(words)
        if OPTIMAL.search(bare):
            optimal[where] = OPTIMAL.search(bare).group()
    for kind, found in (("names a flag", flags), ('compares with "optimal"', optimal)):
        if len(found) > 1:
            for where, example in sorted(found.items()):
                yield f"{where}: {kind}, which one file may do", example


def check(root, allowed):
    """The lines to print: nothing where all holds."""
    found = dict(faults(root))
    return ([f"{fault} ({detail})" for fault, detail in found.items() if fault not in allowed]
            + [f"allowed, but no longer needed: {entry}" for entry in sorted(allowed - set(found))])


def selftest():
    """Plant each kind of fault and see it found, and a clean tree pass."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        layer = root / "src/beadwork/low"
        layer.mkdir(parents=True)
        short = "namespace {\nint one(int a) {\n  return a;  // says \"--depth\" and {\n}\n}  // namespace\n"
        (layer / "a.cpp").write_text(short)
        assert check(root, set()) == [], check(root, set())
        long_function = "int two(const char* s,\n        int b) {\n" + "  b++;\n" * 59 + "  return b;\n}\n"
        plants = {
            "long.hpp": ("int x;\n" * 401, "more than 400 lines"),
            "function.cpp": (long_function, "two has more than 60 lines"),
            "method.cpp": ("struct S {\n  void run() const {\n" + "    x++;\n" * 60 + "  }\n};\n", "run has more than 60 lines"),
        }
        for name, (text, words) in plants.items():
            (layer / name).write_text(text)
            lines = check(root, set())
            assert len(lines) == 1 and words in lines[0], (name, lines)
            assert check(root, {lines[0].rsplit(" (", 1)[0]}) == [], name
            (layer / name).unlink()
        for kind, text in (("flag", 'auto f = "give --depth";\n'), ("optimal", 'bool b = status == "optimal";\n')):
            (layer / "one.cpp").write_text(text)
            assert check(root, set()) == [], kind
            (layer / "two.cpp").write_text(text)
            assert len(check(root, set())) == 2, kind
            (layer / "two.cpp").unlink()
        (layer / "cut.cpp").write_text("Cut f(Feature x) { return {0, x()}; }  // a Cut\n")
        assert ["names a test by its cut" in line for line in check(root, set())] == [True]
        (layer / "cut.cpp").write_text("int f(Feature x) { return x(); }  // a Cut\n")
        assert check(root, set()) == []
        (layer / "cut.cpp").unlink()
        (layer / "fit.cpp").write_text("int f(Outcome o) { return model_of(o); }\n")
        assert ["makes a model by itself" in line for line in check(root, set())] == [True]
        (layer / "fit.cpp").write_text("int f(Outcome o) { return models_of(o); }  // as model_of(o)\n")
        assert check(root, set()) == []
        (layer / "fit.cpp").unlink()
        for name, text in (("one.hpp", "namespace n {\nstruct T {\n};\nint f() {\n}\n}\n"), ("two.hpp", "namespace m {\nclass T {\n};\n}\n")):
            (layer / name).write_text(text)
            assert check(root, set()) == [], name
        (layer / "three.hpp").write_text("namespace n {\nclass T final : U {\n};\n}\n")
        assert ["n::T once more" in line for line in check(root, set())] == [True]
        table = root / "src/beadwork/engine/options.def"
        table.parent.mkdir()
        table.write_text("".join(f'BEADWORK_OPTION(std::optional<double>, {name}, {{}}, 0, 1, x, common, "N", everywhere,\n "help")\n' for name in ("a_b", "c", "d", "e")))
        lists = ('constexpr std::array kTaken = {"a_b", "c",\n  "d", "e"};\n', 'const char* list = "a-b c d e";\n',
                 'const std::pair<const char*, bool> asked[] = {\n  {"a_b", x.y},\n  {"c", f(1)}, {"d", 2}, {"e", false}};\n')
        for text, found in [(text, True) for text in lists] + [('f({"a_b", "c", "d", "other"});\n', False), ('f({"a_b", "c", "d"});\n', False)]:
            (layer / "list.cpp").write_text(text)
            assert any("lists options" in line for line in check(root, {"src/beadwork/low/three.hpp: defines n::T once more"})) == found, text
        (layer / "list.cpp").unlink()
        (root / "python").mkdir()
        (root / "python/a.py").write_text("def f():\n" + "    pass\n" * 60 + "\ndef g():\n    pass\n")
        assert any("f has more than 60 lines" in line for line in check(root, set()))
        assert any("no longer needed: gone" in line for line in check(root, {"gone"}))


if __name__ == "__main__":
    if sys.argv[1:] == ["--selftest"]:
        selftest()
    else:
        lines = check(pathlib.Path(sys.argv[1]), ALLOWED)
        for line in lines:
            print(line)
        sys.exit(bool(lines))
