"""Object code of ours, put into memory without LLVM, which takes as long to load as to solve a small puzzle.

That is simple since the code is for one kind of processor and needs little: what it refers to is inside, or in the
library of C, by whole addresses (ELF's R_X86_64_64). What is otherwise is refused (ValueError), and is for LLVM.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Iterator
from enum import IntEnum
from typing import Any, NamedTuple

from models.frozen import frozen

OURS = b"\x7fELF\x02\x01\x01"  # 64 bits, the lowest byte first
RELOCATABLE, X86_64 = 1, 62
SYMBOLS, RELOCATED, NO_BITS, UNWOUND = 2, 4, 8, 0x70000001  # kinds of sections; nobody unwinds code of ours
WRITABLE, IN_MEMORY, EXECUTABLE = 1, 2, 4  # what they are
WHOLE_ADDRESS = 1
ELSEWHERE = 0  # the section of a symbol that is not inside
LIBRARY = ("memcpy", "memmove", "memset")  # of C, which LLVM calls unasked
OBJECT, FUNCTION = 1, 2  # kinds of symbols


class Care(IntEnum):
    """How well a module is compiled; also LLVM's level."""

    NONE = 0  # as it is
    SOME = 1  # with registers and instructions chosen with some care
    FULL = 2  # and made better before


@frozen(eq=True)
class Code:
    """Compiled functions, and other things with a name; they live as long as this object."""

    engine: Any
    addresses: dict[str, int]


class Region(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    beside: int
    info: int
    alignment: int
    entry: int

    @property
    def loaded(self) -> bool:
        return bool(self.flags & IN_MEMORY) and self.kind != UNWOUND


class Symbol(NamedTuple):
    name: int
    kind: int
    other: int
    section: int
    value: int
    size: int


class InMemory:
    """The sections in memory; it lives as long as this object."""

    def __init__(self, code: bytes) -> None:
        """ValueError: it is nothing of ours, or it needs more than that."""
        self._code = code
        head = struct.unpack_from("<16sHHIQQQIHHHHHH", code)
        if not code.startswith(OURS) or head[1:3] != (RELOCATABLE, X86_64):
            raise ValueError("object code of another kind")
        self._sections = [Region(*each) for each in self._entries("<IIQQQQIIQQ", head[6], head[12])]
        self._memories: list[mmap.mmap] = []
        self._at = {number: 0 for number, each in enumerate(self._sections) if each.loaded}
        self._place([number for number in self._at if not self._sections[number].flags & EXECUTABLE])
        instructions = self._place([number for number in self._at if self._sections[number].flags & EXECUTABLE])
        for each in self._sections:
            if each.kind == RELOCATED and each.info in self._at:
                self._relocate(each)
        _protect(instructions)

    def _entries(self, form: str, offset: int, count: int) -> list[tuple[int, ...]]:
        size = struct.calcsize(form)
        return list(struct.iter_unpack(form, self._code[offset : offset + size * count]))

    def _place(self, numbers: list[int]) -> mmap.mmap:
        """Copies of sections in memory of their own."""
        places, size = {}, 0
        for number in numbers:
            size += -size % max(1, self._sections[number].alignment)
            places[number], size = size, size + self._sections[number].size
        memory = mmap.mmap(-1, max(1, size))
        self._memories.append(memory)
        begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        for number, place in places.items():
            each = self._sections[number]
            self._at[number] = begin + place
            if each.kind != NO_BITS:
                memory[place : place + each.size] = self._code[each.offset : each.offset + each.size]
        return memory

    def _relocate(self, section: Region) -> None:
        table = self._sections[section.beside]
        symbols = self._symbols(table)
        for offset, info, more in self._entries("<QQq", section.offset, section.size // 24):
            symbol = symbols[info >> 32]
            if info & 0xFFFFFFFF != WHOLE_ADDRESS:
                raise ValueError("object code that refers to something in another way")
            address = self._address(symbol, table) + more
            ctypes.c_uint64.from_address(self._at[section.info] + offset).value = address

    def _address(self, symbol: Symbol, table: Region) -> int:
        if symbol.section in self._at:
            return self._at[symbol.section] + symbol.value
        if symbol.section != ELSEWHERE or (name := self._name(symbol, table)) not in LIBRARY:
            raise ValueError("object code that needs something else")
        return ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value or 0

    def _symbols(self, table: Region) -> list[Symbol]:
        return [Symbol(*each) for each in self._entries("<IBBHQQ", table.offset, table.size // 24)]

    @property
    def addresses(self) -> dict[str, int]:
        """Of its functions and of what else has a name."""
        return dict(self._named())

    def _named(self) -> Iterator[tuple[str, int]]:
        for table in self._sections:
            if table.kind == SYMBOLS:
                for each in self._symbols(table):
                    if each.section in self._at and each.kind & 15 in (OBJECT, FUNCTION):
                        yield self._name(each, table), self._at[each.section] + each.value

    def _name(self, symbol: Symbol, table: Region) -> str:
        begin = self._sections[table.beside].offset + symbol.name
        return self._code[begin : self._code.index(b"\0", begin)].decode()


def _protect(memory: mmap.mmap) -> None:
    """It may be run, and no longer be written to."""
    begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    if ctypes.CDLL(None, use_errno=True).mprotect(ctypes.c_void_p(begin), ctypes.c_size_t(len(memory)), 1 | 4):
        raise ValueError("memory in which no code may run")
