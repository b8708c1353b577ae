"""`show`: the states of a plan as text, pictures, a film or a page; without a plan the start."""

from __future__ import annotations

from pathlib import Path

from models.frozen import frozen
from models.outcomes import Outcome
from models.plan import Plan
from models.puzzle import Puzzle
from models.referee import start_state
from puzzlewright.files.library import saved
from puzzlewright.pictures.film import Film, film
from puzzlewright.printing.drawn import Drawn
from puzzlewright.printing.formats import FORMATS
from puzzlewright.printing.reports import frames, print_plan, put_frame
from puzzlewright.report import About, Payload, Report


class NoSuchStep(Exception):
    """The plan has no step of that number."""


@frozen(eq=True)
class ViewWanted:
    """What of a plan is to be seen: one step (negative: from the end), all, or as much as the kind of file holds."""

    step: int | None = None
    all_steps: bool = False
    out: Path | None = None
    scale: float | None = None
    speed: float = 2  # steps a second

    @property
    def needs_plan(self) -> bool:
        """Is there nothing to see without one?"""
        return (
            self.all_steps or self.step not in (None, 0) or (self.out is not None and FORMATS[self.out.suffix].moving)
        )


@frozen(eq=True)
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


def shown(puzzle: Puzzle, report: Report, wanted: ViewWanted) -> Report:
    """Write the file that was asked for; the report says what is in it, or why there is none."""
    assert wanted.out is not None
    seen = frames_of(puzzle, report)
    step = step_of(seen, wanted, report.plan)
    data, words = FORMATS[wanted.out.suffix].write(Drawn(seen, step, puzzle, report, wanted.scale, wanted.speed))
    notes = saved(wanted.out, data) or (f"{words}: {wanted.out}, {len(data) / 1000:.1f} kB",)
    return report.noting(*notes)


def print_states(puzzle: Puzzle, report: Report, wanted: ViewWanted) -> None:
    """The states on standard output, as `solve` prints them."""
    seen = frames_of(puzzle, report)
    step = step_of(seen, wanted, report.plan)
    if step is None:
        print_plan(puzzle, report, quiet=False)
    else:
        states = report.walked or (start_state(puzzle),)
        put_frame(*next(frames(puzzle, states, report.labels, step)))


def step_of(seen: Film, wanted: ViewWanted, plan: Plan | None) -> int | None:
    """The one step to see, None for all of them; NoSuchStep where it is none."""
    many = wanted.out is None or FORMATS[wanted.out.suffix].many
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
