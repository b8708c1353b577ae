"""A scene as lines of text: rows of glyphs, the places that a step changed marked.

Marks are brackets, so that they survive a pipe; on a terminal with colour the places have the scene's colours too, and
equal things side by side are told apart.
"""

from __future__ import annotations

from models.frozen import frozen
from puzzlewright.pictures.letters import encodable, width
from puzzlewright.pictures.palette import terminal_colours
from puzzlewright.pictures.scene import Place, Scene, Spot


@frozen(eq=True)
class Style:
    """What the text is for: colours or none, the letters that can be shown, the columns there are."""

    colour: bool = False
    encoding: str = "utf-8"
    columns: int | None = None  # None: as many as it takes


PLAIN = Style()


def draw(now: Scene, before: Scene | None = None, style: Style = PLAIN) -> list[str]:
    """Lines of text; what differs from `before` stands in brackets, and columns without room are left out."""
    if not now.spots:
        return [encodable(line, style.encoding) for line in now.lines]
    glyphs = {place: encodable(spot.glyph, style.encoding) for place, spot in now.spots.items()}
    wide = max(map(width, glyphs.values()))
    cols = now.cols if style.columns is None else min(now.cols, max(1, style.columns // (wide + 2)))
    changed = changes(now, before)
    lines = []
    for row in range(now.rows):
        places = [(row, col) for col in range(cols)]
        cells = [_cell(glyphs.get(place, ""), wide, place in changed) for place in places]
        lines.append(_painted(now, places, cells, changed) if style.colour else "".join(cells).rstrip())
    return lines + _left_out(now.cols - cols)


def _cell(glyph: str, wide: int, mark: bool) -> str:
    text = " " * (wide - width(glyph)) + glyph
    return f"[{text}]" if mark else f" {text} "


def _painted(now: Scene, places: list[Place], cells: list[str], changed: set[Place]) -> str:
    """The cells in colour; a thing in the colour of the one before it, or below it, keeps a gap or a line from it."""
    painted = []
    for place, cell in zip(places, cells, strict=True):
        row, col = place
        paint = _paint(now.spots.get(place), place in changed)
        gap = _apart(now, (row, col - 1), place)
        line = "4;" * (now.frame != "tube" and _apart(now, place, (row + 1, col)))
        coloured = f"\x1b[{line}{paint}m{cell[gap:]}\x1b[0m" if paint else cell[gap:]
        painted.append(cell[:gap] + coloured)
    return "".join(painted).rstrip()


def _apart(now: Scene, one: Place, other: Place) -> bool:
    """Do two things of the same colour touch here?"""
    first, second = now.spots.get(one), now.spots.get(other)
    if first is None or second is None or not first.colour:
        return False
    return first.colour == second.colour and not (first.piece and first.piece == second.piece)


def _paint(spot: Spot | None, mark: bool) -> str:
    """The terminal's codes for a place: its colour, or that of its ground where it is more than floor."""
    colour = "" if spot is None else spot.colour or (spot.ground if spot.ground not in ("floor", "void") else "")
    if not colour:
        return "1;33" if mark else ""
    background, letter = terminal_colours(colour)
    return f"{'1;' * mark}38;5;{letter};48;5;{background}"


def _left_out(cols: int) -> list[str]:
    return [f"({cols} more column{'s' * (cols > 1)}: the terminal is too narrow)"] if cols else []


def changes(now: Scene, before: Scene | None) -> set[Place]:
    """The places whose glyphs differ; none where there is nothing to compare with."""
    if before is None:
        return set()
    return {place for place in now.spots if before.glyph(place) != now.glyph(place)}
