"""The author's words for moves that are refused: who says them, and that they change no rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import run

import puzzlewright as pw
from models.errors import PuzzleError
from models.loader import load_text
from models.plan import Step
from models.referee import Refusal, apply, start_state
from puzzlewright.play.game import Game, GameSource

FALLS = """
puzzle: falls
state: {x: 0 .. 5 = 0, y: bool = false}
actions:
  step:
    when:
      - x < 3
      - {when: not y, otherwise: "the block would fall"}
    effect: {x: x + 1}
    otherwise: it is too far
  leap: {effect: {x: x + 5}}
  turn: {effect: {y: not y}}
goal: x == 3
always:
  - {when: x < 5, otherwise: over the edge}
"""


@pytest.mark.parametrize(("state", "action", "words", "reason"), [
    ({"x": 0, "y": True}, "step", "the block would fall", "`when` fails: not y"),
    ({"x": 3, "y": False}, "step", "it is too far", "`when` fails: x < 3 (3 against 3)"),
    ({"x": 3, "y": True}, "step", "it is too far", "`when` fails: x < 3 (3 against 3)"),
    ({"x": 0, "y": False}, "leap", "over the edge", "`always` would fail: x < 5 (5 against 5)"),
    ({"x": 1, "y": False}, "leap", "", "`x: x + 5`: the value of x is 6, no value of `x`"),
])  # fmt: skip
def test_a_condition_speaks_before_its_action(state: dict[str, object], action: str, words: str, reason: str) -> None:
    puzzle = load_text(FALLS, "falls.yaml")
    with pytest.raises(Refusal) as refused:
        apply(puzzle, {**start_state(puzzle), **{(name, ()): value for name, value in state.items()}}, Step(action, ()))
    assert (refused.value.words, refused.value.reason) == (words, reason)
    assert refused.value.told == (f"{words} ({reason})" if words else reason)


def test_verify_and_play_and_the_library_say_them(tmp_path: Path) -> None:
    (tmp_path / "falls.yaml").write_text(FALLS)
    (tmp_path / "bad.plan").write_text("(turn)\n(step)\n")
    found = run("verify", tmp_path / "falls.yaml", tmp_path / "bad.plan", "--json").json
    assert found["failure"] == {"step": 2, "reason": "the block would fall (`when` fails: not y)"}
    game = Game(GameSource(FALLS, "falls.yaml"))
    fallen = {**game.start, ("y", ()): True}
    assert game.made(fallen, Step("step", ()))["reason"] == "the block would fall"
    space = pw.Space(pw.load(str(tmp_path / "falls.yaml")))
    with pytest.raises(pw.IllegalMove, match="the block would fall"):
        space.after(space.after(space.start, pw.Step("turn", ())), pw.Step("step", ()))


def test_explain_says_them(tmp_path: Path) -> None:
    text = FALLS.replace("y: bool = false", "y: bool = true").replace("  turn: {effect: {y: not y}}\n", "")
    (tmp_path / "falls.yaml").write_text(text.replace("  leap: {effect: {x: x + 5}}\n", ""))
    told = json.dumps(run("explain", tmp_path / "falls.yaml", "--json").json["reasons"])
    assert "`not y` is false" in told and "that is: the block would fall" in told


def test_words_change_no_rule() -> None:
    plain = FALLS.replace('{when: not y, otherwise: "the block would fall"}', "not y")
    plain = plain.replace("    otherwise: it is too far\n", "").replace(
        "{when: x < 5, otherwise: over the edge}", "x < 5"
    )
    found = [pw.solve(load_text(text, "falls.yaml"), "bfs") for text in (FALLS, plain)]
    assert [each.cost for each in found] == [3, 3]
    assert (found[0].expanded, found[0].generated) == (found[1].expanded, found[1].generated)


@pytest.mark.parametrize(("old", "new", "code"), [
    ("otherwise: over", "otherwize: over", "E101"),
    ("{when: not y, ", "{", "E102"),
    ('otherwise: "the block would fall"', "otherwise: [a, b]", "E103"),
])  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(old: str, new: str, code: str) -> None:
    with pytest.raises(PuzzleError) as found:
        load_text(FALLS.replace(old, new), "falls.yaml")
    assert [(each.code, each.location is not None) for each in found.value.diagnostics] == [(code, True)]
