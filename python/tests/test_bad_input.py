"""Bad input is refused with scikit-learn's own words, or clear ones of ours."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from beadwork import (
    BDDClassifier,
    TableBinarizer,
    CARTClassifier,
    MaxSATTreeClassifier,
    MinDepthBDD,
    OODGClassifier,
    ParetoFront,
)

X = np.arange(12.0).reshape(6, 2)
Y = np.array([0, 1, 0, 1, 0, 1])


def message(call):
    try:
        call()
    except Exception as error:
        return type(error), str(error)
    raise AssertionError("nothing was raised")


def bad_fits():
    nan_y = Y.astype(float).copy()
    nan_y[2] = np.nan
    infinite = X.copy()
    infinite[0, 0] = np.inf
    return {
        "one dimension": (X[:, 0], Y),
        "three dimensions": (X[None], Y),
        "no rows": (X[:0], Y[:0]),
        "no columns": (X[:, :0], Y),
        "lengths": (X, Y[:4]),
        "nan in y": (X, nan_y),
        "continuous y": (X, Y + 0.5 * np.arange(6)),
        "two targets": (X, np.column_stack([Y, Y])),
        "y is None": (X, None),
        "infinity": (infinite, Y),
        "complex": (X.astype(complex), Y),
    }


@pytest.mark.parametrize("name", bad_fits())
def test_fit_says_what_scikit_learn_says(name):
    data, y = bad_fits()[name]
    ours = message(lambda: BDDClassifier().fit(data, y))
    theirs = message(lambda: LogisticRegression().fit(data, y))
    assert ours[0] is theirs[0]
    plain = [re.sub(r"LogisticRegression|BDDClassifier|float(32|64)", "", text)[:60] for _, text in (ours, theirs)]
    assert plain[0] == plain[1]


def test_frames_of_no_rows_or_columns():
    frame = pd.DataFrame({"a": [1.0, 2], "b": ["u", "v"]})
    with pytest.raises(ValueError, match=r"Found array with 0 sample\(s\) \(shape=\(0, 2\)\) while a minimum of 1"):
        BDDClassifier().fit(frame[:0], [])
    with pytest.raises(ValueError, match=r"0 feature\(s\) \(shape=\(2, 0\)\) while a minimum of 1 is required"):
        BDDClassifier().fit(frame[[]], [0, 1])
    with pytest.raises(ValueError, match="Input X contains infinity"):
        BDDClassifier().fit(frame.assign(a=[np.inf, 1]), [0, 1])


def test_names_and_counts_of_columns():
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = BDDClassifier().fit(frame, Y)
    tree = DecisionTreeClassifier().fit(frame, Y)
    for bad in (frame[["b", "a"]], frame.rename(columns={"a": "c"}), frame[["a"]], X[:, :1]):
        if isinstance(bad, np.ndarray):
            continue
        ours, theirs = message(lambda: model.predict(bad)), message(lambda: tree.predict(bad))
        assert ours == theirs
    with pytest.raises(ValueError, match="X has 1 features, but BDDClassifier is expecting 2 features as input"):
        BDDClassifier().fit(X, Y).predict(X[:, :1])
    with pytest.raises(ValueError, match="two columns are named 'a'|unique column names"):
        BDDClassifier().fit(frame.set_axis(["a", "a"], axis=1), Y)


def test_not_fitted():
    with pytest.raises(NotFittedError, match="This BDDClassifier instance is not fitted yet"):
        BDDClassifier().predict(X)
    with pytest.raises(NotFittedError):
        TableBinarizer().transform(X)
    with pytest.raises(AttributeError, match="not fitted"):
        BDDClassifier().diagram_


def test_types_that_are_no_numbers_strings_or_categories():
    lists = pd.DataFrame({"d": [[1]] * 6})
    with pytest.raises(TypeError, match="column 'd': argument must be a string or a real number, not 'list'"):
        BDDClassifier().fit(lists, Y)
    with pytest.raises(TypeError, match="argument must be a string or a real number, not 'dict'"):
        BDDClassifier().fit(np.array([[{}]] * 6, dtype=object), Y)
    model = BDDClassifier(1).fit(pd.DataFrame({"a": X[:, 0]}), Y)
    with pytest.raises(ValueError, match="could not convert string to float: 'u'"):
        model.predict(pd.DataFrame({"a": list("uvw")}))


def test_weights():
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        BDDClassifier().fit(X, Y, sample_weight=[1, -1, 1, 1, 1, 1])
    with pytest.raises(ValueError, match="Sample weights must contain at least one non-zero number"):
        BDDClassifier().fit(X, Y, sample_weight=np.zeros(6))
    with pytest.raises(ValueError, match="sample_weight.shape == "):
        BDDClassifier().fit(X, Y, sample_weight=np.ones(5))
    with pytest.raises(ValueError, match="sample_weight: the weights add up to more than 2^56; scale them down".replace("^", r"\^")):
        BDDClassifier().fit(X, Y, sample_weight=[1 / 3, 1 / 7, np.pi, 1, 1, 1e20 / 3])
    assert BDDClassifier().fit(X, Y, sample_weight=[0.1, 0.2, 0.3, 0.1, 0.1, 0.1]).optimal_


@pytest.mark.parametrize(
    "parameters, words",
    [
        ({"depth": 21}, "depth: expected a whole number from 0 to 20"),
        ({"depth": -1}, "depth: expected a whole number from 0 to 20"),
        ({"depth": 1.5}, "depth: expected a whole number"),
        ({"depth": []}, "depth: expected a whole number, \"A..B\", \"cv\", \"cv:A..B\" or None, got \\[\\]"),
        ({"depth": float("nan")}, "depth: expected a whole number"),
        ({"on_interrupt": "ignore"}, "on_interrupt: expected \"raise\" or \"keep\", got 'ignore'"),
        ({"depth": "deep"}, "depth: expected a whole number"),
        ({"engine": "magic"}, "engine: unknown engine 'magic'; the engines are: search"),
        ({"options": {"speed": 3}}, "unknown option 'speed'"),
        ({"options": {"encoding": "bdd2"}}, "encoding: engine search does not have this option; it belongs to maxsat"),
        ({"thresholds": "some"}, "thresholds: expected all, mdlp, quantiles"),
        ({"time_limit": -1}, "time_limit: expected a number from 0"),
        ({"n_jobs": 0}, "n_jobs == 0 has no meaning"),
        ({"require": ["x9"]}, "require: unknown feature 'x9'"),
        ({"forbid": ["x9"]}, "forbid: unknown feature 'x9'"),
        ({"costs": [[0, 1]]}, r"costs has shape \(1, 2\), expected \(2, 2\)"),
        ({"class_weight": "heavy"}, "class_weight"),
    ],
)
def test_parameters(parameters, words):
    with pytest.raises(ValueError, match=words):
        BDDClassifier(**parameters).fit(X, Y)


@pytest.mark.parametrize("estimator", [CARTClassifier, OODGClassifier, MaxSATTreeClassifier, MinDepthBDD, ParetoFront])
def test_no_depth(estimator):
    with pytest.raises(ValueError, match="depth: expected a whole number"):
        estimator(None).fit(X, Y)


def test_model_files():
    with pytest.raises(ValueError, match="not valid JSON"):
        BDDClassifier.from_json("{")
    text = BDDClassifier(1).fit(X, Y).to_json()
    with pytest.raises(ValueError, match="checksum"):
        BDDClassifier.from_json(text.replace('"rows":6', '"rows":7').replace('"rows": 6', '"rows": 7'))
    model = BDDClassifier.from_json(BDDClassifier(1).fit(pd.DataFrame(X, columns=["a", "b"]), Y).to_json())
    with pytest.raises(ValueError, match="the model needs column 'a', which is missing"):
        model.predict(pd.DataFrame({"b": [1.0]}))
