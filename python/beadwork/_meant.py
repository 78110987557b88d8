"""What somebody most likely meant by a name that is none."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterable, Mapping
from typing import Any

# What scikit-learn, other programs or our own other doors call it.
_ELSEWHERE = {
    "max_depth": ["depth"],
    "max_leaf_nodes": ["max_nodes"],
    "timeout": ["time_limit"],
    "seconds": ["time_limit"],
    "threads": ["n_jobs"],
    "n_jobs": ["threads"],
    "n_threads": ["n_jobs", "threads"],
    "seed": ["random_state"],
    "random_state": ["seed"],
    "criterion": ["impurity"],
    "min_samples_split": ["min_split"],
    "min_samples_leaf": ["min_leaf"],
    "progress": ["verbose"],
    "exclude": ["forbid"],
    "include": ["require"],
}


def meant(name: Any, known: Iterable[str]) -> str:
    """ "; did you mean 'depth'?", or nothing where no known name is near."""
    known = list(known)
    if not isinstance(name, str):
        return ""
    plain = name.lower().replace("-", "_")
    for other in _ELSEWHERE.get(plain, []):
        if other in known:
            return f"; did you mean {other!r}?"
    near = difflib.get_close_matches(plain, known, 1, 0.65)
    return f"; did you mean {near[0]!r}?" if near else ""


class KnownParameters:
    """A misspelt parameter is answered with the one that was meant. Mixed in before BaseEstimator."""

    def __new__(cls, *args: Any, **given: Any) -> Any:
        """Before ``__init__``, which would only name the wrong one."""
        taken = inspect.signature(cls.__init__).parameters
        known = [name for name in taken if name != "self"]
        for name in given if not any(p.kind is p.VAR_KEYWORD for p in taken.values()) else ():
            if name not in known:
                near = meant(name, known) or f"; the parameters are: {', '.join(known)}"
                raise TypeError(f"{cls.__name__} has no parameter {name!r}{near}")
        return super().__new__(cls)

    def set_params(self, **given: Any) -> Any:
        """Set parameters, as of any estimator of scikit-learn."""
        known: Mapping[str, Any] = self.get_params(deep=False)  # type: ignore[attr-defined]
        for name in given:
            near = "" if name.partition("__")[0] in known else meant(name, known)
            if near:
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}{near}")
        return super().set_params(**given)  # type: ignore[misc]
