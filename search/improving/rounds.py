"""Anytime search: rounds of searches, each with four times the expansions of the round before.

First comes some plan: from greedy searches by several guides in turn, or by one, weighted A*, a beam. Then every round
has four ways to make it better: A*, whose layers of f are the bound, and which comes to its end where the puzzle is
small enough; a beam, ever wider; windows of the plan; weighted A*, begun anew with a smaller weight (Richter, Thayer
and Ruml, The joy of forgetting: faster anytime search via restarting, 2010). None of them follows a path that cannot be
cheaper than the plan. No clock decides what is done, only when it ends: what is found is found in the same order in
every run.

What guides is an estimate that nobody has to believe; what cuts paths off or bounds is proven (`Heuristic.admissible`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from models.outcomes import DEAD_ENDS, Deadline, LimitReached, Limits, Outcome, Statistics, Unsupported
from models.resident import physical_memory_mb
from search.algorithms.alternating import alternating
from search.algorithms.preferring import preferring
from search.improving.standing import Standing
from search.improving.windows import Windows
from search.machine import Machine
from search.options import Options
from search.registry import ALGORITHMS, NO_OPTIONS, Attempt, attempt, pursue
from search.space import BLIND, INFINITY, Found, Heuristic, Progress, SearchSpace

if TYPE_CHECKING:
    from search.kernels.relaxed_plans import RelaxedPlans

FIRST = 20_000  # expansions of each search in the first round
MORE = 4
MOST_BY_TURNS = 400_000  # expansions of a search that stays in Python
GLANCE = 20  # times fewer has the very first search: what is found by then needs nothing else
SLOWER = 5  # is a search by relaxed plans
BY_TURNS = ("preferring", "eager", "lazy")
FASTER = 16  # is what kernels do
PATIENT = 2  # rounds without a plan before bounds are looked for
LAYERS = 100  # of a beam, about: its width is what the expansions give for so many
WEIGHTS = (5.0, 3.0, 2.0, 1.5, 1.2)  # of weighted A*, round by round; then there is A* alone
PART = 0.9  # of the memory that one search may have, so that the others still can begin
OURS = 0.5  # of the machine's memory, where there is no limit


class Led(NamedTuple):
    """What leads searches, the best first, and what bounds them and cuts paths off: proven, or blind."""

    guides: Sequence[Heuristic]
    proven: Heuristic


Way = Callable[[int], None]  # given expansions
Clock = Callable[[], Deadline]
Settle = Callable[[bool], Led]  # may CP-SAT be asked?


class Improving:
    """One anytime search; `standing` has what is known at any moment.

    `guides` lead to a first plan, `settle` then says what is proven. Ends where plan and bound meet, where no search
    can do more in the memory that there is, or by LimitReached.
    """

    def __init__(self, machine: Machine, guides: Sequence[Heuristic], settle: Settle, limits: Limits, clock: Clock,
                 standing: Standing, progress: Progress | None = None) -> None:  # fmt: skip
        self.machine, self.settle = machine, settle
        self.led = Led(guides, BLIND)
        self.asked: set[bool] = set()
        self.limits, self.clock, self.standing, self.progress = limits, clock, standing, progress
        self.statistics = Statistics()
        self.through: set[str] = set()  # ways that lead no farther

    @cached_property
    def windows(self) -> Windows:
        return Windows(self.machine, self.led.proven, self._limits)

    def run(self) -> None:
        self._find()
        self._improve()

    def _find(self) -> None:
        """A first plan, or that there is none. What proves heuristics can wait for that."""
        expansions = FIRST
        for number in count():
            ways: list[tuple[str, Way]] = [("eager", self._glance)] * (number == 0)
            if expansions <= MOST_BY_TURNS:
                ways += [("preferring", self._preferring), ("eager", self._eager), ("lazy", self._lazy)]
            ways += [("wastar", partial(self._weighted, 0)), ("greedy", self._greedy), ("beam", self._beam)]
            ways += [("astar", self._bounding)] * (number >= PATIENT)
            for name, way in ways:
                if name not in self.through:
                    way(expansions if name in BY_TURNS else expansions * FASTER)
                if self.standing.found is not None or self.standing.closed:
                    return
            if self.through >= {"wastar", "greedy", "beam", "astar"}:
                raise LimitReached(Outcome.MEMORY_LIMIT)
            expansions *= MORE

    def _improve(self) -> None:
        """Until plan and bound meet, or there is no more memory to do more in."""
        expansions = FIRST
        for number in count():
            self._look_at_claims(ask=number > 0)
            ways: dict[str, Way] = {"astar": self._bounding, "beam": self._beam, "windows": self._windows,
                    "wastar": partial(self._weighted, number)}  # fmt: skip
            for name, way in ways.items():
                if self.standing.closed:
                    return
                if name not in self.through:
                    way(expansions)
            if self.through >= ways.keys():
                return
            expansions *= MORE

    def _look_at_claims(self, ask: bool) -> None:
        """Learn what is proven of the heuristics, once for each way to ask."""
        if ask not in self.asked and not self.standing.closed:
            self.asked.add(ask)
            self.led = self.settle(ask)
            self.windows.lead(self.led.proven)

    # -- the searches --------------------------------------------------------------------------------------------------

    def _glance(self, expansions: int) -> None:
        self._eager(expansions // GLANCE)

    def _preferring(self, expansions: int) -> None:
        """All guides and relaxed plans, unless that is too much."""
        if (guide := self._relaxed) is None:
            self.through.add("preferring")
            return
        self._in_python("preferring", expansions // SLOWER,
                        lambda space: preferring(space, self.led.guides, guide))  # fmt: skip

    @cached_property
    def _relaxed(self) -> RelaxedPlans | None:
        from search.kernels.relaxed_plans import relaxed_plans

        return relaxed_plans(self.machine, lambda: self.clock().look())

    def _eager(self, expansions: int) -> None:
        self._by_turns("eager", expansions)

    def _lazy(self, expansions: int) -> None:
        self._by_turns("lazy", expansions)

    def _by_turns(self, name: str, expansions: int) -> None:
        """All guides, each with a queue of its own."""
        lazy = name == "lazy"
        self._in_python(name, expansions, lambda space: alternating(space, self.led.guides, lazy))

    def _in_python(self, name: str, expansions: int, run: Callable[[SearchSpace], Found | None]) -> None:
        space = SearchSpace(self.machine, self._limits(expansions), on_progress=partial(self._tell, name))
        space.weigh_costs(self.machine.exact_steps)
        self._learn(name, pursue(lambda space, options: run(space), space, Options()))

    def _greedy(self, expansions: int) -> None:
        self._learn("greedy", self._search("greedy", self.led.guides[0], expansions))

    def _bounding(self, expansions: int) -> None:
        """A* with what is proven: at its end the bound is the cost of the plan, or of its own."""
        self._look_at_claims(ask=False)
        tried = self._search("astar", self.led.proven, expansions)
        self._learn("astar", tried)
        if tried.stopped is None:
            self.through.add("astar")

    def _beam(self, expansions: int) -> None:
        width = max(1, expansions // LAYERS)
        tried = self._search("beam", self.led.guides[0], expansions * MORE, {"width": width})
        self._learn("beam", tried)
        if tried.stopped is None and tried.found is None and tried.space.statistics.max_frontier < width:
            self.through.add("beam")  # a wider one would do the same

    def _weighted(self, number: int, expansions: int) -> None:
        if number >= len(WEIGHTS):
            self.through.add("wastar")
        else:
            weight = {"weight": WEIGHTS[number]}
            self._learn("wastar", self._search("wastar", self.led.guides[0], expansions, weight))

    def _windows(self, expansions: int) -> None:
        """Windows that are settled stay so: without new ones there is no more to do, until there is another plan."""
        assert self.standing.found is not None
        spent = self.windows.spent
        for found in self.windows.improved(self.standing.found, self._allowed(expansions)):
            self._offer(found, "windows")
        if self.windows.spent == spent:
            self.through.add("windows")
        self.statistics.expanded += self.windows.spent - spent
        self._stop("windows", self.windows.stopped)

    # -- what they share -----------------------------------------------------------------------------------------------

    def _search(self, name: str, heuristic: Heuristic, expansions: int,
                options: Mapping[str, object] = NO_OPTIONS) -> Attempt:  # fmt: skip
        small = None if expansions <= FIRST else 0
        return attempt(name, self.machine, heuristic, self._limits(expansions), options, partial(self._tell, name),
                       below=self.standing.below, small=small)  # fmt: skip

    def _tell(self, name: str, statistics: Statistics, bound: int) -> None:
        self.standing.prove(bound, name)
        if self.progress is not None:
            self.progress(statistics, self.standing.bound)

    def _allowed(self, expansions: int) -> int:
        """So many, or as many as the limit leaves."""
        if self.limits.nodes is None:
            return expansions
        return max(0, min(expansions, self.limits.nodes - self.statistics.expanded))

    def _limits(self, expansions: int) -> Limits:
        """Of one search: its expansions, what is left of the time, and a part of the memory, as it is used now."""
        memory = physical_memory_mb() * OURS if self.limits.memory_mb is None else self.limits.memory_mb
        return replace(self.limits, nodes=self._allowed(expansions), time=self.clock().left, memory_mb=PART * memory,
                       memory_before=self.limits.memory_before or 0.0)  # fmt: skip

    def _learn(self, name: str, tried: Attempt) -> None:
        """What a search has found and proven, and whether it can do more."""
        self._count(tried.space.statistics)
        if tried.found is not None and self._offer(tried.found, name):
            self.through.discard("windows")
        through = tried.found is None and tried.stopped is None and tried.space.below == INFINITY
        if through and (name in BY_TURNS or ALGORITHMS[name].complete):
            self.standing.prove(INFINITY, name)
        self.standing.prove(tried.space.lower_bound, name)
        self._stop(name, tried.stopped)

    def _offer(self, found: Found, name: str) -> bool:
        """Is the plan better than what there was? Unsupported where its cost may be too large to be compared."""
        if (steps := self.machine.exact_steps) < len(found.operators):
            raise Unsupported(f"costs of more than {steps:,} steps may be too large to be compared")
        return self.standing.offer(found, name)

    def _count(self, its: Statistics) -> None:
        mine = self.statistics
        for name in ("expanded", "generated", "reopened", "evaluated"):
            setattr(mine, name, getattr(mine, name) + getattr(its, name))
        for name in ("max_frontier", "max_depth"):
            setattr(mine, name, max(getattr(mine, name), getattr(its, name)))
        mine.leave_out(its.extra.get(DEAD_ENDS, 0))

    def _stop(self, name: str, stopped: Outcome | None) -> None:
        """LimitReached where that has ended everything, not just a search."""
        if stopped is Outcome.MEMORY_LIMIT:
            self.through.add(name)
        elif stopped is Outcome.NODE_LIMIT:
            if self.limits.nodes is not None and self.statistics.expanded >= self.limits.nodes:
                raise LimitReached(stopped)
        elif stopped is not None:
            raise LimitReached(stopped)
