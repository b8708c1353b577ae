"""The lifted puzzle: one level of a file, checked and typed, before any parameter is bound."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from models.errors import Diagnostic, Location
from models.expressions import Expr, Loop
from models.frozen import frozen
from models.values import Type, Value, element_name

COLOURS = ("red", "orange", "amber", "yellow", "lime", "green", "teal", "cyan", "blue", "indigo", "purple", "pink",
           "brown", "grey", "black", "white")  # fmt: skip
GROUNDS = ("floor", "wall", "goal", "void")  # what lies below a place of the view's board; any colour does too
LOOKS = ("player", "block", "tower", "crate", "store", "wall", "light", "peg", "hole", "disk", "card", "tile", "car",
         "arrow", "gem", "key", "door", "knight")  # fmt: skip  # what a picture shows in place of a tile with letters
HOLLOW = ("peg", "hole", "light", "store", "door", "arrow")  # of these, what is seen where nothing stands too
FRAMES = ("tube", "peg", "box", "cube")  # what is drawn round stacks; a net of six faces as the cube that it folds to
SEEN = ("colour", "piece", "ground", "size", "look", "target")  # what a view may say of a place besides its glyph
MIRRORS = ("vertical", "horizontal", "diagonal")  # of a board: upside down, left to right, rows to columns


@frozen()
class StateVariable:
    """name[index in type, ...]: type = start; the start reads data and the index names only."""

    name: str
    indices: tuple[tuple[str, Type], ...]
    type: Type
    start: Expr
    location: Location


@frozen()
class Condition:
    """A condition with the author's words for it."""

    expression: Expr
    words: str
    location: Location
    otherwise: str = ""  # the author's words for a move that it refuses


@frozen()
class Parameter:
    """A parameter; with index types it is an array, one value for each index (a joint move)."""

    name: str
    type: Type
    indices: tuple[Type, ...] = ()


@frozen()
class Line:
    """target[indices] becomes value, for every binding of the loops."""

    variable: str
    indices: tuple[Expr, ...]
    value: Expr
    loops: tuple[Loop, ...]
    condition: Expr | None
    words: str
    location: Location


@frozen()
class PuzzlePhase:
    """Lines that happen at once; applied `repeat` times, after which one more round must change nothing.

    A stable one is applied until that is so, however often it takes; where it comes back to a state, it never is.
    """

    lines: tuple[Line, ...]
    repeat: int | None = None
    stable: bool = False

    @property
    def rests(self) -> bool:
        """Must one more round change nothing?"""
        return self.stable or self.repeat is not None


@frozen()
class Joined:
    """A hole of a text that shows a value for every binding of its loops, with commas between them."""

    element: Expr
    loops: tuple[Loop, ...]


Template = tuple[str | Expr | Joined, ...]  # a text and its holes


@frozen()
class Action:
    name: str
    parameters: tuple[Parameter, ...]
    when: tuple[Condition, ...]
    phases: tuple[PuzzlePhase, ...]  # the effect first
    costs: dict[str, Expr]  # one for each metric
    label: Template
    location: Location
    otherwise: str = ""  # the author's words for a move that is refused, where a condition has none of its own


@frozen()
class Declared:
    """A heuristic or an invariant, as the author states it; believed by nobody."""

    name: str
    expression: Expr
    claim: str
    location: Location


@frozen()
class View:
    """A board, with what is seen at each place, or lines.

    The board's loops are one over cells, one across (down, in a frame), or two: across and up.

    `colour`, `piece`, `ground`, `size`, `look` and `target` are expressions over the board's names and the name
    `glyph`; None where the file leaves them to the default. `outside` is the ground of places in the board's rectangle
    that are no cells.
    """

    loops: tuple[Loop, ...] = ()
    types: tuple[Type, ...] = ()
    glyph: Expr | None = None
    colour: Expr | None = None
    piece: Expr | None = None
    ground: Expr | None = None
    size: Expr | None = None
    look: Expr | None = None
    target: Expr | None = None  # the name of what shall come there, or of an exit
    outside: str = "void"
    frame: str = ""  # a word of FRAMES: the columns are stacks
    caption: Template = ()
    lines: tuple[Template, ...] = ()  # in place of a board


@dataclass(frozen=True, eq=False, repr=False)
class Puzzle:
    name: str
    level: str
    about: str
    source: str
    data: dict[str, Value]
    known: dict[str, Value]
    types: dict[str, Type]
    variables: tuple[StateVariable, ...]
    actions: tuple[Action, ...]
    goal: tuple[Condition, ...]
    always: tuple[Condition, ...]
    require: tuple[Condition, ...]
    dead: tuple[Condition, ...]
    heuristics: tuple[Declared, ...]
    invariants: tuple[Declared, ...]
    view: View
    metrics: tuple[str, ...]
    interchangeable: tuple[tuple[Type, tuple[tuple[Value, ...], ...]], ...]  # declared: type, classes of its values
    mirrors: tuple[str, ...]  # words of MIRRORS, declared of every type of cells
    seed: int
    fingerprint: str
    warnings: tuple[Diagnostic, ...] = field(default=())
    title: str = ""  # in words, for people
    level_title: str = ""

    def __repr__(self) -> str:
        return f"<Puzzle {self.name:.60}{f', level {self.level:.60}' if self.level else ''}>"

    @property
    def heading(self) -> str:
        """Puzzle and level, for people."""
        return f"{self.title} · {self.level_title}" if self.level_title else self.title

    @cached_property
    def words(self) -> dict[tuple[str, str], Type]:
        """The type of each parameter, by action and parameter: it has the words for its values."""
        return {(action.name, p.name): p.type for action in self.actions for p in action.parameters}

    @cached_property
    def place_names(self) -> dict[tuple[str, tuple[Value, ...]], str]:
        """Every variable of the state as the author would write it, in the order of the file; no two are alike."""
        found = {}
        for variable in self.variables:
            types = [type_ for _, type_ in variable.indices]
            for values in product(*(type_.values for type_ in types)):
                found[variable.name, values] = element_name(variable.name, values, types)
        return found
