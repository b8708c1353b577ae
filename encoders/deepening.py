"""The horizon driver: a provably best plan from questions about bounded horizons.

Where every step costs the same, exact horizons T = lower bound, lower bound + 1, ... are refuted one by one; all shorter
ones being refuted, the first plan is a shortest one. (Infeasible at T - 1 alone would prove nothing: a plan of T - 2 steps
may exist.) Otherwise a first plan of cost C is found like that and then improved: a cheaper one has at most
floor((C - 1) / c) steps, where c is the smallest cost of a step, so one bounded question "cheaper than C?" ends in a better
plan or in a proof (Robinson et al., Partial weighted MaxSAT for optimal planning, 2010, discuss the alternatives).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from encoders import cpsat, decoding
from encoders.cpsat import Solve, Status
from encoders.encoding import NEVER, Encoding, Frame, Outline, encode, outline
from models.outcomes import Limits, Operator, Outcome
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


@dataclass
class Session:
    """The questions asked about one task, under one time limit."""

    task: Task
    limits: Limits = field(default_factory=Limits)
    on_progress: OnProgress | None = None
    presolve: bool = False
    seed: int = 0
    frame: Frame = "touched"
    solves: list[Solve] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.begin = time.perf_counter()
        self.outline: Outline = outline(self.task)

    def remaining(self) -> float | None:
        if self.limits.time is None:
            return None
        return max(0.0, self.limits.time - (time.perf_counter() - self.begin))

    def exact(self, horizon: int) -> tuple[Status, Plan]:
        return self._ask(encode(self.task, horizon, shared=self.outline, frame=self.frame))

    def at_most(self, horizon: int, below: int | None = None) -> tuple[Status, Plan]:
        made = encode(self.task, horizon, form="bounded", shared=self.outline, below=below, frame=self.frame)
        return self._ask(made)

    def accepts(self, plan: Sequence[Operator]) -> Status:
        made = encode(self.task, len(plan), shared=self.outline, frame=self.frame)
        return self._ask(made, tuple(decoding.fixing(made.outline, made.steps, plan)))[0]

    def _ask(self, made: Encoding, fixed: Sequence[int] = ()) -> tuple[Status, Plan]:
        record, values = cpsat.solve(made, self.remaining(), fixed=fixed, presolve=self.presolve, seed=self.seed)
        self.solves.append(record)
        if self.on_progress is not None:
            self.on_progress(record)
        if values is None:
            return record.status, None
        cost = sum(coefficient for coefficient, literal in made.costs if decoding.holds(literal, values))
        return record.status, (tuple(decoding.operators(made.outline, made.steps, values)), cost)


Plan = tuple[tuple[Operator, ...], int] | None  # operators and cost


def solve_by_horizon(
    task: Task,
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
    *,
    presolve: bool = False,
    seed: int = 0,
    frame: Frame = "touched",
) -> CpsatResult:
    """A plan that costs least, with proof; `on_progress` hears of every call of the solver. KeyboardInterrupt passes."""
    session = Session(task, limits or Limits(), on_progress, presolve, seed, frame)
    result = _first_plan(session)
    if result.outcome is Outcome.SOLVED:
        result = _improved(session, result)
    return replace(result, solves=tuple(session.solves))


def _first_plan(session: Session) -> CpsatResult:
    """The shortest plan; `optimal` where every step costs the same, else `solved`."""
    shared, limit = session.outline, session.limits.max_horizon
    horizon, step_cost = shared.lower_bound, shared.cheapest
    if horizon >= NEVER:
        return CpsatResult(Outcome.UNSOLVABLE, notes=("the goal lies outside the relaxed reachable values",))
    while limit is None or horizon <= limit:
        status, plan = session.exact(horizon)
        if plan is not None:
            proven = shared.uniform_cost is not None
            return CpsatResult(Outcome.OPTIMAL if proven else Outcome.SOLVED, *plan, lower_bound=horizon * step_cost)
        if status == "unknown":
            return CpsatResult(Outcome.TIME_LIMIT, lower_bound=horizon * step_cost)
        horizon += 1
    return CpsatResult(Outcome.HORIZON_EXHAUSTED, lower_bound=horizon * step_cost)


def _improved(session: Session, found: CpsatResult) -> CpsatResult:
    """The cheapest plan, from a first one."""
    cheapest, best = session.outline.cheapest, found
    while best.cost is not None and best.cost > best.lower_bound:
        if cheapest == 0:
            note = f"steps may cost nothing: plans of more than {len(best.operators or ())} steps were not looked at"
            return _without_bound(session, best, note)
        status, plan = session.at_most((best.cost - 1) // cheapest, best.cost)
        if plan is not None:
            best = replace(best, operators=plan[0], cost=plan[1])
        elif status == "infeasible":
            best = replace(best, lower_bound=best.cost)
        else:
            return replace(best, outcome=Outcome.UNPROVEN, notes=("time limit reached before the proof",))
    return replace(best, outcome=Outcome.OPTIMAL)
