"""Conditions without what is unknown: what may hold for some values of it, and what must hold for all.

Of few joint values, each is tried, which is exact. Of more, the parts of a condition are looked at one by one, and a
part that is no conjunction or disjunction counts as true: what may hold is then more, never less, so that every state
in which the condition holds is still one in which it may.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from math import prod

from models.terms import TRUE, And, Or, Term, conjunction, conjuncts, const, disjunction, leaves, negation, substitute
from search.proofs.enumeration import leaf_set

JOINT = 64  # values of several unknown leaves together that are tried one by one
Leaves = frozenset[Term]


def may(parts: Iterable[Term], unknown: Leaves) -> Term:
    """A condition over the other leaves that holds wherever all parts hold for some values of the unknown ones."""
    wholes = [part for whole in parts for part in conjuncts(whole)]
    return conjunction(_freed(conjunction(together), read) for read, together in _groups(wholes, unknown))


def must(condition: Term, unknown: Leaves) -> Term:
    """A condition over the other leaves that holds only where this one holds for all values of the unknown ones."""
    return negation(may((negation(condition),), unknown))


def _groups(parts: Iterable[Term], unknown: Leaves) -> list[tuple[Leaves, list[Term]]]:
    """Parts that share unknown leaves are one group, as long as that has few joint values."""
    found: list[tuple[Leaves, list[Term]]] = []
    for part in parts:
        read, together = leaf_set(part) & unknown, [part]
        apart = []
        for others, group in found:
            if read & others and _joint(read | others) <= JOINT:
                read, together = read | others, [*group, *together]
            else:
                apart.append((others, group))
        found = [*apart, (read, together)]
    return found


def _joint(leaves: Leaves) -> int:
    return prod(len(leaf.values) for leaf in leaves)


@lru_cache(maxsize=1 << 16)  # images of one task have most of it in common
def _freed(condition: Term, unknown: Leaves) -> Term:
    """`unknown` are those that the condition reads."""
    if not unknown:
        return condition
    if _joint(unknown) <= JOINT:
        return _one_of(condition, [leaf for leaf in leaves(condition) if leaf in unknown])
    match condition:
        case And(arguments=arguments):
            return may(arguments, unknown)
        case Or(arguments=arguments):
            return disjunction(_freed(each, leaf_set(each) & unknown) for each in arguments)
    return TRUE


def _one_of(condition: Term, unknown: Sequence[Term]) -> Term:
    """The condition for one of all joint values."""
    found = []
    for values in product(*(leaf.values for leaf in unknown)):
        part = substitute(condition, {leaf: const(value) for leaf, value in zip(unknown, values, strict=True)})
        if part is TRUE:
            return TRUE
        found.append(part)
    return disjunction(found)
