"""`--scramble`, `--seeds`, and levels that state their start: walks judged by the referee, starts seen by all."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from puzzle_files import load_file
from running import run

from models import referee
from models.errors import PuzzleError, render
from models.interpreter import State
from models.loader import load_text
from models.puzzle import Puzzle
from puzzlewright.analysis.batch import levels_of
from puzzlewright.analysis.scrambling import drawn_levels, scrambled, walk
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench

PUZZLES = Path(__file__).parent.parent / "puzzles"
ROW = ("n_puzzle", "--level", "row")  # 1 x 5, the gap at the far end: the only walk goes to the other end and back
KINDS = """
puzzle: kinds
types:
  cell: grid(2, 2)
  card: objects(2)
  mood: [glad, sad]
  row: 1 .. 2
  column: 0 .. 2
state:
  at: cell or none = none
  way: direction or none = none
  held[h in mood]: card or none = none
  lit[c in cell]: bool = false
  many[i in row, j in column]: 0 .. 9 = 0
actions:
  stay: {effect: {}}
goal: lit[cell(0, 0)]
levels:
  plain: {}
"""


def puzzle_of(name: str, level: str, *settings: tuple[str, Any]) -> Puzzle:
    return load_file(PUZZLES / f"{name}.yaml", level, dict(settings))


def start_after(puzzle: Puzzle, steps: int, seed: int = 0) -> State:
    return referee.start_state(scrambled(puzzle, steps, seed)[0])


# -- the walk ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "level"), [("n_puzzle", "easy-8"), ("hanoi", "three"), ("sokoban", "little"), ("vehicles", "n2")]
)
def test_each_step_is_one_that_the_referee_allows(name: str, level: str) -> None:
    """The same seed walks the same way, so the starts after 0, 1, 2, ... steps are the states of one walk."""
    puzzle = puzzle_of(name, level)
    states = [start_after(puzzle, steps, 7) for steps in range(6)]
    assert states[0] == referee.start_state(puzzle)
    for before, after in zip(states, states[1:], strict=False):
        assert after in [state for _, state in referee.successors(puzzle, before)]
        assert after != before


def test_a_walk_turns_back_only_where_it_has_to() -> None:
    """Along the row there is one way; at its end the only step leads back."""
    assert [run("solve", *ROW, "--scramble", steps, "--json").json["cost"] for steps in ("0", "3", "4", "5", "8")] == [
        4, 1, 0, 1, 4]  # fmt: skip
    puzzle = puzzle_of("n_puzzle", "easy-8")
    states = [start_after(puzzle, steps, 1) for steps in range(12)]
    assert all(states[number] != states[number + 2] for number in range(10))


def test_a_walk_ends_where_no_action_applies(tmp_path: Path) -> None:
    path = tmp_path / "stairs.yaml"
    path.write_text(
        "puzzle: stairs\nstate: {at: 0 .. 3 = 0}\nactions:\n  up:\n    effect: {at: at + 1}\ngoal: at == 3\n", "utf-8"
    )
    found = run("solve", path, "--scramble", "9", "--json").json
    assert found["scramble"] == {"steps": 9, "seed": 0, "walked": 3, "start": {"at": 3}} and found["cost"] == 0
    assert "the start is scrambled by 3 random steps, then no action applied" in found["notes"][-1]


def test_ground_actions_are_drawn_evenly() -> None:
    """Three hands do the very same, a hop something else: of 400 first steps some 300 (sigma 8.7) are by hand."""
    text = """
puzzle: hands
types: {hand: 1 .. 3}
state: {at: 0 .. 2 = 0}
actions:
  go: {params: {h: hand}, when: at == 0, effect: {at: 1}}
  hop: {when: at == 0, effect: {at: 2}}
  idle: {effect: {}}
goal: at == 2
"""
    bench = Workbench(load_text(text, "hands.yaml"))
    machine = bench.machine()
    ends = [list(walk(bench.task, machine, 1, random.Random(seed)))[-1] for seed in range(400)]
    at = [machine.layout.unpack(end)[0] for end in ends]
    assert set(at) == {1, 2}  # `idle` changes nothing
    assert 265 <= at.count(1) <= 335


@pytest.mark.slow
def test_the_metric_does_not_change_the_walk() -> None:
    """Nor does which block was moved last count as part of the start."""
    given = ("solve", "klotski", "--level", "first", "--scramble", "9", "--json")
    one, other = run(*given).json["scramble"], run(*given, "--metric", "moves").json["scramble"]
    assert one == other and (one["start"]["last"], one["start"]["way"]) == ("none", "none")


# -- what the start is to everybody else -------------------------------------------------------------------------------


def solvable(puzzle: Puzzle) -> bool:
    """By the referee alone."""
    start = referee.start_state(puzzle)
    waiting, seen = [start], {tuple(start.items())}
    for state in waiting:
        if referee.is_goal(puzzle, state):
            return True
        for _, after in referee.successors(puzzle, state):
            if (key := tuple(after.items())) not in seen:
                seen.add(key)
                waiting.append(after)
    return False


def test_sokoban_may_become_unsolvable_and_says_so() -> None:
    verdicts = set()
    for seed in range(8):
        puzzle, _ = scrambled(puzzle_of("sokoban", "little"), 6, seed)
        outcome = str(solve(puzzle, Request()).outcome)
        assert outcome == ("optimal" if solvable(puzzle) else "unsolvable"), seed
        verdicts.add(outcome)
    assert verdicts == {"optimal", "unsolvable"}


def test_a_dead_end_is_explained() -> None:
    found = run("solve", "sokoban", "--level", "little", "--scramble", "30", "--seed", "1")
    assert found.code == 11 and "dead end; try another --seed" in found.out and "--scramble 30 --seed 1" in found.out


@pytest.mark.slow
def test_all_commands_start_there(tmp_path: Path) -> None:
    given = ("n_puzzle", "--level", "two-by-three", "--scramble", "11", "--seed", "5")
    plan = tmp_path / "plan.json"
    solved = run("solve", *given, "--plan-out", plan, "--json").json
    cost = solved["cost"]
    assert solved["outcome"] == "optimal" and cost > 2
    assert run("solve", *given, "--backend", "cpsat", "--json").json["cost"] == cost
    proven = run("prove", *given, "--json").json
    assert (proven["cost"], proven["proven_by"]) == (cost, ["search", "cpsat"])
    assert run("verify", "n_puzzle", plan, *given[1:]).code == 0
    assert run("verify", "n_puzzle", plan, "--level", "two-by-three").code == 5
    explored = run("explore", *given, "--json").json
    assert explored["exploration"]["nearest_goal"] == {"cost": cost} and explored["scramble"] == solved["scramble"]
    assert run("explain", *given, "--json").json["cost"] == cost
    rows = run("compare", *given, "--backends", "bfs", "--json").json["rows"]
    assert [row["cost"] for row in rows] == [cost]
    (row,) = run("levels", *given, "--json").json["rows"]
    assert row["optimum"] == cost


def test_known_values_are_of_the_levels_own_start() -> None:
    (row,) = run("levels", "n_puzzle", "--level", "easy-8", "--scramble", "1", "--node-limit", "1", "--json").json[
        "rows"
    ]
    assert row["optimum"] != 3 and (row["held"], row["open"], row["missed"]) == ([], [], [])


def test_a_start_may_be_stated_in_the_file(tmp_path: Path) -> None:
    """What JSON tells of a scrambled start is what a level may say."""
    found = run("solve", "hanoi", "--level", "five", "--scramble", "50", "--seed", "2", "--json").json
    level = f"  there: {{state: {{on: {found['scramble']['start']['on']}}}}}\n"
    path = tmp_path / "hanoi.yaml"
    path.write_text((PUZZLES / "hanoi.yaml").read_text("utf-8").replace("\nlevels:\n", f"\nlevels:\n{level}"), "utf-8")
    assert run("solve", path, "--level", "there", "--json").json["cost"] == found["cost"]


def test_a_start_that_the_file_forbids() -> None:
    text = (
        "puzzle: x\nstate: {at: 0 .. 3 = 0}\nactions:\n  up: {effect: {at: at + 1}}\ngoal: at == 3\nrequire: at < 2\n"
    )
    puzzle = load_text(text, "x.yaml")
    assert start_after(puzzle, 1)["at", ()] == 1
    with pytest.raises(PuzzleError, match="the start breaks `require`: at < 2"):
        scrambled(puzzle, 2, 0)


def test_what_makes_no_sense() -> None:
    for words in (("solve", *ROW, "--scramble", "-1"), ("prove", *ROW, "--scramble", "3", "--certificate", "x"),
                  ("levels", *ROW, "--seeds", "3..1"), ("levels", *ROW, "--seeds", "3"),
                  ("levels", *ROW, "--seeds", "1..2", "--seed", "1"), ("verify", ".", "--scramble", "1")):  # fmt: skip
        assert run(*words).code == 2, words


# -- seeds -------------------------------------------------------------------------------------------------------------

DRAWN = ("n_puzzle", "--level", "random", "--set", "rows=2", "--set", "cols=2")


def test_a_seed_draws_the_same_for_every_command(tmp_path: Path) -> None:
    costs = {}
    for seed in ("1", "2", "3"):
        solved = run("solve", *DRAWN, "--seed", seed, "--plan-out", tmp_path / "plan.json", "--json").json
        costs[seed] = cost = solved["cost"]
        assert run("explain", *DRAWN, "--seed", seed, "--json").json["cost"] == cost
        explored = run("explore", *DRAWN, "--seed", seed, "--json").json["exploration"]
        assert (explored["nearest_goal"] or {"cost": None})["cost"] == cost
        assert run("prove", *DRAWN, "--seed", seed, "--json").json["cost"] == cost
        if cost is not None:
            assert run("verify", DRAWN[0], tmp_path / "plan.json", *DRAWN[1:], "--seed", seed).code == 0
    assert len(set(costs.values())) > 1
    rows = run("levels", *DRAWN, "--seeds", "1..2", "--json").json["rows"]
    assert [(row["level"], row["optimum"]) for row in rows] == [
        (f"random seed {seed}", costs[seed]) for seed in ("1", "2")
    ]
    compared = run("compare", *DRAWN, "--seed", "1", "--backends", "bfs", "--json").json["rows"]
    assert [row["cost"] for row in compared] == [costs["1"]]


def batch(pattern: str, seeds: range, steps: int | None) -> dict[str, State]:
    """The starts of the levels whose names match."""
    path = PUZZLES / "n_puzzle.yaml"
    text = path.read_text("utf-8")
    levels = drawn_levels(lambda seed: levels_of(text, str(path), [pattern], (), seed), seeds, steps)
    assert len({level.fingerprint for level in levels}) == len(levels)
    return {level.name: referee.start_state(level.load()) for level in levels}


def test_one_row_for_each_seed_that_makes_a_difference() -> None:
    assert list(batch("row", range(1, 4), None)) == ["row"]
    assert list(batch("random", range(5, 8), None)) == ["random seed 5", "random seed 6", "random seed 7"]
    assert list(batch("ro*", range(1, 4), 2)) == ["row"]  # all walks along it are the same
    walked = batch("two-by-three", range(1, 4), 9)
    puzzle = puzzle_of("n_puzzle", "two-by-three")
    assert walked == {f"two-by-three seed {seed}": start_after(puzzle, 9, seed) for seed in (1, 2, 3)}


# -- levels that state their start -------------------------------------------------------------------------------------


def stated(entries: str) -> State:
    return referee.start_state(load_text(KINDS + f"  given: {{state: {entries}}}\n", "kinds.yaml", "given"))


def test_values_of_all_kinds() -> None:
    start = stated(
        "{at: [1, 0], way: up, held: {glad: 2, sad: none}, lit: [true, false, false, true],"
        " many: [[1, 2, 3], [4, 5, 6]]}"
    )
    plain = referee.start_state(load_text(KINDS, "kinds.yaml"))
    assert [str(value) for place, value in start.items() if not place[1]] == [
        "Cell(row=1, col=0)",
        "Offset(row=-1, col=0)",
    ]
    assert start["held", ("glad",)].number == 2 and start["held", ("sad",)] == "none"
    assert [value for place, value in start.items() if place[0] == "lit"] == [True, False, False, True]
    assert [value for place, value in start.items() if place[0] == "many"] == [1, 2, 3, 4, 5, 6]
    assert list(start) == list(plain)


def test_what_is_not_named_starts_as_always() -> None:
    start = stated("{way: left}")
    assert start["at", ()] == "none" and str(start["way", ()]) == "Offset(row=0, col=-1)"


def complaints() -> Iterator[tuple[str, str]]:
    yield "{att: none}", "E308 there is no state variable 'att'"
    yield "{at: [2, 0]}", "E413 the start value of at is [2, 0], which is no value of `at`"
    yield "{lit: [1, 0, 0, 1]}", "E413 the start value of lit[[0, 0]] is 1, which is no value of `bool`"
    yield "{lit: [true]}", "E413 the start values of `lit` are a list or table of 4 values, one for each of `cell`"
    yield "{held: {glad: 1}}", "E413 the start values of `held` are a list or table of 2 values, one for each of `mood`"
    yield "{many: [1]}", "E413 the start values of `many` are a list or table of 2 values"
    yield "none", "E103 'state' must be a mapping"


@pytest.mark.parametrize(("entries", "words"), list(complaints()))
def test_what_is_wrong_is_told_where_it_stands(entries: str, words: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        stated(entries)
    (told,) = caught.value.diagnostics
    code, _, message = words.partition(" ")
    assert told.code == code and message in told.message
    assert told.location is not None and told.location.line == KINDS.count("\n") + 1
    assert "given:" in render(told, KINDS + f"  given: {{state: {entries}}}\n")


def test_the_start_is_part_of_the_fingerprint() -> None:
    text = KINDS + "  given: {state: {way: up}}\n"
    other = text.replace("way: up}", "way: down}")
    prints = {
        load_text(each, "kinds.yaml", level).fingerprint for each in (text, other) for level in ("plain", "given")
    }
    assert len(prints) == 4
    puzzle = puzzle_of("hanoi", "three")
    assert len({puzzle.fingerprint, *(scrambled(puzzle, steps, 0)[0].fingerprint for steps in (1, 2, 3))}) == 4
