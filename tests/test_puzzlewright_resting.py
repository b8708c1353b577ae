"""W506 and W507: moves that are lost because a phase has too few rounds, or never comes to rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import run

from models.limits import UNTIL_REST
from puzzlewright.analysis import resting

FALLING = """
puzzle: falling
types: {level: 0 .. 4}
state: {height: level = 1, gate: bool = true}
actions:
  climb:
    when: height < 4
    effect: {height: height + 1}
  fall:
    when: WHEN
    effect: {}
    then: {repeat: ROUNDS, height: LINE}
always: ALWAYS
goal: height == 3
"""
DOWN = "height - 1 if height > 0"
REST = "a phase of `fall` does not come to rest in time"


@pytest.fixture(autouse=True)
def time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resting, "REST_SECONDS", 120.0)


@pytest.mark.parametrize(("rounds", "line", "when", "always", "told"), [
    ("4", DOWN, "gate", "gate", []),  # enough from everywhere
    ("3", DOWN, "gate", "gate", [("W506", "`repeat: 3` is too few for a phase of `fall`", "fall after 3 steps: the")]),
    ("1", DOWN, "gate", "gate", [("W506", "`repeat: 1` is too few for a phase of `fall`", "fall after 1 step: the")]),
    ("3", DOWN, "height < 4", "gate", []),  # said in `when`
    ("3", DOWN, "gate", "height > 0 or not gate", []),  # lost anyway
    ("3", "4 - height", "gate", "gate", []),  # with more rounds too, but from 2
    ("stable", DOWN, "gate", "gate", []),
    ("stable", "4 - height", "gate", "gate",
     [("W507", REST, "fall at the start: the phase never comes to rest: it comes")]),
])  # fmt: skip
def test_moves_that_rounds_lose(
    rounds: str, line: str, when: str, always: str, told: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "falling.yaml"
    text = FALLING.replace("ROUNDS", rounds).replace("LINE", line).replace("WHEN", when).replace("ALWAYS", always)
    path.write_text(text)
    found = [each for each in run("check", path, "--json").json["diagnostics"] if each["code"] in ("W506", "W507")]
    assert len(found) == len(told)
    for each, (code, message, hint) in zip(found, told, strict=True):
        assert each["code"] == code and each["line"] == 12
        assert each["message"].startswith(message) and "in a state that can be reached" in each["message"]
        assert each["hint"].startswith(hint)


def test_a_phase_that_takes_very_long_is_not_said_to_go_on_for_ever(tmp_path: Path) -> None:
    """It is at rest after so many rounds."""
    path = tmp_path / "falling.yaml"
    text = FALLING.replace("level: 0 .. 4", f"level: 0 .. {UNTIL_REST}").replace("level = 1", f"level = {UNTIL_REST}")
    path.write_text(
        text.replace("ROUNDS", "stable").replace("LINE", DOWN).replace("WHEN", "gate").replace("ALWAYS", "gate")
    )
    [found] = [each for each in run("check", path, "--json").json["diagnostics"] if each["code"] == "W507"]
    assert found["message"].startswith(REST)
    assert found["hint"] == "fall at the start: the phase takes 10,000 rounds or more to be at rest"
