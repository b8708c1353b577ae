"""Rush Hour, Hanoi, Sokoban, the small cube, pancakes and Lights Out: published values, by search and by CP-SAT.

What the files call known comes from print or from breadth-first searches written apart from this project.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from proving import learn
from puzzle_files import load, sources
from sampled import slow

from models.errors import PuzzleError
from models.grounding import ground
from models.outcomes import Outcome
from models.puzzle import Puzzle
from models.task import State
from puzzlewright.report import Report
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from search.machine import compile_task

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
NAMES = ("cube", "hanoi", "lights_out", "pancake", "rush_hour", "sokoban")
LARGE = 4_000  # states up to which a level is explored as a whole
FAR = {  # for the slow tests
    ("cube", "far"): 11,
    ("cube", "far-too"): 11,
    ("hanoi", "ten"): 1023,
    ("lights_out", "five"): 15,
}

LONG = {  # that take more than others of their puzzle
    *{("lights_out", "plus"), ("rush_hour", "rush-moves"), ("cube", "scramble"), ("cube", "six")},
    *{("sokoban", "two-ways"), ("sokoban", "pillars"), ("sokoban", "islands")},
}

HANOI = {
    3: [1, 3, 7, 15, 31, 63, 127],
    4: [1, 3, 5, 9, 13, 17, 25],
    5: [1, 3, 5, 7, 11, 15, 19, 23],
}  # by disks, from 1
PANCAKES = {  # stacks by their distance: OEIS A092113; as far as A058986
    1: [1],
    2: [1, 1],
    3: [1, 2, 2, 1],
    4: [1, 3, 6, 11, 3],
    5: [1, 4, 12, 35, 48, 20],
    6: [1, 5, 20, 79, 199, 281, 133, 2],
    7: [1, 6, 30, 149, 543, 1357, 1903, 1016, 35],
    8: [1, 7, 42, 251, 1191, 4281, 10561, 15011, 8520, 455],
}
LIGHTS_OUT = [1, 4, 5, 4, 15, 28, 33, 40, 25, 44, 55]  # presses for n x n lights, from n = 1: OEIS A075462
CUBE = {"half": [1, 9, 54, 321, 1847], "quarter": [1, 6, 27, 120, 534, 2256]}  # the published counts, as far as quick
TURNED = {  # the solved cube after one clockwise turn
    "U": "WWWWGGOORRGGBBRROOBBYYYY",
    "R": "WGWGOOOOGYGYRRRRWBWBYBYB",
    "F": "WWOOOYOYGGGGWRWRBBBBRRYY",
}
PROVEN = {
    "cube": {"wrong", "each-once", "twists"},
    "hanoi": {"returning", "misplaced"},
    "lights_out": {"fives", "quiet-a", "quiet-b"},
    "pancake": {"gap", "each-once"},
    "rush_hour": {"blocked", "ahead", "whole", "apart"},
    "sokoban": {"alone", "nearest", "unplaced", "boxes", "under"},
}


def run(puzzle: Puzzle, backend: str = "auto", *metrics: str) -> Report:
    """The report; the plan in it, if any, has been replayed by the referee."""
    report = solve(puzzle, Request(backend, metrics=metrics))
    assert report.outcome in (Outcome.OPTIMAL, Outcome.UNSOLVABLE)
    return report


def layers(puzzle: Puzzle, depth: int | None = None, cost: int | None = None) -> list[int]:
    """How many states are so many steps (of this cost) away from the start."""
    compiled = compile_task(ground(puzzle, puzzle.metrics[-1:] if cost else ()))
    layer: list[State] = [compiled.initial]
    seen, sizes = set(layer), [1]
    while depth is None or len(sizes) <= depth:
        reached = (after for state in layer for _, after, price in compiled.successors(state) if cost in (None, price))
        layer = [after for after in dict.fromkeys(reached) if after not in seen]
        if not layer:
            break
        seen.update(layer)
        sizes.append(len(layer))
    return sizes


def cases(known: str) -> list[tuple[str, str]]:
    return [(name, level) for name in NAMES for level, source in sources(name).items() if known in (source.known or {})]


FEW = [case for name in NAMES for case in [(name, level) for level in sources(name) if (name, level) not in LONG][:4]]


def states(name: str, level: str) -> int:
    return int(str((sources(name)[level].known or {})["states"]))


# -- what the levels say -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "level"), [case if case in FEW else slow(*case) for case in cases("optimal") if case not in FAR]
)
def test_search_finds_the_known_optima(name: str, level: str) -> None:
    puzzle = load(name, level)
    optimal = puzzle.known["optimal"]
    by_metric = optimal if isinstance(optimal, dict) else {puzzle.metrics[0]: optimal}
    assert {metric: run(puzzle, "auto", metric).cost for metric in by_metric} == by_metric


@pytest.mark.parametrize(
    ("name", "level", "metric", "cost"),
    [
        ("cube", "half-turn", "half", 3),
        ("cube", "half-turn", "quarter", 4),
        ("hanoi", "three", "cost", 7),
        slow("hanoi", "four-pegs", "cost", 13),
        ("lights_out", "two", "cost", 4),
        ("lights_out", "three", "cost", 5),
        slow("lights_out", "four", "cost", 4),
        ("pancake", "four", "cost", 4),
        ("pancake", "five", "cost", 5),
        ("rush_hour", "small", "cost", 10),
        ("rush_hour", "small-moves", "cost", 5),
        ("sokoban", "little", "moves", 9),
    ],
)
def test_cpsat_finds_the_known_optimum(name: str, level: str, metric: str, cost: int) -> None:
    assert run(load(name, level), "cpsat", metric).cost == cost


@pytest.mark.slow
@pytest.mark.parametrize(("name", "level"), FAR)
def test_search_finds_the_optimum_of_a_far_position(name: str, level: str) -> None:
    assert run(load(name, level), "bfs").cost == FAR[name, level]


@pytest.mark.parametrize(("name", "level"), cases("solvable"))
def test_a_level_without_a_solution_has_none(name: str, level: str) -> None:
    report = run(load(name, level))
    assert report.outcome is Outcome.UNSOLVABLE
    millions = name in ("cube", "lights_out")  # of states, which need not be searched
    assert millions == ("invariant" in report.proven_by)


@pytest.mark.parametrize(
    ("name", "level"), [case if case in FEW else slow(*case) for case in cases("states") if states(*case) <= LARGE]
)
def test_the_number_of_reachable_states_is_the_known_one(name: str, level: str) -> None:
    puzzle = load(name, level)
    assert sum(layers(puzzle)) == puzzle.known["states"]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_file_claims_is_proven(name: str) -> None:
    for level in list(sources(name))[:: 5 if name == "cube" else 2]:  # those of the cube differ in their start only
        task = ground(load(name, level))
        knowledge = learn(task, cache=False)
        verdicts = knowledge.heuristics | knowledge.invariants
        assert {known for known, verdict in verdicts.items() if verdict.proven} == PROVEN[name] == set(verdicts)
        assert all(heuristic.claim for heuristic in task.heuristics)


@pytest.mark.parametrize("name", NAMES)
def test_files_raise_no_warnings(name: str) -> None:
    assert not any(load(name, level).warnings for level in sources(name))


# -- published values --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pegs", "disks"), [
    (pegs, n + 1) if n < 5 else slow(pegs, n + 1) for pegs, moves in HANOI.items() for n in range(len(moves))
])  # fmt: skip
def test_a_tower_needs_the_published_number_of_moves(pegs: int, disks: int) -> None:
    assert run(load("hanoi", None, f"pegs={pegs}", f"disks={disks}")).cost == HANOI[pegs][disks - 1]


@pytest.mark.parametrize("n", [*range(1, 8), pytest.param(8, marks=pytest.mark.slow)])
def test_pancakes_lie_in_the_published_layers(n: int) -> None:
    stack = ",".join(map(str, range(n))) if n > 1 else "[0]"
    assert layers(load("pancake", None, f"n={n}", f"start={stack}")) == PANCAKES[n]


def test_the_gap_heuristic_solves_a_large_stack_at_once() -> None:
    report = solve(load("pancake", "random", "n=16", seed=1), Request("astar", ("gap",)))
    assert report.outcome is Outcome.OPTIMAL
    assert report.statistics["expanded"] < 1000


@pytest.mark.parametrize("metric", CUBE)
def test_positions_of_the_cube_lie_in_the_published_layers(metric: str) -> None:
    cost = 1 if metric == "quarter" else None  # a half turn is two steps then
    assert layers(load("cube", "solved"), len(CUBE[metric]) - 1, cost) == CUBE[metric]


@pytest.mark.parametrize("face", TURNED)
def test_a_face_turns_clockwise(face: str) -> None:
    report = run(load("cube", None, f"start={TURNED[face]}"))
    assert report.labels == (f"{face}'",)


def linear(board: list[str]) -> tuple[int | None, int]:
    """The fewest presses that put out all lights (None: no presses do), and how many boards presses lead to.

    By Gaussian elimination over GF(2); sets of cells and of presses are the bits of whole numbers. The presses that
    solve a board are one such set plus those that switch nothing at all: the smallest sum of the two is looked for.
    """
    cells = [(r, c) for r, row in enumerate(board) for c, letter in enumerate(row) if letter != " "]
    bit = {cell: 1 << i for i, cell in enumerate(cells)}
    pivots: list[tuple[int, int]] = []  # what is switched, by which presses; the leading bits differ, the largest first
    idle = [0]

    def reduced(switched: int, presses: int) -> tuple[int, int]:
        for other, by in pivots:
            if switched ^ other < switched:
                switched, presses = switched ^ other, presses ^ by
        return switched, presses

    for r, c in cells:
        cross = sum(bit.get(cell, 0) for cell in ((r, c), (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)))
        switched, presses = reduced(cross, bit[r, c])
        if switched:
            pivots = sorted([*pivots, (switched, presses)], reverse=True)
        else:
            idle += [presses ^ other for other in idle]
    left, presses = reduced(sum(bit[r, c] for r, c in cells if board[r][c] == "*"), 0)
    fewest = min((presses ^ other).bit_count() for other in idle)
    return None if left else fewest, 1 << len(pivots)


@pytest.mark.parametrize("n", range(1, len(LIGHTS_OUT) + 1))
def test_linear_algebra_knows_the_published_number_of_presses(n: int) -> None:
    assert linear(["*" * n] * n)[0] == LIGHTS_OUT[n - 1]


@pytest.mark.parametrize("level", sources("lights_out"))
def test_what_is_known_of_lights_is_what_linear_algebra_says(level: str) -> None:
    puzzle = load("lights_out", level)
    if puzzle.known:
        assert linear(puzzle.data["board"]) == (puzzle.known.get("optimal"), puzzle.known["states"])


@pytest.mark.parametrize("seed", range(10))
def test_random_lights_need_as_many_presses_as_linear_algebra_says(seed: int) -> None:
    rng = random.Random(seed)
    height, width = rng.choice([(2, 4), (2, 5), (3, 3), (3, 4), (4, 4)])
    board = ["".join(rng.choice("**. ") for _ in range(width)) for _ in range(height)]
    report = run(load("lights_out", None, f"board={json.dumps(board)}", "quiet=[]"))
    assert report.cost == linear(board)[0]


def test_cells_pressed_beforehand_can_be_pressed_again() -> None:
    board = ["....", "....", "...."]
    report = run(load("lights_out", "random", f"board={json.dumps(board)}", "presses=4", "quiet=[]", seed=5))
    assert report.cost == 4  # the 3 x 4 board has no idle presses


# -- boards of others --------------------------------------------------------------------------------------------------


def shared(file: str) -> Any:
    path = SHARED / file
    if not path.exists():
        pytest.skip(f"{path} is not there")
    text = path.read_text(encoding="utf-8")
    return yaml.safe_load(text) if path.suffix == ".yaml" else json.loads(text)


@pytest.mark.parametrize(
    ("card", "reach", "measure"), [slow(1, 1, "steps"), (1, 5, "moves"), slow(15, 1, "steps"), (40, 1, "steps")]
)
def test_a_classic_card_has_its_published_optimum(card: int, reach: int, measure: str) -> None:
    boards = shared("rush_hour.json")["boards"]
    found = next(board for board in boards if (board["set"], board["n"]) == ("classic40", card))
    rows = [found["board"][i : i + 6] for i in range(0, 36, 6)]
    puzzle = load("rush_hour", None, f"board={json.dumps(rows)}", f"reach={reach}")
    assert run(puzzle).cost == found[measure]
    assert found["states"] > LARGE or sum(layers(puzzle)) == found["states"]


def costs(report: Report) -> tuple[int, int]:
    assert report.replay is not None
    return report.replay.costs["moves"], report.replay.costs["pushes"]


@pytest.mark.parametrize("number", [1, 2, pytest.param(36, marks=pytest.mark.slow)])
def test_a_microban_level_has_its_known_optimum(number: int) -> None:
    level = next(level for level in shared("sokoban_microban.json")["levels"] if level["n"] == number)
    width = max(map(len, level["rows"]))
    puzzle = load("sokoban", None, f"board={json.dumps([row.ljust(width, '#') for row in level['rows']])}")
    assert costs(run(puzzle, "auto", "moves", "pushes")) == (level["min_moves"], level["pushes_then"])
    if "min_pushes" in level:
        assert costs(run(puzzle, "auto", "pushes", "moves")) == (level["moves_then"], level["min_pushes"])


# -- wrong data --------------------------------------------------------------------------------------------------------

WRONG = [
    ("cube", "start=WWWWOOOOGGGGRRRRBBBBYYY", "len(start) == 24"),
    ("lights_out", 'board=["*.", "#*"]', '"*."'),
    ("cube", "start=YYYYRRRRGGGGOOOOBBBBWWWW", "start[s] == solved[s]"),
    ("pancake", "start=0,1,2,3,4,5,6,6", "any(start[p] == x"),
    ("pancake", "start=0,1,2", "len(start) == n"),
    ("rush_hour", "board=[A..., AXX., ..A.]", "board[c] == v"),
    ("rush_hour", "board=[A.X., A.X.]", "wide(target)"),
    ("sokoban", 'board=["#####", "#@@ #", "#####"]', '"@+"'),
    ("sokoban", 'board=["######", "#@$$.#", "######"]', "count"),
]


@pytest.mark.parametrize(("name", "setting", "words"), WRONG)
def test_wrong_data_are_invalid(name: str, setting: str, words: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        load(name, None, setting)
    assert any(re.search(re.escape(words), diagnostic.message) for diagnostic in caught.value.diagnostics)
