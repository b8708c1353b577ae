"""What is proven about a task: invariants, consistent estimates, and an invariant that tells start and goal apart.

Proofs are about all reachable states and use no solver. An unproven claim influences nothing. Ask for one claim by
`prove_invariants` and `prove_heuristic`, or for everything, with memory on disk, by `learn`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from models.outcomes import ENDLESS, Deadline, LimitReached
from models.task import Heuristic, Invariant, Task
from models.terms import Term, conjuncts
from search.consistency import action_name, shortcoming
from search.differences import SECONDS, Proof
from search.invariants import broken_by, differs_at_goal, fact, linear
from search.transitions import Transition, places, transition
from search.verdicts import CUT_SHORT, Verdict, Verdicts, lasting, remember, remembered

__all__ = [
    "Knowledge",
    "Prover",
    "Verdict",
    "facts",
    "learn",
    "prove_heuristic",
    "prove_invariants",
    "separates",
    "separating",
]

OUT_OF_TIME = f"not proven within {SECONDS:g} s"
TOO_DEEP = "expressions are nested too deeply"
SHARE = 1 / 8  # of the time that is left, for one claim


@dataclass(frozen=True)
class Knowledge:
    invariants: Verdicts
    heuristics: Verdicts
    separating: str | None  # a proven invariant whose value at the start no goal state has: unsolvable


class Prover:
    """The proofs about one task; what one proof computes the next ones use. `clock` tells when the whole run ends."""

    def __init__(self, task: Task, clock: Callable[[], Deadline] = lambda: ENDLESS) -> None:
        self.task, self.clock = task, clock
        self.proof = Proof(facts=list(conjuncts(task.always)))
        self.proven: list[str] = []
        self._composed: list[Transition] = []
        self._uncomposed = list(reversed(places(task)))

    @cached_property
    def rows(self) -> list[Transition]:
        """Rows of many phases take long to compose; what is made before time is up stays."""
        while self._uncomposed:
            self.proof.deadline.look()
            self._composed.append(transition(self.task, self._uncomposed[-1]))
            self._uncomposed.pop()
        return [row for row in self._composed if row.possible]

    def assume(self, invariant: Invariant) -> None:
        """Take a proven invariant as a fact from now on."""
        condition = fact(linear(invariant.term, self.proof.facts), self.task.start)
        self.proof.facts += [part for part in conjuncts(condition) if part not in self.proof.facts]
        self.proven.append(invariant.name)

    def invariant(self, invariant: Invariant) -> Verdict:
        return self.judge(lambda: self._broken(invariant.term), "kept by every action")

    def heuristic(self, heuristic: Heuristic) -> Verdict:
        """proven: consistent, hence admissible."""
        return self.judge(
            lambda: shortcoming(self.task, heuristic.term, self.rows, self.proof), "consistent for every action"
        )

    def _broken(self, term: Term) -> str:
        row = broken_by(term, self.task.start, self.rows, self.proof)
        return "" if row is None else f"not known to be kept by {action_name(self.task, row)}"

    def judge(self, attempt: Callable[[], str], success: str) -> Verdict:
        """The verdict of an attempt that returns why it failed."""
        started, whole = time.monotonic(), self.clock()
        self.proof.deadline = whole.within(SECONDS).within(whole.share(SHARE))
        try:
            reason = attempt()
        except LimitReached:
            reason = OUT_OF_TIME if time.monotonic() - started >= SECONDS else CUT_SHORT
        except RecursionError:
            reason = TOO_DEEP
        seconds = round(time.monotonic() - started, 3)
        given = f", given {', '.join(self.proven)}" if self.proven else ""
        return Verdict("unknown", reason, seconds) if reason else Verdict("proven", success + given, seconds)


def prove_invariants(task: Task, prover: Prover | None = None, known: Mapping[str, Verdict] | None = None) -> Verdicts:
    """A verdict for every invariant, in the file's order, each given those proven before; `known` is not redone."""
    prover = prover or Prover(task)
    verdicts: Verdicts = {}
    for invariant in task.invariants:
        verdict = (known or {}).get(invariant.name) or prover.invariant(invariant)
        verdicts[invariant.name] = verdict
        if verdict.proven:
            prover.assume(invariant)
    return verdicts


def prove_heuristic(
    task: Task, heuristic: Heuristic, proven: Iterable[str] = (), prover: Prover | None = None
) -> Verdict:
    """Is the estimate consistent (hence admissible)? `proven` names invariants that may be assumed."""
    if prover is None:
        prover, names = Prover(task), set(proven)
        for invariant in task.invariants:
            if invariant.name in names:
                prover.assume(invariant)
    return prover.heuristic(heuristic)


def separates(task: Task, invariant: Invariant) -> bool:
    """Does a *proven* invariant have another value in every goal state than in the start state?"""
    return differs_at_goal(invariant.term, task.start, task.goal)


def separating(task: Task, verdicts: Mapping[str, Verdict]) -> str | None:
    """The first proven invariant that shows the task to be unsolvable."""
    proven = (i for i in task.invariants if i.name in verdicts and verdicts[i.name].proven)
    return next((invariant.name for invariant in proven if separates(task, invariant)), None)


def facts(task: Task, verdicts: Mapping[str, Verdict]) -> list[Term]:
    """Conditions that hold in every reachable state: the proven invariants, each with its value in the start state."""
    proven = [i.term for i in task.invariants if i.name in verdicts and verdicts[i.name].proven]
    return [fact(term, task.start) for term in proven]


def learn(task: Task, cache: bool = True, deadline: Deadline = ENDLESS) -> Knowledge:
    """Verdicts on all declared invariants and heuristics; remembered on disk where the task has a fingerprint."""
    memory = remembered(task.fingerprint) if cache else {}
    prover = Prover(task, lambda: deadline)
    known = {i.name: memory[f"invariant {i.name}"] for i in task.invariants if f"invariant {i.name}" in memory}
    invariants = prove_invariants(task, prover, known)
    heuristics = {
        h.name: memory[f"heuristic {h.name}"] if f"heuristic {h.name}" in memory else prover.heuristic(h)
        for h in task.heuristics
    }
    found = {f"invariant {name}": v for name, v in invariants.items()}
    found |= {f"heuristic {name}": v for name, v in heuristics.items()}
    if cache and found != memory:
        kept = {key: v for key, v in lasting(found, invariants).items() if v.reason != OUT_OF_TIME}
        remember(task.fingerprint, memory | kept)
    return Knowledge(invariants, heuristics, separating(task, invariants))
