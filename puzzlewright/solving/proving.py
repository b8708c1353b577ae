"""The cross-check: search finds L, CP-SAT accepts that very plan and refutes everything shorter (or cheaper)."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from models.outcomes import DEAD_ENDS, Operator, Outcome, Unsupported
from models.puzzle import Puzzle
from puzzlewright.analysis.counting import NOT_COUNTED, CountWanted, PlanCount, with_count
from puzzlewright.certificates.bundle import INVARIANT, LISTED, LRAT, Certificate
from puzzlewright.report import Report
from puzzlewright.solving.beside import Beside, Ready, prepared
from puzzlewright.solving.by_cpsat import cpsat_statistics, left
from puzzlewright.solving.deriving import LOST
from puzzlewright.solving.disagreement import contradiction, disagreement, json_text
from puzzlewright.solving.judging import Answer as Found
from puzzlewright.solving.judging import judged
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve, stoppable
from puzzlewright.solving.workbench import Workbench

if TYPE_CHECKING:
    from encoders.cpsat import Solve
    from encoders.horizons import Answer, Session
    from puzzlewright.certificates.certifying import CertificateWanted, Maker

NO_SECOND = "there was no time for the second opinion on what CP-SAT has ruled out"
STOPPED = "stopped by Ctrl-C while CP-SAT checked the plan"
NO_CERTIFICATE = "no certificate is written, since nothing is proven that it could be about"
NOT_OF_THIS_KIND = {
    LRAT: "no certificate is written: one of the kind lrat is for a plan that search and CP-SAT prove best",
    INVARIANT: "no certificate is written: the kind invariant is for what a proven invariant decides",
}
WITHOUT_TABLES = "the certificate does not rest on the tables that search was led by"
BY_TABLES_ALONE = "that there is no plan rests on tables, and no certificate shows it"
CERTIFICATE_STOPPED = "stopped by Ctrl-C while the certificate was made"
NOT_ASKED = "CP-SAT was not asked: it proves bounds on plans, and there is no bound to prove"
NO_BOUND = "CP-SAT cannot check this: it proves bounds on plans, and there is no bound to prove"
FOUND_ONE = "CP-SAT found a plan, and search says that there is none"
TO_BE_LISTED = "CP-SAT was not asked: the referee is to go through all states that matter"
CPSAT_TURN = 60.0  # seconds, where search has expanded so few states that the referee can list what matters:
MOST_LISTED_SOON = 100_000
MOST_RECOUNTED = 100_000  # best plans that CP-SAT is asked to list


@stoppable("prove")
def prove(
    puzzle: Puzzle, request: Request, count: bool = False, certificate: CertificateWanted | None = None
) -> Report:
    """Both paths on one puzzle; `optimal` only if they agree, on the number of best plans too if `count`."""
    bench = Workbench(puzzle, request.metrics, request.limits.deadline(), memory=False)
    with closing(Beside(bench, request)) as beside:
        found = solve(puzzle, beside.request, bench)
        return _proven(bench, request, found, beside, count, certificate)


def _proven(bench: Workbench, request: Request, found: Report, beside: Beside, count: bool,
            certificate: CertificateWanted | None) -> Report:  # fmt: skip
    """What search has found, checked."""
    if found.outcome is not Outcome.OPTIMAL or found.plan is None:
        found = replace(found, command="prove", outcome=_weaker(found.outcome))
        beside.close()
        if found.outcome is Outcome.UNSOLVABLE:
            if beside.plan is not None:
                return disagreement(found, FOUND_ONE, {"cpsat.json": json_text(_plan_of(bench, request, beside.plan))})
            found = found.noting(NO_BOUND if beside.asked else NOT_ASKED)
            found = with_count(bench, request, found, CountWanted()) if count else found
        return _certified(bench, request, found, certificate) if certificate else found
    found = replace(found, command="prove")
    found = found.having(NOT_COUNTED) if count else found
    try:
        checked = _checked(bench, request, found, beside, certificate)
        checked = _certified(bench, request, checked, certificate) if certificate else checked
        return _recounted(bench, request, checked) if count else checked
    except KeyboardInterrupt:
        return replace(found, outcome=Outcome.INTERRUPTED).noting(STOPPED)
    except Unsupported as reason:
        return replace(found, outcome=Outcome.UNPROVEN).noting(f"CP-SAT cannot check this: {reason}")


def _weaker(outcome: Outcome) -> Outcome:
    """A plan without proof is not what `prove` was asked for."""
    return Outcome.UNPROVEN if outcome is Outcome.SOLVED else outcome


def _checked(bench: Workbench, request: Request, found: Report, beside: Beside,
             certificate: CertificateWanted | None) -> Report:  # fmt: skip
    """The cross-check, unless the referee is to take its place; it leaves time to a certificate."""
    if certificate is not None and certificate.kind == LISTED:
        return replace(found, outcome=Outcome.UNPROVEN).noting(TO_BE_LISTED)
    with bench.within(_turn(bench, found, certificate.kind) if certificate else None):
        try:
            return _cross_check(bench, request, found, beside)
        except Unsupported as reason:
            note = f"CP-SAT cannot check this: {reason}"
            return replace(found, outcome=Outcome.UNPROVEN).noting(note)


def _turn(bench: Workbench, found: Report, kind: str) -> float | None:
    """Seconds for CP-SAT before a certificate is made: half of the time, less where the referee has little to list."""
    half = bench.deadline.share(1 / 2)
    if kind == LRAT or found.expanded is None or found.expanded > MOST_LISTED_SOON:
        return half
    return CPSAT_TURN if half is None else min(half, CPSAT_TURN)


def _cross_check(bench: Workbench, request: Request, found: Report, beside: Beside) -> Report:
    """CP-SAT accepts the plan, and rules out ever longer horizons up to the last one that matters."""
    from encoders.horizons import Contradiction

    assert found.plan is not None and found.replay is not None
    check = Check(bench, request, found)
    try:
        check.begin(beside.ended(len(found.operators), bench.deadline) or prepared(bench, request))
        return check.run(found.operators, bench.scale.costs(found.replay.costs))
    except Contradiction as contradicted:
        return contradiction(check.reported(), contradicted, _plan_of(bench, request, contradicted.answer))
    except KeyboardInterrupt:
        check.without = max(check.without, beside.without)
        return check.unproven(STOPPED, Outcome.INTERRUPTED)


def _plan_of(bench: Workbench, request: Request, answer: Answer) -> Report:
    """CP-SAT's plan, by the referee."""
    return judged(bench, request, Found(Outcome.SOLVED, operators=answer.operators))


class Check:
    """CP-SAT on a plan that search has proven best."""

    ready: Ready | None = None

    def __init__(self, bench: Workbench, request: Request, found: Report) -> None:
        self.bench, self.request, self.found = bench, request, found
        self.begun = time.perf_counter()
        self.without = -1  # CP-SAT has ruled out plans of at most so many steps

    def begin(self, ready: Ready) -> None:
        self.ready, self.found, self.without = ready, self.found.noting(*ready.notes), ready.without
        self.session.on_progress = self.tell
        self.session.limit(left(self.bench, self.request).time)

    @property
    def session(self) -> Session:
        assert self.ready is not None
        return self.ready.session

    def run(self, operators: Sequence[Operator], costs: tuple[int, ...]) -> Report:
        from encoders.statements import horizon_below

        accepted = self.session.exact(len(operators), operators)
        if accepted.status == "infeasible":
            note = "CP-SAT does not accept the plan that search has found"
            return disagreement(self.reported(), note, {"cpsat-model.txt": self.session.question(operators)})
        if accepted.status != "feasible":
            return self.unproven("CP-SAT could not check the plan in time")
        if not any(costs):
            return self.both()
        if not self.bench.task.unit_cost:
            question = f"a plan cheaper than {self.found.cost}"
            return self.judge(self.session.refuted(horizon_below(self.session.outline, costs), costs), question)
        return self.shorter(accepted, len(operators) - 1)

    def shorter(self, accepted: Answer, last: int) -> Report:
        """Is there no plan of at most so many steps? What was asked beside the search is not asked again."""
        assert self.ready is not None
        plan = self.ready.plan
        if plan is not None and len(plan.operators or ()) <= last:
            return self.judge(plan, f"a plan of at most {last} steps")
        if self.without > last:
            self.session.contradicted(self.without, accepted)
        for horizon in rising(max(self.session.least_steps, self.without + 1), last) if self.without < last else ():
            answer = self.session.at_most(horizon)
            if answer.status != "infeasible":
                return self.judge(answer, f"a plan of at most {horizon} steps")
        second = self.session.second_opinion(last)
        return self.both() if second.status == "infeasible" else self.unproven(NO_SECOND)

    def judge(self, answer: Answer, question: str) -> Report:
        if answer.status == "infeasible":
            return self.both()
        if answer.operators is None:
            return self.unproven(f"CP-SAT could not rule out {question} in time")
        other = json_text(_plan_of(self.bench, self.request, answer))
        return disagreement(self.reported(), f"CP-SAT found {question}", {"cpsat.json": other})

    def tell(self, solve: Solve) -> None:
        """A line for every answer of CP-SAT."""
        if solve.form == "bounded" and solve.status == "infeasible" and self.bench.task.unit_cost:
            self.without = max(self.without, solve.horizon)
        if self.request.milestone is not None:
            seconds = solve.build_seconds + solve.solve_seconds
            again = ", asked in another way" if solve.presolve else ""
            self.request.milestone(
                f"CP-SAT{again}: {said(solve, self.found.cost, self.bench.task.unit_cost)} ({seconds:.1f} s)"
            )

    def reported(self) -> Report:
        """What search has found, with CP-SAT's figures."""
        solves = self.ready.session.solves if self.ready else []
        seconds = round(sum(solve.build_seconds + solve.solve_seconds for solve in solves), 3)
        statistics = {**self.found.statistics, **cpsat_statistics(solves), "cpsat_seconds": seconds}
        taken = time.perf_counter() - self.begun
        statistics["total_seconds"] = round(self.found.seconds("total_seconds") + taken, 4)
        return replace(self.found, statistics=statistics)

    def both(self) -> Report:
        return replace(self.reported(), proven_by=("search", "cpsat"))

    def unproven(self, note: str, outcome: Outcome = Outcome.UNPROVEN) -> Report:
        """Without CP-SAT's proof, but with the bound that it has."""
        bound = (f"by CP-SAT alone every plan has at least {self.without + 1} steps",) if self.without >= 0 else ()
        found = self.reported()
        return replace(found, outcome=outcome, proven_by=("search",)).noting(note, *bound)


def said(solve: Solve, cost: int | None, unit: bool) -> str:
    """An answer of CP-SAT in words."""
    what = f"of at most {solve.horizon} steps" if unit else f"cheaper than {cost}"
    if solve.form == "exact":
        words = {"feasible": "accepts the plan", "infeasible": "does not accept the plan"}
        return f"{words.get(solve.status, 'has not decided about the plan')} of {solve.horizon} steps"
    return {"infeasible": f"no plan {what}", "feasible": f"a plan {what}"}.get(
        solve.status, f"not decided: a plan {what}"
    )


def rising(least: int, last: int) -> list[int]:
    """Horizons up to the last one, each half as far from it as the one before: the bound rises at little cost."""
    gaps = []
    gap = (last - max(least, 0)) // 2
    while gap > 0:
        gaps.append(gap)
        gap //= 2
    return [*(last - gap for gap in gaps), last] if last >= 0 else []


def _recounted(bench: Workbench, request: Request, checked: Report) -> Report:
    """With the number of best plans, on which both paths must agree."""
    from encoders.all_plans import every_plan

    found = with_count(bench, request, checked, CountWanted())
    if found.outcome is not Outcome.OPTIMAL:
        return found
    counted = found.payload(PlanCount)
    assert counted is not None and found.replay is not None
    number = counted.optimal_plans
    if not isinstance(number, int) or number > MOST_RECOUNTED:
        note = f"CP-SAT does not check the number of plans, since it would have to list more than {MOST_RECOUNTED:,}"
        return replace(found, outcome=Outcome.UNPROVEN).noting(note)
    listed = every_plan(bench.task, bench.scale.costs(found.replay.costs), left(bench, request).time)
    if len(listed.plans) > number or (listed.complete and len(listed.plans) < number):
        others = {"optimal_plans": len(listed.plans), "operators": sorted(listed.plans)}
        note = f"CP-SAT lists {len(listed.plans):,} best plans, search counts {number:,}"
        return disagreement(found, note, {"cpsat.json": json.dumps(others)})
    if not listed.complete:
        note = f"CP-SAT listed {len(listed.plans):,} of {number:,} best plans in time; their number is search's alone"
        return replace(found, outcome=Outcome.UNPROVEN).noting(note)
    return found


# -- certificates ------------------------------------------------------------------------------------------------------


def _certified(bench: Workbench, request: Request, checked: Report, wanted: CertificateWanted) -> Report:
    """With the first certificate that can be made of the verdict; without one, a best plan counts as unproven."""
    from puzzlewright.certificates.certifying import certify

    makers = _makers(checked, wanted.kind)
    if not makers:
        note = NOT_OF_THIS_KIND.get(wanted.kind, NO_CERTIFICATE) if _makers(checked, "") else NO_CERTIFICATE
        checked = checked.noting(note)
    for number, kind in enumerate(makers):
        try:
            with bench.within(bench.deadline.share(1 / (len(makers) - number))):
                made = certify(bench, checked, wanted, left(bench, request), makers[kind])
        except KeyboardInterrupt:
            return replace(checked, outcome=Outcome.INTERRUPTED).noting(CERTIFICATE_STOPPED)
        if made.outcome is Outcome.DISAGREEMENT:
            return disagreement(checked, made.note, {})
        checked = checked.noting(made.note)
        if made.figures is not None:
            return _with_certificate(checked, kind, made.figures)
    if rests_on_tables(checked):
        checked = checked.noting(BY_TABLES_ALONE)
    unproven = Outcome.UNPROVEN if checked.outcome is Outcome.OPTIMAL else checked.outcome
    return replace(checked, outcome=unproven)


def rests_on_tables(found: Report) -> bool:
    """Has search found no plan after states were left out, or the start itself, that tables call dead ends?"""
    left_out = LOST in found.notes or found.statistics.get(DEAD_ENDS)
    return found.outcome is Outcome.UNSOLVABLE and bool(left_out)


def _with_certificate(checked: Report, kind: str, figures: Mapping[str, object]) -> Report:
    """The referee who has been through a list of states has proven what search alone had."""
    found = checked.having(Certificate(figures))
    found = found.noting(WITHOUT_TABLES) if "derived_tables" in found.statistics else found
    if kind != LISTED or "cpsat" in found.proven_by:
        return found
    outcome = Outcome.OPTIMAL if found.outcome is Outcome.UNPROVEN else found.outcome
    return replace(found, outcome=outcome, proven_by=(*found.proven_by, "referee"))


def _makers(checked: Report, kind: str) -> dict[str, Maker]:
    """What may make a certificate of this verdict, the first choice first."""
    from puzzlewright.certificates.certifying import certify_by_formula
    from puzzlewright.certificates.invariant_certificates import certify_by_invariant
    from puzzlewright.certificates.state_certificates import certify_by_states

    found: dict[str, Maker] = {}
    if checked.outcome is Outcome.OPTIMAL:
        found[LRAT] = certify_by_formula
    if checked.outcome is Outcome.UNSOLVABLE and checked.proven_by == ("invariant",):
        found[INVARIANT] = certify_by_invariant
    proven = checked.outcome in (Outcome.OPTIMAL, Outcome.UNPROVEN) and "search" in checked.proven_by
    if proven or checked.outcome is Outcome.UNSOLVABLE:
        found[LISTED] = certify_by_states
    return {name: make for name, make in found.items() if kind in ("", name)}
