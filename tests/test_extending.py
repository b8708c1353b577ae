"""The recipes of `docs/architecture.md`, followed in a copy of the project: what they add is found there unasked."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from mutations import copy_project

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```py\n# (\S+?\.py)(?:, (below|in place of): ([^\n]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Change(NamedTuple):
    """A new file, or lines for one that is there."""

    file: str
    where: str  # below, in place of; empty: a new file
    place: str  # a text that stands there once
    text: str


def recipe() -> list[Change]:
    return [Change(*found.groups("")) for found in BLOCK.finditer((ROOT / "docs/architecture.md").read_text("utf-8"))]


def follow(change: Change, root: Path) -> None:
    path = root / change.file
    if not change.where:
        assert not path.exists()
        path.write_text(change.text, "utf-8")
        return
    old = path.read_text("utf-8")
    assert old.count(change.place) == 1, change
    new = change.text.rstrip("\n") if change.where == "in place of" else f"{change.place}\n{change.text.rstrip()}"
    path.write_text(old.replace(change.place, new), "utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("extended")
    copy_project(folder)
    for name in ("README.md", "pyproject.toml", "CONTRIBUTING.md"):
        (folder / name).write_text((ROOT / name).read_text("utf-8"), "utf-8")
    for change in recipe():
        follow(change, folder)
    yield folder


def python(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python in the copy, with its modules and a cache of its own."""
    settings = {**os.environ, "PYTHONPATH": str(root), "PUZZLEWRIGHT_CACHE": str(root / "cache")}
    return subprocess.run([sys.executable, *words], cwd=root, env=settings, capture_output=True, text=True, check=False)


def puzzlewright(root: Path, *words: str) -> str:
    done = python(root, "-m", "puzzlewright", *words)
    assert done.returncode in (0, 12), done.stderr
    return done.stdout


def test_each_recipe_takes_the_files_that_the_page_says() -> None:
    files = [[change.file for change in recipe()[first:last]] for first, last in ((0, 3), (3, 5), (5, 7), (7, 10))]
    assert [len(set(names)) for names in files] == [2, 2, 2, 2] and len(recipe()) == 10


def test_an_algorithm_is_found_unasked(copy: Path) -> None:
    told = puzzlewright(copy, "solve", "--help")
    assert "--sideways" in told and re.search(r"hill: steps in a row that do not come\s+closer", told)
    rows = json.loads(
        puzzlewright(copy, "compare", "n_puzzle", "--level", "easy-8", "--backends", "bfs,hill", "--json")
    )
    assert [row["backend"] for row in rows["rows"]] == ["bfs", "hill"]
    found = json.loads(
        puzzlewright(copy, "solve", "n_puzzle", "--level", "easy-8", "-b", "hill", "--sideways", "9", "--json")
    )
    assert (found["backend"], found["outcome"]) == ("hill", "solved") and found["length"] >= 3
    traced = puzzlewright(copy, "trace", "n_puzzle", "--level", "easy-8", "-b", "hill", "--sideways", "9")
    assert json.loads(traced.splitlines()[0])["f"] == "h"


def test_an_algorithm_is_tested_unasked(copy: Path) -> None:
    done = python(copy, "-m", "pytest", "-n", "0", "-k", "hill", "tests/test_search_algorithms.py")
    assert done.returncode == 0 and int(re.search(r"(\d+) passed", done.stdout)[1]) >= 5, done.stdout


def test_an_option_of_all_searches_is_found_unasked(copy: Path) -> None:
    told = re.sub(r"\s+", " ", puzzlewright(copy, "solve", "--help"))
    assert re.search(r"--patience \S+ all searches: successors and estimates before machine code takes over", told)
    found = json.loads(puzzlewright(copy, "solve", "n_puzzle", "--level", "easy-8", "--patience", "9000000", "--json"))
    assert found["outcome"] == "optimal"


def test_a_command_is_found_unasked(copy: Path) -> None:
    assert "hop" in puzzlewright(copy, "--help")
    assert "no hop at all" in puzzlewright(copy, "hop", "n_puzzle")


def test_a_kind_of_file_is_found_unasked(copy: Path) -> None:
    assert ".md" in puzzlewright(copy, "show", "--help")
    puzzlewright(copy, "show", "n_puzzle", "--out", "start.md")
    assert (copy / "start.md").read_text("utf-8").startswith("```\nstart")


def test_the_pages_have_to_name_what_is_added(copy: Path) -> None:
    done = python(copy, "-m", "pytest", "-n", "0", "-q", "tests/test_docs.py")
    missing = set(re.findall(r"^FAILED tests/test_docs\.py::(\S+)", done.stdout, re.MULTILINE))
    asked = {"test_algorithms_are_described_as_they_are[hill]", "test_backends_are_named[hill]"}
    assert asked | {"test_commands_are_named", "test_options_are_named"} <= missing


@pytest.mark.slow
def test_the_rules_of_the_house_hold_with_what_is_added(copy: Path) -> None:
    done = python(copy, "-m", "pytest", "-n", "0", "-q", "tests/test_architecture.py")
    assert done.returncode == 0, done.stdout
