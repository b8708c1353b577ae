"""Three evaluators, one meaning: on random small puzzles the referee, the compiled successors and CP-SAT
agree on every reachable state (CP-SAT by its one-step model), and so do goal, costs and declared estimates.

A difference is reported with its seed, the puzzle's text and the state; `random_puzzle(seed)` gives the text again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count, islice
from random import Random
from typing import Any

import one_step
import pytest
from random_models import random_puzzle

from models import expressions as e
from models import terms as t
from models import unrolling
from models.decoding import numbers_of, state_of, steps_of
from models.errors import PuzzleError
from models.grounding import ground
from models.interpreter import UNDEFINED, State, evaluate, holds, scope
from models.loader import load_text
from models.plan import Step
from models.puzzle import Puzzle
from models.referee import Refusal, apply, bindings_of, costs, is_goal, label, start_state, successors
from models.starts import with_start
from models.task import Task
from puzzlewright.analysis.scrambling import scrambled
from search.machine import CompiledTask, compile_task

MOST_STATES = 200
TRIED_OUT = 5  # states of which every step is tried
FIRST_SEED = 0
MODELS, MODELS_SLOW = 100, 4000  # with at least two states
MUTATION_SEEDS = 300
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


def full_product(puzzle: Puzzle, state: State) -> Iterator[tuple[Step, State]]:
    """The successors, by trying every value of every parameter."""
    for action in puzzle.actions:
        for arguments in bindings_of(action.parameters):
            with suppress(Refusal):
                yield Step(action.name, arguments), apply(puzzle, state, Step(action.name, arguments))


class _Frozen(dict):  # type: ignore[type-arg]
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


def examine(seed: int, cpsat: bool = True) -> int | None:
    """How many states of the seed's puzzle agree; None where it is refused. Any failure comes with seed and text."""
    puzzle = load(seed)
    if puzzle is None:
        return None
    try:
        return check(puzzle, cpsat)
    except Exception as failure:
        kind = "" if isinstance(failure, Difference) else f"{type(failure).__name__}: "
        raise Difference(f"seed {seed}: {kind}{failure}\n\n{random_puzzle(seed)}") from failure


def run(first: int, models: int) -> tuple[int, Counter[int]]:
    """Draw until `models` puzzles with at least two states agree; (seeds drawn, sizes of all that were accepted)."""
    sizes: Counter[int] = Counter()
    for drawn, seed in enumerate(count(first), 1):
        size = examine(seed)
        if size is not None:
            sizes[size] += 1
        if sizes.total() - sizes[1] >= models:
            return drawn, sizes
    raise AssertionError


def test_evaluators_agree() -> None:
    drawn, sizes = run(FIRST_SEED, MODELS)
    assert sizes.total() > LEAST_ACCEPTED * drawn
    assert sum(n for size, n in sizes.items() if size >= 5) > MODELS / 5


def test_evaluators_agree_from_other_starts() -> None:
    """A state of the puzzle as its start, and the one that a scramble leads to: what follows them is as it was."""
    moved = 0
    for seed in range(FIRST_SEED, FIRST_SEED + 50):
        puzzle = load(seed)
        states = None if puzzle is None else reachable(puzzle)
        if puzzle is None or states is None or len(states) < 2:
            continue
        with suppress(PuzzleError):
            there = Random(seed).choice(list(states))
            for other in (with_start(puzzle, there), scrambled(puzzle, 3, seed)[0]):
                edges = reachable(other)
                assert edges is not None and edges == {state: states[state] for state in edges}
                assert check(other, cpsat=False) == len(edges)
                moved += len(edges) > 1
            assert start_state(with_start(puzzle, there)) == there
    assert moved > 10


@pytest.mark.slow
def test_evaluators_agree_on_thousands() -> None:
    run(FIRST_SEED + 100_000, MODELS_SLOW)


# -- the comparison can fail ------------------------------------------------------------------------------------------


def _lax_order(u: Any, node: Any, env: Any) -> Any:
    return unrolling.Unroller.order(u, replace(node, strict=False), env)


def _late_first(u: Any, node: Any, env: Any) -> Any:
    if node.kind == "first":
        node = replace(node, default=None)
    return unrolling.Unroller.quantifier(u, node, env)


def _sure_equal(u: Any, node: Any, env: Any) -> Any:
    """Forgets that an atom with an undefined part is false."""
    same = unrolling.equal(u.ground(node.left, env), u.ground(node.right, env))
    return unrolling.of_condition(t.negation(same) if node.negated else same)


def _lax_inside(u: Any, node: Any, env: Any) -> Any:
    u.ground(node.argument, env)
    return unrolling.Fixed(True)


def _first_branch(u: Any, node: Any, env: Any) -> Any:
    return u.ground(node.then, env)


MUTATIONS = {
    "order": (e.Order, _lax_order),
    "first": (e.Quantifier, _late_first),
    "equal": (e.Equal, _sure_equal),
    "inside": (e.Inside, _lax_inside),
    "conditional": (e.Conditional, _first_branch),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_comparison_notices_a_wrong_rule(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(unrolling._RULES, *MUTATIONS[name])
    with pytest.raises(Difference, match="differ in"):
        for seed in range(FIRST_SEED, FIRST_SEED + MUTATION_SEEDS):
            examine(seed, cpsat=False)
