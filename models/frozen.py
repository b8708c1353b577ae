"""Classes of objects that nobody changes: expressions, terms, the parts of a puzzle and of a task, groups of options.

That nobody assigns to a field is left to the type checker (PEP 681). Python's own `frozen` writes two more functions
for each class whenever the program starts, which took longer than to read a puzzle, and makes an object in two and a
half times the time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(eq_default=False, frozen_default=True, field_specifiers=(field,))
def frozen(*, eq: bool = False, slots: bool = False) -> Callable[[type[Made]], type[Made]]:
    """A frozen dataclass, to the type checker; shown as a dataclass is. Unless `eq`, identity is what counts."""

    def made(declared: type[Made]) -> type[Made]:
        if "__repr__" not in vars(declared):
            setattr(declared, "__repr__", _shown)  # noqa: B010
        return dataclass(eq=eq, unsafe_hash=eq, repr=False, slots=slots)(declared)

    return made


def _shown(self: Any) -> str:
    told = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(told)})"
