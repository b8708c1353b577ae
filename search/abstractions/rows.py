"""Sums over tokens as machine code: a row of numbers for each variable that does not rest, and the least of their sums.

Most variables have a value of which there is nothing to add. What differs from that is found by bits, so that the work
is for each token, not for each square; sixteen numbers of a row are added at once. A token that never moves is left
out, wherever there is no other value, or nothing but tokens: it takes as much off all states.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from search.abstractions.derived import Table
from search.abstractions.pieces import LANES, padded
from search.compiler.layout import WORD, Layout

KIND = f"<{LANES} x i16>"
DECLARED = f"""declare {KIND} @llvm.uadd.sat.v{LANES}i16({KIND}, {KIND})
declare {KIND} @llvm.umin.v{LANES}i16({KIND}, {KIND})
declare i16 @llvm.vector.reduce.umin.v{LANES}i16({KIND})
declare i64 @llvm.cttz.i64(i64, i1)"""


def numbers(found: Sequence[int], kind: Any = ctypes.c_uint64) -> Any:
    """An array without NumPy, of numbers that fit."""
    return (kind * len(found))(*found)


class Reader:
    """The least sum of a table for states of a layout."""

    def __init__(self, layout: Layout, table: Table, keep: Callable[[Any], int]) -> None:
        """`keep` gives the number of the cell with the address of an array, which it keeps."""
        self.layout, self.table, self.keep = layout, table, keep
        self.wide = padded(table.ends)
        self.groups = range(self.wide // LANES)
        self.told = [(each, [weights[value] for value in each.values])
                     for each, weights in zip(layout.fields, table.weights, strict=True) if each.width]  # fmt: skip
        self.told = [(each, rows) for each, rows in self.told if any(rows) and 0 in rows]

    def offsets(self) -> tuple[list[int], list[int]]:
        """For the bit where a field begins its mask, and where it begins among the offsets of rows, by what differs."""
        fields = [0] * (2 * WORD * self.layout.words)
        found: list[int] = []
        for each, rows in self.told:
            bit = 2 * (WORD * each.word + each.shift)
            fields[bit : bit + 2] = (1 << each.width) - 1, len(found)
            known = dict(enumerate(rows))
            found += [2 * self.wide * known.get(bits ^ resting(rows), 0) for bits in range(1 << each.width)]
        return fields, found

    def masks(self, word: int) -> list[int]:
        """What rests in a word, and where there are fields of one bit, two bits, ..."""
        inside = [(each, rows) for each, rows in self.told if each.word == word]
        rest = sum(resting(rows) << each.shift for each, rows in inside)
        return [rest, *(sum(1 << each.shift for each, _ in inside if each.width > bit) for bit in self.bits)]

    @property
    def bits(self) -> range:
        return range(max((each.width for each, _ in self.told), default=0))

    # -- as text -------------------------------------------------------------------------------------------------------

    def function(self, name: str) -> str:
        """i64 name(ptr state)"""
        masks = [self.masks(word) for word in range(self.layout.words)]
        arrays = [mask for each in masks for mask in each], *self.offsets()
        known = [*map(self._known, ("masks", "fields", "offsets"), (numbers(each or [0]) for each in arrays)),
                 self._known("table", self.table.far)]  # fmt: skip
        return "\n".join([
            f"define internal i64 @{name}(ptr %state) {{",
            "begin:", *known, "  br label %word",
            "word:", "  %k = phi i64 [0, %begin], [%kn, %next]", *self._sums("sum", None, "begin", "had", "next"),
            *self._differing("%masks", len(masks[0])), "  br label %test",
            "test:", "  %left = phi i64 [%differ, %word], [%less, %add]",
            *self._sums("had", "sum", "word", "more", "add"),
            "  %done = icmp eq i64 %left, 0", "  br i1 %done, label %next, label %add",
            "add:", *self._adding("%fields", "%offsets"), "  br label %test",
            "next:", "  %kn = add i64 %k, 1", f"  %last = icmp eq i64 %kn, {self.layout.words}",
            "  br i1 %last, label %end, label %word",
            "end:", *self._least(), "}",
        ])  # fmt: skip

    def _known(self, name: str, array: Any) -> str:
        return f"  %{name} = load ptr, ptr @at{self.keep(array)}"

    def _sums(self, name: str, first: str | None, entry: str, later: str, back: str) -> list[str]:
        """They come from `entry`, at first nothing, or from what was added."""
        told = {g: f"%{first}{g}" if first else "zeroinitializer" for g in self.groups}
        return [f"  %{name}{g} = phi {KIND} [{told[g]}, %{entry}], [%{later}{g}, %{back}]" for g in self.groups]

    def _vectors(self, name: str, row: str) -> Iterator[str]:
        for g in self.groups:
            yield f"  %{name}{g}.at = getelementptr {KIND}, ptr {row}, i64 {g}"
            yield f"  %{name}{g} = load {KIND}, ptr %{name}{g}.at, align 2"

    def _differing(self, masks: str, size: int) -> Iterator[str]:
        """`%x` is the word without what rests, and the first bit of each field that is left is in `%differ`."""
        yield from load("%w", "%state", "%k")
        yield f"  %row = mul i64 %k, {size}"
        for place in range(size):
            yield f"  %at{place} = add i64 %row, {place}"
            yield from load(f"%mask{place}", masks, f"%at{place}")
        yield "  %x = xor i64 %w, %mask0"
        differ = "0"
        for bit in self.bits:
            yield f"  %moved{bit} = lshr i64 %x, {bit}"
            yield f"  %kept{bit} = and i64 %moved{bit}, %mask{bit + 1}"
            yield f"  %or{bit} = or i64 {differ}, %kept{bit}"
            differ = f"%or{bit}"
        yield f"  %differ = or i64 {differ}, 0"

    def _adding(self, fields: str, offsets: str) -> Iterator[str]:
        """The row of the first field that is left."""
        yield "  %bit = call i64 @llvm.cttz.i64(i64 %left, i1 true)"
        yield from ("  %below = sub i64 %left, 1", "  %less = and i64 %left, %below")
        yield from (f"  %first = mul i64 %k, {WORD}", "  %there = add i64 %first, %bit", "  %one = shl i64 %there, 1")
        yield from load("%mask", fields, "%one")
        yield "  %two = add i64 %one, 1"
        yield from load("%begins", fields, "%two")
        yield from (
            "  %field = lshr i64 %x, %bit",
            "  %value = and i64 %field, %mask",
            "  %of = add i64 %begins, %value",
        )
        yield from load("%offset", offsets, "%of")
        yield "  %rows = getelementptr i8, ptr %table, i64 %offset"
        yield from self._vectors("new", "%rows")
        for g in self.groups:
            yield f"  %more{g} = call {KIND} @llvm.uadd.sat.v{LANES}i16({KIND} %had{g}, {KIND} %new{g})"

    def _least(self) -> Iterator[str]:
        least = "%had0"
        for g in self.groups[1:]:
            yield f"  %least{g} = call {KIND} @llvm.umin.v{LANES}i16({KIND} {least}, {KIND} %had{g})"
            least = f"%least{g}"
        yield f"  %short = call i16 @llvm.vector.reduce.umin.v{LANES}i16({KIND} {least})"
        yield from ("  %long = zext i16 %short to i64", "  ret i64 %long")


def resting(rows: Sequence[int]) -> int:
    """The code of a value of which there is nothing to add: a square that may change is empty in between."""
    return rows.index(0)


def load(name: str, array: str, place: str) -> tuple[str, str]:
    """A number of 64 bits."""
    return f"  {name}.in = getelementptr i64, ptr {array}, i64 {place}", f"  {name} = load i64, ptr {name}.in"
