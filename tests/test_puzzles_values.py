"""The founding puzzles: every level's known values by search, and what the declared heuristics really are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from proving import learn
from puzzle_files import load, load_file, sources
from sampled import slow

from models import referee
from models.decoding import plan_of
from models.errors import PuzzleError
from models.grounding import ground
from models.outcomes import Limits, Outcome, Unsupported
from models.puzzle import Puzzle
from models.task import State, Task
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from search.machine import CompiledTask, Machine, compile_task
from search.proofs.symmetry import find_symmetry
from search.registry import search_with
from search.space import BLIND, Heuristic, Successor
from search.spaces.machine_space import count_states

FOUNDING = ("n_puzzle", "klotski", "water_sort", "vehicles", "vehicles_one_at_a_time", "vehicles_in_turn")
ASTAR = {  # levels that are better left to A*, with a heuristic that the tests below check
    ("n_puzzle", "hardest-8"): "manhattan",
    ("n_puzzle", "seed-15"): "manhattan",
    ("water_sort", "seed-1"): "runs",
    ("water_sort", "seed-2"): "runs",
    ("vehicles", "n4"): "largest",
    ("vehicles_in_turn", "n4"): "half-manhattan",
}
BEYOND = {("klotski", "seed-8x8"), ("vehicles", "n5")}  # tested with `--slow`
CONSISTENT = {  # on every reachable edge of these levels
    ("n_puzzle", "two-by-three"): {"manhattan", "misplaced"},
    ("n_puzzle", "two-by-two"): {"manhattan", "misplaced"},
    ("klotski", "first"): {"manhattan", "standing", "manhattan-standing"},
    ("klotski", "elbow"): {"manhattan", "standing", "manhattan-standing"},
    ("klotski", "wall"): {"manhattan", "standing", "manhattan-standing"},
    ("klotski", "hua-rong-dao"): {"manhattan", "standing", "manhattan-standing"},
    ("water_sort", "two-colours"): {"runs", "changes"},
    ("water_sort", "three-colours"): {"runs", "changes"},
    ("vehicles", "n3"): {"largest"},
    ("vehicles_one_at_a_time", "n3"): {"half-manhattan", "rows-and-columns", "misplaced"},
    ("vehicles_in_turn", "n3"): {"half-manhattan", "rows-and-columns", "misplaced"},
}
UNPROVEN = {  # no claim, and a reachable edge breaks consistency
    ("klotski", "little"): {"around"},
    ("klotski", "hua-rong-dao"): {"around", "between", "manhattan-between"},
    ("vehicles_one_at_a_time", "n3"): {"manhattan", "index-distance", "diagonal", "misplaced-cells"},
    ("vehicles_in_turn", "n3"): {"manhattan", "index-distance", "diagonal", "misplaced-cells"},
}
TOO_HIGH = [  # a level with a state whose estimate is above the number of steps that are left
    ("klotski", "open", "between"),
    ("klotski", "open", "manhattan-between"),
    ("klotski", "first", "around"),
    *[(f, "n3", h) for f in FOUNDING[4:] for h in ("manhattan", "index-distance", "diagonal", "misplaced-cells")],
]
LONG = {("klotski", level) for level in ("elbow", "hook", "hua-rong-dao", "open", "pennant", "seed-6")}
WIDE = {*LONG, ("klotski", "jam"), ("vehicles", "n4")}  # with many states
ODD = {2: "2,1,3,0", 3: "2,1,3,4,5,6,7,8,0", 4: "2,1,3,4,5,6,7,8,9,10,11,12,13,14,15,0"}
ODD[5] = ",".join(map(str, [2, 1, *range(3, 25), 0]))


@dataclass(frozen=True)
class Bench:
    puzzle: Puzzle
    task: Task
    compiled: CompiledTask

    def estimate(self, name: str) -> Heuristic:
        term = next(h.term for h in self.task.heuristics if h.name == name)
        return Heuristic(name, self.compiled.evaluate(term), admissible=True, consistent=True)


class Forward:
    """A compiled task for algorithms that only look ahead."""

    def __init__(self, compiled: CompiledTask) -> None:
        self.initial, self.unit_cost = compiled.initial, compiled.unit_cost
        self.is_goal, self.successors = compiled.is_goal, compiled.successors

    def predecessors(self, state: State) -> list[Successor]:
        raise Unsupported("predecessors")

    def goal_states(self) -> list[State]:
        raise Unsupported("goal states")


@cache
def bench(name: str, level: str) -> Bench:
    puzzle = load(name, level)
    task = ground(puzzle)
    return Bench(puzzle, task, compile_task(task))


@cache
def reachable(name: str, level: str) -> dict[State, list[State]]:
    """Every reachable state with its successors."""
    compiled = bench(name, level).compiled
    waiting, found = [compiled.initial], dict[State, list[State]]()
    while waiting:
        state = waiting.pop()
        if state not in found:
            found[state] = [after for _, after, _ in compiled.successors(state)]
            waiting += found[state]
    return found


def steps_left(name: str, level: str) -> dict[State, int]:
    """The exact distance of every state that can reach a goal: backwards over the reachable edges."""
    before: dict[State, list[State]] = {}
    for state, successors in reachable(name, level).items():
        for after in successors:
            before.setdefault(after, []).append(state)
    layer = [state for state in reachable(name, level) if bench(name, level).compiled.is_goal(state)]
    found = dict.fromkeys(layer, 0)
    while layer:
        layer = list(dict.fromkeys(s for after in layer for s in before.get(after, ()) if s not in found))
        found |= dict.fromkeys(layer, max(found.values()) + 1)
    return found


def optimum(puzzle: Puzzle) -> int:
    """The known optimum in the first metric."""
    optimal = puzzle.known["optimal"]
    return optimal[puzzle.metrics[0]] if isinstance(optimal, dict) else optimal


def cases(known: str) -> list[tuple[str, str]]:
    """The levels for which a value is declared under `known`."""
    given = [
        (name, level) for name in FOUNDING for level in sources(name) if known in (sources(name)[level].known or {})
    ]
    return [case for case in given if case not in BEYOND]


@pytest.mark.parametrize(("name", "level"), [slow(*case) if case in LONG else case for case in cases("optimal")])
def test_the_optimum_of_a_level_is_the_known_one(name: str, level: str) -> None:
    here = bench(name, level)
    machine, chosen = Machine(here.task), ASTAR.get((name, level))
    h = BLIND
    if chosen:
        term = next(h.term for h in here.task.heuristics if h.name == chosen)
        h = Heuristic(chosen, machine.evaluate(term, 0), True, True, machine.estimate(term))
    found = search_with("astar" if chosen else "bfs", machine, h)
    assert found.outcome is Outcome.OPTIMAL
    assert found.cost == optimum(here.puzzle)
    assert found.operators is not None
    assert referee.replay(here.puzzle, plan_of(here.task, machine.spelt(found.operators))).valid


@pytest.mark.parametrize(("name", "level"), [slow(*case) if case in WIDE else case for case in cases("states")])
def test_the_number_of_reachable_states_is_the_known_one(name: str, level: str) -> None:
    here = bench(name, level)
    assert count_states(Machine(here.task), Limits()) == here.puzzle.known["states"]


@pytest.mark.parametrize(("level", "states"), [("seed-1", 1888), ("seed-2", 1513)])
def test_interchangeable_tubes_leave_few_states(level: str, states: int) -> None:
    task = bench("water_sort", level).task
    machine = Machine(task, symmetry=find_symmetry(task))
    assert count_states(machine, Limits()) == states
    found = search_with("bfs", machine)
    assert (found.outcome, found.cost) == (Outcome.OPTIMAL, 15)
    assert referee.replay(bench("water_sort", level).puzzle, plan_of(task, machine.spelt(found.operators))).valid


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "level", "backend", "cost"), [("vehicles", "n5", "bidirectional", 7), ("klotski", "seed-8x8", "bfs", 66)]
)
def test_the_largest_levels(name: str, level: str, backend: str, cost: int) -> None:
    puzzle = load(name, level)
    report = solve(puzzle, Request(backend=backend))
    assert (report.outcome, report.cost, optimum(puzzle)) == (Outcome.OPTIMAL, cost, cost)


@pytest.mark.parametrize(("name", "level"), cases("solvable"))
def test_a_level_without_a_solution_has_none(name: str, level: str) -> None:
    here = bench(name, level)
    separating = learn(here.task, cache=False).separating if name == "n_puzzle" else None
    assert separating == "parity" or search_with("bfs", Forward(here.compiled)).outcome is Outcome.UNSOLVABLE


@pytest.mark.parametrize(("name", "level"), [slow(*case) if case in LONG else case for case in CONSISTENT])
def test_claims_hold_on_every_reachable_edge(name: str, level: str) -> None:
    here = bench(name, level)
    claimed = {h.name for h in here.task.heuristics if h.claim}
    assert claimed == CONSISTENT[name, level]
    for heuristic in claimed:
        h = here.estimate(heuristic).evaluate
        for state, successors in reachable(name, level).items():
            assert all(h(state) <= h(after) + 1 for after in successors)
            assert not here.compiled.is_goal(state) or h(state) <= 0


@pytest.mark.parametrize(("name", "level"), [slow(*case) if case in LONG else case for case in CONSISTENT])
def test_claims_and_invariants_are_proven_and_only_these(name: str, level: str) -> None:
    here = bench(name, level)
    knowledge = learn(here.task, cache=False)
    assert {h for h, verdict in knowledge.heuristics.items() if verdict.proven} == CONSISTENT[name, level]
    assert all(verdict.proven for verdict in knowledge.invariants.values())


@pytest.mark.parametrize(("name", "level"), [slow(*case) if case in LONG else case for case in UNPROVEN])
def test_what_claims_nothing_is_indeed_not_consistent(name: str, level: str) -> None:
    here = bench(name, level)
    for heuristic in UNPROVEN[name, level]:
        h = here.estimate(heuristic).evaluate
        edges = ((state, after) for state, successors in reachable(name, level).items() for after in successors)
        assert any(h(state) > h(after) + 1 for state, after in edges), heuristic


@pytest.mark.parametrize(("name", "level", "heuristic"), TOO_HIGH)
def test_an_estimate_without_a_claim_has_a_witness(name: str, level: str, heuristic: str) -> None:
    here = bench(name, level)
    h = here.estimate(heuristic).evaluate
    if h(here.compiled.initial) <= optimum(here.puzzle):
        assert any(h(state) > left for state, left in steps_left(name, level).items())


@pytest.mark.parametrize("side", ODD)
def test_parity_shows_an_odd_board_of_any_size_to_be_unsolvable(side: int) -> None:
    task = ground(load("n_puzzle", None, f"rows={side}", f"cols={side}", f"start={ODD[side]}"))
    assert learn(task, cache=False).separating == "parity"


def test_parity_and_search_agree_on_every_small_board() -> None:
    for cols, start in ((2, "4,5,0,1,2,3"), (2, "5,4,0,1,2,3"), (2, "0,1,2,3,4,5"), (2, "1,0,2,3,4,5")):
        task = ground(load("n_puzzle", None, "rows=3", f"cols={cols}", f"start={start}"))
        solved = search_with("bfs", Forward(compile_task(task))).outcome is Outcome.OPTIMAL
        assert solved == (learn(task, cache=False).separating is None)


@pytest.mark.parametrize("name", ["vehicles_one_at_a_time", "vehicles_in_turn", "n_puzzle"])
def test_the_random_level_follows_the_seed(name: str) -> None:
    drawn = [referee.start_state(load(name, "random", seed=seed)) for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1]
    assert any(drawn[0] != other for other in drawn[2:])


@pytest.mark.parametrize("start", ["0,1,2", "2,0,1", "1,2,0"])
def test_any_order_of_vehicles_may_be_set(start: str) -> None:
    task = ground(load("vehicles_one_at_a_time", None, "n=3", f"start={start}"))
    assert search_with("bfs", Forward(compile_task(task))).cost == 7  # the vehicles' names do not matter


WRONG = [
    ("n_puzzle", "start=1,1,2,3,4,5,6,7,0", "any(start[c] == t"),
    ("n_puzzle", "start=1,2,3,0", "len(start)"),
    ("klotski", "board=[AACC, AAC.]", "in target"),
    ("klotski", "exit=[4, 1]", "fits(hero, door)"),
    ("klotski", 'board=["0,3,3,0", "2,3,3,2", "1,2,2,1", "2,2,2,1", "2,2,2,2"]', "count(a for a in cell"),
    ("water_sort", 'tubes=["1122", "112", ""]', "== capacity"),
    ("water_sort", 'tubes=["11221", "122", ""]', "<= capacity"),
    ("vehicles_one_at_a_time", "start=0,0,1", "start[v] == x"),
]


@pytest.mark.parametrize(("name", "setting", "words"), WRONG)
def test_wrong_data_break_require(name: str, setting: str, words: str) -> None:
    with pytest.raises(PuzzleError, match=re.escape("the data break `require`")) as caught:
        load(name, None, setting)
    assert any(words in diagnostic.message for diagnostic in caught.value.diagnostics)


@pytest.mark.parametrize("name", FOUNDING)
def test_files_raise_no_warnings(name: str) -> None:
    assert not load(name, None).warnings


EXAMPLES = Path(__file__).parent / "data" / "format_1"


@pytest.mark.parametrize(
    ("name", "level", "metric", "cost"),
    [
        ("bridge", "classic", "cost", 17),
        ("bridge", "slow", "cost", 60),
        ("cube", "three", "half", 3),
        ("cube", "three", "quarter", 4),
        ("klotski", "pennant", "steps", 83),
        ("n_puzzle", "row", "cost", 3),
        ("vehicles", "n3", "cost", 4),
        ("water_sort", "two-colours", "cost", 7),
    ],
)
def test_the_design_examples_keep_their_optima(name: str, level: str, metric: str, cost: int) -> None:
    task = ground(load_file(EXAMPLES / f"{name}.yaml", level), [metric])
    result = search_with("ucs", Forward(compile_task(task)))
    assert (result.outcome, result.cost) == (Outcome.OPTIMAL, cost)
