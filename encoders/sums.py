"""Conditions on large sums stay linear constraints.

The cases of a sum are as many as its values, and each needs a literal; a condition on a sum of many terms is better
told to the solver as "the weighted value literals add up to something in these intervals".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from encoders.formula import Ranges
from models import terms
from models.terms import Term

_SIGNS: dict[terms.Comparison, Ranges] = {  # of left - right
    "==": ((0, 0),),
    "!=": ((None, -1), (1, None)),
    "<": ((None, -1),),
    "<=": ((None, 0),),
}
LARGE_SUM = 256  # partial sums times values above which a sum becomes a linear constraint


def has_large_sum(condition: terms.Member | terms.Compare) -> bool:
    if isinstance(condition, terms.Member):
        return is_large(condition.argument)
    return is_large(condition.left) or is_large(condition.right)


def sum_in(condition: terms.Member | terms.Compare) -> tuple[Sequence[tuple[int, Term]], Ranges]:
    """A condition on a sum: the sum's terms, and the ranges in which these may add up."""
    wanted: Ranges
    if isinstance(condition, terms.Member):
        total, wanted = condition.argument, _runs(condition)
    else:
        total, wanted = terms.add([(1, condition.left), (-1, condition.right)]), _SIGNS[condition.comparison]
    if not isinstance(total, terms.Add):
        return ((1, total),), wanted
    return total.terms, tuple((_less(low, total), _less(high, total)) for low, high in wanted)


def _less(end: int | None, total: terms.Add) -> int | None:
    return None if end is None else end - total.constant


def complement(ranges: Ranges) -> Ranges:
    """All numbers that lie in none of the ranges."""
    gaps: list[tuple[int | None, int | None]] = []
    first: int | None = None
    for low, high in ranges:
        if low is not None and (first is None or first < low):
            gaps.append((first, low - 1))
        if high is None:
            return tuple(gaps)
        first = high + 1
    return (*gaps, (first, None))


def addends(term: Term) -> Sequence[tuple[int, Term]]:
    """Terms, with coefficients, that add up to the term: itself, unless it is a large sum."""
    if not (isinstance(term, terms.Add) and is_large(term)):
        return ((1, term),)
    return (*term.terms, (term.constant, terms.TRUE))


def is_large(term: Term) -> bool:
    if not isinstance(term, terms.Add):
        return False
    sums = work = 1
    for _, part in term.terms:
        work += sums * len(part.values)
        sums = min(sums * len(part.values), len(term.values))
    return work > LARGE_SUM


def _runs(condition: terms.Member) -> Ranges:
    """The members as ranges that hold no other value of the argument, of which there may be too many to look at."""
    members, values = condition.members, condition.argument.values
    if isinstance(members, range):
        return ((members[0], members[-1]),)
    following = {} if isinstance(values, range) else dict(pairwise(values))
    runs: list[tuple[int, int]] = []
    for member in members:
        joined = bool(runs) and member == following.get(runs[-1][1], runs[-1][1] + 1)
        runs[len(runs) - joined :] = [(runs[-1][0] if joined else member, member)]
    return tuple(runs)
