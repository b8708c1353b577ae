"""Beam search: breadth-first, but of each layer only the `width` states of smallest h are kept.

Lowerre 1976 (HARPY). Incomplete: the only way to the goal may be dropped, so running dry proves nothing. A state once
kept is never kept again, which ends the search in every finite space; a dropped one may come back later.
Where only plans below some cost are wanted, paths that cannot become one are dropped before the best are chosen.
"""

from heapq import nsmallest
from typing import Annotated

from models.frozen import frozen
from search.options import POSITIVE, Options, Setting
from search.space import Found, Parents, SearchSpace, State, path_to


@frozen(eq=True)
class Narrow(Options):
    width: Annotated[int, Setting("states kept per layer", POSITIVE)] = 100


def beam(space: SearchSpace, options: Narrow) -> Found | None:
    """Some plan, or None if a layer has no state that was not kept before."""
    if space.is_goal(space.initial):
        return Found((), 0)
    kept: Parents = {space.initial: None}
    paid = {space.initial: 0}  # on the way to each state of the layer
    layer, depth = [space.initial], 0
    while layer:
        candidates: Parents = {}
        costs: dict[State, int] = {}
        for state in layer:
            for operator, successor, cost in space.expand(state, depth, len(layer)):
                if successor in kept or successor in candidates or paid[state] + cost >= space.below:
                    continue
                candidates[successor], costs[successor] = (state, operator, cost), paid[state] + cost
                if space.is_goal(successor):
                    return path_to(successor, kept | {successor: candidates[successor]})
        layer, paid, depth = best_of(space, costs, options.width), costs, depth + 1
        kept.update((state, candidates[state]) for state in layer)
    return None


def best_of(space: SearchSpace, costs: dict[State, int], width: int) -> list[State]:
    """At most `width` states by h, the earlier generated first among equals; none that cannot cost less than wanted."""
    estimates = {state: space.h(state) for state in costs}
    cuts = space.heuristic.admissible
    alive = [(state, h) for state, h in estimates.items() if not space.is_dead_end(h)]
    wanted = (state for state, h in alive if costs[state] + h * cuts < space.below)
    return nsmallest(width, wanted, key=estimates.__getitem__)
