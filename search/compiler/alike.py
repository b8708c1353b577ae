"""Conditions at many places as the bits of one word: those that differ in their place only are worked out at once.

"This cell has the corner's colour" is one comparison of a whole word with the colour repeated (as in Lamport, Multiple
byte processing with full-word instructions, 1975); what is like no other condition becomes a bit by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

from models.terms import And, Compare, Const, Or, Term, Var, few_leaves
from search.compiler.emitter import Emitter, literal, signed
from search.compiler.layout import Field, Layout
from search.compiler.row_tables import NARROW, Plane, plane


class Fields(NamedTuple):
    """The fields that lie so many bits above the places, in this word."""

    word: int
    width: int
    distance: int


class Held(NamedTuple):
    """Do the fields hold one of these codes?"""

    fields: Fields
    codes: tuple[int, ...]
    positive: bool


class Same(NamedTuple):
    """Do the fields hold what other fields do, or what one variable does?"""

    fields: Fields
    other: Fields | Var
    positive: bool


class Joined(NamedTuple):
    """All or some of several."""

    operator: str
    parts: tuple[Pattern, ...]


Pattern = Held | Same | Joined | Term  # a term is the same at all places
MOST = 64  # parts of a condition that is compared with others; parts that it has twice count twice


def at_once(emitter: Emitter, conditions: Mapping[int, Term]) -> str:
    """The word whose bits are these conditions; its other bits are 0."""
    shared = _shared(conditions.values())
    sizes: dict[Term, int] = {}
    groups: dict[Pattern, int] = {}
    constant, found = 0, []
    for place, term in conditions.items():
        pattern = _pattern(emitter.layout, term, place, shared) if _parts(term, sizes) <= MOST else None
        if isinstance(term, Const):
            constant |= term.value << place
        elif pattern is None:
            number = emitter.number(term)
            found.append(emitter.value(f"shl i64 {number}, {place}") if place else number)
        else:
            groups[pattern] = groups.get(pattern, 0) | 1 << place
    for pattern, mask in groups.items():
        found.append(emitter.value(f"and i64 {_written(emitter, pattern, mask)}, {signed(mask)}"))
    return any_of(emitter, [*found, str(signed(constant))] if constant or not found else found)


def any_of(emitter: Emitter, words: list[str]) -> str:
    found = words[0]
    for other in words[1:]:
        found = emitter.value(f"or i64 {found}, {other}")
    return found


def _shared(conditions: Iterable[Term]) -> set[Term]:
    """The leaves that more than half of the conditions read."""
    each = [few_leaves(term) or () for term in conditions]
    counts = Counter(leaf for leaves in each for leaf in leaves)
    return {leaf for leaf, count in counts.items() if 2 * count > len(each)}


def _parts(term: Term, known: dict[Term, int]) -> int:
    """How many parts a pattern of the condition would have: as a tree, which may be far more than there are terms."""
    if not isinstance(term, And | Or):
        return 1
    if term not in known:
        known[term] = sum(_parts(part, known) for part in term.arguments)
    return known[term]


def _pattern(layout: Layout, term: Term, place: int, shared: Container[Term]) -> Pattern | None:
    """The condition, seen from its place; None where it is like no other."""
    leaves = few_leaves(term)
    if leaves is not None and all(leaf in shared for leaf in leaves):
        return term
    match term:
        case And(arguments=arguments) | Or(arguments=arguments):
            parts = [_pattern(layout, part, place, shared) for part in arguments]
            known = tuple(part for part in parts if part is not None)
            operator = "and" if isinstance(term, And) else "or"
            return Joined(operator, known) if len(known) == len(parts) else None
        case Compare(comparison="==" | "!=", left=Var(stage=0) as left, right=Var(stage=0) as right):
            own, other = (right, left) if left in shared else (left, right)
            return _same(layout, own, other, place, shared, term.comparison == "==")
    return _held(layout, term, place)


def _held(layout: Layout, term: Term, place: int) -> Held | None:
    found = literal(layout, term)
    if found is None or not 0 < found[0].width <= NARROW:
        return None
    field, codes = found
    others = [code for code in range(len(field.values)) if code not in codes]
    fewer = codes if len(codes) <= len(others) else others
    return Held(_fields(field, place), tuple(fewer), fewer is codes) if fewer else None


def _same(layout: Layout, own: Var, other: Var, place: int, shared: Container[Term], positive: bool) -> Same | None:
    """Codes are equal where values are, if both fields have the same ones."""
    one, two = layout.fields[own.index], layout.fields[other.index]
    if one.values != two.values or not one.width:
        return None
    return Same(_fields(one, place), other if other in shared else _fields(two, place), positive)


def _fields(field: Field, place: int) -> Fields:
    return Fields(field.word, field.width, field.shift - place)


# -- printing ---------------------------------------------------------------------------------------------------------


def _written(emitter: Emitter, pattern: Pattern, mask: int) -> str:
    """A word that has the condition's truth at the places of the mask, and anything elsewhere."""
    match pattern:
        case Held(fields=fields, codes=codes, positive=positive):
            bits = plane(emitter, Plane(fields.word, fields.width, codes))
            return _turned(emitter, moved(emitter, bits, fields.distance), positive)
        case Same(fields=fields, other=other, positive=positive):
            bits = _differing(emitter, fields, other, mask)
            return _turned(emitter, moved(emitter, bits, fields.distance), not positive)
        case Joined(operator=operator, parts=parts):
            found = [_written(emitter, part, mask) for part in parts]
            result = found[0]
            for part in found[1:]:
                result = emitter.value(f"{operator} i64 {result}, {part}")
            return result
    return emitter.value(f"sext i1 {emitter.condition(pattern)} to i64")


def moved(emitter: Emitter, bits: str, distance: int) -> str:
    """Down where the distance is positive."""
    return emitter.value(f"{'lshr' if distance > 0 else 'shl'} i64 {bits}, {abs(distance)}") if distance else bits


def _turned(emitter: Emitter, bits: str, positive: bool) -> str:
    return bits if positive else emitter.value(f"xor i64 {bits}, -1")


def _differing(emitter: Emitter, fields: Fields, other: Fields | Var, mask: int) -> str:
    """At the lowest bit of each field: does it hold another code?"""
    if isinstance(other, Var):
        lowest = mask << fields.distance if fields.distance > 0 else mask >> -fields.distance
        with_it = emitter.value(f"mul i64 {emitter.bits(emitter.layout.fields[other.index])}, {signed(lowest)}")
    else:
        with_it = moved(emitter, emitter.words[other.word], other.distance - fields.distance)
    apart = emitter.value(f"xor i64 {emitter.words[fields.word]}, {with_it}")
    found = apart
    for bit in range(1, fields.width):
        found = emitter.value(f"or i64 {found}, {emitter.value(f'lshr i64 {apart}, {bit}')}")
    return found
