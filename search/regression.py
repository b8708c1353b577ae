"""Backwards: all goal states, and the states from which an action leads to a given one.

For each row the local relation between the leaves it reads for its new values before, and the same variables after, is
tabulated once and looked up by the state after; rows that differ only in names share a table. Where the table would be
too large, the unknown old values are enumerated for the state at hand. Every candidate is verified by the compiled
action itself, so a relation may admit too much but never too little (regression over explicit states; for the general
case see Alcázar et al., Revisiting regression in planning, 2013).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.outcomes import Unsupported
from models.task import State, Task
from models.terms import Choice, Term, Var, choice, compare, conjunction, conjuncts, const, leaves, substitute, var
from search.enumeration import assignments, leaf_set, relax
from search.evaluation import Columns, evaluate
from search.machine import CompiledTask, Operator, Successor
from search.shapes import Naming
from search.transitions import Transition, transitions

GOALS = 200_000  # goal states
TABLE = 400_000  # entries of a row's relation
Table = dict[tuple[int, ...], list[tuple[int, ...]]]  # values after, all values before that lead there


@dataclass(frozen=True)
class Relation:
    """A row backwards: the values of `variables` after lead to entries: their values before, then the choices."""

    row: Transition
    variables: tuple[int, ...]
    choices: tuple[Term, ...]  # of the schema; a constant has no place in the entries
    table: Table | None  # None: too large, the old values are enumerated for each state


def goal_states(task: Task, facts: Iterable[Term] = (), limit: int = GOALS) -> list[State]:
    """All states where the goal, `always` and the (proven) facts hold, ascending."""
    variables = [var(index, len(variable.domain)) for index, variable in enumerate(task.variables)]
    wanted = [leaf for leaf in variables if isinstance(leaf, Var)]
    columns = assignments(wanted, [task.goal, task.always, *facts], 16 * limit)
    if columns is None or columns.size > limit:
        raise Unsupported(f"more than {limit} goal states, or too many candidates for them")
    zeros = np.zeros(columns.size, dtype=np.int64)
    listed = [columns.of.get(leaf, zeros).tolist() for leaf in variables]
    return sorted(zip(*listed, strict=True)) if listed else [()] * columns.size


def predecessors(
    task: Task, compiled: CompiledTask, facts: Sequence[Term] = (), limit: int = TABLE
) -> Callable[[State], list[Successor]]:
    """A function from a state to (operator, state before, cost) of every edge into it, by rows in the file's order.

    States before that break `always` or a fact are left out: no start state leads there. Raises `Unsupported` where
    the unknown old values are too many even for one state.
    """
    tables: dict[Any, Table | None] = {}
    relations = [relation(task, row, facts, tables, limit) for row in transitions(task)]
    legal = compiled.evaluate(conjunction([task.always, *facts]))

    def into(state: State) -> list[Successor]:
        found = []
        for each in relations:
            for operator, before in candidates(each, state, limit):
                after = compiled.transition(before, operator) if legal(before) else None
                if after is not None and after[0] == state:
                    found.append((operator, before, after[1]))
        return found

    return into


def relation(
    task: Task, row: Transition, facts: Iterable[Term], tables: dict[Any, Table | None], limit: int
) -> Relation:
    sizes = [len(free.domain) for free in task.schemas[row.place[0]].choices]
    free = [choice(k, size) for k, size in enumerate(sizes)]
    choices = [leaf for leaf in free if isinstance(leaf, Choice)]
    read = dict.fromkeys(leaf for old, new in row.after.items() for leaf in (old, *leaves(new)))
    variables = [leaf for leaf in read if isinstance(leaf, Var)]
    ordered: list[Term] = [*variables, *choices]
    kept = frozenset(ordered)
    known = [fact for fact in facts if not kept.isdisjoint(leaf_set(fact))]
    parts = [part for whole in (*row.guard, *known) for part in conjuncts(relax(whole, kept))]
    naming = Naming({leaf: number for number, leaf in enumerate(ordered)})
    values = naming.shapes(row.after.get(leaf, leaf) for leaf in variables)
    key = (tuple(len(leaf.values) for leaf in ordered), len(choices), values, naming.shapes(dict.fromkeys(parts)))
    if key not in tables:
        tables[key] = tabulate(row, variables, ordered, parts, limit)
    return Relation(row, tuple(leaf.index for leaf in variables), tuple(free), tables[key])


def tabulate(
    row: Transition, variables: Sequence[Term], ordered: Sequence[Term], parts: Sequence[Term], limit: int
) -> Table | None:
    columns = assignments(ordered, parts, limit)
    if columns is None:
        return None
    memo: dict[Term, Any] = {}
    after = [evaluate(row.after.get(leaf, leaf), columns, memo).tolist() for leaf in variables]
    table: Table = {}
    for key, before in zip(_rows(after, columns.size), listed(columns, ordered), strict=True):
        table.setdefault(key, []).append(before)
    return table


def listed(columns: Columns, ordered: Sequence[Term]) -> Iterator[tuple[int, ...]]:
    """The assignments as tuples."""
    return _rows([columns.of[leaf].tolist() for leaf in ordered], columns.size)


def _rows(lists: Sequence[list[int]], size: int) -> Iterator[tuple[int, ...]]:
    return iter(zip(*lists, strict=True)) if lists else iter([()] * size)


def candidates(each: Relation, state: State, limit: int) -> Iterator[tuple[Operator, State]]:
    """States before, with the operator, that agree with the local relation."""
    if each.table is not None:
        entries: Iterable[tuple[int, ...]] = each.table.get(tuple(state[i] for i in each.variables), ())
    else:
        entries = enumerated(each, state, limit)
    for entry in entries:
        before = list(state)
        for index, value in zip(each.variables, entry, strict=False):
            before[index] = value
        rest = iter(entry[len(each.variables) :])
        chosen = (next(rest) if isinstance(leaf, Choice) else 0 for leaf in each.choices)
        yield (*each.row.place, *chosen), tuple(before)


def enumerated(each: Relation, state: State, limit: int) -> Iterator[tuple[int, ...]]:
    """Entries for one state: everything that the row does not write is as the state has it."""
    row = each.row
    read = [leaf for leaf in row.read if isinstance(leaf, Var) and leaf not in row.after]
    known: dict[Term, Term] = {leaf: const(state[leaf.index]) for leaf in read}
    conditions = [substitute(part, known) for part in row.guard]
    conditions += [compare("==", substitute(new, known), const(state[_index(old)])) for old, new in row.after.items()]
    free = [leaf for leaf in each.choices if isinstance(leaf, Choice)]
    wanted = [*row.after, *free]
    columns = assignments(wanted, conditions, limit)
    if columns is None:
        name = f"row {row.place[1]} of action {row.place[0]}"
        raise Unsupported(f"more than {limit} states may lead here by {name}")
    unknown = {_index(old): columns.of[old].tolist() for old in row.after}
    lists = [unknown.get(i, [state[i]] * columns.size) for i in each.variables]
    return _rows([*lists, *(columns.of[leaf].tolist() for leaf in free)], columns.size)


def _index(leaf: Term) -> int:
    assert isinstance(leaf, Var)
    return leaf.index
