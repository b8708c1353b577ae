"""Tables of small images without machine code: all steps of each row at once, by numpy.

A row's steps are the joint values of what it reads and writes; each stands for one step for every value of all else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, cast

import numpy as np

from models.outcomes import Unsupported
from models.task import Row
from models.terms import Choice, Const, Term, Var, conjuncts, leaves, var
from search.abstractions.derived import DEAD, FULL, Table
from search.abstractions.images import Image
from search.abstractions.ranking import Bytes, Counts, Ranking, of_values
from search.compiler.term_tables import fits
from search.proofs.enumeration import assignments
from search.proofs.evaluation import Columns, evaluate
from search.spaces.state_space import UNREACHED, Graph, distances, row_starts

MOST_STATES = 1 << 18
MOST_STEPS = 1 << 22
MOST_CASES = 1 << 20  # of one row
Look = Callable[[], None]


class StepList(NamedTuple):
    sources: Counts
    targets: Counts
    costs: Counts


def listed_table(image: Image, ranking: Ranking, look: Look, most_steps: int = MOST_STEPS) -> Table:
    """Unsupported where that would be too large. The ranking is one by classes."""
    if ranking.size > MOST_STATES:
        raise Unsupported("too many images to be listed")
    lister = _Lister(image, ranking, most_steps)
    steps = lister.steps(look)
    order = np.argsort(steps.targets, kind="stable")
    sizes = np.bincount(steps.targets, minlength=ranking.size)
    graph = Graph(row_starts(sizes), steps.sources[order].astype(np.uint32), steps.costs[order])
    goals = lister.goals()
    far = distances(graph, goals, look)
    shown = cast(Bytes, np.where(far == UNREACHED, DEAD, np.minimum(far, FULL)).astype(np.uint8))
    if shown[goals].any() or not is_estimate(shown, steps):
        raise Unsupported("its table is no estimate of it")
    return Table(shown, of_values(ranking.weights, image.classes), image.unit, ranking.size, (), image, ranking)


def is_estimate(far: Bytes, steps: StepList) -> bool:
    """Does no step take off more than it costs?"""
    before, after = far[steps.sources].astype(np.int64), far[steps.targets].astype(np.int64)
    return not bool(np.any((after != DEAD) & ((before == DEAD) | (after < FULL) & (before > after + steps.costs))))


class _Lister:
    def __init__(self, image: Image, ranking: Ranking, most: int) -> None:
        self.image, self.ranking, self.most = image, ranking, most
        self.sizes = [len(each.domain) for each in image.task.variables]
        self._rest: dict[frozenset[int], Counts] = {}

    def steps(self, look: Look) -> StepList:
        found = [StepList(*(np.zeros(0, np.int64) for _ in range(3)))]
        total = 0
        for row in self.image.task.rows.values():
            look()
            found.append(self._of_row(row, self.most - total))
            total += len(found[-1].sources)
        return StepList(*map(np.concatenate, zip(*found, strict=True)))

    def goals(self) -> Counts:
        goal = self.image.task.goal
        read = {leaf.index for leaf in leaves(goal)}
        found = assignments(self._leaves(read), [goal], MOST_CASES)
        if found is None:
            raise Unsupported("too many goals to be listed")
        columns = found.long()
        first = self._numbers(read, columns.of, columns.size)
        return (first[:, None] + self._others(read)[None, :]).ravel()

    def _of_row(self, row: Row, most: int) -> StepList:
        """The steps of a row, at most so many, but for those that lead nowhere else."""
        (phase,) = row.phases
        news = {each.target: each.value for each in phase.assignments}
        read = leaves(phase.guard, row.cost, *news.values())
        near = {leaf.index for leaf in read if isinstance(leaf, Var)} | set(news)
        wanted = [*self._leaves(near), *(leaf for leaf in read if isinstance(leaf, Choice))]
        found = assignments(wanted, conjuncts(phase.guard), MOST_CASES)
        others = self._others(near)
        if found is None or found.size * len(others) > most or not all(map(fits, (row.cost, *news.values()))):
            raise Unsupported("too many steps to be listed")
        columns = found.long()
        before = self._numbers(near, columns.of, columns.size)
        after = before.copy()
        for index, new in news.items():
            weights = np.array(self.ranking.weights[index], np.int64)
            old = columns.of[var(index, self.sizes[index])]
            after += weights[_value(new, columns)] - weights[old]
        costs, moves = np.minimum(_value(row.cost, columns), FULL), before != after
        sources, targets = ((each[moves][:, None] + others[None, :]).ravel() for each in (before, after))
        return StepList(sources, targets, np.repeat(costs[moves], len(others)))

    def _leaves(self, near: Iterable[int]) -> list[Term]:
        return [var(index, self.sizes[index]) for index in sorted(near) if self.sizes[index] > 1]

    def _numbers(self, near: Iterable[int], of: dict[Term, Counts], size: int) -> Counts:
        """What these variables are of the numbers of images."""
        total: Counts = np.zeros(size, np.int64)
        for leaf in self._leaves(near):
            assert isinstance(leaf, Var)
            total += np.array(self.ranking.weights[leaf.index], np.int64)[of[leaf]]
        return total

    def _others(self, near: Iterable[int]) -> Counts:
        """What all other variables may be of them."""
        key = frozenset(near)
        if key not in self._rest:
            total: Counts = np.zeros(1, np.int64)
            for weights in (each for index, each in enumerate(self.ranking.weights) if index not in key):
                if len(weights) > 1:
                    total = (total[:, None] + np.array(weights, np.int64)[None, :]).ravel()
            self._rest[key] = total
        return self._rest[key]


def _value(term: Term, columns: Columns) -> Counts:
    if isinstance(term, Const):
        return np.full(columns.size, term.value, np.int64)
    return evaluate(term, columns)
