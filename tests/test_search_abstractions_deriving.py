"""What is derived of tasks: consistent on every edge that can be reached, whatever kind of patterns it is made of."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from abstracting import KINDS, distances, edges_of, reached, simple_row
from random_tasks import make_task, slide
from sampled import seeds

from models.execution import is_goal
from models.outcomes import ENDLESS, Unsupported
from models.task import Schema, Task
from models.terms import FALSE, TRUE, conjunction, const, member, negation, var
from search.abstractions import tokens, values, variables
from search.abstractions.derived import LEAST_DEAD, Derived, Starts
from search.abstractions.deriving import derive
from search.abstractions.reading import Estimate
from search.machine import Machine
from search.proofs.exchange import Exchange, Moves
from search.proofs.symmetry import Symmetry


def derived(task: Task) -> tuple[Derived, Machine]:
    machine = Machine(task)
    return derive(task, machine, lambda: ENDLESS), machine


def faults(task: Task) -> list[object] | None:
    """Edges on which the estimate falls by more than they cost, goals where it is not 0, dead ends that are none.

    None where nothing is derived.
    """
    try:
        found, machine = derived(task)
    except Unsupported:
        return None
    estimate = Estimate(machine.layout, found.sums)
    states = reached(task)
    h = {state: estimate.evaluate(machine.layout.pack(state)) for state in states}
    wrong: list[object] = [(one, other, cost) for one, other, cost in edges_of(task, states)
                           if other in h and h[one] > cost + h[other]]  # fmt: skip
    wrong += [state for state in states if is_goal(task, state) and h[state]]
    far = distances(task, states)
    return wrong + [state for state in states if h[state] >= LEAST_DEAD and state in far]


@pytest.mark.parametrize("seed", seeds(4, 500))
@pytest.mark.parametrize("kind", KINDS)
def test_estimates_are_consistent(kind: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every other time of many small tables, that are added up, and with two ways to end at most."""
    if seed % 2:
        for limit in ("STATES", "TRIED"):
            monkeypatch.setattr(values, limit, 40)
        monkeypatch.setattr(variables, "STATES", 8)
        monkeypatch.setattr(tokens, "MOST_COLUMNS", 2)
    assert not faults(KINDS[kind](random.Random(seed)))


def test_a_step_that_changes_two_variables_is_paid_for_once() -> None:
    both = simple_row(TRUE, {0: const(1), 1: const(1)}, const(1))
    goal = conjunction((member(var(0, 3), (1,)), member(var(1, 3), (1,))))
    task = make_task([3, 3], [Schema("both", (), (), (both,))], goal)
    found, machine = derived(task)
    assert Estimate(machine.layout, found.sums).evaluate(machine.initial) == 1


def test_a_step_that_moves_two_values_is_paid_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two and two values that have to change places, which takes two steps."""
    for limit in ("STATES", "TRIED"):
        monkeypatch.setattr(values, limit, 4)
    at = [var(place, 4) for place in range(4)]
    rows = [simple_row(TRUE, {one: at[other], other: at[one]}, const(1)) for one, other in ((0, 1), (2, 3), (0, 2))]
    goal = conjunction(member(at[place], (place,)) for place in range(4))
    task = make_task([4] * 4, [Schema("swap", (), (), tuple(rows))], goal, start=(1, 0, 3, 2))
    found, machine = derived(task)
    assert len(found.tables) == 4 and Estimate(machine.layout, found.sums).evaluate(machine.initial) == 2


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_most_random_tasks_have_estimates(kind: str) -> None:
    """So that the test before is about something."""
    told = [faults(KINDS[kind](random.Random(seed))) for seed in range(40)]
    assert sum(found is not None for found in told) >= 15


def test_a_small_sliding_puzzle_is_known_through_and_through() -> None:
    """There is one table of all five tiles, read for one mirror image too."""
    task = slide(2, 3, (4, 5, 0, 1, 2, 3))
    found, machine = derived(task)
    estimate, far = Estimate(machine.layout, found.sums), distances(task, reached(task))
    assert len(far) == 360 and (len(found.tables), found.states) == (1, 720)
    assert all(estimate.evaluate(machine.layout.pack(state)) == far[state] for state in far)


def test_two_tokens_at_once_are_no_matter_of_each_alone() -> None:
    """One step takes both home, where one step each would be two."""
    holds = [var(index, 2) for index in range(4)]
    guard = conjunction((holds[0], holds[1], negation(holds[2]), negation(holds[3])))
    single = [simple_row(conjunction((holds[one], negation(holds[2 + one]))), {one: FALSE, 2 + one: TRUE}, const(1))
              for one in range(2)]  # fmt: skip
    both = simple_row(guard, {0: FALSE, 1: FALSE, 2: TRUE, 3: TRUE}, const(1))
    goal = conjunction((negation(holds[0]), negation(holds[1])))
    for rows, known in ((single, 2), ([*single, both], 1)):
        task = make_task([2] * 4, [Schema("home", (), (), tuple(rows))], goal, start=(1, 1, 0, 0))
        found, machine = derived(task)
        assert (
            Estimate(machine.layout, found.sums).evaluate(machine.initial)
            <= known
            == distances(task, reached(task))[task.start]
        )
        assert ("token" in found.why) == (known == 2) and not faults(task)


@pytest.mark.parametrize("dear", [10**6, 10**12])
def test_tokens_that_are_dear_to_move_have_no_longer_a_table(dear: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry holds no more than a few thousands for each token, or that it is lost."""
    holds = [var(index, 2) for index in range(4)]
    rows = [simple_row(conjunction((holds[one], negation(holds[one + 1]))), {one: FALSE, one + 1: TRUE}, const(cost))
            for one, cost in ((0, 1), (1, dear), (2, 1))]  # fmt: skip
    goal = conjunction((negation(holds[0]), negation(holds[1]), negation(holds[3])))
    for start, known in (((0, 0, 1, 0), 0), ((0, 1, 0, 0), 32767), ((1, 0, 0, 0), 32767), ((1, 0, 0, 1), None)):
        task = make_task([2] * 4, [Schema("push", (), (), tuple(rows))], goal, start=start)
        found, machine = derived(task)
        value = Estimate(machine.layout, found.sums).evaluate(machine.initial)
        assert "token" in found.why and found.size < 1000 and not faults(task)
        assert value >= found.least_lost if known is None else value == known
    monkeypatch.setattr(tokens, "BYTES", 0)
    assert "token" not in derived(task)[0].why


def test_many_tokens_that_are_far_away_are_not_lost() -> None:
    """Three of them, each a step from home that costs about as much as is told apart: together no more than that."""
    holds = [var(index, 2) for index in range(6)]
    rows = [simple_row(conjunction((holds[one], negation(holds[one + 3]))), {one: FALSE, one + 3: TRUE}, const(30_000))
            for one in range(3)]  # fmt: skip
    rows.append(simple_row(conjunction((holds[3], negation(holds[0]))), {3: FALSE, 0: TRUE}, const(1)))
    goal = conjunction(map(negation, holds[:3]))
    found, machine = derived(make_task([2] * 6, [Schema("push", (), (), tuple(rows))], goal, start=(1, 1, 1, 0, 0, 0)))
    assert 30_000 < Estimate(machine.layout, found.sums).evaluate(machine.initial) < found.least_lost


def test_values_that_are_there_twice_are_told_of_in_no_place() -> None:
    """Of 1 1 3 0 a table by positions would have no entry."""
    task = slide(2, 2, (1, 1, 3, 0))
    task = replace(task, goal=conjunction((member(var(0, 4), (1,)), member(var(3, 4), (1,)))))
    assert not faults(task) and distances(task, reached(task))[task.start] > 0


def test_what_no_row_writes_is_known() -> None:
    """A door that stays shut: the way round is longer, and at another level it is open."""
    at, door = var(0, 3), var(1, 2)
    steps = ((member(at, (0,)), 1), (member(at, (1,)), 2), (conjunction((member(at, (0,)), door)), 2))
    rows = [simple_row(guard, {0: const(place)}, const(1)) for guard, place in steps]
    for open_, known in ((0, 2), (1, 1)):
        task = make_task([3, 2], [Schema("go", (), (), tuple(rows))], member(at, (2,)), start=(0, open_))
        found, machine = derived(task)
        assert Estimate(machine.layout, found.sums).evaluate(machine.initial) == known
        assert found.starts.have((2, open_)) and not found.starts.have((0, 1 - open_))


def test_tables_of_a_board_hold_where_each_value_is_as_often() -> None:
    found, _ = derived(slide(2, 2, (0, 3, 2, 1)))
    assert found.starts.have((1, 2, 3, 0)) and not found.starts.have((1, 2, 1, 0))


def test_tables_hold_for_images_whose_board_and_what_is_known_stay_in_place() -> None:
    """What comes from elsewhere is the same at the start only."""
    exchanged = Symmetry(exchanges=(Exchange(Moves({0: 2, 2: 0}), ()),))
    start = (1, 0, 1)
    for starts, holds in ((Starts({0: 1}, (), ()), False), (Starts({0: 1, 2: 1}, (), ()), True),
                          (Starts({}, (0, 1), (0, 1)), False), (Starts({}, (0, 1, 2), (0, 1, 1)), True)):  # fmt: skip
        assert starts.have(start) and starts.have_images(start, exchanged) == holds


def test_a_mirror_image_is_as_far_from_the_goal() -> None:
    """The board of 2 x 2, on which a table of all tiles is exact, also where it is read for the image alone."""
    task = slide(2, 2, (0, 3, 2, 1))
    found, machine = derived(task)
    assert len(found.sums) == 2 and len(found.tables) == 1
    image, far = Estimate(machine.layout, found.sums[1:]), distances(task, reached(task))
    assert {state: image.evaluate(machine.layout.pack(state)) for state in far} == far


def test_what_is_derived_is_the_same_each_time() -> None:
    first, second = (derived(slide(2, 2, (0, 3, 2, 1)))[0] for _ in range(2))
    assert first.why == second.why
    assert [[table.weights for table in group] for group in first.sums] == [
        [table.weights for table in group] for group in second.sums
    ]


def test_where_nothing_can_be_derived_it_says_so() -> None:
    with pytest.raises(Unsupported):
        derived(make_task([2, 2], [], TRUE))
