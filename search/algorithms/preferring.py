"""Lazy greedy search that prefers what helps: the actions with which a relaxed plan begins.

Hoffmann and Nebel, The FF planning system, 2001; Helmert, The Fast Downward planning system, 2006; Richter and Helmert,
Preferred operators and deferred evaluation in satisficing planning, 2009. Each estimate has two queues, one of all
states and one of those that a helpful action leads to; a state is queued by the estimates of the state before it. No
state is left out for what a guide says: one from which the goal seems out of reach is put aside, and has its turn when
nothing else is left.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Protocol

from search.algorithms.alternating import Estimates, Queues, estimates_of, is_dead_end
from search.space import Found, Heuristic, Operator, Parents, SearchSpace, State, path_to


class Adviser(Protocol):
    """Nothing that it says is proven."""

    @property
    def lost(self) -> int:
        """The estimate of a state from which the goal seems out of reach."""
        ...

    def look(self, state: State) -> tuple[int, Container[int]]:
        """The estimate, and the kinds of actions that help."""
        ...

    def kind(self, action: Operator) -> int: ...


def preferring(space: SearchSpace, heuristics: Sequence[Heuristic], guide: Adviser) -> Found | None:
    """Some plan, or None if the reachable space is exhausted."""

    def look(state: State) -> tuple[Estimates, Container[int]]:
        space.statistics.evaluated += 1
        estimate, helpful = guide.look(state)
        return (*estimates_of(space, heuristics, state), estimate), helpful

    parents: Parents = {space.initial: None}
    closed: set[State] = set()
    aside: list[tuple[State, Estimates]] = []
    queues = Queues(len(heuristics) + 1, newest=False)
    lowest, helpful = look(space.initial)
    queues.push(space.initial, lowest, False)
    while (entry := queues.take()) is not None or aside:
        if entry is None:
            (state, mine), helpful = aside.pop(), ()
        else:
            state = entry[2]
            if state in closed:
                continue
            closed.add(state)
            if space.is_goal(state):
                return path_to(state, parents)
            mine, helpful = look(state)
            if is_dead_end(space, heuristics, mine):
                continue
            if mine[-1] >= guide.lost:
                aside.append((state, mine))
                continue
        if any(map(int.__lt__, mine, lowest)):
            lowest = tuple(map(min, mine, lowest))
            queues.progress()
        for operator, successor, cost in space.expand(state, 0, len(closed)):
            if successor not in parents:
                parents[successor] = state, operator, cost
                queues.push(successor, mine, guide.kind(operator) in helpful)
    return None
