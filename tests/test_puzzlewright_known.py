"""`check` holds what a level says to be known to what is shown without a long search."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import run

from models.loader import load_text
from models.outcomes import Limits
from puzzlewright.analysis import claims, known_values
from puzzlewright.analysis.known_values import missed_at_once
from puzzlewright.solving.workbench import Workbench

DISCS = """
puzzle: three-discs
types:
  disc: 1 .. 3
  peg: [a, b, c]
state:
  on[d in disc]: peg = a
  seen: bool = false
actions:
  move:
    params: {d: disc, p: peg}
    when: all(on[e] not in [on[d], p] for e in disc if e < d)
    effect:
      on[d]: p
      seen: true
goal: all(on[d] == c for d in disc)
levels:
"""  # 2^3 - 1 = 7 steps; 3^3 = 27 states, since what is seen plays no part


def told(tmp_path: Path, levels: str, *options: str) -> tuple[int, dict[str, str]]:
    path = tmp_path / "discs.yaml"
    path.write_text(DISCS + levels)
    done = run("check", str(path), "--json", *options)
    return done.code, done.json["verdicts"]


RIGHT = """
  tower: {known: {optimal: 7, states: 27, solvable: true, at_most: 9}}
  by-metric: {known: {optimal: {cost: 7}, at_most: {cost: 7}}}
  begun: {after: [move 1 c, move 2 b], known: {optimal: 5}}
  there: {state: {on: [c, c, c]}, known: {optimal: 0, at_most: 0}}
  nothing: {about: nothing is known}
"""
SOLUTION = [f"move {move}" for move in ("1 c", "2 b", "1 b", "3 c", "1 a", "2 c", "1 c")]
AT_ONCE = """
  neither: {known: {optimal: 7, solvable: false}}
  beside: {known: {optimal: 8, at_most: 7}}
  there: {state: {on: [c, c, c]}, known: {optimal: 1}}
  goal: {state: {on: [c, c, c]}, known: {solvable: false}}
  free: {known: {optimal: 0}}
  words: {known: {optimal: many, at_most: [1, 2], states: some}}
  metric: {known: {optimal: {moves: 7}}}
"""
SOON = """
  less: {known: {optimal: 6}}
  more: {known: {optimal: 8, states: 26}}
  bound: {known: {at_most: 6}}
  stuck: {known: {solvable: false}}
"""


def test_what_is_right_is_not_told(tmp_path: Path) -> None:
    assert told(tmp_path, RIGHT) == told(tmp_path, RIGHT, "--prove") == (0, {})


def test_what_is_wrong_as_it_stands(tmp_path: Path) -> None:
    no_bound = "refuted: known [1, 2], found no bound: a number for each metric is one"
    assert told(tmp_path, AT_ONCE) == (5, {
        "known optimal on neither": "refuted: known 7, and `solvable: false` is known too",
        "known optimal on beside": "refuted: known 8, and `at_most: 7` is known too",
        "known optimal on there": "refuted: known 1, found 0",
        "known solvable on goal": "refuted: known false, found a plan",
        "known optimal on free": "refuted: known 0, found at least 1",
        "known optimal on words": "refuted: known many, found at least 1",
        "known at_most on words": no_bound,
        "known states on words": "refuted: known some, found at least 0",
        "known optimal moves on metric": "refuted: known 7, found no such metric",
    })  # fmt: skip


def test_a_short_search_is_left_to_prove(tmp_path: Path) -> None:
    assert told(tmp_path, SOON) == (0, {})
    assert told(tmp_path, SOON, "--prove") == (5, {
        "known optimal on less": "refuted: known 6, found 7",
        "known optimal on more": "refuted: known 8, found 7",
        "known states on more": "refuted: known 26, found 27",
        "known at_most on bound": "refuted: known 6, found 7",
        "known solvable on stuck": "refuted: known false, found a plan",
    })  # fmt: skip


def test_a_goal_that_no_state_fulfils() -> None:
    """The goal is false as soon as it is grounded; then nothing else is known of the level's cost."""
    text = DISCS.replace("goal: all(on[d] == c for d in disc)", "goal: any(on[d] == c for d in disc if d > 3)")
    bench = Workbench(load_text(f"{text}  one: {{known: {{optimal: 7}}}}\n", "f.yaml"))
    assert missed_at_once(bench) == {"optimal": "known 7, found unsolvable"}


def test_steps_of_the_file_show_that_less_is_enough(tmp_path: Path) -> None:
    """Two steps, and then 5: no more than 7; a beginning of other data, or of a beginning, says nothing of a level."""
    begun = "  begun: {after: [move 1 c, move 2 b], known: {optimal: 5}}\n"
    solved = f"  solved: {{after: [{', '.join(SOLUTION)}]}}\n"
    known = ["  tower: {known: {optimal: 8}}\n", "  named: {known: {optimal: {cost: 9}}}\n"]
    words = "the steps to {} cost {}, from where {} is known"
    told_of_begun = words.format("begun", 2, 5)
    assert told(tmp_path, known[0] + known[1] + begun) == (5, {
        "known optimal on tower": f"refuted: known 8, and {told_of_begun}",
        "known optimal on named": f"refuted: known 9, and {told_of_begun}",
    })  # fmt: skip
    told_of_solved = words.format("solved", 7, 0)
    assert told(tmp_path, solved + known[0])[1] == {"known optimal on tower": f"refuted: known 8, and {told_of_solved}"}
    assert told(tmp_path, "  tower: {known: {optimal: 7}}\n" + begun + solved) == (0, {})
    aside = "  aside: {state: {on: [a, a, b]}, known: {optimal: 8}}\n"
    assert told(tmp_path, aside + begun + solved + "  again: {after: [move 1 c], known: {optimal: 8}}\n") == (0, {})


def test_what_costs_nothing_has_no_bound() -> None:
    """A plan of steps that cost nothing costs nothing, however long; a start that is a goal does in every metric."""
    free = DISCS.replace("    effect:", "    cost: {time: 0, effort: 1}\n    effect:")
    levels = "  one: {known: {optimal: {time: 0, effort: 0}}}\n"
    levels += "  two: {state: {on: [c, c, c]}, known: {optimal: {effort: 1}}}\n"
    one, two = (Workbench(load_text(free + levels, "f.yaml", level)) for level in ("one", "two"))
    assert missed_at_once(one) == {}
    assert missed_at_once(two) == {"optimal effort": "known 1, found 0"}


def test_a_search_that_was_cut_short_refutes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """6 discs take 63 steps and have 729 states, of which only a few are looked at here."""
    monkeypatch.setattr(known_values, "SOON", Limits(nodes=50))
    monkeypatch.setattr(claims, "MOST_STATES", 50)
    path = tmp_path / "discs.yaml"
    path.write_text(DISCS.replace("1 .. 3", "1 .. 6") + "  tower: {known: {optimal: 60, at_most: 60, states: 700}}\n")
    done = run("check", str(path), "--prove", "--json")
    assert (done.code, done.json["verdicts"]) == (0, {})
