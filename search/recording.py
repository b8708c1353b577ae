"""A search that is watched: an observer is told of every node that it makes, expands or reopens, in order.

The algorithm is the one that solves, and so are its counts: it asks a space whose states are *nodes*. A node is equal
to every other node of its state, so tables and closed lists work as ever; and whichever node the algorithm keeps knows
by which path it was come to. Nothing is recorded in the algorithms themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from models.outcomes import Limits, SearchResult
from search.registry import ALGORITHMS, check_horizon, run
from search.space import BLIND, INFINITY, Heuristic, Model, Operator, Progress, SearchSpace, State, Successor


@dataclass(eq=False, slots=True)
class RecordedNode:
    """A way to a state. Backwards it is a way from the state to a goal: `parent` is the state after the operator."""

    state: State
    number: int  # in the order in which nodes were made
    h: int
    parent: RecordedNode | None = None  # None for the start, and for goal states backwards
    operator: Operator | None = None
    cost: int = 0  # of the operator
    g: int = 0
    depth: int = 0
    backward: bool = False
    same_as: int | None = None  # the first node of the same state, in this iteration and direction

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RecordedNode) and bool(self.state == other.state)

    def __hash__(self) -> int:
        return hash(self.state)


class Event(NamedTuple):
    """What happened, by its kind:

    start      a node without a parent
    iteration  a search that deepens begins anew; `bound` is the largest f that it may expand
    expand     the node's successors are made, as the events that follow
    generate   a node is made
    prune      a successor that was not made, because its action need not follow; its number stands for nothing
    reopen     the node is a cheaper way to a state that was expanded before
    goal       the search ends; `path` has the nodes of its plan, and both of the state where two searches meet
    """

    kind: str
    node: RecordedNode | None = None
    bound: int | None = None
    path: tuple[RecordedNode, ...] = ()


Observer = Callable[[Event], None]


class RecordedSpace(SearchSpace):
    """A search space whose states are nodes."""

    def __init__(self, model: Model, limits: Limits, heuristic: Heuristic, observe: Observer,
                 on_progress: Progress | None = None) -> None:  # fmt: skip
        super().__init__(model, limits, heuristic, on_progress)
        self._observe, self._made = observe, 0
        self._first: dict[tuple[State, bool], RecordedNode] = {}
        self._children: dict[tuple[State, Operator], RecordedNode] = {}  # forward ones, the last of each step
        self.is_goal = lambda state: model.is_goal(state.state)
        self.initial: RecordedNode = self._root(model.initial, backward=False)

    # -- what algorithms ask -------------------------------------------------------------------------------------------

    def h(self, node: RecordedNode) -> int:
        self.statistics.evaluated += 1
        return node.h

    def expand(self, node: RecordedNode, depth: int = 0, frontier: int = 0, allowed: object = None) -> list[Successor]:
        successors = super().expand(node.state, depth, frontier, allowed)
        self._observe(Event("expand", node))
        if allowed is not None:
            self._tell_pruned(node, {operator for operator, _, _ in successors})
        children = [self._child(node, operator, after, cost) for operator, after, cost in successors]
        self._children.update(((node.state, child.operator), child) for child in children)
        return [(child.operator, child, child.cost) for child in children]

    def expand_backward(self, node: RecordedNode, depth: int = 0, frontier: int = 0) -> list[Successor]:
        predecessors = super().expand_backward(node.state, depth, frontier)
        self._observe(Event("expand", node))
        steps = ((super(RecordedSpace, self).step(before, node.state)[0], before, cost)
                 for _, before, cost in predecessors)  # fmt: skip
        children = [self._child(node, operator, before, cost) for operator, before, cost in steps]
        return [(child.operator, child, child.cost) for child in children]

    def goal_states(self) -> list[State]:
        """Goals alone: the others of the superset are no nodes of any search."""
        return [self._root(state, backward=True) for state in super().goal_states() if self._model.is_goal(state)]

    def step(self, node: RecordedNode, successor: RecordedNode) -> tuple[Operator, int]:
        return super().step(node.state, successor.state)

    def reopen(self, node: RecordedNode) -> None:
        super().reopen(node)
        self._observe(Event("reopen", node))

    def begin_iteration(self, bound: int) -> None:
        self._first = {(self.initial.state, False): self.initial}
        self._observe(Event("iteration", bound=bound))

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def _root(self, state: State, backward: bool) -> RecordedNode:
        return self._numbered("start", RecordedNode(state, -1, self.heuristic.evaluate(state), backward=backward))

    def _child(self, node: RecordedNode, operator: Operator, state: State, cost: int) -> RecordedNode:
        return self._numbered("generate", self._beyond(node, operator, state, cost))

    def _beyond(self, node: RecordedNode, operator: Operator, state: State, cost: int) -> RecordedNode:
        h = self.heuristic.evaluate(state)
        return RecordedNode(state, -1, h, node, operator, cost, node.g + cost, node.depth + 1, node.backward)

    def _numbered(self, kind: str, node: RecordedNode) -> RecordedNode:
        node.number, self._made = self._made, self._made + 1
        first = self._first.setdefault((node.state, node.backward), node)
        node.same_as = None if first is node else first.number
        self._observe(Event(kind, node))
        return node

    def _tell_pruned(self, node: RecordedNode, kept: set[Operator]) -> None:
        for operator, after, cost in self._model.successors(node.state):
            if operator not in kept:
                self._observe(Event("prune", self._beyond(node, operator, after, cost)))

    def tell_goal(self, operators: tuple[Operator, ...]) -> None:
        """The nodes of a plan. Its second half may have been found backwards."""
        path = [self.initial]
        for operator in operators:
            child = self._children.get((path[-1].state, operator))
            if child is None and not path[-1].backward:
                path.append(self._first[path[-1].state, True])
            path.append(child or self._first[self.after(path[-1].state, operator)[0], True])
        self._observe(Event("goal", path[-1], path=tuple(path)))


def record(name: str, model: Model, heuristic: Heuristic, limits: Limits, options: Mapping[str, object],
           observe: Observer, on_progress: Progress | None = None) -> SearchResult:  # fmt: skip
    """As `search.registry.search_with`, watched; it stays in Python however large it grows."""
    algorithm = ALGORITHMS[name]
    space = RecordedSpace(model, limits, heuristic if algorithm.informed else BLIND, observe, on_progress)
    space.weigh_costs(getattr(model, "exact_steps", INFINITY))  # whatever the algorithm compares, g is told
    check_horizon(algorithm, space)
    result = run(algorithm, algorithm.run, space, algorithm.settings(options))
    if result.operators is not None:
        space.tell_goal(result.operators)
    return result
