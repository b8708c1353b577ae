"""The whole reachable state space: its layers by a breadth-first walk, its edges, and what can be read off them.

States are numbered in the order of their discovery, so a layer (the states at one distance from the start) is a run of
numbers, and everything below works on whole runs by numpy. Edges are kept in compressed rows, as sparse matrices are.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from models.frozen import frozen
from models.outcomes import LimitReached, Outcome, Unsupported, outcome_of
from search.space import SearchSpace, State

Numbers = npt.NDArray[np.int64]
Look = Callable[[], None]  # called between two blocks of work: raises LimitReached where a limit is hit

UNREACHED = 1 << 62  # the distance of what no path leads to
MOST_COST = UNREACHED - 1  # of a path
BLOCK = 1 << 20  # edges looked at in one go
EXACT = 1 << 53  # below it, floats add whole numbers without error


@frozen(eq=True)
class Graph:
    """Edges in compressed rows: those out of node u are the places offsets[u] to offsets[u + 1] - 1 of `targets`."""

    offsets: Numbers
    targets: npt.NDArray[np.uint32]
    costs: Numbers | None  # None: every edge costs 1
    exact_steps: int = UNREACHED  # of a path, up to which the costs of paths compare rightly

    @property
    def nodes(self) -> int:
        return len(self.offsets) - 1

    def out_of(self, nodes: Numbers) -> tuple[Numbers, Numbers]:
        """The places of all edges out of the nodes, and the node that each is out of."""
        first = self.offsets[nodes]
        sizes = self.offsets[nodes + 1] - first
        ends = np.cumsum(sizes)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - (ends - sizes), sizes)
        return places, np.repeat(nodes, sizes)

    def cost(self, places: Numbers) -> Numbers | int:
        return 1 if self.costs is None else self.costs[places]

    def blocks(self, nodes: Numbers) -> Iterator[Numbers]:
        """The nodes in portions with about BLOCK edges each."""
        size = max(1, BLOCK * self.nodes // max(1, len(self.targets)))
        for first in range(0, len(nodes), size):
            yield nodes[first : first + size]

    def reversed(self) -> Graph:
        """The same edges in rows by target; a sort, since a counting sort is beyond numpy."""
        count = len(self.targets)
        keys = self.targets.astype(np.uint64)
        keys <<= np.uint64(32)
        keys |= np.arange(count, dtype=np.uint32)
        keys.sort()
        order = keys.astype(np.uint32)  # the low half: places of edges
        del keys
        sources = np.repeat(np.arange(self.nodes, dtype=np.uint32), np.diff(self.offsets))[order]
        sizes = np.bincount(self.targets, minlength=self.nodes)
        return replace(self, offsets=row_starts(sizes), targets=sources,
                       costs=None if self.costs is None else self.costs[order])  # fmt: skip


def row_starts(sizes: npt.NDArray[Any]) -> Numbers:
    """Where rows of these sizes begin, and where the last one ends."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)))


@frozen(eq=True)
class StateSpace:
    """What a walk has found. Layer d holds the states layers[d] to layers[d + 1] - 1; the start is state 0."""

    state: Callable[[int], State]  # by its number
    layers: Numbers
    goals: npt.NDArray[np.bool_]
    edges: int | None  # out of expanded states, kept or not; None: not counted
    graph: Graph | None  # None: not all is expanded, or there are too many edges to keep
    exhausted: bool = True  # else the last layer may be incomplete
    stopped: Outcome | None = None  # what ended the work early

    @property
    def size(self) -> int:
        return len(self.goals)

    def by_layer(self, marks: npt.NDArray[np.bool_]) -> list[int]:
        """How many states of each layer are marked."""
        return [int(number) for number in np.add.reduceat(marks, self.layers[:-1], dtype=np.int64)]


def in_steps(space: StateSpace) -> StateSpace:
    """The same space where every step costs 1."""
    if space.graph is None:
        return space
    return replace(space, graph=replace(space.graph, costs=None, exact_steps=UNREACHED))


# -- the walk ----------------------------------------------------------------------------------------------------------


def walk(space: SearchSpace, twins: Callable[[Any], int] | None = None, exact_steps: int = UNREACHED) -> StateSpace:
    """Every state that can be reached; a limit or Ctrl-C ends the walk early, and what was found is returned.

    States may be anything that is hashable. `twins` says how many more actions do the very same as an operator: each of
    them is an edge.
    """
    numbers, states = {space.initial: 0}, [space.initial]
    layers, offsets, targets, costs = [0], array("q", [0]), array("I"), array("q")
    stopped = None
    try:
        while layers[-1] < len(states):
            first, last = layers[-1], len(states)
            layers.append(last)
            for state in states[first:last]:
                for operator, successor, cost in space.expand(state, len(layers) - 2, last - first):
                    number = numbers.setdefault(successor, len(states))
                    if number == len(states):
                        states.append(successor)
                    for _ in range(1 + twins(operator) if twins else 1):
                        targets.append(number)
                        costs.append(cost)
                offsets.append(len(targets))
    except (LimitReached, KeyboardInterrupt) as reason:
        stopped = outcome_of(reason)
    except OverflowError:
        raise Unsupported("a step costs more than 64 bits can hold") from None
    goals = np.fromiter(map(space.is_goal, states), np.bool_, len(states))
    if stopped is not None:
        ends = [*layers, len(states)] if layers[-1] < len(states) else layers
        return StateSpace(states.__getitem__, np.array(ends), goals, len(targets), None, False, stopped)
    graph = Graph(np.array(offsets), np.array(targets, np.uint32), None if space.unit_cost else np.array(costs),
                  exact_steps)  # fmt: skip
    return StateSpace(states.__getitem__, np.array(layers), goals, len(targets), graph)


# -- algorithms on the edges -------------------------------------------------------------------------------------------


def distances(graph: Graph, sources: Numbers, look: Look) -> Numbers:
    """For every node the cost of a cheapest path from the nearest source.

    Only what became cheaper in one round is relaxed in the next (Moore 1959): with unit costs that is a breadth-first
    search, with others it stays right, and a round is a few numpy calls.
    """
    far = np.full(graph.nodes, UNREACHED, np.int64)
    far[sources] = 0
    changed, rounds = np.asarray(sources, np.int64), 0
    dearest = 1 if graph.costs is None else int(graph.costs.max(initial=0))
    most = min(graph.exact_steps, MOST_COST // max(1, dearest))
    while len(changed):
        rounds += 1
        if rounds > most:
            raise Unsupported("the costs of paths are more than 64 bits can hold")
        changed = _distinct(np.concatenate([_relax(graph, part, far, look) for part in graph.blocks(changed)]))
    return far


def _relax(graph: Graph, nodes: Numbers, far: Numbers, look: Look) -> Numbers:
    """The nodes that the edges out of these bring nearer; `far` is brought up to date."""
    look()
    places, tails = graph.out_of(nodes)
    heads = graph.targets[places].astype(np.int64)
    cost = far[tails] + graph.cost(places)
    better = cost < far[heads]
    np.minimum.at(far, heads[better], cost[better])
    return _distinct(heads[better])


def _distinct(numbers: Numbers) -> Numbers:
    """Sorted, each once; by sorting in place, which for large arrays is faster than numpy's hashing."""
    numbers.sort()
    new = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=new[1:])
    return numbers[new]


def count_best_paths(graph: Graph, ahead: Numbers, behind: Numbers, goals: npt.NDArray[np.bool_], look: Look,
                     source: int = 0) -> int | None:  # fmt: skip
    """How many edge sequences lead from a node to a goal at the least cost; None where they are infinitely many.

    `ahead` are the distances from that node, `behind` those to a goal. The edges that such a path may use form a graph
    without cycles, unless a cycle costs nothing.
    """
    best = int(behind[source])
    if best == UNREACHED:
        return 0
    used = np.flatnonzero((behind <= best) & (ahead == best - behind))
    tight = _tight(graph, used, ahead, behind, best)
    return count_paths(tight, goals[used], look, int(np.searchsorted(used, source)))


def count_paths(graph: Graph, ends: npt.NDArray[np.bool_], look: Look, source: int = 0) -> int | None:
    """How many edge sequences lead from a node to marked nodes; None where they are infinitely many.

    That node leads to every node, and every node to a marked one. So no node's number is larger than the result, and
    floats are exact as long as that stays below 2^53; beyond, the numbers are Python's.
    """
    order = list(topological(graph, look, source))
    if sum(map(len, order)) < graph.nodes:
        return None
    with np.errstate(over="ignore"):
        quick = float(_count_along(graph, order, ends, np.float64, look))
    return int(quick) if quick < EXACT else int(_count_along(graph, order, ends, object, look))


def _count_along(graph: Graph, order: list[Numbers], ends: npt.NDArray[np.bool_], kind: Any, look: Look) -> Any:
    """`order` begins with the node that all paths begin with."""
    counts = np.zeros(graph.nodes, kind)
    counts[order[0]] = 1
    for ready in order:
        look()
        places, tails = graph.out_of(ready)
        np.add.at(counts, graph.targets[places], counts[tails])
    return counts[ends].sum()


def topological(graph: Graph, look: Look, source: int = 0) -> Iterator[Numbers]:
    """The nodes that a node leads to, each after all that lead to it, in rounds of those that are ready at once (Kahn
    1962); what lies on or behind a cycle never comes."""
    waiting = np.bincount(graph.targets, minlength=graph.nodes)
    ready = np.full(int(waiting[source] == 0), source)
    while len(ready):
        look()
        yield ready
        heads = graph.targets[graph.out_of(ready)[0]].astype(np.int64)
        np.subtract.at(waiting, heads, 1)
        candidates = _distinct(heads)
        ready = candidates[waiting[candidates] == 0]


def _tight(graph: Graph, used: Numbers, ahead: Numbers, behind: Numbers, best: int) -> Graph:
    """The edges that lie on a path of the least cost, `best`, between these nodes, which are numbered anew."""
    sizes, targets = [], []
    for part in graph.blocks(used):
        places, tails = graph.out_of(part)
        heads = graph.targets[places]
        keep = (behind[heads] <= best) & (ahead[tails] + graph.cost(places) == best - behind[heads])
        sizes.append(np.bincount(np.searchsorted(part, tails[keep]), minlength=len(part)))
        targets.append(np.searchsorted(used, heads[keep]))
    return Graph(row_starts(np.concatenate(sizes)), np.concatenate(targets).astype(np.uint32), None)
