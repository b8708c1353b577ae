"""Puzzles and tasks on disk: the same as made anew, and never in the way."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest
from puzzle_files import load_file
from sampled import slow

from models.errors import PuzzleError
from models.grounding import ground
from models.interpreter import UNDEFINED
from models.loader import load_text
from puzzlewright.files import disk_cache
from puzzlewright.files.disk_cache import ground_puzzle, read_puzzle
from puzzlewright.files.library import built_in

ROOT = Path(__file__).parent.parent
COUNTER = "puzzle: counter\nstate: {n: 0 .. 3 = 0}\nactions: {up: {effect: {n: n + 1}}}\ngoal: n == 3\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", [slow(name) if at % 9 else name for at, name in enumerate(built_in())])
def test_what_comes_from_disk_is_what_was_made(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = built_in()[name].read_text(encoding="utf-8")
    made = read_puzzle(text, name, None, [], 0)
    task = ground_puzzle(made, ())
    assert task == ground(load_file(built_in()[name]), ())  # terms are equal only if they are one object
    monkeypatch.setattr("models.loader.load_text", None)
    monkeypatch.setattr("models.grounding.ground", None)
    kept = read_puzzle(text, name, None, [], 0)
    assert kept is not made and ground_puzzle(kept, ()) == task


def test_everything_that_matters_is_in_the_key(folder: Path) -> None:
    text = "data: {m: 3}\n" + COUNTER.replace("3", "m")
    first = read_puzzle(text, "a", None, [], 0)
    others = [read_puzzle(text + " ", "a", None, [], 0), read_puzzle(text, "b", None, [], 0),
              read_puzzle(text, "a", None, ["m=2"], 0), read_puzzle(text, "a", None, [], 1)]  # fmt: skip
    assert len(list(folder.glob("puzzle-*"))) == 5
    assert [len(other.variables[0].type.values) for other in (first, *others)] == [4, 4, 4, 3, 4]


def test_a_broken_file_is_replaced(folder: Path) -> None:
    read_puzzle(COUNTER, "a", None, [], 0)
    (file,) = folder.glob("puzzle-*")
    whole = file.read_bytes()
    for broken in (b"", whole[:50], b"\x80\x05N.", b"cmodels.puzzle\nNothing\n."):
        file.write_bytes(broken)
        assert read_puzzle(COUNTER, "a", None, [], 0).name == "counter"
        assert len(file.read_bytes()) == len(whole)


def test_a_wrong_puzzle_is_not_kept(folder: Path) -> None:
    for _ in range(2):
        with pytest.raises(PuzzleError):
            read_puzzle(COUNTER.replace("n == 3", "m == 3"), "a", None, [], 0)
    assert not list(folder.glob("puzzle-*"))


def test_what_levels_have_in_common_is_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not that of another text, or of one that has another name; what was damaged is read again."""
    levels = "data: {m: 3}\nlevels: {one: {m: 1}, two: {m: 2}}\n" + COUNTER.replace("3", "m")
    first = read_puzzle(levels, "a", "one", [], 0)
    disk_cache._document.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr("models.yaml_reader.read_yaml", None)
        second = read_puzzle(levels, "a", "two", [], 0)
    assert [len(each.variables[0].type.values) for each in (first, second)] == [2, 3]
    assert second.goal[0].location == load_text(levels, "a", "two").goal[0].location
    other = read_puzzle(levels.replace("two: {m: 2}", "two: {m: 4}"), "a", "two", [], 0)
    assert len(other.variables[0].type.values) == 5
    assert read_puzzle(levels, "b", "two", [], 0).goal[0].location.source == "b"
    for file in folder.glob("document-*"):
        file.write_bytes(file.read_bytes()[:40])
    disk_cache._document.cache_clear()
    assert len(read_puzzle(levels, "a", None, [], 1).variables[0].type.values) == 2


def test_a_new_level_of_known_rules_loads_no_library(folder: Path) -> None:
    """No YAML, no NumPy, no LLVM; the levels' optima are published."""
    code = """
import sys, atexit
from puzzlewright.__main__ import main
slow = ("yaml", "pydantic", "numpy", "llvmlite", "search.proofs.knowledge")
atexit.register(lambda: print([name for name in slow if name in sys.modules]))
sys.argv = ["puzzlewright", "solve", "n_puzzle", "--level", sys.argv[1], "--json"]
main()
"""
    for level, cost, loaded in (("hardest-8", 31, True), ("seed-8", 22, False)):
        done = subprocess.run([sys.executable, "-c", code, level], cwd=ROOT, capture_output=True, text=True, check=True)
        answer, libraries = done.stdout.splitlines()
        report = json.loads(answer)
        assert (report["outcome"], report["cost"]) == ("optimal", cost)
        assert ("yaml" in libraries) == loaded and (loaded or libraries == "[]")


def test_a_folder_that_cannot_be_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").write_text("")
    monkeypatch.setenv("PUZZLEWRIGHT_CACHE", str(folder / "file" / "sub"))
    assert read_puzzle(COUNTER, "a", None, [], 0).name == "counter"


def test_old_files_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "MOST_FILES", 3)
    for seed in range(6):
        read_puzzle(COUNTER, "a", None, [], seed)
    assert len(list(folder.glob("puzzle-*"))) == 3


def test_undefined_stays_one_object() -> None:
    assert copy.deepcopy(UNDEFINED) is UNDEFINED
    assert copy.copy(ground(load_text(COUNTER, "x.yaml")).goal) is ground(load_text(COUNTER, "x.yaml")).goal
