"""Many searches, each in a process of its own, as flat rows for a table."""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from os import PathLike, fspath
from pathlib import Path

from models.errors import PuzzleError
from models.frozen import frozen
from models.outcomes import Limits, Outcome
from puzzlewright.analysis import children
from puzzlewright.analysis.batch import KEY, PARTS, PAUSE, Journal
from puzzlewright.analysis.children import command
from puzzlewright.analysis.comparing import GRACE
from puzzlewright.configuration import ConfigurationError, check_choice, checked
from puzzlewright.files.library import find
from puzzlewright.report import versions
from puzzlewright.solving.backends import BACKENDS
from search.cache import program

Figure = str | int | float | None
Row = dict[str, Figure]
TOLD = ("puzzle", "outcome", "heuristic", "metric", "cost", "length", "lower_bound")
COUNTED = {"expanded": "expanded", "generated": "generated", "seconds": "total_seconds", "memory_mb": "peak_memory_mb"}


@frozen(eq=True)
class Job:
    """One search: a puzzle file or a built-in puzzle, a level of it ("" for the first one), a backend."""

    file: str
    level: str
    backend: str
    time_limit: float

    @property
    def named(self) -> Row:
        return {"file": self.file, "level": self.level, "backend": self.backend}

    @property
    def command(self) -> list[str]:
        asked = [f"--backend={self.backend}", f"--time-limit={self.time_limit}"]
        asked += [f"--level={self.level}"] * bool(self.level)
        return command("puzzlewright", "solve", "--json", "-q", *asked, "--", self.file)

    @property
    def key(self) -> str:
        """What its row rests on: the puzzle's text, all that is asked, the program and what it runs on."""
        try:
            text = find(self.file)[0]
        except PuzzleError:
            text = ""
        rests_on = (text, self, program(PARTS), sorted(versions().items()))
        return hashlib.sha256(repr(rests_on).encode()).hexdigest()


def run(
    jobs: Iterable[tuple[str, str | None, str]],
    *,
    processes: int = 1,
    time_limit: float = 60,
    resume: str | PathLike[str] | None = None,
) -> Iterator[Row]:
    """A row for each (file, level, backend), as soon as it is finished; an iterator that is closed ends its processes.

    `resume` is a file that keeps the rows: those that it has are not made again.
    """
    seconds = checked(Limits(time=time_limit)).time
    if seconds is None:
        raise ConfigurationError("time_limit", "each row needs one")
    if isinstance(processes, bool) or not isinstance(processes, int) or processes < 1:
        raise ConfigurationError("processes", f"{processes!r} is no whole number from 1 on")
    return _rows([_job(each, seconds) for each in jobs], processes, _journal(resume))


def _job(given: tuple[str, str | None, str], seconds: float) -> Job:
    try:
        file, level, backend = given
    except (TypeError, ValueError):
        raise ConfigurationError("job", f"{given!r} is no (file, level, backend)") from None
    check_choice("backend", backend, BACKENDS)
    if level is not None and not isinstance(level, str):
        raise ConfigurationError("job", f"{level!r} is no level's name")
    if fspath(file) == "-":
        raise ConfigurationError("job", "standard input is no file that several processes can read")
    return Job(fspath(file), level or "", backend, seconds)


def _journal(path: str | PathLike[str] | None) -> Journal:
    try:
        return Journal(None if path is None else Path(path))
    except (OSError, ValueError) as error:
        raise ConfigurationError("resume", f"{path} has no rows of an earlier run: {error}") from None


def _rows(jobs: Sequence[Job], processes: int, journal: Journal) -> Iterator[Row]:
    waiting, running = deque(jobs), list[tuple[str, _JobChild]]()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        while waiting or running:
            while waiting and len(running) < processes:
                job = waiting.popleft()
                if (key := job.key) in journal.rows:
                    yield {name: value for name, value in journal.rows[key].items() if name != KEY}
                else:
                    child = _JobChild(job, Path(folder, str(len(waiting))))
                    stack.callback(child.end)
                    running.append((key, child))
            for key, child in [each for each in running if each[1].ended]:
                running.remove((key, child))
                row = child.row()
                journal.add({KEY: key, **row})
                yield row
            if running:
                time.sleep(PAUSE)


class _JobChild(children.Child):
    """A process with one search."""

    def __init__(self, job: Job, answer: Path) -> None:
        self.job = job
        super().__init__(job.command, answer, job.time_limit + GRACE)

    def row(self) -> Row:
        text, late = self.told()
        try:
            told = json.loads(text)
        except json.JSONDecodeError:
            told = {"outcome": str(Outcome.TIME_LIMIT if late else Outcome.INTERNAL_ERROR)}
        notes = [*told.get("notes", ()), *(each["message"] for each in told.get("diagnostics", ()))]
        counted = told.get("statistics", {})
        found = {**{name: told.get(name) for name in TOLD}, **{name: counted.get(of) for name, of in COUNTED.items()}}
        level = told.get("level") or self.job.level
        return {**self.job.named, "level": level, **found, "notes": "; ".join(notes)}
