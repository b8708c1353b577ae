"""SAS+ is the puzzle: its text, run by its definition alone, has the same states, steps and costs."""

from __future__ import annotations

import random
from collections import deque
from contextlib import suppress
from pathlib import Path

import pytest
import running
import sas_reading
from crosschecking import load
from random_tasks import random_task
from sampled import seeds

from models import execution
from models.errors import PuzzleError
from models.loader import load_text
from models.outcomes import Operator
from models.task import Task
from models.terms import member, var
from puzzlewright.files.exporting.cubes import split
from puzzlewright.files.exporting.planning import REACHED, planning, planning_of
from puzzlewright.files.exporting.sas import sas_text
from puzzlewright.solving.workbench import Workbench

MOST_STATES = 3000


def named(operator: Operator) -> str:
    return " ".join(map(str, operator))


def compared(task: Task, bench: Workbench | None = None) -> int:
    """Both walked side by side: how many states were seen. What a step changes, costs and is called is the same."""
    made = sas_reading.read(sas_text(planning(task, named, bench.proofs.facts if bench else ())))
    partner = {task.start: made.start}
    waiting = deque(partner)
    while waiting and len(partner) < MOST_STATES:
        state = waiting.popleft()
        ours = {named(step): (after, cost) for step, after, cost in execution.successors(task, state) if after != state}
        told = [each for each in made.successors(partner[state]) if each[0] != REACHED and each[1] != partner[state]]
        theirs = {name: (after, cost) for name, after, cost in told}
        assert len(theirs) == len(told) and theirs.keys() <= ours.keys()  # of choices that do the same one is enough
        assert execution.is_goal(task, state) == goal(made, partner[state])
        for name, (after, cost) in theirs.items():
            assert ours[name][1] == cost
            new = ours[name][0]
            waiting += [new] * (new not in partner)
            assert partner.setdefault(new, after) == after
        assert {(partner.get(after), cost) for after, cost in ours.values()} == set(theirs.values())
    assert len(set(partner.values())) == len(partner)
    return len(partner)


def goal(made: sas_reading.Sas, state: sas_reading.State) -> bool:
    """Is it a goal, or do steps that cost nothing, and are none of the puzzle's, lead to one?

    Behind the first of several such steps there are no others.
    """
    waiting, ends = [state], [made.is_goal(state)]
    while waiting:
        told = made.successors(waiting.pop())
        last = [(after, cost) for name, after, cost in told if name == REACHED]
        assert all(cost == 0 for _, cost in last)
        ends += [made.is_goal(after) for after, _ in last]
        waiting += [after for after, _ in last if not made.is_goal(after)]
    return any(ends)


@pytest.mark.parametrize("seed", seeds(18, 2000))
def test_random_tasks(seed: int) -> None:
    """Terms of every kind, joint moves, phases."""
    task = random_task(random.Random(seed))
    if execution.value(task.always, [task.start]):
        compared(task)


@pytest.mark.parametrize("seed", seeds(22, 2000))
def test_random_puzzles(seed: int) -> None:
    puzzle = load(seed)
    if puzzle is None:
        return
    with suppress(PuzzleError):  # of what grounding alone sees
        bench = Workbench(puzzle)
        if not bench.task.loops:  # others are written out first, which is tested elsewhere
            compared(bench.task, bench)


@pytest.mark.parametrize("seed", seeds(12, 1000))
def test_effects_that_need_conditions(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same where hardly any row may be decided as a whole."""
    decided_in_full(monkeypatch, 2)
    task = random_task(random.Random(seed))
    if execution.value(task.always, [task.start]):
        compared(task)


def decided_in_full(monkeypatch: pytest.MonkeyPatch, cases: int) -> None:
    """Rows of no more cases than these."""
    monkeypatch.setattr("puzzlewright.files.exporting.planning.FULL", cases)
    monkeypatch.setattr("puzzlewright.files.exporting.planning.FULLER", cases)


def test_what_is_too_much_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    decided_in_full(monkeypatch, 0)
    monkeypatch.setattr("puzzlewright.files.exporting.planning.MOST_CASES", 0)
    done = running.run("export", "n_puzzle", "--out", tmp_path / "n.sas", "--json").json
    assert done["outcome"] == "unsupported" and "slide" in done["notes"][0] and not (tmp_path / "n.sas").exists()


@pytest.mark.slow
def test_a_phase_until_nothing_changes_is_written_out(tmp_path: Path) -> None:
    """From 5 down to 2 in one step, though each round takes 1; then up by 1."""
    path = tmp_path / "down.yaml"
    path.write_text(FALLING)
    assert running.run("export", path, "--out", tmp_path / "n.sas").code == 0
    made = sas_reading.read((tmp_path / "n.sas").read_text())
    assert made.optimum() == 2 and len(made.operators) == 1 + 3


FALLING = """
puzzle: falling
types: {place: 0 .. 5}
state: {at: place = 5, lit: bool = false}
actions:
  drop: {when: not lit, effect: {lit: true}, then: [{repeat: stable, at: "max(at - 1, 2)"}]}
  rise: {when: lit and at < 5, effect: {at: at + 1}}
goal: at == 3
"""


def test_a_goal_of_several_cases_costs_nothing_more(tmp_path: Path) -> None:
    """Two steps of 2 lead to one of two goals that share no value, one of 3 and one of 2 to the other."""
    path = tmp_path / "two.yaml"
    path.write_text(EITHER)
    assert running.run("export", path, "--out", tmp_path / "two.sas").code == 0
    made = sas_reading.read((tmp_path / "two.sas").read_text())
    assert made.optimum() == 4 and REACHED in {operator.name for operator in made.operators}


EITHER = """
puzzle: either
types: {place: 0 .. 2}
state: {a: place = 0, b: place = 0}
actions:
  far: {when: a == 0, effect: {a: 2}, cost: 3}
  near: {when: b < 2, effect: {b: b + 1}, cost: 2}
goal: a == 2 and b == 1 or a == 0 and b == 2
"""


def test_parts_of_a_goal_hold_in_one_state(tmp_path: Path) -> None:
    """c == d takes a step that parts a from b; to bring them together costs 2."""
    path = tmp_path / "parts.yaml"
    path.write_text(PARTS)
    assert running.run("export", path, "--out", tmp_path / "parts.sas").code == 0
    made = sas_reading.read((tmp_path / "parts.sas").read_text())
    assert made.optimum() == 3
    assert [operator.name for operator in made.operators].count(REACHED) == 3 + 3
    assert planning_of(Workbench(load_text(PARTS, "parts"))).last_steps == 2


PARTS = """
puzzle: parts
types: {place: 0 .. 2}
state: {a: place = 0, b: place = 0, c: place = 0, d: place = 1}
actions:
  both: {when: d > 0, effect: {d: d - 1, a: a + 1}}
  follow: {when: b < 2, effect: {b: b + 1}, cost: 2}
  turn: {when: c < 2 and d < 2, effect: {c: c + 1, d: d + 1}}
goal: a == b and c == d
"""


def test_two_tests_of_a_variable_both_count() -> None:
    """Of 0, 1, 2 only 1 passes both; and where no value does there is no case."""
    leaf = var(0, 3)
    both = split([member(leaf, (0, 1)), member(leaf, (1, 2))], [leaf], [None], {}, 10)
    assert [(case.cube, case.values) for case in both] == [({("var", 0): (1,)}, (1,))]
    assert split([member(leaf, (0,)), member(leaf, (2,))], [], [], {}, 10) == []
