"""Which estimate to derive of a task: the first of some kinds of patterns that suits it, always the same one.

What limits tables is their size, never the time, so that every run derives the same. They hold for every start with the
same values in the variables that no row writes, and on a board for every start with each value as often there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from math import gcd

from models.frozen import frozen
from models.outcomes import Unsupported
from models.task import Task
from models.terms import FEW_VALUES, Term, const, substitute, var
from search.abstractions.derived import Derived, starts_like
from search.abstractions.images import variable_of
from search.abstractions.keeping import Kept, Parts, key_of, recalled, remember, told_of
from search.abstractions.tables import Clock, NoRoom, Spare, Tell, Workshop
from search.abstractions.tokens import token_table
from search.abstractions.values import Board, ValuePatterns, board_of_values
from search.abstractions.variables import VariablePatterns
from search.machine import Machine
from search.proofs.transitions import Transition, transitions

Kinds = Mapping[str, Callable[["Job"], Kept]]
LARGEST_UNIT = 1 << 40  # what is lost is some hundreds of them, which searches weigh and add up in machine words


def derive(task: Task, machine: Machine, clock: Clock, tell: Tell = lambda words: None,
           spare: Spare = lambda: math.inf, keeps: bool = False,
           in_passing: bool = False) -> Derived:  # fmt: skip
    """Unsupported where nothing can be derived, in words why. The machine is the task's own; `keeps`: on disk;
    `in_passing`: only what is soon made."""
    parts = Parts()
    shop = Workshop(clock, tell, spare, parts.recalled) if keeps else Workshop(clock, tell, spare)
    job = job_of(task, machine, shop)
    if job.unit > LARGEST_UNIT:
        raise Unsupported("costs are too large for tables")
    kinds = SOON if in_passing else KINDS
    if not keeps:
        return job.derived(job.made(kinds))
    try:
        found = _kept(task, job, kinds, in_passing)
    except Unsupported as reason:
        if not isinstance(reason, NoRoom):
            remember(task, job.values, in_passing, {"nothing": str(reason)})
        raise
    parts.done()
    return found


def _kept(task: Task, job: Job, kinds: Kinds, in_passing: bool) -> Derived:
    """From the disk, or left there."""
    key = key_of(job.task, job.rows, job.unit, (job.start, job.values, in_passing))

    def whole() -> bool:
        return not job.refused

    found = job.derived(recalled(key, lambda: job.made(kinds), whole))
    if whole():
        remember(task, job.values, in_passing, told_of(key, found.starts))
    return found


def job_of(task: Task, machine: Machine, shop: Workshop) -> Job:
    rows, values = transitions(task, shop.look), machine.program.values
    known = never_written(task, rows)
    task, rows = settled(task, rows, known)
    return Job(task, rows, known, board_of_values(task, rows), machine, shop, unit_of(task, rows), values)


@frozen(eq=True)
class Job:
    """A task, what is known of it, and where its tables are made."""

    task: Task
    rows: Sequence[Transition]
    known: Mapping[Term, Term]  # the variables that no row writes, and their values
    board: Board | None
    machine: Machine
    shop: Workshop
    unit: int
    values: Sequence[Sequence[int]]  # those that each variable may ever have
    refused: list[str] = field(default_factory=list)  # of the kinds that were tried, what there was no memory for

    @property
    def start(self) -> object:
        """What of the start the tables depend on: on a board, how often each value is there."""
        start = self.task.start
        return start if self.board is None else sorted(start[index] for index in self.board.places)

    def derived(self, kept: Kept) -> Derived:
        sums, why = kept
        known, places = [variable_of(each) for each in self.known], () if self.board is None else self.board.places
        starts = starts_like(self.task.start, known, tuple(places), self.values, sums)
        return Derived(sums, "; ".join((why, *self.refused)), starts)

    def made(self, kinds: Kinds) -> Kept:
        """By the first kind of patterns that suits the task."""
        reasons = []
        for name, kind in kinds.items():
            try:
                return kind(self)
            except NoRoom:
                raise
            except Unsupported as reason:
                reasons.append(str(reason))
            except MemoryError:  # what this kind has made is gone, so that there may be room for another
                self.refused.append(f"there was not enough memory for tables of {name}")
        kind_of_reason = NoRoom if self.refused else Unsupported
        raise kind_of_reason(", ".join(dict.fromkeys((*reasons, *self.refused))))


def by_values(job: Job) -> Kept:
    if job.board is None:
        raise Unsupported("actions do more than to move values about")
    found = ValuePatterns(job.task, job.rows, job.board, job.shop, job.unit).sums()
    alone = len(found[0]) == 1
    return found, "each action is paid for in full" if alone else "each action is paid for by a value that it moves"


def by_tokens(job: Job) -> Kept:
    task, rows = settled(job.task, job.rows, never_changing(job.task, job.values))
    table = token_table(task, rows, job.values, job.unit, job.shop.look)
    least = f"; the least of {table.ends} sums, one for each way to end" if table.ends > 1 else ""
    return [[table]], f"each action moves one token at most{least}"


def by_variables(job: Job) -> Kept:
    found = VariablePatterns(job.task, job.rows, job.machine, job.shop, job.unit).sums()
    return found, "each action is paid for by one variable that it changes"


KINDS: Kinds = {"values": by_values, "tokens": by_tokens, "variables": by_variables}
SOON: Kinds = {"tokens": by_tokens}


def settled(task: Task, rows: Sequence[Transition], known: Mapping[Term, Term]) -> tuple[Task, list[Transition]]:
    """The task with the values that are known in their places."""
    if not known:
        return task, list(rows)
    memo: dict[Term, Term] = {}

    def told(term: Term) -> Term:
        return substitute(term, known, memo)

    made = [
        replace(row, guard=tuple(map(told, row.guard)), cost=told(row.cost),
                after={old: told(new) for old, new in row.after.items() if old not in known}) for row in rows
    ]  # fmt: skip
    return replace(task, goal=told(task.goal), always=told(task.always)), [row for row in made if row.possible]


def never_written(task: Task, rows: Sequence[Transition]) -> dict[Term, Term]:
    """The variables that keep their start values, with these."""
    written = {variable_of(old) for row in rows for old in row.after}
    return {
        var(index, len(each.domain)): const(each.start)
        for index, each in enumerate(task.variables)
        if index not in written and len(each.domain) > 1
    }


def never_changing(task: Task, values: Sequence[Sequence[int]]) -> dict[Term, Term]:
    """The variables that have one value in all states that can be reached, with these."""
    return {
        var(index, len(each.domain)): const(each.start)
        for index, each in enumerate(task.variables)
        if len(values[index]) == 1 and len(each.domain) > 1
    }


def unit_of(task: Task, rows: Sequence[Transition]) -> int:
    """What all costs are multiples of, in the first of several metrics."""
    first = task.weights[0] if task.weights else 1
    values = [row.cost.values for row in rows]
    if any(len(each) > FEW_VALUES for each in values):
        return first
    return first * (gcd(*(value // first for each in values for value in each)) or 1)
