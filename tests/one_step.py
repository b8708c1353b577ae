"""Every transition out of given states, as the encoding sees it.

One step is unrolled from a free layer 0 that is held to the given states by one selector each, without goal and without
leaving out anything; CP-SAT enumerates the solutions of that one model. Comparing them with the successor functions of
the search, state by state, is the differential test of the two paths.
"""

from __future__ import annotations

from collections.abc import Iterable

from encoders import cpsat, decoding
from encoders.encoding import Unrolling
from encoders.formula import FALSE
from encoders.rounds import written_out
from encoders.statements import unreduced
from models.outcomes import Operator
from models.task import State, Task

Transition = tuple[Operator, State]


def transitions(task: Task, states: Iterable[State]) -> dict[State, set[Transition]]:
    """For every state, the (operator, next state) pairs for everything that can be done in it."""
    found: dict[State, set[Transition]] = {state: set() for state in states}
    build = _one_step(task, list(found))
    step = build.steps[0]

    def receive(values: cpsat.Assignment) -> None:
        made = decoding.operator(build.outline, step, values)
        assert made is not None
        before, after = (decoding.state(layer, values) for layer in build.layers)
        found[before].add((made, after))

    if found and any(schema.rows for schema in task.schemas):
        complete = cpsat.every_solution(build.formula, receive)
        assert complete
    return found


def _one_step(task: Task, states: list[State]) -> Unrolling:
    build = Unrolling(unreduced(written_out(task)), 1, "exact")
    build.start(None)
    selectors = build.formula.one_hot(range(len(states)))
    for place, state in enumerate(states):
        for literals, value in zip(build.layers[0], state, strict=True):
            build.formula.clause((~selectors[place], literals.get(value, FALSE)))
    build.step(0)
    return build
