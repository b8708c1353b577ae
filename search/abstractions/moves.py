"""Tokens: values that only ever move from one place to another, at most one of them in a step.

Whether they do is seen case by case: in each case of each row, for each square that it writes, what may be there before
and after. What does anything else to a value than to move it alone makes it no token.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from models.frozen import frozen
from models.outcomes import Unsupported
from models.task import Task
from models.terms import Const, Term, Var
from search.abstractions.cases import Case, cases_of
from search.abstractions.ends import ends_of
from search.abstractions.images import variable_of
from search.proofs.transitions import Look, Transition

MOST_CASES = 1 << 14  # of all rows
Kinds = frozenset[int]  # values that are tokens
Values = Sequence[Sequence[int]]  # those that each variable may ever have


class Change(NamedTuple):
    """Of one variable: what it may be before and after, and the variable whose value it gets, if it gets one's."""

    square: int
    old: Kinds
    new: Kinds
    source: int | None


class Step(NamedTuple):
    """What a row does to squares in one of its cases."""

    place: tuple[int, int]
    cost: int  # the least, in units
    changes: tuple[Change, ...]


class Move(NamedTuple):
    """A token of one of these kinds leaves a square for another."""

    place: tuple[int, int]
    cost: int
    one: int
    other: int
    kinds: Kinds


@frozen()
class Tokens:
    """Squares, how many tokens there are of each kind, and their moves."""

    squares: tuple[int, ...]
    numbers: Mapping[int, int]
    moves: tuple[Move, ...]


def boards(task: Task, rows: Sequence[Transition]) -> list[tuple[int, ...]]:
    """Variables with equally many values, of which some are written."""
    sizes = [len(each.domain) for each in task.variables]
    written = Counter(sizes[index] for index in {variable_of(old) for row in rows for old in row.after})
    return [tuple(index for index, each in enumerate(sizes) if each == size)
            for size in sorted(written) if written[size] > 1]  # fmt: skip


def steps_of(rows: Sequence[Transition], values: Values, squares: Sequence[int], unit: int, look: Look
             ) -> Iterator[Step]:  # fmt: skip
    there, found = set(squares), 0
    for row in rows:
        written = {old: new for old, new in row.after.items() if variable_of(old) in there}
        for case in cases_of(row, written, look) if written else ():
            found += 1
            if found > MOST_CASES:
                raise Unsupported("actions do too many things")
            changes = tuple(changes_of(case, values))
            if all(each.old and each.new for each in changes):
                yield Step(row.place, row.cost.values[0] // unit, changes)


def changes_of(case: Case, values: Values) -> Iterator[Change]:
    """Where one has no old or no new value, there is no such case: no step leads to what a variable never has."""
    left = allowed_by(case.given, values)
    for old, new in case.after.items():
        index = variable_of(old)
        before = left.get(index, frozenset(values[index]))
        source = new.index if isinstance(new, Var) else None
        after = frozenset(new.values) if source is None else left.get(source, frozenset(values[source]))
        after = after.intersection(values[index])
        if source != index and not (isinstance(new, Const) and before == after):
            yield Change(index, before, after, source)


def allowed_by(given: Sequence[Term], values: Values) -> dict[int, Kinds]:
    """What conditions leave of the variables that they read alone."""
    found: dict[int, Kinds] = {}
    for part in given:
        for index, kept in ends_of(part, 0)[0].items():
            found[index] = found.get(index, frozenset(values[index])) & kept
    return found


def tokens_of(task: Task, squares: Sequence[int], values: Values, steps: Iterable[Step]) -> Iterator[Tokens]:
    """By what a square without a token has: the values that only move, one in a step at most."""
    there: Kinds = frozenset().union(*(values[index] for index in squares if len(values[index]) > 1))
    left, seen = {rest: there - {rest} for rest in sorted(there)}, []
    for step in steps:
        seen.append(step)
        left = {rest: kept for rest, kinds in left.items() if (kept := moved_alone(step, kinds))}
        if not left:
            return
    for kinds in left.values():
        moves = tuple(move for step in seen if (move := mover(step, kinds)) is not None)
        numbers = Counter(task.start[index] for index in squares if task.start[index] in kinds)
        if moves and numbers:
            yield Tokens(tuple(squares), numbers, moves)


def moved_alone(step: Step, kinds: Kinds) -> Kinds:
    """Those of them that the step leaves alone, or does nothing else to than to move one."""
    if mover(step, kinds) is not None:
        return kinds
    return kinds.difference(*((each.old | each.new) for each in step.changes))


def mover(step: Step, kinds: Kinds) -> Move | None:
    """The move that a step is of a token of these kinds; None: it is none, or moves nothing."""
    loud = [each for each in step.changes if (each.old | each.new) & kinds]
    if len(loud) != 2:
        return None
    for one, other in (loud, loud[::-1]):
        follows = other.source == one.square or (len(one.old) == 1 and one.old == other.new)
        if follows and not (one.new | other.old) & kinds:
            return Move(step.place, step.cost, one.square, other.square, one.old & other.new & kinds)
    return None
