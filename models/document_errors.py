"""pydantic's complaints about a document, as diagnostics at the place in the file that they are about.

An error's path names keys of the file, but also fields that validators made up and the branches of unions. Walking
the path down the tree and passing over what the tree does not have leaves the place; several complaints about one
place come from the branches of one union and become one message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from models.errors import CODES, Diagnostic, Location, did_you_mean
from models.frozen import frozen
from models.text import Plain, Text

Path: TypeAlias = tuple[str | int, ...]

_KINDS = {
    "is_instance_of": "a text",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "dataclass_type": "a mapping",
}
_MOST = 200  # complaints that are looked at
_HINTS = {
    "effect": "write one assignment a line: TARGET: VALUE",
    "then": "write a list of phases, each a mapping of assignment lines",
    "let": "write one definition a line: NAME: EXPRESSION",
    "params": "write one parameter a line: NAME: TYPE",
    "levels": "each level is a mapping of data; {} for the data as they stand",
    "actions": "each action is a mapping with 'when', 'effect' and so on",
}


def complaints(kind: type, tree: dict[Text, Plain], source: str, holders: Mapping[str, type]) -> list[Diagnostic]:
    """One diagnostic for each place of a tree that does not fit the class `kind`, in the order of the file.

    A format that cannot be read is all that is said about its file. `holders` are the classes whose keys may stand in
    the file ('') and in the entries of its fields.
    """
    try:
        adapter(kind).validate_python(tree)
    except ValidationError as error:
        allowed = {name: [each.name for each in fields(holder)] for name, holder in holders.items()}
        return _diagnostics(error, tree, Location(source, 1, 1), allowed)
    raise AssertionError("what does not fit is complained about")


@cache
def adapter(kind: type) -> TypeAdapter[Any]:
    """What pydantic makes of the annotations of a class."""
    return TypeAdapter(kind)


def _diagnostics(
    error: ValidationError, tree: dict[Text, Plain], root: Location, allowed: Mapping[str, Sequence[str]]
) -> list[Diagnostic]:
    complaints = [_complaint(row, tree, root, allowed) for row in error.errors(include_url=False)[:_MOST]]
    # A union's other branch got further: its complaint lies inside the value that this one rejects as a whole.
    overruled = {one.path[:depth] for one in complaints for depth in range(len(one.path))}
    found = dict.fromkeys(
        _merged(one, complaints) for one in complaints if not one.expected or one.path not in overruled
    )
    unreadable = [diagnostic for diagnostic in found if diagnostic.code == "E104"]
    return unreadable or sorted(found, key=lambda diagnostic: _order(diagnostic.location or root))


@frozen(eq=True)
class _Complaint:
    """`path` are the steps that exist in the file; `expected` is set for a value of the wrong kind only."""

    path: Path
    diagnostic: Diagnostic
    expected: str = ""
    given: str = ""


def _complaint(
    row: ErrorDetails, tree: dict[Text, Plain], root: Location, allowed: Mapping[str, Sequence[str]]
) -> _Complaint:
    path, value, place = _walk(row["loc"], tree, root)
    kind, key_place = row["type"], _key_place(path, tree, root)
    if kind in _KINDS:
        return _Complaint(path, Diagnostic(_name(path), place, _hint(path), code="E103"), _KINDS[kind], _kind(value))
    if kind == "unexpected_keyword_argument":
        keys = allowed.get(str(path[0]) if len(path) > 1 else "", ())
        message = f"unknown key {_name(path)}" + (f" in {_name(path[:-1])}" if path[:-1] else "")
        return _Complaint(path, Diagnostic(message, key_place, did_you_mean(str(path[-1]), keys), code="E101"))
    if kind == "missing":
        message = f"{_name(path)} has no '{row['loc'][-1]}'"
        return _Complaint(path, Diagnostic(message, key_place, code="E102"))
    code, hint = (kind, row.get("ctx", {}).get("hint", "")) if kind in CODES else ("E103", "")
    return _Complaint(path, Diagnostic(row["msg"], key_place if code == "E101" else place, hint, code=code))


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


def _key_place(path: Path, tree: dict[Text, Plain], root: Location) -> Location:
    """Where the last step of a path itself stands: the key, or the beginning of the list item."""
    if not path:
        return root
    _, owner, place = _walk(path[:-1], tree, root)
    if isinstance(owner, dict):
        return next(key for key in owner if key == path[-1]).location
    return _walk(path, tree, root)[2] if isinstance(owner, list) else place


def _first_place(value: Plain) -> Location | None:
    """The first text in a value; an empty list or mapping has no place of its own."""
    if isinstance(value, Text):
        return value.location
    return next((place for part in value if (place := _first_place(part))), None)


def _merged(complaint: _Complaint, others: list[_Complaint]) -> Diagnostic:
    """The branches of one union as one message: what is expected, and what was found."""
    if not complaint.expected:
        return complaint.diagnostic
    kinds = dict.fromkeys(other.expected for other in others if other.path == complaint.path and other.expected)
    message = f"{complaint.diagnostic.message} must be {' or '.join(kinds)}, not {complaint.given}"
    return replace(complaint.diagnostic, message=message)


def _name(path: Path) -> str:
    if not path:
        return "the file"
    last = path[-1]
    return f"'{last}'" if isinstance(last, str) else f"item {last + 1} of {_name(path[:-1])}"


def _kind(value: Plain) -> str:
    return "a text" if isinstance(value, Text) else "a list" if isinstance(value, list) else "a mapping"


def _hint(path: Path) -> str:
    return _HINTS.get(str(path[-1]), "") if path else ""


def _order(place: Location) -> tuple[int, int]:
    return place.line, place.column
