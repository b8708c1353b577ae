"""Plans and heuristics judged for Python programs, searches recorded, and run in large numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import puzzlewright as pw
from models.loader import load_text
from puzzlewright.python import jobs

LINE = """
format: 1
puzzle: line
state:
  at: 0 .. 3 = 0
actions:
  up: {when: at < 3, effect: {at: at + 1}}
  down: {when: at > 0, effect: {at: at - 1}}
goal: at == 3
"""


@pytest.fixture(scope="module")
def tiles() -> pw.Puzzle:
    return pw.load("n_puzzle", "seed-8")


@pytest.fixture(scope="module")
def line() -> pw.Puzzle:
    return load_text(LINE, "line.yaml")


def manhattan(s: pw.State) -> int:
    return sum(abs(c.row - (t - 1) // 3) + abs(c.col - (t - 1) % 3) for c, t in s["at"].items() if t)


# -- plans -------------------------------------------------------------------------------------------------------------


def test_plans_are_judged_by_the_referee(tiles: pw.Puzzle) -> None:
    plan = pw.solve(tiles, "bfs").plan
    assert pw.check_plan(tiles, plan).valid and pw.check_plan(tiles, plan).costs == {"cost": 22}
    short = pw.check_plan(tiles, plan[1:])
    assert (short.valid, short.step) == (False, 1)
    assert short.reason == "`when` fails: at[c] != 0 and at[c + d] == 0 (8 against 0)"
    assert pw.check_plan(tiles, plan[:-1]).reason.startswith("the goal is not reached")
    space = pw.Space(tiles)
    assert pw.check_plan(tiles, [move for move in space.moves(space.start) if move.step == plan[0]]).step == 1
    with pytest.raises(TypeError, match="'up' is neither a step nor a move"):
        pw.check_plan(tiles, ["up"])


# -- heuristics --------------------------------------------------------------------------------------------------------


def test_the_heuristics_of_the_listing(tiles: pw.Puzzle) -> None:
    found = pw.check_heuristic(tiles, lambda s: 3 * manhattan(s))
    assert (found.status, found.why) == ("refuted", "h falls from 48 to 45 by a step of cost 1")
    state, move = found.example
    assert 3 * manhattan(state) > move.cost + 3 * manhattan(move.state)
    assert pw.Space(tiles).after(state, move) == move.state
    assert pw.check_heuristic(tiles, manhattan, states=500).status == "unknown"


def test_a_heuristic_is_proven_over_all_states() -> None:
    puzzle = pw.load("n_puzzle", "two-by-two")
    for h in (lambda s: 0, "manhattan", "misplaced", "blind"):
        found = pw.check_heuristic(puzzle, h)
        assert (found.status, found.why) == ("proven", "in 12 states, which are all that can be reached")  # 4! / 2
        assert pw.check_heuristic(puzzle, h, states=12).status == "proven"
        assert pw.check_heuristic(puzzle, h, states=11).status == "unknown"


@pytest.mark.parametrize(("values", "status", "why"), [
    ([3, 2, 1, 0], "proven", "in 4 states, which are all that can be reached"),
    ([0, 1, 1, 0], "proven", "in 4 states, which are all that can be reached"),
    ([3, 2, 1, 1], "refuted", "h is 1 at a goal"),
    ([3, 1, 1, 0], "refuted", "h falls from 3 to 1 by a step of cost 1"),
    ([0, 0, 2, 0], "refuted", "h falls from 2 to 0 by a step of cost 1"),  # the last state but one, backwards
])  # fmt: skip
def test_what_consistent_means(line: pw.Puzzle, values: list[int], status: str, why: str) -> None:
    found = pw.check_heuristic(line, lambda s: values[s["at"]])
    assert (found.status, found.why) == (status, why)
    assert (found.example is None) == (status == "proven")


def test_costs_are_those_of_the_metric() -> None:
    """A heuristic that counts steps is too much where a step may cost nothing."""
    free = load_text(
        LINE.replace("metrics", "").replace("effect: {at: at + 1}", "effect: {at: at + 1}, cost: 1 - at % 2"), "x.yaml"
    )
    assert pw.check_heuristic(free, lambda s: 3 - s["at"]).why == "h falls from 2 to 1 by a step of cost 0"


def test_what_a_check_refuses(line: pw.Puzzle) -> None:
    with pytest.raises(pw.ConfigurationError, match="heuristic: 'manhattan' is none of blind"):
        pw.check_heuristic(line, "manhattan")
    with pytest.raises(pw.ConfigurationError, match="states: 0 is no whole number from 1 on"):
        pw.check_heuristic(line, lambda s: 0, states=0)
    with pytest.raises(TypeError, match="gives 0.5"):
        pw.check_heuristic(line, lambda s: 0.5)


# -- how much a search branches ----------------------------------------------------------------------------------------


def test_branching_factors_of_russell_and_norvig() -> None:
    """52 nodes at depth 5, as in the text of AIMA; and A* with misplaced tiles in its table on the 8-puzzle.

    The table rounds, and averages over puzzles.
    """
    assert round(pw.branching_factor(52, 5), 2) == 1.92
    for nodes, depth, known in [(539, 14, 1.44), (1301, 16, 1.45), (3056, 18, 1.46), (7276, 20, 1.47),
                                (18094, 22, 1.48), (39135, 24, 1.48)]:  # fmt: skip
        assert pw.branching_factor(nodes, depth) == pytest.approx(known, abs=0.02)


@pytest.mark.parametrize(("factor", "depth"), [(1, 7), (2, 10), (3, 5), (10, 6), (2, 60)])
def test_branching_factors_of_uniform_trees(factor: int, depth: int) -> None:
    nodes = sum(factor**layer for layer in range(1, depth + 1))
    assert pw.branching_factor(nodes, depth) == pytest.approx(factor)


@pytest.mark.parametrize(("generated", "depth"), [(0, 3), (5, 0), (-1, 2)])
def test_no_tree_no_factor(generated: int, depth: int) -> None:
    with pytest.raises(ValueError, match="a node or more"):
        pw.branching_factor(generated, depth)


# -- recorded searches -------------------------------------------------------------------------------------------------


def test_a_trace_has_the_counts_of_the_search(tiles: pw.Puzzle, tmp_path: Path) -> None:
    for h in ("manhattan", manhattan, lambda s: 3 * manhattan(s)):
        solved, traced = pw.solve(tiles, "astar", heuristic=h), pw.trace(tiles, "astar", heuristic=h)
        assert len(traced.of_kind("expand")) == traced.report.expanded == solved.expanded
        assert len(traced.of_kind("generate")) == solved.generated
        assert (traced.report.outcome, traced.report.cost) == (solved.outcome, solved.cost)
        assert sum(row[2] for row in traced.layers) == solved.expanded
    assert len(repr(traced)) < 200
    traced.save(tmp_path / "tree.html")
    assert (tmp_path / "tree.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "<iframe" in traced._repr_mimebundle_()["text/html"]


def test_a_trace_ends_at_its_limit(tiles: pw.Puzzle) -> None:
    assert pw.trace(tiles, "bfs", nodes=10).report.outcome == "node-limit"
    with pytest.raises(pw.ConfigurationError, match="backend: genetic has no trace: it breeds"):
        pw.trace(tiles, "genetic")
    with pytest.raises(pw.ConfigurationError, match="backend: 'bsf' is none of"):
        pw.trace(tiles, "bsf")
    with pytest.raises(ZeroDivisionError):
        pw.trace(tiles, "astar", heuristic=lambda s: 1 // 0)


# -- many searches -----------------------------------------------------------------------------------------------------


def test_rows_of_many_searches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "line.yaml"
    own.write_text(LINE)
    asked = [
        (str(own), None, "bfs"),
        ("n_puzzle", "seed-8", "astar"),
        ("n_puzzle", "no", "bfs"),
        ("nowhere", "", "bfs"),
    ]
    rows = list(pw.run(asked, processes=2, resume=tmp_path / "rows"))
    found = {(Path(row["file"]).stem, row["level"]): row for row in rows}
    assert {key: (row["outcome"], row["cost"], row["expanded"]) for key, row in found.items()} == {
        ("line", ""): ("optimal", 3, 3),
        ("n_puzzle", "seed-8"): ("optimal", 22, 226),
        ("n_puzzle", "no"): ("invalid-input", None, None),
        ("nowhere", ""): ("invalid-input", None, None),
    }
    assert all(isinstance(value, str | int | float | None) for row in rows for value in row.values())
    assert "there is no level 'no'" in found["n_puzzle", "no"]["notes"]
    assert len({tuple(row) for row in rows}) == 1

    def fail(*_: object) -> None:
        raise AssertionError("it is known")

    monkeypatch.setattr(jobs, "_JobChild", fail)
    again = list(pw.run(asked, resume=str(tmp_path / "rows")))
    assert sorted(map(json.dumps, again)) == sorted(map(json.dumps, rows))
    own.write_text(LINE.replace("0 .. 3", "0 .. 4"))  # another puzzle under the same name
    with pytest.raises(AssertionError, match="it is known"):
        list(pw.run(asked[:1], resume=tmp_path / "rows"))


def test_no_process_is_left_behind() -> None:
    rows = pw.run([("nowhere", None, "bfs"), ("n_puzzle", "hardest-8", "cpsat")], processes=2)
    assert next(rows)["file"] == "nowhere"
    children = [child for child in rows.gi_frame.f_locals["running"]]  # type: ignore[attr-defined]
    rows.close()  # type: ignore[attr-defined]
    assert [child.process.poll() is None for _, child in children] == [False]


def test_what_run_refuses(tmp_path: Path) -> None:
    """Before any search is begun."""
    (tmp_path / "notes").write_text("hello\n")
    for asked, words in [
        ({"jobs": [("a", "b")]}, "is no .file, level, backend."),
        ({"jobs": [("n_puzzle", 3, "bfs")]}, "job: 3 is no level's name"),
        ({"jobs": [("n_puzzle", None, "bsf")]}, "did you mean 'bfs'"),
        ({"jobs": [("-", None, "bfs")]}, "standard input"),
        ({"processes": 0}, "processes: 0"),
        ({"time_limit": -1}, "time_limit: -1"),
        ({"time_limit": None}, "time_limit: each row needs one"),
        ({"resume": tmp_path / "notes"}, "has no rows of an earlier run"),
    ]:
        with pytest.raises(pw.ConfigurationError, match=words):
            pw.run(**{"jobs": [], **asked})
