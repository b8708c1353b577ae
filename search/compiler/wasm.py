"""LLVM's text as WebAssembly, for a page that has no linker.

LLVM makes an object for wasm32, which a page can start as it is: its memory is imported, and its constants lie where it
says. What must be true: at every place that a linker would change, the object holds what the linker would write if it
left all functions, types, globals and constants where they are. LLVM does not promise that, so each place is looked at
(Unsupported where it is not so). The format: WebAssembly 1.0, and `Linking.md` of WebAssembly's tool conventions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple, cast

from llvmlite import binding as llvm

from models.metrics import misfit
from models.outcomes import Unsupported
from models.task import Task
from search.compiler.codegen import Program, make_program, write_expand, write_goal, write_module
from search.compiler.jit import may_be_combined, optimize
from search.compiler.tabulation import ConstantPool
from search.machine import compiling

LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+sign-ext,+bulk-memory"
PART = 2_000  # lines of a function that is not divided: to compile one takes time like the square of its length
LONG = 20_000  # lines of a function from which on a module is compiled as it is, which makes it four times as long
LONGEST = 100_000  # lines of a module that is compiled at all
HEADER = 8  # bytes before the first section
CUSTOM, DATA = 0, 11  # sections
SYMBOLS, FUNCTION, CONSTANT, GLOBAL, SECTION = 8, 0, 1, 2, 3  # of `linking`: the table, and the kinds of symbols
NAMED_ANYWAY, UNDEFINED = 0x40, 0x10  # flags of a symbol
_DEFINED = re.compile(r"^(define \S+ @(\w+)\(.*\)) \{", re.MULTILINE)


class Wasm(NamedTuple):
    """A module; its constants lie in memory below `end`."""

    code: bytes
    end: int


def compiled(task: Task, most: int) -> tuple[Program, Wasm]:
    """`plain` and `goal` of the task, over the states that can be reached; Unsupported, also for `most` successors."""
    if why := misfit(task):
        raise Unsupported(why)
    with compiling():
        program = make_program(task, trim=True)
        if program.branching > most:
            raise Unsupported(f"one state may have {program.branching:,} successors: too many for a page")
        text = written(program, 1)
        if text.count("\n") > LONGEST:
            raise Unsupported("its machine code is too long for a page")
        if (parts := 1 + text.count("\n") // PART) > 1:
            text = written(program, parts)
    return program, wasm(text)


def written(program: Program, parts: int) -> str:
    """`plain` and `goal` as LLVM's text, the rows divided among so many functions.

    What must be true: a row's code rests on no other row's, and whoever calls `plain` asks each successor for its
    parent, as those of one state no longer lie side by side.
    """
    pool, size = ConstantPool(), -(-len(program.plans) // parts) or 1
    rows = [slice(first, first + size) for first in range(0, len(program.plans), size)]
    if len(rows) < 2:
        return write_module(pool, [write_expand(program, pool, "plain"), write_goal(program, pool)])
    names = [f"plain{number}" for number in range(len(rows))]
    divided = [replace(program, plans=program.plans[part], actions=program.actions[part]) for part in rows]
    functions = [write_expand(each, pool, name) for each, name in zip(divided, names, strict=True)]
    return write_module(pool, [*functions, _joined(names, program.layout.words), write_goal(program, pool)])


def _joined(names: Sequence[str], words: int) -> str:
    """`plain`: one function after the other, each of which goes on where the one before has ended."""
    lines = ["define i64 @plain(ptr %states, i64 %n, ptr %out, ptr %actions, ptr %parents, ptr %costs) {"]
    for number, name in enumerate(names):
        at = f"%c{number}" if number else "0"
        buffers = ", ".join(f"ptr %{each}{number}" for each in "oapk")
        lines += [
            f"  %w{number} = mul i64 {at}, {words}",
            f"  %o{number} = getelementptr i64, ptr %out, i64 %w{number}",
            f"  %a{number} = getelementptr i32, ptr %actions, i64 {at}",
            f"  %p{number} = getelementptr i32, ptr %parents, i64 {at}",
            f"  %k{number} = getelementptr i64, ptr %costs, i64 {at}",
            f"  %f{number} = call i64 @{name}(ptr %states, i64 %n, {buffers})",
            f"  %c{number + 1} = add i64 {at}, %f{number}",
        ]
    return "\n".join([*lines, f"  ret i64 %c{len(names)}", "}"])


def wasm(text: str) -> Wasm:
    """The module, which exports all its functions and imports its memory, and a stack pointer if it needs one."""
    code = object_code(text)
    if not all(site.settled for site in sites(code)):
        raise Unsupported("LLVM leaves something of this machine code to a linker")
    return Wasm(_bare(code), max(map(sum, _segments(code, _sections(code))), default=0))


def object_code(text: str) -> bytes:
    """The object, with all that it tells a linker."""
    better = max(each.count("\n") for each in text.split("\n}")) < LONG
    machine = _target().create_target_machine(opt=2 if better else 0, features=FEATURES)
    exported = _DEFINED.sub(r'\1 "wasm-export-name"="\2" {', text)
    module = llvm.parse_assembly(f'target datalayout = "{LAYOUT}"\ntarget triple = "{TRIPLE}"\n{exported}')
    if better:
        optimize(module, machine, may_be_combined(text))
    return cast(bytes, machine.emit_object(module))


def _bare(code: bytes) -> bytes:
    """Without the custom sections, which are for linkers."""
    return b"".join([code[:HEADER], *(code[each.head : each.end] for each in _sections(code) if each.kind != CUSTOM)])


@cache
def _target() -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE)


# -- what a linker would change ----------------------------------------------------------------------------------------


@dataclass
class Bytes:
    """Walks through bytes."""

    code: bytes
    at: int

    def byte(self) -> int:
        self.at += 1
        return self.code[self.at - 1]

    def number(self, signed: bool = False) -> int:
        """LEB128."""
        value = shift = 0
        while True:
            part = self.byte()
            value |= (part & 127) << shift
            shift += 7
            if not part & 128:
                return value - (1 << shift) if signed and part & 64 else value

    def text(self) -> str:
        size = self.number()
        self.at += size
        return self.code[self.at - size : self.at].decode()


class Section(NamedTuple):
    kind: int
    head: int  # where it begins
    body: int  # where its contents begin
    end: int


class Place(NamedTuple):
    """A place that a linker would write to: what stands there, and what it would write (None: unknown)."""

    kind: int
    found: int
    wanted: int | None

    @property
    def settled(self) -> bool:
        return self.found == self.wanted


@dataclass
class Symbols:
    """What the symbols of an object stand for: the number of a function or global, the address of a constant."""

    meanings: list[int | None] = field(default_factory=list)

    def index(self, symbol: int, added: int) -> int | None:
        return self.meanings[symbol]

    def address(self, symbol: int, added: int) -> int | None:
        base = self.meanings[symbol]
        return None if base is None else base + added

    def itself(self, number: int, added: int) -> int:
        return number


KINDS: dict[int, tuple[bool, bool, Callable[[Symbols, int, int], int | None]]] = {
    0: (False, False, Symbols.index),  # R_WASM_FUNCTION_INDEX_LEB: signed? an addend? what would be written
    3: (False, True, Symbols.address),  # R_WASM_MEMORY_ADDR_LEB
    4: (True, True, Symbols.address),  # R_WASM_MEMORY_ADDR_SLEB
    6: (False, False, Symbols.itself),  # R_WASM_TYPE_INDEX_LEB
    7: (False, False, Symbols.index),  # R_WASM_GLOBAL_INDEX_LEB
}


def sites(code: bytes) -> Iterator[Place]:
    """Every place that a linker would write to; Unsupported for a kind of them that is not known here."""
    sections = _sections(code)
    named = [(Bytes(code, each.body), each) for each in sections if each.kind == CUSTOM]
    tables = {reader.text(): (reader, each) for reader, each in named}
    symbols = _symbols(*tables["linking"], _segments(code, sections)) if "linking" in tables else Symbols()
    for name, (reader, _) in tables.items():
        if name.startswith("reloc."):
            target = sections[reader.number()]
            for _ in range(reader.number()):
                yield _site(reader, target, symbols)


def _site(reader: Bytes, target: Section, symbols: Symbols) -> Place:
    kind = reader.byte()
    if kind not in KINDS:
        raise Unsupported(f"LLVM leaves relocations of type {kind} to a linker")
    signed, adds, wanted = KINDS[kind]
    place, number = reader.number(), reader.number()
    added = reader.number(signed=True) if adds else 0
    found = Bytes(reader.code, target.body + place).number(signed)
    return Place(kind, found, wanted(symbols, number, added))


def _sections(code: bytes) -> list[Section]:
    found, reader = [], Bytes(code, HEADER)
    while reader.at < len(code):
        head, kind, size = reader.at, reader.byte(), reader.number()
        found.append(Section(kind, head, reader.at, reader.at + size))
        reader.at += size
    return found


def _segments(code: bytes, sections: Sequence[Section]) -> list[tuple[int, int]]:
    """Where each segment of constants lies in memory, and its size."""
    found = []
    for each in (each for each in sections if each.kind == DATA):
        reader = Bytes(code, each.body)
        for _ in range(reader.number()):
            if (reader.number(), reader.byte()) != (0, 0x41):  # memory 0, i32.const
                raise Unsupported("LLVM has put constants elsewhere than expected")
            address = reader.number(signed=True)
            reader.at += 1  # the end of the expression
            size = reader.number()
            reader.at += size
            found.append((address, size))
    return found


def _symbols(reader: Bytes, section: Section, segments: Sequence[tuple[int, int]]) -> Symbols:
    reader.number()  # the version
    while reader.at < section.end:
        kind, size = reader.byte(), reader.number()
        if kind == SYMBOLS:
            return Symbols([_symbol(reader, segments) for _ in range(reader.number())])
        reader.at += size
    return Symbols()


def _symbol(reader: Bytes, segments: Sequence[tuple[int, int]]) -> int | None:
    kind, flags = reader.byte(), reader.number()
    if kind == CONSTANT:
        reader.text()
        if flags & UNDEFINED:
            return None
        segment, offset, _ = reader.number(), reader.number(), reader.number()
        return segments[segment][0] + offset
    found = reader.number()
    if kind != SECTION and (not flags & UNDEFINED or flags & NAMED_ANYWAY):
        reader.text()
    return found
