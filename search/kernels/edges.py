"""What is left to read off states that are known: the goals, and all edges or the tight ones, by one more expansion."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from search.kernels.calls import call_goal, expand_states
from search.kernels.driver import (
    Counts,
    Functions,
    NativeModel,
    Numbers,
    Pace,
    Successors,
    Words,
    checkpoint,
    functions_of,
    grow,
    require_memory,
    room_for_successors,
)
from search.kernels.loading import kernel
from search.kernels.records import Ledger
from search.kernels.table import NOBODY, NUMBER, Known, find_node, node_table, prefetch_matches, prefetch_nodes
from search.space import SearchSpace

Marks = npt.NDArray[np.bool_]

PORTION = 1 << 20  # states that are tested for goals between two looks at the limits
ROOM = 1 << 20  # tight edges that there is room for at first


class Span(Ledger):
    """What is to be expanded: states head..stop-1, or backwards head-1..stop."""

    head: int
    stop: int
    edges: int  # listed so far


class Edges(NamedTuple):
    """Of all states in order: how many each has, where they lead to, and what was asked for besides."""

    sizes: Counts
    targets: Numbers
    actions: Numbers
    costs: Counts


class TightEdges(NamedTuple):
    """Those on cheapest paths, one after the other."""

    sources: Numbers
    targets: Numbers
    actions: Numbers


@kernel
def list_edges(puzzle: Functions, known: Known, found: Edges, span: Span, out: Successors) -> None:
    """Append the numbers of all successors to the targets, their actions and costs to those (unless these are empty),
    and count the edges of every state in `sizes`."""
    words = puzzle.words
    while span.head < span.stop:
        head, edge = span.head, span.edges
        size = min(out.batch, span.stop - head)
        n = expand_states(puzzle, known.states, head * words, size, out)
        prefetch_nodes(known, out.states, n, out.hashes)
        prefetch_matches(known, n, out.hashes)
        for i in range(n):
            found.targets[edge + i] = known.cells[find_node(known, out.states, i * words, out.hashes[i])] & NUMBER
            found.sizes[head + out.parents[i]] += 1
        for i in range(n if len(found.actions) > 0 else 0):
            found.actions[edge + i] = out.actions[i]
        for i in range(n if len(found.costs) > 0 else 0):
            found.costs[edge + i] = out.costs[i]
        span.edges = edge + n
        span.head = head + size


@kernel
def list_tight_edges(
    puzzle: Functions, known: Known, far: Counts, marks: Marks, found: TightEdges, span: Span, out: Successors
) -> bool:
    """Append the edges that lead to a marked state at its least cost, and mark the states that they are out of: from
    the last state to the first, which are sorted by their least cost `far`. An edge that costs nothing is taken on
    trust, since its target may be looked at later. False: the room for edges is used up."""
    words = puzzle.words
    while span.head > span.stop:
        size = min(out.batch, span.head - span.stop)
        head, edge = span.head - size, span.edges
        n = expand_states(puzzle, known.states, head * words, size, out)
        if edge + n > len(found.targets):
            return False
        prefetch_nodes(known, out.states, n, out.hashes)
        prefetch_matches(known, n, out.hashes)
        for i in range(n - 1, -1, -1):
            source = head + out.parents[i]
            target = np.int64(known.cells[find_node(known, out.states, i * words, out.hashes[i])] & NUMBER)
            if target == NOBODY or far[source] + out.costs[i] != far[target]:
                continue
            if marks[target] or out.costs[i] == 0:
                marks[source] = True
                found.sources[edge], found.targets[edge], found.actions[edge] = source, target, out.actions[i]
                edge += 1
        span.edges = edge
        span.head = head
    return True


@kernel
def mark_goals(puzzle: Functions, states: Words, first: int, stop: int, marks: Marks) -> None:
    """Mark the goals among the states first..stop-1."""
    while first < stop:
        first += call_goal(puzzle.goal, states, first * puzzle.words, stop - first)
        if first < stop:
            marks[first] = True
            first += 1


# --- drivers ----------------------------------------------------------------------------------------------------------


def edges_of(space: SearchSpace, machine: NativeModel, states: Words, edges: int, actions: bool, costs: bool) -> Edges:
    """The edges, whose number is known, between states that are all there are."""
    count = len(states) // machine.words
    found = Edges(np.zeros(count, np.int64), np.empty(edges, np.uint32), np.empty(edges if actions else 0, np.uint32),
                  np.empty(edges if costs else 0, np.int64))  # fmt: skip
    puzzle, known = functions_of(machine), node_table(states, count, machine.words)
    out, pace, span = room_for_successors(machine), Pace(), Span()
    while span.head < count:
        checkpoint(space)
        span.stop = min(count, span.head + pace.start())
        list_edges(puzzle, known, found, span, out)
        pace.stop()
    assert span.edges == edges
    return found


def tight_edges_of(space: SearchSpace, machine: NativeModel, states: Words, far: Counts, marks: Marks,
                   last: int) -> TightEdges:  # fmt: skip
    """Every edge on a cheapest path from the start to a marked state, and perhaps edges that cost nothing and lead
    nowhere; `marks` is brought up to date. States are sorted by their least cost `far`; those from `last` on have no
    such edge."""
    puzzle, known = functions_of(machine), node_table(states, len(far), machine.words)
    out, pace, span = room_for_successors(machine), Pace(), Span(head=last)
    found = TightEdges(*(np.empty(max(ROOM, len(out.actions)), np.uint32) for _ in range(3)))
    while span.head:
        checkpoint(space)
        span.stop = max(0, span.head - pace.start())
        room = list_tight_edges(puzzle, known, far, marks, found, span, out)
        pace.stop()
        if not room:
            require_memory(space, sum(each.nbytes for each in found) // 2)
            for each in found:
                grow(each, 0)
    return TightEdges(*(each[: span.edges][::-1] for each in found))


def goals_of(machine: NativeModel, states: Words) -> Marks:
    """A mark for every state that is a goal."""
    puzzle, marks = functions_of(machine), np.zeros(len(states) // machine.words, np.bool_)
    for first in range(0, len(marks), PORTION):
        mark_goals(puzzle, states, first, min(first + PORTION, len(marks)), marks)
    return marks
