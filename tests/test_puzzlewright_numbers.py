"""Puzzles with numbers as large as the language lets them be: every answer is that of the referee's whole numbers."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest
from asking import Case, case_of, examine
from huge_models import huge_puzzle
from running import run
from sampled import seeds
from truth import Metrics, metric_tuples

from encoders import cpsat
from encoders.certified import something_cheaper
from models import metrics as weighing
from models.loader import load_text
from models.outcomes import Limits, Outcome
from models.referee import replay
from puzzlewright.analysis import tracing
from puzzlewright.certificates import bundle
from puzzlewright.files.planfiles import read_plan
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench

QUESTIONS = ("all searches", "kernels", "cpsat", "claims", "prove with count", "count by CP-SAT")

LEXI = f"""
puzzle: lexi
state: {{x: 0 .. 2 = 0}}
actions:
  one: {{when: x == 0, effect: {{x: 2}}, cost: {{a: 1, b: {2**41}}}}}
  two: {{when: x < 2, effect: {{x: x + 1}}, cost: {{a: 1, b: 0}}}}
goal: x == 2
"""
SUM = """
puzzle: big-sum
data: {w: [35184372088832, 3, 5, 9, 17, 33, 65, 129, 257, 513]}
types: {i: keys(w)}
state:
  n[k in i]: 0 .. TOP = 0
  base: 0 .. 1 = 0
actions:
  more:
    params: {k: i}
    effect:
      n[k]: n[k] + 1
  shift: {when: base == 1, effect: {base: 0}}
goal: sum(w[k] * n[k] for k in i) > 600 + base
"""


def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "puzzle.yaml"
    path.write_text(text, encoding="utf-8")
    return path


# -- random puzzles ----------------------------------------------------------------------------------------------------


def a_case(seed: int) -> tuple[Case, Metrics] | None:
    """A puzzle, and metrics to minimise in some order; None where the file is refused."""
    case = case_of(huge_puzzle(seed), seed, Counter(), starts=0)
    return None if case is None else (case, random.Random(seed).choice([*metric_tuples(case.puzzle)]))


def wrong(seed: int) -> list[str]:
    found = a_case(seed)
    order = [f"{question} for {','.join(found[1])}" for question in QUESTIONS] if found else []
    return [f"seed {seed}: {each}" for each in examine(huge_puzzle(seed), seed, Counter(), starts=0, order=order) or ()]


@pytest.mark.parametrize("seed", seeds(3, 10))
def test_a_puzzle_with_large_numbers(seed: int) -> None:
    assert not wrong(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10, 210, 20))
def test_more_puzzles_with_large_numbers(first: int) -> None:
    assert not [each for seed in range(first, first + 20) for each in wrong(seed)]


def test_most_of_them_are_decided() -> None:
    """By search where one step fits into 64 bits, by CP-SAT where steps cost something."""
    decided = Counter[tuple[str, Outcome]]()
    for seed in range(16):
        if (found := a_case(seed)) is None:
            continue
        case, metrics = found
        right = case.known.optimum(metrics)
        for backend in ("ucs", "cpsat"):
            limits = Limits(time=10, max_horizon=12 if backend == "cpsat" else None)
            report = solve(case.puzzle, Request(backend, metrics=metrics, limits=limits))
            decided[backend, report.outcome] += 1
            case.known.judge(report, metrics)
            if backend == "ucs" and report.outcome is Outcome.UNSUPPORTED:
                assert not Workbench(case.puzzle, metrics).task.weights or "64 bits" in report.notes[-1]
            elif backend == "ucs":
                assert report.outcome is (Outcome.UNSOLVABLE if right is None else Outcome.OPTIMAL)
    assert decided["ucs", Outcome.OPTIMAL] >= 7 and decided["cpsat", Outcome.OPTIMAL] >= 4, decided


# -- several metrics ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["auto", "ucs", "astar", "idastar", "rbfs", "cpsat"])
def test_a_metric_larger_than_the_old_weight(backend: str, tmp_path: Path) -> None:
    path = file(tmp_path, LEXI)
    found = run("solve", path, "--metric", "a,b", "--backend", backend, "--json").json
    assert (found["outcome"], found["costs"], found["lower_bound"]) == ("optimal", {"a": 1, "b": 2**41}, 1)
    found = run("solve", path, "--metric", "b,a", "--backend", backend, "--json").json
    if backend == "cpsat":
        assert found["outcome"] == "unproven", "steps may cost no b"
    else:
        assert (found["outcome"], found["costs"], found["lower_bound"]) == ("optimal", {"a": 2, "b": 0}, 0)


def test_what_explore_and_trace_say_of_metrics(tmp_path: Path) -> None:
    path = file(tmp_path, LEXI)
    found = run("explore", path, "--metric", "a,b", "--json").json["exploration"]
    assert found["nearest_goal"] == found["farthest"] == {"cost": 1, "costs": {"a": 1, "b": 2**41}}
    assert found["optimal_plans"] == 1
    events: list[tracing.Told] = []
    request = Request("wastar", metrics=("a", "b"), options={"weight": 3})
    tracing.trace(load_text(LEXI, "lexi.yaml"), request, events.append)
    made = [(event["g"], event["f"]) for event in events if event["event"] == "generate"]
    assert sorted(made) == [([1, 0], [1, 0]), ([1, 2**41], [1, 2**41]), ([2, 0], [2, 0])]


def test_a_certificate_of_several_metrics(tmp_path: Path) -> None:
    """And one of a worse plan, with all that follows from it made anew, is refused."""
    path, folder = file(tmp_path, LEXI), tmp_path / "certificate"
    found = run("prove", path, "--metric", "a,b", "--certificate", folder, "--json").json
    assert (found["outcome"], found["costs"]) == ("optimal", {"a": 1, "b": 2**41})
    assert run("verify", folder, "--json").json["outcome"] == "valid"
    stated = json.loads((folder / "manifest.json").read_text())
    assert stated["question"]["below"] == [1, 2**41] and stated["question"]["horizon"] == 1
    bench = Workbench(load_text((folder / "puzzle.yaml").read_text(), "puzzle.yaml"), ("a", "b"))
    plan = read_plan("plan.json", json.dumps([{"action": "two", "args": {}}] * 2), bench.puzzle)
    costs = replay(bench.puzzle, plan).costs
    certified = something_cheaper(bench.task, bench.scale.costs(costs))
    source = bundle.Source((folder / "puzzle.yaml").read_text(), None, (), 0)
    for name, made in bundle.texts(bench, source, certified, plan, costs).items():
        (folder / name).write_text(made)
    said = bundle.statement(bench, source, certified, plan, costs)
    (folder / "manifest.json").write_text(bundle.manifest(said, folder))
    assert run("verify", folder, "--json").json["outcome"] == "refuted"


@pytest.mark.parametrize("command", [("prove",), ("prove", "--count")])
def test_a_fault_in_the_weights_is_noticed(command: tuple[str, ...], tmp_path: Path,
                                           monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    """Path two knows nothing of weights."""
    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(weighing, "_weights", lambda largest, estimate, steps: (2**40, 1))
    monkeypatch.setattr("search.machine.exact_steps", lambda task: 2**62)
    folder = tmp_path / "certificate"
    words = [*command, file(tmp_path, LEXI), "--metric", "a,b", "--certificate", folder, "--json"]
    monkeypatch.chdir(tmp_path)
    assert run(*words).json["outcome"] == "disagreement"
    assert not folder.exists()


# -- sums --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("top", [1, 3])
@pytest.mark.parametrize("limit", [("--max-horizon", "12"), ("--time-limit", "20"), ()])
def test_sums_beyond_the_old_clip(top: int, limit: tuple[str, ...], tmp_path: Path) -> None:
    path = file(tmp_path, SUM.replace("TOP", str(top)))
    found = run("solve", path, "--backend", "cpsat", *limit, "--json").json
    assert (found["outcome"], found["cost"]) == ("optimal", 1)
    assert run("prove", path, "--json").json["outcome"] == "optimal"


def test_costs_that_cp_sat_cannot_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As 513 steps of 2^53 are more than 2^62, so are five more than 2^55."""
    monkeypatch.setattr(cpsat, "LARGEST", 2**55)
    text = f"""
puzzle: dear
state: {{x: 0 .. 9 = 0}}
actions:
  step: {{when: x < 9, effect: {{x: x + 1}}, cost: {2**53} - x % 2}}
goal: x == 5
"""
    found = run("prove", file(tmp_path, text), "--json").json
    assert (found["outcome"], found["cost"]) == ("unproven", 5 * 2**53 - 2)
    assert "64 bits" in found["notes"][-1]
    assert run("solve", tmp_path / "puzzle.yaml", "--backend", "cpsat", "--json").json["outcome"] == "unsupported"
