"""What there is to choose from."""

from __future__ import annotations

from . import _core
from ._meant import meant


def engines() -> dict[str, str]:
    """The engines: name and what it does."""
    return {name: summary for name, summary, *_ in _core.engines()}


def options(engine: str | None = None) -> dict[str, str]:
    """The options: name and meaning; only those of one engine, if it is named."""
    taken = {name: taken for name, _, _, taken in _core.engines()}
    if engine is not None and engine not in taken:
        raise ValueError(f"unknown engine {engine!r}{meant(engine, taken)}; the engines are: {', '.join(taken)}")
    return {
        name: f"{help} ({kind}, default {default or 'none'})"
        for name, kind, default, _, _, help in _core.option_table()
        if engine is None or name in taken[engine]
    }


def export_formats() -> dict[str, str]:
    """The formats of ``export_as``: name and description."""
    return {name: what for name, what, *_ in _core.export_formats()}
