"""Klotski: one letter for each block, or a grid of kinds; in one line, in lines, or with / between the rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.level_files.blocks import (
    Block,
    FileLine,
    Known,
    Parts,
    bad,
    check_size,
    cut_apart,
    each_line,
    fields,
    parts,
    rejoined,
    runs,
    same_width,
)
from models.syntax import fail
from models.text import Text

DAO = (5, 4)  # rows and columns of hua rong dao
_EMPTY = re.compile("[@_]")
_BLANK = "write . for empty places, or a comment such as ; 2 between two boards"
Place = tuple[int, int]


def split(rows: Sequence[FileLine]) -> list[Block]:
    """A block for each line that is a board, else one for all lines that stand together."""
    blocks = list[Block]()
    for title, run in runs(rows, (";",)):
        alone = all("/" in row.text or _dao(row) for row in run)
        blocks += each_line(title, run) if alone else [Block(title, tuple(run))]
    return rejoined(blocks, _halves, _BLANK)


def _dao(row: FileLine) -> list[tuple[str, int]]:
    """The fields that hold all rows of the usual board."""
    return [(field, column) for field, column in fields(row, r"\s") if len(field) == DAO[0] * DAO[1]]


def _halves(upper: Block, lower: Block) -> bool:
    """Does a blank row cut one board into these two?"""
    lines = (*upper.rows, *lower.rows)
    if lower.title or any("/" in row.text or _dao(row) for row in lines):
        return False
    heroes = [bool(_squares([row.text.replace(",", "").strip() for row in block.rows])) for block in (upper, lower)]
    same = len({len(row.text.strip()) for row in lines}) == 1
    return same and heroes[0] != heroes[1] or cut_apart(upper, lower, ".@_#")


def read(block: Block, known: Known) -> Parts:
    """The rows with `.` for empty places; the block to get out is the only one of two by two."""
    rows = [Text(_EMPTY.sub(".", row), row.location) for row in _rows(block)]
    check_size(block.rows[0], len(rows), max(map(len, rows)))
    board = same_width(rows, lambda text: text.count(",") if "," in text else len(text))
    _check(block, rows)
    squares = [letter for letter in _squares(rows) if letter.isalpha()]
    return parts(board=board, target=Text(squares[0]) if len(squares) == 1 else None)


def _rows(block: Block) -> list[Text]:
    row, *more = block.rows
    if "/" not in row.text and not more:
        found = _dao(row)
        if len(found) != 1:
            hint = "write / between the rows of other boards, or each row in a line of its own"
            bad(row, f"a board in one line has {DAO[0]} * {DAO[1]} letters", length=len(row.text), hint=hint)
        (field, column), size = found[0], DAO[1]
        return [row.part(field[at : at + size], column + at) for at in range(0, len(field), size)]
    for line in block.rows:
        if blank := re.search(r"[^\s/]\s+[^\s/]", line.text):
            bad(line, "a row has no blanks in it", blank.start() + 1, hint="write . for an empty place")
        if empty := re.search(r"/\s*/|^\s*/\s*$", line.text):
            bad(line, "a row has letters in it", empty.start(), len(empty[0]), "write . for an empty place")
        if empty := re.search(r"(^|[,/])\s*(?=,)|,\s*($|/)", line.text):
            bad(line, "nothing stands beside this comma", empty.start(), len(empty[0]), "write 0 for an empty place")
    return [line.part(part, column) for line in block.rows for part, column in fields(line, r"/\s")]


def _check(block: Block, rows: Sequence[Text]) -> None:
    """An error where a letter is none, nothing can move, or one letter stands for several blocks."""
    for line in block.rows:
        if strange := re.search(r"[^\w.#@,/\s]", line.text):
            hint = "a letter for each block, . @ or _ empty, # wall"
            bad(line, f"{strange[0]!r} is no letter of a board", strange.start(), hint=hint)
    board = {letter for row in rows for letter in row}
    if not board & {".", "0"} and any(letter == "," or letter.isalpha() for letter in board):
        bad(block.rows[0], "there is no empty place on this board", length=len(block.rows[0].text))
    for letter, places in _places(rows).items():
        if letter.isalpha() and places - _joined(places):
            row, column = min(places - _joined(places))
            message = f"{letter!r} stands for blocks that do not touch: each has a letter of its own"
            raise fail(message, rows[row].at(column), code="E503")


def _places(rows: Sequence[str]) -> dict[str, set[Place]]:
    """Where each letter stands."""
    found: dict[str, set[Place]] = {}
    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            found.setdefault(letter, set()).add((r, c))
    return found


def _joined(places: set[Place]) -> set[Place]:
    """Those that are joined to the first one."""
    todo = [min(places)]
    seen = set(todo)
    for r, c in todo:
        new = ({(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)} & places) - seen
        seen |= new
        todo += new
    return seen


def _squares(rows: Sequence[str]) -> list[str]:
    """The letters and kinds of which there is one block, of two by two."""
    squares = []
    for letter, places in _places(rows).items():
        r, c = min(places)
        if letter not in ".0@_#" and places == {(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)}:
            squares.append(letter)
    return squares
