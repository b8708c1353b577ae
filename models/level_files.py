"""Level files of the world: one level of a text, as data of a puzzle that says under `accepts` where they go.

A format cuts a text into blocks, one for each level, and turns a block into parts: the board, and what else such files
tell. Only the level that is asked for is read, so a slip elsewhere in a collection does no harm. Nothing here knows a
puzzle's rules; what letters mean is a convention of the format (`xsb`: the Sokoban wiki's level format).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple, NoReturn

from models.document import Document, LevelSource
from models.errors import Diagnostic, Location, PuzzleError, did_you_mean, source_lines
from models.syntax import fail
from models.text import Plain, Text
from models.yaml_reader import read_yaml

MOST_REPEATED = 1000  # of one letter, by a number before it
FLOOR, WALL = " ", "#"


@dataclass(frozen=True)
class LevelFile:
    """A text with levels, the name that messages give it, and its format where the user says which."""

    text: str
    source: str
    format: str | None = None


class Row(NamedTuple):
    """A line of a level file; lines count from 1."""

    source: str
    line: int
    text: str

    def place(self, column: int = 0, length: int = 1) -> Location:
        return Location(self.source, self.line, column + 1, max(length, 1))

    def part(self, value: str, column: int = 0) -> Text:
        """A text that stands in this line; the column counts from 0."""
        return Text(value, self.place(column, len(value)))


@dataclass(frozen=True)
class Block:
    """The lines of one level, and its title or ''."""

    title: str
    rows: tuple[Row, ...]


Parts = dict[str, Plain]


@dataclass(frozen=True)
class Format:
    """How levels are written. `parts` are what it may fill, the board first; `is_map`: the board is made of letters.

    `read` gets a block and the puzzle's own data by part; what it cannot tell, it leaves out.
    """

    parts: tuple[str, ...]
    split: Callable[[Sequence[Row]], list[Block]]
    read: Callable[[Block, Mapping[str, Plain]], Parts]
    suffixes: tuple[str, ...] = ()
    is_map: bool = True


def filled_data(format_: str, filled: Text | dict[Text, Text]) -> dict[Text, Text]:
    """Part -> datum of an entry of `accepts`; a single datum is the format's first part."""
    return filled if isinstance(filled, dict) else {Text(FORMATS[format_].parts[0], filled.location): filled}


def filled_maps(document: Document) -> set[str]:
    """The data that a level file fills with letters."""
    maps = {name: entry for name, entry in document.accepts.items() if name in FORMATS and FORMATS[name].is_map}
    parts = ((name, part, datum) for name, entry in maps.items() for part, datum in filled_data(name, entry).items())
    return {str(datum) for name, part, datum in parts if part == FORMATS[name].parts[0]}


def with_level(
    document: Document, file: LevelFile, level: str | None, settings: Mapping[str, Plain]
) -> tuple[Document, str]:
    """The document with one more level, and that level's name, which is its number in the file.

    `level` is a number from 1 or a title; None is the first one. PuzzleError where the file has no such level.
    """
    given = {str(name): value for name, value in document.data.items()} | dict(settings)
    found: list[tuple[str, dict[Text, Plain], str]] = []
    problems: list[PuzzleError] = []
    for name in _candidates(document, file):
        data = {str(part): datum for part, datum in filled_data(name, document.accepts[Text(name)]).items()}
        try:
            number, parts = _read(name, file, level, {part: given[d] for part, d in data.items() if d in given})
        except PuzzleError as error:
            problems.append(error)
        else:
            found.append((name, {data[part]: value for part, value in parts.items() if part in data}, str(number)))
    if len(found) > 1:
        names = ", ".join(name for name, _, _ in found)
        raise fail(f"{file.source} may be any of {names}", None, "say which with --level-format", "E503")
    if not found:
        raise problems[0]
    _, values, name = found[0]
    return document.model_copy(update={"levels": {**document.levels, Text(name): LevelSource(data=values)}}), name


def level_numbers(document: Document, file: LevelFile) -> list[str]:
    """The numbers of all levels; PuzzleError where there is none."""
    rows = _rows(file)
    blocks = [found for name in _candidates(document, file) if (found := FORMATS[name].split(rows))]
    if not blocks:
        raise fail("there is no level here", Location(file.source, 1, 1), code="E503")
    return [str(number) for number in range(1, len(blocks[0]) + 1)]


def _rows(file: LevelFile) -> list[Row]:
    return [Row(file.source, number, line) for number, line in enumerate(source_lines(file.text), 1)]


def _candidates(document: Document, file: LevelFile) -> list[str]:
    """The formats that the file may have: the one that was named, else by its suffix, else all that are accepted."""
    accepted = [str(name) for name in document.accepts if name in FORMATS]
    if not accepted:
        hint = "an entry such as accepts: {xsb: board} names the datum that a level file fills"
        raise fail(f"the puzzle {str(document.puzzle)!r} accepts no level files", None, hint, "E503")
    if file.format is not None and file.format not in accepted:
        message = f"the puzzle {str(document.puzzle)!r} accepts no level files of the format {file.format!r}"
        raise fail(message, None, did_you_mean(file.format, accepted), "E503")
    if file.format is not None:
        return [file.format]
    return [name for name in accepted if file.source.lower().endswith(FORMATS[name].suffixes)] or accepted


def _read(name: str, file: LevelFile, level: str | None, given: Mapping[str, Plain]) -> tuple[int, Parts]:
    """(number of the level, its parts)."""
    blocks = FORMATS[name].split(_rows(file))
    if not blocks:
        raise fail(f"there is no level of the format {name!r} here", Location(file.source, 1, 1), code="E503")
    number = _number(blocks, level, file.source)
    return number, FORMATS[name].read(blocks[number - 1], given)


def _number(blocks: Sequence[Block], level: str | None, source: str) -> int:
    """The number, from 1, of the level that is meant."""
    if level is None:
        return 1
    if re.fullmatch("[0-9]{1,9}", level) and 1 <= int(level) <= len(blocks):
        return int(level)
    called = [number for number, block in enumerate(blocks, 1) if block.title == level]
    if len(called) > 1:
        hint = f"say its number: {', '.join(map(str, called[:10]))}"
        raise fail(f"{len(called)} levels of {source} are called {level!r}", None, hint, "E409")
    if not called:
        titles = [block.title for block in blocks if block.title]
        near = "" if level.isdecimal() else did_you_mean(level, titles)
        hint = near or f"the levels of this file are 1 to {len(blocks)}"
        raise fail(f"there is no level {level!r} in {source}", None, hint, "E409")
    return called[0]


def _parts(**found: Plain | None) -> Parts:
    """The parts that the file tells."""
    return {part: value for part, value in found.items() if value is not None}


def _bad(row: Row, message: str, column: int = 0, length: int = 1, hint: str = "") -> NoReturn:
    raise fail(message, row.place(column, length), hint, "E503")


# -- lines and paragraphs ----------------------------------------------------------------------------------------------


def _paragraphs(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """What stands between blank lines."""
    found: list[Row] = []
    for row in rows:
        if row.text.strip():
            found.append(row)
        elif found:
            yield found
            found = []
    if found:
        yield found


def _line_blocks(rows: Iterable[Row], comment: tuple[str, ...] = (";", "#"), title: str = "") -> list[Block]:
    """One level a line; a comment above is its title."""
    blocks = list[Block]()
    for row in rows:
        words = row.text.strip()
        if words.startswith(comment):
            title = _uncommented(words)
        elif words:
            blocks.append(Block(title, (row,)))
            title = ""
    return blocks


def _paragraph_blocks(rows: Sequence[Row], alone: Callable[[list[Row]], bool]) -> list[Block]:
    """One level a paragraph, or one a line where all lines of the paragraph stand `alone`; `;` begins a comment."""
    blocks, title = list[Block](), ""
    for paragraph in _paragraphs(rows):
        comments = [row for row in paragraph if row.text.lstrip().startswith(";")]
        board = [row for row in paragraph if not row.text.lstrip().startswith(";")]
        if board and alone(board):
            blocks += _line_blocks(paragraph, (";",), title)
            title = ""
            continue
        title = _uncommented(comments[-1].text) if comments else title
        if board:
            blocks.append(Block(title, tuple(board)))
            title = ""
    return blocks


def _uncommented(text: str) -> str:
    return text.strip().lstrip(";#").strip()


def _fields(row: Row, separators: str) -> list[tuple[str, int]]:
    """(words, column from 0) of what stands between the separators, which are given as for a regular expression."""
    return [(match[0], match.start()) for match in re.finditer(f"[^{separators}]+", row.text)]


def _same_width(rows: Sequence[Text], width: Callable[[str], int] = len) -> list[Plain]:
    """The rows of a board, all of one width."""
    for row in rows:
        if width(row) != width(rows[0]):
            message = f"this row has {width(row)} places, the first one {width(rows[0])}"
            raise fail(message, row.location, code="E503")
    return list(rows)


# -- xsb ---------------------------------------------------------------------------------------------------------------

_XSB = re.compile(r"[#@+$*. _-]+")
_XSB_SHORT = re.compile(r"(?:[0-9]*[#@+$*. _|-])+")  # with numbers of repeated letters, rows ended by |
_SLIP = re.compile(r"\s*#(.*#\s*|[#@+$*.].*)")  # begins as a row, or is walled at both ends
_TITLE = re.compile(r"[;\s]*title\s*:(.*)", re.IGNORECASE)


def _is_xsb(row: Row) -> bool:
    text = row.text
    return bool(_XSB.fullmatch(text) or WALL in text and _XSB_SHORT.fullmatch(text))


def _xsb_blocks(rows: Sequence[Row]) -> list[Block]:
    """Boards between lines of text. Text that touches a board is about it, other text is about the board that follows.

    Where nothing stands before the first board, all text is about the board before.
    """
    boards: list[list[Row]] = []
    above: list[list[str]] = [[]]  # for each board, and what may still come, the text above
    below: list[list[str]] = []
    for paragraph in _paragraphs(rows):
        board = _xsb_board(paragraph)
        before = [row.text for row in paragraph if not board or row.line < board[0].line]
        if board:
            above[-1] += before
            boards.append(board)
            below.append([row.text for row in paragraph if row.line > board[-1].line])
            above.append([])
        elif boards and not above[0]:
            below[-1] += before
        else:
            above[-1] += before
    return [Block(_xsb_title(*texts), tuple(board)) for *texts, board in zip(above, below, boards, strict=False)]


def _xsb_board(paragraph: Sequence[Row]) -> list[Row]:
    """The lines of a paragraph that are a board: none, or all from the first to the last row."""
    rows = [row for row in paragraph if _is_xsb(row) or _SLIP.fullmatch(row.text)]
    if not any(WALL in row.text and _is_xsb(row) for row in rows):
        return []
    return [row for row in paragraph if rows[0].line <= row.line <= rows[-1].line]


def _xsb_title(above: Sequence[str], below: Sequence[str]) -> str:
    """The line `Title: ...` if there is one, else the text that is next to the board."""
    named = [match[1].strip() for text in (*below, *above[::-1]) if (match := _TITLE.fullmatch(text))]
    nearby = [_uncommented(text) for text in (*above[::-1], *below)]
    return next((title for title in (*named, *nearby) if title), "")


def _read_xsb(block: Block, given: Mapping[str, Plain]) -> Parts:
    rows = [text for row in block.rows for text in _xsb_rows(row)]
    width = max(map(len, rows))
    letters = [list(text.ljust(width, WALL)) for text in rows]
    _wall_up(letters)
    return _parts(board=[Text("".join(row), text.location) for row, text in zip(letters, rows, strict=True)])


def _xsb_rows(row: Row) -> Iterator[Text]:
    """The rows of a line; several where | ends them. Numbers repeat the letter behind them; - and _ are floor."""
    if not _is_xsb(row):
        strange = re.search(r"[^#@+$*. _|0-9-]", row.text) or re.search("[0-9|]", row.text)
        assert strange is not None  # else it would be a row
        hint = "# wall, @ keeper, $ box, . store, + keeper and * box on a store, blank, - or _ floor"
        _bad(row, f"{strange[0]!r} is no letter of a Sokoban board", strange.start(), hint=hint)
    for part, column in _fields(row, "|"):
        row_text = "".join(_repeated(row, column, match) for match in re.finditer(r"([0-9]*)(\D?)", part))
        yield row.part(row_text.replace("-", FLOOR).replace("_", FLOOR), column)


def _repeated(row: Row, column: int, match: re.Match[str]) -> str:
    number, letter = match[1], match[2]
    if number and (not letter or len(number) > 4 or int(number) > MOST_REPEATED):
        message = f"at most {MOST_REPEATED} letters of a kind" if letter else "a number stands before a letter"
        _bad(row, message, column + match.start(), len(number))
    return letter * int(number or 1)


def _wall_up(letters: list[list[str]]) -> None:
    """Blanks outside the walls are no floor: what no keeper, box or store is joined to becomes wall."""
    todo = [(r, c) for r, row in enumerate(letters) for c, letter in enumerate(row) if letter not in (FLOOR, WALL)]
    seen = set(todo)
    while todo:
        r, c = todo.pop()
        for place in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            inside = 0 <= place[0] < len(letters) and 0 <= place[1] < len(letters[0])
            if inside and place not in seen and letters[place[0]][place[1]] != WALL:
                seen.add(place)
                todo.append(place)
    for r, row in enumerate(letters):
        row[:] = [letter if (r, c) in seen else WALL for c, letter in enumerate(row)]


# -- rush-hour ---------------------------------------------------------------------------------------------------------


def _read_rush_hour(block: Block, given: Mapping[str, Plain]) -> Parts:
    """Six rows of six letters in one field; `o` or `.` is empty, `x` a wall; the car to get out is X, else A."""
    row = block.rows[0]
    fields = [(field, column) for field, column in _fields(row, r"\s,;") if len(field) == 36]
    if len(fields) != 1:
        _bad(row, f"a board is one field of 36 letters; here are {len(fields)}", length=len(row.text))
    field, column = fields[0]
    if strange := re.search(r"[^A-Za-z.]", field):
        _bad(row, f"{strange[0]!r} is no letter of a board", column + strange.start(), hint="o or . empty, x wall")
    rows: list[Plain] = [row.part(field[at : at + 6].replace("o", "."), column + at) for at in range(0, 36, 6)]
    target = next((letter for letter in "XA" if letter in field), None)
    return _parts(board=rows, target=Text(target) if target else None)


# -- klotski -----------------------------------------------------------------------------------------------------------

_DAO = (5, 4)  # rows and columns of hua rong dao


def _dao(row: Row) -> list[tuple[str, int]]:
    """The fields that hold all rows of the usual board."""
    return [(field, column) for field, column in _fields(row, r"\s") if len(field) == _DAO[0] * _DAO[1]]


def _klotski_blocks(rows: Sequence[Row]) -> list[Block]:
    return _paragraph_blocks(rows, lambda board: all("/" in row.text or _dao(row) for row in board))


def _read_klotski(block: Block, given: Mapping[str, Plain]) -> Parts:
    """One letter for each block, `.`, `@` or `_` empty; the block to get out is the only one of two by two."""
    rows = [Text(re.sub("[@_]", ".", row), row.location) for row in _klotski_rows(block)]
    board = _same_width(rows, lambda text: text.count(",") if "," in text else len(text))
    squares = [letter for letter in dict.fromkeys("".join(rows)) if letter.isalpha() and _is_square(letter, rows)]
    return _parts(board=board, target=Text(squares[0]) if len(squares) == 1 else None)


def _klotski_rows(block: Block) -> list[Text]:
    row, *more = block.rows
    if "/" not in row.text and not more:
        fields = _dao(row)
        if len(fields) != 1:
            hint = "write / between the rows of other boards, or each row in a line of its own"
            _bad(row, f"a board in one line has {_DAO[0]} * {_DAO[1]} letters", length=len(row.text), hint=hint)
        (field, column), size = fields[0], _DAO[1]
        return [row.part(field[at : at + size], column + at) for at in range(0, len(field), size)]
    parts = [row.part(part, column) for row in block.rows for part, column in _fields(row, r"/\s")]
    for line in block.rows:
        if blank := re.search(r"[^\s/]\s+[^\s/]", line.text):
            _bad(line, "a row has no blanks in it", blank.start() + 1, hint="write . for an empty place")
    return parts


def _is_square(letter: str, rows: Sequence[str]) -> bool:
    """Is the letter's block one of two by two?"""
    places = [(r, c) for r, row in enumerate(rows) for c, other in enumerate(row) if other == letter]
    top, left = places[0]
    return places == [(top, left), (top, left + 1), (top + 1, left), (top + 1, left + 1)]


# -- numbers -----------------------------------------------------------------------------------------------------------


def _read_numbers(block: Block, given: Mapping[str, Plain]) -> Parts:
    """The tiles row by row, 0, _ or x for the gap; a square board where the puzzle's own size does not fit."""
    row = block.rows[0]
    fields = _fields(row, r"\s,;\[\]")
    for field, column in fields:
        if not re.fullmatch(r"[0-9]{1,6}|[_xX]", field):
            _bad(row, f"{field!r} is no tile", column, len(field), "a number; 0, _ or x for the gap")
    tiles: list[Plain] = [row.part("0" if field in "_xX" else str(int(field)), column) for field, column in fields]
    if _whole(given.get("rows")) * _whole(given.get("cols")) == len(tiles):
        return _parts(board=tiles)
    side = isqrt(len(tiles))
    if side * side != len(tiles):
        hint = "say its size with --set, such as --set rows=2 --set cols=3"
        _bad(row, f"{len(tiles)} tiles make no square board", length=len(row.text), hint=hint)
    return _parts(board=tiles, rows=Text(str(side)), cols=Text(str(side)))


def _whole(value: Plain | None) -> int:
    return int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,6}", value) else 0


# -- tubes -------------------------------------------------------------------------------------------------------------


def _tubes_blocks(rows: Sequence[Row]) -> list[Block]:
    """One level a line; a list that goes over several lines is one level, and ends with its paragraph."""

    def alone(board: list[Row]) -> bool:
        first = board[0].text.lstrip()
        return not (first.startswith("- ") or first.startswith("[") and first.count("[") > first.count("]"))

    return _paragraph_blocks(rows, alone)


def _read_tubes(block: Block, given: Mapping[str, Plain]) -> Parts:
    """The tubes, bottom first: a list as in YAML or JSON, or words between blanks or commas, `_` for an empty one."""
    row = block.rows[0]
    if row.text.lstrip().startswith(("[", "- ")):
        return _parts(board=[_tube(row, value) for value in _yaml_list(block)])
    words = [(word.strip("\"'"), column) for word, column in _fields(row, r"\s,;")]
    return _parts(board=[row.part("" if word == "_" else word, column) for word, column in words])


def _yaml_list(block: Block) -> list[Plain]:
    """The list that the lines hold; what is wrong with it is told at its place in the level file."""
    row = block.rows[0]
    try:
        tree = read_yaml("value:\n" + "".join(f" {line.text}\n" for line in block.rows), row.source)
    except PuzzleError as error:
        raise PuzzleError(_moved(diagnostic, row) for diagnostic in error.diagnostics) from None
    value = tree[Text("value")]
    if not isinstance(value, list) or len(tree) != 1:
        _bad(row, "this is no list of tubes", length=len(row.text))
    return value


def _moved(diagnostic: Diagnostic, row: Row) -> Diagnostic:
    """The complaint about the lines, which were read with a key above and a blank before them."""
    place = diagnostic.location or row.place()
    return Diagnostic(
        diagnostic.message,
        Location(row.source, max(place.line, 2) + row.line - 2, max(place.column - 1, 1), place.length),
        diagnostic.hint,
        code=diagnostic.code,
    )


def _tube(row: Row, value: Plain) -> Plain:
    """A tube is a text of one letter a unit, or a list of longer words."""
    if isinstance(value, str):
        return Text(str(value), row.place(), "quoted")
    if not isinstance(value, list) or not all(isinstance(unit, str) for unit in value):
        _bad(row, "a tube is a text, or a list of words", length=len(row.text))
    words = [str(unit) for unit in value]
    return row.part("".join(words)) if all(len(word) == 1 for word in words) else [row.part(word) for word in words]


# -- bloxorz -----------------------------------------------------------------------------------------------------------

_TILES = str.maketrans({".": "0", "#": "1", "G": "9"})


def _bloxorz_blocks(rows: Sequence[Row]) -> list[Block]:
    return _paragraph_blocks(rows, lambda board: False)


def _read_bloxorz(block: Block, given: Mapping[str, Plain]) -> Parts:
    """0 or `.` void, 1 or `#` floor, 9 or `G` hole, `!` fragile, `S` where the block stands at the start."""
    texts = [row.text.rstrip().translate(_TILES) for row in block.rows]
    starts = list[tuple[int, int]]()
    for number, (row, text) in enumerate(zip(block.rows, texts, strict=True)):
        if strange := re.search("[^019!S]", text):
            hint = "0 void, 1 floor, 9 hole, ! fragile, S start; bridges and switches need a puzzle file"
            _bad(row, f"{row.text[strange.start()]!r} is no letter of a map", strange.start(), hint=hint)
        starts += [(number, match.start()) for match in re.finditer("S", text)]
    if len(starts) > 1:
        number, column = starts[1]
        _bad(block.rows[number], "the block starts at one place only", column)
    width = max(map(len, texts))
    padded = [text.replace("S", "1").ljust(width, "0") for text in texts]
    board: list[Plain] = [row.part(text) for row, text in zip(block.rows, padded, strict=True)]
    return _parts(board=board, start=[Text(str(number)) for number in starts[0]] if starts else None)


FORMATS: dict[str, Format] = {
    "xsb": Format(("board",), _xsb_blocks, _read_xsb, (".xsb", ".sok", ".slc")),
    "rush-hour": Format(("board", "target"), _line_blocks, _read_rush_hour),
    "klotski": Format(("board", "target"), _klotski_blocks, _read_klotski),
    "numbers": Format(("board", "rows", "cols"), _line_blocks, _read_numbers, is_map=False),
    "tubes": Format(("board",), _tubes_blocks, _read_tubes),
    "bloxorz": Format(("board", "start"), _bloxorz_blocks, _read_bloxorz),
}
