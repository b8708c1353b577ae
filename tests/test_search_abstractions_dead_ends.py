"""Searches that leave out what tables call dead ends: their answers are those of the definition of a task."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import pytest
from abstracting import KINDS, distances, reached, simple_row
from random_tasks import make_task
from sampled import seeds, slow

from models.outcomes import DEAD_ENDS, ENDLESS, Outcome, Unsupported
from models.task import Heuristic as Declared
from models.task import Schema, Task
from models.terms import FALSE, TRUE, add, conjunction, const, member, negation, var
from puzzlewright.solving.deriving import with_derived
from puzzlewright.solving.searching import compiled
from search.abstractions import variables
from search.abstractions.derived import Derived
from search.abstractions.deriving import derive
from search.algorithms.alternating import alternating
from search.improving.windows import Between
from search.machine import Machine
from search.options import Options
from search.registry import ALGORITHMS, NO_LIMITS, Attempt, attempt, conclude, pursue
from search.space import BLIND, Heuristic, SearchSpace

STARTS = 4
WIDE = {"width": 10_000}
COMPLETE = ("astar", "idastar", "wastar", "greedy", "rbfs")


def derived(task: Task) -> tuple[Machine, Derived] | None:
    machine = Machine(task)
    try:
        return machine, derive(task, machine, lambda: ENDLESS)
    except Unsupported:
        return None


def asked(name: str, machine: Any, led: Heuristic, small: int | None = None) -> tuple[Outcome, int | None, int]:
    """Outcome, cost, how many states were left out; with `small` of 0 by the kernel, if there is one."""
    tried = attempt(name, machine, led, options=WIDE, small=small)
    found = conclude(ALGORITHMS[name], *tried)
    return found.outcome, found.cost, found.statistics.extra.get(DEAD_ENDS, 0)


def by_turns(machine: Any, led: Heuristic, lazy: bool) -> Attempt:
    space = SearchSpace(machine, NO_LIMITS)
    return pursue(lambda space, options: alternating(space, (led, BLIND), lazy), space, Options())


@pytest.mark.parametrize("seed", seeds(1, 120))
@pytest.mark.parametrize("kind", ["tokens", "any", *map(slow, ("board", "mirrored", "placed"))])
def test_no_plan_is_lost_with_them(kind: str, seed: int) -> None:
    """From some states of random tasks, solvable or not: whether there is a plan, and what the best one costs."""
    task = KINDS[kind](random.Random(seed))
    made = derived(task)
    if made is None:
        return
    machine, found = made
    led, states = with_derived("derived", machine, found, BLIND), reached(task)
    far = distances(task, states)
    for state in random.Random(seed).sample(states, min(STARTS, len(states))):
        start: Any = Between(machine, machine.layout.pack(state), None, None)  # type: ignore[arg-type]
        for name in COMPLETE:
            outcome, cost, left = asked(name, start, led)
            assert (outcome is Outcome.UNSOLVABLE) == (state not in far)
            assert cost == far.get(state) if ALGORITHMS[name].optimal else (cost is None) == (state not in far)
            assert (outcome, cost, left) == asked(name, start, led, small=0)
        for small in (None, 0):
            assert (asked("beam", start, led, small)[1] is None) == (state not in far)
        for lazy in (False, True):
            assert (by_turns(start, led, lazy).found is not None) == (state in far)


def chasm(length: int) -> Task:
    """One step to where x has to be, or one into a chasm that goes on for `length`; y waits for z, and z for y."""
    x, y, z = var(0, length + 2), var(1, 4), var(2, 4)
    rows = [simple_row(member(x, (0,)), {0: const(1)}, const(1)), simple_row(member(x, (0,)), {0: const(2)}, const(1)),
            *(simple_row(member(x, (k,)), {0: const(k + 1)}, const(1)) for k in range(2, length + 1)),
            simple_row(member(z, (3,)), {1: const(3)}, const(1)),
            simple_row(member(y, (3,)), {2: const(3)}, const(1))]  # fmt: skip
    return make_task([length + 2, 4, 4], [Schema("go", (), (), tuple(rows))],
                     conjunction((member(x, (1,)), member(y, (3,)))))  # fmt: skip


@pytest.mark.parametrize("small", [None, 0])
@pytest.mark.parametrize("name", [*COMPLETE, "beam"])
def test_what_they_leave_out(name: str, small: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a chasm of 8 states the first is seen and left out: two are expanded, where all together are ten."""
    monkeypatch.setattr(variables, "STATES", 10)
    made = derived(chasm(8))
    assert made is not None
    machine, found = made
    led = with_derived("derived", machine, found, BLIND)
    for each, expanded, left in ((led, 2, {DEAD_ENDS: 1}), (replace(led, lost=math.inf), 10, {})):
        tried = attempt(name, machine, each, options=WIDE, small=small)
        told = tried.space.statistics
        assert tried.found is None and tried.stopped is None
        assert (told.expanded if name not in ("idastar", "rbfs") or left else 10, told.extra) == (expanded, left)


@pytest.mark.parametrize("lazy", [False, True])
def test_what_searches_by_turns_leave_out(lazy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variables, "STATES", 10)
    made = derived(chasm(8))
    assert made is not None
    machine, found = made
    told = by_turns(machine, with_derived("derived", machine, found, BLIND), lazy).space.statistics
    assert (told.expanded, told.extra) == (2, {DEAD_ENDS: 1})


def test_what_is_large_beside_them_is_no_dead_end() -> None:
    """One that is not proven may say what it likes: states that it calls far away are looked at all the same."""
    made = derived(token_of_three())
    assert made is not None
    machine, found = made
    wild = compiled(machine, Declared("wild", add([(1 << 40, negation(var(2, 2)))])), proven=False)
    led = with_derived("derived+wild", machine, found, wild)
    assert led.evaluate(machine.initial) == found.least_lost - 1
    for name in COMPLETE:
        outcome, cost, left = asked(name, machine, led)
        assert outcome is not Outcome.UNSOLVABLE and (cost, left) == (2, 0)


@pytest.mark.parametrize("name", ["astar", "greedy", "wastar"])
def test_what_is_large_without_them_is_no_dead_end(name: str) -> None:
    """The largest number of machine code, as an estimate: Python finds the plan, and the kernel finds it too large."""
    machine = Machine(token_of_three())
    wild = compiled(machine, Declared("wild", add([(1 << 62, negation(var(2, 2)))])), proven=False)
    assert asked(name, machine, wild)[1:] == (2, 0)
    with pytest.raises(Unsupported, match="too large for machine words"):
        asked(name, machine, wild, small=0)


def token_of_three() -> Task:
    """A token that goes along three places."""
    at = [var(place, 2) for place in range(3)]
    rows = [simple_row(conjunction((at[k], negation(at[k + 1]))), {k: FALSE, k + 1: TRUE}, const(1)) for k in range(2)]
    goal = conjunction((negation(at[0]), negation(at[1])))
    return make_task([2] * 3, [Schema("go", (), (), tuple(rows))], goal, start=(1, 0, 0))


@pytest.mark.parametrize("name", COMPLETE)
def test_what_is_far_away_is_no_dead_end(name: str) -> None:
    """The way costs four times what an entry can hold."""
    at = var(0, 3)
    rows = [simple_row(member(at, (k,)), {0: const(k + 1)}, const(cost)) for k, cost in ((0, 1015), (1, 1))]
    task = make_task([3], [Schema("go", (), (), tuple(rows))], member(at, (2,)))
    made = derived(task)
    assert made is not None
    machine, found = made
    led = with_derived("derived", machine, found, BLIND)
    assert led.evaluate(machine.initial) == 254
    assert asked(name, machine, led)[1:] == asked(name, machine, led, small=0)[1:] == (1016, 0)
    assert by_turns(machine, led, lazy=name == "astar").found is not None
