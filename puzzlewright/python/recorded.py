"""A search that is recorded: its events as data, and the page that shows its tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from models.outcomes import Limits
from models.puzzle import Puzzle
from puzzlewright.analysis.tracing import NODES, Told, Traced, obstacle
from puzzlewright.analysis.tracing import trace as record
from puzzlewright.configuration import BLIND, ConfigurationError, check_choice, names
from puzzlewright.pages.trace_page import Recorder, page
from puzzlewright.printing.reports import headline
from puzzlewright.python.asking import guarded
from puzzlewright.python.coding import full_bench
from puzzlewright.python.estimating import CallableSearch, Estimate, worded
from puzzlewright.python.notebooks import Bundle, Page
from puzzlewright.report import Report
from puzzlewright.solving.backends import BACKENDS
from puzzlewright.solving.request import Request


@dataclass(frozen=True, repr=False)
class Trace:
    """What a search did, event by event as `puzzlewright trace` tells it; notebooks show its tree."""

    events: tuple[Told, ...]
    report: Report
    html: str  # a page by itself

    def of_kind(self, kind: str) -> list[Told]:
        """The events of one kind, in order: start, iteration, expand, generate, prune, reopen, goal."""
        return [event for event in self.events if event["event"] == kind]

    @property
    def layers(self) -> Sequence[Sequence[int]]:
        """Rows of depth, generated, expanded, frontier."""
        found = self.report.payload(Traced)
        return (found and found.layers) or ()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page; OSError where that fails."""
        Path(path).write_text(self.html, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<Trace of {len(self.events):,} events, {self.report!r}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        return Page(self.html, f"{self!r}: {headline(self.report)}")._repr_mimebundle_()


def trace(
    puzzle: Puzzle,
    backend: str = "auto",
    *,
    heuristic: str | Estimate | None = None,
    metric: str | None = None,
    nodes: int = NODES,
    symmetry: bool = True,
) -> Trace:
    """Record a search that expands at most so many nodes; ConfigurationError where the backend has no trace."""
    check_choice("backend", backend, BACKENDS)
    if why := obstacle(backend):
        raise ConfigurationError("backend", why)
    if heuristic is not None and not isinstance(heuristic, str) and not callable(heuristic):
        raise ConfigurationError("heuristic", f"{heuristic!r} is neither a name nor a function")
    chosen = BLIND if callable(heuristic) else heuristic or ()
    request = Request(backend, names("heuristic", chosen), names("metric", metric or ()), Limits(nodes=nodes),
                      symmetry=symmetry and not callable(heuristic))  # fmt: skip
    return _led(puzzle, request, heuristic) if callable(heuristic) else _recorded(puzzle, request)


def _recorded(puzzle: Puzzle, request: Request) -> Trace:
    recording = _Recording(puzzle)
    return recording.trace(record(puzzle, request, recording.tell, recording.recorder.draw))


def _led(puzzle: Puzzle, request: Request, function: Estimate) -> Trace:
    """By a Python function, which sees all variables of the file."""
    request.check(puzzle)
    recording, guard = _Recording(puzzle), guarded(function)
    report = record(puzzle, request, recording.tell, recording.recorder.draw, full_bench(puzzle, request.metrics),
                    lambda search: CallableSearch(puzzle, guard, search))  # fmt: skip
    guard.reraise(report)
    return recording.trace(worded(report, guard))


class _Recording:
    """The events, and the page that is made of them."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self.recorder, self.events = puzzle, Recorder(puzzle), list[Told]()

    def tell(self, told: Told) -> None:
        self.events.append({name: value for name, value in told.items() if name != "board"})
        self.recorder.tell(told)

    def trace(self, report: Report) -> Trace:
        return Trace(tuple(self.events), report, page(self.puzzle, report, self.recorder))
