"""Path two: CP-SAT, one horizon after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from models.outcomes import Limits, Outcome
from puzzlewright.configuration import derives
from puzzlewright.report import Report
from puzzlewright.solving.backends import CPSAT
from puzzlewright.solving.deriving import LOST, NO_TABLES, Tables, estimate_of
from puzzlewright.solving.disagreement import contradiction
from puzzlewright.solving.judging import Answer, judged, reported
from puzzlewright.solving.proofs import Known
from puzzlewright.solving.request import Request
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from encoders.cpsat import Solve

CLAIM_SECONDS = 10.0


def run_cpsat(bench: Workbench, request: Request) -> Report:
    """The report on the first horizon that has a plan, or on what ended the work."""
    from encoders.horizons import Contradiction, solve_by_horizon

    told: list[Solve] = []
    tables, least = NO_TABLES, 0

    def tell(solve: Solve) -> None:
        told.append(solve)
        if request.watch is not None:
            request.watch(0, _ruled_out(bench, told, least)[1] or 0)
        if request.progress is not None:
            request.progress(f"cpsat: horizon {solve.horizon}: {solve.status}")

    try:
        tables = bench.derived(request) if asks_tables(bench, request) else NO_TABLES
        least = steps_by_tables(bench, tables)
        if tables.found is not None and least >= tables.found.least_lost:
            return reported(bench, request, Answer(Outcome.UNSOLVABLE, CPSAT, proven_by=("search",),
                            notes=(*tables.remarks, LOST), statistics=tables.figures))  # fmt: skip
        known = bench.proofs.known_to_cpsat(claim_seconds(bench))
        task = bench.proofs.task_for_cpsat(known, claim_seconds(bench)) if request.invariants else bench.task
        result = solve_by_horizon(task, left(bench, request), tell, seed=request.seed, at_least=least,
                                  **known._asdict())  # fmt: skip
    except KeyboardInterrupt:
        return _stopped(bench, request, told, least)
    except Contradiction as found:
        other = judged(bench, request, Answer(Outcome.SOLVED, operators=found.answer.operators))
        return contradiction(reported(bench, request, Answer(Outcome.DISAGREEMENT, CPSAT)), found, other)
    proven = (CPSAT,) if result.outcome in (Outcome.OPTIMAL, Outcome.UNSOLVABLE) else ()
    notes = (
        *tables.remarks,
        *begun_notes(least, result.solves),
        *known_notes(known, task.dead is not bench.task.dead),
        *result.notes,
    )
    return judged(bench, request, Answer(
        result.outcome, CPSAT, None, proven, result.lower_bound[0], notes,
        {**cpsat_statistics(result.solves), **tables.figures}, result.operators, result.cost))  # fmt: skip


def asks_tables(bench: Workbench, request: Request) -> bool:
    """Are tables asked for that count what horizons count, steps?"""
    return bench.task.unit_cost and any(derives(bench.puzzle, name) for name in request.heuristics)


def steps_by_tables(bench: Workbench, tables: Tables) -> int:
    """No plan has fewer steps, say the tables alone, whatever is named beside them.

    It is where horizons begin, and a bound where no plan is found. That a plan is shortest CP-SAT refutes by itself.
    """
    if tables.found is None:
        return 0
    machine = bench.machine()
    return estimate_of(machine, tables.found).evaluate(machine.initial)


def begun_notes(least: int, told: Sequence[Solve]) -> list[str]:
    """What tables say; has CP-SAT begun there? It may know of more by itself, or was asked nothing."""
    if not least:
        return []
    if told and told[0].horizon == least:
        return [f"CP-SAT has begun with plans of {least} steps, because tables say that none has fewer"]
    return [f"tables say that no plan has fewer than {least} steps"]


def claim_seconds(bench: Workbench) -> float:
    """For each claim that CP-SAT tries to prove before it is asked for plans."""
    share = bench.deadline.share(1 / 8)
    return CLAIM_SECONDS if share is None else min(CLAIM_SECONDS, share)


def left(bench: Workbench, request: Request) -> Limits:
    """The limits, with the time that is left; CP-SAT always has a little."""
    seconds = bench.deadline.left
    return replace(request.limits, time=None if seconds is None else max(0.1, seconds))


def known_notes(known: Known, alive: bool) -> list[str]:
    """What CP-SAT took for granted because it had proven it; `alive`: that dead states lead to no goal."""
    named = [*(f"the invariant {name}" for name in known.invariants),
             *(f"the heuristic {name}" for name in known.heuristics), *["`dead`"] * alive]  # fmt: skip
    return [f"CP-SAT has proven and used {', '.join(named)}"] if named else []


def _stopped(bench: Workbench, request: Request, told: Sequence[Solve], least: int) -> Report:
    """Ctrl-C while CP-SAT worked: the horizons that were ruled out one after the other, those before by tables."""
    _, bound = _ruled_out(bench, told, least)
    most = _ruled_out(bench, told, 0)[0]  # by CP-SAT too, if anything
    both = f"tables and CP-SAT have ruled out plans of at most {most} steps"
    alone = f"CP-SAT has ruled out plans of at most {most} steps"
    notes = begun_notes(least, told) if most is None else [both if least else alone]
    answer = Answer(
        Outcome.INTERRUPTED, CPSAT, lower_bound=bound, notes=tuple(notes), statistics=cpsat_statistics(told)
    )
    return reported(bench, request, answer)


def _ruled_out(bench: Workbench, told: Sequence[Solve], least: int) -> tuple[int | None, int | None]:
    """(the steps that no plan has, nor fewer; the bound on the cost that follows), None where that is not known.

    `least`: no plan has fewer steps, whatever CP-SAT says.
    """
    without = [solve.horizon for solve in told if solve.status == "infeasible" and solve.form == "exact"]
    most = without[-1] if without else least - 1 if least else None
    return most, most + 1 if most is not None and bench.task.unit_cost else None


def cpsat_statistics(solves: Sequence[Solve]) -> dict[str, object]:
    """The figures of all horizons, one row each, and of the largest model."""
    rows = [dict(solve.__dict__) for solve in solves]
    totals = {key: sum(row.get(key) or 0 for row in rows) for key in ("conflicts", "branches")}
    last = rows[-1] if rows else {}
    sizes = {key: last.get(key) for key in ("horizon", "booleans", "clauses")}
    return {**sizes, **totals, "solves": rows}
