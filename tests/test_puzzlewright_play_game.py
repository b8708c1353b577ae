"""What a page is told: states, moves, refusals, edits, hints; figures are counted by hand on a line of six places."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from game_texts import HOSTILE, LINE, ODOMETER, at, game_of, hints, of
from puzzle_files import PUZZLES

from models.outcomes import Outcome
from models.referee import successors
from models.values import Cell, Thing
from puzzlewright.play import solver
from puzzlewright.play.bench import Benches
from puzzlewright.play.board import from_one
from puzzlewright.play.catalogue import Catalogue, Chosen
from puzzlewright.play.game import Game, GameSource
from puzzlewright.play.hints import Hints
from puzzlewright.play.wire import BadRequest
from puzzlewright.report import Report
from puzzlewright.solving.request import Request

CAR = """
puzzle: car
types: {cell: "grid(1, 5)", place: 0 .. 2}
state: {x: place = 0}
actions:
  go: {params: {d: direction}, effect: {x: x + d.col}, when: "d in [left, right]"}
goal: x == 2
view:
  board: c in cell
  glyph: "'C' if x <= c.col and c.col < x + 3 else '.'"
  piece: glyph
"""
TWO_METRICS = """
puzzle: two metrics
types: {place: 0 .. 3}
state: {x: place = 0, last: 0 .. 1 = 0}
actions:
  walk: {effect: {x: x + 1, last: 0}, cost: {steps: 1, turns: last}}
  ride: {effect: {x: x + 1, last: 1}, cost: {steps: 1, turns: 1 - last}}
goal: x == 3
levels:
  plain: {known: {optimal: {steps: 3, turns: 0}}}
"""


def built_in(name: str, level: str | None = None, metric: str | None = None) -> Game:
    return Game(
        GameSource((PUZZLES / f"{name}.yaml").read_text(encoding="utf-8"), f"{name}.yaml", level, metric=metric)
    )


def labels(told: dict[str, Any]) -> list[str]:
    return [move["label"] for move in told["moves"]]


# -- moves -------------------------------------------------------------------------------------------------------------


def test_what_a_game_is() -> None:
    told = game_of(LINE).about()
    assert told["rules"] == "From 0 to 4.\n  3 is forbidden, 5 a dead end."
    assert told["best"] == {"cost": 2, "length": None, "proven": False}
    assert [action["name"] for action in told["actions"]] == ["right", "jump", "fall"]
    assert told["variables"] == [{"name": "x", "type": "place", "values": [0, 1, 2, 3, 4, 5]}]
    assert (told["title"], told["level"], told["metric"], told["unit_cost"]) == ("Line", "plain", "cost", True)
    assert told["level_title"] == "Plain"


def test_moves_are_those_that_apply() -> None:
    game = game_of(LINE)
    assert labels(game.moves(at(game, x=0))) == ["right", "from 0"]
    assert labels(game.moves(at(game, x=1))) == ["right", "fall"]
    assert labels(game.moves(at(game, x=2))) == ["from 2"]
    assert game.moves(at(game, x=5)) == {"moves": [], "complete": True}
    assert [move["state"] for move in game.moves(at(game, x=1))["moves"]] == [{"x": 2}, {"x": 5}]


@pytest.mark.parametrize(
    ("name", "level"), [("n_puzzle", "easy-8"), ("hanoi", "three"), ("sokoban", "little"), ("vehicles", "n2"),
                        ("water_sort", "one-spare"), ("bloxorz", None), ("lights_out", None)]
)  # fmt: skip
def test_moves_are_the_referees(name: str, level: str | None) -> None:
    """Each state that some move leads to is one that he leads to, and the other way round."""
    game = built_in(name, level)
    told = game.moves(game.start)
    assert told["complete"]
    there = {str(game.plain(state)) for _, state in successors(game.puzzle, game.start)}
    assert {str(move["state"]) for move in told["moves"]} == there


def test_joint_moves_are_listed_up_to_a_limit() -> None:
    few, many = built_in("vehicles", "n2"), built_in("vehicles", "n5")
    assert few.moves(few.start)["complete"]
    assert many.moves(many.start) == {"moves": [], "complete": False}
    array = many.about()["actions"][0]["params"][0]["array"]
    assert array == ["0", "1", "2", "3", "4"]
    step = many.step("step", {"m": ["down", "stay", "stay", "stay", "stay"]})
    assert many.made(many.start, step)["state"]["at[0]"] == [1, 0]


def test_what_the_compiler_cannot_do_the_referee_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(LINE)
    monkeypatch.setattr(game, "machine", None)
    assert labels(game.moves(at(game, x=1))) == ["right", "fall"]


def test_what_moves_where() -> None:
    """A step of a car of three: two places look different, and the whole car goes and comes."""
    game = game_of(CAR)
    move = game.moves(game.start)["moves"][0]
    assert move["args"] == {"d": "right"}
    assert move["changed"] == [(0, 0), (0, 3)]
    assert move["leaves"] == [(0, 0), (0, 1), (0, 2)]
    assert move["enters"] == [(0, 1), (0, 2), (0, 3)]


def test_a_move_that_is_made() -> None:
    game = game_of(LINE)
    told = game.made(at(game, x=2), game.step("jump", {}))
    assert (told["ok"], told["state"], told["goal"], told["label"], told["cost"]) == (True, {"x": 4}, True, "from 2", 1)


@pytest.mark.parametrize(
    ("action", "x", "reason", "condition", "line"),
    [
        ("jump", 1, "`when` fails: x % 2 == 0 (1 against 0)", "x % 2 == 0", 8),
        ("right", 2, "`always` would fail: x != 3 (3 against 3)", "x != 3", 11),
        ("right", 5, "`x: x + 1`: the value of x is 6, no value of `place`", "", 7),
    ],
)
def test_an_illegal_move_is_explained(action: str, x: int, reason: str, condition: str, line: int) -> None:
    game = game_of(LINE)
    told = game.made(at(game, x=x), game.step(action, {}))
    assert told == {"ok": False, "reason": reason, "condition": condition, "line": line}


def test_each_metric_is_a_game() -> None:
    """`last` plays no part in steps, and still the moves carry it on."""
    steps, turns = game_of(TWO_METRICS), game_of(TWO_METRICS, metric="turns")
    assert (steps.about()["best"], turns.about()["best"]) == (
        {"cost": 3, "length": None, "proven": False}, {"cost": 0, "length": None, "proven": False})  # fmt: skip
    for game, costs in ((steps, [1, 1]), (turns, [0, 1])):
        moves = game.moves(game.start)["moves"]
        assert [(move["label"], move["cost"]) for move in moves] == list(zip(["walk", "ride"], costs, strict=True))
        assert [move["state"] for move in moves] == [{"x": 1, "last": 0}, {"x": 1, "last": 1}]
    with pytest.raises(BadRequest, match="must be one of steps, turns"):
        game_of(TWO_METRICS, metric="cost")


# -- states ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({}, "the state has no x"),
        ({"x": 0, "y": 1}, "there is no state variable 'y'"),
        ({"x": 6}, "x is 6, which is no value of `place`"),
        ({"x": True}, "x is true, which is no value"),
        ({"x": 1.0}, "x is 1.0, which is no value"),
        ({"x": "1"}, 'x is "1", which is no value'),
        ({"x": [1]}, "no value"),
        ({"x": {"x": 1}}, "no value"),
        ({"x": 3}, "this position breaks `always`: x != 3"),
    ],
)
def test_a_state_that_is_none(raw: dict[str, Any], words: str) -> None:
    with pytest.raises(BadRequest) as refused:
        game_of(LINE).state(raw)
    assert words in refused.value.words
    assert refused.value.status == 400


@pytest.mark.parametrize("name", ["n_puzzle", "klotski", "water_sort", "blocks_world", "vehicles", "knights_exchange"])
def test_states_come_back_as_they_went(name: str) -> None:
    game = built_in(name)
    assert game.state(game.plain(game.start)) == game.start


def test_editing() -> None:
    game = game_of(LINE)
    assert game.edited(game.start, {"x": 2})["state"] == {"x": 2}
    assert game.edited(game.start, {"x": 3}) == {
        "ok": False, "reason": "this position breaks `always`: x != 3 (3 against 3)"}  # fmt: skip
    eight = built_in("n_puzzle", "easy-8")
    first, second = list(eight.plain(eight.start))[:2]
    values = eight.plain(eight.start)
    swapped = eight.edited(eight.start, {first: values[second], second: values[first]})["state"]
    assert (swapped[first], swapped[second]) == (values[second], values[first])


@pytest.mark.parametrize(
    ("action", "arguments", "words"),
    [
        ("swim", {}, "there is no action 'swim'"),
        ("jump", {"x": 1}, "`jump` has the parameters none"),
    ],
)
def test_a_step_that_is_none(action: str, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(BadRequest, match=words):
        game_of(LINE).step(action, arguments)


def test_which_games_there_are() -> None:
    catalogue = Catalogue(Chosen("mine", LINE, "mine.yaml"), "plain", 3)
    assert catalogue.puzzles() == {
        "puzzles": [{"name": "mine", "title": "Line", "about": "", "drawn": False,
                     "levels": [{"name": "plain", "title": "Plain", "about": "", "known": {"optimal": 2}}]}],
        "default": "mine", "level": "plain", "seed": 3}  # fmt: skip
    assert catalogue.named({"puzzle": "mine"}).puzzle.name == "line"
    with pytest.raises(BadRequest, match="there is no puzzle 'n_puzzle' here"):
        catalogue.named({"puzzle": "n_puzzle"})
    with pytest.raises(BadRequest, match="there is no level 'other'"):
        catalogue.named({"puzzle": "mine", "level": "other"})
    every = Catalogue().puzzles()
    assert {row["name"] for row in every["puzzles"]} == {path.stem for path in PUZZLES.glob("*.yaml")}


def test_texts_of_the_file_are_never_markup() -> None:
    game = game_of(HOSTILE)
    told = game.shown(game.start)
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(told["svg"]).iter()}
    assert tags <= {"svg", "title", "g", "rect", "path", "text", "circle", "line", "ellipse", "tspan"}
    assert told["board"]["spots"][0][2] == "<script>"
    assert labels(told["moves"]) == ["<b onclick='alert(1)'>(1, 1)</b>&amp;"]


# -- hints -------------------------------------------------------------------------------------------------------------


def test_still_solvable() -> None:
    game = game_of(LINE)
    known = hints(game)
    assert of(known.hint("solvable", at(game, x=1), 2)) == ("yes", True)
    assert of(known.hint("solvable", at(game, x=4), 2)) == ("yes", True)
    lost = known.hint("solvable", at(game, x=5), 2)
    assert of(lost) == ("no", True)
    assert lost["reasons"]


def test_was_that_move_wrong() -> None:
    game = game_of(LINE)
    known = hints(game)

    def judged(before: int, after: int) -> tuple[str, bool, int | None]:
        told = known.hint("wrong", at(game, x=after), 2, (at(game, x=before), None))
        return (*of(told), told.get("extra"))

    assert judged(0, 1) == ("wrong", True, 1)
    assert judged(0, 2) == ("fine", True, 0)
    assert judged(1, 2) == ("fine", True, 0)
    assert judged(1, 5) == ("unsolvable", True, None)
    with pytest.raises(BadRequest, match="no single move leads"):
        judged(0, 4)
    with pytest.raises(BadRequest, match="`previous` is missing"):
        known.hint("wrong", at(game, x=1), 2)
    told = known.hint("wrong", at(game, x=1), 2, (at(game, x=0), game.step("right", {})))
    assert told["says"] == "That move costs 1 move more than the best way."
    with pytest.raises(BadRequest, match="does not lead"):
        known.hint("wrong", at(game, x=1), 2, (at(game, x=0), game.step("jump", {})))
    with pytest.raises(BadRequest, match="cannot be made"):
        known.hint("wrong", at(game, x=1), 2, (at(game, x=1), game.step("jump", {})))


def test_a_next_move_and_the_plan() -> None:
    game = game_of(LINE)
    known = hints(game)
    told = known.hint("next", at(game, x=0), 2)
    assert (*of(told), told["cost"], told["move"]["action"]) == ("best", True, 2, "jump")
    told = known.hint("plan", at(game, x=1), 2)
    assert (*of(told), [step["action"] for step in told["plan"]]) == ("best", True, ["right", "jump"])
    assert of(known.hint("next", at(game, x=4), 2)) == ("solved", True)
    assert of(known.hint("next", at(game, x=5), 2)) == ("no", True)


def test_what_is_known_of_a_plan_is_known_of_its_states(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(LINE)
    known = hints(game)
    known.hint("plan", at(game, x=0), 2)
    monkeypatch.setattr(known, "_solved", None)
    told = known.hint("plan", at(game, x=2), 2)
    assert (*of(told), told["cost"], [step["label"] for step in told["plan"]]) == ("best", True, 1, ["from 2"])


def test_a_contradiction_is_no_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = hints(game_of(LINE))
    monkeypatch.setattr(asked, "_solved", lambda *_: Report("solve", Outcome.DISAGREEMENT, notes=("the reason",)))
    with pytest.raises(BadRequest, match="the reason") as refused:
        asked.hint("solvable", asked.game.start, 1)
    assert refused.value.status == 500


def test_hints_in_a_named_metric() -> None:
    game = game_of(TWO_METRICS, metric="turns")
    known = hints(game)
    told = known.hint("wrong", at(game, x=1, last=1), 2, (game.start, None))
    assert (*of(told), told["extra"], told["says"]) == (
        "wrong", True, 1, "That move costs 1 turn more than the best way.")  # fmt: skip
    assert known.hint("next", game.start, 2)["move"]["label"] == "walk"


def test_what_is_not_known_in_the_time_is_said_to_be_so() -> None:
    """The way to the goal is the only one, and has 999,999 steps."""
    game = game_of(ODOMETER)
    known = hints(game)
    one = at(game, a=1)
    assert of(known.hint("solvable", game.start, 0.05)) == ("unknown", False)
    assert of(known.hint("next", game.start, 0.05)) == ("unknown", False)
    assert of(known.hint("wrong", one, 0.05, (game.start, None))) == ("unknown", False)


@pytest.mark.slow
def test_an_edited_state_of_the_other_parity_is_unsolvable() -> None:
    game = built_in("n_puzzle", "easy-8")
    values = game.plain(game.start)
    tiles = [name for name, value in values.items() if value != 0][:2]
    odd = at(game, **{tiles[0]: values[tiles[1]], tiles[1]: values[tiles[0]]})
    known = hints(game)
    told = known.hint("solvable", odd, 1)
    assert of(told) == ("no", True)
    assert "parity" in told["reasons"][0]
    assert of(known.hint("solvable", game.start, 1)) == ("yes", True)


def test_proofs_are_not_carried_over_to_states_with_other_facts() -> None:
    """`far` is consistent where `on` holds, which no action changes, and overestimates where it does not.

    With `on` two steps lead to the goal; without it a leap costs one, though `far` says two.
    """
    game = game_of("""
puzzle: facts
types: {place: 0 .. 2}
state: {x: place = 0, on: bool = true}
actions:
  leap: {when: x == 0 and not on, effect: {x: 2}}
  walk: {effect: {x: x + 1}}
goal: x == 2
heuristics: {far: 2 - x}
claims: {far: consistent}
invariants: {on: on}
""")
    benches = Benches(game)
    with_it, without = benches.at(game.start), benches.at(at(game, on=False))
    assert with_it.proofs.proven(with_it.task.heuristics[0])
    assert not without.proofs.proven(without.task.heuristics[0])
    assert hints(game).hint("plan", at(game, on=False), 2)["cost"] == 1


def test_machine_code_is_shared_as_far_as_it_holds_the_start() -> None:
    """From 0 no action makes z other than 0, so the first code has no room for 1; from there the goal is nearer."""
    game = game_of("""
puzzle: room
types: {place: 0 .. 3, flag: 0 .. 1}
state: {x: place = 0, z: flag = 0}
actions:
  walk: {effect: {x: x + 1}}
  leap: {when: z == 1, effect: {x: x + 2}}
goal: x == 3
""")
    known = hints(game)

    def steps(x: int, z: int) -> int:
        told = known.hint("plan", at(game, x=x, z=z), 5)
        assert of(told) == ("best", True)
        return int(told["cost"])

    assert [steps(0, 0), steps(1, 0), steps(0, 1), steps(1, 1), steps(2, 0)] == [3, 2, 2, 1, 1]


@pytest.mark.parametrize(("name", "level"), [("n_puzzle", "easy-8"), ("water_sort", "two-colours"), ("vehicles", "n3")])
def test_hints_from_other_states_are_what_solving_from_there_finds(name: str, level: str) -> None:
    """With symmetry, with search from both ends: along the best plan from a state the distance falls to nothing."""
    game = built_in(name, level)
    known, state = hints(game), game.start
    left = known.hint("plan", state, 10)["cost"]
    while left:
        fresh = Hints(game, known.benches)  # remembers no plan
        told = fresh.hint("next", state, 10)
        assert (*of(told), told["cost"]) == ("best", True, left)
        state, left = game.state(told["move"]["state"]), left - told["move"]["cost"]
    assert known.hint("next", state, 1)["answer"] == "solved"


def test_tables_are_made_while_nobody_asks() -> None:
    """Where a hint had too little time; who asks meanwhile stops it. They serve all starts that they hold for."""
    game = built_in("n_puzzle", "two-by-three")
    known = hints(game)
    known.ahead(lambda: False)
    assert known.benches.tables == []
    known.hard = game.start
    known.ahead(lambda: True)
    assert known.benches.tables == [] and known.hard == game.start and not known.prepared
    known.ahead(lambda: False)
    (made,) = known.benches.tables
    assert made.found is not None and known.hard is None and known.prepared
    after = game.state(game.moves(game.start)["moves"][0]["state"])
    assert known.benches.at(after).derived(Request()) is made
    twice = {**game.start, next(iter(game.start)): 5}  # there are two of them, for which no table holds
    assert not made.found.starts.have(known.benches.at(twice).task.start)


def test_a_game_is_hard_where_a_hint_had_too_little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    game = built_in("n_puzzle", "two-by-three")
    for outcome, hard in ((Outcome.TIME_LIMIT, game.start), (Outcome.MEMORY_LIMIT, None)):
        known = hints(game)
        monkeypatch.setattr(known, "_solved", lambda *args, told=outcome: Report("solve", told))
        assert known.hint("next", game.start, 1)["answer"] == "unknown" and known.hard == hard
        known.prepared, known.hard = True, None
        known.hint("next", game.start, 1)
        assert known.hard is None


# -- solver mode -------------------------------------------------------------------------------------------------------


def test_a_search_and_its_film() -> None:
    game = game_of(LINE)
    told = solver.run(game, Benches(game), at(game, x=1), solver.SearchAsked("bfs", (), 5, None))
    assert (told["outcome"], told["cost"], told["length"], told["complete"]) == ("optimal", 2, 2, True)
    assert [step["label"] for step in told["plan"]] == ["right", "from 2"]
    assert len(told["frames"]) == 3
    assert told["report"][0] == f"optimal: {told['says']}"


def test_a_recorded_search() -> None:
    """Breadth first from 1: 1 is expanded (2 and 5 are made), then 2 (4, the goal)."""
    game = game_of(LINE)
    told = solver.record(Benches(game), at(game, x=1), solver.SearchAsked("bfs", (), 5, None))
    expanded = [event for event in told["events"] if event["event"] == "expand"]
    assert told["outcome"] == "optimal"
    assert told["statistics"]["expanded"] == len(expanded)
    assert told["layers"][0][:3] == [0, 0, 1]
    assert (
        solver.record(Benches(game), game.start, solver.SearchAsked("genetic", (), 5, None))["outcome"] == "unsupported"
    )


def test_a_mark_is_told_by_its_word() -> None:
    """It knows the cell that it stood on, and is no list of cells."""
    assert from_one(Thing("box", 1, "a", "a", Cell(0, 1)), "a") == "a"
    assert from_one((Cell(0, 1), 7), "[[0, 1], 7]") == "[(1, 2), 7]"
