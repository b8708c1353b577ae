"""Searches for plans below a cost, searches by several guides, windows and rounds, on graphs whose truth is known."""

from __future__ import annotations

import ctypes
from random import Random

import pytest
from puzzle_files import load_file
from running import ROOT
from sampled import slow
from small_graphs import HEURISTICS, WEIGHTS, cost_to_go, graph, inadmissible, optimum, random_graph, replay

from models.outcomes import Limits, Outcome, SearchResult, Statistics
from puzzlewright.solving.workbench import Workbench
from search.algorithms.alternating import alternating
from search.improving.standing import Standing
from search.improving.windows import Target, Windows, actions_of, along
from search.machine import Machine
from search.registry import Attempt, attempt
from search.space import BLIND, INFINITY, Found, Heuristic, SearchSpace

REOPENING = ["ucs", "astar", "wastar"]  # their end proves something


def cost_of(model: object, tried: Attempt) -> int | None:
    """Of the plan, replayed."""
    if tried.found is None:
        return None
    found = SearchResult(Outcome.SOLVED, tried.found.operators, tried.found.cost, 0, Statistics())
    assert replay(model, found) == tried.found.cost  # type: ignore[arg-type]
    return tried.found.cost


@pytest.mark.parametrize("kind", HEURISTICS)
@pytest.mark.parametrize("costs", WEIGHTS)
@pytest.mark.parametrize("name", [*REOPENING, "greedy", "beam"])
def test_plans_below_a_cost(name: str, costs: str, kind: str) -> None:
    """No bound is above the optimum; where the states run out there is no such plan, and that is proven."""
    for seed in range(25):
        model = random_graph(seed, WEIGHTS[costs])
        best = optimum(model)
        for below in (1, 2, *([] if best is None else [best, best + 1, best + 4])):
            tried = attempt(name, model, HEURISTICS[kind](model, seed), below=below, options={"width": 2})
            cost, bound = cost_of(model, tried), tried.space.lower_bound
            assert best is None or bound <= best
            if model.is_goal(model.initial) or name == "beam":
                continue
            assert cost is None or cost < below
            if name in REOPENING and cost is None:
                assert bound >= below and (best is None or best >= below)
            if name in REOPENING and best is not None and best < below:
                assert cost is not None


def test_a_search_that_reopens_nothing_proves_nothing_below_a_cost() -> None:
    """The dear way to 1 comes first, and ends there; the cheap one comes too late, and 4 is taken instead."""
    model = graph((0, 1, 50), (0, 2, 1), (2, 1, 1), (1, 3, 50), (2, 4, 1), (4, 4, 1), goal=3)
    estimates = {0: 0, 1: 0, 2: 1, 3: 0, 4: 80}
    heuristic = Heuristic("h", lambda state: estimates[state[0]], admissible=True)
    tried = attempt("greedy", model, heuristic, below=90)
    assert tried.found is None and tried.stopped is None
    assert tried.space.lower_bound <= 52 == optimum(model)


def test_an_estimate_that_is_not_admissible_cuts_nothing() -> None:
    """99 is no reason to leave out the only plan."""
    model = graph((0, 1, 1), (1, 2, 1), goal=2)
    assert cost_of(model, attempt("wastar", model, Heuristic("wild", lambda state: 99 * (state == (1,))), below=3)) == 2
    assert cost_of(model, attempt("beam", model, Heuristic("wild", lambda state: 99 * (state == (1,))), below=3)) == 2


@pytest.mark.parametrize("lazy", [False, True])
def test_several_guides(lazy: bool) -> None:
    """Complete whatever the guides say; each of them has its turn, so one that is perfect is enough for a plan soon."""
    for seed in range(60):
        model = random_graph(seed, (0, 1, 4))
        guides = [inadmissible(model, seed), BLIND, inadmissible(model, seed + 1)]
        found = alternating(SearchSpace(model, Limits()), guides, lazy)
        assert (found is None) == (optimum(model) is None)
        if found is not None:
            result = SearchResult(Outcome.SOLVED, found.operators, found.cost, 0, Statistics())
            assert replay(model, result) == found.cost


@pytest.mark.parametrize("lazy", [False, True])
def test_a_guide_that_knows_nothing_does_no_harm(lazy: bool) -> None:
    edges = [(node, node * 2 + side, 1) for node in range(1, 2000) for side in (0, 1)]
    model = graph(*edges, start=1, goal=2049)
    perfect = cost_to_go(model)
    wild = Random(1)
    guides = [Heuristic("wild", lambda state: wild.randrange(9)),
              Heuristic("perfect", lambda state: perfect.get(state, 99))]  # fmt: skip
    space = SearchSpace(model, Limits())
    assert alternating(space, guides, lazy) is not None
    assert space.statistics.expanded < 60  # of 2,000


def test_what_is_known_is_never_taken_back() -> None:
    told: list[tuple[int | float, int | float]] = []
    standing = Standing(lambda now: told.append((now.below, now.bound)))
    assert standing.offer(Found((1, 2), 9), "a") and not standing.offer(Found((3,), 9), "b")
    standing.prove(4, "c")
    standing.prove(3, "d")
    assert (standing.by, standing.bound, standing.bound_by, standing.closed) == ("a", 4, "c", False)
    assert standing.offer(Found((3,), 4), "e") and standing.closed
    assert told == [(9, 0), (9, 4), (4, 4)]
    assert not Standing(found=Found((), 3)).closed and Standing(bound=INFINITY).closed


# -- windows -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tiles() -> Workbench:
    return Workbench(load_file(ROOT / "puzzles/n_puzzle.yaml", "seed-8"))


def tiles_led(bench: Workbench, **flags: bool) -> tuple[Machine, Heuristic]:
    machine, declared = bench.machine(), bench.task.heuristics[0]
    return machine, Heuristic("h", machine.evaluate(declared.term, 0), address=machine.estimate(declared.term), **flags)


def limits(nodes: int) -> Limits:
    return Limits(nodes=nodes)


@pytest.mark.parametrize("consistent", [slow(False), True])
def test_windows_come_to_the_optimum(tiles: Workbench, consistent: bool) -> None:
    """The last window is the whole plan. Every plan on the way leads to the goal and is cheaper than the one before."""
    machine, heuristic = tiles_led(tiles, admissible=consistent, consistent=consistent)
    plan = attempt("greedy", machine, heuristic).found
    assert plan is not None and plan.cost > 22
    costs = [plan.cost]
    for better in Windows(machine, heuristic, limits).improved(plan, 10**9):
        route = along(machine, machine.initial, actions_of(better))
        assert machine.is_goal(route.states[-1]) and route.found.cost == better.cost < costs[-1]
        costs.append(better.cost)
    assert costs[-1] == 22


@pytest.mark.parametrize("size", [4, 7, 12])
def test_a_window_is_as_short_as_breadth_first_search_says(tiles: Workbench, size: int) -> None:
    """Between two states of a plan, with a bound one step above the shortest way, and at it."""
    machine, heuristic = tiles_led(tiles, admissible=True, consistent=True)
    plan = attempt("greedy", machine, heuristic).found
    assert plan is not None
    route = along(machine, machine.initial, actions_of(plan))
    windows = Windows(machine, heuristic, limits)
    for first in range(0, len(route.actions) - size, 5):
        start, end = route.states[first], route.states[first + size]
        shortest = steps_between(machine, start, end)
        found = windows._asked(start, end, shortest + 1, 10**6).found
        assert found is not None and found.cost == shortest
        assert along(machine, start, actions_of(found)).states[-1] == end
        assert windows._asked(start, end, shortest, 10**6).found is None


def steps_between(machine: Machine, start: int, end: int) -> int:
    layer, seen, depth = {start}, {start}, 0
    while end not in layer:
        layer = {after for state in layer for _, after, _ in machine.successors(state)} - seen
        seen |= layer
        depth += 1
    return depth


def test_a_heuristic_that_is_not_consistent_leads_no_window(tiles: Workbench) -> None:
    """It is 22 at the start and 0 elsewhere: admissible, and no reason to think that the next state is far away."""
    machine, _ = tiles_led(tiles)
    trap = Heuristic("trap", lambda state: 22 * (state == machine.initial), admissible=True)
    windows = Windows(machine, trap, limits)
    _, after, _ = machine.successors(machine.initial)[0]
    found = windows._asked(machine.initial, after, 3, 1000).found
    assert found is not None and found.cost == 1


@pytest.mark.parametrize("words", [1, 2, 3])
def test_machine_code_knows_the_target(words: int) -> None:
    target, rng = Target(words), Random(words)
    states = [rng.getrandbits(64 * words) for _ in range(9)]
    states += [states[4] ^ 1 << 64 * words - 1, states[4] ^ 1]
    packed = b"".join(state.to_bytes(8 * words, "little") for state in states)
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p, ctypes.c_int64)(target.address)
    for place, state in enumerate(states):
        target.set(state)
        assert call(packed, len(states)) == place
    target.set(states[4] ^ 2)
    assert call(packed, len(states)) == len(states) and call(packed, 0) == 0
