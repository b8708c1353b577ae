"""How far a state is from the goal, of which nothing is known but the goal itself."""

from __future__ import annotations

from models.task import Heuristic, Task
from models.terms import add, conjuncts, negation


def missing_parts(task: Task) -> Heuristic:
    """How many of the goal's conditions do not hold: 0 where it is reached. It leads and proves nothing, since one step
    may bring several about."""
    return Heuristic("missing", add((1, negation(part)) for part in conjuncts(task.goal)))
