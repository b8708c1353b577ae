"""From a solver's values back to the operators of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from encoders.formula import FALSE, ValueLiterals
from encoders.statements import Outline
from encoders.steps import StepLiterals
from models.outcomes import Operator
from models.task import State


def operators(outline: Outline, steps: Sequence[StepLiterals], values: Sequence[bool]) -> list[Operator]:
    """One (schema, row, *choices) for every step that is not idle."""
    made = (operator(outline, step, values) for step in steps)
    return [each for each in made if each is not None]


def operator(outline: Outline, step: StepLiterals, values: Sequence[bool]) -> Operator | None:
    for place, literal in step.rows.items():
        if holds(literal, values):
            schema, row = outline.rows[place]
            return (schema, row, *(chosen(choice, values) for choice in step.choices.get(schema, ())))
    return None


def state(layer: Sequence[ValueLiterals], values: Sequence[bool]) -> State:
    return tuple(chosen(variable, values) for variable in layer)


def chosen(literals: ValueLiterals, values: Sequence[bool]) -> int:
    return next(value for value, literal in literals.items() if holds(literal, values))


def holds(literal: int, values: Sequence[bool]) -> bool:
    return values[literal] if literal >= 0 else not values[~literal]


def fixing(outline: Outline, steps: Sequence[StepLiterals], plan: Sequence[Operator]) -> Iterator[int]:
    """Literals that hold exactly in the given plan, one step for each operator; FALSE for a step that is left out."""
    places = {each: place for place, each in enumerate(outline.rows)}
    for step, (schema, row, *choices) in zip(steps, plan, strict=True):
        yield step.rows.get(places[schema, row], FALSE)
        for literals, value in zip(step.choices.get(schema, ()), choices, strict=True):
            yield literals.get(value, FALSE)
