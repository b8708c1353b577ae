"""Options of the algorithms: an algorithm's file has a frozen dataclass whose fields are the options that it reads.

A field says all about an option: `width: Annotated[int, Setting("states kept per layer", POSITIVE)] = 100`. The command
line, the checks and the documentation read it from there, by way of the row of the algorithm in `search.registry`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from numbers import Integral, Real
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

from models.frozen import frozen

Check = Callable[[Any], bool]
Rule = tuple[Check, str]  # what must be true of a value, and in words

POSITIVE: Rule = (lambda value: 0 < value < math.inf, "must be positive and finite")
NOT_NEGATIVE: Rule = (lambda value: value >= 0, "must not be negative")
SHARE: Rule = (lambda value: 0 <= value <= 1, "must lie between 0 and 1")
ANY: Rule = (lambda value: True, "")


def at_least(least: int) -> Rule:
    return lambda value: value >= least, f"must be at least {least}"


def one_of(*choices: str) -> Rule:
    return lambda value: value in choices, f"must be {' or '.join(choices)}"


class Setting(NamedTuple):
    """An option in words, and the rule for its values."""

    words: str
    rule: Rule = ANY


class Declared(NamedTuple):
    """An option as its dataclass declares it."""

    name: str
    kind: type
    default: Any
    setting: Setting


@frozen(eq=True)
class Options:
    """No options. Of those with fields: ValueError if one is out of range."""

    def __post_init__(self) -> None:
        for each in self.declared():
            kind, words = _KINDS[each.kind]
            value = getattr(self, each.name)
            _require(
                isinstance(value, kind) and isinstance(value, bool) == (kind is bool), f"{each.name} must be {words}"
            )
            check, rule = each.setting.rule
            _require(check(value), f"{each.name} {rule}")

    @classmethod
    @cache
    def declared(cls) -> tuple[Declared, ...]:
        """The options, in the order of the fields."""
        kinds = get_type_hints(cls, include_extras=True)
        return tuple(Declared(each.name, *_kind(kinds[each.name], each.default)) for each in fields(cls))


@frozen(eq=True)
class Jobs(Options):
    """How many work side by side."""

    jobs: Annotated[int, Setting("threads at work, on the disk processes", POSITIVE)] = 1


def _kind(annotation: Any, default: Any) -> tuple[type, Any, Setting]:
    kind, setting = get_args(annotation)
    return kind, default, setting


_KINDS: dict[type, tuple[type, str]] = {
    int: (Integral, "a whole number"),
    float: (Real, "a number"),
    str: (str, "a text"),
    bool: (bool, "true or false"),
}


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise ValueError(message)
