"""Learning from rows of which one shard at a time is in memory."""

from __future__ import annotations

from typing import Any

from . import _core
from ._fit_table import TableBuilder
from ._options import Options, keeps_interrupted
from ._rows import Shard, changed


class ShardReader:
    """Shards of a table as datasets, read anew each time; a table that changes meanwhile is refused."""

    def __init__(self, builder: TableBuilder, binarizer: _core.Binarizer, count: int) -> None:
        self._builder = builder
        self._binarizer = binarizer
        self._count = count
        self._known: dict[int, tuple[int, list[int]]] = {}

    def __call__(self, number: int) -> _core.Dataset:
        rows = self._builder.rows
        groups = rows.engine.groups(self._builder.cuts, rows.labelled, Shard(number, self._count))
        rows.engine.unchanged()
        told = (groups.rows, self._builder.of_classes(groups))
        first = number not in self._known
        if self._known.setdefault(number, told) != told:
            raise changed()
        if first and len(self._known) == self._count:
            sums = [sum(each) for each in zip(*(of_class for _, of_class in self._known.values()))]
            self._builder.check_all(sum(n for n, _ in self._known.values()), sums)
        return self._builder.packed(self._binarizer, groups)


class ShardLearner:
    """In place of ``learn`` for rows in shards. ``dataset`` then has the rows added up that agree on the features found."""

    def __init__(self, builder: TableBuilder, count: int) -> None:
        self._builder = builder
        self._count = count
        self.dataset: _core.Dataset

    def __call__(
        self, estimator: Any, binarizer: _core.Binarizer, frame: _core.Dataset, options: Options, callback: Any
    ) -> _core.Outcome:
        reader = ShardReader(self._builder, binarizer, self._count)
        keep = keeps_interrupted(estimator)
        outcome, self.dataset = _core.learn_shards(binarizer, frame, self._count, reader, options, callback, keep=keep)
        return outcome
