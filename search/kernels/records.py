"""How kernels are declared: the signature of one is what its annotations say, so names and types stand once.

    int, bool, np.uint64, None   themselves
    NDArray[...]                 an array of one dimension without gaps
    a NamedTuple                 what stays the same during a call: arrays that belong together, addresses, sizes
    a Ledger                     whole numbers that kernel and driver both change, each by its name

Both kinds of records are free: a NamedTuple comes apart into its fields, and a field of a Ledger is a word in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import NoneType
from typing import Any, ClassVar, Self, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from numba import from_dtype, njit, types

# Without reference counts (`_nrt`): kernels only look at arrays, and to count the views of one is an atomic operation.
# Without a form for callers from C, which takes as long to compile as the function itself.
_UNGUARDED: dict[str, Any] = {
    "error_model": "numpy", "boundscheck": False, "nogil": True, "_nrt": False, "no_cfunc_wrapper": True
}  # fmt: skip
_FOR_KERNELS_ONLY: dict[str, Any] = {"no_cpython_wrapper": True}
_PLAIN: dict[Any, Any] = {int: types.int64, bool: types.boolean, np.uint64: types.uint64, NoneType: types.void}

F = TypeVar("F", bound=Callable[..., Any])


class Ledger(cast(Any, np.void)):  # type: ignore[misc]
    """A record of whole numbers, 0 at first: the annotations of a subclass name them, after those of its base."""

    layout: ClassVar[np.dtype[np.void]] = np.dtype([])

    def __init_subclass__(cls) -> None:
        """No name may be one that NumPy's own records have: numba reads their `data`."""
        names = cls.__annotations__
        if hidden := [name for name in names if hasattr(np.void, name)]:
            raise TypeError(f"records have something else called {', '.join(hidden)}")
        cls.layout = np.dtype([(name, np.int64) for name in (*(cls.layout.names or ()), *names)], align=True)
        for name in names:
            setattr(cls, name, _field(name))

    def __new__(cls, **values: int) -> Self:
        record: Self = np.zeros(1, np.dtype((cls, cls.layout)))[0]
        for name, value in values.items():
            record[name] = value
        return record


def _field(name: str) -> property:
    def write(record: Ledger, value: int) -> None:
        record[name] = value

    return property(lambda record: int(record[name]), write)


@cache
def numba_type(hint: Any) -> Any:
    """What numba takes values of an annotation's type for; TypeError: they are nothing for kernels."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    if get_origin(hint) is np.ndarray:
        (element,) = get_args(get_args(hint)[1])
        return types.Array(from_dtype(getattr(element, "layout", np.dtype(element))), 1, "C")
    if isinstance(hint, type) and issubclass(hint, Ledger):
        return from_dtype(hint.layout)
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return cast(Any, types.BaseTuple).from_types([*map(numba_type, get_type_hints(hint).values())], hint)
    raise TypeError(f"kernels take no {hint}")


def kernel(function: F) -> F:
    """A function that Python calls, compiled once per machine for the types of its annotations."""
    hints = {name: numba_type(hint) for name, hint in get_type_hints(function).items()}
    signature = hints.pop("return")(*hints.values())
    return cast(F, njit(signature, cache=True, **_UNGUARDED)(function))


def inner(function: F) -> F:
    """A part of kernels, compiled with each of them, and for nobody else: Python cannot call it."""
    return cast(F, njit(**_UNGUARDED, **_FOR_KERNELS_ONLY)(function))


@inner
def signed(word: Any) -> Any:
    """A word as a number like others: numba makes a floating-point number of one of each kind."""
    return np.int64(word)
