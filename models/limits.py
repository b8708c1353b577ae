"""Caps on what a puzzle may ask for, so that a slip or a hostile file is an error with a place, never a hang."""

from __future__ import annotations

from models.errors import Diagnostic, Location, PuzzleError
from models.frozen import frozen

MOST_VALUES = 65_536  # of one type, of one range, of one list that is drawn
MOST_LISTED = 1_000_000  # values of an expression that are looked at one by one: as an index, or to be stored
MOST_VARIABLES = 65_536  # one for each index of an array
MOST_ROWS = 100_000  # ground actions of one action
MOST_BINDINGS = 1_000_000  # of the loops of a puzzle, unrolled
MOST_ROUNDS = 200  # of a phase with `repeat`
UNTIL_REST = 10_000  # rounds of a phase with `repeat: stable`; one that goes on counts as one that never ends
MOST_PARTS = 1_000_000  # of an expression with all its definitions written out
MOST_STEPS = 10_000  # that lead to a level's start
DEEPEST_DEFINITIONS = 50  # that use each other


def check_limit(number: int, most: int, what: str, place: Location | None, hint: str = "") -> None:
    """An error where there are more than `most` of something."""
    if number > most:
        raise PuzzleError(Diagnostic(f"{number:,} {what}; at most {most:,} are possible", place, hint, code="E418"))


@frozen(eq=True)
class FileLimits:
    """Caps that keep a hostile file from using up time, memory or the stack."""

    size: int = 1 << 20  # bytes of the file
    depth: int = 64  # nested lists and mappings
    nodes: int = 100_000  # keys, values, lists and mappings


DEFAULT_LIMITS = FileLimits()
