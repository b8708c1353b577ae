"""Rush Hour: a board in one field of 36 letters, as in the published collections, or as rows of any size."""

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
from models.text import Text

SIZE = 6  # rows and columns of a board in one field
EMPTY, WALL = "._-o0", "x"
_DOTS = str.maketrans(EMPTY, "." * len(EMPTY))
_COMMENT = (";", "#")
_HINT = "o or . empty, x wall"
_BLANK = "write . for empty places, or a comment such as ; 2 between two boards"


def split(rows: Sequence[FileLine]) -> list[Block]:
    """A block for each line with a field of a whole board, else one for all lines that stand together."""
    blocks = list[Block]()
    for title, run in runs(_checked(rows), _COMMENT):
        blocks += each_line(title, run) if len(run) == 1 or any(map(_whole, run)) else [Block(title, tuple(run))]
    return rejoined(blocks, _halves, _BLANK)


def _checked(rows: Sequence[FileLine]) -> Sequence[FileLine]:
    """The lines; a row that begins with # is not taken for a comment."""
    for row, other in (*zip(rows, rows[1:], strict=False), *zip(rows[1:], rows, strict=False)):
        words, near = row.text.strip(), other.text.strip()
        if len(words) == len(near) and re.fullmatch("#[A-Za-z0-9._#-]+", words) and not near.startswith(_COMMENT):
            bad(row, "is this a row or a comment?", 0, len(row.text), "walls are x, comments may begin with ;")
    return rows


def _whole(row: FileLine) -> list[tuple[str, int]]:
    """The fields that are a whole board."""
    return [(field, column) for field, column in fields(row, r"\s,;") if len(field) == SIZE * SIZE]


def _halves(upper: Block, lower: Block) -> bool:
    """Does a blank row cut one board into these two? Both have the car that is to get out where they are two boards."""
    if lower.title or any(map(_whole, (*upper.rows, *lower.rows))):
        return False
    width = {len(row.text.strip()) for row in (*upper.rows, *lower.rows)}
    found = [bool(_targets({*"".join(row.text for row in block.rows)})) for block in (upper, lower)]
    return len(width) == 1 and found[0] != found[1] or cut_apart(upper, lower, EMPTY + WALL)


def read(block: Block, known: Known) -> Parts:
    """The rows with `.` for empty places, and the car that is to get out."""
    rows = _in_one_field(block.rows[0]) if len(block.rows) == 1 else _in_rows(block.rows)
    text = "".join(row.text for row in rows)
    for row in rows:
        _check(row, text)
    check_size(block.rows[0], len(rows), len(rows[0].text))
    board = same_width([row.part(row.text.translate(_DOTS)) for row in rows])
    _check_cars(rows)
    return parts(board=board, target=_target(block.rows[0], set(text), known))


def _in_one_field(row: FileLine) -> list[FileLine]:
    found = _whole(row)
    if len(found) != 1:
        bad(row, f"a board is one field of {SIZE * SIZE} letters; here are {len(found)}", length=len(row.text))
    field, column = found[0]
    return [row.cut(column + at, field[at : at + SIZE]) for at in range(0, SIZE * SIZE, SIZE)]


def _in_rows(rows: Sequence[FileLine]) -> list[FileLine]:
    return [row.cut(len(row.text) - len(row.text.lstrip()), row.text.strip()) for row in rows]


def _check(row: FileLine, board: str) -> None:
    """An error where a letter has no meaning, or another one than its author may think."""
    if strange := re.search(r"[^A-Za-z0-9._-]", row.text):
        bad(row, f"{strange[0]!r} is no letter of a board", strange.start(), hint=_HINT)
    if "0" in row.text and not re.search("[1-9]", board):
        bad(row, "0 is an empty place only where cars are digits", row.text.index("0"), hint="write . or o")
    small = re.search("[ox]", row.text)
    if small and re.search("[a-np-wyz]", board):
        bad(row, "o is an empty place and x a wall: write cars in capitals", small.start())


def _check_cars(rows: Sequence[FileLine]) -> None:
    """An error where a letter is no car: two or more places side by side, in one row or one column."""
    cars: dict[str, list[tuple[int, int]]] = {}
    for r, row in enumerate(rows):
        for c, letter in enumerate(row.text):
            cars.setdefault(letter, []).append((r, c))
    for car, places in cars.items():
        if car not in EMPTY + WALL:
            _check_car(rows, car, places)


def _check_car(rows: Sequence[FileLine], car: str, places: Sequence[tuple[int, int]]) -> None:
    (r, c), *more = places
    if not more:
        bad(rows[r], f"{car!r} stands at one place only", c, hint="a car is two places long or longer")
    down, right = (1, 0) if more[0][0] > r else (0, 1)
    for far, place in enumerate(more, 1):
        if place != (r + far * down, c + far * right):
            message = f"{car!r} stands here too, apart from that car or beside it"
            bad(rows[place[0]], message, place[1], hint="a car is in one row or column, with a letter of its own")


def _targets(letters: set[str]) -> list[str]:
    """The cars that may be the one to get out: X where there is one, else A, or 1 where cars are digits."""
    return ["X"] if "X" in letters else sorted(letters & {"A", "1"})


def _target(row: FileLine, letters: set[str], known: Known) -> Text | None:
    """The car that is to get out; None where it is not asked for, or the puzzle's data name it."""
    found = _targets(letters)
    if "target" not in known.wanted:
        return None
    if len(found) == 1:
        return Text(found[0], row.place(), "quoted")
    given = known.given.get("target")
    if not isinstance(given, str) or given not in letters:
        hint = "call it X or A, or name it with --set, such as --set target=B"
        bad(row, "it is not told which car is to get out", length=len(row.text), hint=hint)
    return None
