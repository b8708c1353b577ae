"""`solve --anytime`: on random small puzzles every plan and bound against the truth, every part of a round at work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import cast

import pytest
from random_models import random_board, random_puzzle
from running import ROOT, run
from sampled import seeds, slow
from truth import truth_of

import puzzlewright as pw
from models.errors import PuzzleError
from models.loader import load_text
from models.outcomes import Outcome
from models.puzzle import Puzzle
from puzzlewright.report import Report
from puzzlewright.solving import anytime, judging
from puzzlewright.solving.judging import Answer
from puzzlewright.solving.proofs import Proofs
from puzzlewright.solving.request import Request
from puzzlewright.solving.workbench import Workbench
from search.improving import rounds, windows

EASY = ("n_puzzle", "--level", "easy-8")
HARD = ("n_puzzle", "--level", "hardest-8")  # 31 slides (Reinefeld 1993)


@pytest.fixture
def small_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds of a few expansions, so that none of the searches comes to its end at once."""
    monkeypatch.setattr(rounds, "FIRST", 4)
    monkeypatch.setattr(rounds, "MORE", 2)
    monkeypatch.setattr(rounds, "FASTER", 1)
    monkeypatch.setattr(windows, "SHORTEST", 2)
    monkeypatch.setattr(windows, "SHARES", 2)


def puzzles(seed: int) -> Iterator[Puzzle]:
    for text in (random_puzzle(seed), random_board(seed)):
        try:
            yield load_text(text, "random")
        except PuzzleError:
            continue


def told(puzzle: Puzzle, **more: object) -> tuple[pw.Report, list[tuple[str, int, int | None]]]:
    """The report, and its events: kind, bound, cost."""
    events: list[pw.Event] = []
    report = pw.solve(puzzle, "anytime", on_event=events.append, **more)  # type: ignore[arg-type]
    return report, [(event.kind, event.lower_bound, event.cost) for event in events]


def check(puzzle: Puzzle, best: int | None, small: int = 400) -> str:
    """Bounds rise, costs fall, the optimum lies between, and they meet there."""
    report, events = told(puzzle, node_limit=small)
    bounds = [bound for _, bound, _ in events]
    costs = [cost for _, _, cost in events if cost is not None]
    assert bounds == sorted(bounds) and costs == sorted(set(costs), reverse=True)
    if best is None:
        assert not costs and report.outcome in ("unsolvable", "node-limit")
    else:
        assert all(bound <= best for bound in bounds) and all(cost >= best for cost in costs)
        assert report.outcome in ("optimal", "solved", "node-limit")
        assert (report.outcome == "optimal") == (report.cost == report.lower_bound == best)
    return report.outcome


@pytest.mark.parametrize("seed", seeds(12, 150))
def test_random_puzzles(seed: int, small_rounds: None) -> None:
    for puzzle in puzzles(seed):
        truth = truth_of(puzzle, most=60)
        if truth is not None:
            best = truth.optimum(puzzle.metrics[:1])
            assert check(puzzle, None if best is None else best[0], 1 << 30) in ("optimal", "unsolvable")


LEVELS = [("n_puzzle", "two-by-two"), ("bridge_torch", "classic"), ("key_maze", "first"),
          slow("water_sort", "three-colours"), slow("hanoi", "five"), slow("sokoban", "islands"),
          slow("freecell", "first")]  # fmt: skip


@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_levels_with_known_optima(name: str, level: str | None, small_rounds: None) -> None:
    puzzle = pw.load(name, level)
    best = puzzle.known["optimal"]
    best = best if isinstance(best, int) else best[puzzle.metrics[0]]  # type: ignore[index]
    assert check(puzzle, best, 60_000) in ("optimal", "solved")


def test_the_end_is_optimal() -> None:
    found = run("solve", *HARD, "--anytime", "--json").json
    assert (found["outcome"], found["cost"], found["lower_bound"]) == ("optimal", 31, 31)
    assert (found["backend"], found["proven_by"]) == ("anytime", ["search"])
    plans, bounds = found["anytime"]["plans"], found["anytime"]["bounds"]
    assert [plan["cost"] for plan in plans] == sorted({plan["cost"] for plan in plans}, reverse=True)
    assert plans[-1]["cost"] == plans[-1]["length"] == 31
    assert all(bound["lower_bound"] <= 31 for bound in (*plans, *bounds))


def test_a_plan_that_the_referee_has_no_time_for_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first plan is one of 45 slides or so; A* has the one of 31, and the bound, when the time is up."""
    plans: list[int] = []

    def slow_referee(bench: Workbench, request: Request, answer: Answer) -> Report:
        plans.append(cast("int", answer.cost))
        if len(plans) == 1:
            return judging.judged(bench, request, answer)
        return judging.reported(bench, request, Answer(Outcome.TIME_LIMIT, notes=("too slow",)))

    monkeypatch.setattr(anytime, "judged", slow_referee)
    report = pw.solve(pw.load("n_puzzle", "hardest-8"), "anytime")
    assert plans[-1] == 31 < plans[0] == report.cost
    assert report.outcome == "solved" and "too slow" in report.notes


def test_best_plans_are_counted() -> None:
    """As any search says; a heuristic that is proven bounds the walk."""
    found, other = (run("solve", *HARD, *more, "--count", "--json").json for more in (("--anytime",), ("-b", "astar")))
    assert (found["optimal_plans"], found["heuristic"]) == (other["optimal_plans"], "manhattan")


def test_the_same_again() -> None:
    first, second = (run("solve", *HARD, "--anytime", "--json", "--reproducible").json for _ in range(2))
    assert first == second


def test_no_plan() -> None:
    found = run("solve", "n_puzzle", "--level", "odd-8", "--anytime", "--no-invariants", "--json").json
    assert (found["outcome"], found["plan"], found["lower_bound"]) == ("unsolvable", None, None)


def test_a_limit_leaves_the_best_plan_and_the_gap() -> None:
    found = run("solve", *HARD, "--anytime", "--node-limit", "2000", "--json").json
    assert found["outcome"] == "solved" and found["statistics"]["expanded"] == 2000
    assert found["lower_bound"] <= 31 <= found["cost"]


def test_tables_bound_and_lead() -> None:
    """They are exact for the 8-puzzle: the start is 31 away."""
    found = run("solve", *HARD, "--anytime", "--heuristic", "derived", "--json").json
    assert (found["outcome"], found["cost"], found["heuristic"]) == ("optimal", 31, "derived")
    assert found["statistics"]["derived_states"] == 181_440


def test_who_stops_it_has_the_best_plan() -> None:
    stop = Event()
    report = pw.solve(pw.load("n_puzzle", "hardest-8"), "anytime", stop=stop,
                      on_event=lambda event: stop.set() if event.kind == "plan" else None)  # fmt: skip
    assert report.outcome == "interrupted" and report.lower_bound <= 31 <= report.cost
    assert pw.check_plan(pw.load("n_puzzle", "hardest-8"), report.plan).valid


def test_nothing_found() -> None:
    found = run("solve", *HARD, "--anytime", "--node-limit", "3", "--json").json
    assert (found["outcome"], found["plan"]) == ("node-limit", None) and found["lower_bound"] <= 31


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--backend", "bfs"), "--anytime chooses its searches itself"),
        (("--heuristic", "far"), "'far' is none of"),
    ],
)
def test_what_does_not_fit(more: tuple[str, ...], words: str) -> None:
    answer = run("solve", *EASY, "--anytime", *more)
    assert answer.code == 2 and words in " ".join(answer.err.split())


def test_no_horizon() -> None:
    assert run("solve", *EASY, "--anytime", "--max-horizon", "3", "--json").json["outcome"] == "unsupported"


@pytest.fixture
def triple(tmp_path: Path) -> Path:
    """Sliding tiles with three times Manhattan as the first heuristic."""
    triple = "heuristics:\n  triple: 3 * sum(distance(c, home(at[c])) for c in cell if at[c] != 0)"
    path = tmp_path / "triple.yaml"
    path.write_text((ROOT / "puzzles/n_puzzle.yaml").read_text().replace("heuristics:", triple))
    return path


def test_what_is_proven_and_wrong_is_a_disagreement(
    triple: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A prover that proves everything is found out by the plan."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Proofs, "proven", lambda self, declared, ask=None: True)
    assert pw.solve(pw.load(triple, "seed-8"), "anytime", heuristic="triple").outcome == "disagreement"


def test_what_is_proven_and_wrong_on_the_plan_is_a_disagreement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state before the goal is said to be far away: so nothing seems to be better than the first plan."""
    late = "heuristics:\n  late: 1000 if count(c for c in cell if at[c] != 0 and at[c] != wanted(c)) == 1 else 0"
    path = tmp_path / "late.yaml"
    path.write_text((ROOT / "puzzles/n_puzzle.yaml").read_text().replace("heuristics:", late))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Proofs, "proven", lambda self, declared, ask=None: True)
    assert pw.solve(pw.load(path, "seed-8"), "anytime", heuristic="late").outcome == "disagreement"


@pytest.mark.parametrize("node_limit", [6, 1000])
def test_a_heuristic_that_is_not_proven_bounds_nothing(triple: Path, node_limit: int, small_rounds: None) -> None:
    """Three times Manhattan leads, and nobody believes it."""
    report, events = told(pw.load(triple, "two-by-two"), heuristic="triple", node_limit=node_limit)
    assert all(bound <= 6 for _, bound, _ in events) and (report.cost is None or report.cost >= 6)
    assert (report.outcome == "optimal") == (report.cost == report.lower_bound == 6) == (node_limit > 6)
