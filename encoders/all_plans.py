"""Every plan of a given cost, which is the least one: all solutions of one encoding, as sequences of operators.

Where all steps cost the same the horizon is exact; otherwise a plan of cost C has at most floor(C / c) steps, where c
is the smallest cost of a step (in any metric), and the bounded form asks for a cost of just C. The encoding leaves no
plan out, and idle steps stand at the end only. Different solutions may be the same plan, so plans are kept in a set.
"""

from __future__ import annotations

import time

from encoders import cpsat, decoding
from encoders.encoding import Encoding, encode
from encoders.reachability import outline
from encoders.rounds import written_out
from encoders.statements import NEVER, Costs, few_steps
from models.frozen import frozen
from models.outcomes import ENDLESS, Operator, Unsupported
from models.task import Task

MOST_PLANS = 1_000_000  # that are kept


@frozen(eq=True)
class Enumeration:
    """The plans that were found; all there are, unless the time limit came first."""

    plans: frozenset[tuple[Operator, ...]]
    complete: bool


def every_plan(task: Task, costs: Costs, time_limit: float | None = None) -> Enumeration:
    """The plans of those costs. KeyboardInterrupt passes; Unsupported where steps may cost nothing, or there are too
    many plans to be kept."""
    deadline = None if time_limit is None else time.perf_counter() + time_limit
    try:
        made = _encoding(task, costs, deadline)
    except TimeoutError:
        return Enumeration(frozenset(), False)
    if made is None:
        return Enumeration(frozenset(), True)
    found: set[tuple[Operator, ...]] = set()

    def receive(values: cpsat.Assignment) -> bool:
        found.add(tuple(decoding.operators(made.outline, made.steps, values)))
        return len(found) > MOST_PLANS

    left = None if deadline is None else deadline - time.perf_counter()
    complete = (left is None or left > 0) and cpsat.every_solution(made.formula, receive, left)
    if len(found) > MOST_PLANS:
        raise Unsupported(f"there are more than {MOST_PLANS:,} plans: too many to be listed by CP-SAT")
    return Enumeration(frozenset(found), complete)


def _encoding(task: Task, costs: Costs, deadline: float | None) -> Encoding | None:
    """A formula whose solutions are the plans; None where there is none. May raise TimeoutError."""
    left = None if deadline is None else deadline - time.perf_counter()
    shared = outline(written_out(task, ENDLESS.within(left)), deadline)
    if shared.lower_bound >= NEVER:
        return None
    horizons = [cost // least for cost, least in zip(costs, shared.cheapest, strict=True) if least]
    if not horizons:
        raise Unsupported("steps may cost nothing, so that no horizon covers every plan of a given cost")
    steps, uniform = few_steps(min(horizons)), shared.uniform_cost
    if uniform:
        fits = costs == tuple(steps * cost for cost in uniform)
        return encode(task, steps, shared=shared, deadline=deadline) if fits else None
    made = encode(task, steps, form="bounded", shared=shared, deadline=deadline)
    for cost, weighted in zip(costs, made.costs, strict=True):
        made.formula.linear((), weighted, ((cost, cost),))
    return made
