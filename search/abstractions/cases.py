"""What a row does, case by case: in each its new values are simple, though they are put together of conditions.

A new value that asks whether a condition holds is one value where it does and another where it does not; what is known
in a case is told to all that is left. The cases of a row are all there are: in each state in which it applies one of
them holds. Those that contradict themselves in an obvious way are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from models.outcomes import Unsupported
from models.terms import (
    FALSE,
    TRUE,
    Cases,
    Const,
    Select,
    Term,
    Var,
    children,
    compare,
    conjunction,
    conjuncts,
    const,
    is_condition,
    negation,
    substitute,
)
from search.proofs.transitions import Look, Transition, fixed_by

MOST_CASES = 1 << 9  # that are looked at, of one row
MOST_PARTS = 1 << 9  # of its conditions and values


class Case(NamedTuple):
    """Where all that is given holds, these old variables have these new values."""

    given: tuple[Term, ...]
    after: Mapping[Term, Term]


def cases_of(row: Transition, after: Mapping[Term, Term], look: Look = lambda: None) -> Iterator[Case]:
    """With these of its new values; Unsupported where they are too many, or too long."""
    if is_long([*row.guard, *after.values()]):
        raise Unsupported("an action does too many things")
    waiting, looked_at = [assuming(Case((), after), row.guard)], 0
    while waiting:
        look()
        looked_at += 1
        if looked_at > MOST_CASES:
            raise Unsupported("an action does too many things")
        case = waiting.pop()
        if case is None:
            continue
        condition = next((asked for new in case.after.values() if (asked := question(new)) is not None), None)
        if condition is None:
            yield case
        else:
            waiting += [assuming(case, conjuncts(each)) for each in (negation(condition), condition)]


def is_long(terms: Sequence[Term]) -> bool:
    """Are they put together of more parts than are looked at?"""
    waiting, seen = list(terms), set[Term]()
    while waiting and len(seen) <= MOST_PARTS:
        term = waiting.pop()
        if term not in seen:
            seen.add(term)
            waiting += children(term)
    return len(seen) > MOST_PARTS


def question(new: Term) -> Term | None:
    """The first condition that decides what a new value is; None: nothing is asked."""
    match new:
        case Cases(cases=pairs):
            return pairs[0][0]
        case Select(argument=argument):
            return compare("==", argument, const(argument.values[0]))
        case Const() | Var():
            return None
    return new if is_condition(new) else None


def assuming(case: Case, parts: Sequence[Term]) -> Case | None:
    """The case where these conditions hold too, told to all others; None: it cannot be."""
    given, after = case
    while parts:
        known = {**{negation(part): FALSE for part in parts}, **dict.fromkeys(parts, TRUE), **fixed_by(parts)}
        memo: dict[Term, Term] = {}
        told = [(part, substitute(part, known, memo)) for part in given]
        given = (*(new for old, new in told if new is old), *parts)
        after = {old: substitute(new, known, memo) for old, new in after.items()}
        parts = [part for old, new in told if new is not old for part in conjuncts(new)]
        if FALSE in parts:
            return None
    return None if conjunction(given) is FALSE else Case(given, after)
