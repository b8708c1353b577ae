"""Terms written as Python: an expression where that is enough, else statements that leave a value in a local variable.

A selection among tables is one two-dimensional table, a variable index that depends on the state is an index, other
selections are binary decisions, chains of conditions stay chains. Only whole numbers and names made here enter the
source.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
)
from search.scopes import Scopes, Usage
from search.tables import WIDE, branch_runs, column, common_argument, dense, filled, variables_only

LONG = 40  # operands of one expression; the compiler recurses over longer ones
DEEP = 8  # every so many levels of a term one gets a name
_EXACT = (Const, Var, Choice, Lookup, Add, FloorDivide, Modulo)  # written so that Python yields an int, not a bool
_SIGNS = {"==": "==", "!=": "!=", "<": "<", "<=": "<="}


class Emitter(Scopes):
    """Writes one function; `state` is its argument, `constants` are the tables it reads."""

    def __init__(self, usage: Usage) -> None:
        super().__init__(usage)
        self.constants: dict[str, object] = {}
        self.pool: dict[str, str] = {}
        self.fresh = 0
        self.weights: dict[Term, tuple[int, int]] = {}

    def weight(self, term: Term) -> tuple[int, int]:
        """(roughly the operations, the depth) of a term."""
        if term not in self.weights:
            parts = [self.weight(part) for part in children(term)]
            leaf = isinstance(term, Var | Choice | Const)
            self.weights[term] = (sum(w for w, _ in parts) + (not leaf), 1 + max((d for _, d in parts), default=-1))
        return self.weights[term]

    def wants_name(self, term: Term) -> bool:
        weight, depth = self.weight(term)
        if isinstance(term, Cases | Minimum | Maximum) or (depth and depth % DEEP == 0):
            return True
        if isinstance(term, Select) and common_argument(term) is None and variables_only(term) is None:
            return True
        return weight > 1 and (self.usage.parents[term] > 1 or len(children(term)) > LONG)

    def plain(self, term: Term) -> bool:
        """Can the term be written without a statement before it?"""
        if self.known(term) is not None:
            return True
        return not self.wants_name(term) and all(self.plain(part) for part in children(term))

    def expression(self, term: Term) -> str:
        name = self.known(term)
        if name is not None:
            return name
        if isinstance(term, Const):
            return str(term.value) if term.value >= 0 else f"({term.value})"
        return self.named(term) if self.wants_name(term) else self.inline(term)

    def exact(self, term: Term) -> str:
        """An expression of type int, not bool."""
        return self.expression(term) if isinstance(term, _EXACT) else f"+{self.expression(term)}"

    def named(self, term: Term) -> str:
        """A local variable that holds the term."""
        name = self.known(term)
        if name is None and isinstance(term, Const | Var):
            return self.expression(term)
        if name is None:
            level = self.level(term)
            inner = self.scopes[level + 1 :]
            del self.scopes[level + 1 :]
            name = f"t{self.fresh}"
            self.fresh += 1
            self.define(name, term)
            self.bind(term, name)
            self.scopes += inner
        return name

    def define(self, name: str, term: Term) -> None:
        match term:
            case Cases(cases=pairs, otherwise=otherwise):
                self.define_cases(name, pairs, otherwise)
            case Select(argument=argument) if self.wants_name(term):
                if common_argument(term) is not None or variables_only(term) is not None:
                    self.line(f"{name} = {self.inline(term)}")
                else:
                    self.define_select(name, self.named(argument), branch_runs(term))
            case Minimum(arguments=arguments) | Maximum(arguments=arguments):
                sign = "<" if isinstance(term, Minimum) else ">"
                self.line(f"{name} = {self.expression(arguments[0])}")
                for argument in arguments[1:]:
                    other = self.expression(argument)
                    if not other.isalnum():
                        self.line(f"x = {other}")
                        other = "x"
                    self.line(f"if {other} {sign} {name}: {name} = {other}")
            case Add(terms=terms, constant=constant) if len(terms) > LONG:
                self.line(f"{name} = {constant}")
                for first in range(0, len(terms), LONG):
                    self.line(f"{name} += {self.total(terms[first : first + LONG], 0)}")
            case _:
                self.line(f"{name} = {self.inline(term)}")

    def define_cases(self, name: str, pairs: Sequence[tuple[Term, Term]], otherwise: Term) -> None:
        for number, (condition, _) in enumerate(pairs[:LONG]):
            if not self.plain(condition) and number:
                pairs, rest = pairs[:number], pairs[number:]
                break
        else:
            pairs, rest = pairs[:LONG], pairs[LONG:]
        chain: list[Any] = []
        for number, (condition, value) in enumerate(pairs):
            with self.block(f"{'elif' if number else 'if'} {self.expression(condition)}:", "branch", into=chain):
                self.line(f"{name} = {self.expression(value)}")
        with self.block("else:", "branch", into=chain):
            if rest and len(self.scopes) < LONG:
                self.define_cases(name, rest, otherwise)
            elif rest:
                tests = [(self.expression(condition), self.expression(value)) for condition, value in rest]
                self.line(f"{name} = {self.expression(otherwise)}")
                for test, text in reversed(tests):
                    self.line(f"if {test}: {name} = {text}")
            else:
                self.line(f"{name} = {self.expression(otherwise)}")
        self.scopes[-1].lines += chain

    def define_select(self, name: str, argument: str, runs: Sequence[tuple[int, Term]]) -> None:
        """A binary decision over runs of equal branches, each beside its first value."""
        if len(runs) == 1:
            self.line(f"{name} = {self.expression(runs[0][1])}")
            return
        middle = len(runs) // 2
        chain: list[Any] = []
        with self.block(f"if {argument} < {runs[middle][0]}:", "branch", into=chain):
            self.define_select(name, argument, runs[:middle])
        with self.block("else:", "branch", into=chain):
            self.define_select(name, argument, runs[middle:])
        self.scopes[-1].lines += chain

    def inline(self, term: Term) -> str:
        match term:
            case Var(index=index):
                return f"state[{index}]"
            case Lookup(argument=argument, table=table):
                return self.indexed(argument.values, filled(table), self.expression(argument))
            case Member(argument=argument, members=members):
                return self.membership(self.expression(argument), argument.values, members)
            case Compare(comparison=comparison, left=left, right=right):
                return f"({self.expression(left)} {_SIGNS[comparison]} {self.expression(right)})"
            case Add(terms=terms, constant=constant):
                return self.total(terms, constant)
            case FloorDivide(argument=argument, divisor=divisor):
                return f"({self.expression(argument)} // {divisor})"
            case Modulo(argument=argument, divisor=divisor):
                return f"({self.expression(argument)} % {divisor})"
            case And(arguments=arguments) | Or(arguments=arguments):
                word = " and " if isinstance(term, And) else " or "
                return f"({word.join(self.expression(a) for a in arguments)})"
            case Not(argument=argument):
                return f"(not {self.expression(argument)})"
            case Select():
                return self.tabulated(term)
        raise TypeError(f"no expression for {type(term).__name__}")

    def total(self, terms: Sequence[tuple[int, Term]], constant: int) -> str:
        text = str(constant) if constant or terms[0][0] < 0 else ""
        for coefficient, term in terms:
            sign = " - " if coefficient < 0 else " + " if text else ""
            factor = "" if abs(coefficient) == 1 else f"{abs(coefficient)} * "
            text += f"{sign}{factor}{self.expression(term)}"
        return f"({text})"

    def tabulated(self, term: Select) -> str:
        argument = common_argument(term)
        if argument is None:
            return self.selected_variable(term)
        columns = [None if b is None else column(b, argument) for b in term.branches]
        spare = next(c for c in columns if c is not None)
        rows = [dense(argument.values, spare if c is None else c) for c in columns]
        outer = self.indexed(term.argument.values, rows, self.expression(term.argument))
        return f"{outer}[{self.expression(argument)}]"

    def selected_variable(self, term: Select) -> str:
        found = variables_only(term) or []
        indices = filled([None if leaf is None else leaf.index for leaf in found])
        text = f"state[{self.indexed(term.argument.values, indices, self.expression(term.argument))}]"
        branch = next(b for b in term.branches if b is not None)
        return self.membership(text, branch.argument.values, branch.members) if isinstance(branch, Member) else text

    def membership(self, text: str, values: Values, members: Values) -> str:
        inside = [value for value in values if value in members]
        start = values.index(inside[0])
        if len(inside) == 1:
            return f"({text} == {inside[0]})"
        if len(inside) == len(values) - 1:
            return f"({text} != {next(value for value in values if value not in members)})"
        if list(values[start : start + len(inside)]) == inside:
            if start == 0:
                return f"({text} <= {inside[-1]})"
            last = start + len(inside) == len(values)
            return f"({text} >= {inside[0]})" if last else f"({inside[0]} <= {text} <= {inside[-1]})"
        if values[0] < 0 or values[-1] > WIDE:
            return f"({text} in {self.constant(frozenset(inside))})"
        return f"{self.constant(dense(values, [value in members for value in values]))}[{text}]"

    def indexed(self, values: Values, table: Sequence[Any], text: str) -> str:
        step = table[0] - values[0] if isinstance(table[0], int) else 0
        if isinstance(table[0], int) and all(t == v + step for v, t in zip(values, table, strict=True)):
            return f"({text} + {step})" if step > 0 else f"({text} - {-step})"
        offset = values[0] if values[0] < 0 or values[0] > 2 * len(values) + 64 else 0
        span = values[-1] - offset
        if offset and span <= 2 * len(values) + 64:
            shifted = tuple(value - offset for value in values)
            return f"{self.constant(dense(shifted, table))}[{text} - {offset}]".replace("- -", "+ ")
        return f"{self.constant(dense(values, table))}[{text}]"

    def constant(self, value: object) -> str:
        key = repr(value)  # tells (True, False) from (1, 0)
        if key not in self.pool:
            self.pool[key] = f"T{len(self.pool)}"
            self.constants[self.pool[key]] = value
        return self.pool[key]
