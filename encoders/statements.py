"""What all horizons of a task share: its statements, and which values and rows can matter at which layer.

Rows often say the same: a guard, an effect or a price is listed once, with the rows that share it, and encoded once for
all of them (Ernst, Millstein and Weld, Automatic SAT-compilation of planning problems, 1997, split actions likewise).
Layer t of T is t steps after the start and T - t before the end; a value or row is possible there if t >= first and
T - t >= tail. Here everything is possible everywhere; `encoders.reachability` narrows that down.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import NamedTuple, TypeVar

from models import terms
from models.frozen import frozen
from models.outcomes import Unsupported
from models.task import Task
from models.terms import Term

Rows = tuple[int, ...]  # places in Outline.rows, ascending
Key = TypeVar("Key")
NEVER = 1 << 40  # layers: more than all values of all variables, of which each layer up to the last has a new one
MOST_STEPS = 100_000  # that are written down
Costs = tuple[int, ...]  # one in each metric, the most important first; compared in this order


class Guard(NamedTuple):
    scope: int  # the schema whose choices the term reads, -1 if it reads none
    stage: int
    term: Term


class Effect(NamedTuple):
    scope: int
    stage: int
    target: int
    condition: Term
    value: Term


class Price(NamedTuple):
    metric: int  # its place in Task.metrics
    scope: int
    term: Term


@frozen(eq=True)
class Window:
    """Possible at layer t of T if t >= first and T - t >= tail."""

    first: int = 0
    tail: int = 0

    def holds(self, layer: int, horizon: int) -> bool:
        return layer >= self.first and horizon - layer >= self.tail


@frozen(eq=True)
class Outline:
    task: Task
    rows: tuple[tuple[int, int], ...]  # (schema, row)
    stages: int
    guards: dict[Guard, Rows]
    effects: dict[Effect, Rows]
    prices: dict[Price, Rows]
    uses: Counter[Rows] = field(repr=False)  # how many statements these rows share
    row_windows: list[Window] = field(repr=False)
    value_windows: list[list[dict[int, Window]]] = field(repr=False)  # [stage][variable][value]
    lower_bound: int  # no plan has fewer steps; NEVER: there is no plan

    @property
    def metrics(self) -> range:
        return range(len(self.task.metrics))

    @property
    def cheapest(self) -> Costs:
        """The least that a step can cost, in each metric."""
        return tuple(min((p.term.values[0] for p in self.prices if p.metric == m), default=1) for m in self.metrics)

    @property
    def dearest(self) -> Costs:
        """The most that a step can cost, in each metric."""
        return tuple(max((p.term.values[-1] for p in self.prices if p.metric == m), default=1) for m in self.metrics)

    @property
    def uniform_cost(self) -> Costs | None:
        """The costs of every step, where all cost the same."""
        return self.cheapest if self.cheapest == self.dearest else None

    def steps_below(self, costs: Costs) -> int | None:
        """The most steps of a plan cheaper than `costs`; None where steps may cost nothing.

        Such a plan costs no more in the first metric in which steps cost something, and less if that is the last one.
        """
        counted = [metric for metric in self.metrics if self.dearest[metric]]
        if not counted or not self.cheapest[counted[0]]:
            return None
        first = counted[0]
        less = self.uniform_cost is not None or len(counted) == 1
        return (costs[first] - less) // self.cheapest[first]


def horizon_below(outline: Outline, costs: Costs) -> int:
    """The most steps of a plan cheaper than `costs`; Unsupported where steps may cost nothing."""
    steps = outline.steps_below(costs)
    if steps is None:
        raise Unsupported("steps may cost nothing, so that no horizon covers every plan cheaper than a given one")
    return few_steps(steps)


def few_steps(steps: int) -> int:
    """So many, if that many can be written down; else Unsupported."""
    if steps > MOST_STEPS:
        raise Unsupported(f"plans of up to {steps:,} steps are too long to be written as a formula")
    return steps


def unreduced(task: Task) -> Outline:
    """The task's statements, with every value and row possible everywhere; it has no loops (`encoders.rounds`)."""
    assert not task.loops
    guards: dict[Guard, list[int]] = {}
    effects: dict[Effect, list[int]] = {}
    prices: dict[Price, list[int]] = {}
    for place, ((s, _), row) in enumerate(task.rows.items()):
        scope = s if task.schemas[s].choices else -1
        for stage, phase in enumerate(row.phases):
            for part in terms.conjuncts(phase.guard):
                _note(guards, Guard(_scope(scope, part), stage, part), place)
            for a in phase.assignments:
                inner = max(_scope(scope, a.condition), _scope(scope, a.value))
                _note(effects, Effect(inner, stage, a.target, a.condition, a.value), place)
        for metric, cost in enumerate(row.costs):
            _note(prices, Price(metric, _scope(scope, cost), cost), place)
    stages = max((len(row.phases) for row in task.rows.values()), default=1)
    everywhere = [dict.fromkeys(range(len(variable.domain)), Window()) for variable in task.variables]
    return Outline(
        task,
        tuple(task.rows),
        stages,
        {key: tuple(where) for key, where in guards.items()},
        {key: tuple(where) for key, where in effects.items()},
        {key: tuple(where) for key, where in prices.items()},
        Counter(tuple(where) for where in (*guards.values(), *effects.values(), *prices.values())),
        [Window(0, 1) for _ in task.rows],
        [everywhere] * (stages + 1),
        0,
    )


def _note(table: dict[Key, list[int]], key: Key, place: int) -> None:
    where = table.setdefault(key, [])
    if not where or where[-1] != place:
        where.append(place)


def _scope(schema: int, term: Term) -> int:
    if schema < 0 or any(isinstance(leaf, terms.Choice) for leaf in terms.leaves(term)):
        return schema
    return -1
