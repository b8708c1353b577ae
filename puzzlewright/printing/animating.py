"""A plan played in the terminal: one frame after the other in the same place."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from puzzlewright.printing.reports import frames

if TYPE_CHECKING:
    from models.puzzle import Puzzle
    from puzzlewright.report import Report


def possible() -> bool:
    """Is standard output a terminal that can show one thing in the place of another?"""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def animate(puzzle: Puzzle, report: Report, speed: float) -> None:
    """Play the states of the report, `speed` of them a second; Ctrl-C ends the film, and the last frame seen stays."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(file=sys.stdout, highlight=False), auto_refresh=False) as live:
        try:
            for number, (head, lines) in enumerate(frames(puzzle, report.walked, report.labels)):
                time.sleep(1 / speed if number else 0)
                text = "\n".join([head, *("  " + line for line in lines), ""])
                live.update(Text.from_ansi(text, no_wrap=True, overflow="crop"), refresh=True)
        except KeyboardInterrupt:
            return
