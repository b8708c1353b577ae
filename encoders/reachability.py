"""Which values and rows can matter at which layer: the outline with everything else left out.

Forward: the relaxed planning graph of Blum and Furst (Fast planning through planning graph analysis, 1997), on value
sets. Backward: distances in each variable's own transition graph. Both only ever leave too much in. The value sets grow
one layer at a time; where many values make that long (a counter to a million), everything is taken to be possible one
layer after `MUCH_WORK` is done, which is sound as well.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import count

from encoders.statements import NEVER, Effect, Outline, Window, unreduced
from encoders.value_sets import ValueSets, inside
from models import terms
from models.task import Task
from models.terms import Term

Narrowings = list[dict[Term, frozenset[int]]]  # per row: the values that its guards leave a variable
Edge = tuple[frozenset[int], frozenset[int]]  # from any of these values to any of those in one step

MUCH_WORK = 5_000_000  # values looked at; some seconds


def outline(task: Task, deadline: float | None = None) -> Outline:
    """Everything that the encodings of a task share.

    Nothing is left out if `time.perf_counter()` passes `deadline` before it is known what can be.
    """
    made = unreduced(task)
    try:
        return reduced(made, math.inf if deadline is None else deadline)
    except TimeoutError:
        return made


def reduced(made: Outline, deadline: float = math.inf) -> Outline:
    """The outline with what cannot matter left out; TimeoutError at the deadline."""
    reached = Reachability(made, _narrowings(made), deadline)
    distances = _distances(reached)
    starts = [distances[v].get(variable.start, NEVER) for v, variable in enumerate(made.task.variables)]
    tails = _row_tails(reached, distances)
    return replace(
        made,
        row_windows=[Window(reached.rows.get(place, NEVER), tails[place]) for place in range(len(made.rows))],
        value_windows=_value_windows(reached, distances),
        lower_bound=min(NEVER, max(reached.goal, *starts, 0)),
    )


def _narrowings(made: Outline) -> Narrowings:
    narrow: Narrowings = [{} for _ in made.rows]
    for guard, rows in made.guards.items():
        for variable, members in _unary(guard.term):
            for place in rows:
                narrow[place][variable] = narrow[place].get(variable, members) & members
    return narrow


def _unary(condition: Term) -> list[tuple[terms.Var, frozenset[int]]]:
    """The variable and the values that a condition leaves it, if it reads just that variable."""
    match condition:
        case terms.Member(argument=terms.Var() as variable, members=members):
            return [(variable, frozenset(members))]
        case terms.Not(argument=terms.Var() as variable):
            return [(variable, frozenset((0,)))]
        case terms.Var():
            return [(condition, frozenset((1,)))]
    return []


class Reachability:
    """The first layers of rows, values and the goal, and what every effect can assign (by row).

    Nothing that is possible at a layer is impossible at a later one, so a guard that can hold is not looked at again.
    """

    def __init__(self, made: Outline, narrow: Narrowings, deadline: float = math.inf) -> None:
        self.made, self.narrow, self.deadline = made, narrow, deadline
        self.rows: dict[int, int] = {}
        self.values: list[list[dict[int, int]]] = [[{} for _ in made.task.variables] for _ in range(made.stages + 1)]
        self.goal = NEVER
        self.assigned: dict[Effect, dict[int, frozenset[int]]] = {}
        self._closed = dict(made.guards)  # those that cannot hold yet
        self._grow()

    def _grow(self) -> None:
        """One layer after the other, until nothing is new or the work is too much."""
        task = self.made.task
        here = [{variable.start} for variable in task.variables]
        work = 0
        for layer in count():
            sets = self._layer(layer, here)
            following = _joined(here, _admitted(task.always, sets.stages[-1]))
            if following == here:
                return
            work += sets.work + sum(map(len, self.made.effects.values()))
            if work > MUCH_WORK:
                everything = [set(range(len(variable.domain))) for variable in task.variables]
                following = _joined(here, _admitted(task.always, everything))
            here = following

    def _layer(self, layer: int, here: list[set[int]]) -> ValueSets:
        sets = ValueSets(here)
        if self.goal == NEVER and sets.can_hold(self.made.task.goal):
            self.goal = layer
        blocked: set[int] = set()
        for stage in range(self.made.stages):
            self._block(stage, sets, blocked)
            sets.stages.append(self._after(stage, sets, blocked))
        for place in range(len(self.made.rows)):
            if place not in blocked:
                self.rows.setdefault(place, layer)
        for first, values in zip(self.values, sets.stages, strict=True):
            for known, found in zip(first, values, strict=True):
                known.update(dict.fromkeys(sorted(found - known.keys()), layer))
        return sets

    def _block(self, stage: int, sets: ValueSets, blocked: set[int]) -> None:
        """Add the rows with a guard that cannot hold."""
        for guard, rows in [(guard, rows) for guard, rows in self._closed.items() if guard.stage == stage]:
            self._check_time()
            if sets.can_hold(guard.term):
                del self._closed[guard]
            else:
                blocked.update(rows)

    def _after(self, stage: int, sets: ValueSets, blocked: set[int]) -> list[set[int]]:
        """The value sets after one phase; notes what every effect can assign."""
        after = [set(values) for values in sets.stages[stage]]
        for effect, rows in self.made.effects.items():
            if effect.stage != stage:
                continue
            self._check_time()
            alive = [place for place in rows if place not in blocked]
            if alive and sets.can_hold(effect.condition):
                domain = range(len(self.made.task.variables[effect.target].domain))
                values = inside(sets.possible(effect.value), domain)
                by_row = {place: _narrowed(values, self.narrow[place].get(effect.value)) for place in alive}
                self.assigned[effect] = by_row
                after[effect.target].update(*set(by_row.values()))
        return after

    def _check_time(self) -> None:
        if time.perf_counter() > self.deadline:
            raise TimeoutError


def _narrowed(values: frozenset[int], members: frozenset[int] | None) -> frozenset[int]:
    return values if members is None else values & members


def _admitted(condition: Term, sets: Sequence[AbstractSet[int]]) -> list[AbstractSet[int]]:
    """The values that the one-variable parts of a condition on a state admit."""
    kept = list(sets)
    for part in terms.conjuncts(condition):
        for variable, members in _unary(part):
            kept[variable.index] = kept[variable.index] & members
    return kept


def _joined(left: list[set[int]], right: list[AbstractSet[int]]) -> list[set[int]]:
    return [a.union(b) for a, b in zip(left, right, strict=True)]


def _distances(reached: Reachability) -> list[dict[int, int]]:
    """How many steps each value of a variable is away from the goal's values, in that variable's transition graph."""
    task = reached.made.task
    edges: list[dict[Edge, None]] = [{} for _ in task.variables]
    for effect, by_row in reached.assigned.items():
        v = effect.target
        old = terms.var(v, len(task.variables[v].domain))
        anything = frozenset(reached.values[0][v])
        for place, values in by_row.items():
            edges[v][reached.narrow[place].get(old, anything), values] = None
    wanted = _admitted(task.goal, [values.keys() for values in reached.values[0]])
    return [_backward(goal, list(graph)) for goal, graph in zip(wanted, edges, strict=True)]


def _backward(goal: AbstractSet[int], edges: list[Edge]) -> dict[int, int]:
    """Breadth-first search against the edges; each serves once, because it leads back to all its values at once."""
    sources: dict[frozenset[int], set[int]] = {}
    for old, new in edges:
        sources.setdefault(new, set()).update(old)
    into: dict[int, list[frozenset[int]]] = {}
    for new in sources:
        for value in new:
            into.setdefault(value, []).append(new)
    distances = dict.fromkeys(goal, 0)
    frontier, steps = set(goal), 0
    while frontier:
        steps += 1
        before = [sources.pop(new, set()) for value in frontier for new in into.get(value, ())]
        frontier = set().union(*before) - distances.keys()
        distances.update(dict.fromkeys(frontier, steps))
    return distances


def _value_windows(reached: Reachability, distances: list[dict[int, int]]) -> list[list[dict[int, Window]]]:
    at_layers = [
        {value: Window(layer, away[value]) for value, layer in sorted(values.items()) if value in away}
        for values, away in zip(reached.values[0], distances, strict=True)
    ]
    inside = [[{value: Window(t) for value, t in each.items()} for each in stage] for stage in reached.values[1:]]
    return [at_layers, *inside]


def _row_tails(reached: Reachability, distances: list[dict[int, int]]) -> list[int]:
    """How many steps, its own included, a row needs before the end."""
    tails = [1] * len(reached.made.rows)
    for place, narrowed in enumerate(reached.narrow):
        for variable, members in narrowed.items():
            if isinstance(variable, terms.Var) and variable.stage == 0:
                tails[place] = max(tails[place], _nearest(members, distances[variable.index]))
    for effect, by_row in reached.assigned.items():
        if effect.condition is terms.TRUE and effect.stage == reached.made.stages - 1:
            away = {values: 1 + _nearest(values, distances[effect.target]) for values in set(by_row.values())}
            for place, values in by_row.items():
                tails[place] = max(tails[place], away[values])
    return tails


def _nearest(values: frozenset[int], distances: dict[int, int]) -> int:
    return min((distances.get(value, NEVER) for value in values), default=NEVER)
