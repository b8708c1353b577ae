"""What must hold becomes clauses, without auxiliary literals where its shape allows it.

Plaisted and Greenbaum (A structure-preserving clause form translation, 1986): a condition that is only ever asserted is
taken apart from the outside, and only what is left inside a disjunction is lowered to a literal.
"""

from __future__ import annotations

from collections.abc import Sequence

from encoders import sums
from encoders.formula import FALSE, TRUE, Formula, ValueLiterals
from encoders.lowering import Lowering
from models import terms
from models.terms import Term, Values

Unless = tuple[int, ...]
DEEP = 50  # levels of a condition that are taken apart


def require(layer: Lowering, unless: Unless, condition: Term, levels: int = DEEP) -> None:
    """`condition` holds, or one of the literals `unless` does; so many `levels` down, parts get a literal."""
    clause = layer.formula.clause
    known = layer.known(condition)
    if known is not None or not levels:
        return clause((*unless, layer.literal(condition)))
    match condition:
        case terms.And(arguments=arguments):
            for argument in arguments:
                require(layer, unless, argument, levels - 1)
        case terms.Or(arguments=arguments):
            _require_one(layer, unless, arguments, levels)
        case terms.Member() | terms.Compare() if sums.has_large_sum(condition):
            pairs, ranges = sums.sum_in(condition)
            layer.formula.linear([~each for each in unless], layer.weighted(pairs), ranges)
        case terms.Member(argument=argument, members=members):
            _require_member(layer, unless, argument, members)
        case terms.Compare(comparison=comparison, left=left, right=right):
            _require_compare(layer.formula, unless, comparison, layer.cases(left), layer.cases(right))
        case terms.Select() | terms.Cases():
            branches = layer.branches(condition)
            clause((*unless, *(s for s, _ in branches)))
            for selector, branch in branches:
                require(layer, (*unless, ~selector), branch, levels - 1)
        case _:
            clause((*unless, layer.literal(condition)))


def _require_one(layer: Lowering, unless: Unless, arguments: Sequence[Term], levels: int) -> None:
    """A disjunction: one argument of a complex shape is taken apart, the others become literals."""
    complex_ = [a for a in arguments if not _is_simple(layer, a)]
    rest = [a for a in arguments if not complex_ or a is not complex_[-1]]
    prefix = (*unless, *(each for argument in rest for each in _disjuncts(layer, argument)))
    if not complex_:
        layer.formula.clause(prefix)
    elif TRUE not in prefix:
        require(layer, prefix, complex_[-1], levels - 1)


def _is_simple(layer: Lowering, condition: Term) -> bool:
    simple = isinstance(condition, terms.Var | terms.Choice | terms.Not | terms.Member | terms.Const)
    return simple or layer.known(condition) is not None


def _disjuncts(layer: Lowering, condition: Term) -> list[int]:
    """Literals one of which holds exactly if the condition does."""
    if layer.known(condition) is not None or not isinstance(condition, terms.Member) or sums.has_large_sum(condition):
        return [layer.literal(condition)]
    inside, outside = _parted(layer.cases(condition.argument), condition.members)
    return [~outside[0]] if _is_complete(condition.argument) and len(outside) == 1 else inside


def _require_member(layer: Lowering, unless: Unless, argument: Term, members: Values) -> None:
    inside, outside = _parted(layer.cases(argument), members)
    if _is_complete(argument) and len(outside) <= 3 and len(outside) <= len(inside):
        for each in outside:
            layer.formula.clause((*unless, ~each))
    else:
        layer.formula.clause((*unless, *inside))


def _parted(cases: ValueLiterals, members: Values) -> tuple[list[int], list[int]]:
    """The literals of the values that are members, and of those that are not."""
    wanted = members if isinstance(members, range) else set(members)
    inside = [each for value, each in cases.items() if value in wanted]
    return inside, [each for value, each in cases.items() if value not in wanted]


def _is_complete(argument: Term) -> bool:
    """Does exactly one of the argument's value literals always hold? (An undefined look-up has none.)"""
    return isinstance(argument, terms.Var | terms.Choice)


def _require_compare(
    formula: Formula, unless: Unless, comparison: terms.Comparison, left: ValueLiterals, right: ValueLiterals
) -> None:
    clause = formula.clause
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
