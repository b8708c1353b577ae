"""What every format is made of: the lines of a level file, and blocks of lines, each a level."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, NoReturn

from models.errors import Location, PuzzleError
from models.frozen import frozen
from models.limits import MOST_VALUES
from models.syntax import fail
from models.text import Plain, Text

MOST_PARTS = 10  # into which blank rows cut a board


@frozen(eq=True)
class LevelFile:
    """A text with levels, the name that messages give it, and its format (`name` or `name:variant`) if that is told."""

    text: str
    source: str
    format: str | None = None


class FileLine(NamedTuple):
    """A line of a level file, or a part of it with so many letters before it; lines count from 1."""

    source: str
    line: int
    text: str
    before: int = 0

    def place(self, column: int = 0, length: int = 1) -> Location:
        return Location(self.source, self.line, self.before + column + 1, max(length, 1))

    def part(self, value: str, column: int = 0) -> Text:
        """A text that stands in this row; the column counts from 0."""
        return Text(value, self.place(column, len(value)))

    def cut(self, column: int, text: str) -> FileLine:
        """The part that begins at the column."""
        return FileLine(self.source, self.line, text, self.before + column)


@frozen(eq=True)
class Block:
    """The rows of one level, and its title or ''; `wrong`: what is told to whoever wants this level."""

    title: str
    rows: tuple[FileLine, ...]
    wrong: PuzzleError | None = None


Parts = dict[str, Plain]


class Known(NamedTuple):
    """What is known besides the file: the parts that the puzzle takes, its own data by part, the variant if named."""

    wanted: Collection[str]
    given: Mapping[str, Plain]
    variant: str = ""


@frozen(eq=True)
class Format:
    """How levels are written. `parts` are what it may fill, the board first; `is_map`: the board is made of letters.

    `read` leaves out what a block does not tell. `variants`: what a file of this format may leave open.
    """

    parts: tuple[str, ...]
    split: Callable[[Sequence[FileLine]], list[Block]]
    read: Callable[[Block, Known], Parts]
    suffixes: tuple[str, ...] = ()
    is_map: bool = True
    variants: tuple[str, ...] = ()


def parts(**found: Plain | None) -> Parts:
    """The parts that the file tells."""
    return {part: value for part, value in found.items() if value is not None}


def problem(row: FileLine, message: str, column: int = 0, length: int = 1, hint: str = "") -> PuzzleError:
    return fail(message, row.place(column, length), hint, "E503")


def bad(row: FileLine, message: str, column: int = 0, length: int = 1, hint: str = "") -> NoReturn:
    raise problem(row, message, column, length, hint)


# -- lines and paragraphs ----------------------------------------------------------------------------------------------


def uncommented(text: str) -> str:
    return text.strip().lstrip(";#").strip()


def runs(rows: Iterable[FileLine], comment: tuple[str, ...]) -> Iterator[tuple[str, list[FileLine]]]:
    """(title, lines) of what stands between blank lines and comments; the last comment above is the title."""
    title, found = "", list[FileLine]()
    for row in rows:
        words = row.text.strip()
        if words and not words.startswith(comment):
            found.append(row)
            continue
        if found:
            yield title, found
            title, found = "", []
        title = uncommented(words) if words else title
    if found:
        yield title, found


def each_line(title: str, rows: Iterable[FileLine]) -> list[Block]:
    """A block for each line; the title is the first one's."""
    return [Block("" if number else title, (row,)) for number, row in enumerate(rows)]


def fields(row: FileLine, separators: str) -> list[tuple[str, int]]:
    """(words, column from 0) of what stands between the separators, which are given as for a regular expression."""
    return [(match[0], match.start()) for match in re.finditer(f"[^{separators}]+", row.text)]


# -- boards ------------------------------------------------------------------------------------------------------------


def same_width(rows: Sequence[Text], width: Callable[[str], int] = len) -> list[Plain]:
    """The rows of a board, all of one width."""
    for row in rows:
        if width(row) != width(rows[0]):
            message = f"this row has {width(row)} places, the first one {width(rows[0])}"
            raise fail(message, row.location, code="E503")
    return list(rows)


def check_size(row: FileLine, height: int, width: int) -> None:
    """An error where a board of this size has too many places."""
    if height * width > MOST_VALUES:
        bad(row, f"a board of {height:,} rows and {width:,} columns; at most {MOST_VALUES:,} places are possible")


def rejoined(blocks: Iterable[Block], halves: Callable[[Block, Block], bool], hint: str) -> list[Block]:
    """The blocks; two that are `halves` of one board, with only blank lines between, are one block, which is wrong."""
    found, joined = list[Block](), 1
    for block in blocks:
        after_blank = found and joined < MOST_PARTS and block.rows[0].line > found[-1].rows[-1].line + 1
        joined = joined + 1 if after_blank and halves(found[-1], block) else 1
        if joined > 1:
            upper = found.pop()
            blank = FileLine(upper.rows[-1].source, upper.rows[-1].line + 1, "")
            wrong = upper.wrong or problem(blank, "a blank row inside a board", hint=hint)
            block = Block(upper.title or block.title, upper.rows + block.rows, wrong)
        found.append(block)
    return found


def cut_apart(upper: Block, lower: Block, meaning_nothing: str) -> bool:
    """Are these two boards one that a blank row cuts? Of two boards, the one uses letters of the other for more than
    the pieces that reach from its last row into the other's first."""
    above, below = ([row.text.strip() for row in block.rows] for block in (upper, lower))
    if lower.title or len(above[-1]) != len(below[0]):
        return False
    shared = set("".join(above)) & set("".join(below)) - set(meaning_nothing)
    return shared <= {one for one, other in zip(above[-1], below[0], strict=True) if one == other}
