"""`show --gallery`: a picture of every built-in puzzle, and the page that shows them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

from models.loader import load_text
from models.outcomes import Outcome
from models.puzzle import HOLLOW, LOOKS, Puzzle
from models.referee import start_state
from puzzlewright.files.library import built_in, find, saved
from puzzlewright.pictures.film import film
from puzzlewright.pictures.looks import STRETCHED
from puzzlewright.pictures.scene import Place, Scene, Spot
from puzzlewright.pictures.svg import svg
from puzzlewright.printing.showing import Start
from puzzlewright.report import Report

COLUMNS = 3
GLYPHS = {
    "card": "10H",
    "arrow": ">",
    "disk": "H",
    "key": "a",
    "door": "A",
    "tile": "8",
    "car": "X",
    "gem": "F",
}  # others: "*"
COLOURS = {"card": "red", "crate": "brown", "tower": "brown", "block": "brown", "light": "yellow", "wall": "grey",
           "key": "amber", "door": "amber", "car": "red", "store": "green", "gem": "purple",
           "knight": "black"}  # fmt: skip
HEAD = """# Gallery

Every built-in puzzle at the start of its first level, drawn from the `view` of its file. This page and its pictures are
made by `puzzlewright show --gallery docs/gallery`. What the puzzles are, with all levels: [puzzles](puzzles.md). How to
make pictures, films and pages: [seeing](seeing.md).

"""


def gallery(folder: Path) -> Report:
    """Write a picture for each built-in puzzle into the folder, which is there, and their page beside it."""
    texts = files(folder.name)
    notes = [note for name, text in texts.items() for note in saved(folder.parent / name, text)]
    size = sum(len(text.encode()) for text in texts.values())
    made = f"{len(texts) - 2} pictures and that of the looks in {folder} and the page {folder}.md, {size / 1000:.0f} kB"
    return Report("show", Outcome.VALID, notes=tuple(notes) or (made,), payloads=(Start(),))


def files(folder: str) -> dict[str, str]:
    """All files by their paths: the pictures below the folder, the page beside it."""
    puzzles = {name: load_text(*find(name)) for name in built_in()}
    pictures = {f"{folder}/{name}.svg": film(puzzle, [start_state(puzzle)], ()).picture(0)[0]
                for name, puzzle in puzzles.items()}  # fmt: skip
    pictures[f"{folder}/looks.svg"] = svg(_looks(), title="every look with its word")
    return {**pictures, f"{folder}.md": HEAD + "\n".join(_table(puzzles, folder)) + "\n"}


def _looks() -> Scene:
    """Every look: a thing, on two places where it stretches, else what it is where nothing stands; and its word."""
    spots: dict[Place, Spot] = {}
    for number, look in enumerate(LOOKS):
        row, col = number // COLUMNS, number % COLUMNS * 4
        thing = Spot(GLYPHS.get(look, "*"), COLOURS.get(look, "blue"), look, look=look)
        spots[row, col] = thing
        spots[row, col + 1] = thing if look in STRETCHED else Spot(".", look=look if look in HOLLOW else "")
        spots |= {(row, col + place): Spot(".", ground="white", target=look) for place in (2, 3)}
    return Scene(spots)


def _table(puzzles: Mapping[str, Puzzle], folder: str) -> Iterator[str]:
    cells = [_cell(name, puzzle, folder) for name, puzzle in puzzles.items()]
    yield "<table>"
    for first in range(0, len(cells), COLUMNS):
        yield "\n".join(["<tr>", *cells[first : first + COLUMNS], "</tr>"])
    yield "</table>"


def _cell(name: str, puzzle: Puzzle, folder: str) -> str:
    picture = f'<img src="{folder}/{name}.svg" alt="{name} at its start" width="240">'
    called = f"<b>{escape(puzzle.title)}</b> <code>{name}</code>"
    return f'<td align="center" valign="top" width="33%">{picture}<br>{called}<br>{escape(puzzle.about)}</td>'
