"""The estimate that leads a search by buckets: in machine code here, and made again in other processes."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from models.terms import Term
from search.space import INFINITY, Estimated, Heuristic

if TYPE_CHECKING:
    from search.abstractions.derived import Table
    from search.machine import Machine


class Guide(NamedTuple):
    """The address of an estimate, 0 if there is none; what it says of dead ends; what has the code."""

    address: int = 0
    lost: Any = INFINITY
    kept: object = None


UNGUIDED = Guide()


def guide_of(heuristic: Heuristic) -> Guide:
    return Guide(heuristic.address(), heuristic.lost, heuristic)


def recipe_of(heuristic: Heuristic) -> bytes:
    """What `remade_guide` makes the same estimate of in another process: a term, tables, or both."""
    parts = heuristic.parts
    return pickle.dumps((None if parts is None else Estimated(parts.term, _plain(parts.sums)), heuristic.lost))


def remade_guide(machine: Machine, recipe: bytes) -> Guide:
    """Of a recipe of ours."""
    parts, lost = pickle.loads(recipe)
    if parts is None:
        return UNGUIDED
    from search.abstractions.reading import Estimate, Greatest

    by_term = machine.estimate(parts.term)() if isinstance(parts.term, Term) else 0
    if not parts.sums:
        return Guide(by_term, lost, machine)
    tables = Estimate(machine.layout, parts.sums)
    if not by_term:
        return Guide(tables.address, lost, tables)
    both = Greatest([tables.address, by_term], machine.words, (tables, machine), lost)
    return Guide(both.address, lost, both)


def digest_of(machine: Machine, heuristic: Heuristic) -> str:
    """What tells one estimate from another; a name is not enough."""
    parts = heuristic.parts
    if parts is None:
        return heuristic.name
    check = 0 if parts.term is None else zlib.crc32(machine.estimate_text(parts.term).encode())
    for number, group in enumerate(parts.sums):
        for table in group:
            told = number, table.weights, table.unit, table.ends
            check = zlib.crc32(repr(told).encode(), zlib.crc32(table.far, check))
    return f"{heuristic.name} {heuristic.lost} {check:08x}"


def _plain(sums: Sequence[Sequence[Table]]) -> list[list[Table]]:
    """The tables without what they were made of; each is still one, however often it is read."""
    arrays = {id(table.far): np.asarray(table.far) for group in sums for table in group}  # mapped ones, too
    made: dict[Table, Table] = {}
    for group in sums:
        for table in group:
            far = arrays[id(table.far)]
            made.setdefault(table, replace(table, far=far, image=None, ranking=None, mirror=None, tokens=None))
    return [[made[table] for table in group] for group in sums]
