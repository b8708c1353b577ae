"""Iterative deepening: depth-first searches under a rising bound on f (Korf 1985); A* without an open list.

Each iteration walks every path with f = g + h <= bound; the next bound is the smallest f that was cut off. With the
number of steps as g and h = 0 the same loop is iterative deepening on depth.

A table of transpositions (Reinefeld and Marsland 1994) keeps the smallest f seen per state in this iteration. It saves
walking a state again by a path that is no cheaper, and it ends the search in an unsolvable finite space: when every
f in the table is within the bound, all that was ever cut off has been reached by a cheaper path, and nothing is left.
With the path check alone the bound would rise until it exceeds the longest path without a cycle. The table is
bounded; states that find no room are checked against the current path only, and memory stays linear in its length.

Without a table, pairs of actions that need not follow each other are pruned (`proofs.pruning`); with one, they must
not be, because a table forgets by which action it knows a state. Pruned successors do not count as generated.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, NamedTuple

from models.frozen import frozen
from search.options import NOT_NEGATIVE, Options, Setting
from search.space import INFINITY, Found, Operator, SearchSpace, State, Successor


class PathNode(NamedTuple):
    """A state on the current path: how it was entered, and which of its successors are still to try."""

    state: State
    operator: Operator
    cost: int
    g: int
    successors: Iterator[Successor]


@frozen(eq=True)
class Remembering(Options):
    """0 is the textbook form in linear memory."""

    transpositions: Annotated[int, Setting("states remembered; 0: linear memory", NOT_NEGATIVE)] = 500_000


def ida_star(space: SearchSpace, options: Remembering) -> Found | None:
    """A cheapest plan if h is admissible, or None if the reachable space is exhausted."""
    prove = space.prove_cost if space.heuristic.admissible else lambda bound: None
    return deepen(space, options.transpositions, lambda cost: cost, space.h, prove)


def deepen(
    space: SearchSpace,
    capacity: int,
    weigh: Callable[[int], int],
    h: Callable[[State], int],
    prove: Callable[[int], None],
) -> Found | None:
    """Raise the bound until a plan is found or nothing is cut off; `weigh` says what a cost adds to g."""
    if space.is_goal(space.initial):
        return Found((), 0)
    allowed = None if capacity else space.pruning
    bound = h(space.initial)
    if space.is_dead_end(bound):
        return None
    while bound < INFINITY:
        prove(bound)
        space.begin_iteration(bound)
        found, bound = probe(space, bound, capacity, weigh, h, allowed)
        if found:
            return found
    return None


def probe(
    space: SearchSpace,
    bound: int,
    capacity: int,
    weigh: Callable[[int], int],
    h: Callable[[State], int],
    allowed: Any = None,
) -> tuple[Found | None, int]:
    """One iteration: a plan within the bound, if any, and the next bound, INFINITY if nothing was cut off.

    `allowed[last, next]` says which action may follow which; None: any.
    """
    table = {space.initial: bound} if capacity else {}
    untabled = INFINITY  # smallest f cut off for want of room in the table
    path = [PathNode(space.initial, (), 0, 0, iter(space.expand(space.initial)))]
    on_path = {space.initial}
    while path:
        for operator, successor, cost in path[-1].successors:
            if successor in on_path:
                continue
            g = path[-1].g + weigh(cost)
            f = g + (estimate := h(successor))
            if space.is_dead_end(estimate) or f >= table.get(successor, INFINITY):
                continue
            if successor in table or len(table) < capacity:
                table[successor] = f
            elif f > bound:
                untabled = min(untabled, f)
            if f > bound:
                continue
            if space.is_goal(successor):
                return plan_along(path, operator, cost), bound
            follow = None if allowed is None else allowed[operator]
            successors = space.expand(successor, len(path), len(path), follow)
            path.append(PathNode(successor, operator, cost, g, iter(successors)))
            on_path.add(successor)
            break
        else:
            on_path.remove(path.pop().state)
    return None, min(untabled, *(f for f in table.values() if f > bound), INFINITY)


def plan_along(path: list[PathNode], operator: Operator, cost: int) -> Found:
    """The steps of the path (its first entry is the start) and one more."""
    operators = (*(step.operator for step in path[1:]), operator)
    return Found(operators, sum(step.cost for step in path[1:]) + cost)
