"""What is asked of an export, and what it makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from models.frozen import frozen
from models.outcomes import Unsupported

if TYPE_CHECKING:
    from models.puzzle import Puzzle
    from puzzlewright.solving.request import Request
    from puzzlewright.solving.workbench import Workbench


@frozen(eq=True)
class ExportWanted:
    """The levels, more than one only for a format of many levels; metrics and limits are in the request."""

    puzzles: tuple[Puzzle, ...]
    request: Request
    suffix: str = ""  # of the file's name
    rules: str = ""  # the comment at the head of the file
    known: bool = True  # is what the file says to be known about these very levels?

    @property
    def puzzle(self) -> Puzzle:
        """The only level, or the first."""
        return self.puzzles[0]

    @cached_property
    def bench(self) -> Workbench:
        """Of the only level, under the limits."""
        from puzzlewright.solving.workbench import Workbench

        return Workbench(self.puzzle, self.request.metrics, self.request.limits.deadline())

    def horizon(self, what: str) -> int:
        """The steps that were said; Unsupported where none were, or very many."""
        from encoders.certified import MOST_STEPS

        horizon = self.request.limits.max_horizon
        if horizon is None:
            raise Unsupported(f"{what} is about plans of at most so many steps: say how many with --max-horizon")
        if horizon > MOST_STEPS:
            raise Unsupported(f"{horizon:,} steps are too many for {what}")
        return horizon


@frozen(eq=True)
class Exported:
    """What is written: the file and its words, other files beside it by their names' ends, and what is to be said."""

    content: str | bytes
    words: str
    beside: Mapping[str, str | bytes] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
