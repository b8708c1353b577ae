"""Terms at one layer become literals of a propositional formula.

A literal is an int: n >= 0 is Boolean variable n, ~n its negation; variable 0 is true, so nothing constant is ever
written down. A term becomes its *cases*, a dictionary from each possible value to the literal that says "the term has
this value"; a condition becomes one literal. Definitions go in both directions (Tseitin 1968), so that a plan fixes
every auxiliary literal, and are shared: by term within a layer, and by the literals they are made of everywhere. What
must hold (`Lowering.require`) is taken apart into clauses without auxiliary literals where its shape allows it
(Plaisted and Greenbaum 1986). A value that depends on a one-hot index is a multiplexer: index = i -> (value = d <->
branch i = d). Large sums stay linear constraints over value literals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from models import terms
from models.terms import Term

TRUE, FALSE = 0, -1
Literals = Sequence[int]
ValueLiterals = Mapping[int, int]  # value -> the literal that says so; a missing value is impossible

Intervals = tuple[tuple[int, int], ...]

UNBOUNDED = 1 << 40
LARGE_SUM = 256  # partial sums times values above which a sum becomes a linear constraint


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

    def linear(self, enforced: Iterable[int], weighted: Iterable[tuple[int, int]], intervals: Intervals) -> None:
        """Where all of `enforced` hold, the sum of coefficient * literal lies in one of the intervals."""
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
        shifted = tuple((low - constant, high - constant) for low, high in intervals)
        condition = tuple(each for each in enforced if each != TRUE)
        if FALSE in condition:
            return
        if not kept:
            if not any(low <= 0 <= high for low, high in shifted):
                self.clause([~each for each in condition])
            return
        self.linears.append(Linear(condition, tuple(kept.values()), tuple(kept), shifted))


class Lowering:
    """What terms mean at one layer: `stages[k][i]` are the value literals of variable i as phase k finds it."""

    def __init__(
        self, formula: Formula, stages: list[list[ValueLiterals]], choices: Sequence[ValueLiterals] = ()
    ) -> None:
        self.formula = formula
        self.stages = stages
        self.choices = choices
        self._literals: dict[Term, int] = {terms.TRUE: TRUE, terms.FALSE: FALSE}
        self._cases: dict[Term, ValueLiterals] = {}

    def literal(self, condition: Term) -> int:
        """The literal of a condition."""
        found = self._literals.get(condition)
        if found is None:
            found = self._literals[condition] = self._make_literal(condition)
        return found

    def cases(self, term: Term) -> ValueLiterals:
        """The literal of every value that the term can have here."""
        found = self._cases.get(term)
        if found is None:
            made = self._make_cases(term)
            found = self._cases[term] = {value: literal for value, literal in made.items() if literal != FALSE}
        return found

    def _make_literal(self, term: Term) -> int:
        f = self.formula
        match term:
            case terms.Not(argument=argument):
                return ~self.literal(argument)
            case terms.And(arguments=arguments):
                return f.all_of(map(self.literal, arguments))
            case terms.Or(arguments=arguments):
                return f.any_of(map(self.literal, arguments))
            case terms.Compare(comparison="!=", left=left, right=right):
                return ~self.literal(terms.compare("==", left, right))
            case terms.Compare(comparison="<=", left=left, right=right):
                return ~self.literal(terms.compare("<", right, left))
            case terms.Member() | terms.Compare() if _has_large_sum(term):
                return self._linear_literal(term)
            case terms.Member(argument=argument, members=members):
                return self._member_literal(argument, members)
            case terms.Compare(comparison=comparison, left=left, right=right):
                others = self.cases(right)
                pairs = self.cases(left).items()
                if comparison == "==":
                    return f.choose([(a, others.get(value, FALSE)) for value, a in pairs])
                return f.choose([(a, f.any_of(b for w, b in others.items() if w > value)) for value, a in pairs])
            case terms.Select() | terms.Cases():
                return f.choose([(s, self.literal(branch)) for s, branch in self._branches(term)])
        return self.cases(term).get(1, FALSE)

    def _member_literal(self, argument: Term, members: Iterable[int]) -> int:
        cases, wanted = self.cases(argument), set(members)
        inside = [each for value, each in cases.items() if value in wanted]
        if isinstance(argument, terms.Var | terms.Choice) and 2 * len(inside) > len(cases):
            return ~self.formula.any_of([each for value, each in cases.items() if value not in wanted])
        return self.formula.any_of(inside)

    def _linear_literal(self, term: terms.Member | terms.Compare) -> int:
        made = self.formula.fresh()
        pairs, intervals = _sum_in(term)
        weighted = self._weighted(pairs)
        self.formula.linear((made,), weighted, intervals)
        self.formula.linear((~made,), weighted, _complement(intervals))
        return made

    def _weighted(self, pairs: Iterable[tuple[int, Term]]) -> list[tuple[int, int]]:
        return [(c * v, each) for c, part in pairs for v, each in self.cases(part).items() if v]

    def _make_cases(self, term: Term) -> Mapping[int, int]:
        match term:
            case terms.Const(value=value):
                return {value: TRUE}
            case terms.Var(index=index, stage=stage):
                return self.stages[stage][index]
            case terms.Choice(index=index):
                return self.choices[index]
            case terms.Lookup(argument=argument, table=table):
                return self._mapped(argument, dict(zip(argument.values, table, strict=True)))
            case terms.FloorDivide(argument=argument, divisor=divisor):
                return self._mapped(argument, {value: value // divisor for value in self.cases(argument)})
            case terms.Modulo(argument=argument, divisor=divisor):
                return self._mapped(argument, {value: value % divisor for value in self.cases(argument)})
            case terms.Select() | terms.Cases():
                return self._gathered([(s, self.cases(branch)) for s, branch in self._branches(term)])
            case terms.Add(terms=pairs, constant=constant):
                return self._summed(pairs, constant)
            case terms.Minimum(arguments=arguments):
                return self._folded(arguments, min)
            case terms.Maximum(arguments=arguments):
                return self._folded(arguments, max)
        literal = self.literal(term)
        return {0: ~literal, 1: literal}

    def _branches(self, term: terms.Select | terms.Cases) -> list[tuple[int, Term]]:
        """(selector, branch) for every branch that can be chosen; undefined branches are left out."""
        if isinstance(term, terms.Select):
            chosen = self.cases(term.argument)
            pairs = zip(term.argument.values, term.branches, strict=True)
            return [(chosen[value], branch) for value, branch in pairs if branch is not None and value in chosen]
        made, none = [], TRUE
        for condition, value in term.cases:
            holds = self.literal(condition)
            made.append((self.formula.all_of((none, holds)), value))
            none = self.formula.all_of((none, ~holds))
        return [(s, branch) for s, branch in [*made, (none, term.otherwise)] if s != FALSE]

    def _mapped(self, argument: Term, image: Mapping[int, int | None]) -> dict[int, int]:
        sources: dict[int, list[int]] = {}
        for value, literal in self.cases(argument).items():
            result = image[value]
            if result is not None:
                sources.setdefault(result, []).append(literal)
        return {result: self.formula.any_of(literals) for result, literals in sources.items()}

    def _gathered(self, branches: Sequence[tuple[int, ValueLiterals]]) -> dict[int, int]:
        pairs: dict[int, list[tuple[int, int]]] = {}
        for selector, cases in branches:
            for value, literal in cases.items():
                pairs.setdefault(value, []).append((selector, literal))
        return {value: self.formula.choose(pairs[value]) for value in sorted(pairs)}

    def _summed(self, pairs: Iterable[tuple[int, Term]], constant: int) -> dict[int, int]:
        """Add one term at a time, merging equal partial sums."""
        partial = {constant: TRUE}
        for coefficient, term in pairs:
            part = {coefficient * value: literal for value, literal in self.cases(term).items()}
            partial = self._gathered([(s, {p + v: x for v, x in part.items()}) for p, s in partial.items()])
        return partial

    def _folded(self, arguments: Sequence[Term], pick: Callable[[int, int], int]) -> dict[int, int]:
        result = dict(self.cases(arguments[0]))
        for term in arguments[1:]:
            part = self.cases(term)
            branches = [(s, self._grouped((pick(value, v), x) for v, x in part.items())) for value, s in result.items()]
            result = self._gathered(branches)
        return result

    def _grouped(self, pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
        sources: dict[int, list[int]] = {}
        for value, literal in pairs:
            sources.setdefault(value, []).append(literal)
        return {value: self.formula.any_of(literals) for value, literals in sources.items()}

    def require(self, unless: tuple[int, ...], condition: Term) -> None:
        """`condition` holds, or one of the literals `unless` does."""
        clause = self.formula.clause
        if condition in self._literals:
            return clause((*unless, self._literals[condition]))
        match condition:
            case terms.And(arguments=arguments):
                for argument in arguments:
                    self.require(unless, argument)
            case terms.Or(arguments=arguments):
                self._require_one(unless, arguments)
            case terms.Member() | terms.Compare() if _has_large_sum(condition):
                pairs, intervals = _sum_in(condition)
                self.formula.linear([~each for each in unless], self._weighted(pairs), intervals)
            case terms.Member(argument=argument, members=members):
                self._require_member(unless, argument, members)
            case terms.Compare(comparison=comparison, left=left, right=right):
                self._require_compare(unless, comparison, self.cases(left), self.cases(right))
            case terms.Select() | terms.Cases():
                branches = self._branches(condition)
                clause((*unless, *(s for s, _ in branches)))
                for selector, branch in branches:
                    self.require((*unless, ~selector), branch)
            case _:
                clause((*unless, self.literal(condition)))

    def _require_one(self, unless: tuple[int, ...], arguments: Sequence[Term]) -> None:
        """A disjunction: one argument of a complex shape is taken apart, the others become literals."""
        complex_ = [a for a in arguments if not self._is_simple(a)]
        rest = [a for a in arguments if not complex_ or a is not complex_[-1]]
        prefix = (*unless, *(each for argument in rest for each in self._disjuncts(argument)))
        if not complex_:
            self.formula.clause(prefix)
        elif TRUE not in prefix:
            self.require(prefix, complex_[-1])

    def _is_simple(self, condition: Term) -> bool:
        return condition in self._literals or isinstance(
            condition, terms.Var | terms.Choice | terms.Not | terms.Member | terms.Const
        )

    def _disjuncts(self, condition: Term) -> list[int]:
        """Literals one of which holds exactly if the condition does."""
        if condition in self._literals or not isinstance(condition, terms.Member) or _has_large_sum(condition):
            return [self.literal(condition)]
        cases, wanted = self.cases(condition.argument), set(condition.members)
        inside = [each for value, each in cases.items() if value in wanted]
        outside = [each for value, each in cases.items() if value not in wanted]
        complete = isinstance(condition.argument, terms.Var | terms.Choice)
        return [~outside[0]] if complete and len(outside) == 1 else inside

    def _require_member(self, unless: tuple[int, ...], argument: Term, members: Iterable[int]) -> None:
        cases, wanted = self.cases(argument), set(members)
        outside = [each for value, each in cases.items() if value not in wanted]
        complete = isinstance(argument, terms.Var | terms.Choice)
        if complete and len(outside) <= 3 and 2 * len(outside) <= len(cases):
            for each in outside:
                self.formula.clause((*unless, ~each))
        else:
            self.formula.clause((*unless, *(each for value, each in cases.items() if value in wanted)))

    def _require_compare(
        self, unless: tuple[int, ...], comparison: terms.Comparison, left: ValueLiterals, right: ValueLiterals
    ) -> None:
        clause = self.formula.clause
        if comparison == "!=":
            for value in left.keys() & right.keys():
                clause((*unless, ~left[value], ~right[value]))
        elif comparison == "==":
            for value in left.keys() | right.keys():
                clause((*unless, ~left.get(value, FALSE), right.get(value, FALSE)))
                clause((*unless, ~right.get(value, FALSE), left.get(value, FALSE)))
        else:
            gap = 1 if comparison == "<" else 0
            for value, literal in left.items():
                clause((*unless, ~literal, *(b for w, b in right.items() if w >= value + gap)))
            for value, literal in right.items():
                clause((*unless, ~literal, *(a for w, a in left.items() if w <= value - gap)))


def _has_large_sum(condition: terms.Member | terms.Compare) -> bool:
    if isinstance(condition, terms.Member):
        return _is_large(condition.argument)
    return _is_large(condition.left) or _is_large(condition.right)


def _sum_in(condition: terms.Member | terms.Compare) -> tuple[Sequence[tuple[int, Term]], Intervals]:
    """A condition on a sum: the sum's terms, and the intervals in which these may add up."""
    if isinstance(condition, terms.Member):
        total, wanted = condition.argument, _runs(condition)
    else:
        total = terms.add([(1, condition.left), (-1, condition.right)])
        wanted = {
            "==": ((0, 0),),
            "!=": ((-UNBOUNDED, -1), (1, UNBOUNDED)),
            "<": ((-UNBOUNDED, -1),),
            "<=": ((-UNBOUNDED, 0),),
        }[condition.comparison]
    if not isinstance(total, terms.Add):
        return ((1, total),), wanted
    return total.terms, tuple((low - total.constant, high - total.constant) for low, high in wanted)


def _complement(intervals: Intervals) -> Intervals:
    starts = [-UNBOUNDED, *(high + 1 for _, high in intervals)]
    ends = [*(low - 1 for low, _ in intervals), UNBOUNDED]
    return tuple((low, high) for low, high in zip(starts, ends, strict=True) if low <= high)


def _is_large(term: Term) -> bool:
    if not isinstance(term, terms.Add):
        return False
    sums = work = 1
    for _, part in term.terms:
        work += sums * len(part.values)
        sums = min(sums * len(part.values), len(term.values))
    return work > LARGE_SUM


def _runs(condition: terms.Member) -> Intervals:
    """The members as intervals that hold no other value of the argument."""
    wanted = condition.members if isinstance(condition.members, range) else set(condition.members)
    runs: list[tuple[int, int]] = []
    joined = False
    for value in condition.argument.values:
        if value in wanted:
            runs[len(runs) - joined :] = [(runs[-1][0] if joined else value, value)]
        joined = value in wanted
    return tuple(runs)
