"""W505: `a != b` is false where a side is undefined; told where nothing else keeps the action from applying there."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import run

from puzzlewright.analysis import verifying

DOOR = """
puzzle: door
types:
  cell: grid(2, 2)
state:
  me: cell = [0, 0]
  him: cell = [1, 1]
  out: bool = false
actions:
  walk:
    params: {m: direction}
    when: CONDITION
    effect: EFFECT
goal: out
"""
LEAVES = "{me: 'me + m if me + m in cell else me', out: 'not (me + m in cell)'}"
STAYS = "{me: me + m}"


@pytest.fixture(autouse=True)
def time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "EDGE_SECONDS", 120.0)


@pytest.mark.parametrize(("condition", "effect", "told"), [
    ("not out and me + m != him", LEAVES, "me + m != him"),
    ("me + m != him", LEAVES, "me + m != him"),
    ("not (me + m == him)", LEAVES, None),  # holds off the board
    ("me + m != him", STAYS, None),  # its value is undefined there, so nothing is lost
    ("me + m in cell and me + m != him", LEAVES, None),  # said by another condition
    ("me != him", LEAVES, None),  # always defined
])  # fmt: skip
def test_a_condition_that_fails_at_the_edge(condition: str, effect: str, told: str | None, tmp_path: Path) -> None:
    path = tmp_path / "door.yaml"
    path.write_text(DOOR.replace("CONDITION", condition).replace("EFFECT", effect))
    found = [each for each in run("check", path, "--json").json["diagnostics"] if each["code"] == "W505"]
    assert [each["message"].split("`")[1] for each in found] == ([told] if told else [])
    if told:
        assert found[0]["hint"] == "if it shall apply there write `not (me + m == him)`" and found[0]["line"] == 12


def test_what_it_warns_of_makes_a_level_unsolvable(tmp_path: Path) -> None:
    path = tmp_path / "door.yaml"
    text = DOOR.replace("EFFECT", LEAVES)
    path.write_text(text.replace("CONDITION", "me + m != him"))
    assert run("solve", path, "--json").json["outcome"] == "unsolvable"
    path.write_text(text.replace("CONDITION", "not (me + m == him)"))
    assert run("solve", path, "--json").json["cost"] == 1
