"""The engine for unified-planning: its own example problems, as far as they are within what PDDL we read."""

from __future__ import annotations

from typing import Any

import pytest

up = pytest.importorskip("unified_planning.shortcuts", reason='no unified-planning: pip install "puzzlewright[up]"')
plans = pytest.importorskip("unified_planning.plans")
examples = pytest.importorskip("unified_planning.test.examples")

QUICK = ("basic_with_costs", "robot_loader")


@pytest.fixture(scope="module")
def planner() -> Any:
    up.get_environment().credits_stream = None
    factory = up.get_environment().factory
    factory.add_engine("puzzlewright", "puzzlewright.python.unified", "PuzzlewrightEngine")
    return up.OneshotPlanner(name="puzzlewright")


def checked(planner: Any, problem: Any, shortest: int) -> None:
    result = planner.solve(problem)
    wanted = "SOLVED_OPTIMALLY" if problem.quality_metrics else "SOLVED_SATISFICING"
    assert (result.status.name, len(result.plan.actions)) == (wanted, shortest)
    with up.PlanValidator(problem_kind=problem.kind, plan_kind=result.plan.kind) as theirs:
        assert theirs.validate(problem, result.plan)
    with up.PlanValidator(name="puzzlewright") as ours:
        assert ours.validate(problem, result.plan)
        assert not ours.validate(problem, plans.SequentialPlan(result.plan.actions[:-1]))


@pytest.mark.parametrize("name", QUICK)
def test_examples(name: str, planner: Any) -> None:
    case = examples.get_example_problems()[name]
    checked(planner, case.problem, min(len(plan.actions) for plan in case.valid_plans))


@pytest.mark.slow
def test_all_examples_that_are_supported(planner: Any) -> None:
    cases = [case for case in examples.get_example_problems().values() if planner.supports(case.problem.kind)]
    assert len(cases) >= 20
    for case in cases:
        checked(planner, case.problem, min(len(plan.actions) for plan in case.valid_plans))


def lamp(steps_to_light: bool) -> Any:
    problem = up.Problem("lamp")
    lit = problem.add_fluent("lit", up.BoolType(), default_initial_value=False)
    action = up.InstantaneousAction("press")
    action.add_effect(lit, steps_to_light)
    problem.add_action(action)
    problem.add_goal(lit)
    problem.add_quality_metric(up.MinimizeSequentialPlanLength())
    return problem


def test_statuses(planner: Any) -> None:
    assert planner.solve(lamp(True)).status.name == "SOLVED_OPTIMALLY"
    assert planner.solve(lamp(False)).status.name == "UNSOLVABLE_PROVEN"
    assert planner.solve(lamp(True), timeout=0).status.name == "TIMEOUT"
