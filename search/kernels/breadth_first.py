"""Breadth-first search layer by layer, and the walk through the whole reachable space.

Moore 1959; Lee 1961; the batches, hashed and prefetched before they are probed, are the idea of software prefetching in
hash joins (Chen, Ailamaki, Gibbons, Mowry 2004). States stay where they are generated, so a layer is a range of
their numbers, and a parent is a number. A table of keys holds the states of one word a second time, which saves a miss
on every duplicate: 12 bytes a state with the parent, and 10 to 15 for the table. States of several words are in a
table of nodes, whose tags save nearly all comparisons in vain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from models.outcomes import Outcome
from search.kernels.calls import call_expand, call_goal
from search.kernels.driver import (
    Buffers,
    Counts,
    Machine,
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
    words_of,
)
from search.kernels.table import (
    CELLS_PER_STATE,
    EMPTY,
    GROUP,
    Table,
    add_key,
    add_keys,
    add_nodes,
    find_node,
    has_key,
    inner,
    kernel,
    node_cell,
    prefetch_keys,
    prefetch_matches,
    prefetch_nodes,
)
from search.options import Options
from search.space import Found, LimitReached, SearchSpace

# what a kernel answers: the layers came to an end, or reached `PAUSE`; the goal is state `REACHED`; `STOP` states are
# expanded; there is no room for `WANTED` states, or for another layer
EXHAUSTED, PAUSED, FOUND, STOPPED, FULL, LAYERS_FULL = range(6)

# what is where in `run`: states HEAD..END-1 of the layer DEPTH are not expanded yet, COUNT are known; GENERATED,
# DEEPEST and WIDEST are for the statistics (FRONTIER is what the other side adds); BATCH is the size of a batch
HEAD, END, COUNT, DEPTH, PAUSE, STOP, ROOM, WANTED, BATCH, FRONTIER, GENERATED, DEEPEST, WIDEST, REACHED = range(14)

FIRST_CALL = 1 << 17  # successors that a kernel makes before it is known how fast it is
GRANT = 1 << 20  # states for which memory is asked at a time


@inner
def add_new_keys(table: Any, filler: Any, out: Any, n: Any, states: Any, count: Any, homes: Any) -> Any:
    """Append those of n successors that are new. Their places among the successors overwrite `homes`."""
    new = 0
    for start in range(0, n, GROUP):
        stop = min(n, start + GROUP)
        prefetch_keys(table, out[start:stop], stop - start, homes[start:stop])
        for i in range(start, stop):
            if add_key(table, filler, out[i], homes[i]):
                states[count + new] = out[i]
                homes[new] = i
                new += 1
    return count + new


@inner
def add_new_nodes(table: Any, words: Any, out: Any, n: Any, states: Any, count: Any, hashes: Any) -> Any:
    """The same for states of several words."""
    new = 0
    for start in range(0, n, GROUP):
        stop = min(n, start + GROUP)
        group = out[start * words : stop * words]
        prefetch_nodes(table, group, words, stop - start, hashes[start:stop])
        prefetch_matches(table, states, words, stop - start, hashes[start:stop])
        for i in range(start, stop):
            at = find_node(table, states, out, i * words, words, hashes[i])
            if table[at] == EMPTY:
                number = count + new
                table[at] = node_cell(hashes[i], number)
                for word in range(words):
                    states[number * words + word] = out[i * words + word]
                hashes[new] = i
                new += 1
    return count + new


@inner
def first_known(table: Any, filler: Any, kept: Any, words: Any, states: Any, first: Any, last: Any, homes: Any) -> Any:
    """The first of the states first..last-1 that the table of the other side knows; `last` if none is."""
    if words == 1:
        prefetch_keys(table, states[first:last], last - first, homes)
        for number in range(first, last):
            if has_key(table, filler, states[number], homes[number - first]):
                return number
        return last
    prefetch_nodes(table, states[first * words : last * words], words, last - first, homes)
    for number in range(first, last):
        if table[find_node(table, kept, states, number * words, words, homes[number - first])] != EMPTY:
            return number
    return last


@kernel(
    "int64(int64, int64, int64, uint64, uint64[::1], uint64[::1], uint32[::1], uint32[::1], uint64, uint64[::1],"
    "uint64[::1], uint64[::1], uint32[::1], uint32[::1], int64[::1], uint64[::1], int64[::1])"
)
def grow_layers(
    expand: int,
    goal: int,
    words: int,
    filler: Any,
    table: Words,
    states: Words,
    parents: Numbers,
    starts: Numbers,
    other_filler: Any,
    other_table: Words,
    other_states: Words,
    out: Words,
    actions: Numbers,
    origins: Numbers,
    costs: Counts,
    homes: Words,
    run: Counts,
) -> int:
    """Expand states in order. The search is over with the first new state that is a goal (unless `goal` is 0) or that
    the other table knows (unless it has no cells)."""
    while run[HEAD] < run[END]:
        head, count, depth = run[HEAD], run[COUNT], run[DEPTH]
        if depth == run[PAUSE]:
            return PAUSED
        if depth + 1 == len(starts):
            return LAYERS_FULL
        size = min(run[BATCH], run[END] - head, run[STOP] - head)
        if size <= 0:
            return STOPPED
        n = call_expand(expand, states, head * words, size, out, actions, origins, costs)
        if count + n > run[ROOM]:
            run[WANTED] = count + n
            return FULL
        if words == 1:
            last = add_new_keys(table, filler, out, n, states, count, homes)
        else:
            last = add_new_nodes(table, words, out, n, states, count, homes)
        for number in range(count, last):
            parents[number] = head + origins[homes[number - count]]
        reached = last
        if goal != 0:
            reached = count + call_goal(goal, states, count * words, last - count)
        elif len(other_table) > 0:
            reached = first_known(other_table, other_filler, other_states, words, states, count, last, homes)
        run[COUNT] = last
        run[DEEPEST] = max(run[DEEPEST], depth)
        run[WIDEST] = max(run[WIDEST], run[END] - starts[depth] + run[FRONTIER])
        if reached < last:
            parent = parents[reached] - head
            while n > 0 and origins[n - 1] > parent:
                n -= 1
            run[GENERATED] += n
            run[HEAD] = head + parent + 1
            run[REACHED] = reached
            return FOUND
        run[GENERATED] += n
        run[HEAD] = head + size
        if run[HEAD] == run[END]:
            run[DEPTH] = depth + 1
            starts[depth + 1] = run[END]
            run[END] = last
    return EXHAUSTED


class Layers:
    """The states within ever more steps of the roots, by layers: layer d begins with state number `starts[d]`.

    It may be stopped by a limit or Ctrl-C at any time, and continued.
    """

    def __init__(self, space: SearchSpace, machine: Machine, roots: Sequence[int], sides: int = 1) -> None:
        self.machine, self.words = machine, machine.words
        room = room_for(space.limits, 8 * self.words + 4 + 8 * CELLS_PER_STATE) // sides
        if len(roots) > room:
            raise LimitReached(Outcome.MEMORY_LIMIT)
        self._states = np.empty(room * self.words, np.uint64)
        self._parents = np.empty(room, np.uint32)
        self._starts = np.zeros(1024, np.uint32)
        self._granted = 0
        self._table = Table(room, next(iter(roots), 0) if self.words == 1 else None)
        self._buffers = Buffers(machine)
        self._pace = Pace(max(1, FIRST_CALL // max(1, machine.branching)))
        self._run = np.zeros(14, np.int64)
        self._run[BATCH] = self._buffers.batch
        self._counted = (0, 0)
        self._plant(space, roots)

    def _plant(self, space: SearchSpace, roots: Sequence[int]) -> None:
        n = len(roots)
        self._make_room(space, n)
        self._states[: n * self.words] = words_of(roots, self.words)
        self._parents[:n] = np.arange(n)
        if self.words == 1:
            add_keys(self._table.cells, self._table.filler, self._states, n)
        else:
            add_nodes(self._table.cells, self._states, self.words, 0, n, np.empty(GROUP, np.uint64))
        self._run[[END, COUNT]] = n

    @property
    def count(self) -> int:
        return int(self._run[COUNT])

    @property
    def depth(self) -> int:
        """Of the layer that is being expanded."""
        return int(self._run[DEPTH])

    @property
    def width(self) -> int:
        """States of that layer; none is left if it is 0."""
        return int(self._run[END] - self._starts[self.depth])

    @property
    def states(self) -> Words:
        return self._states[: self.count * self.words]

    @property
    def parents(self) -> Numbers:
        return self._parents[: self.count]

    @property
    def starts(self) -> Numbers:
        """First states of the layers that have any."""
        end = self._run[END]
        layers = self.depth + (self.width > 0) + int(self._run[COUNT] > end)
        return np.append(self._starts[: self.depth + 1], np.uint32(end))[:layers]

    def step(self, space: SearchSpace, goal: int = 0, pause: int | None = None, other: Layers | None = None) -> int:
        """Call the kernel once: it expands up to layer `pause`, or as long as fits between two looks at the limits."""
        self._charge(space)
        checkpoint(space)
        run, table = self._run, self._table
        run[PAUSE] = -1 if pause is None else pause
        if run[DEPTH] == run[PAUSE]:
            return PAUSED
        run[STOP] = run[HEAD] + nodes_left(space, self._pace.start())
        run[ROOM] = min(self._granted, table.room)
        run[FRONTIER] = other.width if other else 0
        theirs = (other._table.filler, other._table.cells, other._states) if other else (EMPTY, NO_WORDS, NO_WORDS)
        mine = (table.filler, table.cells, self._states, self._parents, self._starts)
        puzzle = (self.machine.expand, goal, self.words)
        status = int(grow_layers(*puzzle, *mine, *theirs, *self._buffers.arrays, self._buffers.homes, run))
        self._pace.stop()
        self._charge(space)
        if status == FULL:
            self._make_room(space, int(run[WANTED]))
        elif status == LAYERS_FULL:
            self._starts = np.concatenate([self._starts, np.zeros_like(self._starts)])
        return status

    @bounded
    def walk(self, space: SearchSpace) -> None:
        """To the end, without a goal."""
        while self.width:
            self.step(space)

    def _charge(self, space: SearchSpace) -> None:
        """Move what happened since the last time into the statistics."""
        expanded, generated = self._counted
        self._counted = int(self._run[HEAD]), int(self._run[GENERATED])
        statistics = space.statistics
        statistics.expanded += self._counted[0] - expanded
        statistics.generated += self._counted[1] - generated
        statistics.max_depth = max(statistics.max_depth, int(self._run[DEEPEST]))
        statistics.max_frontier = max(statistics.max_frontier, int(self._run[WIDEST]))

    def _make_room(self, space: SearchSpace, wanted: int) -> None:
        """Room for so many states, or LimitReached before the memory is touched."""
        if wanted > self._granted:
            granted = min(len(self._parents), max(wanted, self._granted + GRANT))
            if granted < wanted:
                raise LimitReached(Outcome.MEMORY_LIMIT)
            require_memory(space, (granted - self._granted) * (8 * self.words + 4))
            self._granted = granted
        if wanted > self._table.room:
            cells = self._table.capacity_for(wanted)
            require_memory(space, (cells - len(self._table.cells)) * 8)
            self._table.grow(cells)

    def path_to(self, number: int) -> list[int]:
        """The states from the root to this one."""
        return path_of(self._states, self._parents, number, self.words)

    def number_of(self, state: int) -> int:
        """Of a state that is known; a look at all of them."""
        pattern = words_of([state], self.words)
        for first in range(0, self.count, GRANT):
            rows = self.states[first * self.words : (first + GRANT) * self.words].reshape(-1, self.words)
            places = np.flatnonzero((rows == pattern).all(axis=1))
            if len(places):
                return first + int(places[0])
        raise KeyError(state)

    @property
    def reached(self) -> int:
        """The state that ended the search."""
        return int(self._run[REACHED])


NO_WORDS = np.empty(0, np.uint64)


@bounded
def breadth_first(space: SearchSpace, options: Options) -> Found | None:
    """A plan with the fewest steps, or None if the reachable space is exhausted."""
    machine = machine_of(space)
    if machine.is_goal(machine.initial):
        return Found((), 0)
    layers = Layers(space, machine, [machine.initial])
    while layers.width:
        space.prove_length(layers.depth + 1)
        if layers.step(space, machine.goal, space.limits.max_horizon) == FOUND:
            space.prove_length(layers.depth + 1)
            return actions_along(machine, layers.path_to(layers.reached), cheapest=False)
    space.prove_length(layers.depth)
    return None


@bounded
def states_within(space: SearchSpace, depth: int) -> tuple[Words, Counts]:
    """The states at most `depth` steps from the start: (words of a state after words of a state, steps to each)."""
    layers = reachable(space)
    while layers.width and layers.depth < depth:
        layers.step(space, pause=depth)
    sizes = np.diff(np.append(layers.starts.astype(np.int64), layers.count))
    return layers.states, np.repeat(np.arange(len(sizes)), sizes)


@bounded
def reachable(space: SearchSpace) -> Layers:
    """What `Layers.walk` turns into the whole reachable space."""
    machine = machine_of(space)
    return Layers(space, machine, [machine.initial])
