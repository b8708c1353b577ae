"""A state as a level of its puzzle file: through the data that START reads where that can be, else under `state`.

START is an expression, and nobody can invert those in general. So data are guessed (the values of a variable in the
form of the datum, the board as the view draws it), put into the file, and read again: a guess counts only if the start
is the wanted one and the puzzle is otherwise the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product

from models.data import raw_data
from models.document import Document, as_document
from models.errors import Diagnostic, PuzzleError
from models.frozen import frozen
from models.interpreter import State
from models.loader import load
from models.outcomes import Deadline
from models.puzzle import Puzzle, StateVariable
from models.referee import start_state
from models.starts import plain_start
from models.statics import freeze
from models.task import Task
from models.text import Plain, Text
from models.values import Cell, Record, Type, Value, plain, show
from models.yaml_reader import read_yaml
from puzzlewright.pictures.scene import NOTHING, Scene, scene

SECONDS = 10.0  # for guessing, all levels of a run together
WIDTH = 100  # of a line, where it can be broken
_WORD = re.compile(r"[^\W\d][\w-]*")
_NO_TEXT = ("true", "false", "yes", "no", "on", "off", "null", "y", "n")  # to some readers of YAML

_NAME = re.compile(r"[^\W\d]\w*")
_LEVELS, OWN = Text("levels"), Text("first")
_KEY_LEVELS = re.compile(r"levels\s*:")

Data = Mapping[str, Value]
Recipe = tuple[tuple[str, str], ...]  # data, with labels of what each may be


@frozen(eq=True)
class Written:
    """A level: its lines, ready to stand below `levels:`, and the puzzle that they give."""

    name: str
    text: str
    puzzle: Puzzle


class LevelWriter:
    """Writes states of a puzzle as levels of the file that it was read from."""

    def __init__(self, puzzle: Puzzle, text: str, deadline: Deadline) -> None:
        self.puzzle, self.text, self.deadline = puzzle, text, deadline.within(SECONDS)
        self.tree = read_yaml(text, puzzle.source)
        document = as_document(self.tree, puzzle.source)
        self.names = {str(name) for name in document.levels}
        self.own, _ = raw_data(document, None, {})
        self.base = {name: value for name, value in puzzle.data.items() if not _alike(self.own.get(name), value)}
        self.sources = [name for name in read_by_start(document) if name in puzzle.data]
        self.true: set[Recipe] = set()  # the guesses that gave the right start once

    def write(self, name: str, state: State, known: Mapping[str, object], same: Callable[[Puzzle], bool]) -> Written:
        """The state as a level; PuzzleError where it breaks what the file requires of a start.

        `same` is asked of a puzzle with the right start whether it is otherwise the same puzzle.
        """
        name = self._unused(name)
        for recipe, data in self._guesses(state):
            written = self._accepted(name, data, known)
            if written is not None and _same_state(start_state(written.puzzle), state) and same(written.puzzle):
                self.true.add(recipe)
                return written
        return self._stated(name, state, known)

    def with_data(self, name: str, data: Data, known: Mapping[str, object] | None = None) -> Written:
        """The puzzle's level with other data; PuzzleError where the file may not hold it. The name stays free."""
        changed = {
            name: value for name, value in {**self.base, **data}.items() if not _alike(self.own.get(name), value)
        }
        return self._put(self._free(name), changed, {}, known or {})

    def _unused(self, name: str) -> str:
        name = self._free(name)
        self.names.add(name)
        return name

    def _free(self, name: str) -> str:
        number = 2
        wanted = name
        while name in self.names:
            name, number = f"{wanted}-{number}", number + 1
        return name

    def _stated(self, name: str, state: State, known: Mapping[str, object]) -> Written:
        """The level that states all variables which do not start so anyway."""
        start = start_state(self._put(name, self.base, {}, {}).puzzle)
        different = {place[0] for place, value in state.items() if start[place] != value}
        variables = [variable for variable in self.puzzle.variables if variable.name in different]
        written = self._put(name, self.base, plain_start(variables, state), known)
        if not _same_state(start_state(written.puzzle), state):
            raise PuzzleError(Diagnostic("two values of a type are written alike", None, code="E413"))
        return written

    def _accepted(self, name: str, data: Data, known: Mapping[str, object]) -> Written | None:
        """The level with these data, if the file may hold it."""
        try:
            return self._put(name, data, {}, known)
        except PuzzleError:
            return None

    def _put(self, name: str, data: Data, stated: Mapping[str, object], known: Mapping[str, object]) -> Written:
        """The level as the reader reads it, put into the file; the file's own levels play no part in it."""
        entries = {datum: plain(value) for datum, value in data.items()}
        text = level_text(name, entries | ({"state": stated} if stated else {}) | ({"known": known} if known else {}))
        levels: Plain = read_yaml(text, self.puzzle.source)
        document = as_document(self.tree | {Text("levels"): levels}, self.puzzle.source)
        return Written(name, text, load(document, f"{self.text}\n{text}", self.puzzle.source, name, {}, 0))

    # -- guesses -------------------------------------------------------------------------------------------------------

    def _guesses(self, state: State) -> Iterator[tuple[Recipe, Data]]:
        """Data that may give this start: nothing, one datum or two changed; what has come true before comes first."""
        board = scene(self.puzzle, state)
        options = {name: dict(self._values(name, state, board)) for name in self.sources}
        single = [(name, label) for name, labels in options.items() for label in labels]
        pairs = [pair for pair in combinations(single, 2) if pair[0][0] != pair[1][0]]
        recipes: list[Recipe] = [(), *((each,) for each in single), *pairs]
        for recipe in sorted(recipes, key=lambda recipe: recipe not in self.true):
            if self.deadline.left == 0.0:
                return
            data = self.base | {name: options[name][label] for name, label in recipe}
            yield recipe, {name: value for name, value in data.items() if not _alike(self.own.get(name), value)}

    def _values(self, name: str, state: State, board: Scene) -> Iterator[tuple[str, Value]]:
        """(label, value) of what the datum may be, in the form that it has now."""
        form = self.puzzle.data[name]
        if name in self.base and name in self.own:
            yield "own", self.own[name]
        for variable in self.puzzle.variables:
            for label, value in _of_variable(variable, state, form):
                yield f"{variable.name} {label}", value
        if isinstance(form, tuple) and board.spots:
            yield "board", _rows(board, form)
            columns = _columns(board)
            yield "columns", columns
            yield "full columns", tuple(column for column in columns if column)


def _alike(one: Value, other: Value) -> bool:
    """Equal, where 1 and true are different."""
    return repr(one) == repr(other)


def _same_state(one: State, other: State) -> bool:
    return one == other and all(type(one[place]) is type(other[place]) for place in one)


def read_by_start(document: Document) -> list[str]:
    """The names that START mentions, also by way of definitions."""
    bodies = {re.split(r"[(\s]", key)[0]: text for key, text in document.define.items()}
    waiting = [text for text in document.state.values()]
    found: dict[str, None] = {}
    while waiting:
        for word in _NAME.findall(waiting.pop()):
            if word not in found and word in bodies:
                waiting.append(bodies[word])
            found[word] = None
    return list(found)


def _of_variable(variable: StateVariable, state: State, form: Value) -> Iterator[tuple[str, Value]]:
    """A variable's values as a scalar, a list, a text, a table, rows of a board, or a list for each first index."""
    types = [type_ for _, type_ in variable.indices]
    values = [freeze(plain(state[variable.name, indices], variable.type.names))
              for indices in product(*(type_.values for type_ in types))]  # fmt: skip
    if not types:
        yield "value", values[0]
    elif len(types) == 1:
        yield "list", tuple(values)
        yield from _one_index(types[0], values, form)
    elif len(types) == 2:
        width = len(types[1].values)
        rows = [values[first : first + width] for first in range(0, len(values), width)]
        yield "lists", tuple(map(tuple, rows))
        letters = _letters(form)
        yield "texts", tuple(_joined(_without_end(row, letters)) for row in rows)


def _one_index(index: Type, values: Sequence[Value], form: Value) -> Iterator[tuple[str, Value]]:
    if isinstance(form, str):
        yield "text", _joined(values)
    if isinstance(form, Record):
        yield "table", Record(zip((show(value, index.names) for value in index.values), values, strict=True))
    if isinstance(form, tuple) and all(isinstance(value, Cell) for value in index.values):
        rows: dict[int, list[Value]] = {}
        for cell, value in zip(index.values, values, strict=True):
            rows.setdefault(cell.row, []).append(value)
        yield "rows", tuple(map(_joined, rows.values()))


def _letters(form: Value) -> set[Value]:
    """All scalars of a datum, texts letter by letter."""
    if isinstance(form, tuple | str) and len(form) != 1:
        return {letter for item in form for letter in _letters(item)}
    return _letters(form[0]) if isinstance(form, tuple) else {form}


def _without_end(row: Sequence[Value], known: set[Value]) -> Sequence[Value]:
    """A stack up to its last value that is one of those known."""
    last = max((place for place, value in enumerate(row, 1) if value in known), default=0)
    return row[:last]


def _joined(values: Sequence[Value]) -> Value:
    """One text where all are letters, else a list."""
    letters = all(isinstance(value, str) and len(value) == 1 for value in values)
    return "".join(values) if letters else tuple(values)


def _rows(board: Scene, form: Sequence[Value]) -> Value:
    """What the board shows, row by row; where it shows no place, the datum's own letter."""

    def letter(row: int, col: int) -> str:
        own = form[row][col] if row < len(form) and isinstance(form[row], str | tuple) and col < len(form[row]) else ""
        return board.glyph((row, col)) or str(own)

    return tuple(_joined([letter(row, col) for col in range(board.cols)]) for row in range(board.rows))


def _columns(board: Scene) -> tuple[Value, ...]:
    """What stands in each column, from below."""
    found = []
    for col in range(board.cols):
        glyphs = [board.glyph((row, col)) for row in reversed(range(board.rows))]
        found.append(_joined([glyph for glyph in glyphs if glyph not in NOTHING]))
    return tuple(found)


# -- is it the same puzzle? --------------------------------------------------------------------------------------------


def same_rules(one: Task, other: Task) -> bool:
    """Do two tasks differ in their starts only (and in what is said to be known about them)?"""
    return _rules(one) == _rules(other)


def _rules(task: Task) -> object:
    variables = [(variable.name, variable.domain) for variable in task.variables]
    return variables, task.metric, task.schemas, task.goal, task.always


# -- text --------------------------------------------------------------------------------------------------------------


def level_text(name: str, entries: Mapping[str, object]) -> str:
    """The lines of a level, indented to stand below `levels:`; values as JSON has them."""
    line = f"  {_scalar(name)}: {_flow(entries)}"
    if len(line) <= WIDTH:
        return line + "\n"
    lines = [f"  {_scalar(name)}:", *(line for key, value in entries.items() for line in _entry(key, value, 4))]
    return "\n".join(lines) + "\n"


def _entry(key: str, value: object, indent: int) -> Iterator[str]:
    """A key with its value on one line, or on as many as it takes."""
    head = f"{' ' * indent}{_scalar(key)}:"
    if len(line := f"{head} {_flow(value)}") <= WIDTH or not isinstance(value, dict | list):
        yield line
    elif isinstance(value, dict):
        yield head
        for inner, item in value.items():
            yield from _entry(inner, item, indent + 2)
    elif all(isinstance(item, list) or isinstance(item, str) and len(item) > 1 for item in value):
        yield head
        yield from (f"{' ' * (indent + 2)}- {_flow(item)}" for item in value)
    else:
        yield from _packed(f"{head} [", [f"{_flow(item)}," for item in value], indent + 2)


def _packed(line: str, words: Sequence[str], indent: int) -> Iterator[str]:
    """A list in brackets, broken between its items."""
    words = [*words[:-1], words[-1].removesuffix(",") + "]"]
    line += words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = " " * indent + word
        else:
            line += f" {word}"
    yield line


def _flow(value: object) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(str(key))}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _scalar(value: object) -> str:
    """A text without quotes where it cannot be taken for anything else."""
    if isinstance(value, str) and _WORD.fullmatch(value) and value.lower() not in _NO_TEXT:
        return value
    return json.dumps(value, ensure_ascii=False)


# -- into a file -------------------------------------------------------------------------------------------------------


def with_level(text: str, source: str, level: str) -> str:
    """The file with one more level below its others, all else byte for byte; PuzzleError where that cannot be.

    A file without levels is one itself, which gets a name and comes first: it stays what is solved by default.
    What comes out is read again: it says what it said before, and the new level.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    lines, before = text.splitlines(keepends=True), read_yaml(text, source)
    at, indent = _place_below(lines, before)
    added = [f"{' ' * indent}{line[2:]}{newline}" for line in level.splitlines()]
    if at and not lines[at - 1].endswith(("\n", "\r")):
        lines[at - 1] += newline
    head = (
        [] if any(_KEY_LEVELS.match(line) for line in lines) else [f"{newline}levels:{newline}  {OWN}: {{}}{newline}"]
    )
    made = "".join([*lines[:at], *head, *added, *lines[at:]])
    if not _says_more(before, made, source, level):
        raise PuzzleError(Diagnostic(f"{source} has levels in a form to which none is added", None, "add it by hand",
                                     code="E413"))  # fmt: skip
    return made


def _says_more(before: Mapping[Text, Plain], made: str, source: str, level: str) -> bool:
    """Does the file that was made say all that it said before, the new level last, and nothing else?"""
    try:
        after, added = read_yaml(made, source), read_yaml(level, source)
    except PuzzleError:
        return False
    levels = before.get(_LEVELS, {OWN: {}})
    return isinstance(levels, dict) and repr(after) == repr({**before, _LEVELS: {**levels, **added}})


def _place_below(lines: Sequence[str], tree: Mapping[Text, Plain]) -> tuple[int, int]:
    """(the number of lines before the new level, its indentation): below the last line of the levels."""
    start = next((number for number, line in enumerate(lines) if _KEY_LEVELS.match(line)), None)
    if start is None:
        return len(lines), 2
    end = next((number for number in range(start + 1, len(lines)) if re.match(r"[^\s#]", lines[number])), len(lines))
    own = [number for number in range(start, end) if lines[number].strip() and not lines[number].startswith("#")]
    keys = [key.location.column - 1 for key in tree[Text("levels")] if key.location is not None]  # type: ignore[union-attr]
    return own[-1] + 1, keys[0] if keys else 2
