"""The ways in which a task may end: what each of them says of variables, one by one.

A goal is a disjunction of conjunctions, or may be brought into that form. Of each conjunction only what it says of
single variables is kept, and what cannot be brought into the form says nothing. So an end holds in more states than the
part of the goal that it comes from, never in fewer, and every goal is one of the ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from models.terms import FALSE, FEW_VALUES, Add, And, Member, Not, Or, Term, Var, is_condition, member, negation

MOST_ENDS = 1 << 10  # of a goal
LEVELS = 4  # of conditions in one another
End = Mapping[int, frozenset[int]]  # the values that a variable may have; all, where nothing is said of it
ANY: End = {}


def ends_of(condition: Term, levels: int = LEVELS) -> list[End]:
    """In each state in which the condition holds, one of them does; so many levels of it are looked at."""
    match condition:
        case Or(arguments=arguments) if levels and len(arguments) <= MOST_ENDS:
            return either([ends_of(each, levels - 1) for each in arguments])
        case And(arguments=arguments) if levels:
            return reduce(both, (ends_of(each, levels - 1) for each in arguments), [ANY])
        case Member(argument=Add() as total, members=members) if levels:
            return reduce(both, (ends_of(each, levels - 1) for each in summands(total, members)), [ANY])
        case Member(argument=Var(stage=0, index=index), members=members):
            return [{index: frozenset(members)}]
        case Var(stage=0, index=index):
            return [{index: frozenset((1,))}]
        case Not(argument=Var(stage=0, index=index)):
            return [{index: frozenset((0,))}]
    return [] if condition is FALSE else [ANY]


def either(found: Sequence[list[End]]) -> list[End]:
    """The ends of conditions of which one holds."""
    return [end for each in found for end in each] if sum(map(len, found)) <= MOST_ENDS else [ANY]


def both(one: list[End], other: list[End]) -> list[End]:
    """The ends of two conditions that hold together; the first one's alone where these are too many."""
    if len(one) * len(other) > MOST_ENDS:
        return one
    joined = ({**a, **b, **{index: a[index] & b[index] for index in a.keys() & b}} for a in one for b in other)
    return [end for end in joined if all(end.values())]


def summands(total: Add, members: Sequence[int]) -> list[Term]:
    """What is known of the summands where the sum is the least or the greatest that it can be."""
    if len(members) > FEW_VALUES:
        return []
    for extreme in (0, -1):
        found = [(c, term, term.values[extreme if c > 0 else -1 - extreme]) for c, term in total.terms]
        bound = total.constant + sum(c * value for c, _, value in found)
        if all(value == bound for value in members if value in total.values):
            return [is_at(term, value) for _, term, value in found]
    return []


def is_at(term: Term, value: int) -> Term:
    if is_condition(term):
        return term if value else negation(term)
    return member(term, (value,))
