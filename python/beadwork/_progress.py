"""What a fit shows while it runs."""

from __future__ import annotations

import multiprocessing
import sys
import warnings
from collections.abc import Callable
from typing import Any

from . import _core

Callback = Callable[[_core.Progress], Any]
PATIENCE = 2.0  # seconds before verbose="auto" shows a bar


class ProgressBar:
    """Hands progress to a callback and shows it: by tqdm where installed, else as a line on stderr.

    tqdm draws a widget in a notebook that has ipywidgets. The bar appears once a fit has taken ``after`` seconds.
    """

    def __init__(self, callback: Callback | None, after: float = 0) -> None:
        self._callback = callback
        self._after = after
        self._bar: Any = None
        self._plain = False

    def __call__(self, progress: _core.Progress) -> bool:
        if progress.seconds >= self._after:
            self._show(progress)
        return bool(self._callback(progress)) if self._callback is not None else False

    def _show(self, progress: _core.Progress) -> None:
        best = "?" if progress.upper_bound is None else f"{progress.upper_bound:g}"
        text = f"{progress.phase}: best {best}, bound {progress.lower_bound:g}"
        if self._bar is None and not self._plain:
            self._bar = _new_bar()
            self._plain = self._bar is None
        if self._plain:
            print(f"\r{text}, {100 * progress.share:.1f} % done ", end="", file=sys.stderr, flush=True)
        else:
            self._bar.set_description(text, refresh=False)
            self._bar.n = round(100 * progress.share, 1)
            self._bar.refresh()

    def close(self) -> None:
        """End the line."""
        if self._plain:
            print(file=sys.stderr)
        elif self._bar is not None:
            self._bar.close()


def _new_bar() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without ipywidgets: tqdm writes text
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return None
        return tqdm(total=100, unit="%", bar_format="{desc} {percentage:3.0f}%|{bar}| {elapsed}")


def _someone_looks() -> bool:
    """A terminal or a notebook, and not a process among several."""
    if multiprocessing.current_process().name != "MainProcess":
        return False
    shell = sys.modules.get("IPython")
    kernel = shell is not None and getattr(shell.get_ipython(), "kernel", None) is not None
    return kernel or (sys.stderr is not None and sys.stderr.isatty())


def watching(callback: Callback | None, verbose: int | str) -> tuple[Callback | None, Callable[[], None]]:
    """The callback that the engine is given, and what to call at the end."""
    if isinstance(verbose, str) and verbose != "auto":
        raise ValueError(f'verbose: expected "auto", 0 or 1, got {verbose!r}')
    if not verbose or (verbose == "auto" and not _someone_looks()):
        return callback, lambda: None
    bar = ProgressBar(callback, PATIENCE if verbose == "auto" else 0)
    return bar, bar.close
