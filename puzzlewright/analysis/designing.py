"""Levels that are found by small changes of one: longer, shorter, with fewer best plans, with more forced moves.

Late acceptance (Burke and Bykov, The late acceptance hill-climbing heuristic, 2017): a changed level is gone on from if
it is as good as the one now, or as the one some changes ago. A level counts only if the file's reader takes it, with
all that `require` says, and a search has proven its optimum; so every level that is shown is proven.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from models.document import Document, read_document
from models.errors import Diagnostic, PuzzleError
from models.frozen import frozen
from models.outcomes import LimitReached, Outcome
from models.puzzle import Puzzle
from models.referee import start_state
from models.values import Value
from puzzlewright.analysis.counting import CountWanted, PlanCount, with_count
from puzzlewright.analysis.level_changes import Letters, changed, grid_of, letters_of, maps_in
from puzzlewright.analysis.level_rows import forced_moves
from puzzlewright.files.level_writing import LevelWriter, Written, with_level
from puzzlewright.files.library import read, replaced, saved
from puzzlewright.pictures.scene import scene
from puzzlewright.pictures.text import draw
from puzzlewright.report import Payload, Report
from puzzlewright.solving.backends import AUTO
from puzzlewright.solving.request import Request
from puzzlewright.solving.solve import solve
from puzzlewright.solving.workbench import Workbench

LATE = 20  # changes ago
STATES = 500_000  # that a level may take to be solved
SHARE = 10  # a level may take so much less than all the time
Score = Callable[["Tried"], float]


@frozen(eq=True)
class DesignWanted:
    """What the user asked for besides the level."""

    want: str = "length"
    seconds: float = 60.0  # to look for levels
    name: str | None = None  # of the level that is made
    changes: int | None = None  # to be tried at most
    text: str = ""  # of the puzzle file


@frozen()
class Tried:
    """A level that a search has solved, with its figures as far as they are wanted."""

    written: Written
    report: Report
    data: Mapping[str, Value]
    plans: int | None = 0  # best ones; None: without end, or not counted
    forced: int = 0
    apart: int = 0  # squares that differ from the level that was begun with

    @property
    def cost(self) -> int:
        assert self.report.cost is not None
        return self.report.cost

    @property
    def steps(self) -> int:
        assert self.report.solution is not None
        return len(self.report.solution.operators)


@frozen(eq=True)
class Want:
    """A direction: the figure that is told of a level, and what a level is worth, the larger the better."""

    words: str
    figure: Callable[[Tried], int | None]
    worth: Score


WANTS = {
    "length": Want("a longer optimum", lambda tried: tried.cost, lambda tried: tried.cost),
    "easier": Want("a shorter optimum, of one step at least", lambda tried: tried.cost,
                   lambda tried: -tried.cost if tried.steps else -math.inf),
    "plans": Want("fewer best plans", lambda tried: tried.plans,
                  lambda tried: -math.inf if tried.plans is None else -tried.plans),
    "forced": Want("more forced moves", lambda tried: tried.forced, lambda tried: tried.forced),
    "surprise": Want("another level, as long at least", lambda tried: tried.apart, lambda tried: tried.apart),
}  # fmt: skip


@frozen(eq=True)
class Designed(Payload):
    """A level found by changes, with what has become of the one that it was made from."""

    begun: str
    want: str
    level: str
    text: str
    before: int | None
    after: int | None
    tried: int
    solved: int
    better: bool
    board: tuple[str, ...] = ()
    places: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        return {"design": {"from": self.begun, "want": self.want, "level": self.level, "text": self.text,
                           "before": self.before, "after": self.after, "tried": self.tried,
                           "solved": self.solved, "saved": list(self.places)}}  # fmt: skip

    def headline(self, report: Report) -> str:
        """How the level compares."""
        words = WANTS[self.want].words
        if not self.better:
            return f"no level with {words} was found; this is {self.begun}"
        if self.before is None:
            return f"best plans: {self.after}; how many {self.begun} has was not counted"
        return f"{words}: {self.after} instead of {self.before}; proven like any optimum"

    def facts(self, report: Report) -> Iterator[tuple[str, str]]:
        yield "tried", f"{self.tried:,} changes, of which {self.solved:,} are levels whose optimum was proven"
        if self.places:
            yield "saved", ", ".join(self.places)

    def as_text(self, report: Report) -> Iterator[str]:
        """The board, and the level's lines."""
        yield from ("", *(f"  {line}" for line in self.board), "", *self.text.splitlines())


class Designing:
    """A walk over levels from one of them."""

    def __init__(self, puzzle: Puzzle, request: Request, wanted: DesignWanted) -> None:
        self.puzzle, self.request, self.wanted = puzzle, request, wanted
        self.want = WANTS[wanted.want]
        self.random = Random(f"{request.seed}/design")
        self.deadline = replace(request.limits, time=wanted.seconds).deadline()
        self.writer = LevelWriter(puzzle, wanted.text, self.deadline)
        self.maps = self._maps(read_document(wanted.text, puzzle.source))
        self.seen: set[str] = set()
        self.tried = self.solved = 0

    def _maps(self, document: Document) -> dict[str, Letters]:
        """PuzzleError where the level has no map."""
        names = [name for name in maps_in(self.puzzle.data) if name in document.data]
        if not names:
            message = f"{self.puzzle.name} has no data that are rows or lists, so no level is made from another"
            raise PuzzleError(Diagnostic(message, None, "design changes maps under `data`", code="E425"))
        return {name: letters_of(name, self.puzzle.data[name], document) for name in names}

    def first(self) -> Tried:
        """The level that is begun with; PuzzleError where its data alone do not make it."""
        written = self.writer.with_data(self._name(), {})
        if start_state(written.puzzle) != start_state(self.puzzle):
            message = f"level {self.puzzle.level!r} states where it starts, which no map says"
            raise PuzzleError(Diagnostic(message, None, "begin with a level whose data make its start", code="E425"))
        return self._judged(written, {})

    def walk(self, first: Tried) -> None:
        """Go on from level to level until the time is over; `best` is the best one met."""
        self.best = now = first
        late = [self.want.worth(first)] * LATE
        while self.deadline.left and self.tried != self.wanted.changes:
            tried, turn = self._next(now), self.tried % LATE
            if tried is not None and self.want.worth(tried) >= min(self.want.worth(now), late[turn]):
                now = tried
                if self.want.worth(now) > self.want.worth(self.best) and self._is_wanted(now, first):
                    self.best = now
                    self._tell(now)
            late[turn] = self.want.worth(now)

    def _is_wanted(self, tried: Tried, first: Tried) -> bool:
        if self.wanted.want == "surprise":
            return tried.cost >= first.cost
        return self.wanted.want != "easier" or tried.cost < first.cost  # nothing is easier than a level that is solved

    def _tell(self, best: Tried) -> None:
        if (progress := self.request.milestone or self.request.progress) is not None:
            progress(f"design: {self.tried:,} changes, {self.solved:,} solved: {self.want.words}, cost {best.cost}")

    def _next(self, now: Tried) -> Tried | None:
        """A changed level; None where it is none, or was met before, or is not solved soon enough."""
        self.tried += 1
        data = dict(now.data)
        name = self.random.choice(list(self.maps))
        data[name] = changed(data.get(name, self.puzzle.data[name]), self.maps[name], self.random)
        key = repr(sorted(data.items()))
        if key in self.seen:
            return None
        self.seen.add(key)
        try:
            tried = self._judged(self.writer.with_data(self._name(), data), data)
        except (PuzzleError, LimitReached):
            return None
        self.solved += tried.report.outcome is Outcome.OPTIMAL
        return tried if tried.report.outcome is Outcome.OPTIMAL else None

    def _name(self) -> str:
        return self.wanted.name or f"{self.puzzle.level or 'level'}-{self.wanted.want}"

    def _judged(self, written: Written, data: Mapping[str, Value]) -> Tried:
        left = self.deadline.left
        limits = replace(self.request.limits, time=left and max(1.0, left / SHARE), nodes=STATES)
        puzzle = replace(written.puzzle, fingerprint="")  # nothing about a passing level is kept on disk
        bench = Workbench(puzzle, self.request.metrics, limits.deadline(), memory=False)
        request = replace(self.request, limits=limits, progress=None, milestone=None, **self._simply(bench))
        report = solve(puzzle, request, bench)
        if report.outcome is Outcome.INTERRUPTED:
            raise KeyboardInterrupt
        tried = Tried(written, report, data)
        return tried if report.outcome is not Outcome.OPTIMAL else self._with_figures(tried, bench, request)

    def _simply(self, bench: Workbench) -> dict[str, Any]:
        """Without proofs that take longer than a small level's search, unless another way was asked for."""
        if self.request.backend != AUTO or self.request.heuristics:
            return {}
        return {"backend": "bfs" if bench.task.unit_cost else "ucs", "invariants": False, "symmetry": False}

    def _with_figures(self, tried: Tried, bench: Workbench, request: Request) -> Tried:
        if self.wanted.want == "plans":
            report = with_count(bench, request, tried.report, CountWanted())
            if report.outcome is Outcome.INTERRUPTED:
                raise KeyboardInterrupt
            counted = report.payload(PlanCount)
            number = counted.optimal_plans if counted else None
            return replace(tried, plans=number if isinstance(number, int) else None)
        if self.wanted.want == "forced":
            assert tried.report.solution is not None
            return replace(tried, forced=forced_moves(bench.machine(), tried.report.solution.operators))
        return replace(tried, apart=sum(_apart(self.puzzle.data[name], value) for name, value in tried.data.items()))

    def finished(self, first: Tried, best: Tried) -> Designed:
        """What is told of the best level; it says that its optimum is known."""
        metrics = self.puzzle.metrics
        known = best.cost if len(metrics) == 1 else {best.report.metric.split(",")[0]: best.cost}
        written = self.writer.with_data(self._name(), best.data, {"optimal": known})
        (before, was), (after, now) = ((self.want.figure(each), self.want.worth(each)) for each in (first, best))
        begun = self.puzzle.level or self.puzzle.name
        return Designed(begun, self.wanted.want, written.name, written.text, before, after, self.tried, self.solved,
                        now > was, tuple(draw(scene(written.puzzle, start_state(written.puzzle)))))  # fmt: skip


def _apart(one: Value, other: Value) -> int:
    """The squares in which two maps differ."""
    here, there = grid_of(one), grid_of(other)
    return sum(here.get(place) != there.get(place) for place in here.keys() | there.keys())


def design(puzzle: Puzzle, request: Request, wanted: DesignWanted) -> Report:
    """The best level that is found by changes of this one, with its plan. PuzzleError where it has no maps."""
    designing = Designing(puzzle, request, wanted)
    first = designing.first()
    if first.report.outcome is not Outcome.OPTIMAL:
        note = "design begins with a level whose optimum is proven within a tenth of the time"
        return replace(first.report, command="design").noting(note)
    notes: tuple[str, ...] = ()
    try:
        designing.walk(first)
    except KeyboardInterrupt:
        notes = ("stopped by Ctrl-C; this is the best level until then",)
    best = designing.best
    return replace(best.report, command="design").noting(*notes).having(designing.finished(first, best))


def saved_level(report: Report, file: Path | None, out: Path | None) -> Report:
    """The report once its level is written: into the puzzle's own file, which is as before but for that, or apart."""
    found = report.payload(Designed)
    if found is None or not found.better:
        return report
    notes = [] if out is None else [*saved(out, found.text)]
    if file is not None:
        notes += _added(file, found)
    places = [str(path) for path in (file, out) if path is not None]
    return report.noting(*notes).having(found if notes else replace(found, places=tuple(places)))


def _added(file: Path, found: Designed) -> Iterator[str]:
    """Put the level into its puzzle's file, as that is now; a note where that cannot be."""
    try:
        replaced(file, with_level(read(file, str(file)), str(file), found.text))
    except OSError as error:
        yield f"{file} could not be written: {error.strerror}"
    except PuzzleError as error:
        yield f"the level was not saved: {error.diagnostics[0].message}"
