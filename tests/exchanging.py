"""What exchanges of objects and canonical states must satisfy, tried on many states at once."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from models.execution import successors, value
from models.task import (
    State,
    Task,
)
from models.terms import Term
from search.machine import compile_task
from search.proofs.exchange import Exchange, Moves
from search.proofs.symmetry import Symmetry

Table = npt.NDArray[np.int64]  # one row for each state


def transitions(task: Task, states: Sequence[State]) -> Iterator[tuple[State, State, int]]:
    """(state, next state, cost) of every transition from these states."""
    for state in states:
        for _, after, cost in successors(task, state):
            yield state, after, cost


def values(term: Term, states: Sequence[State]) -> list[int]:
    return [value(term, [state]) for state in states]


def explored(task: Task, symmetry: Symmetry) -> tuple[int, int | None]:
    """(states that are told apart, steps to the nearest goal), breadth first."""
    compiled = compile_task(task)
    layer = [symmetry.canonical(task.start)]
    seen = set(layer)
    nearest = None
    for depth in itertools.count():
        if not layer:
            return len(seen), nearest
        if nearest is None and any(map(compiled.is_goal, layer)):
            nearest = depth
        new = dict.fromkeys(symmetry.canonical(after) for state in layer for _, after, _ in compiled.successors(state))
        layer = [state for state in new if state not in seen]
        seen.update(layer)
    raise AssertionError


def images(moves: Moves, states: Sequence[State]) -> list[State]:
    return [moves.apply(state) for state in states]


def check_exchanges(task: Task, exchanges: Sequence[Exchange], states: Sequence[State]) -> None:
    """Every exchange maps goals to goals and transitions to transitions."""
    for each in exchanges:
        moved = images(each.state, states)
        assert images(each.state, moved) == list(states)
        assert values(task.goal, states) == values(task.goal, moved)
        there = {(each.state.apply(a), each.state.apply(b), cost) for a, b, cost in transitions(task, states)}
        assert there == set(transitions(task, moved))


def check_canonical(symmetry: Symmetry, states: Sequence[State], draw: random.Random) -> None:
    """Whatever exchanges a state goes through, its canonical state stays, and that is one of the states it becomes."""
    for state in states:
        other = state
        for each in draw.choices(symmetry.exchanges, k=20):
            other = each.state.apply(other)
        assert symmetry.canonical(other) == symmetry.canonical(state) == symmetry.canonical(symmetry.canonical(state))


def random_states(task: Task, number: int, draw: random.Random) -> list[State]:
    return [tuple(draw.randrange(len(v.domain)) for v in task.variables) for _ in range(number)]
