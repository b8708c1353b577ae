"""Iterative deepening in machine code: `algorithms.ida_star` and iterative deepening on depth, walk for walk the same.

One iteration walks depth first (Korf 1985). The successors of every state on the path lie in a block on one stack of
entries; `place` says which entry of its block is tried next, and the end of the last block is the top. Hashes and
estimates are made for a whole block at once, but looked at and counted one by one, as in the reference.

Whether a state is on the path is found by a small hash table of entries. Who came last leaves first, so that emptying
a slot needs no mending: the entries that were put behind it are gone already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from models.outcomes import Outcome
from search.algorithms.ida_star import Remembering
from search.kernels.calls import call_estimate, call_expand, call_goal, prefetch
from search.kernels.driver import (
    MOST_STATES,
    Counts,
    Functions,
    NativeModel,
    Numbers,
    Pace,
    Status,
    Words,
    checkpoint,
    functions_of,
    grow,
    machine_of,
    nodes_left,
    require_memory,
    room_for,
    words_of,
)
from search.kernels.loading import kernel
from search.kernels.records import Ledger, inner
from search.kernels.table import (
    CELLS_PER_STATE,
    EMPTY,
    NUMBER,
    HashTable,
    Known,
    find_node,
    hash_state,
    home,
    node_cell,
    same_state,
)
from search.space import Found, LimitReached, SearchSpace

NOT_THERE = np.uint32(0xFFFFFFFF)
INFINITY = (1 << 63) - 1  # an f no path has: `SearchSpace.check_steps` ends a search before its f comes near
ENTRIES, DEPTHS = 1 << 10, 1 << 8  # room to begin with
PATH_SLOTS = 4  # for each state on the path


class Position(Ledger):
    """Where a search stands, and what one call of its kernel did."""

    node: int  # an entry that is about to be expanded, or -1
    depth: int
    deepest: int
    expanded: int
    generated: int


class Walked(Position):
    """The same of one iteration."""

    evaluated: int
    dead_ends: int  # that were left out
    cut_off: int  # the least f beyond the bound
    tabled: int  # states in the table of transpositions


class Manner(NamedTuple):
    """How the walks of a search go."""

    count_steps: bool  # instead of costs
    capacity: int  # of the table of transpositions
    rows: int  # of the matrix `allowed`, none if any action may follow any
    allowed: npt.NDArray[np.uint8]
    lost: int  # states of such an estimate are dead ends


class Path(NamedTuple):
    """The states on the path as a hash table of their entries; `slots` says where each of them stands in it."""

    slots: Counts
    entries: Numbers


# --- inside the kernels -----------------------------------------------------------------------------------------------


@inner
def same(states: Any, one: Any, other: Any, words: Any) -> Any:
    """Are two entries the same state? One word is worth a case of its own."""
    return states[one] == states[other] if words == 1 else same_state(states, one * words, states, other * words, words)


@inner
def path_slot(path: Any, states: Any, words: Any, entry: Any, hashed: Any) -> Any:
    """The slot of the entry's state among the states on the path, or the empty slot where it would stand."""
    mask = np.uint64(len(path) - 1)
    slot = hashed & mask
    while path[slot] != NOT_THERE:
        if same(states, path[slot], entry, words):
            break
        slot = (slot + np.uint64(1)) & mask
    return slot


@inner
def expand_onto(puzzle: Functions, stack: Stack, node: Any, top: Any) -> Any:
    """Expand an entry; its successors are the entries from `top` on."""
    words = puzzle.words
    return call_expand(puzzle.expand, stack.states, node * words, 1, stack.states[top * words :], stack.actions[top:],
                       stack.parents, stack.costs[top:])  # fmt: skip


@inner
def keep_allowed(manner: Manner, row: Any, stack: Stack, words: Any, top: Any, n: Any) -> Any:
    """Close the ranks of the n successors above `top` without those that need not follow; how many stay."""
    kept = top
    for entry in range(top, top + n):
        if manner.allowed[row + stack.actions[entry]]:
            for word in range(words):
                stack.states[kept * words + word] = stack.states[entry * words + word]
            stack.actions[kept] = stack.actions[entry]
            stack.costs[kept] = stack.costs[entry]
            kept += 1
    return kept - top


# --- the stack --------------------------------------------------------------------------------------------------------


class Stack(NamedTuple):
    """The successors of the states on the path, block upon block; entry 0 is the start. Some searches need neither
    estimates nor g: then these have no room."""

    states: Words
    actions: Numbers
    parents: Numbers  # `expand` tells them, but there is only one
    costs: Counts
    hashes: Words
    estimates: Counts  # 0 without a heuristic
    place: Counts  # the entry of each block that is tried next
    end: Counts  # of each block
    g: Counts  # of each state on the path

    def make_room(self, space: SearchSpace, puzzle: Functions, depth: int) -> None:
        """For one more step and one more block."""
        if depth + 1 == len(self.place):
            for array in used(self.place, self.end, self.g):
                grow(array, 0)
        needed = int(self.end[depth]) + puzzle.branching if depth >= 0 else 0
        if needed > MOST_STATES:
            raise LimitReached(Outcome.MEMORY_LIMIT)
        if needed > len(self.actions):
            of_entries = used(self.actions, self.costs, self.hashes, self.estimates)
            require_memory(space, needed // 2 * 8 * (puzzle.words + len(of_entries)))
            grow(self.states, needed * puzzle.words)
            for array in of_entries:
                grow(array, needed)

    def plan(self, depth: int) -> Found:
        """The steps of the path, down to the entry last tried."""
        steps = self.place[: depth + 1] - 1
        return Found(cast(Any, tuple(self.actions[steps].tolist())), sum(self.costs[steps].tolist()))


def used(*arrays: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    return [array for array in arrays if len(array)]


def stack_for(machine: NativeModel, estimated: bool) -> Stack:
    room = ENTRIES + machine.branching
    states = np.zeros(room * machine.words, np.uint64)
    states[: machine.words] = words_of([machine.initial], machine.words)
    return Stack(
        states=states,
        actions=np.zeros(room, np.uint32),
        parents=np.zeros(machine.branching, np.uint32),
        costs=np.zeros(room, np.int64),
        hashes=np.zeros(room, np.uint64),
        estimates=np.zeros(room if estimated else 0, np.int64),
        place=np.zeros(DEPTHS, np.int64),
        end=np.zeros(DEPTHS, np.int64),
        g=np.zeros(DEPTHS if estimated else 0, np.int64),
    )


# --- kernels ----------------------------------------------------------------------------------------------------------


@kernel
def appraise(puzzle: Functions, stack: Stack) -> None:
    """Estimate and hash of the start."""
    stack.hashes[0] = hash_state(stack.states, 0, puzzle.words)
    if puzzle.estimate != 0:
        call_estimate(puzzle.estimate, stack.states, 0, 1, stack.estimates)


@kernel
def lay_path(puzzle: Functions, stack: Stack, depth: int, path: Path) -> None:
    """Enter the states of a path, which is `depth` steps long, into an empty table."""
    words = puzzle.words
    for d in range(depth + 1):
        entry = 0 if d == 0 else stack.place[d - 1] - 1
        hashed = hash_state(stack.states, entry * words, words)
        slot = path_slot(path.entries, stack.states, words, entry, hashed)
        path.entries[slot] = np.uint32(entry)
        path.slots[d] = slot


@kernel
def walk(
    puzzle: Functions, manner: Manner, walked: Walked, bound: int, work: int, stack: Stack, path: Path, table: Known,
    least_f: Counts,
) -> int:  # fmt: skip
    """Go on with an iteration until it is done, meets a goal, has expanded `work` states or needs room."""
    words, capacity, count_steps, rows = puzzle.words, manner.capacity, manner.count_steps, manner.rows
    states, costs, hashes, place, end, g = stack.states, stack.costs, stack.hashes, stack.place, stack.end, stack.g
    cells = np.uint64(len(table.cells))
    full = min(len(least_f), len(table.cells) // 2)
    node, depth, deepest, tabled = walked.node, walked.depth, walked.deepest, walked.tabled
    expanded, generated, evaluated, dead_ends, cut_off = 0, 0, 0, 0, walked.cut_off
    status = Status.DONE
    while True:
        if node >= 0:
            top = 1 if depth < 0 else end[depth]
            if expanded == work:
                status = Status.PAUSED
                break
            if depth + 1 == len(place) or top + puzzle.branching > len(stack.actions):
                status = Status.STACK_FULL
                break
            n = expand_onto(puzzle, stack, node, top)
            if rows != 0 and depth >= 0:
                n = keep_allowed(manner, stack.actions[node] * rows, stack, words, top, n)
            for entry in range(top, top + n):
                hashes[entry] = hash_state(states, entry * words, words)
                if capacity != 0:
                    prefetch(table.cells, home(hashes[entry], cells))
            if puzzle.estimate != 0:
                call_estimate(puzzle.estimate, states, top * words, n, stack.estimates[top:])
            slot = path_slot(path.entries, states, words, node, hashes[node])
            path.entries[slot] = np.uint32(node)
            depth += 1
            path.slots[depth], place[depth], end[depth] = slot, top, top + n
            g[depth] = 0 if depth == 0 else g[depth - 1] + (1 if count_steps else costs[node])
            deepest = max(deepest, depth)
            expanded += 1
            generated += n
            node = -1
        if place[depth] == end[depth]:
            path.entries[path.slots[depth]] = NOT_THERE
            depth -= 1
            if depth < 0:
                break
            continue
        if tabled == full and tabled < capacity:
            status = Status.STATES_FULL
            break
        entry = place[depth]
        place[depth] += 1
        if path.entries[path_slot(path.entries, states, words, entry, hashes[entry])] != NOT_THERE:
            continue
        evaluated += 1
        if stack.estimates[entry] >= manner.lost:
            dead_ends += 1
            continue
        f = g[depth] + (1 if count_steps else costs[entry]) + stack.estimates[entry]
        if capacity == 0:
            if f > bound:
                cut_off = min(cut_off, f)
        else:
            cell = find_node(table, states, entry * words, hashes[entry])
            if table.cells[cell] != EMPTY:
                number = table.cells[cell] & NUMBER
                if f >= least_f[number]:
                    continue
                least_f[number] = f
            elif tabled < capacity:
                table.cells[cell] = node_cell(hashes[entry], tabled)
                for word in range(words):
                    table.states[tabled * words + word] = states[entry * words + word]
                least_f[tabled] = f
                tabled += 1
            elif f > bound:
                cut_off = min(cut_off, f)
        if f <= bound:
            if call_goal(puzzle.goal, states, entry * words, 1) == 0:
                status = Status.FOUND
                break
            node = entry
    walked.node, walked.depth, walked.deepest = node, depth, deepest
    walked.tabled, walked.cut_off = tabled, cut_off
    walked.expanded, walked.generated, walked.evaluated = expanded, generated, evaluated
    walked.dead_ends = dead_ends
    return status


# --- drivers ----------------------------------------------------------------------------------------------------------


def pace_for(machine: NativeModel) -> Pace:
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


def count(space: SearchSpace, position: Position) -> None:
    """What one call of a kernel did, into the statistics."""
    statistics, deepest = space.statistics, position.deepest
    statistics.expanded += position.expanded
    statistics.generated += position.generated
    statistics.max_depth = max(statistics.max_depth, deepest)
    statistics.max_frontier = max(statistics.max_frontier, deepest)
    space.check_steps(deepest + 1)


class Transpositions:
    """The smallest f by which each state was met in this iteration, for at most `capacity` states."""

    def __init__(self, capacity: int, space: SearchSpace, words: int) -> None:
        room = max(1, min(capacity, room_for(space.limits, 8 * words + 8 + 16 * CELLS_PER_STATE)))
        self.table = HashTable(2 * room)
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
        self.space, self.puzzle = space, functions_of(machine, estimate)
        self.counts_evaluated = not count_steps
        self.stack = stack_for(machine, estimated=True)
        self.table = Transpositions(capacity, space, machine.words)
        self.path = Path(np.zeros(DEPTHS, np.int64), np.full(PATH_SLOTS * DEPTHS, NOT_THERE))
        allowed = None if capacity else space.pruning
        matrix = np.zeros((0, 0), np.bool_) if allowed is None else np.ascontiguousarray(allowed, np.bool_)
        lost = min(INFINITY, space.heuristic.lost)
        self.manner = Manner(count_steps, capacity, len(matrix), matrix.view(np.uint8).ravel(), lost)
        self.walked = Walked()
        self.pace = pace_for(machine)

    def run(self, prove: Callable[[int], None]) -> Found | None:
        appraise(self.puzzle, self.stack)
        bound = int(self.stack.estimates[0])
        self.space.statistics.evaluated += self.counts_evaluated
        if self.space.is_dead_end(bound):
            return None
        while bound < INFINITY:
            prove(bound)
            if self.iterate(bound):
                return self.stack.plan(self.walked.depth)
            bound = min(self.walked.cut_off, self.table.least_above(bound, self.walked.tabled))
        return None

    def iterate(self, bound: int) -> bool:
        """One iteration; does it end at a goal?"""
        walked = self.walked
        walked.node, walked.depth, walked.cut_off, walked.tabled = 0, -1, INFINITY, self.manner.capacity > 0
        self.table.clear(bound)
        self.path.entries[:] = NOT_THERE
        while (status := self.go_on(bound)) not in (Status.DONE, Status.FOUND):
            if status == Status.PAUSED:
                after_pause(self.space, self.pace)
            elif status == Status.STATES_FULL:
                self.table.make_room(self.space)
            else:
                self.make_room()
        return status == Status.FOUND

    def go_on(self, bound: int) -> int:
        table = self.table
        known = table.table.over(table.states, self.puzzle.words)
        work = allowance(self.space, self.pace)
        status = walk(self.puzzle, self.manner, self.walked, bound, work, self.stack, self.path, known, table.f)
        count(self.space, self.walked)
        if self.counts_evaluated:
            self.space.statistics.evaluated += self.walked.evaluated
            self.space.statistics.leave_out(self.walked.dead_ends)
        return status

    def make_room(self) -> None:
        """On the stack and, since it may be deeper now, for its path."""
        depth, stack = self.walked.depth, self.stack
        stack.make_room(self.space, self.puzzle, depth)
        if len(stack.place) > len(self.path.slots):
            slots, entries = np.zeros(len(stack.place), np.int64), np.full(2 * len(self.path.entries), NOT_THERE)
            self.path = Path(slots, entries)
            lay_path(self.puzzle, stack, depth, self.path)


def ida_star(space: SearchSpace, options: Remembering) -> Found | None:
    """As `algorithms.ida_star.ida_star`; the heuristic comes by its address."""
    prove = space.prove_cost if space.heuristic.admissible else lambda bound: None
    return deepen(space, options, space.heuristic.address(), False, prove)


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
