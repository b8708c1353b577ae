"""Start values that are constants: those that a level states itself, and the state that steps or a walk have led to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from hashlib import sha256
from itertools import count, product

from models.data import as_value
from models.errors import Diagnostic, Location, PuzzleError, did_you_mean
from models.expressions import Constant, Element, Expr, Local, Mapped
from models.interpreter import Place, State
from models.limits import MOST_STEPS, check_limit
from models.plan import Step
from models.puzzle import Puzzle, StateVariable
from models.referee import Refusal, apply, place_name, start_state, successors
from models.statics import freeze
from models.steps import step_line, step_of_json, step_of_line
from models.syntax import fail
from models.text import Plain, Text
from models.values import Record, Type, Value, exact, show

MOST_LOOKS, MOST_TOLD = 2000, 4  # choices of parameters that are tried for a hint; steps that it tells


def with_start(puzzle: Puzzle, state: State) -> Puzzle:
    """The puzzle from another start. What is known of the level's own start is known no more."""
    fingerprint = sha256(repr((puzzle.fingerprint, list(state.items()))).encode()).hexdigest()
    return replace(puzzle, variables=_all_fixed(puzzle, state), known={}, fingerprint=fingerprint)


def _all_fixed(puzzle: Puzzle, state: State) -> tuple[StateVariable, ...]:
    return tuple(
        _fixed(variable, {place: state[place] for place in _places(variable)}) for variable in puzzle.variables
    )


def _places(variable: StateVariable) -> Iterator[Place]:
    for indices in product(*(type_.values for _, type_ in variable.indices)):
        yield variable.name, indices


def _fixed(variable: StateVariable, values: Mapping[Place, Value]) -> StateVariable:
    """The variable with these start values, whatever the data say."""

    def table(types: Sequence[Type], before: tuple[Value, ...]) -> Value:
        if not types:
            return values[variable.name, before]
        return tuple(table(types[1:], (*before, value)) for value in types[0].values)

    start: Expr = Constant(table([type_ for _, type_ in variable.indices], ()))
    for name, type_ in variable.indices:
        start = Element(start, Mapped(Local(name), type_.place))
    return replace(variable, start=start)


# -- as a level states them --------------------------------------------------------------------------------------------


def stated(variables: Sequence[StateVariable], written: Mapping[Text, Plain]) -> tuple[StateVariable, ...]:
    """The variables, with the start values that a level gives under `state`; PuzzleError with all that is wrong."""
    known = {variable.name: variable for variable in variables}
    problems: list[Diagnostic] = []
    for name, value in written.items():
        try:
            if name not in known:
                raise fail(
                    f"there is no state variable {str(name)!r}", name.location, did_you_mean(name, known), "E308"
                )
            read = dict(_read(known[name], freeze(as_value(value, False)), name.location))
            known[str(name)] = _fixed(known[name], read)
        except PuzzleError as error:
            problems += error.diagnostics
    if problems:
        raise PuzzleError(problems)
    return tuple(known.values())


def _read(variable: StateVariable, written: Value, place: Location) -> Iterator[tuple[Place, Value]]:
    """The values of a whole variable: for each index a list in the order of its type, or a table by its values."""
    types = [type_ for _, type_ in variable.indices]
    meant = {_typed(form): value for value, form in variable.type.plain.items()}

    def read(raw: Value, types: Sequence[Type], before: tuple[Value, ...]) -> Iterator[tuple[Place, Value]]:
        if types:
            for value, item in zip(types[0].values, _items(variable.name, raw, types[0], place), strict=True):
                yield from read(item, types[1:], (*before, value))
        elif _typed(raw) in meant:
            yield (variable.name, before), meant[_typed(raw)]
        else:
            told = f"{place_name((variable.name, before))} is {show(raw)}, which is no value of `{variable.type.name}`"
            raise fail(f"the start value of {told}", place, _hint(raw, variable.type), "E413")

    return read(written, types, ())


def _hint(raw: Value, type_: Type) -> str:
    if isinstance(raw, int) and str(raw) in type_.place:
        return f'it has the text "{raw}": a text that looks like a number needs quotes'
    return did_you_mean(show(raw), [show(value, type_.names) for value in type_.values])


def _typed(raw: Value) -> object:
    """1 and true are different."""
    return exact(freeze(raw))


def _items(name: str, raw: Value, index: Type, place: Location) -> Sequence[Value]:
    """The values for an index, in the order of its type."""
    words = [show(value, index.names) for value in index.values]
    if isinstance(raw, Record) and sorted(raw) == sorted(words):
        return [raw[word] for word in words]
    if isinstance(raw, tuple) and len(raw) == len(words):
        return raw
    size = f"{len(words)} value" + "s" * (len(words) != 1)
    message = f"the start values of `{name}` are a list or table of {size}, one for each of `{index.name}`"
    raise fail(message, place, "", "E413")


# -- after steps -------------------------------------------------------------------------------------------------------

FORM = "write - (action arg ...), one a line, or a text of actions without parameters"


def after_steps(puzzle: Puzzle, written: Plain, level: Location) -> Puzzle:
    """The puzzle from where the steps of a level's `after` lead, by the referee. What is known is known of that start.

    The fingerprint has to tell `after` already. PuzzleError where a step is none, or cannot be made.
    """
    state = start_state(puzzle)
    steps = list(steps_after(puzzle, written, level))
    for number, (step, place) in enumerate(steps, 1):
        try:
            state = apply(puzzle, state, step)
        except Refusal as refusal:
            which = f"step {number} of {len(steps)} of 'after', {step_line(step, puzzle)}"
            message = f"{which}, cannot be made: {refusal.told}"
            raise fail(message, place, _possible(puzzle, state, step), "E424") from None
    return replace(puzzle, variables=_all_fixed(puzzle, state))


def steps_after(puzzle: Puzzle, written: Plain, level: Location) -> Iterator[tuple[Step, Location]]:
    """The steps with their places: of a list, of one text in brackets, or each word of a text."""
    place = _place(written, level)
    entries: Sequence[Plain] = written if isinstance(written, list) else [written]
    if isinstance(written, Text) and not written.startswith("("):
        entries = [Text(word[0], written.at(word.start(), len(word[0]))) for word in re.finditer(r"\S+", written)]
    if not entries or isinstance(written, dict):
        raise fail("'after' is a list of steps, or a text of actions", place, FORM, "E501")
    check_limit(len(entries), MOST_STEPS, "steps of 'after'", place)
    for number, entry in enumerate(entries, 1):
        here = _place(entry, place)
        yield _step(puzzle, entry, number, here), here


def _step(puzzle: Puzzle, entry: Plain, number: int, place: Location) -> Step:
    if not isinstance(entry, Text):
        return step_of_json(as_value(entry, False), number, puzzle, place)
    line = entry.strip()
    return step_of_line(line if line.startswith("(") else f"({line})", puzzle, place)


def _place(written: Plain, around: Location) -> Location:
    """Where a value begins: its first text or key; an empty one has no place of its own."""
    while not isinstance(written, Text):
        first = next(iter(written), None)
        if first is None:
            return around
        written = first
    return written.location


def _possible(puzzle: Puzzle, state: State, wanted: Step) -> str:
    """What can be made in place of a step, of its action where there is any; as far as that is soon found."""
    found = list(_some_steps(puzzle, state))
    alike = [step for step in found if step.action == wanted.action] or found
    lines = [step_line(step, puzzle) for step in alike]
    nearest = get_close_matches(step_line(wanted, puzzle), lines, MOST_TOLD, cutoff=0)
    return f"allowed here: {', '.join(nearest)}{', ...' * (len(lines) > MOST_TOLD)}" if nearest else ""


def _some_steps(puzzle: Puzzle, state: State) -> Iterator[Step]:
    """The steps that apply, up to where it takes too long."""
    looks = count()

    def watch() -> None:
        if next(looks) == MOST_LOOKS:
            raise _Enough

    with suppress(_Enough):
        yield from (step for step, _ in successors(puzzle, state, watch))


class _Enough(Exception):
    """So much looking is enough for a hint."""


# -- as JSON holds them ------------------------------------------------------------------------------------------------


def plain_start(variables: Sequence[StateVariable], state: State) -> dict[str, object]:
    """The start values as a level states them under `state`, and as JSON holds them."""
    return {variable.name: _plain(variable, state, [type_ for _, type_ in variable.indices], ())
            for variable in variables}  # fmt: skip


def _plain(variable: StateVariable, state: State, types: Sequence[Type], before: tuple[Value, ...]) -> object:
    if not types:
        return variable.type.plain[state[variable.name, before]]
    items = [_plain(variable, state, types[1:], (*before, value)) for value in types[0].values]
    if all(isinstance(value, str) and value.isidentifier() for value in types[0].values):
        return dict(zip(types[0].values, items, strict=True))
    return items
