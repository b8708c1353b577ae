"""What is left to read off a space whose states are known: its goals, and its edges, by expanding all once more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from search.kernels.calls import call_expand, call_goal
from search.kernels.driver import Buffers, Counts, Machine, Numbers, Pace, Words, checkpoint
from search.kernels.table import NUMBER, find_node, kernel, node_table, prefetch_matches, prefetch_nodes
from search.space import SearchSpace

PORTION = 1 << 20  # states that are tested for goals between two looks at the limits

# what is where in `run`: states HEAD..STOP-1 are to be expanded, BATCH at a time; EDGES are listed
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


def goals_of(machine: Machine, states: Words) -> npt.NDArray[np.bool_]:
    """A mark for every state that is a goal."""
    marks = np.zeros(len(states) // machine.words, np.bool_)
    for first in range(0, len(marks), PORTION):
        mark_goals(machine.goal, machine.words, states, first, min(first + PORTION, len(marks)), marks)
    return marks
