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
from models.errors import Diagnostic, PuzzleError
from models.outcomes import Deadline, Limits, Outcome
from models.puzzle import Puzzle
from models.text import Text
from models.values import Value, plain
from puzzlewright.analysis.level_changes import grid_of, is_rows, maps_in
from puzzlewright.files.level_writing import LevelWriter, read_by_start, with_level
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
    """The maps of a level, each with the letters that it and the others use; none where it cannot be painted."""
    names = [] if unpainted(document, puzzle) else _painted_names(document, puzzle)
    values = {name: _alike(document, name, puzzle.data[name]) for name in names}
    return [{"name": name, "rows": _rows(puzzle.data[name]), "letters": _letters(alike),
             "ragged": any(_is_ragged(value) for value in alike)} for name, alike in values.items()]  # fmt: skip


def unpainted(document: Document, puzzle: Puzzle) -> str:
    """In words why a level has nothing to be painted; empty where it has."""
    level = document.levels.get(Text(puzzle.level))
    if level is not None and (level.state is not None or level.after is not None):
        where = "state" if level.state is not None else "after"
        return f"This level says by `{where}:` where it starts, so no map of it is painted."
    if not any(_squares(puzzle.data[name]) for name in _map_names(document, puzzle)):
        return "The data of this level are no map that could be painted."
    if not _painted_names(document, puzzle):
        return f"The map of this level has more than {MOST_SQUARES:,} squares, too many to be painted."
    return ""


def _map_names(document: Document, puzzle: Puzzle) -> list[str]:
    """Boards, else lists; stacks and texts that START reads, since others are words; all of letters and numbers."""
    read = [name for name in read_by_start(document) if name in puzzle.data]
    boards = [name for name in maps_in(puzzle.data) if name in read or not _is_ragged(puzzle.data[name])]
    texts = [name for name in read if isinstance(puzzle.data[name], str) and len(_squares(puzzle.data[name])) > 1]
    return [name for name in boards or texts if _is_plain(puzzle.data[name])]


def _is_plain(value: Value) -> bool:
    return all(type(plain(each)) in (str, int) for each in _squares(value))


def _painted_names(document: Document, puzzle: Puzzle) -> list[str]:
    """Those that are not too large."""
    return [name for name in _map_names(document, puzzle) if 0 < len(_squares(puzzle.data[name])) <= MOST_SQUARES]


def _squares(value: Value) -> list[Value]:
    return list(grid_of(value).values())


def _is_ragged(value: Value) -> bool:
    """Are its rows stacks, of any length, and no board?"""
    return len({len(row) for row in _rows(value)}) > 1


def _rows(value: Value) -> Rows:
    assert isinstance(value, tuple | str)
    rows = value if is_rows(value) else (value,)
    return [[plain(square) for square in row] for row in rows]


def _alike(document: Document, name: str, own: Value) -> list[Value]:
    """The maps of that name in the same form, this level's first."""
    levels = list(map(str, document.levels))[:MOST_LEVELS]
    values = [own, *(raw_data(document, level, {})[0].get(name) for level in levels)]
    return [value for value in values if isinstance(value, tuple | str) and is_rows(value) == is_rows(own)]


def _letters(alike: Sequence[Value]) -> list[Any]:
    """What stands in these maps."""
    squares = [square for value in alike for square in _squares(value)]
    return [plain(square) for square in dict.fromkeys(squares)][:MOST_LETTERS]


def painted(source: GameSource, maps: Mapping[str, Rows], name: str, known: Mapping[str, object]) -> Told:
    """The text with a level of these maps, made from the source's level; else what is wrong, in words."""
    try:
        puzzle = source.read()
        data = {each: _formed(puzzle.data[each], rows) for each, rows in _known(source, puzzle, maps).items()}
        writer = LevelWriter(puzzle, source.text, Deadline().within(WRITING))
        written = writer.with_data(name, data, known)
        text = with_level(source.text, source.name, written.text)
    except PuzzleError as error:
        return {"text": None, "says": in_words(error)}
    return {"text": text, "level": written.name, "says": ""}


def _known(source: GameSource, puzzle: Puzzle, maps: Mapping[str, Rows]) -> Mapping[str, Rows]:
    """The maps, all of which the level must have: what is painted is not left out."""
    known = {each["name"] for each in maps_of(read_document(source.text, source.name), puzzle)}
    if unknown := [name for name in maps if name not in known]:
        words = f"the level has no map {unknown[0]!r} any more"
        raise PuzzleError(Diagnostic(words, None, "close the painting and begin it anew", code="E401"))
    return maps


def _formed(form: Value, rows: Rows) -> Value:
    """The rows as the datum has its own: texts, lists, or one list."""
    made = tuple("".join(map(str, row)) if isinstance(old, str) else tuple(row)
                 for row, old in zip(rows, _forms(form, rows), strict=True))  # fmt: skip
    return made if is_rows(form) else made[0]


def _forms(form: Value, rows: Rows) -> Sequence[Value]:
    """A row of the datum for each of the rows: more are like its last one."""
    return [form[min(number, len(form) - 1)] if is_rows(form) else form for number in range(len(rows))]


def checked_maps(maps: Mapping[str, Any]) -> dict[str, Rows]:
    """Maps from the wire; BadRequest where they are none."""
    for rows in maps.values():
        squares = [square for row in rows for square in row] if _are_lists(rows) else [None]
        if not 0 < len(squares) <= MOST_SQUARES or not all(type(each) in (str, int) for each in squares):
            raise BadRequest(BAD, f"`maps` must be rows of letters or numbers, at most {MOST_SQUARES}")
    return dict(maps)


def _are_lists(rows: Any) -> bool:
    return isinstance(rows, list) and all(isinstance(row, list) for row in rows)


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
