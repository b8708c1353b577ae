"""Conditions taken apart: the conjuncts that an author wrote, each with its place, and the instances of `all(...)`.

A part is a condition like any other. To learn when parts hold, they are made *probes*: actions without effects whose
`when` is the part. Grounding such a puzzle gives one schema for each, with a guard over the variables of the task.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from models import expressions as e
from models.errors import Location, source_lines
from models.frozen import frozen
from models.grounding import ground
from models.outcomes import Deadline
from models.puzzle import Action, Condition, Puzzle
from models.task import Task, Value, Variable
from models.terms import FEW_VALUES, TRUE, Term, Var, const, leaves, substitute
from models.values import Offset, show

MOST_INSTANCES = 1000  # of one `all(...)`; one with more stays whole
FEW_WORDS = 4  # values that a text lists
Bound = tuple[tuple[str, Value], ...]  # names of loops with their values


@frozen()
class Part:
    """A conjunct in the author's words, for certain values of the names that its `all(...)` loops over."""

    condition: Condition
    bound: Bound = ()
    share: str = ""  # which one it is of several that these words and values stand for

    @property
    def values(self) -> str:
        """c = [2, 2]."""
        return ", ".join(f"{name} = {show(value)}" for name, value in self.bound)

    @property
    def words(self) -> str:
        """`at[c] == wanted(c)` for c = [2, 2]."""
        return f"`{self.condition.words}`" + (f" for {self.values}" if self.bound else "") + self.share


def conjuncts(condition: Condition, text: str = "") -> Iterator[Condition]:
    """The operands of the condition's outermost `and`, with their own words and their places in the file's text."""
    expression, tree = condition.expression, _parsed(condition.words)
    if not isinstance(expression, e.Conjunction) or not isinstance(tree, ast.BoolOp):
        yield condition
        return
    for argument, branch in zip(expression.arguments, tree.values, strict=True):
        words = ast.get_source_segment(condition.words, branch) or condition.words
        yield from conjuncts(Condition(argument, words, _place(condition, tree, branch, text)), text)


def _place(whole: Condition, tree: ast.expr, branch: ast.expr, text: str) -> Location:
    """Where the branch stands: as many letters behind the whole as in the words, blanks and line breaks not counted."""
    words = whole.words.encode()
    first, place = words[branch.col_offset :].decode(), whole.location
    before = len("".join(words[tree.col_offset : branch.col_offset].decode().split()))
    lines = source_lines(text)[place.line - 1 :] if text else []
    skipped = place.column - 1
    for number, line in enumerate(lines):
        for column in range(skipped, len(line)):
            if line[column].isspace():
                continue
            if before == 0:
                length = (branch.end_col_offset or 0) - branch.col_offset
                found = Location(place.source, place.line + number, column + 1, min(length, len(line) - column))
                return found if line[column] == first[0] else place
            before -= 1
        skipped = 0
    return place


def instances(condition: Condition) -> list[Part]:
    """One part for each value of the names that an `all(...)` or `not any(...)` loops over.

    A definition without arguments is opened, and a chain of comparisons. Where the words do not tell parts apart, their
    numbers do.
    """
    inner = replace(condition, words=_element_words(condition))
    opened = _opened(condition.expression)
    made = [Part(replace(inner if bound else condition, expression=part), bound) for part, bound in opened]
    alike, met = Counter(part.values for part in made), Counter[str]()
    for number, part in enumerate(made):
        met[part.values] += 1
        if alike[part.values] > 1:
            made[number] = replace(part, share=f" (part {met[part.values]} of {alike[part.values]})")
    return made


def _element_words(condition: Condition) -> str:
    """What stands before the `for` of an `all(...)`, with the `if` behind it; the whole words of anything else."""
    tree, opposite = _parsed(condition.words), ""
    if isinstance(tree, ast.UnaryOp):
        tree, opposite = tree.operand, "not "
    match tree:
        case ast.Call(args=[ast.GeneratorExp(elt=element, generators=loops)]):
            nodes = (element, *(test for loop in loops for test in loop.ifs))
            return opposite + " if ".join(ast.get_source_segment(condition.words, node) or "" for node in nodes)
    return condition.words


def _parsed(words: str) -> ast.expr:
    """The words' tree; those of PDDL are not taken apart."""
    try:
        return ast.parse(words, mode="eval").body
    except SyntaxError:
        return ast.Constant(words)


def _opened(expression: e.Expr) -> Iterator[tuple[e.Expr, Bound]]:
    match expression:
        case e.Truth(argument=argument):
            yield from _opened(argument)
        case e.Apply(function=function, arguments=()) if function.body is not None and not function.recursive:
            yield from _opened(function.body)
        case e.Conjunction(arguments=arguments):
            for argument in arguments:
                yield from _opened(argument)
        case e.Quantifier(kind="all", loops=loops) if _is_listed(loops):
            yield from _each(expression)
        case e.Negation(argument=e.Quantifier(kind="any", loops=loops) as inner) if _is_listed(loops):
            for part, bound in _each(inner):
                yield e.Negation(part), bound
        case _:
            yield expression, ()


def _each(quantifier: e.Quantifier) -> Iterator[tuple[e.Quantifier, Bound]]:
    """The quantifier with loops over one value each, for all the values."""
    domains = [loop.domain.value for loop in quantifier.loops if isinstance(loop.domain, e.Constant)]
    for values in product(*domains):
        pairs = list(zip(quantifier.loops, values, strict=True))
        single = tuple(replace(loop, domain=e.Listing((e.Constant(value),))) for loop, value in pairs)
        yield replace(quantifier, loops=single), tuple((loop.name, value) for loop, value in pairs)


def _is_listed(loops: Sequence[e.Loop]) -> bool:
    """Do the loops run over values that are known as they stand, and not too many?"""
    domains = [loop.domain.value for loop in loops if isinstance(loop.domain, e.Constant)]
    return len(domains) == len(loops) and prod(map(len, domains)) <= MOST_INSTANCES


def probe(puzzle: Puzzle, name: str, when: Iterable[Condition], of: Action | None = None) -> Action:
    """An action that changes nothing and applies where all the conditions hold, for some parameters of action `of`."""
    free = {metric: e.Constant(0) for metric in puzzle.metrics}
    place = puzzle.variables[0].location if of is None else of.location
    return Action(name, () if of is None else of.parameters, tuple(when), (), dict(free), (), place)


def with_probes(puzzle: Puzzle, probes: Iterable[Action], metrics: Sequence[str], deadline: Deadline) -> Task:
    """The task with further schemas behind its own, of one row or none for a probe without parameters.

    PuzzleError where it outgrows a limit, LimitReached at the deadline.
    """
    probed = replace(puzzle, actions=(*puzzle.actions, *probes), interchangeable=(), mirrors=(), fingerprint="")
    return ground(probed, metrics, deadline)


# -- words for conditions of a task ------------------------------------------------------------------------------------


def test_of(condition: Term) -> tuple[Var, tuple[int, ...]] | None:
    """(variable, the places of the values with which it holds) of a condition that reads just one variable."""
    read = leaves(condition)
    leaf = read[0] if len(read) == 1 else None
    if not isinstance(leaf, Var) or leaf.stage or len(leaf.values) > FEW_VALUES:
        return None
    return leaf, tuple(value for value in leaf.values if substitute(condition, {leaf: const(value)}) is TRUE)


def test_words(variable: Variable, allowed: Sequence[int], names: Mapping[Offset, str]) -> str:
    """A test of one variable as the author could have written it, where that is short; else ''."""
    other = [value for place, value in enumerate(variable.domain) if place not in allowed]
    named = [variable.domain[place] for place in allowed]
    if len(named) == 1 and isinstance(named[0], bool):
        return variable.name if named[0] else f"not {variable.name}"
    if len(named) == 1:
        return f"{variable.name} == {show(named[0], names)}"
    if len(other) == 1:
        return f"{variable.name} != {show(other[0], names)}"
    return f"{variable.name} in {listed(named, names)}" if len(named) <= FEW_WORDS else ""


def listed(values: Sequence[Value], names: Mapping[Offset, str]) -> str:
    """[1, 2, 3]; only the first few of many."""
    shown = [show(value, names) for value in values[:FEW_WORDS]]
    more = [f"{len(values) - FEW_WORDS} more"] * (len(values) > FEW_WORDS)
    return f"[{', '.join([*shown, *more])}]"
