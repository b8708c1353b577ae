"""Estimates as machine code: sums of entries of tables, the greatest of them, for packed states.

A place in a table is a sum of small tables over pieces of the packed word. Addresses are in cells beside the code, so
that it is the same in every process; whoever has the code keeps the arrays.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from search.abstractions.derived import Sums, Table, lost_of
from search.abstractions.pieces import always, pieces, sums
from search.abstractions.rows import DECLARED, Reader, numbers
from search.compiler.code import compile_text
from search.compiler.layout import Layout

_ESTIMATE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
MOST = (1 << 63) - 1  # of a machine word


def address_of(array: Any) -> int:
    """Of what a buffer holds that may be written to, as those of NumPy, of `numbers`, and of mapped files."""
    return ctypes.addressof(ctypes.c_char.from_buffer(array))


class Called:
    """estimate(states, n, values), at an address and for Python; the code lives as long as this."""

    def __init__(self, text: str, words: int, addresses: Sequence[int], keeps: bool = False) -> None:
        """The text reads the addresses in the cells `@at0`, `@at1`, ..."""
        self.words = words
        cells = [f"at{number}" for number in range(len(addresses))]
        whole = "\n".join([*(f"@{cell} = global ptr null" for cell in cells), text])
        self._code = compile_text(whole, ["estimate", *cells], keeps=keeps)
        for cell, address in zip(cells, addresses, strict=True):
            ctypes.c_uint64.from_address(self._code.addresses[cell]).value = address
        self.address = self._code.addresses["estimate"]
        self._call = _ESTIMATE(self.address)

    def evaluate(self, state: int) -> int:
        value = ctypes.c_int64()
        self._call(state.to_bytes(8 * self.words, "little"), 1, ctypes.byref(value))
        return value.value


class Estimate(Called):
    """The greatest sum of entries of tables, for states of a layout."""

    def __init__(self, layout: Layout, found: Sums, keeps: bool = False) -> None:
        self._kept: list[Any] = []
        self._parts: list[str] = []
        body = "\n".join(self._body(layout, found))
        whole = _function(body, layout.words, len(self._kept))
        text = "\n".join([*[DECLARED] * bool(self._parts), *self._parts, whole])
        super().__init__(text, layout.words, list(map(address_of, self._kept)), keeps)

    def _cell(self, array: Any) -> int:
        """The number of the cell with the address of an array, which is kept from now on."""
        self._kept.append(array)
        return len(self._kept) - 1

    def _body(self, layout: Layout, found: Sums) -> Iterator[str]:
        names = (f"%v{number}" for number in count())
        cut = pieces(layout)
        for number, each in enumerate(cut):
            yield f"  %bits{number} = lshr i64 %w{each.word}, {each.shift}"
            yield f"  %piece{number} = and i64 %bits{number}, {(1 << each.width) - 1}"
        entries: dict[Table, str] = {}
        for table in dict.fromkeys(table for group in found for table in group):
            if table.ends:
                entries[table] = next(names)
                yield self._least(layout, table, entries[table])
                continue
            place = str(always(layout.fields, table.weights))
            for number, each in enumerate(cut):
                column = sums(each, layout.fields, table.weights)
                if any(column):  # no table has 2^32 entries
                    part, total = next(names), next(names)
                    yield from self._load(numbers(column, ctypes.c_uint32), f"%piece{number}", part, next(names))
                    yield f"  {total} = add i64 {place}, {part}"
                    place = total
            entries[table] = next(names)
            yield from self._load(table.far, place, entries[table], next(names))
        yield from _greatest(found, entries, names)

    def _least(self, layout: Layout, table: Table, to: str) -> str:
        """A call of a function of its own, which is written beside."""
        name = f"least{len(self._parts)}"
        self._parts.append(Reader(layout, table, self._cell).function(name))
        return f"  {to} = call i64 @{name}(ptr %p0)"

    def _load(self, array: Any, place: str, to: str, name: str) -> Iterator[str]:
        """An entry of an array, as a number of 64 bits."""
        kind = f"i{8 * memoryview(array).itemsize}"
        yield f"  {name}.at = getelementptr {kind}, ptr %at{self._cell(array)}, i64 {place}"
        yield f"  {name} = load {kind}, ptr {name}.at"
        yield f"  {to} = zext {kind} {name} to i64"


def _greatest(found: Sums, entries: dict[Table, str], names: Iterator[str]) -> Iterator[str]:
    """The estimate, out of the entries; a dead one decides."""
    unit = max((table.unit for table in entries), default=1)
    assert all(table.unit == unit for table in entries)
    best, dead = "0", "false"
    for table, entry in entries.items():
        alive, either = next(names), next(names)
        yield f"  {alive} = icmp uge i64 {entry}, {table.dead}"
        yield f"  {either} = or i1 {dead}, {alive}"
        dead = either
    for group in found:
        total = "0"
        for table in group:
            more = next(names)
            yield f"  {more} = add i64 {total}, {entries[table]}"
            total = more
        above, more = next(names), next(names)
        yield f"  {above} = icmp sgt i64 {total}, {best}"
        yield f"  {more} = select i1 {above}, i64 {total}, i64 {best}"
        best = more
    yield f"  %whole = select i1 {dead}, i64 {lost_of(found)}, i64 {best}"
    yield f"  %value = mul i64 %whole, {unit}"


def _function(body: str, words: int, cells: int) -> str:
    known = [f"  %at{number} = load ptr, ptr @at{number}" for number in range(cells)]
    loads = []
    for k in range(words):
        loads += [f"  %m{k} = mul i64 %s, {words}", f"  %q{k} = add i64 %m{k}, {k}"]
        loads += [f"  %p{k} = getelementptr i64, ptr %states, i64 %q{k}", f"  %w{k} = load i64, ptr %p{k}"]
    return "\n".join([
        "define void @estimate(ptr noalias %states, i64 %n, ptr noalias %values) {",
        "entry:", *known, "  br label %next",
        "next:", "  %s = phi i64 [0, %entry], [%sn, %state]",
        "  %more = icmp slt i64 %s, %n", "  br i1 %more, label %state, label %end",
        "state:", *loads, body,
        "  %to = getelementptr i64, ptr %values, i64 %s", "  store i64 %value, ptr %to",
        "  %sn = add i64 %s, 1", "  br label %next",
        "end:", "  ret void", "}",
    ])  # fmt: skip


class Greatest(Called):
    """The greatest of several estimates at addresses, as one; it keeps what has their code.

    That a state is lost, an estimate of `lost`, is for the first to say: others count as less, however large they are.
    What was consistent stays so.
    """

    def __init__(self, addresses: Sequence[int], words: int, kept: object, lost: int = MOST,
                 keeps: bool = False) -> None:  # fmt: skip
        self._kept = kept
        super().__init__(_of_all(len(addresses), words, lost), words, addresses, keeps)


def _of_all(count: int, words: int, lost: int) -> str:
    lines, best = [], "0"
    for k in range(count):
        most = MOST if k == 0 else lost - 1
        lines += [f"  %at{k} = load ptr, ptr @at{k}", f"  call void %at{k}(ptr %from, i64 1, ptr %one)",
                  f"  %told{k} = load i64, ptr %one", f"  %less{k} = icmp slt i64 %told{k}, {most}",
                  f"  %h{k} = select i1 %less{k}, i64 %told{k}, i64 {most}",
                  f"  %gt{k} = icmp sgt i64 %h{k}, {best}",
                  f"  %best{k} = select i1 %gt{k}, i64 %h{k}, i64 {best}"]  # fmt: skip
        best = f"%best{k}"
    return "\n".join([
        "define void @estimate(ptr noalias %states, i64 %n, ptr noalias %values) {",
        "entry:", "  %one = alloca i64", "  br label %next",
        "next:", "  %s = phi i64 [0, %entry], [%sn, %state]",
        "  %more = icmp slt i64 %s, %n", "  br i1 %more, label %state, label %end",
        "state:", f"  %at = mul i64 %s, {words}", "  %from = getelementptr i64, ptr %states, i64 %at",
        *lines, "  %to = getelementptr i64, ptr %values, i64 %s", f"  store i64 {best}, ptr %to",
        "  %sn = add i64 %s, 1", "  br label %next",
        "end:", "  ret void", "}",
    ])  # fmt: skip
