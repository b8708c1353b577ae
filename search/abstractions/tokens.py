"""How far tokens are from where they may be in the end, added up.

For each way to end there is a sum: how far each token alone is from where it may be in that end. It falls by no more
than a step costs, since a step moves one token. The least of these sums is the estimate: it falls by no more either,
and at a goal, which is one of the ends, one of them is 0. What stops a token, or stands in its way, counts for nothing.

Tokens that are alike are as many at a goal as at the start. If an end wants as many as there are, they are where it
wants them, else they may be wherever it lets them. An end that wants more is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from models.outcomes import Unsupported
from models.task import State, Task
from models.terms import conjunction
from models.values import plain
from search.abstractions.derived import FULL, LOST, MOST_DEAD, Table
from search.abstractions.ends import End, ends_of
from search.abstractions.moves import Tokens, Values, boards, steps_of, tokens_of
from search.abstractions.pieces import padded
from search.proofs.transitions import Look, Transition

BYTES = 1 << 26  # of a table
MOST_COLUMNS = 256
MOST_SQUARES = 1 << 10
FAR = 1 << 40  # no way is as long
Numbers = npt.NDArray[np.int64]


def token_table(task: Task, rows: Sequence[Transition], values: Values, unit: int, look: Look) -> Table:
    """The one that says most of the start; Unsupported where there are no tokens, or they have nowhere to go."""
    found, reasons = [], ["no rows move single tokens"]
    for squares in boards(task, rows):
        for tokens in tokens_of(task, squares, values, steps_of(rows, values, squares, unit, look)):
            try:
                found.append(table_of(task, tokens, values, unit))
            except Unsupported as reason:
                reasons.append(str(reason))
    if not found:
        raise Unsupported(reasons[-1])
    return max(found, key=lambda table: least_sum(table, task.start))


def homes_of(end: End, tokens: Tokens, values: Values) -> dict[int, list[int]] | None:
    """Where tokens of each kind may be in the end; None: there are not as many as it wants, or too many."""
    if not all(kept.intersection(values[index]) for index, kept in end.items()):
        return None
    left = {index: end.get(index, frozenset(values[index])).intersection(values[index]) for index in tokens.squares}
    found = {}
    for kind, count in tokens.numbers.items():
        may = [index for index, kept in left.items() if kind in kept]
        must = [index for index in may if len(left[index]) == 1]
        if not len(must) <= count <= len(may):
            return None
        found[kind] = must if len(must) == count else may
    return found


def table_of(task: Task, tokens: Tokens, values: Values, unit: int) -> Table:
    """A row for each token and square: how far it is, for each end."""
    ends = [homes_of(end, tokens, values) for end in ends_of(conjunction((task.goal, task.always)))]
    homes = [end for end in ends if end is not None]
    pairs = [(kind, index) for kind in tokens.numbers for index in tokens.squares if kind in values[index]]
    if (1 + len(pairs)) * padded(min(MOST_COLUMNS, max(1, len(homes)))) * 2 > BYTES:
        raise Unsupported("tokens may be in too many places")
    far = np.unique(np.concatenate([columns_of(kind, tokens, homes, values) for kind in tokens.numbers]), axis=1)
    if far.shape[1] > MOST_COLUMNS:  # some ends count as one, to which a token is as far as to the nearest
        far = np.stack([part.min(axis=1) for part in np.array_split(far, MOST_COLUMNS, axis=1)], axis=1)
    total = sum(tokens.numbers.values())
    most = max(1, min(LOST - 1, max(FULL, MOST_DEAD // unit)) // total)
    rows = np.full((1 + len(pairs), padded(far.shape[1])), LOST, np.uint16)
    rows[0], rows[1:, : far.shape[1]] = 0, np.where(far < FAR, np.minimum(far, most), LOST)
    if not far.any():
        raise Unsupported("tokens are at home everywhere")
    weights = [[0] * len(each.domain) for each in task.variables]
    for row, (kind, index) in enumerate(pairs, 1):
        weights[index][kind] = row
    table = Table(rows.reshape(-1).view(np.uint8), tuple(map(tuple, weights)), unit, len(pairs),
                  told_of(task, tokens), tokens=tokens, ends=far.shape[1],
                  most=most * total)  # fmt: skip
    if falls(table):
        raise Unsupported("the sum over tokens is no estimate")
    return table


def told_of(task: Task, tokens: Tokens) -> tuple[str, ...]:
    """The kinds of tokens, or where they may be if they are of one kind that has no name."""
    domain = task.variables[tokens.squares[0]].domain
    if len(domain) > 2:
        return tuple(str(plain(domain[kind])) for kind in sorted(tokens.numbers))
    return tuple(task.variables[index].name for index in sorted({each for move in tokens.moves for each in move[2:4]}))


def columns_of(kind: int, tokens: Tokens, homes: Sequence[Mapping[int, list[int]]], values: Values) -> Numbers:
    """How far a token of this kind is from home, for each square that may have it and each end."""
    places = [index for index in tokens.squares if kind in values[index]]
    number = {index: place for place, index in enumerate(places)}
    far = ways([(number[move.one], number[move.other], move.cost) for move in tokens.moves if kind in move.kinds],
                    len(places))  # fmt: skip
    found = [far[:, [number[index] for index in end[kind]]].min(axis=1) for end in homes]
    return np.stack(found or [np.full(len(places), FAR)], axis=1)  # without any way to end all are lost


def ways(moves: Sequence[tuple[int, int, int]], count: int) -> Numbers:
    """The least cost from each place to each other (Floyd 1962); FAR: there is no way."""
    if count > MOST_SQUARES:
        raise Unsupported("there are too many squares")
    far = np.full((count, count), FAR, np.int64)
    np.fill_diagonal(far, 0)
    for one, other, cost in moves:
        far[one, other] = min(far[one, other], cost, LOST)
    for between in range(count):
        np.minimum(far, far[:, between, None] + far[None, between, :], out=far)
    return np.minimum(far, FAR)


# -- what a table says -------------------------------------------------------------------------------------------------


def rows_in(table: Table) -> Numbers:
    """Its rows as numbers, without what only fills them up."""
    return np.frombuffer(table.far, np.uint16).reshape(-1, padded(table.ends))[:, : table.ends].astype(np.int64)


def falls(table: Table) -> bool:
    """Does a move take off more than it costs, or bring a token back that was lost?"""
    assert table.tokens is not None
    rows = rows_in(table)
    for move in table.tokens.moves:
        for kind in move.kinds & table.tokens.numbers.keys():
            before, after = rows[table.weights[move.one][kind]], rows[table.weights[move.other][kind]]
            if np.any((after < LOST) & ((before >= LOST) | (before > after + move.cost))):
                return True
    return False


def least_sum(table: Table, state: State) -> int:
    """The estimate of a state, in units; LOST or more where no goal can be reached."""
    places = [each[value] for each, value in zip(table.weights, state, strict=True)]
    return int(rows_in(table)[places].sum(axis=0).min())
