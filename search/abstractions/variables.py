"""Patterns of variables: some variables as they are, all others forgotten.

Each row is paid for by one of the variables that it writes, so that tables of groups with none in common may be added
up. Which variables belong together is measured: by how much a table of two is more than one of each, in states that
random walks come to. Groups are joined, those first that gain most by it, as long as their table stays small.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from math import prod
from typing import Any

import numpy as np

from models.outcomes import Unsupported
from models.task import Task
from models.terms import Var
from search.abstractions.derived import FULL, Table
from search.abstractions.images import Classes, image_of, variable_of
from search.abstractions.listing import listed_table
from search.abstractions.payers import by_variable
from search.abstractions.ranking import Counts, by_classes
from search.abstractions.tables import NoRoom, Workshop
from search.machine import Machine
from search.proofs.transitions import Transition

STATES = 1 << 18  # of a table
MOST_VARIABLES = 64
MOST_PAIRS = 400
STEPS_OF_PAIR = 1 << 18
WALKS, LENGTH = 20, 50
Pattern = tuple[int, ...]


@dataclass
class VariablePatterns:
    """Chooses patterns of variables and has their tables made."""

    task: Task
    rows: Sequence[Transition]
    machine: Machine  # of the task, to walk about in
    shop: Workshop
    unit: int
    _made: dict[Pattern, Table] = field(default_factory=dict)
    _failed: dict[tuple[Pattern, int | None], str] = field(default_factory=dict)

    @cached_property
    def written(self) -> Pattern:
        return tuple(sorted({variable_of(old) for row in self.rows for old in row.after}))

    def classes(self, pattern: Pattern) -> Classes:
        sizes = [len(each.domain) for each in self.task.variables]
        return tuple(tuple(range(n)) if index in pattern else (0,) * n for index, n in enumerate(sizes))

    def size(self, pattern: Pattern) -> int:
        return prod(len(self.task.variables[index].domain) for index in pattern)

    def table(self, pattern: Pattern, most_steps: int | None = None) -> Table:
        """With `most_steps` by a list that is no longer, or not at all; what cannot be made is not tried twice."""
        if (pattern, most_steps) in self._failed:
            raise Unsupported(self._failed[pattern, most_steps])
        if pattern not in self._made:
            try:
                made = self._table(pattern, most_steps)
            except Unsupported as reason:
                self._failed[pattern, most_steps] = str(reason)
                raise
            self._made[pattern] = replace(made, pattern=tuple(self.task.variables[index].name for index in pattern))
        return self._made[pattern]

    def _table(self, pattern: Pattern, most_steps: int | None) -> Table:
        classes = self.classes(pattern)
        paid = by_variable(pattern)
        image = image_of(self.task, self.rows, classes, paid, self.unit, self.shop.look)
        ranking = by_classes(classes)
        if most_steps is not None:
            return listed_table(image, ranking, self.shop.look, most_steps)
        try:
            return listed_table(image, ranking, self.shop.look)
        except Unsupported:
            return self.shop.table(image, ranking)

    def _table_if_any(self, pattern: Pattern) -> Table | None:
        try:
            return self.table(pattern)
        except NoRoom:
            raise
        except Unsupported:
            return None

    # -- the choice ----------------------------------------------------------------------------------------------------

    def sums(self) -> list[list[Table]]:
        """One sum, without the patterns that say nothing, or of which there is no table."""
        found = [self._table_if_any(pattern) for pattern in self.chosen()]
        useful = [table for table in found if table is not None and table.far.any()]
        if not useful:
            raise Unsupported("no pattern of variables says anything")
        return [useful]

    def chosen(self) -> list[Pattern]:
        variables = [index for index in self.written if self.size((index,)) <= STATES][:MOST_VARIABLES]
        groups: list[Pattern] = [(index,) for index in variables]
        gains = self.gains(variables)
        while True:
            joined = [(self._between(one, other, gains), one, other) for one, other in combinations(groups, 2)
                      if self.size(one + other) <= STATES]  # fmt: skip
            gain, one, other = max(joined, key=lambda each: each[0], default=(0.0, (), ()))
            if gain <= 0:
                return groups
            groups = sorted([tuple(sorted(one + other)), *(each for each in groups if each not in (one, other))])

    def _between(self, one: Pattern, other: Pattern, gains: dict[Pattern, float]) -> float:
        return sum(gains.get((min(i, j), max(i, j)), 0.0) for i in one for j in other)

    def gains(self, variables: Sequence[int]) -> dict[Pattern, float]:
        """Of related variables, by how much a table of both is more than one of each, on average."""
        found: dict[Pattern, float] = {}
        for one, other in [pair for pair in combinations(variables, 2) if pair in self._related][:MOST_PAIRS]:
            try:
                both, alone = self._on_samples((one, other)), [self._on_samples((each,)) for each in (one, other)]
            except Unsupported:
                continue
            found[one, other] = float((np.minimum(both, FULL) - np.minimum(sum(alone), FULL)).mean())
        return found

    @cached_property
    def _related(self) -> set[Pattern]:
        """Two variables of which a row writes one and reads the other, or that the goal reads."""
        found: set[Pattern] = set()
        for row in self.rows:
            read = {leaf.index for leaf in row.read if isinstance(leaf, Var)}
            found |= {(min(i, j), max(i, j)) for i in map(variable_of, row.after) for j in read if i != j}
        return found

    def _on_samples(self, pattern: Pattern) -> Counts:
        self.shop.look()
        table = self.table(pattern, STEPS_OF_PAIR)
        places = sum(np.array(table.weights[index], np.int64)[self._samples[:, index]] for index in pattern)
        return np.asarray(table.far[places], np.int64)

    @cached_property
    def _samples(self) -> Any:
        """States of the task that random walks come to, the same ones each time."""
        rng, found = random.Random(0), [self.machine.initial]
        for _ in range(WALKS):
            state = self.machine.initial
            for _ in range(LENGTH):
                after = self.machine.successors(state)
                if not after:
                    break
                state = rng.choice(after)[1]
                found.append(state)
        return np.array([self.machine.layout.unpack(state) for state in found])
