"""The bounded-horizon encoding: is there a plan of exactly, or of at most, T steps?

Kautz and Selman's unrolling (Planning as satisfiability, ECAI 1992) for one action a step and many-valued variables:
value literals for every layer, one literal for every row, and what rows share stated once for all. The form `bounded`
adds an idle literal to every step, and idling goes on until the end: it asks for at most T steps in one query.
"""

from __future__ import annotations

import math
import time
from typing import Literal

from encoders.formula import FALSE, TRUE, Formula, ValueLiterals
from encoders.frames import Firing, Frame, link
from encoders.implied import Implied, state_fact, within
from encoders.lowering import Lowering
from encoders.reachability import outline
from encoders.requirements import require
from encoders.statements import Costs, Outline, Window
from encoders.steps import Owners, StepLiterals, new_step
from encoders.sums import addends
from models import terms
from models.frozen import frozen
from models.task import State, Task
from models.terms import Term

Form = Literal["exact", "bounded"]
Weighted = list[list[tuple[int, int]]]  # [metric]: (coefficient, literal)


@frozen(eq=True)
class Encoding:
    outline: Outline
    horizon: int
    form: Form
    formula: Formula
    layers: list[list[ValueLiterals]]  # [layer][variable]
    steps: list[StepLiterals]
    costs: Weighted  # in each metric the plan's cost is the sum of the coefficients of the literals that hold
    seconds: float  # to build


def encode(
    task: Task,
    horizon: int,
    *,
    form: Form = "exact",
    shared: Outline | None = None,
    below: Costs | None = None,
    frame: Frame = "mixed",
    implied: Implied | None = None,
    deadline: float | None = None,
) -> Encoding:
    """Is there a plan of exactly (or, `bounded`, of at most) `horizon` steps, and cheaper than `below` if given?

    `implied` is what some best plan fulfils anyway. TimeoutError if `time.perf_counter()` passes `deadline` while the
    encoding is being made.
    """
    begin = time.perf_counter()
    build = Unrolling(shared or outline(task), horizon, form, frame, math.inf if deadline is None else deadline)
    build.start(task.start)
    for layer in range(horizon):
        build.step(layer)
        if implied is not None:
            build.imply(implied, layer + 1)
    require(build.lowering, (), task.goal)
    if below is not None:
        build.cost_less_than(below)
    seconds = time.perf_counter() - begin
    return Encoding(build.outline, horizon, form, build.formula, build.layers, build.steps, build.costs, seconds)


class Unrolling:
    """A formula that grows by one step at a time."""

    def __init__(
        self, shared: Outline, horizon: int, form: Form, frame: Frame = "mixed", deadline: float = math.inf
    ) -> None:
        self.outline, self.horizon, self.form, self.frame, self.deadline = shared, horizon, form, frame, deadline
        self.formula = Formula()
        self.layers: list[list[ValueLiterals]] = []
        self.steps: list[StepLiterals] = []
        self.costs: Weighted = [[] for _ in shared.metrics]
        self.lowering: Lowering  # of the last layer

    def start(self, state: State | None) -> None:
        """Layer 0: the given state or, for None, any state."""
        windows = self.outline.value_windows[0]
        if state is None:
            self._add_layer([self.formula.one_hot(values) for values in windows])
            return
        self._add_layer([{value: TRUE} for value in state])
        for value, possible in zip(state, windows, strict=True):
            if value not in possible or not possible[value].holds(0, self.horizon):
                self.formula.clause(())

    def _add_layer(self, values: list[ValueLiterals]) -> None:
        self.layers.append(values)
        self.lowering = Lowering(self.formula, [values])

    def step(self, layer: int) -> None:
        """One more action, and the layer that it leaves."""
        self._check_time()
        step = new_step(self.formula, self.outline, layer, self.horizon, may_idle=self.form == "bounded")
        if self.steps:
            self.formula.clause((~self.steps[-1].idle, step.idle))
        self.steps.append(step)
        scopes = {-1: self.lowering}
        for schema, choices in step.choices.items():
            scopes[schema] = Lowering(self.formula, self.lowering.stages, choices)
        owners = Owners(self.formula, self.outline.uses, step)
        self._price(owners, scopes)
        for stage in range(self.outline.stages):
            self._require_guards(stage, owners, scopes)
            self.lowering.stages.append(self._next_stage(stage, layer, owners, scopes))
        self._add_layer(self.lowering.stages[-1])
        # a start that breaks `always` may stay as it is
        require(self.lowering, () if step.idle == FALSE else (step.idle,), self.outline.task.always)

    def _check_time(self) -> None:
        if time.perf_counter() > self.deadline:
            raise TimeoutError

    def imply(self, implied: Implied, layer: int) -> None:
        """What some best plan fulfils at this layer, the last one so far."""
        for fact in implied.facts:
            state_fact(self.lowering, fact)
        for estimate in implied.estimates:
            within(self.lowering, estimate, implied.step_cost * (self.horizon - layer))
        for lasts, followings in implied.bans if layer > 1 else ():
            before, after = self.steps[-2:]
            self._not_both(
                [before.rows[place] for place in lasts if place in before.rows],
                [after.rows[place] for place in followings if place in after.rows],
            )

    def _not_both(self, ones: list[int], others: list[int]) -> None:
        """None of the one literals together with any of the others."""
        if len(ones) * len(others) > len(ones) + len(others) + 2:
            ones, others = [self.formula.any_of(ones)], [self.formula.any_of(others)]
        for one in ones:
            for other in others:
                self.formula.clause((~one, ~other))

    def _price(self, owners: Owners, scopes: dict[int, Lowering]) -> None:
        for price, rows in self.outline.prices.items():
            for owner in owners.acting(rows):
                for coefficient, part in addends(price.term):
                    cases = scopes[price.scope].cases(part).items()
                    found = [(coefficient * cost, self.formula.all_of((owner, each))) for cost, each in cases if cost]
                    self.costs[price.metric] += found

    def cost_less_than(self, limit: Costs) -> None:
        """Less in one of the metrics, and not more in those before it."""
        alternatives = [self.formula.fresh() for _ in limit] if len(limit) > 1 else [TRUE]
        self.formula.clause(alternatives)
        for place, alternative in enumerate(alternatives):
            self.formula.linear((alternative,), self.costs[place], ((None, limit[place] - 1),))
            for before in range(place):
                self.formula.linear((alternative,), self.costs[before], ((None, limit[before]),))

    def _require_guards(self, stage: int, owners: Owners, scopes: dict[int, Lowering]) -> None:
        for guard, rows in self.outline.guards.items():
            if guard.stage == stage:
                self._check_time()
                for owner in owners.acting(rows, compound=not _is_short(guard.term)):
                    require(scopes[guard.scope], (~owner,), guard.term)

    def _next_stage(self, stage: int, layer: int, owners: Owners, scopes: dict[int, Lowering]) -> list[ValueLiterals]:
        """The literals that a phase leaves; a variable that it cannot write keeps its own."""
        firings = self._firings(stage, owners, scopes)
        following: list[ValueLiterals] = []
        for v, old in enumerate(self.lowering.stages[stage]):
            possible = self._possible_after(stage, layer, v)
            if v in firings:
                assigned = set().union(*(cases for _, cases in firings[v]))
                new: ValueLiterals = self.formula.one_hot(
                    value for value in possible if value in old or value in assigned
                )
                link(self.formula, old, new, firings[v], self.frame)
            else:
                new = {value: each for value, each in old.items() if value in possible}
                for value in old.keys() - new.keys():
                    self.formula.clause((~old[value],))
            following.append(new)
        return following

    def _firings(self, stage: int, owners: Owners, scopes: dict[int, Lowering]) -> dict[int, list[Firing]]:
        """For each variable, the effects on it that may fire."""
        firings: dict[int, list[Firing]] = {}
        for effect, rows in self.outline.effects.items():
            if effect.stage == stage:
                self._check_time()
                for owner in owners.acting(rows, compound=effect.condition is not terms.TRUE):
                    fires = self.formula.all_of((owner, scopes[effect.scope].literal(effect.condition)))
                    if fires != FALSE:
                        cases = scopes[effect.scope].cases(effect.value)
                        firings.setdefault(effect.target, []).append(Firing(fires, cases))
        return firings

    def _possible_after(self, stage: int, layer: int, v: int) -> dict[int, Window]:
        """The values that a variable may have after a phase."""
        if stage == self.outline.stages - 1:
            windows = self.outline.value_windows[0][v].items()
            return {value: window for value, window in windows if window.holds(layer + 1, self.horizon)}
        windows = self.outline.value_windows[stage + 1][v].items()
        return {value: window for value, window in windows if layer >= window.first}


def _is_short(condition: Term) -> bool:
    return isinstance(condition, terms.Var | terms.Not | terms.Member | terms.Const)
