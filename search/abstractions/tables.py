"""Tables of the distances in an image, one byte for each of its states, made and checked by machine code.

A table is filled from the goals by the image turned round, so that it serves every start; where that cannot be, all
steps are listed forwards. Either way every entry is then looked at once, by the code of the image itself: it is 0 at a
goal, and no step takes more off than it costs. That is all an estimate has to be, whoever has made the table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from models.outcomes import Deadline, Unsupported
from models.task import Task
from search.abstractions.derived import DEAD, FULL, Table
from search.abstractions.images import Image
from search.abstractions.ranking import Bytes, Ranking, of_values
from search.machine import Machine
from search.proofs.goals import goal_states
from search.spaces.state_space import UNREACHED, distances

if TYPE_CHECKING:
    from search.kernels.tabling import Tabling

MIB = 1 << 20
FEW_GOALS = 1 << 10
MOST_STEPS = 1 << 25  # that are listed
BYTES_EACH = 2  # of an entry and what is done to it
Clock = Callable[[], Deadline]
Tell = Callable[[str], None]  # how far the work has come
Recall = Callable[[Image, Ranking, Callable[[], Bytes]], Bytes]
Spare = Callable[[], float]  # megabytes of memory that are left


class NoRoom(Unsupported):
    """There is not enough memory left for what would be derived."""


class Workshop:
    """Makes tables; images that differ in their goals only share their code."""

    def __init__(self, clock: Clock, tell: Tell = lambda words: None, spare: Spare = lambda: math.inf,
                 recall: Recall = lambda image, ranking, make: make()) -> None:  # fmt: skip
        """`recall` may know the entries of a table from before."""
        self.clock, self.tell, self.spare, self.recall = clock, tell, spare, recall
        self._machines: dict[Hashable, Machine] = {}

    def look(self) -> None:
        self.clock().look()

    def machine(self, task: Task) -> Machine:
        """The rows of an image as machine code."""
        key = tuple(len(each.domain) for each in task.variables), task.schemas
        if key not in self._machines:
            self._machines[key] = Machine(task, trim=False, clock=self.clock)
        return self._machines[key]

    def tabling(self, image: Image, ranking: Ranking) -> Tabling:
        from search.kernels.tabling import Tabling

        machine = self.machine(image.task)
        goals = Machine(replace(image.task, schemas=()), trim=False, clock=self.clock)
        return Tabling(machine, goals, ranking, machine.layout, self.look, few_goals(image, ranking))

    def table(self, image: Image, ranking: Ranking) -> Table:
        """Unsupported where the image is too large, or its steps lead to states without a number."""
        if ranking.size * BYTES_EACH / MIB > self.spare():
            raise NoRoom("there is not enough memory left for a table")
        self.tell(f"a table of {ranking.states:,} states")
        far = self.recall(image, ranking, lambda: self._entries(image, ranking))
        return Table(far, of_values(ranking.weights, image.classes), image.unit, ranking.states, (), image, ranking)

    def _entries(self, image: Image, ranking: Ranking) -> Bytes:
        tabling = self.tabling(image, ranking)
        far = self._distances(tabling)
        if tabling.refuted(far) is not None:
            raise Unsupported("its table is no estimate of it")
        return far

    def _distances(self, tabling: Tabling) -> Bytes:
        try:
            return tabling.backwards()
        except Unsupported:
            graph = tabling.steps(MOST_STEPS).reversed()
            far = distances(graph, tabling.goals(), self.look)
            return cast(Bytes, np.where(far == UNREACHED, DEAD, np.minimum(far, FULL)).astype(np.uint8))


def few_goals(image: Image, ranking: Ranking) -> list[int] | None:
    """The numbers of the goals that have one; None where these are too many to be listed."""
    try:
        states = goal_states(image.task, (), FEW_GOALS)
    except Unsupported:
        return None
    return [ranking.number(state) for state in states if ranking.tells(state)]
