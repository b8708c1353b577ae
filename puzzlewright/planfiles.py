"""Plans as files: the JSON of a result, one `(action arg ...)` line a step, or Sokoban's LURD.

LURD has one letter a step, the first one of its direction: a capital for a push, a small letter for the other action.
It is for every puzzle with two actions, one of them named `push`, each with one direction. What else such a step needs
(where the keeper stands) is what the referee makes of the state.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, product
from pathlib import Path
from typing import Any

from models.errors import Diagnostic, Location, PuzzleError, did_you_mean
from models.interpreter import State
from models.plan import Plan, Step, step_line
from models.puzzle import Parameter, Puzzle
from models.referee import Refusal, apply, bindings_of, start_state
from models.values import DIRECTION, Cell, Offset, Type, Value, plain, show
from puzzlewright.report import Report, as_json

LURD = ".lurd"
PUSH = "push"


def write_plan(path: Path, report: Report) -> None:
    """The report's plan: by suffix `.plan` lines with a cost comment, `.lurd` letters, anything else JSON."""
    assert report.plan is not None
    if path.suffix == LURD:
        text = "".join(_letter(step) for step in report.plan) + "\n"
    elif path.suffix == ".plan":
        unit = "unit cost" if report.cost == len(report.plan) else "general cost"
        lines = [step_line(step, report.words) for step in report.plan]
        text = "\n".join([*lines, f"; cost = {report.cost} ({unit})\n"])
    else:
        text = json.dumps(as_json(report), indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")


def read_plan(path: str, text: str, puzzle: Puzzle) -> Plan:
    """The plan in a text of any form; PuzzleError where it is none."""
    if text.lstrip()[:1] in ("{", "["):
        return _from_json(path, text, puzzle)
    if Path(path).suffix == LURD:
        return _from_lurd(path, text, puzzle)
    steps = []
    for number, line in enumerate(text.splitlines(), 1):
        words = re.sub(r";.*", "", line).strip()
        if words:
            steps.append(_from_line(words, puzzle, Location(path, number, 1, max(1, len(line)))))
    return tuple(steps)


def _fail(message: str, place: Location, hint: str = "") -> PuzzleError:
    return PuzzleError(Diagnostic(message, place, hint, code="E501"))


def _from_line(line: str, puzzle: Puzzle, place: Location) -> Step:
    if not (line.startswith("(") and line.endswith(")")):
        raise _fail("a step is written (action arg ...)", place)
    name, *words = line[1:-1].split() or [""]
    parameters = _parameters(puzzle, name, place)
    if len(words) != len(parameters):
        raise _fail(f"`{name}` has {len(parameters)} parameters, found {len(words)}", place)
    values = (_from_word(word, parameter, place) for word, parameter in zip(words, parameters, strict=True))
    return Step(name, tuple((p.name, v) for p, v in zip(parameters, values, strict=True)))


def _parameters(puzzle: Puzzle, name: str, place: Location) -> tuple[Parameter, ...]:
    for action in puzzle.actions:
        if action.name == name:
            return action.parameters
    raise _fail(f"there is no action {name!r}", place, did_you_mean(name, [a.name for a in puzzle.actions]))


def _from_word(word: str, parameter: Parameter, place: Location) -> Value:
    if parameter.indices:
        return tuple(_named(part, parameter.type, place) for part in word.split("|"))
    return _named(word, parameter.type, place)


def _named(word: str, type_: Type, place: Location) -> Value:
    """The value of the type that is written so."""
    names = {_word(value, type_): value for value in type_.values}
    if word not in names:
        raise _fail(f"{word!r} is no value of `{type_.name}`", place, did_you_mean(word, names))
    return names[word]


def _word(value: Value, type_: Type) -> str:
    return f"{value.row},{value.col}" if isinstance(value, Cell) else show(value, type_.names)


def _from_json(path: str, text: str, puzzle: Puzzle) -> Plan:
    place = Location(path, 1, 1)
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        line, column = getattr(error, "lineno", 1), getattr(error, "colno", 1)
        raise _fail("this is not JSON", Location(path, line, column)) from None
    steps = data.get("plan") if isinstance(data, dict) else data
    if not isinstance(steps, list):
        raise _fail("there is no plan here", place, 'expected {"plan": [{"action": ..., "args": {...}}, ...]}')
    return tuple(_json_step(step, number, puzzle, place) for number, step in enumerate(steps, 1))


def _json_step(step: Any, number: int, puzzle: Puzzle, place: Location) -> Step:
    if not isinstance(step, dict) or not isinstance(step.get("action"), str):
        raise _fail(f"step {number} has no action", place)
    given = step.get("args", {})
    parameters = _parameters(puzzle, step["action"], place)
    if not isinstance(given, dict) or set(given) != {parameter.name for parameter in parameters}:
        names = ", ".join(parameter.name for parameter in parameters) or "none"
        raise _fail(f"step {number}: `{step['action']}` has the parameters {names}", place)
    return Step(step["action"], tuple((p.name, _json_value(given[p.name], p, number, place)) for p in parameters))


def _json_value(raw: Any, parameter: Parameter, number: int, place: Location) -> Value:
    if parameter.indices:
        size = len(list(product(*(type_.values for type_ in parameter.indices))))
        if not isinstance(raw, list) or len(raw) != size:
            raise _fail(f"step {number}: `{parameter.name}` is a list of {size} values", place)
        return tuple(_json_scalar(item, parameter.type, number, place) for item in raw)
    return _json_scalar(raw, parameter.type, number, place)


def _json_scalar(raw: Any, type_: Type, number: int, place: Location) -> Value:
    for value in type_.values:
        written = plain(value, type_.names)
        if type(written) is type(raw) and written == raw:
            return value
    raise _fail(f"step {number}: {json.dumps(raw)} is no value of `{type_.name}`", place)


# -- LURD --------------------------------------------------------------------------------------------------------------


def is_lurd(puzzle: Puzzle) -> bool:
    """Can plans of this puzzle be written as LURD?"""
    names = [action.name for action in puzzle.actions]
    offsets = [[p for p in action.parameters if p.type.names] for action in puzzle.actions]
    directed = all(len(found) == 1 and found[0].type.names == DIRECTION.names for found in offsets)
    return len(names) == 2 and PUSH in names and directed


def _letter(step: Step) -> str:
    direction = next(value for _, value in step.arguments if isinstance(value, Offset))
    letter = DIRECTION.names[direction][0]
    return letter.upper() if step.action == PUSH else letter


def _from_lurd(path: str, text: str, puzzle: Puzzle) -> Plan:
    """Each letter as the first step that applies. Where none does, the plan ends with one that the referee refuses."""
    if not is_lurd(puzzle):
        raise _fail(f"plans of {puzzle.name!r} are not written as LURD", Location(path, 1, 1))
    steps: dict[str, list[Step]] = {}
    for action in puzzle.actions:
        for arguments in bindings_of(action.parameters):
            step = Step(action.name, arguments)
            steps.setdefault(_letter(step), []).append(step)
    state, plan = start_state(puzzle), list[Step]()
    for letter in _letters(path, text):
        found = next(_applied(puzzle, state, steps[letter]), None)
        if found is None:
            return (*plan, _refused(puzzle, state, steps, letter))
        plan.append(found[0])
        state = found[1]
    return tuple(plan)


def _letters(path: str, text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        for column, letter in enumerate(re.sub(";.*", "", line), 1):
            if letter in "lurdLURD":
                yield letter
            elif not letter.isspace():
                raise _fail(f"{letter!r} is none of l, u, r, d, L, U, R, D", Location(path, number, column))


def _applied(puzzle: Puzzle, state: State, steps: Iterable[Step]) -> Iterator[tuple[Step, State]]:
    """The steps that apply, with the states that they lead to."""
    for step in steps:
        with suppress(Refusal):
            yield step, apply(puzzle, state, step)


def _refused(puzzle: Puzzle, state: State, steps: Mapping[str, Sequence[Step]], letter: str) -> Step:
    """The step of this letter that is most like one that applies: of the keeper from where he stands."""
    possible = (step for each in steps.values() for step, _ in _applied(puzzle, state, each))
    standing = [_others(step) for step in islice(possible, 1)]
    return next((step for step in steps[letter] if _others(step) in standing), steps[letter][0])


def _others(step: Step) -> tuple[Value, ...]:
    return tuple(value for _, value in step.arguments if not isinstance(value, Offset))
