"""Several metrics as one number, so that a search compares plans metric by metric without knowing of metrics.

The costs of a path are the digits of one number (mixed radix: Knuth, The Art of Computer Programming 2, 1969): a metric
weighs one more than all that the metrics after it, and an estimate, can add up to on a path of N steps. Up to N steps
two sums compare as the tuples of their costs do. Beyond, a sum may look too dear, so whoever compares sums has to stop
there. N is the number of states, since no path need be longer, or else the largest for which such a sum fits into a
machine word; where that is few, the largest for which one step does, and sums are numbers of Python's.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import NamedTuple

from models import terms as t
from models.outcomes import LONG_PATH
from models.task import Row, Schema, Task

LARGEST = 1 << 62  # no number that machine code adds to or compares is larger


def weighed(task: Task) -> Task:
    """The task with its weights, and with one cost in each row; without weights, and costs, where nothing fits."""
    if len(task.metrics) == 1:
        return task
    states = reduce(lambda number, variable: min(LARGEST, number * len(variable.domain)), task.variables, 1)
    weights = _weights_that_fit(_largest(task), _estimate(task), states)

    def row(old: Row) -> Row:
        return replace(old, cost=t.add(zip(weights, old.parts, strict=True)) if weights else t.FALSE)

    def schema(old: Schema) -> Schema:
        return replace(old, rows=tuple(map(row, old.rows)))

    return replace(task, weights=weights, schemas=tuple(map(schema, task.schemas)))


def combined(weights: Sequence[int], costs: Sequence[int]) -> int:
    """One number for the costs in each metric."""
    return sum(weight * cost for weight, cost in zip(weights, costs, strict=True))


def apart(weights: Sequence[int], number: int) -> tuple[int, ...]:
    """The costs in each metric that a number stands for, if they are those of no more steps than are exact."""
    costs = []
    for weight in weights:
        cost, number = divmod(number, weight)
        costs.append(cost)
    return tuple(costs)


def misfit(task: Task) -> str:
    """Why a step has no one cost; empty: it has. Without one, nothing is said of estimates."""
    return "" if task.weights else f"a step's costs in {task.metric} do not fit into 64 bits together"


def exact_steps(task: Task) -> int:
    """The length of a path up to which its combined cost, plus an estimate, compares as the tuple of its costs does."""
    if not task.weights:
        return 0
    rooms = [before // weight - 1 for before, weight in zip(task.weights, task.weights[1:], strict=False)]
    if rooms:
        rooms[-1] -= _estimate(task)
    return min((room // cost for room, cost in zip(rooms, _largest(task)[1:], strict=True) if cost), default=LARGEST)


def word_steps(task: Task) -> int:
    """The length of a path up to which its combined cost, plus an estimate, fits into a machine word."""
    step = combined(task.weights, _largest(task)) if task.weights else LARGEST
    return (LARGEST - 1 - _estimate(task)) // step if step else LARGEST


def _largest(task: Task) -> list[int]:
    """The most that a step can cost, in each metric."""
    costs = [row.costs for row in task.rows.values()]
    return [max(each.values[-1] for each in column) for column in zip(*costs, strict=True)] or [0] * len(task.metrics)


def _estimate(task: Task) -> int:
    """The most that an estimate can be; search takes a negative one as 0."""
    return max([0, *(heuristic.term.values[-1] for heuristic in task.heuristics)])


def _weights_that_fit(largest: Sequence[int], estimate: int, states: int) -> tuple[int, ...]:
    """Those for as many steps as there are states or as fit; none where a single step does not."""

    def fits(steps: int, of: int) -> bool:
        """Do the weights for paths of `of` steps let so many steps fit into a word?"""
        return combined(_weights(largest, estimate, of), [steps * cost for cost in largest]) + estimate < LARGEST

    steps = _most(lambda n: fits(n, n), states)
    if steps < min(states, LONG_PATH):
        steps = _most(partial(fits, 1), states)
    return _weights(largest, estimate, steps) if steps else ()


def _weights(largest: Sequence[int], estimate: int, steps: int) -> tuple[int, ...]:
    weights = [1]
    for cost in reversed(largest[1:]):
        weights.append(weights[-1] * (steps * cost + 1 + (estimate if len(weights) == 1 else 0)))
    return tuple(reversed(weights))


def _most(fits: Callable[[int], bool], limit: int) -> int:
    """The largest number up to a limit that fits, as all smaller ones do then; 0: none."""
    return bisect_left(range(1, limit + 1), True, key=lambda n: not fits(n))


class Scale(NamedTuple):
    """Between costs by their names, costs in the order of the metrics, and the one number that stands for them."""

    metrics: tuple[str, ...]
    weights: tuple[int, ...]

    def costs(self, named: Mapping[str, int]) -> tuple[int, ...]:
        """The costs in these metrics."""
        return tuple(named[metric] for metric in self.metrics)

    def combined(self, named: Mapping[str, int]) -> int:
        """The one cost of a plan whose named costs these are."""
        return combined(self.weights, self.costs(named))

    def apart(self, number: int) -> tuple[int, ...]:
        """The costs that the one cost stands for."""
        return apart(self.weights, number)

    def leading(self, bound: int) -> int:
        """What a bound on the one cost says of the first metric."""
        return bound // self.weights[0] if bound else 0
