"""puzzles/bloxorz.yaml against a solver written from the rules of the game, which knows nothing of the language."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from bloxorz_stages import OPTIMAL_SUM, as_level, stages
from proving import learn

from models import referee
from models.data import parse_setting
from models.errors import PuzzleError
from models.grounding import ground
from models.interpreter import evaluate, scope
from models.loader import load_text
from models.outcomes import Outcome
from models.plan import Plan, Step
from models.puzzle import Puzzle
from models.text import Plain
from models.values import DIRECTIONS
from puzzlewright.solving import solve as solving

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "puzzles" / "bloxorz.yaml"
TEXT = FILE.read_text(encoding="utf-8")
SOURCE = yaml.safe_load(TEXT)
LEVELS = [name for name in SOURCE["levels"] if name != "random"]
QUICK = (1, 2, 3, 8, 9)
WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}

Square = tuple[int, int]
Blocks = tuple[Square, ...]  # a whole block's two ends, the smaller first, or the two halves
State = tuple[bool, Blocks, frozenset[str]]  # is it whole?, where, the letters of the passable bridges


# -- the game, from its rules ------------------------------------------------------------------------------------------


class Game:
    """A level of the file, given as plain data."""

    def __init__(self, level: dict[str, Any]) -> None:
        data = SOURCE["data"] | level
        rows = data["board"].split() if isinstance(data["board"], str) else [str(row) for row in data["board"]]
        self.letter = {(r, c): x for r, row in enumerate(rows) for c, x in enumerate(row) if x != "0"}
        self.bridges, self.switches, self.splitters = data["bridges"], data["switches"], data["splitters"]
        row, col = data["start"]
        down, right = SOURCE["types"]["pose"][data["lean"]]
        passable = frozenset(letter for letter, is_open in self.bridges.items() if is_open)
        self.start: State = (True, ((row, col), (row + down, col + right)), passable)

    def carries(self, square: Square, passable: frozenset[str]) -> bool:
        letter = self.letter.get(square)
        return letter is not None and (letter not in self.bridges or letter in passable)

    def survives(self, state: State) -> bool:
        whole, blocks, passable = state
        upright = whole and blocks[0] == blocks[1]
        return all(self.carries(s, passable) for s in blocks) and not (upright and self.letter[blocks[0]] == "!")

    def won(self, state: State) -> bool:
        whole, blocks, _ = state
        return whole and blocks[0] == blocks[1] and self.letter[blocks[0]] == "9"

    def after(self, state: State) -> Iterator[State]:
        whole, blocks, passable = state
        for down, right in WAYS.values():
            if whole:
                landed = roll(blocks, down, right)
                upright = landed[0] == landed[1]
                yield from self.settle(True, landed, self.press(landed, upright, passable))
                continue
            for half in (0, 1):
                moved = (blocks[half][0] + down, blocks[half][1] + right)
                pair = (moved, blocks[1]) if half == 0 else (blocks[0], moved)
                yield from self.settle(False, pair, self.press((moved,), False, passable))

    def press(self, landed: Blocks, upright: bool, passable: frozenset[str]) -> frozenset[str]:
        """The passable bridges once the switches under what has just landed have worked."""
        now = set(passable)
        for square in set(landed):
            switch = self.switches.get(self.letter.get(square, ""))
            if switch is not None and (switch["kind"] == "soft" or upright):
                now |= set(switch.get("appear", []))
                now -= set(switch.get("vanish", []))
                now ^= set(switch.get("toggle", []))
        return frozenset(now)

    def settle(self, whole: bool, blocks: Blocks, passable: frozenset[str]) -> Iterator[State]:
        """Splitting and joining; nothing where the block or a half falls."""
        if whole and blocks[0] == blocks[1]:
            targets = self.splitters.get(self.letter.get(blocks[0], ""))
            if targets is not None:
                whole, blocks = False, tuple((row, col) for row, col in targets)
        if not whole and abs(blocks[0][0] - blocks[1][0]) + abs(blocks[0][1] - blocks[1][1]) == 1:
            whole, blocks = True, tuple(sorted(blocks))
        state = (whole, blocks, passable)
        if self.survives(state):
            yield state

    def shortest(self) -> int | None:
        """The fewest moves that win, breadth first; None where no moves do."""
        depth, waiting = {self.start: 0}, deque([self.start])
        while waiting:
            state = waiting.popleft()
            if self.won(state):
                return depth[state]
            for new in self.after(state):
                if new not in depth:
                    depth[new] = depth[state] + 1
                    waiting.append(new)
        return None


def roll(blocks: Blocks, down: int, right: int) -> Blocks:
    """A whole block tipped over its edge: its height and the way that it covers change places."""
    (top, left), (bottom, far) = blocks
    rows, cols = bottom - top + 1, far - left + 1
    height = 2 if rows == cols else 1
    if down:
        top += rows if down > 0 else -height
        rows = height
    else:
        left += cols if right > 0 else -height
        cols = height
    return (top, left), (top + rows - 1, left + cols - 1)


# -- the product -------------------------------------------------------------------------------------------------------


def solve(puzzle: Puzzle, backend: str = "bfs", heuristic: str | None = None, seed: int = 0) -> tuple[int | None, Plan]:
    """The cost and the plan, which the referee has approved; optimal where the backend promises that."""
    heuristics = () if heuristic is None else (heuristic,)
    report = solving.solve(puzzle, solving.Request(backend, heuristics, seed=seed))
    assert report.outcome is (Outcome.SOLVED if backend in ("genetic", "beam") else Outcome.OPTIMAL), report.notes
    assert report.replay is not None and report.replay.valid and report.plan is not None
    return report.cost, report.plan


def with_level(level: dict[str, Any]) -> Puzzle:
    return load_text(f"{TEXT.rstrip()}\n  converted: {json.dumps(level)}\n", "converted", "converted")


def settings(*written: str) -> dict[str, Plain]:
    return dict(parse_setting(setting) for setting in written)


# -- the tests ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LEVELS)
def test_level_has_the_known_optimum_by_the_rules_and_by_search(name: str) -> None:
    known = SOURCE["levels"][name]["known"]["optimal"]
    assert Game(SOURCE["levels"][name]).shortest() == known
    assert solve(load_text(TEXT, "bloxorz", name))[0] == known


@pytest.mark.parametrize("name", [name for name in LEVELS if "switches" in SOURCE["levels"][name]])
def test_level_needs_its_switches(name: str) -> None:
    level = SOURCE["levels"][name]
    assert Game(level | {"switches": {}}).shortest() != level["known"]["optimal"]


@pytest.mark.parametrize("name", [name for name in LEVELS if "splitters" in SOURCE["levels"][name]])
def test_level_needs_its_splitter(name: str) -> None:
    assert Game(SOURCE["levels"][name] | {"splitters": {}}).shortest() is None


def test_every_mechanic_has_two_levels_of_its_own() -> None:
    for mechanic in ("toggle-soft", "toggle-heavy", "appear", "vanish", "fragile", "splitter", "lying"):
        assert sum(name.startswith(mechanic) for name in LEVELS) >= 2, mechanic


def test_file_is_short_and_without_warnings() -> None:
    head = TEXT.split("view:")[0].splitlines()
    assert len([line for line in head if line.strip() and not line.startswith("  board: [")]) < 58
    assert not load_text(TEXT, "bloxorz").warnings


@pytest.mark.parametrize("number", QUICK)
def test_original_stage(number: int) -> None:
    stage = stages()[number]
    level = as_level(stage)
    assert Game(level).shortest() == stage["optimal_moves"]
    assert solve(with_level(level))[0] == stage["optimal_moves"]


@pytest.mark.slow
def test_all_original_stages() -> None:
    found = {number: solve(with_level(as_level(stage)))[0] for number, stage in stages().items()}
    assert found == {number: stage["optimal_moves"] for number, stage in stages().items()}
    assert len(found) == 33
    assert sum(cost or 0 for cost in found.values()) == OPTIMAL_SUM


def test_steps_say_how_the_block_rolled_and_how_it_lies() -> None:
    ways = ["right", "down", "right", "right", "down", "down", "right"]
    assert story("stage-1", [f"one {way}" for way in ways]) == [
        "the block rolls right: lying along the row on [1, 2] and [1, 3]",
        "the block rolls down: lying along the row on [2, 2] and [2, 3]",
        "the block rolls right: standing on [2, 4]",
        "the block rolls right: lying along the row on [2, 5] and [2, 6]",
        "the block rolls down: lying along the row on [3, 5] and [3, 6]",
        "the block rolls down: lying along the row on [4, 5] and [4, 6]",
        "the block rolls right: standing on [4, 7]",
    ]


def test_steps_say_which_half_rolled() -> None:
    moves = ["one right", "one right", "two down", "two down", "two left", "two left", "one right", "one up"]
    moves += ["one right", "one right", "one right", "one right", "one right", "two up", "one right"]
    told = story("splitter-2", moves)
    assert told[0] == "the block rolls right: lying along the row on [1, 1] and [1, 2]"
    assert told[1] == "the block rolls right: split: on [2, 0] and [0, 9]"
    assert told[2] == "half two rolls down: split: on [2, 0] and [1, 9]"
    assert told[6] == "half one rolls right: split: on [2, 1] and [2, 7]"
    assert told[13] == "half two rolls up: lying along the row on [1, 6] and [1, 7]"
    assert told[14] == "the block rolls right: standing on [1, 8]"


def story(level: str, moves: list[str]) -> list[str]:
    """What the steps of a winning plan say, and the caption after each."""
    puzzle = load_text(TEXT, "bloxorz", level)
    halves_and_ways = [move.split() for move in moves]
    plan = tuple(Step("roll", (("h", half), ("d", DIRECTIONS[way]))) for half, way in halves_and_ways)
    replay = referee.replay(puzzle, plan)
    assert replay.valid, replay.reason
    labels = [referee.label(puzzle, state, step) for state, step in zip(replay.states, plan, strict=False)]
    captions = [referee.template(puzzle.view.caption, scope(state)) for state in replay.states[1:]]
    return [f"{label}: {caption}" for label, caption in zip(labels, captions, strict=True)]


def test_a_block_in_a_column_is_said_to_be_in_a_column() -> None:
    puzzle = load_text(TEXT, "bloxorz", "lying-2")
    start = referee.start_state(puzzle)
    assert referee.template(puzzle.view.caption, scope(start)) == "lying along the column on [0, 1] and [1, 1]"


@pytest.mark.parametrize("start", ["0,5", "5,9", "6,0", "-1,1", "1,10"])
def test_start_off_the_floor_is_invalid(start: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        load_text(TEXT, "bloxorz", "stage-1", settings(f"start={start}"))
    (problem,) = caught.value.diagnostics
    assert "the data break `require`: inside(cell(start[0], start[1]))" in problem.message
    assert problem.location is not None
    line = TEXT.splitlines()[problem.location.line - 1]
    assert line.startswith("require:") and "the block starts on the floor" in line


@pytest.mark.parametrize("lean", ["along_row", "along_column"])
def test_start_with_one_end_off_the_floor_is_invalid(lean: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        load_text(TEXT, "bloxorz", "stage-1", settings("start=5,8", f"lean={lean}"))
    assert "the start breaks `always`" in caught.value.diagnostics[0].message
    assert caught.value.diagnostics[0].location is not None


@pytest.mark.parametrize(("start", "moves"), [("1,1", 7), ("4,7", 0), ("3,6", 6)])
def test_start_is_replaceable(start: str, moves: int) -> None:
    given = [int(part) for part in start.split(",")]
    assert Game(SOURCE["levels"]["stage-1"] | {"start": given}).shortest() == moves
    assert solve(load_text(TEXT, "bloxorz", "stage-1", settings(f"start={start}")))[0] == moves


def test_start_drawn_by_seed() -> None:
    drawn = [load_text(TEXT, "bloxorz", "random", seed=seed).data["start"] for seed in range(6)]
    assert len(set(drawn)) > 2
    assert drawn[3] == load_text(TEXT, "bloxorz", "random", seed=3).data["start"]
    board = SOURCE["levels"]["random"]["board"].split()
    assert all(board[row][col] == "1" for row, col in drawn)
    assert load_text(TEXT, "bloxorz", "stage-1", seed=7).data["start"] == (1, 1)


@pytest.mark.parametrize("name", ["stage-1", "splitter-2"])
def test_astar_takes_what_is_proven_and_agrees(name: str) -> None:
    assert solve(load_text(TEXT, "bloxorz", name), "astar")[0] == SOURCE["levels"][name]["known"]["optimal"]


@pytest.mark.parametrize(("backend", "heuristic"), [("genetic", "breeding"), ("beam", "half-distance")])
def test_incomplete_searches_solve_stage_1(backend: str, heuristic: str) -> None:
    assert (solve(load_text(TEXT, "bloxorz", "stage-1"), backend, heuristic, seed=1)[0] or 0) >= 7


def test_what_is_proven_of_the_heuristics() -> None:
    knowledge = learn(ground(load_text(TEXT, "bloxorz", "stage-1")), cache=False)
    assert {name: verdict.proven for name, verdict in knowledge.heuristics.items()} == {
        "half-distance": True,
        "distance": False,
        "breeding": False,
    }
    split = learn(ground(load_text(TEXT, "bloxorz", "splitter-1")), cache=False)
    assert [name for name, verdict in split.heuristics.items() if verdict.proven] == ["half-distance"]  # 0 there


def test_plain_distance_is_refuted_and_breeding_is_zero_at_goals_only() -> None:
    """On every state of stage-1: the true distance against the estimates."""
    puzzle = load_text(TEXT, "bloxorz", "stage-1")
    estimates = {heuristic.name: heuristic.expression for heuristic in puzzle.heuristics}
    start = referee.start_state(puzzle)
    seen, waiting = {tuple(start.values()): start}, deque([start])
    while waiting:
        for _, new in referee.successors(puzzle, waiting.popleft()):
            if tuple(new.values()) not in seen:
                seen[tuple(new.values())] = new
                waiting.append(new)
    too_much = 0
    for state in seen.values():
        at, lies = state["at", ()], state["lies", ()]
        lean = next(word for word, pair in SOURCE["types"]["pose"].items() if tuple(pair) == tuple(lies))
        true = Game(SOURCE["levels"]["stage-1"] | {"start": list(at), "lean": lean}).shortest()
        value = {name: evaluate(expression, scope(state)) for name, expression in estimates.items()}
        assert (value["breeding"] == 0) == referee.is_goal(puzzle, state)
        if true is not None:
            assert value["half-distance"] <= true
            too_much += value["distance"] > true
    assert too_much > 0
