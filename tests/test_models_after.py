"""Levels that start after steps: the referee makes them, and everything else begins where they lead."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import run

from models.errors import PuzzleError
from models.interpreter import State
from models.limits import MOST_STEPS
from models.loader import load_text
from models.puzzle import Puzzle
from models.referee import start_state
from models.starts import FORM
from puzzlewright.files.schema import schema
from puzzlewright.play.game import Game, GameSource

HANOI = """
puzzle: three-discs
types:
  disc: 1 .. 3
  peg: [a, b, c]
state:
  on[d in disc]: peg = a
actions:
  move:
    params: {d: disc, p: peg}
    when: all(on[e] not in [on[d], p] for e in disc if e < d)
    effect:
      on[d]: p
goal: all(on[d] == c for d in disc)
levels:
  tower: {known: {optimal: 7}}
"""  # 7 steps; after the first two of them 5, which is 2^3 - 1 - 2
RING = """
puzzle: ring
data: {size: 3}
types: {place: 0 .. size}
state: {x: place = 0, y: place = 0}
actions:
  R: {effect: {x: x + 1}}
  U: {when: x > 0, effect: {y: y + 1}}
  swap-both: {effect: {x: y, y: x}}
goal: x == 0 and y == 0
levels:
"""


def start_of(text: str, level: str | None = None) -> State:
    return start_state(load_text(text, "f.yaml", level))


def hanoi(after: str) -> Puzzle:
    return load_text(f"{HANOI}  on:\n    after: {after}\n", "f.yaml", "on")


def ring(level: str) -> tuple[object, ...]:
    return tuple(start_of(f"{RING}  on: {level}\n").values())


def problem(text: str, level: str | None = None) -> str:
    """`line:column CODE message | hint`."""
    with pytest.raises(PuzzleError) as caught:
        load_text(text, "f.yaml", level)
    (found,) = caught.value.diagnostics
    assert found.location is not None
    return f"{found.location.line}:{found.location.column} {found.code} {found.message} | {found.hint}"


@pytest.mark.parametrize(
    "after",
    [
        "[move 1 c, move 2 b]",
        "[(move 1 c), ( move  2 b )]",
        "[{action: move, args: {d: 1, p: c}}, {action: move, args: {p: b, d: 2}}]",
        "\n      - move 1 c\n      - {action: move, args: {d: 2, p: b}}",
    ],
)
def test_steps_in_every_form(after: str) -> None:
    assert list(start_state(hanoi(after)).values()) == ["c", "b", "a"]


def test_one_step_and_words_without_parameters() -> None:
    assert list(start_state(hanoi("(move 1 b)")).values()) == ["b", "a", "a"]
    assert ring("{after: R U R}") == (2, 1) == ring("{after: [R, (U), R]}")
    assert ring("{after: R R swap-both}") == (0, 2)
    assert ring('{after: "R  U\\n R"}') == (2, 1) == ring("\n    after: |\n      R U\n      R")


def test_steps_begin_at_the_state_that_the_level_states() -> None:
    assert ring("{state: {x: 1}, after: U U}") == (1, 2)
    assert ring("{size: 1, after: R U}") == (1, 1)


def test_what_is_known_is_known_of_the_start_that_the_steps_lead_to(tmp_path: Path) -> None:
    file = tmp_path / "hanoi.yaml"
    file.write_text(
        HANOI
        + "  on: {after: [move 1 c, move 2 b], known: {optimal: 5}}\n  far: {after: (move 1 c), known: {optimal: 7}}\n"
    )
    rows = {row["level"]: row for row in run("levels", file, "--json").json["rows"]}
    assert rows["tower"]["held"] == ["optimal"] == rows["on"]["held"] and rows["on"]["optimum"] == 5
    assert rows["far"]["missed"] == [{"figure": "optimal", "known": 7, "found": "6"}]


def test_every_command_begins_there(tmp_path: Path) -> None:
    file = tmp_path / "hanoi.yaml"
    file.write_text(HANOI + "  on: {after: [move 1 c, move 2 b]}\n")
    level = (file, "--level", "on")
    assert [run("solve", *level, "--backend", name, "--json").json["cost"] for name in ("bfs", "bidirectional")] == [
        5,
        5,
    ]
    proven = run("prove", *level, "--certificate", tmp_path / "c", "--json")
    assert proven.json["cost"] == 5 and (tmp_path / "c" / "puzzle.yaml").read_text() == file.read_text()
    assert run("verify", tmp_path / "c", "--json").json["outcome"] == "valid"
    assert run("explore", *level, "--json").json["exploration"]["nearest_goal"]["cost"] == 5
    walked = run("solve", *level, "--scramble", "1", "--json").json["cost"]
    assert walked in (4, 5, 6)  # each disc on its peg: a step away from the state of distance 5
    game = Game(GameSource(file.read_text(), "f.yaml", "on"))
    assert list(game.start.values()) == ["c", "b", "a"]
    assert "c  b  a" in run("show", *level).out


def test_a_step_that_cannot_be_made() -> None:
    text = HANOI + "  on:\n    after:\n      - move 1 c\n      - move 2 c\n"
    told = problem(text, "on")
    assert told.startswith(
        "20:9 E424 step 2 of 2 of 'after', (move 2 c), cannot be made: `when` fails: all(on[e] not in"
    )
    assert told.partition("| allowed here: ")[2].startswith("(move 2 ") and ", (move 1 " in told
    assert problem(f"{RING}  on: {{after: R U R R R}}\n").endswith(
        "step 5 of 5 of 'after', (R), cannot be made: `x: x + 1`: the value of x is 4, no value of `place` | "
        "allowed here: (U), (swap-both)"
    )


FORM = "'after' is a list of steps, or a text of actions | " + FORM
NOT_READ = {
    "R UU": "17 E501 there is no action 'UU' | did you mean 'U'?",
    "[R, R U]": "19 E501 `R` has 0 parameters, found 1 | write (R)",
    "[R, (U]": "19 E501 a step is written (action arg ...) | ",
    "[R, {action: U, args: {x: 1}}]": "20 E501 step 2: `U` has the parameters none | ",
    "[R, [U]]": "20 E501 step 2 has no action | ",
    "[]": f"3 E501 {FORM}",
    "{action: R}": f"16 E501 {FORM}",
    "R " * (MOST_STEPS + 1): "15 E418 10,001 steps of 'after'; at most 10,000 are possible | ",
}


@pytest.mark.parametrize("after", NOT_READ, ids=lambda after: after[:9])
def test_what_is_no_step(after: str) -> None:
    assert problem(f"{RING}  on: {{after: {after}}}\n") == f"12:{NOT_READ[after]}"


def test_conditions_hold_of_the_start_that_the_steps_lead_to() -> None:
    asked = RING.replace("goal:", "require: x == 1\ngoal:")
    assert [*start_of(asked + "  on: {after: R}\n").values()] == [1, 0]
    assert "E412 the start breaks `require`: x == 1 (2 against 1)" in problem(asked + "  on: {after: R R}\n")
    ever = RING.replace("goal:", "always: x != 2\ngoal:")
    assert "E424 step 2 of 2 of 'after', (R), cannot be made: `always` would fail" in problem(
        ever + "  on: {after: R R}\n"
    )
    data = RING.replace("goal:", "require: size > 5\ngoal:")
    assert "E412 the data break `require`" in problem(data + "  on: {after: R}\n")


@pytest.mark.parametrize("place", ["data: {after: 1, size: 3}", "data: {size: 3}\ndraw:\n  after: pick(range(1, 2))"])
def test_a_datum_of_the_files_own_keeps_the_name(place: str) -> None:
    text = RING.replace("data: {size: 3}", place).replace("x: place = 0", "x: place = after")
    assert [*start_of(text + "  on: {}\n").values()] == [1, 0]
    assert [*start_of(text + "  on: {after: 2}\n").values()] == [2, 0]
    assert [start_of(text + "  on: {}\n  two: {after: 3}\n", level)["x", ()] for level in ("on", "two")] == [1, 3]


def test_other_names_are_free_to_be_after() -> None:
    text = RING.replace("place", "after") + "  after: {after: R}\n"
    assert [*start_of(text, "after").values()] == [1, 0]
    text = RING.replace("U:", "after:").replace("R:", "state:") + "  on: {after: [state, after]}\n"
    assert [*start_of(text).values()] == [1, 1]


def test_the_schema_names_the_key() -> None:
    level = schema()["$defs"]["LevelSource"]["properties"]
    assert level["after"] == {"description": "steps that lead to the start: [turn R 1, ...], or R U R U"}
