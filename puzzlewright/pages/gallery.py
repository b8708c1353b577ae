"""`show --gallery`: a picture of every built-in puzzle, and the page that shows them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

from models.loader import load_text
from models.outcomes import Outcome
from models.puzzle import HOLLOW, LOOKS, Puzzle
from models.referee import start_state
from puzzlewright.files.library import built_in, find, saved
from puzzlewright.pictures.board_svg import FONT, words
from puzzlewright.pictures.film import film
from puzzlewright.pictures.looks import STRETCHED
from puzzlewright.pictures.outline import number
from puzzlewright.pictures.scene import Place, Scene, Spot, scene
from puzzlewright.pictures.svg import EDGE, INK, PAPER, draw, svg
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
WALL = (  # on one picture, for pages that speak of all puzzles
    *("klotski", "sokoban", "n_puzzle", "bloxorz", "rush_hour", "water_sort"),
    *("hanoi", "snakebird", "atomix", "peg_solitaire", "ricochet", "lights_out"),
)
ACROSS, WIDE, HIGH, GAP, FOOT = (
    4,
    230,
    190,
    14,
    34,
)  # of the wall: cards in a row, their size, what is between and below
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
    made = f"{len(texts) - 2} pictures in {folder}, some on {folder}.svg, the page {folder}.md, {size / 1000:.0f} kB"
    return Report("show", Outcome.VALID, notes=tuple(notes) or (made,), payloads=(Start(),))


def files(folder: str) -> dict[str, str]:
    """All files by their paths: the pictures below the folder, beside it the page, and a picture of several puzzles."""
    puzzles = {name: load_text(*find(name)) for name in built_in()}
    pictures = {f"{folder}/{name}.svg": film(puzzle, [start_state(puzzle)], ()).picture(0)[0]
                for name, puzzle in puzzles.items()}  # fmt: skip
    pictures[f"{folder}/looks.svg"] = svg(_looks(), title="every look with its word")
    page = HEAD + "\n".join(_table(puzzles, folder)) + "\n"
    return {**pictures, f"{folder}.svg": wall([puzzles[name] for name in WALL]), f"{folder}.md": page}


def wall(puzzles: Sequence[Puzzle]) -> str:
    """The starts of these puzzles side by side, each on a light card with its name; between them nothing."""
    cards = [_card(puzzle, place % ACROSS * (WIDE + GAP), place // ACROSS * (HIGH + GAP))
             for place, puzzle in enumerate(puzzles)]  # fmt: skip
    wide, high = ACROSS * (WIDE + GAP) - GAP, -(-len(puzzles) // ACROSS) * (HIGH + GAP) - GAP
    names = ", ".join(puzzle.name for puzzle in puzzles)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        f'role="img"><title>{words(names)}</title>{"".join(cards)}</svg>'
    )


def _card(puzzle: Puzzle, left: int, top: int) -> str:
    drawing = draw(replace(scene(puzzle, start_state(puzzle)), caption=""))
    box = " ".join(map(number, drawing.box))
    return (
        f'<rect x="{left + 0.5}" y="{top + 0.5}" width="{WIDE - 1}" height="{HIGH - 1}" rx="14" '
        f'fill="{PAPER}" stroke="{EDGE}"/>'
        f'<svg x="{left}" y="{top + 8}" width="{WIDE}" height="{HIGH - FOOT - 8}" viewBox="{box}">'
        f"{''.join(drawing.elements)}</svg>"
        f'<text x="{left + WIDE / 2:g}" y="{top + HIGH - 14}" text-anchor="middle" font-family="{FONT}" font-size="15" '
        f'font-weight="600" fill="{INK}">{words(puzzle.title)}</text>'
    )


def _looks() -> Scene:
    """Every look: a thing, on two places where it stretches, else what it is where nothing stands; and its word."""
    spots: dict[Place, Spot] = {}
    for place, look in enumerate(LOOKS):
        row, col = place // COLUMNS, place % COLUMNS * 4
        thing = Spot(GLYPHS.get(look, "*"), COLOURS.get(look, "blue"), look, look=look)
        spots[row, col] = thing
        spots[row, col + 1] = thing if look in STRETCHED else Spot(".", look=look if look in HOLLOW else "")
        spots |= {(row, col + more): Spot(".", ground="white", target=look) for more in (2, 3)}
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
