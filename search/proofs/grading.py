"""Is there a number that belongs to a state and grows by 1 with every step? Then no state is reached by two paths of
different lengths, and a search by layers need know none of them.

Such a number is looked for among sums of weights, one for each value that a variable has: fewer pegs, more edges drawn.
Weights are the same for all variables of one domain. They are guessed, as a solution of one equation for each row whose
old and new values are known; the sum that comes out is a term, and that each row raises it by the same amount is then
shown for this term alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm

from models.task import Task
from models.terms import Const, Term, Var, add, member, substitute, var
from search.proofs.transitions import Transition, change

MOST = 64  # weights

Weight = tuple[tuple[object, ...], int]  # a domain, and a value of it by its number
Equation = dict[Weight, int]


def grade(task: Task, rows: Sequence[Transition]) -> Term | None:
    """A term that every row raises by the same amount, which is not 0; None: no such term was found."""
    equations = [_equation(task, row) for row in rows]
    if not rows or None in equations:
        return None
    weights = _solved([each for each in equations if each is not None])
    if weights is None:
        return None
    whole = lcm(*(weight.denominator for weight in weights.values()))
    term = add([
        (int(weight * whole), member(var(index, len(variable.domain)), (value,)))
        for index, variable in enumerate(task.variables)
        for (domain, value), weight in weights.items()
        if domain == variable.domain and weight
    ])  # fmt: skip
    return term if raised_alike(term, rows) else None


def raised_alike(term: Term, rows: Iterable[Transition]) -> bool:
    """Does every row raise it by one amount that is not 0, wherever it applies?"""
    amounts = {found.values[0] if isinstance(found, Const) and row.exact else 0
               for row in rows for found in (change(term, row),)}  # fmt: skip
    return len(amounts) == 1 and 0 not in amounts


def _equation(task: Task, row: Transition) -> Equation | None:
    """How many more of each value there are after the row; None where that is not the same everywhere."""
    found: Equation = {}
    for variable, new in row.after.items():
        old, new = row.fixed.get(variable), substitute(new, row.fixed)
        if not (isinstance(variable, Var) and isinstance(old, Const) and isinstance(new, Const)):
            return None
        domain = task.variables[variable.index].domain
        for value, by in ((new.values[0], 1), (old.values[0], -1)):
            found[domain, value] = found.get((domain, value), 0) + by
    return {weight: by for weight, by in found.items() if by}


def _solved(equations: Sequence[Equation]) -> dict[Weight, Fraction] | None:
    """Weights by which the sum of each equation is 1 (Gauss and Jordan)."""
    names = list(dict.fromkeys(name for each in equations for name in each))
    distinct = dict.fromkeys(tuple(each.get(name, 0) for name in names) for each in equations)
    if len(names) > MOST:
        return None
    solved: list[tuple[int, list[Fraction]]] = []  # each with the weight that it tells
    for each in distinct:
        line = [Fraction(by) for by in (*each, 1)]
        for at, other in solved:
            line = [a - line[at] * b for a, b in zip(line, other, strict=True)]
        at = next((at for at, by in enumerate(line[:-1]) if by), -1)
        if at < 0:
            if line[-1]:
                return None
            continue
        line = [by / line[at] for by in line]
        solved = [(n, [a - other[at] * b for a, b in zip(other, line, strict=True)]) for n, other in solved]
        solved.append((at, line))
    found = {names[at]: line[-1] for at, line in solved}
    return {name: found.get(name, Fraction(0)) for name in names}
