"""What others have made, judged: plans by the referee, heuristics by a walk, searches by how much they branch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from numbers import Integral
from typing import TYPE_CHECKING, NamedTuple

from models.decoding import step_of
from models.frozen import frozen
from models.plan import Step
from models.puzzle import Puzzle
from models.referee import Replay, replay
from puzzlewright.configuration import ConfigurationError, check_names, derives
from puzzlewright.python.coding import Codec, full_bench
from puzzlewright.python.estimating import Estimate, value_of
from puzzlewright.python.state import Shape, State
from puzzlewright.python.walking import Move, plain_step
from puzzlewright.solving.deriving import estimate_of
from puzzlewright.solving.request import Request
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from search.machine import Machine


def check_plan(puzzle: Puzzle, plan: Iterable[Step | Move]) -> Replay:
    """The referee's walk along a plan: `valid`, with its `costs`, or which `step` from 1 fails for what `reason`."""
    return replay(puzzle, tuple(map(plain_step, plan)))


class Example(NamedTuple):
    """Where a heuristic fails: at a goal state, or at a move from a state."""

    state: State
    move: Move | None


@frozen(eq=True)
class Verdict:
    """Of consistency: `proven` in all states that can be reached, `refuted` by the example, or `unknown`; and why."""

    status: str
    why: str
    example: Example | None = None


def check_heuristic(puzzle: Puzzle, h: Estimate | str, *, metric: str | None = None, states: int = 20_000) -> Verdict:
    """Is h consistent: 0 at every goal, and never more than a step's cost plus h after the step? Then it is admissible.

    All moves of at most so many states are looked at, those next to the start first.
    """
    if not isinstance(states, Integral) or states < 1:
        raise ConfigurationError("states", f"{states!r} is no whole number from 1 on")
    metrics = () if metric is None else (metric,)
    check_names(puzzle, (), metrics)
    bench = full_bench(puzzle, metrics)
    machine = bench.machine()
    codec = Codec(Shape(puzzle), machine)
    evaluate = _evaluator(bench, machine, codec, h)
    return _Walk(machine, codec, evaluate).verdict(states)


def _evaluator(bench: Workbench, machine: Machine, codec: Codec, h: Estimate | str) -> Callable[[int], int]:
    if callable(h):
        return lambda packed: value_of(h, codec.state(packed))
    declared = bench.declared(h)
    beside = (lambda packed: 0) if declared is None else machine.evaluate(declared.term, 0)
    found = bench.derived(Request()).found if derives(bench.puzzle, h) else None
    if found is None:
        return beside
    used = estimate_of(machine, found)
    return lambda packed: max(used.evaluate(packed), beside(packed))


class _Walk:
    """States in the order of their distance from the start, with their values."""

    def __init__(self, machine: Machine, codec: Codec, evaluate: Callable[[int], int]) -> None:
        self.machine, self.codec, self.evaluate = machine, codec, evaluate
        self.values: dict[int, int] = {}
        self.queue: list[int] = []

    def verdict(self, most: int) -> Verdict:
        self._meet(self.machine.initial)
        for number, packed in enumerate(self.queue):
            if number == most:
                return Verdict("unknown", f"no fault in the {most:,} states next to the start, but there are more")
            fault = self._fault(packed)
            if fault is not None:
                return fault
        return Verdict("proven", f"in {len(self.queue):,} states, which are all that can be reached")

    def _meet(self, packed: int) -> int:
        if packed not in self.values:
            self.values[packed] = self.evaluate(packed)
            self.queue.append(packed)
        return self.values[packed]

    def _fault(self, packed: int) -> Verdict | None:
        value = self.values[packed]
        if value and self.machine.is_goal(packed):
            return Verdict("refuted", f"h is {value} at a goal", Example(self.codec.state(packed), None))
        for action, after, cost in self.machine.successors(packed):
            left = self._meet(after)
            if value > cost + left:
                move = Move(step_of(self.machine.task, self.machine.operator(action)), self.codec.state(after), cost)
                why = f"h falls from {value} to {left} by a step of cost {cost}"
                return Verdict("refuted", why, Example(self.codec.state(packed), move))
        return None


def branching_factor(generated: int, depth: int) -> float:
    """The effective branching factor of a search that generated so many nodes for a plan of so many steps.

    It is that of a uniform tree of this depth with one node more, its root (Russell and Norvig).
    """
    if depth < 1 or generated < 1:
        raise ValueError("a search that found a plan of a step or more has generated a node or more")
    low, high = 0.0, float(generated)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if _below(middle, depth, generated) else (low, middle)
    return high


def _below(factor: float, depth: int, generated: int) -> bool:
    """Has the tree fewer nodes, without its root?"""
    nodes = layer = 1.0
    nodes = 0.0
    for _ in range(depth):
        layer *= factor
        nodes += layer
        if nodes >= generated:
            return False
    return True
