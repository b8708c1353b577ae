"""Which games a server has: one file's levels, or those of all built-in puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from models import titles
from models.data import as_value
from models.document import Document, read_document
from models.errors import Diagnostic, PuzzleError
from models.frozen import frozen
from models.level_files import LevelFile, level_numbers
from puzzlewright.files.library import built_in, find
from puzzlewright.files.on_disk import NONE, OnDisk, Stored
from puzzlewright.play.game import Game, GameSource, start_picture
from puzzlewright.play.wire import BAD, BadRequest, Body, number, optional_text, text

Told = dict[str, Any]
NOT_FOUND = 404
KEPT, DRAWN = 16, 128  # games, pictures
SEEDS = 1 << 31


@frozen(eq=True)
class Chosen:
    """The file that was asked for on the command line, and what was said about it."""

    name: str  # on the wire
    text: str
    source: str
    settings: tuple[str, ...] = ()
    level_file: LevelFile | None = None


class Catalogue:
    """Games by their names on the wire. The ones last played are kept ready; they hold no player's state."""

    def __init__(self, chosen: Chosen | None = None, level: str | None = None, seed: int = 0,
                 disk: OnDisk | None = None) -> None:  # fmt: skip
        self.chosen, self.level, self.seed = chosen, level, seed
        self.game = lru_cache(KEPT)(Game)
        self.puzzles = lru_cache(1)(self._puzzles)
        self.document = lru_cache(DRAWN)(self._document)
        self.drawn = lru_cache(DRAWN)(self._drawn)
        self.disk, self.seen = disk, NONE
        if disk is not None:
            self._adopt(disk.read())

    @property
    def names(self) -> tuple[str, ...]:
        return (self.chosen.name,) if self.chosen else tuple(built_in())

    def named(self, body: Body) -> Game:
        """The game that a request is about; BadRequest where there is none, or its file is wrong."""
        game: Game
        try:
            game = self.game(self._source(body))
        except PuzzleError as error:
            raise BadRequest(BAD, in_words(error)) from None
        return game

    def _source(self, body: Body) -> GameSource:
        name = text(body, "puzzle", self.default)
        if name not in self.names:
            raise BadRequest(NOT_FOUND, f"there is no puzzle {name!r} here")
        level, metric = optional_text(body, "level"), optional_text(body, "metric")
        seed = number(body, "seed", self.seed, -SEEDS, SEEDS)
        if self.chosen is not None:
            return GameSource(self.chosen.text, self.chosen.source, level, seed, self.chosen.settings,
                          self.chosen.level_file, metric)  # fmt: skip
        words, source = find(name)
        return GameSource(words, source, level, seed, metric=metric)

    def version(self) -> Told:
        """Which bytes of the file are played, if one is; a changed file is played once it can be read, else it is told
        what is wrong."""
        try:
            now = self.disk.read() if self.disk else None
            if now is not None and now.digest not in (NONE, self.seen):
                self._adopt(now)
        except PuzzleError as error:
            return {"version": self.seen, "error": in_words(error)}
        return {"version": self.seen}

    def _adopt(self, now: Stored) -> None:
        """Another text of the file."""
        assert self.chosen is not None
        read_document(now.text, self.chosen.source)
        self.chosen, self.seen = replace(self.chosen, text=now.text), now.digest
        self.puzzles.cache_clear()
        self.document.cache_clear()

    @property
    def default(self) -> str:
        """The puzzle to begin with."""
        return self.chosen.name if self.chosen else "n_puzzle"

    def _puzzles(self) -> Told:
        """All that can be played, with levels, and what to begin with; where there are all puzzles, their page."""
        home = {} if self.chosen else {"home": "/"}
        return {"puzzles": [self._row(name) for name in self.names], "default": self.default, "level": self.level,
                "seed": self.seed, **home}  # fmt: skip

    def gallery(self) -> Told:
        """All that can be played, with what is counted at first. What is known is not of what a seed draws."""
        more = {name: {"metric": self.document(name).metrics[0]} for name in self.names}
        rows = [row | more[row["name"]] for row in self.puzzles()["puzzles"]]
        if self.seed:
            rows = [{**row, "levels": [{**level, "known": None} for level in row["levels"]]} for row in rows]
        return {"puzzles": rows, "seed": self.seed}

    def _drawn(self, source: GameSource) -> str:
        return start_picture(source.read())

    def picture(self, body: Body) -> Told:
        """A puzzle at the start of its first level; BadRequest where there is none, or its file is wrong."""
        try:
            return {"svg": self.drawn(self._source({"puzzle": text(body, "puzzle", self.default)}))}
        except PuzzleError as error:
            raise BadRequest(BAD, in_words(error)) from None

    def _document(self, name: str) -> Document:
        return read_document(*((self.chosen.text, self.chosen.source) if self.chosen else find(name)))

    def _row(self, name: str) -> Told:
        document: Document = self.document(name)
        file = self.chosen.level_file if self.chosen else None
        levels = levels_of(document) if file is None else [_level(each) for each in level_numbers(document, file)]
        return {"name": name, "title": titles.title_of(document), "about": str(document.about or ""), "levels": levels,
                "drawn": bool(document.draw)}  # fmt: skip


def in_words(error: PuzzleError) -> str:
    return "; ".join(map(_in_words, error.diagnostics[:5]))


def _in_words(diagnostic: Diagnostic) -> str:
    return diagnostic.message + (f" ({diagnostic.hint})" if diagnostic.hint else "")


def levels_of(document: Document) -> list[Told]:
    return [_level(str(name), str(level.about or ""), level.known, titles.level_title(document, str(name)))
            for name, level in document.levels.items()]  # fmt: skip


def _level(name: str, about: str = "", known: Mapping[Any, Any] | None = None, title: str = "") -> Told:
    title = title or titles.in_words(name)
    return {"name": name, "title": title, "about": about, "known": _plain(known) if known else None}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return as_value(value, False)
