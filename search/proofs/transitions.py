"""What a row of the task does, as terms over the state before it: the guard of the whole action and each new value.

The phases are composed by substitution, so a row is one simultaneous assignment (regression of a term through an action
is then substitution: Dijkstra's weakest precondition).

What a loop leaves is no such term. It becomes a choice for each variable that the loop writes, and a condition: it
could begin before, and is at rest after. So every step of the row is one of the transition, but not the other way
round (`exact` says so): what holds for all steps of the transition holds for all of the row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import count

from models.frozen import frozen
from models.task import Row, Task
from models.terms import (
    FALSE,
    TRUE,
    Add,
    Choice,
    Member,
    Not,
    Term,
    Var,
    add,
    cases,
    choice,
    conjuncts,
    const,
    leaves,
    substitute,
    var,
)
from search.proofs.enumeration import leaf_set

Look = Callable[[], None]  # called before each phase: rows of many take long to compose. It may raise


@frozen()
class Transition:
    """A row: applicable where all of `guard` holds; then each variable in `after` gets its new value."""

    place: tuple[int, int]  # schema and row
    guard: tuple[Term, ...]
    after: Mapping[Term, Term]  # old variable, its value afterwards
    cost: Term
    read: frozenset[Term]  # leaves that the row reads or writes
    fixed: Mapping[Term, Term]  # leaves that have only one value where the guard holds
    exact: bool = True  # does the row whatever the transition does?

    @property
    def possible(self) -> bool:
        """May it apply somewhere?"""
        return FALSE not in self.guard

    def regress(self, term: Term) -> Term:
        """The term's value after the row, over the state before it."""
        return term if self.after.keys().isdisjoint(leaf_set(term)) else substitute(term, self.after)


def transitions(task: Task, look: Look = lambda: None) -> list[Transition]:
    """All rows that may apply somewhere."""
    return [row for row in (transition(task, place, look) for place in task.rows) if row.possible]


def transition(task: Task, place: tuple[int, int], look: Look = lambda: None) -> Transition:
    row = task.rows[place]
    guard, now = compose(task, row, look)
    old = {index: var(index, len(task.variables[index].domain)) for index in now}
    after = {old[i]: new for i, new in now.items() if new is not old[i] and isinstance(old[i], Var)}
    kept = [whole for whole in conjuncts(task.always) if not after.keys().isdisjoint(leaf_set(whole))]
    guard += [part for whole in kept for part in conjuncts(substitute(whole, after))]
    read = frozenset(after).union(leaves(*guard, *after.values()))
    return Transition(place, tuple(dict.fromkeys(guard)), after, row.cost, read, fixed_by(guard), not row.loops)


def compose(task: Task, row: Row, look: Look) -> tuple[list[Term], dict[int, Term]]:
    """(conditions of all phases, final value of every variable written), over the old state."""
    guard: list[Term] = []
    now: dict[int, Term] = {}
    found: list[dict[int, Term]] = []  # by stage: variables that differ from the old ones
    sizes = [len(variable.domain) for variable in task.variables]
    free = count(max((len(schema.choices) for schema in task.schemas), default=0))  # choices that nothing else has
    for phase in row.phases:
        look()
        found.append(dict(now))
        values = old_values(leaves(*phase.terms), found, task)
        memo: dict[Term, Term] = {}
        guard += conjuncts(substitute(phase.guard, values, memo))
        if phase.loop:
            now |= {a.target: choice(next(free), sizes[a.target]) for a in phase.assignments}
            conditions = phase.at_rest(len(found) - 1, sizes)
            resting = old_values(leaves(*conditions), [*found[:-1], now], task)
            guard += (part for whole in conditions for part in conjuncts(substitute(whole, resting)))
            continue
        written: dict[int, list[tuple[Term, Term]]] = {}
        for a in phase.assignments:
            pair = (substitute(a.condition, values, memo), substitute(a.value, values, memo))
            written.setdefault(a.target, []).append(pair)
        for index, pairs in written.items():
            kept = found[-1].get(index, var(index, sizes[index]))
            now[index] = cases(pairs, kept)
    return guard, now


def old_values(read: Sequence[Term], found: Sequence[Mapping[int, Term]], task: Task) -> dict[Term, Term]:
    """Each leaf of a phase as a term over the old state."""
    return {
        leaf: found[leaf.stage].get(leaf.index, var(leaf.index, len(task.variables[leaf.index].domain)))
        for leaf in read
        if isinstance(leaf, Var)
    }


def fixed_by(parts: Iterable[Term]) -> dict[Term, Term]:
    """Leaves that conditions which hold together leave only one value, with this value."""
    found: dict[Term, Term] = {}
    for part in parts:
        match part:
            case Member(argument=Var() | Choice() as leaf, members=members) if len(members) == 1:
                found[leaf] = const(members[0])
            case Var() | Choice():
                found[part] = TRUE
            case Not(argument=Var() | Choice() as leaf):
                found[leaf] = FALSE
    return found


@lru_cache(maxsize=256)
def readers(total: Term) -> dict[Term, list[tuple[int, Term]]]:
    """For each leaf the summands that read it."""
    found: dict[Term, list[tuple[int, Term]]] = {}
    for pair in total.terms if isinstance(total, Add) else ((1, total),):
        for leaf in leaf_set(pair[1]):
            found.setdefault(leaf, []).append(pair)
    return found


def change(term: Term, row: Transition) -> Term:
    """By how much the row, where it applies, raises the term: only what reads a written variable is left."""
    by_leaf = readers(term)
    changed = dict.fromkeys(pair for leaf in row.after for pair in by_leaf.get(leaf, ()))
    memo: dict[Term, Term] = {}
    delta = add([p for c, t in changed for p in ((c, substitute(t, row.after, memo)), (-c, t))])
    return substitute(delta, row.fixed)
