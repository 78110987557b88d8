"""The report page carries what the command line's carries."""

from __future__ import annotations

import datetime
import json
import pickle
import re
import subprocess

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from test_command_line import mixed

import beadwork
from beadwork import BDDClassifier, MaxSATTreeClassifier, html_report


def island(page):
    """What the page carries, and the rest of it."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script', page, re.S)
    return json.loads(found.group(1)), page[: found.start(1)] + page[found.end(1) :]


def page_of_command(command, model, folder, rows=None, test=None, *flags):
    model.to_json(folder / "model.json")
    run = [command, "report", str(folder / "model.json")]
    if rows is not None:
        rows.to_csv(folder / "rows.csv", index=False)
        run.append(str(folder / "rows.csv"))
    if test is not None:
        test.to_csv(folder / "test.csv", index=False)
        run += ["--test", str(folder / "test.csv")]
    done = subprocess.run([*run, *flags], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def from_file(model):
    """The same estimator with a model that was read, as the command line reads it: what it says is claimed."""
    return pickle.loads(pickle.dumps(model))


def same(page, expected):
    """Byte for byte, but for the names of files and the command."""
    ours, around = island(page)
    theirs, around_theirs = island(expected)
    assert around == around_theirs
    for data in (ours, theirs):
        data["history"].pop("command")
        for rows in data["rows"]:
            rows.pop("name")
    assert json.dumps(ours) == json.dumps(theirs)
    return ours


def test_mixed_columns_with_missing_values(command, tmp_path):
    table, test = mixed(), mixed(300)[200:].assign(colour="mauve")
    X, y = table.drop(columns="risk"), table.risk
    model = BDDClassifier(3).fit(X, y)
    proven = html_report(model)
    assert " rows), optimal." in proven and not model.claim_.startswith("claimed")
    model = from_file(model)
    assert model.claim_.startswith("claimed") and " rows), claimed optimal." in html_report(model)
    data = same(html_report(model), page_of_command(command, model, tmp_path))
    assert data["rows"][0]["shown"] == 0
    page = html_report(model, X, y, test.drop(columns="risk"), test.risk, tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page
    data = same(page, page_of_command(command, model, tmp_path, table, test))
    assert [rows["role"] for rows in data["rows"]] == ["training", "test"]
    assert data["rows"][0]["evaluation"]["errors"] == model.upper_bound_
    assert [b["name"] for b in data["rows"][0]["baselines"]] == ["always low", "CART"]
    assert data["rows"][1]["unseen"] == [["colour", 100]]
    categories = X.astype({"colour": "category", "town": "category"})
    assert html_report(model, categories, y) == html_report(model, X, y)


def without_times(value):
    """The same without the seconds that things took."""
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in ("time_s", "seconds")}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def without_file(value):
    """The same without the hash of the table's file, which a frame does not have, and the checksums that cover it."""
    if isinstance(value, dict):
        return {k: without_file(v) for k, v in value.items()}
    if isinstance(value, list):
        return [without_file(v) for v in value]
    return re.sub(r',"file_sha256":"[0-9a-f]{64}"|"sha256": "[0-9a-f]{64}"', "", value) if isinstance(value, str) else value


@pytest.mark.parametrize("thresholds", ["quantiles:8", "all"])
def test_what_the_fit_found_beside_the_model(command, tmp_path, thresholds):
    table, test = mixed(), mixed(300)[200:]
    X, y = table.drop(columns="risk"), table.risk
    options = {"within": 8, "front": True, "prices": True}
    model = BDDClassifier(3, thresholds=thresholds, options=options).fit(X, y)
    ours = island(html_report(model, X, y, test.drop(columns="risk"), test.risk))[0]
    table.to_csv(tmp_path / "table.csv", index=False)
    test.to_csv(tmp_path / "test.csv", index=False)
    flags = ["--depth", "3", "--within", "8", "--front", "--prices", "--thresholds", thresholds, "--target", "risk", "-q"]
    files = ["--report", str(tmp_path / "page.html"), "--test", str(tmp_path / "test.csv")]
    done = subprocess.run([command, "fit", str(tmp_path / "table.csv"), *flags, *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    theirs = island((tmp_path / "page.html").read_text())[0]
    assert len(ours["alternatives"]["models"]) > 5
    assert {m["kind"] for m in ours["alternatives"]["models"]} == {"near", "front"}
    assert without_file(ours["alternatives"]) == without_file(theirs["alternatives"])
    for key in ("front", "columns", "near_sets"):
        assert without_times(ours["history"]["outcome"][key]) == without_times(theirs["history"]["outcome"][key])
    assert ours["history"]["bounds"][-1][1:] == theirs["history"]["bounds"][-1][1:] == [model.lower_bound_, model.upper_bound_]
    # Each is a model file of its own.
    texts = ours["alternatives"]["texts"]
    for one in ours["alternatives"]["models"][::3]:
        other = BDDClassifier.from_json("\n".join(texts[i] for i in one["model"]))
        assert np.sum(other.predict(X) != y) == one["amount"] == one["on"][0]["evaluation"]["errors"]
        assert np.sum(other.predict(test.drop(columns="risk")) != test.risk) == one["on"][1]["evaluation"]["errors"]
    # A pickle has the model alone.
    assert "alternatives" not in island(html_report(from_file(model), X, y))[0]


def test_a_smaller_diagram_than_the_best_set_has(tmp_path):
    table = mixed()
    X, y = table.drop(columns="risk"), table.risk
    model = BDDClassifier(3, min_weight_fraction_leaf=0.2, options={"within": 4}).fit(X, y)
    best = BDDClassifier(3).fit(X, y)
    data = island(html_report(model, X, y))[0]
    assert model.upper_bound_ > best.upper_bound_, "leaving out branches costs something here"
    for one in data["alternatives"]["models"]:
        above = one["amount"] - best.upper_bound_
        assert 0 <= above <= 4
        assert one["optimal"] == (above == 0)


def test_several_classes_and_other_rows(command, tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = from_file(BDDClassifier(2).fit(X[::2], y[::2]))
    with pytest.warns(UserWarning, match="not the rows"):
        page = html_report(model, X[1::2], y[1::2])
    data = same(page, page_of_command(command, model, tmp_path, X[1::2].assign(target=y[1::2])))
    assert [rows["role"] for rows in data["rows"]] == ["training", "other"]
    assert np.sum(data["rows"][1]["evaluation"]["confusion"]) == 75


def test_trees_of_another_engine(command, tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    X, y = X[y < 2], y[y < 2]
    model = from_file(MaxSATTreeClassifier(1).fit(X, y))
    data = same(html_report(model, X, y), page_of_command(command, model, tmp_path, X.assign(target=y)))
    assert "no decision tree of depth 1" in data["history"]["claim"]


def test_weights(command, tmp_path):
    table = mixed().assign(weight=np.tile([0.5, 1, 2.25, 0], 50))
    X, y = table.iloc[:, :5], table.risk
    model = from_file(BDDClassifier(2).fit(X, y, sample_weight=table.weight))
    page = html_report(model, X, y, sample_weight=table.weight)
    kept = table[table.weight > 0][[*X.columns, "weight", "risk"]]
    data = same(page, page_of_command(command, model, tmp_path, kept, None, "--weight", "weight"))
    assert data["rows"][0]["evaluation"]["errors"] == model.upper_bound_
    with pytest.warns(UserWarning, match="the weights differ"):
        html_report(model, X, y)
    balanced = BDDClassifier(2, class_weight="balanced").fit(X, y)
    rows = island(html_report(balanced, X, y))[0]["rows"][0]
    assert rows["role"] == "training" and rows["evaluation"]["errors"] == pytest.approx(balanced.upper_bound_)


def test_arrays_and_text_classes():
    X, y = load_iris(return_X_y=True)
    names = np.array(["9", "10", "iris-β <b>"])[y]
    model = BDDClassifier(3).fit(X, names)
    page = html_report(model, X, names)
    data = island(page)[0]
    assert data["rows"][0]["role"] == "training" and data["history"]["command"] == "BDDClassifier(depth=3).fit(X, y)"
    assert "<b>" not in page.split('id="data">')[1].split("</script")[0]
    assert json.loads(data["texts"]["model"]) == json.loads(model.to_json())


def test_models_from_files(command, tmp_path):
    table = mixed()
    model = BDDClassifier.from_json(BDDClassifier(2, thresholds=3).fit(table.drop(columns="risk"), table.risk).to_json())
    data = same(html_report(model, table, table.risk), page_of_command(command, model, tmp_path, table))
    assert data["rows"][0]["role"] == "training"
    assert island(html_report(model))[0]["history"]["command"] == "BDDClassifier(depth=2, thresholds='quantiles:3').fit(X, y)"


def test_what_is_refused():
    X, y = load_iris(return_X_y=True)
    model = BDDClassifier(1).fit(X, y)
    with pytest.raises(ValueError, match="y_test is None"):
        html_report(model, X_test=X)
    with pytest.raises(ValueError, match="y_test: '7' is not a class of the model"):
        html_report(model, X_test=X, y_test=np.full(150, 7))
    with pytest.raises(ValueError, match="inconsistent"):
        html_report(model, X, y[:-1])
    drawn = beadwork.drawing(model.diagram_)
    assert "<!doctype html>" in html_report(drawn)
    with pytest.raises(ValueError, match="rows need an estimator"):
        html_report(drawn, X, y)
    with pytest.raises(ValueError, match="feature"):
        html_report(model, pd.DataFrame(X[:, :2]), y)


def test_positive_class_labels_and_date(command, tmp_path, monkeypatch):
    table = mixed()
    X, y = table.drop(columns="risk"), table.risk
    model = from_file(BDDClassifier(3).fit(X, y))
    (tmp_path / "labels.csv").write_text("column,value,label\nage,,years\nrisk,low,none\ncolour,,paint\ncolour,red,crimson\n")
    labels = {"age": "years", "risk": {"low": "none"}, "colour": {None: "paint", "red": "crimson"}}
    flags = ["--positive", "high", "--date", "2026-03-01", "--labels", str(tmp_path / "labels.csv")]
    page = html_report(model, X, y, positive="high", labels=labels, date="2026-03-01")
    data = same(page, page_of_command(command, model, tmp_path, table, None, *flags))
    assert data["positive"] == "high" and data["date"] == "2026-03-01"
    assert data["texts"]["model"] == (tmp_path / "model.json").read_text()
    assert html_report(model, positive="high", date=datetime.date(2026, 3, 1)) == html_report(model, positive="high", date="2026-03-01")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert island(html_report(model))[0]["date"] == "1970-01-02"
    with pytest.raises(ValueError, match="'none' is not a class; the classes are high, low"):
        html_report(model, positive="none")
    with pytest.raises(ValueError, match="there is no column 'nowhere'"):
        html_report(model, X, y, labels={"nowhere": "x"})
    with pytest.raises(ValueError):
        html_report(model, date="2026-02-30")
