"""One-step formulas about invariants: what has no model holds in every state that can be reached."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from random_tasks import random_task, random_term

from encoders.clausal import write_dimacs
from encoders.kept import OneStep, loss, reached_goal
from encoders.lrat_child import read_model
from encoders.lrat_hints import tidy
from models.execution import successors, value
from models.grounding import ground
from models.loader import load_text
from models.task import Invariant
from models.terms import TRUE, add, conjunction, is_condition, member, modulo, var
from puzzlewright.certificates.recheck import Refused, check


def has_model(step: OneStep, folder: Path) -> bool:
    from ortools.sat.python import cp_model

    path = folder / "step.cnf"
    path.write_text(write_dimacs(step.form, []))
    status = cp_model.CpSolver().solve(read_model(path))
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE)
    return status != cp_model.INFEASIBLE


def reachable(task, limit=300):  # type: ignore[no-untyped-def]
    seen, waiting = {task.start}, [task.start]
    for state in waiting:
        for _, after, _ in successors(task, state):
            if after not in seen and len(seen) < limit:
                seen.add(after)
                waiting.append(after)
    return seen


def test_what_has_no_model_is_true(tmp_path: Path) -> None:
    """Random tasks with random invariants, some of which are not defined everywhere."""
    kept_ones = lost = unreachable = 0
    for seed in range(60):
        rng = random.Random(seed)
        task = random_task(rng)
        if not value(task.always, [task.start]):
            continue
        variables = [var(i, len(v.domain)) for i, v in enumerate(task.variables)]
        goal = random_term(rng, variables, 2)
        goal = goal if is_condition(goal) else member(goal, goal.values[:1])
        claims = [random_term(rng, variables, rng.choice((1, 2))) for _ in range(4)]
        claims += [modulo(add((1, v) for v in variables), 2), conjunction(member(v, v.values[:2]) for v in variables)]
        where = [each for each in claims if is_condition(each)]
        invariants = [Invariant(f"i{n}", term, rng.choice([TRUE, TRUE, *where])) for n, term in enumerate(claims)]
        task = replace(task, goal=goal, invariants=tuple(invariants))
        states, kept = reachable(task), list[Invariant]()
        for invariant in invariants:
            if not value(invariant.defined, [task.start]):
                continue
            if has_model(loss(task, invariant, kept), tmp_path):
                lost += 1
                continue
            kept.append(invariant)
            kept_ones += 1
            first = value(invariant.term, [task.start])
            assert all(value(invariant.defined, [s]) and value(invariant.term, [s]) == first for s in states)
        if not has_model(reached_goal(task, kept), tmp_path):
            unreachable += 1
            assert not any(value(goal, [state]) for state in states)
    assert kept_ones > 20 and lost > 40 and unreachable > 3


FLIP = """
puzzle: flip
types: {{bit: 0 .. 1, place: 0 .. 2}}
state:
  x[p in place]: bit = 0
actions:
  flip:
    params: {{p: place, q: place}}
    when: p != q
    effect:
      x[p]: 1 - x[p]
      x[q]: {q}
goal: {goal}
invariants:
  sum: {sum}
"""


@pytest.mark.parametrize(
    ("q", "goal", "sum_", "kept", "open_"),
    [
        ("1 - x[q]", "x[0] + x[1] + x[2] == 1", "(x[0] + x[1] + x[2]) % 2", True, False),  # two bits change: even stays
        ("1 - x[q]", "x[0] + x[1] + x[2] == 2", "(x[0] + x[1] + x[2]) % 2", True, True),
        ("1 - x[q]", "x[0] + x[1] + x[2] == 2", "x[0] + x[1] + x[2]", False, True),
        ("x[p]", "x[0] + x[1] + x[2] == 2", "(x[0] + x[1] + x[2]) % 2", False, True),  # one may change alone
        ("1 - x[q]", "x[0] + x[1] + x[2] == 2", "first(p for p in place if x[p] == 0)", False, True),  # undefined
    ],
)
def test_by_hand(q: str, goal: str, sum_: str, kept: bool, open_: bool, tmp_path: Path) -> None:
    task = ground(load_text(FLIP.format(q=q, goal=goal, sum=sum_), "flip"))
    assert has_model(loss(task, task.invariants[0], ()), tmp_path) is not kept
    assert has_model(reached_goal(task, task.invariants if kept else ()), tmp_path) is open_


SQUARE = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"


@pytest.mark.parametrize(
    ("proof", "tidied"),
    [
        ("5 1 0 1 2 0\n6 0 5 3 4 0\n", "5 1 0 1 2 0\n6 0 5 3 4 0\n"),
        ("5 1 0 1 1 2 0\n6 0 5 5 3 5 4 0\n", "5 1 0 1 2 0\n6 0 5 3 4 0\n"),  # twice
        ("5 1 0 1 2 0\n6 0 5 2 3 4 0\n", "5 1 0 1 2 0\n6 0 5 3 4 0\n"),  # true already
        ("5 1 0 1 2 3 0\n5 d 1 2 0\n6 0 5 3 4 0\n", "5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n"),  # after the end
        ("5 1 0 1 9 0\n6 0 5 3 4 0\n", None),  # a clause that is not there
        ("5 1 0 1 0\n6 0 5 3 4 0\n", None),
        ("5 1 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", None),
        ("5 1 0 1 2 0\n6 0 5 3", None),  # cut off, as on a full disk
        ("5 1 0 1 2 0\n\n6 0 5 3 4 0\n", None),
        ("5 1 0 1 2 0\n6\n", None),
        ("5 1 0 1 2 0\n6 d x 0\n", None),
        ("5 1 0 1 2 0\n6 0 5 3 4 0\n\udcff\n", None),
    ],
)
def test_clauses_that_derive_nothing_are_not_named(proof: str, tidied: str | None, tmp_path: Path) -> None:
    (tmp_path / "f.cnf").write_text(SQUARE)
    (tmp_path / "p.lrat").write_bytes(proof.encode(errors="surrogateescape"))
    tidy([(1, 2), (1, -2), (-1, 2), (-1, -2)], tmp_path / "p.lrat", float("inf"))
    if tidied is None:
        with pytest.raises(Refused):
            check(tmp_path / "f.cnf", tmp_path / "p.lrat")
    else:
        assert (tmp_path / "p.lrat").read_text() == tidied
        assert check(tmp_path / "f.cnf", tmp_path / "p.lrat").derived == 2
    with pytest.raises(TimeoutError):
        tidy([], tmp_path / "p.lrat", 0.0)
