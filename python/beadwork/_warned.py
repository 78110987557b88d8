"""Warnings: at the line of the caller, and what says the same once."""

from __future__ import annotations

import contextlib
import re
import sys
import warnings
from collections.abc import Collection, Iterator
from pathlib import Path

_HERE = str(Path(__file__).parent)


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line from which the package was called, however deep in it this is."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and str(Path(frame.f_code.co_filename).parent) == _HERE:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


@contextlib.contextmanager
def each_once(said: Collection[str] = ()) -> Iterator[None]:
    """Of the warnings inside, which differ in numbers alone, the first; none that is like one of those already said.

    For what fits many times: on other rows the same warning has other counts.
    """
    with warnings.catch_warnings(record=True) as caught:
        yield
    seen: set[tuple[type[Warning], str]] = {(UserWarning, _without_counts(text)) for text in said}
    for one in caught:
        key = (one.category, _without_counts(str(one.message)))
        if key not in seen:
            seen.add(key)
            warnings.showwarning(one.message, one.category, one.filename, one.lineno)


_QUOTED = re.compile(r"('[^']*')")


def _without_counts(text: str) -> str:
    """Numbers are counts, except in quotes: there they belong to a name. Of values in quotes only the first is a name."""
    pieces = _QUOTED.split(text)
    return "".join(piece if i == 1 else "'...'" if i % 2 else re.sub(r"\d+", "#", piece) for i, piece in enumerate(pieces))
