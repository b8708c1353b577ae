"""What may stand at a place of a document, told by the annotations of its classes; without pydantic where it fits.

A class of fields is a mapping that has no other keys, `dict`, `list` and unions are what they say, `Text` is a text.
`Before` and `After` name functions that a value goes through before and after it is looked at. pydantic reads the same
annotations where something does not fit (`models.document_errors`), and tells what and where.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, field, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, dataclass_transform, get_args, get_origin

from models.frozen import frozen

Made = TypeVar("Made")
Read = Callable[[Any], Any]


def told(about: str, **default: Any) -> Any:
    """A field with a sentence about it for editors; `default` or `default_factory` as a dataclass has them."""
    return field(metadata={"about": about}, **default)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field, told))
def mapping(declared: type[Made]) -> type[Made]:
    """A class of what a mapping of the file has under these keys, and no others."""
    setattr(declared, "__pydantic_config__", {"extra": "forbid"})  # noqa: B010
    return frozen(eq=True, kw_only=True)(declared)


class Misfit(Exception):
    """A value that does not fit."""


class Refused(Misfit):
    """What a function says of a value that it does not take."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


@frozen(eq=True)
class Before:
    """A value goes through `make` first; `written` is what may stand in the file, for the schema, if that is told."""

    make: Read
    written: Any = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic import BeforeValidator

        told = {} if self.written is None else {"json_schema_input_type": self.written}
        return BeforeValidator(_in_pydantic(self.make), **told).__get_pydantic_core_schema__(source, handler)


@frozen(eq=True)
class After:
    """What fits goes through `make` at last."""

    make: Read

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic import AfterValidator

        return AfterValidator(_in_pydantic(self.make)).__get_pydantic_core_schema__(source, handler)


def _in_pydantic(make: Read) -> Read:
    """The same for pydantic, which hands a complaint on as it is; the message goes in as a value, since braces in it
    mean nothing."""
    from pydantic_core import PydanticCustomError

    def made(value: Any) -> Any:
        try:
            return make(value)
        except Refused as error:
            words = {"message": error.message, "hint": error.hint}
            raise PydanticCustomError(error.code, "{message}", words) from None

    return made


def fitted(kind: type[Made], value: Any) -> Made:
    """The value as an object of this class; Misfit where it does not fit."""
    whole: Any = kind
    made: Made = _reader(whole)(value)
    return made


@cache
def _reader(kind: Any) -> Read:
    """What makes a value of this kind of what the file has; Misfit where it does not fit."""
    parts = get_args(kind)
    match get_origin(kind):
        case origin if origin is Annotated:
            return _through(_reader(parts[0]), kind.__metadata__)
        case origin if origin in (Union, UnionType):
            return _either([_reader(part) for part in parts])
        case origin if origin is dict:
            return _mapping(_reader(parts[0]), _reader(parts[1]))
        case origin if origin in (list, tuple):
            return _sequence(origin, _reader(parts[0]))
    if kind is Any:
        return lambda value: value
    return (_fields if is_dataclass(kind) else _instance)(kind)


def _through(read: Read, markers: tuple[Before | After, ...]) -> Read:
    (marker,) = markers
    make = marker.make
    return (lambda value: read(make(value))) if isinstance(marker, Before) else (lambda value: make(read(value)))


def _either(branches: list[Read]) -> Read:
    """The first that takes the value: no two branches of a document take the same."""

    def read(value: Any) -> Any:
        for branch in branches:
            try:
                return branch(value)
            except Misfit:
                continue
        raise Misfit

    return read


def _mapping(key: Read, inner: Read) -> Read:
    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise Misfit
        return {key(name): inner(each) for name, each in value.items()}

    return read


def _sequence(made: Callable[[list[Any]], Any], inner: Read) -> Read:
    def read(value: Any) -> Any:
        if not isinstance(value, list):
            raise Misfit
        return made([inner(each) for each in value])

    return read


def _instance(kind: type) -> Read:
    def read(value: Any) -> Any:
        if not isinstance(value, kind):
            raise Misfit
        return value

    return read


def _fields(kind: Any) -> Read:
    kinds: dict[str, Any] = {each.name: each.type for each in fields(kind)}
    readers = {name: _reader(part) for name, part in kinds.items()}
    needed = {each.name for each in fields(kind) if _is_needed(each)}

    def read(value: Any) -> Any:
        if not isinstance(value, dict) or not needed <= value.keys() <= readers.keys():
            raise Misfit
        return kind(**{str(name): readers[name](each) for name, each in value.items()})

    return read


def _is_needed(each: Field[Any]) -> bool:
    return each.default is MISSING and each.default_factory is MISSING
