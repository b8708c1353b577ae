"""What is left to read off states that are known: the goals, and all edges or the tight ones, by one more expansion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from search.kernels.calls import call_expand, call_goal
from search.kernels.driver import (
    Buffers,
    Counts,
    Machine,
    Numbers,
    Pace,
    Words,
    checkpoint,
    grow,
    require_memory,
)
from search.kernels.table import NOBODY, NUMBER, find_node, kernel, node_table, prefetch_matches, prefetch_nodes
from search.space import SearchSpace

PORTION = 1 << 20  # states that are tested for goals between two looks at the limits
ROOM = 1 << 20  # tight edges that there is room for at first

# what is where in `run`: states HEAD..STOP-1 (backwards: STOP..HEAD-1) are to be expanded, BATCH at a time; EDGES are
# listed
HEAD, STOP, BATCH, EDGES = range(4)


@kernel(
    "void(int64, int64, uint64[::1], uint64[::1], uint64[::1], uint32[::1], uint32[::1], int64[::1], uint64[::1],"
    "uint32[::1], uint32[::1], int64[::1], int64[::1], int64[::1])"
)
def list_edges(
    expand: int,
    words: int,
    table: Words,
    states: Words,
    out: Words,
    actions: Numbers,
    origins: Numbers,
    costs: Counts,
    hashes: Words,
    targets: Numbers,
    taken: Numbers,
    prices: Counts,
    sizes: Counts,
    run: Counts,
) -> None:
    """Append the numbers of all successors to `targets`, their actions and costs to `taken` and `prices` (unless these
    are empty), and count the edges of every state in `sizes`."""
    while run[HEAD] < run[STOP]:
        head, edge = run[HEAD], run[EDGES]
        size = min(run[BATCH], run[STOP] - head)
        n = call_expand(expand, states, head * words, size, out, actions, origins, costs)
        prefetch_nodes(table, out, words, n, hashes)
        prefetch_matches(table, states, words, n, hashes)
        for i in range(n):
            targets[edge + i] = table[find_node(table, states, out, i * words, words, hashes[i])] & NUMBER
            sizes[head + origins[i]] += 1
        for i in range(n if len(taken) > 0 else 0):
            taken[edge + i] = actions[i]
        for i in range(n if len(prices) > 0 else 0):
            prices[edge + i] = costs[i]
        run[EDGES] = edge + n
        run[HEAD] = head + size


@kernel(
    "boolean(int64, int64, uint64[::1], uint64[::1], int64[::1], boolean[::1], uint64[::1], uint32[::1], uint32[::1],"
    "int64[::1], uint64[::1], uint32[::1], uint32[::1], uint32[::1], int64[::1])"
)
def list_tight_edges(
    expand: int,
    words: int,
    table: Words,
    states: Words,
    far: Counts,
    marks: Any,
    out: Words,
    actions: Numbers,
    origins: Numbers,
    costs: Counts,
    hashes: Words,
    sources: Numbers,
    targets: Numbers,
    taken: Numbers,
    run: Counts,
) -> bool:
    """Append the edges that lead to a marked state at its least cost, and mark the states that they are out of: from
    the last state to the first, which are sorted by their least cost `far`. An edge that costs nothing is taken on
    trust, since its target may be looked at later. False: the room for edges is used up."""
    while run[HEAD] > run[STOP]:
        size = min(run[BATCH], run[HEAD] - run[STOP])
        head, edge = run[HEAD] - size, run[EDGES]
        n = call_expand(expand, states, head * words, size, out, actions, origins, costs)
        if edge + n > len(targets):
            return False
        prefetch_nodes(table, out, words, n, hashes)
        prefetch_matches(table, states, words, n, hashes)
        for i in range(n - 1, -1, -1):
            source = head + origins[i]
            target = np.int64(table[find_node(table, states, out, i * words, words, hashes[i])] & NUMBER)
            if target == NOBODY or far[source] + costs[i] != far[target]:
                continue
            if marks[target] or costs[i] == 0:
                marks[source] = True
                sources[edge], targets[edge], taken[edge] = source, target, actions[i]
                edge += 1
        run[EDGES] = edge
        run[HEAD] = head
    return True


@kernel("void(int64, int64, uint64[::1], int64, int64, boolean[::1])")
def mark_goals(goal: int, words: int, states: Words, first: int, stop: int, marks: Any) -> None:
    """Mark the goals among the states first..stop-1."""
    while first < stop:
        first += call_goal(goal, states, first * words, stop - first)
        if first < stop:
            marks[first] = True
            first += 1


# --- drivers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Edges:
    """Of all states in order: how many each has, where they lead to, and what was asked for besides."""

    sizes: Counts
    targets: Numbers
    actions: Numbers
    costs: Counts


def edges_of(space: SearchSpace, machine: Machine, states: Words, edges: int, actions: bool, costs: bool) -> Edges:
    """The edges, whose number is known, between states that are all there are."""
    count = len(states) // machine.words
    found = Edges(np.zeros(count, np.int64), np.empty(edges, np.uint32), np.empty(edges if actions else 0, np.uint32),
                  np.empty(edges if costs else 0, np.int64))  # fmt: skip
    table = node_table(states, count, machine.words)
    buffers, pace, run = Buffers(machine), Pace(), np.zeros(4, np.int64)
    run[BATCH] = buffers.batch
    while run[HEAD] < count:
        checkpoint(space)
        run[STOP] = min(count, run[HEAD] + pace.start())
        list_edges(machine.expand, machine.words, table.cells, states, *buffers.arrays, buffers.homes, found.targets,
                   found.actions, found.costs, found.sizes, run)  # fmt: skip
        pace.stop()
    assert run[EDGES] == edges
    return found


def tight_edges_of(space: SearchSpace, machine: Machine, states: Words, far: Counts, marks: npt.NDArray[np.bool_],
                   last: int) -> tuple[Numbers, Numbers, Numbers]:  # fmt: skip
    """(source, target, action) of every edge on a cheapest path from the start to a marked state, and perhaps of edges
    that cost nothing and lead nowhere; `marks` is brought up to date. States are sorted by their least cost `far`;
    those from `last` on have no such edge."""
    table = node_table(states, len(far), machine.words)
    buffers, pace, run = Buffers(machine), Pace(), np.zeros(4, np.int64)
    run[HEAD], run[BATCH] = last, buffers.batch
    found = tuple(np.empty(max(ROOM, len(buffers.actions)), np.uint32) for _ in range(3))
    while run[HEAD]:
        checkpoint(space)
        run[STOP] = max(0, run[HEAD] - pace.start())
        room = list_tight_edges(machine.expand, machine.words, table.cells, states, far, marks, *buffers.arrays,
                                buffers.homes, *found, run)  # fmt: skip
        pace.stop()
        if not room:
            require_memory(space, sum(each.nbytes for each in found) // 2)
            for each in found:
                grow(each, 0)
    sources, targets, actions = (each[: run[EDGES]][::-1] for each in found)
    return sources, targets, actions


def goals_of(machine: Machine, states: Words) -> npt.NDArray[np.bool_]:
    """A mark for every state that is a goal."""
    marks = np.zeros(len(states) // machine.words, np.bool_)
    for first in range(0, len(marks), PORTION):
        mark_goals(machine.goal, machine.words, states, first, min(first + PORTION, len(marks)), marks)
    return marks
