"""Depth-first search in machine code: the text of `algorithms.depth_first` over a stack of blocks of successors.

The closed states are numbered in the order of their expansion and found by a table of nodes.
"""

from __future__ import annotations

import numpy as np
from numba import uint64

from models.outcomes import Outcome
from search.kernels.calls import call_expand, call_goal, prefetch
from search.kernels.deepening import (
    BRANCHING,
    DEEPEST,
    DEPTH,
    DONE,
    EXPAND,
    EXPANDED,
    FOUND,
    GENERATED,
    GOAL,
    NODE,
    PAUSED,
    ROOM,
    WORDS,
    Stack,
    after_pause,
    allowance,
    constants,
    count,
    pace_for,
)  # fmt: skip
from search.kernels.driver import Counts, Machine, Words, machine_of, require_memory, room_for, words_of
from search.kernels.table import (
    CELLS_PER_STATE,
    EMPTY,
    FULL,
    OF,
    Numbers,
    Table,
    add_nodes,
    find_node,
    hash_state,
    home,
    kernel,
    node_cell,
)  # fmt: skip
from search.options import Options
from search.space import Found, LimitReached, SearchSpace

CLOSED = GENERATED + 1  # where the search stands: these words of an int64 array, and the first ones of a walk


@kernel(
    "int64(int64[::1], int64[::1], int64,"  # the machine, the search, its limit
    " uint64[::1], uint32[::1], uint32[::1], int64[::1], uint64[::1], int64[::1], int64[::1],"  # the stack
    " uint64[::1], uint64[::1])"  # the closed states
)
def go_on(
    machine: Counts, searched: Counts, work: int,
    states: Words, actions: Numbers, parents: Numbers, costs: Counts, hashes: Words, place: Counts, end: Counts,
    table: Words, closed_states: Words,
) -> int:  # fmt: skip
    """Search until all is closed, a goal is met, `work` states have been expanded or room is needed."""
    words = machine[WORDS]
    cells = uint64(len(table))
    full = min(len(closed_states) // words, len(table) * FULL // OF)
    node, depth, deepest, closed = searched[NODE], searched[DEPTH], searched[DEEPEST], searched[CLOSED]
    expanded, generated = 0, 0
    status = DONE
    while True:
        if node >= 0:
            top = 1 if depth < 0 else end[depth]
            if expanded == work:
                status = PAUSED
                break
            if depth + 1 == len(place) or top + machine[BRANCHING] > len(actions):
                status = ROOM
                break
            n = call_expand(machine[EXPAND], states, node * words, 1, states[top * words :], actions[top:], parents,
                            costs[top:])  # fmt: skip
            for entry in range(top, top + n):
                hashes[entry] = hash_state(states, entry * words, words)
                prefetch(table, home(hashes[entry], cells))
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
            status = ROOM
            break
        entry = place[depth]
        place[depth] += 1
        cell = find_node(table, closed_states, states, entry * words, words, hashes[entry])
        if table[cell] != EMPTY:
            continue
        if call_goal(machine[GOAL], states, entry * words, 1) == 0:
            status = FOUND
            break
        table[cell] = node_cell(hashes[entry], closed)
        for word in range(words):
            closed_states[closed * words + word] = states[entry * words + word]
        closed += 1
        node = entry
    searched[NODE], searched[DEPTH], searched[DEEPEST], searched[CLOSED] = node, depth, deepest, closed
    searched[EXPANDED], searched[GENERATED] = expanded, generated
    return status


class Closed:
    """The states that have been expanded, or are about to be."""

    def __init__(self, space: SearchSpace, machine: Machine) -> None:
        room = room_for(space.limits, 8 * machine.words + 8 * CELLS_PER_STATE)
        self.table = Table(room)
        self.states = np.empty(room * machine.words, np.uint64)
        self.states[: machine.words] = words_of([machine.initial], machine.words)
        add_nodes(self.table.cells, self.states, machine.words, 0, 1, np.zeros(1, np.uint64))

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
    stack, closed = Stack(machine), Closed(space, machine)
    searched, fixed, pace = np.array([0, -1, 0, 0, 0, 1]), np.array(constants(machine)), pace_for(machine)
    while True:
        status: int = go_on(
            fixed, searched, allowance(space, pace),
            stack.states, stack.actions, stack.parents, stack.costs, stack.hashes, stack.place, stack.end,
            closed.table.cells, closed.states,
        )  # fmt: skip
        count(space, searched)
        if status == DONE:
            return None
        if status == FOUND:
            return stack.plan(int(searched[DEPTH]))
        if status == PAUSED:
            after_pause(space, pace)
        elif searched[NODE] < 0:
            closed.make_room(space)
        else:
            stack.make_room(space, int(searched[DEPTH]))
