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
from search.kernels.calls import call_goal, expand_states
from search.kernels.chunks import Chunks, Growth, may_share
from search.kernels.crew import Crew
from search.kernels.driver import (
    Counts,
    Functions,
    NativeModel,
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
    words_of,
)
from search.kernels.loading import kernel
from search.kernels.records import inner
from search.kernels.table import (
    CELLS_PER_STATE,
    EMPTY,
    GROUP,
    HashTable,
    Known,
    add_key,
    add_keys,
    add_nodes,
    find_node,
    has_key,
    node_cell,
    prefetch_keys,
    prefetch_matches,
    prefetch_nodes,
)
from search.options import Jobs
from search.space import Found, LimitReached, SearchSpace

FIRST_CALL = 1 << 17  # successors that a kernel makes before it is known how fast it is
GRANT = 1 << 20  # states for which memory is asked at a time
NOBODY_ELSE = Known(np.empty(0, np.uint64), EMPTY, np.empty(0, np.uint64), 1, 1)  # no states: there is no other side


@inner
def add_new_keys(mine: Known, out: Successors, n: Any, count: Any) -> Any:
    """Append those of n successors that are new. Their places among the successors overwrite `hashes`."""
    new = 0
    for start in range(0, n, GROUP):
        stop = min(n, start + GROUP)
        prefetch_keys(mine.cells, out.states[start:stop], stop - start, out.hashes[start:stop])
        for i in range(start, stop):
            if add_key(mine.cells, mine.filler, out.states[i], out.hashes[i]):
                mine.states[count + new] = out.states[i]
                out.hashes[new] = i
                new += 1
    return count + new


@inner
def add_new_nodes(mine: Known, out: Successors, n: Any, count: Any) -> Any:
    """The same for states of several words."""
    words = mine.words
    new = 0
    for start in range(0, n, GROUP):
        stop = min(n, start + GROUP)
        hashes = out.hashes[start:stop]
        prefetch_nodes(mine, out.states[start * words : stop * words], stop - start, hashes)
        prefetch_matches(mine, stop - start, hashes)
        for i in range(start, stop):
            at = find_node(mine, out.states, i * words, out.hashes[i])
            if mine.cells[at] == EMPTY:
                number = count + new
                mine.cells[at] = node_cell(out.hashes[i], number)
                for word in range(words):
                    mine.states[number * words + word] = out.states[i * words + word]
                out.hashes[new] = i
                new += 1
    return count + new


@inner
def first_known(theirs: Known, words: Any, states: Any, first: Any, last: Any, hashes: Any) -> Any:
    """The first of the states first..last-1 that the other side knows; `last` if none is."""
    if words == 1:
        prefetch_keys(theirs.cells, states[first:last], last - first, hashes)
        for number in range(first, last):
            if has_key(theirs.cells, theirs.filler, states[number], hashes[number - first]):
                return number
        return last
    prefetch_nodes(theirs, states[first * words : last * words], last - first, hashes)
    for number in range(first, last):
        if theirs.cells[find_node(theirs, states, number * words, hashes[number - first])] != EMPTY:
            return number
    return last


@kernel
def grow_layers(
    puzzle: Functions, growth: Growth, mine: Known, parents: Numbers, starts: Numbers, theirs: Known, out: Successors
) -> int:
    """Expand states in order. The search is over with the first new state that is a goal (unless there is none) or that
    the other side knows (unless it has no cells)."""
    words = puzzle.words
    while growth.head < growth.end:
        head, count, depth = growth.head, growth.known, growth.depth
        if depth == growth.pause:
            return Status.PAUSED
        if depth + 1 == len(starts):
            return Status.LAYERS_FULL
        size = min(out.batch, growth.end - head, growth.stop - head)
        if size <= 0:
            return Status.PAUSED
        n = expand_states(puzzle, mine.states, head * words, size, out)
        if count + n > growth.room:
            growth.wanted = count + n
            return Status.STATES_FULL
        last = add_new_keys(mine, out, n, count) if words == 1 else add_new_nodes(mine, out, n, count)
        for number in range(count, last):
            parents[number] = head + out.parents[out.hashes[number - count]]
        reached = last
        if puzzle.goal != 0:
            reached = count + call_goal(puzzle.goal, mine.states, count * words, last - count)
        elif len(theirs.cells) > 0:
            reached = first_known(theirs, words, mine.states, count, last, out.hashes)
        growth.known = last
        growth.deepest = max(growth.deepest, depth)
        growth.widest = max(growth.widest, growth.end - starts[depth] + growth.frontier)
        if reached < last:
            parent = parents[reached] - head
            while n > 0 and out.parents[n - 1] > parent:
                n -= 1
            growth.generated += n
            growth.head = head + parent + 1
            growth.reached = reached
            return Status.FOUND
        growth.generated += n
        growth.head = head + size
        if growth.head == growth.end:
            growth.depth = depth + 1
            starts[depth + 1] = growth.end
            growth.end = last
    return Status.DONE


class Layers:
    """The states within ever more steps of the roots, by layers: layer d begins with state number `starts[d]`.

    It may be stopped by a limit or Ctrl-C at any time, and continued.
    """

    def __init__(self, space: SearchSpace, machine: NativeModel, roots: Sequence[int], sides: int = 1,
                 threads: int = 1) -> None:  # fmt: skip
        self.machine, self.words = machine, machine.words
        room = room_for(space.limits, 8 * self.words + 4 + 8 * CELLS_PER_STATE) // sides
        if len(roots) > room:
            raise LimitReached(Outcome.MEMORY_LIMIT)
        self._puzzle = functions_of(machine)
        self._states = np.empty(room * self.words, np.uint64)
        self._parents = np.empty(room, np.uint32)
        self._starts = np.zeros(1024, np.uint32)
        self._granted = 0
        self._table = HashTable(room, next(iter(roots), 0) if self.words == 1 else None)
        self._successors = room_for_successors(machine)
        self._chunks = Chunks(machine, Crew(threads)) if threads > 1 and may_share(machine) else None
        self._pace = Pace(max(1, FIRST_CALL // max(1, machine.branching)))
        self._growth = Growth()
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
            add_nodes(self._known, 0, n, np.empty(GROUP, np.uint64))
        self._growth.end = self._growth.known = n

    @property
    def _known(self) -> Known:
        return self._table.over(self._states, self.words)

    @property
    def count(self) -> int:
        return self._growth.known

    @property
    def depth(self) -> int:
        """Of the layer that is being expanded."""
        return self._growth.depth

    @property
    def width(self) -> int:
        """States of that layer; none is left if it is 0."""
        return self._growth.end - int(self._starts[self.depth])

    @property
    def states(self) -> Words:
        return self._states[: self.count * self.words]

    @property
    def parents(self) -> Numbers:
        return self._parents[: self.count]

    @property
    def starts(self) -> Numbers:
        """First states of the layers that have any."""
        end = self._growth.end
        layers = self.depth + (self.width > 0) + (self.count > end)
        return np.append(self._starts[: self.depth + 1], np.uint32(end))[:layers]

    def step(self, space: SearchSpace, goal: int = 0, pause: int | None = None, other: Layers | None = None) -> int:
        """Call the kernel once: it expands up to layer `pause`, or as long as fits between two looks at the limits."""
        self._charge(space)
        checkpoint(space)
        growth = self._growth
        growth.pause = -1 if pause is None else pause
        if growth.depth == growth.pause:
            return Status.PAUSED
        growth.stop = growth.head + nodes_left(space, self._pace.start())
        growth.room = min(self._granted, self._table.room)
        growth.frontier = other.width if other else 0
        grown = self._puzzle._replace(goal=goal), growth, self._known, self._parents, self._starts
        if self._chunks and not other and self._chunks.worth_it(growth):
            status = self._chunks.grow(*grown)
        else:
            status = grow_layers(*grown, other._known if other else NOBODY_ELSE, self._successors)
        self._pace.stop()
        self._charge(space)
        if status == Status.STATES_FULL:
            self._make_room(space, growth.wanted)
        elif status == Status.LAYERS_FULL:
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
        self._counted = self._growth.head, self._growth.generated
        statistics = space.statistics
        statistics.expanded += self._counted[0] - expanded
        statistics.generated += self._counted[1] - generated
        statistics.max_depth = max(statistics.max_depth, self._growth.deepest)
        statistics.max_frontier = max(statistics.max_frontier, self._growth.widest)

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
            self._table.grow(cells, self._chunks.crew if self._chunks else None)

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
        return self._growth.reached


@bounded
def breadth_first(space: SearchSpace, options: Jobs, sides: int = 1) -> Found | None:
    """A plan with the fewest steps, or None if the reachable space is exhausted. It takes a share of the memory."""
    machine = machine_of(space)
    if machine.is_goal(machine.initial):
        return Found((), 0)
    layers = Layers(space, machine, [machine.initial], sides, options.jobs)
    space.known = lambda: layers.count
    while layers.width:
        space.prove_length(layers.depth + 1)
        if layers.step(space, machine.goal, space.limits.max_horizon) == Status.FOUND:
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
def reachable(space: SearchSpace, threads: int = 1) -> Layers:
    """What `Layers.walk` turns into the whole reachable space."""
    machine = machine_of(space)
    return Layers(space, machine, [machine.initial], threads=threads)
