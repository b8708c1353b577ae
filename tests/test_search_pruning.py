"""Move pruning: what is pruned may be pruned, on every reachable state of random models; and what could be, is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pytest
from puzzle_files import load_file
from random_models import random_puzzle
from sampled import slow

from models.errors import PuzzleError
from models.grounding import ground
from models.loader import load_text
from models.outcomes import Deadline, Limits
from models.task import Task
from search.algorithms.ida_star import Remembering, ida_star
from search.machine import Machine
from search.proofs.pruning import Pruning, pruning
from search.space import Found, LimitReached, SearchSpace

PUZZLES = Path(__file__).parent.parent / "puzzles"
MOST_STATES = 300
MODELS, MODELS_SLOW = 4, 300  # random models with something to prune
TELLING = 116, 246  # later seeds that tell of what those are blind to
TEXTBOOK = Remembering(transpositions=0)

COUNTERS = """
format: 1
puzzle: counters
types: {{height: 0 .. 5, place: 0 .. 2}}
state:
  at[p in place]: height = 0
{always}
actions:
  up:
    params: {{p: place}}
    {guard}
    effect:
      at[p]: at[p] + 1
    {cost}
  down:
    params: {{p: place}}
    effect:
      at[p]: at[p] - 1
goal: all(at[p] == 2 for p in place)
"""


def counters(always: str = "", guard: str = "", cost: str = "") -> Task:
    return ground(load_text(COUNTERS.format(always=always, guard=guard, cost=cost), "counters.yaml"))


def test_proofs_of_pairs_end_where_time_does() -> None:
    """A pair takes seconds where rules are long. Three places have two rows each: six phases, and three times four."""
    looks: list[None] = []
    assert pruning(counters(), lambda: looks.append(None)) is not None and len(looks) == 6 + 3 * 4
    machine = Machine(counters())
    machine.clock = lambda: Deadline(at=0.0)
    with pytest.raises(LimitReached):
        assert machine.pruning


def pruned(task: Task) -> set[tuple[int, int]]:
    allowed = pruning(task)
    if allowed is None:
        return set()
    return {(last, following) for last, line in enumerate(allowed) for following, free in enumerate(line) if not free}


INVERSES = {pair for p in range(3) for pair in ((p, p + 3), (p + 3, p))}
ORDER = {(last, following) for last in range(6) for following in range(last) if (last - following) % 3}


def test_independent_counters_keep_one_order_and_never_turn_back() -> None:
    assert pruned(counters()) == INVERSES | ORDER


def test_what_reads_and_what_is_written_do_not_commute() -> None:
    """A guard, a cost or `always` over all counters ties the actions together; turning back is still in vain."""
    assert pruned(counters(always="always:\n  - sum(at[q] for q in place) <= 7")) == INVERSES
    downs = {(last, following) for last, following in ORDER if following >= 3}
    assert pruned(counters(guard="when: sum(at[q] for q in place) < 5")) == INVERSES | downs
    assert pruned(counters(cost="cost: at[0] + 1")) >= INVERSES
    assert (1, 0) not in pruned(counters(cost="cost: at[0] + 1"))
    assert (2, 1) in pruned(counters(cost="cost: at[0] + 1"))


def test_tiles_never_slide_back() -> None:
    task = ground(load_file(PUZZLES / "n_puzzle.yaml", "seed-8"))
    machine = Machine(task)
    allowed = pruning(task)
    assert allowed is not None
    for last, state, _ in machine.successors(machine.initial):
        back = [action for action, before, _ in machine.successors(state) if before == machine.initial]
        assert [action for action, _, _ in machine.successors(state) if not allowed[last, action]] == back


def test_choices_are_not_pruned() -> None:
    assert pruning(ground(load_file(PUZZLES / "vehicles.yaml"))) is None


# --- random models ----------------------------------------------------------------------------------------------------


def random_tasks(seed: int) -> Iterator[tuple[int, Task]]:
    """Small models in which something is pruned, with their seeds."""
    while True:
        try:
            task = ground(load_text(random_puzzle(seed), f"seed {seed}"))
        except PuzzleError:
            pass
        else:
            if pruning(task) is not None and 1 < len(reachable(Machine(task, trim=False))) < MOST_STATES:
                yield seed, task
        seed += 1


def reachable(machine: Machine) -> list[int]:
    found = {machine.initial: None}
    for state in (waiting := [machine.initial]):
        fresh = [after for _, after, _ in machine.successors(state) if after not in found]
        found.update(dict.fromkeys(fresh))
        waiting += dict.fromkeys(fresh)
        if len(found) >= MOST_STATES:
            break
    return list(found)


def check_pairs(task: Task, allowed: Pruning) -> int:
    """Every pruned pair, wherever it applies, undoes itself or has the same result in the other order; how many."""
    machine, met = Machine(task, trim=False), 0
    for state in reachable(machine):
        first = {action: (after, cost) for action, after, cost in machine.successors(state)}
        for last, (between, cost) in first.items():
            for following, after, more in machine.successors(between):
                if allowed[last, following]:
                    continue
                met += 1
                if after == state:
                    continue
                assert following < last
                other, other_cost = first[following]
                swapped = {action: (end, price) for action, end, price in machine.successors(other)}
                assert swapped[last][0] == after
                assert (other_cost, swapped[last][1]) == (more, cost)
    return met


@dataclass(frozen=True)
class Towards:
    """A machine that is to reach a given state."""

    machine: Machine
    target: int
    pruning: Pruning | None

    @property
    def initial(self) -> int:
        return self.machine.initial

    @property
    def unit_cost(self) -> bool:
        return self.machine.unit_cost

    def is_goal(self, state: int) -> bool:
        return state == self.target

    def successors(self, state: int) -> list[tuple[int, int, int]]:
        return self.machine.successors(state)

    def goal_states(self) -> list[int]:
        return [self.target]


def search(machine: Machine, target: int, allowed: Pruning | None) -> tuple[Found | None, SearchSpace]:
    space = SearchSpace(Towards(machine, target, allowed), Limits(nodes=3000))
    return ida_star(space, TEXTBOOK), space


def check_costs(task: Task, allowed: Pruning) -> None:
    """Every state is reached at the same cost with and without pruning, as far as the plain search comes."""
    machine = Machine(task, trim=False)
    for target in reachable(machine)[:40]:
        try:
            plain, plain_space = search(machine, target, None)
        except LimitReached:
            continue
        found, space = search(machine, target, allowed)
        assert found is not None and plain is not None
        assert (found.cost, space.lower_bound) == (plain.cost, plain_space.lower_bound)


def check(first_seed: int, models: int) -> None:
    met = 0
    for seed, task in islice(random_tasks(first_seed), models):
        allowed = pruning(task)
        assert allowed is not None
        try:
            met += check_pairs(task, allowed)
            check_costs(task, allowed)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}") from error
    assert met


def test_random_models() -> None:
    check(0, MODELS)
    for seed in TELLING:
        check(seed, 1)


@pytest.mark.slow
def test_many_random_models() -> None:
    check(100_000, MODELS_SLOW)


@pytest.mark.parametrize("name", [slow("klotski"), "bloxorz", slow("water_sort"), "vehicles_one_at_a_time", "n_puzzle"])
def test_puzzles(name: str) -> None:
    task = ground(load_file(PUZZLES / f"{name}.yaml"))
    allowed = pruning(task)
    assert allowed is not None
    assert check_pairs(task, allowed)
