"""From LLVM's text to functions at addresses: llvmlite's share of the work, and nothing of the puzzle."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import cache
from typing import Any, cast

from llvmlite import binding as llvm

from models.frozen import frozen
from models.outcomes import ENDLESS, Deadline, LimitReached, Outcome

LONG = 8_000  # lines from which on a module is compiled as it is: to make it better would take too long
SECONDS_A_LINE = 2e-5  # on a fast machine, for a module that is compiled as it is
SECONDS_A_GOOD_LINE = 1e-3  # on a slow one, for one that is made better
TANGLED = 400  # conditions put together from which on nothing is combined: that takes time like their square


class Care(IntEnum):
    """How well a module is compiled; also LLVM's level."""

    NONE = 0  # as it is
    SOME = 1  # with registers and instructions chosen with some care
    FULL = 2  # and made better before


@frozen(eq=True)
class Code:
    """Compiled functions; they live as long as this object."""

    engine: Any
    addresses: dict[str, int]


def processor() -> tuple[str, str]:
    """Its name and its features, for which code is made."""
    _, cpu, features = _target()
    return cpu, features


@cache
def _target() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple(), llvm.get_host_cpu_name(), features


def optimize(module: Any, machine: Any, combine: bool) -> None:
    """The few passes that pay in code like ours, which comes without anything to hoist, inline or vectorise."""
    passes = llvm.create_new_function_pass_manager()
    passes.add_sroa_pass()
    if combine:
        passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.add_new_gvn_pass()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)


def may_be_better(text: str) -> bool:
    return text.count("\n") < LONG


def may_be_combined(text: str) -> bool:
    return text.count(" and i1 ") + text.count(" or i1 ") < TANGLED


def compile_text(text: str, names: Iterable[str], deadline: Deadline = ENDLESS, care: Care = Care.FULL) -> Code:
    """The functions of a module. The text holds whole numbers and names of ours, nothing of the puzzle's.

    LLVM cannot be interrupted: what would certainly end behind the deadline is not begun (LimitReached). Full care is
    taken of short text only, and where there is time for it: else none.
    """
    target, cpu, features = _target()
    lines, left = text.count("\n"), deadline.left
    if left is not None and left < lines * SECONDS_A_LINE:
        raise LimitReached(Outcome.TIME_LIMIT)
    if care is Care.FULL and not (may_be_better(text) and (left is None or left > lines * SECONDS_A_GOOD_LINE)):
        care = Care.NONE
    machine = target.create_target_machine(opt=int(care), cpu=cpu, features=features, jit=True)
    module = llvm.parse_assembly(text)
    if care is Care.FULL:
        optimize(module, machine, may_be_combined(text))
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return Code(engine, {name: engine.get_function_address(name) for name in names})


def object_code(text: str) -> bytes:
    """A module that has been made better elsewhere, in the format of the machine."""
    module = llvm.parse_assembly(text)
    return cast(bytes, _careful().emit_object(module))


def loaded(name: str, code: bytes) -> Code:
    """A function of an object; whatever the object calls must be there in every process, since LLVM aborts else."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _careful())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return Code(engine, {name: engine.get_function_address(name)})


def _careful() -> Any:
    target, cpu, features = _target()
    return target.create_target_machine(opt=3, cpu=cpu, features=features, jit=True)
