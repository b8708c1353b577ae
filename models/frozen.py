"""Classes of objects that nobody changes: expressions, terms, the parts of a puzzle and of a task, groups of options.

That nobody assigns to a field is left to the type checker (PEP 681). Python's own `dataclass` writes and compiles
methods for each class whenever the program starts, which took longer than to search a small puzzle. Here they are
written, shorter, when they are first called: of most classes no run makes an object.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(eq_default=False, frozen_default=True, field_specifiers=(field,))
def frozen(*, eq: bool = False, slots: bool = False, kw_only: bool = False) -> Callable[[type[Made]], type[Made]]:
    """A frozen dataclass, to the type checker; shown as a dataclass is. Unless `eq`, identity is what counts."""

    def made(declared: type[Made]) -> type[Made]:
        declared.__doc__ = declared.__doc__ or declared.__name__  # else `dataclass` works out a signature for it
        kind = dataclass(init=False, eq=False, repr=False, slots=slots, kw_only=kw_only)(declared)
        texts = {"__init__": _init_text} | ({"__eq__": _eq_text, "__hash__": _hash_text} if eq else {})
        methods = {"__repr__": _shown} | {name: _unwritten(kind, name, text) for name, text in texts.items()}
        for name in methods.keys() - vars(declared).keys():
            setattr(kind, name, methods[name])
        return kind

    return made


def _unwritten(kind: type, name: str, text: Callable[[type], str]) -> Callable[..., Any]:
    """Stands for a method of a class until it is called.

    A descriptor that writes it when it is looked up would not do: where a look-up of `__eq__` raises (Ctrl-C, too deep,
    no memory), Python drops that, and takes the objects for unequal.
    """

    def first(self: Any, *given: Any, **named: Any) -> Any:
        names = {"MISSING": MISSING, "FIELDS": {each.name: each for each in fields(kind)}}
        exec(text(kind), names)
        method: Any = names[name]
        method.__qualname__ = f"{kind.__qualname__}.{name}"
        setattr(kind, name, method)
        return method(self, *given, **named)

    return first


def _init_text(kind: type) -> str:
    parameters, lines = ["self"], list[str]()
    for each in sorted(fields(kind), key=lambda each: each.kw_only is True):
        name, value, default = each.name, each.name, ""
        if each.default is not MISSING:
            default = f"=FIELDS[{name!r}].default"
        elif each.default_factory is not MISSING:
            default, value = "=MISSING", f"FIELDS[{name!r}].default_factory() if {name} is MISSING else {name}"
        parameters += ["*"] * (each.kw_only and "*" not in parameters) + [name + default]
        lines.append(f" self.{name} = {value}")
    lines += [" self.__post_init__()"] * hasattr(kind, "__post_init__")
    return "\n".join([f"def __init__({', '.join(parameters)}):", *lines, " return"])


def _eq_text(kind: type) -> str:
    same = f"{_values(kind, 'self')} == {_values(kind, 'other')}"
    return f"def __eq__(self, other):\n return {same} if other.__class__ is self.__class__ else NotImplemented"


def _hash_text(kind: type) -> str:
    return f"def __hash__(self):\n return hash({_values(kind, 'self')})"


def _values(kind: type, name: str) -> str:
    """The tuple of the fields of an object that are compared."""
    return f"({''.join(f'{name}.{each.name}, ' for each in fields(kind) if each.compare)})"


def _shown(self: Any) -> str:
    told = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(told)})"
