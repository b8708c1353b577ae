"""The cross-check: search finds L, CP-SAT accepts that very plan and refutes everything shorter (or cheaper)."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.outcomes import Limits, Outcome, Unsupported
from models.puzzle import Puzzle
from puzzlewright.counting import NOT_COUNTED, Wanted, with_count
from puzzlewright.report import Report, as_json
from puzzlewright.solving import Request, Workbench, cpsat_statistics, judged, solve

if TYPE_CHECKING:
    from puzzlewright.certifying import CertificateWanted

SAVED = "puzzlewright-disagreement"
NO_CERTIFICATE = "no certificate is written, since both paths have not proven a plan best"
MOST_RECOUNTED = 100_000  # best plans that CP-SAT is asked to list


def prove(
    puzzle: Puzzle, request: Request, count: bool = False, certificate: CertificateWanted | None = None
) -> Report:
    """Both paths on one puzzle; `optimal` only if they agree, on the number of best plans too if `count`."""
    bench = Workbench(puzzle, request.metrics)
    found = solve(puzzle, request, bench)
    if found.outcome is not Outcome.OPTIMAL or found.plan is None:
        notes = (*found.notes, NO_CERTIFICATE) if certificate else found.notes
        if found.outcome is Outcome.UNSOLVABLE:
            notes = (*notes, "CP-SAT was not asked: it proves bounds on plans, and there is no bound to prove")
            found = with_count(bench, request, found, Wanted()) if count else found
        return replace(found, command="prove", outcome=_weaker(found.outcome), notes=notes)
    found = replace(found, plan_count=NOT_COUNTED if count else None)
    began = time.perf_counter()
    try:
        checked = _cross_check(bench, request, found, began)
        checked = _recounted(bench, request, checked, began) if count else checked
        checked = _certified(bench, request, checked, certificate, began) if certificate else checked
        return replace(checked, command="prove")
    except KeyboardInterrupt:
        note = "stopped by Ctrl-C while CP-SAT checked the plan"
        return replace(found, command="prove", outcome=Outcome.INTERRUPTED, notes=(*found.notes, note))
    except Unsupported as reason:
        note = f"CP-SAT cannot check this: {reason}"
        return replace(found, command="prove", outcome=Outcome.UNPROVEN, notes=(*found.notes, note))


def _weaker(outcome: Outcome) -> Outcome:
    """A plan without proof is not what `prove` was asked for."""
    return Outcome.UNPROVEN if outcome is Outcome.SOLVED else outcome


def _cross_check(bench: Workbench, request: Request, found: Report, began: float) -> Report:
    from encoders.deepening import accepts, refute, refute_cheaper

    assert found.plan is not None and found.replay is not None
    cost = bench.combined(found.replay.costs)
    operators = found.operators
    unit = bench.unit_cost
    accepted = accepts(bench.task, operators, _left(request, began))
    question = f"a plan of at most {len(operators) - 1} steps" if unit else f"a plan cheaper than {found.cost}"
    if accepted.status == "infeasible":
        return _disagreement(found, "CP-SAT does not accept the plan that search has found", {})
    if accepted.status != "feasible":
        return _unproven(found, "CP-SAT could not check the plan in time", [accepted])
    if cost == 0:
        return _both(found, [accepted])
    limits = _left(request, began)
    refuted = refute(bench.task, len(operators) - 1, limits) if unit else refute_cheaper(bench.task, cost, limits)
    if refuted.status == "feasible" and refuted.operators is not None:
        other = judged(bench, request, refuted.operators, outcome=Outcome.SOLVED, found_cost=None)
        return _disagreement(found, f"CP-SAT found {question}", as_json(other))
    if refuted.status != "infeasible":
        return _unproven(found, f"CP-SAT could not rule out {question} in time", [accepted, refuted])
    return _both(found, [accepted, refuted])


def _recounted(bench: Workbench, request: Request, checked: Report, began: float) -> Report:
    """With the number of best plans, on which both paths must agree."""
    from encoders.enumeration import every_plan

    found = with_count(bench, request, checked, Wanted())
    if found.outcome is not Outcome.OPTIMAL:
        return found
    assert found.plan_count is not None and found.replay is not None
    number = found.plan_count["optimal_plans"]
    if not isinstance(number, int) or number > MOST_RECOUNTED:
        note = f"CP-SAT does not check the number of plans, since it would have to list more than {MOST_RECOUNTED:,}"
        return replace(found, outcome=Outcome.UNPROVEN, notes=(*found.notes, note))
    listed = every_plan(bench.task, bench.combined(found.replay.costs), _left(request, began).time)
    if len(listed.plans) > number or (listed.complete and len(listed.plans) < number):
        others = {"optimal_plans": len(listed.plans), "operators": sorted(listed.plans)}
        return _disagreement(found, f"CP-SAT lists {len(listed.plans):,} best plans, search counts {number:,}", others)
    if not listed.complete:
        note = f"CP-SAT listed {len(listed.plans):,} of {number:,} best plans in time; their number is search's alone"
        return replace(found, outcome=Outcome.UNPROVEN, notes=(*found.notes, note))
    return found


def _certified(bench: Workbench, request: Request, checked: Report, wanted: CertificateWanted, began: float) -> Report:
    """With a certificate; without one where that fails, and then what was asked for is not proven."""
    from puzzlewright.certifying import certify

    if checked.outcome is not Outcome.OPTIMAL:
        return replace(checked, notes=(*checked.notes, NO_CERTIFICATE))
    made = certify(bench, checked, wanted, _left(request, began))
    if made.outcome is Outcome.DISAGREEMENT:
        return _disagreement(checked, made.note, {})
    return replace(checked, outcome=made.outcome, certificate=made.figures, notes=(*checked.notes, made.note))


def _left(request: Request, began: float) -> Limits:
    """The limits, with the time that is left."""
    if request.limits.time is None:
        return request.limits
    return replace(request.limits, time=max(0.1, request.limits.time - (time.perf_counter() - began)))


def _with_solves(found: Report, answers: list[Any]) -> Report:
    solves = [answer.solve for answer in answers if answer.solve is not None]
    seconds = sum(solve.build_seconds + solve.solve_seconds for solve in solves)
    checked = {**cpsat_statistics(solves), "cpsat_seconds": round(seconds, 3)}
    checked["total_seconds"] = round(found.statistics["total_seconds"] + seconds, 4)
    return replace(found, statistics={**found.statistics, **checked})


def _both(found: Report, answers: list[Any]) -> Report:
    return replace(_with_solves(found, answers), proven_by=("search", "cpsat"))


def _unproven(found: Report, note: str, answers: list[Any]) -> Report:
    checked = _with_solves(found, answers)
    return replace(checked, outcome=Outcome.UNPROVEN, proven_by=("search",), notes=(*found.notes, note))


def _disagreement(found: Report, note: str, other: dict[str, Any]) -> Report:
    """Two evaluators contradict each other: keep what both said."""
    folder = Path(f"{SAVED}-{found.puzzle}-{found.level or 'level'}")
    folder.mkdir(exist_ok=True)
    for name, content in (("search.json", as_json(found)), ("cpsat.json", other)):
        (folder / name).write_text(json.dumps(content, indent=1), encoding="utf-8")
    notes = (*found.notes, note, f"both answers are saved in {folder}")
    return replace(found, outcome=Outcome.DISAGREEMENT, proven_by=(), notes=notes)
