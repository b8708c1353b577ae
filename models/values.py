"""Values and types of the language: what a puzzle speaks about.

A value is an `int`, a `bool`, text (`str`: symbols, letters, keys), a `Cell`, an `Offset`, a `Thing` (an object without
order or number) or raw data: a tuple or a `Record`. Every type is finite; its values are ordered as listed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple

from models.frozen import frozen

Value = Any


class Cell(NamedTuple):
    """A place on a board, counted from the top left corner, from 0."""

    row: int
    col: int


class Offset(NamedTuple):
    """A way to go: rows down and columns to the right."""

    row: int
    col: int


class Thing(NamedTuple):
    """One of a type of `objects(n)`, numbered from 1 in plans; or a mark on a map, which has a word there."""

    type: str
    number: int
    word: str = ""
    letter: str = ""
    origin: Cell | None = None


class Record(dict[str, Any]):
    """A mapping of the data; hashable, never changed."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))


MOST_SPACES = 1_000  # whose keys are kept


def exact(value: Any) -> object:
    """A key that tells apart what Python takes for equal, at any depth: 1 and true, a cell and an offset."""
    if type(value) is tuple:
        return tuple, tuple(map(exact, value))
    if isinstance(value, Record):
        return Record, tuple(sorted((key, exact(item)) for key, item in value.items()))
    return type(value), value


@frozen(eq=True)
class Space:
    """Values that numbers stand for: the `exact` key of each, where each key stands, and a number of the space's own.

    Spaces of one number have the same keys; one may get another number after a while, no number is given twice.
    """

    values: tuple[Any, ...]  # kept, so that its identity is its own
    keys: tuple[object, ...]
    places: dict[object, int]
    number: int


_spaces: dict[int, Space] = {}
_numbers: dict[tuple[object, ...], int] = {}
_fresh = count()


def space_of(values: tuple[Any, ...]) -> Space:
    """Worked out once for a tuple that many ask about."""
    found = _spaces.get(id(values))
    if found is None:
        if len(_spaces) >= MOST_SPACES:
            _spaces.clear()
            _numbers.clear()
        keys = tuple(map(exact, values))
        number = _numbers.setdefault(keys, next(_fresh))
        found = _spaces[id(values)] = Space(values, keys, {key: place for place, key in enumerate(keys)}, number)
    return found


def same(one: Any, other: Any) -> bool:
    """Are these one value of the language?"""
    if type(one) is not type(other) or one != other:
        return False
    return not isinstance(one, tuple | Record) or exact(one) == exact(other)


@frozen()
class Grid:
    """The board behind a cell type: its places, and whether opposite edges are joined."""

    name: str
    rows: int
    cols: int
    cells: frozenset[Any]
    wraps_rows: bool = False
    wraps_cols: bool = False


class Sheet(NamedTuple):
    """A map that marks stand on: its expression, the letters, its size, the type of its places if that is named."""

    words: str
    letters: tuple[str, ...]
    rows: int
    cols: int
    on: str = ""


@frozen()
class Type:
    """A finite type. `names` gives offsets their words; `grid` stands behind cells; `sheets` are the maps of marks."""

    name: str
    values: tuple[Value, ...]
    grid: Grid | None = None
    names: dict[Offset, str] = field(default_factory=dict)
    sheets: tuple[Sheet, ...] = ()

    @cached_property
    def place(self) -> dict[Value, int]:
        return {value: i for i, value in enumerate(self.values)}

    @cached_property
    def plain(self) -> dict[Value, Any]:
        """What JSON has for each value; no two are alike, so that a value can be read again where its type is known."""
        return _told_apart({value: plain(value, self.names) for value in self.values}, quotes=False)

    @cached_property
    def written(self) -> dict[Value, str]:
        """What plans and messages print for each value; a text has quotes where it could be taken for another value."""
        return _told_apart({value: show(value, self.names) for value in self.values}, quotes=True)

    @cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind_of(value, self.grid) for value in self.values)

    @property
    def is_board(self) -> bool:
        """Has it cells and nothing else?"""
        return all(isinstance(value, Cell) for value in self.values)


DIRECTIONS = {"up": Offset(-1, 0), "down": Offset(1, 0), "left": Offset(0, -1), "right": Offset(0, 1)}
DIRECTIONS8 = DIRECTIONS | {
    "up_left": Offset(-1, -1),
    "up_right": Offset(-1, 1),
    "down_left": Offset(1, -1),
    "down_right": Offset(1, 1),
}


def offset_type(name: str, words: dict[str, Offset]) -> Type:
    return Type(name, tuple(words.values()), names={offset: word for word, offset in words.items()})


BOOL = Type("bool", (False, True))
DIRECTION = offset_type("direction", DIRECTIONS)
DIRECTION8 = offset_type("direction8", DIRECTIONS8)
GIVEN_TYPES = {"bool": BOOL, "direction": DIRECTION, "direction8": DIRECTION8}


def kind_of(value: Value, grid: Grid | None = None) -> str:
    """The kind of a value; only values of one kind compare."""
    match value:
        case bool():
            return "bool"
        case int():
            return "int"
        case str():
            return "text"
        case Cell():
            return f"cell of {grid.name}" if grid else "cell"
        case Offset():
            return "offset"
        case Thing(type=name):
            return f"object of {name}"
        case Record():
            return "record"
    return "list"


def show(value: Value, names: Mapping[Offset, str] | None = None) -> str:
    """A value as plans and messages print it: a cell as [row, col], an offset by its word."""
    match value:
        case bool():
            return "true" if value else "false"
        case Cell(row, col):
            return f"[{row}, {col}]"
        case Offset():
            words = names or DIRECTION8.names
            return words.get(value) or DIRECTION8.names.get(value) or f"[{value.row}, {value.col}]"
        case Thing(number=number, word=word):
            return word or str(number)
        case Record():
            return "{" + ", ".join(f"{k}: {show(v)}" for k, v in value.items()) + "}"
        case tuple():
            return "[" + ", ".join(show(item, names) for item in value) + "]"
    return str(value)


def plain(value: Value, names: Mapping[Offset, str] | None = None) -> Any:
    """A value as JSON holds it."""
    match value:
        case Cell(row, col):
            return [row, col]
        case Offset():
            return show(value, names)
        case Thing(number=number, word=word):
            return word or number
        case Record():
            return {key: plain(item, names) for key, item in value.items()}
        case tuple():
            return [plain(item, names) for item in value]
    return value


def _told_apart(forms: Mapping[Value, Any], quotes: bool) -> dict[Value, Any]:
    """The forms; those that several values have give way to longer ones, for texts only where they may have quotes."""
    times = Counter(map(_typed, forms.values()))
    return {value: form if times[_typed(form)] == 1 else _longer(value, form, quotes) for value, form in forms.items()}


def _longer(value: Value, form: Any, quotes: bool) -> Any:
    """A form that neither a number has nor a way."""
    match value:
        case Thing(type=name, number=number):
            return f"{name} {number}"
        case Offset(row, col):
            return f"[{row}, {col}]"
        case str() if quotes:
            return quoted(value)
    return form


def quoted(text: str) -> str:
    """A text as the language writes it."""
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _typed(form: Any) -> tuple[type, str]:
    """1 and true are different, also inside lists."""
    return type(form), repr(form)


def element_name(name: str, indices: tuple[Value, ...], types: Iterable[Type]) -> str:
    """An element of an array as the author would write it, and no other one."""
    words = [type_.written[index] for index, type_ in zip(indices, types, strict=True)]
    if len(words) > 1:  # commas stand between them
        words = [quoted(word) if word == index and "," in word else word
                 for word, index in zip(words, indices, strict=True)]  # fmt: skip
    return f"{name}[{', '.join(words)}]" if indices else name


def union(name: str, types: Iterable[Type]) -> Type:
    """The values of all the types, in order."""
    parts = list(types)
    values = tuple(dict.fromkeys(value for part in parts for value in part.values))
    grid = next((part.grid for part in parts if part.grid), None)
    names = {offset: word for part in parts for offset, word in part.names.items()}
    sheets = tuple(dict.fromkeys(sheet for part in parts for sheet in part.sheets))
    return Type(name, values, grid, names, sheets)
