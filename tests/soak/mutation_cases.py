"""What mutations.py runs: small tables, what the program writes of them, and commands of which a file is spoiled (mutators.py)."""
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys

import mutators

OLD = b"what was here before\n"

EXPORTS = ["text", "dot", "svg", "c", "c-table", "c++", *["python"] * 8, "javascript", "rust", "java", "go", "r", *["sql"] * 8, "dbt", "formula",
           "pmml", "onnx", "sklearn", "verilog", "vhdl", "blif", "aiger", "pla", "dd-json", "dddmp", "json"]


def small_table(rng, kind):
    lines = ["w,size,color,flag,y" if kind == "weights" else "size,color,flag,y"]
    for i in range(20):
        size, color, flag = rng.choice([0.5, 1, 1.5, 2, 2.5, 3, 7]), rng.choice(["red", "green", "blue"]), rng.randrange(2)
        label = "yes" if ((size > 1.5) + flag + (color == "red") >= 2) ^ (rng.random() < 0.15) else "no"
        if kind == "classes" and rng.random() < 0.3:
            label = "perhaps"
        if kind == "reading":
            size, flag = f"{size + 1000:,.2f}".replace(",", " ").replace(".", ",") + " kg", rng.choice([["no", "No"], ["YES", "yes"]][flag])
            color = {"red": "2024-03-01", "green": "2023-02-05", "blue": "2024-12-24"}[color]
        cells = [size, "" if rng.random() < 0.1 else color, flag, label]
        lines.append((";" if kind == "reading" else ",").join(map(str, [rng.choice(["1", "2", "0.5"])] * (kind == "weights") + cells)))
    if kind == "reading":
        lines[0] = lines[0].replace(",", ";")
    return "\n".join(lines) + "\n"


def numbers_table(rng):
    rows = [[rng.randrange(9), rng.choice([0.25, 1.5, 2, 3.75])] for _ in range(16)]
    return "u,v,y\n" + "".join(f"{u},{v if rng.random() < .9 else ''},{'no' if (u > 4) ^ (v > 1.7) else 'yes'}\n" for u, v in rows)


def wide_table(rng, columns=12, rows=40):
    lines = [",".join(f"f{i}" for i in range(columns)) + ",y"]
    return "\n".join(lines + [",".join(str(rng.randrange(2)) for _ in range(columns)) + "," + rng.choice("ab") for _ in range(rows)]) + "\n"


WORLDS = {  # table, options of fit
    "plain": ("plain", []), "require": ("plain", ["--require", "color"]), "nodes": ("plain", ["--max-nodes", "5"]),
    "classes": ("classes", ["-d", "3"]), "numbers": ("numbers", ["--thresholds", "all"]), "weights": ("weights", ["--weight", "w"]),
    "reading": ("reading", []), "committee": ("plain", ["--committee", "2"]), "costs": ("plain", ["--costs", "costs"]),
    "cart": ("plain", ["--engine", "cart"]), "maxsat": ("plain", ["--engine", "maxsat", "-d", "1"]), "passes": ("plain", ["--in-passes"]),
    "stopped": ("wide", ["--time-limit", "0"]), "front": ("plain", ["--node-penalty", "0.5"]), "bins": ("bins", ["--target-bins", "3"]),
    "forbid": ("plain", ["--forbid", "flag", "--require", "size <= 1.25"]), "ordered": ("plain", ["--ordered", "color=red,green,blue"]),
}
COSTS = ",no,yes\nno,0,2\nyes,5,0\n"
STUDY = {"name": "small", "folder": ".", "suffix": ".csv", "sets": ["t"], "depths": [1, 2], "seeds": [1], "folds": 2, "learners": [
    {"name": "exact", "engine": "search", "options": {"bias": "C", "time-limit": 2}}, {"name": "cart", "engine": "cart"}], "tables": [
        {"name": "t", "caption": "a table", "rows": ["dataset", "depth"], "published": "p.csv", "columns": [
            {"title": "train", "learner": "exact", "measure": "train", "published": "a", "digits": 2}, {"title": "c", "learner": "cart", "measure": "test"}]}],
    "figures": [{"name": "f", "caption": "a figure", "kind": "scatter", "series": [
        {"title": "CART", "learner": "cart", "measure": "test"}, {"title": "exact", "learner": "exact", "measure": "test"}]}]}


class Material:
    def __init__(self, beadwork, folder, seed):
        self.beadwork, self.folder, self.files = beadwork, folder, {}
        rng = random.Random(seed)
        tables = {kind: small_table(rng, kind) for kind in ("plain", "classes", "weights", "reading")}
        tables |= {"numbers": numbers_table(rng), "wide": wide_table(rng)}
        tables["bins"] = "a,b,y\n" + "".join(f"{rng.randrange(5)},{rng.randrange(5)},{i * 1.5}\n" for i in range(30))
        self.write("costs", COSTS)
        self.write("labels", "column,value,label\nsize,,the size\ncolor,red,rosy\n")
        self.write("names", "flag\nsize <= 1.25\n")
        for name, text in tables.items():
            self.write(f"{name}.csv", text)
        self.worlds = {}
        for world, (table, options) in WORLDS.items():
            certified = world in ("plain", "classes", "numbers", "weights", "forbid", "reading")
            self.run("fit", f"{table}.csv", *([] if "-d" in options else ["-d", "2"]), *options, "-q", "-o", f"{world}.json",
                     *(["--certificate", f"{world}.cert"] if certified else []))
            self.worlds[world] = f"{table}.csv", options
            if certified:
                values = ["--values"] if world == "numbers" else []
                self.run("binarize", f"{table}.csv", "--like", f"{world}.json", *values, *(options if world == "weights" else []), "-q", "-o", f"{world}.txt")
        self.certified = [world for world in self.worlds if (folder / f"{world}.cert").exists()]
        for name, table, more in (("search", "wide", ["-d", "4"]), ("ordered", "numbers", ["-d", "2", "--thresholds", "all"])):
            fit = ["fit", f"{table}.csv", *more, "-q", "--threads", "1"]
            self.run(*fit, "--checkpoint", f"{name}.state", "--checkpoint-every", "0.000001", "-o", f"{name}.json")
            self.run("fit", str(folder / f"{table}.csv"), *fit[2:], "--plan", "4", "--plan-dir", f"{name}.plan")
            for part in "013":
                self.run("fit", str(folder / f"{table}.csv"), *fit[2:], "--part", part, "--plan-dir", f"{name}.plan")
        self.write("study.json", json.dumps(STUDY, indent=1))
        self.write("t.csv", tables["plain"])
        self.write("p.csv", "dataset,depth,a\nt,1,80.5\nt,2,91\n")
        self.run("study", "study.json", "--data", ".", "-o", "record.jsonl", "-q")
        for i in "01":
            log = subprocess.run([self.check, "plain.txt", "plain.json", "plain.cert", "--range", f"{i}/2"], cwd=folder, capture_output=True, check=True)
            self.write(f"log{i}", log.stdout)
        corpus = pathlib.Path(__file__).resolve().parents[2] / "fuzz/corpus/model"
        self.older = sorted(p.name for p in corpus.iterdir() if not re.fullmatch("[0-9a-f]{12}", p.name))
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                self.files[path.relative_to(folder).as_posix()] = path.read_bytes()
        for name in self.older:
            self.files[f"older/{name}"] = (corpus / name).read_bytes()
        self.models = [name for name in self.files if name.endswith(".json") and name != "study.json"]
        self.documents = [json.loads(self.files[name]) for name in self.models]

    @property
    def check(self):
        return str(pathlib.Path(self.beadwork).parent / "beadcheck")

    def write(self, name, data):
        (self.folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())

    def run(self, *words):
        done = subprocess.run([self.beadwork, *words], cwd=self.folder, capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode not in (0, 4):
            sys.exit(f"{shlex.join(words)}: exit code {done.returncode}: {done.stderr.decode()}")


class Case:
    """Files, a command line and the files that it names as outputs. `spoiled`: which files, and whether with the right checksum."""

    def __init__(self, material, seed, canary, kinds):
        self.material, self.rng, self.canary = material, random.Random(seed), canary
        self.files, self.words, self.outputs, self.spoiled, self.program = {}, [], [], {}, "beadwork"
        self.world, self.options, self.truth = None, [], None
        self.kind = self.rng.choices(kinds, [KINDS[kind] for kind in kinds])[0]
        getattr(self, self.kind)()

    def source(self, name):
        return self.material.files[name]

    def put(self, name, source):
        self.files[name] = self.source(source)

    def spoil(self, name, source, ways=(), json_share=0.0):
        """The file NAME, made of one of the material."""
        rng, data = self.rng, self.source(source)
        other = self.source(rng.choice(sorted(self.material.files)))
        if rng.random() < json_share:
            data = mutators.json_changed(rng, data, self.material.documents, self.canary)
        else:
            for _ in range(rng.choice([1, 1, 1, 2, 4])):
                data = rng.choice([*mutators.BYTES, *ways])(rng, data, other, self.canary)
        seal = rng.random()
        if seal < 0.5:
            data = mutators.sealed(data)
        elif seal < 0.8:
            data = re.sub(rb',?\s*"sha256":\s*"[0-9a-f]{64}"(?=\s*\}\s*$)', b"", data)
        self.files[name] = data
        self.spoiled[name] = data != self.source(source)

    def output(self, name="out"):
        self.outputs.append(name)
        if self.rng.random() < 0.5:
            self.files[name] = OLD
        return name

    def some_model(self, worlds=None):
        """A spoiled model beside its table, which is whole."""
        self.world = self.rng.choice(sorted(worlds or self.material.worlds))
        source = f"{self.world}.json"
        if worlds is None and self.rng.random() < 0.15:
            self.world, source = "plain", "older/" + self.rng.choice(self.material.older)
        parses = self.source(source)[:1] == b"{" and mutators.seal_holds(self.source(source)) is not None
        self.spoil("m.json", source, json_share=0.75 if parses else 0)
        self.put("t.csv", self.material.worlds[self.world][0])

    def model(self):
        self.asked(self.some_model)

    def data(self):
        def make():
            self.world = self.rng.choice(sorted(self.material.worlds))
            self.put("m.json", f"{self.world}.json")
            self.spoil("t.csv", self.material.worlds[self.world][0])
        self.asked(make)

    def asked(self, make):
        """A question to a model: about a table, or none."""
        make()
        rng, weight = self.rng, ["--weight", "w"] if self.world == "weights" else []
        way = rng.choices(["show", "predict", "evaluate", "export", "report", "binarize"], [3, 4, 5, 5, 1, 1] if self.kind == "model" else [0, 4, 5, 1, 1, 1])[0]
        if way == "show":
            shape = rng.choice(["text", "text", "json", "dot", "svg"])
            self.words = ["show", "m.json", "--format", shape]
        elif way == "predict":
            more = rng.choice([[], [], ["--probabilities"], ["--with-columns", "flag"], ["--json"]])
            self.words = ["predict", "m.json", "t.csv", "-q", *more, *(["-o", self.output()] if rng.random() < 0.3 else [])]
        elif way == "evaluate":
            self.words = ["evaluate", "m.json", "t.csv", *weight, *rng.choice([["--json"], ["--json"], []])]
        elif way == "export":
            more = rng.choice([[], [], ["--probabilities"], ["--inputs", "raw"], ["--inputs", "binary"], ["--name", mutators.hostile_text(rng, "x").replace("\0", "")]])
            self.words = ["export", "m.json", "--to", rng.choice(EXPORTS), *more, *(["-o", self.output()] if rng.random() < 0.3 else [])]
        elif way == "report":
            self.words = ["report", "m.json", "t.csv", *weight, "-o", self.output()]
        else:
            self.words = ["binarize", "t.csv", "--like", "m.json", "-q", *weight, *(["-o", self.output()] if rng.random() < 0.5 else [])]

    def certificate(self):
        """beadcheck, or a page with a certificate."""
        rng = self.rng
        self.world = rng.choice(self.material.certified)
        table = self.material.worlds[self.world][0]
        for name, source in (("m.json", f"{self.world}.json"), ("c", f"{self.world}.cert"), ("d.txt", f"{self.world}.txt"), ("t.csv", table)):
            self.put(name, source)
        which = rng.choice(["c", "c", "c", "m.json", "m.json", "both", "d.txt"])
        if which in ("c", "both"):
            self.spoil("c", f"{self.world}.cert")
        if which in ("m.json", "both"):
            self.spoil("m.json", f"{self.world}.json", json_share=0.8)
        if which == "d.txt":
            self.spoil("d.txt", f"{self.world}.txt")
        if which == "d.txt" or rng.random() < 0.6:
            self.program, self.words = "beadcheck", ["d.txt", "m.json", "c", "--limit", "20"]
        else:
            weight = ["--weight", "w"] if self.world == "weights" else []
            self.words = ["report", "m.json", "t.csv", *weight, "--certificate", "c", "-o", self.output()]

    def combine(self):
        self.put("log0", "log0")
        self.spoil("log1", "log1")
        self.program, self.words = "beadcheck", ["--combine", "log0", "log1"]

    def fit(self):
        rng = self.rng
        self.world = rng.choice(["plain", "plain", "classes", "weights", "numbers", "reading", "bins", "passes"])
        self.spoil("t.csv", self.material.worlds[self.world][0])
        depth = rng.choice("0112223")
        table = {"weights": ["--weight", "w"], "bins": ["--target-bins", "3"], "passes": ["--in-passes"]}.get(self.world, [])
        table += rng.choice([[], [], [], ["--thresholds", "all"], ["--thresholds", "quantiles:3"], ["--drop-unlabelled"]])
        more = rng.choice([[], [], [], ["--require", "color"], ["--require", "size", "--require", "color"], ["--forbid", "size"], ["--max-nodes", "4"],
                           ["--require", "flag", "--forbid", "color"], ["--top", "3"], ["--front"], ["--committee", "2"], ["--engine", "enumerate"],
                           ["--engine", "maxsat"], ["--require", "size", "--max-nodes", "5"], ["--size", "auto"], ["--bias", "size"]])
        self.options, self.truth = more, ("fit", depth, table)
        self.words = ["fit", "t.csv", "-d", depth, *table, *more, "-q", "--threads", "1", "--time-limit", "20", "--json", "-o", self.output("out.json")]
        if rng.random() < 0.1:
            self.words += ["--report", self.output("page")]
        if rng.random() < 0.1 and not more:
            self.words += ["--certificate", self.output("cert")]
        if rng.random() < 0.1:
            self.put("u.csv", self.material.worlds[self.world][0])
            self.words[1:2] = ["--shards", "t.csv", "u.csv"]
            self.truth = None

    def aside(self):
        """Files that fit reads beside the table."""
        rng = self.rng
        self.world = "plain"
        self.put("t.csv", "plain.csv")
        option, source = rng.choice([("--costs", "costs"), ("--labels", "labels"), ("--features-from", "names"), ("--test", "plain.csv")])
        self.spoil("aside", source)
        page = ["--report", self.output("page")] if option == "--labels" or rng.random() < 0.2 else []
        self.words = ["fit", "t.csv", "-d", "2", option, "aside", *page, "-q", "--threads", "1", "--json", "-o", self.output("out.json")]

    def state(self):
        rng = self.rng
        name, table, more = rng.choice([("search", "wide", ["-d", "4"]), ("ordered", "numbers", ["-d", "2", "--thresholds", "all"])])
        self.world = name
        self.put("t.csv", f"{table}.csv")
        self.spoil("s", f"{name}.state")
        old = rng.random() < 0.3
        if old:
            self.put("s.old", f"{name}.state.old" if f"{name}.state.old" in self.material.files else f"{name}.state")
        self.words = ["fit", "t.csv", *more, "-q", "--threads", "1", "--time-limit", "20", "--resume", "s", "--json", "-o", self.output("out.json")]
        if rng.random() < 0.5:
            self.words += ["--checkpoint", "s", "--checkpoint-every", rng.choice(["0.000001", "0"])]
            self.outputs += ["s", "s.old"]

    def plan(self):
        rng = self.rng
        name, more = rng.choice([("search", ["-d", "4"]), ("ordered", ["-d", "2", "--thresholds", "all"])])
        self.world = name
        for source in self.material.files:
            if source.startswith(f"{name}.plan/") and not source.endswith("lock"):
                self.put("plan/" + source.split("/")[1], source)
        which = rng.choice(sorted(self.files))
        self.spoil(which, f"{name}.plan/" + which.split("/")[1], ways=[mutators.option_line] * (6 if which == "plan/plan" else 0))
        table = str(self.material.folder / ("wide.csv" if name == "search" else "numbers.csv"))
        way = rng.choice(["part", "merge", "merge", "finish", "slurm"])
        if way == "part":
            self.words = ["fit", table, *more, "-q", "--threads", "1", "--time-limit", "20", "--part", rng.choice("0123"), "--plan-dir", "plan"]
            self.outputs += ["plan/incumbent", *(f"plan/part-0000{i}" for i in range(4))]
        elif way == "slurm":
            self.words = ["slurm", "plan", "-o", self.output()]
        else:
            self.words = ["state", "merge", "plan", "-o", self.output("out.json"), "--json", "-q", "--threads", "1"]
            self.words += ["--finish", "--time-limit", "20"] if way == "finish" else []
            self.words += ["--data", table] if rng.random() < 0.3 else []
            self.words += ["--certificate", self.output("cert")] if rng.random() < 0.3 else []

    def study(self):
        rng = self.rng
        self.put("t.csv", "plain.csv")
        self.put("p.csv", "p.csv")
        self.spoil("study.json", "study.json", json_share=0.8)
        way = rng.choice(["run", "run", "report", "slurm"])
        if way == "run":
            self.words = ["study", "study.json", "--data", ".", "-o", self.outputs.append("r.jsonl") or "r.jsonl", "-q", "--limit", "2"]
        elif way == "slurm":
            self.words = ["study", "slurm", "study.json", "--shards", "2", "--record", "r.jsonl", "-o", self.output()]
        else:
            self.put("record.jsonl", "record.jsonl")
            self.words = ["study", "report", "record.jsonl", "--study", "study.json", "-o", "pages"]
            self.outputs.append("pages/*")

    def record(self):
        self.put("t.csv", "plain.csv")
        self.put("p.csv", "p.csv")
        self.put("study.json", "study.json")
        self.put("a.jsonl", "record.jsonl")
        self.spoil("b.jsonl", "record.jsonl")
        way = self.rng.choice(["report", "merge", "run"])
        if way == "run":
            self.words = ["study", "study.json", "--data", ".", "-o", "b.jsonl", "-q", "--limit", "1"]
            self.outputs.append("b.jsonl")
        elif way == "merge":
            self.words = ["study", "merge", "a.jsonl", "b.jsonl", "-o", self.output("all.jsonl")]
        else:
            self.words = ["study", "report", "b.jsonl", "--study", "study.json", "-o", "pages"]
            self.outputs.append("pages/*")


KINDS = {"model": 36, "data": 9, "certificate": 14, "combine": 1, "fit": 15, "aside": 3, "state": 7, "plan": 9, "study": 4, "record": 2}
