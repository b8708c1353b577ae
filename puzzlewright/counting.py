"""How many best plans there are, up to what, and which: `solve --count`, `--all`, `--up-to`.

Search counts on the graph of all best plans; `--backend cpsat` lists them, and so does `prove --count` to check the
number. Two plans are different if a step differs in its action or in a parameter; actions that do the very same (twins,
which are one row of the task) are one.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from math import log10
from typing import TYPE_CHECKING, Any

from models.decoding import plan_of
from models.outcomes import Operator, Outcome, Unsupported
from models.puzzle import Puzzle
from models.referee import replay
from puzzlewright.report import Report, plan_steps, with_plan
from puzzlewright.solving import Request, Workbench, solve

if TYPE_CHECKING:
    from encoders.enumeration import Enumeration
    from search.counting import BestPlans
    from search.plan_classes import PlanClasses
    from search.space import Heuristic

UP_TO = ("reordering", "symmetry")
MOST_FIGURES = 10**1000  # beyond, only the order of magnitude is told
NOT_COUNTED = {"optimal_plans": None, "answer": None}
LISTED = 100  # plans, unless `--max-plans` says otherwise


@dataclass(frozen=True)
class Wanted:
    """What the user asked for besides the number of plans."""

    listed: int | None = None  # at most so many plans; None: no list
    up_to: tuple[str, ...] = ()  # of UP_TO


def solve_and_count(puzzle: Puzzle, request: Request, wanted: Wanted) -> Report:
    """The report of `solve` with the number of best plans; the plan stays where that cannot be had."""
    bench = Workbench(puzzle, request.metrics)
    return with_count(bench, request, solve(puzzle, request, bench), wanted)


def with_count(bench: Workbench, request: Request, found: Report, wanted: Wanted) -> Report:
    """Count, then take classes, then list; what is known when something ends the work stays known."""
    from search.space import LimitReached

    if found.outcome is Outcome.UNSOLVABLE:
        return replace(found, plan_count=_nothing(wanted))
    found = replace(found, plan_count=NOT_COUNTED)
    if found.outcome is Outcome.SOLVED:
        return _without(found, Outcome.UNPROVEN, "best plans are counted where one is proven best")
    if found.outcome is not Outcome.OPTIMAL:
        return found
    counter = (_Cpsat if request.backend == "cpsat" else _Search)(bench, request, wanted, found)
    began = time.perf_counter()
    try:
        for stage in (counter.number, counter.classes, counter.plans):
            found = stage(found) if found.outcome is Outcome.OPTIMAL else found
    except LimitReached as reason:
        found = _without(found, Outcome.UNPROVEN, f"counting the best plans was stopped: {reason.outcome}")
    except KeyboardInterrupt:
        found = _without(found, Outcome.INTERRUPTED, "counting the best plans was stopped by Ctrl-C")
    except MemoryError:
        found = _without(found, Outcome.UNPROVEN, f"counting the best plans was stopped: {Outcome.MEMORY_LIMIT}")
    except Unsupported as reason:
        found = _without(found, Outcome.UNSUPPORTED, str(reason))
    return _with_seconds(found, time.perf_counter() - began)


def _nothing(wanted: Wanted) -> dict[str, Any]:
    classes = {"up_to": list(wanted.up_to), "classes": 0} if wanted.up_to else {}
    plans: dict[str, Any] = {} if wanted.listed is None else {"plans": []}
    return {"optimal_plans": 0, "answer": "there is no plan", **classes, **plans}


def _without(found: Report, outcome: Outcome, note: str) -> Report:
    return replace(found, outcome=outcome, notes=(*found.notes, note))


def _with_seconds(found: Report, seconds: float) -> Report:
    from search.space import peak_memory_mb

    counted = {"counting_seconds": seconds, "total_seconds": found.statistics["total_seconds"] + seconds}
    rounded = {name: round(value, 4) for name, value in counted.items()}
    return replace(found, statistics={**found.statistics, **rounded, "peak_memory_mb": round(peak_memory_mb(), 1)})


def in_figures(number: int) -> int | str:
    """A number of plans, in words where figures cannot hold it."""
    return number if number < MOST_FIGURES else f"about 10^{round(log10(number))}"


def written(figures: int | str) -> str:
    """A number for people."""
    return f"{figures:,}" if isinstance(figures, int) else figures


# -- what both paths share ---------------------------------------------------------------------------------------------


class _Counter:
    """One count: each stage adds to the report's `plan_count` what it finds out."""

    def __init__(self, bench: Workbench, request: Request, wanted: Wanted, found: Report) -> None:
        assert found.replay is not None
        self.bench, self.request, self.wanted, self.found = bench, request, wanted, found
        self.cost = bench.combined(found.replay.costs)

    def number(self, found: Report) -> Report:
        raise NotImplementedError

    def classes(self, found: Report) -> Report:
        return found

    def best(self) -> Iterable[tuple[Operator, ...]]:
        """The plans to list, in the order of the file."""
        raise NotImplementedError

    def seconds_left(self) -> float | None:
        limit = self.request.limits.time
        return None if limit is None else max(0.0, limit - (time.monotonic() - self.bench.started))

    def tell(self, text: str) -> None:
        if self.request.progress is not None:
            self.request.progress(text)

    def counted(self, found: Report, number: int) -> Report:
        kind, figures = "shortest" if self.bench.unit_cost else "cheapest", in_figures(number)
        answer = f"the {kind} plan is unique" if number == 1 else f"there are {written(figures)} {kind} plans"
        return _adding(found, {"optimal_plans": figures, "answer": answer})

    def plans(self, found: Report) -> Report:
        """The list, each plan replayed by the referee."""
        if self.wanted.listed is None:
            return found
        listed = []
        for operators in islice(self.best(), self.wanted.listed):
            self.look()
            steps = self._judged(operators)
            if steps is None:
                return _without(found, Outcome.DISAGREEMENT, "the referee refuses one of the best plans")
            listed.append(steps)
        found = _adding(found, {"plans": listed})
        return found if len(listed) < self.wanted.listed else _cut(found, self.wanted)

    def look(self) -> None:
        """LimitReached where the time is up."""
        from search.space import LimitReached

        if self.seconds_left() == 0:
            raise LimitReached(Outcome.TIME_LIMIT)

    def _judged(self, operators: tuple[Operator, ...]) -> list[dict[str, Any]] | None:
        """The steps as JSON has them; None where this is no plan of the least cost."""
        puzzle, plan = self.bench.puzzle, plan_of(self.bench.task, operators)
        walked = replay(puzzle, plan)
        if not walked.valid or self.bench.combined(walked.costs) != self.cost:
            return None
        return plan_steps(replace(self.found, **with_plan(puzzle, plan, walked)))


def _adding(found: Report, figures: dict[str, Any]) -> Report:
    return replace(found, plan_count={**(found.plan_count or {}), **figures})


def _cut(found: Report, wanted: Wanted) -> Report:
    """With a note if there are more plans than were listed."""
    assert found.plan_count is not None
    key, what = ("classes", "classes") if wanted.up_to else ("optimal_plans", "plans")
    number = found.plan_count[key]
    if number == wanted.listed:
        return found
    note = f"{wanted.listed:,} of {written(number)} {what} are listed; --max-plans lists more"
    return replace(found, notes=(*found.notes, note))


# -- path one ----------------------------------------------------------------------------------------------------------


class _Search(_Counter):
    """By the graph of all best plans."""

    def number(self, found: Report) -> Report:
        from search.counting import NotBest

        try:
            number = self.graph.count
        except NotBest:
            return _without(found, Outcome.DISAGREEMENT, "counting finds a cheaper plan, or none of that cost")
        statistics = {**found.statistics, "counting_expanded": self.graph.expanded}
        found = replace(found, statistics=statistics)
        if number is None:
            raise Unsupported("a best plan may go in a circle that costs nothing: there are infinitely many")
        return self.counted(found, number)

    @cached_property
    def graph(self) -> BestPlans:
        from search.counting import best_plans

        limits = replace(self.request.limits, time=self.seconds_left())

        def tell(statistics: Any, bound: int) -> None:
            self.tell(f"counting: {statistics.expanded:,} expanded")

        return best_plans(self.bench.machine(), self.cost, limits, self._estimate(), tell)

    def _estimate(self) -> Heuristic:
        """The heuristic that has found the plan, where it is proven consistent."""
        from search.space import BLIND, Heuristic

        declared = self.bench.declared(self.found.heuristic) if self.found.heuristic else None
        if declared is None or not self.bench.proven(declared):
            return BLIND
        machine = self.bench.machine()
        return Heuristic(declared.name, machine.evaluate(declared.term, 0), True, True, machine.estimate(declared.term))

    @cached_property
    def classified(self) -> PlanClasses:
        from search.plan_classes import PlanClasses

        symmetry = self.bench.symmetry
        canonical = symmetry.canonical if symmetry else lambda state: state
        return PlanClasses(self.graph, self.bench.machine(), self.wanted.up_to, canonical)

    def classes(self, found: Report) -> Report:
        if not self.wanted.up_to:
            return found
        found = _adding(found, {"up_to": list(self.wanted.up_to), "classes": None})
        return _adding(found, {"classes": in_figures(self.classified.count())})

    def best(self) -> Iterable[tuple[Operator, ...]]:
        machine, actions = self.bench.machine(), self.graph.actions
        paths = self.classified.first_plans() if self.wanted.up_to else self.graph.paths()
        return (tuple(machine.operator(int(actions[place])) for place in path) for path in paths)


# -- path two ----------------------------------------------------------------------------------------------------------


class _Cpsat(_Counter):
    """By listing them all."""

    def number(self, found: Report) -> Report:
        if self.wanted.up_to:
            raise Unsupported("--up-to is for searches: CP-SAT lists plans as they are")
        self.tell("cpsat: listing the best plans")
        if not self.listed.complete:
            note = f"CP-SAT could not list all best plans in time; {len(self.listed.plans):,} were found"
            return _without(found, Outcome.UNPROVEN, note)
        return self.counted(found, len(self.listed.plans))

    @cached_property
    def listed(self) -> Enumeration:
        from encoders.enumeration import every_plan

        return every_plan(self.bench.task, self.cost, self.seconds_left())

    def best(self) -> Iterable[tuple[Operator, ...]]:
        return sorted(self.listed.plans)
