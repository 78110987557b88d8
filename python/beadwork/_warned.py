"""Warnings at the line of the caller."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

_HERE = str(Path(__file__).parent)


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line from which the package was called, however deep in it this is."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and str(Path(frame.f_code.co_filename).parent) == _HERE:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
