"""`list`: what is built in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from puzzlewright.commands import command
from puzzlewright.options import PRINTED
from puzzlewright.printing.desk import Desk

if TYPE_CHECKING:
    from puzzlewright.report import Report


@command(*PRINTED)
def run(desk: Desk) -> Report:
    """The built-in puzzles and their levels."""
    from puzzlewright.files.listing import listing

    return listing()
