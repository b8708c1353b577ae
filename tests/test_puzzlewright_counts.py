"""`--count`, `--all`, `--up-to`: published numbers, both paths and the referee, limits, what cannot be counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from plan_counts import FREE, HANOI, SWITCHES, TELLING, TWINS, random_tasks
from running import METRICS, Run, run
from sampled import slow

from encoders import all_plans
from encoders.all_plans import Enumeration, every_plan
from models import referee
from models.decoding import bindings_of, numbers_of
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Limits, Outcome, Unsupported
from models.plan import Step
from models.puzzle import Puzzle
from models.task import Task
from puzzlewright.analysis import counting
from puzzlewright.solving import proving
from search.machine import CompiledTask, Machine
from search.spaces.best_plans import best_plans

HARDEST = ("8,6,7,2,5,4,3,0,1", "6,4,7,8,5,0,3,2,1")  # the two boards of the 8-puzzle that are 31 steps away


def counted(*words: str) -> Run:
    found = run("solve", *words, "--json")
    assert found.code == 0, found.out
    return found


def file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "x.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


# -- published numbers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "number"), [
    (("n_puzzle", "--level", "seed-8"), 1),
    (("n_puzzle", "--set", f"start={HARDEST[0]}"), 40),
    slow(("n_puzzle", "--set", f"start={HARDEST[1]}"), 40),
    (("hanoi",), 1),
    (("bloxorz", "--level", "stage-1"), 3),
    (("vehicles_one_at_a_time", "--level", "n3"), 20),
    slow(("water_sort", "--level", "seed-1"), 24),
    slow(("water_sort", "--level", "seed-2"), 2_539_176),
])  # fmt: skip
def test_published_numbers(words: tuple[str, ...], number: int) -> None:
    assert counted(*words, "--count").json["optimal_plans"] == number


@pytest.mark.parametrize(("words", "number"), [
    slow(("n_puzzle", "--level", "seed-8"), 1),
    (("bloxorz", "--level", "stage-1"), 3),
    (("vehicles_one_at_a_time", "--level", "n3"), 20),
    pytest.param(("n_puzzle", "--set", f"start={HARDEST[0]}"), 40, marks=pytest.mark.slow),
    pytest.param(("water_sort", "--level", "seed-1"), 24, marks=pytest.mark.slow),
])  # fmt: skip
def test_published_numbers_by_both(words: tuple[str, ...], number: int) -> None:
    found = run("prove", *words, "--count", "--json").json
    assert (found["outcome"], found["optimal_plans"]) == ("optimal", number)
    assert found["proven_by"] == ["search", "cpsat"]


# -- three evaluators --------------------------------------------------------------------------------------------------


def plans_by_referee(puzzle: Puzzle, task: Task, goal: Any, best: int, most: int) -> int | None:
    """Sequences of actions, twins taken as one, by walking all of them; None for more than `most` beginnings."""
    first = {(schema.name, bound): row.arguments for schema in task.schemas for row in schema.rows
             for bound in bindings_of(row)}  # fmt: skip
    scalars = {name: {key for row in schema.rows for key, _ in row.arguments}
               for name, schema in ((s.name, s) for s in task.schemas)}  # fmt: skip

    def known(step: Step) -> Any:
        bound = tuple(pair for pair in step.arguments if pair[0] in scalars[step.action])
        rest = tuple(pair for pair in step.arguments if pair[0] not in scalars[step.action])
        return step.action, first[step.action, bound], rest

    def further(state: Any, left: int) -> Iterable[tuple[Any, Any, int]]:
        for step, after in referee.successors(puzzle, state):
            cost = referee.costs(puzzle, state, step)[task.metric]
            if cost <= left:
                yield known(step), after, left - cost

    found: set[Any] = set()
    beginnings = {((), best): referee.start_state(puzzle)}
    for _ in range(most):
        if not beginnings:
            return len(found)
        (plan, left), state = beginnings.popitem()
        if left == 0 and goal(numbers_of(puzzle, task, state)):
            found.add(plan)
        for step, after, rest in further(state, left):
            beginnings[(*plan, step), rest] = after
    return None


@pytest.mark.parametrize("seeds", [TELLING, slow(range(200))])
def test_three_evaluators_count_the_same(seeds: Iterable[int]) -> None:
    agreed = many = 0
    for seed, puzzle, task, best in random_tasks(seeds):
        machine = Machine(task)
        if machine.least_cost == 0:
            continue
        plans = best_plans(machine, best, Limits())
        listed = every_plan(task, (best,), 60)
        chosen = {tuple(machine.operator(int(plans.actions[p])) for p in path) for path in plans.paths()}
        assert listed == Enumeration(frozenset(chosen), True), seed
        assert len(chosen) == plans.count, seed
        by_hand = plans_by_referee(puzzle, task, CompiledTask(task, machine).is_goal, best, 2000)
        if by_hand is not None:
            assert by_hand == plans.count, seed
            agreed, many = agreed + (best > 0), many + (by_hand > 1)
    assert agreed > 2 and many > 0


def test_cpsat_lists_plans_of_unequal_costs(tmp_path: Path) -> None:
    for metric, number in (("time", 2), ("effort", 1)):
        words = (file(tmp_path, METRICS), "--metric", metric, "--count", "--json")
        assert run("solve", *words, "--backend", "cpsat").json["optimal_plans"] == number
        assert run("prove", *words).json["optimal_plans"] == number
    three = METRICS.replace(
        "at <= 1, effect: {at: at + 2}, cost: {time: 1", "at <= 1, effect: {at: at + 2}, cost: {time: 6"
    )
    for words in (("solve", "--backend", "ucs"), ("solve", "--backend", "cpsat"), ("prove",)):
        found = run(words[0], file(tmp_path, three), *words[1:], "--metric", "time", "--count", "--json").json
        assert (found["cost"], found["optimal_plans"]) == (9, 3), "three steps, or a step and a leap in either order"


def test_cpsat_alone(tmp_path: Path) -> None:
    found = counted("vehicles_one_at_a_time", "--level", "n3", "--backend", "cpsat", "--all", "--max-plans", "3").json
    alike = counted("vehicles_one_at_a_time", "--level", "n3", "--all", "--max-plans", "3").json
    assert found["optimal_plans"] == 20 and found["plans"] == alike["plans"]
    start = file(tmp_path, HANOI.replace("peg = 0", "peg = 2"))
    assert counted(start, "--backend", "cpsat", "--count").json["optimal_plans"] == 1
    assert run("solve", file(tmp_path, SWITCHES), "--backend", "cpsat", "--up-to", "reordering", "--json").code == 34


def test_cpsat_keeps_limits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = file(tmp_path, SWITCHES)
    monkeypatch.setattr(all_plans, "MOST_PLANS", 119)
    found = run("solve", path, "--backend", "cpsat", "--count", "--json").json
    assert (found["outcome"], found["optimal_plans"], found["length"]) == ("unsupported", None, 5)
    monkeypatch.setattr(all_plans, "encode", _late)
    found = run("solve", path, "--backend", "cpsat", "--count", "--json").json
    assert (found["outcome"], found["optimal_plans"], found["length"]) == ("unproven", None, 5)


def _late(*given: Any, **options: Any) -> Any:
    raise TimeoutError


# -- the answer --------------------------------------------------------------------------------------------------------


def test_the_answer_in_one_line(tmp_path: Path) -> None:
    assert "  plans        the shortest plan is unique\n" in run("solve", "n_puzzle", "--count", "-q").out
    assert "there are 3 shortest plans\n" in run("solve", "bloxorz", "--count", "-q").out
    assert "there are 7 cheapest plans\n" in run("solve", file(tmp_path, FREE), "--count", "-q").out
    assert "optimal_plans" not in run("solve", "bloxorz", "--json").json


def test_all_plans_are_listed() -> None:
    found = counted("bloxorz", "--all").json
    assert len(found["plans"]) == 3 and found["plan"] in found["plans"]
    assert {len(steps) for steps in found["plans"]} == {7} and len({str(steps) for steps in found["plans"]}) == 3
    lines = [line for line in run("solve", "bloxorz", "--all", "-q").out.splitlines() if line.startswith("    ")]
    texts = [", ".join(step["label"] for step in steps) for steps in found["plans"]]
    assert lines == [f"    {number}. {text}" for number, text in enumerate(texts, 1)]


@pytest.mark.slow
def test_a_list_that_is_cut_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    found = counted("water_sort", "--level", "seed-2", "--all", "--max-plans", "4").json
    assert len(found["plans"]) == 4 and "4 of 2,539,176 plans are listed" in found["notes"][-1]
    monkeypatch.setattr(counting, "LISTED", 2)
    assert len(counted("bloxorz", "--all").json["plans"]) == 2
    whole = counted("bloxorz", "--all", "--max-plans", "3").json
    assert not any("listed" in note for note in whole["notes"])


def test_classes_are_told_and_listed(tmp_path: Path) -> None:
    path = file(tmp_path, SWITCHES)
    for kinds, number in (("reordering", 2), ("symmetry", 10), ("symmetry,reordering", 1)):
        found = counted(path, "--up-to", kinds, "--all").json
        assert (found["optimal_plans"], found["up_to"], found["classes"]) == (120, kinds.split(","), number)
        assert len(found["plans"]) == number
    text = run("solve", path, "--up-to", "reordering,symmetry", "-q").out
    assert "there are 120 shortest plans; up to reordering and symmetry: 1\n" in text


def test_twins_are_one_action(tmp_path: Path) -> None:
    path = file(tmp_path, TWINS)
    assert counted(path, "--count").json["optimal_plans"] == 1
    assert run("explore", path, "--json").json["exploration"]["optimal_plans"] == 9


def test_no_step_and_no_plan(tmp_path: Path) -> None:
    at_goal = file(tmp_path, HANOI.replace("peg = 0", "peg = 2"))
    found = counted(at_goal, "--all").json
    assert (found["optimal_plans"], found["plans"]) == (1, [[]])
    for words in (("solve", "--all"), ("prove", "--count")):
        none = run(words[0], "n_puzzle", "--level", "odd-8", words[1], "--json").json
        assert (none["outcome"], none["optimal_plans"]) == ("unsolvable", 0)


# -- no number ---------------------------------------------------------------------------------------------------------


def test_infinitely_many_plans(tmp_path: Path) -> None:
    circle = FREE.replace("not lamp and at < 3, effect: {lamp: true}", "at < 3, effect: {lamp: not lamp}")
    found = run("solve", file(tmp_path, circle), "--all", "--up-to", "reordering", "--json").json
    assert (found["outcome"], found["exit_code"], found["optimal_plans"]) == ("unsupported", 34, None)
    assert "circle that costs nothing" in found["notes"][-1] and found["cost"] == 6


def test_free_steps_are_left_to_search(tmp_path: Path) -> None:
    found = run("prove", file(tmp_path, FREE), "--count", "--json").json
    assert (found["outcome"], found["optimal_plans"]) == ("unproven", None)
    with pytest.raises(Unsupported, match="cost nothing"):
        every_plan(ground(load_text(FREE, "x.yaml")), (6,))


def test_a_plan_that_is_not_proven_best() -> None:
    found = run("solve", "bloxorz", "--backend", "greedy", "--count", "--json").json
    assert (found["outcome"], found["optimal_plans"]) == ("unproven", None) and found["plan"]


@pytest.mark.slow
def test_limits_leave_the_plan() -> None:
    found = run("solve", "water_sort", "--level", "seed-1", "--count", "--node-limit", "40", "--json").json
    assert (found["outcome"], found["optimal_plans"], found["length"]) == ("unproven", None, 15)
    assert "node-limit" in found["notes"][-1]


def test_ctrl_c_leaves_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*given: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("search.spaces.best_plans._by_python", stop)
    found = run("solve", "bloxorz", "--count", "--json").json
    assert (found["outcome"], found["exit_code"], found["length"]) == ("interrupted", 130, 7)


@pytest.mark.parametrize("others", [frozenset(), frozenset([(k,) for k in range(5)])])
def test_numbers_that_differ_are_a_disagreement(others: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(all_plans, "every_plan", lambda *given: Enumeration(others, True))
    found = run("prove", "bloxorz", "--count", "--json").json
    assert (found["outcome"], found["exit_code"]) == ("disagreement", 40)
    assert f"CP-SAT lists {len(others)} best plans, search counts 3" in found["notes"][-2]


def test_cpsat_is_not_asked_for_very_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "MOST_RECOUNTED", 2)
    found = run("prove", "bloxorz", "--count", "--json").json
    assert (found["outcome"], found["optimal_plans"]) == ("unproven", 3)


def test_a_cost_that_is_not_the_least_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.metrics.Scale.costs", lambda self, costs: (costs["cost"] + 1,))
    monkeypatch.setattr("puzzlewright.solving.searching.judged", _unjudged(proving.judged))
    found = run("solve", "bloxorz", "--count", "--json").json
    assert found["outcome"] == Outcome.DISAGREEMENT


def _unjudged(judged: Any) -> Any:
    return lambda bench, request, answer: judged(bench, request, replace(answer, cost=None))


@pytest.mark.parametrize(("words", "message"), [
    (("--max-plans", "3"), "--max-plans is for --all"),
    (("--up-to", "order"), "'order' is none of reordering, symmetry"),
])  # fmt: skip
def test_usage_errors(words: tuple[str, ...], message: str) -> None:
    found = run("solve", "bloxorz", *words)
    assert found.code == 2 and message in " ".join(found.err.split())
