"""From LLVM's text to object code: llvmlite's share of the work, and nothing of the puzzle."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, cast

from llvmlite import binding as llvm

from models.outcomes import Deadline, LimitReached, Outcome
from search.compiler.in_memory import Care, Code

SECONDS_A_LINE = 2e-5  # on a fast machine, for a module that is compiled as it is
TANGLED = 400  # conditions put together from which on nothing is combined: that takes time like their square


def processor() -> str:
    """Its name and its features, for which code is made."""
    _, cpu, features = _target()
    return f"{cpu} {features}"


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


def may_be_combined(text: str) -> bool:
    return text.count(" and i1 ") + text.count(" or i1 ") < TANGLED


def object_of(text: str, deadline: Deadline, care: Care) -> bytes:
    """A module in the format of the machine.

    LLVM cannot be interrupted: what would certainly end behind the deadline is not begun (LimitReached).
    """
    target, cpu, features = _target()
    left = deadline.left
    if left is not None and left < text.count("\n") * SECONDS_A_LINE:
        raise LimitReached(Outcome.TIME_LIMIT)
    machine = target.create_target_machine(opt=int(care), cpu=cpu, features=features, jit=True)
    module = llvm.parse_assembly(text)
    if care is Care.FULL:
        optimize(module, machine, may_be_combined(text))
    return cast(bytes, machine.emit_object(module))


def object_code(text: str) -> bytes:
    """A module that has been made better elsewhere, in the format of the machine."""
    module = llvm.parse_assembly(text)
    return cast(bytes, _careful().emit_object(module))


def linked(names: Iterable[str], code: bytes) -> Code:
    """The functions of an object, and its variables."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _careful())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    addresses = {name: engine.get_function_address(name) or engine.get_global_value_address(name) for name in names}
    return Code(engine, addresses)


def _careful() -> Any:
    target, cpu, features = _target()
    return target.create_target_machine(opt=3, cpu=cpu, features=features, jit=True)
