"""One puzzle, one backend: load, prove what has to be known, search or encode, let the referee judge."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from models.decoding import plan_of
from models.grounding import LEXICOGRAPHIC, ground
from models.outcomes import Limits, Operator, Outcome, SearchResult, Unsupported
from models.puzzle import Puzzle
from models.referee import replay
from models.task import Heuristic as Declared
from models.task import State, Task
from puzzlewright.report import Report, with_plan

Progress = Callable[[str], None]
INFORMED_DEFAULT = "astar"
_GIVEN_UP = (Outcome.NODE_LIMIT, Outcome.TIME_LIMIT, Outcome.MEMORY_LIMIT, Outcome.NOT_FOUND)


@dataclass(frozen=True)
class Request:
    """What the user asked for besides the puzzle."""

    backend: str = "auto"
    heuristics: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    invariants: bool = True  # may a proven invariant answer without search?
    seed: int = 0
    options: dict[str, Any] = field(default_factory=dict)  # of `search.options.Options`
    progress: Progress | None = None
    load_seconds: float = 0.0


class Workbench:
    """A puzzle with all that is worked out about it once and used by several steps."""

    def __init__(self, puzzle: Puzzle, metrics: Sequence[str] = ()) -> None:
        self.puzzle = puzzle
        self.task: Task = ground(puzzle, metrics)
        self.verdicts: dict[str, str] = {}

    @property
    def metrics(self) -> tuple[str, ...]:
        """The costs that are minimised, the most important first."""
        return tuple(self.task.metric.split(","))

    def combined(self, costs: Mapping[str, int]) -> int:
        """The task's one cost of a plan whose named costs these are."""
        total = 0
        for metric in self.metrics:
            total = total * LEXICOGRAPHIC + costs[metric]
        return total

    def leading(self, combined: int) -> int:
        """The part of a combined cost, or of a bound on it, that belongs to the first metric."""
        for _ in self.metrics[1:]:
            combined //= LEXICOGRAPHIC
        return combined

    @cached_property
    def knowledge(self) -> Any:
        from search.knowledge import Prover, prove_invariants

        prover = Prover(self.task)
        return prover, prove_invariants(self.task, prover, self._remembered("invariant"))

    def _remembered(self, kind: str) -> dict[str, Any]:
        from search.verdicts import remembered

        found = remembered(self.task.fingerprint)
        return {name.split(" ", 1)[1]: verdict for name, verdict in found.items() if name.startswith(kind + " ")}

    def _remember(self, kind: str, verdicts: dict[str, Any]) -> None:
        from search.verdicts import remember, remembered

        old = remembered(self.task.fingerprint)
        new = old | {f"{kind} {name}": verdict for name, verdict in verdicts.items()}
        if new != old:
            remember(self.task.fingerprint, new)

    def separating(self) -> str | None:
        """The name of a proven invariant that tells the start from every goal state, if there is one."""
        apart = self._apart()
        if not apart:
            return None
        _, verdicts = self.knowledge
        self._remember("invariant", verdicts)
        for name, verdict in verdicts.items():
            self.verdicts[f"invariant {name}"] = _words(verdict)
        return next((name for name in apart if verdicts[name].proven), None)

    def _apart(self) -> list[str]:
        """The invariants whose value no goal state shares with the start; remembered, since finding out loads numpy."""
        from search.verdicts import Verdict

        known = self._remembered("separates")
        new = [i for i in self.task.invariants if i.name not in known]
        if new:
            from search.knowledge import separates

            words = {
                False: Verdict("unknown", "a goal state may share it", 0),
                True: Verdict("proven", "no goal has it", 0),
            }
            known |= {invariant.name: words[separates(self.task, invariant)] for invariant in new}
            self._remember("separates", known)
        return [invariant.name for invariant in self.task.invariants if known[invariant.name].proven]

    def proven(self, declared: Declared) -> bool:
        """Is the heuristic proven consistent (hence admissible)?"""
        known = self._remembered("heuristic")
        if declared.name not in known:
            prover, verdicts = self.knowledge
            known = {declared.name: prover.heuristic(declared)}
            self._remember("invariant", verdicts)
            self._remember("heuristic", known)
        self.verdicts[f"heuristic {declared.name}"] = _words(known[declared.name])
        return bool(known[declared.name].proven)

    def heuristic(self, name: str) -> Any:
        """A heuristic by name, its flags saying what is proven; Unsupported where there is none of that name."""
        from search.space import BLIND

        if name == BLIND.name:
            return BLIND
        declared = next((h for h in self.task.heuristics if h.name == name), None)
        if declared is None:
            known = ", ".join([BLIND.name, *(h.name for h in self.task.heuristics)])
            raise UnknownHeuristic(f"there is no heuristic {name!r}: choose one of {known}")
        return self._compiled(declared, self.proven(declared))

    def _compiled(self, declared: Declared, proven: bool) -> Any:
        from search.space import Heuristic

        value = self.model.evaluate(declared.term)
        return Heuristic(declared.name, lambda state: max(0, value(state)), proven, proven)

    def first_proven(self) -> Any:
        """The first heuristic of the file that is proven, else `blind`."""
        from search.space import BLIND

        found = next((declared for declared in self.task.heuristics if self.proven(declared)), None)
        return BLIND if found is None else self._compiled(found, True)

    @cached_property
    def model(self) -> Any:
        return _Reversible(self.task, lambda: self.knowledge[0].proof.facts)


class UnknownHeuristic(ValueError):
    """A heuristic's name that the puzzle does not declare."""


class _Reversible:
    """The compiled task, with predecessors and goal states worked out only if a search asks for them."""

    def __init__(self, task: Task, facts: Callable[[], Sequence[Any]]) -> None:
        from search.codegen import compile_task

        self.task, self.facts = task, facts
        self.compiled = compile_task(task)
        self.initial: State = self.compiled.initial
        self.unit_cost: bool = self.compiled.unit_cost
        self.is_goal = self.compiled.is_goal
        self.successors = self.compiled.successors
        self.evaluate = self.compiled.evaluate

    @cached_property
    def predecessors(self) -> Callable[[State], Any]:
        from search.regression import predecessors

        return predecessors(self.task, self.compiled, list(self.facts()))

    def goal_states(self) -> list[State]:
        from search.regression import goal_states

        return goal_states(self.task, self.facts())


def _words(verdict: Any) -> str:
    return f"{verdict.status}: {verdict.reason}"


def solve(puzzle: Puzzle, request: Request, bench: Workbench | None = None) -> Report:
    """Run the backend that was asked for. Limits and what a backend cannot do are outcomes, not exceptions."""
    started = time.perf_counter()
    bench = bench or Workbench(puzzle, request.metrics)
    grounded = time.perf_counter()
    report = _run(bench, request)
    ended = time.perf_counter()
    seconds = {
        "load_seconds": round(request.load_seconds + grounded - started, 4),
        "search_seconds": round(ended - grounded, 4),
        "total_seconds": round(request.load_seconds + ended - started, 4),
        "peak_memory_mb": _peak_memory_mb(),
    }
    return replace(
        report,
        verdicts=dict(bench.verdicts),
        statistics={**report.statistics, **seconds},
        seed=request.seed,
        diagnostics=puzzle.warnings,
    )


def _peak_memory_mb() -> float:
    from search.space import peak_memory_mb

    return round(peak_memory_mb(), 1)


def _run(bench: Workbench, request: Request) -> Report:
    try:
        if request.invariants and (name := bench.separating()) is not None:
            note = f"the invariant {name} has another value in every goal state than at the start"
            return _report(bench, request, Outcome.UNSOLVABLE, proven_by=("invariant",), notes=(note,))
        if request.backend == "cpsat":
            return run_cpsat(bench, request)
        return run_search(bench, request)
    except Unsupported as reason:
        return _report(bench, request, Outcome.UNSUPPORTED, notes=(str(reason),))


def _report(bench: Workbench, request: Request, outcome: Outcome, **fields: Any) -> Report:
    puzzle = bench.puzzle
    fields.setdefault("backend", request.backend)
    if fields.get("lower_bound") is not None:
        fields["lower_bound"] = bench.leading(fields["lower_bound"])
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
    bound = 0
    for heuristic in names:
        result, used = _search(bench, request, name, heuristic)
        bound = max(bound, result.lower_bound)
        if result.operators is not None or result.outcome not in _GIVEN_UP or heuristic == names[-1]:
            break
        notes.append(f"{used.name}: gave up ({result.outcome})")
    shown = used.name if ALGORITHMS[name].informed else None
    proven = ("search",) if result.outcome in (Outcome.OPTIMAL, Outcome.UNSOLVABLE) else ()
    return judged(bench, request, result.operators, outcome=result.outcome, backend=name, heuristic=shown,
                  proven_by=proven, notes=tuple(notes), lower_bound=bound, statistics=_statistics(result),
                  found_cost=result.cost)  # fmt: skip


def _automatic(bench: Workbench, request: Request) -> tuple[str, tuple[str, ...]]:
    if request.heuristics:
        return INFORMED_DEFAULT, ("auto: A* with the heuristic that was asked for",)
    if bench.first_proven().name != "blind":
        return INFORMED_DEFAULT, ("auto: A*, because a heuristic is proven consistent",)
    if bench.model.unit_cost:
        return "bfs", ("auto: breadth-first, because no heuristic is proven and every step costs 1",)
    return "ucs", ("auto: uniform cost, because no heuristic is proven",)


def _search(bench: Workbench, request: Request, name: str, heuristic: str | None) -> tuple[SearchResult, Any]:
    from search.options import Options
    from search.registry import ALGORITHMS, search_with
    from search.space import BLIND

    used = BLIND
    if ALGORITHMS[name].informed:
        used = bench.heuristic(heuristic) if heuristic else default_heuristic(bench, name)
    progress = request.progress

    def tell(statistics: Any, bound: int) -> None:
        if progress is not None:
            progress(f"{name}: {statistics.expanded:,} expanded, every plan costs at least {bench.leading(bound)}")

    options = Options(seed=request.seed, **request.options)
    return search_with(name, bench.model, used, request.limits, options, tell), used


def default_heuristic(bench: Workbench, name: str) -> Any:
    """The first proven heuristic; a search that promises nothing is also served by an unproven one."""
    from search.registry import ALGORITHMS

    found = bench.first_proven()
    if found.name == "blind" and bench.task.heuristics and not ALGORITHMS[name].optimal:
        return bench.heuristic(bench.task.heuristics[0].name)
    return found


def _statistics(result: SearchResult) -> dict[str, Any]:
    counted = dict(result.statistics.__dict__)
    return {**{k: v for k, v in counted.items() if k != "extra"}, **result.statistics.extra}


# -- path two ----------------------------------------------------------------------------------------------------------


def run_cpsat(bench: Workbench, request: Request) -> Report:
    """CP-SAT, one horizon after the other."""
    from encoders.deepening import solve_by_horizon

    told: list[Any] = []

    def tell(solve: Any) -> None:
        told.append(solve)
        if request.progress is not None:
            request.progress(f"cpsat: horizon {solve.horizon}: {solve.status}")

    try:
        result = solve_by_horizon(bench.task, request.limits, tell, seed=request.seed)
    except KeyboardInterrupt:
        return _stopped(bench, request, told)
    proven = ("cpsat",) if result.outcome in (Outcome.OPTIMAL, Outcome.UNSOLVABLE) else ()
    return judged(bench, request, result.operators, outcome=result.outcome, backend="cpsat", proven_by=proven,
                  notes=result.notes, lower_bound=result.lower_bound, statistics=cpsat_statistics(result.solves),
                  found_cost=result.cost)  # fmt: skip


def _stopped(bench: Workbench, request: Request, told: Sequence[Any]) -> Report:
    """Ctrl-C while CP-SAT worked: the horizons that were ruled out one after the other."""
    without = [solve.horizon for solve in told if solve.status == "infeasible"]
    notes = (f"CP-SAT has ruled out plans of at most {without[-1]} steps",) if without else ()
    bound = without[-1] + 1 if without and bench.model.unit_cost else None
    return _report(bench, request, Outcome.INTERRUPTED, backend="cpsat", notes=notes, lower_bound=bound,
                   statistics=cpsat_statistics(told))  # fmt: skip


def cpsat_statistics(solves: Sequence[Any]) -> dict[str, Any]:
    """The figures of all horizons, one row each, and of the largest model."""
    rows = [dict(solve.__dict__) for solve in solves]
    totals = {key: sum(row.get(key) or 0 for row in rows) for key in ("conflicts", "branches")}
    last = rows[-1] if rows else {}
    sizes = {key: last.get(key) for key in ("horizon", "booleans", "clauses")}
    return {**sizes, **totals, "solves": rows}


# -- the referee's word ------------------------------------------------------------------------------------------------


def judged(bench: Workbench, request: Request, operators: Sequence[Operator] | None, *, outcome: Outcome,
           found_cost: int | None, notes: tuple[str, ...] = (), **fields: Any) -> Report:  # fmt: skip
    """A report whose plan, if there is one, the referee has replayed; a plan that he refuses is a disagreement."""
    if operators is None:
        return _report(bench, request, outcome, notes=notes, **fields)
    plan = plan_of(bench.task, tuple(operators))
    walked = replay(bench.puzzle, plan)
    cost = walked.costs[bench.metrics[0]]
    if not walked.valid:
        notes = (*notes, f"the referee refuses step {walked.step} of the plan: {walked.reason}")
        outcome, fields["proven_by"] = Outcome.DISAGREEMENT, ()
    elif found_cost is not None and bench.combined(walked.costs) != found_cost:
        notes = (*notes, f"the referee counts a cost of {cost}, the backend {bench.leading(found_cost)}")
        outcome, fields["proven_by"] = Outcome.DISAGREEMENT, ()
    fields["operators"] = tuple(operators)
    return _report(bench, request, outcome, notes=notes, cost=cost, **with_plan(bench.puzzle, plan, walked), **fields)
