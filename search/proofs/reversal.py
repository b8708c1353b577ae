"""Can every step be undone by a step? Then a search by layers need know only the last two of them.

A row is undone by another if, wherever it applies in a state that meets the facts, the other applies after it and
leaves every variable as it was. That is shown by terms: the other's guard and effects are regressed through the row,
and what is not the same term is enumerated over the few leaves that it reads. Rows with choices or loops are left open:
another prover may know.

Symmetry does no harm: if s leads to t and t to s, an image of t leads to the image of s. Nor does leaving out some
states, dead ones say: both ends of a step are still there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from models.task import Task
from models.terms import FALSE, TRUE, Term, conjuncts, leaves, substitute
from search.compiler.term_tables import fits
from search.proofs.differences import Proof
from search.proofs.enumeration import assignments, leaf_set
from search.proofs.transitions import Transition, fixed_by

VALUES = 20_000  # assignments that one proof about two rows may meet
EQUAL = 10_000  # the same for one about two terms


def one_way(task: Task, rows: Sequence[Transition], proof: Proof) -> Transition | None:
    """A row that no row is proven to undo; None if there is none."""
    groups: dict[frozenset[Term], list[Transition]] = defaultdict(list)
    for row in rows:
        groups[frozenset(row.after)].append(row)
    for row in rows:
        proof.deadline.look()
        others = groups[frozenset(row.after)]
        if (
            not row.exact
            or task.schemas[row.place[0]].choices
            or not any(undone_by(row, each, proof) for each in others)
        ):
            return row
    return None


def undone_by(row: Transition, other: Transition, proof: Proof) -> bool:
    """Does the other row apply wherever the row has been applied, and lead back?"""
    if not other.exact:
        return False
    memo: dict[Term, Term] = {}
    wanted = [part for whole in other.guard for part in conjuncts(substitute(whole, row.after, memo))]
    if FALSE in wanted:
        return False
    given = [*row.guard, *proof.facts]
    back = all(equal(substitute(other.after.get(v, v), row.after, memo), v, row.guard) for v in row.after)
    return back and all(implied(part, given) for part in wanted)


def implied(part: Term, given: Sequence[Term]) -> bool:
    """Does it hold wherever all that is given holds? False: it does not, or it takes too long to tell."""
    if part is TRUE or part in given:
        return True
    part = substitute(part, fixed_by(given))
    if part is TRUE or part in given:
        return True
    near = [each for each in given if not leaf_set(each).isdisjoint(leaf_set(part))]
    if part is FALSE or not fits(part):
        return False
    columns = assignments(leaves(part), near, VALUES)
    return columns is not None and bool(columns.evaluate(part).all())


def equal(one: Term, other: Term, guard: Sequence[Term]) -> bool:
    """Do two terms have the same value wherever the guard holds? False: they differ, or it takes too long to tell."""
    fixed = fixed_by(guard)
    if substitute(one, fixed) is substitute(other, fixed):
        return True
    if not fits(one, other):
        return False
    columns = assignments(leaves(one, other), guard, EQUAL)
    return columns is not None and bool((columns.evaluate(one) == columns.evaluate(other)).all())
