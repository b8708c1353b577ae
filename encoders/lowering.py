"""Terms at one layer become literals of a formula.

A term becomes its *cases*, a dictionary from each possible value to the literal that says "the term has this value"; a
condition becomes one literal. Both are made once for a term and a layer. A value that depends on a one-hot index is a
multiplexer: index = i -> (value = d <-> branch i = d).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from encoders import sums
from encoders.formula import FALSE, TRUE, Formula, ValueLiterals
from models import terms
from models.outcomes import Unsupported
from models.terms import Term

MOST_CASES = 100_000  # pairs of a partial sum and a value of the next summand: some seconds


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
        if condition not in self._literals:
            for part in terms.parts_first(condition, self._literals, terms.nested):
                self._literals[part] = self._make_literal(part)
        return self._literals[condition]

    def known(self, condition: Term) -> int | None:
        """The literal of a condition, if it has one already."""
        return self._literals.get(condition)

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
            case terms.Member() | terms.Compare() if sums.has_large_sum(term):
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
                return f.choose([(s, self.literal(branch)) for s, branch in self.branches(term)])
        return self.cases(term).get(1, FALSE)

    def _member_literal(self, argument: Term, members: Iterable[int]) -> int:
        cases, wanted = self.cases(argument), members if isinstance(members, range) else set(members)
        inside = [each for value, each in cases.items() if value in wanted]
        if isinstance(argument, terms.Var | terms.Choice) and 2 * len(inside) > len(cases):
            return ~self.formula.any_of([each for value, each in cases.items() if value not in wanted])
        return self.formula.any_of(inside)

    def _linear_literal(self, term: terms.Member | terms.Compare) -> int:
        made = self.formula.fresh()
        pairs, ranges = sums.sum_in(term)
        weighted = self.weighted(pairs)
        self.formula.linear((made,), weighted, ranges)
        self.formula.linear((~made,), weighted, sums.complement(ranges))
        return made

    def weighted(self, pairs: Iterable[tuple[int, Term]]) -> list[tuple[int, int]]:
        """The sum of coefficient * term over value literals; what depends on one variable needs none of its own."""
        return [(c * v, each) for c, part in pairs for v, each in self._parts(part) if v]

    def _parts(self, term: Term) -> Iterable[tuple[int, int]]:
        """(value, literal) pairs that add up to the term."""
        if not isinstance(term, terms.Lookup) or not isinstance(term.argument, terms.Var | terms.Choice):
            return self.cases(term).items()
        results = dict(zip(term.argument.values, term.table, strict=True))
        return [(v, each) for old, each in self.cases(term.argument).items() if (v := results[old]) is not None]

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
                return self._gathered([(s, self.cases(branch)) for s, branch in self.branches(term)])
            case terms.Add(terms=pairs, constant=constant):
                return self._summed(pairs, constant)
            case terms.Minimum(arguments=arguments):
                return self._folded(arguments, min)
            case terms.Maximum(arguments=arguments):
                return self._folded(arguments, max)
        literal = self.literal(term)
        return {0: ~literal, 1: literal}

    def branches(self, term: terms.Select | terms.Cases) -> list[tuple[int, Term]]:
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
            if len(partial) * len(part) > MOST_CASES:
                raise Unsupported("a sum has too many values to be told apart by literals")
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
