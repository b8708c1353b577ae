"""Terms seen as tables: which selections are a two-dimensional table, and where their branches change.

A ``None`` in a table stands for a value that is never looked at; a neighbour fills it, so that every term may be had
early, whatever the guard says.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from models.metrics import LARGEST
from models.terms import Add, Const, FloorDivide, Lookup, Member, Modulo, Select, Term, children

WIDE = 1 << 16  # entries of a two-dimensional table
Column = tuple[int, ...]


def fits(*roots: Term) -> bool:
    """Can the terms, and all their parts, be worked out in 64 bits?"""
    return all(map(_fits, roots))


@lru_cache(maxsize=1 << 14)
def _fits(root: Term) -> bool:
    seen, waiting = {root}, [root]
    while waiting:
        term = waiting.pop()
        if largest(term) > LARGEST:
            return False
        new = set(children(term)) - seen
        seen |= new
        waiting += new
    return True


def largest(term: Term) -> int:
    """No number that a term is, or is made of without its parts, is farther from 0."""
    most = max(abs(term.values[0]), abs(term.values[-1]))
    if isinstance(term, Add):
        return abs(term.constant) + sum(abs(c) * max(abs(t.values[0]), abs(t.values[-1])) for c, t in term.terms)
    return max(most, term.divisor) if isinstance(term, FloorDivide | Modulo) else most


@lru_cache(maxsize=1 << 14)
def size(terms: tuple[Term, ...]) -> int:
    """How many parts the terms have together."""
    seen: set[Term] = set()
    stack = list(terms)
    while stack:
        term = stack.pop()
        if term not in seen:
            seen.add(term)
            stack += children(term)
    return len(seen)


def filled(table: Sequence[int | None]) -> Column:
    """The table with a value of its own in the places that are never looked at."""
    spare = next(value for value in table if value is not None)
    return tuple(spare if value is None else value for value in table)


def column(branch: Term | None, argument: Term) -> Column | None:
    """The branch as a table over the argument's values; None where it reads anything else."""
    size = len(argument.values)
    match branch:
        case Const(value=value):
            return (value,) * size
        case Lookup(argument=inner, table=table) if inner is argument:
            return filled(table)
        case Member(argument=inner, members=members) if inner is argument:
            return tuple(int(value in members) for value in argument.values)
    return tuple(argument.values) if branch is argument else None


@lru_cache(maxsize=1 << 14)
def common_argument(term: Select) -> Term | None:
    """The term that every branch is a table of."""
    first = next((b for b in term.branches if b is not None and not isinstance(b, Const)), None)
    if first is None:
        return None
    argument = first.argument if isinstance(first, Lookup | Member) else first
    small = len(argument.values) * len(term.branches) <= WIDE
    fits = small and all(b is None or column(b, argument) is not None for b in term.branches)
    return argument if fits else None


def branch_runs(term: Select) -> list[tuple[int, Term]]:
    """The branches, equal neighbours as one, each beside the first value it is for."""
    runs: list[tuple[int, Term]] = []
    for value, branch in zip(term.argument.values, term.branches, strict=True):
        if branch is not None and (not runs or runs[-1][1] is not branch):
            runs.append((value, branch))
    return runs
