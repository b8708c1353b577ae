"""Best-first search: one loop; uniform-cost, greedy, A* and weighted A* differ in two integer weights.

Always expand the open state with the smallest priority `g_weight * g + h_weight * h`:

    ucs     1, 0   Dijkstra 1959
    greedy  0, 1   Doran and Michie 1966
    astar   1, 1   Hart, Nilsson and Raphael 1968
    wastar  q, p   Pohl 1970, for the weight p/q: f = g + p/q * h, kept in integers so that no rounding can lie

If h is admissible, some state on an optimal path is always open with its optimal g, and there g + h <= C*. So the
smallest priority is at most max(g_weight, h_weight) * C*, which bounds C* from below at every moment of every row.
That needs closed states to be reopened when a cheaper path to them appears; greedy search lets them be (it has no g
in its priority, so the argument holds for it without).

Where only plans below some cost are wanted, paths are dropped that cannot be less: g, plus h if that is admissible, is
that cost already. What is taken has a smaller g + h, so the bound stays below that cost as long as there is any, and
holds for all plans; if the states run out there is none below it. But only where closed states are reopened: else a
dear path closes a state, the paths beyond it are dropped, and the cheap one comes too late.
"""

from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Annotated

from models.frozen import frozen
from search.options import POSITIVE, Options, Setting
from search.space import BLIND, INFINITY, Found, Parents, SearchSpace, State, path_to

if TYPE_CHECKING:
    from fractions import Fraction

# Heap entry: priority; ties by lower h, then last in first out (both dive towards a goal inside the last layer of f);
# g, to recognise an entry made obsolete by a cheaper path; depth in steps; the state.
Entry = tuple[int, int, int, int, int, State]


def best_first(space: SearchSpace, g_weight: int, h_weight: int, reopen: bool = True) -> Found | None:
    """A plan to the first goal taken from the open list, or None if all that is wanted of the space is exhausted."""
    cuts, below = h_weight == 0 or space.heuristic.admissible, space.below
    bounds = cuts and (reopen or below == INFINITY)
    order = count(0, -1)
    parents: Parents = {space.initial: None}
    best_g = {space.initial: 0}
    closed: set[State] = set()
    evaluate = space.h if h_weight else BLIND.evaluate
    open_list: list[Entry] = [(h_weight * h, h, next(order), 0, 0, space.initial) for h in [evaluate(space.initial)]
                              if h * cuts < below and not space.is_dead_end(h)]  # fmt: skip
    space.plan_in_hand = lambda: cheapest_open_goal(space, open_list, parents)
    while open_list:
        priority, _, _, g, depth, state = heappop(open_list)
        if g > best_g[state]:
            continue
        if bounds:
            space.prove_cost(-(-priority // max(g_weight, h_weight)))
        if space.is_goal(state):
            return path_to(state, parents)
        closed.add(state)
        for operator, successor, cost in space.expand(state, depth, len(open_list)):
            if g + cost >= best_g.get(successor, g + cost + 1):
                continue
            if successor in closed:
                if not reopen:
                    continue
                closed.remove(successor)
                space.reopen(successor)
            best_g[successor] = g + cost
            parents[successor] = state, operator, cost
            h = evaluate(successor)
            if space.is_dead_end(h) or g + cost + h * cuts >= below:
                continue
            priority = g_weight * (g + cost) + h_weight * h
            heappush(open_list, (priority, h, next(order), g + cost, depth + 1, successor))
    prove_exhausted(space, reopen)
    return None


def prove_exhausted(space: SearchSpace, reopen: bool) -> None:
    """No path is left that could become a plan below the cost that is wanted."""
    if reopen and space.below < INFINITY:
        space.prove_cost(space.below)


def cheapest_open_goal(space: SearchSpace, open_list: list[Entry], parents: Parents) -> Found | None:
    """The plan in hand when a limit strikes: a goal that was generated but not yet taken from the open list."""
    plans = [path_to(state, parents) for *_, state in open_list if space.is_goal(state)]
    return min(plans, key=lambda found: found.cost, default=None)


@frozen(eq=True)
class Weighted(Options):
    weight: Annotated[float, Setting("f = g + weight * h", POSITIVE)] = 2


def uniform_cost(space: SearchSpace, options: Options) -> Found | None:
    return best_first(space, g_weight=1, h_weight=0)


def greedy(space: SearchSpace, options: Options) -> Found | None:
    return best_first(space, g_weight=0, h_weight=1, reopen=False)


def a_star(space: SearchSpace, options: Options) -> Found | None:
    return best_first(space, g_weight=1, h_weight=1)


def rounded(options: Weighted) -> "tuple[int, Fraction]":
    """The weights of g and h: a fraction with a denominator of at most 1000, so that sums stay exact."""
    from fractions import Fraction  # the command line reads this file for its options

    return 1, Fraction(options.weight).limit_denominator(1000)


def weighted_a_star(space: SearchSpace, options: Weighted) -> Found | None:
    weight = rounded(options)[1]
    return best_first(space, g_weight=weight.denominator, h_weight=weight.numerator)
