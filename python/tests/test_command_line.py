"""The same data and options give the same model file as the command line, but for the hash of the file."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from beadwork import BDDClassifier, BDDCommittee, MinDepthBDD

from conftest import lacking


def model_file(command, table, tmp_path, *flags):
    path, out = tmp_path / "table.csv", tmp_path / "model.json"
    table.to_csv(path, index=False)
    run = subprocess.run([command, "fit", str(path), "-o", str(out), *flags], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return out.read_text()


def told(text):
    """What a model file says, but for the hash of the file: a frame comes from none."""
    model = json.loads(text)
    model["training"].pop("file_sha256", None)
    del model["sha256"]
    return model


def mixed(rows=200):
    rng = np.random.default_rng(5)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 90, rows),
            "income": np.where(rng.random(rows) < 0.1, np.nan, rng.normal(3000, 900, rows).round(2)),
            "colour": rng.choice(["red", "green", "blue"], rows),
            "smoker": rng.integers(0, 2, rows),
            "town": pd.Series(rng.choice(["Ulm", "Bonn"], rows)).where(rng.random(rows) > 0.1, None),
        }
    )
    table["risk"] = np.where((table.age > 50) & (table.colour == "red") | (rng.random(rows) < 0.1), "high", "low")
    return table


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("thresholds", ["auto", "quantiles:8", "mdlp"])
def test_numbers(command, tmp_path, load, thresholds):
    X, y = load(return_X_y=True, as_frame=True)
    expected = model_file(command, X.assign(target=y), tmp_path, "--depth", "2", "--thresholds", thresholds)
    assert told(BDDClassifier(2, thresholds=thresholds).fit(X, y).to_json()) == told(expected)


def test_mixed_columns_in_frames_of_every_kind(command, tmp_path):
    polars = pytest.importorskip("polars")
    table = mixed()
    expected = model_file(command, table, tmp_path, "--depth", "3")
    X, y = table.drop(columns="risk"), table.risk
    frames = [X, X.convert_dtypes(), X.astype({"colour": "category", "town": "category"})]
    frames.append(polars.DataFrame({c: [None if pd.isna(v) else v for v in X[c]] for c in X}))
    for frame in frames:
        model = BDDClassifier(3).fit(frame, y)
        assert told(model.to_json()) == told(expected)
        assert (model.predict(frame) == BDDClassifier.from_json(expected).predict(X)).all()


@pytest.mark.parametrize("bias", ["P", "N", "size"])
def test_biases(command, tmp_path, bias):
    table = mixed(60)
    expected = model_file(command, table, tmp_path, "--depth", "4", "--bias", bias)
    assert told(BDDClassifier(4, bias=bias).fit(table.drop(columns="risk"), table.risk).to_json()) == told(expected)


def of_the_model(text):
    """A model file without how the table's file was read."""
    file = told(text)
    return {key: file[key] for key in file if key != "reading"}


@pytest.mark.parametrize("weights", [[0.5, 1, 2.25, 1], [1 / 3, 1, np.pi, 0.7]])
def test_weights(command, tmp_path, weights):
    table = mixed().assign(w=np.tile(weights, 50))
    expected = model_file(command, table[[*table.columns[:5], "w", "risk"]], tmp_path, "--weight", "w", "--depth", "2")
    model = BDDClassifier(2).fit(table.iloc[:, :5], table.risk, sample_weight=table.w)
    assert of_the_model(model.to_json()) == of_the_model(expected)
    assert (model.rounding_ > 0) == (json.loads(expected)["claim"]["rounding"] > 0) == (weights[0] != 0.5)


def test_texts_are_read_alike(command, tmp_path):
    days = pd.date_range("2024-01-01", periods=150).strftime("%d.%m.%Y")
    price = [f"{1.5 * i:.2f}".replace(".", ",") for i in range(149)]
    table = pd.DataFrame({"opened": days, "price": [*price, "-"], "risk": ["low", "high", "high"] * 50})
    table["kind"] = [f"k{i % 70}" for i in range(150)]
    table = table[["opened", "price", "kind", "risk"]]
    expected = model_file(command, table, tmp_path, "--depth", "2")
    model = BDDClassifier(2).fit(table.drop(columns="risk"), table.risk)
    assert of_the_model(model.to_json()) == of_the_model(expected)
    assert BDDClassifier.from_json(expected).predict(table).tolist() == model.predict(table.drop(columns="risk")).tolist()


@pytest.mark.parametrize("depth", [2, 3])
def test_the_papers_sets(command, paper_sets, tmp_path, depth):
    for path in paper_sets.values():
        rows = np.loadtxt(path, dtype=np.int64)
        X = pd.DataFrame(rows[:, 1:], columns=[f"f{i}" for i in range(1, rows.shape[1])])
        model = BDDClassifier(depth).fit(X, pd.Series(rows[:, 0], name="class"))
        out = tmp_path / "model.json"
        run = subprocess.run([command, "fit", str(path), "--depth", str(depth), "-o", str(out)], capture_output=True)
        assert run.returncode == 0
        assert told(model.to_json()) == told(out.read_text()), path.stem


def test_predictions_of_the_command_line(command, tmp_path):
    table = mixed()
    model = BDDClassifier(3).fit(table.drop(columns="risk"), table.risk)
    model.to_json(tmp_path / "model.json")
    table.to_csv(tmp_path / "rows.csv", index=False)
    out = tmp_path / "out.csv"
    run = [command, "predict", str(tmp_path / "model.json"), str(tmp_path / "rows.csv"), "-o", str(out)]
    assert subprocess.run(run, capture_output=True).returncode == 0
    written = pd.read_csv(out)
    named = [c for c in written.columns if set(written[c].astype(str)) <= {"high", "low"}]
    assert any((written[c] == model.predict(table.drop(columns="risk"))).all() for c in named)


def test_certificates_hold(command, tmp_path, bits):
    checker = Path(command).parent / "beadcheck"
    if not checker.exists():
        lacking("beadcheck is not built")
    X, y = bits
    table = pd.DataFrame(X).astype(str).agg(" ".join, axis=1)
    (tmp_path / "rows.txt").write_text("".join(f"{k} {row}\n" for k, row in zip(y, table)))
    model = BDDClassifier(3, certificate=True).fit(X, y)
    (tmp_path / "certificate").write_text(model.certificate_)
    model.to_json(tmp_path / "model.json")
    run = [str(checker), *(str(tmp_path / name) for name in ("rows.txt", "model.json", "certificate"))]
    checked = subprocess.run(run, capture_output=True, text=True)
    assert model.optimal_ and checked.returncode == 0 and "VERIFIED" in checked.stdout, checked.stdout


def test_certificates_over_all_thresholds_hold(command, tmp_path):
    checker = Path(command).parent / "beadcheck"
    if not checker.exists():
        lacking("beadcheck is not built")
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a": rng.normal(size=150), "b": rng.integers(0, 40, 150).astype(float)})
    y = np.where((X.a > 0.3) != (X.b <= 17), "yes", "no")
    y[:9] = "no"
    X.loc[5:9, "b"] = np.nan
    model = BDDClassifier(2, thresholds="all", certificate=True).fit(X, y)
    (tmp_path / "certificate").write_text(model.certificate_)
    model.to_json(tmp_path / "model.json")
    X.assign(label=y).to_csv(tmp_path / "rows.csv", index=False)
    rows = subprocess.run([command, "binarize", str(tmp_path / "rows.csv"), "--values", "-q"], capture_output=True, text=True)
    (tmp_path / "rows.txt").write_text(rows.stdout)
    run = [str(checker), *(str(tmp_path / name) for name in ("rows.txt", "model.json", "certificate"))]
    checked = subprocess.run(run, capture_output=True, text=True)
    assert model.certificate_.startswith("beadwork-certificate 2\n")
    assert model.optimal_ and checked.returncode == 0 and checked.stdout.startswith("VERIFIED\n"), checked.stdout


def random_frame(rng):
    """Numbers, words and flags, some with gaps; a class that leans on the first two."""
    rows = int(rng.integers(20, 150))
    X = pd.DataFrame({"a": rng.normal(0, 3, rows).round(1), "b": rng.choice(list("uvwx"), rows), "c": rng.integers(0, 2, rows)})
    X["d"] = np.where(rng.random(rows) < 0.1, np.nan, rng.integers(0, 9, rows))
    lean = (X.a > 0.5) ^ (X.b == "u")
    y = pd.Series(np.where(rng.random(rows) < 0.2, rng.choice(list("pqr"), rows), np.where(lean, "p", "q")), name="class")
    return X, y


@pytest.mark.parametrize("seed", range(8))
def test_a_depth_chosen_by_folds(command, tmp_path, seed):
    rng = np.random.default_rng(seed)
    X, y = random_frame(rng)
    first, last = sorted(rng.integers(0, 4, 2).tolist())
    weight = None if seed % 2 == 0 else rng.integers(1, 4, len(y))
    rule = ("auto", "all", "quantiles:4", "auto")[seed % 4]
    table, flags = X.assign(**{"class": y}), ["--depth", f"cv:{first}..{last}", "--thresholds", rule, "--seed", str(seed), "--json"]
    if weight is not None:
        table["w"] = weight
        flags += ["--weight", "w"]
    path, out = tmp_path / "table.csv", tmp_path / "model.json"
    table.to_csv(path, index=False)
    run = subprocess.run([command, "fit", str(path), "-o", str(out), "--target", "class", *flags], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    choice, expected = json.loads(run.stdout)["size_choice"], told(out.read_text())
    expected.pop("reading", None)  # the column of weights, which a frame does not have
    common = {"thresholds": rule, "random_state": seed, "time_limit": None}
    asked = [
        BDDClassifier("cv", depths=range(last, first - 1, -1), **common),
        BDDClassifier(f"cv:{first}..{last}", n_jobs=2, **common),
        BDDClassifier(options={"depth": f"cv:{first}..{last}"}, **common),
    ]
    for model in asked:
        model.fit(X, y, sample_weight=weight)
        got = told(model.to_json())
        assert json.dumps(got, sort_keys=True) == json.dumps(expected, sort_keys=True)
        assert model.depth_ == choice["chosen"]["depth"]
        assert model.cv_results_["mean_test_score"].tolist() == [point["mean"] for point in choice["curve"]]
    if weight is not None:  # rows of weight 0 are none, also where others have made the folds
        X, y, weight = (pd.concat([part, part[:5]], ignore_index=True) for part in (X, y, pd.Series(weight)))
        weight[-5:] = 0
        folds = [(np.r_[0:10, len(y) - 3 : len(y)], np.arange(10, len(y))), (np.arange(10, len(y)), np.arange(10))]
        one = BDDClassifier("cv", depths=(1, 2), cv=folds, **common).fit(X, y, sample_weight=weight)
        kept = [(train[train < len(y) - 5], test[test < len(y) - 5]) for train, test in folds]
        two = BDDClassifier("cv", depths=(1, 2), cv=kept, **common).fit(X[:-5], y[:-5], sample_weight=weight[:-5])
        assert one.to_json() == two.to_json()
        assert (one.cv_results_["mean_test_score"] == two.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("seed", range(8))
def test_the_least_depth(command, tmp_path, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 2, (int(rng.integers(5, 30)), 8)), columns=list("abcdefgh"))
    y = pd.Series(np.where(X.a ^ X.c, "p", "q") if seed % 2 else rng.choice(["p", "q"], len(X)), name="class")
    y[0], y[1] = "p", "q"
    X = X[~X.duplicated()]
    y = y[X.index]
    path = tmp_path / "table.csv"
    X.assign(**{"class": y}).to_csv(path, index=False)
    run = subprocess.run([command, "min-depth", str(path), "--engine", "search", "--json"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    least = json.loads(run.stdout)["depth"]
    model = MinDepthBDD(8, random_state=seed).fit(X, y)
    assert (model.least_depth_, model.depth_lower_bound_, model.optimal_) == (least, least, True)
    expected = model_file(command, X.assign(**{"class": y}), tmp_path, "--depth", str(least), "--seed", str(seed))
    assert told(model.to_json()) == told(expected)
    if least > 0:
        short = MinDepthBDD(least - 1, random_state=seed).fit(X, y)
        assert (short.least_depth_, short.depth_lower_bound_, short.optimal_) == (None, least, True)


def test_depths_that_are_refused():
    X, y = np.array([[0], [1]] * 10), [0, 1] * 10
    for model, words in (
        (BDDClassifier("cv", depths=(1, 3)), "depths: expected whole numbers without a gap"),
        (BDDClassifier(2, options={"depth": 3}), "depth: given twice"),
        (MinDepthBDD(options={"depth": 3}), "options: 'depth' is not taken here; give the parameter max_depth"),
        (BDDCommittee(options={"depth": "cv:1..3"}), "options: 'depth' is not taken here"),
    ):
        with pytest.raises(ValueError, match=words):
            model.fit(X, y)
