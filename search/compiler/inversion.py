"""The task backwards: its actions lead from a state to the states before it.

A row assigns new values to some variables; where its guard fixes the old value of one, or a new value determines it
(a copy, a table without double entries), the old value is a term over the new state. What stays unknown becomes a
choice of the backward row, so nothing is lost: that the row, applied to the old state, gives the new one is one more
condition. The result is an ordinary task, and the compiler prunes its choices as early as those of joint moves
(regression over explicit states; for the general case see Alcázar et al., Revisiting regression in planning, 2013).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

from models.outcomes import Unsupported
from models.task import Assignment, ChoiceVariable, Phase, Row, Schema, Task
from models.terms import (
    TRUE,
    Lookup,
    Select,
    Term,
    Var,
    choice,
    compare,
    conjunction,
    conjuncts,
    const,
    leaves,
    lookup,
    member,
    select,
    substitute,
)
from search.compiler.term_tables import size
from search.proofs.enumeration import leaf_set
from search.proofs.transitions import Transition, transitions

FAN = 4096  # values of the other leaves under which a term is inverted
LIGHT = 60  # parts of a fact that is worth testing on every state before
MOST_UNKNOWN = 1 << 20  # joint old values that a row leaves open
Allowed = Sequence[Sequence[int]]  # for each variable the values that states may have


def effort(task: Task) -> int:
    """What it takes to run it backwards, about: terms that are looked at, since each new value may be tried again
    whenever an old one has become known."""
    return sum(len(row.after) ** 2 * size(tuple(row.after.values())) for row in transitions(task))


def backward_task(task: Task, facts: Iterable[Term], allowed: Allowed, look: Callable[[], None] = lambda: None) -> Task:
    """A task whose successors are the predecessors in `task`, one schema for each row of it.

    States before that break `always`, a light fact or `allowed` are left out: no start leads there.
    """
    kept = [part for fact in facts for part in conjuncts(fact) if size((part,)) <= LIGHT]
    legal = [*conjuncts(task.always), *kept]
    if task.loops:
        raise Unsupported("actions with `repeat: stable` cannot be run backwards")
    schemas = [_Inversion(task, row, legal, allowed, look).schema() for row in transitions(task)]
    return replace(task, schemas=tuple(schemas), always=TRUE, heuristics=(), invariants=(), symmetries=())


class _Inversion:
    """One row backwards: what is known of the old values, over the new state and the choices."""

    def __init__(self, task: Task, row: Transition, legal: Sequence[Term], allowed: Allowed,
                 look: Callable[[], None]) -> None:  # fmt: skip
        self.task, self.row, self.legal, self.allowed, self.look = task, row, legal, allowed, look
        self.choices = list(task.schemas[row.place[0]].choices)
        self.known: dict[Term, Term] = {old: row.fixed[old] for old in row.after if old in row.fixed}
        self.tests: list[Term] = []

    def schema(self) -> Schema:
        open_equations = dict(self.row.after)
        while len(self.known) < len(self.row.after):
            solved = next((old for old, new in open_equations.items() if self._solve(old, new)), None)
            if solved is not None:
                del open_equations[solved]
            else:
                self._guess()
        checks = [compare("==", self._told(new), old) for old, new in open_equations.items()]
        touched = [part for part in self.legal if not leaf_set(part).isdisjoint(self.row.after)]
        guard = [*self.tests, *checks, *(self._told(part) for part in (*self.row.guard, *touched))]
        guard += [self._in_range(old) for old in self.row.after]
        effects = tuple(Assignment(_index(old), TRUE, self.known[old]) for old in self.row.after)
        schema = self.task.schemas[self.row.place[0]]
        parts = tuple(map(self._told, self.task.rows[self.row.place].parts))
        row = Row((), (Phase(conjunction(guard), effects),), self._told(self.row.cost), parts=parts)
        return Schema(schema.name, (), tuple(self.choices), (row,))

    def _told(self, term: Term) -> Term:
        return substitute(term, self.known)

    def _in_range(self, old: Term) -> Term:
        """The old value is one that the variable can have."""
        return member(self.known[old], [v for v in self.allowed[_index(old)] if v in self.known[old].values])

    def _solve(self, old: Term, new: Term) -> bool:
        """Does the equation `old afterwards == new` give the last unknown value in it?"""
        self.look()
        term = self._told(new)
        unknown = [leaf for leaf in leaves(term) if leaf in self.row.after and leaf not in self.known]
        read = leaf_set(new)
        if len(unknown) != 1 or unknown[0] not in read:
            return False
        fan = [leaf for leaf in leaves(new) if leaf is not unknown[0]]
        if any(leaf in self.known or leaf in self.row.after for leaf in fan):
            return False  # the other leaves must be as they are in the new state
        inverse = _inverse(new, unknown[0], fan, old)
        if inverse is None:
            return False
        self.known[unknown[0]], test = inverse
        self.tests.append(test)
        return True

    def _guess(self) -> None:
        """Make the first unknown old value a choice."""
        old = next(old for old in self.row.after if old not in self.known)
        size = len(old.values)
        self.known[old] = choice(len(self.choices), size)
        self.choices.append(ChoiceVariable(f"before{len(self.choices)}", tuple(range(size))))
        combinations = 1
        for free in self.choices:
            combinations *= len(free.domain)
        if combinations > MOST_UNKNOWN:
            schema, row = self.row.place
            raise Unsupported(f"too many states may lead to one by row {row} of action {schema}")


def _inverse(term: Term, unknown: Term, fan: Sequence[Term], result: Term) -> tuple[Term, Term] | None:
    """(`unknown` as a term over `result`, the value of `term`, and the fan; where it is defined), if it is unique."""
    size = 1
    for leaf in fan:
        size *= len(leaf.values)
    if size * len(unknown.values) > FAN:
        return None
    branches: dict[tuple[int, ...], tuple[Term, Term]] = {}
    for values in product(*(leaf.values for leaf in fan)):
        known = dict(zip(fan, values, strict=True))
        entries = [(value, _value_at(term, {**known, unknown: value})) for value in unknown.values]
        solved = _table_inverse(entries, result)
        if solved is None:
            return None
        branches[values] = solved
    return _nested(fan, (), branches, 0), _nested(fan, (), branches, 1)


def _nested(
    fan: Sequence[Term], before: tuple[int, ...], branches: Mapping[tuple[int, ...], tuple[Term, Term]], part: int
) -> Term:
    if len(before) == len(fan):
        return branches[before][part]
    leaf = fan[len(before)]
    return select(leaf, [_nested(fan, (*before, value), branches, part) for value in leaf.values])


def _table_inverse(pairs: Iterable[tuple[int, int | None]], result: Term) -> tuple[Term, Term] | None:
    """(the first of a pair as a term over the second, where that is defined), if no two pairs end alike."""
    entries: dict[int, int] = {}
    for value, found in pairs:
        if found is not None and found in result.values:
            if found in entries:
                return None
            entries[found] = value
    if not entries:
        return const(0), const(0)
    spare = next(iter(entries.values()))
    return lookup(result, [entries.get(value, spare) for value in result.values]), member(result, sorted(entries))


def _value_at(term: Term, known: Mapping[Term, int]) -> int | None:
    """The term where all its leaves are known; None in a case that the guard excludes."""
    if term in known:
        return known[term]
    match term:
        case Lookup(argument=argument, table=table):
            number = _value_at(argument, known)
            return table[argument.values.index(number)] if number in argument.values else None
        case Select(argument=argument, branches=branches):
            number = _value_at(argument, known)
            branch = branches[argument.values.index(number)] if number in argument.values else None
            return None if branch is None else _value_at(branch, known)
    return substitute(term, {leaf: const(value) for leaf, value in known.items()}).values[0]


def _index(leaf: Term) -> int:
    assert isinstance(leaf, Var)
    return leaf.index
