"""The world's published levels, in the forms in which the world writes them, through the command line.

Every number that the shared data give is held against the rows of `levels`: the optimum in each metric and in both
orders of two, the states, that there is no solution. Bloxorz stages need a puzzle file, so there `known` holds the
numbers; their published solutions are judged by `verify`. `--slow` runs all levels, `-s` shows what they take.
"""

from __future__ import annotations

import csv
import json
import shlex
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from bloxorz_stages import OPTIMAL_SUM, as_level
from running import run

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
MICROBAN = 110  # levels of which both optima must be right; the rest may reach a limit
WAYS = {"U": "up", "D": "down", "L": "left", "R": "right"}
Row = dict[str, Any]


@dataclass(frozen=True)
class Batch:
    """One run of `levels`: its words, and figures of the row of each level that has known ones."""

    words: tuple[str | Path, ...]
    known: Mapping[str, Row]


@cache
def shared(file: str) -> Any:
    path = SHARED / file
    if not path.exists():
        pytest.skip(f"{path} is not there")
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".csv":
        return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    if path.suffix == ".txt":
        return text
    return yaml.safe_load(text) if path.suffix == ".yaml" else json.loads(text)


def rows_of(batch: Batch, chosen: Collection[str]) -> dict[str, Row]:
    """The rows of the chosen levels by their names."""
    names = [word for level in chosen for word in ("--level", level)]
    return {row["level"]: row for row in run("levels", *batch.words, *names, "--json").json["rows"]}


def hold(batch: Batch, levels: Collection[str]) -> None:
    """Each of the levels has its known figures."""
    known = {level: batch.known[level] for level in levels}
    rows = rows_of(batch, levels)
    assert {level: {figure: rows[level][figure] for figure in known[level]} for level in rows} == known


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def with_levels(folder: Path, name: str, levels: Mapping[str, Row]) -> Path:
    """A puzzle file with these levels instead of its own."""
    model, _, _ = (ROOT / "puzzles" / f"{name}.yaml").read_text(encoding="utf-8").partition("\nlevels:")
    return written(folder / f"{name}.yaml", f"{model}\nlevels: {json.dumps(levels)}\n")


def optimal(cost: Any, **figures: Any) -> Row:
    return {"outcome": "optimal", "optima": cost if isinstance(cost, dict) else {"cost": cost}, **figures}


# -- the collections ---------------------------------------------------------------------------------------------------


def bloxorz(folder: Path) -> list[Batch]:
    stages = {str(stage["id"]): stage for stage in shared("bloxorz_levels.yaml")["levels"]}
    levels = {n: as_level(stage) | {"known": {"optimal": stage["optimal_moves"]}} for n, stage in stages.items()}
    known = {number: optimal(stage["optimal_moves"], held=["optimal"]) for number, stage in stages.items()}
    return [Batch((with_levels(folder, "bloxorz", levels),), known)]


def klotski(folder: Path) -> list[Batch]:
    """Rows of letters with a title above them; a level without lengths has no solution."""
    layouts = shared("klotski_hrd_classic.json")["layouts"]
    text = "\n".join("\n".join((f"; {each['name']}", *each["rows"], "")) for each in layouts)
    known = {}
    for number, each in enumerate(layouts, 1):
        optima = {metric: each[metric] for metric in ("steps", "slides", "moves")}
        outcome = "unsolvable" if each["moves"] is None else "optimal"
        known[str(number)] = {"outcome": outcome, "optima": optima, "states": each["states"]}
    return [Batch(("klotski", "--level-file", written(folder / "layouts.txt", text)), known)]


def klotski_steps(folder: Path) -> list[Batch]:
    """The large collection, one line a level: every tenth of its 526 boards, in steps."""
    boards = shared("klotski_hrd_all.csv")[::10]
    path = written(folder / "boards.txt", "\n".join(row["board"] for row in boards))
    known = {str(number): optimal({"steps": int(row["steps"])}) for number, row in enumerate(boards, 1)}
    return [Batch(("klotski", "--level-file", path, "--metric", "steps", "--optima"), known)]


def rush_hour(folder: Path) -> list[Batch]:
    """Lines as of the published database, `moves board states`; a reach of 1 counts steps, one of 5 any slide."""
    boards = shared("rush_hour.json")["boards"]
    path = written(folder / "rush.txt", "\n".join(f"{b['moves']} {b['board']} {b['states']}" for b in boards))
    return [
        Batch(
            ("rush_hour", "--level-file", path, "--set", f"reach={reach}"),
            {str(number): optimal(board[metric], states=board["states"]) for number, board in enumerate(boards, 1)},
        )
        for metric, reach in (("steps", 1), ("moves", 5))
    ]


def polyomino(folder: Path) -> list[Batch]:
    """Klotski, Pennant and Ma as boards with blocks that are wanted somewhere."""
    levels = {}
    for puzzle in shared("sliding_polyomino.yaml")["puzzles"]:
        want = [["."] * len(row) for row in puzzle["rows"]]
        for block, cells in puzzle["goal"].items():
            for row, column in cells:
                want[row][column] = block
        optima = {metric: puzzle[metric] for metric in ("steps", "slides", "moves")}
        known = {"optimal": optima, "states": puzzle["states"]}
        name = puzzle["name"].split("'")[0].split()[0].lower()
        levels[name] = {"board": puzzle["rows"], "want": ["".join(row) for row in want], "known": known}
    held = ["optimal steps", "optimal slides", "optimal moves", "states"]
    known = {name: optimal(each["known"]["optimal"], states=each["known"]["states"], held=held)
             for name, each in levels.items()}  # fmt: skip
    return [Batch((with_levels(folder, "ma", levels),), known)]


def water_sort(folder: Path) -> list[Batch]:
    """Words in a line, an underscore for an empty tube; a batch for each capacity."""
    levels, batches = shared("water_sort.json")["levels"], []
    for capacity in sorted({level["capacity"] for level in levels}):
        some = [level for level in levels if level["capacity"] == capacity]
        lines = "\n".join(f"; {level['id']}\n{' '.join(tube or '_' for tube in level['tubes'])}" for level in some)
        path = written(folder / f"tubes-{capacity}.txt", lines)
        known = {str(number): optimal(level["optimal_pours"]) for number, level in enumerate(some, 1)}
        batches.append(Batch(("water_sort", "--level-file", path, "--set", f"capacity={capacity}", "--optima"), known))
    return batches


def microban(folder: Path) -> list[Batch]:
    """The levels with known optima, all in one file, so that their numbers are those of the collection."""
    levels = shared("sokoban_microban.json")["levels"]
    text = "\n\n".join("\n".join((f"; {level['n']}", *level["rows"])) for level in levels)
    words = ("sokoban", "--level-file", written(folder / "microban.xsb", text), "--optima", "--time-limit", "120")
    moves, pushes = {}, {}
    for level in levels:
        if "min_moves" in level:
            moves[str(level["n"])] = {"moves,pushes": [level["min_moves"], level["pushes_then"]]}
        if "min_pushes" in level:
            pushes[str(level["n"])] = {"pushes,moves": [level["min_pushes"], level["moves_then"]]}
    both = {number: optimal(moves[number] | order) for number, order in pushes.items()}
    one = {number: optimal(order) for number, order in moves.items() if number not in pushes}
    return [
        Batch((*words, "--metric", "moves,pushes", "--metric", "pushes,moves"), both),
        Batch((*words, "--metric", "moves,pushes"), one),
    ]


def lights_out(folder: Path) -> list[Batch]:
    """Boards of 5 x 5 from elsewhere; a level without a number of presses has no solution."""
    levels = shared("outside/lights_out_331.yaml")["levels"]
    known = {name: optimal(level["known"]["optimal"]) if "optimal" in level["known"] else {"outcome": "unsolvable"}
             for name, level in levels.items()}  # fmt: skip
    return [Batch((with_levels(folder, "lights_out", levels), "--optima"), known)]


FREECELL = [optimal(16), {"outcome": "unsolvable"}, optimal(28), {"outcome": "unsolvable"}, {"outcome": "unsolvable"}]


def freecell(folder: Path) -> list[Batch]:
    """Decks of the tests of Solvitaire, and deal 11982 of Microsoft's FreeCell, as words for the command line."""
    lines = [shlex.split(line) for line in shared("outside/freecell_decks.txt").splitlines() if line[:5] == "solve"]
    settings = [dict(word.split("=", 1) for word in words[2:] if word != "--set") for words in lines]
    levels = {str(n): {name: yaml.safe_load(value) for name, value in each.items()} for n, each in enumerate(settings)}
    return [Batch((with_levels(folder, "freecell", levels), "--optima"), dict(zip(levels, FREECELL, strict=True)))]


# -- the tests ---------------------------------------------------------------------------------------------------------

Make = Callable[[Path], list[Batch]]
QUICK: dict[Make, Collection[str]] = {  # of each batch
    bloxorz: ("8", "11"),
    klotski: ("43", "46"),
    rush_hour: ("3",),
    water_sort: ("2",),
    microban: ("1", "2"),
    lights_out: ("orig-2", "gen-7", "unsolvable-1"),
    freecell: ("1", "2", "3"),
}
NUMBERS = {bloxorz: 33, klotski: 46, klotski_steps: 53, rush_hour: 2 * 68, polyomino: 3, water_sort: 13,
           lights_out: 331, freecell: 5}  # fmt: skip


SOME = [
    pytest.param(make, marks=pytest.mark.slow) if make in (klotski, freecell, water_sort, lights_out) else make
    for make in QUICK
]


@pytest.mark.parametrize("make", SOME, ids=lambda make: make.__name__)
def test_some_levels(make: Make, tmp_path: Path) -> None:
    for batch in make(tmp_path):
        if set(QUICK[make]) <= set(batch.known):
            hold(batch, QUICK[make])


@pytest.mark.slow
@pytest.mark.parametrize("make", NUMBERS, ids=lambda make: make.__name__)
def test_all_levels(make: Make, tmp_path: Path) -> None:
    began, batches = time.monotonic(), make(tmp_path)
    assert sum(len(batch.known) for batch in batches) == NUMBERS[make]
    for batch in batches:
        hold(batch, batch.known)
    print(f"\n{make.__name__}: {NUMBERS[make]} rows in {time.monotonic() - began:.0f} s")


@pytest.mark.slow
def test_microban(tmp_path: Path) -> None:
    """Whatever has an answer has the right one; a few levels may have none within their time."""
    began, right, open_levels = time.monotonic(), 0, []
    for batch in microban(tmp_path):
        for level, row in rows_of(batch, batch.known).items():
            known = batch.known[level]
            for order, cost in row["optima"].items():
                assert cost in (None, known["optima"][order]), (level, order)
            assert (row["outcome"] == "optimal") == (None not in row["optima"].values())
            right += row["outcome"] == "optimal" and len(row["optima"]) == 2
            open_levels += [f"{level} ({row['outcome']})"] * (row["outcome"] != "optimal")
    assert right >= MICROBAN
    print(f"\nmicroban: {right} levels right in {time.monotonic() - began:.0f} s; without an answer: {open_levels}")


def stage_holds(folder: Path, file: Path, stage: Row) -> None:
    """The published solution leads to the goal; that search had seen all layers before it, and a part of its own."""
    least, number = stage["optimal_moves"], stage["id"]
    halves = [("two" if roll.startswith("b:") else "one", WAYS[roll[-1]]) for roll in stage["solution"].split()]
    lines = "\n".join(f"(roll {half} {way})" for half, way in halves)
    judged = run("verify", file, written(folder / f"{number}.plan", lines), "--level", str(number), "--json").json
    assert (judged["outcome"], judged["cost"], judged["length"]) == ("valid", least, least)
    layers = run("explore", file, "--level", str(number), "--show", "0", "--json").json["exploration"]["layers"]
    assert sum(layers[:least]) < stage["states"] <= sum(layers[: least + 1])


@pytest.mark.parametrize("numbers", [(11,), pytest.param(range(1, 34), marks=pytest.mark.slow)], ids=["one", "all"])
def test_bloxorz_stages_have_published_solutions_and_layers(numbers: Collection[int], tmp_path: Path) -> None:
    began, (batch,) = time.monotonic(), bloxorz(tmp_path)
    stages = [stage for stage in shared("bloxorz_levels.yaml")["levels"] if stage["id"] in numbers]
    for stage in stages:
        stage_holds(tmp_path, Path(batch.words[0]), stage)
    assert len(numbers) < 33 or sum(stage["optimal_moves"] for stage in stages) == OPTIMAL_SUM
    print(f"\nbloxorz: {len(stages)} solutions and spaces in {time.monotonic() - began:.0f} s")
