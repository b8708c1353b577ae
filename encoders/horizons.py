"""The horizon driver: a provably best plan from questions about bounded horizons.

Where every step costs the same, a shortest plan is one of T steps where "at most T - 1" is refuted. (Infeasible at
exactly T - 1 alone would prove nothing: a plan of T - 2 steps may exist.) The first horizon is the lower bound; then
they rise, each gap half as long again as long as that makes questions little harder, until there is a plan; then the
gap between the last refuted horizon and that plan is halved until none is left (compare Rintanen, Evaluation strategies
for planning as satisfiability, 2004, who runs several horizons side by side). Where costs differ the first plan will
do, and is improved: a cheaper one has at most floor((C - 1) / c) steps, where c is the smallest cost of a step, so one
bounded question "cheaper than C?" ends in a better plan or in a proof (Robinson et al., Partial weighted MaxSAT for
optimal planning, 2010, discuss alternatives).
Several metrics stay apart: costs are tuples, and "cheaper" is less in one of them and not more in those before it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from encoders import cpsat, decoding
from encoders.cpsat import Solve, Status
from encoders.encoding import Encoding, Form, encode
from encoders.frames import Frame
from encoders.implied import Implied, Names, implied, least_steps
from encoders.reachability import outline
from encoders.rounds import written_out
from encoders.statements import MOST_STEPS, NEVER, Costs, Outline, few_steps
from models.frozen import frozen
from models.outcomes import Limits, Operator, Outcome
from models.task import Task

OnProgress = Callable[[Solve], None]
RISE = 1.5  # of the gaps between horizons that are asked about
EASY = 1_000  # conflicts of a question after which a larger gap costs little
HARDER = 1.35  # times as many conflicts a step: where questions become harder than that, the gap is one step
LATE = "the time limit came before the proof"


@frozen(eq=True)
class CpsatResult:
    """`operators` and `cost` are None without a plan; no plan is cheaper than `lower_bound`."""

    outcome: Outcome
    operators: tuple[Operator, ...] | None = None
    cost: Costs | None = None
    lower_bound: Costs = (0,)
    solves: tuple[Solve, ...] = ()
    notes: tuple[str, ...] = ()


@frozen(eq=True)
class Answer:
    """What one question came to; a plan comes with `feasible` (unless the question gave it)."""

    status: Status
    operators: tuple[Operator, ...] | None
    cost: Costs | None
    solve: Solve | None  # None: no time was left to ask


NO_TIME = Answer("unknown", None, None, None)


class Contradiction(Exception):
    """CP-SAT called a question infeasible and answers it, with other settings or within another one, by a plan.

    `told`: it began with so many steps, since somebody has told it that no plan has fewer.
    """

    def __init__(self, asked: Encoding, answer: Answer, how: str = "with presolve", told: int = 0) -> None:
        given = f", told that none has fewer than {told} steps," if told else ""
        super().__init__(
            f"CP-SAT{given} calls plans of at most {asked.horizon} steps impossible, and {how} it finds one"
        )
        self.asked, self.answer = asked, answer


class Session:
    """The questions asked about one task, under one time limit."""

    def __init__(
        self,
        task: Task,
        limits: Limits,
        on_progress: OnProgress | None = None,
        invariants: Names = (),
        heuristics: Names = (),
        at_least: int = 0,
        **options: Any,
    ) -> None:
        """`at_least`: somebody says that no plan has fewer steps, so that longer ones are asked about first."""
        self.at_least = at_least
        self.begin = time.perf_counter()
        self.task, self.limits = written_out(task, limits.deadline()), limits
        self.on_progress, self.options = on_progress, options
        self.deadline = None if limits.time is None else self.begin + limits.time
        self.outline: Outline = outline(self.task, self.deadline)
        self._proven = invariants, heuristics
        self.solves: list[Solve] = []

    @cached_property
    def implied(self) -> Implied:
        return implied(self.outline, *self._proven, math.inf if self.deadline is None else self.deadline)

    @cached_property
    def least_steps(self) -> int:
        """No plan has fewer."""
        return max(self.outline.lower_bound, least_steps(self.task, self.implied))

    def limit(self, seconds: float | None) -> None:
        """It has at most so many seconds from now."""
        if seconds is not None:
            end = time.perf_counter() + seconds
            self.deadline = end if self.deadline is None else min(self.deadline, end)

    def exact(self, horizon: int, plan: Sequence[Operator] | None = None) -> Answer:
        """Is there a plan of exactly `horizon` steps, or: is `plan` one?"""
        return self._ask(horizon, "exact", None, plan)

    def question(self, plan: Sequence[Operator]) -> str:
        """What CP-SAT is asked about a plan, as a text."""
        made = self._encoded(len(plan), "exact", None, stated=False)
        return "" if made is None else cpsat.formula_text(made.formula, decoding.fixing(made.outline, made.steps, plan))

    def at_most(self, horizon: int, below: Costs | None = None) -> Answer:
        """Is there a plan of at most `horizon` steps, and cheaper than `below`?"""
        return self._ask(horizon, "bounded", below, None)

    def refuted(self, horizon: int, below: Costs | None = None) -> Answer:
        """The same; `infeasible` only if a second opinion says so too (else Contradiction)."""
        first = self.at_most(horizon, below)
        return first if first.status != "infeasible" else self.second_opinion(horizon, below)

    def second_opinion(self, horizon: int, below: Costs | None = None) -> Answer:
        """On a question that was called infeasible, by another formula and other settings.

        The frame axioms are written by "touched", and presolve rewrites the whole model before it is solved.
        """
        made = self._encoded(horizon, "bounded", below, frame="touched")
        second = self._answer(made, presolve=not self.options.get("presolve", False))
        if made is not None and second.status == "feasible":
            raise Contradiction(made, second, told=self.at_least)
        return second

    def contradicted(self, horizon: int, answer: Answer) -> None:
        """Raises Contradiction: there is a plan of at most so many steps, and it was said that there is none."""
        asked = self._encoded(horizon, "bounded", None)
        if asked is not None:
            raise Contradiction(asked, answer, "among longer ones", self.at_least)

    def _ask(self, horizon: int, form: Form, below: Costs | None, plan: Sequence[Operator] | None) -> Answer:
        return self._answer(self._encoded(horizon, form, below, stated=plan is None), plan)

    def _encoded(
        self, horizon: int, form: Form, below: Costs | None, *, stated: bool = True, frame: Frame = "mixed"
    ) -> Encoding | None:
        """The question as a formula, with what is implied `stated`; None if no time was left to write it down."""
        try:
            return encode(
                self.task,
                horizon,
                form=form,
                shared=self.outline,
                below=below,
                frame=frame,
                implied=self.implied if stated else None,
                deadline=self.deadline,
            )
        except TimeoutError:
            return None

    def _answer(self, made: Encoding | None, plan: Sequence[Operator] | None = None, **settings: Any) -> Answer:
        if made is None:
            return NO_TIME
        fixed = () if plan is None else tuple(decoding.fixing(made.outline, made.steps, plan))
        remaining = None if self.deadline is None else self.deadline - time.perf_counter()
        record, values = cpsat.solve(made, remaining, fixed=fixed, stop=self.limits.stop,
                                     **{**self.options, **settings})  # fmt: skip
        self.solves.append(record)
        if self.on_progress is not None:
            self.on_progress(record)
        if values is None:
            return Answer(record.status, None, None, record)
        costs = tuple(sum(cost for cost, literal in each if decoding.holds(literal, values)) for each in made.costs)
        return Answer(record.status, tuple(decoding.operators(made.outline, made.steps, values)), costs, record)


def solve_by_horizon(
    task: Task, limits: Limits | None = None, on_progress: OnProgress | None = None, **options: Any
) -> CpsatResult:
    """A plan that costs least, with proof; `on_progress` hears of every call of the solver. KeyboardInterrupt passes.

    `invariants` and `heuristics` name what is proven by this path (`encoders.induction`), which makes its work shorter.
    Options: presolve, seed (see `cpsat.solve`).
    """
    session = Session(task, limits or Limits(), on_progress, **options)
    result = _first_plan(session)
    if result.outcome is Outcome.OPTIMAL:
        result = _confirmed(session, result)
    if result.outcome is Outcome.SOLVED:
        result = _improved(session, result)
    return replace(result, solves=tuple(session.solves))


@dataclass
class Gap:
    """What is known of the shortest plan: no plan has fewer than `least` steps, and `plan` is the shortest so far."""

    least: int
    plan: Answer | None = None
    stride: float = 1
    conflicts: int = 0  # of the last question

    @property
    def closed(self) -> bool:
        return self.plan is not None and len(self.plan.operators or ()) <= self.least

    def horizon(self, limit: float) -> int:
        """The next to ask about: ever farther from the last, or half way to the plan."""
        if self.plan is not None:
            return (self.least + len(self.plan.operators or ()) - 1) // 2
        return int(min(self.least + self.stride - 1, limit))

    def ask(self, session: Session, horizon: int) -> Status:
        """Is there a plan of `least` to `horizon` steps? `least` or the plan is then another."""
        answer = session.exact(horizon) if horizon == self.least else session.at_most(horizon)
        if answer.operators is not None:
            if len(answer.operators) < self.least:
                session.contradicted(self.least - 1, answer)
            self.plan = answer
        elif answer.status == "infeasible":
            self.rise(horizon, answer.solve.conflicts if answer.solve else 0)
        return answer.status

    def rise(self, horizon: int, conflicts: int) -> None:
        """No plan has so many steps. One bounded question may be as hard as all exact ones together."""
        steps = horizon + 1 - self.least
        gentle = conflicts <= max(EASY, self.conflicts * HARDER**steps)
        self.least, self.conflicts, self.stride = horizon + 1, conflicts, self.stride * RISE if gentle else 1


def _first_plan(session: Session) -> CpsatResult:
    """The shortest plan, `optimal`, where every step costs the same; else one of few steps, `solved`."""
    shared = session.outline
    limit = math.inf if session.limits.max_horizon is None else session.limits.max_horizon
    gap = Gap(max(session.least_steps, session.at_least))
    if shared.lower_bound >= NEVER:
        return CpsatResult(Outcome.UNSOLVABLE, notes=("the goal lies outside the values that can be reached",))
    status: Status = "infeasible"
    while gap.least <= limit and status != "unknown" and not (gap.plan if shared.uniform_cost is None else gap.closed):
        status = gap.ask(session, few_steps(gap.horizon(limit)))
    bound = tuple(gap.least * cost for cost in shared.cheapest)
    if gap.plan is None:
        outcome = Outcome.TIME_LIMIT if status == "unknown" else Outcome.HORIZON_EXHAUSTED
        return CpsatResult(outcome, lower_bound=bound)
    if shared.uniform_cost is None:
        return CpsatResult(Outcome.SOLVED, gap.plan.operators, gap.plan.cost, bound)
    if not gap.closed:
        return CpsatResult(Outcome.UNPROVEN, gap.plan.operators, gap.plan.cost, bound, notes=(LATE,))
    return CpsatResult(Outcome.OPTIMAL, gap.plan.operators, gap.plan.cost, bound)


def _confirmed(session: Session, best: CpsatResult) -> CpsatResult:
    """A shortest plan, if a second opinion says so too; it is about all that is shorter, whoever gave the first."""
    assert best.operators is not None
    if len(best.operators) <= session.least_steps:
        return best
    second = session.second_opinion(len(best.operators) - 1)
    if second.status == "infeasible":
        return best
    return replace(best, outcome=Outcome.UNPROVEN, notes=("the time limit came before the second opinion",))


def _improved(session: Session, best: CpsatResult) -> CpsatResult:
    """The cheapest plan, from a first one."""
    while (cost := best.cost) is not None and cost > best.lower_bound:
        horizon, complete = _enough(session, best)
        answer = session.refuted(horizon, cost)
        if answer.status == "feasible":
            assert answer.cost is not None and answer.cost < cost, "this plan is not cheaper"
            best = replace(best, operators=answer.operators, cost=answer.cost)
        elif answer.status == "unknown":
            return replace(best, outcome=Outcome.UNPROVEN, notes=(LATE,))
        elif complete:
            return replace(best, outcome=Outcome.OPTIMAL, lower_bound=cost)
        else:
            note = f"no plan of at most {horizon} steps is cheaper; longer ones were not looked at"
            return replace(best, outcome=Outcome.UNPROVEN, notes=(note,))
    return replace(best, outcome=Outcome.OPTIMAL)


def _enough(session: Session, best: CpsatResult) -> tuple[int, bool]:
    """The horizon to look for a cheaper plan in, and whether every cheaper plan fits."""
    assert best.cost is not None and best.operators is not None
    limit, needed = session.limits.max_horizon, session.outline.steps_below(best.cost)
    if needed is None or needed > MOST_STEPS:
        return limit if limit is not None else len(best.operators), False
    return (needed, True) if limit is None or needed <= limit else (limit, False)
