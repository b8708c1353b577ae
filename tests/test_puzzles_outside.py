"""Level files as others wrote or pasted them, with values that others have shown; `--slow` solves all of them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from level_texts import built_in, level_of
from running import run

from puzzlewright.files.library import read_levels

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = ROOT.parent / "shared" / "data" / "outside"
REFUSED = "invalid-input"


def outside(name: str) -> Path:
    path = OUTSIDE / name
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return path


def solved(puzzle: str, file: Path, *words: str) -> tuple[str, Any]:
    """(outcome, cost), or the word for what is refused with the first message."""
    found = run("solve", puzzle, "--level-file", file, "--json", *words).json
    return found["outcome"], found["diagnostics"][0]["message"] if found["outcome"] == REFUSED else found["cost"]


# -- sliding tiles -----------------------------------------------------------------------------------------------------


def test_princeton_boards() -> None:
    """The tiles and the size of every file are those of its index."""
    for row in csv.DictReader(outside("princeton/index.csv").open(encoding="utf-8")):
        puzzle = built_in("n_puzzle", read_levels(OUTSIDE / "princeton" / row["file"]))
        assert puzzle.data["start"] == tuple(map(int, row["tiles"].split())), row["file"]
        assert (puzzle.data["rows"], puzzle.data["cols"]) == (int(row["n"]), int(row["n"]))


SMALL = {"2x2-05": 5, "03": 3, "04": 4, "06": 6, "3x3-30": 30, "3x3-unsolvable": None}
LARGE = {f"{moves:02}": moves for moves in (0, *range(8, 29, 2), 2)} | {"3x3-20": 20}
LARGE |= {f"4x4-{moves}": moves for moves in (10, 20, 30, 36, 45)}


@pytest.mark.parametrize(
    ("name", "moves"),
    [*SMALL.items(), *(pytest.param(*item, marks=pytest.mark.slow) for item in LARGE.items())],
)
def test_princeton_optima(name: str, moves: int | None) -> None:
    wanted = ("unsolvable", None) if moves is None else ("optimal", moves)
    assert solved("n_puzzle", outside(f"princeton/puzzle{name}.txt")) == wanted


# -- Sokoban -----------------------------------------------------------------------------------------------------------

TRAPS = {
    "boards_without_blank_lines": [("optimal", 1), ("optimal", 2)],
    "dashed_separators": [("optimal", 1), ("optimal", 2)],
    "interior_row_dash": [("optimal", 1)],
    "tab_indented": [("optimal", 1)],
    "wiki_unreachable_boxes_on_goals": [("optimal", 1)],
    "rle_nested_parentheses": [(REFUSED, "an open board: no wall keeps the keeper from leaving it here")],
}


@pytest.mark.parametrize("name", TRAPS)
def test_forms_of_sokoban_boards(name: str) -> None:
    path = outside(f"xsb_traps/{name}.xsb")
    assert [solved("sokoban", path, "--level", str(n)) for n in range(1, len(TRAPS[name]) + 1)] == TRAPS[name]
    missing = run("solve", "sokoban", "--level-file", path, "--level", str(len(TRAPS[name]) + 1), "--json").json
    assert missing["diagnostics"][0]["code"] == "E409"


COLLECTIONS = {"Novoban": (50, "Be ban 10"), "Numbers": (10, "Zero"), "microban": (155, "1")}


@pytest.mark.parametrize("name", COLLECTIONS)
def test_slc_collections(name: str) -> None:
    """Every level is whole, and has the letters of its rows."""
    text = read_levels(outside(f"slc/{name}.slc"))
    levels, title = COLLECTIONS[name]
    written = [part.partition("</Level>")[0] for part in text.split("<Level ")[1:]]
    assert len(written) == levels
    assert level_of(text, "xsb", title) == level_of(text, "xsb", "1")
    for number, level in enumerate(written, 1):
        board = level_of(text, "xsb", str(number))["board"]
        rows = [row.partition("</L>")[0] for row in level.split("<L>")[1:]]
        assert len(board) == len(rows)
        assert [[letter for letter in row if letter in "@+$*."] for row in board] == [
            [letter for letter in row if letter in "@+$*."] for row in rows
        ]


def test_slc_optima() -> None:
    """Levels of Microban in fewest moves, as from the collection's text."""
    path = outside("slc/microban.slc")
    assert [solved("sokoban", path, "--level", number) for number in ("2", "4")] == [("optimal", 16), ("optimal", 23)]


def test_a_board_of_pusher() -> None:
    """Letter by letter what the file has, where X is a wall and * a box."""
    text = read_levels(outside("begoon_maze4.txt"))
    rows = [line for line in text.split("\n") if "X" in line and ":" not in line]
    meaning = {"X": "#", "*": "$", "&": "*"}
    board = level_of(text, "xsb")["board"]
    assert len(board) == len(rows) == 13
    for row, line in zip(board, rows, strict=True):
        wanted = "".join(meaning.get(letter, letter) for letter in line)
        assert all(one == other or (one, other) == ("#", " ") for one, other in zip(row, wanted, strict=True))
    letters = "".join(board)
    assert [letters.count(letter) for letter in "@$.*"] == [1, 20, 20, 0]


# -- Rush Hour and Water Sort ------------------------------------------------------------------------------------------


def fewest_slides(board: list[str], target: str) -> int | None:
    """By a search over boards as texts: one car goes one place at a time, until the target touches the right edge."""
    width, start = len(board[0]), "".join(board)
    cars = {car: [p for p, letter in enumerate(start) if letter == car] for car in set(start) - {".", "x"}}
    ways = {car: places[1] - places[0] for car, places in cars.items()}
    layer, seen, steps = {start}, {start}, 0
    while layer:
        for text in layer:
            if text.rindex(target) % width == width - 1:
                return steps
        layer = {after for text in layer for after in slides(text, ways, width)} - seen
        seen |= layer
        steps += 1
    return None


def slides(text: str, ways: dict[str, int], width: int) -> list[str]:
    found = []
    for car, way in ways.items():
        first, last = text.index(car), text.rindex(car)
        for new, old in ((last + way, first), (first - way, last)):
            same_row = way != 1 or new // width == first // width
            if 0 <= new < len(text) and same_row and text[new] == ".":
                letters = list(text)
                letters[new], letters[old] = car, "."
                found.append("".join(letters))
    return found


@pytest.mark.parametrize(("name", "levels"), [("digits", 1), ("rows", 2)])
def test_rush_hour_boards(name: str, levels: int) -> None:
    """As the file's own rows say, through a search that shares nothing with this project."""
    path = outside(f"rush_hour/{name}.txt")
    boards = [part.split("\n")[-6:] for part in path.read_text().strip().split("\n\n")]
    for number, board in enumerate(boards, 1):
        plain = [row.replace("_", ".").replace("0", ".") for row in board]
        fewest = fewest_slides(plain, "1" if name == "digits" else "A")
        wanted = ("unsolvable", None) if fewest is None else ("optimal", fewest)
        assert solved("rush_hour", path, "--level", str(number)) == wanted
    assert len(boards) == levels


@pytest.mark.slow
def test_water_sort_as_it_is_pasted() -> None:
    path = outside("water_sort/pasted.json")
    asked = "are the units listed with the bottom or with the top first?"
    assert solved("water_sort", path) == (REFUSED, asked)
    for variant, tubes in (("bottom-first", ["1231", "2312", "3123"]), ("top-first", ["1321", "2132", "3213"])):
        found = level_of(path.read_text(), "tubes", format=f"tubes:{variant}")["board"]
        assert found == [*tubes, "", ""]
        assert solved("water_sort", path, "--level-format", f"tubes:{variant}") == ("optimal", 10)
