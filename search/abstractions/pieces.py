"""Packed words a few bits at a time: the sum of a weight for each variable's value is a few look-ups, added up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from search.compiler.layout import Field, Layout

LANES = 16  # ends that machine code looks at together
Weights = tuple[tuple[int, ...], ...]  # for each variable those of its classes, or of its values
PIECE = 9  # bits that one look-up takes


class Piece(NamedTuple):
    """Neighbouring bits of a word, and the fields in them."""

    word: int
    shift: int
    width: int
    fields: tuple[int, ...]


def pieces(layout: Layout) -> list[Piece]:
    """The bits of a packed state, a few at a time; a wider field has a piece of its own."""
    found: list[Piece] = []
    for index, each in enumerate(layout.fields):
        if each.width:
            last = found[-1] if found else None
            if last and last.word == each.word and last.width + each.width <= PIECE:
                found[-1] = last._replace(width=last.width + each.width, fields=(*last.fields, index))
            else:
                found.append(Piece(each.word, each.shift, each.width, (index,)))
    return found


def sums(piece: Piece, fields: Sequence[Field], weights: Weights) -> list[int]:
    """For each value of the bits the weights of the values that they mean, added up; of bits that mean none nothing."""
    total = [0]
    for index in piece.fields:
        each = fields[index]
        assert 1 << each.shift - piece.shift == len(total)  # fields lie side by side
        known = [weights[index][value] for value in each.values]
        known += [0] * ((1 << each.width) - len(known))
        total = [more + less for more in known for less in total]
    return total


def always(fields: Sequence[Field], weights: Weights) -> int:
    """The weights of values that are in no piece, since their variables have no other."""
    return sum(weights[index][each.values[0]] for index, each in enumerate(fields) if not each.width)


def padded(ends: int) -> int:
    """The ends that a row has room for."""
    return ends + -ends % LANES
