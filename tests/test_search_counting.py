"""Counting best plans by search: naive counts, by Python and by kernels, with and without heuristics; classes."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from plan_counts import FREE, HANOI, SWITCHES, TELLING, TWINS, cheapest, count_naively, random_tasks

from models import terms as t
from models.loader import load_text
from models.outcomes import Limits, Outcome, Unsupported
from puzzlewright.solving.workbench import Workbench
from search.machine import CompiledTask, Machine
from search.space import Heuristic, LimitReached
from search.spaces import plan_classes
from search.spaces.best_plans import BestPlans, NotBest, best_plans
from search.spaces.plan_classes import REORDERING, SYMMETRY, PlanClasses
from search.spaces.state_space import Graph, count_paths, row_starts

KERNELS = 0  # successors after which kernels take over
ORDERS = """
puzzle: orders
state: {x: bool = false, a: bool = false, y: bool = false}
actions:
  do_x: {when: y and not x, effect: {x: true}}
  do_a: {when: not a, effect: {a: true}}
  do_y: {when: not y, effect: {y: true}}
goal: x and a and y
"""


def bench_of(text: str) -> Workbench:
    return Workbench(load_text(text, "x.yaml"))


def plans_of(text: str, cost: int, small: int | None = None, heuristic: str | None = None) -> BestPlans:
    return plans_in(bench_of(text), cost, small, heuristic)


def plans_in(bench: Workbench, cost: int, small: int | None = None, heuristic: str | None = None) -> BestPlans:
    machine = bench.machine()
    if heuristic is None:
        return best_plans(machine, cost, Limits(), small=small)
    term = next(each.term for each in bench.task.heuristics if each.name == heuristic)
    estimate = Heuristic(heuristic, machine.evaluate(term, 0), True, True, machine.estimate(term))
    return best_plans(machine, cost, Limits(), estimate, small=small)


def operators(bench: Workbench, plans: BestPlans) -> list[tuple[Any, ...]]:
    return [tuple(bench.machine().operator(int(plans.actions[p])) for p in path) for path in plans.paths()]


# -- paths -------------------------------------------------------------------------------------------------------------


def graph_of(edges: Sequence[tuple[int, int]], nodes: int) -> Graph:
    edges = sorted(edges)
    sizes = np.bincount([source for source, _ in edges], minlength=nodes)
    return Graph(row_starts(sizes), np.array([target for _, target in edges], np.uint32), None)


def last(nodes: int) -> Any:
    return np.arange(nodes) == nodes - 1


@pytest.mark.parametrize(("length", "bypasses"), [(52, 1), (53, 0), (53, 1), (64, 3), (1100, 1)])
def test_numbers_of_any_size_are_exact(length: int, bypasses: int) -> None:
    """Pairs of edges one after the other, and edges past all of them: 2^53 + 1 is no float."""
    edges = [(node, node + 1) for node in range(length) for _ in range(2)] + [(0, length)] * bypasses
    assert count_paths(graph_of(edges, length + 1), last(length + 1), lambda: None) == 2**length + bypasses


def test_a_cycle_makes_infinitely_many_paths() -> None:
    assert count_paths(graph_of([(0, 1), (1, 0), (1, 2)], 3), last(3), lambda: None) is None


# -- plans -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("small", [None, KERNELS])
def test_known_numbers(small: int | None) -> None:
    """Hanoi has one best plan; of twins one counts; FREE's lamp may be lit never, or at one of 3 or 2 places."""
    assert plans_of(HANOI, 15, small).count == 1
    assert plans_of(TWINS, 2, small).count == 1
    assert plans_of(FREE, 6, small).count == 7
    assert plans_of(SWITCHES, 5, small).count == 2 * 5 * 4 * 3
    assert len(operators(bench_of(SWITCHES), plans_of(SWITCHES, 5, small))) == 120


@pytest.mark.parametrize("small", [None, KERNELS])
def test_steps_that_cost_nothing(small: int | None) -> None:
    endless = FREE.replace("not lamp and at < 3, effect: {lamp: true}", "at < 3, effect: {lamp: not lamp}")
    assert plans_of(endless, 6, small).count is None
    aside = FREE.replace("goal: at == 3", "goal: at == 4").replace("not lamp and at < 3", "not lamp and at == 3")
    assert plans_of(aside, 4, small).count == 1, "0-1-2-4; lit only where it is too late"
    loop = "\n  spin: {when: at == 4, effect: {lamp: not lamp}, cost: 0}\ngoal:"
    assert plans_of(FREE.replace("\ngoal:", loop), 6, small).count == 7, "a circle that leads to no goal"


@pytest.mark.parametrize("small", [None, KERNELS])
@pytest.mark.parametrize("cost", [14, 16])
def test_the_cost_must_be_the_least(cost: int, small: int | None) -> None:
    with pytest.raises(NotBest):
        plans_of(HANOI, cost, small)


def test_the_start_may_be_a_goal() -> None:
    plans = plans_of(HANOI.replace("peg = 0", "peg = 2"), 0)
    assert (plans.count, list(plans.paths())) == (1, [()])


def test_limits_end_the_count() -> None:
    for limits, outcome in ((Limits(nodes=5), Outcome.NODE_LIMIT), (Limits(time=0), Outcome.TIME_LIMIT)):
        for small in (None, KERNELS):
            with pytest.raises(LimitReached) as reached:
                best_plans(bench_of(HANOI).machine(), 15, limits, small=small)
            assert reached.value.outcome is outcome


def test_costs_beyond_what_kernels_add() -> None:
    text = FREE.replace("cost: 2", f"cost: {2**51}").replace("cost: 4", f"cost: {2**52}")
    for small in (None, KERNELS):
        assert plans_of(text, 3 * 2**51, small).count == 7


@pytest.mark.parametrize("seeds", [TELLING, pytest.param(range(3000), marks=pytest.mark.slow)])
def test_random_puzzles_against_a_naive_count(seeds: Iterable[int]) -> None:
    checked = endless = many = 0
    for seed, _, task, best in random_tasks(seeds):
        machine = Machine(task)
        model = CompiledTask(task, machine)
        expected = count_naively(model, cheapest(model, task.start), best)
        for small in (None, KERNELS):
            assert best_plans(machine, best, Limits(), small=small).count == expected, seed
        if expected is not None and expected < 1000:
            plans = best_plans(machine, best, Limits())
            listed = [tuple(int(plans.actions[place]) for place in path) for path in plans.paths()]
            assert len(set(listed)) == len(listed) == expected and listed == sorted(listed), seed
        checked, endless, many = checked + (best > 0), endless + (expected is None), many + ((expected or 0) > 1)
    assert checked > 8 and endless > 0 and many > 1


@pytest.mark.parametrize("small", [None, KERNELS])
def test_a_consistent_heuristic_changes_nothing_but_the_work(small: int | None) -> None:
    text = HANOI + "heuristics:\n  out: sum(1 if on[d] != 2 else 0 for d in disc)\n"
    blind, informed = plans_of(text, 15, small), plans_of(text, 15, small, "out")
    assert informed.count == blind.count == 1 and informed.expanded < blind.expanded


# -- classes -----------------------------------------------------------------------------------------------------------


def classes(bench: Workbench, plans: BestPlans, *kinds: str) -> PlanClasses:
    symmetry = bench.symmetry
    return PlanClasses(plans, bench.machine(), kinds, symmetry.canonical if symmetry else lambda state: state)


def orbits(plans: Iterable[Any], neighbours: Any) -> int:
    """Classes of plans, by walking from each to its neighbours."""
    left, found = set(plans), 0
    while left:
        found += 1
        waiting = [left.pop()]
        while waiting:
            near = set(neighbours(waiting.pop())) & left
            left -= near
            waiting += near
    return found


def brute_classes(bench: Workbench, plans: BestPlans, kinds: Sequence[str]) -> int:
    """By swaps of neighbours that touch different variables, and by comparing positions."""
    model, listed = CompiledTask(bench.task, bench.machine()), operators(bench, plans)
    canonical = bench.symmetry.canonical if bench.symmetry else lambda state: state

    def touched(operator: Any) -> tuple[set[str], set[str]]:
        row = bench.task.schemas[operator[0]].rows[operator[1]]
        writes = {a.target for phase in row.phases for a in phase.assignments}
        return plan_reads(bench, operator) | writes, writes

    def apart(one: Any, other: Any) -> bool:
        (uses, writes), (others, written) = touched(one), touched(other)
        return not (writes & others or written & uses)

    def positions(plan: Any) -> tuple[Any, ...]:
        states = [model.initial]
        for operator in plan:
            states.append(model.apply(states[-1], operator))
        return tuple(map(canonical, states))

    def swaps(plan: Any) -> Iterable[Any]:
        for i in range(len(plan) - 1):
            if apart(plan[i], plan[i + 1]):
                yield (*plan[:i], plan[i + 1], plan[i], *plan[i + 2 :])

    alike: dict[Any, list[Any]] = {}
    for plan in listed:
        alike.setdefault(positions(plan), []).append(plan)

    def neighbours(plan: Any) -> list[Any]:
        found = list(swaps(plan)) if REORDERING in kinds else []
        return found + (alike[positions(plan)] if SYMMETRY in kinds else [])

    return orbits(listed, neighbours)


def plan_reads(bench: Workbench, operator: Any) -> set[int]:
    row = bench.task.schemas[operator[0]].rows[operator[1]]
    parts = [row.cost, bench.task.always]
    for phase in row.phases:
        parts += [phase.guard, *(term for a in phase.assignments for term in (a.condition, a.value))]
    return {leaf.index for leaf in t.leaves(*parts) if isinstance(leaf, t.Var)}


KINDS = [(REORDERING,), (SYMMETRY,), (REORDERING, SYMMETRY)]


@pytest.mark.parametrize(("text", "cost", "numbers"), [
    (ORDERS, 3, (1, 3, 1)),  # x after y, a anywhere
    (SWITCHES, 5, (2, 10, 1)),  # walk or jump first; where among the three presses the two moves stand
    (HANOI, 15, (1, 1, 1)),
    (FREE, 6, None),
])  # fmt: skip
def test_classes_by_hand_and_by_force(text: str, cost: int, numbers: tuple[int, ...] | None) -> None:
    bench = bench_of(text)
    plans = plans_in(bench, cost)
    found = [classes(bench, plans, *kinds).count() for kinds in KINDS]
    assert found == [brute_classes(bench, plans, kinds) for kinds in KINDS]
    assert numbers is None or tuple(found) == numbers
    for kinds, number in zip(KINDS, found, strict=True):
        assert len(classes(bench, plans, *kinds).first_plans()) == number


def test_no_neighbours_in_the_wrong_order_is_not_enough() -> None:
    """y x a has none, since x needs y and a comes after x; but a y x comes first."""
    bench = bench_of(ORDERS)
    plans = plans_in(bench, 3)
    letters = {name: number for number, name in enumerate(("do_x", "do_a", "do_y"))}
    first = classes(bench, plans, REORDERING).normal_form([letters[name] for name in ("do_y", "do_x", "do_a")])
    assert [list(letters)[letter] for letter in first] == ["do_a", "do_y", "do_x"]


def switchboard(seed: int) -> str:
    """Five switches to be set, two of them in two ways, each when some others are set or not."""
    rng, lines = random.Random(seed), []
    for name, switch in [("a", 0), ("b", 0), ("c", 1), ("d", 1), ("e", 2), ("f", 3), ("g", 4)]:
        others = [k for k in range(5) if k != switch and rng.random() < 0.4]
        guards = [f"not s{switch}", *(f"{rng.choice(('', 'not '))}s{k}" for k in others)]
        lines.append(f"  {name}: {{when: {' and '.join(guards)}, effect: {{s{switch}: true}}}}\n")
    state = ", ".join(f"s{k}: bool = false" for k in range(5))
    goal = " and ".join(f"s{k}" for k in range(5))
    return f"puzzle: switchboard\nstate: {{{state}}}\nactions:\n{''.join(lines)}goal: {goal}\n"


def test_reordering_of_random_switchboards() -> None:
    """Paths with sets, normal forms of all plans, and swaps from plan to plan."""
    shapes = set()
    for seed in range(30):
        bench = bench_of(switchboard(seed))
        try:
            plans = plans_in(bench, 5)
        except NotBest:
            continue
        traces = classes(bench, plans, REORDERING)
        assert traces.count() == len(traces.first_plans()) == brute_classes(bench, plans, [REORDERING]), seed
        shapes.add((traces.count() > 1, traces.count() < (plans.count or 0)))
    assert shapes >= {(True, True), (False, True)}


@pytest.mark.parametrize("width", [2, 4])
def test_reordering_by_counting_shuffles(width: int) -> None:
    """`width` counters that are raised to 2 one by one: one class."""
    text = (f"puzzle: counters\ntypes: {{name: 1 .. {width}, value: 0 .. 2}}\nstate:\n  c[i in name]: value = 0\n"
            "actions:\n  up:\n    params: {i: name}\n    when: c[i] < 2\n    effect: {'c[i]': 'c[i] + 1'}\n"
            "goal: all(c[i] == 2 for i in name)\n")  # fmt: skip
    bench = bench_of(text)
    plans = plans_in(bench, 2 * width)
    words = {word for word in product(range(width), repeat=2 * width) if all(word.count(k) == 2 for k in range(width))}
    assert plans.count == len(words)
    assert classes(bench, plans, REORDERING).count() == 1


def test_too_much_to_compare(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = bench_of(SWITCHES)
    plans = plans_in(bench, 5)
    monkeypatch.setattr(plan_classes, "MOST_LISTED", 119)
    with pytest.raises(Unsupported, match="more than 119 plans"):
        classes(bench, plans, REORDERING, SYMMETRY).count()
    monkeypatch.setattr(plan_classes, "MOST_PAIRS", 3)
    with pytest.raises(Unsupported, match="more than 3 sets"):
        classes(bench, plans, REORDERING).count()
