"""What CP-SAT says of a claim, as a verdict: over all states, so that its counterexamples may be out of reach."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from models.claims import Verdict
from models.metrics import misfit
from models.outcomes import Operator
from models.task import Heuristic, Invariant

if TYPE_CHECKING:
    from encoders.induction import Decision, Prover

BEYOND = "perhaps out of reach: an invariant may exclude it"


def how_broken(declared: Heuristic | Invariant, operator: Operator) -> str:
    if isinstance(declared, Invariant):
        return "an action changes it"
    return "an action lowers it by more than its cost" if operator else "it is more than 0 at a goal"


def ask_cpsat(prover: Prover, declared: Heuristic | Invariant) -> Verdict:
    """CP-SAT's opinion over all states; a counterexample may be out of reach, so it leaves the claim open."""
    is_heuristic = isinstance(declared, Heuristic)
    if is_heuristic and (why := misfit(prover.task)):
        return Verdict("unknown", why, 0)
    started = time.monotonic()
    answer = prover.heuristic(declared.term) if isinstance(declared, Heuristic) else prover.invariant(declared)
    proven = f"{'consistent for' if is_heuristic else 'kept by'} every action"
    return _verdict(answer, started, proven, how_broken(declared, answer.operator))


def told_of_dead(prover: Prover) -> Verdict:
    """CP-SAT's opinion on `dead`; a way out may be out of reach, so it leaves the claim open."""
    started = time.monotonic()
    answer = prover.dead()
    broken = "an action leads out of it" if answer.operator else "a goal is dead"
    return _verdict(answer, started, "kept by every action, and no goal state is dead", broken)


def told_of_undoing(prover: Prover) -> Verdict:
    """CP-SAT's opinion on undoing steps; one that cannot be undone may be out of reach, so it leaves the claim open."""
    started = time.monotonic()
    answer = prover.undone()
    return _verdict(answer, started, "every action can be undone by one", "an action cannot be undone")


def _verdict(answer: Decision, started: float, proven: str, broken: str) -> Verdict:
    """The answer to a question that was asked then, with the words for either."""
    took = round(time.monotonic() - started, 3)
    if answer.status == "proven":
        return Verdict("proven", proven, took)
    if answer.status == "refuted":
        return Verdict("unknown", f"{broken} in a state that is {BEYOND}", took, answer.state, answer.operator)
    return Verdict("unknown", answer.reason, took)
