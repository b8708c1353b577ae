"""What has to be true of each row for tables to be estimates, as terms over the task: for provers that know no images.

What an image leaves open, a step settles: a value's class is looked up, and so is which member of it the value is. So
for each row and table there is one question, whether the row may apply where its image does not, or to another end; and
for tables that are added up, whether all together they ever count more than the row costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from models.outcomes import Unsupported
from models.task import Task
from models.terms import (
    FALSE,
    Choice,
    Term,
    add,
    choice,
    compare,
    conjunction,
    disjunction,
    leaves,
    lookup,
    negation,
    substitute,
    var,
)
from search.abstractions.images import IMAGE, MEMBER, Classes, Image, ImageRow, class_count, class_of, members
from search.abstractions.tables import Table

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


def questions(task: Task, sums: Sequence[Sequence[Table]], rows: Sequence[Row]) -> Iterator[Question]:
    """For each row, or None for goals: conditions that must not hold together."""
    for group in sums:
        seen = [ImageTold(table.image) for table in group if table.image is not None]
        for row in rows:
            yield from ((row.place, (*row.guard, each.astray(row))) for each in seen)
            paid = add([(1, each.cost(row.place)) for each in seen])
            yield row.place, (*row.guard, compare("<", row.cost, certain(paid)))
        yield from ((None, (each.lost_goal(task),)) for each in seen)
