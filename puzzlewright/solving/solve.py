"""One request to one report: what is proven answers at once, else the path of the backend does."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Concatenate, ParamSpec

from models.claims import DEAD
from models.outcomes import LimitReached, Outcome, Unsupported, outcome_of
from models.puzzle import Puzzle
from puzzlewright.report import About, Report
from puzzlewright.solving.anytime import run_anytime
from puzzlewright.solving.backends import AUTO, BACKENDS
from puzzlewright.solving.by_cpsat import run_cpsat
from puzzlewright.solving.choosing import run_auto
from puzzlewright.solving.judging import Answer, reported
from puzzlewright.solving.request import Request
from puzzlewright.solving.searching import run_search
from puzzlewright.solving.workbench import Workbench

P = ParamSpec("P")
Command = Callable[Concatenate[Puzzle, Request, P], Report]
PATHS = {"search": run_search, "encoding": run_cpsat, "anytime": run_anytime}


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
                return Report(name, outcome_of(reason), About.of(puzzle, metric, seed=request.seed), lower_bound=0,
                              statistics=seconds, diagnostics=puzzle.warnings)  # fmt: skip

        return run

    return decorate


@stoppable("solve")
def solve(puzzle: Puzzle, request: Request, bench: Workbench | None = None) -> Report:
    """Run the backend that was asked for. Limits and what a backend cannot do are outcomes, not exceptions."""
    started = time.perf_counter()
    bench = bench or Workbench(puzzle, request.metrics, request.limits.deadline())
    grounded = time.perf_counter()
    with bench.within(request.limits.time):
        report = _answer(bench, request)
    seconds = resources(request, started, grounded)
    return replace(
        report,
        verdicts=dict(bench.proofs.told),
        statistics={**report.statistics, **seconds},
        diagnostics=puzzle.warnings,
    )


def _answer(bench: Workbench, request: Request) -> Report:
    """What is proven of the start, if that decides, else what the backend finds."""
    try:
        if request.invariants and (name := bench.proofs.separating()) is not None:
            note = f"the invariant {name} has another value in every goal state than {bench.at_start}"
            return reported(bench, request, Answer(Outcome.UNSOLVABLE, proven_by=("invariant",), notes=(note,)))
        if request.invariants and bench.proofs.starts_dead and bench.proofs.loses_dead():
            note = f"`dead` holds {bench.at_start}"
            return reported(bench, request, Answer(Outcome.UNSOLVABLE, proven_by=(DEAD,), notes=(note,)))
        path = run_auto if request.backend == AUTO else PATHS[BACKENDS[request.backend].path]
        return path(bench, request)
    except Unsupported as reason:
        return reported(bench, request, Answer(Outcome.UNSUPPORTED, notes=(str(reason),)))


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
