"""The truth that other tests hold sentences against: by hand on puzzles that one can see through."""

from __future__ import annotations

import pytest
from puzzle_files import load as built_in
from truth import STEPS, Truth, key, metric_tuples, truth_of

from models.loader import load_text
from models.plan import Step
from models.referee import replay

LINE = """
puzzle: line
types:
  place: 0 .. 4
state:
  at: place = 0
  told: bool = false
actions:
  walk:
    when: at < 4
    effect: {at: at + 1}
    cost: {toll: 1, time: 5}
  jump:
    when: at == 0
    effect: {at: 3}
    cost: {toll: 2, time: 1}
  fall:
    when: at > 0
    effect: {at: 4}
    cost: {toll: 0, time: 0}
  tell:
    effect: {told: not told}
    cost: {toll: 1, time: 0}
goal: at == 3
"""
CIRCLE = """
puzzle: circle
types: {place: 0 .. 2}
state: {at: place = 0}
actions:
  round:
    when: at < 2
    effect: {at: 1 - at}
    cost: 0
  out:
    when: at == 1
    effect: {at: 2}
goal: at == 2
"""


def truth(text: str) -> Truth:
    found = truth_of(load_text(text, "test"))
    assert found is not None
    return found


def test_a_line_by_hand() -> None:
    found = truth(LINE)
    assert len(found.states) == 10  # five places, told or not
    folded = found.folded([("at", ())], ("toll",))
    assert [state["at", ()] for state in folded.states] == [0, 1, 3, 2, 4]
    assert folded.depth == [0, 1, 1, 2, 2]
    assert folded.goals == {2} and folded.dead_ends == {4}
    assert folded.to_goal(STEPS) == [(1,), (2,), (0,), (1,), None]
    assert folded.to_goal(("toll",)) == [(2,), (2,), (0,), (1,), None]
    assert folded.to_goal(("time", "toll"))[0] == (1, 2)
    assert folded.from_start(("toll", "time")) == [(0, 0), (1, 5), (2, 1), (2, 10), (1, 5)]
    assert list(metric_tuples(found.puzzle)) == [("toll",), ("time",), ("toll", "time"), ("time", "toll")]


def test_best_plans_by_hand() -> None:
    found = truth(LINE).folded([("at", ())], ("toll",))
    assert found.plans(("toll",)) == 1 and found.plans(STEPS) == 1
    assert found.plans(("toll",), start=1) == 1 and found.plans(("toll",), start=4) == 0
    [plan] = found.best_plans(("toll",), 10) or []
    assert plan == (Step("jump", ()),)
    assert truth(CIRCLE).plans(("cost",)) is None and truth(CIRCLE).plans(STEPS) == 1
    assert truth(CIRCLE).best_plans(("cost",), 50) is None


def test_states_that_differ_are_not_folded() -> None:
    with pytest.raises(AssertionError):
        truth(LINE).folded([("told", ())], ("toll",))


def test_values_that_python_takes_for_equal() -> None:
    assert len({key({("x", ()): value}) for value in (1, True, "1")}) == 3


@pytest.mark.parametrize(("name", "best", "count"), [("wolf_goat_cabbage", 7, 2), ("missionaries", 11, 4)])
def test_puzzles_whose_plans_are_known(name: str, best: int, count: int) -> None:
    puzzle = built_in(name)
    found = truth_of(puzzle)
    assert found is not None
    assert found.optimum(STEPS) == (best,) and found.plans(STEPS) == count
    plans = found.best_plans(STEPS, 10)
    assert plans is not None and len(set(plans)) == count
    assert all(replay(puzzle, plan).valid and len(plan) == best for plan in plans)
