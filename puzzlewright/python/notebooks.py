"""What notebooks show of puzzles and reports: pictures with their text, and the player in a frame of its own."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from html import escape

from models.frozen import frozen
from models.outcomes import Unsupported
from models.puzzle import Puzzle
from puzzlewright.analysis.counting import PlanCount
from puzzlewright.certificates.bundle import Certificate
from puzzlewright.pictures.board_svg import Box
from puzzlewright.pictures.player import player as page
from puzzlewright.pictures.raster import png
from puzzlewright.printing.drawn import text
from puzzlewright.printing.reports import headline
from puzzlewright.printing.showing import frames_of, of_start
from puzzlewright.python.state import Shape, State
from puzzlewright.report import Report

ON_A_SHEET = 24  # frames; of longer plans a report shows the last state
Bundle = dict[str, str]


@frozen(eq=True)
class Picture:
    """SVG, pixels for viewers that drop it, and text for those that show neither."""

    svg: str
    box: Box
    text: str

    def __str__(self) -> str:
        return self.text

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> Bundle:
        bundle = {"image/svg+xml": self.svg, "text/plain": self.text}
        if (include is None or "image/png" in include) and "image/png" not in (exclude or ()):
            bundle |= self._pixels()
        return bundle

    def _pixels(self) -> Bundle:
        try:
            return {"image/png": b64encode(png(self.svg, self.box[2:])).decode()}
        except Unsupported:  # too large
            return {}


@frozen(eq=True)
class Page:
    """A page that plays a plan: `html` is all of it."""

    html: str
    text: str
    height: int = 760

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> Bundle:
        frame = (
            f'<iframe sandbox="allow-scripts" srcdoc="{escape(self.html)}" width="100%" height="{self.height}" '
            f'style="border: 0" title="{escape(self.text)}"></iframe>'
        )
        return {"text/html": frame, "text/plain": self.text}


@dataclass(frozen=True, repr=False)
class SeenReport(Report):
    """A report that knows its puzzle, so that a notebook shows the plan's states and what the report comes to."""

    subject: Puzzle | None = field(default=None, repr=False, compare=False)

    @property
    def states(self) -> tuple[State, ...]:
        """The states that the plan passes through, the start first; none without a plan."""
        return () if self.subject is None else tuple(map(Shape(self.subject).state, self.walked))

    @property
    def plan_count(self) -> dict[str, object] | None:
        """The number of best plans, where it was asked for: `optimal_plans`, and its `answer` in words."""
        found = self.payload(PlanCount)
        return None if found is None else found.as_json()

    @property
    def certificate(self) -> Mapping[str, object] | None:
        """Where the certificate is, and its figures, where one was asked for and written."""
        found = self.payload(Certificate)
        return None if found is None else found.figures

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> Bundle:
        words = f"{self.outcome}: {headline(self)}"
        if self.subject is None or self.plan is None:
            return {"text/plain": words}
        bundle = picture(self.subject, self)._repr_mimebundle_(include, exclude)
        return {**bundle, "text/plain": f"{bundle['text/plain']}\n{words}"}


def seen(puzzle: Puzzle, report: Report) -> SeenReport:
    """The report, to be seen in a notebook."""
    return SeenReport(**{each.name: getattr(report, each.name) for each in fields(report)}, subject=puzzle)


def picture(puzzle: Puzzle, report: Report | None = None, step: int | None = None) -> Picture:
    """The start as a picture, or of a report's plan one step, or all; notebooks show it; `svg` is a file's text.

    Without a step all states are on a sheet, if they are few; else it is the last one.
    """
    frames = frames_of(puzzle, report or of_start(puzzle))
    count = len(frames.scenes)
    if step is None and 1 < count <= ON_A_SHEET:
        return Picture(*frames.sheet(), text(frames, range(count)))
    if step is not None and not -count <= step < count:
        raise ValueError(f"the plan has the steps 0 to {count - 1}, not {step}")
    number = (-1 if step is None else step) % count
    return Picture(*frames.picture(number), text(frames, [number]))


def player(puzzle: Puzzle, report: Report, speed: float = 2) -> Page:
    """A page that plays a report's plan; notebooks show it in a frame; `html` is a file's text."""
    words = headline(report)
    return Page(page(frames_of(puzzle, report), puzzle.about, words, speed), f"{report.puzzle}: {words}")
