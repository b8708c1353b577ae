"""The referee's word on what a backend answers, as a report."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace

from models.decoding import plan_of
from models.frozen import frozen
from models.outcomes import Operator, Outcome
from models.referee import Replay, replay
from puzzlewright.report import About, Report, Solution
from puzzlewright.solving.disagreement import disagreement
from puzzlewright.solving.request import Request
from puzzlewright.solving.workbench import Workbench


@frozen(eq=True)
class Answer:
    """What a backend says, before the referee has seen it."""

    outcome: Outcome
    backend: str = ""  # empty: the one that was asked for
    heuristic: str | None = None
    proven_by: tuple[str, ...] = ()
    lower_bound: int | None = None
    notes: tuple[str, ...] = ()
    statistics: Mapping[str, object] = field(default_factory=dict)
    operators: Sequence[Operator] | None = None  # of the plan
    cost: int | tuple[int, ...] | None = None  # as the backend counts: in each metric, or as the task's one
    doubt: str = ""  # what it says against itself


def reported(bench: Workbench, request: Request, answer: Answer) -> Report:
    """A report on what is said without a plan."""
    about = About.of(bench.puzzle, bench.task.metric, answer.backend or request.backend, request.seed)
    bound = None if answer.outcome is Outcome.UNSOLVABLE else answer.lower_bound  # there is no plan that it could be of
    return Report("solve", answer.outcome, replace(about, heuristic=answer.heuristic), answer.proven_by, bound,
                  notes=answer.notes, statistics=answer.statistics)  # fmt: skip


def judged(bench: Workbench, request: Request, answer: Answer) -> Report:
    """A report whose plan, if there is one, the referee has replayed.

    A plan that the referee refuses, or that contradicts a proven bound, is a disagreement, with everything saved.
    """
    said = reported(bench, request, answer)
    if answer.operators is None:
        return said
    operators = tuple(answer.operators)
    plan = plan_of(bench.task, operators)
    try:
        walked = replay(bench.puzzle, plan, _watch(bench, request, len(plan)))
    except TimeoutError:
        note = f"a plan of {len(plan):,} steps was found, but there was no time left for the referee to replay it"
        return replace(said, outcome=Outcome.TIME_LIMIT, proven_by=()).noting(note)
    cost = walked.costs[bench.metrics[0]]
    found = replace(said, solution=Solution.of(bench.puzzle, plan, walked, cost, operators))
    doubt = _doubt(bench, answer, walked, cost)
    return disagreement(replace(found, verdicts=dict(bench.proofs.told)), doubt) if doubt else found


def _doubt(bench: Workbench, answer: Answer, walked: Replay, cost: int) -> str:
    """What the referee has against the answer; empty: nothing."""
    scale = bench.scale
    counted = scale.combined(walked.costs) if isinstance(answer.cost, int) else scale.costs(walked.costs)
    if not walked.valid:
        return f"the referee refuses step {walked.step} of the plan: {walked.reason}"
    if answer.cost is not None and counted != answer.cost:
        return f"the referee counts a cost of {_told(counted)}, the backend {_told(answer.cost)}"
    if cost < (answer.lower_bound or 0):
        return f"the plan costs {cost}, though every plan was held to cost at least {answer.lower_bound}"
    return answer.doubt


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
