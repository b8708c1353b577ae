"""Greedy search with several heuristics: each has a queue of its own, and they are taken from in turn.

Röger and Helmert, The more, the merrier: combining heuristic estimators for satisficing planning, 2010. Estimates are
never added up: one that knows nothing here is passed over by the next. Every heuristic has a second queue, for states
come to by a step that has lowered one of the estimates (*preferred*: Richter and Westphal, LAMA, 2010, where a relaxed
plan says which actions are); these queues have many turns more whenever an estimate is the lowest so far.

Lazy: a state is queued by the estimates of the state before it, and has its own when it is taken; so there are as many
estimates as expansions. Eager: by its own. No closed state is opened again, and nothing is proven but that there is no
plan, where the states run out.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import count

from search.space import Found, Heuristic, Parents, SearchSpace, State, path_to

BOOST = 1000  # turns that the queues of preferred states are ahead after progress
Estimates = tuple[int, ...]
Entry = tuple[int, int, State, Estimates]  # estimate; in which order; the state; by what it is queued


class Queues:
    """Two for each heuristic; whichever has had the fewest turns is next.

    Of states with the same estimate the newest comes first, or the oldest.
    """

    def __init__(self, heuristics: int, newest: bool = True) -> None:
        self.queues: list[list[Entry]] = [[] for _ in range(2 * heuristics)]
        self.turns = [0] * (2 * heuristics)
        self._order = count(0, -1 if newest else 1)

    def __len__(self) -> int:
        return sum(map(len, self.queues))

    def push(self, state: State, estimates: Estimates, preferred: bool) -> None:
        order = next(self._order)
        for number, estimate in enumerate(estimates):
            entry = estimate, order, state, estimates
            heappush(self.queues[2 * number], entry)
            if preferred:
                heappush(self.queues[2 * number + 1], entry)

    def progress(self) -> None:
        for number in range(1, len(self.turns), 2):
            self.turns[number] -= BOOST

    def take(self) -> Entry | None:
        """The next one, if there is any."""
        filled = [number for number, queue in enumerate(self.queues) if queue]
        if not filled:
            return None
        number = min(filled, key=self.turns.__getitem__)
        self.turns[number] += 1
        return heappop(self.queues[number])


def estimates_of(space: SearchSpace, heuristics: Sequence[Heuristic], state: State) -> Estimates:
    space.statistics.evaluated += len(heuristics)
    return tuple(heuristic.evaluate(state) for heuristic in heuristics)


def is_dead_end(space: SearchSpace, heuristics: Sequence[Heuristic], estimates: Estimates) -> bool:
    """Is one of them proven to say that no goal can be reached?"""
    dead = any(h >= heuristic.lost for h, heuristic in zip(estimates, heuristics, strict=False))
    space.statistics.leave_out(dead)
    return dead


def alternating(space: SearchSpace, heuristics: Sequence[Heuristic], lazy: bool) -> Found | None:
    """Some plan, or None if the reachable space is exhausted."""
    parents: Parents = {space.initial: None}
    closed: set[State] = set()
    queues = Queues(len(heuristics))
    lowest = estimates_of(space, heuristics, space.initial)
    queues.push(space.initial, lowest, False)
    while (entry := queues.take()) is not None:
        _, _, state, known = entry
        if state in closed:
            continue
        closed.add(state)
        if space.is_goal(state):
            return path_to(state, parents)
        mine = estimates_of(space, heuristics, state) if lazy else known
        if is_dead_end(space, heuristics, mine):
            continue
        preferred = any(map(int.__lt__, mine, known))
        if any(map(int.__lt__, mine, lowest)):
            lowest = tuple(map(min, mine, lowest))
            queues.progress()
        for operator, successor, cost in space.expand(state, 0, len(closed)):
            if successor in parents:
                continue
            parents[successor] = state, operator, cost
            theirs = mine if lazy else estimates_of(space, heuristics, successor)
            queues.push(successor, theirs, preferred if lazy else any(map(int.__lt__, theirs, mine)))
    return None
