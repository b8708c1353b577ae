"""Random classes and patterns for tasks, and what is true of their images, by the definition of a task alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import product

from random_tasks import make_task, random_task, random_term, slide

from models.execution import is_goal, successors, value
from models.task import Assignment, Phase, Row, Schema, State, Task
from models.terms import (
    FALSE,
    TRUE,
    Term,
    add,
    compare,
    conjunction,
    const,
    disjunction,
    is_condition,
    member,
    negation,
    var,
)
from search.abstractions.images import Classes, Image

Edge = tuple[State, State, int]


def drawn_task(rng: random.Random) -> Task:
    """A random task with a goal, some with loops."""
    found = random_task(rng, loops=rng.choice((0.0, 0.3)))
    leaves = [var(number, len(each.domain)) for number, each in enumerate(found.variables)]
    goal = random_term(rng, leaves, 2)
    goal = goal if is_condition(goal) else member(goal, goal.values[: (len(goal.values) + 1) // 2])
    always = found.always if value(found.always, [found.start]) else negation(found.always)
    return make_task([len(each.domain) for each in found.variables], found.schemas, goal, always)


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


# -- tasks of the kinds that patterns are for --------------------------------------------------------------------------


def board_task(rng: random.Random) -> Task:
    """Rows move values about on a few places; some look at what is there, some are dear, some free."""
    places = rng.randint(3, 6)
    at = [var(index, places) for index in range(places)]
    near = [(one, other) for one in range(places) for other in range(one) if rng.random() < 0.6]
    gap = rng.random() < 0.5
    rows = []
    for one, other in near if not gap else [*near, *((b, a) for a, b in near)]:
        guard = [member(at[one], (0,))] if gap else []
        guard += [negation(member(at[other], (rng.randrange(places),)))] * (rng.random() < 0.2)
        moved = {one: at[other], other: const(0) if gap else at[one]}
        if not gap and rng.random() < 0.3:
            moved = turned(at, rng.sample(range(places), 3))
        rows.append(simple_row(conjunction(guard), moved, const(rng.choice((0, 1, 1, 1, 2, 300)))))
    wanted = rng.sample(range(places), places)
    parts = [member(at[index], (wanted[index],)) for index in range(places)]
    goal = conjunction(parts if rng.random() < 0.6 else rng.sample(parts, 2))
    start = rng.sample(range(places), places)
    if rng.random() < 0.2:
        start[0] = start[1]
    return make_task([places] * places, [Schema("move", (), (), tuple(rows))], goal, start=tuple(start))


def turned(at: Sequence[Term], places: Sequence[int]) -> dict[int, Term]:
    return {place: at[places[number - 1]] for number, place in enumerate(places)}


def mirrored_task(rng: random.Random) -> Task:
    """The sliding puzzle on a board with mirror images, from any start, sometimes with one step dearer."""
    rows, cols = rng.choice(((2, 2), (2, 3), (1, 5)))
    found = slide(rows, cols, tuple(rng.sample(range(rows * cols), rows * cols)))
    if rng.random() < 0.5:
        return found
    (schema,) = found.schemas
    dear = rng.randrange(len(schema.rows))
    made = tuple(replace(row, cost=const(3)) if number == dear else row for number, row in enumerate(schema.rows))
    return replace(found, schemas=(replace(schema, rows=made),))


def token_task(rng: random.Random) -> Task:
    """Tokens on squares, moved by one who walks about; they are at home on some."""
    squares = rng.randint(3, 6)
    holds = [var(index, 2) for index in range(squares)]
    here = var(squares, 3)
    rows = [simple_row(member(here, (place,)), {squares: const((place + 1) % 3)}, const(rng.choice((0, 1))))
            for place in range(3)]  # fmt: skip
    for _ in range(rng.randint(2, 8)):
        one, other = rng.sample(range(squares), 2)
        guard = conjunction((holds[one], negation(holds[other]), member(here, (rng.randrange(3),))))
        rows.append(simple_row(guard, {one: FALSE, other: TRUE}, const(rng.choice((0, 1, 1, 2)))))
    if squares > 3 and rng.random() < 0.3:  # two at once
        a, b, c, d = rng.sample(range(squares), 4)
        guard = conjunction((holds[a], holds[b], negation(holds[c]), negation(holds[d])))
        rows.append(simple_row(guard, {a: FALSE, b: FALSE, c: TRUE, d: TRUE}, const(1)))
    home = rng.sample(range(squares), rng.randint(1, squares - 1))
    goal = conjunction(negation(holds[index]) for index in range(squares) if index not in home)
    start = tuple(rng.randrange(2) for _ in range(squares)) + (0,)
    return make_task([2] * squares + [3], [Schema("push", (), (), tuple(rows))], goal, start=start)


def kinds_task(rng: random.Random) -> Task:
    """Tokens of some kinds that slide and step about, perhaps by a wall; there are several ways to end."""
    squares, kinds = rng.randint(4, 6), rng.randint(1, 3)
    at = [var(index, kinds + 2) for index in range(squares)]  # empty, the kinds, a wall
    start = [0] * squares
    for index in rng.sample(range(squares), rng.randint(1, 3)):
        start[index] = rng.randint(1, kinds + (rng.random() < 0.2))
    rows = []
    for _ in range(rng.randint(2, 5)):
        path = rng.sample(range(squares), rng.randint(2, 4))
        rows += [slide_row(at, way, const(rng.choice((0, 1, 1, 1, 2)))) for way in (path, path[::-1])]
    for _ in range(rng.randint(0, 3)):
        one, other, kind = *rng.sample(range(squares), 2), rng.randint(1, kinds)
        guard = conjunction((member(at[one], (kind,)), member(at[other], (0,))))
        rows.append(simple_row(guard, {one: const(0), other: const(kind)}, const(rng.choice((0, 1, 3)))))
    rows += [odd_row(rng, at, kinds)] * (rng.random() < 0.25)
    goal = disjunction(end_of(rng, at, kinds) for _ in range(rng.randint(1, 4)))
    return make_task([kinds + 2] * squares, [Schema("move", (), (), tuple(rows))], goal, start=tuple(start))


def slide_row(at: Sequence[Term], path: Sequence[int], cost: Term) -> Row:
    """What is first on the path goes on to the last square before one that is not empty."""
    first, wall = path[0], at[0].values[-1]
    lines, free = [Assignment(first, TRUE, const(0))], []
    for place, square in enumerate(path[1:], 1):
        free.append(member(at[square], (0,)))
        stops = [negation(member(at[path[place + 1]], (0,)))] if place + 1 < len(path) else []
        lines.append(Assignment(square, conjunction([*free, *stops]), at[first]))
    guard = conjunction((negation(member(at[first], (0, wall))), free[0]))
    return Row((), (Phase(guard, tuple(lines)),), cost)


def odd_row(rng: random.Random, at: Sequence[Term], kinds: int) -> Row:
    """Two squares are exchanged, a token is made, eaten, copied or turned, or two step on at once."""
    a, b, c, d = rng.sample(range(len(at)), 4)
    kind = const(rng.randint(1, kinds))
    empty = [member(at[index], (0,)) for index in range(len(at))]
    match rng.randrange(6):
        case 0:
            return simple_row(TRUE, {a: at[b], b: at[a]}, const(1))
        case 1:
            return simple_row(empty[a], {a: kind}, const(1))
        case 2:
            return simple_row(negation(empty[a]), {a: const(0)}, const(1))
        case 3:
            return simple_row(empty[b], {b: at[a]}, const(1))
        case 4:
            return simple_row(negation(empty[a]), {a: kind}, const(0))
    return simple_row(conjunction((empty[c], empty[d])), {a: const(0), b: const(0), c: at[a], d: at[b]}, const(1))


def end_of(rng: random.Random, at: Sequence[Term], kinds: int) -> Term:
    """What some squares are to have, or not to have: as a conjunction, or none of it wrong, or all of it right."""
    parts = [member(at[index], (rng.randint(0, kinds + (rng.random() < 0.1)),))
             for index in rng.sample(range(len(at)), rng.randint(1, 3))]  # fmt: skip
    parts = [negation(part) if rng.random() < 0.2 else part for part in parts]
    match rng.randrange(3):
        case 0:
            return member(add([(rng.choice((1, 2)), negation(part)) for part in parts]), (0,))
        case 1:
            return member(add([(1, part) for part in parts]), (len(parts),))
    return conjunction(parts)


def placed_task(rng: random.Random) -> Task:
    """Pieces with a place each, which look at one another."""
    sizes = [rng.randint(2, 4) for _ in range(rng.randint(2, 4))]
    at = [var(index, size) for index, size in enumerate(sizes)]
    rows = []
    for _ in range(rng.randint(3, 12)):
        index = rng.randrange(len(sizes))
        guard = [member(at[index], (rng.randrange(sizes[index]),))]
        other = rng.randrange(len(sizes))
        guard += [negation(member(at[other], (rng.randrange(sizes[other]),)))] * (rng.random() < 0.7)
        guard += [compare("!=", at[index], at[other])] * (index != other and rng.random() < 0.3)
        new = {index: const(rng.randrange(sizes[index]))}
        if other != index and rng.random() < 0.2:
            new[other] = const(rng.randrange(sizes[other]))
        rows.append(simple_row(conjunction(guard), new, const(rng.choice((0, 1, 1, 2, 5)))))
    goal = conjunction(member(leaf, (rng.randrange(size),)) for leaf, size in zip(at, sizes, strict=True))
    return make_task(sizes, [Schema("go", (), (), tuple(rows))], goal, start=tuple(map(rng.randrange, sizes)))


def simple_row(guard: Term, new: Mapping[int, Term], cost: Term) -> Row:
    return Row((), (Phase(guard, tuple(Assignment(index, TRUE, value) for index, value in new.items())),), cost)


def reached(task: Task, most: int = 5000) -> list[State]:
    """The reachable states, the nearest first."""
    found = {task.start: None}
    waiting = [task.start]
    for state in waiting:
        for _, after, _ in successors(task, state):
            if after not in found and len(found) < most:
                found[after] = None
                waiting.append(after)
    return list(found)


KINDS: dict[str, Callable[[random.Random], Task]] = {
    "board": board_task, "mirrored": mirrored_task, "tokens": token_task, "kinds": kinds_task, "placed": placed_task,
    "any": drawn_task,
}  # fmt: skip
