"""What mutations.py looks at after a run: how it ended, what it said, which files are there. mutation_truths.py counts answers again."""
import json
import re

import mutation_truths as truths
import mutators

CODES = {"beadwork": {0, 1, 2, 3, 4, 5}, "beadcheck": {0, 1, 2, 3}}
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029]")


class Limits:
    seconds, wall, memory = 60, 600, 1 << 30



def ending(case, done):
    if done.late:
        yield f"hangs: still there after {Limits.wall} s"
    elif done.code < 0:
        yield f"dies of signal {-done.code}"
    elif done.code not in CODES[case.program]:
        yield f"exit code {done.code}"
    if done.seconds > Limits.seconds:
        yield f"takes {done.seconds:.0f} s"
    if done.memory > Limits.memory:
        yield f"takes {done.memory >> 20} MiB"


def words_of_refusal(case, done):
    if CONTROL.search(done.err.replace("\n", "")):
        yield "control characters on standard error"
    if "\udc80" <= max(done.err, default="") <= "\udcff":
        yield "standard error is no UTF-8"
    lines = done.err.splitlines()
    if any(not line.startswith(f"{case.program}: ") for line in lines):
        yield "a line of standard error that does not begin with the program's name"
    if done.code in (1, 2, 70) and case.program == "beadwork":
        errors = [line for line in lines if not re.match(r"beadwork: (warning: |with option )", line)]
        if not errors or "-q" in case.words and len(errors) > 1:  # without -q, notes about the table come first
            yield f"a refusal of {len(errors)} lines"
        if any(len(line) > 1500 for line in lines):
            yield "a refusal of more than 1500 characters"
    if case.program == "beadcheck" and (lines or done.out.count("\n") != 1) and done.code in (1, 3):
        yield "a rejection that is not one line"


def files(case, done):
    may = {f"case/{name}" for name in case.outputs}
    refused = done.code in (1, 2, 3, 5, 70)
    answered = case.kind == "aside"  # and the model stays where only test rows or names for the page cannot be read
    for name in sorted(done.before.keys() | done.after.keys()):
        if done.before.get(name) == done.after.get(name):
            continue
        named = name in may or any(one.endswith("/*") and name.startswith(one[:-1]) for one in may)
        what = "loses" if name not in done.after else "changes" if name in done.before else "writes"
        if not named:
            yield f"{what} a canary" if name.endswith("canary") else f"{what} {re.sub('[0-9A-Za-z]{6}$', '', name)}, which nobody named"
        elif refused and not answered and case.kind not in ("study", "record", "plan") and name not in ("case/s", "case/s.old"):
            yield f"{what} {name}, and refuses"


def strict(text):
    def none(word):
        raise ValueError(word)
    return json.loads(text, parse_constant=none)


def form(case, done):
    """What is printed is what it is called."""
    if done.code not in (0, 4):
        return
    words = case.words
    if "--json" in words and (words[0], "-o") != ("predict", words[-2]) or words[0] == "show" and "json" in words:
        try:
            strict(done.out)
        except ValueError as error:
            yield f"standard output is no JSON: {re.sub(r'[0-9]+', 'N', str(error))}"
    if words[0] in ("show", "evaluate", "fit") and not {"svg", "json", "dot", "--json"} & set(words) and CONTROL.search(done.out.replace("\n", "")):
        yield "control characters on standard output"


def checksums(case, done):
    """A model whose checksum is wrong is refused."""
    for name, spoiled in case.spoiled.items():
        if spoiled and name == "m.json" and case.program == "beadwork" and mutators.seal_holds(case.files[name]) is False and done.code == 0:
            yield "a model with a wrong checksum is taken"
        body, _, seal = case.files[name].rstrip(b"\n").rpartition(b"\nsha256 ")
        if spoiled and case.kind in ("state", "plan") and done.code == 0 and body and mutators.sealed(case.files[name]) != case.files[name]:
            claim = strict(done.out).get("claim", {}) if "--json" in case.words else {}
            if claim.get("resumed") and "s.old" not in case.files:
                yield "a state with a wrong checksum is taken"


CHECKS = [ending, words_of_refusal, files, form, checksums, truths.claims, truths.answers, truths.verified, truths.optimal]


def judged(case, done, material):
    """Findings: what is wrong with a run."""
    found = []
    for check in CHECKS:
        try:
            found += check(case, done) if check.__module__ != "mutation_truths" else check(case, done, material)
        except truths.Undecided:
            pass
    return found
