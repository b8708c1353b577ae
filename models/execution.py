"""What a Task means, word for word: the definition that machine code and formulas are held to.

Nothing here is clever or fast, and neither path uses it: tests do, and whoever wants to know what a task says. A term
is evaluated as it stands, without the constructors of `models.terms`, so that a fault in those is seen here. An
operator is (schema, row, *choices), as in a plan.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from models import terms as t
from models.outcomes import Operator
from models.task import UNTIL_REST, Phase, State, Task


def operators(task: Task) -> Iterator[Operator]:
    """Every row with every choice, applicable or not."""
    for schema, row in task.rows:
        for choices in product(*(range(len(free.domain)) for free in task.schemas[schema].choices)):
            yield (schema, row, *choices)


def successors(task: Task, state: State) -> list[tuple[Operator, State, int]]:
    """(operator, the state that it leaves, its cost) for each applicable operator, in the order of the file."""
    tried = ((step, apply(task, state, step)) for step in operators(task))
    return [(step, *after) for step, after in tried if after is not None]


def apply(task: Task, state: State, step: Operator) -> tuple[State, int] | None:
    """(the state that the operator leaves, its cost); None where it is not applicable."""
    schema, number, *choices = step
    row, stages = task.rows[schema, number], [state]
    for phase in row.phases:
        after = at_rest(phase, stages, choices) if phase.loop else once(phase, stages, choices)
        if after is None:
            return None
        stages.append(after)
    return (stages[-1], value(row.cost, stages, choices)) if value(task.always, stages[-1:]) else None


def once(phase: Phase, stages: Sequence[State], choices: Sequence[int]) -> State | None:
    """What a phase leaves; None where its guard fails."""
    if not value(phase.guard, stages, choices):
        return None
    after = list(stages[-1])
    for each in phase.assignments:
        if value(each.condition, stages, choices):
            after[each.target] = value(each.value, stages, choices)
    return tuple(after)


def at_rest(phase: Phase, stages: Sequence[State], choices: Sequence[int]) -> State | None:
    """What a phase leaves that is repeated until nothing changes; None where that never is."""
    seen: set[State] = set()
    now = stages[-1]
    while now not in seen and len(seen) < UNTIL_REST:
        seen.add(now)
        after = once(phase, [*stages[:-1], now], choices)
        if after is None or after == now:
            return after
        now = after
    return None


def is_goal(task: Task, state: State) -> bool:
    return bool(value(task.goal, [state]))


def value(term: t.Term, stages: Sequence[State], choices: Sequence[int] = ()) -> int:
    """The term's value; `stages[k]` is the state as phase k finds it. Nobody may look at a hole (None) of a table."""
    if isinstance(term, t.Var):
        return stages[term.stage][term.index]
    if isinstance(term, t.Choice):
        return choices[term.index]
    found: int | None = MEANINGS[type(term)](term, lambda part: value(part, stages, choices))
    assert found is not None, "a hole has no value"
    return found


COMPARE = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le}
MEANINGS: Mapping[type[t.Term], Callable[[Any, Callable[[t.Term], int]], int | None]] = {  # given what its parts are
    t.Const: lambda term, of: term.value,
    t.Lookup: lambda term, of: term.table[term.argument.values.index(of(term.argument))],
    t.Select: lambda term, of: of(term.branches[term.argument.values.index(of(term.argument))]),
    t.Cases: lambda term, of: of(next((then for condition, then in term.cases if of(condition)), term.otherwise)),
    t.Add: lambda term, of: term.constant + sum(factor * of(part) for factor, part in term.terms),
    t.FloorDivide: lambda term, of: of(term.argument) // term.divisor,
    t.Modulo: lambda term, of: of(term.argument) % term.divisor,
    t.Minimum: lambda term, of: min(map(of, term.arguments)),
    t.Maximum: lambda term, of: max(map(of, term.arguments)),
    t.Member: lambda term, of: int(of(term.argument) in term.members),
    t.Compare: lambda term, of: int(COMPARE[term.comparison](of(term.left), of(term.right))),
    t.And: lambda term, of: int(all(map(of, term.arguments))),
    t.Or: lambda term, of: int(any(map(of, term.arguments))),
    t.Not: lambda term, of: 1 - of(term.argument),
}
