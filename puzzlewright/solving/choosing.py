"""`auto`: the search that suits a puzzle, by what its file declares and by what as much work of each has come to.

The first choice goes by the file. What has not ended after some states is held against others given as many: soon
against those that cost little to begin, breadth-first search and layers from both ends; after ten times as many states
against A* with tables, which have to be made. The one goes on that has proven a clearly greater cost, else the one that
did before: it has rested meanwhile, with all that it had come to. So each search is begun inside of those before it,
which rest; when all have been tried, those that are given up end from the inside out, until it is the turn of the one
that goes on. Work is counted, never timed, so that a level gets the same answer in every run; limits of the user end it
as ever.

Breadth-first search also goes on where it has proven less. Its states cost a fraction of those of A*, so it is held
against A* as it will be after four times as many, by the layers that the last three quarters of its states have added;
and where ever fewer of the states that it makes are new, it is soon through all of them.

A choice makes no verdict: each of these searches is right by itself, with an estimate that is proven consistent if any,
and what one of them has proven of all plans holds for the others.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from models.outcomes import Limits, Outcome, SearchResult, Unsupported
from puzzlewright.configuration import BLIND, DERIVED, derives
from puzzlewright.report import Report
from puzzlewright.solving.deriving import estimate_of
from puzzlewright.solving.request import Request
from puzzlewright.solving.searching import Searched, compiled, report_on, run_search, search
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from search.machine import Machine
    from search.space import SearchSpace

EARLY, PROBE = 50_000, 500_000  # states that a search expands before others are tried: without tables, with them
TIMES = 4  # states of a blind search for one of A*, and how many times as many a search has between two looks at it
FRESH = 0.85  # of the rate at which states were new, or less: blind search runs out of states
DEARER = 10.0  # times as many states, at least, that the first choice would need to be given up
FOR_TABLES = 0.5  # of the time that is left; `Workbench.derived` takes half of it at most
FEW_GOALS, WIDER = 10_000, 2  # states that a search backwards begins with; times as many edges as forwards
LINES = 1_200  # of machine code for successors, where tables are made, or predecessors
ROWS_FOR_TABLES, ROWS_FOR_TWO_WAYS = 200, 100  # of all actions, there
ROWS_FOR_TOKENS, LINES_OF_ROW = 1_000, 50  # of those that may apply, where tokens alone are looked for
WALK = 100  # steps in which one estimate is held against another
MEMORY = 0.75  # of what may be used, for a search that one in less memory may follow
INFORMED, BLIND_SEARCH, TWO_WAYS, FRUGAL = "astar", "bfs", "bidirectional", "idastar"
OTHER_BOUND = "another search has proven that every plan costs as much"
FEWER = "fewer and fewer of the states that breadth-first search makes are new"
CUT = (Outcome.NODE_LIMIT, Outcome.UNPROVEN)
LIMITS = (Outcome.NODE_LIMIT, Outcome.TIME_LIMIT, Outcome.MEMORY_LIMIT, Outcome.DISK_LIMIT)


class Choice(NamedTuple):
    """An algorithm, and its heuristic; None is the one that it takes by itself, or none."""

    algorithm: str
    heuristic: str | None = None

    @property
    def words(self) -> str:
        return f"{self.algorithm} with {self.heuristic}" if self.heuristic else self.algorithm


class Look(NamedTuple):
    """How far a search was when it rested."""

    expanded: int
    generated: int
    known: int  # different states; 0: it does not tell
    bound: int


class Attempt(NamedTuple):
    choice: Choice
    found: Searched
    cut: bool  # has it ended because it had no more than a probe's states?

    @property
    def bound(self) -> int:
        return self.found.result.lower_bound


def run_auto(bench: Workbench, request: Request) -> Report:
    """The report of the search that is chosen; of the first choice where a search is asked for that is not ours."""
    choice, why = first_choice(bench, request)
    if request.heuristics or request.search is not None:
        return run_search(bench, request, choice.algorithm, why)
    contest = Contest(bench, request, [why])
    answer = contest.answer(choice)
    return report_on(bench, request, answer.choice.algorithm, answer.found, contest.bound, contest.notes)


def first_choice(bench: Workbench, request: Request) -> tuple[Choice, str]:
    """The algorithm that suits what is declared, and why."""
    task = bench.task
    if request.heuristics:
        return Choice(INFORMED), "auto: A* with the heuristic that was asked for"
    if task.unit_cost and any(schema.choices for schema in task.schemas) and _has_way_back(bench, request):
        return Choice(TWO_WAYS), "auto: bidirectional, because moves are joint and the goal states are known"
    if (declared := bench.first_proven()) is not None:
        return Choice(INFORMED, declared.name), "auto: A*, because a heuristic is proven consistent"
    if task.unit_cost:
        return Choice(BLIND_SEARCH), "auto: breadth-first, because no heuristic is proven and every step costs 1"
    return Choice("ucs"), "auto: uniform cost, because no heuristic is proven"


def _has_way_back(bench: Workbench, request: Request) -> bool:
    """Can the goal states be listed, and their predecessors?"""
    machine = _unguided(bench, request)
    try:
        return bool(machine.goal_states() and machine.backward())
    except Unsupported:
        return False


def _unguided(bench: Workbench, request: Request) -> Machine:
    """The machine code that a search without a heuristic has."""
    return bench.machine(bench.usable_symmetry(None) if request.symmetry else None)


def suits_tables(bench: Workbench, request: Request) -> bool:
    """Can they be made in passing?"""
    return _is_short(bench, request, ROWS_FOR_TABLES)


def _is_short(bench: Workbench, request: Request, most_rows: int) -> bool:
    """Does it take a few seconds at most to work out what all actions may do?"""
    task = bench.task
    return not task.closures and len(task.rows) <= most_rows and _unguided(bench, request).lines <= LINES


@dataclass
class Contest:
    """The searches of one request, one after the other: what they have come to, and what is left of the limits."""

    bench: Workbench
    request: Request
    notes: list[str]
    bound: int = 0  # every plan costs at least that much
    spent: int = 0  # states expanded by searches that were cut
    early: bool = False  # searches have few states yet, and none has tables
    tried: list[Attempt] = field(default_factory=list)
    looks: dict[Choice, list[Look]] = field(default_factory=dict)
    waiting: list[Choice] = field(default_factory=list)  # that were not tried yet
    later: list[Choice] = field(default_factory=list)  # that are tried when one of those has had more states
    best: Choice | None = None  # of all that were tried: it goes on
    decided: bool = False  # it is the best of those too that were tried last
    ended: Attempt | None = None  # what the search has come to that had to be cut no more

    def answer(self, first: Choice) -> Attempt:
        """Of the first choice if that ends soon, else of a challenger that does, else of the one that is best."""
        challengers, self.later = self._without_tables(first), self._with_tables(first)
        self.waiting = [first, *challengers]
        self.early = bool(challengers)
        self._try_all()
        return self._proven(self._with_plan(self.ended or self._frugal(self._whole(self._chosen()))))

    def _without_tables(self, first: Choice) -> list[Choice]:
        suits = self.bench.task.unit_cost and first.algorithm != TWO_WAYS
        return [each for each in (Choice(BLIND_SEARCH), Choice(TWO_WAYS)) if suits and each != first]

    def _with_tables(self, first: Choice) -> list[Choice]:
        derived = f"{DERIVED}+{first.heuristic}" if first.heuristic else DERIVED
        return [Choice(INFORMED, derived)] * (first.algorithm != TWO_WAYS and derives(self.bench.puzzle, derived))

    def _try_all(self) -> None:
        """Those that wait, until one ends: each begins the next one where it would be cut."""
        while self.waiting and self.ended is None:
            self._probe(self.waiting.pop(0))

    def _rest(self, choice: Choice, space: SearchSpace) -> Limits | None:
        """What a search may do that has had some states, after all others have; None: it is given up."""
        counted = space.statistics
        self.looks.setdefault(choice, []).append(
            Look(counted.expanded, counted.generated, space.known(), space.lower_bound))  # fmt: skip
        if counted.expanded < self.budget:
            return self._allowed(choice, space.limits, self.budget)
        result = SearchResult(Outcome.NODE_LIMIT, None, None, space.lower_bound, copy(counted))
        first = max(0, space.heuristic.evaluate(space.machine.initial))
        self._taken(Attempt(choice, Searched(result, None, [], first=first), True))
        self._try_all()
        if self.ended is not None or self._chosen() != choice:
            return None
        self.spent -= counted.expanded
        limits = replace(space.limits, memory_mb=self._part_of_memory(choice))
        if not self.early:
            return replace(limits, nodes=self._left(), more=None)
        self.early, self.decided, self.waiting = False, False, self.later
        return self._allowed(choice, limits, max(counted.expanded + 1, self.budget // TIMES))

    def _allowed(self, choice: Choice, limits: Limits, states: int) -> Limits:
        """To rest after so many states, if there may be as many."""
        left = self._left()
        if left is not None and left <= states:
            return replace(limits, nodes=left, more=None)
        return replace(limits, nodes=states, more=partial(self._rest, choice))

    @property
    def budget(self) -> int:
        """States that a search has before others are tried."""
        return EARLY if self.early else PROBE

    def _chosen(self) -> Choice:
        if not self.decided or self.best is None:
            self.best, self.decided = self._best(), True
        return self.best

    def _probe(self, choice: Choice) -> None:
        """A search of so many states, unless there is none of this puzzle, or none that is worth trying."""
        if self.tried and not self._is_worth_trying(choice):
            return
        choice = self._lighter(choice) if self.tried and choice.heuristic else choice
        limits = self._allowed(choice, self.request.limits, self.budget // TIMES)
        found = self._search(choice, limits, bool(self.tried))
        if self.ended is not None or any(each.choice == choice for each in self.tried):
            self._has_rested(choice, found)
            return
        counted, left = found.result.statistics.expanded, self._left()
        cut = found.result.outcome in CUT and counted >= self.budget // TIMES and (left is None or counted < left)
        attempt = self._taken(Attempt(choice, found, cut))
        if not cut:
            self._tell_end(attempt)
            self.ended = attempt

    def _is_worth_trying(self, choice: Choice) -> bool:
        if choice.algorithm == BLIND_SEARCH:
            return self._is_soon_compiled()
        if choice.algorithm == TWO_WAYS:
            return self._comes_farther_two_ways() and self._is_as_easy_backwards()
        if self._runs_out_of_states():
            self.notes.append(f"auto: no tables, because {FEWER}")
            return False
        return self._has_tables()

    def _has_rested(self, choice: Choice, found: Searched) -> None:
        """It ends after it has rested: if it was not given up for another one, this is what all have come to."""
        if self.ended is None and (self.best == choice or found.result.outcome not in CUT):
            attempt = self._taken(Attempt(choice, found, False))
            self.ended = self._frugal(attempt) if self.best == choice else attempt
        self._note(Attempt(choice, found, True))

    def _has_tables(self) -> bool:
        """Can they be made in passing, and do they say more of the start? If not, it is said why."""
        short = suits_tables(self.bench, self.request)
        if not short and not self._has_short_rows():
            self.notes.append("auto: no tables, because the rules are too long to make them in passing")
            return False
        with self.bench.within(self.bench.deadline.share(FOR_TABLES)):
            tables = self.bench.derived(self.request, not short)
        if tables.found is None:
            self.notes.append(f"auto: no tables, because {tables.why}")
            return False
        machine, known = self.bench.machine(), self.tried[0].found.first
        more = estimate_of(machine, tables.found).evaluate(machine.initial) > known
        self.notes += ["auto: no search with tables, because they say no more of the start than is known"] * (not more)
        return more

    def _lighter(self, choice: Choice) -> Choice:
        """Tables alone, if the heuristic beside them says no more anywhere on a walk: to work it out takes time."""
        declared = self.bench.declared(choice.heuristic or BLIND)
        if declared is None or not derives(self.bench.puzzle, DERIVED):  # or they have no name of their own
            return choice
        tables = self.bench.derived(self.request)
        if tables.found is None:
            return choice
        machine = self.bench.machine()
        estimate, other = estimate_of(machine, tables.found).evaluate, compiled(machine, declared, True).evaluate
        if any(other(state) > estimate(state) for state in walk(machine)):
            return choice
        self.notes.append(f"auto: tables alone, because {declared.name} says no more on a walk of {WALK} steps")
        return Choice(choice.algorithm, DERIVED)

    def _has_short_rows(self) -> bool:
        """Are actions many, but each so short that it is soon seen whether they move tokens?"""
        machine = _unguided(self.bench, self.request)
        rows = len(machine.program.plans)
        return not self.bench.task.closures and rows <= ROWS_FOR_TOKENS and machine.lines <= LINES_OF_ROW * rows

    def _is_as_easy_backwards(self) -> bool:
        """Has a state about as many predecessors as successors, and are there few goal states?"""
        if not _is_short(self.bench, self.request, ROWS_FOR_TWO_WAYS):
            return False
        machine = _unguided(self.bench, self.request)
        try:
            few = len(machine.goal_states()) <= FEW_GOALS
            return few and machine.backward().branching <= WIDER * machine.branching
        except Unsupported:
            return False

    def _is_soon_compiled(self) -> bool:
        """Has breadth-first search the machine code that there is, or one that does not take long?"""
        return not self.bench.task.symmetries or _unguided(self.bench, self.request).lines <= LINES

    def _comes_farther_two_ways(self) -> bool:
        """From both ends layers come twice as far: is that more than any search has proven?"""
        blind = self._attempt(Choice(BLIND_SEARCH))
        return blind is not None and 2 * (blind.bound - 1) > max(each.bound for each in self.tried)

    def _runs_out_of_states(self) -> bool:
        """Are ever fewer of the states new that breadth-first search makes?"""
        told = [look for look in self.looks.get(Choice(BLIND_SEARCH), []) if look.known]
        looks = [Look(0, 0, 0, 0), *told]
        rates = [(after.known - before.known) / max(1, after.generated - before.generated)
                 for before, after in pairwise(looks)]  # fmt: skip
        return len(rates) > 1 and rates[-1] <= FRESH * rates[-2]

    def _search(self, choice: Choice, limits: Limits, outgrown: bool = False) -> Searched:
        """`outgrown`: it is no small puzzle, so that a search that needs no tables begins in machine code."""
        from search import native, registry

        request = replace(self.request, limits=limits)
        if outgrown and choice.heuristic is None and native.at_hand():
            request = replace(request, search=partial(registry.search_with, small=0))
        return search(self.bench, request, *choice)

    def _attempt(self, choice: Choice) -> Attempt | None:
        return next((each for each in self.tried if each.choice == choice), None)

    def _taken(self, attempt: Attempt) -> Attempt:
        self.bound = max(self.bound, attempt.bound)
        if attempt.cut:
            self.spent += attempt.found.result.statistics.expanded
            self._note(attempt)
        return attempt

    def _note(self, attempt: Attempt) -> None:
        """What a search has come to that was cut: in the place of what it had come to before."""
        before = self._attempt(attempt.choice)
        if before is None:
            self.tried.append(attempt)
        else:
            self.tried[self.tried.index(before)] = attempt

    def _left(self) -> int | None:
        """How many states may be expanded yet."""
        nodes = self.request.limits.nodes
        return None if nodes is None else nodes - self.spent

    def _tell_end(self, attempt: Attempt) -> None:
        if self.tried:
            self.notes.append(f"auto: {attempt.choice.words}, because {self._told(self._held())}")

    def _told(self, attempt: Attempt) -> str:
        least = self.bench.scale.leading(attempt.bound)
        return f"{attempt.choice.words} has proven a cost of at least {least} after {states_of(attempt):,} states"

    def _held(self) -> Attempt:
        """The search that goes on unless another one is better: the best of those before, else the first choice."""
        return (self.best and self._attempt(self.best)) or self.tried[0]

    def _best(self) -> Choice:
        """Another one where it has proven so much more that the search before would need far more states."""
        held = self._held()
        best = max(self.tried, key=lambda attempt: attempt.bound)
        if self._is_dearer(held, best.bound):
            states, least = states_of(best), self.bench.scale.leading(best.bound)
            self.notes.append(f"auto: {best.choice.words}, because after {states:,} states it has proven a cost of at "
                              f"least {least}, and {self._told(held)}")  # fmt: skip
            return best.choice
        blind = Choice(BLIND_SEARCH)
        if self.early and held.choice != blind and self._attempt(blind) and (why := self._hope(held)):
            self.notes.append(f"auto: {blind.words}, because {why}")
            return blind
        if not self.early:
            self.notes.append(f"auto: {held.choice.words} goes on, because no other search has proven much more")
        return held.choice

    def _is_dearer(self, held: Attempt, bound: int) -> bool:
        """Would a search need far more states to prove that much?"""
        return bound > held.bound and growth(held.found) ** (bound - held.bound) >= DEARER

    def _hope(self, held: Attempt) -> str:
        """Why breadth-first search will soon have come to more, if that can be told."""
        if self._runs_out_of_states():
            return FEWER
        looks = self.looks.get(Choice(BLIND_SEARCH), [])
        bound = 2 * looks[-1].bound - looks[-2].bound if len(looks) > 1 else 0
        if not self._is_dearer(held, bound):
            return ""
        return f"at this rate it comes to a cost of {bound} in {TIMES} times as many states, and {self._told(held)}"

    def _whole(self, choice: Choice) -> Attempt:
        """Of a search that could not rest: from its beginning, without a limit of its own."""
        limits = replace(self.request.limits, nodes=self._left(), memory_mb=self._part_of_memory(choice))
        return self._taken(Attempt(choice, self._search(choice, limits), False))

    def _part_of_memory(self, choice: Choice) -> float | None:
        """Some memory is left for another search that may follow."""
        memory = self.request.limits.memory_mb
        return MEMORY * memory if memory is not None and self._guide(choice) else memory

    def _guide(self, choice: Choice) -> str | None:
        """A proven heuristic that is at hand."""
        known = (choice, *(attempt.choice for attempt in reversed(self.tried)))
        return next((each.heuristic for each in known if each.heuristic), None)

    def _frugal(self, attempt: Attempt) -> Attempt:
        """IDA*, where the memory was not enough and there is an estimate."""
        guide = self._guide(attempt.choice)
        if attempt.found.result.outcome is not Outcome.MEMORY_LIMIT or guide is None:
            return attempt
        self.spent += attempt.found.result.statistics.expanded
        self.notes.append(f"auto: IDA* with {guide}, because the memory was not enough for {attempt.choice.words}")
        found = self._search(Choice(FRUGAL, guide), replace(self.request.limits, nodes=self._left()))
        return self._taken(Attempt(Choice(FRUGAL, guide), found, False))

    def _with_plan(self, attempt: Attempt) -> Attempt:
        """Where a limit or Ctrl-C has struck: the best plan that any search had in hand, though not proven best."""
        ended = attempt.found.result
        plans = [each for each in (attempt, *self.tried) if each.found.result.operators is not None]
        held = min(plans, key=lambda each: each.found.result.cost or 0, default=attempt)
        if ended.outcome is Outcome.INTERRUPTED and ended.operators is None:
            return held._replace(found=held.found._replace(result=replace(held.found.result, outcome=ended.outcome)))
        return held if ended.outcome in (*LIMITS, Outcome.UNPROVEN) else attempt

    def _proven(self, attempt: Attempt) -> Attempt:
        """A plan that its search has not proven best is best if any search has proven that every plan costs as much."""
        result = attempt.found.result
        if result.outcome is not Outcome.UNPROVEN or result.operators is None or result.cost != self.bound:
            return attempt
        self.notes.append(f"auto: the plan of {attempt.choice.words} is best, because {OTHER_BOUND}")
        return attempt._replace(found=attempt.found._replace(result=replace(result, outcome=Outcome.OPTIMAL)))


def walk(machine: Machine) -> Iterator[int]:
    """States that random steps come to, the same ones each time."""
    rng, state = random.Random(0), machine.initial
    for _ in range(WALK):
        yield state
        after = machine.successors(state)
        state = rng.choice(after)[1] if after else machine.initial


def states_of(attempt: Attempt) -> int:
    return attempt.found.result.statistics.expanded


def growth(found: Searched) -> float:
    """How many times more states the search has expanded, or made, for each unit of cost, on average."""
    result = found.result
    counted = result.statistics
    proven = max(1, result.lower_bound - found.first)
    return max(1.0, min(counted.generated / counted.expanded, math.pow(counted.expanded, 1 / proven)))
