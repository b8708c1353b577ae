"""The structure of a puzzle file: which keys stand where, and whether each holds a text, a list or a mapping.

The leaves stay `Text`; whether a text is a good expression or type is not decided here. The annotations of the classes
say all of it, to `models.forms` and, where something does not fit or for an editor's JSON Schema, to pydantic.
"""

from dataclasses import field, replace
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from models.errors import PuzzleError, did_you_mean
from models.forms import After, Before, Misfit, Refused, fitted, mapping, told
from models.limits import DEFAULT_LIMITS, FileLimits
from models.pddl.forms import domain_name, is_pddl
from models.puzzle import LOOKS
from models.text import Plain, Text

FORMAT = 1
STAND_IN = "puzzle: '{}'\nstate: {{it: bool = true}}\nactions: {{do: {{effect: {{it: true}}}}}}\ngoal: it\n"
KNOWN = ("optimal", "at_most", "states", "solvable")
AFTER = "after"
TITLE = "title"
DEFAULT_METRIC = "cost"
OF_LEVELS = ("state", AFTER, "known", "about", TITLE)  # what a level holds besides data


def _as_list(value: Any) -> Any:
    """One text (or, for phases, one mapping) is a list of one; an empty list is none at all."""
    if isinstance(value, list | tuple):
        if not value:
            raise Refused("E105", "this list is empty", "leave the key out instead")
        return value
    return [value]


def _phase(value: Any) -> Any:
    """The file's one mapping, with `repeat` and `for` apart from the assignment lines; `times` may be a variable."""
    if not isinstance(value, dict):
        return value
    lines = {key: line for key, line in value.items() if key not in ("repeat", "for")}
    if not lines:
        raise Refused("E105", "a phase needs at least one assignment line", "write TARGET: VALUE")
    return {"repeat": value.get("repeat"), "loop": value.get("for"), "effect": lines}


def _level(value: Any) -> Any:
    """The file's one mapping, with `state`, `after`, `known`, `about` and `title` apart from the data."""
    if not isinstance(value, dict):
        return value
    data = {key: datum for key, datum in value.items() if key not in OF_LEVELS}
    return {"data": data, **{key: value.get(key) for key in OF_LEVELS}}


def _format(value: Text) -> Text:
    if value == str(FORMAT):
        return value
    if value.isdecimal() and int(value) > FORMAT:
        message = f"this file is written in format {int(value)}; this version reads format {FORMAT}"
        raise Refused("E104", message, "install a newer version of puzzlewright")
    raise Refused("E104", f"'{value}' is no format", f"write 'format: {FORMAT}'")


def _known(key: Text) -> Text:
    if key in KNOWN:
        return key
    raise Refused("E101", f"unknown key '{key}' in 'known'", did_you_mean(key, KNOWN))


if TYPE_CHECKING:
    Value: TypeAlias = Plain
else:  # nobody looks inside: the reader has made sure of texts, lists and mappings
    Value = Any

Conditions: TypeAlias = Annotated[tuple[Text, ...], Before(_as_list, Text | list[Text])]


@mapping
class ConditionSource:
    """A condition of `when` or `always`: in the file its text alone, or a mapping with words for a move it refuses."""

    when: Text
    otherwise: Text | None = None


def _condition(value: Any) -> Any:
    return {"when": value} if isinstance(value, Text) else value


_Stated: TypeAlias = Annotated[ConditionSource, Before(_condition, Text | ConditionSource)]
Refusing: TypeAlias = Annotated[
    tuple[_Stated, ...],
    Before(_as_list, Text | ConditionSource | list[Text | ConditionSource]),
]


@mapping
class PhaseSource:
    """A phase of `then`: in the file one mapping of assignment lines, with `repeat`, `for` or `times` among them."""

    repeat: Text | None = None
    loop: Text | None = None  # `for` in the file
    effect: dict[Text, Text]


Phases: TypeAlias = Annotated[
    tuple[Annotated[PhaseSource, Before(_phase)], ...],
    Before(_as_list, dict[str, Text] | list[dict[str, Text]]),
]


@mapping
class ActionSource:
    """One action; `effect` and phases map targets to values, `let` names (with their arguments) to expressions."""

    params: dict[Text, Text | list[Text]] = told("name: type", default_factory=dict)
    let: dict[Text, Text] = told("name: expression over the old state and the parameters", default_factory=dict)
    when: Refusing = told("conditions on the state before, which hold together", default=())
    otherwise: Text | None = told("words for a move that is refused", default=None)
    effect: dict[Text, Text] = told("variable: new value, all at once")
    then: Phases = told("phases: more assignments, one after the other, perhaps with repeat", default=())
    cost: Text | dict[Text, Text] | None = told("an expression (1), or metric: cost", default=None)
    label: Text | None = told("a text with {holes}, for the state before", default=None)


@mapping
class SymmetrySource:
    """Declared symmetries: types whose values are interchangeable, and mirrors of the board."""

    interchangeable: list[Text | dict[Text, Text]] = told("types whose values are alike", default_factory=list)
    mirror: list[Text] = told("of the board: vertical, horizontal, diagonal", default_factory=list)


@mapping
class ViewSource:
    """How a state is drawn: `board` names the places, `glyph` to `target` are expressions over them; or lines."""

    board: Text | None = told("c in cell; or t in tube, l in level (across, up)", default=None)
    glyph: Text | None = told("what stands at a place", default=None)
    colour: Text | None = told("a colour's word, or a value that is given a colour", default=None)
    piece: Text | None = told("touching places with the same value are one piece", default=None)
    ground: Text | None = told("what lies below: floor, wall, goal, void or a colour", default=None)
    size: Text | None = told("the width of a bar", default=None)
    look: Text | None = told(f"what is drawn in place of a tile: {', '.join(LOOKS)}", default=None)
    target: Text | None = told("the name of what shall come there, or of an exit", default=None)
    outside: Text | None = told("what is round the cells: void or wall", default=None)
    frame: Text | None = told("what is drawn round stacks: tube, peg or box; cube of a net", default=None)
    caption: Text | None = told("a text with holes, below the board", default=None)
    lines: Conditions = told("texts with holes, in place of a board", default=())


@mapping
class LevelSource:
    """A level: in the file one mapping of data values, with `state`, `after`, `known`, `about` and `title` among them.

    `after` and `title` may be data of the file's own, so their forms are checked by who reads them (`models.starts`,
    `titles`).
    """

    data: dict[Text, Value] = field(default_factory=dict)
    state: dict[Text, Value] | None = told("variable: value at the start", default=None)
    after: Value | None = told("steps that lead to the start: [turn R 1, ...], or R U R U", default=None)
    known: dict[Annotated[Text, After(_known)], Value] | None = told("optimal, at_most, states, solvable", default=None)
    about: Text | None = told("a sentence about the level", default=None)
    title: Value | None = told("the level's name for people, in place of its name in words", default=None)


@mapping
class Document:
    """A puzzle file. Keys with arguments or indices (`home(t)`, `at[c in cell]`) are kept as they are written."""

    format: Annotated[Text, After(_format)] | None = told("the language's format: 1", default=None)
    puzzle: Text = told("the puzzle's name")
    title: Text | None = told("its name for people, in place of that name in words", default=None)
    about: Text | None = told("what has to be done, in a sentence or two", default=None)
    data: dict[Text, Value] = told("constants; a level may replace any of them", default_factory=dict)
    draw: dict[Text, Text] = told("data drawn with --seed", default_factory=dict)
    types: dict[Text, Text | list[Text] | dict[Text, Value]] = told("name: type", default_factory=dict)
    state: dict[Text, Text] = told("name[i in T]: type = start value")
    define: dict[Text, Text] = told("name(a, b): expression", default_factory=dict)
    actions: dict[Text, ActionSource] = told("what may be done")
    goal: Conditions = told("a condition, or a list that holds together")
    always: Refusing = told("what holds at the start and after every action", default=())
    require: Conditions = told("conditions on data and start", default=())
    dead: Conditions = told("conditions from which no goal can be reached", default=())
    heuristics: dict[Text, Text] = told("name: estimate of the remaining cost", default_factory=dict)
    claims: dict[Text, Text] = told("heuristic: admissible, consistent", default_factory=dict)
    invariants: dict[Text, Text] = told("name: value that no action changes", default_factory=dict)
    symmetry: SymmetrySource = told("what may be exchanged", default_factory=SymmetrySource)
    view: ViewSource = told("how a state is drawn", default_factory=ViewSource)
    accepts: dict[Text, Text | dict[Text, Text]] = told(
        "level file format: the datum it fills, or a datum for each part", default_factory=dict
    )
    levels: dict[Text, Annotated[LevelSource, Before(_level)]] = told(
        "data, known, about, title; the first is the default", default_factory=dict
    )

    @property
    def metrics(self) -> tuple[str, ...]:
        """What actions cost, by the names that they give it."""
        named = [tuple(map(str, action.cost)) for action in self.actions.values() if isinstance(action.cost, dict)]
        return named[0] if named else (DEFAULT_METRIC,)


# What the file itself ('') and its fields hold, whose keys are suggested.
HOLDERS = {"": Document, "actions": ActionSource, "symmetry": SymmetrySource, "view": ViewSource}


def read_document(text: str, source: str, limits: FileLimits = DEFAULT_LIMITS) -> Document:
    """The file's structure; `source` is the name that messages give it. Raises PuzzleError with all problems.

    PDDL has none: what stands for it is a puzzle of its name without levels, for those who ask which there are.
    """
    from models.yaml_reader import read_yaml

    tree = read_yaml(STAND_IN.format(domain_name(text)) if is_pddl(text) else text, source, limits)
    return as_document(tree, source)


def as_document(tree: dict[Text, Plain], source: str) -> Document:
    """The structure of a tree that `read_yaml` has returned."""
    try:
        return _with_own_words(fitted(Document, tree))
    except Misfit:
        from models.document_errors import complaints

        raise PuzzleError(complaints(Document, tree, source, HOLDERS)) from None


def _with_own_words(document: Document) -> Document:
    """A file that declares a datum `after` or `title` means that by the word, in its levels too."""
    for word in {AFTER, TITLE} & {*document.data, *document.draw}:
        levels = {name: _own(level, word) for name, level in document.levels.items()}
        document = replace(document, levels=levels)
    return document


def _own(level: LevelSource, word: str) -> LevelSource:
    value = getattr(level, word)
    if value is None:
        return level
    return replace(level, data={**level.data, Text(word): value}, **{word: None})
