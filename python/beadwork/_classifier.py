"""The classifier of the package."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import DiagramClassifier
from ._depths import Folds, depth_of, folds_of, is_chosen, whole_depth
from ._fit_table import TableBuilder, TableRows, check_for_tables, read_rows
from ._options import Options, cost_texts, names_of, rule_of, threads_of, whole
from ._predict_table import batches_of
from ._shards import ShardLearner
from ._sources import one_line, open_rows


class BDDClassifier(DiagramClassifier):
    """Provably optimal binary decision diagrams.

    Finds a diagram on at most ``depth`` binary features with the fewest (weighted) training errors, and proves it. Numeric
    columns are split at thresholds chosen beforehand, and the proof covers only these; ``thresholds="all"`` covers every
    threshold. Categories, booleans, strings and missing values need no preparation.

    Parameters
    ----------
    depth : int, "A..B", "cv", "cv:A..B" or None, default=None
        The largest number of binary features the diagram may use. "2..5" gives the answers for every depth from 2 to 5 in
        ``by_depth_``. "cv" chooses among ``depths`` by cross-validation, as ``--depth cv`` does. None is 4; with ``max_nodes`` it is as many as so
        many nodes can test, up to 20; with ``size`` it is 16 unless ``thresholds`` is "all".
    engine : str, default="search"
        How to learn; ``beadwork.engines()`` lists the engines.
    bias : str, default=None
        How to answer cells that training leaves open; None is the engine's default. See ``beadwork.options()``.
    max_nodes : int, default=None
        Use at most this many nodes, answers included.
    node_penalty : float, default=0
        Minimise errors + node_penalty x nodes.
    size : {"auto", "auto-1se"}, default=None
        Choose features (up to ``depth``) and nodes by stratified cross-validation on the training rows: what answers the
        held-out rows best, or the smallest within one standard error of that. ``cv_results_`` has the curve.
    time_limit : float, None or "auto", default="auto"
        Seconds; None is no limit. "auto" is 60 for the engines "search" and "local", in all with ``depth="cv"``, and none
        with ``certificate`` or a checkpoint. At the limit the best diagram so far is kept, ``status_`` says so and a
        ConvergenceWarning is issued; nothing is raised.
    on_interrupt : {"raise", "keep"}, default="raise"
        What Ctrl-C does: raise KeyboardInterrupt, or stop and keep the best diagram so far with a warning (a second Ctrl-C
        raises). It also ends the folds of ``depth="cv"`` and ``size``.
    memory_limit : int, default=None
        Memory limit for learning, in MiB.
    n_jobs : int, default=None
        Threads; None is 1, -1 is all. Under ``joblib.parallel_config(backend=...)`` these are workers of that backend
        (loky, Dask, Ray) in place of threads: the search is divided among them where it can be (docs/clusters.md). Proven
        answers do not depend on it.
    random_state : int, RandomState or None, default=None
        Seed for engines that use random numbers. Proven answers of the default engine do not depend on it.
    class_weight : dict or "balanced", default=None
        Weights of the classes, scaled to integers as ``sample_weight`` is.
    min_weight_fraction_leaf : float, default=0
        Smallest share of the training weight on a path. A test that sends less than that one way is removed from the
        optimal diagram. The bound remains proven; ``status_`` becomes "feasible" if this adds errors.
    thresholds : str or int, default="auto"
        For numeric columns: "all" midpoints, "quantiles:N" or N, "mdlp" (supervised), or "auto": quantiles:32 from 500
        rows on at depths up to 3, where columns^3 x rows is at most 4e7; else quantiles:8. With "all" and many values the
        columns are sorted, and no feature is made for each threshold.
    reading : dict, default=None
        How to read columns of text where that is not clear: "decimal" ("." or ","), "thousands" (",", ".", "'" or " "),
        "dates" ("dmy", "mdy" or "ymd"), "missing" (texts that mean no value), "keep_columns" (columns to keep though nearly
        every text is different), "max_categories" (of a column, default 64; the others become one), "ordered" (columns of words
        with an order, which are cut like numbers: ``{"size": ["low", "medium", "high"]}``).
    costs : array-like of shape (n_classes, n_classes), default=None
        What each prediction costs: one row per true class, one column per predicted class, in the order of ``classes_``.
    require, forbid : str or sequence of str, default=None
        Names of features, or of columns, that must, or must not, be used. Of a required column at least one feature is used.
    certificate : bool, default=False
        Keep a certificate of optimality in ``certificate_``, for the program ``beadcheck``.
    depths : sequence of int, default=(1, 2, 3, 4, 5)
        Depths to try with ``depth="cv"``, without a gap.
    cv : int or splitter, default=5
        Folds for ``depth="cv"`` and ``size``. Five are those of the command line: stratified, by ``random_state``. Others are
        scikit-learn's.
    options : dict, default=None
        Further options of the engine, by name; ``beadwork.options()`` lists them.
    verbose : int or "auto", default="auto"
        1 shows a progress bar, 0 none; "auto" shows one after two seconds, in a terminal or a notebook.
    callback : callable, default=None
        Called with a ``Progress`` (phase, share, lower_bound, upper_bound, seconds, memory) regularly; returning a true
        value stops the search and keeps the best diagram so far.

    Attributes
    ----------
    claim_ : str
        What is proven, in one sentence.
    status_ : str
        "optimal", "feasible" (best so far) or "unknown" (nothing found in time: the most frequent class).
    optimal_ : bool
    lower_bound_, upper_bound_, gap_ : number
        No such diagram has fewer errors (with ``costs``: a lower cost) than the lower bound; the upper bound is what this
        diagram has; the gap is the difference.
    rounding_ : number
        0, or how far rounded weights may be from the given ones in all; the lower bound is lowered by that.
    diagram_ : Diagram
        Its feature f is ``features_[f]``.
    features_ : list of str
        The selected features in order.
    classes_ : ndarray
    n_features_in_, feature_names_in_ : as in scikit-learn
    depth_ : int
        The depth that was used.
    cv_results_ : dict
        With ``depth="cv"`` and ``size``: ``depth``, with ``size`` also ``nodes``, the mean score over the folds, its standard
        error and their standard deviation. The score is the accuracy by weight, with ``costs`` minus the mean cost.
        ``best_index_`` is the place of the one chosen.
    certificate_ : str or None
    n_nodes_ : int
        Nodes of the diagram, answers included.
    n_binary_features_ : int
        Number of binary features to choose from.
    near_sets_, near_sets_complete_ : list of dict, bool
        With ``options={"top": k}`` or ``{"within": errors}``: the best feature sets, or all feature sets with at most this
        many errors more than the best, each with its errors and the number of ways to replace its features by equal ones,
        with ``thresholds="all"`` and many thresholds also the values between which each threshold lies; whether the list is
        complete.
    near_sets_without_idle_ : list of dict or None
        What is left of these sets without features that save no errors, each set once; None if a limit came first.
    feature_importances_ : ndarray of shape (n_features_in_,)
        The share of each column in what turns answers: the training rows, by weight, that get another class if this column
        alone has another value.
    prices_ : dict
        With ``options={"prices": True}``: for each column that the diagram uses, how many errors (with ``costs``: how much
        cost) more the best diagram without it makes, as (least, most), which are equal where that is proven; None for a
        column with a required feature.
    by_depth_ : list of dict
        With ``depth="A..B"``: the answer for every depth from A to B.
    fit_time_ : float
        Seconds spent learning.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from beadwork import BDDClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = BDDClassifier(depth=2).fit(X, y)
    >>> model.status_, model.upper_bound_
    ('optimal', 7)
    """

    def __init__(
        self,
        depth: int | str | None = None,
        *,
        engine: str = "search",
        bias: str | None = None,
        max_nodes: int | None = None,
        node_penalty: float = 0,
        size: str | None = None,
        time_limit: float | str | None = "auto",
        on_interrupt: str = "raise",
        memory_limit: int | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        class_weight: Mapping[Any, float] | str | None = None,
        min_weight_fraction_leaf: float = 0,
        thresholds: str | int = "auto",
        reading: Mapping[str, Any] | None = None,
        costs: Any = None,
        require: Sequence[str] | None = None,
        forbid: Sequence[str] | None = None,
        certificate: bool = False,
        depths: Sequence[int] = (1, 2, 3, 4, 5),
        cv: Any = 5,
        options: Mapping[str, Any] | None = None,
        verbose: int | str = "auto",
        callback: Callable[[_core.Progress], Any] | None = None,
    ) -> None:
        self.depth = depth
        self.engine = engine
        self.bias = bias
        self.max_nodes = max_nodes
        self.node_penalty = node_penalty
        self.size = size
        self.time_limit = time_limit
        self.on_interrupt = on_interrupt
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.class_weight = class_weight
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.thresholds = thresholds
        self.reading = reading
        self.costs = costs
        self.require = require
        self.forbid = forbid
        self.certificate = certificate
        self.depths = depths
        self.cv = cv
        self.options = options
        self.verbose = verbose
        self.callback = callback

    def _options(self) -> Options:
        depth = self._depth()
        options = {**self._common_options(), "depth": depth if isinstance(depth, str) else self.depth_}
        if self.bias is not None:
            options["bias"] = self.bias
        if self.max_nodes is not None:
            options["max_nodes"] = int(self.max_nodes)
        if self.node_penalty:
            options["node_penalty"] = float(self.node_penalty)
        if self.size is not None:
            options["size"] = self.size
        if self.costs is not None:
            options["costs"] = cost_texts(self.costs, len(self.classes_))
        if self.require is not None:
            options["require"] = names_of("require", self.require)
        if self.forbid is not None:
            options["forbid"] = names_of("forbid", self.forbid)
        return options

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> BDDClassifier:
        """Learn a diagram.

        Parameters
        ----------
        X : array-like, sparse matrix, pandas or Polars DataFrame, Arrow table of shape (n_samples, n_features)
            Numbers, booleans, dates and times, categories, strings, with missing values.
        y : array-like of shape (n_samples,)
            Classes, two or more (or one).
        sample_weight : array-like of shape (n_samples,), default=None
            Integers, decimals of up to nine places and binary fractions are used exactly. Other weights are rounded at about
            a billionth of their sum; ``claim_`` and ``rounding_`` say what that may cost. Rows of weight 0 are left
            out; their classes stay in ``classes_``.

        Returns
        -------
        self
        """
        self.__dict__.pop("cv_results_", None)
        self.__dict__.pop("best_index_", None)
        if is_chosen(self._depth()) and self.size is not None:
            raise ValueError('depth="cv" cannot be combined with size, which chooses the depth')
        self.depth_ = self._asked_depth()
        self._fit(X, y, sample_weight)
        return self

    def fit_table(
        self,
        source: Any,
        target: str,
        weight: str | None = None,
        *,
        columns: Sequence[str] | None = None,
        approximate: int | None = None,
        shards: int | None = None,
    ) -> BDDClassifier:
        """Learn a diagram from a table that need not fit into memory.

        The engine that holds the table counts the values of each column and groups the rows by what the tests on them say;
        only the distinct rows with their weights come here. The model is the one that ``fit`` gives for the same rows.

        Parameters
        ----------
        source : path, query or table
            Parquet files (a path, a folder or a pattern such as ``"rows/*.parquet"``), a query (text that starts with SELECT,
            WITH or FROM) or a relation of DuckDB, an Arrow table, dataset or stream (anything with ``__arrow_c_stream__``), a
            frame of Polars (lazy or not), pandas, Spark or Dask. DuckDB reads the first five, with ``n_jobs`` threads and
            ``memory_limit``; the others compute by themselves.
        target : str
            The column of the classes.
        weight : str, default=None
            The column of the rows' weights, read as ``sample_weight`` of ``fit`` is.
        columns : sequence of str, default=None
            The columns to learn from; None is all others.
        approximate : int, default=None
            Choose the thresholds of numbers in about this many rows, instead of by the exact counts of all values.
        shards : int, default=None
            Where not even the distinct rows fit into memory: have one of this many parts of them here at a time. The model is
            the same, and its claim says how it was proven. The rows are read several times; for a frame of Dask, a shard is
            made of whole partitions. Options that need all rows at once (``certificate``, ``max_nodes``, ...) are refused.

        Returns
        -------
        self
        """
        check_for_tables(self, approximate, shards)
        self.__dict__.pop("cv_results_", None)
        self.__dict__.pop("best_index_", None)
        self.depth_ = self._asked_depth()
        with one_line(source), contextlib.closing(open_rows(source, threads_of(self.n_jobs), self.memory_limit)) as engine:
            rows = read_rows(engine, target, weight, columns, self.class_weight)
            rule = self._table_rule(rows)
            builder = TableBuilder(rows, rule, self.reading, approximate)
            binarizer, dataset = builder.build(shards)
            if shards is not None:
                by = ShardLearner(builder, int(shards))
                outcome = self._learn_by(by, binarizer, dataset)
                dataset = by.dataset
        self.classes_ = rows.classes
        self._loaded = False
        self.feature_names_in_ = np.array([column.name for column in rows.inputs], dtype=object)
        self.n_features_in_ = len(rows.inputs)
        self._keep(binarizer, dataset, self._learn(binarizer, dataset) if shards is None else outcome, rule)
        return self

    def predict_table(self, source: Any, *, batch_rows: int = 1_000_000) -> Iterator[Any]:
        """Classes of the rows of a table that need not fit into memory, some at a time.

        Parameters
        ----------
        source : path, query or table
            As in ``fit_table``, except for frames of Spark.
        batch_rows : int, default=1_000_000
            About how many rows at a time; streams and frames of Dask come as they are parted.

        Yields
        ------
        ndarray
            Classes, in the order of the rows; a query without an order of its own may give them in another.
        """
        check_is_fitted(self, "status_")
        if whole("batch_rows", batch_rows) < 1:
            raise ValueError(f"batch_rows: expected a number of rows, got {batch_rows!r}")
        with one_line(source):
            for batch in batches_of(source, self.feature_names_in_.tolist(), batch_rows, threads_of(self.n_jobs), self.memory_limit):
                yield self.predict(batch)

    def _table_rule(self, rows: TableRows) -> str:
        rule = rule_of(self.thresholds)
        if rule == "auto":
            return _core.automatic_thresholds(rows.counted.num_rows, len(rows.inputs), self._most_features())
        if rule == "all" and any(c.kind not in ("boolean", "text") for c in rows.inputs):
            raise ValueError('thresholds="all" sorts the columns, for which every row is needed: use fit, or "quantiles:1000"')
        return rule

    def _asked_depth(self) -> int:
        depth = self._depth()
        if depth is None:
            given = self.options or {}
            nodes = given.get("max_nodes") if self.max_nodes is None else self.max_nodes
            size = given.get("size") if self.size is None else self.size
            others = {"max_nodes": None if nodes is None else int(nodes), "size": size}
            return _core.default_depth({k: v for k, v in others.items() if v is not None}, rule_of(self.thresholds))
        return whole_depth(depth)

    def _depth(self) -> Any:
        """The depth as the engine takes it: a number, a range, or the range to choose from."""
        given = (self.options or {}).get("depth")
        if given is not None and self.depth is not None:
            raise ValueError("depth: given twice, also in options")
        return depth_of(self.depth if given is None else given, self.depths)

    def _folds(self, X: Any, codes: NDArray[np.int64]) -> Folds:
        chosen = is_chosen(self._depth()) or self.size is not None
        return folds_of(self.cv, X, self.classes_[codes]) if chosen else []

    def _most_features(self) -> int:
        return max(0, int(self.depth_))

    def _one_depth(self) -> None:
        """Before a search is divided."""
        if is_chosen(self._depth()):
            raise ValueError('depth="cv" cannot be divided into parts: it is many fits')
        self.depth_ = self._asked_depth()
