"""A scene as a page needs it beside its picture: the places for keys and screen readers, and what a move moves.

A page tells a cell by its row and column, counted from one, wherever people read it: labels, captions, messages.
"""

from __future__ import annotations

from collections.abc import Iterable

from models.values import Cell, Value, show
from puzzlewright.pictures.scene import Place, Scene, Spot


def board(scene: Scene) -> dict[str, object]:
    """Rows, columns, every place with its glyph, the name of its piece and its value in plans; walls, and looks."""
    spots = [[row, col, spot.glyph, spot.piece, spot.value] for (row, col), spot in sorted(scene.spots.items())]
    walls = [place for place, spot in sorted(scene.spots.items()) if spot.ground == "wall"]
    looks = [[*place, spot.look] for place, spot in sorted(scene.spots.items()) if spot.look]
    return {"rows": scene.rows, "cols": scene.cols, "frame": scene.frame, "spots": spots, "lines": scene.lines,
            "caption": scene.caption, "walls": walls, "looks": looks}  # fmt: skip


def from_one(value: Value, printed: str) -> str:
    """A value as a page writes it, given as plans print it."""
    match value:
        case Cell(row, col):
            return f"({row + 1}, {col + 1})"
        case tuple() if type(value) is tuple and any(isinstance(item, Cell) for item in value):
            return "[" + ", ".join(from_one(item, show(item)) for item in value) + "]"
    return printed


def motion(before: Scene, after: Scene) -> dict[str, list[Place]]:
    """The places that look different; those of things that go (in whole pieces), and of things that have come."""
    changed = sorted(place for place in {**before.spots, **after.spots} if _look(before, place) != _look(after, place))
    return {"changed": changed, "leaves": _things(before, changed), "enters": _things(after, changed)}


def _look(scene: Scene, place: Place) -> tuple[str, str, str, int] | None:
    spot = scene.spots.get(place)
    return None if spot is None else (spot.glyph, spot.colour, spot.ground, spot.size)


def _things(scene: Scene, places: Iterable[Place]) -> list[Place]:
    """The places of all things that touch these places."""
    found: set[Place] = set()
    waiting = [place for place in places if place in scene.spots and scene.spots[place].colour]
    while waiting:
        place = waiting.pop()
        if place not in found:
            found.add(place)
            waiting += [other for other in _beside(place) if _joined(scene.spots[place], scene.spots.get(other))]
    return sorted(found)


def _beside(place: Place) -> list[Place]:
    row, col = place
    return [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]


def _joined(one: Spot, other: Spot | None) -> bool:
    return other is not None and bool(one.piece) and bool(other.colour) and one.piece == other.piece
