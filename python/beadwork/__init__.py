"""Provably optimal binary decision diagrams as classifiers.

``BDDClassifier`` is a scikit-learn classifier whose model is a small diagram with a proof that no other one of its depth
makes fewer training errors. See docs/python.md.
"""

from __future__ import annotations

from ._classifier import BDDClassifier
from ._core import Diagram, Progress, TruthTable, __version__

__all__ = ["BDDClassifier", "Diagram", "Progress", "TruthTable", "__version__"]
