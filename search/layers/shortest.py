"""How many shortest paths lead from the start to the nearest goals: by one more expansion of the layers before these.

From the goals backwards: from a state lead as many paths as from all states of the next layer that its steps lead to.
A step from layer d leads to layer d + 1 or to one that is not farther, and only those to layer d + 1 are on shortest
paths; states that lead to no goal in time are left out. A layer is kept in memory, as far as paths go through it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from search.layers.files import frames
from search.layers.paths import goals_in
from search.layers.walk import Walk

if TYPE_CHECKING:
    from search.kernels.driver import Words

MOST = 1_000_000  # states of a layer on shortest paths


def shortest_paths(walk: Walk, depth: int, look: Callable[[], None]) -> int | None:
    """Those to the goals of that layer, no nearer layer having any; None where they are too many to be counted."""
    from search.kernels.driver import words_of

    if walk.layers[depth].goals > MOST:
        return None
    states = words_of(list(goals_in(walk, depth)), walk.site.words)
    ways = [1] * walk.layers[depth].goals
    for layer in range(depth - 1, -1, -1):
        states, ways = _before(walk, layer, states, ways, look)
        if len(ways) > MOST:
            return None
    return sum(ways)


def _before(walk: Walk, layer: int, after: Words, ways: list[int], look: Callable[[], None]) -> tuple[Words, list[int]]:
    """The states of a layer that lead to those `after`, and how many ways these have to a goal."""
    from search.kernels.packing import Packer
    from search.kernels.partitions import leading
    from search.kernels.table import node_table

    words, packer = walk.site.words, Packer(walk.site.words)
    found: list[Words] = []
    counts: list[int] = []
    known = node_table(after, len(ways), words)
    for file in walk.layers[layer].files:
        for states in frames(walk.site, file, packer):
            mine: Counter[int] = Counter()
            for sources, targets in leading(walk.worker.machine, states, known):
                look()
                for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
                    mine[source] += ways[target]
            if mine:
                found.append(states.reshape(-1, words)[list(mine)].reshape(-1))
                counts += mine.values()
    return np.concatenate(found), counts
