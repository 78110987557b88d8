"""What there is to choose from."""

from __future__ import annotations

from . import _core


def engines() -> dict[str, str]:
    """Names of the engines, and what they do."""
    return {name: summary for name, summary, *_ in _core.engines()}


def options(engine: str | None = None) -> dict[str, str]:
    """Options by name with what they mean; only those that an engine takes, if one is named."""
    taken = {name: taken for name, _, _, taken in _core.engines()}
    if engine is not None and engine not in taken:
        raise ValueError(f"there is no engine {engine!r}; choose one of: {', '.join(taken)}")
    return {
        name: f"{help} ({kind}, default {default or 'none'})"
        for name, kind, default, _, _, help in _core.option_table()
        if engine is None or name in taken[engine]
    }


def export_formats() -> dict[str, str]:
    """Formats of ``export_as``, and what they are."""
    return {name: what for name, what, *_ in _core.export_formats()}
