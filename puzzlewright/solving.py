"""One puzzle, one backend: load, prove what has to be known, search or encode, let the referee judge."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from itertools import islice
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, cast

from models.decoding import plan_of
from models.metrics import apart, combined
from models.outcomes import (
    ENDLESS,
    Deadline,
    LimitReached,
    Limits,
    Operator,
    Outcome,
    SearchResult,
    Statistics,
    Unsupported,
    outcome_of,
)
from models.puzzle import Puzzle
from models.referee import replay
from models.task import Heuristic as Declared
from models.task import Invariant, Task
from models.terms import value_in
from puzzlewright.configuration import (
    BACKENDS,
    BLIND,
    check_choice,
    check_names,
    check_options,
    checked,
    checked_seed,
    names,
)
from puzzlewright.disagreement import contradiction, disagreement
from puzzlewright.disk_cache import ground_puzzle
from puzzlewright.report import Report, with_plan
from search.verdicts import DEAD, Claim, Memory, Verdict, Verdicts, about, said

if TYPE_CHECKING:
    from encoders.claims import Prover
    from search.machine import Machine

Progress = Callable[[str], None]
Watch = Callable[[int, int], None]  # of the states expanded and the lower bound, in the first metric
P = ParamSpec("P")
INFORMED_DEFAULT = "astar"
CLAIM_SECONDS = 10.0
ASKED_SECONDS = 10.0  # of CP-SAT, on a heuristic that the quick prover leaves open
_GENETIC = ("genetic",)
USERS = {  # option of `search.options.Options`: the algorithms that use it
    "weight": ("wastar",),
    "width": ("beam",),
    "transpositions": ("ids", "idastar", "rbfs"),
    "population": _GENETIC,
    "generations": _GENETIC,
    "length": _GENETIC,
    "mutation_rate": _GENETIC,
    "selection": _GENETIC,
}
_GIVEN_UP = (Outcome.NODE_LIMIT, Outcome.TIME_LIMIT, Outcome.MEMORY_LIMIT, Outcome.NOT_FOUND)


@dataclass(frozen=True)
class Request:
    """What the user asked for besides the puzzle; ConfigurationError where that is nothing that there is."""

    backend: str = "auto"
    heuristics: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    invariants: bool = True  # may a proven invariant answer without search?
    symmetry: bool = True  # may states that differ in interchangeable objects count as one?
    seed: int = 0
    options: dict[str, Any] = field(default_factory=dict)  # of `search.options.Options`
    progress: Progress | None = None
    milestone: Progress | None = None  # is shown whenever it comes
    load_seconds: float = 0.0
    search: Callable[..., SearchResult] | None = None  # in place of `search.registry.search_with`, called alike
    watch: Watch | None = None  # is told how far the work has come, in numbers

    def __post_init__(self) -> None:
        """What can be said without the puzzle. One text holds names as on the command line."""
        check_choice("backend", self.backend, BACKENDS)
        check_options(self.options)
        made = {"heuristics": names("heuristic", self.heuristics), "metrics": names("metric", self.metrics),
                "limits": checked(self.limits), "seed": checked_seed(self.seed)}  # fmt: skip
        for name, value in made.items():
            object.__setattr__(self, name, value)

    def check(self, puzzle: Puzzle) -> None:
        """ConfigurationError where the puzzle does not declare what is asked for."""
        check_names(puzzle, self.heuristics, self.metrics)


class Workbench:
    """A puzzle with all that is worked out about it once and used by several steps.

    Grounding, proofs and what else takes long raise LimitReached at the deadline.
    """

    at_start = "at the start"  # how texts call the state that everything begins in

    def __init__(
        self, puzzle: Puzzle, metrics: Sequence[str] = (), deadline: Deadline = ENDLESS, memory: bool = True
    ) -> None:
        """Without `memory` everything is proven here; with it, what is on disk is believed."""
        self.puzzle, self.deadline = puzzle, deadline
        self.task: Task = ground_puzzle(puzzle, metrics, deadline)
        self.memory = Memory(self.task.fingerprint if memory else "")
        self.verdicts: dict[str, str] = {}
        self._machines: dict[tuple[bool, bool], Machine] = {}

    def keeping_all(self) -> Workbench:
        """One whose task has the variables that play no part too; it remembers nothing, since that is another task."""
        from models.grounding import ground

        bench = Workbench(replace(self.puzzle, fingerprint=""), self.metrics, self.deadline)
        bench.task = ground(bench.puzzle, self.metrics, self.deadline, keeping_all=True)
        return bench

    @contextmanager
    def within(self, seconds: float | None) -> Iterator[None]:
        """Work that has at most so many seconds of the time that is left."""
        whole, self.deadline = self.deadline, self.deadline.within(seconds)
        try:
            yield
        finally:
            self.deadline = whole

    @property
    def metrics(self) -> tuple[str, ...]:
        """The costs that are minimised, the most important first."""
        return self.task.metrics

    def costs(self, named: Mapping[str, int]) -> tuple[int, ...]:
        """The costs in these metrics."""
        return tuple(named[metric] for metric in self.metrics)

    def combined(self, named: Mapping[str, int]) -> int:
        """The task's one cost of a plan whose named costs these are."""
        return combined(self.task.weights, self.costs(named))

    def apart(self, number: int) -> tuple[int, ...]:
        """The costs in these metrics that the task's one cost stands for."""
        return apart(self.task.weights, number)

    def leading(self, bound: int) -> int:
        """What a bound on the task's one cost says of the first metric."""
        return bound // self.task.weights[0] if bound else 0

    @cached_property
    def knowledge(self) -> Any:
        from search.proofs.knowledge import SHARE, WHOLE, Prover, prove_invariants

        prover = Prover(self.task, lambda: self.deadline, self.memory)
        verdicts = prove_invariants(self.task, prover, WHOLE if self._apart else SHARE)
        self.deadline.look()
        return prover, verdicts

    @property
    def invariants(self) -> Verdicts:
        """Path one's verdicts; where all are remembered, no prover is loaded."""
        remembered = self.memory.invariants(self.task)
        verdicts: Verdicts = self.knowledge[1] if remembered is None else remembered
        return verdicts

    def _proven(self, verdicts: Mapping[str, Verdict]) -> list[Invariant]:
        return [invariant for invariant in self.task.invariants if verdicts[invariant.name].proven]

    def _given(self, proven: Sequence[Invariant]) -> tuple[str, ...]:
        """The facts that these invariants are, as verdicts name them."""
        return tuple(said(invariant, self.task.start) for invariant in proven)

    def _facts(self) -> Sequence[Any]:
        """Conditions that are proven to hold in every reachable state."""
        facts: Sequence[Any] = self.knowledge[0].proof.facts
        return facts

    def separating(self) -> str | None:
        """The name of a proven invariant that tells the start from every goal state, if there is one."""
        if self.solved or not self._apart:
            return None
        verdicts = self.invariants
        for name, verdict in verdicts.items():
            self.verdicts[f"invariant {name}"] = _words(verdict)
        return next((name for name in self._apart if verdicts[name].proven), None)

    @property
    def solved(self) -> bool:
        """Is the start a goal? Then there is nothing to prove."""
        return bool(value_in(self.task.goal, self.task.start))

    @cached_property
    def _apart(self) -> list[str]:
        """The invariants that, once proven, show the task to be unsolvable."""
        return [invariant.name for invariant in self.task.invariants if self._is_apart(invariant)]

    def _is_apart(self, invariant: Invariant) -> bool:
        """Has no goal state the invariant's value at the start? Remembered, since finding out loads numpy."""
        claim = Claim("search", "separates", said(invariant, self.task.start))
        found = self.memory.find(claim)
        if found is None:
            from search.proofs.knowledge import separates

            apart = separates(self.task, invariant)
            verdict = Verdict("proven", "no goal has it", 0) if apart else Verdict("unknown", "a goal may have it", 0)
            found = self.memory.keep(claim, verdict)
        return found.proven

    def proven(self, declared: Declared, ask: bool | None = None) -> bool:
        """Is the heuristic proven consistent (hence admissible)? By default CP-SAT is asked where it is claimed."""
        if self.solved:
            return False
        known = self._proven(self.invariants)
        verdict = self.memory.find(about("search", declared, self.task.start, self._given(known)))
        if verdict is None:
            verdict = self.knowledge[0].heuristic(declared)
            self.deadline.look()
        if not verdict.proven and (declared.claim if ask is None else ask):
            verdict = self._by_others(declared, verdict)
        self.verdicts[f"heuristic {declared.name}"] = _words(verdict)
        return verdict.proven

    def _by_others(self, declared: Declared, verdict: Verdict) -> Verdict:
        """What a walk has once told about a heuristic that the quick prover left open, or else what CP-SAT tells."""
        walked = self.memory.find(self.walked(declared))
        if walked is not None and walked.status != "unknown":
            return walked
        left = self.deadline.within(ASKED_SECONDS).left
        if not left:
            return verdict
        found = self.by_cpsat(declared, left, self._proven(self.invariants))
        return replace(found, reason=f"{found.reason}; proven by CP-SAT") if found.proven else verdict

    def walked(self, declared: Declared | Invariant) -> Claim:
        """What a walk tells of a claim is about its start alone."""
        return replace(about("walk", declared, self.task.start), start=self.task.start)

    # -- dead states ---------------------------------------------------------------------------------------------------

    def loses_dead(self) -> bool:
        """Is it proven by path one that no goal can be reached from dead states?"""
        if self.task.dead is None or self.solved:
            return False
        verdict = self.memory.find(Claim("search", DEAD, DEAD, self._given(self._proven(self.invariants))))
        if verdict is None:
            verdict = self.knowledge[0].dead()
            self.deadline.look()
        self.verdicts[DEAD] = _words(verdict)
        return verdict.proven

    @cached_property
    def _dead_fits(self) -> bool:
        """Can its numbers be compiled and encoded? Then what is left out is no reason to be `unsupported`."""
        from search.compiler.tables import fits

        return self.task.dead is not None and fits(self.task.dead)

    @property
    def starts_dead(self) -> bool:
        return self.task.dead is not None and bool(value_in(self.task.dead, self.task.start))

    def dead_by_cpsat(self, seconds: float, proven: Sequence[Invariant]) -> Verdict:
        """CP-SAT's opinion on `dead`, given invariants that are proven for this start."""
        from puzzlewright.opinions import told_of_dead

        claim = Claim("cpsat", DEAD, DEAD, self._given(proven))
        return self.opinion(claim, seconds, lambda: told_of_dead(self._cpsat_prover(seconds, proven)))

    def task_for_cpsat(self, known: Mapping[str, Sequence[str]], seconds: float) -> Task:
        """Without the dead states, where CP-SAT has proven that no goal can be reached from them."""
        proven = [invariant for invariant in self.task.invariants if invariant.name in known["invariants"]]
        if self.task.dead is None or self.solved or self.starts_dead or self.deadline.left == 0 or not self._dead_fits:
            return self.task
        return self.task.without_dead() if self.dead_by_cpsat(seconds, proven).proven else self.task

    def by_cpsat(self, declared: Declared | Invariant, seconds: float, proven: Sequence[Invariant]) -> Verdict:
        """CP-SAT's opinion on a heuristic or an invariant, given invariants that are proven for this start."""
        from puzzlewright.opinions import ask_cpsat

        claim = about("cpsat", declared, self.task.start, self._given(proven))
        return self.opinion(claim, seconds, lambda: ask_cpsat(self._cpsat_prover(seconds, proven), declared))

    def _cpsat_prover(self, seconds: float, proven: Sequence[Invariant]) -> Prover:
        """CP-SAT on claims about this task, given these invariants."""
        from encoders.claims import Prover
        from encoders.regression import fact

        facts = [fact(invariant, self.task.start) for invariant in proven]
        return Prover(self.task, facts, seconds, self.deadline.stop)

    def known_to_cpsat(self, seconds: float) -> dict[str, list[str]]:
        """What CP-SAT can prove alone and use in its formulas: the names of invariants, and of one heuristic.

        `seconds` for each; those are proven in file order, each given the ones before.
        """
        from encoders.implied import worth_proving
        from encoders.outline import unreduced

        known: list[Invariant] = []

        def proves(declared: Declared | Invariant) -> bool:
            return not self.solved and self.deadline.left != 0 and self.by_cpsat(declared, seconds, known).proven

        invariants, heuristics = worth_proving(unreduced(self.task))
        for invariant in invariants:
            if proves(invariant):
                known.append(invariant)
        used = list(islice((h.name for h in heuristics if proves(h)), 1))
        return {"invariants": [invariant.name for invariant in known], "heuristics": used}

    def opinion(self, claim: Claim, seconds: float, ask: Callable[[], Verdict]) -> Verdict:
        """A remembered verdict, else what is answered; asked again where there was less time than now."""
        found = self.memory.find(claim)
        if found is None or (found.status == "unknown" and found.state is None and found.seconds < 0.9 * seconds):
            found = self.memory.keep(claim, ask())
        return found

    def declared(self, name: str) -> Declared | None:
        """A heuristic by name, None for `blind`; ConfigurationError where there is none of that name."""
        if name == BLIND:
            return None
        found = next((h for h in self.task.heuristics if h.name == name), None)
        if found is None and any(name == each.name for each in self.puzzle.heuristics):
            raise Unsupported(f"the heuristic {name} reads a variable that no condition, goal or cost depends on")
        check_names(self.puzzle, (name,), ())
        return found

    def first_proven(self) -> Declared | None:
        """The first heuristic of the file that is proven; None if none is."""
        return next((declared for declared in self.task.heuristics if self.proven(declared)), None)

    @cached_property
    def unit_cost(self) -> bool:
        return all(row.cost.values == (1,) for schema in self.task.schemas for row in schema.rows)

    @cached_property
    def symmetry(self) -> Any:
        """Which objects are proven interchangeable; None where none are said to be."""
        if not self.task.symmetries:
            return None
        from search.proofs.symmetry import find_symmetry

        return find_symmetry(self.task)

    def usable_symmetry(self, declared: Declared | None) -> Any:
        """The symmetry, if the heuristic has one value for all states that are one under it; else None."""
        found = self.symmetry
        if not found:
            return None
        from search.proofs.symmetry import respects

        return found if (declared is None or respects(self.task, found, declared.term)) else None

    def machine(self, symmetry: Any = None, alive: bool = False) -> Machine:
        """The compiled task, over states as they are or over canonical ones; with `alive` without its dead states."""
        from search.machine import Machine

        kind = symmetry is not None, alive
        if kind not in self._machines:
            task = self.task.without_dead() if alive else self.task
            self._machines[kind] = Machine(task, symmetry=symmetry, facts=self._facts)
        return self._machines[kind]

    def leaves_dead_out(self, symmetry: Any) -> bool:
        """May a search leave dead states out? With symmetry only if a state is dead where its images are."""
        if self.task.dead is None or self.starts_dead or not self._dead_fits or not self.loses_dead():
            return False
        if symmetry is None:
            return True
        from search.proofs.symmetry import respects

        return respects(self.task, symmetry, self.task.dead)


def _words(verdict: Any) -> str:
    return f"{verdict.status}: {verdict.reason}"


Command = Callable[Concatenate[Puzzle, Request, P], Report]


def stoppable(name: str) -> Callable[[Command[P]], Command[P]]:
    """For a command that shall report where a limit or Ctrl-C ends it while no search is at work."""

    def decorate(work: Command[P]) -> Command[P]:
        @wraps(work)
        def run(puzzle: Puzzle, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> Report:
            started = time.perf_counter()
            request.check(puzzle)
            try:
                return work(puzzle, request, *args, **kwargs)
            except (LimitReached, KeyboardInterrupt) as reason:
                metric = ",".join(request.metrics or puzzle.metrics[:1])
                seconds = resources(request, started, time.perf_counter())
                return Report(name, outcome_of(reason), puzzle.name, puzzle.level, metric=metric, lower_bound=0,
                              statistics=seconds, seed=request.seed, diagnostics=puzzle.warnings)  # fmt: skip

        return run

    return decorate


@stoppable("solve")
def solve(puzzle: Puzzle, request: Request, bench: Workbench | None = None) -> Report:
    """Run the backend that was asked for. Limits and what a backend cannot do are outcomes, not exceptions."""
    started = time.perf_counter()
    bench = bench or Workbench(puzzle, request.metrics, request.limits.deadline())
    grounded = time.perf_counter()
    with bench.within(request.limits.time):
        report = _run(bench, request)
    seconds = resources(request, started, grounded)
    return replace(
        report,
        verdicts=dict(bench.verdicts),
        statistics={**report.statistics, **seconds},
        seed=request.seed,
        diagnostics=puzzle.warnings,
    )


def resources(request: Request, started: float, grounded: float) -> dict[str, float]:
    """What the work has taken that began, and was grounded, at these times of `time.perf_counter`."""
    from search.space import peak_memory_mb

    ended = time.perf_counter()
    return {
        "load_seconds": round(request.load_seconds + grounded - started, 4),
        "search_seconds": round(ended - grounded, 4),
        "total_seconds": round(request.load_seconds + ended - started, 4),
        "peak_memory_mb": round(peak_memory_mb(), 1),
    }


def _run(bench: Workbench, request: Request) -> Report:
    try:
        if request.invariants and (name := bench.separating()) is not None:
            note = f"the invariant {name} has another value in every goal state than {bench.at_start}"
            return _report(bench, request, Outcome.UNSOLVABLE, proven_by=("invariant",), notes=(note,))
        if request.invariants and bench.starts_dead and bench.loses_dead():
            note = f"`dead` holds {bench.at_start}"
            return _report(bench, request, Outcome.UNSOLVABLE, proven_by=(DEAD,), notes=(note,))
        if request.backend == "cpsat":
            return run_cpsat(bench, request)
        return run_search(bench, request)
    except Unsupported as reason:
        return _report(bench, request, Outcome.UNSUPPORTED, notes=(str(reason),))


def _report(bench: Workbench, request: Request, outcome: Outcome, **fields: Any) -> Report:
    puzzle = bench.puzzle
    fields.setdefault("backend", request.backend)
    if outcome is Outcome.UNSOLVABLE:
        fields["lower_bound"] = None  # there is no plan that it could be a bound on
    return Report("solve", outcome, puzzle.name, puzzle.level, metric=bench.task.metric, **fields)


# -- path one ----------------------------------------------------------------------------------------------------------


def run_search(bench: Workbench, request: Request) -> Report:
    """One of the classic searches; several heuristics are tried in turn under the limits."""
    from search.registry import ALGORITHMS

    name, why = request.backend, tuple[str, ...]()
    if name == "auto":
        name, why = _automatic(bench, request)
    chosen = request.heuristics if ALGORITHMS[name].informed else ()
    names = chosen or (None,)
    notes = list(why)
    if request.heuristics and not ALGORITHMS[name].informed:
        notes.append(f"{name} uses no heuristic")
    notes += [f"{name} does not use --{each.replace('_', '-')}" for each in request.options if name not in USERS[each]]
    bound = 0
    for number, heuristic in enumerate(names):
        with bench.within(bench.deadline.share(1 / (len(names) - number))):
            result, used, remarks = _search(bench, request, name, heuristic)
        bound = max(bound, result.lower_bound)
        if result.operators is not None or result.outcome not in _GIVEN_UP or heuristic == names[-1]:
            break
        notes.append(f"{used}: gave up ({result.outcome})")
    notes += remarks
    shown = used if ALGORITHMS[name].informed else None
    proven = ("search",) if result.outcome in (Outcome.OPTIMAL, Outcome.UNSOLVABLE) else ()
    return judged(bench, request, result.operators, outcome=result.outcome, backend=name, heuristic=shown,
                  proven_by=proven, notes=tuple(notes), lower_bound=bench.leading(bound),
                  statistics=_statistics(result), found_cost=result.cost, doubt=result.contradiction)  # fmt: skip


def _symmetry_notes(bench: Workbench, used: Any, machine: Machine, heuristic: str) -> list[str]:
    """What became of the declared symmetry; `check --prove` tells more."""
    from search.proofs.symmetry import uses

    found = bench.symmetry
    if found is None:
        return []
    if not found.types:
        return list(found.notes)
    if used is None:
        return [f"symmetry is not used: {heuristic} may tell its states apart"]
    return uses(machine.steps, machine.unused)


def _automatic(bench: Workbench, request: Request) -> tuple[str, tuple[str, ...]]:
    if request.heuristics:
        return INFORMED_DEFAULT, ("auto: A* with the heuristic that was asked for",)
    if bench.unit_cost and any(schema.choices for schema in bench.task.schemas) and _has_way_back(bench, request):
        return "bidirectional", ("auto: bidirectional, because moves are joint and the goal states are known",)
    if bench.first_proven() is not None:
        return INFORMED_DEFAULT, ("auto: A*, because a heuristic is proven consistent",)
    if bench.unit_cost:
        return "bfs", ("auto: breadth-first, because no heuristic is proven and every step costs 1",)
    return "ucs", ("auto: uniform cost, because no heuristic is proven",)


def _has_way_back(bench: Workbench, request: Request) -> bool:
    """Can the goal states be listed, and their predecessors?"""
    machine = bench.machine(bench.usable_symmetry(None) if request.symmetry else None)
    try:
        return bool(machine.goal_states() and machine.backward())
    except Unsupported:
        return False


def _search(
    bench: Workbench, request: Request, name: str, heuristic: str | None
) -> tuple[SearchResult, str | None, list[str]]:
    """As `_searched`; also where a limit or Ctrl-C comes before the search."""
    try:
        return _searched(bench, request, name, heuristic)
    except (LimitReached, KeyboardInterrupt) as reason:
        return SearchResult(outcome_of(reason), None, None, 0, Statistics()), heuristic, []


def _searched(
    bench: Workbench, request: Request, name: str, heuristic: str | None
) -> tuple[SearchResult, str, list[str]]:
    """(what the search answers, its operators spelt out; the heuristic's name; remarks)."""
    from search.options import Options
    from search.registry import ALGORITHMS, search_with
    from search.space import BLIND as NO_ESTIMATE
    from search.space import Heuristic

    algorithm = ALGORITHMS[name]
    declared = None
    if algorithm.informed:
        declared = bench.declared(heuristic) if heuristic else default_heuristic(bench, algorithm.optimal)
    options = Options(seed=request.seed, **request.options)
    symmetry = bench.usable_symmetry(declared) if request.symmetry else None
    alive = request.invariants and bench.leaves_dead_out(symmetry)
    machine = bench.machine(symmetry, alive)
    used = NO_ESTIMATE
    if declared is not None:
        proven = bench.proven(declared, ask=algorithm.optimal)
        used = Heuristic(declared.name, machine.evaluate(declared.term, 0), proven, proven,
                         machine.estimate(declared.term))  # fmt: skip

    def tell(statistics: Any, bound: int) -> None:
        if request.watch is not None:
            request.watch(statistics.expanded, bench.leading(bound))
        if request.progress is not None:
            known = f"every plan costs at least {bench.leading(bound)}"
            request.progress(f"{name}: {statistics.expanded:,} expanded, {known}")

    limits = replace(request.limits, time=bench.deadline.left)
    result = (request.search or search_with)(name, machine, used, limits, options, tell)
    if result.operators is not None:
        result = replace(result, operators=machine.spelt(cast(Any, result.operators)))
    remarks = _symmetry_notes(bench, symmetry, machine, used.name) if request.symmetry else []
    if alive:
        remarks.append("dead states are left out: it is proven that no goal can be reached from them")
    return result, used.name, remarks


def default_heuristic(bench: Workbench, optimal: bool) -> Declared | None:
    """The first proven heuristic; a search that promises nothing is also served by an unproven one."""
    found = bench.first_proven()
    if found is None and bench.task.heuristics and not optimal:
        return bench.task.heuristics[0]
    return found


def _statistics(result: SearchResult) -> dict[str, Any]:
    counted = dict(result.statistics.__dict__)
    return {**{k: v for k, v in counted.items() if k != "extra"}, **result.statistics.extra}


# -- path two ----------------------------------------------------------------------------------------------------------


def run_cpsat(bench: Workbench, request: Request) -> Report:
    """CP-SAT, one horizon after the other."""
    from encoders.deepening import Contradiction, solve_by_horizon

    told: list[Any] = []

    def tell(solve: Any) -> None:
        told.append(solve)
        if request.watch is not None:
            request.watch(0, _ruled_out(bench, told)[1] or 0)
        if request.progress is not None:
            request.progress(f"cpsat: horizon {solve.horizon}: {solve.status}")

    try:
        known = bench.known_to_cpsat(claim_seconds(bench))
        task = bench.task_for_cpsat(known, claim_seconds(bench)) if request.invariants else bench.task
        result = solve_by_horizon(task, left(bench, request), tell, seed=request.seed, **known)
    except KeyboardInterrupt:
        return _stopped(bench, request, told)
    except Contradiction as found:
        other = judged(bench, request, found.answer.operators, outcome=Outcome.SOLVED, found_cost=None)
        return contradiction(_report(bench, request, Outcome.DISAGREEMENT, backend="cpsat"), found, other)
    proven = ("cpsat",) if result.outcome in (Outcome.OPTIMAL, Outcome.UNSOLVABLE) else ()
    return judged(bench, request, result.operators, outcome=result.outcome, backend="cpsat", proven_by=proven,
                  notes=(*known_notes(known, task.dead is not bench.task.dead), *result.notes),
                  lower_bound=result.lower_bound[0], statistics=cpsat_statistics(result.solves),
                  found_cost=result.cost)  # fmt: skip


def claim_seconds(bench: Workbench) -> float:
    """For each claim that CP-SAT tries to prove before it is asked for plans."""
    share = bench.deadline.share(1 / 8)
    return CLAIM_SECONDS if share is None else min(CLAIM_SECONDS, share)


def left(bench: Workbench, request: Request) -> Limits:
    """The limits, with the time that is left; CP-SAT always has a little."""
    seconds = bench.deadline.left
    return replace(request.limits, time=None if seconds is None else max(0.1, seconds))


def known_notes(known: Mapping[str, Sequence[str]], alive: bool) -> list[str]:
    """What CP-SAT took for granted because it had proven it; `alive`: that dead states lead to no goal."""
    named = [*(f"the invariant {name}" for name in known["invariants"]),
             *(f"the heuristic {name}" for name in known["heuristics"]), *["`dead`"] * alive]  # fmt: skip
    return [f"CP-SAT has proven and used {', '.join(named)}"] if named else []


def _stopped(bench: Workbench, request: Request, told: Sequence[Any]) -> Report:
    """Ctrl-C while CP-SAT worked: the horizons that were ruled out one after the other."""
    most, bound = _ruled_out(bench, told)
    notes = () if most is None else (f"CP-SAT has ruled out plans of at most {most} steps",)
    return _report(bench, request, Outcome.INTERRUPTED, backend="cpsat", notes=notes, lower_bound=bound,
                   statistics=cpsat_statistics(told))  # fmt: skip


def _ruled_out(bench: Workbench, told: Sequence[Any]) -> tuple[int | None, int | None]:
    """(the steps that no plan has, nor fewer; the bound on the cost that follows), None where that is not known."""
    without = [solve.horizon for solve in told if solve.status == "infeasible" and solve.form == "exact"]
    most = without[-1] if without else None
    return most, most + 1 if most is not None and bench.unit_cost else None


def cpsat_statistics(solves: Sequence[Any]) -> dict[str, Any]:
    """The figures of all horizons, one row each, and of the largest model."""
    rows = [dict(solve.__dict__) for solve in solves]
    totals = {key: sum(row.get(key) or 0 for row in rows) for key in ("conflicts", "branches")}
    last = rows[-1] if rows else {}
    sizes = {key: last.get(key) for key in ("horizon", "booleans", "clauses")}
    return {**sizes, **totals, "solves": rows}


# -- the referee's word ------------------------------------------------------------------------------------------------


def _watch(bench: Workbench, request: Request, steps: int) -> Callable[[int], None]:
    """Long plans are replayed under the clock too, with a second's grace."""

    def look(number: int) -> None:
        if number % 1000:
            return
        if request.progress is not None:
            request.progress(f"the referee replays step {number:,} of {steps:,}")
        if time.monotonic() > bench.deadline.at + 1:
            raise TimeoutError

    return look


def _told(cost: int | tuple[int, ...]) -> str:
    return str(cost) if isinstance(cost, int) else ", ".join(map(str, cost))


def judged(bench: Workbench, request: Request, operators: Sequence[Operator] | None, *, outcome: Outcome,
           found_cost: int | tuple[int, ...] | None, notes: tuple[str, ...] = (), doubt: str = "",
           **fields: Any) -> Report:  # fmt: skip
    """A report whose plan, if there is one, the referee has replayed.

    `found_cost` is what the backend counts: in each metric, or as the task's one cost. A plan that the referee refuses,
    or that contradicts a proven bound, is a disagreement, with everything saved.
    """
    if operators is None:
        return _report(bench, request, outcome, notes=notes, **fields)
    plan = plan_of(bench.task, tuple(operators))
    try:
        walked = replay(bench.puzzle, plan, _watch(bench, request, len(plan)))
    except TimeoutError:
        note = f"a plan of {len(plan):,} steps was found, but there was no time left for the referee to replay it"
        return _report(bench, request, Outcome.TIME_LIMIT, notes=(*notes, note), **{**fields, "proven_by": ()})
    cost, bound = walked.costs[bench.metrics[0]], fields.get("lower_bound") or 0
    counted = bench.combined(walked.costs) if isinstance(found_cost, int) else bench.costs(walked.costs)
    if not walked.valid:
        doubt = f"the referee refuses step {walked.step} of the plan: {walked.reason}"
    elif found_cost is not None and counted != found_cost:
        doubt = f"the referee counts a cost of {_told(counted)}, the backend {_told(found_cost)}"
    elif cost < bound:
        doubt = f"the plan costs {cost}, though every plan was held to cost at least {bound}"
    fields["operators"] = tuple(operators)
    found = _report(bench, request, outcome, notes=notes, cost=cost, **with_plan(bench.puzzle, plan, walked), **fields)
    return disagreement(replace(found, verdicts=dict(bench.verdicts)), doubt) if doubt else found
