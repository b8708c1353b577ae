"""One step of a plan as text: a line `(action arg ...)`, or a mapping as JSON has it.

A word of a line is a value as its type has it written, a cell as row,col, the values of an array joined by |; a word
that would fall apart, or could be another value, has the quotes of JSON. There is one reader, for plan files and for
the steps that lead to a level's start.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from math import prod

from models.errors import Diagnostic, Location, PuzzleError, did_you_mean
from models.plan import Step
from models.puzzle import Parameter, Puzzle
from models.values import Cell, Type, Value, quoted, show

SAFE = re.compile(r'[^\s"();|,]+')  # a word that needs no quotes
QUOTED = r'"(?:[^"\\]|\\.)*"'
WORD = re.compile(rf'(?:{QUOTED}|[^\s"])+')
EMPTY = "|"  # an array without values

KEPT = 256  # types whose words are remembered
Forms = dict[str, list[Value]]  # the values that are written so, of which there should be one


def no_plan(message: str, place: Location, hint: str = "") -> PuzzleError:
    return PuzzleError(Diagnostic(message, place, hint, code="E501"))


# -- lines -------------------------------------------------------------------------------------------------------------


def step_line(step: Step, puzzle: Puzzle) -> str:
    """`(action arg ...)`."""
    types = {name: puzzle.words[step.action, name] for name, _ in step.arguments}
    words = ["|".join(_word(item, types[name]) for item in (value if type(value) is tuple else (value,))) or EMPTY
             for name, value in step.arguments]  # fmt: skip
    return f"({' '.join([step.action, *words])})"


def _word(value: Value, type_: Type) -> str:
    """The value as a word without blanks outside of quotes."""
    if isinstance(value, Cell):
        return f"{value.row},{value.col}"
    word = type_.written[value]
    if isinstance(value, str) and word != value:
        return word  # has quotes already
    return word if SAFE.fullmatch(word) else quoted(word)


@lru_cache(KEPT)
def words_of(type_: Type) -> Forms:
    """The values by their words."""
    return _by_form((_word(value, type_), value) for value in type_.values)


@lru_cache(KEPT)
def _old_words(type_: Type) -> Forms:
    """The values by the words without quotes that they had in older files."""
    return _by_form((show(value, type_.names), value) for value in type_.values if not isinstance(value, Cell))


def _by_form(pairs: Iterable[tuple[str, Value]]) -> Forms:
    found: Forms = {}
    for form, value in pairs:
        found.setdefault(form, []).append(value)
    return found


def step_of_line(line: str, puzzle: Puzzle, place: Location) -> Step:
    if not (line.startswith("(") and line.endswith(")")):
        raise no_plan("a step is written (action arg ...)", place)
    if WORD.sub("", line[1:-1]).strip():
        raise no_plan("a quote is not closed", place)
    name, *words = WORD.findall(line[1:-1]) or [""]
    parameters = _parameters(puzzle, name, place)
    if len(words) != len(parameters):
        form = f"write ({' '.join([name, *(parameter.name for parameter in parameters)])})"
        raise no_plan(f"`{name}` has {len(parameters)} parameters, found {len(words)}", place, form)
    values = (_from_word(word, parameter, place) for word, parameter in zip(words, parameters, strict=True))
    return Step(name, tuple((p.name, v) for p, v in zip(parameters, values, strict=True)))


def _parameters(puzzle: Puzzle, name: str, place: Location) -> tuple[Parameter, ...]:
    for action in puzzle.actions:
        if action.name == name:
            return action.parameters
    raise no_plan(f"there is no action {name!r}", place, did_you_mean(name, [a.name for a in puzzle.actions]))


def _from_word(word: str, parameter: Parameter, place: Location) -> Value:
    if not parameter.indices:
        return _named(word, parameter.type, place)
    parts = [found[0] for found in re.finditer(rf'(?:{QUOTED}|[^|"])+', word)]
    size = prod(len(type_.values) for type_ in parameter.indices)
    if len(parts) != size:
        raise no_plan(f"`{parameter.name}` has {size} values, with bars between them, found {len(parts)}", place)
    return tuple(_named(part, parameter.type, place) for part in parts)


def _named(word: str, type_: Type, place: Location) -> Value:
    """The value of the type that is written so."""
    words = words_of(type_)
    found = words.get(word) or _old_words(type_).get(word, [])
    if len(found) != 1:
        what = f"may be {len(found)} values" if found else "is no value"
        raise no_plan(f"{word!r} {what} of `{type_.name}`", place, did_you_mean(word, words) if not found else "")
    return found[0]


# -- JSON --------------------------------------------------------------------------------------------------------------


def step_of_json(step: object, number: int, puzzle: Puzzle, place: Location) -> Step:
    if not isinstance(step, dict) or not isinstance(step.get("action"), str):
        raise no_plan(f"step {number} has no action", place)
    given = step.get("args", {})
    parameters = _parameters(puzzle, step["action"], place)
    if not isinstance(given, dict) or set(given) != {parameter.name for parameter in parameters}:
        names = ", ".join(parameter.name for parameter in parameters) or "none"
        raise no_plan(f"step {number}: `{step['action']}` has the parameters {names}", place)
    return Step(step["action"], tuple((p.name, _json_value(given[p.name], p, number, place)) for p in parameters))


def _json_value(raw: object, parameter: Parameter, number: int, place: Location) -> Value:
    if parameter.indices:
        size = prod(len(type_.values) for type_ in parameter.indices)
        if not isinstance(raw, list) or len(raw) != size:
            raise no_plan(f"step {number}: `{parameter.name}` is a list of {size} values", place)
        return tuple(_json_scalar(item, parameter.type, number, place) for item in raw)
    return _json_scalar(raw, parameter.type, number, place)


def _json_scalar(raw: object, type_: Type, number: int, place: Location) -> Value:
    found = forms_of(type_).get(json.dumps(raw), [])
    if len(found) != 1:
        what = f"may be {len(found)} values" if found else "is no value"
        raise no_plan(f"step {number}: {json.dumps(raw)} {what} of `{type_.name}`", place)
    return found[0]


@lru_cache(KEPT)
def forms_of(type_: Type) -> Forms:
    """The values by what JSON has for them, in which 1, true and "1" are different."""
    return _by_form((json.dumps(form), value) for value, form in type_.plain.items())
