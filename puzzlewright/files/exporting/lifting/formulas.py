"""Conditions and values of the language as formulas of PDDL.

A formula holds in a state just where the condition does. Of a value we speak by a variable that is demanded to be it:
where the value is undefined no object is, so an atom that needs it is false, as the language has it. What reads no
state is worked out by the referee's evaluation for all that its names may stand for, and becomes a table; so is what an
operator makes of values that the state has, `at[a] + 1` for example: one variable for `at[a]`, and a table of the
successors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from models import expressions as e
from models.outcomes import Unsupported
from models.puzzle import Puzzle
from models.values import BOOL, Value, exact
from puzzlewright.files.exporting.lifting.fixed import Fixed, distinct
from puzzlewright.files.exporting.lifting.flattening import Flattening, NotFlat, forgetting
from puzzlewright.files.exporting.lifting.scopes import Delayed, Env, Given, Term
from puzzlewright.files.exporting.lifting.vocabulary import (
    FALSE,
    TRUE,
    Namer,
    Row,
    Vocabulary,
    all_of,
    any_of,
    atom,
    equal,
    every,
    is_truth,
    no,
    some,
    word_of,
)

STRICT = (  # undefined where a part of them is
    *(e.Arithmetic, e.Negate, e.Absolute, e.Mapped, e.Element, e.Coordinate, e.MakeCell, e.Measure, e.Length),
    *(e.Extreme, e.Inverse, e.Composition, e.Span, e.Ray),
)
OPERATORS = (*STRICT, e.Equal, e.Order, e.Contains)  # the last ones are false where a part of them is undefined
CONDITIONS = (  # true or false, never undefined
    *(e.Equal, e.Order, e.Contains, e.Conjunction, e.Disjunction, e.Negation, e.Truth, e.Inside),
)
KINDS = {"+": "sum", "-": "difference", "*": "product", "//": "quotient", "%": "remainder"}
TRUTH = e.Constant(True)


class Formulas(Fixed):
    """For one puzzle; variables have names of their own until one begins anew."""

    def __init__(self, puzzle: Puzzle, vocabulary: Vocabulary, look: Callable[[], None]) -> None:
        super().__init__(puzzle, vocabulary, look)
        self.namer = Namer()

    def begin(self) -> None:
        """What follows stands by itself: names of variables are free again."""
        self.namer = Namer()

    def fresh(self, wish: str, values: Sequence[Value], given: Given) -> Term:
        """A new variable in the scope, of the smallest type that has the values."""
        name = self.namer.name(f"?{word_of(wish) or 'x'}")
        given.variables[name] = self.words.type_of(values)[0]
        list(map(self.words.object_of, values))  # it can be all of them
        return Term(name, tuple(values))

    # -- conditions ------------------------------------------------------------------------------------------------

    def formula(self, node: e.Expr, env: Env, given: Given | None = None) -> str:
        """The condition where what is given holds, but not a part of it."""
        inner = Given(given)
        self.demand(node, env, inner)
        return inner.formula

    def demand(self, node: e.Expr, env: Env, given: Given) -> None:
        """Have the condition hold in the scope."""
        self.look()
        match node:
            case e.Conjunction(arguments=arguments):
                for argument in arguments:
                    self.demand(argument, env, given)
            case e.Truth(argument=argument):
                self.demand(argument, env, given)
            case e.Equal() if self._same(node, env, given):
                pass
            case e.Local(name=name) if isinstance(term := env.names[name], Term):
                self._equated(term, self.constant(True), given)
            case _ if self.fixed(node, env):
                self._tabled(node, env, given)
            case e.Local() | e.Apply():
                self.demand(*self.meant(node, env), given)
            case e.Read(variable=variable) if is_truth(self.variables[variable].type):
                given.demand(atom(self.words.states[variable].name, self._indices(node, env, given)))
            case _:
                self._compound(node, env, given)

    def _compound(self, node: e.Expr, env: Env, given: Given) -> None:
        match node:
            case e.Negation(argument=argument):
                given.demand(no(self.formula(argument, env, given)))
            case e.Disjunction(arguments=arguments):
                given.demand(any_of(self.formula(argument, env, given) for argument in arguments))
            case e.Conditional():
                given.demand(any_of(self._branches(node, env, given, self.formula)))
            case e.Inside(argument=argument):
                inner = Given(given)
                self.value(argument, env, inner)
                given.demand(inner.formula)
            case e.Contains(collection=e.Listing()):
                self._listed(node, env, given)
            case e.Quantifier(kind="all" | "any"):
                given.demand(self._quantified(node, env, given))
            case e.Equal() if self._read(node, env, given):
                pass
            case _ if isinstance(node, OPERATORS):
                self.demand(*self._lifted(node, env, given), given)
            case _:
                value = self.value(node, env, given)
                given.demand(equal(value.word, self.words.object_of(True)))

    def _same(self, node: e.Equal, env: Env, given: Given) -> bool:
        """Two names, or a name and a constant, need no table."""
        sides = [self._named(side, env) for side in (node.left, node.right)]
        if None in sides:
            return False
        one, other = (side for side in sides if side is not None)
        self._equated(one, other, given, node.negated)
        return True

    def _equated(self, one: Term, other: Term, given: Given, negated: bool = False) -> None:
        """Demand that both are one object, or that they are not."""
        if not (one.known and other.known):
            node = e.Equal(e.Local("#one"), e.Local("#other"), negated)
            given.fixed.append(Delayed(node, Env({"#one": one, "#other": other})))
        said = equal(one.word, other.word)
        if one.word == other.word or one.known and other.known:
            said = TRUE if one.word == other.word else FALSE
        given.demand(no(said) if negated else said)

    def _named(self, node: e.Expr, env: Env) -> Term | None:
        """The term that an expression just names."""
        match node:
            case e.Constant(value=value):
                return self.constant(value)
            case e.Local(name=name):
                bound = env.names[name]
                return bound if isinstance(bound, Term) else self._named(bound.expression, bound.env)
        return None

    def _read(self, node: e.Equal, env: Env, given: Given) -> bool:
        """Is it a state variable's value that is named? Then one atom says so, or no one does."""
        for one, other in ((node.left, node.right), (node.right, node.left)):
            read, where = self._opened(one, env)
            if isinstance(read, e.Read) and not is_truth(self.variables[read.variable].type):
                return self._has(read, where, self.value(other, env, given), given, node.negated)
        return False

    def _has(self, node: e.Read, env: Env, value: Term, given: Given, negated: bool) -> bool:
        """Demand that the variable has the value, or another one, which an atom says only where its indices are good.

        Whether they are was asked before the indices are demanded.
        """
        words, total = self._places(node, env, given)
        key = (self.words.states[node.variable].name, *words)
        known = given.known(key)
        if known is not None or negated and not total:
            self._equated(self._held(node.variable, words, total, given), value, given, negated)
        elif negated:
            given.demand(no(atom(key[0], [*words, value.word])))
        else:
            given.demand(atom(key[0], [*words, value.word]))
            given.found[key] = value
        return True

    def _opened(self, node: e.Expr, env: Env) -> tuple[e.Expr, Env]:
        """What names and definitions stand for."""
        while isinstance(node, e.Local | e.Apply) and not isinstance(self._named(node, env), Term):
            if isinstance(node, e.Apply) and node.function.recursive:
                break
            node, env = self.meant(node, env)
        return node, env

    def _listed(self, node: e.Contains, env: Env, given: Given) -> None:
        """x in [a, b]: is it one of those that are defined?"""
        assert isinstance(node.collection, e.Listing)
        item = env.binding("#item", self.value(node.item, env, given))
        equals = [e.Equal(e.Local("#item"), each, negated=False) for each in node.collection.items]
        found = any_of(self.formula(each, item, given) for each in equals)
        given.demand(no(found) if node.negated else found)

    def _branches(self, node: e.Conditional, env: Env, given: Given,
                  said: Callable[[e.Expr, Env, Given], str]) -> Iterator[str]:  # fmt: skip
        """The condition with what is said of one side, and its opposite with what is said of the other."""
        when = self.formula(node.condition, env, given)
        yield all_of([when, said(node.then, env, given)])
        yield all_of([no(when), said(node.otherwise, env, given)])

    def _quantified(self, node: e.Quantifier, env: Env, given: Given) -> str:
        join = all_of if node.kind == "all" else any_of
        return join(self._of_loops(node, loops, env, given) for loops in unlisted(node.loops))

    def _of_loops(self, node: e.Quantifier, loops: Sequence[e.Loop], env: Env, given: Given) -> str:
        inner = Given(given)
        env = self.loops(loops, env, inner)
        if node.kind == "any":
            self.demand(node.element, env, inner)
            return inner.formula
        return every(inner.variables, inner.whole, self.formula(node.element, env, inner))

    # -- loops -----------------------------------------------------------------------------------------------------

    def loops(self, loops: Sequence[e.Loop], env: Env, given: Given) -> Env:
        """Bind the loops' names to what they run over, in the scope."""
        for loop in loops:
            if isinstance(loop.domain, e.Listing) and len(loop.domain.items) == 1:
                env = env.binding(loop.name, self.value(loop.domain.items[0], env, given))
                self._passed(loop, env, given)
            else:
                env = self._loop(loop, *self._domain(loop.domain, env, given), given)
        return env

    def _passed(self, loop: e.Loop, env: Env, given: Given) -> None:
        if loop.condition is not None:
            self.demand(loop.condition, env, given)

    def _domain(self, domain: e.Expr, env: Env, given: Given) -> tuple[e.Expr, Env]:
        """The same that reads no state, but the names of values that it has."""
        if self.fixed(domain, env):
            return domain, env
        if isinstance(domain, e.Listing):
            raise Unsupported("it takes the first, least or greatest of a list that the state makes up")
        return self._lifted(domain, env, given)

    def _loop(self, loop: e.Loop, domain: e.Expr, env: Env, given: Given) -> Env:
        terms = self.terms(domain, env)
        rows = [(*row, value) for row, values in self.runs(domain, env, given) for value in values]
        values = distinct(row[-1] for row in rows)
        name = self.fresh(loop.name, values, given)
        where, env = env, env.binding(loop.name, name)
        if terms or not self.words.type_of(values)[1]:
            self.one_of("among", [*terms, name], rows, given)
            given.fixed.append(
                Delayed(e.Contains(e.Local("#each"), domain, negated=False), where.binding("#each", name))
            )
        self._passed(loop, env, given)
        return env

    def one_of(self, kind: str, terms: Sequence[Term], rows: Sequence[Row], given: Given) -> None:
        """Demand that the terms are one of the rows."""
        if not rows:
            given.demand(FALSE)
            return
        given.demand(atom(self.words.table(kind, [t.values for t in terms], rows), [t.word for t in terms]))

    # -- what reads no state -----------------------------------------------------------------------------------------

    def _tabled(self, node: e.Expr, env: Env, given: Given) -> None:
        """Demand a fixed condition: a table of where it holds."""
        terms = self.terms(node, env)
        every_row = list(self.rows(node, env, given))
        rows = [row for row, value in every_row if value is True]
        if len(rows) < len(every_row):
            self.one_of(_kind(node), terms, rows, given)
            given.fixed.append(Delayed(node, env))

    # -- values ------------------------------------------------------------------------------------------------------

    def value(self, node: e.Expr, env: Env, given: Given) -> Term:
        """The term that is the value, in the scope; where it is undefined, what the scope demands does not hold."""
        named = self._named(node, env)
        if named is not None:
            return named
        if self.fixed(node, env):
            return self._looked_up(node, env, given)
        flat = None if isinstance(self._opened(node, env)[0], e.Read) else self._flattened(node, env, given)
        if flat is not None:
            return self._looked_up(*flat, given)
        match node:
            case e.Local() | e.Apply():
                return self.value(*self.meant(node, env), given)
            case e.Read(variable=variable) if not is_truth(self.variables[variable].type):
                return self._state(node, env, given)
            case e.Conditional():
                return self._chosen(node, env, given)
            case e.Quantifier(kind="first"):
                return self._first(node, env, given)
            case e.Quantifier(kind="min" | "max"):
                return self._best(node, env, given)
            case e.Quantifier(kind="count" | "sum" as kind):
                raise Unsupported(f"PDDL cannot add up what the state says: there is a {kind}(...)")
            case e.Read() | e.Quantifier():
                return self._truth(node, env, given)
            case _ if isinstance(node, CONDITIONS):
                return self._truth(node, env, given)
        return self.value(*self._lifted(node, env, given), given)

    def _flattened(self, node: e.Expr, env: Env, given: Given) -> tuple[e.Expr, Env] | None:
        """The same over the values of a few state variables, which are then terms of the scope; None where that is
        no small table."""
        tried = forgetting(given)
        try:
            found = Flattening(self, self.value, tried).over(node, env)
        except NotFlat:
            return None
        given.take(tried)
        return found

    def _looked_up(self, node: e.Expr, env: Env, given: Given) -> Term:
        """Of a fixed expression: an object, or what a table says."""
        terms, every_row = self.terms(node, env), list(self.rows(node, env, given))
        rows = [(*row, value) for row, value in every_row if value is not None]
        values = distinct(row[-1] for row in rows)
        if len(rows) == len(every_row) and len(values) == 1:
            return self.constant(values[0])
        if not rows:
            given.demand(FALSE)
            return self.constant(False)
        name = self.words.table(_kind(node), [*(t.values for t in terms), values], rows)
        return self._given_by((name, *(t.word for t in terms)), values, len(rows) == len(every_row), given)

    def _state(self, node: e.Read, env: Env, given: Given) -> Term:
        words, total = self._places(node, env, given)
        return self._held(node.variable, words, total, given)

    def _held(self, variable: str, words: Sequence[str], total: bool, given: Given) -> Term:
        predicate = self.words.states[variable]
        term = self._given_by((predicate.name, *words), predicate.columns[-1], total, given)
        if term.word in given.variables:
            given.read[term.word] = len(term.values)
        return term

    def _places(self, node: e.Read, env: Env, given: Given) -> tuple[list[str], bool]:
        """The words for the indices, and whether they are some in any case."""
        before, given.partial = given.partial, False
        words = self._indices(node, env, given)
        total = not given.partial
        given.partial |= before
        return words, total

    def _given_by(self, key: tuple[str, ...], values: tuple[Value, ...], total: bool, given: Given) -> Term:
        """The last word of an atom, of which there is just one that makes it true, or (not `total`) perhaps none."""
        known = given.known(key)
        if known is not None:
            return known
        term = given.found[key] = self.fresh(key[0], values, given)
        given.parts.append(atom(key[0], [*key[1:], term.word]))
        given.partial |= not total
        return term

    def _indices(self, node: e.Read, env: Env, given: Given) -> list[str]:
        """The words for the indices; `partial` where they may be none."""
        found = []
        for index, (_, type_) in zip(node.indices, self.variables[node.variable].indices, strict=True):
            term = self.value(index, env, given)
            given.partial |= not _within(term.values, type_.values)
            found.append(term.word)
        return found

    def before(self, variable: str, words: tuple[str, ...], given: Given) -> Term:
        """What the variable has, whose indices are defined."""
        return self._held(variable, words, True, given)

    def defined(self, node: e.Expr, env: Env, given: Given) -> None:
        """Demand that the expression has a value, where that is not plain to see."""
        inner = Given(given)
        self.value(node, env, inner)
        if inner.partial:
            given.demand(inner.formula)

    def of_terms(self, node: e.Expr, env: Env, given: Given) -> tuple[e.Expr, Env]:
        """The same as a fixed expression over terms of the scope."""
        if self.fixed(node, env):
            return node, env
        return e.Local("#value"), env.binding("#value", self.value(node, env, given))

    def inside(self, term: Term, values: tuple[Value, ...], given: Given) -> None:
        """Demand that the term has one of the values."""
        if not _within(term.values, values):
            keys = set(map(exact, values))
            self.one_of("is", [term], [(value,) for value in term.values if exact(value) in keys], given)

    def _chosen(self, node: e.Conditional, env: Env, given: Given) -> Term:
        values: list[Value] = []
        word = self.namer.name("?either")

        def said(branch: e.Expr, env: Env, given: Given) -> str:
            inner = Given(given)
            term = self.value(branch, env, inner)
            values.extend(term.values)
            inner.parts.append(equal(word, term.word))
            unsure.append(inner.partial)
            return inner.formula

        unsure: list[bool] = []
        parts = list(self._branches(node, env, given, said))
        return self._such(word, values, any_of(parts), given, any(unsure))

    def _such(self, word: str, values: Sequence[Value], part: str, given: Given, partial: bool = True) -> Term:
        """The variable of which this is demanded; perhaps (`partial`) it holds of none."""
        different = distinct(values)
        given.variables[word] = self.words.type_of(different)[0]
        given.parts.append(part)
        given.partial |= partial
        return Term(word, different)

    def _truth(self, node: e.Expr, env: Env, given: Given) -> Term:
        """A condition, or a Boolean that may be undefined, as an object."""
        if isinstance(node, e.Read):
            for index, (_, type_) in zip(node.indices, self.variables[node.variable].indices, strict=True):
                self.inside(self.value(index, env, given), type_.values, given)
        when = self.formula(node, env, given)
        word = self.namer.name("?so")
        sides = [all_of([part, equal(word, self.words.object_of(value))])
                 for part, value in ((when, True), (no(when), False))]  # fmt: skip
        return self._such(word, BOOL.values, any_of(sides), given, partial=False)

    def _first(self, node: e.Quantifier, env: Env, given: Given) -> Term:
        """A value that passes where none before it does; of several loops the first of the first one that has any."""
        loop, *others = node.loops
        if others:
            inner = replace(node, loops=tuple(others), default=None)
            any_ = e.Quantifier("any", TRUTH, tuple(others), None, None)
            some_ = any_ if loop.condition is None else e.Conjunction((loop.condition, any_))
            return self._first(replace(node, element=inner, loops=(replace(loop, condition=some_),)), env, given)
        word, values = self.namer.name("?first"), list[Value]()
        domain, where = self._domain(loop.domain, env, own := Given(given))
        found = Given(own)
        inner_env = self._loop(loop, domain, where, found)
        term = self.value(node.element, inner_env, found)
        values += term.values
        chosen = all_of([*found.parts, equal(word, term.word), no(self._earlier(loop, domain, inner_env, found))])
        parts = [some(own.variables, all_of([*own.parts, some(found.variables, chosen)]))]
        if node.default is not None:
            none = no(self.formula(e.Quantifier("any", TRUTH, node.loops, None, None), env, given))
            other = Given(given)
            term = self.value(node.default, env, other)
            values += term.values
            other.parts.append(equal(word, term.word))
            parts.append(all_of([none, other.formula]))
        return self._such(word, values, any_of(parts), given)

    def _earlier(self, loop: e.Loop, domain: e.Expr, env: Env, given: Given) -> str:
        """Does an earlier value of the loop pass as well?"""
        here = env.names[loop.name]
        assert isinstance(here, Term)
        terms = self.terms(domain, env)
        runs = self.runs(domain, env, given)
        rows = [(*row, *pair) for row, values in runs for pair in combinations(values, 2)]
        if not rows:
            return FALSE
        inner = Given(given)
        other = self.fresh(loop.name, here.values, inner)
        self.one_of("before", [*terms, other, here], rows, inner)
        self._passed(loop, env.binding(loop.name, other), inner)
        return inner.formula

    def _best(self, node: e.Quantifier, env: Env, given: Given) -> Term:
        """A value that is none of the others' better."""
        word = self.namer.name(f"?{node.kind}")
        found = Given(given)
        term = self.value(node.element, self.loops(node.loops, env, found), found)
        rest = Given(found)
        around = self.loops(node.loops, env, rest)
        inner = Given(rest)
        other = self.value(node.element, around, inner)
        pair = (("#best", term), ("#other", other)) if node.kind == "min" else (("#other", other), ("#best", term))
        order = e.Order(False, e.Local(pair[0][0]), e.Local(pair[1][0]), node.place)
        self.demand(order, Env(dict(pair)), inner)
        best = every(rest.variables, rest.whole, inner.formula)
        part = some(found.variables, all_of([*found.parts, equal(word, term.word), best]))
        return self._such(word, term.values, part, given)

    def _lifted(self, node: e.Expr, env: Env, given: Given) -> tuple[e.Expr, Env]:
        """The expression, with names for the values in it that the state has; it is undefined, or as a condition false,
        where one of these is."""

        def change(part: e.Expr) -> e.Expr:
            nonlocal env
            if self.fixed(part, env):
                return part
            if isinstance(part, STRICT):
                made: e.Expr = self.rebuilt(part, change)
                return made
            name = f"#{len(env.names)}"
            env = env.binding(name, self.value(part, env, given))
            return e.Local(name)

        return (self.rebuilt(node, change) if isinstance(node, OPERATORS) else change(node)), env


def unlisted(loops: Sequence[e.Loop]) -> Iterator[Sequence[e.Loop]]:
    """The loops, those over a written list over each item of its own."""
    if not loops:
        yield ()
        return
    loop, *others = loops
    items = loop.domain.items if isinstance(loop.domain, e.Listing) else None
    own = [loop] if items is None else [replace(loop, domain=e.Listing((item,))) for item in items]
    for first in own:
        for rest in unlisted(others):
            yield (first, *rest)


def _within(values: Sequence[Value], others: Sequence[Value]) -> bool:
    return set(map(exact, values)) <= set(map(exact, others))


def _kind(node: e.Expr) -> str:
    """A word for the table that an expression is."""
    match node:
        case e.Arithmetic(operator=sign):
            return KINDS[sign]
        case e.Measure(kind=kind) | e.Extreme(kind=kind):
            return kind
        case e.Coordinate(axis=axis):
            return axis
        case e.Apply(function=function):
            return word_of(function.name) or "rule"
        case e.Truth(argument=argument):
            return _kind(argument)
        case e.Order(strict=strict):
            return "less" if strict else "at-most"
    return {e.Element: "datum", e.Mapped: "index", e.Equal: "equal", e.Contains: "in"}.get(type(node), "rule")
