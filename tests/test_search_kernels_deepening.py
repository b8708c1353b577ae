"""The depth-first kernels against their reference texts: same plans, same bounds, same counts, whatever the limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from puzzle_files import load_file
from random_models import random_puzzle
from sampled import slow

from models.data import parse_setting
from models.errors import PuzzleError
from models.grounding import ground
from models.loader import load_text
from models.outcomes import DEAD_ENDS, Limits, Outcome, Unsupported
from models.task import State, Task
from models.terms import Term, conjunction, member, var
from search.algorithms import depth_first, ida_star
from search.algorithms.ida_star import Remembering as Options
from search.kernels import deepening
from search.kernels import depth_first as depth_first_kernel
from search.machine import Machine
from search.proofs.pruning import pruning
from search.space import Found, Heuristic, LimitReached, SearchSpace

PUZZLES = Path(__file__).parent.parent / "puzzles"
PAIRS: dict[str, tuple[Callable[..., Found | None], Callable[..., Found | None]]] = {
    "idastar": (deepening.ida_star, ida_star.ida_star),
    "ids": (deepening.iterative_deepening, depth_first.iterative_deepening),
    "dfs": (depth_first_kernel.depth_first, depth_first.depth_first),
}
CAPACITIES = 0, 1, 7, 1000, 500_000
MODELS, MODELS_SLOW = 12, 300  # random ones
HARD = 8, 6, 7, 2, 5, 4, 3, 0, 1  # 31 moves, the most there are

TRACK = """
format: 1
puzzle: track
types: {height: 0 .. 400}
state: {at: height = 0}
actions:
  up:
    effect:
      at: at + 1
  down:
    effect:
      at: at - 1
goal: at == 400
"""


@dataclass(frozen=True)
class Model:
    """A machine as a model, from any state."""

    machine: Machine
    start: int | None = None
    pruning: Any = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.machine, name)

    @property
    def initial(self) -> int:
        return self.machine.initial if self.start is None else self.start

    def goal_states(self) -> list[int]:
        return []


def heuristic_of(machine: Machine, name: str | None, admissible: bool) -> Heuristic:
    """A declared estimate, or none; the flag is not proven here."""
    term = next((h.term for h in machine.task.heuristics if h.name == name), None)
    evaluate: Callable[..., int] = (lambda state: 0) if term is None else machine.evaluate(term, 0)
    return Heuristic(name or "blind", evaluate, admissible, admissible, machine.estimate(term) if term else lambda: 0)


Run = tuple[Found | Outcome | None, int, Any]


def run(algorithm: Callable[..., Found | None], model: Model, options: Options, limits: Limits, heuristic: Heuristic,
        allowed: Any) -> Run:  # fmt: skip
    space = SearchSpace(replace(model, pruning=allowed), limits, heuristic)  # type: ignore[arg-type]
    result: Found | Outcome | None
    try:
        result = algorithm(space, options)
    except LimitReached as reached:
        result = reached.outcome
    return result, space.lower_bound, space.statistics


def same(name: str, model: Model, capacity: int = 0, limits: Limits | None = None, estimate: str | None = None,
         admissible: bool = True, allowed: Any = None) -> Run:  # fmt: skip
    """What both say, which must be the same."""
    heuristic = heuristic_of(model.machine, estimate, admissible)
    if limits is None:
        limits = Limits(nodes=20_000)
    first, second = (
        run(algorithm, model, Options(transpositions=capacity), limits, heuristic, allowed) for algorithm in PAIRS[name]
    )
    assert first == second
    return first


# --- sliding tiles ----------------------------------------------------------------------------------------------------


@cache
def tiles(rows: int, cols: int) -> Machine:
    solved = ",".join(map(str, [*range(1, rows * cols), 0]))
    settings = dict(map(parse_setting, (f"rows={rows}", f"cols={cols}", f"start={solved}")))
    return Machine(ground(load_file(PUZZLES / "n_puzzle.yaml", None, settings)))


def walked(machine: Machine, steps: int, random: Random) -> Model:
    state = machine.initial
    for _ in range(steps):
        state = random.choice(machine.successors(state))[1]
    return Model(machine, state)


@pytest.mark.parametrize("capacity", CAPACITIES)
@pytest.mark.parametrize("name", ["idastar", "ids"])
def test_tiles(name: str, capacity: int) -> None:
    """Of one and of two words; the limit on nodes strikes in some runs."""
    random = Random(capacity)
    for size in ((3, 3), (3, 3), (2, 3), (5, 5)):
        machine = tiles(*size)
        model = walked(machine, random.randrange(24), random)
        estimate = "manhattan" if name == "idastar" else None
        limits = random.choice([Limits(nodes=20_000), Limits(nodes=random.randrange(3000))])
        same(name, model, capacity, limits, estimate)
    assert tiles(5, 5).words > 1


@pytest.mark.parametrize("size", [(3, 3), (5, 5)])
@pytest.mark.parametrize("name", ["idastar", "ids"])
def test_pruned_tiles(name: str, size: tuple[int, int]) -> None:
    """Every expansion but the first generates one state less, and the plan costs the same."""
    random, machine = Random(1), tiles(*size)
    allowed = pruning(machine.task)
    for _ in range(5):
        model = walked(machine, 21, random)  # an odd number: not solved
        plain, _, counts = same(name, model, 0, Limits(nodes=20_000), "manhattan")
        pruned, _, fewer = same(name, model, 0, Limits(nodes=20_000), "manhattan", allowed=allowed)
        assert (fewer.expanded, fewer.evaluated) == (counts.expanded, counts.evaluated)
        assert fewer.generated < counts.generated
        assert plain == pruned
        same(name, model, 100, Limits(nodes=20_000), "manhattan", allowed=allowed)


def test_dead_ends_are_left_out() -> None:
    """States of the larger estimates, as if they were some."""
    random, machine, left = Random(3), tiles(3, 3), 0
    for capacity in [*CAPACITIES] * 3:
        model = walked(machine, 31, random)
        heuristic = heuristic_of(machine, "manhattan", True)
        led = replace(heuristic, lost=heuristic.evaluate(model.initial) + 1)
        first, second = (run(each, model, Options(transpositions=capacity), Limits(nodes=5000), led, None)
                         for each in PAIRS["idastar"])  # fmt: skip
        assert first == second
        left += first[2].extra.get(DEAD_ENDS, 0)
    assert left > 0


def test_any_pruning() -> None:
    """The kernel prunes what it is told to, sensible or not."""
    random, machine = Random(2), tiles(3, 3)
    rows = sum(len(schema.rows) for schema in machine.task.schemas)
    for seed in range(8):
        allowed = np.random.default_rng(seed).random((rows, rows)) < 0.8
        same("idastar", walked(machine, 30, random), estimate="manhattan", allowed=allowed)
        same("ids", walked(machine, 12, random), allowed=allowed)


def test_all_of_a_space_depth_first() -> None:
    """A path of tens of thousands of steps: everything grows."""
    machine = tiles(3, 3)
    first, second, *rest = machine.task.start
    odd = machine.layout.pack((second, first, *rest))
    result, _, counts = same("dfs", Model(machine, odd), limits=Limits())
    assert result is None
    assert (counts.expanded, counts.generated) == (181_440, 483_840)
    assert counts.max_depth > 10_000


def test_table_that_grows() -> None:
    """The 8-puzzle of 31 moves fills more than the smallest table."""
    machine = tiles(3, 3)
    model = Model(machine, machine.layout.pack(HARD))
    result, bound, counts = same("idastar", model, 500_000, Limits(), "manhattan")
    assert isinstance(result, Found)
    assert (result.cost, bound) == (31, 31)
    assert counts.expanded > 10_000


def test_default_table_and_linear_memory_prove_the_same() -> None:
    machine = tiles(3, 3)
    model = Model(machine, machine.layout.pack(HARD))
    heuristic = heuristic_of(machine, "manhattan", True)
    for capacity, allowed in ((0, None), (0, pruning(machine.task)), (100, None), (500_000, None)):
        result, bound, _ = run(
            deepening.ida_star, model, Options(transpositions=capacity), Limits(), heuristic, allowed
        )
        assert isinstance(result, Found)
        assert (result.cost, bound) == (31, 31)


# --- limits and corners -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAIRS)
def test_limit_on_nodes_is_exact(name: str) -> None:
    machine = tiles(3, 3)
    model = Model(machine, machine.layout.pack(HARD))
    for nodes in (0, 1, 2, 3, 10, 1000):
        for capacity in (0, 500) if name != "dfs" else (0,):
            result, _, counts = same(name, model, capacity, Limits(nodes=nodes), "manhattan")
            assert result is Outcome.NODE_LIMIT
            assert counts.expanded == nodes


@pytest.mark.parametrize("name", PAIRS)
def test_start_is_goal(name: str) -> None:
    assert same(name, Model(tiles(3, 3)))[0] == Found((), 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name if name == "idastar" else slow(name) for name in PAIRS])
def test_long_paths(name: str) -> None:
    """A track without a choice, there and back: the path outgrows its first room."""
    machine = Machine(ground(load_text(TRACK, "track.yaml")))
    for capacity in (0, 1000) if name != "dfs" else (0,):
        result, _, counts = same(name, Model(machine), capacity, Limits())
        assert isinstance(result, Found)
        assert (result.cost, counts.max_depth) == (400, 399)


def test_horizon() -> None:
    model = walked(tiles(3, 3), 60, Random(4))
    for name, estimate in (("ids", None), ("idastar", "manhattan")):
        assert same(name, model, 0, Limits(max_horizon=5), estimate)[0] is Outcome.HORIZON_EXHAUSTED


@pytest.mark.parametrize("name", PAIRS)
def test_limit_on_time(name: str) -> None:
    model = walked(tiles(5, 5), 1000, Random(3))
    heuristic = heuristic_of(model.machine, "manhattan", True)
    capacity = Options(transpositions=10_000)
    assert run(PAIRS[name][0], model, capacity, Limits(time=0.3), heuristic, None)[0] is Outcome.TIME_LIMIT


@pytest.mark.parametrize("name", PAIRS)
def test_limit_on_memory(name: str) -> None:
    model = walked(tiles(5, 5), 1000, Random(3))
    heuristic = heuristic_of(model.machine, "manhattan", True)
    assert run(PAIRS[name][0], model, Options(), Limits(memory_mb=1), heuristic, None)[0] is Outcome.MEMORY_LIMIT


# --- random models ----------------------------------------------------------------------------------------------------


def random_machines(first_seed: int) -> Iterator[tuple[int, Machine]]:
    """Random models that move, each with a state as its goal that some walk leads to, now and then with its own."""
    for seed in count(first_seed):
        with suppress(PuzzleError, Unsupported):
            task, random = ground(load_text(random_puzzle(seed), f"seed {seed}")), Random(seed)
            machine = Machine(task)
            if state := wander(machine, random):
                yield (
                    seed,
                    Machine(replace(task, goal=being(task, machine.layout.unpack(state)))) if seed % 4 else machine,
                )


def wander(machine: Machine, random: Random) -> int | None:
    """A state some steps away; None if there is nowhere to go."""
    state = machine.initial
    for _ in range(random.randrange(1, 20)):
        if successors := machine.successors(state):
            state = random.choice(successors)[1]
    return None if state == machine.initial else state


def being(task: Task, state: State) -> Term:
    sizes = (len(variable.domain) for variable in task.variables)
    return conjunction(member(var(i, size), (state[i],)) for i, size in enumerate(sizes))


def check(first_seed: int, models: int) -> None:
    """Costs of any kind, choices, estimates that are anything but admissible, plans that do not exist."""
    results = set()
    for seed, machine in islice(random_machines(first_seed), models):
        random, task = Random(seed), machine.task
        estimate = random.choice([None, *(h.name for h in task.heuristics)])
        for name in PAIRS:
            for capacity in (0, random.randrange(1, 50), 5_000) if name != "dfs" else (0,):
                limits = Limits(nodes=random.choice([50, 2000]))
                result, *_ = same(name, Model(machine), capacity, limits, estimate, estimate is None, pruning(task))
                results.add(type(result))
    assert results == {Found, Outcome, type(None)}


def test_random_models() -> None:
    check(0, MODELS)


@pytest.mark.slow
def test_many_random_models() -> None:
    check(100_000, MODELS_SLOW)
