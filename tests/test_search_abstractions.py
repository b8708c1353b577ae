"""Images of tasks: every step and every goal has its own, whatever the values are put together to."""

from __future__ import annotations

import random

import pytest
from abstracting import drawn_task, missing, random_classes, states_of
from random_tasks import make_task, random_term, slide
from sampled import seeds

from models.execution import value
from models.outcomes import Unsupported
from models.terms import FALSE, TRUE, choice, compare, conjunction, is_condition, member, var
from search.abstractions.elimination import JOINT, may, must
from search.abstractions.images import image_of
from search.proofs.transitions import transitions


@pytest.mark.parametrize("seed", seeds(25, 2000))
def test_every_step_and_goal_has_its_image(seed: int) -> None:
    rng = random.Random(seed)
    task = drawn_task(rng)
    rows = transitions(task)
    for _ in range(3):
        try:
            image = image_of(task, rows, random_classes(rng, task), unit=rng.choice((1, 1, 2)))
        except Unsupported:
            continue
        assert missing(task, image) == []


@pytest.mark.parametrize("seed", seeds(25, 300))
def test_what_may_and_what_must_hold(seed: int) -> None:
    """Of few unknown values exactly that; of many, more may hold and less must."""
    rng = random.Random(seed)
    known = [var(number, rng.randint(2, 3)) for number in range(2)]
    unknown = [choice(number, rng.randint(2, 6)) for number in range(rng.choice((1, 2, 4)))]
    parts = [random_term(rng, [*known, *unknown], 3) for _ in range(3)]
    parts = [each if is_condition(each) else member(each, each.values[::2]) for each in parts]
    hidden = frozenset(unknown)
    possible, sure = may(parts, hidden), must(conjunction(parts), hidden)
    task, members = make_task([len(each.values) for each in known], []), make_task([len(e.values) for e in unknown], [])
    for state in states_of(task):
        found = {all(value(part, [state], choices) for part in parts) for choices in states_of(members)}
        assert value(possible, [state]) or True not in found
        assert not value(sure, [state]) or False not in found
        if len(list(states_of(members))) <= JOINT:
            assert bool(value(possible, [state])) == (True in found)
            assert bool(value(sure, [state])) == (False not in found)


def test_more_than_is_tried_counts_as_possible() -> None:
    one, other = choice(0, JOINT), choice(1, JOINT)
    assert may((compare("<", one, other),), frozenset((one, other))) is TRUE
    assert must(compare("<", one, other), frozenset((one, other))) is FALSE


def test_a_sliding_puzzle_with_some_tiles_alike() -> None:
    """Nothing is left open, a slide of what is alike is no step, and only one image is a goal."""
    task = slide(2, 2, (0, 3, 2, 1))
    image = image_of(task, transitions(task), ((0, 1, 2, 2),) * 4)
    assert missing(task, image) == []
    assert [row.free for row in image.rows if row.free] == []
    assert sum(value(image.task.goal, [state]) for state in states_of(image.task)) == 1
