"""Iterative deepening in machine code: `algorithms.ida_star` and iterative deepening on depth, walk for walk the same.

One iteration walks depth first (Korf 1985). The successors of every state on the path lie in a block on one stack of
entries; `place` says which entry of its block is tried next, and the end of the last block is the top. Hashes and
estimates are made for a whole block at once, but looked at and counted one by one, as in the reference.

Whether a state is on the path is found by a small hash table of entries. Who came last leaves first, so that emptying
a slot needs no mending: the entries that were put behind it are gone already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, cast

import numpy as np
from numba import uint32, uint64

from models.outcomes import Outcome
from search.algorithms.ida_star import Remembering
from search.kernels.calls import call_estimate, call_expand, call_goal, prefetch
from search.kernels.driver import (
    MOST_STATES,
    Counts,
    Machine,
    Pace,
    Words,
    checkpoint,
    grow,
    machine_of,
    nodes_left,
    require_memory,
    room_for,
    words_of,
)
from search.kernels.table import (
    CELLS_PER_STATE,
    EMPTY,
    NUMBER,
    Numbers,
    Table,
    find_node,
    hash_state,
    home,
    inner,
    kernel,
    node_cell,
    same_state,
)
from search.space import Found, LimitReached, SearchSpace

DONE, FOUND, PAUSED, ROOM = range(4)  # what a call of the kernel ends with

# what stays the same during a search: words of an int64 array
EXPAND, GOAL, WORDS, BRANCHING, ESTIMATE, COUNT_STEPS, CAPACITY, ROWS = range(8)

# where a walk stands: words of an int64 array; NODE is an entry that is about to be expanded, or -1
NODE, DEPTH, DEEPEST, EXPANDED, GENERATED, EVALUATED, CUT_OFF, TABLED = range(8)

NOT_THERE = np.uint32(0xFFFFFFFF)
INFINITY = (1 << 63) - 1  # an f no path has: `SearchSpace.check_steps` ends a search before its f comes near
ENTRIES, DEPTHS = 1 << 10, 1 << 8  # room to begin with
PATH_SLOTS = 4  # for each state on the path


# --- inside the kernels -----------------------------------------------------------------------------------------------


@inner
def same(states: Any, one: Any, other: Any, words: Any) -> Any:
    """Are two entries the same state? One word is worth a case of its own."""
    return states[one] == states[other] if words == 1 else same_state(states, one * words, states, other * words, words)


@inner
def path_slot(path: Any, states: Any, words: Any, entry: Any, hashed: Any) -> Any:
    """The slot of the entry's state among the states on the path, or the empty slot where it would stand."""
    mask = uint64(len(path) - 1)
    slot = hashed & mask
    while path[slot] != NOT_THERE:
        if same(states, path[slot], entry, words):
            break
        slot = (slot + uint64(1)) & mask
    return slot


@inner
def keep_allowed(allowed: Any, row: Any, states: Any, words: Any, actions: Any, costs: Any, top: Any, n: Any) -> Any:
    """Close the ranks of the n successors above `top` without those that need not follow; how many stay."""
    kept = top
    for entry in range(top, top + n):
        if allowed[row + actions[entry]]:
            for word in range(words):
                states[kept * words + word] = states[entry * words + word]
            actions[kept] = actions[entry]
            costs[kept] = costs[entry]
            kept += 1
    return kept - top


# --- kernels ----------------------------------------------------------------------------------------------------------


@kernel("void(int64, uint64[::1], int64, int64[::1], uint64[::1])")
def appraise(estimate: int, states: Words, words: int, estimates: Counts, hashes: Words) -> None:
    """Estimate and hash of the start."""
    hashes[0] = hash_state(states, 0, words)
    if estimate != 0:
        call_estimate(estimate, states, 0, 1, estimates)


@kernel("void(uint64[::1], int64, int64, int64[::1], int64[::1], uint32[::1])")
def lay_path(states: Words, words: int, depth: int, place: Counts, slots: Counts, path: Numbers) -> None:
    """Enter the states of a path, which is `depth` steps long, into an empty table."""
    for d in range(depth + 1):
        entry = 0 if d == 0 else place[d - 1] - 1
        slot = path_slot(path, states, words, entry, hash_state(states, entry * words, words))
        path[slot] = uint32(entry)
        slots[d] = slot


@kernel(
    "int64(int64[::1], int64[::1], int64, int64, uint8[::1],"  # the search, the walk, its limits, the pruning
    " uint64[::1], uint32[::1], uint32[::1], int64[::1], int64[::1], uint64[::1],"  # the entries
    " int64[::1], int64[::1], int64[::1], int64[::1], uint32[::1],"  # the path
    " uint64[::1], uint64[::1], int64[::1])"  # the table of transpositions
)
def walk(
    search: Counts, walked: Counts, bound: int, work: int, allowed: Any,
    states: Words, actions: Numbers, parents: Numbers, costs: Counts, estimates: Counts, hashes: Words,
    place: Counts, end: Counts, g: Counts, slots: Counts, path: Numbers,
    table: Words, tabled_states: Words, tabled_f: Counts,
) -> int:  # fmt: skip
    """Go on with an iteration until it is done, meets a goal, has expanded `work` states or needs room."""
    words, capacity, count_steps, rows = search[WORDS], search[CAPACITY], search[COUNT_STEPS] != 0, search[ROWS]
    cells = uint64(len(table))
    full = min(len(tabled_f), len(table) // 2)
    node, depth, deepest, tabled = walked[NODE], walked[DEPTH], walked[DEEPEST], walked[TABLED]
    expanded, generated, evaluated, cut_off = 0, 0, 0, walked[CUT_OFF]
    status = DONE
    while True:
        if node >= 0:
            top = 1 if depth < 0 else end[depth]
            if expanded == work:
                status = PAUSED
                break
            if depth + 1 == len(place) or top + search[BRANCHING] > len(actions):
                status = ROOM
                break
            n = call_expand(search[EXPAND], states, node * words, 1, states[top * words :], actions[top:], parents,
                            costs[top:])  # fmt: skip
            if rows != 0 and depth >= 0:
                n = keep_allowed(allowed, actions[node] * rows, states, words, actions, costs, top, n)
            for entry in range(top, top + n):
                hashes[entry] = hash_state(states, entry * words, words)
                if capacity != 0:
                    prefetch(table, home(hashes[entry], cells))
            if search[ESTIMATE] != 0:
                call_estimate(search[ESTIMATE], states, top * words, n, estimates[top:])
            slot = path_slot(path, states, words, node, hashes[node])
            path[slot] = uint32(node)
            depth += 1
            slots[depth], place[depth], end[depth] = slot, top, top + n
            g[depth] = 0 if depth == 0 else g[depth - 1] + (1 if count_steps else costs[node])
            deepest = max(deepest, depth)
            expanded += 1
            generated += n
            node = -1
        if place[depth] == end[depth]:
            path[slots[depth]] = NOT_THERE
            depth -= 1
            if depth < 0:
                break
            continue
        if tabled == full and tabled < capacity:
            status = ROOM
            break
        entry = place[depth]
        place[depth] += 1
        if path[path_slot(path, states, words, entry, hashes[entry])] != NOT_THERE:
            continue
        evaluated += 1
        f = g[depth] + (1 if count_steps else costs[entry]) + estimates[entry]
        if capacity == 0:
            if f > bound:
                cut_off = min(cut_off, f)
        else:
            cell = find_node(table, tabled_states, states, entry * words, words, hashes[entry])
            if table[cell] != EMPTY:
                number = table[cell] & NUMBER
                if f >= tabled_f[number]:
                    continue
                tabled_f[number] = f
            elif tabled < capacity:
                table[cell] = node_cell(hashes[entry], tabled)
                for word in range(words):
                    tabled_states[tabled * words + word] = states[entry * words + word]
                tabled_f[tabled] = f
                tabled += 1
            elif f > bound:
                cut_off = min(cut_off, f)
        if f <= bound:
            if call_goal(search[GOAL], states, entry * words, 1) == 0:
                status = FOUND
                break
            node = entry
    walked[NODE], walked[DEPTH], walked[DEEPEST] = node, depth, deepest
    walked[TABLED], walked[CUT_OFF] = tabled, cut_off
    walked[EXPANDED], walked[GENERATED], walked[EVALUATED] = expanded, generated, evaluated
    return status


# --- drivers ----------------------------------------------------------------------------------------------------------


def constants(machine: Machine) -> tuple[int, ...]:
    return machine.expand, machine.goal, machine.words, machine.branching


def pace_for(machine: Machine) -> Pace:
    return Pace(max(1, (1 << 14) // machine.branching))


def allowance(space: SearchSpace, pace: Pace) -> int:
    """How many states the next call may expand: perhaps none, since it may end without expanding any."""
    checkpoint(space)
    work = pace.start()
    return work if space.limits.nodes is None else min(work, space.limits.nodes - space.statistics.expanded)


def after_pause(space: SearchSpace, pace: Pace) -> None:
    """A state waits to be expanded: LimitReached if it must not be."""
    pace.stop()
    nodes_left(space, 1)


def count(space: SearchSpace, walked: Counts) -> None:
    """What one call of a kernel did, into the statistics."""
    statistics, deepest = space.statistics, int(walked[DEEPEST])
    statistics.expanded += int(walked[EXPANDED])
    statistics.generated += int(walked[GENERATED])
    statistics.max_depth = max(statistics.max_depth, deepest)
    statistics.max_frontier = max(statistics.max_frontier, deepest)
    space.check_steps(deepest + 1)


class Stack:
    """The successors of the states on the path, block upon block; entry 0 is the start."""

    of_entries: ClassVar[tuple[str, ...]] = ("actions", "costs", "hashes")
    of_steps: ClassVar[tuple[str, ...]] = ("place", "end")

    def __init__(self, machine: Machine) -> None:
        self.words, self.branching = machine.words, machine.branching
        room = ENTRIES + machine.branching
        self.states = np.zeros(room * self.words, np.uint64)
        self.states[: self.words] = words_of([machine.initial], self.words)
        self.actions = np.zeros(room, np.uint32)
        self.parents = np.zeros(self.branching, np.uint32)  # `expand` tells them, but there is only one
        self.costs = np.zeros(room, np.int64)
        self.hashes = np.zeros(room, np.uint64)
        self.place = np.zeros(DEPTHS, np.int64)  # the entry of each block that is tried next
        self.end = np.zeros(DEPTHS, np.int64)  # of each block

    def make_room(self, space: SearchSpace, depth: int) -> None:
        """For one more step and one more block."""
        if depth + 1 == len(self.place):
            for name in self.of_steps:
                grow(getattr(self, name), 0)
        needed = int(self.end[depth]) + self.branching if depth >= 0 else 0
        if needed > MOST_STATES:
            raise LimitReached(Outcome.MEMORY_LIMIT)
        if needed > len(self.actions):
            require_memory(space, needed // 2 * 8 * (self.words + len(self.of_entries)))
            grow(self.states, needed * self.words)
            for name in self.of_entries:
                grow(getattr(self, name), needed)

    def plan(self, depth: int) -> Found:
        """The steps of the path, down to the entry last tried."""
        steps = self.place[: depth + 1] - 1
        return Found(cast(Any, tuple(self.actions[steps].tolist())), sum(self.costs[steps].tolist()))


class EstimatedStack(Stack):
    """A stack with an estimate for each entry (0 without a heuristic) and the g of each state on the path."""

    of_entries: ClassVar[tuple[str, ...]] = (*Stack.of_entries, "estimates")
    of_steps: ClassVar[tuple[str, ...]] = (*Stack.of_steps, "g")

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.estimates = np.zeros(len(self.actions), np.int64)
        self.g = np.zeros(DEPTHS, np.int64)


class Transpositions:
    """The smallest f by which each state was met in this iteration, for at most `capacity` states."""

    def __init__(self, capacity: int, space: SearchSpace, words: int) -> None:
        room = max(1, min(capacity, room_for(space.limits, 8 * words + 8 + 16 * CELLS_PER_STATE)))
        self.table = Table(2 * room)
        self.states = np.empty(room * words, np.uint64)
        self.f = np.empty(room, np.int64)

    def clear(self, bound: int) -> None:
        """All but the start, which is on the path, so that nobody asks for it: it only takes a place."""
        self.table.cells[:] = EMPTY
        self.f[0] = bound

    def make_room(self, space: SearchSpace) -> None:
        size = len(self.table.cells)
        if size // 2 >= len(self.f):
            raise LimitReached(Outcome.MEMORY_LIMIT)
        wanted = self.table.capacity_for(size // 2)
        require_memory(space, 8 * (wanted - size))
        self.table.grow(wanted)

    def least_above(self, bound: int, tabled: int) -> int:
        f = self.f[:tabled]
        return int(f[f > bound].min(initial=INFINITY))


class Deepening:
    """A search by walks of rising bounds."""

    def __init__(self, space: SearchSpace, capacity: int, estimate: int, count_steps: bool) -> None:
        machine = machine_of(space)
        self.space = space
        self.counts_evaluated = not count_steps
        self.stack = EstimatedStack(machine)
        self.table = Transpositions(capacity, space, machine.words)
        self.slots = np.zeros(DEPTHS, np.int64)  # where the states on the path stand in `path`
        self.path = np.full(PATH_SLOTS * DEPTHS, NOT_THERE)
        allowed = None if capacity else space.pruning
        matrix = np.zeros((0, 0), np.bool_) if allowed is None else np.ascontiguousarray(allowed, np.bool_)
        self.allowed = matrix.view(np.uint8).ravel()
        self.search = np.array([*constants(machine), estimate, count_steps, capacity, len(matrix)])
        self.walked = np.zeros(TABLED + 1, np.int64)
        self.pace = pace_for(machine)

    def run(self, prove: Callable[[int], None]) -> Found | None:
        stack = self.stack
        appraise(int(self.search[ESTIMATE]), stack.states, stack.words, stack.estimates, stack.hashes)
        bound = int(stack.estimates[0])
        self.space.statistics.evaluated += self.counts_evaluated
        while bound < INFINITY:
            prove(bound)
            if self.iterate(bound):
                return stack.plan(int(self.walked[DEPTH]))
            bound = min(int(self.walked[CUT_OFF]), self.table.least_above(bound, int(self.walked[TABLED])))
        return None

    def iterate(self, bound: int) -> bool:
        """One iteration; does it end at a goal?"""
        walked = self.walked
        walked[NODE], walked[DEPTH], walked[CUT_OFF], walked[TABLED] = 0, -1, INFINITY, self.search[CAPACITY] > 0
        self.table.clear(bound)
        self.path[:] = NOT_THERE
        while (status := self.go_on(bound)) > FOUND:
            if status == PAUSED:
                after_pause(self.space, self.pace)
            else:
                self.make_room()
        return status == FOUND

    def go_on(self, bound: int) -> int:
        stack, table = self.stack, self.table
        status: int = walk(
            self.search, self.walked, bound, allowance(self.space, self.pace), self.allowed,
            stack.states, stack.actions, stack.parents, stack.costs, stack.estimates, stack.hashes,
            stack.place, stack.end, stack.g, self.slots, self.path,
            table.table.cells, table.states, table.f,
        )  # fmt: skip
        count(self.space, self.walked)
        if self.counts_evaluated:
            self.space.statistics.evaluated += int(self.walked[EVALUATED])
        return status

    def make_room(self) -> None:
        depth, stack = int(self.walked[DEPTH]), self.stack
        if self.walked[NODE] < 0:
            self.table.make_room(self.space)
            return
        stack.make_room(self.space, depth)
        if len(stack.place) > len(self.slots):
            self.slots = np.zeros(len(stack.place), np.int64)
            self.path = np.full(2 * len(self.path), NOT_THERE)
            lay_path(stack.states, stack.words, depth, stack.place, self.slots, self.path)


def ida_star(space: SearchSpace, options: Remembering) -> Found | None:
    """As `algorithms.ida_star.ida_star`; the heuristic comes by its address."""
    prove = space.prove_cost if space.heuristic.admissible else lambda bound: None
    return deepen(space, options, space.heuristic.address, False, prove)


def iterative_deepening(space: SearchSpace, options: Remembering) -> Found | None:
    """As `algorithms.depth_first.iterative_deepening`."""
    return deepen(space, options, 0, True, space.prove_length)


def deepen(
    space: SearchSpace, options: Remembering, estimate: int, count_steps: bool, prove: Callable[[int], None]
) -> Found | None:
    machine = machine_of(space)
    if machine.is_goal(machine.initial):
        return Found((), 0)
    return Deepening(space, options.transpositions, estimate, count_steps).run(prove)
