"""What there is to know of a state space, worked out one figure after the other.

A limit or Ctrl-C may end the work anywhere: the figures that are there by then stay, the others are None. All figures
are plain numbers; arrays do not leave this folder.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from search.spaces.state_space import UNREACHED, Look, Numbers, StateSpace, count_best_paths, distances


class Survey:
    """The figures of one space; those that need no edges are there at once, `complete` works out the rest."""

    def __init__(self, space: StateSpace) -> None:
        self.space = space
        self.layers = [int(size) for size in np.diff(space.layers)]
        self.goals_by_layer = space.by_layer(space.goals)
        self.goals = sum(self.goals_by_layer)
        self.nearest_steps = next((depth for depth, count in enumerate(self.goals_by_layer) if count), None)
        self.edges_by_layer: list[int] | None = None
        self.fewest_edges: int | None = None  # out of a state
        self.most_edges: int | None = None
        self.nearest_cost: int | None = None  # stays None where there is no goal
        self.farthest_cost: int | None = None  # of any state from the start
        self.plans: int | None = None  # of least cost
        self.endless = False  # there are infinitely many plans of least cost
        self.dead_ends: int | None = None
        self.dead_by_layer: list[int] | None = None
        self.hardest: list[int] = []  # the states farthest from every goal, those without any left out
        self.hardest_cost: int | None = None
        self.complete = False
        self._behind: Numbers | None = None

    def goal_distance(self, number: int) -> int | None:
        """The least cost from this state to a goal, None where it is unknown or there is no way."""
        far = UNREACHED if self._behind is None else int(self._behind[number])
        return None if far == UNREACHED else far

    def next_distance(self, below: int) -> int | None:
        """The largest distance to a goal, of any state, that is less than `below`; None where there is none."""
        assert self._behind is not None
        smaller = self._behind[self._behind < below]
        return int(smaller.max()) if len(smaller) else None

    def between(self, low: int, high: int, most: int) -> list[int]:
        """The states whose distance to a goal lies in low .. high; of more than `most` some, spread evenly."""
        return next(self.portions(low, high, most), [])

    def portions(self, low: int, high: int, most: int) -> Iterator[list[int]]:
        """All the states whose distance to a goal lies in low .. high, in lots of `most` that are spread evenly."""
        assert self._behind is not None
        if low >= UNREACHED:
            return
        found = np.flatnonzero((self._behind >= low) & (self._behind <= min(high, UNREACHED - 1)))
        lots = -(-len(found) // most)
        for first in range(lots):
            yield [int(number) for number in found[first::lots]]

    def plans_from(self, number: int, look: Look) -> int | None:
        """How many paths of least cost lead from a state to a goal; None where they are infinitely many."""
        graph = self.space.graph
        assert graph is not None and self._behind is not None
        ahead = distances(graph, np.array([number]), look)
        return count_best_paths(graph, ahead, self._behind, self.space.goals, look, number)

    def edges_from(self, number: int) -> list[tuple[int, int]]:
        """(state after, cost) of every edge out of a state."""
        graph = self.space.graph
        assert graph is not None
        places, _ = graph.out_of(np.array([number]))
        return [(int(graph.targets[place]), 1 if graph.costs is None else int(graph.costs[place])) for place in places]

    def best_path(self, number: int) -> list[int] | None:
        """The states of a cheapest path to a goal; None where a step on the way costs nothing, or there is no way."""
        path = [number]
        while not self.space.goals[path[-1]]:
            left = self.goal_distance(path[-1])
            after = next((s for s, cost in self.edges_from(path[-1])
                          if cost and left is not None and self.goal_distance(s) == left - cost), None)  # fmt: skip
            if after is None:
                return None
            path.append(after)
        return path

    def work_out(self, look: Look) -> None:
        """All that the edges tell; nothing where they were not kept."""
        graph = self.space.graph
        if graph is None:
            return
        self._branching(graph.offsets)
        behind = distances(graph.reversed(), np.flatnonzero(self.space.goals), look)
        self._goal_distances(behind)
        ahead = self._depths() if graph.costs is None else distances(graph, np.zeros(1, np.int64), look)
        self.farthest_cost = int(ahead.max())
        self.plans = count_best_paths(graph, ahead, behind, self.space.goals, look)
        self.endless = self.plans is None
        self.complete = True

    def _branching(self, offsets: Numbers) -> None:
        sizes = np.diff(offsets)
        self.fewest_edges, self.most_edges = int(sizes.min()), int(sizes.max())
        self.edges_by_layer = [int(size) for size in np.diff(offsets[self.space.layers])]

    def _goal_distances(self, behind: Numbers) -> None:
        """Dead ends are farther than every path; the hardest starts as far as a path leads."""
        self._behind = behind
        dead = behind == UNREACHED
        self.dead_by_layer = self.space.by_layer(dead)
        self.dead_ends = sum(self.dead_by_layer)
        if not dead[0]:
            self.nearest_cost = int(behind[0])
        if not dead.all():
            self.hardest_cost = int(behind[~dead].max())
            self.hardest = [int(number) for number in np.flatnonzero(behind == self.hardest_cost)]

    def _depths(self) -> Numbers:
        """For every state its layer."""
        return np.repeat(np.arange(len(self.layers)), self.layers)
