"""Random classes and patterns for tasks, and what is true of their images, by the definition of a task alone."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import product

from random_tasks import make_task, random_task, random_term

from models.execution import is_goal, successors, value
from models.task import State, Task
from models.terms import is_condition, member, var
from search.abstractions.images import Classes, Image

Edge = tuple[State, State, int]


def drawn_task(rng: random.Random) -> Task:
    """A random task with a goal, some with loops."""
    found = random_task(rng, loops=rng.choice((0.0, 0.3)))
    leaves = [var(number, len(each.domain)) for number, each in enumerate(found.variables)]
    goal = random_term(rng, leaves, 2)
    goal = goal if is_condition(goal) else member(goal, goal.values[: (len(goal.values) + 1) // 2])
    return make_task([len(each.domain) for each in found.variables], found.schemas, goal, found.always)


def random_classes(rng: random.Random, task: Task) -> Classes:
    """Each variable as it is, forgotten, or with values put together at random."""
    return tuple(random_partition(rng, len(variable.domain)) for variable in task.variables)


def random_partition(rng: random.Random, size: int) -> tuple[int, ...]:
    match rng.randrange(4):
        case 0:
            return (0,) * size
        case 1:
            return tuple(range(size))
    few = [rng.randrange(min(size, 3)) for _ in range(size)]
    names: dict[int, int] = {}
    return tuple(names.setdefault(each, len(names)) for each in few)


def states_of(task: Task) -> Iterator[State]:
    yield from product(*(range(len(variable.domain)) for variable in task.variables))


def legal_states(task: Task) -> list[State]:
    return [state for state in states_of(task) if value(task.always, [state])]


def edges_of(task: Task, states: Sequence[State]) -> list[Edge]:
    return [(state, after, cost) for state in states for _, after, cost in successors(task, state)]


def seen(state: State, classes: Classes) -> State:
    """A state's image."""
    return tuple(each[value] for value, each in zip(state, classes, strict=True))


def missing(task: Task, image: Image, paid: int | None = None) -> list[object]:
    """What of a task, in whatever state, has no image; nothing is what is right. All costs count, or only 0."""
    states = legal_states(task)
    steps: dict[State, dict[State, int]] = {}
    found: list[object] = []
    for state, after, cost in edges_of(task, states):
        one, other = seen(state, image.classes), seen(after, image.classes)
        if one not in steps:
            steps[one] = cheapest(image.task, one)
        if one != other and steps[one].get(other, cost + 1) * image.unit > (cost if paid is None else paid):
            found.append((state, after, cost))
    goals = [state for state in states if is_goal(task, state)]
    return found + [state for state in goals if not is_goal(image.task, seen(state, image.classes))]


def cheapest(task: Task, state: State) -> dict[State, int]:
    """Each successor at its least cost."""
    found: dict[State, int] = {}
    for _, after, cost in successors(task, state):
        found[after] = min(cost, found.get(after, cost))
    return found


def distances(task: Task, states: Sequence[State]) -> dict[State, int]:
    """The least cost to a goal, of those states that have one (Dijkstra 1959)."""
    before: dict[State, list[tuple[State, int]]] = {}
    for state, after, cost in edges_of(task, states):
        before.setdefault(after, []).append((state, cost))
    far = {state: 0 for state in states if is_goal(task, state)}
    waiting = [(0, state) for state in far]
    while waiting:
        cost, state = heappop(waiting)
        for other, step in before.get(state, ()) if cost == far[state] else ():
            if cost + step < far.get(other, cost + step + 1):
                far[other] = cost + step
                heappush(waiting, (cost + step, other))
    return far
