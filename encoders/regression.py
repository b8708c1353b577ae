"""What a row does as terms over the state before it: where it applies, what each variable becomes, where effects clash.

Regression of a term through an action is substitution (Dijkstra, Guarded commands, 1975), so a condition on the state
after becomes one on the state before: what the row leaves alone is the same term on both sides and cancels before a
solver sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from models import terms
from models.frozen import frozen
from models.task import Invariant, Phase, State, Task
from models.terms import Term, value_in


@frozen()
class Transition:
    """One row: applicable where every condition of `guard` holds; then each variable of `after` has its new value."""

    place: tuple[int, int]  # schema and row
    guard: tuple[Term, ...]
    after: Mapping[Term, Term]
    cost: Term
    costs: tuple[Term, ...]  # in each metric
    known: Mapping[Term, Term]  # terms that have this value wherever the row applies: leaves, to begin with
    clashes: tuple[tuple[Term, ...], ...]  # each: nothing but a clash of the row's own effects holds it back

    def touches(self, term: Term) -> bool:
        """Does the term read a variable that the row may change?"""
        return not self.after.keys().isdisjoint(reads(term))

    def regress(self, term: Term) -> Term:
        """The term's value after the row."""
        return terms.substitute(term, self.after)

    def change(self, term: Term) -> Term:
        """By how much the row raises the term where it applies; summands that it does not touch are left out."""
        pairs = term.terms if isinstance(term, terms.Add) else ((1, term),)
        touched = [(c, part) for c, part in pairs if self.touches(part)]
        difference = [*((c, self.regress(part)) for c, part in touched), *((-c, part) for c, part in touched)]
        once = terms.substitute(terms.add(difference), self.known)
        return terms.substitute(once, self.known)  # the first round makes terms that the second one knows


@lru_cache(maxsize=1 << 16)
def reads(term: Term) -> frozenset[Term]:
    """The variables and choices that a term reads."""
    return frozenset(terms.leaves(term))


def transition(task: Task, place: tuple[int, int], look: Callable[[], None] = lambda: None) -> Transition:
    """The row as one simultaneous assignment, its phases composed; `look` is called before each and may raise."""
    row = task.rows[place]
    assert not row.loops
    written: list[dict[int, Term]] = [{}]  # for each stage: the variables written so far, over the old state
    guard: list[Term] = []
    clashes: list[tuple[Term, ...]] = []
    for phase in row.phases:
        look()
        old = _over_old_state(task, phase, written)
        if phase.lax is not None:
            held_back = terms.conjunction((phase.lax, terms.negation(phase.guard)))
            clashes.append((*guard, *terms.conjuncts(terms.substitute(held_back, old))))
        guard += terms.conjuncts(terms.substitute(phase.guard, old))
        written.append({**written[-1], **_assigned(task, phase, written[-1], old)})
    after = {v: new for v, new in ((_variable(task, i), new) for i, new in written[-1].items()) if new is not v}
    always = (c for c in terms.conjuncts(task.always) if not after.keys().isdisjoint(reads(c)))
    guard += (part for c in always for part in terms.conjuncts(terms.substitute(c, after)))
    return Transition(place, tuple(dict.fromkeys(guard)), after, row.cost, row.costs, known(guard), tuple(clashes))


def _variable(task: Task, index: int) -> Term:
    return terms.var(index, len(task.variables[index].domain))


def _over_old_state(task: Task, phase: Phase, written: list[dict[int, Term]]) -> dict[Term, Term]:
    """What each variable that the phase reads is, over the old state."""
    variables = terms.leaves(*phase.terms, phase.lax or terms.TRUE)
    return {
        leaf: written[leaf.stage].get(leaf.index, _variable(task, leaf.index))
        for leaf in variables
        if isinstance(leaf, terms.Var)
    }


def _assigned(task: Task, phase: Phase, before: Mapping[int, Term], old: Mapping[Term, Term]) -> dict[int, Term]:
    """The new value of each variable that the phase writes."""
    lines: dict[int, list[tuple[Term, Term]]] = {}
    memo: dict[Term, Term] = {}
    for a in phase.assignments:
        line = terms.substitute(a.condition, old, memo), terms.substitute(a.value, old, memo)
        lines.setdefault(a.target, []).append(line)
    return {i: terms.cases(pairs, before.get(i, _variable(task, i))) for i, pairs in lines.items()}


def known(conditions: Iterable[Term]) -> dict[Term, Term]:
    """The leaves to which conditions that hold together leave one value."""
    found: dict[Term, Term] = {}
    for condition in conditions:
        match condition:
            case terms.Member(argument=terms.Var() | terms.Choice() as leaf, members=(value,)):
                found[leaf] = terms.const(value)
            case terms.Var() | terms.Choice():
                found[condition] = terms.TRUE
            case terms.Not(argument=terms.Var() | terms.Choice() as leaf):
                found[leaf] = terms.FALSE
    return found


def fact(invariant: Invariant, start: State) -> Term:
    """What a proven invariant says of every reachable state: it has a value, that at the start."""
    return terms.conjunction((invariant.defined, as_at(invariant.term, start)))


def as_at(term: Term, start: State) -> Term:
    """Where the term has the value that it has in that state."""
    value = value_in(term, start)
    if terms.is_condition(term):
        return term if value else terms.negation(term)
    return terms.member(term, (value,))
