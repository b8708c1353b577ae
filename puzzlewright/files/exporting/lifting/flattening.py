"""An expression over the values of a few state variables, quantifiers written out: then its values are one table.

Only variables that have a value in any case are read, so nothing is asked for that the expression would not need; all
else is left to the referee's evaluation, which works out the rows of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from models import expressions as e
from models.values import Value
from puzzlewright.files.exporting.lifting.fixed import Fixed
from puzzlewright.files.exporting.lifting.scopes import Delayed, Env, Given, Term
from puzzlewright.files.exporting.lifting.vocabulary import is_truth

MOST_ROWS = 3_000  # of a table that stands for a whole expression
MOST_ROUNDS = 30  # of a quantifier that is written out
NOTHING = e.Element(e.Constant(()), e.Constant(0))  # is undefined
COLLECTIONS = (e.Listing, e.Span, e.Ray)  # are no values: what looks into them has them as parts
ZERO, ONE = e.Constant(0), e.Constant(1)


class NotFlat(Exception):
    """The expression is no small table."""


class Flattening:
    """The values are terms of the scope; the expression's names are numbers behind a hash."""

    def __init__(self, fixed: Fixed, read: Callable[[e.Expr, Env, Given], Term], given: Given) -> None:
        self.fixed, self.read, self.given = fixed, read, given
        self.names: dict[str, Term | Delayed] = {}

    def over(self, node: e.Expr, env: Env) -> tuple[e.Expr, Env]:
        """NotFlat where it is none, and then the scope is to be forgotten."""
        made = self.expression(node, env)
        self._check(self.fixed.terms(made, Env(self.names)))
        return made, Env(self.names)

    def _check(self, terms: Sequence[Term]) -> None:
        if prod(len(term.values) for term in terms) > MOST_ROWS:
            raise NotFlat

    def expression(self, node: e.Expr, env: Env) -> e.Expr:
        """The same over the names of this flattening."""
        if self.fixed.fixed(node, env) and not isinstance(node, COLLECTIONS):
            return self._name(Delayed(node, env))
        match node:
            case e.Local() | e.Apply():
                return self.expression(*self.fixed.meant(node, env))
            case e.Read():
                return self._name(self._read(node, env))
            case e.Quantifier():
                return self._written_out(node, env)
        made: e.Expr = self.fixed.rebuilt(node, lambda part: self.expression(part, env))
        return made

    def _name(self, bound: Term | Delayed) -> e.Local:
        name = f"#{len(self.names)}"
        self.names[name] = bound
        return e.Local(name)

    def _read(self, node: e.Read, env: Env) -> Term:
        """Its value, if its indices depend on no state and are defined in any case."""
        if is_truth(self.fixed.variables[node.variable].type):
            raise NotFlat
        if not all(self.fixed.fixed(index, env) for index in node.indices):
            raise NotFlat
        before, self.given.partial = self.given.partial, False
        term = self.read(node, env, self.given)
        if self.given.partial:
            raise NotFlat
        self.given.partial = before
        self._check([each for each in self.names.values() if isinstance(each, Term) and not each.known])
        return term

    def _written_out(self, node: e.Quantifier, env: Env) -> e.Expr:
        rounds = [self._round(node, conditions, inner) for conditions, inner in self._rounds(node.loops, env)]
        match node.kind:
            case "all":
                return e.Conjunction(tuple(e.Disjunction((e.Negation(when), said)) for when, said in rounds))
            case "any":
                return e.Disjunction(tuple(e.Conjunction((when, said)) for when, said in rounds))
            case "count":
                return _sum(e.Conditional(when, ONE, ZERO) for when, _ in rounds)
            case "sum":
                return _sum(e.Conditional(when, said, ZERO) for when, said in rounds)
            case "first":
                return self._first(rounds, node.default, env)
        raise NotFlat

    def _first(self, rounds: Sequence[tuple[e.Expr, e.Expr]], default: e.Expr | None, env: Env) -> e.Expr:
        found: e.Expr = NOTHING if default is None else self.expression(default, env)
        for when, said in reversed(rounds):
            found = e.Conditional(when, said, found)
        return found

    def _round(self, node: e.Quantifier, conditions: Sequence[tuple[e.Expr, Env]], env: Env) -> tuple[e.Expr, e.Expr]:
        when = e.Conjunction(tuple(self.expression(condition, at) for condition, at in conditions))
        return when, self.expression(node.element, env)

    def _rounds(self, loops: Sequence[e.Loop], env: Env) -> Iterator[tuple[list[tuple[e.Expr, Env]], Env]]:
        """The conditions of the loops and what the names stand for, for each binding of the names."""
        domains = [self._values(loop.domain) for loop in loops]
        if prod(map(len, domains)) > MOST_ROUNDS:
            raise NotFlat
        for values in product(*domains):
            inner, conditions = env, list[tuple[e.Expr, Env]]()
            for loop, value in zip(loops, values, strict=True):
                inner = inner.binding(loop.name, self.fixed.constant(value))
                conditions += [] if loop.condition is None else [(loop.condition, inner)]
            yield conditions, inner

    def _values(self, domain: e.Expr) -> Sequence[Value]:
        if not isinstance(domain, e.Constant):
            raise NotFlat
        return list(domain.value)


def _sum(parts: Iterator[e.Expr]) -> e.Expr:
    found: e.Expr = ZERO
    for part in parts:
        found = e.Arithmetic("+", found, part, None)
    return found


def forgetting(given: Given) -> Given:
    """A copy of the scope, to be kept or not."""
    return replace(given, variables=dict(given.variables), parts=list(given.parts), found=dict(given.found),
                   fixed=list(given.fixed), read=dict(given.read))  # fmt: skip
