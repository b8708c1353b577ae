"""The built-in puzzles: names, levels, known values."""

from __future__ import annotations

from typing import Any

from models.data import as_value
from models.document import read_document
from models.outcomes import Outcome
from puzzlewright.files.library import built_in
from puzzlewright.report import Report


def listing() -> Report:
    """One row for each puzzle."""
    rows = [_row(name, path.read_text(encoding="utf-8"), str(path)) for name, path in built_in().items()]
    return Report("list", Outcome.VALID, rows=tuple(rows))


def _row(name: str, text: str, path: str) -> dict[str, Any]:
    document = read_document(text, path)
    levels = [{"level": str(key), "known": _plain(level.known or {})} for key, level in document.levels.items()]
    return {"puzzle": name, "about": str(document.about or ""), "levels": levels}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return as_value(value, False)
