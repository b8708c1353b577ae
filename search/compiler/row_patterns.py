"""Rows that differ in numbers too, as those of a piece on each square of a board, as one piece of code.

What a template (`compiler.row_templates`) does with a row's variables, a pattern does with numbers as well: they are
read from the row's record. Its rows are filed under an equality, as mask rows are (`compiler.row_tables`), so that only
those are looked at that the state opens. Sound since rows of one shape are equal but for the names of leaves and
numbers, what is written holds for all numbers that these rows have, and a row is found by the equality that files it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from models.frozen import frozen
from models.shapes import Naming
from models.terms import (
    Comparison,
    Const,
    Lookup,
    Member,
    Term,
    Var,
    cases,
    choice,
    compare,
    const,
    is_condition,
    substitute,
    var,
)
from search.compiler.emitter import Emitter, literal
from search.compiler.layout import Field, Layout
from search.compiler.row_tables import Records
from search.compiler.row_templates import Add, Shaped, Write, write_any
from search.compiler.rows import RowPlan

LARGEST_NUMBER = 1 << 12  # of those that are read from records
FILED_BITS = 12  # of a field by which rows are filed
LEAST_SIZE = 3  # of a leaf that is no condition


@dataclass
class NumberNaming(Naming):
    """Shapes in which numbers are names: values, and what a term is compared with. 0 and 1 are none: conditions."""

    around: list[Term] = field(default_factory=list)  # terms that have numbers in them which are no terms

    def _form(self, term: Term) -> tuple[Any, ...]:
        match term:
            case Const(value=value):
                return "number", self._number(value)
            case Var(stage=stage) if stage:
                return "leaf", self._name(term), is_condition(term)  # the numbers say how many values it has
            case Member() if (found := compared(term)) is not None:
                self.around.append(term)
                return found[0], self._number(found[1]), self.numbers[term.argument]
            case Lookup(argument=argument, table=(int(no), int(yes))) if is_condition(argument):
                self.around.append(term)
                return "either", self._number(no), self._number(yes), self.numbers[argument]
        return super()._form(term)

    def _number(self, value: int) -> tuple[str, int]:
        return ("name", self._name(const(value))) if 1 < value < LARGEST_NUMBER else ("itself", value)

    def _name(self, term: Term) -> int:
        return self.names.setdefault(term, len(self.names))


@lru_cache(maxsize=1 << 14)
def compared(term: Member) -> tuple[Comparison, int] | None:
    """The number that is the only member, or the only value that is none, and how the argument compares with it."""
    values, members = term.argument.values, term.members
    if len(members) == 1:
        return "==", members[0]
    small = 0 <= values[0] <= values[-1] < LARGEST_NUMBER
    return ("!=", sum(values) - sum(members)) if small and len(members) == len(values) - 1 else None


def spelt(term: Term, new: Callable[[Term], Term]) -> Term:
    """A term of `NumberNaming.around` with leaves in place of its numbers."""
    match term:
        case Member(argument=argument) if (found := compared(term)) is not None:
            return compare(found[0], new(argument), new(const(found[1])))
        case Lookup(argument=argument, table=(int(no), int(yes))):
            return cases([(new(argument), new(const(yes)))], new(const(no)))
    raise TypeError(f"no numbers in {type(term).__name__}")


@frozen(eq=True)
class Pattern:
    """Rows of one shape up to their numbers, filed: those of a field together, in the order of its codes."""

    rows: tuple[Shaped, ...]
    files: tuple[tuple[Field, int], ...]  # by which the rows are filed; where its codes begin in `starts`
    starts: tuple[int, ...]  # the first row of each code, and behind them the number of all rows
    filed: int  # the equality's place among the tests


def pattern(layout: Layout, rows: Sequence[Shaped]) -> Pattern | None:
    """The rows filed under the equality that tells most of them apart; None where there is none."""
    options = [n for n, test in enumerate(rows[0].plan.tests) if isinstance(test, Member) and equality(layout, test)]
    places = {n: [equality(layout, row.plan.tests[n]) for row in rows] for n in options}
    places = {n: found for n, found in places.items() if all(found)}
    if not places:
        return None
    filed = max(places, key=lambda n: len(set(places[n])))
    buckets: dict[Field, dict[int, list[Shaped]]] = {}
    for row, found in zip(rows, places[filed], strict=True):
        assert found is not None
        buckets.setdefault(found[0], {}).setdefault(found[1], []).append(row)
    return _filed(buckets, filed)


def equality(layout: Layout, test: Term) -> tuple[Field, int] | None:
    """(field, code) of a test that holds where the field has the code."""
    found = literal(layout, test)
    fits = found is not None and len(found[1]) == 1 and 0 < found[0].width <= FILED_BITS
    return (found[0], found[1][0]) if found is not None and fits else None


def _filed(buckets: Mapping[Field, Mapping[int, Sequence[Shaped]]], filed: int) -> Pattern:
    rows: list[Shaped] = []
    starts: list[int] = []
    files = []
    for own, codes in buckets.items():
        files.append((own, len(starts)))
        for code in range(1 << own.width):
            starts.append(len(rows))
            rows += codes.get(code, ())
    return Pattern(tuple(rows), tuple(files), (*starts, len(rows)), filed)


def write_pattern(emitter: Emitter, found: Pattern, write: Write, add: Add) -> None:
    """The loop over the rows that the state opens."""
    plan, numbers = generic(found)
    with _opened(emitter, found) as row:
        write_any(emitter, found.rows, plan, row, write, add, numbers)


@contextmanager
def _opened(emitter: Emitter, found: Pattern) -> Iterator[str]:
    """A loop over the fields by which rows are filed, and in it one over the rows of the code that the field holds."""
    fields = [own for own, _ in found.files]
    columns: dict[object, list[int]] = {
        "word": [own.word for own in fields],
        "shift": [own.shift for own in fields],
        "mask": [(1 << own.width) - 1 for own in fields],
        "first": [first for _, first in found.files],
    }
    records = Records(emitter, columns)
    with emitter.loop(str(len(fields))) as number:
        base = emitter.value(f"mul i64 {number}, {records.size}")
        word, shift, mask, first = (records.column(emitter, base, name) for name in columns)
        moved = emitter.value(f"lshr i64 {emitter.picked(word)}, {shift}")
        place = emitter.value(f"add i64 {emitter.value(f'and i64 {moved}, {mask}')}, {first}")
        with emitter.loop(emitter.fetched(found.starts[1:], place), emitter.fetched(found.starts[:-1], place)) as row:
            yield row


# -- numbers as leaves ------------------------------------------------------------------------------------------------


def generic(found: Pattern) -> tuple[RowPlan, dict[Term, Sequence[int]]]:
    """(the first row with leaves for numbers, without the test that it is filed under; what the leaves are)."""
    names, numbers = _leaves(found.rows)
    plan, naming = found.rows[0].plan, NumberNaming()
    naming.shapes(plan.roots())
    memo: dict[Term, Term] = {}

    def new(term: Term) -> Term:
        return substitute(term, names, memo)

    for term in naming.around:  # parts come before wholes
        names[term] = spelt(term, new)
    tests = tuple(test for n, test in enumerate(plan.tests) if n != found.filed)
    return replace(plan, tests=tests).over(new), numbers


def _leaves(rows: Sequence[Shaped]) -> tuple[dict[Term, Term], dict[Term, Sequence[int]]]:
    """(for the first row's names the leaves that stand for them in all rows; the numbers that these are)."""
    names: dict[Term, Term] = {}
    numbers: dict[Term, Sequence[int]] = {}
    for place, column in enumerate(zip(*(row.names for row in rows), strict=True)):
        first = column[0]
        if isinstance(first, Const) and len(set(column)) > 1:
            values = [name.values[0] for name in column]
            names[first] = choice(place, max(LEAST_SIZE, max(values) + 1))
            numbers[names[first]] = values
        elif isinstance(first, Var) and first.stage:
            names[first] = var(first.index, max(len(name.values) for name in column), first.stage)
    return names, numbers
