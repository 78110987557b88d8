"""The tables of the paper's experiments, fetched when they are first asked for. See docs/data.md."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from . import _fetch, _tables

__all__ = ["fetch_paper", "paper_names"]


def paper_names() -> list[str]:
    """The names that fetch_paper takes, in the paper's order of letters."""
    return sorted(table["name"] for table in _tables.manifest() if table["kind"] == "paper")


def fetch_paper(
    name: str,
    *,
    data_home: str | os.PathLike[str] | None = None,
    download_if_missing: bool = True,
    return_X_y: bool = False,
    as_frame: bool = False,
    n_retries: int = 3,
    delay: float = 1.0,
) -> Any:
    """One of the paper's 15 tables of 0/1 features, from the cache or the network.

    Parameters
    ----------
    name : str
        For example "vote"; ``paper_names()`` lists them.
    data_home : path, optional
        The folder of the cache. By default $BEADWORK_DATA, or else ~/.cache/beadwork, where ``make data`` puts them too.
    download_if_missing : bool
        If False, raise an OSError where the table is not in the cache.
    return_X_y : bool
        Return ``(data, target)`` instead of a Bunch.
    as_frame : bool
        With pandas: a DataFrame and a Series.
    n_retries : int
        Further attempts after a fault of the network that may pass.
    delay : float
        Seconds before the first of them, doubled with each.

    Returns
    -------
    Bunch
        With ``data`` (rows x features, 0/1), ``target`` (0/1), ``feature_names``, ``target_names``, ``frame`` (with as_frame),
        ``filename`` and ``DESCR``.
    """
    known = {table["name"]: table for table in _tables.manifest() if table["kind"] == "paper"}
    if name not in known:
        near = difflib.get_close_matches(str(name), known, 1)
        meant = f"did you mean '{near[0]}'?" if near else f"expected one of {', '.join(sorted(known))}"
        raise ValueError(f"the paper has no table '{name}'; {meant}")
    table = known[name]
    home = Path(data_home).expanduser() if data_home is not None else _tables.home()
    path = _fetch.place_of(table, home)
    if not _fetch.is_there(table, home):
        if not download_if_missing:
            raise OSError(f"{path} is not there, or is not the paper's table, and download_if_missing is False")
        try:
            _fetch.fetch(table, home, retries=n_retries, delay=delay)
        except _fetch.Unavailable as reason:
            raise OSError(f"the table '{name}' could not be had: {reason}") from None
    matrix = np.loadtxt(path, dtype=np.int8, ndmin=2)
    data, target = np.ascontiguousarray(matrix[:, 1:]), matrix[:, 0].astype(np.int64)
    return _as_asked(table, path, data, target, return_X_y, as_frame)


def _as_asked(table: _tables.Table, path: Path, data: Any, target: Any, return_X_y: bool, as_frame: bool) -> Any:
    names = [f"f{i}" for i in range(1, data.shape[1] + 1)]
    frame = None
    if as_frame:
        import pandas

        data = pandas.DataFrame(data, columns=names)
        target = pandas.Series(target, name="class")
        frame = data.assign(**{"class": target})
    if return_X_y:
        return data, target
    about = f"{table['name']}: {data.shape[0]} rows, {data.shape[1]} binary features. Source: {table['source']}. Licence: {table['licence']}."
    return Bunch(data=data, target=target, frame=frame, feature_names=names, target_names=np.array(["0", "1"]), filename=str(path), DESCR=about)
