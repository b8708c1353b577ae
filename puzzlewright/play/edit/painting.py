"""Levels that are painted: the maps of a level with their letters, and a text that has one more level with other maps.

A painted level is one of a text like any other, so that all that is told of it, its optimum and its figures, is told of
that text. The text is the file's own, byte for byte, but for the lines of the level.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from models.data import raw_data
from models.document import Document, read_document
from models.errors import PuzzleError
from models.outcomes import Deadline, Limits, Outcome
from models.puzzle import Puzzle
from models.text import Text
from models.values import Value, plain
from puzzlewright.analysis.level_changes import grid_of, is_rows, maps_in
from puzzlewright.files.level_writing import LevelWriter, with_level
from puzzlewright.play.bench import MEMORY
from puzzlewright.play.catalogue import in_words
from puzzlewright.play.game import Game, GameSource
from puzzlewright.play.wire import BAD, BadRequest
from puzzlewright.solving.request import Request

WRITING = 5.0  # seconds for a level's lines
MOST_SQUARES, MOST_LETTERS, MOST_LEVELS = 2500, 60, 60  # of a map that is painted; levels whose letters are offered
STATES, SECONDS = 300_000, 4.0  # of the space whose figures are told
NAME = re.compile(r"[\w-]{1,60}")
Told = dict[str, Any]
Rows = list[list[Any]]


def maps_of(document: Document, puzzle: Puzzle) -> list[Told]:
    """The maps of a level, each with the letters that it and the others use; none where it states its start."""
    level = document.levels.get(Text(puzzle.level))
    if level is not None and (level.state is not None or level.after is not None):
        return []
    names = [name for name in maps_in(puzzle.data) if name in document.data]
    return [{"name": name, "rows": _rows(puzzle.data[name]), "letters": _letters(document, name, puzzle.data[name])}
            for name in names if _is_even(puzzle.data[name])]  # fmt: skip


def _is_even(value: Value) -> bool:
    """May it be painted: a board with rows of one length, and not too large?"""
    lengths = {len(row) for row in _rows(value)}
    return len(lengths) == 1 and 0 < len(grid_of(value)) <= MOST_SQUARES


def _rows(value: Value) -> Rows:
    assert isinstance(value, tuple)
    rows = value if is_rows(value) else (value,)
    return [[plain(square) for square in row] for row in rows]


def _letters(document: Document, name: str, own: Value) -> list[Any]:
    """What stands in the maps of that name, this level's first."""
    values = [own]
    for level in list(map(str, document.levels))[:MOST_LEVELS]:
        values.append(raw_data(document, level, {})[0][name])
    alike = [value for value in values if isinstance(value, tuple) and is_rows(value) == is_rows(own)]
    squares = [square for value in alike for square in grid_of(value).values()]
    return [plain(square) for square in dict.fromkeys(squares)][:MOST_LETTERS]


def painted(source: GameSource, maps: Mapping[str, Rows], name: str, known: Mapping[str, object]) -> Told:
    """The text with a level of these maps, made from the source's level; else what is wrong, in words."""
    try:
        puzzle = source.read()
        known_maps = {each["name"] for each in maps_of(read_document(source.text, source.name), puzzle)}
        data = {each: _formed(puzzle.data[each], rows) for each, rows in maps.items() if each in known_maps}
        writer = LevelWriter(puzzle, source.text, Deadline().within(WRITING))
        written = writer.with_data(name, data, known)
        text = with_level(source.text, source.name, written.text)
    except PuzzleError as error:
        return {"text": None, "says": in_words(error)}
    return {"text": text, "level": written.name, "says": ""}


def _formed(form: Value, rows: Rows) -> Value:
    """The rows as the datum has its own: texts, lists, or one list."""
    made = tuple("".join(map(str, row)) if isinstance(old, str) else tuple(row)
                 for row, old in zip(rows, _forms(form, rows), strict=True))  # fmt: skip
    return made if is_rows(form) else made[0]


def _forms(form: Value, rows: Rows) -> Sequence[Value]:
    """A row of the datum for each of the rows: more are like its last one."""
    assert isinstance(form, tuple)
    return [form[min(number, len(form) - 1)] if is_rows(form) else form for number in range(len(rows))]


def checked_maps(maps: Mapping[str, Any]) -> dict[str, Rows]:
    """Maps from the wire; BadRequest where they are none."""
    for rows in maps.values():
        squares = [square for row in rows for square in row] if _are_lists(rows) else [None]
        if not 0 < len(squares) <= MOST_SQUARES or not all(type(each) in (str, int) for each in squares):
            raise BadRequest(BAD, f"`maps` must be rows of letters or numbers, at most {MOST_SQUARES}")
    return dict(maps)


def _are_lists(rows: Any) -> bool:
    return isinstance(rows, list) and all(isinstance(row, list) and row for row in rows)


def figures(game: Game) -> Told:
    """How many states, best plans and dead ends a level has, if its space is small; None is what is not known."""
    from puzzlewright.analysis.exploring import explore
    from puzzlewright.analysis.space_figures import SpaceFigures

    limits = Limits(SECONDS, STATES, MEMORY)
    found = explore(game.puzzle, Request(metrics=(game.metric,), limits=limits, symmetry=False)).payload(SpaceFigures)
    if found is None or not found.exhausted:
        return {"states": None, "plans": None, "dead_ends": None}
    return {"states": found.states, "plans": found.optimal_plans, "dead_ends": found.dead_ends}


def designed(source: GameSource, want: str, seconds: float, seed: int) -> Told:
    """The maps of a level that is harder or easier than the source's, or another; words where none was found."""
    from puzzlewright.analysis.designing import Designed, DesignWanted, design

    try:
        puzzle = source.read()
        request = Request(limits=Limits(seconds, memory_mb=MEMORY), seed=seed)
        report = design(puzzle, request, DesignWanted(want, seconds, text=source.text))
        found = report.payload(Designed)
        if found is None or not found.better or report.outcome is not Outcome.OPTIMAL:
            return {"maps": None, "says": "no such level was found in this time"}
        text = with_level(source.text, source.name, found.text)
        level = GameSource(text, source.name, found.level).read()
        return {"maps": maps_of(read_document(text, source.name), level), "says": found.headline(report)}
    except PuzzleError as error:
        return {"maps": None, "says": in_words(error)}
