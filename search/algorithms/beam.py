"""Beam search: breadth-first, but of each layer only the `width` states of smallest h are kept.

Lowerre 1976 (HARPY). Incomplete: the only way to the goal may be dropped, so running dry proves nothing. A state once
kept is never kept again, which ends the search in every finite space; a dropped one may come back later.
"""

from dataclasses import dataclass
from heapq import nsmallest
from typing import Annotated

from search.options import POSITIVE, Options, Setting
from search.space import Found, Parents, SearchSpace, State, path_to


@dataclass(frozen=True)
class Narrow(Options):
    width: Annotated[int, Setting("states kept per layer", POSITIVE)] = 100


def beam(space: SearchSpace, options: Narrow) -> Found | None:
    """Some plan, or None if a layer has no state that was not kept before."""
    if space.is_goal(space.initial):
        return Found((), 0)
    kept: Parents = {space.initial: None}
    layer, depth = [space.initial], 0
    while layer:
        candidates: Parents = {}
        for state in layer:
            for operator, successor, cost in space.expand(state, depth, len(layer)):
                if successor in kept or successor in candidates:
                    continue
                candidates[successor] = state, operator, cost
                if space.is_goal(successor):
                    return path_to(successor, kept | {successor: candidates[successor]})
        layer, depth = best_of(space, candidates, options.width), depth + 1
        kept.update((state, candidates[state]) for state in layer)
    return None


def best_of(space: SearchSpace, candidates: Parents, width: int) -> list[State]:
    """At most `width` states by h, the earlier generated first among equals."""
    return nsmallest(width, candidates, key=space.h)
