"""That an invariant is kept, as one formula for all rows; and that no goal state has what is kept.

The formula says that there is a state in which the facts hold and a row that applies there, after which the invariant
has lost its value. If it has no model, a state that can be reached keeps the value that the start has, by induction:
facts are invariants for which the same has been shown before, and `always`. A condition that the facts make true or
false in a row is replaced by that, and of rows that differ in nothing but the names of their variables one is asked.

Whoever trusts this trusts grounding (`models/`, with its terms and shapes), `regression.py`, and lowering to clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from encoders.clausal import ClausalForm, to_clauses
from encoders.formula import Formula, ValueLiterals
from encoders.induction import differs, exactly_one, listed, settled
from encoders.lowering import Lowering
from encoders.regression import Transition, as_at, fact, known, transition
from encoders.requirements import require
from encoders.rounds import refuse_loops
from models import terms
from models.frozen import frozen
from models.outcomes import ENDLESS, Deadline
from models.shapes import Naming
from models.task import Invariant, Task
from models.terms import FALSE, Term

Attempt = tuple[Term, ...]  # conditions that hold together


@frozen(eq=True)
class OneStep:
    """A formula about a state and a row, and what its literals say."""

    form: ClausalForm
    values: Mapping[int, ValueLiterals]  # for each variable of the task that it reads
    rows: dict[tuple[int, int], int]  # schema and row: the literal that says that this one acts


def loss(task: Task, invariant: Invariant, before: Sequence[Invariant], deadline: Deadline = ENDLESS) -> OneStep:
    """The formula that a step breaks the invariant, given those shown before; LimitReached at the deadline."""
    refuse_loops(task)
    by_value = isinstance(invariant.term, terms.Modulo) or not terms.is_condition(invariant.term)
    own = invariant.defined if by_value else fact(invariant, task.start)
    given = [*_facts(task, before), *terms.conjuncts(own)]
    alternatives = [found for each in given if (found := exactly_one(each))]
    attempts: dict[tuple[int, ...], tuple[tuple[int, int], Attempt]] = {}
    for place in task.rows:
        row = transition(task, place, deadline.look)
        row = replace(row, known={**row.known, **settled(row, alternatives)})
        attempt = (*row.guard, terms.disjunction(_losses(row, invariant, task, by_value)))
        if FALSE not in attempt:
            attempts.setdefault(Naming().shapes((*attempt, *given)), (place, attempt))
    return _formula(given, dict(attempts.values()))


def reached_goal(task: Task, invariants: Sequence[Invariant]) -> OneStep:
    """The formula that a goal state has all that is kept."""
    goal = terms.conjuncts(task.goal)
    there = [terms.substitute(each, known(goal)) for each in _facts(task, invariants)]
    return _formula([*goal, *there], None)


def _facts(task: Task, invariants: Iterable[Invariant]) -> list[Term]:
    """`always` holds in the start too: the loader sees to that."""
    said = (task.always, *(fact(invariant, task.start) for invariant in invariants))
    return list(dict.fromkeys(part for whole in said for part in terms.conjuncts(whole)))


def _losses(row: Transition, invariant: Invariant, task: Task, by_value: bool) -> Iterator[Term]:
    """What may be lost: the value is no more defined, or it is another one."""
    kept = list(terms.conjuncts(invariant.defined))
    if not by_value:
        kept += terms.conjuncts(as_at(invariant.term, task.start))
    elif row.touches(invariant.term):
        yield differs(row, invariant.term)
    for part in filter(row.touches, kept):
        inner = part.argument if isinstance(part, terms.Member | terms.Not) else part
        changed = differs(row, inner) if isinstance(inner, terms.Modulo | terms.Add) else None
        if isinstance(inner, terms.Modulo) or changed is FALSE:
            yield changed or FALSE
        else:
            yield terms.negation(terms.substitute(row.regress(part), row.known))


def _formula(given: Sequence[Term], tried: dict[tuple[int, int], Attempt] | None) -> OneStep:
    """All of `given` hold, and all that is in one of the attempts (None: and nothing else)."""
    formula, attempts = Formula(), tried or {}
    read = terms.leaves(*given, *(condition for attempt in attempts.values() for condition in attempt))
    values = {leaf.index: formula.one_hot(leaf.values) for leaf in read if isinstance(leaf, terms.Var)}
    state = Lowering(formula, [listed(values)])
    for condition in given:
        if alternatives := exactly_one(condition):
            formula.exactly_one(map(state.literal, alternatives))
        else:
            require(state, (), condition)
    rows = {place: formula.fresh() for place in attempts}
    for place, attempt in attempts.items():
        choices = {c.index: formula.one_hot(c.values) for c in terms.leaves(*attempt) if isinstance(c, terms.Choice)}
        layer = Lowering(formula, [listed(values)], listed(choices)) if choices else state
        for condition in attempt:
            require(layer, (~rows[place],), condition)
    if tried is not None:
        formula.clause(list(rows.values()))
    return OneStep(to_clauses(formula), values, rows)
