"""Plans as files: the JSON of a result, one `(action arg ...)` line a step, or Sokoban's LURD.

Whatever is written is read again as the same plan, or it is not written. How a step is written is told in
`models/steps.py`. LURD has one letter a step, the first one of its direction: a capital for a push, a small letter for
the other action. It is for every puzzle with two actions, one of them named `push`, each with one direction. What else
such a step needs (where the keeper stands) is what the referee makes of the state; where that leaves a choice the
letters are no plan.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from models.errors import Location, PuzzleError, source_lines
from models.expressions import Constant
from models.interpreter import State
from models.plan import Plan, Step
from models.puzzle import Action, Puzzle
from models.referee import Refusal, apply, bindings_of, start_state
from models.steps import QUOTED, forms_of, no_plan, step_line, step_of_json, step_of_line, words_of
from models.values import DIRECTION, Offset, Value
from puzzlewright.report import Report, as_json

LURD, LINES = ".lurd", ".plan"
PUSH = "push"
NO_STEP = ("", "(")  # of a line before its comment: planners put what they call a step in brackets
NOT_LURD = f"{LURD} is for two actions with a direction, one of them named push"


class Unreadable(ValueError):
    """What would be written could not be read again as the same plan."""


def obstacle(suffix: str, puzzle: Puzzle) -> str:
    """Why plans of the puzzle cannot be written in a file that ends so; "" if they can."""
    if suffix == LURD:
        return "" if is_lurd(puzzle) else NOT_LURD
    for action in puzzle.actions:
        for parameter in action.parameters:
            forms = words_of(parameter.type) if suffix == LINES else forms_of(parameter.type)
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
        lines = [step_line(step, puzzle) for step in report.plan]
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
        if words not in NO_STEP:
            steps.append(step_of_line(words, puzzle, Location(path, number, 1, max(1, len(line)))))
    return tuple(steps)


def _without_comment(line: str) -> str:
    """The line up to a semicolon outside of quotes."""
    found = re.match(rf'(?:{QUOTED}|[^;"]|"(?!.*"))*', line)
    return found[0] if found else ""


# -- JSON --------------------------------------------------------------------------------------------------------------


def _from_json(path: str, text: str, puzzle: Puzzle) -> Plan:
    place = Location(path, 1, 1)
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        line, column = getattr(error, "lineno", 1), getattr(error, "colno", 1)
        raise no_plan("this is not JSON", Location(path, line, column)) from None
    steps = data.get("plan") if isinstance(data, dict) else data
    if not isinstance(steps, list):
        raise no_plan("there is no plan here", place, 'expected {"plan": [{"action": ..., "args": {...}}, ...]}')
    return tuple(step_of_json(step, number, puzzle, place) for number, step in enumerate(steps, 1))


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
        raise no_plan(f"plans of {puzzle.name!r} are not written as LURD", Location(path, 1, 1))
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
            either = " or ".join(step_line(step, puzzle) for step, _ in found)
            raise no_plan(f"step {len(plan) + 1}, {letter}, may be {either}", place, "JSON and .plan tell them apart")
        plan.append(found[0][0])
        state = found[0][1]
    return tuple(plan)


def _letters(path: str, text: str) -> Iterator[tuple[str, Location]]:
    for number, line in enumerate(source_lines(text), 1):
        for column, letter in enumerate(re.sub(";.*", "", line), 1):
            if letter in "lurdLURD":
                yield letter, Location(path, number, column)
            elif not letter.isspace():
                raise no_plan(f"{letter!r} is none of l, u, r, d, L, U, R, D", Location(path, number, column))


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
