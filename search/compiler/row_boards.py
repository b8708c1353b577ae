"""Rows that do one thing to a whole board: tests and effects of all cells at once, by shifting bit planes.

"Every cell of the block can move down" is, for each cell, a clause of tests of that cell and the one below. Cells that
lie equally far apart in the words have the same clause up to a shift, so one shift, one `and` and one mask decide it
for all of them; effects likewise. (Bitboards: Adelson-Velsky, Arlazarov and Donskoy's chess program Kaissa, 1970.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

from models.frozen import frozen
from models.metrics import LARGEST
from models.terms import And, Cases, Const, Lookup, Not, Or, Term, Var, is_condition
from search.compiler.emitter import Emitter, Output, literal, signed
from search.compiler.layout import Layout, Whole
from search.compiler.row_tables import NARROW, Plane, plane
from search.compiler.rows import RowPlan, is_old

FEW = 5  # tests that decide the new value of one variable
MANY = 8  # variables or clauses of a row that is worth it


class NotABoard(Exception):
    """The row does something else."""


class Members(NamedTuple):
    """A word of bits that are worked out at once (`layout.Whole`)."""

    whole: Whole
    word: int


class Atom(NamedTuple):
    """A test of one bit: is the code of the field there one of the plane's, or is it in the set? None: in no state."""

    plane: Plane | Members | None
    shift: int


class PlaneTest(NamedTuple):
    """A test of the bit that lies `distance` bits above another one; `positive`: it must be set, else it must not."""

    plane: Plane | Members
    distance: int
    positive: bool


Clause = tuple[PlaneTest, ...]  # all of them
Change = tuple[tuple[int, tuple[Clause, ...]], ...]  # new codes, each where one of the clauses holds


@frozen(eq=True)
class BoardRow:
    action: int
    cost: int
    number: int
    violations: dict[Clause, int]  # at which fields (by their lowest bits, in the first part's word) it must not hold
    changes: dict[tuple[int, int, Change], int]  # word, width and change: at which fields


def board_row(layout: Layout, plan: RowPlan, action: int) -> BoardRow | None:
    """The plan as shifts of planes, where it is nothing else and large enough."""
    single = len(plan.steps) == 1 and not plan.loops and isinstance(plan.cost, Const)
    if not single or not isinstance(plan.cost, Const) or abs(plan.cost.value) > LARGEST:
        return None
    if max(len(plan.changed), len(plan.tests)) < MANY or plan.always:
        return None
    meanings = dict(plan.steps[0].definitions)
    row = BoardRow(action, plan.cost.value, plan.number, {}, {})
    try:
        for test in plan.tests:
            _add_violation(layout, test, row.violations)
        for index in plan.changed:
            _add_change(layout, index, meanings.get(plan.final[index], plan.final[index]), row.changes)
    except NotABoard:
        return None
    return row


def _add_violation(layout: Layout, test: Term, violations: dict[Clause, int]) -> None:
    """A clause of tests is violated where all of them fail."""
    parts = []
    for part in test.arguments if isinstance(test, Or) else (test,):
        atom, positive = _atom(layout, part)
        if atom.plane:
            parts.append((atom, not positive))
        elif positive:
            return  # holds in every state
    if not parts:
        raise NotABoard
    anchor = parts[0][0].shift
    clause = tuple(_part(atom, positive, anchor) for atom, positive in parts)
    violations[clause] = violations.get(clause, 0) | 1 << anchor


def _atom(layout: Layout, term: Term) -> tuple[Atom, bool]:
    """(a test of few codes or of a set, whether it must hold); without a plane: the term always holds, or never."""
    bit = layout.bits.get(term)
    if bit is not None:
        return Atom(Members(bit.whole, bit.word), bit.shift), bit.positive
    found = literal(layout, term)
    if found is None:
        raise NotABoard
    field, codes = found
    if field.width > NARROW or not is_condition(term):
        raise NotABoard
    if not field.width:
        return Atom(None, 0), bool(codes)
    few = codes if len(codes) * 2 <= len(field.values) else [n for n in range(len(field.values)) if n not in codes]
    tested = Plane(field.word, field.width, tuple(few)) if few else None
    return Atom(tested, field.shift), bool(codes) if few is codes else not few


def _part(atom: Atom, positive: bool, anchor: int) -> PlaneTest:
    assert atom.plane is not None
    return PlaneTest(atom.plane, atom.shift - anchor, positive)


# -- effects ----------------------------------------------------------------------------------------------------------


def _add_change(layout: Layout, index: int, value: Term, changes: dict[tuple[int, int, Change], int]) -> None:
    own = layout.fields[index]
    if not own.width:
        return
    atoms = list(dict.fromkeys(_atoms(layout, value, index)))
    if len(atoms) > FEW:
        raise NotABoard
    clauses: dict[int, list[Clause]] = {}
    for truths in product((False, True), repeat=len(atoms)):
        known = dict(zip(atoms, truths, strict=True))
        found = _decided(layout, value, index, known)
        if found is not None:
            if found not in own.codes:
                continue  # an impossible case
            clause = tuple(_part(atom, truth, own.shift) for atom, truth in known.items())
            clauses.setdefault(own.codes[found], []).append(clause)
    change = tuple((code, tuple(found)) for code, found in clauses.items())
    key = own.word, own.width, change
    changes[key] = changes.get(key, 0) | 1 << own.shift


def _atoms(layout: Layout, term: Term, index: int) -> Iterator[Atom]:
    """The tests that decide a value; NotABoard where something else does."""
    match term:
        case Const():
            return
        case Var() if is_old(term, index) and not is_condition(term):
            return
        case Cases(cases=pairs, otherwise=otherwise):
            for condition, value in pairs:
                yield from _atoms(layout, condition, -1)
                yield from _atoms(layout, value, index)
            yield from _atoms(layout, otherwise, index)
        case Lookup(argument=argument) if is_condition(argument):
            yield from _atoms(layout, argument, -1)
        case And() | Or() if term not in layout.bits:
            for part in layout.grouped(term):
                yield from _atoms(layout, part, -1)
        case _:
            atom, _ = _atom(layout, term)
            if atom.plane:
                yield atom


def _decided(layout: Layout, term: Term, index: int, known: Mapping[Atom, bool]) -> int | None:
    """The new value where the tests turn out so; None: it stays."""
    match term:
        case Const(value=value):
            return value
        case Var() if is_old(term, index) and not is_condition(term):
            return None
        case Cases(cases=pairs, otherwise=otherwise):
            chosen = next((value for condition, value in pairs if _decided(layout, condition, -1, known)), otherwise)
            return _decided(layout, chosen, index, known)
        case Lookup(argument=argument, table=table):
            place = argument.values.index(_decided(layout, argument, -1, known) or 0)
            return table[place] or 0
        case And() if term not in layout.bits:
            return int(all(_decided(layout, part, -1, known) for part in layout.grouped(term)))
        case Or() if term not in layout.bits:
            return int(any(_decided(layout, part, -1, known) for part in layout.grouped(term)))
        case Not(argument=argument) if not isinstance(argument, Var):
            return 1 - (_decided(layout, argument, -1, known) or 0)
    atom, positive = _atom(layout, term)
    return int(known[atom] == positive if atom.plane else positive)


# -- printing ---------------------------------------------------------------------------------------------------------


def write_board(emitter: Emitter, output: Output, row: BoardRow) -> None:
    bad = "0"
    for clause, mask in row.violations.items():
        bad = emitter.value(f"or i64 {bad}, {_where(emitter, clause, mask)}")
    with emitter.when(emitter.value(f"icmp eq i64 {bad}, 0"), row.number + 1):
        output.add(emitter, _after(emitter, row), str(row.action), str(row.cost))


def _where(emitter: Emitter, clause: Clause, mask: int) -> str:
    """The anchors of the mask where all parts of the clause hold."""
    result = str(signed(mask))
    for part in clause:
        bits = _shifted(emitter, part)
        result = emitter.value(f"and i64 {result}, {bits}")
    return result


def _shifted(emitter: Emitter, part: PlaneTest) -> str:
    """The part's plane moved to the anchors; once a state."""
    found = emitter.known(part)
    if found is None:
        bits = _bits(emitter, part.plane)
        with emitter.at(0):
            if part.distance:
                shift = "lshr" if part.distance > 0 else "shl"
                bits = emitter.value(f"{shift} i64 {bits}, {abs(part.distance)}")
            found = bits if part.positive else emitter.value(f"xor i64 {bits}, -1")
            emitter.bind(part, found)
    return found


def _bits(emitter: Emitter, tested: Plane | Members) -> str:
    if isinstance(tested, Plane):
        return plane(emitter, tested)
    with emitter.at(0):
        return emitter.word_of(tested.whole, tested.word)


def _after(emitter: Emitter, row: BoardRow) -> list[str]:
    holes, filled = ["0"] * len(emitter.words), ["0"] * len(emitter.words)
    for (word, width, change), mask in row.changes.items():
        for code, clauses in change:
            where = "0"
            for clause in clauses:
                where = emitter.value(f"or i64 {where}, {_where(emitter, clause, mask)}")
            hole = emitter.value(f"mul i64 {where}, {(1 << width) - 1}")
            holes[word] = emitter.value(f"or i64 {holes[word]}, {hole}")
            if code:
                filled[word] = emitter.value(f"or i64 {filled[word]}, {emitter.value(f'mul i64 {where}, {code}')}")
    return [_patched(emitter, *parts) for parts in zip(emitter.words, holes, filled, strict=True)]


def _patched(emitter: Emitter, word: str, hole: str, filled: str) -> str:
    kept = emitter.value(f"and i64 {word}, {emitter.value(f'xor i64 {hole}, -1')}")
    return emitter.value(f"or i64 {kept}, {filled}")
