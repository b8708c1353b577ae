"""All that path one proves about a task at once, for tests."""

from __future__ import annotations

from typing import NamedTuple

from models.claims import Verdict, Verdicts
from models.outcomes import ENDLESS, Deadline
from models.task import Heuristic, Task
from puzzlewright.solving.memory import Memory
from puzzlewright.solving.proofs import Proofs
from search.proofs.knowledge import Prover


class Knowledge(NamedTuple):
    invariants: Verdicts
    heuristics: Verdicts
    dead: Verdict | None  # None: the file says nothing of dead states
    separating: str | None  # a proven invariant whose value at the start no goal state has: unsolvable


def learn(task: Task, cache: bool = True, deadline: Deadline = ENDLESS) -> Knowledge:
    """Verdicts on all declared claims; with `cache` remembered on disk."""
    proofs = Proofs(task, lambda: deadline, Memory(task.fingerprint if cache else ""))
    prover, verdicts = proofs.as_far_as_possible()
    heuristics = {heuristic.name: prover.heuristic(heuristic) for heuristic in task.heuristics}
    dead = None if task.dead is None else prover.dead()
    separating = next((name for name in proofs.separating_claims if verdicts[name].proven), None)
    return Knowledge(verdicts, heuristics, dead, separating)


def prove_heuristic(task: Task, heuristic: Heuristic) -> Verdict:
    """Without any invariant."""
    return Prover(task).heuristic(heuristic)
