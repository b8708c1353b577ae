"""pydantic's complaints about a document, as diagnostics at the place in the file that they are about.

An error's path names keys of the file, but also fields that validators made up and the branches of unions. Walking
the path down the tree and passing over what the tree does not have leaves the place; several complaints about one
place come from the branches of one union and become one message.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pydantic import BaseModel, ValidationError

from models.errors import Diagnostic, Location, did_you_mean
from models.text import Plain, Text

Path: TypeAlias = tuple[str | int, ...]

_KINDS = {
    "is_instance_of": "a text",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
}
_HINTS = {
    "effect": "write one assignment a line: TARGET: VALUE",
    "then": "write a list of phases, each a mapping of assignment lines",
    "let": "write one definition a line: NAME: EXPRESSION",
    "params": "write one parameter a line: NAME: TYPE",
    "levels": "each level is a mapping of data; {} for the data as they stand",
    "actions": "each action is a mapping with 'when', 'effect' and so on",
}


def diagnostics(
    error: ValidationError, tree: dict[Text, Plain], source: str, model: type[BaseModel]
) -> list[Diagnostic]:
    """One diagnostic for each place that pydantic complains about, in the order of the file."""
    root = Location(source, 1, 1)
    complaints = [_complaint(row, tree, root, model) for row in error.errors(include_url=False)]
    found = [_merged(complaint, complaints) for complaint in complaints if not _is_overruled(complaint, complaints)]
    return sorted(dict.fromkeys(found), key=lambda d: (d.location or root).line * 100_000 + (d.location or root).column)


@dataclass(frozen=True)
class _Complaint:
    """`path` are the steps that exist in the file; `expected` is set for a value of the wrong kind only."""

    path: Path
    diagnostic: Diagnostic
    expected: str = ""
    found: str = ""


def _complaint(row: Any, tree: dict[Text, Plain], root: Location, model: type[BaseModel]) -> _Complaint:
    path, value, place = _walk(row["loc"], tree, root)
    name = _name(path)
    kind, context = row["type"], row.get("ctx", {})
    if kind in _KINDS:
        hint = next((_HINTS[step] for step in reversed(path) if isinstance(step, str) and step in _HINTS), "")
        return _Complaint(path, Diagnostic(name, place, hint, code="E103"), _KINDS[kind], _kind(value))
    if kind == "extra_forbidden":
        hint = did_you_mean(str(path[-1]), _allowed(row["loc"], model))
        return _Complaint(path, Diagnostic(f"unknown key {name}", _key_place(path, tree, root), hint, code="E101"))
    if kind == "missing":
        where = f"{name} has no '{row['loc'][-1]}'" if path else f"the file has no '{row['loc'][-1]}'"
        return _Complaint(path, Diagnostic(where, _key_place(path, tree, root), code="E102"))
    return _Complaint(path, Diagnostic(row["msg"], place, context.get("hint", ""), code=kind if kind[:1] == "E" else "E103"))


def _walk(loc: Path, tree: dict[Text, Plain], root: Location) -> tuple[Path, Plain, Location]:
    """The steps of `loc` that the tree has, the value they lead to, and where to point for it."""
    path: Path = ()
    value: Plain = tree
    place = root
    for step in loc:
        if isinstance(value, dict) and step in value:
            key = next(key for key in value if key == step)
            value = value[key]
            place = value.location if isinstance(value, Text) else key.location
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
            place = _first_place(value) or place
        else:
            continue
        path = (*path, step)
    return path, value, place
