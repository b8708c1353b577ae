"""Levels that a walked state space proposes: the hardest starts, or those of a wanted length, far from each other.

Among states at one distance from the goals each next one is the farthest from those chosen before, by the number of
variables that differ (farthest-first traversal: Gonzalez, Clustering to minimize the maximum intercluster distance,
1985). States that are one up to proven symmetry are proposed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from models.decoding import numbers_of, state_of, steps_of
from models.errors import PuzzleError
from models.frozen import frozen
from models.interpreter import State as Lifted
from models.outcomes import Outcome, Unsupported
from models.puzzle import Puzzle
from models.task import State, Task
from puzzlewright.files.level_writing import LevelWriter, Written, same_rules
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from puzzlewright.analysis.exploration import Exploration

MOST_AT_ONCE = 2_000  # of the states at one distance, of which those far from each other are chosen
MOST_COMPARED = 100  # states in which a level written in data is compared with the puzzle


@frozen(eq=True)
class Proposal:
    """A start state by number, its cheapest plans, and the level that gives it; why there is none, if so."""

    number: int
    written: Written | None
    plans: int | None  # None: infinitely many
    branching: int
    forced: int | None
    why: str = ""


def propose(
    found: Exploration, text: str, wanted: int, length: int | None, request: Request, look: Callable[[], None]
) -> Iterator[Proposal]:
    """The hardest starts one after the other, or those `length` away (in the first metric); `text` is the file's."""
    writer = LevelWriter(found.bench.puzzle, text, found.bench.deadline)
    prefix = "hardest" if length is None else f"length-{length}"
    for count, number in enumerate(_chosen(found, wanted, length, request.symmetry, look), 1):
        look()
        path = found.survey.best_path(number)
        same = partial(_same, found, number, request)
        try:
            written, why = writer.write(f"{prefix}-{count}", found.lifted(number), _known(found, number), same), ""
        except PuzzleError as error:
            written, why = None, error.diagnostics[0].message
        after = {state for state, _ in found.survey.edges_from(number)}
        plans = found.survey.plans_from(number, look)
        yield Proposal(number, written, plans, len(after), None if path is None else _forced(found, path), why)


def _known(found: Exploration, number: int) -> Mapping[str, object]:
    """What a level may call known: its optimum in the first metric. Steps are no metric of the puzzle."""
    puzzle = found.bench.puzzle
    distance = found.priced(found.survey.goal_distance(number))
    if distance is None or (found.in_steps and not found.bench.task.unit_cost):
        return {}
    return {"optimal": distance["cost"] if len(puzzle.metrics) == 1 else {found.bench.metrics[0]: distance["cost"]}}


def _forced(found: Exploration, path: list[int]) -> int:
    """The states along a path, its last left out, with one successor besides themselves and the state before."""
    before = [None, *path]
    edges = (({after for after, _ in found.survey.edges_from(state)} - {state, old})
             for old, state in zip(before, path[:-1], strict=False))  # fmt: skip
    return sum(len(successors) == 1 for successors in edges)


# -- which states ------------------------------------------------------------------------------------------------------


def _chosen(found: Exploration, wanted: int, length: int | None, symmetry: bool, look: Callable[[], None]) -> list[int]:
    """Numbers of states, at most so many; fewer only where there are no others."""
    orbit = _orbits(found) if symmetry else found.space.state
    chosen: list[tuple[int, State]] = []
    for numbers in _portions(found, length):
        look()
        pool = {orbit(number): number for number in reversed(numbers) if not found.space.goals[number]}
        taken = {state for _, state in chosen}
        waiting = {state: number for state, number in reversed(pool.items()) if state not in taken}
        while waiting and len(chosen) < wanted:
            state = max(waiting, key=lambda state: min((_apart(state, other) for _, other in chosen), default=0))
            chosen.append((waiting.pop(state), state))
        if len(chosen) == wanted:
            break
    return [number for number, _ in chosen]


def _portions(found: Exploration, length: int | None) -> Iterator[list[int]]:
    """The states at the wanted distance, or at all from the largest one down, at most so many at once."""
    for low, high in _distances(found, length):
        yield from found.survey.portions(low, high, MOST_AT_ONCE)


def _distances(found: Exploration, length: int | None) -> Iterator[tuple[int, int]]:
    """The ranges of combined costs to look through: that of the wanted length, or from the largest distance down."""
    if length is not None:
        weight = found.bench.task.weights[0] if len(found.metrics) > 1 else 1
        yield length * weight, length * weight + weight - 1
        return
    distance = found.survey.hardest_cost
    while distance is not None:
        yield distance, distance
        distance = found.survey.next_distance(distance)


def _orbits(found: Exploration) -> Callable[[int], State]:
    """For a state's number one state of its orbit."""
    symmetry = found.bench.symmetry
    if not symmetry:
        return found.space.state
    machine = found.bench.machine(symmetry)
    if machine.unused:
        return lambda number: symmetry.canonical(found.space.state(number))
    layout = machine.layout
    return lambda number: layout.unpack(machine.canonical(layout.pack(found.space.state(number))))


def _apart(one: State, other: State) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


# -- is the level what is proposed? ------------------------------------------------------------------------------------


def _same(found: Exploration, number: int, request: Request, level: Puzzle) -> bool:
    """Is a level with the right start the puzzle that was explored, as far as that start is concerned?

    It is if the tasks are the same. Where data have brought letters into another order they are written differently:
    then some states are compared action by action, and the level is solved.
    """
    one = found.bench
    try:
        other = Workbench(level, found.bench.metrics, one.deadline)
        if same_rules(one.task, other.task):
            return True
        if found.in_steps and not one.task.unit_cost:
            return False  # distances are steps, and plans are measured in costs
        if _domains(one.task) != _domains(other.task):
            return False
        around, around_other = _around(one), _around(other)
        if any(around(state) != around_other(state) for state in _compared(found, number)):
            return False
        limits = replace(request.limits, time=one.deadline.left)
        answer = solve(level, Request(metrics=request.metrics, limits=limits), other)
    except (PuzzleError, Unsupported):
        return False
    if answer.outcome is Outcome.INTERRUPTED:
        raise KeyboardInterrupt
    cost = None if answer.replay is None else one.scale.combined(answer.replay.costs)
    return answer.outcome is Outcome.OPTIMAL and cost == found.survey.goal_distance(number)


def _compared(found: Exploration, number: int) -> Iterator[Lifted]:
    """The states of a best plan, then some of all states and of the goals."""
    yield from map(found.lifted, found.survey.best_path(number) or [number])
    for some in (range(found.space.size), found.survey.between(0, 0, MOST_COMPARED)):
        yield from map(found.lifted, some[:: max(1, len(some) // MOST_COMPARED)])


def _domains(task: Task) -> dict[str, set[object]]:
    return {variable.name: set(variable.domain) for variable in task.variables}


def _around(bench: Workbench) -> Callable[[Lifted], object]:
    """What the compiled task says of a state: is it a goal, and which action leads to which state at which cost."""
    from search.machine import compile_task

    puzzle, task, compiled = bench.puzzle, bench.task, compile_task(bench.task)

    def around(state: Lifted) -> object:
        bench.deadline.look()
        numbers = numbers_of(puzzle, task, state)
        edges = {
            (step, frozenset(state_of(puzzle, task, after).items()), bench.scale.apart(cost))
            for operator, after, cost in compiled.successors(numbers)
            for step in steps_of(task, operator)
        }
        return compiled.is_goal(numbers), edges

    return around
