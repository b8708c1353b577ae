"""The value of a term for many assignments at once: one numpy column for each leaf, one for each term."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from models.frozen import frozen
from models.metrics import LARGEST
from models.terms import (
    Add,
    And,
    Cases,
    Choice,
    Compare,
    Const,
    FloorDivide,
    Lookup,
    Maximum,
    Member,
    Minimum,
    Modulo,
    Not,
    Or,
    Select,
    Term,
    Values,
    Var,
    children,
    parts_first,
)
from search.compiler.term_tables import branch_runs, column, common_argument, filled, fits, size

CELLS = 1 << 26  # numbers that are held at a time
Array = npt.NDArray[Any]
_COMPARE = {"==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal}


@frozen(eq=True)
class Columns:
    """`size` assignments; `of[leaf]` holds the leaf's value in each of them."""

    size: int
    of: dict[Term, Array]

    def long(self) -> Columns:
        return self

    def listed(self) -> dict[Term, list[int]]:
        """The same as lists."""
        return {leaf: values.tolist() for leaf, values in self.of.items()}

    def filtered(self, keep: Any) -> Columns:
        return Columns(int(np.count_nonzero(keep)), {leaf: values[keep] for leaf, values in self.of.items()})

    def alone(self, leaf: Term) -> Columns:
        """All values of one leaf, and nothing else."""
        return columns_of(len(leaf.values), {leaf: leaf.values})

    def times(self, other: Any) -> Columns:
        """Each assignment with each of the other's, which has other leaves; rows keep their order."""
        of = {leaf: np.repeat(values, other.size) for leaf, values in self.of.items()}
        return Columns(
            self.size * other.size, of | {leaf: np.tile(values, self.size) for leaf, values in other.long().of.items()}
        )

    def numbered(self, place: Term) -> Columns:
        """With the number of each assignment as the value of one more leaf."""
        return Columns(self.size, {**self.of, place: np.arange(self.size)})

    def full(self, number: int) -> Array:
        return np.full(self.size, number, dtype=np.int64)

    def taken(self, numbers: Any) -> Array:
        """Numbers for these assignments that another table has worked out."""
        return numbers if isinstance(numbers, np.ndarray) else np.array(numbers.tolist(), dtype=np.int64)

    def ends(self, values: Any, place: Term, size: int) -> tuple[Array, Array]:
        """The least and the greatest value for each number up to `size`, which the leaf `place` tells; where it tells
        none, the one is above the other."""
        low, high = (np.full(size, end, dtype=np.int64) for end in (LARGEST, -LARGEST))
        np.minimum.at(low, self.of[place], values)
        np.maximum.at(high, self.of[place], values)
        return low, high

    def evaluate(self, term: Term) -> Array:
        """The term's values (int64)."""
        return evaluate(term, self)

    def holds(self, condition: Term) -> Array:
        return holds(condition, self)

    def pieces(self, rows: int) -> Iterator[Columns]:
        """The same assignments, in order, so many at a time; one piece at least."""
        if self.size <= rows:
            yield self
            return
        for first in range(0, self.size, rows):
            of = {leaf: values[first : first + rows] for leaf, values in self.of.items()}
            yield Columns(min(rows, self.size - first), of)


def columns_of(size: int, of: Mapping[Term, Sequence[int]]) -> Columns:
    """Assignments that are listed, as arrays."""
    kinds = {leaf: np.int16 if leaf.values[-1] < 1 << 15 else np.int64 for leaf in of}
    return Columns(size, {leaf: np.array(values, dtype=kinds[leaf]) for leaf, values in of.items()})


def evaluate(term: Term, columns: Columns, memo: dict[Term, Array] | None = None) -> Array:
    """The term's values (int64); share `memo` between calls with the same columns."""
    return np.asarray(_narrow(term, columns, memo), dtype=np.int64)


def _narrow(term: Term, columns: Columns, memo: dict[Term, Array] | None) -> Array:
    """The values in whatever type they come in: conditions as bool, leaves as short integers, sums as int64.

    Only of terms that fit into 64 bits: numpy would wrap others around without a word.
    """
    assert fits(term), "whoever asks has to look at that"
    if memo is not None:
        return _worked_out(term, columns, memo)
    rows = max(1, CELLS // size((term,)))
    return np.concatenate([_worked_out(term, piece, {}) for piece in columns.pieces(rows)])


def needed(term: Term) -> Iterable[Term]:
    """The parts whose values `_from_parts` looks at."""
    inner = common_argument(term) if isinstance(term, Select) else None
    return children(term) if inner is None else (term.argument, inner)  # type: ignore[attr-defined]


def _worked_out(term: Term, columns: Columns, memo: dict[Term, Array]) -> Array:
    for part in parts_first(term, memo, needed):
        memo[part] = np.asarray(_from_parts(part, columns, memo))
    return memo[term]


def holds(condition: Term, columns: Columns, memo: dict[Term, Array] | None = None) -> Array:
    return np.asarray(_narrow(condition, columns, memo) != 0)


def _from_parts(term: Term, columns: Columns, memo: dict[Term, Array]) -> Any:
    def of(inner: Term) -> Array:
        return memo[inner]

    match term:
        case Const(value=number):
            return np.full(columns.size, number, dtype=np.int64)
        case Var() | Choice():
            return columns.of[term]
        case Lookup(argument=argument, table=table):
            return np.array(filled(table))[places(argument.values, of(argument))]
        case Select():
            return _selected(term, columns, memo)
        case Cases(cases=pairs, otherwise=otherwise):
            result = of(otherwise)
            for condition, value in reversed(pairs):
                result = np.where(of(condition) != 0, of(value), result)
            return result
        case Add(terms=terms, constant=constant):
            total = np.full(columns.size, constant, dtype=np.int64)
            for coefficient, part in terms:
                total += np.multiply(of(part), coefficient, dtype=np.int64)
            return total
        case FloorDivide(argument=argument, divisor=divisor):
            return np.floor_divide(of(argument), divisor, dtype=np.int64)
        case Modulo(argument=argument, divisor=divisor):
            return np.mod(of(argument), divisor, dtype=np.int64)
        case Minimum(arguments=arguments):
            return np.minimum.reduce([of(a) for a in arguments])
        case Maximum(arguments=arguments):
            return np.maximum.reduce([of(a) for a in arguments])
    return _truth(term, of)


def _truth(term: Term, of: Callable[[Term], Array]) -> Any:
    match term:
        case Member(argument=argument, members=members):
            return among(of(argument), argument.values, members)
        case Compare(comparison=comparison, left=left, right=right):
            return _COMPARE[comparison](of(left), of(right))
        case And(arguments=arguments):
            return np.logical_and.reduce([of(a) for a in arguments])
        case Or(arguments=arguments):
            return np.logical_or.reduce([of(a) for a in arguments])
        case Not(argument=argument):
            return of(argument) == 0
    raise TypeError(f"no value for {type(term).__name__}")


def places(values: Values, found: Array) -> Array:
    """Where each number stands in `values`; one that is not there (an impossible case) stands at the nearest place."""
    if isinstance(values, range):
        return np.asarray(np.clip(np.subtract(found, values[0], dtype=np.int64), 0, len(values) - 1))
    if len(values) == 2 and values[1] - values[0] == 1:
        return np.asarray(np.clip(np.subtract(found, values[0], dtype=np.int64), 0, 1))
    return np.asarray(np.minimum(np.searchsorted(np.array(values), found), len(values) - 1))


def among(found: Array, values: Values, members: Values) -> Any:
    if len(members) == 1:
        return found == members[0]
    if isinstance(members, range):
        return (found >= members[0]) & (found <= members[-1])
    return np.isin(found, np.array(members))


def _selected(term: Select, columns: Columns, memo: dict[Term, Array]) -> Array:
    index = places(term.argument.values, memo[term.argument])
    inner = common_argument(term)
    if inner is not None:
        tables = [None if b is None else column(b, inner) for b in term.branches]
        spare = next(t for t in tables if t is not None)
        joint = np.array([spare if t is None else t for t in tables])
        return np.asarray(joint[index, places(inner.values, memo[inner])])
    used = {branch: number for number, (_, branch) in enumerate(branch_runs(term))}
    spare_number = next(iter(used.values()))
    numbers = np.array([spare_number if b is None else used[b] for b in term.branches])[index]
    result = np.zeros(columns.size, dtype=np.int64)
    for branch, number in used.items():
        result = np.where(numbers == number, memo[branch], result)
    return result
