"""A level as JSON: the typed tree with all that it names, for the evaluator of an exported page.

Nothing is grounded, left out or worked out ahead, so the page has the puzzle as the author wrote it. Values, types,
boards and definitions are told once and named by their numbers. What must be true: every node has a rule here (a new
one is refused by its name), and no number that is told is beyond those that JavaScript has exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

from models import expressions as e
from models.outcomes import Unsupported
from models.puzzle import (
    SEEN,
    Action,
    Condition,
    Joined,
    Line,
    Parameter,
    Puzzle,
    PuzzlePhase,
    StateVariable,
    Template,
    View,
)
from models.referee import start_state
from models.values import Cell, Grid, Offset, Record, Thing, Type, Value
from puzzlewright.pictures.board_svg import arms
from puzzlewright.pictures.letters import encodable, width
from puzzlewright.pictures.scene import colours, default_board

MOST = 2**53 - 1  # the largest number that JavaScript has exactly
Told = Any  # JSON


class Numbered:
    """What is told once and named by its number."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self._numbers: dict[Hashable, int] = {}
        self._kept: list[object] = []  # so that an identity stays one thing's own

    def number(self, key: Hashable, thing: object, tell: Callable[[], Told]) -> int:
        """The number is there before the thing is told, which may name itself."""
        if key not in self._numbers:
            found = self._numbers[key] = len(self.told)
            self._kept.append(thing)
            self.told.append(None)
            self.told[found] = tell()
        return self._numbers[key]


class Lift:
    """Tells the parts of one puzzle. Unsupported: what an exported page cannot have, by its name."""

    def __init__(self) -> None:
        self.values, self.types, self.grids, self.functions = Numbered(), Numbered(), Numbered(), Numbered()

    def puzzle(self, puzzle: Puzzle) -> dict[str, Told]:
        """The whole level."""
        try:
            return self._puzzle(puzzle)
        except RecursionError:
            raise Unsupported("expressions are nested too deeply for a page") from None

    def _puzzle(self, puzzle: Puzzle) -> dict[str, Told]:
        told = {
            "about": puzzle.about,
            "variables": [self.variable(each) for each in puzzle.variables],
            "places": list(puzzle.place_names.values()),
            "start": [self.value(each) for each in start_state(puzzle).values()],
            "actions": [self.action(each) for each in puzzle.actions],
            "goal": [self.condition(each) for each in puzzle.goal],
            "always": [self.condition(each) for each in puzzle.always],
            "view": self.view(puzzle),
            "metrics": list(puzzle.metrics),
        }
        told |= self.tables()
        return {**told, "letters": letters(told)}

    def tables(self) -> dict[str, Told]:
        """What is named by numbers, as far as it has been told."""
        tables = {"values": self.values, "types": self.types, "grids": self.grids, "functions": self.functions}
        return {name: table.told for name, table in tables.items()}

    # -- values, types, boards -----------------------------------------------------------------------------------------

    def value(self, value: Value) -> int:
        return self.values.number((type(value).__name__, repr(value)), value, lambda: self._value(value))

    def _value(self, value: Value) -> Told:
        match value:
            case Cell() | Offset():
                return ["cell" if isinstance(value, Cell) else "offset", *value]
            case Thing():
                return ["thing", *value]
            case Record():
                return ["record", [[self.value(key), self.value(item)] for key, item in value.items()]]
            case tuple():
                return ["list", [self.value(item) for item in value]]
            case int() if abs(value) > MOST:
                raise Unsupported(f"the number {value} is too large for a page, which counts to {MOST}")
        return value

    def type(self, type_: Type) -> int:
        return self.types.number(id(type_), type_, lambda: {
            "name": type_.name,
            "values": [self.value(each) for each in type_.values],
            "written": [type_.written[each] for each in type_.values],
            "plain": [type_.plain[each] for each in type_.values],
            "directed": bool(type_.names),
            "grid": self.grid(type_.grid),
        })  # fmt: skip

    def grid(self, grid: Grid | None) -> int | None:
        if grid is None:
            return None
        return self.grids.number(id(grid), grid, lambda: {
            "rows": grid.rows, "cols": grid.cols, "wraps": [grid.wraps_rows, grid.wraps_cols],
            "cells": [[cell.row, cell.col] for cell in sorted(grid.cells)],
        })  # fmt: skip

    def places(self, places: Mapping[Value, int] | None) -> Told:
        """Where values stand in an order."""
        return None if places is None else [[self.value(value), place] for value, place in places.items()]

    # -- expressions ---------------------------------------------------------------------------------------------------

    def node(self, node: e.Expr | None) -> Told:
        """[its kind, its parts]; None where there is none."""
        if node is None:
            return None
        if type(node) not in NODES:
            raise Unsupported(f"a page cannot work out {type(node).__name__.lower()} expressions")
        kind, parts = NODES[type(node)]
        return [kind, *parts(self, node)]

    def nodes(self, nodes: Iterable[e.Expr]) -> Told:
        return [self.node(each) for each in nodes]

    def function(self, function: e.Function) -> int:
        return self.functions.number(id(function), function, lambda: {
            "parameters": function.parameters,
            "body": self.node(function.body),
            "group": [self.function(each) for each in function.group],
            "let": function.is_let, "pure": function.pure, "fixed": function.fixed,
            "domains": [self.type(each) for each in function.domains],
        })  # fmt: skip

    def loops(self, loops: Iterable[e.Loop]) -> Told:
        return [[loop.name, self.node(loop.domain), self.node(loop.condition)] for loop in loops]

    def template(self, template: Template) -> Told:
        return [self._piece(piece) for piece in template]

    def _piece(self, piece: str | e.Expr | Joined) -> Told:
        if isinstance(piece, Joined):
            return ["joined", self.node(piece.element), self.loops(piece.loops)]
        return piece if isinstance(piece, str) else ["shown", self.node(piece)]

    # -- rules ---------------------------------------------------------------------------------------------------------

    def variable(self, variable: StateVariable) -> Told:
        types = [type_ for _, type_ in variable.indices]
        return {"name": variable.name, "type": self.type(variable.type), "indices": [self.type(each) for each in types]}

    def condition(self, condition: Condition) -> Told:
        return {"expression": self.node(condition.expression), "words": condition.words,
                "line": condition.location.line, "otherwise": condition.otherwise}  # fmt: skip

    def action(self, action: Action) -> Told:
        return {
            "name": action.name,
            "parameters": [self.parameter(each) for each in action.parameters],
            "when": [self.condition(each) for each in action.when],
            "costs": [[metric, self.node(cost)] for metric, cost in action.costs.items()],
            "phases": [self.phase(each) for each in action.phases],
            "label": self.template(action.label),
            "line": action.location.line,
            "otherwise": action.otherwise,
        }

    def parameter(self, parameter: Parameter) -> Told:
        array = [self.type(each) for each in parameter.indices] if parameter.indices else None
        return {"name": parameter.name, "type": self.type(parameter.type), "array": array}

    def phase(self, phase: PuzzlePhase) -> Told:
        return {"repeat": phase.repeat, "stable": phase.stable, "lines": [self.line(each) for each in phase.lines]}

    def line(self, line: Line) -> Told:
        return {"variable": line.variable, "indices": self.nodes(line.indices), "value": self.node(line.value),
                "loops": self.loops(line.loops), "condition": self.node(line.condition), "words": line.words,
                "line": line.location.line}  # fmt: skip

    def view(self, puzzle: Puzzle) -> Told:
        view = puzzle.view
        shown = {name: self.node(getattr(view, name)) for name in ("glyph", *SEEN)}
        return {
            **shown, "loops": self.loops(view.loops), "types": [self.type(each) for each in view.types],
            "outside": view.outside, "frame": view.frame, "caption": self.template(view.caption),
            "lines": [self.template(each) for each in view.lines],
            "array": _array(puzzle, view), "colours": list(colours(puzzle).items()),
        }  # fmt: skip


def _array(puzzle: Puzzle, view: View) -> str | None:
    """The variable that is shown where the view shows no board and has no lines."""
    found = None if view.glyph is not None or view.lines else default_board(puzzle)
    return None if found is None else found.name


NODES: Mapping[type[e.Expr], tuple[str, Callable[[Lift, Any], Iterable[Told]]]] = {
    e.Constant: ("constant", lambda of, x: [of.value(x.value)]),
    e.Local: ("local", lambda of, x: [x.name]),
    e.ArrayElement: ("element", lambda of, x: [x.name, of.nodes(x.indices)]),
    e.Read: ("read", lambda of, x: [x.variable, of.nodes(x.indices)]),
    e.Apply: ("apply", lambda of, x: [of.function(x.function), of.nodes(x.arguments)]),
    e.Arithmetic: ("arithmetic", lambda of, x: [x.operator, of.node(x.left), of.node(x.right), of.grid(x.grid)]),
    e.Negate: ("negate", lambda of, x: [of.node(x.argument)]),
    e.Absolute: ("absolute", lambda of, x: [of.node(x.argument)]),
    e.Equal: ("equal", lambda of, x: [of.node(x.left), of.node(x.right), x.negated]),
    e.Order: ("order", lambda of, x: [of.node(x.left), of.node(x.right), x.strict, of.places(x.place)]),
    e.Contains: ("contains", lambda of, x: [of.node(x.item), of.node(x.collection), x.negated]),
    e.Conjunction: ("all", lambda of, x: [of.nodes(x.arguments)]),
    e.Disjunction: ("any", lambda of, x: [of.nodes(x.arguments)]),
    e.Negation: ("not", lambda of, x: [of.node(x.argument)]),
    e.Conditional: ("if", lambda of, x: [of.node(x.condition), of.node(x.then), of.node(x.otherwise)]),
    e.Truth: ("truth", lambda of, x: [of.node(x.argument)]),
    e.Inside: ("defined", lambda of, x: [of.node(x.argument)]),
    e.Mapped: ("mapped", lambda of, x: [of.node(x.argument), [[of.value(k), of.value(v)] for k, v in x.table.items()]]),
    e.Element: ("item", lambda of, x: [of.node(x.base), of.node(x.index)]),
    e.Coordinate: ("coordinate", lambda of, x: [of.node(x.argument), x.axis]),
    e.MakeCell: ("cell", lambda of, x: [of.node(x.row), of.node(x.col), of.grid(x.grid)]),
    e.Measure: ("measure", lambda of, x: [x.kind, of.node(x.left), of.node(x.right), of.grid(x.grid)]),
    e.Length: ("length", lambda of, x: [of.node(x.argument)]),
    e.Inverse: ("inverse", lambda of, x: [of.node(x.argument)]),
    e.Composition: ("composition", lambda of, x: [of.node(x.left), of.node(x.right)]),
    e.Extreme: ("extreme", lambda of, x: [x.kind, of.nodes(x.arguments), of.places(x.place)]),
    e.Span: ("span", lambda of, x: [of.node(x.start), of.node(x.stop)]),
    e.Listing: ("listing", lambda of, x: [of.nodes(x.items)]),
    e.Ray: ("ray", lambda of, x: [of.node(x.cell), of.node(x.offset), of.grid(x.grid)]),
    e.Quantifier: ("quantifier", lambda of, x: [x.kind, of.node(x.element), of.loops(x.loops), of.node(x.default),
                                                of.places(x.place)]),
}  # fmt: skip


# -- letters -----------------------------------------------------------------------------------------------------------


def letters(told: Told) -> dict[str, Told]:
    """What a page must know of every letter beyond printable ASCII: what is shown for it, its columns, its arms."""
    found = sorted({letter for text in _texts(told) for letter in text if not " " <= letter <= "~"})
    return {letter: [encodable(letter, "utf-8"), width(letter), arms(letter)] for letter in found}


def _texts(told: Told) -> Iterator[str]:
    if isinstance(told, str):
        yield told
    elif isinstance(told, Mapping):
        yield from (text for pair in told.items() for part in pair for text in _texts(part))
    elif isinstance(told, list | tuple):
        yield from (text for part in told for text in _texts(part))
