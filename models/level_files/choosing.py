"""Which level of a level file is meant, in which of the formats that a puzzle accepts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from models.document import Document, LevelSource
from models.errors import Location, PuzzleError, did_you_mean, source_lines
from models.level_files.blocks import Block, FileLine, Known, LevelFile, Parts, bad
from models.level_files.formats import FORMATS
from models.syntax import fail
from models.text import Plain, Text

MOST_LINES = 2_000_000  # ended by CR and LF: half as many
LONGEST = 1 << 20  # letters of a line, or of all lines of a level
MOST_TITLES = 1000  # that a title is compared with
_ENCODING = "level files are in UTF-8, in UTF-16 with a mark, or in the encoding that XML declares"
_UNREADABLE = re.compile("[\0-\x08\x0e-\x1f\x7f\ufffd]")


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
            known = Known(data, {part: given[d] for part, d in data.items() if d in given}, _variant(file))
            number, parts = _read(name, file, level, known)
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
    return replace(document, levels={**document.levels, Text(name): LevelSource(data=values)}), name


def level_numbers(document: Document, file: LevelFile) -> list[str]:
    """The numbers of all levels; PuzzleError where there is none."""
    problems = list[PuzzleError]()
    for name in _candidates(document, file):
        try:
            return [str(number) for number in range(1, len(_blocks(name, file)) + 1)]
        except PuzzleError as error:
            problems.append(error)
    raise problems[0]


def _candidates(document: Document, file: LevelFile) -> list[str]:
    """The formats that the file may have: the one that was named, else by its suffix, else all that are accepted."""
    accepted = [str(name) for name in document.accepts if name in FORMATS]
    if not accepted:
        hint = "an entry such as accepts: {xsb: board} names the datum that a level file fills"
        raise fail(f"the puzzle {str(document.puzzle)!r} accepts no level files", None, hint, "E503")
    named = (file.format or "").partition(":")[0]
    if named and named not in accepted:
        message = f"the puzzle {str(document.puzzle)!r} accepts no level files of the format {named!r}"
        raise fail(message, None, did_you_mean(named, accepted), "E503")
    if named:
        return [named]
    return [name for name in accepted if file.source.lower().endswith(FORMATS[name].suffixes)] or accepted


@lru_cache(4)
def _blocks(name: str, file: LevelFile) -> list[Block]:
    """The levels of a file in this format, at least one."""
    blocks = FORMATS[name].split(_rows(file))
    if not blocks:
        raise fail(f"there is no level of the format {name!r} here", Location(file.source, 1, 1), code="E503")
    return blocks


def _rows(file: LevelFile) -> list[FileLine]:
    """The lines; an old mark of the end of a file is none."""
    if file.text.count("\n") + file.text.count("\r") > MOST_LINES:
        message = f"a level file has at most {MOST_LINES:,} ends of lines"
        raise fail(message, None, "cut it into several files", "E014")
    rows = [
        FileLine(file.source, number, line) for number, line in enumerate(source_lines(file.text.rstrip("\x1a")), 1)
    ]
    long = next((row for row in rows if len(row.text) > LONGEST), None)
    if long is not None:
        bad(long, f"a line of more than {LONGEST:,} letters")
    return rows


def _variant(file: LevelFile) -> str:
    return (file.format or "").partition(":")[2]


def _read(name: str, file: LevelFile, level: str | None, known: Known) -> tuple[int, Parts]:
    """(number of the level, its parts)."""
    blocks = _blocks(name, file)
    number = _number(blocks, level, file.source)
    block = blocks[number - 1]
    if block.wrong is not None:
        raise block.wrong
    if sum(len(row.text) for row in block.rows) > LONGEST:
        bad(block.rows[0], f"a level of more than {LONGEST:,} letters")
    for row in block.rows:
        if unreadable := _UNREADABLE.search(row.text):
            bad(row, f"the character U+{ord(unreadable[0]):04X} is no text", unreadable.start(), hint=_ENCODING)
    return number, FORMATS[name].read(block, known)


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
        near = "" if level.isdecimal() else did_you_mean(level, titles[:MOST_TITLES])
        hint = near or f"the levels of this file are 1 to {len(blocks)}"
        raise fail(f"there is no level {level!r} in {source}", None, hint, "E409")
    return called[0]
