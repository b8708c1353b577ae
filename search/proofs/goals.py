"""All goal states, from which a backward search begins."""

from __future__ import annotations

from collections.abc import Iterable

from models.outcomes import Unsupported
from models.task import State, Task
from models.terms import Term, Var, var
from search.proofs.enumeration import assignments

GOALS = 200_000  # goal states


def goal_states(task: Task, facts: Iterable[Term] = (), limit: int = GOALS) -> list[State]:
    """All states where the goal, `always` and the (proven) facts hold, ascending."""
    variables = [var(index, len(variable.domain)) for index, variable in enumerate(task.variables)]
    wanted = [leaf for leaf in variables if isinstance(leaf, Var)]
    columns = assignments(wanted, [task.goal, task.always, *facts], 16 * limit)
    if columns is None or columns.size > limit:
        raise Unsupported(f"more than {limit} goal states, or too many candidates for them")
    zeros, of = [0] * columns.size, columns.listed()
    listed = [of.get(leaf, zeros) for leaf in variables]
    return sorted(zip(*listed, strict=True)) if listed else [()] * columns.size
