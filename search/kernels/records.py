"""How kernels are declared: the signature of one is what its annotations say, so names and types stand once.

    int, bool, np.uint64, None   themselves
    NDArray[...]                 an array of one dimension without gaps
    a NamedTuple                 what stays the same during a call: arrays that belong together, addresses, sizes
    a Ledger                     whole numbers that kernel and driver both change, each by its name

Both kinds of records are free: a NamedTuple comes apart into its fields, and a field of a Ledger is a word in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self, TypeVar, cast

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])
INNER: set[Callable[..., Any]] = set()  # parts of kernels
EMITTED: set[Callable[..., Any]] = set()  # names for what `emitted.py` has


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


def inner(function: F) -> F:
    """A part of kernels, compiled with each of them, and for nobody else: Python cannot call it."""
    INNER.add(function)
    return function


def emitted(function: F) -> F:
    """A part of kernels that is written in LLVM's terms."""
    EMITTED.add(function)
    return function


@inner
def signed(word: Any) -> Any:
    """A word as a number like others: numba makes a floating-point number of one of each kind."""
    return np.int64(word)
