"""Classifiers to compare with: CART, oblivious graphs, optimal trees by MaxSAT."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

from ._base import DiagramClassifier, SearchingClassifier
from ._options import Options


@dataclass(eq=False, repr=False)
class CARTClassifier(DiagramClassifier):
    """CART's decision tree on the same binary features: greedy, not pruned.

    Parameters
    ----------
    depth : int, default=4
    impurity : {"gini", "entropy"}, default="gini"
    min_split, min_leaf : int, default=2 and 1
        The least number of rows of a node that is split, and of each side of a split.
    class_weight, min_weight_fraction_leaf, thresholds, options : as in BDDClassifier

    Attributes
    ----------
    Those of BDDClassifier; nothing is proven, so ``status_`` is "feasible".
    """

    engine = "cart"

    depth: int = 4
    _: KW_ONLY
    impurity: str = "gini"
    min_split: int = 2
    min_leaf: int = 1

    def _options(self) -> Options:
        chosen = {"impurity": self.impurity, "min_split": self.min_split, "min_leaf": self.min_leaf}
        return {"depth": self.depth, **chosen, **super()._options()}


@dataclass(eq=False, repr=False)
class OODGClassifier(DiagramClassifier):
    """Oblivious decision graphs: greedy, one feature per level, subtrees merged.

    Parameters
    ----------
    depth : int, default=4
    variant : {"oodg", "hoodg", "odt"}, default="oodg"
        "oodg" merges from the top down, "hoodg" orders and merges from the bottom up, "odt" does not merge (a tree).
    merge_z : float, default=0
        "oodg" also merges subtrees that disagree, judged with this many standard deviations.
    class_weight, min_weight_fraction_leaf, thresholds, options : as in BDDClassifier
    """

    depth: int = 4
    _: KW_ONLY
    variant: str = "oodg"
    merge_z: float = 0

    @property
    def engine(self) -> str:
        """The engine that learns."""
        return self.variant

    def _options(self) -> Options:
        options: Options = {"depth": self.depth, **super()._options()}
        if self.merge_z:
            options["merge_z"] = float(self.merge_z)
        return options

    def _prepare(self, X: Any, y: Any, sample_weight: Any) -> None:
        if self.variant not in ("oodg", "hoodg", "odt"):
            raise ValueError(f'variant: expected "oodg", "hoodg" or "odt", got {self.variant!r}')


@dataclass(eq=False, repr=False)
class MaxSATTreeClassifier(SearchingClassifier):
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
    random_state, class_weight, min_weight_fraction_leaf, thresholds, options, verbose, callback : as in BDDClassifier
    """

    engine = "maxsat-dt"

    depth: int = 2
    _: KW_ONLY
    memory_limit: int | None = None

    def _options(self) -> Options:
        return {"depth": self.depth, **super()._options()}
