"""The built-in puzzles: names, levels, known values."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from models.data import as_value
from models.document import read_document
from models.frozen import frozen
from models.outcomes import Outcome
from puzzlewright.files.library import built_in
from puzzlewright.report import Report, Table, line_width


@frozen(eq=True)
class Listing(Table):
    """A row for each puzzle."""

    def as_text(self, report: Report) -> Iterator[str]:
        """The name of every puzzle, what it is about, its levels with the best known cost."""
        width = line_width()
        for row in self.rows:
            yield row["puzzle"]
            levels = ", ".join(_level(level) for level in row["levels"])
            for text in (row["about"], f"levels (best cost): {levels}" if levels else ""):
                for line in textwrap.wrap(text, width - 4, break_on_hyphens=False):
                    yield f"    {line}"


def _level(level: Mapping[str, Any]) -> str:
    known = level["known"]
    if known.get("solvable") is False:
        return f"{level['level']} (unsolvable)"
    best, bound = (known["optimal"], "") if "optimal" in known else (known.get("at_most"), "at most ")
    costs = ", ".join(f"{cost} {metric}" for metric, cost in best.items()) if isinstance(best, dict) else best
    return str(level["level"]) + ("" if costs is None else f" ({bound}{costs})")


def listing() -> Report:
    """One row for each puzzle."""
    rows = [_row(name, path.read_text(encoding="utf-8"), str(path)) for name, path in built_in().items()]
    return Report("list", Outcome.VALID, payloads=(Listing(tuple(rows)),))


def _row(name: str, text: str, path: str) -> dict[str, Any]:
    document = read_document(text, path)
    levels = [{"level": str(key), "known": _plain(level.known or {})} for key, level in document.levels.items()]
    return {"puzzle": name, "about": str(document.about or ""), "levels": levels}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return as_value(value, False)
