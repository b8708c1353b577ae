"""Three evaluators, one meaning: on random small puzzles the referee, the compiled successors and CP-SAT's one-step model
agree on every reachable state, and so do goal, costs and declared estimates.

A difference is reported with its seed, the puzzle's text and the state; `random_puzzle(seed)` gives the text again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from random_models import random_puzzle

from encoders import one_step
from models import interpreter, unrolling
from models import terms as t
from models.decoding import numbers_of, state_of, steps_of
from models.errors import PuzzleError
from models.grounding import ground
from models.interpreter import UNDEFINED, State, evaluate, holds, scope
from models.loader import load_text
from models.plan import Step
from models.puzzle import Puzzle
from models.referee import costs, is_goal, label, start_state, successors
from models.task import Task
from search.codegen import CompiledTask, compile_task

MOST_STATES = 200
MODELS, MODELS_SLOW = 300, 4000
LEAST_ACCEPTED = 0.3


class Difference(AssertionError):
    """Two evaluators disagree."""


def load(seed: int) -> Puzzle | None:
    """The puzzle, None where the checker or its start refuses it."""
    try:
        return load_text(random_puzzle(seed), f"seed {seed}")
    except PuzzleError:
        return None


def reachable(puzzle: Puzzle) -> dict[State, list[tuple[Step, State]]] | None:
    """Every reachable state (frozen) with its successors by the referee; None for more than MOST_STATES."""
    start = start_state(puzzle)
    found = {_frozen(start): list[tuple[Step, State]]()}
    waiting = [start]
    states = {_frozen(start): start}
    while waiting:
        state = waiting.pop()
        for step, after in successors(puzzle, state):
            found[_frozen(state)].append((step, after))
            if _frozen(after) not in found:
                if len(found) == MOST_STATES:
                    return None
                found[_frozen(after)] = []
                states[_frozen(after)] = after
                waiting.append(after)
    return {_Frozen(states[key]): edges for key, edges in found.items()}


class _Frozen(dict):  # type: ignore[type-arg]
    """A state that can be a key."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(_frozen(self))


def _frozen(state: State) -> tuple[object, ...]:
    return tuple(state.values())


def check(puzzle: Puzzle, cpsat: bool = True) -> int | None:
    """How many states agree; None where the puzzle is too large or refused by grounding. Difference where one does not."""
    states = reachable(puzzle)
    if states is None:
        return None
    try:
        tasks = [ground(puzzle, (metric,)) for metric in puzzle.metrics]
    except PuzzleError:
        return None
    for task in tasks:
        compiled = compile_task(task)
        for state, edges in states.items():
            compare_state(puzzle, task, compiled, state, edges)
    if cpsat:
        compare_cpsat(puzzle, tasks[0], states)
    return len(states)


def compare_state(puzzle: Puzzle, task: Task, compiled: CompiledTask, state: State, edges: list[tuple[Step, State]]) -> None:
    numbers = numbers_of(puzzle, task, state)
    same("kept values", state, {place: state[place] for place in state_of(puzzle, task, numbers)}, state_of(puzzle, task, numbers))
    expected = Counter((step, numbers_of(puzzle, task, after), costs(puzzle, state, step)[task.metric]) for step, after in edges)
    found = Counter((s, after, cost) for o, after, cost in compiled.successors(numbers) for s in steps_of(task, o))
    same("successors", state, expected, found)
    for operator, after, cost in compiled.successors(numbers):
        same("transition", state, (after, cost), compiled.transition(numbers, operator))
    same("goal", state, is_goal(puzzle, state), compiled.is_goal(numbers))
    compare_declared(puzzle, task, compiled, state)
    for step, _ in edges:
        label(puzzle, state, step)


def compare_declared(puzzle: Puzzle, task: Task, compiled: CompiledTask, state: State) -> None:
    numbers = numbers_of(puzzle, task, state)
    terms = {heuristic.name: heuristic.term for heuristic in task.heuristics}
    for declared in puzzle.heuristics:
        value = evaluate(declared.expression, scope(state))
        if declared.name in terms and value is not UNDEFINED:
            same(f"heuristic {declared.name}", state, value, compiled.evaluate(terms[declared.name])(numbers))
    if task.dead is not None:
        dead = any(holds(condition.expression, scope(state)) for condition in puzzle.dead)
        same("dead", state, dead, bool(compiled.evaluate(task.dead)(numbers)))


def compare_cpsat(puzzle: Puzzle, task: Task, states: dict[State, list[tuple[Step, State]]]) -> None:
    expected: dict[tuple[int, ...], set[tuple[Step, tuple[int, ...]]]] = {}
    for state, edges in states.items():
        after = {(step, numbers_of(puzzle, task, state)) for step, state in edges}
        expected[numbers_of(puzzle, task, state)] = after
    found = one_step.transitions(task, list(expected))
    for numbers, edges in found.items():
        steps = {(step, after) for operator, after in edges for step in steps_of(task, operator)}
        same("solutions of CP-SAT", state_of(puzzle, task, numbers), expected[numbers], steps)


def same(what: str, state: State, expected: object, found: object) -> None:
    if expected != found:
        raise Difference(f"{what} differ in {state}\nreferee: {_only(expected, found)}\nother:   {_only(found, expected)}")


def _only(one: object, other: object) -> object:
    return one - other if isinstance(one, Counter | set) else one  # type: ignore[operator]


def accepted(first: int, count: int) -> Iterator[tuple[int, Puzzle]]:
    """`count` puzzles that load, from seed `first` on; seeds that do not are counted."""
    seeds = iter(range(first, 2**31))
    while count:
        seed = next(seeds)
        puzzle = load(seed)
        if puzzle is not None:
            count -= 1
            yield seed, puzzle
