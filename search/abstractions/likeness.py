"""Which values of a board the rules treat alike, and which of its values only move about.

A hint for the choice of patterns: nothing rests on it. A row reads a value by a membership, a table or branches, and
values that all of these put together are alike; whatever else reads a value tells it from all others.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from models.task import Task
from models.terms import Cases, Compare, Const, Lookup, Member, Select, Term, Var, children
from search.abstractions.images import variable_of
from search.proofs.transitions import Transition


def board_of(task: Task, rows: Sequence[Transition]) -> list[int]:
    """The variables that rows write, if all have one domain; else none."""
    written = sorted({variable_of(old) for row in rows for old in row.after})
    domains = {task.variables[index].domain for index in written}
    return written if len(domains) == 1 else []


def permutes(row: Transition) -> bool:
    """Does the row only move values among the variables that it writes?"""
    before = [row.fixed.get(old, old) for old in row.after]
    after = [row.fixed.get(new, new) for new in row.after.values()]
    return sorted(map(id, before)) == sorted(map(id, after))


def alike(task: Task, rows: Sequence[Transition], board: Sequence[int]) -> list[list[int]]:
    """The values of the board's variables in groups that the rows treat alike."""
    size = len(task.variables[board[0]].domain)
    signs: list[list[Hashable]] = [[] for _ in range(size)]
    for sign in _signs(rows, size):
        for value, each in enumerate(sign):
            signs[value].append(each)
    found: dict[tuple[Hashable, ...], list[int]] = {}
    for value, told in enumerate(signs):
        found.setdefault(tuple(told), []).append(value)
    return list(found.values())


def _signs(rows: Sequence[Transition], size: int) -> Iterator[Sequence[Hashable]]:
    """For each reading of a value what it is for each of the values."""
    seen: set[Term] = set()
    stack: list[Term] = []
    for row in rows:
        stack += [*row.guard, row.cost]
        for new in row.after.values():
            copied, read = _copies(new)
            stack += read
            yield from ([value == each.value for value in range(size)] for each in copied if isinstance(each, Const))
            stack += [each for each in copied if not isinstance(each, Const | Var)]
    while stack:
        term = stack.pop()
        if term not in seen:
            seen.add(term)
            yield from _reading(term, size)
            stack += _deeper(term)


def _copies(term: Term) -> tuple[list[Term], list[Term]]:
    """(what may become the new value, what decides which)."""
    match term:
        case Select(argument=argument, branches=branches):
            parts, read = [each for each in branches if each is not None], [argument]
        case Cases(cases=pairs, otherwise=otherwise):
            parts, read = [*(value for _, value in pairs), otherwise], [condition for condition, _ in pairs]
        case _:
            return [term], []
    for copied, decides in map(_copies, parts):
        parts, read = [*parts, *copied], [*read, *decides]
    return [each for each in parts if not isinstance(each, Select | Cases)], read


def _reading(term: Term, size: int) -> Iterator[Sequence[Hashable]]:
    match term:
        case Member(argument=Var(), members=members):
            yield [value in members for value in range(size)]
        case Lookup(argument=Var(), table=parts) | Select(argument=Var(), branches=parts):
            yield [*map(id, parts), *range(len(parts), size)]
        case Var():
            yield range(size)


def _deeper(term: Term) -> Sequence[Term]:
    """The parts of a term that have not been read with it."""
    match term:
        case Member(argument=Var()) | Lookup(argument=Var()):
            return ()
        case Select(argument=Var(), branches=branches):
            return [each for each in branches if each is not None]
        case Compare(comparison="==" | "!=", left=Var(), right=Var()):
            return ()
    return children(term)
