"""`design`: levels made from others, whose pieces keep their forms, and whose optima the other path proves too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from puzzle_files import PUZZLES
from running import run
from sampled import slow

from models.document import read_document
from models.errors import PuzzleError
from models.loader import load_text
from models.outcomes import Outcome
from models.referee import start_state
from puzzlewright.analysis import designing
from puzzlewright.analysis.designing import WANTS, Designed, DesignWanted, design
from puzzlewright.analysis.level_changes import Letters, changed, grid_of, letters_of, maps_in, pieces
from puzzlewright.files.level_writing import with_level
from puzzlewright.report import Report
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve

FILE = """\
puzzle: walk
data: {board: ["#@.#", "#..#"]}   # kept as it is
types: {cell: 'cells(board, omit="#")'}
state: {at: 'cell = first(c for c in cell if board[c] == "@")'}
actions:
  go: {params: {d: direction}, effect: {at: at + d}}
goal: at == last(cell)
"""
OLD = "levels:\n  old: {}\n"
LEVEL = '  new: {board: ["@..#"]}\n'


def found(name: str, level: str | None, **wanted: object) -> tuple[Designed, str]:
    text = (PUZZLES / f"{name}.yaml").read_text(encoding="utf-8")
    report = design(load_text(text, name, level), Request(), DesignWanted(text=text, seconds=600, **wanted))  # type: ignore[arg-type]
    assert report.outcome is Outcome.OPTIMAL
    told = report.payload(Designed)
    assert told is not None
    return told, text


@pytest.mark.parametrize("want", map(slow, WANTS))
def test_what_is_known_of_a_made_level_is_what_formulas_prove(want: str) -> None:
    told, text = found("klotski", "first", want=want, changes=30)
    puzzle = load_text(with_level(text, "klotski", told.text), "klotski", told.level)
    assert told.better
    assert told.before is not None and told.after is not None
    assert (told.after > told.before) == (want in ("length", "forced", "surprise"))
    report = solve(puzzle, Request("cpsat"))
    assert report.outcome is Outcome.OPTIMAL
    assert f"optimal: {{steps: {report.cost}}}" in told.text


def test_the_same_seed_makes_the_same_level() -> None:
    one, other = (found("water_sort", "one-spare", changes=12)[0] for _ in range(2))
    assert one == other
    assert one.tried == 12


@pytest.mark.parametrize("seed", range(5))
def test_pieces_keep_their_forms(seed: int) -> None:
    board = ("ABBC", "ABBC", "DEEF", "DGHF", "I..J")
    letters = Letters(tuple("ABCDEFGHIJ."), frozenset(".0#"))
    value, random = board, Random(seed)
    for _ in range(20):
        value = changed(value, letters, random)  # type: ignore[assignment]
    found = [(letter, len(places), len({y for y, _ in places})) for letter, places in pieces(grid_of(value))]
    assert sorted(each for each in found if each[0] in "ABCDEF") == [
        *(("A", 2, 2), ("B", 4, 2), ("C", 2, 2), ("D", 2, 2), ("E", 2, 1), ("F", 2, 2))
    ]


def test_ground_is_what_types_leave_out_or_call_plain() -> None:
    document = read_document((PUZZLES / "sokoban.yaml").read_text(encoding="utf-8"), "")
    assert letters_of("board", ("#@ ", "$.#"), document) == Letters(tuple("#@ $."), frozenset("# "))
    assert maps_in({"capacity": 4, "tubes": ("12", "21", ""), "pair": (1, 2)}) == ["tubes"]
    assert maps_in({"start": (1, 0, 2), "rows": 3}) == ["start"]


@pytest.mark.parametrize(("before", "after"), [
    (FILE, FILE + "\nlevels:\n  first: {}\n" + LEVEL),
    (FILE.rstrip("\n"), FILE + "\nlevels:\n  first: {}\n" + LEVEL),
    (FILE + "levels:\n    old: {}\n# end\n", FILE + "levels:\n    old: {}\n  " + LEVEL + "# end\n"),
    (f"{OLD}\n# then\n{FILE}", f"{OLD}{LEVEL}\n# then\n{FILE}"),
    (f"{FILE}{OLD}".replace("\n", "\r\n"), f"{FILE}{OLD}{LEVEL}".replace("\n", "\r\n")),
])  # fmt: skip
def test_a_file_is_as_before_but_for_the_new_level(before: str, after: str) -> None:
    assert with_level(before, "walk.yaml", LEVEL) == after


KEPT = "levels:\n  old:\n    description: |+\n      its last line is empty\n\n"  # below its text


@pytest.mark.parametrize("levels", ["levels: {old: {}}\n", "levels: {}\n", "levels:\n  new: {}\n", KEPT])
def test_a_file_that_takes_no_level_is_refused(levels: str) -> None:
    with pytest.raises(PuzzleError, match="E413"):
        with_level(FILE + levels, "walk.yaml", LEVEL)


def test_save_adds_the_level_to_the_file_and_to_no_built_in_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes((PUZZLES / "klotski.yaml").read_bytes())
    words = ("--from", "first", "--changes", "5", "--save", "--name", "mine")
    answer = run("design", str(path), *words, "--json").json
    assert answer["design"]["saved"] == [str(path)]
    text = path.read_text(encoding="utf-8")
    assert text.replace(answer["design"]["text"], "") == (PUZZLES / "klotski.yaml").read_text(encoding="utf-8")
    assert load_text(text, "", "mine").level == "mine"
    refused = run("design", "klotski", *words)
    assert refused.code == 2
    assert "puzzlewright new FILE --like NAME" in refused.err


COUNTER = """\
puzzle: counter
data: {start: [1, 2, 3, 4]}   # of which the first counts
types: {n: 0 .. 5}
state: {a: 'n = start[0]', b: n = 0}
actions:
  up: {when: a < 5, effect: {a: a + 1}}
  free: {when: b == 0, effect: {b: 1}, cost: 0}
  back: {when: b == 1, effect: {b: 0}, cost: 0}
goal: a == 4
levels:
  one: {}
  solved: {start: [4, 1, 2, 3]}
"""


def test_what_a_file_without_levels_gives_is_what_it_gives_with_one_more() -> None:
    text = COUNTER.partition("levels")[0]
    before, after = (load_text(each, "") for each in (text, with_level(text, "", "  new: {start: [3, 1, 2, 4]}\n")))
    assert start_state(before) == start_state(after)
    assert after.level == "first"


@pytest.mark.parametrize(("level", "want"), [("one", "plans"), ("solved", "easier")])
def test_what_cannot_be_better_is_not(level: str, want: str) -> None:
    """Plans that go in circles for nothing have no number; nothing is easier than what is solved."""
    report = design(load_text(COUNTER, "", level), Request(), DesignWanted(want, 600, text=COUNTER, changes=20))
    told = report.payload(Designed)
    assert told is not None
    assert told.headline(report) == f"no level with {WANTS[want].words} was found; this is {level}"
    assert told.before == told.after == (0 if want == "easier" else None)


def test_figures_are_those_of_the_levels() -> None:
    """By hand: from 1 to 4 in three steps, from 3 in one."""
    report = design(load_text(COUNTER, "", "one"), Request(), DesignWanted("easier", 600, text=COUNTER, changes=30))
    told = report.payload(Designed)
    assert told is not None
    assert told.headline(report) == "a shorter optimum, of one step at least: 1 instead of 3; proven like any optimum"
    assert (told.as_json()["design"]["before"], told.as_json()["design"]["after"]) == (3, 1)  # type: ignore[index]


def test_ctrl_c_while_plans_are_counted_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, left = designing.with_count, iter(range(3))

    def stopped(*given: Any) -> Report:
        report = counted(*given)
        return report if next(left, None) is not None else replace(report, outcome=Outcome.INTERRUPTED)

    monkeypatch.setattr(designing, "with_count", stopped)
    report = design(load_text(COUNTER, "", "one"), Request(), DesignWanted("plans", 600, text=COUNTER, changes=50))
    assert "stopped by Ctrl-C; this is the best level until then" in report.notes


def test_a_level_without_maps_is_refused() -> None:
    refused = run("design", "wolf_goat_cabbage")
    assert refused.code == 31
    assert "E425" in refused.err
