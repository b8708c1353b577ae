"""Kernels through numba, to LLVM's text: the one module that loads numba, and only where a kernel never was compiled.

A kernel is written in functions of several modules, which are plain Python there. Here each of them becomes numba's, in
a copy of its module's names, where the parts that it calls are numba's too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from types import FunctionType, NoneType
from typing import Any, cast, get_args, get_origin, get_type_hints

import numpy as np
from numba import from_dtype, njit, types

from search.kernels import emitted
from search.kernels.records import EMITTED, INNER, Ledger

# Without reference counts (`_nrt`): kernels only look at arrays, and to count the views of one is an atomic operation.
# Without forms for callers from C and Python, which take as long to compile as the function itself.
_UNGUARDED: dict[str, Any] = {
    "error_model": "numpy", "boundscheck": False, "nogil": True, "_nrt": False, "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
}  # fmt: skip
_PLAIN: dict[Any, Any] = {int: types.int64, bool: types.boolean, np.uint64: types.uint64, NoneType: types.void}
_NAMES: dict[str, dict[str, Any]] = {}  # of modules, with numba's forms of all parts
_OUTSIDE = ("llvm.", "memset", "memcpy", "memmove")  # what compiled code may rely on: it is loaded without numba


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


def compiled(function: Callable[..., Any]) -> tuple[str, str]:
    """The name of the machine function, and LLVM's text of it and of all that it calls: it relies on nothing else."""
    hints = {name: numba_type(hint) for name, hint in get_type_hints(function).items()}
    signature = hints.pop("return")(*hints.values())
    dispatcher = njit(signature, **_UNGUARDED)(_within_numba(function))
    (found,) = dispatcher.overloads.values()
    text: str = found.library.get_llvm_str()
    declared = [line.partition("@")[2] for line in text.splitlines() if line.startswith("declare ")]
    if outside := [each for each in declared if not each.strip('"').startswith(_OUTSIDE)]:
        raise SystemError(f"{function.__name__} calls {outside[0]}")
    return found.fndesc.llvm_func_name, text


@cache
def _part(function: Callable[..., Any]) -> Any:
    return njit(**_UNGUARDED)(_within_numba(function))


def _within_numba(function: Any) -> FunctionType:
    """A copy that finds numba's forms of all parts."""
    copy = FunctionType(function.__code__, _names(function.__module__), function.__name__, function.__defaults__)
    copy.__module__ = function.__module__
    return copy


def _names(module: str) -> dict[str, Any]:
    """Known before it is whole: parts call each other, and themselves."""
    if module not in _NAMES:
        names = _NAMES[module] = dict(vars(sys.modules[module]))
        parts = {name: value for name, value in names.items() if isinstance(value, FunctionType)}
        names |= {name: _numbas(part) for name, part in parts.items() if part in INNER or part in EMITTED}
    return _NAMES[module]


def _numbas(part: Any) -> Any:
    return getattr(emitted, part.__name__) if part in EMITTED else _part(part)
