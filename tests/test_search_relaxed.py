"""Relaxed plans: what they cost by hand and by definition, on random tasks; searches that are led by them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Container, Sequence
from random import Random
from typing import NamedTuple

import pytest
from random_models import random_board, random_puzzle
from random_tasks import make_task, random_task
from sampled import seeds
from small_graphs import graph, inadmissible, optimum, random_graph, replay

from models import terms as t
from models.errors import PuzzleError
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Limits, Outcome, SearchResult, Statistics
from models.task import Assignment, Phase, Row, Schema, Task
from search.algorithms.preferring import preferring
from search.improving.gates import Doable, Fact, Gates, gates_of
from search.kernels import relaxed as kernel
from search.kernels.relaxed_plans import RelaxedPlans, relaxed_plans
from search.machine import Machine
from search.space import BLIND, Found, Operator, SearchSpace, State

pytest.importorskip("numba")


def row(guard: t.Term, *effects: tuple[int, t.Term], cost: int = 1) -> Row:
    lines = tuple(Assignment(target, t.TRUE, value) for target, value in effects)
    return Row((), (Phase(guard, lines),), t.const(cost))


def led(task: Task) -> tuple[Machine, RelaxedPlans]:
    machine = Machine(task)
    plans = relaxed_plans(machine, lambda: None)
    assert plans is not None
    return machine, plans


def looked(task: Task) -> tuple[int, list[int]]:
    """The estimate at the start, and the places of the rows that help there."""
    machine, plans = led(task)
    estimate, helpful = plans.look(machine.initial)
    return estimate, sorted(helpful)


def is_(index: int, size: int, *values: int) -> t.Term:
    return t.member(t.var(index, size), values)


# -- by hand -----------------------------------------------------------------------------------------------------------


def test_a_number_that_counts() -> None:
    """Three steps from 0 to 3; a step of cost 0 is not free."""
    counter = t.var(0, 9)
    for cost, estimate in ((1, 3), (0, 3), (4, 12)):
        up = row(is_(0, 9, *range(8)), (0, t.add([(1, counter)], 1)), cost=cost)
        assert looked(make_task([9], [Schema("up", (), (), (up,))], is_(0, 9, 3))) == (estimate, [0])


def test_what_stands_in_the_way_is_shared() -> None:
    """Both goals need the key, which is fetched once; only that can be done at first."""
    key, one, other = (t.var(index, 2) for index in range(3))
    rows = (row(key, (1, t.TRUE)), row(key, (2, t.TRUE)), row(t.negation(key), (0, t.TRUE)))
    assert looked(make_task([2, 2, 2], [Schema("do", (), (), rows)], t.conjunction((one, other)))) == (3, [2])


@pytest.mark.parametrize("wanted", range(6))
def test_so_many_of_five(wanted: int) -> None:
    """Of lamps that are put on for 1, 2, 3, 4, 5: the cheapest ones."""
    lamps = [t.var(index, 2) for index in range(5)]
    rows = tuple(row(t.negation(lamp), (index, t.TRUE), cost=index + 1) for index, lamp in enumerate(lamps))
    goal = t.compare("<=", t.const(wanted), t.add((1, lamp) for lamp in lamps))
    found = looked(make_task([2] * 5, [Schema("on", (), (), rows)], goal))
    assert found == (wanted * (wanted + 1) // 2, list(range(wanted)))


def test_a_tile_takes_its_number_along() -> None:
    """Two places, 3 and 0: the one becomes what the other was."""
    left, right = t.var(0, 4), t.var(1, 4)
    rows = (row(is_(1, 4, 0), (1, left), (0, t.const(0))), row(is_(0, 4, 0), (0, right), (1, t.const(0))))
    goal = is_(1, 4, 3)
    assert looked(make_task([4, 4], [Schema("slide", (), (), rows)], goal, start=(3, 0))) == (1, [0])


def test_what_cannot_be() -> None:
    task = make_task([3, 2], [Schema("up", (), (), (row(t.var(1, 2), (0, t.const(2))),))], is_(0, 3, 2))
    assert looked(task) == (kernel.FAR, [])


def test_costs_that_fit_into_no_bucket() -> None:
    rows = (row(t.TRUE, (0, t.const(1)), cost=10**6), row(is_(0, 3, 1), (0, t.const(2)), cost=10**7),
            row(t.TRUE, (0, t.const(2)), cost=2 * 10**7))  # fmt: skip
    assert looked(make_task([3], [Schema("go", (), (), rows)], is_(0, 3, 2))) == (11 * 10**6, [0])


# -- by definition -----------------------------------------------------------------------------------------------------


class Costs(NamedTuple):
    most: Sequence[float]  # of what a gate asks for, what costs most (h_max)
    sums: Sequence[float]  # all of it together (h_add)


def costs_of(gates: Gates, facts: Container[Fact]) -> Costs:
    """Of opening each node: rounds over all of them until nothing changes."""
    prices = {gates.numbers[Doable(number)]: max(1, row.cost.values[0]) for number, row in enumerate(gates.rows)}
    true = {number for fact, number in gates.facts.items() if fact in facts}
    found = []
    for joined in (max, sum):
        cost = [0.0 if number in true else float("inf") for number in range(len(gates.gates))]
        changed = True
        while changed:
            changed = False
            for number, gate in enumerate(gates.gates):
                asked = sorted((cost[gates.numbers[node]], weight) for weight, node in gate.inputs)
                taken, weight = [], 0
                for each, more in asked:
                    if weight >= gate.need:
                        break
                    taken.append(each)
                    weight += more
                new = prices.get(number, 0) + (joined(taken) if taken else 0)
                if weight >= gate.need and new < cost[number]:
                    cost[number], changed = new, True
        found.append(cost)
    return Costs(*found)


def states_of(machine: Machine, most: int) -> tuple[list[int], dict[int, list[int]]]:
    """Some reachable states, and which of them each comes from."""
    states, before = [machine.initial], {machine.initial: list[int]()}
    for state in states:
        for _, after, _ in machine.successors(state):
            if after not in before and len(states) < most:
                states.append(after)
                before[after] = []
            if after in before:
                before[after].append(state)
    return states, before


def from_which_goals_are_reached(machine: Machine, states: Sequence[int], before: dict[int, list[int]]) -> set[int]:
    waiting = [state for state in states if machine.is_goal(state)]
    found = set(waiting)
    for state in waiting:
        new = set(before[state]) - found
        found |= new
        waiting += new
    return found


def check(task: Task, most: int, seen: Counter[str]) -> None:
    """No goal that can be reached is out of reach, the estimate lies between h_max and h_add, and what helps applies in
    the relaxed sense."""
    machine = Machine(task)
    gates = gates_of(task, [field.values for field in machine.layout.fields])
    if gates is None:
        seen["too much"] += 1
        return
    plans = RelaxedPlans(machine, gates)
    states, before = states_of(machine, most)
    alive = from_which_goals_are_reached(machine, states, before)
    for state in states:
        estimate, helpful = plans.look(state)
        assert plans.look(state) == (estimate, helpful)
        facts = {Fact(index, value) for index, value in enumerate(machine.layout.unpack(state))}
        costs = costs_of(gates, facts)
        high, low = costs.sums[gates.goal], costs.most[gates.goal]
        assert (estimate == kernel.FAR) == (high == float("inf"))
        assert state not in alive or estimate < kernel.FAR
        assert not machine.is_goal(state) or estimate == 0
        assert estimate == kernel.FAR or low <= estimate <= high
        first = {machine.program.numbering.places.index(row.place) for number, row in enumerate(gates.rows)
                 if costs.sums[gates.numbers[Doable(number)]] == max(1, row.cost.values[0])}  # fmt: skip
        assert helpful <= first and (bool(helpful) == (0 < estimate < kernel.FAR))
        seen["lost" if estimate == kernel.FAR else "open" if estimate else "none left"] += 1
        seen["exact"] += low == estimate == high


def tasks_of_puzzles(first: int, most: int) -> list[Task]:
    found = []
    for seed in range(first, first + most):
        for text in (random_puzzle(seed), random_board(seed)):
            try:
                found.append(ground(load_text(text, f"seed {seed}")))
            except PuzzleError:
                continue
    return found


@pytest.mark.parametrize("seed", seeds(6, 200))
def test_random_puzzles(seed: int) -> None:
    for task in tasks_of_puzzles(seed, 1):
        check(task, 12, Counter())


@pytest.mark.parametrize("seed", seeds(4, 200))
def test_random_tasks(seed: int) -> None:
    check(random_task(random.Random(seed)), 12, Counter())


# -- searches ----------------------------------------------------------------------------------------------------------


class Wild:
    """A guide that says anything, and of many states that they are lost."""

    lost = 50

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def look(self, state: State) -> tuple[int, Container[int]]:
        rng = Random(hash((self.seed, state)))
        return rng.choice((0, 3, 7, 50, 50)), {rng.randrange(3)}

    def kind(self, action: Operator) -> int:
        return int(action[-1])


def test_whatever_a_guide_says_a_plan_is_found() -> None:
    lost = 0
    for seed in range(80):
        model = random_graph(seed, (0, 1, 4))
        space = SearchSpace(model, Limits())
        found = preferring(space, [inadmissible(model, seed), BLIND], Wild(seed))
        assert (found is None) == (optimum(model) is None)
        if found is not None:
            result = SearchResult(Outcome.SOLVED, found.operators, found.cost, 0, Statistics())
            assert replay(model, result) == found.cost
        lost += Wild(seed).look(model.initial)[0] == Wild.lost
    assert 10 < lost < 70


def test_what_helps_comes_first() -> None:
    """A tree of 2,000 states, whose left edges lead to the goal."""
    edges = [(node, node * 2 + side, 1) for node in range(1, 2000) for side in (0, 1)]
    model = graph(*edges, start=1, goal=1024)

    class Left(Wild):
        def look(self, state: State) -> tuple[int, Container[int]]:
            return 1, {0}

    space = SearchSpace(model, Limits())
    found = preferring(space, [], Left(0))
    assert found is not None and found.cost == 10
    assert space.statistics.expanded < 200  # breadth-first search: 1,000


def solved(machine: Machine, plans: RelaxedPlans) -> Found | None:
    return preferring(SearchSpace(machine, Limits()), [BLIND], plans)


@pytest.mark.parametrize("seed", seeds(6, 200))
def test_random_puzzles_are_solved_or_not(seed: int) -> None:
    """As the states say that can be reached."""
    for task in tasks_of_puzzles(seed, 1):
        machine = Machine(task)
        plans = relaxed_plans(machine, lambda: None)
        states, _ = states_of(machine, 1000)
        if plans is None or len(states) == 1000:
            continue
        found = solved(machine, plans)
        assert (found is not None) == any(map(machine.is_goal, states))
        if found is not None:
            state, paid = machine.initial, 0
            for action in found.operators:
                state, cost = machine.after(state, action) or pytest.fail("no such step")
                paid += cost
            assert machine.is_goal(state) and paid == found.cost
