"""The typed expression tree: what the referee walks and grounding unrolls.

The checker has resolved every name, inserted every conversion of raw data, and expanded chained comparisons. Evaluation
may give *undefined*; conditions never do (`Truth` turns an undefined Boolean read into false).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any, Literal

from models.errors import Location
from models.frozen import frozen
from models.values import Grid, Type, Value


@frozen()
class Expr:
    """A node. Identity is what counts: two equal texts at two places are two nodes."""


@frozen()
class Constant(Expr):
    value: Value


@frozen()
class Local(Expr):
    """A parameter, a loop's name or an argument."""

    name: str


@frozen()
class ArrayElement(Expr):
    """An element of an array-valued parameter."""

    name: str
    indices: tuple[Expr, ...]


@frozen()
class Read(Expr):
    """A state variable."""

    variable: str
    indices: tuple[Expr, ...]


@dataclass(eq=False)
class Function:
    """A definition or `let` for arguments of certain types; `body` is set once it has been checked.

    A recursive one means, with its `group`, the least solution over the product of its parameters' `domains`. A `let`
    reads the state that the action found, wherever it is used.
    """

    name: str
    parameters: tuple[str, ...]
    body: Expr | None = None
    group: tuple[Function, ...] = ()  # of a recursive one: all that it uses and that use it, itself included
    is_let: bool = False
    domains: tuple[Type, ...] = ()

    @property
    def recursive(self) -> bool:
        return bool(self.group)

    @cached_property
    def pure(self) -> bool:
        """Does it depend on its arguments and the state alone?"""
        inside = [] if self.body is None else list(walk(self.body))
        lets = any(node.function.is_let for node in inside if isinstance(node, Apply))
        return not (self.is_let or lets or any(isinstance(node, ArrayElement) for node in inside))

    @cached_property
    def fixed(self) -> bool:
        """Does it depend on its arguments alone, and on nothing that is worked out for a whole state at once?"""
        if not self.pure or self.recursive or self.body is None:
            return False
        applied = (node.function for node in walk(self.body) if isinstance(node, Apply))
        return not reads_state(self.body) and not any(each.recursive for each in applied)


@frozen()
class Apply(Expr):
    function: Function
    arguments: tuple[Expr, ...]
    location: Location | None = None


@frozen()
class Arithmetic(Expr):
    """+ - * // % of integers; + and - of cells and offsets; integer * offset."""

    operator: Literal["+", "-", "*", "//", "%"]
    left: Expr
    right: Expr
    grid: Grid | None
    location: Location | None = None


@frozen()
class Negate(Expr):
    argument: Expr


@frozen()
class Absolute(Expr):
    argument: Expr


@frozen()
class Equal(Expr):
    left: Expr
    right: Expr
    negated: bool


@frozen()
class Order(Expr):
    """left < right or left <= right; `place` orders values that are no integers."""

    strict: bool
    left: Expr
    right: Expr
    place: dict[Value, int] | None


@frozen()
class Contains(Expr):
    """Is the item one of the collection's? A text contains its letters."""

    item: Expr
    collection: Expr
    negated: bool


@frozen()
class Conjunction(Expr):
    arguments: tuple[Expr, ...]


@frozen()
class Disjunction(Expr):
    arguments: tuple[Expr, ...]


@frozen()
class Negation(Expr):
    argument: Expr


@frozen()
class Conditional(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@frozen()
class Truth(Expr):
    """The Boolean argument; false where it is undefined."""

    argument: Expr


@frozen()
class Inside(Expr):
    """Is the argument defined?"""

    argument: Expr


@frozen()
class Mapped(Expr):
    """A finite function of the argument's value; undefined for a value that the table lacks."""

    argument: Expr
    table: dict[Value, Value]


@frozen()
class Element(Expr):
    """base[index] of raw data or text, counted from 0, or by key."""

    base: Expr
    index: Expr


@frozen()
class Coordinate(Expr):
    """.row or .col of a cell or an offset."""

    argument: Expr
    axis: Literal["row", "col"]


@frozen()
class MakeCell(Expr):
    row: Expr
    col: Expr
    grid: Grid


@frozen()
class Measure(Expr):
    """distance, adjacent or steps between two cells."""

    kind: Literal["distance", "adjacent", "steps"]
    left: Expr
    right: Expr
    grid: Grid


@frozen()
class Length(Expr):
    argument: Expr


@frozen()
class Inverse(Expr):
    """A permutation of raw data backwards: a list of its own positions, or a table of its own keys."""

    argument: Expr


@frozen()
class Composition(Expr):
    """For each element of `right` what `left` has there: left[right[i]]. Of raw data, lists or tables."""

    left: Expr
    right: Expr


@frozen()
class Extreme(Expr):
    """min or max of a few plain values."""

    kind: Literal["min", "max"]
    arguments: tuple[Expr, ...]
    place: dict[Value, int] | None


@frozen()
class Span(Expr):
    """range(start, stop) as something to loop over."""

    start: Expr
    stop: Expr


@frozen()
class Listing(Expr):
    """[a, b, ...] as something to loop over; undefined items are left out."""

    items: tuple[Expr, ...]


@frozen()
class Ray(Expr):
    """The cells from the first one on in a direction, the first one included; one round where the board wraps."""

    cell: Expr
    offset: Expr
    grid: Grid


@frozen()
class Loop:
    """for name in domain, as far as the condition holds."""

    name: str
    domain: Expr
    condition: Expr | None


@frozen()
class Quantifier(Expr):
    kind: Literal["all", "any", "count", "sum", "min", "max", "first"]
    element: Expr
    loops: tuple[Loop, ...]
    default: Expr | None
    place: dict[Value, int] | None
    location: Location | None = None  # of what is added up


def parts(node: Any) -> Iterator[Expr]:
    """The direct sub-expressions of a node, in reading order; a function's body is no part of its application."""
    for item in fields(node):
        yield from _expressions(getattr(node, item.name))


def _expressions(value: Any) -> Iterator[Expr]:
    if isinstance(value, Expr):
        yield value
    elif isinstance(value, Loop):
        yield from parts(value)
    elif isinstance(value, tuple) and not hasattr(value, "_fields"):
        for item in value:
            if is_dataclass(item):
                yield from _expressions(item)


def walk(root: Expr) -> Iterator[Expr]:
    """Every node below and including `root`, bodies of applied functions too, each once."""
    seen: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        stack.extend(parts(node))
        if isinstance(node, Apply) and node.function.body is not None:
            stack.append(node.function.body)


def conjuncts(condition: Expr) -> Iterator[Expr]:
    """The parts of a condition that all have to hold."""
    if isinstance(condition, Conjunction):
        for part in condition.arguments:
            yield from conjuncts(part)
    else:
        yield condition


def reads_state(root: Expr) -> bool:
    """Does the value depend on the state or on a choice that is not fixed?"""
    return any(isinstance(node, Read | ArrayElement) for node in walk(root))
