"""What is proven about a task, by each path for itself: asked for once, remembered on disk, told in words.

Path one's prover and CP-SAT share no verdict: each relies on what it has proven itself, given facts that are proven for
the start at hand. The one way to a verdict is through the memory (`solving.memory`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from models.claims import DEAD, UNDONE, Claim, Verdict, Verdicts, about, said
from models.outcomes import Deadline
from models.task import Heuristic, Invariant, Task
from models.terms import Term, value_in
from puzzlewright.solving.memory import Memory

if TYPE_CHECKING:
    from encoders.induction import Prover as Solver
    from search.proofs.knowledge import Prover
    from search.proofs.symmetry import Symmetry

UNDONE_SECONDS = 60.0  # of CP-SAT, on steps that can be undone: what it spares takes far longer
GROWS = "proven: a number grows with every step"
ASKED_SECONDS = 10.0  # of CP-SAT, on a heuristic that the quick prover leaves open


class Quick(NamedTuple):
    """The prover of path one, after all invariants, and its verdicts on them."""

    prover: Prover
    verdicts: Verdicts


class Known(NamedTuple):
    """What CP-SAT has proven alone and may use in its formulas: the names of invariants, and of one heuristic."""

    invariants: list[str]
    heuristics: list[str]


class Proofs:
    """The proofs about a task. What takes long raises LimitReached at the deadline that `clock` tells."""

    def __init__(self, task: Task, clock: Callable[[], Deadline], memory: Memory) -> None:
        self.task, self.clock, self.memory = task, clock, memory
        self.told: dict[str, str] = {}  # the verdicts that were asked for, in words

    def moved(self, task: Task, clock: Callable[[], Deadline]) -> Proofs:
        """The same for another start at which all invariants have the values that they have here."""
        made = copy(self)
        made.task, made.clock, made.told = task, clock, {}
        if "knowledge" in vars(made):
            prover = copy(made.knowledge.prover)
            prover.clock = clock
            made.knowledge = Quick(prover, made.knowledge.verdicts)
        return made

    @property
    def solved(self) -> bool:
        """Is the start a goal? Then there is nothing to prove."""
        return bool(value_in(self.task.goal, self.task.start))

    # -- path one ------------------------------------------------------------------------------------------------------

    @cached_property
    def knowledge(self) -> Quick:
        """Kept only if it was not cut short."""
        from search.proofs.knowledge import SHARE, WHOLE

        found = self._proven_now(WHOLE if self.separating_claims else SHARE)
        self.clock().look()
        return found

    def as_far_as_possible(self) -> Quick:
        """The same, even where the deadline cuts verdicts short; each claim has a share of the time."""
        from search.proofs.knowledge import SHARE

        return self.knowledge if "knowledge" in vars(self) else self._proven_now(SHARE)

    def _proven_now(self, share: float) -> Quick:
        from search.proofs.knowledge import Prover, prove_invariants

        prover = Prover(self.task, lambda: self.clock(), self.memory.recall)
        return Quick(prover, prove_invariants(self.task, prover, share))

    @property
    def facts(self) -> Sequence[Term]:
        """Conditions that are proven to hold in every reachable state."""
        return self.knowledge.prover.proof.facts

    @property
    def invariants(self) -> Verdicts:
        """Path one's verdicts, each given those proven before; where all are remembered, no prover is loaded."""
        found: Verdicts = {}
        given: tuple[str, ...] = ()
        for invariant in self.task.invariants:
            verdict = self.memory.find(about("search", invariant, self.task.start, given))
            if verdict is None:
                return self.knowledge.verdicts
            found[invariant.name] = verdict
            given += (said(invariant, self.task.start),) * verdict.proven
        return found

    def _proven(self) -> list[Invariant]:
        verdicts = self.invariants
        return [invariant for invariant in self.task.invariants if verdicts[invariant.name].proven]

    def _given(self, proven: Sequence[Invariant]) -> tuple[str, ...]:
        """The facts that these invariants are, as verdicts name them."""
        return tuple(said(invariant, self.task.start) for invariant in proven)

    def separating(self) -> str | None:
        """The name of a proven invariant that tells the start from every goal state, if there is one."""
        if self.solved or not self.separating_claims:
            return None
        verdicts = self.invariants
        for name, verdict in verdicts.items():
            self.told[f"invariant {name}"] = str(verdict)
        return next((name for name in self.separating_claims if verdicts[name].proven), None)

    @cached_property
    def separating_claims(self) -> list[str]:
        """The invariants that, once proven, show the task to be unsolvable."""
        return [invariant.name for invariant in self.task.invariants if self._is_separating(invariant)]

    def _is_separating(self, invariant: Invariant) -> bool:
        """Has no goal state the invariant's value at the start? Remembered, since finding out loads numpy."""

        def ask() -> Verdict:
            from search.proofs.knowledge import separates

            if separates(self.task, invariant):
                return Verdict("proven", "no goal has it", 0)
            return Verdict("unknown", "a goal may have it", 0)

        return self.memory.recall(Claim("search", "separates", said(invariant, self.task.start)), ask).proven

    def proven(self, declared: Heuristic, ask: bool | None = None) -> bool:
        """Is the heuristic proven consistent (hence admissible)? By default CP-SAT is asked where it is claimed."""
        if self.solved:
            return False
        verdict = self._by_search(about("search", declared, self.task.start, self._given(self._proven())),
                                  lambda prover: prover.heuristic(declared))  # fmt: skip
        if not verdict.proven and (declared.claim if ask is None else ask):
            verdict = self._by_others(declared, verdict)
        self.told[f"heuristic {declared.name}"] = str(verdict)
        return verdict.proven

    def _by_search(self, claim: Claim, ask: Callable[[Prover], Verdict]) -> Verdict:
        """What is remembered of a claim, else what the prover says, if there is time."""
        verdict = self.memory.find(claim)
        if verdict is None:
            verdict = ask(self.knowledge.prover)
            self.clock().look()
        return verdict

    def _by_others(self, declared: Heuristic, verdict: Verdict) -> Verdict:
        """What a walk has once told about a heuristic that the quick prover left open, or else what CP-SAT tells."""
        walked = self.memory.find(self.walked(declared))
        if walked is not None and walked.status != "unknown":
            return walked
        left = self.clock().within(ASKED_SECONDS).left
        if not left:
            return verdict
        found = self.by_cpsat(declared, left, self._proven())
        return replace(found, reason=f"{found.reason}; proven by CP-SAT") if found.proven else verdict

    def walked(self, declared: Heuristic | Invariant) -> Claim:
        """What a walk tells of a claim is about its start alone."""
        return replace(about("walk", declared, self.task.start), start=self.task.start)

    # -- dead states ---------------------------------------------------------------------------------------------------

    @property
    def starts_dead(self) -> bool:
        return self.task.dead is not None and bool(value_in(self.task.dead, self.task.start))

    def loses_dead(self) -> bool:
        """Is it proven by path one that no goal can be reached from dead states?"""
        if self.task.dead is None or self.solved:
            return False
        claim = Claim("search", DEAD, DEAD, self._given(self._proven()))
        verdict = self._by_search(claim, lambda prover: prover.dead())
        self.told[DEAD] = str(verdict)
        return verdict.proven

    @cached_property
    def dead_fits(self) -> bool:
        """Can its numbers be compiled and encoded? Then what is left out is no reason to be `unsupported`."""
        from search.compiler.term_tables import fits

        return self.task.dead is not None and fits(self.task.dead)

    # -- layers of a search --------------------------------------------------------------------------------------------

    def known_layers(self, symmetry: Symmetry | None) -> int | None:
        """How many layers before the next one a search has to know (`search.layers.walk`); None: all of them.

        None has to be where a number grows with every step, which has to be the same for states that count as one; the
        last two where every step can be undone by a step.
        """
        if self._graded(symmetry):
            self.told["grade"] = GROWS
            return 0
        return 2 if self.undone else None

    def _graded(self, symmetry: Symmetry | None) -> bool:
        from search.proofs.grading import grade
        from search.proofs.symmetry import respects

        term = grade(self.task, self.knowledge.prover.rows)
        return term is not None and (symmetry is None or respects(self.task, symmetry, term))

    @cached_property
    def undone(self) -> bool:
        """Is it proven, by either path, that every step from a reachable state can be undone by a step?"""
        verdict = self._by_search(Claim("search", UNDONE, UNDONE, self._given(self._proven())),
                                  lambda prover: prover.undone())  # fmt: skip
        if not verdict.proven and (left := self.clock().within(UNDONE_SECONDS).left):
            verdict = self._undone_by_cpsat(left, self._proven())
        self.told[UNDONE] = str(verdict)
        return verdict.proven

    def _undone_by_cpsat(self, seconds: float, proven: Sequence[Invariant]) -> Verdict:
        from puzzlewright.solving.opinions import told_of_undoing

        claim = Claim("cpsat", UNDONE, UNDONE, self._given(proven))
        return self.opinion(claim, seconds, lambda: told_of_undoing(self._solver(seconds, proven)))

    # -- path two ------------------------------------------------------------------------------------------------------

    def by_cpsat(self, declared: Heuristic | Invariant, seconds: float, proven: Sequence[Invariant]) -> Verdict:
        """CP-SAT's opinion on a heuristic or an invariant, given invariants that are proven for this start."""
        from puzzlewright.solving.opinions import ask_cpsat

        claim = about("cpsat", declared, self.task.start, self._given(proven))
        return self.opinion(claim, seconds, lambda: ask_cpsat(self._solver(seconds, proven), declared))

    def dead_by_cpsat(self, seconds: float, proven: Sequence[Invariant]) -> Verdict:
        """CP-SAT's opinion on `dead`, given invariants that are proven for this start."""
        from puzzlewright.solving.opinions import told_of_dead

        claim = Claim("cpsat", DEAD, DEAD, self._given(proven))
        return self.opinion(claim, seconds, lambda: told_of_dead(self._solver(seconds, proven)))

    def _solver(self, seconds: float, proven: Sequence[Invariant]) -> Solver:
        """CP-SAT on claims about this task, given these invariants."""
        from encoders.induction import Prover
        from encoders.regression import fact

        facts = [fact(invariant, self.task.start) for invariant in proven]
        return Prover(self.task, facts, seconds, self.clock().stop)

    def known_to_cpsat(self, seconds: float) -> Known:
        """`seconds` for each claim; invariants are proven in file order, each given the ones before."""
        from encoders.implied import worth_proving
        from encoders.rounds import written_out
        from encoders.statements import unreduced

        known: list[Invariant] = []

        def proves(declared: Heuristic | Invariant) -> bool:
            return not self.solved and self.clock().left != 0 and self.by_cpsat(declared, seconds, known).proven

        invariants, heuristics = worth_proving(unreduced(written_out(self.task, self.clock())))
        for invariant in invariants:
            if proves(invariant):
                known.append(invariant)
        return Known([each.name for each in known], list(islice((h.name for h in heuristics if proves(h)), 1)))

    def task_for_cpsat(self, known: Known, seconds: float) -> Task:
        """Without the dead states, where CP-SAT has proven that no goal can be reached from them."""
        proven = [invariant for invariant in self.task.invariants if invariant.name in known.invariants]
        if self.task.dead is None or self.solved or self.starts_dead or self.clock().left == 0 or not self.dead_fits:
            return self.task
        return self.task.without_dead() if self.dead_by_cpsat(seconds, proven).proven else self.task

    def opinion(self, claim: Claim, seconds: float, ask: Callable[[], Verdict]) -> Verdict:
        """A remembered verdict, else what is answered; asked again where there was less time than now."""
        found = self.memory.find(claim)
        if found is None or (found.status == "unknown" and found.state is None and found.seconds < 0.9 * seconds):
            found = self.memory.keep(claim, ask())
        return found
