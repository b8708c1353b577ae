"""`site`: pages that play puzzles and the page that shows them all, as a folder for any web host.

A page is what `export` makes, by a process of its own. What has no page is named, and the rest is made without it.
"""

from __future__ import annotations

import json
import pickle
import re
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, closing
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from models.document import read_document
from models.errors import Diagnostic, PuzzleError
from models.frozen import frozen
from models.outcomes import Outcome
from puzzlewright.analysis import children
from puzzlewright.analysis.comparing import GRACE
from puzzlewright.files.own_folder import OwnFolder
from puzzlewright.pages.bundling import bundle
from puzzlewright.pages.game_page import READING, standalone
from puzzlewright.pages.site_page import PageWanted, failed
from puzzlewright.report import Payload, Report
from puzzlewright.solving.request import Progress

HOME = "index.html"
FOLDERS = ("puzzlewright.pages.home", "puzzlewright.play")
PAUSE = 0.05  # seconds between two looks at the children
WORST = (Outcome.INTERNAL_ERROR, Outcome.MEMORY_LIMIT, Outcome.TIME_LIMIT, Outcome.INVALID_INPUT, Outcome.UNSUPPORTED)
Told = dict[str, Any]


@frozen(eq=True)
class Site(Payload):
    """What was written."""

    folder: Path
    pages: tuple[str, ...]
    size: int  # bytes, with the page of all
    levels: int

    def as_json(self) -> dict[str, object]:
        return {"site": {"folder": str(self.folder), "home": HOME, "pages": list(self.pages), "levels": self.levels,
                         "bytes": self.size}}  # fmt: skip

    def headline(self, report: Report) -> str:
        if not self.pages:
            return "no page is written"
        count = "1 puzzle" if len(self.pages) == 1 else f"{len(self.pages)} puzzles"
        levels = "1 level" if self.levels == 1 else f"{self.levels} levels"
        return f"{count} with {levels}, {self.size / 1000:,.0f} kB: {self.folder / HOME}"


def pages_wanted(texts: Sequence[tuple[str, str, str]], patterns: Sequence[str], seconds: float) -> list[PageWanted]:
    """A page for each (name, text, source) that has one of the levels; PuzzleError where a pattern matches none."""
    found: list[tuple[str, str, str, tuple[str, ...]]] = []
    unmatched = set(patterns)
    for name, text, source in texts:
        names = list(map(str, read_document(text, source).levels)) or [""]
        unmatched -= {pattern for pattern in patterns if any(fnmatchcase(each, pattern) for each in names)}
        kept = [each for each in names if not patterns or any(fnmatchcase(each, pattern) for pattern in patterns)]
        found += [(name, text, source, tuple(kept))] if kept else []
    if unmatched:
        raise PuzzleError(Diagnostic(f"no level matches {min(unmatched)!r}", None, code="E409"))
    files = file_names([name for name, *_ in found])
    return [PageWanted(file, text, source, levels, seconds, HOME)
            for file, (_, text, source, levels) in zip(files, found, strict=True)]  # fmt: skip


def file_names(names: Sequence[str]) -> list[str]:
    """One for each, in letters that any host and disk has, no two alike and none that of the page of all."""
    found = [Path(HOME).stem]
    for name in names:
        plain = re.sub("[^a-z0-9_-]+", "-", name.lower()).strip("-") or "puzzle"
        places = (plain if number == 1 else f"{plain}-{number}" for number in range(1, len(names) + 2))
        found.append(next(each for each in places if each not in found))
    return found[1:]


def site(folder: OwnFolder, wanted: Sequence[PageWanted], jobs: int, progress: Progress | None = None) -> Report:
    """Make the pages, then the page of all; Ctrl-C leaves those that are finished, and the page of all as it was."""
    told = dict[str, Told]()
    try:
        with closing(_made(wanted, jobs, progress)) as finished:
            for name, page in finished:
                told[name] = page
                if page["html"]:
                    folder.write(f"{name}.html", page["html"])
        rows = [told[each.name]["row"] for each in wanted if told[each.name]["html"]]
        if rows:
            folder.write(HOME, home_page(rows))
            folder.finish()
    except KeyboardInterrupt:
        note = f"{len(told)} of {len(wanted)} pages are finished; the page of all is not"
        return Report("site", Outcome.INTERRUPTED, notes=(note,))
    except OSError as error:
        note = f"{folder.path} could not be written: {error.strerror or error}"
        return Report("site", Outcome.USAGE_ERROR, notes=(note,))
    return _report(folder, {each.name: told[each.name] for each in wanted}, rows)


def _report(folder: OwnFolder, told: Mapping[str, Told], rows: Sequence[Told]) -> Report:
    """What was written, and what was not: its one word is the worst of the pages'."""
    outcomes = {page["outcome"] for page in told.values()}
    notes = tuple(f"{name}: {_briefly(page['notes'])}" for name, page in told.items() if page["notes"])
    report = Report("site", next((each for each in WORST if each in outcomes), Outcome.VALID), notes=notes)
    levels = sum(max(1, len(row["levels"])) for row in rows)
    return report.having(Site(folder.path, tuple(row["page"] for row in rows), folder.size, levels))


def _briefly(notes: Sequence[str]) -> str:
    """Most levels of a hard puzzle have the same to be said of them."""
    return notes[0] + (f" (and {len(notes) - 1} more like it)" if len(notes) > 1 else "")


def home_page(rows: Sequence[Told]) -> str:
    """The page that shows all puzzles, with their pictures."""
    script = bundle("home", FOLDERS)
    return standalone("home.html", ("look", "play", "home"), script, {"puzzles": list(rows)}, "Puzzles")


# -- child processes ---------------------------------------------------------------------------------------------------


def _made(wanted: Sequence[PageWanted], jobs: int, progress: Progress | None) -> Generator[tuple[str, Told]]:
    """(name, page) as each is finished; no process is left behind."""
    queue, running, done = list(reversed(wanted)), list[_PageChild](), 0
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        while queue or running:
            while queue and len(running) < jobs:
                running.append(_PageChild(queue.pop(), Path(folder)))
                stack.callback(running[-1].end)
            for child in [each for each in running if each.ended]:
                running.remove(child)
                done += 1
                yield child.wanted.name, child.page()
            if progress is not None and running:
                working = ", ".join(each.wanted.name for each in running)
                progress(f"site: {done} of {len(wanted)} pages done; {working}")
            time.sleep(PAUSE)


class _PageChild(children.Child):
    """A process that makes one page."""

    def __init__(self, wanted: PageWanted, folder: Path) -> None:
        self.wanted = wanted
        given = folder / wanted.name
        given.write_bytes(pickle.dumps(wanted))
        seconds = len(wanted.levels) * (READING + 3 * wanted.seconds) + GRACE
        super().__init__(children.command("puzzlewright.pages.site_page"), given.with_suffix(".page"), seconds, given)

    def page(self) -> Told:
        text, late = self.told()
        if late:
            return failed(Outcome.TIME_LIMIT, "its process was ended because it took too long")
        if self.process.returncode or not text.endswith("\n"):
            return failed(Outcome.INTERNAL_ERROR, f"its process ended with code {self.process.returncode}")
        told: Told = json.loads(text)
        return told
