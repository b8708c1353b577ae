"""One order for actions that commute: of two such steps in a row only the order of the file is kept.

Two rows commute if neither writes what the other reads or writes; swapping neighbours leads to the same state at the
same cost, so every plan can be sorted without changing its length (the plan permutations of Fox and Long, The detection
and exploitation of symmetry in planning problems, 1999). Sound where any plan of that length will do; not for checking
a given plan, nor for counting plans.
"""

from __future__ import annotations

from encoders.outline import Outline
from models.task import Row, Task
from models.terms import Term, Var, conjuncts, leaves

MOST_PAIRS = 2_000  # clauses a step; above that the bans cost more than they save


def out_of_order(outline: Outline) -> list[tuple[int, int]]:
    """Pairs (i, j) of places in `outline.rows`: j never directly after i. Empty where they would be too many."""
    touched = [_touched(outline.task, outline.task.schemas[s].rows[r]) for s, r in outline.rows]
    pairs: list[tuple[int, int]] = []
    for later, (reads, writes) in enumerate(touched):
        for earlier, (other_reads, other_writes) in enumerate(touched[:later]):
            if not (writes & (other_reads | other_writes) or other_writes & reads):
                pairs.append((later, earlier))
                if len(pairs) > MOST_PAIRS:
                    return []
    return pairs


def _touched(task: Task, row: Row) -> tuple[set[int], set[int]]:
    """(variables that the row reads, variables that it writes); it reads the parts of `always` that it can break."""
    writes = {assignment.target for phase in row.phases for assignment in phase.assignments}
    parts: list[Term] = [row.cost]
    for phase in row.phases:
        parts += [phase.guard, *(part for a in phase.assignments for part in (a.condition, a.value))]
    reads = _variables(*parts)
    for kept in conjuncts(task.always):
        if _variables(kept) & writes:
            reads |= _variables(kept)
    return reads, writes


def _variables(*parts: Term) -> set[int]:
    return {leaf.index for leaf in leaves(*parts) if isinstance(leaf, Var)}
