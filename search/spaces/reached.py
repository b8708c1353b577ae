"""The reachable states one after the other, with the way to each, and what other conditions say in them.

A breadth-first walk in Python that keeps a parent for every state (Moore 1959), for questions about single states:
which actions ever apply, which conditions hold where. It is for some 10^5 states; `machine_space` is for more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from models.outcomes import Operator, Outcome
from models.task import Task
from search.compiler.layout import WORD
from search.machine import Machine
from search.space import CHECK_INTERVAL, LimitReached, SearchSpace


@dataclass
class Reached:
    """Packed states in layers, the start first; `applied` and `changing` are numbers of operators."""

    machine: Machine
    states: list[int]
    parents: list[int] = field(default_factory=lambda: [-1])
    actions: list[int] = field(default_factory=lambda: [-1])
    applied: set[int] = field(default_factory=set)  # in some state
    changing: set[int] = field(default_factory=set)  # those that led to another state
    stuck: list[int] = field(default_factory=list)  # states, by number, in which nothing applies
    expanded: int = 0  # the first so many states are those of which all this is known
    stopped: Outcome | None = None  # the limit that ended the walk; None: these are all reachable states

    def path(self, number: int) -> tuple[Operator, ...]:
        """The operators of a shortest way to a state."""
        found = []
        while number:
            found.append(self.machine.operator(self.actions[number]))
            number = self.parents[number]
        return tuple(reversed(found))

    def kept(self) -> set[int]:
        """The variables that are in all the states what they are at the start."""
        changed = 0
        for state in self.states:
            changed |= state ^ self.states[0]
        fields = self.machine.layout.fields
        return {index for index, each in enumerate(fields) if not changed >> WORD * each.word & each.mask}

    def schemas(self, actions: set[int]) -> set[int]:
        """The schemas that operators belong to."""
        return {self.machine.operator(action)[0] for action in actions}


def reach(space: SearchSpace, most: int) -> Reached:
    """Walk until all is seen, a limit of the space strikes, or there are more than `most` states."""
    found = Reached(space.machine, [space.initial])
    numbers = {space.initial: 0}
    try:
        for number, state in enumerate(found.states):
            successors = space.expand(state)
            found.expanded += 1
            if not successors:
                found.stuck.append(number)
            found.applied.update(action for action, _, _ in successors)
            found.changing.update(action for action, successor, _ in successors if successor != state)
            for action, successor, _ in successors:
                if successor not in numbers:
                    if len(found.states) == most:
                        raise LimitReached(Outcome.NODE_LIMIT)
                    numbers[successor] = len(found.states)
                    found.states.append(successor)
                    found.parents.append(number)
                    found.actions.append(action)
    except LimitReached as reason:
        found.stopped = reason.outcome
    return found


class Probes:
    """Which schemas of another task over the same variables apply in states of a machine."""

    def __init__(self, task: Task, machine: Machine, look: Callable[[], None]) -> None:
        self.machine, self.look = Machine(task, layout=machine.layout), look
        self._schemas: dict[int, int] = {}

    def holding(self, states: Iterable[int]) -> Iterator[set[int]]:
        """For each state the schemas that apply."""
        for found in self._applied(states):
            yield {self._schema(action) for action in found}

    def first(self, states: Iterable[int]) -> dict[int, tuple[int, Operator]]:
        """For each schema the number of the first state in which it applies, and with which operator."""
        found: dict[int, tuple[int, Operator]] = {}
        for number, actions in enumerate(self._applied(states)):
            for action in actions:
                found.setdefault(self._schema(action), (number, self.machine.operator(action)))
        return found

    def _applied(self, states: Iterable[int]) -> Iterator[list[int]]:
        for number, state in enumerate(states):
            if number % CHECK_INTERVAL == 0:
                self.look()
            yield [action for action, _, _ in self.machine.successors(state)]

    def _schema(self, action: int) -> int:
        if action not in self._schemas:
            self._schemas[action] = self.machine.operator(action)[0]
        return self._schemas[action]
