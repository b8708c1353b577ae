"""Water Sort: tubes as words in a line, or as a list in JSON or YAML, alone or as the one entry of a mapping.

Words have their bottom first. Lists of units are pasted both ways, so where it matters the user says which is meant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from models.errors import Diagnostic, Location, PuzzleError
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

VARIANTS = BOTTOM_FIRST, TOP_FIRST = "bottom-first", "top-first"
EMPTY = "_"
_NOTHING = ("", "_", ".", "-", "null", "Null", "NULL", "None", "~")  # no colours
_BLANK = "leave it out; a comment such as ; 2 stands between two levels"
Tube = list[str]  # its units, the bottom first


# -- levels ------------------------------------------------------------------------------------------------------------


def split(rows: Sequence[FileLine]) -> list[Block]:
    """A block for each line of words or list in a line, else one for all lines that stand together."""
    blocks = list[Block]()
    for title, run in runs(rows, (";",)):
        blocks += [Block(title, tuple(run))] if _goes_on(run[0].text) else each_line(title, run)
    return rejoined(blocks, _halves, _BLANK)


def _goes_on(text: str) -> bool:
    """Does the list or mapping that begins here go on in the next line?"""
    opened = sum(map(text.count, "[{")) > sum(map(text.count, "]}"))
    return _is_list(text) and (opened or text.lstrip().startswith("- "))


def _is_list(text: str) -> bool:
    return text.lstrip().startswith(("[", "{", "- "))


def _halves(upper: Block, lower: Block) -> bool:
    """Does a blank row cut one list into these two? They have no unit in common, or all units alike only together."""
    lists = all(block.rows[0].text.lstrip().startswith("- ") for block in (upper, lower))
    above, below = _counts(upper), _counts(lower)
    apart = len({*above.values()}) < 2 and len({*below.values()}) < 2
    together = len({*(above + below).values()}) < 2
    return lists and not lower.title and (not above & below or together and not apart)


def _counts(block: Block) -> Counter[str]:
    """How often each letter stands in a list of texts, or each word in a list of lists."""
    text = "\n".join(row.text for row in block.rows)
    return Counter(re.findall(r"\w+" if "[" in text else r"\w", text))


# -- one level ---------------------------------------------------------------------------------------------------------


def read(block: Block, known: Known) -> Parts:
    """The tubes, bottom first: a text of one letter a unit, or a list of longer words."""
    row = block.rows[0]
    values = _values(block) if _is_list(row.text) else []
    tubes = [_units(row, value) for value in values] or _words(row)
    if len(tubes) < 2:
        bad(row, "a level has several tubes", length=len(row.text), hint="write all tubes of a level in one line")
    check_size(row, len(tubes), max(map(len, tubes)))
    for tube in tubes:
        _check(row, tube)
    _check_order(row, values, tubes, known.variant)
    if known.variant == TOP_FIRST:
        tubes = [tube[::-1] for tube in tubes]
    return parts(board=[_as_data(row, tube) for tube in tubes])


def _check(row: FileLine, tube: Tube) -> None:
    strange = [unit for unit in tube if unit.strip() in _NOTHING]
    if strange or tube and set(tube) == {"0"}:
        hint = 'a tube lists its units and nothing else; an empty one is _, "" or []'
        bad(row, f"a tube that holds {(strange or tube)[0]!r}", length=len(row.text), hint=hint)


def _as_data(row: FileLine, tube: Tube) -> Plain:
    if all(len(unit) == 1 for unit in tube):
        return Text("".join(tube), row.place(), "quoted")
    return [Text(unit, row.place(), "quoted") for unit in tube]


def _words(row: FileLine) -> list[Tube]:
    """The words of a line; quotes round them mean nothing."""
    tubes = list[Tube]()
    if note := re.search(r"^\s*#|\s[#;](?=\s)", row.text):
        bad(row, "is this a tube or a comment?", note.end() - 1, hint="a line that begins with ; is a comment")
    for word, column in fields(row, r"\s,;"):
        bare = re.sub(r"^([\"'])(.*)\1$", r"\2", word)
        if strange := re.search(r"[^\w.+*!?#$%&@-]", bare):
            bad(row, f"{strange[0]!r} is no letter of a tube", column + word.index(strange[0]))
        tubes.append([] if bare == EMPTY else list(bare))
    return tubes


def _check_order(row: FileLine, values: Sequence[Plain], tubes: Sequence[Tube], variant: str) -> None:
    """An error where nothing tells which end of lists of units is the bottom, and it matters."""
    told = variant or not any(isinstance(value, list) for value in values)
    if not told and Counter(map(tuple, tubes)) != Counter(tuple(tube[::-1]) for tube in tubes):
        hint = f"say it with --level-format tubes:{BOTTOM_FIRST} or tubes:{TOP_FIRST}"
        bad(row, "are the units listed with the bottom or with the top first?", length=len(row.text), hint=hint)


def _units(row: FileLine, value: Plain) -> Tube:
    if isinstance(value, str):
        return [] if value == EMPTY else [str(value)] if value in _NOTHING and value else _letters(value)
    if not isinstance(value, list) or not all(isinstance(unit, str) for unit in value):
        bad(row, "a tube is a text, or a list of words", length=len(row.text))
    return [str(unit) for unit in value]


def _letters(text: str) -> Tube:
    """The units of a text: its letters, or longer words between commas."""
    return [part.strip() for part in text.split(",")] if "," in text else list(text)


def _values(block: Block) -> list[Plain]:
    """The list that the lines hold; what is wrong with it is told at its place in the level file."""
    from models.yaml_reader import read_yaml

    row = block.rows[0]
    try:
        lines = (line.text.replace("\t", " ") for line in block.rows)
        tree = read_yaml("value:\n" + "".join(f" {line}\n" for line in lines), row.source)
    except PuzzleError as error:
        raise PuzzleError(_moved(diagnostic, row) for diagnostic in error.diagnostics) from None
    value = tree[Text("value")]
    if isinstance(value, dict) and len(value) == 1:
        (value,) = value.values()
    if not isinstance(value, list) or not value or len(tree) != 1:
        hint = "a list of tubes, or a mapping with such a list and nothing else"
        bad(row, "this is no list of tubes", length=len(row.text), hint=hint)
    return value


def _moved(diagnostic: Diagnostic, row: FileLine) -> Diagnostic:
    """The complaint about the lines, which were read with a key above and a blank before them."""
    place = diagnostic.location or row.place()
    return Diagnostic(
        diagnostic.message,
        Location(row.source, max(place.line, 2) + row.line - 2, max(place.column - 1, 1), place.length),
        diagnostic.hint,
        code=diagnostic.code,
    )
