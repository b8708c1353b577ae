"""What the checker knows of an expression before anything runs: its kinds of value, its type, its possible raw data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from models.expressions import Constant, Expr
from models.frozen import frozen
from models.values import BOOL, DIRECTIONS8, Cell, Grid, Offset, Record, Type, Value, exact, kind_of

Possible = tuple[Value, ...]


@frozen(eq=True)
class Static:
    """`kinds` is empty for what is never defined; `data` lists every raw value that the expression can have."""

    kinds: frozenset[str]
    type: Type | None = None
    data: Possible | None = None

    @property
    def grid(self) -> Grid | None:
        return self.type.grid if self.type else None


@frozen()
class Typed:
    """An expression and what is known of it: of a collection, of its items; and each list or text that it can be."""

    expression: Expr
    static: Static
    collections: Possible = ()


INTEGER = Static(frozenset({"int"}))
BOOLEAN = Static(frozenset({"bool"}), BOOL)
OFFSET = Static(frozenset({"offset"}))


def static_of(type_: Type) -> Static:
    return Static(type_.kinds, type_)


def static_data(values: Iterable[Value]) -> Static:
    """What is known of raw data that is one of `values`."""
    possible = distinct(values)
    return Static(frozenset(kind_of(value) for value in possible), None, possible)


def distinct(values: Iterable[Value]) -> Possible:
    """The values without repetition; 1 and true are different."""
    return tuple(value for _, value in {exact(v): v for v in values}.items())


def literal(value: Value) -> Typed:
    return Typed(Constant(value), static_data([value]))


def compatible(left: Static, right: Static) -> bool:
    return not left.kinds or not right.kinds or bool(left.kinds & right.kinds)


def is_boolean(static: Static) -> bool:
    return static.kinds <= {"bool"}


def is_cell(static: Static) -> bool:
    return any(kind.startswith("cell") for kind in static.kinds)


def describe(static: Static) -> str:
    """A static in words, for messages."""
    if static.type is not None and static.type.name not in ("", "bool"):
        return f"a value of `{static.type.name}`"
    names = {"int": "an integer", "bool": "a condition", "text": "text", "offset": "an offset", "list": "a list"}
    words = (names.get(kind, f"{'an' if kind.startswith('object') else 'a'} {kind}") for kind in static.kinds)
    return " or ".join(sorted(words)) or "nothing"


def as_cell(value: Value, grid: Grid) -> Cell | None:
    """Raw [row, col] as a cell of the board."""
    if isinstance(value, tuple) and len(value) == 2 and value in grid.cells:
        return Cell(*value)
    return None


def as_offset(value: Value, words: dict[Offset, str]) -> Offset | None:
    """A word or raw [rows, cols] as an offset."""
    if isinstance(value, str):
        own = {word: offset for offset, word in words.items()}
        return own.get(value) or DIRECTIONS8.get(value)
    if isinstance(value, tuple) and len(value) == 2 and all(type(part) is int for part in value):
        return Offset(*value)
    return None


def converted(value: Value, target: Static) -> Value | None:
    """Raw data as a value of the target's kinds: a cell, an offset, or what it is; None where it is neither."""
    kind = kind_of(value)
    if kind in target.kinds:
        return value
    if target.grid is not None and is_cell(target) and (cell := as_cell(value, target.grid)) is not None:
        return cell
    if "offset" in target.kinds:
        return as_offset(value, target.type.names if target.type else {})
    return None


def join(left: Static, right: Static) -> Static:
    """What is known of a value that is one or the other."""
    kinds = left.kinds | right.kinds
    if left.data is not None and right.data is not None:
        return Static(kinds, None, distinct(left.data + right.data))
    if left.type is right.type:
        return Static(kinds, left.type)
    for one, other in ((left, right), (right, left)):
        if one.type is not None and other.data is not None and all(v in one.type.place for v in other.data):
            return Static(kinds, one.type)
    return Static(kinds, left.type if left.type and left.type.grid else right.type if right.grid else None)


def order_of(*statics: Static) -> tuple[bool, dict[Value, int] | None]:
    """(can these be ordered?, the order of values that are no integers)."""
    if all("int" in static.kinds or not static.kinds for static in statics):
        return True, None
    types = [static.type for static in statics if static.type is not None]
    if not types:
        return False, None
    return all(compatible(static, Static(types[0].kinds)) for static in statics), types[0].place


def freeze(value: Any) -> Value:
    """Lists and dictionaries as tuples and records."""
    if isinstance(value, dict):
        return Record({str(key): freeze(item) for key, item in value.items()})
    return tuple(freeze(item) for item in value) if isinstance(value, list) else value
