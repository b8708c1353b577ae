"""Rows whose phases go on until nothing changes: what is proven of them, and what is not done with them."""

from __future__ import annotations

import pytest

import puzzlewright as pw
from encoders.induction import Prover as Solver
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Unsupported
from models.task import Invariant, Task
from search.machine import Machine
from search.proofs.knowledge import Prover
from search.proofs.pruning import pruning

LOOPS = """
puzzle: loops
types: {num: 0 .. 4}
state: {a: num = 0, b: num = 0, c: bool = false, d: bool = false}
actions:
  throw:                                  # up, and down again
    effect: {a: 4, d: true}
    then: {repeat: stable, a: a - 1 if a > 0}
  pour:                                   # into b
    effect: {a: 4, b: 0}
    then: {repeat: stable, a: a - 1 if a > 0 and b < 4, b: b + 1 if a > 0 and b < 4}
goal: b == 4 and d
invariants:
  rest: a == 0 or b == 4
  untouched: c
  sum: a + b
  other: b
"""


def task(text: str = LOOPS) -> Task:
    return ground(load_text(text, "loops.yaml"), keeping_all=True)


def named(found: Task, name: str) -> Invariant:
    return next(each for each in found.invariants if each.name == name)


@pytest.mark.parametrize(("name", "quick", "solver"), [
    ("rest", True, "proven"),  # else pour would go on
    ("untouched", True, "proven"),
    ("sum", False, "refuted"),  # pour leaves 4 of whatever it was
    ("other", False, "refuted"),
])  # fmt: skip
def test_what_is_proven_of_loops(name: str, quick: bool, solver: str) -> None:
    found = task()
    assert Prover(found).invariant(named(found, name)).proven == quick
    assert Solver(found).invariant(named(found, name)).status == solver


def test_what_each_round_keeps_is_kept_by_all_of_them() -> None:
    """CP-SAT writes the rounds out, so that it sees the sum; the quick prover knows the end only."""
    found = task(LOOPS.replace("effect: {a: 4, b: 0}", "effect: {}").replace("effect: {a: 4, d: true}", "effect: {}")
                 .replace("a: a - 1 if a > 0}", "a: a}"))  # fmt: skip
    kept = named(found, "sum")
    assert (Prover(found).invariant(kept).proven, Solver(found).invariant(kept).status) == (False, "proven")


@pytest.mark.parametrize(("later", "where"), [
    ("", "a = 3, a = 0 afterwards"),
    ("\n      - a: min(a, 2)", "a = 3"),  # what the loop left has no name then
])  # fmt: skip
def test_an_estimate_that_falls_too_far_over_a_loop_is_told(later: str, where: str) -> None:
    """From 3 to 0 for a cost of 1."""
    text = """
puzzle: falls
types: {num: 0 .. 3, side: [front, back]}
state: {a: num = 3, b: num = 0, c: bool = false}
actions:
  wait:
    params:
      on[s in side]: bool
    effect: {c: "on[front] and on[back]"}
  fall:
    effect: {b: b + 1 if b < 3}
    then:
      - repeat: stable
        a: a - 1 if a > 0 and b > 1"""
    found = task(f"{text}{later}\ngoal: a == 0\nheuristics: {{h: a}}\n")
    told = f"fall(): the estimate may fall by 2 more than the cost where {where} (perhaps out of reach)"
    assert Prover(found).heuristic(found.heuristics[0]).reason == told


def test_loops_are_not_pruned() -> None:
    """Without loops the two would be independent, so that one order is enough."""
    apart = LOOPS.replace("a: 4, b: 0", "").replace(
        "a: a - 1 if a > 0 and b < 4, b: b + 1 if a > 0 and b < 4", "c: true"
    )
    assert pruning(task(apart.replace("repeat: stable", "times: 4"))) is not None
    assert pruning(task(apart)) is None


@pytest.mark.parametrize("backend", ["bfs", "astar", "idastar", "ids", "cpsat"])
def test_each_path_finds_the_best_plan(backend: str) -> None:
    report = pw.solve(load_text(LOOPS, "loops.yaml"), backend)
    assert (report.outcome, report.cost) == ("optimal", 2)


def test_nothing_goes_back_over_a_loop() -> None:
    with pytest.raises(Unsupported, match="actions with `repeat: stable` cannot be run backwards"):
        Machine(task()).predecessors  # noqa: B018
