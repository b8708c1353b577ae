"""What a file of `show` is to hold, whatever its kind; and the same in letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from models.puzzle import Puzzle
    from puzzlewright.pictures.board_svg import Box
    from puzzlewright.pictures.film import Film
    from puzzlewright.report import Report

Content = tuple[bytes, str]  # of a file, and that in words


class Drawn(NamedTuple):
    """What a file is to show: frames, one step of them or (None) all, and what the report says."""

    seen: Film
    step: int | None
    puzzle: Puzzle
    report: Report
    scale: float | None = None
    speed: float = 2  # steps a second

    @property
    def frames(self) -> Sequence[int]:
        return range(len(self.seen.scenes)) if self.step is None else [self.step]

    @property
    def words(self) -> str:
        """The frames in words."""
        if self.step is None:
            return f"{len(self.seen.scenes)} frames"
        return f"step {self.step}" if self.step else "the start"

    @property
    def svg(self) -> tuple[str, Box]:
        return self.seen.sheet() if self.step is None else self.seen.picture(self.step)


def text(seen: Film, steps: Sequence[int]) -> str:
    """The frames in letters, each with a line that says how it came about."""
    from puzzlewright.pictures.letters import encodable
    from puzzlewright.pictures.text import draw

    blocks = []
    for step in steps:
        now, before = seen.pairs[step]
        caption = [now.caption] if now.caption else []
        blocks.append("\n".join([seen.heads[step], *caption, *("  " + line for line in draw(now, before)), ""]))
    return "\n".join(encodable(line, "utf-8") for line in "\n".join(blocks).split("\n"))
