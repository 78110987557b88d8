"""Tables of every kind in, the same model out."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from beadwork import BDDClassifier, TableBinarizer, to_sklearn_tree


def test_sparse_dense_and_every_number_type_agree(bits):
    X, y = bits
    expected = BDDClassifier(3).fit(X, y).to_json()
    kinds = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"]
    for kind in [*kinds, "longdouble", ">f8", "object"]:
        assert BDDClassifier(3).fit(X.astype(kind), y).to_json() == expected, kind
    for form in (sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix):
        model = BDDClassifier(3).fit(form(X), y)
        assert model.to_json() == expected
        assert (model.predict(form(X)) == model.predict(X)).all()
    assert BDDClassifier(3).fit(X.tolist(), y.tolist()).to_json() == expected
    assert BDDClassifier(3).fit(np.asfortranarray(X)[::1], y).to_json() == expected
    assert BDDClassifier(3).fit(np.repeat(X, 2, axis=0)[::2], y).to_json() == expected


def test_a_large_sparse_column_is_read_with_its_zeros():
    rng = np.random.default_rng(0)
    X = sparse.random(300, 6, density=0.3, random_state=0, format="csr")
    y = (X.toarray()[:, 2] > 0.5).astype(int) ^ (rng.random(300) < 0.05)
    assert BDDClassifier(2).fit(X, y).to_json() == BDDClassifier(2).fit(X.toarray(), y).to_json()


def test_missing_values_have_tests_of_their_own():
    X = np.array([[1.0], [np.nan], [3.0], [np.nan], [5.0], [1.0]])
    y = np.array([0, 1, 0, 1, 0, 0])
    model = BDDClassifier(1).fit(X, y)
    assert model.features_ == ["x0 is missing"] and model.upper_bound_ == 0
    assert model.predict([[np.nan], [7.0]]).tolist() == [1, 0]


def test_strings_categories_and_unseen_ones():
    X = pd.DataFrame({"c": ["a", "b", "c", "a", "b", None], "n": [1, 2, 3, 4, 5, 6]})
    y = ["x", "y", "y", "x", "y", "y"]
    model = BDDClassifier(1).fit(X, y)
    assert model.features_ == ["c = a"]
    with pytest.warns(UserWarning, match="1 row.*'c'.*did not occur in training"):
        assert model.predict(pd.DataFrame({"c": ["z", "a"], "n": [0, 0]})).tolist() == ["y", "x"]
    text = np.array([["a"], ["b"], ["a"]])
    assert BDDClassifier(1).fit(text, [0, 1, 0]).predict(text).tolist() == [0, 1, 0]


def test_categories_of_numbers_are_categories():
    X = pd.DataFrame({"c": pd.Categorical([3, 1, 2, 3, 1, 2])})
    model = BDDClassifier(1).fit(X, [0, 1, 0, 0, 1, 0])
    assert model.features_ == ["c = 1"]
    assert model.predict(X.astype("int64")).tolist() == [0, 1, 0, 0, 1, 0]


def test_pandas_extension_types(bits):
    X, y = bits
    frame = pd.DataFrame(X, columns=list("abcdefghi"))
    expected = BDDClassifier(3).fit(frame, y).to_json()
    for kind in ("Int64", "Float64", "boolean", "bool", "float32"):
        assert BDDClassifier(3).fit(frame.astype(kind), y).to_json() == expected, kind


def test_polars_types():
    pl = pytest.importorskip("polars")
    X = pl.DataFrame({"n": [1, 2, None, 4], "b": [True, None, False, True], "s": ["u", "v", None, "u"]})
    model = BDDClassifier(2).fit(X, [0, 1, 1, 0])
    assert model.upper_bound_ == 0 and list(model.feature_names_in_) == ["n", "b", "s"]
    other = X.with_columns(pl.col("s").cast(pl.Categorical), pl.col("n").cast(pl.Int8))
    assert (model.predict(other) == [0, 1, 1, 0]).all()
    huge = pl.DataFrame({"n": pl.Series([2 ** 70, 1, 1, 2 ** 70], dtype=pl.Int128)})
    assert BDDClassifier(1).fit(huge, [0, 1, 1, 0]).upper_bound_ == 0


def test_zero_one_columns_keep_their_name_and_accept_other_numbers():
    X = np.array([[0.0, 5], [1, 6], [1, 7], [0, 8]])
    model = BDDClassifier(1).fit(X, [0, 1, 1, 0])
    assert model.features_ == ["x0"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert model.predict([[0.5, 0], [-0.0, 0], [1, 0]]).tolist() == [0, 0, 1]


def test_a_column_of_zeros_and_ones_at_prediction_stays_numeric():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    model = BDDClassifier(1).fit(X, [0, 0, 1, 1])
    assert model.predict([[0.0], [1.0]]).tolist() == [0, 0]


def test_labels_of_every_kind(bits):
    X, y = bits
    for labels in (np.array(["no", "yes"]), np.array([False, True]), np.array([-1.0, 2.5e3]), np.array([7, 9], dtype="int8")):
        model = BDDClassifier(3).fit(X, labels[y.astype(int)])
        assert model.classes_.dtype == labels.dtype and (model.classes_ == labels).all()
        again = BDDClassifier.from_json(model.to_json())
        assert (again.predict(X) == model.predict(X)).all() and again.upper_bound_ == model.upper_bound_
        assert again.classes_.tolist() == labels.tolist()


def test_one_class_and_one_row():
    model = BDDClassifier().fit([[1.0], [2.0]], [3, 3])
    assert model.predict([[9.0]]).tolist() == [3] and model.predict_proba([[0.0]]).tolist() == [[1.0]]
    assert BDDClassifier().fit([[1.0]], ["a"]).predict([[1.0], [2.0], [3.0]]).tolist() == ["a"] * 3


def test_the_binarizer_says_what_its_bits_mean():
    X = pd.DataFrame({"age": [20.0, 30, np.nan, 50], "colour": ["red", "blue", "green", "red"]})
    binarizer = TableBinarizer(thresholds=2)
    bits = binarizer.fit_transform(X)
    names = binarizer.get_feature_names_out().tolist()
    assert names == ["age <= 25", "age <= 40", "age is missing", "colour = blue", "colour = green", "colour = red"]
    assert bits.tolist() == [[1, 1, 0, 0, 0, 1], [0, 1, 0, 1, 0, 0], [0, 0, 1, 0, 1, 0], [0, 0, 0, 0, 0, 1]]
    assert TableBinarizer("mdlp").fit(np.arange(8.0)[:, None], [0, 0, 0, 0, 1, 1, 1, 1]).tests_[0][2] == 3.5


def test_blocks_of_columns_give_the_tests_of_the_whole():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40000, 60)).round(2)  # more than one block
    y = (X[:, 3] > 0).astype(int)
    whole = TableBinarizer().fit(X)
    each = [TableBinarizer().fit(X[:, [j]]).tests_ for j in range(60)]
    assert [t[2] for t in whole.tests_] == [t[2] for tests in each for t in tests]
    assert BDDClassifier(1).fit(X, y).features_[0].startswith("x3 <= ")


SIZES = ["tiny", "small", "medium", "large", "huge"]


def sized(seed=4, rows=160):
    """Places of words in their order, some missing (-1), and classes that follow a cut of it and a number."""
    rng = np.random.default_rng(seed)
    place, age = rng.integers(-1, 5, rows), rng.integers(18, 80, rows)
    return place, age, (place <= 2) ^ (age > 60) ^ (rng.random(rows) < 0.05)


def brute_force(place, age, y):
    """The least errors of two tests, each `place <= p`, `place is missing` or `age <= a`; a missing place fails every `<=`."""
    tests = [(place >= 0) & (place <= p) for p in range(4)] + [place < 0] + [age <= a for a in np.unique(age)]
    best = len(y)
    for i, a in enumerate(tests):
        for b in tests[:i]:
            cells = 2 * a.astype(int) + b
            best = min(best, sum(min((y[cells == c]).sum(), (~y[cells == c]).sum()) for c in range(4)))
    return best


OF_PANDAS = ["pandas", "texts", "unordered"]


def ordered_table(form):
    """The same table in one of the forms that carry an order, and the ``reading`` that it needs."""
    place, age, _ = sized()
    words = [None if p < 0 else SIZES[p] for p in place]
    said = {"ordered": {"size": SIZES}}
    if form == "pandas":
        return pd.DataFrame({"size": pd.Categorical(words, SIZES, ordered=True), "age": age}), None
    if form == "texts":
        return pd.DataFrame({"size": words, "age": age}), said
    if form == "unordered":
        return pd.DataFrame({"size": pd.Categorical(words, sorted(SIZES)), "age": age}), said
    if form == "polars":
        pl = pytest.importorskip("polars")
        return pl.DataFrame({"size": pl.Series(words, dtype=pl.Enum(SIZES)), "age": age}), None
    pa = pytest.importorskip("pyarrow")
    codes = pa.array([None if p < 0 else int(p) for p in place], pa.int32())
    return pa.table({"size": pa.DictionaryArray.from_arrays(codes, SIZES, ordered=True), "age": age}), None


@pytest.mark.parametrize("thresholds", ["all", 100])
@pytest.mark.parametrize("form", [*OF_PANDAS, "polars", "arrow"])
def test_words_with_an_order_are_cut_like_numbers(form, thresholds):
    place, age, y = sized()
    best = brute_force(place, age, y)
    X, reading = ordered_table(form)
    model = BDDClassifier(2, thresholds=thresholds, reading=reading).fit(X, y)
    assert model.upper_bound_ == best
    assert "size <= medium" in model.features_
    assert (model.predict(X) != y).sum() == best
    for other in OF_PANDAS if form in OF_PANDAS else []:  # whatever was learnt from
        assert (model.predict(ordered_table(other)[0]) == model.predict(X)).all(), other
    again = BDDClassifier.from_json(model.to_json())
    assert (again.predict(X) == model.predict(X)).all()
    assert pickle.loads(pickle.dumps(model)).features_ == model.features_


def test_a_word_that_has_no_place():
    X, y = pd.DataFrame({"size": ["low", "high", "medium", "low"] * 5}), [0, 1, 1, 0] * 5
    order = {"ordered": {"size": ["low", "medium", "high"]}}
    with pytest.raises(ValueError, match="column 'size': 'high' is not in its order"):
        BDDClassifier(1, reading={"ordered": {"size": ["low", "medium"]}}).fit(X, y)
    with pytest.raises(ValueError, match="two or more different values"):
        BDDClassifier(1, reading={"ordered": {"size": ["low", "low"]}}).fit(X, y)
    with pytest.raises(ValueError, match="no column 'sise'"):
        BDDClassifier(1, reading={"ordered": {"sise": ["low", "high"]}}).fit(X, y)
    model = BDDClassifier(1, reading=order).fit(X, y)
    assert model.features_ == ["size <= low"]
    with pytest.raises(ValueError, match="'size <= low' is not a threshold on a number"):
        to_sklearn_tree(model)
    with pytest.warns(UserWarning, match="did not occur in training: every test on that column fails"):
        assert model.predict(pd.DataFrame({"size": ["huge", "low"]})).tolist() == [1, 0]
    with_missing = BDDClassifier(1, reading={**order, "missing": ["-"]}).fit(pd.concat([X, pd.DataFrame({"size": ["-"]})]), [*y, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert with_missing.predict(pd.DataFrame({"size": ["-", "low"]})).tolist() == [1, 0]
    numbers = BDDClassifier(1, reading={"ordered": {"x0": [3, 1, 2]}}).fit(np.array([[3], [1], [2]] * 5), [0, 0, 1] * 5)
    assert numbers.features_ == ["x0 <= 1"]
    assert numbers.predict([[3], [1], [2], [7]]).tolist() == [0, 0, 1, 1]


def test_the_binarizer_keeps_an_order():
    X = pd.DataFrame({"size": pd.Categorical(["low", "high", "medium"], ["low", "medium", "high"], ordered=True)})
    binarizer = TableBinarizer("all").fit(X)
    for b in (binarizer, pickle.loads(pickle.dumps(binarizer))):
        assert b.get_feature_names_out().tolist() == ["size <= low", "size <= medium"]
        assert b.transform(X).tolist() == [[1, 1], [0, 0], [0, 1]]


def test_the_order_of_words_is_that_of_all_chunks():
    pa = pytest.importorskip("pyarrow")

    def chunk(words):
        codes = pa.array([0, 1] * 10, pa.int8())
        return pa.DictionaryArray.from_arrays(codes, pa.array(words), ordered=True)

    y = np.array(["no", "yes"] * 20)
    whole, part, other = ["low", "medium", "high"], ["low", "high"], ["high", "low", "medium"]
    for lists in ([whole, part], [part, whole]):
        X = pa.table({"s": pa.chunked_array([chunk(words) for words in lists])})
        assert BDDClassifier(depth=1).fit(X, y).features_ == ["s <= low"]
    for lists in ([whole, other], [other, whole]):
        X = pa.table({"s": pa.chunked_array([chunk(words) for words in lists])})
        with pytest.raises(ValueError, match="column 's': its parts have their words in different orders"):
            BDDClassifier(depth=1).fit(X, y)


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_whole_numbers_too_large_to_tell_apart_are_warned_of(kind):
    y = np.array(["no", "yes"] * 10)
    many = np.arange(20).astype(kind) + kind(2**60)
    with pytest.warns(UserWarning, match="column 'x0': 1152921504606846976 and 11529215046068469.. are read as the same"):
        BDDClassifier(depth=1).fit(np.column_stack([many, many % kind(2)]), y)
