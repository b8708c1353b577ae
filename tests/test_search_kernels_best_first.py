"""Best-first and beam search in machine code against their reference texts: every figure, on hundreds of graphs.

A test's machine is a graph in Python behind ctypes, so costs, estimates and the width of states are free to choose.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest
import sampled
from equal_tags import with_equal_tags
from native_graphs import COUNTS, EXPAND, GOAL, WORDS, Edge, Native
from puzzle_files import load_file

from models.grounding import ground
from models.outcomes import DEAD_ENDS, Limits, Outcome, Unsupported
from search import machine as compiled
from search import registry
from search.algorithms import beam as slow_beam
from search.algorithms import best_first as slow
from search.options import Options
from search.space import INFINITY, Found, Heuristic, LimitReached, SearchSpace

pytest.importorskip("numba")

from search.kernels import beam as fast_beam  # noqa: E402
from search.kernels import best_first as fast  # noqa: E402

ESTIMATE = ctypes.CFUNCTYPE(None, WORDS, ctypes.c_int64, COUNTS)
ALGORITHMS = {
    "ucs": (slow.uniform_cost, fast.uniform_cost),
    "greedy": (slow.greedy, fast.greedy),
    "astar": (slow.a_star, fast.a_star),
    "wastar": (slow.weighted_a_star, fast.weighted_a_star),
    "beam": (slow_beam.beam, fast_beam.beam),
}
NO_LIMITS = Limits()
OPTIONS: dict[str, object] = {}


class Machine(Native):
    """A puzzle given by Python functions over states that are ints of `words` words; also the reference's model."""

    def __init__(self, initial: int, successors: Callable[[int], list[Edge]], is_goal: Callable[[int], bool],
                 h: Callable[[int], int], branching: int, words: int = 1, unit_cost: bool = False) -> None:  # fmt: skip
        self.initial, self.successors, self.is_goal, self.h = initial, successors, is_goal, h
        self.branching, self.words, self.unit_cost = branching, words, unit_cost
        self.goal_states, self.lost = None, INFINITY  # estimates from `lost` on are dead ends
        self._kept = EXPAND(self._expand), GOAL(self._first_goal), ESTIMATE(self._estimate)
        addresses = [ctypes.cast(function, ctypes.c_void_p).value for function in self._kept]
        self.expand, self.goal, self.estimate = addresses

    def _estimate(self, states: Any, n: int, out: Any) -> None:
        for i in range(n):
            out[i] = self.h(self._read(states, i))


@dataclass
class Run:
    """What one run tells."""

    found: Found | None
    stopped: Outcome | None
    lower_bound: int
    statistics: dict[str, Any]


def run(search: Any, machine: Any, options: Options, limits: Limits, admissible: bool, blind: bool,
        below: float = INFINITY) -> Run:  # fmt: skip
    evaluate = (lambda state: 0) if blind else machine.h
    heuristic = Heuristic("h", evaluate, admissible, address=lambda: 0 if blind else machine.estimate,
                          lost=getattr(machine, "lost", INFINITY))  # fmt: skip
    space: Any = SearchSpace(machine, limits, heuristic)
    vars(space)["machine"] = machine
    space.below = below
    stopped = None
    try:
        found = search(space, options)
    except LimitReached as reason:
        stopped = reason.outcome
        found = space.plan_in_hand()
    return Run(found, stopped, space.lower_bound, asdict(space.statistics))


def settings(name: str, **options: object) -> Options:
    return registry.ALGORITHMS[name].settings(options)


def compare(
    name: str,
    machine: Any,
    options: Mapping[str, object] = OPTIONS,
    limits: Limits = NO_LIMITS,
    admissible: bool = True,
    blind: bool = False,
    below: float = INFINITY,
) -> Run:
    """Both runs must tell the same; of several plans in hand of the same cost any will do."""
    reference, native = ALGORITHMS[name]
    used = settings(name, **options)
    expected = run(reference, machine, used, limits, admissible, blind, below)
    actual = run(native, machine, used, limits, admissible, blind, below)
    if expected.stopped and expected.found and actual.found:
        assert replays(machine, actual.found)
        assert actual.found.cost == expected.found.cost
        expected.found = actual.found
    if name == "beam" and below < INFINITY and expected.found and actual.found:  # by the cheapest of parallel edges
        assert replays(machine, actual.found) and actual.found.cost <= expected.found.cost
        expected.found = actual.found
    assert actual == expected
    return actual


def replays(machine: Machine, found: Found) -> bool:
    """Do the actions lead to a goal at this cost? Actions are unique among the edges out of a state."""
    state, total = machine.initial, 0
    for action in found.operators:
        state, cost = next((s, c) for a, s, c in machine.successors(state) if a == action)
        total += cost
    return machine.is_goal(state) and total == found.cost


def spread(number: int, words: int) -> int:
    """A node's number as a state whose words have many collisions, none of them telling all."""
    if words == 1:
        return number
    return sum((number >> (2 * word) & 3 if word + 1 < words else number >> (2 * word)) << (64 * word)
               for word in range(words))  # fmt: skip


def random_graph(
    seed: int,
    words: int = 1,
    size: int | None = None,
    scale: int | None = None,
    degree: float | None = None,
    goals: int | None = None,
) -> tuple[Machine, bool]:
    """A graph with loops, parallel edges, costs of some scale, and estimates; the flag: are these admissible?"""
    rng = random.Random(seed)
    size = size or rng.randint(1, 60)
    unit = scale is None and rng.random() < 0.2
    scale = 1 if unit else scale or rng.choice((1, 3, 30, 1 << 20, 1 << 40))
    degree = degree or rng.choice((1.2, 2, 4, 8))
    edges: dict[int, list[Edge]] = {spread(node, words): [] for node in range(size)}
    backward: dict[int, list[tuple[int, int]]] = {state: [] for state in edges}
    states = list(edges)
    for _ in range(int(size * degree)):
        source, target = rng.choice(states), rng.choice(states)
        cost = 1 if unit else rng.choice((0, rng.randint(0, scale), rng.randint(0, 3) * scale))
        edges[source].append((len(edges[source]), target, cost))
        backward[target].append((source, cost))
    goals = rng.choice((0, 1, 1, 2, 5)) if goals is None else goals
    targets = set(rng.sample(states, min(size, goals)))
    distance = distances(backward, targets)
    admissible = rng.random() < 0.75
    top = max(distance.values(), default=0) * 2
    h = {state: rng.randint(0, distance.get(state, top)) if admissible else rng.randint(0, top) for state in states}
    if rng.random() < 0.2:
        h = {state: distance.get(state, top) for state in states}
    start = max(states, key=lambda state: len(edges[state]))
    branching = max(1, len(edges[start]))
    machine = Machine(start, edges.__getitem__, targets.__contains__, h.__getitem__, branching, words, unit)
    return machine, admissible


def distances(backward: dict[int, list[tuple[int, int]]], goals: set[int]) -> dict[int, int]:
    """The cost of the cheapest way to a goal, by Bellman and Ford."""
    best = dict.fromkeys(goals, 0)
    waiting = list(goals)
    while waiting:
        state = waiting.pop(0)
        for source, cost in backward[state]:
            if best[state] + cost < best.get(source, 1 << 62):
                best[source] = best[state] + cost
                waiting.append(source)
    return best


def tiles(seed: int, rows: int = 3, cols: int = 3, moves: int = 60) -> Machine:
    """The N-puzzle, four bits a cell, with the Manhattan distance, after a random walk."""
    rng = random.Random(seed)
    cells = range(rows * cols)
    near = {gap: [gap + step for step, inside in ((-cols, gap >= cols), (-1, gap % cols), (1, (gap + 1) % cols),
                                                  (cols, gap + cols < rows * cols)) if inside]
            for gap in cells}  # fmt: skip
    home = {tile: tile - 1 for tile in range(1, rows * cols)}
    solved = sum((cell + 1) % (rows * cols) << (4 * cell) for cell in cells)

    def successors(state: int) -> list[Edge]:
        gap = next(cell for cell in cells if not state >> (4 * cell) & 15)
        tiles = [(cell, state >> (4 * cell) & 15) for cell in near[gap]]
        return [(cell, state + (tile << (4 * gap)) - (tile << (4 * cell)), 1) for cell, tile in tiles]

    def manhattan(state: int) -> int:
        tiles = [(cell, home[tile]) for cell in cells if (tile := state >> (4 * cell) & 15)]
        return sum(abs(a // cols - b // cols) + abs(a % cols - b % cols) for a, b in tiles)

    state = solved
    for _ in range(moves):
        state = rng.choice(successors(state))[1]
    return Machine(state, successors, solved.__eq__, manhattan, 4, unit_cost=True)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_only_plans_below_a_cost_are_wanted(name: str) -> None:
    """Half of the graphs have one: 1, what a plan costs, or a little more."""
    wanted = 0
    for seed in range(80):
        machine, admissible = random_graph(seed, 1 + seed % 2)
        options = {"weight": (0.5, 1, 2, 7.25)[seed % 4], "width": (1, 3, 100)[seed % 3]}
        any_plan = run(ALGORITHMS["ucs"][0], machine, settings("ucs"), NO_LIMITS, True, True).found
        cost = any_plan.cost if any_plan else 5
        for below in (1, cost, cost + 1, 2 * cost):
            told = compare(name, machine, options, admissible=admissible, blind=seed % 7 == 0, below=below)
            assert told.found is None or name == "greedy" or told.found.cost < below or machine.is_goal(machine.initial)
            wanted += told.found is not None
    assert wanted > 40


@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_graphs(name: str, words: int) -> None:
    reopened = 0
    for seed in range(80):
        machine, admissible = random_graph(seed, words)
        rng = random.Random(seed)
        options = {"weight": rng.choice((0.5, 1, 1.1, 2, 7.25, 1000)), "width": rng.choice((1, 2, 5, 100))}
        told = compare(name, machine, options, admissible=admissible, blind=seed % 7 == 0)
        reopened += told.statistics["reopened"]
    assert bool(reopened) == (name in ("astar", "wastar"))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_dead_ends_are_left_out(name: str) -> None:
    """States of the larger estimates, whether or not they are some."""
    left = 0
    for seed in range(30):
        machine, admissible = random_graph(seed, goals=seed % 3)
        machine.lost = 1 + machine.h(machine.initial) + seed % 5
        told = compare(name, machine, {"width": 3}, admissible=admissible, below=(INFINITY, 60)[seed % 2])
        left += told.statistics["extra"].get(DEAD_ENDS, 0)
    assert bool(left) == (name != "ucs")


@pytest.mark.parametrize("name", ALGORITHMS)
def test_limits_on_nodes(name: str) -> None:
    in_hand = 0
    for seed in range(100):
        machine, admissible = random_graph(seed, size=40)
        told = compare(name, machine, limits=Limits(nodes=random.Random(seed).randint(0, 30)), admissible=admissible)
        in_hand += bool(told.found and told.stopped)
    assert bool(in_hand) == (name != "beam")


def test_plan_in_hand_over_a_reopened_state() -> None:
    """Goal 3 was reached through 1 at 110. Then 1 became cheaper: now that path costs 102, goal 4 costs 105."""
    edges = {0: [(0, 1, 10), (1, 2, 1), (2, 4, 105)], 1: [(0, 3, 100), (1, 3, 200)], 2: [(0, 1, 1)]}
    machine = Machine(0, edges.__getitem__, {3, 4}.__contains__, lambda state: 50 * (state == 2), branching=3)
    told = compare("astar", machine, limits=Limits(nodes=3), admissible=False)
    assert told.statistics["reopened"] == 1
    assert told.found == Found((1, 0, 0), 102)


@pytest.mark.parametrize("name", ["ucs", "astar", "wastar"])
def test_horizons(name: str) -> None:
    for seed in range(60):
        compare(name, tiles(seed, moves=16), limits=Limits(max_horizon=random.Random(seed).randint(0, 16)))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_boards(name: str) -> None:
    for seed in range(25):
        compare(name, tiles(seed, moves=18 if name == "ucs" else 60), {"width": 30})


@pytest.mark.slow
@pytest.mark.parametrize("name", [name if name == "astar" else sampled.slow(name) for name in ALGORITHMS])
def test_large_graphs(name: str) -> None:
    """So many states, and so many pairs of priority and h, that all arrays have to grow."""
    for words, scale in ((1, 1 << 40), (2, 10)):
        machine, _ = random_graph(5, words, size=9000, scale=scale, degree=4, goals=0)
        told = compare(name, machine, {"width": 5000}, admissible=False)
        assert told.statistics["generated"] > 9000


@pytest.mark.parametrize("name", ["ucs", "astar", "wastar"])
def test_more_entries_than_states(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of ten states has an entry for each of ten ways to it, every one of them cheaper than the one before."""
    monkeypatch.setattr(fast, "room_for", lambda limits, size: 40)
    edges = {0: [(i, i, i) for i in range(1, 11)]}
    edges |= {i: [(j, j, 1000 - 2 * i) for j in range(11, 21)] for i in range(1, 11)}
    machine = Machine(
        0, lambda state: edges.get(state, []), lambda state: False, lambda state: state > 10, branching=10
    )
    assert compare(name, machine).statistics["max_frontier"] > 90


@pytest.mark.parametrize("name", ALGORITHMS)
def test_memory_is_full(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (fast, fast_beam):
        monkeypatch.setattr(module, "room_for", lambda limits, size: 20)
    machine, _ = random_graph(1, size=60, degree=4, goals=0)
    told = run(ALGORITHMS[name][1], machine, settings(name), NO_LIMITS, admissible=False, blind=False)
    assert (told.found, told.stopped) == (None, Outcome.MEMORY_LIMIT)


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("limits", [Limits(time=0), Limits(memory_mb=1)])
def test_other_limits(name: str, limits: Limits) -> None:
    assert compare(name, tiles(3), limits=limits).stopped


@pytest.mark.parametrize("name", ["ucs", "astar", "wastar", "greedy"])
def test_what_does_not_fit_into_a_word_is_refused(name: str) -> None:
    machine, _ = random_graph(1, size=20, scale=1 << 61, degree=4, goals=0)
    with pytest.raises(Unsupported, match="too large"):
        run(
            ALGORITHMS[name][1],
            machine,
            registry.ALGORITHMS[name].settings({"weight": 1e30}),
            NO_LIMITS,
            admissible=False,
            blind=False,
        )


@pytest.mark.parametrize("name", ALGORITHMS)
def test_compiled_puzzle(name: str) -> None:
    """A machine as they come, in a space that is larger than the cache, up to the end."""
    machine: Any = compiled_puzzle()
    compare(name, machine, {"width": 2000}, limits=Limits(nodes=120_000 if name == "ucs" else 30_000))


def compiled_puzzle() -> Any:
    """The 8-puzzle from a board that is 31 moves away, with the Manhattan distance."""
    file = Path(__file__).parent.parent / "puzzles" / "n_puzzle.yaml"
    task = ground(load_file(file, "hardest-8"))
    machine: Any = compiled.Machine(task)
    term = next(heuristic.term for heuristic in task.heuristics if heuristic.name == "manhattan")
    machine.estimate, machine.h, machine.goal_states = machine.estimate(term)(), machine.evaluate(term), None
    return machine


@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_states_with_equal_tags_are_told_apart(name: str, words: int) -> None:
    """The way to the goal leads through pairs of states that only a comparison tells apart."""
    way = [state for pair in with_equal_tags(words) for state in pair]
    after = dict(zip(way, way[1:], strict=False))
    machine = Machine(way[0], lambda s: [(0, after[s], 1)] if s in after else [], lambda s: s == way[-1],
                      lambda s: 0, 1, words, True)  # fmt: skip
    assert compare(name, machine).found == Found((0,) * (len(way) - 1), len(way) - 1)
