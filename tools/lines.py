#!/usr/bin/env python3
"""Lines of code by layer: neither blank nor comment alone; docstrings count.  lines.py [FOLDER] [--total]

What is counted: .cpp and .hpp of src and apps, .py and .cpp and .hpp of the Python package; stubs and tests are not.
"""
import collections
import io
import pathlib
import sys
import tokenize

HERE = pathlib.Path(__file__).resolve().parent


def code_lines_of_cpp(text):
    """Lines that have something besides blanks and comments. A string may hold // and a raw string line ends."""
    lines, i, line, n = set(), 0, 1, len(text)

    def end_of_string(start):
        quote, at = text[start], start + 1
        while at < n and text[at] != quote and text[at] != "\n":
            at += 2 if text[at] == "\\" else 1
        return min(at + 1, n)

    while i < n:
        end = i + 1
        if text[i] == "\n":
            line += 1
        elif text.startswith("//", i):
            end = text.find("\n", i)
            end = n if end < 0 else end
        elif text.startswith("/*", i):
            end = text.find("*/", i)
            end = n if end < 0 else end + 2
            line += text.count("\n", i, end)
        elif text.startswith('R"', i) and (i == 0 or not (text[i - 1].isalnum() or text[i - 1] == "_")):
            close = ")" + text[i + 2 : text.index("(", i)] + '"'
            end = text.index(close, i) + len(close)
            here = text.count("\n", i, end)
            lines.update(line + k for k, part in enumerate(text[i:end].split("\n")) if part.strip())
            line += here
        elif text[i] == '"' or text[i] == "'" and not (i > 0 and text[i - 1].isalnum()):
            lines.add(line)
            end = end_of_string(i)
        elif not text[i].isspace():
            lines.add(line)
        i = end
    return len(lines)


def code_lines_of_python(text):
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.ENCODING}
    lines, source = set(), text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in skipped:
            lines.update(k for k in range(token.start[0], token.end[0] + 1) if source[k - 1].strip())
    return len(lines)


def layer_of(path):
    parts = path.parts
    if parts[0] == "src":
        return path.stem if len(parts) == 3 else parts[2]
    return "/".join(parts[:2])


def count(root):
    by_layer = collections.Counter()
    for folder in ("src", "apps", "python/beadwork", "python/src"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".hpp", ".py"):
                text = path.read_text(encoding="utf-8")
                lines = code_lines_of_python(text) if path.suffix == ".py" else code_lines_of_cpp(text)
                by_layer[layer_of(path.relative_to(root))] += lines
    return by_layer


def main(arguments):
    folders = [a for a in arguments if not a.startswith("-")]
    by_layer = count(pathlib.Path(folders[0]) if folders else HERE.parent)
    if "--total" not in arguments:
        for layer, lines in sorted(by_layer.items()):
            print(f"{lines:7,}  {layer}")
    print(f"{sum(by_layer.values()):7,}  in all")


if __name__ == "__main__":
    main(sys.argv[1:])
