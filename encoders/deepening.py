"""The horizon driver: a provably best plan from questions about bounded horizons.

Where every step costs the same, exact horizons T = lower bound, lower bound + 1, ... are refuted one by one; all
shorter ones being refuted, the first plan is a shortest one. (Infeasible at T - 1 alone would prove nothing: a plan of
T - 2 steps may exist.) Otherwise a first plan of cost C is found like that and then improved: a cheaper one has at most
floor((C - 1) / c) steps, where c is the smallest cost of a step, so one bounded question "cheaper than C?" ends in a
better plan or in a proof (Robinson et al., Partial weighted MaxSAT for optimal planning, 2010, discuss alternatives).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from encoders import cpsat, decoding
from encoders.cpsat import Solve, Status
from encoders.encoding import Form, encode
from encoders.implied import Implied, Names, implied, least_steps
from encoders.outline import NEVER, Outline
from encoders.reachability import outline
from models.outcomes import Limits, Operator, Outcome, Unsupported
from models.task import Task

OnProgress = Callable[[Solve], None]


@dataclass(frozen=True)
class CpsatResult:
    """`operators` and `cost` are None without a plan; no plan is cheaper than `lower_bound`."""

    outcome: Outcome
    operators: tuple[Operator, ...] | None = None
    cost: int | None = None
    lower_bound: int = 0
    solves: tuple[Solve, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What one question came to; a plan comes with `feasible` (unless the question gave it)."""

    status: Status
    operators: tuple[Operator, ...] | None
    cost: int | None
    solve: Solve | None  # None: no time was left to ask


class Session:
    """The questions asked about one task, under one time limit."""

    def __init__(
        self,
        task: Task,
        limits: Limits,
        on_progress: OnProgress | None = None,
        invariants: Names = (),
        heuristics: Names = (),
        **options: Any,
    ) -> None:
        self.begin = time.perf_counter()
        self.task, self.limits, self.on_progress, self.options = task, limits, on_progress, options
        self.deadline = None if limits.time is None else self.begin + limits.time
        self.outline: Outline = outline(task, self.deadline)
        self._proven = invariants, heuristics
        self.solves: list[Solve] = []

    @cached_property
    def implied(self) -> Implied:
        return implied(self.outline, *self._proven)

    @cached_property
    def least_steps(self) -> int:
        """No plan has fewer; NEVER: there is none."""
        return max(self.outline.lower_bound, least_steps(self.task, self.implied))

    def exact(self, horizon: int, plan: Sequence[Operator] | None = None) -> Answer:
        """Is there a plan of exactly `horizon` steps, or: is `plan` one?"""
        return self._ask(horizon, "exact", None, plan)

    def at_most(self, horizon: int, below: int | None = None) -> Answer:
        """Is there a plan of at most `horizon` steps, and cheaper than `below`?"""
        return self._ask(horizon, "bounded", below, None)

    def _ask(self, horizon: int, form: Form, below: int | None, plan: Sequence[Operator] | None) -> Answer:
        try:
            made = encode(
                self.task,
                horizon,
                form=form,
                shared=self.outline,
                below=below,
                implied=self.implied if plan is None else None,
                deadline=self.deadline,
            )
        except TimeoutError:
            return Answer("unknown", None, None, None)
        fixed = () if plan is None else tuple(decoding.fixing(made.outline, made.steps, plan))
        remaining = None if self.deadline is None else self.deadline - time.perf_counter()
        record, values = cpsat.solve(made, remaining, fixed=fixed, **self.options)
        self.solves.append(record)
        if self.on_progress is not None:
            self.on_progress(record)
        if values is None:
            return Answer(record.status, None, None, record)
        cost = sum(coefficient for coefficient, literal in made.costs if decoding.holds(literal, values))
        return Answer(record.status, tuple(decoding.operators(made.outline, made.steps, values)), cost, record)


def solve_by_horizon(
    task: Task, limits: Limits | None = None, on_progress: OnProgress | None = None, **options: Any
) -> CpsatResult:
    """A plan that costs least, with proof; `on_progress` hears of every call of the solver. KeyboardInterrupt passes.

    `invariants` and `heuristics` name what is proven by this path (`encoders.claims`), which makes its work shorter.
    Options: presolve, seed (see `cpsat.solve`).
    """
    session = Session(task, limits or Limits(), on_progress, **options)
    result = _first_plan(session)
    if result.outcome is Outcome.SOLVED:
        result = _improved(session, result)
    return replace(result, solves=tuple(session.solves))


def _first_plan(session: Session) -> CpsatResult:
    """The shortest plan; `optimal` where every step costs the same, else `solved`."""
    shared, limit = session.outline, session.limits.max_horizon
    horizon, step_cost = session.least_steps, shared.cheapest
    if horizon >= NEVER:
        return CpsatResult(Outcome.UNSOLVABLE, notes=("the goal lies outside the values that can be reached",))
    while limit is None or horizon <= limit:
        answer = session.exact(horizon)
        bound = horizon * step_cost
        if answer.status == "feasible":
            outcome = Outcome.SOLVED if shared.uniform_cost is None else Outcome.OPTIMAL
            return CpsatResult(outcome, answer.operators, answer.cost, bound)
        if answer.status == "unknown":
            return CpsatResult(Outcome.TIME_LIMIT, lower_bound=bound)
        horizon += 1
    return CpsatResult(Outcome.HORIZON_EXHAUSTED, lower_bound=horizon * step_cost)


def _improved(session: Session, best: CpsatResult) -> CpsatResult:
    """The cheapest plan, from a first one."""
    while best.cost is not None and best.cost > best.lower_bound:
        horizon, complete = _enough(session, best)
        answer = session.at_most(horizon, best.cost)
        if answer.status == "feasible":
            best = replace(best, operators=answer.operators, cost=answer.cost)
        elif answer.status == "unknown":
            return replace(best, outcome=Outcome.UNPROVEN, notes=("the time limit came before the proof",))
        elif complete:
            return replace(best, outcome=Outcome.OPTIMAL, lower_bound=best.cost or 0)
        else:
            note = f"no plan of at most {horizon} steps is cheaper; longer ones were not looked at"
            return replace(best, outcome=Outcome.UNPROVEN, notes=(note,))
    return replace(best, outcome=Outcome.OPTIMAL)


def _enough(session: Session, best: CpsatResult) -> tuple[int, bool]:
    """The horizon to look for a cheaper plan in, and whether every cheaper plan fits."""
    assert best.cost is not None and best.operators is not None
    limit, cheapest = session.limits.max_horizon, session.outline.cheapest
    if cheapest == 0:
        return limit if limit is not None else len(best.operators), False
    needed = (best.cost - 1) // cheapest
    return (needed, True) if limit is None or needed <= limit else (limit, False)


def refute(task: Task, at_most_steps: int, limits: Limits | None = None, **options: Any) -> Answer:
    """Is there a plan of at most that many steps? `infeasible` is the proof that there is none."""
    return Session(task, limits or Limits(), **options).at_most(at_most_steps)


def refute_cheaper(task: Task, cost: int, limits: Limits | None = None, **options: Any) -> Answer:
    """Is there a plan cheaper than `cost`? `infeasible` is the proof that there is none.

    Needs steps that all cost something (else: Unsupported), because only then is the length of such a plan bounded.
    """
    session = Session(task, limits or Limits(), **options)
    if session.outline.cheapest == 0:
        raise Unsupported("steps may cost nothing, so that no horizon covers every plan cheaper than a given one")
    return session.at_most((cost - 1) // session.outline.cheapest, cost)


def accepts(task: Task, operators: Sequence[Operator], limits: Limits | None = None, **options: Any) -> Answer:
    """Is this very sequence of operators a plan? (`feasible`: yes.)"""
    return Session(task, limits or Limits(), **options).exact(len(operators), operators)
