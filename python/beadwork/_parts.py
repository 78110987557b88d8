"""One search in parts, for any executor; and over the workers of joblib."""

from __future__ import annotations

import os
import pickle
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

import joblib
import numpy as np
from joblib.parallel import get_active_backend
from numpy.typing import NDArray
from sklearn.base import clone

from . import _core
from ._options import Options, keeps_interrupted, number_of_parts
from ._warned import warn

Learner = Callable[[Any, _core.Binarizer, _core.Dataset, Options, Any], _core.Outcome]  # learn, or what may stand for it

PARTS_PER_WORKER = 8  # parts differ in length: with more of them nobody waits long for the last
MOMENT = 0.001  # seconds; with none there would be no proof, however little there is to do
ROUNDS = 3  # in which nothing is done, until the workers are given up


class SearchPart:
    """One part of a search: call it on any machine that has beadwork, and hand what it returns to ``merge_parts``.

    It can be pickled and carries all that it needs.
    """

    def __init__(self, work: NDArray[np.uint8], number: int, share: float) -> None:
        self._work = work
        self.number = number
        self.share = share

    def __call__(self, resume: bytes | None = None) -> bytes:
        """Search the part; what comes back says where it stands, and is complete unless a limit came first.

        Parameters
        ----------
        resume : bytes, default=None
            What an earlier call returned that a limit ended: go on from there.
        """
        return _search(self._work, self.number, None if resume is None else _part_of(resume))

    def __repr__(self) -> str:
        return f"SearchPart({self.number}, about {100 * self.share:.2g} % of the work)"


class SearchParts(Sequence[SearchPart]):
    """The parts of one search, made by ``search_parts``: a sequence of callables."""

    def __init__(
        self, estimator: Any, data: tuple[_core.Binarizer, _core.Dataset, str], options: Options, plan: _core.Plan
    ) -> None:
        self._estimator = estimator
        self._data = data
        self._options = options
        self._plan = plan
        self._work = _packed(data[0], data[1], options, plan)

    def __len__(self) -> int:
        return self._plan.num_parts

    @overload
    def __getitem__(self, index: int) -> SearchPart: ...
    @overload
    def __getitem__(self, index: slice) -> list[SearchPart]: ...
    def __getitem__(self, index: int | slice) -> SearchPart | list[SearchPart]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        number = range(len(self))[index]
        return SearchPart(self._work, number, self._plan.work(number))

    def __repr__(self) -> str:
        return f"SearchParts({len(self)} parts of {self._estimator!r})"


def search_parts(estimator: Any, X: Any, y: Any, num_parts: int, sample_weight: Any = None) -> SearchParts:
    """Divide the search of one fit into parts of about equal work, to run anywhere, in any order.

    Parameters
    ----------
    estimator : BDDClassifier or BDDCommittee
        What to fit; it is not changed. One ``depth``, engine "search", no ``size``, ``max_nodes`` or ``node_penalty``.
        ``n_jobs`` are the threads of a part. A ``time_limit`` in seconds is that of each part; "auto" is none.
    X, y, sample_weight : as in BDDClassifier.fit
    num_parts : int
        How many, at most a million; where there is little to do, the last ones are empty.

    Returns
    -------
    SearchParts
        A sequence of callables that can be pickled; each returns bytes for ``merge_parts``.

    Examples
    --------
    >>> from concurrent.futures import ProcessPoolExecutor
    >>> from sklearn.datasets import load_iris
    >>> from beadwork import BDDClassifier, merge_parts, search_parts
    >>> parts = search_parts(BDDClassifier(2), *load_iris(return_X_y=True), num_parts=4)
    >>> merge_parts(parts, [part() for part in parts]).upper_bound_
    7
    """
    count = number_of_parts("num_parts", num_parts)
    model = clone(estimator)
    if not hasattr(model, "_one_depth"):
        raise TypeError(f"a search of {type(model).__name__} cannot be divided into parts")
    if getattr(model, "time_limit", None) == "auto":
        model.time_limit = None
    model._one_depth()
    data = model._read(X, y, sample_weight)
    options = model._options()
    unlimited = {name: value for name, value in options.items() if name != "time_limit"}
    plan = _core.plan_search(data[0], data[1], unlimited, count, None)
    if plan is None:
        raise MemoryError("memory_limit is too small to divide the search")
    model.set_params(time_limit=estimator.time_limit)
    return SearchParts(model, data, options, plan)


def merge_parts(parts: SearchParts, results: Iterable[bytes], *, finish: bool = False) -> Any:
    """The fitted estimator, once the parts are done: the same model as that of an undivided fit.

    Parameters
    ----------
    parts : SearchParts
        What ``search_parts`` returned: all of it, no list or slice.
    results : iterable of bytes
        What the parts returned, in any order. Of results of the same part, the one that is complete counts.
    finish : bool, default=False
        Search here what is missing. Otherwise a ValueError names the parts that are not done.
    """
    if not isinstance(parts, SearchParts):
        raise TypeError(
            f"parts: expected the object returned by search_parts, not a {type(parts).__name__} or slice of it"
        )
    done: dict[int, _core.Part] = {}
    for result in results:
        part = _part_of(result)
        if part.number not in done or part.complete:
            done[part.number] = part
    missing = parts._plan.standing(list(done.values()))[0]
    if missing and not finish:
        named = ", ".join(str(number) for number in missing[:8]) + (", ..." if len(missing) > 8 else "")
        raise ValueError(
            f"{len(missing)} of {len(parts)} parts are not done: {named}; run them, or merge with finish=True"
        )
    model = pickle.loads(pickle.dumps(parts._estimator))
    binarizer, dataset, rule = parts._data
    options = parts._options
    if getattr(model, "certificate", False):
        options = {**options, "certificate": "-"}
    outcome = _core.learn_merged(binarizer, dataset, options, parts._plan, list(done.values()), None)
    model.certificate_ = outcome.certificate or None
    model._keep(binarizer, dataset, outcome, rule)
    return model


def _packed(binarizer: _core.Binarizer, dataset: _core.Dataset, options: Options, plan: _core.Plan) -> NDArray[np.uint8]:
    """All that a part needs, as an array: joblib and its like map or scatter one once, whatever the number of tasks."""
    return np.frombuffer(pickle.dumps((binarizer, dataset, options, plan), protocol=5), dtype=np.uint8)


def _part_of(result: bytes) -> _core.Part:
    if not isinstance(result, bytes):
        raise TypeError(f"expected the bytes that a part returned, got {type(result).__name__}")
    return _core.Part.from_text(result.decode("utf-8", "replace"))


def _search(
    work: NDArray[np.uint8],
    number: int,
    resume: _core.Part | None = None,
    best: _core.Part | None = None,
    seconds: float | None = None,
) -> bytes:
    began = time.monotonic()
    binarizer, dataset, options, plan = pickle.loads(work.data)
    if seconds is not None:
        options = {**options, "time_limit": max(0.0, seconds - (time.monotonic() - began))}
    return _core.search_part(binarizer, dataset, options, plan, number, resume, best).to_text().encode()


# Over the workers of joblib


def num_workers(n_jobs: int | None) -> int:
    """Processes that joblib has been told to use, by ``parallel_config(backend=...)``; 1 where there is no such word.

    A fit that is itself the work of such a process gets 1: workers do not ask for workers.
    """
    backend, _ = get_active_backend(prefer="threads")
    if getattr(backend, "uses_threads", False) or getattr(backend, "supports_sharedmem", False):
        return 1
    if (backend.nesting_level or 0) > 0 or _in_dask_worker():
        return 1
    return int(joblib.effective_n_jobs(n_jobs))


def _in_dask_worker() -> bool:
    if "distributed" not in sys.modules:
        return False
    try:
        sys.modules["distributed"].get_worker()
    except (ValueError, AttributeError):
        return False
    return True


def learn(
    estimator: Any,
    binarizer: _core.Binarizer,
    dataset: _core.Dataset,
    options: Options,
    callback: Callable[[_core.Progress], Any] | None,
) -> _core.Outcome:
    """Learn: over joblib's processes where a backend is chosen and the search has parts, else by threads here."""
    keep, folds = keeps_interrupted(estimator), estimator.__dict__.pop("_fold_rows", [])
    workers = num_workers(getattr(estimator, "n_jobs", None)) if hasattr(estimator, "_one_depth") else 1
    if workers == 1 or _core.indivisible(binarizer, options) is not None:
        return _core.learn(binarizer, dataset, options, callback, keep, folds)
    each = {**options, "threads": (estimator.options or {}).get("threads", 1)}
    return Spread(binarizer, dataset, each, workers, callback).learn(keep)


class Spread:
    """One search over the workers of joblib. A worker that dies costs the part that it was at."""

    def __init__(
        self,
        binarizer: _core.Binarizer,
        dataset: _core.Dataset,
        options: Options,
        workers: int,
        callback: Callable[[_core.Progress], Any] | None,
    ) -> None:
        self._began = time.monotonic()
        self._limit = options.get("time_limit")
        self._data = (binarizer, dataset)
        self._options = options
        self._workers = workers
        self._callback = callback
        self._done: dict[int, _core.Part] = {}
        self._best: _core.Part | None = None
        self._stopped = False

    def learn(self, keep: bool) -> _core.Outcome:
        """As ``_core.learn``."""
        try:
            plan = _core.plan_search(*self._data, self._within(0.5), self._workers * PARTS_PER_WORKER, self._callback)
        except KeyboardInterrupt:
            if not keep:
                raise
            outcome = _core.learn(*self._data, {**self._options, "time_limit": 1.0}, self._callback, keep)
            outcome.interrupted = True
            return outcome
        if plan is None:  # half of the time is gone, or the callback stopped it: the rest is not divided
            outcome = _core.learn(*self._data, self._within(1.0), self._callback, keep)
            outcome.seconds = time.monotonic() - self._began
            return outcome
        self._plan = plan
        grace = time.monotonic() - self._began  # to prepare the search again takes less than that
        self._work = _packed(*self._data, self._options, self._plan)
        interrupted = False
        try:
            self._search()
        except KeyboardInterrupt:
            if not keep:
                raise
            interrupted = True
        over = interrupted or self._stopped
        options = {**self._options, "threads": min(self._workers, os.cpu_count() or 1)}
        done = list(self._done.values())
        if over or self._limit is not None:
            # A proof needs a little time for what follows it. Without one there is nothing to search for: the best so far stands.
            least = MOMENT if self._plan.standing(done)[0] else 0.5 + grace
            options["time_limit"] = max(least, 0.0 if over else self._left() or 0.0)
        outcome = _core.learn_merged(*self._data, options, self._plan, done, self._callback, keep)
        outcome.seconds = time.monotonic() - self._began
        outcome.interrupted = outcome.interrupted or interrupted
        outcome.stopped = outcome.stopped or self._stopped
        return outcome

    def _left(self) -> float | None:
        return None if self._limit is None else max(0.0, float(self._limit) - (time.monotonic() - self._began))

    def _within(self, share: float) -> Options:
        """Options with that share of the time that is left."""
        left = self._left()
        return self._options if left is None else {**self._options, "time_limit": share * left}

    def _missing(self) -> list[int]:
        return [i for i in range(self._plan.num_parts) if i not in self._done and not self._plan.is_empty(i)]

    def _over(self) -> bool:
        return self._stopped or self._left() == 0

    def _search(self) -> None:
        idle = 0
        while (missing := self._missing()) and not self._over():
            try:
                for result in self._results(missing):
                    self._take(_part_of(result))
            except Exception as error:  # whatever the executor raises where a worker is gone
                idle = 0 if len(self._missing()) < len(missing) else idle + 1
                if idle >= ROUNDS and not self._done:
                    raise
                if idle >= ROUNDS:
                    warn(f"the workers fail ({_in_short(error)}); the rest is searched here")
                    return
                warn(f"a worker was lost ({_in_short(error)}); its part is searched again")

    def _tasks(self, numbers: Iterable[int]) -> Iterator[Any]:
        for number in numbers:
            if self._over():
                return
            yield joblib.delayed(_search)(self._work, number, None, self._best, self._left())

    def _results(self, missing: list[int]) -> Iterator[bytes]:
        """As they come, where the backend can do that; else a few for each worker at a time."""
        given: dict[str, Any] = {"n_jobs": self._workers, "batch_size": 1, "pre_dispatch": "n_jobs"}
        backend, _ = get_active_backend(prefer="threads")
        if getattr(backend, "supports_return_generator", False):
            yield from joblib.Parallel(return_as="generator_unordered", **given)(self._tasks(missing))
            return
        wave = self._workers * PARTS_PER_WORKER // 2
        for at in range(0, len(missing), wave):
            yield from joblib.Parallel(**given)(self._tasks(missing[at : at + wave]))

    def _take(self, part: _core.Part) -> None:
        self._done[part.number] = part
        if self._best is None or part.error < self._best.error:
            self._best = part
        if self._callback is None:
            return
        _, lower, upper = self._plan.standing(list(self._done.values()))
        scale = self._data[1].weight_scale
        share = sum(self._plan.work(number) for number in self._done)
        told = _core.Progress(
            "search", share, lower / scale, None if upper is None else upper / scale, time.monotonic() - self._began
        )
        self._stopped = bool(self._callback(told)) or self._stopped


def _in_short(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0][:200]}" if text else type(error).__name__
