"""Bloxorz: rows of 0 or . void, 1 or # floor, 9 or G hole, ! fragile, and S where the block stands at the start."""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.level_files.blocks import Block, FileLine, Known, Parts, bad, check_size, parts, rejoined, runs
from models.text import Plain, Text

_TILES = str.maketrans({".": "0", "#": "1", "G": "9"})
_HINT = "0 void, 1 floor, 9 hole, ! fragile, S start; bridges and switches need a puzzle file"
_BLANK = "write a 0 for a row of void, or a comment such as ; 2 between two maps"


def split(rows: Sequence[FileLine]) -> list[Block]:
    """A block for all lines that stand together."""
    return rejoined((Block(title, tuple(run)) for title, run in runs(rows, (";",))), _halves, _BLANK)


def _halves(upper: Block, lower: Block) -> bool:
    """Does a blank row cut one map into these two? Every map has a hole of its own, and one start at most."""
    holes, starts = ([_count(block, letters) for block in (upper, lower)] for letters in ("9G", "S"))
    return not lower.title and bool(holes[0]) != bool(holes[1]) and sum(starts) < 2


def _count(block: Block, letters: str) -> int:
    return sum(row.text.count(letter) for row in block.rows for letter in letters)


def read(block: Block, known: Known) -> Parts:
    """The map, void behind the ends of its rows, and the start."""
    texts = [row.text.rstrip().translate(_TILES) for row in block.rows]
    width = max(map(len, texts))
    check_size(block.rows[0], len(texts), width)
    start = _start(block, texts, known)
    padded = [text.replace("S", "1").ljust(width, "0") for text in texts]
    board: list[Plain] = [row.part(text) for row, text in zip(block.rows, padded, strict=True)]
    return parts(board=board, start=start)


def _start(block: Block, texts: Sequence[str], known: Known) -> list[Plain] | None:
    """Where the block stands at the start; None where that is not asked for, or the puzzle's data say it."""
    starts = list[tuple[int, int]]()
    for number, (row, text) in enumerate(zip(block.rows, texts, strict=True)):
        if strange := re.search("[^019!S]", text):
            bad(row, f"{row.text[strange.start()]!r} is no letter of a map", strange.start(), hint=_HINT)
        starts += [(number, match.start()) for match in re.finditer("S", text)]
    if not any("9" in text for text in texts):
        bad(block.rows[0], "there is no hole on this map", length=len(block.rows[0].text), hint=_HINT)
    if len(starts) > 1:
        bad(block.rows[starts[1][0]], "the block starts at one place only", starts[1][1])
    if not starts and "start" in known.wanted and "start" not in known.given:
        hint = "write S there, or --set start=ROW,COLUMN, which count from 0"
        bad(block.rows[0], "it is not told where the block starts", length=len(block.rows[0].text), hint=hint)
    return [Text(str(number)) for number in starts[0]] if starts else None
