"""A scalar of a puzzle file: the author's text, and where each of its characters stands.

YAML folds lines, drops quotes and resolves escapes, so the position of the fifth character of a value is not simply
its column plus five. `Text` keeps the raw slice of the file beside the value and walks it when somebody asks.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from models.errors import Location

Style: TypeAlias = Literal["plain", "quoted", "block"]
Plain: TypeAlias = "Text | list[Plain] | dict[Text, Plain]"

# A line break inside a plain or quoted scalar, with the blanks around it and the empty lines that follow.
_FOLD = re.compile(r"[ \t]*(\n)[ \t]*((?:\n[ \t]*)*)")
_ESCAPE = re.compile(r"\\(?:x..|u.{4}|U.{8}|\n[ \t]*((?:\n[ \t]*)*)|.)", re.DOTALL)


class Text(str):
    """A scalar as the author wrote it; equal to, hashed and pickled like the plain `str`, with its place besides."""

    location: Location
    style: Style
    raw: str

    def __new__(cls, value: str, location: Location | None = None, style: Style = "plain", raw: str = "") -> Text:
        """`raw` is the slice of the file, quotes and block header included; '' for a text that no file holds."""
        text = super().__new__(cls, value)
        text.location = location or Location("", 1, 1, max(len(value), 1))
        text.style = style
        text.raw = raw or value
        return text

    def at(self, offset: int, length: int = 1) -> Location:
        """The place in the file of `length` characters from `offset`; clipped to the line on which they begin."""
        places = _places(str(self), self.raw, self.style)
        last = len(places) - 1
        start = places[min(max(offset, 0), last)]
        end = places[min(max(offset + length, 0), last)]
        row = self.raw.count("\n", 0, start)
        line_end = self.raw.find("\n", start)
        end = end if line_end < 0 else min(end, line_end)
        column = start - self.raw.rfind("\n", 0, start) if row else self.location.column + start
        return Location(self.location.source, self.location.line + row, column, max(end - start, 1))

    def __getnewargs__(self) -> tuple[str, Location, Style, str]:  # type: ignore[override]
        return (str(self), self.location, self.style, self.raw)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """An is-instance check, so that pydantic hands the object on untouched."""
        from pydantic_core import core_schema

        return core_schema.is_instance_schema(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        """For editors, which let YAML guess: what we read as text may look like a number or a truth value to them."""
        return {"type": ["string", "number", "boolean"]}


@lru_cache(maxsize=4096)
def _places(value: str, raw: str, style: Style) -> tuple[int, ...]:
    """For each character of the value its index in `raw`, and one index more for the end."""
    if style == "block":
        return _block_places(value, raw)
    if style == "quoted":
        return _flow_places(raw, 1, len(raw) - 1, raw[:1])
    return _flow_places(raw, 0, len(raw), "")


def _flow_places(raw: str, start: int, end: int, quote: str) -> tuple[int, ...]:
    """Plain and quoted scalars: line breaks fold into a blank, escapes and doubled quotes into one character."""
    places: list[int] = []
    index = start
    while index < end:
        index = _step(raw, index, quote, places)
    return (*places, end)


def _step(raw: str, index: int, quote: str, places: list[int]) -> int:
    """Note the place of what stands at `index` and return where the next character begins."""
    if quote == '"' and (escape := _ESCAPE.match(raw, index)):
        empty_lines = escape.group(1)
        places += [index] if empty_lines is None else [index] * empty_lines.count("\n")
        return escape.end()
    if quote == "'" and raw.startswith("''", index):
        places.append(index)
        return index + 2
    if fold := _FOLD.match(raw, index):
        places += [fold.start(1)] * max(fold.group(2).count("\n"), 1)
        return fold.end()
    places.append(index)
    return index + 1


def _block_places(value: str, raw: str) -> tuple[int, ...]:
    """Block scalars: below the header each row is the raw row without its indentation."""
    places: list[int] = []
    raw_rows = raw.split("\n")
    start = len(raw_rows[0]) + 1
    rows = value.split("\n")
    for number, row in enumerate(rows):
        raw_row = raw_rows[number + 1] if number + 1 < len(raw_rows) else ""
        begin = min(start + max(len(raw_row) - len(row), 0), len(raw))
        places += range(begin, begin + len(row) + (number + 1 < len(rows)))
        start += len(raw_row) + 1
    return (*places, min(places[-1] + 1, len(raw)) if places else len(raw))
