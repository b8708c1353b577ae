"""What kernels have LLVM's code for, since numba has no words for it: calls of a puzzle's machine code, hints to the
cache, comparisons of eight words at once. `calls.py` says what each of them does; only who compiles kernels needs this.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic as numba_intrinsic

_WORD = ir.IntType(64)
_WORDS = _WORD.as_pointer()
_NUMBERS = ir.IntType(32).as_pointer()
_EXPAND = ir.FunctionType(_WORD, [_WORDS, _WORD, _WORDS, _NUMBERS, _NUMBERS, _WORDS])
_GOAL = ir.FunctionType(_WORD, [_WORDS, _WORD])
_ESTIMATE = ir.FunctionType(ir.VoidType(), [_WORDS, _WORD, _WORDS])


def intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Numba's own hides from type checkers that it takes the first parameter, the typing context, away."""
    return cast(Callable[..., Any], numba_intrinsic(function))


def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    return cgutils.create_struct_proxy(kind)(context, builder, array).data  # type: ignore[no-untyped-call]


def _call(function_type: Any, context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """args: address, states, the word of `states` to begin at, n, then what else the function takes."""
    function = builder.inttoptr(args[0], function_type.as_pointer())
    states = builder.gep(_data(context, builder, signature.args[1], args[1]), [args[2]])
    outputs = [_data(context, builder, k, a) for k, a in zip(signature.args[4:], args[4:], strict=True)]
    return builder.call(function, [states, args[3], *outputs])


@intrinsic
def call_expand(typing: Any, address: Any, states: Any, first: Any, n: Any, out_states: Any, out_actions: Any,
                out_parents: Any, out_costs: Any) -> Any:  # fmt: skip
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _call(_EXPAND, context, builder, signature, args)

    arrays = (out_states, out_actions, out_parents, out_costs)
    return types.int64(types.int64, states, types.int64, types.int64, *arrays), codegen


@intrinsic
def call_goal(typing: Any, address: Any, states: Any, first: Any, n: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _call(_GOAL, context, builder, signature, args)

    return types.int64(types.int64, states, types.int64, types.int64), codegen


@intrinsic
def call_estimate(typing: Any, address: Any, states: Any, first: Any, n: Any, out: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _call(_ESTIMATE, context, builder, signature, args)
        return context.get_dummy_value()

    return types.void(types.int64, states, types.int64, types.int64, out), codegen


@intrinsic
def prefetch(typing: Any, array: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.gep(_data(context, builder, signature.args[0], args[0]), [args[1]])
        pointer = builder.bitcast(pointer, ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [pointer.type] + [ir.IntType(32)] * 3)
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")  # type: ignore[no-untyped-call]
        builder.call(function, [pointer] + [ir.Constant(ir.IntType(32), v) for v in (1, 3, 1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen


def _mask(builder: Any, pointer: Any, value: Any, shift: int) -> Any:
    """Bit i is set where word i of eight, shifted to the right, is the value; all are compared as one vector."""
    vector, number = ir.VectorType(_WORD, 8), ir.IntType(32)
    words = builder.load(builder.bitcast(pointer, vector.as_pointer()), align=8)
    shifted = builder.lshr(words, ir.Constant(vector, [shift] * 8)) if shift else words
    undefined = ir.Constant(vector, ir.Undefined)
    single = builder.insert_element(undefined, value, ir.Constant(number, 0))
    copies = builder.shuffle_vector(single, undefined, ir.Constant(ir.VectorType(number, 8), [0] * 8))
    equal = builder.icmp_unsigned("==", shifted, copies)
    return builder.zext(builder.bitcast(equal, ir.IntType(8)), _WORD)


def _cells_like(array: Any, shift: int) -> Any:
    """The intrinsic that compares eight cells, shifted, with a value."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.gep(_data(context, builder, signature.args[0], args[0]), [args[1]])
        return _mask(builder, pointer, args[2], shift)

    return types.uint64(array, types.int64, types.uint64), codegen


@intrinsic
def bucket_mask(typing: Any, array: Any, first: Any, value: Any) -> Any:
    return _cells_like(array, 0)


@intrinsic
def tag_mask(typing: Any, array: Any, first: Any, tag: Any) -> Any:
    return _cells_like(array, 32)


@intrinsic
def lowest_bit(typing: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), codegen
