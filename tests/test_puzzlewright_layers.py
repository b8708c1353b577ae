"""`--backend layers` as users have it: figures against those of `explore` in memory, folders, limits, going over."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from running import run
from sampled import seeds, slow
from stepping import random_steps

from models.loader import load_text
from models.outcomes import Limits, Outcome, SearchResult, Statistics
from models.puzzle import Puzzle
from puzzlewright.analysis.exploring import SpaceWanted, explore
from puzzlewright.analysis.space_figures import SpaceFigures
from puzzlewright.files.library import built_in
from puzzlewright.solving import searching
from puzzlewright.solving.request import Request
from puzzlewright.solving.searching import TO_FILES, Searched
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench
from search import registry

pytest.importorskip("numba")

KNOWN = ("exhausted", "states", "layers", "eccentricity", "farthest", "edges", "goal_states", "nearest_goal_steps",
         "nearest_goal", "unit_cost")  # fmt: skip
BACK = ("dead_ends", "hardest", "optimal_plans")
EIGHT = ("n_puzzle", "--level", "seed-8", "--backend", "layers", "-q")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is waited for, and everything outgrows Python at once."""
    monkeypatch.setattr(os, "fsync", lambda file: None)
    monkeypatch.setattr(registry, "SMALL", 20)
    monkeypatch.setattr("search.native.at_hand", lambda: True)


def figures(seed: int, backend: str) -> SpaceFigures:
    puzzle = load_text(random_steps(seed), f"seed {seed}")
    found = explore(puzzle, Request(backend), SpaceWanted(shown=99)).payload(SpaceFigures)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", seeds(10, 150))
def test_figures_are_those_of_a_walk_in_memory(seed: int) -> None:
    one, other = figures(seed, "layers"), figures(seed, "auto")
    assert all(getattr(one, name) == getattr(other, name) for name in KNOWN)
    assert one.dead_ends == other.dead_ends
    counted = one.unit_cost and one.edges is not None
    assert one.optimal_plans == (other.optimal_plans if counted else None)
    assert (one.hardest is None) == (other.hardest is None or not one.unit_cost)
    if one.hardest is not None and other.hardest is not None:
        assert [one.hardest[key] for key in ("cost", "number")] == [other.hardest[key] for key in ("cost", "number")]
        assert sorted(map(str, one.hardest["shown"])) == sorted(map(str, other.hardest["shown"]))


@pytest.mark.parametrize("name", [name if name == "water_jugs" else slow(name) for name in built_in()])
def test_figures_of_puzzles(name: str, tmp_path: Path) -> None:
    """Backwards through what their rules make of steps, with what there is of each layer."""
    most = ("--node-limit", "30000", "--no-symmetry", "--show", "0", "--json")
    found = []
    for backend in ("auto", "layers"):
        lines = tmp_path / f"{backend}.csv"
        told = run("explore", name, "--backend", backend, "--csv", str(lines), *most).json["exploration"]
        found.append({key: told[key] for key in (*KNOWN, *BACK)} | {"csv": lines.read_text()})
        if not told["exhausted"]:
            return
    in_memory, on_disk = found
    if not in_memory["unit_cost"]:
        in_memory |= {"farthest": None, "nearest_goal": None, "optimal_plans": None, "hardest": None}
    assert on_disk == in_memory


def test_hardest_starts_of_the_8_puzzle() -> None:
    """31 moves for two states, and all lead to the goal (Reinefeld, 1993)."""
    found = run("explore", "n_puzzle", "--level", "easy-8", "--backend", "layers", "--json").json["exploration"]
    assert (found["states"], found["hardest"]["cost"], found["hardest"]["number"]) == (181_440, 31, 2)
    assert found["dead_ends"] == 0 and found["optimal_plans"] == 1 and found["not_computed"]


def test_a_folder_is_gone_on_with(tmp_path: Path) -> None:
    folder = str(tmp_path / "x")
    first = run("solve", *EIGHT, "--disk", folder, "--json", "--node-limit", "3000")
    assert (first.json["outcome"], first.json["lower_bound"]) == ("node-limit", first.json["statistics"]["layers"])
    assert run("solve", *EIGHT, "--disk", folder).code == 2, "it is not empty"
    assert run("solve", "n_puzzle", "-l", "easy-8", *EIGHT[3:], "--disk", folder, "--resume").code == 2
    found = run("solve", *EIGHT, "--disk", folder, "--resume", "--json").json
    assert (found["outcome"], found["cost"], found["statistics"]["layers"]) == ("optimal", 22, 22)
    victim = next((tmp_path / "x" / "layer-0010").glob("*.states"))
    victim.write_bytes(victim.read_bytes()[:-1])
    broken = run("solve", *EIGHT, "--disk", folder, "--resume")
    assert broken.code == 31 and victim.name in broken.err


def test_limits_are_outcomes(tmp_path: Path) -> None:
    full = run("solve", *EIGHT, "--disk-limit", "0.00002", "--json").json
    assert (full["outcome"], full["exit_code"]) == ("disk-limit", 25)
    assert full["lower_bound"] >= full["statistics"]["layers"] > 5
    space = run("explore", *EIGHT, "--node-limit", "2000", "--json").json
    told = space["exploration"]
    assert space["statistics"]["expanded"] == sum(told["layers"][:-1]) and not told["exhausted"]
    assert told["edges"] == space["statistics"]["generated"] <= 4 * space["statistics"]["expanded"]
    assert run("solve", *EIGHT, "--disk", "/dev/null/x").code == 2
    assert run("explore", "n_puzzle", "--cluster", "local").code == 2, "not without the backend"
    assert run("solve", *EIGHT, "--resume").code == 2, "not without a folder"
    assert run("explore", *EIGHT, "--graph", str(tmp_path / "x.dot")).code == 2


def hanoi() -> Puzzle:
    """Of five disks, with an estimate that is three times too much."""
    text = (Path(__file__).parent.parent / "puzzles/hanoi.yaml").read_text()
    return load_text(text.replace("heuristics:\n", "heuristics:\n  rash: 3 * misplaced\n"), "hanoi")


def test_a_star_goes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the plan that it has in memory; not where the estimate is not proven consistent, or another asks for it."""
    from search.kernels import best_first

    puzzle = hanoi()
    monkeypatch.setattr(best_first, "room_for", lambda limits, size: 4)
    monkeypatch.setattr(registry, "SMALL", 1)
    found = solve(puzzle, Request("astar", heuristics=("misplaced",)))
    assert (found.outcome, found.cost) == (Outcome.OPTIMAL, 31) and TO_FILES in found.notes
    assert "bytes_written" in found.statistics and found.backend == "astar"
    found = solve(puzzle, Request("astar", heuristics=("rash",)))
    assert found.outcome is Outcome.MEMORY_LIMIT and "bytes_written" not in found.statistics


def test_what_a_star_had_in_hand_counts_where_files_have_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan, and the better of both bounds."""
    plan, bare = ((7,), 5), (None, None)
    for outcome, (plan_there, cost), bound, end, least in (
        (Outcome.UNPROVEN, plan, 3, Outcome.UNPROVEN, 4),
        (Outcome.UNPROVEN, plan, 5, Outcome.OPTIMAL, 5),
        (Outcome.MEMORY_LIMIT, bare, 5, Outcome.DISK_LIMIT, 5),
        (Outcome.MEMORY_LIMIT, bare, 3, Outcome.DISK_LIMIT, 4),
    ):
        counted = Statistics(extra={"bytes_written": 1})
        over = Searched(SearchResult(Outcome.DISK_LIMIT, None, None, 4, counted), "misplaced", [])
        monkeypatch.setattr(searching, "_searched", lambda *given, over=over: over)
        before = SearchResult(outcome, plan_there, cost, bound, Statistics())
        found = searching._over_files(Workbench(hanoi(), memory=False), Request(), "misplaced", before)
        assert (found.result.outcome, found.result.cost, found.result.lower_bound) == (end, cost, least)
        assert found.remarks == [TO_FILES] and found.result.operators == plan_there


@pytest.mark.parametrize("backend", ["bfs", slow("auto")])
def test_breadth_first_search_goes_over(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the plan, and the figures, that it has in memory."""
    from search.kernels import breadth_first

    puzzle = load_text((Path(__file__).parent.parent / "puzzles/wolf_goat_cabbage.yaml").read_text(), "wolf")
    request: Any = Request(backend, limits=Limits(), heuristics=("blind",) if backend == "auto" else ())
    in_memory = solve(puzzle, request)
    monkeypatch.setattr(breadth_first, "room_for", lambda limits, size: 4)
    monkeypatch.setattr(registry, "SMALL", 1)
    found = solve(puzzle, request)
    assert (found.outcome, found.cost) == (in_memory.outcome, in_memory.cost) == (Outcome.OPTIMAL, 7)
    if backend == "bfs":
        assert any("went over" in note for note in found.notes) and "bytes_written" in found.statistics
