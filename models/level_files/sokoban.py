"""A Sokoban board: what its letters mean (the Sokoban wiki's level format, or the game Pusher's), and whether it is
whole: one keeper, walled in, and no more boxes than stores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from os.path import commonprefix
from typing import NamedTuple

from models.errors import Location, PuzzleError
from models.level_files.blocks import Block, FileLine, Known, Parts, bad, check_size, parts
from models.level_files.run_lengths import unrolled
from models.limits import MOST_VALUES
from models.syntax import fail

FLOOR, WALL, PUSHER_WALL = " ", "#", "X"
KEEPERS, BOXES, STORES = "@+", "$*", ".+*"
_STRANGE = re.compile(r"[^#@+$*. \t_0-9()-]")
_STRANGE_TO_PUSHER = re.compile(r"[^X@*.& \t]")
_FLOORS = str.maketrans("-_", FLOOR * 2)
_PUSHER = str.maketrans("X*&", "#$*")
_HINT = "# wall, @ keeper, $ box, . store, + keeper and * box on a store, blank, - or _ floor"
_PUSHER_HINT = "on a board with X for walls: @ keeper, * box, . store, & box on a store, blank floor"
Place = tuple[int, int]


class MapRow(NamedTuple):
    """A row of a board: its letters, without floor behind them, and what stands for it in the file."""

    letters: str
    row: FileLine

    def place(self, column: int) -> Location:
        """Where the letter stands, or the whole row where numbers say how often letters stand there."""
        if re.search("[0-9(]", self.row.text):
            return self.row.place(0, len(self.row.text))
        return self.row.place(column)


def read(block: Block, known: Known) -> Parts:
    """The board, with walls for floor that nothing is joined to."""
    lines = _lines(block.rows)
    grid = [line.letters for line in lines]
    width = max(map(len, grid))
    check_size(block.rows[0], len(grid), width)
    _check(lines)
    return parts(board=[line.row.part(row) for line, row in zip(lines, _walled_up(grid, width), strict=True)])


# -- letters -----------------------------------------------------------------------------------------------------------


def _lines(rows: Sequence[FileLine]) -> list[MapRow]:
    """The rows of a board, of which one line of the file may hold several, and which tabs may indent."""
    is_pusher = any(PUSHER_WALL in row.text for row in rows) and not any(WALL in row.text for row in rows)
    indent, found, letters = _indent(rows), list[MapRow](), 0
    for part in (part for row in rows for part in _parted(row.cut(indent, row.text[indent:]))):
        found.append(_line(part, is_pusher))
        letters += len(found[-1].letters) + 1
        if letters > 2 * MOST_VALUES:
            bad(part, f"a board of more than {MOST_VALUES:,} places")
    _check_numbers(rows)
    return found


def _check_numbers(rows: Sequence[FileLine]) -> None:
    """An error where a number may be something else than how often a letter stands there, or a blank no floor."""
    for row in rows:
        if apart := re.search(r"\s\|\s", row.text):
            bad(
                row,
                "are the blanks beside this | floor?",
                apart.start() + 1,
                hint="write - for floor, no blanks beside |",
            )
    if any(re.search("[|()]", row.text) for row in rows) or not any(map(_written_out, rows)):
        return
    for row in rows:
        if number := re.search("[0-9]+", row.text):
            message = "is this a number of letters? Other rows have each letter written out"
            bad(
                row,
                message,
                number.start(),
                len(number[0]),
                "write all letters of a board, or numbers and |: 5#|#@$.#|5#",
            )


def _written_out(row: FileLine) -> bool:
    """Are there letters that a number would stand for?"""
    return bool(re.search(r"([^\s0-9])\1\1", row.text))


def _indent(rows: Sequence[FileLine]) -> int:
    """How many blanks and tabs stand before all rows, if a tab is among them: it has no width of its own."""
    before = commonprefix([row.text[: len(row.text) - len(row.text.lstrip())] for row in rows if row.text.strip()])
    return len(before) if "\t" in before else 0


def _parted(row: FileLine) -> Iterator[FileLine]:
    """What `|` ends, and what stands behind the last one."""
    for match in re.finditer(r"([^|]*)\||([^|]+)$|^$", row.text.rstrip()):
        yield row.cut(match.start(), match[1] or match[2] or "")


def _line(row: FileLine, is_pusher: bool) -> MapRow:
    text = row.text.rstrip()
    if strange := (_STRANGE_TO_PUSHER if is_pusher else _STRANGE).search(text):
        message = f"{strange[0]!r} is no letter of a Sokoban board"
        bad(row, message, strange.start(), hint=_PUSHER_HINT if is_pusher else _HINT)
    if "\t" in text:
        bad(row, "it is not known how wide a tab is", text.index("\t"), hint="write blanks, or - for floor")
    if is_pusher:
        return MapRow(text.translate(_PUSHER), row)
    letters = unrolled(row.cut(0, text)) if re.search("[0-9()]", text) else text
    return MapRow(letters.translate(_FLOORS).rstrip(), row)


# -- boards ------------------------------------------------------------------------------------------------------------


def _reached(grid: Sequence[str], starts: Iterable[Place], width: int) -> Iterator[Place]:
    """The places joined to the starts, nearest first; only walls are in the way. Floor is behind the end of a row."""
    todo = list(starts)
    seen = set(todo)
    for r, c in todo:
        yield r, c
        for place in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            inside = 0 <= place[0] < len(grid) and 0 <= place[1] < width
            if inside and place not in seen and _letter(grid, place) != WALL:
                seen.add(place)
                todo.append(place)


def _letter(grid: Sequence[str], place: Place) -> str:
    return grid[place[0]][place[1] : place[1] + 1] or FLOOR


def _all(grid: Sequence[str], letters: str) -> list[Place]:
    """Where one of the letters stands."""
    return [(r, c) for r, row in enumerate(grid) for c, letter in enumerate(row) if letter in letters]


def _check(lines: Sequence[MapRow]) -> None:
    """An error where the board is not whole, as all solvers of Sokoban take it."""
    grid = [line.letters for line in lines]
    here, boxes, stores = _all(grid, KEEPERS), _all(grid, BOXES), _all(grid, STORES)
    if not here:
        bad(lines[0].row, "no keeper stands on this board", 0, len(lines[0].row.text), "@, or + on a store")
    if len(here) > 1:
        raise _wrong(lines, here[1], "a second keeper")
    if (way_out := _way_out(grid, here)) is not None:
        hint = "write # where walls are; only a blank beyond them is outside"
        raise _wrong(lines, way_out, "an open board: no wall keeps the keeper from leaving it here", hint)
    if len(boxes) > len(stores):
        raise _wrong(lines, boxes[0], f"{len(boxes)} boxes, and stores for {len(stores)}")


def _wrong(lines: Sequence[MapRow], place: Place, message: str, hint: str = "") -> PuzzleError:
    return fail(message, lines[place[0]].place(place[1]), hint, "E503")


def _way_out(grid: Sequence[str], keepers: Sequence[Place]) -> Place | None:
    """The nearest place at the edge that a keeper is joined to; behind a row's end is the edge."""
    reached = _reached(grid, keepers, max(map(len, grid)))
    return next(((r, c) for r, c in reached if r in (0, len(grid) - 1) or c == 0 or c >= len(grid[r]) - 1), None)


def _walled_up(grid: Sequence[str], width: int) -> list[str]:
    """Blanks outside the walls are no floor: what no keeper, box or store is joined to becomes wall."""
    inside = set(_reached(grid, _all(grid, KEEPERS + BOXES + STORES), width))
    return [
        "".join(_letter(grid, (r, c)) if (r, c) in inside else WALL for c in range(width)) for r in range(len(grid))
    ]


# -- parts of boards ---------------------------------------------------------------------------------------------------


def _grid(rows: Sequence[FileLine]) -> list[str]:
    """The letters of rows that may be wrong; none where they are too many."""
    try:
        grid = [line.letters for line in _lines(rows)]
    except PuzzleError:
        grid = [row.text.translate(_FLOORS).rstrip() for row in rows]
    return grid if len(grid) * max(map(len, grid)) <= MOST_VALUES else []


def keepers(rows: Sequence[FileLine]) -> int:
    return sum(row.text.count(letter) for row in rows for letter in KEEPERS)


def stands_alone(rows: Sequence[FileLine]) -> bool:
    """Is there a keeper who cannot leave?"""
    grid = _grid(rows) if keepers(rows) else []
    here = _all(grid, KEEPERS)
    return bool(here) and _way_out(grid, here) is None


def facing(rows: Sequence[FileLine], edge: int) -> bool:
    """Is a keeper, box or store joined to the first row (0) or the last one (-1)?"""
    grid = _grid(rows)
    row, width = edge % max(len(grid), 1), max(map(len, grid), default=0)
    starts = [(row, c) for c in range(width) if _letter(grid, (row, c)) != WALL]
    return any(_letter(grid, place) in KEEPERS + BOXES + STORES for place in _reached(grid, starts, width))
