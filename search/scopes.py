"""Where in a function a value is computed: every shared term once, at the place where all its uses can see it.

The source is a tree of scopes (a test, a loop, a branch). A term that is needed twice becomes a local variable of the
innermost scope around all its uses, written there just before the statement that needs it first; so a term of many
actions is computed once a state, and a term below a test only where the test holds. A term that does not read a loop's
choice leaves the loop. This is common-subexpression elimination with late placement, as compilers do it (Click, Global
code motion / global value numbering, 1995), on a tree instead of a graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from models.terms import Term, children, leaves


@dataclass
class Scope:
    end: int  # number of the first row after this scope
    kind: str  # rows, loop, branch
    lines: list[Any] = field(default_factory=list)
    names: dict[Term, str] = field(default_factory=dict)


@dataclass
class Usage:
    """How many parents a term has, and the last row that needs it."""

    parents: Counter[Term] = field(default_factory=Counter)
    last: dict[Term, int] = field(default_factory=dict)

    def add(self, row: int, roots: Iterable[Term]) -> None:
        seen: set[Term] = set()
        stack = list(roots)
        self.parents.update(stack)
        while stack:
            term = stack.pop()
            if term not in seen:
                seen.add(term)
                self.last[term] = row
                self.parents.update(children(term))
                stack.extend(children(term))


def flatten(lines: list[Any], depth: int = 0) -> Iterator[str]:
    for line in lines:
        if isinstance(line, str):
            yield " " * depth + line
        else:
            yield from flatten(line, depth + 1)


class Scopes:
    """The open scopes, outermost first, with the lines written so far and the names known in each."""

    def __init__(self, usage: Usage) -> None:
        self.usage = usage
        self.scopes = [Scope(end=1 << 60, kind="rows")]

    def line(self, text: str) -> None:
        self.scopes[-1].lines.append(text)

    @contextmanager
    def block(self, header: str, kind: str, end: int = 0, into: list[Any] | None = None) -> Iterator[None]:
        """An indented scope below `header`; without a header a scope that is no block of Python's.

        The branches of one if/elif/else are collected `into` a list, so that no statement comes between them.
        """
        self.scopes.append(Scope(end, kind))
        yield
        inner = self.scopes.pop().lines
        target = self.scopes[-1].lines if into is None else into
        target += [header, inner or ["pass"]] if header else inner

    def known(self, term: Term) -> str | None:
        return next((scope.names[term] for scope in reversed(self.scopes) if term in scope.names), None)

    def bind(self, term: Term, name: str) -> None:
        self.scopes[-1].names[term] = name

    def level(self, term: Term) -> int:
        """The scope to compute a term in: as far in as its uses allow, out of loops that it does not depend on."""
        bound = [n for leaf in leaves(term) for n, scope in enumerate(self.scopes) if leaf in scope.names]
        level, floor = len(self.scopes) - 1, max(bound, default=0)
        last = self.usage.last.get(term, 0)
        shared = self.usage.parents[term] > 1
        while level > floor and (
            self.scopes[level].kind == "loop"
            or (shared and (self.scopes[level].kind == "branch" or self.scopes[level].end <= last))
        ):
            level -= 1
        return level
