"""All cheapest plans of a compiled puzzle as one graph, and how many there are.

A plan is a sequence of operators that ends in a goal. The states that a cheapest one may go through are walked once,
goals or not: by layers, by cost (Dijkstra 1959), or by g + h where a heuristic is proven consistent (Hart, Nilsson and
Raphael 1968). An edge is *tight* if no way to its target is cheaper. The plans are then the paths along tight edges to
the goals of least cost, and what such a path uses is found backwards, from the farthest states to the start. Where no
cycle costs nothing this graph has none, and its paths are counted node by node.

Small spaces are walked by Python, since the kernels take half a second to load.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from models.frozen import frozen
from models.outcomes import LONG_PATH, Limits
from search.machine import Machine
from search.registry import SMALL
from search.space import BLIND, Heuristic, Outgrown, Progress, SearchSpace, Successor
from search.spaces.state_space import UNREACHED, Graph, Look, count_paths, distances, row_starts

if TYPE_CHECKING:
    from search.kernels.driver import Words

Marks = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]
Edges = npt.NDArray[np.uint32]  # three rows: sources, actions, targets


class NotBest(Exception):
    """The cost is not that of a cheapest plan."""


@frozen(eq=True)
class BestPlans:
    """The cheapest plans: paths of `graph` from node 0 to a node of `ends`, to which every node leads."""

    graph: Graph
    actions: npt.NDArray[np.uint32]  # the number of each edge's operator; ascending for each node
    ends: Marks
    states: Callable[[int], int]  # the packed state of a node
    look: Look  # raises LimitReached where a limit is hit
    expanded: int  # states, by the walk

    @cached_property
    def count(self) -> int | None:
        """How many there are; None where a cycle that costs nothing makes them infinitely many."""
        return count_paths(self.graph, self.ends, self.look)

    def paths(self) -> Iterator[tuple[int, ...]]:
        """Each plan as the places of its edges, in the order of the file; without end where there is a cycle."""
        path: list[int] = []
        open_nodes = [self._out_of(0)]
        if self.ends[0]:
            yield ()
        while open_nodes:
            place = next(open_nodes[-1], None)
            if place is None:
                open_nodes.pop()
                del path[-1:]
                continue
            path.append(place)
            node = int(self.graph.targets[place])
            if self.ends[node]:
                yield tuple(path)
            open_nodes.append(self._out_of(node))

    def _out_of(self, node: int) -> Iterator[int]:
        return iter(range(int(self.graph.offsets[node]), int(self.graph.offsets[node + 1])))


def best_plans(machine: Machine, cost: int, limits: Limits, heuristic: Heuristic = BLIND,
               progress: Progress | None = None, small: int | None = None) -> BestPlans:  # fmt: skip
    """All plans of that cost, which is said to be the least one. The heuristic, if any, is proven consistent.

    LimitReached, KeyboardInterrupt; NotBest where there is no such plan or a cheaper one.
    """
    limits = replace(limits, max_horizon=None)  # the cost bounds the walk
    outgrown = None if machine.word_steps < LONG_PATH else SMALL if small is None else small
    space = SearchSpace(machine, limits, heuristic, progress, outgrown)
    space.weigh_costs(machine.exact_steps)
    try:
        return _by_python(space, machine, cost)
    except Outgrown:
        again = SearchSpace(machine, limits, heuristic, progress, started=space.started)
        again.weigh_costs(min(machine.exact_steps, machine.word_steps))
        return _by_kernels(again, machine, cost)


def _ceiling(space: SearchSpace, machine: Machine, cost: int) -> int:
    """States with a larger f have no tight edge that is used: without estimates, one more step is still to be paid."""
    return cost - machine.least_cost if space.heuristic is BLIND else cost


def _assembled(machine: Machine, states: Callable[[int], int], edges: Edges, ends: Marks, space: SearchSpace
               ) -> BestPlans:  # fmt: skip
    """The edges, between nodes that are numbered already, as a graph; node 0 is the start."""
    sources, actions, targets = edges
    order = np.lexsort((actions, sources))
    graph = Graph(row_starts(np.bincount(sources, minlength=len(ends))), targets[order], None)
    look = space.check_resources
    whole = BestPlans(graph, actions[order], ends, states, look, space.statistics.expanded)
    if machine.least_cost:
        return whole
    return _restricted(whole, distances(graph.reversed(), np.flatnonzero(ends), look) != UNREACHED)


def _restricted(plans: BestPlans, keep: Marks) -> BestPlans:
    """Without the nodes from which steps that cost nothing lead to no end."""
    if not keep[0]:
        raise NotBest
    numbers, old = np.cumsum(keep) - 1, np.flatnonzero(keep)
    places, tails = plans.graph.out_of(old)
    stays = keep[plans.graph.targets[places]]
    places, sources = places[stays], numbers[tails[stays]]
    targets = numbers[plans.graph.targets[places]].astype(np.uint32)
    graph = Graph(row_starts(np.bincount(sources, minlength=len(old))), targets, None)
    return replace(plans, graph=graph, actions=plans.actions[places], ends=plans.ends[old],
                   states=lambda number: plans.states(int(old[number])))  # fmt: skip


# -- by Python ---------------------------------------------------------------------------------------------------------


def _by_python(space: SearchSpace, machine: Machine, cost: int) -> BestPlans:
    far, successors = _walk(space, _ceiling(space, machine, cost))
    goals = {state for state, g in far.items() if g <= cost and space.is_goal(state)}
    used, edges = set(goals), list[tuple[int, int, int]]()
    for state in sorted(successors, key=far.__getitem__, reverse=True):
        for action, after, price in successors[state]:
            if far[state] + price == far[after] and (after in used or price == 0):
                used.add(state)
                edges.append((state, action, after))
    if space.initial not in used or any(far[state] < cost for state in goals):
        raise NotBest
    states = [state for state in far if state in used]  # the start is the first
    numbers = {state: number for number, state in enumerate(states)}
    rows = [(numbers[source], action, numbers[after]) for source, action, after in edges if after in used]
    ends = np.fromiter((state in goals for state in states), np.bool_, len(states))
    return _assembled(machine, states.__getitem__, np.array(rows, np.uint32).reshape(-1, 3).T, ends, space)


def _walk(space: SearchSpace, ceiling: int) -> tuple[dict[int, int], dict[int, list[Successor]]]:
    """(g of every state that was met, the successors of those whose f is at most `ceiling`)."""
    estimate = BLIND.evaluate if space.heuristic is BLIND else space.h
    far: dict[int, int] = {space.initial: 0}
    steps: dict[int, int] = {space.initial: 0}  # that `far` is the cost of
    successors: dict[int, list[Successor]] = {}
    waiting = [(estimate(space.initial), space.initial)]
    while waiting and waiting[0][0] <= ceiling:
        _, state = heappop(waiting)
        if state in successors:
            continue
        successors[state] = space.expand(state, steps[state], len(waiting))
        for _, after, price in successors[state]:
            g = far[state] + price
            if g < far.get(after, g + 1):
                far[after], steps[after] = g, steps[state] + 1
                heappush(waiting, (g + estimate(after), after))
    return far, successors


# -- by kernels --------------------------------------------------------------------------------------------------------


def _by_kernels(space: SearchSpace, machine: Machine, cost: int) -> BestPlans:
    from search.kernels.driver import state_at
    from search.kernels.edges import goals_of, tight_edges_of

    compiled, words = cast(Any, machine), machine.words
    states, far = _candidates(space, machine, cost)
    used = goals_of(compiled, states)
    if used[: np.searchsorted(far, cost)].any():
        raise NotBest
    last = int(np.searchsorted(far, cost - machine.least_cost, "right"))
    sources, targets, actions = tight_edges_of(space, compiled, states, far, used, last)
    if not used[0]:
        raise NotBest
    numbers, kept = np.cumsum(used, dtype=np.uint32) - np.uint32(1), states.reshape(-1, words)[used].ravel()
    edges = np.array((numbers[sources], actions, numbers[targets]))[:, used[targets]]
    return _assembled(machine, lambda number: state_at(kept, number, words), edges, goals_of(compiled, kept), space)


def _candidates(space: SearchSpace, machine: Machine, cost: int) -> tuple[Words, Counts]:
    """(states that a plan of that cost may go through, g of each), by g; the start is the first. At the full cost only
    goals are left, unless more steps may cost nothing."""
    from search.kernels.driver import require_memory
    from search.kernels.edges import goals_of

    states, far = _walk_by_kernels(space, machine, cost)
    keep = far <= cost
    if machine.least_cost:
        keep &= (far < cost) | goals_of(cast(Any, machine), states)
    places = np.flatnonzero(keep)
    require_memory(space, len(places) * 8 * (machine.words + 2))
    places = places[np.argsort(far[places], kind="stable")]
    return states.reshape(-1, machine.words)[places].ravel(), far[places]


def _walk_by_kernels(space: SearchSpace, machine: Machine, cost: int) -> tuple[Words, Counts]:
    """(the states that a plan of that cost may go through, and others; g of each)."""
    from search.kernels import best_first, breadth_first

    if space.unit_cost and space.heuristic is BLIND:
        return breadth_first.states_within(space, cost)
    return best_first.states_within(space, _ceiling(space, machine, cost))
