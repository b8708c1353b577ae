"""What is said of a text while it is written: the reader's complaints at their places, its levels and names, and then
which of its claims hold. Both are work for a process of its own, which may be ended at any time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from models.document import Document, read_document
from models.errors import Diagnostic, Location, PuzzleError
from models.outcomes import Deadline
from models.text import Text
from models.titles import title_of
from puzzlewright.play.catalogue import levels_of
from puzzlewright.play.edit.painting import maps_of, unpainted
from puzzlewright.play.edit.places import place_of
from puzzlewright.play.game import Game, GameSource
from puzzlewright.play.wire import BadRequest

LONGEST = 200  # letters that are said of a name
MOST_NAMES, MOST_TOLD = 2000, 200
KINDS = {  # key of a file: what a name below it is
    "data": "data", "draw": "drawn data", "types": "type", "state": "variable", "define": "definition",
    "actions": "action", "heuristics": "heuristic", "invariants": "invariant",
}  # fmt: skip
Told = dict[str, Any]


def look(source: GameSource, ready: Callable[[GameSource], Game]) -> Told:
    """Title, levels, names and complaints of a text; `ready` makes the level ready to be played."""
    told: Told = {"title": "", "about": "", "levels": [], "names": [], "level": None, "ready": False, "says": "",
                  "maps": [], "unpainted": ""}  # fmt: skip
    try:
        document = read_document(source.text, source.name)
        known = list(map(str, document.levels))
        level = source.level if source.level in known else None
        told |= {"title": title_of(document), "about": str(document.about or ""), "levels": levels_of(document),
                 "names": list(names_of(document))[:MOST_NAMES], "level": level or next(iter(known), None)}  # fmt: skip
        puzzle = ready(replace(source, level=level)).puzzle
    except PuzzleError as error:
        return told | {"diagnostics": rows(error.diagnostics)}
    except BadRequest as reason:
        return told | {"diagnostics": [], "says": reason.words}
    return told | {"diagnostics": rows(puzzle.warnings), "maps": maps_of(document, puzzle),
                   "unpainted": unpainted(document, puzzle), "ready": True}  # fmt: skip


def check_text(source: GameSource, seconds: float) -> Told:
    """All levels read, and a row for each claim: proven, refuted or unknown, with its place and why."""
    from puzzlewright.analysis.verifying import check
    from puzzlewright.printing.reports import headline

    try:
        report = check(source.text, source.name, prove=True, deadline=Deadline().within(seconds))
    except PuzzleError as error:
        return {"says": "", "diagnostics": rows(error.diagnostics), "claims": []}
    document = read_document(source.text, source.name)
    claims = [_claim(document, name, words) for name, words in report.verdicts.items()]
    return {"says": headline(report), "diagnostics": rows(report.diagnostics), "claims": claims}


def _claim(document: Document, name: str, words: str) -> Told:
    status, _, reason = words.partition(": ")
    return {"name": name, "status": status, "reason": reason, **_at(place_of(document, name))}


def rows(diagnostics: Iterable[Diagnostic]) -> list[Told]:
    """Complaints as the page shows them, each once."""
    told = {(each.message, each.location): each for each in diagnostics}
    return [{"message": each.message, "hint": each.hint, "severity": each.severity, "code": each.code,
             **_at(each.location)} for each in list(told.values())[:MOST_TOLD]]  # fmt: skip


def _at(place: Location | None) -> Told:
    """Line and column from 1; 0 where there is no place."""
    return {"line": place.line, "column": place.column, "length": place.length} if place else {"line": 0}


def names_of(document: Document) -> Iterator[Told]:
    """What the file gives a name, with what it says of it."""
    for section, kind in KINDS.items():
        table: Mapping[Text, Any] = getattr(document, section)
        for key, value in table.items():
            yield _name(kind, key, _said(section, value))
    for key, type_ in document.types.items():
        for symbol in type_ if isinstance(type_, list) else ():
            yield _name("symbol", symbol, f"of {key}")


def _name(kind: str, key: Text, says: str) -> Told:
    found = re.match(r"\w+", key)
    whole = f"{key}: {says}" if kind != "symbol" and says else f"{key} {says}"
    return {"name": found[0] if found else str(key), "kind": kind, "says": whole[:LONGEST], "line": key.location.line}


def _said(section: str, value: Any) -> str:
    """The first line of what stands behind a name."""
    if section == "actions":
        return ", ".join(f"{name}: {type_}" for name, type_ in value.params.items())
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    return str(value).partition("\n")[0] if isinstance(value, Text) else ""
