"""SLC, the Sokoban collections in XML: `<Level Id="title">` with a row in each `<L>`.

The parser reads no other file and knows no entities but XML's own, so that a short text never stands for a long one.
The text is decoded already, whatever encoding its declaration names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn
from xml.parsers import expat

from models.errors import PuzzleError
from models.level_files.blocks import Block, FileLine, problem

DEEPEST = 20  # elements in elements
_HINT = "levels of an SLC file are <Level> elements with a row in each <L>"


def is_xml(rows: Sequence[FileLine]) -> bool:
    first = next((row.text.lstrip() for row in rows if row.text.strip()), "")
    return first.startswith(("<?xml", "<!", "<SokobanLevels"))


def split(rows: Sequence[FileLine]) -> list[Block]:
    """A block for each level; PuzzleError where the text is not XML."""
    reader = _Elements(rows)
    try:
        reader.parser.Parse("\n".join(row.text for row in rows).encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        place = rows[min(error.lineno, len(rows)) - 1]
        raise problem(place, f"this is not XML: {expat.ErrorString(error.code)}", error.offset, hint=_HINT) from None
    return reader.blocks


class _Elements:
    """Follows the elements as they come."""

    def __init__(self, rows: Sequence[FileLine]) -> None:
        self.lines, self.blocks = rows, list[Block]()
        self.title, self.level, self.rows, self.height = "", FileLine("", 0, ""), list[FileLine](), ""
        self.inside: list[str] = []  # the elements that are open
        self.letters, self.place = "", FileLine("", 0, "")
        self.parser = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.EntityDeclHandler = self.entity
        self.parser.SkippedEntityHandler = self.skipped

    def here(self) -> FileLine:
        """The place where the parser is, as an empty row."""
        return self.lines[self.parser.CurrentLineNumber - 1].cut(self.parser.CurrentColumnNumber, "")

    def bad(self, message: str) -> NoReturn:
        raise problem(self.here(), message, hint=_HINT)

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        outer = self.inside[-1] if self.inside else ""
        lost = outer == "L" or (name == "L") != (outer == "Level") or name == "Level" and "Level" in self.inside
        if lost or len(self.inside) == DEEPEST:
            self.bad(f"<{name}> inside <{outer}>")
        self.inside.append(name)
        if name == "Level":
            self.title, self.level, self.rows = attributes.get("Id", "").strip(), self.here(), []
            self.height = attributes.get("Height", "").strip()
        elif name == "L":
            self.letters, self.place = "", self.here()

    def text(self, text: str) -> None:
        if self.inside[-1] == "Level" and text.strip():
            self.bad("text of a level outside of <L>")
        if self.inside[-1] == "L":
            self.place = self.place if self.letters else self.here()
            self.letters += text

    def end(self, name: str) -> None:
        self.inside.pop()
        if name == "L" and "\n" in self.letters:
            raise problem(self.place, "a row of several lines", hint=_HINT)
        if name == "L":
            self.rows.append(self.place._replace(text=self.letters))
        elif name == "Level":
            self.blocks.append(Block(self.title, tuple(self.rows), self.wrong()))

    def wrong(self) -> PuzzleError | None:
        """What is wrong with the level that ends here: it has no rows, or lacks some."""
        if not self.rows:
            return problem(self.level, "a level without rows", hint=_HINT)
        if self.height and self.height != str(len(self.rows)):
            message = f"a level of {len(self.rows)} rows, and its Height is {self.height!r}"
            return problem(self.level, message, hint="if no row is missing, correct the Height")
        return None

    def entity(self, *declared: Any) -> None:
        self.bad("entities of its own are not read")

    def skipped(self, name: str, is_parameter: bool) -> None:
        if not is_parameter:
            self.bad(f"the entity &{name}; is not known")
