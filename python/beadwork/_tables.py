"""The tables that are not part of the project: what is known of them, and where they are on this machine.

Without dependencies, so that tools/tables.py can use it where the package is not built.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

Table = dict[str, Any]


def manifest(path: Path | None = None) -> list[Table]:
    """An entry a table: kind, name, file, sha256 (of what is unpacked), rows, source, licence; how it is had: address, derived, remark."""
    text = (path or Path(__file__).with_name("tables.json")).read_text(encoding="utf-8")
    tables: list[Table] = json.loads(text)["tables"]
    return tables


def home() -> Path:
    """The folder that tables are put into: $BEADWORK_DATA, else the user's cache."""
    named = os.environ.get("BEADWORK_DATA")
    if named:
        return Path(named)
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if os.path.isabs(cache) else Path.home() / ".cache") / "beadwork"


def places(beside: Path | None = None) -> list[Path]:
    """Where tables are looked for: $BEADWORK_DATA alone where it is set; else the user's cache, then `beside`."""
    return [home()] if os.environ.get("BEADWORK_DATA") or beside is None else [home(), beside]


def find(kind: str, beside: Path | None = None) -> dict[str, Path] | None:
    """The tables of a kind by name, from the first place that has all of them; None where no place has."""
    wanted = [table for table in manifest() if table["kind"] == kind]
    if not wanted:
        raise ValueError(f"there is no kind of tables '{kind}'")
    for place in places(beside):
        found = {table["name"]: place / kind / table["file"] for table in wanted}
        if all(path.is_file() for path in found.values()):
            return found
    return None
