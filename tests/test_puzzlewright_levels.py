"""`levels`: hand-counted figures, known values that hold or are missed, resuming, files, limits, Ctrl-C."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from running import METRICS, run, start

from models.loader import load_text
from models.outcomes import Outcome
from models.referee import Replay
from puzzlewright import load
from puzzlewright.analysis import batch, exploring
from puzzlewright.analysis.batch import Batch, Journal, Level, csv_text, measure, outcome_of
from puzzlewright.analysis.level_rows import (
    RowWanted,
    _applicable,
    _at_most,
    _between,
    _contradicts,
    failed_row,
    rows_of,
)
from puzzlewright.analysis.level_table import LevelTable
from puzzlewright.files.listing import Listing
from puzzlewright.printing import reports as printing
from puzzlewright.report import About, Report, Solution
from puzzlewright.solving.workbench import Workbench

HALL = """
puzzle: hall
data: {length: 3, shut: false}
types: {place: 0 .. length}
state: {at: place = 0}
actions:
  right: {when: at < length and not shut, effect: {at: at + 1}}
  left: {when: at > 0, effect: {at: at - 1}}
goal: at == length
levels:
  three: {length: 3, known: {optimal: 3, states: 4, solvable: true}}
  four: {length: 4, known: {optimal: 4}}
  shut: {length: 2, shut: true, known: {solvable: false, states: 1}}
"""
CIRCLE = """
puzzle: circle
types: {place: 0 .. 2}
state: {at: place = 0}
actions:
  go: {when: at == 0, effect: {at: 1}, cost: 0}
  return: {when: at == 1, effect: {at: 0}, cost: 0}
  leave: {when: at == 1, effect: {at: 2}}
goal: at == 2
"""
CLASH = """
puzzle: clash
types: {place: 0 .. 2, two: 0 .. 1}
state:
  x[t in two]: place = 0
actions:
  go: {params: {i: two}, effect: {"x[0]": 1, "x[1 - i]": 2}}
goal: x[0] == 2
levels: {wrong: {}}
"""
FAR = "[15, 14, 8, 12, 10, 11, 13, 9, 2, 6, 5, 1, 3, 7, 4, 0]"  # 80 slides: far beyond the time of any test


def measured(text: str, level: str | None = None, **wanted: Any) -> dict[str, Any]:
    return list(rows_of(load_text(text, "x.yaml", level), RowWanted(**wanted)))[-1]


def figures(row: dict[str, Any], *names: str) -> tuple[Any, ...]:
    return tuple(row[name] for name in names)


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    path = tmp_path / "hall.yaml"
    path.write_text(HALL, encoding="utf-8")
    return path


# -- figures -----------------------------------------------------------------------------------------------------------


def flipped(stack: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[int, ...]:
    for size in sizes:
        stack = (*reversed(stack[:size]), *stack[size:])
    return stack


PANCAKES = sum(flipped((1, 3, 0, 2), sizes) == (0, 1, 2, 3) for sizes in product((2, 3, 4), repeat=4))
NAMES = ("outcome", "optimum", "length", "states", "branching", "dead_end_share", "forced", "optimal_plans", "changes")


@pytest.mark.parametrize(
    ("name", "level", "expected"),
    [
        ("hanoi", "three", ("optimal", 7, 7, 27, 2.8889, 0.0, 0, 1, 6)),  # 3 * (27 - 1) edges; no disc moves twice
        ("hanoi", "two-pegs", ("unsolvable", None, None, 2, 1.0, 1.0, None, 0, None)),
        ("n_puzzle", "two-by-two", ("optimal", 6, 6, 12, 2.0, 0.0, 5, 2, 5)),  # opposite places of a ring of 12
        ("n_puzzle", "row", ("optimal", 4, 4, 5, 1.6, 0.0, 4, 1, 3)),  # a path of 5
        ("pancake", "four", ("optimal", 4, 4, 24, 3.0, 0.0, 0, PANCAKES, 3)),  # no flip twice in a row
    ],
)
def test_hand_counted_figures(name: str, level: str, expected: tuple[Any, ...]) -> None:
    row = list(rows_of(load(name, level), RowWanted()))[-1]
    assert figures(row, *NAMES) == expected
    assert (row["open"], row["missed"], row["notes"]) == ([], [], [])


def test_every_metric_is_minimised() -> None:
    levels = "levels: {one: {known: {optimal: {time: 4, effort: 3}, states: 7}}}"
    row = measured(METRICS + levels)
    assert figures(row, "metric", "optima", "optimum", "optimal_plans", "changes") == (
        "time",
        {"time": 4, "effort": 3},
        4,
        2,
        1,
    )
    assert row["held"] == ["optimal time", "optimal effort"]


ORDERED = {"time,effort": [4, 6], "effort,time": [3, 9]}  # a step and a leap; three steps


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    path = tmp_path / "walk.yaml"
    path.write_text(METRICS, encoding="utf-8")
    return path


def test_an_order_of_metrics_is_minimised(walk: Path) -> None:
    words = ("levels", walk, "--metric", "time,effort", "--metric", "effort,time", "--json")
    (row,) = run(*words).json["rows"]
    assert figures(row, "metric", "optima", "optimum", "lower_bound") == ("time,effort", ORDERED, 4, 4)
    assert figures(row, "states", "optimal_plans") == (4, 2)
    (row,) = run(*words[:-1], "--metric", "effort", "--json").json["rows"]
    assert row["optima"] == {**ORDERED, "effort": 3}
    wrong = run("levels", walk, "--metric", "time", "--metric", "tmie", "--json").json
    assert wrong["outcome"] == "usage-error" and "did you mean 'time'" in wrong["diagnostics"][0]["message"]


def test_optima_only(walk: Path) -> None:
    (row,) = run("levels", walk, "--optima", "--json").json["rows"]
    assert figures(row, "outcome", "optima", "length") == ("optimal", {"time": 4, "effort": 3}, 2)
    assert figures(row, "states", "branching", "dead_end_share", "optimal_plans") == (None,) * 4


def test_endless_best_plans() -> None:
    row = measured(CIRCLE)
    assert figures(row, "outcome", "optimum", "optimal_plans") == ("optimal", 1, "infinite")


def test_the_row_grows() -> None:
    """A process that is ended leaves what it knew."""
    rows = list(rows_of(load_text(HALL, "x.yaml"), RowWanted()))
    assert [row["optimum"] for row in rows] == [3] * 5
    assert [row["states"] for row in rows] == [None, None, 4, 4, 4]
    assert [row["optimal_plans"] for row in rows] == [None, None, None, 1, 1]


def test_a_race() -> None:
    row = list(rows_of(load("n_puzzle", "two-by-two"), RowWanted(race=True)))[-1]
    assert row["outcome"] == "optimal" and row["race"][row["quickest"]] == min(row["race"].values())
    assert _applicable(Workbench(load("n_puzzle", "two-by-two"))) == ["bfs", "astar", "bidirectional", "idastar"]
    assert _applicable(Workbench(load_text(HALL, "x.yaml"))) == ["bfs", "bidirectional"], "no heuristic"
    assert _applicable(Workbench(load_text(METRICS, "x.yaml"))) == [], "neither unit costs nor a proven heuristic"


def test_another_optimum_in_the_walk_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"exhausted": True, "states": 4, "goal_states": 1, "nearest_goal": {"cost": 2}, "dead_ends": 0,
             "branching": {"average": 1.5}, "optimal_plans": 1}  # fmt: skip
    figures = SimpleNamespace(as_json=lambda: {"exploration": wrong})
    monkeypatch.setattr(exploring, "explore", lambda *given: SimpleNamespace(payload=lambda kind: figures))
    row = measured(HALL)
    assert (row["outcome"], row["notes"]) == ("disagreement", ["the walk through all states finds another optimum"])
    wrong["nearest_goal"] = {"cost": 3}
    assert measured(HALL)["outcome"] == "optimal"


# -- what is known -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "known", "figure", "found"),
    [
        ("{}", "{optimal: 2}", "optimal", "3"),
        ("{}", "{optimal: 4, states: 4}", "optimal", "3"),
        ("{}", "{optimal: three}", "optimal", "3"),
        ("{}", "{optimal: {cost: 4}}", "optimal cost", "3"),
        ("{}", "{optimal: {cost: 3, pushes: 3}}", "optimal pushes", "no such metric"),
        ("{}", "{states: 5}", "states", "4"),
        ("{}", "{solvable: false}", "solvable", "a plan"),
        ("{shut: true}", "{solvable: true}", "solvable", "unsolvable"),
        ("{shut: true}", "{optimal: 3}", "optimal", "unsolvable"),
    ],
)
def test_missed_values(level: str, known: str, figure: str, found: str) -> None:
    text = HALL.split("levels:")[0] + f"levels: {{only: {level[:-1]}{', ' * (level != '{}')}known: {known}}}}}"
    (missed,) = measured(text)["missed"]
    assert (missed["figure"], missed["found"]) == (figure, found)


@pytest.mark.parametrize(
    ("metrics", "known", "found"),
    [
        ("time,effort", "[4, 6]", None),
        ("effort,time", "[3, 9]", None),
        ("effort,time", "[3, 8]", "3, 9"),
        ("time,effort", "[4, 7]", "4, 6"),
        ("time,effort", "[5, 0]", "4, 6"),
        ("time,effort", "4", "4, 6"),
        ("time,effort", "[4, 6, 0]", "4, 6"),
        ("time", "[four]", "4"),
        ("time,efort", "[4, 6]", "no such metric"),
    ],
)
def test_a_known_order_of_metrics_is_compared(metrics: str, known: str, found: str | None) -> None:
    row = measured(METRICS + f"levels: {{one: {{known: {{optimal: {{'{metrics}': {known}}}}}}}}}")
    held, missed = ([f"optimal {metrics}"], []) if found is None else ([], [found])
    assert (row["held"], [each["found"] for each in row["missed"]]) == (held, missed)


@pytest.mark.parametrize(("least", "held"), [(4, ["optimal time"]), (5, [])])
def test_an_order_answers_for_the_metrics_that_it_begins_with(least: int, held: list[str]) -> None:
    text = METRICS + f"levels: {{one: {{known: {{optimal: {{time: {least}, effort: 3}}}}}}}}"
    row = measured(text, orders=(("time", "effort"),))
    assert (row["held"], row["open"], len(row["missed"])) == (held, ["optimal effort"], 1 - len(held))


def test_bounds_on_an_order_of_metrics() -> None:
    """A proven bound is about the first metric, a plan about all of them."""
    assert _between((5, 1), (5,), (6, 0)) == ("open", "")
    assert _between((4, 9), (5,), (6, 0)) == ("missed", "at least 5 and at most 6, 0")
    assert _between((6, 1), (5,), (6, 0)) == ("missed", "at least 5 and at most 6, 0")
    assert _between((4, 9), (5,), None) == ("missed", "at least 5")


@pytest.mark.parametrize(
    ("known", "verdict"),
    [
        ("3", "held"),
        ("23", "held"),
        ("2", "3"),
        ("{cost: 3}", "held"),
        ("{cost: 2}", "3"),
        ("{pushes: 3}", "no such metric"),
        ("three", "no bound: a number for each metric is one"),
        ("[3, 3]", "no bound: a number for each metric is one"),
    ],
)
def test_a_bound_that_others_have_found(known: str, verdict: str) -> None:
    """The hall takes 3 steps."""
    row = measured(HALL.split("levels:")[0] + f"levels: {{only: {{known: {{optimal: 3, at_most: {known}}}}}}}")
    figure = "at_most cost" if "cost" in known else "at_most pushes" if "pushes" in known else "at_most"
    assert row["held"] == ["optimal", *[figure] * (verdict == "held")] and row["open"] == []
    assert [each["found"] for each in row["missed"]] == [verdict] * (verdict != "held")


def test_a_bound_is_listed() -> None:
    one, two = {"level": "a", "known": {"at_most": 9}}, {"level": "b", "known": {"optimal": 3, "at_most": {"moves": 9}}}
    rows = ({"puzzle": "hall", "about": "", "levels": [one, two, {"level": "c", "known": {"at_most": {"moves": 9}}}]},)
    told = list(Listing(rows).as_text(Report("list", Outcome.VALID)))
    assert told == ["hall", "    levels (best cost): a (at most 9), b (3), c (at most 9 moves)"]


def test_a_bound_on_what_cannot_be_solved() -> None:
    (missed,) = measured(HALL.split("levels:")[0] + "levels: {only: {shut: true, known: {at_most: 9}}}")["missed"]
    assert missed == {"figure": "at_most", "known": 9, "found": "unsolvable"}


@pytest.mark.parametrize(
    ("known", "verdict"),
    [("[4, 6]", "held"), ("[4, 7]", "held"), ("[5, 0]", "held"), ("[4, 5]", "4, 6"), ("[3, 9]", "4, 6"),
     ("4", "no bound: a number for each metric is one")],
)  # fmt: skip
def test_a_bound_in_an_order_of_metrics(known: str, verdict: str) -> None:
    """The least time is 4, and then the least effort 6; the order is minimised because of the bound."""
    row = measured(METRICS + f"levels: {{one: {{known: {{at_most: {{'time,effort': {known}}}}}}}}}")
    assert (row["held"], [each["found"] for each in row["missed"]]) == (
        (["at_most time,effort"], []) if verdict == "held" else ([], [verdict])
    )


def found_so_far(cost: int | None, lower: int | None) -> dict[tuple[str, ...], Report]:
    """A search that was stopped."""
    solution = None if cost is None else Solution((), (), {}, Replay((), {"cost": cost}, ()), cost)
    return {("cost",): Report("solve", Outcome.TIME_LIMIT, About("hall"), lower_bound=lower, solution=solution)}


@pytest.mark.parametrize(
    ("cost", "lower", "verdict"),
    [
        (None, None, ("open", "")),
        (None, 23, ("open", "")),
        (None, 24, ("missed", "at least 24")),
        (30, 20, ("open", "")),
        (30, 24, ("missed", "at least 24 and at most 30")),
        (23, 20, ("held", "")),  # the optimum is not known, but that it keeps to the bound
        (24, None, ("open", "")),
    ],
)
def test_a_bound_and_a_search_that_was_stopped(cost: int | None, lower: int | None, verdict: tuple[str, str]) -> None:
    assert _at_most(23, found_so_far(cost, lower), ("cost",)) == verdict


@pytest.mark.parametrize(("states", "key"), [(2, "missed"), (300_000, "open"), (181_440, "open")])
def test_states_beyond_the_limit(states: int, key: str) -> None:
    """What was counted is a bound: fewer cannot be right, more may be."""
    text = Path(load("n_puzzle").source).read_text(encoding="utf-8")
    only = f"{{start: [1, 8, 7, 3, 0, 5, 4, 6, 2], known: {{states: {states}}}}}"
    text = text.split("\nlevels:")[0] + f"\nlevels: {{only: {only}}}\n"
    row = measured(text, node_limit=100)
    assert row["states"] is None and len(row[key]) == 1
    assert row["outcome"] == "optimal" and row["optimum"] == 22


def test_a_wrong_known_value_is_refuted(tmp_path: Path, hall: Path) -> None:
    hall.write_text(HALL.replace("optimal: 4", "optimal: 5"), encoding="utf-8")
    kept = tmp_path / "rows"
    shown = run("levels", hall, "--resume", kept)
    assert shown.code == 5
    assert "! four: optimal: known 5, found 4" in shown.out.splitlines()
    assert [line.split()[0] for line in shown.out.splitlines()[4:7]] == ["three", "!", "shut"]
    assert shown.out.splitlines()[-1] == "refuted: 3 levels; known values: 5 right, 1 wrong, 0 open"
    found = run("levels", hall, "--resume", kept, "--json", "-l", "f*").json
    assert (found["outcome"], [row["level"] for row in found["rows"]]) == ("refuted", ["four"])
    assert found["rows"][0]["missed"] == [{"figure": "optimal", "known": 5, "found": "4"}]


def test_an_unsolvable_level_may_be_right(hall: Path) -> None:
    found = run("levels", hall, "--level", "shut", "--json").json
    assert (found["outcome"], found["puzzle"], found["exit_code"]) == ("valid", "hall", 0)
    (row,) = found["rows"]
    assert (row["outcome"], row["held"]) == ("unsolvable", ["states", "solvable"])


def test_a_puzzle_without_levels(tmp_path: Path) -> None:
    path = tmp_path / "circle.yaml"
    path.write_text(CIRCLE, encoding="utf-8")
    shown = run("levels", path)
    assert shown.code == 0 and shown.out.splitlines()[4].split()[:3] == ["circle", "1", "3"]


@pytest.mark.parametrize(
    ("words", "stopped", "outcome"),
    [
        (("optimal", "unsolvable"), False, "valid"),
        (("optimal", "time-limit"), False, "unproven"),
        (("optimal", "time-limit", "missed"), False, "refuted"),
        (("missed", "invalid-input"), False, "invalid-input"),
        (("missed",), True, "interrupted"),
        (("internal-error", "missed"), True, "internal-error"),
        (("internal-error", "disagreement"), True, "disagreement"),
    ],
)
def test_the_worst_row_decides(words: tuple[str, ...], stopped: bool, outcome: str) -> None:
    rows = [failed_row(Outcome("optimal" if word == "missed" else word)) for word in words]
    for word, row in zip(words, rows, strict=True):
        row["missed"] = [{}] if word == "missed" else []
    assert outcome_of(rows, stopped) == outcome


# -- child processes ---------------------------------------------------------------------------------------------------


def one_level(make: Callable[[], Any], **wanted: Any) -> dict[str, Any]:
    found = measure([Level("x", "only", "", make)], Batch(RowWanted(**wanted))).payload(LevelTable)
    assert found is not None
    (row,) = found.rows
    return row


@pytest.mark.parametrize(
    ("make", "outcome", "note"),
    [
        (partial(os._exit, 3), "internal-error", "its process ended with code 3"),
        (partial(int, "x"), "internal-error", "ValueError: invalid literal for int() with base 10: 'x'"),
        (
            partial(load_text, "puzzle: x", "x.yaml"),
            "invalid-input",
            "x.yaml:1:1: error[E102]",
        ),
    ],
)
def test_what_fails_in_a_child_is_its_rows_outcome(make: Callable[[], Any], outcome: str, note: str) -> None:
    row = one_level(make)
    assert row["outcome"] == outcome and row["notes"][0].startswith(note)


def test_a_child_that_is_late_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "GRACE", 0.0)
    began = time.monotonic()
    row = one_level(partial(time.sleep, 600), time_limit=0.1)
    assert (row["outcome"], row["optima"]) == ("time-limit", {}) and "ended" in row["notes"][0]
    assert time.monotonic() - began < 300


@pytest.mark.slow
def test_the_time_limit(tmp_path: Path) -> None:
    found = run("levels", "n_puzzle", "-l", "hardest-8", "--set", "rows=4", "--set", "cols=4", "--set", f"start={FAR}",
                "--time-limit", "5", "--json").json  # fmt: skip
    (row,) = found["rows"]
    assert (found["outcome"], row["outcome"], row["optima"]) == ("unproven", "time-limit", {"cost": None})
    assert 40 <= row["lower_bound"] <= 80
    assert row["held"] == row["open"] == row["missed"] == [], "what is known is about other data"


def test_ctrl_c_keeps_the_finished_rows(tmp_path: Path) -> None:
    text = Path(load("n_puzzle").source).read_text(encoding="utf-8")
    far = f"\n  far: {{rows: 4, cols: 4, start: {FAR}}}\n  row: {{rows: 1, cols: 3, start: [0, 1, 2]}}\n"
    path, kept = tmp_path / "far.yaml", tmp_path / "rows"
    path.write_text(text.split("\nlevels:")[0] + "\nlevels:" + far, encoding="utf-8")
    process = start("levels", str(path), "--jobs", "2", "--resume", str(kept), "--json", "--csv", str(tmp_path / "csv"))
    wait_for(lambda: kept.exists() and kept.read_text().endswith("\n"))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    found = json.loads(out)
    assert (process.returncode, found["outcome"]) == (130, "interrupted") and b"Traceback" not in err
    assert [figures(row, "level", "outcome", "optimum") for row in found["rows"]] == [("row", "optimal", 2)]
    assert found["notes"] == ["1 of 2 levels are finished"]
    assert len((tmp_path / "csv").read_text().splitlines()) == 2


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


# -- files -------------------------------------------------------------------------------------------------------------


def test_resuming(hall: Path, tmp_path: Path) -> None:
    kept = tmp_path / "rows"
    words = ("levels", hall, "--resume", kept, "--json", "-l")
    assert [row["level"] for row in run(*words, "three").json["rows"]] == ["three"]
    (line,) = kept.read_text(encoding="utf-8").splitlines()
    kept.write_text(json.dumps({**json.loads(line), "seconds": 99.5}) + '\n{"key": "torn', encoding="utf-8")
    rows = run(*words, "t*", "-l", "four").json["rows"]
    assert [(row["level"], row["seconds"] == 99.5) for row in rows] == [("three", True), ("four", False)]
    assert "key" not in rows[0] and len(kept.read_text(encoding="utf-8").splitlines()) == 2
    again = run(*words, "three", "--node-limit", "3").json["rows"]
    assert [figures(row, "seconds", "states") == (99.5, 4) for row in again] == [False], "asked for something else"
    hall.write_text(HALL.replace("three: {length: 3,", "three: {length: 1,"), encoding="utf-8")
    assert run(*words, "three").json["rows"][0]["optimum"] == 1


ROOM = """
puzzle: room
data:
  board: ["#####", "#@ .#", "#####"]
types:
  cell: cells(board, omit="#", plain=" ")
state:
  keeper: cell = first(c for c in cell if board[c] == "@")
actions:
  walk:
    params: {d: direction}
    effect:
      keeper: keeper + d
goal: board[keeper] == "."
accepts: {xsb: board}
levels:
  1: {known: {optimal: 7}}
"""


def test_a_row_rests_on_what_is_known_of_its_level(tmp_path: Path) -> None:
    """The first board of the level file is that of level 1, of which the puzzle file says what is false."""
    path, boards, kept = tmp_path / "room.yaml", tmp_path / "boards.xsb", tmp_path / "rows"
    path.write_text(ROOM, encoding="utf-8")
    boards.write_text("#####\n#@ .#\n#####\n", encoding="utf-8")
    own = run("levels", path, "--resume", kept, "--json").json
    other = run("levels", path, "--level-file", boards, "--resume", kept, "--json").json
    assert [each["outcome"] for each in (own, other)] == ["refuted", "valid"]
    assert [figures(each["rows"][0], "optimum", "held", "missed")[0] for each in (own, other)] == [2, 2]
    assert (other["rows"][0]["held"], other["rows"][0]["missed"]) == ([], [])
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 2
    scrambled = run("levels", path, "--scramble", "0", "--resume", kept, "--json").json
    assert (scrambled["outcome"], scrambled["rows"][0]["missed"]) == ("valid", [])


def test_a_row_rests_on_the_program(hall: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("levels", hall, "--resume", tmp_path / "rows", "--json", "-l", "three")
    seconds = [run(*words).json["rows"][0]["seconds"] for _ in range(2)]
    assert seconds[0] == seconds[1]
    monkeypatch.setattr(batch, "program", lambda parts: "another version")
    run(*words)
    assert len((tmp_path / "rows").read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.parametrize("text", ["puzzle: x\n", "puzzle: x", "[1]\n", '{"a": 1}\n'])
def test_another_file_is_not_written_to(hall: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "other").write_text(text, encoding="utf-8")
    found = run("levels", hall, "--resume", tmp_path / "other", "--json").json
    assert found["outcome"] == "usage-error"
    assert (tmp_path / "other").read_text(encoding="utf-8") == text


PIT = """
puzzle: pit
types: {place: 0 .. 24000}
state: {at: place = 0, fallen: bool = false}
actions:
  walk: {when: at < 24000 and not fallen, effect: {at: at + 1}}
  fall: {when: at == 24000 and not fallen, effect: {fallen: true}}
goal: at > 10 and not fallen
"""


def test_one_dead_end_is_not_none(tmp_path: Path) -> None:
    path = tmp_path / "pit.yaml"
    path.write_text(PIT, encoding="utf-8")
    assert run("levels", path, "--json").json["rows"][0]["dead_end_share"] == 1 / 24002
    assert " <1% " in run("levels", path).out
    path.write_text(PIT.replace("goal: at > 10", "goal: at == 0"), encoding="utf-8")
    assert run("levels", path, "--json").json["rows"][0]["dead_end_share"] == 24001 / 24002
    assert " >99% " in run("levels", path).out


FUEL = """
puzzle: fuel
types: {place: 0 .. 2}
state: {at: place = 0, full: bool = true}
actions:
  walk: {when: at < 2, effect: {at: at + 1, full: false}, cost: {moves: 1, fuel: "2 if full else 1"}}
  back: {when: at > 0, effect: {at: at - 1}, cost: {moves: 1, fuel: "1"}}
goal: at == 2
levels:
  one: {known: {states: 3}}
"""


def test_known_states_are_those_of_the_first_metric(tmp_path: Path) -> None:
    """The tank has an influence on the fuel only: four states, two of them at the start."""
    path = tmp_path / "fuel.yaml"
    path.write_text(FUEL, encoding="utf-8")
    for metric, states, held in (("moves", 3, ["states"]), ("fuel", 4, []), ("fuel,moves", 4, [])):
        found = run("levels", path, "--metric", metric, "--json").json
        assert (found["outcome"], found["rows"][0]["states"], found["rows"][0]["held"]) == ("valid", states, held)


def test_a_bound_above_what_the_walk_finds_is_a_contradiction() -> None:
    space = {"exhausted": True, "goal_states": 1, "nearest_goal": {"cost": 3}}
    for outcome, bound, contradicts in (("time-limit", 3, False), ("time-limit", 4, True), ("unsolvable", None, True)):
        assert _contradicts(space, Report("solve", Outcome(outcome), lower_bound=bound)) is contradicts


def test_a_failed_level_is_made_again(tmp_path: Path) -> None:
    for outcome, lines in ((Outcome.INTERNAL_ERROR, 0), (Outcome.TIME_LIMIT, 1)):
        Journal(tmp_path / "rows").add({"key": "a", **failed_row(outcome)})
        assert len(Journal(tmp_path / "rows").rows) == lines


def test_csv(hall: Path, tmp_path: Path) -> None:
    path = tmp_path / "levels.csv"
    hall.write_text(HALL.replace("optimal: 4", "optimal: 5"), encoding="utf-8")
    assert run("levels", hall, "--csv", path, "-q", "-l", "four", "-l", "s*").code == 5
    four, shut = csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    names = (
        "level",
        "outcome",
        "optimum",
        "states",
        "branching",
        "dead_end_share",
        "forced",
        "optimal_plans",
        "quickest",
    )
    assert figures(four, *names) == ("four", "optimal", "4", "5", "1.6", "0.0", "4", "1", "")
    assert figures(shut, *names) == ("shut", "unsolvable", "", "1", "0.0", "1.0", "", "0", "")
    assert figures(four, "held", "missed") == ("", "optimal: known 5, found 4")
    assert figures(shut, "held", "missed") == ("states, solvable", "")


def test_csv_has_a_column_for_each_metric() -> None:
    rows = [{"level": "one", **failed_row(Outcome.OPTIMAL), "optima": {"moves": 7, "pushes": None}}]
    (row,) = csv.DictReader(csv_text(rows).splitlines())
    assert figures(row, "optimum_moves", "optimum_pushes") == ("7", "")


def test_the_table_keeps_to_100_columns(capsys: pytest.CaptureFixture[str]) -> None:
    largest = {"states": 1_000_000, "branching": 12.34, "dead_end_share": 1.0, "forced": 1_234, "changes": 1_234,
               "optimal_plans": 10**400, "quickest": "bidirectional", "race": {"bfs": 1.0}, "seconds": 1.5}  # fmt: skip
    row = {"level": "a long name of a level, as collections have them " * 2, **failed_row(Outcome.OPTIMAL), **largest}
    rows = ({**row, "optima": {"moves": 47, "pushes": 10}, "missed": [{"figure": "states", "known": 3, "found": "4"}]},)
    printing.print_report(Report("levels", Outcome.REFUTED, About("x"), payloads=(LevelTable(rows),)))
    table = capsys.readouterr().out.splitlines()[2:5]
    assert table[0].split()[:5] == ["level", "moves", "/", "pushes", "states"]
    cells = re.split(r"\s{2,}", table[2])
    assert cells[0].startswith("! a lo") and cells[0].endswith("…")
    assert cells[1:7] == ["47 / 10", "1,000,000", "12.34", "100%", "1,234", "1.0e+400"]
    assert max(map(len, table)) <= 100


# -- bad input ---------------------------------------------------------------------------------------------------------


def test_bad_input(hall: Path, tmp_path: Path) -> None:
    found = run("levels", hall, "-l", "thre", "--json").json
    assert (found["outcome"], found["diagnostics"][0]["code"]) == ("invalid-input", "E409")
    assert found["diagnostics"][0]["hint"] == "did you mean 'three'?"
    hall.write_text(HALL.replace("four: {length: 4", "four: {lenght: 4"), encoding="utf-8")
    wrong = run("levels", hall, "--resume", tmp_path / "rows")
    assert wrong.code == 31 and "lenght" in wrong.err and not (tmp_path / "rows").exists()
    assert run("levels", "n_puzzle", "--csv", tmp_path).code == 2
    assert run("levels", "n_puzzle", "--jobs", "0").code == 2


FROM = """
puzzle: from
data: {length: 3, begin: 0}
types: {place: 0 .. length}
state: {at: place = begin}
actions:
  right: {when: at < length, effect: {at: at + 1}}
goal: at == length
levels:
  fine: {length: 2, begin: 1}
  four: {length: 4, begin: 9}
  two: {length: 2, begin: 8}
"""


def test_what_is_wrong_with_a_level_is_told_with_its_name(tmp_path: Path) -> None:
    """Both wrong levels at once; what is wrong with the rules is told once, for no level."""
    path = tmp_path / "from.yaml"
    path.write_text(FROM, encoding="utf-8")
    found = run("levels", path, "--json").json["diagnostics"]
    assert [(each["code"], each["line"]) for each in found] == [("E312", 5)] * 2
    told = ["9 is no value of `place` (level four)", "8 is no value of `place` (level two)"]
    assert [each["message"] for each in found] == told
    assert run("levels", path, "-l", "fine").code == 0
    path.write_text(FROM.replace("goal: at ==", "goal: ta =="), encoding="utf-8")
    (every,) = (each for each in run("levels", path, "--json").json["diagnostics"] if each["line"] == 8)
    assert "level" not in every["message"]


def test_what_is_wrong_with_a_level_of_a_level_file_is_told_with_its_number(tmp_path: Path) -> None:
    collection = tmp_path / "three.xsb"
    collection.write_text("#####\n#@$.#\n#####\n\n#####\n# $.#\n#####\n\n####\n# .#\n####\n", encoding="utf-8")
    found = run("levels", "sokoban", "--level-file", collection, "--json").json["diagnostics"]
    assert [each["message"][-9:] for each in found] == ["(level 2)", "(level 3)"]
    (row,) = run("levels", "sokoban", "--level-file", collection, "-l", "1", "--json").json["rows"]
    assert row["optimum"] == 1


def test_a_level_that_cannot_be_grounded_has_its_row(tmp_path: Path) -> None:
    path = tmp_path / "clash.yaml"
    path.write_text(CLASH, encoding="utf-8")
    shown = run("levels", path)
    assert shown.code == 31
    assert "wrong  invalid-input" in shown.out and "error[E417]" in shown.out
    assert shown.out.splitlines()[-1].startswith("invalid-input: 1 level;")


def test_levels_of_a_level_file_by_number(tmp_path: Path) -> None:
    """Two corridors: a box one push, and one step and a push, from its store."""
    collection = tmp_path / "two.xsb"
    collection.write_text("; one\n#####\n#@$.#\n#####\n\n; two\n######\n#@ $.#\n######\n", encoding="utf-8")
    rows = run("levels", "sokoban", "--level-file", collection, "--json").json["rows"]
    assert [(row["level"], row["optima"]) for row in rows] == [
        ("1", {"moves": 1, "pushes": 1}),
        ("2", {"moves": 2, "pushes": 1}),
    ]
    second = run("levels", "sokoban", "--level-file", collection, "--level", "2", "--json").json["rows"]
    assert [row["level"] for row in second] == ["2"]
    missing = run("levels", "sokoban", "--level-file", collection, "--level", "3", "--json").json
    assert missing["diagnostics"][0]["code"] == "E409"
    collection.write_text("nothing\n", encoding="utf-8")
    assert run("levels", "sokoban", "--level-file", collection, "--json").json["diagnostics"][0]["code"] == "E503"
