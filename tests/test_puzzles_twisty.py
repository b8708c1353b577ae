"""Rubik's cube, Skewb, Pyraminx and M13: published layers, and the levels by the shapes alone (`oracles_twisty`)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from oracles_twisty import TWISTY, Twisty, distance, layers
from proving import learn
from puzzle_files import load, sources
from running import run
from sampled import slow

from models.grounding import ground
from models.outcomes import Outcome
from puzzlewright.solving.proving import prove
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from search.machine import Machine

PUBLISHED = {  # positions at 0, 1, ... turns: OEIS A080601, A080602, A079745; Jaap Scherphuis; Conway and others, 2006
    ("rubik", "half"): [1, 18, 243, 3240, 43239],
    ("rubik", "quarter"): [1, 12, 114, 1068, 10011],
    ("skewb", "cost"): [1, 8, 48, 288, 1728, 10248, 59304, 315198, 1225483, 1455856, 81028, 90],
    ("pyraminx", "cost"): [1, 8, 48, 288, 1728, 9896, 51808, 220111, 480467, 166276, 2457, 32],
    ("m13", "cost"): [1, 12, 108, 918, 7344, 57852, 344925, 733500, 90852, 8],
}
NAMES = tuple(TWISTY)
QUICK = {("skewb", "three"), ("pyraminx", "five"), ("m13", "seven")}  # optima sought by default
SEPARATED = {("rubik", "twisted"), ("rubik", "flipped"), ("m13", "swapped")}  # from the goal, by an invariant
PROVEN = {
    "rubik": {"need", "corners-once", "edges-once", "twists", "flips"},
    "skewb": {"wrong"},
    "pyraminx": {"wrong"},
    "m13": {"wrong", "each-once", "parity"},
}


def levels(word: str, quick: set[tuple[str, str]]) -> list[object]:
    """The levels for which something is known by this word; slow but for the quick ones."""
    found = [(name, level) for name in NAMES for level, source in sources(name).items() if word in (source.known or {})]
    return [case if case in quick else slow(*case) for case in found]


def modelled(name: str, level: str | None, metric: str) -> Twisty:
    """The level as the program compiles it, with the steps of cost 1."""
    machine = Machine(ground(load(name, level), [metric]))

    def neighbours(state: Any) -> Any:
        return (after for _, after, cost in machine.successors(state) if cost == 1)

    return Twisty(
        (machine.initial,), lambda states: ((after,) for after in neighbours(states[0])), lambda state, _: state
    )


@pytest.mark.parametrize(("name", "metric"), PUBLISHED)
def test_positions_lie_in_the_published_layers(name: str, metric: str) -> None:
    """Every position has the same ones about it, so any level will do."""
    begun = PUBLISHED[name, metric][:4]
    assert layers(modelled(name, None, metric), 3) == begun == layers(TWISTY[name](metric), 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES[1:])
def test_all_positions_lie_in_the_published_layers(name: str) -> None:
    explored = json.loads(run("explore", name, "--json").out)["exploration"]
    assert explored["layers"] == PUBLISHED[name, "cost"]
    assert explored["states"] == load(name, "far").known["states"] == sum(PUBLISHED[name, "cost"])


@pytest.mark.parametrize(("name", "level"), levels("optimal", QUICK))
def test_search_and_shapes_find_the_known_optimum(name: str, level: str) -> None:
    optimal: Any = load(name, level).known["optimal"]
    for metric, cost in (optimal if isinstance(optimal, dict) else {"cost": optimal}).items():
        report = solve(load(name, level), Request(metrics=(metric,)))
        assert (report.outcome, report.cost) == (Outcome.OPTIMAL, cost)
        body = TWISTY[name](metric)
        state = body.solved
        for step in sources(name)[level].after or ():
            state = body.turned(state, str(step))
        assert distance(body, state) == cost


@pytest.mark.parametrize(("name", "level"), levels("solvable", SEPARATED))
def test_what_somebody_has_taken_apart_has_no_solution(name: str, level: str) -> None:
    report = solve(load(name, level), Request())
    assert report.outcome is Outcome.UNSOLVABLE
    assert ("invariant" in report.proven_by) == ((name, level) in SEPARATED)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_file_claims_is_proven(name: str) -> None:
    task = ground(load(name))
    knowledge = learn(task, cache=False)
    verdicts = knowledge.heuristics | knowledge.invariants
    assert {known for known, verdict in verdicts.items() if verdict.proven} == PROVEN[name] == set(verdicts)
    assert all(heuristic.claim for heuristic in task.heuristics)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "level"),
    [("rubik", "two"), ("skewb", "three"), ("pyraminx", "three"), ("pyraminx", "five"), ("m13", "three")],
)
def test_both_paths_prove_the_known_optimum(name: str, level: str) -> None:
    puzzle = load(name, level)
    report = prove(puzzle, Request(metrics=puzzle.metrics[:1]))
    assert (report.outcome, report.proven_by) == (Outcome.OPTIMAL, ("search", "cpsat"))


@pytest.mark.parametrize("name", NAMES)
def test_files_raise_no_warnings(name: str) -> None:
    assert not load(name).warnings


def test_a_turn_is_clockwise() -> None:
    """Of the right face it brings the front's stickers up; the fourth one is none."""
    start = {face: face * 9 for face in "ULFRBD"} | {
        "U": "UUFUUFUUF",
        "F": "FFDFFDFFD",
        "D": "DDBDDBDDB",
        "B": "UBBUBBUBB",
    }
    assert solve(load("rubik", "solved", f"start={json.dumps(start)}"), Request("bfs")).labels == ("R'",)
