"""Puzzles for Python programs: levels by name and number, data of any form, what is known of other data, imports."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy
import pytest

import puzzlewright as pw
from models.values import Cell

ROOT = Path(__file__).parent.parent
START = [1, 2, 3, 4, 5, 6, 7, 0, 8]  # one step from the goal
ROOM = ["#####", "#@$.#", "#####"]


LINE = """format: 1
puzzle: line
state: {at: 0 .. 3 = 0}
actions: {up: {effect: {at: at + 1}}}
goal: at == 3
"""


def drawn() -> Iterator[int]:
    yield from START


@pytest.mark.parametrize("start", [tuple(START), START, numpy.array(START), numpy.array(START, dtype=numpy.int8),
                                   [numpy.int64(n) for n in START], drawn()])  # fmt: skip
def test_data_of_any_form(start: object) -> None:
    puzzle = pw.load("n_puzzle", data={"start": start})
    assert puzzle.data["start"] == tuple(START) and pw.solve(puzzle).cost == 1


def test_numbers_ranges_tables_and_places() -> None:
    assert pw.load("hanoi", data={"disks": numpy.int64(3)}).data["disks"] == 3
    assert pw.load("n_puzzle", data={"start": range(9), "cols": 3}).data["start"] == tuple(range(9))
    kinds = {1: (2, 1), 2: Cell(1, 1), 3: numpy.array([2, 2])}
    assert dict(pw.load("klotski", data={"kinds": kinds}).data["kinds"]) == dict(pw.load("klotski").data["kinds"])


@pytest.mark.parametrize("board", ["\n".join(ROOM), "\n".join(ROOM) + "\n", ROOM, tuple(ROOM), numpy.array(ROOM)])
def test_maps(board: object) -> None:
    assert pw.solve(pw.load("sokoban", data={"board": board})).cost == 1


def test_data_as_the_command_line_writes_them() -> None:
    assert pw.load("n_puzzle", start="1,2,3,4,5,6,7,0,8").data["start"] == tuple(START)
    assert pw.load("n_puzzle", start=START).data["start"] == tuple(START)
    assert pw.load("hanoi", disks=3).data["disks"] == 3


@pytest.mark.parametrize(("data", "words"), [
    ({"start": 1.5}, "the datum 'start': 1.5 is a float"),
    ({"start": [1, None]}, "the datum 'start': None is a NoneType"),
    ({"start": {1, 2}}, "is a set"),
    ({"start": {1.5: 1}}, "1.5 is a float"),
    ({"strat": [1]}, "there is no datum 'strat'"),
    ({"start": numpy.array([0.5])}, "0.5 is a float"),
    ({"start": [1, 2, 3]}, "the data break `require`"),
    ({"start": [2**60]}, "beyond 2.53"),
])  # fmt: skip
def test_data_that_are_none(data: dict[str, object], words: str) -> None:
    with pytest.raises(pw.PuzzleError, match=words):
        pw.load("n_puzzle", data=data)


def test_what_is_known_is_known_of_the_levels_own_data() -> None:
    assert pw.load("hanoi").known == {"optimal": 31, "states": 243}  # 2^5 - 1, 3^5
    assert pw.load("hanoi", data={"disks": 3}).known == pw.load("hanoi", disks=3).known == {}
    assert pw.load("hanoi", data={"disks": 5}).known == pw.load("hanoi").known
    assert pw.load("n_puzzle", "seed-8", data={"start": START}).known == {}
    assert pw.load("n_puzzle", "seed-8", scramble=5).known == {}
    assert pw.load("n_puzzle", "seed-8", seed=5).known == {"optimal": 22}


def test_levels_by_name_and_by_number(tmp_path: Path) -> None:
    assert pw.levels("n_puzzle")[:2] == ("seed-8", "two-by-two")
    assert [pw.load("n_puzzle", n).level for n in (0, 1, -1, numpy.int64(2))] == [
        "seed-8", "two-by-two", pw.levels("n_puzzle")[-1], "two-by-three"]  # fmt: skip
    with pytest.raises(pw.PuzzleError, match="there is no level number 99"):
        pw.load("n_puzzle", 99)
    with pytest.raises(pw.PuzzleError, match="there is no level 'sed-8'"):
        pw.load("n_puzzle", "sed-8")
    collection = tmp_path / "rooms.txt"
    collection.write_text("\n".join([*ROOM, "", "######", "#@ $.#", "######", ""]))
    assert pw.levels("sokoban", level_file=collection) == ("1", "2")
    assert [pw.solve(pw.load("sokoban", n, level_file=str(collection))).cost for n in (1, "2", 2)] == [1, 2, 2]
    with pytest.raises(pw.PuzzleError):
        pw.load("sokoban", 0, level_file=collection)


@pytest.mark.parametrize(("asked", "words"), [
    ({"level": 1.5}, "level: 1.5 is neither a name nor a whole number"),
    ({"data": [1]}, "data: .1. is no mapping"),
    ({"seed": "x"}, "seed: 'x' is no whole number"),
])  # fmt: skip
def test_what_load_refuses(asked: dict[str, object], words: str) -> None:
    with pytest.raises(pw.ConfigurationError, match=words):
        pw.load("n_puzzle", **asked)  # type: ignore[arg-type]


def test_a_file_without_levels(tmp_path: Path) -> None:
    file = tmp_path / "line.yaml"
    file.write_text(
        "format: 1\npuzzle: line\nstate: {at: 0 .. 3 = 0}\nactions: {up: {effect: {at: at + 1}}}\ngoal: at == 3\n"
    )
    assert pw.levels(file) == () and pw.solve(pw.load(file)).cost == 3
    with pytest.raises(pw.PuzzleError, match="there is no level number 0"):
        pw.load(file, 0)
    file.write_text(
        "format: 1\npuzzle: line\nstate: {at: 0 .. 3 = 5}\nactions: {up: {effect: {at: at + 1}}}\ngoal: at == 3\n"
    )
    with pytest.raises(pw.PuzzleError) as raised:
        pw.load(file)
    place = raised.value.diagnostics[0].location
    assert place is not None and (place.line, place.source) == (3, str(file))


def test_scrambles() -> None:
    one, same, other = (pw.load("n_puzzle", scramble=30, seed=seed) for seed in (1, 1, 2))
    assert pw.Space(one).start == pw.Space(same).start != pw.Space(other).start
    assert pw.solve(one).outcome == "optimal"
    with pytest.raises(pw.ConfigurationError, match="scramble: -1 is no number of steps"):
        pw.load("n_puzzle", scramble=-1)


def test_the_built_in_puzzles() -> None:
    assert "n_puzzle" in pw.puzzles() and set(pw.puzzles()) == {path.stem for path in (ROOT / "puzzles").glob("*.yaml")}


# -- the module --------------------------------------------------------------------------------------------------------


def test_all_names_are_there_and_no_module_takes_their_place() -> None:
    modules = {path.stem for path in (ROOT / "puzzlewright").iterdir()}
    assert not modules & set(pw.__all__) - {"puzzles"}
    for name in pw.__all__:
        assert getattr(pw, name).__doc__, name
    assert set(pw.__all__) <= set(dir(pw))
    with pytest.raises(AttributeError, match="has no attribute 'slove'"):
        pw.slove  # noqa: B018


def test_importing_loads_nothing_slow() -> None:
    slow = (
        "numpy",
        "numba",
        "llvmlite",
        "ortools",
        "pydantic",
        "yaml",
        "typer",
        "networkx",
        "matplotlib",
        "models",
        "search",
    )
    code = f"import sys, puzzlewright; print([name for name in {slow} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_no_exception_is_frozen() -> None:
    """`contextlib` writes to exceptions that pass through it."""
    code = (
        "import sys, puzzlewright as pw, puzzlewright.cli, puzzlewright.certificates.verifying_bundles\n"
        "import search.kernels.driver, encoders.horizons\n"
        "[getattr(pw, name) for name in pw.__all__]\n"
        "found, todo = set(), [BaseException]\n"
        "while todo:\n"
        "    for each in todo.pop().__subclasses__():\n"
        "        found.add(each); todo.append(each)\n"
        "ours = [e for e in found if e.__module__.split('.')[0] in ('models', 'search', 'encoders', 'puzzlewright')]\n"
        "print(len(ours) > 8, [e for e in ours if getattr(getattr(e, '__dataclass_params__', None), 'frozen', False)])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "True []"
