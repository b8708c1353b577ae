"""Plans in the names of the file, and as JSON has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.frozen import frozen
from models.values import Type, Value, plain

Words = Mapping[tuple[str, str], Type]  # for an action and a parameter: its type, which has words for its values


@frozen(eq=True)
class Step:
    """An action with a value for every parameter; an array-valued one has a tuple, in the order of its index."""

    action: str
    arguments: tuple[tuple[str, Value], ...]


Plan = tuple[Step, ...]


def step_json(step: Step, words: Words) -> dict[str, Any]:
    """{"action": ..., "args": {...}} as `--json` prints it."""
    values = {name: _plain(value, words.get((step.action, name))) for name, value in step.arguments}
    return {"action": step.action, "args": values}


def _plain(value: Value, type_: Type | None) -> Any:
    """An array has a tuple of values."""
    if type_ is None:
        return plain(value)
    return [type_.plain[item] for item in value] if type(value) is tuple else type_.plain[value]
