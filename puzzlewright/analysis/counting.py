"""How many best plans there are, up to what, and which: `solve --count`, `--all`, `--up-to`.

Search counts on the graph of all best plans; `--backend cpsat` lists them, and so does `prove --count` to check the
number. Two plans are different if a step differs in its action or in a parameter; actions that do the very same (twins,
which are one row of the task) are one.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from itertools import islice
from math import log10
from typing import TYPE_CHECKING, Any, ClassVar

from models.decoding import plan_of
from models.frozen import frozen
from models.metrics import combined
from models.outcomes import LimitReached, Operator, Outcome, Unsupported
from models.puzzle import Puzzle
from models.referee import replay
from puzzlewright.report import Facts, Payload, Report, Solution, plan_steps
from puzzlewright.solving.backends import BACKENDS
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve, stoppable
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from encoders.all_plans import Enumeration
    from search.space import Heuristic
    from search.spaces.best_plans import BestPlans
    from search.spaces.plan_classes import PlanClasses

UP_TO = ("reordering", "symmetry")
MOST_FIGURES = 10**1000  # beyond, only the order of magnitude is told
LISTED = 100  # plans, unless `--max-plans` says otherwise


@frozen(eq=True)
class CountWanted:
    """What the user asked for besides the number of plans."""

    listed: int | None = None  # at most so many plans; None: no list
    up_to: tuple[str, ...] = ()  # of UP_TO


@frozen(eq=True)
class PlanCount(Payload):
    """How many best plans there are; None: not known, or not asked."""

    optimal_plans: int | str | None = None
    answer: str | None = None
    up_to: tuple[str, ...] = ()
    classes: int | str | None = None
    plans: tuple[list[dict[str, Any]], ...] | None = None  # the steps of each that is listed

    def as_json(self) -> dict[str, Any]:
        classes = {} if self.classes is None else {"up_to": list(self.up_to), "classes": self.classes}
        plans = {} if self.plans is None else {"plans": list(self.plans)}
        return {"optimal_plans": self.optimal_plans, "answer": self.answer, **classes, **plans}

    def facts(self, report: Report) -> Facts:
        if self.answer:
            classes = "" if self.classes is None else f"; up to {' and '.join(self.up_to)}: {written(self.classes)}"
            yield "plans", self.answer + classes

    def as_text(self, report: Report) -> Iterable[str]:
        for number, steps in enumerate(self.plans or (), 1):
            yield f"{number:>5}. {', '.join(step['label'] for step in steps)}"


NOT_COUNTED = PlanCount()


@stoppable("solve")
def solve_and_count(puzzle: Puzzle, request: Request, wanted: CountWanted) -> Report:
    """The report of `solve` with the number of best plans; the plan stays where that cannot be had."""
    bench = Workbench(puzzle, request.metrics, request.limits.deadline())
    return with_count(bench, request, solve(puzzle, request, bench), wanted)


def with_count(bench: Workbench, request: Request, found: Report, wanted: CountWanted) -> Report:
    """Count, then take classes, then list; what is known when something ends the work stays known."""
    if found.outcome is Outcome.UNSOLVABLE:
        return found.having(_nothing(wanted))
    found = found.having(NOT_COUNTED)
    if found.outcome is Outcome.SOLVED:
        return _without(found, Outcome.UNPROVEN, "best plans are counted where one is proven best")
    if found.outcome is not Outcome.OPTIMAL:
        return found
    job = _Counting(bench, request, wanted, found)
    began = time.perf_counter()
    try:
        path = _path_of(job)
        for stage in (_number, _classes, _plans):
            found = stage(job, path, found)
    except _NotCounted as reason:
        found = _without(found, reason.outcome, reason.note)
    except LimitReached as reason:
        found = _without(found, Outcome.UNPROVEN, f"counting the best plans was stopped: {reason.outcome}")
    except KeyboardInterrupt:
        found = _without(found, Outcome.INTERRUPTED, "counting the best plans was stopped by Ctrl-C")
    except MemoryError:
        found = _without(found, Outcome.UNPROVEN, f"counting the best plans was stopped: {Outcome.MEMORY_LIMIT}")
    except Unsupported as reason:
        found = _without(found, Outcome.UNSUPPORTED, str(reason))
    return _with_seconds(found, time.perf_counter() - began)


def _nothing(wanted: CountWanted) -> PlanCount:
    classes = 0 if wanted.up_to else None
    return PlanCount(0, "there is no plan", wanted.up_to, classes, None if wanted.listed is None else ())


def _without(found: Report, outcome: Outcome, note: str) -> Report:
    return replace(found, outcome=outcome).noting(note)


def _with_seconds(found: Report, seconds: float) -> Report:
    from search.space import peak_memory_mb

    counted = {"counting_seconds": seconds, "total_seconds": found.seconds("total_seconds") + seconds}
    rounded = {name: round(value, 4) for name, value in counted.items()}
    return replace(found, statistics={**found.statistics, **rounded, "peak_memory_mb": round(peak_memory_mb(), 1)})


def in_figures(number: int) -> int | str:
    """A number of plans, in words where figures cannot hold it."""
    return number if number < MOST_FIGURES else f"about 10^{round(log10(number))}"


def written(figures: int | str) -> str:
    """A number for people."""
    return f"{figures:,}" if isinstance(figures, int) else figures


# -- what both paths share ---------------------------------------------------------------------------------------------


@frozen(eq=True)
class _Counting:
    """A plan that is proven best, and what is asked of all such plans."""

    bench: Workbench
    request: Request
    wanted: CountWanted
    found: Report

    @property
    def costs(self) -> tuple[int, ...]:
        assert self.found.replay is not None
        return self.bench.scale.costs(self.found.replay.costs)

    def tell(self, text: str) -> None:
        if self.request.progress is not None:
            self.request.progress(text)


class _NotCounted(Exception):
    """Why the number of best plans, or the list of them, cannot be had."""

    def __init__(self, outcome: Outcome, note: str) -> None:
        super().__init__(note)
        self.outcome, self.note = outcome, note


def _path_of(job: _Counting) -> _Path:
    if BACKENDS[job.request.backend].path != "encoding":
        return _Search(job)
    if job.wanted.up_to:
        raise Unsupported("--up-to is for searches: CP-SAT lists plans as they are")
    return _Cpsat(job)


def _number(job: _Counting, path: _Path, found: Report) -> Report:
    """The report with the number of best plans."""
    number = path.count()
    kind, figures = "shortest" if job.bench.task.unit_cost else "cheapest", in_figures(number)
    answer = f"the {kind} plan is unique" if number == 1 else f"there are {written(figures)} {kind} plans"
    answer += ", actions that do the very same counted once" * path.twins
    found = replace(found, statistics={**found.statistics, **path.statistics})
    return _adding(found, optimal_plans=figures, answer=answer)


def _classes(job: _Counting, path: _Path, found: Report) -> Report:
    """And with the number of their classes."""
    if not (job.wanted.up_to and isinstance(path, _Search)):
        return found
    return _adding(found, up_to=job.wanted.up_to, classes=in_figures(path.count_classes()))


def _plans(job: _Counting, path: _Path, found: Report) -> Report:
    """And with the list, each plan replayed by the referee."""
    if job.wanted.listed is None:
        return found
    listed = []
    for operators in islice(path.best(), job.wanted.listed):
        job.bench.deadline.look()
        listed.append(_judged(job, operators))
    found = _adding(found, plans=tuple(listed))
    return found if len(listed) < job.wanted.listed else _cut(found, job.wanted)


def _judged(job: _Counting, operators: tuple[Operator, ...]) -> list[dict[str, Any]]:
    """The steps as JSON has them."""
    puzzle, plan = job.bench.puzzle, plan_of(job.bench.task, operators)
    walked = replay(puzzle, plan)
    if not walked.valid or job.bench.scale.costs(walked.costs) != job.costs:
        raise _NotCounted(Outcome.DISAGREEMENT, "the referee refuses one of the best plans")
    return plan_steps(Solution.of(puzzle, plan, walked, None), job.found.metric)


def _adding(found: Report, **figures: Any) -> Report:
    return found.having(replace(_counted(found), **figures))


def _counted(found: Report) -> PlanCount:
    return found.payload(PlanCount) or NOT_COUNTED


def _cut(found: Report, wanted: CountWanted) -> Report:
    """With a note if there are more plans than were listed."""
    counted = _counted(found)
    number, what = (counted.classes, "classes") if wanted.up_to else (counted.optimal_plans, "plans")
    assert number is not None
    if number == wanted.listed:
        return found
    return found.noting(f"{wanted.listed:,} of {written(number)} {what} are listed; --max-plans lists more")


# -- path one ----------------------------------------------------------------------------------------------------------


class _Search:
    """By the graph of all best plans."""

    def __init__(self, job: _Counting) -> None:
        self.job, self.bench = job, job.bench

    def count(self) -> int:
        from search.spaces.best_plans import NotBest

        try:
            number = self.graph.count
        except NotBest:
            note = "counting finds a cheaper plan, or none of that cost"
            raise _NotCounted(Outcome.DISAGREEMENT, note) from None
        if number is None:
            raise Unsupported("a best plan may go in a circle that costs nothing: there are infinitely many")
        return number

    @property
    def twins(self) -> bool:
        """Does a step of a best plan stand for others too?"""
        machine = self.bench.machine()
        places = {machine.operator(int(action))[:2] for action in set(self.graph.actions.tolist())}
        return any(self.bench.task.schemas[schema].rows[row].twins for schema, row in places)

    @property
    def statistics(self) -> dict[str, int]:
        return {"counting_expanded": self.graph.expanded}

    @cached_property
    def graph(self) -> BestPlans:
        from search.spaces.best_plans import best_plans

        limits = replace(self.job.request.limits, time=self.bench.deadline.left)

        def tell(statistics: Any, bound: int) -> None:
            self.job.tell(f"counting: {statistics.expanded:,} expanded")

        cost = combined(self.bench.task.weights, self.job.costs)
        return best_plans(self.bench.machine(), cost, limits, self._estimate(), tell)

    def _estimate(self) -> Heuristic:
        """The heuristic that has found the plan, where it is proven consistent."""
        from search.space import BLIND, Heuristic

        name = self.job.found.heuristic
        declared = self.bench.declared(name) if name else None
        if declared is None or not self.bench.proofs.proven(declared):
            return BLIND
        machine = self.bench.machine()
        return Heuristic(declared.name, machine.evaluate(declared.term, 0), True, True, machine.estimate(declared.term))

    @cached_property
    def classified(self) -> PlanClasses:
        from search.spaces.plan_classes import PlanClasses

        symmetry = self.bench.symmetry
        canonical = symmetry.canonical if symmetry else lambda state: state
        return PlanClasses(self.graph, self.bench.machine(), self.job.wanted.up_to, canonical)

    def count_classes(self) -> int:
        return self.classified.count()

    def best(self) -> Iterable[tuple[Operator, ...]]:
        """The plans to list, in the order of the file."""
        machine, actions = self.bench.machine(), self.graph.actions
        paths = self.classified.first_plans() if self.job.wanted.up_to else self.graph.paths()
        return (tuple(machine.operator(int(actions[place])) for place in path) for path in paths)


# -- path two ----------------------------------------------------------------------------------------------------------


class _Cpsat:
    """By listing them all."""

    statistics: ClassVar[dict[str, int]] = {}

    def __init__(self, job: _Counting) -> None:
        self.job, self.bench = job, job.bench

    def count(self) -> int:
        self.job.tell("cpsat: listing the best plans")
        number = len(self.listed.plans)
        if not self.listed.complete:
            note = f"CP-SAT could not list all best plans in time; {number:,} were found"
            raise _NotCounted(Outcome.UNPROVEN, note)
        return number

    @property
    def twins(self) -> bool:
        places = {operator[:2] for plan in self.listed.plans for operator in plan}
        return any(self.bench.task.schemas[schema].rows[row].twins for schema, row in places)

    @cached_property
    def listed(self) -> Enumeration:
        from encoders.all_plans import every_plan

        return every_plan(self.bench.task, self.job.costs, self.bench.deadline.left)

    def best(self) -> Iterable[tuple[Operator, ...]]:
        return sorted(self.listed.plans)


_Path = _Search | _Cpsat
