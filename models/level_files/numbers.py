"""Sliding tiles: a board in one line, in rows of equal length, or in rows below a line with its size (n for n x n)."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isqrt
from typing import NamedTuple

from models.level_files.blocks import (
    Block,
    FileLine,
    Known,
    Parts,
    bad,
    check_size,
    each_line,
    fields,
    parts,
    rejoined,
    runs,
)
from models.text import Plain, Text

_COMMENT = (";", "#")
_SEPARATORS = r"\s,;\[\]"
_BLANK = "leave it out; a comment such as ; 2 stands between two boards"


class _Tile(NamedTuple):
    """The number of a tile, 0 for the gap, and where it stands."""

    number: int
    row: FileLine
    column: int
    length: int


# -- levels ------------------------------------------------------------------------------------------------------------


def split(rows: Sequence[FileLine]) -> list[Block]:
    """A block for each board."""
    blocks = list[Block]()
    for title, run in runs(rows, _COMMENT):
        lines = [row for row in run if fields(row, _SEPARATORS)]
        sized = _sized(title, lines)
        rest = lines[sum(len(block.rows) for block in sized) :]
        blocks += sized + (_levels("" if sized else title, rest) if rest else [])
    return rejoined(_below_sizes(blocks), _halves, _BLANK)


def _numbers(row: FileLine) -> list[int]:
    """The numbers of the line, those that are tiles."""
    return [_number(field) for field, _ in fields(row, _SEPARATORS) if _is_tile(field)]


def _is_tile(field: str) -> bool:
    return bool(re.fullmatch(r"[0-9]{1,6}|[_xX]", field))


def _number(field: str) -> int:
    return 0 if field in "_xX" else int(field)


def _size(row: FileLine) -> int:
    """The size of the board below, where the line has nothing but this one number; else 0."""
    found = re.fullmatch(r"\s*([0-9]{1,6})\s*", row.text)
    return int(found[1]) if found else 0


def _sized(title: str, run: Sequence[FileLine]) -> list[Block]:
    """A block for each size with the lines below it, as many as hold all tiles; none where no size comes first."""
    blocks, end = list[Block](), 0
    while end < len(run) and (size := _size(run[end])):
        begin, tiles, end = end, 0, end + 1
        while end < len(run) and tiles < size * size and not _size(run[end]):
            tiles += len(fields(run[end], _SEPARATORS))
            end += 1
        blocks.append(Block("" if blocks else title, tuple(run[begin:end])))
    return blocks


def _levels(title: str, run: Sequence[FileLine]) -> list[Block]:
    """A block for each line, or one for all of them, which are its rows then.

    A row of a board of several rows has tiles of a number beyond its own length; so where no line has one, or where
    most lines are whole boards, lines are levels. One row of a board may be a whole board, others are not.
    """
    lines = [_numbers(row) for row in run]
    mostly = 2 * sum(map(_is_whole, run)) > len(run)
    if len(run) == 1 or mostly or all(max(line, default=0) <= len(line) for line in lines):
        return each_line(title, run)
    return [Block(title, tuple(run))]


def _is_whole(row: FileLine) -> bool:
    """Is the line a board? Not where something stands in it that is no tile: that may be one in another notation."""
    numbers = _numbers(row)
    told = len(numbers) == len(fields(row, _SEPARATORS))
    return told and sorted(numbers) == list(range(len(numbers)))


def _below_sizes(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks, a size joined to the rows that stand below it after a blank line."""
    size: Block | None = None
    for block in blocks:
        if size is not None and not block.title and not _size(block.rows[0]):
            block = Block(size.title, size.rows + block.rows)
        elif size is not None:
            yield size
        size = block if len(block.rows) == 1 and _size(block.rows[0]) else None
        if size is None:
            yield block
    if size is not None:
        yield size


def _halves(upper: Block, lower: Block) -> bool:
    """Does a blank row cut one board into these two? They have no tile in common."""
    above, below = ([number for row in block.rows for number in _numbers(row)] for block in (upper, lower))
    same = len(_numbers(upper.rows[-1])) == len(_numbers(lower.rows[0])) > 0
    return not lower.title and same and not _size(lower.rows[0]) and not set(above) & set(below)


# -- one level ---------------------------------------------------------------------------------------------------------


def read(block: Block, known: Known) -> Parts:
    """The tiles, and the size that rows tell; a square where they do not, and the puzzle's own size does not fit."""
    first, size = block.rows[0], _size(block.rows[0])
    rows = [tiles for row in block.rows[bool(size) :] for tiles in _rows(row)]
    if size and len(rows) == 1 and len(rows[0]) == size * size:
        rows = [rows[0][at : at + size] for at in range(0, size * size, size)]
    if size and len(rows) != size:
        bad(first, f"a board of {size} rows, and {len(rows)} are here", length=len(first.text))
    _check_shape(rows, size)
    tiles = [tile for row in rows for tile in row]
    check_size(first, 1, len(tiles))
    if len(tiles) == 1:
        bad(first, "a board of one place", length=len(first.text), hint="a line is a board, or one row of it")
    _check_tiles(tiles)
    board: list[Plain] = [tile.row.part(str(tile.number), tile.column) for tile in tiles]
    if len(rows) > 1 or size:
        return parts(board=board, rows=Text(str(len(rows))), cols=Text(str(len(rows[0]))))
    return _square(first, board, known.given)


def _rows(row: FileLine) -> list[list[_Tile]]:
    """The rows of a line: what a semicolon or a bracket ends; all of it where each ends a single tile."""
    ends = [match.start() for match in re.finditer(r"[;\]]", row.text)]
    groups: dict[int, list[_Tile]] = {}
    for field, column in fields(row, _SEPARATORS):
        if not _is_tile(field):
            bad(row, f"{field!r} is no tile", column, len(field), "a number; 0, _ or x for the gap")
        groups.setdefault(bisect(ends, column), []).append(_Tile(_number(field), row, column, len(field)))
    found = list(groups.values())
    return found if any(len(group) > 1 for group in found) else [[tile for group in found for tile in group]]


def _check_shape(rows: Sequence[Sequence[_Tile]], size: int) -> None:
    width = size or len(rows[0])
    for row in rows:
        if len(row) != width:
            message = f"this row has {len(row)} tiles, " + (f"not {size}" if size else f"the first one {width}")
            bad(row[0].row, message, row[0].column, row[-1].column + row[-1].length - row[0].column)


def _check_tiles(tiles: Sequence[_Tile]) -> None:
    """Each number stands once, from 0, or from 1 where there is no gap."""
    first = min(tile.number for tile in tiles)
    seen = set[int]()
    for tile in tiles:
        if tile.number in seen:
            bad(tile.row, f"the tile {tile.number} stands here again", tile.column, tile.length)
        if first > 1 or tile.number >= len(tiles) + first:
            message = f"the tile {tile.number} on a board of {len(tiles)}"
            bad(tile.row, message, tile.column, tile.length, "the numbers from 0, which is the gap, each once")
        seen.add(tile.number)


def _square(row: FileLine, board: list[Plain], given: Mapping[str, Plain]) -> Parts:
    if _whole(given.get("rows")) * _whole(given.get("cols")) == len(board):
        return parts(board=board)
    side = isqrt(len(board))
    if side * side != len(board):
        hint = "say its size with --set, such as --set rows=2 --set cols=3"
        bad(row, f"{len(board)} tiles make no square board", length=len(row.text), hint=hint)
    return parts(board=board, rows=Text(str(side)), cols=Text(str(side)))


def _whole(value: Plain | None) -> int:
    return int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,6}", value) else 0
