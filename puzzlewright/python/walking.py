"""The states and moves of a puzzle, for searches that are written in Python."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from models.decoding import plan_of, step_of
from models.outcomes import LimitReached, Limits, Outcome
from models.plan import Plan, Step
from models.puzzle import Puzzle
from models.referee import Refusal, apply, label
from models.values import show
from puzzlewright.configuration import ConfigurationError, check_names, checked
from puzzlewright.python.coding import Codec, full_bench
from puzzlewright.python.state import Shape, State
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    import networkx

MOST_STEPS = 1 << 16  # that are kept ready
SHORT = 60  # letters of a step


class Move(NamedTuple):
    """What can be done in a state: the step, the state that it leads to, its cost."""

    step: Step
    state: State
    cost: int

    def __repr__(self) -> str:
        return f"Move({told(self.step)}, cost {self.cost}, to {shortened(repr(self.state))})"


class IllegalMove(ValueError):
    """The step cannot be done there, in the referee's words."""


class Space:
    """A puzzle as a graph of states, over machine code. `expanded` and `generated` count as the built-in searches do.

    States are those of the file. Built-in searches leave aside variables on which nothing depends; here they count,
    unless `idle` is false: then they stay as they are at the start. With `symmetry` states that differ in
    interchangeable objects only are one, and `plan` says what the steps of a path mean then. May be used from several
    threads.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        metric: str | None = None,
        symmetry: bool = False,
        idle: bool = True,
        node_limit: int | None = None,
    ) -> None:
        metrics = () if metric is None else (metric,)
        check_names(puzzle, (), metrics)
        self.puzzle, self.node_limit = puzzle, checked(Limits(nodes=node_limit)).nodes
        self.expanded = self.generated = 0
        bench = full_bench(puzzle, metrics) if idle else Workbench(puzzle, metrics)
        self._machine = bench.machine(bench.usable_symmetry(None) if symmetry else None)
        self._codec = Codec(Shape(puzzle), self._machine)
        self._lock = Lock()
        self._step = lru_cache(MOST_STEPS)(self._decoded)
        self.start = self._codec.state(self._machine.initial)

    def __repr__(self) -> str:
        return f"Space({self.puzzle!r}, {self.expanded:,} expanded, {self.generated:,} generated)"

    def moves(self, state: State) -> list[Move]:
        """One expansion: every move with another effect; of steps that do the very same the first one stands for all.

        LimitReached where `node_limit` states are expanded.
        """
        return self._moves(self._successors(state, counted=True))

    def _successors(self, state: State, counted: bool) -> list[tuple[int, int, int]]:
        with self._lock:
            if counted and self.node_limit is not None and self.expanded >= self.node_limit:
                raise LimitReached(Outcome.NODE_LIMIT)
            found = self._machine.successors(self._codec.packed(state))
            self.expanded += counted
            self.generated += counted * len(found)
        return found

    def _moves(self, found: Iterable[tuple[int, int, int]]) -> list[Move]:
        decode, step = self._codec.state, self._step
        return [Move(step(action), decode(after), cost) for action, after, cost in found]

    def is_goal(self, state: State) -> bool:
        with self._lock:
            return self._machine.is_goal(self._codec.packed(state))

    def after(self, state: State, step: Step | Move) -> State:
        """The state after a step, which is not counted; IllegalMove where it cannot be done."""
        try:
            lifted = apply(self.puzzle, state.lifted, plain_step(step))
        except Refusal as refusal:
            raise IllegalMove(refusal.told) from None
        with self._lock:
            return self._codec.state(self._machine.canonical(self._codec.packed(self._codec.shape.state(lifted))))

    def label(self, state: State, step: Step | Move) -> str:
        """The step in the author's words."""
        try:
            return label(self.puzzle, state.lifted, plain_step(step))
        except Refusal as refusal:
            raise IllegalMove(refusal.told) from None

    def plan(self, steps: Iterable[Step | Move]) -> Plan:
        """What the steps of a path from the start mean: with `symmetry` they are about canonical states."""
        at, actions = self._machine.initial, list[int]()
        with self._lock:
            for step in map(plain_step, steps):
                found = [(a, after) for a, after, _ in self._machine.successors(at) if self._step(a) == step]
                if not found:
                    raise IllegalMove(f"{told(step)} is no move after {len(actions)} steps of this path")
                action, at = found[0]
                actions.append(action)
            return plan_of(self._machine.task, self._machine.spelt(actions))

    def graph(self, most: int = 20_000) -> networkx.DiGraph:
        """All states that can be reached as a graph of networkx; LimitReached where they are more than `most`.

        Nodes are states with `distance` in steps and `goal`; edges have `step`, `cost` and `label`, of several moves
        between two states those of the cheapest. Nothing is counted.
        """
        try:
            import networkx
        except ImportError:
            raise ConfigurationError("graph", "networkx is not installed; pip install networkx") from None
        graph = networkx.DiGraph(name=self.puzzle.name)
        graph.add_node(self.start, distance=0, goal=self.is_goal(self.start))
        waiting = deque([self.start])
        while waiting:
            waiting += self._linked(graph, waiting.popleft())
            if len(graph) > most:
                raise LimitReached(Outcome.NODE_LIMIT)
        return graph

    def _linked(self, graph: networkx.DiGraph, state: State) -> list[State]:
        """The states that the graph had not, once the moves from a state are in it."""
        new = list[State]()
        for move in self._moves(self._successors(state, counted=False)):
            if move.state not in graph:
                distance = graph.nodes[state]["distance"] + 1
                graph.add_node(move.state, distance=distance, goal=self.is_goal(move.state))
                new.append(move.state)
            known = graph.get_edge_data(state, move.state)
            if known is None or move.cost < known["cost"]:
                text = self.label(state, move.step)
                graph.add_edge(state, move.state, step=move.step, cost=move.cost, label=text)
        return new

    def _decoded(self, action: int) -> Step:
        return step_of(self._machine.task, self._machine.operator(action))


def plain_step(step: Step | Move) -> Step:
    """The step of a move, or the step itself."""
    found = step.step if isinstance(step, Move) else step
    if not isinstance(found, Step):
        raise TypeError(f"{step!r} is neither a step nor a move")
    return found


def told(step: Step) -> str:
    """A step in one short line."""
    return shortened(" ".join([step.action, *(f"{name}={show(value)}" for name, value in step.arguments)]))


def shortened(text: str) -> str:
    """As much of it as a line has room for."""
    return text if len(text) <= SHORT else text[:SHORT] + "..."
