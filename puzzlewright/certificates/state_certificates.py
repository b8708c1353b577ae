"""A certificate that lists states with lower bounds: how it is made and how it is checked again."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence

from models.interpreter import HiddenRead
from models.outcomes import Outcome
from models.plan import Plan
from models.puzzle import Puzzle
from puzzlewright.certificates.bundle import (
    ALONE,
    LISTED,
    MANIFEST,
    PLAN,
    PUZZLE,
    README,
    STATES,
    Examined,
    Source,
    claim,
    files_of,
    manifest,
    plan_text,
    read_from,
)
from puzzlewright.certificates.certifying import CertificateWanted, Made, draft_of, publish
from puzzlewright.certificates.recheck import Refused
from puzzlewright.certificates.recheck_states import Bound, ListAccepted, Look, Rules, check, words_of
from puzzlewright.report import Report
from puzzlewright.solving.request import Progress
from puzzlewright.solving.workbench import Workbench

_README = """\
A certificate of Puzzlewright.

{claim}

Why that is so: states.jsonl lists states, each with a bound: {what}. Its first line says how
the others are read: `metrics` orders the numbers of a bound, `places` names the state variables, and the numbers of a
state are places in the lists under `values`, counted from 0. A state that is not listed has the bound 0. It has to hold

    for every listed state s that is a goal:             bound(s) = 0
    for every step from a listed state s to any t:       bound(s) <= cost(s, t) + bound(t)

{then}
Variables that are `left_out` may have any value. States that differ by an exchange of values of the `alike` types count
as one: of these the one is listed whose numbers, taken value by value, are sorted.

{alone}

To check it again:

    puzzlewright verify DIR                       where DIR is this folder
"""
_COST = ("what a plan from there costs at least", "and the start's bound has to be what the plan costs.")
_NEVER = ("null, which is never: no plan leads from there", "and the start has to be listed.")


def texts(
    puzzle: Puzzle, metrics: Sequence[str], source: Source, plan: Plan | None, costs: Mapping[str, int]
) -> dict[str, str]:
    """The files that follow from puzzle and plan."""
    what, then = _NEVER if plan is None else _COST
    said = claim(puzzle, source, metrics, plan, costs)
    made = {README: _README.format(claim=said, what=what, then=then, alone=ALONE)}
    return made if plan is None else {PLAN: plan_text(puzzle, plan), **made}


def statement(puzzle: Puzzle, metrics: Sequence[str], source: Source, plan: Plan | None,
              costs: Mapping[str, int], states: int) -> dict[str, object]:  # fmt: skip
    """The manifest, but for versions and digests."""
    return {
        **read_from(puzzle, metrics, source),
        "kind": LISTED,
        "costs": None if plan is None else {metric: costs[metric] for metric in metrics},
        "length": None if plan is None else len(plan),
        "claim": claim(puzzle, source, metrics, plan, costs),
        "states": states,
    }


def certify_by_states(bench: Workbench, report: Report, wanted: CertificateWanted, deadline: float | None) -> Made:
    """The referee walks; where he contradicts what has been found it is a disagreement."""
    from puzzlewright.certificates.state_lists import list_states, text_of

    began, puzzle = time.perf_counter(), bench.puzzle
    costs = {} if report.replay is None else report.replay.costs
    bound = None if report.replay is None else tuple(costs[metric] for metric in bench.metrics)
    try:
        rules, bounds, steps = list_states(bench, wanted.symmetry, bound, look_by(deadline, wanted.progress))
    except Refused as reason:
        return Made(Outcome.DISAGREEMENT, str(reason))
    found = ListAccepted(bound, len(bounds), steps)
    with draft_of(wanted.folder.resolve()) as draft:
        made = {PUZZLE: wanted.source.text, STATES: text_of(rules, bounds),
                **texts(puzzle, bench.metrics, wanted.source, report.plan, costs)}  # fmt: skip
        for name, text in made.items():
            (draft / name).write_bytes(text.encode())
        stated = statement(puzzle, bench.metrics, wanted.source, report.plan, costs, len(bounds))
        (draft / MANIFEST).write_bytes(manifest(stated, draft, files_of(LISTED, report.plan is not None)).encode())
        publish(draft, wanted.folder.resolve())
    seconds = round(time.perf_counter() - began, 3)
    figures = {"directory": str(wanted.folder), **_figures(found), "list_seconds": seconds}
    return Made(report.outcome, f"a certificate is written to {wanted.folder}: {_words(found)}", figures)


def examine(examination: Examined, puzzle: Puzzle, metrics: Sequence[str], source: Source,
            told: Mapping[str, object]) -> None:  # fmt: skip
    """The list, by the referee; then the rest of the folder."""
    path = examination.folder / STATES
    plan, costs = examination.report.plan, examination.costs
    bound = None if plan is None else tuple(costs[metric] for metric in metrics)
    with path.open(encoding="utf-8", errors="replace") as file:
        left_out, alike = _head(file.readline())
    try:
        rules = Rules(puzzle, metrics, left_out, alike)
        found = check(rules, path, look_by(examination.deadline, examination.progress))
    except HiddenRead as name:
        raise Refused(f"{STATES}: {name} is left out, but the rules read it") from None
    _settle(found, bound)
    examination.tell(f"states: {_words(found)}", _figures(found))
    examination.same(
        statement(puzzle, metrics, source, plan, costs, found.states),
        texts(puzzle, metrics, source, plan, costs),
        told,
    )


def _head(line: str) -> tuple[list[str], list[str]]:
    """What the first line leaves out and what it takes for alike; the rest of it is compared."""
    try:
        head = json.loads(line)
        parts = head["left_out"], head["alike"]
        right = all(type(part) is list and all(type(word) is str for word in part) for part in parts)
    except (ValueError, KeyError, TypeError, RecursionError):
        right = False
    if not right:
        raise Refused(f"{STATES}, line 1: this is not the head of a list")
    return parts


def _settle(found: ListAccepted, bound: Bound) -> None:
    """The start's bound has to be what the plan costs, or never."""
    if found.bound != bound:
        what = "there is no plan" if bound is None else f"no plan costs less than {words_of(bound)}"
        raise Refused(f"{STATES}: the bound of the start is {words_of(found.bound)}, which does not show that {what}")


def look_by(deadline: float | None, progress: Progress | None) -> Look:
    """Told of every state, it tells who waits, and raises TimeoutError at the deadline."""

    def look(done: int) -> None:
        if deadline is not None and time.perf_counter() > deadline:
            raise TimeoutError
        if progress is not None:
            progress(f"the referee has looked at {done:,} states")

    return look


def _words(found: ListAccepted) -> str:
    states = f"{found.states:,} state" + "s" * (found.states != 1)
    shown = "none is a goal, and no step leads out of them" if found.bound is None else "no bound is too high"
    return f"the referee has taken {found.steps:,} steps from {states}: {shown}"


def _figures(found: ListAccepted) -> dict[str, object]:
    return {"kind": LISTED, "states": found.states, "steps": found.steps}
