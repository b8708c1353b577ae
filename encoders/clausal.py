"""A formula as clauses alone, in the numbers of DIMACS.

An exactly-one group becomes one clause for "at least one" and, for "at most one", a clause for each pair or, where the
group is large, a sequential counter (Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints, 2005). A
linear constraint becomes a layered decision diagram whose nodes are partial sums (Een and Sorensson, Translating
pseudo-Boolean constraints into SAT, 2006). Both leave the formula's own variables exactly the models that they had.

Variable n of the formula is variable n + 1 here. The negation ~n of the formula is -(n + 1): the very same number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations

from encoders.formula import Formula, Intervals, Linear, Literals
from models.outcomes import Unsupported

TRUE, FALSE = 1, -1
LARGEST_PAIRWISE = 6  # literals of a group up to which each pair gets a clause
MOST_AUXILIARIES = 500_000  # from which on no sum is written out any more
Clause = tuple[int, ...]


@dataclass
class ClausalForm:
    """Clauses over the variables 1 .. `variables`; none is empty, always true, or has a literal twice."""

    variables: int
    clauses: list[Clause] = field(default_factory=lambda: [(TRUE,)])
    auxiliaries: list[str] = field(default_factory=list)  # what the last variables stand for, which the formula lacks

    def fresh(self, meaning: str) -> int:
        self.variables += 1
        self.auxiliaries.append(meaning)
        return self.variables

    def add(self, *literals: int) -> None:
        kept = dict.fromkeys(literals)
        if TRUE not in kept and not any(-each in kept for each in kept):
            kept.pop(FALSE, None)
            self.clauses.append(tuple(kept) or (FALSE,))


def dimacs(literal: int) -> int:
    """A literal of a formula as DIMACS writes it."""
    return literal + 1 if literal >= 0 else literal


def to_clauses(formula: Formula) -> ClausalForm:
    """The formula as clauses; Unsupported where its sums are too large for that."""
    made = ClausalForm(formula.variables)
    for clause in formula.clauses:
        made.add(*_translated(clause))
    for number, group in enumerate(formula.groups, 1):
        _add_exactly_one(made, _translated(group), f"exactly-one group {number}")
    for number, linear in enumerate(formula.linears, 1):
        _add_linear(made, linear, f"sum {number}")
    return made


def _translated(literals: Literals) -> list[int]:
    return [dimacs(each) for each in literals]


def _add_exactly_one(made: ClausalForm, group: Sequence[int], name: str) -> None:
    made.add(*group)
    if len(group) <= LARGEST_PAIRWISE:
        for first, second in combinations(group, 2):
            made.add(-first, -second)
        return
    before = group[0]  # one of those before this place holds
    for place, literal in enumerate(group[1:], 2):
        made.add(-before, -literal)
        if place < len(group):
            here = made.fresh(f"{name}: one of the first {place} holds")
            made.add(-before, here)
            made.add(-literal, here)
            before = here


def _add_linear(made: ClausalForm, linear: Linear, name: str) -> None:
    """One node for each number of terms decided and sum of these; its literal says that the rest has to fit.

    The largest coefficients come first, because then more sums are equal.
    """
    pairs = sorted(zip(linear.coefficients, linear.variables, strict=True), key=lambda pair: -abs(pair[0]))
    spans = _spans([coefficient for coefficient, _ in pairs])
    layer = {0: _node(made, linear.intervals, spans[0], 0, f"{name} after 0 terms")}
    made.add(*(-dimacs(each) for each in linear.enforced), layer[0])
    for place, (coefficient, variable) in enumerate(pairs, 1):
        following: dict[int, int] = {}
        for partial, node in layer.items():
            if node in (TRUE, FALSE):
                continue
            for total, decided in ((partial + coefficient, -dimacs(variable)), (partial, dimacs(variable))):
                if total not in following:
                    name_here = f"{name} after {place} terms"
                    following[total] = _node(made, linear.intervals, spans[place], total, name_here)
                made.add(-node, decided, following[total])
        layer = following


def _spans(coefficients: Sequence[int]) -> list[tuple[int, int]]:
    """Between what the terms from each place on can add up to."""
    ends = coefficients[::-1]
    lows = accumulate((min(each, 0) for each in ends), initial=0)
    highs = accumulate((max(each, 0) for each in ends), initial=0)
    return list(zip(lows, highs, strict=True))[::-1]


def _node(made: ClausalForm, intervals: Intervals, span: tuple[int, int], partial: int, name: str) -> int:
    """The literal of a partial sum; none of its own where any rest fits, or none can."""
    low, high = partial + span[0], partial + span[1]
    if any(first <= low and high <= last for first, last in intervals):
        return TRUE
    if not any(first <= high and low <= last for first, last in intervals):
        return FALSE
    if len(made.auxiliaries) >= MOST_AUXILIARIES:
        raise Unsupported("its sums have too many partial sums to be written as clauses")
    return made.fresh(f"{name}: {partial}")


def write_dimacs(made: ClausalForm, comments: Sequence[str]) -> str:
    """The text of a DIMACS file, each comment a line above the header."""
    lines = [f"c {comment}" for comment in comments]
    lines.append(f"p cnf {made.variables} {len(made.clauses)}")
    lines += [" ".join(map(str, (*clause, 0))) for clause in made.clauses]
    return "\n".join(lines) + "\n"
