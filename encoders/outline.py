"""What all horizons of a task share: its statements, and which values and rows can matter at which layer.

Rows often say the same: a guard, an effect or a price is listed once, with the rows that share it, and encoded once for
all of them (Ernst, Millstein and Weld, Automatic SAT-compilation of planning problems, 1997, split actions likewise).
Layer t of T is t steps after the start and T - t before the end; a value or row is possible there if t >= first and
T - t >= tail. Here everything is possible everywhere; `encoders.reachability` narrows that down.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from models import terms
from models.outcomes import Unsupported
from models.task import Task
from models.terms import Term

Rows = tuple[int, ...]  # places in Outline.rows, ascending
Key = TypeVar("Key")
NEVER = 1 << 40  # more layers than any plan has


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
    scope: int
    term: Term


@dataclass(frozen=True)
class Window:
    """Possible at layer t of T if t >= first and T - t >= tail."""

    first: int = 0
    tail: int = 0

    def holds(self, layer: int, horizon: int) -> bool:
        return layer >= self.first and horizon - layer >= self.tail


@dataclass(frozen=True)
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
    def cheapest(self) -> int:
        """The smallest possible cost of a step."""
        return min((price.term.values[0] for price in self.prices), default=1)

    @property
    def uniform_cost(self) -> int | None:
        """The cost of every step, where all cost the same."""
        costs = {value for price in self.prices for value in (price.term.values[0], price.term.values[-1])}
        return costs.pop() if len(costs) == 1 else None if costs else 1

    def steps_below(self, cost: int) -> int:
        """The most steps of a plan cheaper than `cost`; Unsupported where steps may cost nothing."""
        if self.cheapest == 0:
            raise Unsupported("steps may cost nothing, so that no horizon covers every plan cheaper than a given one")
        return (cost - 1) // self.cheapest


def unreduced(task: Task) -> Outline:
    """The task's statements, with every value and row possible everywhere."""
    rows = [(s, r) for s, schema in enumerate(task.schemas) for r in range(len(schema.rows))]
    guards: dict[Guard, list[int]] = {}
    effects: dict[Effect, list[int]] = {}
    prices: dict[Price, list[int]] = {}
    for place, (s, r) in enumerate(rows):
        row, scope = task.schemas[s].rows[r], s if task.schemas[s].choices else -1
        for stage, phase in enumerate(row.phases):
            for part in terms.conjuncts(phase.guard):
                _note(guards, Guard(_scope(scope, part), stage, part), place)
            for a in phase.assignments:
                inner = max(_scope(scope, a.condition), _scope(scope, a.value))
                _note(effects, Effect(inner, stage, a.target, a.condition, a.value), place)
        _note(prices, Price(_scope(scope, row.cost), row.cost), place)
    stages = max((len(task.schemas[s].rows[r].phases) for s, r in rows), default=1)
    everywhere = [dict.fromkeys(range(len(variable.domain)), Window()) for variable in task.variables]
    return Outline(
        task,
        tuple(rows),
        stages,
        {key: tuple(where) for key, where in guards.items()},
        {key: tuple(where) for key, where in effects.items()},
        {key: tuple(where) for key, where in prices.items()},
        Counter(tuple(where) for where in (*guards.values(), *effects.values(), *prices.values())),
        [Window(0, 1) for _ in rows],
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
