"""Recursive definitions: the least solution is that of naive iteration, state by state, and few terms say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from itertools import product
from random import Random

import pytest

from models import execution
from models import terms as t
from models.frozen import frozen
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Deadline, LimitReached, Outcome
from models.recursion import PRODUCTS, SUMS, Kind, least_solution
from models.terms import FALSE, TRUE, Term

STATE = [t.var(index, size) for index, size in enumerate((2, 3, 2))]
BITS = [STATE[0], STATE[2], t.member(STATE[1], [0]), t.member(STATE[1], [1, 2])]


def unknowns(count: int) -> list[Term]:
    return [t.var(len(STATE) + n, 2) for n in range(count)]


def naive(equations: Mapping[Term, Term], state: tuple[int, ...]) -> list[int]:
    """All false, then all equations anew until nothing changes."""
    values = [0] * len(equations)
    while True:
        after = [execution.value(term, [(*state, *values)]) for term in equations.values()]
        if after == values:
            return values
        values = after


def agrees(equations: Mapping[Term, Term]) -> None:
    found = least_solution(equations, lambda: None)
    assert list(found) != [] and set(found) == set(equations)
    assert all(leaf in STATE for term in found.values() for leaf in t.leaves(term))
    for state in product(*(range(len(leaf.values)) for leaf in STATE)):
        assert [execution.value(found[each], [state]) for each in equations] == naive(equations, state)


def linear(rng: Random, kind: Kind, leaves: list[Term]) -> Term:
    """A few products, one unknown in each; sometimes it is a value of the state that says which."""
    parts = [kind.times((rng.choice(BITS), rng.choice(leaves))) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.3:
        parts.append(t.select(STATE[1], [rng.choice([None, *leaves]), *(rng.choice(leaves) for _ in range(2))]))
    return kind.plus([*parts, *rng.sample([*BITS, TRUE, FALSE, *leaves], rng.randint(0, 2))])


def any_formula(rng: Random, leaves: list[Term], depth: int) -> Term:
    if depth == 0:
        return rng.choice([*leaves, *leaves, *BITS])
    return rng.choice([t.conjunction, t.disjunction])(any_formula(rng, leaves, depth - 1) for _ in range(2))


@pytest.mark.parametrize("seed", range(120))
def test_the_least_solution_is_that_of_naive_iteration(seed: int) -> None:
    """Sums, products, any mixture; without holes, since nobody may ask for the value of one."""
    rng = Random(seed)
    leaves = unknowns(rng.randint(1, 9))
    kinds = rng.choice([[SUMS], [PRODUCTS], [SUMS, PRODUCTS], [None]])
    made = {}
    for unknown in leaves:
        kind = rng.choice(kinds)
        term = any_formula(rng, leaves, rng.randint(1, 3)) if kind is None else linear(rng, kind, leaves)
        made[unknown] = term if all(None not in each.branches for each in selects(term)) else rng.choice(BITS)
    agrees(made)


def selects(term: Term) -> list[t.Select]:
    inner = [found for part in t.children(term) for found in selects(part)]
    return [*inner, term] if isinstance(term, t.Select) else inner


def test_what_an_unknown_needs_of_itself_is_false() -> None:
    x, y, z = unknowns(3)
    a, b = STATE[0], STATE[2]
    both, either = t.conjunction, t.disjunction
    agrees({x: either((a, both((b, x)))), y: both((either((a, y)), either((b, x)))), z: z})
    ring = {x: both((either((a, y)), b)), y: both((either((b, x)), either((a, x))))}
    agrees(ring)
    agrees({x: both((y, z)), y: either((a, x)), z: either((b, x))})


def test_a_hole_is_never_looked_at() -> None:
    """Where the state has no branch, nobody asks; the other states have the solution."""
    x, y = unknowns(2)
    found = least_solution({x: t.select(STATE[1], [None, y, TRUE]), y: t.disjunction((x, STATE[0]))}, lambda: None)
    for state in product(range(2), (1, 2), range(2)):
        assert execution.value(found[x], [state]) == (state[0] if state[1] == 1 else 1)


def test_a_long_chain_that_cannot_be_eliminated() -> None:
    """Each unknown is both of two that use the one behind: as many rounds as there are unknowns."""
    leaves = unknowns(8)
    a, b = STATE[0], STATE[2]
    made = {leaves[0]: t.disjunction((a, t.conjunction((leaves[7], leaves[6]))))}
    for before, leaf in zip(leaves, leaves[1:], strict=False):
        made[leaf] = t.conjunction((t.disjunction((b, before)), t.disjunction((t.conjunction((leaf, b)), before))))
    agrees(made)


FLOOD = """
puzzle: flood-it
data:
  size: 12
types:
  cell: grid(size, size)
  colour: [red, green, blue]
state:
  at[c in cell]: colour = red if (c.row + c.col) % 2 == 0 else green
define:
  reached(c in cell): c == cell(0, 0) or any(at[c + d] == at[c] and reached(c + d) for d in direction)
actions:
  fill:
    params: {k: colour}
    when: at[cell(0, 0)] != k
    effect:
      at[c]: k for c in cell if reached(c)
goal: all(at[c] == at[cell(0, 0)] for c in cell)
"""


def size(*roots: Term) -> int:
    seen: set[Term] = set()
    waiting = list(roots)
    while waiting:
        term = waiting.pop()
        if term not in seen:
            seen.add(term)
            waiting += t.children(term)
    return len(seen)


def test_a_board_that_is_flooded_takes_few_terms() -> None:
    """All rounds written out, 144 cells take some 90,000 terms."""
    task = ground(load_text(FLOOD, "flood"))
    conditions = [a.condition for row in task.rows.values() for phase in row.phases for a in phase.assignments]
    assert size(*conditions) < 8_000


@frozen(eq=True)
class Counting(Deadline):
    """A clock that counts how often somebody looks, and is over after so many looks."""

    most: int = 10**9
    looks: list[int] = field(default_factory=lambda: [0], compare=False)

    def look(self) -> None:
        self.looks[0] += 1
        if self.looks[0] > self.most:
            raise LimitReached(Outcome.TIME_LIMIT)


PAIRS = """
puzzle: pairs
data:
  size: 7
types:
  cell: grid(size, size)
state:
  at: cell = cell(0, 0)
define:
  odd(c): c.row % 2 == 1 and c.col % 2 == 1
  joined(a in cell, b in cell): not odd(a) and (a == b or any(joined(a + d, b) for d in direction))
actions:
  hop:
    params: {c: cell}
    when: joined(at, c) and distance(at, c) <= 2
    effect:
      at: c
goal: at == cell(6, 6)
"""


def test_a_definition_over_data_is_worked_out_once() -> None:
    """2,401 instances of some ten parts; written out round by round they took a million looks."""
    clock = Counting()
    task = ground(load_text(PAIRS, "pairs"), deadline=clock)
    assert clock.looks[0] < 100_000
    assert len(execution.successors(task, task.start)) == 5  # stay, right, down, two to the right, two down


def test_elimination_looks_at_the_clock() -> None:
    """Among n unknowns that all use each other there are n * (n - 1) / 2 that use one which is eliminated."""
    leaves = unknowns(20)
    made: dict[Term, Term] = {}
    for n, leaf in enumerate(leaves):
        others = (t.conjunction((t.var(100 + 20 * n + m, 2), other)) for m, other in enumerate(leaves) if other != leaf)
        made[leaf] = t.disjunction((STATE[0], *others))
    clock = Counting()
    least_solution(made, clock.look)
    assert clock.looks[0] >= 190
    with pytest.raises(LimitReached, match="time-limit"):
        least_solution(made, Counting(most=100).look)
