"""Three evaluators on one puzzle: the referee, the compiled successors, and CP-SAT by its one-step model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

import one_step
from random_models import random_puzzle

from models.decoding import numbers_of, state_of, steps_of
from models.errors import PuzzleError
from models.grounding import ground
from models.interpreter import UNDEFINED, State, evaluate, holds, scope
from models.loader import load_text
from models.plan import Step
from models.puzzle import Puzzle
from models.referee import Refusal, apply, bindings_of, costs, is_goal, label, start_state, successors
from models.task import Task
from search.machine import CompiledTask, compile_task

MOST_STATES = 200
TRIED_OUT = 5  # states of which every step is tried


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
    return {Frozen(states[key]): edges for key, edges in found.items()}


def full_product(puzzle: Puzzle, state: State) -> Iterator[tuple[Step, State]]:
    """The successors, by trying every value of every parameter."""
    for action in puzzle.actions:
        for arguments in bindings_of(action.parameters):
            with suppress(Refusal):
                yield Step(action.name, arguments), apply(puzzle, state, Step(action.name, arguments))


class Frozen(dict):  # type: ignore[type-arg]
    """A state that can be a key."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(_frozen(self))


def _frozen(state: State) -> tuple[object, ...]:
    return tuple(state.values())


def check(puzzle: Puzzle, cpsat: bool = True) -> int | None:
    """How many states agree; None where the puzzle is too large or grounding refuses it. Difference if one does not."""
    states = reachable(puzzle)
    if states is None:
        return None
    for state, edges in islice(states.items(), TRIED_OUT):
        same("successors by trial", state, list(full_product(puzzle, state)), edges)
    try:
        tasks = [ground(puzzle, (metric,)) for metric in puzzle.metrics]
    except PuzzleError:
        return None
    for task in tasks:
        compiled = compile_task(task, trim=True)
        for state, edges in states.items():
            compare_state(puzzle, task, compiled, state, edges)
    if cpsat:
        compare_cpsat(puzzle, tasks[0], states)
    return len(states)


def compare_state(
    puzzle: Puzzle, task: Task, compiled: CompiledTask, state: State, edges: list[tuple[Step, State]]
) -> None:
    numbers = numbers_of(puzzle, task, state)
    same(
        "kept values",
        state,
        {place: state[place] for place in state_of(puzzle, task, numbers)},
        state_of(puzzle, task, numbers),
    )
    expected = Counter(
        (step, numbers_of(puzzle, task, after), costs(puzzle, state, step)[task.metric]) for step, after in edges
    )
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
        known = value if type(value) is int else 0  # what is undefined counts as nothing
        if declared.name in terms:
            same(f"heuristic {declared.name}", state, known, compiled.evaluate(terms[declared.name])(numbers))
    kept = {invariant.name: invariant for invariant in task.invariants}
    for declared in puzzle.invariants:
        has_value = evaluate(declared.expression, scope(state)) is not UNDEFINED
        if declared.name in kept:
            defined = compiled.evaluate(kept[declared.name].defined)(numbers)
            same(f"defined: invariant {declared.name}", state, has_value, bool(defined))
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
        raise Difference(
            f"{what} differ in {state}\nreferee: {_only(expected, found)}\nother:   {_only(found, expected)}"
        )


def _only(one: object, other: object) -> object:
    return one - other if isinstance(one, Counter | set) else one  # type: ignore[operator]
