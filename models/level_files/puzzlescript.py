"""PuzzleScript: the maps of a game's LEVELS, and what its letters stand for, as OBJECTS and LEGEND say.

The rules of the game are no part of this: a puzzle file states them, and asks the legend what stands at a place.
Capital and small letters are the same in PuzzleScript; here they are small.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from models.frozen import frozen
from models.level_files.blocks import Block, FileLine, Known, Parts, bad, check_size, parts, runs, same_width
from models.text import Plain, Text

SECTIONS = ("objects", "legend", "sounds", "collisionlayers", "rules", "winconditions", "levels")
MOST_NAMES = 1000  # that a letter stands for, in the end


@frozen(eq=True)
class ScriptBlock(Block):
    """A level, and the lines that say what its letters are."""

    objects: tuple[FileLine, ...] = ()
    legend: tuple[FileLine, ...] = ()


def split(rows: Sequence[FileLine]) -> list[Block]:
    """A block for each map; messages stand between them."""
    sections = _sections(_uncommented(rows))
    objects, legend = (tuple(sections.get(name, ())) for name in ("objects", "legend"))
    return [ScriptBlock("", tuple(run), None, objects, legend) for run in _maps(sections.get("levels", []))]


def _sections(rows: Sequence[FileLine]) -> dict[str, list[FileLine]]:
    """The lines below each heading, without the lines of equals signs."""
    found: dict[str, list[FileLine]] = {}
    current: list[FileLine] = []
    for row in rows:
        name = row.text.strip().lower()
        if name in SECTIONS:
            current = found.setdefault(name, [])
        elif not re.fullmatch("=+", name):
            current.append(row)
    return found


def _uncommented(rows: Sequence[FileLine]) -> list[FileLine]:
    """The lines with blanks for what stands in brackets, which may be nested and have several lines."""
    depth, found = 0, list[FileLine]()
    for row in rows:
        letters = []
        for letter in row.text:
            depth += letter == "("
            letters.append(" " if depth else letter)
            depth -= letter == ")" and depth > 0
        found.append(row._replace(text="".join(letters)))
    return found


def _maps(rows: Sequence[FileLine]) -> Iterator[list[FileLine]]:
    for _, run in runs((row._replace(text="") if _is_message(row) else row for row in rows), ()):
        yield run


def _is_message(row: FileLine) -> bool:
    return row.text.strip().lower().startswith("message")


def read(block: Block, known: Known) -> Parts:
    """The map, and what each of its letters stands for."""
    assert isinstance(block, ScriptBlock)
    texts = [row.text.strip().lower() for row in block.rows]
    check_size(block.rows[0], len(texts), len(texts[0]))
    meanings = _meanings(block)
    for row, text in zip(block.rows, texts, strict=True):
        column = len(row.text) - len(row.text.lstrip())
        for number, letter in enumerate(text):
            if letter not in meanings:
                hint = f"the letters are {' '.join(sorted(meanings))}"
                bad(row, f"{letter!r} stands for nothing in the legend", column + number, hint=hint)
    board = same_width([row.part(text) for row, text in zip(block.rows, texts, strict=True)])
    used = dict.fromkeys(letter for text in texts for letter in text)
    legend: dict[Text, Plain] = {Text(each): [Text(name) for name in meanings[each]] for each in used}
    return parts(board=board, legend=legend if "legend" in known.wanted else None)


# -- what letters stand for --------------------------------------------------------------------------------------------

Said = Mapping[
    str, Sequence[str] | None
]  # the words that a word stands for: none for an object, None for one of several


def _meanings(block: ScriptBlock) -> dict[str, tuple[str, ...]]:
    """The objects of each letter; a letter for one thing `or` another is in no map."""
    said: dict[str, Sequence[str] | None] = dict(_objects(block.objects))
    for row in block.legend:
        key, sign, value = row.text.partition("=")
        if key.strip() and sign:
            words = value.lower().split()
            said[key.strip().lower()] = None if "or" in words else [word for word in words if word != "and"]
    return {each: found for each in said if len(each) == 1 and (found := _resolved(each, said))}


def _objects(rows: Sequence[FileLine]) -> Iterator[tuple[str, Sequence[str]]]:
    """Each object, and the other words for it, with its name."""
    for _, run in runs(rows, ()):
        name, *others = run[0].text.lower().split()
        yield name, ()
        yield from ((word, (name,)) for word in others)


def _resolved(word: str, said: Said) -> tuple[str, ...]:
    """The objects that a word stands for in the end; none where it is one of several, or what is not there."""
    found: dict[str, None] = {}
    waiting, met = [word], set[str]()
    while waiting and len(met) < MOST_NAMES:
        each = waiting.pop(0)
        more = said.get(each)
        if more is None:
            return ()
        if each not in met:
            waiting += more
            found |= dict.fromkeys([each] * (not more))
        met.add(each)
    return tuple(found)
