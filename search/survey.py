"""What there is to know of a state space, worked out one figure after the other.

A limit or Ctrl-C may end the work anywhere: the figures that are there by then stay, the others are None. All figures
are plain numbers; arrays do not leave this folder.
"""

from __future__ import annotations

import numpy as np

from search.state_space import UNREACHED, Look, Numbers, StateSpace, count_best_paths, distances


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
