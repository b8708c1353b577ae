"""What path two takes for granted: bans leave a best plan, facts and estimates cut none off."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import replace

import pytest
from random_models import random_puzzle

from encoders import horizons
from encoders.bans import bans
from encoders.encoding import encode
from encoders.implied import Implied, implied, within
from encoders.induction import Prover
from encoders.reachability import outline
from encoders.regression import fact
from encoders.rounds import written_out
from encoders.statements import unreduced
from models.errors import PuzzleError
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Limits, Outcome
from models.task import Assignment, Heuristic, Phase, Row, Schema, Task, Variable
from models.terms import TRUE, Term, add, conjunction, const, floor_divide, maximum, member, negation, var
from search.machine import CompiledTask, compile_task

MOST_STATES = 150
FIRST = 450  # seed, near which there are models that tell commuting rows from others
MODELS, MODELS_SLOW = 10, 1500


def switches(count: int, *, value: Term | None = None, always: Term = TRUE, goal: Term | None = None) -> Task:
    """Row i writes `value` (to begin with: not itself) to switch i."""
    variables = tuple(Variable(f"on[{i}]", (False, True), 0) for i in range(count))
    rows = tuple(
        Row((("i", i),), (Phase(TRUE, (Assignment(i, TRUE, value or negation(var(i, 2))),)),), const(1))
        for i in range(count)
    )
    wanted = goal or conjunction(var(i, 2) for i in range(count))
    return Task("switches", "", "cost", variables, (Schema("press", (("i", ()),), (), rows),), wanted, always)


def pairs(task: Task) -> set[tuple[int, int]]:
    return {(last, next_) for lasts, followings in bans(unreduced(task)) for last in lasts for next_ in followings}


def test_of_commuting_rows_one_order_is_left_and_none_undoes_itself() -> None:
    task = switches(3)
    assert pairs(task) == {(0, 0), (1, 1), (2, 2), (1, 0), (2, 0), (2, 1)}
    result = horizons.solve_by_horizon(task)
    assert (result.outcome, result.operators) == (Outcome.OPTIMAL, ((0, 0), (0, 1), (0, 2)))
    assert horizons.Session(task, Limits()).exact(3, ((0, 2), (0, 1), (0, 0))).status == "feasible"


def test_setting_twice_is_setting_once() -> None:
    assert pairs(switches(1, value=TRUE)) == {(0, 0)}


def test_toggling_the_same_lights_commutes() -> None:
    """Two rows that toggle switches 0 and 1, and 1 and 2: what they write overlaps, the order does not matter."""
    three = switches(3)
    rows = tuple(
        Row((("i", i),), (Phase(TRUE, tuple(Assignment(v, TRUE, negation(var(v, 2))) for v in (i, i + 1))),), const(1))
        for i in range(2)
    )
    assert pairs(replace(three, schemas=(replace(three.schemas[0], rows=rows),))) == {(0, 0), (1, 1), (1, 0)}


def test_rows_that_share_a_variable_of_always_do_not_commute() -> None:
    """Never both on: pressing 1 before 0 is released would break `always`, so the order matters."""
    variables = tuple(Variable(f"on[{i}]", (False, True), int(i == 0)) for i in range(2))
    rows = tuple(Row((("i", i),), (Phase(TRUE, (Assignment(i, TRUE, const(i)),)),), const(1)) for i in range(2))
    always = negation(conjunction(var(i, 2) for i in range(2)))
    goal = conjunction((negation(var(0, 2)), var(1, 2)))
    task = Task("swap", "", "cost", variables, (Schema("set", (("i", ()),), (), rows),), goal, always)
    assert (1, 0) not in pairs(task)
    assert horizons.solve_by_horizon(task).cost == (2,)


def test_a_dearer_row_does_not_stand_for_two() -> None:
    """From 0 to 2 in one row, or over 1 in two: the two are wasted only where the one is not dearer."""

    def way(cost: int) -> Task:
        place = var(0, 3)
        rows = tuple(
            Row((("k", k),), (Phase(member(place, (old,)), (Assignment(0, TRUE, const(new)),)),), const(price))
            for k, (old, new, price) in enumerate(((0, 1, 1), (1, 2, 1), (0, 2, cost)))
        )
        schema = Schema("go", (("k", ()),), (), rows)
        return Task("way", "", "cost", (Variable("at", (0, 1, 2), 0),), (schema,), member(place, (2,)), TRUE)

    assert pairs(way(2)) == {(0, 1)}
    assert pairs(way(3)) == set()
    assert [horizons.solve_by_horizon(way(cost)).cost for cost in (1, 2, 3)] == [(1,), (2,), (2,)]


def test_estimates_are_cut_at_the_budget() -> None:
    """Of three switches two may be on: by a sum, by its half rounded up, and by a maximum that says the same."""
    lit = add([(1, var(i, 2)) for i in range(3)])
    for estimate, budget in ((lit, 2), (floor_divide(add([(1, lit)], 1), 2), 1), (maximum([lit, var(0, 2)]), 2)):
        from encoders.formula import Formula
        from encoders.lowering import Lowering

        formula = Formula()
        layer = Lowering(formula, [[formula.one_hot((0, 1)) for _ in range(3)]])
        within(layer, estimate, budget)
        assert len(solutions(formula)) == 7


def solutions(formula: object) -> set[tuple[bool, ...]]:
    from encoders import cpsat

    found: set[tuple[bool, ...]] = set()
    cpsat.every_solution(formula, lambda values: found.add(tuple(values[1:4])))  # type: ignore[arg-type]
    return found


# -- random models -----------------------------------------------------------------------------------------------------


def random_tasks(first: int) -> Iterator[tuple[int, Task, CompiledTask, dict[tuple[int, ...], int]]]:
    """(seed, task whose goal is its farthest state, the task compiled, the cost of every reachable state)."""
    seed = first - 1
    while True:
        seed += 1
        try:
            task = written_out(ground(load_text(random_puzzle(seed), f"seed {seed}")))
        except PuzzleError:
            continue
        compiled = compile_task(task)
        costs = distances(task, compiled)
        if costs is None or len(costs) < 3:
            continue
        far = max(costs, key=lambda state: (costs[state], state))
        goal = conjunction(
            member(var(i, len(variable.domain)), (value,))
            for i, (variable, value) in enumerate(zip(task.variables, far, strict=True))
        )
        yield seed, replace(task, goal=goal, heuristics=_own_estimates(task, far)), compiled, costs


def _own_estimates(task: Task, goal: tuple[int, ...]) -> tuple[Heuristic, ...]:
    """How many variables differ from the goal, whole and halved: sometimes consistent."""
    differ = add([(1, negation(member(var(i, len(v.domain)), (goal[i],)))) for i, v in enumerate(task.variables)])
    return (*task.heuristics, Heuristic("differ", differ), Heuristic("half", floor_divide(differ, 2)))


def distances(task: Task, compiled: CompiledTask) -> dict[tuple[int, ...], int] | None:
    """The least cost of every reachable state; None for more than MOST_STATES."""
    costs = {task.start: 0}
    heap = [(0, task.start)]
    while heap:
        cost, state = heapq.heappop(heap)
        if cost > costs[state]:
            continue
        for _, after, price in compiled.successors(state):
            if cost + price < costs.get(after, 1 << 60):
                costs[after] = cost + price
                heapq.heappush(heap, (cost + price, after))
        if len(costs) > MOST_STATES:
            return None
    return costs


def examine(models: int, first: int = 0) -> None:
    used = banned = known = 0
    for seed, task, compiled, costs in random_tasks(first):
        best = max(costs.values())
        shared = outline(task)
        invariants = [i for i in task.invariants if Prover(task, seconds=2).invariant(i).status == "proven"]
        facts = [fact(i, task.start) for i in invariants]
        heuristics = [h.name for h in task.heuristics if Prover(task, facts, 2).heuristic(h.term).status == "proven"]
        given = implied(shared, [i.name for i in invariants], heuristics)
        banned, known = banned + bool(given.bans), known + bool(given.facts or given.estimates)
        check_bans(seed, task, compiled, costs, given)
        result = horizons.solve_by_horizon(
            task, Limits(max_horizon=12), invariants=[i.name for i in invariants], heuristics=heuristics
        )
        if result.outcome is Outcome.OPTIMAL:
            assert result.cost == (best,), seed
            used += 1
        else:
            assert result.outcome in (Outcome.UNPROVEN, Outcome.HORIZON_EXHAUSTED), seed
            assert result.lower_bound <= (best,), seed
        if used == models:
            break
    assert banned > models / 4
    assert known > models / 10


def check_bans(
    seed: int, task: Task, compiled: CompiledTask, costs: dict[tuple[int, ...], int], given: Implied
) -> None:
    """Wherever a banned pair can be taken, something no worse leads to the same state."""
    rows = unreduced(task).rows
    steps = {s: {operator[:2]: (after, price) for operator, after, price in compiled.successors(s)} for s in costs}
    for state in costs:
        for lasts, followings in given.bans:
            for last, following in ((a, b) for a in lasts for b in followings):
                first = steps[state].get(rows[last])
                second = first and steps[first[0]].get(rows[following])
                if not first or not second:
                    continue
                end, cost = second[0], first[1] + second[1]
                alone = any(after == end and price <= cost for after, price in steps[state].values())
                other = steps[state].get(rows[following])
                swapped = following < last and other and steps[other[0]].get(rows[last]) == (end, cost - other[1])
                assert end == state or alone or swapped, (seed, state, last, following)


def test_best_plans_stay_best() -> None:
    examine(MODELS, FIRST)


@pytest.mark.slow
def test_best_plans_stay_best_on_many() -> None:
    examine(MODELS_SLOW, 10_000)


def test_what_is_implied_is_stated_only_where_it_is_cheap() -> None:
    """Parity of four switches has a sum modulo 2 in it; their number is a count."""
    from models.task import Invariant
    from models.terms import modulo

    lit = add([(1, var(i, 2)) for i in range(4)])
    task = replace(switches(4), invariants=(Invariant("parity", modulo(lit, 2)), Invariant("number", lit)))
    given = implied(outline(task), ["parity", "number"])
    assert given.facts == [member(lit, (0,))]
    assert encode(task, 2, implied=given).formula.variables > 0
