"""The value of a term for many assignments at once: one numpy column for each leaf, one for each term."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from models.frozen import frozen
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
from search.compiler.term_tables import branch_runs, column, common_argument, filled, fits

CELLS = 1 << 26  # numbers that are held at a time
Array = npt.NDArray[Any]
_COMPARE = {"==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal}


@frozen(eq=True)
class Columns:
    """`size` assignments; `of[leaf]` holds the leaf's value in each of them."""

    size: int
    of: dict[Term, Array]

    def filtered(self, keep: Array) -> Columns:
        return Columns(int(np.count_nonzero(keep)), {leaf: values[keep] for leaf, values in self.of.items()})

    def pieces(self, rows: int) -> Iterator[Columns]:
        """The same assignments, in order, so many at a time; one piece at least."""
        if self.size <= rows:
            yield self
            return
        for first in range(0, self.size, rows):
            of = {leaf: values[first : first + rows] for leaf, values in self.of.items()}
            yield Columns(min(rows, self.size - first), of)


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


@lru_cache(maxsize=1 << 14)
def size(terms: tuple[Term, ...]) -> int:
    """How many parts the terms have together."""
    seen: set[Term] = set()
    stack = list(terms)
    while stack:
        term = stack.pop()
        if term not in seen:
            seen.add(term)
            stack += children(term)
    return len(seen)


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
