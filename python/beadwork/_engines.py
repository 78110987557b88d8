"""Classifiers to compare with: CART, oblivious graphs, optimal trees by MaxSAT."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import _core
from ._base import DiagramClassifier
from ._options import Options


class CARTClassifier(DiagramClassifier):
    """CART's decision tree on the same binary features: greedy, not pruned.

    Parameters
    ----------
    depth : int, default=4
    impurity : {"gini", "entropy"}, default="gini"
    min_split, min_leaf : int, default=2 and 1
        The least number of rows of a node that is split, and of each side of a split.
    class_weight, min_weight_fraction_leaf, thresholds, reading, options : as in BDDClassifier

    Attributes
    ----------
    Those of BDDClassifier; nothing is proven, so ``status_`` is "feasible".
    """

    engine = "cart"

    def __init__(
        self,
        depth: int = 4,
        *,
        impurity: str = "gini",
        min_split: int = 2,
        min_leaf: int = 1,
        class_weight: Mapping[Any, float] | str | None = None,
        min_weight_fraction_leaf: float = 0,
        thresholds: str | int = "auto",
        reading: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.depth = depth
        self.impurity = impurity
        self.min_split = min_split
        self.min_leaf = min_leaf
        self.class_weight = class_weight
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.thresholds = thresholds
        self.reading = reading
        self.options = options

    def _options(self) -> Options:
        chosen = {"impurity": self.impurity, "min_split": self.min_split, "min_leaf": self.min_leaf}
        return {"depth": self.depth, **chosen, **self._common_options()}

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> CARTClassifier:
        """Learn a tree; see BDDClassifier.fit."""
        self._fit(X, y, sample_weight)
        return self


class OODGClassifier(DiagramClassifier):
    """Oblivious decision graphs: greedy, one feature per level, subtrees merged.

    Parameters
    ----------
    depth : int, default=4
    variant : {"oodg", "hoodg", "odt"}, default="oodg"
        "oodg" merges from the top down, "hoodg" orders and merges from the bottom up, "odt" does not merge (a tree).
    merge_z : float, default=0
        "oodg" also merges subtrees that disagree, judged with this many standard deviations.
    class_weight, min_weight_fraction_leaf, thresholds, reading, options : as in BDDClassifier
    """

    def __init__(
        self,
        depth: int = 4,
        *,
        variant: str = "oodg",
        merge_z: float = 0,
        class_weight: Mapping[Any, float] | str | None = None,
        min_weight_fraction_leaf: float = 0,
        thresholds: str | int = "auto",
        reading: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.depth = depth
        self.variant = variant
        self.merge_z = merge_z
        self.class_weight = class_weight
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.thresholds = thresholds
        self.reading = reading
        self.options = options

    @property
    def engine(self) -> str:  # type: ignore[override]
        """The engine that learns."""
        return self.variant

    def _options(self) -> Options:
        options: Options = {"depth": self.depth, **self._common_options()}
        if self.merge_z:
            options["merge_z"] = float(self.merge_z)
        return options

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OODGClassifier:
        """Learn a graph; see BDDClassifier.fit."""
        if self.variant not in ("oodg", "hoodg", "odt"):
            raise ValueError(f'variant: expected "oodg", "hoodg" or "odt", got {self.variant!r}')
        self._fit(X, y, sample_weight)
        return self


class MaxSATTreeClassifier(DiagramClassifier):
    """Optimal decision trees by MaxSAT, for small depths and few rows.

    Parameters
    ----------
    depth : int, default=2
    time_limit : float, default=None
        Seconds; the best tree so far is kept.
    on_interrupt : {"raise", "keep"}, default="raise"
        What Ctrl-C does, as in BDDClassifier.
    memory_limit : int, default=None
        Memory limit for learning, in MiB.
    random_state, class_weight, min_weight_fraction_leaf, thresholds, reading, options, verbose, callback : as in BDDClassifier
    """

    engine = "maxsat-dt"

    def __init__(
        self,
        depth: int = 2,
        *,
        time_limit: float | None = None,
        on_interrupt: str = "raise",
        memory_limit: int | None = None,
        random_state: Any = None,
        class_weight: Mapping[Any, float] | str | None = None,
        min_weight_fraction_leaf: float = 0,
        thresholds: str | int = "auto",
        reading: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        verbose: int | str = "auto",
        callback: Callable[[_core.Progress], Any] | None = None,
    ) -> None:
        self.depth = depth
        self.time_limit = time_limit
        self.on_interrupt = on_interrupt
        self.memory_limit = memory_limit
        self.random_state = random_state
        self.class_weight = class_weight
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.thresholds = thresholds
        self.reading = reading
        self.options = options
        self.verbose = verbose
        self.callback = callback

    def _options(self) -> Options:
        return {"depth": self.depth, **self._common_options()}

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MaxSATTreeClassifier:
        """Learn a tree; see BDDClassifier.fit."""
        self._fit(X, y, sample_weight)
        return self
