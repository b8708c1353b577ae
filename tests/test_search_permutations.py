"""The closed form for the parity of a permutation, against all permutations; and where it must not be used."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, permutations, product

import pytest

from models.task import Assignment, Invariant, Phase, Row, Schema, Task, Variable
from models.terms import TRUE, Term, add, cases, compare, conjunction, const, member, modulo, value_in, var
from search.proofs.differences import Proof
from search.proofs.invariants import keeps_parity
from search.proofs.knowledge import Prover
from search.proofs.permutations import counted, inversions, moved
from search.proofs.transitions import transition

SIZES = (2, 3, 4)


def once(at: list[Term], values: range | list[int]) -> list[Term]:
    return [member(add((1, member(cell, (v,))) for cell in at), (1,)) for v in values]


def inverted(pairs: list[tuple[Term, Term]]) -> list[tuple[int, Term]]:
    return [(1, compare("<", right, left)) for left, right in pairs]


def one_row(
    size: int, guard: Term, changes: dict[int, Term], start: tuple[int, ...], number: int | None = None
) -> Task:
    variables = tuple(Variable(f"x{n}", tuple(range(size)), start[n]) for n in range(number or size))
    phase = Phase(guard, tuple(Assignment(target, TRUE, value) for target, value in changes.items()))
    return Task("p", "", "", variables, (Schema("act", (), (), (Row((), (phase,), const(1)),)),), TRUE, TRUE)


@pytest.mark.parametrize("seed", range(60))
def test_against_all_permutations(seed: int) -> None:
    """Some positions exchange their values, one way or another; some rest is counted with the inversions."""
    rng = random.Random(seed)
    size = rng.choice(SIZES)
    at = [var(n, size) for n in range(size)]
    places = rng.sample(range(size), rng.randint(1, size))
    order = rng.sample(places, len(places))
    fixed = {place: value for place, value in zip(places, rng.sample(range(size), len(places)), strict=True)
             if rng.random() < 0.4}  # fmt: skip
    guard = conjunction(member(at[place], (value,)) for place, value in fixed.items())
    changes = {p: const(fixed[q]) if q in fixed and rng.random() < 0.7 else at[q]
               for p, q in zip(places, order, strict=True)}  # fmt: skip
    if rng.random() < 0.3:
        changes[places[0]] = rng.choice([const(rng.randrange(size)), rng.choice(at)])  # no permutation any more
    gap = cases([(member(at[n], (0,)), const(n)) for n in range(size - 1)], const(size - 1))
    rest = [(rng.choice((-1, 1, 2)), rng.choice([gap, at[0], at[-1]]))] if rng.random() < 0.6 else []
    pairs = list(combinations(at, 2))
    if rng.random() < 0.15:
        pairs.pop()  # not all of them
    total = add([*inverted(pairs), *rest])
    task = one_row(size, guard, changes, tuple(range(size)))
    facts = once(at, range(size)) if rng.random() < 0.85 else once(at, range(size - 1))
    states = [s for s in permutations(range(size)) if value_in(guard, s)]
    kept = all((value_in(total, s) - value_in(total, after(s, changes))) % 2 == 0 for s in states)
    found = keeps_parity(total, transition(task, (0, 0)), Proof(facts=facts))
    assert not found or kept
    if len(facts) == size and len(pairs) == size * (size - 1) // 2 and size > 2:
        shuffled = sorted(set(after(tuple(range(size)), {p: at[q] for p, q in zip(places, order, strict=True)})))
        assert shuffled == list(range(size))
        plain = all(not isinstance(v, type(const(0))) for v in changes.values()) and not rest
        permuted = len({id(v) for v in changes.values()}) == len(changes) and set(changes.values()) <= {
            at[q] for q in order
        }
        assert found == kept or not (plain and permuted)  # where it is that simple, the answer is exact


def after(state: tuple[int, ...], changes: dict[int, Term]) -> tuple[int, ...]:
    return tuple(value_in(changes[n], state) if n in changes else value for n, value in enumerate(state))


def test_values_that_may_be_equal_have_no_parity() -> None:
    """Without the fact, 0 0 1 becomes 0 1 0: one inversion more, though two places exchange their values: right; but
    1 0 0 becomes 1 0 0."""
    at = [var(n, 3) for n in range(3)]
    total = add([*inverted(list(combinations(at, 2))), (1, at[0])])
    task = one_row(3, TRUE, {1: at[2], 2: at[1]}, (0, 1, 2))
    row = transition(task, (0, 0))
    parity = modulo(add([*inverted(list(combinations(at, 2)))]), 2)
    assert not keeps_parity(total, row, Proof(facts=once(at, range(3))))  # an exchange is odd, and at[0] stays
    assert not Prover(task).invariant(Invariant("parity", parity)).proven
    cycle = one_row(3, TRUE, {0: at[1], 1: at[2], 2: at[0]}, (0, 1, 2))
    assert keeps_parity(parity.argument, transition(cycle, (0, 0)), Proof(facts=once(at, range(3))))
    assert not keeps_parity(parity.argument, transition(cycle, (0, 0)), Proof(facts=once(at, [0, 1])))
    assert not Prover(cycle).invariant(Invariant("parity", parity)).proven  # 0 0 1 has no inversion, 0 1 0 has one
    known = replace(cycle, always=conjunction(once(at, range(3))))
    assert Prover(known).invariant(Invariant("parity", parity)).proven


def test_what_other_facts_have_told_is_not_remembered() -> None:
    """Three facts about one value each make nothing a permutation; three about three values do."""
    at = [var(n, 3) for n in range(3)]
    total = add([*inverted(list(combinations(at, 2)))])
    cycle = transition(one_row(3, TRUE, {0: at[1], 1: at[2], 2: at[0]}, (0, 1, 2)), (0, 0))
    few, whole = [*once(at, [0]), member(at[0], (1, 2)), member(at[1], (0, 1))], once(at, range(3))
    for first, second in ((few, whole), (whole, few)):
        proof = Proof(facts=first)
        for each in (proof, replace(proof, facts=second)):  # they share their memory
            assert keeps_parity(total, cycle, each) == (each.facts is whole)


@pytest.mark.parametrize("seed", range(40))
def test_counts_of_values_that_are_moved(seed: int) -> None:
    """Each count stays where the values only change places, and is not said to stay where it does not."""
    rng = random.Random(seed)
    size, values = rng.choice(SIZES), rng.choice((3, 4))
    at = [var(n, values) for n in range(size)]
    places = rng.sample(range(size), rng.randint(1, size))
    changes = {p: at[q] for p, q in zip(places, rng.sample(places, len(places)), strict=True)}
    if rng.random() < 0.4:
        changes[places[0]] = rng.choice([const(0), *at])
    counts = add([(1, member(cell, rng.choice(([0], [0, 1])))) for cell in at[: rng.randint(2, size)]])
    same = add((1, member(cell, [1])) for cell in at)
    row = transition(one_row(values, TRUE, changes, (0,) * size, size), (0, 0))
    for total in (counts, same):
        alike = counted(total)
        if alike is not None and moved(row, alike) is not None:
            states = product(range(values), repeat=size)
            assert all(value_in(total, s) == value_in(total, after(s, changes)) for s in states)
    assert counted(same) == frozenset(at)


def test_a_value_that_is_copied_is_not_moved() -> None:
    at = [var(n, 3) for n in range(3)]
    for changes, sources in (
        ({0: at[2], 1: at[2], 2: at[0]}, None),
        ({0: at[1]}, None),
        ({0: at[1], 1: at[0]}, {at[0]: at[1], at[1]: at[0]}),
    ):
        assert moved(transition(one_row(3, TRUE, changes, (0, 1, 2)), (0, 0)), at) == sources


def test_each_pair_counts_once() -> None:
    at = [var(n, 4) for n in range(4)]
    pairs = list(combinations(at, 2))
    assert inversions(add(inverted(pairs))) == (frozenset(at), const(0))
    assert inversions(add([*inverted(pairs), (2, at[0])])) == (frozenset(at), add([(2, at[0])]))
    assert inversions(add(inverted(pairs[1:]))) is None
    doubled = add([*inverted(pairs), *inverted(pairs[:1])])
    assert inversions(doubled) is None  # one of them counts twice, which is even
    turned = [(1, compare("<", *pair)) for pair in pairs[:2]]
    assert inversions(add([*turned, *inverted(pairs[2:])])) == (frozenset(at), const(0))
