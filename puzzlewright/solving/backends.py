"""The backends: the algorithms of path one, CP-SAT, and `auto`, which is one of the former; one table for all who ask.

Command line, library, `compare`, `trace`, documentation and tests know of a backend what its row says.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from search.registry import ROWS, Algorithm


class Backend(NamedTuple):
    """A row of the table: what is true of a backend for those who ask it."""

    name: str
    path: Literal["search", "encoding", "anytime"]
    informed: bool  # is it led by the heuristics that are named?
    random: bool  # does its work depend on the seed?
    options: tuple[str, ...]  # of `search.registry.options_of`, those that it reads
    summary: str
    untraced: str = ""  # why it has no trace


def _row(algorithm: Algorithm) -> Backend:
    names = tuple(each.name for each in algorithm.options.declared() if each.name != "seed")
    return Backend(algorithm.name, "search", algorithm.informed, algorithm.random, names, algorithm.summary,
                   algorithm.untraced)  # fmt: skip


IN_ROUNDS = "it runs many searches, one after the other"
SOLVES = "it solves formulas and expands no states"
AUTO = "auto"
ANYTIME = "anytime"
CPSAT = "cpsat"
LAYERS, BUCKETS = "layers", "buckets"  # on the disk; with a heuristic the former is the latter
ROWS_OF_ALL = (
    Backend(AUTO, "search", False, False, (), "the search that suits the puzzle"),
    *map(_row, ROWS),
    Backend(ANYTIME, "anytime", True, False, (), "a plan soon, then better ones, and the bound below them",
            untraced=IN_ROUNDS),
    Backend(CPSAT, "encoding", False, True, (), "formulas for ever longer plans",
            untraced=SOLVES),
)  # fmt: skip
BACKENDS: dict[str, Backend] = {row.name: row for row in ROWS_OF_ALL}
