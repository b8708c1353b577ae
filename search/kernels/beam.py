"""Beam search in machine code: the layers of `algorithms.beam`.

States once kept are nodes with a table, for good; the candidates of the layer at hand are nodes with a table of their
own, which is emptied when the best of them have moved over.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from models.outcomes import Outcome
from search.algorithms.beam import Narrow
from search.kernels.calls import call_estimate, call_goal, expand_states, prefetch
from search.kernels.driver import (
    SUCCESSORS,
    Counts,
    Functions,
    Numbers,
    Pace,
    Status,
    Successors,
    Words,
    actions_along,
    bounded,
    checkpoint,
    functions_of,
    machine_of,
    nodes_left,
    path_of,
    require_memory,
    room_for,
    room_for_successors,
    state_at,
    words_of,
)
from search.kernels.loading import kernel
from search.kernels.records import Ledger, signed
from search.kernels.table import (
    CELLS_PER_STATE,
    EMPTY,
    FULL,
    GROUP,
    OF,
    HashTable,
    Known,
    add_nodes,
    find_node,
    home,
    node_cell,
    prefetch_nodes,
)
from search.space import Found, LimitReached, SearchSpace

NO_LIMIT = 1 << 62  # on the cost of paths: sums may then be larger than a word


class Sweep(Ledger):
    """How far the layer at hand is expanded."""

    cursor: int  # the next node to expand
    candidates: int
    expanded: int
    generated: int
    waiting: int  # successors in the buffers that are not yet looked at,
    batch: int  # those of so many nodes from the cursor on


@kernel
def expand_layer(
    puzzle: Functions, sweep: Sweep, kept: Known, candidates: Known, origins: Numbers, out: Successors, paid: Counts,
    costs: Counts, below: int, until: int,
) -> int:  # fmt: skip
    """Expand the nodes from the cursor to `until`; successors seen for the first time become candidates, if their path
    costs less than `below`. Ends early at a goal, which is the last candidate then, and where the arrays of the
    candidates have no room."""
    words, table = puzzle.words, candidates.cells
    while sweep.cursor < until:
        if not sweep.batch:
            sweep.batch = min(out.batch, until - sweep.cursor)
            sweep.waiting = expand_states(puzzle, kept.states, sweep.cursor * words, sweep.batch, out)
        n, first = sweep.waiting, sweep.candidates
        if first + n > min(len(origins), len(table) * FULL // OF):
            return Status.STATES_FULL
        prefetch_nodes(kept, out.states, n, out.hashes)
        for i in range(n):
            prefetch(table, home(out.hashes[i], np.uint64(len(table))))
        for i in range(n):
            if kept.cells[find_node(kept, out.states, i * words, out.hashes[i])] != EMPTY:
                continue
            cost = paid[sweep.cursor + out.parents[i]] + out.costs[i]
            if below != NO_LIMIT and cost >= below:
                continue
            at = find_node(candidates, out.states, i * words, out.hashes[i])
            if table[at] != EMPTY:
                continue
            number = sweep.candidates
            sweep.candidates += 1
            table[at] = node_cell(out.hashes[i], number)
            origins[number] = sweep.cursor + out.parents[i]
            costs[number] = cost
            for word in range(words):
                candidates.states[number * words + word] = out.states[i * words + word]
        new = sweep.candidates - first
        reached = call_goal(puzzle.goal, candidates.states, first * words, new)
        if reached < new:
            sweep.candidates = first + reached + 1
            parent = signed(origins[first + reached])
            for i in range(n):
                sweep.generated += sweep.cursor + out.parents[i] <= parent
            sweep.expanded += parent + 1 - sweep.cursor
            return Status.FOUND
        sweep.expanded += sweep.batch
        sweep.generated += n
        sweep.cursor += sweep.batch
        sweep.batch = sweep.waiting = 0
    return Status.PAUSED


@kernel
def estimate_all(estimate: int, states: Words, n: int, out: Counts) -> None:
    call_estimate(estimate, states, 0, n, out)


class Beam:
    """One search: the nodes, of which the last ones are the layer at hand, and its candidates."""

    def __init__(self, space: SearchSpace, width: int) -> None:
        self.space, self.width = space, width
        self.machine = machine_of(space)
        self.puzzle, self.words = functions_of(self.machine), self.machine.words
        room = room_for(space.limits, 2 * (8 * self.words + 12 + 8 * CELLS_PER_STATE))
        self.kept = np.empty(room * self.words, np.uint64)
        self.parents = np.empty(room, np.uint32)
        self.paid = np.empty(room, np.int64)  # on the way to each node
        self.kept_table = HashTable(room)
        self.nodes = 0
        self.successors = room_for_successors(self.machine)
        room = min(room, width * self.machine.branching)
        self.candidates = np.empty(room * self.words, np.uint64)
        self.origins = np.empty(room, np.uint32)
        self.costs = np.empty(room, np.int64)
        self.below = min(NO_LIMIT, space.below)
        self.table = HashTable(room)
        self.sweep = Sweep()
        self.pace = Pace(max(1, SUCCESSORS // max(1, self.machine.branching)))

    def search(self) -> Found | None:
        if self.machine.is_goal(self.machine.initial):
            return Found((), 0)
        self._keep(words_of([self.machine.initial], self.words), np.zeros(1, np.uint32), np.zeros(1, np.int64))
        depth = 0
        while self.sweep.cursor < self.nodes:
            if self._expand_layer(depth):
                return self._plan()
            self._keep_best()
            depth += 1
        return None

    def _expand_layer(self, depth: int) -> bool:
        """Expand all nodes from the cursor on; True if that reached a goal."""
        sweep, statistics = self.sweep, self.space.statistics
        frontier = self.nodes - sweep.cursor
        while (left := self.nodes - sweep.cursor) > 0:
            checkpoint(self.space)
            allowed = nodes_left(self.space, min(left, self.pace.start()))
            statistics.max_depth, statistics.max_frontier = depth, max(statistics.max_frontier, frontier)
            kept = self.kept_table.over(self.kept, self.words)
            candidates = self.table.over(self.candidates, self.words)
            status = expand_layer(
                self.puzzle, sweep, kept, candidates, self.origins, self.successors, self.paid, self.costs,
                self.below, sweep.cursor + allowed,
            )  # fmt: skip
            self.pace.stop()
            statistics.expanded, statistics.generated = sweep.expanded, sweep.generated
            if status == Status.FOUND:
                return True
            if status == Status.STATES_FULL:
                self._more_candidates(sweep.candidates + sweep.waiting)
        return False

    def _more_candidates(self, needed: int) -> None:
        if needed > len(self.origins):
            raise LimitReached(Outcome.MEMORY_LIMIT)
        enlarge(self.space, self.table, needed)

    def _keep_best(self) -> None:
        """Turn the best candidates into nodes, which are the next layer."""
        n = self.sweep.candidates
        estimates = self._estimates(n)
        wanted = self._wanted(estimates)
        best = wanted[best_of(estimates[wanted], self.width)]
        states = self.candidates[: n * self.words].reshape(-1, self.words)[best]
        self._keep(states.reshape(-1), self.origins[best], self.costs[best])
        self.table.cells[:] = EMPTY
        self.sweep.candidates = 0

    def _wanted(self, estimates: Counts) -> npt.NDArray[np.intp]:
        """The places of the candidates that can become plans below the cost that is wanted."""
        n, heuristic = len(estimates), self.space.heuristic
        alive = estimates < heuristic.lost
        self.space.statistics.leave_out(n - int(np.count_nonzero(alive)))
        if self.below != NO_LIMIT:
            alive &= self.costs[:n] + estimates * heuristic.admissible < self.below
        return np.flatnonzero(alive)

    def _estimates(self, n: int) -> Counts:
        self.space.statistics.evaluated += n
        out = np.zeros(n, np.int64)
        if address := self.space.heuristic.address():
            estimate_all(address, self.candidates, n, out)
        return out

    def _keep(self, states: Words, parents: Numbers, paid: Counts) -> None:
        first, stop = self.nodes, self.nodes + len(parents)
        if stop > len(self.parents):
            raise LimitReached(Outcome.MEMORY_LIMIT)
        self.kept[first * self.words : stop * self.words] = states
        self.parents[first:stop], self.paid[first:stop] = parents, paid
        if stop > self.kept_table.room:
            enlarge(self.space, self.kept_table, stop)
        add_nodes(self.kept_table.over(self.kept, self.words), first, stop, np.empty(GROUP, np.uint64))
        self.nodes = stop

    def _plan(self) -> Found:
        goal = self.sweep.candidates - 1
        path = path_of(self.kept, self.parents, int(self.origins[goal]), self.words)
        path.append(state_at(self.candidates, goal, self.words))
        return actions_along(self.machine, path, cheapest=self.below != NO_LIMIT)  # the first of them may be too dear


def enlarge(space: SearchSpace, table: HashTable, states: int) -> None:
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
