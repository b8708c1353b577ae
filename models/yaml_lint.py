"""What YAML swallows without a word: rows of a map that became comments, and expressions cut by a comma or a `#`.

YAML's own marks are gone once it has eaten the rest of a line, so these checks look at the raw lines of the file.
They must stay silent about ordinary comments: a row is suspected only if it is made of map characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from models.errors import Diagnostic, Location

MAPS = frozenset({"data", "levels"})  # the fields that hold text maps
TEXTS = MAPS | {"about", "puzzle"}  # the fields that hold no expressions

_HEADER = re.compile(r"( *)(?! )(?:.*: +|(?:- +)+)\|[-+]?([1-9]?)[-+]?[ \t]*(?: #.*)?$")
_COMMENT = re.compile(r" *(#.*)")
_WORD = re.compile(r"[^\W\d_]{3}")
_SHOWN = 8  # entries of a hint
_PAIRS = {")": "(", "]": "[", "}": "{"}
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\'\'|[^\'])*\'')


def cut_blocks(lines: list[str], source: str) -> list[Diagnostic]:
    """`|` maps that end early because their next rows begin with `#` further to the left."""
    found: list[Diagnostic] = []
    number = 0
    while number < len(lines):
        header = _HEADER.match(lines[number])
        number += 1
        if header:
            end = _block_end(lines, number, len(header[1]), int(header[2] or 0))
            found += _lost_rows(lines, number, end, len(header[1]), source)
            number = end
    return found


def comment_after(lines: list[str], end: Location) -> Location | None:
    """The comment that follows the end of a value on the same line."""
    comment = _COMMENT.match(lines[end.line - 1], end.column - 1) if end.line <= len(lines) else None
    return replace(end, column=comment.start(1) + 1, length=len(comment[1].rstrip())) if comment else None


def is_row(comment: str) -> bool:
    """Whether a comment looks like a row of a map: no letters, and no number after a blank."""
    if any(c.isalpha() for c in comment):
        return False
    return not (comment[1:2] == " " and any(c.isdigit() for c in comment))


def cuts_value(value: str, comment: str, area: str) -> bool:
    """Whether the comment behind an unquoted value was probably meant as part of it."""
    if area in MAPS:
        drawn = not any(c.isalnum() for c in value) and comment[1:2] not in ("", " ")
        return is_row(comment) or drawn
    return area not in TEXTS and unbalanced(value)


def unbalanced(text: str) -> bool:
    """Whether a bracket or quote of an expression has no partner."""
    opened: list[str] = []
    for _, sign in signs(text):
        if sign == '"':
            return True
        if sign in "([{":
            opened.append(sign)
        elif sign in _PAIRS and (not opened or opened.pop() != _PAIRS[sign]):
            return True
    return bool(opened)


def signs(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """The characters outside quoted stretches, with their index; a quote that is never closed is a character."""
    unclosed: set[str] = set()
    index = start
    while index < len(text):
        sign = text[index]
        quoted = _QUOTED.match(text, index) if sign in "\"'" and sign not in unclosed else None
        if quoted:
            index = quoted.end()
            continue
        if sign in "\"'":
            unclosed.add(sign)  # no use in looking for its partner again
        yield index, sign
        index += 1


def closing(text: str, start: int) -> int | None:
    """The index of the sign that closes the bracket or quote at `start`, if the text holds it."""
    quoted = _QUOTED.match(text, start)
    if quoted:
        return quoted.end() - 1
    depth = 0
    for index, sign in signs(text, start):
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0:
            return index
    return None


def block_form(lines: list[str], start: Location) -> str:
    """The hint for a `{ }` or `[ ]` that begins at `start` and holds expressions: the same, one entry a line."""
    text = "\n".join([lines[start.line - 1][start.column - 1 :], *lines[start.line : start.line + 20]])
    prefix = lines[start.line - 1][: start.column - 1].strip()
    mark = "- " if text.startswith("[") else ""
    pieces = _entries(text)
    entries = [f"{mark}{entry}" for entry in pieces[:_SHOWN]] + ["..."] * (len(pieces) > _SHOWN)
    if prefix.endswith(":"):
        entries = [prefix, *(f"  {entry}" for entry in entries)]
    return "\n".join(["an expression needs a line of its own:", *entries])


def empty_rows(rows: list[Location], what: str) -> Diagnostic:
    """Rows of one list, or the value of one key, that begin with `#`; reported once at the first."""
    count = "" if len(rows) == 1 else f" ({len(rows)} rows of this list)"
    return Diagnostic(
        f"{what} begins with '#', so YAML reads it as a comment{count}",
        rows[0],
        'put every row of a map into quotes: "#..#"',
        code="E019",
    )


def cut_value(comment: Location) -> Diagnostic:
    """An unquoted value whose end is lost because a blank and a `#` begin a comment."""
    return Diagnostic(
        "YAML reads everything from this ' #' on as a comment, so the value is cut short",
        comment,
        "put the whole value into YAML quotes",
        code="E020",
    )


def _entries(text: str) -> list[str]:
    """The entries of the flow collection that the text begins with, each on one line."""
    end = closing(text, 0)
    body_end = len(text.split("\n", 1)[0]) if end is None else end
    cuts = [0]
    depth = 0
    for index, sign in signs(text[:body_end]):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 1:
            cuts.append(index)
    pieces = [text[begin + 1 : stop] for begin, stop in zip(cuts, [*cuts[1:], body_end], strict=True)]
    return [" ".join(piece.split()) for piece in pieces if piece.strip()]


def _block_end(lines: list[str], start: int, parent: int, given: int) -> int:
    """The number of the first line that is no longer part of the block."""
    indent = parent + given if given else _first_indent(lines, start)
    if indent <= parent:
        return start
    end = start
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) >= indent):
        end += 1
    return end


def _first_indent(lines: list[str], start: int) -> int:
    return next((_indent(line) for line in lines[start:] if line.strip()), 0)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _lost_rows(lines: list[str], start: int, end: int, parent: int, source: str) -> list[Diagnostic]:
    kept = [line.strip() for line in lines[start:end] if line.strip()]
    lost = end
    while lost < len(lines) and _is_lost(lines[lost], parent, kept):
        lost += 1
    if lost == end:
        return []
    row = lines[end]
    place = Location(source, end + 1, _indent(row) + 1, len(row.strip()))
    count = "this row is a comment" if lost == end + 1 else f"{lost - end} rows from here on are comments"
    hint = "write the map as a list of quoted rows, or state the indentation of the block, as in '|2'"
    message = f"the '|' block above has ended, so {count} for YAML"
    return [Diagnostic(message, place, hint, code="E018")]


def _is_lost(line: str, parent: int, kept: list[str]) -> bool:
    """Whether a comment below a block looks like its next row: by its characters, and by its indentation or width."""
    row = line.strip()
    if not row.startswith("#"):
        return False
    known = set("".join(kept))
    familiar = is_row(row) or all(c in known for c in row if c.isalpha())
    drawn = row[1:2] not in ("", " ") and not _WORD.search(row)
    fits = _indent(line) > parent or not kept or any(len(row) == len(other) for other in kept)
    return fits and (familiar or drawn)
