"""`show`: the states of a plan as text, pictures, a film or a page; without a plan the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from models.outcomes import Outcome
from models.plan import Plan
from models.puzzle import Puzzle
from models.referee import start_state
from puzzlewright.files.library import saved
from puzzlewright.pictures.film import Film, film
from puzzlewright.pictures.letters import encodable
from puzzlewright.pictures.text import draw
from puzzlewright.printing.reports import frames, headline, print_plan, put_frame
from puzzlewright.report import About, Payload, Report

MOVING = (".gif", ".html")  # what shows whole plans and nothing else
SUFFIXES = (".svg", ".png", *MOVING, ".txt")
SCALES = {".png": 2.0, ".gif": 1.0}  # by default


class NoSuchStep(Exception):
    """The plan has no step of that number."""


@dataclass(frozen=True)
class Wanted:
    """What of a plan is to be seen: one step (negative: from the end), all, or as much as the kind of file holds."""

    step: int | None = None
    all_steps: bool = False
    out: Path | None = None
    scale: float | None = None
    speed: float = 2  # steps a second

    @property
    def needs_plan(self) -> bool:
        """Is there nothing to see without one?"""
        return self.all_steps or self.step not in (None, 0) or (self.out is not None and self.out.suffix in MOVING)


@dataclass(frozen=True)
class Start(Payload):
    """Nothing but the start is shown."""

    def as_json(self) -> dict[str, object]:
        return {}

    def headline(self, report: Report) -> str:
        return f"the start of {report.puzzle or 'every built-in puzzle'}" if report.outcome is Outcome.VALID else ""


def of_start(puzzle: Puzzle) -> Report:
    """A report of nothing done."""
    return Report("show", Outcome.VALID, About.of(puzzle), payloads=(Start(),))


def frames_of(puzzle: Puzzle, report: Report) -> Film:
    """The states that the report's plan passes through, as far as it can be done; without a plan the start."""
    return film(puzzle, report.walked or (start_state(puzzle),), report.labels)


def shown(puzzle: Puzzle, report: Report, wanted: Wanted) -> Report:
    """Write the file that was asked for; the report says what is in it, or why there is none."""
    assert wanted.out is not None
    seen = frames_of(puzzle, report)
    step = step_of(seen, wanted, report.plan)
    data, words = _content(seen, step, wanted, puzzle, report)
    notes = saved(wanted.out, data) or (f"{words}: {wanted.out}, {len(data) / 1000:.1f} kB",)
    return report.noting(*notes)


def print_states(puzzle: Puzzle, report: Report, wanted: Wanted) -> None:
    """The states on standard output, as `solve` prints them."""
    seen = frames_of(puzzle, report)
    step = step_of(seen, wanted, report.plan)
    if step is None:
        print_plan(puzzle, report, quiet=False)
    else:
        states = report.walked or (start_state(puzzle),)
        put_frame(*next(frames(puzzle, states, report.labels, step)))


def step_of(seen: Film, wanted: Wanted, plan: Plan | None) -> int | None:
    """The one step to see, None for all of them; NoSuchStep where it is none."""
    many = wanted.out is None or wanted.out.suffix in (*MOVING, ".txt")
    if wanted.all_steps or (plan is not None and many and wanted.step is None):
        return None
    step = wanted.step if wanted.step is not None else -1
    if not -len(seen.scenes) <= step < len(seen.scenes):
        last = len(seen.scenes) - 1
        whole = plan is None or len(plan) == last
        steps = (
            f"the plan has the steps 0 to {last}" if whole else f"of the plan only the steps 0 to {last} can be done"
        )
        raise NoSuchStep(f"{steps}, not {step}")
    return step % len(seen.scenes)


def _content(seen: Film, step: int | None, wanted: Wanted, puzzle: Puzzle, report: Report) -> tuple[bytes, str]:
    """What the file holds, and that in words."""
    assert wanted.out is not None
    suffix, count = wanted.out.suffix, len(seen.scenes)
    if suffix == ".html":
        from puzzlewright.pictures.player import player

        return player(seen, puzzle.about, headline(report), wanted.speed).encode(), f"a page with {count} frames"
    if suffix == ".gif":
        from puzzlewright.pictures.raster import gif

        frames = [seen.frame(number) for number in range(count)]
        return gif(frames, seen.headed_box[2:], 1 / wanted.speed, _scale(wanted)), f"a film of {count} frames"
    words = f"{count} frames" if step is None else f"step {step}" if step else "the start"
    if suffix == ".txt":
        return text(seen, range(count) if step is None else [step]).encode(), words
    svg, box = seen.sheet() if step is None else seen.picture(step)
    if suffix == ".svg":
        return svg.encode(), words
    from puzzlewright.pictures.raster import png

    return png(svg, box[2:], _scale(wanted)), words


def _scale(wanted: Wanted) -> float:
    assert wanted.out is not None
    return wanted.scale or SCALES[wanted.out.suffix]


def text(seen: Film, steps: Sequence[int]) -> str:
    """The frames in letters, each with a line that says how it came about."""
    blocks = []
    for step in steps:
        now, before = seen.pairs[step]
        caption = [now.caption] if now.caption else []
        blocks.append("\n".join([seen.heads[step], *caption, *("  " + line for line in draw(now, before)), ""]))
    return "\n".join(encodable(line, "utf-8") for line in "\n".join(blocks).split("\n"))
