"""One step of a plan in a formula: which row acts, and with which choices.

Exactly one row acts, or none where the step may be idle, and each has a literal. What several rows share is stated
once, under a literal for "one of them acts" where that is shorter (`Owners`).
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from encoders.formula import FALSE, Formula, ValueLiterals
from encoders.statements import Outline, Rows
from models.task import Value

IDLE = -1  # the place of "no row" among the rows of a step
MANY_ROWS = 1000  # rows of a schema from which its parameters get literals of their own


class StepLiterals(NamedTuple):
    rows: dict[int, int]  # place in Outline.rows -> the literal that this row acts
    choices: dict[int, list[ValueLiterals]]  # schema -> value literals of its choices
    idle: int


def new_step(formula: Formula, outline: Outline, layer: int, horizon: int, *, may_idle: bool) -> StepLiterals:
    """The literals of the rows that are possible at this layer, and of their choices."""
    active = [p for p, window in enumerate(outline.row_windows) if window.holds(layer, horizon)]
    literals = formula.one_hot([*active, IDLE] if may_idle else active)
    if not literals:
        formula.clause(())
    idle = literals.pop(IDLE, FALSE)
    rows: dict[int, list[int]] = {}
    for place in literals:
        rows.setdefault(outline.rows[place][0], []).append(place)
    acting = {
        schema: formula.any_of([literals[place] for place in places])
        for schema, places in rows.items()
        if outline.task.schemas[schema].choices
    }
    choices = {schema: _new_choices(formula, outline, schema, acts) for schema, acts in acting.items()}
    for places in rows.values():
        if len(places) > MANY_ROWS:
            _tie_parameters(formula, outline, places, literals)
    return StepLiterals(literals, choices, idle)


def _new_choices(formula: Formula, outline: Outline, schema: int, acts: int) -> list[ValueLiterals]:
    """Value literals of the choices; all are 0 where the schema does not act, so that a plan is counted once."""
    made: list[ValueLiterals] = []
    for choice in outline.task.schemas[schema].choices:
        literals = formula.one_hot(range(len(choice.domain)))
        formula.clause((acts, literals[0]))
        made.append(literals)
    return made


def _tie_parameters(formula: Formula, outline: Outline, places: list[int], literals: dict[int, int]) -> None:
    """Exactly one value of each parameter of a schema acts, or the schema does not."""
    acts = formula.any_of([literals[place] for place in places])
    values: dict[tuple[str, Value], list[int]] = {}
    for place in places:
        for argument in outline.task.rows[outline.rows[place]].arguments:
            values.setdefault(argument, []).append(literals[place])
    for name in dict.fromkeys(name for name, _ in values):
        group = [formula.any_of(each) for (key, _), each in values.items() if key == name]
        formula.exactly_one([*group, ~acts])


class Owners:
    """The literals under which to state what several rows of a step share."""

    def __init__(self, formula: Formula, uses: Counter[Rows], step: StepLiterals) -> None:
        self.formula, self.uses, self.step = formula, uses, step
        self._literals: dict[tuple[Rows, bool], list[int]] = {}

    def acting(self, rows: Rows, *, compound: bool = False) -> list[int]:
        """Literals that together say "one of these rows acts": one for all of them where that is shorter."""
        key = (rows, compound)
        found = self._literals.get(key)
        if found is None:
            found = self._literals[key] = self._make(rows, compound)
        return found

    def _make(self, rows: Rows, compound: bool) -> list[int]:
        literals = [self.step.rows[place] for place in rows if place in self.step.rows]
        uses, count = self.uses[rows], len(literals)
        if count == len(self.step.rows):
            return [~self.step.idle] if count else []
        if count > 1 and (compound or uses * count > uses + count + 1):
            return [self.formula.any_of(literals)]
        return literals
