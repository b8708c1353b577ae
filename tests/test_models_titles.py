"""Titles: a file's own words, else its names in words."""

from __future__ import annotations

import pytest

from models.document import read_document
from models.errors import PuzzleError
from models.loader import load_text
from models.titles import in_words, level_title, title_of

TEXT = """
format: 1
puzzle: one_of-many
data: {n: 1}
state: {it: bool = true}
actions: {do: {effect: {it: true}}}
goal: it
require: n > 0
levels:
  seed-8x8: {n: 2}
  named: {title: "In words, of its own"}
"""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("water_sort", "Water sort"),
        ("n-puzzle", "N-puzzle"),
        ("seed-8x8", "Seed 8 × 8"),
        ("hex-0x8f", "Hex 0x8f"),
        ("a - b", "a - b"),  # a level file's own title
        ("été-1", "Été 1"),
        ("-", "-"),
        ("", ""),
    ],
)
def test_names_in_words(name: str, words: str) -> None:
    assert in_words(name) == words


def test_a_title_stands_in_place_of_the_name() -> None:
    document = read_document(TEXT, "text")
    assert (title_of(document), level_title(document, "seed-8x8")) == ("One of many", "Seed 8 × 8")
    puzzle = load_text("title: The\n  one\n" + TEXT, "text", level="named")
    assert (puzzle.name, puzzle.title, puzzle.level_title) == ("one_of-many", "The one", "In words, of its own")
    assert puzzle.heading == "The one · In words, of its own"


def test_a_datum_may_have_the_name() -> None:
    """Then the word means the datum in levels too."""
    text = (
        TEXT.replace("{n: 1}", "{n: 1, title: 0}").replace("n > 0", "n > title").replace('"In words, of its own"', "-1")
    )
    puzzle = load_text(text, "text", level="named")
    assert puzzle.data["title"] == -1 and puzzle.level_title == "Named"


def test_a_title_is_a_text() -> None:
    with pytest.raises(PuzzleError, match="the title of level 'named' is no text"):
        load_text(TEXT.replace('"In words, of its own"', "[a, b]"), "text", level="named")
