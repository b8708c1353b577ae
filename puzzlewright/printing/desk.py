"""What the commands share: load the puzzle, run the work, print one report, leave with its exit code."""

from __future__ import annotations

import _thread
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from models.outcomes import LimitReached, Outcome, Unsupported, outcome_of
from puzzlewright import configuration
from puzzlewright.configuration import ConfigurationError

if TYPE_CHECKING:
    from models.puzzle import Puzzle
    from puzzlewright.analysis.tracing import Traced
    from puzzlewright.printing.showing import ViewWanted
    from puzzlewright.report import Report, Scramble
    from puzzlewright.solving.request import Request

Abort: type[Exception] = typer.Abort
UsageError: type[Exception] = typer.BadParameter.__mro__[1]  # click's; newer Typers carry a click of their own


class Desk:
    """One command's run: loads, shows progress, prints the report once, leaves with its exit code."""

    def __init__(self, as_json: bool, quiet: bool = False, verbose: bool = False, reproducible: bool = False) -> None:
        self.as_json, self.quiet, self.reproducible = as_json, quiet, reproducible
        self.texts: dict[str, str] = {}  # what was read, by the name that messages give it
        self.load_seconds = 0.0
        self.scramble: Scramble | None = None  # of the start
        self.progress = Ticker(sys.stderr.isatty(), 1 if verbose else 10)
        self.tell = None if quiet else self.progress

    def run(self, command: str, work: Callable[[Desk], Report]) -> None:
        """Do the work, print its report, leave. Whatever goes wrong becomes a report too."""
        obey_ctrl_c()
        with until_closed():
            report = self.show(self.attempt(command, work))
        raise typer.Exit(report.outcome.exit_code)

    def attempt(self, command: str, work: Callable[[Desk], Report]) -> Report:
        """The report on the work, or on what ended it."""
        from models.errors import PuzzleError
        from puzzlewright.report import Report

        try:
            return self._with_scramble(work(self))
        except PuzzleError as error:
            return Report(command, Outcome.INVALID_INPUT, diagnostics=error.diagnostics)
        except Unsupported as reason:
            return Report(command, Outcome.UNSUPPORTED, notes=(str(reason),))
        except (LimitReached, KeyboardInterrupt) as reason:
            return Report(command, outcome_of(reason))
        except MemoryError:
            return Report(command, Outcome.MEMORY_LIMIT)
        except (typer.BadParameter, typer.Exit, BrokenPipeError):
            raise
        except ConfigurationError as error:
            raise refused(error) from None
        except Exception as error:
            if os.environ.get("PUZZLEWRIGHT_DEBUG"):
                raise
            note = f"{type(error).__name__}: {error} (PUZZLEWRIGHT_DEBUG=1 shows where)"
            return Report(command, Outcome.INTERNAL_ERROR, notes=(note,))

    def read(self, file: str, problem: str | None = None) -> tuple[str, str]:
        """(text, name for messages) of a file, standard input or a built-in puzzle; of PDDL both files as one."""
        from puzzlewright.files.library import find
        from puzzlewright.files.pddl_files import as_one, with_partner

        text, source = find(file)
        texts = with_partner(text, source, problem)
        self.texts |= texts
        return as_one(texts), source

    def judged(self, puzzle: Puzzle, plan: str, metric: str | None = None) -> Report:
        """What the referee says of a plan file."""
        from puzzlewright.analysis.verifying import verify
        from puzzlewright.files.library import read_text
        from puzzlewright.files.planfiles import read_plan

        text = self.texts[plan] = read_text(plan)
        metrics = metric_names(puzzle, metric)
        return verify(puzzle, read_plan(plan, text, puzzle), metrics[0] if metrics else "")

    def with_plan(
        self, puzzle: Puzzle, report: Report, plan_out: Path | None, frames_a_second: float | None = None
    ) -> Report:
        """The report, its plan drawn (as a film, if a terminal can show one) and written where that was asked for."""
        from puzzlewright.printing import animating
        from puzzlewright.printing import reports as printing

        self.progress.clear()
        if not self.as_json:
            printing.tell(printing.title(puzzle))
            printing.write()
            if report.plan is not None and frames_a_second and not self.quiet and animating.possible():
                animating.animate(puzzle, report, frames_a_second)
            elif report.plan is not None:
                printing.print_plan(puzzle, report, self.quiet)
        report = self._without_times(report)
        return report if plan_out is None or report.plan is None else written(plan_out, report, puzzle)

    def with_pictures(self, puzzle: Puzzle, report: Report, wanted: ViewWanted) -> Report:
        """The report, what was asked for drawn: into a file, else on standard output."""
        from puzzlewright.printing import reports as printing
        from puzzlewright.printing import showing

        self.progress.clear()
        report = replace(self._without_times(report), command="show")
        if report.plan is None and wanted.needs_plan:
            return report.noting("without a plan there is nothing to show")
        if not self.as_json:
            printing.tell(printing.title(puzzle))
            printing.write()
        try:
            if wanted.out is not None:
                return showing.shown(puzzle, report, wanted)
            if not self.as_json:
                showing.print_states(puzzle, report, wanted)
        except showing.NoSuchStep as error:
            raise typer.BadParameter(f"--step: {error}") from None
        return report

    def with_exploration(self, puzzle: Puzzle, report: Report) -> Report:
        """The report, its layers and hardest starts drawn."""
        from puzzlewright.analysis.space_figures import SpaceFigures
        from puzzlewright.printing import reports as printing

        self.progress.clear()
        if not self.as_json:
            printing.tell(printing.title(puzzle))
            printing.write()
            found = report.payload(SpaceFigures)
            for line in found.chart() if found and not self.quiet else ():
                printing.tell(line)
        return self._without_times(report)

    def _with_scramble(self, report: Report) -> Report:
        """The report, which says how its start came about."""
        made = self.scramble
        if made is None:
            return report
        dead_end = report.outcome is Outcome.UNSOLVABLE and made.walked
        notes = (
            *report.notes,
            made.words,
            *["the walk may have led into a dead end; try another --seed"] * bool(dead_end),
        )
        return replace(report, notes=notes).having(made)

    def with_trace(self, puzzle: Puzzle, request: Request, out: Path | None) -> Report:
        """The report of a search that is recorded: to a file, into the one object, or as lines on standard output."""
        from puzzlewright.analysis import tracing
        from puzzlewright.printing import reports as printing

        if out is not None:
            from puzzlewright.pages.trace_page import trace_to_page

            write = trace_to_page if out.suffix == ".html" else tracing.trace_to_file
            report = write(puzzle, request, out, self._without_times)
            if not self.as_json:
                printing.tell(printing.title(puzzle))
                printing.write()
            return report
        if self.as_json:
            events: list[tracing.Told] = []
            report = self._without_times(tracing.trace(puzzle, request, events.append))
            return report.having(_traced(report, {"events": events}))
        report = self._without_times(tracing.trace(puzzle, request, tracing.Lines(sys.stdout)))
        if report.payload(tracing.Traced) is None:
            return report
        self.as_json = True  # the lines end with the object of --json
        return report.having(_traced(report, {"event": "end"}))

    def _without_times(self, report: Report) -> Report:
        if not self.reproducible:
            return report
        kept = {k: v for k, v in report.statistics.items() if not k.endswith(("_seconds", "_mb")) and k != "solves"}
        return replace(report, statistics=kept, payloads=tuple(each.reproducible() for each in report.payloads))

    def show(self, report: Report) -> Report:
        """The one object of --json, or diagnostics on stderr and what is known on stdout."""
        from puzzlewright.printing import reports as printing
        from puzzlewright.report import as_json

        self.progress.clear()
        if self.as_json:
            printing.write(printing.json_text(as_json(report)))
        else:
            if not self.quiet or report.outcome in (Outcome.INVALID_INPUT, Outcome.USAGE_ERROR):
                printing.print_diagnostics(report, self.texts)
            if report.outcome is not Outcome.INVALID_INPUT:
                printing.print_report(report)
        sys.stdout.flush()
        return report


def _traced(report: Report, more: dict[str, object]) -> Traced:
    """The layers of a recorded search, with more for its object."""
    from puzzlewright.analysis.tracing import Traced

    return replace(report.payload(Traced) or Traced(), more=more)


class Ticker:
    """Progress on stderr: one line that is overwritten on a terminal, one in some seconds elsewhere."""

    def __init__(self, terminal: bool, pause: float) -> None:
        self.terminal, self.shown, self.pause = terminal, "", 0.2 if terminal else pause
        self.next = time.monotonic() + (0.5 if terminal else pause)

    def __call__(self, text: str) -> None:
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + self.pause
        end = "" if self.terminal else "\n"
        start = "\r" if self.terminal else ""
        print(start + text.ljust(len(self.shown)), end=end, file=sys.stderr, flush=True)
        self.shown = text

    def line(self, text: str) -> None:
        """A line of its own, whenever it comes."""
        self.clear()
        print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.terminal and self.shown:
            print("\r" + " " * len(self.shown) + "\r", end="", file=sys.stderr, flush=True)
        self.shown = ""


@contextmanager
def until_closed() -> Iterator[None]:
    """Write to standard output for as long as somebody reads it."""
    try:
        yield
    except BrokenPipeError:  # `| head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None


def put(text: str) -> NoReturn:
    """Leave with a text that is the whole answer, as a file would hold it: in UTF-8, whatever the terminal speaks."""
    with until_closed():
        sys.stdout.buffer.write(text.encode())
        sys.stdout.flush()
    raise typer.Exit(0)


def in_ascii(wanted: bool) -> bool:
    """Standard output as if it could hold nothing else; what is printed finds letters for it."""
    if wanted and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="ascii")
    return wanted


AGAIN = 0.05  # seconds until an interrupt that was dropped comes again


def obey_ctrl_c() -> None:
    """The first Ctrl-C, or a polite kill, interrupts the work; the second ends the process at once.

    Where Python cannot hand an exception on (at an object's end, out of a callback), it drops the interrupt. Then it
    comes again, a moment later.
    """
    signals, told = (signal.SIGINT, signal.SIGTERM), sys.unraisablehook

    def second(number: int, frame: object) -> None:
        os._exit(Outcome.INTERRUPTED.exit_code)

    def first(number: int, frame: object) -> None:
        for each in signals:
            signal.signal(each, second)
        raise KeyboardInterrupt

    def dropped(what: sys.UnraisableHookArgs) -> None:
        if not issubclass(what.exc_type, KeyboardInterrupt):
            told(what)
            return
        for each in signals:
            signal.signal(each, first)
        again = threading.Timer(AGAIN, _thread.interrupt_main)
        again.daemon = True
        again.start()

    sys.unraisablehook = dropped
    for each in signals:
        signal.signal(each, first)


def refused(error: ConfigurationError) -> typer.BadParameter:
    """The same complaint about an option."""
    if error.what:
        return typer.BadParameter(f"--{error.what.replace('_', '-')}: {error.problem}")
    return typer.BadParameter(error.problem)


def check_choice(option: str, value: str, known: Collection[str]) -> None:
    try:
        configuration.check_choice(option.removeprefix("--"), value, known)
    except ConfigurationError as error:
        raise refused(error) from None


def listed(written_names: str | None) -> tuple[str, ...]:
    return tuple(written_names.split(",")) if written_names else ()


def metric_names(puzzle: Puzzle, metric: str | None) -> tuple[str, ...]:
    for name in listed(metric):
        check_choice("--metric", name, puzzle.metrics)
    return listed(metric)


def heuristic_names(puzzle: Puzzle, option: str, written_names: str | None) -> tuple[str, ...]:
    for name in listed(written_names):
        try:
            configuration.check_heuristic(option.removeprefix("--"), puzzle, name)
        except ConfigurationError as error:
            raise refused(error) from None
    return listed(written_names)


def check_plan_form(path: Path | None, puzzle: Puzzle, option: str = "--plan-out") -> None:
    """Before a long search, not after it: can a plan of this puzzle be written so?"""
    from puzzlewright.files.planfiles import obstacle

    if path is not None and (why := obstacle(path.suffix, puzzle)):
        raise typer.BadParameter(f"{option}: {why}")


def check_writable(option: str, path: Path | None, *read: str | Path | None) -> None:
    """Before a long search, not after it: can the file be written there, and is it none of those that are read?"""
    if path is None:
        return
    try:
        why = _obstacle(path, read)
    except OSError as error:
        why = error.strerror or str(error)
    if why:
        raise typer.BadParameter(f"{option}: {path} cannot be written: {why}")


def _obstacle(path: Path, read: Sequence[str | Path | None]) -> str:
    """Why the file cannot be written, or must not be; OSError where the system says so."""
    if path.is_dir():
        return "it is a folder"
    if not path.parent.is_dir():
        return f"there is no folder {path.parent}"
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        return "there is no permission"
    if not path.exists():
        import tempfile

        with tempfile.TemporaryFile(dir=path.parent):  # a folder may refuse files for other reasons too
            return ""
    read_from = any(os.path.isfile(each) and path.samefile(each) for each in read if each)
    return "the puzzle or its level is read from it" if read_from else ""


def check_certificate(folder: Path | None, kind: str) -> None:
    """Before a long proof, not after it: is there such a kind, and can the certificate be written there?"""
    if folder is None and not kind:
        return
    from puzzlewright.certificates.bundle import KINDS
    from puzzlewright.certificates.certifying import obstacle

    if kind:
        check_choice("--certificate-kind", kind, KINDS)
    if folder is None:
        raise typer.BadParameter("--certificate-kind is for --certificate")

    try:
        why = obstacle(folder)
    except OSError as error:
        why = error.strerror or str(error)
    if why:
        raise typer.BadParameter(f"--certificate: {folder} cannot be written: {why}")


def check_suffix(option: str, path: Path | None, known: tuple[str, ...]) -> None:
    if path is not None and path.suffix not in known:
        raise typer.BadParameter(f"{option}: the name must end in {' or '.join(known)}, not in {path.suffix!r}")


def written(path: Path, report: Report, puzzle: Puzzle) -> Report:
    """Write the plan; where that fails, the report says so, because the plan is worth more than the file.

    A plan that has no such form is an error of who asked for it, but what the search has found stays in the report.
    """
    from models.errors import Diagnostic
    from puzzlewright.files.planfiles import Unreadable, write_plan

    try:
        write_plan(path, report, puzzle)
        return report
    except Unreadable as reason:
        wrong = typer.BadParameter(f"--plan-out: the plan cannot be written so: {reason}").format_message()
        notes = (*report.notes, f"the plan that is not written is {report.outcome}")
        return replace(report, outcome=Outcome.USAGE_ERROR, diagnostics=(Diagnostic(wrong, None),), notes=notes)
    except OSError as error:
        return report.noting(f"the plan could not be written to {path}: {error.strerror}")
