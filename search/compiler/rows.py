"""Rows of a task made ready for writing as straight-line code: each value a leaf, each test where its leaves are known.

Simultaneous assignments and phases become single assignments to fresh leaves (static single assignment form: Cytron et
al., 1991): what a phase leaves is a variable of the next stage, whatever a later phase reads of earlier ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import is_

from models.frozen import frozen
from models.task import UNTIL_REST, Phase, Row, Task
from models.terms import (
    FALSE,
    TRUE,
    Choice,
    Const,
    Member,
    Not,
    Term,
    Var,
    cases,
    choice,
    conjuncts,
    const,
    leaves,
    substitute,
    var,
)

NO_LOOPS: Mapping[int, int] = {}
Memos = dict[tuple[tuple[Term, Term], ...], dict[Term, Term]]  # terms over current leaves, by what these are


@frozen(eq=True)
class RowStep:
    """A phase over the leaves that are current when it happens: tests, then variables computed anew.

    A loop has leaves of its own for what it writes: each begins as `entry` says and becomes its value with every round.
    """

    tests: tuple[Term, ...]
    definitions: tuple[tuple[Term, Term], ...]  # leaf of the next stage, its value
    entry: tuple[Term, ...] = ()  # of a loop, parallel to the definitions
    most: int = UNTIL_REST  # rounds of a loop, the last one included

    @property
    def given(self) -> list[Term]:
        """What a loop has to be told: what it begins with, and whatever else a round reads."""
        carried = {leaf for leaf, _ in self.definitions}
        read = leaves(*self.tests, *(value for _, value in self.definitions))
        return [*self.entry, *(leaf for leaf in read if leaf not in carried)]

    def over(self, new: Callable[[Term], Term]) -> RowStep:
        definitions = tuple((new(leaf), new(value)) for leaf, value in self.definitions)
        return replace(
            self, tests=tuple(map(new, self.tests)), definitions=definitions, entry=tuple(map(new, self.entry))
        )


@frozen(eq=True)
class RowPlan:
    """A row made ready for writing."""

    number: int  # place among the rows of the function
    place: tuple[int, int]  # schema and row
    tests: tuple[Term, ...]  # read neither choices nor later stages
    loops: tuple[tuple[Term, tuple[int, ...], tuple[Term, ...]], ...]  # choice, its values, tests it completes
    steps: tuple[RowStep, ...]  # the phases; the tests of the first are those above
    final: tuple[Term, ...]  # what each variable ends as
    changed: tuple[int, ...]  # variables that end as something else than they were
    always: tuple[Term, ...]
    cost: Term

    @property
    def repeats(self) -> bool:
        return any(step.entry for step in self.steps)

    def roots(self) -> list[Term]:
        found = [*self.tests, *self.always, self.cost, *(test for loop in self.loops for test in loop[2])]
        for step in self.steps:
            found += step.given if step.entry else [*step.tests, *(value for _, value in step.definitions)]
        return found + [term for term in self.final if not isinstance(term, Var)]

    def over(self, new: Callable[[Term], Term]) -> RowPlan:
        """The plan of a row without choices, over other leaves."""
        return replace(
            self,
            tests=tuple(map(new, self.tests)),
            steps=tuple(step.over(new) for step in self.steps),
            final=tuple(map(new, self.final)),
            always=tuple(map(new, self.always)),
            cost=new(self.cost),
        )


def old_variables(task: Task) -> list[Term]:
    return [var(index, len(variable.domain)) for index, variable in enumerate(task.variables)]


def prepare(
    task: Task, number: int, place: tuple[int, int], row: Row, old: Sequence[Term], settled: Mapping[Term, Term],
    memos: Memos | None = None, most: Mapping[int, int] = NO_LOOPS,
) -> RowPlan | None:  # fmt: skip
    """A row (or a special case of one) over the leaves that are current at each point; None: it can never apply.

    `old` are the variables as leaves, `settled` those of them that have one value only, with this value. Rows that are
    given the same `memos` share what their phases have in common. `most` are the rounds that some loops may take.
    """
    sizes = [len(free.domain) for free in task.schemas[place[0]].choices]
    first = [settled.get(leaf, leaf) for leaf in old]
    now = list(first)
    steps = phases(row, now, old, {} if memos is None else memos, most)
    changed = tuple(index for index, (before, after) in enumerate(zip(first, now, strict=True)) if before is not after)
    always = kept_conditions(task, {old[index]: now[index] for index in changed}, settled)
    tests = steps[0].tests
    if FALSE in [*always, *(test for step in steps for test in step.tests)]:
        return None
    early = [test for test in tests if not choices_of(test)] if sizes else tests
    loops = loops_for(sizes, [test for test in tests if choices_of(test)]) if sizes else []
    cost = substitute(row.cost, settled)
    return RowPlan(number, place, tuple(early), tuple(loops), tuple(steps), tuple(now), changed, tuple(always), cost)


def phases(row: Row, now: list[Term], old: Sequence[Term], memos: Memos, most: Mapping[int, int]) -> list[RowStep]:
    """The phases over leaves that still exist; `now` becomes what each variable ends as: a leaf or a constant.

    `most` are the rounds that some loops may take, by their stage.
    """
    settled = not all(map(is_, now, old))
    steps: list[RowStep] = []
    found = []  # by stage: the variables as that phase finds them
    for stage, phase in enumerate(row.phases):
        found.append(list(now))
        entry = enter(phase, now, old, len(row.phases) + 1 + stage) if phase.loop else ()
        finds = [*found[:-1], list(now)]  # a round finds leaves of the loop, a later phase what that began with
        over = current_leaves(phase, finds) if stage or settled else {}  # else the phase reads the old state as it is
        memo = memos.setdefault(tuple(over.items()), {})
        written: dict[int, list[tuple[Term, Term]]] = {}
        for a in phase.assignments:
            pair = (
                (substitute(a.condition, over, memo), substitute(a.value, over, memo))
                if over
                else (a.condition, a.value)
            )
            written.setdefault(a.target, []).append(pair)
        tests = conjuncts(substitute(phase.guard, over, memo) if over else phase.guard)
        known = {test for step in steps for test in step.tests}
        new_tests = tuple(test for test in tests if test not in known)
        if entry:
            new = ((now[index], pairs) for index, pairs in written.items() if len(old[index].values) > 1)
            rounds = tuple((leaf, cases(pairs, leaf)) for leaf, pairs in new)
            steps.append(RowStep(new_tests, rounds, entry, most.get(stage, UNTIL_REST)))
        else:
            steps.append(RowStep(new_tests, tuple(define(written, now, stage + 1, old))))
    return steps


def enter(phase: Phase, now: list[Term], old: Sequence[Term], stage: int) -> tuple[Term, ...]:
    """What the variables are that a loop writes; `now` they become leaves of a stage of its own."""
    targets = [index for index in dict.fromkeys(a.target for a in phase.assignments) if len(old[index].values) > 1]
    entry = tuple(now[index] for index in targets)
    for index in targets:
        now[index] = var(index, len(old[index].values), stage)
    return entry


def current_leaves(phase: Phase, found: Sequence[Sequence[Term]]) -> dict[Term, Term]:
    """What the variables that a phase reads, of whatever stage, are now."""
    read = leaves(*phase.terms)
    return {leaf: found[leaf.stage][leaf.index] for leaf in read if isinstance(leaf, Var)}


def define(
    written: Mapping[int, list[tuple[Term, Term]]], now: list[Term], stage: int, old: Sequence[Term]
) -> list[tuple[Term, Term]]:
    """The new values; one that is no leaf or constant becomes a leaf of the next stage, with values of its domain."""
    before = list(now)
    definitions = []
    for index, pairs in written.items():
        value = cases(pairs, before[index])
        if not isinstance(value, Var | Choice | Const):
            leaf = var(index, max(2, min(len(old[index].values), value.values[-1] + 1)), stage)
            definitions.append((leaf, value))
            value = leaf
        now[index] = value
    return definitions


def kept_conditions(task: Task, moved: Mapping[Term, Term], settled: Mapping[Term, Term]) -> list[Term]:
    """The conjuncts of `always` that a row may break that makes of variables what they are `moved` to."""
    touched = [part for part in conjuncts(task.always) if any(leaf in moved for leaf in leaves(part))]
    after = {**settled, **moved}
    return [part for whole in touched for part in conjuncts(substitute(whole, after))]


def is_old(term: Term, index: int) -> bool:
    """Does the variable keep its value, if it ends as this term?"""
    return isinstance(term, Var) and term.index == index and not term.stage


def choices_of(term: Term) -> list[int]:
    return [leaf.index for leaf in leaves(term) if isinstance(leaf, Choice)]


def loops_for(sizes: Sequence[int], tests: Sequence[Term]) -> list[tuple[Term, tuple[int, ...], tuple[Term, ...]]]:
    """One loop for each choice, over the values that the tests on it alone admit."""
    loops = []
    for k, size in enumerate(sizes):
        leaf = choice(k, size)
        ended = [test for test in tests if max(choices_of(test)) == k]
        alone = [t for t in ended if t is leaf or (isinstance(t, Member | Not) and t.argument is leaf)]
        admitted = [v for v in range(size) if all(substitute(t, {leaf: const(v)}) is TRUE for t in alone)]
        loops.append((leaf, tuple(admitted), tuple(t for t in ended if t not in alone)))
    return loops
