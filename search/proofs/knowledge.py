"""What is proven about a task: invariants, consistent estimates, and an invariant that tells start and goal apart.

Proofs are about all reachable states and use no solver. An unproven claim influences nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from models.claims import CUT_SHORT, DEAD, UNDONE, Claim, Verdict, Verdicts, about, said
from models.outcomes import ENDLESS, Deadline, LimitReached
from models.task import Heuristic, Invariant, Task
from models.terms import conjuncts, value_in
from search.proofs.consistency import action_name, at_most_zero_at_goal, shortcoming
from search.proofs.differences import SECONDS, Proof
from search.proofs.invariants import broken_by, differs_at_goal, fact, left_by, linear
from search.proofs.reversal import one_way
from search.proofs.transitions import Transition, transition

Recall = Callable[[Claim, Callable[[], Verdict]], Verdict]
TOO_DEEP = "expressions are nested too deeply"
UNDEFINED_AT_START = "it is undefined at the start"
DEAD_SECONDS = 3.0  # for `dead`, which makes a search shorter and nothing else
UNDONE_SECONDS = 10.0
EACH_BACK = "every action can be undone by one"
SHARE = 1 / 8  # of the time that is left, for one claim
WHOLE = 1.0  # where an invariant may be the answer: no search takes the place of a proof that would end in time


class Prover:
    """The proofs about one task; what one proof computes the next ones use. `clock` tells when the whole run ends.

    `recall` may know a verdict on a claim from elsewhere, else it has it made.
    """

    def __init__(
        self, task: Task, clock: Callable[[], Deadline] = lambda: ENDLESS, recall: Recall = lambda claim, make: make()
    ) -> None:
        self.task, self.clock, self.recall = task, clock, recall
        self.proof = Proof(facts=list(conjuncts(task.always)))
        self.proven: list[str] = []  # the invariants that are assumed
        self.given: tuple[str, ...] = ()  # the same with their values
        self._composed: list[Transition] = []
        self._uncomposed = list(task.rows)[::-1]

    @cached_property
    def rows(self) -> list[Transition]:
        """Rows of many phases take long to compose; what is made before time is up stays."""
        while self._uncomposed:
            self._composed.append(transition(self.task, self._uncomposed[-1], self.proof.deadline.look))
            self._uncomposed.pop()
        return [row for row in self._composed if row.possible]

    def assume(self, invariant: Invariant) -> None:
        """Take a proven invariant as a fact from now on."""
        value = fact(linear(invariant.term, self.proof.facts), self.task.start)
        self.proof.facts += [part for part in conjuncts(invariant.defined) if part not in self.proof.facts]
        self.proof.facts += [part for part in conjuncts(value) if part not in self.proof.facts]
        self.proven.append(invariant.name)
        self.given += (said(invariant, self.task.start),)

    def invariant(self, invariant: Invariant, share: float = SHARE) -> Verdict:
        """proven: it has a value, and the same one, in every state that can be reached."""
        claim = about("search", invariant, self.task.start, self.given)
        return self._known(claim, lambda: self._broken(invariant), "kept by every action", share)

    def heuristic(self, heuristic: Heuristic) -> Verdict:
        """proven: consistent, hence admissible."""
        claim = about("search", heuristic, self.task.start, self.given)
        attempt = lambda: shortcoming(self.task, heuristic.term, self.rows, self.proof)  # noqa: E731
        return self._known(claim, attempt, "consistent for every action", SHARE)

    def dead(self) -> Verdict:
        """proven: no reachable dead state is a goal, or leads by a step to one that is not dead."""
        claim = Claim("search", DEAD, DEAD, self.given)
        success = "kept by every action, and no goal state is dead"
        return self._known(claim, self._way_out, success, SHARE, DEAD_SECONDS)

    def undone(self) -> Verdict:
        """proven: every step from a reachable state can be undone by a step."""
        return self._known(Claim("search", UNDONE, UNDONE, self.given), self._one_way, EACH_BACK, SHARE, UNDONE_SECONDS)

    def _one_way(self) -> str:
        row = one_way(self.task, self.rows, self.proof)
        return "" if row is None else f"no action is known to undo {action_name(self.task, row)}"

    def _known(
        self, claim: Claim, attempt: Callable[[], str], success: str, share: float, seconds: float = SECONDS
    ) -> Verdict:
        return self.recall(claim, lambda: self.judge(attempt, success, share, seconds))

    def _way_out(self) -> str:
        """How the dead states may be left, or be goals; '' if neither can be."""
        assert self.task.dead is not None
        if not at_most_zero_at_goal(self.task, self.task.dead, self.proof):
            return "a goal state may be dead"
        row = left_by(self.task.dead, self.rows, self.proof)
        return "" if row is None else f"{action_name(self.task, row)} may lead out of it"

    def _broken(self, invariant: Invariant) -> str:
        """Sound because where it has a value, no hole of its term is looked at: `Invariant.defined` is shown first."""
        start, proof = self.task.start, self.proof
        if not value_in(invariant.defined, start):
            return UNDEFINED_AT_START
        row = broken_by(invariant.defined, start, self.rows, proof)
        if row is not None:
            return f"it may be undefined after {action_name(self.task, row)}"
        given = replace(proof, facts=[*proof.facts, *conjuncts(invariant.defined)])
        row = broken_by(invariant.term, start, self.rows, given)
        return "" if row is None else f"not known to be kept by {action_name(self.task, row)}"

    def judge(self, attempt: Callable[[], str], success: str, share: float = SHARE, most: float = SECONDS) -> Verdict:
        """The verdict of an attempt that returns why it failed, in so much of the time that is left."""
        started, whole = time.monotonic(), self.clock()
        self.proof.deadline = whole.within(most).within(whole.share(share))
        try:
            reason = attempt()
        except LimitReached:
            reason = f"not proven within {most:g} s" if time.monotonic() - started >= most else CUT_SHORT
        except RecursionError:
            reason = TOO_DEEP
        seconds = round(time.monotonic() - started, 3)
        given = f", given {', '.join(self.proven)}" if self.proven else ""
        return Verdict("unknown", reason, seconds) if reason else Verdict("proven", success + given, seconds)


def prove_invariants(task: Task, prover: Prover | None = None, share: float = SHARE) -> Verdicts:
    """A verdict for every invariant, in the file's order, each given those proven before."""
    prover = prover or Prover(task)
    verdicts: Verdicts = {}
    for invariant in task.invariants:
        verdicts[invariant.name] = prover.invariant(invariant, share)
        if verdicts[invariant.name].proven:
            prover.assume(invariant)
    return verdicts


def separates(task: Task, invariant: Invariant) -> bool:
    """Does a *proven* invariant have another value in every goal state than in the start state?"""
    return differs_at_goal(invariant.term, task.start, task.goal)
