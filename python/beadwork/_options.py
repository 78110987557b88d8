"""Parameters of estimators as options of the engine, by name."""

from __future__ import annotations

import numbers
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from . import _core
from ._arrays import text_of
from ._meant import meant
from ._warned import warn

Options = dict[str, Any]


def threads_of(n_jobs: int | None) -> int:
    """Threads for ``n_jobs``, by scikit-learn's reading: None is 1, -1 is all."""
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning")
    if n_jobs > 0:
        return int(n_jobs)
    return max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))


def seed_of(random_state: Any) -> int:
    """A seed for the engine: an int as it is, 0 for None."""
    if random_state is None:
        return 0
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def whole(name: str, value: Any, expected: str = "a whole number") -> int:
    """A parameter that is a whole number; None, text and fractions are refused."""
    if not _is_whole(value):
        raise ValueError(f"{name}: expected {expected}, got {value!r}")
    return int(value)


def _is_whole(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, numbers.Real) and bool(value == value // 1)


MOST_PARTS = 1_000_000  # of a search or of a table, as on the command line


def number_of_parts(name: str, value: Any) -> int:
    """A parameter that says how many parts there are to be."""
    expected = f"a whole number from 1 to {MOST_PARTS}"
    number = whole(name, value, expected)
    if not 1 <= number <= MOST_PARTS:
        raise ValueError(f"{name}: expected {expected}, got {value!r}")
    return number


def keeps_interrupted(estimator: Any) -> bool:
    """Whether Ctrl-C keeps the best so far instead of raising."""
    chosen = getattr(estimator, "on_interrupt", "raise")
    if chosen not in ("raise", "keep"):
        raise ValueError(f'on_interrupt: expected "raise" or "keep", got {chosen!r}')
    return bool(chosen == "keep")


AUTO_LIMIT = 60.0

def seconds_of(time_limit: Any, engine: str, certificate: bool, options: Mapping[str, Any]) -> float | None:
    """A time limit in seconds, None for none; "auto" is 60 s where the search may take long and need not end."""
    if time_limit is None:
        return None
    if not isinstance(time_limit, str):
        return float(time_limit)
    if time_limit != "auto":
        raise ValueError(f'time_limit: expected seconds, None or "auto", got {time_limit!r}')
    free = certificate or any(options.get(name) for name in _core.lasting_options())
    return None if free or engine not in ("search", "local") else AUTO_LIMIT


_READING = {
    "decimal": (".", ","),
    "thousands": (",", ".", "'", " "),
    "dates": ("dmy", "mdy", "ymd"),
}


def reading_of(reading: Mapping[str, Any] | None) -> dict[str, Any]:
    """How columns of text are to be read, checked."""
    out: dict[str, Any] = {}
    for name, value in (reading or {}).items():
        if name in _READING:
            if value not in _READING[name]:
                expected = " or ".join(repr(text) for text in _READING[name])
                raise ValueError(f"reading[{name!r}]: expected {expected}, got {value!r}")
            out[name] = value
        elif name == "max_categories":
            out[name] = whole("reading['max_categories']", value)
            if out[name] < 1:
                raise ValueError(f"reading['max_categories']: expected at least 1, got {value!r}")
        elif name in ("missing", "keep_columns"):
            out[name] = texts([value] if isinstance(value, str) else value)
        elif name == "ordered":
            out[name] = {text_of(column): _order(column, levels) for column, levels in dict(value).items()}
        else:
            known = [*_READING, "missing", "keep_columns", "max_categories", "ordered"]
            raise ValueError(f"reading: unknown key {name!r}{meant(name, known)}; the keys are: {', '.join(known)}")
    return out


def _order(column: Any, levels: Iterable[Any]) -> list[str]:
    out = texts([levels] if isinstance(levels, str) else levels)
    if len(set(out)) < max(2, len(out)):
        raise ValueError(f"reading['ordered'][{column!r}]: expected two or more different values, lowest first, got {out}")
    return out


_PARAMETERS = {
    "keep_column": ("keep_columns", True),
    "missing_also": ("missing", True),
}
_TYPES = {"numeric": "the column as numbers", "nominal": "the column as categories"}  # types come with the frame


def warning_text(message: str, options: Iterable[tuple[str, str]], to: str) -> str:
    """What the table layer warns of, with the parameters that settle it, if any do."""
    given = []
    for option, value in options:
        key, listed = _PARAMETERS.get(option, (option, False))
        if option in _TYPES:
            given.append(_TYPES[option])
        elif key in (*_READING, "keep_columns", "missing", "max_categories"):
            given.append(f"reading={{{key!r}: {[value] if listed else value!r}}}")
    return f"{message}; give {' or '.join(given)} to {to}" if given and to else message


def warn_of(findings: Iterable[tuple[str, list[tuple[str, str]], str]]) -> None:
    """Warn of what the table layer found."""
    for finding in findings:
        warn(warning_text(*finding))


def rule_of(thresholds: str | int) -> str:
    """A rule for thresholds: text as the command line takes it, or how many quantiles."""
    if isinstance(thresholds, (int, np.integer)) and not isinstance(thresholds, bool):
        return f"quantiles:{int(thresholds)}"
    return str(thresholds)


def texts(values: Iterable[Any]) -> list[str]:
    """A list option's values as texts."""
    return [text_of(value) for value in values]


def names_of(name: str, given: Any) -> list[str]:
    """Names of features or columns; a text is one of them."""
    if isinstance(given, str):
        return [text_of(given)]
    if not isinstance(given, Iterable) or isinstance(given, (bytes, Mapping)):
        raise ValueError(f"{name}: expected names, got {given!r}")
    return texts(given)


def cost_texts(costs: Any, num_classes: int) -> list[str]:
    """A cost matrix, true class by predicted class, as the engine takes it."""
    matrix = np.asarray(costs, dtype=np.float64)
    if matrix.shape != (num_classes, num_classes):
        raise ValueError(f"costs has shape {matrix.shape}, expected ({num_classes}, {num_classes})")
    return texts(matrix.ravel().tolist())


def no_depth(given: Mapping[str, Any] | None, parameter: str) -> None:
    """Refuse a depth among the options, where it would count for nothing."""
    if "depth" in (given or {}):
        raise ValueError(f"options: 'depth' is not taken here; give {parameter}")


def check_taken(engine: str, given: Mapping[str, Any]) -> None:
    """Refuse an engine that is not there before any data is read."""
    names = [name for name, *_ in _core.engines()]
    if engine not in names:
        raise ValueError(f"engine: unknown engine {engine!r}{meant(engine, names)}; the engines are: {', '.join(names)}")
    known = sorted(name for name, *_ in _core.option_table())
    for name in given:
        if name not in known:
            near = meant(name, known)
            raise ValueError(f"unknown option {name!r}{near or '; the options are: ' + ', '.join(known)}")
