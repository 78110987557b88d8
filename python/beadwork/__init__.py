"""Provably optimal binary decision diagrams as classifiers.

``BDDClassifier`` is a scikit-learn classifier whose model is a small diagram with a proof that no other one of its depth
makes fewer training errors. See docs/python.md.
"""

from __future__ import annotations

import warnings
from typing import Any

from ._binarizer import TableBinarizer
from ._classifier import BDDClassifier
from ._committee import BDDCommittee
from ._core import Diagram, Progress, TruthTable, version
from ._encoding import Decoded, Encoding, encode
from ._engines import CARTClassifier, MaxSATTreeClassifier, OODGClassifier
from ._export import drawing, export_as, export_dot, export_svg, export_text
from ._front import ParetoFront
from ._graphviz import export_graphviz
from ._lists import engines, export_formats, options
from ._min_depth import MinDepthBDD
from ._page import html_report
from ._parts import SearchPart, SearchParts, merge_parts, search_parts
from ._plot import plot_bdd
from ._tree import to_sklearn_tree

__version__ = version()

__all__ = [
    "BDDClassifier",
    "BDDCommittee",
    "CARTClassifier",
    "Decoded",
    "Diagram",
    "Encoding",
    "MaxSATTreeClassifier",
    "MinDepthBDD",
    "OODGClassifier",
    "ParetoFront",
    "Progress",
    "SearchPart",
    "SearchParts",
    "TableBinarizer",
    "TruthTable",
    "__version__",
    "drawing",
    "encode",
    "engines",
    "export_as",
    "export_dot",
    "export_formats",
    "export_graphviz",
    "export_svg",
    "export_text",
    "html_report",
    "merge_parts",
    "options",
    "plot_bdd",
    "search_parts",
    "to_sklearn_tree",
]


def __getattr__(name: str) -> Any:
    if name == "Binarizer":
        warnings.warn("beadwork.Binarizer is now called beadwork.TableBinarizer", FutureWarning, stacklevel=2)
        return TableBinarizer
    raise AttributeError(f"module 'beadwork' has no attribute {name!r}")
