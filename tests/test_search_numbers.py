"""Path one with numbers as large as 64 bits can hold, and larger: searches end before they compare sums wrongly, and
proofs know nothing rather than something wrong."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from proving import prove_heuristic
from sampled import slow

import search.registry
import search.spaces.best_plans
import search.spaces.machine_space
from models import terms as t
from models.grounding import ground
from models.loader import load_text
from models.metrics import exact_steps, word_steps
from models.outcomes import Limits, Outcome, Unsupported
from models.task import Assignment, Heuristic, Phase, Row, Schema, Task, Variable
from models.terms import Term, value_in
from search.compiler.term_tables import fits
from search.machine import Machine
from search.proofs import enumeration, short
from search.proofs.consistency import change_range
from search.proofs.differences import Proof, bounds
from search.proofs.enumeration import assignments, relax
from search.proofs.evaluation import Columns, evaluate
from search.proofs.invariants import same_values
from search.proofs.short import ShortColumns
from search.proofs.transitions import transitions
from search.recording import record
from search.registry import ALGORITHMS, search_with
from search.space import Heuristic as Estimate
from search.spaces.best_plans import best_plans
from search.spaces.machine_space import walk_machine
from search.spaces.state_space import in_steps
from search.spaces.survey import Survey

CHAIN = """
puzzle: chain
state: {{x: 0 .. {top} = 0}}
actions:
  step: {{when: x < {top}, effect: {{x: x + 1}}, cost: {{a: {a}, b: {b}}}}}
  back: {{when: x > 0, effect: {{x: x - 1}}, cost: {{a: {a}, b: {b}}}}}
goal: x == {goal}
heuristics: {{left: {goal} - x}}
"""
BY_COST = ("ucs", "astar", "buckets", "idastar", "rbfs", "wastar")
KERNELS = ("ucs", "astar", "idastar", "wastar")


def chain(goal: int, a: int, b: int, metrics: str, top: int = 60_000) -> Machine:
    return Machine(ground(load_text(CHAIN.format(goal=goal, a=a, b=b, top=top), "chain.yaml"), tuple(metrics)))


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take over at once, whatever costs there are."""
    for place in (search.registry, search.spaces.best_plans, search.spaces.machine_space):
        monkeypatch.setattr(place, "SMALL", 0)
    for place in (search.registry, search.spaces.best_plans):
        monkeypatch.setattr(place, "LONG_PATH", 0)


# -- the length up to which costs compare ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BY_COST)
def test_a_search_ends_before_sums_compare_wrongly(name: str) -> None:
    """b adds up to 2^53 a step: the weights let some hundred steps add up in it, not one more."""
    machine = chain(600, 1, 2**53, "ab")
    assert 500 < machine.exact_steps < 600
    with pytest.raises(Unsupported, match=f"more than {machine.exact_steps:,} steps"):
        search_with(name, machine, limits=Limits(time=60))
    near = chain(300, 1, 2**53, "ab")
    result = search_with(name, near, limits=Limits(time=60))
    assert result.cost == 300 * (near.task.weights[0] + 2**53)
    assert result.outcome is (Outcome.SOLVED if name == "wastar" else Outcome.OPTIMAL)


@pytest.mark.parametrize("name", sorted(ALGORITHMS.keys() - set(BY_COST) - {"beam", "genetic", "greedy"}))
def test_a_search_that_compares_no_costs_goes_on(name: str) -> None:
    machine = chain(600, 1, 2**53, "ab", top=650)
    result = search_with(name, machine, limits=Limits(time=60))
    assert result.outcome is Outcome.SOLVED and result.cost == 600 * (machine.task.weights[0] + 2**53)


@pytest.mark.parametrize("name", ["ucs", *map(slow, KERNELS[1:])])
def test_kernels_end_before_sums_overflow(name: str, kernels: None) -> None:
    """511 steps of 2^53 fit into 62 bits; Python's own numbers go on."""
    machine = chain(600, 2**53, 0, "a")
    assert machine.word_steps == 511
    with pytest.raises(Unsupported):
        search_with(name, machine, limits=Limits(time=60))
    assert search_with(name, chain(100, 2**53, 0, "a"), limits=Limits(time=60)).cost == 100 * 2**53


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_end_before_sums_compare_wrongly(name: str, kernels: None) -> None:
    """Also where nothing is found: by then the wrong paths may have been cut off."""
    for goal in ("x == 100", "x == 100 and x % 2 == 1"):
        text = CHAIN.format(goal=100, a=1, b=1, top=100).replace("goal: x == 100", f"goal: {goal}")
        machine = Machine(ground(load_text(text, "chain.yaml"), ("a", "b")))
        machine.exact_steps = 50
        with pytest.raises(Unsupported, match="more than 50 steps"):
            search_with(name, machine, limits=Limits(time=60))


@pytest.mark.parametrize("name", [*KERNELS, "rbfs"])
def test_python_takes_over_where_sums_are_larger_than_words(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search.registry, "SMALL", 0)
    result = search_with(name, chain(600, 2**53, 0, "a"), limits=Limits(time=60))
    assert (result.outcome is Outcome.OPTIMAL or name == "wastar") and result.cost == 600 * 2**53


@pytest.mark.parametrize("name", ["dfs", "ids"])
def test_the_cost_of_a_deep_plan_is_no_sum_of_words(name: str, kernels: None) -> None:
    assert search_with(name, chain(1100, 2**53, 0, "a", top=1100), limits=Limits(time=60)).cost == 1100 * 2**53


def test_a_plan_in_hand_is_not_called_best_beyond_the_bound() -> None:
    """Whatever it is compared with: it may be longer than what has been expanded."""
    space = search.registry.SearchSpace(chain(5, 1, 1, "ab"), Limits())
    space.weigh_costs(4)
    row, found = ALGORITHMS["ucs"], search.registry.Found((0,) * 5, 0)
    with pytest.raises(Unsupported):
        search.registry.conclude(row, space, found, None)
    assert search.registry.conclude(row, space, found._replace(operators=(0,) * 4), None).outcome is Outcome.OPTIMAL


def test_counting_ends_before_sums_compare_wrongly() -> None:
    machine = chain(600, 1, 2**53, "ab")
    with pytest.raises(Unsupported):
        best_plans(machine, 600 * (machine.task.weights[0] + 2**53), Limits())
    near = chain(300, 1, 2**53, "ab")
    assert best_plans(near, 300 * (near.task.weights[0] + 2**53), Limits()).count == 1


def test_counting_by_kernels_ends_before_sums_overflow(kernels: None) -> None:
    with pytest.raises(Unsupported):
        best_plans(chain(600, 2**53, 0, "a"), 600 * 2**53, Limits())
    assert best_plans(chain(200, 2**53, 0, "a"), 200 * 2**53, Limits()).count == 1
    machine = chain(100, 1, 1, "ab")
    machine.exact_steps = 50
    with pytest.raises(Unsupported, match="more than 50 steps"):
        best_plans(machine, 100 * (machine.task.weights[0] + 1), Limits())


@pytest.mark.parametrize("small", [None, 5])
@pytest.mark.parametrize(("goal", "a", "b", "metrics"), [(600, 2**53, 0, "a"), (600, 1, 2**53, "ab")])
def test_distances_end_before_sums_compare_wrongly(goal: int, a: int, b: int, metrics: str, small: int | None) -> None:
    space, _ = walk_machine(chain(goal, a, b, metrics, top=goal), Limits(), {}, None, small)
    with pytest.raises(Unsupported, match="64 bits"):
        Survey(space).work_out(lambda: None)
    steps = Survey(in_steps(space))
    steps.work_out(lambda: None)
    assert steps.nearest_cost == goal


@pytest.mark.parametrize("small", [None, 5])
def test_distances_are_sums(small: int | None) -> None:
    machine = chain(50, 1, 2**30, "ab", top=50)
    machine.exact_steps = 49
    with pytest.raises(Unsupported, match="64 bits"):
        Survey(walk_machine(machine, Limits(), {}, None, small)[0]).work_out(lambda: None)
    machine = chain(50, 1, 2**30, "ab", top=50)
    survey = Survey(walk_machine(machine, Limits(), {}, None, small)[0])
    survey.work_out(lambda: None)
    assert survey.nearest_cost == survey.farthest_cost == 50 * (machine.task.weights[0] + 2**30)


def test_a_recorded_search_ends_before_it_tells_costs_wrongly() -> None:
    machine = chain(600, 1, 2**53, "ab")
    with pytest.raises(Unsupported):
        record("bfs", machine, Estimate("none", lambda state: 0), Limits(), {}, lambda event: None)


# -- tasks without weights ---------------------------------------------------------------------------------------------


def test_what_has_no_weights_is_not_compiled() -> None:
    task = ground(load_text(CHAIN.format(goal=5, a=2**53, b=2**53, top=9), "chain.yaml"), ("a", "b"))
    assert task.weights == () and exact_steps(task) == word_steps(task) == 0
    with pytest.raises(Unsupported, match="a,b do not fit into 64 bits"):
        Machine(task)


def test_without_weights_only_what_bounds_every_cost_is_consistent() -> None:
    """An estimate that never falls; one that falls by 1 a step is not proven, since nothing is said of the steps."""
    task = ground(load_text(CHAIN.format(goal=5, a=2**53, b=2**53, top=5), "chain.yaml"), ("a", "b"))
    assert not prove_heuristic(task, task.heuristics[0]).proven
    assert prove_heuristic(task, Heuristic("none", t.const(0))).proven


# -- proofs ------------------------------------------------------------------------------------------------------------


def task_of(sizes: list[int], after: dict[int, Term], cost: Term, heuristic: Term) -> Task:
    """One row that may always act; every state is a goal where the estimate does not matter."""
    variables = tuple(Variable(f"v{n}", tuple(range(size)), 0) for n, size in enumerate(sizes))
    row = Row((), (Phase(t.TRUE, tuple(Assignment(n, t.TRUE, new) for n, new in after.items())),), cost)
    goal = t.member(heuristic, range(-(2**70), 1))
    return Task("p", "", "cost", variables, (Schema("s", (), (), (row,)),), goal, t.TRUE, (Heuristic("h", heuristic),))


def test_a_quotient_of_something_large_is_not_proven() -> None:
    """It falls by 2^61 // 2, more than the cost of 2^59; a change was once taken for 2^60 at most."""
    x, y = t.var(0, 2), t.var(1, 2)
    huge = t.add([(2**61, x), (2**60, y)])
    for cost, right in ((2**59, False), (2**60 + 2**59, True)):
        task = task_of([2, 2], {0: t.const(0), 1: t.const(0)}, t.const(cost), t.floor_divide(huge, 2))
        row = transitions(task)[0]
        low, _ = change_range(task.heuristics[0].term, row, row.cost, Proof(limit=0))
        assert (low >= 0) <= right
        assert prove_heuristic(task, task.heuristics[0]).proven == right


@pytest.mark.parametrize("large", [2**61, 2**62, 2**63, 2**64 + 1, 2**90])
def test_numbers_beyond_64_bits_prove_nothing_wrong(large: int) -> None:
    """Wrapped around, the estimate would rise."""
    x, y = t.var(0, 3), t.var(1, 3)
    falls = t.add([(large, x), (-1, y)])
    task = task_of([3, 3], {0: t.const(0)}, t.const(1), falls)
    assert not prove_heuristic(task, task.heuristics[0]).proven
    assert not fits(falls)
    assert bounds(falls, [x, y], (), Proof()) is None
    for columns in (Columns(1, {x: np.zeros(1), y: np.zeros(1)}), ShortColumns(1, {x: [0], y: [0]})):
        with pytest.raises(AssertionError):
            columns.evaluate(falls)


def test_what_cancels_out_is_added_up_first() -> None:
    x, y = t.var(0, 2), t.var(1, 2)
    assert fits(t.add([(2**61, x), (-(2**61), y)])) and not fits(t.add([(2**62, x), (-(2**62), y)]))
    assert not fits(t.conjunction([t.var(2, 2), t.compare("<", y, t.add([(2**63, x), (3, y)]))])), "a part of it"


def test_a_condition_beyond_64_bits_is_left_out() -> None:
    """It says that y is 1, which nobody needs to know."""
    x, y = t.var(0, 3), t.var(1, 2)
    guard = t.compare("<", t.add([(1, x), (5, t.var(2, 2))]), t.add([(2**64, y), (2, t.var(2, 2))]))
    found = bounds(t.add([(1, x), (7, y)]), [x], [guard], Proof())
    assert found is not None and found.least == 0 and found.greatest >= 9


@pytest.mark.parametrize("most", [0, 15, short.MOST])
@pytest.mark.parametrize("seed", range(30))
def test_bounds_are_those_of_whole_numbers(seed: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of sums up to 2^61, for every value of the core; some groups have no value where a guard excludes all."""
    monkeypatch.setattr(short, "MOST", most)
    rng = random.Random(seed)
    sizes = [rng.randint(2, 4) for _ in range(4)]
    leaves = [t.var(n, size) for n, size in enumerate(sizes)]
    total = t.add([(rng.choice((-1, 1)) * rng.choice((1, 7, 2**50, 2**53, 2**58)), leaf) for leaf in leaves], 2**55)
    even = t.lookup(leaves[2], [2 * value for value in leaves[2].values])
    guard = [t.compare("==", leaves[0], even), t.member(leaves[3], range(1, sizes[3]))]
    found = bounds(total, leaves[:2], guard, Proof())
    assert found is not None
    lows, highs = found.low.tolist(), found.high.tolist()
    assert found.core.size and (found.least, found.greatest) == (min(lows), max(highs))
    for place in range(found.core.size):
        core = {n: int(found.core.of[leaves[n]][place]) for n in range(2) if leaves[n] in found.core.of}
        all_states = itertools.product(*map(range, sizes))
        there = [state for state in all_states if core.items() <= dict(enumerate(state)).items()]
        values = [value_in(total, state) for state in there if all(value_in(each, state) for each in guard)]
        assert values and (lows[place], highs[place]) == (min(values), max(values))


def test_sums_of_remainders_do_not_overflow() -> None:
    """Each -1 leaves 2^53 - 2, and there are more of them than 64 bits can hold."""
    leaves = [t.var(n, 2) for n in range(1200)]
    total = t.add([(-1, leaf) for leaf in leaves])
    found = bounds(total, [], leaves, Proof(), modulus=2**53 - 1)
    assert found is not None and (found.least, found.greatest) == (2**53 - 1201, 2**53 - 1201)


def test_short_leaves_and_long_divisors() -> None:
    """Leaves come as 16 bits."""
    leaf = t.var(0, 9000)
    columns = Columns(9000, {leaf: np.arange(9000, dtype=np.int16)})
    for divisor in (7, 40_000, 2**40):
        assert evaluate(t.FloorDivide(range(9000), leaf, divisor), columns).tolist() == [
            value // divisor for value in range(9000)
        ]
        assert evaluate(t.Modulo(range(9000), leaf, divisor), columns).tolist() == [
            value % divisor for value in range(9000)
        ]


@pytest.mark.parametrize("seed", range(20))
def test_a_relaxation_excludes_nothing_that_holds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    monkeypatch.setattr(enumeration, "FEW_VALUES", 2)
    enumeration._relax.cache_clear()
    sizes = [rng.randint(2, 3) for _ in range(4)]
    leaves = [t.var(n, size) for n, size in enumerate(sizes)]
    total = t.add(
        [(rng.choice((-1, 1)) * rng.choice((1, 5, 2**40, 2**53)), leaf) for leaf in leaves], rng.randint(-9, 9)
    )
    members = rng.choice([range(rng.randint(-5, 5), 2**53), tuple(sorted(rng.sample(range(-9, 2**41), 3))), (0, 2**53)])
    whole = t.member(total, members)
    kept = frozenset(leaves[:2])
    part = relax(whole, kept)
    for state in itertools.product(*map(range, sizes)):
        assert not value_in(whole, state) or value_in(part, state)
    enumeration._relax.cache_clear()


def test_nobody_walks_through_a_relaxed_interval() -> None:
    leaves = [t.var(n, 2) for n in range(40)]
    whole = t.member(t.add([(3**n, leaf) for n, leaf in enumerate(leaves)]), range(3**39, 2**62))
    part = relax(whole, frozenset(leaves[10:]))
    assert isinstance(part, t.Member) and part.members[0] == 3**39 - (3**10 - 1) // 2
    assert assignments(leaves[38:], [whole], 100) is not None
    assert same_values(range(2**60), range(2**60)) and not same_values(range(2**60), range(1, 2**60 + 1))
