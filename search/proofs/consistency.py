"""Proofs that a declared estimate is consistent, row by row: h(s) - h(s') <= cost, and h <= 0 where the goal holds.

Consistent in this sense on all states that satisfy the proven facts, hence admissible there (Pearl, Heuristics, 1984);
search replaces negative estimates by 0, which keeps both. A maximum falls by no more than the argument that falls most;
sums of small terms are bounded by `proofs.differences`. A proof that fails says where: nothing is refuted here, because
the state of a counterexample may be out of reach.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.task import Task
from models.terms import Add, Choice, Const, FloorDivide, Maximum, Minimum, Term, Var, add, conjuncts, const, substitute
from models.values import show
from search.proofs.differences import Bounds, Proof, bounds
from search.proofs.enumeration import leaf_set
from search.proofs.invariants import change_bounds, joint_values, linear, wider_bounds
from search.proofs.transitions import Transition, change, fixed_by

SMALL = 100_000  # joint values of the leaves up to which a nested maximum is enumerated as a whole
Range = tuple[int, int]


def shortcoming(task: Task, term: Term, rows: Sequence[Transition], proof: Proof) -> str:
    """Why the estimate is not known to be consistent; empty: it is."""
    term = linear(term, proof.facts)
    for row in rows:
        if change_range(term, row, row.cost, proof)[0] < 0:
            return explain(task, term, row, proof)
    return "" if at_most_zero_at_goal(task, term, proof) else "it is not known to be at most 0 in all goal states"


def change_range(term: Term, row: Transition, plus: Term, proof: Proof, enough: int = 0) -> Range:
    """Least and greatest of (term after the row - term before + plus), as far as known; no further than `enough`."""
    delta = add([(1, change(term, row)), (1, plus)])
    if isinstance(delta, Const):
        return delta.value, delta.value
    whole = delta.values[0], delta.values[-1]  # whatever its parts are
    found = meet(whole, by_parts(term, row, plus, proof, enough) or whole)
    nested, many = isinstance(term, Maximum | Minimum | FloorDivide), joint_values(leaf_set(delta)) > SMALL
    if found[0] < enough and many and not nested and not row.guard:  # then what shares no leaves is free of each other
        found = meet(found, span(bounds(delta, (), (), proof)) or whole)
    if found[0] >= enough:
        return found
    if not (nested and many):
        found = meet(found, span(change_bounds(delta, row, proof)) or whole)
        if found[0] < enough:
            found = meet(found, span(wider_bounds(delta, row, proof)) or whole)
    if found[0] < enough and isinstance(term, Add) and any(not isinstance(t, Var) for _, t in term.terms):
        found = meet(found, by_summands(term, row, plus, proof))
    return found


def span(found: Bounds | None) -> Range | None:
    return None if found is None else (found.least, found.greatest)


def meet(one: Range, other: Range) -> Range:
    return max(one[0], other[0]), min(one[1], other[1])


def by_parts(term: Term, row: Transition, plus: Term, proof: Proof, enough: int) -> Range | None:
    """A maximum changes by no more than its arguments do, a quotient by the change divided, rounded away."""
    match term:
        case Maximum(arguments=arguments) | Minimum(arguments=arguments):
            ranges = [change_range(argument, row, plus, proof, enough) for argument in arguments]
            return min(r[0] for r in ranges), max(r[1] for r in ranges)
        case FloorDivide(argument=argument, divisor=divisor):
            low, high = change_range(argument, row, const(0), proof, (enough - plus.values[0]) * divisor)
            return low // divisor + plus.values[0], -(-high // divisor) + plus.values[-1]
    return None


def by_summands(term: Add, row: Transition, plus: Term, proof: Proof) -> Range:
    low, high = plus.values[0], plus.values[-1]
    for coefficient, part in term.terms:
        if not row.after.keys().isdisjoint(leaf_set(part)):
            ends = [coefficient * end for end in change_range(part, row, const(0), proof)]
            low, high = low + min(ends), high + max(ends)
    return low, high


def at_most_zero_at_goal(task: Task, term: Term, proof: Proof) -> bool:
    goal = conjuncts(task.goal)
    at_goal = substitute(term, fixed_by(goal))
    parts = at_goal.arguments if isinstance(at_goal, Maximum) else (at_goal,)
    return all(_never_positive(part, goal, proof) for part in parts)


def _never_positive(term: Term, goal: Sequence[Term], proof: Proof) -> bool:
    """First with the summands bounded apart, given only what the goal fixes; then as a whole."""
    if term.values[-1] <= 0:
        return True
    apart = bounds(term, fixed_by(goal), goal, proof)
    if apart is not None and apart.greatest <= 0:
        return True
    whole = bounds(term, leaf_set(term), goal, proof)
    return whole is not None and whole.greatest <= 0


def explain(task: Task, term: Term, row: Transition, proof: Proof) -> str:
    """The action and, where one was met, the values for which the estimate falls by more than the cost."""
    name = action_name(task, row)
    delta = add([(1, change(term, row)), (1, row.cost)])
    small = isinstance(term, Add) or joint_values(leaf_set(delta)) <= SMALL
    found = change_bounds(delta, row, proof) if small else None
    if found is None:
        return f"{name}: too many joint values to enumerate"
    if found.least >= 0:
        return f"{name}: the parts are too many to bound together"
    worst = int(found.low.argmin())
    told = (describe(task, row, leaf, int(values[worst])) for leaf, values in found.core.of.items())
    where = [words for words in told if words]
    text = f"{name}: the estimate may fall by {-found.least} more than the cost"
    return f"{text} where {', '.join(where)} (perhaps out of reach)" if where else text


def action_name(task: Task, row: Transition) -> str:
    schema = task.schemas[row.place[0]]
    arguments = ", ".join(f"{name}={show(value)}" for name, value in task.rows[row.place].arguments)
    return f"{schema.name}({arguments})"


def describe(task: Task, row: Transition, leaf: Term, value: int) -> str:
    """A leaf's value in the author's words; what a loop leaves has no name but that of a variable that ends as it."""
    free = task.schemas[row.place[0]].choices
    if isinstance(leaf, Choice) and leaf.index < len(free):
        return f"{free[leaf.index].name} = {show(free[leaf.index].domain[value])}"
    found = leaf if isinstance(leaf, Var) else next((old for old, new in row.after.items() if new is leaf), None)
    if not isinstance(found, Var):
        return ""
    variable = task.variables[found.index]
    return f"{variable.name} = {show(variable.domain[value])}{'' if found is leaf else ' afterwards'}"
