"""The soak would notice: models are drawn as they should, wrong answers are failures, files are shrunk."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace

import pytest
import soak
from asking import HANGS, Failure, Known, Wrong, examine, forced, load, used
from puzzle_files import sources
from shrinking import fewer, shrunk, steps
from soak import header
from wild_library import LEVELS, library_model
from wild_models import wild_model

from models.errors import PuzzleError
from models.loader import load_text
from models.outcomes import Limits, Outcome
from puzzlewright.report import Report
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve

# -- the models --------------------------------------------------------------------------------------------------------


def test_models_are_mostly_accepted_and_different() -> None:
    accepted, words = 0, Counter[str]()
    for seed in range(60):
        text = wild_model(seed)
        assert text == wild_model(seed)
        try:
            puzzle = load_text(text, "wild")
        except PuzzleError:
            continue
        accepted += 1
        words["heuristics"] += bool(puzzle.heuristics)
        words["invariants"] += bool(puzzle.invariants)
        words["one name"] += bool({h.name for h in puzzle.heuristics} & {i.name for i in puzzle.invariants})
        words["metrics"] += len(puzzle.metrics) > 1
        words["large"] += any(len(number) > 12 for number in text.replace("'", " ").split() if number.isdigit())
    assert accepted > 40
    assert min(words.values()) > 3 and len(words) == 5, words


def test_levels_of_the_library_are_mostly_accepted_after_mutations() -> None:
    accepted, changed = 0, set[str]()
    for seed in range(24):
        text = library_model(seed)
        assert text == library_model(seed)
        changed.add(text)
        with suppress(PuzzleError):
            load_text(text, "library")
            accepted += 1
    assert accepted > 8 and len(changed) > 20


@pytest.mark.parametrize("name", LEVELS)
def test_levels_to_mutate_are_there(name: str) -> None:
    assert {*LEVELS[name]} <= {*sources(name)}


# -- the questions would notice ----------------------------------------------------------------------------------------

LINE = """
puzzle: line
types: {place: 0 .. 4}
state: {at: place = 0}
actions:
  walk: {when: at < 4, effect: {at: at + 1}, cost: {toll: 1, time: 2}}
goal: at == 3
heuristics: {far: 3 - at, farther: 4 - at}
invariants: {low: at < 9, even: at % 2}
"""
METRICS = ("toll",)


@pytest.fixture
def known() -> Known:
    found = load(LINE)
    assert found is not None and found.optimum(METRICS) == (3,)
    return found


@pytest.fixture
def report(known: Known) -> Report:
    made = solve(known.puzzle, Request(backend="bfs", metrics=METRICS, limits=Limits(time=60)))
    known.judge(made, METRICS)
    return made


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("false unsolvable", {"outcome": Outcome.UNSOLVABLE, "solution": None}),
        ("false bound", {"lower_bound": 4}),
        ("disagreement", {"outcome": Outcome.DISAGREEMENT}),
        ("false heuristic", {"verdicts": {"heuristic farther": "proven: somehow"}}),
        ("false invariant", {"verdicts": {"invariant even": "proven: somehow"}}),
        ("false invariant", {"notes": ("CP-SAT has proven and used the invariant low, the invariant even",)}),
    ],
)
def test_an_answer_that_is_not_so_is_noticed(
    known: Known, report: Report, kind: str, change: dict[str, object]
) -> None:
    with pytest.raises(Wrong) as found:
        known.judge(replace(report, **change), METRICS)
    assert found.value.kind == kind


def test_a_plan_that_is_not_best_is_noticed(known: Known, report: Report) -> None:
    assert report.solution is not None
    dear = replace(report.solution, replay=replace(report.solution.replay, costs={"toll": 4, "time": 8}))
    with pytest.raises(Wrong, match="false optimum"):
        known.judge(replace(report, solution=dear), METRICS)
    known.judge(replace(report, solution=dear, outcome=Outcome.SOLVED), METRICS)


def test_claims_that_are_true_are_no_fault(known: Known, report: Report) -> None:
    before = known.figures["claims checked on all states"]
    known.judge(replace(report, verdicts={"heuristic far": "proven: so", "invariant low": "proven: so"}), METRICS)
    assert known.figures["claims checked on all states"] == before + 2
    assert list(used(("CP-SAT has proven and used the invariant a, the heuristic b", "other"))) == [
        "invariant a",
        "heuristic b",
    ]


def test_a_wrong_figure_and_a_crash_are_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asking.figures_of", lambda truth, metrics: {"states": 4})
    monkeypatch.setattr("asking.solve_and_count", lambda *_: 1 // 0)
    found = examine(LINE, 0, Counter(), order=["explore for toll", "count for toll", "explore for toll"], patient=240)
    assert [each.kind for each in found or ()] == ["false figures", "crash: ZeroDivisionError in test_soak.py"]


def test_kernels_are_forced_only_as_long_as_they_are_asked_for() -> None:
    import search.registry

    before = search.registry.SMALL
    with forced():
        assert search.registry.SMALL < 10
    assert before == search.registry.SMALL


def test_a_soak_may_end_at_its_first_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What hangs is none: the machine may be busy."""
    kinds = {5: [], 6: [HANGS], 7: ["false optimum", "false bound"]}
    monkeypatch.setattr(soak, "drawn", str)
    monkeypatch.setattr(soak.resource, "setrlimit", lambda *_: None)
    monkeypatch.setattr(
        soak, "examine", lambda text, seed, *_, **__: [Failure("auto", kind, text, ()) for kind in kinds[seed]]
    )
    monkeypatch.setattr(soak.sys, "argv", ["soak.py", "--seed", "5", "--first"])
    assert soak.main() == 1
    out, told = capsys.readouterr()
    assert "1 failed: false bound, 1 failed: false optimum, 1 failed: hangs" in out
    assert "seed 7: false optimum: auto: 7" in told


# -- shrinking ---------------------------------------------------------------------------------------------------------


def test_a_file_is_shrunk_as_far_as_it_still_fails() -> None:
    """What is left is what the failure needs: here that the start can walk to a place above 2."""

    def fails(text: str) -> bool:
        try:
            puzzle = load_text(text, "shrunk")
        except PuzzleError:
            return False
        return any(action.name == "walk" for action in puzzle.actions) and "at + 1" in text

    small = shrunk(LINE, fails, 60)
    assert fails(small) and len(small) < len(LINE) / 2
    assert "heuristics" not in small and "cost" not in small
    assert not any(fails(smaller) for smaller in steps(small))


def test_questions_are_left_out_as_far_as_it_still_fails() -> None:
    def fails(names: tuple[str, ...]) -> bool:
        return "b" in names and "d" in names and names[-1] == "f"

    assert fewer(("a", "b", "c", "d", "e", "f"), fails, 60) == ("b", "d", "f")
    assert fewer(("a", "b", "c"), lambda names: names[-1] == "c", 60) == ("c",)
    assert fewer(("a", "b", "c"), lambda names: "a" in names, 60) == ("a", "c")


def test_a_kept_file_says_what_was_asked_and_what_is_right() -> None:
    text = header(LINE, 5, ("auto for time", "cpsat for toll"))
    assert text == "# asked: auto for time; cpsat for toll\n# right: 6\n# seed: 5\n"
