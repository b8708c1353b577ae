"""Plans as files: the JSON of a result, one `(action arg ...)` line a step, or Sokoban's LURD.

Whatever is written is read again as the same plan, or it is not written. A word of a `.plan` line is a value as its
type has it written, a cell as row,col, the values of an array joined by |; a word that would fall apart, or could be
another value, has the quotes of JSON. LURD has one letter a step, the first one of its direction: a capital for a push,
a small letter for the other action. It is for every puzzle with two actions, one of them named `push`, each with one
direction. What else such a step needs (where the keeper stands) is what the referee makes of the state; where that
leaves a choice the letters are no plan.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice, product
from pathlib import Path

from models.errors import Diagnostic, Location, PuzzleError, did_you_mean, source_lines
from models.expressions import Constant
from models.interpreter import State
from models.plan import Plan, Step
from models.puzzle import Action, Parameter, Puzzle
from models.referee import Refusal, apply, bindings_of, start_state
from models.values import DIRECTION, Cell, Offset, Type, Value, quoted, show
from puzzlewright.report import Report, as_json

LURD, LINES = ".lurd", ".plan"
PUSH = "push"
NOT_LURD = f"{LURD} is for two actions with a direction, one of them named push"
SAFE = re.compile(r'[^\s"();|,]+')  # a word that needs no quotes
QUOTED = r'"(?:[^"\\]|\\.)*"'
WORD = re.compile(rf'(?:{QUOTED}|[^\s"])+')

KEPT = 256  # types whose words are remembered
Forms = dict[str, list[Value]]  # the values that are written so, of which there should be one


class Unreadable(ValueError):
    """What would be written could not be read again as the same plan."""


def obstacle(suffix: str, puzzle: Puzzle) -> str:
    """Why plans of the puzzle cannot be written in a file that ends so; "" if they can."""
    if suffix == LURD:
        return "" if is_lurd(puzzle) else NOT_LURD
    for action in puzzle.actions:
        for parameter in action.parameters:
            forms = _words(parameter.type) if suffix == LINES else _forms(parameter.type)
            if any(len(values) > 1 for values in forms.values()):
                return f"two values of `{parameter.name}` of `{action.name}` would be written alike"
    return ""


def write_plan(path: Path, report: Report, puzzle: Puzzle) -> None:
    """The report's plan: by suffix `.plan` lines with a cost comment, `.lurd` letters, anything else JSON.

    OSError; Unreadable, and nothing is written, where it would not be read as the same plan.
    """
    text = plan_text(path.suffix, report, puzzle)
    try:
        again = read_plan(str(path), text, puzzle)
    except PuzzleError as error:
        raise Unreadable(error.diagnostics[0].message) from None
    if again != report.plan:
        raise Unreadable("it would be read as another plan")
    path.write_text(text, encoding="utf-8")


def plan_text(suffix: str, report: Report, puzzle: Puzzle) -> str:
    assert report.plan is not None
    if suffix == LURD:
        return "".join(_letter(step) for step in report.plan) + "\n"
    if suffix == LINES:
        unit = "unit cost" if unit_cost(puzzle, report.metric.split(",")[0]) else "general cost"
        lines = [_line(step, puzzle) for step in report.plan]
        return "\n".join([*lines, f"; cost = {report.cost} ({unit})\n"])
    return json.dumps(as_json(report), indent=1, ensure_ascii=False) + "\n"


def unit_cost(puzzle: Puzzle, metric: str) -> bool:
    """Does the file say that each action costs 1?"""
    costs = (action.costs[metric] for action in puzzle.actions)
    return all(isinstance(cost, Constant) and cost.value == 1 for cost in costs)


def read_plan(path: str, text: str, puzzle: Puzzle) -> Plan:
    """The plan in a text of any form; PuzzleError where it is none."""
    if text.lstrip()[:1] in ("{", "["):
        return _from_json(path, text, puzzle)
    if Path(path).suffix == LURD:
        return _from_lurd(path, text, puzzle)
    steps = []
    for number, line in enumerate(source_lines(text), 1):
        words = _without_comment(line).strip()
        if words:
            steps.append(_from_line(words, puzzle, Location(path, number, 1, max(1, len(line)))))
    return tuple(steps)


def _fail(message: str, place: Location, hint: str = "") -> PuzzleError:
    return PuzzleError(Diagnostic(message, place, hint, code="E501"))


# -- lines -------------------------------------------------------------------------------------------------------------


def _line(step: Step, puzzle: Puzzle) -> str:
    """`(action arg ...)`."""
    types = {name: puzzle.words[step.action, name] for name, _ in step.arguments}
    words = ["|".join(_word(item, types[name]) for item in (value if type(value) is tuple else (value,)))
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
def _words(type_: Type) -> Forms:
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


def _without_comment(line: str) -> str:
    """The line up to a semicolon outside of quotes."""
    found = re.match(rf'(?:{QUOTED}|[^;"]|"(?!.*"))*', line)
    return found[0] if found else ""


def _from_line(line: str, puzzle: Puzzle, place: Location) -> Step:
    if not (line.startswith("(") and line.endswith(")")):
        raise _fail("a step is written (action arg ...)", place)
    if WORD.sub("", line[1:-1]).strip():
        raise _fail("a quote is not closed", place)
    name, *words = WORD.findall(line[1:-1]) or [""]
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
    if not parameter.indices:
        return _named(word, parameter.type, place)
    parts = [found[0] for found in re.finditer(rf'(?:{QUOTED}|[^|"])+', word)]
    return tuple(_named(part, parameter.type, place) for part in parts)


def _named(word: str, type_: Type, place: Location) -> Value:
    """The value of the type that is written so."""
    words = _words(type_)
    found = words.get(word) or _old_words(type_).get(word, [])
    if len(found) != 1:
        what = f"may be {len(found)} values" if found else "is no value"
        raise _fail(f"{word!r} {what} of `{type_.name}`", place, did_you_mean(word, words) if not found else "")
    return found[0]


# -- JSON --------------------------------------------------------------------------------------------------------------


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


def _json_step(step: object, number: int, puzzle: Puzzle, place: Location) -> Step:
    if not isinstance(step, dict) or not isinstance(step.get("action"), str):
        raise _fail(f"step {number} has no action", place)
    given = step.get("args", {})
    parameters = _parameters(puzzle, step["action"], place)
    if not isinstance(given, dict) or set(given) != {parameter.name for parameter in parameters}:
        names = ", ".join(parameter.name for parameter in parameters) or "none"
        raise _fail(f"step {number}: `{step['action']}` has the parameters {names}", place)
    return Step(step["action"], tuple((p.name, _json_value(given[p.name], p, number, place)) for p in parameters))


def _json_value(raw: object, parameter: Parameter, number: int, place: Location) -> Value:
    if parameter.indices:
        size = len(list(product(*(type_.values for type_ in parameter.indices))))
        if not isinstance(raw, list) or len(raw) != size:
            raise _fail(f"step {number}: `{parameter.name}` is a list of {size} values", place)
        return tuple(_json_scalar(item, parameter.type, number, place) for item in raw)
    return _json_scalar(raw, parameter.type, number, place)


def _json_scalar(raw: object, type_: Type, number: int, place: Location) -> Value:
    found = _forms(type_).get(json.dumps(raw), [])
    if len(found) != 1:
        what = f"may be {len(found)} values" if found else "is no value"
        raise _fail(f"step {number}: {json.dumps(raw)} {what} of `{type_.name}`", place)
    return found[0]


@lru_cache(KEPT)
def _forms(type_: Type) -> Forms:
    """The values by what JSON has for them, in which 1, true and "1" are different."""
    return _by_form((json.dumps(form), value) for value, form in type_.plain.items())


# -- LURD --------------------------------------------------------------------------------------------------------------


def is_lurd(puzzle: Puzzle) -> bool:
    """May plans of this puzzle be written as LURD?"""
    names = [action.name for action in puzzle.actions]
    return len(names) == 2 and PUSH in names and all(map(_directed, puzzle.actions))


def _directed(action: Action) -> bool:
    """Has it one direction, and no other way to go?"""
    ways = [each for each in action.parameters if any(isinstance(value, Offset) for value in each.type.values)]
    return len(ways) == 1 and not ways[0].indices and set(ways[0].type.values) == set(DIRECTION.values)


def _letter(step: Step) -> str:
    direction = next(value for _, value in step.arguments if isinstance(value, Offset))
    letter = DIRECTION.names[direction][0]
    return letter.upper() if step.action == PUSH else letter


def _from_lurd(path: str, text: str, puzzle: Puzzle) -> Plan:
    """Each letter as the one step that applies; from one on to which none does, as the step that the referee refuses.

    All letters are kept, so that his number of the step is one of the whole plan.
    """
    if not is_lurd(puzzle):
        raise _fail(f"plans of {puzzle.name!r} are not written as LURD", Location(path, 1, 1))
    steps: dict[str, list[Step]] = {}
    for action in puzzle.actions:
        for arguments in bindings_of(action.parameters):
            step = Step(action.name, arguments)
            steps.setdefault(_letter(step), []).append(step)
    state, plan, letters = start_state(puzzle), list[Step](), list(_letters(path, text))
    for letter, place in letters:
        found = list(islice(_applied(puzzle, state, steps[letter]), 2))
        if not found:
            return (*plan, *_refused(puzzle, state, steps, [each for each, _ in letters[len(plan) :]]))
        if len(found) > 1:
            either = " or ".join(_line(step, puzzle) for step, _ in found)
            raise _fail(f"step {len(plan) + 1}, {letter}, may be {either}", place, "JSON and .plan tell them apart")
        plan.append(found[0][0])
        state = found[0][1]
    return tuple(plan)


def _letters(path: str, text: str) -> Iterator[tuple[str, Location]]:
    for number, line in enumerate(source_lines(text), 1):
        for column, letter in enumerate(re.sub(";.*", "", line), 1):
            if letter in "lurdLURD":
                yield letter, Location(path, number, column)
            elif not letter.isspace():
                raise _fail(f"{letter!r} is none of l, u, r, d, L, U, R, D", Location(path, number, column))


def _applied(puzzle: Puzzle, state: State, steps: Iterable[Step]) -> Iterator[tuple[Step, State]]:
    """The steps that apply, with the states that they lead to."""
    for step in steps:
        with suppress(Refusal):
            yield step, apply(puzzle, state, step)


def _refused(puzzle: Puzzle, state: State, steps: Mapping[str, Sequence[Step]], letters: Iterable[str]) -> list[Step]:
    """The steps of these letters that are most like one that applies: of the keeper from where he stands."""
    possible = (step for each in steps.values() for step, _ in _applied(puzzle, state, each))
    standing = [_others(step) for step in islice(possible, 1)]
    alike = {letter: [step for step in each if _others(step) in standing] or each for letter, each in steps.items()}
    return [alike[letter][0] for letter in letters]


def _others(step: Step) -> tuple[Value, ...]:
    return tuple(value for _, value in step.arguments if not isinstance(value, Offset))
