"""A few assignments as plain lists, with as much of NumPy's arrays as the proofs use.

NumPy takes longer to load than most puzzles to be proven, and is slower where there are few rows. What is worked out
here is what `evaluation` works out of arrays; a table that grows beyond `MOST` assignments becomes one of arrays.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from operator import eq, le, lt, ne
from typing import TYPE_CHECKING, Any

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
    parts_first,
)
from search.compiler.term_tables import filled, fits

if TYPE_CHECKING:
    from search.proofs.evaluation import Columns

MOST = 1 << 12  # assignments: what takes some 10 ms at most
_COMPARE: dict[str, Callable[[int, int], bool]] = {"==": eq, "!=": ne, "<": lt, "<=": le}


class Numbers:
    """One number for each assignment; operators work on each, as those of an array do."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self.numbers = list(numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, keep: Numbers) -> Numbers:
        return Numbers(compress(self.numbers, keep.numbers))

    def __add__(self, other: Numbers) -> Numbers:
        return Numbers(map(int.__add__, self.numbers, other.numbers))

    def __mod__(self, modulus: int) -> Numbers:
        return Numbers(number % modulus for number in self.numbers)

    def __and__(self, other: Numbers) -> Numbers:
        return Numbers(map(int.__and__, self.numbers, other.numbers))

    def __le__(self, other: Numbers) -> Numbers:
        return Numbers(map(le, self.numbers, other.numbers))

    def __ge__(self, other: Numbers) -> Numbers:
        return other <= self

    def __eq__(self, other: Numbers) -> Numbers:  # type: ignore[override]
        return Numbers(map(eq, self.numbers, other.numbers))

    def all(self) -> bool:
        return all(self.numbers)

    def min(self) -> int:
        return min(self.numbers)

    def max(self) -> int:
        return max(self.numbers)

    def argmin(self) -> int:
        return self.numbers.index(min(self.numbers))

    def tolist(self) -> list[int]:
        return self.numbers


@frozen()
class ShortColumns:
    """`size` assignments; `of[leaf]` lists the leaf's value in each of them."""

    size: int
    of: dict[Term, list[int]]

    def long(self) -> Columns:
        """The same as arrays."""
        from search.proofs.evaluation import columns_of

        return columns_of(self.size, self.of)

    def listed(self) -> dict[Term, list[int]]:
        return self.of

    def filtered(self, keep: Any) -> ShortColumns:
        of = {leaf: list(compress(values, keep.numbers)) for leaf, values in self.of.items()}
        return ShortColumns(sum(keep.numbers), of)

    def alone(self, leaf: Term) -> ShortColumns | Columns:
        """All values of one leaf, and nothing else."""
        found = ShortColumns(len(leaf.values), {leaf: list(leaf.values)})
        return found if found.size <= MOST else found.long()

    def times(self, other: ShortColumns | Columns) -> ShortColumns | Columns:
        """Each assignment with each of the other's, which has other leaves."""
        size = self.size * other.size
        if size > MOST or not isinstance(other, ShortColumns):
            return self.long().times(other)
        of = {leaf: [value for value in values for _ in range(other.size)] for leaf, values in self.of.items()}
        return ShortColumns(size, of | {leaf: values * self.size for leaf, values in other.of.items()})

    def numbered(self, place: Term) -> ShortColumns:
        """With the number of each assignment as the value of one more leaf."""
        return ShortColumns(self.size, {**self.of, place: list(range(self.size))})

    def full(self, number: int) -> Numbers:
        return Numbers([number] * self.size)

    def taken(self, numbers: Any) -> Numbers:
        """Numbers for these assignments that another table has worked out."""
        return Numbers(numbers.tolist())

    def ends(self, values: Any, place: Term, size: int) -> tuple[Numbers, Numbers]:
        """The least and the greatest value for each number up to `size`, which the leaf `place` tells."""
        low, high = [LARGEST] * size, [-LARGEST] * size
        for number, value in zip(self.of[place], values.numbers, strict=True):
            low[number], high[number] = min(low[number], value), max(high[number], value)
        return Numbers(low), Numbers(high)

    def evaluate(self, term: Term) -> Numbers:
        """The term's values."""
        assert fits(term), "whoever asks has to look at that"
        memo: dict[Term, list[int]] = {}
        for part in parts_first(term, memo):
            memo[part] = self._from_parts(part, memo)
        return Numbers(memo[term])

    def holds(self, condition: Term) -> Numbers:
        return Numbers(map(bool, self.evaluate(condition).numbers))

    def _from_parts(self, term: Term, of: dict[Term, list[int]]) -> list[int]:
        match term:
            case Const(value=number):
                return [number] * self.size
            case Var() | Choice():
                return self.of[term]
            case Lookup(argument=argument, table=table):
                numbers = filled(table)
                return [numbers[place] for place in places(argument.values, of[argument])]
            case Select(argument=argument, branches=branches):
                rows = enumerate(places(argument.values, of[argument]))
                spare = next(branch for branch in branches if branch is not None)
                return [of[branches[place] or spare][row] for row, place in rows]
            case Cases(cases=pairs, otherwise=otherwise):
                columns = [(of[condition], of[value]) for condition, value in pairs]
                rest = of[otherwise]
                return [next((v[row] for c, v in columns if c[row]), rest[row]) for row in range(self.size)]
            case Add(terms=terms, constant=constant):
                total = [constant] * self.size
                for factor, part in terms:
                    total = [before + factor * value for before, value in zip(total, of[part], strict=True)]
                return total
        return self._from_row(term, of)

    def _from_row(self, term: Term, of: dict[Term, list[int]]) -> list[int]:
        match term:
            case FloorDivide(argument=argument, divisor=divisor):
                return [value // divisor for value in of[argument]]
            case Modulo(argument=argument, divisor=divisor):
                return [value % divisor for value in of[argument]]
            case Minimum(arguments=arguments):
                return list(map(min, zip(*(of[a] for a in arguments), strict=True)))
            case Maximum(arguments=arguments):
                return list(map(max, zip(*(of[a] for a in arguments), strict=True)))
            case Member(argument=argument, members=members):
                inside = members if isinstance(members, range) else frozenset(members)
                return [int(value in inside) for value in of[argument]]
            case Compare(comparison=comparison, left=left, right=right):
                return [int(truth) for truth in map(_COMPARE[comparison], of[left], of[right])]
            case And(arguments=arguments):
                return [int(all(row)) for row in zip(*(of[a] for a in arguments), strict=True)]
            case Or(arguments=arguments):
                return [int(any(row)) for row in zip(*(of[a] for a in arguments), strict=True)]
            case Not(argument=argument):
                return [int(not value) for value in of[argument]]
        raise TypeError(f"no value for {type(term).__name__}")


def places(values: Values, found: Sequence[int]) -> list[int]:
    """Where each number stands in `values`; one that is not there (an impossible case) stands at the nearest place."""
    last = len(values) - 1
    return [min(bisect_left(values, number), last) for number in found]
