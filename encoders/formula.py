"""A propositional formula with exactly-one groups and enforced linear constraints.

A literal is an int: n >= 0 is Boolean variable n, ~n its negation; variable 0 is true, so nothing constant is ever
written down. Definitions go in both directions (Tseitin, On the complexity of derivation in propositional calculus,
1968), so that a plan fixes every auxiliary literal, and are shared: equal conjunctions have one literal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

TRUE, FALSE = 0, -1
Literals = Sequence[int]
ValueLiterals = Mapping[int, int]  # value -> the literal that says so; a missing value is impossible
Intervals = tuple[tuple[int, int], ...]
Ranges = tuple[tuple[int | None, int | None], ...]  # ascending and apart; None: open, nothing lies beyond


class Linear(NamedTuple):
    """Where every literal of `enforced` holds, the sum of coefficient * literal lies in one of the `intervals`."""

    enforced: tuple[int, ...]
    coefficients: tuple[int, ...]
    variables: tuple[int, ...]
    intervals: Intervals


class Formula:
    """Clauses, exactly-one groups and enforced linear constraints, with shared definitions."""

    def __init__(self) -> None:
        self.variables = 1
        self.clauses: list[Literals] = [(TRUE,)]
        self.groups: list[Literals] = []
        self.linears: list[Linear] = []
        self._all: dict[tuple[int, ...], int] = {}
        self._chosen: dict[tuple[tuple[int, int], ...], int] = {}

    def fresh(self) -> int:
        self.variables += 1
        return self.variables - 1

    def clause(self, literals: Literals) -> None:
        """At least one of them holds."""
        if TRUE in literals:
            return
        self.clauses.append([each for each in literals if each != FALSE] if FALSE in literals else literals)

    def exactly_one(self, literals: Iterable[int]) -> None:
        """Exactly one of them holds."""
        group = [each for each in literals if each != FALSE]
        if TRUE in group or len(group) <= 1:
            for each in group:
                self.clause((each if each == TRUE or len(group) == 1 else ~each,))
            if not group:
                self.clause(())
            return
        if len(group) == 2 and group[0] == ~group[1]:
            return
        self.groups.append(group)
        self._all[tuple(sorted(~each for each in group))] = FALSE

    def one_hot(self, values: Iterable[int]) -> dict[int, int]:
        """New value literals, exactly one of which holds: a single value needs none, two values need one Boolean."""
        values = list(values)
        if len(values) == 1:
            return {values[0]: TRUE}
        if len(values) == 2:
            literal = self.fresh()
            return {values[0]: ~literal, values[1]: literal}
        made = {value: self.fresh() for value in values}
        self.exactly_one(made.values())
        return made

    def all_of(self, literals: Iterable[int]) -> int:
        """The literal of a conjunction."""
        parts = set(literals)
        parts.discard(TRUE)
        if FALSE in parts or any(~each in parts for each in parts):
            return FALSE
        if len(parts) <= 1:
            return parts.pop() if parts else TRUE
        key = tuple(sorted(parts))
        found = self._all.get(key)
        if found is None:
            found = self._all[key] = self.fresh()
            self.clauses.extend((~found, each) for each in key)
            self.clauses.append((found, *(~each for each in key)))
        return found

    def any_of(self, literals: Iterable[int]) -> int:
        """The literal of a disjunction."""
        return ~self.all_of([~each for each in literals])

    def choose(self, branches: Iterable[tuple[int, int]]) -> int:
        """The literal that is x where the selector s holds, for pairs (s, x); false where no selector holds.

        At most one selector may hold at a time.
        """
        key = tuple((s, x) for s, x in branches if s != FALSE and x != FALSE)
        if all(x == TRUE for _, x in key):
            return self.any_of([s for s, _ in key])
        if len(key) == 1 or len({x for _, x in key}) == 1:
            return self.all_of((key[0][1], self.any_of([s for s, _ in key])))
        found = self._chosen.get(key)
        if found is None:
            found = self._chosen[key] = self.fresh()
            for s, x in key:
                self.clause((~s, ~x, found))
                self.clause((~s, x, ~found))
            self.clause((~found, *(s for s, _ in key)))
        return found

    def linear(self, enforced: Iterable[int], weighted: Iterable[tuple[int, int]], ranges: Ranges) -> None:
        """Where all of `enforced` hold, the sum of coefficient * literal lies in one of the ranges."""
        total: dict[int, int] = {}
        constant = 0
        for coefficient, literal in weighted:
            if literal < 0:
                constant += coefficient
                coefficient, literal = -coefficient, ~literal
            if literal == TRUE:
                constant += coefficient
            else:
                total[literal] = total.get(literal, 0) + coefficient
        kept = {literal: coefficient for literal, coefficient in total.items() if coefficient}
        least, most = (sum(pick(0, coefficient) for coefficient in kept.values()) for pick in (min, max))
        intervals = _within(least, most, ((_less(low, constant), _less(high, constant)) for low, high in ranges))
        condition = tuple(each for each in enforced if each != TRUE)
        if FALSE in condition or intervals == ((least, most),):
            return
        if not intervals:
            self.clause([~each for each in condition])
            return
        self.linears.append(Linear(condition, tuple(kept.values()), tuple(kept), intervals))


def _less(end: int | None, constant: int) -> int | None:
    return None if end is None else end - constant


def _within(least: int, most: int, ranges: Iterable[tuple[int | None, int | None]]) -> Intervals:
    """What of the ranges lies between `least` and `most`."""
    cut = ((least if low is None else max(least, low), most if high is None else min(most, high))
           for low, high in ranges)  # fmt: skip
    return tuple((low, high) for low, high in cut if low <= high)
