"""Plans in the names of the file, and their two written forms: JSON steps and `.plan` lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from models.values import Value, plain


@dataclass(frozen=True)
class Step:
    """An action with a value for every parameter; an array-valued one has a tuple, in the order of its index."""

    action: str
    arguments: tuple[tuple[str, Value], ...]


Plan = tuple[Step, ...]


def step_json(step: Step) -> dict[str, Any]:
    """{"action": ..., "args": {...}} as `--json` prints it."""
    return {"action": step.action, "args": {name: plain(value) for name, value in step.arguments}}


def step_line(step: Step) -> str:
    """`(action arg ...)`: a cell as row,col, an array's values joined by |."""
    return "(" + " ".join([step.action, *(_word(value) for _, value in step.arguments)]) + ")"


def _word(value: Value) -> str:
    raw = plain(value)
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, list) and not hasattr(value, "row"):
        return "|".join(_word(item) for item in value)
    return ",".join(str(part) for part in raw) if isinstance(raw, list) else str(raw)
