"""A net of six faces as the cube that it folds to, seen twice: from above in front, and from below behind.

The net is a cross: the top above the second of the four faces in the row, the bottom below it. Each place is a
parallelogram on its face; no face is hidden, and whoever folds the net has the same cube.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from models.frozen import frozen
from puzzlewright.pictures.board_svg import MARK, lettering
from puzzlewright.pictures.outline import beside, number, pieces
from puzzlewright.pictures.palette import hex_of, ink
from puzzlewright.pictures.scene import Place, Scene, Spot

Vector = tuple[float, float]
SLANT = 0.866  # of a side that goes back, by one place: so far across, and half a place up or down
EDGE = 40.0  # pixels of a place's side
BETWEEN = 40  # pixels between the two pictures
GAP = 0.05  # of a place, round it
BODY = "#23262b"
DOWN, FORTH, BACK = (0.0, 1.0), (SLANT, 0.5), (SLANT, -0.5)  # ways on the picture
FACES: dict[Place, tuple[Vector, Vector, Vector, int]] = {
    # in the net: its upper left corner in sides of the cube, the ways of a row and of a column, which picture
    (0, 1): ((SLANT, 0), FORTH, (-SLANT, 0.5), 0),
    (1, 1): ((0, 0.5), FORTH, DOWN, 0),
    (1, 2): ((SLANT, 1), BACK, DOWN, 0),
    (1, 3): ((0, 0.5), BACK, DOWN, 1),
    (1, 0): ((SLANT, 0), FORTH, DOWN, 1),
    (2, 1): ((2 * SLANT, 1.5), (-SLANT, 0.5), (-SLANT, -0.5), 1),
}


@frozen(eq=True)
class Facelet:
    """A place of the net on its face: its four corners, from the first one round, and its middle."""

    corners: tuple[Vector, ...]
    middle: Vector

    @property
    def path(self) -> str:
        return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in self.corners) + "Z"


def side(scene: Scene) -> int:
    """The places of a face's side; 0 where the scene is no net, or something is seen beside the six faces."""
    long = scene.rows // 3
    if scene.frame != "cube" or not long or (scene.rows, scene.cols) != (3 * long, 4 * long):
        return 0
    beside_it = (spot for (row, col), spot in scene.spots.items() if (row // long, col // long) not in FACES)
    return 0 if any(spot.ground != "void" for spot in beside_it) else long


def size(scene: Scene) -> Vector:
    """Width and height of both pictures."""
    return 4 * SLANT * EDGE * side(scene) + BETWEEN, 2 * EDGE * side(scene)


def elements(scene: Scene, changed: Set[Place]) -> list[str]:
    """Bodies, facelets, marks for what changed, and letters once for each piece of a face."""
    long, found = side(scene), facelets(scene)
    coloured = [place for place in found if scene.spots[place].colour]
    return [
        *(f'<path d="{_facelet(face, 0, 0, long, (0, 0, 0, 0), long).path}" fill="{BODY}"/>' for face in FACES),
        *(f'<path d="{found[place].path}" fill="{hex_of(scene.spots[place].colour)}"/>' for place in coloured),
        *(f'<path d="{found[place].path}" class="changed" fill="none" stroke="{MARK}" stroke-width="4"/>'
          for place in found if place in changed),
        *_letters(scene, coloured, found),
    ]  # fmt: skip


def spot_elements(scene: Scene) -> list[str]:
    """A transparent parallelogram for each place, which a page can hit, with the rectangle in its middle."""
    drawn = []
    for (row, col), each in facelets(scene).items():
        x, y = each.middle[0] - EDGE / 4, each.middle[1] - EDGE / 4
        box = f'x="{number(x)}" y="{number(y)}" width="{number(EDGE / 2)}" height="{number(EDGE / 2)}"'
        drawn.append(f'<path class="spot" data-place="{row},{col}" {box} d="{each.path}" fill-opacity="0"/>')
    return drawn


def facelets(scene: Scene) -> dict[Place, Facelet]:
    """Of all places on the six faces, in reading order; places of one piece touch."""
    long, found = side(scene), {}
    for place, spot in sorted(scene.spots.items()):
        face = place[0] // long, place[1] // long
        if face in FACES:
            gaps = tuple(0 if _joined(spot, scene, other, face, long) else GAP for other in beside(place))
            found[place] = _facelet(face, place[0] % long, place[1] % long, long, gaps)
    return found


def _joined(spot: Spot, scene: Scene, other: Place, face: Place, long: int) -> bool:
    there = scene.spots.get(other)
    same = (other[0] // long, other[1] // long) == face
    return same and there is not None and bool(spot.piece) and there.piece == spot.piece


def _facelet(face: Place, row: int, col: int, long: int, gaps: tuple[float, ...], sides: int = 1) -> Facelet:
    """So many places long; the gaps are above, right, below and left of it."""
    (x, y), across, down, picture = FACES[face]
    above, right, below, left = gaps

    def point(i: float, j: float) -> Vector:
        at = x * long + j * across[0] + i * down[0], y * long + j * across[1] + i * down[1]
        return EDGE * at[0] + picture * (2 * SLANT * EDGE * long + BETWEEN), EDGE * at[1]

    top, bottom, first, last = row + above, row + sides - below, col + left, col + sides - right
    corners = point(top, first), point(top, last), point(bottom, last), point(bottom, first)
    return Facelet(corners, point(row + sides / 2, col + sides / 2))


def _letters(scene: Scene, places: list[Place], found: dict[Place, Facelet]) -> Iterator[str]:
    long = side(scene)
    words = {place: f"{place[0] // long} {place[1] // long} {spot.piece}" * bool(spot.piece)
             for place in places for spot in [scene.spots[place]]}  # fmt: skip
    for group in pieces(words):
        spot = scene.spots[group[0]]
        x, y = (sum(found[place].middle[axis] for place in group) / len(group) for axis in (0, 1))
        yield lettering(x, y, 14, spot.glyph, ink(hex_of(spot.colour)))
