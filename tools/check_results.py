#!/usr/bin/env python3
"""Are the figures of docs/results.md those of the records? check_results.py [--write]

docs/results.md is made from tools/results/page.md, in which {{...}} is an expression over tools/results/figures.py, computed from
studies/records and studies/published. A block "<!-- figures: EXPRESSION -->" to "<!-- end of figures -->" in another page of docs/ is
made the same way; ELSEWHERE lists sentences of further pages. --write writes them; without it, what differs is a fault.

A figure in page.md that is neither computed nor of a kind that is none of ours (a depth, a share, the protocol) is a fault as well.
Sections in BY_HAND have remarks by hand, below tables that are computed.
"""
import difflib
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools" / "results"))
import figures  # noqa: E402: of the tree

PAGE = ROOT / "tools" / "results" / "page.md"
EXPRESSION = re.compile(r"\{\{(.*?)\}\}", re.S)
BLOCK = re.compile(r"(<!-- figures: (.*?) -->\n\n).*?(\n\n<!-- end of figures -->)", re.S)
BY_HAND = ("Against rivals", "Which thresholds")
WIDTH = 135
# What other pages say of the same records.
ELSEWHERE = {"README.md": ["| optimal diagram | {{means_row('exact', 'exact-N')}} |", "| CART | {{means_row('exact', 'cart')}} |",
                           "{{all_proven('exact', 'exact-N')}} fits", "Its solver proved {{f'{published_proven()[0]:.0f}'}} % of them"]}

# Numbers that no record gives: names, shares of the published tables, the published protocol, how many folds a study has.
NONE_OF_OURS = [
    r"splice-1", r"Tables? \d(?:(?:, \d)* and \d)?", r"Tables\s+3 and 4", r"H = \d(?:(?:, \d)* (?:and|to) \d|, \d, \d)?", r"at \d and \d by", r"at \d by",
    r"depths? \d(?: and \d| to \d|, \d and \d)?", r"at 4, 5 and 6", r"MaxSAT-BDD \d", r"bdd\d", r"BDD\d", r"10\^4", r"2\^H - 1",
    r"\d+ hours?, 44 minutes and 4\.6 hours were published", r"20 hours", r"15 minutes(?: for the formula and 15 for solving)?", r"15;? 15 minutes",
    r"x\s+10\^4", r"25 folds", r"the 15 sets", r"15 sets", r"29 tables", r"60 of 75 cells", r"all 75 cells", r"375 runs", r"more than 0\.5 points",
    r"within 0\.5 of", r"within 1 point", r"\b0\.\d\d\b", r"Seeds 11 to 15", r"\| \| 2 \| 3 \| 4 \| 5 \| 6 \|", r"and for solving 15"]


def computed(expression):
    try:
        return str(eval(expression, dict(vars(figures))))  # of this tree
    except Exception as fault:
        raise SystemExit(f"check_results: {{{{{expression}}}}}: {fault!r}") from fault


def wrapped(text):
    """Paragraphs and items of lists in lines of one width; a dash between blanks never begins a line."""
    out = []
    for block in re.split(r"(\n{2,}|(?<=\n)(?=- ))", text):
        first = block.lstrip("\n")[:1]
        if not first or first in "|#!`<" or "\n```" in block:
            out.append(block)
            continue
        end = "\n" if block.endswith("\n") else ""
        words = " ".join(block.split()).replace(" - ", "\0-\0")
        if block.startswith("- "):
            words = block[:2] + words[2:].lstrip()
        lines = textwrap.fill(words, WIDTH, break_long_words=False, break_on_hyphens=False, subsequent_indent="  " if first == "-" else "")
        out.append(lines.replace("\0", " ") + end)
    return "".join(out)


def strays(page):
    """Numbers of the page that are neither computed nor known to be none of ours."""
    for section in re.split(r"(?m)^## ", page):
        title = section.split("\n", 1)[0]
        if title in BY_HAND:
            continue
        text = EXPRESSION.sub(" ", section)
        text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", " ", text, flags=re.S)
        text = " ".join(text.split())
        for kind in NONE_OF_OURS:
            text = re.sub(kind, " ", text)
        for found in re.finditer(r"(?<![\w.])\d[\d.,]*", text):
            yield f"{title}: '{found[0]}' in '{text[max(0, found.start() - 40):found.end() + 30]}' is computed by nothing"


def made_anew(path):
    if path == ROOT / "docs" / "results.md":
        return wrapped(EXPRESSION.sub(lambda m: computed(m[1]), PAGE.read_text(encoding="utf-8")))
    return BLOCK.sub(lambda m: m[1] + computed(m[2]) + m[3], path.read_text(encoding="utf-8"))


def main():
    faults = list(strays(PAGE.read_text(encoding="utf-8")))
    for name, sentences in ELSEWHERE.items():
        words = " ".join((ROOT / name).read_text(encoding="utf-8").split())
        faults += [f"{name}: '{s}' is not there" for s in (EXPRESSION.sub(lambda m: computed(m[1]), x) for x in sentences) if s not in words]
    for path in sorted((ROOT / "docs").rglob("*.md")):
        is_text = path.read_text(encoding="utf-8")
        if path.name != "results.md" and "<!-- figures:" not in is_text:
            continue
        anew = made_anew(path)
        if anew == is_text:
            continue
        if "--write" in sys.argv[1:]:
            path.write_text(anew, encoding="utf-8")
            continue
        difference = list(difflib.unified_diff(is_text.splitlines(), anew.splitlines(), str(path.relative_to(ROOT)), "the records", n=0, lineterm=""))
        faults.append("\n".join(difference[:40]) + "\ncheck_results: tools/check_results.py --write makes it anew")
    print("\n".join(faults) if faults else "check_results: the pages say what the records say")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
