"""Planners of other people agree with us, on what we write for them; without them installed these tests are skipped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import running
from sampled import slow

from models.document import read_document
from models.loader import load_text
from models.outcomes import Limits
from models.puzzle import Puzzle
from puzzlewright.analysis import planners
from puzzlewright.analysis.planners import PLANNERS, planner_row
from puzzlewright.files.disk_cache import read_puzzle
from puzzlewright.files.library import built_in
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench

LEVELS = 5  # of a puzzle
QUICK = ("hanoi",)
PUZZLES = (  # those with levels that blind search is through with in seconds
    *("n_puzzle", "bloxorz", "sokoban", "rush_hour", "klotski", "pancake", "lights_out", "peg_solitaire"),
    *("frogs_toads", "knights_exchange", "blocks_world", "missionaries", "bridge_torch", "cyclic_hanoi"),
    *("water_jugs", "jealous_husbands"),
)
SECONDS = 60


def needs(name: str) -> None:
    if PLANNERS[name].program() is None:
        planner = PLANNERS[name]
        pytest.skip(f"no {name}: pip install {planner.wheel}, or PEERS_ENV, {planner.variable}")


def tower(disks: int) -> Puzzle:
    return read_puzzle(built_in()["hanoi"].read_text(encoding="utf-8"), "hanoi", None, (f"disks={disks}",), 0)


@pytest.mark.parametrize("name", [*QUICK, *map(slow, PUZZLES)])
def test_fast_downward_finds_our_optimum(name: str) -> None:
    needs("fast-downward")
    text = built_in()[name].read_text(encoding="utf-8")
    agreed = 0
    for level in list(read_document(text, name).levels)[: LEVELS if name not in QUICK else 1]:
        puzzle = load_text(text, name, str(level))
        row = planner_row("fast-downward", puzzle, (), SECONDS)
        if row["outcome"] not in ("time-limit", "memory-limit"):
            ours = solve(puzzle, Request(limits=Limits(SECONDS)))
            assert (row["outcome"], row.get("cost")) == (ours.outcome, ours.cost), level
            agreed += 1
    assert agreed


def test_planners_stand_beside_backends(tmp_path: Path) -> None:
    """Two disks: 3 moves."""
    needs("fast-downward")
    words = ("compare", "hanoi", "--set", "disks=2", "--backends", "bfs", "--with", "fast-downward", "--json")
    ours, theirs = running.run(*words).json["rows"]
    told = theirs["backend"], theirs["outcome"], theirs["cost"], theirs["length"]
    assert told == ("fast-downward", "optimal", 3, 3)
    assert theirs.keys() == ours.keys() and theirs["generated"] > 0


@pytest.mark.parametrize("name", [*map(slow, ("symk", "fast-downward-lmcut", "pyperplan"))])
def test_others_find_our_optimum(name: str) -> None:
    needs(name)
    puzzle = tower(4)
    assert planner_row(name, puzzle, (), SECONDS)["cost"] == 15


def test_who_is_not_installed_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEER_SYMK", "/nowhere/symk")
    refused = running.run("compare", "hanoi", "--with", "symk")
    assert refused.code == 2 and "up-symk" in refused.err
    assert running.run("compare", "hanoi", "--with", "symc").code == 2


# -- what is made of their words ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bench() -> Workbench:
    """Two disks: the best plan has 3 moves."""
    return Workbench(tower(2))


PLAN = "(move 1 1 2)\n(move 2 1 3)\n(move 1 2 3)\n(; the goal holds)\n; cost = 3 (unit cost)\n"


@pytest.mark.parametrize(
    ("plan", "price", "outcome"),
    [
        (PLAN, 3, "optimal"),
        (PLAN, None, "optimal"),
        (PLAN, 4, "disagreement"),
        (PLAN.replace("2 1 3", "2 1 2"), 3, "disagreement"),
        (PLAN.replace("(move 1 2 3)\n", ""), 2, "disagreement"),
        ("(fly 1 2)\n", 1, "disagreement"),
    ],
)
def test_a_plan_is_judged_by_the_referee(plan: str, price: int | None, outcome: str, bench: Workbench) -> None:
    assert planners._judged(plan, price, bench)["outcome"] == outcome


@pytest.mark.parametrize(
    ("code", "told", "outcome"),
    [
        (12, "[t=0.1s, 9 KB] Completely explored state space -- no solution!\n", "unsolvable"),
        (12, "Search stopped without finding a solution.\n", "not-found"),
        (11, "", "unsolvable"),
        (22, "", "memory-limit"),
        (None, "", "time-limit"),
        (34, "This configuration does not support axioms!\n", "not-found"),
    ],
)
def test_how_a_planner_ends_without_a_plan(code: int | None, told: str, outcome: str) -> None:
    row: dict[str, Any] = planners._without_plan(code, told)
    assert row["outcome"] == outcome
