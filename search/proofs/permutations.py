"""What a row that moves values about does to the whole of them is known in closed form: to counts, and to the parity.

How many of some variables have a value stays the same where a row permutes their values (`counted`, `moved`). A sum of
the comparisons of all pairs of some variables counts their inversions (or, pair by pair, what is no inversion, which
differs by a constant). Where facts make the values a permutation, an assignment that permutes the values of some of the
variables changes the number of inversions by an odd number if it is an odd permutation, else by an even one (Cauchy,
1815). Sound because each value is held by just one variable (`are_distinct`), in every state where the facts hold, and
because the row, where its guard holds, gives each variable that it writes the old value of just one of them (`moved`).
So two pairs of variables matter, where `proofs.differences` would have to bound all pairs that share one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from models.terms import Add, Compare, Const, Member, Term, Var, add, member
from search.proofs.transitions import Transition


@lru_cache(maxsize=1 << 12)
def counted(total: Term) -> frozenset[Term] | None:
    """The variables that a sum treats all alike: it adds up how many of them have one of some values."""
    if not isinstance(total, Add):
        return None
    asked = {(coefficient, part.members) for coefficient, part in total.terms if isinstance(part, Member)}
    variables = frozenset(part.argument for _, part in total.terms if isinstance(part, Member))
    alike = len(asked) == 1 and len(variables) == len(total.terms) and all(isinstance(v, Var) for v in variables)
    return variables if alike else None


@lru_cache(maxsize=256)
def inversions(total: Term) -> tuple[frozenset[Term], Term] | None:
    """(variables of which each pair is compared just once in a sum, the rest of the sum)."""
    if not isinstance(total, Add):
        return None
    compared: set[frozenset[Term]] = set()
    rest = []
    for coefficient, part in total.terms:
        pair = _pair(part)
        if pair is not None and coefficient % 2 and pair not in compared:
            compared.add(pair)
        else:
            rest.append((coefficient, part))
    variables = frozenset(leaf for pair in compared for leaf in pair)
    complete = compared and len(compared) == len(variables) * (len(variables) - 1) // 2
    return (variables, add(rest)) if complete else None


def _pair(part: Term) -> frozenset[Term] | None:
    """The two variables of which one is asked to be less than the other."""
    match part:
        case Compare(comparison="<", left=Var() as left, right=Var() as right):
            return frozenset((left, right))
    return None


def are_distinct(variables: Collection[Term], alternatives: Iterable[frozenset[Term]]) -> bool:
    """Do the variables differ? For each value, that this one or that has it is among conditions of which one holds."""
    held = list(alternatives)
    values = {value for variable in variables for value in variable.values}
    return all(_held_once(variables, value, held) for value in values)


def _held_once(variables: Iterable[Term], value: int, alternatives: Iterable[frozenset[Term]]) -> bool:
    having = {member(variable, (value,)) for variable in variables}
    return any(having <= chosen for chosen in alternatives)


def moved(row: Transition, variables: Collection[Term]) -> dict[Term, Term] | None:
    """For each of the variables that the row writes the one whose old value it gets; None if it is no permutation."""
    written = [variable for variable in row.after if variable in variables]
    holding = {row.fixed[variable]: variable for variable in written if variable in row.fixed}
    sources: dict[Term, Term] = {}
    for variable in written:
        value = row.after[variable]
        source = holding.get(row.fixed.get(value, value)) if isinstance(value, Var | Const) else None
        source = source or (value if value in written else None)
        if source is None:
            return None
        sources[variable] = source
    return sources if set(sources.values()) == set(written) else None


def is_odd(sources: dict[Term, Term]) -> bool:
    """Is the permutation odd? A cycle of n is n - 1 exchanges."""
    exchanges, left = 0, set(sources)
    while left:
        first = here = left.pop()
        while (here := sources[here]) is not first:
            left.remove(here)
            exchanges += 1
    return exchanges % 2 == 1
