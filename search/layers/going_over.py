"""Breadth-first search in memory, which goes over to layers on the disk before it would meet the limit on memory.

In memory it has half of what there is: what it has by then is not of use to files, so they begin anew, with as much
left as they need. Files take half of what is free at most.
"""

from __future__ import annotations

from models.outcomes import LimitReached, Outcome, Statistics
from search.algorithms.layered import Layered
from search.kernels.breadth_first import breadth_first as in_memory
from search.options import Jobs
from search.space import Found, SearchSpace

HALF = 2  # sides of a search that share the memory


def breadth_first(space: SearchSpace, options: Jobs) -> Found | None:
    """A plan with the fewest steps, or None if the reachable space is exhausted."""
    try:
        return in_memory(space, options, HALF)
    except LimitReached as reason:
        from search.layers.searching import half_the_disk, layered, may_write

        if reason.outcome is not Outcome.MEMORY_LIMIT or not may_write():
            raise
    space.known = lambda: 0  # the states in memory are to go
    space.statistics = Statistics()
    space.check_resources()
    return layered(space, Layered(disk_limit=half_the_disk(), jobs=options.jobs))
