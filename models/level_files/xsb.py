"""Sokoban collections as text: boards between lines of text, blank lines and separators.

A line of dashes or stars alone stands between two boards, unless one of the two is scenery (walls and floor): then it
is a row. A single dash is always a row. A blank line stands between two boards, unless neither is whole and one is open
towards it: then it is a blank row inside a board, which is told to whoever asks for that board.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from models.level_files import slc
from models.level_files.blocks import Block, FileLine, problem, rejoined, uncommented
from models.level_files.sokoban import PUSHER_WALL, WALL, facing, keepers, stands_alone

_ROW = re.compile(r"[#@+$*. \t_-]+")
_SHORT = re.compile(r"(?:[0-9]*[#@+$*. \t_|()-])+")  # with numbers of repeated letters, rows ended by |
_PUSHER = re.compile(r"[X@*.& \t]+")  # of which one letter is X
_SLIP = re.compile(r"[\s_0-9-]*#.*#[\s_|-]*|\s*#[#@+$*.].*|\s*X.*X\s*")  # walled at both ends, or begins as a row
_RULE = re.compile(r"\s*(?:-{2,}|_{2,}|\*{3,})\s*")
_TITLE = re.compile(r"[;\s]*(?:title|maze)\s*:(.*)", re.IGNORECASE)
_COMMENT = re.compile(r"\s*comment\s*:\s*", re.IGNORECASE)
_COMMENT_END = re.compile(r"\s*comment[-_ ]?end\b.*", re.IGNORECASE)
_END = FileLine("", 0, "")  # a blank line below the last one
_HINT = "write - for a row of floor, or a comment such as ; 2 between two boards"


def split(rows: Sequence[FileLine]) -> list[Block]:
    """A block for each board, with its title."""
    if slc.is_xml(rows):
        return slc.split(rows)
    boards, gaps = _with_scenery(*_boards(_without_comments(rows)))
    if not boards:
        return []
    titles = _titles(gaps)
    blocks = [Block(title, tuple(board)) for title, board in zip(titles, boards, strict=True)]
    return _rejoined(blocks, gaps)


# -- lines -------------------------------------------------------------------------------------------------------------


def _without_comments(rows: Sequence[FileLine]) -> list[FileLine]:
    """The lines, those between `Comment:` and `Comment-End:` as lines that say nothing."""
    found, begun = list[FileLine](), None
    for row in rows:
        begun = begun or (row if _COMMENT.fullmatch(row.text) else None)
        found.append(row if begun is None else row._replace(text=";"))
        if begun is not None and _COMMENT_END.fullmatch(row.text):
            begun = None
    if begun is not None:
        raise problem(begun, "this comment never ends", 0, len(begun.text), "a line Comment-End: ends it")
    return found


def _is_row(text: str) -> bool:
    pusher = PUSHER_WALL in text and _PUSHER.fullmatch(text)
    plain = pusher or _ROW.fullmatch(text) or WALL in text and _SHORT.fullmatch(text)
    return bool(plain and text.strip() and not _RULE.fullmatch(text))


def _is_board(rows: Sequence[FileLine]) -> bool:
    """Are lines that look like rows a board? Not where none has a wall."""
    proper = [row.text for row in rows if _is_row(row.text)]
    return any(WALL in text for text in proper) or sum(2 * PUSHER_WALL in text for text in proper) > 1


def _boards(rows: Iterable[FileLine]) -> tuple[list[list[FileLine]], list[list[FileLine]]]:
    """(boards, what stands before each and behind the last)."""
    boards, gaps = list[list[FileLine]](), [list[FileLine]()]
    for alike, group in groupby(rows, lambda row: _is_row(row.text) or bool(_SLIP.fullmatch(row.text))):
        found = list(group)
        if alike and _is_board(found):
            boards.append(found)
            gaps.append([])
        else:
            gaps[-1] += found
    return boards, gaps


def _with_scenery(
    boards: list[list[FileLine]], gaps: list[list[FileLine]]
) -> tuple[list[list[FileLine]], list[list[FileLine]]]:
    """The same, where rows of floor join scenery to a board."""
    joined, between, scenery = list[list[FileLine]](), list[list[FileLine]](), False
    for gap, board in zip(gaps, boards, strict=False):
        is_rows = joined and all(_RULE.fullmatch(row.text) and "*" not in row.text for row in gap)
        is_scenery = _is_scenery(board)
        if is_rows and (scenery or is_scenery):
            joined[-1] += gap + board
            scenery = scenery and is_scenery
        else:
            joined.append([*board])
            between.append(gap)
            scenery = is_scenery
    return joined, between + gaps[len(boards) :]


def _is_scenery(rows: Sequence[FileLine]) -> bool:
    """Walls and floor, and perhaps boxes that are on stores for good."""
    letters = set().union(*(row.text for row in rows))
    return not letters & set("@+$.&") and not {PUSHER_WALL, "*"} <= letters


def _rejoined(blocks: Sequence[Block], gaps: Sequence[Sequence[FileLine]]) -> list[Block]:
    """Boards without blank rows inside."""
    apart = {block.rows[0] for block, gap in zip(blocks, gaps, strict=False) if any(row.text.strip() for row in gap)}

    def halves(upper: Block, lower: Block) -> bool:
        """Is neither a board of its own, and do they face each other?"""
        if lower.rows[0] in apart or keepers(upper.rows) + keepers(lower.rows) > 1:
            return False
        if stands_alone(upper.rows) or stands_alone(lower.rows):
            return False
        return facing(lower.rows, 0) or facing(upper.rows, -1)

    return rejoined(blocks, halves, _HINT)


# -- titles ------------------------------------------------------------------------------------------------------------


def _titles(gaps: Sequence[Sequence[FileLine]]) -> list[str]:
    """Text that touches a board is about it, other text is about the board that follows.

    Where nothing stands before the first board, all text is about the board before.
    """
    above, below = [_words(gaps[0])], list[list[str]]()
    for gap in (*gaps[1:-1], [*gaps[-1], _END]):
        touching, floating, next_touching = _parted(gap)
        below.append(touching if above[0] else touching + floating)
        above.append(floating + next_touching if above[0] else next_touching)
    return [_title(*texts) for texts in zip(above, below, strict=False)]


def _parted(gap: Sequence[FileLine]) -> tuple[list[str], list[str], list[str]]:
    """(text that touches the board above, text between blank lines, text that touches the board below)."""
    paragraphs = [list(group) for _, group in groupby(gap, lambda row: bool(row.text.strip()))]
    filled = [_words(paragraph) for paragraph in paragraphs]
    if len(paragraphs) < 2:
        return [], filled[0] if filled else [], []
    touching, *floating, next_touching = filled
    return touching, [text for texts in floating for text in texts], next_touching


def _words(rows: Iterable[FileLine]) -> list[str]:
    return [row.text for row in rows if uncommented(row.text) and not _RULE.fullmatch(row.text)]


def _title(above: Sequence[str], below: Sequence[str]) -> str:
    """The line `Title: ...` if there is one, else the text that is next to the board."""
    named = [match[1].strip() for text in (*below, *above[::-1]) if (match := _TITLE.fullmatch(text))]
    nearby = [uncommented(text) for text in (*above[::-1], *below)]
    return next((title for title in (*named, *nearby) if title), "")
