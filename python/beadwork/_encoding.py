"""Tables as formulas, for solvers that Python has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._base import TableClassifier, frame_of
from ._columns import read_columns
from ._options import whole
from ._reading import in_units


class _Rows(TableClassifier):
    """Reads X and y as the classifiers do."""

    engine = "search"
    _sorts = False

    def __init__(self, thresholds: str | int = "auto", reading: Mapping[str, Any] | None = None, depth: int = 4) -> None:
        self.thresholds = thresholds
        self.reading = reading
        self.depth = depth


@dataclass(frozen=True)
class Decoded:
    """What an assignment stands for.

    Attributes
    ----------
    diagram : Diagram
        Its features are those of ``feature_names``.
    truth_table : TruthTable or None
        The order of the features and the class of each cell; None for a tree.
    cost : int
        Weight of the soft clauses that the assignment falsifies.
    errors : number
        Weight of the rows that the diagram gets wrong.
    features : list of str
        The features that the diagram tests, from the root on.
    """

    diagram: _core.Diagram
    truth_table: _core.TruthTable | None
    cost: int
    errors: Any
    features: list[str]
    _encoding: Encoding = field(repr=False, compare=False)

    def predict(self, X: Any) -> NDArray[Any]:
        """Classes of the rows of ``X``."""
        return self._encoding._predict(self.diagram, X)

    def drawing(self) -> _core.Model:
        """A model without rows, for ``export_text``, ``export_svg`` and the other pictures."""
        classes = [str(k) for k in self._encoding.classes.tolist()]
        return self.diagram.drawing(self._encoding.feature_names, classes)


class Encoding:
    """A formula whose models are diagrams or trees; ``encode`` makes it.

    Attributes
    ----------
    clauses : list of list of int
        Hard clauses. Literals are numbers from 1, negative where negated.
    soft : list of list of int
    weights : list of int
        Soft clauses and what it costs to falsify them; both are empty for a formula that allows no errors.
    num_vars : int
    names : dict of int to str
        What variables mean.
    base_errors : number
        Weight of errors that no diagram avoids and that the formula does not count (bdd3, pair).
    weight_scale : int
        Weights of clauses are those of rows times this.
    model, depth, maxsat, feature_names, classes
    """

    def __init__(self, core: _core.Encoded, binarizer: _core.Binarizer, dataset: _core.Dataset, rows: _Rows) -> None:
        self._core, self._binarizer, self._rows = core, binarizer, rows
        self.model, self.depth, self.maxsat = core.model, core.depth, core.maxsat
        self.num_vars = core.num_vars
        self.clauses, self.soft, self.weights = core.hard(), core.soft(), core.weights()
        self.names = dict(core.names())
        self.weight_scale = dataset.weight_scale
        self.base_errors = in_units(core.base_errors, dataset.weight_scale)
        self.feature_names = list(dataset.feature_names)
        self.classes: NDArray[Any] = rows.classes_

    def __repr__(self) -> str:
        soft = f", {len(self.soft)} soft clauses" if self.maxsat else ""
        return f"<Encoding {self.model}, depth {self.depth}: {self.num_vars} variables, {len(self.clauses)} clauses{soft}>"

    def to_pysat(self) -> Any:
        """``pysat.formula.WCNF``, or ``CNF`` where there is nothing soft; needs python-sat."""
        from pysat.formula import CNF, WCNF  # type: ignore[import-not-found,import-untyped,unused-ignore]

        if not self.maxsat:
            formula = CNF(from_clauses=self.clauses)
            formula.nv = max(formula.nv, self.num_vars)
            return formula
        weighted = WCNF()
        weighted.extend(self.clauses)
        weighted.extend(self.soft, weights=self.weights)
        weighted.nv = max(weighted.nv, self.num_vars)
        return weighted

    def to_dimacs(self) -> str:
        """The text of a CNF file, or of a WCNF file in the format of 2022, as ``beadwork encode`` writes it."""
        return self._core.dimacs()

    def decode(self, assignment: Iterable[int] | str) -> Decoded:
        """The diagram of a model: literals, as python-sat gives them, or a text of 0 and 1, a ``v`` line without its v.

        An assignment that falsifies a hard clause is a ValueError.
        """
        if assignment is None:
            raise ValueError("there is no assignment: the solver found no model")
        if isinstance(assignment, str):
            if len(assignment) < self.num_vars or set(assignment) - set("01"):
                raise ValueError(f"a text is a 0 or 1 for each of the {self.num_vars} variables")
            literals = [v if bit == "1" else -v for v, bit in enumerate(assignment, 1)]
        else:
            literals = [int(literal) for literal in assignment]
        table, diagram, cost, errors = self._core.decode(literals)
        features = [self.feature_names[f] for f in diagram.used_features]
        return Decoded(diagram, table, cost, in_units(errors, self.weight_scale), features, self)

    def _predict(self, diagram: _core.Diagram, X: Any) -> NDArray[Any]:
        columns = read_columns(X, self._rows, reset=False)
        bits = np.ascontiguousarray(self._binarizer.bits(frame_of(columns, self._binarizer)), dtype=np.uint8)
        return np.asarray(self.classes[diagram.classify(bits)])


def encode(
    X: Any,
    y: Any,
    depth: int,
    model: str = "bdd2",
    *,
    maxsat: bool | None = None,
    sample_weight: Any = None,
    thresholds: str | int = "auto",
    reading: Mapping[str, Any] | None = None,
) -> Encoding:
    """Write a table as a SAT or MaxSAT formula, the one that ``beadwork encode`` writes.

    Parameters
    ----------
    X, y, sample_weight : as in BDDClassifier.fit
    depth : int
        Features of the diagram, or tests on a path of a tree.
    model : {"bdd1", "bdd2", "bdd3", "pair", "dt"}, default="bdd2"
        bdd1 and bdd2 are the paper's (exactly ``depth`` features, a root that is a bead, two classes), bdd3 and pair ours
        (at most ``depth`` features), dt is MaxSAT-DT.
    maxsat : bool, default=None
        False: is there a diagram without errors (bdd1, bdd2)? True: the fewest errors (all but bdd1). None: True where
        there is the choice.
    thresholds, reading : as in BDDClassifier

    Returns
    -------
    Encoding
    """
    depth = whole("depth", depth)
    if not 1 <= depth <= 20:
        raise ValueError(f"depth: expected a number from 1 to 20, got {depth}")
    rows = _Rows(thresholds, reading, depth)
    binarizer, dataset, _ = rows._read(X, y, sample_weight)
    return Encoding(_core.encode(dataset, model, depth, maxsat), binarizer, dataset, rows)
