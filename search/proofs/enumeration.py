"""All joint values of a few leaves that satisfy conditions, leaf by leaf, with pruning as early as possible.

A condition that reads more than the leaves at hand is *relaxed* to them: a sum is replaced by what is known of it and
the interval of the rest, a conjunction by the relaxations of its parts. A relaxation admits more, never less, so what
holds for all the assignments found holds for all that exist. This is backtracking by whole columns (a generic join)
with bounds propagation on linear conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from models.terms import (
    FALSE,
    FEW_VALUES,
    TRUE,
    Add,
    And,
    Compare,
    Maximum,
    Member,
    Minimum,
    Or,
    Select,
    Term,
    Values,
    add,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    leaves,
    member,
    select,
)
from search.compiler.term_tables import fits
from search.proofs.short import ShortColumns

if TYPE_CHECKING:
    from search.proofs.evaluation import Columns

Listed: TypeAlias = "Columns | ShortColumns"  # few assignments or many


@lru_cache(maxsize=1 << 17)
def leaf_set(term: Term) -> frozenset[Term]:
    return frozenset(leaves(term))


def relax(condition: Term, kept: frozenset[Term]) -> Term:
    """A condition over the `kept` leaves that holds wherever `condition` does."""
    read = leaf_set(condition)
    if read <= kept:
        return condition
    known = read & kept
    return _relax(condition, known) if known else TRUE


@lru_cache(maxsize=1 << 17)
def _relax(condition: Term, kept: frozenset[Term]) -> Term:
    match condition:
        case And(arguments=arguments):
            return conjunction(relax(a, kept) for a in arguments)
        case Or(arguments=arguments):
            return disjunction(relax(a, kept) if leaf_set(a) & kept else TRUE for a in arguments)
        case Member(argument=Add() as total, members=members):
            known, low, high = split(total, kept)
            if len(known.values) > FEW_VALUES:
                return member(known, range(members[0] - high, members[-1] - low + 1))
            return member(known, [v for v in known.values if any_between(members, v + low, v + high)])
        case Member(argument=Maximum(arguments=arguments), members=members):
            return conjunction(relax(member(a, range(a.values[0], members[-1] + 1)), kept) for a in arguments)
        case Member(argument=Minimum(arguments=arguments), members=members):
            last = max(a.values[-1] for a in arguments)
            return conjunction(relax(member(a, range(members[0], last + 1)), kept) for a in arguments)
        case Compare(comparison=comparison, left=left, right=right) if comparison != "!=":
            known, low, high = split(add([(1, left), (-1, right)]), kept)
            above = relaxed_bound(known, -low - (comparison == "<"))
            return above if comparison != "==" else conjunction([above, compare("<=", const_of(-high), known)])
        case Select(argument=argument, branches=branches) if leaf_set(argument) <= kept:
            return select(argument, [None if b is None else relax(b, kept) for b in branches])
    return TRUE


def const_of(value: int) -> Term:
    return add([], value)


def relaxed_bound(known: Term, last: int) -> Term:
    return compare("<=", known, const_of(last))


def split(total: Term, kept: frozenset[Term]) -> tuple[Term, int, int]:
    """(the part of a sum that only reads `kept`, the least and the greatest value of the rest)."""
    pairs = total.terms if isinstance(total, Add) else ((1, total),)
    constant = total.constant if isinstance(total, Add) else 0
    known, low, high = [], 0, 0
    for coefficient, term in pairs:
        if leaf_set(term) <= kept:
            known.append((coefficient, term))
        else:
            ends = (coefficient * term.values[0], coefficient * term.values[-1])
            low, high = low + min(ends), high + max(ends)
    return add(known, constant), low, high


def any_between(members: Values, first: int, last: int) -> bool:
    if len(members) == members[-1] - members[0] + 1:
        return first <= members[-1] and last >= members[0]
    return any(first <= value <= last for value in members)


def assignments(wanted: Iterable[Term], constraints: Iterable[Term], limit: int) -> Listed | None:
    """All joint values of the leaves under the (relaxed) constraints; None where that takes more than `limit` rows."""
    return extend(ShortColumns(1, {}), wanted, constraints, limit)


def extend(columns: Listed, wanted: Iterable[Term], constraints: Iterable[Term], limit: int) -> Listed | None:
    """The columns joined with all values of further leaves; rows keep their order."""
    left = list(wanted)
    kept = frozenset(left) | frozenset(columns.of)
    parts = [part for c in constraints for whole in conjuncts(c) for part in conjuncts(relax(whole, kept))]
    parts = [part for part in dict.fromkeys(parts) if part is FALSE or leaf_set(part) & frozenset(left)]
    if FALSE in parts:
        return ShortColumns(0, {leaf: [] for leaf in (*columns.of, *left)})
    bound = set(columns.of)
    while left:
        leaf = max(left, key=lambda candidate: _urgency(candidate, bound, parts))
        left.remove(leaf)
        bound.add(leaf)
        columns_or_none = _extend_by(columns, leaf, frozenset(bound), parts, limit)
        if columns_or_none is None:
            return None
        columns = columns_or_none
    return columns


def _urgency(leaf: Term, bound: set[Term], parts: Sequence[Term]) -> tuple[int, int, int]:
    """Prefer a leaf that completes conditions, then one tied to what is bound, then one with few values."""
    reading = [leaf_set(part) for part in parts if leaf in leaf_set(part)]
    complete = sum(all(other is leaf or other in bound for other in read) for read in reading)
    tied = sum(any(other in bound for other in read) for read in reading)
    return complete, tied, -len(leaf.values)


def _extend_by(columns: Listed, leaf: Term, bound: frozenset[Term], parts: Sequence[Term], limit: int) -> Listed | None:
    tests = [relax(part, bound) for part in parts if leaf in leaf_set(part)]
    tests = [test for test in dict.fromkeys(tests) if test is not TRUE and fits(test)]
    values = columns.alone(leaf)
    alone = [test for test in tests if leaf_set(test) <= {leaf}]
    for test in alone:
        values = values.filtered(values.holds(test))
    if columns.size * values.size > limit:
        return None
    wider = columns.times(values)
    for test in tests:
        if test not in alone and wider.size:
            wider = wider.filtered(wider.holds(test))
    return wider
