"""What there is to see of a state, worked out from the puzzle's `view`; text, SVG and pages draw the scene and no more.

Where the view says nothing, or what it says is undefined, a default stands in; so there is a scene of every state.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import product
from zlib import crc32

from models.expressions import Expr
from models.frozen import frozen
from models.interpreter import UNDEFINED, Scope, State, bindings, evaluate, scope
from models.puzzle import COLOURS, GROUNDS, HOLLOW, LOOKS, Puzzle, StateVariable, View
from models.referee import Write, as_printed, start_state, template
from models.values import Cell, Grid, Type, Value, plain, show
from puzzlewright.pictures.palette import WHEEL

Place = tuple[int, int]  # row, column; row 0 on top
NOTHING = ("", " ", ".")  # glyphs of places where no thing stands


@frozen(eq=True)
class Spot:
    """One place of the board.

    `glyph` is what text shows there. A picture shows a thing with the glyph on it where there is a colour, else the
    ground alone.
    """

    glyph: str
    colour: str = ""  # a word of COLOURS; "" where nothing stands
    piece: str = ""  # touching places with the same word are one piece; "" stands by itself
    ground: str = "floor"  # a word of GROUNDS ("void": nothing is there) or of COLOURS
    size: int = 0  # the width of a bar among the board's sizes; 0 fills the place
    value: object = None  # the place as plans in JSON name it: [row, col], for stacks [across, up]
    look: str = ""  # a word of LOOKS; "" is a tile with the glyph on it
    target: str = ""  # the name of what shall come there, on the ground


@frozen(eq=True)
class Scene:
    """A board, or without one `lines` that say what the state is; `frame` is drawn round the columns of stacks."""

    spots: dict[Place, Spot]
    caption: str = ""
    lines: tuple[str, ...] = ()
    frame: str = ""  # "" or a word of FRAMES

    @property
    def rows(self) -> int:
        return 1 + max((row for row, _ in self.spots), default=-1)

    @property
    def cols(self) -> int:
        return 1 + max((col for _, col in self.spots), default=-1)

    def glyph(self, place: Place) -> str:
        """What text shows at the place; "" off the board."""
        return self.spots[place].glyph if place in self.spots else ""


def scene(puzzle: Puzzle, state: State, write: Write = as_printed) -> Scene:
    """What there is to see of a state; `write` has values in the caption and the lines."""
    at, view = scope(state), puzzle.view
    caption = template(view.caption, at, write)
    seen = _seen(puzzle, state)
    if not seen:
        lines = tuple(template(line, at, write) for line in view.lines) or tuple(_listed(puzzle, state))
        return Scene({}, caption, lines)
    known = colours(puzzle)
    spots = {place: replace(spot, colour=_colour(spot.colour, known)) for place, spot in seen.items()}
    return Scene(spots, caption, frame=view.frame)


# -- the board: spots whose `colour` is still a value in words ---------------------------------------------------------


def _seen(puzzle: Puzzle, state: State) -> dict[Place, Spot]:
    view = puzzle.view
    if view.glyph is not None:
        return _outside(view) | dict(_viewed(view, bound) for bound in bindings(view.loops, scope(state)))
    variable = None if view.lines else default_board(puzzle)
    return {} if variable is None else _array(variable, state)


def _viewed(view: View, at: Scope) -> tuple[Place, Spot]:
    """What the view says of one place."""
    values = tuple(at.locals[loop.name] for loop in view.loops)
    glyph = _value(view.glyph, at)
    words = "?" if glyph is UNDEFINED else show(glyph)
    inner = replace(at, locals={**at.locals, "glyph": glyph})
    target = _word(view.target, inner)
    target = "" if target in NOTHING else target
    spot = Spot(words, ground=_ground(_word(view.ground, inner), words, target), value=_named(values), target=target)
    if _holds_thing(spot):
        size = _value(view.size, inner) if view.size is not None else glyph if view.frame == "peg" else 0
        colour = _word(view.colour, inner, words)
        spot = replace(spot, colour=colour, piece=_word(view.piece, inner), size=_size(size))
    return _place(view.types, values, bool(view.frame)), replace(spot, look=_look(_word(view.look, inner), spot))


def _ground(word: str, glyph: str, target: str = "") -> str:
    """What has a name as a target is a goal, unless the file says something else."""
    if word in (*GROUNDS, *COLOURS):
        return word
    return "goal" if target else {"": "void", " ": "void", "#": "wall"}.get(glyph, "floor")


def _look(word: str, spot: Spot) -> str:
    """The look if it can be seen there: where nothing stands, only one of those that are for such places."""
    if spot.ground in ("wall", "void"):
        return ""
    return word if word in (HOLLOW if spot.colour in NOTHING else LOOKS) else ""


def _holds_thing(spot: Spot) -> bool:
    """No thing stands in a wall or where there is nothing, nor where the glyph says so."""
    return spot.glyph not in NOTHING and spot.ground not in ("wall", "void")


def _outside(view: View) -> dict[Place, Spot]:
    """Walls wherever the board's rectangle has no cell, if they are wanted."""
    grid: Grid | None = view.types[0].grid
    if view.outside != "wall" or grid is None:
        return {}
    places = product(range(grid.rows), range(grid.cols))
    return {place: Spot("#", ground="wall", value=list(place)) for place in places if place not in grid.cells}


def _place(types: tuple[Type, ...], values: tuple[Value, ...], stacked: bool = False) -> Place:
    """Where a place is drawn: a cell as it lies; two names across and up; one name across, or down a stack."""
    if len(values) == 1 and isinstance(values[0], Cell):
        return values[0].row, values[0].col
    first = types[0].place[values[0]]
    if len(values) == 2:
        return len(types[1].values) - 1 - types[1].place[values[1]], first
    return (first, 0) if stacked else (0, first)


def _named(values: tuple[Value, ...]) -> object:
    """The place as plans in JSON name it."""
    return plain(values[0]) if len(values) == 1 else [plain(value) for value in values]


def _value(node: Expr | None, at: Scope) -> Value:
    return UNDEFINED if node is None else evaluate(node, at)


def _word(node: Expr | None, at: Scope, default: str = "") -> str:
    """The value in words; the default where there is none."""
    value = _value(node, at)
    return default if value is UNDEFINED else show(value)


def _size(value: Value) -> int:
    return value if type(value) is int and value > 0 else 0


# -- colours -----------------------------------------------------------------------------------------------------------


def _colour(value: str, known: dict[str, str]) -> str:
    """The colour of a value: a colour's word means itself; others go by the start, late ones by a fixed hash."""
    if value in NOTHING:
        return ""
    if value in COLOURS:
        return value
    unused = [colour for colour in WHEEL if colour not in known.values()] or WHEEL
    return known.get(value) or unused[crc32(value.encode()) % len(unused)]


@lru_cache(maxsize=32)
def colours(puzzle: Puzzle) -> dict[str, str]:
    """Colours for the values that the start shows, in reading order; none twice while there are enough."""
    seen = sorted(_seen(puzzle, start_state(puzzle)).items())
    values = dict.fromkeys(spot.colour for _, spot in seen)
    free = [colour for colour in WHEEL if colour not in values] or WHEEL
    others = (value for value in values if value not in (*NOTHING, *COLOURS))
    return {value: free[number % len(free)] for number, value in enumerate(others)}


# -- without a view ----------------------------------------------------------------------------------------------------


def default_board(puzzle: Puzzle) -> StateVariable | None:
    """The first array over the cells of a board; else the only variable, if it is an array of stacks or a row."""
    for variable in puzzle.variables:
        if len(variable.indices) == 1 and _is_board(variable.indices[0][1]):
            return variable
    only = puzzle.variables[0]
    return only if len(puzzle.variables) == 1 and _is_stacks([type_ for _, type_ in only.indices]) else None


def _is_board(type_: Type) -> bool:
    return bool(type_.values) and all(isinstance(value, Cell) for value in type_.values)


def _is_stacks(types: list[Type]) -> bool:
    """One plain type or two, the last of numbers: a row, or stacks side by side."""
    return len(types) in (1, 2) and types[-1].kinds == {"int"} and not any(map(_is_board, types))


def _array(variable: StateVariable, state: State) -> dict[Place, Spot]:
    """A place for each element."""
    types = tuple(type_ for _, type_ in variable.indices)
    found: dict[Place, Spot] = {}
    for values in product(*(type_.values for type_ in types)):
        glyph = show(state[variable.name, values])
        spot = Spot(glyph, ground=_ground("", glyph), value=_named(values))
        found[_place(types, values)] = replace(spot, colour=glyph) if _holds_thing(spot) else spot
    return found


def _listed(puzzle: Puzzle, state: State) -> list[str]:
    """A line for each variable, with all its elements."""
    groups: dict[str, list[str]] = {}
    for place, value in state.items():
        groups.setdefault(place[0], []).append(f"{puzzle.place_names[place]} = {show(value)}")
    return ["  ".join(group) for group in groups.values()]
