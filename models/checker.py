"""Names and types: a parsed expression becomes the typed tree, or an error that says what was found and expected.

Definitions without typed parameters are checked once for each combination of argument types, so a definition may serve
cells and texts alike. Conversions of raw data ([row, col] for a cell, `up` for a direction) become finite tables here,
so that no evaluator has to know about them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, cast

from models import expressions as e
from models import statics as st
from models.errors import Location, PuzzleError, did_you_mean
from models.frozen import frozen
from models.interpreter import UNDEFINED, evaluate, scope
from models.limits import DEEPEST_DEFINITIONS, MOST_BINDINGS, MOST_PARTS, MOST_VALUES, check_limit
from models.puzzle import StateVariable
from models.statics import BOOLEAN, INTEGER, OFFSET, Static, Typed
from models.syntax import LoopSource, ParameterSource, Source, fail, loop_of
from models.values import DIRECTIONS8, Cell, Record, Sheet, Thing, Type, Value, exact, show

QUANTIFIERS = ("all", "any", "count", "sum", "min", "max", "first")
FUNCTIONS = (*QUANTIFIERS, "abs", "len", "inside", "index", "distance", "adjacent", "steps", "ray", "range", "cell")
YIELDING = ("inverse", "compose", "origin", "letter")  # came later: what a file has by such a name it keeps
PERMUTATION = "a list that has each of its places 0, 1, ... once, or a table that has each of its keys once"


@frozen()
class DefinitionSource:
    """name(a, b in T) = body, as the author wrote it."""

    name: str
    parameters: tuple[ParameterSource, ...]
    body: Source


Instance = tuple[DefinitionSource, bool, tuple[Static, ...]]  # a definition, may it read the state, its arguments


class Names(Protocol):
    """What the file's own words stand for; types are worked out when first asked for."""

    variables: dict[str, StateVariable]
    definitions: dict[str, DefinitionSource]

    def datum(self, name: str) -> Value | None: ...
    def type(self, name: str) -> Type | None: ...
    def type_from(self, source: Source) -> Type: ...
    def symbol(self, name: str) -> Value | None: ...
    def boards(self, sheet: Sheet) -> list[Type]: ...
    def known(self) -> Iterable[str]: ...


@frozen(eq=True)
class Locals:
    """The names that only this expression has, and whether it may read the state."""

    names: dict[str, Static] = field(default_factory=dict)
    parameters: dict[str, Static] = field(default_factory=dict)  # those of `names` that a `let` sees too
    arrays: dict[str, tuple[tuple[Type, ...], Type]] = field(default_factory=dict)
    lets: dict[str, DefinitionSource] = field(default_factory=dict)
    words: tuple[str, ...] = ()  # texts that need no quotes, as far as nothing else has that name
    state: bool = True

    def bind(self, name: str, static: Static) -> Locals:
        return replace(self, names={**self.names, name: static})

    def bind_parameter(self, name: str, static: Static) -> Locals:
        return replace(self.bind(name, static), parameters={**self.parameters, name: static})

    def outside_loops(self) -> Locals:
        """What the body of a `let` sees, wherever it is used."""
        return replace(self, names=self.parameters)


@dataclass(eq=False)
class Checker:
    """Turns sources into typed expressions; remembers every instance of a definition."""

    names: Names
    instances: dict[Instance, tuple[e.Function, Static]] = field(default_factory=dict)
    open: dict[Instance, Location] = field(default_factory=dict)  # those being checked, each with the call that did it
    pending: list[Instance] = field(default_factory=list)  # what may turn out to use what is open; Tarjan's stack
    lowest: dict[Instance, int] = field(default_factory=dict)  # of what is open: the first pending one that it uses
    used: set[str] = field(default_factory=set)
    sizes: dict[e.Function, int] = field(default_factory=dict)  # of bodies with all definitions written out

    # -- entry points ----------------------------------------------------------------------------------------------

    def expression(self, source: Source, names: Locals) -> Typed:
        rule = _RULES.get(type(source.tree))
        if rule is None:
            raise fail("this cannot stand here", source.at(source.tree), _MISPLACED.get(type(source.tree), ""), "E301")
        return rule(self, source, names)

    def condition(self, source: Source, names: Locals) -> e.Expr:
        typed = self.expression(source, names)
        if not st.is_boolean(typed.static):
            hint = "compare it, for example with > 0" if "int" in typed.static.kinds else ""
            raise fail(f"expected a condition, found {st.describe(typed.static)}", source.at(source.tree), hint, "E302")
        return typed.expression if typed.static.kinds else e.Truth(typed.expression)

    def integer(self, source: Source, names: Locals) -> e.Expr:
        typed = self.expression(source, names)
        if typed.static.kinds and "int" not in typed.static.kinds:
            raise fail(f"expected an integer, found {st.describe(typed.static)}", source.at(source.tree), code="E302")
        return typed.expression

    def of_type(self, source: Source, names: Locals, target: Static, what: str) -> e.Expr:
        """An expression whose value is to be one of the target's."""
        return fit(self.expression(source, names), target, source, what)

    def loops(self, items: Iterable[LoopSource], names: Locals) -> tuple[list[e.Loop], Locals]:
        """The loops of a comprehension, and the names with theirs."""
        made: list[e.Loop] = []
        rounds = 1
        for name, domain, conditions in items:
            self.check_new(name, names, name.location)
            typed = self.domain(domain, names)
            names = names.bind(name, typed.static)
            tests = [self.condition(condition, names) for condition in conditions]
            condition = None if not tests else tests[0] if len(tests) == 1 else e.Conjunction(tuple(tests))
            if all(loop.condition is None for loop in made):
                rounds *= _known_size(typed.expression)
                check_limit(rounds, MOST_BINDINGS, "rounds of this loop", name.location)
            made.append(e.Loop(str(name), typed.expression, condition))
        return made, names

    def check_new(self, name: str, names: Locals, place: Location) -> None:
        taken = name in names.names or name in names.arrays or name in names.lets
        if name in DIRECTIONS8:
            raise fail(f"{name!r} is a direction already", place, "no name hides another", "E303")
        if taken or name in set(self.names.known()) or name in FUNCTIONS:
            raise fail(f"the name {name!r} already means something else", place, "no name hides another", "E303")

    def start(self, source: Source, names: Locals, target: Static) -> e.Expr:
        """A start value; data that are none of the type's values stay as they are, so that a message can show them."""
        typed = self.expression(source, names)
        fitted = fit(typed, target, source, "the start value")
        if not isinstance(fitted, e.Mapped) or fitted is typed.expression or typed.static.data is None:
            return fitted
        kept = ((value, st.converted(value, target)) for value in typed.static.data)
        return e.Mapped(typed.expression, {value: value if new is None else new for value, new in kept})

    def alone(self, definition: DefinitionSource) -> None:
        """Check a definition that nothing uses, if the types of its arguments are known."""
        domains = [domain for _, domain in definition.parameters]
        if None not in domains:
            statics = [st.static_of(self.names.type_from(domain)) for domain in domains if domain is not None]
            arguments = [Typed(e.Constant(None), static) for static in statics]
            self._instance(definition.body, definition, arguments, Locals())

    # -- loops and collections -------------------------------------------------------------------------------------

    def domain(self, source: Source, names: Locals) -> Typed:
        """What a loop runs over, and what is known of its items."""
        typed = self.collection(source, names)
        if not isinstance(typed.expression, e.Ray) and e.reads_state(typed.expression):
            raise fail("a loop is fixed: it cannot depend on the state", source.at(source.tree),
                       "loop over more and put what reads the state into `if`", "E304")  # fmt: skip
        return typed

    def collection(self, source: Source, names: Locals) -> Typed:
        """A type, range, list, ray, data list or text, with the static of its *items*."""
        match source.tree:
            case ast.Name(id=name) if name not in names.names and (type_ := self.names.type(name)) is not None:
                self.used.add(name)
                return Typed(e.Constant(type_.values), st.static_of(type_))
            case ast.Call(func=ast.Name(id="range"), args=arguments):
                return self._range(source, arguments, names)
            case ast.Call(func=ast.Name(id="ray"), args=[cell, offset]):
                start = self.expression(source.inner(cell), names)
                if start.static.grid is None:
                    raise fail("a ray starts at a cell", source.at(cell), code="E302")
                way = self.of_type(source.inner(offset), names, OFFSET, "a ray's direction")
                return Typed(e.Ray(start.expression, way, start.static.grid), start.static)
            case ast.List(elts=items):
                return self._listing(source, items, names)
        typed = self.expression(source, names)
        return Typed(typed.expression, self._items(typed.static, source), typed.static.data or ())

    def _range(self, source: Source, arguments: list[ast.expr], names: Locals) -> Typed:
        if len(arguments) not in (1, 2):
            raise fail("range takes one or two integers", source.at(source.tree), code="E305")
        ends = [self.integer(source.inner(argument), names) for argument in arguments]
        span = e.Span(*ends) if len(ends) == 2 else e.Span(e.Constant(0), ends[0])
        check_limit(_known_size(span), MOST_VALUES, "values to loop over", source.at(source.tree))
        return Typed(span, INTEGER)

    def _listing(self, source: Source, items: list[ast.expr], names: Locals) -> Typed:
        typed = [self.expression(source.inner(item), names) for item in items]
        static = Static(frozenset(), None, ())
        for item in typed:
            static = st.join(static, item.static) if static.kinds else item.static
        fitted = [fit(item, static, source, "the list") if static.type else item.expression for item in typed]
        return Typed(e.Listing(tuple(fitted)), static)

    def _items(self, static: Static, source: Source) -> Static:
        if static.data is None or not static.kinds <= {"list", "text"}:
            if static.kinds <= {"text"}:
                return Static(frozenset({"text"}))
            raise fail(f"{st.describe(static)} is nothing to loop over or to look into", source.at(source.tree),
                       "a type, range(n), [a, b], a data list, a text or a ray", "E304")  # fmt: skip
        return st.static_data(item for value in static.data for item in value)

    # -- names -----------------------------------------------------------------------------------------------------

    def name(self, source: Source, names: Locals) -> Typed:
        node = cast(ast.Name, source.tree)
        word, place = node.id, source.at(node)
        self.used.add(word)
        if word in ("true", "false"):
            return Typed(e.Constant(word == "true"), BOOLEAN)
        if word in names.names:
            return Typed(e.Local(word), names.names[word])
        if word in names.lets:
            return self._apply(source, word, names.lets[word], [], names.outside_loops(), names)
        if word in self.names.variables:
            return self._read(source, self.names.variables[word], [], names)
        if word in names.arrays:
            raise fail(f"`{word}` is an array: write {word}[...]", place, code="E306")
        if (datum := self.names.datum(word)) is not None:
            return st.literal(datum)
        if word in self.names.definitions:
            return self._apply(source, word, self.names.definitions[word], [], Locals(state=names.state), names)
        if (symbol := self.names.symbol(word)) is not None:
            return Typed(e.Constant(symbol), OFFSET if isinstance(symbol, tuple) else st.static_data([symbol]))
        if self.names.type(word) is not None:
            raise fail(f"`{word}` is a type, not a value", place, f"loop over it: ... for x in {word}", "E306")
        if word in names.words:
            return st.literal(word)
        known = [*names.names, *names.lets, *names.arrays, *self.names.known(), *names.words]
        raise unknown_name(word, place, known)

    def _read(self, source: Source, variable: StateVariable, indices: list[ast.expr], names: Locals) -> Typed:
        if not names.state:
            raise fail(f"`{variable.name}` is state: it cannot be read here", source.at(source.tree), code="E307")
        types = [type_ for _, type_ in variable.indices]
        fitted = self._indices(source, variable.name, indices, types, names)
        return as_truth(Typed(e.Read(variable.name, fitted), st.static_of(variable.type)))

    def _indices(
        self, source: Source, name: str, indices: list[ast.expr], types: list[Type], names: Locals
    ) -> tuple[e.Expr, ...]:
        if len(indices) != len(types):
            form = f"{name}[{', '.join(type_.name for type_ in types)}]" if types else name
            raise fail(f"`{name}` has {_count(len(types), 'index', 'indices')}, found {len(indices)}",
                       source.at(source.tree), f"write {form}", "E306")  # fmt: skip
        pairs = zip(indices, types, strict=True)
        return tuple(self.of_type(source.inner(i), names, st.static_of(t), f"an index of `{name}`") for i, t in pairs)

    def target(self, source: Source, names: Locals) -> tuple[StateVariable, tuple[e.Expr, ...]]:
        """What an assignment line assigns to."""
        node = source.tree
        word = node.id if isinstance(node, ast.Name) else getattr(getattr(node, "value", None), "id", None)
        if not isinstance(node, ast.Name | ast.Subscript) or word is None:
            raise fail("an assignment's target is a state variable", source.at(node), code="E308")
        if word not in self.names.variables:
            known = word in set(self.names.known()) or word in names.names
            hint = "only state variables change" if known else did_you_mean(word, self.names.variables)
            raise fail(f"`{word}` is no state variable", source.at(node), hint, "E308")
        self.used.add(word)
        variable = self.names.variables[word]
        indices = [] if isinstance(node, ast.Name) else _subscripts(node)
        types = [type_ for _, type_ in variable.indices]
        return variable, self._indices(source, word, indices, types, names)

    # -- definitions and lets --------------------------------------------------------------------------------------

    def _apply(self, source: Source, name: str, definition: DefinitionSource, arguments: list[ast.expr], inner: Locals,
               outer: Locals) -> Typed:  # fmt: skip
        if len(arguments) != len(definition.parameters):
            form = f"write {name}({', '.join(parameter for parameter, _ in definition.parameters)})"
            raise fail(f"`{name}` takes {_count(len(definition.parameters), 'argument')}, found {len(arguments)}",
                       source.at(source.tree), form if definition.parameters else f"write {name}", "E305")  # fmt: skip
        typed = []
        for argument, (parameter, domain) in zip(arguments, definition.parameters, strict=True):
            value = self.expression(source.inner(argument), outer)
            if domain is not None:
                static = st.static_of(self.names.type_from(domain))
                value = Typed(fit(value, static, source.inner(argument), f"`{parameter}`"), static)
            typed.append(value)
        function, static = self._instance(source, definition, typed, inner)
        place = source.at(source.tree)
        return Typed(e.Apply(function, tuple(value.expression for value in typed), place), static)

    def _instance(
        self, source: Source, definition: DefinitionSource, arguments: list[Typed], inner: Locals
    ) -> tuple[e.Function, Static]:
        is_let = definition.name in inner.lets
        key = (definition, inner.state, tuple(value.static for value in arguments))
        if key in self.instances:
            if key in self.open:
                self._recursion(source, key)
            if key in self.pending:
                self._reach(self.pending.index(key))
            return self.instances[key]
        parameters = tuple(name for name, _ in definition.parameters)
        function = e.Function(definition.name, parameters, is_let=is_let)
        function.domains = tuple(v.static.type or Type("", ()) for v in arguments)
        self.instances[key] = (function, BOOLEAN)
        local = replace(
            inner, names={**inner.names, **{n: v.static for n, v in zip(parameters, arguments, strict=True)}}
        )
        body = self._body(source, definition, key, local)
        function.body = body.expression
        self._measure_parts(function, definition)
        self.instances[key] = (function, body.static)
        self._close(key)
        return self.instances[key]

    def _body(self, source: Source, definition: DefinitionSource, key: Instance, names: Locals) -> Typed:
        """The body, checked for these arguments; an error says from where it was used."""
        place = source.at(source.tree)
        if len(self.open) >= DEEPEST_DEFINITIONS:
            raise fail(f"definitions use each other more than {DEEPEST_DEFINITIONS} deep", place, code="E202")
        first = len(self.pending)
        self.open[key], self.lowest[key] = place, first
        self.pending.append(key)
        try:
            return self.expression(definition.body, names)
        except PuzzleError as error:
            del self.instances[key], self.pending[first:]
            used = f"`{definition.name}` is used at line {place.line}, column {place.column}"
            told = (d if d.hint or not definition.parameters else replace(d, hint=used) for d in error.diagnostics)
            raise PuzzleError(told) from None
        finally:
            del self.open[key]

    def _measure_parts(self, function: e.Function, definition: DefinitionSource) -> None:
        """Definitions that use each other twice grow like 2^n: stop before an evaluator has to."""
        assert function.body is not None
        self.sizes[function] = written_out(function.body, self.sizes)
        place = definition.body.at(definition.body.tree)
        what = f"parts of `{definition.name}` with all its definitions written out"
        check_limit(self.sizes[function], MOST_PARTS, what, place)

    def _recursion(self, source: Source, key: Instance) -> None:
        """Everything that is being checked since `key` uses itself: each has to be a Boolean with typed parameters."""
        around = list(self.open)
        calls = [*list(self.open.values())[1:], source.at(source.tree)]  # in each, the use of the next one
        for place in range(around.index(key), len(around)):
            if not self._may_recur(around[place]):
                raise _uses_itself(around[place], calls[place])

    def _may_recur(self, key: Instance) -> bool:
        """Is it Boolean, as far as known, with typed parameters?"""
        function, static = self.instances[key]
        parameters = key[0].parameters
        typed = bool(parameters) and all(domain is not None for _, domain in parameters)
        return typed and not function.is_let and st.is_boolean(static)

    def _reach(self, place: int) -> None:
        """What is being checked uses the pending instance at this place."""
        if self.open:
            user = next(reversed(self.open))
            self.lowest[user] = min(self.lowest[user], place)

    def _close(self, key: Instance) -> None:
        """An instance is done; with it a group of such that use each other, unless it uses one that is still open."""
        first, lowest = self.pending.index(key), self.lowest.pop(key)
        if lowest < first:
            self._reach(lowest)
            return
        keys = self.pending[first:]
        del self.pending[first:]
        group = tuple(self.instances[each][0] for each in keys)
        calls = {each: list(_signed_calls(self._body_of(each), 1)) for each in keys}
        if len(group) > 1 or any(call.function in group for call, _ in calls[key]):
            for function in group:
                function.group = group
            for each in keys:
                self._check_monotone(each, [use for use in calls[each] if use[0].function in group])

    def _body_of(self, key: Instance) -> e.Expr:
        body = self.instances[key][0].body
        assert body is not None
        return body

    def _check_monotone(self, key: Instance, uses: Sequence[tuple[e.Apply, int]]) -> None:
        """A recursive definition holds more often, the more often those of its group do that it uses."""
        for call, sign in uses:
            place = call.location
            assert place is not None
            if not self._may_recur(key):
                raise _uses_itself(key, place)
            if sign != 1:
                name, other = key[0].name, call.function.name
                what = "itself" if name == other else f"`{other}`, which uses it,"
                message = f"`{name}` uses {what} under something else than and, or, all, any"
                hint = f"under `not` and elsewhere, use definitions that do not use `{name}` in turn"
                raise fail(message, place, hint, "E309")

    # -- operators -------------------------------------------------------------------------------------------------

    def listing(self, source: Source, names: Locals) -> Typed:
        """A list as a value is a datum, so that [row, col] may stand for a cell; others are for loops and `in`."""
        items = [self.expression(source.inner(item), names) for item in cast(ast.List, source.tree).elts]
        if not all(isinstance(item.expression, e.Constant) for item in items):
            raise fail("a list whose items are not known beforehand is for loops and `in`, not a value",
                       source.at(source.tree), "a cell is TYPE(row, col), as in cell(r, c)", "E304")  # fmt: skip
        return st.literal(tuple(cast(e.Constant, item.expression).value for item in items))

    def constant(self, source: Source, names: Locals) -> Typed:
        return st.literal(cast(ast.Constant, source.tree).value)

    def junction(self, source: Source, names: Locals) -> Typed:
        node = cast(ast.BoolOp, source.tree)
        parts = tuple(self.condition(source.inner(part), names) for part in node.values)
        return Typed(e.Conjunction(parts) if isinstance(node.op, ast.And) else e.Disjunction(parts), BOOLEAN)

    def unary(self, source: Source, names: Locals) -> Typed:
        node = cast(ast.UnaryOp, source.tree)
        inner = source.inner(node.operand)
        if isinstance(node.op, ast.Not):
            return Typed(e.Negation(self.condition(inner, names)), BOOLEAN)
        typed = self.expression(inner, names)
        if isinstance(typed.expression, e.Constant) and type(typed.expression.value) is int:
            return st.literal(-typed.expression.value)
        if "offset" in typed.static.kinds:
            return Typed(e.Negate(typed.expression), OFFSET)
        if typed.static.data is not None and "int" not in typed.static.kinds:
            return Typed(e.Negate(fit(typed, OFFSET, inner, "-")), OFFSET)
        return Typed(e.Negate(self.integer(inner, names)), INTEGER)

    def arithmetic(self, source: Source, names: Locals) -> Typed:
        node = cast(ast.BinOp, source.tree)
        left, right = (self.expression(source.inner(side), names) for side in (node.left, node.right))
        sign = cast(Literal["+", "-", "*", "//", "%"], _SIGNS[type(node.op)])
        place = source.at(node)

        def made(static: Static, one: e.Expr = left.expression, other: e.Expr = right.expression) -> Typed:
            return Typed(e.Arithmetic(sign, one, other, static.grid, place), static)

        a, b = left.static, right.static
        if not a.kinds or not b.kinds:
            return made(a if a.grid else INTEGER)
        if "int" in a.kinds and "int" in b.kinds:
            self._check_divisor(sign, right, source.inner(node.right))
            return made(INTEGER)
        if sign in "+-" and a.grid is not None:
            return made(Static(frozenset(k for k in a.kinds if k.startswith("cell")), a.type),
                        other=fit(right, OFFSET, source.inner(node.right), "what is added to a cell"))  # fmt: skip
        if (
            sign == "*"
            and "int" in a.kinds
            and "offset" in b.kinds
            or sign == "*"
            and "offset" in a.kinds
            and "int" in b.kinds
        ):
            return made(OFFSET)
        if sign in "+-" and "offset" in a.kinds | b.kinds:
            sides = (fit(v, OFFSET, source.inner(n), sign) for v, n in ((left, node.left), (right, node.right)))
            return made(OFFSET, *sides)
        raise fail(f"{sign} does not go with {st.describe(a)} and {st.describe(b)}", place, code="E302")

    def _check_divisor(self, sign: str, right: Typed, source: Source) -> None:
        if sign not in ("//", "%"):
            return
        value = _known_integer(right.expression)
        if e.reads_state(right.expression):
            raise fail("a divisor is fixed: it cannot depend on the state", source.at(source.tree), code="E310")
        if value is not None and value <= 0:
            raise fail(f"a divisor is positive; this one is {value}", source.at(source.tree), code="E310")

    def comparison(self, source: Source, names: Locals) -> Typed:
        node = cast(ast.Compare, source.tree)
        if len(node.ops) > 1 and any(isinstance(op, ast.In | ast.NotIn | ast.NotEq) for op in node.ops):
            raise fail("only == < <= > >= chain", source.at(node), "join comparisons with `and`", code="E311")
        sides = [node.left, *node.comparators]
        pairs = zip(sides, node.ops, sides[1:], strict=False)
        parts = [self._compare(source, left, op, right, names) for left, op, right in pairs]
        return Typed(parts[0] if len(parts) == 1 else e.Conjunction(tuple(parts)), BOOLEAN)

    def _compare(self, source: Source, left: ast.expr, op: ast.cmpop, right: ast.expr, names: Locals) -> e.Expr:
        if isinstance(op, ast.In | ast.NotIn):
            return self._membership(source, left, isinstance(op, ast.NotIn), right, names)
        one, other = (self.expression(source.inner(side), names) for side in (left, right))
        a, b = fit_both(one, other, source)
        if isinstance(op, ast.Eq | ast.NotEq):
            return e.Equal(a, b, isinstance(op, ast.NotEq))
        if isinstance(op, ast.Gt | ast.GtE):
            a, b = b, a
        ordered, place = st.order_of(one.static, other.static)
        if not ordered:
            found = f"{st.describe(one.static)} and {st.describe(other.static)}"
            raise fail(f"{found} have no common order", source.at(source.tree), code="E302")
        return e.Order(isinstance(op, ast.Lt | ast.Gt), a, b, place)

    def _membership(self, source: Source, left: ast.expr, negated: bool, right: ast.expr, names: Locals) -> e.Expr:
        item = self.expression(source.inner(left), names)
        if isinstance(right, ast.List):
            others = [self.expression(source.inner(other), names) for other in right.elts]
            parts = tuple(e.Equal(*fit_both(item, other, source), negated) for other in others)
            return e.Conjunction(parts) if negated else e.Disjunction(parts)
        items = self.collection(source.inner(right), names)
        collection, expression = items.expression, item.expression
        check_comparable(item, items, source)
        if items.static.data is not None and item.static.data is None:
            collection = _convert_items(items, item.static)
        elif item.static.data is not None and items.static.data is None:
            expression = _fit_side(item, items.static)
        return e.Contains(expression, collection, negated)

    def conditional(self, source: Source, names: Locals) -> Typed:
        node = cast(ast.IfExp, source.tree)
        test = self.condition(source.inner(node.test), names)
        then, otherwise = (self.expression(source.inner(side), names) for side in (node.body, node.orelse))
        a, b = fit_branches(then, otherwise, source)
        static = st.join(_after(then, a), _after(otherwise, b))
        return Typed(e.Conditional(test, a, b), static)

    # -- indexing --------------------------------------------------------------------------------------------------

    def subscript(self, source: Source, names: Locals) -> Typed:
        node = cast(ast.Subscript, source.tree)
        indices = _subscripts(node)
        if isinstance(node.value, ast.Name):
            word = node.value.id
            if word in self.names.variables and word not in names.names:
                self.used.add(word)
                return self._read(source, self.names.variables[word], indices, names)
            if word in names.arrays:
                types, type_ = names.arrays[word]
                fitted = self._indices(source, word, indices, list(types), names)
                return as_truth(Typed(e.ArrayElement(word, fitted), st.static_of(type_)))
            if (named := self._named_type(word, names)) is not None:
                return self._at_place(named, source, indices, names)
        base = self.expression(source.inner(node.value), names)
        for index in indices:
            base = self._element(base, self.expression(source.inner(index), names), source.inner(index))
        return base

    def _named_type(self, word: str, names: Locals) -> Type | None:
        """The type that a word means, where it means nothing else."""
        other = word in names.names or word in names.lets or word in self.names.definitions
        return None if other or self.names.datum(word) is not None else self.names.type(word)

    def _at_place(self, type_: Type, source: Source, indices: list[ast.expr], names: Locals) -> Typed:
        """The value at a place of a type, counted from 0, as `index` counts."""
        self.used.add(type_.name)
        if len(indices) != 1:
            message = f"`{type_.name}` has one index, a place, found {len(indices)}"
            raise fail(message, source.at(source.tree), f"write {type_.name}[number]", "E306")
        inner = source.inner(indices[0])
        place = self.integer(inner, names)
        known, size = _known_integer(place), len(type_.values)
        if known is not None and not 0 <= known < size:
            hint = f"its places run from 0 to {size - 1}" if size else "it is empty"
            raise fail(f"`{type_.name}` has no place {known}", inner.at(inner.tree), hint, "E314")
        return as_truth(Typed(e.Element(e.Constant(type_.values), place), st.static_of(type_)))

    def _element(self, base: Typed, index: Typed, source: Source) -> Typed:
        possible = base.static.data if base.static.data is not None else self._letters(base, source)
        if any(not isinstance(value, str | tuple | Record) for value in possible):
            raise fail(f"{st.describe(base.static)} has no elements", source.at(source.tree), code="E302")
        if index.static.grid is not None and index.static.data is None:
            return self._at_cell(base, possible, index)
        if index.static.type is not None and any(isinstance(v, Record) for v in possible):
            index = Typed(_as_key(index), Static(frozenset({"text"})))
        keys = _keys(possible)
        result = st.static_data(value for keyed in keys for value in keyed.values())
        if isinstance(base.expression, e.Constant):
            return as_truth(_indexed(index, keys[0], result, source))
        if isinstance(index.expression, e.Constant) and _written_out(base.expression):
            _indexed(index, keys[0], result, source)  # an element that does not exist is an error
        return as_truth(Typed(e.Element(base.expression, index.expression), result))

    def _letters(self, base: Typed, source: Source) -> tuple[Value, ...]:
        """The possible values of a typed text."""
        if base.static.type is None or not base.static.kinds <= {"text", "list", "record"}:
            raise fail(f"{st.describe(base.static)} has no elements", source.at(source.tree), code="E302")
        return base.static.type.values

    def _at_cell(self, base: Typed, possible: tuple[Value, ...], index: Typed) -> Typed:
        """Data indexed by a cell: a text map, a list of rows, or a flat list in the type's order."""
        type_ = index.static.type
        assert type_ is not None and type_.grid is not None
        if isinstance(base.expression, e.Constant):
            table = cell_table(possible[0], type_)
            return as_truth(Typed(e.Mapped(index.expression, table), st.static_data(table.values())))
        tables = [cell_table(value, type_) for value in possible]
        keys = {value: str(place) for value, place in type_.place.items()}
        rows = {
            value: Record({keys[cell]: table[cell] for cell in table})
            for value, table in zip(possible, tables, strict=True)
        }
        element = e.Element(e.Mapped(base.expression, rows), e.Mapped(index.expression, keys))
        return as_truth(Typed(element, st.static_data(v for table in tables for v in table.values())))

    def attribute(self, source: Source, names: Locals) -> Typed:
        node = cast(ast.Attribute, source.tree)
        base = self.expression(source.inner(node.value), names)
        if node.attr in ("row", "col") and (st.is_cell(base.static) or "offset" in base.static.kinds):
            axis = cast(Literal["row", "col"], node.attr)
            return Typed(e.Coordinate(base.expression, axis), INTEGER)
        if base.static.data is None or any(not isinstance(value, Record) for value in base.static.data):
            raise fail(f"{st.describe(base.static)} has no .{node.attr}", source.at(node), code="E302")
        return self._element(base, st.literal(node.attr), source)

    # -- functions -------------------------------------------------------------------------------------------------

    def call(self, source: Source, names: Locals) -> Typed:
        node = cast(ast.Call, source.tree)
        word = cast(ast.Name, node.func).id
        self.used.add(word)
        if node.keywords:
            raise fail("no function takes named arguments here", source.at(node), code="E305")
        if word in names.lets:
            return self._apply(source, word, names.lets[word], node.args, names.outside_loops(), names)
        if word in self.names.definitions:
            return self._apply(source, word, self.names.definitions[word], node.args, Locals(state=names.state), names)
        type_ = self.names.type(word)
        if type_ is not None and type_.grid is not None:
            return self._make_cell(source, type_, node.args, names)
        if word in QUANTIFIERS:
            return self._quantifier(source, word, node.args, names)
        if word in _CALLS and not self._own(word, names):
            count, rule = _CALLS[word]
            if count is not None and len(node.args) != count:
                raise fail(
                    f"{word} takes {_count(count, 'argument')}, found {len(node.args)}", source.at(node), code="E305"
                )
            return rule(self, source, node.args, names)
        raise self._no_function(word, source.at(node), names)

    def _own(self, word: str, names: Locals) -> bool:
        """Has the file something else by the name of a function that came later?"""
        return word in YIELDING and (word in names.names or word in names.arrays or word in set(self.names.known()))

    def _no_function(self, word: str, place: Location, names: Locals) -> PuzzleError:
        known = {*names.names, *names.arrays, *self.names.known()}
        functions = [*names.lets, *self.names.definitions, *FUNCTIONS]
        if word in known - set(functions):
            return fail(f"`{word}` is no function", place, f"indices stand in square brackets: {word}[...]", "E313")
        return fail(f"unknown function {word!r}", place, did_you_mean(word, [*functions, *YIELDING]), "E313")

    def _make_cell(self, source: Source, type_: Type, arguments: list[ast.expr], names: Locals) -> Typed:
        if len(arguments) != 2:
            raise fail(f"{type_.name} takes a row and a column", source.at(source.tree), code="E305")
        row, col = (self.integer(source.inner(argument), names) for argument in arguments)
        assert type_.grid is not None
        return Typed(e.MakeCell(row, col, type_.grid), st.static_of(type_))

    def _quantifier(self, source: Source, word: str, arguments: list[ast.expr], names: Locals) -> Typed:
        if word in ("min", "max") and arguments and not isinstance(arguments[0], ast.GeneratorExp):
            return self._extreme(source, word, arguments, names)
        default = None
        if word == "first" and len(arguments) == 2:
            default = self.expression(source.inner(arguments[1]), names)
            arguments = arguments[:1]
        if len(arguments) != 1 or not isinstance(arguments[0], ast.GeneratorExp):
            raise fail(f"{word} takes `... for x in T`", source.at(source.tree),
                       f"for example {word}(c for c in cell if ...)", "E305")  # fmt: skip
        generator = arguments[0]
        loops, inner = self.loops((loop_of(source, g) for g in generator.generators), names)
        return self._quantified(source, word, source.inner(generator.elt), tuple(loops), inner, default)

    def _quantified(self, source: Source, word: str, element: Source, loops: tuple[e.Loop, ...], names: Locals,
                    default: Typed | None) -> Typed:  # fmt: skip
        kind = cast(Any, word)
        if word in ("all", "any"):
            return Typed(e.Quantifier(kind, self.condition(element, names), loops, None, None), BOOLEAN)
        typed = self.expression(element, names)
        if word == "count":
            return Typed(e.Quantifier(kind, e.Constant(0), loops, None, None), INTEGER)
        if word == "sum":
            summand = self.integer(element, names)
            return Typed(e.Quantifier(kind, summand, loops, None, None, element.at(element.tree)), INTEGER)
        if word == "first":
            if default is None:
                return as_truth(Typed(e.Quantifier(kind, typed.expression, loops, None, None), typed.static))
            a, b = fit_branches(typed, default, source)
            static = st.join(_after(typed, a), _after(default, b))
            return as_truth(Typed(e.Quantifier(kind, a, loops, b, None), static))
        ordered, place = st.order_of(typed.static)
        if not ordered:
            raise fail(f"{st.describe(typed.static)} has no order", element.at(element.tree), code="E302")
        return as_truth(Typed(e.Quantifier(kind, typed.expression, loops, None, place), typed.static))

    def _extreme(self, source: Source, word: str, arguments: list[ast.expr], names: Locals) -> Typed:
        typed = [self.expression(source.inner(argument), names) for argument in arguments]
        ordered, place = st.order_of(*(value.static for value in typed))
        if not ordered:
            found = ", ".join(st.describe(value.static) for value in typed)
            raise fail(f"{word} cannot order {found}", source.at(source.tree), code="E302")
        best = next((value.static for value in typed if value.static.type), typed[0].static)
        static = best if best.type else INTEGER
        expressions = tuple(fit(v, static, source, word) if static.type else v.expression for v in typed)
        return Typed(e.Extreme(cast(Any, word), expressions, place), static)

    def _absolute(self, source: Source, arguments: list[ast.expr], names: Locals) -> Typed:
        return Typed(e.Absolute(self.integer(source.inner(arguments[0]), names)), INTEGER)

    def _len(self, source: Source, arguments: list[ast.expr], names: Locals) -> Typed:
        typed = self.expression(source.inner(arguments[0]), names)
        if not typed.static.kinds <= {"text", "list", "record"}:
            raise fail(f"{st.describe(typed.static)} has no length", source.at(arguments[0]), code="E302")
        return Typed(e.Length(typed.expression), INTEGER)

    def _inverse(self, source: Source, arguments: list[ast.expr], names: Locals) -> Typed:
        (typed,) = self._data(source, arguments, names)
        possible = _results(e.Inverse(e.Constant(value)) for value in typed.static.data or ())
        if not possible:
            raise fail(f"this is no permutation: {_some(typed)}", source.at(arguments[0]), PERMUTATION, "E302")
        return Typed(e.Inverse(typed.expression), st.static_data(possible))

    def _composition(self, source: Source, arguments: list[ast.expr], names: Locals) -> Typed:
        left, right = self._data(source, arguments, names)
        pairs = [(one, other) for one in left.static.data or () for other in right.static.data or ()]
        check_limit(len(pairs), MOST_VALUES, "ways to compose these", source.at(source.tree))
        possible = _results(e.Composition(e.Constant(one), e.Constant(other)) for one, other in pairs)
        if not possible:
            message = f"{_some(right)} names places that {_some(left)} has not"
            raise fail(message, source.at(source.tree), "compose(p, q) has p[q[i]] at i", "E314")
        return Typed(e.Composition(left.expression, right.expression), st.static_data(possible))

    def _data(self, source: Source, arguments: list[ast.expr], names: Locals) -> list[Typed]:
        """The arguments, each a list or table of the data."""
        typed = [self.expression(source.inner(argument), names) for argument in arguments]
        for value, argument in zip(typed, arguments, strict=True):
            if value.static.data is None or not value.static.kinds <= {"list", "record"}:
                message = f"expected a list or a table, found {st.describe(value.static)}"
                raise fail(message, source.at(argument), PERMUTATION, "E302")
        return typed

    def _inside(self, source: Source, arguments: list[ast.expr], names: Locals) -> Typed:
        return Typed(e.Inside(self.expression(source.inner(arguments[0]), names).expression), BOOLEAN)

    def _index(self, source: Source, arguments: list[ast.expr], names: Locals) -> Typed:
        typed = self.expression(source.inner(arguments[0]), names)
        if typed.static.type is None:
            raise fail("index takes a value of a type", source.at(arguments[0]), code="E302")
        return Typed(e.Mapped(typed.expression, dict(typed.static.type.place)), INTEGER)

    def _letter(self, source: Source, arguments: list[ast.expr], names: Locals) -> Typed:
        typed = self.expression(source.inner(arguments[0]), names)
        letters = {mark: mark.letter for mark in self._marks(typed, source)}
        return Typed(e.Mapped(typed.expression, letters), st.static_data(letters.values()))

    def _origin(self, source: Source, arguments: list[ast.expr], names: Locals) -> Typed:
        typed = self.expression(source.inner(arguments[0]), names)
        marks = self._marks(typed, source)
        if typed.static.type is None:
            return Typed(e.Mapped(typed.expression, {}), Static(frozenset()))
        board = self._board(typed.static.type.sheets, source)
        origins = {mark: mark.origin for mark in marks if mark.origin in board.place}
        return Typed(e.Mapped(typed.expression, origins), st.static_of(board))

    def _marks(self, typed: Typed, source: Source) -> list[Thing]:
        """The marks that a value may be."""
        type_ = typed.static.type
        if typed.static.kinds and not (type_ and type_.sheets):
            found = st.describe(typed.static)
            hint = 'objects of a map are a type: piece: marks(board, "ab")'
            raise fail(f"expected a mark on a map, found {found}", source.at(source.tree), hint, "E302")
        values = type_.values if type_ else ()
        return [value for value in values if isinstance(value, Thing) and value.origin is not None]

    def _board(self, sheets: tuple[Sheet, ...], source: Source) -> Type:
        """The one type of cells that the places of these maps are."""
        found = list(dict.fromkeys(board for sheet in sheets for board in self.names.boards(sheet)))
        self.used.update(board.name for board in found)
        if len(found) == 1:
            return found[0]
        names = " or ".join(board.name for board in found) or "no type of cells that the file has"
        maps = ", ".join(f"`{sheet.words}`" for sheet in sheets)
        hint = f'marks({sheets[0].words}, "...", on="cell") says so, if `cell` is a type of cells as large as the map'
        raise fail(f"the places of {maps} may be those of {names}", source.at(source.tree), hint, "E302")

    def _measure(self, source: Source, arguments: list[ast.expr], names: Locals) -> Typed:
        kind = cast(Any, cast(ast.Name, cast(ast.Call, source.tree).func).id)
        one, other = (self.expression(source.inner(argument), names) for argument in arguments)
        target = one.static if one.static.grid else other.static
        if target.grid is None:
            raise fail(f"{kind} takes two cells", source.at(source.tree), code="E302")
        a, b = (fit(v, target, source.inner(n), f"{kind}'s cell") for v, n in zip((one, other), arguments, strict=True))
        measure = e.Measure(kind, a, b, target.grid)
        return Typed(e.Truth(measure), BOOLEAN) if kind == "adjacent" else Typed(measure, INTEGER)

    def _misplaced(self, source: Source, arguments: list[ast.expr], names: Locals) -> Typed:
        word = cast(ast.Name, cast(ast.Call, source.tree).func).id
        raise fail(
            f"{word}(...) is something to loop over or look into, not a value", source.at(source.tree), code="E304"
        )


# -- fitting values to types -------------------------------------------------------------------------------------------


def fit(typed: Typed, target: Static, source: Source, what: str) -> e.Expr:
    """The expression with raw data converted to what is expected; an error where it can never be that."""
    static = typed.static
    if static.data is None or not target.kinds:
        if not st.compatible(static, target):
            raise mismatch(static, target, source, what)
        return typed.expression
    table = {value: st.converted(value, target) for value in static.data}
    good = {value: new for value, new in table.items() if new is not None and _belongs(new, target)}
    if static.data and not good:
        raise _never(static.data[0], static, target, source, what)
    if isinstance(typed.expression, e.Constant):
        return e.Constant(good[typed.expression.value])
    same = all(exact(new) == exact(old) for old, new in good.items()) and len(good) == len(table)
    return typed.expression if same else e.Mapped(typed.expression, good)


def _belongs(value: Value, target: Static) -> bool:
    return (
        target.type is None or value in target.type.place or not isinstance(value, str | int) or isinstance(value, bool)
    )


def _never(value: Value, static: Static, target: Static, source: Source, what: str) -> PuzzleError:
    if target.type is None or not (st.compatible(static, target) or target.grid):
        return mismatch(static, target, source, what)
    names = [show(item, target.type.names) for item in target.type.values]
    hint = did_you_mean(show(value), names)
    if target.kinds == {"int"}:
        hint = f"{target.type.name} runs from {names[0]} to {names[-1]}"
    return fail(f"{show(value)} is no value of `{target.type.name}`", source.at(source.tree), hint, "E312")


def mismatch(found: Static, expected: Static, source: Source, what: str = "") -> PuzzleError:
    wanted = f"{what}: expected {st.describe(expected)}" if what else f"compared with {st.describe(expected)}"
    return fail(f"{wanted}, found {st.describe(found)}" if what else f"{st.describe(found)} is {wanted}",
                source.at(source.tree), "different kinds never compare" if not what else "", "E302")  # fmt: skip


def unknown_name(word: str, place: Location, known: Iterable[str]) -> PuzzleError:
    hint = did_you_mean(word, known) or f'text that only data contain is quoted: "{word}"'
    return fail(f"unknown name {word!r}", place, hint, "E313")


def fit_both(one: Typed, other: Typed, source: Source) -> tuple[e.Expr, e.Expr]:
    """Two sides of a comparison, raw data converted to the other side's kind."""
    check_comparable(one, other, source)
    if one.static.data is not None and other.static.data is None:
        return _fit_side(one, other.static), other.expression
    if other.static.data is not None and one.static.data is None:
        return one.expression, _fit_side(other, one.static)
    return one.expression, other.expression


def check_comparable(one: Typed, other: Typed, source: Source) -> None:
    """Values of different kinds never compare; raw data may become the other side's kind."""
    if st.compatible(one.static, other.static):
        return
    for raw, target in ((one, other), (other, one)):
        if raw.static.data is not None and target.static.data is None and _convertible(raw, target.static):
            return
    raise mismatch(one.static, other.static, source)


def _convertible(typed: Typed, target: Static) -> dict[Value, Value] | None:
    assert typed.static.data is not None
    table = {value: new for value in typed.static.data if (new := st.converted(value, target)) is not None}
    return table or None


def _fit_side(typed: Typed, target: Static) -> e.Expr:
    table = _convertible(typed, target) or {}
    if isinstance(typed.expression, e.Constant) and typed.expression.value in table:
        return e.Constant(table[typed.expression.value])
    same = all(exact(new) == exact(old) for old, new in table.items())
    return typed.expression if same else e.Mapped(typed.expression, table)


def fit_branches(one: Typed, other: Typed, source: Source) -> tuple[e.Expr, e.Expr]:
    """Two sides of a choice: raw data become cells or offsets where the other side is one."""
    a, b = one.expression, other.expression
    special = {"offset"}
    if (
        one.static.data is not None
        and other.static.data is None
        and (other.static.grid or special & other.static.kinds)
    ):
        a = _fit_side(one, other.static)
    if other.static.data is not None and one.static.data is None and (one.static.grid or special & one.static.kinds):
        b = _fit_side(other, one.static)
    return a, b


def _after(typed: Typed, expression: e.Expr) -> Static:
    """The static after a conversion."""
    if expression is typed.expression:
        return typed.static
    values = [expression.value] if isinstance(expression, e.Constant) else []
    if isinstance(expression, e.Mapped):
        values = list(expression.table.values())
    kinds = {"offset" if type(value).__name__ == "Offset" else "cell" for value in values if isinstance(value, tuple)}
    return Static(frozenset(), None, None) if "cell" in kinds else OFFSET if kinds else typed.static


def _convert_items(items: Typed, target: Static) -> e.Expr:
    """A data collection with every item converted to the target's kind."""
    expression = items.expression
    if isinstance(expression, e.Constant):
        return e.Constant(_converted_items(expression.value, target))
    if isinstance(expression, e.Listing | e.Span | e.Ray):
        return expression
    wanted = {value: st.converted(value, target) for value in items.static.data or ()}
    if all(new is not None and type(new) is type(old) for old, new in wanted.items()):
        return expression
    return e.Mapped(expression, {value: _converted_items(value, target) for value in items.collections})


def _written_out(data: e.Expr) -> bool:
    """Are these data known as they stand, with what is made of them?"""
    return isinstance(data, e.Constant) or (
        isinstance(data, e.Inverse | e.Composition) and all(_written_out(part) for part in e.parts(data))
    )


def _results(expressions: Iterable[e.Expr]) -> list[Value]:
    """The values of expressions without names, as far as they are defined."""
    return [value for value in (evaluate(each, scope({})) for each in expressions) if value is not UNDEFINED]


def _some(typed: Typed) -> str:
    """One of the values that data can be, in words."""
    return show((typed.static.data or ("nothing",))[0])


def _converted_items(value: Value, target: Static) -> tuple[Value, ...]:
    items = (st.converted(item, target) for item in value)
    return tuple(item for item in items if item is not None)


def as_truth(typed: Typed) -> Typed:
    """A Boolean read is an atom: false where it is undefined."""
    if typed.static.kinds == {"bool"}:
        return Typed(e.Truth(typed.expression), typed.static)
    return typed


def _subscripts(node: ast.Subscript) -> list[ast.expr]:
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def _keys(possible: Iterable[Value]) -> list[dict[Value, Value]]:
    """Each value as index → element."""
    return [dict(value) if isinstance(value, Record) else dict(enumerate(value)) for value in possible]


def _as_key(index: Typed) -> e.Expr:
    """A typed index as the key of a record: an offset by its word, anything else as printed."""
    type_ = index.static.type
    assert type_ is not None
    words = {value: show(value, type_.names) for value in type_.values}
    return e.Mapped(index.expression, words)


def _indexed(index: Typed, table: dict[Value, Value], result: Static, source: Source) -> Typed:
    """A constant table at an index; an error where a constant index is not in it."""
    if "offset" in index.static.kinds:
        table = {offset: table[word] for word, offset in DIRECTIONS8.items() if word in table}
    if not isinstance(index.expression, e.Constant):
        return Typed(e.Mapped(index.expression, table), result)
    value = index.expression.value
    if value not in table:
        keys = [show(key) for key in table]
        hint = f"indices run from 0 to {len(keys) - 1}" if isinstance(value, int) else did_you_mean(show(value), keys)
        raise fail(f"there is no element {show(value)}", source.at(source.tree), hint, "E314")
    return st.literal(table[value])


def cell_table(value: Value, type_: Type) -> dict[Value, Value]:
    """The elements of a text map, list of rows or flat list by cell."""
    grid = type_.grid
    assert grid is not None
    cells = [cell for cell in type_.values if isinstance(cell, Cell)]  # of a union like `cell or none`, only these
    if isinstance(value, tuple) and len(value) == grid.rows and all(isinstance(row, str | tuple) for row in value) \
            and (grid.rows > 1 or len(type_.values) != 1) \
            and any(len(row) > 1 or grid.cols == 1 for row in value):  # fmt: skip
        return {cell: value[cell.row][cell.col] for cell in cells if cell.col < len(value[cell.row])}
    if isinstance(value, str | tuple):
        return dict(zip(cells, value, strict=False))
    return {}


def written_out(root: e.Expr, sizes: dict[e.Function, int]) -> int:
    """How many parts an expression has if every definition is replaced by its body."""
    count, waiting = 0, [root]
    while waiting:
        node = waiting.pop()
        count += 1 + (sizes.get(node.function, 0) if isinstance(node, e.Apply) else 0)
        waiting.extend(e.parts(node))
    return count


def _known_integer(expression: e.Expr) -> int | None:
    """The value of an integer expression that depends on nothing but data; None for others."""
    inside = list(e.walk(expression))
    if any(isinstance(node, e.Local | e.Read | e.ArrayElement) for node in inside):
        return None
    if any(isinstance(node, e.Apply) and node.function.body is None for node in inside):  # which is being checked
        return None
    value = evaluate(expression, scope({}))
    return value if isinstance(value, int) else None


def _known_size(domain: e.Expr) -> int:
    """How many values a loop runs over; 1 where that is not known yet."""
    if isinstance(domain, e.Span):
        start, stop = _known_integer(domain.start), _known_integer(domain.stop)
        return 1 if start is None or stop is None else max(0, stop - start)
    return len(domain.value) if isinstance(domain, e.Constant) else 1


def _uses_itself(key: Instance, place: Location) -> PuzzleError:
    name = key[0].name
    hint = f"only a Boolean definition with typed parameters may: {name}(x in T): ..."
    return fail(f"`{name}` uses itself", place, hint, "E309")


def _signed_calls(node: e.Expr, sign: int) -> Iterator[tuple[e.Apply, int]]:
    """Every call, with 1 where the whole holds more often if the call does, -1: less often, 0: unknown."""
    inside: Iterable[tuple[e.Expr, int]]
    match node:
        case e.Conjunction() | e.Disjunction() | e.Truth():
            inside = ((part, sign) for part in e.parts(node))
        case e.Negation(argument=argument):
            inside = [(argument, -sign)]
        case e.Conditional(condition=condition, then=then, otherwise=otherwise):
            inside = [(condition, 0), (then, sign), (otherwise, sign)]
        case e.Quantifier(kind="all" | "any" as kind, element=element, loops=loops):
            tested = sign if kind == "any" else -sign
            inside = [*((loop.domain, 0) for loop in loops), (element, sign)]
            inside += [(loop.condition, tested) for loop in loops if loop.condition is not None]
        case _:
            inside = ((part, 0) for part in e.parts(node))
    if isinstance(node, e.Apply):
        yield node, sign
    for part, its in inside:
        yield from _signed_calls(part, its)


def _count(number: int, word: str, plural: str = "") -> str:
    return f"{number or 'no'} {word if number == 1 else plural or word + 's'}"


_MISPLACED: dict[type[ast.expr], str] = {
    ast.Tuple: "write a list as [a, b], a cell as TYPE(row, col)",
    ast.GeneratorExp: "write all(...), any(...), count(...), first(...) around `... for x in T`",
}
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%"}
_RULES: dict[type[ast.expr], Callable[[Checker, Source, Locals], Typed]] = {
    ast.Name: Checker.name,
    ast.Constant: Checker.constant,
    ast.List: Checker.listing,
    ast.BoolOp: Checker.junction,
    ast.UnaryOp: Checker.unary,
    ast.BinOp: Checker.arithmetic,
    ast.Compare: Checker.comparison,
    ast.IfExp: Checker.conditional,
    ast.Subscript: Checker.subscript,
    ast.Attribute: Checker.attribute,
    ast.Call: Checker.call,
}
_CALLS: dict[str, tuple[int | None, Callable[[Checker, Source, list[ast.expr], Locals], Typed]]] = {
    "abs": (1, Checker._absolute),
    "len": (1, Checker._len),
    "inside": (1, Checker._inside),
    "inverse": (1, Checker._inverse),
    "compose": (2, Checker._composition),
    "index": (1, Checker._index),
    "origin": (1, Checker._origin),
    "letter": (1, Checker._letter),
    "distance": (2, Checker._measure),
    "adjacent": (2, Checker._measure),
    "steps": (2, Checker._measure),
    "ray": (None, Checker._misplaced),
    "range": (None, Checker._misplaced),
}
