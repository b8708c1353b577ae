"""`anytime`: a plan soon, better ones after, and the proven bound that is left below them.

Every plan that is told of has been replayed by the referee. `optimal` is said where the plan costs what is proven to be
the least; a limit or Ctrl-C leaves the best plan and the best bound.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from models.frozen import frozen
from models.outcomes import LimitReached, Outcome, Statistics, Unsupported, outcome_of
from models.task import Heuristic as Declared
from puzzlewright.configuration import DERIVED, derives
from puzzlewright.report import Facts, Payload, Report
from puzzlewright.solving.backends import ANYTIME
from puzzlewright.solving.deriving import LOST, NO_TABLES, PROVEN, with_derived
from puzzlewright.solving.disagreement import disagreement
from puzzlewright.solving.judging import Answer, judged, reported
from puzzlewright.solving.request import Request
from puzzlewright.solving.searching import DEAD_LEFT_OUT, compiled, figures_of, symmetry_notes
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from search.improving.rounds import Led
    from search.improving.standing import Standing
    from search.space import Found, Heuristic


@frozen(eq=True)
class Better:
    """A plan that was the best so far, or a bound that was (then there is no cost)."""

    seconds: float | None  # after which it was known
    cost: int | None
    length: int | None
    lower_bound: int
    by: str  # which search

    def as_json(self, *names: str) -> dict[str, object]:
        found = {name: getattr(self, name) for name in ("seconds", *names, "lower_bound", "by")}
        return {name: value for name, value in found.items() if name != "seconds" or value is not None}


@frozen(eq=True)
class Course(Payload):
    """Cost against bound over time."""

    steps: tuple[Better, ...] = ()

    @property
    def plans(self) -> list[Better]:
        return [each for each in self.steps if each.cost is not None]

    def as_json(self) -> dict[str, object]:
        bounds = [each.as_json() for each in self.steps if each.cost is None]
        return {"anytime": {"plans": [each.as_json("cost", "length") for each in self.plans], "bounds": bounds}}

    def facts(self, report: Report) -> Facts:
        told = [f"{each.cost} by {each.by}" + ("" if each.seconds is None else f" ({each.seconds:.1f} s)")
                for each in self.plans]  # fmt: skip
        if told:
            yield "found", ", ".join(told)

    def reproducible(self) -> Payload:
        return Course(tuple(replace(each, seconds=None) for each in self.steps))


class _Refused(Exception):
    """The referee does not agree."""


def run_anytime(bench: Workbench, request: Request) -> Report:
    """The report on the best plan there is when plan and bound meet, or when a limit or Ctrl-C ends the work."""
    if request.limits.max_horizon is not None:
        raise Unsupported(f"{ANYTIME} proves nothing about plan length, so it cannot keep a max-horizon")
    if request.search is not None:
        raise Unsupported(f"{ANYTIME} is led by declared heuristics only")
    return Run(bench, request).report()


class Run:
    """One run: the rounds, and the referee's word on each plan as it comes."""

    def __init__(self, bench: Workbench, request: Request) -> None:
        from search.improving.standing import Standing

        self.bench, self.request = bench, request
        self.started = time.monotonic()
        self.standing = Standing(self._told)
        self.statistics = Statistics()
        self.course: list[Better] = []
        self.seen: Found | None = None  # the plan that was told last
        self.agreed: Found | None = None  # the best plan that the referee has replayed,
        self.judged: Report | None = None  # and what he says of it
        self.remarks: list[str] = []
        self.told = 0  # the bound that was told last
        self.named = _named(bench, request)
        self.derives = any(derives(bench.puzzle, name) for name in request.heuristics)
        self.tables = NO_TABLES
        symmetry = bench.usable_symmetry(None) if request.symmetry and not self.derives else None
        self.alive = request.invariants and bench.leaves_dead_out(symmetry)
        self.symmetry, self.machine = symmetry, bench.machine(symmetry, self.alive)
        self.proven_ones: tuple[Declared, ...] = ()
        self.proven: Heuristic | None = None  # the largest of them

    def report(self) -> Report:
        """The work, to its end."""
        stopped = None
        try:
            self._rounds().run()
            self.remarks += [] if self.standing.closed else ["no search can do more in the memory that there is"]
        except (LimitReached, KeyboardInterrupt) as reason:
            stopped = outcome_of(reason)
        except Unsupported as reason:
            if self.judged is None:
                raise
            self.remarks.append(str(reason))
        except _Refused:
            assert self.judged is not None
            return self.judged
        return self._worded(self._ended(stopped))

    # -- searches ------------------------------------------------------------------------------------------------------

    def _rounds(self) -> Any:
        from search.improving.rounds import Improving

        rounds = Improving(self.machine, self._guides(), self._settled, self.request.limits,
                           lambda: self.bench.deadline, self.standing, self._progress)  # fmt: skip
        self.statistics = rounds.statistics
        return rounds

    def _guides(self, proven: frozenset[str] = frozenset()) -> list[Heuristic]:
        """The heuristics in machine code, of which some are proven; last, how many parts of the goal are missing."""
        from search.improving.goals import missing_parts
        from search.space import BLIND

        named = {each.term: each for each in self.named}
        if self.derives or not self.request.heuristics:
            missing = missing_parts(self.bench.task)
            named.setdefault(missing.term, missing)
        return [compiled(self.machine, each, each.name in proven) for each in named.values()] or [BLIND]

    def _settled(self, ask: bool) -> Led:
        """The heuristics, now that their claims are looked at; the largest of the proven ones bounds."""
        from models.terms import maximum
        from search.improving.rounds import Led
        from search.space import BLIND

        proven = [each for each in self.named if self._proven(each, ask)]
        guides, self.proven_ones = self._guides(frozenset(each.name for each in proven)), tuple(proven)
        if proven:
            largest = Declared("+".join(each.name for each in proven), maximum(each.term for each in proven))
            self.proven = compiled(self.machine, largest, proven=True)
        if (found := self._derived(self.proven or BLIND)) is not None:
            self.proven, guides = found, [found, *guides]
        return Led(guides, self.proven or BLIND)

    def _derived(self, beside: Heuristic) -> Heuristic | None:
        """What tables say, or what is said beside them where that is more; None where there are no tables."""
        from search.space import INFINITY

        self.tables = self.bench.derived(self.request) if self.derives else NO_TABLES
        if self.tables.found is None:
            return None
        made = with_derived(DERIVED, self.machine, self.tables.found, beside)
        self.bench.proofs.told[f"heuristic {DERIVED}"] = PROVEN
        if made.evaluate(self.machine.initial) >= made.lost:
            self.remarks.append(LOST)
            self.standing.prove(INFINITY, DERIVED)
        return made

    def _proven(self, declared: Declared, ask: bool) -> bool:
        """Is it consistent, also where states count as one? CP-SAT may be asked; what takes too long is left open."""
        if self.symmetry is not None:
            from search.proofs.symmetry import respects

            if not respects(self.bench.task, self.symmetry, declared.term):
                return False
        try:
            with self.bench.within(self.bench.deadline.share(1 / 8)):
                return self.bench.proofs.proven(declared, ask)
        except LimitReached as reason:
            if reason.outcome is not Outcome.TIME_LIMIT or self.bench.deadline.left == 0:
                raise
            return False

    # -- what is told --------------------------------------------------------------------------------------------------

    def _told(self, standing: Standing) -> None:
        """Something is better than before: a plan, which the referee sees first, or the bound."""
        bound = self._bound()
        if standing.found is not self.seen:
            self.seen = standing.found
            self._judge()
            assert self.judged is not None
            self._note(self.judged.cost, standing.by, bound)
        elif bound > self.told:
            self._note(None, standing.bound_by, bound)
        self.told = max(self.told, bound)
        if self.request.watch is not None:
            self.request.watch(self.statistics.expanded, bound)

    def _note(self, cost: int | None, by: str, bound: int) -> None:
        seconds = round(time.monotonic() - self.started, 2)
        length = None if cost is None or self.judged is None else len(self.judged.plan or ())
        self.course.append(Better(seconds, cost, length, bound, by))
        if cost is not None and self.request.better is not None:
            self.request.better(cost, bound, self.statistics.expanded)
        if cost is not None and self.request.milestone is not None:
            self.request.milestone(f"{seconds:.1f} s: cost {cost} by {by}; every plan costs at least {bound}")

    def _judge(self) -> None:
        """The referee replays the plan: _Refused where he does not agree, LimitReached without time for him."""
        found = self.standing.found
        assert found is not None
        operators = self.machine.spelt(cast("tuple[int, ...]", found.operators))
        report = judged(self.bench, self.request, self._answer(Outcome.SOLVED, operators, found.cost))
        if report.outcome is Outcome.TIME_LIMIT:
            self.remarks += report.notes
            raise LimitReached(Outcome.TIME_LIMIT)
        self.agreed, self.judged = found, report
        if report.outcome is Outcome.DISAGREEMENT:
            raise _Refused

    def _answer(self, outcome: Outcome, operators: Any = None, cost: int | None = None) -> Answer:
        return Answer(outcome, ANYTIME, lower_bound=self._bound(), operators=operators, cost=cost)

    def _bound(self) -> int:
        """In the first metric; that there is no plan is no bound on one."""
        from search.space import INFINITY

        return 0 if self.standing.bound == INFINITY else self.bench.scale.leading(self.standing.bound)

    def _progress(self, statistics: Statistics, bound: int) -> None:
        if self.request.watch is not None:
            self.request.watch(self.statistics.expanded + statistics.expanded, self._bound())
        if self.request.progress is not None:
            cost = "no plan" if self.judged is None else f"cost {self.judged.cost}"
            self.request.progress(f"{ANYTIME}: {cost}, every plan costs at least {self._bound()}")

    # -- the end -------------------------------------------------------------------------------------------------------

    def _ended(self, stopped: Outcome | None) -> Report:
        """What is known when nothing more is done: `optimal` where the plan costs what every plan costs at least.

        The search may know of a better plan that the referee has not seen: that one is not spoken of.
        """
        from search.space import INFINITY

        if self.standing.found is None and self.standing.bound == INFINITY:
            return reported(self.bench, self.request, replace(self._answer(Outcome.UNSOLVABLE), proven_by=("search",)))
        if self.judged is None or self.agreed is None:
            return reported(self.bench, self.request, self._answer(stopped or Outcome.MEMORY_LIMIT))
        report = replace(self.judged, lower_bound=self._bound())
        if doubt := self._doubt(self.agreed):
            return disagreement(report, doubt)
        if self.agreed.cost == self.standing.bound:
            return replace(report, outcome=Outcome.OPTIMAL, proven_by=("search",))
        return replace(report, outcome=Outcome.INTERRUPTED if stopped is Outcome.INTERRUPTED else Outcome.SOLVED)

    def _doubt(self, found: Found) -> str:
        """What a plan says against what is held to be proven; empty: nothing."""
        from search.registry import NO_LIMITS, overestimated
        from search.space import SearchSpace

        if found.cost < self.standing.bound:
            return f"a plan of cost {found.cost}, though {self.standing.bound} was the least cost proven"
        if self.proven is not None and overestimated(SearchSpace(self.machine, NO_LIMITS, self.proven), found):
            return f"{self.proven.name} is proven, yet on the plan it is more than what is left to pay"
        return ""

    def _worded(self, report: Report) -> Report:
        """With how it came about."""
        notes = [*self.tables.remarks, *self.remarks]
        if self.request.symmetry:
            notes += symmetry_notes(self.bench, self.symmetry, self.machine, DERIVED)
        if self.alive:
            notes.append(DEAD_LEFT_OUT)
        names = [DERIVED] * (self.tables.found is not None)
        names += [each.name for each in (*self.proven_ones, *self.named)]
        heuristic = names[0] if names else None  # one that is proven, if any is
        about = replace(report.about, heuristic=heuristic)
        report = replace(report, about=about, statistics={**figures_of(self.statistics), **self.tables.figures})
        return report.noting(*notes).having(Course(tuple(self.course)))


def _named(bench: Workbench, request: Request) -> tuple[Declared, ...]:
    """The heuristics that were asked for, else all that there are."""
    if not request.heuristics:
        return bench.task.heuristics
    found = (bench.declared(name) for name in request.heuristics)
    return tuple(each for each in found if each is not None)
