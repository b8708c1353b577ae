"""What reads no state: worked out by the referee's evaluation for all that its names may stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import product
from math import prod
from typing import Any

from models import expressions as e
from models.interpreter import UNDEFINED, Scope, State, bindings, evaluate
from models.outcomes import Unsupported
from models.puzzle import Puzzle
from models.values import Value, exact
from puzzlewright.files.exporting.lifting.scopes import Bound, Delayed, Env, Given, Term
from puzzlewright.files.exporting.lifting.vocabulary import Row, Vocabulary

MOST_ROWS = 200_000  # that are tried for one table
NOTHING: State = {}  # what reads no state is the same in any
OF_ACTION = "^"  # before a name that a `let` uses: it sees the action's parameters


class Fixed:
    """For one puzzle; `look` is called for all that is worked out, and may raise."""

    def __init__(self, puzzle: Puzzle, vocabulary: Vocabulary, look: Callable[[], None]) -> None:
        self.puzzle, self.words, self.look = puzzle, vocabulary, look
        self.variables = {each.name: each for each in puzzle.variables}
        self.solutions: dict[tuple[int, e.Function], dict[tuple[Value, ...], bool]] = {}
        self.reading: dict[e.Expr, bool] = {}  # does it read the state?
        self.using: dict[e.Expr, tuple[str, ...]] = {}

    def constant(self, value: Value) -> Term:
        return Term(self.words.object_of(value), (value,))

    def meant(self, node: e.Local | e.Apply, env: Env) -> tuple[e.Expr, Env]:
        """The expression that a name or a definition stands for, and what the names mean there."""
        if isinstance(node, e.Local):
            bound = env.names[node.name]
            assert isinstance(bound, Delayed), "a term is named"
            return bound.expression, bound.env
        function = node.function
        if function.recursive or function.body is None:
            raise Unsupported(f"PDDL has no least solution, which `{function.name}` is: it uses itself")
        arguments = {name: self._delayed(each, env) for name, each in
                     zip(function.parameters, node.arguments, strict=True)}  # fmt: skip
        outside = env.parameters if function.is_let else {}
        return function.body, Env({**outside, **arguments}, env.parameters)

    def _delayed(self, node: e.Expr, env: Env) -> Bound:
        return env.names[node.name] if isinstance(node, e.Local) else Delayed(node, env)

    def rebuilt(self, node: Any, change: Callable[[e.Expr], e.Expr]) -> Any:
        """The node over other parts."""

        def new(part: Any) -> Any:
            if isinstance(part, e.Expr):
                return change(part)
            is_parts = type(part) is tuple and part and all(isinstance(each, e.Expr) for each in part)
            return tuple(map(change, part)) if is_parts else part

        return replace(node, **{field.name: new(getattr(node, field.name)) for field in fields(node)})

    def fixed(self, node: e.Expr, env: Env) -> bool:
        """Does it depend on what names stand for alone?"""
        if node not in self.reading:
            self.reading[node] = e.reads_state(node)
        if self.reading[node]:
            return False
        return all(
            isinstance(bound, Term) or self.fixed(bound.expression, bound.env) for bound in self._free(node, env)
        )

    def terms(self, node: e.Expr, env: Env) -> list[Term]:
        """The variables that a fixed expression depends on."""
        found: dict[str, Term] = {}
        for bound in self._free(node, env):
            inner = [bound] if isinstance(bound, Term) else self.terms(bound.expression, bound.env)
            found |= {term.word: term for term in inner if not term.known}
        return list(found.values())

    def _scopes(self, node: e.Expr, terms: Sequence[Term], env: Env, given: Given) -> Iterator[tuple[Row, Scope]]:
        """All that the variables may stand for, and what the names of the fixed expression are then.

        What fails a condition of the scope that depends on them alone is left out: there the scope says nothing.
        """
        if prod(len(term.values) for term in terms) > MOST_ROWS:
            raise Unsupported(f"a rule depends on too much at once: on more than {MOST_ROWS:,} combinations of values")
        words = [term.word for term in terms]
        conditions = [each for each in given.conditions() if self._of(each) <= set(words)]
        for row in product(*(term.values for term in terms)):
            self.look()
            values = dict(zip(words, row, strict=True))
            if all(self._worth(each, values) is True for each in conditions):
                yield row, self._scope(node, env, values)

    def _of(self, condition: Delayed) -> set[str]:
        return {term.word for term in self.terms(condition.expression, condition.env)}

    def _scope(self, node: e.Expr, env: Env, values: dict[str, Value]) -> Scope:
        names, outside = dict[str, Value](), dict[str, Value]()
        for name in self.names(node):
            if name.startswith(OF_ACTION):
                outside[name[1:]] = self._worth(env.parameters[name[1:]], values)
            else:
                names[name] = self._worth(env.names[name], values)
        return Scope(NOTHING, NOTHING, names, outside, self.solutions)

    def _worth(self, bound: Bound, values: dict[str, Value]) -> Value:
        if isinstance(bound, Term):
            return bound.values[0] if bound.known else values[bound.word]
        return evaluate(bound.expression, self._scope(bound.expression, bound.env, values))

    def names(self, node: e.Expr) -> tuple[str, ...]:
        """Those that an expression uses, of a `let` with a mark."""
        if node not in self.using:
            self.using[node] = tuple(dict.fromkeys(_used(node, frozenset())))
        return self.using[node]

    def _free(self, node: e.Expr, env: Env) -> list[Bound]:
        """What the names that an expression uses stand for; of a `let` too, which sees the action's parameters."""
        return [env.parameters[name[1:]] if name.startswith(OF_ACTION) else env.names[name]
                for name in self.names(node)]  # fmt: skip

    def rows(self, node: e.Expr, env: Env, given: Given) -> Iterator[tuple[Row, Value | None]]:
        """The values of a fixed expression, None where it has none, for all that its `terms` may stand for."""
        for row, at in self._scopes(node, self.terms(node, env), env, given):
            value = evaluate(node, at)
            yield row, None if value is UNDEFINED else value

    def combinations(self, terms: Sequence[Term], given: Given) -> int:
        """How many combinations of values pass what no state decides; of too many, all."""
        names = {f"#{number}": term for number, term in enumerate(terms)}
        try:
            return sum(1 for _ in self._scopes(e.Constant(0), terms, Env(names), given))
        except Unsupported:
            return prod(len(term.values) for term in terms)

    def runs(self, domain: e.Expr, env: Env, given: Given) -> Iterator[tuple[Row, tuple[Value, ...]]]:
        """What a fixed loop runs over, each value the first time, for all that its `terms` may stand for."""
        loop = e.Loop("#each", domain, None)
        for row, at in self._scopes(domain, self.terms(domain, env), env, given):
            yield row, distinct(inner.locals["#each"] for inner in bindings((loop,), at))


def _used(node: Any, hidden: frozenset[str]) -> Iterator[str]:
    """The names, those that a `let` uses of the action's with a mark."""
    match node:
        case e.Local(name=name):
            if name not in hidden:
                yield name
            return
        case e.Apply(function=function, arguments=arguments):
            for argument in arguments:
                yield from _used(argument, hidden)
            yield from (OF_ACTION + name for name in _of_let(function))
            return
        case e.Quantifier(loops=loops):
            yield from _used_in_loops(loops, (node.element,), hidden)
            if node.default is not None:
                yield from _used(node.default, hidden)
            return
    for part in e.parts(node):
        yield from _used(part, hidden)


def _used_in_loops(loops: Sequence[e.Loop], last: Sequence[e.Expr], hidden: frozenset[str]) -> Iterator[str]:
    for loop in loops:
        yield from _used(loop.domain, hidden)
        hidden |= {loop.name}
        if loop.condition is not None:
            yield from _used(loop.condition, hidden)
    for part in last:
        yield from _used(part, hidden)


def _of_let(function: e.Function) -> set[str]:
    """What it uses of the action's parameters, also by another `let`."""
    if function.body is None or function.recursive:
        return set()
    hidden = frozenset(function.parameters)
    found = {name.removeprefix(OF_ACTION) for name in _used(function.body, hidden)}
    return found if function.is_let else set()


def distinct(values: Iterable[Value]) -> tuple[Value, ...]:
    """Each value the first time."""
    return tuple({exact(value): value for value in values}.values())
