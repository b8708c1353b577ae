"""Rows that are all masks, as records of a table: one loop serves hundreds of actions, and compiles in no time.

Such a row tests single variables and writes constants or copies. Its test is two operations a word: equalities are one
masked comparison, other tests say which values a variable must not have. For these, a *plane* has one bit for each
field of a width, at the field's lowest bit: set where the field holds a given code, worked out for all fields at once
(bit-parallel comparison; Lamport, Multiple byte processing with full-word instructions, 1975).

Not all rows are looked at: each is filed under one of its equalities, and only the rows filed under what the state
holds are tested - a successor generator (Helmert 2006) whose switch is a loop over the set bits of a plane.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from models.frozen import frozen
from models.metrics import LARGEST
from models.terms import Const, Term, Var
from search.compiler.emitter import Emitter, Output, literal, signed
from search.compiler.layout import Field, Layout
from search.compiler.rows import RowPlan

FEW = 3  # values that are forbidden one by one
NARROW = 4  # bits of a field whose planes are cheap
ALL = (1 << 64) - 1
UNROLLED = 4  # rows of a bucket that are tested without a loop
LANES = 4  # words that are tested at once
VECTOR = f"<{LANES} x i64>"


class Plane(NamedTuple):
    """The fields of `width` bits in a word that hold one of `codes`."""

    word: int
    width: int
    codes: tuple[int, ...]


@frozen(eq=True)
class MaskRow:
    action: int
    cost: int
    fixed: tuple[tuple[Field, int], ...]  # equalities: field, code
    forbidden: dict[Plane, int]  # where the plane must have no bit
    written: dict[int, tuple[int, int]]  # word: bits that are cleared, bits that are set
    copies: tuple[tuple[Field, Field], ...]  # from, to


def mask_row(layout: Layout, plan: RowPlan, action: int) -> MaskRow | None:
    """The plan as masks, where it is nothing else."""
    if plan.loops or any(step.definitions for step in plan.steps) or not isinstance(plan.cost, Const):
        return None
    if abs(plan.cost.value) > LARGEST:
        return None  # who compiles it tells
    tests = _merged(layout, [*plan.tests, *(test for step in plan.steps for test in step.tests), *plan.always])
    effects = _effects(layout, {index: plan.final[index] for index in plan.changed})
    if tests is None or effects is None:
        return None
    fixed = tuple((field, min(codes)) for field, codes in tests.items() if len(codes) == 1)
    forbidden: dict[Plane, int] = {}
    for field, codes in tests.items():
        if len(codes) == 1:
            continue
        for plane in _planes(field, codes):
            forbidden[plane] = forbidden.get(plane, 0) | 1 << field.shift
    return MaskRow(action, plan.cost.value, fixed, forbidden, *effects)


def _merged(layout: Layout, tests: Iterable[Term]) -> dict[Field, set[int]] | None:
    """The codes that the tests leave each field, where they look at single fields only."""
    kept: dict[Field, set[int]] = {}
    for test in tests:
        found = literal(layout, test)
        if found is None:
            return None
        field, codes = found
        kept[field] = kept.get(field, set(codes)) & set(codes)
    limited = {field: codes for field, codes in kept.items() if len(codes) < len(field.values)}
    return limited if all(codes and _easy(field, codes) for field, codes in limited.items()) else None


def _easy(field: Field, codes: set[int]) -> bool:
    return len(codes) == 1 or field.width <= NARROW or len(field.values) - len(codes) <= FEW


def _planes(field: Field, codes: set[int]) -> list[Plane]:
    outside = [code for code in range(len(field.values)) if code not in codes]
    if len(outside) <= FEW:
        return [Plane(field.word, field.width, (code,)) for code in outside]
    return [Plane(field.word, field.width, tuple(outside))]


def _effects(
    layout: Layout, changed: Mapping[int, Term]
) -> tuple[dict[int, tuple[int, int]], tuple[tuple[Field, Field], ...]] | None:
    written: dict[int, tuple[int, int]] = {}
    copies = []
    for index, term in changed.items():
        field = layout.fields[index]
        if not field.width:
            continue
        code = 0
        match term:
            case Const(value=value) if value in field.codes:
                code = field.codes[value]
            case Var(stage=0, index=other) if layout.fields[other].values == field.values:
                copies.append((layout.fields[other], field))
            case _:
                return None
        cleared, constant = written.get(field.word, (0, 0))
        written[field.word] = cleared | field.mask, constant | code << field.shift
    return written, tuple(copies)


# -- filing -----------------------------------------------------------------------------------------------------------


class Key(NamedTuple):
    """What a row is filed under: a plane of one code, or (`field` given) the value of a single field."""

    plane: Plane
    field: Field | None = None


@frozen(eq=True)
class File:
    key: Key | None  # None: all rows are looked at
    buckets: dict[int, list[MaskRow]]  # by the field's lowest bit, or by its code


def file_rows(layout: Layout, rows: Sequence[MaskRow], start: Sequence[int]) -> list[File]:
    """The rows filed so that few are looked at in a state like the start."""
    chosen: dict[Key | None, dict[int, list[MaskRow]]] = {}
    load = _expected(layout, rows, start)
    for row in rows:
        key, bucket = min((_filing(*fixed) for fixed in row.fixed), key=lambda found: load[found[0]], default=(None, 0))
        chosen.setdefault(key, {}).setdefault(bucket, []).append(row)
    return [File(key, buckets) for key, buckets in chosen.items()]


def _filing(field: Field, code: int) -> tuple[Key, int]:
    """(key, bucket) of a row that wants this code in this field."""
    if field.width <= NARROW:
        return Key(Plane(field.word, field.width, (code,))), field.shift
    return Key(Plane(field.word, field.width, ()), field), code


def _filed(row: MaskRow, key: Key | None) -> tuple[Field, int] | None:
    """The equality that the row is filed under; where two would do, the first."""
    return next((fixed for fixed in row.fixed if _filing(*fixed)[0] == key), None)


def _expected(layout: Layout, rows: Sequence[MaskRow], start: Sequence[int]) -> dict[Key, float]:
    """The share of a key's buckets that a state opens, seen at the start."""
    buckets: dict[Key, set[int]] = {}
    for row in rows:
        for key, bucket in (_filing(*fixed) for fixed in row.fixed):
            buckets.setdefault(key, set()).add(bucket)
    held: Counter[Plane] = Counter()
    for field, value in zip(layout.fields, start, strict=True):
        held[Plane(field.word, field.width, (field.codes.get(value, 0),))] += 1
    return {
        key: (max(1, min(held[key.plane], len(found))) if key.field is None else 1) / len(found)
        for key, found in buckets.items()
    }


# -- printing ---------------------------------------------------------------------------------------------------------


def write_file(emitter: Emitter, output: Output, file: File) -> None:
    """The loop over the rows that the state opens."""
    order = sorted(file.buckets)
    if file.key is None:
        records = MaskRecords(emitter, file.buckets[0], None)
        with emitter.loop(str(len(file.buckets[0]))) as row:
            write_row(emitter, output, records, row)
    elif file.key.field is not None:
        write_bucket(emitter, output, file, order, emitter.bits(file.key.field))
    else:
        mask = sum(1 << bucket for bucket in order)
        opened = emitter.value(f"and i64 {plane(emitter, file.key.plane)}, {signed(mask)}")
        with emitter.set_bits(opened) as bit:
            write_bucket(emitter, output, file, order, bit)


def write_bucket(emitter: Emitter, output: Output, file: File, order: Sequence[int], bucket: str) -> None:
    """The rows of a bucket; where all buckets are small, as many for each, so that no branch is mispredicted."""
    most = max(map(len, file.buckets.values()))
    if file.key is not None and file.key.field is None and most <= UNROLLED:
        rows = [row for place in order for row in _filled_up(file.buckets[place], most, file.key, place)]
        records = MaskRecords(emitter, rows, file.key)
        first = emitter.fetched([most * order.index(n) if n in order else 0 for n in range(order[-1] + 1)], bucket)
        for k in range(most):
            write_row(emitter, output, records, emitter.value(f"add i64 {first}, {k}"))
        return
    records = MaskRecords(emitter, [row for place in order for row in file.buckets[place]], file.key)
    starts = [0]
    for place in range(1 << file.key.field.width if file.key and file.key.field else order[-1] + 1):
        starts.append(starts[-1] + len(file.buckets.get(place, ())))
    with emitter.loop(emitter.fetched(starts[1:], bucket), emitter.fetched(starts[:-1], bucket)) as row:
        write_row(emitter, output, records, row)


def _filled_up(rows: Sequence[MaskRow], size: int, key: Key, bit: int) -> list[MaskRow]:
    """The bucket's rows, and rows that never apply, because they forbid what the bucket is opened by."""
    never = replace(rows[0], forbidden={**rows[0].forbidden, key.plane: 1 << bit})
    return [*rows, *[never] * (size - len(rows))]


def write_row(emitter: Emitter, output: Output, records: MaskRecords, row: str) -> None:
    base = emitter.value(f"mul i64 {row}, {records.size}")
    with emitter.when(records.test(emitter, base), 0):
        words = records.after(emitter, base)
        output.add(emitter, words, records.column(emitter, base, "action"), records.column(emitter, base, "cost"))


def plane(emitter: Emitter, wanted: Plane) -> str:
    """The plane as a word; once a state."""
    found = emitter.known(wanted)
    if found is None:
        with emitter.at(0):
            codes = [_equal_plane(emitter, wanted.word, wanted.width, code) for code in wanted.codes]
            found = codes[0]
            for other in codes[1:]:
                found = emitter.value(f"or i64 {found}, {other}")
            emitter.bind(wanted, found)
    return found


def _equal_plane(emitter: Emitter, word: int, width: int, code: int) -> str:
    low = sum(1 << f.shift for f in set(emitter.layout.fields) if (f.word, f.width) == (word, width))
    result = str(signed(low))
    for bit in range(width):
        digit = _bit_plane(emitter, word, bit, inverted=not code >> bit & 1)
        result = emitter.value(f"and i64 {result}, {digit}")
    return result


def _bit_plane(emitter: Emitter, word: int, bit: int, inverted: bool) -> str:
    key = ("bit plane", word, bit, inverted)
    found = emitter.known(key)
    if found is None:
        text = emitter.words[word]
        text = emitter.value(f"lshr i64 {text}, {bit}") if bit else text
        found = emitter.value(f"xor i64 {text}, -1") if inverted else text
        emitter.bind(key, found)
    return found


def tested(emitter: Emitter, name: object) -> str:
    """The word of this name: a plane, or one of the state's, or the complement of one."""
    match name:
        case Plane():
            return plane(emitter, name)
        case ("word", int(w)):
            return emitter.words[w]
        case ("complement", int(w)):
            return emitter.value(f"xor i64 {emitter.words[w]}, -1")
    return "0"


def vector(emitter: Emitter, names: tuple[object, ...]) -> str:
    """These words side by side; once a state."""
    found = emitter.known(names)
    if found is None:
        with emitter.at(0):
            found = "zeroinitializer"
            for lane, name in enumerate(names):
                word = tested(emitter, name)
                found = emitter.value(f"insertelement {VECTOR} {found}, i64 {word}, i64 {lane}")
            emitter.bind(names, found)
    return found


class Records:
    """Rows as a constant array of words; a column that is the same in all rows is a constant instead."""

    def __init__(self, emitter: Emitter, columns: Mapping[object, Sequence[int]], first: Sequence[object] = ()) -> None:
        """The columns `first` begin each record, side by side, whatever they hold."""
        varying = [key for key, column in columns.items() if len(set(column)) > 1]
        stored = list(dict.fromkeys([*first, *varying]))
        self.constants = {key: column[0] for key, column in columns.items() if key not in stored}
        self.places = {key: number for number, key in enumerate(stored)}
        self.size = max(1, len(stored))
        rows = zip(*(columns[key] for key in stored), strict=True)
        self.name = emitter.pool.words([value for row in rows for value in row] or [0])

    def column(self, emitter: Emitter, base: str, key: object, kind: str = "i64") -> str:
        """The row's entry, or a vector that begins with it; `base` is the row's number times `size`."""
        if key in self.constants:
            return str(signed(self.constants[key]))
        place = emitter.value(f"add i64 {base}, {self.places[key]}") if self.places[key] else base
        pointer = emitter.value(f"getelementptr i64, ptr {self.name}, i64 {place}")
        return emitter.value(f"load {kind}, ptr {pointer}, align 8")


class MaskRecords(Records):
    """What mask rows test and write.

    All tests are of one kind: some word must have none of certain bits. The words are planes, or a word of the state
    (where a fixed code has no bit) or its complement (where it has one); four of them are tested by one instruction.
    """

    def __init__(self, emitter: Emitter, rows: Sequence[MaskRow], key: Key | None) -> None:
        self.words = range(emitter.layout.words)
        self.copies = range(max(len(row.copies) for row in rows))
        columns = self._tests(rows, key)
        self.tests = [name for name, column in columns.items() if any(column)]
        self.vectors = [self.tests[n : n + LANES] for n in range(0, len(self.tests), LANES)]
        if self.vectors and len(self.vectors[-1]) < LANES - 1:
            self.vectors.pop()
        for k, names in enumerate(self.vectors):
            if len(names) < LANES:
                names.append(("nothing", k))
                columns["nothing", k] = [0] * len(rows)
        side_by_side = [name for names in self.vectors for name in names]
        for w in self.words:
            columns["keep", w] = [~row.written.get(w, (0, 0))[0] & ALL for row in rows]
            columns["set", w] = [row.written.get(w, (0, 0))[1] for row in rows]
        for k in self.copies:
            pairs = [row.copies[k] if k < len(row.copies) else None for row in rows]
            columns["from word", k] = [pair[0].word if pair else 0 for pair in pairs]
            columns["from", k] = [pair[0].shift if pair else 0 for pair in pairs]
            columns["width", k] = [(1 << pair[0].width) - 1 if pair else 0 for pair in pairs]
            columns["to", k] = [pair[1].shift if pair else 0 for pair in pairs]
            for w in self.words:
                columns["to word", k, w] = [ALL if pair and pair[1].word == w else 0 for pair in pairs]
        columns["action"] = [row.action for row in rows]
        columns["cost"] = [row.cost for row in rows]
        super().__init__(emitter, columns, side_by_side)

    def _tests(self, rows: Sequence[MaskRow], key: Key | None) -> dict[object, list[int]]:
        """For each word that is tested the bits that each row wants to be 0."""
        planes = dict.fromkeys(p for row in rows for p in row.forbidden)
        columns: dict[object, list[int]] = {p: [row.forbidden.get(p, 0) for row in rows] for p in planes}
        for w in self.words:
            columns["word", w] = [0] * len(rows)
            columns["complement", w] = [0] * len(rows)
        for number, row in enumerate(rows):
            filed = _filed(row, key)
            for field, code in (fixed for fixed in row.fixed if fixed is not filed):
                if 2 < len(field.values) <= LANES + 1:
                    for other in range(len(field.values)):
                        name = Plane(field.word, field.width, (other,))
                        column = columns.setdefault(name, [0] * len(rows))
                        column[number] |= (other != code) << field.shift
                else:
                    columns["word", field.word][number] |= field.mask & ~(code << field.shift)
                    columns["complement", field.word][number] |= code << field.shift
        return columns

    def test(self, emitter: Emitter, base: str) -> str:
        """Does the row apply? (i1)"""
        bad = "0"
        for name in self.tests[LANES * len(self.vectors) :]:
            hit = emitter.value(f"and i64 {tested(emitter, name)}, {self.column(emitter, base, name)}")
            bad = emitter.value(f"or i64 {bad}, {hit}")
        good = emitter.value(f"icmp eq i64 {bad}, 0")
        if not self.vectors:
            return good
        hits = "zeroinitializer"
        for names in self.vectors:
            wanted = self.column(emitter, base, names[0], VECTOR)
            hit = emitter.value(f"and {VECTOR} {vector(emitter, tuple(names))}, {wanted}")
            hits = emitter.value(f"or {VECTOR} {hits}, {hit}")
        lanes = emitter.value(f"icmp ne {VECTOR} {hits}, zeroinitializer")
        any_hit = emitter.value(f"bitcast <{LANES} x i1> {lanes} to i{LANES}")
        return emitter.value(f"and i1 {good}, {emitter.value(f'icmp eq i{LANES} {any_hit}, 0')}")

    def after(self, emitter: Emitter, base: str) -> list[str]:
        """The words of the successor."""
        words = []
        for w, word in enumerate(emitter.words):
            if self.constants.get(("keep", w)) != ALL:
                word = emitter.value(f"and i64 {word}, {self.column(emitter, base, ('keep', w))}")
                word = emitter.value(f"or i64 {word}, {self.column(emitter, base, ('set', w))}")
            words.append(word)
        for k in self.copies:
            moved = self.moved(emitter, base, k)
            for w in self.words:
                if self.constants.get(("to word", k, w)) != 0:
                    part = emitter.value(f"and i64 {moved}, {self.column(emitter, base, ('to word', k, w))}")
                    words[w] = emitter.value(f"or i64 {words[w]}, {part}")
        return words

    def moved(self, emitter: Emitter, base: str, k: int) -> str:
        """The field that the k-th copy moves, at its new place."""
        source = emitter.picked(self.column(emitter, base, ("from word", k)))
        shifted = emitter.value(f"lshr i64 {source}, {self.column(emitter, base, ('from', k))}")
        code = emitter.value(f"and i64 {shifted}, {self.column(emitter, base, ('width', k))}")
        return emitter.value(f"shl i64 {code}, {self.column(emitter, base, ('to', k))}")
