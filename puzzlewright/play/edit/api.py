"""What a page of `edit` may ask, besides what one of `play` may: about a text, and for the file.

Each answer about a text has its revision. Work on a text ends as soon as the page drops the question.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from models.errors import PuzzleError
from puzzlewright.files.on_disk import OnDisk, Stored
from puzzlewright.files.schema import schema
from puzzlewright.files.starting import starter
from puzzlewright.play.api import GRACE, Answer, Api, quick
from puzzlewright.play.edit.drafts import MOST_LETTERS, SEEDS, Drafts
from puzzlewright.play.edit.painting import NAME, WRITING, checked_maps
from puzzlewright.play.edit.painting import SECONDS as FIGURES
from puzzlewright.play.edit.words import WORDS
from puzzlewright.play.pool import Gone, Pool
from puzzlewright.play.wire import (
    BAD,
    BUSY,
    BadRequest,
    Body,
    long_text,
    number,
    one_of,
    seconds,
    table,
    text,
    write_json,
)

CHECK_SECONDS, DESIGN_SECONDS, MOST_CHECK_SECONDS = 20.0, 15.0, 60.0
PATIENCE = 1.0  # seconds
WANTS = ("length", "easier", "surprise")
Told = dict[str, Any]


class EditApi(Api):
    """The answers to the workshop's page."""

    catalogue: Drafts

    def __init__(self, drafts: Drafts, pool: Pool, backends: tuple[str, ...], disk: OnDisk) -> None:
        super().__init__(drafts, pool, backends)
        self.disk, self.readers = disk, Pool()
        self.posts |= {"/api/look": self.look, "/api/check": self.check, "/api/save": quick(self.save),
                       "/api/paint": self.paint, "/api/figures": self.figures, "/api/design": self.design}  # fmt: skip
        self.gets = {"/api/file": self.file, "/api/version": self.version, "/api/words": self.words}

    @property
    def pools(self) -> tuple[Pool, ...]:
        return (self.pool, self.readers)

    # -- about a text --------------------------------------------------------------------------------------------------

    def look(self, body: Body, gone: Gone) -> Answer:
        """What the reader says of a text, and what is in it."""
        revision = self.catalogue.hold(long_text(body, "text", MOST_LETTERS))
        return self._read({**body, "revision": revision}, {"work": "look", "seconds": 0.0}, gone)

    def check(self, body: Body, gone: Gone) -> Answer:
        """All levels, and what the file claims."""
        given = seconds(body, CHECK_SECONDS, MOST_CHECK_SECONDS)
        return self._about(body, {"work": "check", "seconds": given}, gone)

    def paint(self, body: Body, gone: Gone) -> Answer:
        """The text with a level of other maps."""
        revision = self.catalogue.hold(long_text(body, "text", MOST_LETTERS))
        name = text(body, "name", "painted")
        if not NAME.fullmatch(name):
            raise BadRequest(BAD, "the name of a level has letters, digits and hyphens")
        optimal = number(body, "optimal", -1, -1, 1 << 53)
        known = {"optimal": optimal} if optimal >= 0 else {}
        job = {"work": "paint", "maps": checked_maps(table(body, "maps")), "name": name, "known": known}
        return self._read({**body, "revision": revision}, {**job, "seconds": WRITING}, gone)

    def figures(self, body: Body, gone: Gone) -> Answer:
        """How many states, best plans and dead ends a level has."""
        return self._about(body, {"work": "figures", "seconds": FIGURES}, gone)

    def design(self, body: Body, gone: Gone) -> Answer:
        """A level that is harder, easier or another."""
        job = {"work": "design", "want": one_of(body, "want", WANTS), "random": number(body, "random", 0, 0, SEEDS)}
        given = seconds(body, DESIGN_SECONDS, MOST_CHECK_SECONDS)
        return self._about(body, {**job, "seconds": given}, gone, self.readers)  # proofs may use all of the others

    def hint(self, body: Body, gone: Gone) -> Answer:
        return _stamped(super().hint(body, gone), text(body["game"], "revision"))

    def _read(self, body: Body, job: Told, gone: Gone) -> Answer:
        """Short work, in processes of its own: proofs that are ended leave none to begin with. What is nearly done is
        not ended, since a new process takes longer."""
        soon = time.monotonic() + PATIENCE
        return self._about(body, job, lambda: time.monotonic() > soon and gone(), self.readers)

    def _about(self, body: Body, job: Told, gone: Gone, pool: Pool | None = None) -> Answer:
        job |= {"source": asdict(self.catalogue.source(body))}
        return _stamped((pool or self.pool).run(job, 3 * job["seconds"] + GRACE, gone), text(body, "revision"))

    def words(self) -> Answer:
        """What the editor offers and explains, whatever the text."""
        return 200, write_json({"schema": schema(), "words": WORDS})

    # -- the file ------------------------------------------------------------------------------------------------------

    def file(self) -> Answer:
        """What it holds; a new one may begin with `starter`."""
        stored = self._stored()
        told = {"name": self.disk.path.name, "path": str(self.disk.path), **asdict(stored)}
        return 200, write_json(told if stored.digest else {**told, "starter": starter()})

    def version(self) -> Answer:
        """Which bytes the file has now."""
        return 200, write_json({"version": self._stored().digest})

    def save(self, body: Body) -> Told:
        """Write the text over the one that the page has begun with, or tell what stands there instead."""
        try:
            saved = self.disk.save(long_text(body, "text", MOST_LETTERS), text(body, "base", ""))
        except OSError as error:
            raise BadRequest(BUSY, f"{self.disk.path} cannot be written: {error.strerror}") from None
        except PuzzleError as error:
            raise BadRequest(BUSY, error.diagnostics[0].message) from None
        return {"saved": saved is not None, **asdict(saved or self._stored())}

    def _stored(self) -> Stored:
        try:
            return self.disk.read()
        except PuzzleError as error:
            raise BadRequest(BAD, error.diagnostics[0].message) from None


def _stamped(answer: Answer, revision: str) -> Answer:
    """The answer with the text that it is about."""
    status, body = answer
    return status, b'{"revision":"%s",%s' % (revision.encode(), body[1:])
