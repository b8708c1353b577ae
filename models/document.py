"""The structure of a puzzle file: which keys stand where, and whether each holds a text, a list or a mapping.

The leaves stay `Text`; whether a text is a good expression or type is not decided here. pydantic checks the shapes and
forbids unknown keys (and gives editors the JSON Schema); its error paths are walked back to places in the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from models.document_errors import diagnostics
from models.errors import PuzzleError, did_you_mean
from models.pddl.forms import domain_name, is_pddl
from models.puzzle import LOOKS
from models.text import Plain, Text
from models.yaml_reader import DEFAULT_LIMITS, FileLimits, read_yaml

FORMAT = 1
STAND_IN = "puzzle: '{}'\nstate: {{it: bool = true}}\nactions: {{do: {{effect: {{it: true}}}}}}\ngoal: it\n"
KNOWN = ("optimal", "at_most", "states", "solvable")
AFTER = "after"
TITLE = "title"
DEFAULT_METRIC = "cost"
OF_LEVELS = ("state", AFTER, "known", "about", TITLE)  # what a level holds besides data


def read_document(text: str, source: str, limits: FileLimits = DEFAULT_LIMITS) -> Document:
    """The file's structure; `source` is the name that messages give it. Raises PuzzleError with all problems.

    PDDL has none: what stands for it is a puzzle of its name without levels, for those who ask which there are.
    """
    tree = read_yaml(STAND_IN.format(domain_name(text)) if is_pddl(text) else text, source, limits)
    return as_document(tree, source)


def as_document(tree: dict[Text, Plain], source: str) -> Document:
    """The structure of a tree that `read_yaml` has returned."""
    try:
        return _with_own_words(Document.model_validate(tree))
    except ValidationError as error:
        raise PuzzleError(diagnostics(error, tree, source, ALLOWED)) from None


def _with_own_words(document: Document) -> Document:
    """A file that declares a datum `after` or `title` means that by the word, in its levels too."""
    for word in {AFTER, TITLE} & {*document.data, *document.draw}:
        levels = {name: _own(level, word) for name, level in document.levels.items()}
        document = document.model_copy(update={"levels": levels})
    return document


def _own(level: LevelSource, word: str) -> LevelSource:
    value = getattr(level, word)
    if value is None:
        return level
    return level.model_copy(update={"data": {**level.data, Text(word): value}, word: None})


def _as_list(value: Any) -> Any:
    """One text (or, for phases, one mapping) is a list of one; an empty list is none at all."""
    if isinstance(value, list | tuple):
        if not value:
            raise _complaint("E105", "this list is empty", "leave the key out instead")
        return value
    return [value]


def _phase(value: Any) -> Any:
    """The file's one mapping, with `repeat` and `for` apart from the assignment lines; `times` may be a variable."""
    if not isinstance(value, dict):
        return value
    lines = {key: line for key, line in value.items() if key not in ("repeat", "for")}
    if not lines:
        raise _complaint("E105", "a phase needs at least one assignment line", "write TARGET: VALUE")
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
        raise _complaint("E104", message, "install a newer version of puzzlewright")
    raise _complaint("E104", f"'{value}' is no format", f"write 'format: {FORMAT}'")


def _known(key: Text) -> Text:
    if key in KNOWN:
        return key
    raise _complaint("E101", f"unknown key '{key}' in 'known'", did_you_mean(key, KNOWN))


def _complaint(code: str, message: str, hint: str) -> PydanticCustomError:
    """An error that pydantic hands on as it is; the message goes in as a value, since braces in it mean nothing."""
    return PydanticCustomError(code, "{message}", {"message": message, "hint": hint})


if TYPE_CHECKING:
    Value: TypeAlias = Plain
else:  # pydantic does not look inside: the reader has made sure of texts, lists and mappings
    Value = Any

Conditions: TypeAlias = Annotated[tuple[Text, ...], BeforeValidator(_as_list, json_schema_input_type=Text | list[Text])]


class _Source(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ConditionSource(_Source):
    """A condition of `when` or `always`: in the file its text alone, or a mapping with words for a move it refuses."""

    when: Text
    otherwise: Text | None = None


def _condition(value: Any) -> Any:
    return {"when": value} if isinstance(value, Text) else value


_Stated: TypeAlias = Annotated[
    ConditionSource, BeforeValidator(_condition, json_schema_input_type=Text | ConditionSource)
]
Refusing: TypeAlias = Annotated[
    tuple[_Stated, ...],
    BeforeValidator(_as_list, json_schema_input_type=Text | ConditionSource | list[Text | ConditionSource]),
]


class PhaseSource(_Source):
    """A phase of `then`: in the file one mapping of assignment lines, with `repeat`, `for` or `times` among them."""

    repeat: Text | None = None
    loop: Text | None = None  # `for` in the file
    effect: dict[Text, Text]


Phases: TypeAlias = Annotated[
    tuple[Annotated[PhaseSource, BeforeValidator(_phase)], ...],
    BeforeValidator(_as_list, json_schema_input_type=dict[str, Text] | list[dict[str, Text]]),
]


class ActionSource(_Source):
    """One action; `effect` and phases map targets to values, `let` names (with their arguments) to expressions."""

    params: dict[Text, Text | list[Text]] = Field(default={}, description="name: type")
    let: dict[Text, Text] = Field(default={}, description="name: expression over the old state and the parameters")
    when: Refusing = Field(default=(), description="conditions on the state before, which hold together")
    otherwise: Text | None = Field(default=None, description="words for a move that is refused")
    effect: dict[Text, Text] = Field(description="variable: new value, all at once")
    then: Phases = Field(default=(), description="phases: more assignments, one after the other, perhaps with repeat")
    cost: Text | dict[Text, Text] | None = Field(default=None, description="an expression (1), or metric: cost")
    label: Text | None = Field(default=None, description="a text with {holes}, for the state before")


class SymmetrySource(_Source):
    """Declared symmetries: types whose values are interchangeable, and mirrors of the board."""

    interchangeable: list[Text | dict[Text, Text]] = Field(default=[], description="types whose values are alike")
    mirror: list[Text] = Field(default=[], description="of the board: vertical, horizontal, diagonal")


class ViewSource(_Source):
    """How a state is drawn: `board` names the places, `glyph` to `target` are expressions over them; or lines."""

    board: Text | None = Field(default=None, description="c in cell; or t in tube, l in level (across, up)")
    glyph: Text | None = Field(default=None, description="what stands at a place")
    colour: Text | None = Field(default=None, description="a colour's word, or a value that is given a colour")
    piece: Text | None = Field(default=None, description="touching places with the same value are one piece")
    ground: Text | None = Field(default=None, description="what lies below: floor, wall, goal, void or a colour")
    size: Text | None = Field(default=None, description="the width of a bar")
    look: Text | None = Field(default=None, description=f"what is drawn in place of a tile: {', '.join(LOOKS)}")
    target: Text | None = Field(default=None, description="the name of what shall come there, or of an exit")
    outside: Text | None = Field(default=None, description="what is round the cells: void or wall")
    frame: Text | None = Field(default=None, description="what is drawn round stacks: tube, peg or box; cube of a net")
    caption: Text | None = Field(default=None, description="a text with holes, below the board")
    lines: Conditions = Field(default=(), description="texts with holes, in place of a board")


def _level_schema(schema: dict[str, Any]) -> None:
    """For editors: a level's data stand directly in its mapping, under any name."""
    schema["properties"].pop("data")
    schema["additionalProperties"] = True


class LevelSource(_Source):
    """A level: in the file one mapping of data values, with `state`, `after`, `known`, `about` and `title` among them.

    `after` and `title` may be data of the file's own, so their forms are checked by who reads them (`models.starts`,
    `titles`).
    """

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_level_schema)

    data: dict[Text, Value] = {}
    state: dict[Text, Value] | None = Field(default=None, description="variable: value at the start")
    after: Value | None = Field(default=None, description="steps that lead to the start: [turn R 1, ...], or R U R U")
    known: dict[Annotated[Text, AfterValidator(_known)], Value] | None = Field(
        default=None, description="optimal, at_most, states, solvable"
    )
    about: Text | None = Field(default=None, description="a sentence about the level")
    title: Value | None = Field(default=None, description="the level's name for people, in place of its name in words")


class Document(_Source):
    """A puzzle file. Keys with arguments or indices (`home(t)`, `at[c in cell]`) are kept as they are written."""

    format: Annotated[Text, AfterValidator(_format)] | None = Field(
        default=None, description="the language's format: 1"
    )
    puzzle: Text = Field(description="the puzzle's name")
    title: Text | None = Field(default=None, description="its name for people, in place of that name in words")
    about: Text | None = Field(default=None, description="what has to be done, in a sentence or two")
    data: dict[Text, Value] = Field(default={}, description="constants; a level may replace any of them")
    draw: dict[Text, Text] = Field(default={}, description="data drawn with --seed")
    types: dict[Text, Text | list[Text] | dict[Text, Value]] = Field(default={}, description="name: type")
    state: dict[Text, Text] = Field(description="name[i in T]: type = start value")
    define: dict[Text, Text] = Field(default={}, description="name(a, b): expression")
    actions: dict[Text, ActionSource] = Field(description="what may be done")
    goal: Conditions = Field(description="a condition, or a list that holds together")
    always: Refusing = Field(default=(), description="what holds at the start and after every action")
    require: Conditions = Field(default=(), description="conditions on data and start")
    dead: Conditions = Field(default=(), description="conditions from which no goal can be reached")
    heuristics: dict[Text, Text] = Field(default={}, description="name: estimate of the remaining cost")
    claims: dict[Text, Text] = Field(default={}, description="heuristic: admissible, consistent")
    invariants: dict[Text, Text] = Field(default={}, description="name: value that no action changes")
    symmetry: SymmetrySource = Field(default=SymmetrySource(), description="what may be exchanged")
    view: ViewSource = Field(default=ViewSource(), description="how a state is drawn")
    accepts: dict[Text, Text | dict[Text, Text]] = Field(
        default={}, description="level file format: the datum it fills, or a datum for each part"
    )
    levels: dict[Text, Annotated[LevelSource, BeforeValidator(_level)]] = Field(
        default={}, description="data, known, about, title; the first is the default"
    )

    @property
    def metrics(self) -> tuple[str, ...]:
        """What actions cost, by the names that they give it."""
        named = [tuple(map(str, action.cost)) for action in self.actions.values() if isinstance(action.cost, dict)]
        return named[0] if named else (DEFAULT_METRIC,)


# The keys that may stand in the file itself ('') and in what its fields hold, for suggestions.
ALLOWED: dict[str, tuple[str, ...]] = {
    "": tuple(Document.model_fields),
    "actions": tuple(ActionSource.model_fields),
    "symmetry": tuple(SymmetrySource.model_fields),
    "view": tuple(ViewSource.model_fields),
}
