"""A level, or several, written as a file for another program."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from models.frozen import frozen
from models.outcomes import Outcome, Unsupported
from models.puzzle import Puzzle
from puzzlewright.files.exporting.formats import TARGETS
from puzzlewright.files.exporting.wanted import ExportWanted
from puzzlewright.files.library import saved
from puzzlewright.report import About, Payload, Report
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import resources, stoppable


@frozen(eq=True)
class Export(Payload):
    """What was written, and where."""

    format: str
    what: str
    files: tuple[Path, ...]

    def as_json(self) -> dict[str, object]:
        return {"export": {"format": self.format, "what": self.what, "files": [str(path) for path in self.files]}}

    def headline(self, report: Report) -> str:
        return f"{self.what}: {', '.join(map(str, self.files))}"


@stoppable("export")
def export(puzzle: Puzzle, request: Request, target: str, out: Path, others: tuple[Puzzle, ...] = (), rules: str = "",
           known: bool = True) -> Report:  # fmt: skip
    """Write the level, and `others` with it where the format has many, for another program.

    What the format cannot say is the outcome `unsupported`, and nothing is written.
    """
    started = time.perf_counter()
    about = About.of(puzzle, ",".join(request.metrics or puzzle.metrics[:1]), seed=request.seed)
    report = Report("export", Outcome.VALID, about, diagnostics=puzzle.warnings)
    try:
        made = TARGETS[target].write(ExportWanted((puzzle, *others), request, out.suffix, rules, known))
    except Unsupported as reason:
        return replace(report, outcome=Outcome.UNSUPPORTED).noting(str(reason))
    files = {out: made.content, **{beside(out, end): text for end, text in made.beside.items()}}
    if wrong := [note for path, content in files.items() for note in saved(path, content)]:
        return replace(report, outcome=Outcome.USAGE_ERROR).noting(*wrong)
    report = replace(report, statistics=resources(request, started, started))
    return report.noting(*made.notes).having(Export(target, made.words, tuple(files)))


def beside(out: Path, end: str) -> Path:
    """A file next to another one: x.cnf and x-variables.txt, x-domain.pddl and x-problem.pddl."""
    return out.with_name(out.stem.removesuffix("-domain") + end)
