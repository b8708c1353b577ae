"""Terms of few variables as tables over the packed bits of these variables: one look-up instead of arithmetic.

The index is cut out of the state's words as it lies there, a piece for each run of neighbouring fields. Bit patterns
that no state has get some entry. (Partial evaluation to a table; the idea of a perfect index over packed fields is that
of pattern databases: Culberson and Schaeffer, 1998.)
"""

from __future__ import annotations

import struct
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Protocol

from models.frozen import frozen
from models.terms import Choice, Const, Term, Var, const, few_leaves, substitute
from search.compiler.layout import Field, Layout

CODES = {8: "b", 16: "h", 32: "i", 64: "q"}  # bits of an entry: how `struct` names it
MOST_BITS = 12  # of an index: 4,096 entries, which stay in the first-level cache
HEAVY = 8  # instructions that a look-up must save


@frozen(eq=True)
class Tabulation:
    pieces: tuple[tuple[int, int, int], ...]  # word, shift and width of each run of bits, lowest first
    entries: tuple[int, ...]


@dataclass
class ConstantPool:
    """The constant tables of a module, each once, and the loops."""

    names: dict[tuple[int, ...], tuple[str, int]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    loops: dict[Hashable, str] = field(default_factory=dict)  # names, by what a round is

    def constant(self, table: Iterable[int]) -> tuple[str, int]:
        """(global name, bits of an entry)."""
        key = tuple(table)
        if key not in self.names:
            low, high = min(key), max(key)
            bits = next(b for b in CODES if -(1 << b - 1) <= low and high < 1 << b - 1)
            self.names[key] = self._add(struct.pack(f"={len(key)}{CODES[bits]}", *key)), bits
        return self.names[key]

    def words(self, table: Sequence[int]) -> str:
        """The global name of an array of unsigned words."""
        return self._add(struct.pack(f"={len(table)}Q", *table))

    def _add(self, data: bytes) -> str:
        """A global of these bytes; as text that is the form that is fastest to write and to read."""
        name = f"@table{len(self.lines)}"
        text = "\\" + data.hex(" ").replace(" ", "\\")
        self.lines.append(f'{name} = private unnamed_addr constant [{len(data)} x i8] c"{text}", align 8')
        return name


class Writer(Protocol):
    """Who writes code for terms (`compiler.emitter.Emitter`), as far as tables have to know."""

    layout: Layout
    tables: dict[Term, Tabulation | None]

    def weight(self, term: Term) -> int: ...

    def floating(self, term: Term) -> int: ...


def tabulated(emitter: Writer, term: Term) -> Tabulation | None:
    """The term as a table, where that is possible and pays."""
    tables = emitter.tables
    if term not in tables:
        tables[term] = None
        tables[term] = _tabulated(emitter, term)
    return tables[term]


def _tabulated(emitter: Writer, term: Term) -> Tabulation | None:
    if isinstance(term, Const | Var | Choice) or emitter.weight(term) < HEAVY or emitter.floating(term):
        return None
    few = few_leaves(term)
    if few is None:
        return None
    read = [leaf for leaf in few if isinstance(leaf, Var)]
    fields = sorted({emitter.layout.fields[leaf.index] for leaf in read}, key=lambda f: (f.word, f.shift))
    if sum(f.width for f in fields) > MOST_BITS:
        return None
    pieces = runs(fields)
    if emitter.weight(term) < HEAVY + 3 * (len(pieces) - 1):
        return None
    held = [(each, [leaf for leaf in read if emitter.layout.fields[leaf.index] == each]) for each in fields]
    return Tabulation(pieces, entries_of(term, held))


def runs(fields: Sequence[Field]) -> tuple[tuple[int, int, int], ...]:
    """Neighbouring fields joined to one run of bits."""
    found: list[tuple[int, int, int]] = []
    for each in fields:
        if found and found[-1][0] == each.word and found[-1][1] + found[-1][2] == each.shift:
            found[-1] = each.word, found[-1][1], found[-1][2] + each.width
        else:
            found.append((each.word, each.shift, each.width))
    return tuple(found)


def entries_of(term: Term, held: Sequence[tuple[Field, Sequence[Var]]]) -> tuple[int, ...]:
    """The term for all bit patterns of the fields (a code without a value stands for the last one), each with the
    leaves that it holds, lowest first. From the highest on: what is left of the term is mostly the same for many of its
    values, and is worked out once."""

    @cache
    def listed(term: Term, left: int) -> tuple[int, ...]:
        if not left:
            return tuple(term.values)
        field, leaves = held[left - 1]
        parts = [listed(substitute(term, dict.fromkeys(leaves, const(value))), left - 1) for value in field.values]
        parts += parts[-1:] * ((1 << field.width) - len(parts))
        return tuple(chain.from_iterable(parts))

    return listed(term, len(held))


# -- sums -------------------------------------------------------------------------------------------------------------

JOINT_BITS = 8  # of the neighbouring fields that one table of a sum covers


def summed(layout: Layout, terms: Sequence[tuple[int, Term]]) -> tuple[list[Tabulation], list[tuple[int, Term]]]:
    """The parts that look at one variable each as tables over neighbouring fields, and the other parts."""
    singles: dict[Field, list[tuple[int, Term]]] = {}
    rest = []
    for coefficient, term in terms:
        leaf = _single_variable(term)
        if leaf is None or layout.fields[leaf.index].width > JOINT_BITS // 2:
            rest.append((coefficient, term))
        else:
            singles.setdefault(layout.fields[leaf.index], []).append((coefficient, term))
    groups: list[list[Field]] = []
    for each in sorted(singles, key=lambda f: (f.word, f.shift)):
        last = groups[-1] if groups else []
        if last and len(runs([*last, each])) == 1 and sum(f.width for f in last) + each.width <= JOINT_BITS:
            last.append(each)
        else:
            groups.append([each])
    tables = []
    for group in groups:
        if len(group) == 1:
            rest += singles[group[0]]
        else:
            tables.append(Tabulation(runs(group), _joint_sum(group, singles)))
    return tables, rest


def _single_variable(term: Term) -> Var | None:
    read = few_leaves(term)
    leaf = read[0] if read is not None and len(read) == 1 else None
    return leaf if isinstance(leaf, Var) and not leaf.stage else None


def _joint_sum(group: Sequence[Field], singles: dict[Field, list[tuple[int, Term]]]) -> tuple[int, ...]:
    entries = [0]
    for each in group:
        columns = [(c, _column(term, each)) for c, term in singles[each]]
        parts = [sum(c * column[code] for c, column in columns) for code in range(1 << each.width)]
        entries = [low + high for high in parts for low in entries]
    return tuple(entries)


def _column(term: Term, field: Field) -> tuple[int, ...]:
    """The term of a single variable for every code of its field."""
    leaf = _single_variable(term)
    assert leaf is not None
    return entries_of(term, [(field, [leaf])])
