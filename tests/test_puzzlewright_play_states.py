"""All states of a small level, as the map of `play` has them: counted by hand, refused in words where they are many."""

from __future__ import annotations

from typing import Any

import pytest
from game_texts import LINE, RIDGE, at, game_of

from puzzlewright.play import states
from puzzlewright.play.bench import Benches
from puzzlewright.play.catalogue import Catalogue
from puzzlewright.play.game import Game

PUMP = """
puzzle: pump
types: {level: 0 .. 3, turn: 0 .. 9}
state: {tank: level = 0, strokes: turn = 0}
actions:
  big: {when: tank == 0, cost: 5, effect: {tank: 2, strokes: (strokes + 1) % 10}}
  small: {when: tank < 2, cost: 1, effect: {tank: tank + 1, strokes: (strokes + 1) % 10}}
goal: tank == 2
"""  # 0 over 1 to 2 for 1 + 1, or at once for 5; strokes play no part; 3 is never reached


def graph(game: Game, seconds: float = 60.0, **values: Any) -> dict[str, Any]:
    return states.graph(Benches(game), at(game, **values), seconds)


def test_states_counted_by_hand() -> None:
    """0 leads to 1 and 2, 1 to 2 and 5, 2 to 4 and 4 to 5, out of which nothing leads."""
    found = graph(game_of(LINE, "plain"))
    values = [value for (value,) in found["states"]]
    assert values == [0, 1, 2, 5, 4] and found["layers"] == [1, 2, 2]
    moves = {(values[one], values[other]) for one, other in found["moves"]}
    assert moves == {(0, 1), (0, 2), (1, 2), (1, 5), (2, 4), (4, 5)} and found["pairs"] == 6
    assert [values[number] for number in found["goals"]] == [4]
    assert dict(zip(values, found["left"], strict=True)) == {0: 2, 1: 2, 2: 1, 4: 0, 5: None}


def test_from_where_the_player_is() -> None:
    found = graph(game_of(LINE, "plain"), x=2)
    assert (found["states"], found["layers"], found["left"]) == ([[2], [4], [5]], [1, 1, 1], [1, 0, None])


def test_what_plays_no_part_tells_no_states_apart() -> None:
    """And is named. What is left is told in the cost of the level."""
    found = graph(game_of(PUMP))
    assert found["aside"] == " (leaving aside strokes)"
    assert found["counts"] == [0] and found["layers"] == [1, 2] and not found["steps"]
    assert {row[0]: left for row, left in zip(found["states"], found["left"], strict=True)} == {0: 2, 1: 1, 2: 0}


def test_a_river_has_ten_states() -> None:
    """The wolf, the goat and the cabbage: one way there with two middle parts, as every textbook draws it."""
    found = graph(Catalogue().named({"puzzle": "wolf_goat_cabbage", "level": "alcuin"}))
    assert found["layers"] == [1, 1, 1, 2, 2, 1, 1, 1] and found["goals"] == [9]
    assert found["left"] == [7, 6, 5, 4, 4, 3, 3, 2, 1, 0]


def test_of_three_disks_there_are_27_states_and_39_pairs_of_them() -> None:
    """3 moves out of each state, 2 where all disks are on one peg; each can be taken back."""
    found = graph(Catalogue().named({"puzzle": "hanoi", "level": "three"}))
    assert len(found["states"]) == 27 and found["pairs"] == 24 * 3 + 3 * 2
    assert all([other, one] in map(list, found["moves"]) for one, other in found["moves"])
    assert all(found["left"][one] - found["left"][other] in (-1, 0, 1) for one, other in found["moves"])


def test_many_states_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """8 may be drawn where 8 are allowed, and not where 7 are."""
    monkeypatch.setattr(states, "MOST_STATES", 8)
    assert graph(game_of(RIDGE))["ok"]
    monkeypatch.setattr(states, "MOST_STATES", 7)
    found = graph(game_of(RIDGE))
    assert found == {"ok": False, "says": "There is no map: more than 7 states are no graph to draw."}


def test_time_that_is_up_is_told() -> None:
    found = graph(game_of(RIDGE), 1e-9)
    assert found == {"ok": False, "says": "There is no map: the time-limit came before all states were known."}


def test_many_lines_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "MOST_LINES", 12)
    found = graph(game_of(RIDGE))
    assert (found["moves"], found["pairs"], len(found["states"])) == ([], 13, 8)
