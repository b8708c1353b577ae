"""Patterns of values: a board on which every row only moves values about, and each value that counts is there once.

Values that the rules treat alike are parted into groups; a value of its own, such as the gap, is in every pattern. A
table is indexed by where its values stand. A row is paid for by the value that it moves, so that the tables of all
groups may be added up; a table in which every row is paid for stands alone, and is the better one where many values
move at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from math import perm
from typing import Any, NamedTuple

import numpy as np

from models.frozen import frozen
from models.outcomes import Unsupported
from models.task import Task
from models.terms import var
from models.values import plain
from search.abstractions.derived import FULL, Automorphism, Table
from search.abstractions.grouping import Gains, parted, sizes_of
from search.abstractions.images import PAYS_ALL, Classes, Image, class_count, goal_of, image_of
from search.abstractions.likeness import alike, board_of, permutes
from search.abstractions.mirrors import automorphisms, mirrored
from search.abstractions.payers import Owners, by_value, owning_values
from search.abstractions.pieces import Weights
from search.abstractions.ranking import MOST_PLACES, Counts, Ranking, by_positions, listed, of_values
from search.abstractions.tables import MOST_STEPS, Workshop
from search.proofs.evaluation import Columns, holds
from search.proofs.transitions import Transition
from search.spaces.state_space import Graph, distances

MOST_DIGITS = 7  # classes that a number tells of
STATES = 1 << 23  # of a table
BYTES = 1 << 26
TRIED = 1 << 17  # states of a table by which is tried what is better
SAMPLES = 1000
Pattern = tuple[int, ...]


@frozen(eq=True)
class Board:
    """The variables, the values in every pattern, those that are parted, and who pays for a row."""

    places: tuple[int, ...]
    special: Pattern
    pool: Pattern
    owners: Owners
    groups: tuple[tuple[int, ...], ...]  # of values that are alike


def board_of_values(task: Task, rows: Sequence[Transition]) -> Board | None:
    """None where rows do more than to move values about, or a value of its own is there twice."""
    places = board_of(task, rows)
    owners = owning_values(rows)
    if not 2 <= len(places) <= MOST_PLACES or owners is None or not all(map(permutes, rows)):
        return None
    groups = alike(task, rows, places)
    there = [task.variables[index].start for index in places]
    special = tuple(group[0] for group in groups if len(group) == 1 and group[0] in there)
    pool = tuple(value for group in groups if len(group) > 1 for value in group if there.count(value) == 1)
    if any(there.count(value) > 1 for value in special) or not pool or len(special) >= MOST_DIGITS:
        return None
    return Board(tuple(places), special, pool, owners, tuple(map(tuple, groups)))


@dataclass
class ValuePatterns:
    """Chooses patterns of a board and has their tables made."""

    task: Task
    rows: Sequence[Transition]
    board: Board
    shop: Workshop
    unit: int
    _made: dict[tuple[Pattern, bool], Table] = field(default_factory=dict)
    _likes: dict[int, _Like] = field(default_factory=dict)

    def most(self, states: int, size: int) -> int:
        """How many values of the pool a pattern may have, so that its table is no larger."""
        places, fixed = len(self.board.places), len(self.board.special)
        fits = [count for count in range(1, len(self.board.pool) + 1) if fixed + count <= MOST_DIGITS
                and perm(places, fixed + count) <= states and places ** (fixed + count) <= size]  # fmt: skip
        return max(fits, default=0)

    def classes(self, pattern: Pattern) -> Classes:
        names = [*self.board.special, *pattern]
        return tuple(
            tuple(names.index(value) if value in names else len(names) for value in range(len(each.domain)))
            if index in self.board.places
            else (0,) * len(each.domain)
            for index, each in enumerate(self.task.variables)
        )

    def image(self, pattern: Pattern, whole: bool) -> tuple[Image, Ranking]:
        classes = self.classes(pattern)
        paid = PAYS_ALL if whole else by_value(self.board.owners, pattern)
        image = image_of(self.task, self.rows, classes, paid, self.unit, self.shop.look)
        told = range(len(self.board.special) + len(pattern))
        filler = class_count(classes[self.board.places[0]]) - 1
        return image, by_positions(classes, self.board.places, told, filler)

    def table(self, pattern: Pattern, whole: bool = False) -> Table:
        if (pattern, whole) not in self._made:
            domain = self.task.variables[self.board.places[0]].domain
            told = tuple(str(plain(domain[value])) for value in (*self.board.special, *pattern))
            self._made[pattern, whole] = replace(self.shop.table(*self.image(pattern, whole)), pattern=told)
        return self._made[pattern, whole]

    # -- the choice ----------------------------------------------------------------------------------------------------

    def sums(self) -> list[list[Table]]:
        """One sum of tables, or one table alone; and for the images of the board the same again."""
        patterns, whole = self.chosen()
        first = [self.table(pattern, whole) for pattern in patterns]
        return [first, *([mirrored(table, image) for table in first] for image in self.mirrors())]

    def mirrors(self) -> list[Automorphism]:
        """Those under which each value that a table tells of is in one place of the start's image too."""
        there = Counter(self.task.variables[index].start for index in self.board.places)
        told = {*self.board.special, *self.board.pool}
        found = automorphisms(self.task, self.rows, self.board.places, self.board.groups)
        return [image for image in found
                if all(there[old] == 1 for old, new in enumerate(image.values) if new in told)]  # fmt: skip

    def chosen(self) -> tuple[list[Pattern], bool]:
        """The patterns, and whether every row is paid for in each."""
        most, few = self.most(STATES, BYTES), self.most(TRIED, BYTES)
        if not few:
            raise Unsupported("tables of one value would be too large")
        gains = self.gains() if few > 1 else dict.fromkeys(combinations(sorted(self.board.pool), 2), 0.0)
        trial = parted(self.board.pool, sizes_of(len(self.board.pool), few), gains)
        alone = self.board.pool[:few]
        added = sum(self.on_samples(self.table(pattern)) for pattern in trial)
        if self.on_samples(self.table(alone, whole=True)) >= added:
            return [self.board.pool[:most]], True
        return parted(self.board.pool, sizes_of(len(self.board.pool), most), gains), False

    @cached_property
    def _samples(self) -> Any:
        """Boards on which the values of the start lie anyhow: a row for each."""
        rng = np.random.default_rng(0)
        start = np.array([each.start for each in self.task.variables])
        found = np.tile(start, (SAMPLES, 1))
        places = list(self.board.places)
        for sample in found:
            sample[places] = rng.permutation(start[places])
        return found

    def on_samples(self, table: Table) -> float:
        """The mean estimate of the samples, those at dead ends at the most that an entry holds."""
        return float(np.minimum(table.far[placed(table.weights, self._samples)], FULL).mean())

    def gains(self) -> Gains:
        """For each two values by how much a table of both is more than one of each, on average."""
        alone = {value: self._of_like((value,)) for value in self.board.pool}
        pairs = combinations(sorted(self.board.pool), 2)
        return {pair: float((self._of_like(pair) - alone[pair[0]] - alone[pair[1]]).mean()) for pair in pairs}

    def _of_like(self, pattern: Pattern) -> Counts:
        """What a pattern estimates of the samples; patterns of like values have the same steps and other goals."""
        self.shop.look()
        if len(pattern) not in self._likes:
            self._likes[len(pattern)] = self._listed(pattern)
        like, classes = self._likes[len(pattern)], self.classes(pattern)
        goals = like.numbers[holds(goal_of(self.task, classes), like.columns)]
        far = distances(like.steps, goals, self.shop.look)
        return np.minimum(far[placed(of_values(like.ranking.weights, classes), self._samples)], FULL)

    def _listed(self, pattern: Pattern) -> _Like:
        image, ranking = self.image(pattern, whole=False)
        steps = self.shop.tabling(image, ranking).steps(MOST_STEPS).reversed()
        numbers, classes = listed(ranking)
        of = {var(index, len(each.domain)): classes[index] for index, each in enumerate(image.task.variables)}
        return _Like(ranking, steps, numbers, Columns(len(numbers), of))


class _Like(NamedTuple):
    """The images under patterns of so many values: their numbers, classes, and steps turned round."""

    ranking: Ranking
    steps: Graph
    numbers: Counts
    columns: Columns


def placed(weights: Weights, states: Any) -> Counts:
    """The place in a table of each state, which is a row of values."""
    total: Counts = np.zeros(len(states), np.int64)
    for index, each in enumerate(weights):
        if any(each):
            total += np.array(each, np.int64)[states[:, index]]
    return total
