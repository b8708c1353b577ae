"""Kernels at work: called without numba, once they are compiled, by the convention of numba's functions.

That is (numba's `CPUCallConv`): a status comes back; arguments are where the result goes, where an error goes, of which
kernels have none, then the function's own: an array is seven words (two owners, items, bytes of each, address, shape,
stride), a NamedTuple its fields, a record its address. What is not of the annotated type is refused, since nobody looks
behind an address.
"""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from types import NoneType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np

from search.compiler.code import loaded
from search.compiler.in_memory import Code
from search.kernels.keeping import ObjectCode, keep, kept
from search.kernels.records import Ledger

F = TypeVar("F", bound=Callable[..., Any])
Pack = Callable[[Any, list[Any]], None]  # appends what C takes for a value
_MOST = {int: (-(1 << 63), (1 << 63) - 1), np.uint64: (0, (1 << 64) - 1), bool: (0, 1)}
_C: dict[Any, Any] = {int: ctypes.c_int64, np.uint64: ctypes.c_uint64, bool: ctypes.c_uint8, NoneType: ctypes.c_void_p}
_ARRAY = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64,
          ctypes.c_int64]  # fmt: skip


def kernel(function: F) -> F:
    """A function that Python calls, compiled once per machine for the types of its annotations."""
    return cast(F, Kernel(function))


def bound(function: Callable[..., Any], *given: Any) -> Callable[[], Any]:
    """One call of a kernel, to be made often: its arguments are looked at now, and kept where they are."""
    return cast(Kernel, function).bound(given)


class Kernel:
    """A function compiled, or loaded, when it is first called."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__

    def __call__(self, *given: Any) -> Any:
        """TypeError, OverflowError: an argument is not what its annotation says."""
        return self.bound(given)()

    def bound(self, given: Sequence[Any]) -> Callable[[], Any]:
        native, packs, result_type, _ = self._native
        packed: list[Any] = []
        for pack, value in zip(packs, given, strict=True):
            pack(value, packed)
        result, error = result_type(), ctypes.c_void_p()
        arguments = [ctypes.byref(result), ctypes.byref(error)]
        arguments += (kind(value) for kind, value in zip(native.argtypes[2:], packed, strict=True))

        def call() -> Any:
            assert given is not None  # what is behind the addresses lives as long as this
            if status := native(*arguments):
                raise SystemError(f"{self.__name__} ended with {status}")
            return result.value

        return call

    @cached_property
    def _native(self) -> tuple[Any, list[Pack], Any, Code]:
        """Whoever calls the function has its code in hand: two threads may be here at once."""
        hints = get_type_hints(self.function)
        result = hints.pop("return")
        packings = [_packing(hint) for hint in hints.values()]
        arguments = [each for kinds, _ in packings for each in kinds]
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *arguments)
        symbol, made = _object_code(self.function)
        code = loaded([symbol], made)
        address = code.addresses[symbol]
        return prototype(address), [pack for _, pack in packings], _C[result], code


def ready(*kernels: Any) -> None:
    """Have the code of kernels at hand before several threads call them, which would all compile it."""
    for each in kernels:
        assert each._native


def _object_code(function: Callable[..., Any]) -> ObjectCode:
    name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
    return kept(name) or keep(name, _made(function))


def _made(function: Callable[..., Any]) -> ObjectCode:
    with undisturbed():
        from search.compiler import jit
        from search.kernels.compiling import compiled

        symbol, text = compiled(function)
    return ObjectCode(symbol, jit.object_code(text))


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C, or a polite kill, waits for the end of the block; a second one does not.

    LLVM calls back into numba's Python, out of which no exception comes: an interrupt there would be lost, and leaves
    the compiler in a state in which it may crash.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    held = {number: handler for number, handler in before.items() if callable(handler)}

    def wait(number: int, frame: Any) -> None:
        came.append(number)
        if came[1:]:
            held[signal.Signals(number)](number, frame)

    try:
        for number in held:
            signal.signal(number, wait)
        yield
    finally:
        for number, handler in held.items():
            signal.signal(number, handler)
    if came:
        signal.raise_signal(came[0])


# -- arguments ---------------------------------------------------------------------------------------------------------


def _packing(hint: Any) -> tuple[list[Any], Pack]:
    """C's types for values of an annotation, and how a value becomes those; TypeError: they are nothing for kernels."""
    if hint in _MOST:
        return [_C[hint]], _packing_of_numbers(*_MOST[hint])
    if get_origin(hint) is np.ndarray:
        (element,) = get_args(get_args(hint)[1])
        return _ARRAY, _packing_of_arrays(getattr(element, "layout", np.dtype(element)))
    if isinstance(hint, type) and issubclass(hint, Ledger):
        return [ctypes.c_void_p], _packing_of_records(hint)
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        parts = [_packing(each) for each in get_type_hints(hint).values()]
        return [each for kinds, _ in parts for each in kinds], _packing_of_tuples(hint, [pack for _, pack in parts])
    raise TypeError(f"kernels take no {hint}")


def _packing_of_numbers(least: int, most: int) -> Pack:
    def pack(value: Any, out: list[Any]) -> None:
        number = value.__index__() if not isinstance(value, np.bool_) else int(value)
        if not least <= number <= most:
            raise OverflowError(f"{number} is nothing between {least} and {most}")
        out.append(number)

    return pack


def _packing_of_arrays(dtype: np.dtype[Any]) -> Pack:
    def pack(array: Any, out: list[Any]) -> None:
        if array.dtype != dtype or array.ndim != 1 or not array.flags.c_contiguous:
            raise TypeError(f"an array of {dtype} without gaps is wanted, not one of {array.dtype}")
        items, size = array.size, array.itemsize
        out += (None, None, items, size, array.__array_interface__["data"][0], items, size)

    return pack


def _packing_of_records(kind: type[Ledger]) -> Pack:
    def pack(record: Any, out: list[Any]) -> None:
        if not isinstance(record, kind) or record.base is None or record.base.size != 1:
            raise TypeError(f"a {kind.__name__} is wanted")
        out.append(record.base.__array_interface__["data"][0])

    return pack


def _packing_of_tuples(kind: type, packs: list[Pack]) -> Pack:
    def pack(values: Any, out: list[Any]) -> None:
        if not isinstance(values, kind):
            raise TypeError(f"a {kind.__name__} is wanted")
        for each, value in zip(packs, values, strict=True):  # type: ignore[call-overload]
            each(value, out)

    return pack
