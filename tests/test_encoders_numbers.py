"""Path two with numbers of any size: sums as constraints, value sets as intervals, costs in several metrics."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from encoders import cpsat, lowering, sums, value_sets
from encoders.all_plans import every_plan
from encoders.encoding import encode
from encoders.formula import TRUE, Formula, Ranges
from encoders.horizons import Session, solve_by_horizon
from encoders.lowering import Lowering
from encoders.requirements import require
from encoders.statements import horizon_below, unreduced
from encoders.value_sets import ValueSets
from models import terms as t
from models.execution import value
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Limits, Outcome, Unsupported
from models.task import Heuristic, Task
from models.terms import Term

NUMBERS = (1, 2, 3, 5, 600, 2**31, 2**40 - 1, 2**40, 2**40 + 1, 2**45, 2**52 + 1, 2**53)


# -- ranges ------------------------------------------------------------------------------------------------------------


def inside(ranges: Ranges, number: int) -> bool:
    return any((low is None or low <= number) and (high is None or number <= high) for low, high in ranges)


def test_complements() -> None:
    ends = [None, 0, 1, 2, 4, 5, 7, None]
    for size in range(5):
        for chosen in itertools.combinations(range(8), size):
            picked = [ends[place] for place in chosen]
            ranges = tuple(zip(picked[::2], picked[1::2], strict=False))
            if all(low is None or place == 0 for place, (low, _) in enumerate(ranges) if low is None):
                apart = sums.complement(ranges)
                assert all(inside(ranges, n) != inside(apart, n) for n in range(-3, 11)), ranges


@pytest.mark.parametrize("seed", range(40))
def test_a_linear_constraint_says_what_it_says(seed: int) -> None:
    """All assignments of a few literals, some of them negated, some constant, in sums up to 2^58."""
    rng = random.Random(seed)
    formula = Formula()
    literals = [formula.fresh() for _ in range(rng.randint(1, 5))]
    choices = [TRUE, *literals, *(~each for each in literals)]
    weighted = [(rng.choice((-1, 1)) * rng.choice(NUMBERS), rng.choice(choices)) for _ in range(rng.randint(1, 7))]
    reached = sorted({sum_of(weighted, values) for values in itertools.product((False, True), repeat=len(literals))})
    drawn = sorted(rng.choice(reached) + rng.randint(-1, 1) for _ in range(4))
    points: list[int | None] = [*drawn[: 4 if drawn[1] + 1 < drawn[2] else 2]]
    if rng.random() < 0.3:
        points[0] = None
    if rng.random() < 0.3:
        points[-1] = None
    ranges = tuple(zip(points[::2], points[1::2], strict=True))
    enforced = rng.sample(literals, rng.choice((0, 0, 1)))
    formula.linear(enforced, weighted, ranges)
    found: set[tuple[bool, ...]] = set()
    assert cpsat.every_solution(formula, lambda values: found.add(tuple(values[each] for each in literals)))
    for values in itertools.product((False, True), repeat=len(literals)):
        free = any(not values[literals.index(each)] for each in enforced)
        assert (values in found) == (free or inside(ranges, sum_of(weighted, values)))


def sum_of(weighted: list[tuple[int, int]], values: tuple[bool, ...]) -> int:
    """Literal 1 is the first of the values; 0 is true."""
    every = (True, *values)
    return sum(c for c, literal in weighted if (every[literal] if literal >= 0 else not every[~literal]))


@pytest.mark.parametrize("ranges", [(), ((2**60, None),), ((None, -1),)])
def test_a_sum_that_fits_nowhere_fails(ranges: Ranges) -> None:
    formula = Formula()
    literal = formula.fresh()
    formula.linear((), [(5, literal)], ranges)
    found: list[object] = []
    assert cpsat.every_solution(formula, found.append) and not found


# -- conditions on sums ------------------------------------------------------------------------------------------------


def conditions(rng: random.Random, leaves: list[Term]) -> Iterator[Term]:
    """Conditions on sums of large numbers, at the ends of what these can be."""
    for _ in range(4):
        total = t.add(
            [(rng.choice((-1, 1)) * rng.choice(NUMBERS), leaf) for leaf in leaves], rng.choice((0, -3, 2**40))
        )
        other = t.add([(rng.choice(NUMBERS), leaf) for leaf in rng.sample(leaves, 2)])
        point = rng.choice([total.values[0], total.values[-1], 0, rng.choice(NUMBERS)])
        yield t.member(total, range(point, total.values[-1] + 1))
        yield t.negation(t.member(total, (point, point + 1, point + 7)))
        yield t.compare(rng.choice(("==", "!=", "<", "<=")), total, other)  # type: ignore[arg-type]
        yield t.compare("<", t.maximum([total, t.const(point)]), other)
        yield t.member(t.floor_divide(total, 2**20), range(0, 2**60))
        yield t.member(t.modulo(total, 2**41), range(2**40))


@pytest.mark.parametrize("seed", range(12))
def test_conditions_on_large_sums(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a literal, and as something that has to hold: the same states as by whole numbers."""
    rng = random.Random(seed)
    monkeypatch.setattr(sums, "LARGE_SUM", rng.choice((2, 256)))
    sizes = [rng.randint(2, 3) for _ in range(4)]
    leaves = [t.var(n, size) for n, size in enumerate(sizes)]
    for condition in conditions(rng, leaves):
        right = {state for state in itertools.product(*map(range, sizes)) if value(condition, [state])}
        assert states(sizes, condition, required=True) == right
        assert states(sizes, condition, required=False) == right


def states(sizes: list[int], condition: Term, required: bool) -> set[tuple[int, ...]]:
    formula = Formula()
    variables = [formula.one_hot(range(size)) for size in sizes]
    layer = Lowering(formula, [variables])
    if required:
        require(layer, (), condition)
    else:
        formula.clause((layer.literal(condition),))
    found: set[tuple[int, ...]] = set()

    def receive(values: cpsat.Assignment) -> None:
        found.add(tuple(next(v for v, each in literals.items() if holds(each, values)) for literals in variables))

    assert cpsat.every_solution(formula, receive)
    return found


def holds(literal: int, values: cpsat.Assignment) -> bool:
    return values[literal] if literal >= 0 else not values[~literal]


def test_numbers_that_cp_sat_cannot_hold_are_unsupported() -> None:
    formula = Formula()
    formula.linear((), [(2**62, formula.fresh()), (1, formula.fresh())], ((1, 2**62),))
    with pytest.raises(Unsupported, match="64 bits"):
        cpsat.to_model(formula)


def test_a_sum_of_too_many_values_is_unsupported(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a value that is told apart; asked for an interval it is one constraint."""
    monkeypatch.setattr(lowering, "MOST_CASES", 200)
    leaves = [t.var(n, 2) for n in range(9)]
    total = t.add([(3**n, leaf) for n, leaf in enumerate(leaves)])
    formula = Formula()
    layer = Lowering(formula, [[formula.one_hot(range(2)) for _ in leaves]])
    require(layer, (), t.member(total, range(100, 3**8)))
    with pytest.raises(Unsupported, match="too many values"):
        layer.cases(t.modulo(total, 2**13))


# -- value sets --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_intervals_leave_nothing_out(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a term is for values of the given sets, it is among what is called possible."""
    rng = random.Random(seed)
    monkeypatch.setattr(value_sets, "FEW_PAIRS", rng.choice((1, 4)))
    monkeypatch.setattr(t, "FEW_VALUES", 3)
    sizes = [rng.randint(2, 4) for _ in range(3)]
    leaves = [t.var(n, size) for n, size in enumerate(sizes)]
    given = [set(rng.sample(range(size), rng.randint(1, size))) for size in sizes]
    sets = ValueSets(given)
    for condition in conditions(rng, leaves):
        for part in (condition, *t.children(condition), *(p for c in t.children(condition) for p in t.children(c))):
            truth = {value(part, [state]) for state in itertools.product(*given)}
            possible = sets.possible(part)
            assert all(value in possible for value in truth), part


# -- costs in several metrics ------------------------------------------------------------------------------------------

CHAIN = """
puzzle: chain
state: {{x: 0 .. 4 = 0}}
actions:
  step: {{when: x < 4, effect: {{x: x + 1}}, cost: {{a: {a}, b: {b}}}}}
  leap: {{when: x < 3, effect: {{x: x + 2}}, cost: {{a: {c}, b: {d}}}}}
  back: {{when: x > 0, effect: {{x: x - 1}}, cost: {{a: {a}, b: 1}}}}
goal: x == 4
"""


def chain(a: int, b: int, c: int, d: int) -> Task:
    return ground(load_text(CHAIN.format(a=a, b=b, c=c, d=d), "chain.yaml"), ("a", "b"))


@pytest.mark.parametrize(("prices", "best"), [
    ((1, 0, 2, 2**53), (4, 0)),
    ((1, 2**53, 2, 0), (4, 0)),
    ((1, 2**53, 2, 7), (4, 14)),
    ((1, 2**41, 1, 2**53), (2, 2**54)),
    ((2**53, 2**53, 2**53, 2**53), (2**54, 2**54)),
    ((2**40, 1, 2**41 - 1, 2**53), (2**42 - 2, 2**54)),
])  # fmt: skip
def test_the_first_metric_decides(prices: tuple[int, int, int, int], best: tuple[int, int]) -> None:
    task = chain(*prices)
    result = solve_by_horizon(task, Limits(time=60))
    assert (result.outcome, result.cost, result.lower_bound) == (Outcome.OPTIMAL, best, best)
    session = Session(task, Limits())
    steps = horizon_below(session.outline, best)
    assert session.refuted(steps, best).status == "infeasible"
    for worse in ((best[0], best[1] + 1), (best[0] + 1, 0)):
        assert session.refuted(steps, worse).cost is not None
    assert session.refuted(steps, (best[0], best[1] + 1)).cost == best


def test_how_long_a_cheaper_plan_may_be() -> None:
    """It costs no more in the first metric in which steps cost something, and less if it is the last one."""
    assert horizon_below(unreduced(chain(2, 0, 2, 1)), (8, 9)) == 4
    assert horizon_below(unreduced(chain(3, 0, 5, 1)), (8, 9)) == 2
    alike = CHAIN.replace("b: 1", "b: 3").format(a=0, b=3, c=0, d=3)
    assert horizon_below(unreduced(ground(load_text(alike, "chain.yaml"), ("a", "b"))), (0, 9)) == 2
    with pytest.raises(Unsupported, match="cost nothing"):
        horizon_below(unreduced(chain(0, 1, 1, 1)), (8, 9))
    with pytest.raises(Unsupported, match="too long"):
        horizon_below(unreduced(chain(1, 1, 2, 1)), (2**53, 0))


def test_a_plan_of_very_many_steps_is_no_proof_that_there_is_none() -> None:
    """An estimate of 2^41 unit steps, taken to be proven."""
    text = CHAIN.replace("cost: {{a: {a}, b: {b}}}", "cost: 1").replace("cost: {{a: {c}, b: {d}}}", "cost: 1")
    task = ground(load_text(text.replace("cost: {{a: {a}, b: 1}}", "cost: 1").format(), "chain.yaml"))
    task = replace(task, heuristics=(Heuristic("far", t.const(2**41)),))
    with pytest.raises(Unsupported, match="too long"):
        solve_by_horizon(task, Limits(time=60), heuristics=["far"])
    result = solve_by_horizon(task, Limits(time=60, max_horizon=9), heuristics=["far"])
    assert (result.outcome, result.lower_bound) == (Outcome.HORIZON_EXHAUSTED, (2**41,))


def test_costs_that_are_large_sums() -> None:
    """Of the three steps each one costs what has been done before: cheapest from the least weight on."""
    weights = [2**45, 3, 5, 2**20, 9, 17, 33, 65, 129]
    text = f"""
puzzle: heavy
data: {{w: {weights}}}
types: {{i: keys(w)}}
state:
  on[k in i]: bool = false
actions:
  lay:
    params: {{k: i}}
    when: not on[k]
    effect:
      on[k]: true
    cost: 1 + sum(w[j] for j in i if on[j])
goal: count(k for k in i if on[k]) == 3
"""
    task = ground(load_text(text, "heavy.yaml"))
    assert sums.addends(task.schemas[0].rows[0].cost) != ((1, task.schemas[0].rows[0].cost),)
    result = solve_by_horizon(task, Limits(time=60))
    assert (result.outcome, result.cost) == (Outcome.OPTIMAL, (3 + 3 + (3 + 5),))


def test_plans_are_counted_by_all_metrics() -> None:
    """Two leaps; a step and a leap and a step in three orders; four steps: all cost 4 a, and differ in b."""
    task = chain(1, 5, 2, 10)
    assert [len(every_plan(task, costs).plans) for costs in ((4, 20), (4, 15), (3, 20))] == [5, 0, 0]
    task = chain(1, 5, 2, 2**53)
    assert [len(every_plan(task, (4, b)).plans) for b in (20, 10 + 2**53, 2**54)] == [1, 3, 1]


def test_costs_of_a_plan_are_told_apart() -> None:
    task = chain(1, 2**53, 2, 7)
    made = encode(task, 3)
    found = set()

    def receive(values: cpsat.Assignment) -> None:
        found.add(tuple(sum(cost for cost, each in weighted if holds(each, values)) for weighted in made.costs))

    assert cpsat.every_solution(made.formula, receive)
    assert found == {(4, 2**54 + 7)}
