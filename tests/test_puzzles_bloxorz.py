"""puzzles/bloxorz.yaml against a solver written from the rules of the game, which knows nothing of the language."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import ascii_letters
from typing import Any

import pytest
import yaml

from models import referee
from models.errors import PuzzleError
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Outcome
from models.plan import Step
from models.puzzle import Puzzle
from models.text import Text
from search.codegen import compile_task
from search.registry import search_with

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "puzzles" / "bloxorz.yaml"
STAGES = ROOT.parent / "shared" / "data" / "bloxorz_levels.yaml"
TEXT = FILE.read_text(encoding="utf-8")
SOURCE = yaml.safe_load(TEXT)
LEVELS = [name for name in SOURCE["levels"] if name != "random"]
QUICK = (1, 2, 3, 8, 9)
OPTIMAL_SUM = 1999
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
    """A whole block tipped over its edge: an upright one lies down, a lying one rolls sideways or stands up."""
    (top, left), (bottom, far) = blocks
    height, width = bottom - top + 1, far - left + 1
    tall, wide = (2 if height == width else 1 if down else height), (2 if height == width else 1 if right else width)
    if height == width:
        tall, wide = (2, 1) if down else (1, 2)
    top += height if down > 0 else -tall if down < 0 else 0
    left += width if right > 0 else -wide if right < 0 else 0
    return (top, left), (top + tall - 1, left + wide - 1)


# -- the product -------------------------------------------------------------------------------------------------------


def solve(puzzle: Puzzle) -> tuple[int | None, tuple[Step, ...]]:
    """The optimum and a plan that the referee has approved."""
    compiled = compile_task(ground(puzzle))
    result = search_with("bfs", compiled)
    assert result.outcome is Outcome.OPTIMAL
    plan = tuple(compiled.step(operator) for operator in result.operators or ())
    assert referee.replay(puzzle, plan).valid
    return result.cost, plan


@cache
def stages() -> dict[int, dict[str, Any]]:
    """The stages under test/data, where the folder with the original stages is."""
    if not STAGES.exists():
        pytest.skip(f"the original stages are not here: {STAGES}")
    return {stage["id"]: stage for stage in yaml.safe_load(STAGES.read_text(encoding="utf-8"))["levels"]}


def as_level(stage: dict[str, Any]) -> dict[str, Any]:
    """An original stage as a level of the file: its own letter for each bridge, switch and splitter."""
    rows = [list(row.translate(str.maketrans(".#SG", "0119"))) for row in stage["rows"]]
    letters = iter(ascii_letters)
    level: dict[str, Any] = {"start": stage["start"][0], "bridges": {}, "switches": {}, "splitters": {}}
    named: dict[str, str] = {}
    for name, bridge in stage.get("bridges", {}).items():
        named[name] = next(letters)
        level["bridges"][named[name]] = bridge["present"]
        for row, col in bridge["cells"]:
            assert rows[row][col] in "=-"
            rows[row][col] = named[name]
    for switch in stage.get("switches", []):
        row, col = switch["at"]
        assert rows[row][col] in "ox"
        rows[row][col] = next(letters)
        made: dict[str, Any] = {"kind": switch["kind"]}
        for what, name in switch["do"]:
            made.setdefault(what, []).append(named[name])
        level["switches"][rows[row][col]] = made
    for splitter in stage.get("splitters", []):
        row, col = splitter["at"]
        assert rows[row][col] == "("
        rows[row][col] = next(letters)
        level["splitters"][rows[row][col]] = splitter["to"]
    return level | {"board": ["".join(row) for row in rows]}


def with_level(level: dict[str, Any]) -> Puzzle:
    return load_text(f"{TEXT.rstrip()}\n  converted: {json.dumps(level)}\n", "converted", "converted")
