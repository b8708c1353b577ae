"""Cubes and their like once more, from their shapes alone: stickers in space, and turns that rotate a part of them.

They know the names of turns that the library's files use, and share nothing else with the project. Conway's M13 is here
too: its points are vectors over three elements. A state is a tuple of what lies in each place; `distance` searches from
both ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from typing import Any, NamedTuple

Vector = tuple[int, int, int]
State = tuple[Any, ...]
Rotation = Callable[[Vector], Vector]
Sticker = tuple[Vector, Vector]  # where its piece is, and which way it looks

SIDES: dict[str, Vector] = {
    "U": (0, 1, 0),
    "D": (0, -1, 0),
    "R": (1, 0, 0),
    "L": (-1, 0, 0),
    "F": (0, 0, 1),
    "B": (0, 0, -1),
}
VERTICES: dict[str, Vector] = {"U": (1, 1, 1), "L": (-1, -1, 1), "R": (1, -1, -1), "B": (-1, 1, -1)}  # of a tetrahedron


class Twisty(NamedTuple):
    solved: State
    neighbours: Callable[[State], Iterator[State]]
    turned: Callable[[State, str], State]  # after a step as the files write it


def distance(twisty: Twisty, start: State) -> int:
    """The fewest steps to the solved state, layers from both ends; each step can be taken back in one step."""
    ends, seen, steps = [{start}, {twisty.solved}], {start, twisty.solved}, 0
    while ends[0] and not ends[0] & ends[1]:
        ends.sort(key=len)
        ends[0] = {after for state in ends[0] for after in twisty.neighbours(state)} - (seen - ends[1])
        seen |= ends[0]
        steps += 1
    assert ends[0]
    return steps


def layers(twisty: Twisty, depth: int) -> list[int]:
    """How many states are 0, 1, ... steps away from the solved one."""
    found = [{twisty.solved}]
    while len(found) <= depth:
        near = set().union(*found[-2:])
        found.append({after for state in found[-1] for after in twisty.neighbours(state)} - near)
    return list(map(len, found))


def dot(a: Vector, b: Vector) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def sums(*vectors: Vector) -> Vector:
    x, y, z = map(sum, zip(*vectors, strict=True))
    return x, y, z


def cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def quarter(axis: Vector) -> Rotation:
    """A clockwise quarter turn, seen from the tip of this unit vector."""

    def rotate(v: Vector) -> Vector:
        along, (x, y, z) = dot(axis, v), cross(v, axis)
        return x + along * axis[0], y + along * axis[1], z + along * axis[2]

    return rotate


def third(axis: Vector) -> Rotation:
    """A clockwise third of a turn, seen from the tip of this diagonal of a cube (Rodrigues' formula)."""

    def rotate(v: Vector) -> Vector:
        along, c = dot(axis, v), cross(v, axis)
        x, y, z = ((along * a - i + s) // 2 for a, i, s in zip(axis, v, c, strict=True))
        return x, y, z

    return rotate


def solid(stickers: dict[Sticker, str], axes: Mapping[str, tuple[Vector, int, Rotation]], order: int) -> Twisty:
    """A body whose part beyond a plane (across an axis, so far out) is rotated as a whole."""
    places = list(stickers)
    turns: dict[str, list[int]] = {}
    for name, (axis, beyond, rotate) in axes.items():
        onto = {(p, n): (rotate(p), rotate(n)) if dot(p, axis) >= beyond else (p, n) for p, n in places}
        back = {after: before for before, after in onto.items()}
        once = turns[f"{name} 1"] = [places.index(back[place]) for place in places]
        for k in range(2, order):
            turns[f"{name} {k}"] = [turns[f"{name} {k - 1}"][place] for place in once]

    def turned(state: State, step: str) -> State:
        return tuple(state[place] for place in turns[step.removeprefix("turn ")])

    return Twisty(tuple(stickers.values()), lambda state: (turned(state, step) for step in turns), turned)


def rubik(metric: str = "half") -> Twisty:
    cubes = product((-1, 0, 1), repeat=3)
    stickers = {(cube, side): name for cube in cubes for name, side in SIDES.items() if dot(cube, side) == 1}
    cube = solid(stickers, {name: (side, 1, quarter(side)) for name, side in SIDES.items()}, 4)
    steps = [f"turn {name} {k}" for name in SIDES for k in (1, 3)]
    return cube if metric == "half" else cube._replace(neighbours=lambda state: (cube.turned(state, s) for s in steps))


def skewb(metric: str = "cost") -> Twisty:
    corners = list(product((-1, 1), repeat=3))
    stickers = {(side, side): name for name, side in SIDES.items()}
    stickers |= {(c, side): name for c in corners for name, side in SIDES.items() if dot(c, side) == 1}
    axes = {name: sums(*(SIDES[side] for side in name)) for name in ("UFR", "UFL", "UBR", "DFR")}
    return solid(stickers, {name: (axis, 1, third(axis)) for name, axis in axes.items()}, 3)


def pyraminx(metric: str = "cost") -> Twisty:
    pieces = [(v,) for v in VERTICES] + list(combinations(VERTICES, 2))
    stickers = {  # a face is named by the vertex that it does not have
        (sums(*(VERTICES[v] for v in piece)), VERTICES[face]): face
        for piece in pieces
        for face in VERTICES
        if face not in piece
    }
    return solid(stickers, {name: (axis, 1, third(axis)) for name, axis in VERTICES.items()}, 3)


def m13(metric: str = "cost") -> Twisty:
    """The points 1 to 9 are a square of three rows, the others lie where its rows, columns and diagonals meet."""
    affine = [(1, row, col) for row in range(3) for col in range(3)]
    vectors: list[Vector] = [(0, 1, 2), *affine, (0, 0, 1), (0, 1, 0), (0, 1, 1)]
    point = {tuple(sign * x % 3 for x in v): i for i, v in enumerate(vectors) for sign in (1, -1)}

    def moved(state: State, hole: int, counter: int) -> State:
        pairs = list(zip(vectors[hole], vectors[counter], strict=True))
        r, s = (point[tuple((x + sign * y) % 3 for x, y in pairs)] for sign in (1, -1))
        after = list(state)
        after[hole], after[counter], after[r], after[s] = state[counter], state[hole], state[s], state[r]
        return tuple(after)

    def neighbours(state: State) -> Iterator[State]:
        hole = state.index(0)
        return (moved(state, hole, counter) for counter in range(13) if counter != hole)

    return Twisty(tuple(range(13)), neighbours, lambda state, step: moved(state, *map(int, step.split()[1:])))


TWISTY: dict[str, Callable[[str], Twisty]] = {maker.__name__: maker for maker in (rubik, skewb, pyraminx, m13)}
