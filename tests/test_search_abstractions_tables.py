"""Tables of distances: right by the definition of a task, however they are made; looked through without their maker."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np
import pytest
from abstracting import distances, drawn_task, random_classes, states_of
from random_tasks import make_task, slide
from sampled import seeds

from models.outcomes import ENDLESS, Unsupported
from models.task import Assignment, Phase, Row, Schema, State
from models.terms import TRUE, Term, const, member, var
from search.abstractions.derived import DEAD, FULL, LEAST_DEAD, Derived, Table
from search.abstractions.images import Image, image_of
from search.abstractions.listing import StepList, is_estimate, listed_table
from search.abstractions.ranking import Ranking, by_classes, by_positions, listed
from search.abstractions.reading import Estimate, Greatest
from search.abstractions.tables import Workshop
from search.machine import Machine
from search.proofs.transitions import transitions

TILES = ((0, 1, 2, 3, 3, 3),) * 6  # of the board of 2 x 3: the gap, two tiles, and the others alike


def shop() -> Workshop:
    return Workshop(lambda: ENDLESS)


def entries(image: Image, ranking: Ranking, table: Table) -> dict[State, int]:
    """What the table says of each image, by its number."""
    numbers, classes = listed(ranking)
    found = np.array(classes).T.tolist()
    assert [sum(each[c] for each, c in zip(ranking.weights, state, strict=True)) for state in found] == [*numbers]
    return {tuple(state): int(table.far[number]) for state, number in zip(found, numbers, strict=True)}


def truth(image: Image) -> dict[State, int]:
    """Distances by the definition of a task."""
    states = list(states_of(image.task))
    found = distances(image.task, states)
    return {state: min(found[state], FULL) if state in found else DEAD for state in states}


@pytest.mark.parametrize("seed", seeds(8, 200))
def test_random_tables(seed: int) -> None:
    """Costs of 0 to 3; by the task turned round, by its steps, and by lists."""
    rng = random.Random(seed)
    task = drawn_task(rng)
    rows = transitions(task)
    try:
        image = image_of(task, rows, random_classes(rng, task), unit=rng.choice((1, 1, 2)))
    except Unsupported:
        return
    ranking = by_classes(image.classes)
    known = truth(image)
    for table in (shop().table(image, ranking), listed_table(image, ranking, lambda: None)):
        assert entries(image, ranking, table) == known
    steps = shop().tabling(image, ranking).steps(1 << 20)
    assert len(steps.targets) <= 1 << 20


def test_the_way_without_an_inverse_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    task = slide(2, 3, (1, 2, 3, 4, 5, 0))
    image = image_of(task, transitions(task), TILES)
    ranking = by_positions(image.classes, range(6), range(3), 3)
    backwards = shop().table(image, ranking)

    def refuse(machine: Machine) -> Machine:
        raise Unsupported("no way back")

    monkeypatch.setattr(Machine, "backward", refuse)
    forwards = shop().table(image, ranking)
    assert (forwards.far == backwards.far).all() and (forwards.far < DEAD).any()


def test_positions_tell_of_all_images_that_count() -> None:
    """6 * 5 * 4 places; from 1 2 . | . . 0, where the two tiles are right, the gap walks about."""
    task = slide(2, 3, (1, 2, 3, 4, 5, 0))
    image = image_of(task, transitions(task), TILES)
    ranking = by_positions(image.classes, range(6), range(3), 3)
    assert (ranking.size, ranking.states, len(listed(ranking)[0])) == (216, 120, 120)
    found = entries(image, ranking, shop().table(image, ranking))
    known = truth(image)
    assert all(found[state] == known[state] for state in permutations((0, 1, 2, 3, 3, 3)))
    assert found[1, 2, 3, 3, 3, 0] == 0 and found[1, 2, 3, 3, 0, 3] == 1 and found[1, 0, 3, 3, 2, 3] == 2


def test_positions_in_states_of_two_words() -> None:
    """Of the board of 4 x 5, which has 100 bits, the gap and one tile."""
    task = slide(4, 5, (*range(1, 20), 0))
    image = image_of(task, transitions(task), ((0, 1, *[2] * 18),) * 20)
    ranking = by_positions(image.classes, range(20), range(2), 2)
    assert shop().machine(image.task).words == 1 and Machine(task).words == 2
    found = entries(image, ranking, shop().table(image, ranking))
    known = distances(image.task, list(found))
    assert len(known) == 380 and found == {state: known[state] for state in found}
    estimate = Estimate(Machine(task).layout, [[shop().table(image, ranking)]])
    for seed in range(20):
        state = tuple(random.Random(seed).sample(range(20), 20))
        assert estimate.evaluate(Machine(task).layout.pack(state)) == known[tuple(min(value, 2) for value in state)]


def line(length: int, cost: Term) -> Image:
    """One step after the other; the last place but one leads nowhere, the goal is place 0."""
    at = var(0, length)
    rows = [Row((), (Phase(member(at, (place,)), (Assignment(0, TRUE, const(place - 1)),)),), cost)
            for place in range(1, length - 1)]  # fmt: skip
    task = make_task([length], [Schema("down", (), (), tuple(rows))], member(at, (0,)))
    return image_of(task, transitions(task), (tuple(range(length)),))


@pytest.mark.parametrize(("cost", "known"), [
    (const(1), [0, 1, 2, 3, 253, 254, 254]),
    (const(0), [0, 0, 0, 0, 0, 0, 0]),
    (const(100), [0, 100, 200, 254, 254, 254, 254]),
    (const(1 << 40), [0, 254, 254, 254, 254, 254, 254]),
])  # fmt: skip
def test_what_no_byte_holds_is_the_most_that_one_does(cost: Term, known: list[int]) -> None:
    """A bound from below, and not a dead end."""
    image = line(300, cost)
    for table in (shop().table(image, by_classes(image.classes)),
                  listed_table(image, by_classes(image.classes), lambda: None)):  # fmt: skip
        assert table.far[[0, 1, 2, 3, 253, 254, 298]].tolist() == known
        assert table.far[299] == DEAD


@pytest.mark.parametrize(("place", "value", "wrong"), [(0, 1, 0), (5, 7, 5), (5, 4, 6), (5, DEAD, 5), (9, 8, None)])
def test_a_table_that_is_no_estimate_is_found_out(place: int, value: int, wrong: int | None) -> None:
    """Of 0 1 2 3 ... 8 and a dead end: a goal not at 0, a drop that costs less, a dead end with a way on.

    To say less of a dead end is no fault.
    """
    image = line(10, const(1))
    ranking = by_classes(image.classes)
    far = shop().table(image, ranking).far.copy()
    far[place] = value
    assert shop().tabling(image, ranking).refuted(far) == wrong


def test_what_is_far_away_is_not_lost() -> None:
    """From place 298 there is a way, though a byte holds no more of it than of the place before."""
    image = line(300, const(1))
    ranking = by_classes(image.classes)
    far = shop().table(image, ranking).far.copy()
    far[298] = DEAD
    assert shop().tabling(image, ranking).refuted(far) == 298
    one, other = np.array([298]), np.array([297])
    assert not is_estimate(far, StepList(one, other, np.array([1])))


def test_steps_that_lead_out_of_the_table_are_found_out() -> None:
    """A tile that is copied is there twice then."""
    at = [var(place, 3) for place in range(3)]
    rows = [Row((), (Phase(member(at[one], (1,)), (Assignment(other, TRUE, at[one]),)),), const(1))
            for one, other in ((0, 1), (1, 2))]  # fmt: skip
    task = make_task([3] * 3, [Schema("copy", (), (), tuple(rows))], member(at[2], (1,)), start=(1, 0, 2))
    image = image_of(task, transitions(task), ((0, 1, 0),) * 3)
    with pytest.raises(Unsupported):
        shop().table(image, by_positions(image.classes, range(3), (1,), 0))


def test_lists_are_looked_through_too() -> None:
    steps = StepList(np.array([2, 1]), np.array([1, 0]), np.array([1, 1]))
    for far, right in (([0, 1, 2], True), ([0, 1, 3], False), ([0, 1, DEAD], False), ([DEAD, 1, 2], True)):
        assert is_estimate(np.array(far, np.uint8), steps) == right


# -- estimates ---------------------------------------------------------------------------------------------------------


def board(places: int, unit: int = 1) -> tuple[Machine, list[Table]]:
    """A machine of the sliding puzzle, and tables that say something of each value in each place."""
    rng = random.Random(places)
    machine = Machine(slide(2, 3, (1, 2, 3, 4, 5, 0)))
    weights = [tuple(tuple(rng.randrange(30) for _ in range(6)) for _ in range(6)) for _ in range(places)]
    return machine, [
        Table(np.array([rng.randrange(90) for _ in range(180)], np.uint8), each, unit, 0) for each in weights
    ]


@pytest.mark.parametrize("unit", [1, 7])
def test_estimates_are_the_greatest_sum(unit: int) -> None:
    machine, (one, two, three) = board(3, unit)
    found = Estimate(machine.layout, [[one, two], [three]])

    def entry(table: Table, state: State) -> int:
        return int(table.far[sum(each[value] for each, value in zip(table.weights, state, strict=True))])

    states = [tuple(random.Random(seed).sample(range(6), 6)) for seed in range(50)]
    for state in states:
        packed = machine.layout.pack(state)
        known = max(entry(one, state) + entry(two, state), entry(three, state)) * unit
        assert found.evaluate(packed) == known
        assert Greatest([found.address], machine.words, found).evaluate(packed) == known


def test_one_dead_entry_decides() -> None:
    machine, (one, two) = board(2)
    packed = machine.layout.pack((1, 2, 3, 4, 5, 0))
    one.far[:] = DEAD
    for sums in ([[one], [two]], [[two], [one]], [[one, two]]):
        assert Estimate(machine.layout, sums).evaluate(packed) >= LEAST_DEAD


@pytest.mark.parametrize("unit", [1, 1 << 30, 1 << 40])
def test_what_is_lost_is_more_than_any_sum_and_can_be_weighed(unit: int) -> None:
    """Searches weigh estimates in 64 bits: ten times that of a lost state is still a number for them."""
    machine, tables = board(2)
    packed = machine.layout.pack((1, 2, 3, 4, 5, 0))
    for table in tables:
        table.far[:] = DEAD
    sums = [[replace(table, unit=unit) for table in tables]]
    value = Estimate(machine.layout, sums).evaluate(packed)
    assert value == Derived(sums, "").least_lost
    assert 2 * 254 * unit < value and 10 * value < 1 << 61


def test_the_greatest_of_several_estimates() -> None:
    machine, tables = board(3)
    found = [Estimate(machine.layout, [[table]]) for table in tables]
    best = Greatest([each.address for each in found], machine.words, found)
    for state in [tuple(random.Random(seed).sample(range(6), 6)) for seed in range(50)]:
        packed = machine.layout.pack(state)
        assert best.evaluate(packed) == max(each.evaluate(packed) for each in found)


def test_an_estimate_of_nothing_is_0() -> None:
    machine, _ = board(1)
    assert Estimate(machine.layout, []).evaluate(machine.initial) == 0


def test_distances_fall_by_a_step_at_most() -> None:
    """On all ways along the line."""
    far = listed_table(line(50, const(1)), by_classes((tuple(range(50)),)), lambda: None).far
    assert all(one + 1 == other for one, other in pairwise(far[:49].tolist()))
