"""The formula whose refutation certifies a plan: "there is a plan that costs less".

Nothing that the task admits is left out of it: there are no layer windows, no bans of wasteful steps, no invariants. So
whoever trusts the certificate has to trust the plain encoding of steps, and nothing that makes it smaller.
"""

from __future__ import annotations

from typing import NamedTuple

from encoders.clausal import ClausalForm, to_clauses
from encoders.encoding import Encoding, encode
from encoders.rounds import refuse_loops
from encoders.statements import Costs, Outline, horizon_below, unreduced
from models.outcomes import Unsupported
from models.task import Task

MOST_STEPS = 10_000


class Question(NamedTuple):
    """Is there a plan of at most `horizon` steps and, where `below` is given, of smaller costs than that?"""

    horizon: int
    below: Costs | None


class Certified(NamedTuple):
    question: Question
    encoding: Encoding
    form: ClausalForm


def something_cheaper(task: Task, costs: Costs, deadline: float | None = None) -> Certified:
    """The formula of "there is a plan cheaper than `costs`", which are those in the task's metrics.

    Unsupported where no horizon covers all such plans or a phase is repeated until nothing changes; TimeoutError at the
    deadline, a time of `time.perf_counter`.
    """
    refuse_loops(task)
    shared = unreduced(task)
    question = cheaper(shared, costs)
    if question.horizon > MOST_STEPS:
        raise Unsupported(f"a cheaper plan may have {question.horizon:,} steps, too many to be written as clauses")
    made = encode(task, question.horizon, form="bounded", shared=shared, below=question.below,
                  deadline=deadline)  # fmt: skip
    return Certified(question, made, to_clauses(made.formula))


def plan_within(task: Task, horizon: int, deadline: float | None = None) -> Certified:
    """The formula of "there is a plan of at most `horizon` steps"; as `something_cheaper` otherwise."""
    refuse_loops(task)
    made = encode(task, horizon, form="bounded", shared=unreduced(task), deadline=deadline)
    return Certified(Question(horizon, None), made, to_clauses(made.formula))


def cheaper(shared: Outline, costs: Costs) -> Question:
    """The bounded question that every plan cheaper than `costs` would answer."""
    if not any(costs):
        return Question(0, costs)  # nothing costs less than nothing
    return Question(horizon_below(shared, costs), None if shared.uniform_cost else costs)
