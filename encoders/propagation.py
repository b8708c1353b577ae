"""Unit propagation: the refutation of a formula for which that is enough."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from encoders.clausal import Clause


def contradiction(clauses: Sequence[Clause]) -> list[int] | None:
    """The numbers, from 1, of clauses that leave one literal each, in this order, and of one that then leaves none.

    None where propagation comes to no contradiction.
    """
    containing = defaultdict[int, list[int]](list)
    for number, clause in enumerate(clauses, 1):
        for literal in clause:
            containing[literal].append(number)
    true: set[int] = set()
    used: list[int] = []
    waiting = [number for number, clause in enumerate(clauses, 1) if len(clause) <= 1]
    for number in waiting:  # which grows meanwhile
        left = [each for each in clauses[number - 1] if -each not in true]
        if len(left) > 1 or (left and left[0] in true):
            continue
        used.append(number)
        if not left:
            return used
        true.add(left[0])
        waiting += containing[-left[0]]
    return None
