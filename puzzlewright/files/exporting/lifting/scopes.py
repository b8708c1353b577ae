"""What the names of an expression stand for, and what is known where a formula stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from models.expressions import Expr
from models.frozen import frozen
from models.values import Value
from puzzlewright.files.exporting.lifting.vocabulary import all_of, some


@frozen(eq=True)
class Term:
    """A variable of PDDL with the values that it may have, or an object."""

    word: str
    values: tuple[Value, ...]

    @property
    def known(self) -> bool:
        return not self.word.startswith("?")


@frozen()
class Delayed:
    """An expression that is meant where its name is used: an argument of a definition."""

    expression: Expr
    env: Env


Bound: TypeAlias = Term | Delayed


@frozen()
class Env:
    """What names stand for; `parameters` are those of the action, which a `let` sees."""

    names: Mapping[str, Bound] = field(default_factory=dict)
    parameters: Mapping[str, Bound] = field(default_factory=dict)

    def binding(self, name: str, bound: Bound) -> Env:
        return replace(self, names={**self.names, name: bound})


@dataclass
class Given:
    """Variables, and what holds of them: parts of one conjunction under one quantifier.

    `found` are terms by the atoms that give them, without their last word; `fixed` are conditions among the parts that
    read no state; `read` has the number of values of each variable that the state gives one. `partial`: there may be no
    values of the variables, even where the scope outside of it has its own.
    """

    outer: Given | None = None
    variables: dict[str, str] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    found: dict[tuple[str, ...], Term] = field(default_factory=dict)
    partial: bool = False
    fixed: list[Delayed] = field(default_factory=list)
    read: dict[str, int] = field(default_factory=dict)

    def conditions(self) -> list[Delayed]:
        """Those that read no state, here and outside."""
        return [*self.fixed, *(self.outer.conditions() if self.outer else ())]

    def take(self, other: Given) -> None:
        """Be like a copy that has gone on."""
        self.variables, self.parts, self.found = other.variables, other.parts, other.found
        self.partial, self.fixed, self.read = other.partial, other.fixed, other.read

    def known(self, key: tuple[str, ...]) -> Term | None:
        """What the atom gives, as far as it is said here or outside."""
        here = self.found.get(key)
        return here if here is not None or self.outer is None else self.outer.known(key)

    def demand(self, part: str) -> None:
        self.parts.append(part)
        self.partial = True

    @property
    def whole(self) -> str:
        return all_of(self.parts)

    @property
    def formula(self) -> str:
        """That there are such values."""
        return some(self.variables, self.whole)
