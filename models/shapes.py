"""Terms up to the names of their leaves, so that rows that differ only in names share one proof.

A shape is a number: terms that have the same number are equal once their leaves are numbered in the order in which they
are met (hash-consing again; operands of sums, conjunctions and disjunctions count in any order). Terms that differ only
in names may still get different shapes, which costs time and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from models.terms import Add, And, Choice, Const, Lookup, Member, Or, Select, Term, Var, children, parts_first

_numbers: dict[tuple[Any, ...], int] = {}


@dataclass
class Naming:
    """Numbers given to leaves, and the shapes found under them."""

    names: dict[Term, int] = field(default_factory=dict)
    numbers: dict[Term, int] = field(default_factory=dict)

    def copy(self) -> Naming:
        return Naming(dict(self.names), dict(self.numbers))

    def shapes(self, terms: Iterable[Term]) -> tuple[int, ...]:
        return tuple(self.shape(term) for term in terms)

    def shape(self, term: Term) -> int:
        for part in parts_first(term, self.numbers):
            self.numbers[part] = _numbers.setdefault(self._form(part), len(_numbers))
        return self.numbers[term]

    def _form(self, term: Term) -> tuple[Any, ...]:
        kind = type(term).__name__
        if isinstance(term, Var | Choice):
            return "leaf", self.names.setdefault(term, len(self.names)), len(term.values)
        parts = tuple(self.numbers[part] for part in children(term))
        match term:
            case Const(value=value):
                return kind, value
            case Add(terms=terms, constant=constant):
                return kind, constant, *sorted(zip((c for c, _ in terms), parts, strict=True))
            case Lookup(argument=argument, table=table):
                return kind, tuple(argument.values), table, parts
            case Select(argument=argument, branches=branches):
                return kind, tuple(argument.values), tuple(b is None for b in branches), parts
            case Member(members=members):
                return kind, members if isinstance(members, range) else tuple(members), parts
            case And() | Or():
                return kind, *sorted(parts)
        return kind, getattr(term, "divisor", None), getattr(term, "comparison", None), parts
