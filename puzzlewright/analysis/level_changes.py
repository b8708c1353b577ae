"""Small changes of a level: of the maps in its data, so that pieces keep their forms.

A map is a datum of rows: texts, or lists; in a level without one, a list of scalars is a map of one row. What is not
changed is what a piece is: a letter that stands in one place only, on one square or more, and is no ground (a letter
that the types leave out or call plain), keeps its form. A change need not make a level: the reader of the file says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random

from models.document import Document
from models.frozen import frozen
from models.text import Text
from models.values import Value

TRIES = 50  # changes of one map that leave it as it is, or break a piece, before it is given up
LARGEST = 3  # rows and columns of what changes places
ONE_MORE = 0.3  # the chance that one more change follows
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))
Place = tuple[int, int]
Grid = dict[Place, Value]
Change = Callable[[Grid, "Letters", Random], Grid]


@frozen(eq=True)
class Letters:
    """What stands in a level's map: all letters, and those that are ground."""

    known: tuple[Value, ...]
    ground: frozenset[Value]


def maps_in(data: Mapping[str, Value]) -> list[str]:
    """The names of the maps, of those with rows if there are any."""
    rows = [name for name, value in data.items() if is_rows(value)]
    return rows or [name for name, value in data.items() if isinstance(value, tuple) and len(value) > 1]


def is_rows(value: Value) -> bool:
    return isinstance(value, tuple) and len(value) > 1 and all(isinstance(row, str | tuple) for row in value)


def letters_of(name: str, own: Value, document: Document) -> Letters:
    """The letters of a level's datum; ground is what `cells` and `letters` of it are told to leave out."""
    squares = grid_of(own).values()
    ground = set()
    for source in document.types.values():
        if isinstance(source, Text) and re.search(rf"\b(?:cells|letters)\(\s*{re.escape(name)}\b", source):
            ground |= set("".join(re.findall(r"""["']([^"']*)["']""", source)))
    return Letters(tuple(dict.fromkeys(squares)), frozenset(ground))


def grid_of(value: Value) -> Grid:
    rows = value if is_rows(value) else (value,)
    return {(y, x): square for y, row in enumerate(rows) for x, square in enumerate(row)}


def _put_back(grid: Grid, form: Value) -> Value:
    """The grid in the form of the datum that it was read from."""
    count = len(form) if is_rows(form) else 1
    rows = [tuple(grid[place] for place in sorted(grid) if place[0] == row) for row in range(count)]
    if not is_rows(form):
        return rows[0]
    return tuple("".join(map(str, row)) if isinstance(old, str) else row for row, old in zip(rows, form, strict=True))


def changed(value: Value, letters: Letters, random: Random) -> Value:
    """The map after a change or a few, drawn; itself where none was found."""
    grid = grid_of(value)
    forms = _forms(grid, letters)
    for _ in range(TRIES):
        after = random.choice(CHANGES)(grid, letters, random)
        while random.random() < ONE_MORE:
            after = random.choice(CHANGES)(after, letters, random)
        if after != grid and _keeps(forms, _forms(after, letters)):
            return _put_back(after, value)
    return value


# -- pieces ------------------------------------------------------------------------------------------------------------


def pieces(grid: Grid) -> Iterator[tuple[Value, frozenset[Place]]]:
    """The letters with the places that hang together."""
    left = dict(grid)
    while left:
        place, letter = left.popitem()
        found, waiting = {place}, [place]
        while waiting:
            for beside in _beside(waiting.pop()):
                if beside in left and left[beside] == letter:
                    del left[beside]
                    found.add(beside)
                    waiting.append(beside)
        yield letter, frozenset(found)


def _beside(place: Place) -> list[Place]:
    return [(place[0] + y, place[1] + x) for y, x in STEPS]


def _forms(grid: Grid, letters: Letters) -> dict[Value, Counter[frozenset[Place]]]:
    """For each letter that is no ground the forms of its pieces, wherever they stand."""
    found: dict[Value, Counter[frozenset[Place]]] = {}
    for letter, places in pieces(grid):
        if letter not in letters.ground:
            found.setdefault(letter, Counter())[_form(places)] += 1
    return found


def _form(places: frozenset[Place]) -> frozenset[Place]:
    top, left = min(y for y, _ in places), min(x for _, x in places)
    return frozenset((y - top, x - left) for y, x in places)


def _keeps(forms: Mapping[Value, Counter[frozenset[Place]]], after: Mapping[Value, Counter[frozenset[Place]]]) -> bool:
    """Has each letter that is one piece kept its form?"""
    whole = {letter: found for letter, found in forms.items() if found.total() == 1}
    return all(after.get(letter) == found for letter, found in whole.items())


# -- changes -----------------------------------------------------------------------------------------------------------


def exchange(grid: Grid, letters: Letters, random: Random) -> Grid:
    """Two squares change places."""
    one, other = random.choices(list(grid), k=2)
    return grid | {one: grid[other], other: grid[one]}


def repaint(grid: Grid, letters: Letters, random: Random) -> Grid:
    """Another letter on a square."""
    return grid | {random.choice(list(grid)): random.choice(letters.known)}


def push(grid: Grid, letters: Letters, random: Random) -> Grid:
    """A piece a square further; what stands there comes to where it stood."""
    _, places = random.choice(sorted(pieces(grid), key=lambda piece: sorted(piece[1])))
    y, x = random.choice(STEPS)
    there = {(row + y, col + x) for row, col in places}
    if not there <= grid.keys():
        return grid
    back = zip(sorted(places - there), (grid[each] for each in sorted(there - places)), strict=True)
    return grid | {(row + y, col + x): grid[row, col] for row, col in places} | dict(back)


def swap(grid: Grid, letters: Letters, random: Random) -> Grid:
    """Two rectangles of the same size change places."""
    height, width = random.randint(1, LARGEST), random.randint(1, LARGEST)
    one, other = random.choices(list(grid), k=2)
    offsets = [(y, x) for y in range(height) for x in range(width)]
    here, there = ([(top + y, left + x) for y, x in offsets] for top, left in (one, other))
    if not grid.keys() >= {*here, *there} or set(here) & set(there):
        return grid
    pairs = list(zip(here, there, strict=True))
    return grid | {a: grid[b] for a, b in pairs} | {b: grid[a] for a, b in pairs}


CHANGES: tuple[Change, ...] = (exchange, repaint, push, swap)
