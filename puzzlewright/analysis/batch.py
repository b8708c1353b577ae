"""A batch over the levels of a puzzle: one row each, made by child processes, held to what the file says is known."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import pickle
import tempfile
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import field, replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

from models.document import Document, read_document
from models.errors import Diagnostic, PuzzleError, did_you_mean
from models.frozen import frozen
from models.level_files import LevelFile, level_numbers
from models.outcomes import Outcome
from models.puzzle import Puzzle
from puzzlewright.analysis import children
from puzzlewright.analysis.comparing import GRACE
from puzzlewright.analysis.level_rows import DECIDED, FIGURES, RowWanted, failed_row
from puzzlewright.analysis.level_table import LevelTable
from puzzlewright.files.disk_cache import read_puzzle
from puzzlewright.files.library import saved
from puzzlewright.report import About, Report, missed_words, versions
from puzzlewright.solving.request import Progress
from search.cache import program

PAUSE = 0.02  # seconds between two looks at the children
KEY = "key"  # of a row in a resume file: what it is about
PARTS = ("models", "search", "encoders", "puzzlewright")  # of the program: what another version has told is told anew
NAMED = 10  # levels that a message names at most
Row = dict[str, Any]


@frozen(eq=True)
class Level:
    """A level by its name; `load` goes to a child process, so it must be picklable."""

    puzzle: str
    name: str
    fingerprint: str  # of all that the puzzle is made of, and of what is said to be known of it
    load: Callable[[], Puzzle]


class Journal:
    """The rows of earlier runs and of this one: JSON lines, each written as soon as its level is finished.

    ValueError: the file holds something else.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path, self.notes = path, list[str]()
        text = path.read_text(encoding="utf-8") if path is not None and path.exists() else ""
        end = text.rfind("\n") + 1
        self.rows = {row[KEY]: row for row in map(_row_in, text[:end].splitlines())}
        if path is not None and text[end:]:  # an earlier run was ended while it wrote
            if not text.startswith(f'{{"{KEY}"', end):
                raise ValueError(text[end:])
            path.write_text(text[:end], encoding="utf-8")

    def add(self, row: Row) -> None:
        """Keep the row, unless its process failed: that may not happen again."""
        if self.path is None or self.notes or row["outcome"] == Outcome.INTERNAL_ERROR:
            return
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
        except OSError as error:
            self.notes.append(f"{self.path} could not be written: {error.strerror}")


def _row_in(line: str) -> Row:
    row = json.loads(line)
    if not isinstance(row, dict) or KEY not in row:
        raise ValueError(line)
    return row


@frozen(eq=True)
class Batch:
    """What the user asked for besides the levels."""

    wanted: RowWanted = field(default_factory=RowWanted)
    jobs: int = 1
    csv: Path | None = None
    journal: Journal = field(default_factory=Journal)


def levels_of(text: str, source: str, patterns: Sequence[str], settings: Sequence[str], seed: int,
              progress: Progress | None = None, level_file: LevelFile | None = None) -> list[Level]:  # fmt: skip
    """The chosen levels of a file; PuzzleError where one is wrong."""
    names = chosen(read_document(text, source), patterns, level_file)
    loads = {name: partial(read_puzzle, text, source, name or None, settings, seed, level_file) for name in names}
    return _read(loads, progress)


def chosen(document: Document, patterns: Sequence[str], level_file: LevelFile | None) -> list[str]:
    """The names of the levels that match one of the patterns, all without any; PuzzleError where one matches none.

    With a level file these are its levels, by number. A puzzle file without levels is one level without a name.
    """
    names = list(map(str, document.levels)) or [""]
    if level_file is not None:
        names = level_numbers(document, level_file)
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            hint = did_you_mean(pattern, names)
            raise PuzzleError(Diagnostic(f"no level matches {pattern!r}", None, hint, code="E409"))
    return [name for name in names if not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)]


def _read(loads: Mapping[str, Callable[[], Puzzle]], progress: Progress | None) -> list[Level]:
    """All are read once, so that what is wrong is told before any work; the children find them in the cache.

    What is wrong with some levels only, the file's rules being the same for all, is told with their names.
    """
    levels = list[Level]()
    wrong: dict[Diagnostic, list[str]] = {}  # on which levels
    for name, load in loads.items():
        if progress is not None:
            progress(f"levels: reading {name}")
        try:
            puzzle = load()
        except PuzzleError as error:
            for diagnostic in dict.fromkeys(error.diagnostics):
                wrong.setdefault(diagnostic, []).append(name)
        else:
            levels.append(Level(puzzle.name, puzzle.level, fingerprint_of(puzzle), load))
    if wrong:
        alike = len(loads) if len(loads) > 1 else 0
        raise PuzzleError(each if len(names) == alike else _about(each, names) for each, names in wrong.items())
    return levels


def fingerprint_of(puzzle: Puzzle) -> str:
    """A level of a level file may have the data of another level, and something else that is known of it."""
    return hashlib.sha256(repr((puzzle.fingerprint, puzzle.known)).encode()).hexdigest()


def _about(diagnostic: Diagnostic, names: Sequence[str]) -> Diagnostic:
    """The complaint, and the levels that it is about."""
    if not names[0]:  # a file without levels
        return diagnostic
    listed = ", ".join([*names[:NAMED], *["..."] * (len(names) > NAMED)])
    return replace(diagnostic, message=f"{diagnostic.message} (level{'s' * (len(names) > 1)} {listed})")


def measure(levels: Sequence[Level], batch: Batch, progress: Progress | None = None) -> Report:
    """A report with one row for each level; Ctrl-C ends the work, and the rows that are finished stay."""
    journal = batch.journal
    keys = [_key(level, batch.wanted) for level in levels]
    done = {key: journal.rows[key] for key in keys if key in journal.rows}
    waiting = [(key, level) for key, level in zip(keys, levels, strict=True) if key not in done]
    stopped = False

    def tell(working: str) -> None:
        if progress is not None:
            progress(f"levels: {len(done):,} of {len(levels):,} done; {working}")

    try:
        with closing(_rows(waiting, batch, tell)) as finished:
            for key, row in finished:
                done[key] = row
                journal.add({KEY: key, **row})
    except KeyboardInterrupt:
        stopped = True
    rows = tuple({name: value for name, value in done[key].items() if name != KEY} for key in keys if key in done)
    unfinished = (f"{len(rows)} of {len(levels)} levels are finished",) if stopped else ()
    notes = (*unfinished, *journal.notes, *(saved(batch.csv, csv_text(rows)) if batch.csv else ()))
    about = About(levels[0].puzzle, seed=batch.wanted.seed)
    return Report("levels", outcome_of(rows, stopped), about, notes=notes, payloads=(LevelTable(rows),))


def _key(level: Level, wanted: RowWanted) -> str:
    """What a row rests on: the level, all that was asked for, the program and what it runs on."""
    rests_on = (level.fingerprint, level.name, wanted, FIGURES, program(PARTS), sorted(versions().items()))
    return hashlib.sha256(repr(rests_on).encode()).hexdigest()


def outcome_of(rows: Sequence[Row], stopped: bool) -> Outcome:
    """The one word for all rows: the worst of them."""
    words = {row["outcome"] for row in rows}
    for outcome in (Outcome.DISAGREEMENT, Outcome.INTERNAL_ERROR):
        if outcome in words:
            return outcome
    if stopped:
        return Outcome.INTERRUPTED
    if Outcome.INVALID_INPUT in words:
        return Outcome.INVALID_INPUT
    if any(row["missed"] for row in rows):
        return Outcome.REFUTED
    return Outcome.VALID if words <= set(DECIDED) else Outcome.UNPROVEN


# -- child processes ---------------------------------------------------------------------------------------------------


def _rows(waiting: Sequence[tuple[str, Level]], batch: Batch, tell: Progress) -> Generator[tuple[str, Row]]:
    """(key, row) of each level as it is finished; no process is left behind."""
    queue, running = list(reversed(waiting)), dict[str, _RowChild]()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as children:
        while queue or running:
            while queue and len(running) < batch.jobs:
                key, level = queue.pop()
                running[key] = _RowChild(level, batch.wanted, Path(folder, key))
                children.callback(running[key].end)
            for key, child in list(running.items()):
                if child.ended:
                    yield key, running.pop(key).row()
            tell(", ".join(child.level.name or child.level.puzzle for child in running.values()))
            time.sleep(PAUSE)


class _RowChild(children.Child):
    """A process that makes one row."""

    def __init__(self, level: Level, wanted: RowWanted, place: Path) -> None:
        self.level = level
        place.write_bytes(pickle.dumps((level.load, wanted)))
        command = children.command("puzzlewright.analysis.level_rows")
        super().__init__(command, place.with_suffix(".rows"), wanted.time_limit + GRACE, place)

    def row(self) -> Row:
        """As far as the process has come."""
        text, late = self.told()
        whole = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
        row = {"level": self.level.name, **(json.loads(whole[-1]) if whole else failed_row(Outcome.TIME_LIMIT))}
        if late:
            row["notes"].append("its process was ended because it did not keep the time limit")
        elif self.process.returncode:
            row["outcome"] = str(Outcome.INTERNAL_ERROR)
            row["notes"].append(f"its process ended with code {self.process.returncode}")
        return row


# -- the table as a file -----------------------------------------------------------------------------------------------


def csv_text(rows: Sequence[Row]) -> str:
    """A line for each level; a column for each metric where there are several; what is not known is empty."""
    metrics = list(dict.fromkeys(metric for row in rows for metric in row["optima"]))
    several = {metric: f"optimum_{metric}" for metric in metrics if len(metrics) > 1}
    out = io.StringIO()
    writer = csv.DictWriter(out, ["level", "outcome", "metric", *FIGURES, *several.values(), "held", "open", "missed"],
                            extrasaction="ignore", lineterminator="\n")  # fmt: skip
    writer.writeheader()
    for row in rows:
        optima = {several[metric]: cost for metric, cost in row["optima"].items() if metric in several}
        writer.writerow({**row, **optima, "held": ", ".join(row["held"]), "open": ", ".join(row["open"]),
                         "missed": "; ".join(map(missed_words, row["missed"]))})  # fmt: skip
    return out.getvalue()
