"""fit_table on Spark and Dask, which have an environment of their own (make test-engines)."""

from __future__ import annotations

import numpy as np
import pytest
from row_tables import INPUTS, ROWS, WEIGHTS, mixed, odd_columns

from beadwork import BDDClassifier

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def frame():
    return mixed(ROWS)


@pytest.fixture(scope="module")
def path(frame, tmp_path_factory):
    file = tmp_path_factory.mktemp("rows") / "t.parquet"
    frame.to_parquet(file, row_group_size=1000)
    return file


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed (make test-engines)")
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "4").config("spark.sql.session.timeZone", "America/New_York").getOrCreate()
    yield session
    session.stop()


def expected(frame, weight, **params):
    return BDDClassifier(1, time_limit=None, **params).fit(frame[INPUTS], frame["y"], None if weight is None else frame[weight]).to_json()


@pytest.mark.parametrize("weight", WEIGHTS)
def test_spark(spark, frame, path, weight):
    source = spark.read.parquet(str(path))
    assert BDDClassifier(1, time_limit=None).fit_table(source, "y", weight, columns=INPUTS).to_json() == expected(frame, weight)
    assert not [view for view in spark.catalog.listTables() if "beadwork" in view.name]


@pytest.mark.parametrize("params", [{"class_weight": "balanced"}, {"class_weight": {"p": 2.0, "it's\\": 1 / 3, "r": 0}}, {"thresholds": "mdlp"}], ids=str)
def test_spark_with_parameters(spark, frame, path, params):
    source = spark.read.parquet(str(path))
    assert BDDClassifier(1, time_limit=None, **params).fit_table(source, "y", "chance", columns=INPUTS).to_json() == expected(frame, "chance", **params)


def test_spark_odd_columns(spark, tmp_path):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    rng = np.random.default_rng(4)
    for name, column in odd_columns(300).items():
        if name in ("time", "nanoseconds", "uint64", "dictionary"):  # which Spark has not, or not as such
            continue
        table = pa.table({name: column, "y": pa.array(rng.choice(["no", "yes"], 300))})
        file = tmp_path / f"{abs(hash(name))}.parquet"
        pq.write_table(table, file)
        whole = BDDClassifier(2).fit(table.drop(["y"]), table["y"].to_pandas()).to_json()
        assert BDDClassifier(2).fit_table(spark.read.parquet(str(file)), "y").to_json() == whole, name


def test_spark_errors_are_one_line(spark, path, tmp_path):
    broken = tmp_path / "broken.parquet"
    whole = path.read_bytes()
    broken.write_bytes(whole[:2000] + bytes(3000) + whole[5000:])
    with pytest.raises(ValueError) as caught:
        BDDClassifier(1).fit_table(spark.read.schema(spark.read.parquet(str(path)).schema).parquet(str(broken)), "y", columns=INPUTS)
    assert str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("weight", WEIGHTS)
def test_dask(frame, path, weight):
    dask = pytest.importorskip("dask.dataframe", reason="dask is not installed (make test-engines)")
    for source in (dask.from_pandas(frame, npartitions=3), dask.read_parquet(path, split_row_groups=True)):
        assert BDDClassifier(1, time_limit=None).fit_table(source, "y", weight, columns=INPUTS).to_json() == expected(frame, weight)


def test_dask_on_a_cluster(frame):
    dask = pytest.importorskip("dask.dataframe", reason="dask is not installed (make test-engines)")
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed (make test-engines)")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, distributed.Client(cluster):
        source = dask.from_pandas(frame, npartitions=5)
        assert BDDClassifier(1, time_limit=None).fit_table(source, "y", "whole", columns=INPUTS).to_json() == expected(frame, "whole")
