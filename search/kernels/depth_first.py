"""Depth-first search in machine code: the text of `algorithms.depth_first` over a stack of blocks of successors.

The closed states are numbered in the order of their expansion and found by a table of nodes.
"""

from __future__ import annotations

import numpy as np

from models.outcomes import Outcome
from search.kernels.calls import call_goal, prefetch
from search.kernels.deepening import (
    Position,
    Stack,
    after_pause,
    allowance,
    count,
    expand_onto,
    pace_for,
    stack_for,
)
from search.kernels.driver import (
    Functions,
    NativeModel,
    Status,
    functions_of,
    machine_of,
    require_memory,
    room_for,
    words_of,
)
from search.kernels.loading import kernel
from search.kernels.table import (
    CELLS_PER_STATE,
    EMPTY,
    FULL,
    OF,
    HashTable,
    Known,
    add_nodes,
    find_node,
    hash_state,
    home,
    node_cell,
)
from search.options import Options
from search.space import Found, LimitReached, SearchSpace


class Descent(Position):
    """Where the search stands."""

    closed: int


@kernel
def go_on(puzzle: Functions, descent: Descent, work: int, stack: Stack, known: Known) -> int:
    """Search until all is closed, a goal is met, `work` states have been expanded or room is needed."""
    words, place, end, hashes = puzzle.words, stack.place, stack.end, stack.hashes
    cells = np.uint64(len(known.cells))
    full = min(len(known.states) // words, len(known.cells) * FULL // OF)
    node, depth, deepest, closed = descent.node, descent.depth, descent.deepest, descent.closed
    expanded, generated = 0, 0
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
            for entry in range(top, top + n):
                hashes[entry] = hash_state(stack.states, entry * words, words)
                prefetch(known.cells, home(hashes[entry], cells))
            depth += 1
            place[depth], end[depth] = top, top + n
            deepest = max(deepest, depth)
            expanded += 1
            generated += n
            node = -1
        if place[depth] == end[depth]:
            depth -= 1
            if depth < 0:
                break
            continue
        if closed == full:
            status = Status.STATES_FULL
            break
        entry = place[depth]
        place[depth] += 1
        cell = find_node(known, stack.states, entry * words, hashes[entry])
        if known.cells[cell] != EMPTY:
            continue
        if call_goal(puzzle.goal, stack.states, entry * words, 1) == 0:
            status = Status.FOUND
            break
        known.cells[cell] = node_cell(hashes[entry], closed)
        for word in range(words):
            known.states[closed * words + word] = stack.states[entry * words + word]
        closed += 1
        node = entry
    descent.node, descent.depth, descent.deepest, descent.closed = node, depth, deepest, closed
    descent.expanded, descent.generated = expanded, generated
    return status


class ClosedStates:
    """The states that have been expanded, or are about to be."""

    def __init__(self, space: SearchSpace, machine: NativeModel) -> None:
        room = room_for(space.limits, 8 * machine.words + 8 * CELLS_PER_STATE)
        self.table, self.words = HashTable(room), machine.words
        self.states = np.empty(room * machine.words, np.uint64)
        self.states[: machine.words] = words_of([machine.initial], machine.words)
        add_nodes(self.known, 0, 1, np.zeros(1, np.uint64))

    @property
    def known(self) -> Known:
        return self.table.over(self.states, self.words)

    def make_room(self, space: SearchSpace) -> None:
        size = len(self.table.cells)
        wanted = self.table.capacity_for(self.table.room + 1)
        if wanted == size:
            raise LimitReached(Outcome.MEMORY_LIMIT)
        require_memory(space, 8 * (wanted - size))
        self.table.grow(wanted)


def depth_first(space: SearchSpace, options: Options) -> Found | None:
    """The first plan in the order of the file, or None if the reachable space is exhausted."""
    machine = machine_of(space)
    if machine.is_goal(machine.initial):
        return Found((), 0)
    stack, closed = stack_for(machine, estimated=False), ClosedStates(space, machine)
    puzzle, descent, pace = functions_of(machine), Descent(depth=-1, closed=1), pace_for(machine)
    while True:
        status = go_on(puzzle, descent, allowance(space, pace), stack, closed.known)
        count(space, descent)
        if status == Status.DONE:
            return None
        if status == Status.FOUND:
            return stack.plan(descent.depth)
        if status == Status.PAUSED:
            after_pause(space, pace)
        elif status == Status.STATES_FULL:
            closed.make_room(space)
        else:
            stack.make_room(space, puzzle, descent.depth)
