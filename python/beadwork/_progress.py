"""What a fit shows while it runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from . import _core

Callback = Callable[[_core.Progress], Any]


class ProgressBar:
    """Hands progress to a callback and shows it: by tqdm where installed, else as a line on stderr."""

    def __init__(self, callback: Callback | None) -> None:
        self._callback = callback
        self._bar: Any = None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._plain = True
        else:
            self._plain = False
            self._bar = tqdm(total=100, unit="%", bar_format="{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}")

    def __call__(self, progress: _core.Progress) -> bool:
        best = "?" if progress.upper_bound is None else f"{progress.upper_bound:g}"
        text = f"{progress.phase}: best {best}, bound {progress.lower_bound:g}"
        if self._plain:
            print(f"\r{text}, {100 * progress.share:.1f} % done ", end="", file=sys.stderr, flush=True)
        else:
            self._bar.set_description(text, refresh=False)
            self._bar.n = round(100 * progress.share, 1)
            self._bar.refresh()
        return bool(self._callback(progress)) if self._callback is not None else False

    def close(self) -> None:
        """End the line."""
        if self._plain:
            print(file=sys.stderr)
        else:
            self._bar.close()


def watching(callback: Callback | None, verbose: int) -> tuple[Callback | None, Callable[[], None]]:
    """The callback that the engine is given, and what to call at the end."""
    if not verbose:
        return callback, lambda: None
    bar = ProgressBar(callback)
    return bar, bar.close
