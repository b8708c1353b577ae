"""Ground expressions: what is left of an expression once parameters, data and loops are gone.

A term denotes a whole number for every state; a *condition* is a term whose values lie in {0, 1}. Terms are total:
where the language says "undefined", grounding has put an explicit condition beside the term, so neither the compiler
nor the encoder ever meets that notion (the branches that such a condition rules out are ``None`` in `Lookup` and
`Select`).

Terms are interned: equal terms are one object, so they are compared with ``is``, hash by identity, and a dictionary
keyed by terms shares work. Build them with the lower-case functions below, which fold constants and keep a normal form:
negations are pushed down to the leaves, comparisons with a constant become `Member`, look-ups are composed. The idea of
hash-consing with simplifying constructors is Filliâtre and Conchon's (Type-safe modular hash-consing, 2006).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Literal
from weakref import WeakValueDictionary

from models.frozen import frozen

Comparison = Literal["==", "!=", "<", "<="]
Values = Sequence[int]  # strictly ascending: a range or a tuple

FEW_VALUES = 4096  # value sets up to this size are kept exactly, larger ones as an interval


class _Remembered:
    """What has once been worked out for a term."""

    __slots__ = ("__weakref__", "few", "opposite")
    opposite: Term
    few: tuple[Var | Choice, ...] | None


@frozen(slots=True)
class Term(_Remembered):
    """A node; `values` holds every value that it can take (possibly more), ascending."""

    values: Values

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and files hold the recipe, so that equal terms are one object again."""
        return _make, (type(self), *(getattr(self, field.name) for field in fields(self)))


@frozen(slots=True)
class Const(Term):
    value: int


@frozen(slots=True)
class Var(Term):
    """State variable `index` (its place in `Task.variables`) as phase `stage` of the action finds it; 0 = old state."""

    index: int
    stage: int


@frozen(slots=True)
class Choice(Term):
    """Choice variable `index` of the action at hand: an element of an array-valued parameter."""

    index: int


@frozen(slots=True)
class Lookup(Term):
    """`table[i]` where `argument` has its i-th value; ``None``: never looked at."""

    argument: Term
    table: tuple[int | None, ...]


@frozen(slots=True)
class Select(Term):
    """The i-th branch where `argument` has its i-th value; ``None``: never looked at."""

    argument: Term
    branches: tuple[Term | None, ...]


@frozen(slots=True)
class Cases(Term):
    """The value beside the first condition that holds, else `otherwise`."""

    cases: tuple[tuple[Term, Term], ...]
    otherwise: Term


@frozen(slots=True)
class Add(Term):
    """constant + the sum of coefficient * term; no coefficient is 0, no term is a `Const` or an `Add`."""

    terms: tuple[tuple[int, Term], ...]
    constant: int


@frozen(slots=True)
class FloorDivide(Term):
    argument: Term
    divisor: int  # positive


@frozen(slots=True)
class Modulo(Term):
    argument: Term
    divisor: int  # positive


@frozen(slots=True)
class Minimum(Term):
    arguments: tuple[Term, ...]


@frozen(slots=True)
class Maximum(Term):
    arguments: tuple[Term, ...]


@frozen(slots=True)
class Member(Term):
    """Is the argument's value one of `members`? Never all or none of them; never of a condition."""

    argument: Term
    members: Values


@frozen(slots=True)
class Compare(Term):
    """Two terms compared, neither of them constant."""

    comparison: Comparison
    left: Term
    right: Term


@frozen(slots=True)
class And(Term):
    arguments: tuple[Term, ...]


@frozen(slots=True)
class Or(Term):
    arguments: tuple[Term, ...]


@frozen(slots=True)
class Not(Term):
    """The negation of a condition that it cannot be pushed into: a variable, `Select`, `Cases`, a large `Member`."""

    argument: Term


BITS = (0, 1)
_interned: WeakValueDictionary[tuple[Any, ...], Term] = WeakValueDictionary()


def _make(kind: Callable[..., Term], values: Values, *fields: Any) -> Any:
    """The one term of this kind with these fields."""
    size = values.stop - values.start if isinstance(values, range) else len(values)  # `len` is bounded
    key = (kind, values[0], values[-1], size, *fields)
    found = _interned.get(key)
    if found is None:
        found = _interned[key] = kind(values, *fields)
    return found


def const(value: int) -> Const:
    made: Const = _make(Const, (int(value),), int(value))
    return made


FALSE, TRUE = const(0), const(1)


def var(index: int, size: int, stage: int = 0) -> Term:
    return const(0) if size == 1 else _make(Var, BITS if size == 2 else range(size), index, stage)


def choice(index: int, size: int) -> Term:
    return const(0) if size == 1 else _make(Choice, BITS if size == 2 else range(size), index)


def is_condition(term: Term) -> bool:
    return term.values[0] >= 0 and term.values[-1] <= 1


def _span(values: Iterable[int]) -> Values:
    """`values`, sorted; an interval where that is exact or where they are many."""
    members = sorted(set(values))
    low, high = members[0], members[-1]
    if len(members) > FEW_VALUES or (len(members) == high - low + 1 and len(members) > 2):
        return range(low, high + 1)
    return tuple(members)


def _union(parts: Iterable[Values]) -> Values:
    """All values of several sets; an interval around them where one of them is large, since nobody walks through it."""
    sets = [values for values in parts if values]
    if any(len(values) > FEW_VALUES for values in sets):
        return range(min(values[0] for values in sets), max(values[-1] for values in sets) + 1)
    return _span(value for values in sets for value in values)


def _cut(values: Values, low: int, high: int) -> Values:
    """Those of the values that lie between two numbers."""
    if isinstance(values, range):
        return range(max(values.start, low), max(values.start, low, min(values.stop, high + 1)))
    return tuple(value for value in values if low <= value <= high)


def lookup(argument: Term, table: Sequence[int | None]) -> Term:
    """`table` is parallel to `argument.values`."""
    used = {value for value in table if value is not None}
    if len(used) <= 1:
        return const(used.pop() if used else 0)
    if used <= {0, 1}:
        return member(argument, [v for v, t in zip(argument.values, table, strict=True) if t])
    if tuple(table) == tuple(argument.values):
        return argument
    if isinstance(argument, Lookup):
        outer = dict(zip(argument.values, table, strict=True))
        return lookup(argument.argument, [None if t is None else outer[t] for t in argument.table])
    if isinstance(argument, Cases) and all(isinstance(v, Const) for v in _branches(argument)):
        return _map_cases(argument, lambda v: const(dict(zip(argument.values, table, strict=True))[v.values[0]] or 0))
    if isinstance(argument, Not):
        return lookup(argument.argument, tuple(reversed(table)))
    return _make(Lookup, _span(used), argument, tuple(table))  # type: ignore[no-any-return]


def _branches(term: Cases) -> list[Term]:
    return [value for _, value in term.cases] + [term.otherwise]


def _map_cases(term: Cases, change: Callable[[Term], Term]) -> Term:
    return cases([(c, change(v)) for c, v in term.cases], change(term.otherwise))


def select(argument: Term, branches: Sequence[Term | None]) -> Term:
    """`branches` is parallel to `argument.values`."""
    if isinstance(argument, Const):
        return branches[0] or FALSE
    used = {branch for branch in branches if branch is not None}
    if len(used) <= 1:
        return used.pop() if used else FALSE
    if all(isinstance(branch, Const) for branch in used):
        return lookup(argument, [None if b is None else b.values[0] for b in branches])
    if isinstance(argument, Lookup):
        outer = dict(zip(argument.values, branches, strict=True))
        return select(argument.argument, [None if t is None else outer[t] for t in argument.table])
    values = _union(branch.values for branch in used)
    return _make(Select, values, argument, tuple(branches))  # type: ignore[no-any-return]


def cases(pairs: Iterable[tuple[Term, Term]], otherwise: Term) -> Term:
    """If ... elif ... else."""
    kept: list[tuple[Term, Term]] = []
    seen: set[Term] = set()
    for condition, value in pairs:
        if condition is FALSE or condition in seen:
            continue
        if condition is TRUE:
            otherwise = value
            break
        seen.add(condition)
        kept.append((condition, value))
    while kept and kept[-1][1] is otherwise:
        kept.pop()
    if not kept:
        return otherwise
    branches = [value for _, value in kept] + [otherwise]
    if all(is_condition(branch) for branch in branches) and (
        len(kept) <= 4 or all(b in (TRUE, FALSE) for b in branches)
    ):
        return _condition_cases(kept, otherwise)
    values = _union(branch.values for branch in branches)
    return _make(Cases, values, tuple(kept), otherwise)  # type: ignore[no-any-return]


def _condition_cases(pairs: list[tuple[Term, Term]], otherwise: Term) -> Term:
    for condition, value in reversed(pairs):
        if value is TRUE:
            otherwise = disjunction((condition, otherwise))
        elif value is FALSE:
            otherwise = conjunction((negation(condition), otherwise))
        else:
            then = conjunction((condition, value))
            otherwise = disjunction((then, conjunction((negation(condition), otherwise))))
    return otherwise


def add(terms: Iterable[tuple[int, Term]], constant: int = 0) -> Term:
    """constant + sum of coefficient * term."""
    total: dict[Term, int] = {}
    for coefficient, term in terms:
        if isinstance(term, Const):
            constant += coefficient * term.value
        elif isinstance(term, Add):
            constant += coefficient * term.constant
            for inner, part in term.terms:
                total[part] = total.get(part, 0) + coefficient * inner
        else:
            total[term] = total.get(term, 0) + coefficient
    pairs = tuple((c, t) for t, c in total.items() if c)
    if not pairs:
        return const(constant)
    if len(pairs) == 1:
        return _scaled(*pairs[0], constant)
    return _make(Add, _sum_values(pairs, constant), pairs, constant)  # type: ignore[no-any-return]


def _scaled(coefficient: int, term: Term, constant: int) -> Term:
    if coefficient == 1 and constant == 0:
        return term
    if is_condition(term) and coefficient == -1 and constant == 1:
        return negation(term)
    if isinstance(term, Lookup):
        return lookup(term.argument, [None if t is None else coefficient * t + constant for t in term.table])
    pairs = ((coefficient, term),)
    return _make(Add, _sum_values(pairs, constant), pairs, constant)  # type: ignore[no-any-return]


def _sum_values(pairs: Sequence[tuple[int, Term]], constant: int) -> Values:
    ends = [sorted((c * t.values[0], c * t.values[-1])) for c, t in pairs]
    low, high = constant + sum(e[0] for e in ends), constant + sum(e[1] for e in ends)
    if all(abs(c) == 1 and t.values[-1] - t.values[0] == len(t.values) - 1 for c, t in pairs):
        return _span(range(low, high + 1)) if high - low < FEW_VALUES else range(low, high + 1)
    exact: Collection[int] = range(constant, constant + 1)
    for coefficient, term in pairs:
        if len(exact) * len(term.values) > FEW_VALUES:
            break
        exact = _sums(exact, coefficient, term.values)
    else:
        return _span(exact)
    return range(low, high + 1)


def _sums(numbers: Collection[int], coefficient: int, values: Values) -> Collection[int]:
    """Every number with every multiple; an interval with steps no longer than it is is an interval."""
    gapless = values[-1] - values[0] == len(values) - 1
    if isinstance(numbers, range) and gapless and abs(coefficient) <= len(numbers):
        low, high = sorted((coefficient * values[0], coefficient * values[-1]))
        return range(numbers[0] + low, numbers[-1] + high + 1)
    return {number + coefficient * value for number in numbers for value in values}


def multiply(left: Term, right: Term) -> Term:
    if isinstance(right, Const) or len(right.values) < len(left.values) and not isinstance(left, Const):
        left, right = right, left
    if isinstance(left, Const):
        return add([(left.value, right)])
    return select(left, [add([(value, right)]) for value in left.values])


def _unary(term: Term, function: Callable[[int], int], kind: Callable[..., Term], divisor: int) -> Term:
    if len(term.values) <= FEW_VALUES and not isinstance(term, Add):
        return (
            lookup(term, [function(value) for value in term.values])
            if len(term.values) > 1
            else const(function(term.values[0]))
        )
    low, high = term.values[0], term.values[-1]
    if len(term.values) <= FEW_VALUES:
        values = _span(function(value) for value in term.values)
    else:
        values = range(function(low), function(high) + 1) if kind is FloorDivide else range(divisor)
    return const(values[0]) if len(values) == 1 else _make(kind, values, term, divisor)


def floor_divide(term: Term, divisor: int) -> Term:
    return _unary(term, lambda value: value // divisor, FloorDivide, divisor)


def modulo(term: Term, divisor: int) -> Term:
    if term.values[0] >= 0 and term.values[-1] < divisor:
        return term
    return _unary(term, lambda value: value % divisor, Modulo, divisor)


def minimum(terms: Iterable[Term]) -> Term:
    arguments = list(dict.fromkeys(terms))
    bound = min(term.values[-1] for term in arguments)
    kept = [t for t in arguments if t.values[0] < bound or (t.values[0] == bound == t.values[-1])] or arguments[:1]
    kept = list(dict.fromkeys(kept))
    if len(kept) == 1:
        return kept[0]
    lowest = min(t.values[0] for t in kept)
    values = _union(_cut(t.values, lowest, bound) for t in kept)
    return const(lowest) if len(values) == 1 else _make(Minimum, values, tuple(kept))


def maximum(terms: Iterable[Term]) -> Term:
    arguments = list(dict.fromkeys(terms))
    bound = max(term.values[0] for term in arguments)
    kept = [t for t in arguments if t.values[-1] > bound or (t.values[0] == bound == t.values[-1])] or arguments[:1]
    kept = list(dict.fromkeys(kept))
    if len(kept) == 1:
        return kept[0]
    values = _union(_cut(t.values, bound, max(t.values[-1] for t in kept)) for t in kept)
    return const(values[0]) if len(values) == 1 else _make(Maximum, values, tuple(kept))


def member(argument: Term, members: Iterable[int]) -> Term:
    """Is `argument` one of `members`?"""
    inside = _common(argument.values, members)
    if not inside:
        return FALSE
    if len(inside) == len(argument.values):
        return TRUE
    if is_condition(argument):
        return argument if inside[0] == 1 else negation(argument)
    if isinstance(argument, Lookup):
        allowed = set(inside)
        pairs = zip(argument.argument.values, argument.table, strict=True)
        return member(argument.argument, [v for v, t in pairs if t in allowed])
    if isinstance(argument, Cases):
        return _map_cases(argument, lambda value: member(value, inside))
    if isinstance(argument, Select):
        return select(argument.argument, [None if b is None else member(b, inside) for b in argument.branches])
    return _make(Member, BITS, argument, inside)  # type: ignore[no-any-return]


def _common(values: Values, members: Iterable[int]) -> Values:
    """The members that are values, exactly; never walks through a large interval."""
    if isinstance(members, range) and isinstance(values, range):
        cut = _cut(values, members.start, members.stop - 1)
        return cut if cut and cut[-1] - cut[0] > 1 else tuple(cut)  # few are no interval, as below
    if isinstance(members, range):
        inside = [value for value in values if value in members]
    elif isinstance(values, range):
        inside = sorted({value for value in members if value in values})
    elif len(values) <= FEW_VALUES:
        wanted = set(members)
        inside = [value for value in values if value in wanted]
    else:
        inside = sorted({value for value in members if value in values})
    if len(inside) > 2 and inside[-1] - inside[0] == len(inside) - 1:
        return range(inside[0], inside[-1] + 1)
    return tuple(inside)


def compare(comparison: Comparison, left: Term, right: Term) -> Term:
    if isinstance(left, Const):
        return _compare_const(comparison, right, left.value, flipped=True)
    if isinstance(right, Const):
        return _compare_const(comparison, left, right.value, flipped=False)
    if left is right:
        return const(comparison in ("==", "<="))
    known = _known(comparison, left.values, right.values)
    if known is not None:
        return const(known)
    if comparison in ("==", "!=") and isinstance(left, Var) and isinstance(right, Var):
        left, right = sorted((left, right), key=lambda leaf: (leaf.stage, leaf.index))
    return _make(Compare, BITS, comparison, left, right)  # type: ignore[no-any-return]


def _known(comparison: Comparison, left: Values, right: Values) -> bool | None:
    """The answer where the value sets alone decide."""
    if comparison in ("==", "!="):
        apart = left[-1] < right[0] or right[-1] < left[0] or not _common(left, right)
        return (comparison == "!=") if apart else None
    strict = comparison == "<"
    if left[-1] < right[0] or (not strict and left[-1] == right[0]):
        return True
    if left[0] > right[-1] or (strict and left[0] == right[-1]):
        return False
    return None


def _compare_const(comparison: Comparison, term: Term, value: int, *, flipped: bool) -> Term:
    values = term.values
    if comparison == "==":
        return member(term, (value,))
    if comparison == "!=":
        return negation(member(term, (value,)))
    if flipped:
        first = value + 1 if comparison == "<" else value
        return member(term, range(first, max(first, values[-1]) + 1))
    last = value - 1 if comparison == "<" else value
    return member(term, range(min(values[0], last), last + 1))


_NEGATED: dict[Comparison, Comparison] = {"==": "!=", "!=": "=="}


def negation(term: Term) -> Term:
    """What holds where the condition does not; parts come before wholes, without recursion."""
    try:
        return term.opposite
    except AttributeError:
        stack = [term]
    while stack:
        part = stack[-1]
        parts = part.arguments if isinstance(part, And | Or) else ()
        waiting = [each for each in parts if not hasattr(each, "opposite")]
        if waiting:
            stack += waiting
            continue
        object.__setattr__(part, "opposite", _negation(part))
        stack.pop()
    return term.opposite


def _negation(term: Term) -> Term:
    match term:
        case Const(value=value):
            return const(1 - value)
        case Not(argument=argument):
            return argument
        case Member(argument=argument, members=members) if len(argument.values) <= FEW_VALUES:
            inside = members if isinstance(members, range) else set(members)
            return member(argument, [value for value in argument.values if value not in inside])
        case Compare(comparison="<", left=left, right=right):
            return compare("<=", right, left)
        case Compare(comparison="<=", left=left, right=right):
            return compare("<", right, left)
        case Compare(comparison=comparison, left=left, right=right):
            return compare(_NEGATED[comparison], left, right)
        case And(arguments=arguments):
            return disjunction(negation(argument) for argument in arguments)
        case Or(arguments=arguments):
            return conjunction(negation(argument) for argument in arguments)
        case Lookup():
            return member(term, (0,))
    return _make(Not, BITS, term)  # type: ignore[no-any-return]


def conjunction(terms: Iterable[Term]) -> Term:
    return _junction(terms, And, TRUE, FALSE)


def disjunction(terms: Iterable[Term]) -> Term:
    return _junction(terms, Or, FALSE, TRUE)


def _junction(terms: Iterable[Term], kind: type[And] | type[Or], neutral: Term, absorbing: Term) -> Term:
    flat: dict[Term, None] = {}
    for term in terms:
        if term is absorbing:
            return absorbing
        if isinstance(term, kind):
            flat |= dict.fromkeys(term.arguments)
        elif term is not neutral:
            flat[term] = None
    if len(flat) <= 1:
        return next(iter(flat), neutral)
    kinds = {type(part) for part in flat}
    if Member in kinds and _several_of_one(flat):
        flat = _merge_members(list(flat), kind)
        if absorbing in flat:
            return absorbing
    if Not in kinds and any(isinstance(t, Not) and t.argument in flat for t in flat):
        return absorbing
    if len(flat) <= 1:
        return next(iter(flat), neutral)
    return _make(kind, BITS, tuple(flat))  # type: ignore[no-any-return]


def _several_of_one(terms: Iterable[Term]) -> bool:
    """Are there two memberships of one term? Mostly not, and then there is no more to do."""
    arguments = [term.argument for term in terms if type(term) is Member]
    return len(set(arguments)) < len(arguments)


def _merge_members(terms: list[Term], kind: type[And] | type[Or]) -> dict[Term, None]:
    """Memberships of one term joined into one, at the place of the first."""
    groups: dict[Term, list[Values]] = {}
    for term in terms:
        if isinstance(term, Member) and len(term.argument.values) <= FEW_VALUES:
            groups.setdefault(term.argument, []).append(term.members)
    merged: dict[Term, None] = {}
    for term in terms:
        if not isinstance(term, Member) or term.argument not in groups or len(groups[term.argument]) == 1:
            merged[term] = None
        elif sets := [set(values) for values in groups[term.argument]]:
            joined = set.intersection(*sets) if kind is And else set.union(*sets)
            merged[member(term.argument, joined)] = None
            groups[term.argument] = []  # the others are in it
    return {t: None for t in merged if t is not (TRUE if kind is And else FALSE)}


def conjuncts(condition: Term) -> tuple[Term, ...]:
    """The parts that hold together where `condition` holds."""
    if condition is TRUE:
        return ()
    return condition.arguments if isinstance(condition, And) else (condition,)


def nested(condition: Term) -> tuple[Term, ...]:
    """The conditions that a condition is put together of by and, or, not; of these alone it may be very tall."""
    match condition:
        case And(arguments=arguments) | Or(arguments=arguments):
            return arguments
        case Not(argument=argument):
            return (argument,)
    return ()


def alternatives(condition: Term) -> tuple[Term, ...]:
    """The parts of which one holds where `condition` holds."""
    if condition is FALSE:
        return ()
    return condition.arguments if isinstance(condition, Or) else (condition,)


def children(term: Term) -> tuple[Term, ...]:
    """The direct parts of a term, in reading order."""
    return _PARTS[type(term)](term)


_PARTS: dict[type[Term], Callable[[Any], tuple[Term, ...]]] = {  # by a look-up, since nothing is asked as often
    Const: lambda term: (),
    Var: lambda term: (),
    Choice: lambda term: (),
    Lookup: lambda term: (term.argument,),
    Member: lambda term: (term.argument,),
    Not: lambda term: (term.argument,),
    FloorDivide: lambda term: (term.argument,),
    Modulo: lambda term: (term.argument,),
    Select: lambda term: (term.argument, *(branch for branch in term.branches if branch is not None)),
    Cases: lambda term: (*(part for pair in term.cases for part in pair), term.otherwise),
    Add: lambda term: tuple([part for _, part in term.terms]),
    Minimum: lambda term: term.arguments,
    Maximum: lambda term: term.arguments,
    And: lambda term: term.arguments,
    Or: lambda term: term.arguments,
    Compare: lambda term: (term.left, term.right),
}


FEW_LEAVES = 32


def few_leaves(term: Term) -> tuple[Var | Choice, ...] | None:
    """The variables and choices that a term reads, in reading order; None where there are more than a few.

    Worked out once for each term, parts before wholes.
    """
    try:
        return term.few
    except AttributeError:
        for part in parts_first(term, _FEW_KNOWN):
            object.__setattr__(part, "few", _few_of(part))
        return term.few


def _few_of(term: Term) -> tuple[Var | Choice, ...] | None:
    if isinstance(term, Var | Choice):
        return (term,)
    found: dict[Var | Choice, None] = {}
    for part in children(term):
        if part.few is None:
            return None
        found.update(dict.fromkeys(part.few))
        if len(found) > FEW_LEAVES:
            return None
    return tuple(found)


class _FewKnown:
    """The terms whose few leaves are known."""

    def __contains__(self, term: object) -> bool:
        return hasattr(term, "few")


_FEW_KNOWN = _FewKnown()


def leaves(*roots: Term) -> list[Var | Choice]:
    """The variables and choices that the terms read, each once, in reading order."""
    found: dict[Var | Choice, None] = {}
    seen: set[Term] = set()
    stack = list(reversed(roots))
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        if isinstance(term, Var | Choice):
            found[term] = None
        stack.extend(reversed(children(term)))
    return list(found)


def value_in(term: Term, state: Sequence[int], choices: Mapping[int, int] | None = None) -> int:
    """The term's value in a state (a number for each variable, as in `models.task`); choices not given are 0."""
    values: dict[Term, Term] = {}
    for leaf in leaves(term):
        values[leaf] = const(state[leaf.index] if isinstance(leaf, Var) else (choices or {}).get(leaf.index, 0))
    return substitute(term, values).values[0]


def parts_first(
    term: Term, known: Container[Term], parts: Callable[[Term], Iterable[Term]] = children
) -> Iterator[Term]:
    """The parts of a term that are not `known`, each behind its own `parts`, which the caller makes known.

    That is the order in which a recursive function would finish them, without recursion.
    """
    stack = [term]
    while stack:
        part = stack[-1]
        waiting = [] if part in known else [inner for inner in parts(part) if inner not in known]
        if waiting:
            stack += reversed(waiting)
            continue
        stack.pop()
        if part not in known:
            yield part


DEEP = 50  # levels of a term that recursion walks through


def substitute(term: Term, values: Mapping[Term, Term], memo: dict[Term, Term] | None = None) -> Term:
    """`term` with every leaf in `values` replaced; share `memo` between calls with the same `values`."""
    return _substituted(term, values, {} if memo is None else memo, DEEP)


def _substituted(term: Term, values: Mapping[Term, Term], memo: dict[Term, Term], levels: int) -> Term:
    """By recursion, which leaves out what is not needed any more; so many levels down, all parts one by one."""
    if term in memo:
        return memo[term]
    if term in values:
        memo[term] = values[term]
    elif levels:
        memo[term] = _rebuild(term, lambda part: _substituted(part, values, memo, levels - 1))
    else:
        for part in parts_first(term, memo):
            memo[part] = values[part] if part in values else _rebuild(part, memo.__getitem__)
    return memo[term]


def _pick(old: Term, new: Term, parts: Sequence[Any]) -> list[Any]:
    """`parts`, parallel to `old.values`, made parallel to `new.values`."""
    place = dict(zip(old.values, parts, strict=True))
    return [place.get(value) for value in new.values]


def _rebuild(term: Term, change: Callable[[Term], Term]) -> Term:
    match term:
        case Lookup(argument=argument, table=table):
            new = change(argument)
            return lookup(new, _pick(argument, new, table))
        case Select(argument=argument, branches=branches):
            new = change(argument)
            return select(new, [None if b is None else change(b) for b in _pick(argument, new, branches)])
        case Cases(cases=pairs, otherwise=otherwise):
            return cases([(change(c), change(v)) for c, v in pairs], change(otherwise))
        case Add(terms=terms, constant=constant):
            return add([(c, change(t)) for c, t in terms], constant)
        case FloorDivide(argument=argument, divisor=divisor):
            return floor_divide(change(argument), divisor)
        case Modulo(argument=argument, divisor=divisor):
            return modulo(change(argument), divisor)
        case Minimum(arguments=arguments):
            return minimum(change(a) for a in arguments)
        case Maximum(arguments=arguments):
            return maximum(change(a) for a in arguments)
        case Member(argument=argument, members=members):
            return member(change(argument), members)
        case Compare(comparison=comparison, left=left, right=right):
            return compare(comparison, change(left), change(right))
        case And(arguments=arguments):
            return conjunction(change(a) for a in arguments)
        case Or(arguments=arguments):
            return disjunction(change(a) for a in arguments)
        case Not(argument=argument):
            return negation(change(argument))
    return term
