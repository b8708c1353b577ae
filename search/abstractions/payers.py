"""Who pays for a row: in every state one payer, so that estimates of different payers may be added up.

A payer is a variable or a value. A table counts a row's cost only where its own payers pay; what several tables with no
payer in common count of a row is then no more than its cost (additive abstractions: Yang, Culberson, Holte, Zahavi and
Felner 2008).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from models.terms import FALSE, TRUE, Const, Term, Var, member
from search.abstractions.images import Paid, variable_of
from search.proofs.transitions import Transition

Owners = dict[tuple[int, int], Term]  # for each row the value that pays, over the state before


def by_variable(pattern: Collection[int]) -> Paid:
    """The first variable that a row writes pays for it."""

    def paid(row: Transition) -> Term:
        return TRUE if owner(row) in pattern else FALSE

    return paid


def owner(row: Transition) -> int:
    """The variable that pays for a row; -1 where it writes none."""
    return min(map(variable_of, row.after), default=-1)


def by_value(owners: Owners, pattern: Collection[int]) -> Paid:
    """The value that the row is charged to pays."""
    return lambda row: member(owners[row.place], pattern)


def owning_values(rows: Sequence[Transition]) -> Owners | None:
    """For each row the value that arrives where most rows write; if it only writes constants, the rarest of them."""
    written = Counter(variable_of(old) for row in rows for old in row.after)
    constants = Counter(new.value for row in rows for new in row.after.values() if isinstance(new, Const))
    found: Owners = {}
    for row in rows:
        copies = [(written[variable_of(old)], -variable_of(old), new) for old, new in row.after.items()
                  if isinstance(new, Var)]  # fmt: skip
        fixed = [(constants[new.value], new.value, new) for new in row.after.values() if isinstance(new, Const)]
        if copies:
            found[row.place] = max(copies, key=lambda each: each[:2])[2]
        elif fixed:
            found[row.place] = min(fixed, key=lambda each: each[:2])[2]
        else:
            return None
    return found
