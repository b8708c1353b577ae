"""What terms may be when each variable takes any value of a set (possibly more).

Every term is evaluated on sets instead of values, as if its parts were independent. Large sums are not added up; they
count as anything between the least and the greatest sum, an interval that nobody walks through. Larger sets of
variables never make a term's set smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

from models import terms
from models.terms import Term

Entry = TypeVar("Entry")
Possible = AbstractSet[int] | range  # a range may be endless, for what it is worth: only its ends are looked at
FEW_PAIRS = 4096  # abstract sums up to this size are computed, larger ones only bounded


class ValueSets:
    """`stages[k][i]` are the values that variable i may have as phase k finds it."""

    def __init__(self, start: list[set[int]]) -> None:
        self.stages = [start]
        self._memo: dict[Term, Possible] = {}

    @property
    def work(self) -> int:
        """How much has been looked at, in values; a term takes about as long as ten values."""
        return sum(1 if isinstance(s, range) else len(s) for s in self._memo.values()) + 10 * len(self._memo)

    def can_hold(self, condition: Term) -> bool:
        return all(1 in self.possible(part) for part in terms.conjuncts(condition))

    def possible(self, term: Term) -> Possible:
        if term not in self._memo:
            for part in terms.parts_first(term, self._memo, terms.nested):
                self._memo[part] = self._evaluated(part)
        return self._memo[term]

    def _evaluated(self, term: Term) -> Possible:
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
                return _divided(self.possible(argument), divisor)
            case terms.Modulo(argument=argument, divisor=divisor):
                return _remainders(self.possible(argument), divisor)
            case terms.Minimum(arguments=arguments):
                parts = [self.possible(a) for a in arguments]
                bound = min((ends(part)[1] for part in parts if part), default=0)
                return _union([_up_to(part, bound) for part in parts])
            case terms.Maximum(arguments=arguments):
                parts = [self.possible(a) for a in arguments]
                bound = max((ends(part)[0] for part in parts if part), default=0)
                return _union([_from(part, bound) for part in parts])
            case terms.Member() | terms.Compare() | terms.And() | terms.Or() | terms.Not():
                return self._truths(term)
        return set(term.values)

    def _chosen(self, argument: Term, entries: Sequence[Entry]) -> list[Entry]:
        """The entries beside the values that the argument may have."""
        known, values = self.possible(argument), argument.values
        if isinstance(values, range):
            return [entries[values.index(value)] for value in known if value in values]
        return [entry for value, entry in zip(values, entries, strict=True) if value in known]

    def _union(self, branches: list[Term]) -> Possible:
        return _union([self.possible(branch) for branch in dict.fromkeys(branches)])

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


def ends(values: Possible) -> tuple[int, int]:
    """The least and the greatest of some values."""
    return (values[0], values[-1]) if isinstance(values, range) else (min(values), max(values))


def inside(values: Possible, few: range) -> frozenset[int]:
    """Those of the values that lie in a range that may be walked through."""
    return frozenset([value for value in few if value in values] if isinstance(values, range) else
                     [value for value in values if value in few])  # fmt: skip


def _union(sets: Sequence[Possible]) -> Possible:
    """All of them; an interval around them where one of them is an interval."""
    if not any(isinstance(values, range) for values in sets):
        return {value for values in sets for value in values}
    found = [ends(values) for values in sets if values]
    return range(min(low for low, _ in found), max(high for _, high in found) + 1) if found else set()


def _up_to(values: Possible, bound: int) -> Possible:
    if isinstance(values, range):
        return range(values.start, min(values.stop, bound + 1))
    return {value for value in values if value <= bound}


def _from(values: Possible, bound: int) -> Possible:
    if isinstance(values, range):
        return range(max(values.start, bound), values.stop)
    return {value for value in values if value >= bound}


def _divided(values: Possible, divisor: int) -> Possible:
    if isinstance(values, range):
        return range(values[0] // divisor, values[-1] // divisor + 1)
    return {value // divisor for value in values}


def _remainders(values: Possible, divisor: int) -> Possible:
    if not isinstance(values, range):
        return {value % divisor for value in values}
    low, high = values[0], values[-1]
    return range(low % divisor, high % divisor + 1) if low // divisor == high // divisor else range(divisor)


def _sums(term: Term, parts: list[tuple[int, Possible]], constant: int) -> Possible:
    sums = {constant}
    for coefficient, values in parts:
        if isinstance(values, range) or len(sums) * len(values) > FEW_PAIRS:
            return _bounded(term, parts, constant)
        sums = {total + coefficient * value for total in sums for value in values}
    return sums


def _bounded(term: Term, parts: list[tuple[int, Possible]], constant: int) -> Possible:
    if not isinstance(term.values, range) or len(term.values) <= FEW_PAIRS:
        return set(term.values)
    if not all(values for _, values in parts):
        return set()
    found = [sorted(coefficient * end for end in ends(values)) for coefficient, values in parts]
    return range(constant + sum(low for low, _ in found), constant + sum(high for _, high in found) + 1)


def _membership(known: Possible, members: terms.Values) -> AbstractSet[int]:
    if isinstance(known, range):
        some = _meet(known, members)
        every = isinstance(members, range) and known[0] in members and known[-1] in members
        return {int(each) for each, possible in ((True, some), (False, not every)) if possible}
    if len(members) < len(known):  # so that some value is no member
        return {0, 1} if any(value in known for value in members) else {0}
    wanted = members if isinstance(members, range) else frozenset(members)
    return {int(value in wanted) for value in known}


def _meet(one: Possible | terms.Values, other: Possible | terms.Values) -> bool:
    """Do they share a value? Two ranges do where neither ends before the other begins."""
    if isinstance(one, range) and isinstance(other, range):
        return one[0] <= other[-1] and other[0] <= one[-1]
    if isinstance(one, range):
        return any(value in one for value in other)
    return any(value in other for value in one) if isinstance(other, range) else not set(one).isdisjoint(other)


def _compared(comparison: terms.Comparison, left: Possible, right: Possible) -> AbstractSet[int]:
    if not left or not right:
        return set()
    (low, high), (least, most) = ends(left), ends(right)
    if comparison in ("==", "!="):
        same, different = _meet(left, right), not low == high == least == most
        holds, fails = (same, different) if comparison == "==" else (different, same)
    else:
        strict = comparison == "<"
        holds = low < most + (not strict)
        fails = high >= least + (not strict)
    return {value for value, possible in ((1, holds), (0, fails)) if possible}
