"""`export`: what it writes, and what it refuses."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import documented
import pytest
import running

from puzzlewright.files.exporting.formats import TARGETS


def test_formats_are_named() -> None:
    text = documented.page("docs/exchange.md")
    assert [name for name, each in TARGETS.items() if f"| `{name}` | `{each.suffixes[0]}`" not in text] == []


def test_no_suffix_stands_for_two_formats() -> None:
    suffixes = [suffix for each in TARGETS.values() for suffix in each.suffixes]
    assert len(set(suffixes)) == len(suffixes)


def test_a_space_as_a_graph(tmp_path: Path) -> None:
    """Three disks have 27 states; each has three moves, but for the three with one peg: two."""
    words = ("hanoi", "--set", "disks=3", "--out", tmp_path / "hanoi.graphml", "--json")
    done = running.run("export", *words).json
    assert done["outcome"] == "valid" and done["export"]["format"] == "graphml"
    kinds = [each.tag.partition("}")[2] for each in ElementTree.parse(tmp_path / "hanoi.graphml").iter()]
    assert (kinds.count("node"), kinds.count("edge")) == (27, 3 * 24 + 2 * 3)
    assert "the graph of all 27 states: " in running.run("export", *words[:-1]).out


def test_a_format_by_its_name_or_by_that_of_the_file(tmp_path: Path) -> None:
    words = ("export", "hanoi", "--set", "disks=1")
    assert running.run(*words, "--out", tmp_path / "a.dot").code == 0
    assert running.run(*words, "--out", tmp_path / "a.txt", "--to", "dot").code == 0
    assert (tmp_path / "a.dot").read_text() == (tmp_path / "a.txt").read_text()
    refused = running.run(*words, "--out", tmp_path / "b.txt")
    assert refused.code == 2 and ".dot" in refused.err
    assert running.run(*words, "--out", tmp_path / "b.txt", "--to", "dto").code == 2
    assert not (tmp_path / "b.txt").exists()


@pytest.mark.parametrize(("words", "outcome"), [((), "unsupported"), (("--node-limit", 100), "node-limit")])
def test_a_space_that_is_no_graph(words: tuple[object, ...], outcome: str, tmp_path: Path) -> None:
    """The 15-puzzle has 10^13 states."""
    done = running.run("export", "n_puzzle", "--out", tmp_path / "n.dot", *words, "--json").json
    assert done["outcome"] == outcome and not (tmp_path / "n.dot").exists()


def test_several_levels_are_for_formats_that_have_them(tmp_path: Path) -> None:
    refused = running.run("export", "hanoi", "--out", tmp_path / "n.dot", "--levels", "*")
    assert refused.code == 2 and re.search("one level", refused.err)
