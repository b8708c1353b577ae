"""Every algorithm with a kernel on random puzzles: the kernel's figures are those of the text that one can read.

Only the place where Python hands over is moved: at once, or never. Graphs of free shape and tables that grow early are
in the other tests of kernels; here are compiled puzzles, with joint moves, zero costs, several metrics and wide states.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

import pytest
from random_models import random_puzzle
from random_rows import PROFILES, Maker, condition, variables
from random_tasks import random_task, random_term

from models import terms as t
from models.errors import PuzzleError
from models.execution import value
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Limits, Outcome, SearchResult, Unsupported
from models.task import Row, Task
from models.terms import Term
from search import registry
from search.machine import Machine
from search.registry import search_with
from search.space import BLIND, INFINITY, Heuristic

pytest.importorskip("numba")

from search.kernels import chunks  # noqa: E402

Random = random.Random


def heuristics(task: Task, machine: Machine, rng: Random) -> Iterator[Heuristic]:
    """One that is consistent for sure, and one of which nothing is known."""
    costs = [row.cost.values[0] for schema in task.schemas for row in schema.rows]
    least = max(0, min(costs, default=0))
    near = t.select(task.goal, [t.const(least), t.const(0)]) if len(task.goal.values) > 1 else t.const(0)
    wild = task.heuristics[0].term if task.heuristics else random_term(rng, variables(sizes_of(task)), 2)
    for term, proven in ((near, True), (wild, False)):
        with suppress(Unsupported):
            yield Heuristic("h", machine.evaluate(term, 0), proven, proven, machine.estimate(term, 0))


def sizes_of(task: Task) -> list[int]:
    return [len(variable.domain) for variable in task.variables]


def figures(result: SearchResult, limits: Limits) -> tuple[Any, ...]:
    """All but the length of a plan that is at hand when a limit strikes: it is one of the cheapest."""
    statistics = asdict(result.statistics)
    if result.operators is not None and result.statistics.expanded == limits.nodes:
        del statistics["max_depth"]
    return result.outcome, result.cost, result.lower_bound, result.operators is not None, statistics


def searched(name: str, machine: Machine, h: Heuristic, limits: Limits, small: int, jobs: int = 1) -> SearchResult:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "SMALL", small)
        patch.setattr(chunks, "ENOUGH", 1)
        patch.setattr(chunks, "TARGET", 24)
        return search_with(name, machine, h, limits, {"jobs": jobs})


def compare(task: Task, limits: Limits, rng: Random, seen: Counter[str]) -> None:
    machine = Machine(task)
    estimates = list(heuristics(task, machine, rng))
    for name in sorted(row.name for row in registry.ROWS if row.kernel):
        h = rng.choice(estimates) if registry.ALGORITHMS[name].informed and estimates else BLIND
        if name == "buckets" and not h.consistent:  # no files for those
            h = BLIND
        try:
            readable = searched(name, machine, h, limits, INFINITY)
        except Unsupported:
            continue
        if name in ("layers", "buckets"):  # which begin nothing that would go beyond a limit on nodes, and count bytes
            whole = readable.outcome in (Outcome.OPTIMAL, Outcome.SOLVED, Outcome.UNSOLVABLE)
            native = searched(name, machine, h, Limits(), -1) if whole else readable
            assert native.lower_bound == readable.lower_bound or (name == "buckets" and readable.operators is None)
            assert (native.outcome, native.cost) == (readable.outcome, readable.cost), (name, h.name)
        else:
            native = searched(name, machine, h, limits, -1)
            assert figures(native, limits) == figures(readable, limits), (name, h.name, h.consistent)
        if name == "bfs":
            several = searched(name, machine, h, limits, -1, jobs=3)
            assert (several.operators, several.statistics) == (native.operators, native.statistics)
            assert figures(several, limits) == figures(native, limits)
        if readable.operators is not None:
            assert cost_of(machine, native) == native.cost
        seen[readable.outcome.value] += 1
    seen[f"{min(machine.words, 3)} words"] += 1
    seen["joint"] += any(len(free.domain) > 1 for schema in task.schemas for free in schema.choices)
    seen["zero costs"] += any(row.cost.values[0] <= 0 for schema in task.schemas for row in schema.rows)
    seen["unit costs"] += machine.unit_cost


def cost_of(machine: Machine, result: SearchResult) -> int:
    state, total = machine.initial, 0
    for action in result.operators or ():
        state, cost = next((s, c) for a, s, c in machine.successors(state) if a == action)
        total += cost
    assert machine.is_goal(state)
    return total


def with_unit_costs(task: Task) -> Task:
    def one(row: Row) -> Row:
        return replace(row, cost=t.const(1))

    return replace(task, schemas=tuple(replace(s, rows=tuple(map(one, s.rows))) for s in task.schemas))


def rare(task: Task, rng: Random) -> Task:
    """With a goal that is not at hand."""
    leaves = [v for v in variables(sizes_of(task)) if len(v.values) > 1]
    tests: list[Term] = [condition(rng, random_term(rng, leaves, 2)) for _ in range(3)] if leaves else []
    goal = t.conjunction([*tests, task.goal])
    return task if goal is t.FALSE or value(goal, [task.start]) else replace(task, goal=goal)


def puzzles(first: int, most: int) -> Iterator[tuple[int, Task]]:
    for seed in range(first, first + most):
        try:
            puzzle = load_text(random_puzzle(seed), f"seed {seed}")
            for metrics in {*((metric,) for metric in puzzle.metrics), tuple(puzzle.metrics)}:
                yield seed, ground(puzzle, metrics)
        except PuzzleError:
            continue


def of_puzzles(first: int, most: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed, task in puzzles(first, most):
        try:
            compare(task, Limits(nodes=300), Random(seed), seen)
        except AssertionError as failure:
            raise AssertionError(f"seed {seed}, {task.metric}") from failure
        seen["several metrics"] += "," in task.metric
    return seen


def of_tasks(first: int, most: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in range(first, first + most):
        rng = Random(seed)
        if seed % 3:
            maker = Maker(rng, PROFILES[rng.choice(("small", "wide", "long", "long"))](rng))
            task = rare(maker.task([rng.choice((Maker.masks, Maker.templates, Maker.joint)), Maker.turn]), rng)
        else:
            task = rare(random_task(rng), rng)
        task = with_unit_costs(task) if rng.random() < 0.4 else task
        if not value(task.always, [task.start]):
            continue
        try:
            compare(task, Limits(nodes=rng.choice((7, 60, 150))), rng, seen)
        except AssertionError as failure:
            raise AssertionError(f"seed {seed}") from failure
    return seen


def test_random_puzzles() -> None:
    seen = of_puzzles(0, 30)
    assert seen["optimal"] > 8 and seen["unsolvable"] > 8 and seen["several metrics"] > 0, seen


def test_random_tasks() -> None:
    seen = of_tasks(0, 14)
    assert min(seen[what] for what in ("optimal", "node-limit", "unsolvable")) > 3, seen
    assert min(seen[what] for what in ("2 words", "3 words", "joint", "zero costs", "unit costs")) > 1, seen


@pytest.mark.slow
def test_more_random_puzzles() -> None:
    of_puzzles(10_000, 2000)


@pytest.mark.slow
def test_more_random_tasks() -> None:
    of_tasks(10_000, 600)
