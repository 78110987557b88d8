"""The same data and options give the same model file as the command line, but for the hash of the file."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from beadwork import BDDClassifier

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
