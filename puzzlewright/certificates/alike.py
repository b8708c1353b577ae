"""Values of a type that no rule tells apart: whoever exchanges two of them in a state gets the same steps, exchanged.

That is read off the lifted rules, by kinds alone, as for the scalar sets of Ip and Dill (1996). An expression is *of
the type*, or it is *plain*. Of the type are parameters and loops over all its values, and what is stored as such; these
may index arrays, be compared as equal, be looped over in any order, be handed to definitions, and nothing else. So what
is plain stays the same under every exchange, and what is of the type is exchanged. A constant is plain: a rule that
names one of the values tells it apart. What is not understood counts as telling them apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models import expressions as e
from models.interpreter import Place
from models.puzzle import Line, Puzzle, StateVariable
from models.values import Type, Value

Slices = list[tuple[int, ...]]  # for each value of a type: the places that it indexes, all in the same order
Kinds = Mapping[str, bool]  # for each name: is it of the type?
MIXED = "a rule takes one for something else, or the other way round"
ORDERLESS = ("all", "any", "count", "sum", "min", "max")


class NotAlike(Exception):
    """Why values cannot be exchanged."""


def in_order(numbers: Sequence[int], types: Sequence[Slices]) -> tuple[int, ...]:
    """The one state to be listed of all that differ by exchanges: what belongs to the values is sorted."""
    found = list(numbers)
    for slices in types:
        parts = sorted(tuple(numbers[place] for place in part) for part in slices)
        for part, values in zip(slices, parts, strict=True):
            for place, value in zip(part, values, strict=True):
                found[place] = value
    return tuple(found)


def slices_of(puzzle: Puzzle, name: str, places: Sequence[Place], others: Sequence[Slices] = ()) -> Slices:
    """What belongs to each value of a type among the places; NotAlike where the values cannot be exchanged.

    Each place has at most one index of a type whose values are exchanged: so sorting, one type after the other, gives
    the same for all states that exchanges map onto each other.
    """
    type_ = _type(puzzle, name)
    _Judge(puzzle, type_).judge()
    variables = {variable.name: variable for variable in puzzle.variables}
    parts: dict[Value, dict[object, int]] = {value: {} for value in type_.values}
    for number, (variable, indices) in enumerate(places):
        axes = [axis for axis, (_, index) in enumerate(variables[variable].indices) if index.values is type_.values]
        if variables[variable].type.values is type_.values or len(axes) > 1:
            raise NotAlike(f"{variable} holds values of {name}, or has two indices of it")
        if axes:
            rest = tuple(value for axis, value in enumerate(indices) if axis not in axes)
            parts[indices[axes[0]]][variable, rest] = number
    keys = list(parts[type_.values[0]])
    taken = {place for slices in others for part in slices for place in part}
    if any(part.keys() != set(keys) or taken.intersection(part.values()) for part in parts.values()):
        raise NotAlike(f"the values of {name} do not index the same variables")
    return [tuple(part[key] for key in keys) for part in parts.values()]


def _type(puzzle: Puzzle, name: str) -> Type:
    if name not in puzzle.types:
        raise NotAlike(f"there is no type {name}")
    return puzzle.types[name]


class _Judge:
    """One puzzle, one type: which expressions are of it; NotAlike where a rule tells its values apart."""

    def __init__(self, puzzle: Puzzle, type_: Type) -> None:
        self.puzzle, self.type = puzzle, type_
        self.variables: dict[str, StateVariable] = {variable.name: variable for variable in puzzle.variables}
        self.known: dict[tuple[object, ...], bool] = {}
        self.given: Kinds = {}  # the parameters of the action at hand

    def is_type(self, type_: Type) -> bool:
        return type_.values is self.type.values

    def judge(self) -> None:
        for condition in (*self.puzzle.goal, *self.puzzle.always):
            self.plain({}, condition.expression)
        for action in self.puzzle.actions:
            self.known.clear()  # what a `let` is depends on the action
            if any(parameter.indices and any(map(self.is_type, (parameter.type, *parameter.indices)))
                   for parameter in action.parameters):  # fmt: skip
                raise self.no(f"a parameter of {action.name} is an array of it")
            self.given = {p.name: self.is_type(p.type) for p in action.parameters if not p.indices}
            self.plain(self.given, *(condition.expression for condition in action.when), *action.costs.values())
            for line in (line for phase in action.phases for line in phase.lines):
                self.line(line)

    def no(self, why: str) -> NotAlike:
        return NotAlike(f"the values of {self.type.name} are not alike: {why}")

    def line(self, line: Line) -> None:
        names = self.loops(line.loops, self.given, any_order=True)
        self.plain(names, *(() if line.condition is None else (line.condition,)))
        variable = self.variables[line.variable]
        self.indices(variable, line.indices, names)
        if self.of_type(line.value, names) != self.is_type(variable.type):
            raise self.no(f"`{line.words}` stores what is of another kind")

    def indices(self, variable: StateVariable, indices: Sequence[e.Expr], names: Kinds) -> None:
        for index, (_, type_) in zip(indices, variable.indices, strict=True):
            if self.of_type(index, names) != self.is_type(type_):
                raise self.no(f"an index of {variable.name} is of another kind")

    def loops(self, loops: Sequence[e.Loop], names: Kinds, any_order: bool) -> Kinds:
        """The names with those of the loops. The values of a type have no order to be looped over in."""
        for loop in loops:
            whole = isinstance(loop.domain, e.Constant) and loop.domain.value is self.type.values
            if whole and not any_order:
                raise self.no("which of them comes first makes a difference")
            names = {**names, loop.name: whole or self.items(loop.domain, names)}
            self.plain(names, *(() if loop.condition is None else (loop.condition,)))
        return names

    def items(self, domain: e.Expr, names: Kinds) -> bool:
        """Are the items of a collection of the type?"""
        if isinstance(domain, e.Listing) and domain.items:
            return self.same(domain.items, names)
        self.plain(names, domain)
        return False

    def plain(self, names: Kinds, *nodes: e.Expr) -> None:
        for node in nodes:
            if self.of_type(node, names):
                raise self.no(f"a rule looks into one, by {type(node).__name__.lower()}")

    def same(self, nodes: Sequence[e.Expr], names: Kinds) -> bool:
        """Are all of the type? They may not differ in that."""
        found = {self.of_type(node, names) for node in nodes}
        if len(found) > 1:
            raise self.no(MIXED)
        return found.pop()

    def of_type(self, node: e.Expr, names: Kinds) -> bool:
        match node:
            case e.Local(name=name):
                return names[name]
            case e.Read(variable=variable, indices=indices):
                self.indices(self.variables[variable], indices, names)
                return self.is_type(self.variables[variable].type)
            case e.Apply():
                return self.applied(node, names)
            case e.Equal(left=left, right=right):
                self.same((left, right), names)
            case e.Contains(item=item, collection=collection):
                if self.of_type(item, names) != self.items(collection, names):
                    raise self.no(MIXED)
            case e.Conditional(condition=condition, then=then, otherwise=otherwise):
                self.plain(names, condition)
                return self.same((then, otherwise), names)
            case e.Quantifier():
                return self.quantified(node, names)
            case e.Inside(argument=argument):
                self.of_type(argument, names)
            case _:
                self.plain(names, *e.parts(node))
        return False

    def quantified(self, node: e.Quantifier, names: Kinds) -> bool:
        inner = self.loops(node.loops, names, node.kind in ORDERLESS)
        if node.kind != "first":
            self.plain(inner, node.element)
            return False
        found = self.of_type(node.element, inner)
        if node.default is not None and self.of_type(node.default, names) != found:
            raise self.no(MIXED)
        return found

    def applied(self, node: e.Apply, names: Kinds) -> bool:
        """A definition, judged once for each kind of arguments; a recursive one is a condition, hence plain."""
        function = node.function
        kinds = tuple(self.of_type(argument, names) for argument in node.arguments)
        key = (function, kinds)
        if key not in self.known:
            if function.recursive:
                if kinds != tuple(map(self.is_type, function.domains)):
                    raise self.no(f"an argument of {function.name} is of another kind")
                self.known[key] = False
            bound = dict(zip(function.parameters, kinds, strict=True))
            assert function.body is not None
            found = self.of_type(function.body, {**self.given, **bound} if function.is_let else bound)
            if function.recursive and found:
                raise self.no(f"{function.name} is no condition")
            self.known[key] = found
        return self.known[key]
