"""Rounds that are written out and folded again: what the loop does, where rounds are no loop, and random puzzles."""

from __future__ import annotations

from dataclasses import replace

import pytest
from random_models import random_puzzle
from sampled import seeds

from models import execution
from models.errors import PuzzleError
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Unsupported
from models.task import Assignment, Phase, Row, Task
from models.terms import TRUE, Term, add, compare, const, disjunction, negation, substitute, var
from search.compiler import folding
from search.compiler.folding import folded
from search.machine import CompiledTask, Machine

FALLING = """
format: 1
puzzle: falling
state:
  height: 0 .. 9 = HEIGHT
  lamp: 0 .. 3 = 0
actions:
  drop:
    when: lamp == 0
    effect:
      lamp: 1
    then:
      - repeat: ROUNDS
        height: height - 1 if height > 0
    THEN
goal: lamp == 3
"""
BEFORE = var(0, 10, 1)  # the height before the first round
STATES = 60  # of a random puzzle


def falling(height: int, rounds: int, then: str = "") -> Task:
    text = FALLING.replace("HEIGHT", str(height)).replace("ROUNDS", str(rounds)).replace("    THEN\n", then)
    return ground(load_text(text, "falling.yaml"))


def minus(height: Term) -> Term:
    return add([(1, height)], -1)


def row_of(task: Task) -> Row:
    return task.rows[0, 0]


def fold(task: Task) -> tuple[Row, dict[int, int]]:
    row, most = folded(row_of(task), [len(variable.domain) for variable in task.variables])
    return row, dict(most)


@pytest.mark.parametrize(("height", "applies"), [(0, True), (4, True), (5, True), (6, False), (9, False)])
def test_five_rounds_are_enough_for_five_heights(height: int, applies: bool) -> None:
    task = falling(height, 5)
    row, most = fold(task)
    assert [phase.loop for phase in row.phases] == [False, True, False] and most == {1: 6}
    after = CompiledTask(task, Machine(task)).successors(task.start)
    assert [state for _, state, _ in after] == ([(0, 1)] if applies else [])


def test_few_rounds_stay_as_they_are() -> None:
    row, most = fold(falling(2, 3))
    assert len(row.phases) == 5 and not most


def test_what_a_later_phase_reads_is_what_the_loop_leaves() -> None:
    """It reads the height, which is 0 by then: the lamp is 2, not 3."""
    task = falling(4, 6, "      - lamp: 2 + height // 4\n")
    row, most = fold(task)
    assert most == {1: 7} and len(row.phases) == 3
    assert [state for _, state, _ in CompiledTask(task, Machine(task)).successors(task.start)] == [(0, 2)]


def test_rounds_that_must_not_come_to_rest_are_none_of_a_loop() -> None:
    """`times` does the same lines as often, and asks nothing behind them."""
    text = (
        FALLING.replace("repeat: ROUNDS", "times: 5")
        .replace("HEIGHT", "9")
        .replace("    THEN\n", "      - lamp: 2 + height // 4\n")
    )
    task = ground(load_text(text, "falling.yaml"))
    assert not fold(task)[1]
    assert [state for _, state, _ in CompiledTask(task, Machine(task)).successors(task.start)] == [(4, 3)]


def test_a_round_more_than_is_ruled_out_is_no_loop() -> None:
    """Five rounds at rest, but one of another kind in their midst; and what a let has read is older than any round."""
    task = falling(9, 5)
    row = row_of(task)
    broken = Row(row.arguments, (*row.phases[:3], *row.phases[4:]), row.cost)
    sizes = [len(variable.domain) for variable in task.variables]
    assert not folded(broken, sizes)[1]
    text = FALLING.replace("    when", "    let: {old: height}\n    when").replace("if height > 0", "if old > 0")
    text = text.replace("HEIGHT", "3").replace("ROUNDS", "5").replace("    THEN\n", "")
    task = ground(load_text(text, "falling.yaml"))
    assert CompiledTask(task, Machine(task)).successors(task.start) == []  # it would fall below 0


def reading(row: Row, stage: int, later: int) -> Row:
    """The row, a phase of which reads the height as it was after the third round."""
    phase = row.phases[stage]
    old = var(0, 10, later)
    lines = tuple(replace(a, value=substitute(a.value, {old: var(0, 10, 4)})) for a in phase.assignments)
    return replace(row, phases=(*row.phases[:stage], replace(phase, assignments=lines), *row.phases[stage + 1 :]))


def test_stages_within_that_are_read_behind_keep_the_rounds_apart() -> None:
    task = falling(4, 6, "      - lamp: 2 + height // 4\n")
    sizes = [len(variable.domain) for variable in task.variables]
    row = row_of(task)
    assert folded(row, sizes)[1] and not folded(reading(row, 7, 7), sizes)[1]


def test_rounds_that_read_what_the_loop_began_with_are_none() -> None:
    """Each puts the height one below that before the first round: a loop of all would read its own outcome there."""
    low = compare("<", const(0), BEFORE)
    guard = [disjunction((negation(low), compare("==", minus(BEFORE), var(0, 10, stage)))) for stage in range(7)]
    phases = [Phase(TRUE, (Assignment(1, TRUE, const(1)),))]
    phases += [Phase(TRUE, (Assignment(0, low, minus(BEFORE)),)) for _ in range(5)]
    row = Row((), (*phases, Phase(guard[6], ())), TRUE)
    assert folded(row, [10, 4])[1] == {2: 5}  # all but the first, which stays what the others read


def test_names_outside_a_phase_mean_what_they_meant_before_it() -> None:
    """The height falls by two below what it was, and rests there, long before the fourth round."""
    text = FALLING.replace("    when", "    let: {old: height}\n    when").replace(
        "if height > 0", "if height > old - 2"
    )
    text = text.replace("HEIGHT", "5").replace("ROUNDS", "4").replace("    THEN\n", "")
    task = ground(load_text(text, "falling.yaml"))
    assert fold(task)[1] == {1: 5}
    assert [state for _, state, _ in CompiledTask(task, Machine(task)).successors(task.start)] == [(3, 1)]
    assert [after for _, after, _ in execution.successors(task, task.start)] == [(3, 1)]


@pytest.mark.parametrize("seed", seeds(3, 1_500, 65, 95, 158, 246, 290))
def test_random_puzzles_with_and_without_loops(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        task = ground(load_text(random_puzzle(seed), "random.yaml"))
    except PuzzleError:
        return
    made = []
    for fewest in (1_000, 1):
        monkeypatch.setattr(folding, "FEWEST", fewest)
        try:
            made.append(CompiledTask(task, Machine(task)))
        except Unsupported:
            return
    plain, loops = made
    known, waiting = {task.start}, [task.start]
    while waiting and len(known) < STATES:
        state = waiting.pop()
        found = plain.successors(state)
        assert loops.successors(state) == found
        fresh = {after for _, after, _ in found} - known
        known |= fresh
        waiting += fresh
