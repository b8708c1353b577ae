"""Touching places as one piece, and its outline as a path with rounded corners.

The border of a set of unit squares is walked with the squares on the right hand (y grows downward), so holes come out
as loops of their own, walked the other way round. At a point where squares touch by their corners only, the walk turns
right, which keeps such squares apart. A loop is moved inward by the sum of its two normals at each corner.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from puzzlewright.pictures.scene import Place

Point = tuple[int, int]  # x, y: a corner of a place, or a direction of length one
Edge = tuple[Point, Point]  # where it begins, its direction
Corner = tuple[Point, Point, Point]  # where it is, the direction before it, the direction after it
Lines = tuple[Sequence[float], Sequence[float]]  # x and y in pixels of the lines between columns, between rows


def pieces(words: Mapping[Place, str]) -> list[list[Place]]:
    """Touching places with the same word, each group in reading order; "" stands by itself."""
    left, found = dict(sorted(words.items())), []
    while left:
        first = next(iter(left))
        word, todo, group = left[first], [first], []
        while todo:
            place = todo.pop()
            if place in left and left[place] == word:
                del left[place]
                group.append(place)
                todo += beside(place) if word else []
        found.append(sorted(group))
    return found


def outline(places: Collection[Place], lines: Lines, inset: float = 0, outer: float = 0, inner: float = 0) -> str:
    """Path data; `outer` and `inner` are the radii of corners that stick out and of those that go in."""
    return "".join(_path(loop, lines, inset, outer, inner) for loop in _loops(places))


def number(value: float) -> str:
    """At most two decimals, and none that say nothing."""
    return f"{round(value, 2) + 0:.2f}".rstrip("0").rstrip(".")


def _path(corners: list[Corner], lines: Lines, inset: float, outer: float, inner: float) -> str:
    parts = []
    for (x, y), (in_x, in_y), (out_x, out_y) in corners:
        right = in_x * out_y - in_y * out_x > 0
        radius = outer if right else inner
        at_x, at_y = lines[0][x] - (in_y + out_y) * inset, lines[1][y] + (in_x + out_x) * inset
        begin, end = (
            _pair(at_x - in_x * radius, at_y - in_y * radius),
            _pair(at_x + out_x * radius, at_y + out_y * radius),
        )
        parts.append(begin + (f"A{number(radius)} {number(radius)} 0 0 {int(right)} {end}" if radius else ""))
    return "M" + "L".join(parts) + "Z"


def _pair(x: float, y: float) -> str:
    return f"{number(x)} {number(y)}"


def beside(place: Place) -> list[Place]:
    row, col = place
    return [(row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)]


def _loops(places: Collection[Place]) -> Iterator[list[Corner]]:
    edges = frozenset(_edges(frozenset(places)))
    left = dict.fromkeys(sorted(edges))
    while left:
        edge, loop = next(iter(left)), list[Corner]()
        while edge in left:
            del left[edge]
            after = _after(edge, edges)
            if after[1] != edge[1]:
                loop.append((after[0], edge[1], after[1]))
            edge = after
        yield loop


def _edges(places: frozenset[Place]) -> Iterator[Edge]:
    """The sides of the places beyond which there is none of them, clockwise."""
    for row, col in places:
        corners = [(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)]
        directions = [(1, 0), (0, 1), (-1, 0), (0, -1)]
        for corner, direction, outside in zip(corners, directions, beside((row, col)), strict=True):
            if outside not in places:
                yield corner, direction


def _after(edge: Edge, edges: frozenset[Edge]) -> Edge:
    """The next edge of the border: to the right if there is one, else ahead, else to the left."""
    (x, y), (dx, dy) = edge
    point = x + dx, y + dy
    return next(each for turn in ((-dy, dx), (dx, dy), (dy, -dx)) if (each := (point, turn)) in edges)
