"""The referee's word on what a backend answers, as a report."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from models.decoding import plan_of
from models.outcomes import Operator, Outcome
from models.referee import replay
from puzzlewright.report import Report, with_plan
from puzzlewright.solving.disagreement import disagreement
from puzzlewright.solving.request import Request
from puzzlewright.solving.workbench import Workbench


def reported(bench: Workbench, request: Request, outcome: Outcome, **fields: Any) -> Report:
    """A report on the bench's puzzle."""
    puzzle = bench.puzzle
    fields.setdefault("backend", request.backend)
    if outcome is Outcome.UNSOLVABLE:
        fields["lower_bound"] = None  # there is no plan that it could be a bound on
    return Report("solve", outcome, puzzle.name, puzzle.level, metric=bench.task.metric, **fields)


def judged(bench: Workbench, request: Request, operators: Sequence[Operator] | None, *, outcome: Outcome,
           found_cost: int | tuple[int, ...] | None, notes: tuple[str, ...] = (), doubt: str = "",
           **fields: Any) -> Report:  # fmt: skip
    """A report whose plan, if there is one, the referee has replayed.

    `found_cost` is what the backend counts: in each metric, or as the task's one cost. A plan that the referee refuses,
    or that contradicts a proven bound, is a disagreement, with everything saved.
    """
    if operators is None:
        return reported(bench, request, outcome, notes=notes, **fields)
    plan = plan_of(bench.task, tuple(operators))
    try:
        walked = replay(bench.puzzle, plan, _watch(bench, request, len(plan)))
    except TimeoutError:
        note = f"a plan of {len(plan):,} steps was found, but there was no time left for the referee to replay it"
        return reported(bench, request, Outcome.TIME_LIMIT, notes=(*notes, note), **{**fields, "proven_by": ()})
    cost, bound = walked.costs[bench.metrics[0]], fields.get("lower_bound") or 0
    counted = bench.scale.combined(walked.costs) if isinstance(found_cost, int) else bench.scale.costs(walked.costs)
    if not walked.valid:
        doubt = f"the referee refuses step {walked.step} of the plan: {walked.reason}"
    elif found_cost is not None and counted != found_cost:
        doubt = f"the referee counts a cost of {_told(counted)}, the backend {_told(found_cost)}"
    elif cost < bound:
        doubt = f"the plan costs {cost}, though every plan was held to cost at least {bound}"
    fields["operators"] = tuple(operators)
    found = reported(bench, request, outcome, notes=notes, cost=cost, **with_plan(bench.puzzle, plan, walked), **fields)
    return disagreement(replace(found, verdicts=dict(bench.proofs.told)), doubt) if doubt else found


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
