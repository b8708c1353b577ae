"""Beam search in machine code: the layers of `algorithms.beam`.

States once kept are nodes with a table, for good; the candidates of the layer at hand are nodes with a table of their
own, which is emptied when the best of them have moved over.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from models.outcomes import Outcome
from search.algorithms.beam import Narrow
from search.kernels.calls import call_estimate, call_expand, call_goal, prefetch
from search.kernels.driver import (
    SUCCESSORS,
    Buffers,
    Counts,
    Numbers,
    Pace,
    Words,
    actions_along,
    bounded,
    checkpoint,
    machine_of,
    nodes_left,
    path_of,
    require_memory,
    room_for,
    state_at,
    words_of,
)
from search.kernels.table import (
    CELLS_PER_STATE,
    EMPTY,
    FULL,
    GROUP,
    OF,
    Table,
    add_nodes,
    find_node,
    home,
    kernel,
    node_cell,
    prefetch_nodes,
)
from search.space import Found, LimitReached, SearchSpace

# What the kernel comes back with.
DONE, FOUND, CANDIDATES_FULL = range(3)

# `now`: the next node to expand, the number of candidates, counters; WAITING successors are in the buffers, not yet
# looked at, and they are those of BATCH nodes from the cursor on.
CURSOR, CANDIDATES, EXPANDED, GENERATED, WAITING, BATCH, NOW = range(7)


@kernel("int64(int64, int64, int64, int64[::1], uint64[::1], uint64[::1], uint64[::1], uint32[::1], uint64[::1],"
        "uint64[::1], uint32[::1], uint32[::1], int64[::1], uint64[::1], int64, int64)")  # fmt: skip
def expand_layer(expand: int, goal: int, words: int, now: Counts, kept: Words, kept_table: Words, candidates: Words,
                 origins: Numbers, table: Words, states: Words, actions: Numbers, parents: Numbers, costs: Counts,
                 hashes: Words, batch: int, until: int) -> int:  # fmt: skip
    """Expand the nodes from the cursor to `until`; successors seen for the first time become candidates. Ends early at
    a goal, which is the last candidate then, and where the arrays of the candidates have no room."""
    while now[CURSOR] < until:
        if not now[BATCH]:
            now[BATCH] = min(batch, until - now[CURSOR])
            now[WAITING] = call_expand(expand, kept, now[CURSOR] * words, now[BATCH], states, actions, parents, costs)
        n, first = now[WAITING], now[CANDIDATES]
        if first + n > min(len(origins), len(table) * FULL // OF):
            return CANDIDATES_FULL
        prefetch_nodes(kept_table, states, words, n, hashes)
        for i in range(n):
            prefetch(table, home(hashes[i], np.uint64(len(table))))
        for i in range(n):
            if kept_table[find_node(kept_table, kept, states, i * words, words, hashes[i])] != EMPTY:
                continue
            at = find_node(table, candidates, states, i * words, words, hashes[i])
            if table[at] != EMPTY:
                continue
            number = now[CANDIDATES]
            now[CANDIDATES] += 1
            table[at] = node_cell(hashes[i], number)
            origins[number] = now[CURSOR] + parents[i]
            for word in range(words):
                candidates[number * words + word] = states[i * words + word]
        new = now[CANDIDATES] - first
        reached = call_goal(goal, candidates, first * words, new)
        if reached < new:
            now[CANDIDATES] = first + reached + 1
            parent = np.int64(origins[first + reached])
            for i in range(n):
                now[GENERATED] += now[CURSOR] + parents[i] <= parent
            now[EXPANDED] += parent + 1 - now[CURSOR]
            return FOUND
        now[EXPANDED] += now[BATCH]
        now[GENERATED] += n
        now[CURSOR] += now[BATCH]
        now[BATCH] = now[WAITING] = 0
    return DONE


@kernel("void(int64, uint64[::1], int64, int64[::1])")
def estimate_all(estimate: int, states: Words, n: int, out: Counts) -> None:
    call_estimate(estimate, states, 0, n, out)


class Beam:
    """One search: the nodes, of which the last ones are the layer at hand, and its candidates."""

    def __init__(self, space: SearchSpace, width: int) -> None:
        self.space, self.width = space, width
        self.machine = machine_of(space)
        self.words = self.machine.words
        room = room_for(space.limits, 2 * (8 * self.words + 4 + 8 * CELLS_PER_STATE))
        self.kept = np.empty(room * self.words, np.uint64)
        self.parents = np.empty(room, np.uint32)
        self.kept_table = Table(room)
        self.nodes = 0
        self.successors = Buffers(self.machine)
        room = min(room, width * self.machine.branching)
        self.candidates = np.empty(room * self.words, np.uint64)
        self.origins = np.empty(room, np.uint32)
        self.table = Table(room)
        self.now = np.zeros(NOW, np.int64)
        self.pace = Pace(max(1, SUCCESSORS // max(1, self.machine.branching)))

    def search(self) -> Found | None:
        if self.machine.is_goal(self.machine.initial):
            return Found((), 0)
        self._keep(words_of([self.machine.initial], self.words), np.zeros(1, np.uint32))
        depth = 0
        while int(self.now[CURSOR]) < self.nodes:
            if self._expand_layer(depth):
                return self._plan()
            self._keep_best()
            depth += 1
        return None

    def _expand_layer(self, depth: int) -> bool:
        """Expand all nodes from the cursor on; True if that reached a goal."""
        out, statistics = self.successors, self.space.statistics
        frontier = self.nodes - int(self.now[CURSOR])
        while (left := self.nodes - int(self.now[CURSOR])) > 0:
            checkpoint(self.space)
            allowed = nodes_left(self.space, min(left, self.pace.start()))
            statistics.max_depth, statistics.max_frontier = depth, max(statistics.max_frontier, frontier)
            status = expand_layer(
                self.machine.expand, self.machine.goal, self.words, self.now, self.kept, self.kept_table.cells,
                self.candidates, self.origins, self.table.cells, *out.arrays, out.homes, out.batch,
                int(self.now[CURSOR]) + allowed)  # fmt: skip
            self.pace.stop()
            statistics.expanded, statistics.generated = int(self.now[EXPANDED]), int(self.now[GENERATED])
            if status == FOUND:
                return True
            if status == CANDIDATES_FULL:
                self._more_candidates(int(self.now[CANDIDATES] + self.now[WAITING]))
        return False

    def _more_candidates(self, needed: int) -> None:
        if needed > len(self.origins):
            raise LimitReached(Outcome.MEMORY_LIMIT)
        enlarge(self.space, self.table, needed)

    def _keep_best(self) -> None:
        """Turn the best candidates into nodes, which are the next layer."""
        n = int(self.now[CANDIDATES])
        best = best_of(self._estimates(n), self.width)
        states = self.candidates[: n * self.words].reshape(-1, self.words)[best]
        self._keep(states.reshape(-1), self.origins[best])
        self.table.cells[:] = EMPTY
        self.now[CANDIDATES] = 0

    def _estimates(self, n: int) -> Counts:
        self.space.statistics.evaluated += n
        out = np.zeros(n, np.int64)
        if address := self.space.heuristic.address:
            estimate_all(address, self.candidates, n, out)
        return out

    def _keep(self, states: Words, parents: Numbers) -> None:
        first, stop = self.nodes, self.nodes + len(parents)
        if stop > len(self.parents):
            raise LimitReached(Outcome.MEMORY_LIMIT)
        self.kept[first * self.words : stop * self.words] = states
        self.parents[first:stop] = parents
        if stop > self.kept_table.room:
            enlarge(self.space, self.kept_table, stop)
        add_nodes(self.kept_table.cells, self.kept, self.words, first, stop, np.empty(GROUP, np.uint64))
        self.nodes = stop

    def _plan(self) -> Found:
        goal = int(self.now[CANDIDATES]) - 1
        path = path_of(self.kept, self.parents, int(self.origins[goal]), self.words)
        path.append(state_at(self.candidates, goal, self.words))
        return actions_along(self.machine, path, cheapest=False)


def enlarge(space: SearchSpace, table: Table, states: int) -> None:
    """Make room for so many states in a table."""
    cells = table.capacity_for(states)
    if cells <= len(table.cells):
        raise LimitReached(Outcome.MEMORY_LIMIT)
    require_memory(space, (cells - len(table.cells)) * 8)
    table.grow(cells)


def best_of(estimates: Counts, width: int) -> npt.NDArray[np.intp]:
    """The places of the `width` smallest estimates in ascending order, the earlier one first among equals."""
    if len(estimates) <= width:
        return np.argsort(estimates, kind="stable")
    bar = np.partition(estimates, width - 1)[width - 1]
    places = np.flatnonzero(estimates <= bar)
    return places[np.argsort(estimates[places], kind="stable")][:width]


@bounded
def beam(space: SearchSpace, options: Narrow) -> Found | None:
    """Some plan, or None if a layer has no state that was not kept before."""
    return Beam(space, options.width).search()
