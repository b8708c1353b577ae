"""Proofs that no action changes a term: by cancelling what a row leaves alone and enumerating the little it touches.

A condition that holds in the start state is proven by induction, each conjunct on its own, all conjuncts assumed before
the action. Other terms must keep their value; a remainder needs this only modulo its divisor. What has been proven may
be assumed in the proofs after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import prod

from models.task import State
from models.terms import (
    FALSE,
    FEW_VALUES,
    Add,
    Cases,
    Const,
    Member,
    Modulo,
    Not,
    Term,
    Values,
    add,
    alternatives,
    children,
    conjuncts,
    is_condition,
    member,
    negation,
    substitute,
    value_in,
)
from search.proofs.differences import Bounds, Proof, bounds
from search.proofs.enumeration import leaf_set
from search.proofs.permutations import are_distinct, counted, inversions, is_odd, moved
from search.proofs.transitions import Transition, change, fixed_by

WIDER = 400_000  # rows of the second attempt, with the guard's other leaves in the core
JOINT = 1 << 26  # joint values of the leaves up to which a term is enumerated as a whole


def fact(term: Term, start: State) -> Term:
    """The condition that a proven invariant amounts to."""
    if is_condition(term):
        return term if value_in(term, start) else negation(term)
    return member(term, (value_in(term, start),))


def exactly_one(facts: Iterable[Term]) -> list[frozenset[Term]]:
    """Sets of conditions of which just one holds."""
    found = []
    for part in facts:
        if isinstance(part, Member) and isinstance(part.argument, Add):
            total = part.argument
            units = all(c == 1 and is_condition(t) for c, t in total.terms)
            if units and len(part.members) == 1 and part.members[0] == total.constant + 1:
                found.append(frozenset(t for _, t in total.terms))
    return found


def linear(term: Term, facts: Iterable[Term]) -> Term:
    """The term with each if-chain over conditions of which just one holds made a sum, whose parts then cancel."""
    sets = exactly_one(facts)
    changes: dict[Term, Term] = {}
    stack, seen = [term], {term}
    while stack and sets:
        found = stack.pop()
        if isinstance(found, Cases) and (as_sum := _as_sum(found, sets)) is not None:
            changes[found] = as_sum
        new = set(children(found)) - seen
        seen |= new
        stack.extend(new)
    return substitute(term, changes) if changes else term


def _as_sum(term: Cases, sets: Sequence[frozenset[Term]]) -> Term | None:
    conditions = [condition for condition, _ in term.cases]
    values = [value.value for _, value in term.cases if isinstance(value, Const)]
    if len(values) < len(conditions) or not isinstance(term.otherwise, Const):
        return None
    if not any(chosen.issuperset(conditions) for chosen in sets):
        return None
    rest = term.otherwise.value
    return add([(value - rest, c) for value, c in zip(values, conditions, strict=True)], rest)


def change_bounds(delta: Term, row: Transition, proof: Proof, modulus: int = 0) -> Bounds | None:
    """Bounds of a term under the row's guard; the core is what term and row have in common."""
    return bounds(delta, (leaf_set(delta) & row.read).union(row.fixed), row.guard, proof, modulus)


def wider_bounds(delta: Term, row: Transition, proof: Proof) -> Bounds | None:
    """The same with the leaves of the guard's conditions on the term in the core, if these are few."""
    read = leaf_set(delta)
    near = read.union(*(leaf_set(c) for c in row.guard if not leaf_set(c).isdisjoint(read)))
    if joint_values(near) > JOINT:
        return None
    return bounds(delta, near, row.guard, replace(proof, limit=min(proof.limit, WIDER)))


def joint_values(leaves: Iterable[Term]) -> int:
    return prod(len(leaf.values) for leaf in leaves)


def unchanged(term: Term, row: Transition, proof: Proof) -> bool:
    """Is it certain that the row keeps the term's value?"""
    if row.after.keys().isdisjoint(leaf_set(term)):
        return True
    if isinstance(term, Modulo):
        if term.divisor == 2 and keeps_parity(term.argument, row, proof):
            return True
        found = change_bounds(change(term.argument, row), row, proof, term.divisor)
        if found is not None and found.greatest <= 0:
            return True
    elif not isinstance(term, Add) and children(term) and all(unchanged(part, row, proof) for part in children(term)):
        return True
    if not isinstance(term, Add) and joint_values(leaf_set(term)) > JOINT:
        return False
    return stays_zero(change(term, row), row, proof)


def keeps_parity(total: Term, row: Transition, proof: Proof) -> bool:
    """Is the sum odd as often as it is even, by the closed form for inversions? False where that does not apply."""
    found = inversions(total)
    sources = moved(row, found[0]) if found else None
    if found is None or sources is None or not _are_distinct(found[0], proof):
        return False
    delta = add([(1, change(found[1], row))], int(is_odd(sources)))
    if isinstance(delta, Const):
        return delta.value % 2 == 0
    attempts = (change_bounds(delta, row, given, 2) for given in (replace(proof, facts=[]), proof))
    return any(rest is not None and rest.greatest <= 0 for rest in attempts)


def _are_distinct(variables: frozenset[Term], proof: Proof) -> bool:
    key = ("distinct", variables, *proof.facts)
    if key not in proof.memo:
        proof.memo[key] = are_distinct(variables, exactly_one(proof.facts))
    return bool(proof.memo[key])


def stays_zero(delta: Term, row: Transition, proof: Proof) -> bool:
    if isinstance(delta, Const):
        return delta.value == 0
    found = change_bounds(delta, row, proof)
    return found is not None and found.least >= 0 >= found.greatest


def kept(part: Term, row: Transition, proof: Proof, assumed: Proof) -> bool:
    """Does a condition that holds before the row hold after it? `assumed` has the whole invariant as a fact."""
    if row.after.keys().isdisjoint(leaf_set(part)):
        return True
    inner = part.argument if isinstance(part, Not | Member) else part
    if isinstance(inner, Modulo) and unchanged(inner, row, proof):
        return True
    if isinstance(part, Member) and isinstance(inner, Add):
        alike = counted(inner)
        if (alike is not None and moved(row, alike) is not None) or stays_inside(part, row, proof):
            return True
    broken = negation(row.regress(part))
    if broken is FALSE:
        return True
    return never(broken, leaf_set(broken) or leaf_set(part), row, assumed)


def never(broken: Term, core: frozenset[Term], row: Transition, assumed: Proof) -> bool:
    """Is the condition false wherever the row applies? A constant one may be so too, if the row never applies."""
    if joint_values(core) > JOINT:
        return False
    found = bounds(broken, core, row.guard, assumed)
    if found is not None and found.greatest <= 0:
        return True
    found = wider_bounds(broken, row, assumed)
    return found is not None and found.greatest <= 0


def stays_inside(part: Member, row: Transition, proof: Proof) -> bool:
    """Does the sum keep its value, or only move away from the one end at which it would leave its allowed values?"""
    values, members = part.argument.values, part.members
    delta = change(part.argument, row)
    found = None if isinstance(delta, Const) else change_bounds(delta, row, proof)
    low, high = (found.least, found.greatest) if found else (delta.values[0], delta.values[-1])
    at_most = same_values(values[: len(members)], members)
    at_least = same_values(values[-len(members) :], members)
    return (high <= 0 or at_least) and (low >= 0 or at_most)


def same_values(one: Values, other: Values) -> bool:
    """Of two large intervals only the ends are looked at."""
    return one == other or (min(len(one), len(other)) <= FEW_VALUES and tuple(one) == tuple(other))


def broken_by(term: Term, start: State, rows: Sequence[Transition], proof: Proof) -> Transition | None:
    """The first row for which the proof that it keeps the term fails; None: the term is invariant."""
    term = linear(term, proof.facts)
    if isinstance(term, Const):
        return None
    if not is_condition(term):
        return next((row for row in rows if not unchanged(term, row, proof)), None)
    parts = conjuncts(fact(term, start))
    assumed = replace(proof, facts=[*proof.facts, *parts])
    return next((row for row in rows if not all(kept(part, row, proof, assumed) for part in parts)), None)


def left_by(dead: Term, rows: Iterable[Transition], proof: Proof) -> Transition | None:
    """The first row that is not known to lead from dead states to dead ones only; None if all of them do."""
    return next((row for row in rows if not all(_stays(part, dead, row, proof) for part in alternatives(dead))), None)


def _stays(part: Term, dead: Term, row: Transition, proof: Proof) -> bool:
    """Where one alternative holds before the row, does it hold after it, or else any of them?"""
    parts = conjuncts(part)
    assumed = replace(proof, facts=[*proof.facts, *parts])
    if all(kept(each, row, proof, assumed) for each in parts):
        return True
    broken = substitute(negation(row.regress(dead)), row.fixed)
    return broken is FALSE or never(broken, leaf_set(broken) or leaf_set(part), row, assumed)


def differs_at_goal(term: Term, start: State, goal: Term) -> bool:
    """Does the goal fix all that the term reads, to another value than in the start state?"""
    at_goal = substitute(term, fixed_by(conjuncts(goal)))
    return isinstance(at_goal, Const) and at_goal.value != value_in(term, start)
