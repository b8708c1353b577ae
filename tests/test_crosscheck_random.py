"""Three evaluators, one meaning: on random small puzzles the referee, the compiled successors and CP-SAT
agree on every reachable state (CP-SAT by its one-step model), and so do goal, costs and declared estimates.

A difference is reported with its seed, the puzzle's text and the state; `random_puzzle(seed)` gives the text again.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest
from crosschecking import Difference, Frozen, check, load, reachable
from random_models import random_puzzle, with_after

from models import expressions as e
from models import terms as t
from models import unrolling
from models.errors import PuzzleError
from models.grounding import ground
from models.interpreter import State
from models.loader import load_text
from models.outcomes import Limits
from models.plan import Step, step_json
from models.puzzle import Puzzle
from models.referee import start_state
from models.starts import with_start
from models.steps import step_line
from puzzlewright.analysis.scrambling import scrambled
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve

FIRST_SEED = 0
MODELS, MODELS_SLOW = 40, 4000  # with at least two states
TELLING = 202, 209, 276, 1013  # later seeds that tell of what those are blind to
MUTATION_SEEDS = 300
LEAST_ACCEPTED = 0.3


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
    assert all(examine(seed) for seed in TELLING)
    assert sizes.total() > LEAST_ACCEPTED * drawn
    assert sum(n for size, n in sizes.items() if size >= 5) > MODELS / 5


def test_evaluators_agree_from_other_starts() -> None:
    """A state of the puzzle as its start, and the one that a scramble leads to: what follows them is as it was.

    A scramble leaves a variable that has no influence as it was, so that its state may be none of the puzzle's own.
    """
    moved = 0
    for seed in range(FIRST_SEED, FIRST_SEED + 15):
        puzzle = load(seed)
        states = None if puzzle is None else reachable(puzzle)
        if puzzle is None or states is None or len(states) < 2:
            continue
        with suppress(PuzzleError):
            there = Random(seed).choice(list(states))
            for other in (with_start(puzzle, there), scrambled(puzzle, 3, seed)[0]):
                edges = reachable(other)
                assert edges is not None and check(other, cpsat=False) == len(edges)
                if Frozen(start_state(other)) not in states:
                    assert len(ground(puzzle).variables) < len(there)
                    continue
                assert edges == {state: states[state] for state in edges}
                moved += len(edges) > 1
            assert start_state(with_start(puzzle, there)) == there
    assert moved > 5


def test_evaluators_agree_after_steps() -> None:
    """A level that starts after steps is the same puzzle from the state that they lead to, for both paths."""
    solved: Counter[str] = Counter()
    for seed in range(FIRST_SEED, FIRST_SEED + 50):
        puzzle = load(seed)
        states = None if puzzle is None else reachable(puzzle)
        walked = None if puzzle is None or states is None else some_walk(puzzle, states, Random(seed))
        if puzzle is None or walked is None:
            continue
        steps, there = walked
        other = load_text(with_after(random_puzzle(seed), steps), f"seed {seed}")
        assert start_state(other) == there
        assert check(other, cpsat=False) in (len(reachable(other) or ()), None)
        with suppress(PuzzleError):
            for backend in ("bfs", "cpsat") if sum(solved.values()) < 12 else ("bfs",):
                wanted = Request(backend, limits=Limits(time=20))
                one, two = solve(other, wanted), solve(with_start(puzzle, there), wanted)
                assert (one.outcome, one.plan and len(one.plan)) == (two.outcome, two.plan and len(two.plan))
                solved[backend] += one.plan is not None
    assert solved["bfs"] > 4 and solved["cpsat"] > 2


def some_walk(
    puzzle: Puzzle, states: dict[State, list[tuple[Step, State]]], rng: Random
) -> tuple[list[Any], State] | None:
    """Some steps from the start, as lines and as JSON has them, with where they lead; None without such."""
    state, steps = start_state(puzzle), list[Any]()
    for _ in range(rng.randint(1, 4)):
        edges = states[Frozen(state)]
        if not edges:
            break
        step, state = rng.choice(edges)
        line = step_line(step, puzzle)
        steps.append(rng.choice([line, line[1:-1], step_json(step, puzzle.words)]))
    return (steps, state) if steps else None


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
