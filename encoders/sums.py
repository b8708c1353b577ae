"""Conditions on large sums stay linear constraints.

The cases of a sum are as many as its values, and each needs a literal; a condition on a sum of many terms is better
told to the solver as "the weighted value literals add up to something in these intervals".
"""

from __future__ import annotations

from collections.abc import Sequence

from encoders.formula import Intervals
from models import terms
from models.terms import Term

UNBOUNDED = 1 << 40
LARGE_SUM = 256  # partial sums times values above which a sum becomes a linear constraint


def has_large_sum(condition: terms.Member | terms.Compare) -> bool:
    if isinstance(condition, terms.Member):
        return _is_large(condition.argument)
    return _is_large(condition.left) or _is_large(condition.right)


def sum_in(condition: terms.Member | terms.Compare) -> tuple[Sequence[tuple[int, Term]], Intervals]:
    """A condition on a sum: the sum's terms, and the intervals in which these may add up."""
    if isinstance(condition, terms.Member):
        total, wanted = condition.argument, _runs(condition)
    else:
        total = terms.add([(1, condition.left), (-1, condition.right)])
        wanted = {
            "==": ((0, 0),),
            "!=": ((-UNBOUNDED, -1), (1, UNBOUNDED)),
            "<": ((-UNBOUNDED, -1),),
            "<=": ((-UNBOUNDED, 0),),
        }[condition.comparison]
    if not isinstance(total, terms.Add):
        return ((1, total),), wanted
    return total.terms, tuple((low - total.constant, high - total.constant) for low, high in wanted)


def complement(intervals: Intervals) -> Intervals:
    starts = [-UNBOUNDED, *(high + 1 for _, high in intervals)]
    ends = [*(low - 1 for low, _ in intervals), UNBOUNDED]
    return tuple((low, high) for low, high in zip(starts, ends, strict=True) if low <= high)


def _is_large(term: Term) -> bool:
    if not isinstance(term, terms.Add):
        return False
    sums = work = 1
    for _, part in term.terms:
        work += sums * len(part.values)
        sums = min(sums * len(part.values), len(term.values))
    return work > LARGE_SUM


def _runs(condition: terms.Member) -> Intervals:
    """The members as intervals that hold no other value of the argument."""
    wanted = condition.members if isinstance(condition.members, range) else set(condition.members)
    runs: list[tuple[int, int]] = []
    joined = False
    for value in condition.argument.values:
        if value in wanted:
            runs[len(runs) - joined :] = [(runs[-1][0] if joined else value, value)]
        joined = value in wanted
    return tuple(runs)
