"""Texts of level files, and what is read from them or said of them."""

from __future__ import annotations

from typing import Any

import pytest

from models.document import read_document
from models.errors import PuzzleError
from models.level_files import FORMATS, LevelFile, with_level
from models.loader import load_text
from models.puzzle import Puzzle
from models.text import Plain, Text
from puzzlewright.files.library import find

# Every format fills data of the names of its parts.
PUZZLE = """
puzzle: any
data: {{board: [], target: none, rows: 1, cols: 1, start: [0, 0]}}
state: {{at: bool = false}}
actions: {{go: {{effect: {{at: true}}}}}}
goal: at
accepts: {{{accepts}}}
"""
ALL = {
    name: f"{name}: {{{', '.join(f'{part}: {part}' for part in format_.parts)}}}" for name, format_ in FORMATS.items()
}


def level_of(
    text: str, accepts: str, level: str | None = None, source: str = "levels.txt", **named: Any
) -> dict[str, Any]:
    """The data of a level, as plain texts and lists."""
    document = read_document(PUZZLE.format(accepts=ALL.get(accepts, accepts)), "any.yaml")
    settings: dict[str, Plain] = {name: Text(value) for name, value in named.pop("settings", {}).items()}
    found, name = with_level(document, LevelFile(text, source, named.get("format")), level, settings)
    return {str(key): _plain(value) for key, value in found.levels[Text(name)].data.items()}


def _plain(value: Plain) -> Any:
    return [_plain(item) for item in value] if isinstance(value, list) else str(value)


def complaint(text: str, accepts: str, level: str | None = None, **named: Any) -> str:
    """`line:column code message | hint` of the error."""
    with pytest.raises(PuzzleError) as caught:
        level_of(text, accepts, level, **named)
    (found,) = caught.value.diagnostics
    place = f"{found.location.line}:{found.location.column} " if found.location else ""
    return f"{place}{found.code} {found.message}" + (f" | {found.hint}" if found.hint else "")


def built_in(name: str, text: str, level: str | None = None, **settings: str) -> Puzzle:
    """A built-in puzzle with a level of a level file."""
    found = {key: Text(value) for key, value in settings.items()}
    return load_text(*find(name), level, found, level_file=LevelFile(text, "levels.txt"))


ONE = ["#####", "#@$.#", "#####"]
SLC = """\
<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE SokobanLevels SYSTEM "SokobanLev.dtd">
<SokobanLevels>
  <Title>Two &amp; a half</Title>
  <LevelCollection Copyright="Me" MaxWidth="6" MaxHeight="3">
    <Level Id="one" Width="5" Height="3">
      <L>#####</L>
      <L>#@$.#</L>
      <L>#####</L>
    </Level>
    <Level Id="two" Width="6" Height="5">
      <L>  ##</L>
      <L></L>
      <L>######</L>
      <L>#.$ @&#35;</L>
      <L>######</L>
    </Level>
    <Level Id="none" Width="6" Height="3"/>
  </LevelCollection>
</SokobanLevels>
"""
CARD = "AA...OP..Q.OPXXQ.OP..Q..B...CCB.RRR."  # the first of the 40 cards; its capital O is a car
CARD_ROWS = ["AA...O", "P..Q.O", "PXXQ.O", "P..Q..", "B...CC", "B.RRR."]
DAO = ["HAAI", "HAAI", "JBBK", "JNOK", "P..Q"]
