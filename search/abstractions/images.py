"""A task made smaller: the values of each variable fall into classes, and a state's image is the class of each value.

The image of a task is a task. Whenever a row of the one leads from a state to another, a row of the other leads from
the first one's image to the second one's and costs no more, or both have the same image; and the image of a goal is a
goal. So a cheapest way to a goal is never cheaper than one of the image is: distances there are estimates, consistent
and admissible (Culberson and Schaeffer 1998; domain abstractions: Hernadvolgyi and Holte 2000).

An old value is a member of its class, and which one is not known: a choice. Where a condition reads it, some member may
make it hold (`elimination`); where a new value does, it stays a choice of the row. The term constructors fold most of
that away. A class for each value leaves a variable as it is, one class for all forgets it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import prod

from models.frozen import frozen
from models.outcomes import Unsupported
from models.task import Assignment, ChoiceVariable, Phase, Row, Schema, Task, Variable
from models.terms import (
    FALSE,
    FEW_VALUES,
    TRUE,
    Cases,
    Choice,
    Const,
    Select,
    Term,
    Var,
    cases,
    choice,
    conjunction,
    conjuncts,
    const,
    floor_divide,
    leaves,
    lookup,
    select,
    substitute,
    var,
)
from search.abstractions.elimination import may, must
from search.proofs.enumeration import leaf_set
from search.proofs.transitions import Look, Transition

MEMBER = 1 << 20  # the choice with this number, plus a variable's, is which member of its class its value is
IMAGE = 1 << 21  # the same for the class that a new value falls into, where nothing is known of it
MOST_CHOICES = 1 << 10  # joint values that a row may leave open
Classes = tuple[tuple[int, ...], ...]  # for each variable the class of each of its values, numbered from 0
Paid = Callable[[Transition], Term]  # where a row's cost counts, over the state before it
PAYS_ALL: Paid = lambda row: TRUE  # noqa: E731


def class_count(classes: Sequence[int]) -> int:
    return max(classes) + 1


def members(classes: Sequence[int]) -> list[list[int]]:
    """For each class its values."""
    found: list[list[int]] = [[] for _ in range(class_count(classes))]
    for value, number in enumerate(classes):
        found[number].append(value)
    return found


@frozen()
class ImageRow:
    """What a row does to images; `free` are the choices that it has left, which may be any."""

    place: tuple[int, int]
    guard: Term
    effects: tuple[tuple[int, Term], ...]  # a variable and its new class
    cost: Term
    free: tuple[Term, ...]


@frozen()
class Image:
    """A task's image under classes; `pays` says where a row's cost counts, in whole units of cost."""

    classes: Classes
    rows: tuple[ImageRow, ...]  # those that lead to another image
    task: Task
    unit: int


def image_of(task: Task, rows: Iterable[Transition], classes: Classes, paid: Paid = PAYS_ALL, unit: int = 1,
             look: Look = lambda: None) -> Image:  # fmt: skip
    """`rows` are those of the task. Unsupported where a row leaves too much open."""
    maker = _Maker(task, classes, paid, unit)
    found = []
    for row in rows:
        look()
        made = maker.row(row)
        if made is not None:
            found.append(made)
    return Image(classes, tuple(found), maker.task(found), unit)


def goal_of(task: Task, classes: Classes) -> Term:
    """What the image of a goal is."""
    return _Maker(task, classes, PAYS_ALL, 1).goal()


class _Maker:
    """What all rows share: each old value as a term over its class and an unknown member."""

    def __init__(self, source: Task, classes: Classes, paid: Paid, unit: int) -> None:
        self.source, self.classes, self.paid, self.unit = source, classes, paid, unit
        self.sizes = [class_count(each) for each in classes]
        old = {var(index, len(each)): old_value(index, each) for index, each in enumerate(classes) if len(each) > 1}
        self.old = {leaf: term for leaf, term in old.items() if leaf is not term}
        self.memo: dict[Term, Term] = {}

    def told(self, term: Term) -> Term:
        return substitute(term, self.old, self.memo)

    def row(self, row: Transition) -> ImageRow | None:
        """None: it changes no image, or applies nowhere."""
        effects = self._effects(row)
        if not effects:
            return None
        kept = frozenset(leaf for _, new in effects for leaf in leaf_set(new) if isinstance(leaf, Choice))
        if prod(len(leaf.values) for leaf in kept) > MOST_CHOICES:
            raise Unsupported("an action leaves too many images open")
        parts = list(map(self.told, row.guard))
        guard = may(parts, hidden(parts) - kept)
        if guard is FALSE:
            return None
        free = tuple(leaf for leaf in leaves(*(new for _, new in effects)) if leaf in kept)
        return ImageRow(row.place, guard, effects, self._cost(row), free)

    def _effects(self, row: Transition) -> tuple[tuple[int, Term], ...]:
        found = []
        for old, new in row.after.items():
            index = variable_of(old)
            if self.sizes[index] > 1:
                after = class_of(self.told(new), self.classes[index], index)
                if after is not var(index, self.sizes[index]):
                    found.append((index, after))
        return tuple(sorted(found, key=lambda effect: effect[0]))

    def _cost(self, row: Transition) -> Term:
        """The least that the row pays, in whole units, whatever is unknown."""
        cost = floor_divide(self.told(row.cost), self.unit)
        if hidden((cost,)):
            cost = const(cost.values[0])
        paid = self.told(self.paid(row))
        return cases([(must(paid, hidden((paid,))), cost)], FALSE)

    def goal(self) -> Term:
        parts = [self.told(part) for part in conjuncts(conjunction((self.source.goal, self.source.always)))]
        return may(parts, hidden(parts))

    def task(self, rows: Iterable[ImageRow]) -> Task:
        variables = tuple(
            Variable(each.name, tuple(range(size)), classes[each.start])
            for each, size, classes in zip(self.source.variables, self.sizes, self.classes, strict=True)
        )
        return replace(self.source, variables=variables, schemas=schemas_of(rows), goal=self.goal(), always=TRUE,
                       heuristics=(), invariants=(), dead=None, symmetries=(), fingerprint="", weights=(1,),
                       metric="image")  # fmt: skip


def old_value(index: int, classes: Sequence[int]) -> Term:
    """The value of a variable over its class and, where that has several, an unknown member of it."""
    groups = members(classes)
    leaf = var(index, len(groups))
    return select(leaf, [lookup(choice(MEMBER + index, len(group)), group) for group in groups])


def class_of(term: Term, classes: Sequence[int], index: int) -> Term:
    """The class of a term's value; one that the variable cannot have is never looked at."""
    match term:
        case Const(value=value):
            return const(classes[value] if 0 <= value < len(classes) else 0)
        case Select(argument=argument, branches=branches):
            return select(argument, [None if each is None else class_of(each, classes, index) for each in branches])
        case Cases(cases=pairs, otherwise=otherwise):
            told = [(condition, class_of(value, classes, index)) for condition, value in pairs]
            return cases(told, class_of(otherwise, classes, index))
    if len(term.values) > FEW_VALUES:
        return choice(IMAGE + index, class_count(classes))
    return lookup(term, [classes[value] if 0 <= value < len(classes) else None for value in term.values])


def hidden(terms: Sequence[Term]) -> frozenset[Term]:
    """The choices that the terms read: those of the action, of its loops, and which member of its class a value is."""
    return frozenset(leaf for leaf in leaves(*terms) if isinstance(leaf, Choice))


def schemas_of(rows: Iterable[ImageRow]) -> tuple[Schema, ...]:
    """The rows as those of a task, each once and at its least cost; a schema for each kind of choices."""
    best: dict[tuple[object, ...], tuple[Row, tuple[int, ...]]] = {}
    for each in rows:
        row, sizes = _as_row(each)
        key: tuple[object, ...] = (row.guard, row.phases[0].assignments, sizes)
        known = best.get(key)
        if known is not None and not (isinstance(known[0].cost, Const) and isinstance(row.cost, Const)):
            key, known = (*key, row.cost), None
        if known is None or row.cost.values[0] < known[0].cost.values[0]:
            best[key] = row, sizes
    kinds: dict[tuple[int, ...], list[Row]] = {}
    for row, sizes in best.values():
        kinds.setdefault(sizes, []).append(row)
    return tuple(_schema(number, sizes, found) for number, (sizes, found) in enumerate(kinds.items()))


def _schema(number: int, sizes: Sequence[int], rows: Iterable[Row]) -> Schema:
    open_ = tuple(ChoiceVariable(f"open{place}", tuple(range(size))) for place, size in enumerate(sizes))
    return Schema(f"image{number}", (), open_, tuple(rows))


def _as_row(row: ImageRow) -> tuple[Row, tuple[int, ...]]:
    """The row with its choices numbered from 0, and how many values these have."""
    names: Mapping[Term, Term] = {leaf: choice(number, len(leaf.values)) for number, leaf in enumerate(row.free)}
    lines = tuple(Assignment(index, TRUE, substitute(new, names)) for index, new in row.effects)
    phase = Phase(substitute(row.guard, names), lines)
    return Row((), (phase,), substitute(row.cost, names)), tuple(len(leaf.values) for leaf in row.free)


def variable_of(leaf: Term) -> int:
    assert isinstance(leaf, Var)
    return leaf.index
