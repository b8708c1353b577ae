"""Games of `oracles_games`: values that others have published, levels of others, and boards that are drawn here."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from oracles_games import GAMES
from oracles_puzzles import Game, explored
from puzzle_files import load
from running import run
from sampled import seeds, slow

from models.grounding import ground
from models.outcomes import Limits, Outcome
from models.puzzle import Puzzle
from puzzlewright.solving.proving import prove
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from search.machine import Machine
from search.spaces.machine_space import count_states

OUTSIDE = Path(__file__).resolve().parents[2] / "shared" / "data" / "outside"
Rows = list[str]


def outside(name: str) -> str:
    path = OUTSIDE / name
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return path.read_text(encoding="utf-8")


def board(name: str, rows: Rows, **others: Any) -> Puzzle:
    """The puzzle with this board, and perhaps other data."""
    return load(name, None, *(f"{key}={json.dumps(value)}" for key, value in {"board": rows, **others}.items()))


def cost(puzzle: Puzzle) -> int | None:
    report = solve(puzzle, Request())
    assert report.outcome in (Outcome.OPTIMAL, Outcome.UNSOLVABLE)
    return report.cost


# -- published values --------------------------------------------------------------------------------------------------

PANEX = [  # OEIS A109224 and A109175
    *((n, "swap", moves) for n, moves in enumerate([3, 13, 42], 1)),
    *((n, "centre", moves) for n, moves in enumerate([1, 3, 9], 1)),
    *(slow(*case) for case in ((4, "centre", 24), (5, "centre", 58), (4, "swap", 128), (5, "swap", 343))),
]


@pytest.mark.parametrize(("n", "aim", "moves"), PANEX)
def test_panex_takes_the_published_number_of_moves(n: int, aim: str, moves: int) -> None:
    assert cost(load("panex", None, f"n={n}", f"aim={aim}")) == moves


SIDES = {"N": (-1, 0), "S": (1, 0), "W": (0, -1), "E": (0, 1)}


def maze(number: int) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in json.loads(outside("theseus_mazes.json")) if each["maze"] == number)
    return found


def drawn(found: dict[str, Any]) -> Rows:
    """A maze as the puzzle's map; a wall that only one of two rooms has is a wall."""
    rows, cols = found["rows"], found["cols"]
    letters = {(y, x): " " if y % 2 and x % 2 else "E" for y in range(2 * rows + 1) for x in range(2 * cols + 1)}
    letters |= {(y, x): " " for y, x in letters if 0 < y < 2 * rows and 0 < x < 2 * cols}
    letters |= {(y, x): "#" for y, x in letters if y % 2 == x % 2 == 0}
    for y, row in enumerate(found["walls"]):
        for x, walls in enumerate(row):
            letters |= {(2 * y + 1 + SIDES[side][0], 2 * x + 1 + SIDES[side][1]): "#" for side in walls}
    for letter in ("theseus", "minotaur"):
        x, y = found[f"{letter}_xy"]
        letters[2 * y + 1, 2 * x + 1] = letter[0].upper()
    return ["".join(letters[y, x] for x in range(2 * cols + 1)) for y in range(2 * rows + 1)]


@pytest.mark.parametrize("number", [1, 2, *(slow(number) for number in range(3, 11))])
def test_a_maze_of_others_takes_the_known_number_of_turns(number: int) -> None:
    found = maze(number)
    assert cost(board("theseus", drawn(found))) == found["optimal_moves_symmetric_walls"]


LOCKOUT = ("1", "2", "39", "40", "_1", "_2", "_3", "_4", "_5", "_6", "_7", "_8", "_9", "_10")


@pytest.mark.parametrize("number", [slow(number) if number != "40" else number for number in LOCKOUT])
def test_a_lockout_of_others_takes_the_known_number_of_moves(number: str) -> None:
    name = f"challenge{number}.txt"
    rows = [
        line.ljust(5).translate(str.maketrans(" 123456", "-rogypb"))
        for line in outside(f"lunar_lockout/{name}").split("\n")
    ]
    table = csv.reader(outside("lunar_lockout/optimal_computed.csv").splitlines())
    moves = next(int(row[2]) for row in table if row[0] == name)
    assert cost(board("lunar_lockout", [*rows, *["-----"] * 5][:5])) == moves


@pytest.mark.slow
def test_both_paths_flood_a_published_board() -> None:
    """The upper left of a board of 12 x 12."""
    boards = {each["name"]: each["board"] for each in json.loads(outside("flood_it/boards.json"))}
    report = prove(board("flood_it", [row[:6] for row in boards["12_12_06_001"][:6]]), Request())
    assert (report.outcome, report.cost, report.proven_by) == (Outcome.OPTIMAL, 10, ("search", "cpsat"))


@pytest.mark.slow
@pytest.mark.parametrize("level", ["level05", "level14", "level15"])
def test_a_level_of_another_snakebird_takes_the_known_number_of_steps(level: str) -> None:
    found = yaml.load(outside("forms/snakebird.yaml"), yaml.BaseLoader)["levels"][level]
    letters = {name: word for name, word in zip("RBG", ("123456789", "abcdefghi", "mnopqrstu"), strict=True)}
    rows = [list(row) for row in found["board"]]
    fruit = sum(row.count("F") for row in rows)
    for name, cells in found["things"].items():
        for (y, x), letter in zip(cells, letters[name], strict=False):
            rows[int(y)][int(x)] = letter
    bodies = {name: letters[name][: len(cells) + fruit] for name, cells in found["things"].items()}
    assert cost(board("snakebird", ["".join(row) for row in rows], bodies=bodies)) == int(found["known"]["optimal"])


# -- what can be counted -----------------------------------------------------------------------------------------------


def solutions(game: Game) -> int:
    """The ways to goal states; each step leads one layer on."""
    layer, number = Counter([game.start]), 0
    while layer:
        number += sum(ways for state, ways in layer.items() if game.is_goal(state))
        following: Counter[Any] = Counter()
        for state, ways in layer.items():
            for after, _ in game.successors(state):
                following[after] += ways
        layer = following
    return number


LINES = [["A..", "...", "..A"], ["A..B", "....", "A..B"], ["..A.B", ".AC..", ".D...", "D....", "C...B"]]


@pytest.mark.parametrize("rows", LINES)
def test_a_board_of_lines_has_as_many_solutions_as_plans(rows: Rows) -> None:
    """Each line is drawn from its first end, so a plan is a picture."""
    data = {"board": rows, "fill": True}
    counted = run("solve", "flow", "--set", f"board={json.dumps(rows)}", "--count", "--json").json["optimal_plans"]
    assert counted == solutions(GAMES["flow"](data, "cost")) > 0


# -- boards that are drawn ---------------------------------------------------------------------------------------------


def scattered(rng: random.Random, rows: int, cols: int, things: list[Any], empty: Any = ".") -> list[list[Any]]:
    """These things at places of a board that is empty else."""
    places = [*things, *[empty] * (rows * cols - len(things))]
    rng.shuffle(places)
    return [places[cols * row : cols * (row + 1)] for row in range(rows)]


def joined(board: list[list[str]], border: str = "") -> Rows:
    rows = ["".join(row) for row in board]
    wall = border * (len(rows[0]) + 2)
    return [wall, *(f"{border}{row}{border}" for row in rows), wall] if border else rows


def some(rng: random.Random, **most: int) -> list[str]:
    """Letters, each at least once and at most so often."""
    return [letter for letter, number in most.items() for _ in range(rng.randint(1, number))]


def flood(rng: random.Random) -> dict[str, Any]:
    return {"board": ["".join(rng.choice("ABC") for _ in range(4)) for _ in range(3)]}


def labyrinth(rng: random.Random) -> dict[str, Any]:
    rows, cols = rng.choice([(3, 4), (4, 3), (4, 4)])
    spots = [["#" if y % 2 == x % 2 == 0 or (y % 2 == 0 or x % 2 == 0) and rng.random() < 0.35 else " "
              for x in range(2 * cols + 1)] for y in range(2 * rows + 1)]  # fmt: skip
    for y, row in enumerate(spots):
        row[0] = row[-1] = "#"
        spots[y] = row if 0 < y < 2 * rows else ["#"] * len(row)
    (a, b), (c, d) = rng.sample([(y, x) for y in range(rows) for x in range(cols)], 2)
    spots[2 * a + 1][2 * b + 1], spots[2 * c + 1][2 * d + 1] = "T", "M"
    spots[2 * rng.randrange(rows) + 1][rng.choice([0, -1])] = "E"
    return {"board": joined(spots)}


def lockout(rng: random.Random) -> dict[str, Any]:
    return {"board": joined(scattered(rng, 5, 5, [*"rogyp"], "-"))}


def molecule(rng: random.Random) -> dict[str, Any]:
    while True:
        rows = joined(
            scattered(rng, 4, 4, [*rng.choice(["oHH", "nHHH", "hOH", "hHNH", "oHHO"]), *some(rng, **{"#": 4})])
        )
        atoms = [(y, x) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter not in ".#"]
        if all(abs(a - c) + abs(b - d) != 1 for a, b in atoms for c, d in atoms):
            return {"board": rows}


def sentences(rng: random.Random) -> dict[str, Any]:
    words = ["IS", "WIN", "FLAG", *rng.choice([["ROCK"], ["PUSH"], ["STOP"], ["ROCK", "IS"]])]
    rest = scattered(rng, 3, 4, [*words, "baba", "flag", "rock", "rock"])
    rule = rng.choice([["ROCK", "IS", "PUSH", "."], ["ROCK", "IS", "STOP", "."], ["BABA", "IS", "STOP", "rock"]])
    return {"board": [["BABA", "IS", "YOU", "."], *rest, rule]}


def balls(rng: random.Random) -> dict[str, Any]:
    three = rng.choices("123", (3, 2, 1), k=3)
    return {"board": joined(scattered(rng, 4, 3, [*three, "@", *some(rng, **{".": 4, "#": 1})], " "), "#")}


def hell(rng: random.Random) -> dict[str, Any]:
    return {
        "board": joined(
            scattered(rng, 4, 4, ["@", "D", *some(rng, **{"s": 2, "o": 2, "^": 4, "k": 1, "L": 1, "#": 3})])
        )
    }


def birds(rng: random.Random) -> dict[str, Any]:
    """Two birds of two parts, one of which may be a crate."""
    while True:
        board = scattered(rng, 3, 5, ["E", "F", *some(rng, **{"#": 3, "^": 1})])
        pairs = [((y, x), (y, x + 1)) for y in range(3) for x in range(4) if board[y][x] == board[y][x + 1] == "."]
        if len(pairs) > 1:
            for letters, pair in zip(("12", "ba"), rng.sample(pairs, 2), strict=True):
                for letter, (y, x) in zip(letters, pair, strict=True):
                    board[y][x] = letter
            ground = ["".join(rng.choice("##^.") for _ in range(5))]
            if sorted(letter for row in board for letter in row if letter in "12ab") == ["1", "2", "a", "b"]:
                crates = rng.choice([[], ["blue"]])
                bodies = {"red": "123", "blue": "ab" if crates else "abc"}
                return {"board": [*joined(board), *ground], "bodies": bodies, "crates": crates}


DRAWN: dict[str, Callable[[random.Random], dict[str, Any]]] = {
    "flood_it": flood, "theseus": labyrinth, "lunar_lockout": lockout, "sokobond": molecule, "words": sentences,
    "snowman": balls, "helltaker": hell, "snakebird": birds,
}  # fmt: skip


@pytest.mark.parametrize("seed", seeds(0, 12))
@pytest.mark.parametrize("name", DRAWN)
def test_a_board_that_is_drawn_has_the_values_of_a_plain_search(name: str, seed: int) -> None:
    puzzle = load(
        name, None, *(f"{key}={json.dumps(value)}" for key, value in DRAWN[name](random.Random(seed)).items())
    )
    for metric in puzzle.metrics:
        assert solve(puzzle, Request(metrics=(metric,))).cost == explored(GAMES[name](puzzle.data, metric))[0]
    assert count_states(Machine(ground(puzzle)), Limits()) == explored(GAMES[name](puzzle.data, puzzle.metrics[0]))[1]
