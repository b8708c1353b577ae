"""Levels of PuzzleScript games: maps, and what their letters stand for."""

from __future__ import annotations

from pathlib import Path

import pytest
import running

GAME = """title Simple Block Pushing Game (not a level
of anything)
========
OBJECTS
========

Background
LIGHTGREEN GREEN
11111
10111

Target
DarkBlue

Wall #
BROWN DARKBROWN

Player
Black Orange White Blue

Crate
Orange

=======
LEGEND
=======

. = Background
P = Player
* = Crate
@ = Crate and Target
O = Target
Movable = Player or Crate
? = Movable

=======
LEVELS
=======

message hello

####..
#.O#..
#..###
#@P..#
#..*.#
#..###
####..

(a comment)
message again

#######
#P.*.O#
#######
"""
PUZZLE = """
puzzle: pushing
data:
  board: ["P*O"]
  legend: {p: [player], "*": [crate], o: [target]}
types:
  cell: cells(board)
state:
  player: cell = first(c for c in cell if "player" in legend[board[c]])
  crate[c in cell]: bool = "crate" in legend[board[c]]
actions:
  walk:
    params: {d: direction}
    when: ["'wall' not in legend[board[player + d]] and not crate[player + d]"]
    effect: {player: player + d}
  push:
    params: {d: direction}
    when: ["crate[player + d] and 'wall' not in legend[board[player + d + d]] and not crate[player + d + d]"]
    effect: {player: player + d, "crate[player + d]": false, "crate[player + d + d]": true}
goal: all(crate[c] for c in cell if "target" in legend[board[c]])
accepts: {puzzlescript: {board: board, legend: legend}}
"""


@pytest.fixture
def puzzle(tmp_path: Path) -> Path:
    path = tmp_path / "pushing.yaml"
    path.write_text(PUZZLE)
    return path


def game(tmp_path: Path, old: str = "", new: str = "") -> Path:
    path = tmp_path / "game.txt"
    assert old in GAME
    path.write_text(GAME.replace(old, new) if old else GAME)
    return path


@pytest.mark.parametrize(("level", "steps"), [("1", 33), ("2", 3)])
def test_levels_are_solved(level: str, steps: int, puzzle: Path, tmp_path: Path) -> None:
    """The first is Microban's first, 33 moves; in the second the crate goes two places to the right, after one."""
    found = running.run("solve", puzzle, "--level-file", game(tmp_path), "--level", level, "--json").json
    assert (found["outcome"], found["length"], found["level"]) == ("optimal", steps, level)


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("#P.*.O#", "#P.*.X#", (54, 6), "'x' stands for nothing"),
        ("#P.*.O#", "#P.*.?#", (54, 6), "'?' stands for nothing"),  # one of two
        ("#P.*.O#", "#P.*.O", (54, 1), "this row has 6 places, the first one 7"),
        ("O = Target\n", "O = Targt\n", (54, 6), "'o' stands for nothing"),
    ],
)
def test_what_is_wrong_has_its_place(
    old: str, new: str, place: tuple[int, int], message: str, puzzle: Path, tmp_path: Path
) -> None:
    refused = running.run("solve", puzzle, "--level-file", game(tmp_path, old, new), "--level", "2", "--json").json
    told = refused["diagnostics"][0]
    assert refused["outcome"] == "invalid-input" and message in told["message"], told
    assert (told["line"], told["column"]) == place


def test_there_are_as_many_levels_as_maps(puzzle: Path, tmp_path: Path) -> None:
    assert running.run("solve", puzzle, "--level-file", game(tmp_path), "--level", "3").code == 31
    assert running.run("solve", puzzle, "--level-file", game(tmp_path, "LEVELS\n", "LEVEL\n")).code == 31
