"""Texts that mean numbers, dates and truths; dates and times of every library; Arrow tables."""

from __future__ import annotations

import datetime
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest

from beadwork import BDDClassifier, TableBinarizer, html_report

N = 120
DAYS = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(N), unit="D")
LATE = (DAYS > "2024-03-01").astype(int)  # 2024-03-01 is day 60
NUMBERS = np.random.default_rng(5).integers(1, 10**6, size=N) / 100
HIGH = (NUMBERS > np.sort(NUMBERS)[79]).astype(int)
RULE = "all"


def quiet_fit(X, y, **given):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return BDDClassifier(1, thresholds=RULE, **given).fit(X, y)


def in_european(value):
    return f"{value:,.2f}".replace(",", "_").replace(".", ",").replace("_", ".")


SPELLINGS = {
    "plain": [f"{x:.2f}" for x in NUMBERS],
    "decimal comma": [in_european(x) for x in NUMBERS],
    "thousands": [f"{x:,.2f}" for x in NUMBERS],
    "currency": [f"${x:,.2f}" for x in NUMBERS],
    "percent": [f"{x:.2f} %" for x in NUMBERS],
}


@pytest.mark.parametrize("way", SPELLINGS)
@pytest.mark.parametrize("kind", ["object", "string", "array", "polars"])
def test_numbers_in_other_spellings_are_the_same_numbers(way, kind):
    pl = pytest.importorskip("polars")
    make = {
        "object": lambda texts: pd.DataFrame({"x0": pd.Series(texts, dtype=object)}),
        "string": lambda texts: pd.DataFrame({"x0": pd.Series(texts, dtype="string")}),
        "array": lambda texts: np.array(texts)[:, None],
        "polars": lambda texts: pl.DataFrame({"x0": texts}),
    }[kind]
    expected = quiet_fit(NUMBERS[:, None], HIGH)
    model = quiet_fit(make(SPELLINGS[way]), HIGH)
    assert model.features_ == expected.features_ and model.n_binary_features_ == expected.n_binary_features_
    assert model.upper_bound_ == 0
    assert (model.predict(make(SPELLINGS[way][:7])) == HIGH[:7]).all()
    again = BDDClassifier.from_json(model.to_json())
    assert (again.predict(make(SPELLINGS[way])) == HIGH).all()
    with pytest.raises(ValueError, match="'many'"):
        model.predict(make(["many"]))


def test_categories_that_look_like_numbers_stay_categories():
    X = pd.DataFrame({"c": pd.Categorical(["1,5", "2,5", "1,5", "2,5"])})
    assert quiet_fit(X, [0, 1, 0, 1]).features_[0].startswith("c = ")


def test_a_dash_or_a_question_mark_among_numbers_is_missing():
    for token in ("-", "?", "", "n/a"):
        X = pd.DataFrame({"x": pd.Series([*(f"{x:.2f}" for x in NUMBERS), token, token], dtype=object)})
        model = quiet_fit(X, [*HIGH, 0, 0])
        assert model.n_binary_features_ <= N and "<=" in model.features_[0]
        assert model.predict(pd.DataFrame({"x": [token, SPELLINGS["plain"][0]]})).tolist()[1] == HIGH[0]


def test_what_is_ambiguous_stays_with_a_warning_that_names_the_parameter():
    X = pd.DataFrame({"x": [f"{1 + i % 9},{i % 7:03}" for i in range(N)]})
    with pytest.warns(UserWarning, match=r"'x' stays text.*reading=\{'decimal': ','\} or reading=\{'thousands': ','\}"):
        BDDClassifier(1).fit(X, HIGH)
    comma = quiet_fit(X, HIGH, reading={"decimal": ","})
    assert comma.features_[0].startswith("x <= ") and float(comma.features_[0].split("<= ")[1]) < 10
    thousands = quiet_fit(X, HIGH, reading={"thousands": ","})
    assert float(thousands.features_[0].split("<= ")[1]) > 1000
    dates = pd.DataFrame({"d": [f"{1 + i % 12:02}/{1 + i // 12:02}/2024" for i in range(N)]})
    with pytest.warns(UserWarning, match="'dates': 'dmy'"):
        BDDClassifier(1).fit(dates, HIGH)
    assert "d <= 2024-" in quiet_fit(dates, HIGH, reading={"dates": "dmy"}).features_[0]


def test_texts_that_mean_no_value():
    X = pd.DataFrame({"x": [*SPELLINGS["plain"], "broken", "broken"]})
    y = [*HIGH, 1, 1]
    with pytest.warns(UserWarning, match=r"'broken' \(2 rows\).*reading=\{'missing': \['broken'\]\}"):
        BDDClassifier(1).fit(X, y)
    model = quiet_fit(X, y, reading={"missing": ["broken"]})
    assert model.features_[0].startswith("x <= ")
    model.predict(pd.DataFrame({"x": ["broken", "3.5"]}))


def test_ids_are_left_out_and_can_be_kept():
    X = pd.DataFrame({"id": [f"row-{i:x}-{i * 7919 % 1009}" for i in range(N)], "n": NUMBERS})
    with pytest.warns(UserWarning, match=r"'id' is left out.*reading=\{'keep_columns': \['id'\]\}"):
        model = BDDClassifier(1).fit(X, HIGH)
    assert model.n_features_in_ == 2 and model.features_[0].startswith("n <= ")
    assert (model.predict(X) == model.predict(X.assign(id="x"))).all()
    with pytest.warns(UserWarning, match="left out"):
        alone = BDDClassifier(1).fit(X[["id"]], HIGH)
    assert alone.features_ == [] and len(alone.predict(X[["id"]])) == N
    kept = quiet_fit(X, HIGH, reading={"keep_columns": ["id"], "max_categories": 5})
    assert kept.n_binary_features_ == N - 1 + 6
    categorical = quiet_fit(X.astype({"id": "category"}), HIGH)
    assert categorical.n_binary_features_ == N - 1 + 65


def test_categories_beyond_the_limit_are_one():
    names = [f"c{i % 10}" if i % 3 else f"rare{i % 29}" for i in range(N)]
    X = pd.DataFrame({"c": names})
    y = [int(name.startswith("rare")) for name in names]
    model = quiet_fit(X, y, reading={"max_categories": 10})
    assert model.features_ == ["c = other"] and model.upper_bound_ == 0
    assert model.predict(pd.DataFrame({"c": ["never seen", "c3"]})).tolist() == [1, 0]


def test_yes_and_no_in_mixed_spellings():
    X = pd.DataFrame({"b": ["yes", "No", "Y", "n", "TRUE", "yes", "no", "False"] * 5})
    y = [1, 0, 1, 0, 1, 1, 0, 0] * 5
    model = quiet_fit(X, y)
    assert model.n_binary_features_ == 1 and model.upper_bound_ == 0
    assert model.predict(pd.DataFrame({"b": ["true", "f"]})).tolist() == [1, 0]
    assert model.predict(pd.DataFrame({"b": [True, False]})).tolist() == [1, 0]


def date_tables():
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    frame = pd.DataFrame({"d": DAYS})
    return {
        "datetime64[ns]": frame,
        "datetime64[s]": frame.astype("datetime64[s]"),
        "zone": pd.DataFrame({"d": DAYS.tz_localize("UTC")}),
        "period": pd.DataFrame({"d": pd.Series(DAYS).dt.to_period("D")}),
        "date objects": pd.DataFrame({"d": pd.Series([d.date() for d in DAYS], dtype=object)}),
        "datetime objects": pd.DataFrame({"d": pd.Series([d.to_pydatetime() for d in DAYS], dtype=object)}),
        "texts": pd.DataFrame({"d": DAYS.strftime("%Y-%m-%d")}),
        "polars Date": pl.DataFrame({"d": [d.date() for d in DAYS]}),
        "polars Datetime": pl.DataFrame({"d": [d.to_pydatetime() for d in DAYS]}),
        "arrow date": pa.table({"d": pa.array([d.date() for d in DAYS])}),
        "arrow timestamp": pa.table({"d": pa.array([d.to_pydatetime() for d in DAYS], pa.timestamp("ms", "UTC"))}),
        "pandas arrow": frame.astype({"d": pd.ArrowDtype(pa.timestamp("us"))}),
    }


def test_dates_of_every_library_make_one_model_that_shows_dates():
    tables = date_tables()
    expected = None
    for kind, X in tables.items():
        model = quiet_fit(X, LATE)
        assert model.features_ == ["d <= 2024-03-01"] and model.upper_bound_ == 0, kind
        assert list(model.feature_names_in_) == ["d"], kind
        expected = expected or model.to_json()
        assert model.to_json() == expected, kind
    for kind, X in tables.items():
        assert (model.predict(X) == LATE).all(), kind
    copy = pickle.loads(pickle.dumps(model))
    assert (copy.predict(tables["zone"]) == LATE).all()
    array = DAYS.to_numpy()[:, None]
    assert (quiet_fit(array, LATE).predict(array.astype("datetime64[D]")) == LATE).all()
    page = html_report(model, X, LATE)
    assert "2024-03-01" in page


def test_missing_dates():
    for missing in (None, pd.NaT):
        X = pd.DataFrame({"d": [*DAYS, missing]})
        model = quiet_fit(X, [*LATE, 0])
        assert model.upper_bound_ <= 1
        assert (quiet_fit(X.astype(object), [*LATE, 0]).to_json()) == model.to_json()
    only = pd.DataFrame({"d": pd.Series([pd.NaT] * 4)})
    assert quiet_fit(only, [0, 1, 0, 0]).upper_bound_ == 1


def test_moments_and_durations():
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    moments = pd.Timestamp("2024-03-01 08:00") + pd.to_timedelta(np.arange(N), unit="min")
    late = (moments > "2024-03-01 09:00").astype(int)
    zoned = moments.tz_localize("UTC").tz_convert("Asia/Tokyo")
    of_polars, of_arrow = pl.DataFrame({"t": moments.to_pydatetime().tolist()}), pa.table({"t": pa.array(moments)})
    for X in (pd.DataFrame({"t": moments}), pd.DataFrame({"t": zoned}), of_polars, of_arrow):
        model = quiet_fit(X, late)
        assert model.upper_bound_ == 0 and model.features_[0].startswith("t <= 2024-03-01 09:00")
        assert (model.predict(pd.DataFrame({"t": zoned})) == late).all()
    spans = pd.to_timedelta(np.arange(N), unit="min")
    long = (spans > "1:00:00").astype(int)
    objects = spans.to_pytimedelta().tolist()
    of_pandas = pd.DataFrame({"t": spans})
    for X in (of_pandas, pl.DataFrame({"t": objects}), pa.table({"t": pa.array(spans)}), of_pandas.astype(object)):
        model = quiet_fit(X, long)
        assert model.upper_bound_ == 0 and model.features_[0].startswith("t <= 1:00:")
        assert (model.predict(pd.DataFrame({"t": spans})) == long).all()
    clock = [datetime.time(i // 60, i % 60) for i in range(N)]
    for X in (pl.DataFrame({"t": clock}), pa.table({"t": clock}), pd.DataFrame({"t": clock})):
        assert quiet_fit(X, long).features_[0].startswith("t <= 1:00:")
    fractions = pd.DataFrame({"t": pd.to_timedelta(np.arange(N), unit="ms")})
    assert len(set(TableBinarizer().fit(fractions).get_feature_names_out())) == 8


def test_other_types_name_their_column():
    X = pd.DataFrame({"n": NUMBERS, "when": pd.Series([*DAYS[1:], "soon"], dtype=object)})
    with pytest.raises(TypeError, match="column 'when': dates or times beside 'soon'"):
        BDDClassifier(1).fit(X, HIGH)
    model = quiet_fit(pd.DataFrame({"d": DAYS}), LATE)
    with pytest.raises(ValueError, match="column 'd' holds numbers, but held dates in training"):
        model.predict(pd.DataFrame({"d": [1, 2]}))
    with pytest.raises(ValueError, match="column 'd' holds values of kind date, which it did not in training"):
        quiet_fit(pd.DataFrame({"d": NUMBERS}), HIGH).predict(pd.DataFrame({"d": DAYS}))
    with pytest.raises(ValueError, match="column 'z': Complex data"):
        BDDClassifier(1).fit(pd.DataFrame({"z": NUMBERS + 1j}), HIGH)


def test_arrow_tables():
    pa = pytest.importorskip("pyarrow")
    frame = pd.DataFrame({
        "n": [1.5, None, 3, 4] * 5, "i": [1, 2, 3, 4] * 5, "b": [True, False, None, True] * 5,
        "s": ["u", "v", None, "u"] * 5, "c": pd.Categorical(["p", "q", "p", None] * 5),
    })
    table = pa.table({
        "n": pa.chunked_array([frame.n[:7], frame.n[7:]], pa.float64()), "i": pa.array(frame.i, pa.int8()),
        "b": [True, False, None, True] * 5, "s": pa.chunked_array([["u", "v", None], ["u"], *[["u", "v", None, "u"]] * 4]),
        "c": pa.array(["p", "q", "p", None] * 5).dictionary_encode(),
    })
    y = [0, 1, 1, 0] * 5
    model = quiet_fit(table, y)
    assert list(model.feature_names_in_) == list(frame.columns)
    assert model.to_json() == quiet_fit(frame, y).to_json()
    assert model.predict(table).tolist() == y and model.predict(frame).tolist() == y
    with pytest.raises(ValueError, match="feature names"):
        model.predict(table.rename_columns(["a", "b", "c", "d", "e"]))
    with pytest.raises(ValueError, match="column 'l': dtype list"):
        BDDClassifier(1).fit(pa.table({"l": [[1], [2]]}), [0, 1])


@pytest.mark.parametrize(
    "reading, message",
    [
        ({"decimal": ";"}, "reading.'decimal'.: expected '.' or ','"),
        ({"point": ","}, "unknown key 'point'; the keys are: decimal, thousands, dates, missing, keep_columns, max_categories"),
        ({"dates": "european"}, "reading.'dates'."),
        ({"max_categories": 0}, "at least 1"),
    ],
)
def test_a_wrong_reading_is_refused(reading, message):
    with pytest.raises(ValueError, match=message):
        BDDClassifier(1, reading=reading).fit(NUMBERS[:, None], HIGH)
