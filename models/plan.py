"""Plans in the names of the file, and their two written forms: JSON steps and `.plan` lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models.values import Offset, Value, plain

Words = Mapping[tuple[str, str], Mapping[Offset, str]]  # for an action and a parameter: its offsets by name


@dataclass(frozen=True)
class Step:
    """An action with a value for every parameter; an array-valued one has a tuple, in the order of its index."""

    action: str
    arguments: tuple[tuple[str, Value], ...]


Plan = tuple[Step, ...]


def step_json(step: Step, words: Words) -> dict[str, Any]:
    """{"action": ..., "args": {...}} as `--json` prints it."""
    values = {name: plain(value, words.get((step.action, name))) for name, value in step.arguments}
    return {"action": step.action, "args": values}


def step_line(step: Step, words: Words) -> str:
    """`(action arg ...)`: a cell as row,col, an array's values joined by |."""
    values = (_word(value, words.get((step.action, name))) for name, value in step.arguments)
    return "(" + " ".join([step.action, *values]) + ")"


def _word(value: Value, words: Mapping[Offset, str] | None) -> str:
    raw = plain(value, words)
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, list) and not hasattr(value, "row"):
        return "|".join(_word(item, words) for item in value)
    return ",".join(str(part) for part in raw) if isinstance(raw, list) else str(raw)
