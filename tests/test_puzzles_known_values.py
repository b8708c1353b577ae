"""Every number of the shared known values of small state spaces, through the command line.

`explore` from a solved board has the distances of all boards in its layers, because every move can be taken back;
`solve` has the optimum of one board. What is published only and beyond a search is skipped by name. The stages of
Bloxorz are walked in `test_puzzles_bloxorz.py`. `--slow` runs all of it, `--durations` shows what each takes.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from running import run

ROOT = Path(__file__).resolve().parents[1]
VALUES = ROOT.parent / "shared" / "data" / "known_values.yaml"
KNOWN: dict[str, Any] = yaml.safe_load(VALUES.read_text(encoding="utf-8")) if VALUES.exists() else {}
MEMORY = ("--memory-limit", "6000")
COST, QUARTER = "    cost:", "    when: k != 2\n    cost:"  # in the cube's file: without half turns

pytestmark = pytest.mark.skipif(not KNOWN, reason=f"{VALUES} is not there")
slow = pytest.mark.slow


def beyond(reason: str) -> pytest.MarkDecorator:
    return pytest.mark.skip(reason=f"published only, beyond search: {reason}")


def marks(size: int, quick: int, beyond_search: dict[int, str] | None) -> list[pytest.MarkDecorator]:
    skipped = (beyond_search or {}).get(size)
    return [beyond(skipped)] if skipped else [slow] if size > quick else []


def cases(name: str, quick: int, beyond_search: dict[int, str] | None = None) -> list[Any]:
    """The (size, value) pairs of a table: the small sizes at once, the others with `--slow`."""
    table: Any = KNOWN
    for key in name.split("."):
        table = table.get(key, {})
    return [pytest.param(n, value, marks=marks(n, quick, beyond_search), id=f"{n}") for n, value in table.items()]


def rows(name: str, key: str, quick: int, beyond_search: dict[int, str] | None = None) -> list[Any]:
    """The rows of a list, by one of their figures, which tells how large they are."""
    table = KNOWN.get(name, ())
    return [pytest.param(r, marks=marks(r[key], quick, beyond_search), id=f"{key}={r[key]}") for r in table]


def asked(*words: str | Path) -> dict[str, Any]:
    """The answer of a command that must succeed."""
    done = run(*words, "--json")
    assert done.code == 0, done.err
    answer: dict[str, Any] = json.loads(done.out)
    return answer


def settings(**data: Any) -> list[str]:
    return [word for name, value in data.items() for word in ("--set", f"{name}={json.dumps(value)}")]


def space(puzzle: str | Path, *words: str, **data: Any) -> dict[str, Any]:
    """What `explore` says of the whole space."""
    figures: dict[str, Any] = asked("explore", puzzle, *words, *MEMORY, *settings(**data))["exploration"]
    assert figures["exhausted"]
    return figures


def optimum(puzzle: str, *words: str, **data: Any) -> int:
    answer = asked("solve", puzzle, *words, *settings(**data))
    assert answer["outcome"] == "optimal"
    cost: int = answer["cost"]
    return cost


def test_every_entry_is_asked_about() -> None:
    """A value that is added to the file is not passed over."""
    assert set(KNOWN) == {
        *("n_puzzle", "cube_2x2x2", "hanoi", "pancake", "lights_out", "peg_solitaire_english_33", "vehicles_reverse"),
        "bloxorz_total",  # test_puzzles_bloxorz.py
    }


# -- tiles, cube -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("n_puzzle", "states", 360, {math.factorial(16) // 2: "16!/2 boards"}))
def test_tiles(row: dict[str, Any]) -> None:
    tiles = row["rows"] * row["cols"]
    figures = space("n_puzzle", rows=row["rows"], cols=row["cols"], start=[*range(1, tiles), 0])
    layers = figures["layers"]
    assert (sum(layers), len(layers) - 1) == (row["states"], row["max"])
    assert layers[-1] == row.get("states_at_max", layers[-1])
    assert layers == row.get("by_depth", layers)
    mean = sum(depth * states for depth, states in enumerate(layers)) / sum(layers)
    assert mean == pytest.approx(row.get("mean", mean), abs=5e-5)


@slow
def test_tiles_are_as_far_from_the_goal_as_the_goal_is_from_them() -> None:
    """`hardest` goes against the moves: the same two boards, whatever the start."""
    row = next(row for row in KNOWN["n_puzzle"] if "by_depth" in row)
    hardest = space("n_puzzle", "--level", "hardest-8")["hardest"]
    assert (hardest["cost"], hardest["number"]) == (row["max"], row["states_at_max"])


@slow
@pytest.mark.parametrize("metric", ["half", "quarter"])
def test_cube(metric: str, tmp_path: Path) -> None:
    known = KNOWN["cube_2x2x2"]
    text = (ROOT / "puzzles" / "cube.yaml").read_text(encoding="utf-8")
    assert text.count(COST) == 1
    if metric == "quarter":
        text = text.replace(COST, QUARTER)
    path = tmp_path / "cube.yaml"
    path.write_text(text, encoding="utf-8")
    figures = space(path, "--level", "solved")
    assert figures["states"] == known["states"]
    assert figures["layers"] == known[f"{metric}_turn_metric"]["by_depth"]
    assert figures["eccentricity"] == known[f"{metric}_turn_metric"]["max"]


@slow
def test_cube_with_half_turns_of_two_quarters() -> None:
    """The metric `quarter` of the file as it is: the farthest positions by cost."""
    known = KNOWN["cube_2x2x2"]["quarter_turn_metric"]
    figures = space("cube", "--level", "solved", "--metric", "quarter")
    assert figures["farthest"]["cost"] == known["max"]
    assert (figures["hardest"]["cost"], figures["hardest"]["number"]) == (known["max"], known["by_depth"][-1])


# -- disks and pancakes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("disks", "moves"), cases("hanoi.three_pegs", 6))
def test_hanoi_with_three_pegs(disks: int, moves: int) -> None:
    assert optimum("hanoi", disks=disks, pegs=3) == moves


@pytest.mark.parametrize(("disks", "moves"), cases("hanoi.four_pegs", 5))
def test_hanoi_with_four_pegs(disks: int, moves: int) -> None:
    assert optimum("hanoi", disks=disks, pegs=4) == moves


def pancakes(n: int) -> dict[str, Any]:
    return space("pancake", n=n, start=list(range(n)))


@pytest.mark.parametrize(("n", "flips"), cases("pancake.plain_max", 6))
def test_worst_pancakes(n: int, flips: int) -> None:
    figures = pancakes(n)
    assert figures["states"] == math.factorial(n)
    assert figures["eccentricity"] == flips
    assert figures["layers"][-1] == KNOWN["pancake"]["plain_stacks_at_max"][n]


@pytest.mark.parametrize(
    ("n", "flips"), cases("pancake.plain_max_published", 8, {n: f"{n}! stacks" for n in range(12, 18)})
)
def test_worst_pancakes_as_published(n: int, flips: int) -> None:
    figures = pancakes(n)
    assert figures["states"] == math.factorial(n)
    assert figures["eccentricity"] == flips


@pytest.mark.parametrize(("n", "flips"), cases("pancake.burnt_max", 4))
def test_worst_burnt_pancakes(n: int, flips: int) -> None:
    figures = space("burnt_pancake", n=n, start=list(range(n)), burnt=[0] * n)
    assert figures["states"] == math.factorial(n) << n
    assert figures["eccentricity"] == flips


# -- lights ------------------------------------------------------------------------------------------------------------


def lights(n: int, letter: str) -> dict[str, Any]:
    return {"board": [letter * n] * n, "quiet": []}


@pytest.mark.parametrize("row", rows("lights_out", "n", 4, {6: "2^36 boards", 7: "2^49 boards"}))
def test_boards_of_lights(row: dict[str, Any]) -> None:
    """From the dark board: those that can be solved. The presses that change nothing are as many as what is missing."""
    n = row["n"]
    figures = space("lights_out", **lights(n, "."))
    assert figures["states"] == 1 << row["solvable_log2"]
    assert n * n - row["solvable_log2"] == row["quiet_log2"]
    assert figures["eccentricity"] == row["max_presses"]
    assert figures["layers"][-1] == row.get("boards_at_max", figures["layers"][-1])


@pytest.mark.parametrize("row", rows("lights_out", "n", 4))
def test_all_lights_on(row: dict[str, Any]) -> None:
    backend = ("--backend", "cpsat") if row["n"] > 5 else ()  # as many boards are beyond a search
    assert optimum("lights_out", *backend, **lights(row["n"], "*")) == row["all_on"]


@slow
@pytest.mark.parametrize("row", [row for row in rows("lights_out", "n", 0) if row.values[0]["n"] in (6, 7)])
def test_every_light_can_be_put_out_alone(row: dict[str, Any]) -> None:
    """So all boards can be solved, and no pattern is quiet. Lights that are mirrored ones are left out."""
    n = row["n"]
    assert (row["solvable_log2"], row["quiet_log2"]) == (n * n, 0)
    for lit in [(row, col) for row in range((n + 1) // 2) for col in range(row + 1)]:
        board = ["".join("*" if (row, col) == lit else "." for col in range(n)) for row in range(n)]
        assert optimum("lights_out", "--backend", "cpsat", board=board, quiet=[]) > 0


# -- pegs and vehicles -------------------------------------------------------------------------------------------------


@slow
def test_the_central_game_in_jumps() -> None:
    assert optimum("peg_solitaire", "--level", "central") == KNOWN["peg_solitaire_english_33"]["central_game"]["jumps"]


@slow
def test_the_central_game_in_moves() -> None:
    known = KNOWN["peg_solitaire_english_33"]["central_game"]["moves"]
    assert optimum("peg_solitaire", "--level", "central", "--metric", "moves", *MEMORY) == known


@slow
def test_positions_of_the_central_game_up_to_symmetry(tmp_path: Path) -> None:
    """With a goal that none of them meets, a search expands all positions, each for all its mirror images."""
    text = (ROOT / "puzzles" / "peg_solitaire.yaml").read_text(encoding="utf-8")
    path = tmp_path / "peg_solitaire.yaml"
    path.write_text(re.sub("^goal: .*", "goal: not any(peg[c] for c in cell)", text, flags=re.MULTILINE), "utf-8")
    done = run("solve", path, "--level", "central", "--backend", "bfs", "--no-invariants", *MEMORY, "--json")
    answer = json.loads(done.out)
    assert answer["outcome"] == "unsolvable"
    known = KNOWN["peg_solitaire_english_33"]["positions_by_moves_up_to_symmetry"]
    assert answer["statistics"]["expanded"] == known


@pytest.mark.parametrize("row", rows("vehicles_reverse", "n", 2))
def test_vehicles(row: dict[str, Any]) -> None:
    n = row["n"]
    assert optimum("vehicles", n=n) == row["steps"]
    if "reachable" in row:
        states = space("vehicles", n=n)["states"]
        assert states == row["reachable"] == math.perm(n * n, n)
