"""What has to be true of each row for tables to be estimates, as terms over the task: for provers that know no images.

What an image leaves open, a step settles: a value's class is looked up, and so is which member of it the value is. So
for each row and table there is one question, whether the row may apply where its image does not, or to another end; and
for tables that are added up, whether all together they ever count more than the row costs. For tokens the question is
whether a row may do anything else than to move one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from models.outcomes import Unsupported
from models.task import Task
from models.terms import (
    FALSE,
    Choice,
    Term,
    Var,
    add,
    choice,
    compare,
    conjunction,
    const,
    disjunction,
    leaves,
    lookup,
    member,
    negation,
    substitute,
    var,
)
from search.abstractions.derived import Table
from search.abstractions.images import IMAGE, MEMBER, Classes, Image, ImageRow, class_count, class_of, members
from search.abstractions.moves import Move, Values
from search.abstractions.tokens import rows_in

Place = tuple[int, int]
Question = tuple[Place | None, tuple[Term, ...]]


class Row(Protocol):
    """A row as a prover has it, over the state before it."""

    @property
    def place(self) -> Place: ...
    @property
    def guard(self) -> tuple[Term, ...]: ...
    @property
    def after(self) -> Mapping[Term, Term]: ...
    @property
    def cost(self) -> Term: ...


class ImageTold:
    """An image, told over the states of its task."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.rows: dict[Place, ImageRow] = {row.place: row for row in image.rows}
        self.old = told_of(image.classes)

    def told(self, term: Term) -> Term:
        return substitute(term, self.old)

    def cost(self, place: Place) -> Term:
        row = self.rows.get(place)
        return FALSE if row is None else add([(self.image.unit, self.told(row.cost))])

    def astray(self, row: Row) -> Term:
        """Where the row's image does not apply, or leads to another image than that of where the row leads."""
        image = self.rows.get(row.place)
        effects = {} if image is None else {index: self.told(new) for index, new in image.effects}
        wrong = [] if image is None else [negation(self.told(image.guard))]
        for index, classes in enumerate(self.image.classes):
            if class_count(classes) > 1:
                old = var(index, len(classes))
                now = class_of(row.after.get(old, old), classes, index)
                wrong.append(compare("!=", now, effects.get(index, class_of(old, classes, index))))
        return certain(disjunction(wrong))

    def lost_goal(self, task: Task) -> Term:
        """Where a state is a goal and its image is none."""
        return certain(conjunction((task.goal, task.always, negation(self.told(self.image.task.goal)))))


def told_of(classes: Classes) -> dict[Term, Term]:
    """Each class, and each member of one, by the value of the variable."""
    found: dict[Term, Term] = {}
    for index, each in enumerate(classes):
        value, groups = var(index, len(each)), members(each)
        found[var(index, len(groups))] = lookup(value, each) if len(each) > 1 else FALSE
        for size in {len(group) for group in groups}:
            places = [groups[each[v]].index(v) if len(groups[each[v]]) == size else 0 for v in range(len(each))]
            found[choice(MEMBER + index, size)] = lookup(value, places) if len(each) > 1 else FALSE
    return found


def certain(term: Term) -> Term:
    """Unsupported where it reads what nobody can look up: new values of which nothing is known."""
    if any(isinstance(leaf, Choice) and leaf.index >= IMAGE for leaf in leaves(term)):
        raise Unsupported("an action's new values are too many to be looked up")
    return term


def questions(task: Task, sums: Sequence[Sequence[Table]], rows: Sequence[Row], values: Values) -> Iterator[Question]:
    """For each row, or None for goals: conditions that must not hold together. No variable ever has other `values`."""
    yield from kept_within(task, rows, values)
    for group in sums:
        for table in (table for table in group if table.tokens is not None):
            yield from TokensTold(task, table, values).questions(rows)
        seen = [ImageTold(table.image) for table in group if table.image is not None]
        for row in rows if seen else ():
            yield from ((row.place, (*row.guard, each.astray(row))) for each in seen)
            paid = add([(1, each.cost(row.place)) for each in seen])
            yield row.place, (*row.guard, compare("<", row.cost, certain(paid)))
        yield from ((None, (each.lost_goal(task),)) for each in seen)


def kept_within(task: Task, rows: Sequence[Row], values: Values) -> Iterator[Question]:
    """Do all variables have such values at the start, and after each row if they had them before?"""
    first = {var(index, len(each.domain)): const(each.start) for index, each in enumerate(task.variables)}
    yield None, (substitute(negation(within(first, values)), first),)
    for row in rows:
        after = [negation(member(new, values[old.index])) for old, new in row.after.items() if isinstance(old, Var)]
        yield row.place, (*row.guard, before(row, values), disjunction(after))


def before(row: Row, values: Values) -> Term:
    """All that the row reads or writes, or that its cost depends on, has one of its values."""
    return within(leaves(*row.guard, *row.after, *row.after.values(), row.cost), values)


def within(read: Iterable[Term], values: Values) -> Term:
    return conjunction(member(leaf, values[leaf.index]) for leaf in read if isinstance(leaf, Var))


class TokensTold:
    """What moves tokens, and what a goal says of them."""

    def __init__(self, task: Task, table: Table, values: Values) -> None:
        assert table.tokens is not None
        self.task, self.table, self.values, self.tokens = task, table, values, table.tokens
        self.moves: dict[Place, list[Move]] = {}
        for move in self.tokens.moves:
            self.moves.setdefault(move.place, []).append(move)

    def questions(self, rows: Iterable[Row]) -> Iterator[Question]:
        yield from ((row.place, (*row.guard, before(row, self.values), *self.astray(row))) for row in rows)
        yield None, tuple(self.away())

    def square(self, index: int) -> Term:
        return var(index, len(self.table.weights[index]))

    def holds(self, term: Term) -> Term:
        """Is it a token?"""
        return member(term, self.tokens.numbers)

    def astray(self, row: Row) -> Iterator[Term]:
        """Some square has another token than before, and none of the moves is what has happened."""
        there = set(self.tokens.squares)
        written = {old.index: new for old, new in row.after.items() if isinstance(old, Var) and old.index in there}
        yield disjunction(self.loud(index, new) for index, new in written.items())
        for move in self.moves.get(row.place, ()):
            yield disjunction(self.differs(move, written, row.cost))

    def loud(self, index: int, new: Term) -> Term:
        old = self.square(index)
        return conjunction((compare("!=", old, new), disjunction((self.holds(old), self.holds(new)))))

    def differs(self, move: Move, written: Mapping[int, Term], cost: Term) -> Iterator[Term]:
        """In what the row does otherwise than to move a token of the move's kinds, which costs as much."""
        old = self.square(move.one)
        yield negation(member(old, move.kinds))
        yield from (self.holds(written.get(move.one, old)), self.holds(self.square(move.other)))
        yield compare("!=", written.get(move.other, self.square(move.other)), old)
        yield compare("<", cost, const(move.cost * self.table.unit))
        yield from (self.loud(index, new) for index, new in written.items() if index not in (move.one, move.other))

    def away(self) -> Iterator[Term]:
        """A goal with as many tokens, of which in each sum one is not at home."""
        goal = self.task.goal, self.task.always
        yield from (*goal, within((*leaves(*goal), *map(self.square, self.tokens.squares)), self.values))
        for kind, number in self.tokens.numbers.items():
            there = add([(1, member(self.square(index), (kind,))) for index in self.tokens.squares])
            yield compare("==", there, const(number))
        for far in rows_in(self.table).T:
            yield disjunction(
                member(self.square(index), [value for value, row in enumerate(self.table.weights[index]) if far[row]])
                for index in self.tokens.squares
            )
