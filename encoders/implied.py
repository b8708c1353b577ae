"""What every reachable state, or some best plan, fulfils anyway: stated once more, it shortens the solver's proofs.

Facts hold in every reachable state; a consistent estimate is never more than what is left to pay; bans are about pairs
of steps. All of them are worked out or proven by this path alone (`encoders.bans`, `encoders.induction`). None of them
goes into a certificate, into the check of a given plan or into counting.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from encoders import sums
from encoders.bans import Ban, bans
from encoders.formula import FALSE, Formula
from encoders.lowering import Lowering
from encoders.regression import fact
from encoders.requirements import require
from encoders.statements import Outline
from models import terms
from models.frozen import frozen
from models.outcomes import Unsupported
from models.task import Heuristic, Invariant, Task
from models.terms import Term, value_in

Names = Collection[str]


@frozen(eq=True)
class Implied:
    bans: Sequence[Ban] = ()
    facts: Sequence[Term] = ()  # conditions that hold in every reachable state
    estimates: Sequence[Term] = ()  # consistent: from a state on, every plan costs at least as much
    step_cost: int = 1  # of every step, where there are estimates


def worth_proving(shared: Outline) -> tuple[list[Invariant], list[Heuristic]]:
    """The invariants that are cheap to state; the heuristics, the highest at the start first (the first one proven is
    enough)."""
    task = shared.task
    invariants = [i for i in task.invariants if any(_is_cheap(task, part) for part in _parts(task, i))]
    estimates = task.heuristics if _step_cost(shared) else ()
    useful = [h for h in estimates if value_in(h.term, task.start) > 0]
    return invariants, sorted(useful, key=lambda h: -value_in(h.term, task.start))


def implied(shared: Outline, invariants: Names = (), heuristics: Names = (), deadline: float = math.inf) -> Implied:
    """What is worth stating, given the names of what is proven; no bans if `time.perf_counter()` passes `deadline`."""
    task = shared.task
    said = dict.fromkeys(part for i in task.invariants if i.name in invariants for part in _parts(task, i))
    step_cost = _step_cost(shared)
    estimates = [h.term for h in task.heuristics if h.name in heuristics] if step_cost else []
    best = max(estimates, key=lambda term: value_in(term, task.start), default=None)
    facts = [part for part in said if _is_cheap(task, part)]
    return Implied(bans(shared, deadline), facts, () if best is None else (_tabulated(best),), step_cost or 1)


def _step_cost(shared: Outline) -> int | None:
    """The cost of every step, in what estimates are measured in: the one metric, if all cost the same."""
    return shared.uniform_cost[0] if shared.uniform_cost and len(shared.metrics) == 1 else None


def _parts(task: Task, invariant: Invariant) -> tuple[Term, ...]:
    return terms.conjuncts(fact(invariant, task.start))


def _is_cheap(task: Task, condition: Term) -> bool:
    """Does a condition need no literals of its own?"""
    formula = Formula()
    layer = Lowering(formula, [[formula.one_hot(range(len(variable.domain))) for variable in task.variables]])
    before = formula.variables
    try:
        state_fact(layer, condition)
    except Unsupported:
        return False
    return formula.variables == before


def _tabulated(term: Term) -> Term:
    """The same term; summands that depend on a single variable are look-ups, which need no literals of their own."""
    match term:
        case terms.Maximum(arguments=arguments):
            return terms.maximum(map(_tabulated, arguments))
        case terms.FloorDivide(argument=argument, divisor=divisor):
            return terms.floor_divide(_tabulated(argument), divisor)
        case terms.Add(terms=pairs, constant=constant):
            return terms.add([(coefficient, _table(part)) for coefficient, part in pairs], constant)
    return term


def _table(term: Term) -> Term:
    read = terms.leaves(term)
    if len(read) != 1 or term is read[0]:
        return term
    values = [terms.substitute(term, {read[0]: terms.const(value)}) for value in read[0].values]
    return terms.lookup(read[0], [value.values[0] for value in values])


def state_fact(layer: Lowering, condition: Term) -> None:
    """The condition holds at this layer; "just one of" and "as many of" in the solver's own words."""
    match condition:
        case terms.Member(argument=terms.Add() as total, members=members) if _counts(total):
            holding = [literal for _, part in total.terms if (literal := layer.literal(part)) != FALSE]
            if len(members) == 1 and members[0] == total.constant + 1:
                layer.formula.exactly_one(holding)
            else:
                _, ranges = sums.sum_in(condition)
                layer.formula.linear((), [(1, literal) for literal in holding], ranges)
        case _:
            require(layer, (), condition)


def _counts(total: terms.Add) -> bool:
    """Does the sum count how many of some conditions hold?"""
    return all(coefficient == 1 and terms.is_condition(part) for coefficient, part in total.terms)


def within(layer: Lowering, estimate: Term, budget: int) -> None:
    """The estimate is at most the budget."""
    if estimate.values[-1] <= budget:
        return
    match estimate:
        case terms.Maximum(arguments=arguments):
            for part in arguments:
                within(layer, part, budget)
        case terms.FloorDivide(argument=argument, divisor=divisor):
            within(layer, argument, budget * divisor + divisor - 1)
        case terms.Add(terms=pairs, constant=constant):
            layer.formula.linear((), layer.weighted(pairs), ((None, budget - constant),))
        case _:
            require(layer, (), terms.compare("<=", estimate, terms.const(budget)))


def least_steps(task: Task, known: Implied) -> int:
    """No plan has fewer steps, by what the estimates say of the start."""
    return max((-(-value_in(term, task.start) // known.step_cost) for term in known.estimates), default=0)
