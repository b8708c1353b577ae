"""What people read for the name of a puzzle or a level: the file's `title`, else the name in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from models.syntax import fail
from models.text import Text

if TYPE_CHECKING:
    from models.document import Document


def in_words(name: str) -> str:
    """`water_sort` is Water sort, `seed-8x8` Seed 8 × 8, `n-puzzle` N-puzzle; what has blanks is words already."""
    if not name or " " in name:
        return name
    spaced = re.sub(r"(?<!^[^\W\d])-(?=\w)", " ", name.replace("_", " "))
    spaced = re.sub(r"\b(\d+)x(?=\d+\b)", r"\1 × ", spaced)
    return spaced[0].upper() + spaced[1:]


def title_of(document: Document) -> str:
    return " ".join(document.title.split()) if document.title else in_words(str(document.puzzle))


def level_title(document: Document, name: str) -> str:
    """PuzzleError where the level's title is no text."""
    level = document.levels.get(Text(name))
    if level is None or level.title is None:
        return in_words(name)
    if not isinstance(level.title, Text):
        raise fail(f"the title of level {name!r} is no text", None, "title: Some words", "E105")
    return " ".join(level.title.split())
