"""Where in a function a value is computed: every shared term once, at the place where all its uses can see it.

The text is a tree of scopes (a test, a loop). A term that is needed twice becomes a value of the innermost scope around
all its uses, written there just before the statement that needs it first; so a term of many actions is computed once a
state, and a term below a test only where the test holds. A term that does not read a loop's choice leaves the loop.
This is common-subexpression elimination with late placement, as compilers do it (Click, Global code motion / global
value numbering, 1995), on a tree instead of a graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

from models.terms import Choice, Term, Var, children, parts_first

Kind = Literal["rows", "loop"]
Look = Callable[[], None]
PACE = 256  # values between two looks at the clock


def never() -> None:
    """Nobody looks."""


@dataclass
class CodeScope:
    end: int  # number of the first row after this scope
    kind: Kind
    lines: list[str] = field(default_factory=list)
    keys: list[Hashable] = field(default_factory=list)  # what has a name here
    bound: int = 0  # the leaves that are bound here, as a set of bits


@dataclass
class Usage:
    """How many parents a term has, and the last row that needs it; `inner` is what a term is worked out from."""

    inner: Callable[[Term], Sequence[Term]] = children
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
                parts = self.inner(term)
                self.parents.update(parts)
                stack.extend(parts)


class Rounds:
    """A loop that is left where a round changes nothing, for good where values come back or it takes too long.

    A cycle is found by one remembered round, that before the last power of two (Brent, An improved Monte Carlo
    factorization algorithm, 1980).
    """

    def __init__(self, scopes: Scopes, entries: Sequence[str], most: int) -> None:
        self.scopes, self.entries, self.most = scopes, entries, most
        words = ("before", "head", "moved", "latch", "rest", "never")
        self.before, self.head, self.moved, self.latch, self.rest, self.never = map(scopes.label, words)
        self.count = f"%n{next(scopes.numbers)}"
        self.names = [f"%c{next(scopes.numbers)}" for _ in entries]
        self.kept = [f"{name}s" for name in self.names]
        self.after: Sequence[str] = ()

    def end(self, after: Sequence[str]) -> None:
        """The values after the round, in the scope that has them."""
        self.after = after
        scopes = self.scopes
        scopes.line(f"  br i1 {self._same(self.names)}, label %{self.rest}, label %{self.moved}")
        scopes.line(f"{self.moved}:")
        over = scopes.value(f"icmp sge i64 {self.count}, {self.most}")
        lost = scopes.value(f"or i1 {self._same(self.kept)}, {over}")
        scopes.line(f"  br i1 {lost}, label %{self.never}, label %{self.latch}")
        scopes.line(f"{scopes.label('nowhere')}:")

    def _same(self, others: Sequence[str]) -> str:
        found = "true"
        for one, other in zip(self.after, others, strict=True):
            equal = self.scopes.value(f"icmp eq i64 {one}, {other}")
            found = equal if found == "true" else self.scopes.value(f"and i1 {found}, {equal}")
        return found

    def write(self, inner: Sequence[str]) -> None:
        """The whole loop, round what a round is; lines go on where it is at rest."""
        count, before, latch = self.count, self.before, self.latch
        lines = [f"  br label %{before}", f"{before}:", f"  br label %{self.head}", f"{self.head}:"]
        lines.append(f"  {count} = phi i64 [1, %{before}], [{count}n, %{latch}]")
        for name, kept, entry, after in zip(self.names, self.kept, self.entries, self.after, strict=True):
            lines.append(f"  {name} = phi i64 [{entry}, %{before}], [{after}, %{latch}]")
            lines.append(f"  {kept} = phi i64 [{entry}, %{before}], [{kept}n, %{latch}]")
        lines += [*inner, f"  br label %{self.never}", f"{latch}:"]
        lines += [f"  {count}n = add i64 {count}, 1", f"  {count}a = and i64 {count}, {count}n"]
        lines.append(f"  {count}p = icmp eq i64 {count}a, 0")
        for kept, after in zip(self.kept, self.after, strict=True):
            lines.append(f"  {kept}n = select i1 {count}p, i64 {after}, i64 {kept}")
        self.scopes.scopes[-1].lines += [*lines, f"  br label %{self.head}", f"{self.rest}:"]

    @contextmanager
    def rested(self, end: int) -> Iterator[None]:
        """A scope behind the loop that is passed over where it never comes to rest."""
        self.scopes.scopes.append(CodeScope(end, "rows"))
        yield
        inner = self.scopes.close().lines
        self.scopes.scopes[-1].lines += [*inner, f"  br label %{self.never}", f"{self.never}:"]


class Scopes:
    """The open scopes, outermost first, with the lines written so far and the names known in each."""

    def __init__(self, usage: Usage, numbers: Iterator[int] | None = None, look: Look = never) -> None:
        """`look` is called now and then while code is written, and may raise."""
        self.usage, self.look = usage, look
        self.scopes = [CodeScope(end=1 << 60, kind="rows")]
        self.numbers = numbers or count(1)  # shared by all that write into one function
        self._names: dict[Hashable, list[tuple[int, str]]] = {}  # with the depth of the scope
        self._floating: dict[Term, int] = {}
        self._leaves = count()

    def line(self, text: str) -> None:
        self.scopes[-1].lines.append(text)

    def value(self, instruction: str) -> str:
        """The name of the instruction's result."""
        number = next(self.numbers)
        if number % PACE == 0:
            self.look()
        name = f"%t{number}"
        self.scopes[-1].lines.append(f"  {name} = {instruction}")
        return name

    def label(self, word: str) -> str:
        return f"{word}{next(self.numbers)}"

    @contextmanager
    def when(self, condition: str, end: int) -> Iterator[None]:
        """A scope that is passed over where the condition (an i1) fails; rows from `end` on lie behind it."""
        then, after = self.label("then"), self.label("after")
        self.scopes.append(CodeScope(end, "rows"))
        yield
        inner = self.close().lines
        self.scopes[-1].lines += [f"  br i1 {condition}, label %{then}, label %{after}", f"{then}:", *inner]
        self.scopes[-1].lines += [f"  br label %{after}", f"{after}:"]

    @contextmanager
    def apart(self, end: int) -> Iterator[None]:
        """A scope for names only: what is bound in it is forgotten after it."""
        self.scopes.append(CodeScope(end, "rows"))
        yield
        inner = self.close().lines
        self.scopes[-1].lines += inner

    @contextmanager
    def loop(self, stop: str, start: str = "0") -> Iterator[str]:
        """A loop over start, start + 1, ... stop - 1 (i64); yields the counter. No round where stop <= start."""
        before, head, body, latch, after = (self.label(w) for w in ("before", "head", "body", "latch", "after"))
        counter = f"%i{next(self.numbers)}"
        self.scopes.append(CodeScope(0, "loop"))
        yield counter
        inner = self.close().lines
        self.scopes[-1].lines += [
            f"  br label %{before}",
            f"{before}:",
            f"  br label %{head}",
            f"{head}:",
            f"  {counter} = phi i64 [{start}, %{before}], [{counter}n, %{latch}]",
            f"  {counter}c = icmp slt i64 {counter}, {stop}",
            f"  br i1 {counter}c, label %{body}, label %{after}",
            f"{body}:",
            *inner,
            f"  br label %{latch}",
            f"{latch}:",
            f"  {counter}n = add i64 {counter}, 1",
            f"  br label %{head}",
            f"{after}:",
        ]

    @contextmanager
    def rounds(self, entries: Sequence[str], most: int) -> Iterator[Rounds]:
        """A loop over values (i64) that begin as `entries`; what is written in it has to say how a round ends."""
        made = Rounds(self, entries, most)
        self.scopes.append(CodeScope(0, "loop"))
        yield made
        made.write(self.close().lines)

    @contextmanager
    def set_bits(self, word: str) -> Iterator[str]:
        """A loop over the set bits of a word (i64), lowest first; yields the bit's number."""
        before, head, body, latch, after = (self.label(w) for w in ("before", "head", "body", "latch", "after"))
        rest = f"%r{next(self.numbers)}"
        self.scopes.append(CodeScope(0, "loop"))
        bit = self.value(f"call i64 @llvm.cttz.i64(i64 {rest}, i1 true)")
        yield bit
        inner = self.close().lines
        self.scopes[-1].lines += [
            f"  br label %{before}",
            f"{before}:",
            f"  br label %{head}",
            f"{head}:",
            f"  {rest} = phi i64 [{word}, %{before}], [{rest}n, %{latch}]",
            f"  {rest}c = icmp ne i64 {rest}, 0",
            f"  br i1 {rest}c, label %{body}, label %{after}",
            f"{body}:",
            *inner,
            f"  br label %{latch}",
            f"{latch}:",
            f"  {rest}d = sub i64 {rest}, 1",
            f"  {rest}n = and i64 {rest}, {rest}d",
            f"  br label %{head}",
            f"{after}:",
        ]

    def close(self) -> CodeScope:
        """The innermost scope, which is left: its names are forgotten."""
        scope = self.scopes.pop()
        for key in scope.keys:
            entries = self._names[key]
            entries.remove(next(entry for entry in reversed(entries) if entry[0] == len(self.scopes)))
        return scope

    def known(self, key: Hashable) -> str | None:
        return next((name for depth, name in reversed(self._names.get(key, ())) if depth < len(self.scopes)), None)

    def bind(self, key: Hashable, name: str) -> None:
        self._names.setdefault(key, []).append((len(self.scopes) - 1, name))
        self.scopes[-1].keys.append(key)
        if isinstance(key, Choice | Var):
            self.scopes[-1].bound |= self.floating(key)

    @contextmanager
    def at(self, level: int) -> Iterator[None]:
        """Write into an outer scope for a while."""
        inner = self.scopes[level + 1 :]
        del self.scopes[level + 1 :]
        yield
        self.scopes += inner

    def floating(self, term: Term) -> int:
        """The leaves that are bound inside the function (choices, variables of later stages), as a set of bits."""
        known = self._floating
        for each in parts_first(term, known, self.usage.inner):
            inside = isinstance(each, Choice) or (isinstance(each, Var) and each.stage > 0)
            found = 1 << next(self._leaves) if inside else 0
            for part in self.usage.inner(each):
                found |= known[part]
            known[each] = found
        return known[term]

    def floor(self, term: Term) -> int:
        """The outermost scope that sees all leaves of a term."""
        leaves = self.floating(term)
        inner = range(len(self.scopes) - 1, 0, -1) if leaves else ()
        return next((n for n in inner if self.scopes[n].bound & leaves), 0)

    def level(self, term: Term) -> int:
        """The scope to compute a term in: as far in as its uses allow, out of loops that it does not depend on."""
        floor = self.floor(term)
        level = len(self.scopes) - 1
        last = self.usage.last.get(term, 0)
        shared = self.usage.parents[term] > 1
        while level > floor and (self.scopes[level].kind == "loop" or (shared and self.scopes[level].end <= last)):
            level -= 1
        return level
