"""The formula whose refutation certifies a plan: "there is a plan that costs less".

Nothing that the task admits is left out of it: there are no layer windows, no bans of wasteful steps, no invariants. So
whoever trusts the certificate has to trust the plain encoding of steps, and nothing that makes it smaller.
"""

from __future__ import annotations

from typing import NamedTuple

from encoders.clausal import ClausalForm, to_clauses
from encoders.encoding import Encoding, encode
from encoders.outline import Outline, unreduced
from models.outcomes import Unsupported
from models.task import Task

MOST_STEPS = 10_000


class Question(NamedTuple):
    """Is there a plan of at most `horizon` steps and, where `below` is given, of a smaller cost than that?"""

    horizon: int
    below: int | None


class Certified(NamedTuple):
    question: Question
    encoding: Encoding
    form: ClausalForm


def something_cheaper(task: Task, cost: int, deadline: float | None = None) -> Certified:
    """The formula of "there is a plan cheaper than `cost`", in the task's one cost.

    Unsupported where no horizon covers all such plans; TimeoutError at the deadline, a time of `time.perf_counter`.
    """
    shared = unreduced(task)
    question = cheaper(shared, cost)
    if question.horizon > MOST_STEPS:
        raise Unsupported(f"a cheaper plan may have {question.horizon:,} steps, too many to be written as clauses")
    made = encode(task, question.horizon, form="bounded", shared=shared, below=question.below,
                  deadline=deadline)  # fmt: skip
    return Certified(question, made, to_clauses(made.formula))


def cheaper(shared: Outline, cost: int) -> Question:
    """The bounded question that every plan cheaper than `cost` would answer."""
    if cost == 0:
        return Question(0, 0)  # nothing costs less than nothing
    return Question(shared.steps_below(cost), None if shared.uniform_cost else cost)
