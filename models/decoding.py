"""From the task's numbers back to the puzzle's own values: an operator as a step of a plan, a state as a lifted one.

A task may lack variables of the puzzle (those that play no part), so a lifted state holds what the task keeps.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from models.interpreter import Place
from models.interpreter import State as LiftedState
from models.outcomes import Operator
from models.plan import Plan, Step
from models.puzzle import Puzzle
from models.task import Row, Schema, State, Task, Value
from models.values import same

FEW = 4  # variables that a text names


def step_of(task: Task, operator: Operator) -> Step:
    """The step that an operator (schema, row, *choices) stands for."""
    schema = task.schemas[operator[0]]
    row = schema.rows[operator[1]]
    return Step(schema.name, tuple(_arguments(schema, row.arguments, operator[2:])))


def steps_of(task: Task, operator: Operator) -> Iterator[Step]:
    """`step_of`, then every other step that does the very same (the row's twins)."""
    schema = task.schemas[operator[0]]
    for bound in bindings_of(schema.rows[operator[1]]):
        yield Step(schema.name, tuple(_arguments(schema, bound, operator[2:])))


def bindings_of(row: Row) -> tuple[tuple[tuple[str, Value], ...], ...]:
    """The row's own binding of the scalar parameters, then those of its twins."""
    return (row.arguments, *row.twins)


def _arguments(
    schema: Schema, bound: tuple[tuple[str, Value], ...], choices: tuple[int, ...]
) -> Iterator[tuple[str, Value]]:
    scalars = dict(bound)
    for name, places in schema.parameters:
        if name in scalars:
            yield name, scalars[name]
        else:
            yield name, tuple(schema.choices[place].domain[choices[place]] for place in places)


def plan_of(task: Task, operators: tuple[Operator, ...]) -> Plan:
    """A list of operators as a plan in the names of the file."""
    return tuple(step_of(task, operator) for operator in operators)


def state_of(puzzle: Puzzle, task: Task, numbers: State) -> LiftedState:
    """The lifted state behind the task's numbers, as far as the task keeps its variables."""
    places = _places(puzzle)
    pairs = zip(task.variables, numbers, strict=True)
    return {places[variable.name]: variable.domain[number] for variable, number in pairs}


def numbers_of(puzzle: Puzzle, task: Task, state: LiftedState) -> State:
    """The task's state behind a lifted one; what the task does not keep is left out."""
    places = _places(puzzle)
    return tuple(_number(variable.domain, state[places[variable.name]]) for variable in task.variables)


def left_aside(puzzle: Puzzle, task: Task) -> str:
    """What stands behind a number of states: the variables that do not count, since the task lacks them."""
    kept = {variable.name for variable in task.variables}
    names = [name for name in _places(puzzle) if name not in kept]
    more = [f"{len(names) - FEW} more"] * (len(names) > FEW)
    return f" (leaving aside {', '.join([*names[:FEW], *more])})" if names else ""


def _number(domain: tuple[Value, ...], value: Value) -> int:
    return next(n for n, other in enumerate(domain) if same(other, value))


@lru_cache(maxsize=16)
def _places(puzzle: Puzzle) -> dict[str, Place]:
    return {name: place for place, name in puzzle.place_names.items()}
