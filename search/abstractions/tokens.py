"""Tokens that are all alike: squares that hold one or none, and rows that move at most one of them.

How far a token alone is from a square on which a goal has one is a sum over squares; added up over all tokens it falls
by no more than a row costs, since a row moves one token. It is read like a table: the sum is its own place. A distance
counts as no more than an entry holds, which changes no entry, so that a table is no longer where moves are dear.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from models.outcomes import Unsupported
from models.task import Task
from models.terms import FALSE, TRUE, conjuncts, leaves, substitute, var
from search.abstractions.elimination import may
from search.abstractions.images import variable_of
from search.abstractions.ranking import DEAD, FULL
from search.abstractions.tables import Table
from search.proofs.transitions import Transition

BYTES = 1 << 26  # of a table


class Move(NamedTuple):
    """A row takes a token off a square, and puts it on another."""

    one: int
    other: int
    cost: int  # the least, in units


def moves_of(task: Task, rows: Sequence[Transition], unit: int) -> list[Move] | None:
    """What rows do to tokens; None where one does something else to a square, or there are no squares."""
    squares = {index for index, each in enumerate(task.variables) if len(each.domain) == 2}
    found = []
    for row in rows:
        written = {old: new for old, new in row.after.items() if variable_of(old) in squares}
        off = [variable_of(old) for old, new in written.items() if new is FALSE and row.fixed.get(old) is TRUE]
        on = [variable_of(old) for old, new in written.items() if new is TRUE and row.fixed.get(old) is FALSE]
        if len(off) + len(on) < len(written) or (len(off), len(on)) not in ((0, 0), (1, 1)):
            return None
        found += [Move(one, other, row.cost.values[0] // unit) for one, other in zip(off, on, strict=True)]
    return found or None


def homes(task: Task, squares: Sequence[int]) -> list[int]:
    """The squares on which a goal may have a token."""
    parts = (*conjuncts(task.goal), *conjuncts(task.always))
    found = []
    for index in squares:
        told = [substitute(part, {var(index, 2): TRUE}) for part in parts]
        if may(told, frozenset(leaves(*told))) is not FALSE:
            found.append(index)
    return found


def distances_of(moves: Sequence[Move], ends: Sequence[int]) -> dict[int, int]:
    """For each square from which a token may come home, the least cost of that (Dijkstra 1959)."""
    before: dict[int, list[Move]] = {}
    for move in moves:
        before.setdefault(move.other, []).append(move)
    far = dict.fromkeys(ends, 0)
    waiting = [(0, end) for end in ends]
    while waiting:
        cost, square = heappop(waiting)
        for move in before.get(square, ()) if cost == far[square] else ():
            if cost + move.cost < far.get(move.one, cost + move.cost + 1):
                far[move.one] = cost + move.cost
                heappush(waiting, (far[move.one], move.one))
    return far


def token_table(task: Task, rows: Sequence[Transition], unit: int) -> Table:
    """Unsupported where there are no such tokens, or they have nowhere to go."""
    moves = moves_of(task, rows, unit)
    if moves is None:
        raise Unsupported("no rows move single tokens")
    squares = sorted({square for move in moves for square in move[:2]})
    far = {square: min(cost, FULL) for square, cost in distances_of(moves, homes(task, squares)).items()}
    if not any(far.get(square, 1) for square in squares):
        raise Unsupported("tokens are at home everywhere")
    if not falls_slowly(moves, far):
        raise Unsupported("the sum over tokens is no estimate")
    return _read(task, squares, far, unit)


def falls_slowly(moves: Sequence[Move], far: Mapping[int, int]) -> bool:
    """Does no move take off more than it costs, or bring a token back that was lost?"""
    return all(move.other not in far or (move.one in far and far[move.one] <= move.cost + far[move.other])
               for move in moves)  # fmt: skip


def _read(task: Task, squares: Sequence[int], far: Mapping[int, int], unit: int) -> Table:
    """The sum of all distances is the place in a table that holds each place's number, up to where one is lost."""
    most, lost = sum(far.get(square, 0) for square in squares), sum(square not in far for square in squares)
    if (most + 1) * (lost + 1) > BYTES:
        raise Unsupported("sums over tokens are too large")
    weights = [(0,) * len(each.domain) for each in task.variables]
    for square in squares:
        weights[square] = (0, far.get(square, most + 1))
    entries = np.full((most + 1) * (lost + 1), DEAD, np.uint8)
    entries[: most + 1] = np.minimum(np.arange(most + 1), FULL)
    return Table(entries, tuple(weights), unit, len(squares), tuple(task.variables[index].name for index in squares))
