"""Terms without recursion: what a deep walk gives is what recursion gives, and memberships of one term are one."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from random_tasks import random_term

from models import terms as t
from models.execution import value
from models.terms import Term
from search.proofs import evaluation
from search.proofs.evaluation import Columns, evaluate
from search.proofs.short import ShortColumns

SIZES = (2, 3, 4)
STATES = list(itertools.product(*map(range, SIZES)))
LEAVES = [t.var(index, size) for index, size in enumerate(SIZES)]


def columns() -> Columns:
    return Columns(len(STATES), dict(zip(LEAVES, np.array(STATES).T, strict=True)))


def drawn(rng: random.Random, leaf: Term) -> Term:
    """What a leaf may be replaced by."""
    size = len(leaf.values)
    return t.const(rng.randrange(size)) if rng.random() < 0.5 else t.modulo(random_term(rng, LEAVES, 2), size)


@pytest.mark.parametrize("deep", [0, 1, 3])
def test_substitution_beyond_recursion(deep: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(150):
        rng = random.Random(seed)
        term = random_term(rng, LEAVES, 3)
        values = {leaf: drawn(rng, leaf) for leaf in LEAVES if rng.random() < 0.7}
        whole = t.substitute(term, values)
        with monkeypatch.context() as patch:
            patch.setattr(t, "DEEP", deep)
            assert t.substitute(term, values) is whole
        replaced = [tuple(value(values.get(leaf, leaf), [state]) for leaf in LEAVES) for state in STATES]
        assert [value(whole, [state]) for state in STATES] == [value(term, [state]) for state in replaced]


@pytest.mark.parametrize("cells", [1, 30, 1 << 26])
def test_columns_in_pieces(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "CELLS", cells)
    for seed in range(100):
        term = random_term(random.Random(seed), LEAVES, 3)
        expected = [value(term, [state]) for state in STATES]
        assert evaluate(term, columns()).tolist() == expected
        assert ShortColumns(len(STATES), columns().listed()).evaluate(term).tolist() == expected


def test_negations_of_nested_conditions() -> None:
    for seed in range(150):
        rng = random.Random(seed)
        parts = [t.compare("<", random_term(rng, LEAVES, 2), random_term(rng, LEAVES, 2)) for _ in range(4)]
        condition = t.disjunction([parts[0], t.conjunction([parts[1], t.disjunction(parts[2:])])])
        assert (evaluate(t.negation(condition), columns()) == 1 - evaluate(condition, columns())).all()


def test_memberships_of_one_term_are_one() -> None:
    x, lamp = t.var(0, 6), t.var(1, 2)
    assert t.disjunction([t.member(x, [2]), t.member(x, [3])]) is t.member(x, [2, 3])
    assert t.conjunction([t.member(x, [1, 2, 4]), lamp, t.member(x, [2, 4, 5])]) is t.conjunction(
        [t.member(x, [2, 4]), lamp]
    )
    assert t.disjunction([t.member(x, [0, 1, 2]), lamp, t.member(x, [3, 4]), t.member(x, [5])]) is t.TRUE
    assert t.conjunction([t.member(x, [0, 1]), t.member(x, [2])]) is t.FALSE


@pytest.mark.parametrize("most", [1, 2, 3])
def test_few_leaves_are_the_leaves(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In reading order; nothing where there are more. Other leaves than those of other tests, whose terms remember."""
    monkeypatch.setattr(t, "FEW_LEAVES", most)
    own = [t.var(100 * most + index, size, 7) for index, size in enumerate(SIZES)]
    for seed in range(150):
        term = random_term(random.Random(seed), own, 3)
        read = t.leaves(term)
        assert t.few_leaves(term) == (tuple(read) if len(read) <= most else None)
