"""Phases that happen several times: `times`, `for`, beside `repeat`; by hand, in every evaluator."""

from __future__ import annotations

import pytest
from crosschecking import check

import puzzlewright as pw
from models.errors import PuzzleError
from models.loader import load_text
from models.plan import Step
from models.referee import Refusal, apply, start_state

TEXT = """
puzzle: phases
types:
  col: 0 .. 3
state:
  n[c in col]: 0 .. 9 = 0
  total: 0 .. 20 = 0
  k: 0 .. 6 = 0
actions:
  carry:
    effect:
      n[0]: n[0] + 1
    then:
      - for: c in col
        n[c]: n[c - 1] + 1 if c > 0
  sum:
    effect: {}
    then:
      - for: c in col
        total: total + n[c]
  thrice:
    effect: {}
    then:
      - times: 3
        k: k + 2
goal: total == 10 and k == 6
"""


def after(*actions: str) -> dict[str, object]:
    puzzle = load_text(TEXT, "phases.yaml")
    state = start_state(puzzle)
    for action in actions:
        state = apply(puzzle, state, Step(action, ()))
    return {name + "".join(map(str, indices)): value for (name, indices), value in state.items()}


def test_a_phase_for_each_value_reads_what_the_one_before_has_left() -> None:
    assert [after("carry")[f"n{c}"] for c in range(4)] == [1, 2, 3, 4]
    assert after("carry", "sum")["total"] == 1 + 2 + 3 + 4


def test_times_is_exactly_so_often() -> None:
    assert after("thrice")["k"] == 6
    with pytest.raises(Refusal):
        after("thrice", "thrice")


@pytest.mark.parametrize("backend", ["bfs", "cpsat", "auto"])
def test_both_paths_find_the_plan(backend: str) -> None:
    report = pw.solve(load_text(TEXT, "phases.yaml"), backend)
    assert (report.outcome, report.cost) == ("optimal", 3)


def test_every_evaluator_agrees_on_every_state() -> None:
    small = TEXT.replace("0 .. 9", "0 .. 4").replace("0 .. 20", "0 .. 10")
    assert check(load_text(small, "phases.yaml")) > 3


def test_a_variable_may_have_the_name() -> None:
    """As in every file that was written before the word had a meaning."""
    text = """
puzzle: own
state: {times: 0 .. 9 = 0}
actions:
  count:
    effect: {}
    then: {times: times + 2}
goal: times == 4
"""
    assert pw.solve(load_text(text, "own.yaml")).cost == 2


@pytest.mark.parametrize(("old", "new", "code"), [
    ("times: 3", "times: 0", "E421"),
    ("times: 3", "times: 3\n        repeat: 2", "E421"),
    ("for: c in col\n        total", "for: c\n        total", "E201"),
    ("for: c in col\n        total", "for: k in col\n        total", "E303"),
    ("times: 3", "times: 201", "E418"),
    ("      n[0]: n[0] + 1", "      n[0]: n[0] + 1\n      times: 2", "E308"),  # of phases of `then` only
])  # fmt: skip
def test_what_is_no_phase(old: str, new: str, code: str) -> None:
    with pytest.raises(PuzzleError) as found:
        load_text(TEXT.replace(old, new), "phases.yaml")
    assert code in [each.code for each in found.value.diagnostics]
