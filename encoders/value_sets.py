"""What terms may be when each variable takes any value of a set (possibly more).

Every term is evaluated on sets instead of values, as if its parts were independent. Large sums are not added up; they
count as anything that the term can ever be. Larger sets of variables never make a term's set smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

from models import terms
from models.terms import Term

Entry = TypeVar("Entry")
FEW_PAIRS = 4096  # abstract sums up to this size are computed, larger ones taken from the term


class ValueSets:
    """`stages[k][i]` are the values that variable i may have as phase k finds it."""

    def __init__(self, start: list[set[int]]) -> None:
        self.stages = [start]
        self._memo: dict[Term, AbstractSet[int]] = {}

    @property
    def work(self) -> int:
        """How much has been looked at, in values; a term takes about as long as ten values."""
        return sum(map(len, self._memo.values())) + 10 * len(self._memo)

    def can_hold(self, condition: Term) -> bool:
        return all(1 in self.possible(part) for part in terms.conjuncts(condition))

    def possible(self, term: Term) -> AbstractSet[int]:
        found = self._memo.get(term)
        if found is None:
            found = self._memo[term] = self._evaluated(term)
        return found

    def _evaluated(self, term: Term) -> AbstractSet[int]:
        match term:
            case terms.Const(value=value):
                return {value}
            case terms.Var(index=index, stage=stage):
                return self.stages[stage][index]
            case terms.Lookup(argument=argument, table=table):
                return {result for result in self._chosen(argument, table) if result is not None}
            case terms.Select(argument=argument, branches=branches):
                return self._union([b for b in self._chosen(argument, branches) if b is not None])
            case terms.Cases(cases=pairs, otherwise=otherwise):
                reached = [value for condition, value in pairs if 1 in self.possible(condition)]
                return self._union([*reached, otherwise])
            case terms.Add(terms=weighted, constant=constant):
                return _sums(term, [(c, self.possible(part)) for c, part in weighted], constant)
            case terms.FloorDivide(argument=argument, divisor=divisor):
                return {value // divisor for value in self.possible(argument)}
            case terms.Modulo(argument=argument, divisor=divisor):
                return {value % divisor for value in self.possible(argument)}
            case terms.Minimum(arguments=arguments):
                parts = [self.possible(a) for a in arguments]
                bound = min((max(part) for part in parts if part), default=0)
                return {value for part in parts for value in part if value <= bound}
            case terms.Maximum(arguments=arguments):
                parts = [self.possible(a) for a in arguments]
                bound = max((min(part) for part in parts if part), default=0)
                return {value for part in parts for value in part if value >= bound}
            case terms.Member() | terms.Compare() | terms.And() | terms.Or() | terms.Not():
                return self._truths(term)
        return set(term.values)

    def _chosen(self, argument: Term, entries: Sequence[Entry]) -> list[Entry]:
        """The entries beside the values that the argument may have."""
        known, values = self.possible(argument), argument.values
        if isinstance(values, range):
            return [entries[values.index(value)] for value in known if value in values]
        return [entry for value, entry in zip(values, entries, strict=True) if value in known]

    def _union(self, branches: list[Term]) -> AbstractSet[int]:
        return {value for branch in dict.fromkeys(branches) for value in self.possible(branch)}

    def _truths(self, term: Term) -> AbstractSet[int]:
        match term:
            case terms.Not(argument=argument):
                return {1 - value for value in self.possible(argument)}
            case terms.Member(argument=argument, members=members):
                return _membership(self.possible(argument), members)
            case terms.And(arguments=arguments) | terms.Or(arguments=arguments):
                parts = [self.possible(argument) for argument in arguments]
                absorbing = int(isinstance(term, terms.Or))
                some = {absorbing} if any(absorbing in part for part in parts) else set()
                return some | ({1 - absorbing} if all(1 - absorbing in part for part in parts) else set())
            case terms.Compare(comparison=comparison, left=left, right=right):
                return _compared(comparison, self.possible(left), self.possible(right))
        raise AssertionError(term)


def _sums(term: Term, parts: list[tuple[int, AbstractSet[int]]], constant: int) -> AbstractSet[int]:
    sums = {constant}
    for coefficient, values in parts:
        if len(sums) * len(values) > FEW_PAIRS:
            return set(term.values)
        sums = {total + coefficient * value for total in sums for value in values}
    return sums


def _membership(known: AbstractSet[int], members: terms.Values) -> AbstractSet[int]:
    if len(members) < len(known):  # so that some value is no member
        return {0, 1} if any(value in known for value in members) else {0}
    wanted = members if isinstance(members, range) else frozenset(members)
    return {int(value in wanted) for value in known}


def _compared(comparison: terms.Comparison, left: AbstractSet[int], right: AbstractSet[int]) -> AbstractSet[int]:
    if not left or not right:
        return set()
    if comparison in ("==", "!="):
        same, different = not left.isdisjoint(right), len(left | right) > 1
        holds, fails = (same, different) if comparison == "==" else (different, same)
    else:
        strict = comparison == "<"
        holds = min(left) < max(right) + (not strict)
        fails = max(left) >= min(right) + (not strict)
    return {value for value, possible in ((1, holds), (0, fails)) if possible}
