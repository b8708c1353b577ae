"""The referee's evaluation of expressions: a plain walk over the typed tree, one small function for each node.

Slow and obviously right. It shares no evaluating code with grounding, compiler or encoder, so that a fault there
cannot hide here. *Undefined* is a value of its own and spreads to everything computed from it, up to the nearest atom.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from models import expressions as e
from models.limits import MOST_VALUES, check_limit
from models.values import DIRECTIONS, Cell, Grid, Offset, Record, Value, same, show


class Undefined:
    """The value of what has none; there is one, in copies and in files too."""

    def __reduce__(self) -> str:
        return "UNDEFINED"

    def __repr__(self) -> str:
        return "undefined"


UNDEFINED = Undefined()
HIDDEN: Value = object()  # in place of a value that shall make no difference: whoever reads it is stopped
Place = tuple[str, tuple[Value, ...]]  # a state variable: its name and the values of its indices
State = Mapping[Place, Value]


class HiddenRead(Exception):
    """A state variable was read whose value is hidden; the message is its name."""


@dataclass
class Scope:
    """What the names of an expression stand for. `old` is the state that the action found."""

    state: State
    old: State
    locals: dict[str, Value] = field(default_factory=dict)
    parameters: dict[str, Value] = field(default_factory=dict)
    solutions: dict[tuple[int, e.Function], dict[tuple[Value, ...], bool]] = field(default_factory=dict)


def scope(state: State, parameters: dict[str, Value] | None = None, old: State | None = None) -> Scope:
    """A scope in which `parameters` are bound."""
    bound = parameters or {}
    return Scope(state, state if old is None else old, dict(bound), bound)


def evaluate(node: e.Expr, at: Scope) -> Value:
    """The value of `node`, or UNDEFINED."""
    return _RULES[type(node)](node, at)


def holds(node: e.Expr, at: Scope) -> bool:
    """Is the condition true?"""
    return evaluate(node, at) is True


def _with(at: Scope, name: str, value: Value) -> Scope:
    return Scope(at.state, at.old, {**at.locals, name: value}, at.parameters, at.solutions)


def _read(node: e.Read, at: Scope) -> Value:
    indices = tuple(evaluate(index, at) for index in node.indices)
    value = at.state.get((node.variable, indices), UNDEFINED)
    if value is HIDDEN:
        raise HiddenRead(node.variable)
    return value


def _array_element(node: e.ArrayElement, at: Scope) -> Value:
    indices = tuple(evaluate(index, at) for index in node.indices)
    return at.parameters[node.name].get(indices, UNDEFINED)


def _apply(node: e.Apply, at: Scope) -> Value:
    arguments = tuple(evaluate(argument, at) for argument in node.arguments)
    function = node.function
    if function.recursive:
        return _solution(function, at).get(arguments, False)
    if function.pure and not any(type(each) in (tuple, Record) for each in arguments):
        return _fixed(function, *arguments) if function.fixed else _in_state(function, arguments, at)
    bound = dict(zip(function.parameters, arguments, strict=True))
    assert function.body is not None
    if function.is_let:
        inner = Scope(at.old, at.old, {**at.parameters, **bound}, at.parameters, at.solutions)
    else:
        inner = Scope(at.state, at.old, bound, at.parameters, at.solutions)
    return evaluate(function.body, inner)


@lru_cache(maxsize=1 << 16, typed=True)  # 1 and true are different
def _fixed(function: e.Function, *arguments: Value) -> Value:
    """What a definition gives that reads no state, worked out once."""
    assert function.body is not None
    return evaluate(function.body, scope({}, dict(zip(function.parameters, arguments, strict=True))))


class _Last:
    """The state that was asked about last, and what definitions give in it; one pair, since threads may ask at once."""

    pair: tuple[State, dict[tuple[Any, ...], Value]] = ({}, {})


def _in_state(function: e.Function, arguments: tuple[Value, ...], at: Scope) -> Value:
    """What a definition gives in a state, worked out once while that state is asked about. No state is ever changed."""
    state, given = _Last.pair
    if state is not at.state:
        given = {}
        _Last.pair = (at.state, given)
    key = (function, arguments, *map(type, arguments))
    if key not in given:
        assert function.body is not None
        bound = dict(zip(function.parameters, arguments, strict=True))
        given[key] = evaluate(function.body, Scope(at.state, at.old, bound, at.parameters, at.solutions))
    return given[key]


def _solution(function: e.Function, at: Scope) -> dict[tuple[Value, ...], bool]:
    """The least solution of a recursive definition in this state: all false, then repeat until nothing changes.

    What it uses and what does not use it back is solved before, so that it may stand under `not`.
    """
    key = (id(at.state), function)
    if key in at.solutions:
        return at.solutions[key]
    for member in function.group:
        at.solutions[id(at.state), member] = dict.fromkeys(_product(member), False)
    changed = True
    while changed:
        changed = False
        for member in function.group:
            table = at.solutions[id(at.state), member]
            for arguments in [a for a, known in table.items() if not known]:
                inner = Scope(at.state, at.old, dict(zip(member.parameters, arguments, strict=True)), {}, at.solutions)
                assert member.body is not None
                if holds(member.body, inner):
                    table[arguments] = changed = True
    return at.solutions[key]


def _product(function: e.Function) -> list[tuple[Value, ...]]:
    rows: list[tuple[Value, ...]] = [()]
    for domain in function.domains:
        rows = [(*row, value) for row in rows for value in domain.values]
    return rows


def _arithmetic(node: e.Arithmetic, at: Scope) -> Value:
    left, right = evaluate(node.left, at), evaluate(node.right, at)
    match left, right:
        case (bool(), _) | (_, bool()):
            return UNDEFINED
        case int(), int():
            return _whole(node.operator, left, right)
        case Cell(), Offset():
            sign = 1 if node.operator == "+" else -1
            return _on_board(node.grid, left.row + sign * right.row, left.col + sign * right.col)
        case Offset(), Offset():
            sign = 1 if node.operator == "+" else -1
            return Offset(left.row + sign * right.row, left.col + sign * right.col)
        case int(), Offset():
            return Offset(left * right.row, left * right.col)
        case Offset(), int():
            return Offset(left.row * right, left.col * right)
    return UNDEFINED


def _whole(sign: str, left: int, right: int) -> Value:
    if sign in ("//", "%") and right <= 0:
        return UNDEFINED
    rules: dict[str, Callable[[int, int], int]] = {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "//": operator.floordiv,
        "%": operator.mod,
    }
    return rules[sign](left, right)


def _on_board(grid: Grid | None, row: int, col: int) -> Value:
    if grid is None:
        return UNDEFINED
    cell = Cell(row % grid.rows if grid.wraps_rows else row, col % grid.cols if grid.wraps_cols else col)
    return cell if cell in grid.cells else UNDEFINED


def _negate(node: e.Negate, at: Scope) -> Value:
    value = evaluate(node.argument, at)
    if isinstance(value, Offset):
        return Offset(-value.row, -value.col)
    return -value if isinstance(value, int) else UNDEFINED


def _absolute(node: e.Absolute, at: Scope) -> Value:
    value = evaluate(node.argument, at)
    return abs(value) if isinstance(value, int) else UNDEFINED


def _equal(node: e.Equal, at: Scope) -> bool:
    left, right = evaluate(node.left, at), evaluate(node.right, at)
    if left is UNDEFINED or right is UNDEFINED:
        return False
    return same(left, right) != node.negated


def _order(node: e.Order, at: Scope) -> bool:
    left, right = _placed(evaluate(node.left, at), node.place), _placed(evaluate(node.right, at), node.place)
    if left is UNDEFINED or right is UNDEFINED:
        return False
    return bool(left < right if node.strict else left <= right)


def _placed(value: Value, place: dict[Value, int] | None) -> Value:
    if place is not None and value is not UNDEFINED:
        return place.get(value, UNDEFINED)
    return value if isinstance(value, int) else UNDEFINED


def _contains(node: e.Contains, at: Scope) -> bool:
    item = evaluate(node.item, at)
    items = _items(node.collection, at)
    if item is UNDEFINED or items is None:
        return False
    return any(same(item, other) for other in items) != node.negated


def _items(node: e.Expr, at: Scope) -> list[Value] | None:
    """What a loop runs over or a membership test looks through; None where that is undefined."""
    if isinstance(node, e.Span):
        start, stop = evaluate(node.start, at), evaluate(node.stop, at)
        if not isinstance(start, int) or not isinstance(stop, int):
            return None
        check_limit(stop - start, MOST_VALUES, "values to loop over", None)
        return list(range(start, stop))
    if isinstance(node, e.Listing):
        return [value for value in (evaluate(item, at) for item in node.items) if value is not UNDEFINED]
    if isinstance(node, e.Ray):
        return _ray(node, at)
    value = evaluate(node, at)
    return None if value is UNDEFINED else list(value)


def _ray(node: e.Ray, at: Scope) -> list[Value] | None:
    cell, offset = evaluate(node.cell, at), evaluate(node.offset, at)
    if not isinstance(cell, Cell) or not isinstance(offset, Offset):
        return None
    cells = [cell]
    while True:
        cell = _on_board(node.grid, cell.row + offset.row, cell.col + offset.col)
        if cell is UNDEFINED or cell in cells:
            return list(cells)
        cells.append(cell)


def _conditional(node: e.Conditional, at: Scope) -> Value:
    return evaluate(node.then if holds(node.condition, at) else node.otherwise, at)


def _mapped(node: e.Mapped, at: Scope) -> Value:
    value = evaluate(node.argument, at)
    return UNDEFINED if value is UNDEFINED else node.table.get(value, UNDEFINED)


def _element(node: e.Element, at: Scope) -> Value:
    base, index = evaluate(node.base, at), evaluate(node.index, at)
    if isinstance(base, Record):
        return base.get(index, UNDEFINED) if isinstance(index, str) else UNDEFINED
    if isinstance(base, str | tuple) and type(index) is int and 0 <= index < len(base):
        return base[index]
    return UNDEFINED


def _coordinate(node: e.Coordinate, at: Scope) -> Value:
    value = evaluate(node.argument, at)
    return getattr(value, node.axis) if isinstance(value, Cell | Offset) else UNDEFINED


def _make_cell(node: e.MakeCell, at: Scope) -> Value:
    row, col = evaluate(node.row, at), evaluate(node.col, at)
    return Cell(row, col) if (row, col) in node.grid.cells else UNDEFINED


def _measure(node: e.Measure, at: Scope) -> Value:
    left, right = evaluate(node.left, at), evaluate(node.right, at)
    if not isinstance(left, Cell) or not isinstance(right, Cell):
        return UNDEFINED
    if node.kind == "steps":
        return _steps(node, left, right)
    rows, cols = abs(left.row - right.row), abs(left.col - right.col)
    if node.grid.wraps_rows:
        rows = min(rows, node.grid.rows - rows)
    if node.grid.wraps_cols:
        cols = min(cols, node.grid.cols - cols)
    return rows + cols if node.kind == "distance" else rows + cols == 1


def _steps(node: e.Measure, start: Cell, goal: Cell) -> Value:
    """The shortest walk by the four directions, by breadth-first search."""
    reached = {start: 0}
    waiting = deque([start])
    while waiting:
        cell = waiting.popleft()
        if cell == goal:
            return reached[cell]
        for way in DIRECTIONS.values():
            neighbour = _on_board(node.grid, cell.row + way.row, cell.col + way.col)
            if neighbour is not UNDEFINED and neighbour not in reached:
                reached[neighbour] = reached[cell] + 1
                waiting.append(neighbour)
    return UNDEFINED


def _length(node: e.Length, at: Scope) -> Value:
    value = evaluate(node.argument, at)
    return len(value) if isinstance(value, str | tuple | Record) else UNDEFINED


def _inverse(node: e.Inverse, at: Scope) -> Value:
    """Undefined for what is no permutation."""
    value = evaluate(node.argument, at)
    if type(value) is not tuple and not isinstance(value, Record):
        return UNDEFINED
    places = {show(place): place for place in _places(value)}
    leading = {show(item): place for place, item in _elements(value)}
    if leading.keys() != places.keys() or not all(_is_place(value, item) for _, item in _elements(value)):
        return UNDEFINED
    if not isinstance(value, Record):
        return tuple(leading[str(place)] for place in range(len(value)))
    named = {show(item): item for item in value.values()}
    return Record({word: named[leading[word]] for word in value})


def _places(value: Value) -> Iterable[Value]:
    return value if isinstance(value, Record) else range(len(value))


def _elements(value: Value) -> Iterable[tuple[Value, Value]]:
    """(place, element) of a list or table."""
    return value.items() if isinstance(value, Record) else enumerate(value)


def _is_place(value: Value, item: Value) -> bool:
    """May the item name a place of the list or table? Keys are named by what they print as."""
    if isinstance(value, Record):
        return isinstance(item, str | int)
    return isinstance(item, int) and not isinstance(item, bool)


def _composition(node: e.Composition, at: Scope) -> Value:
    """Undefined where one of its elements is."""
    left, right = evaluate(node.left, at), evaluate(node.right, at)
    if any(type(value) is not tuple and not isinstance(value, Record) for value in (left, right)):
        return UNDEFINED
    found = {place: _at_place(left, item) for place, item in _elements(right)}
    if UNDEFINED in found.values():
        return UNDEFINED
    return Record(found) if isinstance(right, Record) else tuple(found.values())


def _at_place(value: Value, item: Value) -> Value:
    if not _is_place(value, item):
        return UNDEFINED
    if isinstance(value, Record):
        return value.get(show(item), UNDEFINED)
    return value[item] if 0 <= item < len(value) else UNDEFINED


def _extreme(node: e.Extreme, at: Scope) -> Value:
    return _best(node.kind, [evaluate(argument, at) for argument in node.arguments], node.place)


def _best(kind: str, values: list[Value], place: dict[Value, int] | None) -> Value:
    ranks = [_placed(value, place) for value in values]
    if not ranks or any(rank is UNDEFINED for rank in ranks):
        return UNDEFINED
    chosen = (min if kind == "min" else max)(ranks)
    return values[ranks.index(chosen)]


def _bindings(loops: tuple[e.Loop, ...], at: Scope) -> Iterator[Scope]:
    """Every way to bind the loops' names, in order."""
    if not loops:
        yield at
        return
    loop, *rest = loops
    for value in _items(loop.domain, at) or ():
        inner = _with(at, loop.name, value)
        if loop.condition is None or holds(loop.condition, inner):
            yield from _bindings(tuple(rest), inner)


def bindings(loops: tuple[e.Loop, ...], at: Scope) -> Iterator[Scope]:
    """Every way to bind the loops' names, in order."""
    return _bindings(loops, at)


def _quantifier(node: e.Quantifier, at: Scope) -> Value:
    inner = _bindings(node.loops, at)
    match node.kind:
        case "all":
            return all(holds(node.element, scope) for scope in inner)
        case "any":
            return any(holds(node.element, scope) for scope in inner)
        case "count":
            return sum(1 for _ in inner)
        case "first":
            found = next(inner, None)
            if found is not None:
                return evaluate(node.element, found)
            return UNDEFINED if node.default is None else evaluate(node.default, at)
    values = [evaluate(node.element, scope) for scope in inner]
    if node.kind != "sum":
        return _best(node.kind, values, node.place)
    if any(not isinstance(value, int) or isinstance(value, bool) for value in values):
        return UNDEFINED
    return sum(values)


def _truth(node: e.Truth, at: Scope) -> bool:
    return evaluate(node.argument, at) is True


_RULES: dict[type[e.Expr], Callable[[Any, Scope], Value]] = {
    e.Constant: lambda node, at: node.value,
    e.Local: lambda node, at: at.locals[node.name],
    e.ArrayElement: _array_element,
    e.Read: _read,
    e.Apply: _apply,
    e.Arithmetic: _arithmetic,
    e.Negate: _negate,
    e.Absolute: _absolute,
    e.Equal: _equal,
    e.Order: _order,
    e.Contains: _contains,
    e.Conjunction: lambda node, at: all(holds(argument, at) for argument in node.arguments),
    e.Disjunction: lambda node, at: any(holds(argument, at) for argument in node.arguments),
    e.Negation: lambda node, at: not holds(node.argument, at),
    e.Conditional: _conditional,
    e.Truth: _truth,
    e.Inside: lambda node, at: evaluate(node.argument, at) is not UNDEFINED,
    e.Mapped: _mapped,
    e.Element: _element,
    e.Coordinate: _coordinate,
    e.MakeCell: _make_cell,
    e.Measure: _measure,
    e.Length: _length,
    e.Inverse: _inverse,
    e.Composition: _composition,
    e.Extreme: _extreme,
    e.Quantifier: _quantifier,
}
