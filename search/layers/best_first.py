"""A* over files as an algorithm: layers of f, in buckets of one g and h (`search.layers.buckets`).

The bound is the f of the next bucket: what costs less was looked at. How far back known states are looked for is what
is proven of steps, as for layers, and what one of them costs at most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from models.outcomes import Unsupported
from search.algorithms.layered import Layered, Unusable, not_consistent
from search.kernels.driver import NativeModel, actions_along, bounded, checkpoint, machine_of
from search.layers.buckets import Arrival, Buckets
from search.layers.executors import Executor
from search.layers.guides import digest_of, guide_of, recipe_of
from search.layers.paths import cheapest_path
from search.layers.searching import Working
from search.layers.tasks import Worker
from search.layers.walk import ALL, LAST_TWO, NONE
from search.space import BLIND, INFINITY, Found, SearchSpace

MOST_COST = 1 << 62


@bounded
def bucketed(space: SearchSpace, options: Layered) -> Found | None:
    """A cheapest plan, or None if all that is wanted of the reachable space is exhausted."""
    machine, h = machine_of(space), max(0, space.h(space.initial))
    if machine.is_goal(machine.initial):
        return Found((), 0)
    if not space.heuristic.consistent:
        raise Unsupported(not_consistent(space.heuristic.name))
    if space.is_dead_end(h):
        return None
    leading = Leading(space, machine, options, h)
    with leading.walk() as walk:
        goal = _goal(space, walk)
        if goal is None:
            return None
        path = cheapest_path(walk, machine, space.heuristic.evaluate, goal, leading.most_cost, leading.undone,
                             lambda: checkpoint(space))  # fmt: skip
        return actions_along(machine, path)


def _goal(space: SearchSpace, walk: Buckets) -> Arrival | None:
    goal = None
    while goal is None and walk.f < space.below:
        space.prove_cost(int(walk.f))
        goal = walk.grow()
        space.check_steps(walk.steps + 1)
    if goal is None and space.below < INFINITY:
        space.prove_cost(space.below)
    return goal


class Leading(Working[Buckets]):
    """Batch by bucket."""

    def __init__(self, space: SearchSpace, machine: NativeModel, options: Layered, h: int) -> None:
        """`h`: of the start."""
        super().__init__(space, machine, options)
        heuristic = space.heuristic
        self._h, self._worker = h, Worker(machine, self._look, guide_of(heuristic))
        if options.jobs > 1 or options.cluster:
            if heuristic is not BLIND and heuristic.parts is None:
                raise Unusable(f"{heuristic.name} cannot be made again in other processes", "jobs")
            self.guide = recipe_of(heuristic)

    @property
    def _scope(self) -> int | None:
        scope: int | None = getattr(self.machine, "known_layers", lambda: ALL)()
        return scope

    @property
    def undone(self) -> bool:
        return self._scope == LAST_TWO

    @property
    def most_cost(self) -> int:
        """Of a step."""
        return 1 if self.machine.unit_cost else int(getattr(self.machine, "most_cost", MOST_COST))

    @property
    def reach(self) -> float:
        """By how much less the g of a known state may be."""
        if self.undone:
            return 2 * self.most_cost
        return -math.inf if self._scope == NONE and self.machine.unit_cost else math.inf

    def _begun(self, folder: str, far: Executor | None, first: Sequence[int]) -> Buckets:
        nodes = self.space.limits.nodes
        site = self._site(folder, "buckets", digest_of(self.space.machine, self.space.heuristic))
        walk = self._walk = Buckets(site, self.options.resume, self.reach, self._worker, far, self._look, self._room,
                                    most=math.inf if nodes is None else nodes)  # fmt: skip
        self._before = walk.expanded
        walk.begin(first[0], self._h)
        return walk

    def _count(self, walk: Buckets, ahead: int) -> None:
        statistics = self.space.statistics
        statistics.evaluated, statistics.reopened, statistics.max_depth = walk.generated + 1, walk.falls, walk.steps
        statistics.leave_out(walk.dead - self._dead)
        self._dead = walk.dead
        statistics.extra["buckets"] = len(walk.layers)

    _dead = 0  # dead ends that are told

    def _told(self, walk: Buckets, ahead: int, speed: float) -> tuple[str, str]:
        return f"f = {walk.f:,}", f"{ahead:,} states of a bucket expanded"
