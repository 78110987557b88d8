"""Exports that packages of PyPI read: dd and CUDD, py-aiger, onnxruntime, scikit-learn, DuckDB. Run by tools/python_env.sh."""
import json
import random
import re
import unittest

import aiger
import dd.autoref
import dd.cudd
import dd.dddmp
import duckdb
import numpy as np
import onnx
import onnxruntime
from sklearn.tree._tree import NODE_DTYPE, Tree

from cases import COMMITTEES, MODELS, case, numeric
from test_exports import BOTH_INPUTS, ExportTest, class_of_outputs, sql_columns

MOST_VECTORS = 3000  # for what answers one vector at a time, in Python; the hostile model has 100,000


def some_vectors(c):
    return c.vectors if len(c.vectors) <= MOST_VECTORS else random.Random(5).sample(c.vectors, MOST_VECTORS)


def input_identifiers(c):
    """Of the features in order, as BLIF lists them; the other circuits have the same."""
    text = c.export("blif", to="names.blif").read_text(encoding="utf-8")
    return re.search(r"^\.inputs((?: \\\n  \w+)*)$", text, re.M)[1].replace("\\", "").split()


def class_of_roots(c, roots):
    return class_of_outputs(c, "".join("01"[bool(r)] for r in roots))


class Diagrams(ExportTest):
    def test_dd_json(self):
        for name in MODELS:
            c = case(name)
            path = c.export("dd-json", to="model.json.dd")
            said = json.loads(path.read_text())
            path = path.rename(c.dir / "dd.json")
            self.assertEqual(said["beadwork"]["classes"], c.model["classes"])
            for package in (dd.autoref, dd.cudd):
                bdd = package.BDD()
                roots = bdd.load(str(path))
                ids = input_identifiers(c) if c.features else []
                self.assertEqual([said["beadwork"]["features"][i] for i in ids], [f["name"] for f in c.features])
                of_vector = {}
                for v in some_vectors(c):
                    values = dict(zip(ids, map(bool, v)))
                    of_vector[v] = class_of_roots(c, [bdd.let(values, u) == bdd.true for u in roots.values()])
                self.agree_on_vectors(c, of_vector, "dd-json")
                del roots

    def test_dddmp_by_dd(self):
        for name in MODELS:
            c = case(name)
            path = c.export("dddmp", to="model.dddmp")
            bdd = dd.dddmp.load(str(path))
            roots = [int(r) for r in re.search(r"^\.rootids (.*)$", path.read_text(encoding="utf-8"), re.M)[1].split()]
            ids = input_identifiers(c)
            of_vector = {v: class_of_roots(c, [bdd.let(dict(zip(ids, map(bool, v or [False]))), u) == 1 for u in roots])
                         for v in some_vectors(c)}
            self.agree_on_vectors(c, of_vector, "dddmp")

    def test_dddmp_by_cudd(self):
        """CUDD's own reader takes files with one root."""
        for name in MODELS:
            c = case(name)
            if len(c.model["classes"]) > 2:
                continue
            path = c.export("dddmp", to="model.dddmp")
            bdd = dd.cudd.BDD()
            ids = input_identifiers(c)
            names = re.search(r"^\.orderedvarnames (.*)$", path.read_text(encoding="utf-8"), re.M)[1].split()
            bdd.declare(*names)
            u, = bdd.load(str(path))
            of_vector = {v: class_of_roots(c, [bdd.let(dict(zip(ids, map(bool, v or [False]))), u) == bdd.true])
                         for v in some_vectors(c)}
            self.agree_on_vectors(c, of_vector, "dddmp by CUDD")
            del u


class Aiger(ExportTest):
    def test_aiger(self):
        for name in MODELS:
            c = case(name)
            text = c.export("aiger", to="model.aag").read_text(encoding="utf-8")
            circuit = aiger.parse(text)
            ids = input_identifiers(c)
            outputs = re.findall(r"^o\d+ (\w+)$", text, re.M)
            of_vector = {}
            for v in some_vectors(c)[:1000]:
                values, _ = circuit({**dict.fromkeys(circuit.inputs, False), **dict(zip(ids, map(bool, v)))})
                of_vector[v] = class_of_roots(c, [values[o] for o in outputs])
            self.agree_on_vectors(c, of_vector, "aiger")


class Onnx(ExportTest):
    def test_onnx(self):
        for name in (*MODELS, *COMMITTEES, "spellings"):
            for inputs in ("raw", "binary") if name in BOTH_INPUTS else ("raw",):
                c = case(name)
                path = c.export("onnx", "--inputs", inputs, to="model.onnx")
                model = onnx.load(str(path))
                onnx.checker.check_model(model, full_check=True)
                about = {p.key: p.value for p in model.metadata_props}
                self.assertEqual(about["inputs"], "raw columns" if inputs == "raw" else "binary features")
                session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
                feed = {}
                if not c.features:
                    feed["x_unused"] = np.zeros((len(c.rows), 1), np.float32)
                elif inputs == "binary":
                    feed["features"] = np.array(c.bits, np.float32)
                else:
                    for i, (given, column) in enumerate(zip(session.get_inputs(), c.columns)):
                        self.assertEqual(about["column " + given.name], column["name"])
                        values = [row[i] for row in c.rows]
                        feed[given.name] = (np.array([[np.nan if v is None else v] for v in values], np.float64)
                                            if numeric(column) else
                                            np.array([["" if v is None else v] for v in values], object))
                labels, scores, chances = session.run(["label", "scores", "probabilities"], feed)
                index = {name: k for k, name in enumerate(c.model["classes"])}
                self.agree(c, [index[label] for label in labels], ("onnx", inputs))
                self.assertTrue((scores.argmax(axis=1) == np.array(c.answers)).all())
                self.assertTrue(np.allclose(chances, [said["probabilities"] for said in c.said], atol=1e-6))


class ScikitLearn(ExportTest):
    def tree(self, c, inputs):
        said = json.loads(c.export("sklearn", *(["--inputs", inputs] if inputs else []), to="tree.json").read_text())
        nodes = np.zeros(said["node_count"], NODE_DTYPE)
        for source, field in (("children_left", "left_child"), ("children_right", "right_child")):
            nodes[field] = said[source]
        for field in ("feature", "threshold", "impurity", "n_node_samples", "weighted_n_node_samples", "missing_go_to_left"):
            nodes[field] = said[field]
        tree = Tree(said["n_features"], np.array(said["n_classes"], np.intp), said["n_outputs"])
        tree.__setstate__({"max_depth": said["max_depth"], "node_count": said["node_count"], "nodes": nodes,
                           "values": np.array(said["value"], np.float64)})
        return said, tree

    def test_tree(self):
        seen = set()
        for name in MODELS:
            c = case(name)
            said, tree = self.tree(c, None)
            raw = said["inputs"].startswith("raw")
            seen.add(raw)
            self.assertEqual(raw, all(numeric(x) for x in c.columns))
            if not c.features:
                table = np.zeros((len(c.rows), 1), np.float32)
            else:
                table = np.array(c.rows if raw else c.bits, np.float64).astype(np.float32)
            got = tree.predict(table).reshape(len(c.rows), -1).argmax(axis=1).tolist()
            if raw and c.features:
                # What must agree: all but a number above a threshold that is the same float32.
                cuts = [(i, f["threshold"]) for f in c.features if f["test"] == "at_most"
                        for i, x in enumerate(c.columns) if c.model["columns"][f["column"]] is x]
                rounds = lambda x, t: x is not None and x > t and np.float32(x) == np.float32(t)
                near = [any(rounds(row[i], t) for i, t in cuts) for row in c.rows]
                self.assertLess(sum(near), len(near) * 0.6)
                got = [a if n else g for g, a, n in zip(got, c.answers, near)]
            self.agree(c, got, "sklearn")
        self.assertEqual(seen, {True, False})

    def test_values_are_shares(self):
        said, tree = self.tree(case("flowers"), "raw")
        self.assertTrue(np.allclose(np.array(said["value"]).sum(axis=2), 1))
        self.assertEqual(said["n_node_samples"][0], 90)


class DuckDb(ExportTest):
    def test_duckdb(self):
        for name in (*MODELS, *COMMITTEES, "spellings"):
            for inputs in ("raw", "binary") if name in BOTH_INPUTS else ("raw",):
                c = case(name)
                text = c.export("sql", "--inputs", inputs, to="model.sql").read_text(encoding="utf-8")
                columns = sql_columns(c, inputs, text)
                db = duckdb.connect()
                db.execute("CREATE TABLE t (id INTEGER" + "".join(f", {n} {k}" for n, k in columns) + ")")
                rows = c.rows if inputs == "raw" else c.bits
                arrays = {"id": np.arange(len(rows))}
                for i, (_, kind) in enumerate(columns):
                    values = [row[i] for row in rows]
                    arrays[f"c{i}"] = (np.array(values, object) if kind == "VARCHAR" else
                                       np.ma.masked_invalid(np.array([np.nan if v is None else v for v in values], np.float64)))
                source = arrays  # DuckDB finds it by its name
                db.execute("INSERT INTO t SELECT * FROM source")
                index = {name: k for k, name in enumerate(c.model["classes"])}
                got = [index[label] for label, in db.execute(f"SELECT ({text}) FROM t ORDER BY id").fetchall()]
                self.agree(c, got, ("duckdb", inputs))
                self.assertTrue(source)


if __name__ == "__main__":
    unittest.main()
